//! Functions as they are written by hand, compared with difference quotients.

use jacobian::jacobian;

use crate::differences;

#[test]
fn a_recursion() {
    #[jacobian]
    fn f(x: [f64; 2]) -> f64 {
        let (mut a, mut b) = (x[0], x[1]);
        for _ in 0..10 {
            (a, b) = (b, a * 0.5 + b);
        }
        b
    }
    differences(f, f_jac, [1.0, 2.0]);
}

#[test]
fn the_inverse_of_a_matrix() {
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn f(x: [f64; 9]) -> [f64; 9] {
        let mut a: [[f64; 3]; 3] =
            core::array::from_fn(|i| core::array::from_fn(|j| x[3 * i + j] + if i == j { 4.0 } else { 0.0 }));
        let mut inv = [[0.0; 3]; 3];
        for i in 0..3 {
            inv[i][i] = 1.0;
        }
        for p in 0..3 {
            let d = a[p][p];
            for j in 0..3 {
                a[p][j] /= d;
                inv[p][j] /= d;
            }
            for i in (0..3).filter(|&i| i != p) {
                let f = a[i][p];
                for j in 0..3 {
                    a[i][j] -= f * a[p][j];
                    inv[i][j] -= f * inv[p][j];
                }
            }
        }
        let mut r = [0.0; 9];
        for (i, row) in inv.iter().enumerate() {
            for (j, v) in row.iter().enumerate() {
                r[3 * i + j] = *v;
            }
        }
        r
    }
    differences(f, f_jac, [1.0, 0.5, -0.3, 0.2, 0.7, 0.1, -0.6, 0.4, 0.9]);
}

#[test]
fn a_factorization() {
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn f(x: [f64; 6]) -> [f64; 6] {
        let mut l = [[0.0; 3]; 3];
        let a = |i: usize, j: usize| x[i * (i + 1) / 2 + j] + if i == j { 5.0 } else { 0.0 };
        for i in 0..3 {
            for j in 0..=i {
                let s: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
                l[i][j] = if i == j { (a(i, i) - s).sqrt() } else { (a(i, j) - s) / l[j][j] };
            }
        }
        let mut out = [0.0; 6];
        let mut k = 0;
        for i in 0..3 {
            for j in 0..=i {
                out[k] = l[i][j];
                k += 1;
            }
        }
        out
    }
    differences(f, f_jac, [1.0, 0.5, -0.3, 0.2, 0.7, 0.1]);
}

#[test]
fn an_integration_by_steps() {
    #[jacobian]
    fn f(x: [f64; 3]) -> [f64; 2] {
        let k = x[2];
        let f = |s: [f64; 2]| [s[1], -s[0] * k - 0.1 * s[1] * s[1]];
        let add = |a: [f64; 2], b: [f64; 2], h: f64| -> [f64; 2] { core::array::from_fn(|i| a[i] + h * b[i]) };
        let mut s = [x[0], x[1]];
        let h = 0.05;
        for _ in 0..20 {
            let k1 = f(s);
            let k2 = f(add(s, k1, h / 2.0));
            let k3 = f(add(s, k2, h / 2.0));
            let k4 = f(add(s, k3, h));
            for (i, v) in s.iter_mut().enumerate() {
                *v += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        s
    }
    differences(f, f_jac, [1.0, 0.5, 2.0]);
}

#[test]
fn an_iteration() {
    #[jacobian]
    fn f(x: [f64; 2]) -> f64 {
        let g = |y: f64| y * y * y - x[0];
        let dg = |y: f64| 3.0 * y * y + x[1] * 0.001;
        let mut y = 1.0;
        for _ in 0..8 {
            y = y - g(y) / dg(y);
        }
        y
    }
    differences(f, f_jac, [2.0, 1.0]);
}

#[test]
fn pairs() {
    #[jacobian]
    fn f(x: [f64; 3]) -> [f64; 3] {
        let mut r = [0.0; 3];
        for (a, b) in [(x[0], 1.0), (x[1], 2.0), (x[2], x[0])] {
            r[0] += a * b;
        }
        for &(a, [b, c]) in &[(x[0], [1.0, x[2]]), (x[1], [x[2], 3.0])] {
            r[1] += a * b - c;
        }
        let mut pairs = [(x[0], x[1]), (x[2], 2.0)];
        for (a, b) in pairs.iter_mut() {
            *a *= 2.0;
            *b += *a;
        }
        for p in &mut pairs {
            p.0 -= p.1;
        }
        r[2] = pairs.iter().map(|(a, b)| a * b).sum();
        r
    }
    differences(f, f_jac, [2.0, 1.0, -0.5]);
}

#[test]
fn closures_of_closures() {
    #[jacobian]
    fn f(x: [f64; 3]) -> f64 {
        let clear = |mut a: [f64; 3], i: usize| {
            a[i] = 0.5;
            a
        };
        let y = clear(x, 1);
        let apply = |i: usize| {
            let g = |v: f64| v * y[i] + x[1];
            g(x[i]) - g(1.0)
        };
        let i = 2;
        let total = (0..3).map(apply).sum::<f64>();
        let mut count = 0;
        let mut tick = || {
            count += 1;
            count as f64
        };
        let a = tick() + tick() * tick();
        total * a + apply(i)
    }
    differences(f, f_jac, [2.0, 1.0, -0.5]);
}

#[test]
fn orders_of_items() {
    #[jacobian]
    fn f(x: [f64; 5]) -> [f64; 6] {
        [
            x.iter().rev().enumerate().map(|(i, v)| v * i as f64).sum(),
            x.iter().enumerate().rev().fold(1.0, |a, (i, v)| a * 0.3 + v * i as f64),
            x.iter().zip(x.iter().rev()).map(|(a, b)| a / (1.0 + b * b)).sum(),
            x.chunks_exact(2).map(|c| c[0] * c[1]).sum(),
            x.windows(7).map(|w| w[0]).sum::<f64>() + x.windows(3).map(|w| w[0] * w[1] * w[2]).sum::<f64>(),
            x.iter().map(|v| v.powi(2)).fold(f64::INFINITY, |a, b| a.min(b)),
        ]
    }
    differences(f, f_jac, [2.0, 1.0, -0.5, 0.3, 0.7]);
}

#[test]
fn patterns() {
    #[jacobian]
    fn f(x: [f64; 3]) -> f64 {
        let mut s = 0.0;
        'o: for i in 0..3_i64 {
            for j in [-1, 0, 2] {
                s += match (i, j) {
                    (0, k) | (k, 0) if k != 0 => x[0] * k as f64,
                    (a @ 1..=2, b) if a == b => x[1] * 10.0,
                    (_, i64::MIN..=-1) => x[2],
                    _ => x[0] * x[1] * x[2],
                } * 'b: {
                    if j == 0 {
                        break 'b 2.0;
                    }
                    if i == 1 {
                        continue 'o;
                    }
                    x[1]
                };
            }
        }
        s
    }
    differences(f, f_jac, [2.0, 1.5, -0.5]);
}

