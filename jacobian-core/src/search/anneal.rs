//! Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983): a plan is changed at random, and a change for the worse is
//! kept with a probability that falls with what it costs, and with time.

use super::evaluate::Evaluate;
use super::moves::Moves;
use super::objective::Cost;
use super::random::Random;
use crate::eliminate::Target;

/// Any seed does; the same one makes every search repeatable.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The temperature at the end, relative to that at the beginning.
const COLD: f64 = 0.1;

/// The best plan found in so many steps from `start`, which is not empty.
pub fn anneal(evaluate: &mut dyn Evaluate, moves: &Moves, start: Vec<Target>, steps: usize) -> Vec<Target> {
    let mut random = Random::new(SEED);
    let mut cost = evaluate.cost(&start);
    let hot = heat(cost, &start);
    let (mut best_cost, mut best) = (cost, start.clone());
    let (mut current, mut candidate) = (start, Vec::new());
    for step in 0..steps {
        candidate.clone_from(&current);
        moves.apply(&mut candidate, &mut random);
        let new = evaluate.cost(&candidate);
        if new.energy() <= cost.energy() + temperature(hot, step, steps) * random.exponential() {
            std::mem::swap(&mut current, &mut candidate);
            cost = new;
            if cost < best_cost {
                best_cost = cost;
                best.clone_from(&current);
            }
        }
    }
    best
}

/// The temperature at the beginning: a third of what a target costs on average, for so large are the differences between
/// plans that are alike.
fn heat(cost: Cost, plan: &[Target]) -> f64 {
    cost.energy() / (3 * plan.len()) as f64
}

/// It falls with the square of the time that is left.
fn temperature(hot: f64, step: usize, steps: usize) -> f64 {
    let left = 1.0 - step as f64 / steps as f64;
    hot * (COLD + (1.0 - COLD) * left * left)
}
