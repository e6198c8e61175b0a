//! Rust source as trees: what the macro generates is read so that the interpreter can run it. What is not understood is
//! an error.

mod expression;
mod items;
mod pattern;
mod statement;

use quote::ToTokens;
use syn::{FnArg, Item, ItemFn, Pat, ReturnType};

use super::tree::*;

/// What has been read, or a description of what has not been understood.
type Reading<T> = Result<T, String>;

/// The functions in `items` that are wanted by their names, those in modules included.
pub fn functions(items: &[Item], is_wanted: &dyn Fn(&str) -> bool) -> Reading<Vec<Function>> {
    let mut functions = Vec::new();
    for item in items {
        match item {
            Item::Fn(item) if !is_wanted(&item.sig.ident.to_string()) => {}
            Item::Fn(item) => functions.push(function(item)?),
            Item::Mod(module) => {
                let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                functions.extend(self::functions(items, is_wanted)?);
            }
            Item::Use(_) => {}
            other => return unknown("item", other),
        }
    }
    Ok(functions)
}

fn function(item: &ItemFn) -> Reading<Function> {
    let ReturnType::Type(_, result) = &item.sig.output else { return unknown("function", &item.sig) };
    Ok(Function {
        name: name(&item.sig.ident),
        parameters: item.sig.inputs.iter().map(parameter).collect::<Reading<_>>()?,
        result: ty(result)?,
        body: statement::block(&item.block)?,
        derivative: Derivative::None,
    })
}

fn parameter(argument: &FnArg) -> Reading<Parameter> {
    let FnArg::Typed(typed) = argument else { return unknown("parameter", argument) };
    let Pat::Ident(pattern) = &*typed.pat else { return unknown("parameter", argument) };
    Ok(Parameter { name: name(&pattern.ident), ty: ty(&typed.ty)?, is_mutable: pattern.mutability.is_some() })
}

fn ty(ty: &syn::Type) -> Reading<Type> {
    Ok(match ty {
        syn::Type::Infer(_) => Type::Inferred,
        syn::Type::Path(path) => match path.path.segments.last().map(|last| last.ident.to_string()).as_deref() {
            Some("f64" | "f32") => Type::Float,
            Some("usize") => Type::Usize,
            Some("i32") => Type::Int,
            Some("bool") => Type::Bool,
            Some("Law") => Type::Law,
            _ => return unknown("type", ty),
        },
        syn::Type::Array(array) => {
            let (element, length) = (self::ty(&array.elem)?, array.len.to_token_stream().to_string());
            match length.as_str() {
                "_" => Type::Rows(Box::new(element)),
                length => match length.parse() {
                    Ok(length) => Type::array(element, length),
                    Err(_) => return unknown("length", array),
                },
            }
        }
        syn::Type::Tuple(tuple) => Type::Tuple(tuple.elems.iter().map(self::ty).collect::<Reading<_>>()?),
        syn::Type::Reference(reference) => Type::Reference(Box::new(self::ty(&reference.elem)?)),
        syn::Type::Paren(paren) => self::ty(&paren.elem)?,
        other => return unknown("type", other),
    })
}

fn name(ident: &impl ToString) -> Name {
    ident.to_string().into()
}

fn unknown<T>(what: &str, tokens: &impl ToTokens) -> Reading<T> {
    Err(format!("this {what} is not read: {}", tokens.to_token_stream()))
}
