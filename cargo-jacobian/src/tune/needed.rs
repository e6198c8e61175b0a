//! What of a file a function needs: the items that it names, what these name, and so on. Names are compared without
//! their scopes, so that too much may be kept, which does no harm where it compiles.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Ident, ImplItem, Item, Type, UseTree};

/// The items without those that nothing needs which is called by one of `names`.
pub fn needed(items: Vec<Item>, names: &[&str]) -> Vec<Item> {
    let mut known: HashSet<String> = names.iter().map(|name| (*name).to_string()).collect();
    loop {
        let before = known.len();
        gather(&items, &mut known);
        if known.len() == before {
            let mut modules = vec!["crate".to_string(), "self".to_string(), "super".to_string()];
            modules_in(&items, &mut modules);
            return kept(items, &known, &modules);
        }
    }
}

/// All names in tokens.
pub fn names(tokens: TokenStream, found: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                found.insert(name.to_string());
            }
            TokenTree::Group(group) => names(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Adds what the items name that are needed.
fn gather(items: &[Item], known: &mut HashSet<String>) {
    for item in items {
        match item {
            Item::Mod(module) => gather(module.content.as_ref().map_or(&[], |(_, items)| items), known),
            Item::Impl(implementation) if is_needed(item, known) => {
                names(without_items(implementation), known);
                let parts: Vec<_> =
                    implementation.items.iter().filter(|part| is_part(implementation, part, known)).collect();
                parts.into_iter().for_each(|part| names(part.to_token_stream(), known));
            }
            Item::Use(_) => {}
            item if is_needed(item, known) => names(item.to_token_stream(), known),
            _ => {}
        }
    }
}

/// Adds the names of all modules, those in other files, too.
fn modules_in(items: &[Item], found: &mut Vec<String>) {
    for item in items {
        if let Item::Mod(module) = item {
            found.push(module.ident.to_string());
            modules_in(module.content.as_ref().map_or(&[], |(_, items)| items), found);
        }
    }
}

fn kept(items: Vec<Item>, known: &HashSet<String>, modules: &[String]) -> Vec<Item> {
    let keep = |item: Item| match item {
        Item::Mod(mut module) => {
            let (brace, items) = module.content?;
            module.content = Some((brace, kept(items, known, modules)));
            let is_empty = module.content.as_ref().is_some_and(|(_, items)| items.is_empty());
            (!is_empty).then_some(Item::Mod(module))
        }
        Item::Use(mut import) => {
            let is_inside = is_inside(&import.tree.to_token_stream(), modules);
            import.tree = imported(import.tree, None, is_inside, known)?;
            Some(Item::Use(import))
        }
        Item::Impl(mut implementation) if is_needed(&Item::Impl(implementation.clone()), known) => {
            let whole = implementation.clone();
            implementation.items.retain(|part| is_part(&whole, part, known));
            Some(Item::Impl(implementation))
        }
        item => is_needed(&item, known).then_some(item),
    };
    items.into_iter().filter_map(keep).collect()
}

/// Whether an item that is no module and no import is needed.
fn is_needed(item: &Item, known: &HashSet<String>) -> bool {
    let is_known = |name: &Ident| known.contains(&name.to_string());
    match item {
        Item::Fn(item) => is_known(&item.sig.ident),
        Item::Const(item) => is_known(&item.ident) || item.ident == "_",
        Item::Static(item) => is_known(&item.ident),
        Item::Struct(item) => is_known(&item.ident),
        Item::Enum(item) => is_known(&item.ident),
        Item::Union(item) => is_known(&item.ident),
        Item::Type(item) => is_known(&item.ident),
        Item::Trait(item) => is_known(&item.ident),
        Item::Macro(item) => item.ident.as_ref().is_none_or(is_known),
        Item::ExternCrate(_) => true,
        Item::Impl(item) => {
            let of_trait = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
            let is_trait = of_trait.is_none_or(|last| is_known(&last.ident) || is_usual(&last.ident.to_string()));
            is_trait && is_type(&item.self_ty, known)
        }
        _ => false,
    }
}

/// Whether operators, loops or conversions may call a trait that is not named.
fn is_usual(name: &str) -> bool {
    let of_operators = ["Add", "Sub", "Mul", "Div", "Rem", "Neg", "Not", "Index", "IndexMut", "Deref", "DerefMut"];
    let others = ["Clone", "Copy", "Default", "From", "Into", "PartialEq", "PartialOrd", "Iterator", "IntoIterator"];
    of_operators.contains(&name.trim_end_matches("Assign")) || others.contains(&name)
}

/// Whether a type is needed, or none of this file.
fn is_type(ty: &Type, known: &HashSet<String>) -> bool {
    let mut found = HashSet::new();
    names(ty.to_token_stream(), &mut found);
    let is_small = |name: &String| name.starts_with(char::is_lowercase);
    found.iter().any(|name| known.contains(name)) || found.iter().all(is_small)
}

/// Whether a part of an `impl` is needed: of one of a trait, each is.
fn is_part(implementation: &syn::ItemImpl, part: &ImplItem, known: &HashSet<String>) -> bool {
    match part {
        ImplItem::Fn(method) if implementation.trait_.is_none() => known.contains(&method.sig.ident.to_string()),
        ImplItem::Const(item) if implementation.trait_.is_none() => known.contains(&item.ident.to_string()),
        _ => true,
    }
}

fn without_items(implementation: &syn::ItemImpl) -> TokenStream {
    syn::ItemImpl { items: Vec::new(), ..implementation.clone() }.to_token_stream()
}

/// Whether an import is one of the crate's own items.
fn is_inside(import: &TokenStream, modules: &[String]) -> bool {
    let first = import.clone().into_iter().find_map(|token| match token {
        TokenTree::Ident(name) => Some(name.to_string()),
        _ => None,
    });
    first.is_some_and(|first| modules.contains(&first))
}

/// What is left of an import of names in `parent`: of the crate's own items only what is needed, of others all but the
/// attribute.
fn imported(tree: UseTree, parent: Option<&Ident>, is_inside: bool, known: &HashSet<String>) -> Option<UseTree> {
    let is_kept = |name: &Ident| name != "jacobian" && (!is_inside || known.contains(&name.to_string()));
    match tree {
        UseTree::Path(mut path) => {
            path.tree = Box::new(imported(*path.tree, Some(&path.ident), is_inside, known)?);
            Some(UseTree::Path(path))
        }
        UseTree::Name(name) => {
            let meant = parent.filter(|_| name.ident == "self").unwrap_or(&name.ident);
            is_kept(meant).then_some(UseTree::Name(name))
        }
        UseTree::Rename(name) => (is_kept(&name.rename) && name.ident != "jacobian").then_some(UseTree::Rename(name)),
        UseTree::Glob(glob) => Some(UseTree::Glob(glob)),
        UseTree::Group(mut group) => {
            let items = group.items.into_iter();
            group.items = items.filter_map(|tree| imported(tree, parent, is_inside, known)).collect();
            (!group.items.is_empty()).then_some(UseTree::Group(group))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str, names: &[&str]) -> String {
        let items = needed(syn::parse_str::<syn::File>(text).unwrap().items, names);
        items.iter().map(|item| item.to_token_stream().to_string()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_is_named_is_kept_and_nothing_else() {
        let text = "
            use jacobian::jacobian;
            use crate::{elsewhere::Canvas, helper::{self, twice}};
            use num_traits::Float;
            mod other; use other::{Unneeded, A as B2};
            const A: f64 = B; const B: f64 = 2.0; const C: f64 = 3.0;
            struct Arm { a: f64 } struct Leg;
            impl Arm { fn tip(&self) -> f64 { A } fn draw(&self, c: Canvas) {} }
            impl core::fmt::Display for Leg {}
            mod inner { pub fn g() { helper(); twice() } pub fn h() {} }
            mod empty { pub fn h() {} }
            fn main() { draw() }
            fn f(arm: &Arm) { arm.tip(); inner::g(); }";
        let left = left(text, &["f"]);
        for there in ["const A", "const B", "struct Arm", "fn tip", "fn g", "fn f", "use num_traits", "twice", "self ,"]
        {
            assert!(left.contains(there), "{there}: {left}");
        }
        for gone in [
            "const C",
            "Leg",
            "draw",
            "Canvas",
            "fn h",
            "mod empty",
            "Unneeded",
            "mod other",
            "main",
            "jacobian",
            "elsewhere",
        ] {
            assert!(!left.contains(gone), "{gone}: {left}");
        }
    }
}
