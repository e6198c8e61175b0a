//! Values of the structs of the module: tuples whose parts have names. They are made, taken apart and copied here part by
//! part; the struct itself is written only where something passive, or the caller, is given one.

use std::rc::Rc;

use quote::quote;
use syn::ext::IdentExt;
use syn::{ItemConst, Member, UnOp};

use super::super::read::shape::{Shape, Struct};
use super::super::refuse;
use super::super::syntax::{self, Binding, Expr, ExprKind, Path, Pattern, VariableId};
use super::array::element_of;
use super::control::{Flow, Match};
use super::expected::Expected;
use super::items::Access;
use super::value::{Elements, Value};
use super::{Lowering, emitted};

impl<'l> Lowering<'l> {
    /// The struct of the module that a path means.
    pub(super) fn struct_named(&self, path: &Path) -> Option<Rc<Struct>> {
        self.module.declared().struct_named(path)?.as_ref().ok().cloned()
    }

    /// Why the struct of the module that a path means is not known, if it is one.
    pub(super) fn why_unknown(&self, path: &Path) -> Option<String> {
        self.module.declared().struct_named(path)?.as_ref().err().cloned()
    }

    /// The shape of the struct of the module that a path means, if it is passive as a whole.
    pub(super) fn opaque_named(&self, path: &Path) -> Option<Shape> {
        let found = self.module.declared().structs().opaque(&path.path.path, &path.names)?;
        let may_be = path.binding == Binding::Item || path.path.path.segments.len() > 1;
        (may_be && path.path.qself.is_none()).then(|| Shape::Opaque(found.clone()))
    }

    /// Makes the generated code fail to compile where dropping a value of a struct does something: the values here are
    /// floats that nothing drops.
    pub(super) fn require_struct(&mut self, definition: &Struct) {
        if !definition.is_copy {
            let ty = definition.ty();
            let check = quote!(
                const _: () = ::core::assert!(!::core::mem::needs_drop::<#ty>());
            );
            self.program.require(check.to_string(), check);
        }
    }

    /// `State { x, ..rest }`, if it is a struct of the module that is known.
    pub(super) fn constructed(&mut self, construction: &syntax::Struct) -> Flow<Option<Value>> {
        let Some(definition) = self.struct_named(&construction.path) else { return Ok(None) };
        self.require_struct(&definition);
        let places: Vec<_> = construction.fields.iter().map(|(member, _)| definition.index_of(member)).collect();
        let written: Vec<_> =
            construction.fields.iter().map(|(_, value)| value).chain(&construction.rest).cloned().collect();
        let expected = |index: usize| match places.get(index) {
            Some(Some(place)) => Expected::Shape(definition.fields[*place].shape.clone()),
            _ => Expected::Anything,
        };
        let mut given = self.elements_in_order(&written, &expected)?.to_vec();
        let rest = match &construction.rest {
            Some(place) => {
                match given.pop().map(|rest| self.as_struct(rest, &definition)).map(|it| (self.elements(&it), it)) {
                    Some((Some((fields, ..)), rest))
                        if rest.definition().is_some_and(|own| own.name == definition.name) =>
                    {
                        Some(fields)
                    }
                    _ => return self.refuse(place, refuse::STRUCT_REST),
                }
            }
            None => None,
        };
        let mut fields = Vec::with_capacity(definition.fields.len());
        for (index, field) in definition.fields.iter().enumerate() {
            let named = places.iter().position(|place| *place == Some(index));
            fields.push(match (named, &rest) {
                (Some(at), _) => given[at].clone(),
                (None, Some(rest)) => rest[index].clone(),
                (None, None) => {
                    return self
                        .refuse(&construction.path, refuse::struct_without_field(&definition.name, field.name()));
                }
            });
        }
        Ok(Some(Value::Tuple(Elements::of_struct(fields, &definition))))
    }

    /// What is no other than this struct, as rustc sees to.
    fn as_struct(&mut self, value: Value, definition: &Rc<Struct>) -> Value {
        match value {
            Value::Passive(passive) if passive.shape.is_none() && self.inline.is_none() => {
                let shape = Shape::Struct(definition.clone());
                let ty = syntax::ty(&syn::Type::Verbatim(shape.ty()));
                let name = emitted(&quote::format_ident!("rest"));
                Value::Passive(self.let_passive(&name, &passive, Some(&ty)).with_shape(Some(shape)))
            }
            value => value,
        }
    }

    /// `State(x, v)`, if it is a struct of the module that is known.
    pub(super) fn constructed_tuple(&mut self, path: &Path, args: &[Value]) -> Option<Value> {
        let definition = self.struct_named(path).filter(|own| own.is_tuple && own.fields.len() == args.len())?;
        self.require_struct(&definition);
        let mut fields = Vec::with_capacity(args.len());
        for (arg, field) in args.iter().zip(&definition.fields) {
            fields.push(match arg {
                Value::Passive(passive) => Value::Passive(self.once_as(passive, &Expected::Shape(field.shape.clone()))),
                arg => arg.clone(),
            });
        }
        Some(Value::Tuple(Elements::of_struct(fields, &definition)))
    }

    /// The constant that a path means: one of the module, or one of a struct in it.
    pub(super) fn constant_of_module(&self, path: &Path) -> Option<&'l ItemConst> {
        let segments = &path.path.path.segments;
        let last = segments.last()?;
        if path.binding == Binding::Item && segments.len() == 1 {
            return self.module.declared().constant(&last.ident);
        }
        let mut ty = path.clone();
        ty.path.path.segments.pop();
        ty.path.path.segments.pop_punct();
        let owner = self.struct_named(&ty)?;
        self.module.declared().methods().constant(&owner.name.unraw().to_string(), &last.ident.unraw().to_string())
    }

