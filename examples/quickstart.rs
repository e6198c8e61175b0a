//! From polar to Cartesian coordinates, with the Jacobian: the first example of the README.

use jacobian::jacobian;

#[jacobian]
fn polar(r: f64, t: f64) -> [f64; 2] {
    [r * t.cos(), r * t.sin()]
}

fn main() {
    let (y, j) = polar_jac(2.0, 0.5);
    println!("y = {y:.4?}");
    println!("j = {j:.4?}");
    assert_eq!(y, polar(2.0, 0.5));
}
