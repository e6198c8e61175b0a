//! Sums of two terms that several sums have in common, but for a factor: `a x + a y` is `a (x + y)`, and where `x + y` is
//! there, `a b x + a b y + z` is `a b (x + y) + z`. Of all sums of two terms, the one is taken out that saves the most
//! operations, again and again.
//!
//! This is the extraction of double-cube divisors of logic synthesis (Rajski and Vasudevamurthy 1992), which Hosangadi,
//! Fallah and Kastner (2006) apply to polynomials. What the products of a monomial cost is estimated: one that many
//! monomials have is shared by them.

use std::collections::HashMap;

use super::nodes::common_divisor;
use super::sums::{Atom, MonomialId, Sum, Sums, common, each_pair, merged, without};

/// What is taken out saves more than this: less may be an error of the estimates.
const LEAST: f64 = 0.6;

/// What is taken out in one round saves at least this part of what the first one does.
const PART: f64 = 0.7;

/// Takes out sums of two terms, as long as that saves operations.
pub(super) fn factor(sums: &mut Sums<'_, '_>) {
    let mut factoring = Factoring { sums, divisors: HashMap::new(), of_sum: Vec::new(), costs: Costs::default() };
    for sum in 0..factoring.sums.sums.len() {
        factoring.enter(sum);
    }
    while factoring.round() {}
}

/// A sum of two terms without common factors.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Divisor {
    monomials: [MonomialId; 2],
    /// The bits of the numbers that they are multiplied by.
    factors: [u64; 2],
}

/// Where a sum has two terms that are a multiple of a divisor.
#[derive(Copy, Clone)]
struct Occurrence {
    sum: usize,
    terms: [MonomialId; 2],
    /// What the divisor is multiplied by.
    base: MonomialId,
    factor: f64,
}

struct Factoring<'s, 'n, 'a> {
    sums: &'s mut Sums<'n, 'a>,
    divisors: HashMap<Divisor, Vec<Occurrence>>,
    /// By sum: its divisors.
    of_sum: Vec<Vec<Divisor>>,
    costs: Costs,
}

impl Factoring<'_, '_, '_> {
    /// Enters a sum, with its divisors.
    fn enter(&mut self, sum: usize) {
        let terms = self.sums.sums[sum].terms.clone();
        if !self.sums.sums[sum].is_given {
            terms.iter().for_each(|(_, monomial)| self.costs.enter(self.sums, *monomial));
        }
        let mut divisors = Vec::new();
        for (place, &one) in terms.iter().enumerate() {
            for &other in &terms[place + 1..] {
                let Some((divisor, base, factor)) = self.divisor(one, other) else { continue };
                let occurrence = Occurrence { sum, terms: [one.1, other.1], base, factor };
                self.divisors.entry(divisor).or_default().push(occurrence);
                divisors.push(divisor);
            }
        }
        if self.of_sum.len() <= sum {
            self.of_sum.resize(sum + 1, Vec::new());
        }
        self.of_sum[sum] = divisors;
    }

    /// Forgets a sum, before it is changed.
    fn leave(&mut self, sum: usize) {
        for divisor in std::mem::take(&mut self.of_sum[sum]) {
            if let Some(occurrences) = self.divisors.get_mut(&divisor) {
                occurrences.retain(|occurrence| occurrence.sum != sum);
                if occurrences.is_empty() {
                    self.divisors.remove(&divisor);
                }
            }
        }
        for (_, monomial) in &self.sums.sums[sum].terms {
            self.costs.leave(self.sums, *monomial);
        }
    }

    /// The divisor of two terms, and the monomial and the number that it is multiplied by.
    fn divisor(&mut self, one: (f64, MonomialId), other: (f64, MonomialId)) -> Option<(Divisor, MonomialId, f64)> {
        let [first, second] = [one, other].map(|(_, monomial)| self.sums.monomials[monomial].clone());
        let base = common(&first, &second);
        let rests = [first, second].map(|monomial| without(&monomial, &base));
        let monomials = [self.sums.monomial(&rests[0]), self.sums.monomial(&rests[1])];
        let mut terms = [(monomials[0], one.0), (monomials[1], other.0)];
        terms.sort_unstable_by_key(|(monomial, _)| *monomial);
        let factor = common_divisor(terms.iter().map(|(_, factor)| *factor))?;
        let divisor = Divisor {
            monomials: terms.map(|(monomial, _)| monomial),
            factors: terms.map(|(_, of)| (of / factor).to_bits()),
        };
        Some((divisor, self.sums.monomial(&base), factor))
    }

    /// Takes out the best divisors that are in different sums. Returns whether there is one.
    fn round(&mut self) -> bool {
        self.costs.forget();
        let mut found: Vec<(f64, Divisor, Vec<Occurrence>)> = Vec::new();
        for (divisor, occurrences) in &self.divisors {
            let is_new = |occurrence: &Occurrence| !self.sums.monomials[occurrence.base].is_empty();
            if occurrences.len() == 1 && !is_new(&occurrences[0]) {
                continue;
            }
            let occurrences = self.disjoint(occurrences);
            let saving = self.costs.saving(self.sums, divisor, &occurrences);
            if saving > LEAST {
                found.push((saving, *divisor, occurrences));
            }
        }
        found.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let best = found.first().map_or(0.0, |first| first.0);
        let mut is_changed = vec![false; self.sums.sums.len()];
        for (saving, divisor, occurrences) in &found {
            if *saving >= PART * best && !occurrences.iter().any(|occurrence| is_changed[occurrence.sum]) {
                occurrences.iter().for_each(|occurrence| is_changed[occurrence.sum] = true);
                self.take_out(divisor, occurrences);
            }
        }
        !found.is_empty()
    }

    /// Of occurrences, those that have no term in common: first the sum that is the divisor itself, if there is one.
    fn disjoint(&self, occurrences: &[Occurrence]) -> Vec<Occurrence> {
        let mut chosen: Vec<Occurrence> = Vec::with_capacity(occurrences.len());
        let definition = occurrences.iter().filter(|occurrence| occurrence.is_all(self.sums));
        chosen.extend(definition.max_by_key(|occurrence| self.sums.sums[occurrence.sum].is_given));
        for occurrence in occurrences.iter().filter(|occurrence| !self.sums.sums[occurrence.sum].is_given) {
            let meets = |other: &Occurrence| {
                other.sum == occurrence.sum && other.terms.iter().any(|term| occurrence.terms.contains(term))
            };
            if !chosen.iter().any(meets) {
                chosen.push(*occurrence);
            }
        }
        chosen
    }

    fn take_out(&mut self, divisor: &Divisor, occurrences: &[Occurrence]) {
        let (atom, sign, rest) = match occurrences {
            [first, rest @ ..] if first.is_all(self.sums) => (self.sums.sums[first.sum].atom, first.factor, rest),
            all => {
                let terms = [0, 1].map(|term| (f64::from_bits(divisor.factors[term]), divisor.monomials[term]));
                let atom = self.sums.make_sum(terms.to_vec());
                self.enter(self.sums.sums.len() - 1);
                (atom, 1.0, all)
            }
        };
        for occurrence in rest {
            self.leave(occurrence.sum);
            let monomial = merged(&self.sums.monomials[occurrence.base], &[atom]);
            let monomial = self.sums.monomial(&monomial);
            let (terms, factor) = (&mut self.sums.sums[occurrence.sum].terms, occurrence.factor * sign);
            terms.retain(|(_, term)| !occurrence.terms.contains(term));
            match terms.iter_mut().find(|(_, term)| *term == monomial) {
                Some(like) => like.0 += factor,
                None => terms.push((factor, monomial)),
            }
            terms.retain(|(factor, _)| *factor != 0.0);
            self.enter(occurrence.sum);
        }
    }
}

