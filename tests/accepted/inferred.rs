//! Lengths that the compiler infers from elsewhere.

use jacobian::jacobian;

use crate::differences;

#[test]
fn the_other_arm_tells_the_length_of_an_array_made_by_a_closure() {
    #[jacobian]
    fn f(x: [f64; 3], y: f64) -> f64 {
        let a = if y > 0.0 { core::array::from_fn(|i| x[i] * y) } else { [y; 3] };
        let b = if y > 0.0 { [y; 3] } else { core::array::from_fn(|i| x[i] + y) };
        a[0] * a[1] * a[2] + b[0] * b[1] * b[2]
    }
    for y in [1.5, -0.5] {
        differences(|[p, q, r, y]| f([p, q, r], y), |[p, q, r, y]| f_jac([p, q, r], y), [0.7, 1.1, -0.3, y]);
    }
}

#[test]
fn the_other_arm_of_a_match_tells_it() {
    #[jacobian]
    fn f(x: [f64; 2], n: usize) -> f64 {
        let a = match n {
            0 => core::array::from_fn(|i| x[i] * x[i]),
            1 => [1.0, x[0]],
            _ => core::array::from_fn(|i| x[1 - i]),
        };
        a[0] * a[1]
    }
    for n in 0..3 {
        differences(|x| f(x, n), |x| f_jac(x, n), [0.7, 1.1]);
    }
}
