//! `into`: a second function, `f_jac_into`, writes what `f_jac` returns, bit for bit, whatever it is written over.

use jacobian::jacobian;
use nalgebra::{Matrix2, Point2, Vector3};
use num_traits::Float;

use crate::bits;

/// The value and the Jacobian of `$into`, written over numbers that must be gone, are those of `$jac` bit for bit.
macro_rules! same {
    ($jac:ident, $into:ident, ($($argument:expr),*), $value:expr, $jacobian:expr) => {{
        let (mut value, mut jacobian) = ($value, $jacobian);
        $into($($argument,)* &mut value, &mut jacobian);
        let expected = $jac($($argument),*);
        assert_eq!((bits(&value), bits(&jacobian)), (bits(&expected.0), bits(&expected.1)));
    }};
}

const OLD: f64 = f64::NAN;

#[test]
fn a_float_and_its_gradient() {
    #[jacobian(into)]
    fn f(x: f64, y: &f64) -> f64 {
        x * y.sin()
    }
    same!(f_jac, f_jac_into, (2.0, &0.5), OLD, [OLD; 2]);
    assert_eq!(f(2.0, &0.5), f_jac(2.0, &0.5).0);
}

#[test]
fn arrays_and_tuples() {
    #[jacobian(into, strategy = "reverse", name = "g")]
    fn f(x: &[f64; 2], k: f64) -> ([[f64; 2]; 2], f64, (f64, [f64; 1])) {
        ([[x[0] * x[1], x[0] / x[1]], [1.0, -x[1]]], x[0].exp(), (k, [k * x[0]]))
    }
    same!(g, g_into, (&[2.0, 0.3], 0.7), ([[OLD; 2]; 2], OLD, (OLD, [OLD])), [[OLD; 3]; 7]);
    assert_eq!(bits(&f(&[2.0, 0.3], 0.7).0), bits(&g(&[2.0, 0.3], 0.7).0.0));
}

/// Of few zeros, all are stored by rows, and many are filled first.
#[test]
fn sparse_jacobians() {
    macro_rules! of_size {
        ($n:literal) => {{
            #[jacobian(into)]
            fn f(x: [f64; $n]) -> [f64; $n] {
                let mut y = [0.0; $n];
                for i in 0..$n {
                    y[i] = x[i] * x[(i + 1) % $n] - x[i].cos();
                }
                y[3] = 5.0;
                y
            }
            let x = std::array::from_fn(|i| 0.3 + 0.1 * i as f64);
            same!(f_jac, f_jac_into, (x), [OLD; $n], [[OLD; $n]; $n]);
            assert_eq!(f(x), f_jac(x).0);
        }};
    }
    of_size!(10);
    of_size!(16);
}

/// Results of products and Hessians that do not fit into the registers are stored one by one, and those that are
/// numbers, parameters, or there before a run-time condition, at the end.
#[test]
fn products_and_hessians_with_many_results() {
    macro_rules! of_size {
        ($n:literal) => {{
            #[jacobian(forms(jvp, jvp_into, vjp, vjp_into, hess, hess_into, hvp, hvp_into))]
            fn f(x: &[f64; $n], n: usize) -> ([f64; $n], (f64, [[f64; 2]; 1])) {
                let mut y = [0.0; $n];
                let first = x[0] * x[1];
                let k = if n > 3 { 2.0 * x[2] } else { x[2].sin() };
                for i in 0..$n {
                    y[i] = x[i] * x[(i + 1) % $n] - x[i].cos();
                }
                y[3] = 5.0;
                y[4] = x[2];
                (y, (first, [[k, k * x[1]]]))
            }
            let x: [f64; $n] = std::array::from_fn(|i| 0.3 + 0.1 * i as f64);
            let w: [f64; $n + 3] = std::array::from_fn(|i| 1.0 - 0.07 * i as f64);
            let (x, w, row) = (&x, &w, [OLD; $n]);
            let (tangent, old) = (x.map(|x| x - 0.7), ([OLD; $n], (OLD, [[OLD; 2]])));
            for n in [1, 5] {
                let (mut value, mut product) = (old, [OLD; $n + 3]);
                f_jvp_into(x, n, &tangent, &mut value, &mut product);
                let expected = f_jvp(x, n, &tangent);
                assert_eq!((bits(&value), bits(&product)), (bits(&expected.0), bits(&expected.1)));
                let (mut value, mut product) = (old, row);
                f_vjp_into(x, n, w, &mut value, &mut product);
                let expected = f_vjp(x, n, w);
                assert_eq!((bits(&value), bits(&product)), (bits(&expected.0), bits(&expected.1)));
                let (mut value, mut gradient, mut hessian) = (old, row, [row; $n]);
                f_hess_into(x, n, w, &mut value, &mut gradient, &mut hessian);
                let expected = f_hess(x, n, w);
                assert_eq!((bits(&value), bits(&gradient)), (bits(&expected.0), bits(&expected.1)));
                assert_eq!(bits(&hessian), bits(&expected.2));
                let (mut value, mut gradient, mut product) = (old, row, row);
                f_hvp_into(x, n, w, &tangent, &mut value, &mut gradient, &mut product);
                let expected = f_hvp(x, n, w, &tangent);
                assert_eq!((bits(&value), bits(&gradient)), (bits(&expected.0), bits(&expected.1)));
                assert_eq!(bits(&product), bits(&expected.2));
                assert_eq!(bits(&value), bits(&f(x, n)));
            }
        }};
    }
    of_size!(6);
    of_size!(18);
    of_size!(24);
}

