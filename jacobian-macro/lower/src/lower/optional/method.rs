//! Methods of what may be missing.

use proc_macro2::Span;
use quote::quote_spanned;

use super::super::super::diagnostics::list;
use super::super::super::refuse;
use super::super::super::syntax::{Expr, Method};
use super::super::Lowering;
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::value::{Passive, Value, Variant};
use super::{Found, Optional, Test};

/// The methods that are supported.
const METHODS: &[&str] = &[
    "unwrap",
    "expect",
    "unwrap_or",
    "unwrap_or_else",
    "unwrap_or_default",
    "is_some",
    "is_none",
    "is_some_and",
    "is_none_or",
    "map",
    "map_or",
    "map_or_else",
    "and_then",
    "filter",
    "and",
    "or",
    "or_else",
    "zip",
    "flatten",
    "copied",
    "cloned",
    "as_ref",
    "as_mut",
    "take",
    "replace",
    "insert",
    "get_or_insert",
    "get_or_insert_with",
];

impl Lowering<'_> {
    /// A method of what may be missing, if the receiver is that and something about the call is active.
    pub(in super::super) fn optional_method(
        &mut self,
        whole: &Expr,
        call: &Method,
        (receiver, args): (&Value, &[Value]),
        expected: &Expected,
    ) -> Option<Flow> {
        let is_known = METHODS.iter().any(|name| call.name == name);
        if matches!(receiver.behind_references(), Value::Optional(_))
            && (is_known || !receiver.is_passive())
            && let Some(of) = self.optional_behind(receiver)
        {
            return Some(self.method_of_present(whole, call, (receiver, &of, args), expected));
        }
        let Value::Passive(Passive { variant: Some(variant), .. }) = receiver else { return None };
        let is_asked = ["is_some", "is_none"].iter().any(|name| call.name == name) && args.is_empty()
            || matches!(variant, Variant::None) && ["is_some_and", "is_none_or"].iter().any(|name| call.name == name);
        let is_active = args.iter().any(|arg| self.is_active(arg));
        if !(is_asked || is_known && is_active) {
            return None;
        }
        let content = match variant {
            Variant::None => Value::there_if(self.truth(false), Value::Unset),
            Variant::Some(content) => self.there((**content).clone()),
        };
        let of = self.optional_behind(&content)?;
        Some(self.method_of_present(whole, call, (receiver, &of, args), expected))
    }

    /// `condition.then_some(value)` and `condition.then(|| value)` with something active.
    pub(in super::super) fn given_if(
        &mut self,
        whole: &Expr,
        call: &Method,
        condition: &Value,
        args: &[Value],
    ) -> Option<Flow> {
        let ([given], Value::Passive(_), None) = (args, condition, &call.turbofish) else { return None };
        if !self.is_active(given) {
            return None;
        }
        match call.name.to_string().as_str() {
            "then_some" => Some(Ok(Value::there_if(condition.clone(), given.clone()))),
            "then" => Some(self.callee(&call.args[0], given).and_then(|callee| {
                let of = Optional { test: Test::Holds(condition.clone()), found: Found::Value(Value::unit()) };
                let given = |it: &mut Self, _| {
                    let value = it.invoke(&callee, Vec::new(), Expected::Anything)?;
                    Ok(it.there(value))
                };
                self.with_either(&of, (whole, &call.receiver), given, |it| Ok(it.missing()))
            })),
            _ => None,
        }
    }

    fn method_of_present(
        &mut self,
        whole: &Expr,
        call: &Method,
        (receiver, of, args): (&Value, &Optional, &[Value]),
        expected: &Expected,
    ) -> Flow {
        let place = &call.receiver;
        let name = call.name.to_string();
        let mut callees = Vec::new();
        if let "is_some_and" | "is_none_or" | "map" | "map_or" | "map_or_else" | "and_then" | "filter" | "or_else"
        | "unwrap_or_else" = name.as_str()
        {
            let first = usize::from(name == "map_or");
            for (arg, value) in call.args.iter().zip(args).skip(first) {
                callees.push(self.callee(arg, value)?);
            }
        }
        // What is evaluated in any case is so before anything is asked.
        let args = match (name.as_str(), args) {
            ("unwrap_or" | "map_or" | "and" | "or" | "zip", [first, rest @ ..]) => {
                let first = self.evaluated(first.clone());
                [&[first], rest].concat()
            }
            _ => args.to_vec(),
        };
        let span = Span::mixed_site();
        match (name.as_str(), &args[..], &callees[..]) {
            ("is_some", [], _) => self.holds(of, place),
            ("is_none", [], _) => self.lacks(of, place),
            ("is_some_and", [_], [callee]) => self.with_either(
                of,
                (whole, place),
                |it, value| it.invoke(callee, vec![value], Expected::Anything),
                |it| Ok(it.truth(false)),
            ),
            ("is_none_or", [_], [callee]) => self.with_either(
                of,
                (whole, place),
                |it, value| it.invoke(callee, vec![value], Expected::Anything),
                |it| Ok(it.truth(true)),
            ),
            ("unwrap", [], _) => {
                let message = quote_spanned!(span=> "called `Option::unwrap()` on a `None` value");
                self.unwrapped(of, (whole, place), message)
            }
            ("expect", [message], _) => match message.to_passive() {
                Some(message) => {
                    let message = message.tokens().clone();
                    self.unwrapped(of, (whole, place), quote_spanned!(span=> "{}", #message))
                }
                None => self.refuse(&call.args[0], refuse::PRINTED),
            },
            ("unwrap_or", [other], _) => {
                let other = other.clone();
                self.either(of, (whole, place), |_| Ok(other))
            }
            ("unwrap_or_else", [_], [callee]) => {
                self.either(of, (whole, place), |it| it.invoke(callee, Vec::new(), expected.clone()))
            }
            ("unwrap_or_default", [], _) => {
                let content = self.found(of, place)?;
                let default = self.default_of(&content, place)?;
                self.either(of, (whole, place), |_| Ok(default))
            }
            ("map", [_], [callee]) => self.with_either(
                of,
                (whole, place),
                |it, value| {
                    let mapped = it.invoke(callee, vec![value], Expected::Anything)?;
                    Ok(it.there(mapped))
                },
                |it| Ok(it.missing()),
            ),
            ("and_then", [_], [callee]) => self.with_either(
                of,
                (whole, place),
                |it, value| it.invoke(callee, vec![value], expected.clone()),
                |it| Ok(it.missing()),
            ),
            ("map_or", [other, _], [callee]) => {
                let other = other.clone();
                self.with_either(
                    of,
                    (whole, place),
                    |it, value| it.invoke(callee, vec![value], expected.clone()),
                    |_| Ok(other),
                )
            }
            ("map_or_else", [_, _], [otherwise, callee]) => self.with_either(
                of,
                (whole, place),
                |it, value| it.invoke(callee, vec![value], expected.clone()),
                |it| it.invoke(otherwise, Vec::new(), expected.clone()),
            ),
            ("filter", [_], [callee]) => self.with_either(
                of,
                (whole, place),
                |it, value| {
                    let shared = it.shared(value.clone());
                    let holds = it.invoke(callee, vec![shared], Expected::Anything)?;
                    match &holds {
                        Value::Condition(_) | Value::Passive(_) => Ok(Value::there_if(holds, value)),
                        _ => it.refuse(place, refuse::CONDITION),
                    }
                },
                |it| Ok(it.missing()),
            ),
            ("flatten", [], _) => self.with_either(of, (whole, place), |_, value| Ok(value), |it| Ok(it.missing())),
            ("zip", [other], _) => self.with_either(
                of,
                (whole, place),
                |it, value| {
                    let both = |it: &mut Self, other| {
                        let both = Value::Tuple([value, other].into_iter().collect());
                        Ok(it.there(both))
                    };
                    it.with_option(other, whole, both, |it| Ok(it.missing()))
                },
                |it| Ok(it.missing()),
            ),
            ("and", [other], _) => {
                let other = other.clone();
                self.with_either(of, (whole, place), |_, _| Ok(other), |it| Ok(it.missing()))
            }
            ("or", [other], _) => {
                let other = other.clone();
                self.with_either(of, (whole, place), |it, value| Ok(it.there(value)), |_| Ok(other))
            }
            ("or_else", [_], [callee]) => self.with_either(
                of,
                (whole, place),
                |it, value| Ok(it.there(value)),
                |it| it.invoke(callee, Vec::new(), expected.clone()),
            ),
            ("copied" | "cloned", [], _) => {
                let (test, content) = (self.holds(of, place)?, self.found(of, place)?);
                if !content.is_cloned_as_it_is() {
                    return self.refuse(&call.name, refuse::optional_method(list(METHODS.iter().copied())));
                }
                let content = self.dereference(content);
                Ok(Value::there_if(test, content))
            }
            ("as_ref", [], _) => {
                let (test, content) = (self.holds(of, place)?, self.found(of, place)?);
                let content = self.shared(content);
                Ok(Value::there_if(test, content))
            }
            ("clone", [], _) if receiver.is_cloned_as_it_is() => Ok(receiver.behind_references().clone()),
            _ => self.refuse(&call.name, refuse::optional_method(list(METHODS.iter().copied()))),
        }
    }
}
