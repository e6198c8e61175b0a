//! Modules that are refused.

use jacobian::jacobian;

#[jacobian]
mod unmarked {
    pub fn f(x: f64) -> f64 {
        x
    }
}

#[jacobian(name = "g", wrt(x))]
mod options {
    #[jacobian]
    pub fn f(x: f64) -> f64 {
        x
    }
}

#[jacobian]
mod recursion {
    fn even(x: f64, n: usize) -> f64 {
        if n == 0 { x } else { odd(x, n - 1) }
    }

    fn odd(x: f64, n: usize) -> f64 {
        if n == 0 { 0.0 } else { even(x, n - 1) }
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        even(x, 4) + f(0.5 * x)
    }
}

#[jacobian]
mod inner_errors {
    fn helper(x: f64) -> f64 {
        x.gamma()
    }

    fn takes_two(x: f64, y: f64) -> f64 {
        x * y
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        takes_two(helper(x) + helper(2.0 * x))
    }
}

#[jacobian]
struct Other;

fn main() {}
