//! Derivatives derived and written by hand, as well as the author of the benchmark could: common terms are computed
//! once, constant entries are stored, and no operation is spent on a zero or a one.

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

/// The heart dipole problem. The last two equations are the real and the imaginary part of cubes of complex numbers,
/// those before of squares: their derivatives share all products.
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

/// Rosenbrock's function, and its product with a tangent.
pub fn rosenbrock_jvp(x: &[f64; 8], tangent: &[f64; 8], value: &mut [f64; 1], along: &mut [f64; 1]) {
    let (mut sum, mut product) = (0.0, 0.0);
    for i in 0..7 {
        let (a, b) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
        sum += 100.0 * a * a + b * b;
        product += 200.0 * a * (tangent[i + 1] - 2.0 * x[i] * tangent[i]) - 2.0 * b * tangent[i];
    }
    (*value, *along) = ([sum], [product]);
}

/// Rosenbrock's function, and its gradient times a factor.
pub fn rosenbrock_vjp(x: &[f64; 8], cotangent: &[f64; 1], value: &mut [f64; 1], across: &mut [f64; 8]) {
    let (twice, mut sum, mut carried) = (2.0 * cotangent[0], 0.0, 0.0);
    for i in 0..7 {
        let (a, b) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
        sum += 100.0 * a * a + b * b;
        let steep = 100.0 * twice * a;
        across[i] = carried - 2.0 * steep * x[i] - twice * b;
        carried = steep;
    }
    (*value, across[7]) = ([sum], carried);
}

/// Rosenbrock's function, its gradient and its Hessian, which has three diagonals.
pub fn rosenbrock_hess(x: &[f64; 8], value: &mut [f64; 1], gradient: &mut [f64; 8], hessian: &mut [[f64; 8]; 8]) {
    let (mut sum, mut carried, mut below) = (0.0, 0.0, 0.0);
    *hessian = [[0.0; 8]; 8];
    for i in 0..7 {
        let square = x[i] * x[i];
        let (a, b) = (x[i + 1] - square, 1.0 - x[i]);
        sum += 100.0 * a * a + b * b;
        let steep = 200.0 * a;
        gradient[i] = carried - 2.0 * steep * x[i] - 2.0 * b;
        let beside = -400.0 * x[i];
        hessian[i][i] = below + 800.0 * square - 2.0 * steep + 2.0;
        (hessian[i][i + 1], hessian[i + 1][i]) = (beside, beside);
        (carried, below) = (steep, 200.0);
    }
    (*value, gradient[7], hessian[7][7]) = ([sum], carried, below);
}

/// Rosenbrock's function, its gradient and the product of its Hessian with a direction.
pub fn rosenbrock_hvp(
    x: &[f64; 8],
    direction: &[f64; 8],
    value: &mut [f64; 1],
    gradient: &mut [f64; 8],
    product: &mut [f64; 8],
) {
    let (mut sum, mut carried, mut along) = (0.0, 0.0, 0.0);
    for i in 0..7 {
        let (a, b) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
        sum += 100.0 * a * a + b * b;
        let steep = 200.0 * a;
        let change = 200.0 * (direction[i + 1] - 2.0 * x[i] * direction[i]);
        gradient[i] = carried - 2.0 * steep * x[i] - 2.0 * b;
        product[i] = along - 2.0 * (change * x[i] + steep * direction[i]) + 2.0 * direction[i];
        (carried, along) = (steep, change);
    }
    (*value, gradient[7], product[7]) = ([sum], carried, along);
}

/// Two particles: the vector between them, its square, the energy, and twice its derivative by the square.
struct Pair {
    at: [usize; 2],
    between: [f64; 3],
    inverse: f64,
    sixth: f64,
    twice: f64,
}

fn pairs(x: &[f64; 9]) -> [Pair; 3] {
    [[3, 0], [6, 0], [6, 3]].map(|at| {
        let [i, j] = at;
        let between = [x[i] - x[j], x[i + 1] - x[j + 1], x[i + 2] - x[j + 2]];
        let [dx, dy, dz] = between;
        let inverse = 1.0 / (dx * dx + dy * dy + dz * dz);
        let sixth = inverse * inverse * inverse;
        Pair { at, between, inverse, sixth, twice: 24.0 * inverse * (sixth - 2.0 * sixth * sixth) }
    })
}

