//! How the motion of a damped oscillator depends on its parameters: an integrator by Runge and Kutta, whose number of
//! steps is known only when it runs, is differentiated as the loop that it is. The derivatives are compared with those of
//! the closed solution.

use jacobian::jacobian;

/// The place and the speed after `steps` steps to the time `end`, from the place 1 at rest, where the acceleration is
/// `-k x - c v`.
#[jacobian(wrt(k, c))]
fn state(k: f64, c: f64, end: f64, steps: usize) -> [f64; 2] {
    let h = end / steps as f64;
    let rate = |[x, v]: [f64; 2]| [v, -k * x - c * v];
    let along = |s: [f64; 2], d: [f64; 2], by: f64| [s[0] + by * d[0], s[1] + by * d[1]];
    let mut s = [1.0, 0.0];
    for _ in 0..steps {
        let first = rate(s);
        let second = rate(along(s, first, 0.5 * h));
        let third = rate(along(s, second, 0.5 * h));
        let fourth = rate(along(s, third, h));
        for i in 0..2 {
            s[i] += h / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + fourth[i]);
        }
    }
    s
}

/// The same in closed form, where the damping is weak.
#[jacobian(wrt(k, c))]
fn closed(k: f64, c: f64, t: f64) -> [f64; 2] {
    let frequency = (k - 0.25 * c * c).sqrt();
    let (sin, cos) = (frequency * t).sin_cos();
    let decay = (-0.5 * c * t).exp();
    [decay * (cos + 0.5 * c / frequency * sin), -decay * k / frequency * sin]
}

fn main() {
    let (k, c, end) = (4.0, 0.3, 5.0);
    let (exact, expected) = closed_jac(k, c, end);
    println!("the closed form: {exact:.9?}, by k and c {expected:.9?}");
    let mut errors = Vec::new();
    for steps in [100, 200, 400, 800] {
        let (found, jacobian) = state_jac(k, c, end, steps);
        assert_eq!(found, state(k, c, end, steps));
        let entries = jacobian.as_flattened().iter().zip(expected.as_flattened());
        let error = entries.map(|(entry, expected)| (entry - expected).abs()).fold(0.0, f64::max);
        println!("{steps} steps: {found:.9?}, by k and c {jacobian:.9?}, wrong by {error:.1e}");
        errors.push(error);
    }
    for pair in errors.windows(2) {
        assert!((14.0..18.0).contains(&(pair[0] / pair[1])), "the derivatives are not of fourth order: {errors:?}");
    }
    assert!(errors[3] < 1e-8, "the derivatives are not those of the closed form");
}
