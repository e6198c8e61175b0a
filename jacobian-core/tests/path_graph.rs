//! The path graph: the examples of Lyons, "A new graph construction for the optimal Jacobian accumulation problem",
//! with the errors of their figures and texts put right, and what holds of every path graph: contractions and merges
//! keep the polynomial of each entry, and the sum over all cliques of their vertices less one decreases with every
//! contraction.

use std::collections::{BTreeMap, BTreeSet};

use jacobian_core::eliminate::path::Path;
use jacobian_core::eliminate::{self, Mode};
use jacobian_core::evaluate::{MODULUS, Modular};
use jacobian_core::graph::{EdgeId, Graph, Role, VertexId};
use jacobian_core::path_graph::{MAX_PAIRS, PathEdge, PathGraph, PathVertex, TooManyPaths};
use jacobian_core::pipeline::linearize;
use jacobian_core::program::{LabelId, LabelKind, Measure, Operation, Program};
use jacobian_core::{CodeList, Error, Strategy, differentiate};
use jacobian_lab::check::run;

use support::graphs::random_graph;
use support::random::Random;

mod support {
    pub mod graphs;
    pub mod random;
}

/// An example: its path graph, the program so far, and the names of the labels of its graph.
#[derive(Clone)]
struct Example {
    path_graph: PathGraph,
    program: Program,
    letters: Vec<&'static str>,
}

/// Name, source and target of every edge, and the first and the last vertex.
type Edges = &'static [(&'static str, i32, i32)];

const LION: Edges =
    &[("a", -1, 1), ("b", 0, 1), ("c", 1, 6), ("d", 1, 2), ("e", 2, 3), ("f", 2, 4), ("g", 2, 5), ("h", 2, 6)];

/// `y1 = x2 * sin(sqrt(x1))`, `y2 = x2 * cos(sqrt(x1))`.
const EXAMPLE_2: Edges =
    &[("a", -1, 1), ("b", 1, 2), ("c", 1, 3), ("d1", 2, 4), ("d2", 3, 5), ("e", 0, 4), ("f", 0, 5)];

/// `v1 = v-2 * v-1`, `v2 = v-2 * v0`, `v3 = phi(v2)`, `v4 = psi(v1)`, `v5 = v3 * v-1`, `v6 = v4 * v0`.
const EXAMPLE_3: Edges = &[
    ("a1", -1, 1),
    ("b1", -2, 1),
    ("a2", 0, 2),
    ("c1", -2, 2),
    ("e", 2, 3),
    ("d", 1, 4),
    ("b2", 3, 5),
    ("f", -1, 5),
    ("c2", 4, 6),
    ("g", 0, 6),
];

impl Example {
    /// The example whose edges these are; vertices to which none leads are independents, those that none leaves
    /// dependents.
    fn new(edges: Edges) -> Self {
        Example::of(&graph(edges), edges)
    }

    fn of(graph: &Graph, edges: Edges) -> Self {
        let mut program = Program::new(graph);
        let path_graph = PathGraph::new(graph, &mut program).expect("few paths");
        Example { path_graph, program, letters: edges.iter().map(|&(name, ..)| name).collect() }
    }

    /// The name of a label, as the paper writes it: `(c+dh)` is `c` plus `d` times `h`.
    fn name(&self, label: LabelId) -> String {
        let Some(place) = label.index().checked_sub(self.letters.len()) else {
            return self.letters[label.index()].to_string();
        };
        match self.program.accumulations()[place].operation {
            Operation::Product { first, second } => self.name(first) + &self.name(second),
            Operation::Sum { first, second } => {
                let mut names = [self.name(first), self.name(second)];
                names.sort();
                format!("({})", names.join("+"))
            }
            Operation::Negation { of } => format!("-{}", self.name(of)),
            Operation::Absorption { .. } => panic!("path elimination absorbs nothing"),
        }
    }

    fn vertex_name(&self, vertex: PathVertex) -> String {
        self.name(self.path_graph.label(vertex))
    }

