//! Loops of known length that stay loops, and those that are unrolled.

#![allow(clippy::needless_range_loop, reason = "these are the loops that users write")]

use approx::assert_abs_diff_eq;
use jacobian::jacobian;

use crate::differences;

/// The same functions with all loops unrolled and with none.
macro_rules! both {
    ($(fn $name:ident($a:ident: $ty:ty) -> $result:ty $body:block)*) => {
        mod rolled {
            $(#[jacobian::jacobian(unroll = "never", forms(jac, hess))]
            pub fn $name($a: $ty) -> $result $body)*
        }
        mod written_out {
            $(#[jacobian::jacobian(unroll = "always", forms(jac, hess))]
            pub fn $name($a: $ty) -> $result $body)*
        }
    };
}

both! {
    fn sums(a: [f64; 4]) -> f64 {
        let mut s = 0.0;
        for i in 0..4 {
            s += a[i].sin() * a[(i + 1) % 4] * i as f64;
        }
        s
    }
    fn triangle(a: [f64; 4]) -> f64 {
        let (mut b, mut count) = (a, 0);
        for i in (0..4).rev() {
            for j in i + 1..4 {
                if b[j] > a[0] { continue; }
                b[i] += 0.5 * b[j] * a[i];
                count += 1;
            }
            if b[i] > 2.0 { b[i] *= 0.5; }
        }
        b[0] * b[1] + b[2] * b[3] + count as f64
    }
    fn weights(a: [f64; 4]) -> f64 {
        const W: [f64; 3] = [0.5, -2.0, 1.5];
        let mut total = 0.0;
        for k in 0..3 {
            total += W[k].abs();
        }
        let mut s = a[3];
        for w in W {
            s = s * w / total + a[0];
        }
        s
    }
}

#[test]
fn rolled_and_unrolled_loops_are_the_same() {
    let x = [0.3, -0.7, 1.9, 0.4];
    let near = |own: &[f64], other: &[f64]| {
        own.iter().zip(other).for_each(|(own, other)| assert_abs_diff_eq!(own, other, epsilon = 1e-13));
    };
    let check = |own: (f64, [f64; 4], [[f64; 4]; 4]), other: (f64, [f64; 4], [[f64; 4]; 4]), value: f64| {
        assert_eq!(own.0.to_bits(), value.to_bits());
        assert_eq!(other.0.to_bits(), value.to_bits());
        near(&own.1, &other.1);
        near(own.2.as_flattened(), other.2.as_flattened());
    };
    check(rolled::sums_hess(x), written_out::sums_hess(x), rolled::sums(x));
    check(rolled::triangle_hess(x), written_out::triangle_hess(x), rolled::triangle(x));
    check(rolled::weights_hess(x), written_out::weights_hess(x), rolled::weights(x));
    differences(rolled::sums, rolled::sums_jac, x);
    differences(rolled::triangle, rolled::triangle_jac, x);
    differences(rolled::weights, rolled::weights_jac, x);
    differences(written_out::sums, written_out::sums_jac, x);
    differences(written_out::triangle, written_out::triangle_jac, x);
    differences(written_out::weights, written_out::weights_jac, x);
}

#[test]
fn a_million_iterations() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        let (mut s, mut k) = (x, 0_u32);
        for i in 0..1_000_000 {
            s = 0.5 * s + y * (i % 3) as f64;
            k = k.wrapping_add(1);
        }
        for i in 0..1_000 {
            for _ in 0..1_000 {
                s += 1e-9 * x * i as f64;
            }
        }
        s + k as f64
    }
    let (value, gradient) = f_jac(1.5, 0.5);
    assert_eq!(value.to_bits(), f(1.5, 0.5).to_bits());
    assert_abs_diff_eq!(gradient[0], 0.4995, epsilon = 1e-6);
    let above = f(1.5, 1.5) - f(1.5, 0.5);
    assert_abs_diff_eq!(gradient[1], above, epsilon = 1e-9);
}

