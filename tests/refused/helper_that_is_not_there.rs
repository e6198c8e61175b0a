//! A function that is configured out, beside an imported one of its name.
//!
//! Which of them is called is not known here. The Jacobian of the first is called, and the compiler does not find it.

use jacobian::jacobian;

#[jacobian]
mod laws {
    mod outside {
        pub fn g(x: f64) -> f64 {
            2.0 * x
        }
    }

    use self::outside::g;

    #[cfg(any())]
    fn g(x: f64) -> f64 {
        100.0 * x
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        g(x) * x
    }
}

fn main() {
    use laws::{f, f_jac};
    println!("{:?} {:?}", f(3.0), f_jac(3.0));
}
