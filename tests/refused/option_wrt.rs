use jacobian::jacobian;

#[jacobian(wrt(z))]
fn unknown(x: f64, y: f64) -> f64 {
    x * y
}

#[jacobian(wrt(x, y, x))]
fn repeated(x: f64, y: f64) -> f64 {
    x * y
}

#[jacobian(wrt())]
fn empty(x: f64, y: f64) -> f64 {
    x * y
}

#[jacobian(wrt(x, n))]
fn no_float(x: f64, n: usize) -> f64 {
    x * n as f64
}

#[jacobian(wrt(list))]
fn no_length(x: f64, list: &[f64]) -> f64 {
    x * list[0]
}

#[jacobian(wrt(self, x))]
fn receiver(x: f64) -> f64 {
    x
}

#[jacobian(wrt("x"))]
fn string(x: f64) -> f64 {
    x
}

struct A {
    k: f64,
}

#[jacobian(wrt(x, a))]
fn in_capitals(x: f64, a: &A) -> f64 {
    x * a.k
}

fn main() {
    let (value, jacobian) = unknown_jac(1.0, 2.0);
    println!("{value} {jacobian:?}");
    let (_, [_, _]) = repeated_jac(1.0, 2.0);
    let (_, [_, _]) = empty_jac(1.0, 2.0);
    let (_, [_]) = no_float_jac(1.0, 2);
    let (_, [_]) = no_length_jac(1.0, &[2.0]);
    let (_, [_]) = receiver_jac(1.0);
    let (_, [_]) = string_jac(1.0);
    let (_, [_]) = in_capitals_jac(1.0, &A { k: 2.0 });
}
