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

#[jacobian]
mod calls {
    #[jacobian(layout = "columns")]
    pub fn by_columns(x: [f64; 2]) -> [f64; 2] {
        [x[0] * x[1], x[1]]
    }

    #[jacobian]
    pub fn by_rows(x: [f64; 2]) -> [f64; 2] {
        [x[0] * x[1], x[1]]
    }

    #[jacobian(with(by_columns))]
    pub fn columns_unsaid(x: [f64; 2]) -> [f64; 2] {
        by_columns(x)
    }

    #[jacobian(with(by_columns = matrix(by_columns_jac)))]
    pub fn columns_as_matrix(x: [f64; 2]) -> [f64; 2] {
        by_columns(x)
    }

    #[jacobian(with(by_rows = columns(by_rows_jac)))]
    pub fn rows_as_columns(x: [f64; 2]) -> [f64; 2] {
        by_rows(x)
    }

    #[jacobian(with(by_columns = columns(by_columns_jac)), forms(hess))]
    pub fn second_order(x: [f64; 2]) -> f64 {
        let [a, b] = by_columns(x);
        a * b
    }

    #[jacobian(with(by_columns = columns(by_columns_jac, 2)))]
    pub fn too_much(x: [f64; 2]) -> [f64; 2] {
        by_columns(x)
    }
}

fn main() {
    let (_, _entries) = nothing_dense_jac_sparse(1.0);
    let (_starts, _rows) = many_entries_jac_pattern();
}
