//! The tables in which equal operations meet, and equal products: plain slices, in open addressing.

use crate::algebra::monomial::Monomial;
use crate::choose::search::slices::{extend, filled};

/// A node with a sign: twice the node's number, and one more for minus.
pub(super) type Label = u32;

/// The place that holds nothing.
const FREE: u64 = u64::MAX;

/// The same of the table of classes.
const FREE_PLACE: u32 = u32::MAX;

/// Labels by keys.
pub struct Table {
    /// A power of two of places, half of them free at least; a key is at its hash or behind it.
    places: Box<[(u64, Label)]>,
    count: usize,
}

/// A sum of nodes, a difference, or a product.
#[derive(Copy, Clone)]
pub enum Key {
    Sum = 0,
    Difference = 1,
    Product = 2,
}

/// The key of an operation on two nodes, whose order does not matter.
#[inline(always)]
pub fn key(kind: Key, left: usize, right: usize) -> u64 {
    if left <= right {
        (kind as u64) << 62 | (left as u64) << 31 | right as u64
    } else {
        (kind as u64) << 62 | (right as u64) << 31 | left as u64
    }
}

impl Table {
    pub fn new() -> Self {
        Table { places: filled((FREE, 0), 1024), count: 0 }
    }

    /// Where a key is, or would be.
    pub fn place(&self, key: u64) -> usize {
        let mask = self.places.len() - 1;
        // No product of halves overflows.
        let hash = ((key & 0xffff_ffff) * 0x9e37_79b1) ^ ((key >> 32) * 0x85eb_ca77);
        let mut place = (hash >> 15) as usize & mask;
        while self.places[place].0 != key && self.places[place].0 != FREE {
            place = (place + 1) & mask;
        }
        place
    }

    /// The label at the place of `key`, if it has one.
    #[inline(always)]
    pub fn get(&self, place: usize, key: u64) -> Option<Label> {
        if self.places[place].0 == key { Some(self.places[place].1) } else { None }
    }

    /// Enters a key at its place.
    pub fn enter(&mut self, place: usize, key: u64, label: Label) {
        self.places[place] = (key, label);
        self.count += 1;
        if 2 * self.count > self.places.len() {
            let larger = filled((FREE, 0), 4 * self.places.len());
            let smaller = std::mem::replace(&mut self.places, larger);
            let mut at = 0;
            while at < smaller.len() {
                if smaller[at].0 != FREE {
                    let place = self.place(smaller[at].0);
                    self.places[place] = smaller[at];
                }
                at += 1;
            }
        }
    }
}

/// The monomials of nodes, by which equal products meet.
pub struct Classes {
    /// By node, and room for more.
    monomials: Box<[Monomial]>,
    /// A power of two of places, half of them free at least; a node is at the hash of its monomial or behind it.
    places: Box<[u32]>,
}

impl Classes {
    pub fn new() -> Self {
        Classes { monomials: Box::default(), places: filled(FREE_PLACE, 1024) }
    }

    /// The monomial of a node.
    #[inline(always)]
    pub fn monomial(&self, node: usize) -> Monomial {
        self.monomials[node]
    }

    /// Enters the node with the next number, and returns the first one of the same monomial.
    pub fn enter(&mut self, node: usize, monomial: Monomial) -> usize {
        if node == self.monomials.len() {
            extend(&mut self.monomials);
        }
        self.monomials[node] = monomial;
        if monomial.is_degenerate() {
            return node;
        }
        if 2 * node > self.places.len() {
            self.rehash(node);
        }
        let place = self.place(&monomial);
        if self.places[place] == FREE_PLACE {
            self.places[place] = node as u32;
        }
        self.places[place] as usize
    }

    fn place(&self, monomial: &Monomial) -> usize {
        let mask = self.places.len() - 1;
        let mut place = (monomial.values[0] >> 20) as usize & mask;
        while self.places[place] != FREE_PLACE {
            let other = &self.monomials[self.places[place] as usize];
            if other.values[0] == monomial.values[0] && other.values[1] == monomial.values[1] {
                break;
            }
            place = (place + 1) & mask;
        }
        place
    }

    fn rehash(&mut self, count: usize) {
        self.places = filled(FREE_PLACE, 4 * self.places.len());
        let mut node = 0;
        while node < count {
            if !self.monomials[node].is_degenerate() {
                let place = self.place(&self.monomials[node]);
                if self.places[place] == FREE_PLACE {
                    self.places[place] = node as u32;
                }
            }
            node += 1;
        }
    }
}
