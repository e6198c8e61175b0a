//! Nodes as sums of monomials, in which factors are found: every sum and every product that is wanted, with the products
//! in its terms multiplied out.

use std::collections::HashMap;
use std::rc::Rc;

use super::nodes::{Form, Multiple, NodeId, Nodes};

/// What monomials are products of: a node, or what has been made of these, which has a number after all nodes.
pub(super) type Atom = usize;

/// The number of a monomial.
pub(super) type MonomialId = usize;

/// A product with more factors is an atom, so that none takes a time quadratic in its length.
const MAX_FACTORS: usize = 8;

/// A sum of monomials with numbers as factors, or a product: a sum of one.
pub(super) struct Sum {
    pub(super) atom: Atom,
    pub(super) terms: Vec<(f64, MonomialId)>,
    /// Whether it is computed whatever becomes of it, as it is.
    pub(super) is_given: bool,
}

/// Sums, and what has been made of their terms.
pub(super) struct Sums<'n, 'a> {
    nodes: &'n Nodes<'a>,
    /// The number of atoms.
    count: usize,
    /// By number: the factors, in order.
    pub(super) monomials: Vec<Rc<[Atom]>>,
    ids: HashMap<Rc<[Atom]>, MonomialId>,
    pub(super) sums: Vec<Sum>,
    /// The products of two atoms that are computed whatever becomes of them, and those that have been made.
    pub(super) products: HashMap<[Atom; 2], Atom>,
    /// Those that have been made, in order.
    made: Vec<(Atom, [Atom; 2])>,
}

impl<'n, 'a> Sums<'n, 'a> {
    /// The sums that these multiples are computed from, of the nodes in this order.
    pub(super) fn of(nodes: &'n Nodes<'a>, order: &[NodeId], roots: &[Multiple]) -> Self {
        let mut sums = Sums {
            nodes,
            count: nodes.nodes.len(),
            monomials: Vec::new(),
            ids: HashMap::new(),
            sums: Vec::new(),
            products: HashMap::new(),
            made: Vec::new(),
        };
        let mut is_wanted = vec![false; nodes.nodes.len()];
        roots.iter().for_each(|root| is_wanted[root.node] = true);
        for &node in order {
            if let Form::Quotient(of, by) = nodes.nodes[node].form {
                is_wanted[of] = true;
                is_wanted[by.node] = true;
            }
        }
        // By node: the factors of a product.
        let mut factors: Vec<Option<Rc<[Atom]>>> = vec![None; nodes.nodes.len()];
        for &node in order {
            let is_given = nodes.nodes[node].is_given();
            match &nodes.nodes[node].form {
                Form::Product(of) if is_given => drop(sums.products.insert(in_order(*of), node)),
                Form::Product(of) => {
                    let of = of.map(|factor| factors[factor].clone().unwrap_or_else(|| [factor].into()));
                    let all = merged(&of[0], &of[1]);
                    if is_wanted[node] || all.len() > MAX_FACTORS {
                        let terms = vec![(1.0, sums.monomial(&all))];
                        sums.sums.push(Sum { atom: node, terms, is_given });
                    }
                    factors[node] = (all.len() <= MAX_FACTORS).then(|| all.into());
                }
                Form::Sum(terms) if !is_given || terms.len() == 2 => {
                    let mut of_term = |term: &Multiple| match &factors[term.node] {
                        Some(factors) if !is_given => (term.factor, sums.monomial(factors)),
                        _ => (term.factor, sums.monomial(&[term.node])),
                    };
                    let terms = terms.iter().map(&mut of_term).collect();
                    sums.sums.push(Sum { atom: node, terms, is_given });
                }
                _ => {}
            }
        }
        sums
    }

    /// The number of pairs of terms.
    pub(super) fn pairs(&self) -> usize {
        self.sums.iter().map(|sum| sum.terms.len() * (sum.terms.len() - 1) / 2).sum()
    }

    /// The number of the monomial with these factors, in order.
    pub(super) fn monomial(&mut self, factors: &[Atom]) -> MonomialId {
        if let Some(&id) = self.ids.get(factors) {
            return id;
        }
        let (id, factors): (_, Rc<[Atom]>) = (self.monomials.len(), factors.into());
        self.monomials.push(Rc::clone(&factors));
        self.ids.insert(factors, id);
        id
    }

    /// Makes a sum.
    pub(super) fn make_sum(&mut self, terms: Vec<(f64, MonomialId)>) -> Atom {
        let atom = self.count;
        self.count += 1;
        self.sums.push(Sum { atom, terms, is_given: false });
        atom
    }

    /// The product of two atoms, which is made if it is not there.
    pub(super) fn make_product(&mut self, of: [Atom; 2]) -> Atom {
        if let Some(&known) = self.products.get(&of) {
            return known;
        }
        let atom = self.count;
        self.count += 1;
        self.products.insert(of, atom);
        self.made.push((atom, of));
        atom
    }

    /// Whether the product of two atoms is there.
    pub(super) fn has_product(&self, of: [Atom; 2]) -> bool {
        self.products.contains_key(&of)
    }

