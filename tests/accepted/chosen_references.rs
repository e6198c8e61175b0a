//! Mutable references to elements at run-time indices: as arguments, as items of iterators, in methods, and as
//! what methods give.

use std::mem;

use jacobian::jacobian;

use crate::differences;

const X: [f64; 3] = [0.6, -1.2, 1.7];

/// Compares a function of three floats and an index with differences.
macro_rules! compare {
    ($($function:path, $jacobian:path;)+) => {
        $(for n in 0..7 {
            differences(|x| $function(x, n), |x| $jacobian(x, n), X);
        })+
    };
}

#[jacobian]
mod given {
    use std::mem;

    #[derive(Clone, Copy)]
    pub struct Body {
        pub at: [f64; 2],
        pub speed: f64,
    }

    impl Body {
        fn kick(&mut self, by: f64) {
            self.speed += by;
            for at in &mut self.at {
                *at += self.speed * by;
            }
        }
    }

    fn bump(a: &mut f64, by: f64) {
        *a += by * by;
    }

    fn shift(row: &mut [f64; 2], by: f64) -> f64 {
        row[0] += by;
        row[1] *= row[0];
        row[1]
    }

    fn push(body: &mut Body, by: f64) {
        body.kick(by);
        bump(&mut body.at[1], by);
    }

    fn both(first: &mut f64, second: &mut [f64; 2], k: usize) {
        mem::swap(first, &mut second[k % 2]);
        *first *= second[0];
    }

    #[jacobian(wrt(x))]
    pub fn floats(x: [f64; 3], n: usize) -> [f64; 4] {
        let mut a = [x[0], 2.0, x[1] * x[2], 1.0];
        bump(&mut a[n % 4], x[2]);
        let before = a[n % 4];
        bump(&mut a[(n + 1) % 4], before * x[1]);
        a
    }

    #[jacobian(wrt(x))]
    pub fn numbers(x: [f64; 3], n: usize) -> f64 {
        let mut a = [1.0, 2.0, 3.0];
        let old = mem::replace(&mut a[n % 3], 0.5);
        bump(&mut a[(n + 1) % 3], x[0] * old);
        a[0] * a[1] + a[2] * x[1]
    }

    #[jacobian(wrt(x))]
    pub fn rows(x: [f64; 3], n: usize) -> [f64; 5] {
        let mut m = [[x[0], 2.0], [x[1], x[2]]];
        let given = shift(&mut m[n % 2], x[2]);
        let mut last = given;
        both(&mut last, &mut m[(n + 1) % 2], n);
        [m[0][0], m[0][1], m[1][0] * m[1][1], given, last]
    }

    #[jacobian(wrt(x))]
    pub fn bodies(x: [f64; 3], n: usize) -> [f64; 4] {
        let mut all = [Body { at: [x[0], x[1]], speed: 1.0 }, Body { at: [2.0, x[2]], speed: x[0] }];
        for k in 0..n {
            all[k % 2].kick(x[1] * 0.1);
            push(&mut all[k / 2 % 2], x[2] * 0.1);
        }
        [all[0].speed, all[0].at[1], all[1].at[0] * all[1].at[1], all[1].speed]
    }
}

#[test]
fn arguments() {
    compare!(
        given::floats, given::floats_jac;
        given::numbers, given::numbers_jac;
        given::rows, given::rows_jac;
        given::bodies, given::bodies_jac;
    );
}

#[jacobian(wrt(x))]
fn fill(x: f64, row: &mut [f64; 2]) {
    row[0] = x * x;
    row[1] = 1.0 / x;
}

#[jacobian(wrt(x), with(fill: fn(f64, #[out] &mut [f64; 2])))]
fn outputs(x: [f64; 3], n: usize) -> [f64; 4] {
    let mut rows = [[x[0], 0.0]; 2];
    fill(x[2], &mut rows[n % 2]);
    [rows[0][0], rows[0][1] * x[1], rows[1][0], rows[1][1]]
}

#[test]
fn outputs_of_calls() {
    compare!(outputs, outputs_jac;);
}

#[jacobian(wrt(x))]
fn taken(x: [f64; 3], n: usize) -> [f64; 5] {
    let mut a = [x[0], 2.0, x[1], x[2], 1.5];
    for v in a.iter_mut().take(n) {
        *v *= x[0];
    }
    for (i, v) in a.iter_mut().enumerate().skip(n) {
        *v += x[1] * i as f64;
    }
    for (v, w) in a.iter_mut().rev().step_by(2).zip([1.0, 2.0, x[2]]).take(n) {
        *v += w * w;
    }
    a[1..4].iter_mut().skip(n).for_each(|v| *v *= x[2]);
    a
}

#[jacobian(wrt(x))]
fn beside_data(x: [f64; 3], data: &[f64]) -> [f64; 3] {
    let mut a = x;
    for (v, d) in a.iter_mut().zip(data) {
        *v *= d;
    }
    a.iter_mut().zip(data).for_each(|(v, d)| *v += x[0] * d);
    a
}

#[jacobian(wrt(x))]
fn rows_of_matrices(x: [f64; 3], n: usize) -> [f64; 6] {
    let mut m = [[x[0], 2.0, x[1]], [3.0, x[1] * x[2], x[2]]];
    m[n % 2].swap(0, 2);
    for v in &mut m[(n + 1) % 2] {
        *v *= x[0];
    }
    for row in m.iter_mut().take(n) {
        for v in row.iter_mut().skip(n - 1) {
            *v += x[1];
        }
    }
    let [a, b, c] = &mut m[n % 2];
    *a += *b * *c;
    m[n / 2 % 2].rotate_left(1);
    m[n / 3 % 2][..2].fill(x[2]);
    [m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2]]
}

