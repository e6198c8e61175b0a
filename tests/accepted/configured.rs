//! Items under `#[cfg]`: what is configured out is not there, for the attribute either.
//!
//! `cfg(any())` is never on, `cfg(not(any()))` always, and so is `cfg_attr(all(), ...)`.

use jacobian::jacobian;

use crate::check;

#[test]
fn two_helpers_of_one_name() {
    #[jacobian]
    mod laws {
        #[cfg(any())]
        fn g(x: f64) -> f64 {
            100.0 * x
        }

        #[cfg(not(any()))]
        fn g(x: f64) -> f64 {
            2.0 * x
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            g(x) * x
        }
    }
    check(laws::f(3.0), laws::f_jac(3.0), &[12.0]);
}

#[test]
fn a_helper_that_is_there() {
    #[jacobian]
    mod laws {
        #[cfg(not(any()))]
        fn g(x: f64) -> f64 {
            2.0 * x
        }

        #[cfg_attr(any(), cfg(any()))]
        fn h(x: f64) -> f64 {
            3.0 * x
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            g(x) * h(x)
        }
    }
    check(laws::f(3.0), laws::f_jac(3.0), &[36.0]);
}

#[test]
fn a_helper_that_is_not_there_beside_an_imported_function() {
    #[jacobian]
    mod laws {
        mod outside {
            pub fn g(x: f64) -> f64 {
                2.0 * x
            }

            pub fn g_jac(x: f64) -> (f64, [f64; 1]) {
                (g(x), [2.0])
            }
        }

        use self::outside::{g, g_jac};

        #[cfg(any())]
        fn g(x: f64) -> f64 {
            100.0 * x
        }

        #[jacobian(with(g))]
        pub fn f(x: f64) -> f64 {
            g(x) * x
        }
    }
    check(laws::f(3.0), laws::f_jac(3.0), &[12.0]);
}

#[test]
fn a_helper_of_passive_values_that_is_not_there() {
    #[jacobian]
    mod laws {
        mod outside {
            pub fn weight(n: usize) -> [f64; 2] {
                [2.0 * n as f64, 3.0]
            }
        }

        use self::outside::*;

        #[cfg(any())]
        fn weight(n: usize) -> [f64; 1] {
            [n as f64]
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            let weights = weight(n);
            x * weights[0] * weights[1]
        }
    }
    check(laws::f(3.0, 1), laws::f_jac(3.0, 1), &[6.0]);
}

#[test]
fn two_constants_of_one_name() {
    #[jacobian]
    mod laws {
        #[cfg(any())]
        const K: f64 = 100.0;
        #[cfg(not(any()))]
        const K: f64 = 2.0;
        #[cfg_attr(all(), cfg(any()))]
        const N: usize = 1;
        #[cfg_attr(all(), cfg(not(any())))]
        const N: usize = 0;

        #[jacobian]
        pub fn f(a: [f64; 2], n: usize) -> f64 {
            let scale = [5.0, 7.0][N];
            if n > N { a[0] * K * scale } else { a[1] }
        }
    }
    check(laws::f([1.0, 2.0], 1), laws::f_jac([1.0, 2.0], 1), &[10.0, 0.0]);
}

#[test]
fn a_constant_that_is_not_there_beside_an_imported_one() {
    #[jacobian]
    mod laws {
        mod outside {
            pub const K: f64 = 2.0;
            pub const L: f64 = 3.0;
        }

        use self::outside::{K, L};

        #[cfg(any())]
        const K: f64 = 100.0;
        #[cfg_attr(all(), cfg(any()))]
        const L: f64 = 100.0;

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            x * K * L
        }
    }
    check(laws::f(1.0), laws::f_jac(1.0), &[6.0]);
}

#[test]
fn a_table_that_is_not_there_beside_an_imported_one() {
    #[jacobian]
    mod laws {
        mod outside {
            pub const TABLE: [f64; 2] = [2.0, 3.0];
        }

        use self::outside::*;

        #[cfg_attr(all(), cfg(any()), doc = "Larger.")]
        const TABLE: [f64; 2] = [100.0, 200.0];

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            x * TABLE[0] + x * TABLE[1]
        }
    }
    check(laws::f(1.0), laws::f_jac(1.0), &[5.0]);
}

#[test]
fn a_constant_that_is_there() {
    #[jacobian]
    mod laws {
        #[cfg(not(any()))]
        const N: usize = 2;
        #[cfg_attr(any(), cfg(any()))]
        const K: f64 = 3.0;
        #[cfg_attr(all(), allow(dead_code))]
        const M: usize = 1;

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            x * N as f64 * K * M as f64
        }
    }
    check(laws::f(1.0), laws::f_jac(1.0), &[6.0]);
}

