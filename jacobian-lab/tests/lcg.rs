//! Proves that the accumulation code of a graph, as it is listed, is the sum over all paths and has the operations that
//! are counted; and that the example `lcg` prints what it promises.

use jacobian_core::accumulate::accumulate;
use jacobian_core::cost::OperationCount;
use jacobian_core::evaluate::MODULUS;
use jacobian_core::graph::VertexId;
use jacobian_core::linearize::Linearization;
use jacobian_core::{CodeList, Derivative};
use jacobian_lab::check::{bauer, modular_labels, modular_values};
use jacobian_lab::lcg::LabelledGraph;
use jacobian_lab::listing::listing;

use example::answer;
use support::random::Random;
use support::strategies::hierarchies;
use support::texts::random_text;

#[path = "../examples/lcg/main.rs"]
#[allow(dead_code, reason = "its `main` runs without the tests")]
mod example;

mod support {
    #[allow(dead_code, reason = "other tests need more of it")]
    #[path = "../../../jacobian-core/tests/support/random.rs"]
    pub mod random;
    #[path = "../../../jacobian-core/tests/support/strategies.rs"]
    pub mod strategies;
    pub mod texts;
}

const GRAPHS: u64 = 1_000;

/// The numbers of `*`, and of `+` and `-` between operands, in a listing.
fn operators(listing: &str) -> (usize, usize) {
    let count = |operator| listing.matches(operator).count();
    (count("*"), count(" + ") + count(" - "))
}

/// The entries that have a line in a listing, sorted; one that has two stands twice.
fn entry_lines(listing: &str) -> Vec<&str> {
    let names = listing.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    let mut names: Vec<_> = names.filter(|name| name.starts_with('J')).collect();
    names.sort_unstable();
    names
}

/// A passive value and a number modulo 2^61 - 1 for it.
fn random_labels(list: &CodeList, random: &mut Random) -> Vec<(String, u64)> {
    let passive = list.ids().filter(|&id| list.is_passive(id));
    passive.map(|id| (list.name(id).expect("a name").to_string(), random.bits() % MODULUS)).collect()
}

/// The Jacobian that a listing computes, row by row; an entry without a line is zero.
fn evaluate_listing(graph: &LabelledGraph, listing: &str, labels: &[(String, u64)]) -> Vec<Vec<u64>> {
    let names = entry_lines(listing);
    let declarations: String = labels.iter().map(|(name, _)| format!("passive {name}: float\n")).collect();
    let outputs: String = names.iter().map(|name| format!("output {name}\n")).collect();
    let text = format!("{declarations}{listing}{outputs}");
    let code: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let values: Vec<_> = labels.iter().map(|&(_, value)| value).collect();
    let outputs = modular_values(&code, code.outputs(), &[], &values);
    let entry = |row: &VertexId, column: &VertexId| {
        let name = format!("J[{},{}]", row.0, column.0);
        names.iter().position(|known| *known == name).map_or(0, |position| outputs[position])
    };
    let row = |row| graph.independents().iter().map(|column| entry(row, column)).collect();
    graph.dependents().iter().map(row).collect()
}

/// A graph, accumulated and listed.
struct Listed {
    graph: LabelledGraph,
    linearization: Linearization,
    derivative: Derivative,
    listing: String,
    /// For messages.
    context: String,
}

/// Random graphs with labels of these kinds, under all strategies in turn.
fn listed_graphs(kinds: &[&str], check: impl Fn(Listed, &mut Random)) {
    let hierarchies = hierarchies();
    for (seed, strategy) in (0..GRAPHS).zip(hierarchies.iter().cycle()) {
        let random = &mut Random::new(seed);
        let text = random_text(kinds, random);
        let graph: LabelledGraph = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let linearization = graph.linearize();
        let (_, elimination) = strategy.eliminate(&linearization).expect("a small graph");
        let derivative = accumulate(linearization.clone(), &elimination.program);
        let entries = graph.entries(&derivative);
        let listing = listing(&derivative.list, &entries);
        let context = format!("under `{strategy}`\n{text}\n{listing}");
        let mut names: Vec<_> = entries.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(entry_lines(&listing), names, "{context}");
        check(Listed { graph, linearization, derivative, listing, context }, random);
    }
}

#[test]
fn listings_have_the_operations_that_are_counted() {
    let kinds = ["var", "var", "one", "minus_one", "const=-0.3", "const=0.1", "const=7"];
    listed_graphs(&kinds, |Listed { derivative, listing, context, .. }, _| {
        let operations = OperationCount::of(&derivative.list);
        assert_eq!(operators(&listing), (operations.multiplications, operations.additions), "{context}");
    });
}

