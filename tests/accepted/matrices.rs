//! How matrices are stored: sparse, by columns, as matrices of nalgebra; and the normal equations. Each is compared
//! with the rows of the Jacobian.

use approx::assert_abs_diff_eq;
use jacobian::jacobian;
use nalgebra::{SMatrix, Vector2};

use super::{Floats, check};

/// A dense matrix from compressed columns.
fn by_columns<const M: usize>(starts: &[usize], rows: &[usize], entries: &[f64]) -> Vec<[f64; M]> {
    let dense = |ends: &[usize]| {
        let mut column = [0.0; M];
        (ends[0]..ends[1]).for_each(|at| column[rows[at]] = entries[at]);
        assert!(rows[ends[0]..ends[1]].is_sorted_by(|row, next| row < next), "the rows of a column ascend");
        column
    };
    starts.windows(2).map(dense).collect()
}

/// The rows of a matrix by its columns.
fn transposed<const M: usize>(columns: &[[f64; M]]) -> Vec<f64> {
    (0..M).flat_map(|row| columns.iter().map(move |column| column[row])).collect()
}

#[jacobian(forms(jac, jac_sparse, jac_sparse_into, jac_only_sparse), wrt(x, k))]
fn banded(x: &[f64; 6], k: f64, on: bool) -> [f64; 5] {
    let mut y = [0.0; 5];
    for i in 0..4 {
        y[i] = x[i] * x[i + 1] - k * x[i + 2].sin();
    }
    y[2] = if on { x[5].exp() } else { y[2] };
    y
}

#[test]
fn sparse_entries_are_those_of_the_jacobian() {
    const PATTERN: ([usize; 8], [usize; 17]) = banded_jac_pattern();
    let (starts, rows) = PATTERN;
    assert_eq!(starts, [0, 1, 3, 6, 9, 11, 13, 17]);
    assert_eq!(PATTERN, banded_jac_only_pattern());
    let x = [0.5, -1.5, 2.0, 3.0, 0.25, -0.75];
    for on in [false, true] {
        let (value, jacobian) = banded_jac(&x, 0.3, on);
        let (own, entries) = banded_jac_sparse(&x, 0.3, on);
        let dense = transposed(&by_columns::<5>(&starts, &rows, &entries));
        check(own, (value, jacobian), &dense);
        assert_eq!(banded_jac_only_sparse(&x, 0.3, on), entries);
        let mut written = ([0.0; 5], [0.0; 17]);
        banded_jac_sparse_into(&x, 0.3, on, &mut written.0, &mut written.1);
        assert_eq!(written, (own, entries));
    }
}

#[jacobian(forms(jac, jac_sparse), layout = "csr", wrt(b, a))]
fn few(a: [f64; 2], b: f64, c: f64) -> ([f64; 3], f64) {
    ([a[0] * c, 2.0, b], a[0] * b)
}

#[test]
fn rows_can_be_compressed_instead() {
    let (starts, columns) = few_jac_pattern();
    assert_eq!((starts, columns), ([0, 1, 1, 2, 4], [1, 0, 0, 1]));
    let (value, entries) = few_jac_sparse([2.0, 3.0], 5.0, 7.0);
    assert_eq!((value, entries), (([14.0, 2.0, 5.0], 10.0), [7.0, 1.0, 2.0, 5.0]));
    assert_eq!(few_jac([2.0, 3.0], 5.0, 7.0).1, [[0.0, 7.0, 0.0], [0.0; 3], [1.0, 0.0, 0.0], [2.0, 5.0, 0.0]]);
}

/// A Jacobian of 250,000 entries, of which 1,498 are not zero.
#[jacobian(forms(jac_sparse))]
fn heat(u: &[f64; 500]) -> [f64; 500] {
    core::array::from_fn(|i| match i {
        0 => u[1] - 2.0 * u[0] * u[0],
        499 => u[498] - 2.0 * u[499] * u[499],
        _ => u[i - 1] - 2.0 * u[i] * u[i] + u[i + 1],
    })
}

