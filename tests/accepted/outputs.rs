//! Outputs: parameters behind `&mut`, which the function assigns. Their floats are rows of the Jacobian.

use jacobian::jacobian;

use crate::{bits, differences};

#[test]
fn an_array_is_assigned_by_elements() {
    #[jacobian]
    fn f(x: &[f64; 3], y: &mut [f64; 2]) {
        y[0] = x[0] * x[1];
        y[1] = y[0] * x[2].sin();
    }
    let (mut y, mut own) = ([0.0; 2], [0.0; 2]);
    let x = [2.0, 3.0, 0.5f64];
    f(&x, &mut y);
    let jacobian = f_jac(&x, &mut own);
    assert_eq!(bits(&y), bits(&own));
    assert_eq!(jacobian, [[3.0, 2.0, 0.0], [3.0 * 0.5f64.sin(), 2.0 * 0.5f64.sin(), 6.0 * 0.5f64.cos()]]);
}

#[test]
fn a_lone_float_has_a_gradient() {
    #[jacobian]
    fn f(x: f32, k: f32, y: &mut f32) {
        *y = x * 0.1;
        *y *= k;
    }
    let (mut y, mut own) = (0.0, f32::NAN);
    f(3.0, 7.0, &mut y);
    let gradient: [f32; 2] = f_jac(3.0, 7.0, &mut own);
    assert_eq!(y.to_bits(), own.to_bits());
    assert_eq!(gradient, [0.1 * 7.0, 3.0 * 0.1]);
}

