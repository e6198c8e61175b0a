//! Places: variables and parts of them, to be assigned or to be referred to mutably.

use proc_macro2::Ident;
use quote::format_ident;
use syn::{Member, UnOp};

use super::super::read::shape::Shape;
use super::super::read::vector::Layout;
use super::super::refuse;
use super::super::syntax::{Expr, ExprKind};
use super::Lowering;
use super::bindings::Alias;
use super::control::{Flow, Stop};
use super::select::Position;
use super::value::{Place, Value};

/// A step from a place to a part of it.
enum Step<'e> {
    Index(&'e Expr),
    Field(usize),
    Named(&'e Ident),
    Target(&'e Expr),
}

impl Lowering<'_> {
    /// The place that an expression names, or that what it names refers to, to be referred to mutably. All indices in it
    /// are known: what is at a run-time index is in a variable for as long as the reference lives. Nothing else
    /// touches the array until then, and what is assigned to that variable is assigned to the array as well.
    pub(super) fn place(&mut self, target: &Expr) -> Flow<Place> {
        let place = self.assigned_place(target)?;
        let place = self.followed(place, target)?;
        Ok(match self.read(&place) {
            Value::Mutable(behind) => behind,
            _ => place,
        })
    }

    /// A place that is written as `target`, or the variable that stands for it if an index in it is known at run time
    /// only.
    pub(super) fn followed(&mut self, place: Place, target: &Expr) -> Flow<Place> {
        if place.chosen.is_empty() {
            return Ok(place);
        }
        if let Some(why) = self.inline {
            return self.refuse(target, why);
        }
        let value = self.read_chosen(&place, target)?;
        let copy = self.total_of(&format_ident!("element"), value);
        self.bindings.set_alias(copy, Alias::Place(place));
        Ok(Place::new(copy, Vec::new()))
    }

    /// A slice whose elements are at these places, to be referred to mutably: a copy, which stands for them as long as
    /// the reference lives. Until then, nothing else touches them.
    pub(super) fn slice_of_places(&mut self, elements: Vec<Place>, target: &Expr) -> Flow<Place> {
        let values = elements.iter().map(|element| self.read_chosen(element, target)).collect::<Flow<Vec<_>>>()?;
        let copy = self.total_of(&format_ident!("slice"), Value::Array(values.into()));
        self.bindings.set_alias(copy, Alias::Slice(elements));
        Ok(Place::new(copy, Vec::new()))
    }

    /// The places of the elements of the slice that a place is a copy of, if it is.
    pub(super) fn places_of_slice(&self, place: &Place) -> Option<&[Place]> {
        match self.bindings.alias(place.variable).filter(|_| place.steps.is_empty())? {
            Alias::Slice(elements) => Some(elements),
            Alias::Place(_) => None,
        }
    }

    /// The place that an expression names, to be assigned.
    pub(super) fn assigned_place(&mut self, target: &Expr) -> Flow<Place> {
        let (root, steps) = steps(target);
        self.numbers.literals.open.reach_all(target);
        let variable = match &*root.kind {
            ExprKind::Variable(id, _) if self.activation.is_receiver(*id) => {
                return self.refuse(target, refuse::FIELD_ASSIGNED);
            }
            ExprKind::Variable(id, _) => self.activation.number(*id),
            ExprKind::Path(path) => {
                let name = path.path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                return self.refuse(target, refuse::no_variable(name));
            }
            ExprKind::Method(_) | ExprKind::Call(..) | ExprKind::Try(_) | ExprKind::Mutable(_) if !steps.is_empty() => {
                // What gives a mutable reference.
                let Value::Mutable(place) = self.expression(root)? else { return self.refuse(root, refuse::PLACE) };
                let mut steps = steps;
                steps.pop_if(|step| matches!(step, Step::Target(_)));
                return self.part_of_place(place, steps);
            }
            _ => return self.refuse(root, refuse::PLACE),
        };
        if self.bindings.find(variable).is_none() {
            // What declares it has been refused.
            return Err(Box::new(Stop::Refused));
        }
        self.part_of_place(Place::new(variable, Vec::new()), steps)
    }

    /// The part of a place that steps lead to, the last one first.
    fn part_of_place(&mut self, place: Place, steps: Vec<Step<'_>>) -> Flow<Place> {
        steps.into_iter().rev().try_fold(place, |place, step| self.part(place, step))
    }

    /// The part of a place that a step leads to.
    fn part(&mut self, place: Place, step: Step) -> Flow<Place> {
        let target = match self.read(&place) {
            Value::Mutable(target) => Some(target),
            _ => None,
        };
        match (step, target) {
            (Step::Target(_), Some(target)) => Ok(target),
            (Step::Target(_), None) if self.outputs.contains(&place.variable) && place.steps.is_empty() => Ok(place),
            (Step::Target(whole), None) => self.refuse(whole, refuse::PLACE_BEHIND),
            (Step::Field(index), target) => Ok(target.unwrap_or(place).part(index)),
            (Step::Named(name), target) => self.named_part(target.unwrap_or(place), name),
            (Step::Index(index), target) => self.indexed_part(target.unwrap_or(place), index),
        }
    }

    /// The field of a struct, or the coordinate of a vector, that has this name.
    fn named_part(&mut self, place: Place, name: &Ident) -> Flow<Place> {
        let whole = self.read(&place);
        if let Some(definition) = whole.definition().filter(|_| !matches!(whole, Value::Reference(_))) {
            return match definition.index_of(&Member::Named(name.clone())) {
                Some(index) => Ok(place.part(index)),
                None => self.refuse(name, refuse::FIELD_ASSIGNED),
            };
        }
        if let Some(why) = whole.owner().and_then(|own| self.module.declared().structs().why_passive(own)) {
            return self.refuse(name, why);
        }
        match self.vector_at(&place).and_then(|layout| layout.field(&name.to_string())) {
            Some(position) => Ok(place.part(position)),
            None => self.refuse(name, refuse::FIELD_ASSIGNED),
        }
    }

    fn indexed_part(&mut self, place: Place, index: &Expr) -> Flow<Place> {
        let at = self.expression(index)?;
        if let Some(layout) = self.vector_at(&place) {
            return match self.position_in(layout, &at, index)? {
                Position::Known(position) => Ok(place.part(position)),
                Position::Chosen(variable) => Ok(place.part_at(variable, layout.count())),
            };
        }
        let array = self.read(&place);
        if array.definition().is_some() {
            return self.struct_index_place(place, &at, index);
        }
        if let (Value::Range(range), Some(length)) = (&at, self.length_of(&array)) {
            let Some(bounds) = range.within(length) else { return self.refuse(index, refuse::known_range(length)) };
            return self.slice_of_places(bounds.map(|index| place.part(index)).collect(), index);
        }
        self.is_index(&at);
        let known = at.as_int().and_then(|at| usize::try_from(at).ok());
        match (known, self.length_of(&array), &at) {
            (Some(at), Some(length), _) if at >= length => self.refuse(index, refuse::index_out_of_range(at, length)),
            (Some(at), ..) => Ok(place.part(at)),
            (None, Some(length), Value::Passive(at)) if length > 0 => {
                Ok(place.part_at(self.index_within(at, length, index)?, length))
            }
            _ => {
                let message = self.not_known(refuse::ASSIGNED_INDEX_KNOWN, index, &at);
                self.refuse(index, message)
            }
        }
    }

    /// The layout of the vector at a place, if there is one. What only looks like a vector of nalgebra does not
    /// compile.
    pub(super) fn vector_at(&mut self, place: &Place) -> Option<Layout> {
        match self.read(place) {
            Value::Vector(vector) => Some(vector.layout),
            Value::Passive(passive) => match passive.shape.as_ref().map(Shape::behind_references) {
                Some(Shape::Vector(ty)) => {
                    let ty = (**ty).clone();
                    self.require_vectors(&[&ty]);
                    Some(ty.layout)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The present value of a place.
    pub(super) fn read(&mut self, place: &Place) -> Value {
        // A variable that is not declared has been refused.
        let mut value = self.bindings.find(place.variable).map_or(Value::Unset, |binding| binding.value.clone());
        for &step in &place.steps {
            value = self.element_of(&value, step);
        }
        value
    }
}

/// The variable in which a place lies, and the way to the place in it, backwards.
fn steps(target: &Expr) -> (&Expr, Vec<Step<'_>>) {
    let mut steps = Vec::new();
    let mut inner = target;
    loop {
        inner = match &*inner.kind {
            ExprKind::Paren(inside) => inside,
            ExprKind::Index(base, index) => {
                steps.push(Step::Index(index));
                base
            }
            ExprKind::Field(base, member) => {
                steps.push(match member {
                    Member::Unnamed(index) => Step::Field(index.index as usize),
                    Member::Named(name) => Step::Named(name),
                });
                base
            }
            ExprKind::Unary(UnOp::Deref(_), target) => {
                steps.push(Step::Target(inner));
                target
            }
            _ => return (inner, steps),
        };
    }
}