    fn vertices(&self) -> BTreeMap<String, PathVertex> {
        let path_graph = &self.path_graph;
        let cliques = (0..path_graph.entry_count()).flat_map(|entry| path_graph.cliques_of_entry(entry));
        cliques.flat_map(|clique| path_graph.clique(clique)).map(|&vertex| (self.vertex_name(vertex), vertex)).collect()
    }

    fn edge(&self, one: &str, other: &str) -> PathEdge {
        let vertices = self.vertices();
        self.path_graph.find_edge(vertices[one], vertices[other]).expect("an edge")
    }

    fn edge_names(&self) -> BTreeSet<String> {
        let joined = |edge| {
            let (first, second) = self.path_graph.ends(edge);
            let mut names = [self.vertex_name(first), self.vertex_name(second)];
            names.sort();
            names.join(" ")
        };
        self.path_graph.edges().map(joined).collect()
    }

    /// For every entry, named `row,column` with `shift` subtracted, its cliques: their vertices, in order.
    fn cliques(&self, shift: u32) -> BTreeMap<String, BTreeSet<String>> {
        let path_graph = &self.path_graph;
        let entry = |entry| {
            let (row, column) = path_graph.row_and_column(entry);
            let place = |vertex: VertexId| vertex.0 as i32 - shift as i32;
            let cliques = path_graph.cliques_of_entry(entry).map(|clique| {
                let vertices = path_graph.clique(clique).iter();
                let mut names: Vec<_> = vertices.map(|&vertex| self.vertex_name(vertex)).collect();
                names.sort();
                names.join(" ")
            });
            (format!("{},{}", place(row), place(column)), cliques.collect())
        };
        (0..path_graph.entry_count()).map(entry).collect()
    }

    fn contract(&mut self, one: &str, other: &str) {
        let edge = self.edge(one, other);
        self.path_graph.contract(edge, &mut self.program);
    }

    fn merge_vertices(&mut self, kept: &str, other: &str) {
        let vertices = self.vertices();
        assert!(self.path_graph.merge_vertices(vertices[kept], vertices[other]));
    }

    /// The state, whatever the order of the contractions that led to it: for every clique of two vertices or more the
    /// entry and the polynomials of the vertices, in order. Single vertices take no more multiplications.
    fn key(&self) -> Vec<(usize, Vec<u64>)> {
        let graph = &self.path_graph;
        let mut key = Vec::new();
        for entry in 0..graph.entry_count() {
            for clique in graph.cliques_of_entry(entry).filter(|&clique| graph.clique(clique).len() > 1) {
                let mut names: Vec<_> = graph.clique(clique).iter().map(|&vertex| graph.fingerprint(vertex)).collect();
                names.sort_unstable();
                key.push((entry, names));
            }
        }
        key.sort_unstable();
        key
    }

    /// The least number of contractions that leave no edge.
    fn least_contractions(&self) -> usize {
        (self.open_entries()..).find(|&limit| self.has_end_within(limit)).expect("every contraction lowers the excess")
    }

    /// Whether some `limit` contractions leave no edge: breadth-first over the states.
    fn has_end_within(&self, limit: usize) -> bool {
        let mut states = BTreeMap::from([(self.key(), self.clone())]);
        for left in (0..limit).rev() {
            let mut next = BTreeMap::new();
            for state in states.values() {
                for edge in state.path_graph.edges() {
                    let mut state = state.clone();
                    state.path_graph.contract(edge, &mut state.program);
                    if state.open_entries() <= left {
                        next.entry(state.key()).or_insert(state);
                    }
                }
            }
            states = next;
        }
        states.values().any(|state| state.path_graph.edge_count() == 0)
    }

    /// The number of different sets of cliques that entries have left: no contraction completes two of them.
    fn open_entries(&self) -> usize {
        let key = self.key();
        let entries = key.chunk_by(|(one, _), (other, _)| one == other);
        let cliques = |entry: &[(usize, Vec<u64>)]| entry.iter().map(|(_, clique)| clique.clone()).collect();
        entries.map(cliques).collect::<BTreeSet<Vec<_>>>().len()
    }
}

