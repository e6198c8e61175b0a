//! Constants of blocks: they are seen in all of their block, and nowhere else.

use jacobian::jacobian;

use crate::{check, differences};

#[test]
fn a_constant_of_a_block_hides_one_of_the_module() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: f64) -> f64 {
        let a = {
            const K: f64 = 2.0;
            x * K
        };
        a + x * K
    }
    check(f(1.0), f_jac(1.0), &[7.0]);
}

#[test]
fn a_constant_of_a_block_hides_a_static() {
    static LEVEL: f64 = 5.0;
    #[jacobian]
    fn f(x: f64) -> f64 {
        let a = {
            const LEVEL: f64 = 2.0;
            x * LEVEL
        };
        a + x * LEVEL
    }
    check(f(1.0), f_jac(1.0), &[7.0]);
}

#[test]
fn a_constant_of_a_block_hides_a_const_parameter() {
    #[jacobian]
    fn f<const K: usize>(x: f64) -> f64 {
        let a = {
            const K: usize = 2;
            x * K as f64
        };
        a + x * K as f64
    }
    check(f::<3>(1.0), f_jac::<3>(1.0), &[5.0]);
    check(f::<7>(1.0), f_jac::<7>(1.0), &[9.0]);
}

#[test]
fn a_constant_of_a_block_hides_one_around_the_block() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        const K: f64 = 5.0;
        let a = {
            const K: f64 = 2.0;
            let b = {
                const K: f64 = 3.0;
                x * K.sqrt()
            };
            b * K.sqrt()
        };
        a * K.sqrt()
    }
    check(f(1.0), f_jac(1.0), &[30f64.sqrt()]);
}

#[test]
fn constants_of_two_blocks_are_two() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: f64) -> f64 {
        let a = {
            const K: f64 = 2.0;
            x * K
        };
        let b = {
            const K: f64 = 3.0;
            x * K
        };
        a * b + x * K
    }
    // 6 x^2 + 5 x
    check(f(1.0), f_jac(1.0), &[17.0]);
}

#[test]
fn a_constant_of_a_block_is_seen_before_it_stands() {
    const K: f64 = 5.0;
    #[jacobian]
    #[allow(clippy::items_after_statements)]
    fn f(x: f64) -> f64 {
        let a = x * K;
        let b = {
            let c = x * K;
            const K: f64 = 2.0;
            c * K
        };
        a + b
    }
    check(f(1.0), f_jac(1.0), &[9.0]);
}

#[test]
fn a_constant_of_the_body_of_a_loop() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: [f64; 2]) -> f64 {
        let mut s = 0.0;
        for v in x {
            const K: f64 = 2.0;
            s += v * K;
        }
        s + x[0] * K
    }
    check(f([1.0, 2.0]), f_jac([1.0, 2.0]), &[7.0, 2.0]);
}

#[test]
fn a_constant_of_a_closure() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: [f64; 2]) -> f64 {
        let scaled = |v: f64| {
            const K: f64 = 2.0;
            v * K
        };
        let sum: f64 = x
            .iter()
            .map(|v| {
                const K: f64 = 3.0;
                v * K
            })
            .sum();
        scaled(x[0]) + sum + x[1] * K
    }
    check(f([1.0, 2.0]), f_jac([1.0, 2.0]), &[5.0, 8.0]);
}

#[test]
fn a_constant_of_a_block_with_a_label() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..2 {
            s += 'block: {
                const K: f64 = 2.0;
                if i == 0 {
                    break 'block x * K;
                }
                x * x * K
            };
        }
        s + x * K
    }
    check(f(1.0), f_jac(1.0), &[11.0]);
}

#[test]
fn a_constant_of_an_arm() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: f64, n: Option<usize>) -> f64 {
        let a = if x > 1.0 {
            const K: f64 = 2.0;
            x * K
        } else {
            x * K
        };
        let b = match n {
            Some(n) => {
                const K: f64 = 3.0;
                x * K * n as f64
            }
            None => x * K,
        };
        a + b + x * K
    }
    check(f(2.0, Some(2)), f_jac(2.0, Some(2)), &[2.0 + 6.0 + 5.0]);
    check(f(0.5, Some(2)), f_jac(0.5, Some(2)), &[5.0 + 6.0 + 5.0]);
    check(f(2.0, None), f_jac(2.0, None), &[2.0 + 5.0 + 5.0]);
    check(f(0.5, None), f_jac(0.5, None), &[15.0]);
}