#[test]
fn a_large_one_is_never_dense() {
    let u: [f64; 500] = core::array::from_fn(|i| i as f64 / 100.0);
    let (starts, rows) = heat_jac_pattern();
    let (value, entries) = heat_jac_sparse(&u);
    assert_eq!((starts.len(), rows.len(), entries.len()), (501, 1498, 1498));
    assert_eq!(value[..3], heat(&u)[..3]);
    for column in 0..500 {
        for at in starts[column]..starts[column + 1] {
            assert_eq!(entries[at], if rows[at] == column { -4.0 * u[column] } else { 1.0 });
        }
    }
}

#[jacobian(forms(hess, hess_sparse, normal, normal_sparse, vjp))]
fn chain(x: [f64; 4]) -> f64 {
    x[0] * x[1] + x[1].exp() * x[2] + 3.0 * x[3]
}

#[test]
fn of_a_symmetric_matrix_the_lower_triangle_is_there() {
    let x = [0.5, -1.5, 2.0, 3.0];
    let (starts, rows) = chain_hess_pattern();
    assert_eq!((starts, rows), ([0, 1, 3, 3, 3], [1, 1, 2]));
    let (value, gradient, hessian) = chain_hess(x);
    assert_eq!(chain_hess_sparse(x), (value, gradient, [hessian[1][0], hessian[1][1], hessian[2][1]]));
    let (value, product, normal) = chain_normal(x);
    let (starts, rows) = chain_normal_pattern();
    assert_eq!((value, rows.len(), starts[4]), (chain(x), 10, 10));
    assert_eq!(product, gradient.map(|entry| value * entry));
    let lower: Vec<_> = (0..4).flat_map(|column| (column..4).map(move |row| normal[row][column])).collect();
    assert_eq!(chain_normal_sparse(x), (value, product, lower.try_into().expect("ten entries")));
}

#[jacobian(forms(jac, normal, normal_into, normal_sparse), wrt(p))]
fn residuals(p: [f64; 3], t: f64, data: &[f64; 4], y: &mut [f64; 2]) -> [f64; 2] {
    y[0] = p[0] * (p[1] * t).exp() - data[0];
    y[1] = if p[1] > 0.0 { p[1] * p[2] - data[1] } else { p[2].sin() };
    [p[2] - data[2], 2.0 * p[2] - data[3]]
}

/// Sums over the rows, in any order.
fn normal<const N: usize>(residuals: &[f64], rows: &[[f64; N]]) -> ([f64; N], [[f64; N]; N]) {
    let sum = |of: &dyn Fn(usize) -> f64| (0..rows.len()).map(of).sum::<f64>();
    let product = core::array::from_fn(|column| sum(&|row| rows[row][column] * residuals[row]));
    let square = |i: usize| core::array::from_fn(|j| sum(&|row| rows[row][i] * rows[row][j]));
    (product, core::array::from_fn(square))
}

#[test]
fn normal_equations_are_products_of_the_jacobian() {
    for slope in [0.5, -0.25] {
        let (p, data) = ([1.5, slope, 2.5], [1.0, 2.0, 3.0, 4.0]);
        let mut y = [0.0; 2];
        let (value, jacobian) = residuals_jac(p, 2.0, &data, &mut y);
        let (product, square) = normal(&[value, y].concat(), &jacobian);
        let mut own = [0.0; 2];
        let (also_value, also_product, also_square) = residuals_normal(p, 2.0, &data, &mut own);
        assert_eq!((also_value, own), (value, y));
        check(value, (value, also_product), &product);
        check(value, (value, also_square), &square.floats());
        assert!((0..3).all(|i| (0..3).all(|j| also_square[i][j].to_bits() == also_square[j][i].to_bits())));
        let (mut value_too, mut product_too, mut square_too) = ([0.0; 2], [0.0; 3], [[0.0; 3]; 3]);
        residuals_normal_into(p, 2.0, &data, &mut own, &mut value_too, &mut product_too, &mut square_too);
        assert_eq!((value_too, product_too, square_too), (value, also_product, also_square));
        let (starts, rows) = residuals_normal_pattern();
        assert_eq!((starts, rows), ([0, 2, 4, 5], [0, 1, 1, 2, 2]));
        let lower = [also_square[0][0], also_square[1][0], also_square[1][1], also_square[2][1], also_square[2][2]];
        assert_eq!(residuals_normal_sparse(p, 2.0, &data, &mut own), (value, also_product, lower));
        assert_eq!(also_square[2][0], 0.0);
    }
}