fn graph(edges: Edges) -> Graph {
    let first = edges.iter().map(|&(_, source, _)| source).min().expect("an edge");
    let last = edges.iter().map(|&(.., target)| target).max().expect("an edge");
    let mut graph = Graph::default();
    for vertex in first..=last {
        let is_target = edges.iter().any(|&(.., target)| target == vertex);
        let is_source = edges.iter().any(|&(_, source, _)| source == vertex);
        graph.add_vertex(match (is_target, is_source) {
            (false, _) => Role::Independent,
            (true, false) => Role::Dependent,
            (true, true) => Role::Intermediate,
        });
    }
    let place = |vertex: i32| VertexId((vertex - first) as u32);
    for &(_, source, target) in edges {
        graph.add_edge(place(source), place(target), LabelKind::Variable);
    }
    graph
}

fn sets(expected: &[(&str, &[&str])]) -> BTreeMap<String, BTreeSet<String>> {
    let set = |cliques: &[&str]| cliques.iter().map(|clique| clique.to_string()).collect();
    expected.iter().map(|&(entry, cliques)| (entry.to_string(), set(cliques))).collect()
}

#[test]
fn the_path_graph_of_the_lion() {
    let lion = Example::new(LION);
    let expected = [
        ("3,-1", &["a d e"] as &[&str]),
        ("4,-1", &["a d f"]),
        ("5,-1", &["a d g"]),
        ("6,-1", &["a d h", "a c"]),
        ("3,0", &["b d e"]),
        ("4,0", &["b d f"]),
        ("5,0", &["b d g"]),
        ("6,0", &["b d h", "b c"]),
    ];
    assert_eq!(lion.cliques(1), sets(&expected));
    assert_eq!(lion.path_graph.edge_count(), 16);
    let edges = "a c,a d,a e,a f,a g,a h,b c,b d,b e,b f,b g,b h,d e,d f,d g,d h";
    assert_eq!(lion.edge_names(), edges.split(',').map(String::from).collect());
}

#[test]
fn in_the_lion_the_contraction_of_d_and_h_merges_c_and_dh() {
    let mut lion = Example::new(LION);
    lion.contract("d", "h");
    let expected = [
        ("3,-1", &["a d e"] as &[&str]),
        ("4,-1", &["a d f"]),
        ("5,-1", &["a d g"]),
        ("6,-1", &["(c+dh) a"]),
        ("3,0", &["b d e"]),
        ("4,0", &["b d f"]),
        ("5,0", &["b d g"]),
        ("6,0", &["(c+dh) b"]),
    ];
    assert_eq!(lion.cliques(1), sets(&expected));
    assert_eq!(lion.path_graph.edge_count(), 13);
    let edges = "a d,a e,a f,a g,b d,b e,b f,b g,d e,d f,d g,(c+dh) a,(c+dh) b";
    assert_eq!(lion.edge_names(), edges.split(',').map(String::from).collect());
    assert_eq!((lion.program.multiplications(Measure::Textbook), lion.program.additions()), (1, 1));
}

/// After each first contraction in the lion, the number of edges and the vertices that are gone.
#[test]
fn the_first_contractions_in_the_lion() {
    let rows =
        "ac 15|ad 15|ae 16|af 16|ag 16|ah 16|bc 15|bd 15|be 16|bf 16|bg 16|bh 16|de 15 e|df 15 f|dg 15 g|dh 13 h";
    let lion = Example::new(LION);
    let letters: BTreeSet<_> = lion.vertices().into_keys().collect();
    for row in rows.split('|') {
        let mut fields = row.split(' ');
        let (pair, edges) = (fields.next().unwrap(), fields.next().unwrap());
        let mut lion = lion.clone();
        let edge = lion.edge(&pair[..1], &pair[1..]);
        assert_eq!(lion.path_graph.would_merge(edge), pair == "dh", "{row}");
        lion.path_graph.contract(edge, &mut lion.program);
        assert_eq!(lion.path_graph.edge_count(), edges.parse::<usize>().unwrap(), "{row}");
        // The sum c+dh takes the place of c.
        let mut left: BTreeSet<_> = lion.vertices().into_keys().collect();
        if left.contains("(c+dh)") {
            left.insert("c".to_string());
        }
        let gone: Vec<_> = letters.difference(&left).map(String::as_str).collect();
        assert_eq!(gone, fields.collect::<Vec<_>>(), "{row}");
    }
}

