//! The swing-up of a pole on a cart, by direct collocation: sparse derivatives for a sequence of quadratic programs.
//!
//! Takes nothing: the model and the grid stand below. The force that swings the pole up in two seconds with the least effort is found
//! by sequential quadratic programming. Each program takes the sparse Jacobian of objective and defects, and the sparse
//! Hessian of the Lagrangian, whose weights are the multipliers; clarabel, an interior-point method, solves it. Prints the
//! iterations and the force, and fails unless the optimality conditions hold at the end.
//!
//!     cargo run --release -p solvers --bin cart_pole

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, ZeroConeT};
use jacobian::jacobian;
use std::process::ExitCode;

#[jacobian]
mod model {
    /// The number of intervals.
    pub const INTERVALS: usize = 20;
    /// The length of one in seconds.
    pub const STEP: f64 = 2.0 / INTERVALS as f64;

    /// Each node has the position of the cart, the angle of the pole, their speeds, and the force.
    pub const NODE: usize = 5;
    pub const UNKNOWNS: usize = NODE * (INTERVALS + 1);
    pub const DEFECTS: usize = 4 * INTERVALS;

    /// Kilograms, metres, and metres by square seconds (Kelly 2017, "An introduction to trajectory optimization", section 6).
    pub const CART: f64 = 1.0;
    pub const POLE: f64 = 0.3;
    pub const LENGTH: f64 = 0.5;
    pub const GRAVITY: f64 = 9.81;
    pub const DISTANCE: f64 = 1.0;
    pub const MOST_FORCE: f64 = 20.0;
    pub const MOST_DISTANCE: f64 = 2.0;

    /// The derivative of the state by time.
    fn motion([_, angle, speed, turn]: [f64; 4], force: f64) -> [f64; 4] {
        let (sin, cos) = (angle.sin(), angle.cos());
        let pull = LENGTH * POLE * sin * turn * turn + force;
        let inertia = CART + POLE * sin * sin;
        let push = (pull + POLE * GRAVITY * cos * sin) / inertia;
        let swing = -(pull * cos + (CART + POLE) * GRAVITY * sin) / (LENGTH * inertia);
        [speed, turn, push, swing]
    }

    /// The effort, then the defects of the trapezoidal rule.
    #[jacobian(forms(jac_sparse, hess_sparse))]
    pub fn transcription(z: &[f64; UNKNOWNS]) -> [f64; 1 + DEFECTS] {
        let mut out = [0.0; 1 + DEFECTS];
        for k in 0..INTERVALS {
            let (a, b) = (NODE * k, NODE * (k + 1));
            let left = [z[a], z[a + 1], z[a + 2], z[a + 3]];
            let right = [z[b], z[b + 1], z[b + 2], z[b + 3]];
            let (force_left, force_right) = (z[a + 4], z[b + 4]);
            out[0] += 0.5 * STEP * (force_left * force_left + force_right * force_right);
            let (before, after) = (motion(left, force_left), motion(right, force_right));
            for i in 0..4 {
                out[1 + 4 * k + i] = right[i] - left[i] - 0.5 * STEP * (before[i] + after[i]);
            }
        }
        out
    }
}

use model::*;

/// The bounds of the unknowns: the cart starts at rest with the pole down, and ends at rest with the pole up.
fn bounds() -> ([f64; UNKNOWNS], [f64; UNKNOWNS]) {
    let most = [MOST_DISTANCE, f64::INFINITY, f64::INFINITY, f64::INFINITY, MOST_FORCE];
    let mut bounds: [_; 2] = [-1.0, 1.0].map(|sign| core::array::from_fn(|index| sign * most[index % NODE]));
    for bound in &mut bounds {
        bound[..4].copy_from_slice(&[0.0; 4]);
        bound[NODE * INTERVALS..][..4].copy_from_slice(&[DISTANCE, std::f64::consts::PI, 0.0, 0.0]);
    }
    let [low, high] = bounds;
    (low, high)
}

/// The entries of a matrix, those of one place to be added up.
#[derive(Default)]
struct Triplets {
    rows: Vec<usize>,
    columns: Vec<usize>,
    entries: Vec<f64>,
}

impl Triplets {
    fn add(&mut self, row: usize, column: usize, entry: f64) {
        self.rows.push(row);
        self.columns.push(column);
        self.entries.push(entry);
    }

    fn matrix(self, rows: usize, columns: usize) -> CscMatrix<f64> {
        CscMatrix::new_from_triplets(rows, columns, self.rows, self.columns, self.entries)
    }
}

/// What a quadratic program gives.
struct Step {
    direction: Vec<f64>,
    /// Of the defects.
    multipliers: Vec<f64>,
}

/// What a unit of a linearized defect costs.
const PENALTY: f64 = 1e2;

/// The weight of the squares of the linearized defects: they make the program convex, and no difference where there are no defects.
const CONVEXITY: f64 = 1e3;

/// The weight of the squares of the defects in the augmented Lagrangian.
const MERIT: f64 = 1e3;

