//! Items inside of functions: `use`, `static`, `fn` and types, which mean what they mean in the block in which they
//! are.

use jacobian::jacobian;

use crate::check;

mod other {
    pub const K: f64 = 2.0;
    pub static LEVEL: f64 = 3.0;

    pub fn weight(n: usize) -> f64 {
        2.0 * n as f64
    }
}

#[test]
fn a_use_in_a_block() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: f64) -> f64 {
        let a = {
            use self::other::K;
            x * K
        };
        a + x * K
    }
    check(f(1.0), f_jac(1.0), &[7.0]);
}

#[test]
fn a_renaming_use_in_a_block() {
    const K: f64 = 5.0;
    fn weight(n: usize) -> f64 {
        10.0 * n as f64
    }
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let a = {
            use self::other::{LEVEL as K, weight as double};
            x * K * double(n)
        };
        a + x * K + x * weight(n)
    }
    check(f(1.0, 1), f_jac(1.0, 1), &[6.0 + 5.0 + 10.0]);
}

#[test]
fn a_use_in_an_arm_and_in_a_closure() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: f64) -> f64 {
        let scaled = |v: f64| {
            use self::other::K;
            v * K
        };
        let a = if x > 1.0 {
            use self::other::LEVEL as K;
            x * K
        } else {
            x * K
        };
        scaled(a) + x * K
    }
    check(f(2.0), f_jac(2.0), &[11.0]);
    check(f(0.5), f_jac(0.5), &[15.0]);
}

#[test]
fn a_use_in_the_body_of_a_loop() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: [f64; 2]) -> f64 {
        let mut s = 0.0;
        for v in x {
            use self::other::K;
            s += v * K;
        }
        s * K
    }
    check(f([1.0, 2.0]), f_jac([1.0, 2.0]), &[10.0, 10.0]);
}

#[test]
fn a_static_of_the_function_and_one_of_a_block() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        static LEVEL: f64 = 5.0;
        let a = {
            static LEVEL: f64 = 2.0;
            x * LEVEL
        };
        a + x * LEVEL
    }
    check(f(1.0), f_jac(1.0), &[7.0]);
}

#[test]
fn a_function_of_passive_values_in_the_function_and_one_in_a_block() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        fn weight(n: usize) -> f64 {
            5.0 * n as f64
        }
        let a = {
            fn weight(n: usize) -> f64 {
                2.0 * n as f64
            }
            x * weight(n)
        };
        a + x * weight(n)
    }
    check(f(1.0, 1), f_jac(1.0, 1), &[7.0]);
}

#[test]
fn a_function_that_uses_a_constant_of_the_function() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        const K: f64 = 5.0;
        fn weight(n: usize) -> f64 {
            K * n as f64
        }
        let a = {
            const K: f64 = 2.0;
            x * weight(n) * K
        };
        a + x * K
    }
    check(f(1.0, 1), f_jac(1.0, 1), &[15.0]);
}

#[test]
fn types_of_passive_values() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        enum Law {
            Linear,
            Scaled(f64),
        }
        type Table = [f64; 2];
        let law = if data.len() > 1 { Law::Scaled(data[1]) } else { Law::Linear };
        let table: Table = [2.0, 3.0];
        match law {
            Law::Linear => x * table[0],
            Law::Scaled(by) => x * by * table[1],
        }
    }
    check(f(1.0, &[5.0]), f_jac(1.0, &[5.0]), &[2.0]);
    check(f(1.0, &[5.0, 7.0]), f_jac(1.0, &[5.0, 7.0]), &[21.0]);
}

#[test]
fn a_function_of_active_values() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        const K: f64 = 3.0;
        fn square(t: f64) -> f64 {
            scaled(t * t)
        }
        fn scaled(t: f64) -> f64 {
            K * t
        }
        let a = {
            const K: f64 = 2.0;
            fn square(t: f64) -> f64 {
                K * t
            }
            square(y)
        };
        square(x) + a
    }
    check(f(2.0, 1.0), f_jac(2.0, 1.0), &[12.0, 2.0]);
}

#[test]
fn functions_of_passive_values_that_call_each_other() {
    #[jacobian]
    fn f(x: f64, n: u32) -> f64 {
        fn even(n: u32) -> bool {
            n == 0 || odd(n - 1)
        }
        fn odd(n: u32) -> bool {
            n != 0 && even(n - 1)
        }
        let a = {
            fn even(n: u32) -> bool {
                n > 4
            }
            if even(n) { x } else { 2.0 * x }
        };
        if odd(n) { a } else { a * a }
    }
    check(f(3.0, 5), f_jac(3.0, 5), &[1.0]);
    check(f(3.0, 2), f_jac(3.0, 2), &[24.0]);
}

#[test]
fn a_type_with_methods_and_a_trait() {
    #[jacobian(wrt(x))]
    fn f(x: f64, gain: f64) -> f64 {
        trait Scale {
            fn scale(&self) -> f64;
        }
        struct Gain {
            by: f64,
        }
        impl Gain {
            fn new(by: f64) -> Self {
                Gain { by }
            }
        }
        impl Scale for Gain {
            fn scale(&self) -> f64 {
                2.0 * self.by
            }
        }
        let gain = Gain::new(gain);
        x * x * gain.scale()
    }
    check(f(3.0, 0.5), f_jac(3.0, 0.5), &[6.0]);
}

#[test]
fn items_of_a_helper() {
    #[jacobian]
    mod laws {
        const K: f64 = 100.0;

        fn helper(x: f64, n: usize) -> f64 {
            const K: f64 = 2.0;
            static TABLE: [f64; 2] = [3.0, 5.0];
            fn weight(n: usize) -> f64 {
                K * TABLE[n]
            }
            x * weight(n)
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            fn weight(n: usize) -> f64 {
                K * n as f64
            }
            helper(x, n) + x * weight(n) + helper(x, 0)
        }
    }
    check(laws::f(1.0, 1), laws::f_jac(1.0, 1), &[116.0]);
}
