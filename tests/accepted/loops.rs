//! `for` loops over known items: they are unrolled. Each has a twin that is written out, and the derivative of the
//! twin.

use approx::assert_abs_diff_eq;
use jacobian::jacobian;

use crate::{check, differences, twins};

#[test]
fn ranges() {
    #[jacobian]
    #[allow(clippy::needless_range_loop, clippy::reversed_empty_ranges)]
    fn f(x: [f64; 6], y: f64) -> [f64; 6] {
        const N: usize = 4;
        let mut r = [0.0; 6];
        for i in 0..6 {
            r[0] += x[i] * y;
        }
        for i in 0..=N {
            r[1] = r[1] * y + x[i];
        }
        for i in (0..N).rev() {
            r[2] = r[2] * y - x[i];
        }
        for i in (0..x.len()).rev().step_by(2) {
            r[3] = (r[3] + x[i]) * y;
        }
        for k in -2..3 {
            r[4] += y.powi(k) * k as f64;
        }
        for _ in 0..3 {
            r[5] = (r[5] + y).sin();
        }
        for i in 5..2 {
            r[i] = f64::NAN;
        }
        r
    }
    #[jacobian]
    #[allow(clippy::neg_multiply)]
    fn twin(x: [f64; 6], y: f64) -> [f64; 6] {
        let a = 0.0 + x[0] * y + x[1] * y + x[2] * y + x[3] * y + x[4] * y + x[5] * y;
        let b = ((((0.0 * y + x[0]) * y + x[1]) * y + x[2]) * y + x[3]) * y + x[4];
        let c = (((0.0 * y - x[3]) * y - x[2]) * y - x[1]) * y - x[0];
        let d = (((0.0 + x[5]) * y + x[3]) * y + x[1]) * y;
        let e = 0.0 + y.powi(-2) * -2.0 + y.powi(-1) * -1.0 + y.powi(0) * 0.0 + y.powi(1) * 1.0 + y.powi(2) * 2.0;
        let g = (((0.0 + y).sin() + y).sin() + y).sin();
        [a, b, c, d, e, g]
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.0, 3.0, -4.0, 5.0, 0.5], 0.7);
}

#[test]
fn nested_loops_and_elements_of_matrices() {
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn product(a: [[f64; 2]; 3], b: [[f64; 3]; 2]) -> [[f64; 3]; 3] {
        let mut c = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                for k in 0..2 {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        c
    }
    #[jacobian]
    fn twin(a: [[f64; 2]; 3], b: [[f64; 3]; 2]) -> [[f64; 3]; 3] {
        [
            [
                0.0 + a[0][0] * b[0][0] + a[0][1] * b[1][0],
                0.0 + a[0][0] * b[0][1] + a[0][1] * b[1][1],
                0.0 + a[0][0] * b[0][2] + a[0][1] * b[1][2],
            ],
            [
                0.0 + a[1][0] * b[0][0] + a[1][1] * b[1][0],
                0.0 + a[1][0] * b[0][1] + a[1][1] * b[1][1],
                0.0 + a[1][0] * b[0][2] + a[1][1] * b[1][2],
            ],
            [
                0.0 + a[2][0] * b[0][0] + a[2][1] * b[1][0],
                0.0 + a[2][0] * b[0][1] + a[2][1] * b[1][1],
                0.0 + a[2][0] * b[0][2] + a[2][1] * b[1][2],
            ],
        ]
    }
    let (a, b) = ([[1.0, 2.0], [3.0, -4.0], [0.5, 0.25]], [[1.5, -2.0, 0.3], [0.7, 0.1, 9.0]]);
    twins!(product, product_jac, twin, twin_jac, a, b);
}

#[test]
fn items_of_arrays() {
    #[jacobian]
    fn f(x: [f64; 4], y: &[f64; 4]) -> [f64; 8] {
        let mut r = [0.0; 8];
        for v in x {
            r[0] = r[0] * 0.5 + v;
        }
        for v in &x {
            r[1] = r[1] * 0.5 + v;
        }
        for &v in x.iter().rev() {
            r[2] = r[2] * 0.5 + v;
        }
        for (i, v) in y.iter().enumerate() {
            r[3] += v * i as f64;
        }
        for (a, b) in x.iter().zip(y.iter()) {
            r[4] += a * b;
        }
        for (v, k) in y.iter().zip(1..) {
            r[5] += v.powi(k);
        }
        for pair in x.windows(2) {
            r[6] += pair[0] * pair[1];
        }
        for v in x.chunks_exact(2).chain([[y[0], y[1]].as_slice()]).skip(1).take(2) {
            r[7] += v[0] / v[1];
        }
        r
    }
    #[jacobian]
    fn twin(x: [f64; 4], y: &[f64; 4]) -> [f64; 8] {
        let forward = ((((0.0 * 0.5 + x[0]) * 0.5) + x[1]) * 0.5 + x[2]) * 0.5 + x[3];
        [
            forward,
            forward,
            ((((0.0 * 0.5 + x[3]) * 0.5) + x[2]) * 0.5 + x[1]) * 0.5 + x[0],
            0.0 + y[0] * 0.0 + y[1] * 1.0 + y[2] * 2.0 + y[3] * 3.0,
            0.0 + x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3],
            0.0 + y[0].powi(1) + y[1].powi(2) + y[2].powi(3) + y[3].powi(4),
            0.0 + x[0] * x[1] + x[1] * x[2] + x[2] * x[3],
            0.0 + x[2] / x[3] + y[0] / y[1],
        ]
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.0, -3.0, 4.0], &[0.5, 0.6, 0.7, 0.8]);
}