    /// The sums as nodes; none where some factor would be rounded, or some sum is zero.
    pub(super) fn into_nodes(self, roots: &[Multiple]) -> Option<Nodes<'a>> {
        let old = self.nodes;
        let mut definitions: Vec<Option<Definition<'_>>> = vec![None; self.count];
        for sum in self.sums.iter().filter(|sum| !sum.is_given) {
            definitions[sum.atom] = Some(Definition::Sum(&sum.terms));
        }
        for (atom, of) in &self.made {
            definitions[*atom] = Some(Definition::Product(*of));
        }
        let mut nodes = old.emptied();
        let mut known: Vec<Option<Multiple>> = vec![None; self.count];
        for (id, node) in old.nodes.iter().enumerate().filter(|(_, node)| node.is_given()) {
            let factors = match node.form {
                Form::Product([left, right]) => {
                    known[left].zip(known[right]).map(|(left, right)| [left.node, right.node])
                }
                _ => None,
            };
            known[id] = Some(nodes.copy(node, factors));
        }
        for (id, node) in old.nodes.iter().enumerate() {
            if let Form::Quotient(of, by) = node.form
                && !node.is_given()
            {
                definitions[id] = Some(Definition::Quotient(of, by));
            }
        }
        // Depth first, without recursion.
        let mut open: Vec<Atom> = roots.iter().rev().map(|root| root.node).collect();
        while let Some(&atom) = open.last() {
            let Some(definition) = definitions[atom].as_ref().filter(|_| known[atom].is_none()) else {
                open.pop();
                continue;
            };
            let before = open.len();
            self.each_operand(definition, |operand| {
                if known[operand].is_none() {
                    open.push(operand);
                }
            });
            if open.len() > before {
                continue;
            }
            open.pop();
            let value = self.define(&mut nodes, definition, &known)?;
            if let Some(node) = old.nodes.get(atom) {
                nodes.place(value.node, node);
            }
            known[atom] = Some(value);
        }
        nodes.place_operands();
        let values = old.values.iter().map(|value| known[value.node].map(|of| of.times(value.factor)));
        nodes.values = values.map(Option::unwrap_or_default).collect();
        Some(nodes)
    }

    fn each_operand(&self, definition: &Definition<'_>, mut operand: impl FnMut(Atom)) {
        match definition {
            Definition::Sum(terms) => {
                terms.iter().flat_map(|(_, monomial)| self.monomials[*monomial].iter()).for_each(|&atom| operand(atom));
            }
            Definition::Product(of) => of.iter().for_each(|&atom| operand(atom)),
            Definition::Quotient(of, by) => [*of, by.node].into_iter().for_each(operand),
        }
    }

    /// Adds a node whose operands are there.
    fn define(
        &self,
        nodes: &mut Nodes<'a>,
        definition: &Definition<'_>,
        known: &[Option<Multiple>],
    ) -> Option<Multiple> {
        let product = |nodes: &mut Nodes<'a>, of: &[Atom]| {
            let mut factors = of.iter().map(|&factor| known[factor]);
            let first = factors.next().unwrap_or(Some(nodes.one()))?;
            factors.try_fold(first, |product, factor| nodes.product(product, factor?, nodes.end()))
        };
        match definition {
            Definition::Product(of) => product(nodes, of),
            Definition::Quotient(of, by) => nodes.quotient(known[*of]?, known[by.node]?.times(by.factor), nodes.end()),
            Definition::Sum(terms) => {
                let mut multiples = Vec::with_capacity(terms.len());
                for (factor, monomial) in *terms {
                    multiples.push(product(nodes, &self.monomials[*monomial])?.times(*factor));
                }
                nodes.sum_of(multiples, nodes.end())
            }
        }
    }
}

/// How an atom is computed.
#[derive(Clone)]
enum Definition<'s> {
    Sum(&'s [(f64, MonomialId)]),
    Product([Atom; 2]),
    Quotient(Atom, Multiple),
}

/// The key of a product of two.
pub(super) fn in_order([one, other]: [Atom; 2]) -> [Atom; 2] {
    [one.min(other), one.max(other)]
}

/// The product of two monomials.
pub(super) fn merged(one: &[Atom], other: &[Atom]) -> Vec<Atom> {
    let mut all = [one, other].concat();
    all.sort_unstable();
    all
}

/// The factors that two monomials have in common.
pub(super) fn common(one: &[Atom], other: &[Atom]) -> Vec<Atom> {
    let mut other = other.iter().peekable();
    let mut is_common = |atom: &&Atom| {
        while other.next_if(|next| next < atom).is_some() {}
        other.next_if_eq(atom).is_some()
    };
    one.iter().filter(|atom| is_common(atom)).copied().collect()
}

/// A monomial without some of its factors.
pub(super) fn without(all: &[Atom], part: &[Atom]) -> Vec<Atom> {
    let mut part = part.iter().peekable();
    all.iter().filter(|atom| part.next_if_eq(atom).is_none()).copied().collect()
}

/// Calls `look` for every product of two factors of a monomial, each once.
pub(super) fn each_pair(factors: &[Atom], mut look: impl FnMut([Atom; 2])) {
    let is_new = |place: usize, from: usize| place == from || factors[place] != factors[place - 1];
    for one in (0..factors.len()).filter(|&one| is_new(one, 0)) {
        for other in (one + 1..factors.len()).filter(|&other| is_new(other, one + 1)) {
            look([factors[one], factors[other]]);
        }
    }
}
