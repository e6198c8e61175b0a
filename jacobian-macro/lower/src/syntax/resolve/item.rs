//! Items in blocks: they are seen in all of their block. Constants, `use` and functions are understood; other items are
//! kept as they are written.

use std::cell::OnceCell;
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, ImplItem, Item, ItemConst, ItemFn, ItemUse, StaticMutability, Stmt, TraitItem, UseTree};

use super::super::super::attributes::{conditions, is_mark};
use super::super::super::refuse;
use super::super::super::tokens::{is_punct, is_word};
use super::super::key::{Key, key};
use super::super::place::{Place, Placed};
use super::super::scope::NameKind;
use super::super::tree::{
    Binding, Body, Constant, ConstantId, Expr, ExprKind, FromAround, Import, ImportId, ItemId, LocalFunction,
    LocalItem, Type, TypeKind, Written,
};
use super::macros::VECTOR_MACROS;
use super::pattern::starts_with_capital;
use super::{Items, Reader, refused_attribute};

impl Items {
    /// Those of a module.
    pub fn of(items: &[Item]) -> Self {
        let mut found = Items::default();
        items.iter().for_each(|item| found.add(item));
        found.call_macros = items.iter().any(|item| match item {
            Item::Fn(function) => super::macros::calls_macros(function.block.to_token_stream()),
            _ => false,
        });
        found
    }

    fn add(&mut self, item: &Item) {
        let ident = match item {
            Item::Const(item) => &item.ident,
            Item::Static(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Struct(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Union(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::TraitAlias(item) => &item.ident,
            Item::Mod(item) => &item.ident,
            Item::ExternCrate(item) => item.rename.as_ref().map_or(&item.ident, |(_, name)| name),
            Item::Macro(item) => {
                self.macros.extend(item.ident.as_ref().map(|ident| ident.unraw().to_string()));
                return;
            }
            Item::Use(item) => {
                if let (UseTree::Path(root), true) = (&item.tree, item.attrs.is_empty())
                    && ["std", "core", "alloc"].iter().any(|name| root.ident == name)
                {
                    self.add_of_std(&root.tree);
                }
                let is_of_nalgebra = matches!(&item.tree, UseTree::Path(root) if root.ident == "nalgebra");
                return self.add_imports(&item.tree, is_of_nalgebra);
            }
            _ => return,
        };
        let name = ident.unraw().to_string();
        let is_unit = matches!(item, Item::Struct(item) if matches!(item.fields, syn::Fields::Unit));
        if is_unit || matches!(item, Item::Const(_) | Item::Static(_)) {
            self.constants.insert(name.clone());
        }
        if let Item::Enum(item) = item
            && item.variants.iter().all(|variant| conditions(&variant.attrs).is_empty())
        {
            let variants = item.variants.iter().map(|variant| variant.ident.clone());
            self.variants.insert(name.clone(), variants.collect());
        }
        self.declared.insert(name.clone());
        self.names.insert(name);
    }

    /// Adds what is imported from the standard library under its own name.
    fn add_of_std(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(inner) => self.add_of_std(&inner.tree),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_of_std(tree)),
            UseTree::Name(name) => drop(self.of_std.insert(name.ident.unraw().to_string())),
            UseTree::Rename(_) | UseTree::Glob(_) => {}
        }
    }

    /// What is imported may be a macro, too; the macros of nalgebra are known.
    fn add_imports(&mut self, tree: &UseTree, is_of_nalgebra: bool) {
        let ident = match tree {
            UseTree::Path(inner) => return self.add_imports(&inner.tree, is_of_nalgebra),
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.add_imports(tree, is_of_nalgebra));
            }
            UseTree::Name(name) => &name.ident,
            UseTree::Rename(rename) => &rename.rename,
            UseTree::Glob(_) => return self.has_glob = true,
        };
        let name = ident.unraw().to_string();
        // A variant or a constant, as far as can be seen.
        if starts_with_capital(ident) {
            self.constants.insert(name.clone());
        }
        self.names.insert(name.clone());
        let is_known = is_of_nalgebra && matches!(tree, UseTree::Name(_)) && VECTOR_MACROS.contains(&name.as_str());
        if !is_known {
            self.macros.insert(name);
        }
    }
}