#[test]
fn outputs_have_no_value_beside_them() {
    #[jacobian(into)]
    fn f(x: &[f64; 2], y: &mut [f64; 2], z: &mut f64) {
        *y = [x[0] * x[1], x[1].sin()];
        *z = y[0] + y[1];
    }
    let (mut y, mut z, mut jacobian) = ([OLD; 2], OLD, [[OLD; 2]; 3]);
    f_jac_into(&[0.4, 1.7], &mut y, &mut z, &mut jacobian);
    let (mut own_y, mut own_z) = ([OLD; 2], OLD);
    assert_eq!(bits(&jacobian), bits(&f_jac(&[0.4, 1.7], &mut own_y, &mut own_z)));
    assert_eq!((bits(&y), z.to_bits()), (bits(&own_y), own_z.to_bits()));
    f(&[0.4, 1.7], &mut own_y, &mut own_z);
    assert_eq!((y, z), (own_y, own_z));
}

#[test]
fn a_value_and_an_output() {
    #[jacobian(into)]
    fn f(x: f64, y: &mut f64) -> [f64; 1] {
        *y = x.exp();
        [*y * x]
    }
    let (mut y, mut value, mut jacobian) = (OLD, [OLD], [[OLD]; 2]);
    f_jac_into(0.3, &mut y, &mut value, &mut jacobian);
    let mut own = OLD;
    assert_eq!((value, jacobian), f_jac(0.3, &mut own));
    assert_eq!(y, own);
    assert_eq!(f(0.3, &mut own), value);
}

#[test]
fn generic_floats() {
    #[jacobian(into)]
    fn f<T>(x: [T; 2], k: T) -> (T, [T; 2])
    where
        T: Float,
    {
        (x[0] * k.sqrt(), [x[1], T::one()])
    }
    same!(f_jac, f_jac_into, ([2.0, 0.5], 3.0), (OLD, [OLD; 2]), [[OLD; 3]; 3]);
    same!(f_jac, f_jac_into, ([2.0f32, 0.5], 3.0), (f32::NAN, [f32::NAN; 2]), [[f32::NAN; 3]; 3]);
    assert_eq!(f([2.0, 0.5], 3.0), f_jac([2.0, 0.5], 3.0).0);
}

#[test]
fn sparse_generic_floats() {
    #[jacobian(into)]
    fn f<T: Float>(x: &[T; 14]) -> [T; 14] {
        x.map(|x| x * x)
    }
    same!(f_jac, f_jac_into, (&[0.5; 14]), [OLD; 14], [[OLD; 14]; 14]);
    assert_eq!(f(&[0.5; 14]), [0.25; 14]);
}

#[test]
fn vectors_and_matrices() {
    #[jacobian(into)]
    fn f(v: &Vector3<f64>, m: Matrix2<f64>) -> (Matrix2<f64>, [Point2<f64>; 2]) {
        (m * v.x, [Point2::new(v.y, v.z), Point2::new(v.norm(), m[(0, 1)])])
    }
    let (v, m) = (Vector3::new(0.2, 0.5, -0.7), Matrix2::new(1.0, 2.0, 3.0, 4.0));
    let (mut value, mut jacobian) = (Default::default(), [[OLD; 7]; 8]);
    f_jac_into(&v, m, &mut value, &mut jacobian);
    let expected = f_jac(&v, m);
    assert_eq!((value, bits(&jacobian)), (expected.0, bits(&expected.1)));
    assert_eq!(f(&v, m), value);
}