/// A run-time condition that ends a loop of known length: it is not unrolled, whatever its length is.
#[test]
fn loops_that_are_left_at_run_time() {
    #[jacobian(forms(jac, hess))]
    fn newton(x: f64) -> f64 {
        let mut r = x;
        for _ in 0..100 {
            let step = (r * r - x) / (2.0 * r);
            r -= step;
            if step.abs() < 1e-14 {
                break;
            }
        }
        r
    }
    #[jacobian]
    fn first_above(x: f64, y: f64) -> [f64; 2] {
        let (mut s, mut count) = (x, 0);
        for i in 0..200 {
            if s < 0.0 {
                s += 1.0 + y * y;
                continue;
            }
            count += 1;
            s = 0.9 * s * y - 0.01 * i as f64 + 0.3 * y;
            if i > 30 && s > 0.7 {
                return [s, count as f64 * x];
            }
        }
        [s * count as f64, y]
    }
    #[jacobian]
    fn rows(x: f64, y: f64) -> f64 {
        let mut s = x;
        'rows: for i in 0..90 {
            for j in 0..90 {
                s += 1e-3 * y * (i + j) as f64;
                if s > 20.0 + i as f64 {
                    s *= 0.5;
                    continue 'rows;
                }
                if s * y > 30.0 {
                    break 'rows;
                }
            }
        }
        s
    }
    #[jacobian]
    fn late(x: f64) -> f64 {
        let mut s = x;
        for i in 0..200 {
            if i > 120 && s < 0.4 {
                break;
            }
            s -= 0.02 * x * s * s;
        }
        s
    }
    let (root, [slope], [[curvature]]) = newton_hess(2.0);
    assert_eq!(root.to_bits(), newton(2.0).to_bits());
    assert_abs_diff_eq!(slope, 0.5 / root, epsilon = 1e-12);
    assert_abs_diff_eq!(curvature, -0.25 / (2.0 * root), epsilon = 1e-9);
    for x in [-1.5, 0.3, 1.25, 2.5] {
        for y in [0.7, 0.85, 1.05] {
            differences(|[x, y]: [f64; 2]| first_above(x, y), |[x, y]| first_above_jac(x, y), [x, y]);
            differences(|[x, y]: [f64; 2]| rows(x, y), |[x, y]| rows_jac(x, y), [x, y]);
        }
        differences(|[x]: [f64; 1]| late(x), |[x]| late_jac(x), [x]);
    }
}

/// `unroll = "never"` holds for chains of iterators, too.
#[test]
fn chains_that_are_not_unrolled() {
    #[jacobian(unroll = "never")]
    fn f(x: f64, y: f64) -> f64 {
        let sum: f64 = (0..9).map(|i| x * (i % 3) as f64).sum();
        let product: f64 = (1..4).map(|k| y * k as f64).product();
        let few = (0..5).filter(|i| i % 2 == 0).fold(x, |s, i| s * y + i as f64);
        let mut last = y;
        (0..4).for_each(|i| last = last * x - i as f64);
        let is_any = (0..10).any(|i| x * i as f64 > 5.0);
        let count = (0..10).filter(|i| y * *i as f64 > 2.0).count();
        sum + product + few + last + count as f64 + if is_any { x } else { y }
    }
    #[jacobian(unroll = "never")]
    fn long(x: f64) -> f64 {
        (0..1_000_000).map(|i| x * (i % 3) as f64).sum()
    }
    assert_eq!(long_jac(0.7), (long(0.7), [999_999.0]));
    for (x, y) in [(0.7, 1.3), (0.3, -0.4)] {
        differences(|[x, y]: [f64; 2]| f(x, y), |[x, y]| f_jac(x, y), [x, y]);
    }
}

