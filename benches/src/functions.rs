//! The functions of the benchmark. Each is a module with the function `f`, its Jacobians by one or several strategies,
//! each by value and in place, some other forms, and `generic`, its twin over any type of numbers.

use generic_twin::generic_twin;
use jacobian::jacobian;

macro_rules! functions {
    ($($functions:tt)+) => { by_strategies! { [#[jacobian(forms(jac_only, jac_only_into))]] $($functions)+ } };
}

/// Functions in all forms of what is generated.
macro_rules! functions_in_all_forms {
    ($($functions:tt)+) => { by_strategies! {
        [#[jacobian(forms(
            jac_only, jac_only_into, jvp, jvp_into, vjp, vjp_into, hess, hess_into, hvp, hvp_into
        ))]]
        $($functions)+
    } };
}

macro_rules! by_strategies {
    ([$($forms:tt)+] $($functions:tt)+) => { modules! {
        [
            #[jacobian(into, name = "auto")]
            #[jacobian(into, name = "forward", strategy = "forward")]
            #[jacobian(into, name = "reverse", strategy = "reverse")]
            #[jacobian(into, name = "markowitz", strategy = "markowitz")]
            #[jacobian(into, name = "vlr", strategy = "vlr")]
            $($forms)+
        ]
        $($functions)+
    } };
}

