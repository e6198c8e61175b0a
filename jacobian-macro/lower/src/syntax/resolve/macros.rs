//! The macros that are known: assertions, those that panic or print, and `matches!`. Any other is kept as it is
//! written.

use std::collections::HashSet;

use proc_macro2::{Ident, Literal, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{BinOp, Lit, LitStr, Pat, Token};

use super::super::super::names::each_identifier;
use super::super::super::refuse;
use super::super::super::tokens::grouped;
use super::super::place::{Place, Placed};
use super::super::tree::{Action, Argument, Binding, Expr, ExprKind, Macro, Written};
use super::Reader;

/// What a macro does.
#[derive(Copy, Clone)]
enum Known {
    /// It panics.
    Panic,
    /// It prints.
    Print,
    /// It prints its arguments, and gives them back.
    Debug,
    /// It makes a text.
    Kept,
    /// It panics where its first argument is false.
    Assert,
    /// It panics where its first two arguments are not related by this operator.
    Compare(&'static str),
}

/// The macros, and whether they are for debug builds only.
const MACROS: &[(&str, Known, bool)] = &[
    ("panic", Known::Panic, false),
    ("todo", Known::Panic, false),
    ("unimplemented", Known::Panic, false),
    ("unreachable", Known::Panic, false),
    ("print", Known::Print, false),
    ("println", Known::Print, false),
    ("eprint", Known::Print, false),
    ("eprintln", Known::Print, false),
    ("format", Known::Kept, false),
    ("dbg", Known::Debug, false),
    ("assert", Known::Assert, false),
    ("assert_eq", Known::Compare("=="), false),
    ("assert_ne", Known::Compare("!="), false),
    ("debug_assert", Known::Assert, true),
    ("debug_assert_eq", Known::Compare("=="), true),
    ("debug_assert_ne", Known::Compare("!="), true),
];

/// The macros of nalgebra.
pub(super) const VECTOR_MACROS: [&str; 3] = ["vector", "point", "matrix"];

/// An argument, which may be named: `n` or `name = n`.
struct Given {
    name: Option<Ident>,
    value: syn::Expr,
}

impl Parse for Given {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let is_named = input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if is_named { Some(input.parse()?) } else { None };
        if is_named {
            input.parse::<Token![=]>()?;
        }
        Ok(Given { name, value: input.parse()? })
    }
}

/// What `matches!` is given.
struct Matched {
    subject: syn::Expr,
    pattern: Pat,
    guard: Option<syn::Expr>,
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

impl Reader<'_> {
    /// Why a macro cannot be a statement before these, if it cannot: its variables would be seen there, and what
    /// it declares in an inner block would be seen in all of the function.
    pub(super) fn statement_message(&mut self, call: &syn::Macro, rest: &[syn::Stmt]) -> Option<&'static str> {
        if !self.names_items(call) {
            return None;
        }
        let mut given = HashSet::new();
        each_identifier(call.tokens.clone(), &mut |ident| {
            if let Binding::Variable(_) = self.scopes.find(&ident) {
                given.insert(ident.to_string());
            }
        });
        let is_inner = self.is_inner();
        let mut is_declared = false;
        for stmt in rest {
            each_identifier(stmt.to_token_stream(), &mut |ident| {
                let name = ident.to_string();
                is_declared |= given.contains(&name) || is_inner && is_constant(&name);
            });
        }
        is_declared.then_some(refuse::MACRO_STATEMENT)
    }

    /// Whether what a macro stands for may name items, or declare something.
    fn names_items(&self, call: &syn::Macro) -> bool {
        !self.name_in_std(call).is_some_and(|name| is_plain(&name))
    }

    /// The name of a macro of the standard library: one that is no macro of the module, and that is not imported from
    /// elsewhere in the function.
    fn name_in_std(&self, call: &syn::Macro) -> Option<String> {
        let is_own = |ident: &Ident| match self.scopes.find(ident) {
            Binding::Import(id) => !self.body.imports[id.0 as usize].is_of_std(),
            _ => false,
        };
        let name = name_of(call).filter(|name| !self.items.macros.contains(name))?;
        (!call.path.get_ident().is_some_and(is_own)).then_some(name)
    }

    /// A call of a macro.
    pub(super) fn macro_call(&mut self, call: &syn::Macro) -> Expr {
        let place = call.place();
        let name = self.name_in_std(call);
        if let Some(kind) = self.vector_macro(call) {
            return Expr::new(kind, place);
        }
        if name.as_deref() == Some("vec")
            && let Some(array) = self.array_of_vec(call)
        {
            return array;
        }
        let known = name.as_ref().and_then(|name| MACROS.iter().find(|(known, ..)| known == name));
        let read = match (&name, known) {
            (Some(name), _) if name == "matches" => self.matches(call),
            (_, Some(&(_, known, is_debug))) => self.known_macro(call, known, is_debug),
            (Some(name), _) if name == "write" || name == "writeln" => {
                self.other_macro(call).map(|written| ExprKind::Other(written, refuse::WRITTEN))
            }
            (Some(name), _) if name == "vec" => {
                self.other_macro(call).map(|written| ExprKind::Other(written, refuse::VEC_MACRO))
            }
            _ => self.other_macro(call).map(|written| ExprKind::Other(written, refuse::MACRO)),
        };
        match read {
            Ok(kind) => Expr::new(kind, place),
            Err(error) => Expr::new(ExprKind::Refused(error.to_string()), Place::of(error.span())),
        }
    }

    /// `vector!`, `point!` or `matrix!`, with elements in rows.
    fn vector_macro(&mut self, call: &syn::Macro) -> Option<ExprKind> {
        let last = call.path.segments.last()?.ident.to_string();
        if !VECTOR_MACROS.contains(&last.as_str()) || self.items.macros.contains(&last) {
            return None;
        }
        let rows = |input: ParseStream<'_>| {
            let mut rows: Vec<Vec<syn::Expr>> = vec![Vec::new()];
            while !input.is_empty() {
                let element = input.parse()?;
                if let Some(row) = rows.last_mut() {
                    row.push(element);
                }
                if input.parse::<Option<Token![;]>>()?.is_some() {
                    rows.push(Vec::new());
                } else if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                    if input.parse::<Option<Token![;]>>()?.is_some() {
                        rows.push(Vec::new());
                    }
                }
            }
            if rows.len() > 1 && rows.last().is_some_and(Vec::is_empty) {
                rows.pop();
            }
            Ok(rows)
        };
        // What is written in another way is not nalgebra's, or does not compile.
        let rows = rows.parse2(call.tokens.clone()).ok()?;
        let columns = rows[0].len();
        if columns == 0 || rows.iter().any(|row| row.len() != columns) || last != "matrix" && rows.len() > 1 {
            return None;
        }
        let mut args = Vec::new();
        for value in rows.iter().flatten() {
            args.push(Argument { name: None, value: self.expr(value) });
        }
        Some(ExprKind::Macro(Macro { action: Action::Vector(columns), path: call.path.clone(), args }))
    }

    fn known_macro(&mut self, call: &syn::Macro, known: Known, is_debug: bool) -> syn::Result<ExprKind> {
        let given = Punctuated::<Given, Token![,]>::parse_terminated.parse2(call.tokens.clone())?;
        let given: Vec<_> = given.into_iter().collect();
        let mut args = Vec::with_capacity(given.len());
        for Given { name, value } in &given {
            args.push(Argument { name: name.clone(), value: self.expr(value) });
        }
        let action = match (known, &given[..]) {
            (Known::Assert, [first, ..]) => Action::Assert {
                subjects: 1,
                condition: args[0].value.clone(),
                is_debug,
                failure: format!("assertion failed: {}", first.value.to_token_stream()),
            },
            (Known::Compare(operator), [first, _, ..]) => {
                let operation: BinOp = syn::parse_str(operator)?;
                let paren = |arg: &Argument| Expr::new(ExprKind::Paren(arg.value.clone()), arg.value.place);
                let kind = ExprKind::Binary(operation, paren(&args[0]), paren(&args[1]));
                Action::Assert {
                    subjects: 2,
                    condition: Expr::new(kind, Place::of(first.value.span())),
                    is_debug,
                    failure: format!("assertion `left {operator} right` failed"),
                }
            }
            (Known::Kept, _) => Action::Kept,
            (Known::Print, _) => Action::Print,
            (Known::Debug, given) => {
                Action::Debug(given.iter().map(|arg| arg.value.to_token_stream().to_string()).collect())
            }
            _ => Action::Panic,
        };
        let subjects = if let Action::Debug(_) = action { given.len() } else { action.subjects() };
        if let Some(syn::Expr::Lit(syn::ExprLit { lit: Lit::Str(message), .. })) =
            given.get(subjects).map(|arg| &arg.value)
        {
            let captured = self.captures(message, &args);
            args.extend(captured);
        }
        Ok(ExprKind::Macro(Macro { action, path: call.path.clone(), args }))
    }

    /// The names of the function that a message captures, as named arguments: in the generated function they may have
    /// other names.
    fn captures(&mut self, message: &LitStr, args: &[Argument]) -> Vec<Argument> {
        let mut seen: Vec<_> = args.iter().filter_map(|arg| arg.name.as_ref()).map(ToString::to_string).collect();
        let mut captured = Vec::new();
        for ident in self.captured_here(message) {
            let name = ident.to_string();
            if !seen.contains(&name) {
                let path = syn::ExprPath { attrs: Vec::new(), qself: None, path: ident.clone().into() };
                let value = self.path_expr(&path);
                captured.push(Argument { name: Some(ident), value: Expr { place: message.place(), ..value } });
                seen.push(name);
            }
        }
        captured
    }

    /// A macro that is not known. The texts in it, as in `write!(s, "{n}")`, capture what is declared in the generated
    /// function, where variables may have other names.
    fn other_macro(&mut self, call: &syn::Macro) -> syn::Result<Written> {
        if self.names_items(call) && self.scopes.has_items(self.outermost) && !self.is_in_constant {
            return Err(call.place().error(&refuse::MACRO_AND_ITEM));
        }
        let mut captured = Vec::new();
        let call = self.texts_of_macro(call.to_token_stream(), &mut captured);
        let is_variable = |ident: &&Ident| matches!(self.scopes.find(ident), Binding::Variable(_));
        if let Some(item) = captured.iter().find(|ident| !is_variable(ident)) {
            return Err(syn::Error::new(item.span(), refuse::captured_item(item)));
        }
        let mut written = self.written(&call);
        self.names_in(quote!(#(#captured)*), &mut written.names);
        Ok(Written { captured, ..written })
    }

    /// The tokens, with those texts as texts of the generated function that capture what is declared in the user's.
    /// These names are added to `captured`, in alphabetical order.
    fn texts_of_macro(&mut self, tokens: TokenStream, captured: &mut Vec<Ident>) -> TokenStream {
        let mut changed = TokenStream::new();
        for mut token in tokens {
            match &mut token {
                TokenTree::Group(group) => token = grouped(group, self.texts_of_macro(group.stream(), captured)),
                TokenTree::Literal(literal) => {
                    if let Ok(text) = syn::parse2(literal.to_token_stream()) {
                        self.text_of_macro(&text, literal, captured);
                    }
                }
                _ => {}
            }
            changed.extend([token]);
        }
        changed
    }

    fn text_of_macro(&mut self, text: &LitStr, literal: &mut Literal, captured: &mut Vec<Ident>) {
        for ident in self.captured_here(text) {
            if self.scopes.find(&ident) == Binding::Generic {
                continue;
            }
            literal.set_span(Span::mixed_site().located_at(literal.span()));
            if let Err(place) = captured.binary_search(&ident) {
                captured.insert(place, ident);
            }
        }
    }

    /// The names that a text captures and that are declared in the function.
    fn captured_here(&mut self, text: &LitStr) -> Vec<Ident> {
        let idents = captured_names(&text.value()).into_iter().filter_map(|name| {
            // A text names `r#type` as `type`.
            let ident = syn::parse_str(&name).or_else(|_| syn::parse_str::<Ident>(&format!("r#{name}")));
            ident.ok().map(|mut ident| {
                ident.set_span(text.span());
                ident
            })
        });
        let is_own = |ident: &Ident| !matches!(self.find(ident), Binding::Outside | Binding::Item | Binding::Unclear);
        idents.filter(is_own).collect()
    }

    fn matches(&mut self, call: &syn::Macro) -> syn::Result<ExprKind> {
        let Matched { subject, pattern, guard } = call.parse_body()?;
        let value = self.expr(&subject);
        self.scopes.enter();
        let pattern = self.refutable(&pattern);
        let guard = guard.map(|guard| self.expr(&guard));
        self.scopes.leave();
        let args = vec![Argument { name: None, value }];
        Ok(ExprKind::Macro(Macro { action: Action::Matches(pattern.into(), guard), path: call.path.clone(), args }))
    }
}

impl Action {
    /// How many arguments come before the message.
    pub fn subjects(&self) -> usize {
        match self {
            Action::Panic | Action::Kept | Action::Vector(_) | Action::Print | Action::Debug(_) => 0,
            Action::Assert { subjects, .. } => *subjects,
            Action::Matches(..) => 1,
        }
    }
}

/// Whether a name is, by convention, that of a constant.
fn is_constant(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase)
}