impl Occurrence {
    /// Whether the sum is the divisor, or minus the divisor.
    fn is_all(&self, sums: &Sums<'_, '_>) -> bool {
        let Sum { terms, .. } = &sums.sums[self.sum];
        terms.len() == 2 && sums.monomials[self.base].is_empty() && self.factor.abs() == 1.0
    }
}

/// What products are estimated to cost.
#[derive(Default)]
struct Costs {
    /// By monomial: how many terms it is.
    uses: Vec<u32>,
    /// By pair of factors: how many terms have it.
    pairs: HashMap<[Atom; 2], u32>,
    /// By monomial: what it costs, if that has been asked for.
    known: Vec<Option<f64>>,
}

impl Costs {
    fn enter(&mut self, sums: &Sums<'_, '_>, monomial: MonomialId) {
        if self.uses.len() <= monomial {
            self.uses.resize(monomial + 1, 0);
        }
        self.uses[monomial] += 1;
        each_pair(&sums.monomials[monomial], |pair| *self.pairs.entry(pair).or_insert(0) += 1);
    }

    fn leave(&mut self, sums: &Sums<'_, '_>, monomial: MonomialId) {
        self.uses[monomial] -= 1;
        each_pair(&sums.monomials[monomial], |pair| *self.pairs.entry(pair).or_insert(1) -= 1);
    }

    fn forget(&mut self) {
        self.known.clear();
    }

    /// The operations that are saved where a divisor is taken out.
    fn saving(&mut self, sums: &Sums<'_, '_>, divisor: &Divisor, occurrences: &[Occurrence]) -> f64 {
        let (mut saving, rest) = match occurrences {
            [first, rest @ ..] if first.is_all(sums) => (0.0, rest),
            all => {
                let [one, other] = divisor.monomials.map(|monomial| self.of(sums, monomial));
                (-1.0 - one - other, all)
            }
        };
        for occurrence in rest {
            let [one, other] = occurrence.terms.map(|term| self.of(sums, term));
            let product = match sums.monomials[occurrence.base].is_empty() {
                true => 0.0,
                false => 1.0 + self.of(sums, occurrence.base),
            };
            saving += one + other + 1.0 - product;
        }
        saving
    }

    /// The products of a monomial: one of two factors is shared by all terms that have it, the others by all terms that
    /// are this monomial.
    fn of(&mut self, sums: &Sums<'_, '_>, monomial: MonomialId) -> f64 {
        if self.known.len() <= monomial {
            self.known.resize(sums.monomials.len(), None);
        }
        if let Some(known) = self.known[monomial] {
            return known;
        }
        let factors = &sums.monomials[monomial];
        let mut cost = 0.0;
        if factors.len() > 1 {
            let mut least = 1.0_f64;
            each_pair(factors, |pair| {
                let readers = self.pairs.get(&pair).copied().unwrap_or(0).max(1);
                least = least.min(if sums.has_product(pair) { 0.0 } else { 1.0 / f64::from(readers) });
            });
            let uses = self.uses.get(monomial).copied().unwrap_or(0).max(1);
            cost = (factors.len() - 2) as f64 / f64::from(uses) + least;
        }
        self.known[monomial] = Some(cost);
        cost
    }
}
