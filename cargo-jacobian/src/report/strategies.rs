//! All strategies on one function.

use jacobian_core::accumulate::accumulate;
use jacobian_core::bound::lower_bound;
use jacobian_core::choose::comparison::Blocks;
use jacobian_core::code_list::{CodeList, Statement};
use jacobian_core::cost::OperationCount;
use jacobian_core::cost::time::Estimate;
use jacobian_core::eliminate::Mode;
use jacobian_core::eliminate::path::Path;
use jacobian_core::evaluate::constants;
use jacobian_core::graph::Role;
use jacobian_core::linearize::Linearization;
use jacobian_core::program::Measure;
use jacobian_core::strategy::all;
use jacobian_core::{Error, Strategy};
use serde::Serialize;

/// With more intermediate vertices, strategies that look for something take minutes.
const MAX_SEARCHED: usize = 60;

/// With more intermediate vertices, faces and paths take minutes.
const MAX_FINE: usize = 300;

/// A strategy and what it gives.
#[derive(Serialize)]
pub struct Row {
    /// As it is written in the attribute.
    pub strategy: String,
    /// What it gives.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What a strategy gives.
#[derive(Serialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Outcome {
    /// The operations of the emitted code, function included.
    Counted {
        /// Multiplications.
        multiplications: usize,
        /// Additions and subtractions.
        additions: usize,
        /// All operations.
        operations: usize,
        /// The operations of the longest chain in which each needs the one before.
        depth: usize,
        /// The time that it is estimated to take, in halves of that of an addition.
        time: usize,
        /// The multiplications of the elimination alone: what the lower bound is about.
        eliminated: usize,
    },
    /// It was not run, or gave up.
    LeftOut {
        /// Why.
        why: String,
    },
}

/// The fewest multiplications of an elimination of vertices, edges or faces that are no products with one or of two
/// constants.
#[derive(Serialize)]
pub struct Bound {
    /// There are no fewer.
    pub multiplications: usize,
    /// The fewest that a strategy of these modes has taken.
    pub reached: Option<usize>,
    /// Whether these are proven to be the fewest that the function can take.
    pub is_proven: bool,
    /// The blocks of which each is one vertex of the graph, so that what is multiplied in them is in none of these
    /// figures: then nothing is proven of the function.
    pub outside_of: Option<String>,
}

impl Bound {
    /// The lower bound on the elimination of `function`, and what the strategies in `rows` have reached.
    pub fn of(function: &CodeList, linearization: &Linearization, rows: &[Row]) -> Self {
        let Linearization { graph, program, .. } = linearization;
        let multiplications = lower_bound(graph, program, Measure::Folded);
        // It holds for what eliminates on the graph or its dual.
        let is_bounded = |row: &&Row| !row.strategy.starts_with(Path::NAME);
        let reached = rows.iter().filter(is_bounded).filter_map(|row| match row.outcome {
            Outcome::Counted { eliminated, .. } => Some(eliminated),
            Outcome::LeftOut { .. } => None,
        });
        let (reached, blocks) = (reached.min(), Blocks::of(function));
        let is_whole = blocks == Blocks::default();
        Bound {
            multiplications,
            reached,
            is_proven: is_whole && reached == Some(multiplications),
            outside_of: (!is_whole).then(|| blocks.to_string()),
        }
    }
}

/// A row for every strategy.
pub fn rows(linearization: &Linearization) -> Vec<Row> {
    let graph = &linearization.graph;
    let inner = graph.vertices().filter(|&vertex| graph.role(vertex) == Role::Intermediate).count();
    let mut rows = Vec::new();
    for strategy in all() {
        let outcome = match too_large(&strategy, inner) {
            Some(why) => Outcome::LeftOut { why },
            None => match counted(linearization, &strategy) {
                Ok(outcome) => outcome,
                Err(error) => Outcome::LeftOut { why: error.to_string() },
            },
        };
        rows.push(Row { strategy: strategy.to_string(), outcome });
    }
    rows
}

/// Why a strategy is not run on a function with this many intermediate vertices.
fn too_large(strategy: &Strategy, inner: usize) -> Option<String> {
    let is_search = !strategy.is_fixed() && !matches!(strategy, Strategy::Auto);
    let is_fine = matches!(strategy.mode(), Some("face" | "path")) || strategy.to_string() == "paths";
    let limit = if is_search {
        MAX_SEARCHED
    } else if is_fine {
        MAX_FINE
    } else {
        return None;
    };
    (inner > limit).then(|| format!("left out: {inner} intermediate vertices are more than {limit}"))
}

fn counted(linearization: &Linearization, strategy: &Strategy) -> Result<Outcome, Error> {
    let (_, elimination) = strategy.eliminate(linearization)?;
    let list = accumulate(linearization.clone(), &elimination.program).list;
    let operations = OperationCount::of(&list);
    Ok(Outcome::Counted {
        multiplications: operations.multiplications,
        additions: operations.additions,
        operations: operations.total(),
        depth: depth(&list),
        time: Estimate::of(&list).total(),
        eliminated: elimination.program.multiplications(Measure::Folded),
    })
}

/// The operations of the longest chain in which each needs the one before; a block is one operation.
pub fn depth(list: &CodeList) -> usize {
    let constants = constants(list);
    let mut depths: Vec<usize> = Vec::with_capacity(constants.len());
    for id in list.ids() {
        let before = list.args(id).map(|arg| depths[arg.index()]).max().unwrap_or(0);
        let is_operation = match list.statement(id) {
            Statement::Apply { .. } => !constants[id.index()],
            Statement::Block(_) => !list.block_of(id).is_opaque(),
            _ => false,
        };
        depths.push(before + usize::from(is_operation));
    }
    list.outputs().iter().map(|output| depths[output.index()]).max().unwrap_or(0)
}
