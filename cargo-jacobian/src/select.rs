//! Finds the marked functions in a file, and expands them as the attribute does.

use std::path::PathBuf;
use std::str::FromStr;

use jacobian_expand::tools::{Expansion, Generated, expand};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, ImplItem, Item, Meta, Type};

/// What the user names: a file, and in it perhaps a module, a type or a function.
#[derive(Clone, Debug)]
pub struct Place {
    file: PathBuf,
    path: Vec<String>,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (file, path) = match text.split_once(".rs::") {
            Some((file, path)) => (format!("{file}.rs"), path.split("::").map(str::to_string).collect()),
            None => (text.to_string(), Vec::new()),
        };
        match path.iter().any(String::is_empty) {
            true => Err(format!("expected `FILE.rs::path::f`, found `{text}`")),
            false => Ok(Place { file: file.into(), path }),
        }
    }
}

/// A marked item that has been expanded.
pub struct Expanded {
    /// The modules and types around it.
    path: Vec<String>,
    /// The name of the module or function.
    name: String,
    is_module: bool,
    /// What became of it.
    expansion: Expansion,
}

/// A function with all of its forms.
pub struct Function {
    /// Its path in the file.
    pub path: String,
    /// The file.
    pub file: String,
    /// The text of the file.
    pub source: String,
    /// Its forms, one at least.
    pub forms: Vec<Generated>,
}

impl Place {
    /// All functions that are meant, in the order of the file.
    ///
    /// # Errors
    /// Where the file cannot be read, nothing in it is meant, or something of that is refused.
    pub fn functions(&self) -> Result<Vec<Function>, String> {
        let file = self.file.display().to_string();
        let source = std::fs::read_to_string(&self.file).map_err(|error| format!("{file}: {error}"))?;
        let parsed = syn::parse_file(&source).map_err(|error| placed(&file, &error))?;
        let mut marked = Vec::new();
        find(&parsed.items, &[], &self.path, &mut marked);
        let mut functions: Vec<Function> = Vec::new();
        let mut errors = Vec::new();
        for Expanded { path, name, is_module, expansion } in marked {
            let inner = if is_module { [path, vec![name]].concat() } else { path };
            errors.extend(expansion.errors.iter().map(|error| placed(&file, error)));
            for generated in expansion.generated {
                let path = [inner.clone(), vec![generated.function.clone()]].concat();
                if !is_within(&path, &self.path) {
                    continue;
                }
                let path = path.join("::");
                match functions.last_mut().filter(|last| last.path == path) {
                    Some(last) => last.forms.push(generated),
                    None => functions.push(Function {
                        path,
                        file: file.clone(),
                        source: source.clone(),
                        forms: vec![generated],
                    }),
                }
            }
        }
        if !errors.is_empty() {
            return Err(errors.join("\n"));
        }
        if functions.is_empty() {
            let what = if self.path.is_empty() { String::new() } else { format!(" called `{}`", self.path.join("::")) };
            return Err(format!(
                "{file}: there is no function{what} with `#[jacobian]` in this file; what a macro writes is not seen"
            ));
        }
        Ok(functions)
    }

    /// The one function that is meant.
    ///
    /// # Errors
    /// Where there is not exactly one, and as [`Place::functions`].
    pub fn function(&self) -> Result<Function, String> {
        let mut functions = self.functions()?;
        match functions.len() {
            1 => Ok(functions.remove(0)),
            _ => {
                let file = self.file.display();
                let names: Vec<_> = functions.iter().map(|function| format!("    {file}::{}", function.path)).collect();
                Err(format!("which function? there are\n{}", names.join("\n")))
            }
        }
    }
}

/// Whether a path is, or begins with, what the user has named.
fn is_within(path: &[String], named: &[String]) -> bool {
    path.starts_with(named)
}

/// Whether what is at `path` may have something in it, or around it, that the user has named.
fn is_on_the_way(path: &[String], named: &[String]) -> bool {
    path.starts_with(named) || named.starts_with(path)
}

fn find(items: &[Item], path: &[String], named: &[String], found: &mut Vec<Expanded>) {
    for item in items {
        match item {
            Item::Fn(function) => {
                one(&function.attrs, item, function.sig.ident.to_string(), path, named, found);
            }
            Item::Mod(module) => {
                one(&module.attrs, item, module.ident.to_string(), path, named, found);
                let Some((_, items)) = &module.content else { continue };
                let path = [path, &[module.ident.to_string()]].concat();
                match mark(&module.attrs) {
                    None => find(items, &path, named, found),
                    // Its methods are marked one by one.
                    Some(_) => find(&impls(items), &path, named, found),
                }
            }
            Item::Impl(implementation) => {
                let path = [path, &[name_of(&implementation.self_ty)]].concat();
                for part in &implementation.items {
                    if let ImplItem::Fn(method) = part {
                        one(&method.attrs, method, method.sig.ident.to_string(), &path, named, found);
                    }
                }
            }
            _ => {}
        }
    }
}

fn impls(items: &[Item]) -> Vec<Item> {
    items.iter().filter(|item| matches!(item, Item::Impl(item) if item.trait_.is_none())).cloned().collect()
}

/// Expands an item that has the attribute.
fn one(
    attributes: &[Attribute],
    item: &dyn ToTokens,
    name: String,
    path: &[String],
    named: &[String],
    found: &mut Vec<Expanded>,
) {
    let whole = [path, std::slice::from_ref(&name)].concat();
    let Some(position) = mark(attributes).filter(|_| is_on_the_way(&whole, named)) else { return };
    let options = match &attributes[position].meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    };
    let tokens = without(item.to_token_stream(), &attributes[position]);
    let is_module = syn::parse2::<syn::ItemMod>(tokens.clone()).is_ok();
    found.push(Expanded { path: path.to_vec(), name, is_module, expansion: expand(options, tokens) });
}

/// The place of `#[jacobian]` among the attributes.
fn mark(attributes: &[Attribute]) -> Option<usize> {
    let is_mark = |attribute: &Attribute| attribute.path().segments.last().is_some_and(|last| last.ident == "jacobian");
    attributes.iter().position(is_mark)
}

/// The tokens of an item without one of its attributes, in which they begin.
fn without(tokens: TokenStream, attribute: &Attribute) -> TokenStream {
    let place = attribute.bracket_token.span.open().start();
    let tokens: Vec<_> = tokens.into_iter().collect();
    let is_its = |index: usize| tokens[index].span().start() == place;
    let at = (1..tokens.len()).find(|&index| is_its(index));
    let kept = |index: &usize| at.is_none_or(|at| *index + 1 != at && *index != at);
    (0..tokens.len()).filter(kept).map(|index| tokens[index].clone()).collect()
}

/// The name of a type, without its path and its generics.
fn name_of(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().map_or_else(String::new, |last| last.ident.to_string()),
        other => other.to_token_stream().to_string(),
    }
}

/// An error with the place in the file.
fn placed(file: &str, error: &syn::Error) -> String {
    let start = error.span().start();
    format!("{file}:{}:{}: {error}", start.line, start.column + 1)
}
