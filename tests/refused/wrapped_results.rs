//! What a function in `with(...)` gives in an `Option`, and not taken out of it where it is called.

use jacobian::jacobian;

fn solve(x: f64) -> Option<f64> {
    (x >= 0.0).then(|| x.sqrt())
}

#[jacobian]
fn square(x: f64, y: f64) -> f64 {
    y * y - x
}

#[jacobian(with(solve: fn(f64) -> Option<f64> = implicit(square)))]
fn matched(x: f64) -> f64 {
    if let Some(y) = solve(x) { y } else { 0.0 }
}

#[jacobian(with(solve: fn(f64) -> Option<f64> = implicit(square)))]
fn later(x: f64) -> Option<f64> {
    let y = solve(x);
    Some(y? * x)
}

#[jacobian(with(solve: fn(f64) -> Option<f64> = implicit(square)))]
fn otherwise(x: f64) -> f64 {
    solve(x).unwrap_or(0.0) * x
}

#[jacobian]
mod states {
    pub struct State {
        pub x: f64,
        pub v: f64,
    }

    fn settled(s: State) -> State {
        State { x: s.x.sqrt(), v: s.v }
    }

    #[jacobian]
    fn residual(s: State, y: State) -> State {
        State { x: y.x * y.x - s.x, v: y.v - s.v }
    }

    #[jacobian(with(settled = implicit(residual)))]
    pub fn settled_state(s: State) -> f64 {
        let y = settled(s);
        y.x * y.v
    }
}

fn main() {}