/// Minimizes `gradient d + d (H + damping) d / 2` and the cost of the linearized defects, where the bounds hold. The defects are
/// `excess - lack`, two further unknowns each, so that there is always a solution.
fn quadratic_program(z: &[f64; UNKNOWNS], multipliers: &[f64], damping: f64) -> Option<Step> {
    let (value, entries) = transcription_jac_sparse(z);
    let (starts, rows) = transcription_jac_pattern();
    let mut weights = [1.0; 1 + DEFECTS];
    weights[1..].copy_from_slice(multipliers);
    let (_, _, hessian) = transcription_hess_sparse(z, &weights);
    let (hessian_starts, hessian_rows) = transcription_hess_pattern();
    let mut defects = vec![Vec::new(); 1 + DEFECTS];
    for column in 0..UNKNOWNS {
        for at in starts[column]..starts[column + 1] {
            defects[rows[at]].push((column, entries[at]));
        }
    }
    let mut quadratic = Triplets::default();
    for defect in &defects[1..] {
        for (place, &(column, entry)) in defect.iter().enumerate() {
            for &(row, other) in &defect[..=place] {
                quadratic.add(row, column, CONVEXITY * entry * other);
            }
        }
    }
    // The entries are those below the diagonal; clarabel takes those above it.
    for column in 0..UNKNOWNS {
        quadratic.add(column, column, damping);
        for at in hessian_starts[column]..hessian_starts[column + 1] {
            quadratic.add(column, hessian_rows[at], hessian[at]);
        }
    }
    let all = UNKNOWNS + 2 * DEFECTS;
    let quadratic = quadratic.matrix(all, all);
    let (low, high) = bounds();
    let (mut gradient, mut right) = (vec![PENALTY; all], value[1..].iter().map(|defect| -defect).collect::<Vec<_>>());
    let mut constraints = Triplets::default();
    gradient[..UNKNOWNS].fill(0.0);
    for defect in 0..DEFECTS {
        for (offset, sign) in [(0, -1.0), (DEFECTS, 1.0)] {
            constraints.add(defect, UNKNOWNS + offset + defect, sign);
        }
    }
    for column in 0..UNKNOWNS {
        for at in starts[column]..starts[column + 1] {
            match rows[at] {
                0 => gradient[column] = entries[at],
                row => constraints.add(row - 1, column, entries[at]),
            }
        }
    }
    for index in (0..UNKNOWNS).filter(|&index| low[index] == high[index]) {
        constraints.add(right.len(), index, 1.0);
        right.push(low[index] - z[index]);
    }
    let equalities = right.len();
    for index in (0..UNKNOWNS).filter(|&index| low[index] < high[index] && high[index].is_finite()) {
        for (sign, bound) in [(1.0, high[index]), (-1.0, low[index])] {
            constraints.add(right.len(), index, sign);
            right.push(sign * (bound - z[index]));
        }
    }
    for slack in UNKNOWNS..all {
        constraints.add(right.len(), slack, -1.0);
        right.push(0.0);
    }
    let constraints = constraints.matrix(right.len(), all);
    let cones = [ZeroConeT(equalities), NonnegativeConeT(right.len() - equalities)];
    let settings = DefaultSettingsBuilder::default().verbose(false).build().expect("the settings are valid");
    let mut solver = DefaultSolver::new(&quadratic, &gradient, &constraints, &right, &cones, settings).ok()?;
    solver.solve();
    let solution = &solver.solution;
    let is_solved = matches!(solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
    let along = |defect: &[(usize, f64)]| defect.iter().map(|&(column, entry)| entry * solution.x[column]).sum::<f64>();
    let multipliers = solution.z.iter().zip(&defects[1..]).map(|(own, defect)| own + CONVEXITY * along(defect));
    is_solved.then(|| Step { direction: solution.x[..UNKNOWNS].to_vec(), multipliers: multipliers.collect() })
}

/// The augmented Lagrangian, which full steps near a solution make smaller, and the largest defect.
fn merit(z: &[f64; UNKNOWNS], multipliers: &[f64]) -> (f64, f64) {
    let values = transcription(z);
    let term = |(defect, multiplier): (&f64, &f64)| defect * (multiplier + 0.5 * MERIT * defect);
    let defects = values[1..].iter().zip(multipliers).map(term).sum::<f64>();
    (values[0] + defects, values[1..].iter().fold(0.0, |most, defect| defect.abs().max(most)))
}

fn main() -> ExitCode {
    let mut z: [f64; UNKNOWNS] = core::array::from_fn(|index| {
        let part = (index / NODE) as f64 / INTERVALS as f64;
        [DISTANCE * part, std::f64::consts::PI * part, 0.0, 0.0, 0.0][index % NODE]
    });
    let (mut multipliers, mut damping) = (vec![0.0; DEFECTS], 1.0);
    println!("iteration    effort    defects      step   damping");
    for iteration in 0..200 {
        let Some(step) = quadratic_program(&z, &multipliers, damping) else {
            damping *= 10.0;
            continue;
        };
        let length = step.direction.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
        let (before, defect) = merit(&z, &step.multipliers);
        let effort = transcription(&z)[0];
        println!("{iteration:9} {effort:9.4} {defect:10.2e} {length:9.1e} {damping:9.1e}");
        if length < 1e-7 && defect < 1e-8 {
            let forces: Vec<_> = z[4..].iter().step_by(NODE).map(|force| format!("{force:.1}")).collect();
            println!("force in newtons: {}", forces.join(" "));
            return ExitCode::SUCCESS;
        }
        let next: [f64; UNKNOWNS] = core::array::from_fn(|index| z[index] + step.direction[index]);
        let improves = merit(&next, &step.multipliers).0 <= before + 1e-9;
        if improves {
            (z, multipliers) = (next, step.multipliers);
            damping = (damping / 4.0).max(1e-9);
        } else {
            damping *= 8.0;
        }
    }
    println!("no solution after 200 programs");
    ExitCode::FAILURE
}
