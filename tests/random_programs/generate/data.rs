//! Loops and chains over passive data, the number of which is known only when the program runs, and whose bodies and
//! closures compute with variables.

use std::rc::Rc;

use super::super::tree::*;
use super::Generator;
use super::rolled::ITERATIONS;
use super::scope::{Kind, Level, Variable};

impl Generator {
    /// Data, and a loop over them, or a variable for what a chain makes of them.
    pub fn over_data(&mut self, depth: usize) -> Vec<Statement> {
        if depth == 0 || !self.spend(2 * ITERATIONS) {
            return Vec::new();
        }
        let vector = self.fresh("data");
        let mut statements = self.grown(&vector).to_vec();
        let (items, item) = self.data_items(&vector);
        let (pattern, variables, start) = self.data_pattern(&item);
        if self.random.percent(50) {
            let label = self.new_label();
            let body = self.iteration(variables, start, depth, &label);
            statements.push(Statement::For(Rc::new(For { label, pattern, items, body })));
            return statements;
        }
        let value = self.made_of_data(items, pattern, (variables, start));
        let total = self.fresh("total");
        statements.push(Statement::Let(Pattern::Name(total.as_str().into(), false), Some(Type::Float), Some(value)));
        self.declare(Variable::new(&total, Type::Float, Level::Active));
        statements
    }

    /// What goes over a vector, and what its items are.
    fn data_items(&mut self, vector: &str) -> (Items, Type) {
        let elements = || Items::Elements(Expression::variable(vector), Access::Shared);
        let float = Type::Reference(Box::new(Type::Float));
        let pair = Type::Reference(Box::new(Type::Slice(Box::new(Type::Float), 2)));
        let two = Expression::usize(2);
        let (items, item) = match self.random.below(4) {
            0 => (Items::Windows(Expression::variable(vector), two), pair),
            1 => (Items::Chunks(Expression::variable(vector), two), pair),
            _ => (elements(), float.clone()),
        };
        let inner = Box::new(items);
        match self.random.below(8) {
            0 => (Items::Reversed(inner), item),
            1 => (Items::Skip(inner, Expression::usize(1)), item),
            2 => (Items::StepBy(inner, Expression::usize(2)), item),
            3 => (Items::Enumerate(inner), Type::Tuple(vec![Type::Usize, item])),
            4 => (Items::Zip(inner, Box::new(elements())), Type::Tuple(vec![item, float])),
            _ => (*inner, item),
        }
    }

    /// A pattern for an item, its variables, and the statements that declare those for the elements of a slice.
    fn data_pattern(&mut self, item: &Type) -> (Pattern, Vec<Variable>, Vec<Statement>) {
        if let Type::Tuple(parts) = item {
            let (mut patterns, mut variables, mut start) = (Vec::new(), Vec::new(), Vec::new());
            for part in parts {
                let (pattern, of_part, before) = self.data_pattern(part);
                patterns.push(pattern);
                variables.extend(of_part);
                start.extend(before);
            }
            return (Pattern::Tuple(patterns), variables, start);
        }
        let name = self.fresh("datum");
        let pattern = Pattern::Name(name.as_str().into(), false);
        let variable = |ty: &Type| Variable::new(&name, ty.clone(), Level::Passive).within((0, ITERATIONS as i64));
        match item {
            Type::Reference(target) if **target == Type::Float && self.random.percent(60) => {
                (Pattern::Reference(Box::new(pattern)), vec![variable(target)], Vec::new())
            }
            Type::Reference(target) if matches!(**target, Type::Slice(..)) => {
                let (mut variables, mut start) = (Vec::new(), Vec::new());
                for index in 0..2 {
                    let element = self.fresh("element");
                    variables.push(Variable::new(&element, Type::Float, Level::Passive));
                    start.push(Statement::bind(&element, Expression::variable(&name).index(Expression::usize(index))));
                }
                (pattern, variables, start)
            }
            ty => (pattern, vec![variable(ty)], Vec::new()),
        }
    }

    /// `sum` or `product`.
    fn made_of_data(
        &mut self,
        items: Items,
        pattern: Pattern,
        (variables, statements): (Vec<Variable>, Vec<Statement>),
    ) -> Expression {
        let repetitions = self.repetitions;
        self.repetitions *= ITERATIONS;
        let body = self.in_scope(Kind::Inline, |generator| {
            variables.into_iter().for_each(|variable| generator.declare(variable));
            let value = generator.closure_body(2);
            match statements.is_empty() {
                true => value,
                false => Expression::Block(Block { statements, value: Some(Box::new(value)) }),
            }
        });
        self.repetitions = repetitions;
        let closure = Rc::new(Closure { is_move: false, parameters: vec![(pattern, None)], body });
        let consumer = if self.random.percent(60) { Consumer::Sum } else { Consumer::Product };
        Expression::Consume(Box::new(Items::Map(Box::new(items), closure)), consumer)
    }
}
