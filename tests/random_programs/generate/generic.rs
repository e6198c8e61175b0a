//! Functions that are generic over a type: called with floats, and with structs that have its operators.

use std::rc::Rc;

use super::super::tree::*;
use super::scope::{Kind, Level, Variable};
use super::{Callable, Generator};

/// What a call adds.
const COST: usize = 12;

/// What the variable of such a function is called that is of the type.
const HELD: &str = "held";

/// And one of a float.
const FACTOR: &str = "factor";

impl Generator {
    /// A function for a struct that has operators, which can then be called with it and with floats.
    pub fn generic_function(&mut self) -> Option<Function> {
        let mut structs = self.structs.clone();
        self.random.shuffle(&mut structs);
        let (own, bounds) = structs.into_iter().find_map(|own| {
            let bounds = self.bounds_of(&own);
            (!bounds.is_empty()).then_some((own, bounds))
        })?;
        let ty = Type::Parameter(Rc::new(TypeParameter { name: "Quantity".into(), bounds: bounds.clone() }));
        let types = [ty.clone(), ty.clone(), Type::Float];
        let names = ["arg0", "arg1", "arg2"];
        let parameter = |(name, ty): (&str, &Type)| Parameter { name: name.into(), ty: ty.clone(), is_mutable: false };
        let parameters = names.into_iter().zip(&types).map(parameter).collect();
        self.budget = 30;
        self.scopes.enter(Kind::Block);
        self.outside.clone().into_iter().for_each(|constant| self.declare(constant));
        self.declare(Variable::new("arg2", Type::Float, Level::Active));
        let body = self.generic_body(&bounds);
        self.scopes.leave();
        let name: Name = "same0".into();
        for at in [Type::Float, Type::Struct(own)] {
            self.callable.push(Callable {
                cost: COST,
                name: name.clone(),
                parameters: vec![at.clone(), at.clone(), Type::Float],
                result: at,
                is_differentiated: true,
                is_declared: true,
                is_method: false,
                is_taker: false,
            });
        }
        let (generics, derivative) = (Vec::new(), Derivative::None);
        Some(Function { cfg: None, name, generics, parameters, result: ty, body, derivative })
    }

    /// The operators of values of a struct, of which a type parameter may ask for some.
    fn bounds_of(&mut self, own: &Rc<Struct>) -> Vec<Operation> {
        let ty = Type::Struct(own.clone());
        let known = [
            (Operation::Add, "Add", vec![ty.clone(), ty.clone()]),
            (Operation::Sub, "Sub", vec![ty.clone(), ty.clone()]),
            (Operation::Scale, "Mul", vec![ty.clone(), Type::Float]),
            (Operation::Neg, "Neg", vec![ty]),
        ];
        let has =
            |name: &str, operands: &[Type]| self.operators.iter().any(|it| it.name == name && it.operands == operands);
        known.into_iter().filter(|(_, name, operands)| has(name, operands)).map(|(bound, ..)| bound).collect()
    }

    fn generic_body(&mut self, bounds: &[Operation]) -> Block {
        let held = || Expression::variable(HELD);
        // What a literal in an operand of an unknown operator is, is not always seen.
        let factor = Statement::Let(Pattern::Name(FACTOR.into(), false), Some(Type::Float), Some(self.float(2)));
        let mut statements = vec![factor, Statement::variable(HELD, self.quantity(bounds, false, 2))];
        if self.random.percent(50) {
            let (condition, branch) = (self.condition(1), self.branch_number());
            let value = self.quantity(bounds, true, 1);
            let then = Block { statements: vec![Statement::Assign(held(), None, value)], value: None };
            statements.push(Statement::Run(Expression::If(Box::new(If { branch, condition, then, otherwise: None }))));
        }
        if self.random.percent(50) {
            let value = self.quantity(bounds, true, 1);
            let items = Items::Range(Expression::usize(0), Expression::usize(2), false);
            let body = Block { statements: vec![Statement::Assign(held(), None, value)], value: None };
            statements.push(Statement::For(Rc::new(For { label: None, pattern: Pattern::Any, items, body })));
        }
        Block { statements, value: Some(Box::new(self.quantity(bounds, true, 2))) }
    }

    /// A value of the type, of variables of the type and of floats.
    fn quantity(&mut self, bounds: &[Operation], is_held: bool, depth: usize) -> Expression {
        if depth == 0 {
            return match self.random.below(if is_held { 4 } else { 2 }) {
                0 => Expression::variable("arg0"),
                1 => Expression::variable("arg1"),
                _ => Expression::variable(HELD),
            };
        }
        let operand = |generator: &mut Self| generator.quantity(bounds, is_held, depth - 1);
        match bounds[self.random.below(bounds.len())] {
            Operation::Add => Expression::binary(Operator::Add, operand(self), operand(self)),
            Operation::Sub => Expression::binary(Operator::Sub, operand(self), operand(self)),
            Operation::Scale => {
                let factor = if self.random.percent(50) { "arg2" } else { FACTOR };
                Expression::binary(Operator::Mul, operand(self), Expression::variable(factor))
            }
            Operation::Neg => operand(self).negative(),
        }
    }
}
