//! Items that active values search: which one is found is known at run time only.

use jacobian::jacobian;

use crate::panics::panic_of;
use crate::{at_rotations, differences};

const AT: [f64; 4] = [0.7, -1.3, 2.1, 0.4];

#[test]
fn positions() {
    #[jacobian]
    fn first(x: [f64; 4]) -> f64 {
        let i = x.iter().position(|&v| v > 2.0).unwrap();
        x[i] * x[(i + 1) % 4]
    }
    #[jacobian]
    fn last(x: [f64; 4]) -> f64 {
        match x.iter().rposition(|&v| v > 0.5) {
            Some(i) if i > 2 => x[i] * x[i - 1],
            Some(i) => x[1] * i as f64,
            None => x[0] * x[3],
        }
    }
    #[jacobian]
    fn in_a_table(x: [f64; 4]) -> f64 {
        let table = [(-5.0, 1.0), (0.5, 3.0), (2.0, 2.0), (5.0, 4.0)];
        let i = table.windows(2).position(|w| x[0] >= w[0].0 && x[0] < w[1].0).unwrap();
        let ((x0, y0), (x1, y1)) = (table[i], table[i + 1]);
        y0 + (y1 - y0) * (x[0] - x0) / (x1 - x0)
    }
    #[jacobian]
    fn of_what_is_computed(x: [f64; 4]) -> f64 {
        let mut asked = 0;
        let i = x.iter().zip(&x[1..]).map(|(v, w)| v * w).position(|v| {
            asked += 1;
            v < -2.0
        });
        x[i.unwrap_or(3)] * x[2]
    }
    at_rotations(first, first_jac, AT);
    at_rotations(last, last_jac, AT);
    at_rotations(in_a_table, in_a_table_jac, AT);
    at_rotations(of_what_is_computed, of_what_is_computed_jac, AT);

    let nowhere = [0.1; 4];
    assert_eq!(panic_of(|| first(nowhere)), panic_of(|| first_jac(nowhere).0));
}

#[test]
fn items() {
    #[jacobian]
    fn first(x: [f64; 4]) -> f64 {
        let v = x.iter().find(|v| **v < 0.0).unwrap();
        let w = x.iter().find(|&&v| v < -5.0).copied().unwrap_or(x[1]);
        v * w * x[0]
    }
    #[jacobian]
    fn with_its_number(x: [f64; 4]) -> f64 {
        let mut sum = 0.0;
        if let Some((i, v)) = x.iter().enumerate().find(|(_, v)| **v > 1.0) {
            sum += v * (i + 1) as f64 * x[0];
        }
        for k in 0..3 {
            let last = x[k..].iter().rfind(|v| **v > 0.3 * k as f64 + 0.05);
            sum += last.map_or(1.0, |v| v * v);
        }
        sum
    }
    #[jacobian]
    fn rows(x: [f64; 4]) -> f64 {
        let rows = [[x[0], x[1]], [x[2], x[3]], [x[1], x[0]]];
        let row = rows.iter().find(|row| row[0] > row[1]).unwrap();
        let k = (0..4).rev().find(|&k| x[k] > 0.5).unwrap();
        row[0] * row[1] * x[k]
    }
    #[jacobian]
    fn contents(x: [f64; 4]) -> f64 {
        let root = x.iter().find_map(|v| if *v > 1.0 { Some(v.sqrt()) } else { None });
        let none = x.iter().find_map(|v| if *v > 9.0 { Some(v.sqrt()) } else { None });
        root.map_or(x[0], |root| root * x[2]) + none.unwrap_or(x[3])
    }
    at_rotations(first, first_jac, AT);
    at_rotations(with_its_number, with_its_number_jac, AT);
    at_rotations(rows, rows_jac, AT);
    at_rotations(contents, contents_jac, AT);
}

#[test]
fn nothing_is_computed_for_those_after() {
    #[jacobian]
    fn f(x: [f64; 4]) -> f64 {
        let divisors = [1, 2, 0, 3];
        let i = (0..4).position(|i| x[i] < (6 / divisors[i]) as f64 - 5.0);
        x[i.unwrap_or(0)] * x[0]
    }
    for x in [AT, [7.0, -2.5, 1.0, 1.0], [7.0, 3.0, 1.0, 1.0]] {
        assert_eq!(panic_of(|| f(x)), panic_of(|| f_jac(x).0));
    }
    differences(f, f_jac, [7.0, -2.5, 1.0, 1.0]);
}

/// Closures with statements, which are called in a loop.
#[jacobian(wrt(x))]
fn with_statements(x: f64, data: &[f64]) -> f64 {
    let mut sum = x;
    let is_large = data.iter().any(|d| {
        sum += d * x;
        sum > 3.0
    });
    let scaled = |d: f64| d * x;
    let are_small = data.iter().all(|&d| match d as i32 {
        0 => x > 0.1,
        _ => scaled(d) < 4.0 * sum,
    });
    let count = data
        .iter()
        .filter(|&&d| {
            let twice = 2.0 * d;
            twice > x
        })
        .count();
    (if is_large { sum } else { sum * sum }) * (if are_small { x } else { 2.0 }) + count as f64 * x
}

#[test]
fn closures_of_searches_have_statements() {
    let data = [0.25, 1.5, 0.75, 3.0];
    for count in 0..=data.len() {
        for x in [0.3, 0.9, 1.7] {
            let data = &data[..count];
            differences(|[x]| with_statements(x, data), |[x]| with_statements_jac(x, data), [x]);
        }
    }
}
