//! Solutions of equations, which are differentiated by their residuals: `with(solve = implicit(residual))`.

#![allow(clippy::needless_range_loop)]

use approx::assert_abs_diff_eq;
use jacobian::jacobian;

use crate::counter::Counter;
use crate::{check, differences};

/// The eccentric anomaly at the mean anomaly `m`.
fn anomaly(m: f64, e: f64) -> f64 {
    let mut a = m;
    for _ in 0..50 {
        a -= (a - e * a.sin() - m) / (1.0 - e * a.cos());
    }
    a
}

#[jacobian]
fn kepler(m: f64, e: f64, a: f64) -> f64 {
    a - e * a.sin() - m
}

#[test]
fn a_float_in_every_form() {
    #[jacobian(with(anomaly = implicit(kepler)), forms(jac, jac_only, jac_sparse, jvp, vjp, lin, normal, jac_into))]
    fn place(m: f64, e: f64) -> [f64; 2] {
        let a = anomaly(2.0 * m, e);
        [a.cos() - e, (1.0 - e * e).sqrt() * a.sin()]
    }
    let (m, e) = (0.6, 0.3);
    let a = anomaly(2.0 * m, e);
    let (by_m, by_e) = (2.0 / (1.0 - e * a.cos()), a.sin() / (1.0 - e * a.cos()));
    let minor = (1.0 - e * e).sqrt();
    let expected = [
        [-a.sin() * by_m, -a.sin() * by_e - 1.0],
        [minor * a.cos() * by_m, minor * a.cos() * by_e - e / minor * a.sin()],
    ];
    let (value, jacobian) = place_jac(m, e);
    check(place(m, e), (value, jacobian), expected.as_flattened());
    assert_eq!(jacobian, place_jac_only(m, e));
    let by_columns = [jacobian[0][0], jacobian[1][0], jacobian[0][1], jacobian[1][1]];
    assert_eq!(by_columns, place_jac_sparse(m, e).1);
    let mut written = ([0.0; 2], [[0.0; 2]; 2]);
    place_jac_into(m, e, &mut written.0, &mut written.1);
    assert_eq!(written, (value, jacobian));
    let (along, across) = (place_jvp(m, e, &[0.5, -2.0]), place_vjp(m, e, &[0.5, -2.0]));
    assert_eq!((along.0, across.0), (value, value));
    let (labels, squared) = (place_lin(m, e).1, place_normal(m, e));
    let by_labels = (place_lin_jvp(&labels, &[0.5, -2.0]), place_lin_vjp(&labels, &[0.5, -2.0]));
    for k in 0..2 {
        let tangent = 0.5 * expected[k][0] - 2.0 * expected[k][1];
        let cotangent = 0.5 * expected[0][k] - 2.0 * expected[1][k];
        for (found, expected) in [(along.1[k], tangent), (by_labels.0[k], tangent)] {
            assert_abs_diff_eq!(found, expected, epsilon = 1e-12);
        }
        for (found, expected) in [(across.1[k], cotangent), (by_labels.1[k], cotangent)] {
            assert_abs_diff_eq!(found, expected, epsilon = 1e-12);
        }
    }
    assert_eq!(squared.0, value);
}

/// The solution of a linear system, by Cramer's rule.
fn crossing(m: [[f64; 2]; 2], b: &[f64; 2], _steps: usize) -> [f64; 2] {
    let determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    [(b[0] * m[1][1] - m[0][1] * b[1]) / determinant, (m[0][0] * b[1] - b[0] * m[1][0]) / determinant]
}

#[jacobian]
fn lines(m: [[f64; 2]; 2], b: &[f64; 2], _steps: usize, y: [f64; 2]) -> [f64; 2] {
    [m[0][0] * y[0] + m[0][1] * y[1] - b[0], m[1][0] * y[0] + m[1][1] * y[1] - b[1]]
}

