//! Expressions of integers, with the range of their values: so indices are within their arrays, and no subtraction
//! overflows.

use super::super::point::INTS;
use super::super::tree::*;
use super::Generator;
use super::scope::{Level, Variable};

/// An expression of type `usize`, its least and its greatest value, and when it is known.
pub type Number = (Expression, (i64, i64), Level);

/// The largest values.
const LARGE: i64 = 40;

impl Generator {
    /// An expression that is known as `level` says, and less than `bound` if there is one.
    pub fn usize(&mut self, level: Level, bound: Option<usize>) -> Number {
        let (number, range, known) = self.usize_of_depth(level, 2);
        match bound {
            Some(bound) if range.1 >= bound as i64 => {
                let bounded = Expression::binary(Operator::Rem, number, Expression::usize(bound));
                (bounded, (0, bound as i64 - 1), known)
            }
            _ => (number, range, known),
        }
    }

    /// An index of an array of this length.
    pub fn index(&mut self, length: usize, level: Level) -> Expression {
        if self.random.percent(40) {
            return Expression::usize(self.random.below(length));
        }
        self.usize(level, Some(length)).0
    }

    fn usize_of_depth(&mut self, level: Level, depth: usize) -> Number {
        let (left, (low, high), known) = self.usize_leaf(level);
        if depth == 0 || self.random.percent(50) {
            return (left, (low, high), known);
        }
        let small = self.random.within(1, 3);
        let literal = Expression::usize(small as usize);
        let (operator, right, range, right_known) = match self.random.below(5) {
            0 => (Operator::Rem, literal, (0, high.min(small - 1)), Level::Known),
            1 => (Operator::Div, literal, (low / small, high / small), Level::Known),
            2 if low >= small => (Operator::Sub, literal, (low - small, high - small), Level::Known),
            3 if high * small < LARGE => (Operator::Mul, literal, (low * small, high * small), Level::Known),
            _ => {
                let (right, range, right_known) = self.usize_of_depth(level, depth - 1);
                if high + range.1 > LARGE {
                    return (left, (low, high), known);
                }
                (Operator::Add, right, (low + range.0, high + range.1), right_known)
            }
        };
        (Expression::binary(operator, left, right), range, known.max(right_known))
    }

    fn usize_leaf(&mut self, level: Level) -> Number {
        if self.random.percent(15)
            && let Some(number) = self.element_of_table(level)
        {
            return number;
        }
        if level >= Level::Passive
            && !self.structs.is_empty()
            && self.random.percent(40)
            && let Some(field) = self.integer_field(&Type::Usize)
        {
            return (field, (0, LARGE), Level::Passive);
        }
        if self.random.percent(75)
            && let Some(number) = self.number_variable(level)
        {
            return number;
        }
        let value = self.random.below(4);
        (Expression::usize(value), (value as i64, value as i64), Level::Known)
    }

    /// A variable of type `usize` that is known as `level` says.
    pub fn number_variable(&mut self, level: Level) -> Option<Number> {
        let mut visible = self.scopes.visible();
        visible.retain(|variable| variable.ty == Type::Usize && variable.level <= level);
        if visible.is_empty() {
            return None;
        }
        let variable = &visible[self.random.below(visible.len())];
        Some((Expression::Variable(variable.name.clone()), variable.range, variable.level))
    }

    /// The integers in fields of this type: none where it is another type.
    pub fn range_of_field(&self, ty: &Type) -> Option<(i64, i64)> {
        match ty {
            Type::Usize => Some((0, LARGE)),
            Type::Int => Some(INTS),
            _ => None,
        }
    }

    /// A field of this type of integers, of a struct in a variable.
    pub fn integer_field(&mut self, ty: &Type) -> Option<Expression> {
        let mut found = Vec::new();
        for variable in self.scopes.visible() {
            let (own, is_behind) = match &variable.ty {
                Type::Struct(own) => (own, false),
                Type::Reference(target) => match &**target {
                    Type::Struct(own) => (own, true),
                    _ => continue,
                },
                _ => continue,
            };
            let fields = own.fields.iter().filter(|(_, own)| own == ty);
            found.extend(fields.map(|(field, _)| (variable.name.clone(), field.clone(), is_behind)));
        }
        let (name, field, is_behind) =
            (!found.is_empty()).then(|| found.swap_remove(self.random.below(found.len())))?;
        let whole = Expression::Variable(name);
        let whole = if is_behind && self.random.percent(30) { whole.dereferenced() } else { whole };
        Some(whole.member(&field))
    }

    /// An element of an array of integers.
    fn element_of_table(&mut self, level: Level) -> Option<Number> {
        let mut visible = self.scopes.visible();
        visible.retain(|table| {
            matches!(&table.ty, Type::Array(element, _) if **element == Type::Usize) && table.level <= level
        });
        let table = (!visible.is_empty()).then(|| visible[self.random.below(visible.len())].clone())?;
        let Type::Array(_, length) = table.ty else { return None };
        let (index, _, known) = match self.number_variable(level) {
            Some((number, (_, high), known)) if high < length as i64 => (number, (0, high), known),
            _ => (Expression::usize(self.random.below(length)), (0, 0), Level::Known),
        };
        Some((Expression::Variable(table.name).index(index), table.range, table.level.max(known)))
    }

    /// `let table = [2, 0, 1];`.
    pub fn let_table(&mut self) -> Statement {
        let name = self.fresh("table");
        let numbers: Vec<_> = (0..3 + self.random.below(2)).map(|_| self.random.below(4)).collect();
        let range = (0, 3);
        let ty = Type::array(Type::Usize, numbers.len());
        self.declare(Variable::new(&name, ty.clone(), Level::Known).within(range));
        let annotation = self.random.percent(40).then_some(ty);
        let value = Expression::Array(numbers.into_iter().map(Expression::usize).collect());
        Statement::Let(Pattern::Name(name.as_str().into(), false), annotation, Some(value))
    }

    /// A variable of type `i32`, a small exponent.
    pub fn int_variable(&mut self) -> Option<Expression> {
        if !self.structs.is_empty()
            && self.random.percent(60)
            && let Some(field) = self.integer_field(&Type::Int)
        {
            return Some(field);
        }
        self.variable_of(&Type::Int)
    }
}
