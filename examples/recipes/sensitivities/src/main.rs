//! Predator and prey, with how the populations depend on the four rates: the sensitivities `S` obey `S' = Jx S + Jp`, each
//! column of which is a product of the Jacobian with a tangent.
//!
//!     cargo run -p sensitivities

use jacobian::jacobian;
use ode_solvers::{Rk4, SVector, System};

/// The rates of birth, of hunting, of growth by it and of death; the growth of both populations.
#[jacobian(forms(jvp))]
fn growth(y: [f64; 2], p: [f64; 4]) -> [f64; 2] {
    [p[0] * y[0] - p[1] * y[0] * y[1], p[2] * y[0] * y[1] - p[3] * y[1]]
}

/// The populations, and a column of two sensitivities for each rate.
type State = SVector<f64, 10>;

struct PreyAndPredator([f64; 4]);

impl System<f64, State> for PreyAndPredator {
    fn system(&self, _: f64, y: &State, dy: &mut State) {
        let now = [y[0], y[1]];
        dy.fixed_rows_mut::<2>(0).copy_from_slice(&growth(now, self.0));
        for rate in 0..4 {
            let (first, mut tangent) = (2 + 2 * rate, [0.0; 6]);
            tangent[..2].copy_from_slice(&[y[first], y[first + 1]]);
            tangent[2 + rate] = 1.0;
            let (_, column) = growth_jvp(now, self.0, &tangent);
            dy.fixed_rows_mut::<2>(first).copy_from_slice(&column);
        }
    }
}

/// The state after ten units of time.
fn after(rates: [f64; 4]) -> State {
    let mut start = State::zeros();
    (start[0], start[1]) = (1.0, 0.5);
    let mut solver = Rk4::new(PreyAndPredator(rates), 0.0, start, 10.0, 1.0 / 256.0);
    solver.integrate().expect("every step has a length");
    *solver.y_out().last().expect("there is an end")
}

fn main() {
    let rates = [1.0, 1.3, 0.8, 0.9];
    let state = after(rates);
    println!("prey {:.6}, predators {:.6}", state[0], state[1]);
    for rate in 0..4 {
        let shifted = |by: f64| {
            let mut rates = rates;
            rates[rate] += by;
            after(rates)
        };
        let (right, left) = (shifted(1e-5), shifted(-1e-5));
        for population in 0..2 {
            let sensitivity = state[2 + 2 * rate + population];
            let difference = (right[population] - left[population]) / 2e-5;
            println!("d y{population} / d p{rate} = {sensitivity:9.6}, by differences {difference:9.6}");
            assert!((sensitivity - difference).abs() < 1e-6);
        }
    }
}
