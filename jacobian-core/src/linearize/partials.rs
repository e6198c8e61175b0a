//! The partials of the catalogue, written over the arguments and the result of an operation.

use jacobian_list::catalogue::{CATALOGUE, Intrinsic, known};
use jacobian_list::code_list::{Args, NotationId, Statement, ValueId};
use jacobian_list::expression::{self, Expression};
use jacobian_list::text::named_constant;

use crate::algebra::Algebra;
use crate::algebra::Term;
use crate::error::Error;

/// The partials of the catalogue as expressions, read when they are first asked for.
pub(super) struct Partials {
    firsts: Vec<Vec<Option<Expression>>>,
    /// By row: a lower triangle, row by row.
    seconds: Vec<Vec<Option<Expression>>>,
}

/// An operation, its arguments and its result.
#[derive(Copy, Clone)]
pub(super) struct Operation {
    pub(super) intrinsic: Intrinsic,
    pub(super) notation: NotationId,
    pub(super) args: Args,
    pub(super) value: ValueId,
}

impl Partials {
    pub(super) fn new() -> Self {
        let rooms = |room: fn(usize) -> usize| CATALOGUE.iter().map(|row| vec![None; room(row.arity())]).collect();
        Partials { firsts: rooms(|arity| arity), seconds: rooms(|arity| arity * (arity + 1) / 2) }
    }

    fn expression(&mut self, intrinsic: Intrinsic, position: usize) -> &Expression {
        self.firsts[intrinsic.index()][position].get_or_insert_with(|| read(intrinsic.row().partials[position]))
    }

    /// Writes the partial of an operation with respect to an argument.
    pub(super) fn first(&mut self, algebra: &mut Algebra, operation: &Operation, position: usize) -> Term {
        let expression = self.expression(operation.intrinsic, position);
        Place { operation, firsts: &[] }.write(algebra, expression)
    }

    /// Writes the product of a second partial and of the adjoint of the operation.
    pub(super) fn second(
        &mut self,
        algebra: &mut Algebra,
        operation: &Operation,
        positions: [usize; 2],
        adjoint: Term,
    ) -> Result<Term, Error> {
        let (row, column) = (positions[0].max(positions[1]), positions[0].min(positions[1]));
        let text = operation.intrinsic.row().second(row, column);
        match text {
            "0" => return Ok(Term::ZERO),
            "NAN" => return Err(Error::NoSecondPartials { name: operation.intrinsic.row().name }),
            _ => {}
        }
        let firsts: Vec<_> =
            (0..operation.args.len()).map(|position| self.first(algebra, operation, position)).collect();
        let place = row * (row + 1) / 2 + column;
        let expression = &*self.seconds[operation.intrinsic.index()][place].get_or_insert_with(|| read(text));
        let place = Place { operation, firsts: &firsts };
        Ok(match algebra.value(algebra.mask(adjoint)) {
            // Where the adjoint is a structural zero now and then, the partial must not be multiplied piece by piece.
            None => {
                let second = place.write(algebra, expression);
                algebra.path_product(second, adjoint)
            }
            Some(_) => place.multiplied(algebra, expression, adjoint),
        })
    }

    /// The argument that a partial of a statement is a quotient by.
    pub(super) fn divisor(&mut self, statement: &Statement) -> Option<ValueId> {
        let Statement::Apply { intrinsic, args, .. } = statement else { return None };
        let parameters = intrinsic.row().parameters;
        (0..args.len()).find_map(|position| match self.expression(*intrinsic, position) {
            Expression::Apply(known::DIV, operands) => match &operands[1] {
                Expression::Name(name) => Some(args[parameters.iter().position(|parameter| parameter == name)?]),
                _ => None,
            },
            _ => None,
        })
    }
}

fn read(text: &str) -> Expression {
    expression::parse(text).expect("every partial of the catalogue is an expression")
}

/// The position in the name of a first partial, `p0`, `p1`, ...
fn position(name: &str) -> Option<usize> {
    name.strip_prefix('p')?.parse().ok()
}

/// Whether an expression is a multiple of a first partial as it is written.
fn has_partial(expression: &Expression) -> bool {
    match expression {
        Expression::Number(_) => false,
        Expression::Name(name) => position(name).is_some(),
        Expression::Apply(known::MUL, operands) => operands.iter().any(has_partial),
        Expression::Apply(known::NEG | known::DIV, operands) => has_partial(&operands[0]),
        Expression::Apply(known::SELECT_EQ | known::SELECT_LT | known::SELECT_LE, operands) => {
            operands[2..].iter().any(has_partial)
        }
        Expression::Apply(..) => false,
    }
}

/// What the names in a partial mean.
#[derive(Copy, Clone)]
struct Place<'a> {
    operation: &'a Operation,
    /// The first partials, for a second one.
    firsts: &'a [Term],
}

impl Place<'_> {
    fn write(self, algebra: &mut Algebra, expression: &Expression) -> Term {
        match expression {
            Expression::Number(number) => algebra.constant(*number),
            Expression::Name(name) => self.named(algebra, name),
            Expression::Apply(intrinsic, operands) => {
                let terms: Vec<_> = operands.iter().map(|operand| self.write(algebra, operand)).collect();
                algebra.apply(*intrinsic, self.operation.notation, &terms)
            }
        }
    }

    fn named(self, algebra: &mut Algebra, name: &str) -> Term {
        let Operation { intrinsic, ref args, value, .. } = *self.operation;
        if let Some(position) = intrinsic.row().parameters.iter().position(|parameter| *parameter == name) {
            return algebra.term(args[position]);
        }
        match position(name) {
            _ if name == "v" => algebra.term(value),
            Some(position) => self.firsts[position],
            None => algebra.constant(named_constant(name).expect("partials name parameters and constants")),
        }
    }

    /// Writes the expression times `factor`, which is multiplied with a first partial that is a factor in the
    /// expression, if there is one.
    fn multiplied(self, algebra: &mut Algebra, expression: &Expression, factor: Term) -> Term {
        let rest = |algebra: &mut Algebra, operand| self.write(algebra, operand);
        match expression {
            Expression::Apply(known::MUL, operands) if has_partial(expression) => {
                let (with, without) = match has_partial(&operands[0]) {
                    true => (&operands[0], &operands[1]),
                    false => (&operands[1], &operands[0]),
                };
                let (product, other) = (self.multiplied(algebra, with, factor), rest(algebra, without));
                algebra.apply(known::MUL, self.operation.notation, &[product, other])
            }
            Expression::Apply(known::NEG, operands) if has_partial(expression) => {
                -self.multiplied(algebra, &operands[0], factor)
            }
            Expression::Apply(known::DIV, operands) if has_partial(expression) => {
                let (product, divisor) = (self.multiplied(algebra, &operands[0], factor), rest(algebra, &operands[1]));
                algebra.div(product, divisor)
            }
            Expression::Apply(select @ (known::SELECT_EQ | known::SELECT_LT | known::SELECT_LE), operands) => {
                let [x, y] = [0, 1].map(|operand| rest(algebra, &operands[operand]));
                let [then, otherwise] = [2, 3].map(|operand| self.multiplied(algebra, &operands[operand], factor));
                algebra.apply(*select, self.operation.notation, &[x, y, then, otherwise])
            }
            _ => {
                let term = rest(algebra, expression);
                algebra.path_product(term, factor)
            }
        }
    }
}
