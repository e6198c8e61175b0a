//! Finds the marked functions in a file, and expands them as the attribute does.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use jacobian_expand::tools::{Generated, expand};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, ImplItem, Item, ItemImpl, Meta, Type};

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
        let place = Place { file: file.into(), path };
        let is_file = place.is_graph() || place.file.extension().is_some_and(|end| end == "rs") || place.file.is_file();
        match is_file && !place.path.iter().any(String::is_empty) {
            true => Ok(place),
            false => Err(format!("expected `FILE.rs::path::f`, found `{text}`")),
        }
    }
}

/// An item with the attribute.
#[derive(Clone)]
pub struct Marked {
    /// The modules and types around it.
    pub path: Vec<String>,
    /// The name of the module or function.
    pub name: String,
    /// Whether it is a module.
    pub is_module: bool,
    /// What the attribute says.
    pub options: TokenStream,
    /// The item without the attribute.
    pub item: TokenStream,
}

/// What is made of a marked item, if it does not stay as it is.
pub type Replace<'r> = dyn FnMut(&Marked) -> Option<TokenStream> + 'r;

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
    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Whether it is a file with a graph.
    pub fn is_graph(&self) -> bool {
        self.path.is_empty() && self.file.extension().is_some_and(|end| end == "lcg")
    }

    /// The text of the file, and what is in it.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(&self) -> Result<(String, syn::File), String> {
        let file = self.file.display();
        let source = std::fs::read_to_string(&self.file).map_err(|error| format!("{file}: {error}"))?;
        let parsed = syn::parse_file(&source).map_err(|error| placed(&file.to_string(), &error))?;
        Ok((source, parsed))
    }

    /// All functions that are meant, in the order of the file.
    ///
    /// # Errors
    /// Where the file cannot be read, nothing in it is meant, or something of that is refused.
    pub fn functions(&self) -> Result<Vec<Function>, String> {
        let file = self.file.display().to_string();
        let (source, mut parsed) = self.read()?;
        let mut functions: Vec<Function> = Vec::new();
        let mut errors = Vec::new();
        walk(&mut parsed.items, &[], &mut |marked: &Marked| {
            if !is_on_the_way(&marked.whole(), &self.path) {
                return None;
            }
            let expansion = expand(marked.options.clone(), marked.item.clone());
            let methods = marked.methods();
            errors.extend(expansion.errors.iter().map(|error| placed(&file, error)));
            for generated in expansion.generated {
                let lines = generated.first_line..generated.end_line;
                let own =
                    methods.iter().find(|method| method.name == generated.function && lines.contains(&method.line));
                let ty = own.map(|method| method.ty.clone());
                let path = [marked.inner(), Vec::from_iter(ty), vec![generated.function.clone()]].concat();
                if !path.starts_with(&self.path) {
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
            None
        });
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

/// Whether what is at `path` may have something in it, or around it, that the user has named.
fn is_on_the_way(path: &[String], named: &[String]) -> bool {
    path.starts_with(named) || named.starts_with(path)
}

impl Marked {
    /// An item, if it is marked.
    fn of(attributes: &[Attribute], item: &dyn ToTokens, name: String, path: &[String]) -> Option<Self> {
        let position = mark(attributes)?;
        let item = without(item.to_token_stream(), &attributes[position]);
        let is_module = syn::parse2::<syn::ItemMod>(item.clone()).is_ok();
        Some(Marked { path: path.to_vec(), name, is_module, options: options(&attributes[position]), item })
    }

    /// Its path in the file.
    pub fn whole(&self) -> Vec<String> {
        [&self.path[..], std::slice::from_ref(&self.name)].concat()
    }

    /// The path of the module or type that its functions are in.
    pub fn inner(&self) -> Vec<String> {
        if self.is_module { self.whole() } else { self.path.clone() }
    }
}

/// A method in a marked module.
struct MethodIn {
    ty: String,
    name: String,
    /// The line of its name, from 1.
    line: usize,
}

impl Marked {
    /// The methods in it, if it is a module.
    fn methods(&self) -> Vec<MethodIn> {
        let Ok(module) = syn::parse2::<syn::ItemMod>(self.item.clone()) else { return Vec::new() };
        let items = module.content.map(|(_, items)| items).unwrap_or_default();
        let blocks = items.iter().filter_map(|item| if let Item::Impl(block) = item { Some(block) } else { None });
        let methods = blocks.flat_map(|block| {
            block.items.iter().filter_map(|part| match part {
                ImplItem::Fn(method) => Some(MethodIn {
                    ty: name_of(&block.self_ty),
                    name: method.sig.ident.to_string(),
                    line: method.sig.ident.span().start().line,
                }),
                _ => None,
            })
        });
        methods.collect()
    }
}

/// Shows all marked items to `replace`, in the order of the file, and puts what it makes of them in their place.
///
/// # Panics
/// If that is no Rust.
pub fn walk(items: &mut Vec<Item>, path: &[String], replace: &mut Replace<'_>) {
    *items = std::mem::take(items).into_iter().flat_map(|item| walked(item, path, replace)).collect();
}

fn walked(item: Item, path: &[String], replace: &mut Replace<'_>) -> Vec<Item> {
    let marked = match &item {
        Item::Fn(function) => Marked::of(&function.attrs, &item, function.sig.ident.to_string(), path),
        Item::Mod(module) => Marked::of(&module.attrs, &item, module.ident.to_string(), path),
        _ => None,
    };
    let mut items = match marked.as_ref().and_then(&mut *replace) {
        Some(tokens) => syn::parse2::<syn::File>(tokens).expect("what replaces an item is Rust").items,
        None => vec![item],
    };
    for item in &mut items {
        match item {
            Item::Mod(module) => {
                let path = [path, &[module.ident.to_string()]].concat();
                let Some((_, items)) = &mut module.content else { continue };
                match &marked {
                    None => walk(items, &path, replace),
                    // The functions and methods of a marked module are expanded with it, those of modules in it are not.
                    Some(_) => {
                        let inner = |item: Item| match item {
                            Item::Mod(_) => walked(item, &path, replace),
                            item => vec![item],
                        };
                        *items = std::mem::take(items).into_iter().flat_map(inner).collect();
                    }
                }
            }
            Item::Impl(item) => walk_methods(item, path, replace),
            _ => {}
        }
    }
    items
}

fn walk_methods(implementation: &mut ItemImpl, path: &[String], replace: &mut Replace<'_>) {
    let path = [path, &[name_of(&implementation.self_ty)]].concat();
    let replaced = |part: ImplItem| {
        let ImplItem::Fn(method) = &part else { return vec![part] };
        let marked = Marked::of(&method.attrs, method, method.sig.ident.to_string(), &path);
        match marked.as_ref().and_then(&mut *replace) {
            Some(tokens) => {
                let item: ItemImpl =
                    syn::parse2(quote!(impl Type { #tokens })).expect("what replaces a method is Rust");
                item.items
            }
            None => vec![part],
        }
    };
    implementation.items = std::mem::take(&mut implementation.items).into_iter().flat_map(replaced).collect();
}

/// What the attribute says.
pub fn options(mark: &Attribute) -> TokenStream {
    match &mark.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    }
}

/// The place of `#[jacobian]` among the attributes.
pub fn mark(attributes: &[Attribute]) -> Option<usize> {
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