/// In a loop, the first would be a branch of 200 arms, and the second carry 30 floats, by as many columns.
#[test]
fn what_would_take_longer_as_a_loop_is_unrolled() {
    #[jacobian]
    fn indices(x: [f64; 200], k: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..200 {
            for j in 0..3 {
                s += (x[i] * k).sin() * x[j];
            }
        }
        s
    }
    let (value, [.., slope]) = indices_jac([0.5; 200], 0.3);
    assert_eq!(value.to_bits(), indices([0.5; 200], 0.3).to_bits());
    assert_abs_diff_eq!(slope, 600.0 * 0.25 * 0.15_f64.cos(), epsilon = 1e-10);
}

#[test]
fn what_cannot_stay_a_loop_is_unrolled() {
    #[jacobian]
    fn f(a: [f64; 200]) -> f64 {
        let mut s = 0.0;
        for v in a {
            s += v * v;
        }
        s
    }
    assert_eq!(f_jac([0.5; 200]).1, [1.0; 200]);
    assert_eq!(f([0.5; 200]), 50.0);
}

#[test]
fn a_passive_array_whose_length_is_a_parameter() {
    #[jacobian]
    mod arrays {
        fn cumulated<const N: usize>(steps: [f64; N], _: f64) -> [f64; N] {
            let (mut sum, mut sums): (f64, [f64; N]) = (0.0, [0.0; N]);
            let mut all: [f64; N] = sums;
            for i in 0..N {
                sum += steps[i];
                all[i] = sum;
            }
            sums[0] = all[N - 1];
            all[0] += sums[0];
            all
        }

        #[jacobian(unroll = "never")]
        pub fn f(x: [f64; 2]) -> f64 {
            let mut sums = cumulated([0.5, 1.0, 2.0], x[0]);
            sums[1] *= x[1] * x[1];
            sums[0] + sums[1] * x[0] + sums[2]
        }
    }
    differences(arrays::f, arrays::f_jac, [0.75, -1.5]);
}

/// They choose the items by their numbers.
#[test]
fn loops_over_active_values_that_are_not_unrolled() {
    #[jacobian(unroll = "never", forms(jac, hess))]
    fn f(x: [f64; 3]) -> f64 {
        let mut a = x;
        for v in &mut a {
            *v *= x[1];
        }
        for (v, w) in a.iter_mut().rev().zip([1.0, 2.0, 0.5]) {
            *v += w * x[2];
        }
        let mut s = 0.0;
        for v in x.map(|v| v * v) {
            s += v.sin();
        }
        for (i, v) in a.iter().enumerate() {
            s *= v + i as f64;
        }
        for w in x.windows(2) {
            s += w[0] * w[1];
        }
        s
    }
    let x = [0.3, -0.7, 1.9];
    differences(f, f_jac, x);
    differences(
        |x| f_jac(x).1,
        |x| {
            let (_, gradient, hessian) = f_hess(x);
            (gradient, hessian)
        },
        x,
    );
}

/// A few iterations that are long: were they written out, there would be twenty thousand statements.
#[jacobian]
fn newton(p: [f64; 5]) -> [f64; 5] {
    let mut x = [1.0_f64; 5];
    for _ in 0..8 {
        let mut r = [0.0; 5];
        let mut j = [[0.0_f64; 5]; 5];
        for i in 0..5 {
            let before = if i > 0 { x[i - 1] } else { 0.0 };
            let after = if i < 4 { x[i + 1] } else { 1.0 };
            r[i] = p[i] * x[i].exp() + x[i] - before * after - 0.5;
            j[i][i] = p[i] * x[i].exp() + 1.0;
            if i > 0 {
                j[i][i - 1] = -after;
            }
            if i < 4 {
                j[i][i + 1] = -before;
            }
        }
        for k in 0..5 {
            let mut pivot = k;
            for i in k + 1..5 {
                if j[i][k].abs() > j[pivot][k].abs() {
                    pivot = i;
                }
            }
            if pivot != k {
                j.swap(pivot, k);
                r.swap(pivot, k);
            }
            for i in k + 1..5 {
                let m = j[i][k] / j[k][k];
                for c in k..5 {
                    j[i][c] -= m * j[k][c];
                }
                r[i] -= m * r[k];
            }
        }
        for k in (0..5).rev() {
            let mut s = r[k];
            for c in k + 1..5 {
                s -= j[k][c] * r[c];
            }
            r[k] = s / j[k][k];
        }
        for i in 0..5 {
            x[i] -= r[i];
        }
    }
    x
}

