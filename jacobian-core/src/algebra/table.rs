//! Numbered keys, and the first of those that are equal: open addressing in plain slices.

use crate::slices::{extend, filled};

/// The place that holds nothing.
const FREE: u32 = u32::MAX;

/// What is looked for in a [`Table`].
pub(crate) trait Key: Copy + Default {
    /// A number that is the same for equal keys.
    fn hash(&self) -> usize;

    /// Whether two keys are equal.
    fn is(&self, other: &Self) -> bool;

    /// Whether it is equal to none, not even to itself.
    #[inline(always)]
    fn is_alone(&self) -> bool {
        false
    }
}

/// Keys by their numbers.
#[derive(Clone)]
pub(crate) struct Table<K> {
    /// By number, and room for more.
    keys: Box<[K]>,
    count: usize,
    /// A power of two of places, half of them free at least; the number of a key is at its hash or after it. Those of
    /// lower numbers were there first.
    places: Box<[u32]>,
}

impl<K: Key> Table<K> {
    /// Nothing yet.
    pub fn new() -> Self {
        Table { keys: filled(K::default(), 1), count: 0, places: filled(FREE, 64) }
    }

    /// The number of keys.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.count
    }

    /// The key with this number.
    #[inline(always)]
    pub fn key(&self, number: usize) -> K {
        self.keys[number]
    }

    /// The first key that is equal to this one.
    #[inline(always)]
    pub fn find(&self, key: &K) -> Option<usize> {
        let number = self.places[self.place(key)];
        if number == FREE { None } else { Some(number as usize) }
    }

    /// Gives a key the next number, and returns the first one that is equal: it, or one before it.
    pub fn enter(&mut self, key: K) -> usize {
        let number = self.count;
        if number == self.keys.len() {
            extend(&mut self.keys);
        }
        self.keys[number] = key;
        self.count += 1;
        if key.is_alone() {
            return number;
        }
        if 2 * number >= self.places.len() {
            self.grow();
        }
        self.enter_number(number)
    }

    fn enter_number(&mut self, number: usize) -> usize {
        let place = self.place(&self.keys[number]);
        if self.places[place] == FREE {
            self.places[place] = number as u32;
        }
        self.places[place] as usize
    }

    /// Forgets the keys from `count` on. None of those that stay was entered after one of them, so none is looked for
    /// there.
    pub fn truncate(&mut self, count: usize) {
        while self.count > count {
            self.count -= 1;
            let place = self.place(&self.keys[self.count]);
            if self.places[place] == self.count as u32 {
                self.places[place] = FREE;
            }
        }
    }

    /// Where the number of a key is, or would be.
    fn place(&self, key: &K) -> usize {
        let mask = self.places.len() - 1;
        let mut place = key.hash() & mask;
        while self.places[place] != FREE && !self.keys[self.places[place] as usize].is(key) {
            place = (place + 1) & mask;
        }
        place
    }

    /// Makes room, and enters all but the last key anew.
    fn grow(&mut self) {
        self.places = filled(FREE, 8 * self.places.len());
        let mut number = 0;
        while number + 1 < self.count {
            if !self.keys[number].is_alone() {
                self.enter_number(number);
            }
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Key for u64 {
        /// Few hashes: keys come after others that are not equal.
        fn hash(&self) -> usize {
            (self % 7) as usize
        }

        fn is(&self, other: &Self) -> bool {
            self == other
        }

        fn is_alone(&self) -> bool {
            *self == 0
        }
    }

    #[test]
    fn the_first_of_equal_keys_is_found_until_it_is_forgotten() {
        let (mut table, mut keys, mut random) = (Table::new(), Vec::new(), 1_u64);
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let key = (random >> 33) % 300;
            let first = |keys: &[u64]| keys.iter().position(|other| *other == key).filter(|_| key != 0);
            assert_eq!(table.find(&key), first(&keys));
            if random >> 60 == 0 {
                keys.truncate(keys.len() * 9 / 10);
                table.truncate(keys.len());
            } else {
                keys.push(key);
                assert_eq!(table.enter(key), first(&keys).unwrap_or(keys.len() - 1));
            }
            assert_eq!(table.len(), keys.len());
        }
    }
}
