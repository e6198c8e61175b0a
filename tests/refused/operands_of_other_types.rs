//! Operands beside active floats that are references to floats, which only rustc knows: its errors point at the operand.

use jacobian::jacobian;

struct Views<'a> {
    gain: &'a f64,
    bias: f64,
}

fn element(table: &[f64], index: usize) -> &f64 {
    &table[index]
}

#[jacobian(wrt(x))]
fn a_field(x: f64, of: &Views) -> f64 {
    x
        * of.gain
        * of.bias
}

#[jacobian(wrt(x, of.bias))]
fn beside_an_active_field(x: f64, of: &Views) -> f64 {
    x * of.bias
        / of.gain
}

#[jacobian(wrt(x))]
fn from_a_function(x: f64, table: &[f64]) -> f64 {
    x.sin()
        + element(table, 1)
}

fn main() {}
