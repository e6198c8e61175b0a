//! `let` with patterns.

use jacobian::jacobian;

use crate::check;

#[test]
fn tuples_arrays_and_rests() {
    #[jacobian]
    #[allow(clippy::needless_borrowed_reference)]
    fn f(x: [f64; 5], y: &[[f64; 2]; 2]) -> f64 {
        let [first, middle @ .., last] = x;
        let [m0, _, m2] = middle;
        let (a, .., z) = (first, m0, m2, last);
        let [.., [_, corner]] = y;
        let [[p, q], ..] = *y;
        let &[ref row, _] = y;
        let [r, s] = row;
        let ((t, u), [v]) = ((a * z, m0), [m2]);
        t + u * v + corner * p + q * r + s
    }
    let (x, y) = ([2.0, 3.0, 5.0, 7.0, 11.0], [[13.0, 17.0], [19.0, 23.0]]);
    check(f(x, &y), f_jac(x, &y), &[11.0, 7.0, 0.0, 3.0, 2.0, 23.0 + 17.0, 13.0 + 1.0, 0.0, 13.0]);
}

#[test]
fn every_rest() {
    #[jacobian]
    #[allow(clippy::redundant_at_rest_pattern)]
    fn f(x: [f64; 3]) -> f64 {
        let [..] = x;
        let (..) = (x[0], 1.0);
        let [all @ ..] = x;
        let [a, none @ .., b, c] = x;
        let (d, e, ..) = (a, b);
        let (.., g) = (a, c);
        let []: [f64; 0] = none;
        all[0] * d + e * g
    }
    check(f([2.0, 3.0, 5.0]), f_jac([2.0, 3.0, 5.0]), &[4.0, 5.0, 3.0]);
}

#[test]
fn modes_and_parentheses() {
    #[jacobian]
    #[allow(unused_parens, clippy::toplevel_ref_arg)]
    fn f(x: f64, y: &f64) -> f64 {
        let (a) = x;
        let ref b = a;
        let &c = y;
        let mut d: f64 = (*b);
        d *= c;
        let ref e = d;
        let &&g = &&d;
        let _ = d;
        let (h, i): (f64, &f64) = (x, y);
        *e + g + h * i
    }
    check(f(2.0, &3.0), f_jac(2.0, &3.0), &[9.0, 6.0]);
}

#[test]
fn deferred_initialisation() {
    #[jacobian]
    #[allow(clippy::needless_late_init)]
    fn f(x: f64, n: usize) -> f64 {
        let y;
        let z: f64;
        let k;
        let (p, q);
        {
            y = x * x;
            z = y + 1.0;
        }
        k = n + 1;
        (p, q) = (y, z);
        p * q * k as f64
    }
    // (x^4 + x^2) (n + 1)
    check(f(2.0, 4), f_jac(2.0, 4), &[36.0 * 5.0]);
}

#[test]
fn swaps_and_other_destructuring_assignments() {
    #[jacobian]
    fn f(x: f64, y: f64) -> [f64; 4] {
        let (mut a, mut b) = (x * 2.0, y * 3.0);
        (a, b) = (b, a);
        let mut c = [a, b];
        (c[0], c[1]) = (c[1], c[0] * x);
        let mut d = 0.0;
        [d, _] = [d + a, b];
        (_, a) = (a, b);
        ([b], c[1]) = ([c[1]], c[0]);
        [a, b, c[1], d]
    }
    // a = 2x, b = 3xy, c = [2x, 2x], d = 3y
    check(f(2.0, 3.0), f_jac(2.0, 3.0), &[2.0, 0.0, 9.0, 6.0, 2.0, 0.0, 0.0, 3.0]);
}

struct Pair {
    a: f64,
    b: usize,
}

struct Both(f64, [u8; 2]);

