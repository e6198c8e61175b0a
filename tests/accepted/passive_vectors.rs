//! Passive expressions of nalgebra beside active values: the form of what they give follows from those of their
//! operands, so that no type has to be written.

use jacobian::jacobian;
use nalgebra::{
    Isometry2, Isometry3, Matrix2, Matrix3, Matrix4, Point2, Point3, Quaternion, RealField, Rotation2, Rotation3,
    SMatrix, SVector, Translation3, Unit, UnitComplex, UnitQuaternion, Vector2, Vector3, Vector4, distance, matrix,
    vector,
};

use crate::differences;

#[jacobian(wrt(p, x))]
fn innovation_covariance(p: SMatrix<f64, 4, 4>, h: SMatrix<f64, 2, 4>, x: f64) -> SMatrix<f64, 2, 2> {
    h * p * h.transpose() * x
}

#[jacobian(wrt(x))]
fn inner_product(x: f64, w: Vector3<f64>, v: Vector3<f64>) -> f64 {
    (w.transpose() * v)[0] * x + x
}

#[jacobian(wrt(v))]
fn turned_by_a_matrix(v: Vector3<f64>, q: UnitQuaternion<f64>, p: Vector3<f64>) -> Vector3<f64> {
    q.to_rotation_matrix() * p + v
}

#[jacobian(wrt(v))]
fn corrected(v: Vector3<f64>, h: SMatrix<f64, 2, 3>, r: Matrix2<f64>) -> Vector3<f64> {
    let k = h.transpose() * (h * h.transpose() + r).try_inverse().unwrap();
    v - k * (h * v)
}

#[jacobian(wrt(v))]
fn by_components(v: Vector3<f64>, a: Vector3<f64>, b: &Vector3<f64>) -> Vector3<f64> {
    a.component_mul(b) + v * a.dot(b) + a.cross(b).normalize() - b.normalize() * v.x
}

#[jacobian(wrt(v))]
fn by_parts(v: Vector2<f64>, m: Matrix3<f64>, i: usize) -> Vector2<f64> {
    m.fixed_view::<2, 2>(0, 1) * v + m.column(i).fixed_rows::<2>(0) + m.row(i).transpose().xy() + v
}

#[jacobian(wrt(v))]
fn transposed(v: Vector3<f64>, q: UnitQuaternion<f64>, t: Vector3<f64>) -> Vector3<f64> {
    let r = q.to_rotation_matrix().into_inner();
    r.transpose() * v + (-t) + 2.0 * t + r.column(1)
}

#[jacobian(wrt(p))]
fn homogeneous(p: Point3<f64>, q: UnitQuaternion<f64>, t: Vector3<f64>) -> Point3<f64> {
    let pose = Isometry3::from_parts(Translation3::from(t), q);
    let m = pose.to_homogeneous();
    let h = m * p.to_homogeneous();
    Point3::new(h[0] / h[3], h[1], h[2]) + pose.inverse() * t
}

