//! The traits of a module, by their names and those in their bounds: which methods and constants they may be known by.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Item, ItemTrait, TraitItem};

use super::super::names::each_identifier;
use super::super::read::shape::Structs;

/// A trait of the module.
pub struct Trait {
    /// Its name.
    pub name: String,
    /// Whether it has parameters.
    pub is_generic: bool,
    /// The names in the bounds of those that it requires.
    required: Vec<String>,
    /// The names in the bounds of its types, and of what its methods return without saying what that is.
    given: Vec<String>,
    methods: Vec<String>,
    constants: Vec<String>,
}

impl Trait {
    fn of(item: &ItemTrait) -> Self {
        let names = |tokens: TokenStream| {
            let mut names = Vec::new();
            each_identifier(tokens, &mut |ident| names.push(ident.to_string()));
            names
        };
        let (mut methods, mut constants) = (Vec::new(), Vec::new());
        let mut given = names(item.generics.where_clause.to_token_stream());
        for part in &item.items {
            match part {
                TraitItem::Fn(method) => {
                    methods.push(method.sig.ident.unraw().to_string());
                    let output = names(method.sig.output.to_token_stream());
                    given.extend(output.into_iter().skip_while(|name| name != "impl" && name != "dyn"));
                }
                TraitItem::Type(ty) => given.extend(names(ty.bounds.to_token_stream())),
                TraitItem::Const(constant) => constants.push(constant.ident.unraw().to_string()),
                // What is in a macro is not seen.
                part => given.extend(names(part.to_token_stream())),
            }
        }
        let name = item.ident.to_string();
        let is_generic = !item.generics.params.is_empty();
        Trait { name, is_generic, required: names(item.supertraits.to_token_stream()), given, methods, constants }
    }
}

/// Names in bounds that are surely not those of traits.
const NO_TRAITS: &[&str] = &["Self", "Output", "impl", "dyn", "mut", "f64", "f32", "usize"];

/// The traits of a module.
#[derive(Default)]
pub struct Traits(Vec<Trait>);

impl Traits {
    /// Those among `items`.
    pub fn read(items: &[Item]) -> Self {
        let traits = items.iter().filter_map(|item| match item {
            Item::Trait(item) => Some(Trait::of(item)),
            _ => None,
        });
        Traits(traits.collect())
    }

    /// The methods of the traits of this name.
    pub fn methods_of(&self, name: &str) -> impl Iterator<Item = &String> {
        self.0.iter().filter(move |own| own.name == name).flat_map(|own| &own.methods)
    }

    /// These names of traits, with those of the traits that they require.
    pub fn with_required(&self, bounds: &[String]) -> Vec<String> {
        let mut all = bounds.to_vec();
        let mut at = 0;
        while at < all.len() {
            let own = self.0.iter().find(|own| own.name == all[at]);
            for name in own.iter().flat_map(|own| &own.required) {
                if !all.contains(name) {
                    all.push(name.clone());
                }
            }
            at += 1;
        }
        all
    }

    /// Whether one of the traits that these names in bounds lead to may have a method of this name: where none has, it
    /// is called on a value whose type is written. Known are the traits of the module, and those that `has_no` such method;
    /// whatever else is named may be a trait from elsewhere.
    pub fn may_have(&self, bounds: &[String], method: &str, structs: &Structs, has_no: &dyn Fn(&str) -> bool) -> bool {
        let mut names = bounds.to_vec();
        let mut at = 0;
        while at < names.len() {
            let name = names[at].clone();
            at += 1;
            let Some(own) = self.0.iter().find(|own| own.name == name) else {
                let is_no_trait = NO_TRAITS.contains(&name.as_str()) || structs.read.contains_key(&name);
                if !is_no_trait && !has_no(&name) {
                    return true;
                }
                continue;
            };
            if own.methods.iter().any(|own| own == method) {
                return true;
            }
            for name in own.required.iter().chain(&own.given) {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        false
    }

    /// The trait of the module that has a constant or a function of this name, if it is the only one with such a name among
    /// those that these names in bounds lead to.
    pub fn with_part(&self, bounds: &[String], name: &str) -> Option<&Trait> {
        let bounds = self.with_required(bounds);
        let has_it = |own: &&Trait| own.methods.iter().chain(&own.constants).any(|part| part == name);
        let mut found = self.0.iter().filter(|own| bounds.contains(&own.name)).filter(has_it);
        found.next().filter(|_| found.next().is_none())
    }

    /// Whether a trait of the module has a method of this name, among those that these names in bounds lead to.
    pub fn has_method(&self, bounds: &[String], name: &str) -> bool {
        let bounds = self.with_required(bounds);
        self.0.iter().any(|own| bounds.contains(&own.name) && own.methods.iter().any(|method| method == name))
    }

    /// Whether a trait of the module has a constant or a function of this name.
    pub fn has_part(&self, name: &str) -> bool {
        self.0.iter().any(|own| own.methods.iter().chain(&own.constants).any(|part| part == name))
    }

    /// The same of the traits by which the types are known that these have or give.
    pub fn has_given_method(&self, bounds: &[String], name: &str) -> bool {
        let bounds = self.with_required(bounds);
        let given = self.0.iter().filter(|own| bounds.contains(&own.name)).flat_map(|own| own.given.clone());
        self.has_method(&given.collect::<Vec<_>>(), name)
    }
}
