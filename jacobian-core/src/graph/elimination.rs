//! Vertex and edge elimination, whatever the edges are stored in: which labels are multiplied, where a product goes, and which
//! edges are removed.

use crate::graph::label::{Ends, LabelId, VertexId};
use crate::graph::program::Program;

/// What labels are, and how they are multiplied and added.
pub trait Arithmetic {
    /// A label.
    type Label: Copy;

    /// `first * second`, the label of paths with these ends.
    fn product(&mut self, first: Self::Label, second: Self::Label, ends: Ends) -> Self::Label;

    /// `addend + first * second`, the label of paths with these ends.
    fn absorb(&mut self, addend: Self::Label, first: Self::Label, second: Self::Label, ends: Ends) -> Self::Label;
}

/// Writes the accumulation program.
impl Arithmetic for Program {
    type Label = LabelId;

    fn product(&mut self, first: LabelId, second: LabelId, ends: Ends) -> LabelId {
        self.product(first, second, Some(ends))
    }

    fn absorb(&mut self, addend: LabelId, first: LabelId, second: LabelId, ends: Ends) -> LabelId {
        self.absorb(addend, first, second, Some(ends))
    }
}

/// Edges with labels, from which vertices and edges are eliminated. (Small methods, and loops by hand: searches eliminate
/// thousands of times without optimization.)
pub trait Eliminate {
    /// An edge.
    type Edge: Copy;

    /// The arithmetic of the labels.
    type Arithmetic: Arithmetic;

    /// Lists the edges to a vertex, in order, and returns their number.
    fn list_incoming(&mut self, vertex: VertexId) -> usize;

    /// Lists the edges from a vertex, in order, and returns their number.
    fn list_outgoing(&mut self, vertex: VertexId) -> usize;

    /// An edge of the list of those to a vertex.
    fn incoming_edge(&self, place: usize) -> Self::Edge;

    /// An edge of the list of those from a vertex.
    fn outgoing_edge(&self, place: usize) -> Self::Edge;

    /// Where an edge leads.
    fn ends(&self, edge: Self::Edge) -> Ends;

    /// The edge between two vertices, if there is one.
    fn find(&self, ends: Ends) -> Option<Self::Edge>;

    /// The label of an edge.
    fn label(&self, edge: Self::Edge) -> LabelOf<Self>;

    /// Changes the label of an edge.
    fn set_label(&mut self, edge: Self::Edge, label: LabelOf<Self>);

    /// Adds an edge, which is not there.
    fn add(&mut self, ends: Ends, label: LabelOf<Self>) -> Self::Edge;

    /// Removes an edge, which is there.
    fn remove(&mut self, edge: Self::Edge);

    /// Removes every edge at a vertex.
    fn isolate(&mut self, vertex: VertexId);

    /// Whether no edge leads to a vertex, or none from it.
    fn is_off_all_paths(&self, vertex: VertexId) -> bool;

    /// What multiplies and adds labels.
    fn arithmetic(&mut self) -> &mut Self::Arithmetic;

    /// Multiplies the labels along two edges into the edge from the source of the one to the target of the other, which is made
    /// where it is missing.
    fn accumulate(&mut self, first: Self::Edge, second: Self::Edge) -> Self::Edge {
        let ends = Ends { source: self.ends(first).source, target: self.ends(second).target };
        let (first, second) = (self.label(first), self.label(second));
        match self.find(ends) {
            Some(absorbing) => {
                let addend = self.label(absorbing);
                let label = self.arithmetic().absorb(addend, first, second, ends);
                self.set_label(absorbing, label);
                absorbing
            }
            None => {
                let label = self.arithmetic().product(first, second, ends);
                self.add(ends, label)
            }
        }
    }

    /// Eliminates a vertex: multiplies every edge to it with every edge from it, and removes them all.
    fn eliminate_vertex(&mut self, vertex: VertexId) {
        let (firsts, seconds) = (self.list_incoming(vertex), self.list_outgoing(vertex));
        let mut first = 0;
        while first < firsts {
            let mut second = 0;
            while second < seconds {
                self.accumulate(self.incoming_edge(first), self.outgoing_edge(second));
                second += 1;
            }
            first += 1;
        }
        self.isolate(vertex);
    }

    /// Front-eliminates an edge to an intermediate vertex: multiplies it with every edge from its target, and removes it.
    fn eliminate_front(&mut self, edge: Self::Edge) {
        let centre = self.ends(edge).target;
        let (mut second, seconds) = (0, self.list_outgoing(centre));
        while second < seconds {
            self.accumulate(edge, self.outgoing_edge(second));
            second += 1;
        }
        self.remove_at(edge, centre);
    }

    /// Back-eliminates an edge from an intermediate vertex: multiplies it with every edge to its source, and removes it.
    fn eliminate_back(&mut self, edge: Self::Edge) {
        let centre = self.ends(edge).source;
        let (mut first, firsts) = (0, self.list_incoming(centre));
        while first < firsts {
            self.accumulate(self.incoming_edge(first), edge);
            first += 1;
        }
        self.remove_at(edge, centre);
    }

    /// Removes an edge that has been multiplied, and what edges its end `centre` has left, if it has none on one side. No
    /// other vertex is left so by that: each of its neighbours on the other side is the end of a product just added.
    fn remove_at(&mut self, edge: Self::Edge, centre: VertexId) {
        self.remove(edge);
        if self.is_off_all_paths(centre) {
            self.isolate(centre);
        }
    }
}

/// What the labels of edges are.
pub type LabelOf<E> = <<E as Eliminate>::Arithmetic as Arithmetic>::Label;
