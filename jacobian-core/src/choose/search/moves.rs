//! Plans, and the small changes of them that a search tries.

use super::affected::Affected;
use super::random::Random;
use crate::bits::member;
use crate::eliminate::edge::Edge;
use crate::eliminate::face::Face;
use crate::eliminate::path::Path;
use crate::eliminate::vertex::Vertex;
use crate::eliminate::{Mode, Target};
use crate::graph::VertexId;
use crate::graph::program::Ends;

/// What may be in a plan.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Space {
    /// Every intermediate vertex once.
    Vertices,
    /// Single edges before the vertices that they belong to, too.
    Edges,
    /// Single faces before the vertices that they are around, too.
    Faces,
    /// Single pairs of the labels that edges have at first, too.
    Paths,
}

impl Space {
    /// The name of the mode in a strategy.
    pub const fn name(self) -> &'static str {
        match self {
            Space::Vertices => Vertex::NAME,
            Space::Edges => Edge::NAME,
            Space::Faces => Face::NAME,
            Space::Paths => Path::NAME,
        }
    }
}

/// How far ahead of its vertex an edge or a face is inserted at most.
const NEAR: usize = 10;

/// Places in a plan, at random, from its back to its front and again: what precedes two changes that follow
/// one another is not evaluated for the second of them. There are more places at the back, where the least is
/// evaluated.
pub struct Places {
    /// The square of the place, from 0 to 1.
    square: f64,
}

/// This many places are drawn on the way from the back to the front, on average.
const PASS: usize = 32;

impl Places {
    /// Begins at the back.
    pub fn new() -> Self {
        Places { square: 1.0 }
    }

    /// The next place in a plan of this many targets.
    pub fn next(&mut self, length: usize, random: &mut Random) -> usize {
        self.square -= random.exponential() / PASS as f64;
        if self.square < 0.0 {
            self.square = (self.square + 1.0).max(0.0);
        }
        ((self.square.sqrt() * length as f64) as usize).min(length - 1)
    }
}

/// A change of a plan.
#[derive(Copy, Clone, Debug)]
pub enum Move {
    /// A target is taken from its place, and inserted at another one.
    Shift { from: usize, to: usize },
    /// A part of a vertex is inserted ahead of it.
    Insert { at: usize, part: Target },
    /// A part is taken out.
    Remove { at: usize },
}

impl Move {
    /// Changes a plan.
    pub fn apply(self, plan: &mut Vec<Target>) {
        match self {
            Move::Shift { from, to } => {
                let target = plan.remove(from);
                plan.insert(to, target);
            }
            Move::Insert { at, part } => plan.insert(at, part),
            Move::Remove { at } => drop(plan.remove(at)),
        }
    }
}

impl Space {
    /// A change of a plan at `at`, at random, if the draw is not one that changes nothing; the steps of the plan have
    /// affected what `affected` says, and these `pairs` may be in it.
    pub fn draw(
        self,
        plan: &[Target],
        at: usize,
        affected: &Affected,
        pairs: &[Target],
        random: &mut Random,
    ) -> Option<Move> {
        match random.below(if self == Space::Vertices { 8 } else { 10 }) {
            0..4 => jump(at, affected, random),
            4..8 => shift(at, affected, random),
            8 if self == Space::Paths => insert_pair(at, pairs, random),
            8 => self.insert(at, plan[at], affected, random),
            _ => remove(at, plan),
        }
    }

    /// A part of the vertex that is eliminated at `at` is eliminated ahead of it, where it is there already.
    fn insert(self, at: usize, target: Target, affected: &Affected, random: &mut Random) -> Option<Move> {
        let Target::Vertex(centre) = target else { return None };
        let [source, target] = affected.sets(at).map(|set| member(set, random.bits() as u32 as usize));
        let (source, target) = (VertexId(source? as u32), VertexId(target? as u32));
        let (part, ends) = match self {
            Space::Faces => (Target::Face { source, centre, target, older: 0 }, Ends { source, target }),
            _ if random.below(2) == 0 => {
                let ends = Ends { source, target: centre };
                (Target::Front(ends), ends)
            }
            _ => {
                let ends = Ends { source: centre, target };
                (Target::Back(ends), ends)
            }
        };
        let is_there = |step: usize| !affected.connects(step, ends.source.index(), ends.target.index());
        let ahead = (1 + random.below(NEAR)).min(at);
        let ahead = (1..=ahead).take_while(|&ahead| is_there(at - ahead)).last()?;
        Some(Move::Insert { at: at - ahead, part })
    }
}

/// A pair of labels is eliminated anywhere ahead.
fn insert_pair(at: usize, pairs: &[Target], random: &mut Random) -> Option<Move> {
    let part = *pairs.get(random.below(pairs.len()))?;
    Some(Move::Insert { at: random.below(at + 1), part })
}

/// A target is moved past the next step that it does not commute with, on either side; now and then past some more.
fn jump(from: usize, affected: &Affected, random: &mut Random) -> Option<Move> {
    let (is_forward, mut left) = (random.below(2) == 0, 1 + random.bits().trailing_zeros());
    let (mut to, mut step) = (None, from);
    while left > 0 && if is_forward { step + 1 < affected.len() } else { step > 0 } {
        step = if is_forward { step + 1 } else { step - 1 };
        if !affected.commute(from, step) {
            to = Some(step);
            left -= 1;
        }
    }
    Some(Move::Shift { from, to: to? })
}

/// A target is moved to any place further back, or from there.
fn shift(first: usize, affected: &Affected, random: &mut Random) -> Option<Move> {
    let last = first + random.below(affected.len() - first);
    let (from, to) = if random.below(2) == 0 { (first, last) } else { (last, first) };
    (first..=last).any(|step| step != from && !affected.commute(from, step)).then_some(Move::Shift { from, to })
}

/// Takes out the next of the edges, faces or pairs.
fn remove(from: usize, plan: &[Target]) -> Option<Move> {
    let is_part = |at: &usize| !matches!(plan[*at], Target::Vertex(_));
    (from..plan.len()).chain(0..from).find(is_part).map(|at| Move::Remove { at })
}
