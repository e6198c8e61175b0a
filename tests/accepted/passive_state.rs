//! Passive state of loops that are not unrolled: what changes under active conditions, or with active values beside it.

use approx::assert_abs_diff_eq;
use jacobian::jacobian;
use nalgebra::{Matrix2, Vector2};

use crate::differences;

/// Compares the Jacobian with differences, after each of the first numbers of iterations.
macro_rules! check {
    ($name:ident, $jacobian:ident) => {
        for n in 0..7 {
            for x in [0.3, 0.7, 1.3] {
                differences(|[x]| $name(x, n), |[x]| $jacobian(x, n), [x]);
            }
        }
    };
}

#[test]
fn changes_by_branches_of_values() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let (mut s, mut h) = (x, 1.0);
        for _ in 0..n {
            s += h * x;
            h *= if s > 1.0 { 0.5 } else { 1.0 };
        }
        s * h
    }
    check!(f, f_jac);
}

#[test]
fn truth_values() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let (mut s, mut done) = (x, false);
        for i in 0..n {
            if !done {
                s += s * x;
            }
            done = s > 3.0 || i > 2;
        }
        if done { s } else { s * s }
    }
    check!(f, f_jac);
}

#[test]
fn counters_under_active_conditions() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let (mut s, mut k) = (x, 0);
        for _ in 0..n {
            s += s * x;
            if s > 1.0 {
                k += 1;
            }
        }
        s * k as f64
    }
    check!(f, f_jac);
}

#[test]
fn assignments_to_several() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let (mut s, mut p, mut q) = (x, 1, 2);
        for i in 0..n {
            s += s * x;
            (p, q) = (q, p + i);
            s *= 1.0 / p as f64;
        }
        s * p as f64 + q as f64
    }
    check!(f, f_jac);
}

#[test]
fn arrays_whose_elements_are_swapped() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let (mut s, mut a) = (x, [1.0, 2.0]);
        for _ in 0..n {
            s += s * x * a[0];
            a.swap(0, 1);
        }
        s * a[1]
    }
    check!(f, f_jac);
}

#[test]
fn arrays_at_indices_of_the_run_time() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let (mut s, mut h) = (x, [1.0; 8]);
        for i in 0..n {
            s += s * x * h[(i + 3) % 8];
            h[i % 8] = 0.5 * i as f64;
        }
        s * h[1]
    }
    check!(f, f_jac);
}

#[test]
fn a_number_beside_a_float() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let mut pair = (x, 0);
        while pair.1 < n {
            pair = (pair.0 * x, pair.1 + 1);
        }
        pair.0
    }
    check!(f, f_jac);
}

#[test]
fn tuples_of_numbers() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let mut t = (0, 1.0);
        let mut s = x;
        for i in 0..n {
            s += x * t.1;
            t = (t.0 + i, if s > 1.0 { 2.0 } else { t.1 });
        }
        s * t.0 as f64
    }
    check!(f, f_jac);
}

#[test]
fn nested_loops() {
    #[jacobian(wrt(x))]
    #[allow(clippy::manual_swap)]
    fn f(x: f64, n: usize) -> f64 {
        let (mut s, mut p, mut q, mut k) = (x, 1u64, 2u64, 0i8);
        while k < 5 && s < 1e3 {
            for i in 0..n {
                (p, q) = (q, p + i as u64);
                if s > 1.0 {
                    k += 1;
                } else if s > 0.5 {
                    (p, q) = (q, p);
                }
                s += x / p as f64;
            }
            let old = p;
            p = q;
            q = old;
            s *= 1.0 + 0.01 * (old as f64 - p as f64);
            k += 1;
        }
        s * p as f64 + q as f64 + f64::from(k)
    }
    check!(f, f_jac);
}

#[test]
fn copies_and_jumps() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let (mut s, mut h) = (x, 1.0);
        let mut last = 0.0;
        for i in 0..n {
            let before = h;
            h *= if s > 1.0 { 0.5 } else { 2.0 };
            s += before * x;
            last = before;
            if s > 4.0 {
                s = h;
                break;
            }
            h += 0.25;
            if i == 3 {
                continue;
            }
            s += h * x;
        }
        s * h + last * x
    }
    check!(f, f_jac);
}

#[test]
fn parts_that_become_active() {
    fn twice(k: &mut u32) {
        *k *= 2;
    }
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let mut t = (1u32, [x, 2.0], 1u8);
        let mut u = (1u32, 5i64);
        for i in 0..n {
            t.2 += 1;
            t = (t.0 + u32::from(t.2), [t.1[1] * x, t.1[0]], t.2);
            u = (t.0, u.1 + i as i64);
            twice(&mut u.0);
            if t.1[0] > 1.0 {
                u.1 -= 2;
                t.0 += 1;
            }
        }
        t.1[0] * t.0 as f64 + t.1[1] * u.1 as f64 + u.0 as f64 * x
    }
    check!(f, f_jac);
}

#[test]
fn vectors_that_are_assigned_whole() {
    #[jacobian(wrt(b))]
    fn f(a: Matrix2<f64>, b: Vector2<f64>, n: usize) -> Vector2<f64> {
        let mut v = b;
        for _ in 0..n {
            v = a * v + b;
        }
        v
    }
    let (a, b) = (Matrix2::new(0.5, 0.125, 0.25, 0.75), Vector2::new(1.0, 2.0));
    let power = Matrix2::identity() + a + a * a + a * a * a;
    let (value, jacobian) = f_jac(a, b, 3);
    assert_eq!(value, f(a, b, 3));
    assert!((value - power * b).norm() < 1e-12);
    for (row, jacobian) in jacobian.iter().enumerate() {
        for (column, entry) in jacobian.iter().enumerate() {
            assert_abs_diff_eq!(*entry, power[(row, column)], epsilon = 1e-12);
        }
    }
}

