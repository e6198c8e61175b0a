//! The macros that are known: assertions, those that panic, and `matches!`, whose patterns are those of `matched`.
//!
//! An assertion about passive values is kept as the user wrote it. One about active values becomes a branch, one arm of
//! which panics.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Lit, LitStr, Macro, Token, parse_quote_spanned};

use jacobian_core::code_list::Kind;

use super::Flattener;
use super::code::{Head, Line};
use super::control::Exit;
use super::value::{Passive, Value};

/// What a macro does.
#[derive(Copy, Clone)]
enum Action {
    /// It panics.
    Panic,
    /// It panics where its first argument is false.
    Assert,
    /// It panics where its first two arguments are not related by this operator.
    Compare(&'static str),
}

/// The macros, and whether they are for debug builds only.
const MACROS: &[(&str, Action, bool)] = &[
    ("panic", Action::Panic, false),
    ("todo", Action::Panic, false),
    ("unimplemented", Action::Panic, false),
    ("unreachable", Action::Panic, false),
    ("assert", Action::Assert, false),
    ("assert_eq", Action::Compare("=="), false),
    ("assert_ne", Action::Compare("!="), false),
    ("debug_assert", Action::Assert, true),
    ("debug_assert_eq", Action::Compare("=="), true),
    ("debug_assert_ne", Action::Compare("!="), true),
];

/// Why statements are refused in these macros: what is in a message, or in a debug assertion, may not be evaluated.
const INLINE: &str = "blocks and assignments in an assertion are not supported; bind what it is about with `let`";

/// An argument, which may be named: `n` or `name = n`.
struct Argument {
    name: Option<(Ident, Token![=])>,
    value: Expr,
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let is_named = input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if is_named { Some((input.parse()?, input.parse()?)) } else { None };
        Ok(Argument { name, value: input.parse()? })
    }
}

