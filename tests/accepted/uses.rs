//! A `use` in a function hides the items of its module, in that function and nowhere else.

#![allow(clippy::legacy_numeric_constants, reason = "old code imports the module")]

use jacobian::jacobian;

use crate::{check, differences};

#[test]
fn an_imported_function_of_passive_values() {
    #[jacobian]
    mod rates {
        pub fn g(n: f64) -> f64 {
            100.0 * n
        }

        pub mod other {
            pub fn h(n: f64) -> f64 {
                2.0 * n
            }
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            use self::other::h as g;
            x * g(n as f64)
        }
    }
    assert_eq!(rates::g(1.0), 100.0);
    check(rates::f(1.0, 3), rates::f_jac(1.0, 3), &[6.0]);
}

#[test]
fn an_imported_function_that_has_a_jacobian_of_its_own() {
    #[jacobian]
    mod rates {
        pub fn g(x: f64) -> f64 {
            100.0 * x
        }

        pub mod other {
            pub fn h(x: f64) -> f64 {
                2.0 * x
            }

            pub fn h_jac(x: f64) -> (f64, [f64; 1]) {
                (h(x), [2.0])
            }
        }

        #[jacobian(with(g = self::other::h_jac))]
        pub fn f(x: f64) -> f64 {
            use self::other::h as g;
            g(x)
        }
    }
    assert_eq!(rates::g(1.0), 100.0);
    check(rates::f(1.0), rates::f_jac(1.0), &[2.0]);
}

#[test]
fn a_helper_does_not_see_the_imports_of_its_caller() {
    #[jacobian]
    mod rates {
        fn g(n: f64) -> f64 {
            100.0 * n
        }

        mod other {
            pub fn h(n: f64) -> f64 {
                2.0 * n
            }
        }

        fn helper(x: f64, n: f64) -> f64 {
            x * g(n)
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            use self::other::h as g;
            helper(x, n as f64) + x * g(n as f64)
        }
    }
    check(rates::f(1.0, 3), rates::f_jac(1.0, 3), &[306.0]);
}

#[test]
fn a_helper_does_not_see_a_static_that_its_caller_imports() {
    #[jacobian]
    mod rates {
        static LEVEL: f64 = 100.0;

        mod other {
            pub static LEVEL: f64 = 2.0;
        }

        fn helper(x: f64) -> f64 {
            x * LEVEL
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            use self::other::LEVEL;
            helper(x) + x * LEVEL
        }
    }
    check(rates::f(1.0), rates::f_jac(1.0), &[102.0]);
}

#[test]
fn a_caller_does_not_see_the_imports_of_a_helper() {
    #[jacobian]
    mod rates {
        fn g(n: f64) -> f64 {
            100.0 * n
        }

        mod other {
            pub fn h(n: f64) -> f64 {
                2.0 * n
            }
        }

        fn helper(x: f64, n: f64) -> f64 {
            use self::other::h as g;
            x * g(n)
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            helper(x, n as f64) + x * g(n as f64)
        }
    }
    check(rates::f(1.0, 3), rates::f_jac(1.0, 3), &[306.0]);
}

#[test]
fn an_imported_constant() {
    #[jacobian]
    mod rates {
        pub const K: f64 = 100.0;

        mod other {
            pub const K: f64 = 2.0;
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            use self::other::K;
            x * K
        }
    }
    assert_eq!(rates::K, 100.0);
    check(rates::f(1.0), rates::f_jac(1.0), &[2.0]);
}

#[test]
fn a_renamed_constant() {
    #[jacobian]
    mod rates {
        pub const K: f64 = 100.0;
        pub const L: f64 = 10.0;

        mod other {
            pub const FACTOR: f64 = 2.0;
            pub const OFFSET: f64 = 3.0;
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            use self::other::{FACTOR as K, OFFSET as L};
            x * K * L
        }
    }
    assert_eq!((rates::K, rates::L), (100.0, 10.0));
    check(rates::f(1.0), rates::f_jac(1.0), &[6.0]);
}

#[test]
fn constants_from_a_glob() {
    #[jacobian]
    mod rates {
        pub const K: f64 = 100.0;
        pub const N: usize = 7;

        mod other {
            pub const K: f64 = 2.0;
            pub const N: usize = 1;
        }

        #[jacobian(wrt(x))]
        pub fn f(x: f64, data: &[f64]) -> f64 {
            use self::other::*;
            x * K * data[N]
        }
    }
    assert_eq!((rates::K, rates::N), (100.0, 7));
    check(rates::f(1.0, &[3.0, 5.0]), rates::f_jac(1.0, &[3.0, 5.0]), &[10.0]);
}

#[test]
fn an_imported_table() {
    #[jacobian]
    mod rates {
        pub const TABLE: [f64; 2] = [100.0, 200.0];

        mod other {
            pub const TABLE: [f64; 2] = [2.0, 3.0];
        }

        #[jacobian]
        #[allow(clippy::needless_range_loop)]
        pub fn f(x: f64, n: usize) -> f64 {
            use self::other::TABLE;
            let mut s = x * TABLE[n];
            for i in 0..2 {
                s += x * TABLE[i];
            }
            s
        }
    }
    assert_eq!(rates::TABLE[0], 100.0);
    check(rates::f(1.0, 1), rates::f_jac(1.0, 1), &[8.0]);
}

