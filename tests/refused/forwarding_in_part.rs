//! Implementations for references that do not call what the type has: with what they leave out, it is the trait's own method
//! that is called for a reference.

use jacobian::jacobian;

#[jacobian]
mod laws {
    pub trait Law {
        fn energy(&self, r: f64) -> f64;
        fn twice(&self, r: f64) -> f64 {
            self.energy(r) * 2.0
        }
    }
    pub struct Spring {
        pub k: f64,
    }
    impl Law for Spring {
        fn energy(&self, r: f64) -> f64 {
            self.k * r * r
        }
        fn twice(&self, r: f64) -> f64 {
            100.0 * r + self.k
        }
    }
    impl<P: Law> Law for &P {
        fn energy(&self, r: f64) -> f64 {
            (**self).energy(r)
        }
    }
    fn of_law<P: Law>(law: P, r: f64) -> f64 {
        law.twice(r)
    }
    #[jacobian]
    pub fn a(k: f64, r: f64) -> f64 {
        of_law(&Spring { k }, r)
    }
}

#[jacobian]
mod swapped {
    pub trait Law {
        fn energy(&self, r: f64, s: f64) -> f64;
    }
    pub struct Spring {
        pub k: f64,
    }
    impl Law for Spring {
        fn energy(&self, r: f64, s: f64) -> f64 {
            self.k * r + s
        }
    }
    impl<P: Law> Law for &P {
        fn energy(&self, r: f64, s: f64) -> f64 {
            (**self).energy(s, r)
        }
    }
    fn of_law<P: Law>(law: P, r: f64) -> f64 {
        law.energy(r, 1.0)
    }
    #[jacobian]
    pub fn a(k: f64, r: f64) -> f64 {
        of_law(&Spring { k }, r)
    }
}

#[jacobian]
mod by_others {
    pub trait Law {
        fn energy(&self, r: f64) -> f64;
    }
    pub struct Spring {
        pub k: f64,
    }
    impl Law for Spring {
        fn energy(&self, r: f64) -> f64 {
            self.k * r
        }
    }
    fn energy<P: Law>(law: &P, r: f64) -> f64 {
        Law::energy(law, r) * 10.0
    }
    impl<P: Law> Law for &P {
        fn energy(&self, r: f64) -> f64 {
            energy(*self, r)
        }
    }
    fn of_law<P: Law>(law: P, r: f64) -> f64 {
        law.energy(r)
    }
    #[jacobian]
    pub fn a(k: f64, r: f64) -> f64 {
        of_law(&Spring { k }, r)
    }
}

#[jacobian]
mod with_constants {
    pub trait Law {
        const GAIN: f64 = 1.0;
        fn energy(&self, r: f64) -> f64 {
            r * Self::GAIN
        }
    }
    pub struct Spring {
        pub k: f64,
    }
    impl Law for Spring {
        const GAIN: f64 = 7.0;
        fn energy(&self, r: f64) -> f64 {
            self.k * r
        }
    }
    impl<P: Law> Law for &P {}
    fn of_law<P: Law>(law: P, r: f64) -> f64 {
        law.energy(r)
    }
    #[jacobian]
    pub fn a(k: f64, r: f64) -> f64 {
        of_law(&Spring { k }, r)
    }
}

fn main() {}
