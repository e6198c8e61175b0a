//! Functions of a type parameter: the generated function has the same parameter, and is exact for every float.

use std::ops::{Add, Div, Mul, Neg, Sub};

use approx::{assert_relative_eq, relative_eq};
use jacobian::jacobian;
use nalgebra::{ComplexField, RealField};
use num_traits::float::FloatCore;
use num_traits::real::Real;
use num_traits::{Float, FloatConst};

use crate::{Floats, bits, check};

/// The values of `f` and `f_jac` for f64 and for f32 are the same bit for bit; the Jacobians are those that are
/// expected.
macro_rules! check_both {
    ($f:ident, $jac:ident($($argument:expr),*), $expected:expr) => {{
        check($f($($argument),*), $jac($($argument),*), &$expected);
        let (value, (own, jacobian)) = ($f($(single($argument)),*), $jac($(single($argument)),*));
        assert_eq!(bits(&value), bits(&own));
        for (entry, expected) in jacobian.floats().into_iter().zip($expected) {
            assert_relative_eq!(entry, expected, epsilon = 1e-6, max_relative = 1e-6);
        }
    }};
}

/// The same numbers in single precision.
trait Single {
    type Of;
    fn of(self) -> Self::Of;
}

impl Single for f64 {
    type Of = f32;
    fn of(self) -> f32 {
        self as f32
    }
}

impl Single for i32 {
    type Of = i32;
    fn of(self) -> i32 {
        self
    }
}

impl<const N: usize> Single for [f64; N] {
    type Of = [f32; N];
    fn of(self) -> [f32; N] {
        self.map(|x| x as f32)
    }
}

fn single<S: Single>(argument: S) -> S::Of {
    argument.of()
}

#[test]
fn constants_and_methods() {
    #[jacobian]
    fn f<T: Float>(x: [T; 3], k: T) -> [T; 2] {
        let two = T::from(2.0).unwrap();
        let [a, b, c] = x;
        [two * a.sin() + T::from(3.0).unwrap() * b * T::one(), (c * k - T::zero()).sqrt() / two]
    }
    check_both!(f, f_jac([0.5, 2.0, 3.0], 12.0), [2.0 * 0.5f64.cos(), 3.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.125]);
}

#[test]
fn nested_arrays_references_and_where_clauses() {
    #[jacobian(strategy = "reverse")]
    fn f<'a, T>(x: &'a [[T; 2]; 2], y: &'a T, n: i32) -> (T, [[T; 1]; 2])
    where
        T: Float + FloatConst + 'a,
    {
        let [[a, b], _] = *x;
        let area = T::PI() * *y * *y;
        (a * b.powi(n), [[area * x[1][0]], [-x[1][1] % *y]])
    }
    let x = [[2.0, 3.0], [5.0, 7.0]];
    let pi = std::f64::consts::PI;
    let expected = [[9.0, 12.0, 0.0, 0.0, 0.0], [0.0, 0.0, 4.0 * pi, 0.0, 20.0 * pi], [0.0, 0.0, 0.0, -1.0, 3.0]];
    check(f(&x, &2.0, 2), f_jac(&x, &2.0, 2), &expected.concat());
    let x = x.map(single);
    assert_eq!(f_jac(&x, &2.0, 2).0, f(&x, &2.0, 2));
}

#[test]
fn forms_of_calls() {
    #[jacobian]
    fn f<T: Float>(x: T, y: T) -> [T; 6] {
        [
            T::sin(x),
            Float::exp(x),
            num_traits::Float::ln(y),
            <T as Float>::tanh(x),
            <T>::atan2(y, x),
            <T as num_traits::Float>::hypot(x, y).cos(),
        ]
    }
    let (x, y, r) = (0.75, 1.0, 1.25);
    let expected = [
        [f64::cos(x), 0.0],
        [f64::exp(x), 0.0],
        [0.0, 1.0],
        [1.0 - f64::tanh(x).powi(2), 0.0],
        [-y / r / r, x / r / r],
        [-f64::sin(r) * x / r, -f64::sin(r) * y / r],
    ];
    check_both!(f, f_jac(x, y), expected.concat());
}

#[test]
fn traits_of_a_primitive_float() {
    #[jacobian]
    fn f(x: f64) -> [f64; 4] {
        [Float::sin(x), num_traits::Float::cbrt(x), <f64 as Float>::acos(x), ComplexField::tan(x)]
    }
    let x = 0.125f64;
    check(f(x), f_jac(x), &[x.cos(), 4.0 / 3.0, -1.0 / (1.0 - x * x).sqrt(), 1.0 + x.tan().powi(2)]);
}

