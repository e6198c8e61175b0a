//! Methods of what may be missing.

use proc_macro2::{Ident, Span};
use quote::quote_spanned;

use super::super::super::diagnostics::list;
use super::super::super::refuse;
use super::super::super::syntax::{Expr, ExprKind, Method};
use super::super::Lowering;
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::program::Head;
use super::super::value::{Passive, Value, Variant};
use super::{Found, Optional, PassiveOption, Test};

/// The methods of an `Option` of active values that are supported.
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

/// Those that a passive `Option` or `Result` has, too, and nothing else.
const METHODS_OF_PASSIVE: &[&str] = &[
    "unwrap_or",
    "unwrap_or_else",
    "is_some_and",
    "is_none_or",
    "map_or",
    "map_or_else",
    "and_then",
    "and",
    "or",
    "or_else",
];

/// Those whose first argument is evaluated in any case.
const GIVEN_IN_ANY_CASE: &[&str] = &["unwrap_or", "map_or", "and", "or", "zip"];

/// Those that iterators have, too.
const METHODS_OF_ITEMS: &[&str] = &["map", "filter"];

/// The methods of the standard library that give an `Option`.
const GIVING_OPTIONS: &[&str] = &[
    "get",
    "first",
    "last",
    "next",
    "next_back",
    "nth",
    "pop",
    "peek",
    "find",
    "find_map",
    "position",
    "rposition",
    "reduce",
    "min",
    "max",
    "min_by",
    "max_by",
    "min_by_key",
    "max_by_key",
    "ok",
    "then_some",
    "then",
    "checked_add",
    "checked_sub",
    "checked_mul",
    "checked_div",
    "checked_rem",
];

/// The methods that give an `Option` if they are called on one.
const KEEPING_OPTIONS: &[&str] = &[
    "map", "and_then", "filter", "and", "or", "or_else", "xor", "zip", "copied", "cloned", "as_ref", "as_deref",
    "clone",
];

/// What a method of something passive gives, if that is surely an `Option`.
pub(in super::super) fn option_given(receiver: &Passive, method: &Ident) -> Option<Variant> {
    let is_kept = receiver.is_option() && KEEPING_OPTIONS.iter().any(|name| method == name);
    (is_kept || GIVING_OPTIONS.iter().any(|name| method == name)).then_some(Variant::Either)
}

/// What a method of an `Option` is called on.
enum Subject {
    /// What has parts.
    Parts(Box<Optional>),
    /// Something passive.
    Passive(PassiveOption),
}

