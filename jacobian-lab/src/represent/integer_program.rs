//! The integer program of Hovland 2016, "An integer programming formulation of the minimal Jacobian representation
//! problem", solved by a library.
//!
//! The steps are numbered 1 to `n + 1` for `n` intermediate vertices; step 1 is the given graph. The binary variables
//! are `x[i,j,k]`, whether there is an edge from vertex `i` to vertex `j` after step `k`, and `v[i,k]`, whether vertex
//! `i` is eliminated in step `k`; none need be. To be minimised are the edges after the last step, where
//!
//! ```text
//! x[i,j,1]  = 1 for the edges of the graph, else 0
//! x[i,j,k] >= x[i,j,k-1] - v[i,k] - v[j,k]               an edge stays, unless an end of it goes
//! x[i,j,k] >= x[i,l,k-1] + x[l,j,k-1] + v[l,k] - 2       elimination of l connects its neighbours
//! sum over i of v[i,k] <= 1,   sum over k of v[i,k] <= 1
//! ```
//!
//! Some things make it smaller and change no optimum. There is an `x[i,j,k]` only where a path leads from `i` to `j`.
//! Given the `v`, the least `x` are whole numbers, so the solver need not make them so. And in the end each
//! independent, and each intermediate that stays, has an edge from it, each dependent, and each intermediate that
//! stays, one to it.
//!
//! What the steps leave depends on the set of vertices that they eliminate, and each set is there in every order, with
//! idle steps in all places. So a solver that decides step by step sees the same graph again and again, and its bounds
//! are bad, because a vertex that goes by a seventh in each of seven steps hardly counts in any. Hence there are
//! variables for the set, `e[i] = sum over k of v[i,k]`, on which the solver decides first, and for each path in the
//! given graph from `i` by way of intermediates `l` to `j`
//!
//! ```text
//! x[i,j,n+1] >= 1 - e[i] - e[j] - sum over l of (1 - e[l])
//! ```
//!
//! which is what the program says without its steps. Once the `e` are whole numbers, these bounds are exact.

use std::collections::BTreeMap;
use std::fmt;

use good_lp::{
    Constraint, Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, constraint, microlp,
    variable,
};

use super::pattern::Problem;
use super::{Impossible, Representation};
use fixedbitset::FixedBitSet;
use jacobian_core::eliminate::Target;

/// Which vertices a step may eliminate.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Steps {
    /// Any, as in the paper. There is a bound for each path, so this is for small graphs.
    Any,
    /// Only one, another in each step, in topological order. Each set of vertices is there once.
    InOrder,
}

/// A solution.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The graph after the steps that the solution takes.
    pub representation: Representation,
    /// The edges that the solver counts.
    pub edges: usize,
}

/// Why there is no solution.
#[derive(Clone, Debug)]
pub enum Error {
    /// The solver has failed.
    Solver(ResolutionError),
    /// The solver's steps cannot be taken.
    Steps(Impossible),
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Solver(error) => error.fmt(formatter),
            Error::Steps(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for Error {}

/// Solves the program for `start`.
///
/// # Errors
/// Where the solver fails, and where the steps of its solution cannot be taken.
pub fn solve(start: &Representation, steps: Steps) -> Result<Solved, Error> {
    let problem = Problem::new(&start.graph);
    let mut program = IntegerProgram::new(&problem, steps);
    for step in 0..program.eliminations.len() {
        program.step(step);
    }
    program.eliminate_at_most_once();
    program.leave_no_end_alone();
    if steps == Steps::Any {
        program.follow_paths();
    }
    let (edges, steps) = program.solve().map_err(Error::Solver)?;
    let mut representation = start.clone();
    for vertex in steps {
        representation.eliminate(Target::Vertex(problem.vertices[vertex])).map_err(Error::Steps)?;
    }
    Ok(Solved { representation, edges })
}

struct IntegerProgram<'a> {
    problem: &'a Problem,
    variables: ProblemVariables,
    constraints: Vec<Constraint>,
    /// By vertex: its `e[i]`.
    eliminated: BTreeMap<usize, Variable>,
    /// By step: the vertices that it may eliminate, each with its `v[i,k]`.
    eliminations: Vec<BTreeMap<usize, Variable>>,
    /// By vertex `i`, then `j`: the `x[i,j,k]` of the step that was written last, where a path leads from `i` to `j`.
    edges: BTreeMap<(usize, usize), Expression>,
}

impl<'a> IntegerProgram<'a> {
    fn new(problem: &'a Problem, steps: Steps) -> Self {
        let mut variables = ProblemVariables::new();
        let vertices: Vec<_> = problem.intermediates.ones().collect();
        // Of variables that are as good to decide on, the solver takes the first.
        let eliminated = vertices.iter().map(|&vertex| (vertex, variables.add(variable().binary()))).collect();
        let allowed = |step: usize| match steps {
            Steps::Any => vertices.clone(),
            Steps::InOrder => vec![vertices[step]],
        };
        let mut eliminations = |step| {
            let vertices = allowed(step).into_iter();
            vertices.map(|vertex| (vertex, variables.add(variable().binary()))).collect()
        };
        let eliminations = (0..vertices.len()).map(&mut eliminations).collect();
        let given = |source: usize, target| u8::from(problem.pattern.successors(source).contains(target));
        let edges = connected_pairs(problem).map(|(i, j)| ((i, j), Expression::from(f64::from(given(i, j))))).collect();
        IntegerProgram { problem, variables, constraints: Vec::new(), eliminated, eliminations, edges }
    }

