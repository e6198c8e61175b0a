//! Functions in `with(...)` whose Jacobian is stored by columns, or is a matrix of nalgebra.

use jacobian::jacobian;
use nalgebra::{Matrix2x3, SMatrix, Vector2};

use crate::differences;

#[jacobian(layout = "columns")]
fn by_columns(x: [f64; 2]) -> [f64; 2] {
    [x[0] * x[1], x[1].sin() + 3.0 * x[0]]
}

#[jacobian(layout = "columns")]
fn row_by_columns(x: [f64; 2], k: f64) -> f64 {
    x[0] * x[1] * k.exp()
}

#[jacobian(with(
    by_columns: fn([f64; 2]) -> [f64; 2] = columns(by_columns_jac),
    row_by_columns = columns(row_by_columns_jac),
))]
fn of_columns(x: [f64; 2], k: f64) -> [f64; 2] {
    let y = by_columns([x[0] * k, x[1]]);
    [y[0] * y[1] + row_by_columns(y, k), by_columns(y)[1]]
}

// The numbers of results, and so of rows, is not told.
#[jacobian(with(by_columns = columns(by_columns_jac)))]
fn of_untold_columns(x: [f64; 2]) -> f64 {
    let y: [f64; 2] = by_columns([x[1], x[0]]);
    y[0] - y[1] * x[0]
}

#[jacobian(layout = "matrix")]
fn as_matrix(x: Vector2<f64>, k: f64) -> Vector2<f64> {
    Vector2::new(x.x * x.y * k, x.y.sin() + 3.0 * x.x)
}

fn row_as_matrix(x: [f64; 2]) -> f64 {
    x[0] * x[1] * x[1]
}

/// The Jacobian by hand.
fn row_as_matrix_jac(x: [f64; 2]) -> (f64, SMatrix<f64, 1, 2>) {
    (row_as_matrix(x), SMatrix::<f64, 1, 2>::new(x[1] * x[1], 2.0 * x[0] * x[1]))
}

#[jacobian(with(as_matrix: fn(Vector2<f64>, f64) -> Vector2<f64> = matrix(as_matrix_jac)), forms(jac, jvp, vjp))]
fn of_matrix(x: Vector2<f64>) -> Vector2<f64> {
    as_matrix(x, x.y) * 2.0 + as_matrix(x * 3.0, 0.5)
}

#[jacobian(with(as_matrix = matrix(as_matrix_jac), row_as_matrix = matrix(row_as_matrix_jac)))]
fn of_untold_matrix(x: Vector2<f64>) -> f64 {
    let y: Vector2<f64> = as_matrix(x.yx(), x.x);
    y.dot(&x) + row_as_matrix([x.x, y.y])
}

#[jacobian(with(as_matrix: fn(Vector2<f64>, f64) -> Vector2<f64> = matrix(as_matrix_jac)), layout = "matrix")]
fn matrix_of_matrix(x: Vector2<f64>, k: f64) -> Vector2<f64> {
    as_matrix(x * k, k)
}

#[test]
fn jacobians_by_columns() {
    for x in [[0.7, -1.3], [2.0, 0.4]] {
        differences(
            |[x0, x1, k]: [f64; 3]| of_columns([x0, x1], k),
            |[x0, x1, k]| of_columns_jac([x0, x1], k),
            [x[0], x[1], 0.3],
        );
        differences(of_untold_columns, of_untold_columns_jac, x);
    }
}

#[test]
fn jacobians_that_are_matrices() {
    for x in [[0.7, -1.3], [2.0, 0.4]] {
        differences(|x| of_matrix(Vector2::from(x)), |x| of_matrix_jac(Vector2::from(x)), x);
        differences(|x| of_untold_matrix(Vector2::from(x)), |x| of_untold_matrix_jac(Vector2::from(x)), x);
        let (_, jacobian) = of_matrix_jac(Vector2::from(x));
        let (_, tangent) = of_matrix_jvp(Vector2::from(x), &[0.3, -0.8]);
        let (_, adjoint) = of_matrix_vjp(Vector2::from(x), &[0.3, -0.8]);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        for i in 0..2 {
            near(tangent[i], jacobian[i][0] * 0.3 - jacobian[i][1] * 0.8);
            near(adjoint[i], jacobian[0][i] * 0.3 - jacobian[1][i] * 0.8);
        }
        let (_, by_chain): (_, Matrix2x3<f64>) = matrix_of_matrix_jac(Vector2::from(x), 0.6);
        differences(
            |[x, y, k]: [f64; 3]| matrix_of_matrix(Vector2::new(x, y), k),
            |[x, y, k]| {
                let (value, _) = matrix_of_matrix_jac(Vector2::new(x, y), k);
                (value, std::array::from_fn::<_, 2, _>(|i| std::array::from_fn::<_, 3, _>(|j| by_chain[(i, j)])))
            },
            [x[0], x[1], 0.6],
        );
    }
}