#[test]
fn every_function_of_num_traits() {
    #[jacobian]
    fn f<T: Float>(x: T, y: T, n: i32) -> [T; 43] {
        let (s, c) = x.sin_cos();
        let small = T::from(0.25).unwrap();
        [
            s,
            c,
            x.tan(),
            (x * small).asin(),
            (x * small).acos(),
            x.atan(),
            x.atan2(y),
            x.sinh(),
            x.cosh(),
            x.tanh(),
            x.asinh(),
            (x + y).acosh(),
            (x * small).atanh(),
            x.exp(),
            x.exp2(),
            x.exp_m1(),
            x.ln(),
            x.log2(),
            x.log10(),
            x.ln_1p(),
            x.log(y),
            x.sqrt(),
            x.cbrt(),
            x.hypot(y),
            x.powi(n),
            x.powf(y),
            x.powi(3),
            x.recip(),
            x.mul_add(y, x),
            x.to_degrees(),
            x.to_radians(),
            x.abs(),
            x.signum() * y,
            x.max(y),
            x.min(y),
            x.clamp(small, y),
            x.copysign(-y),
            x.abs_sub(y),
            x.floor() * y,
            x.ceil() * y,
            x.round() * y,
            x.trunc() * y,
            x.fract() * y,
        ]
    }
    #[jacobian(name = "of_f64")]
    #[allow(deprecated)]
    fn f_of_f64(x: f64, y: f64, n: i32) -> [f64; 43] {
        let (s, c) = x.sin_cos();
        let small = 0.25;
        [
            s,
            c,
            x.tan(),
            (x * small).asin(),
            (x * small).acos(),
            x.atan(),
            x.atan2(y),
            x.sinh(),
            x.cosh(),
            x.tanh(),
            x.asinh(),
            (x + y).acosh(),
            (x * small).atanh(),
            x.exp(),
            x.exp2(),
            x.exp_m1(),
            x.ln(),
            x.log2(),
            x.log10(),
            x.ln_1p(),
            x.log(y),
            x.sqrt(),
            x.cbrt(),
            x.hypot(y),
            x.powi(n),
            x.powf(y),
            x.powi(3),
            x.recip(),
            x.mul_add(y, x),
            x.to_degrees(),
            x.to_radians(),
            x.abs(),
            x.signum() * y,
            x.max(y),
            x.min(y),
            x.clamp(small, y),
            x.copysign(-y),
            x.abs_sub(y),
            x.floor() * y,
            x.ceil() * y,
            x.round() * y,
            x.trunc() * y,
            x.fract() * y,
        ]
    }
    for (x, y, n) in [(0.8, 1.7, 2), (2.5, 3.5, -3), (1.25, 2.0, 0), (0.375, 5.5, 1)] {
        let ((generic, of_generic), (own, of_own)) = (f_jac(x, y, n), of_f64(x, y, n));
        assert_eq!(bits(&f(x, y, n)), bits(&generic));
        assert_eq!(bits(&f_of_f64(x, y, n)), bits(&own));
        let (of_generic, of_own) = (of_generic.floats(), of_own.floats());
        for (index, (generic, own)) in of_generic.into_iter().zip(of_own).enumerate() {
            let is_near = relative_eq!(generic, own, epsilon = 0.0, max_relative = 1e-14);
            assert!(is_near, "entry {index}: {generic}, not {own}");
        }
        let single = f_jac(x as f32, y as f32, n).0;
        assert_eq!(bits(&f(x as f32, y as f32, n)), bits(&single));
    }
}

#[test]
fn floats_without_a_library() {
    #[jacobian]
    fn f<T: FloatCore>(x: T, y: T, n: i32) -> [T; 4] {
        [x.powi(n) * y.abs(), x.max(y).recip(), T::to_radians(x), FloatCore::fract(y) * FloatCore::signum(x)]
    }
    let degree = std::f64::consts::PI / 180.0;
    check_both!(f, f_jac(3.0, -2.5, 2), [15.0, -9.0, -1.0 / 9.0, 0.0, degree, 0.0, 0.0, 1.0]);
}

#[test]
fn real_numbers() {
    #[jacobian]
    fn f<T: Real>(x: T, y: T) -> T {
        x.asinh() * y.exp2()
    }
    let ln_2 = std::f64::consts::LN_2;
    check_both!(f, f_jac(0.75, 2.0), [4.0 / 1.25, 0.75f64.asinh() * 4.0 * ln_2]);
}