#[test]
fn branches_and_passive_values() {
    #[jacobian(into, wrt(x))]
    fn f(x: [f64; 2], n: usize, next: &mut impl FnMut() -> f64) -> [f64; 2] {
        let k = next();
        if x[0] < x[1] { [x[0] * k, n as f64] } else { [x[1].powi(2), k] }
    }
    for x in [[0.3, 0.7], [0.7, 0.3]] {
        let mut calls = 0;
        let mut next = || {
            calls += 1;
            2.5
        };
        let (mut value, mut jacobian) = ([OLD; 2], [[OLD; 2]; 2]);
        f_jac_into(x, 3, &mut next, &mut value, &mut jacobian);
        assert_eq!((value, jacobian), f_jac(x, 3, &mut next));
        assert_eq!(value, f(x, 3, &mut next));
        assert_eq!(calls, 3);
    }
}

#[test]
fn names_that_are_taken() {
    #[jacobian(into)]
    fn f(value: f64, jacobian: &[f64; 2]) -> [f64; 2] {
        let value_1 = value * jacobian[0];
        [value_1, value_1 * jacobian[1]]
    }
    same!(f_jac, f_jac_into, (2.0, &[0.3, 0.9]), [OLD; 2], [[OLD; 3]; 2]);
    assert_eq!(f(2.0, &[0.3, 0.9]), f_jac(2.0, &[0.3, 0.9]).0);
}

#[test]
fn many_parameters_and_methods() {
    struct Scale(f64);
    impl Scale {
        #[jacobian(into)]
        #[allow(clippy::too_many_arguments)]
        pub fn all(&self, a: f64, b: f64, c: f64, d: f64, e: f64, g: f64) -> [f64; 1] {
            [self.0 * a * b * c * d * e * g]
        }

        #[jacobian(into)]
        const fn of(x: f64) -> [f64; 1] {
            [x * x]
        }
    }
    let (mut value, mut jacobian) = ([OLD], [[OLD; 6]]);
    Scale(2.0).all_jac_into(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, &mut value, &mut jacobian);
    assert_eq!((value, jacobian), Scale(2.0).all_jac(1.0, 2.0, 3.0, 4.0, 5.0, 6.0));
    assert_eq!(value, Scale(2.0).all(1.0, 2.0, 3.0, 4.0, 5.0, 6.0));
    const WRITTEN: ([f64; 1], [[f64; 1]; 1]) = {
        let (mut value, mut jacobian) = ([OLD], [[OLD]]);
        Scale::of_jac_into(3.0, &mut value, &mut jacobian);
        (value, jacobian)
    };
    assert_eq!(WRITTEN, ([9.0], [[6.0]]));
    assert_eq!(Scale::of_jac(3.0), (Scale::of(3.0), [[6.0]]));
}

#[jacobian(into)]
mod module {
    fn square(x: f64) -> f64 {
        x * x
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        square(x) + square(2.0)
    }

    #[jacobian(name = "raw")]
    pub fn r#fn(x: f64) -> [f64; 1] {
        [square(x)]
    }
}

#[test]
fn the_option_of_a_module_holds_for_the_marked_functions() {
    use module::{f_jac, f_jac_into, raw, raw_into};
    same!(f_jac, f_jac_into, (3.0), OLD, [OLD]);
    same!(raw, raw_into, (3.0), [OLD], [[OLD]]);
    assert_eq!((module::f(3.0), module::r#fn(3.0)), (13.0, [9.0]));
}

#[test]
fn a_long_function() {
    #[jacobian(into, strategy = "forward")]
    fn f(x: [f64; 3]) -> [f64; 3] {
        let mut y = x;
        for i in 0..400 {
            y[i % 3] = y[(i + 1) % 3] * 0.5 + y[i % 3].sin();
        }
        y
    }
    same!(f_jac, f_jac_into, ([0.3, 0.5, 0.7]), [OLD; 3], [[OLD; 3]; 3]);
    assert_eq!(f([0.3, 0.5, 0.7]), f_jac([0.3, 0.5, 0.7]).0);
}
