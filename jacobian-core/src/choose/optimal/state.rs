//! What a search needs to know of the states of a mode: whether two are the same, and what the rest costs at least.

use std::collections::HashMap;

use jacobian_list::modular::{MODULUS, Modular, split_mix};

use crate::choose::bound::{Cuts, Weight};
use crate::choose::optimal::parts;
use crate::choose::optimal::routes::{Routes, size_of_matching};
use crate::eliminate::Mode;
use crate::eliminate::edge::{Edge, EdgeTarget};
use crate::eliminate::face::Face;
use crate::eliminate::path::Path;
use crate::graph::dual_graph::{DualVertex, FaceId};
use crate::graph::path_graph::{PathEdge, PathGraph, PathVertex};
use crate::graph::program::{LabelId, Measure, Operation, Program};
use crate::graph::{Role, VertexId};

/// A mode whose states can be told apart and bounded.
pub trait Searchable: Mode + Clone {
    /// Whether the two labels of every product meet at a vertex, and those of two edges are never taken for one, so
    /// that the bound of [`crate::choose::bound`] holds.
    const IS_LOCAL: bool;

    /// A number that two states share only if the rest costs the same in both. `values` are those of the labels of
    /// `program`.
    fn key(&self, program: &Program, values: &Values, measure: Measure) -> u128;

    /// What the rest costs at least.
    fn rest(&self, program: &Program, measure: Measure) -> Rest;

    /// Targets with one of which some best rest begins; none only where there is none at all.
    fn first_targets(&self) -> Vec<Self::Target> {
        self.targets()
    }

    /// The vertex at which the two labels of all products of this step meet, in a local mode.
    fn centre(&self, target: Self::Target) -> Option<VertexId>;
}

/// What the rest of an elimination costs at least. These are two bounds on the same, not to be added.
pub struct Rest {
    /// By vertex: the multiplications of labels that meet there; empty where the mode is not local.
    pub at_vertices: Vec<usize>,
    /// The multiplications that entries of the Jacobian need.
    pub for_entries: usize,
}

impl Searchable for Edge {
    const IS_LOCAL: bool = true;

    /// The edges that lead from an independent to a dependent take part in nothing more.
    fn key(&self, program: &Program, _: &Values, measure: Measure) -> u128 {
        let graph = self.graph();
        let edges = graph.vertices().flat_map(|vertex| graph.outgoing(vertex)).map(|&edge| graph.edge(edge));
        let is_final = |role, other| role == Role::Independent && other == Role::Dependent;
        let edges = edges.filter(|edge| !is_final(graph.role(edge.source), graph.role(edge.target)));
        let number = |edge: crate::graph::Edge| {
            let weight = Weight::of(program.kind(edge.label), measure);
            mixed(&[u64::from(edge.source.0), u64::from(edge.target.0), weight as u64])
        };
        edges.map(number).fold(0, u128::wrapping_add)
    }

    fn rest(&self, program: &Program, measure: Measure) -> Rest {
        let graph = self.graph();
        let inner: Vec<_> = graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Intermediate).collect();
        let bounds = Cuts::new(graph, program, measure).lower_bounds(&inner);
        let mut at_vertices = vec![0; graph.vertex_count()];
        for (vertex, bound) in inner.iter().zip(bounds) {
            at_vertices[vertex.index()] = bound;
        }
        Rest { at_vertices, for_entries: Routes::of_graph(graph, program, measure).multiplications(|_| None) }
    }

    fn centre(&self, target: EdgeTarget) -> Option<VertexId> {
        Some(Edge::centre(self, target))
    }
}

impl Searchable for Face {
    const IS_LOCAL: bool = true;

    /// The dual graph, in which a dual vertex is named by its ends and its value: with the same ends, different paths
    /// have different values. What has no intermediate face takes part in nothing more.
    fn key(&self, _: &Program, values: &Values, _: Measure) -> u128 {
        let dual = self.dual();
        let number = |target| {
            let face = dual.face(target);
            let name = |vertex| {
                let DualVertex { ends, label } = dual.vertex(vertex);
                let [a, b] = values.of(label.expect("an intermediate face touches no source and no sink"));
                [u64::from(ends.source.0), u64::from(ends.target.0), a, b]
            };
            mixed(&[name(face.source), name(face.target)].concat())
        };
        self.targets().into_iter().map(number).fold(0, u128::wrapping_add)
    }

    fn rest(&self, program: &Program, measure: Measure) -> Rest {
        let routes = Routes::of_dual_graph(self.dual(), program, measure);
        let parts = parts::of_columns(self.dual());
        let for_entries = routes.multiplications(|column| parts[column.index()]);
        Rest { at_vertices: routes.final_products(), for_entries }
    }

    fn first_targets(&self) -> Vec<FaceId> {
        parts::smallest(self.dual())
    }

    fn centre(&self, target: FaceId) -> Option<VertexId> {
        Some(self.dual().centre(target))
    }
}

impl Searchable for Path {
    const IS_LOCAL: bool = false;

