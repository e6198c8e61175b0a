//! `Vec`s beside others that hold active values: one that nothing active reaches stays what it is.

#![allow(clippy::useless_vec, reason = "that they are collections is what is tested")]

use jacobian::jacobian;

use crate::differences;

fn total(v: Vec<f64>) -> f64 {
    v.iter().sum()
}

fn give() -> Vec<f64> {
    vec![1.0, 2.0]
}

#[expect(clippy::ptr_arg, reason = "an array is no `Vec`")]
fn first(v: &Vec<f64>) -> f64 {
    v[0]
}

#[expect(clippy::ptr_arg, reason = "an array is no `Vec`")]
fn count(v: &Vec<String>) -> usize {
    v.len()
}

#[jacobian]
fn given_away(x: f64) -> f64 {
    let w = vec![1.0, 2.0];
    let t = vec![1.0, x];
    total(w) * t[1]
}

#[jacobian]
fn borrowed(x: f64) -> f64 {
    let w = vec![1.0, 2.0];
    let t = vec![1.0, x];
    first(&w) * t[1]
}

#[jacobian]
fn changed(x: f64, n: usize) -> f64 {
    let mut w = vec![1.0, 2.0];
    let t = vec![1.0, x];
    if n > 2 {
        w.push(3.0);
    }
    w.retain(|v| *v > 1.0);
    if w == give() { x } else { t[1] * w.iter().sum::<f64>() }
}

#[jacobian]
fn taken(x: f64) -> f64 {
    let mut w = vec![1.0, 2.0];
    let old = std::mem::take(&mut w);
    if w.is_empty() {
        let t = [x, 1.0].to_vec();
        t[0] * old[1]
    } else {
        -x
    }
}

#[jacobian]
fn work_list(x: [f64; 3], n: usize) -> f64 {
    let y: Vec<f64> = x.iter().map(|v| v.exp()).collect();
    let mut s = 0.0;
    let mut queue = vec![n % 3];
    let mut k = 0;
    while let Some(i) = queue.pop() {
        s += y[i];
        k += 1;
        if k < 5 {
            queue.push((i + 1) % 3);
        }
    }
    s
}

#[jacobian]
fn picked(x: [f64; 3], n: usize) -> f64 {
    let y: Vec<f64> = x.iter().map(|v| v.exp()).collect();
    let mut picked = Vec::new();
    for i in 0..n {
        if i % 2 == 0 {
            picked.push(i % 3);
        }
    }
    let mut s = 0.0;
    for &i in &picked {
        s += y[i];
    }
    s
}

#[jacobian]
fn deduplicated(x: f64, n: usize) -> f64 {
    let mut grid: Vec<f64> = (0..5).map(|i| i as f64 * 0.5).collect();
    grid.push(2.0);
    grid.dedup();
    let t = vec![x, 2.0 * x];
    grid.iter().map(|g| g * t[n % 2]).sum()
}

#[jacobian]
fn strings(x: f64) -> f64 {
    let names = vec!["a".to_string()];
    let t = vec![x; 2];
    t[0] * count(&names) as f64
}

#[jacobian]
fn extended(x: f64, n: usize) -> f64 {
    let mut k = vec![0.0; 3];
    k.extend((1..n).map(|i| i as f64));
    let t = vec![x; 2];
    t[1] * k.iter().sum::<f64>()
}

#[jacobian]
fn pushed(x: f64, n: usize) -> f64 {
    let mut w = vec![1.0, 2.0];
    let t = vec![1.0, x];
    for k in 0..n {
        w.push(k as f64);
    }
    let z = w.clone();
    total(w) * t[1] * z.len() as f64
}

#[jacobian]
fn active_in_turn(x: f64, n: usize) -> f64 {
    let mut w = vec![1.0, 2.0];
    w[n % 2] = x;
    w.push(x * x);
    let t: Vec<f64> = w.iter().map(|v| v * 2.0).collect();
    t.iter().sum()
}

#[jacobian]
fn through_references(x: f64, n: usize) -> f64 {
    let mut w = vec![0.0; 3];
    for (i, v) in w.iter_mut().enumerate() {
        *v = x * i as f64;
    }
    let s = vec![1.0, n as f64];
    w[2] * s[1]
}

#[jacobian]
fn logged(x: f64) -> f64 {
    let mut log = Vec::new();
    let t = vec![x, x * x];
    for i in 0..2 {
        log.push(format!("{i}"));
    }
    t[1] * log.len() as f64
}

#[jacobian]
fn chosen(x: f64, n: usize) -> f64 {
    let w = if n > 2 { vec![1.0, 2.0] } else { give() };
    let t = vec![x, 1.0];
    w[0] * t[0]
}

#[jacobian]
fn by_a_closure(x: f64, y: f64) -> f64 {
    let mut acc = vec![0.0; 2];
    let mut add = |i: usize, v: f64| acc[i] += v;
    add(0, x);
    add(1, y);
    acc[0] * acc[1]
}

#[jacobian]
fn exchanged(x: f64, y: f64) -> f64 {
    let mut a = vec![0.0, 1.0];
    let mut b = vec![x, y];
    std::mem::swap(&mut a, &mut b);
    a[0] * a[1] + b[1] * x
}

#[jacobian]
fn rows(x: f64) -> f64 {
    let mut rows = vec![vec![0.0; 2]; 2];
    for row in rows.iter_mut() {
        for v in row.iter_mut() {
            *v = x;
        }
    }
    rows[0][1] * rows[1][0]
}