impl Pair {
    fn energy(&self) -> f64 {
        4.0 * (self.sixth * self.sixth - self.sixth)
    }

    /// Four times the second derivative of the energy by the square of the distance.
    fn curvature(&self) -> f64 {
        self.inverse * self.inverse * (672.0 * self.sixth * self.sixth - 192.0 * self.sixth)
    }
}

/// The energy of three particles, and its product with a tangent.
pub fn lennard_jones_jvp(x: &[f64; 9], tangent: &[f64; 9], value: &mut [f64; 1], along: &mut [f64; 1]) {
    let (mut sum, mut product) = (0.0, 0.0);
    for pair in pairs(x) {
        let ([i, j], [dx, dy, dz]) = (pair.at, pair.between);
        sum += pair.energy();
        let change = dx * (tangent[i] - tangent[j]) + dy * (tangent[i + 1] - tangent[j + 1]);
        product += pair.twice * (change + dz * (tangent[i + 2] - tangent[j + 2]));
    }
    (*value, *along) = ([sum], [product]);
}

/// The energy of three particles, and its gradient times a factor.
pub fn lennard_jones_vjp(x: &[f64; 9], cotangent: &[f64; 1], value: &mut [f64; 1], across: &mut [f64; 9]) {
    let (mut sum, mut gradient) = (0.0, [0.0; 9]);
    for pair in pairs(x) {
        sum += pair.energy();
        let force = cotangent[0] * pair.twice;
        for k in 0..3 {
            let force = force * pair.between[k];
            gradient[pair.at[0] + k] += force;
            gradient[pair.at[1] + k] -= force;
        }
    }
    (*value, *across) = ([sum], gradient);
}

/// The energy of three particles, its gradient and its Hessian: a block for each pair.
pub fn lennard_jones_hess(x: &[f64; 9], value: &mut [f64; 1], gradient: &mut [f64; 9], hessian: &mut [[f64; 9]; 9]) {
    let mut sum = 0.0;
    (*gradient, *hessian) = ([0.0; 9], [[0.0; 9]; 9]);
    for pair in pairs(x) {
        let [i, j] = pair.at;
        sum += pair.energy();
        let curvature = pair.curvature();
        for k in 0..3 {
            let force = pair.twice * pair.between[k];
            gradient[i + k] += force;
            gradient[j + k] -= force;
            let steep = curvature * pair.between[k];
            for l in 0..3 {
                let entry = steep * pair.between[l] + if k == l { pair.twice } else { 0.0 };
                hessian[i + k][i + l] += entry;
                hessian[j + k][j + l] += entry;
                hessian[i + k][j + l] = -entry;
                hessian[j + l][i + k] = -entry;
            }
        }
    }
    *value = [sum];
}

/// The energy of three particles, its gradient and the product of its Hessian with a direction.
pub fn lennard_jones_hvp(
    x: &[f64; 9],
    direction: &[f64; 9],
    value: &mut [f64; 1],
    gradient: &mut [f64; 9],
    product: &mut [f64; 9],
) {
    let mut sum = 0.0;
    (*gradient, *product) = ([0.0; 9], [0.0; 9]);
    for pair in pairs(x) {
        let ([i, j], [dx, dy, dz]) = (pair.at, pair.between);
        sum += pair.energy();
        let moved: [f64; 3] = std::array::from_fn(|k| direction[i + k] - direction[j + k]);
        let steep = pair.curvature() * (dx * moved[0] + dy * moved[1] + dz * moved[2]);
        for k in 0..3 {
            let (force, change) = (pair.twice * pair.between[k], pair.twice * moved[k] + steep * pair.between[k]);
            gradient[i + k] += force;
            gradient[j + k] -= force;
            product[i + k] += change;
            product[j + k] -= change;
        }
    }
    *value = [sum];
}
