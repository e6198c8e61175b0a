//! Expressions of floats.

use std::sync::LazyLock;

use jacobian_core::catalogue::{CATALOGUE, Class, Row};
use jacobian_core::code_list;

use super::super::tree::*;
use super::Generator;
use super::feature::Feature;
use super::scope::{Kind, Level, Origin, Variable};

type Make = fn(&mut Generator, usize) -> Expression;

/// The methods of the catalogue that take floats and give one.
static METHODS: LazyLock<Vec<&Row>> = LazyLock::new(|| {
    let is_of_floats =
        |row: &&Row| row.is_method() && row.gives == FLOAT && row.takes.iter().all(|kind| *kind == FLOAT);
    CATALOGUE.iter().filter(is_of_floats).collect()
});

const FLOAT: code_list::Kind = code_list::Kind::Float;

const LITERALS: [f64; 12] = [0.0, 1.0, 2.0, 0.5, 1.5, 0.1, 0.3, 0.25, 3.0, 0.75, 1.25, 0.7];

impl Generator {
    /// An expression of a float of at most this depth.
    pub fn float(&mut self, depth: usize) -> Expression {
        if depth == 0 || !self.spend(1) {
            return self.float_leaf();
        }
        if let Some(taken) = self.float_of_option(depth) {
            return taken;
        }
        let choices: [(usize, Make); 12] = [
            (20, |generator, _| generator.float_leaf()),
            (40, Self::arithmetic),
            (25, Self::function_of_floats),
            (6, Self::power),
            (5, |generator, depth| generator.float(depth - 1).negative()),
            (8, Self::float_if),
            (4, Self::float_match),
            (4, Self::float_block),
            (14, Self::float_call),
            (8, Self::consumption),
            (6, Self::known_if),
            (3, Self::known_match),
        ];
        let make = self.weighted(&choices);
        make(self, depth)
    }

    fn float_leaf(&mut self) -> Expression {
        match self.random.below(12) {
            0 | 1 => Expression::Float(*self.random.pick(&LITERALS.each_ref())),
            2 => self.passive_float(),
            _ => self.variable_float(),
        }
    }

    /// A float that depends on no variable.
    pub fn passive_float(&mut self) -> Expression {
        if let Some(special) = self.special_passive_float() {
            return special;
        }
        let visible = self.scopes.visible();
        let passive: Vec<_> =
            visible.iter().filter(|v| v.level < Level::Active && v.ty.floats() > 0 && !v.is_mutable).collect();
        if !passive.is_empty() && self.random.percent(60) {
            let variable = passive[self.random.below(passive.len())].clone();
            return self.part(&variable);
        }
        if self.random.percent(70)
            && let Some((number, ..)) = self.number_variable(Level::Passive)
        {
            let number = number.cast(Type::Float);
            let scale = Expression::Float(*self.random.pick(&[0.5, 0.25, 0.125].each_ref()));
            return if self.random.percent(50) { number } else { Expression::binary(Operator::Mul, scale, number) };
        }
        Expression::Float(*self.random.pick(&LITERALS.each_ref()))
    }

    /// One that only programs with new parts of the language have.
    fn special_passive_float(&mut self) -> Option<Expression> {
        let has_constants = self.scopes.visible().iter().any(|variable| variable.origin != Origin::Local);
        if has_constants && self.random.percent(30) {
            return self.kept();
        }
        (self.imports() && self.random.percent(25)).then(|| self.passive_call())
    }

    /// A float in a variable, a recent one more likely.
    pub fn variable_float(&mut self) -> Expression {
        let mut visible = self.scopes.visible();
        visible.retain(|variable| variable.ty.floats() > 0);
        if visible.is_empty() {
            return Expression::Float(*self.random.pick(&LITERALS.each_ref()));
        }
        let first = if self.random.percent(60) { visible.len().saturating_sub(4) } else { 0 };
        let variable = visible[first + self.random.below(visible.len() - first)].clone();
        self.part(&variable)
    }

    /// A float in a variable.
    pub fn part(&mut self, variable: &Variable) -> Expression {
        self.part_of(Expression::Variable(variable.name.clone()), &variable.ty, variable.level)
    }

    pub fn part_of(&mut self, whole: Expression, ty: &Type, level: Level) -> Expression {
        match ty {
            Type::Float => whole,
            Type::Array(element, length) | Type::Slice(element, length) => {
                let is_chosen = level < Level::Active || self.has(Feature::Indices) && self.random.percent(25);
                let index = self.index(*length, if is_chosen { Level::Passive } else { Level::Known });
                self.part_of(whole.index(index), element, level)
            }
            Type::Tuple(elements) => {
                let with_floats: Vec<_> = (0..elements.len()).filter(|&index| elements[index].floats() > 0).collect();
                let field = with_floats[self.random.below(with_floats.len())];
                self.part_of(whole.field(field), &elements[field], level)
            }
            Type::Struct(own) => {
                let with_floats: Vec<_> = own.fields.iter().filter(|(_, ty)| ty.floats() > 0).collect();
                let (field, ty) = with_floats[self.random.below(with_floats.len())];
                self.part_of(whole.member(field), ty, level)
            }
            Type::Reference(target) => match **target {
                Type::Float | Type::Tuple(_) | Type::Reference(_) => self.part_of(whole.dereferenced(), target, level),
                _ => self.part_of(whole, target, level),
            },
            _ => {
                unreachable!("there is no float in this")
            }
        }
    }