#[jacobian]
fn pushed_rows(x: f64) -> f64 {
    let mut rows = Vec::new();
    for i in 0..3 {
        let mut r = vec![1.0];
        r.push(x * i as f64);
        rows.push(r);
    }
    rows[2][1] * rows[1][1]
}

#[jacobian(wrt(x))]
fn indexed_by_work(x: f64, n: usize) -> f64 {
    let mut t = vec![x, x * x];
    let mut st = vec![n % 2];
    while let Some(i) = st.pop() {
        t[i] *= x;
        if i == 0 {
            st.push(i + 1);
        }
    }
    t[1]
}

#[jacobian(wrt(x))]
fn seen(x: f64, n: usize) -> f64 {
    let mut t = vec![x, x * x];
    let mut seen = vec![];
    for i in 0..n {
        t[i % 2] *= x;
        seen.push(i);
    }
    t[1] * seen.len() as f64
}

#[jacobian(wrt(x))]
fn found(x: f64, n: usize) -> f64 {
    let t = vec![x, x * x * n as f64];
    let mut w = vec![];
    for (i, v) in t.iter().enumerate() {
        if *v > 0.5 {
            w.push(i);
        }
    }
    w.iter().map(|&i| t[i]).sum()
}

#[jacobian(wrt(x))]
fn cast(x: f64, n: usize) -> f64 {
    let t = vec![x, x * x * n as f64];
    let mut w = vec![];
    for v in &t {
        if *v > 0.5 {
            w.push((*v * 2.0) as usize % 2);
        }
    }
    w.iter().map(|&i| t[i]).sum()
}

#[jacobian(wrt(x))]
fn zipped(x: f64, n: usize) -> f64 {
    let mut t = vec![x, x * x * n as f64];
    let w = vec![1.0, 2.0];
    for (a, b) in t.iter_mut().zip(&w) {
        *a *= b;
    }
    t[0] * total(w)
}

#[jacobian(wrt(x))]
fn zipped_in_a_closure(x: f64, n: usize) -> f64 {
    let mut t = vec![x, x * x * n as f64];
    let w = vec![1.0, 2.0];
    t.iter_mut().zip(&w).for_each(|(a, b)| *a *= b);
    t[0] * total(w)
}

#[jacobian(wrt(x))]
fn copied(x: f64, n: usize) -> f64 {
    let mut w = vec![0.0; 2];
    for (v, i) in w.iter_mut().zip(0..n) {
        *v = x * i as f64;
    }
    let mut u = vec![1.0, 2.0];
    w.iter().for_each(|v| u.push(*v));
    u.iter().fold(0.0, |s, v| s + v) + w[1]
}

#[jacobian(wrt(x))]
fn assigned(x: f64, n: usize) -> f64 {
    let mut w = vec![n as f64];
    if n > 1 {
        w = (0..3).map(|i| (i + n) as f64).collect::<Vec<f64>>();
    }
    let t = vec![x, x * x];
    t[1] * total(w)
}

#[test]
fn collections_that_nothing_active_reaches() {
    differences(|[x]| given_away(x), |[x]| given_away_jac(x), [0.7]);
    differences(|[x]| borrowed(x), |[x]| borrowed_jac(x), [0.7]);
    differences(|[x]| taken(x), |[x]| taken_jac(x), [0.7]);
    differences(|[x]| strings(x), |[x]| strings_jac(x), [0.7]);
    differences(|[x]| logged(x), |[x]| logged_jac(x), [0.7]);
    differences(|[x]| rows(x), |[x]| rows_jac(x), [0.7]);
    differences(|[x]| pushed_rows(x), |[x]| pushed_rows_jac(x), [0.7]);
    differences(|[x, y]| by_a_closure(x, y), |[x, y]| by_a_closure_jac(x, y), [0.7, 0.3]);
    differences(|[x, y]| exchanged(x, y), |[x, y]| exchanged_jac(x, y), [0.7, 0.3]);
    for n in 0..5 {
        differences(|[x]| changed(x, n), |[x]| changed_jac(x, n), [0.7]);
        differences(|[x]| deduplicated(x, n), |[x]| deduplicated_jac(x, n), [0.7]);
        differences(|[x]| extended(x, n + 1), |[x]| extended_jac(x, n + 1), [0.7]);
        differences(|[x]| pushed(x, n), |[x]| pushed_jac(x, n), [0.7]);
        differences(|[x]| active_in_turn(x, n), |[x]| active_in_turn_jac(x, n), [0.7]);
        differences(|[x]| through_references(x, n), |[x]| through_references_jac(x, n), [0.7]);
        differences(|[x]| chosen(x, n), |[x]| chosen_jac(x, n), [0.7]);
        differences(|[x]| indexed_by_work(x, n), |[x]| indexed_by_work_jac(x, n), [0.7]);
        differences(|[x]| seen(x, n), |[x]| seen_jac(x, n), [0.7]);
        differences(|[x]| found(x, n), |[x]| found_jac(x, n), [0.7]);
        differences(|[x]| cast(x, n), |[x]| cast_jac(x, n), [0.7]);
        differences(|[x]| zipped(x, n), |[x]| zipped_jac(x, n), [0.7]);
        differences(|[x]| zipped_in_a_closure(x, n), |[x]| zipped_in_a_closure_jac(x, n), [0.7]);
        differences(|[x]| copied(x, n), |[x]| copied_jac(x, n), [0.7]);
        differences(|[x]| assigned(x, n), |[x]| assigned_jac(x, n), [0.7]);
        differences(|x| work_list(x, n), |x| work_list_jac(x, n), [0.1, 0.2, 0.3]);
        differences(|x| picked(x, n), |x| picked_jac(x, n), [0.1, 0.2, 0.3]);
    }
}
