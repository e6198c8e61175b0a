use jacobian::jacobian;

#[jacobian]
mod laws {
    pub struct Cart {
        pub mass: f64,
    }

    use super::Outer;

    fn most<T: Outer>(_: T, x: f64) -> f64 {
        x * T::MAX
    }

    #[jacobian]
    pub fn of_floats(x: f64) -> f64 {
        most(x, x)
    }

    /// Of the same name as one from outside.
    pub trait Twin {
        const SIZE: f64;
    }

    impl Twin for Cart {
        const SIZE: f64 = 2.0;
    }

    impl super::outside::Twin for Cart {
        const SIZE: f64 = 9.0;
    }

    fn sized<T: super::outside::Twin>(_: &T, x: f64) -> f64 {
        x * T::SIZE
    }

    #[jacobian]
    pub fn of_another_trait(x: f64) -> f64 {
        sized(&Cart { mass: x }, x)
    }

    fn summed(items: impl Iterator<Item = u8>, x: f64) -> f64 {
        items.map(|k| f64::from(!k) * x).sum()
    }

    #[jacobian(wrt(x))]
    pub fn of_untold_items(x: f64, n: usize) -> f64 {
        summed((0..n).map(|_| 200), x) + summed(vec![200, 3].into_iter(), x)
    }
}

pub mod outside {
    pub trait Twin {
        const SIZE: f64;
    }
}

pub trait Outer {
    const MAX: f64;
}

impl Outer for f64 {
    const MAX: f64 = 3.0;
}

fn main() {}
