//! What a newcomer writes with nalgebra and with `retract`.

use jacobian::jacobian;
use nalgebra::{
    Cholesky, DVector, LU, Matrix2, Matrix3, RealField, SMatrix, SVector, U3, UnitQuaternion, Vector2, Vector3,
};

#[jacobian]
fn dynamic(x: &DVector<f64>) -> f64 {
    x[0]
}

#[jacobian]
fn length<const N: usize>(x: SVector<f64, N>) -> f64 {
    x.norm()
}

#[jacobian]
fn qr(m: Matrix3<f64>, b: Vector3<f64>) -> Option<Vector3<f64>> {
    m.qr().solve(&b)
}

#[jacobian]
fn by_its_type(m: Matrix3<f64>, b: Vector3<f64>) -> Option<Vector3<f64>> {
    LU::new(m).solve(&b)
}

#[jacobian]
fn in_place(m: Matrix3<f64>, b: Vector3<f64>) -> Vector3<f64> {
    let mut x = b;
    m.lu().solve_mut(&mut x);
    x
}

#[jacobian]
fn determinant(m: Matrix3<f64>) -> f64 {
    m.lu().determinant()
}

#[jacobian]
fn the_factor_itself(m: Matrix3<f64>) -> Option<Matrix3<f64>> {
    let factor = m.cholesky()?;
    Some(*factor.l_dirty())
}

#[jacobian(wrt(b))]
fn of_a_factor(factor: &Cholesky<f64, U3>, b: Vector3<f64>) -> Vector3<f64> {
    factor.solve(&b)
}

#[jacobian(wrt(b))]
fn of_what_is_passive_too(m: &Matrix3<f64>, b: Vector3<f64>) -> Vector3<f64> {
    m.cholesky().unwrap().solve(&b)
}

#[jacobian]
fn mapped(m: Matrix3<f64>, b: Vector3<f64>) -> f64 {
    m.lu().solve(&b).xor(None).map_or(0.0, |x| x.x)
}

#[jacobian]
fn large(m: SMatrix<f64, 7, 7>, v: SVector<f64, 7>) -> SVector<f64, 7> {
    m.try_inverse().unwrap() * v
}

#[jacobian]
fn generic<T: RealField + Copy>(m: Matrix2<T>, b: Vector2<T>) -> Vector2<T> {
    m.lu().solve(&b).unwrap()
}

#[jacobian]
fn collected(v: Vector3<f64>) -> Vector3<f64> {
    Vector3::from_iterator(v.iter().map(|x| x * x))
}

#[jacobian]
fn interpolated(q: UnitQuaternion<f64>, r: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    q.slerp(&r, 0.5)
}

#[jacobian]
fn compared(v: Vector3<f64>) -> f64 {
    if v == Vector3::zeros() { 0.0 } else { v.norm() }
}

#[jacobian]
fn normalized(v: Vector3<f64>) -> Option<Vector3<f64>> {
    v.try_normalize(1e-9)
}

#[jacobian]
fn eigenvalues(m: Matrix3<f64>) -> Vector3<f64> {
    m.symmetric_eigenvalues()
}

#[jacobian(retract(v))]
fn of_a_vector(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian(retract(p))]
fn of_nothing(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian(retract(return))]
fn of_the_result(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian(retract(q), wrt(v))]
fn of_what_is_passive(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian(retract(q.w))]
fn of_a_coordinate(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian(retract(q), forms(hess))]
fn second(q: UnitQuaternion<f64>, v: Vector3<f64>) -> f64 {
    (q * v).x
}

#[jacobian(retract(q: UnitQuaternion<f64>))]
fn with_a_type(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian(retract)]
fn of_what(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
    q * v
}

#[jacobian]
mod states {
    use nalgebra::{UnitQuaternion, Vector3};

    pub struct Flat {
        pub attitude: UnitQuaternion<f64>,
        pub rates: (f64, f64),
        pub steps: usize,
    }

    pub struct Text {
        pub attitude: UnitQuaternion<f64>,
        pub name: String,
    }

    #[jacobian(wrt(state.rates))]
    pub fn by_a_tuple(state: &Flat) -> f64 {
        state.rates.0
    }

    #[jacobian(wrt(state.steps))]
    pub fn by_an_integer(state: &Flat) -> f64 {
        state.rates.0
    }

    #[jacobian(wrt(state), retract(state.rates))]
    pub fn retracted(state: &Flat) -> f64 {
        state.rates.0
    }

    #[jacobian(wrt(state), retract(state.attitudes))]
    pub fn misspelt(state: &Flat) -> f64 {
        state.rates.0
    }

    #[jacobian(wrt(state.attitude.coords.data: f64))]
    pub fn by_what_is_inside(state: &Flat) -> f64 {
        state.attitude.w
    }

    #[jacobian(wrt(text))]
    pub fn of_a_text(text: &Text, v: Vector3<f64>) -> Vector3<f64> {
        text.attitude * v
    }
}

struct Config {
    r: Matrix2<f64>,
    lever: Vector3<f64>,
}

#[jacobian(wrt(x))]
fn unseen_and_a_float(config: &Config, x: f64) -> Matrix2<f64> {
    config.r * x
}

#[jacobian(wrt(v))]
fn unseen_and_a_coordinate(config: &Config, v: Vector3<f64>) -> Vector3<f64> {
    v - config.lever * v.y
}

fn main() {}
