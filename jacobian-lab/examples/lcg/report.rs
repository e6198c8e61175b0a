//! What a strategy makes of a graph.

use jacobian_core::accumulate::accumulate;
use jacobian_core::bound::lower_bound;
use jacobian_core::cost::OperationCount;
use jacobian_core::eliminate::face::Face;
use jacobian_core::eliminate::path::Path;
use jacobian_core::eliminate::{Elimination, Mode};
use jacobian_core::graph::Graph;
use jacobian_core::linearize::Linearization;
use jacobian_core::optimal::{Limits, vertex};
use jacobian_core::program::{Measure, Program};
use jacobian_core::search::Objective;
use jacobian_core::strategy::{MAX_ACCUMULATIONS, MODES, Order, PORTFOLIO};
use jacobian_core::{Derivative, Error, Strategy};
use jacobian_lab::digraph::{dot, eliminated, with_partials};
use jacobian_lab::lcg::LabelledGraph;
use jacobian_lab::listing::listing;
use jacobian_lab::locality::Locality;
use jacobian_lab::represent::least_edges;

use super::options::Options;

/// What is looked through at most for an order that takes fewer multiplications: a fraction of a second.
const STATES: usize = 200;

/// A graph, accumulated.
pub struct Run {
    pub elimination: Elimination,
    pub derivative: Derivative,
}

impl Run {
    pub fn new(linearization: &Linearization, strategy: &Strategy) -> Result<Run, Error> {
        let (_, elimination) = strategy.eliminate(linearization)?;
        let derivative = accumulate(linearization.clone(), &elimination.program);
        Ok(Run { elimination, derivative })
    }

    /// The operations of the emitted code.
    pub fn operations(&self) -> OperationCount {
        OperationCount::of(&self.derivative.list)
    }

    pub fn locality(&self, linearization: &Linearization) -> Locality {
        Locality::of(linearization, &self.elimination)
    }

    pub fn textbook(&self) -> usize {
        self.elimination.program.multiplications(Measure::Textbook)
    }
}

/// The runs of a strategy for the counts.
pub struct Runs {
    /// With the fewest multiplications in the emitted code.
    pub emitted: Run,
    /// With the least textbook count, where that is another strategy.
    textbook: Option<Run>,
}

impl Runs {
    pub fn new(linearization: &Linearization, strategy: &Strategy) -> Result<Runs, Error> {
        let Some(textbook) = strategy.minimising(Objective::Counted(Measure::Textbook)) else {
            return Ok(Runs { emitted: Run::new(linearization, strategy)?, textbook: None });
        };
        let textbook = Run::new(linearization, &textbook)?;
        let emitted = strategy.minimising(Objective::Multiplications).expect("it takes any objective");
        let emitted = match Run::new(linearization, &emitted) {
            Err(Error::NotProven(_)) => return Ok(Runs { emitted: textbook, textbook: None }),
            emitted => emitted?,
        };
        let multiplications = |run: &Run| run.operations().multiplications;
        // A short search may find less for the one count on its way to the other.
        match multiplications(&textbook) < multiplications(&emitted) {
            true => Ok(Runs { emitted: textbook, textbook: None }),
            false => Ok(Runs { emitted, textbook: Some(textbook) }),
        }
    }

    pub fn textbook(&self) -> usize {
        self.textbook.as_ref().unwrap_or(&self.emitted).textbook()
    }
}

