//! The Jacobian as a linear map of few numbers, `forms(lin)`: its products are those of the Jacobian.

use approx::assert_abs_diff_eq;
use jacobian::jacobian;
use num_traits::Float;

use super::{Floats, check};

/// The products of the labels are those with the Jacobian, and the value is the function's own.
macro_rules! products {
    ($jac:expr, $lin:expr, $jvp:ident, $vjp:ident, $tangent:expr, $cotangent:expr) => {{
        let ((value, jacobian), (own, labels)) = ($jac, $lin);
        let (tangent, cotangent) = ($tangent.floats(), $cotangent.floats());
        let entries = jacobian.floats();
        let rows: Vec<_> = entries.chunks(tangent.len()).collect();
        let along = rows.iter().map(|row| row.iter().zip(&tangent).map(|(entry, factor)| entry * factor).sum());
        check(value, (own, $jvp(&labels, &$tangent)), &along.collect::<Vec<f64>>());
        let column = |column: usize| rows.iter().zip(&cotangent).map(|(row, factor)| row[column] * factor).sum();
        check(value, (own, $vjp(&labels, &$cotangent)), &(0..tangent.len()).map(column).collect::<Vec<f64>>());
        labels.len()
    }};
}

/// An outer product: 64 entries.
#[jacobian(forms(jac, lin))]
fn outer(x: &[f64; 8], c: &[f64; 8]) -> [f64; 8] {
    let mut r = 0.0;
    for i in 0..8 {
        r += x[i].powi(3) * c[i];
    }
    core::array::from_fn(|i| (r * (i as f64 + 0.5)).sin())
}

#[jacobian(forms(jac, lin), wrt(x))]
fn rank_one_update(x: &[f64; 8], c: &[f64; 8]) -> [f64; 8] {
    let mut r = 0.0;
    for value in x {
        r += value * value;
    }
    core::array::from_fn(|i| x[i].sin() + c[i] * r)
}

#[jacobian(forms(jac, lin), wrt(x))]
fn through_one_number(x: &[f64; 8], k: f64) -> [f64; 8] {
    let mut p = k;
    for value in x {
        p *= value;
    }
    core::array::from_fn(|i| (p + i as f64).sqrt())
}

#[test]
fn scarce_jacobians_have_few_labels() {
    let x: [f64; 8] = core::array::from_fn(|i| 1.0 + i as f64 / 8.0);
    let (c, tangent) = (x.map(f64::exp), x.map(f64::sin));
    let both: [f64; 16] = core::array::from_fn(|i| if i < 8 { tangent[i] } else { 0.25 });
    let cotangent = x.map(f64::cos);
    let count = products!(outer_jac(&x, &c), outer_lin(&x, &c), outer_lin_jvp, outer_lin_vjp, both, cotangent);
    assert_eq!(count, 24, "16 to the sum, 8 from it: not 128");
    let (jac, lin) = (rank_one_update_jac(&x, &c), rank_one_update_lin(&x, &c));
    let count = products!(jac, lin, rank_one_update_lin_jvp, rank_one_update_lin_vjp, tangent, cotangent);
    assert_eq!(count, 24, "twice x, c and the diagonal: not 64");
    let (jac, lin) = (through_one_number_jac(&x, 0.5), through_one_number_lin(&x, 0.5));
    let count = products!(jac, lin, through_one_number_lin_jvp, through_one_number_lin_vjp, tangent, cotangent);
    assert_eq!(count, 16, "8 to the product, 8 from it: not 64");
}

#[jacobian(forms(jac, lin, lin_jvp_into, lin_into))]
fn branched(x: f64, y: f64, out: &mut [f64; 2]) -> f64 {
    out[1] = 2.0 * x;
    out[0] = if x > y { x * y } else { (x - y).sin() };
    3.0
}

#[test]
fn branches_and_constants() {
    for (x, y) in [(1.5, 0.5), (0.5, 1.5)] {
        let (mut out, mut own) = ([0.0; 2], [0.0; 2]);
        let (value, rows) = branched_jac(x, y, &mut out);
        let (also, labels) = branched_lin(x, y, &mut own);
        assert_eq!((value, out, labels.len()), (also, own, 2));
        let (tangent, cotangent) = ([0.5, -2.0], [7.0, 1.0, 3.0]);
        let along = rows.map(|row| row[0] * tangent[0] + row[1] * tangent[1]);
        let (mut written, mut labels_too) = ([f64::NAN; 3], [0.0; 2]);
        branched_lin_jvp_into(&labels, &tangent, &mut written);
        along
            .iter()
            .zip(&written)
            .for_each(|(expected, actual)| assert_abs_diff_eq!(expected, actual, epsilon = 1e-14));
        let mut value_too = 0.0;
        branched_lin_into(x, y, &mut own, &mut value_too, &mut labels_too);
        assert_eq!((value_too, labels_too), (value, labels));
        let product = branched_lin_vjp(&labels, &cotangent);
        let mut product_too = [f64::NAN; 2];
        branched_lin_vjp_into(&labels, &cotangent, &mut product_too);
        assert_eq!(product_too, product);
        let expected = |column: usize| (0..3).map(|row| rows[row][column] * cotangent[row]).sum::<f64>();
        (0..2).for_each(|column| assert_abs_diff_eq!(expected(column), product[column], epsilon = 1e-13));
    }
}

struct Model {
    k: f64,
}

impl Model {
    #[jacobian(forms(jac, lin))]
    fn energy<T>(&self, x: T, y: T, _label: &str) -> T
    where
        T: Float + From<f64>,
    {
        x * y.sin() * <T as From<f64>>::from(2.0) + x
    }

    #[jacobian(forms(lin), wrt(x))]
    fn scale<'a>(&self, x: &'a [f64; 2], names: &'a [&'a str]) -> [f64; 2] {
        [self.k * x[0] * names.len() as f64, x[1]]
    }
}

/// The products take the labels, and neither `self` nor what else the function takes.
#[test]
fn methods_and_generic_functions() {
    let model = Model { k: 3.0 };
    let (value, gradient) = model.energy_jac(2.0, 0.5, "a");
    let (own, labels) = model.energy_lin(2.0, 0.5, "b");
    assert_eq!(value, own);
    let along: f64 = Model::energy_lin_jvp(&labels, &[1.0, 0.0]);
    let weighted: [f64; 2] = Model::energy_lin_vjp(&labels, 2.0);
    assert_eq!((along, weighted), (gradient[0], gradient.map(|entry| 2.0 * entry)));
    let (_, labels) = model.scale_lin(&[1.0, 2.0], &["one", "two"]);
    assert_eq!(labels, [6.0]);
    assert_eq!(Model::scale_lin_jvp(&labels, &[0.5, 0.25]), [3.0, 0.25]);
}
