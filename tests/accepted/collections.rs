//! `Vec`s of active values, whose lengths are known: they are read as arrays.

#![allow(clippy::useless_vec, clippy::vec_init_then_push, clippy::manual_memcpy)]

use jacobian::jacobian;

use crate::at_rotations;

#[jacobian]
mod lists {
    #[derive(Clone, Copy)]
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }

    fn rows(x: &[f64; 4]) -> Vec<Vec<f64>> {
        (0..2).map(|i| (0..2).map(|j| x[i] * x[j + 2]).collect()).collect()
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[allow(clippy::ptr_arg)]
    fn powers(list: &mut Vec<f64>, x: f64) {
        list.push(x);
        list.push(x * x);
    }

    fn scale(list: &mut [f64], by: f64) {
        for v in list.iter_mut() {
            *v *= by;
        }
    }

    fn pair(x: f64) -> Vec<f64> {
        let mut list = Vec::new();
        powers(&mut list, x);
        list
    }

    fn total<I: IntoIterator<Item = f64>>(items: I) -> f64 {
        items.into_iter().sum()
    }

    #[allow(clippy::needless_range_loop)]
    fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
        let n = b.len();
        for k in 0..n {
            let mut p = k;
            for i in k + 1..n {
                if a[i][k].abs() > a[p][k].abs() {
                    p = i;
                }
            }
            a.swap(k, p);
            b.swap(k, p);
            for i in k + 1..n {
                let f = a[i][k] / a[k][k];
                for j in k..n {
                    a[i][j] -= f * a[k][j];
                }
                b[i] -= f * b[k];
            }
        }
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let mut s = b[i];
            for j in i + 1..n {
                s -= a[i][j] * x[j];
            }
            x[i] = s / a[i][i];
        }
        x
    }

    #[jacobian]
    pub fn of_calls(x: [f64; 4]) -> f64 {
        let m = rows(&x);
        let mut v = pair(x[0]);
        scale(&mut v, x[1]);
        let w: std::vec::Vec<f64> = v.iter().map(|v| v * x[3]).collect();
        m[0][1] * m[1][0] + dot(&m[0], &m[1]) + v.iter().sum::<f64>() + total(w)
    }

    #[jacobian]
    pub fn of_structs(x: [f64; 4]) -> f64 {
        let points = vec![Point { x: x[0], y: x[1] }, Point { x: x[2], y: x[3] }];
        points.iter().map(|p| p.x * p.y).sum()
    }

    #[jacobian]
    pub fn solved(x: [f64; 4]) -> f64 {
        let a = vec![vec![x[0] + 1.0, x[1]], vec![x[2], x[3] + 5.0]];
        let v = solve(a, vec![x[1], 2.0]);
        v[0] * v[1]
    }

    #[jacobian]
    pub fn lengths(x: [f64; 4]) -> f64 {
        let mut v = x.to_vec();
        v.insert(1, x[3] * 2.0);
        let first = v.remove(0);
        v.truncate(3);
        v.resize(5, first);
        v.extend(x.iter().map(|v| v * v));
        v.extend_from_slice(&x[1..3]);
        let mut w = vec![x[1]; 2];
        w.clear();
        let is_empty = w.is_empty();
        w = vec![x[2]; 3];
        let mut s = if is_empty { w[2] } else { 0.0 };
        while let Some(last) = v.pop() {
            s = last * (v.len() as f64 + 0.5) + s * last;
        }
        s
    }

    #[jacobian(wrt(x))]
    pub fn in_loops(x: [f64; 4], n: usize) -> f64 {
        let mut sums = vec![0.0; 4];
        let weights = vec![1.0, 2.0, 3.0];
        for k in 0..n {
            sums[k % 4] += x[k % 4].sin() * weights[k % 3];
        }
        let most = sums.iter().cloned().fold(f64::MIN, f64::max);
        sums.iter().map(|v| (v - most).exp()).sum::<f64>().ln() + most * sums.len() as f64
    }

    #[jacobian]
    pub fn exchanged(x: [f64; 4]) -> f64 {
        let mut v = vec![x[0]];
        let mut w = vec![x[1], x[2]];
        std::mem::swap(&mut v, &mut w);
        let old = std::mem::replace(&mut w, vec![x[3]; 3]);
        let parts = match v.as_slice() {
            [first, rest @ ..] => first * rest[0],
            [] => 0.0,
        };
        let array: [f64; 3] = w.try_into().unwrap();
        v[1] * old.len() as f64 + old[0] * array[2] + parts
    }

    #[jacobian]
    pub fn branches(x: [f64; 4]) -> f64 {
        let v = if x[0] > x[1] { vec![x[1]; 3] } else { vec![0.5; 3] };
        let grid: Vec<f64> = (0..3).map(|k| k as f64).collect();
        let w = vec![x[2], x[3]];
        grid.iter().map(|g| g * w[0] + w[1]).sum::<f64>() * v[2] + v.len() as f64
    }
}