#[test]
fn rows_are_the_result_and_then_the_outputs_in_order() {
    #[jacobian(wrt(x), name = "all")]
    fn f(first: &mut [[f64; 2]; 2], x: [f64; 2], k: f64, last: &mut (f64, [f64; 1])) -> (f64, [f64; 1]) {
        let [a, b] = x;
        *first = [[a, k], [b; 2]];
        first[1] = [first[0][0] * b, (*first)[1][1]];
        last.0 = 3.0;
        last.1[0] = last.0 * a;
        let copy = *first;
        (copy[1][0], [k])
    }
    let (mut first, mut last) = ([[0.0; 2]; 2], (0.0, [0.0]));
    let value = f(&mut first, [2.0, 5.0], 7.0, &mut last);
    let (mut own_first, mut own_last) = ([[0.0; 2]; 2], (0.0, [0.0]));
    let (own, jacobian) = all(&mut own_first, [2.0, 5.0], 7.0, &mut own_last);
    assert_eq!((value, first, last), (own, own_first, own_last));
    let expected = [[5.0, 2.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [5.0, 2.0], [0.0, 1.0], [0.0, 0.0], [3.0, 0.0]];
    assert_eq!(jacobian, expected);
}

#[test]
fn outputs_of_passive_values() {
    struct Table {
        row: [f64; 2],
    }
    impl Table {
        fn row(&self) -> [f64; 2] {
            self.row
        }
    }
    #[jacobian]
    fn f(&x: &f64, table: &Table, n: usize, y: &mut [f64; 2], z: &mut [f64; 2], unit: &mut f64) {
        *y = table.row();
        y[1] += x;
        *z = table.row;
        z[0] = n as f64;
        *unit = 1.0;
    }
    let table = Table { row: [2.0, 3.0] };
    let (mut y, mut z, mut unit) = ([0.0; 2], [0.0; 2], 0.0);
    let jacobian = f_jac(&5.0, &table, 4, &mut y, &mut z, &mut unit);
    assert_eq!((y, z, unit), ([2.0, 8.0], [4.0, 3.0], 1.0));
    assert_eq!(jacobian, [[0.0], [1.0], [0.0], [0.0], [0.0]]);
    let (mut own_y, mut own_z) = ([0.0; 2], [0.0; 2]);
    f(&5.0, &table, 4, &mut own_y, &mut own_z, &mut unit);
    assert_eq!((y, z), (own_y, own_z));
}

#[test]
fn a_method_with_an_empty_result() {
    struct Scale(f64);
    impl Scale {
        #[jacobian]
        #[allow(clippy::unused_unit)]
        fn f(&self, x: f64, y: &mut [f64; 2]) -> () {
            y[y.len() - 1] = x * self.0;
            y[0] = (*y)[1] + 1.0;
        }
    }
    let (mut y, mut own) = ([0.0; 2], [0.0; 2]);
    Scale(4.0).f(3.0, &mut y);
    assert_eq!(Scale(4.0).f_jac(3.0, &mut own), [[4.0], [4.0]]);
    assert_eq!(y, own);
}

#[test]
fn a_shadowed_output_keeps_its_value() {
    #[jacobian]
    fn f(x: f64, y: &mut f64) {
        *y = x * x;
        let y = *y * x;
        let _ = y;
    }
    let (mut y, mut own) = (0.0, 0.0);
    f(3.0, &mut y);
    assert_eq!(f_jac(3.0, &mut own), [6.0]);
    assert_eq!(y, own);
}

/// What `wrt` names is read before it is assigned, in all forms; the values change places.
#[jacobian(forms(jac, jac_only, jac_into, jvp, vjp, hess, lin), wrt(s, x, t))]
fn exchanged(x: f64, s: &mut [f64; 2], t: &mut f64, u: &mut f64) -> f64 {
    let old = *t;
    *t = s[0] * s[0];
    s[0] = old;
    s[1] *= x;
    *u = s[1] * old;
    x * old
}

#[jacobian(wrt(x, sum))]
fn summed(x: f64, sum: &mut f64, data: &[f64]) {
    for d in data {
        if *sum > 100.0 {
            return;
        }
        *sum += d * x * *sum;
    }
}

#[jacobian(with(exchanged: fn(f64, #[inout] &mut [f64; 2], #[inout] &mut f64, #[out] &mut f64) -> f64 = by_arguments))]
fn of_exchanged(x: [f64; 4]) -> [f64; 2] {
    let (mut s, mut t, mut u) = ([x[1], x[2]], x[3], 0.0);
    let y = exchanged(x[0], &mut s, &mut t, &mut u);
    exchanged(y, &mut s, &mut t, &mut u);
    [s[0] * t + u, s[1] - y]
}

/// The Jacobian with the columns in the order of the arguments.
fn by_arguments(x: f64, s: &mut [f64; 2], t: &mut f64, u: &mut f64) -> (f64, [[f64; 4]; 5]) {
    let (value, rows) = exchanged_jac(x, s, t, u);
    (value, rows.map(|[s0, s1, x, t]| [x, s0, s1, t]))
}

#[test]
fn what_outputs_hold_before() {
    let value = |[a, b, x, mut t]: [f64; 4]| {
        let (mut s, mut u) = ([a, b], 0.0);
        let y = exchanged(x, &mut s, &mut t, &mut u);
        (y, s, (t, u))
    };
    let jacobian = |[a, b, x, mut t]: [f64; 4]| {
        let (mut s, mut u) = ([a, b], 0.0);
        let (y, jacobian) = exchanged_jac(x, &mut s, &mut t, &mut u);
        ((y, s, (t, u)), jacobian)
    };
    for x in [[0.75, 1.25, -0.5, 2.0], [3.0, -0.25, 1.5, 0.125]] {
        differences(value, jacobian, x);
        differences(of_exchanged, of_exchanged_jac, x);
        let [a, b, k, t] = x;
        let before = || ([a, b], t, 0.0);
        let ((y, s1, (t1, u1)), rows) = jacobian(x);
        let after = (s1, t1, u1);
        let (mut s, mut t, mut u) = before();
        assert_eq!(exchanged_jac_only(k, &mut s, &mut t, &mut u), rows);
        assert_eq!((s, t, u), before());
        let (mut own, mut matrix) = (0.0, [[f64::NAN; 4]; 5]);
        exchanged_jac_into(k, &mut s, &mut t, &mut u, &mut own, &mut matrix);
        assert_eq!(((own, matrix), (s, t, u)), ((y, rows), after));
        let (mut s, mut t, mut u) = before();
        let (own, along) = exchanged_jvp(k, &mut s, &mut t, &mut u, &[0.0, 0.0, 0.0, 1.0]);
        assert_eq!((own, along, (s, t, u)), (y, rows.map(|row| row[3]), after));
        let (mut s, mut t, mut u) = before();
        let (own, across) = exchanged_vjp(k, &mut s, &mut t, &mut u, &[0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!((own, across, (s, t, u)), (y, rows[4], after));
        let (mut s, mut t, mut u) = before();
        let (own, gradient, hessian) = exchanged_hess(k, &mut s, &mut t, &mut u, &[0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!((own, gradient, (s, t, u)), (y, rows[4], after));
        assert_eq!((hessian[1][2], hessian[3][1]), (before().1, k));
        let (mut s, mut t, mut u) = before();
        let (own, labels) = exchanged_lin(k, &mut s, &mut t, &mut u);
        assert_eq!((own, (s, t, u)), (y, after));
        assert_eq!(exchanged_lin_jvp(&labels, &[0.0, 0.0, 0.0, 1.0]), along);
    }
    let data = [0.5, -0.25, 3.0, 40.0, 9.0];
    for n in 0..=5 {
        let value = |[x, mut sum]: [f64; 2]| {
            summed(x, &mut sum, &data[..n]);
            sum
        };
        let jacobian = |[x, mut sum]: [f64; 2]| {
            let gradient = summed_jac(x, &mut sum, &data[..n]);
            (sum, gradient)
        };
        differences(value, jacobian, [0.75, 2.5]);
    }
}