/// All that `options` asks for.
pub fn report(graph: &LabelledGraph, options: &Options) -> Result<String, Error> {
    let linearization = graph.linearize();
    let strategy = match options.strategy.steps() {
        Some(_) => None,
        None => options.strategy.with_steps(some_seconds(&linearization.graph, &options.strategy)),
    };
    let runs = Runs::new(&linearization, strategy.as_ref().unwrap_or(&options.strategy))?;
    if options.dot {
        let left = eliminated(&linearization.graph, &runs.emitted.elimination.program);
        return Ok(dot(&with_partials(&linearization)) + &dot(&left));
    }
    let (operations, textbook) = (runs.emitted.operations(), runs.textbook());
    let bound = lower_bound(&linearization.graph, &linearization.program, Measure::Textbook);
    let lines = [
        ("multiplications", operations.multiplications.to_string()),
        ("additions", operations.additions.to_string()),
        ("textbook", textbook.to_string()),
        ("optimal", optimal(&linearization, &options.strategy, textbook, bound).to_string()),
        ("lower-bound", bound.to_string()),
        ("least-edges", least_edges(&linearization.graph).edges.to_string()),
    ];
    let mut text: String = lines.iter().map(|(key, value)| format!("{key} {value}\n")).collect();
    if let Some(order) = as_order(&linearization, &runs.emitted.elimination) {
        text += &format!("sequence {order}\n");
    }
    let Locality { siblings, neighbours, absorptions, reuse_distance } = runs.emitted.locality(&linearization);
    text += &format!("siblings {siblings}\nneighbours {neighbours}\nabsorptions {absorptions}\n");
    text += &format!("reuse-distance {}\n", distance(reuse_distance));
    if options.program {
        let derivative = &runs.emitted.derivative;
        text += &listing(&derivative.list, &graph.entries(derivative));
    }
    Ok(text)
}

/// A distance, if there is one.
pub fn distance(distance: Option<f64>) -> String {
    distance.map_or_else(|| "none".into(), |distance| format!("{distance:.1}"))
}

/// The steps of a search that takes a few seconds for each count: a step takes the longer the more edges there are.
/// Those with faces take ten times as long, and those with pairs of labels longer by the number of edges.
fn some_seconds(graph: &Graph, strategy: &Strategy) -> usize {
    let work = match strategy.mode() {
        Some(Path::NAME) => 3_000_000 / graph.edge_capacity().max(1),
        Some(Face::NAME) => 1_000_000,
        _ => 10_000_000,
    };
    (work / graph.edge_capacity().max(1)).min(60_000)
}

/// Whether a textbook count that `strategy` has reached is the least: `yes`, `no` or `unknown`.
fn optimal(linearization: &Linearization, strategy: &Strategy, textbook: usize, bound: usize) -> &'static str {
    // What minimises without steps proves.
    let is_proof = !strategy.is_fixed() && strategy.with_steps(0).is_none() && strategy.mode().is_some();
    // The bound does not hold for contractions in the path graph.
    let is_bounded = strategy.mode() != Some(Path::NAME);
    if is_proof || (is_bounded && textbook == bound) {
        "yes"
    } else if textbook > least_of_portfolio(linearization) || is_beaten(linearization, textbook) {
        "no"
    } else {
        "unknown"
    }
}

fn least_of_portfolio(linearization: &Linearization) -> usize {
    let eliminations = PORTFOLIO.iter().filter_map(|order| order.eliminate(linearization, MAX_ACCUMULATIONS).ok());
    let counts = eliminations.map(|elimination| elimination.program.multiplications(Measure::Textbook));
    counts.min().unwrap_or(usize::MAX)
}

/// Whether the best order of vertices takes fewer multiplications, as far as it is found fast.
fn is_beaten(linearization: &Linearization, textbook: usize) -> bool {
    let Linearization { graph, program, .. } = linearization;
    let best = vertex(graph, program.clone(), Measure::Textbook, None, Limits { states: STATES });
    best.is_ok_and(|best| best.program.multiplications(Measure::Textbook) < textbook)
}

/// The elimination as an order that does the same, if there is one.
fn as_order(linearization: &Linearization, elimination: &Elimination) -> Option<Strategy> {
    let ends = |program: &Program| -> Vec<_> {
        program.accumulations().iter().map(|accumulation| accumulation.ends).collect()
    };
    let mut orders = MODES.iter().filter_map(|mode| (mode.given)(&elimination.sequence)).map(Strategy::Order);
    orders.find(|order| {
        order.eliminate(linearization).is_ok_and(|(_, again)| ends(&again.program) == ends(&elimination.program))
    })
}
