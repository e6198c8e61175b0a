//! Outputs: parameters behind `&mut`, which the function assigns. Their floats are rows of the Jacobian.

use jacobian::jacobian;

use crate::bits;

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
