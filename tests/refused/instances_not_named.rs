//! An instance that is not among those which are named.

use jacobian::jacobian;

#[jacobian(instances(2, 3))]
fn norm<const N: usize>(x: [f64; N]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn main() {
    let _ = norm_jac([1.0; 5]);
    let _ = norm_jac::<7>([1.0; 7]);
}