#[test]
fn elements_that_change() {
    #[jacobian]
    fn f(x: [f64; 3], y: f64) -> [[f64; 3]; 3] {
        let mut a = x;
        for v in a.iter_mut() {
            *v *= 2.0;
        }
        for (v, w) in a.iter_mut().zip(&x) {
            *v += w * y;
        }
        let mut m = [a, x, [y, 1.0, 2.0]];
        for row in &mut m {
            row[0] -= row[1];
            for v in row.iter_mut().skip(1) {
                *v = *v * *v + v.sin();
            }
        }
        for (i, [first, .., last]) in m.iter_mut().enumerate().rev() {
            *first += i as f64;
            *last *= *first;
        }
        m[2].swap(0, 1);
        for v in &mut m[1][1..] {
            *v /= y;
        }
        m[0][..2].fill(y);
        m[1][1..=2].copy_from_slice(&a[..2]);
        m[1].reverse();
        m
    }
    #[jacobian]
    fn twin(x: [f64; 3], y: f64) -> [[f64; 3]; 3] {
        let a = [x[0] * 2.0 + x[0] * y, x[1] * 2.0 + x[1] * y, x[2] * 2.0 + x[2] * y];
        let square = [
            [a[0] - a[1], a[1] * a[1] + a[1].sin(), a[2] * a[2] + a[2].sin()],
            [x[0] - x[1], x[1] * x[1] + x[1].sin(), x[2] * x[2] + x[2].sin()],
            [y - 1.0, 1.0 * 1.0 + 1.0f64.sin(), 2.0 * 2.0 + 2.0f64.sin()],
        ];
        let [r, s, t] = square;
        let (r0, s0, t0) = (r[0] + 0.0, s[0] + 1.0, t[0] + 2.0);
        [[y, y, r[2] * r0], [a[1], a[0], s0], [t[1], t0, t[2] * t0]]
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.0, -3.0], 0.7);
}

#[test]
fn ways_out_of_loops() {
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn f(x: [f64; 4]) -> [f64; 4] {
        let mut r = [0.0; 4];
        for i in 0..4 {
            if i == 1 {
                continue;
            }
            r[0] += x[i];
            if i >= 2 {
                break;
            }
            r[0] *= x[3];
        }
        'rows: for i in 0..4 {
            for j in 0..4 {
                if (i + j) % 3 == 2 {
                    continue 'rows;
                }
                if i == 3 && j == 1 {
                    r[1] *= x[0];
                    break 'rows;
                }
                r[1] += x[i] * x[j];
            }
            r[1] += f64::NAN;
        }
        r[2] = 'found: {
            for i in (0..4).rev() {
                if i % 3 == 1 {
                    break 'found x[i] * x[i];
                }
                r[3] -= x[i];
            }
            f64::NAN
        };
        r
    }
    #[jacobian]
    fn twin(x: [f64; 4]) -> [f64; 4] {
        let a = (0.0 + x[0]) * x[3] + x[2];
        let b = 0.0 + x[0] * x[0] + x[0] * x[1] + x[1] * x[0] + x[3] * x[0];
        [a, b * x[0], x[1] * x[1], 0.0 - x[3] - x[2]]
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.0, -3.0, 0.25]);
}

