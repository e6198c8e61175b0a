//! Conditions and branches that are decided when the macro expands the program.

use super::super::tree::*;
use super::Generator;
use super::scope::{Kind, Level};

impl Generator {
    /// A condition on known integers. Most hold at times, if there is a loop around them.
    pub fn known_condition(&mut self, depth: usize) -> Expression {
        if depth > 0 && self.random.percent(25) {
            let operator = if self.random.percent(50) { Operator::And } else { Operator::Or };
            let operands = [self.known_condition(depth - 1), self.known_condition(depth - 1)];
            return Expression::Binary(operator, Box::new(operands), self.branch_number());
        }
        if self.random.percent(10) {
            return Expression::Prefix(Prefix::Not, Box::new(self.known_condition(0)));
        }
        let operators = [Operator::Less, Operator::Greater, Operator::Equal, Operator::NotEqual, Operator::LessEqual];
        let operator = *self.random.pick(&operators.each_ref());
        let (left, (low, high), _) = self.usize(Level::Known, None);
        let right = match self.random.percent(25) {
            true => self.usize(Level::Known, None).0,
            false => Expression::usize(self.random.within(low, high) as usize),
        };
        Expression::binary(operator, left, right)
    }

    /// Whether there are known integers to decide on: that literals can be compared is said by a few programs.
    fn decides_something(&mut self) -> bool {
        self.number_variable(Level::Known).is_some() || self.random.percent(10)
    }

    /// An `if` on what is known, which gives a float.
    pub fn known_if(&mut self, depth: usize) -> Expression {
        if !self.decides_something() {
            return self.arithmetic(depth);
        }
        let (condition, branch) = (self.known_condition(1), self.branch_number());
        let [then, otherwise] = [(); 2].map(|()| {
            self.in_scope(Kind::Value, |generator| {
                generator.with_items(|generator| {
                    let statements = if generator.random.percent(25) { generator.statements(1, 0) } else { Vec::new() };
                    Block { statements, value: Some(Box::new(generator.float(depth - 1))) }
                })
            })
        });
        let otherwise = Some(Expression::Block(otherwise));
        Expression::If(Box::new(If { branch, condition, then, otherwise }))
    }

    /// A `match` on a known integer, which gives a float.
    pub fn known_match(&mut self, depth: usize) -> Expression {
        if !self.decides_something() {
            return self.arithmetic(depth);
        }
        let (branch, (scrutinee, ..)) = (self.branch_number(), self.usize(Level::Known, None));
        let patterns = [
            Pattern::Integer(0),
            Pattern::Or(vec![Pattern::Integer(1), Pattern::Integer(3)]),
            Pattern::Range(2, 4),
            Pattern::Any,
        ];
        let first = self.random.below(3);
        let arms = patterns[first..].iter().map(|pattern| {
            let body = self.in_scope(Kind::Value, |generator| generator.float(depth - 1));
            Arm { pattern: pattern.clone(), guard: None, body }
        });
        let arms = arms.collect();
        Expression::Match(Box::new(Match { branch, scrutinee, arms }))
    }

    /// `if known { ... } else { ... }`, which may jump at its end.
    pub fn known_branching(&mut self, depth: usize) -> Vec<Statement> {
        if depth == 0 || !self.decides_something() {
            return Vec::new();
        }
        let (condition, branch) = (self.known_condition(1), self.branch_number());
        let then = self.in_scope(Kind::Block, |generator| {
            generator.with_items(|generator| {
                let mut statements = generator.statements(2, depth - 1);
                statements.extend(generator.jump());
                Block { statements, value: None }
            })
        });
        let otherwise = self.random.percent(30).then(|| {
            let statements = self.in_scope(Kind::Block, |generator| generator.statements(2, depth - 1));
            Expression::Block(Block { statements, value: None })
        });
        vec![Statement::Run(Expression::If(Box::new(If { branch, condition, then, otherwise })))]
    }

    /// `break`, `continue` or `return`, perhaps.
    fn jump(&mut self) -> Option<Statement> {
        let loops: Vec<usize> = self.scopes.loops().collect();
        let may_return = self.scopes.is_certain();
        if self.random.percent(5) && may_return {
            let result = self.result.clone();
            return Some(Statement::Return(self.of_type(&result, 1)));
        }
        if loops.is_empty() || self.random.percent(30) {
            return None;
        }
        let depth = loops[self.random.below(loops.len())];
        let label = self.label_of(depth);
        if label.is_none() && depth != loops[0] {
            return None;
        }
        // The innermost loop needs no label.
        let label = label.filter(|_| depth != loops[0] || self.random.percent(50));
        Some(if self.random.percent(60) { Statement::Continue(label) } else { Statement::Break(label) })
    }
}
