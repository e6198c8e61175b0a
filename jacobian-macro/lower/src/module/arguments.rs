//! Generic parameters, and the arguments in their place.

use std::collections::HashMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{GenericArgument, GenericParam, PathArguments, PathSegment, Type};

use super::super::read::structs::PASSIVE;
use super::super::read::ty::unwrapped;
use super::super::tokens::{grouped, is_path, is_punct};

/// What is in the place of a parameter.
#[derive(Clone)]
pub struct Argument {
    /// In types.
    written: TokenStream,
    /// In expressions: a number with its type.
    typed: TokenStream,
}

impl Argument {
    /// An argument of a type.
    pub fn of_type(written: TokenStream) -> Argument {
        Argument { typed: written.clone(), written }
    }

    /// What is in the place of this parameter.
    pub fn of(parameter: &GenericParam, written: TokenStream) -> Argument {
        let number = match parameter {
            GenericParam::Const(parameter) => number_of_type(&written, &parameter.ty),
            _ => None,
        };
        Argument { typed: number.unwrap_or(written.clone()), written }
    }
}

/// A number with its type, if it is one of a type of integers.
fn number_of_type(written: &TokenStream, ty: &Type) -> Option<TokenStream> {
    let ty = ty.to_token_stream().to_string();
    if !PASSIVE.contains(&ty.as_str()) {
        return None;
    }
    let text = written.to_string().replace(' ', "");
    let (sign, digits) = text.strip_prefix('-').map_or(("", &text[..]), |digits| ("-", digits));
    let number: syn::LitInt = syn::parse_str(digits).ok()?;
    if !number.suffix().is_empty() {
        return None;
    }
    let typed: TokenStream = format!("{sign}{}_{ty}", number.base10_digits()).parse().ok()?;
    Some(if sign.is_empty() { typed } else { quote!((#typed)) })
}

/// The tokens with these for the parameters.
pub fn substituted(tokens: TokenStream, values: &HashMap<String, Argument>) -> TokenStream {
    substituted_in(tokens, values, false)
}

/// The same in brackets, perhaps, where what follows a `;` is a length.
fn substituted_in(tokens: TokenStream, values: &HashMap<String, Argument>, is_array: bool) -> TokenStream {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut written = TokenStream::new();
    // How many lists of arguments are open, and whether this is a length.
    let (mut depth, mut is_length) = (0_usize, false);
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        match token {
            TokenTree::Ident(ident) => match values.get(&ident.to_string()).filter(|_| !is_of_another(&tokens, at)) {
                // Of a type, a path goes on.
                Some(value) if is_path(&tokens, at + 1) => {
                    let value = &value.written;
                    written.extend(quote!(<#value>));
                }
                Some(value) if depth > 0 || is_length => written.extend(value.written.clone()),
                Some(value) => written.extend(value.typed.clone().into_iter().map(|mut token| {
                    token.set_span(ident.span());
                    token
                })),
                None => written.extend([token.clone()]),
            },
            TokenTree::Group(group) => {
                let is_array = group.delimiter() == Delimiter::Bracket;
                written.extend([grouped(group, substituted_in(group.stream(), values, is_array))]);
            }
            token => {
                let opens = || is_punct(before, ':') || is_type(before) && !is_value(before, values);
                depth += usize::from(is_punct(Some(token), '<') && opens());
                let closes = is_punct(Some(token), '>') && !is_punct(before, '-') && !is_punct(before, '=');
                depth -= usize::from(closes && depth > 0);
                is_length |= is_array && is_punct(Some(token), ';');
                written.extend([token.clone()]);
            }
        }
    }
    written
}

/// Whether a name is that of a part of something else: of a variant or a constant behind `::`, of a field, of a lifetime.
fn is_of_another(tokens: &[TokenTree], at: usize) -> bool {
    let is_sign = |back: usize, sign: char| at >= back && is_punct(tokens.get(at - back), sign);
    is_sign(1, ':') && is_sign(2, ':') || is_sign(1, '.') && !is_sign(2, '.') || is_sign(1, '\'')
}

/// Whether a token is a parameter.
fn is_value(token: Option<&TokenTree>, values: &HashMap<String, Argument>) -> bool {
    token.is_some_and(|token| values.contains_key(&token.to_string()))
}

/// Whether a token is the name of a type, as these are written.
fn is_type(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Ident(name)) if name.unraw().to_string().starts_with(char::is_uppercase))
}

/// The name of a parameter that is no lifetime.
pub fn name_of(parameter: &GenericParam) -> Option<String> {
    match parameter {
        GenericParam::Type(parameter) => Some(parameter.ident.unraw().to_string()),
        GenericParam::Const(parameter) => Some(parameter.ident.unraw().to_string()),
        GenericParam::Lifetime(_) => None,
    }
}

/// The arguments of a name, as they are written.
pub fn written_arguments(segment: &PathSegment) -> Vec<TokenStream> {
    match &segment.arguments {
        PathArguments::AngleBracketed(given) => given.args.iter().map(ToTokens::to_token_stream).collect(),
        _ => Vec::new(),
    }
}

/// The arguments that begin at a token, with or without `::` before them, and where what follows them begins.
pub fn arguments(tokens: &[TokenTree], mut at: usize) -> Option<(Vec<TokenStream>, usize)> {
    if is_path(tokens, at) {
        at += 2;
    }
    if !is_punct(tokens.get(at), '<') {
        return None;
    }
    let (mut all, mut own, mut depth) = (Vec::new(), TokenStream::new(), 0_usize);
    loop {
        at += 1;
        let token = tokens.get(at)?;
        let is_arrow = is_punct(tokens.get(at - 1), '-');
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' && !is_arrow && depth > 0 => depth -= 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' && !is_arrow => {
                if !own.is_empty() {
                    all.push(own);
                }
                return Some((all, at + 1));
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' && depth == 0 => {
                all.push(std::mem::take(&mut own));
                continue;
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => return None,
            _ => {}
        }
        own.extend([token.clone()]);
    }
}

/// Tokens as a text in which turbofishes make no difference.
pub fn normal(tokens: TokenStream) -> String {
    tokens.to_string().replace(' ', "").replace("::<", "<")
}

/// The last name of the path that a type is, or refers to.
pub fn segment(ty: &Type) -> Option<&PathSegment> {
    let mut ty = unwrapped(ty);
    while let Type::Reference(reference) = ty {
        ty = unwrapped(&reference.elem);
    }
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

/// The types among the arguments of a trait.
pub fn types_in(segment: &PathSegment) -> Vec<&Type> {
    let PathArguments::AngleBracketed(given) = &segment.arguments else { return Vec::new() };
    let types = given.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}
