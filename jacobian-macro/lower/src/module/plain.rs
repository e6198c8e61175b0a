//! Traits of the standard library that bound types and hide nothing of them.

use quote::ToTokens;
use syn::{Generics, Item, TypeParamBound, WherePredicate};

use super::super::names::each_identifier;

/// Traits of the standard library: a bound by them hides no method that a type has itself.
const PLAIN: &[&str] = &[
    "Copy",
    "Clone",
    "Default",
    "Debug",
    "Sized",
    "Send",
    "Sync",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "Neg",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
    "PartialEq",
    "PartialOrd",
];

/// The methods of these traits.
const METHODS: &[&str] = &[
    "clone",
    "clone_from",
    "fmt",
    "add",
    "sub",
    "mul",
    "div",
    "rem",
    "neg",
    "add_assign",
    "sub_assign",
    "mul_assign",
    "div_assign",
    "rem_assign",
    "eq",
    "ne",
    "partial_cmp",
    "lt",
    "le",
    "gt",
    "ge",
];

/// Whether a method has a name of one of a trait of the standard library that may be a plain bound.
pub fn is_of_plain_trait(method: &str) -> bool {
    METHODS.contains(&method)
}

/// Whether this is the name of such a trait.
pub fn is_plain_trait(name: &str) -> bool {
    PLAIN.contains(&name)
}

/// Whether one of the traits that are taken for the standard library's may be another one.
pub fn has_other_traits(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Trait(item) => PLAIN.iter().any(|name| item.ident == name),
        Item::Use(item) => {
            let (text, mut is_named) = (item.tree.to_token_stream().to_string(), false);
            each_identifier(item.to_token_stream(), &mut |ident| is_named |= PLAIN.iter().any(|name| ident == name));
            (is_named || text.contains('*')) && !["std", "core"].iter().any(|root| text.starts_with(root))
        }
        _ => false,
    })
}

/// Whether all bounds have names of plain traits.
pub fn are_plain(generics: &Generics) -> bool {
    let mut clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    generics.type_params().all(|parameter| parameter.bounds.iter().all(is_plain_bound))
        && clauses.all(|clause| match clause {
            WherePredicate::Type(clause) => clause.bounds.iter().all(is_plain_bound),
            _ => true,
        })
}

pub fn is_plain_bound(bound: &TypeParamBound) -> bool {
    match bound {
        TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            PLAIN.contains(&last.as_str())
        }
        bound => matches!(bound, TypeParamBound::Lifetime(_)),
    }
}
