//! Sequential quadratic programming by clarabel: a chain hangs from two hooks, so that its energy is least and no link is
//! longer than it is. Each step minimizes a quadratic model of the Lagrangian under linear models of the links. Clarabel
//! takes matrices by columns, and of a symmetric one the upper half: the arrays of `jac_sparse` as they are, and those of
//! `hess_sparse` by rows, for the rows of the lower half are the columns of the upper one.
//!
//!     cargo run -p sqp

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};
use jacobian::jacobian;

/// The knots between the links, whose coordinates are the unknowns.
const KNOTS: usize = 10;
const UNKNOWNS: usize = 2 * KNOTS;
const LINKS: usize = KNOTS + 1;

#[jacobian]
mod chain {
    /// By how much the square of each link is too long.
    #[jacobian(forms(jac_sparse))]
    pub fn excess(p: &[f64; 20]) -> [f64; 11] {
        core::array::from_fn(|k| {
            let (x0, y0) = if k == 0 { (0.0, 0.0) } else { (p[2 * k - 2], p[2 * k - 1]) };
            let (x1, y1) = if k == 10 { (1.0, 0.0) } else { (p[2 * k], p[2 * k + 1]) };
            (x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0) - 0.15 * 0.15
        })
    }

    /// The height of all knots, and the links with their multipliers.
    #[jacobian(wrt(p), forms(hess_sparse), layout = "csr")]
    pub fn lagrangian(p: &[f64; 20], multipliers: &[f64; 11]) -> f64 {
        let mut sum = 0.0;
        for knot in 0..10 {
            sum += p[2 * knot + 1];
        }
        let excess = excess(p);
        for link in 0..11 {
            sum += multipliers[link] * excess[link];
        }
        sum
    }
}

fn main() {
    let (column_starts, rows) = chain::excess_jac_pattern();
    let (row_starts, columns) = chain::lagrangian_hess_pattern();
    let cost: [f64; UNKNOWNS] = std::array::from_fn(|i| (i % 2) as f64);
    let mut p: [f64; UNKNOWNS] = std::array::from_fn(|i| {
        let x = (i / 2 + 1) as f64 / LINKS as f64;
        if i % 2 == 0 { x } else { 2.0 * x * (x - 1.0) }
    });
    let mut multipliers = [1.0; LINKS];
    for iteration in 1.. {
        let (excess, entries) = chain::excess_jac_sparse(&p);
        let links = CscMatrix::new(LINKS, UNKNOWNS, column_starts.to_vec(), rows.to_vec(), entries.to_vec());
        let (_, _, entries) = chain::lagrangian_hess_sparse(&p, &multipliers);
        let model = CscMatrix::new(UNKNOWNS, UNKNOWNS, row_starts.to_vec(), columns.to_vec(), entries.to_vec());
        let (room, cones) = (excess.map(|excess| -excess), [SupportedConeT::NonnegativeConeT(LINKS)]);
        let settings = DefaultSettings { verbose: false, ..DefaultSettings::default() };
        let mut solver = DefaultSolver::new(&model, &cost, &links, &room, &cones, settings).expect("the sizes fit");
        solver.solve();
        p.iter_mut().zip(&solver.solution.x).for_each(|(p, step)| *p += step);
        multipliers.copy_from_slice(&solver.solution.z);
        let step = solver.solution.x.iter().fold(0.0, |largest: f64, step| largest.max(step.abs()));
        println!("{iteration:2}: step {step:.1e}, energy {:.6}", cost.iter().zip(&p).map(|(c, p)| c * p).sum::<f64>());
        if step < 1e-8 {
            break;
        }
        assert!(iteration < 50, "it does not converge");
    }
    // No link is slack, and all pull to the side with the same force.
    let longest = chain::excess(&p).into_iter().fold(0.0, |largest: f64, excess| largest.max(excess.abs()));
    assert!(longest < 1e-7, "a link is off by {longest}");
    let x = |knot: usize| {
        if knot == 0 {
            0.0
        } else if knot == LINKS {
            1.0
        } else {
            p[2 * knot - 2]
        }
    };
    let pull = |link: usize| multipliers[link] * (x(link + 1) - x(link));
    for link in 1..LINKS {
        assert!((pull(link) / pull(0) - 1.0).abs() < 1e-5, "link {link} pulls with {}, not {}", pull(link), pull(0));
    }
}
