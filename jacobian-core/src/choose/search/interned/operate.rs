//! Sums and products of nodes.

use super::table::{Key, key};
use super::{Interned, Label, NONE, Node, ONE, ZERO};
use crate::algebra::monomial::Monomial;
use crate::algebra::{exact_product, exact_sum};
use crate::list::catalogue::Class;
use crate::write::cost::time::ClassCost;

impl Interned {
    pub(super) fn add(&mut self, left: Label, right: Label) -> Label {
        let (first, second) = ((left >> 1) as usize, (right >> 1) as usize);
        if first == 0 {
            return right;
        }
        if second == 0 {
            return left;
        }
        if left ^ right == 1 {
            return ZERO;
        }
        if self.nodes[first].is_number
            && self.nodes[second].is_number
            && let Some(folded) = self.fold(left, right, exact_sum)
        {
            return folded;
        }
        // The entry is the sum in which the node with the lower number is positive.
        let sign = if first <= second { left & 1 } else { right & 1 };
        let key = key(if (left ^ right) & 1 == 0 { Key::Sum } else { Key::Difference }, first, second);
        let place = self.table.place(key);
        match self.table.get(place, key) {
            Some(known) => self.used(known) ^ sign,
            None => {
                let new = self.new_sum(left, right);
                self.table.enter(place, key, new ^ sign);
                self.used(new)
            }
        }
    }

    pub(super) fn mul(&mut self, left: Label, right: Label) -> Label {
        let (first, second) = ((left >> 1) as usize, (right >> 1) as usize);
        if first == 0 || second == 0 {
            return ZERO;
        }
        if first == ONE {
            return right ^ (left & 1);
        }
        if second == ONE {
            return left ^ (right & 1);
        }
        if self.nodes[first].is_number
            && self.nodes[second].is_number
            && let Some(folded) = self.fold(left, right, exact_product)
        {
            return folded;
        }
        let sign = (left ^ right) & 1;
        let key = key(Key::Product, first, second);
        let place = self.table.place(key);
        match self.table.get(place, key) {
            Some(known) => self.used(known) ^ sign,
            None => {
                let new = self.new_product(first, second);
                self.table.enter(place, key, new);
                self.used(new) ^ sign
            }
        }
    }

    /// A sum as the algebra writes it: `p - n` where the signs differ.
    fn new_sum(&mut self, left: Label, right: Label) -> Label {
        let (first, second) = if left & 1 == 1 && right & 1 == 0 { (right, left) } else { (left, right) };
        let monomial = match left == right {
            true => self.classes.monomial((left >> 1) as usize).twice(),
            false => Monomial::leaf(self.count),
        };
        self.node(ClassCost::of(Class::Addition), first >> 1, second >> 1, monomial) ^ (first & 1)
    }

    fn new_product(&mut self, left: usize, right: usize) -> Label {
        let monomial = self.classes.monomial(left).times(self.classes.monomial(right));
        self.node(ClassCost::of(Class::Multiplication), left as u32, right as u32, monomial)
    }

    fn node(&mut self, row: &ClassCost, left: u32, right: u32, monomial: Monomial) -> Label {
        let (first, second) = (&self.nodes[left as usize], &self.nodes[right as usize]);
        let is_constant = first.is_constant && second.is_constant;
        let (work, latency) = if is_constant { (0, 0) } else { (row.work as u32, row.latency as u32) };
        let depth = first.depth.max(second.depth) + latency;
        let node = Node { is_pair: true, is_constant, left, right, work, depth, ..Node::default() };
        (self.push(node, monomial) as Label) << 1
    }

    /// The label that the present plan uses for this one: itself, unless it has come to another node of the same class.
    pub(super) fn used(&mut self, label: Label) -> Label {
        let node = (label >> 1) as usize;
        let Node { class, sign, .. } = self.nodes[node];
        let used = self.nodes[class as usize].used;
        if used == NONE {
            self.nodes[class as usize].used = (label & !1) ^ sign;
            self.trail[self.trail_length] = node as u32;
            self.trail_length += 1;
            label
        } else {
            used ^ sign ^ (label & 1)
        }
    }

    /// The number that an operation on two numbers gives, where no bit of it is lost.
    fn fold(&mut self, left: Label, right: Label, exact: fn(f64, f64) -> Option<f64>) -> Option<Label> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        let result = exact(left, right)?;
        let list = self.linearization.algebra.list();
        let is_exact = [left, right, result].iter().all(|value| list.is_exact(*value));
        is_exact.then(|| self.number(result))
    }

    fn value(&self, label: Label) -> Option<f64> {
        let value = self.values.get(&((label >> 1) as usize))?;
        Some(if label & 1 == 1 { -value } else { *value })
    }

    fn number(&mut self, value: f64) -> Label {
        let magnitude = value.abs();
        let node = match self.numbers.get(&magnitude.to_bits()) {
            Some(&node) => node,
            None => {
                let number = Node { is_number: true, is_constant: true, ..Node::default() };
                let node = self.push(number, Monomial::number(magnitude));
                self.values.insert(node, magnitude);
                self.numbers.insert(magnitude.to_bits(), node);
                node
            }
        };
        (node as Label) << 1 | Label::from(value.is_sign_negative() && magnitude != 0.0)
    }
}
