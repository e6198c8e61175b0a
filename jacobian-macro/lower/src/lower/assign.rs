//! Assignments to variables and to their elements.

use std::collections::HashSet;

use proc_macro2::Ident;
use quote::quote;
use syn::{BinOp, Member};

use super::super::read::scalar::Scalar;
use super::super::read::shape::Shape;
use super::super::refuse;
use super::super::syntax::{self, Expr, ExprKind, Node, Type, changes, surely_reads};
use super::Lowering;
use super::array::element_of;
use super::bindings::{Alias, Binding};
use super::control::Flow;
use super::expected::Expected;
use super::numbers::Number;
use super::program::Line;
use super::value::{Passive, Place, Value, Vector};
use super::vector::elements_of_vector;

impl Lowering<'_> {
    /// `target = value`. The value is evaluated first.
    pub(super) fn assignment(&mut self, target: &Expr, value: &Expr) -> Flow {
        let expected = match &*target.kind {
            ExprKind::Variable(id, _) => match self.bindings.find(self.activation.number(*id)) {
                Some(Binding { value: Value::Unset | Value::Lost, ty, .. }) => Expected::of_type(ty.as_ref()),
                Some(binding) => Expected::Value(binding.value.clone()),
                None => Expected::Anything,
            },
            // A field, or an element, is of the type of what it holds now.
            _ => match self.some_element(target) {
                None | Some(Value::Unset | Value::Lost) => Expected::Anything,
                Some(held) => Expected::Value(held),
            },
        };
        let value = self.keeping(self.is_keeping(target), |it| it.expected(value, expected))?;
        let value = if self.is_computed_place(target) { self.evaluated(value) } else { value };
        self.assign(target, value)?;
        Ok(Value::unit())
    }

    /// Whether something is evaluated to find a place that may panic or do something: an index, or a call.
    fn is_computed_place(&self, place: &Expr) -> bool {
        match &*place.kind {
            ExprKind::Paren(inner) | ExprKind::Unary(_, inner) | ExprKind::Field(inner, _) => {
                self.is_computed_place(inner)
            }
            ExprKind::Index(base, index) => {
                let is_known = matches!(&*index.kind, ExprKind::Literal(_));
                !is_known || self.struct_at(base).is_some() || self.is_computed_place(base)
            }
            ExprKind::Method(_) | ExprKind::Call(..) | ExprKind::Mutable(_) => true,
            _ => false,
        }
    }

    /// `left op= right`. The right-hand side is evaluated first where both are numbers, the place in any other case, as
    /// Rust does it.
    pub(super) fn update(&mut self, op: &BinOp, target: &Expr, operand: &Expr, whole: &Expr) -> Flow {
        let is_left = self.is_left_beside_index(target, operand);
        if is_left && !self.is_of_numbers(target) {
            return self.refuse(target, refuse::JUMP_BESIDE_INDEX);
        }
        let has_own = |it: &mut Self| {
            it.struct_at(target).is_some() || it.some_element(target).is_some_and(|value| value.opaque().is_some())
        };
        if !is_left
            && has_own(self)
            && self.inline.is_none()
            && let Some(kept) = self.kept(whole)
        {
            return Ok(Value::Passive(kept.statement()));
        }
        let first = match depends_on_order(target, operand) && self.is_place_first(target, operand)? {
            true => Some(self.assigned_place(target)?),
            false => None,
        };
        let right = self.expression(operand)?;
        let right = if first.is_none() && self.is_computed_place(target) { self.evaluated(right) } else { right };
        if let Some(why) = self.inline {
            return self.refuse(target, why);
        }
        let place = match first {
            Some(place) => place,
            None => self.assigned_place(target)?,
        };
        let left = self.read_chosen(&place, target)?;
        let left = self.assigned(left, target)?;
        if left.definition().is_some() || right.definition().is_some() {
            let place = self.followed(place, target)?;
            return self.struct_updated(op, (place, target), (right, operand), whole);
        }
        if left.opaque().is_some() {
            return self.opaque_updated(op, (&place, target), &right);
        }
        let value = self.operated(op, (left, target), (right, operand), whole)?;
        self.write(&place, value, target)?;
        Ok(Value::unit())
    }

    /// Whether the place of `target op= operand` is evaluated before the operand: they are not both numbers.
    fn is_place_first(&mut self, target: &Expr, operand: &Expr) -> Flow<bool> {
        if !self.is_of_numbers(target) {
            let is_known = self.some_element(target).is_some_and(|held| !matches!(held, Value::Passive(_)));
            return if is_known { Ok(true) } else { self.refuse(target, refuse::UPDATE_BESIDE_INDEX) };
        }
        let is_float = !matches!(self.some_element(target), Some(value) if value.as_int().is_some());
        if is_float && !matches!(self.scalar, Scalar::Primitive(_)) {
            return Ok(true);
        }
        match self.on_trial(|lowering| lowering.expression(operand)) {
            Some(Value::Active(active)) => Ok(active.is_reference),
            Some(Value::Called(_)) => Ok(false),
            Some(Value::Passive(passive)) if passive.number.is_some() || passive.is_float() => {
                Ok(passive.is_reference())
            }
            Some(Value::Passive(Passive { shape: Some(shape), .. })) if !shape.is_opaque() => {
                Ok(!matches!(shape, Shape::Float(_)))
            }
            Some(Value::Passive(_)) => self.refuse(target, refuse::UPDATE_BESIDE_INDEX),
            // A mutable reference, or what is refused anyway.
            _ => Ok(true),
        }
    }

    /// Whether a place surely holds a number, whose operators evaluate their right-hand sides first.
    fn is_of_numbers(&mut self, target: &Expr) -> bool {
        match self.some_element(target) {
            Some(Value::Active(_)) => true,
            Some(Value::Passive(passive)) => match passive.number {
                Some(Number::Table(_) | Number::Unit(_)) => false,
                Some(_) => true,
                None => matches!(passive.shape, Some(Shape::Float(_))),
            },
            _ => false,
        }
    }

    /// What a place holds, or another element of the same array does.
    fn some_element(&mut self, target: &Expr) -> Option<Value> {
        let (base, step) = match &*target.kind {
            ExprKind::Variable(id, _) => {
                let place = Place::new(self.activation.number(*id), Vec::new());
                return Some(self.read(&place));
            }
            ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => return self.some_element(inner),
            ExprKind::Index(base, _) => (base, None),
            ExprKind::Field(base, member) => (base, Some(member)),
            _ => return None,
        };
        let mut whole = self.some_element(base)?;
        while let Value::Mutable(place) = whole {
            whole = self.read(&place);
        }
        let position = match (whole.behind_references(), step) {
            (Value::Vector(_), _) => 0,
            (_, None) if whole.definition().is_some() => return None,
            (_, None) => 0,
            (whole, Some(member)) => match (whole.definition(), member) {
                (Some(definition), member) => definition.index_of(member)?,
                (None, Member::Unnamed(index)) => index.index as usize,
                (None, Member::Named(_)) => return None,
            },
        };
        let whole = whole.behind_references().clone();
        (self.length_of(&whole) != Some(0)).then(|| self.element_of(&whole, position))
    }

    /// Whether `target op= operand` has an index, and an operand that jumps where the user wrote it.
    pub(super) fn is_left_beside_index(&self, target: &Expr, operand: &Expr) -> bool {
        let is_note = |id| self.bindings.is_note(self.activation.number(id));
        has_index(target) && matches!(&*operand.kind, ExprKind::Variable(id, _) if is_note(*id))
    }

    /// Assigns `value` to the place that `target` names, or takes it apart if `target` is a tuple or an array.
    pub(super) fn assign(&mut self, target: &Expr, value: Value) -> Flow<()> {
        if let Some(why) = self.inline {
            return self.refuse(target, why);
        }
        match &*target.kind {
            ExprKind::Paren(inner) => self.assign(inner, value),
            ExprKind::Infer => {
                self.discard(&value);
                Ok(())
            }
            ExprKind::Tuple(targets) | ExprKind::Array(targets) => self.assign_elements(target, targets, value),
            _ => {
                let place = self.assigned_place(target)?;
                self.write(&place, value, target)
            }
        }
    }

    fn assign_elements(&mut self, whole: &Expr, targets: &[Expr], value: Value) -> Flow<()> {
        let elements = match value {
            Value::Tuple(elements) | Value::Array(elements) if elements.len() == targets.len() => elements,
            Value::Passive(passive) if passive.length() == Some(targets.len()) => {
                (0..targets.len()).map(|index| self.element_of(&Value::Passive(passive.clone()), index)).collect()
            }
            _ => return self.refuse(whole, refuse::UNEQUAL_SIDES),
        };
        targets.iter().zip(elements).try_for_each(|(target, element)| self.assign(target, element))
    }

    /// Assigns `value` to `place`, which is written as `target`.
    pub(super) fn write(&mut self, place: &Place, value: Value, target: &Expr) -> Flow<()> {
        if matches!(value, Value::Closure(_) | Value::Mutable(_)) {
            return self.refuse(target, refuse::REFERENCE_ASSIGNED);
        }
        let value = self.no_record(value, target)?;
        if self.bindings.is_moved(place.variable) {
            return self.refuse(target, refuse::MOVED);
        }
        let name = self.bindings.name(place.variable);
        if !place.chosen.is_empty() {
            let value = self.let_bind(value, &name, None)?;
            return self.write_chosen(place, &value, target);
        }
        let value = match self.converted_for(value, place)? {
            Value::Passive(passive) => {
                let old = self.read(place);
                let ty = self.bindings.get(place.variable).ty.clone().filter(|_| place.steps.is_empty());
                Value::Passive(self.renewed(&name, &passive, old, ty))
            }
            value => self.let_bind(value, &name, None)?,
        };
        let value = self.limited(value, target)?;
        match descend(self.variable_at(place.variable), &place.steps) {
            Some(part) => *part = value,
            None => return self.refuse(target, refuse::PLACE_OF_UNKNOWN_LENGTH),
        }
        match self.bindings.alias(place.variable).cloned() {
            Some(alias) => self.write_through(&alias, place, target),
            None => Ok(()),
        }
    }

    /// Assigns a part of a variable, which has been assigned, to the same part of what the variable stands for. What
    /// may be missing is assigned as a whole: what else that place may be need not be there.
    fn write_through(&mut self, alias: &Alias, part: &Place, target: &Expr) -> Flow<()> {
        let mut value = self.read(&Place::new(part.variable, Vec::new()));
        let (mut alias, steps) = match (alias, part.steps.split_first()) {
            (Alias::Place(place), _) => (place.clone(), &part.steps[..]),
            (Alias::Slice(elements), Some((&index, steps))) => {
                value = self.element_of(&value, index);
                (elements[index].clone(), steps)
            }
            (Alias::Slice(elements), None) => {
                return elements.iter().enumerate().try_for_each(|(index, element)| {
                    let value = self.element_of(&value, index);
                    self.write_chosen(element, &value, target)
                });
            }
        };
        for &step in steps {
            if let Value::Optional(_) = value {
                break;
            }
            value = self.element_of(&value, step);
            alias.steps.push(step);
        }
        self.write_chosen(&alias, &value, target)
    }

    /// The value that is assigned to `place`, where `into` makes it one of the place's type.
    fn converted_for(&mut self, value: Value, place: &Place) -> Flow {
        let Value::Into(source) = &value else { return Ok(value) };
        if let Some(ty) = self.bindings.get(place.variable).ty.clone().filter(|_| place.steps.is_empty()) {
            return self.declared(value, Some(&ty));
        }
        match self.read(place) {
            Value::Vector(present) => Ok(self.converted_like(source, &present).unwrap_or(value)),
            present => match (self.length_of(source), self.length_of(&present)) {
                (Some(length), Some(other)) if length == other => {
                    Ok(Value::Array((0..length).map(|index| self.element_of(source, index)).collect()))
                }
                _ => Ok(value),
            },
        }
    }

    /// The value of the variable with this number, to assign to it.
    pub(super) fn variable_at(&mut self, number: usize) -> &mut Value {
        let binding = self.bindings.at(number);
        self.program.frame.save(number, binding);
        &mut binding.value
    }

    /// What a place is that is assigned a passive value: a literal, or a new variable. It has the type of
    /// the old value.
    fn renewed(&mut self, name: &Ident, passive: &Passive, old: Value, ty: Option<Type>) -> Passive {
        if let Some(ty) = &ty {
            return self.let_bound(passive.clone(), name, Some(ty));
        }
        if let (Some(old), Some(new)) = (old.number(), &passive.number) {
            self.numbers.same_type(old, new);
        }
        let was_float = matches!(&old, Value::Passive(old) if old.is_float());
        let renewed = match old {
            _ if passive.number.as_ref().is_some_and(|number| self.numbers.is_literal(number)) => {
                self.let_bound(passive.clone(), name, None)
            }
            Value::Passive(old) if old.shape.as_ref().is_none_or(Shape::is_opaque) => {
                let is_number = old.number.is_some();
                let (variable, old, tokens) = (self.program.variable(name), old.tokens(), passive.tokens());
                // Nothing drops a number. What else the variable was is read, or the user would be told that it is not.
                let line = match is_number {
                    true => quote!(let [_, #variable] = [#old, #tokens];),
                    false => quote!(let mut #variable = #old; let _ = &#variable; #variable = #tokens;),
                };
                let is_optional = passive.number.is_some() && !self.numbers.literals.open.are_some();
                self.program.line(Line::variable(&variable, passive.is_owned, line).optional(is_optional));
                let renewed = Passive::simple(quote!(#variable)).with_number(passive.number.clone());
                let renewed = renewed.with_shape(passive.shape.clone()).holding(passive);
                renewed.owned(passive.is_owned).given(passive.is_given).lacking_type(passive.lacks_type)
            }
            Value::Active(_) => {
                let ty = syntax::ty(&syn::Type::Verbatim(self.scalar.ty()));
                self.let_bound(passive.clone(), name, Some(&ty))
            }
            _ => self.let_bound(passive.clone(), name, None),
        };
        let is_float = was_float || passive.is_float() || renewed.is_float();
        renewed.floating(is_float)
    }
}

/// The part of `value` that `steps` lead to.
pub(super) fn descend<'v>(value: &'v mut Value, steps: &[usize]) -> Option<&'v mut Value> {
    let mut place = value;
    for &step in steps {
        if let Value::Passive(passive) = place {
            *place = match passive.shape.as_ref().map(Shape::behind_references) {
                Some(Shape::Vector(ty)) => Value::Vector(elements_of_vector(passive, ty)),
                Some(Shape::Tuple(parts)) => {
                    let parts = (0..parts.len()).map(|index| Value::Passive(element_of(passive, index)));
                    Value::Tuple(parts.collect::<Vec<_>>().into())
                }
                _ => super::array::taken_apart(passive)?,
            };
        }
        place = match place {
            Value::Array(elements) | Value::Tuple(elements) => elements.get_mut(step)?,
            Value::Vector(Vector { elements, .. }) => elements.get_mut(step)?,
            Value::Optional(of) => of.part_mut(step)?,
            _ => return None,
        };
    }
    Some(place)
}

/// Whether it matters in which order the place of `target op= operand` and the operand are evaluated: the operand changes
/// what an index reads, or both call something.
fn depends_on_order(target: &Expr, operand: &Expr) -> bool {
    let (mut read, mut calls) = (HashSet::new(), false);
    let is_call = |inner: &Expr| match &*inner.kind {
        ExprKind::Method(call) => !surely_reads(&call.name),
        ExprKind::Call(..) | ExprKind::Macro(_) | ExprKind::Other(..) => true,
        _ => false,
    };
    let mut place = target;
    loop {
        place = match &*place.kind {
            ExprKind::Index(base, index) => {
                index.walk(&mut |node| {
                    let Node::Expr(inner) = node else { return };
                    calls |= is_call(inner);
                    if let ExprKind::Variable(id, _) = &*inner.kind {
                        read.insert(*id);
                    }
                });
                base
            }
            ExprKind::Paren(inner) | ExprKind::Field(inner, _) | ExprKind::Unary(_, inner) => inner,
            _ => break,
        };
    }
    let mut depends = false;
    operand.walk(&mut |node| {
        let Node::Expr(inner) = node else { return };
        depends |= calls && is_call(inner) || changes(inner).any(|(id, _)| read.contains(&id));
    });
    depends
}

/// Whether a place is an element, or a part of one.
fn has_index(target: &Expr) -> bool {
    match &*target.kind {
        ExprKind::Index(..) => true,
        ExprKind::Paren(inner) | ExprKind::Field(inner, _) | ExprKind::Unary(_, inner) => has_index(inner),
        _ => false,
    }
}
