//! Patterns in `with(...)` that are none, or none of the function's.

use jacobian::jacobian;

fn g(x: [f64; 3]) -> [f64; 2] {
    [x[0] * x[1], x[2]]
}

fn dg(x: [f64; 3]) -> ([f64; 2], [f64; 3]) {
    (g(x), [x[1], x[0], 1.0])
}

#[jacobian(with(g: fn([f64; 3]) -> [f64; 2] = sparse(dg, rows = [[0, 1]])))]
fn a_row_is_missing(x: [f64; 3]) -> f64 {
    g(x)[0]
}

#[jacobian(with(g: fn([f64; 3]) -> [f64; 2] = sparse(dg, rows = [[0, 3], [2]])))]
fn beyond_the_columns(x: [f64; 3]) -> f64 {
    g(x)[0]
}

#[jacobian(with(g: fn([f64; 3]) -> [f64; 2] = sparse(dg, columns = [[0], [0], [2]])))]
fn beyond_the_rows(x: [f64; 3]) -> f64 {
    g(x)[0]
}

#[jacobian(with(g = sparse(dg, rows = [[0, 1], [2]])))]
fn of_no_type(x: [f64; 3]) -> f64 {
    g(x)[0]
}

#[jacobian(with(g: fn([f64; 3]) -> [f64; 2] = sparse(dg, rows = [[0, 0], [2]])))]
fn twice(x: [f64; 3]) -> f64 {
    g(x)[0]
}

#[jacobian(with(g: fn([f64; 3]) -> [f64; 2] = sparse(dg, [[0, 1], [2]])))]
fn neither_rows_nor_columns(x: [f64; 3]) -> f64 {
    g(x)[0]
}

#[jacobian(with(g: fn([f64; 3]) -> [f64; 2] = sparse(dg, rows = PATTERN)))]
fn by_a_name(x: [f64; 3]) -> f64 {
    g(x)[0]
}

#[jacobian(forms(jac, hess), with(g: fn([f64; 3]) -> [f64; 2] = sparse(dg, rows = [[0, 1], [2]])))]
fn second(x: [f64; 3]) -> f64 {
    g(x)[0]
}

fn main() {}