    /// Writes the edges after a step, those that it may change, and how it eliminates one vertex at most.
    fn step(&mut self, step: usize) {
        let vertices = &self.eliminations[step];
        let mut next = self.edges.clone();
        for (&(i, j), before) in &self.edges {
            let goes = |vertex| vertices.get(vertex).map_or(Expression::from(0.0), |&v| v.into());
            let faces: Vec<_> = vertices.iter().filter_map(|(&l, &v)| Some((v, self.face(i, l, j)?))).collect();
            if faces.is_empty() && !vertices.contains_key(&i) && !vertices.contains_key(&j) {
                continue;
            }
            let after = self.variables.add(variable().min(0.0).max(1.0));
            self.constraints.push(constraint!(after >= before.clone() - goes(&i) - goes(&j)));
            for (v, face) in faces {
                self.constraints.push(constraint!(after >= face + v - 2.0));
            }
            next.insert((i, j), after.into());
        }
        let one_at_most: Expression = vertices.values().sum();
        self.constraints.push(constraint!(one_at_most <= 1.0));
        self.edges = next;
    }

    /// `x[i,l,k] + x[l,j,k]`, where paths lead from `i` to `l` and from `l` to `j`.
    fn face(&self, i: usize, l: usize, j: usize) -> Option<Expression> {
        Some(self.edges.get(&(i, l))?.clone() + self.edges.get(&(l, j))?.clone())
    }

    fn eliminate_at_most_once(&mut self) {
        for (vertex, &eliminated) in &self.eliminated {
            let steps: Expression = self.eliminations.iter().filter_map(|step| step.get(vertex)).sum();
            self.constraints.push(constraint!(steps == eliminated));
        }
    }

    /// Whether a vertex is eliminated in the end.
    fn goes(&self, vertex: usize) -> Expression {
        self.eliminated.get(&vertex).map_or(Expression::from(0.0), |&variable| variable.into())
    }

    /// In the end, every path of the given graph between two vertices that stay is an edge if all within it are
    /// eliminated.
    fn follow_paths(&mut self) {
        let successors = |vertex| self.problem.pattern.successors(vertex).ones();
        let mut bounds = Vec::new();
        for first in 0..self.problem.pattern.len() {
            // The paths from `first`, each by its last vertex, with what it adds but for that.
            let mut paths: Vec<_> = successors(first).map(|last| (last, 1.0 - self.goes(first))).collect();
            while let Some((last, bound)) = paths.pop() {
                let edge = self.edges[&(first, last)].clone();
                bounds.push(constraint!(edge >= bound.clone() - self.goes(last)));
                let longer = bound + self.goes(last) - 1.0;
                paths.extend(successors(last).map(|next| (next, longer.clone())));
            }
        }
        self.constraints.extend(bounds);
    }

    /// In the end, what stays has an edge on each side where it had one.
    fn leave_no_end_alone(&mut self) {
        let pattern = &self.problem.pattern;
        for vertex in 0..pattern.len() {
            let stays = 1.0 - self.goes(vertex);
            let pairs = || self.edges.iter();
            let leaving: Expression = pairs().filter(|((i, _), _)| *i == vertex).map(|(_, x)| x.clone()).sum();
            let arriving: Expression = pairs().filter(|((_, j), _)| *j == vertex).map(|(_, x)| x.clone()).sum();
            for (side, sum) in [(pattern.successors(vertex), leaving), (pattern.predecessors(vertex), arriving)] {
                if !side.is_clear() {
                    self.constraints.push(constraint!(sum >= stays.clone()));
                }
            }
        }
    }

    /// The least number of edges, and the vertices to eliminate, step by step.
    fn solve(self) -> Result<(usize, Vec<usize>), ResolutionError> {
        let edges: Expression = self.edges.into_values().sum();
        let mut model = self.variables.minimise(edges.clone()).using(microlp);
        for constraint in self.constraints {
            model.add_constraint(constraint);
        }
        let solution = model.solve()?;
        let steps = self.eliminations.iter().flatten().filter(|(_, v)| solution.value(**v) > 0.5);
        Ok((solution.eval(edges).round() as usize, steps.map(|(&vertex, _)| vertex).collect()))
    }
}

/// The pairs of vertices of which the first has a path to the second.
fn connected_pairs(problem: &Problem) -> impl Iterator<Item = (usize, usize)> {
    let count = problem.pattern.len();
    let mut reached = vec![FixedBitSet::with_capacity(count); count];
    // The numbers are in topological order.
    for vertex in (0..count).rev() {
        let mut targets = problem.pattern.successors(vertex).clone();
        for successor in problem.pattern.successors(vertex).ones() {
            targets.union_with(&reached[successor]);
        }
        reached[vertex] = targets;
    }
    let pairs =
        |(source, targets): (usize, FixedBitSet)| targets.ones().map(|target| (source, target)).collect::<Vec<_>>();
    reached.into_iter().enumerate().flat_map(pairs)
}
