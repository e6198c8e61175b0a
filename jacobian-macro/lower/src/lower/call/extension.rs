//! Methods that traits of the module give to floats, arrays and tuples: `impl Lerp for f64`, `impl Norm for [f64; 3]`.
//! Which one is called is found out as for structs; what a macro cannot see of that, the generated code asserts.

use proc_macro2::{Ident, Span};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

use super::super::super::module::{Method as Member, Owner, Passing};
use super::super::super::read::shape::Shape;
use super::super::super::refuse;
use super::super::super::syntax::{Expr, Method};
use super::super::Lowering;
use super::super::by_traits::is_of_library;
use super::super::control::Flow;
use super::super::numbers::Number;
use super::super::value::{Active, Passive, Value};
use super::associated::path_of;
use super::member::is_fixed_place;

impl<'f> Lowering<'f> {
    /// A call of such a method; none if the module has none of its name for values like this.
    pub(super) fn extension_method(&mut self, call: &Method, receiver: &Value, args: &[Value]) -> Option<Flow> {
        let name = call.name.unraw().to_string();
        let owner = self.owner_of_value(receiver)?;
        let methods = self.module.declared().methods();
        let all: Vec<_> = methods
            .named(&owner, &name)
            .filter(|it| it.receiver.is_some() && it.owner.references == 0 && it.trait_.is_some())
            .collect();
        let [member, ..] = all[..] else { return None };
        let is_seen = |it: &&Member| {
            let trait_ = it.trait_.as_deref().unwrap_or_default();
            self.module.declared().items().names.contains(trait_)
        };
        let is_plain = all.len() == 1 && is_seen(&member) && call.turbofish.is_none() && !methods.has_of_all(&name);
        let passing = member.receiver.filter(|_| is_plain);
        let (Some(passing), Some(ty)) = (passing, self.type_of_owner(&owner)) else {
            return Some(self.refuse(&call.name, refuse::method_unclear(&name, owner_text(&owner))));
        };
        let function = match &member.function {
            Ok(function) => function,
            Err(why) => return Some(self.refuse(&call.name, why)),
        };
        let is_reference = self.references_around(receiver) > 0
            || matches!(receiver, Value::Active(Active { is_reference: true, .. }));
        self.require_not_own_of(&ty, &owner_text(&owner), &call.name, (Some(passing), args.len()));
        let own = Ident::new(&name, Span::mixed_site().located_at(call.name.span()));
        // A method that takes the value itself would be called instead.
        let by_value = (passing != Passing::Value && !is_reference).then(|| {
            quote_spanned! {Span::mixed_site()=>
                { trait Own { fn #own(self); } impl Own for #ty { fn #own(self) {} } let _ = |value: #ty| value.#own(); }
            }
        });
        // One that takes a reference to it would be.
        let by_reference = (passing == Passing::Value && is_reference || passing == Passing::Mutable).then(|| {
            quote_spanned! {Span::mixed_site()=>
                { trait Own { fn #own(&self) {} } impl Own for #ty {} let _ = |value: &#ty| value.#own(); }
            }
        });
        if by_value.is_some() || by_reference.is_some() {
            let checks = quote!(#by_value #by_reference);
            self.program.require(format!(".{name}() of {}", owner_text(&owner)), checks);
        }
        let own = match passing {
            Passing::Mutable if !is_fixed_place(&call.receiver, &call.args) => {
                return Some(self.refuse(&call.receiver, refuse::PLACE_WITH_EFFECTS));
            }
            Passing::Mutable => match self.place(&call.receiver) {
                Ok(place) => Value::Mutable(place),
                Err(stop) => return Some(Err(stop)),
            },
            Passing::Shared if is_reference => receiver.clone(),
            Passing::Shared => self.shared(receiver.clone()),
            _ => self.without_references(receiver.clone()),
        };
        let values: Vec<_> = std::iter::once(own).chain(args.iter().cloned()).collect();
        let places: Vec<&Expr> = std::iter::once(&call.receiver).chain(&call.args).collect();
        Some(self.inlined_member(function, &values, &places, &path_of(&call.name)))
    }

    /// A method that hides one of the standard library's: of arrays, what a trait gives them comes before what they have as
    /// slices; of references to integers, before what integers have.
    pub(super) fn method_of_trait(&mut self, call: &Method, receiver: &Value, args: &[Value]) -> Option<Flow> {
        let (name, methods) = (call.name.unraw().to_string(), self.module.declared().methods());
        let is_unclear = match (self.owner_of_value(receiver), receiver) {
            (Some(Owner::Built(_)), _) if is_of_library(&name) => match self.extension_method(call, receiver, args) {
                Some(value) => return Some(value),
                None => methods.has_of_unknown(&name),
            },
            (_, Value::Passive(Passive { number: Some(Number::Int(_)), .. })) => methods.has_of_number(&name),
            _ => false,
        };
        is_unclear.then(|| self.refuse(&call.name, refuse::method_of_library(&call.name)))
    }

    /// The trait of which a method of floats may be one here, by which alone a value is known.
    pub(super) fn trait_of_bound(&self, name: &str) -> Option<&'f str> {
        let bounds = self.module.declared().traits().with_required(self.activation.call.as_ref()?.bounds.as_ref()?);
        let of_floats = self.module.declared().methods().named(&Owner::Float, name);
        of_floats.filter_map(|it| it.trait_.as_deref()).find(|trait_| bounds.iter().any(|name| name == trait_))
    }

    /// What `impl` blocks are for that a value of floats has methods of, if that is known.
    pub(super) fn owner_of_value(&self, value: &Value) -> Option<Owner> {
        let text = self.text_of(value)?;
        let text = text.trim_start_matches('&');
        Some(if text == self.scalar.name() { Owner::Float } else { Owner::Built(text.to_string()) })
    }

    /// The type of a value as a text, as far as it is known.
    pub(in super::super) fn text_of(&self, value: &Value) -> Option<String> {
        match value {
            Value::Active(Active { is_reference: false, .. }) | Value::Called(_) => Some(self.scalar.name()),
            Value::Active(_) => Some(format!("&{}", self.scalar.name())),
            Value::Reference(target) => Some(format!("&{}", self.text_of(target)?)),
            Value::Array(parts) => Some(format!("[{}; {}]", self.text_of(parts.first()?)?, parts.len())),
            Value::Tuple(parts) => match parts.definition() {
                Some(own) => Some(own.name.unraw().to_string()),
                None => {
                    let texts = parts.iter().map(|part| self.text_of(part)).collect::<Option<Vec<_>>>()?;
                    Some(format!("({})", texts.join(", ")))
                }
            },
            Value::Passive(Passive { number: Some(number @ (Number::Float(_) | Number::Table(_))), .. }) => {
                self.text_of_number(number)
            }
            Value::Passive(passive) => passive.shape.as_ref()?.text(),
            _ => None,
        }
    }

    fn text_of_number(&self, number: &Number) -> Option<String> {
        match number {
            Number::Float(_) => Some(self.scalar.name()),
            Number::Table(numbers) => Some(format!("[{}; {}]", self.text_of_number(numbers.first()?)?, numbers.len())),
            _ => None,
        }
    }

    /// Such a type in the generated code.
    fn type_of_owner(&self, owner: &Owner) -> Option<proc_macro2::TokenStream> {
        match owner {
            Owner::Float => Some(self.scalar.ty()),
            // Structs in it are those of the module around the function.
            Owner::Built(text) => text.parse().ok().filter(|_| !text.contains(char::is_uppercase)),
            Owner::Struct(_) | Owner::Other => None,
        }
    }
}

fn owner_text(owner: &Owner) -> String {
    match owner {
        Owner::Built(text) | Owner::Struct(text) => text.clone(),
        Owner::Float | Owner::Other => "floats".to_string(),
    }
}

impl Shape {
    /// The type of it as a text, if it consists of floats, arrays, tuples and structs.
    pub fn text(&self) -> Option<String> {
        Some(match self {
            Shape::Float(scalar) => scalar.name(),
            Shape::Array(part, length) => format!("[{}; {length}]", part.text()?),
            Shape::Tuple(parts) => {
                let texts = parts.iter().map(Shape::text).collect::<Option<Vec<_>>>()?;
                format!("({})", texts.join(", "))
            }
            Shape::Reference(target) => format!("&{}", target.text()?),
            Shape::Struct(own) => own.name.unraw().to_string(),
            Shape::Passive(ty) => quote!(#ty).to_string(),
            Shape::Vector(_) | Shape::Opaque(_) | Shape::Items(_) | Shape::Option(_) | Shape::Result(_) => return None,
        })
    }
}
