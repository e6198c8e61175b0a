//! Types that are open: code may tell them that a macro does not understand.
//!
//! Where rustc finds out the type of a literal by such code, it does so in the generated code, too, if that code is there. But
//! what control never comes to is left out. So a function is refused in which all of this holds: the type of a literal is
//! not found out, something that depends on it is left to rustc, and some of the code that may tell it is left out.

use std::collections::{HashMap, HashSet};

use proc_macro2::Ident;

use super::super::super::syntax::{Expr, ExprKind, Node, Place};
use super::super::integer::{TypeId, TypeTable};
use super::terms::{Kind, Term, Terms};

/// What the addresses of expressions are known by.
pub type Key = *const ExprKind;

/// Where code stands.
#[derive(Copy, Clone)]
pub enum Stands {
    /// In an expression.
    In(Key),
    /// In the generated code, in any case.
    Always,
    /// Never in the generated code.
    Never,
}

/// Code that says more of some types than is understood.
pub struct Opaque {
    /// Where it stands.
    pub place: Stands,
    /// The types.
    pub terms: Vec<Term>,
    /// Whether it is a type that is written.
    pub is_type: bool,
}

/// The open types of all functions that have been walked.
#[derive(Default)]
pub struct OpenTypes {
    groups: Vec<Group>,
    /// The expressions that may tell the types of a group, and that have not been lowered so far; and whether they are
    /// opaque.
    left: HashMap<Key, (usize, bool)>,
    /// The types on which something depends that is left to rustc.
    needed: Vec<TypeId>,
    /// The first variable of each type that holds a literal.
    holders: Vec<(TypeId, Ident)>,
}

/// Types that may tell each other.
struct Group {
    /// The types of literals that are not found out.
    types: Vec<TypeId>,
    /// The first of these literals.
    place: Place,
    /// Whether something that may tell the types is left out in any case.
    is_left_out: bool,
    /// Whether something that depends on the types is left to rustc.
    is_needed: bool,
}

impl OpenTypes {
    /// Notes that an expression has been lowered; `is_written` says that it stands in the generated code as it is.
    pub fn reach(&mut self, expression: &Expr, is_written: bool) {
        if !self.left.is_empty()
            && let Some((group, is_opaque)) = self.left.remove(&std::rc::Rc::as_ptr(&expression.kind))
        {
            let may_differ = matches!(
                &*expression.kind,
                ExprKind::Call(..)
                    | ExprKind::Method(_)
                    | ExprKind::Macro(_)
                    | ExprKind::Struct(_)
                    | ExprKind::Cast(..)
                    | ExprKind::Other(..)
            );
            self.groups[group].is_needed |= is_opaque && may_differ || is_written;
        }
    }

    /// Notes that an expression has been lowered with all that is in it.
    pub fn reach_all(&mut self, expression: &Expr) {
        if self.are_some() {
            expression.walk(&mut |node| match node {
                Node::Expr(inner) => self.reach(inner, false),
                Node::Pattern(_) => {}
            });
        }
    }

