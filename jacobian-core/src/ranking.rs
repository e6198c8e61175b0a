//! Numbered things by their keys, of which the least is asked for again and again while keys change: a binary heap that
//! knows where each thing is.
//!
//! (A `BTreeSet` does the same. Its code is made anew for every type of keys, in every user's build, and is twenty
//! times as long.)

/// Two numbers below 2^32 as a key: what has the least first one is first, of these what has the least second one.
pub fn pair(first: usize, second: usize) -> u64 {
    debug_assert!(first >> 32 == 0 && second >> 32 == 0);
    (first as u64) << 32 | second as u64
}

/// The place of what is not ranked.
const NONE: usize = usize::MAX;

/// Things with keys. Of equal keys, any may be the first.
#[derive(Clone)]
pub struct Ranking<K> {
    /// By number: the key. What is not ranked has any.
    keys: Vec<K>,
    /// The numbers of the things; no key is less than that at half its place.
    heap: Vec<usize>,
    /// By number: the place in the heap.
    places: Vec<usize>,
}

impl<K: Ord + Copy> Ranking<K> {
    /// Nothing yet.
    pub fn new() -> Self {
        Ranking { keys: Vec::new(), heap: Vec::new(), places: Vec::new() }
    }

    /// Whether a thing is ranked.
    pub fn has(&self, number: usize) -> bool {
        number < self.places.len() && self.places[number] != NONE
    }

    /// The key of a thing, if it is ranked.
    pub fn key(&self, number: usize) -> Option<&K> {
        if self.has(number) { Some(&self.keys[number]) } else { None }
    }

    /// The keys of the things, in no order.
    pub fn all(&self) -> impl Iterator<Item = K> + '_ {
        self.heap.iter().map(|&number| self.keys[number])
    }

    /// The thing with the least key, with that.
    pub fn first(&self) -> Option<(K, usize)> {
        if self.heap.is_empty() { None } else { Some((self.keys[self.heap[0]], self.heap[0])) }
    }

    /// Takes out the thing with the least key.
    pub fn pop_first(&mut self) -> Option<(K, usize)> {
        let first = self.first()?;
        self.remove(first.1);
        Some(first)
    }

    /// Ranks a thing by this key.
    pub fn insert(&mut self, number: usize, key: K) {
        while self.places.len() <= number {
            self.keys.push(key);
            self.places.push(NONE);
        }
        self.keys[number] = key;
        if self.places[number] == NONE {
            self.places[number] = self.heap.len();
            self.heap.push(number);
        }
        self.rise(self.places[number]);
        self.sink(self.places[number]);
    }

    /// Takes out a thing, if it is ranked.
    pub fn remove(&mut self, number: usize) {
        if !self.has(number) {
            return;
        }
        let place = self.places[number];
        self.places[number] = NONE;
        let Some(last) = self.heap.pop() else { return };
        if last != number {
            self.heap[place] = last;
            self.places[last] = place;
            self.rise(place);
            self.sink(self.places[last]);
        }
    }

    /// Moves the thing at a place up while its key is less than those above. (Keys stay where they are, and slices are
    /// looked at: without optimization, a copy of a key and a look at a vector are calls.)
    fn rise(&mut self, mut place: usize) {
        let (heap, places, keys) = (&mut self.heap[..], &mut self.places[..], &self.keys[..]);
        let moved = heap[place];
        while place > 0 && keys[moved] < keys[heap[(place - 1) / 2]] {
            let above = heap[(place - 1) / 2];
            (heap[place], places[above]) = (above, place);
            place = (place - 1) / 2;
        }
        (heap[place], places[moved]) = (moved, place);
    }

    /// Moves the thing at a place down while a key below is less.
    fn sink(&mut self, mut place: usize) {
        let (heap, places, keys) = (&mut self.heap[..], &mut self.places[..], &self.keys[..]);
        let (moved, length) = (heap[place], heap.len());
        while 2 * place + 1 < length {
            let mut below = 2 * place + 1;
            if below + 1 < length && keys[heap[below + 1]] < keys[heap[below]] {
                below += 1;
            }
            let least = heap[below];
            let is_less = keys[least] < keys[moved];
            if !is_less {
                break;
            }
            (heap[place], places[least]) = (least, place);
            place = below;
        }
        (heap[place], places[moved]) = (moved, place);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Ranking;

    #[test]
    fn it_is_a_sorted_set() {
        let (mut ranking, mut set) = (Ranking::new(), BTreeSet::new());
        let mut random = 1_u64;
        let mut below = |limit: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % limit
        };
        for _ in 0..20_000 {
            let number = below(50) as usize;
            if let Some(&key) = ranking.key(number) {
                assert!(set.remove(&(key, number)));
            } else {
                assert!(set.iter().all(|(_, other)| *other != number));
            }
            match below(4) {
                0 => ranking.remove(number),
                _ => {
                    let key = (below(20), number);
                    ranking.insert(number, key);
                    set.insert((key, number));
                }
            }
            assert_eq!(ranking.first(), set.first().copied());
            assert_eq!(ranking.all().count(), set.len());
            if below(5) == 0 {
                assert_eq!(ranking.pop_first(), set.pop_first());
            }
        }
    }
}
