//! Outputs: parameters behind `&mut`, which the function assigns.

use jacobian::jacobian;

#[jacobian]
fn counter(x: f64, count: &mut usize) -> f64 {
    *count += 1;
    x * x
}

#[jacobian(wrt(x))]
fn growing(x: f64, list: &mut Vec<f64>) -> f64 {
    list.push(1.0);
    x * x
}

#[jacobian]
fn slice(x: f64, y: &mut [f64]) {
    y[0] = x;
}

#[jacobian(wrt(x, y))]
fn tuple_named_by_wrt(x: f64, y: &mut (f64, [f64; 2])) {
    y.0 *= x;
}

#[jacobian]
fn destructured(x: f64, [a, b]: &mut [f64; 2]) {
    *a = x;
    *b = x;
}

#[jacobian]
fn other_floats(x: f64, y: &mut f32) {
    *y = 1.0;
    let _ = x;
}

#[jacobian]
fn inside(x: f64, y: [&mut f64; 1]) {
    *y[0] = x;
}

#[jacobian]
fn only_outputs(y: &mut f64) {
    *y = 1.0;
}

#[jacobian]
fn in_place(x: &mut [f64; 2], s: f64) {
    x[0] = x[1] * s;
    x[1] += s;
}

#[jacobian]
fn in_place_scalar(x: &mut f64, s: f64) {
    *x *= s;
}

#[jacobian]
fn read_too_early(x: f64, y: &mut [f64; 2]) -> f64 {
    let copy = *y;
    y[0] = x;
    y[1] = x;
    copy[0]
}

#[jacobian]
fn half_assigned(x: f64, y: &mut [[f64; 2]; 2]) {
    y[0] = [x, x];
    y[1][1] = x;
}

#[jacobian]
fn never_assigned(x: f64, y: &mut [f64; 2], z: &mut f64) -> f64 {
    x
}

#[jacobian]
fn passed_on(x: f64, y: &mut [f64; 2]) {
    let z = y;
    z[0] = x;
    z[1] = x;
}

#[jacobian]
fn borrowed(x: f64, y: &mut [f64; 2]) {
    *y = [x, x];
    let z = &mut y[0];
    *z += 1.0;
}

#[jacobian]
fn filled(x: f64, y: &mut [f64; 2]) {
    *y = [x, x];
    y.fill(x);
}

fn main() {
    let (_, [_]) = counter_jac(1.0, &mut 1);
    let [[_], [_], [_], [_]] = half_assigned_jac(1.0, &mut [[0.0; 2]; 2]);
    let (_, [[_], [_], [_], [_]]) = never_assigned_jac(1.0, &mut [0.0; 2], &mut 0.0);
    let [_] = in_place_scalar_jac(&mut 1.0, 1.0);
}