/// Whether a method is called that `Option`s have, and iterators have not.
pub(in super::super) fn is_method_of_option(expression: &Expr) -> bool {
    let ExprKind::Method(call) = &*expression.kind else { return false };
    METHODS_OF_PASSIVE.iter().chain(&["unwrap_or_default"]).any(|name| call.name == name)
}

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
            return Some(self.method_of_option(whole, call, (receiver, Subject::Parts(of.into()), args), expected));
        }
        let Value::Passive(passive) = receiver else { return None };
        let is_active = args.iter().any(|arg| self.is_active(arg));
        let subject = match &passive.variant {
            None | Some(Variant::Either) if is_active => self.passive_option(call, passive, args, expected)?,
            None | Some(Variant::Either) => return None,
            Some(variant) => {
                let is_none = matches!(variant, Variant::None);
                let is_asked = ["is_some", "is_none"].iter().any(|name| call.name == name) && args.is_empty()
                    || is_none && ["is_some_and", "is_none_or"].iter().any(|name| call.name == name);
                // Nothing tells the type of what a closure is called for that is never called, nor of what is not there.
                let is_untold = is_none
                    && (args.iter().any(|arg| matches!(arg, Value::Closure(_)))
                        || ["copied", "cloned", "unwrap_or"].iter().any(|name| call.name == name));
                if !(is_asked || is_known && (is_active || is_untold)) {
                    return None;
                }
                let known = match variant {
                    Variant::Some(content) => self.there((**content).clone()),
                    _ => Value::there_if(self.truth(false), Value::Unset),
                };
                Subject::Parts(self.optional_behind(&known)?.into())
            }
        };
        Some(self.method_of_option(whole, call, (receiver, subject, args), expected))
    }

    /// A passive `Option` or `Result` that one of their methods is called on.
    fn passive_option(
        &mut self,
        call: &Method,
        option: &Passive,
        args: &[Value],
        expected: &Expected,
    ) -> Option<Subject> {
        let is_among = |names: &[&str]| names.iter().any(|name| call.name == name);
        // What is expected to be one may be a `Result`, whatever the name of the method that gives it.
        let is_expected = is_among(METHODS_OF_ITEMS) && matches!(expected, Expected::Option);
        let is_option = is_among(METHODS_OF_ITEMS) && !is_expected && option.is_option();
        if call.turbofish.is_some() || !(is_among(METHODS_OF_PASSIVE) || is_option || is_expected) {
            return None;
        }
        let given = args.first().filter(|_| is_among(GIVEN_IN_ANY_CASE));
        if matches!(given, Some(Value::Reference(_))) {
            return None;
        }
        // What there is instead is evaluated after it.
        let option = match given {
            Some(Value::Passive(given)) if !given.is_fixed() => self.once(option),
            _ => option.clone(),
        };
        // What is given instead of a number is none of the references to it.
        let is_number = call.name == "unwrap_or" && matches!(given, Some(Value::Active(it)) if !it.is_reference);
        Some(Subject::Passive(PassiveOption { option, may_refer: !is_number, is_option }))
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
        let name = call.name.to_string();
        if !["then", "then_some"].contains(&name.as_str()) {
            return None;
        }
        // It is asked once, and what is there depends on it as well.
        let condition = self.evaluated(condition.clone());
        match name.as_str() {
            "then_some" => Some(Ok(Value::there_if(condition, given.clone()))),
            _ => Some(self.callee(&call.args[0], given).and_then(|callee| {
                let of = Optional { test: Test::Holds(condition), found: Found::Value(Value::unit()) };
                let given = |it: &mut Self, _| {
                    let value = it.invoke(&callee, Vec::new(), Expected::Anything)?;
                    Ok(it.there(value))
                };
                self.with_either(&of, (whole, &call.receiver), given, |it| Ok(it.missing()))
            })),
        }
    }

    fn method_of_option(
        &mut self,
        whole: &Expr,
        call: &Method,
        (receiver, subject, args): (&Value, Subject, &[Value]),
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
            (name, [first, rest @ ..]) if GIVEN_IN_ANY_CASE.contains(&name) => {
                let first = self.evaluated(first.clone());
                [&[first], rest].concat()
            }
            _ => args.to_vec(),
        };
        if let Subject::Parts(of) = &subject
            && let Some(value) = self.method_of_parts(whole, call, (receiver, of, &args))?
        {
            return Ok(value);
        }
        match (name.as_str(), &args[..], &callees[..]) {
            ("is_some_and", [_], [callee]) => self.with_subject(
                subject,
                (whole, place),
                |it, value| it.invoke(callee, vec![value], Expected::Anything),
                |it| Ok(it.truth(false)),
            ),
            ("is_none_or", [_], [callee]) => self.with_subject(
                subject,
                (whole, place),
                |it, value| it.invoke(callee, vec![value], Expected::Anything),
                |it| Ok(it.truth(true)),
            ),
            ("unwrap_or", [other], _) => {
                let other = other.clone();
                self.or_otherwise(subject, (whole, place), |_| Ok(other))
            }
            ("unwrap_or_else", [_], [callee]) => {
                self.or_otherwise(subject, (whole, place), |it| it.invoke(callee, Vec::new(), expected.clone()))
            }
            ("map", [_], [callee]) => self.with_subject(
                subject,
                (whole, place),
                |it, value| {
                    let mapped = it.invoke(callee, vec![value], Expected::Anything)?;
                    Ok(it.there(mapped))
                },
                |it| Ok(it.missing()),
            ),
            ("and_then", [_], [callee]) => self.with_subject(
                subject,
                (whole, place),
                |it, value| it.invoke(callee, vec![value], expected.clone()),
                |it| Ok(it.missing()),
            ),
            ("map_or", [other, _], [callee]) => {
                let other = other.clone();
                self.with_subject(
                    subject,
                    (whole, place),
                    |it, value| it.invoke(callee, vec![value], expected.clone()),
                    |_| Ok(other),
                )
            }
            ("map_or_else", [_, _], [otherwise, callee]) => self.with_subject(
                subject,
                (whole, place),
                |it, value| it.invoke(callee, vec![value], expected.clone()),
                |it| it.invoke(otherwise, Vec::new(), expected.clone()),
            ),
            ("filter", [_], [callee]) => self.with_subject(
                subject,
                (whole, place),
                |it, value| {
                    let shared = it.shared(value.clone());
                    let holds = it.invoke(callee, vec![shared], Expected::Anything)?;
                    match (&holds, &value) {
                        // It may be a reference, of which there is no value without a meaning.
                        (Value::Condition(_), Value::Passive(passive)) => {
                            let (selector, passive) = (it.condition(&holds, place)?, passive.tokens());
                            let some = Passive::simple(
                                quote_spanned!(Span::mixed_site()=> ::core::option::Option::Some(#passive)),
                            );
                            let missing = it.missing();
                            let arms = vec![it.in_arm(|_| Ok(Value::Passive(some)))?, it.in_arm(|_| Ok(missing))?];
                            it.join(Head::If, selector, arms, whole)
                        }
                        (Value::Condition(_) | Value::Passive(_), _) => Ok(Value::there_if(holds, value)),
                        _ => it.refuse(place, refuse::CONDITION),
                    }
                },
                |it| Ok(it.missing()),
            ),
            ("flatten", [], _) => {
                self.with_subject(subject, (whole, place), |_, value| Ok(value), |it| Ok(it.missing()))
            }
            ("zip", [other], _) => self.with_subject(
                subject,
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
                self.with_subject(subject, (whole, place), |_, _| Ok(other), |it| Ok(it.missing()))
            }
            ("or", [other], _) => {
                let other = other.clone();
                self.with_subject(subject, (whole, place), |it, value| Ok(it.there(value)), |_| Ok(other))
            }
            ("or_else", [_], [callee]) => self.with_subject(
                subject,
                (whole, place),
                |it, value| Ok(it.there(value)),
                |it| it.invoke(callee, Vec::new(), expected.clone()),
            ),
            _ => self.refuse(&call.name, refuse::optional_method(list(METHODS.iter().copied()))),
        }
    }
    /// The same of what has parts, where no function is called and nothing is there instead.
    fn method_of_parts(
        &mut self,
        whole: &Expr,
        call: &Method,
        (receiver, of, args): (&Value, &Optional, &[Value]),
    ) -> Flow<Option<Value>> {
        let (place, span) = (&call.receiver, Span::mixed_site());
        let value = match (call.name.to_string().as_str(), args) {
            ("is_some", []) => self.holds(of, place),
            ("is_none", []) => self.lacks(of, place),
            ("unwrap", []) => {
                let message = quote_spanned!(span=> "called `Option::unwrap()` on a `None` value");
                self.unwrapped(of, (whole, place), message)
            }
            ("expect", [message]) => match message.to_passive() {
                Some(message) => {
                    let message = message.tokens().clone();
                    self.unwrapped(of, (whole, place), quote_spanned!(span=> "{}", #message))
                }
                None => self.refuse(&call.args[0], refuse::PRINTED),
            },
            ("unwrap_or_default", []) => {
                let content = self.found(of, place)?;
                let default = self.default_of(&content, place)?;
                self.either(of, (whole, place), |_| Ok(default))
            }
            ("copied" | "cloned", []) => {
                let (test, content) = (self.holds(of, place)?, self.found(of, place)?);
                if !content.is_cloned_as_it_is() {
                    return self.refuse(&call.name, refuse::optional_method(list(METHODS.iter().copied())));
                }
                let content = self.dereference(content);
                Ok(Value::there_if(test, content))
            }
            ("as_ref", []) => {
                let (test, content) = (self.holds(of, place)?, self.found(of, place)?);
                let content = self.shared(content);
                Ok(Value::there_if(test, content))
            }
            ("clone", []) if receiver.is_cloned_as_it_is() => Ok(receiver.behind_references().clone()),
            _ => return Ok(None),
        };
        value.map(Some)
    }

    /// What is made of what is there, or without it.
    fn with_subject(
        &mut self,
        subject: Subject,
        (whole, place): (&Expr, &Expr),
        some: impl FnOnce(&mut Self, Value) -> Flow,
        none: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        match subject {
            Subject::Parts(of) => self.with_either(&of, (whole, place), some, none),
            Subject::Passive(option) => {
                let some = |it: &mut Self, value| it.in_block(|it| some(it, value));
                self.branch_on_option(whole, option, some, |it| it.in_block(none))
            }
        }
    }

    /// What is there, or what there is without it.
    fn or_otherwise(
        &mut self,
        subject: Subject,
        places: (&Expr, &Expr),
        otherwise: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        match subject {
            Subject::Parts(of) => self.either(&of, places, otherwise),
            subject => self.with_subject(subject, places, |_, value| Ok(value), otherwise),
        }
    }
}