/// Whether macros are called in these tokens that may name items.
pub(super) fn calls_macros(tokens: TokenStream) -> bool {
    let mut last: [Option<TokenTree>; 2] = [None, None];
    tokens.into_iter().any(|token| {
        let is_call = match (&last, &token) {
            ([Some(TokenTree::Ident(name)), Some(TokenTree::Punct(mark))], TokenTree::Group(_)) => {
                mark.as_char() == '!' && mark.spacing() == Spacing::Alone && !is_plain(&name.to_string())
            }
            _ => false,
        };
        let is_inside = matches!(&token, TokenTree::Group(group) if calls_macros(group.stream()));
        last = [last[1].take(), Some(token)];
        is_call || is_inside
    })
}

/// Whether a macro names nothing but what it is given.
fn is_plain(name: &str) -> bool {
    const OTHERS: [&str; 16] = [
        "cfg",
        "column",
        "concat",
        "env",
        "file",
        "format_args",
        "include_bytes",
        "include_str",
        "line",
        "matches",
        "module_path",
        "option_env",
        "stringify",
        "vec",
        "write",
        "writeln",
    ];
    OTHERS.contains(&name) || VECTOR_MACROS.contains(&name) || MACROS.iter().any(|(known, ..)| *known == name)
}

/// The name of a macro of the standard library.
fn name_of(call: &syn::Macro) -> Option<String> {
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