#[test]
fn two_equations_with_a_zero_on_the_diagonal() {
    #[jacobian(with(crossing = implicit(lines)))]
    fn f(x: [f64; 4], p: f64, steps: usize) -> [f64; 2] {
        let y: [f64; 2] = crossing([[x[0], x[1]], [p, 2.0]], &[x[2], x[3] * p], 1);
        assert!(steps > 1);
        [y[0] * x[0], y[1].exp()]
    }
    #[jacobian(with(crossing: fn([[f64; 2]; 2], &[f64; 2], usize) -> [f64; 2] = implicit(lines)))]
    fn declared(x: [f64; 5]) -> f64 {
        let [a, b] = crossing([[x[0], x[1]], [x[4], 2.0]], &[x[2], x[3] * x[4]], 1);
        a * b
    }
    for first in [0.0, 0.7, -1e-9] {
        differences(
            |[a, b, c, d, p]| f([a, b, c, d], p, 3),
            |[a, b, c, d, p]| f_jac([a, b, c, d], p, 3),
            [first, 1.5, 0.5, -0.3, 0.8],
        );
        differences(declared, declared_jac, [first, 1.5, 0.5, -0.3, 0.8]);
    }
}

#[test]
fn columns_that_are_passive() {
    #[jacobian(wrt(x), with(crossing = implicit(lines)))]
    fn f(x: f64, b: [f64; 2], m: f64) -> f64 {
        let y: [f64; 2] = crossing([[m, 1.0], [x, 0.5]], &[b[0], b[1]], 0);
        y[1]
    }
    let (b, m) = ([0.5, -2.0], 3.0);
    differences(|[x]| f(x, b, m), |[x]| f_jac(x, b, m), [0.7]);
}

/// A matrix of many zeros, none of which is on both diagonals: elimination without exchanges divides by zero.
fn weight(row: usize, column: usize) -> f64 {
    let shifted = (column + 3) % 8;
    if row == column {
        0.0
    } else if shifted == row {
        4.0
    } else {
        ((3 * row + 5 * column) % 7) as f64 * 0.125
    }
}

/// Solves `W y + y^3 = x k` by Newton's method and elimination.
fn states(x: [f64; 8], k: f64) -> [f64; 8] {
    let mut y = [0.1f64; 8];
    for _ in 0..60 {
        let mut rows = [[0.0; 9]; 8];
        for i in 0..8 {
            rows[i][8] = x[i] * k - y[i].powi(3);
            for j in 0..8 {
                rows[i][j] = weight(i, j);
                rows[i][8] -= weight(i, j) * y[j];
            }
            rows[i][i] += 3.0 * y[i] * y[i];
        }
        let step = eliminated(rows);
        for i in 0..8 {
            y[i] += step[i];
        }
    }
    y
}

fn eliminated<const N: usize, const W: usize>(mut rows: [[f64; W]; N]) -> [f64; N] {
    for k in 0..N {
        let pivot = (k..N).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs())).expect("there is a row");
        rows.swap(k, pivot);
        for i in k + 1..N {
            let factor = rows[i][k] / rows[k][k];
            for j in k..W {
                rows[i][j] -= factor * rows[k][j];
            }
        }
    }
    let mut y = [0.0; N];
    for k in (0..N).rev() {
        let sum: f64 = (k + 1..N).map(|j| rows[k][j] * y[j]).sum();
        y[k] = (rows[k][N] - sum) / rows[k][k];
    }
    y
}

#[jacobian]
fn balance(x: [f64; 8], k: f64, y: [f64; 8]) -> [f64; 8] {
    let mut g = [0.0; 8];
    for i in 0..8 {
        g[i] = y[i].powi(3) - x[i] * k;
        for j in 0..8 {
            g[i] += weight(i, j) * y[j];
        }
    }
    g
}

#[test]
fn eight_equations() {
    #[jacobian(with(states: fn([f64; 8], f64) -> [f64; 8] = implicit(balance)))]
    fn f(x: [f64; 8], k: f64) -> [f64; 8] {
        states(x, k)
    }
    let (x, k) = ([0.3, -0.2, 0.5, 0.1, -0.4, 0.25, 0.6, -0.1], 1.3);
    let (y, jacobian) = f_jac(x, k);
    assert_eq!(y, f(x, k));
    for i in 0..8 {
        assert_abs_diff_eq!(balance(x, k, y)[i], 0.0, epsilon = 1e-14);
        // (W + 3 diag(y^2)) dy/dx_j = k e_j, and x for k.
        for j in 0..9 {
            let product: f64 = (0..8).map(|l| weight(i, l) * jacobian[l][j]).sum();
            let right = if j == 8 {
                x[i]
            } else if i == j {
                k
            } else {
                0.0
            };
            let left = product + 3.0 * y[i] * y[i] * jacobian[i][j];
            assert_abs_diff_eq!(left, right, epsilon = 1e-13);
        }
    }
}

