//! Sets of small numbers, a bit for each.

/// A set of numbers below a bound that is fixed when it is made.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Set(Vec<u64>);

impl Set {
    /// The empty set of numbers below `bound`.
    pub(super) fn new(bound: usize) -> Self {
        Set(vec![0; bound.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// Inserts a number that is not there, removes one that is.
    pub(super) fn flip(&mut self, number: usize) {
        self.0[number / 64] ^= 1 << (number % 64);
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The numbers, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(place, &word)| {
            let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
            rest.take_while(|&rest| rest != 0).map(move |rest| place * 64 + rest.trailing_zeros() as usize)
        })
    }

    /// The first number.
    pub(super) fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    pub(super) fn unite(&mut self, other: &Set) {
        self.combine(other, |own, other| own | other);
    }

    /// The numbers that are not in `other`.
    pub(super) fn minus(&self, other: &Set) -> Set {
        let mut difference = self.clone();
        difference.combine(other, |own, other| own & !other);
        difference
    }

    /// The numbers that are in `other`, too.
    pub(super) fn and(&self, other: &Set) -> Set {
        let mut intersection = self.clone();
        intersection.combine(other, |own, other| own & other);
        intersection
    }

    /// How many numbers are not in `other`.
    pub(super) fn len_without(&self, other: &Set) -> usize {
        self.0.iter().zip(&other.0).map(|(own, other)| (own & !other).count_ones() as usize).sum()
    }

    pub(super) fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(own, other)| own & other != 0)
    }

    fn combine(&mut self, other: &Set, operation: fn(u64, u64) -> u64) {
        for (own, &other) in self.0.iter_mut().zip(&other.0) {
            *own = operation(*own, other);
        }
    }
}
