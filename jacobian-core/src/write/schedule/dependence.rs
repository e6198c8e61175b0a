//! The data dependence graph of statements, and how long they take in an order (Tadjouddine, Bodman, Pryce and Forth).
//!
//! The processor of the model issues one statement a cycle, in order; a copy takes one cycle, any other statement two;
//! a statement waits until what it uses is there. What statements are estimated to take on processors of today is kept
//! beside.

use std::cmp::max;

use crate::write::cost::time::Estimate;

/// The cycles of a statement that only copies a value.
pub const COPY: usize = 1;

/// The cycles of any other statement.
pub const COMPUTATION: usize = 2;

/// What statements use of one another. They are numbered in an order in which all uses are backwards.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DependenceGraph {
    cycles: Vec<usize>,
    estimates: Vec<Estimate>,
    predecessors: Vec<Vec<usize>>,
    successors: Vec<Vec<usize>>,
}

impl DependenceGraph {
    /// Adds a statement of this many cycles after `predecessors`, some of them perhaps several times, and returns its
    /// number. As long as nothing else is said, it is estimated to take what it takes on the processor of the model.
    ///
    /// # Panics
    /// Where it uses a statement that is not there yet.
    pub fn push(&mut self, cycles: usize, mut predecessors: Vec<usize>) -> usize {
        let number = self.cycles.len();
        predecessors.sort_unstable();
        predecessors.dedup();
        for &predecessor in &predecessors {
            assert!(predecessor < number, "statement {number} uses {predecessor}, which comes after it");
            self.successors[predecessor].push(number);
        }
        self.cycles.push(cycles);
        self.estimates.push(Estimate { work: 1, path: cycles });
        self.predecessors.push(predecessors);
        self.successors.push(Vec::new());
        number
    }

    /// The number of statements.
    pub fn len(&self) -> usize {
        self.cycles.len()
    }

    /// Whether there are no statements.
    pub fn is_empty(&self) -> bool {
        self.cycles.is_empty()
    }

    /// The cycles until the value of a statement is there.
    pub fn cycles(&self, statement: usize) -> usize {
        self.cycles[statement]
    }

    /// Says what a statement is estimated to take.
    pub fn set_estimate(&mut self, statement: usize, estimate: Estimate) {
        self.estimates[statement] = estimate;
    }

    /// What a statement is estimated to take.
    pub fn estimate(&self, statement: usize) -> Estimate {
        self.estimates[statement]
    }

    /// What a statement uses, in ascending order.
    pub fn predecessors(&self, statement: usize) -> &[usize] {
        &self.predecessors[statement]
    }

    /// The statements that use it, in ascending order.
    pub fn successors(&self, statement: usize) -> &[usize] {
        &self.successors[statement]
    }

    /// By statement: the length of the longest path to it.
    pub fn heights(&self) -> Vec<usize> {
        longest(0..self.len(), &self.predecessors, |_| 1)
    }

    /// By statement: the length of the longest path from it.
    pub fn depths(&self) -> Vec<usize> {
        longest((0..self.len()).rev(), &self.successors, |_| 1)
    }

    /// By statement: the estimated time from its beginning to the end of the last one that waits for it.
    pub fn chains(&self) -> Vec<usize> {
        let after = longest((0..self.len()).rev(), &self.successors, |statement| self.estimates[statement].path);
        after.into_iter().zip(&self.estimates).map(|(after, own)| own.path + after).collect()
    }

    /// By statement: `a * depth + b * successors`.
    pub fn ranks(&self, a: usize, b: usize) -> Vec<usize> {
        let rank = |(depth, successors): (usize, &Vec<usize>)| a * depth + b * successors.len();
        self.depths().into_iter().zip(&self.successors).map(rank).collect()
    }

    /// Whether `order` has every statement once, each after what it uses.
    pub fn admits(&self, order: &[usize]) -> bool {
        let mut is_done = vec![false; self.len()];
        let is_right = |&statement: &usize| {
            let is_new = statement < self.len() && !is_done[statement];
            let is_ready = is_new && self.predecessors[statement].iter().all(|&used| is_done[used]);
            if is_ready {
                is_done[statement] = true;
            }
            is_ready
        };
        order.iter().all(is_right) && order.len() == self.len()
    }

    /// By statement: the cycle in which it is issued, where the statements are issued in `order`.
    ///
    /// # Panics
    /// Where the graph does not admit the order.
    pub fn start_times(&self, order: &[usize]) -> Vec<usize> {
        assert!(self.admits(order), "the order has every statement once, after what it uses");
        let (mut times, mut next) = (vec![0; self.len()], 0);
        for &statement in order {
            let ready = |&used: &usize| times[used] + self.cycles[used];
            times[statement] = max(next, self.predecessors[statement].iter().map(ready).max().unwrap_or(0));
            next = times[statement] + 1;
        }
        times
    }

    /// The cycle in which the last value is there, where the statements are issued in `order`.
    ///
    /// # Panics
    /// Where the graph does not admit the order.
    pub fn completion_time(&self, order: &[usize]) -> usize {
        let times = self.start_times(order);
        times.iter().zip(&self.cycles).map(|(start, cycles)| start + cycles).max().unwrap_or(0)
    }
}

/// By statement: the length of the longest path over `edges`, each as long as its end says; statements come in an order
/// after the ends of their edges.
fn longest(
    statements: impl Iterator<Item = usize>,
    edges: &[Vec<usize>],
    length: impl Fn(usize) -> usize,
) -> Vec<usize> {
    let mut lengths = vec![0; edges.len()];
    for statement in statements {
        lengths[statement] = edges[statement].iter().map(|&end| lengths[end] + length(end)).max().unwrap_or(0);
    }
    lengths
}