#[test]
fn fields_of_nalgebra() {
    #[jacobian]
    fn f<T: RealField + Copy>(x: T, y: T, n: i32) -> [T; 5] {
        let third: T = nalgebra::convert(1.0 / 3.0);
        let half = T::from_f64(0.5).unwrap();
        [
            x.sin() * third + y * nalgebra::convert(2.0) + T::pi(),
            RealField::atan2(y, x),
            ComplexField::powi(x, n) * half,
            x.max(y) - x.abs() * y.signum(),
            nalgebra::ComplexField::ln_1p(y) + x.copysign(y),
        ]
    }
    let (x, y) = (0.75, 1.0);
    let expected = [[f64::cos(x) / 3.0, 2.0], [-y / 1.5625, x / 1.5625], [1.5 * x * x, 0.0], [-1.0, 1.0], [1.0, 0.5]];
    check_both!(f, f_jac(x, y, 3), expected.concat());
}

#[test]
fn complex_numbers_are_differentiated_as_such() {
    type Complex = nalgebra::Complex<f64>;
    #[jacobian]
    fn f<T: ComplexField + Copy>(z: T, w: T) -> [T; 2] {
        [z.sin() * w, (z * z + w).exp() / z]
    }
    let (z, w) = (Complex::new(0.5, -0.25), Complex::new(1.5, 2.0));
    let (value, jacobian) = f_jac(z, w);
    assert_eq!(value, f(z, w));
    let e = (z * z + w).exp();
    let expected = [[z.cos() * w, z.sin()], [e * 2.0 - e / (z * z), e / z]];
    for (entry, expected) in jacobian.as_flattened().iter().zip(expected.as_flattened()) {
        assert!((entry - expected).norm() < 1e-14 * expected.norm().max(1.0), "{entry}, not {expected}");
    }
}

/// A number of the user's.
trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn lit(value: f64) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn zero() -> Self {
        Self::lit(0.0)
    }
    fn one() -> Self {
        Self::lit(1.0)
    }
}

macro_rules! number {
    ($($float:ident)*) => {$(
        impl Number for $float {
            fn lit(value: f64) -> Self {
                value as $float
            }
            fn sin(self) -> Self {
                $float::sin(self)
            }
            fn cos(self) -> Self {
                $float::cos(self)
            }
        }
    )*};
}

number!(f64 f32);

#[test]
fn a_trait_of_the_users() {
    #[jacobian]
    fn f<T: Number>(x: T, y: T) -> [T; 3] {
        [x.sin() * T::lit(2.5) / y, Number::cos(y), x]
    }
    let (x, y) = (0.5f64, 2.0f64);
    let expected = [x.cos() * 1.25, -x.sin() * 0.625, 0.0, -y.sin(), 1.0, 0.0];
    check_both!(f, f_jac(x, y), expected);
    #[jacobian(name = "also")]
    fn g<T: Number + Float>(x: T) -> T {
        T::lit(0.25) * Float::sqrt(x)
    }
    assert_eq!(also(4.0).1, [0.0625]);
    assert_eq!(also(4.0f32).0, g(4.0f32));
}

#[test]
fn conversions_as_bounds() {
    #[jacobian]
    fn f<T>(x: T, y: T) -> [T; 2]
    where
        T: Copy + From<f64> + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T> + Neg<Output = T>,
    {
        [x * x + T::from(2.5) * y, x / y]
    }
    check(f(3.0, 2.0), f_jac(3.0, 2.0), &[6.0, 2.5, 0.5, -0.75]);
    #[jacobian(name = "root_jac")]
    fn root<T: Float + From<f32>>(x: T) -> T {
        x.sqrt() + <T as From<f32>>::from(0.5)
    }
    check(root(4.0), root_jac(4.0), &[0.25]);
    #[jacobian]
    fn g<T: Copy + From<f32> + Add<Output = T> + Mul<Output = T>>(x: T, y: T) -> T {
        x * y + T::from(0.5)
    }
    check(g(3.0, 2.0), g_jac(3.0, 2.0), &[2.0, 3.0]);
    assert_eq!(g_jac(3.0f32, 2.0), (6.5, [2.0, 3.0]));
}

#[test]
fn other_parameters_are_passive() {
    struct Model<T> {
        gain: T,
        table: [T; 2],
    }
    impl<T: Float> Model<T> {
        #[jacobian]
        fn f<S: Into<f64> + Copy>(&self, x: T, s: S, k: usize) -> T
        where
            T: Float,
        {
            let s = T::from(s.into()).unwrap();
            self.gain * x * s + self.table[k] * x
        }
    }
    let model = Model { gain: 2.0, table: [3.0, 5.0] };
    check(model.f(1.0, 0.5f32, 1), model.f_jac(1.0, 0.5f32, 1), &[6.0]);
    #[jacobian]
    fn h<S: Into<f64>>(x: f64, s: S) -> f64 {
        let s: f64 = s.into();
        x * s
    }
    check(h(2.0, 3i32), h_jac(2.0, 3i32), &[3.0]);
}

