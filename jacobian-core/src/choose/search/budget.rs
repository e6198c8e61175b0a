//! What searches may spend: all of it in accumulation expressions that are evaluated, of which six take about a
//! microsecond without optimization, and none of it in time, so that a search finds the same on every machine.

/// What a search without a number of steps may spend.
#[derive(Copy, Clone, Debug)]
pub struct Budget {
    /// The accumulation expressions that are evaluated, those of the start included.
    pub work: usize,
    /// The most steps for each target of the plan: what is found in more is hardly worth the time.
    pub steps_of_a_target: usize,
    /// How much better, in per cent, what is found must be than a hierarchy, and a hierarchy than one before it in the
    /// portfolio: estimates that are nearer to one another tell nothing, and the compiler packs the code of plain
    /// sweeps best, whose every part is like the others.
    pub margin: usize,
    /// The same of what annealing finds and the plan that it begins with, for nothing is regular in that.
    pub margin_of_annealing: usize,
}

impl Budget {
    /// The budget of `auto`, for a graph of this many vertices.
    pub fn of_auto(vertices: usize) -> Self {
        Budget {
            work: (1_000 * vertices).clamp(140_000, 4_000_000),
            steps_of_a_target: 16,
            margin: 1,
            margin_of_annealing: 3,
        }
    }

    /// The budget of a search that is asked for: some milliseconds a vertex, and about a second at most.
    pub fn of_search(vertices: usize) -> Self {
        Budget { work: (80_000 * vertices).min(8_000_000), steps_of_a_target: 1_000, margin: 0, margin_of_annealing: 0 }
    }
}

/// With fewer steps, an annealing finds nothing. Nor does it with fewer steps than targets: of the functions in
/// jacobian-lab, of those in the benchmark and of chains of 100 to 1,000 statements, none gained a hundredth by it.
pub(super) const MIN_STEPS: usize = 20;

/// How much longer it takes to run a hierarchy than to evaluate a plan.
pub(super) const HIERARCHY: usize = 16;

/// This many expressions are tried in any case, whatever the best hierarchy takes.
pub(super) const FEW: usize = 100;
