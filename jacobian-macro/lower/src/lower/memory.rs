//! `mem::swap`, `mem::replace` and `mem::take` of variables that hold active values, and of parts of them.

use std::rc::Rc;

use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

use super::super::module::Owner;
use super::super::read::scalar::Scalar;
use super::super::read::shape::{Shape, Struct};
use super::super::refuse;
use super::super::syntax::{Binding, Body, Collections, Expr, ExprKind, Path};
use super::Lowering;
use super::control::Flow;
use super::numbers::{Number, float_literal};
use super::value::{Elements, Passive, Place, Value, Vector};

impl Lowering<'_> {
    /// A call of one of the functions, if it is one and something about it is active.
    pub(super) fn memory_call(&mut self, whole: &Expr, function: &Expr, args: &[Expr]) -> Option<Flow> {
        let ExprKind::Path(path) = &*function.unwrapped().kind else { return None };
        let name = memory_function(path, &self.activation.body)?;
        // A `Vec` that is read as an array would not be empty after it.
        let is_taken = |it: &mut Self, target: &Expr| {
            it.collections == Collections::Arrays && !it.is_keeping(target) && it.is_of_length(target)
        };
        if let ("take", [reference]) = (name, args)
            && let ExprKind::Mutable(target) = &*reference.unwrapped().kind
            && is_taken(self, target)
        {
            return Some(self.refuse(reference, refuse::TAKEN));
        }
        if self.inline.is_some() || self.why_not_kept(whole).is_none() {
            return None;
        }
        self.require_memory_function(path, name);
        Some(match (name, args) {
            ("swap", [left, right]) => self.swapped(left, right),
            ("replace", [target, value]) => self.replaced(target, |lowering, _| lowering.expression(value)),
            ("take", [target]) => self.replaced(target, |lowering, old| lowering.default_of(old, target)),
            _ => self.refuse(path, refuse::METHOD_ARGUMENTS),
        })
    }

    /// Makes the generated code fail to compile where the path names a function of the user: two functions are of two
    /// types.
    fn require_memory_function(&mut self, path: &Path, name: &str) {
        let mut named = path.clone();
        named.path.path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
        let (float, written) = (self.scalar.ty(), self.written_path(&named));
        let own = quote::format_ident!("{name}", span = proc_macro2::Span::mixed_site());
        let statement = quote_spanned! {proc_macro2::Span::mixed_site()=>
            let _ = ::core::mem::replace(&mut ::core::mem::#own::<#float>, #written);
        };
        self.program.require(written.to_string(), statement);
    }

    fn swapped(&mut self, left: &Expr, right: &Expr) -> Flow {
        let places = [self.referred_place(left), self.referred_place(right)];
        let [first, second] = places;
        let (first, second) = (first?, second?);
        let (old, new) = (self.read(&first), self.read(&second));
        let (old, new) = (self.evaluated(old), self.evaluated(new));
        self.write(&first, new, left)?;
        self.write(&second, old, right)?;
        Ok(Value::unit())
    }

    /// Whether a place holds what has a length that is known.
    fn is_of_length(&mut self, place: &Expr) -> bool {
        let held = self.on_trial(|lowering| lowering.expression(place));
        held.is_some_and(|value| self.length_of(&value).is_some())
    }

    /// What was at a place, after another value is there.
    fn replaced(&mut self, target: &Expr, new: impl FnOnce(&mut Self, &Value) -> Flow) -> Flow {
        let place = self.referred_place(target)?;
        let before = self.read(&place);
        let new = new(self, &before)?;
        let new = self.evaluated(new);
        let old = self.read(&place);
        let old = self.evaluated(old);
        self.write(&place, new, target)?;
        Ok(old)
    }

    /// The place that a mutable reference refers to.
    fn referred_place(&mut self, reference: &Expr) -> Flow<Place> {
        let reference = reference.unwrapped();
        if let ExprKind::Mutable(target) = &*reference.kind {
            let place = self.assigned_place(target)?;
            let place = self.followed(place, target)?;
            // The references themselves would be exchanged, and not what they refer to.
            return match self.read(&place) {
                Value::Mutable(_) => self.refuse(reference, refuse::REFERENCE_ASSIGNED),
                _ => Ok(place),
            };
        }
        match self.expression(reference)? {
            Value::Mutable(place) => Ok(place),
            _ => self.refuse(reference, refuse::MUTABLE_REFERENCE),
        }
    }

    /// The default of a value: zeros for floats, and what the module says for its structs.
    pub(super) fn default_of(&mut self, value: &Value, place: &Expr) -> Flow {
        let all = |lowering: &mut Self, elements: &[Value]| {
            elements.iter().map(|element| lowering.default_of(element, place)).collect::<Flow<Elements>>()
        };
        if let Some(definition) = value.definition().cloned() {
            return self.default_of_struct(&definition, place);
        }
        Ok(match value {
            // That of a `Vec` is empty.
            Value::Array(_) if self.collections == Collections::Arrays => return self.refuse(place, refuse::TAKEN),
            Value::Array(elements) => Value::Array(all(self, elements)?),
            Value::Tuple(elements) => Value::Tuple(all(self, elements)?),
            Value::Vector(vector) if vector.layout.is_matrix() => {
                let elements = all(self, &vector.elements)?.to_vec();
                Value::Vector(Vector { elements, ..vector.clone() })
            }
            Value::Active(_) | Value::Called(_) => Value::Passive(self.default_float()),
            Value::Optional(_) => self.missing(),
            Value::Passive(Passive { number: Some(Number::Float(_)), .. }) => Value::Passive(self.default_float()),
            Value::Passive(Passive { shape: Some(shape), .. }) => return self.default_of_shape(&shape.clone(), place),
            _ => return self.refuse(place, refuse::TAKEN),
        })
    }

    fn default_of_shape(&mut self, shape: &Shape, place: &Expr) -> Flow {
        Ok(match shape {
            Shape::Float(_) => Value::Passive(self.default_float()),
            Shape::Array(element, length) if self.collections == Collections::Kept => {
                let element = self.default_of_shape(element, place)?;
                Value::Array(vec![element; *length].into())
            }
            Shape::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|part| self.default_of_shape(part, place)).collect::<Flow<Elements>>()?)
            }
            Shape::Struct(own) => return self.default_of_struct(own, place),
            Shape::Passive(_) | Shape::Opaque(_) => {
                let ty = shape.ty();
                let default = Passive::simple(quote!(<#ty as ::core::default::Default>::default()));
                Value::Passive(default.with_shape(Some(shape.clone()).filter(Shape::is_opaque)))
            }
            _ => return self.refuse(place, refuse::TAKEN),
        })
    }

    /// The default of a struct of the module, as its own code says, or its `derive`.
    fn default_of_struct(&mut self, definition: &Rc<Struct>, place: &Expr) -> Flow {
        let owner = Owner::Struct(definition.name.unraw().to_string());
        let mut own = self
            .module
            .declared()
            .methods()
            .named(&owner, "default")
            .filter(|it| it.trait_.as_deref() == Some("Default"));
        match (own.next(), own.next()) {
            (Some(member), None) => self.called_for_nothing(member, place),
            (None, None) if definition.derived.iter().any(|name| name == "Default") => {
                let fields = definition.fields.iter().map(|field| self.default_of_shape(&field.shape, place));
                Ok(Value::Tuple(Elements::of_struct(fields.collect::<Flow<Vec<_>>>()?, definition)))
            }
            _ => self.refuse(place, refuse::TAKEN),
        }
    }

    fn default_float(&self) -> Passive {
        match &self.scalar {
            Scalar::Primitive(precision) => float_literal("0.0", *precision, &self.scalar),
            Scalar::Parameter(_) => {
                let float = self.scalar.ty();
                Passive::simple(quote!(<#float as ::core::default::Default>::default()))
            }
        }
    }
}

/// The name of the function of `core::mem` that a path in this body names.
pub(super) fn memory_function(path: &Path, body: &Body) -> Option<&'static str> {
    let mut names = path.segments();
    if let (Binding::Import(id), 1) = (path.binding, names.len()) {
        let import = &body.imports[id.0 as usize];
        names = import.path.tokens.to_string().split("::").map(|name| name.trim().to_string()).collect();
    }
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    // Whether it is the standard library's, the generated code requires.
    let is_known = (path.may_be_std || path.binding == Binding::Item) && path.path.qself.is_none();
    let name = match names[..] {
        ["core" | "std", "mem", name] | ["mem", name] if is_known => name,
        [name] if path.may_be_std && path.binding == Binding::Item => name,
        _ => return None,
    };
    ["swap", "replace", "take"].into_iter().find(|known| *known == name)
}
