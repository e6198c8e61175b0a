//! Generic parameters: each hides the item of its name, in the function whose parameter it is.

use jacobian::jacobian;

use crate::check;

#[test]
fn a_const_parameter_hides_a_constant() {
    #[jacobian]
    mod sizes {
        pub const N: usize = 3;

        #[jacobian]
        pub fn f<const N: usize>(x: f64) -> f64 {
            x * N as f64
        }
    }
    assert_eq!(sizes::N, 3);
    check(sizes::f::<2>(1.0), sizes::f_jac::<2>(1.0), &[2.0]);
    check(sizes::f::<5>(1.0), sizes::f_jac::<5>(1.0), &[5.0]);
}

#[test]
fn a_const_parameter_as_an_index() {
    #[jacobian]
    mod sizes {
        pub const N: usize = 3;

        #[jacobian(wrt(x))]
        pub fn f<const N: usize>(x: f64, data: &[f64; N]) -> f64 {
            x * data[N - 1]
        }
    }
    assert_eq!(sizes::N, 3);
    check(sizes::f(1.0, &[2.0]), sizes::f_jac(1.0, &[2.0]), &[2.0]);
    let data = [2.0, 3.0, 5.0, 7.0];
    check(sizes::f(1.0, &data), sizes::f_jac(1.0, &data), &[7.0]);
}

#[test]
fn a_const_parameter_as_a_length() {
    #[jacobian]
    mod sizes {
        pub const N: usize = 3;

        #[jacobian(wrt(x))]
        pub fn f<const N: usize>(x: f64, data: &[f64; N]) -> f64 {
            let copy: [f64; N] = *data;
            let total: f64 = copy.iter().sum();
            x * total
        }
    }
    assert_eq!(sizes::N, 3);
    let data = [2.0, 3.0, 5.0, 7.0];
    check(sizes::f(1.0, &data), sizes::f_jac(1.0, &data), &[17.0]);
}

#[test]
fn a_const_parameter_in_a_condition() {
    #[jacobian]
    mod sizes {
        pub const N: usize = 3;
        pub const ON: bool = true;

        #[jacobian]
        pub fn f<const N: usize, const ON: bool>(x: f64) -> f64 {
            let y = if N > 2 { x * x } else { x };
            if ON { y } else { 2.0 * y }
        }
    }
    assert_eq!((sizes::N, sizes::ON), (3, true));
    check(sizes::f::<2, true>(3.0), sizes::f_jac::<2, true>(3.0), &[1.0]);
    check(sizes::f::<2, false>(3.0), sizes::f_jac::<2, false>(3.0), &[2.0]);
    check(sizes::f::<3, false>(3.0), sizes::f_jac::<3, false>(3.0), &[12.0]);
}

#[test]
fn a_const_parameter_as_an_exponent() {
    #[jacobian]
    mod sizes {
        pub const K: i32 = 3;

        #[jacobian]
        pub fn f<const K: i32>(x: f64) -> f64 {
            x.powi(K) * f64::from(K)
        }
    }
    assert_eq!(sizes::K, 3);
    check(sizes::f::<2>(3.0), sizes::f_jac::<2>(3.0), &[12.0]);
}

#[test]
fn a_const_parameter_of_a_helper() {
    #[jacobian]
    mod sizes {
        pub const N: usize = 3;

        fn last<const N: usize>(x: f64, data: &[f64; N]) -> f64 {
            x * data[N - 1]
        }

        #[jacobian(wrt(x))]
        pub fn f(x: f64, narrow: &[f64; 2], wide: &[f64; 4]) -> f64 {
            last(x, narrow) + last(x, wide) * N as f64
        }
    }
    let (narrow, wide) = ([2.0, 3.0], [5.0, 7.0, 11.0, 13.0]);
    check(sizes::f(1.0, &narrow, &wide), sizes::f_jac(1.0, &narrow, &wide), &[42.0]);
}

#[test]
fn a_const_parameter_that_is_given() {
    #[jacobian]
    mod sizes {
        pub const N: usize = 3;

        fn power<const N: i32>(x: f64) -> f64 {
            x.powi(N)
        }

        #[jacobian]
        pub fn f<const M: i32>(x: f64) -> f64 {
            power::<2>(x) + power::<M>(x) * N as f64
        }
    }
    check(sizes::f::<3>(2.0), sizes::f_jac::<3>(2.0), &[4.0 + 36.0]);
}