    pub fn arithmetic(&mut self, depth: usize) -> Expression {
        let operator = self.weighted(&[(3, Operator::Add), (3, Operator::Sub), (5, Operator::Mul), (2, Operator::Div)]);
        let left = self.float(depth - 1);
        let right = match operator {
            Operator::Div => self.at_least(0.5, depth - 1),
            _ => self.float(depth - 1),
        };
        Expression::binary(operator, left, right)
    }

    fn function_of_floats(&mut self, depth: usize) -> Expression {
        // The mathematical library is another where the generated code is compiled.
        let usable: Vec<_> = METHODS.iter().filter(|row| row.class != Class::Call || !self.is_exact).collect();
        let row = usable[self.random.below(usable.len())];
        let operands = (0..row.arity()).map(|position| self.operand(row, position, depth - 1));
        let mut operands: Vec<_> = operands.collect();
        // Two operands that are the same are at a kink of `max` wherever they are.
        if operands.len() > 1 && operands[0] == operands[1] {
            operands[1] = Expression::Float(0.375);
        }
        let form = if self.random.percent(20) { Form::Path } else { Form::Method };
        Expression::Method(row.name.into(), operands, form)
    }

    /// An expression in the domain of a parameter. It may be of any size where the function does not grow faster.
    fn operand(&mut self, row: &Row, position: usize, depth: usize) -> Expression {
        let (low, high) = row.domain[position];
        if low > 0.0 {
            return self.at_least(low, depth);
        }
        if high < 0.0 {
            return self.at_least(-high, depth).negative();
        }
        let inner = self.float(depth);
        match low <= -1.0 && high >= 1.0 && (row.is_bounded || row.class != Class::Call) {
            true => inner,
            false => Expression::binary(Operator::Mul, Expression::Float(0.75), Expression::method("sin", vec![inner])),
        }
    }

    /// An expression of this size at least, which is not near zero.
    fn at_least(&mut self, size: f64, depth: usize) -> Expression {
        let inner = self.float(depth);
        let square = Expression::binary(Operator::Mul, inner.clone(), inner);
        Expression::binary(Operator::Add, square, Expression::Float(size.max(0.5)))
    }

    fn power(&mut self, depth: usize) -> Expression {
        if self.is_exact {
            return self.arithmetic(depth);
        }
        let base = self.float(depth - 1);
        let exponent = match (self.random.below(4), self.int_variable()) {
            (0 | 1, Some(exponent)) => exponent,
            (2, _) => self.usize(Level::Known, Some(5)).0.cast(Type::Int),
            _ => Expression::integer(self.random.within(0, 4), Type::Int),
        };
        Expression::method("powi", vec![base, exponent])
    }

    fn float_block(&mut self, depth: usize) -> Expression {
        if self.has(Feature::Constants) && self.random.percent(30) {
            return self.labelled(depth);
        }
        let block = self.in_scope(Kind::Value, |generator| {
            generator.with_items(|generator| {
                let statements = generator.statements(1, 0);
                Block { statements, value: Some(Box::new(generator.float(depth - 1))) }
            })
        });
        Expression::Block(block)
    }

    /// An expression of this type.
    pub fn of_type(&mut self, ty: &Type, depth: usize) -> Expression {
        match ty {
            Type::Float => self.float(depth),
            Type::Array(element, length) => match self.variable_of(ty) {
                Some(variable) if self.random.percent(40) => variable,
                _ if self.random.percent(10) => {
                    Expression::repeated(self.of_type(element, depth), self.length(*length))
                }
                _ => Expression::Array((0..*length).map(|_| self.of_type(element, depth)).collect()),
            },
            Type::Tuple(elements) => {
                Expression::Tuple(elements.iter().map(|element| self.of_type(element, depth)).collect())
            }
            Type::Struct(own) => self.struct_value(own, depth),
            Type::Closure(count) => self.callable_value(*count),
            Type::Reference(target) if let Type::Data(element) = &**target => self.slice_value(element),
            Type::Reference(target) if let Some(own) = self.reference_to(target) => own,
            Type::Reference(target) => match self.variable_of(target) {
                Some(variable) => variable.borrowed(),
                None => self.of_type(target, depth).borrowed(),
            },
            Type::Option(inner) => self.optional(inner, depth),
            Type::Usize => self.usize(Level::Passive, None).0,
            Type::Int => match self.int_variable() {
                Some(variable) => variable,
                None => Expression::integer(self.random.within(-2, 4), Type::Int),
            },
            Type::Bool => self.passive_condition(1),
            Type::Law => self.variable_of(&Type::Law).expect("a law is passed only where there is one"),
            _ => unreachable!("these are not passed"),
        }
    }

    /// The length of an array, as it is written.
    fn length(&mut self, length: usize) -> Expression {
        self.constant_for(length).map_or_else(|| Expression::usize(length), Expression::Variable)
    }

    /// A variable of this type.
    pub fn variable_of(&mut self, ty: &Type) -> Option<Expression> {
        let mut visible = self.scopes.visible();
        visible.retain(|variable| variable.ty == *ty);
        if visible.is_empty() {
            return None;
        }
        let variable = &visible[self.random.below(visible.len())];
        Some(Expression::Variable(variable.name.clone()))
    }
}
