//! What each step of a plan affects. It tells without an evaluation that a move changes nothing.

use crate::bits::{has, meet, words, write};
use crate::eliminate::Target;
use crate::graph::{Graph, VertexId};
use crate::slices::extend;

/// For each step of a plan, the vertex in the middle, and the vertices before and after it that it connects.
#[derive(Clone, Default)]
pub struct Affected {
    /// The words of a set.
    words: usize,
    /// The number of steps; after them is room for more.
    length: usize,
    /// By step; none's number for a step that did nothing.
    centres: Box<[usize]>,
    /// By step: the sources, then the targets, as bits; of a step that did nothing, anything.
    sets: Box<[u64]>,
}

/// The number of no vertex.
const NONE: usize = usize::MAX;

impl Affected {
    /// No steps yet, on sets of this many words.
    pub fn new(words: usize) -> Self {
        Affected { words, ..Affected::default() }
    }

    /// What the steps of a plan would affect at first, which is near to what they affect in their turn.
    /// What a pair of labels affects is not known: it commutes with nothing.
    pub fn at_first(plan: &[Target], graph: &Graph) -> Self {
        let mut affected = Affected::new(words(graph.vertex_count()));
        for &target in plan {
            affected.push();
            match target {
                Target::Vertex(vertex) => {
                    let (sources, targets) = affected.last(vertex.index());
                    write(sources, graph.predecessors(vertex).map(VertexId::index));
                    write(targets, graph.successors(vertex).map(VertexId::index));
                }
                Target::Face { source, centre, target, .. } => {
                    let (sources, targets) = affected.last(centre.index());
                    write(sources, [source.index()]);
                    write(targets, [target.index()]);
                }
                Target::Pair(..) => {
                    let (sources, targets) = affected.last(0);
                    sources.fill(!0);
                    targets.fill(!0);
                }
                Target::Front(_) | Target::Back(_) => unreachable!("edges are eliminated on the graph itself"),
            }
        }
        affected
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Forgets the steps from `length` on.
    pub fn truncate(&mut self, length: usize) {
        self.length = length;
    }

    /// Appends a step that does nothing.
    pub fn push(&mut self) {
        if self.length == self.centres.len() {
            extend(&mut self.centres);
            let mut sets = std::mem::take(&mut self.sets).into_vec();
            sets.resize(2 * self.words * self.centres.len(), 0);
            self.sets = sets.into();
        }
        self.centres[self.length] = NONE;
        self.length += 1;
    }

    /// The sets of the last step, which are to be written, with `centre` in the middle.
    pub fn last(&mut self, centre: usize) -> (&mut [u64], &mut [u64]) {
        let start = 2 * self.words * (self.length - 1);
        self.centres[self.length - 1] = centre;
        self.sets[start..start + 2 * self.words].split_at_mut(self.words)
    }

    /// The sets of the last step, unless it does nothing.
    pub fn last_sets(&mut self) -> Option<(&mut [u64], &mut [u64])> {
        let centre = self.centres[self.length - 1];
        if centre == NONE { None } else { Some(self.last(centre)) }
    }

    /// Whether two steps that follow one another may change places. They may not where one affects the vertex in the
    /// middle of the other, nor where both connect the same two vertices, whose sum would have another order.
    pub fn commute(&self, first: usize, second: usize) -> bool {
        let (first_centre, second_centre) = (self.centres[first], self.centres[second]);
        if first_centre == NONE || second_centre == NONE {
            return true;
        }
        let affects = |[sources, targets]: [&[u64]; 2], centre| has(sources, centre) || has(targets, centre);
        let (first, second) = (self.sets(first), self.sets(second));
        let are_one = first_centre == second_centre || affects(first, second_centre) || affects(second, first_centre);
        let share_a_sum = meet(first[0], second[0]) && meet(first[1], second[1]);
        !are_one && !share_a_sum
    }

    /// Whether the step connects these two.
    pub fn connects(&self, step: usize, source: usize, target: usize) -> bool {
        let [sources, targets] = self.sets(step);
        self.centres[step] != NONE && has(sources, source) && has(targets, target)
    }

    /// The sources and the targets of a step that did something.
    pub fn sets(&self, step: usize) -> [&[u64]; 2] {
        let start = 2 * self.words * step;
        [&self.sets[start..start + self.words], &self.sets[start + self.words..start + 2 * self.words]]
    }
}
