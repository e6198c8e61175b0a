//! Patterns of the arms of run-time branches, and of closures that are not called here: they stay as the user wrote them.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, Macro, Pat, PatIdent, Token};

use super::Flattener;
use super::branch::ACTIVE;
use super::control::Match;
use super::number::Number;
use super::value::{Binding, Passive, Value};

/// What `matches!` is given.
struct Matched {
    subject: Expr,
    pattern: Pat,
    guard: Option<Expr>,
}

impl Parse for Matched {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let subject = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.parse::<Option<Token![if]>>()?.is_some() { Some(input.parse()?) } else { None };
        input.parse::<Option<Token![,]>>()?;
        Ok(Matched { subject, pattern, guard })
    }
}

impl Flattener<'_> {
    /// The pattern of an arm. Which of its names are variables is not known here, so all stay as they are, and mean
    /// themselves in the arm; those of constants of the function are written as these are.
    pub(super) fn matched_pattern(&mut self, pattern: &Pat) -> TokenStream {
        let mut pattern = pattern.clone();
        self.written_pattern(&mut pattern);
        pattern.to_token_stream()
    }

    /// `matches!` of a passive value: known, or as the user wrote it.
    pub(super) fn matches_call(&mut self, call: &Macro) -> Value {
        let Matched { subject, pattern, guard } = match call.parse_body() {
            Ok(matched) => matched,
            Err(error) => {
                self.errors.push(error);
                return Value::Error;
            }
        };
        let value = self.expression(&subject);
        if value.is_error() {
            return Value::Error;
        }
        if value.number().is_some() && guard.is_none() {
            match self.matches(&pattern, &value) {
                Match::Unknown => {}
                found => {
                    return Value::Passive(self.known(Number::Bool(found == Match::Yes), Passive::simple(quote!())));
                }
            }
        }
        let Some(passive) = value.to_passive() else { return self.refuse(&subject, ACTIVE) };
        self.scopes.enter();
        let pattern = self.matched_pattern(&pattern);
        let guard = guard.map(|guard| self.guard(&guard)).map(|guard| quote!(if #guard));
        self.scopes.leave();
        let (path, subject) = (&call.path, passive.tokens());
        Value::Passive(Passive::simple(quote!(#path!(#subject, #pattern #guard))))
    }

    fn written_pattern(&mut self, pattern: &mut Pat) {
        match pattern {
            Pat::Ident(PatIdent { subpat: Some((_, pattern)), ident, .. }) => {
                self.variable_of_pattern(ident);
                self.written_pattern(pattern);
            }
            Pat::Ident(PatIdent { ident, .. }) => match self.local_constant(ident) {
                Some(constant) => *pattern = Pat::Verbatim(constant),
                None => self.variable_of_pattern(ident),
            },
            Pat::Paren(paren) => self.written_pattern(&mut paren.pat),
            Pat::Type(typed) => self.written_pattern(&mut typed.pat),
            Pat::Reference(reference) => self.written_pattern(&mut reference.pat),
            Pat::Tuple(tuple) => tuple.elems.iter_mut().for_each(|element| self.written_pattern(element)),
            Pat::Slice(slice) => slice.elems.iter_mut().for_each(|element| self.written_pattern(element)),
            Pat::TupleStruct(tuple) => tuple.elems.iter_mut().for_each(|element| self.written_pattern(element)),
            Pat::Struct(pattern) => pattern.fields.iter_mut().for_each(|field| self.written_pattern(&mut field.pat)),
            Pat::Or(or) => or.cases.iter_mut().for_each(|case| self.written_pattern(case)),
            Pat::Range(range) => {
                range.start.iter_mut().chain(&mut range.end).for_each(|bound| self.written_bound(bound));
            }
            _ => {}
        }
    }

    fn variable_of_pattern(&mut self, ident: &Ident) {
        let passive = Passive::simple(ident.to_token_stream()).behind_reference();
        self.scopes.declare(ident, Binding { value: Value::Passive(passive), ty: None });
    }

    fn written_bound(&mut self, bound: &mut Expr) {
        if let Expr::Path(path) = bound
            && let Some(constant) = path.path.get_ident().and_then(|ident| self.local_constant(ident))
        {
            *bound = Expr::Verbatim(constant);
        }
    }

    /// How the constant of this function that `ident` means is written.
    fn local_constant(&self, ident: &Ident) -> Option<TokenStream> {
        let number = self.scopes.number(ident).filter(|&number| self.scopes.is_constant(number))?;
        Some(self.scopes.get(number).value.to_passive()?.tokens().clone())
    }
}
