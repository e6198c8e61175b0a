//! Functions whose Jacobians others know as lists of their entries, by a pattern that is written in `with(...)`.

use jacobian::jacobian;

use crate::{check, differences};

#[jacobian(forms(jac_sparse))]
fn banded(x: [f64; 3]) -> [f64; 2] {
    [x[0] * x[1], x[2].sin()]
}

#[jacobian(forms(jac_sparse), layout = "csr")]
fn by_rows(x: [f64; 3], h: f64) -> [f64; 2] {
    [x[2] * h, x[0] * x[1]]
}

#[jacobian(with(banded: fn([f64; 3]) -> [f64; 2] = sparse(banded_jac_sparse, columns = [[0], [0], [1]], banded_jac_pattern)))]
fn of_banded(x: [f64; 3]) -> f64 {
    let y = banded(x);
    let [a, b] = banded([y[0], y[1], x[0]]);
    a * b * y[1]
}

#[jacobian(with(by_rows: fn([f64; 3], f64) -> [f64; 2] = sparse(by_rows_jac_sparse, rows = [[2, 3], [0, 1]], by_rows_jac_pattern)))]
fn of_rows(x: [f64; 3], h: f64) -> [f64; 2] {
    let [a, b] = by_rows(x, h);
    [a * b, by_rows([a, b, h], x[0])[1]]
}

/// By hand, with the entries of each row in an order of their own.
fn shifted(x: [f64; 3], n: usize) -> [f64; 3] {
    [x[0], x[1] * x[2] * n as f64, x[2]]
}

fn dshifted(x: [f64; 3], n: usize) -> ([f64; 3], [f64; 4]) {
    let n = n as f64;
    ([x[0], x[1] * x[2] * n, x[2]], [1.0, x[1] * n, x[2] * n, 1.0])
}

#[jacobian(forms(jac, jvp, vjp), with(shifted: fn([f64; 3], usize) -> [f64; 3] = sparse(dshifted, rows = [[0], [2, 1], [2]])))]
fn of_shifted(x: [f64; 3], n: usize) -> [f64; 3] {
    let mut y = x;
    for _ in 0..n {
        y = shifted(y, n);
    }
    y
}

/// A single float, of which one argument means nothing.
fn norm(x: f64, _: f64, z: f64, out: &mut f64) -> f64 {
    *out = x;
    x.hypot(z)
}

fn dnorm(x: f64, y: f64, z: f64, out: &mut f64) -> (f64, [f64; 3]) {
    let r = norm(x, y, z, out);
    (r, [x / r, 1.0, z / r])
}

#[jacobian(with(norm: fn(f64, f64, f64, &mut f64) -> f64 = sparse(dnorm, columns = [[0, 1], [], [0]])))]
fn of_norm(x: [f64; 2]) -> f64 {
    let mut other = 0.0;
    norm(x[0], x[1], x[1] * x[0], &mut other) * other
}

#[test]
fn entries_are_those_of_the_pattern() {
    let x = [0.7, 1.3, -0.4];
    differences(of_banded, of_banded_jac, x);
    differences(|[x, y, z, h]| of_rows([x, y, z], h), |[x, y, z, h]| of_rows_jac([x, y, z], h), [0.7, 1.3, -0.4, 0.5]);
    differences(|x| of_shifted(x, 3), |x| of_shifted_jac(x, 3), x);
    differences(of_norm, of_norm_jac, [0.7, 1.3]);
    let jacobian = of_shifted_jac(x, 2).1;
    let tangent = [1.0, 2.0, 3.0];
    let product = jacobian.map(|row| row[0] * tangent[0] + row[1] * tangent[1] + row[2] * tangent[2]);
    check(of_shifted(x, 2), of_shifted_jvp(x, 2, &tangent), &product);
}
