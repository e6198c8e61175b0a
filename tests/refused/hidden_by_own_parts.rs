use jacobian::jacobian;

#[jacobian]
mod laws {
    pub trait Law<const N: usize> {
        const G: f64;
        fn unit() -> f64;
    }

    pub struct Cart {
        pub mass: f64,
    }

    impl Cart {
        pub const G: f64 = 7.0;
        pub fn unit() -> f64 {
            5.0
        }
    }

    impl Law<2> for Cart {
        const G: f64 = 1.5;
        fn unit() -> f64 {
            2.0
        }
    }

    pub struct Moved<S> {
        pub system: S,
        pub x: f64,
    }

    impl<S: Law<2>> Moved<S> {
        fn weighed(&self) -> f64 {
            self.x * S::G
        }

        fn scaled(&self) -> f64 {
            self.x * S::unit()
        }
    }

    #[jacobian]
    pub fn of_a_block(x: f64) -> f64 {
        let moved = Moved::<Cart> { system: Cart { mass: x }, x };
        moved.weighed() * moved.scaled()
    }

    use super::Outer;

    fn most<T: Outer>(_: T, x: f64) -> f64 {
        x * T::MAX
    }

    #[jacobian]
    pub fn of_floats(x: f64) -> f64 {
        most(x, x)
    }
}

pub trait Outer {
    const MAX: f64;
}

impl Outer for f64 {
    const MAX: f64 = 3.0;
}

fn main() {}