#[test]
fn returns_from_within() {
    #[jacobian]
    fn f(x: [f64; 3]) -> f64 {
        let mut y = 1.0;
        for (i, v) in x.iter().enumerate() {
            for k in 0..3 {
                if i * k == 2 {
                    return y * v;
                }
                y *= v + k as f64;
            }
        }
        f64::NAN
    }
    #[jacobian]
    fn twin(x: [f64; 3]) -> f64 {
        let y = 1.0 * (x[0] + 0.0) * (x[0] + 1.0) * (x[0] + 2.0);
        y * (x[1] + 0.0) * (x[1] + 1.0) * x[1]
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.0, -3.0]);

    #[jacobian]
    #[allow(clippy::needless_return, unreachable_code)]
    fn g(x: f64) -> f64 {
        {
            let y = x * x;
            return y.sin();
        }
    }
    check(g(2.0), g_jac(2.0), &[4.0 * 4f64.cos()]);

    #[jacobian]
    #[allow(unreachable_code, clippy::diverging_sub_expression)]
    fn h(x: f64, y: f64) -> f64 {
        let z = x.max(if 1 < 2 { return x * y } else { y });
        z * f64::NAN
    }
    check(h(2.0, 3.0), h_jac(2.0, 3.0), &[3.0, 2.0]);
}

#[test]
fn branches_on_what_is_known() {
    #[jacobian]
    #[allow(clippy::assertions_on_constants, clippy::match_like_matches_macro)]
    fn f(x: [f64; 6], y: f64) -> f64 {
        const LAST: usize = 5;
        const FIRST: bool = true;
        let mut r = 0.0;
        for (i, v) in x.into_iter().enumerate() {
            let w = match i {
                0 => v,
                1 | 2 => v * y,
                LAST => v / y,
                k if k % 2 == 1 => v.sin() * k as f64,
                _ => {
                    let z = v * v;
                    z + y
                }
            };
            let s = if i < 2 {
                w
            } else if i == 2 || !FIRST {
                -w
            } else {
                w * 2.0
            };
            r += s;
            r *= match (i, i % 2 == 0) {
                (0..=1, true) => y,
                (_, false) => 0.5,
                (k @ 4.., _) => k as f64,
                _ => 1.0,
            };
        }
        if LAST > 3 {
            r *= x[LAST];
        }
        match [1, 2] {
            [a, 3] => r * a as f64,
            [.., b] => r * y.powi(b),
        }
    }
    #[jacobian]
    fn twin(x: [f64; 6], y: f64) -> f64 {
        let mut r = 0.0;
        r += x[0];
        r *= y;
        r += x[1] * y;
        r *= 0.5;
        r += -(x[2] * y);
        r *= 1.0;
        r += x[3].sin() * 3.0 * 2.0;
        r *= 0.5;
        r += (x[4] * x[4] + y) * 2.0;
        r *= 4.0;
        r += x[5] / y * 2.0;
        r *= 0.5;
        r *= x[5];
        r * y.powi(2)
    }
    twins!(f, f_jac, twin, twin_jac, [1.0, 2.0, -3.0, 0.25, 0.5, 0.75], 1.5);
}

