use jacobian::jacobian;

#[jacobian(forms(jvp_sparse))]
fn a_product_is_not_sparse(x: f64) -> f64 {
    x
}

#[jacobian(layout = "rows")]
fn unknown(x: f64) -> f64 {
    x
}

#[jacobian(layout = "csr")]
fn nothing_sparse(x: f64) -> f64 {
    x
}

#[jacobian(forms(jac_sparse, vjp), layout = "columns")]
fn nothing_dense(x: f64) -> f64 {
    x
}

#[jacobian(layout = csr, forms(jac_sparse))]
fn no_string(x: f64) -> f64 {
    x
}

#[jacobian(layout = "matrix")]
const fn constant(x: f64) -> f64 {
    x * x
}

#[jacobian(forms(jac_sparse))]
fn many_entries(x: &[f64; 400]) -> [f64; 400] {
    let mut sum = 0.0;
    for i in 0..400 {
        sum += x[i];
    }
    core::array::from_fn(|i| x[i] * sum)
}

fn main() {
    let (_, _entries) = nothing_dense_jac_sparse(1.0);
    let (_starts, _rows) = many_entries_jac_pattern();
}