/// A function by `auto` alone: the Jacobian of a long one by an order that does not suit it takes rustc a minute.
#[cfg(feature = "chain")]
macro_rules! long_function {
    ($($function:tt)+) => { modules! { [#[jacobian(into, name = "auto")]] $($function)+ } };
}

#[cfg(feature = "chain")]
include!(concat!(env!("OUT_DIR"), "/chain.rs"));

functions! {
    /// Robotics: the forward kinematics of a UR5 arm, from its joint angles to the tool's place and its axes.
    fn ur5_fk(q: &[f64; 6]) -> [f64; 12] {
        const D1: f64 = 0.089159;
        const A2: f64 = -0.425;
        const A3: f64 = -0.39225;
        const D4: f64 = 0.10915;
        const D5: f64 = 0.09465;
        const D6: f64 = 0.0823;
        let (s1, s2, s3, s4, s5, s6) = (q[0].sin(), q[1].sin(), q[2].sin(), q[3].sin(), q[4].sin(), q[5].sin());
        let (c1, c2, c3, c4, c5, c6) = (q[0].cos(), q[1].cos(), q[2].cos(), q[3].cos(), q[4].cos(), q[5].cos());
        let mut u = [c1 * c2, s1 * c2, s2];
        let mut v = [-(c1 * s2), -(s1 * s2), c2];
        let mut p = [A2 * u[0], A2 * u[1], D1 + A2 * u[2]];
        for i in 0..3 {
            let turned = u[i] * c3 + v[i] * s3;
            v[i] = v[i] * c3 - u[i] * s3;
            u[i] = turned;
            p[i] += A3 * u[i];
        }
        for i in 0..3 {
            let turned = u[i] * c4 + v[i] * s4;
            v[i] = v[i] * c4 - u[i] * s4;
            u[i] = turned;
        }
        p[0] += D4 * s1;
        p[1] -= D4 * c1;
        let x = [u[0] * c5 + s1 * s5, u[1] * c5 - c1 * s5, u[2] * c5];
        let z = [s1 * c5 - u[0] * s5, -(c1 * c5) - u[1] * s5, -(u[2] * s5)];
        let mut pose = [0.0; 12];
        for i in 0..3 {
            pose[i] = p[i] - D5 * v[i] + D6 * z[i];
            pose[3 + i] = x[i] * c6 + v[i] * s6;
            pose[6 + i] = v[i] * c6 - x[i] * s6;
            pose[9 + i] = z[i];
        }
        pose
    }

    /// Fluid dynamics: Roe's flux between two states (density, momentum, energy) of the Euler equations in one
    /// dimension.
    fn roe_flux(states: &[f64; 6]) -> [f64; 3] {
        const G: f64 = 0.4;
        let [rho_l, m_l, e_l, rho_r, m_r, e_r] = *states;
        let (u_l, u_r) = (m_l / rho_l, m_r / rho_r);
        let p_l = G * (e_l - 0.5 * m_l * u_l);
        let p_r = G * (e_r - 0.5 * m_r * u_r);
        let (h_l, h_r) = ((e_l + p_l) / rho_l, (e_r + p_r) / rho_r);
        let (root_l, root_r) = (rho_l.sqrt(), rho_r.sqrt());
        let weight = 1.0 / (root_l + root_r);
        let u = (root_l * u_l + root_r * u_r) * weight;
        let h = (root_l * h_l + root_r * h_r) * weight;
        let a2 = G * (h - 0.5 * u * u);
        let a = a2.sqrt();
        let dp = p_r - p_l;
        let acoustic = root_l * root_r * a * (u_r - u_l);
        let slow = (u - a).abs() * (dp - acoustic) / (2.0 * a2);
        let entropy = u.abs() * (rho_r - rho_l - dp / a2);
        let fast = (u + a).abs() * (dp + acoustic) / (2.0 * a2);
        let mass = 0.5 * (m_l + m_r) - 0.5 * (slow + entropy + fast);
        let momentum = 0.5 * (m_l * u_l + p_l + m_r * u_r + p_r)
            - 0.5 * (slow * (u - a) + entropy * u + fast * (u + a));
        let energy = 0.5 * (m_l * h_l + m_r * h_r)
            - 0.5 * (slow * (h - u * a) + entropy * (0.5 * u * u) + fast * (h + u * a));
        [mass, momentum, energy]
    }

    /// Medicine: the dipole moments of the human heart (MINPACK-2).
    fn heart_dipole(x: &[f64; 8]) -> [f64; 8] {
        let [a, b, c, d, t, u, v, w] = *x;
        let (tv, uw) = (t * t - v * v, u * u - w * w);
        let (ttt, vvv) = (t * t - 3.0 * (v * v), v * v - 3.0 * (t * t));
        let (uuu, www) = (u * u - 3.0 * (w * w), w * w - 3.0 * (u * u));
        [
            a + b - 0.485,
            c + d + 0.0019,
            t * a + u * b - v * c - w * d + 0.0581,
            v * a + w * b + t * c + u * d - 0.015,
            a * tv - 2.0 * c * t * v + b * uw - 2.0 * d * u * w - 0.105,
            c * tv + 2.0 * a * t * v + d * uw + 2.0 * b * u * w - 0.0406,
            a * t * ttt + c * v * vvv + b * u * uuu + d * w * www - 0.167,
            c * t * ttt - a * v * vvv + d * u * uuu - b * w * www + 0.399,
        ]
    }

    /// Chemistry: the equilibrium of burning propane in air (MINPACK-2, full formulation).
    fn propane(x: &[f64; 11]) -> [f64; 11] {
        const R: f64 = 10.0;
        let p = 40.0 / x[10];
        let root_p = p.sqrt();
        let sum = x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7] + x[8] + x[9];
        let (root_1, root_4) = (x[0].sqrt(), x[3].sqrt());
        [
            x[0] + x[3] - 3.0,
            2.0 * x[0] + x[1] + x[3] + x[6] + x[7] + x[8] + 2.0 * x[9] - R,
            2.0 * x[1] + 2.0 * x[4] + x[5] + x[6] - 8.0,
            2.0 * x[2] + x[8] - 4.0 * R,
            0.193 * x[1] * x[3] - x[0] * x[4],
            0.002597 * (x[1] * x[3]).sqrt() - root_1 * x[5] * root_p,
            0.003448 * (x[0] * x[1]).sqrt() - root_4 * x[6] * root_p,
            0.00001799 * x[0] - x[3] * x[7] * p,
            0.0002155 * x[0] * x[2].sqrt() - x[3] * x[8] * root_p,
            0.00003846 * x[0] * x[0] - x[3] * x[3] * x[9] * p,
            x[10] - sum,
        ]
    }

    /// Computer vision: where a camera (rotation as axis times angle, translation, focal length, two coefficients of
    /// distortion) sees a point, as in "Bundle Adjustment in the Large".
    fn ba_reproj(x: &[f64; 12]) -> [f64; 2] {
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
        [magnified * u, magnified * v]
    }

    /// Chemistry: Robertson's reactions, the stiff problem of three species.
    fn robertson(y: &[f64; 3]) -> [f64; 3] {
        let slow = 0.04 * y[0];
        let fast = 3e7 * y[1] * y[1];
        let back = 1e4 * y[1] * y[2];
        [back - slow, slow - back - fast, fast]
    }

    /// Astronautics: the motion of a satellite around the oblate Earth (J2), in units of the Earth's radius.
    fn satellite(state: &[f64; 6]) -> [f64; 6] {
        const J2: f64 = 1.08262668e-3;
        let [x, y, z, vx, vy, vz] = *state;
        let r2 = x * x + y * y + z * z;
        let r = r2.sqrt();
        let pull = -1.0 / (r2 * r);
        let oblate = 1.5 * J2 / r2;
        let latitude = 5.0 * z * z / r2;
        let equatorial = pull * (1.0 + oblate * (1.0 - latitude));
        let polar = pull * (1.0 + oblate * (3.0 - latitude));
        [vx, vy, vz, x * equatorial, y * equatorial, z * polar]
    }

    /// Finance: the yields of eight maturities by Svensson's curve of six parameters.
    fn yield_curve(b: &[f64; 6]) -> [f64; 8] {
        const YEARS: [f64; 8] = [0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0];
        let mut yields = [0.0; 8];
        for i in 0..8 {
            let (s, t) = (YEARS[i] / b[4], YEARS[i] / b[5]);
            let (decay, late) = ((-s).exp(), (-t).exp());
            let slope = (1.0 - decay) / s;
            let hump = (1.0 - late) / t - late;
            yields[i] = b[0] + b[1] * slope + b[2] * (slope - decay) + b[3] * hump;
        }
        yields
    }

    /// Machine learning: a dense layer of eight neurons with hyperbolic tangents.
    fn neurons(x: &[f64; 8]) -> [f64; 8] {
        const W: [f64; 11] = [0.31, -0.22, 0.47, 0.13, -0.41, 0.28, -0.09, 0.37, -0.33, 0.19, 0.05];
        let mut y = [0.0; 8];
        for i in 0..8 {
            let mut sum = W[i] + W[(3 * i + 1) % 11] * x[0];
            for j in 1..8 {
                sum += W[(3 * i + 5 * j + 1) % 11] * x[j];
            }
            y[i] = sum.tanh();
        }
        y
    }

}

functions_in_all_forms! {
    /// Flight: the motion of a quadrotor: place, velocity, attitude as a quaternion, angular velocity, and the thrusts
    /// of its rotors.
    fn quadrotor(x: &[f64; 17]) -> [f64; 13] {
        const ARM: f64 = 0.17;
        const DRAG: f64 = 0.016;
        const JX: f64 = 0.0023;
        const JY: f64 = 0.0024;
        const JZ: f64 = 0.004;
        let [_, _, _, vx, vy, vz, qw, qx, qy, qz, p, q, r, t1, t2, t3, t4] = *x;
        let thrust = (t1 + t2 + t3 + t4) / 0.5;
        [
            vx,
            vy,
            vz,
            2.0 * (qx * qz + qw * qy) * thrust - 0.1 * vx,
            2.0 * (qy * qz - qw * qx) * thrust - 0.1 * vy,
            (qw * qw - qx * qx - qy * qy + qz * qz) * thrust - 0.1 * vz - 9.81,
            -0.5 * (qx * p + qy * q + qz * r),
            0.5 * (qw * p + qy * r - qz * q),
            0.5 * (qw * q - qx * r + qz * p),
            0.5 * (qw * r + qx * q - qy * p),
            (ARM * (t2 - t4) - (JZ - JY) * q * r) / JX,
            (ARM * (t3 - t1) - (JX - JZ) * p * r) / JY,
            (DRAG * (t1 - t2 + t3 - t4) - (JY - JX) * p * q) / JZ,
        ]
    }

    /// Atmospheric chemistry: the air pollution problem (POLLU) of the Test Set for IVP Solvers, 25 reactions of 20
    /// species.
    fn pollution(y: &[f64; 20]) -> [f64; 20] {
        let r1 = 0.35 * y[0];
        let r2 = 26.6 * y[1] * y[3];
        let r3 = 1.23e4 * y[4] * y[1];
        let r4 = 8.6e-4 * y[6];
        let r5 = 8.2e-4 * y[6];
        let r6 = 1.5e4 * y[6] * y[5];
        let r7 = 1.3e-4 * y[8];
        let r8 = 2.4e4 * y[8] * y[5];
        let r9 = 1.65e4 * y[10] * y[1];
        let r10 = 9e3 * y[10] * y[0];
        let r11 = 0.022 * y[12];
        let r12 = 1.2e4 * y[9] * y[1];
        let r13 = 1.88 * y[13];
        let r14 = 1.63e4 * y[0] * y[5];
        let r15 = 4.8e6 * y[2];
        let r16 = 3.5e-4 * y[3];
        let r17 = 0.0175 * y[3];
        let r18 = 1e8 * y[15];
        let r19 = 4.44e11 * y[15];
        let r20 = 1.24e3 * y[16] * y[5];
        let r21 = 2.1 * y[18];
        let r22 = 5.78 * y[18];
        let r23 = 0.0474 * y[0] * y[3];
        let r24 = 1.78e3 * y[18] * y[0];
        let r25 = 3.12 * y[19];
        [
            r2 + r3 + r9 + r11 + r12 + r22 + r25 - r1 - r10 - r14 - r23 - r24,
            r1 + r21 - r2 - r3 - r9 - r12,
            r1 + r17 + r19 + r22 - r15,
            r15 - r2 - r16 - r17 - r23,
            2.0 * r4 + r6 + r7 + r13 + r20 - r3,
            2.0 * r18 + r3 - r6 - r8 - r14 - r20,
            r13 - r4 - r5 - r6,
            r4 + r5 + r6 + r7,
            -r7 - r8,
            r7 + r9 - r12,
            r8 + r11 - r9 - r10,
            r9,
            r10 - r11,
            r12 - r13,
            r14,
            r16 - r18 - r19,
            -r20,
            r20,
            r23 + r25 - r21 - r22 - r24,
            r24 - r25,
        ]
    }
}
