//! Methods of passive `Option`s and `Result`s that are given something active: what is made of the value that is there,
//! or is there instead of it, is an arm of a branch.

use proc_macro2::Span;
use quote::{format_ident, quote_spanned};

use super::super::super::read::shape::Shape;
use super::super::super::syntax::{Expr, Method};
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::program::Head;
use super::super::value::{Passive, Value};
use super::super::{Lowering, emitted};

impl Lowering<'_> {
    /// A call of `map_or`, `unwrap_or` or the like, if it is one of a passive value with something active.
    pub(super) fn method_of_option(
        &mut self,
        whole: &Expr,
        call: &Method,
        (receiver, args): (&Value, &[Value]),
        expected: &Expected,
    ) -> Option<Flow> {
        let Value::Passive(option) = receiver else { return None };
        if let ("or" | "or_else" | "and_then" | "is_some_and" | "is_none_or", [given], None) =
            (call.name.to_string().as_str(), args, &call.turbofish)
            && self.is_active(given)
        {
            return Some(self.given_to_option(whole, call, (receiver, given), expected));
        }
        let (otherwise, mapped) = match (call.name.to_string().as_str(), args) {
            ("map_or" | "map_or_else", [otherwise, mapped]) => (otherwise, Some(mapped)),
            ("unwrap_or" | "unwrap_or_else", [otherwise]) => (otherwise, None),
            _ => return None,
        };
        let is_plain = call.turbofish.is_none() && !matches!(otherwise, Value::Reference(_));
        let is_active = args.iter().any(|arg| self.is_active(arg));
        (is_plain && is_active).then(|| self.mapped_option(whole, call, option, (otherwise, mapped), expected))
    }

    /// What there is instead of a passive `Option`, is made of what is in it, or holds for that.
    fn given_to_option(
        &mut self,
        whole: &Expr,
        call: &Method,
        (option, given): (&Value, &Value),
        expected: &Expected,
    ) -> Flow {
        let name = call.name.to_string();
        if name == "or" {
            let given = given.clone();
            return self.with_option(option, whole, |it, value| Ok(it.there(value)), |_| Ok(given));
        }
        let callee = self.callee(&call.args[0], given)?;
        if name == "or_else" {
            let otherwise = |it: &mut Self| it.invoke(&callee, Vec::new(), expected.clone());
            return self.with_option(option, whole, |it, value| Ok(it.there(value)), otherwise);
        }
        let some = |it: &mut Self, value| it.in_block(|it| it.invoke(&callee, vec![value], expected.clone()));
        self.with_option(option, whole, some, |it| match name.as_str() {
            "and_then" => Ok(it.missing()),
            name => Ok(it.truth(name == "is_none_or")),
        })
    }

    fn mapped_option(
        &mut self,
        whole: &Expr,
        call: &Method,
        option: &Passive,
        (otherwise, mapped): (&Value, Option<&Value>),
        expected: &Expected,
    ) -> Flow {
        // Without a closure it is of the type of what there is instead.
        let is_reference = match otherwise {
            Value::Active(active) => active.is_reference,
            otherwise => matches!(otherwise, Value::Closure(_)),
        };
        let may_refer = mapped.is_some() || is_reference;
        let mapped = mapped.map(|mapped| self.callee(&call.args[1], mapped)).transpose()?;
        let is_called = call.name.to_string().ends_with("_else");
        // What is not called is evaluated in any case, after the `Option`.
        let (option, otherwise) = match otherwise {
            Value::Passive(passive) if !is_called && !passive.is_fixed() => {
                (&self.once(option), &self.evaluated(otherwise.clone()))
            }
            _ => (option, otherwise),
        };
        let otherwise_called = is_called.then(|| self.callee(&call.args[0], otherwise)).transpose()?;
        self.branch_on_option(
            whole,
            (option, may_refer),
            |lowering, value| match &mapped {
                Some(mapped) => lowering.in_block(|lowering| lowering.invoke(mapped, vec![value], expected.clone())),
                None => Ok(value),
            },
            |lowering| match &otherwise_called {
                Some(callee) => lowering.in_block(|lowering| lowering.invoke(callee, Vec::new(), expected.clone())),
                None => Ok(otherwise.clone()),
            },
        )
    }

    /// What is made of what is in a passive `Option`, which may be a reference, or without it.
    pub(in super::super) fn branch_on_option(
        &mut self,
        whole: &Expr,
        (option, may_refer): (&Passive, bool),
        some: impl FnOnce(&mut Self, Value) -> Flow,
        none: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        let (span, name) = (Span::mixed_site(), self.program.variable(&emitted(&format_ident!("value"))));
        let value = Passive::simple(quote_spanned!(span=> #name)).behind_reference(may_refer);
        // What a method takes by value is none of the references to it.
        let shape = option.shape.as_ref().map(Shape::behind_references).and_then(Shape::item);
        let value = Value::Passive(value.with_shape(shape));
        let mut some = self.in_arm(|lowering| some(lowering, value))?;
        some.pattern = quote_spanned!(span=> ::core::option::Option::Some(#name));
        some.variables.insert(name.to_string());
        let mut none = self.in_arm(none)?;
        none.pattern = quote_spanned!(span=> ::core::option::Option::None);
        // Of a `Result` or of a reference to one, this gives an `Option` of the value, too.
        let option = option.operand();
        let subject = quote_spanned!(span=> #option.map_or(::core::option::Option::None, ::core::option::Option::Some));
        let arms = vec![some, none];
        let selector = self.number_of_arm(&subject, &arms);
        self.join(Head::Match(subject), selector, arms, whole)
    }
}