impl Flattener<'_> {
    /// A macro call, which is refused unless the macro is known.
    pub(super) fn macro_call(&mut self, call: &Macro) -> Value {
        if name_of(call).as_deref() == Some("matches") {
            return self.matches_call(call);
        }
        if let Some(why) = self.inline {
            return self.refuse(call, why);
        }
        let Some((action, is_debug)) = action(call) else {
            return self.refuse(call, "macros are not expanded here; write out what this one stands for");
        };
        let arguments = match Punctuated::<Argument, Token![,]>::parse_terminated.parse2(call.tokens.clone()) {
            Ok(arguments) => arguments.into_iter().collect::<Vec<_>>(),
            Err(error) => {
                self.errors.push(error);
                return Value::Error;
            }
        };
        match condition(action, &arguments) {
            Some(condition) if !self.is_passive(&condition) => {
                self.active_assertion(call, &condition, &arguments, is_debug)
            }
            _ => self.kept_macro(call, action, &arguments),
        }
    }

    /// Whether an expression depends on no active value.
    fn is_passive(&mut self, expression: &Expr) -> bool {
        let value = self.on_trial(|flattener| flattener.inlined_expression(expression));
        value.is_passive() || value.is_error()
    }

    fn inlined_expression(&mut self, expression: &Expr) -> Value {
        let outer = self.inline.replace(INLINE);
        let value = self.expression(expression);
        self.inline = outer;
        value
    }

    /// A macro about passive values.
    fn kept_macro(&mut self, call: &Macro, action: Action, arguments: &[Argument]) -> Value {
        let Some(written) = self.written_arguments(arguments, action.subjects()) else { return Value::Error };
        let path = &call.path;
        self.line(Line::effect(quote!(#path!(#(#written),*);)));
        match action {
            Action::Panic => self.panics(call.path.span()),
            Action::Assert | Action::Compare(_) => Value::unit(),
        }
    }

    /// Notes that control ends here.
    fn panics(&mut self, span: Span) -> Value {
        self.jump = span;
        self.exit = Some(Exit::Panic);
        Value::Error
    }

    /// An assertion about active values.
    fn active_assertion(&mut self, call: &Macro, condition: &Expr, arguments: &[Argument], is_debug: bool) -> Value {
        if !is_debug {
            return self.asserted(call, condition, arguments);
        }
        let debug = quote_spanned!(Span::mixed_site()=> ::core::cfg!(debug_assertions));
        let selector = self.passive_operand(Kind::Bool, "debug", debug);
        let arms = vec![self.in_arm(|it| it.asserted(call, condition, arguments)), self.in_arm(|_| Value::unit())];
        self.join(Head::If, selector, arms, call)
    }

    fn asserted(&mut self, call: &Macro, condition: &Expr, arguments: &[Argument]) -> Value {
        let value = self.inlined_expression(condition);
        let Some(selector) = self.condition(&value, condition) else { return Value::Error };
        let subjects = action(call).map_or(0, |(action, _)| action.subjects());
        let fails = |it: &mut Self| {
            let Some(message) = it.written_arguments(&arguments[subjects..], 0) else { return Value::Error };
            let message = match message.is_empty() {
                true => failure(call, arguments).to_token_stream(),
                false => quote_spanned!(Span::mixed_site()=> ::core::format_args!(#(#message),*)),
            };
            it.line(Line::effect(quote_spanned!(Span::mixed_site()=> ::core::panic!("{}", #message);)));
            it.panics(call.path.span())
        };
        let arms = vec![self.in_arm(|_| Value::unit()), self.in_arm(fails)];
        self.join(Head::If, selector, arms, call)
    }

    /// The arguments as they are written in the generated code, of which the first `subjects` are no part of a message.
    fn written_arguments(&mut self, arguments: &[Argument], subjects: usize) -> Option<Vec<TokenStream>> {
        let outer = self.inline.replace(INLINE);
        let values = self.in_order(None, arguments.iter().map(|argument| &argument.value));
        self.inline = outer;
        let mut written = Vec::new();
        for (argument, value) in arguments.iter().zip(values) {
            let (name, passive) = (&argument.name, self.as_argument(&argument.value, &value)?);
            let (name, value) = (name.as_ref().map(|(name, equals)| quote!(#name #equals)), passive.tokens());
            written.push(quote!(#name #value));
        }
        let message = arguments.get(subjects).map(|argument| &argument.value);
        if let Some(Expr::Lit(syn::ExprLit { lit: Lit::Str(message), .. })) = message {
            written.extend(self.captures(message, arguments)?);
        }
        Some(written)
    }

    fn as_argument(&mut self, place: &impl ToTokens, value: &Value) -> Option<Passive> {
        let passive = value.to_passive();
        if passive.is_none() && !value.is_error() {
            self.errors.at(place, "a message with an active value in it is not supported; leave it out");
        }
        passive
    }

    /// The variables that a message captures, as named arguments: in the generated function they have other names.
    fn captures(&mut self, message: &LitStr, arguments: &[Argument]) -> Option<Vec<TokenStream>> {
        let mut written = Vec::new();
        let mut seen: Vec<_> =
            arguments.iter().filter_map(|argument| argument.name.as_ref()).map(|(name, _)| name.to_string()).collect();
        for name in captured_names(&message.value()) {
            if seen.contains(&name) || syn::parse_str::<Ident>(&name).is_err() {
                continue;
            }
            let ident = Ident::new(&name, message.span());
            let Some(value) = self.scopes.find(&ident).map(|binding| binding.value.clone()) else { continue };
            let passive = self.as_argument(message, &value)?;
            let tokens = passive.tokens();
            written.push(quote!(#ident = #tokens));
            seen.push(name);
        }
        Some(written)
    }
}

impl Action {
    /// How many arguments stand before the message.
    fn subjects(self) -> usize {
        match self {
            Action::Panic => 0,
            Action::Assert => 1,
            Action::Compare(_) => 2,
        }
    }
}

/// What a macro does, and whether in debug builds only; none if it is not known.
fn action(call: &Macro) -> Option<(Action, bool)> {
    let name = name_of(call)?;
    MACROS.iter().find(|(known, ..)| *known == name).map(|&(_, action, is_debug)| (action, is_debug))
}

/// The name of a macro of the standard library.
fn name_of(call: &Macro) -> Option<String> {
    let segments: Vec<_> = call.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match &segments[..] {
        [name] => Some(name.clone()),
        [root, name] if root == "core" || root == "std" => Some(name.clone()),
        _ => None,
    }
}

/// What an assertion without a message says where it fails.
fn failure(call: &Macro, arguments: &[Argument]) -> String {
    match action(call) {
        Some((Action::Compare(operator), _)) => format!("assertion `left {operator} right` failed"),
        _ => format!("assertion failed: {}", arguments[0].value.to_token_stream()),
    }
}

/// What a macro asserts.
fn condition(action: Action, arguments: &[Argument]) -> Option<Expr> {
    match (action, arguments) {
        (Action::Assert, [subject, ..]) => Some(subject.value.clone()),
        (Action::Compare(operator), [left, right, ..]) => {
            let operator: syn::BinOp = syn::parse_str(operator).ok()?;
            let (left, right) = (&left.value, &right.value);
            Some(parse_quote_spanned!(left.span()=> (#left) #operator (#right)))
        }
        _ => None,
    }
}

/// The names in the braces of a format string: those of arguments, of widths and of precisions.
fn captured_names(format: &str) -> Vec<String> {
    let mut names = Vec::new();
    let unescaped = format.replace("{{", "");
    for part in unescaped.split('{').skip(1) {
        let inside = part.split('}').next().unwrap_or_default();
        let (argument, spec) = inside.split_once(':').unwrap_or((inside, ""));
        names.push(argument.trim().to_string());
        let counts = spec.split('$').rev().skip(1);
        names.extend(counts.map(|count| {
            count.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_string()
        }));
    }
    names.retain(|name| name.starts_with(|first: char| first.is_alphabetic() || first == '_'));
    names
}

#[cfg(test)]
mod tests {
    use super::captured_names;

    #[test]
    fn names_in_braces_are_captured() {
        assert_eq!(
            captured_names("{n} of {} and {0}, {m:?}, {{k}}, {x:>width$.prec$}"),
            ["n", "m", "x", "prec", "width"]
        );
        assert!(captured_names("no braces, {:5}").is_empty());
    }
}
