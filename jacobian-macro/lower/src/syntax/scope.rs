//! Names and what they are bound to, at one place of a function: as rustc does it, the innermost declaration first,
//! where an item of a block is seen in all of the block, and a variable from its declaration on.

use std::collections::{HashMap, HashSet};

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::key::key;
use super::tree::Binding;

/// A declaration that is seen.
struct Declaration {
    /// The macro expansion that a variable comes from; items of one name are the same wherever they come from.
    context: Option<String>,
    binding: Binding,
    /// The number of scopes around it.
    depth: usize,
}

/// A block, or something else that declares names.
#[derive(Default)]
struct Scope {
    /// The names that have been declared in it.
    names: Vec<String>,
    /// Whether all names of some module are imported.
    has_glob: bool,
    /// Whether it is an item: no variable from outside is seen in it.
    is_item: bool,
}

/// All that is seen at one place of a function.
pub struct Scopes<'m> {
    scopes: Vec<Scope>,
    declarations: HashMap<String, Vec<Declaration>>,
    /// The names of the items of the module, if `#[jacobian]` is on one.
    items: &'m HashSet<String>,
}

impl<'m> Scopes<'m> {
    /// Nothing but the items of a module.
    pub fn new(items: &'m HashSet<String>) -> Self {
        Scopes { scopes: Vec::new(), declarations: HashMap::new(), items }
    }

    /// Enters a scope.
    pub fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Enters an item, in which no variable from outside is seen.
    pub fn enter_item(&mut self) {
        self.scopes.push(Scope { is_item: true, ..Scope::default() });
    }

    /// Leaves the innermost scope.
    pub fn leave(&mut self) {
        for name in self.scopes.pop().map(|scope| scope.names).unwrap_or_default() {
            self.declarations.get_mut(&name).map(Vec::pop);
        }
    }

    /// How many scopes there are around this place.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Whether items are seen here that are declared in the function, but for names that are imported into its
    /// outermost block, which has this many scopes around it with its own.
    pub fn has_items(&self, outermost: usize) -> bool {
        self.declarations.iter().any(|(name, declared)| {
            declared.iter().any(|declaration| match declaration.binding {
                Binding::Constant(_) | Binding::Local(_) => true,
                Binding::Import(_) => declaration.depth > outermost || self.items.contains(name),
                _ => false,
            })
        })
    }

    /// Declares a variable in the innermost scope.
    pub fn variable(&mut self, ident: &Ident, binding: Binding) {
        let (name, context) = key(ident);
        self.add(name, Some(context), binding);
    }

    /// Declares an item, or a parameter of generics, in the innermost scope.
    pub fn item(&mut self, ident: &Ident, binding: Binding) {
        self.add(ident.unraw().to_string(), None, binding);
    }

    fn add(&mut self, name: String, context: Option<String>, binding: Binding) {
        let depth = self.scopes.len();
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push(name.clone());
        }
        self.declarations.entry(name).or_default().push(Declaration { context, binding, depth });
    }

    /// Says that all names of some module are imported into the innermost scope.
    pub fn glob(&mut self) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.has_glob = true;
        }
    }

    /// What a name means that is no variable's and no constant's.
    pub fn find_outside(&self, ident: &Ident) -> Binding {
        match self.items.contains(&ident.unraw().to_string()) {
            true => Binding::Item,
            false => Binding::Outside,
        }
    }

    /// What a name means.
    pub fn find(&self, ident: &Ident) -> Binding {
        let name = ident.unraw().to_string();
        let declared = self.declarations.get(&name).filter(|declared| !declared.is_empty());
        let found = declared.and_then(|declared| self.innermost(declared, ident));
        let (binding, depth) = match found {
            Some(declaration) => (declaration.binding, declaration.depth),
            None if self.items.contains(&name) => (Binding::Item, 0),
            None => return Binding::Outside,
        };
        let is_hidden = self.scopes[depth..].iter().any(|scope| scope.has_glob);
        match binding {
            Binding::Variable(_) | Binding::Generic => binding,
            _ if is_hidden => Binding::Unclear,
            _ => binding,
        }
    }

    fn innermost<'d>(&self, declared: &'d [Declaration], ident: &Ident) -> Option<&'d Declaration> {
        // Most names are of items, or not from macros: the context is looked at where there is a variable of that name.
        let mut context = None;
        let is_seen = |declaration: &&Declaration| match (&declaration.binding, &declaration.context) {
            (Binding::Variable(_), Some(own)) => {
                let item = self.scopes.iter().rposition(|scope| scope.is_item).map_or(0, |item| item + 1);
                declaration.depth >= item && context.get_or_insert_with(|| key(ident).1) == own
            }
            _ => true,
        };
        let mut is_seen = is_seen;
        declared.iter().rev().find(|declaration| is_seen(declaration))
    }
}
