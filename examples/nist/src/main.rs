//! Fits the nonlinear regression problems of the NIST Statistical Reference Datasets with `levenberg-marquardt`, the
//! Jacobians coming from `#[jacobian]`.
//!
//! Takes nothing: the data files are compiled in. Prints a row for each problem and starting point: how often the
//! residuals and their Jacobian were evaluated, and how many digits of the worst parameter agree with NIST's certified
//! values, with the generated Jacobian, with one derived by hand, and by Newton's method with the generated Hessian.
//! Shows how a model that is written as a plain function becomes a least-squares problem, and checks what it shows: it
//! fails where a fit from a generated Jacobian does not reach six digits though the solver can, where Newton's method
//! does not from the nearer start, and where a generated Jacobian is not the one derived by hand.
//!
//! A further problem is a function in `models.rs` and a file in `data/`.
//!
//!     cargo run --release -p nist

mod by_hand;
mod dataset;
mod fit;
mod models;
mod newton;
mod problem;

use problem::{Outcome, Problem, Report};
use std::process::ExitCode;

/// The digits that a fit is to reach.
const DIGITS: f64 = 6.0;

/// The starting point from which Newton's method is to reach them, too: NIST's nearer one.
const NEAR: usize = 2;

/// The largest relative difference between a generated Jacobian and one derived by hand: a few thousand roundings, for
/// the numerator of a rational model cancels.
const TOLERANCE: f64 = 1e-12;

fn main() -> ExitCode {
    println!("problem   start  residuals  Jacobians  digits  by hand   Newton");
    let mut summary = Summary::default();
    for &problem in models::PROBLEMS {
        run(problem, &mut summary);
    }
    summary.print();
    if summary.complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(problem: &dyn Problem, summary: &mut Summary) {
    for file in problem.files() {
        match problem.report(file) {
            Ok(report) => {
                print_rows(file.name, &report);
                summary.add(file.name, &report);
            }
            Err(error) => summary.complain(format!("data/{}.dat, {error}", file.name)),
        }
    }
}

fn print_rows(name: &str, report: &Report) {
    for (start, outcome) in (1..).zip(&report.outcomes) {
        let by_hand = outcome.digits_by_hand.map_or("-".into(), |digits| format!("{digits:.1}"));
        println!(
            "{name:<8} {start:>6} {:>10} {:>10} {:>7.1} {by_hand:>8} {:>8.1}{}",
            outcome.residual_evaluations,
            outcome.jacobian_evaluations,
            outcome.digits,
            outcome.digits_by_newton,
            Verdict::of(outcome).note(),
        );
    }
}

enum Verdict {
    Reached,
    /// The solver does not get there with the Jacobian derived by hand either.
    OutOfReach,
    Missed,
}

impl Verdict {
    fn of(outcome: &Outcome) -> Self {
        if outcome.digits >= DIGITS {
            Self::Reached
        } else if outcome.digits_by_hand.is_some_and(|digits| digits < DIGITS) {
            Self::OutOfReach
        } else {
            Self::Missed
        }
    }

    fn note(&self) -> &'static str {
        match self {
            Self::Reached => "",
            Self::OutOfReach => "  fails with the Jacobian derived by hand, too",
            Self::Missed => "  MISSED",
        }
    }
}

#[derive(Default)]
struct Summary {
    fits: usize,
    reached: usize,
    by_newton: usize,
    disagreement: f64,
    complaints: Vec<String>,
}

impl Summary {
    fn add(&mut self, name: &str, report: &Report) {
        for (start, outcome) in (1..).zip(&report.outcomes) {
            self.fits += 1;
            let is_reached = outcome.digits_by_newton >= DIGITS;
            self.by_newton += usize::from(is_reached);
            if start == NEAR && !is_reached {
                self.complain(format!("{name}: Newton's method misses {DIGITS} digits"));
            }
            match Verdict::of(outcome) {
                Verdict::Reached => self.reached += 1,
                Verdict::OutOfReach => {}
                Verdict::Missed => self.complain(format!("{name} from start {start}: {DIGITS} digits are missed")),
            }
        }
        if !report.keeps_value {
            self.complain(format!("{name}: the Jacobian's function changes the value of the model"));
        }
        if let Some(disagreement) = report.disagreement {
            self.compare(name, disagreement);
        }
    }

    fn compare(&mut self, name: &str, disagreement: f64) {
        self.disagreement = self.disagreement.max(disagreement);
        if disagreement.is_nan() || disagreement > TOLERANCE {
            self.complain(format!("{name}: the generated Jacobian is off by {disagreement:.1e}"));
        }
    }

    fn complain(&mut self, complaint: String) {
        self.complaints.push(complaint);
    }

    fn print(&self) {
        println!(
            "\n{} of {} fits agree with the certified values in {DIGITS} digits or more.",
            self.reached, self.fits
        );
        println!("{} of them do by Newton's method, all from the nearer start among them.", self.by_newton);
        println!("Generated Jacobians and those derived by hand differ by {:.1e} at most.", self.disagreement);
        for complaint in &self.complaints {
            println!("FAILED: {complaint}");
        }
    }
}
