//! `a?` in a function that is read as one whose value is an `Option`: `let Some(value) = a else { return None };` before the
//! statement that it is in, after what is evaluated before it.

use std::rc::Rc;

use quote::quote;
use syn::BinOp;

use super::super::build::{Own, block_of, none, of_option, statement};
use super::super::place::Place;
use super::super::tree::{Arm, Expr, ExprKind, If, Let, Method, Pattern, PatternKind, Statement, Struct};
use super::super::walk::{Node, changes};
use super::Reader;

impl Reader<'_> {
    /// A statement in which nothing is tried, after those that try it. What may not be evaluated stays where it is: there,
    /// it is refused.
    pub(super) fn without_tries(&mut self, tried: Statement) -> Vec<Statement> {
        let mut before = Vec::new();
        let rest = match &tried {
            Statement::Expr(expression, is_value) => {
                Statement::Expr(self.untried_root(expression, &mut before), *is_value)
            }
            Statement::Let(local) => match &local.value {
                Some(value) => match (&*value.unwrapped().kind, &local.ty, &local.otherwise) {
                    (ExprKind::Try(inner), None, None) => {
                        let inner = self.untried(inner, &mut before);
                        some_or_none(local.pattern.clone(), self.tried_as_option(&inner), local.place)
                    }
                    _ => {
                        let value = Some(self.untried_root(value, &mut before));
                        Statement::Let(Rc::new(Let { value, ..(**local).clone() }))
                    }
                },
                None => tried,
            },
        };
        before.push(rest);
        before
    }

    /// What is all of a statement, or of the value of a `let`, after these statements. Jumps out of a branch in an operand
    /// would be none of statements.
    fn untried_root(&mut self, expression: &Expr, before: &mut Vec<Statement>) -> Expr {
        match &*expression.kind {
            ExprKind::If(_) | ExprKind::Match(..) => self.untried_branch(expression, before),
            ExprKind::Block(_) => expression.clone(),
            _ => self.untried(expression, before),
        }
    }

    /// A branch, the arms of which try what is tried in them.
    fn untried_branch(&mut self, branch: &Expr, before: &mut Vec<Statement>) -> Expr {
        let kind = match &*branch.kind {
            ExprKind::If(If { condition, then, otherwise }) => {
                let condition = self.untried(condition, before);
                let otherwise = otherwise.as_ref().map(|otherwise| self.arm_untried(otherwise));
                ExprKind::If(If { condition, then: then.clone(), otherwise })
            }
            ExprKind::Match(subject, arms) => {
                let subject = self.untried(subject, before);
                let mut untried = |arm: &Arm| Arm { body: self.arm_untried(&arm.body), ..arm.clone() };
                ExprKind::Match(subject, arms.iter().map(&mut untried).collect())
            }
            _ => return branch.clone(),
        };
        Expr::new(kind, branch.place)
    }

    /// The expression after these statements, which try what is tried in it.
    fn untried(&mut self, expression: &Expr, before: &mut Vec<Statement>) -> Expr {
        if !expression.has_try() {
            return expression.clone();
        }
        let place = expression.place;
        let kind = match &*expression.kind {
            ExprKind::Try(inner) => {
                let inner = self.untried(inner, before);
                let own = Own::new("value", &mut self.body.variables);
                before.push(some_or_none(own.pattern(false, place), self.tried_as_option(&inner), place));
                return own.read(place);
            }
            ExprKind::Paren(inner) => ExprKind::Paren(self.untried(inner, before)),
            ExprKind::Unary(op, inner) => ExprKind::Unary(*op, self.untried(inner, before)),
            ExprKind::Shared(inner) => ExprKind::Shared(self.untried(inner, before)),
            ExprKind::Field(inner, member) => ExprKind::Field(self.untried(inner, before), member.clone()),
            ExprKind::Cast(inner, ty) => ExprKind::Cast(self.untried(inner, before), ty.clone()),
            ExprKind::Binary(op @ (BinOp::And(_) | BinOp::Or(_)), left, right) => {
                ExprKind::Binary(*op, self.untried(left, before), right.clone())
            }
            ExprKind::Binary(op, left, right) => {
                let [left, right] = self.both_untried([left, right], before, First::Value);
                ExprKind::Binary(*op, left, right)
            }
            ExprKind::Index(base, index) => {
                let [base, index] = self.both_untried([base, index], before, First::Place);
                ExprKind::Index(base, index)
            }
            ExprKind::Assign(target, value) => ExprKind::Assign(target.clone(), self.untried(value, before)),
            ExprKind::Update(op, target, value) => ExprKind::Update(*op, target.clone(), self.untried(value, before)),
            ExprKind::Call(function, args) => {
                ExprKind::Call(function.clone(), self.all_untried(args, before, First::Value))
            }
            ExprKind::Method(call) => {
                let mut all = vec![call.receiver.clone()];
                all.extend(call.args.iter().cloned());
                let mut all = self.all_untried(&all, before, First::Place);
                let args = all.split_off(1);
                ExprKind::Method(Method { receiver: all.remove(0), args, ..call.clone() })
            }
            ExprKind::Array(elements) => ExprKind::Array(self.all_untried(elements, before, First::Value)),
            ExprKind::Tuple(elements) => ExprKind::Tuple(self.all_untried(elements, before, First::Value)),
            ExprKind::Struct(own) => {
                let values: Vec<_> = own.fields.iter().map(|(_, value)| value).chain(&own.rest).cloned().collect();
                let mut values = self.all_untried(&values, before, First::Value);
                let rest = values.split_off(own.fields.len()).pop();
                let fields = own.fields.iter().map(|(member, _)| member.clone()).zip(values).collect();
                ExprKind::Struct(Struct { fields, rest, ..own.clone() })
            }
            ExprKind::Let(pattern, subject) => ExprKind::Let(pattern.clone(), self.untried(subject, before)),
            ExprKind::If(_) | ExprKind::Match(..) => {
                let branch = self.untried_branch(expression, before);
                let own = Own::new("chosen", &mut self.body.variables);
                before.push(own.bound(branch));
                return own.read(place);
            }
            ExprKind::Return(Some(value)) => ExprKind::Return(Some(self.untried(value, before))),
            ExprKind::Break(target, Some(value)) => ExprKind::Break(*target, Some(self.untried(value, before))),
            _ => return expression.clone(),
        };
        Expr::new(kind, place)
    }

    /// Expressions that are evaluated one after the other: what is evaluated before something is tried is so before that is.
    fn all_untried(&mut self, expressions: &[Expr], before: &mut Vec<Statement>, first: First) -> Vec<Expr> {
        let last = expressions.iter().rposition(Expr::has_try).unwrap_or_default();
        let mut untried = Vec::with_capacity(expressions.len());
        for (index, expression) in expressions.iter().enumerate() {
            let value = self.untried(expression, before);
            let later = expressions.get(index + 1..=last).unwrap_or_default();
            let waits = match (index, first) {
                (0, First::Place) => self.stays(&value, later),
                _ => may_wait(&value, later),
            };
            untried.push(match index < last && !waits {
                true => {
                    let own = Own::new("operand", &mut self.body.variables);
                    before.push(own.bound(value));
                    own.read(expression.place)
                }
                false => value,
            });
        }
        untried
    }

    fn both_untried(&mut self, [left, right]: [&Expr; 2], before: &mut Vec<Statement>, first: First) -> [Expr; 2] {
        let both = self.all_untried(&[left.clone(), right.clone()], before, first);
        both.try_into().unwrap_or_else(|_| unreachable!("there are two"))
    }

    /// Whether it is all the same when a place is reached: it lies in a variable that later expressions do not change. What
    /// is not declared as `mut` may be a mutable reference, and changes where it is given away.
    fn stays(&self, place: &Expr, later: &[Expr]) -> bool {
        let Some((id, _)) = place.root() else { return may_wait(place, later) };
        let may_refer = !self.body.variables[id.0 as usize].is_mut;
        let is_it = |expression: &Expr| matches!(&*expression.kind, ExprKind::Variable(other, _) if *other == id);
        let mut is_changed = false;
        later.iter().for_each(|expression| {
            expression.walk(&mut |node| {
                let Node::Expr(inner) = node else { return };
                let is_given = match &*inner.kind {
                    ExprKind::Call(_, args) => args.iter().any(|arg| is_it(arg.unwrapped())),
                    ExprKind::Method(call) => call.args.iter().any(|arg| is_it(arg.unwrapped())),
                    _ => false,
                };
                is_changed |= may_refer && is_given || changes(inner).any(|(other, _)| other == id);
            });
        });
        !is_changed
    }

    /// An arm, which tries what is tried in it.
    fn arm_untried(&mut self, arm: &Expr) -> Expr {
        match (&*arm.kind, arm.has_try()) {
            (ExprKind::Block(_), _) | (_, false) => arm.clone(),
            (_, true) => block_of(self.without_tries(Statement::Expr(arm.clone(), true)), arm.place),
        }
    }
}

