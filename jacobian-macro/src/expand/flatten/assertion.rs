//! Assertions about passive values: `assert!` and its like are kept as the user wrote them.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, LitStr, Macro, Token};

use super::Flattener;
use super::prologue::Line;
use super::value::{Passive, Value};

/// The macros, and how many of their arguments stand before the message.
const ASSERTIONS: &[(&str, usize)] = &[
    ("assert", 1),
    ("assert_eq", 2),
    ("assert_ne", 2),
    ("debug_assert", 1),
    ("debug_assert_eq", 2),
    ("debug_assert_ne", 2),
];

/// Why statements are refused in an assertion: what is in the message, or in a debug assertion, may not be evaluated.
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
    /// A macro call, which is refused unless it is an assertion or `matches!`.
    pub(super) fn macro_call(&mut self, call: &Macro) -> Value {
        if macro_name(call).as_deref() == Some("matches") {
            return self.matches_call(call);
        }
        if let Some(why) = self.inline {
            return self.refuse(call, why);
        }
        let Some(subjects) = subjects(call) else {
            return self.refuse(call, "macros are not expanded here; write out what this one stands for");
        };
        match Punctuated::<Argument, Token![,]>::parse_terminated.parse2(call.tokens.clone()) {
            Ok(arguments) => self.assertion(call, subjects, &arguments.into_iter().collect::<Vec<_>>()),
            Err(error) => {
                self.errors.push(error);
                Value::Error
            }
        }
    }

    fn assertion(&mut self, call: &Macro, subjects: usize, arguments: &[Argument]) -> Value {
        let outer = self.inline.replace(INLINE);
        let values = self.in_order(None, arguments.iter().map(|argument| &argument.value));
        self.inline = outer;
        let mut written = Vec::new();
        for (argument, value) in arguments.iter().zip(values) {
            let Some(passive) = self.asserted(&argument.value, &value) else { return Value::Error };
            let (name, value) = (argument.name.as_ref().map(|(name, equals)| quote!(#name #equals)), passive.tokens());
            written.push(quote!(#name #value));
        }
        if let Some(Expr::Lit(syn::ExprLit { lit: Lit::Str(message), .. })) = arguments.get(subjects).map(|a| &a.value)
        {
            let Some(captures) = self.captures(message, arguments) else { return Value::Error };
            written.extend(captures);
        }
        let path = &call.path;
        self.line(Line::effect(quote!(#path!(#(#written),*);)));
        Value::unit()
    }

    fn asserted(&mut self, place: &impl ToTokens, value: &Value) -> Option<Passive> {
        let passive = value.to_passive();
        if passive.is_none() && !value.is_error() {
            self.errors.at(
                place,
                "an assertion about an active value is not supported; assert what it depends on before the call",
            );
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
            let passive = self.asserted(message, &value)?;
            let tokens = passive.tokens();
            written.push(quote!(#ident = #tokens));
            seen.push(name);
        }
        Some(written)
    }
}

/// How many arguments an assertion has before its message; none if the macro is no assertion.
fn subjects(call: &Macro) -> Option<usize> {
    let name = macro_name(call)?;
    ASSERTIONS.iter().find(|(known, _)| *known == name).map(|(_, subjects)| *subjects)
}

/// The name of a macro of the standard library.
fn macro_name(call: &Macro) -> Option<String> {
    let segments: Vec<_> = call.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match &segments[..] {
        [name] => Some(name.clone()),
        [root, name] if root == "core" || root == "std" => Some(name.clone()),
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
