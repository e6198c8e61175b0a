//! Loops in branches and branches in loops.

#![allow(clippy::needless_range_loop, clippy::redundant_closure)]

use jacobian::jacobian;

use crate::differences;

/// Points at which the conditions below hold and do not.
const POINTS: [[f64; 4]; 3] = [[0.7, 0.2, 0.5, 0.9], [0.1, 0.6, -0.3, 0.45], [1.2, 1.1, 0.3, -0.8]];

#[test]
fn arrays_that_change_in_arms() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], n: usize) -> [f64; 4] {
        let mut y = x;
        if n > 1 {
            for v in y.iter_mut() {
                *v *= 2.0;
            }
            for (i, v) in y.iter_mut().enumerate().skip(1) {
                *v += x[i - 1];
            }
        } else {
            y.swap(0, 1);
            y[2..].iter_mut().for_each(|v| *v = v.sin());
        }
        y
    }
    for x in POINTS {
        (0..5).for_each(|n| differences(|x| f(x, n), |x| f_jac(x, n), x));
    }
}

#[test]
fn known_integers_become_unknown() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], n: usize) -> f64 {
        let mut k = 1;
        let mut w = [1.0, 2.0, 3.0];
        if n > 1 {
            k = 3;
            w[1] = 7.0;
        }
        let mut s = 0.0;
        for i in 0..3 {
            s += w[i] * x[i];
            if i == k {
                s *= 2.0;
            }
        }
        s * k as f64
    }
    for x in POINTS {
        (0..5).for_each(|n| differences(|x| f(x, n), |x| f_jac(x, n), x));
    }
}

#[test]
fn references_to_arrays_are_chosen() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], n: usize) -> f64 {
        let (p, q) = ([x[0], x[1]], [x[2], x[3]]);
        let r = if n > 1 { &p } else { &q };
        let m = if x[0] > 0.3 { x.iter().sum::<f64>() } else { x.iter().product() };
        r[0] * r[1] + m
    }
    for x in POINTS {
        (0..5).for_each(|n| differences(|x| f(x, n), |x| f_jac(x, n), x));
    }
}

#[test]
fn closures_change_what_they_captured() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], n: usize) -> f64 {
        let mut total = 0.0;
        let mut add = |v: f64| total += v * v;
        if n > 1 {
            add(x[0]);
        } else {
            add(x[1]);
            add(x[2]);
        }
        for v in x {
            if v > 0.4 {
                add(v);
            }
        }
        total
    }
    for x in POINTS {
        (0..5).for_each(|n| differences(|x| f(x, n), |x| f_jac(x, n), x));
    }
}

#[test]
fn iterators_in_arms() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], n: usize) -> f64 {
        match n {
            0 => x.iter().zip(x.iter().skip(1)).map(|(a, b)| a * b).sum(),
            1 => {
                let [a, b, ..] = x;
                a / b
            }
            k @ 2..=3 => (0..4).map(|i| x[i] * (i + k) as f64).fold(0.0, f64::max),
            _ => x.iter().rev().fold(0.0, |s, v| if *v > s { *v * v } else { s + v }),
        }
    }
    for x in POINTS {
        (0..5).for_each(|n| differences(|x| f(x, n), |x| f_jac(x, n), x));
    }
}

#[test]
fn branches_in_closures() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], n: usize) -> [f64; 4] {
        core::array::from_fn(|i| {
            if x[i] > x[(i + 1) % 4] {
                x[i]
            } else if n == i {
                x[i] * x[0]
            } else {
                0.5
            }
        })
    }
    for x in POINTS {
        (0..5).for_each(|n| differences(|x| f(x, n), |x| f_jac(x, n), x));
    }
}

#[test]
fn known_and_unknown_conditions_in_loops() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], n: usize) -> f64 {
        let mut s = 0.0;
        'o: for i in 0..4 {
            for j in 0..4 {
                if j > i {
                    continue 'o;
                }
                if i == 3 {
                    break 'o;
                }
                if x[i] > x[j] {
                    s += x[i] * x[j];
                }
            }
        }
        if n == 2 {
            return s;
        }
        s * x[3]
    }
    for x in POINTS {
        (0..5).for_each(|n| differences(|x| f(x, n), |x| f_jac(x, n), x));
    }
}

#[test]
fn rows_are_exchanged() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 4], n: usize) -> [[f64; 2]; 2] {
        let mut m = [[0.0; 2]; 2];
        for (i, row) in m.iter_mut().enumerate() {
            for (j, e) in row.iter_mut().enumerate() {
                *e = x[2 * i + j];
                if n > i + j {
                    *e *= x[0];
                }
            }
        }
        let (mut lo, mut hi) = (m[0], m[1]);
        if lo[0] > hi[0] {
            (lo, hi) = (hi, lo);
        }
        [lo, [hi[0] * hi[1], if n > 2 { hi[1] } else { 1.0 }]]
    }
    for x in POINTS {
        (0..5).for_each(|n| differences(|x| f(x, n), |x| f_jac(x, n), x));
    }
}

#[test]
fn flags_of_the_run_time() {
    #[jacobian]
    fn f(x: [f64; 4]) -> f64 {
        let mut done = false;
        let mut s = x[0];
        for i in 0..4 {
            if !done {
                s = s * s + x[i];
                if s > 1.5 {
                    done = true;
                }
            }
        }
        s
    }
    for x in POINTS {
        differences(f, f_jac, x);
    }
}

#[test]
fn counters_of_the_run_time() {
    #[jacobian]
    fn f(x: [f64; 4]) -> f64 {
        let mut count = 0;
        let mut last = 1.0;
        for (i, v) in x.iter().enumerate() {
            if *v > 0.4 {
                count += 1;
                last = i as f64;
            }
            if count > 1 && i < 3 {
                break;
            }
        }
        x[1] * count as f64 + last * x[2]
    }
    for x in POINTS {
        differences(f, f_jac, x);
    }
}

#[test]
fn arrays_of_numbers_keep_their_length_behind_an_arm() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let mut b: [f64; 2] = [1.0; 2];
        let mut k = [1, 2];
        match n {
            0 => b = [0.3, b[0]],
            1 => k = [n + 3, 7],
            _ => {}
        }
        b[0] = x;
        k[1] += 2;
        b[0] * b[1] * k[0] as f64 + x * k[1] as f64
    }
    for n in 0..3 {
        differences(|[x]| f(x, n), |[x]| f_jac(x, n), [0.7]);
    }
}
