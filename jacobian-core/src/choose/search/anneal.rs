//! Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983): a plan is changed at random, and a change for the worse
//! is kept with a probability that falls with what it costs, and with time.

use super::affected::Affected;
use super::evaluate::Evaluate;
use super::moves::{Places, Space};
use super::objective::Cost;
use super::random::Random;
use crate::eliminate::Target;

/// The seed of searches for which none is given, so that each is repeatable. It is a plain number: none was looked for.
pub const SEED: u64 = 1;

/// The temperature at the end, relative to that at the beginning.
const COLD: f64 = 0.1;

/// A round of annealing has at most this many steps for each target: with more, it is better to begin again.
const ROUND: usize = 200;

/// This many draws are made for one that changes something.
const DRAWS: usize = 20;

/// The best plan found in this many steps from `start`, which is not empty.
pub fn anneal(evaluate: &mut dyn Evaluate, space: Space, start: Vec<Target>, steps: usize, seed: u64) -> Vec<Target> {
    let mut random = Random::new(seed);
    let rounds = steps.div_ceil(ROUND * start.len());
    let cost = evaluate.cost(&start);
    let mut best = Plan { cost, affected: evaluate.affected().clone(), targets: start };
    for round in 0..rounds {
        let steps = (round + 1) * steps / rounds - round * steps / rounds;
        best = cool(evaluate, space, best, steps, &mut random);
    }
    best.targets
}

/// A plan and what it costs.
#[derive(Clone)]
struct Plan {
    targets: Vec<Target>,
    cost: Cost,
    affected: Affected,
}

/// The best plan found in one round of annealing.
fn cool(evaluate: &mut dyn Evaluate, space: Space, start: Plan, steps: usize, random: &mut Random) -> Plan {
    let hot = start.heat();
    let (mut current, mut candidate, mut best) = (start.clone(), start.clone(), start);
    let mut places = Places::new();
    for step in 0..steps {
        let mut draw = || {
            let at = places.next(current.targets.len(), random);
            space.draw(&current.targets, at, &current.affected, evaluate.pairs(), random)
        };
        let Some(change) = (0..DRAWS).find_map(|_| draw()) else { continue };
        candidate.targets.clone_from(&current.targets);
        change.apply(&mut candidate.targets);
        candidate.cost = evaluate.cost(&candidate.targets);
        if candidate.energy() <= current.energy() + temperature(hot, step, steps) * random.exponential() {
            candidate.affected.clone_from(evaluate.affected());
            std::mem::swap(&mut current, &mut candidate);
            if current.cost < best.cost {
                best = current.clone();
            }
        }
    }
    best
}

impl Plan {
    /// What is compared. A few targets more weigh less than one unit of the objective, so that parts of plans that do
    /// nothing go.
    fn energy(&self) -> f64 {
        self.cost.energy() + self.targets.len() as f64 / 64.0
    }

    /// The temperature at the beginning: a tenth of what a target costs on average.
    fn heat(&self) -> f64 {
        self.cost.energy() / (10 * self.targets.len()) as f64
    }
}

/// It falls with the square of the time that is left.
fn temperature(hot: f64, step: usize, steps: usize) -> f64 {
    let left = 1.0 - step as f64 / steps as f64;
    hot * (COLD + (1.0 - COLD) * left * left)
}
