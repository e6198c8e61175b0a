//! A car is steered around an obstacle to its goal: model predictive control by optimization_engine, which takes the
//! gradient of the cost and products with the transposed Jacobian of the constraints, `vjp`. No matrix is made.
//!
//!     cargo run -p control

use jacobian::jacobian;
use optimization_engine::alm::{AlmCache, AlmFactory, AlmOptimizer, AlmProblem, NO_JACOBIAN_MAPPING, NO_MAPPING};
use optimization_engine::constraints::{Ball2, Rectangle};
use optimization_engine::core::ExitStatus;
use optimization_engine::panoc::PANOCCache;

#[jacobian]
mod car {
    pub const STEPS: usize = 12;
    pub const OBSTACLE: [f64; 2] = [1.5, 0.1];

    /// The positions after each step; `u` are speeds and rates of turn.
    fn drive(u: &[f64; 2 * STEPS]) -> [[f64; 2]; STEPS] {
        let (mut x, mut y, mut heading) = (0.0, 0.0, 0.0);
        core::array::from_fn(|i| {
            heading += 0.25 * u[2 * i + 1];
            x += 0.25 * u[2 * i] * heading.cos();
            y += 0.25 * u[2 * i] * heading.sin();
            [x, y]
        })
    }

    /// How far the goal is in the end, and what the way takes.
    #[jacobian]
    pub fn cost(u: &[f64; 2 * STEPS]) -> f64 {
        let [x, y] = drive(u)[STEPS - 1];
        let effort: f64 = u.iter().map(|u| u * u).sum();
        20.0 * ((x - 3.0).powi(2) + y.powi(2)) + 0.1 * effort
    }

    /// The squared distances from the obstacle.
    #[jacobian(forms(vjp))]
    pub fn clearance(u: &[f64; 2 * STEPS]) -> [f64; STEPS] {
        drive(u).map(|[x, y]| (x - OBSTACLE[0]).powi(2) + (y - OBSTACLE[1]).powi(2))
    }
}

use car::STEPS;

fn inputs(u: &[f64]) -> &[f64; 2 * STEPS] {
    u.try_into().expect("a speed and a rate of turn for each step")
}

fn main() {
    let cost = |u: &[f64], value: &mut f64| {
        *value = car::cost(inputs(u));
        Ok(())
    };
    let gradient = |u: &[f64], gradient: &mut [f64]| {
        gradient.copy_from_slice(&car::cost_jac(inputs(u)).1);
        Ok(())
    };
    let clearance = |u: &[f64], values: &mut [f64]| {
        values.copy_from_slice(&car::clearance(inputs(u)));
        Ok(())
    };
    let product = |u: &[f64], weights: &[f64], product: &mut [f64]| {
        let weights = weights.try_into().expect("a weight for each step");
        product.copy_from_slice(&car::clearance_vjp(inputs(u), weights).1);
        Ok(())
    };
    let (lowest, highest, nearest) = ([-2.0; 2 * STEPS], [2.0; 2 * STEPS], [0.25; STEPS]);
    let far_enough = Rectangle::new(Some(&nearest), None);
    let factory = AlmFactory::new(
        cost,
        gradient,
        Some(clearance),
        Some(product),
        NO_MAPPING,
        NO_JACOBIAN_MAPPING,
        Some(far_enough),
        0,
    );
    let problem = AlmProblem::new(
        Rectangle::new(Some(&lowest), Some(&highest)),
        Some(far_enough),
        Some(Ball2::new(None, 1e12)),
        |u: &[f64], xi: &[f64], cost: &mut f64| factory.psi(u, xi, cost),
        |u: &[f64], xi: &[f64], gradient: &mut [f64]| factory.d_psi(u, xi, gradient),
        Some(clearance),
        NO_MAPPING,
        STEPS,
        0,
    );
    let mut cache = AlmCache::new(PANOCCache::new(2 * STEPS, 1e-6, 10), STEPS, 0);
    let mut solver = AlmOptimizer::new(&mut cache, problem).with_delta_tolerance(1e-6).with_epsilon_tolerance(1e-5);
    let mut u = [0.5; 2 * STEPS];
    let status = solver.solve(&mut u).expect("everything is finite");
    assert_eq!(status.exit_status(), ExitStatus::Converged);

    let distances = car::clearance(&u).map(f64::sqrt);
    let (cost, _) = car::cost_jac(&u);
    println!("cost {cost:.4}, distances from the obstacle {distances:.3?}");
    let least = distances.into_iter().fold(f64::MAX, f64::min);
    assert!((least - 0.5).abs() < 1e-4, "the way touches the circle around the obstacle");
    assert!(cost < 3.0, "the car arrives");
}
