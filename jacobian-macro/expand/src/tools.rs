//! What the front end makes of functions, for tools: behind the feature `tools`, which no macro has.

use std::ops::Range;

use jacobian_core::code_list::{CodeList, ValueId};
use jacobian_core::pipeline::Settings;
use jacobian_core::{Form, Jacobian};
use jacobian_lower::Lowered;
use jacobian_lower::diagnostics::Errors;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ItemFn;

use super::emit::{Emitted, Writer};
use super::watch::Watch;

/// What is generated for an item.
pub struct Expansion {
    /// The item and what is generated for it, without the errors.
    pub tokens: TokenStream,
    /// The forms of its functions, in the order in which they are generated; those of one function follow each other.
    pub generated: Vec<Generated>,
    /// What is refused.
    pub errors: Vec<syn::Error>,
}

/// A form of a function.
pub struct Generated {
    /// The name of the function.
    pub function: String,
    /// The function as a code list.
    pub list: CodeList,
    /// By statement of that list: the lines in the source that it is from, counted from 1.
    pub lines: Vec<Range<usize>>,
    /// The first line of the function in the source, its attributes included, from 1.
    pub first_line: usize,
    /// The line after its last.
    pub end_line: usize,
    /// What was asked of the engine.
    pub settings: Settings,
    /// What the engine has made of it.
    pub jacobian: Jacobian,
    /// The generated functions.
    pub tokens: TokenStream,
    /// By value of the derivative: the variable that it is in, or is a part of, if it is in one.
    pub variables: Vec<(ValueId, String)>,
}

/// Expands `#[jacobian(options)] item`, and tells how.
pub fn expand(options: TokenStream, item: TokenStream) -> Expansion {
    let (mut errors, mut generated) = (Errors::default(), Watcher(Vec::new()));
    let tokens = super::expand_watched(options, item, &mut errors, &mut generated);
    Expansion { tokens, generated: generated.0, errors: errors.into_all() }
}

struct Watcher(Vec<Generated>);

impl Watch for Watcher {
    fn generated(
        &mut self,
        function: &ItemFn,
        lowered: &Lowered,
        settings: Settings,
        jacobian: Jacobian,
        emitted: &Emitted,
    ) {
        let mut lines = Vec::new();
        for (end, place) in &lowered.places {
            let [first, last] = place.ends();
            lines.resize(*end, first.start().line..last.end().line.max(first.start().line) + 1);
        }
        let ids = jacobian.derivative.list.ids();
        let variables = ids.zip(&emitted.operands).filter_map(|(id, operand)| Some((id, variable(operand)?)));
        let starts = function.to_token_stream().into_iter().map(|token| token.span().start().line);
        self.0.push(Generated {
            first_line: starts.filter(|line| *line > 0).min().unwrap_or(1),
            end_line: function.block.brace_token.span.close().end().line + 1,
            function: function.sig.ident.to_string(),
            list: lowered.list.clone(),
            lines,
            settings,
            variables: variables.collect(),
            jacobian,
            tokens: emitted.tokens.clone(),
        });
    }
}

/// The variable that an operand is, or is a part of.
fn variable(operand: &Writer) -> Option<String> {
    let mut tokens = operand.tokens();
    let Some(TokenTree::Ident(name)) = tokens.next() else { return None };
    let is_part = |token| matches!(token, TokenTree::Group(_) | TokenTree::Literal(_) | TokenTree::Punct(_));
    tokens.all(is_part).then(|| name.to_string())
}

impl Generated {
    /// The form.
    pub fn form(&self) -> Form {
        self.settings.form
    }
}