#[jacobian(forms(jac, jac_into, jac_only), layout = "columns")]
fn wide(x: [f64; 3], y: &mut f64) -> [f64; 1] {
    *y = x[2] * x[0];
    [x[0] * x[1]]
}

#[test]
fn columns_are_stored_one_after_the_other() {
    let (x, mut y) = ([2.0, 3.0, 5.0], 0.0);
    let (value, columns): ([f64; 1], [[f64; 2]; 3]) = wide_jac(x, &mut y);
    assert_eq!((value, y, columns), ([6.0], 10.0, [[3.0, 5.0], [2.0, 0.0], [0.0, 2.0]]));
    assert_eq!(wide_jac_only(x, &mut y), columns);
    let mut written = ([0.0], [[0.0; 2]; 3]);
    wide_jac_into(x, &mut y, &mut written.0, &mut written.1);
    assert_eq!(written, (value, columns));
}

mod spirals {
    use jacobian::jacobian;
    use nalgebra as na;

    #[jacobian(forms(jac, jac_into, hess, normal, jvp), layout = "matrix")]
    pub fn spiral(t: na::Vector2<f64>) -> na::Vector3<f64> {
        na::Vector3::new(t.x * t.y.cos(), t.x * t.y.sin(), t.y)
    }
}

#[jacobian(forms(jac, hess), layout = "matrix")]
fn gradient<T: num_traits::Float + nalgebra::RealField>(x: T, y: T) -> T {
    x * x * y
}

#[test]
fn matrices_of_nalgebra() {
    use spirals::*;
    let (t, cotangent) = (Vector2::new(2.0, 0.5), [1.0, -1.0, 2.0]);
    let (value, jacobian): (_, SMatrix<f64, 3, 2>) = spiral_jac(t);
    let expected =
        SMatrix::from([[0.5_f64.cos(), 0.5_f64.sin(), 0.0], [-2.0 * 0.5_f64.sin(), 2.0 * 0.5_f64.cos(), 1.0]]);
    assert_abs_diff_eq!(jacobian, expected, epsilon = 1e-15);
    let mut written = (nalgebra::Vector3::zeros(), SMatrix::<f64, 3, 2>::zeros());
    spiral_jac_into(t, &mut written.0, &mut written.1);
    assert_eq!(written, (value, jacobian));
    let (_, gradient_, hessian): (_, Vector2<f64>, SMatrix<f64, 2, 2>) = spiral_hess(t, &cotangent);
    assert!((gradient_ - jacobian.transpose() * nalgebra::Vector3::from(cotangent)).norm() < 1e-14);
    assert_abs_diff_eq!(hessian[(0, 1)], -0.5_f64.sin() - 0.5_f64.cos(), epsilon = 1e-15);
    let (_, product, square) = spiral_normal(t);
    assert!((product - jacobian.transpose() * value).norm() < 1e-14);
    assert!((square - jacobian.transpose() * jacobian).norm() < 1e-14);
    let (_, along): (_, [f64; 3]) = spiral_jvp(t, &[1.0, 0.0]);
    assert_eq!(along.as_slice(), jacobian.column(0).as_slice());
    let (_, row): (f64, SMatrix<f64, 1, 2>) = gradient_jac(2.0, 3.0);
    assert_eq!(row.as_slice(), [12.0, 4.0]);
}