#[test]
fn a_constant_of_an_arm_that_is_known() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..2 {
            s += if i == 0 {
                const K: f64 = 2.0;
                x * K
            } else {
                x * K
            };
        }
        s
    }
    check(f(1.0), f_jac(1.0), &[7.0]);
}

#[test]
fn a_constant_of_the_right_hand_side_of_a_lazy_operator() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let large = n > 1 && {
            const K: f64 = 2.0;
            x > K
        };
        if large { x * x } else { x * K }
    }
    check(f(3.0, 2), f_jac(3.0, 2), &[6.0]);
    check(f(1.0, 2), f_jac(1.0, 2), &[5.0]);
    check(f(3.0, 1), f_jac(3.0, 1), &[5.0]);
}

#[test]
#[allow(non_upper_case_globals)]
fn a_constant_of_a_block_hides_a_variable() {
    #[jacobian]
    fn f(x: f64, k: f64) -> f64 {
        let y = x * k;
        let a = {
            const k: f64 = 2.0;
            const y: f64 = 3.0;
            x * k.sqrt() * y.sqrt()
        };
        a + y * k
    }
    differences(|[x, k]| f(x, k), |[x, k]| f_jac(x, k), [1.5, 0.7]);

    #[jacobian(wrt(x))]
    fn passive(x: f64, k: f64) -> f64 {
        let a = {
            const k: f64 = 4.0;
            x * k.sqrt()
        };
        a + x * k.sqrt()
    }
    check(passive(1.0, 9.0), passive_jac(1.0, 9.0), &[5.0]);
}

#[test]
fn a_constant_that_is_computed_from_one_of_its_name() {
    const K: f64 = 5.0;
    const fn outer() -> f64 {
        K
    }
    #[jacobian]
    fn f(x: f64) -> f64 {
        let a = {
            const K: f64 = outer() - 3.0;
            x * K
        };
        a + x * K
    }
    check(f(1.0), f_jac(1.0), &[7.0]);
}

#[test]
fn constants_that_are_computed_from_others_of_their_block() {
    const A: f64 = 5.0;
    #[jacobian]
    fn f(x: f64) -> f64 {
        const B: f64 = A * 2.0;
        let a = {
            const A: f64 = 3.0;
            const C: f64 = A + B;
            x * C.sqrt()
        };
        a * B.sqrt() + x * A.sqrt()
    }
    // A = 5, B = 10, and C = 13
    check(f(1.0), f_jac(1.0), &[130f64.sqrt() + 5f64.sqrt()]);
}

#[test]
fn constants_in_passive_expressions() {
    const K: f64 = 9.0;
    const AT: usize = 0;
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let a = {
            const K: f64 = 4.0;
            const AT: usize = 1;
            x * K.sqrt() * data[AT]
        };
        a + x * K.sqrt() * data[AT]
    }
    check(f(1.0, &[5.0, 7.0]), f_jac(1.0, &[5.0, 7.0]), &[2.0 * 7.0 + 3.0 * 5.0]);
}

#[test]
fn tables_of_blocks() {
    const TABLE: [f64; 2] = [5.0, 7.0];
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let a = {
            const TABLE: [f64; 2] = [2.0, 3.0];
            x * TABLE[n] * TABLE[0]
        };
        a + x * TABLE[n] * TABLE[0]
    }
    check(f(1.0, 1), f_jac(1.0, 1), &[6.0 + 35.0]);
}

#[test]
fn constants_in_types() {
    const N: usize = 3;
    #[jacobian(wrt(x))]
    fn f(x: f64, narrow: &[f64; 2], wide: &[f64; 3]) -> f64 {
        let a = {
            const N: usize = 2;
            let copy: [f64; N] = *narrow;
            x * copy[1]
        };
        let copy: [f64; N] = *wide;
        a + x * copy[2]
    }
    check(f(1.0, &[2.0, 3.0], &[5.0, 7.0, 11.0]), f_jac(1.0, &[2.0, 3.0], &[5.0, 7.0, 11.0]), &[14.0]);
}

#[test]
fn constants_in_patterns() {
    const LIMIT: usize = 5;
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let a = {
            const LIMIT: usize = 2;
            match n {
                LIMIT => x,
                _ => 3.0 * x,
            }
        };
        match n {
            LIMIT => 10.0 * x + a,
            _ => a,
        }
    }
    check(f(1.0, 2), f_jac(1.0, 2), &[1.0]);
    check(f(1.0, 5), f_jac(1.0, 5), &[13.0]);
    check(f(1.0, 4), f_jac(1.0, 4), &[3.0]);
}

