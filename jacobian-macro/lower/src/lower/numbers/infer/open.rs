//! Types that are open: code may tell them that a macro does not understand.
//!
//! Where rustc finds out the type of a literal by such code, it does so in the generated code, too, if that code is
//! there. But what control never reaches is left out. So a function is refused in which all of this holds: the type of
//! a literal is not found out, something that depends on it is left to rustc, and some of the code that may tell it is
//! left out.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};

use super::super::super::super::syntax::{Expr, ExprKind, Node, Place};
use super::super::super::vector::makes_vector;
use super::super::integer::{TypeId, TypeTable};
use super::terms::{Term, Terms, TypeForm};

/// What the addresses of expressions are known by.
pub type Key = *const ExprKind;

/// Where code is.
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
    /// Where it is.
    pub place: Stands,
    /// The types.
    pub terms: Vec<Term>,
    /// What they are of.
    pub meaning: Meaning,
}

/// What opaque code means for its types.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// It is a type that is written.
    Type,
    /// It is a parameter, a constant or a `static`: nothing else can tell more of its type.
    Declared,
    /// The last type is that of a part of what is of the first type.
    Part,
    /// A float is converted, whose type tells to what.
    Conversion,
    /// It is something else.
    Other,
}

/// What is left to rustc.
#[derive(Default)]
struct Left {
    /// Something that depends on the type of integers.
    of_integers: bool,
    /// Something that depends on the type of floats.
    of_floats: bool,
}

/// The open types of all functions that have been walked.
#[derive(Default)]
pub struct OpenTypes {
    groups: Vec<Group>,
    /// The expressions that may tell types and have not been lowered so far.
    left: HashMap<Key, Teller>,
    /// The calls that have been lowered.
    calls: HashMap<Key, Teller>,
    /// The literals of these types that have not been lowered so far.
    literals: HashMap<Key, TypeId>,
    /// The types of the others: nothing in the generated code is of a type of which there is no literal.
    written: Vec<TypeId>,
    /// The types on which something depends that is left to rustc.
    needed: Vec<TypeId>,
    /// The first variable of each type that holds a literal.
    holders: Vec<(TypeId, Ident)>,
}

/// A literal without a type.
pub struct Literal {
    /// The expression that it is.
    pub key: Key,
    /// Its type.
    pub ty: TypeId,
    /// Where it is.
    pub place: Place,
    /// Whether it is in a pattern or in a constant.
    pub is_constant: bool,
}

/// What may tell the types of a group.
pub struct Teller {
    group: usize,
    /// What it means, if it is opaque.
    meaning: Option<Meaning>,
    /// The types of the literals that are in it.
    literals: Vec<TypeId>,
    /// Whether integers are among these.
    has_integers: bool,
}

/// A function that is called where types are open.
struct Called {
    function: Option<TokenStream>,
    args: usize,
    /// The types of the literals that it is given.
    literals: Vec<TypeId>,
}

/// Types that may tell each other.
struct Group {
    /// The types of literals that are not found out.
    types: Vec<TypeId>,
    /// The first of these literals.
    place: Place,
    /// Whether something that may tell the types is left out in any case.
    is_left_out: bool,
    /// Whether floats share one of the types, of which rustc may see nothing.
    is_shared_by_floats: bool,
    /// What is left to rustc that depends on the types.
    left: Left,
    functions: Vec<Called>,
}

/// What is to be done about open types.
pub enum Untold {
    /// The type of this literal has to be written.
    Literal(Place),
    /// This function with that many arguments must not be generic.
    Function(TokenStream, usize),
}

impl OpenTypes {
    /// Notes that an expression has been lowered; `is_written` says that it is in the generated code as it is.
    pub fn reach(&mut self, expression: &Expr, is_written: bool) {
        if !self.are_some() {
            return;
        }
        let key = Rc::as_ptr(&expression.kind);
        self.written.extend(self.literals.remove(&key));
        let Some(teller) = self.left.remove(&key) else { return };
        let left = &mut self.groups[teller.group].left;
        let has_integers = teller.meaning.is_some() && teller.has_integers;
        match &*expression.kind {
            ExprKind::Method(_) | ExprKind::Macro(_) | ExprKind::Struct(_) | ExprKind::Other(..) if has_integers => {
                left.of_integers = true;
            }
            _ => left.of_integers |= is_written,
        }
        left.of_floats |= teller.meaning == Some(Meaning::Conversion);
        if let (ExprKind::Call(function, _), Some(Meaning::Other), false) =
            (&*expression.kind, teller.meaning, is_written)
        {
            let is_vector = matches!(&*function.kind, ExprKind::Path(path) if makes_vector(path));
            self.calls.extend((!is_vector).then_some((key, teller)));
        }
    }