#[test]
fn twelve_equations() {
    fn scaled(x: f64) -> [f64; 12] {
        std::array::from_fn(|i| (x + i as f64).sqrt())
    }
    #[jacobian]
    fn squares(x: f64, y: [f64; 12]) -> [f64; 12] {
        let mut g = [0.0; 12];
        for i in 0..12 {
            g[11 - i] = y[i] * y[i] - x - i as f64;
        }
        g
    }
    #[jacobian(with(scaled: fn(f64) -> [f64; 12] = implicit(squares)))]
    fn f(x: f64) -> [f64; 12] {
        scaled(x)
    }
    let expected: [f64; 12] = std::array::from_fn(|i| 0.5 / (0.5 + i as f64).sqrt());
    check(f(0.5), f_jac(0.5), &expected);
}

#[test]
fn where_the_equation_is_singular_no_entry_is_finite() {
    fn root(x: f64) -> f64 {
        x.cbrt()
    }
    #[jacobian]
    fn cube(x: f64, y: f64) -> f64 {
        y * y * y - x
    }
    #[jacobian(with(root = implicit(cube)))]
    fn f(x: f64) -> f64 {
        root(x)
    }
    assert_eq!(f_jac(0.0).1, [f64::INFINITY]);
    #[jacobian(with(crossing = implicit(lines)))]
    fn g(x: [f64; 4]) -> [f64; 2] {
        let y: [f64; 2] = crossing([[x[0], x[1]], [x[2], x[3]]], &[1.0, 2.0], 0);
        y
    }
    for x in [[0.0; 4], [1.0, 2.0, 2.0, 4.0], [0.0, 1.0, 0.0, 2.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]] {
        let (_, jacobian) = g_jac(x);
        assert!(jacobian.as_flattened().iter().all(|entry| !entry.is_finite()), "{x:?}: {jacobian:?}");
    }
}

#[test]
fn floats_of_other_types() {
    fn root(x: f32) -> f32 {
        x.sqrt()
    }
    #[jacobian]
    fn square(x: f32, y: f32) -> f32 {
        y * y - x
    }
    #[jacobian(with(root = implicit(square)))]
    fn single(x: f32, k: f32) -> f32 {
        k * root(x)
    }
    assert_eq!(single_jac(4.0, 3.0), (6.0, [0.75, 2.0]));

    fn any_root<T: num_traits::Float>(x: T) -> [T; 2] {
        [x.sqrt(), -x.sqrt()]
    }
    #[jacobian]
    fn squares<T: num_traits::Float>(x: T, y: [T; 2]) -> [T; 2] {
        [y[1] * y[1] - x, y[0] * y[0] - x]
    }
    #[jacobian(with(any_root = implicit(squares)))]
    fn generic<T: num_traits::Float>(x: T, k: T) -> T {
        let y: [T; 2] = any_root(x * k);
        y[0] * k - y[1]
    }
    assert_eq!(generic_jac(4.0f32, 1.0), (4.0, [0.5, 4.0]));
    assert_eq!(generic_jac(4.0f64, 1.0), (4.0, [0.5, 4.0]));
}

#[test]
fn passive_arguments_are_evaluated_once() {
    fn solve(x: f64, data: &[f64], n: u32, k: f64) -> f64 {
        x * data[0] * f64::from(n) * k
    }
    #[jacobian(wrt(x, k, y))]
    fn equation(x: f64, data: &[f64], n: u32, k: f64, y: f64) -> f64 {
        y / data[0] - x * f64::from(n) * k
    }
    #[jacobian(wrt(x), with(solve: fn(f64, &[f64], u32, f64) -> f64 = implicit(equation)))]
    #[allow(clippy::ptr_arg)]
    fn f(x: f64, data: &Vec<f64>, counter: &Counter) -> f64 {
        let first = solve(x, &counter.list(), counter.next(), f64::from(counter.next()));
        first + solve(x * x, data, counter.next(), data[0])
    }
    let (counter, again) = (Counter::default(), Counter::default());
    let value = f(3.0, &vec![0.5], &counter);
    check(value, f_jac(3.0, &vec![0.5], &again), &[1.0 * 2.0 * 3.0 + 6.0 * 0.5 * 4.0 * 0.5]);
    assert_eq!((counter.next(), again.next()), (5, 5));
}

