#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros, unreachable_patterns)]

use jacobian::jacobian;

struct Pair {
    a: f64,
    b: f64,
}

#[jacobian]
fn mutable_reference(x: f64) -> f64 {
    let ref mut y = { x };
    x
}

#[jacobian]
fn or_of_an_array(x: [f64; 2]) -> f64 {
    let ([y, _] | [_, y]) = x;
    y
}

#[jacobian]
fn let_else(x: f64, n: Option<u8>) -> f64 {
    x * {
        let Some(m) = n else { panic!() };
        m as f64
    }
}

#[jacobian]
fn attribute(x: f64, pair: Pair) -> f64 {
    let Pair {
        #[cfg(all())]
        a,
        ..
    } = pair;
    x * a
}

fn main() {
    let (_, [_]) = at_jac(1.0);
    let (_, [_, _]) = at_of_an_array_jac([1.0, 2.0]);
    let (_, [_]) = mutable_reference_jac(1.0);
    let (_, [_]) = or_jac(1.0, Ok(1));
    let (_, [_, _]) = or_of_an_array_jac([1.0, 2.0]);
    let (_, [_]) = let_else_jac(1.0, None);
    let (_, [_]) = attribute_jac(1.0, Pair { a: 1.0, b: 2.0 });
    let (_, [_]) = at_of_a_passive_jac(1.0, &Pair { a: 1.0, b: 2.0 });
}
