//! Jacobians derived and written by hand, as well as the author of the benchmark could: common terms are computed once,
//! constant entries are stored, and no operation is spent on a zero or a one.

/// The propane problem.
pub fn propane(x: &[f64; 11], value: &mut [f64; 11], jacobian: &mut [[f64; 11]; 11]) {
    let inverse = 1.0 / x[10];
    let p = 40.0 / x[10];
    let root_p = p.sqrt();
    let (root_1, root_4) = (x[0].sqrt(), x[3].sqrt());
    let (root_3, root_24, root_12) = (x[2].sqrt(), (x[1] * x[3]).sqrt(), (x[0] * x[1]).sqrt());
    let sum = x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7] + x[8] + x[9];
    let (a, b, c) = (root_1 * x[5], root_4 * x[6], x[3] * root_p);
    let (d, e) = (x[3] * x[7], x[3] * x[3]);
    let (f, g, h) = (a * root_p, b * root_p, c * x[8]);
    let (dp, ep) = (d * p, e * p);
    let cube = ep * x[9];
    *value = [
        x[0] + x[3] - 3.0,
        2.0 * x[0] + x[1] + x[3] + x[6] + x[7] + x[8] + 2.0 * x[9] - 10.0,
        2.0 * x[1] + 2.0 * x[4] + x[5] + x[6] - 8.0,
        2.0 * x[2] + x[8] - 40.0,
        0.193 * x[1] * x[3] - x[0] * x[4],
        0.002597 * root_24 - f,
        0.003448 * root_12 - g,
        0.00001799 * x[0] - dp,
        0.0002155 * x[0] * root_3 - h,
        0.00003846 * x[0] * x[0] - cube,
        x[10] - sum,
    ];
    let half = 0.5 * inverse;
    let by_24 = 0.0012985 / root_24;
    let by_12 = 0.001724 / root_12;
    *jacobian = [
        [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [2.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 0.0],
        [0.0, 2.0, 0.0, 0.0, 2.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        [-x[4], 0.193 * x[3], 0.0, 0.193 * x[1], -x[0], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [-0.5 * f / x[0], by_24 * x[3], 0.0, by_24 * x[1], 0.0, -root_1 * root_p, 0.0, 0.0, 0.0, 0.0, f * half],
        [by_12 * x[1], by_12 * x[0], 0.0, -0.5 * g / x[3], 0.0, 0.0, -root_4 * root_p, 0.0, 0.0, 0.0, g * half],
        [0.00001799, 0.0, 0.0, -x[7] * p, 0.0, 0.0, 0.0, -x[3] * p, 0.0, 0.0, dp * inverse],
        [0.0002155 * root_3, 0.0, 0.00010775 * x[0] / root_3, -root_p * x[8], 0.0, 0.0, 0.0, 0.0, -c, 0.0, h * half],
        [0.00007692 * x[0], 0.0, 0.0, -2.0 * x[3] * x[9] * p, 0.0, 0.0, 0.0, 0.0, 0.0, -ep, cube * inverse],
        [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 1.0],
    ];
}

/// The heart dipole problem. The last two equations are the real and the imaginary part of cubes of complex numbers, those
/// before of squares: their derivatives share all products.
pub fn heart_dipole(x: &[f64; 8], value: &mut [f64; 8], jacobian: &mut [[f64; 8]; 8]) {
    let [a, b, c, d, t, u, v, w] = *x;
    let (tt, vv, uu, ww) = (t * t, v * v, u * u, w * w);
    let (tv, uw) = (tt - vv, uu - ww);
    let (tv2, uw2) = (2.0 * t * v, 2.0 * u * w);
    let (ttt, vvv) = (t * (tt - 3.0 * vv), v * (vv - 3.0 * tt));
    let (uuu, www) = (u * (uu - 3.0 * ww), w * (ww - 3.0 * uu));
    *value = [
        a + b - 0.485,
        c + d + 0.0019,
        t * a + u * b - v * c - w * d + 0.0581,
        v * a + w * b + t * c + u * d - 0.015,
        a * tv - c * tv2 + b * uw - d * uw2 - 0.105,
        c * tv + a * tv2 + d * uw + b * uw2 - 0.0406,
        a * ttt + c * vvv + b * uuu + d * www - 0.167,
        c * ttt - a * vvv + d * uuu - b * www + 0.399,
    ];
    let square_t = 2.0 * (a * t - c * v);
    let square_v = 2.0 * (a * v + c * t);
    let square_u = 2.0 * (b * u - d * w);
    let square_w = 2.0 * (b * w + d * u);
    let cube_t = 3.0 * (a * tv - c * tv2);
    let cube_v = 3.0 * (a * tv2 + c * tv);
    let cube_u = 3.0 * (b * uw - d * uw2);
    let cube_w = 3.0 * (b * uw2 + d * uw);
    *jacobian = [
        [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        [t, u, -v, -w, a, b, -c, -d],
        [v, w, t, u, c, d, a, b],
        [tv, uw, -tv2, -uw2, square_t, square_u, -square_v, -square_w],
        [tv2, uw2, tv, uw, square_v, square_w, square_t, square_u],
        [ttt, uuu, vvv, www, cube_t, cube_u, -cube_v, -cube_w],
        [-vvv, -www, ttt, uuu, cube_v, cube_w, cube_t, cube_u],
    ];
}
