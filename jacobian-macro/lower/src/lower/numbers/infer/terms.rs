//! Types as far as integers are in them, and their unification.

use std::rc::Rc;

use super::super::super::super::read::shape::Struct;
use super::super::integer::{TypeId, TypeTable};

/// A type, of which more may become known.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(usize);

impl Term {
    /// Its number, by which types are counted from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

/// What is known of a type.
#[derive(Clone)]
pub enum TypeForm {
    /// Nothing.
    Unknown,
    /// An integer.
    Int(TypeId),
    /// Neither an integer nor made of other types: a float, a truth value.
    Other,
    /// A vector or a matrix of nalgebra.
    Vector,
    /// An array or a slice.
    Array(Term),
    /// A tuple.
    Tuple(Vec<Term>),
    /// A struct of the module. Its definition says what its fields are.
    Struct(Rc<Struct>),
    /// An iterator, a range or an `Option`, with the type of its items.
    Items(Term),
    /// A function or a closure: its parameters, and what it returns.
    Function(Vec<Term>, Term),
}

/// Types that have been unified.
#[derive(Default)]
pub struct Terms {
    entries: Vec<Entry>,
    /// The types that two floats share. Integers of one type are tied to each other where they are written, floats are
    /// not: rustc may not see that these are one.
    pub shared_by_floats: Vec<Term>,
}

enum Entry {
    One(TypeForm),
    Same(Term),
}

impl Terms {
    pub fn add(&mut self, kind: TypeForm) -> Term {
        self.entries.push(Entry::One(kind));
        Term(self.entries.len() - 1)
    }

    /// All types.
    pub fn all(&self) -> impl ExactSizeIterator<Item = Term> + use<> {
        (0..self.entries.len()).map(Term)
    }

    pub fn unknown(&mut self) -> Term {
        self.add(TypeForm::Unknown)
    }

    pub fn unit(&mut self) -> Term {
        self.add(TypeForm::Tuple(Vec::new()))
    }

    /// What is known of a type.
    pub fn kind(&mut self, term: Term) -> TypeForm {
        self.root(term).1
    }

    /// The type that stands for all that are the same, and what is known of it.
    pub fn root(&mut self, mut term: Term) -> (Term, TypeForm) {
        loop {
            match &self.entries[term.0] {
                Entry::One(kind) => return (term, kind.clone()),
                Entry::Same(other) => {
                    // The way is halved for those who come after.
                    let other = *other;
                    if let Entry::Same(further) = self.entries[other.0] {
                        self.entries[term.0] = Entry::Same(further);
                    }
                    term = other;
                }
            }
        }
    }

    /// Says that two types are the same. Where they cannot be, the compiler reports it, or a coercion is between them
    /// that is not known here: that says nothing.
    pub fn unify(&mut self, left: Term, right: Term, types: &mut TypeTable) {
        let mut pairs = vec![(left, right)];
        while let Some((left, right)) = pairs.pop() {
            let ((left, left_kind), (right, right_kind)) = (self.root(left), self.root(right));
            if left == right {
                continue;
            }
            // Types that are made of themselves come to an end here, for every step makes one of two.
            match (left_kind, right_kind) {
                (TypeForm::Unknown, _) => self.entries[left.0] = Entry::Same(right),
                (_, TypeForm::Unknown) => self.entries[right.0] = Entry::Same(left),
                (TypeForm::Int(one), TypeForm::Int(other)) if types.unify(one, other).is_some() => {
                    if types.get(one).is_float() {
                        self.shared_by_floats.push(left);
                    }
                    self.entries[right.0] = Entry::Same(left);
                }
                (TypeForm::Array(one), TypeForm::Array(other)) | (TypeForm::Items(one), TypeForm::Items(other)) => {
                    self.entries[right.0] = Entry::Same(left);
                    pairs.push((one, other));
                }
                (TypeForm::Tuple(one), TypeForm::Tuple(other)) if one.len() == other.len() => {
                    self.entries[right.0] = Entry::Same(left);
                    pairs.extend(one.into_iter().zip(other));
                }
                (TypeForm::Function(one, result), TypeForm::Function(other, other_result))
                    if one.len() == other.len() =>
                {
                    self.entries[right.0] = Entry::Same(left);
                    pairs.extend(one.into_iter().zip(other));
                    pairs.push((result, other_result));
                }
                _ => {}
            }
        }
    }
}
