//! Values of no meaning, for variables that have no value yet: what a jump gives that is not made so far, and what is
//! first assigned in a loop or in an arm. Something has to be carried from iteration to iteration and out of an arm
//! until then; nothing reads it, for Rust's rules of initialization hold in the user's function.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::read::scalar::Scalar;
use super::super::read::shape::{Opaque, Shape};
use super::super::read::ty::unwrapped;
use super::super::syntax::{self, Expr, ExprKind, Node, TargetId, Type, TypeKind};
use super::Lowering;
use super::expected::Expected;
use super::kept::NotKept;
use super::numbers::integer::Types;
use super::numbers::{Number, float_literal, integer_type};
use super::optional::content_of_option;
use super::value::{Elements, Passive, Value, Vector};

/// How many structs may be one in the other of which a value is made up.
const MOST_NESTED: usize = 4;

impl Lowering<'_> {
    /// What is expected of this block, or of what the present function returns.
    pub(super) fn expected_of(&self, of: Option<TargetId>) -> Expected {
        match of {
            Some(block) => {
                let own = self.given.iter().rev().find(|(target, _)| *target == block);
                own.map(|(_, expected)| expected.clone()).unwrap_or_default()
            }
            None => self.returned.clone(),
        }
    }

    /// Such a value of what is expected; `Unset` where that is not known.
    pub(super) fn unreached(&mut self, expected: &Expected) -> Value {
        match expected {
            Expected::Shape(shape) => self.unreached_of_shape(shape),
            Expected::Type(ty) => self.unreached_of_type(ty),
            Expected::Value(value) => self.unreached_like(value).unwrap_or(Value::Unset),
            Expected::Anything | Expected::Length(_) | Expected::Option => Value::Unset,
        }
    }

    /// What a variable holds after some arms, where it is first assigned in one of them.
    pub(super) fn begin(&mut self, number: usize, values: &mut [Option<Value>]) {
        let is_unset = |value: &&mut Option<Value>| matches!(value, Some(Value::Unset));
        let set = values.iter().flatten().find(|value| !matches!(value, Value::Unset | Value::Lost)).cloned();
        let Some(set) = set.filter(|_| !self.outputs.contains(&number)) else { return };
        if !values.iter_mut().any(|value| is_unset(&value)) {
            return;
        }
        let ty = self.bindings.get(number).ty.clone();
        if let Some(first) = self.first_value(&set, ty.as_ref()) {
            values.iter_mut().filter(is_unset).for_each(|value| *value = Some(first.clone()));
        }
    }

    /// Gives those variables a value that a loop is the first to assign in which nothing is active, so that it can be
    /// kept: where their type is written, or the compiler finds it out.
    pub(super) fn begin_kept(&mut self, whole: &Expr) {
        if self.why_not_kept(whole) != Some(NotKept::Unset) {
            return;
        }
        let mut numbers = Vec::new();
        whole.walk(&mut |node| {
            if let Node::Expr(Expr { kind, .. }) = node
                && let ExprKind::Variable(id, _) = &**kind
            {
                numbers.push(self.activation.number(*id));
            }
        });
        for number in numbers {
            let Some(binding) = self.bindings.find(number) else { continue };
            if !matches!(binding.value, Value::Unset) || !self.bindings.is_mut(number) {
                continue;
            }
            let first = match &binding.ty.clone() {
                Some(ty) => self.unreached_of_type(ty),
                None if self.bindings.is_note(number) => any_of_its_type(),
                None => continue,
            };
            *self.variable_at(number) = first;
        }
    }

    /// What a variable of this type, if it is written, holds before it gets `value`.
    pub(super) fn first_value(&mut self, value: &Value, ty: Option<&Type>) -> Option<Value> {
        match ty {
            Some(ty) => Some(self.unreached_of_type(ty)).filter(|first| !matches!(first, Value::Unset)),
            None => self.unreached_like(value),
        }
    }

    fn unreached_of_shape(&mut self, shape: &Shape) -> Value {
        match shape {
            Shape::Float(scalar) => Value::Passive(self.any_float(scalar)),
            Shape::Array(element, length) => Value::Array(vec![self.unreached_of_shape(element); *length].into()),
            Shape::Tuple(shapes) => Value::Tuple(shapes.iter().map(|shape| self.unreached_of_shape(shape)).collect()),
            Shape::Vector(ty) => {
                let float = Value::Passive(self.any_float(&ty.scalar));
                let elements = vec![float; ty.layout.count()];
                Value::Vector(Vector { layout: ty.layout, elements, ty: None })
            }
            Shape::Struct(definition) => {
                let fields: Vec<_> =
                    definition.fields.iter().map(|field| self.unreached_of_shape(&field.shape)).collect();
                match fields.iter().any(|field| matches!(field, Value::Unset)) {
                    true => Value::Unset,
                    false => Value::Tuple(Elements::of_struct(fields, definition)),
                }
            }
            Shape::Passive(ty) => match syn::parse2(ty.clone()) {
                Ok(ty) => self.unreached_of_type(&syntax::ty(&ty)),
                Err(_) => Value::Unset,
            },
            Shape::Opaque(own) => match own.any_unit() {
                Some(variant) => {
                    if !own.is_derived("Copy") {
                        self.require_no_drop(&own.path());
                    }
                    let ty = own.path();
                    Value::Passive(Passive::simple(quote!(#ty::#variant)).with_shape(Some(shape.clone())))
                }
                None => Value::Unset,
            },
            Shape::Reference(target) => {
                let reference = self.lasting(target);
                let passive = reference.map(|it| Passive::compound(it).with_shape(Some(shape.clone())));
                passive.map_or(Value::Unset, Value::Passive)
            }
            Shape::Items(_) | Shape::Option(_) | Shape::Result(_) => Value::Unset,
        }
    }

    /// A reference to such a value, which lives as long as the program does: it is a constant.
    fn lasting(&mut self, shape: &Shape) -> Option<TokenStream> {
        if let Scalar::Parameter(_) = self.scalar {
            return None;
        }
        match shape {
            // A slice has a default; a `Vec` may be meant as well.
            Shape::Items(_) => None,
            Shape::Opaque(own) if own.any_unit().is_none() => {
                let value = self.constant_opaque(own, MOST_NESTED)?;
                Some(quote!(const { &#value }))
            }
            shape => match self.unreached_of_shape(shape) {
                Value::Unset => None,
                value => {
                    let value = value.to_passive()?.operand();
                    Some(quote!(&#value))
                }
            },
        }
    }

    /// A value of a struct or an enum of the module that a constant can hold.
    fn constant_opaque(&self, own: &Opaque, nested: usize) -> Option<TokenStream> {
        let path = own.path();
        if let Some(name) = own.any_unit() {
            return Some(quote!(#path::#name));
        }
        if own.fields.is_empty() {
            return own.is_unit.then_some(path);
        }
        let fields = own.fields.iter().map(|(member, ty)| {
            let value = self.constant_of(ty, nested)?;
            Some(quote!(#member: #value))
        });
        let fields = fields.collect::<Option<Vec<_>>>()?;
        Some(quote!(#path { #(#fields),* }))
    }

    /// The same of this type, in which so many structs may be one in the other.
    fn constant_of(&self, ty: &syn::Type, nested: usize) -> Option<TokenStream> {
        match unwrapped(ty) {
            syn::Type::Reference(reference) => match unwrapped(&reference.elem) {
                syn::Type::Slice(_) => Some(quote!(&[])),
                syn::Type::Path(path) if path.path.is_ident("str") => Some(quote!("")),
                target => {
                    let target = self.constant_of(target, nested.checked_sub(1)?)?;
                    Some(quote!(&#target))
                }
            },
            syn::Type::Array(array) => {
                let (element, length) = (self.constant_of(&array.elem, nested)?, &array.len);
                Some(quote!([const { #element }; #length]))
            }
            syn::Type::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|part| self.constant_of(part, nested));
                let parts = parts.collect::<Option<Vec<_>>>()?;
                Some(quote!((#(#parts,)*)))
            }
            syn::Type::Path(path) if path.qself.is_none() => {
                let structs = self.module.declared().structs();
                match (structs.find(&path.path, &[]), structs.opaque(&path.path, &[])) {
                    (Some(Ok(own)), _) => {
                        let nested = nested.checked_sub(1)?;
                        let fields = own.fields.iter().map(|field| self.constant_of(&field.ty, nested));
                        Some(own.value(&fields.collect::<Option<Vec<_>>>()?))
                    }
                    (_, Some(own)) => self.constant_opaque(own, nested.checked_sub(1)?),
                    (Some(Err(_)), None) => None,
                    (None, None) => constant_of_library(&path.path),
                }
            }
            _ => None,
        }
    }

    fn unreached_of_type(&mut self, ty: &Type) -> Value {
        let opaque = || self.passive_shape_of(ty).filter(|shape| matches!(shape, Shape::Opaque(_)));
        if let Some(shape) = self.shape_of(ty).or_else(opaque) {
            return self.unreached_of_shape(&shape);
        }
        match &ty.kind {
            TypeKind::Tuple(elements) => {
                Value::Tuple(elements.iter().map(|element| self.unreached_of_type(element)).collect())
            }
            TypeKind::Path(path, _) if let Some(content) = content_of_option(path) => {
                // A reference to something active stands for that.
                let mut content = content;
                while let syn::Type::Reference(reference) = content {
                    content = &reference.elem;
                }
                match self.unreached_of_type(&syntax::ty(content)) {
                    Value::Unset => Value::Unset,
                    content => Value::there_if(self.known_number(Number::Bool(false)), content),
                }
            }
            TypeKind::Path(path, _) if path.path.is_ident("bool") => self.known_number(Number::Bool(false)),
            TypeKind::Path(path, _) if path.path.is_ident("char") => any_of_its_type(),
            _ => match integer_type(ty) {
                Some(types) => self.zero(types),
                None => Value::Unset,
            },
        }
    }

    /// One that can become one with `value`; none where it is not known what that is.
    pub(super) fn unreached_like(&mut self, value: &Value) -> Option<Value> {
        Some(match value {
            Value::Active(active) if !active.is_reference => Value::Passive(self.any_float(&self.scalar.clone())),
            Value::Condition(_) => self.known_number(Number::Bool(false)),
            Value::Array(elements) => {
                Value::Array(elements.iter().map(|element| self.unreached_like(element)).collect::<Option<_>>()?)
            }
            Value::Tuple(elements) => {
                let parts = elements.iter().map(|element| self.unreached_like(element)).collect::<Option<Vec<_>>>()?;
                Value::Tuple(Elements::from(parts).of(elements.definition().cloned()))
            }
            Value::Vector(vector) => {
                let elements = vector.elements.iter().map(|element| self.unreached_like(element));
                Value::Vector(Vector { elements: elements.collect::<Option<_>>()?, ..vector.clone() })
            }
            Value::Optional(of) => {
                let (_, content) = of.parts()?;
                Value::there_if(self.known_number(Number::Bool(false)), self.unreached_like(content)?)
            }
            Value::Passive(Passive { number: Some(number), .. }) => match number {
                Number::Float(_) => Value::Passive(self.any_float(&self.scalar.clone())),
                Number::Bool(_) => self.known_number(Number::Bool(false)),
                Number::Int(int) => {
                    let types = self.numbers.types.get(int.ty);
                    if types.only().is_some() { self.zero(types) } else { any_of_its_type() }
                }
                Number::Unit(_) => self.known_number(number.clone()),
                Number::Table(_) => any_of_its_type(),
            },
            Value::Passive(Passive { shape: Some(shape), .. }) => match self.unreached_of_shape(shape) {
                Value::Unset => any_of_its_type(),
                value => value,
            },
            // Of a reference, rustc says that there is none.
            Value::Passive(_) => any_of_its_type(),
            _ => return None,
        })
    }

    /// A float. What those of a type parameter can be is not known, but that there is the first input.
    fn any_float(&self, scalar: &Scalar) -> Passive {
        match scalar {
            Scalar::Primitive(precision) => float_literal("0.0", *precision, &self.scalar),
            Scalar::Parameter(_) => {
                let float = self.program.inputs.first().cloned().unwrap_or_default();
                Passive::simple(quote!(#float)).with_shape(Some(Shape::Float(scalar.clone())))
            }
        }
    }

    fn zero(&mut self, types: Types) -> Value {
        let zero = self.numbers.int(0, types);
        self.known_number(zero)
    }

    fn known_number(&mut self, number: Number) -> Value {
        let written = Passive::simple(quote!(0));
        Value::Passive(self.numbers.known(number, written))
    }
}

/// A value of a type that the compiler alone knows. The brackets say that the call has no effect, so that it is left
/// out, with its type, where nothing uses it.
fn any_of_its_type() -> Value {
    Value::Passive(Passive::simple(quote!((::core::default::Default::default)())))
}

/// A value of a type that is named like one of the standard library's.
fn constant_of_library(path: &syn::Path) -> Option<TokenStream> {
    let name = path.segments.last()?.ident.to_string();
    match name.as_str() {
        "f64" | "f32" => Some(quote!(0.0)),
        "bool" => Some(quote!(false)),
        "char" => Some(quote!(' ')),
        "String" | "Vec" => Some(quote!(<#path>::new())),
        "Option" => Some(quote!(::core::option::Option::None)),
        name => Types::named(name).map(|_| quote!(0)),
    }
}
