//! The special functions over numbers of 256 bits: by their power series, and the gamma function by Stirling's.

use crate::support::real::Real;

/// How far the argument is moved to where Stirling's series has all digits.
const SHIFT: usize = 200;

/// The Bernoulli numbers of the indices 2, 4, ..., as fractions.
const BERNOULLI: [(f64, f64); 15] = [
    (1.0, 6.0),
    (-1.0, 30.0),
    (1.0, 42.0),
    (-1.0, 30.0),
    (5.0, 66.0),
    (-691.0, 2730.0),
    (7.0, 6.0),
    (-3617.0, 510.0),
    (43867.0, 798.0),
    (-174611.0, 330.0),
    (854513.0, 138.0),
    (-236364091.0, 2730.0),
    (8553103.0, 6.0),
    (-23749461029.0, 870.0),
    (8615841276005.0, 14322.0),
];

fn number(value: f64) -> Real {
    Real::from(value)
}

fn bernoulli() -> impl Iterator<Item = (f64, Real)> {
    let fraction =
        |(index, &(above, below)): (usize, &(f64, f64))| (2.0 * index as f64 + 2.0, &number(above) / &number(below));
    BERNOULLI.iter().enumerate().map(fraction)
}

/// The sum of terms, each of which is given by its number and the one before, until they no longer count.
fn series(first: Real, next: impl Fn(f64, &Real) -> Real) -> Real {
    let (mut sum, mut term) = (first.clone(), first);
    for index in 1..1_000 {
        term = next(f64::from(index), &term);
        sum = &sum + &term;
        if term.is_zero() || term.exponent() < sum.exponent() - 300 && index > 60 {
            break;
        }
    }
    sum
}

/// The error function.
pub fn erf(x: &Real) -> Real {
    let square = x * x;
    // The powers of x over factorials, with their signs; each is divided by an odd number in the sum.
    let (mut sum, mut power) = (x.clone(), x.clone());
    for index in 1..400 {
        power = &-&(&power * &square) / &number(f64::from(index));
        sum = &sum + &(&power / &number(f64::from(2 * index + 1)));
    }
    &sum.scaled(1) / &Real::pi().sqrt()
}

/// The logarithm of the gamma function, of a positive number.
pub fn ln_gamma(x: &Real) -> Real {
    let (mut y, mut product) = (x.clone(), number(1.0));
    for _ in 0..SHIFT {
        product = &product * &y;
        y = &y + &number(1.0);
    }
    let mut sum = &(&(&(&y - &number(0.5)) * &y.ln()) - &y) + &Real::pi().scaled(1).ln().scaled(-1);
    let mut power = y.clone();
    for (index, bernoulli) in bernoulli() {
        sum = &sum + &(&bernoulli / &(&power * &number(index * (index - 1.0))));
        power = &(&power * &y) * &y;
    }
    &sum - &product.ln()
}

/// The digamma function.
pub fn digamma(x: &Real) -> Real {
    if x.is_negative() {
        let angle = &Real::pi() * x;
        return &digamma(&(&number(1.0) - x)) - &(&(&Real::pi() * &angle.cos()) / &angle.sin());
    }
    let (mut y, mut below) = (x.clone(), number(0.0));
    for _ in 0..SHIFT {
        below = &below + &(&number(1.0) / &y);
        y = &y + &number(1.0);
    }
    let mut sum = &y.ln() - &(&number(0.5) / &y);
    let mut power = &y * &y;
    for (index, bernoulli) in bernoulli() {
        sum = &sum - &(&bernoulli / &(&power * &number(index)));
        power = &(&power * &y) * &y;
    }
    &sum - &below
}

/// The Bessel function of the first kind of an order that is not negative.
pub fn bessel_j(order: i32, x: &Real) -> Real {
    let half = x.scaled(-1);
    let first = (1..=order).fold(number(1.0), |term, index| &(&term * &half) / &number(f64::from(index)));
    let square = -&(&half * &half);
    series(first, |index, term| &(term * &square) / &number(index * (index + f64::from(order))))
}

/// The Bessel function of the second kind of the order 0 or 1, of a positive number.
pub fn bessel_y(order: i32, x: &Real) -> Real {
    let half = x.scaled(-1);
    let (square, euler) = (-&(&half * &half), -&digamma(&number(1.0)));
    // The sum of the terms of the function of the first kind, each with its harmonic numbers.
    let (mut harmonic, mut sum) = (number(0.0), number(0.0));
    let mut term = if order == 0 { number(1.0) } else { half.clone() };
    for index in 0..200 {
        let below = number(f64::from(index + 1));
        let with_next = &harmonic.scaled(1) + &(&number(1.0) / &below);
        let factor = if order == 0 { harmonic.scaled(1) } else { with_next };
        sum = &sum + &(&term * &factor);
        harmonic = &harmonic + &(&number(1.0) / &below);
        term = &(&term * &square) / &(&below * &number(f64::from(index + 1 + order)));
    }
    let logarithmic = &(&(&half.ln() + &euler) * &bessel_j(order, x)).scaled(1) - &sum;
    let singular = if order == 0 { number(0.0) } else { &number(2.0) / x };
    &(&logarithmic - &singular) / &Real::pi()
}
