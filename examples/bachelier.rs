//! An option's price in Bachelier's (normal) model, its greeks coming from `#[jacobian]`.
//!
//! Takes nothing: a forward, a rate, and quoted prices of calls and puts are below. Prints the greeks of an option, and
//! the volatilities that the quotes imply, found by Newton's method. Shows a call of a function that has a derivative
//! by hand, `with(erf)`: W. J. Cody's error function by rational approximations, whose text is not looked at. The
//! greeks are checked against dual numbers, their closed forms and put-call parity, and a disagreement is a panic.
//!
//!     cargo run --release --example bachelier

mod dual;

use std::f64::consts::{FRAC_2_SQRT_PI, PI, SQRT_2};
use std::process::ExitCode;

use approx::assert_abs_diff_eq;
use dual::{Dual64, Noise, check_at, dual_twin};
use jacobian::jacobian;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Call,
    Put,
}

/// The value of an option on a forward: the expected payoff under a normal distribution, discounted.
#[dual_twin(price_of_duals, erf = erf_of_duals)]
#[jacobian(with(erf))]
fn price(forward: f64, strike: f64, volatility: f64, expiry: f64, rate: f64, kind: Kind) -> f64 {
    let ahead = match kind {
        Kind::Call => forward - strike,
        Kind::Put => strike - forward,
    };
    let discount = (-rate * expiry).exp();
    if expiry <= 0.0 {
        return discount * ahead.max(0.0);
    }
    let deviation = volatility * expiry.sqrt();
    let d = ahead / deviation;
    let probability = 0.5 * (1.0 + erf(d / SQRT_2));
    let density = (-0.5 * d * d).exp() / (2.0 * PI).sqrt();
    discount * (ahead * probability + deviation * density)
}

/// The error function to double precision: W. J. Cody, Rational Chebyshev approximations for the error function,
/// Mathematics of Computation 23 (1969), with the coefficients of his CALERF.
fn erf(x: f64) -> f64 {
    let y = x.abs();
    let complement = if y <= 0.46875 {
        return x * ratio(&NEAR, x * x);
    } else if y <= 4.0 {
        (-y * y).exp() * ratio(&MIDDLE, y)
    } else {
        let z = 1.0 / (y * y);
        (-y * y).exp() * (0.5 * FRAC_2_SQRT_PI - z * ratio(&FAR, z)) / y
    };
    (1.0 - complement).copysign(x)
}

/// A quotient of polynomials, the highest power first.
fn ratio<const N: usize>([over, under]: &[[f64; N]; 2], x: f64) -> f64 {
    let horner = |polynomial: &[f64; N]| polynomial.iter().fold(0.0, |sum, coefficient| sum * x + coefficient);
    horner(over) / horner(under)
}

/// The error function and its derivative, exact where that of the rational approximations is not.
fn erf_jac(x: f64) -> (f64, [f64; 1]) {
    (erf(x), [FRAC_2_SQRT_PI * (-x * x).exp()])
}

fn erf_of_duals(x: Dual64) -> Dual64 {
    let (value, [derivative]) = erf_jac(x.re);
    Dual64::new(value, derivative * x.eps)
}

const FORWARD: f64 = 100.0;
const EXPIRY: f64 = 0.75;
const RATE: f64 = 0.03;

/// Strikes and prices.
const QUOTES: [(f64, f64, Kind); 6] = [
    (80.0, 1.35, Kind::Put),
    (90.0, 3.10, Kind::Put),
    (100.0, 6.45, Kind::Put),
    (100.0, 6.45, Kind::Call),
    (110.0, 2.80, Kind::Call),
    (120.0, 1.05, Kind::Call),
];

