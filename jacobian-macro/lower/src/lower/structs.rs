//! Values of the structs of the module: tuples whose parts have names. They are made, taken apart and copied here part by
//! part; the struct itself is written only where something passive, or the caller, is given one.

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Ident, ItemConst, Member, UnOp};

use super::super::read::shape::{Field, Opaque, Shape, Struct};
use super::super::refuse;
use super::super::syntax::{self, Binding, Expr, ExprKind, Path, Pattern, VariableId};
use super::array::element_of;
use super::control::{Flow, Match};
use super::expected::Expected;
use super::items::Access;
use super::numbers::{Number, Unit};
use super::value::{Elements, Passive, Value};
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

    /// The shape of what a path names that is a struct without fields, or a variant of an enum without any, of the module.
    pub(super) fn shape_of_unit(&self, path: &Path) -> Option<Shape> {
        if let Some(shape) = self.opaque_named(path)
            && shape.opaque().is_some_and(|own| own.is_unit)
        {
            return Some(shape);
        }
        self.enum_of(path).filter(|(own, variant)| own.unit(variant).is_some()).map(|(own, _)| Shape::Opaque(own))
    }

    /// The variant that a path names, if it holds nothing and its enum can be copied.
    pub(super) fn known_unit(&mut self, path: &Path) -> Option<Number> {
        self.unit_named(path, |own| own.is_derived("Copy"))
    }

    /// The same of what is converted, which moves nothing.
    pub(super) fn converted_unit(&mut self, converted: &Expr) -> Option<Number> {
        let ExprKind::Path(path) = &*converted.unwrapped().kind else { return None };
        self.unit_named(path, |_| true)
    }

    fn unit_named(&mut self, path: &Path, is_known: impl Fn(&Opaque) -> bool) -> Option<Number> {
        let (of, name) = self.enum_of(path).filter(|(own, _)| self.decides && is_known(own))?;
        let variant = of.unit(&name)?;
        self.has_decided = true;
        Some(Number::Unit(Unit { of, variant }))
    }

    /// The shape of what such a variant that holds something is written as.
    pub(super) fn shape_of_variant(&self, path: &Path) -> Option<Shape> {
        let found = self.enum_of(path).filter(|(own, variant)| own.variant(variant).is_some());
        found.map(|(own, _)| Shape::Opaque(own))
    }

    /// The types of what a pattern takes apart that begins with this path, where it is for a value of this type.
    pub(super) fn fields_in_pattern<'o>(&self, path: &Path, own: &'o Rc<Opaque>) -> &'o [(Member, syn::Type)] {
        let is_own = |shape: &Shape| shape.opaque().is_some_and(|it| Rc::ptr_eq(it, own));
        if self.opaque_named(path).as_ref().is_some_and(is_own) {
            return &own.fields;
        }
        let variant = self.enum_of(path).filter(|(of, _)| Rc::ptr_eq(of, own));
        variant.and_then(|(_, variant)| own.variant(&variant)).unwrap_or_default()
    }

    /// The enum of the module of which a path names a variant, and its name.
    fn enum_of(&self, path: &Path) -> Option<(Rc<Opaque>, Ident)> {
        if let (Some(name), Binding::Item | Binding::Outside) = (path.path.path.get_ident(), path.binding) {
            return self.module.declared().structs().variants.get(&name.to_string()).cloned();
        }
        let mut ty = self.behind_import(path).unwrap_or_else(|| path.clone());
        let variant = ty.path.path.segments.pop()?.ident;
        ty.path.path.segments.pop_punct();
        let shape = self.opaque_named(&ty).filter(|_| !ty.path.path.segments.is_empty())?;
        Some((shape.opaque()?.clone(), variant))
    }

    /// A path that begins with what is imported in the function, as one from the module.
    fn behind_import(&self, path: &Path) -> Option<Path> {
        let Binding::Import(id) = path.binding else { return None };
        let imported = &self.activation.body.imports[id.0 as usize].path;
        let mut whole: syn::Path = syn::parse2(imported.tokens.clone()).ok()?;
        whole.segments.extend(path.path.path.segments.iter().skip(1).cloned());
        let ty = syn::TypePath { attrs: Vec::new(), qself: None, path: whole };
        let read = syntax::path(&ty, self.module.declared().items());
        Some(Path { names: imported.names.clone(), ..read })
    }

    /// Makes the generated code fail to compile where dropping a value of a struct does something: the values here are
    /// floats that nothing drops.
    pub(super) fn require_struct(&mut self, definition: &Struct) {
        if !definition.is_copy {
            self.require_no_drop(&definition.ty());
        }
    }

    /// Makes the generated code fail to compile where dropping a value of a type does something.
    pub(super) fn require_no_drop(&mut self, ty: &TokenStream) {
        let check = quote!(
            const _: () = ::core::assert!(!::core::mem::needs_drop::<#ty>());
        );
        self.program.require(check.to_string(), check);
    }

    /// `State { x, ..rest }`, if it is a struct of the module that is known.
    pub(super) fn constructed(&mut self, construction: &syntax::Struct) -> Flow<Option<Value>> {
        let candidates = self.instances_named(&construction.path);
        let guess = self.struct_named(&construction.path);
        let named = guess.clone().filter(|_| candidates.is_empty());
        if named.is_none() && candidates.is_empty() {
            return Ok(None);
        }
        let written: Vec<_> =
            construction.fields.iter().map(|(_, value)| value).chain(&construction.rest).cloned().collect();
        let expected = |index: usize| {
            let (member, value) = construction.fields.get(index)?;
            // What says of itself what it is, is not told by what is only likely.
            let definition = guess.as_ref().filter(|_| named.is_some() || !is_told(value))?;
            Some(Expected::Shape(definition.fields[definition.index_of(member)?].shape.clone()))
        };
        let expected = |index: usize| expected(index).unwrap_or_default();
        let mut given = self.elements_in_order(&written, &expected)?.to_vec();
        let definition = match named {
            Some(definition) => definition,
            None => {
                let of_rest = construction.rest.as_ref().and_then(|_| given.last()?.definition().cloned());
                let fits = |own: &Rc<Struct>| {
                    of_rest.as_ref().is_none_or(|rest| rest.name == own.name)
                        && construction.fields.iter().zip(&given).all(|((member, _), value)| {
                            own.index_of(member).is_some_and(|place| may_be(value, &own.fields[place].shape))
                        })
                };
                let chosen = only(candidates, &fits);
                let is_passive = construction.rest.is_none() && given.iter().all(Value::is_passive);
                match chosen.filter(|_| !is_passive || given.iter().all(is_definite)) {
                    Some(chosen) => chosen,
                    None if is_passive => {
                        let members = construction.fields.iter().map(|(member, _)| member);
                        let path = self.written_path(&construction.path);
                        let fields = given.iter().map(|field| Some(field.to_passive()?.tokens().clone()));
                        let fields = fields.collect::<Option<Vec<_>>>().unwrap_or_default();
                        let written = Passive::compound(quote!(#path { #(#members: #fields),* }));
                        return Ok(Some(Value::Passive(written)));
                    }
                    None => return self.refuse_instance(&construction.path),
                }
            }
        };
        self.require_struct(&definition);
        let places: Vec<_> = construction.fields.iter().map(|(member, _)| definition.index_of(member)).collect();
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

    /// The instances of the generic struct that a path names, whose arguments are not written, or are parameters of the
    /// present function.
    fn instances_named(&self, path: &Path) -> Vec<Rc<Struct>> {
        let declared = self.module.declared();
        let last = path.path.path.segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default();
        if declared.struct_named(path).is_none() {
            return Vec::new();
        }
        let names = declared.instances().of(&last).unwrap_or_default();
        names.into_iter().filter_map(|name| declared.structs().read.get(name)?.as_ref().ok().cloned()).collect()
    }

    /// The only instance of the generic struct that a path names without arguments.
    pub(super) fn only_instance(&self, path: &Path) -> Option<Rc<Struct>> {
        let mut all = self.instances_named(path).into_iter();
        all.next().filter(|_| all.next().is_none())
    }

    /// Refuses a construction of which it is not known what instance it gives.
    fn refuse_instance<T>(&mut self, path: &Path) -> Flow<T> {
        let last = path.path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let message = refuse::struct_of_no_instance(self.module.declared().instances().name_of(&last));
        self.refuse(path, message)
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
    pub(super) fn constructed_tuple(&mut self, path: &Path, args: &[Value]) -> Option<Flow> {
        let is_of_these = |own: &Rc<Struct>| own.is_tuple && own.fields.len() == args.len();
        let candidates = self.instances_named(path);
        let definition = match self.struct_named(path).filter(|_| candidates.is_empty()) {
            Some(definition) => Some(definition).filter(is_of_these)?,
            None => {
                let candidates: Vec<_> = candidates.into_iter().filter(is_of_these).collect();
                if candidates.is_empty() {
                    return None;
                }
                // What is passive stays so as a whole, where it does not tell all of its type.
                let is_passive = args.iter().all(Value::is_passive);
                let is_sure = |arg: &Value, own: &Field| {
                    self.text_of(arg).is_some_and(|text| own.shape.text().as_ref() == Some(&text))
                };
                let is_one = |arg: &Value, own: &Field| {
                    if is_passive { is_sure(arg, own) } else { may_be(arg, &own.shape) }
                };
                let fits = |own: &Rc<Struct>| args.iter().zip(&own.fields).all(|(arg, own)| is_one(arg, own));
                match only(candidates, &fits) {
                    Some(definition) => definition,
                    None if is_passive => return None,
                    None => return Some(self.refuse_instance(path)),
                }
            }
        };
        self.require_struct(&definition);
        let mut fields = Vec::with_capacity(args.len());
        for (arg, field) in args.iter().zip(&definition.fields) {
            fields.push(match arg {
                Value::Passive(passive) => Value::Passive(self.once_as(passive, &Expected::Shape(field.shape.clone()))),
                arg => arg.clone(),
            });
        }
        Some(Ok(Value::Tuple(Elements::of_struct(fields, &definition))))
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
        let owner = self.owner_named(&ty)?;
        self.module.declared().methods().constant(&owner.unraw().to_string(), &last.ident.unraw().to_string())
    }

    /// The name of the struct or the enum of the module that a path means.
    fn owner_named(&self, path: &Path) -> Option<Ident> {
        match self.struct_named(path) {
            Some(own) => Some(own.name.clone()),
            None => self.opaque_named(path)?.opaque().map(|own| own.name.clone()),
        }
    }

    /// The shape of a constant or of a static of the module, as its type tells it.
    pub(super) fn shape_of_item(&self, path: &Path) -> Option<Shape> {
        let of_static = || {
            let name = path.path.path.get_ident().filter(|_| path.binding == Binding::Item)?;
            self.module.declared().type_of_static(name)
        };
        let ty = self.constant_of_module(path).map(|item| &*item.ty).or_else(of_static)?;
        self.passive_shape_of(&syntax::ty(ty))
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
            ExprKind::Path(path) => self.shape_of_item(path)?,
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
            (ExprKind::Path(path), _) => of_elements(&self.shape_of_item(path)?),
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
        let Some(definition) = fields.definition() else { return self.refuse(member, refuse::FIELD_OF_ACTIVE) };
        match definition.index_of(member) {
            Some(index) => Ok(fields[index].clone()),
            None => {
                let names: Vec<_> = definition.fields.iter().map(|field| field.name()).collect();
                let (ty, field, names) = (definition.name.unraw(), quote!(#member), names.join("`, `"));
                self.refuse(member, refuse::no_such_field(ty, field, names))
            }
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

/// Whether an expression has a type of its own, whatever is expected.
fn is_told(value: &Expr) -> bool {
    let kind = &*value.unwrapped().kind;
    matches!(
        kind,
        ExprKind::Variable(..) | ExprKind::Path(_) | ExprKind::Literal(_) | ExprKind::Field(..) | ExprKind::Index(..)
    )
}

/// The only one of these that fits.
fn only(candidates: Vec<Rc<Struct>>, fits: &dyn Fn(&Rc<Struct>) -> bool) -> Option<Rc<Struct>> {
    let mut fitting = candidates.into_iter().filter(|own| fits(own));
    fitting.next().filter(|_| fitting.next().is_none())
}

/// Whether it is known of what type a value is.
fn is_definite(value: &Value) -> bool {
    match value {
        Value::Passive(passive) => passive.number.is_some() || passive.shape.is_some(),
        Value::Array(parts) | Value::Tuple(parts) => parts.iter().all(is_definite),
        _ => true,
    }
}

/// Whether a value may be one of this shape.
fn may_be(value: &Value, shape: &Shape) -> bool {
    match (value, shape) {
        (Value::Active(active), Shape::Float(_)) => !active.is_reference,
        (Value::Called(_), Shape::Float(_) | Shape::Array(..)) => true,
        (Value::Array(elements), Shape::Array(element, length)) => {
            elements.len() == *length && elements.iter().all(|own| may_be(own, element))
        }
        (Value::Tuple(elements), Shape::Struct(own)) => {
            elements.definition().is_some_and(|definition| definition.name == own.name)
        }
        (Value::Tuple(elements), Shape::Tuple(parts)) => {
            elements.len() == parts.len() && elements.iter().zip(parts).all(|(own, part)| may_be(own, part))
        }
        (Value::Vector(vector), Shape::Vector(ty)) => vector.layout == ty.layout,
        (Value::Passive(passive), shape) => match (&passive.number, &passive.shape, shape) {
            (Some(Number::Float(_)), _, shape) => matches!(shape, Shape::Float(_)),
            (Some(Number::Table(_)), _, shape) => matches!(shape, Shape::Array(..)),
            (Some(Number::Unit(unit)), _, shape) => is_alike(&Shape::Opaque(unit.of.clone()), shape),
            (Some(_), _, shape) => matches!(shape, Shape::Passive(_)),
            (None, Some(own), shape) => is_alike(own, shape),
            (None, None, _) => true,
        },
        (Value::Condition(_), Shape::Passive(_)) => true,
        _ => false,
    }
}

/// Whether two shapes may be those of one type.
fn is_alike(left: &Shape, right: &Shape) -> bool {
    match (left, right) {
        (Shape::Float(_), Shape::Float(_)) | (Shape::Passive(_), Shape::Passive(_)) => true,
        (Shape::Array(left, length), Shape::Array(right, other)) => length == other && is_alike(left, right),
        (Shape::Tuple(left), Shape::Tuple(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_alike(left, right))
        }
        (Shape::Struct(left), Shape::Struct(right)) => left.name == right.name,
        (Shape::Opaque(left), Shape::Opaque(right)) => left.name == right.name,
        (Shape::Vector(left), Shape::Vector(right)) => left.layout == right.layout,
        _ => false,
    }
}
