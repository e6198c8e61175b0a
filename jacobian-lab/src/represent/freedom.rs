//! The degrees of freedom of a graph.
//!
//! The Jacobians that a graph stands for, whatever its labels, are a set of some dimension: the rank, at almost all
//! labels, of the derivatives of the entries by the labels. It is computed modulo the prime 2^61 - 1 at labels without
//! pattern. A determinant that is not zero there is not zero as a polynomial, so what is computed never exceeds the
//! dimension; it falls short of it only where labels are met by chance at which a polynomial of small degree is zero.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::pattern::Pattern;
use jacobian_core::evaluate::{MODULUS, Modular};

/// The dimension of the set of all Jacobians that a graph with this pattern stands for.
pub(super) fn dimension(pattern: &Pattern) -> usize {
    let ends = |is_end: &dyn Fn(usize) -> bool| (0..pattern.len()).filter(|&vertex| is_end(vertex)).collect::<Vec<_>>();
    let columns = ends(&|vertex| pattern.predecessors(vertex).is_clear() && !pattern.successors(vertex).is_clear());
    let rows = ends(&|vertex| pattern.successors(vertex).is_clear() && !pattern.predecessors(vertex).is_clear());
    let above: Vec<_> = columns.into_iter().map(|column| sums_from(pattern, column)).collect();
    let below: Vec<_> = rows.into_iter().map(|row| sums_to(pattern, row)).collect();
    let mut space = Space::default();
    for source in 0..pattern.len() {
        for target in pattern.successors(source).ones() {
            let mut derivatives = Vec::with_capacity(above.len() * below.len());
            for above in &above {
                derivatives.extend(below.iter().map(|below| Modular::mul(above[source], below[target])));
            }
            space.add(derivatives);
        }
    }
    space.pivots.len()
}

/// By vertex: the sum over all paths from `column` of the products of their labels.
fn sums_from(pattern: &Pattern, column: usize) -> Vec<u64> {
    let mut sums = vec![0; pattern.len()];
    sums[column] = 1;
    for target in column + 1..pattern.len() {
        let paths = pattern.predecessors(target).ones().map(|source| Modular::mul(sums[source], label(source, target)));
        sums[target] = paths.fold(0, Modular::add);
    }
    sums
}

/// By vertex: the sum over all paths to `row` of the products of their labels.
fn sums_to(pattern: &Pattern, row: usize) -> Vec<u64> {
    let mut sums = vec![0; pattern.len()];
    sums[row] = 1;
    for source in (0..row).rev() {
        let paths = pattern.successors(source).ones().map(|target| Modular::mul(label(source, target), sums[target]));
        sums[source] = paths.fold(0, Modular::add);
    }
    sums
}

/// A number without pattern.
fn label(source: usize, target: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    (source, target).hash(&mut hasher);
    hasher.finish() % MODULUS
}

/// A space of vectors.
#[derive(Default)]
struct Space {
    /// Vectors that span it, each with a place where it has a one and those after it have a zero.
    pivots: Vec<(usize, Vec<u64>)>,
}

impl Space {
    /// Adds a vector, unless it is in the space.
    fn add(&mut self, mut vector: Vec<u64>) {
        for (place, pivot) in &self.pivots {
            let factor = Modular::neg(vector[*place]);
            if factor != 0 {
                for (number, &other) in vector.iter_mut().zip(pivot) {
                    *number = Modular::add(*number, Modular::mul(factor, other));
                }
            }
        }
        if let Some(place) = vector.iter().position(|&number| number != 0) {
            let factor = Modular::inverse(vector[place]);
            vector.iter_mut().for_each(|number| *number = Modular::mul(*number, factor));
            self.pivots.push((place, vector));
        }
    }
}