    /// What a call may tell that has been lowered.
    pub fn of_call(&mut self, call: &Expr) -> Option<Teller> {
        self.calls.remove(&Rc::as_ptr(&call.kind))
    }

    /// Notes that a function is called where types are open; it is none where it surely is not generic.
    pub fn called(&mut self, teller: Teller, function: Option<TokenStream>, args: usize) {
        let Teller { group, literals, .. } = teller;
        self.groups[group].functions.push(Called { function, args, literals });
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

    /// What is to be done about types that are left to rustc although code that may tell them is left out.
    pub fn untold(&self, types: &mut TypeTable) -> Vec<Untold> {
        let mut has_left = vec![false; self.groups.len()];
        for teller in self.left.values() {
            has_left[teller.group] = true;
        }
        let (needed, written) = (firsts(&self.needed, types), firsts(&self.written, types));
        let mut untold = Vec::new();
        for (group, has_left) in self.groups.iter().zip(has_left) {
            let is_left_out = has_left || group.is_left_out || group.is_shared_by_floats && group.left.of_floats;
            if !is_left_out {
                continue;
            }
            // What a function is given that is not generic has the type of its parameter.
            let mut given = Vec::new();
            for called in &group.functions {
                given.extend_from_slice(&called.literals);
            }
            let given = firsts(&given, types);
            let is_untold = group.types.iter().any(|ty| {
                let is_of_floats = types.get(*ty).is_float();
                let is_left = if is_of_floats { group.left.of_floats } else { group.left.of_integers };
                let own = types.first(*ty);
                let is_given = given.contains(&own) && !(is_of_floats && group.is_shared_by_floats);
                let is_open = types.get(own).only().is_none() && written.contains(&own);
                is_open && (is_left || needed.contains(&own)) && !is_given
            });
            if is_untold {
                untold.push(Untold::Literal(group.place));
                continue;
            }
            for Called { function, args, literals } in &group.functions {
                let function = function.as_ref().filter(|_| !literals.is_empty());
                untold.extend(function.map(|function| Untold::Function(function.clone(), *args)));
            }
        }
        untold
    }

    /// Finds the open types of a function: those of its `literals`, what `opaque` code says of them, and the variables
    /// that are mentioned.
    pub fn add(
        &mut self,
        literals: Vec<Literal>,
        opaque: &[Opaque],
        variables: &[(Key, Term)],
        terms: &mut Terms,
        types: &mut TypeTable,
    ) {
        let mut open: HashMap<TypeId, Place> = HashMap::new();
        for literal in &literals {
            if types.get(literal.ty).only().is_none() {
                open.entry(types.first(literal.ty)).or_insert(literal.place);
            }
        }
        if open.is_empty() {
            return;
        }
        for Literal { key, ty, is_constant, .. } in literals {
            match is_constant {
                true => self.written.push(ty),
                false => drop(self.literals.insert(key, ty)),
            }
        }
        let mut links = Links { next: vec![None; terms.all().len()], given: HashSet::new() };
        for Opaque { terms: linked, meaning, .. } in opaque {
            let (Some(first), Some(last)) = (linked.first(), linked.last()) else { continue };
            let is_given = match meaning {
                Meaning::Declared => true,
                Meaning::Part => links.given.contains(&terms.root(*first).0),
                Meaning::Type | Meaning::Conversion | Meaning::Other => false,
            };
            if is_given {
                links.given.insert(terms.root(*last).0);
            }
        }
        for opaque in opaque {
            links.link(&opaque.terms, terms, types);
        }
        let before = self.groups.len();
        let mut groups: Vec<Option<usize>> = vec![None; links.next.len()];
        for term in terms.all() {
            if links.next[term.index()].is_none() {
                continue;
            }
            let TypeForm::Int(ty) = terms.kind(term) else { continue };
            let Some(place) = open.remove(&types.first(ty)) else { continue };
            let group = *groups[links.first(term).index()].get_or_insert_with(|| {
                self.groups.push(Group {
                    types: Vec::new(),
                    place,
                    is_left_out: false,
                    is_shared_by_floats: false,
                    left: Left::default(),
                    functions: Vec::new(),
                });
                self.groups.len() - 1
            });
            self.groups[group].types.push(ty);
        }
        if self.groups.len() == before {
            return;
        }
        let shared_by_floats = std::mem::take(&mut terms.shared_by_floats);
        let mut teller = |told: &[Term], meaning: Option<Meaning>| {
            let parts = links.parts(told, terms, types);
            let group = parts.iter().find_map(|part| groups[links.first(*part).index()])?;
            let (mut literals, mut has_integers) = (Vec::new(), false);
            for part in parts {
                let TypeForm::Int(ty) = terms.kind(part) else { continue };
                if types.get(ty).only().is_none() {
                    literals.push(ty);
                    has_integers |= !types.get(ty).is_float();
                }
            }
            Some(Teller { group, meaning, literals, has_integers })
        };
        for Opaque { place, terms: told, meaning } in opaque {
            let Some(teller) = teller(told, Some(*meaning)) else { continue };
            match place {
                Stands::In(expression) => drop(self.left.insert(*expression, teller)),
                Stands::Never => self.groups[teller.group].is_left_out = true,
                Stands::Always => {}
            }
        }
        for float in shared_by_floats {
            if let Some(Teller { group, .. }) = teller(&[float], None) {
                self.groups[group].is_shared_by_floats = true;
            }
        }
        for (expression, term) in variables {
            if let Some(teller) = teller(&[*term], None) {
                self.left.entry(*expression).or_insert(teller);
            }
        }
    }
}

/// What stands for each of these types, whatever it has been unified with.
fn firsts(of: &[TypeId], types: &mut TypeTable) -> HashSet<TypeId> {
    let mut firsts = HashSet::new();
    for ty in of {
        firsts.insert(types.first(*ty));
    }
    firsts
}

/// Types that may tell each other.
struct Links {
    /// By type: each that may leads to another, and one of all to itself.
    next: Vec<Option<Term>>,
    /// The types that nothing can tell more of.
    given: HashSet<Term>,
}

impl Links {
    fn link(&mut self, linked: &[Term], terms: &mut Terms, types: &mut TypeTable) {
        let parts = self.parts(linked, terms, types);
        for part in &parts {
            let (one, other) = (self.first(parts[0]), self.first(*part));
            self.next[one.index()] = Some(other);
            self.next[other.index()] = Some(other);
        }
    }

