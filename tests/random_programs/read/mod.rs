//! Rust source as trees: what the macro generates is read so that the interpreter can run it. What is not understood is
//! an error.

mod expression;
pub mod infer;
mod items;
mod pattern;
mod statement;

use quote::ToTokens;
use syn::{Attribute, FnArg, GenericParam, ItemFn, Pat, ReturnType, UseTree};

use super::tree::*;

/// What has been read, or a description of what has not been understood.
type Reading<T> = Result<T, String>;

/// The functions in `items` that are wanted by their names, those in modules that are wanted included.
pub fn functions(items: &[syn::Item], is_wanted: &dyn Fn(&str) -> bool) -> Reading<Vec<Function>> {
    let mut functions = Vec::new();
    for item in items {
        match item {
            syn::Item::Fn(item) if !is_present(configured(&item.attrs)?) => {}
            syn::Item::Fn(item) if !is_wanted(&item.sig.ident.to_string()) => {}
            syn::Item::Fn(item) => functions.push(function(item)?),
            syn::Item::Mod(module) if !is_wanted(&module.ident.to_string()) => {}
            syn::Item::Mod(module) => {
                let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                functions.extend(self::functions(items, is_wanted)?);
            }
            // Those that are the program's own.
            syn::Item::Use(_)
            | syn::Item::Const(_)
            | syn::Item::Struct(_)
            | syn::Item::Impl(_)
            | syn::Item::Trait(_) => {}
            other => return unknown("item", other),
        }
    }
    Ok(functions)
}

fn function(item: &ItemFn) -> Reading<Function> {
    let result = match &item.sig.output {
        ReturnType::Type(_, result) => ty(result)?,
        ReturnType::Default => Type::Tuple(Vec::new()),
    };
    let generics = item.sig.generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Const(parameter) => Some((name(&parameter.ident), 0)),
        _ => None,
    });
    Ok(Function {
        cfg: None,
        generics: generics.collect(),
        name: name(&item.sig.ident),
        parameters: item.sig.inputs.iter().map(parameter).collect::<Reading<_>>()?,
        result,
        body: statement::block(&item.block)?,
        derivative: Derivative::None,
    })
}

/// How an item is configured. What has no `cfg` is always there.
fn configured(attributes: &[Attribute]) -> Reading<Option<Cfg>> {
    let is_cfg = |attribute: &&Attribute| attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr");
    let Some(attribute) = attributes.iter().find(is_cfg) else { return Ok(None) };
    let text = |text: &str| text.replace(' ', "");
    let own = text(&attribute.to_token_stream().to_string());
    let known = Cfg::PRESENT.into_iter().chain(Cfg::ABSENT).find(|cfg| text(cfg.text()) == own);
    known.map_or_else(|| unknown("attribute", attribute), |cfg| Ok(Some(cfg)))
}

/// An item of a block.
fn item(item: &syn::Item) -> Reading<Item> {
    let (attributes, kind) = match item {
        syn::Item::Const(item) => {
            let kind = ItemKind::Const(name(&item.ident), ty(&item.ty)?, expression::expression(&item.expr)?);
            (&item.attrs, kind)
        }
        syn::Item::Use(item) => (&item.attrs, import(&item.tree, String::new())?),
        syn::Item::Fn(item) => (&item.attrs, ItemKind::Function(function(item)?)),
        other => return unknown("item", other),
    };
    Ok(Item { cfg: configured(attributes)?, kind })
}

/// What a `use` names, after the path to it.
fn import(tree: &UseTree, path: String) -> Reading<ItemKind> {
    Ok(match tree {
        UseTree::Path(step) => import(&step.tree, format!("{path}{}::", step.ident))?,
        UseTree::Name(last) => ItemKind::Use(format!("{path}{}", last.ident).into(), name(&last.ident)),
        UseTree::Rename(last) => ItemKind::Use(format!("{path}{}", last.ident).into(), name(&last.rename)),
        UseTree::Glob(_) => ItemKind::Glob(path.trim_end_matches("::").into()),
        other => return unknown("import", other),
    })
}

fn parameter(argument: &FnArg) -> Reading<Parameter> {
    let FnArg::Typed(typed) = argument else { return unknown("parameter", argument) };
    let (name, is_mutable) = match &*typed.pat {
        Pat::Ident(pattern) => (name(&pattern.ident), pattern.mutability.is_some()),
        Pat::Wild(_) => ("_".into(), false),
        _ => return unknown("parameter", argument),
    };
    Ok(Parameter { name, ty: ty(&typed.ty)?, is_mutable })
}

fn ty(ty: &syn::Type) -> Reading<Type> {
    Ok(match ty {
        syn::Type::Infer(_) => Type::Inferred,
        syn::Type::Path(path) => match path.path.segments.last().map(|last| last.ident.to_string()).as_deref() {
            Some("f64" | "f32") => Type::Float,
            Some("usize") => Type::Usize,
            Some("i32") => Type::Int,
            Some("u8") => Type::U8,
            Some("i8") => Type::I8,
            Some("u64") => Type::U64,
            Some("i64") => Type::I64,
            Some("Cell") => Type::Cell,
            Some("bool") => Type::Bool,
            Some("Law") => Type::Law,
            Some("Option") => Type::option(argument(path)?),
            Some(name) => Type::Named(name.into()),
            None => return unknown("type", ty),
        },
        syn::Type::Array(array) => {
            let (element, length) = (self::ty(&array.elem)?, array.len.to_token_stream().to_string());
            match length.as_str() {
                "_" => Type::Rows(Box::new(element)),
                length => match length.parse() {
                    Ok(length) => Type::array(element, length),
                    Err(_) => Type::Sized(Box::new(element), length.replace(' ', "").as_str().into()),
                },
            }
        }
        syn::Type::Slice(slice) => Type::Data(Box::new(self::ty(&slice.elem)?)),
        syn::Type::Tuple(tuple) => Type::Tuple(tuple.elems.iter().map(self::ty).collect::<Reading<_>>()?),
        syn::Type::Reference(reference) if reference.mutability.is_some() => {
            Type::Exclusive(Box::new(self::ty(&reference.elem)?))
        }
        syn::Type::Reference(reference) => Type::Reference(Box::new(self::ty(&reference.elem)?)),
        syn::Type::Paren(paren) => self::ty(&paren.elem)?,
        other => return unknown("type", other),
    })
}

/// The type in the angle brackets at the end of a path.
fn argument(path: &syn::TypePath) -> Reading<Type> {
    match path.path.segments.last().map(|last| &last.arguments) {
        Some(syn::PathArguments::AngleBracketed(own)) => match own.args.first() {
            Some(syn::GenericArgument::Type(own)) => ty(own),
            _ => unknown("type", path),
        },
        _ => unknown("type", path),
    }
}

/// The last name of a path.
fn last(path: &syn::Path) -> Name {
    path.segments.last().map(|last| name(&last.ident)).unwrap_or_else(|| "".into())
}

fn name(ident: &impl ToString) -> Name {
    ident.to_string().into()
}

fn unknown<T>(what: &str, tokens: &impl ToTokens) -> Reading<T> {
    Err(format!("this {what} is not read: {}", tokens.to_token_stream()))
}