#[test]
fn an_imported_constant_in_a_pattern() {
    #[jacobian]
    mod rates {
        pub const LIMIT: usize = 0;

        mod other {
            pub const LIMIT: usize = 2;
        }

        #[jacobian]
        pub fn f(a: [f64; 3]) -> f64 {
            use self::other::LIMIT;
            let mut s = 0.0;
            for (i, v) in a.iter().enumerate() {
                s += match i {
                    LIMIT => 10.0 * v,
                    _ => *v,
                };
                if matches!(i, ..LIMIT) {
                    s += v;
                }
            }
            s
        }
    }
    assert_eq!(rates::LIMIT, 0);
    check(rates::f([1.0, 2.0, 3.0]), rates::f_jac([1.0, 2.0, 3.0]), &[2.0, 2.0, 10.0]);
}

#[test]
fn an_imported_bound_of_a_condition() {
    #[jacobian]
    mod rates {
        pub const LIMIT: usize = 0;

        mod other {
            pub const LIMIT: usize = 2;
        }

        #[jacobian]
        pub fn f(a: [f64; 3]) -> f64 {
            use self::other::LIMIT;
            let mut s = 0.0;
            for (i, v) in a.iter().enumerate() {
                if i < LIMIT {
                    s += v;
                }
            }
            s
        }
    }
    assert_eq!(rates::LIMIT, 0);
    check(rates::f([1.0, 2.0, 3.0]), rates::f_jac([1.0, 2.0, 3.0]), &[1.0, 1.0, 0.0]);
}

#[test]
fn a_helper_does_not_see_a_constant_that_its_caller_imports() {
    #[jacobian]
    mod rates {
        pub const K: f64 = 100.0;

        mod other {
            pub const K: f64 = 2.0;
        }

        fn helper(x: f64) -> f64 {
            x * K.sqrt()
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            use self::other::K;
            helper(x) + x * K.sqrt()
        }
    }
    assert_eq!(rates::K, 100.0);
    check(rates::f(1.0), rates::f_jac(1.0), &[10.0 + 2f64.sqrt()]);
}

#[test]
fn an_import_hides_nothing_behind_a_path() {
    #[jacobian]
    mod rates {
        pub const K: f64 = 100.0;

        fn g(x: f64) -> f64 {
            x * x
        }

        mod other {
            pub const K: f64 = 2.0;

            pub fn g(n: f64) -> f64 {
                3.0 * n
            }
        }

        #[jacobian]
        pub fn f(x: f64, n: f64) -> f64 {
            use self::other::{K, g};
            self::g(x) * self::K * g(2.0) + K * n
        }
    }
    assert_eq!(rates::K, 100.0);
    check(rates::f(1.0, 0.5), rates::f_jac(1.0, 0.5), &[1200.0, 2.0]);
}

#[test]
fn a_helper_does_not_mean_what_its_caller_names_with_a_jacobian() {
    #[jacobian]
    mod rates {
        fn g(x: f64) -> f64 {
            x * x
        }

        mod other {
            pub fn h(x: f64) -> f64 {
                2.0 * x
            }

            pub fn h_jac(x: f64) -> (f64, [f64; 1]) {
                (h(x), [2.0])
            }
        }

        fn helper(x: f64) -> f64 {
            g(x)
        }

        #[jacobian(with(g = self::other::h_jac))]
        pub fn f(x: f64) -> f64 {
            use self::other::h as g;
            g(x) + helper(x)
        }
    }
    check(rates::f(3.0), rates::f_jac(3.0), &[8.0]);
}

#[test]
fn imports_that_are_evaluated_away() {
    #[jacobian]
    mod rates {
        mod other {
            pub const K: f64 = 2.0;
        }

        #[jacobian]
        pub fn f(x: [f64; 2]) -> f64 {
            use self::other::K;
            use core::array;
            let squares: [f64; 2] = array::from_fn(|i| x[i] * x[i]);
            if false { K * squares[0] } else { squares[1] }
        }
    }
    check(rates::f([1.0, 2.0]), rates::f_jac([1.0, 2.0]), &[0.0, 4.0]);
}

#[test]
fn the_path_of_an_import_in_a_helper_names_nothing_outside_of_it() {
    #[jacobian]
    mod laws {
        pub mod inner {
            pub const KEY: f64 = 3.0;
        }

        fn scaled(x: f64) -> f64 {
            use self::inner::KEY as FACTOR;
            x * FACTOR
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            const KEY: f64 = 2.0;
            let k = x * KEY.sqrt() * KEY.sqrt();
            k + scaled(x)
        }
    }
    let root = 2f64.sqrt();
    check(laws::f(3.0), laws::f_jac(3.0), &[root * root + 3.0]);
}

#[jacobian(wrt(x))]
fn of_module_of_floats(x: f64, data: &[f64]) -> f64 {
    use std::f64;
    let scale: f64 = f64::consts::E * f64::EPSILON.sqrt();
    let largest = data.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    f64::max(x, 0.5) * largest * f64::from(2_u8) + x * scale
}

#[test]
fn a_module_is_called_like_a_type() {
    differences(|[x]| of_module_of_floats(x, &[1.0, 3.0]), |[x]| of_module_of_floats_jac(x, &[1.0, 3.0]), [0.7]);
}
