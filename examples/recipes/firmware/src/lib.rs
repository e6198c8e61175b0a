//! A step of an extended Kalman filter for a microcontroller: single precision, no standard library, no allocation, and
//! the functions of floats by libm. It is checked on the host, and built for a Cortex-M4 by
//! `cargo build -p firmware --target thumbv7em-none-eabihf`.
//!
//! ```text
//! cargo test -p firmware
//! ```

#![no_std]

use jacobian::jacobian;

/// The angle and the angular velocity of a pendulum after a step of time.
#[jacobian(wrt(state))]
pub fn step(state: [f32; 2], dt: f32) -> [f32; 2] {
    let velocity = state[1] - dt * 9.81 * libm::sinf(state[0]);
    [state[0] + dt * velocity, velocity]
}

/// How far the bob is to the side.
#[jacobian]
pub fn seen(state: [f32; 2]) -> f32 {
    libm::sinf(state[0])
}

/// What is known of the pendulum: the state, and its covariance.
pub struct Filter {
    pub state: [f32; 2],
    pub covariance: [[f32; 2]; 2],
}

impl Filter {
    /// Takes a measurement after a step of time.
    pub fn update(&mut self, measured: f32, dt: f32) {
        let (state, f) = step_jac(self.state, dt);
        let mut p = [[0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    for l in 0..2 {
                        p[i][j] += f[i][k] * self.covariance[k][l] * f[j][l];
                    }
                }
            }
            p[i][i] += 1e-5;
        }
        let (expected, h) = seen_jac(state);
        let across = [p[0][0] * h[0] + p[0][1] * h[1], p[1][0] * h[0] + p[1][1] * h[1]];
        let variance = h[0] * across[0] + h[1] * across[1] + 1e-4;
        for i in 0..2 {
            let gain = across[i] / variance;
            self.state[i] = state[i] + gain * (measured - expected);
            for j in 0..2 {
                self.covariance[i][j] = p[i][j] - gain * across[j];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_finds_the_pendulum() {
        let mut truth = [0.8, 0.0];
        let mut filter = Filter { state: [0.3, 0.5], covariance: [[1.0, 0.0], [0.0, 1.0]] };
        for _ in 0..500 {
            truth = step(truth, 0.01);
            filter.update(seen(truth), 0.01);
        }
        for (state, truth) in filter.state.into_iter().zip(truth) {
            assert!((state - truth).abs() < 0.02, "{state} {truth}");
        }
    }
}
