//! Products of two factors that several monomials have in common: `a b x` and `a b y` have `a b`. The product is made
//! that most have, again and again (Breuer 1969).

use std::collections::HashMap;

use super::sums::{Atom, MonomialId, Sums, each_pair, merged, without};

/// Makes products, as long as several monomials have one in common, or one that is there.
pub(super) fn share(sums: &mut Sums<'_, '_>) {
    while round(sums) {}
}

/// Makes the products that most monomials have, half as many as the first one at least. Returns whether there is one.
fn round(sums: &mut Sums<'_, '_>) -> bool {
    let mut is_used = vec![false; sums.monomials.len()];
    for sum in sums.sums.iter().filter(|sum| !sum.is_given) {
        sum.terms.iter().for_each(|(_, monomial)| is_used[*monomial] = true);
    }
    let mut readers: HashMap<[Atom; 2], Vec<MonomialId>> = HashMap::new();
    for monomial in (0..is_used.len()).filter(|&monomial| is_used[monomial]) {
        each_pair(&sums.monomials[monomial], |pair| readers.entry(pair).or_default().push(monomial));
    }
    // The monomials that have no product of their own.
    let saving = |pair: &[Atom; 2], readers: usize| readers + usize::from(sums.has_product(*pair)) - 1;
    let mut found: Vec<_> =
        readers.into_iter().map(|(pair, readers)| (saving(&pair, readers.len()), pair, readers)).collect();
    found.retain(|(saving, ..)| *saving > 0);
    found.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    let best = found.first().map_or(0, |first| first.0);
    let mut replaced: HashMap<MonomialId, MonomialId> = HashMap::new();
    for (_, pair, readers) in found.iter().take_while(|(saving, ..)| 2 * saving >= best) {
        let readers: Vec<_> = readers.iter().filter(|monomial| !replaced.contains_key(monomial)).collect();
        if readers.len() + usize::from(sums.has_product(*pair)) < 2 {
            continue;
        }
        let product = sums.make_product(*pair);
        for &monomial in readers {
            let factors = merged(&without(&sums.monomials[monomial], pair), &[product]);
            replaced.insert(monomial, sums.monomial(&factors));
        }
    }
    for (_, monomial) in sums.sums.iter_mut().filter(|sum| !sum.is_given).flat_map(|sum| &mut sum.terms) {
        if let Some(&by) = replaced.get(monomial) {
            *monomial = by;
        }
    }
    !replaced.is_empty()
}