/// Each trial finds one more of them to be active.
#[test]
fn a_chain_of_forty() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let mut v0 = 0.5;
        let mut v1 = 0.5;
        let mut v2 = 0.5;
        let mut v3 = 0.5;
        let mut v4 = 0.5;
        let mut v5 = 0.5;
        let mut v6 = 0.5;
        let mut v7 = 0.5;
        let mut v8 = 0.5;
        let mut v9 = 0.5;
        let mut v10 = 0.5;
        let mut v11 = 0.5;
        let mut v12 = 0.5;
        let mut v13 = 0.5;
        let mut v14 = 0.5;
        let mut v15 = 0.5;
        let mut v16 = 0.5;
        let mut v17 = 0.5;
        let mut v18 = 0.5;
        let mut v19 = 0.5;
        let mut v20 = 0.5;
        let mut v21 = 0.5;
        let mut v22 = 0.5;
        let mut v23 = 0.5;
        let mut v24 = 0.5;
        let mut v25 = 0.5;
        let mut v26 = 0.5;
        let mut v27 = 0.5;
        let mut v28 = 0.5;
        let mut v29 = 0.5;
        let mut v30 = 0.5;
        let mut v31 = 0.5;
        let mut v32 = 0.5;
        let mut v33 = 0.5;
        let mut v34 = 0.5;
        let mut v35 = 0.5;
        let mut v36 = 0.5;
        let mut v37 = 0.5;
        let mut v38 = 0.5;
        let mut v39 = 0.5;
        let mut s = x;
        for _ in 0..n {
            v0 = v1 * 0.5;
            v1 = v2 * 0.5;
            v2 = v3 * 0.5;
            v3 = v4 * 0.5;
            v4 = v5 * 0.5;
            v5 = v6 * 0.5;
            v6 = v7 * 0.5;
            v7 = v8 * 0.5;
            v8 = v9 * 0.5;
            v9 = v10 * 0.5;
            v10 = v11 * 0.5;
            v11 = v12 * 0.5;
            v12 = v13 * 0.5;
            v13 = v14 * 0.5;
            v14 = v15 * 0.5;
            v15 = v16 * 0.5;
            v16 = v17 * 0.5;
            v17 = v18 * 0.5;
            v18 = v19 * 0.5;
            v19 = v20 * 0.5;
            v20 = v21 * 0.5;
            v21 = v22 * 0.5;
            v22 = v23 * 0.5;
            v23 = v24 * 0.5;
            v24 = v25 * 0.5;
            v25 = v26 * 0.5;
            v26 = v27 * 0.5;
            v27 = v28 * 0.5;
            v28 = v29 * 0.5;
            v29 = v30 * 0.5;
            v30 = v31 * 0.5;
            v31 = v32 * 0.5;
            v32 = v33 * 0.5;
            v33 = v34 * 0.5;
            v34 = v35 * 0.5;
            v35 = v36 * 0.5;
            v36 = v37 * 0.5;
            v37 = v38 * 0.5;
            v38 = v39 * 0.5;
            v39 = s * x;
            s = 0.9 * s + v37;
        }
        s + v0
    }
    for x in [0.3, 1.3] {
        differences(|[x]| f(x, 45), |[x]| f_jac(x, 45), [x]);
    }
}

/// Integers that iterations change, with which the first iteration alone could not be computed.
#[test]
fn integers_change_before_they_are_used() {
    #[jacobian(wrt(x))]
    fn stack(x: f64, n: usize) -> f64 {
        let (mut top, mut s, mut kept) = (0usize, x, [1.0; 4]);
        for k in 0..n {
            if k % 2 == 1 {
                top -= 1;
                s += kept[top] * x;
            } else {
                kept[top] = s * 0.5;
                top += 1;
            }
        }
        s * top as f64
    }
    #[jacobian(wrt(x))]
    fn queue(x: f64, data: &[f64]) -> f64 {
        let (mut length, mut s) = (0usize, x);
        for value in data {
            if *value > 0.0 {
                length += 1;
            } else if *value < 0.5 && length > 0 {
                length -= 1;
                s *= x;
            }
        }
        s
    }
    #[jacobian(wrt(x))]
    fn last(x: [f64; 4], n: usize) -> f64 {
        let (mut last, mut s) = (4usize, x[0]);
        let mut k = 0;
        while k < n {
            if k % 2 == 1 {
                s += x[last] * 0.5;
            } else {
                last = k % 4;
            }
            k += 1;
        }
        s
    }
    for n in 0..9 {
        differences(|[x]| stack(x, n), |[x]| stack_jac(x, n), [0.7]);
        differences(|x| last(x, n), |x| last_jac(x, n), [0.7, 0.3, -1.2, 0.8]);
    }
    let data = [0.4, -1.0, -1.0, 2.0, 0.3, -0.2, -0.1];
    for count in 0..data.len() {
        differences(|[x]| queue(x, &data[..count]), |[x]| queue_jac(x, &data[..count]), [0.7]);
    }
}

/// What is changed in a tuple at a run-time index, and swapped as a whole.
#[test]
fn a_part_of_a_tuple_is_swapped() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], n: usize) -> [f64; 2] {
        let (mut v, mut p) = (x, ([0.3; 4], 1.0, 2));
        for k in 0..n {
            p.0[k % 4] = p.1;
            std::mem::swap(&mut p.0, &mut v);
            p.2 += 1;
        }
        [v[0] * v[2], p.0[1] * p.2 as f64]
    }
    for n in 0..9 {
        differences(|x| f(x, n), |x| f_jac(x, n), [0.7, 0.3, -1.2, 0.8]);
    }
}
