//! Methods and operators that change an element of an array of structs at an index that is known at run time only, and
//! inverses that may be missing.

use approx::assert_abs_diff_eq;
use jacobian::jacobian;
use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

use crate::{Floats, differences};

#[jacobian]
mod bodies {
    use std::ops::{AddAssign, MulAssign};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Body {
        pub x: [f64; 2],
        pub m: f64,
    }

    #[derive(Clone, Copy)]
    pub struct World {
        pub bodies: [Body; 3],
        pub t: f64,
    }

    impl Body {
        fn kick(&mut self, by: f64) -> f64 {
            self.x[0] += by / self.m;
            self.x[1] *= self.x[0];
            self.x[0] * by
        }

        fn checked(&mut self, by: f64) -> Option<f64> {
            if by > 5.0 {
                return None;
            }
            self.m += by;
            Some(self.m * by)
        }

        fn nested(&mut self, k: usize, by: f64) {
            self.x[k % 2] += by;
            self.kick(by);
        }
    }

    impl AddAssign for Body {
        fn add_assign(&mut self, o: Body) {
            self.x[0] += o.x[1];
            self.m *= o.m;
        }
    }

    impl MulAssign<f64> for Body {
        fn mul_assign(&mut self, k: f64) {
            self.m *= k;
        }
    }

    #[jacobian(wrt(all, h), forms(jac, vjp, hess))]
    pub fn stepped(all: [Body; 3], h: f64, i: usize) -> f64 {
        let mut all = all;
        let a = all[i].kick(h);
        all[(i + 1) % 3].kick(a);
        all[i] *= h;
        let last = all[2];
        all[i] += last;
        all[i % 2].nested(i, a);
        all[0].m * all[1].x[0] + all[2].x[1] * all[i].m
    }

    #[jacobian(wrt(all, h))]
    pub fn in_a_loop(all: [Body; 2], h: f64, n: usize) -> [Body; 2] {
        let mut world = all;
        for k in 0..n {
            let before = world[k % 2].kick(h);
            if before > 0.3 {
                world[(k + 1) % 2].kick(before * h);
            }
        }
        world
    }

    #[jacobian(wrt(w, h))]
    pub fn in_a_field(w: World, h: f64, i: usize) -> Option<f64> {
        let mut w = w;
        let by = w.bodies[i].checked(h * w.t)?;
        w.bodies[i].x[1] += by;
        w.t = w.bodies[i].kick(by);
        Some(w.t * w.bodies[1].m)
    }
}

impl Floats for bodies::Body {
    fn floats(&self) -> Vec<f64> {
        [self.x.floats(), self.m.floats()].concat()
    }
}

fn all<const N: usize>(x: &[f64]) -> [bodies::Body; N] {
    std::array::from_fn(|k| bodies::Body { x: [x[3 * k], x[3 * k + 1]], m: x[3 * k + 2] })
}

const AT: [f64; 10] = [0.5, 1.5, 2.0, -0.5, 0.75, 1.25, 1.0, -2.0, 0.5, 0.8];

#[test]
fn methods_and_operators() {
    for i in 0..3 {
        differences(|x| bodies::stepped(all(&x), x[9], i), |x| bodies::stepped_jac(all(&x), x[9], i), AT);
        let gradient = |x: [f64; 10]| {
            let (_, gradient, hessian) = bodies::stepped_hess(all(&x), x[9], i);
            (gradient, hessian)
        };
        differences(|x| gradient(x).0, gradient, AT);
    }
    assert!(std::panic::catch_unwind(|| bodies::stepped_jac(all(&AT), 0.5, 3)).is_err());
    assert!(std::panic::catch_unwind(|| bodies::stepped(all(&AT), 0.5, 3)).is_err());
}

#[test]
fn in_loops_and_fields() {
    for n in 0..5 {
        let at = [0.5, 1.5, 2.0, -0.5, 0.75, 1.25, 0.8];
        differences(|x| bodies::in_a_loop(all(&x), x[6], n), |x| bodies::in_a_loop_jac(all(&x), x[6], n), at);
    }
    let world = |x: &[f64]| bodies::World { bodies: all(x), t: 1.5 };
    for i in 0..3 {
        let at = [0.5, 1.5, 2.0, -0.5, 0.75, 1.25, 1.0, -2.0, 0.5, 0.8];
        let f = |x: [f64; 10]| bodies::in_a_field(world(&x), x[9], i).expect("it is there");
        let (value, jacobian) = bodies::in_a_field_jac(world(&at), 0.8, i).expect("it is there");
        assert_eq!(value.to_bits(), f(at).to_bits());
        for column in 0..9 {
            let mut near = [at; 2];
            near[0][column] += 1e-6;
            near[1][column] -= 1e-6;
            assert_abs_diff_eq!(jacobian[column], (f(near[0]) - f(near[1])) / 2e-6, epsilon = 1e-7);
        }
        assert_eq!(bodies::in_a_field_jac(world(&at), 9.0, i), None);
    }
}

