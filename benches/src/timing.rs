//! Timing on a machine that does other things as well: the columns take turns, in rounds, each round beginning with the
//! next column, and what counts is the median over the rounds. What disturbs a round disturbs all columns alike.

use std::time::{Duration, Instant};

use crate::case::{Case, points_of_a_pass};

/// How long a column runs in one round.
const TURN: Duration = Duration::from_micros(40);

/// The median time of each column for one point, in nanoseconds.
pub fn medians(case: &Case, rounds: usize) -> Vec<f64> {
    let passes: Vec<_> = case.ways.iter().map(|way| passes(&way.repeat)).collect();
    let mut times = vec![Vec::with_capacity(rounds); case.ways.len()];
    for round in 0..rounds {
        for turn in 0..case.ways.len() {
            let at = (round + turn) % case.ways.len();
            times[at].push(time(&case.ways[at].repeat, passes[at]) / (passes[at] * points_of_a_pass()) as f64);
        }
    }
    times.into_iter().map(median).collect()
}

/// So many passes fill a turn.
fn passes(repeat: &dyn Fn(usize)) -> usize {
    let mut passes = 1;
    while time(repeat, passes) < TURN.as_nanos() as f64 {
        passes *= 2;
    }
    passes
}

fn time(repeat: &dyn Fn(usize), passes: usize) -> f64 {
    let start = Instant::now();
    repeat(passes);
    start.elapsed().as_nanos() as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