fn main() -> ExitCode {
    check_erf();
    let worst = [Kind::Call, Kind::Put].map(check_price).into_iter().fold(0.0, f64::max);

    println!("                 price    delta  by strike     vega    theta      rho");
    for kind in [Kind::Call, Kind::Put] {
        let (value, [delta, by_strike, vega, by_expiry, rho]) = price_jac(FORWARD, 105.0, 20.0, EXPIRY, RATE, kind);
        print!("105 {:<8} {value:>9.4} {delta:>8.4} {by_strike:>10.4}", format!("{kind:?}"));
        println!(" {vega:>8.4} {:>8.4} {rho:>8.4}", -by_expiry);
    }

    println!("\nstrike kind      quote  implied volatility  iterations");
    let mut all_met = true;
    for (strike, quote, kind) in QUOTES {
        let implied = implied_volatility(strike, quote, kind);
        all_met &= implied.is_some();
        let (volatility, iterations) = implied.unwrap_or((f64::NAN, 0));
        println!("{strike:>6} {:<6} {quote:>8.2} {volatility:>19.6} {iterations:>11}", format!("{kind:?}"));
    }
    println!("\nGenerated Jacobians and dual numbers differ by {worst:.1e} at most.");
    if all_met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The volatility at which the model meets the quote, by Newton's method: vega is a column of the Jacobian.
fn implied_volatility(strike: f64, quote: f64, kind: Kind) -> Option<(f64, usize)> {
    // The price at the money is almost linear in the volatility, which gives the start.
    let mut volatility = quote * (2.0 * PI / EXPIRY).sqrt();
    for iteration in 0..50 {
        let (value, [_, _, vega, ..]) = price_jac(FORWARD, strike, volatility, EXPIRY, RATE, kind);
        if (value - quote).abs() <= 1e-12 * quote {
            return Some((volatility, iteration));
        }
        volatility -= (value - quote) / vega;
    }
    None
}

/// Checks the price's Jacobian at many points, before and at expiry. The largest difference to dual numbers.
fn check_price(kind: Kind) -> f64 {
    let random = Noise(1).points(400, [100.0, 100.0, 20.0, 1.125, 0.0], [20.0, 20.0, 10.0, 0.875, 0.1]);
    let at_expiry =
        random.iter().map(|&[forward, strike, volatility, _, rate]| [forward, strike, volatility, 0.0, rate]);
    let points: Vec<_> = random.iter().copied().chain(at_expiry).collect();
    for &point in &points {
        check_closed_forms(point, kind);
    }
    check_at(
        points,
        |[f, k, v, t, r]| [price(f, k, v, t, r, kind)],
        |[f, k, v, t, r]| {
            let (value, greeks) = price_jac(f, k, v, t, r, kind);
            ([value], [greeks])
        },
        |[f, k, v, t, r]| [price_of_duals(f, k, v, t, r, kind)],
    )
}

/// Checks the greeks against their closed forms, and the price against that of the other kind.
fn check_closed_forms([forward, strike, volatility, expiry, rate]: [f64; 5], kind: Kind) {
    let (value, greeks) = price_jac(forward, strike, volatility, expiry, rate, kind);
    let discount = (-rate * expiry).exp();
    let price_of = |kind| price(forward, strike, volatility, expiry, rate, kind);
    let difference = price_of(Kind::Call) - price_of(Kind::Put);
    assert_abs_diff_eq!(difference, discount * (forward - strike), epsilon = 1e-12 * forward);
    if expiry == 0.0 {
        return;
    }
    let root = expiry.sqrt();
    let sign = if kind == Kind::Call { 1.0 } else { -1.0 };
    let d = sign * (forward - strike) / (volatility * root);
    let delta = sign * discount * 0.5 * (1.0 + libm::erf(d / SQRT_2));
    let density = discount * (-0.5 * d * d).exp() / (2.0 * PI).sqrt();
    let closed = [delta, -delta, root * density, volatility * density / (2.0 * root) - rate * value, -expiry * value];
    for (greek, closed) in greeks.into_iter().zip(closed) {
        assert_abs_diff_eq!(greek, closed, epsilon = 1e-11 * (1.0 + closed.abs()));
    }
}

/// Checks the error function against that of libm, and its derivative against differences, on every approximation.
fn check_erf() {
    for step in -600..=600 {
        let x = f64::from(step) / 100.0;
        let (value, [derivative]) = erf_jac(x);
        assert_abs_diff_eq!(value, libm::erf(x), epsilon = 4e-16);
        let quotient = (libm::erf(x + 1e-5) - libm::erf(x - 1e-5)) / 2e-5;
        assert_abs_diff_eq!(derivative, quotient, epsilon = 1e-9);
    }
}

// Cody's coefficients, the highest power first: over and under the line, near zero, in the middle, and far away.
#[expect(clippy::excessive_precision, reason = "as published")]
const NEAR: [[f64; 5]; 2] = [
    [1.85777706184603153e-1, 3.16112374387056560, 1.13864154151050156e2, 3.77485237685302021e2, 3.20937758913846947e3],
    [1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3],
];
#[expect(clippy::excessive_precision, reason = "as published")]
const MIDDLE: [[f64; 9]; 2] = [
    [
        2.15311535474403846e-8,
        5.64188496988670089e-1,
        8.88314979438837594,
        6.61191906371416295e1,
        2.98635138197400131e2,
        8.81952221241769090e2,
        1.71204761263407058e3,
        2.05107837782607147e3,
        1.23033935479799725e3,
    ],
    [
        1.0,
        1.57449261107098347e1,
        1.17693950891312499e2,
        5.37181101862009858e2,
        1.62138957456669019e3,
        3.29079923573345963e3,
        4.36261909014324716e3,
        3.43936767414372164e3,
        1.23033935480374942e3,
    ],
];
#[expect(clippy::excessive_precision, reason = "as published")]
const FAR: [[f64; 6]; 2] = [
    [
        1.63153871373020978e-2,
        3.05326634961232344e-1,
        3.60344899949804439e-1,
        1.25781726111229246e-1,
        1.60837851487422766e-2,
        6.58749161529837803e-4,
    ],
    [
        1.0,
        2.56852019228982242,
        1.87295284992346725,
        5.27905102951428412e-1,
        6.05183413124413191e-2,
        2.33520497626869185e-3,
    ],
];