#[test]
fn tables() {
    #[jacobian]
    #[allow(clippy::needless_range_loop, clippy::excessive_precision)]
    fn quadrature(a: f64, b: f64, k: usize) -> f64 {
        const N: usize = 3;
        const NODES: [f64; N] = [-0.774_596_669_241_483_4, 0.0, 0.774_596_669_241_483_4];
        const WEIGHTS: [f64; N] = [5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0];
        const ORDER: [[usize; 2]; N] = [[0, 2], [1, 1], [2, 0]];
        let signs = [1, -1, 1];
        let mut sum = 0.0;
        for i in 0..N {
            let [j, _] = ORDER[i];
            let t = 0.5 * (a + b) + 0.5 * (b - a) * NODES[j];
            sum += WEIGHTS[j] * t.exp() * signs[ORDER[i][1]] as f64 * NODES[k];
        }
        sum
    }
    #[jacobian]
    #[allow(clippy::excessive_precision, clippy::neg_multiply)]
    fn twin(a: f64, b: f64, k: usize) -> f64 {
        let nodes = [-0.774_596_669_241_483_4, 0.0, 0.774_596_669_241_483_4];
        let n: f64 = nodes[k];
        let t = 0.5 * (a + b) + 0.5 * (b - a) * -0.774_596_669_241_483_4;
        let u = 0.5 * (a + b) + 0.5 * (b - a) * 0.0;
        let v = 0.5 * (a + b) + 0.5 * (b - a) * 0.774_596_669_241_483_4;
        let (p, q) = (5.0 / 9.0, 8.0 / 9.0);
        0.0 + p * t.exp() * 1.0 * n + q * u.exp() * -1.0 * n + p * v.exp() * 1.0 * n
    }
    twins!(quadrature, quadrature_jac, twin, twin_jac, 0.3, 1.2, 2);
}

#[test]
fn tables_of_tuples_and_of_values_that_are_computed() {
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn f(x: [f64; 3], n: usize) -> [f64; 5] {
        use core::f64::consts::PI;
        const ORIGIN: (f64, i32) = (0.5, -2);
        const SCALE: [f64; 2] = [2.0 * PI, PI / 3.0];
        const TERMS: [([usize; 2], f64, bool); 3] = [([0, 1], 0.5, true), ([2, 2], 1.5, false), ([1, 0], PI, true)];
        let mut r = [0.0; 5];
        for ([i, j], weight, _) in TERMS {
            r[0] += weight * x[i] * x[j];
        }
        for (k, &(at, weight, is_counted)) in TERMS.iter().enumerate() {
            if is_counted {
                r[1] += weight * x[at[0]] * (k + n) as f64;
            }
        }
        for scale in SCALE {
            r[2] += scale * x[0];
        }
        let (at, weight, _) = TERMS[n];
        r[3] = (x[1] - ORIGIN.0).powi(ORIGIN.1) * weight * SCALE[n] * at[1] as f64;
        r[4] = TERMS.iter().filter(|(.., is_counted)| *is_counted).map(|([i, _], w, _)| x[*i] * w).sum();
        r
    }
    #[jacobian]
    fn twin(x: [f64; 3], n: usize) -> [f64; 5] {
        let pi = core::f64::consts::PI;
        let (weight, at) = [(0.5, 1.0), (1.5, 2.0), (pi, 0.0)][n];
        let scale = [2.0 * pi, pi / 3.0][n];
        [
            0.0 + 0.5 * x[0] * x[1] + 1.5 * x[2] * x[2] + pi * x[1] * x[0],
            0.0 + 0.5 * x[0] * n as f64 + pi * x[1] * (2 + n) as f64,
            0.0 + 2.0 * pi * x[0] + pi / 3.0 * x[0],
            (x[1] - 0.5).powi(-2) * weight * scale * at,
            0.0 + x[0] * 0.5 + x[1] * pi,
        ]
    }
    for n in 0..2 {
        twins!(f, f_jac, twin, twin_jac, [2.0, 3.0, 5.0], n);
    }
}