#[test]
fn marked_functions_of_one_name() {
    #[jacobian]
    mod laws {
        #[cfg(any())]
        #[jacobian]
        pub fn f(x: f64, y: f64) -> f64 {
            100.0 * x * y
        }

        #[cfg(not(any()))]
        #[jacobian]
        pub fn f(x: f64) -> f64 {
            x * x
        }

        #[jacobian]
        #[cfg_attr(all(), cfg(any()))]
        pub fn g(x: f64) -> f64 {
            100.0 * x
        }

        #[jacobian]
        #[cfg_attr(all(), cfg(not(any())))]
        pub fn g(x: f64) -> f64 {
            x * x * x
        }
    }
    check(laws::f(3.0), laws::f_jac(3.0), &[6.0]);
    check(laws::g(3.0), laws::g_jac(3.0), &[27.0]);
}

#[test]
fn what_is_not_there_need_not_have_a_derivative() {
    #[jacobian]
    mod laws {
        #[cfg(any())]
        #[jacobian]
        pub fn f(x: f64, y: Missing) -> f64 {
            missing(x, y)
        }

        #[cfg(not(any()))]
        #[jacobian]
        pub fn f(x: f64) -> f64 {
            x * x
        }
    }
    check(laws::f(3.0), laws::f_jac(3.0), &[6.0]);
}

#[test]
fn a_marked_function_that_is_not_there() {
    #[jacobian]
    mod laws {
        #[jacobian]
        #[cfg(any())]
        pub fn without(x: f64) -> f64 {
            x + missing(1.0)
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            x * x
        }
    }
    check(laws::f(3.0), laws::f_jac(3.0), &[6.0]);
}

#[test]
fn a_mark_under_a_condition() {
    #[jacobian]
    mod laws {
        fn square(x: f64) -> f64 {
            x * x
        }

        #[cfg_attr(all(), jacobian::jacobian)]
        pub fn f(x: f64) -> f64 {
            square(x)
        }

        #[cfg_attr(any(), jacobian::jacobian)]
        pub fn g(x: f64) -> f64 {
            square(x) + unknown(x)
        }

        fn unknown(x: f64) -> f64 {
            f64::from_bits(x.to_bits())
        }

        #[jacobian]
        pub fn h(x: f64) -> f64 {
            3.0 * square(x)
        }
    }
    assert_eq!(laws::g(1.0), 2.0);
    check(laws::f(3.0), laws::f_jac(3.0), &[6.0]);
    check(laws::h(3.0), laws::h_jac(3.0), &[18.0]);
}

#[test]
fn functions_outside_of_modules() {
    #[cfg(any())]
    #[jacobian]
    fn f(x: f64) -> f64 {
        missing(x)
    }
    #[jacobian]
    #[cfg(not(any()))]
    fn f(x: f64) -> f64 {
        x * x
    }
    #[jacobian]
    #[cfg(any())]
    fn g(x: f64, y: Missing) -> f64 {
        x * 100.0
    }
    #[jacobian]
    #[cfg_attr(any(), cfg(any()))]
    fn g(x: f64) -> f64 {
        x * x * x
    }
    check(f(3.0), f_jac(3.0), &[6.0]);
    check(g(3.0), g_jac(3.0), &[27.0]);
}

#[test]
fn a_type_that_is_not_there() {
    #[jacobian]
    mod laws {
        #[cfg(any())]
        pub struct Gain(pub f64, pub f64);
        #[cfg(not(any()))]
        pub struct Gain(pub f64);

        #[jacobian]
        pub fn f(x: f64, gain: &Gain) -> f64 {
            let Gain(by) = gain;
            x * by
        }
    }
    check(laws::f(1.0, &laws::Gain(2.0)), laws::f_jac(1.0, &laws::Gain(2.0)), &[2.0]);
}

#[test]
fn arrays_that_functions_give_which_are_not_inlined() {
    #[jacobian]
    mod tables {
        #[cfg(debug_assertions)]
        fn weights(k: f64) -> [f64; 2] {
            [k, 2.0 * k]
        }

        #[cfg(not(debug_assertions))]
        fn weights(by: f64) -> [f64; 2] {
            [by, 2.0 * by]
        }

        #[jacobian]
        pub fn weighted(x: f64, k: usize) -> f64 {
            fn shifts(k: f64) -> [f64; 2] {
                [k, k + 1.0]
            }
            let shifts = shifts(k as f64);
            let mut sum = x;
            for weight in weights(k as f64) {
                sum += x * weight;
            }
            sum + shifts.iter().map(|shift| x * shift).sum::<f64>()
        }
    }
    check(tables::weighted(2.0, 3), tables::weighted_jac(2.0, 3), &[10.0 + 7.0]);
}
