//! Functions that call the mathematical library, where it matters in which order the statements are written: what a
//! call waits for, and what waits for it. Each is a module with the function `f`, its Jacobians under every schedule,
//! by value and in place, and `generic`, its twin over any type of numbers.

use generic_twin::generic_twin;
use jacobian::jacobian;

modules! {
    [
        #[jacobian(into, name = "source", schedule = "source")]
        #[jacobian(into, name = "latency", schedule = "latency")]
        #[jacobian(into, name = "depth_first", schedule = "depth-first")]
        #[jacobian(into, name = "list", schedule = "list")]
        #[jacobian(into, name = "pressure", schedule = "pressure")]
    ]

    /// Finance: the volatility that Hagan's formula gives an option under the SABR model.
    fn sabr(x: &[f64; 4]) -> [f64; 1] {
        const YEARS: f64 = 2.0;
        const LOG_PRODUCT: f64 = -7.195437351433918;
        const LOG_QUOTIENT: f64 = 0.1823215567939546;
        let [alpha, beta, rho, nu] = *x;
        let om = 1.0 - beta;
        let fk = (om * (0.5 * LOG_PRODUCT)).exp();
        let z = nu / alpha * fk * LOG_QUOTIENT;
        let x = (((1.0 - 2.0 * rho * z + z * z).sqrt() + z - rho) / (1.0 - rho)).ln();
        let om2 = om * om;
        let d = fk * (1.0 + om2 * (LOG_QUOTIENT * LOG_QUOTIENT / 24.0) + om2 * om2 * (LOG_QUOTIENT * LOG_QUOTIENT * LOG_QUOTIENT * LOG_QUOTIENT / 1920.0));
        let e = om2 / 24.0 * alpha * alpha / (fk * fk)
            + 0.25 * rho * beta * nu * alpha / fk
            + (2.0 - 3.0 * rho * rho) / 24.0 * nu * nu;
        [alpha / d * z / x * (1.0 + e * YEARS)]
    }

    /// Finance: a call and a put, with the logistic approximation of the normal distribution.
    fn black_scholes(x: &[f64; 5]) -> [f64; 2] {
        let [s, k, r, sigma, t] = *x;
        let width = sigma * t.sqrt();
        let d1 = ((s / k).ln() + (r + 0.5 * sigma * sigma) * t) / width;
        let d2 = d1 - width;
        let n1 = 1.0 / (1.0 + (-1.5976 * d1 - 0.07056 * d1 * d1 * d1).exp());
        let n2 = 1.0 / (1.0 + (-1.5976 * d2 - 0.07056 * d2 * d2 * d2).exp());
        let discounted = k * (-r * t).exp();
        let call = s * n1 - discounted * n2;
        [call, call - s + discounted]
    }

    /// Geodesy: latitude, longitude and height of a place on the Earth, in thousands of kilometres, by Bowring's
    /// formula.
    fn geodetic(x: &[f64; 3]) -> [f64; 3] {
        const A: f64 = 6.378137;
        const B: f64 = 6.356752314;
        const E2: f64 = 0.00669437999;
        const F2: f64 = 0.00673949674;
        let [x, y, z] = *x;
        let p = (x * x + y * y).sqrt();
        let u = (z / p * (A / B)).atan();
        let (s, c) = (u.sin(), u.cos());
        let latitude = ((z + s * s * s * (F2 * B)) / (p - c * c * c * (E2 * A))).atan();
        let sine = latitude.sin();
        let normal = A / (1.0 - E2 * sine * sine).sqrt();
        [latitude, (y / x).atan(), p / latitude.cos() - normal]
    }

    /// Astronomy: the place of a planet by its elements, with three of Newton's steps for Kepler's equation.
    fn kepler(x: &[f64; 6]) -> [f64; 3] {
        let [a, e, inclination, node, perihelion, mean] = *x;
        let mut anomaly = mean;
        for _ in 0..3 {
            anomaly = anomaly - (anomaly - e * anomaly.sin() - mean) / (1.0 - e * anomaly.cos());
        }
        let px = a * (anomaly.cos() - e);
        let py = a * (1.0 - e * e).sqrt() * anomaly.sin();
        let (sw, cw) = (perihelion.sin(), perihelion.cos());
        let (u, v) = (cw * px - sw * py, sw * px + cw * py);
        let (so, co) = (node.sin(), node.cos());
        let (si, ci) = (inclination.sin(), inclination.cos());
        [co * u - so * ci * v, so * u + co * ci * v, si * v]
    }

    /// Navigation: a step of an inertial unit, its attitude a quaternion: rotation by the rates, and velocity.
    fn strapdown(x: &[f64; 13]) -> [f64; 7] {
        const STEP: f64 = 0.01;
        let [qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, ax, ay, az] = *x;
        let (hx, hy, hz) = (0.5 * STEP * wx, 0.5 * STEP * wy, 0.5 * STEP * wz);
        let n = (hx * hx + hy * hy + hz * hz).sqrt();
        let (s, c) = (n.sin() / n, n.cos());
        let (ex, ey, ez) = (hx * s, hy * s, hz * s);
        let tx = 2.0 * (qy * az - qz * ay);
        let ty = 2.0 * (qz * ax - qx * az);
        let tz = 2.0 * (qx * ay - qy * ax);
        [
            qw * c - qx * ex - qy * ey - qz * ez,
            qw * ex + qx * c + qy * ez - qz * ey,
            qw * ey - qx * ez + qy * c + qz * ex,
            qw * ez + qx * ey - qy * ex + qz * c,
            vx + STEP * (ax + qw * tx + qy * tz - qz * ty),
            vy + STEP * (ay + qw * ty + qz * tx - qx * tz),
            vz + STEP * (az + qw * tz + qx * ty - qy * tx - 9.81),
        ]
    }

    /// Computer vision: a point in the image of a wide-angle camera, by the angle of its ray.
    fn fisheye(x: &[f64; 9]) -> [f64; 2] {
        let [wx, wy, wz, tx, ty, tz, px, py, pz] = *x;
        let angle = (wx * wx + wy * wy + wz * wz).sqrt();
        let (s, c) = (angle.sin(), angle.cos());
        let (ax, ay, az) = (wx / angle, wy / angle, wz / angle);
        let d = (ax * px + ay * py + az * pz) * (1.0 - c);
        let x = px * c + (ay * pz - az * py) * s + ax * d + tx;
        let y = py * c + (az * px - ax * pz) * s + ay * d + ty;
        let z = pz * c + (ax * py - ay * px) * s + az * d + tz;
        let r = (x * x + y * y).sqrt();
        let theta = (r / z).atan();
        let square = theta * theta;
        let rho = theta * (1.0 + square * (0.013 + square * (-0.0087 + square * 0.0011)));
        [380.0 * rho * x / r + 320.0, 379.0 * rho * y / r + 240.0]
    }

    /// Combustion: the rates of a reaction whose rate falls off with the pressure by Troe's formula, and of another.
    fn troe(x: &[f64; 5]) -> [f64; 4] {
        let [a, b, c, d, t] = *x;
        let (inverse, log) = (1.0 / t, t.ln());
        let high = 1.9e3 * (0.4 * log - 900.0 * inverse).exp();
        let other = 2.3e2 * (1.1 * log - 1500.0 * inverse).exp();
        let low = 4.0 * (-0.9 * log + 100.0 * inverse).exp();
        let reduced = low * (a + 2.0 * b + c + 0.6 * d) / high;
        let p = reduced.ln();
        let w = (p + 0.3) / (0.9 - 0.14 * p);
        let k = high * reduced / (1.0 + reduced) * (-0.7 / (1.0 + w * w)).exp();
        let (forward, backward) = (k * a * b - 0.1 * other * c, other * c * d);
        [-forward, -forward - backward, forward - backward, backward]
    }

    /// Electronics: the currents into the nodes of a circuit of two diodes and a transistor.
    fn circuit(x: &[f64; 6]) -> [f64; 4] {
        let [v1, v2, v3, saturation, thermal, g] = *x;
        let d1 = saturation * (((v1 - v2) / thermal).exp() - 1.0);
        let d2 = saturation * (((v2 - v3) / (1.3 * thermal)).exp() - 1.0);
        let m = (1.0 + ((v1 - 0.4) / (2.0 * thermal)).exp()).ln();
        let drain = 2.0e-3 * m * m * (1.0 + 0.02 * v3);
        [d1 + drain - g * v1, d2 - d1 + g * (v1 - v2), drain - d2 + g * (v2 - v3), (g * v1).tanh() * d1]
    }

    /// Thermodynamics: pressure and residual energy of a mixture by the equation of Peng and Robinson.
    fn peng_robinson(x: &[f64; 4]) -> [f64; 2] {
        const R: f64 = 8.314;
        let [t, v, x1, x2] = *x;
        let s1 = 1.0 + 0.3923 * (1.0 - (t / 190.6).sqrt());
        let s2 = 1.0 + 0.7433 * (1.0 - (t / 469.7).sqrt());
        let (a1, a2) = (0.2498 * s1 * s1, 2.0687 * s2 * s2);
        let n = x1 + x2;
        let a = (x1 * x1 * a1 + 1.96 * x1 * x2 * (a1 * a2).sqrt() + x2 * x2 * a2) / (n * n);
        let b = (2.68e-5 * x1 + 9.0e-5 * x2) / n;
        let p = R * t / (v - b) - a / (v * v + 2.0 * b * v - b * b);
        let (z, reduced) = (p * v / (R * t), b * p / (R * t));
        let attraction = a / (2.8284271 * b * R * t) * ((z + 2.4142136 * reduced) / (z - 0.4142136 * reduced)).ln();
        [p, z - 1.0 - (z - reduced).ln() - attraction]
    }

    /// Machine learning: the logarithms of three probabilities after a layer of hyperbolic tangents.
    fn softmax(x: &[f64; 6]) -> [f64; 3] {
        let [a, b, c, d, e, f] = *x;
        let p = (0.4 * a + 0.3 * b - 0.7 * d).tanh();
        let q = (0.4 * c + 0.3 * d - 0.7 * f).tanh();
        let r = (0.4 * e + 0.3 * f - 0.7 * b).tanh();
        let u = (p + 0.5 * q - r).exp();
        let v = (0.3 * p - q + r).exp();
        let w = (0.8 * q - 0.2 * p).exp();
        let n = u + v + w;
        [(u / n).ln(), (v / n).ln(), (w / n).ln()]
    }
}