#[jacobian(wrt(x))]
fn constructed(x: f64, m: Matrix3<f64>, s: f64) -> Matrix3<f64> {
    let j = Matrix3::new(1.0, 0.0, s, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    let q = Matrix3::identity() * s;
    let d = Matrix3::from_diagonal(&Vector3::new(s, 2.0, 3.0));
    (j * m * j.transpose() + q) * x + d
}

#[jacobian(wrt(x))]
fn by_elements(x: f64, m: Matrix3<f64>, w: Vector3<f64>) -> f64 {
    m[(0, 1)] * x + (m * w).x * x.sin() + w.norm() + (m.transpose() * w)[2] * x + m.m12 + (m * m)[(1, 2)] * x
}

#[jacobian(wrt(v))]
fn by_macros(v: Vector3<f64>, s: f64) -> Vector3<f64> {
    let w = vector![s, 1.0, 2.0];
    let m = matrix![s, 0.0, 1.0; 0.0, s, 2.0; 1.0, 1.0, s];
    m * v + w + m.transpose() * w
}

#[jacobian(wrt(v))]
fn between(v: Vector3<f64>, q: UnitQuaternion<f64>, r: UnitQuaternion<f64>) -> Vector3<f64> {
    (q.inverse() * r).scaled_axis() + v + q.rotation_to(&r) * v
}

#[jacobian(wrt(v))]
fn in_the_plane(v: Vector2<f64>, c: UnitComplex<f64>, t: Vector2<f64>) -> Vector2<f64> {
    c * v + c.inverse() * t + c.to_rotation_matrix() * t + Rotation2::new(0.3) * t
}

#[jacobian(wrt(v))]
fn symmetric(v: Vector3<f64>, m: Matrix3<f64>) -> Vector3<f64> {
    let (e, s) = (m.diagonal(), (m + m.transpose()) / 2.0);
    s * v + e * s.trace() + m.determinant() * v - m.tr_mul(&e)
}

#[jacobian(wrt(v))]
fn chosen(v: Vector3<f64>, a: Vector3<f64>, flag: bool) -> Vector3<f64> {
    let w = if flag { a.normalize() } else { a * 2.0 };
    let u = if flag { w.cross(&a) } else { w };
    v + w + u
}

#[jacobian(wrt(v))]
fn over_data(v: Vector3<f64>, a: &[Vector3<f64>]) -> Vector3<f64> {
    let mut sum = v;
    for w in a {
        sum += w.cross(&a[0]) * v.x + w.component_mul(w);
    }
    sum + a[0].cross(&a[1])
}

#[jacobian(wrt(v))]
fn views(v: Vector3<f64>, m: Matrix4<f64>) -> Vector3<f64> {
    let r = m.fixed_view::<3, 3>(0, 0).into_owned();
    let t = m.fixed_view::<3, 1>(0, 3);
    r * v + t
}

#[jacobian(wrt(x))]
fn axes(x: f64, v: Vector3<f64>) -> Vector3<f64> {
    v.cross(&Vector3::z()) * x + Vector3::<f64>::x() * x + Vector3::z_axis().into_inner()
}

#[jacobian(wrt(x))]
fn directions(x: f64, q: UnitQuaternion<f64>, axis: Vector3<f64>) -> Vector3<f64> {
    let u = Unit::new_normalize(axis);
    UnitQuaternion::from_axis_angle(&u, x) * u.into_inner() + (q * u).into_inner() * x.cos()
}

#[jacobian(wrt(x))]
fn rectangular(x: f64, a: SVector<f64, 5>, b: SMatrix<f64, 5, 2>) -> SVector<f64, 2> {
    b.transpose() * a * x + b.row(2).transpose()
}

#[jacobian(wrt(m))]
fn with_rotations(m: Matrix3<f64>, r: Rotation3<f64>) -> (Matrix3<f64>, Matrix3<f64>) {
    (m * r, r * m * r.inverse())
}

#[jacobian(wrt(v))]
fn solved(v: Vector3<f64>, m: Matrix3<f64>, b: Vector3<f64>) -> Vector3<f64> {
    let x = m.lu().solve(&b).unwrap();
    x + v + m.try_inverse().expect("regular") * b
}

#[jacobian(wrt(v))]
fn of_quaternions(v: Vector3<f64>, q: Quaternion<f64>) -> Vector3<f64> {
    let u = UnitQuaternion::from_quaternion(q);
    u.imag() * u.w + v * q.norm() + q.normalize().imag()
}

#[jacobian(wrt(v))]
fn isometries(v: Vector2<f64>, t: Isometry2<f64>, p: Point2<f64>) -> Point2<f64> {
    t.inverse() * p + t.rotation * v + t.translation.vector
}
const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

/// A struct that the macro does not see.
struct Cfg {
    r: Matrix3<f64>,
    lever: Vector3<f64>,
    k: f64,
}

#[jacobian(wrt(v))]
fn gravity(v: Vector3<f64>, q: UnitQuaternion<f64>) -> Vector3<f64> {
    q.inverse() * GRAVITY + v
}

#[jacobian(wrt(v))]
fn fields_from_elsewhere(v: Vector3<f64>, cfg: &Cfg) -> Vector3<f64> {
    let r: Matrix3<f64> = cfg.r;
    let lever: Vector3<f64> = cfg.lever;
    r * (v + lever) * cfg.k + r.transpose() * lever * cfg.k
}

#[jacobian(wrt(v))]
fn changed(v: Vector3<f64>, w: Vector3<f64>) -> Vector3<f64> {
    let mut k = w.cross(&GRAVITY);
    k += w.component_mul(&w);
    k *= 2.0;
    k[0] += 1.0;
    k.y = 3.0;
    k + v
}

#[jacobian(wrt(v))]
fn summed(v: Vector3<f64>, ws: &[Vector3<f64>], m: Matrix3<f64>) -> Vector3<f64> {
    let mut bias = Vector3::zeros();
    for w in ws {
        bias += m.transpose() * w;
    }
    bias + v
}

#[jacobian(wrt(v))]
fn over_rows(v: Vector3<f64>, m: Matrix3<f64>) -> f64 {
    let rows = [m.row(0).transpose(), m.row(1).transpose(), m.row(2).transpose()];
    rows.iter().map(|r| r.dot(&v)).sum::<f64>() + (m * v).iter().map(|x| x * x).sum::<f64>()
}

#[allow(clippy::op_ref, reason = "operators on references are what is tested")]
#[jacobian(wrt(v))]
fn in_closures(v: Vector3<f64>, m: Matrix3<f64>) -> f64 {
    let rot = |w: Vector3<f64>| m * w;
    let a = rot(GRAVITY);
    let b = rot(v);
    a.dot(&b) + (&m.transpose() * &a).dot(&v)
}

#[jacobian(wrt(v))]
fn from_columns(v: Vector3<f64>, m: Matrix3<f64>) -> Vector3<f64> {
    let j = Matrix3::from_columns(&[m.column(0), m.column(1), m.column(2)]);
    let d = Matrix3::from_diagonal(&m.diagonal());
    let f = Matrix3::from_fn(|i, j| (i + j) as f64);
    (j + d + f) * v + f * m.diagonal()
}

#[jacobian]
mod helpers {
    use nalgebra::{Matrix3, Vector3};

    pub fn skew(w: Vector3<f64>) -> Matrix3<f64> {
        Matrix3::new(0.0, -w.z, w.y, w.z, 0.0, -w.x, -w.y, w.x, 0.0)
    }

    #[derive(Copy, Clone)]
    pub struct Params {
        pub r: Matrix3<f64>,
        pub lever: Vector3<f64>,
    }

    impl Params {
        pub fn turned(&self) -> Vector3<f64> {
            self.r * self.lever
        }
    }

    #[jacobian(wrt(v))]
    pub fn g1(v: Vector3<f64>, w: Vector3<f64>) -> Vector3<f64> {
        skew(w) * skew(w).transpose() * v + skew(v) * w + skew(w) * w
    }

    #[jacobian(wrt(v))]
    pub fn g2(v: Vector3<f64>, p: &Params) -> Vector3<f64> {
        p.r.transpose() * (v - p.lever) + p.turned() + p.r * p.lever
    }
}

#[jacobian(wrt(x))]
fn angle_between(x: f64, a: Vector3<f64>, b: Vector3<f64>) -> f64 {
    let angle = a.cross(&b).norm().atan2(a.dot(&b));
    if angle > 0.5 { x * angle } else { x * x * a.norm() }
}

#[jacobian(wrt(v))]
fn in_a_loop(v: Vector3<f64>, m: Matrix3<f64>, n: usize) -> Vector3<f64> {
    let mut x = v;
    for _ in 0..n {
        x = m.transpose() * x * 0.5 + m.column(1);
    }
    x
}

#[jacobian(wrt(v))]
fn matrices_of_rotations(v: Vector3<f64>, r: Rotation3<f64>, t: Translation3<f64>) -> Vector3<f64> {
    r.inverse() * (v - t.vector) + r.matrix() * t.vector + r.matrix().column(0)
}

#[jacobian(wrt(v))]
fn parts_of_isometries(v: Vector3<f64>, pose: &Isometry3<f64>) -> Vector3<f64> {
    let r = pose.rotation.to_rotation_matrix();
    r * v
        + pose.translation.vector
        + pose.rotation * v
        + pose.inverse().translation.vector
        + r.matrix().row(0).transpose()
}

#[jacobian(wrt(v))]
fn state_space(v: Vector4<f64>, dt: f64) -> Vector4<f64> {
    let f = Matrix4::new(1.0, 0.0, dt, 0.0, 0.0, 1.0, 0.0, dt, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    let g = Vector4::new(0.5 * dt * dt, 0.0, dt, 0.0);
    f * v + g * v.x.sin() + f * g
}

#[jacobian(wrt(x))]
fn points(x: f64, p: Point3<f64>, q: Point3<f64>) -> f64 {
    (p - q).norm() * x + (p.coords - q.coords).dot(&(p + q.coords).coords) * x.sin() + distance(&p, &q) * x
}

#[jacobian(wrt(v))]
fn single(v: Vector3<f32>, m: Matrix3<f32>, w: Vector3<f32>) -> Vector3<f32> {
    m.transpose() * v + m.transpose() * w * 2.0
}

#[jacobian(wrt(v))]
fn generic<T: RealField + Copy>(v: Vector3<T>, m: Matrix3<T>, w: Vector3<T>) -> Vector3<T> {
    m.transpose() * v + m.transpose() * w + w.cross(&w)
}

#[jacobian(wrt(v))]
fn told(v: Vector2<f64>, m: Matrix2<f64>) -> Vector2<f64> {
    let s = m * m.transpose();
    let l = s.cholesky().unwrap();
    let w: Vector2<f64> = l.solve(&Vector2::new(1.0, 2.0));
    let i: Matrix2<f64> = l.inverse();
    i * v + w
}

fn vector3(x: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(&x[..3])
}

const X: [f64; 17] = [0.3, 0.8, -0.4, 0.6, -0.9, 0.2, 0.5, 0.1, -0.7, 0.9, 0.4, -0.3, 0.7, -0.2, 0.35, -0.65, 1.1];

/// The first `N` numbers of `X`.
fn first<const N: usize>() -> [f64; N] {
    std::array::from_fn(|at| X[at])
}

/// Compares a function whose floats are made of an array with differences.
macro_rules! compare {
    ($f:path, $jac:path, $n:literal, |$x:ident| $($argument:expr),+) => {
        differences(|$x: [f64; $n]| $f($($argument),+), |$x: [f64; $n]| $jac($($argument),+), first())
    };
}

#[test]
fn methods_and_operators() {
    let h = SMatrix::<f64, 2, 4>::from_fn(|i, j| (i as f64 - 0.3) * (j as f64 + 0.7));
    let (w, u) = (Vector3::new(0.3, -0.7, 1.1), Vector3::new(1.3, 0.2, -0.4));
    let m = Matrix3::new(2.0, 0.3, -0.4, 0.1, 1.7, 0.5, -0.2, 0.6, 1.2);
    let q = UnitQuaternion::from_scaled_axis(w);
    compare!(innovation_covariance, innovation_covariance_jac, 17, |x| SMatrix::from_column_slice(&x[..16]), h, x[16]);
    compare!(inner_product, inner_product_jac, 1, |x| x[0], w, u);
    compare!(turned_by_a_matrix, turned_by_a_matrix_jac, 3, |x| vector3(&x), q, u);
    compare!(corrected, corrected_jac, 3, |x| vector3(&x), h.fixed_columns::<3>(0).into_owned(), Matrix2::identity());
    compare!(by_components, by_components_jac, 3, |x| vector3(&x), w, &u);
    compare!(by_parts, by_parts_jac, 2, |x| Vector2::from(x), m, 1);
    compare!(transposed, transposed_jac, 3, |x| vector3(&x), q, u);
    compare!(homogeneous, homogeneous_jac, 3, |x| Point3::from(x), q, u);
    compare!(constructed, constructed_jac, 1, |x| x[0], m, 0.3);
    compare!(by_elements, by_elements_jac, 1, |x| x[0], m, w);
    compare!(by_macros, by_macros_jac, 3, |x| vector3(&x), 0.3);
    compare!(symmetric, symmetric_jac, 3, |x| vector3(&x), m);
    compare!(views, views_jac, 3, |x| vector3(&x), m.to_homogeneous());
    compare!(rectangular, rectangular_jac, 1, |x| x[0], SVector::from(first()), SMatrix::from_column_slice(&X[..10]));
    compare!(solved, solved_jac, 3, |x| vector3(&x), m, w);
    compare!(from_columns, from_columns_jac, 3, |x| vector3(&x), m);
    compare!(state_space, state_space_jac, 4, |x| Vector4::from(x), 0.1);
    compare!(generic, generic_jac, 3, |x| vector3(&x), m, w);
    let of = |x: [f64; 3]| vector3(&x).map(|x| x as f32);
    let near = single_jac(of(first()), m.map(|x| x as f32), w.map(|x| x as f32)).1;
    (0..9).for_each(|at| assert_eq!(near[at / 3][at % 3], m.transpose()[(at / 3, at % 3)] as f32));
    compare!(told, told_jac, 2, |x| Vector2::from(x), Matrix2::new(1.0, 0.3, 0.2, 1.4));
}

#[test]
fn rotations_and_isometries() {
    let (w, u) = (Vector3::new(0.3, -0.7, 1.1), Vector3::new(1.3, 0.2, -0.4));
    let (q, r) = (UnitQuaternion::from_scaled_axis(w), UnitQuaternion::from_scaled_axis(u));
    compare!(between, between_jac, 3, |x| vector3(&x), q, r);
    compare!(in_the_plane, in_the_plane_jac, 2, |x| Vector2::from(x), UnitComplex::new(0.4), Vector2::new(0.3, 0.1));
    compare!(axes, axes_jac, 1, |x| x[0], w);
    compare!(directions, directions_jac, 1, |x| x[0], q, w);
    compare!(with_rotations, with_rotations_jac, 9, |x| Matrix3::from_column_slice(&x), Rotation3::new(w));
    compare!(of_quaternions, of_quaternions_jac, 3, |x| vector3(&x), Quaternion::new(0.3, 0.4, 0.5, -0.1));
    let pose = Isometry2::new(Vector2::new(0.1, 0.4), 0.3);
    compare!(isometries, isometries_jac, 2, |x| Vector2::from(x), pose, Point2::new(1.0, 2.0));
    compare!(
        matrices_of_rotations,
        matrices_of_rotations_jac,
        3,
        |x| vector3(&x),
        Rotation3::new(w),
        Translation3::from(u)
    );
    compare!(parts_of_isometries, parts_of_isometries_jac, 3, |x| vector3(&x), &Isometry3::new(u, w));
    compare!(points, points_jac, 1, |x| x[0], Point3::from(w), Point3::from(u));
}

/// The first part is passive in the first iteration, and active in the second.
#[jacobian(wrt(g))]
fn active_one_after_the_other(g: f64, first: (Vector3<f64>, Vector3<f64>), n: usize) -> f64 {
    let mut s = first;
    for _ in 0..n {
        s = (s.0 + s.1 * 0.1, s.1 - s.0 * g);
    }
    s.0.dot(&s.1)
}

#[test]
fn wherever_they_are() {
    let (w, u) = (Vector3::new(0.3, -0.7, 1.1), Vector3::new(1.3, 0.2, -0.4));
    let m = Matrix3::new(2.0, 0.3, -0.4, 0.1, 1.7, 0.5, -0.2, 0.6, 1.2);
    compare!(chosen, chosen_jac, 3, |x| vector3(&x), w, true);
    compare!(chosen, chosen_jac, 3, |x| vector3(&x), w, false);
    compare!(over_data, over_data_jac, 3, |x| vector3(&x), &[w, u, w + u]);
    compare!(gravity, gravity_jac, 3, |x| vector3(&x), UnitQuaternion::from_scaled_axis(w));
    compare!(fields_from_elsewhere, fields_from_elsewhere_jac, 3, |x| vector3(&x), &Cfg { r: m, lever: w, k: 0.3 });
    compare!(changed, changed_jac, 3, |x| vector3(&x), w);
    compare!(summed, summed_jac, 3, |x| vector3(&x), &[w, u], m);
    compare!(over_rows, over_rows_jac, 3, |x| vector3(&x), m);
    compare!(in_closures, in_closures_jac, 3, |x| vector3(&x), m);
    compare!(helpers::g1, helpers::g1_jac, 3, |x| vector3(&x), w);
    compare!(helpers::g2, helpers::g2_jac, 3, |x| vector3(&x), &helpers::Params { r: m, lever: w });
    compare!(angle_between, angle_between_jac, 1, |x| x[0], w, u);
    compare!(in_a_loop, in_a_loop_jac, 3, |x| vector3(&x), m, 3);
    for n in [0, 1, 4] {
        compare!(active_one_after_the_other, active_one_after_the_other_jac, 1, |x| x[0], (w, u), n);
    }
}
