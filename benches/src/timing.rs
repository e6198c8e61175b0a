//! Timing on a machine that does other things as well: the columns take turns, in rounds, each round beginning with the
//! next column, and what counts is the median over the rounds. What disturbs a round disturbs all columns alike.
//!
//! Where the arguments and the results of a column lie is another matter of luck, which lasts as long as a
//! process does. So all of this is done in several processes, and what counts is the median over these of the ratio to
//! the function.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::case::{Case, points_of_a_pass};

/// How long a column runs in one round.
const TURN: Duration = Duration::from_micros(40);

/// How many processes measure the functions, one after another.
const PROCESSES: usize = 15;

/// By function: the median over several processes of the median time of each column for one point, in nanoseconds; of
/// the first column, which is the function, and of the ratios of the others to it.
///
/// # Panics
/// Where a process of this program does not print the times.
pub fn medians_of_processes(cases: &[Case], rounds: usize) -> Vec<Vec<f64>> {
    let processes: Vec<_> = (0..PROCESSES).map(|_| medians_of_a_process(cases, rounds)).collect();
    let medians_of = |case: usize| {
        let function = median(processes.iter().map(|times| times[case][0]).collect());
        let ratio = |way: usize| median(processes.iter().map(|times| times[case][way] / times[case][0]).collect());
        (0..cases[case].ways.len()).map(|way| function * ratio(way)).collect()
    };
    (0..cases.len()).map(medians_of).collect()
}

/// By function: the times that a process of this program prints.
fn medians_of_a_process(cases: &[Case], rounds: usize) -> Vec<Vec<f64>> {
    let program = std::env::current_exe().expect("this program is a file");
    let names = cases.iter().map(|case| case.name);
    let output = Command::new(program).args(["medians", &rounds.to_string()]).args(names).output();
    let text = String::from_utf8(output.expect("this program runs").stdout).expect("numbers");
    let mut times = text.lines().map(|line| line.parse().expect("a time in a line"));
    let of_case = |case: &Case| times.by_ref().take(case.ways.len()).collect();
    cases.iter().map(of_case).collect()
}

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

/// This many passes fill a turn.
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
