//! Plans of vertices and edges, carried out on the graph. A plan that begins like the one before it is evaluated from
//! where it differs.

use super::affected::Affected;
use super::evaluate::Evaluate;
use super::objective::{Cost, Measuring};
use super::state::{Mark, State};
use crate::eliminate::Target;
use crate::graph::Graph;

/// The state that the plan before has led to, and how to go back to each of its steps.
pub struct OnGraph<A: Measuring> {
    state: State<A>,
    steps: Vec<(Target, Mark<A::Mark>)>,
    /// What the steps have affected, once that has been asked for.
    affected: Affected,
    is_affected_known: bool,
}

impl<A: Measuring> OnGraph<A> {
    /// For `graph`, by this arithmetic.
    pub fn new(graph: &Graph, arithmetic: A) -> Self {
        let state = State::new(graph, arithmetic);
        OnGraph { affected: Affected::new(state.edges.words()), is_affected_known: false, state, steps: Vec::new() }
    }

    /// Goes back to where this many steps have been made.
    fn go_back(&mut self, steps: usize) {
        if let Some(&(_, mark)) = self.steps.get(steps) {
            self.state.reset(mark);
            self.steps.truncate(steps);
            if self.is_affected_known {
                self.affected.truncate(steps);
            }
        }
    }

    fn go_on(&mut self, plan: &[Target]) {
        for &target in plan {
            self.steps.push((target, self.state.mark()));
            if self.is_affected_known {
                self.state.note_affected(target, &mut self.affected);
            }
            self.state.eliminate(target);
        }
    }
}

impl<A: Measuring> Evaluate for OnGraph<A> {
    fn cost(&mut self, plan: &[Target]) -> Cost {
        let (steps, mut common) = (&self.steps[..], 0);
        while common < steps.len() && common < plan.len() && steps[common].0 == plan[common] {
            common += 1;
        }
        self.go_back(common);
        self.go_on(&plan[common..]);
        self.state.arithmetic.cost(&self.state.edges)
    }

    fn affected(&mut self) -> &Affected {
        if !self.is_affected_known {
            self.is_affected_known = true;
            let plan: Vec<_> = self.steps.iter().map(|(target, _)| *target).collect();
            self.go_back(0);
            self.go_on(&plan);
        }
        &self.affected
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::hierarchy::Hierarchy;
    use crate::choose::order::{Objective, Order};
    use crate::choose::search::random::Random;
    use crate::choose::search::{Space, carry_out, evaluator};
    use crate::eliminate::vertex::{MARKOWITZ, REVERSE};
    use crate::graph::program::Measure;
    use crate::linearize::Linearization;
    use crate::pipeline::{linearize, linearize_gradient};
    use jacobian_list::code_list::CodeList;

    /// The cost of the plan, carried out on its own.
    fn cost_from_scratch(linearization: &Linearization, plan: &[Target], objective: Objective) -> Cost {
        objective.cost(linearization, &carry_out(plan, linearization).program)
    }

    /// A turn, what follows it, and a quotient: with values that occur with either sign.
    const TURNED: &str = "input t x y\nc = cos(t)\ns = sin(t)\nu = c * x - s * y\nv = s * x + c * y\n\
                          d = u - v\nr = sqrt(d * d + 1)\nq = -v / r\ne = q * u - x\noutput u v q e";

    /// A list of this many statements in which edges have labels of all kinds, and many values are used more than once.
    fn random_list(statements: usize) -> CodeList {
        let (mut text, mut random) = ("input v0 v1 v2 v3 v4\n".to_string(), Random::new(7));
        let last = statements + 5;
        for value in 5..last {
            let [one, other] = [(); 2].map(|()| value - 1 - random.below(value.min(9)));
            let statement = match random.below(6) {
                0 => format!("v{one} + v{other}"),
                1 => format!("v{one} - v{other}"),
                2 => format!("2 * v{one}"),
                3 => format!("sin(v{one})"),
                _ => format!("v{one} * v{other}"),
            };
            text += &format!("v{value} = {statement}\n");
        }
        text += &format!("output v{} v{} v{} v{}", last - 1, last - 2, last - 3, last - 4);
        text.parse().expect("a code list")
    }

    fn walks(linearization: &Linearization) {
        let start =
            Hierarchy::fixed(&[&MARKOWITZ, &REVERSE]).eliminate(linearization, usize::MAX).expect("there is no limit");
        for objective in [Measure::Textbook, Measure::Folded]
            .map(Objective::Counted)
            .into_iter()
            .chain([Objective::Operations, Objective::Time])
        {
            let (mut plan, mut random) = (start.sequence.clone(), Random::new(1));
            let mut evaluate = evaluator(linearization, Space::Edges, objective).expect("no paths are enumerated");
            evaluate.cost(&plan);
            for _ in 0..50 {
                let at = random.below(plan.len());
                if let Some(change) = Space::Edges.draw(&plan, at, evaluate.affected(), &[], &mut random) {
                    change.apply(&mut plan);
                }
                assert_eq!(evaluate.cost(&plan), cost_from_scratch(linearization, &plan, objective));
            }
        }
    }

    #[test]
    fn what_is_taken_back_leaves_no_trace() {
        walks(&linearize(&random_list(120)));
        walks(&linearize(&TURNED.parse().expect("a code list")));
    }

    #[test]
    fn pairs_that_are_taken_back_leave_no_trace() {
        walks(&linearize_gradient(&random_list(60)).expect("all partials are known"));
        walks(&linearize_gradient(&TURNED.parse().expect("a code list")).expect("all partials are known"));
    }
}
