//! A trait whose method takes `&self`, in a function that is inlined.
//!
//! The generated code should fail to compile: multiple applicable items in scope (E0034).

use jacobian::jacobian;

#[jacobian]
mod laws {
    trait Odd {
        fn tanh(&self) -> f64;
    }

    impl Odd for f64 {
        fn tanh(&self) -> f64 {
            2.0 * *self
        }
    }

    fn helper(x: &f64) -> f64 {
        x.tanh()
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        helper(&x) * x
    }
}

fn main() {
    use laws::{f, f_jac};
    println!("{:?} {:?}", f(1.0), f_jac(1.0));
}
