//! Calls with arguments that are all known, of functions of the module that give integers, truth values or enums: where the
//! body does nothing but to give its value, this is known, too. `x[at(1, 2)]` is an element then, and no branch over all.

use std::rc::Rc;

use quote::quote;
use syn::ext::IdentExt;
use syn::{ItemFn, ReturnType};

use super::super::super::module::{self, Owner, Passing};
use super::super::super::read::ty::unwrapped;
use super::super::super::syntax::{self, Body, Expr, Method, Path, Type, TypeKind};
use super::super::Lowering;
use super::super::numbers::{Number, integer_type};
use super::super::value::{Passive, Value};
use super::member::path_of_method;

/// The most calls of which it is noted what they give.
const MAX_NOTED: usize = 10_000;

impl Lowering<'_> {
    /// What the function that a path names gives for these arguments.
    pub(super) fn known_call(&mut self, path: &Path, args: &[Value], places: &[&Expr]) -> Option<Value> {
        let known = self.known_arguments(args)?;
        if let Some(item) = self.local_function(path) {
            let local = item.function.get()?;
            return self.known_result(&local.item, Some(&local.body), (args, places, known), path);
        }
        match self.member_of_module(path, Some(args))? {
            module::Call::Inlined(function) => self.known_result(function, None, (args, places, known), path),
            _ => None,
        }
    }

    /// The same of a method.
    pub(super) fn known_method_call(&mut self, call: &Method, receiver: &Value, args: &[Value]) -> Option<Value> {
        let own = receiver.opaque().filter(|own| !own.is_pointer && call.turbofish.is_none())?.clone();
        if self.activation.call.as_ref().is_some_and(|call| call.bounds.is_some()) {
            return None;
        }
        let (owner, name) = (Owner::Struct(own.name.unraw().to_string()), call.name.unraw().to_string());
        let mut all = self.module.declared().methods().named(&owner, &name);
        let (Some(member), None) = (all.next(), all.next()) else { return None };
        let function = member.function.as_ref().ok().filter(|_| member.owner.references == 0)?;
        let own = match member.receiver? {
            Passing::Mutable => return None,
            Passing::Shared if self.references_around(receiver) == 0 => self.shared(receiver.clone()),
            Passing::Shared => receiver.clone(),
            Passing::Value => self.without_references(receiver.clone()),
        };
        let values: Vec<_> = std::iter::once(own).chain(args.iter().cloned()).collect();
        let places: Vec<_> = std::iter::once(&call.receiver).chain(&call.args).collect();
        let known = self.known_arguments(&values)?;
        self.known_result(function, None, (&values, &places, known), &path_of_method(call))
    }

    /// A text that says what arguments are, if all are known.
    fn known_arguments(&self, args: &[Value]) -> Option<String> {
        if !self.decides {
            return None;
        }
        let texts: Option<Vec<_>> = args.iter().map(text_of_known).collect();
        Some(texts?.join(", "))
    }

    fn known_result(
        &mut self,
        function: &ItemFn,
        body: Option<&Rc<Body>>,
        (args, places, known): (&[Value], &[&Expr], String),
        path: &Path,
    ) -> Option<Value> {
        let ReturnType::Type(_, ty) = &function.sig.output else { return None };
        let ty = syntax::ty(unwrapped(ty));
        let is_plain = function.sig.generics.params.is_empty() && function.sig.asyncness.is_none();
        if !is_plain || !self.may_be_number(&ty) {
            return None;
        }
        let key = (std::ptr::from_ref(function) as usize, known);
        let found = match self.known_calls.get(&key) {
            Some(found) => found.clone(),
            None => {
                let found = self.on_short_trial(|lowering| match body {
                    Some(body) => lowering.inlined(function, body, (args, places), path),
                    None => lowering.inlined_member(function, args, places, path),
                });
                let found = found.and_then(|value| value.number().cloned());
                let found = found.filter(|it| matches!(it, Number::Int(_) | Number::Bool(_) | Number::Unit(_)));
                if self.known_calls.len() < MAX_NOTED {
                    self.known_calls.insert(key, found.clone());
                }
                found
            }
        }?;
        let typed = self.numbers.typed(found, &ty)?;
        self.has_decided = true;
        Some(Value::Passive(self.numbers.known(typed, Passive::simple(quote!(0)))))
    }

    /// Whether a type may be one of integers, truth values or enums.
    fn may_be_number(&self, ty: &Type) -> bool {
        let TypeKind::Path(path, names) = &ty.kind else { return false };
        let is_enum = || {
            let own = self.module.declared().structs().opaque(&path.path, names);
            own.is_some_and(|own| !own.units.is_empty())
        };
        integer_type(ty).is_some() || ["bool", "Self"].iter().any(|name| path.path.is_ident(name)) || is_enum()
    }
}

/// A text that says what a value is, if it is known.
fn text_of_known(value: &Value) -> Option<String> {
    match value {
        Value::Reference(target) => Some(format!("&{}", text_of_known(target)?)),
        Value::Passive(passive) => match &passive.number {
            Some(Number::Int(int)) => Some(int.value.to_string()),
            Some(Number::Bool(truth)) => Some(truth.to_string()),
            Some(Number::Unit(unit)) => Some(format!("{}::{}", unit.of.name, unit.name())),
            Some(Number::Float(digits)) => Some(digits.clone()),
            Some(Number::Table(_)) => None,
            // A constant, whose expression is its name.
            None => passive.parts().map(|_| passive.tokens().to_string()),
        },
        _ => None,
    }
}
