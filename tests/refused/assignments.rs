#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

struct Pair {
    a: f64,
    b: (f64, f64),
}

#[jacobian]
fn field(x: f64, mut pair: Pair) -> f64 {
    pair.a = x;
    pair.b.0 = x;
    pair.a
}

#[jacobian(wrt(x))]
fn dereference(x: f64, place: &std::cell::RefCell<f64>) -> f64 {
    *place.borrow_mut() = 2.0;
    x
}

#[jacobian]
fn range_at_run_time(mut x: [f64; 3], n: usize) -> f64 {
    x[..n].fill(0.0);
    x[0]
}

#[jacobian]
fn passive_vector(x: f64, mut list: Vec<usize>) -> f64 {
    list[0] = 1;
    x * list[0] as f64
}

#[jacobian]
fn unequal(x: f64, pair: (usize, usize)) -> f64 {
    let (mut n, mut m) = (1, 2);
    (n, m) = pair;
    x * n as f64
}

#[jacobian]
fn with_rest(x: [f64; 3]) -> f64 {
    let (mut a, mut b) = (0.0, 0.0);
    [a, .., b] = x;
    a * b
}

#[jacobian]
fn structure(x: f64, pair: Pair) -> f64 {
    let mut a = 0.0;
    Pair { a, .. } = pair;
    x * a
}

#[jacobian]
fn call(x: f64, place: fn() -> &'static mut [usize; 2]) -> f64 {
    place()[0] = 2;
    x
}

fn main() {
    let (_, [_]) = field_jac(1.0, Pair { a: 1.0, b: (2.0, 3.0) });
    let (_, [_]) = dereference_jac(1.0, &std::cell::RefCell::new(1.0));
    let (_, [_]) = passive_vector_jac(1.0, vec![1]);
    let (_, [_]) = unequal_jac(1.0, (1, 2));
    let (_, [_, _, _]) = with_rest_jac([1.0, 2.0, 3.0]);
    let (_, [_]) = structure_jac(1.0, Pair { a: 1.0, b: (2.0, 3.0) });
    let (_, [_]) = call_jac(1.0, || Box::leak(Box::new([1, 2])));
}