#[test]
fn the_lion_takes_11_contractions() {
    assert_eq!(Example::new(LION).least_contractions(), 11);
    let mut lion = Example::new(LION);
    let sequence = "d h,a d,b d,ad e,ad f,ad g,bd e,bd f,bd g,a (c+dh),b (c+dh)";
    for (one, other) in sequence.split(',').filter_map(|pair| pair.split_once(' ')) {
        lion.contract(one, other);
    }
    assert_eq!(lion.path_graph.edge_count(), 0);
    assert_eq!((lion.program.multiplications(Measure::Textbook), lion.program.additions()), (11, 1));
}

#[test]
fn in_example_2_equal_labels_save_a_contraction() {
    let mut example = Example::new(EXAMPLE_2);
    let expected = [("4,-1", &["a b d1"] as &[&str]), ("4,0", &["e"]), ("5,-1", &["a c d2"]), ("5,0", &["f"])];
    assert_eq!(example.cliques(1), sets(&expected));
    assert_eq!((example.path_graph.edge_count(), example.least_contractions()), (6, 4));
    example.merge_vertices("d1", "d2");
    assert_eq!((example.path_graph.edge_count(), example.least_contractions()), (5, 3));
    example.contract("a", "d1");
    example.contract("ad1", "b");
    example.contract("ad1", "c");
    assert_eq!(example.path_graph.edge_count(), 0);
}

#[test]
fn the_vertex_merges_of_example_3() {
    let mut example = Example::new(EXAMPLE_3);
    let expected = [
        ("5,-2", &["b2 c1 e"] as &[&str]),
        ("5,-1", &["f"]),
        ("5,0", &["a2 b2 e"]),
        ("6,-2", &["b1 c2 d"]),
        ("6,-1", &["a1 c2 d"]),
        ("6,0", &["g"]),
    ];
    assert_eq!(example.cliques(2), sets(&expected));
    assert_eq!((example.path_graph.edge_count(), example.least_contractions()), (10, 6));
    for (kept, other, edges) in [("a1", "a2", 10), ("b1", "b2", 10), ("c1", "c2", 9)] {
        example.merge_vertices(kept, other);
        assert_eq!((example.path_graph.edge_count(), example.least_contractions()), (edges, 6), "{kept}");
    }
    let expected = [
        ("5,-2", &["b1 c1 e"] as &[&str]),
        ("5,-1", &["f"]),
        ("5,0", &["a1 b1 e"]),
        ("6,-2", &["b1 c1 d"]),
        ("6,-1", &["a1 c1 d"]),
        ("6,0", &["g"]),
    ];
    assert_eq!(example.cliques(2), sets(&expected));
}

/// The least number of contractions for a function, as linearized.
fn least_contractions(function: &str) -> usize {
    let function: CodeList = function.parse().expect("a code list");
    let linearization = linearize(&function);
    let mut program = linearization.program.clone();
    let path_graph = PathGraph::new(&linearization.graph, &mut program).expect("few paths");
    Example { path_graph, program, letters: Vec::new() }.least_contractions()
}

#[test]
fn linearization_finds_equal_labels() {
    let example_2 = "
        input x1 x2
        root = sqrt(x1)
        s = sin(root)
        c = cos(root)
        y1 = s * x2
        y2 = c * x2
        output y1 y2
    ";
    assert_eq!(least_contractions(example_2), 3);
    // The two terms of a sum have the same label, one: so the partials of both are added before anything is multiplied.
    let sum = "
        input x z
        a = sin(x)
        b = exp(x)
        s = a + b
        y = s * z
        output y
    ";
    assert_eq!(least_contractions(sum), 2);
    // So they are in a difference, where the one is subtracted.
    assert_eq!(least_contractions(&sum.replace('+', "-")), 2);
    // What is subtracted from one entry and added to another does not merge, but it is multiplied once.
    let both = sum.replace("y = s * z", "t = a - b\ny = s * z\nw = t * z").replace("output y", "output y w");
    assert_eq!(least_contractions(&both), 3);
}