/// `Vec`s of integers stay what they are.
#[jacobian(wrt(x))]
fn by_indices(x: [f64; 4], n: usize) -> f64 {
    let v: Vec<f64> = x.iter().map(|v| v * 2.0).collect();
    let order: Vec<usize> = (0..4).map(|i| (i + n) % 4).collect();
    let mut groups = vec![vec![0; 2]; 2];
    groups[0].push(n % 4);
    let mut stack = vec![1, 2, 3];
    let mut s = order.iter().map(|&k| v[k]).fold(0.5, |s, v| s * v + v);
    while let Some(i) = stack.pop() {
        s += v[i - 1] * v[i];
    }
    stack.push(n);
    s * stack.len() as f64 + groups.iter().flatten().map(|&k| v[k]).sum::<f64>()
}

#[test]
fn vecs_of_integers_beside_those_of_floats() {
    for n in 0..5 {
        at_rotations(|x| by_indices(x, n), |x| by_indices_jac(x, n), [0.7, -1.3, 2.1, 0.4]);
    }
}

#[test]
fn the_elements_of_vecs_are_differentiated() {
    let x = [0.7, -1.3, 2.1, 0.4];
    at_rotations(lists::of_calls, lists::of_calls_jac, x);
    at_rotations(lists::of_structs, lists::of_structs_jac, x);
    at_rotations(lists::solved, lists::solved_jac, x);
    at_rotations(lists::exchanged, lists::exchanged_jac, x);
    at_rotations(lists::branches, lists::branches_jac, x);
}

#[test]
fn vecs_grow_and_shrink() {
    at_rotations(lists::lengths, lists::lengths_jac, [0.7, -1.3, 2.1, 0.4]);
}

#[test]
fn elements_are_chosen_at_run_time() {
    for n in 0..7 {
        at_rotations(|x| lists::in_loops(x, n), |x| lists::in_loops_jac(x, n), [0.7, -1.3, 2.1, 0.4]);
    }
}

#[jacobian]
fn single(x: [f32; 3]) -> f32 {
    let mut v = vec![1.0; 3];
    for i in 0..3 {
        v[i] *= x[i] + 0.1;
    }
    let w: Vec<f32> = vec![0.1, 0.2, 0.3];
    v.iter().zip(&w).map(|(v, w)| v * w).sum()
}

/// Literals are of the type that the `Vec` says.
#[test]
fn literals_in_vecs_have_their_types() {
    let x = [0.7, -1.3, 2.1];
    let (value, [d, _, _]) = single_jac(x);
    assert_eq!(value.to_bits(), single(x).to_bits());
    assert_eq!(d, 0.1);
}

#[jacobian]
fn assigned(x: [f64; 4], t: f64) -> f64 {
    let mut points: Vec<f64> = x.to_vec();
    while points.len() > 1 {
        points = points.windows(2).map(|p| p[0] * (1.0 - t) + p[1] * t).collect();
    }
    points[0]
}

#[jacobian]
fn replaced(x: [f64; 3]) -> f64 {
    let mut values = x.to_vec();
    while values.len() > 1 {
        let mut next = Vec::with_capacity(values.len() - 1);
        for pair in values.windows(2) {
            next.push(pair[0] * pair[1]);
        }
        values = next;
    }
    values[0]
}

#[test]
fn collections_are_assigned() {
    crate::differences(
        |[a, b, c, d, t]| assigned([a, b, c, d], t),
        |[a, b, c, d, t]| assigned_jac([a, b, c, d], t),
        [1.0, 2.0, 4.0, 8.0, 0.25],
    );
    crate::differences(replaced, replaced_jac, [0.5, 1.25, 2.0]);
}
