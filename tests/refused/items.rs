#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

#[jacobian]
struct Structure {
    x: f64,
}

#[jacobian]
enum Enumeration {}

#[jacobian]
impl Structure {
    fn f(&self, x: f64) -> f64 {
        x * self.x
    }
}

#[jacobian]
trait Trait {
    fn f(x: f64) -> f64;
}

trait Other {
    #[jacobian]
    fn f(x: f64) -> f64;
}

#[jacobian]
const CONSTANT: f64 = 1.0;

#[jacobian]
static STATIC: f64 = 1.0;

#[jacobian]
type Alias = f64;

#[jacobian]
use core::f64::consts::PI;

#[jacobian]
mod module {}

#[jacobian]
macro_rules! rules {
    () => {};
}

unsafe extern "C" {
    #[jacobian]
    fn foreign(x: f64) -> f64;
}

fn main() {}
