//! What a graph and a program have in common: vertices, edges and labels by their numbers, and what is known of them.

/// A vertex; its number is its place in the topological order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct VertexId(pub u32);

impl VertexId {
    /// The number, to index with.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge. It keeps its number when it absorbs another; one that is removed gives its number to none.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeId(pub u32);

impl EdgeId {
    /// The number, to index with.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a vertex is to the Jacobian.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// A column: no edge leads to it.
    Independent,
    /// To be eliminated.
    Intermediate,
    /// The image of an intermediate vertex in a symmetric graph: it goes with that.
    Image,
    /// A row: no edge leaves it.
    Dependent,
}

/// A directed edge.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: VertexId,
    /// Where it leads.
    pub target: VertexId,
    /// Its label.
    pub label: LabelId,
}

/// A label.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct LabelId(pub u32);

impl LabelId {
    /// The number, to index with.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a label.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum LabelKind {
    /// One, on an edge that only makes a dependent a sink: it is no operation of the function, so a product with it is
    /// none of the chain rule's, either.
    Copy,
    /// One or minus one.
    Unit,
    /// Any other number.
    Constant,
    /// A number that is known at run time.
    #[default]
    Variable,
}

impl LabelKind {
    /// The kind of a product.
    pub fn times(self, other: LabelKind) -> LabelKind {
        self.max(other)
    }

    /// The kind of a sum, which has no known number, either, where one is a sum of ones: it is no unit.
    pub fn plus(self, other: LabelKind) -> LabelKind {
        self.max(other).max(LabelKind::Constant)
    }

    /// The multiplications that a product of labels takes: one or none.
    pub fn multiplications(self, other: LabelKind, measure: Measure) -> usize {
        usize::from(Weight::of(self, measure).multiplies(Weight::of(other, measure)))
    }
}

/// What a label adds to the cost of products. A product is a multiplication if one factor is heavy and none is free.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Weight {
    /// No product with it is a multiplication.
    Free,
    /// Products with heavy labels are multiplications.
    Light,
    /// All products but those with free labels are multiplications.
    Heavy,
}

impl Weight {
    /// The weight of a label of this kind.
    pub(crate) fn of(kind: LabelKind, measure: Measure) -> Weight {
        match (kind, measure) {
            (LabelKind::Copy, _) | (LabelKind::Unit, Measure::Folded) => Weight::Free,
            (LabelKind::Constant, Measure::Folded) => Weight::Light,
            _ => Weight::Heavy,
        }
    }

    /// Whether a product of labels of these weights is a multiplication.
    pub(crate) fn multiplies(self, other: Weight) -> bool {
        self.min(other) != Weight::Free && self.max(other) == Weight::Heavy
    }
}

/// What counts as a multiplication.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Measure {
    /// Every product of two labels: the count of the literature.
    Textbook,
    /// A product of two labels neither of which is one or minus one, and not both of which are constants: what is left
    /// to compute when numbers are folded.
    #[default]
    Folded,
}

/// Where the paths begin and end whose labels are multiplied and added in a label.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Ends {
    /// The first vertex.
    pub source: VertexId,
    /// The last vertex.
    pub target: VertexId,
}

/// An entry of the Jacobian.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// The dependent.
    pub row: VertexId,
    /// The independent.
    pub column: VertexId,
    /// What the entry is.
    pub label: LabelId,
}
