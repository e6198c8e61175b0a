//! Constants: those that are declared inside of functions, and those of the module.

use std::rc::Rc;

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::ItemConst;

use super::super::read::shape::Shape;
use super::super::refuse;
use super::super::syntax::{self, Constant, ConstantId, Type, TypeKind};
use super::Lowering;
use super::control::Flow;
use super::numbers::Number;
use super::numbers::integer::Types;
use super::pattern::element_type;
use super::value::{Part, Passive, Value};

impl Lowering<'_> {
    /// The value of a constant that is declared in the present function. Where it is first used, it is written before
    /// all statements, under a name that means nothing else in the generated function.
    pub(super) fn local_constant(&mut self, id: ConstantId) -> Flow {
        let key = (self.activation.key(), id);
        if let Some(value) = self.hoisted.constants.get(&key) {
            return Ok(value.clone());
        }
        let constant = self.activation.body.constants[id.0 as usize].clone();
        let name = self.item_name(&constant.ident, false);
        self.hoisted.constant_names.insert(key, name.clone());
        // What depends on itself is an error of the compiler's.
        self.hoisted.constants.insert(key, Value::Passive(Passive::simple(quote!(#name))));
        let outer = self.inline.replace(refuse::STATEMENT_IN_CONSTANT);
        let value = self.expression(&constant.value);
        self.inline = outer;
        // Where one is used next that is refused, the error is reported again: this could have been on trial.
        self.hoisted.constants.remove(&key);
        let value = value?;
        let Some(passive) = value.to_passive() else {
            return self.refuse(&constant.value, refuse::VARIABLE_IN_CONSTANT);
        };
        let known = self.value_of_constant(value, quote!(#name), &constant.ty);
        let (ty, tokens) = (self.written_type(&constant.ty), passive.tokens());
        self.program.code.constant(key, name.clone(), quote!(const #name: #ty = #tokens;));
        self.hoisted.constants.insert(key, known.clone());
        Ok(known)
    }

    /// Whether the value of a constant is evaluated at present.
    pub(super) fn is_in_constant(&self) -> bool {
        self.inline == Some(refuse::STATEMENT_IN_CONSTANT)
    }

    /// What is known of a constant of this value, which is written like this where it is used.
    pub(super) fn value_of_constant(&mut self, value: Value, written: TokenStream, ty: &Type) -> Value {
        let shape = self.shape_of(ty).filter(|shape| matches!(shape, Shape::Struct(_)) || shape.has_reference());
        let constant = Passive::simple(written).settled().with_shape(shape);
        match self.table(&value).and_then(|number| self.numbers.typed(number, ty)) {
            Some(number) => Value::Passive(self.numbers.known(number, constant)),
            None if is_of_primitives(ty) => self.parts_of_constant(value, constant, ty),
            None => match self.passive_shape_of(ty).map(|shape| self.known_part(&value, &shape)) {
                Some(Part::Parts(parts)) if self.decides => {
                    self.has_decided = true;
                    Value::Passive(constant.with_parts(Some(parts)))
                }
                _ => Value::Passive(constant),
            },
        }
    }

    /// What is known of a part of a constant of this shape.
    fn known_part(&mut self, value: &Value, shape: &Shape) -> Part {
        match (value, shape) {
            (Value::Array(elements), Shape::Array(element, _) | Shape::Items(element)) => {
                parts(elements.iter().map(|own| self.known_part(own, element)))
            }
            (Value::Tuple(elements), Shape::Tuple(shapes)) => {
                parts(elements.iter().zip(shapes).map(|(own, shape)| self.known_part(own, shape)))
            }
            (Value::Tuple(elements), Shape::Struct(definition)) => {
                let fields = elements.iter().zip(&definition.fields);
                parts(fields.map(|(own, field)| self.known_part(own, &field.shape)))
            }
            (Value::Passive(Passive { number: Some(number), .. }), shape) => self.known_number_in(number, shape),
            (Value::Passive(passive), _) => passive.parts().map_or(Part::Unknown, |parts| Part::Parts(parts.clone())),
            _ => Part::Unknown,
        }
    }

    fn known_number_in(&mut self, number: &Number, shape: &Shape) -> Part {
        let typed = match (number, shape) {
            (Number::Table(numbers), Shape::Array(element, _) | Shape::Items(element)) => {
                return parts(numbers.iter().map(|number| self.known_number_in(number, element)));
            }
            (Number::Float(_), Shape::Float(scalar)) => (*scalar == self.scalar).then(|| number.clone()),
            (Number::Int(int), Shape::Passive(ty)) => {
                Types::named(&ty.to_string()).map(|types| self.numbers.int(int.value, types))
            }
            (Number::Bool(_) | Number::Unit(_), _) => Some(number.clone()),
            _ => None,
        };
        typed.map_or(Part::Unknown, Part::Number)
    }

    /// The value of a constant as parts of `whole`, as far as it consists of arrays and tuples.
    fn parts_of_constant(&mut self, value: Value, whole: Passive, ty: &Type) -> Value {
        let tokens = whole.tokens();
        let elements = match &value {
            Value::Array(elements) | Value::Tuple(elements) => elements.iter().cloned().enumerate(),
            value => {
                let number = value.number().cloned().and_then(|number| self.numbers.typed(number, ty));
                return Value::Passive(match number {
                    Some(number) => self.numbers.known(number, whole),
                    None => whole,
                });
            }
        };
        let is_array = matches!(value, Value::Array(_));
        let part = |(index, element)| {
            let at = Literal::usize_unsuffixed(index);
            let part = Passive::simple(if is_array { quote!(#tokens[#at]) } else { quote!(#tokens.#at) }).settled();
            match element_type(ty, index) {
                Some(ty) => self.parts_of_constant(element, part, ty),
                None => Value::Passive(part),
            }
        };
        let parts = elements.map(part).collect();
        if is_array { Value::Array(parts) } else { Value::Tuple(parts) }
    }

    /// The value of a constant of the module, or of a struct in it, which is written like this, where something of it is
    /// known.
    pub(super) fn module_constant(&mut self, item: &ItemConst, written: TokenStream) -> Option<Value> {
        let key = written.to_string();
        if !self.hoisted.module_constants.contains_key(&key) {
            // What depends on itself is not known.
            self.hoisted.module_constants.insert(key.clone(), None);
            let body = Rc::new(syntax::constant(item, self.module.declared().items()));
            self.numbers.infer(&body, (self.module.declared(), &[]), false);
            let activation = self.bindings.activate(&body, None);
            let outer = std::mem::replace(&mut self.activation, activation);
            let known = self.evaluated_constant(&body.constants[0], written);
            self.activation = outer;
            self.hoisted.module_constants.insert(key.clone(), known);
        }
        self.hoisted.module_constants[&key].clone()
    }

    /// The value of an item outside of the function. What is not understood in it is no error.
    fn evaluated_constant(&mut self, constant: &Constant, written: TokenStream) -> Option<Value> {
        let mut is_understood = false;
        let value = self.on_trial(|lowering| {
            let value = lowering.expression(&constant.value)?;
            is_understood = lowering.errors.is_empty();
            Ok(value)
        });
        let value = value.filter(|_| is_understood)?;
        Some(self.value_of_constant(value, written, &constant.ty))
    }
}

fn parts(known: impl Iterator<Item = Part>) -> Part {
    Part::Parts(Rc::new(known.collect()))
}

/// Whether the values of a type are numbers and truth values, and arrays and tuples of these: they can be copied.
pub(super) fn is_of_primitives(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Array(element, _) => is_of_primitives(element),
        TypeKind::Tuple(elements) => elements.iter().all(is_of_primitives),
        TypeKind::Path(path, _) => path.path.get_ident().is_some_and(|ident| {
            let name = ident.to_string();
            ["f64", "f32", "bool"].contains(&name.as_str()) || Types::named(&name).is_some()
        }),
        _ => false,
    }
}
