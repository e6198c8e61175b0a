//! Stiff reaction kinetics, the Jacobians coming from `#[jacobian]`.
//!
//! Takes nothing. Prints the end of HIRES, a test problem of eight species for stiff solvers, beside its published
//! solution, and the course of a mechanism of twelve species, a protein that an enzyme charges in two steps and another
//! discharges. Shows a right-hand side that is written out, one that is a table of stoichiometric coefficients and
//! loops over it, and the Jacobian's way into a semi-implicit solver. The Jacobians are checked against dual numbers
//! and against what each mechanism conserves, and a disagreement is a panic.
//!
//!     cargo run --release --example kinetics

mod dual;

use dual::{Noise, check_at, dual_twin};
use jacobian::jacobian;
use nalgebra::{Const, DimMin, SMatrix, SVector};

/// HIRES: the high irradiance response of plants (Schaefer 1975; problem 2 of the Test Set for IVP Solvers, Mazzia and
/// Magherini 2008).
#[dual_twin(hires_of_duals)]
#[jacobian]
fn hires(y: [f64; 8]) -> [f64; 8] {
    let [y1, y2, y3, y4, y5, y6, y7, y8] = y;
    [
        -1.71 * y1 + 0.43 * y2 + 8.32 * y3 + 0.0007,
        1.71 * y1 - 8.75 * y2,
        -10.03 * y3 + 0.43 * y4 + 0.035 * y5,
        8.32 * y2 + 1.71 * y3 - 1.12 * y4,
        -1.745 * y5 + 0.43 * y6 + 0.43 * y7,
        -280.0 * y6 * y8 + 0.69 * y4 + 1.71 * y5 - 0.43 * y6 + 0.69 * y7,
        280.0 * y6 * y8 - 1.81 * y7,
        -280.0 * y6 * y8 + 1.81 * y7,
    ]
}

/// Two enzymes that charge a protein X in two steps and discharge it, as mass action. The species are X, X1, X2, the
/// charging enzyme K and the discharging P, their complexes K-X, K-X1, P-X2, P-X1, an inhibitor I of K, their complex
/// K-I, and the inhibitor's dimer D.
#[dual_twin(cascade_of_duals)]
#[jacobian]
fn cascade(c: [f64; 12]) -> [f64; 12] {
    const NU: [[i32; 12]; 16] = [
        // X X1  X2   K   P  KX KX1 PX2 PX1   I  KI  D
        [-1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0],
        [0, 1, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0],
        [0, -1, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0],
        [0, 1, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0],
        [0, 0, 1, 1, 0, 0, -1, 0, 0, 0, 0, 0],
        [0, 0, -1, 0, -1, 0, 0, 1, 0, 0, 0, 0],
        [0, 0, 1, 0, 1, 0, 0, -1, 0, 0, 0, 0],
        [0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0],
        [0, -1, 0, 0, -1, 0, 0, 0, 1, 0, 0, 0],
        [0, 1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0],
        [1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0],
        [0, 0, 0, -1, 0, 0, 0, 0, 0, -1, 1, 0],
        [0, 0, 0, 1, 0, 0, 0, 0, 0, 1, -1, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0, 1],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, -1],
    ];
    const RATE: [f64; 16] = [200.0, 1.0, 1.5, 500.0, 1.0, 15.0, 450.0, 1.0, 0.9, 100.0, 1.0, 0.15, 1e4, 2.0, 30.0, 0.1];
    let mut change = [0.0; 12];
    for r in 0..16 {
        let mut rate = RATE[r];
        for s in 0..12 {
            if NU[r][s] < 0 {
                rate *= c[s].powi(-NU[r][s]);
            }
        }
        for s in 0..12 {
            if NU[r][s] != 0 {
                change[s] += f64::from(NU[r][s]) * rate;
            }
        }
    }
    change
}

/// What HIRES conserves, then what the cascade does: the protein, the enzymes K and P, and the inhibitor.
const HIRES_TOTALS: [[f64; 8]; 1] = [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0]];
const CASCADE_TOTALS: [[f64; 12]; 4] = [
    [1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0],
];

/// The solution of HIRES at `HIRES_END` as the Test Set gives it, here to as many digits as are compared.
const HIRES_END: f64 = 321.8122;
const HIRES_SOLUTION: [f64; 8] = [
    0.7371312573325668e-3,
    0.1442485726316185e-3,
    0.5888729740967575e-4,
    0.1175651343283149e-2,
    0.2386356198831331e-2,
    0.6238968252742796e-2,
    0.2849998395185769e-2,
    0.2850001604814231e-2,
];

/// The error that a step may have, relative to its concentration or to the least that matters.
const TOLERANCE: f64 = 1e-9;
const LEAST: f64 = 1e-6;

fn main() {
    let points = Noise(1).points(300, [0.5; 8], [0.5; 8]);
    let points_of_12 = Noise(2).points(300, [0.5; 12], [0.5; 12]);
    points.iter().for_each(|y| check_totals(&hires_jac(*y).1, &HIRES_TOTALS));
    points_of_12.iter().for_each(|c| check_totals(&cascade_jac(*c).1, &CASCADE_TOTALS));
    let worst = check_at(points, hires, hires_jac, hires_of_duals);
    let worst = worst.max(check_at(points_of_12, cascade, cascade_jac, cascade_of_duals));

    run_hires();
    run_cascade();
    println!("\nGenerated Jacobians and dual numbers differ by {worst:.1e} at most.");
}

