//! A crate without the standard library: its floats have the functions of libm, or those of num-traits, which come from
//! libm, too. The features of its dependencies are its own, not those that the other tests turn on.

mod scratch_crate;

use scratch_crate::{ScratchCrate, printed};

const DEPENDENCIES: &str =
    "libm = \"0.2\"\nnum-traits = { version = \"0.2\", default-features = false, features = [\"libm\"] }\n";

/// The functions.
const LIBRARY: &str = r#"
#![no_std]
#![forbid(unsafe_code)]
#![deny(warnings)]

use jacobian::jacobian;

pub mod by_libm {
    use super::*;

    #[jacobian]
    pub fn polar(r: f64, t: f64) -> [f64; 2] {
        [r * libm::cos(t), r * libm::sin(t)]
    }

    #[jacobian]
    pub fn special(x: f64) -> f64 {
        libm::lgamma(x) * libm::erf(x) + libm::j1(x)
    }

    #[jacobian]
    pub fn special_of_single_precision(x: f32) -> f32 {
        libm::lgammaf(x) * libm::erff(x) + libm::j1f(x)
    }
}

pub mod by_num_traits {
    use super::*;
    use num_traits::Float;

    #[jacobian]
    pub fn polar(r: f64, t: f64) -> [f64; 2] {
        let (s, c) = t.sin_cos();
        [r * c, r * s]
    }

    #[jacobian]
    pub fn of_single_precision(x: f32, y: f32) -> f32 {
        y.atan2(x) + x.hypot(y).ln() * f32::sqrt(x)
    }

    #[jacobian]
    pub fn of_any_float<T: Float>(x: &[T; 2], y: &mut [T; 2]) {
        y[0] = x[0].powf(x[1]);
        y[1] = (T::from(0.1).unwrap() * x[1]).tanh();
    }
}

/// The derivative has products and sums to fuse, for which floats have a method of std, and one of the trait.
pub mod fused {
    use super::*;
    use num_traits::Float;

    #[jacobian]
    pub fn with_trait(x: &[f64; 3]) -> [f64; 2] {
        let (a, b) = (x[0] * x[1] + x[2], x[1] * x[2] - x[0]);
        [Float::sqrt(a * b) * x[0] + b * b * x[2], a * a * a - b * x[1]]
    }

    pub mod without_trait {
        use super::super::*;

        #[jacobian]
        pub fn f(x: &[f32; 3]) -> [f32; 2] {
            let (a, b) = (x[0] * x[1] + x[2], x[1] * x[2] - x[0]);
            [a * b * x[0] + b * b * x[2], a * a * a - b * x[1]]
        }
    }

    pub mod with_another_trait {
        use super::super::*;

        trait MulAdd {
            fn mul_add(self, other: f64, unlike: f64) -> f64;
        }

        impl MulAdd for f64 {
            fn mul_add(self, other: f64, unlike: f64) -> f64 {
                self + other * unlike
            }
        }

        #[jacobian]
        pub fn f(x: &[f64; 3]) -> [f64; 2] {
            let (a, b) = (x[0] * x[1] + x[2], x[1] * x[2] - x[0]);
            [a * b * x[0] + b * b * x[2], a * a * a - b * x[1]]
        }

        pub fn unlike() -> f64 {
            2.0.mul_add(3.0, 4.0)
        }
    }
}

pub mod by_paths {
    use super::*;

    #[jacobian]
    pub fn polar(r: f64, t: f64) -> [f64; 2] {
        [r * num_traits::Float::cos(t), r * <f64 as num_traits::Float>::sin(t)]
    }

    #[jacobian]
    pub fn without_libm<T: num_traits::float::FloatCore>(x: T, n: i32) -> T {
        x.powi(n) * x.abs() / x.max(T::one())
    }
}
"#;

/// What is expected of them.
const TEST: &str = r#"
use functions_without_std::{by_libm, by_num_traits, by_paths, fused};

