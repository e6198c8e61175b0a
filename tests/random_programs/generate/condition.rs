//! Conditions.

use super::super::tree::*;
use super::Generator;
use super::scope::Level;

const COMPARISONS: [Operator; 4] = [Operator::Less, Operator::LessEqual, Operator::Greater, Operator::GreaterEqual];

impl Generator {
    /// A condition that may depend on variables.
    pub fn condition(&mut self, depth: usize) -> Expression {
        if let Some(condition) = self.condition_on_option(depth) {
            return condition;
        }
        match self.random.below(if depth == 0 { 8 } else { 12 }) {
            0..=5 => self.comparison(),
            6 => self.test(),
            7 => self.passive_condition(0),
            8 => self.lazy(Self::condition, depth),
            9 => Expression::Prefix(Prefix::Not, Box::new(self.condition(depth - 1))),
            10 => self.bool_variable(Level::Active).unwrap_or_else(|| self.comparison()),
            _ => self.lazy(Self::condition, depth),
        }
    }

    /// A comparison of floats. Most are of a value with one that lies near the middle of its range.
    fn comparison(&mut self) -> Expression {
        let operator = *self.random.pick(&COMPARISONS.each_ref());
        let left = if self.random.percent(50) { self.variable_float() } else { self.float(1) };
        let right = match self.random.below(3) {
            1 => self.variable_float(),
            2 => self.float(1),
            _ => left.clone(),
        };
        let literal = Expression::Float(*self.random.pick(&[0.0, 0.25, 0.5, 1.0].each_ref()));
        let right = if right == left { literal } else { right };
        Expression::binary(operator, left, right)
    }

    fn test(&mut self) -> Expression {
        let name = self.random.pick(&["is_sign_positive", "is_sign_negative", "is_finite", "is_nan"]);
        Expression::method(name, vec![self.variable_float()])
    }

    fn lazy(&mut self, part: fn(&mut Self, usize) -> Expression, depth: usize) -> Expression {
        let operator = if self.random.percent(50) { Operator::And } else { Operator::Or };
        let operands = [part(self, depth - 1), part(self, depth - 1)];
        Expression::Binary(operator, Box::new(operands), self.branch_number())
    }

    /// A condition that depends on no variable.
    pub fn passive_condition(&mut self, depth: usize) -> Expression {
        match self.random.below(if depth == 0 { 6 } else { 8 }) {
            0..=2 => self.bool_variable(Level::Passive).unwrap_or_else(|| self.comparison_of_integers()),
            3..=5 => self.comparison_of_integers(),
            6 => self.lazy(Self::passive_condition, depth),
            _ => Expression::Prefix(Prefix::Not, Box::new(self.passive_condition(depth - 1))),
        }
    }

    fn comparison_of_integers(&mut self) -> Expression {
        let operators = [COMPARISONS.as_slice(), &[Operator::Equal, Operator::NotEqual]].concat();
        let operator = operators[self.random.below(operators.len())];
        if self.random.percent(30)
            && let Some(left) = self.int_variable()
        {
            let right = Expression::integer(self.random.within(-1, 4), Type::Int);
            return Expression::binary(operator, left, right);
        }
        let (left, (low, high), _) = self.usize(Level::Passive, None);
        let right = Expression::usize(self.random.within(low, high) as usize);
        Expression::binary(operator, left, right)
    }

    fn bool_variable(&mut self, level: Level) -> Option<Expression> {
        let mut visible = self.scopes.visible();
        visible.retain(|variable| variable.ty == Type::Bool && variable.level <= level);
        (!visible.is_empty()).then(|| Expression::Variable(visible[self.random.below(visible.len())].name.clone()))
    }
}
