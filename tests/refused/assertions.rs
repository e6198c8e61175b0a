//! Assertions about active values, and what may not be evaluated in one.

use jacobian::jacobian;

#[jacobian]
fn condition(x: f64) -> f64 {
    assert!(x);
    x
}

#[jacobian]
fn statements(x: f64, n: usize) -> f64 {
    debug_assert!({
        let m = n + 1;
        m > 0
    });
    x
}

trait Bits {
    fn set(&mut self, bit: u32) -> bool;
}

impl Bits for u32 {
    fn set(&mut self, bit: u32) -> bool {
        *self |= 1 << bit;
        *self > 4
    }
}

// It would change a copy of what is known.
#[jacobian]
fn changing(x: f64) -> f64 {
    let mut bits = 5_u32;
    assert!(bits.set(1));
    x * bits as f64
}

#[jacobian]
fn changing_in_a_guard(x: f64, n: usize) -> f64 {
    let mut bits = 5_u32;
    let y = match n {
        0 if bits.set(1) => x,
        _ => 2.0 * x,
    };
    y * bits as f64
}

#[jacobian]
fn others(x: f64, n: usize) -> f64 {
    println!("{n}");
    my::assert!(n > 0);
    x * vec![1.0][0]
}

fn main() {}