    /// Whether there are open types.
    pub fn are_some(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Whether a type is open.
    pub fn contains(&self, ty: TypeId, types: &mut TypeTable) -> bool {
        let own = types.first(ty);
        self.groups.iter().flat_map(|group| &group.types).any(|ty| types.first(*ty) == own)
    }

    /// The variable that holds a literal of this type, if there is one before `holder`.
    pub fn held(&mut self, ty: TypeId, holder: &Ident, types: &mut TypeTable) -> Option<Ident> {
        let own = types.first(ty);
        let found = self.holders.iter().find(|(ty, _)| types.first(*ty) == own).map(|(_, holder)| holder.clone());
        if found.is_none() {
            self.holders.push((ty, holder.clone()));
        }
        found
    }

    /// Notes that something that depends on a type is left to rustc.
    pub fn need(&mut self, ty: TypeId) {
        if self.are_some() {
            self.needed.push(ty);
        }
    }

    /// The literals whose types are left to rustc although code that may tell them is left out.
    pub fn untold(&self, types: &mut TypeTable) -> Vec<Place> {
        let mut is_left: HashSet<_> = self.left.values().map(|(group, _)| *group).collect();
        is_left.extend((0..self.groups.len()).filter(|&group| self.groups[group].is_left_out));
        let mut untold = Vec::new();
        for group in is_left {
            let Group { types: open, place, is_needed, .. } = &self.groups[group];
            let is_needed =
                *is_needed || self.needed.iter().any(|ty| open.iter().any(|own| types.first(*ty) == types.first(*own)));
            if is_needed && open.iter().any(|ty| types.get(*ty).only().is_none()) {
                untold.push((group, *place));
            }
        }
        untold.sort_by_key(|(group, _)| *group);
        untold.into_iter().map(|(_, place)| place).collect()
    }

    /// Finds the open types of a function: those of its `literals`, what `opaque` code says of them, and the variables that
    /// are mentioned.
    pub fn add(
        &mut self,
        literals: Vec<(TypeId, Place)>,
        opaque: &[Opaque],
        variables: &[(Key, Term)],
        terms: &mut Terms,
        types: &mut TypeTable,
    ) {
        let mut open: HashMap<TypeId, Place> = HashMap::new();
        for (ty, place) in literals {
            if types.get(ty).only().is_none() {
                open.entry(types.first(ty)).or_insert(place);
            }
        }
        if open.is_empty() {
            return;
        }
        let mut links = Links::default();
        for Opaque { terms: given, .. } in opaque.iter().filter(|opaque| matches!(opaque.place, Stands::Always)) {
            links.given.extend(given.iter().map(|term| terms.root(*term).0));
        }
        opaque.iter().for_each(|opaque| links.link(&opaque.terms, terms, types));
        let mut linked: Vec<_> = links.next.keys().copied().collect();
        linked.sort();
        let mut groups: HashMap<Term, usize> = HashMap::new();
        for term in linked {
            let Kind::Int(ty) = terms.kind(term) else { continue };
            let Some(place) = open.remove(&types.first(ty)) else { continue };
            let group = *groups.entry(links.first(term)).or_insert_with(|| {
                self.groups.push(Group { types: Vec::new(), place, is_left_out: false, is_needed: false });
                self.groups.len() - 1
            });
            self.groups[group].types.push(ty);
        }
        if groups.is_empty() {
            return;
        }
        let mut group_of = |term: &Term| {
            let parts = links.parts(*term, terms, types);
            parts.into_iter().find_map(|part| groups.get(&links.first(part)).copied())
        };
        for Opaque { place, terms: linked, .. } in opaque {
            match (linked.iter().find_map(&mut group_of), place) {
                (Some(group), Stands::In(expression)) => drop(self.left.insert(*expression, (group, true))),
                (Some(group), Stands::Never) => self.groups[group].is_left_out = true,
                (Some(_), Stands::Always) | (None, _) => {}
            }
        }
        for (expression, term) in variables {
            if let Some(group) = group_of(term) {
                self.left.entry(*expression).or_insert((group, false));
            }
        }
    }
}

/// Types that may tell each other.
#[derive(Default)]
struct Links {
    /// Each leads to another, and one of all to itself.
    next: HashMap<Term, Term>,
    /// The types of the parameters, which nothing can tell more of.
    given: HashSet<Term>,
}

impl Links {
    fn link(&mut self, linked: &[Term], terms: &mut Terms, types: &mut TypeTable) {
        let parts: Vec<_> = linked.iter().flat_map(|term| self.parts(*term, terms, types)).collect();
        for part in &parts {
            let (one, other) = (self.first(parts[0]), self.first(*part));
            self.next.insert(one, other);
            self.next.insert(other, other);
        }
    }

    fn first(&mut self, mut term: Term) -> Term {
        while let Some(next) = self.next.get(&term).copied().filter(|next| *next != term) {
            // The way is halved for those who come after.
            let further = self.next[&next];
            self.next.insert(term, further);
            term = further;
        }
        term
    }

    /// The types in a type that may be told, and that tell something which is not taken for granted anyway.
    fn parts(&self, term: Term, terms: &mut Terms, types: &mut TypeTable) -> Vec<Term> {
        let (mut parts, mut rest, mut seen) = (Vec::new(), vec![term], HashSet::new());
        while let Some(term) = rest.pop() {
            let (root, kind) = terms.root(term);
            if !seen.insert(root) {
                continue;
            }
            match kind {
                Kind::Unknown if !self.given.contains(&root) => parts.push(root),
                Kind::Int(ty) if types.get(ty).only().is_none_or(|ty| ty.tells_more()) => parts.push(root),
                Kind::Unknown | Kind::Int(_) | Kind::Other | Kind::Vector => {}
                Kind::Array(inner) | Kind::Items(inner) => rest.push(inner),
                Kind::Tuple(inner) => rest.extend(inner),
                Kind::Function(parameters, result) => rest.extend(parameters.into_iter().chain([result])),
            }
        }
        parts
    }
}
