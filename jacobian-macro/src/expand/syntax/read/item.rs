//! Items in blocks: they are seen in all of their block. Constants and `use` are understood.

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::{Item, ItemConst, ItemUse, Stmt, UseTree};

use super::super::super::refuse;
use super::super::place::{Place, Placed};
use super::super::tree::{Binding, Constant, ConstantId, Expr, ExprKind, Import, ImportId};
use super::{Items, Reader, refused_attribute};

/// How many scopes there are in the outermost block of a function: that of the parameters, and its own.
const BODY: usize = 2;

impl Items {
    /// Those of a module.
    pub fn of(items: &[Item]) -> Self {
        let mut found = Items::default();
        items.iter().for_each(|item| found.add(item));
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
            Item::Use(item) => return self.add_imports(&item.tree),
            _ => return,
        };
        let name = ident.unraw().to_string();
        let is_unit = matches!(item, Item::Struct(item) if matches!(item.fields, syn::Fields::Unit));
        if is_unit || matches!(item, Item::Const(_) | Item::Static(_)) {
            self.constants.insert(name.clone());
        }
        self.names.insert(name);
    }

    /// What is imported may be a macro, too.
    fn add_imports(&mut self, tree: &UseTree) {
        let ident = match tree {
            UseTree::Path(inner) => return self.add_imports(&inner.tree),
            UseTree::Group(group) => return group.items.iter().for_each(|tree| self.add_imports(tree)),
            UseTree::Name(name) => &name.ident,
            UseTree::Rename(rename) => &rename.rename,
            UseTree::Glob(_) => return,
        };
        self.names.insert(ident.unraw().to_string());
        self.macros.insert(ident.unraw().to_string());
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
        let mut constants: Vec<(&ItemConst, ConstantId)> = Vec::new();
        for item in items() {
            match item {
                Item::Const(item) => {
                    let id = ConstantId((self.body.constants.len() + constants.len()) as u32);
                    self.scopes.item(&item.ident, Binding::Constant(id));
                    constants.push((item, id));
                }
                Item::Use(item) => self.import(item),
                _ => {}
            }
        }
        for (item, _) in constants {
            self.scopes.enter_item();
            let (ty, value) = (self.ty(&item.ty), self.expr(&item.expr));
            self.scopes.leave();
            self.body.constants.push(Rc::new(Constant { ident: item.ident.clone(), ty, value }));
        }
    }

    /// An item among statements, if it is refused.
    pub(super) fn item(&mut self, item: &Item) -> Option<Expr> {
        let message = match item {
            Item::Const(item) => return refused_attribute(&item.attrs),
            Item::Use(item) if self.scopes.depth() > BODY && has_glob(&item.tree) => refuse::GLOB,
            Item::Use(_) => return None,
            _ => refuse::ITEM,
        };
        Some(Expr::new(ExprKind::Refused(message.to_string()), item.place()))
    }

    fn import(&mut self, item: &ItemUse) {
        let root = item.leading_colon.map(|colons| quote!(#colons)).unwrap_or_default();
        self.import_tree(&item.tree, root);
    }

    /// Declares the names of a tree behind a path.
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
                    proc_macro2::TokenTree::Ident(ident) => Some(ident.clone()),
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
                self.scopes.glob();
                let (star, place) = (&glob.star_token, glob.place());
                self.body.imports.push(Import { path: quote!(#path #star), ident: None, is_glob: true, place });
            }
        }
    }

    fn add_import(&mut self, path: TokenStream, ident: Option<Ident>, place: Place) {
        let id = ImportId(self.body.imports.len() as u32);
        if let Some(ident) = &ident {
            self.scopes.item(&ident.unraw(), Binding::Import(id));
        }
        self.body.imports.push(Import { path, ident, is_glob: false, place });
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
