//! Generic parameters that would have to be known.

use jacobian::jacobian;

#[jacobian]
mod helpers {
    use super::{Double, Scale};

    fn scaled<U: Scale>(x: f64) -> f64 {
        x * U::scale()
    }

    fn by<U: Scale>(_: &U, x: f64) -> f64 {
        x * U::scale()
    }

    fn power<const N: i32>(x: f64) -> f64 {
        x.powi(N)
    }

    fn applied(x: f64, _: [(); 2]) -> f64 {
        x
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        by(&Double, x) + scaled::<Double>(x) + power::<{ 1 + 1 }>(x) + applied(x, [(), ()])
    }
}

fn main() {}
