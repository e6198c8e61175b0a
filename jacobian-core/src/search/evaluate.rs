//! What plans cost. A plan that begins like the one before it is evaluated from where it differs.

use super::objective::{Cost, Counting, Emitting, Measuring, Objective};
use super::state::{Mark, State};
use crate::eliminate::Target;
use crate::graph::Graph;
use crate::linearize::Linearization;

/// Knows what plans cost.
pub trait Evaluate {
    /// The cost of `plan`, which eliminates everything; targets that are not there in their turn are passed over.
    fn cost(&mut self, plan: &[Target]) -> Cost;
}

/// The evaluator for `objective`.
pub fn evaluator<'a>(linearization: &'a Linearization, objective: Objective) -> Box<dyn Evaluate + 'a> {
    let Linearization { graph, program, .. } = linearization;
    match objective {
        Objective::Counted(measure) => Box::new(Evaluator::new(graph, Counting::new(program, measure))),
        Objective::Multiplications | Objective::Operations => {
            Box::new(Evaluator::new(graph, Emitting::new(linearization, objective)))
        }
    }
}

/// The state that the plan before has led to, and how to go back to each of its steps.
struct Evaluator<A: Measuring> {
    state: State<A>,
    steps: Vec<(Target, Mark<A::Mark>)>,
}

impl<A: Measuring> Evaluator<A> {
    fn new(graph: &Graph, arithmetic: A) -> Self {
        Evaluator { state: State::new(graph, arithmetic), steps: Vec::new() }
    }
}

impl<A: Measuring> Evaluate for Evaluator<A> {
    fn cost(&mut self, plan: &[Target]) -> Cost {
        let common = self.steps.iter().zip(plan).take_while(|((step, _), target)| step == *target).count();
        if let Some(&(_, mark)) = self.steps.get(common) {
            self.state.reset(mark);
            self.steps.truncate(common);
        }
        for &target in &plan[common..] {
            self.steps.push((target, self.state.mark()));
            self.state.eliminate(target);
        }
        self.state.arithmetic.cost(&self.state.edges)
    }
}
