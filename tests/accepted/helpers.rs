//! The functions of a module that are inlined: what a name in them means does not depend on who calls them.

use jacobian::jacobian;

use crate::check;

#[test]
fn a_helper_does_not_see_a_constant_of_its_caller() {
    #[jacobian]
    mod gains {
        const K: f64 = 9.0;

        fn helper(x: f64) -> f64 {
            x * K.sqrt()
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            const K: f64 = 4.0;
            helper(x) + x * K
        }
    }
    check(gains::f(1.0), gains::f_jac(1.0), &[7.0]);
}

#[test]
fn a_caller_does_not_see_a_constant_of_a_helper() {
    #[jacobian]
    mod gains {
        const K: f64 = 9.0;

        fn helper(x: f64) -> f64 {
            const K: f64 = 4.0;
            x * K.sqrt()
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            helper(x) + x * K.sqrt()
        }
    }
    check(gains::f(1.0), gains::f_jac(1.0), &[5.0]);
}

#[test]
fn an_index_of_passive_data_by_a_constant() {
    #[jacobian]
    mod gains {
        const K: usize = first();

        const fn first() -> usize {
            0
        }

        fn helper(x: f64, data: &[f64]) -> f64 {
            x * data[K]
        }

        #[jacobian(wrt(x))]
        pub fn f(x: f64, data: &[f64]) -> f64 {
            const K: usize = first() + 1;
            helper(x, data) + x * data[K]
        }

        fn own(x: f64, data: &[f64]) -> f64 {
            const K: usize = first() + 1;
            x * data[K]
        }

        #[jacobian(wrt(x))]
        pub fn g(x: f64, data: &[f64]) -> f64 {
            own(x, data) + x * data[K]
        }
    }
    let data = [5.0, 7.0];
    check(gains::f(1.0, &data), gains::f_jac(1.0, &data), &[12.0]);
    check(gains::g(1.0, &data), gains::g_jac(1.0, &data), &[12.0]);
}

#[test]
fn constants_of_two_helpers() {
    #[jacobian]
    mod gains {
        fn first(x: f64) -> f64 {
            const K: f64 = 4.0;
            x * K.sqrt()
        }

        fn second(x: f64) -> f64 {
            const K: f64 = 9.0;
            first(x) * K.sqrt() + x * K
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            const K: f64 = 16.0;
            first(x) + second(x) + x * K.sqrt()
        }
    }
    check(gains::f(1.0), gains::f_jac(1.0), &[2.0 + (6.0 + 9.0) + 4.0]);
}

#[test]
fn a_helper_does_not_see_a_constant_of_a_block_of_its_caller() {
    #[jacobian]
    mod gains {
        static LEVEL: f64 = 9.0;

        fn helper(x: f64) -> f64 {
            x * LEVEL
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            let a = {
                const LEVEL: f64 = 4.0;
                helper(x) + x * LEVEL
            };
            a + helper(x)
        }
    }
    check(gains::f(1.0), gains::f_jac(1.0), &[22.0]);
}

#[test]
fn a_helper_in_an_arm_whose_caller_has_a_constant() {
    #[jacobian]
    mod gains {
        const K: f64 = 9.0;

        fn helper(x: f64) -> f64 {
            x * K.sqrt()
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            const K: f64 = 4.0;
            if x > 1.0 { helper(x) } else { x * K.sqrt() }
        }
    }
    check(gains::f(2.0), gains::f_jac(2.0), &[3.0]);
    check(gains::f(0.5), gains::f_jac(0.5), &[2.0]);
}

#[test]
fn constants_that_depend_on_others_of_their_names() {
    #[jacobian]
    mod gains {
        const K: f64 = 9.0;
        const L: f64 = K + 7.0;

        fn helper(x: f64) -> f64 {
            const M: f64 = K * L;
            x * M.sqrt()
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            const K: f64 = 4.0;
            const L: f64 = 1.0;
            helper(x) + x * K.sqrt() * L
        }
    }
    check(gains::f(1.0), gains::f_jac(1.0), &[14.0]);
}

#[test]
fn a_constant_of_the_caller_in_the_patterns_and_lengths_of_a_helper() {
    #[jacobian]
    mod gains {
        const LIMIT: usize = 1;

        fn helper(x: f64, n: usize) -> f64 {
            let last = [x; LIMIT + 1][LIMIT];
            match n {
                LIMIT => last * 2.0,
                _ => last,
            }
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            const LIMIT: usize = 5;
            helper(x, n) + if n == LIMIT { 10.0 * x } else { 0.0 }
        }
    }
    check(gains::f(1.0, 1), gains::f_jac(1.0, 1), &[2.0]);
    check(gains::f(1.0, 5), gains::f_jac(1.0, 5), &[11.0]);
}

#[test]
fn variables_of_the_caller_named_like_functions_of_the_module() {
    #[jacobian]
    mod gains {
        fn weight(n: usize) -> f64 {
            2.0 * n as f64
        }

        fn helper(x: f64, n: usize) -> f64 {
            let scale = weight(n);
            x * scale
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            let weight = |v: f64| v * 3.0;
            let scale = n as f64;
            helper(weight(x), n) * scale
        }

        #[jacobian(wrt(x))]
        pub fn g(x: f64, weight: f64, n: usize) -> f64 {
            helper(x, n) * weight
        }
    }
    check(gains::f(1.0, 2), gains::f_jac(1.0, 2), &[24.0]);
    check(gains::g(1.0, 5.0, 2), gains::g_jac(1.0, 5.0, 2), &[20.0]);
}

#[test]
fn a_helper_that_is_called_through_its_jacobian() {
    #[jacobian]
    mod gains {
        const K: f64 = 9.0;

        fn helper(x: f64) -> f64 {
            let mut y = x * K.sqrt();
            for _ in 0..300 {
                y = y * 0.5 + x * K.sqrt() * 0.5;
            }
            y
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            const K: f64 = 4.0;
            helper(x) + x * K.sqrt()
        }
    }
    check(gains::f(1.0), gains::f_jac(1.0), &[5.0]);
}

#[test]
fn a_helper_that_returns_early_or_assigns_what_its_caller_has_too() {
    #[jacobian]
    mod gains {
        fn helper(mut x: f64, n: usize) -> f64 {
            let mut n = n + 1;
            if n > 2 {
                return x * n as f64;
            }
            n *= 2;
            x *= x;
            x * n as f64
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            let y = helper(x, n);
            y + x * n as f64
        }
    }
    check(gains::f(2.0, 5), gains::f_jac(2.0, 5), &[11.0]);
    check(gains::f(2.0, 1), gains::f_jac(2.0, 1), &[17.0]);
}

#[test]
fn macros_of_the_module_in_a_helper() {
    #[jacobian]
    mod gains {
        const LIMIT: usize = 3;

        fn helper(x: f64, n: usize) -> f64 {
            assert!(n < LIMIT, "{n} is not below {LIMIT}");
            x * n as f64
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            const LIMIT: usize = 1;
            helper(x, n) + if n > LIMIT { x } else { 0.0 }
        }
    }
    check(gains::f(1.0, 2), gains::f_jac(1.0, 2), &[3.0]);
}
