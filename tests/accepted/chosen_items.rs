//! Items of active arrays that are chosen by conditions which are known at run time only.

use jacobian::jacobian;

use crate::at_rotations;

const AT: [f64; 4] = [0.7, -1.3, 2.1, 0.4];

#[test]
fn totals() {
    #[jacobian]
    fn mean(x: [f64; 4]) -> f64 {
        let sum: f64 = x.iter().filter(|v| **v > 0.0).sum();
        let count = x.iter().filter(|v| **v > 0.5).count();
        sum / count as f64
    }
    #[jacobian]
    fn increases(x: [f64; 4]) -> f64 {
        x.iter().zip(&x[1..]).filter(|(v, w)| v < w).map(|(v, w)| (w - v).powi(2) * x[0]).sum()
    }
    #[jacobian]
    fn roots(x: [f64; 4]) -> f64 {
        let all: f64 = x.iter().filter_map(|v| if *v > 0.0 { Some(v.sqrt()) } else { None }).sum();
        let first: f64 = x.iter().map_while(|v| (*v > 0.0).then(|| v * x[1])).sum();
        all * x.iter().take_while(|v| **v > -1.0).map(|v| v.sin()).product::<f64>() + first
    }
    #[jacobian]
    fn logarithms(x: [f64; 4]) -> f64 {
        let squares = x.map(|v| v * v);
        squares.into_iter().filter(|v| *v > 1.0).map(f64::ln).sum::<f64>()
    }
    #[jacobian]
    fn rows(x: [f64; 4]) -> f64 {
        let rows = [[x[0], x[1]], [x[2], x[3]], [x[3], x[1] * x[0]]];
        rows.iter().filter(|row| row[0] > row[1]).map(|row| row[0] * row[1]).sum()
    }
    at_rotations(mean, mean_jac, AT);
    at_rotations(increases, increases_jac, AT);
    at_rotations(roots, roots_jac, AT);
    at_rotations(logarithms, logarithms_jac, AT);
    at_rotations(rows, rows_jac, AT);
}

#[test]
fn what_is_done_with_them() {
    #[jacobian]
    fn in_a_loop(x: [f64; 4]) -> f64 {
        let mut sum = 0.0;
        for (i, v) in x.iter().enumerate().filter(|(i, v)| **v > 0.5 || *i == 1) {
            sum = sum * 0.5 + v * (i + 1) as f64;
            if sum > 4.0 {
                break;
            }
        }
        sum
    }
    #[jacobian]
    fn changed(x: [f64; 4]) -> f64 {
        let mut y = x;
        y.iter_mut().filter(|v| **v > 0.0).for_each(|v| *v = v.sqrt());
        y.iter().sum::<f64>() * y[0]
    }
    #[jacobian]
    fn extremes(x: [f64; 4]) -> f64 {
        let least = x.iter().filter(|v| **v > 0.0).min_by(|v, w| v.total_cmp(w));
        let greatest = x.iter().filter(|v| v.is_finite()).copied().fold(f64::NEG_INFINITY, f64::max);
        let other = x.iter().copied().filter(|v| *v > 0.5).reduce(f64::min);
        least.map_or(0.0, |v| v * x[1]) + greatest * other.unwrap()
    }
    #[jacobian]
    fn asked(x: [f64; 4]) -> f64 {
        let is_large = x.iter().filter(|v| **v > 0.0).all(|v| *v < 2.0);
        if is_large { x[0] } else { x[1] * x[2] }
    }
    at_rotations(in_a_loop, in_a_loop_jac, AT);
    at_rotations(changed, changed_jac, AT);
    at_rotations(extremes, extremes_jac, AT);
    at_rotations(asked, asked_jac, AT);
}

#[test]
fn many_items() {
    #[jacobian]
    fn asked(x: [f64; 4]) -> f64 {
        let y: [f64; 40] = core::array::from_fn(|i| x[i % 4] * i as f64);
        let is_low = y.iter().any(|v| *v < -40.0) && (0..60).all(|i| x[i % 4] < 1.0 + i as f64 / 20.0);
        if is_low { x[0] * y[5] } else { x[1] * y[6] }
    }
    #[jacobian]
    fn known(x: [f64; 4]) -> f64 {
        let table: [usize; 30] = core::array::from_fn(|i| i % 7);
        let power = if table.iter().any(|k| *k > 5) { 2 } else { 3 };
        x[usize::from(table.iter().all(|k| *k < 7))].powi(power) * x[0]
    }
    at_rotations(asked, asked_jac, AT);
    at_rotations(known, known_jac, AT);
}
