//! References to elements: `get`, `first` and `last`, and mutable ones that are bound to a name.

use jacobian::jacobian;

use crate::differences;

#[jacobian(wrt(x))]
#[allow(clippy::get_first, clippy::unnecessary_first_then_check)]
fn gotten(x: [f64; 3], i: usize) -> f64 {
    let a = x.get(i).copied().unwrap_or(2.0);
    let b = *x.first().unwrap() * x.last().unwrap();
    let c = x.get(1).unwrap() + x.get(i + 1).unwrap_or(&0.5) * x.get(0).map_or(1.0, |v| v.sin());
    let none = x.get(3).is_none() && x[..0].first().is_none();
    let Some(d) = x.get(i * 2) else { return a * b * c };
    if none { a * b * c * d } else { 0.0 }
}

#[jacobian(wrt(x))]
fn named(x: [f64; 3], k: usize) -> f64 {
    let mut a = x;
    let e = &mut a[1];
    *e += x[0] * x[2];
    *e *= x[0];
    let f = &mut a;
    f[2] = f[0] * f[1];
    let mut s = 0.0;
    for i in 0..k {
        let r = &mut s;
        *r += a[i % 3] * x[1];
    }
    let t = &mut s;
    if *t > 1.0 {
        *t *= x[0];
    }
    let g = &mut *t;
    *g -= 0.5;
    a[2] * s
}

#[jacobian(wrt(x, y))]
fn at_indices_of_the_run_time(x: [f64; 3], y: f64, ks: &[usize]) -> f64 {
    let (mut acc, mut m) = ([0.0; 3], [[x[0], y], [x[1], x[2]]]);
    let mut calls = 0;
    let mut index = |k: usize| {
        calls += 1;
        k % 3
    };
    let first = &mut acc[index(7)];
    *first += y * y;
    for k in ks {
        let e = &mut acc[k % 3];
        *e += x[k % 3] * y;
        if *e > 1.0 {
            *e *= x[0];
        }
        let row = &mut m[k % 2];
        row[0] += row[1] * acc[1];
        row[k / 2 % 2] *= y;
        for v in row.iter_mut() {
            *v *= 0.5;
        }
    }
    (acc[0] * acc[1] + acc[2]) * m[0][0] * m[1][1] + m[0][1] * m[1][0] * f64::from(calls)
}

#[test]
fn elements_that_may_be_missing() {
    for i in 0..4 {
        differences(|x| gotten(x, i), |x| gotten_jac(x, i), [0.3, -1.1, 2.7]);
    }
}

#[test]
fn names_for_places() {
    for k in [0, 1, 2, 5] {
        differences(|x| named(x, k), |x| named_jac(x, k), [0.7, 1.3, 2.1]);
    }
    for ks in [&[][..], &[1], &[0, 4, 2], &[3, 1, 1, 5, 2]] {
        differences(
            |[a, b, c, y]| at_indices_of_the_run_time([a, b, c], y, ks),
            |[a, b, c, y]| at_indices_of_the_run_time_jac([a, b, c], y, ks),
            [0.7, 1.3, -0.4, 1.7],
        );
    }
}

/// A long array stays what it is where nothing active comes into it.
#[jacobian(wrt(x))]
fn long_and_passive(x: f64, data: &[f64]) -> f64 {
    let mut counts = [0.0; 400];
    let named = &mut counts;
    for d in data {
        named[(d * 100.0) as usize % 400] += 1.0;
    }
    counts[150] * x * x + counts[25]
}

#[test]
fn long_arrays_stay_passive() {
    for data in [&[][..], &[1.5, 0.25, 1.501]] {
        differences(|[x]| long_and_passive(x, data), |[x]| long_and_passive_jac(x, data), [0.7]);
    }
}

#[jacobian(wrt(x))]
fn through_a_variable(x: f64, data: &[f64]) -> f64 {
    let mut total = 0.0;
    let sum = &mut total;
    for v in data {
        *sum += v * x;
    }
    total * x
}

#[test]
fn references_to_sums() {
    for data in [&[][..], &[2.0], &[2.0, -0.5, 3.0]] {
        differences(|[x]: [f64; 1]| through_a_variable(x, data), |[x]| through_a_variable_jac(x, data), [0.7]);
    }
}

fn pair(data: &[f64]) -> [f64; 2] {
    [data.len() as f64, data.iter().sum()]
}

// What has been changed before is known to be of floats by what is left of it.
#[jacobian(wrt(x))]
fn of_changed_arrays(x: f64, data: &[f64], k: usize) -> f64 {
    let mut z = [0.5, 0.25];
    z[0] += data.len() as f64;
    let first = &mut z[k % 2];
    *first *= 2.0;
    let second = &mut z[(k + 1) % 2];
    *second += x;
    let mut counts = [0, 1];
    counts[0] += k;
    let count = &mut counts[k % 2];
    *count += 2;
    z[0] * z[1] * x + (counts[0] * 3 + counts[1]) as f64
}

#[jacobian(wrt(x))]
fn of_arrays_of_others(x: f64, data: &[f64], k: usize) -> f64 {
    let (mut c, mut d): ([f64; 2], [f64; 2]) = (pair(data), pair(data));
    for v in data {
        c[0] += v;
        d[1] *= v;
    }
    const SHIFTS: [f64; 2] = [0.5 + 0.25, 0.5];
    c[0] += SHIFTS[0];
    let first = &mut c[0];
    *first += x * 0.5;
    let mut s = x;
    for v in data {
        let second = &mut d[1];
        *second += v;
        s += d[1] * x;
    }
    let third = &mut c[k % 2];
    *third *= s;
    c[0] * c[1] + d[0] * d[1]
}

#[test]
fn references_to_elements_of_passive_arrays() {
    for data in [&[][..], &[0.5], &[2.0, -0.5, 3.0]] {
        for k in 0..4 {
            differences(|[x]| of_changed_arrays(x, data, k), |[x]| of_changed_arrays_jac(x, data, k), [0.7]);
            differences(|[x]| of_arrays_of_others(x, data, k), |[x]| of_arrays_of_others_jac(x, data, k), [0.7]);
        }
    }
}

#[jacobian(wrt(x))]
fn of_untold_floats(x: f64) -> f64 {
    use self::started::AT_FIRST;
    let mut a = [AT_FIRST; 3];
    let second = &mut a[1];
    *second += x;
    let mut counts = [started::COUNT; 2];
    let count = &mut counts[1];
    *count += 2;
    a[0] * a[1] + a[2] + x * f64::from(counts[0] * 10 + counts[1])
}

mod started {
    pub const AT_FIRST: f64 = 1.5;
    pub const COUNT: u32 = 3;
}

#[test]
fn references_to_what_no_type_tells() {
    differences(|[x]| of_untold_floats(x), |[x]| of_untold_floats_jac(x), [0.7]);
}

#[jacobian]
fn beside_a_literal(x: f64) -> f64 {
    let half = 0.5;
    let mut scaled = x;
    for v in [&x, &half] {
        if *v > 1.0 {
            scaled *= 0.5;
        }
        if v > &0.7 {
            return *v * scaled;
        }
    }
    scaled + [&x, &0.5].iter().map(|v| if **v > 0.1 { 1.0 } else { **v }).sum::<f64>() * x
}

#[test]
fn references_to_literals() {
    for x in [-0.3, 0.2, 0.6, 0.8, 1.2] {
        differences(|[x]| beside_a_literal(x), |[x]| beside_a_literal_jac(x), [x]);
    }
}
