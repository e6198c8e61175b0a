//! The macros that are known: assertions, those that panic, and `matches!`, whose patterns are those of `matched`.
//!
//! An assertion about passive values is kept as the user wrote it. One about active values becomes a branch, one arm of
//! which panics.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use jacobian_core::code_list::Kind;

use super::super::refuse;
use super::super::syntax::{Action, Argument, Expr, Macro, Place, Placed};
use super::Lowering;
use super::control::{Exit, Flow, Stop};
use super::program::{Head, Line};
use super::value::{Passive, Value};

impl Lowering<'_> {
    /// A call of a macro that is known.
    pub(super) fn macro_call(&mut self, whole: &Expr, call: &Macro) -> Flow {
        if let Action::Matches(pattern, guard) = &call.action {
            return self.matches_call(call, pattern, guard.as_ref());
        }
        if let Some(why) = self.inline {
            return self.refuse(whole, if self.is_in_constant() { refuse::MACRO_IN_CONSTANT } else { why });
        }
        match &call.action {
            Action::Assert { condition, is_debug, .. } if !self.is_passive(condition) => {
                self.active_assertion(whole, call, condition, *is_debug)
            }
            _ => self.kept_macro(call),
        }
    }

    /// Whether an expression depends on no active value.
    fn is_passive(&mut self, expression: &Expr) -> bool {
        self.on_trial(|lowering| lowering.inlined_expression(expression)).is_none_or(|value| value.is_passive())
    }

    fn inlined_expression(&mut self, expression: &Expr) -> Flow {
        let outer = self.inline.replace(refuse::STATEMENT_IN_ASSERTION);
        let value = self.expression(expression);
        self.inline = outer;
        value
    }

    /// A macro about passive values.
    fn kept_macro(&mut self, call: &Macro) -> Flow {
        let written = self.written_arguments(&call.args)?;
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
        let value = self.inlined_expression(condition)?;
        let selector = self.condition(&value, condition)?;
        let fails = |it: &mut Self| {
            let message = it.written_arguments(&call.args[call.action.subjects()..])?;
            let message = match (message.is_empty(), &call.action) {
                (true, Action::Assert { failure, .. }) => failure.to_token_stream(),
                _ => quote_spanned!(Span::mixed_site()=> ::core::format_args!(#(#message),*)),
            };
            it.program.line(Line::effect(quote_spanned!(Span::mixed_site()=> ::core::panic!("{}", #message);)));
            Err(panics(call))
        };
        let arms = vec![self.in_arm(|_| Ok(Value::unit()))?, self.in_arm(fails)?];
        self.join(Head::If, selector, arms, whole)
    }

    /// The arguments as they are written in the generated code. Those that a message captures are named: there,
    /// variables may have other names.
    fn written_arguments(&mut self, arguments: &[Argument]) -> Flow<Vec<TokenStream>> {
        let outer = self.inline.replace(refuse::STATEMENT_IN_ASSERTION);
        let values = self.in_order(None, arguments.iter().map(|argument| &argument.value));
        self.inline = outer;
        let mut written = Vec::new();
        for (argument, value) in arguments.iter().zip(values?) {
            let Some(passive) = value.to_passive() else {
                return self.refuse(&argument.value, refuse::PRINTED);
            };
            let (name, value) = (argument.name.as_ref().map(|name| quote!(#name =)), passive.tokens());
            written.push(quote!(#name #value));
        }
        Ok(written)
    }
}

/// Control ends at a macro that panics.
fn panics(call: &Macro) -> Box<Stop> {
    Stop::jump(Exit::Panic, &Place::of(call.path.place().span()))
}
