//! The position of a body on an ellipse, and how it depends on what the orbit is given by: Kepler's equation is solved
//! by an iteration that stops when it is near, and differentiated by the implicit function theorem. The transition
//! matrix is compared with its closed form.

use std::f64::consts::TAU;

use jacobian::jacobian;

/// The eccentric anomaly, which Newton's method finds; it stops early, after a step of less than 1e-9.
fn eccentric_anomaly(mean: f64, eccentricity: f64) -> f64 {
    let mut anomaly = if eccentricity < 0.8 { mean } else { 0.5 * TAU };
    for _ in 0..50 {
        let step = kepler(mean, eccentricity, anomaly) / (1.0 - eccentricity * anomaly.cos());
        anomaly -= step;
        if step.abs() < 1e-9 {
            break;
        }
    }
    anomaly
}

/// Kepler's equation.
#[jacobian]
fn kepler(mean: f64, eccentricity: f64, anomaly: f64) -> f64 {
    anomaly - eccentricity * anomaly.sin() - mean
}

/// The position in the plane of the orbit, with the semi-major axis `a`, the eccentricity `e` and the mean anomaly `m` at
/// the epoch, a time `t` after it; the body that is orbited has the gravitational parameter 1.
#[jacobian(with(eccentric_anomaly = implicit(kepler)))]
fn position(a: f64, e: f64, m: f64, t: f64) -> [f64; 2] {
    let anomaly = eccentric_anomaly(m + t / (a * a * a).sqrt(), e);
    [a * (anomaly.cos() - e), a * (1.0 - e * e).sqrt() * anomaly.sin()]
}

/// The columns of the Jacobian in closed form (Montenbruck and Gill, Satellite Orbits, section 7.1).
fn closed(a: f64, e: f64, m: f64, t: f64) -> [[f64; 4]; 2] {
    let motion = 1.0 / (a * a * a).sqrt();
    let (sin, cos) = eccentric_anomaly(m + t * motion, e).sin_cos();
    let (root, radius) = ((1.0 - e * e).sqrt(), 1.0 - e * cos);
    let by_mean = [-a * sin / radius, a * root * cos / radius];
    let by_mean_of_a = -1.5 * t * motion / a;
    [
        [cos - e + by_mean[0] * by_mean_of_a, by_mean[0] * sin - a, by_mean[0], by_mean[0] * motion],
        [
            root * sin + by_mean[1] * by_mean_of_a,
            by_mean[1] * sin - a * e / root * sin,
            by_mean[1],
            by_mean[1] * motion,
        ],
    ]
}

fn main() {
    let (mut worst, steps) = (0.0f64, 24);
    for e in [0.0, 0.2, 0.7, 0.95] {
        for step in 0..steps {
            let t = TAU * f64::from(step) / f64::from(steps);
            let (place, jacobian) = position_jac(1.1, e, 0.3, t);
            if step % 6 == 0 {
                println!("e = {e}, t = {t:.3}: at {place:.6?}, moving by {:.6?}", jacobian.map(|row| row[3]));
            }
            for (row, expected) in jacobian.iter().zip(closed(1.1, e, 0.3, t)) {
                for (entry, expected) in row.iter().zip(expected) {
                    worst = worst.max((entry - expected).abs() / (1.0 + expected.abs()));
                }
            }
        }
    }
    println!("the largest difference to the closed form is {worst:.1e}");
    assert!(worst < 1e-13, "the Jacobian is not that of the orbit");
}