#[test]
fn variables_of_loops_that_change() {
    #[jacobian]
    fn f(x: [f64; 2]) -> f64 {
        let mut s = x[0];
        for mut i in 0..4_i32 {
            i = i * i - 3;
            if i > 0 {
                s *= x[1];
            } else {
                s -= i as f64 * x[1];
            }
            i += 1;
            s += i as f64;
        }
        let (mut lo, mut hi) = (0, 5);
        for _ in 0..3 {
            if (lo + hi) % 2 == 0 {
                lo += 1;
            } else {
                hi -= 1;
            }
            s += (hi - lo) as f64 * x[0];
        }
        s
    }
    differences(f, f_jac, [2.0, 1.5]);
}

#[test]
fn polynomials() {
    #[jacobian]
    fn f(x: [f64; 1]) -> [f64; 5] {
        const C: [f64; 5] = [1.0, -0.5, 0.25, -0.125, 0.0625];
        let mut t = [1.0; 5];
        t[1] = x[0];
        for n in 2..t.len() {
            t[n] = 2.0 * x[0] * t[n - 1] - t[n - 2];
        }
        let s: f64 = t.iter().zip(C).map(|(t, c)| t * c).sum();
        t.map(|v| v * s)
    }
    differences(f, f_jac, [0.3]);
}

#[test]
fn shadows() {
    #[jacobian]
    fn f(x: [f64; 2]) -> f64 {
        let v = x[0];
        let f = |x: f64| {
            let v = x * v;
            v + 1.0
        };
        let mut s = 0.0;
        for x in x {
            let v = f(x);
            s += v;
            for v in [v, x] {
                s *= 1.0 + 0.1 * v;
            }
            s += v;
        }
        s + f(v)
    }
    differences(f, f_jac, [0.3, 0.8]);
}

#[test]
fn tables_of_signs() {
    #[jacobian]
    fn f(p: [f64; 4], q: [f64; 4]) -> [f64; 4] {
        const INDEX: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];
        const SIGN: [[i8; 4]; 4] = [[1, -1, -1, -1], [1, 1, 1, -1], [1, -1, 1, 1], [1, 1, -1, 1]];
        let mut r = [0.0; 4];
        for (i, (idx, sign)) in INDEX.iter().zip(&SIGN).enumerate() {
            for (j, (&k, &s)) in idx.iter().zip(sign).enumerate() {
                r[i] += f64::from(s) * p[k] * q[j];
            }
        }
        r
    }
    let split = |x: [f64; 8]| ([x[0], x[1], x[2], x[3]], [x[4], x[5], x[6], x[7]]);
    let of = |x| f(split(x).0, split(x).1);
    differences(of, |x| f_jac(split(x).0, split(x).1), [0.1, 0.2, 0.3, 0.4, 0.5, -0.6, 0.7, 0.8]);
}

#[test]
fn references() {
    #[jacobian]
    fn f(x: &[f64; 4], m: &[[f64; 2]; 2]) -> f64 {
        let [first, rest @ ..] = x;
        let tail: f64 = rest.iter().sum();
        let mut s = *first * tail;
        for row in m {
            let [a, b] = row;
            s += a * b;
            for v in row {
                s *= v;
            }
        }
        for (row, w) in m.iter().zip(x.chunks_exact(2)) {
            s += row.iter().zip(w).map(|(a, b)| a * b).sum::<f64>();
        }
        let r = &x[1..3];
        s + r[0] * r[1] + r.len() as f64
    }
    let split = |x: [f64; 8]| ([x[0], x[1], x[2], x[3]], [[x[4], x[5]], [x[6], x[7]]]);
    let of = |x| f(&split(x).0, &split(x).1);
    differences(of, |x| f_jac(&split(x).0, &split(x).1), [0.1, 0.2, 0.3, 0.4, 0.5, -0.6, 0.7, 0.8]);
}
