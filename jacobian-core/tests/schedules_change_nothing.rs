//! Proves that no schedule changes a derivative: for random code lists, under strategies of all modes and at both
//! levels, every schedule has every statement after what it uses, and every result has the bits that it has in the
//! order of the source. So have those with branches and calls, whose blocks keep their order.

use jacobian_core::code_list::Precision;
use jacobian_core::cost::OperationCount;
use jacobian_core::evaluate::{Floats, Given, evaluate, select};
use jacobian_core::graph::Graph;
use jacobian_core::linearize::LEVELS;
use jacobian_core::pipeline::linearize;
use jacobian_core::program::LabelId;
use jacobian_core::schedule::{SCHEDULES, Statements};
use jacobian_core::{CodeList, Derivative, Error, Schedule, Strategy, differentiate_at};
use jacobian_lab::one_hit::OneHit;

use support::callees::{Callees, Calling};
use support::interface::interface;
use support::lists::{Blocks, passive_numbers, random_callee, random_list, random_list_with_blocks};
use support::random::Random;

mod support {
    pub mod callees;
    pub mod interface;
    pub mod lists;
    pub mod random;
}

/// Code lists without and with blocks, and of what size they are at most.
const LISTS: u64 = 10_000;
const LISTS_WITH_BLOCKS: u64 = 4_000;
const MAX_STATEMENTS: usize = 60;

const STRATEGIES: [&str; 6] =
    ["forward", "reverse", "markowitz", "edge: markowitz", "face: absorb > markowitz", "path: merge > cliques"];

fn schedules() -> Vec<Schedule> {
    let others = ["list(a = 1, b = 0)", "list(a = 0, b = 3)"].map(|text| text.parse().expect("a schedule"));
    SCHEDULES.iter().map(Schedule::of).chain(others).collect()
}

/// A derivative under a random strategy at a random level, unless the function has too many paths for it.
fn derivative(function: &CodeList, random: &mut Random) -> Option<Derivative> {
    let strategy: Strategy = STRATEGIES[random.below(STRATEGIES.len())].parse().expect("a strategy");
    let (_, level) = LEVELS[random.below(LEVELS.len())];
    match differentiate_at(level, function, &strategy) {
        Err(Error::TooManyPaths { .. }) => None,
        jacobian => Some(jacobian.expect("a small function").derivative.dense()),
    }
}

/// Checks that each schedule keeps the results at a random point, the operations, and the order of blocks and of what
/// may panic. Whether any of them changes the order.
fn check(derivative: &Derivative, callees: &Callees, random: &mut Random) -> bool {
    let list = &derivative.list;
    let float = |random: &mut Random| list.round(random.between(-2.0, 2.0));
    let inputs: Vec<_> = list.inputs().iter().map(|_| float(random)).collect();
    let passive = passive_numbers(list, random, float, f64::from);
    let domain = Given { domain: &Calling(Floats(list.precision()), callees), numbers: &passive };
    let bits = |list: &CodeList| -> Vec<u64> {
        let results = select(&evaluate(list, &domain, &inputs), list.outputs());
        results.iter().map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }).collect()
    };
    let expected = bits(list);
    let (statements, mut is_changed) = (Statements::of(list), false);
    for schedule in schedules() {
        assert!(statements.graph().admits(&schedule.order(statements.graph())), "{schedule} of\n{list}");
        let scheduled = derivative.clone().scheduled(&schedule).list;
        assert!(scheduled.ids().all(|id| scheduled.args(id).all(|arg| arg < id)), "{schedule} of\n{list}");
        assert_eq!(bits(&scheduled), expected, "{schedule} of\n{list}\nis\n{scheduled}");
        assert_eq!(interface(&scheduled), interface(list), "{schedule} of\n{list}\nis\n{scheduled}");
        assert_eq!(OperationCount::of(&scheduled), OperationCount::of(list), "{schedule} of\n{list}");
        is_changed |= scheduled.to_string() != list.to_string();
    }
    is_changed
}

