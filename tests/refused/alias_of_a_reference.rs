//! An alias of a reference to a float as the type of a parameter.

use jacobian::jacobian;

type Angle<'a> = &'a f64;

#[jacobian]
fn f(q: Angle<'_>, l: f64) -> f64 {
    l * *q
}

fn main() {}
