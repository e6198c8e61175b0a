//! Vertex and edge elimination, whatever the edges are stored in: which labels are multiplied, where a product goes,
//! and which edges are removed.
//!
//! A graph may be *symmetric*, as that of a gradient is: with every edge from `i` to `k`, its *image* leads from the
//! image of `k` to the image of `i` and has the same label. What is eliminated from it goes with its image, and only
//! one of the two is computed. The images of the vertices come after all others; an edge from a vertex to an image is
//! an *arc*. The arc from `i` to the image of `k` has the image that leads from `k` to that of `i`, and the arc from a
//! vertex to its own image, which is its own, gets the products along a path and along the image of that.
//!
//! In reverse order this is edge pushing (Gower and Mello 2012), and takes no more products: where a vertex `j` with
//! the predecessors `i` and `k` has an arc to its own image, `w`, and one to that of `i`, edge pushing forms
//! `c[i,j] w c[k,j]` and `w[i,j] c[k,j]`, and here the factors of `c[k,j]` are added first. Other orders are the
//! symmetric vertex elimination of Bhowmick and Hovland (2008).

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

    /// `first + second`, the label of paths with these ends.
    fn sum(&mut self, first: Self::Label, second: Self::Label, ends: Ends) -> Self::Label;
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

    fn sum(&mut self, first: LabelId, second: LabelId, ends: Ends) -> LabelId {
        self.sum(first, second, Some(ends))
    }
}