#[test]
fn constants_in_conditions_and_assertions() {
    const LIMIT: usize = 5;
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let a = {
            const LIMIT: usize = 2;
            assert!(n >= LIMIT, "less than {LIMIT}");
            if n > LIMIT { x } else { 3.0 * x }
        };
        if n > LIMIT { 10.0 * x + a } else { a }
    }
    check(f(1.0, 2), f_jac(1.0, 2), &[3.0]);
    check(f(1.0, 4), f_jac(1.0, 4), &[1.0]);
    check(f(1.0, 6), f_jac(1.0, 6), &[11.0]);
}

#[test]
fn constants_in_passive_closures() {
    const K: f64 = 5.0;
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let a = {
            const K: f64 = 2.0;
            let total: f64 = data.iter().map(|v| v * K).sum();
            x * total
        };
        let total: f64 = data.iter().map(|v| v * K).sum();
        a + x * total
    }
    check(f(1.0, &[1.0, 2.0]), f_jac(1.0, &[1.0, 2.0]), &[21.0]);
}

#[test]
fn a_path_to_another_constant_of_its_name() {
    mod outer {
        pub const K: f64 = 5.0;
    }
    #[jacobian]
    fn f(x: f64) -> f64 {
        const K: f64 = 2.0;
        x * K * outer::K
    }
    check(f(1.0), f_jac(1.0), &[10.0]);
}

#[test]
fn names_of_generated_constants_hide_nothing() {
    const K: f64 = 5.0;
    const K_1: f64 = 7.0;
    #[jacobian]
    fn f(x: f64) -> f64 {
        let a = {
            const K: f64 = 2.0;
            x * K.sqrt()
        };
        let b = {
            const K: f64 = 3.0;
            x * K.sqrt()
        };
        a + b + x * K_1.sqrt() + x * K.sqrt()
    }
    check(f(1.0), f_jac(1.0), &[2f64.sqrt() + 3f64.sqrt() + 7f64.sqrt() + 5f64.sqrt()]);
}

#[test]
fn constants_of_the_module_and_of_a_block() {
    #[jacobian]
    mod gains {
        const K: f64 = 9.0;
        const N: usize = 3;

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            let a = {
                const K: f64 = 4.0;
                const N: usize = 1;
                let mut s = 0.0;
                for i in 0..N {
                    s += x * K.sqrt() * (i + N + n) as f64;
                }
                s
            };
            let mut s = a;
            for _ in 0..N {
                s += x * K.sqrt();
            }
            s
        }
    }
    check(gains::f(1.0, 2), gains::f_jac(1.0, 2), &[2.0 * 3.0 + 9.0]);
}

#[test]
#[allow(non_upper_case_globals, irrefutable_let_patterns)]
fn constants_with_names_of_small_letters_in_patterns() {
    const limit: usize = 1;
    #[jacobian]
    fn f(a: [f64; 3], n: usize) -> f64 {
        let mut s = 0.0;
        for (i, v) in a.iter().enumerate() {
            if matches!(i, limit if n < 3) {
                s += v;
            }
            if matches!((i, 0), (limit, 0)) {
                s += 10.0 * v;
            }
            if let limit = i {
                s += 100.0 * v;
            }
        }
        s
    }
    let a = [1.0, 2.0, 3.0];
    check(f(a, 2), f_jac(a, 2), &[0.0, 111.0, 0.0]);
    check(f(a, 3), f_jac(a, 3), &[0.0, 110.0, 0.0]);
}

#[test]
fn constants_of_the_module_with_names_of_small_letters_in_patterns() {
    #[jacobian]
    #[allow(non_upper_case_globals)]
    mod limits {
        const limit: usize = 1;

        #[jacobian]
        pub fn f(a: [f64; 3], n: usize) -> f64 {
            let mut s = 0.0;
            for (i, v) in a.iter().enumerate() {
                if matches!(i, limit) {
                    s += v;
                }
                s += match i {
                    limit => 10.0 * v,
                    _ => *v,
                };
            }
            match n {
                limit => 2.0 * s,
                _ => s,
            }
        }
    }
    let a = [1.0, 2.0, 3.0];
    check(limits::f(a, 2), limits::f_jac(a, 2), &[1.0, 11.0, 1.0]);
    check(limits::f(a, 1), limits::f_jac(a, 1), &[2.0, 22.0, 2.0]);
}