#[test]
fn outputs_of_a_type_parameter() {
    #[jacobian]
    fn f<T: Float>(x: T, y: &mut [T; 2]) {
        y[0] = x.exp();
        y[1] = T::from(0.1).unwrap();
    }
    let (mut y, mut own) = ([0.0; 2], [0.0; 2]);
    f(0.5f32, &mut y);
    assert_eq!(f_jac(0.5f32, &mut own), [[y[0]], [0.0]]);
    assert_eq!(y, own);
}

#[test]
fn a_constant_is_rounded_once_in_the_type_that_it_is_used_in() {
    #[jacobian(strategy = "forward")]
    fn f<T: Float>(x: T) -> T {
        (x.exp2() * x.to_degrees()).to_radians()
    }
    let x = 1.5f32;
    let (value, [entry]) = f_jac(x);
    assert_eq!(value, f(x));
    let expected = f_jac(1.5f64).1[0];
    let round_off = 4.0 * f64::from(f32::EPSILON);
    assert_relative_eq!(f64::from(entry), expected, epsilon = 0.0, max_relative = round_off);
}

#[test]
fn conversions_in_helpers() {
    #[jacobian]
    mod scaling {
        fn scaled<U: Into<f64> + Copy>(x: f64, u: U) -> f64 {
            x * u.into()
        }

        fn scaled_twice(x: f64, u: impl Into<f64> + Copy) -> f64 {
            let once: f64 = u.into();
            u.into() * x * once
        }

        pub struct Length(f64);

        impl Length {
            fn times<U: Into<f64>>(&self, u: U) -> f64 {
                self.0 * u.into()
            }
        }

        #[jacobian]
        pub fn f(x: f64, k: u8) -> f64 {
            scaled(x, k) + scaled(x, 3u8) + scaled_twice(x, k) + Length(x).times(k)
        }
    }
    use scaling::{f, f_jac};
    check(f(3.0, 2), f_jac(3.0, 2), &[2.0 + 3.0 + 4.0 + 2.0]);
}

#[test]
fn lengths_of_results_of_helpers() {
    #[jacobian]
    mod lengths {
        fn between<const N: usize>(a: [f64; N], b: [f64; N], t: f64) -> [f64; N] {
            core::array::from_fn(|i| a[i] * (1.0 - t) + b[i] * t)
        }

        fn outer<const M: usize, const N: usize>(a: [f64; M], b: [f64; N]) -> [[f64; N]; M] {
            core::array::from_fn(|i| core::array::from_fn(|j| a[i] * b[j]))
        }

        #[jacobian]
        pub fn f(x: f64, y: f64) -> f64 {
            let [a, b] = between([x, y], [y, 1.0], x);
            let m = outer([a, b, 2.0], [y; 2]);
            m[0][1] * m[2][0] + between::<1>([x], [y], 0.25)[0]
        }
    }
    use lengths::{f, f_jac};
    crate::differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [0.7, 1.3]);
}

/// Functions of traits from elsewhere that a float has by its bounds only.
mod by_bounds {
    use jacobian::jacobian;

    #[jacobian]
    mod inlined {
        use num_traits::Float;

        fn sigmoid<T: Float>(x: T) -> T {
            T::one() / (T::one() + (-x).exp())
        }

        fn half<T>(x: T) -> T
        where
            T: Float,
        {
            x * T::from(0.5).unwrap() + x * T::from(-2).unwrap() * T::zero()
        }

        #[jacobian]
        pub fn of_functions(x: f64) -> f64 {
            sigmoid(x) * half(x) + x.max(num_traits::Zero::zero())
        }

        #[jacobian]
        pub fn of_single(x: f32) -> f32 {
            half(x) + sigmoid(x)
        }
    }

    pub use inlined::*;
}

#[test]
fn functions_that_only_bounds_give() {
    let (value, [derivative]) = by_bounds::of_functions_jac(0.7);
    assert_eq!(value.to_bits(), by_bounds::of_functions(0.7).to_bits());
    let s = 1.0 / (1.0 + (-0.7_f64).exp());
    approx::assert_relative_eq!(derivative, s * (1.0 - s) * 0.35 + s * 0.5 + 1.0, max_relative = 1e-14);
    let (value, _) = by_bounds::of_single_jac(0.7);
    assert_eq!(value.to_bits(), by_bounds::of_single(0.7).to_bits());
}