/// Edges with labels, from which vertices and edges are eliminated. (Small methods, and loops by hand: searches
/// eliminate thousands of times without optimization.)
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

    /// What the numbers of a vertex and of its image add up to, if the graph is symmetric.
    fn axis(&self) -> Option<Axis>;

    /// What multiplies and adds labels.
    fn arithmetic(&mut self) -> &mut Self::Arithmetic;

    /// Multiplies the labels along two edges into the edge from the source of the one to the target of the other, which
    /// is made where it is missing.
    fn accumulate(&mut self, first: Self::Edge, second: Self::Edge) -> Self::Edge {
        let ends = Ends { source: self.ends(first).source, target: self.ends(second).target };
        self.accumulate_labels(self.label(first), self.label(second), ends)
    }

    /// Multiplies two labels into the edge with these ends, which is made where it is missing.
    fn accumulate_labels(&mut self, first: LabelOf<Self>, second: LabelOf<Self>, ends: Ends) -> Self::Edge {
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
        if let Some(axis) = self.axis() {
            return self.eliminate_pair(vertex, axis);
        }
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

    /// Front-eliminates an edge to an intermediate vertex: multiplies it with every edge from its target, and removes
    /// it.
    fn eliminate_front(&mut self, edge: Self::Edge) {
        let centre = self.ends(edge).target;
        if let Some(axis) = self.axis() {
            return self.eliminate_front_pair(edge, centre, axis);
        }
        let (mut second, seconds) = (0, self.list_outgoing(centre));
        while second < seconds {
            self.accumulate(edge, self.outgoing_edge(second));
            second += 1;
        }
        self.remove_at(edge, centre);
    }

    /// Back-eliminates an edge from an intermediate vertex: multiplies it with every edge to its source, and removes
    /// it.
    fn eliminate_back(&mut self, edge: Self::Edge) {
        let centre = self.ends(edge).source;
        if let Some(axis) = self.axis() {
            return self.eliminate_back_pair(edge, centre, axis);
        }
        let (mut first, firsts) = (0, self.list_incoming(centre));
        while first < firsts {
            self.accumulate(self.incoming_edge(first), edge);
            first += 1;
        }
        self.remove_at(edge, centre);
    }

    /// Removes an edge that has been multiplied, and what edges its end `centre` has left, if it has none on one side.
    /// No other vertex is left so by that: each of its neighbours on the other side is the end of a product just added.
    fn remove_at(&mut self, edge: Self::Edge, centre: VertexId) {
        self.remove(edge);
        if self.is_off_all_paths(centre) {
            self.isolate(centre);
        }
    }

    /// Eliminates a vertex with its image: the edges to it, one after the other. Of two, the later one is multiplied
    /// with the arc that the earlier one leaves. Those that have an arc already go first, and so the others find one
    /// sum each.
    fn eliminate_pair(&mut self, vertex: VertexId, axis: Axis) {
        let edges = self.list_incoming(vertex);
        for has_arc in [true, false] {
            let mut at = 0;
            while at < edges {
                let edge = self.incoming_edge(at);
                at += 1;
                let ends = self.ends(edge);
                let arc = Ends { source: ends.source, target: axis.image(vertex) };
                let is_left = has_arc || self.find(ends).is_some();
                if is_left && (!has_arc || self.find(arc).is_some()) {
                    self.eliminate_front_pair(edge, vertex, axis);
                }
            }
        }
    }

    /// Front-eliminates an edge, and back-eliminates its image. The paths from its source over both to the source's
    /// image are products with one sum: of the arc that is there before, and of the one that the elimination leaves.
    fn eliminate_front_pair(&mut self, edge: Self::Edge, centre: VertexId, axis: Axis) {
        let source = self.ends(edge).source;
        let own = Ends { source, target: axis.image(source) };
        let arc = Ends { source, target: axis.image(centre) };
        let before = self.find(arc).map(|arc| self.label(arc));
        let (mut second, seconds) = (0, self.list_outgoing(centre));
        while second < seconds {
            let outgoing = self.outgoing_edge(second);
            if self.ends(outgoing).target != own.target {
                self.accumulate_pair(edge, outgoing, axis);
            }
            second += 1;
        }
        if let Some(arc_edge) = self.find(arc) {
            let mut label = self.label(arc_edge);
            if let Some(before) = before {
                label = self.arithmetic().sum(before, label, arc);
            }
            self.accumulate_labels(self.label(edge), label, own);
        }
        self.remove_pair_at(edge, centre, axis);
    }

    /// Back-eliminates an edge, and front-eliminates its image. An arc from the vertex to its own image gives all pairs
    /// of edges to the vertex.
    fn eliminate_back_pair(&mut self, edge: Self::Edge, centre: VertexId, axis: Axis) {
        let target = self.ends(edge).target;
        let (mut first, firsts) = (0, self.list_incoming(centre));
        while first < firsts {
            let incoming = self.incoming_edge(first);
            let source = self.ends(incoming).source;
            let ends = Ends { source, target };
            if target == axis.image(centre) {
                let half = (self.label(incoming), self.label(edge));
                let half = self.arithmetic().product(half.0, half.1, ends);
                let mut second = first;
                while second < firsts {
                    let other = self.incoming_edge(second);
                    let ends = Ends { source, target: axis.image(self.ends(other).source) };
                    self.accumulate_labels(half, self.label(other), ends);
                    self.reflect(ends, axis);
                    second += 1;
                }
            } else if target == axis.image(source) {
                let (incoming, label) = (self.label(incoming), self.label(edge));
                let twice = self.arithmetic().sum(label, label, ends);
                self.accumulate_labels(incoming, twice, ends);
            } else {
                self.accumulate_pair(incoming, edge, axis);
            }
            first += 1;
        }
        self.remove_pair_at(edge, centre, axis);
    }

    /// As [`accumulate`](Eliminate::accumulate), for the edges and for their images. The product is no arc from a
    /// vertex to its own image.
    fn accumulate_pair(&mut self, first: Self::Edge, second: Self::Edge, axis: Axis) {
        let edge = self.accumulate(first, second);
        self.reflect(self.ends(edge), axis);
    }

    /// Gives the image of an edge, which is made where it is missing, the label of the edge.
    fn reflect(&mut self, ends: Ends, axis: Axis) {
        let image = axis.image_of(ends);
        if image == ends {
            return;
        }
        let Some(edge) = self.find(ends) else { return };
        let label = self.label(edge);
        match self.find(image) {
            Some(image) => self.set_label(image, label),
            None => drop(self.add(image, label)),
        }
    }

    /// Removes an edge that has been multiplied, with its image, and what edges its end `centre` has left, if it has
    /// none on one side, with theirs.
    fn remove_pair_at(&mut self, edge: Self::Edge, centre: VertexId, axis: Axis) {
        let ends = self.ends(edge);
        let image = axis.image_of(ends);
        if image != ends
            && let Some(image) = self.find(image)
        {
            self.remove(image);
        }
        self.remove(edge);
        if self.is_off_all_paths(centre) {
            self.isolate(centre);
            self.isolate(axis.image(centre));
        }
    }
}

/// Where a vertex has its image: what the numbers of the two add up to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Axis(u32);

impl Axis {
    /// That of a symmetric graph with this many vertices.
    pub fn of(vertices: usize) -> Axis {
        Axis((vertices as u32).wrapping_sub(1))
    }

    /// The image of a vertex, or the vertex of an image.
    #[inline(always)]
    pub fn image(self, vertex: VertexId) -> VertexId {
        VertexId(self.0 - vertex.0)
    }

    /// The image of an edge.
    #[inline(always)]
    pub fn image_of(self, ends: Ends) -> Ends {
        Ends { source: self.image(ends.target), target: self.image(ends.source) }
    }

    /// The vertex, or that of which it is the image.
    #[inline(always)]
    pub fn original(self, vertex: VertexId) -> VertexId {
        VertexId(vertex.0.min(self.0 - vertex.0))
    }
}

/// What the labels of edges are.
pub type LabelOf<E> = <<E as Eliminate>::Arithmetic as Arithmetic>::Label;