#[test]
fn structs_of_passive_values() {
    #[jacobian]
    fn by_value(x: f64, pair: Pair, both: Both) -> f64 {
        let Pair { a, b: count } = pair;
        let Both(c, [d, _]) = both;
        x * a * count as f64 + x * c + d as f64
    }
    #[jacobian]
    fn by_reference(x: f64, pair: &Pair, both: &Both) -> f64 {
        let Pair { a, b } = pair;
        let Both(c, ..) = both;
        let &Pair { a: copy, .. } = pair;
        x * a + c * x + *b as f64 * copy * x + a.sqrt()
    }
    let (pair, both) = (Pair { a: 4.0, b: 3 }, Both(5.0, [7, 0]));
    check(by_reference(2.0, &pair, &both), by_reference_jac(2.0, &pair, &both), &[21.0]);
    let other = (Pair { a: 4.0, b: 3 }, Both(5.0, [7, 0]));
    check(by_value(2.0, pair, both), by_value_jac(2.0, other.0, other.1), &[17.0]);
}

#[test]
fn passive_tuples_and_arrays() {
    fn pair(n: usize) -> (f64, [usize; 2]) {
        (n as f64, [n, n + 1])
    }
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let (a, [b, c]) = pair(n);
        let (p, mut q) = (n, a * 2.0);
        q += 1.0;
        let [r, s] = [p, b];
        let t = (r, s);
        x * a * c as f64 + q * x + (t.0 + t.1) as f64 * x
    }
    check(f(1.0, 3), f_jac(1.0, 3), &[12.0 + 7.0 + 6.0]);
}

#[test]
fn declared_types_of_elements() {
    #[jacobian]
    fn f(x: f64) -> [f64; 3] {
        let (a, b): (f64, f32) = (x, 0.1);
        let [c, .., d]: [f32; 3] = [0.1, 0.2, 0.3];
        let (e, [g, _]): (f64, [f32; 2]) = (0.1, [0.7, 0.0]);
        [a * b as f64, a * (c as f64 + d as f64), e * a * g as f64]
    }
    check(f(3.0), f_jac(3.0), &[0.1f32 as f64, 0.1f32 as f64 + 0.3f32 as f64, 0.1 * 0.7f32 as f64]);
}

#[test]
fn variables_of_patterns_that_are_the_values_of_arms() {
    struct Law {
        weight: f64,
        table: Vec<f64>,
    }
    #[jacobian(wrt(x))]
    fn chosen(x: f64, n: Option<f64>, k: Result<f64, f64>) -> f64 {
        let n = match n {
            Some(n) => n,
            None => panic!("there is none"),
        };
        let k = match k {
            Ok(k) => k,
            Err(k) => k,
        };
        let last;
        if let Some(m) = Some(n) {
            last = m + 1.0;
        } else {
            unreachable!();
        }
        x * n * k * last
    }
    #[jacobian(wrt(x))]
    #[allow(clippy::match_single_binding)]
    fn behind_references(x: f64, law: &Law) -> f64 {
        let k = 3.0;
        let weight = match law {
            Law { weight: k, .. } => k,
        };
        let (first, count) = match law {
            Law { table, .. } => (table[0], table.len()),
        };
        x * weight * k + x * first * count as f64
    }
    check(chosen(1.0, Some(2.0), Ok(3.0)), chosen_jac(1.0, Some(2.0), Ok(3.0)), &[18.0]);
    check(chosen(1.0, Some(2.0), Err(5.0)), chosen_jac(1.0, Some(2.0), Err(5.0)), &[30.0]);
    let law = Law { weight: 2.0, table: vec![5.0, 7.0] };
    check(behind_references(1.0, &law), behind_references_jac(1.0, &law), &[16.0]);
}

#[test]
fn ranges_of_all_numbers() {
    #[jacobian(wrt(x))]
    fn f(n @ 0..: usize, x: f64, m: u8) -> f64 {
        let 0..=255 = m;
        let (0..) = m;
        x * n as f64 + f64::from(m)
    }
    check(f(3, 0.5, 7), f_jac(3, 0.5, 7), &[3.0]);
}