/// `y1 = x2 * cos(sqrt(x1))`, and `y2`, which depends on the cosine by minus its other partial: what is multiplied for
/// the one serves for the other with a sign.
#[test]
fn labels_that_are_equal_up_to_sign_are_one() {
    let function = "
        input x1 x2
        root = sqrt(x1)
        a = cos(root)
        b = sin(root)
        y1 = a * x2
        minus = -x2
        c = exp(root)
        y2 = minus * c
        output y1 y2
    ";
    let function: CodeList = function.parse().expect("a code list");
    let path: Strategy = "path: cliques > reverse".parse().expect("a strategy");
    let reverse: Strategy = "reverse".parse().expect("a strategy");
    let multiplications = |strategy: &Strategy| {
        let (_, elimination) = strategy.eliminate(&linearize(&function)).expect("few paths");
        elimination.program.multiplications(Measure::Folded)
    };
    assert_eq!((multiplications(&reverse), multiplications(&path)), (4, 3));
    for strategy in [&path, &reverse] {
        let derivative = differentiate(&function, strategy).expect("few paths").derivative;
        let outputs = jacobian_lab::check::float_values(&derivative.list, derivative.list.outputs(), &[0.7, 1.3], &[]);
        let root = 0.7_f64.sqrt();
        let expected = [-1.3 * root.sin() / (2.0 * root), root.cos(), -1.3 * root.exp() / (2.0 * root), -root.exp()];
        for (actual, expected) in outputs[2..].iter().zip(expected) {
            assert!((actual - expected).abs() < 1e-15, "{actual} {expected}");
        }
    }
}

/// Two paths with the labels `k` and `m`: their vertices may not be merged, or one of the paths would be lost.
#[test]
fn two_paths_with_equal_labels_count_twice() {
    const DIAMOND: Edges = &[("k1", 0, 1), ("k2", 0, 2), ("m1", 1, 3), ("m2", 2, 3)];
    let mut graph = graph(DIAMOND);
    graph.share_label(EdgeId(1), LabelId(0));
    graph.share_label(EdgeId(3), LabelId(2));
    let mut diamond = Example::of(&graph, DIAMOND);
    // The two k are one vertex, and so the two m may not be. They merge into their sum.
    assert_eq!(diamond.cliques(0), sets(&[("3,0", &["(m1+m1) k1"])]));
    diamond.contract("k1", "(m1+m1)");
    let values = run(&diamond.program, vec![3, 3, 5, 5], Modular::add, Modular::mul, Modular::neg);
    assert_eq!(values[diamond.path_graph.entries()[0].label.index()], 30);
}

/// A path with the label `k` twice: its vertices may not be merged, or the square would be lost.
#[test]
fn a_path_with_a_label_twice_has_its_square() {
    const CHAIN: Edges = &[("k1", 0, 1), ("k2", 1, 2)];
    let mut graph = graph(CHAIN);
    graph.share_label(EdgeId(1), LabelId(0));
    let mut chain = Example::of(&graph, CHAIN);
    assert_eq!(chain.path_graph.edge_count(), 1);
    let edge = chain.path_graph.edges().next().expect("an edge");
    chain.path_graph.contract(edge, &mut chain.program);
    let values = run(&chain.program, vec![7, 7], Modular::add, Modular::mul, Modular::neg);
    assert_eq!(values[chain.path_graph.entries()[0].label.index()], 49);
}

/// Copies are left out, where something else tells the paths apart.
#[test]
fn two_paths_of_copies_count_twice() {
    let mut graph = Graph::default();
    let roles = [Role::Independent, Role::Intermediate, Role::Intermediate, Role::Dependent];
    let vertices = roles.map(|role| graph.add_vertex(role));
    for (source, target) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
        graph.add_edge(vertices[source], vertices[target], LabelKind::Copy);
    }
    let program = Program::new(&graph);
    let reverse: Vec<_> = Path::HEURISTICS.iter().filter(|row| row.name == "reverse").collect();
    let program = eliminate::run(&graph, &reverse, program, usize::MAX).expect("few paths").program;
    let values = run(&program, vec![1; 4], Modular::add, Modular::mul, Modular::neg);
    assert_eq!(program.entries().iter().map(|entry| values[entry.label.index()]).collect::<Vec<_>>(), [2]);
    assert_eq!(program.multiplications(Measure::Textbook), 0);
}