impl Reader<'_> {
    /// Declares the items of a block, and then reads them: each may mention all others.
    pub(super) fn items_of(&mut self, block: &syn::Block) {
        let items = || {
            block.stmts.iter().filter_map(|stmt| match stmt {
                Stmt::Item(item) => Some(item),
                _ => None,
            })
        };
        let (mut constants, mut locals) = (Vec::new(), Vec::new());
        let first_import = self.body.imports.len();
        for item in items() {
            match item {
                Item::Const(item) => constants.push((item, self.declare_constant(item))),
                Item::Use(item) => self.import(item),
                item if message(item).is_none() => locals.push((item, self.declare_local(item))),
                _ => {}
            }
        }
        for index in first_import..self.body.imports.len() {
            self.read_import(index);
        }
        for (item, id) in constants {
            self.scopes.enter_item();
            self.is_in_constant = true;
            let (ty, value) = (self.ty(&item.ty), self.expr(&item.expr));
            self.is_in_constant = false;
            self.scopes.leave();
            self.body.constants[id.0 as usize] = Rc::new(Constant { ident: item.ident.clone(), ty, value });
        }
        for (item, id) in &locals {
            self.scopes.enter_item();
            let mut written = self.written(item);
            self.scopes.leave();
            // An item cannot see the generic parameters of the function around it, and the names of its parts are its
            // own.
            let parts = parts(item);
            written.names.retain(|(name, binding)| *binding != Binding::Generic && !parts.contains(name));
            let ident = self.body.items[id.0 as usize].ident.clone();
            let is_trait = matches!(item, Item::Trait(_));
            self.body.items[id.0 as usize] = Rc::new(LocalItem { ident, written, is_trait, function: OnceCell::new() });
        }
        for (item, id) in locals {
            if let Item::Fn(function) = item {
                let mut body = self.function_inside(function, Self::function);
                if body.fallible.is_some() {
                    body.with_option = Some(Rc::new(self.function_inside(function, Self::function_with_option)));
                }
                let body = Rc::new(body);
                let function = LocalFunction { item: function.clone(), body };
                self.body.items[id.0 as usize].function.get_or_init(|| function);
            }
        }
    }

    /// Declares a constant, which is read when all items of its block are declared.
    fn declare_constant(&mut self, item: &ItemConst) -> ConstantId {
        let id = ConstantId(self.body.constants.len() as u32);
        self.scopes.item(&item.ident, Binding::Constant(id), NameKind::Value);
        let (unread, place) = (ExprKind::Refused(String::new()), item.place());
        let ty = Type { kind: TypeKind::Infer, place };
        self.body.constants.push(Rc::new(Constant { ident: item.ident.clone(), ty, value: Expr::new(unread, place) }));
        id
    }

    /// Declares another item, which is read when all items of its block are declared.
    fn declare_local(&mut self, item: &Item) -> ItemId {
        let id = ItemId(self.body.items.len() as u32);
        let ident = name(item).cloned();
        if let Some(ident) = &ident {
            self.scopes.item(ident, Binding::Local(id), kind_of(item));
        }
        match item {
            Item::Type(alias) if alias.generics.params.is_empty() && alias.attrs.is_empty() => {
                self.aliases.insert(id, (*alias.ty).clone());
            }
            // Items of functions inside of this one have had such numbers.
            _ => drop(self.aliases.remove(&id)),
        }
        let written = Written { tokens: TokenStream::new(), names: Vec::new(), captured: Vec::new() };
        self.body.items.push(Rc::new(LocalItem { ident, written, is_trait: false, function: OnceCell::new() }));
        id
    }

    /// The body of a function that sees the items that are declared here.
    fn function_inside(&mut self, function: &ItemFn, read: fn(&mut Self, &ItemFn)) -> Body {
        let around = &self.body;
        let own = Body {
            constants: around.constants.clone(),
            imports: around.imports.clone(),
            items: around.items.clone(),
            from_around: FromAround { imports: around.imports.len(), items: around.items.len() },
            ..Body::default()
        };
        let around = std::mem::replace(&mut self.body, own);
        let (targets, closures) = (std::mem::take(&mut self.targets), std::mem::take(&mut self.closures));
        let alternatives = self.alternatives.take();
        self.scopes.enter_item();
        let outermost = self.outermost;
        read(self, function);
        self.outermost = outermost;
        self.scopes.leave();
        (self.targets, self.closures, self.alternatives) = (targets, closures, alternatives);
        let body = std::mem::replace(&mut self.body, around);
        // All of it is written into one function.
        self.body.outside.extend(body.outside.iter().cloned());
        body
    }

    /// An item among statements, if it is refused.
    pub(super) fn item(&mut self, item: &Item) -> Option<Expr> {
        let message = match item {
            Item::Const(item) => return refused_attribute(&item.attrs),
            Item::Use(item) if self.is_inner() && has_glob(&item.tree) => refuse::GLOB,
            Item::Trait(_) if self.is_inner() => refuse::INNER_TRAIT,
            Item::Use(item) => return refused_attribute(&item.attrs),
            item => message(item)?,
        };
        Some(Expr::new(ExprKind::Refused(message.to_string()), item.place()))
    }

    /// Whether this place is in an inner block of the function.
    pub(super) fn is_inner(&self) -> bool {
        self.scopes.depth() > self.outermost
    }

    /// Binds the first name of what is imported, which may be an item of the function.
    fn read_import(&mut self, index: usize) {
        let path = self.body.imports[index].path.tokens.clone();
        let Some(TokenTree::Ident(root)) = path.into_iter().next() else { return };
        if let binding @ (Binding::Local(_) | Binding::Import(_)) = self.find(&root)
            && binding != Binding::Import(ImportId(index as u32))
        {
            self.body.imports[index].path.names.push((key(&root), binding));
        }
    }

    fn import(&mut self, item: &ItemUse) {
        let root = item.leading_colon.map(|colons| quote!(#colons)).unwrap_or_default();
        self.import_tree(&item.tree, root);
    }

    /// Declares the names of a tree after a path.
    fn import_tree(&mut self, tree: &UseTree, path: TokenStream) {
        match tree {
            UseTree::Path(inner) => {
                let (ident, colons) = (&inner.ident, &inner.colon2_token);
                self.import_tree(&inner.tree, quote!(#path #ident #colons));
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import_tree(tree, path.clone())),
            UseTree::Name(name) if name.ident == "self" => {
                let tokens: Vec<_> = path.into_iter().collect();
                // `a::b::self` is `a::b`.
                let path = TokenStream::from_iter(tokens[..tokens.len().saturating_sub(2)].iter().cloned());
                let last = tokens.iter().rev().find_map(|token| match token {
                    TokenTree::Ident(ident) => Some(ident.clone()),
                    _ => None,
                });
                self.add_import(path, last, name.ident.place());
            }
            UseTree::Name(name) => {
                let ident = &name.ident;
                self.add_import(quote!(#path #ident), Some(ident.clone()), ident.place());
            }
            UseTree::Rename(rename) => {
                let (ident, name) = (&rename.ident, Some(rename.rename.clone()).filter(|name| name != "_"));
                self.add_import(quote!(#path #ident), name, ident.place());
            }
            UseTree::Glob(glob) => {
                if let Some(variants) = self.variants_of(&path) {
                    for ident in variants {
                        self.add_import(quote!(#path #ident), Some(ident.clone()), glob.place());
                        self.body.imports.last_mut().expect("it has been added").is_no_trait = Some(true);
                    }
                    return;
                }
                self.scopes.glob();
                let star = &glob.star_token;
                self.add_import(quote!(#path #star), None, glob.place());
            }
        }
    }

    /// The variants of the enum of the module of which this is the path, with `::` after it.
    fn variants_of(&self, path: &TokenStream) -> Option<Vec<Ident>> {
        let words: Vec<_> = path.clone().into_iter().filter(|token| !is_punct(Some(token), ':')).collect();
        let name = match &words[..] {
            [TokenTree::Ident(name)] if self.scopes.find_type(name) == Binding::Item => name,
            [module, TokenTree::Ident(name)] if is_word(module, "self") => name,
            _ => return None,
        };
        self.items.variants.get(&name.unraw().to_string()).cloned()
    }

    fn add_import(&mut self, path: TokenStream, ident: Option<Ident>, place: Place) {
        let id = ImportId(self.body.imports.len() as u32);
        if let Some(ident) = &ident {
            self.scopes.item(&ident.unraw(), Binding::Import(id), NameKind::Any);
        }
        let is_glob = matches!(path.clone().into_iter().last(), Some(TokenTree::Punct(_)));
        let path = Written { tokens: path, names: Vec::new(), captured: Vec::new() };
        let is_inner = self.is_inner();
        self.body.imports.push(Import { path, ident, is_glob, is_inner, is_no_trait: None, place });
    }
}

/// Why an item that is no constant and no `use` is refused, if it is.
fn message(item: &Item) -> Option<&'static str> {
    let attributes = match item {
        Item::Static(item) if matches!(item.mutability, StaticMutability::None) && is_primitive(&item.ty) => {
            &item.attrs
        }
        Item::Static(_) => return Some(refuse::STATE),
        Item::Fn(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => return Some(refuse::ITEMS),
    };
    let is_mark = |attribute: &Attribute| is_mark(&attribute.meta.to_token_stream());
    match item {
        _ if attributes.iter().any(is_mark) || !conditions(attributes).is_empty() => Some(refuse::CONDITIONAL_ITEM),
        Item::Fn(_) | Item::Impl(_) | Item::Trait(_) if has_state(item.to_token_stream()) => Some(refuse::STATE),
        item => name(item).filter(|name| is_name_of_primitive(*name)).map(|_| refuse::PRIMITIVE),
    }
}

/// The names of the fields, the variants or the functions of an item.
fn parts(item: &Item) -> Vec<Key> {
    let mut parts = Vec::new();
    match item {
        Item::Enum(item) => item.variants.iter().for_each(|variant| parts.push(key(&variant.ident))),
        Item::Struct(item) => item.fields.iter().for_each(|field| parts.extend(field.ident.as_ref().map(key))),
        Item::Impl(item) => {
            for part in &item.items {
                if let ImplItem::Fn(function) = part {
                    parts.push(key(&function.sig.ident));
                }
            }
        }
        Item::Trait(item) => {
            for part in &item.items {
                if let TraitItem::Fn(function) = part {
                    parts.push(key(&function.sig.ident));
                }
            }
        }
        _ => {}
    }
    parts
}

/// Whether there may be a `static` in the body of a function.
fn has_state(tokens: TokenStream) -> bool {
    let mut last = None;
    tokens.into_iter().any(|token| {
        // `'static` is a lifetime.
        let is_lifetime =
            matches!(last.replace(token.clone()), Some(TokenTree::Punct(punct)) if punct.as_char() == '\'');
        match token {
            TokenTree::Ident(ident) => !is_lifetime && (ident == "static" || ident == "thread_local"),
            TokenTree::Group(group) => has_state(group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        }
    })
}

/// Whether nothing can change a value of this type behind a shared reference.
fn is_primitive(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(array) => is_primitive(&array.elem),
        syn::Type::Slice(slice) => is_primitive(&slice.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(is_primitive),
        syn::Type::Reference(reference) => reference.mutability.is_none() && is_primitive(&reference.elem),
        syn::Type::Path(path) => path.path.get_ident().is_some_and(is_name_of_primitive),
        _ => false,
    }
}

/// The names of the types of integers.
pub(super) const INTEGERS: [&str; 12] =
    ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];

/// Whether a primitive type has this name.
pub(super) fn is_name_of_primitive<N: PartialEq<str>>(name: &N) -> bool {
    const OTHERS: [&str; 5] = ["f32", "f64", "bool", "char", "str"];
    OTHERS.iter().chain(&INTEGERS).any(|known| *name == **known)
}

/// The name of an item that is kept as it is.
fn name(item: &Item) -> Option<&Ident> {
    match item {
        Item::Static(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        _ => None,
    }
}

/// Of which kind the name of such an item is.
fn kind_of(item: &Item) -> NameKind {
    match item {
        Item::Static(_) | Item::Fn(_) => NameKind::Value,
        Item::Struct(item) if !matches!(item.fields, syn::Fields::Named(_)) => NameKind::Any,
        _ => NameKind::Type,
    }
}

fn has_glob(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(inner) => has_glob(&inner.tree),
        UseTree::Group(group) => group.items.iter().any(has_glob),
        UseTree::Glob(_) => true,
        UseTree::Name(_) | UseTree::Rename(_) => false,
    }
}
