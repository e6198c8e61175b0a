//! Functions of thousands of floats, as the macro expands them; rustc does not see what comes of it.

use proc_macro2::TokenStream;

fn expanded(options: &str, function: &str) -> String {
    let [options, function] = [options, function].map(|text| text.parse::<TokenStream>().expect("these are tokens"));
    jacobian_expand::expand(options, function).to_string()
}

/// A tridiagonal matrix of 2,000 columns: what is generated has its entries, and no place for the four million others.
#[test]
fn sparse_matrices_have_thousands_of_columns() {
    let function = "fn f(x: &[f64; 2000]) -> [f64; 2000] {
        let mut y = *x;
        for i in 1..1999 { y[i] = x[i - 1] * x[i] - x[i + 1]; }
        y
    }";
    let text = expanded("forms(jac_sparse), strategy = \"reverse\"", function);
    assert_eq!(text.split("compile_error").nth(1), None);
    // Three in each of 1,998 rows, and one in the others.
    for length in ["f64 ; 5996]", "usize ; 2001]", "usize ; 5996]"] {
        assert!(text.contains(&format!("[:: core :: primitive :: {length}")), "no {length}");
    }
    let dense = expanded("forms(jac)", function);
    assert!(dense.contains("compile_error") && dense.contains("forms(jac_sparse)"));
}
