//! Residuals, whose normal equations are wanted. Each is a module with the function `f`, its derivatives, and `generic`,
//! its twin over any type of numbers.

use generic_twin::generic_twin;
use jacobian::jacobian;

macro_rules! functions {
    ($($functions:tt)+) => { modules! { [#[jacobian(forms(jac_into, normal, normal_into))]] $($functions)+ } };
}

functions! {
    /// Computer vision: the error of a point in an image, by a camera with distortion (Bundle Adjustment in the Large).
    fn reprojection(x: &[f64; 12]) -> [f64; 2] {
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
        [magnified * u - OBSERVED[0], magnified * v - OBSERVED[1]]
    }

    /// Robotics: what odometry says of each pose in the plane as seen from the one before, and the place of the first.
    fn pose_chain(x: &[f64; 18]) -> [f64; 18] {
        const STEP: [f64; 3] = [1.0, 0.1, 0.2];
        let mut r = [0.0; 18];
        (r[0], r[1], r[2]) = (x[0] - 0.1, x[1] - 0.2, x[2] - 0.05);
        for i in 0..5 {
            let (cos, sin) = (x[3 * i + 2].cos(), x[3 * i + 2].sin());
            let (dx, dy) = (x[3 * i + 3] - x[3 * i], x[3 * i + 4] - x[3 * i + 1]);
            r[3 * i + 3] = 10.0 * (cos * dx + sin * dy - STEP[0]);
            r[3 * i + 4] = 10.0 * (cos * dy - sin * dx - STEP[1]);
            r[3 * i + 5] = 30.0 * (x[3 * i + 5] - x[3 * i + 2] - STEP[2]);
        }
        r
    }
}
