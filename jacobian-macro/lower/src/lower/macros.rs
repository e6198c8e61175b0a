//! The macros that are known: assertions, those that panic, and `matches!`, whose patterns are those of `matched`.
//!
//! An assertion about passive values is kept as the user wrote it. One about active values becomes a branch, one arm of
//! which panics. What is printed of active values are the numbers that they are (`observe.rs`).

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Lit;

use jacobian_list::code_list::Kind;

use super::super::refuse;
use super::super::syntax::{Action, Argument, Expr, ExprKind, Macro, Place, Placed};
use super::control::{Exit, Flow, Stop};
use super::numbers::Number;
use super::program::{Head, Line};
use super::value::{Passive, Value};
use super::{Lowering, emitted};

impl Lowering<'_> {
    /// A call of a macro that is known.
    pub(super) fn macro_call(&mut self, whole: &Expr, call: &Macro) -> Flow {
        if let Action::Matches(pattern, guard) = &call.action {
            return self.matches_call(whole, call, pattern, guard.as_ref());
        }
        if let Action::Vector(columns) = call.action {
            return self.vector_macro(call, columns);
        }
        if let Some(why) = self.inline {
            return self.refuse(whole, if self.is_in_constant() { refuse::MACRO_IN_CONSTANT } else { why });
        }
        match &call.action {
            Action::Assert { condition, .. } if self.is_known_to_hold(condition) => {
                self.require_macro(&call.path);
                Ok(Value::unit())
            }
            Action::Assert { condition, is_debug, .. } if !self.is_kept(call) => {
                self.active_assertion(whole, call, condition, *is_debug)
            }
            Action::Debug(texts) => self.debugged(call, texts, whole),
            _ => self.kept_macro(call),
        }
    }

    fn is_known_to_hold(&mut self, condition: &Expr) -> bool {
        let value = self.on_short_trial(|lowering| lowering.inlined_expression(condition));
        value.is_some_and(|value| matches!(value.number(), Some(Number::Bool(true))))
    }

    /// Whether an assertion can be kept as it is written: nothing in it is active, or needs a statement. One that is
    /// refused is, too, so that it is reported once.
    fn is_kept(&mut self, call: &Macro) -> bool {
        call.args.iter().all(|arg| match self.in_arm(|lowering| lowering.inlined_expression(&arg.value)) {
            Ok(arm) => arm.does_nothing() && arm.value.is_none_or(|value| value.is_passive()),
            Err(_) => true,
        })
    }

    fn inlined_expression(&mut self, expression: &Expr) -> Flow {
        let outer = self.inline.replace(refuse::STATEMENT_IN_ASSERTION);
        let value = self.expression(expression);
        self.inline = outer;
        value
    }

    /// A macro that is kept as it is written. What is active is printed as the number that it is.
    fn kept_macro(&mut self, call: &Macro) -> Flow {
        let mut written = match call.action {
            Action::Print | Action::Panic => self.observed_arguments(&call.args)?,
            _ => self.written_arguments(&call.args)?,
        };
        // The message of an assertion is the text of its condition, as the user wrote that.
        if let (Action::Assert { failure, subjects: 1, .. }, [condition]) = (&call.action, &written[..])
            && !is_same_text(failure, &format!("assertion failed: {condition}"))
        {
            written.push(quote_spanned!(Span::mixed_site()=> "{}", #failure));
        }
        let path = &call.path;
        let call_tokens = quote!(#path!(#(#written),*));
        if let Action::Kept = call.action {
            return Ok(Value::Passive(Passive::simple(call_tokens)));
        }
        self.program.line(Line::effect(quote!(#call_tokens;)));
        match call.action {
            Action::Panic => Err(panics(call)),
            _ => Ok(Value::unit()),
        }
    }

    /// `dbg!`: what is passive in a variable of its own, for it is evaluated once. The texts are the user's, in which
    /// variables have their names.
    fn debugged(&mut self, call: &Macro, texts: &[String], whole: &Expr) -> Flow {
        self.require_macro(&call.path);
        let span = whole.place.span();
        let mut values = Vec::with_capacity(texts.len());
        for (arg, text) in call.args.iter().zip(texts) {
            let value = match self.expression(&arg.value)? {
                Value::Passive(passive) => {
                    Value::Passive(self.let_passive(&emitted(&format_ident!("value")), &passive, None))
                }
                value => value,
            };
            let written = self.observed(&value, &arg.value)?.operand();
            // These are looked up in the user's edition: that of 2015 knows no `core`.
            let place = quote_spanned!(span=> ::std::file!(), ::std::line!(), ::std::column!());
            self.program.line(Line::effect(quote_spanned! {Span::mixed_site()=>
                ::std::eprintln!("[{}:{}:{}] {} = {:#?}", #place, #text, &#written);
            }));
            values.push(value);
        }
        match texts.len() {
            0 => {
                let path = &call.path;
                self.program.line(Line::effect(quote!(#path!();)));
                Ok(Value::unit())
            }
            1 => Ok(values.swap_remove(0)),
            _ => Ok(Value::Tuple(values.into())),
        }
    }

    /// An assertion about active values.
    fn active_assertion(&mut self, whole: &Expr, call: &Macro, condition: &Expr, is_debug: bool) -> Flow {
        if !is_debug {
            return self.asserted(whole, call, condition);
        }
        let debug = quote_spanned!(Span::mixed_site()=> ::core::cfg!(debug_assertions));
        let selector = self.program.passive_operand(Kind::Bool, "debug", debug);
        let arms = vec![self.in_arm(|it| it.asserted(whole, call, condition))?, self.in_arm(|_| Ok(Value::unit()))?];
        self.join(Head::If, selector, arms, whole)
    }

    fn asserted(&mut self, whole: &Expr, call: &Macro, condition: &Expr) -> Flow {
        self.require_macro(&call.path);
        let (value, subjects) = self.asserted_condition(call, condition)?;
        let selector = self.condition(&value, condition)?;
        let fails = |it: &mut Self| {
            let subjects = subjects.iter().zip(&call.args).map(|(subject, arg)| it.observed(subject, &arg.value));
            let subjects: Vec<_> = subjects.collect::<Flow<Vec<_>>>()?.iter().map(Passive::operand).collect();
            let message = it.observed_arguments(&call.args[call.action.subjects()..])?;
            let span = Span::mixed_site();
            let message = match (&call.action, message.is_empty()) {
                (Action::Assert { failure, subjects: 1, .. }, true) => quote_spanned!(span=> "{}", #failure),
                (Action::Assert { failure, .. }, true) => {
                    quote_spanned!(span=> "{}\n  left: {:?}\n right: {:?}", #failure, #(&#subjects),*)
                }
                (Action::Assert { failure, subjects: 2, .. }, false) => {
                    let message = quote_spanned!(span=> ::core::format_args!(#(#message),*));
                    quote_spanned!(span=> "{}: {}\n  left: {:?}\n right: {:?}", #failure, #message, #(&#subjects),*)
                }
                _ => quote_spanned!(span=> "{}", ::core::format_args!(#(#message),*)),
            };
            it.program.line(Line::effect(quote_spanned!(span=> ::core::panic!(#message);)));
            Err(panics(call))
        };
        let arms = vec![self.in_arm(|_| Ok(Value::unit()))?, self.in_arm(fails)?];
        self.join(Head::If, selector, arms, whole)
    }

    /// The condition of an assertion, and what it compares, if it does: each is evaluated once.
    fn asserted_condition(&mut self, call: &Macro, condition: &Expr) -> Flow<(Value, Vec<Value>)> {
        match &*condition.kind {
            ExprKind::Binary(op, left, right) if call.action.subjects() == 2 => {
                let outer = self.inline.replace(refuse::STATEMENT_IN_ASSERTION);
                let values = self.in_order(None, [left, right]);
                self.inline = outer;
                let values: Vec<_> = values?.into_iter().map(|value| self.evaluated(value)).collect();
                let [first, second] = [values[0].clone(), values[1].clone()];
                Ok((self.operated(op, (first, left), (second, right), condition)?, values))
            }
            _ => Ok((self.inlined_expression(condition)?, Vec::new())),
        }
    }

    /// The arguments as they are written in the generated code, as they are. Those that a message captures are named:
    /// there, variables may have other names.
    fn written_arguments(&mut self, arguments: &[Argument]) -> Flow<Vec<TokenStream>> {
        let outer = self.inline.replace(refuse::STATEMENT_IN_ASSERTION);
        let values = self.in_order(None, arguments.iter().map(|argument| &argument.value));
        self.inline = outer;
        let mut written = Vec::new();
        for (argument, value) in arguments.iter().zip(values?) {
            match value.to_passive() {
                Some(passive) => written.push(argument_of(argument, &passive)),
                None => return self.refuse(&argument.value, refuse::PRINTED),
            }
        }
        Ok(written)
    }

    /// The same, with the numbers that active values are.
    fn observed_arguments(&mut self, arguments: &[Argument]) -> Flow<Vec<TokenStream>> {
        let text = |argument: &Argument| match &*argument.value.kind {
            ExprKind::Literal(text @ Lit::Str(_)) => Some(Passive::simple(text.to_token_stream())),
            _ => None,
        };
        let values = arguments.iter().filter(|argument| text(argument).is_none()).map(|argument| &argument.value);
        let mut values = self.in_order(None, values)?.into_iter();
        let mut written = Vec::new();
        for argument in arguments {
            let passive = match text(argument) {
                Some(text) => text,
                None => self.observed(&values.next().unwrap_or(Value::Unset), &argument.value)?,
            };
            written.push(argument_of(argument, &passive));
        }
        Ok(written)
    }
}

/// Whether two texts differ in their spaces at most.
fn is_same_text(one: &str, other: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<String>();
    words(one) == words(other)
}

fn argument_of(argument: &Argument, value: &Passive) -> TokenStream {
    let (name, value) = (argument.name.as_ref().map(|name| quote!(#name =)), value.tokens());
    quote!(#name #value)
}

/// Control ends at a macro that panics.
fn panics(call: &Macro) -> Box<Stop> {
    Stop::jump(Exit::Panic, &Place::of(call.path.place().span()))
}
