//! `with(inline g)` where there is nothing to inline.

use jacobian::jacobian;

fn outside(x: f64) -> f64 {
    x
}

#[jacobian(with(inline outside))]
fn of_no_module(x: f64) -> f64 {
    outside(x)
}

#[jacobian]
mod inside {
    #[cfg(not(windows))]
    fn configured(x: f64) -> f64 {
        x * x
    }

    fn known(x: f64) -> f64 {
        x * x
    }

    #[jacobian(with(inline configured))]
    pub fn under_a_cfg(x: f64) -> f64 {
        configured(x)
    }

    #[jacobian(with(inline unknown))]
    pub fn unknown_name(x: f64) -> f64 {
        x
    }

    #[jacobian(with(inline known, known))]
    pub fn twice(x: f64) -> f64 {
        known(x)
    }

    #[jacobian(with(inline))]
    pub fn nothing(x: f64) -> f64 {
        known(x)
    }
}

fn main() {}
