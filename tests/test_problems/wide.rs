//! Double-double numbers: the unevaluated sum of two floats, which have 106 bits together. The arithmetic is Dekker's
//! and Knuth's, the functions are series and Newton's steps.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// A number of 106 bits: what rounds to `high`, and the rest.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Wide {
    high: f64,
    low: f64,
}

const LN_2: Wide = Wide { high: std::f64::consts::LN_2, low: 2.3190468138462996e-17 };

/// The sum of two floats, exactly.
fn two_sum(a: f64, b: f64) -> Wide {
    let high = a + b;
    let rest = high - a;
    Wide { high, low: (a - (high - rest)) + (b - rest) }
}

/// The product of two floats, exactly.
fn two_product(a: f64, b: f64) -> Wide {
    let high = a * b;
    Wide { high, low: a.mul_add(b, -high) }
}

impl From<f64> for Wide {
    fn from(high: f64) -> Self {
        Wide { high, low: 0.0 }
    }
}

impl From<Wide> for f64 {
    fn from(wide: Wide) -> Self {
        wide.high
    }
}

impl PartialOrd<f64> for Wide {
    fn partial_cmp(&self, other: &f64) -> Option<std::cmp::Ordering> {
        (*self - *other).high.partial_cmp(&0.0)
    }
}

impl PartialEq<f64> for Wide {
    fn eq(&self, other: &f64) -> bool {
        *self == Wide::from(*other)
    }
}

impl Neg for Wide {
    type Output = Wide;

    fn neg(self) -> Wide {
        Wide { high: -self.high, low: -self.low }
    }
}

macro_rules! operator {
    ($trait:ident $method:ident, |$x:ident, $y:ident| $value:expr) => {
        impl<T: Into<Wide>> $trait<T> for Wide {
            type Output = Wide;

            fn $method(self, other: T) -> Wide {
                let ($x, $y): (Wide, Wide) = (self, other.into());
                $value
            }
        }

        impl $trait<Wide> for f64 {
            type Output = Wide;

            fn $method(self, other: Wide) -> Wide {
                $trait::$method(Wide::from(self), other)
            }
        }
    };
}

operator! { Add add, |x, y| {
    let (sum, rest) = (two_sum(x.high, y.high), two_sum(x.low, y.low));
    let sum = two_sum(sum.high, sum.low + rest.high);
    two_sum(sum.high, sum.low + rest.low)
} }
operator! { Sub sub, |x, y| x + -y }
operator! { Mul mul, |x, y| {
    let product = two_product(x.high, y.high);
    two_sum(product.high, product.low + (x.high * y.low + x.low * y.high))
} }
operator! { Div div, |x, y| {
    let first = x.high / y.high;
    let rest = x - y * first;
    let second = rest.high / y.high;
    let rest = rest - y * second;
    two_sum(first, second) + rest.high / y.high
} }

impl<T: Into<Wide>> AddAssign<T> for Wide {
    fn add_assign(&mut self, other: T) {
        *self = *self + other;
    }
}

impl Sum for Wide {
    fn sum<I: Iterator<Item = Wide>>(items: I) -> Wide {
        items.fold(Wide::from(0.0), |sum, item| sum + item)
    }
}

impl Wide {
    pub fn abs(self) -> Wide {
        if self.high < 0.0 { -self } else { self }
    }

    pub fn powi(self, exponent: i32) -> Wide {
        (0..exponent).fold(Wide::from(1.0), |power, _| power * self)
    }

    pub fn powf(self, exponent: Wide) -> Wide {
        (exponent * self.ln()).exp()
    }

    pub fn sqrt(self) -> Wide {
        if self.high == 0.0 {
            return self;
        }
        let root = Wide::from(self.high.sqrt());
        let root = root + (self - root * root) / (2.0 * root);
        root + (self - root * root) / (2.0 * root)
    }

    pub fn exp(self) -> Wide {
        const HALVINGS: i32 = 8;
        let twos = (self.high / LN_2.high).round();
        let reduced = (self - LN_2 * twos) / 2_f64.powi(HALVINGS);
        let (mut term, mut sum) = (Wide::from(1.0), Wide::from(1.0));
        for n in 1..15 {
            term = term * reduced / f64::from(n);
            sum += term;
        }
        (0..HALVINGS).fold(sum, |power, _| power * power) * 2_f64.powi(twos as i32)
    }

    pub fn ln(self) -> Wide {
        let step = |y: Wide| y + (self * (-y).exp() - 1.0);
        step(step(self.high.ln().into()))
    }

    /// Sine and cosine of an angle of a few turns at most.
    fn sin_cos(self) -> (Wide, Wide) {
        let (mut term, mut sums) = (Wide::from(1.0), [Wide::from(0.0); 2]);
        for n in 0..60 {
            let sign = if n % 4 < 2 { 1.0 } else { -1.0 };
            sums[n % 2] += term * sign;
            term = term * self / (n + 1) as f64;
        }
        (sums[1], sums[0])
    }

    pub fn sin(self) -> Wide {
        self.sin_cos().0
    }

    pub fn cos(self) -> Wide {
        self.sin_cos().1
    }

    pub fn atan(self) -> Wide {
        let step = |y: Wide| {
            let (sine, cosine) = y.sin_cos();
            y + (self * cosine - sine) / (cosine + self * sine)
        };
        step(step(self.high.atan().into()))
    }
}

#[test]
fn functions_have_thirty_digits() {
    let near = |a: Wide, b: Wide| assert!((a - b).abs() < 1e-29, "{a:?} and {b:?}");
    let (one, x) = (Wide::from(1.0), Wide::from(1.0) / 3.0);
    near(one.exp(), Wide { high: std::f64::consts::E, low: 1.4456468917292502e-16 });
    near(4.0 * one.atan(), Wide { high: std::f64::consts::PI, low: 1.2246467991473532e-16 });
    near(Wide::from(2.0).ln(), LN_2);
    near(x * 3.0, one);
    near(x.sqrt() * x.sqrt(), x);
    near(x.sin() * x.sin() + x.cos() * x.cos(), one);
    near(x.powf(x), (x * x.ln()).exp());
}
