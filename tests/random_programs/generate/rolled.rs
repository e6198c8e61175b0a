//! Loops whose number of iterations is known only at run time, and whose bodies compute with variables.

use std::rc::Rc;

use super::super::tree::*;
use super::Generator;
use super::feature::Feature;
use super::items::Source;
use super::scope::{Kind, Level, Variable};

/// The most iterations.
pub const ITERATIONS: usize = 5;

impl Generator {
    /// A loop that is not unrolled.
    pub fn active_repeat(&mut self, depth: usize) -> Vec<Statement> {
        if depth == 0 || !self.spend(ITERATIONS) {
            return Vec::new();
        }
        match self.random.below(7) {
            0 | 1 => self.counted_down(depth),
            2 => self.over_places(depth),
            _ => self.over_range(depth),
        }
    }

    /// `for place in array.iter_mut().take(count)`, or the others of its elements.
    fn over_places(&mut self, depth: usize) -> Vec<Statement> {
        let is_method =
            |source: &Source| matches!(source.items, Items::Elements(_, Access::Mutable) | Items::Enumerate(_));
        let Some(Source { items, item, count, hidden, .. }) = self.mutable_source().filter(is_method) else {
            return self.over_range(depth);
        };
        let (places, taken) = (Box::new(items), self.iterations());
        let items = if self.random.percent(60) { Items::Take(places, taken) } else { Items::Skip(places, taken) };
        let pattern_of = |name: &str| Pattern::Name(name.into(), false);
        let (place, mut variables) = (self.fresh("place"), Vec::new());
        let (ty, pattern) = match item {
            Type::Tuple(mut parts) => {
                let index = self.fresh("index");
                let last = count.saturating_sub(1) as i64;
                variables.push(Variable::new(&index, Type::Usize, Level::Passive).within((0, last)));
                let pattern = Pattern::Tuple(vec![pattern_of(&index), pattern_of(&place)]);
                (parts.pop().expect("the reference is the last part"), pattern)
            }
            ty => (ty, pattern_of(&place)),
        };
        variables.push(Variable::new(&place, ty, Level::Active).mutable(true));
        hidden.iter().for_each(|name| self.scopes.set_hidden(name, true));
        let label = self.new_label();
        let body = self.iteration(variables, Vec::new(), depth, &label);
        hidden.iter().for_each(|name| self.scopes.set_hidden(name, false));
        vec![Statement::For(Rc::new(For { label, pattern, items, body }))]
    }

    /// `for index in 0..count`, perhaps the other way round, or with steps, or two of them side by side.
    fn over_range(&mut self, depth: usize) -> Vec<Statement> {
        let index = self.fresh("index");
        let range = Items::Range(Expression::usize(0), self.iterations(), self.random.percent(20));
        let (items, pattern) = match self.random.below(5) {
            0 => (Items::Reversed(Box::new(range)), Pattern::Name(index.as_str().into(), false)),
            1 => (Items::StepBy(Box::new(range), Expression::usize(2)), Pattern::Name(index.as_str().into(), false)),
            2 => {
                let other = Items::Range(Expression::usize(0), self.iterations(), false);
                let pattern = vec![Pattern::Name(index.as_str().into(), false), Pattern::Any];
                (Items::Zip(Box::new(range), Box::new(other)), Pattern::Tuple(pattern))
            }
            _ => (range, Pattern::Name(index.as_str().into(), false)),
        };
        let label = self.new_label();
        let item = Variable::new(&index, Type::Usize, Level::Passive).within((0, ITERATIONS as i64));
        let body = self.iteration(vec![item], Vec::new(), depth, &label);
        vec![Statement::For(Rc::new(For { label, pattern, items, body }))]
    }

    /// `while left > 0 { left -= 1; ... }`, perhaps with a condition more, or `loop` with a `break` in front.
    fn counted_down(&mut self, depth: usize) -> Vec<Statement> {
        let left = self.fresh("left");
        let number = Expression::variable(&left);
        let first = self.iterations();
        let first = Statement::Let(Pattern::Name(left.as_str().into(), true), Some(Type::Usize), Some(first));
        let next = Statement::Assign(number.clone(), Some(Operator::Sub), Expression::usize(1));
        let (condition, start) = if self.random.percent(60) {
            let condition = Expression::binary(Operator::Greater, number, Expression::usize(0));
            let condition = match self.random.percent(40) {
                true => {
                    let operands = [condition, self.condition(0)];
                    Expression::Binary(Operator::And, Box::new(operands), self.branch_number())
                }
                false => condition,
            };
            (Some(condition), vec![next])
        } else {
            let is_done = Expression::binary(Operator::Equal, number, Expression::usize(0));
            (None, vec![self.leaving(is_done, Statement::Break(None)), next])
        };
        let label = self.new_label();
        let body = self.iteration(Vec::new(), start, depth, &label);
        vec![first, Statement::While(Rc::new(While { label, condition, body }))]
    }

    /// How many iterations are made.
    fn iterations(&mut self) -> Expression {
        if self.keeps_loops && self.random.percent(50) {
            return Expression::usize(self.random.below(ITERATIONS));
        }
        let (count, ..) = self.usize(Level::Passive, Some(ITERATIONS));
        count
    }

    /// The body of a loop, in which there are these variables, and which begins with some statements.
    pub fn iteration(
        &mut self,
        items: Vec<Variable>,
        start: Vec<Statement>,
        depth: usize,
        label: &Option<Name>,
    ) -> Block {
        let repetitions = self.repetitions;
        self.repetitions *= ITERATIONS;
        self.labels.push((self.scopes.depth(), label.clone()));
        let body = self.in_scope(Kind::Rolled, |generator| {
            items.into_iter().for_each(|item| generator.declare(item));
            let mut statements = start;
            statements.extend(generator.changes_of_arrays());
            statements.extend(generator.statements(1, depth - 1));
            if generator.random.percent(40) {
                let leave =
                    if generator.random.percent(50) { Statement::Break(None) } else { Statement::Continue(None) };
                let condition = generator.condition(1);
                statements.push(generator.leaving(condition, leave));
            }
            statements.extend(generator.assignment());
            if label.is_some() && generator.repetitions == ITERATIONS && generator.random.percent(60) {
                // One that may leave this loop, too, or go on with it: then what follows here is left out, which an
                // array or a float that is added to shows.
                statements.extend(generator.over_range(depth));
                statements.extend(generator.assignment());
                statements.extend(generator.assignment());
            }
            let is_nested = generator.scopes.leavable().0.len() > 1;
            if generator.has(Feature::Jumps) && generator.random.percent(if is_nested { 80 } else { 40 }) {
                statements.extend(generator.jumping(depth - 1));
                statements.extend(generator.assignment());
            }
            statements.extend(generator.statements(1, depth - 1));
            statements.extend(generator.assignment());
            Block { statements, value: None }
        });
        self.labels.pop();
        self.repetitions = repetitions;
        body
    }
}