#[test]
fn a_type_parameter_of_a_helper_hides_a_type() {
    #[jacobian]
    mod scales {
        pub trait Scale {
            fn scale() -> f64;
        }

        pub struct T;

        impl Scale for T {
            fn scale() -> f64 {
                100.0
            }
        }

        pub struct Double;

        impl Scale for Double {
            fn scale() -> f64 {
                2.0
            }
        }

        fn helper<T: Scale>(x: f64, _: &T) -> f64 {
            x * T::scale()
        }

        #[jacobian]
        pub fn f(x: f64, double: &Double) -> f64 {
            helper(x, double) + x * T::scale()
        }
    }
    check(scales::f(1.0, &scales::Double), scales::f_jac(1.0, &scales::Double), &[102.0]);
}

#[test]
fn a_type_parameter_of_a_helper_is_not_that_of_its_caller() {
    #[jacobian]
    mod scales {
        pub trait Scale {
            fn scale() -> f64;
        }

        pub struct Triple;

        impl Scale for Triple {
            fn scale() -> f64 {
                3.0
            }
        }

        pub struct Double;

        impl Scale for Double {
            fn scale() -> f64 {
                2.0
            }
        }

        fn helper<T: Scale>(x: f64, _: &T) -> f64 {
            x * T::scale()
        }

        #[jacobian]
        pub fn f<T: Scale>(x: f64, double: &Double, _: &T) -> f64 {
            helper(x, double) + x * x * T::scale()
        }
    }
    use scales::{Double, Triple};
    check(scales::f(1.0, &Double, &Triple), scales::f_jac(1.0, &Double, &Triple), &[8.0]);
}

#[test]
fn a_type_parameter_hides_a_type() {
    #[jacobian]
    mod scales {
        pub trait Scale {
            const SCALE: f64;
        }

        pub struct T;

        impl Scale for T {
            const SCALE: f64 = 100.0;
        }

        pub struct Double;

        impl Scale for Double {
            const SCALE: f64 = 2.0;
        }

        #[jacobian]
        pub fn f<T: Scale>(x: f64, _: &T) -> f64 {
            x * T::SCALE
        }
    }
    check(scales::f(1.0, &scales::Double), scales::f_jac(1.0, &scales::Double), &[2.0]);
    check(scales::f(1.0, &scales::T), scales::f_jac(1.0, &scales::T), &[100.0]);
}

#[test]
fn a_type_parameter_and_a_constant_of_one_name() {
    #[jacobian]
    mod scales {
        const T: f64 = 2.0;

        #[jacobian]
        pub fn f<T: Copy + Into<f64>>(x: f64, y: T) -> f64 {
            let y: f64 = y.into();
            x * T * y
        }
    }
    check(scales::f(1.0, 3f32), scales::f_jac(1.0, 3f32), &[6.0]);
}

#[test]
#[allow(non_camel_case_types, clippy::builtin_type_shadow)]
fn a_type_parameter_called_like_an_integer() {
    #[jacobian]
    fn f<u8: Copy + Into<i32>>(x: f64, y: u8) -> f64 {
        x * f64::from(y.into())
    }
    check(f(1.0, 3i16), f_jac(1.0, 3i16), &[3.0]);
}

#[test]
fn parameters_of_a_helper_that_its_arguments_tell() {
    #[jacobian]
    mod sizes {
        fn sum<T: Copy + core::ops::Mul<Output = T>, const N: usize>(a: [T; N], by: T) -> [T; N] {
            let mut scaled = a;
            for i in 0..N {
                let last: T = a[N - 1 - i];
                scaled[i] = last * by;
            }
            scaled
        }

        #[jacobian]
        pub fn f(a: [f64; 2], by: f64) -> [f64; 2] {
            sum(a, by)
        }
    }
    check(sizes::f([1.0, 2.0], 3.0), sizes::f_jac([1.0, 2.0], 3.0), &[0.0, 3.0, 2.0, 3.0, 0.0, 1.0]);
}
