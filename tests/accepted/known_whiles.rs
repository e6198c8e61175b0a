//! Loops that are written out, for they cannot stay loops, and it is known when they end.

#![allow(clippy::while_let_on_iterator, clippy::while_let_loop, reason = "as users write it")]

use jacobian::jacobian;

use crate::differences;

const AT: [f64; 4] = [0.7, -1.3, 2.1, 0.4];

macro_rules! check {
    ($($f:ident, $jac:ident);+ $(;)?) => { $(differences($f, $jac, AT);)+ };
}

#[test]
fn slices_whose_bounds_change() {
    #[jacobian]
    fn butterflies(x: [f64; 4]) -> f64 {
        let mut a = x;
        let mut size = 2;
        while size <= a.len() {
            for start in (0..a.len()).step_by(size) {
                let (left, right) = a[start..start + size].split_at_mut(size / 2);
                for (p, q) in left.iter_mut().zip(right.iter_mut()) {
                    (*p, *q) = (*p + *q, *p - *q);
                }
            }
            size *= 2;
        }
        a[0] * a[1] + a[2] * a[3] * a[0]
    }
    #[jacobian]
    fn sums(x: [f64; 4]) -> f64 {
        let mut a = x;
        let mut size = 2;
        while size <= 4 {
            let v = a[..size].iter().sum::<f64>() * 1.5;
            a[0] += v * x[0];
            size *= 2;
        }
        a[0] * a[1]
    }
    #[jacobian]
    fn sorted(x: [f64; 4]) -> f64 {
        let mut a = x;
        let mut i = 0;
        while i < 4 {
            let mut j = i;
            while j > 0 {
                let (left, right) = a.split_at_mut(j);
                if left[j - 1] > right[0] {
                    std::mem::swap(&mut left[j - 1], &mut right[0]);
                }
                j -= 1;
            }
            i += 1;
        }
        a[0] * a[1] + a[2]
    }
    check!(butterflies, butterflies_jac; sums, sums_jac; sorted, sorted_jac);
}

#[test]
fn loops_that_are_left() {
    #[jacobian]
    fn left(x: [f64; 4]) -> f64 {
        let mut a = x;
        let mut size = 1;
        loop {
            let part = &mut a[..size];
            part[0] *= 2.0;
            size += 1;
            if size == 2 {
                continue;
            }
            if size > 3 {
                break;
            }
            part[0] += x[1];
        }
        a[0] * a[1]
    }
    #[jacobian]
    fn with_a_value(x: [f64; 4]) -> f64 {
        let mut a = x;
        let mut size = 1;
        let product = loop {
            let part = &a[..size];
            if size > 2 {
                break part[1] * part[2];
            }
            size += 1;
            a[0] += 1.0;
        };
        a[0] * product
    }
    check!(left, left_jac; with_a_value, with_a_value_jac);
}

#[test]
fn items_that_are_taken_off() {
    #[jacobian]
    fn one_by_one(x: [f64; 4]) -> f64 {
        let mut items = x.iter();
        let mut product = 1.0;
        while let Some(v) = items.next() {
            product *= v + 1.0;
        }
        let mut rest = x.iter().rev();
        loop {
            let Some(v) = rest.next() else { break };
            product += v * product;
        }
        product
    }
    #[jacobian]
    fn in_pairs(x: [f64; 4]) -> f64 {
        let (mut items, mut pairs) = (x.iter(), x.chunks_exact(2));
        let mut sum = 0.0;
        while let (Some(a), Some(b)) = (items.next(), items.next()) {
            sum += a * b;
        }
        while let Some([a, b]) = pairs.next() {
            sum *= a + b;
        }
        sum
    }
    check!(one_by_one, one_by_one_jac; in_pairs, in_pairs_jac);
}