fn run_hires() {
    let mut y = [0.0; 8];
    (y[0], y[7]) = (1.0, 0.0057);
    let mut solver = Solver::new(hires_jac, y);
    solver.run_until(HIRES_END);
    println!("HIRES at t = {HIRES_END} after {} steps\n            y          published", solver.steps);
    let mut worst = 0.0_f64;
    for (y, published) in solver.y.iter().zip(HIRES_SOLUTION) {
        println!("{y:>19.12e} {published:>19.12e}");
        worst = worst.max((y / published - 1.0).abs());
    }
    println!("They differ by {worst:.1e} at most.");
    assert!(worst < 1e-9, "this is not the published solution");
}

fn run_cascade() {
    let mut c = [0.0; 12];
    (c[0], c[3], c[4], c[9]) = (1.0, 0.05, 0.02, 0.04);
    let mut solver = Solver::new(cascade_jac, c);
    println!("\nThe cascade      X       X1       X2   free K   steps");
    for time in [0.1, 1.0, 10.0, 100.0, 1000.0] {
        solver.run_until(time);
        let [x, x1, x2, k, ..]: [f64; 12] = solver.y.into();
        println!("t = {time:<6} {x:>9.4} {x1:>8.4} {x2:>8.4} {k:>8.5} {:>7}", solver.steps);
    }
    let lost = CASCADE_TOTALS.iter().map(|total| SVector::from(*total).dot(&(solver.y - SVector::from(c))).abs());
    let lost = lost.fold(0.0, f64::max);
    println!("Of what is conserved, {lost:.1e} is lost.");
    assert!(lost < 1e-11, "a conserved total has changed");
}

/// Checks that no total changes, whatever changes: its weights times each column are zero but for roundings.
fn check_totals<const N: usize>(jacobian: &[[f64; N]; N], totals: &[[f64; N]]) {
    for (total, column) in totals.iter().flat_map(|total| (0..N).map(move |column| (total, column))) {
        let terms = total.iter().zip(jacobian).map(|(weight, row)| weight * row[column]);
        let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
        assert!(sum.abs() <= 1e-14 * size, "column {column} changes what is conserved by {sum}");
    }
}

/// A function and its Jacobian.
type WithJacobian<const N: usize> = fn([f64; N]) -> ([f64; N], [[f64; N]; N]);

/// A solver for stiff equations: the linearly implicit Euler method, extrapolated (Deuflhard 1985; SEULEX in Hairer and
/// Wanner, Solving Ordinary Differential Equations II). Each step takes one Jacobian.
struct Solver<const N: usize> {
    function: WithJacobian<N>,
    time: f64,
    y: SVector<f64, N>,
    step: f64,
    steps: usize,
}

/// Each step is taken in one part, in two, ..., in this many.
const COLUMNS: usize = 7;

impl<const N: usize> Solver<N>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    fn new(function: WithJacobian<N>, y: [f64; N]) -> Self {
        Self { function, time: 0.0, y: y.into(), step: 1e-6, steps: 0 }
    }

    fn run_until(&mut self, end: f64) {
        while self.time < end {
            let step = self.step.min(end - self.time);
            let (next, error) = self.extrapolated(step);
            if error <= 1.0 {
                self.y = next;
                self.time = if step < self.step { end } else { self.time + step };
                self.steps += 1;
            }
            // The error grows as the step to the number of columns; a rejected step is shortened.
            let factor = 0.9 * error.max(1e-12).powf(-1.0 / COLUMNS as f64);
            self.step = step.max(if error <= 1.0 { self.step } else { 0.0 }) * factor.clamp(0.1, 4.0);
        }
    }

    /// The end of a step, and its error in units of what it may be.
    fn extrapolated(&self, step: f64) -> (SVector<f64, N>, f64) {
        let jacobian = SMatrix::from_row_slice((self.function)(self.y.into()).1.as_flattened());
        let mut row: Vec<SVector<f64, N>> = Vec::new();
        for parts in 1..=COLUMNS {
            let mut next = vec![self.euler(&jacobian, step, parts)];
            for (k, previous) in row.iter().enumerate() {
                let ratio = parts as f64 / (parts - k - 1) as f64;
                next.push(next[k] + (next[k] - previous) / (ratio - 1.0));
            }
            row = next;
        }
        let (last, before) = (row[COLUMNS - 1], row[COLUMNS - 2]);
        let allowed = |y: f64| TOLERANCE * y.abs().max(LEAST);
        let error = (last - before).zip_map(&self.y, |error, y| error.abs() / allowed(y)).max();
        // A step that went astray is rejected, too.
        (last, if error.is_finite() { error } else { f64::MAX })
    }

    /// A step in equal parts, each implicit in the linear model at the start.
    fn euler(&self, jacobian: &SMatrix<f64, N, N>, step: f64, parts: usize) -> SVector<f64, N> {
        let part = step / parts as f64;
        let factors = (SMatrix::<f64, N, N>::identity() - jacobian * part).lu();
        let mut y = self.y;
        for _ in 0..parts {
            let rate = SVector::from((self.function)(y.into()).0);
            y += factors.solve(&(rate * part)).unwrap_or_else(|| SVector::repeat(f64::NAN));
        }
        y
    }
}
