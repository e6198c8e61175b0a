//! The greeks of a call by Black and Scholes, of first and of second order, by one function: `forms(hess)`.
//!
//!     cargo run -p greeks

use std::f64::consts::{PI, SQRT_2};

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

fn main() {
    let (spot, volatility, rate, expiry) = (100.0, 0.25, 0.03, 0.75);
    println!("strike    price   delta   gamma    vega   vanna    volga     rho   theta");
    for strike in [80.0, 90.0, 100.0, 110.0, 120.0] {
        let (price, gradient, hessian) = call_hess(spot, strike, volatility, rate, expiry);
        let ([delta, vega, rho, decay], [[gamma, vanna, ..], [_, volga, ..], ..]) = (gradient, hessian);
        println!(
            "{strike:>6} {price:>8.4} {delta:>7.4} {gamma:>7.4} {vega:>7.3} {vanna:>7.4} {volga:>8.3} {rho:>7.3} {:>7.3}",
            -decay
        );
        // The closed forms.
        let deviation = volatility * expiry.sqrt();
        let d1 = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * expiry) / deviation;
        let density = (-0.5 * d1 * d1).exp() / (2.0 * PI).sqrt();
        let closed = [
            (delta, 0.5 * libm::erfc(-d1 / SQRT_2)),
            (gamma, density / (spot * deviation)),
            (vega, spot * density * expiry.sqrt()),
            (vanna, -density * (d1 - deviation) / volatility),
            (volga, spot * density * expiry.sqrt() * d1 * (d1 - deviation) / volatility),
        ];
        for (generated, closed) in closed {
            assert!((generated - closed).abs() < 1e-12 * spot, "{generated} should be {closed}");
        }
    }
}