    /// For every entry its cliques with their signs, in which a vertex is named by its polynomial, and by its number
    /// where there is another vertex with the same. Single vertices take no more multiplications.
    fn key(&self, _: &Program, _: &Values, _: Measure) -> u128 {
        let graph = self.graph();
        let cliques = open_cliques(graph);
        let mut vertices = Vec::new();
        for (.., clique) in &cliques {
            vertices.extend_from_slice(clique);
        }
        vertices.sort_unstable();
        vertices.dedup();
        let mut namesakes: HashMap<u64, usize> = HashMap::new();
        for vertex in vertices {
            *namesakes.entry(graph.fingerprint(vertex)).or_default() += 1;
        }
        let name = |&vertex: &PathVertex| {
            let fingerprint = graph.fingerprint(vertex);
            let is_alone = namesakes[&fingerprint] == 1;
            mixed(&[fingerprint, if is_alone { 0 } else { u64::from(vertex.0) + 1 }])
        };
        let number = |&(entry, is_negative, clique): &(usize, bool, &[PathVertex])| {
            let vertices = clique.iter().map(name).fold(0, u128::wrapping_add);
            mixed(&[entry as u64, u64::from(is_negative), vertices as u64, (vertices >> 64) as u64])
        };
        cliques.iter().map(number).fold(0, u128::wrapping_add)
    }

    /// A clique of `n` vertices takes `n - 1` contractions, whatever else they contract. Where cliques are whole paths,
    /// the arguments for the entries hold, too: before the final product, at least one vertex is multiplied that has
    /// the first or the last edge of a path of three or more, and only cliques of the same column have the one, of the
    /// same row the other. Nothing counts where products may be free.
    fn rest(&self, program: &Program, measure: Measure) -> Rest {
        let graph = self.graph();
        let cliques = open_cliques(graph);
        let is_heavy = |&vertex: &PathVertex| Weight::of(program.kind(graph.label(vertex)), measure) == Weight::Heavy;
        if !cliques.iter().flat_map(|&(.., clique)| clique).all(is_heavy) {
            return Rest { at_vertices: Vec::new(), for_entries: 0 };
        }
        let (mut open, mut long, mut longest) = (0, Vec::new(), 0);
        for cliques in cliques.chunk_by(|(one, ..), (other, ..)| one == other) {
            let length = cliques.iter().map(|(.., clique)| clique.len()).max().unwrap_or(0);
            open += 1;
            longest = longest.max(length - 1);
            if length > 2 {
                long.push(graph.row_and_column(cliques[0].0));
            }
        }
        let for_entries = if graph.is_plain() { longest.max(open + size_of_matching(&long)) } else { longest };
        Rest { at_vertices: Vec::new(), for_entries }
    }

    fn centre(&self, _: PathEdge) -> Option<VertexId> {
        None
    }
}

/// The cliques in which there is something to contract, with the numbers of their entries, in the order of these, and
/// whether they are subtracted.
fn open_cliques(graph: &PathGraph) -> Vec<(usize, bool, &[PathVertex])> {
    let mut cliques = Vec::new();
    for entry in 0..graph.entry_count() {
        for number in graph.cliques_of_entry(entry) {
            let clique = graph.clique(number);
            if clique.len() > 1 {
                cliques.push((entry, graph.is_negative(number), clique));
            }
        }
    }
    cliques
}

/// The values of labels for random values of those that are given, in two fields of 2^61 - 1 elements.
///
/// A label is a polynomial in the given ones, of a degree below the number of vertices. Two different polynomials of
/// degree `d` agree at a random point of both fields with a probability of at most `(d / 2^61)^2`, so among `10^7`
/// labels of degree 100 two are confused with one of `10^-17`. And two labels that are confused make a wrong proof only
/// where the states around them are equal otherwise.
#[derive(Clone)]
pub struct Values(Vec<[u64; 2]>);

impl Values {
    /// The values of all labels of `program`.
    pub(super) fn new(program: &Program) -> Self {
        let given = 0..program.given() as u64;
        let random = |number: u64| [0, 1].map(|field| mixed(&[number, field]) as u64 % MODULUS);
        let mut values = Values(given.map(random).collect());
        values.extend(program);
        values
    }

    /// Adds those of the labels that are new in `program`.
    pub(super) fn extend(&mut self, program: &Program) {
        for accumulation in &program.accumulations()[self.0.len() - program.given()..] {
            let value = |field: usize| {
                let of = |label: LabelId| self.of(label)[field];
                match accumulation.operation {
                    Operation::Product { first, second } => Modular::mul(of(first), of(second)),
                    Operation::Absorption { addend, first, second } => {
                        Modular::add(of(addend), Modular::mul(of(first), of(second)))
                    }
                    Operation::Sum { first, second } => Modular::add(of(first), of(second)),
                    Operation::Negation { of: label } => Modular::neg(of(label)),
                }
            };
            let both = [value(0), value(1)];
            self.0.push(both);
        }
    }

    /// The values of a label.
    pub fn of(&self, label: LabelId) -> [u64; 2] {
        self.0[label.index()]
    }
}

/// A number without pattern, by two rounds of SplitMix64 over the words.
fn mixed(words: &[u64]) -> u128 {
    let half = |seed: u64| words.iter().fold(seed, |state, &word| split_mix(state ^ split_mix(word ^ seed)));
    u128::from(half(0x243f_6a88_85a3_08d3)) << 64 | u128::from(half(0x1319_8a2e_0370_7344))
}