#[test]
fn every_schedule_gives_the_same_bits() {
    let (callees, mut changed, mut tried) = (Callees::new(Vec::new()), 0, 0);
    for seed in 0..LISTS {
        let random = &mut Random::new(seed);
        let statements = 1 + random.below(MAX_STATEMENTS);
        let function = random_list(random, statements);
        if let Some(derivative) = derivative(&function, random) {
            tried += 1;
            changed += u64::from(check(&derivative, &callees, random));
        }
    }
    assert!(tried >= LISTS * 95 / 100, "only {tried} functions are small enough");
    assert!(changed >= LISTS / 2, "only {changed} derivatives are written in another order");
}

#[test]
fn every_schedule_of_branches_and_calls_gives_the_same_bits() {
    let mut changed = 0;
    for seed in 0..LISTS_WITH_BLOCKS {
        let random = &mut Random::new(seed);
        let precision = if random.below(3) == 0 { Precision::F32 } else { Precision::F64 };
        let callees: Vec<_> = (0..3).map(|_| random_callee(random, precision)).collect();
        let blocks = Blocks { depth: 1 + random.below(3), callees: &callees };
        let statements = 1 + random.below(MAX_STATEMENTS);
        let function = random_list_with_blocks(random, precision, statements, blocks);
        if let Some(derivative) = derivative(&function, random) {
            changed += u64::from(check(&derivative, &Callees::new(callees), random));
        }
    }
    assert!(changed >= LISTS_WITH_BLOCKS / 2, "only {changed} derivatives are written in another order");
}

/// The one-hit form has each accumulated entry once where vertices are eliminated.
#[test]
fn vertex_elimination_gives_every_entry_its_final_value_in_one_statement() {
    for seed in 0..LISTS / 10 {
        let random = &mut Random::new(seed);
        let statements = 1 + random.below(MAX_STATEMENTS);
        let function = random_list(random, statements);
        let linearization = linearize(&function);
        let strategy: Strategy = STRATEGIES[random.below(3)].parse().expect("a strategy");
        let (_, elimination) = strategy.eliminate(&linearization).expect("a small function");
        let one_hit = OneHit::new(&linearization, &elimination.program);
        let shared = shared_partials(&linearization.graph);
        let is_entry = |name: &String| name.starts_with("c[") && !shared.contains(name);
        let mut names: Vec<_> = one_hit.names.iter().filter(|name| is_entry(name)).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "{one_hit} of\n{function}");
        let orders = schedules().into_iter().map(|schedule| (schedule.order(&one_hit.graph), schedule));
        for (order, schedule) in orders {
            assert!(one_hit.graph.admits(&order), "{schedule} of\n{one_hit}");
        }
    }
}

/// The names of partials that are the same term on several edges: what one of these adds to it is a statement of its
/// own.
fn shared_partials(graph: &Graph) -> Vec<String> {
    let edges: Vec<_> = graph.edges().collect();
    let is_shared = |label: LabelId| edges.iter().filter(|edge| edge.label == label).count() > 1;
    let shared = edges.iter().filter(|edge| is_shared(edge.label));
    shared.map(|edge| format!("c[{},{}]", edge.source.0, edge.target.0)).collect()
}

/// What panics, and what has effects, stays in its order: so the one that comes first panics first.
#[test]
fn what_may_panic_keeps_its_order() {
    let text = "input x y\ncall b (x) gives 1 kept\nv = clamp(y, x, 1)\ncall c (v) gives 1 kept\nw = clamp(x, y, 1)\n\
                output w v b.0 c.0";
    let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}"));
    for schedule in schedules() {
        let scheduled = schedule.apply(&list).to_string();
        let places =
            ["call b", "v = clamp", "call c", "w = clamp"].map(|text| scheduled.find(text).expect("a statement"));
        assert!(places.is_sorted(), "{schedule} gives\n{scheduled}");
    }
}
