//! Plans of vertices and pairs of labels, carried out on the path graph. There is no way back there: every plan is
//! carried out from the beginning.
//!
//! A vertex stands for the pairs that meet there, which are all pairs of its faces but where labels are known to be
//! equal: one that is at several places of the graph meets others nowhere. So something may be left at the end of a
//! plan; it goes in a fixed order.

use std::cmp::Reverse;

use super::affected::Affected;
use super::evaluate::Evaluate;
use super::objective::{Cost, Objective};
use crate::eliminate::path::Path;
use crate::eliminate::{Elimination, Mode, Target};
use crate::error::Error;
use crate::graph::VertexId;
use crate::graph::path_graph::PathEdge;
use crate::graph::program::Program;
use crate::linearize::Linearization;

/// Knows what plans with pairs cost.
pub struct OnPathGraph<'a> {
    linearization: &'a Linearization,
    start: Start,
    pairs: Vec<Target>,
    objective: Objective,
    affected: Affected,
}

impl<'a> OnPathGraph<'a> {
    /// For the path graph of the graph of `linearization`.
    ///
    /// # Errors
    /// Where there are too many paths.
    pub fn new(linearization: &'a Linearization, objective: Objective) -> Result<Self, Error> {
        let start = Start::of(linearization)?;
        let pairs = start.mode.targets().into_iter().map(|pair| start.mode.describe(pair)).collect();
        Ok(OnPathGraph { linearization, start, pairs, objective, affected: Affected::default() })
    }
}

impl Evaluate for OnPathGraph<'_> {
    fn cost(&mut self, plan: &[Target]) -> Cost {
        self.affected = Affected::at_first(plan, &self.linearization.graph);
        self.objective.cost(self.linearization, &self.start.clone().carry_out(plan).program)
    }

    fn affected(&mut self) -> &Affected {
        &self.affected
    }

    fn pairs(&self) -> &[Target] {
        &self.pairs
    }
}

/// The elimination that `plan` gives.
///
/// # Errors
/// Where there are too many paths.
pub fn carry_out(plan: &[Target], linearization: &Linearization) -> Result<Elimination, Error> {
    Ok(Start::of(linearization)?.carry_out(plan))
}

/// Where every plan begins.
#[derive(Clone)]
struct Start {
    mode: Path,
    program: Program,
}

impl Start {
    fn of(linearization: &Linearization) -> Result<Self, Error> {
        let mut program = linearization.program.clone();
        Ok(Start { mode: Path::new(&linearization.graph, &mut program)?, program })
    }

    fn carry_out(self, plan: &[Target]) -> Elimination {
        let Start { mut mode, mut program } = self;
        let mut sequence = Vec::new();
        let mut eliminate = |mode: &mut Path, pair| {
            sequence.push(mode.describe(pair));
            mode.eliminate(pair, &mut program);
        };
        for &target in plan {
            match target {
                Target::Vertex(vertex) => rounds(&mut mode, |mode| at(mode, vertex), &mut eliminate),
                _ => {
                    if let Some(pair) = mode.find(target) {
                        eliminate(&mut mode, pair);
                    }
                }
            }
        }
        rounds(&mut mode, rest, &mut eliminate);
        program.set_entries(mode.entries());
        Elimination { sequence, program }
    }
}

/// Eliminates the pairs that `choose` gives, in its order, until there are none: what is formed on the way may be among
/// the next.
fn rounds(mode: &mut Path, choose: impl Fn(&Path) -> Vec<PathEdge>, eliminate: &mut impl FnMut(&mut Path, PathEdge)) {
    loop {
        let pairs = choose(mode);
        if pairs.is_empty() {
            return;
        }
        for pair in pairs {
            if mode.is_target(pair) {
                eliminate(mode, pair);
            }
        }
    }
}

/// The pairs of labels that meet at a vertex.
fn at(mode: &Path, vertex: VertexId) -> Vec<PathEdge> {
    let meet = |&pair: &PathEdge| mode.graph().centre(pair) == Some(vertex);
    mode.graph().edges().filter(meet).collect()
}

/// All pairs: those on the most paths first, of several those that begin last.
fn rest(mode: &Path) -> Vec<PathEdge> {
    let mut pairs = mode.targets();
    pairs.sort_by_cached_key(|&pair| (Reverse(mode.graph().multiplicity(pair)), (Path::REVERSE.key)(mode, pair)));
    pairs
}