#[test]
fn the_key_of_a_state_is_that_of_its_polynomials() {
    let (mut left, mut right) = (Example::new(LION), Example::new(LION));
    left.contract("a", "d");
    left.contract("ad", "e");
    right.contract("d", "e");
    assert_ne!(left.key(), right.key());
    right.contract("a", "d");
    right.contract("a", "de");
    left.contract("d", "e");
    assert_eq!(left.key(), right.key());
}

/// `x -> v` and `x -> w -> v`, time and again: the number of paths doubles with every stage.
#[test]
fn too_many_paths_are_refused() {
    let mut function = "input x\nv0 = sin(x)\n".to_string();
    for stage in 1..40 {
        let before = stage - 1;
        function += &format!("w{stage} = exp(v{before})\nv{stage} = v{before} * w{stage}\n");
    }
    let function: CodeList = (function + "output v39\n").parse().expect("a code list");
    let linearization = linearize(&function);
    let refusal = PathGraph::new(&linearization.graph, &mut linearization.program.clone()).err();
    assert_eq!(refusal, Some(TooManyPaths));
    let strategy: Strategy = "path: forward".parse().expect("a strategy");
    let error = differentiate(&function, &strategy).expect_err("too many paths");
    assert_eq!(error, Error::TooManyPaths { limit: MAX_PAIRS });
    assert!(error.to_string().contains("the mode `path` is for small functions"), "{error}");
}

/// A random graph, some of whose edges share labels, perhaps with the other sign, and values of the labels modulo
/// 2^61 - 1.
fn graph_with_equal_labels(random: &mut Random) -> (Graph, Vec<u64>) {
    let intermediates = random.below(7);
    let mut graph = random_graph(random, intermediates);
    let kinds = graph.kinds().to_vec();
    let value = |&kind: &LabelKind| if kind == LabelKind::Copy { 1 } else { random.bits() % MODULUS };
    let mut values: Vec<_> = kinds.iter().map(value).collect();
    let sharing = random.below(4);
    for (edge, kind) in kinds.iter().enumerate() {
        let equal = random.below(edge + 1);
        if *kind != LabelKind::Copy && kinds[equal] == *kind && random.below(4) < sharing {
            let label = graph.edge(EdgeId(equal as u32)).label;
            let own = LabelId(edge as u32);
            match graph.opposite(label).is_none() && equal < edge && random.below(3) == 0 {
                true => {
                    graph.set_opposite(own, label);
                    values[edge] = Modular::neg(values[label.index()]);
                }
                false => graph.share_label(EdgeId(edge as u32), label),
            }
        }
    }
    (graph, values)
}

/// The sum over all paths, for every entry that is not zero by structure.
fn path_sums(graph: &Graph, values: &[u64]) -> BTreeMap<(VertexId, VertexId), u64> {
    let mut entries = BTreeMap::new();
    for column in graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Independent) {
        let mut sums: Vec<Option<u64>> = vec![None; graph.vertex_count()];
        sums[column.index()] = Some(1);
        for vertex in graph.vertices() {
            let Some(sum) = sums[vertex.index()] else { continue };
            for edge in graph.outgoing(vertex).iter().map(|&edge| graph.edge(edge)) {
                let product = Modular::mul(sum, values[edge.label.index()]);
                let target = &mut sums[edge.target.index()];
                *target = Some(Modular::add(target.unwrap_or(0), product));
            }
            if graph.role(vertex) == Role::Dependent {
                entries.insert((vertex, column), sum);
            }
        }
    }
    entries
}

/// The polynomials of the entries, at `values`.
fn polynomials(path_graph: &PathGraph, program: &Program, values: &[u64]) -> BTreeMap<(VertexId, VertexId), u64> {
    let labels = run(program, values.to_vec(), Modular::add, Modular::mul, Modular::neg);
    let product = |clique: usize| {
        let factors = path_graph.clique(clique).iter().map(|&vertex| labels[path_graph.label(vertex).index()]);
        let product = factors.fold(1, Modular::mul);
        if path_graph.is_negative(clique) { Modular::neg(product) } else { product }
    };
    let sum = |entry| path_graph.cliques_of_entry(entry).map(product).fold(0, Modular::add);
    (0..path_graph.entry_count()).map(|entry| (path_graph.row_and_column(entry), sum(entry))).collect()
}

