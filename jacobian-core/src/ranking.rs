//! Numbered things by their keys, of which the least is asked for again and again while keys change: a binary heap that knows where
//! each thing stands.
//!
//! (A `BTreeSet` does the same. Its code is made anew for every type of keys, in every user's build, and is twenty times as
//! long.)

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
    /// No key is less than that at half its place.
    heap: Vec<(K, usize)>,
    /// By number: the place in the heap.
    places: Vec<usize>,
}

impl<K: Ord + Copy> Ranking<K> {
    /// Nothing yet.
    pub fn new() -> Self {
        Ranking { heap: Vec::new(), places: Vec::new() }
    }

    /// The key of a thing, if it is ranked.
    pub fn key(&self, number: usize) -> Option<K> {
        if number >= self.places.len() || self.places[number] == NONE {
            return None;
        }
        Some(self.heap[self.places[number]].0)
    }

    /// The things with their keys, in no order.
    pub fn all(&self) -> &[(K, usize)] {
        &self.heap
    }

    /// The thing with the least key, with that.
    pub fn first(&self) -> Option<(K, usize)> {
        if self.heap.is_empty() { None } else { Some(self.heap[0]) }
    }

    /// Takes out the thing with the least key.
    pub fn pop_first(&mut self) -> Option<(K, usize)> {
        let first = self.first()?;
        self.remove(first.1);
        Some(first)
    }

    /// Ranks a thing by this key.
    pub fn insert(&mut self, number: usize, key: K) {
        self.remove(number);
        while self.places.len() <= number {
            self.places.push(NONE);
        }
        self.heap.push((key, number));
        self.rise(self.heap.len() - 1);
    }

    /// Takes out a thing, if it is ranked.
    pub fn remove(&mut self, number: usize) {
        if number >= self.places.len() || self.places[number] == NONE {
            return;
        }
        let place = self.places[number];
        self.places[number] = NONE;
        let Some(last) = self.heap.pop() else { return };
        if place < self.heap.len() {
            self.heap[place] = last;
            self.sink(place);
            self.rise(self.places[last.1]);
        }
    }

    /// Moves the thing at a place up while its key is less than those above.
    fn rise(&mut self, mut place: usize) {
        let moved = self.heap[place];
        while place > 0 && moved.0 < self.heap[(place - 1) / 2].0 {
            self.put(place, self.heap[(place - 1) / 2]);
            place = (place - 1) / 2;
        }
        self.put(place, moved);
    }

    /// Moves the thing at a place down while a key below is less.
    fn sink(&mut self, mut place: usize) {
        let (moved, length) = (self.heap[place], self.heap.len());
        loop {
            let mut below = 2 * place + 1;
            if below + 1 < length && self.heap[below + 1].0 < self.heap[below].0 {
                below += 1;
            }
            let is_less = below < length && self.heap[below].0 < moved.0;
            if !is_less {
                break;
            }
            self.put(place, self.heap[below]);
            place = below;
        }
        self.put(place, moved);
    }

    fn put(&mut self, place: usize, thing: (K, usize)) {
        self.places[thing.1] = place;
        self.heap[place] = thing;
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
            if let Some(key) = ranking.key(number) {
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
            assert_eq!(ranking.all().len(), set.len());
            if below(5) == 0 {
                assert_eq!(ranking.pop_first(), set.pop_first());
            }
        }
    }
}
