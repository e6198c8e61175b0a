//! Functions with derivatives of their own that take and give vectors of nalgebra and structs of the module, and what they
//! give in an `Option` or a `Result`.

use jacobian::jacobian;
use nalgebra::{Matrix2, Quaternion, UnitQuaternion, Vector2, Vector3};

use crate::{Floats, differences};

fn saturate(v: Vector3<f64>, k: f64) -> Vector3<f64> {
    v * k / (1.0 + v.norm_squared())
}

fn saturate_jac(v: Vector3<f64>, k: f64) -> (Vector3<f64>, [[f64; 4]; 3]) {
    let n = 1.0 + v.norm_squared();
    let y = v * k / n;
    (
        y,
        std::array::from_fn(|r| {
            std::array::from_fn(|c| {
                if c == 3 { v[r] / n } else { (if r == c { k / n } else { 0.0 }) - 2.0 * v[c] * v[r] * k / (n * n) }
            })
        }),
    )
}

#[jacobian(with(saturate: fn(Vector3<f64>, f64) -> Vector3<f64>))]
fn turned(x: Vector3<f64>, q: UnitQuaternion<f64>) -> Vector3<f64> {
    q * saturate(q.inverse() * x, x.x * 2.0) + x
}

#[jacobian(with(saturate = saturate_jac))]
fn told_by_a_variable(x: Vector3<f64>) -> f64 {
    let y: Vector3<f64> = saturate(x.cross(&Vector3::z()), 0.3);
    y.dot(&x)
}

fn en(v: &Vector2<f64>, m: Matrix2<f64>) -> f64 {
    (m * v).dot(v)
}

#[jacobian]
fn en2(v: &Vector2<f64>, m: Matrix2<f64>) -> f64 {
    (m * v).dot(v)
}

fn en_jac(v: &Vector2<f64>, m: Matrix2<f64>) -> (f64, [f64; 6]) {
    en2_jac(v, m)
}

#[jacobian(with(en))]
fn by_reference(x: Vector2<f64>, k: Matrix2<f64>) -> f64 {
    en(&(x * 2.0), k * k) + en(&x, Matrix2::identity() * 2.0)
}

#[jacobian]
mod arm {
    use nalgebra::Vector2;

    #[derive(Copy, Clone)]
    pub struct State {
        pub p: Vector2<f64>,
        pub th: f64,
    }

    #[derive(Copy, Clone)]
    pub struct Out {
        pub a: [f64; 2],
        pub b: Vector2<f64>,
    }

    #[inline(never)]
    pub fn far(s: State, k: f64) -> Out {
        Out { a: [s.p.x * k, s.th.sin()], b: s.p * s.th }
    }

    pub fn far_own(s: State, k: f64) -> (Out, [[f64; 4]; 4]) {
        (
            far(s, k),
            [[k, 0.0, 0.0, s.p.x], [0.0, 0.0, s.th.cos(), 0.0], [s.th, 0.0, s.p.x, 0.0], [0.0, s.th, s.p.y, 0.0]],
        )
    }

    #[jacobian(with(far = far_own))]
    pub fn far_and_near(x: Vector2<f64>, t: f64) -> Out {
        let o = far(State { p: x * t, th: t }, x.y);
        Out { a: [o.a[1], o.a[0] * t], b: o.b + x }
    }

    /// The vector `y` with `y * (1 + |y|^2) = v`.
    pub fn solve(v: Vector2<f64>) -> Vector2<f64> {
        let (mut s, n) = (1.0, v.norm_squared());
        for _ in 0..100 {
            s -= (s * (1.0 + s * s * n) - 1.0) / (1.0 + 3.0 * s * s * n);
        }
        v * s
    }

    #[jacobian]
    pub fn shrinking(v: Vector2<f64>, y: Vector2<f64>) -> Vector2<f64> {
        y * (1.0 + y.norm_squared()) - v
    }

    #[jacobian(with(solve = implicit(shrinking)))]
    pub fn shrunk(v: Vector2<f64>, k: f64) -> Vector2<f64> {
        let y = solve(v * k);
        y + v * y.x
    }

    pub fn solve_s(s: State) -> State {
        State { p: solve(s.p), th: s.th.cbrt() }
    }

    #[jacobian]
    pub fn shrinking_state(s: State, y: State) -> State {
        State { p: y.p * (1.0 + y.p.norm_squared()) - s.p, th: y.th * y.th * y.th - s.th }
    }

    #[jacobian(with(solve_s = implicit(shrinking_state)))]
    pub fn shrunk_state(s: State, k: f64) -> State {
        let y = solve_s(State { th: s.th * k, ..s });
        State { p: y.p * y.th, th: y.p.x }
    }

    pub fn try_solve(x: f64, n: usize) -> Option<f64> {
        if x < 0.0 || n == 0 { None } else { Some(x.sqrt()) }
    }

    #[jacobian(wrt(x, y))]
    pub fn sq(x: f64, _n: usize, y: f64) -> f64 {
        y * y - x
    }

    #[jacobian(with(try_solve: fn(f64, usize) -> Option<f64> = implicit(sq)))]
    pub fn root_or_none(x: f64, k: f64) -> Option<f64> {
        let y = try_solve(x * k, 3)?;
        Some(y * x)
    }

    pub fn try_vec(v: Vector2<f64>) -> Result<Vector2<f64>, String> {
        if v.x > 1e3 { Err("large".to_string()) } else { Ok(solve(v)) }
    }

    #[jacobian(with(try_vec = implicit(shrinking)))]
    pub fn small_or_error(v: Vector2<f64>, k: f64) -> Result<Vector2<f64>, String> {
        let y = try_vec(v * k)?;
        Ok(y * k)
    }