/// With constants that no product or sum of them rounds: a listing has what comes of constants as rounded numbers.
#[test]
fn listings_compute_the_sum_over_all_paths() {
    let kinds = ["var", "var", "one", "minus_one", "const=-0.5", "const=2"];
    listed_graphs(&kinds, |Listed { graph, linearization, listing, context, .. }, random| {
        let labels = random_labels(linearization.algebra.list(), random);
        let columns: Vec<_> = linearization.columns.iter().map(|_| 0).collect();
        let values: Vec<_> = labels.iter().map(|&(_, value)| value).collect();
        let jacobian = bauer(&linearization, &modular_labels(&linearization, &columns, &values));
        assert_eq!(evaluate_listing(&graph, &listing, &labels), jacobian, "{context}");
    });
}

/// The benchmark graphs.
const BENCHMARKS: &[&str] = &["lion", "bat", "humanheartdipole", "propanecombustion", "robotarm_6dof", "roeflux_1d"];

fn file(name: &str) -> String {
    format!("{}/benchmarks/{name}.lcg", env!("CARGO_MANIFEST_DIR"))
}

/// What the example prints for a benchmark graph.
fn printed(name: &str, options: &[&str]) -> String {
    let arguments = [file(name)].into_iter().chain(options.iter().map(|option| option.to_string()));
    answer(arguments).unwrap_or_else(|message| panic!("{message}"))
}

/// The number in a line `KEY NUMBER`.
fn number(text: &str, key: &str) -> usize {
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no `{key}` in\n{text}"))
}

#[test]
fn the_example_prints_counts_and_the_program() {
    let text = printed("lion", &["--strategy", "vertex: reverse", "--program"]);
    let counts = ["multiplications", "additions", "textbook", "lower-bound", "least-edges"];
    assert_eq!(counts.map(|key| number(&text, key)), [12, 1, 12, 8, 6]);
    let program: Vec<_> = text.lines().filter(|line| line.contains('=')).collect();
    assert_eq!(
        program,
        [
            "t1 = c[2,3]*c[3,4]",
            "t2 = c[2,3]*c[3,5]",
            "t3 = c[2,3]*c[3,6]",
            "t4 = c[2,7] + c[2,3]*c[3,7]",
            "J[4,0] = c[0,2]*t1",
            "J[5,0] = c[0,2]*t2",
            "J[6,0] = c[0,2]*t3",
            "J[7,0] = c[0,2]*t4",
            "J[4,1] = c[1,2]*t1",
            "J[5,1] = c[1,2]*t2",
            "J[6,1] = c[1,2]*t3",
            "J[7,1] = c[1,2]*t4",
        ]
    );
}

/// The rest of the line that begins with `KEY`.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '))
}

#[test]
fn the_sequence_can_be_given_back() {
    for name in ["lion", "bat"] {
        for strategy in [
            "auto",
            "vlr",
            "edge: sibling",
            "face: absorb",
            "path: cliques",
            "edge: search(steps = 50)",
            "edge: optimal",
            "path: search(steps = 20)",
        ] {
            let text = printed(name, &["--strategy", strategy]);
            let sequence = value(&text, "sequence").unwrap_or_else(|| panic!("no sequence of {strategy} in\n{text}"));
            let again = printed(name, &["--strategy", sequence]);
            // A search has another elimination for the textbook count, and names a vertex where an order has its parts.
            let of_search = ["multiplications", "additions", "absorptions"];
            let of_others = ["textbook", "siblings", "neighbours", "sequence"];
            let others = if strategy.contains("search") { &of_others[..0] } else { &of_others };
            for key in of_search.iter().chain(others) {
                assert_eq!(value(&again, key), value(&text, key), "{strategy}\n{text}\n{again}");
            }
        }
    }
    assert_eq!(value(&printed("lion", &["--strategy", "reverse"]), "sequence"), Some("vertex: order(3, 2)"));
    assert_eq!(value(&printed("lion", &["--strategy", "paths"]), "sequence"), None);
}

#[test]
fn the_example_prints_how_local_an_elimination_is() {
    let text = printed("lion", &["--strategy", "vertex: order(2, 3)"]);
    // The two products of 3 and its predecessors go to the edges to 7 that 2 has made; 12 of them use 19 labels again.
    let figures = ["siblings", "neighbours", "absorptions"].map(|key| number(&text, key));
    assert_eq!(figures, [2, 1, 2], "{text}");
    assert!(value(&text, "reuse-distance").is_some_and(|distance| distance.parse::<f64>().is_ok()), "{text}");
}

#[test]
fn an_order_that_does_not_fit_is_an_error() {
    let error = |order: &str| answer([file("lion"), "--strategy".into(), order.into()].into_iter()).unwrap_err();
    assert_eq!(error("vertex: order(3)"), "`vertex: order(...)` is not complete: 2 (`v2`) is left");
    assert!(error("vertex: order(3, x)").starts_with("--strategy: `x` is no target; the mode `vertex` orders"));
}

