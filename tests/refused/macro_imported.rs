//! Macros of the user that are imported under names of the standard library's.
//!
//! The errors should say that `matches` and `dbg` are ambiguous (E0659).

use jacobian::jacobian;

mod own {
    macro_rules! is_two {
        ($value:expr, $pattern:pat) => {
            $value == 2
        };
    }
    macro_rules! twice {
        ($value:expr) => {
            2.0 * $value
        };
    }
    pub(crate) use {is_two, twice};
}

mod matched {
    use super::own::is_two as matches;

    #[jacobian::jacobian]
    pub fn f(x: f64) -> f64 {
        if matches!(1, 1) { x } else { 3.0 * x }
    }
}

use own::twice as dbg;

#[jacobian]
fn f(x: f64) -> f64 {
    dbg!(x) * x
}

fn main() {
    println!("{:?} {:?}", f(3.0), f_jac(3.0));
    println!("{:?} {:?}", matched::f(3.0), matched::f_jac(3.0));
}
