//! Sums that are multiplied out where that completes others: where `v = b c + d e` and `s = a v + c w + e x`, and there
//! are `p = w + a b` and `q = x + a d`, then `s` is `c p + e q`.
//!
//! A Hessian `Jᵀ H J` has such sums where several values lie between the columns and the result. Their pairs of vertices
//! are eliminated one after the other, so that what is `H J` in the end is complete for the last one only. Where the rows
//! of `H J` are entries themselves, they are completed nevertheless, and `Jᵀ` can be multiplied with them: as `H` is
//! symmetric, what one of the values adds to an entry can be counted with the others.

use std::collections::HashMap;

use super::sums::{Atom, MonomialId, Sums, merged, without};

/// Multiplies sums out, as long as that completes others.
pub(super) fn exchange(sums: &mut Sums<'_, '_>) {
    let known = Known::of(sums);
    for sum in 0..sums.sums.len() {
        // Those of two terms are what others are completed to.
        while !sums.sums[sum].is_given
            && sums.sums[sum].terms.len() > 2
            && let Some(terms) = known.exchanged(sums, sum)
        {
            sums.sums[sum].terms = terms;
        }
    }
}

/// A number times a product of atoms.
type Product = (f64, Vec<Atom>);

/// An atom and another term.
struct Completion {
    sum: Atom,
    /// What the atom is multiplied by.
    factor: f64,
    other: Product,
}

/// What is known of sums.
struct Known {
    of_atom: HashMap<Atom, usize>,
    /// By atom: the sums of it and of another term.
    completions: HashMap<Atom, Vec<Completion>>,
}

impl Known {
    fn of(sums: &Sums<'_, '_>) -> Self {
        let of_atom = sums.sums.iter().enumerate().map(|(index, sum)| (sum.atom, index)).collect();
        let mut completions: HashMap<Atom, Vec<Completion>> = HashMap::new();
        for sum in &sums.sums {
            let [one, other] = sum.terms[..] else { continue };
            for [(factor, monomial), other] in [[one, other], [other, one]] {
                if let [atom] = *sums.monomials[monomial] {
                    let other = (other.0, sums.monomials[other.1].to_vec());
                    completions.entry(atom).or_default().push(Completion { sum: sum.atom, factor, other });
                }
            }
        }
        Known { of_atom, completions }
    }

    /// The terms of a sum of which one has been multiplied out.
    fn exchanged(&self, sums: &mut Sums<'_, '_>, sum: usize) -> Option<Vec<(f64, MonomialId)>> {
        let terms = sums.sums[sum].terms.clone();
        for &(factor, term) in &terms {
            let factors = sums.monomials[term].clone();
            for inner in factors.iter().filter_map(|atom| self.of_atom.get(atom)) {
                let inner = &sums.sums[*inner];
                let others = without(&factors, &[inner.atom]);
                let part =
                    |&(own, monomial): &(f64, MonomialId)| (factor * own, merged(&others, &sums.monomials[monomial]));
                let parts = inner.terms.iter().map(part).collect();
                let rest = terms.iter().copied().filter(|(_, other)| *other != term).collect();
                if let Some(completed) = self.with_all(sums, rest, parts) {
                    return Some(completed);
                }
            }
        }
        None
    }

    /// Terms that have taken in all of these parts, each at most one.
    fn with_all(
        &self,
        sums: &mut Sums<'_, '_>,
        terms: Vec<(f64, MonomialId)>,
        mut parts: Vec<Product>,
    ) -> Option<Vec<(f64, MonomialId)>> {
        let mut all: Vec<(f64, MonomialId)> = Vec::with_capacity(terms.len());
        for (mut factor, mut term) in terms {
            if let Some((part, (scale, completed))) = self.completed(sums, (factor, term), &parts) {
                parts.swap_remove(part);
                (factor, term) = (scale, sums.monomial(&completed));
            }
            match all.iter_mut().find(|(_, other)| *other == term) {
                Some(like) => like.0 += factor,
                None => all.push((factor, term)),
            }
        }
        all.retain(|(factor, _)| *factor != 0.0);
        parts.is_empty().then_some(all)
    }

    /// Which of these parts a term can take in, and what it is with it.
    fn completed(
        &self,
        sums: &Sums<'_, '_>,
        (factor, term): (f64, MonomialId),
        parts: &[Product],
    ) -> Option<(usize, Product)> {
        let factors = &sums.monomials[term];
        for atom in factors.iter().filter(|_| factors.len() > 1) {
            let others = without(factors, &[*atom]);
            for Completion { sum, factor: own, other } in self.completions.get(atom).into_iter().flatten() {
                let scale = factor / own;
                let added = (scale * other.0, merged(&others, &other.1));
                if let Some(part) = parts.iter().position(|part| *part == added) {
                    return Some((part, (scale, merged(&others, &[*sum]))));
                }
            }
        }
        None
    }
}