#[test]
fn the_example_says_what_is_optimal() {
    for (name, strategy, optimal, bound) in [
        ("robotarm_6dof", "markowitz", "yes", 221),
        ("robotarm_6dof", "reverse", "no", 221),
        ("humanheartdipole", "markowitz", "yes", 148),
        ("propanecombustion", "markowitz", "yes", 88),
        // Edges take fewer multiplications than vertices.
        ("lion", "markowitz", "unknown", 8),
        ("lion", "vertex: optimal", "yes", 8),
    ] {
        let text = printed(name, &["--strategy", strategy]);
        assert_eq!(number(&text, "lower-bound"), bound, "{name} under `{strategy}`");
        assert!(text.contains(&format!("\noptimal {optimal}\n")), "{name} under `{strategy}`\n{text}");
    }
}

#[test]
fn searches_make_each_count_small() {
    let fixed = printed("roeflux_1d", &["--strategy", "vertex: pre > reverse"]);
    let text = printed("roeflux_1d", &["--strategy", "search", "--steps", "1000"]);
    for key in ["multiplications", "textbook"] {
        assert!(number(&text, key) < number(&fixed, key), "{key}");
    }
}

#[test]
fn the_printed_program_has_the_printed_counts() {
    for name in BENCHMARKS {
        for strategy in ["vertex: pre > reverse", "edge: markowitz", "face: reverse"] {
            let text = printed(name, &["--strategy", strategy, "--program"]);
            let counts = (number(&text, "multiplications"), number(&text, "additions"));
            assert_eq!(operators(&text), counts, "{name} under `{strategy}`");
        }
    }
}

#[test]
fn the_example_draws_the_graph_before_and_after() {
    let text = printed("lion", &["--strategy", "reverse", "--dot"]);
    let pictures: Vec<_> = text.split_inclusive("\n}\n").collect();
    assert!(pictures.len() == 2 && pictures.iter().all(|picture| picture.starts_with("digraph {\n")), "{text}");
    for (picture, nodes, edge) in [
        (pictures[0], "0 box, 1 box, 2 circle, 3 circle", "    3 -> 7 [ label = \"c[3,7]\" ]\n"),
        (pictures[1], "0 box, 1 box", "    1 -> 7 [ label = \"J[7,1]\" ]\n"),
    ] {
        let shapes = picture.lines().filter_map(|line| line.split_once("shape = "));
        let node = |(front, shape): (&str, &str)| {
            let number = front.split_whitespace().next().expect("a line begins with a number");
            format!("{number} {}", shape.trim_end_matches(']'))
        };
        let shown: Vec<_> = shapes.map(node).collect();
        assert_eq!(
            shown.join(", "),
            format!("{nodes}, 4 doublecircle, 5 doublecircle, 6 doublecircle, 7 doublecircle")
        );
        assert_eq!(picture.matches(" -> ").count(), 8, "{picture}");
        assert!(picture.contains(edge), "{picture}");
    }
}

#[test]
fn the_comparison_has_a_line_for_every_strategy() {
    let text = printed("bat", &["--compare"]);
    for strategy in hierarchies() {
        assert!(text.lines().any(|line| line.starts_with(&format!("{strategy} "))), "`{strategy}` is not in\n{text}");
    }
}

#[test]
fn the_example_says_what_is_wrong() {
    for (arguments, message) in [
        (vec![], "expected the name of a file"),
        (vec!["--fast"], "unknown option `--fast`"),
        (vec!["a", "b"], "expected one file only, found `b` as well"),
        (vec!["a", "--compare", "--strategy", "auto"], "`--compare` prints a table of all strategies and nothing else"),
        (vec!["a", "--dot", "--program"], "`--dot` prints two pictures and nothing else"),
        (vec!["a", "--strategy", "search(steps = 9)", "--steps", "9"], "the steps are given twice"),
        (vec!["a", "--strategy", "edge"], "--strategy: `edge` is a mode: filters follow it"),
        (vec!["a", "--strategy", "edge: optimal > reverse"], "--strategy: `optimal` follows the mode alone"),
        (vec!["a", "--strategy"], "`--strategy` takes a value"),
        (vec!["a", "--strategy", "fast"], "--strategy: unknown strategy `fast`; known: `auto`"),
        (vec!["a", "--steps", "9"], "`--steps` is for searches, and `auto` is none"),
        (vec!["a", "--strategy", "search", "--steps", "few"], "--steps: expected a number, found `few`"),
        (vec!["no/such.lcg"], "no/such.lcg: "),
    ] {
        let error = answer(arguments.iter().map(|argument| argument.to_string())).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
    let readme = format!("{}/benchmarks/README.md", env!("CARGO_MANIFEST_DIR"));
    let error = answer([readme].into_iter()).unwrap_err();
    assert!(error.contains("README.md: line 3: unknown statement `The`"), "{error}");
}