    /// The struct that an expression is which names a variable or a field, as far as that is seen without evaluating it.
    pub(super) fn struct_at(&self, place: &Expr) -> Option<Rc<Struct>> {
        match &*place.kind {
            ExprKind::Paren(inner) | ExprKind::Unary(UnOp::Deref(_), inner) => self.struct_at(inner),
            ExprKind::Variable(id, _) => self.held_by(*id)?.definition().cloned(),
            ExprKind::Field(base, member) => {
                let definition = self.struct_at(base)?;
                match definition.fields[definition.index_of(member)?].shape.behind_references() {
                    Shape::Struct(inner) => Some(inner.clone()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The shape of a place that says whose methods it has, as far as that is seen without evaluating it.
    pub(super) fn opaque_at(&self, place: &Expr) -> Option<Shape> {
        let shape = match &*place.kind {
            ExprKind::Paren(inner) => self.opaque_at(inner)?,
            ExprKind::Unary(UnOp::Deref(_), inner) => match self.opaque_at(inner)? {
                Shape::Reference(target) => *target,
                _ => return None,
            },
            ExprKind::Variable(id, _) => self.held_by(*id)?.shape()?.clone(),
            ExprKind::Field(base, member) => {
                let own = self.opaque_at(base)?;
                self.passive_shape_of(&syntax::ty(own.opaque()?.field(member)?))?
            }
            ExprKind::Index(base, index) if !matches!(&*index.unwrapped().kind, ExprKind::Range(..)) => {
                match self.opaque_at(base)?.behind_references() {
                    Shape::Items(item) => (**item).clone(),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(shape).filter(Shape::is_opaque)
    }

    /// The struct that the elements are of an array in a variable or in a field of a struct, if an expression names one of
    /// them, as far as that is seen without evaluating it.
    pub(super) fn element_struct_at(&self, place: &Expr) -> Option<Rc<Struct>> {
        let ExprKind::Index(array, index) = &*place.unwrapped().kind else { return None };
        let of_elements = |shape: &Shape| match shape.behind_references() {
            Shape::Array(element, _) => match element.behind_references() {
                Shape::Struct(own) => Some(own.clone()),
                _ => None,
            },
            _ => None,
        };
        match (&*array.unwrapped().kind, &*index.unwrapped().kind) {
            (_, ExprKind::Range(..)) => None,
            (ExprKind::Variable(id, _), _) => match self.held_by(*id)?.behind_references() {
                Value::Array(elements) => elements.first()?.definition().cloned(),
                Value::Passive(passive) => of_elements(passive.shape.as_ref()?),
                _ => None,
            },
            (ExprKind::Field(base, member), _) => {
                let definition = self.struct_at(base)?;
                of_elements(&definition.fields[definition.index_of(member)?].shape)
            }
            _ => None,
        }
    }

    /// What a variable holds, or what it refers to mutably.
    fn held_by(&self, id: VariableId) -> Option<Value> {
        let value = &self.bindings.find(self.activation.number(id))?.value;
        let Value::Mutable(place) = value else { return Some(value.clone()) };
        let mut value = self.bindings.find(place.variable)?.value.clone();
        for &step in &place.steps {
            value = match value.behind_references() {
                Value::Array(parts) | Value::Tuple(parts) => parts.get(step)?.clone(),
                Value::Passive(passive) => Value::Passive(element_of(passive, step)),
                _ => return None,
            };
        }
        Some(value)
    }

    /// A field of a struct.
    pub(super) fn field_of_struct(&mut self, fields: &Elements, member: &Member) -> Flow {
        match fields.definition().and_then(|definition| definition.index_of(member)) {
            Some(index) => Ok(fields[index].clone()),
            None => self.refuse(member, refuse::FIELD_OF_ACTIVE),
        }
    }

    /// Binds a pattern of named fields.
    pub(super) fn bind_struct(&mut self, whole: &Pattern, parts: &[(Member, Pattern)], value: Value) -> Flow<()> {
        let definition = match &value {
            Value::Mutable(place) => self.read(place).definition().cloned(),
            value => value.definition().cloned(),
        };
        let (Some(definition), Some((fields, access, _))) = (definition, self.elements(&value)) else {
            return self.refuse(whole, refuse::PATTERN);
        };
        for (member, part) in parts {
            let Some(index) = definition.index_of(member) else { return self.refuse(member, refuse::PATTERN) };
            let field = match access {
                Access::Value => fields[index].clone(),
                Access::Reference => self.shared(fields[index].clone()),
            };
            self.bind(part, field, None)?;
        }
        Ok(())
    }

    /// Whether the fields of a struct match their patterns.
    pub(super) fn fields_match(&mut self, parts: &[(Member, Pattern)], fields: &Elements) -> Flow<Match> {
        let definition = fields.definition().cloned();
        let mut found = Match::Yes;
        for (member, part) in parts {
            let index = definition.as_ref().and_then(|definition| definition.index_of(member));
            found = found.and(match index {
                Some(index) => self.matches(part, &fields[index])?,
                None => Match::Unknown,
            });
        }
        Ok(found)
    }
}