/// `let Some(pattern) = value else { return None };`.
fn some_or_none(pattern: Pattern, value: Expr, place: Place) -> Statement {
    let otherwise = block_of(vec![statement(Expr::new(ExprKind::Return(Some(none(place))), place))], place);
    let bound = pattern.place;
    let pattern = Pattern::new(PatternKind::TupleStruct(of_option(&quote!(Some)), vec![pattern]), bound);
    Statement::Let(Rc::new(Let { pattern, ty: None, value: Some(value), otherwise: Some(otherwise), place }))
}

/// What becomes of the first of several expressions.
#[derive(Copy, Clone)]
enum First {
    /// It is copied, or moved: an operand, an argument.
    Value,
    /// It may stay where it is: what a method is called on, which may change it; what is indexed.
    Place,
}

/// Whether it is all the same when a value is taken: later expressions do not mention what it is a part of.
fn may_wait(value: &Expr, later: &[Expr]) -> bool {
    match &*value.kind {
        ExprKind::Path(_) | ExprKind::Literal(_) | ExprKind::Closure(_) => true,
        ExprKind::Variable(id, _) => {
            let mut is_mentioned = false;
            later.iter().for_each(|expression| {
                expression.walk(&mut |node| {
                    let Node::Expr(inner) = node else { return };
                    is_mentioned |= matches!(&*inner.kind, ExprKind::Variable(other, _) if other == id);
                });
            });
            !is_mentioned
        }
        ExprKind::Paren(inner) | ExprKind::Field(inner, _) | ExprKind::Shared(inner) => may_wait(inner, later),
        _ => false,
    }
}
