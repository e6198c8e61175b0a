//! Traits of the standard library that bound types and hide nothing of them.

use std::collections::HashSet;

use quote::ToTokens;
use syn::{Generics, Item, TypeParamBound, WherePredicate};

use super::super::attributes::conditions;
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

/// What the paths of these traits begin with.
const OF_STD: &[&str] = &["std", "core", "ops", "cmp", "marker", "clone", "default", "fmt"];

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

/// The traits that hide nothing of the types that they bound.
#[derive(Default)]
pub struct PlainTraits {
    /// Whether one of the traits that are taken for the standard library's may be another one.
    has_others: bool,
    /// Those of the module: they have nothing in them, and require nothing but such traits.
    markers: HashSet<String>,
}

impl PlainTraits {
    /// Those that a module with these items may name.
    pub fn of(items: &[Item]) -> PlainTraits {
        let mut plain = PlainTraits { has_others: has_other_traits(items), markers: HashSet::new() };
        // One may require others that are declared after it.
        loop {
            let count = plain.markers.len();
            for item in items {
                if let Item::Trait(item) = item
                    && (item.items.is_empty()
                        && item.generics.params.is_empty()
                        && item.generics.where_clause.is_none()
                        && conditions(&item.attrs).is_empty())
                    && item.supertraits.iter().all(|bound| plain.has_bound(bound))
                {
                    plain.markers.insert(item.ident.to_string());
                }
            }
            if plain.markers.len() == count {
                return plain;
            }
        }
    }

    /// Whether this is the name of one.
    pub fn has(&self, name: &str) -> bool {
        !self.has_others && (PLAIN.contains(&name) || self.markers.contains(name))
    }

    /// Whether a bound is one by such a trait.
    pub fn has_bound(&self, bound: &TypeParamBound) -> bool {
        match bound {
            TypeParamBound::Trait(bound) => match &bound.path.segments.iter().collect::<Vec<_>>()[..] {
                [name] => self.has(&name.ident.to_string()),
                [first, .., last] if OF_STD.iter().any(|own| first.ident == own) => {
                    PLAIN.iter().any(|name| last.ident == name)
                }
                _ => false,
            },
            bound => matches!(bound, TypeParamBound::Lifetime(_)),
        }
    }

    /// Whether all bounds are.
    pub fn have_bounds(&self, generics: &Generics) -> bool {
        let mut clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        generics.type_params().all(|parameter| parameter.bounds.iter().all(|bound| self.has_bound(bound)))
            && clauses.all(|clause| match clause {
                WherePredicate::Type(clause) => clause.bounds.iter().all(|bound| self.has_bound(bound)),
                _ => true,
            })
    }
}

fn has_other_traits(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Trait(item) => PLAIN.iter().any(|name| item.ident == name),
        Item::Mod(item) => OF_STD.iter().any(|name| item.ident == name),
        Item::Use(item) => {
            let (text, mut is_named) = (item.tree.to_token_stream().to_string(), false);
            each_identifier(item.to_token_stream(), &mut |ident| {
                is_named |= PLAIN.iter().chain(OF_STD).any(|name| ident == name);
            });
            (is_named || text.contains('*')) && !["std", "core"].iter().any(|root| text.starts_with(root))
        }
        _ => false,
    })
}