#[test]
fn single_precision_and_integers_that_count() {
    #[jacobian]
    fn f(x: f32, table: &[f32; 3]) -> f32 {
        let mut k = 0;
        let mut s = x;
        for w in table {
            k += 1;
            s = s * w + table[k % 3] / (k * k) as f32;
        }
        s
    }
    #[jacobian]
    fn twin(x: f32, table: &[f32; 3]) -> f32 {
        let s = x * table[0] + table[1] / 1.0;
        let s = s * table[1] + table[2] / 4.0;
        s * table[2] + table[0] / 9.0
    }
    let (value, jacobian) = f_jac(0.5, &[1.5, -2.0, 3.0]);
    assert_eq!((value, jacobian), twin_jac(0.5, &[1.5, -2.0, 3.0]));
    assert_eq!(value, f(0.5, &[1.5, -2.0, 3.0]));
    assert_eq!(value, twin(0.5, &[1.5, -2.0, 3.0]));
}

#[test]
fn variables_of_an_iteration_end_with_it() {
    #[jacobian]
    #[allow(clippy::shadow_unrelated)]
    fn f(x: f64) -> f64 {
        let k = 10;
        let mut y = x;
        for i in 0..2 {
            let k = k + i;
            let y2 = y * x;
            const HALF: f64 = 0.5;
            y = y2 * k as f64 * HALF;
            for x in [y, 2.0] {
                y += x;
            }
        }
        y * k as f64
    }
    #[jacobian]
    fn twin(x: f64) -> f64 {
        let y = x * x * 10.0 * 0.5;
        let y = y + y + 2.0;
        let y = y * x * 11.0 * 0.5;
        let y = y + y + 2.0;
        y * 10.0
    }
    twins!(f, f_jac, twin, twin_jac, 1.5);
}

#[test]
fn passive_values_in_loops() {
    struct Model {
        weights: Vec<f64>,
        rows: [[f64; 2]; 3],
    }
    impl Model {
        fn weight(&self, i: usize) -> f64 {
            self.weights[i] * 2.0
        }
    }
    #[jacobian(wrt(x))]
    fn f(x: f64, model: &Model, list: [f64; 3], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..3 {
            let w = model.weight(i) + model.weights[i];
            s += x * w;
            let shifted = i * 2 + n;
            s += x * shifted as f64 * model.rows[i][n];
        }
        let local = [n as f64, 2.0, s];
        for v in &local {
            s += v * x;
        }
        let doubled = [model.weights[0], list[n]];
        for (v, w) in doubled.iter().zip(&list) {
            s += *v * x * w;
        }
        for v in list {
            s *= v;
        }
        let mut changed = list;
        for v in changed.iter_mut() {
            *v *= 2.0;
        }
        s * changed[n]
    }
    let model = Model { weights: vec![0.5, 1.5, 2.5], rows: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] };
    let (list, n) = ([1.25, 0.5, 2.0], 1);
    let by_hand = |x: f64| {
        let s = x * 1.5 + x * 2.0 + x * 4.5 + x * 3.0 * 4.0 + x * 7.5 + x * 5.0 * 6.0;
        let s = s + x + 2.0 * x + s * x;
        let s = s + 0.5 * x * 1.25 + 0.5 * x * 0.5;
        s * 1.25 * 0.5 * 2.0 * 1.0
    };
    let slope = (by_hand(2.0 + 1e-4) - by_hand(2.0 - 1e-4)) / 2e-4;
    let (value, [derivative]) = f_jac(2.0, &model, list, n);
    assert_eq!(value.to_bits(), f(2.0, &model, list, n).to_bits());
    assert_abs_diff_eq!(value, by_hand(2.0), epsilon = 1e-10);
    assert_abs_diff_eq!(derivative, slope, epsilon = 1e-6);
}

#[test]
fn loops_that_are_left_at_run_time() {
    // Kepler's equation: as many steps as it takes.
    #[jacobian]
    fn anomaly(mean: f64, eccentricity: f64) -> f64 {
        let mut e = mean;
        for _ in 0..20 {
            let step = (e - eccentricity * e.sin() - mean) / (1.0 - eccentricity * e.cos());
            e -= step;
            if step.abs() < 1e-12 {
                break;
            }
        }
        e
    }
    for eccentricity in [0.0, 0.1, 0.7] {
        differences(|[m, e]| anomaly(m, e), |[m, e]| anomaly_jac(m, e), [0.8, eccentricity]);
    }
}