#[derive(Debug, PartialEq)]
enum Failure {
    Singular(f64),
    Text(String),
}

impl From<&str> for Failure {
    fn from(text: &str) -> Self {
        Failure::Text(text.to_string())
    }
}

#[jacobian(forms(jac, vjp))]
fn gain(p: Matrix2<f64>, r: f64, y: Vector2<f64>) -> Option<Vector2<f64>> {
    let s = p + Matrix2::identity() * r;
    let inverse = s.try_inverse()?;
    Some(p * inverse * y)
}

#[jacobian]
fn inverted(m: Matrix3<f64>) -> Option<Matrix3<f64>> {
    m.try_inverse()
}

#[jacobian]
fn solved(m: &Matrix3<f64>, b: Vector3<f64>) -> Option<Vector3<f64>> {
    m.try_inverse().map(|inverse| inverse * b)
}

#[jacobian]
fn or_error(m: Matrix2<f64>, b: Vector2<f64>) -> Result<Vector2<f64>, Failure> {
    let found = m.try_inverse();
    let inverse = found.ok_or("singular")?;
    let twice = (inverse * m[(0, 1)]).try_inverse().ok_or_else(|| Failure::Singular(m[(0, 0)]))?;
    Ok(inverse * b + twice * b)
}

#[test]
fn inverses_that_may_be_missing() {
    let matrix = |x: &[f64]| Matrix3::from_column_slice(&x[..9]);
    let at = [2.0, 0.5, -1.0, 0.25, 3.0, 0.75, 1.0, -0.5, 1.5, 0.3, 0.6, -0.9];
    let floats = |m: Matrix3<f64>| <[[f64; 3]; 3]>::from(m);
    let near = |x: [f64; 9]| floats(inverted(matrix(&x)).expect("it is"));
    let nine: [f64; 9] = std::array::from_fn(|k| at[k]);
    let (value, jacobian) = inverted_jac(matrix(&at)).expect("it is");
    assert_eq!(floats(value), near(nine));
    for column in 0..9 {
        let mut both = [nine; 2];
        both[0][column] += 1e-6;
        both[1][column] -= 1e-6;
        let (above, below) = (near(both[0]).floats(), near(both[1]).floats());
        for row in 0..9 {
            assert_abs_diff_eq!(jacobian[row][column], (above[row] - below[row]) / 2e-6, epsilon = 1e-7);
        }
    }
    let (value, _) = solved_jac(&matrix(&at), Vector3::new(0.3, 0.6, -0.9)).expect("it is");
    assert_eq!(Some(value), solved(&matrix(&at), Vector3::new(0.3, 0.6, -0.9)));
    let (p, y) = (Matrix2::new(2.0, 0.5, 0.5, 1.0), Vector2::new(1.0, -1.0));
    assert_eq!(gain_jac(p, 0.5, y).map(|(value, _)| value), gain(p, 0.5, y));
    let (_, jacobian) = gain_jac(p, 0.5, y).expect("it is");
    let slope = (gain(p, 0.5 + 1e-6, y).expect("it is") - gain(p, 0.5 - 1e-6, y).expect("it is")) / 2e-6;
    assert_abs_diff_eq!(jacobian[0][4], slope.x, epsilon = 1e-7);
    assert_abs_diff_eq!(jacobian[1][4], slope.y, epsilon = 1e-7);
    assert_eq!(gain_vjp(p, 0.5, y, &[1.0, 0.0]).map(|(_, row)| row[4]), Some(jacobian[0][4]));
    let singular = Matrix2::new(1.0, 2.0, 2.0, 4.0);
    assert_eq!(gain_jac(singular, 0.0, y), None);
    assert_eq!(inverted_jac(Matrix3::zeros()), None);
    assert_eq!(solved_jac(&Matrix3::zeros(), Vector3::zeros()), None);
    for m in [p, singular, Matrix2::new(2.0, 0.0, 0.0, 3.0)] {
        assert_eq!(or_error_jac(m, y).map(|(value, _)| value), or_error(m, y));
    }
}