/// Choosing a row does nothing that the user would see.
#[jacobian(wrt(x))]
fn rows_that_are_skipped(x: [f64; 3], n: usize) -> [f64; 4] {
    let mut m = [[0.5, 1.0], [x[0], 2.0], [1.0, x[1]]];
    for (i, row) in m.iter_mut().enumerate().skip(n) {
        row[i % 2] += x[1] * i as f64;
    }
    let mut sum = x[2];
    for row in m.iter().skip(n) {
        if row[1] > 2.5 {
            break;
        }
        sum += row[0] * row[1];
    }
    for (row, weight) in m.iter().zip([x[0], 2.0, 1.0]).skip(n) {
        sum += row[1] * weight;
    }
    for ((i, row), weight) in m.iter().enumerate().zip(&[x[1], 3.0, x[0]]).step_by(n + 1) {
        sum *= row[0] * weight + i as f64;
    }
    [m[0][0] * m[1][0], m[1][1], m[2][0] * m[2][1], sum]
}

#[test]
fn items_of_iterators() {
    compare!(taken, taken_jac; rows_of_matrices, rows_of_matrices_jac;);
    compare!(rows_that_are_skipped, rows_that_are_skipped_jac;);
    for data in [&[][..], &[0.5], &[2.0, -0.5], &[1.5, 3.0, -2.0, 7.0]] {
        differences(|x| beside_data(x, data), |x| beside_data_jac(x, data), X);
    }
}

#[jacobian(wrt(x))]
fn given_by_methods(x: [f64; 3], n: usize) -> [f64; 3] {
    let mut a = [1.0, 2.0, 3.0];
    *a.first_mut().unwrap() += x[0];
    if let Some(last) = a.last_mut() {
        *last *= x[1];
    }
    if let Some(v) = a.get_mut(n) {
        *v += x[2] * x[2];
    }
    for k in 0..n {
        let Some(v) = a.get_mut(k) else { break };
        *v += x[1];
    }
    *a.get_mut(1).unwrap() *= x[0];
    *a.get_mut(n % 3).expect("one of three") += x[2];
    let mut rows = [a, x];
    rows.last_mut().unwrap()[n % 3] = a[0];
    rows.get_mut(n % 2).unwrap()[1] *= x[2];
    [rows[0][0] * rows[1][0], rows[0][1] * rows[1][1], rows[0][2] * rows[1][2]]
}

#[jacobian(wrt(x))]
fn options(x: [f64; 3], n: usize) -> [f64; 3] {
    let mut all = [Some(x[0]), None, Some(x[1] * x[2])];
    if let Some(v) = &mut all[n % 3] {
        *v *= x[2];
    }
    if let Some(v) = all[(n + 1) % 3].as_mut() {
        *v += x[0];
    }
    let new = all[n / 2 % 3].get_or_insert(x[1]);
    *new *= 3.0;
    let old = all[n / 3 % 3].replace(x[2]).unwrap_or(0.25);
    *all[(n + 2) % 3].insert(x[0]) += old;
    [all[0].unwrap_or(1.0), all[1].unwrap_or(2.0), all[2].take().unwrap_or(3.0)]
}

#[test]
fn what_methods_give() {
    compare!(given_by_methods, given_by_methods_jac; options, options_jac;);
}

#[test]
#[should_panic(expected = "index out of bounds: the len is 3 but the index is 3")]
fn out_of_bounds() {
    #[jacobian(wrt(x))]
    fn replaced(x: [f64; 3], n: usize) -> f64 {
        let mut a = x;
        mem::replace(&mut a[n], x[0] * x[1])
    }
    let _ = replaced_jac(X, 3);
}

/// Elements behind what gives a reference, and elements of which the first that a loop goes over does not tell the type.
#[test]
fn references_that_are_assigned_where_they_are_given() {
    #[jacobian]
    #[allow(clippy::iter_nth, clippy::deref_addrof, clippy::borrow_deref_ref)]
    fn given(x: [f64; 2], n: usize) -> Option<f64> {
        let mut a = x;
        *a.get_mut(n)? += x[1];
        *a.first_mut()? *= x[1];
        *a.iter_mut().nth(1)? *= 2.0;
        *a.iter_mut().last()? -= x[0];
        *(&mut a[n % 2]) += x[1];
        (&mut a)[0] *= x[1];
        Some(a[0] * a[1])
    }
    #[jacobian(unroll = "never")]
    fn later(x: [f64; 2], n: usize) -> f64 {
        const OTHER: [f64; 2] = [f64::MIN_POSITIVE, core::f64::consts::LN_2];
        let mut kept = [1.0_f64, 1.5, 0.7 * OTHER[n % 2], 0.5];
        for (index, element) in kept.iter_mut().enumerate().skip(2) {
            *element -= x[0] * index as f64;
        }
        kept[2] * kept[3] + x[1]
    }
    for n in [0, 1, 2] {
        let of = |x| given(x, n).unwrap_or(3.0);
        differences(of, |x| given_jac(x, n).unwrap_or((3.0, [0.0; 2])), [0.7, 1.3]);
        differences(|x| later(x, n), |x| later_jac(x, n), [0.7, 1.3]);
    }
}
