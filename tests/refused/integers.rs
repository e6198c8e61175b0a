#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_must_use, unused_labels)]

use jacobian::jacobian;

#[jacobian]
fn overflows(x: f64) -> f64 {
    let a = 200_u8;
    let b = a + 100;
    let c: usize = 2;
    let d = c - 3;
    let e = -128_i8;
    let f = [-e, e.abs(), e / -1, e - 1];
    let g = 1_u32 << 32;
    let h = 10_u16.pow(5);
    let i = 7 % (c - 2);
    let j = i32::MAX + 1;
    x
}

#[jacobian]
fn in_a_loop(x: f64) -> f64 {
    let mut y = x;
    for i in 0..3_u8 {
        y += (2 - i) as f64 / (i - 1) as f64;
    }
    y
}

#[jacobian]
fn unknown_types(x: [f64; 3], n: usize) -> f64 {
    let shifted = 1 << 40;
    let mut y = [x[0]; shifted >> 40][0];
    for i in 0..200 {
        let k = i * i * i - 7;
        if k > 3 {
            y += x[0];
        }
    }
    for i in 0..n + 1 {}
    y
}

fn main() {
    let (_, [_]) = overflows_jac(1.0);
    let (_, [_]) = in_a_loop_jac(1.0);
    let (_, [_, _, _]) = unknown_types_jac([1.0; 3], 3);
}