#[test]
fn values_and_jacobians() {
    for i in -400..400 {
        let (r, t) = (0.1 * i as f64, 0.37 * i as f64 + 1e-9);
        let (value, jacobian) = by_libm::polar_jac(r, t);
        assert_eq!(value, by_libm::polar(r, t));
        assert_eq!(jacobian, [[libm::cos(t), -value[1]], [libm::sin(t), value[0]]]);
        for (own, other, f) in [
            (by_num_traits::polar_jac(r, t), by_num_traits::polar(r, t), (value, jacobian)),
            (by_paths::polar_jac(r, t), by_paths::polar(r, t), (value, jacobian)),
        ] {
            assert_eq!(own.0.map(f64::to_bits), other.map(f64::to_bits));
            assert_eq!(own, f);
        }
    }
    let (value, [derivative]) = by_libm::special_jac(2.0);
    assert_eq!(value, by_libm::special(2.0));
    let digamma = 1.0 - 0.5772156649015329;
    let expected = digamma * libm::erf(2.0) + libm::j0(2.0) - libm::j1(2.0) / 2.0;
    assert!((derivative - expected).abs() < 1e-15, "{derivative}");
    let (value, [derivative]) = by_libm::special_of_single_precision_jac(2.0);
    assert_eq!(value, by_libm::special_of_single_precision(2.0));
    assert!((f64::from(derivative) - expected).abs() < 1e-6, "{derivative}");
    let (value, [dx, dy]) = by_num_traits::of_single_precision_jac(3.0, 4.0);
    assert_eq!(value, by_num_traits::of_single_precision(3.0, 4.0));
    let root = 3.0f32.sqrt();
    assert!((dx - (-4.0 / 25.0 + 3.0 / 25.0 * root + 5.0f32.ln() / (2.0 * root))).abs() < 1e-6, "{dx}");
    assert!((dy - (3.0 / 25.0 + 4.0 / 25.0 * root)).abs() < 1e-6, "{dy}");
    let (mut y, mut own) = ([0.0; 2], [0.0; 2]);
    by_num_traits::of_any_float(&[2.0, 3.0], &mut y);
    let jacobian = by_num_traits::of_any_float_jac(&[2.0, 3.0], &mut own);
    assert_eq!(y, own);
    assert_eq!(jacobian[0], [12.0, 8.0 * libm::log(2.0)]);
    assert_eq!(by_paths::without_libm_jac(-2.0f32, 3), (by_paths::without_libm(-2.0f32, 3), [32.0]));
    let x = [2.0, 3.0, 4.0];
    let (value, jacobian) = fused::with_trait_jac(&x);
    assert_eq!(value, fused::with_trait(&x));
    for (entry, expected) in jacobian[0].into_iter().zip([-68.0, 326.0, 344.0]) {
        assert!((entry - expected).abs() < 1e-12, "{jacobian:?}");
    }
    assert_eq!(jacobian[1], [903.0, 578.0, 291.0]);
    let expected = [[60.0, 440.0, 420.0], [903.0, 578.0, 291.0]];
    assert_eq!(fused::without_trait::f_jac(&[2.0, 3.0, 4.0]), (fused::without_trait::f(&[2.0, 3.0, 4.0]), expected));
    let (value, jacobian) = fused::with_another_trait::f_jac(&x);
    assert_eq!((value, jacobian), (fused::with_another_trait::f(&x), expected.map(|row| row.map(f64::from))));
    assert_eq!(fused::with_another_trait::unlike(), 14.0);
}
"#;

#[test]
fn functions_of_libm_and_of_num_traits() {
    let scratch = ScratchCrate::new("functions-without-std", 0, DEPENDENCIES);
    scratch.write("src/lib.rs", LIBRARY);
    scratch.write("tests/values.rs", TEST);
    let check = |arguments: &[&str]| {
        let output = scratch.cargo(arguments);
        assert!(output.status.success(), "in {}: {}", scratch.directory().display(), printed(&output));
    };
    check(&["test"]);
    // Where the target has the instruction, something stands for the method of std.
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("fma") {
        check(&["test", "--target", "host-tuple", "--config", "build.rustflags = ['-C', 'target-feature=+fma']"]);
    }
}