#[test]
fn inside_branches_and_loops() {
    #[jacobian(with(anomaly = implicit(kepler)))]
    fn orbit(m: f64, e: f64, n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            let step = m + i as f64 * 0.1;
            sum += if e < 0.5 { anomaly(step, e).cos() } else { anomaly(m, 0.4) * e };
            if sum > 2.5 {
                sum = anomaly(sum, e * 0.5);
            }
        }
        sum
    }
    for (m, e, n) in [(0.6, 0.3, 5), (0.6, 0.7, 5), (0.2, 0.1, 0), (0.3, 0.2, 12)] {
        differences(|[m, e]| orbit(m, e, n), |[m, e]| orbit_jac(m, e, n), [m, e]);
    }
}

#[jacobian(with(solve = implicit(equation), other = implicit(equation = jacobian_of_equation)))]
mod orbits {
    fn solve(m: f64, row: f64) -> f64 {
        super::anomaly(m, row)
    }

    fn other(m: f64, row: f64) -> f64 {
        super::anomaly(m, row)
    }

    #[jacobian]
    pub fn equation(m: f64, row: f64, y: f64) -> f64 {
        y - row * y.sin() - m
    }

    fn jacobian_of_equation(m: f64, row: f64, y: f64) -> (f64, [f64; 3]) {
        equation_jac(m, row, y)
    }

    fn helper(m: f64, row: f64) -> f64 {
        solve(m, row) * 2.0
    }

    #[jacobian]
    pub fn both(m: f64, row: f64) -> f64 {
        let (partials, system, column, pivot, at) = (m, row, 2.0, 3.0, 0.5);
        helper(partials, system) * column * pivot + other(m, at * row) * m
    }
}

#[test]
fn in_modules_and_beside_variables_of_these_names() {
    differences(|[m, e]| orbits::both(m, e), |[m, e]| orbits::both_jac(m, e), [0.6, 0.3]);
}

#[test]
fn a_function_called_implicit_and_one_whose_result_is_not_used() {
    fn implicit(x: f64) -> (f64, [f64; 1]) {
        (x * x, [2.0 * x])
    }
    fn square(x: f64) -> f64 {
        x * x
    }
    #[jacobian(with(square = implicit, anomaly = implicit(kepler)))]
    fn f(x: f64) -> f64 {
        let _unused = anomaly(x, 0.5);
        square(x)
    }
    check(f(3.0), f_jac(3.0), &[6.0]);
}

#[jacobian]
mod unmarked {
    fn kepler(eccentric: f64, mean: f64, eccentricity: f64) -> f64 {
        eccentric - eccentricity * eccentric.sin() - mean
    }

    fn anomaly(mean: f64, eccentricity: f64) -> f64 {
        let mut eccentric = mean;
        for _ in 0..50 {
            eccentric -= kepler(eccentric, mean, eccentricity) / (1.0 - eccentricity * eccentric.cos());
        }
        eccentric
    }

    fn square(x: f64) -> f64 {
        x * x
    }

    /// The residual is `residual(arguments, solution)`.
    fn residual(mean: f64, eccentricity: f64, eccentric: f64) -> f64 {
        kepler(eccentric, mean, eccentricity)
    }

    #[jacobian(with(anomaly = implicit(residual)))]
    pub fn position(mean: f64, eccentricity: f64) -> [f64; 2] {
        let eccentric = anomaly(mean, eccentricity);
        [eccentric.cos() - eccentricity, eccentric.sin()]
    }

    #[jacobian(with(square), forms(jac, hess))]
    pub fn cube(x: f64) -> f64 {
        square(x) * x
    }
}

#[test]
fn unmarked_functions_of_the_module_have_the_jacobians_that_are_called() {
    use unmarked::*;
    differences(|[m, e]| position(m, e), |[m, e]| position_jac(m, e), [0.7, 0.3]);
    differences(|[x]| cube(x), |[x]| cube_jac(x), [0.7]);
    assert_abs_diff_eq!(cube_hess(0.7).2[0][0], 6.0 * 0.7, epsilon = 1e-14);
}
