//! Functions of the catalogue where they are special. Every row is called in every form by `tests/random_functions`.

use approx::assert_abs_diff_eq;
use jacobian::jacobian;

use crate::differences;

#[test]
fn operators() {
    #[jacobian]
    fn f(x: f64, y: f64) -> [f64; 6] {
        [x + y, x - y, x * y, x / y, x % y, -x]
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [3.7, 1.2]);
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [-3.7, 1.2]);
}

#[test]
fn powi() {
    #[jacobian]
    fn f(x: f64) -> [f64; 5] {
        [x.powi(0), x.powi(1), x.powi(2), x.powi(5), x.powi(-3)]
    }
    differences(|[x]| f(x), |[x]| f_jac(x), [1.3]);
    differences(|[x]| f(x), |[x]| f_jac(x), [-0.6]);
}

#[test]
fn sin_cos() {
    #[jacobian]
    fn f(x: f64) -> (f64, f64) {
        x.sin_cos()
    }
    differences(|[x]| f(x), |[x]| f_jac(x), [1.3]);
}

#[test]
fn special_functions() {
    #[jacobian]
    fn f(x: f64) -> [f64; 9] {
        [
            libm::erf(x),
            libm::erfc(x),
            libm::exp10(x),
            libm::tgamma(x),
            libm::lgamma(x),
            libm::j0(x),
            libm::j1(x),
            libm::y0(x),
            libm::y1(x),
        ]
    }
    for x in [0.3, 1.4616, 2.3, 11.0] {
        differences(|[x]| f(x), |[x]| f_jac(x), [x]);
    }
    let (value, [[erf], [erfc], _, _, _, [j0], [j1], _, _]) = f_jac(-1e-320);
    assert_eq!(value[6], libm::j1(-1e-320));
    assert_eq!([erf, erfc, j0, j1], [std::f64::consts::FRAC_2_SQRT_PI, -erf, -value[6], 0.5]);
}

/// The derivative of the gamma function at its poles, and left of them.
#[test]
fn the_gamma_function() {
    #[jacobian]
    fn f(x: f64) -> [f64; 2] {
        [libm::tgamma(x), libm::lgamma(x)]
    }
    for x in [-0.3, -2.6, -7.1] {
        differences(|[x]| f(x), |[x]| f_jac(x), [x]);
    }
    let inf = f64::INFINITY;
    for (x, expected) in [(0.0, [[-inf], [-inf]]), (-0.0, [[-inf], [inf]]), (inf, [[inf], [inf]])] {
        assert_eq!(f_jac(x).1, expected, "{x}");
    }
    for x in [-1.0, -20.0, -1e300, -inf, f64::NAN] {
        assert!(f_jac(x).1.iter().all(|[partial]| partial.is_nan()), "{x}");
    }
}

/// The function that is brought along meets no name of the user, and is there in the arms of branches.
#[test]
fn the_gamma_function_in_branches() {
    fn digamma(x: f64) -> f64 {
        x + 1.0
    }
    #[jacobian(wrt(x, digamma))]
    fn f(x: f64, digamma: f64, n: usize) -> f64 {
        const X: f64 = 2.0;
        let numerator = n as f64;
        if x > 1.0 { libm::lgamma(X * x * digamma) * numerator } else { libm::tgamma(x) + libm::lgamma(digamma) }
    }
    assert_eq!(digamma(0.0), 1.0);
    for x in [0.4, 1.7] {
        differences(|[x, y]| f(x, y, 3), |[x, y]| f_jac(x, y, 3), [x, 0.8]);
    }
}

#[test]
fn special_functions_in_single_precision() {
    #[jacobian]
    fn f(x: f32) -> [f32; 3] {
        [libm::lgammaf(x), libm::erff(x), libm::j1f(x)]
    }
    #[jacobian]
    fn g(x: f64) -> [f64; 3] {
        [libm::lgamma(x), libm::erf(x), libm::j1(x)]
    }
    for x in [0.3f32, 1.3, 4.5] {
        let (value, jacobian) = f_jac(x);
        assert_eq!(value.map(f32::to_bits), f(x).map(f32::to_bits));
        for ([single], [double]) in jacobian.into_iter().zip(g_jac(x.into()).1) {
            assert_abs_diff_eq!(f64::from(single), double, epsilon = 1e-5 * double.abs());
        }
    }
    assert_eq!(g(0.5), g_jac(0.5).0);
}
