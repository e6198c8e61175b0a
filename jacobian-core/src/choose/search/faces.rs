//! Plans of vertices and faces, carried out on the dual graph. There is no way back there: every plan is carried out
//! from the beginning.

use super::affected::Affected;
use super::evaluate::Evaluate;
use super::objective::{Cost, Objective};
use crate::eliminate::{Elimination, Target};
use crate::graph::VertexId;
use crate::graph::dual_graph::{DualGraph, FaceId};
use crate::graph::program::Ends;
use crate::linearize::Linearization;

/// Knows what plans with faces cost.
pub struct OnDualGraph<'a> {
    linearization: &'a Linearization,
    dual: DualGraph,
    objective: Objective,
    affected: Affected,
}

impl<'a> OnDualGraph<'a> {
    /// For the dual of the graph of `linearization`.
    pub fn new(linearization: &'a Linearization, objective: Objective) -> Self {
        let dual = DualGraph::new(&linearization.graph);
        OnDualGraph { linearization, dual, objective, affected: Affected::default() }
    }
}

impl Evaluate for OnDualGraph<'_> {
    fn cost(&mut self, plan: &[Target]) -> Cost {
        self.affected = Affected::at_first(plan, &self.linearization.graph);
        let program = carry_out(plan, self.linearization, self.dual.clone()).program;
        self.objective.cost(self.linearization, &program)
    }

    fn affected(&mut self) -> &Affected {
        &self.affected
    }
}

/// The elimination that `plan` gives: a vertex as all faces around it that are left. Of faces with the same
/// vertices, the oldest goes first.
pub fn carry_out(plan: &[Target], linearization: &Linearization, mut dual: DualGraph) -> Elimination {
    let (mut sequence, mut program) = (Vec::new(), linearization.program.clone());
    let mut eliminate = |face, dual: &mut DualGraph| {
        let Ends { source, target } = dual.ends(face);
        sequence.push(Target::Face { source, centre: dual.centre(face), target, older: 0 });
        dual.eliminate(face, &mut program);
    };
    for &target in plan {
        match target {
            Target::Vertex(vertex) => {
                while let Some(face) = first_at(&dual, vertex) {
                    eliminate(face, &mut dual);
                }
            }
            Target::Face { source, centre, target, .. } => {
                if let Some(face) = find(&dual, centre, Ends { source, target }) {
                    eliminate(face, &mut dual);
                }
            }
            _ => unreachable!("{target} is no part of the dual graph"),
        }
    }
    program.set_entries(dual.entries());
    Elimination { sequence, program }
}

/// The first face at `centre` by its ends.
fn first_at(dual: &DualGraph, centre: VertexId) -> Option<FaceId> {
    intermediate(dual, centre).min_by_key(|&face| (dual.ends(face), face))
}

/// The face with this centre and these ends; of several, the one that has been there longest.
fn find(dual: &DualGraph, centre: VertexId, ends: Ends) -> Option<FaceId> {
    intermediate(dual, centre).find(|&face| dual.ends(face) == ends)
}

fn intermediate(dual: &DualGraph, centre: VertexId) -> impl Iterator<Item = FaceId> + '_ {
    dual.faces_at(centre).iter().copied().filter(|&face| dual.is_intermediate(face))
}
