//! Vectors that are passive at first, as the state of run-time loops and where arms of branches meet.

use jacobian::jacobian;
use nalgebra::{Matrix2, UnitQuaternion, Vector2, Vector3};

use crate::differences;

#[test]
fn sums_of_vectors() {
    #[jacobian]
    fn f(m: [f64; 2], n: usize) -> [f64; 2] {
        let m = Vector2::new(m[0], m[1]);
        let mut sum = Vector2::zeros();
        let mut last: Vector2<f64> = Vector2::new(1.0, 2.0);
        let mut passive: Vector2<f64> = Vector2::zeros();
        for k in 0..n {
            passive += Vector2::new(1.0, k as f64);
            sum += m * k as f64;
            if k > 1 {
                last = m * last.x + passive;
            }
        }
        [sum.dot(&last), last.y]
    }
    for n in [0, 1, 5] {
        differences(|x| f(x, n), |x| f_jac(x, n), [0.5, -0.3]);
    }
}

#[test]
fn powers_of_a_matrix() {
    #[jacobian]
    fn f(m: [f64; 4], n: usize) -> [f64; 4] {
        let m = Matrix2::new(m[0], m[1], m[2], m[3]);
        let mut term: Matrix2<f64> = Matrix2::identity();
        let mut sum: Matrix2<f64> = Matrix2::identity();
        for k in 1..=n {
            term = term * m / k as f64;
            sum += term;
        }
        [sum[(0, 0)], sum[(0, 1)], sum[(1, 0)], sum[(1, 1)]]
    }
    for n in [0, 1, 6] {
        differences(|x| f(x, n), |x| f_jac(x, n), [0.1, 0.4, -0.3, 0.2]);
    }
}

#[test]
fn parts_of_arrays_and_tuples() {
    #[jacobian]
    fn f(m: [f64; 2], n: usize) -> [f64; 2] {
        let m = Vector2::new(m[0], m[1]);
        let zero: Vector2<f64> = Vector2::zeros();
        let (mut bins, mut pair) = ([zero, zero], (zero, 1.0));
        for k in 0..n {
            bins[k % 2] += m * k as f64;
            pair = (pair.0 + bins[1], pair.1 * m.x);
        }
        [bins[0].dot(&bins[1]) + pair.1, pair.0.norm_squared()]
    }
    for n in [0, 1, 4] {
        differences(|x| f(x, n), |x| f_jac(x, n), [0.5, -0.3]);
    }
}

#[test]
fn arms() {
    #[jacobian]
    fn f(m: [f64; 2], flag: bool) -> f64 {
        let m = Vector2::new(m[0], m[1]);
        let mut sum = Vector2::zeros();
        if flag {
            sum += m * 2.0;
        }
        let chosen = if m.x > 0.4 { Vector2::new(1.0, 2.0) } else { m };
        let mut pair = (Vector2::new(0.5, 0.25), 1.0);
        if flag {
            pair.0 = m;
            pair.1 = m.x;
        }
        (sum + chosen).dot(&pair.0) * pair.1 + m.y
    }
    for (x, flag) in [([0.5, -0.3], true), ([0.5, -0.3], false), ([0.3, 0.2], true), ([0.3, 0.2], false)] {
        differences(|x| f(x, flag), |x| f_jac(x, flag), x);
    }
}

#[jacobian]
mod inertial {
    use nalgebra::Vector3;

    pub struct Preintegrated {
        shift: Vector3<f64>,
        speed: Vector3<f64>,
        time: f64,
    }

    impl Default for Preintegrated {
        fn default() -> Self {
            Preintegrated { shift: Vector3::zeros(), speed: Vector3::zeros(), time: 0.0 }
        }
    }

    #[jacobian(wrt(bias))]
    pub fn preintegrated(bias: [f64; 3], samples: &[([f64; 3], f64)]) -> [f64; 3] {
        let bias = Vector3::new(bias[0], bias[1], bias[2]);
        let mut state = Preintegrated::default();
        for (measured, step) in samples {
            let (measured, step): (Vector3<f64>, f64) = (Vector3::new(measured[0], measured[1], measured[2]), *step);
            let rate = measured - bias;
            state.shift += state.speed * step + rate * (0.5 * step * step);
            state.speed += rate * step + bias.cross(&state.speed) * step;
            state.time += step;
        }
        [state.shift.x, state.speed.dot(&state.shift), state.speed.z * state.time]
    }
}

#[test]
fn structs_of_vectors() {
    let samples = [([0.1, 0.2, 9.8], 0.25), ([0.3, -0.2, 9.5], 0.5), ([0.0, 0.4, 9.1], 0.125)];
    for samples in [&samples[..], &[]] {
        let f = |x| inertial::preintegrated(x, samples);
        differences(f, |x| inertial::preintegrated_jac(x, samples), [0.1, -0.2, 0.05]);
    }
}

/// It is so long that its statements are in blocks: what is in them may not borrow from what ends there.
#[test]
fn a_reference_to_what_a_call_gives_in_a_long_function() {
    #[jacobian]
    fn f(x: [f64; 3]) -> f64 {
        let axis = &Vector3::x_axis();
        let mut q = UnitQuaternion::from_euler_angles(x[0], x[1], x[2]);
        for i in 0..12 {
            q *= UnitQuaternion::from_axis_angle(&Vector3::z_axis(), x[i % 3]);
            q *= UnitQuaternion::from_axis_angle(axis, x[(i + 1) % 3]);
        }
        q.w * q.i
    }
    differences(f, f_jac, [0.1, -0.2, 0.3]);
}

/// What the numbers of a vector are is known from the one that it is swapped with.
#[test]
fn vectors_of_numbers_are_swapped() {
    #[jacobian(wrt(x))]
    fn once(x: [f64; 2], n: usize) -> f64 {
        let mut v = Vector2::new(x[0], x[1]);
        let mut o = Vector2::new(0.0, 0.5);
        if n > 2 {
            std::mem::swap(&mut v, &mut o);
        }
        v.x * 2.0 + o.y
    }
    #[jacobian(wrt(x))]
    fn surely(x: [f64; 2]) -> f64 {
        let mut v = Vector2::new(x[0], x[1]);
        let mut o = Vector2::new(0.0, 0.5);
        std::mem::swap(&mut v, &mut o);
        v.x + o.y
    }
    #[jacobian(wrt(x))]
    fn repeated(x: [f64; 2], n: usize) -> f64 {
        let mut v = Vector2::new(x[0], x[1]);
        let mut o = Vector2::new(0.0, 0.5);
        for _ in 0..n {
            v.x *= x[1];
            o = std::mem::replace(&mut v, o);
        }
        v.x + o.y
    }
    differences(surely, surely_jac, [0.7, -1.3]);
    for n in 0..5 {
        differences(|x| once(x, n), |x| once_jac(x, n), [0.7, -1.3]);
        differences(|x| repeated(x, n), |x| repeated_jac(x, n), [0.7, -1.3]);
    }
}
