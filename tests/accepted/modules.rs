//! `#[jacobian]` on a module: functions that call one another.

use jacobian::jacobian;

use crate::{check, differences};

#[jacobian(strategy = "reverse")]
mod geometry {
    //! Rotations.

    pub struct Scale {
        pub by: f64,
    }

    fn square(x: f64) -> f64 {
        let a = x;
        a * x
    }

    fn norm(v: &[f64; 2]) -> f64 {
        let a = 0.5;
        (square(v[0]) + square(v[1])).sqrt() * (a + 0.5)
    }

    fn normalized(mut v: [f64; 2]) -> [f64; 2] {
        let n = norm(&v);
        if n > 0.0 {
            v[0] /= n;
            v[1] /= n;
        }
        v
    }

    fn scaled(v: [f64; 2], scale: &Scale, twice: bool) -> [f64; 2] {
        let factor = if twice { 2.0 * scale.by } else { scale.by };
        [v[0] * factor, self::square(v[1]) * factor]
    }

    /// The direction of a point.
    #[jacobian]
    pub fn direction(a: [f64; 2], scale: &Scale) -> [f64; 2] {
        let [x, y] = normalized([a[0] * a[1], square(a[0])]);
        scaled([x, y + norm(&a)], scale, true)
    }

    #[jacobian(name = "area_derivative", strategy = "forward")]
    pub fn area(a: f64, b: f64) -> f64 {
        square(a) + square(b) * square(2.0)
    }
}

#[test]
fn functions_of_a_module_are_inlined() {
    let scale = geometry::Scale { by: 1.5 };
    differences(|a| geometry::direction(a, &scale), |a| geometry::direction_jac(a, &scale), [0.7, 1.4]);
    check(geometry::area(3.0, 0.5), geometry::area_derivative(3.0, 0.5), &[6.0, 4.0]);
}

#[jacobian]
mod long {
    /// Too long to be inlined: it is called through its Jacobian.
    fn wrapped(x: [f64; 2], offset: f64) -> [f64; 2] {
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        [x[0] + offset, x[1] * offset]
    }

    #[jacobian]
    pub fn twice(x: [f64; 2], offset: f64) -> [f64; 2] {
        let y = wrapped(x, offset * x[0]);
        wrapped(y, 0.5)
    }
}

#[test]
fn long_functions_of_a_module_are_called_through_their_jacobians() {
    differences(|[x, y, z]| long::twice([x, y], z), |[x, y, z]| long::twice_jac([x, y], z), [0.7, 1.4, 0.3]);
}
