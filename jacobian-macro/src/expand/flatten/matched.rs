//! Patterns of the arms of run-time branches, and of closures that are not called here: they stay as the user wrote them.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, Ident, Pat, PatIdent};

use super::Flattener;
use super::value::{Binding, Passive, Value};

impl Flattener<'_> {
    /// The pattern of an arm. Which of its names are variables is not known here, so all stay as they are, and mean
    /// themselves in the arm; those of constants of the function are written as these are.
    pub(super) fn matched_pattern(&mut self, pattern: &Pat) -> TokenStream {
        let mut pattern = pattern.clone();
        self.written_pattern(&mut pattern);
        pattern.to_token_stream()
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