#[test]
fn a_few_long_iterations_are_differentiated() {
    differences(newton, newton_jac, [0.1, 0.3, 0.2, 0.15, 0.4]);
}

/// Matrices at run-time indices in nested loops, all of whose entries are columns.
#[jacobian(unroll = "never", forms(jac, jvp))]
fn solved(a: [[f64; 3]; 3], b: [f64; 3]) -> [f64; 3] {
    let (mut a, mut b) = (a, b);
    for k in 0..3 {
        for i in k + 1..3 {
            let m = a[i][k] / a[k][k];
            for c in k..3 {
                a[i][c] -= m * a[k][c];
            }
            b[i] -= m * b[k];
        }
    }
    for k in (0..3).rev() {
        let mut s = b[k];
        for c in k + 1..3 {
            s -= a[k][c] * b[c];
        }
        b[k] = s / a[k][k];
    }
    b
}

#[test]
fn a_system_of_equations_is_solved_in_loops() {
    let split = |x: [f64; 12]| ([[x[0], x[1], x[2]], [x[3], x[4], x[5]], [x[6], x[7], x[8]]], [x[9], x[10], x[11]]);
    let x = [3.0, 0.5, -0.4, 0.2, 2.0, 0.7, -0.3, 0.6, 4.0, 1.0, -2.0, 0.5];
    let f = |x| solved(split(x).0, split(x).1);
    differences(f, |x| solved_jac(split(x).0, split(x).1), x);
    let direction = x.map(|x| 0.3 * x - 0.1);
    let (_, jacobian) = solved_jac(split(x).0, split(x).1);
    let (_, product) = solved_jvp(split(x).0, split(x).1, &direction);
    for (row, entry) in jacobian.iter().zip(product) {
        assert_abs_diff_eq!(row.iter().zip(&direction).map(|(j, v)| j * v).sum::<f64>(), entry, epsilon = 1e-12);
    }
}

/// Variables of an iteration that it assigns between two ways out of the loop: the next iteration, which is nested in
/// this one, has variables of the same names.
mod declared_before_a_jump {
    #![allow(clippy::needless_late_init, reason = "users write it")]

    use jacobian::jacobian;

    #[jacobian]
    pub fn broken(x: [f64; 2]) -> f64 {
        let mut y = x[0];
        for _ in 0..3 {
            let mut b = y;
            if y < 1.0 {
                break;
            }
            b *= x[1];
            y = b;
            if y < 0.5 {
                break;
            }
        }
        y
    }

    #[jacobian]
    pub fn returned(x: [f64; 2]) -> f64 {
        let mut y = x[0];
        for _ in 0..3 {
            let b;
            if y < 1.0 {
                return y;
            }
            b = y * x[1];
            y = b;
            if y < 0.5 {
                return x[1];
            }
        }
        y
    }

    #[jacobian]
    pub fn continued(x: [f64; 2], n: usize) -> f64 {
        let mut y = x[0];
        'steps: for _ in 0..n {
            for _ in 0..2 {
                let mut b = [y * x[1], y];
                if y < 1.0 {
                    continue 'steps;
                }
                for i in 0..2 {
                    b[i] /= x[1] * x[1];
                }
                y -= b[0];
                if y < 0.25 {
                    continue 'steps;
                }
            }
        }
        y
    }
}

#[test]
fn variables_of_iterations_are_declared_before_a_jump() {
    use declared_before_a_jump::{broken, broken_jac, continued, continued_jac, returned, returned_jac};
    for x in [[0.7, 2.0], [3.0, 0.6], [4.0, 0.9], [1.5, 0.1], [8.0, 1.2]] {
        differences(broken, broken_jac, x);
        differences(returned, returned_jac, x);
        differences(|x| continued(x, 3), |x| continued_jac(x, 3), x);
    }
}
