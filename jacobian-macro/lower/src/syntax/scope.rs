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
    kind: NameKind,
    /// The number of scopes around it.
    depth: usize,
}

/// What a name is one of: a type and a value may have the same.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum NameKind {
    /// A type, a trait, a module.
    Type,
    /// A variable, a constant, a function.
    Value,
    /// What is imported may be both, and the name of a struct without fields or with numbered ones is both.
    Any,
}

impl NameKind {
    fn may_be(self, other: NameKind) -> bool {
        self == other || self == NameKind::Any
    }
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
    /// Those among them that are values: a parameter of that name is a type.
    values: &'m HashSet<String>,
}

impl<'m> Scopes<'m> {
    /// Nothing but the items of a module.
    pub fn new(items: &'m HashSet<String>, values: &'m HashSet<String>) -> Self {
        Scopes { scopes: Vec::new(), declarations: HashMap::new(), items, values }
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
        self.add(name, Some(context), (binding, NameKind::Value));
    }

    /// Declares an item, or a parameter of generics, in the innermost scope.
    pub fn item(&mut self, ident: &Ident, binding: Binding, kind: NameKind) {
        self.add(ident.unraw().to_string(), None, (binding, kind));
    }

    fn add(&mut self, name: String, context: Option<String>, (binding, kind): (Binding, NameKind)) {
        let depth = self.scopes.len();
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push(name.clone());
        }
        self.declarations.entry(name).or_default().push(Declaration { context, binding, kind, depth });
    }

    /// Says that all names of some module are imported into the innermost scope.
    pub fn glob(&mut self) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.has_glob = true;
        }
    }

    /// What a name means: as a value, if it is the name of one.
    pub fn find(&self, ident: &Ident) -> Binding {
        match self.found(ident, NameKind::Value) {
            Binding::Item if self.values.contains(&ident.unraw().to_string()) => Binding::Item,
            Binding::Outside | Binding::Item => self.found(ident, NameKind::Any),
            found => found,
        }
    }

    /// What a name means as that of a type or a module.
    pub fn find_type(&self, ident: &Ident) -> Binding {
        self.found(ident, NameKind::Type)
    }

    /// What a name of this kind means; one of any kind, as what it is declared last.
    fn found(&self, ident: &Ident, kind: NameKind) -> Binding {
        let name = ident.unraw().to_string();
        let declared = self.declarations.get(&name).filter(|declared| !declared.is_empty());
        let found = declared.and_then(|declared| self.innermost(declared, ident, kind));
        let (binding, depth) = match found {
            Some(declaration) => (declaration.binding, declaration.depth),
            None if self.items.contains(&name) => (Binding::Item, 0),
            None => return Binding::Outside,
        };
        let is_hidden = self.scopes[depth..].iter().any(|scope| scope.has_glob);
        match binding {
            Binding::Variable(_) => binding,
            Binding::Generic if depth >= self.within_item() || !is_hidden => binding,
            _ if is_hidden => Binding::Unclear,
            _ => binding,
        }
    }

    /// How many scopes there are around what is in the innermost item: variables and generic parameters with fewer
    /// around them are not seen here.
    fn within_item(&self) -> usize {
        self.scopes.iter().rposition(|scope| scope.is_item).map_or(0, |item| item + 1)
    }

    fn innermost<'d>(&self, declared: &'d [Declaration], ident: &Ident, kind: NameKind) -> Option<&'d Declaration> {
        // Most names are of items, or not from macros: the context is looked at where there is a variable of that name.
        let mut context = None;
        let is_seen = |declaration: &&Declaration| match (&declaration.binding, &declaration.context) {
            (Binding::Variable(_), Some(own)) => {
                declaration.depth >= self.within_item() && context.get_or_insert_with(|| key(ident).1) == own
            }
            _ => true,
        };
        let mut is_seen = is_seen;
        let is_one = |declaration: &Declaration| kind == NameKind::Any || declaration.kind.may_be(kind);
        declared.iter().rev().find(|declaration| is_one(declaration) && is_seen(declaration))
    }
}