    fn first(&mut self, mut term: Term) -> Term {
        while let Some(next) = self.next[term.index()].filter(|next| *next != term) {
            // The way is halved for those who come after.
            let further = self.next[next.index()].unwrap_or(next);
            self.next[term.index()] = Some(further);
            term = further;
        }
        term
    }

    /// The types in these that may be told, and that tell something which is not taken for granted anyway.
    fn parts(&self, of: &[Term], terms: &mut Terms, types: &mut TypeTable) -> Vec<Term> {
        let mut parts = Vec::new();
        for term in of {
            self.add_parts(*term, &mut parts, terms, types);
        }
        parts
    }

    fn add_parts(&self, term: Term, parts: &mut Vec<Term>, terms: &mut Terms, types: &mut TypeTable) {
        let (mut rest, mut seen) = (vec![term], HashSet::new());
        while let Some(term) = rest.pop() {
            let (root, kind) = terms.root(term);
            if !seen.insert(root) {
                continue;
            }
            match kind {
                TypeForm::Unknown if !self.given.contains(&root) => parts.push(root),
                TypeForm::Int(ty) => match types.get(ty).only() {
                    Some(ty) if self.given.contains(&root) || !ty.tells_more() => {}
                    _ => parts.push(root),
                },
                TypeForm::Unknown | TypeForm::Other | TypeForm::Vector | TypeForm::Struct(_) => {}
                TypeForm::Array(inner) | TypeForm::Items(inner) => rest.push(inner),
                TypeForm::Tuple(inner) => rest.extend(inner),
                TypeForm::Function(parameters, result) => {
                    rest.extend(parameters);
                    rest.push(result);
                }
            }
        }
    }
}