/// The edges, counted from the cliques.
fn joined(path_graph: &PathGraph) -> BTreeSet<(PathVertex, PathVertex)> {
    let cliques = (0..path_graph.entry_count()).flat_map(|entry| path_graph.cliques_of_entry(entry));
    let pairs = |clique| {
        let vertices = path_graph.clique(clique);
        vertices.iter().flat_map(move |&a| vertices.iter().filter(move |&&b| a < b).map(move |&b| (a, b)))
    };
    cliques.flat_map(pairs).collect()
}

#[test]
fn contractions_keep_the_polynomials_and_lower_the_excess() {
    for seed in 0..4_000 {
        let random = &mut Random::new(seed);
        let (graph, values) = graph_with_equal_labels(random);
        let expected = path_sums(&graph, &values);
        let mut program = Program::new(&graph);
        let mut path_graph = PathGraph::new(&graph, &mut program).expect("few paths");
        loop {
            assert_eq!(polynomials(&path_graph, &program, &values), expected, "seed {seed}");
            let edges: Vec<_> = path_graph.edges().collect();
            let mut ends: Vec<_> = edges.iter().map(|&edge| path_graph.ends(edge)).collect();
            ends.iter_mut().for_each(|(a, b)| (*a, *b) = (*a.min(b), *a.max(b)));
            assert_eq!((ends.into_iter().collect(), edges.len()), (joined(&path_graph), path_graph.edge_count()));
            if edges.is_empty() {
                break;
            }
            let excess = path_graph.excess();
            path_graph.contract(edges[random.below(edges.len())], &mut program);
            assert!(path_graph.excess() < excess, "seed {seed}");
        }
        let labels = run(&program, values.clone(), Modular::add, Modular::mul, Modular::neg);
        let entries = path_graph.entries().into_iter();
        let actual: BTreeMap<_, _> =
            entries.map(|entry| ((entry.row, entry.column), labels[entry.label.index()])).collect();
        assert_eq!(actual, expected, "seed {seed}");
    }
}

/// The loop renews only the keys that a step can have changed. That must be right with equal labels, too; here, all
/// keys are computed anew at every step.
#[test]
fn the_loop_follows_the_filters_where_labels_are_equal() {
    let reverse = Path::HEURISTICS.iter().find(|row| row.name == "reverse").expect("a filter");
    for seed in 0..500 {
        let (graph, _) = graph_with_equal_labels(&mut Random::new(seed));
        for row in Path::HEURISTICS {
            let mut program = Program::new(&graph);
            let elimination = eliminate::run(&graph, &[row, reverse], program.clone(), usize::MAX).expect("few paths");
            let mut mode = Path::new(&graph, &mut program).expect("few paths");
            for &target in &elimination.sequence {
                let key = |pair: &PathEdge| ((row.key)(&mode, *pair), (reverse.key)(&mode, *pair));
                let best = mode.targets().into_iter().min_by_key(key).expect("a target");
                assert_eq!(mode.describe(best), target, "seed {seed}, filter {}", row.name);
                mode.eliminate(best, &mut program);
            }
            assert_eq!(mode.targets(), []);
        }
    }
}

#[test]
fn a_sequence_names_the_labels_as_the_program_does() {
    let graph = graph(LION);
    let merge: Vec<_> = Path::HEURISTICS.iter().filter(|row| ["merge", "forward"].contains(&row.name)).collect();
    let elimination =
        eliminate::run(&graph, &[merge[1], merge[0]], Program::new(&graph), usize::MAX).expect("few paths");
    let text = elimination.to_string();
    assert!(text.starts_with("{c[2,3],c[3,7]} {c[0,2],c[2,3]} {c[1,2],c[2,3]} {t3,c[3,4]}"), "{text}");
    assert_eq!(elimination.program.multiplications(Measure::Textbook), 11, "{text}");
}
