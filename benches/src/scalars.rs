//! Functions with a single result, whose gradients and Hessians are wanted. Each is a module with the function `f`, its
//! derivatives, and `generic`, its twin over any type of numbers.

use generic_twin::generic_twin;
use jacobian::jacobian;

macro_rules! functions {
    ($($functions:tt)+) => { modules! {
        [
            #[jacobian(forms(jvp, jvp_into, vjp, vjp_into, hess, hess_into, hvp, hvp_into))]
        ]
        $($functions)+
    } };
}

functions! {
    /// Optimization: Rosenbrock's function of eight variables.
    fn rosenbrock(x: &[f64; 8]) -> [f64; 1] {
        let mut sum = 0.0;
        for i in 0..7 {
            let (a, b) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
            sum += 100.0 * a * a + b * b;
        }
        [sum]
    }

    /// Finance: the price of a call by Black and Scholes, with the normal distribution by a hyperbolic tangent.
    fn black_scholes(x: &[f64; 5]) -> [f64; 1] {
        let [s, k, r, sigma, t] = *x;
        let width = sigma * t.sqrt();
        let d1 = ((s / k).ln() + (r + 0.5 * sigma * sigma) * t) / width;
        let d2 = d1 - width;
        let n1 = 0.5 * (1.0 + (0.7978845608 * (d1 + 0.044715 * d1 * d1 * d1)).tanh());
        let n2 = 0.5 * (1.0 + (0.7978845608 * (d2 + 0.044715 * d2 * d2 * d2)).tanh());
        [s * n1 - k * (-r * t).exp() * n2]
    }

    /// Molecular dynamics: the energy of three particles by the potential of Lennard and Jones.
    fn lennard_jones(x: &[f64; 9]) -> [f64; 1] {
        let mut energy = 0.0;
        for i in 0..3 {
            for j in 0..i {
                let (dx, dy, dz) = (x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1], x[3 * i + 2] - x[3 * j + 2]);
                let inverse = 1.0 / (dx * dx + dy * dy + dz * dz);
                let sixth = inverse * inverse * inverse;
                energy += 4.0 * (sixth * sixth - sixth);
            }
        }
        [energy]
    }

    /// Computer vision: the squared error of a point in an image, by a camera with distortion (Bundle Adjustment in the
    /// Large).
    fn squared_reprojection(x: &[f64; 12]) -> [f64; 1] {
        const OBSERVED: [f64; 2] = [-332.65, 262.09];
        let [rx, ry, rz, tx, ty, tz, focal, k1, k2, px, py, pz] = *x;
        let angle = (rx * rx + ry * ry + rz * rz).sqrt();
        let (cos, sin) = (angle.cos(), angle.sin());
        let scale = 1.0 / angle;
        let (wx, wy, wz) = (rx * scale, ry * scale, rz * scale);
        let along = (wx * px + wy * py + wz * pz) * (1.0 - cos);
        let qx = px * cos + (wy * pz - wz * py) * sin + wx * along + tx;
        let qy = py * cos + (wz * px - wx * pz) * sin + wy * along + ty;
        let qz = pz * cos + (wx * py - wy * px) * sin + wz * along + tz;
        let (u, v) = (-(qx / qz), -(qy / qz));
        let r2 = u * u + v * v;
        let magnified = focal * (1.0 + r2 * (k1 + k2 * r2));
        let (a, b) = (magnified * u - OBSERVED[0], magnified * v - OBSERVED[1]);
        [a * a + b * b]
    }
}
