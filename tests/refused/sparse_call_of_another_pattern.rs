//! A pattern in `with(...)` that is not the one that the function returns.

use jacobian::jacobian;

#[jacobian(forms(jac_sparse))]
fn g(x: [f64; 3]) -> [f64; 2] {
    [x[0] * x[1], x[2]]
}

#[jacobian(with(g: fn([f64; 3]) -> [f64; 2] = sparse(g_jac_sparse, columns = [[0], [1], [0]], g_jac_pattern)))]
fn f(x: [f64; 3]) -> f64 {
    g(x)[0]
}

fn main() {}
