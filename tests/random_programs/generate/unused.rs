//! Values that are not used: what computes them has effects or panics, and so it must in what is generated.

use super::super::tree::*;
use super::Generator;
use super::scope::Level;

impl Generator {
    /// A statement with a value that nothing uses.
    pub fn unused(&mut self, _: usize) -> Vec<Statement> {
        let value = match self.random.below(8) {
            0 | 1 => self.clamped(),
            2 => self.element_out_of_bounds(),
            3 => self.overflowing(),
            4 => return vec![self.failing_assertion()],
            5 => self.noted(),
            _ => match self.unused_call() {
                Some(call) => call,
                None => self.clamped(),
            },
        };
        match self.random.below(3) {
            0 => vec![Statement::Let(Pattern::Any, None, Some(value))],
            1 => {
                let name = self.fresh("_unused");
                vec![Statement::bind(&name, value)]
            }
            _ => {
                let name = self.fresh("unused");
                vec![Statement::bind(&name, value)]
            }
        }
    }

    /// `x.clamp(low, high)`, which panics where `low` is more than `high`.
    fn clamped(&mut self) -> Expression {
        let low = Expression::Float(*self.random.pick(&[-1.0, -1.0, 0.25, 0.9].each_ref()));
        let (number, _) = self.run_time_number();
        let scaled = Expression::binary(Operator::Mul, number.cast(Type::Float), Expression::Float(0.75));
        let high = Expression::binary(Operator::Add, scaled, Expression::Float(0.125));
        let operand = match (self.variable_float(), self.base()) {
            (Expression::Float(_), Some(base)) => base,
            (Expression::Float(_), None) => return self.overflowing(),
            (operand, _) => operand,
        };
        Expression::method("clamp", vec![operand, low, high])
    }

    /// A variable that is a float, which all functions have that are no methods.
    fn base(&self) -> Option<Expression> {
        let base = self.scopes.visible().into_iter().find(|variable| variable.name.starts_with("base"))?;
        Some(Expression::Variable(base.name))
    }

    /// `[0.5, 0.25, 1.5, 2.0][n]`, where `n` may be 4.
    fn element_out_of_bounds(&mut self) -> Expression {
        let array = Expression::Array([0.5, 0.25, 1.5, 2.0].map(Expression::Float).to_vec());
        let (number, ..) = self.run_time_number();
        array.index(number)
    }

    /// `n - 1` or `12 / n`, where `n` may be 0.
    fn overflowing(&mut self) -> Expression {
        let (number, ..) = self.run_time_number();
        match self.random.percent(50) {
            true => Expression::binary(Operator::Sub, number, Expression::usize(1)),
            false => Expression::binary(Operator::Div, Expression::usize(12), number),
        }
    }

    /// A run-time number, from 0 to 4.
    fn run_time_number(&mut self) -> (Expression, (i64, i64)) {
        let mut numbers = self.scopes.visible();
        numbers.retain(|own| own.ty == Type::Usize && own.level == Level::Passive && own.range == (0, 4));
        match numbers.is_empty() {
            true => (Expression::method("len", vec![Expression::Array(vec![Expression::Float(0.5)])]), (1, 1)),
            false => (Expression::Variable(numbers[self.random.below(numbers.len())].name.clone()), (0, 4)),
        }
    }

    /// An assertion that fails at times.
    fn failing_assertion(&mut self) -> Statement {
        let condition = match (self.random.percent(50), self.base()) {
            (false, Some(base)) => Expression::binary(Operator::Less, base, Expression::Float(2.5)),
            _ => {
                let (number, _) = self.run_time_number();
                Expression::binary(Operator::Less, number, Expression::usize(4))
            }
        };
        Statement::Assert(condition)
    }

    /// A call of a function that is differentiated.
    fn unused_call(&mut self) -> Option<Expression> {
        let callable = self.chosen(|callable| callable.is_differentiated)?;
        Some(self.call(&callable, 1))
    }
}
