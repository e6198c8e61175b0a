//! The greeks of a call by Black and Scholes, of first and of second order, from one function:
//! `#[jacobian(forms(hess))]`.
//!
//! Takes nothing. Prints the greeks of calls at some strikes. Checks all first and second derivatives against their
//! closed forms at many points, and fails where one disagrees.
//!
//!     cargo run --release --example greeks

use std::f64::consts::{PI, SQRT_2};
use std::process::ExitCode;

use jacobian::jacobian;

/// The value of a call: on a price of today, with its volatility a year, the rate of interest, and years to expiry.
#[jacobian(forms(hess), wrt(spot, volatility, rate, expiry))]
fn call(spot: f64, strike: f64, volatility: f64, rate: f64, expiry: f64) -> f64 {
    let deviation = volatility * expiry.sqrt();
    let d1 = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * expiry) / deviation;
    let d2 = d1 - deviation;
    // The normal distribution, without cancellation where it is small.
    let (n1, n2) = (0.5 * libm::erfc(-d1 / SQRT_2), 0.5 * libm::erfc(-d2 / SQRT_2));
    spot * n1 - strike * (-rate * expiry).exp() * n2
}

/// The largest difference from a closed form, relative to the entry and to the price of today.
const TOLERANCE: f64 = 1e-12;

fn main() -> ExitCode {
    println!("strike    price   delta   gamma    vega   vanna    volga     rho   theta");
    for strike in [80.0, 90.0, 100.0, 110.0, 120.0] {
        let (price, [delta, vega, rho, decay], [[gamma, vanna, ..], [_, volga, ..], ..]) =
            call_hess(100.0, strike, 0.25, 0.03, 0.75);
        let theta = -decay;
        println!(
            "{strike:>6} {price:>8.4} {delta:>7.4} {gamma:>7.4} {vega:>7.3} {vanna:>7.4} {volga:>8.3} {rho:>7.3} {theta:>7.3}"
        );
    }
    let mut worst = 0.0_f64;
    for strike in [60.0, 85.0, 99.0, 120.0, 150.0] {
        for volatility in [0.05, 0.25, 0.8] {
            for (rate, expiry) in [(-0.01, 0.1), (0.0, 2.0), (0.05, 0.75), (0.12, 5.0)] {
                worst = worst.max(error(100.0, strike, volatility, rate, expiry));
            }
        }
    }
    println!("\nThe derivatives and their closed forms differ by {worst:.1e} at most.");
    if worst <= TOLERANCE { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The largest difference between the derivatives and their closed forms.
fn error(spot: f64, strike: f64, volatility: f64, rate: f64, expiry: f64) -> f64 {
    let (_, gradient, hessian) = call_hess(spot, strike, volatility, rate, expiry);
    let root = expiry.sqrt();
    let deviation = volatility * root;
    let d1 = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * expiry) / deviation;
    let d2 = d1 - deviation;
    let (n1, n2) = (0.5 * libm::erfc(-d1 / SQRT_2), 0.5 * libm::erfc(-d2 / SQRT_2));
    let density = (-0.5 * d1 * d1).exp() / (2.0 * PI).sqrt();
    let discounted = strike * (-rate * expiry).exp();
    // The derivative of the density's argument by the rate, and by time.
    let (by_rate, by_time) =
        (root / volatility, (rate + 0.5 * volatility * volatility) / deviation - 0.5 * d1 / expiry);
    let vega = spot * density * root;
    let decay = 0.5 * vega * volatility / expiry + rate * discounted * n2;
    // The density of the second term, times the discounted strike, is that of the first, times the price of today.
    let other = spot * density;
    let by_time_of_2 = by_time - 0.5 * volatility / root;
    let mixed = [
        [density / (spot * deviation), -density * d2 / volatility, density * by_rate, density * by_time],
        [0.0, vega * d1 * d2 / volatility, -vega * d1 * by_rate, vega * (0.5 / expiry - d1 * by_time)],
        [
            0.0,
            0.0,
            expiry * (other * by_rate - expiry * discounted * n2),
            discounted * n2 * (1.0 - rate * expiry) + expiry * other * by_time_of_2,
        ],
        [
            0.0,
            0.0,
            0.0,
            0.5 * volatility / root * (-other * d1 * by_time - 0.5 * other / expiry)
                + rate * (other * by_time_of_2 - rate * discounted * n2),
        ],
    ];
    let mut worst = 0.0_f64;
    let mut compare = |entry: f64, closed: f64, scale: f64| {
        let error = (entry - closed).abs() / scale;
        // NaN is larger than any number that is looked for.
        worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
    };
    // Beside the entry itself, the price of today is the scale of the terms, in the units of the variables.
    let units = [spot, volatility, 1.0 / expiry, expiry].map(|unit| 1.0 / unit);
    for (row, closed) in [n1, vega, expiry * discounted * n2, decay].into_iter().enumerate() {
        compare(gradient[row], closed, closed.abs() + spot * units[row]);
        for column in row..4 {
            let (entry, closed) = (hessian[row][column], mixed[row][column]);
            compare(entry, closed, closed.abs() + spot * units[row] * units[column]);
            assert_eq!(entry.to_bits(), hessian[column][row].to_bits(), "the Hessian is symmetric");
        }
    }
    worst
}
