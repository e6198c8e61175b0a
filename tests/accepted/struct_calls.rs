//! What calls mean in a `#[jacobian] mod` that has traits, operators and imports: methods of a type that is written in a
//! function that knows another one by its traits, arguments of their parameters, functions that are imported.

#![allow(clippy::suspicious_arithmetic_impl)]

use jacobian::jacobian;

use crate::differences;

#[jacobian]
mod priced {
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy)]
    pub struct Market {
        pub spot: f64,
        pub days: u32,
    }

    pub struct Square {
        pub strike: f64,
    }

    pub trait Named {
        fn factor(&self) -> f64 {
            1.5
        }
    }

    pub trait Priced: Named {
        fn payoff(&self, spot: f64) -> f64;

        fn price(&self, market: &Market) -> f64 {
            self.payoff(market.spot / market.years()) * self.factor()
        }
    }

    impl Market {
        fn years(&self) -> f64 {
            self.days as f64 / 365.0
        }

        fn doubled(self) -> f64 {
            2.0 * self.spot
        }
    }

    impl Named for Square {}

    impl Priced for Square {
        fn payoff(&self, spot: f64) -> f64 {
            spot * spot - self.strike
        }
    }

    fn all<T: Priced, A: Copy + Add<Output = A> + Mul<Output = A>>(of: &T, market: Market, by: A) -> (f64, A) {
        (of.price(&market) + market.doubled(), by * by + by)
    }

    #[jacobian(wrt(market, k, by))]
    pub fn priced(market: Market, k: f64, by: f64) -> f64 {
        let square = Square { strike: k };
        let (price, by) = all(&square, market, by);
        price * by
    }
}

#[test]
fn methods_of_other_types_than_those_known_by_traits() {
    let market = |spot| priced::Market { spot, days: 200 };
    differences(
        |[spot, k, by]| priced::priced(market(spot), k, by),
        |[spot, k, by]| priced::priced_jac(market(spot), k, by),
        [1.3, 0.7, 0.4],
    );
}

#[jacobian]
mod scaled {
    use std::array::from_fn;
    use std::mem::{replace, swap, take};
    use std::ops::{Div, Mul};

    #[derive(Clone, Copy, Default)]
    pub struct Pair {
        pub a: f64,
        pub b: f64,
    }

    impl Pair {
        fn power<const N: i32>(&self, by: f64) -> Pair {
            Pair { a: self.a.powi(N), b: self.b * by }
        }

        fn series<const N: usize>(self, mut f: impl FnMut(f64) -> f64) -> f64 {
            let mut sum = 0.0;
            for k in 0..N {
                sum += f(self.a) * k as f64;
            }
            sum
        }
    }

    impl Mul for Pair {
        type Output = Pair;
        fn mul(self, other: Pair) -> Pair {
            Pair { a: self.a * other.a, b: self.b * other.b }
        }
    }

    impl Mul<f64> for Pair {
        type Output = Pair;
        fn mul(self, k: f64) -> Pair {
            Pair { a: self.a * k, b: self.b * k }
        }
    }

    impl Div<f64> for Pair {
        type Output = Pair;
        fn div(self, k: f64) -> Pair {
            self * k.recip()
        }
    }

    #[jacobian]
    pub fn by_arguments(p: Pair, k: f64) -> f64 {
        let q = p.power::<3>(k);
        q.a * q.b + p.series::<4>(|x| x * k)
    }

    #[jacobian(wrt(p))]
    pub fn by_what_is_passive(p: Pair, k: f64) -> f64 {
        let q = p / 4.0 * (p / k.exp());
        q.a - q.b
    }

    #[jacobian]
    pub fn exchanged(p: Pair, k: f64) -> f64 {
        let (mut p, mut k) = (p, k);
        swap(&mut p.a, &mut k);
        let old = replace(&mut p.b, k * k);
        let whole = take(&mut p);
        whole.a * whole.b * old + p.a + k
    }

    #[jacobian]
    pub fn elements(x: f64) -> [f64; 3] {
        from_fn(|i| x.powi(2) * i as f64)
    }
}

#[jacobian]
fn imported_inside(x: f64) -> f64 {
    use std::array::from_fn;
    let a: [f64; 3] = from_fn(|i| x * x * i as f64);
    a[1] * a[2]
}

#[test]
fn methods_with_arguments_for_their_parameters() {
    let of = |[a, b, _]: [f64; 3]| scaled::Pair { a, b };
    let x = [1.3, 0.7, 0.4];
    differences(|x| scaled::by_arguments(of(x), x[2]), |x| scaled::by_arguments_jac(of(x), x[2]), x);
}

#[test]
fn operators_with_passive_floats() {
    let of = |[a, b]: [f64; 2]| scaled::Pair { a, b };
    let f = |x| scaled::by_what_is_passive(of(x), 0.3);
    differences(f, |x| scaled::by_what_is_passive_jac(of(x), 0.3), [1.3, 0.7]);
}

#[test]
fn functions_that_are_imported() {
    let of = |[a, b, _]: [f64; 3]| scaled::Pair { a, b };
    differences(|x| scaled::exchanged(of(x), x[2]), |x| scaled::exchanged_jac(of(x), x[2]), [1.3, 0.7, 0.4]);
    differences(|[x]| scaled::elements(x), |[x]| scaled::elements_jac(x), [0.7]);
    differences(|[x]| imported_inside(x), |[x]| imported_inside_jac(x), [0.7]);
}
