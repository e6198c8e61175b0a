//! Operands: evaluated in the user's order, although what is computed of them comes after all of them.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::syntax::{Expr, ExprKind, Node, assigned_by};
use super::control::{Flow, Stop};
use super::expected::Expected;
use super::items::with_source;
use super::observe::is_of_conditions;
use super::program::{Line, Reserved};
use super::value::{Passive, Value};
use super::{Lowering, emitted};
use crate::names::each_variable;

/// What becomes of an operand.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum OperandRole {
    /// It is copied, or moved.
    Value,
    /// It may stay where it is: a receiver of a method, what is compared. Where a later operand assigns it, it is a
    /// number, which has been copied: nothing else could be assigned then.
    Read,
    /// It stays where it is, whatever is assigned to it: what is indexed.
    Place,
}

/// An operand that has been evaluated.
struct Operand {
    value: Value,
    role: OperandRole,
    /// Where it is declared if it needs a variable.
    place: Option<Reserved>,
    /// The number of statements before it.
    lines: usize,
    /// The number of those of them that may do more than to give a value.
    effects: usize,
}

/// Operands that have been evaluated.
#[derive(Default)]
pub(super) struct Operands {
    values: Vec<Operand>,
    /// Whether one of them is refused.
    is_refused: bool,
}

impl Lowering<'_> {
    /// Evaluates expressions in the user's order; `first` is the value of an earlier one.
    pub(super) fn in_order<'e>(
        &mut self,
        first: Option<(Value, OperandRole)>,
        expressions: impl IntoIterator<Item = &'e Expr>,
    ) -> Flow<Vec<Value>> {
        self.in_order_as(first, expressions.into_iter().map(|expression| (expression, Expected::Anything)))
    }

    /// The same of expressions that are expected to be something.
    pub(super) fn in_order_as<'e>(
        &mut self,
        first: Option<(Value, OperandRole)>,
        expressions: impl IntoIterator<Item = (&'e Expr, Expected)>,
    ) -> Flow<Vec<Value>> {
        let (expressions, expected): (Vec<_>, Vec<_>) = expressions.into_iter().unzip();
        let mut left = expressions.iter().filter(|expression| !is_silent(expression)).count();
        let mut operands = Operands::default();
        if let Some((value, role)) = first {
            let is_copied = role == OperandRole::Read && self.is_assigned_in(&value, &expressions);
            let role = if is_copied { OperandRole::Value } else { role };
            self.operand_here(&mut operands, Ok(value), role, left > 0)?;
        }
        for (expression, expected) in expressions.into_iter().zip(expected) {
            let value = self.expected(expression, expected);
            left -= usize::from(!is_silent(expression));
            self.operand_here(&mut operands, value, OperandRole::Value, left > 0)?;
        }
        self.evaluated_in_order(operands)
    }

    /// Whether one of these expressions assigns a variable that an operand before them reads.
    fn is_assigned_in(&self, operand: &Value, expressions: &[&Expr]) -> bool {
        let Value::Passive(operand) = operand else { return false };
        let (mut assigned, mut is_assigned) = (HashSet::new(), false);
        for expression in expressions.iter().filter(|expression| may_wait(operand) && !is_silent(expression)) {
            expression.walk(&mut |node| {
                let Node::Expr(inner) = node else { return };
                for id in assigned_by(inner) {
                    let binding = self.bindings.find(self.activation.number(id));
                    let variable = binding.and_then(|binding| binding.value.to_passive());
                    assigned.extend(variable.map(|variable| variable.tokens().to_string()));
                }
            });
        }
        each_variable(operand.tokens().clone(), &mut |ident| is_assigned |= assigned.contains(&ident.to_string()));
        is_assigned
    }

    /// Adds an operand that has just been evaluated. If another statement may come before it is used, a place is
    /// reserved for it. After one that is refused, the others are evaluated for their errors.
    pub(super) fn operand_here(
        &mut self,
        operands: &mut Operands,
        value: Flow,
        role: OperandRole,
        is_overtaken: bool,
    ) -> Flow<()> {
        let value = match value {
            Ok(value) => value,
            Err(stop) if matches!(*stop, Stop::Refused) => {
                operands.is_refused = true;
                return Ok(());
            }
            Err(stop) => {
                self.evaluate_operands(&mut operands.values, true);
                return Err(stop);
            }
        };
        let place = match &value {
            Value::Passive(passive) if is_overtaken && self.inline.is_none() && may_wait(passive) => {
                Some(self.program.reserve(passive.tokens()))
            }
            _ => None,
        };
        let (lines, effects) = (self.program.frame.lines(), self.program.frame.effects());
        operands.values.push(Operand { value, role, place, lines, effects });
        Ok(())
    }

    /// The values of operands that have been evaluated in the user's order.
    pub(super) fn evaluated_in_order(&mut self, mut operands: Operands) -> Flow<Vec<Value>> {
        if operands.is_refused {
            return Err(Box::new(Stop::Refused));
        }
        self.evaluate_operands(&mut operands.values, false);
        Ok(operands.values.into_iter().map(|operand| operand.value).collect())
    }

    /// What still waits to be evaluated although a later operand has added statements gets a variable before
    /// these, if it calls something or if such a call could change it. So do calls that control leaves behind. What a
    /// call gives that stays in its place, a lock say, does so where these statements only give values: in a variable, it
    /// would be held until the end of the function.
    fn evaluate_operands(&mut self, operands: &mut [Operand], is_left: bool) {
        let (lines, effects) = (self.program.frame.lines(), self.program.frame.effects());
        let stays = |operand: &Operand| {
            let has_call = matches!(&operand.value, Value::Passive(passive) if passive.has_call());
            operand.role != OperandRole::Value && has_call && operand.effects == effects
        };
        let grows = |operand: &Operand| operand.lines < lines && operand.place.is_some() && !stays(operand) || is_left;
        if self.inline.is_some() || !operands.iter().any(grows) {
            return;
        }
        let are_numbers =
            operands.iter().any(|operand| !operand.value.is_passive() && !is_of_conditions(&operand.value));
        for operand in operands.iter_mut().filter(|operand| grows(operand)).rev() {
            // The result of an operator may panic before what comes after it does something.
            let is_computed =
                operand.effects < effects && matches!(&operand.value, Value::Passive(it) if it.is_computed());
            // A place of something that need not be `Copy` is borrowed there.
            let is_place = operand.role == OperandRole::Read && is_opaque(&operand.value);
            let is_value = (are_numbers || is_computed || operand.role == OperandRole::Value) && !is_place;
            if let Value::Passive(passive) = &mut operand.value
                && (passive.has_call() || is_value && !passive.is_fixed())
            {
                let (line, bound) = self.operand_declaration(passive);
                *passive = bound;
                match operand.place {
                    Some(place) => self.program.fill(place, line),
                    None => self.program.line(line),
                }
            }
        }
    }

    /// The declaration of a variable of an operand. Before it, what an iterator borrows from is in one of its own: it
    /// would be dropped at the end of the declaration.
    fn operand_declaration(&mut self, passive: &Passive) -> (Line, Passive) {
        let name = emitted(&format_ident!("operand"));
        let mut source = TokenStream::new();
        let iterator = with_source(passive.tokens(), |call| {
            let variable = self.program.variable(&emitted(&format_ident!("source")));
            source = quote!(let #variable = #call;);
            quote!(#variable)
        });
        match iterator {
            Some(iterator) => {
                let (line, bound) = self.declaration(&name, &Passive::simple(iterator), None);
                (line.after(source), bound)
            }
            None => self.declaration(&name, passive, None),
        }
    }
}

/// Whether a value is one of the module that is passive as a whole, or has such items.
fn is_opaque(value: &Value) -> bool {
    matches!(value, Value::Passive(Passive { shape: Some(shape), .. }) if shape.is_opaque())
}

/// Whether a passive operand is yet to be evaluated.
fn may_wait(passive: &Passive) -> bool {
    passive.has_call() || !passive.is_fixed()
}

/// Whether an expression surely adds no statement.
fn is_silent(expression: &Expr) -> bool {
    match &*expression.kind {
        ExprKind::Variable(..) | ExprKind::Path(_) | ExprKind::Literal(_) => true,
        ExprKind::Field(inner, _) | ExprKind::Paren(inner) | ExprKind::Shared(inner) => is_silent(inner),
        _ => false,
    }
}
