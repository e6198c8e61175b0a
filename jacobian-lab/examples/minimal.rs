//! Minimal representations of graphs in files.
//!
//! `cargo run --release -p jacobian-lab --features milp --example minimal -- FILE.lcg...` prints a row for each graph:
//! its vertices, intermediates, edges and entries; the fewest edges that the elimination of vertices and of edges can
//! reach, with the number of graphs that have them; the fewest degrees of freedom, and the dimension of the set of
//! Jacobians, below which they cannot be; and the times of the searches by vertices and by edges, and of the integer
//! program, if the feature is on.

use std::fmt::Display;
use std::process::ExitCode;
use std::time::Instant;

use jacobian_core::eliminate::Target;
use jacobian_core::graph::Role;
use jacobian_lab::lcg::LabelledGraph;
use jacobian_lab::represent::{By, Counted, Representation, all_least, least_freedom};

/// The most states of a search.
const STATES: usize = 1_000_000;

fn main() -> ExitCode {
    let heads = ["graph", "vertices", "intermediates", "edges", "entries", "fewest by vertices", "by edges"];
    println!("| {} | degrees of freedom | dimension | vertices, ms | edges, ms | program, ms |", heads.join(" | "));
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).map_err(|error| error.to_string());
        match text.and_then(|text| text.parse::<LabelledGraph>().map_err(|error| error.to_string())) {
            Ok(graph) => println!("{}", row(&graph)),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn row(graph: &LabelledGraph) -> String {
    let linearization = graph.linearize();
    let start = Representation::new(&linearization.graph);
    let (by_vertices, vertices_time) = timed(|| fewest(&start, By::Vertices));
    let (by_edges, edges_time) = timed(|| fewest(&start, By::Edges));
    let freedom = least_freedom(&start, By::Edges, STATES).map(|found| found.degrees_of_freedom());
    let cells: &[&dyn Display] = &[
        &graph.name.as_deref().unwrap_or("-"),
        &graph.vertex_count(),
        &intermediates(&start).len(),
        &start.edges(Counted::All),
        &entries(&start),
        &by_vertices,
        &by_edges,
        &freedom.map_or("-".to_string(), |freedom| freedom.to_string()),
        &start.dimension(),
        &vertices_time,
        &edges_time,
        &program(&start),
    ];
    let cells: Vec<_> = cells.iter().map(|cell| cell.to_string()).collect();
    format!("| {} |", cells.join(" | "))
}

/// The fewest edges, and how many graphs have them.
fn fewest(start: &Representation, by: By) -> String {
    match all_least(start, by, STATES) {
        Ok(all) => format!("{} ({})", all[0].edges(Counted::All), all.len()),
        Err(_) => "-".to_string(),
    }
}

fn intermediates(start: &Representation) -> Vec<Target> {
    let has_edges = |&vertex: &_| !start.graph.incoming(vertex).is_empty();
    let vertices = start.graph.vertices().filter(|&vertex| start.graph.role(vertex) == Role::Intermediate);
    vertices.filter(has_edges).map(Target::Vertex).collect()
}

fn entries(start: &Representation) -> usize {
    let mut bipartite = start.clone();
    for vertex in intermediates(start) {
        bipartite.eliminate(vertex).expect("an intermediate vertex");
    }
    bipartite.edges(Counted::All)
}

/// The time of the integer program in the paper's own form.
#[cfg(feature = "milp")]
fn program(start: &Representation) -> String {
    use jacobian_lab::represent::integer_program::{Steps, solve};
    match timed(|| solve(start, Steps::Any)) {
        (Ok(_), time) => time,
        (Err(error), _) => error.to_string(),
    }
}

#[cfg(not(feature = "milp"))]
fn program(_: &Representation) -> String {
    "-".to_string()
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, String) {
    let start = Instant::now();
    let result = work();
    (result, format!("{:.1}", start.elapsed().as_secs_f64() * 1e3))
}
