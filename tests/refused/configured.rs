//! Functions under a `cfg` that cannot be called through a Jacobian.

use jacobian::jacobian;

#[jacobian]
mod signatures {
    #[cfg(any())]
    fn g(x: f64, n: usize) -> f64 {
        x * n as f64
    }

    #[cfg(not(any()))]
    fn g(x: f64) -> f64 {
        x * x
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        g(x)
    }
}

#[jacobian]
mod parameters {
    #[cfg(not(any()))]
    fn g<T: Into<f64>>(x: f64, by: T) -> f64 {
        x * by.into()
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        g(x, 2f32)
    }
}

#[jacobian]
mod there {
    #[cfg(not(any()))]
    #[jacobian]
    pub fn f(x: f64) -> f64 {
        x.gamma()
    }

    #[cfg(any())]
    #[jacobian]
    pub fn g(x: f64) -> f64 {
        x.gamma()
    }
}

fn main() {}