    #[jacobian(with(try_vec = implicit(shrinking)))]
    pub fn surely_small(v: Vector2<f64>, k: f64) -> Vector2<f64> {
        try_vec(v * k).unwrap() * k + try_vec(v).expect("small")
    }
}

#[jacobian]
fn root(x: f64, y: f64) -> Option<[f64; 2]> {
    if x < 0.0 { None } else { Some([x.sqrt() * y, x]) }
}

#[jacobian(with(root: fn(f64, f64) -> Option<[f64; 2]>))]
fn converted(x: f64) -> Result<f64, String> {
    let [a, b] = root(x * x, x).ok_or("negative".to_string())?;
    Ok(a * b)
}

#[jacobian(forms(jac, vjp, jvp), with(root: fn(f64, f64) -> Option<[f64; 2]>))]
fn repeated(x: f64) -> Option<f64> {
    let [a, b] = root(x - 1.0, x)?;
    let mut s = a;
    for _ in 0..2 {
        s = s * root(b, s)?[0];
    }
    Some(s)
}

impl Floats for arm::State {
    fn floats(&self) -> Vec<f64> {
        vec![self.p.x, self.p.y, self.th]
    }
}

impl Floats for arm::Out {
    fn floats(&self) -> Vec<f64> {
        vec![self.a[0], self.a[1], self.b.x, self.b.y]
    }
}

/// What is there, as two lists.
fn there<V: Floats, J: Floats>(found: Option<(V, J)>) -> (Vec<f64>, Vec<f64>) {
    let (value, jacobian) = found.expect("it is there");
    (value.floats(), jacobian.floats())
}

impl Floats for Vec<f64> {
    fn floats(&self) -> Vec<f64> {
        self.clone()
    }
}

#[test]
fn vectors_and_structs() {
    let vector3 = |x: &[f64]| Vector3::from_column_slice(&x[..3]);
    let vector2 = |x: &[f64]| Vector2::from_column_slice(&x[..2]);
    let q = |x: [f64; 7]| UnitQuaternion::new_unchecked(Quaternion::from([x[3], x[4], x[5], x[6]]));
    let x = [0.1, 0.4, -0.3, 0.3, 0.1, 0.2, 0.8];
    differences(|x: [f64; 7]| turned(vector3(&x), q(x)), |x| turned_jac(vector3(&x), q(x)), x);
    let x = [0.1, 0.4, -0.3];
    differences(|x: [f64; 3]| told_by_a_variable(vector3(&x)), |x| told_by_a_variable_jac(vector3(&x)), x);
    differences(|x: [f64; 3]| arm::far_and_near(vector2(&x), x[2]), |x| arm::far_and_near_jac(vector2(&x), x[2]), x);
    differences(|x: [f64; 3]| arm::shrunk(vector2(&x), x[2]), |x| arm::shrunk_jac(vector2(&x), x[2]), x);
    let matrix = |x: &[f64]| Matrix2::from_column_slice(&x[2..]);
    let x = [0.1, 0.4, -0.3, 0.3, 0.1, 0.2];
    let by_reference_of = |x: [f64; 6]| by_reference_jac(vector2(&x), matrix(&x));
    differences(|x: [f64; 6]| by_reference(vector2(&x), matrix(&x)), by_reference_of, x);
    let state = |x: [f64; 4]| arm::State { p: vector2(&x), th: x[2] };
    let shrunk_of = |x: [f64; 4]| arm::shrunk_state_jac(state(x), x[3]);
    differences(|x: [f64; 4]| arm::shrunk_state(state(x), x[3]), shrunk_of, [0.1, 0.4, 0.3, 0.7]);
}

#[test]
fn results_that_may_be_missing() {
    let vector2 = |x: &[f64]| Vector2::from_column_slice(&x[..2]);
    let floats = |value: Option<[f64; 1]>| value.expect("it is there").to_vec();
    let root = |x: [f64; 2]| floats(arm::root_or_none(x[0], x[1]).map(|y| [y]));
    differences(root, |x| there(arm::root_or_none_jac(x[0], x[1])), [0.1, 0.4]);
    assert_eq!(arm::root_or_none_jac(-1.0, 1.0), None);
    let small = |x: [f64; 3]| arm::small_or_error(vector2(&x), x[2]).expect("it is small").floats();
    let x = [0.1, 0.4, 0.7];
    differences(small, |x| there(arm::small_or_error_jac(vector2(&x), x[2]).ok()), x);
    assert_eq!(arm::small_or_error_jac(Vector2::new(1e4, 0.0), 1.0).unwrap_err(), "large");
    differences(|x: [f64; 3]| arm::surely_small(vector2(&x), x[2]), |x| arm::surely_small_jac(vector2(&x), x[2]), x);
    let of = |x: [f64; 1]| floats(converted(x[0]).ok().map(|y| [y]));
    differences(of, |x| there(converted_jac(x[0]).ok()), [0.7]);
    let of = |x: [f64; 1]| floats(repeated(x[0]).map(|y| [y]));
    differences(of, |x| there(repeated_jac(x[0])), [1.7]);
    assert_eq!(repeated_jac(0.5), None);
    let (_, along) = repeated_jvp(1.7, &[2.0]).expect("it is there");
    let (_, gradient) = repeated_vjp(1.7, 2.0).expect("it is there");
    assert_eq!([along], gradient);
}

#[test]
#[should_panic(expected = "called `Result::unwrap()` on an `Err` value: \"large\"")]
fn what_is_missing_panics_as_it_does() {
    arm::surely_small_jac(Vector2::new(1e4, 0.0), 1.0);
}