#[test]
#[allow(clippy::needless_range_loop)]
fn iterations_that_end_at_run_time() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], limit: f64, skip: Option<usize>) -> [f64; 3] {
        let (mut s, mut product, mut k) = (0.0, 1.0, 0);
        for (i, v) in x.iter().enumerate() {
            k += 1;
            if *v < 0.0 {
                continue;
            }
            s += v * i as f64;
        }
        'all: for i in 0..4 {
            let s = product * x[i];
            if skip == Some(i) {
                k += 100;
            }
            if s > limit {
                break 'all;
            }
            k += 10;
            // The name means the sum again in the next iteration.
            product = s + 0.5 * product;
            let product = 3.0 * s;
            if i == 3 {
                break;
            }
            let _ = product;
        }
        for i in (0..4).rev() {
            match skip {
                Some(n) if n > i => break,
                _ => s *= 1.0 + x[i] * x[i],
            }
        }
        [s * k as f64, product, k as f64 * x[1]]
    }
    for limit in [0.1, 0.6, 2.0, 10.0] {
        for skip in [None, Some(0), Some(2), Some(3)] {
            for x in [[0.5, 1.5, -0.7, 2.0], [0.9, -0.4, 0.3, -0.2]] {
                differences(|x| f(x, limit, skip), |x| f_jac(x, limit, skip), x);
            }
        }
    }
}

#[test]
fn names_of_an_iteration_end_with_it() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        let s = x;
        let mut total = 0.0;
        for i in 1..5 {
            let t = s * y;
            if t > 2.0 {
                break;
            }
            // A second iteration sees the `s` outside of the loop.
            let s = t + i as f64;
            total += s * t;
        }
        total
    }
    for y in [0.3, 4.0] {
        differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [0.7, y]);
    }
}

#[test]
fn closures_that_return_early() {
    #[jacobian]
    fn f(x: [f64; 3]) -> f64 {
        let soft = |v: f64| {
            if v < 0.0 {
                return 0.1 * v;
            }
            v * v
        };
        x.iter().map(|v| soft(*v)).sum()
    }
    differences(f, f_jac, [0.7, -0.4, 1.2]);
}

#[test]
fn outputs_are_assigned_before_an_early_return() {
    #[jacobian]
    fn f(x: &[f64; 2], y: &mut [f64; 2]) {
        y[0] = x[0] * x[1];
        y[1] = 0.0;
        if x[0] < 0.0 {
            return;
        }
        y[1] = x[1].sin() * y[0];
    }
    for x in [[0.5, 0.7], [-0.5, 0.7]] {
        let value = |x: [f64; 2]| {
            let mut y = [0.0; 2];
            f(&x, &mut y);
            y
        };
        let jacobian = |x: [f64; 2]| {
            let mut y = [0.0; 2];
            let jacobian = f_jac(&x, &mut y);
            (y, jacobian)
        };
        differences(value, jacobian, x);
    }
}

#[test]
fn a_break_leaves_the_block_that_its_label_names() {
    #[jacobian]
    fn f(x: f64, y: f64) -> [f64; 3] {
        let mut r = [0.0; 3];
        for (i, result) in r.iter_mut().enumerate() {
            *result = 'outer: {
                let inner = 'inner: {
                    if i == 0 {
                        break 'outer x;
                    }
                    if i == 1 {
                        break 'inner y;
                    }
                    x * y
                };
                inner * inner
            };
        }
        r
    }
    check(f(2.0, 3.0), f_jac(2.0, 3.0), &[1.0, 0.0, 0.0, 6.0, 36.0, 24.0]);
}

#[test]
fn ranges_in_patterns_end_before_their_end() {
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn f(a: [f64; 5]) -> f64 {
        const LAST: usize = 4;
        let mut s = 0.0;
        for i in 0..5 {
            s += match i {
                0..2 => a[i],
                2..=3 => 10.0 * a[i],
                LAST.. => 100.0 * a[i],
            };
            s *= match i {
                ..3 => 1.0,
                3.. => 2.0,
            };
        }
        s
    }
    check(f([1.0, 2.0, 3.0, 4.0, 5.0]), f_jac([1.0, 2.0, 3.0, 4.0, 5.0]), &[4.0, 4.0, 40.0, 40.0, 200.0]);
}
