//! Proves that schedules choose as they say, ties included: their orders are those of their rules, carried out step by
//! step with everything recomputed. And that the arms of branches count: their calls for `auto`, their statements
//! for the order, the slowest of them for the estimate.

use jacobian_core::catalogue::Class;
use jacobian_core::cost::time::{ClassCost, Estimate};
use jacobian_core::schedule::{DependenceGraph, SCHEDULES};
use jacobian_core::{CodeList, Schedule};

use support::random::Random;

mod support {
    pub mod random;
}

/// A graph in which there is much to choose: few of its statements differ.
fn random_graph(random: &mut Random) -> DependenceGraph {
    let mut graph = DependenceGraph::default();
    let (statements, density) = (1 + random.below(14), random.between(0.1, 0.6));
    for number in 0..statements {
        let earlier = number.saturating_sub(4)..number;
        let uses: Vec<_> = earlier.filter(|_| random.between(0.0, 1.0) < density).collect();
        graph.push(1 + random.below(2), uses);
    }
    graph
}

fn schedule(text: &str) -> Schedule {
    text.parse().expect("a schedule")
}

/// The number of edges on the longest path over `next`.
fn longest(graph: &DependenceGraph, statement: usize, next: fn(&DependenceGraph, usize) -> &[usize]) -> usize {
    next(graph, statement).iter().map(|&end| 1 + longest(graph, end, next)).max().unwrap_or(0)
}

fn height(graph: &DependenceGraph, statement: usize) -> usize {
    longest(graph, statement, DependenceGraph::predecessors)
}

/// In every cycle: of what is ready and urgent, the highest rank; of these, the least height; of these, the first.
/// Urgent is what uses the last statement, and what is less high than the highest of these; all, where nothing uses it.
fn greedy(graph: &DependenceGraph, a: usize, b: usize) -> Vec<usize> {
    let mut issued: Vec<(usize, usize)> = Vec::new();
    for cycle in 0.. {
        if issued.len() == graph.len() {
            break;
        }
        let is_there = |used: &usize| {
            issued.iter().any(|&(statement, start)| statement == *used && start + graph.cycles(statement) <= cycle)
        };
        let is_issued = |statement: usize| issued.iter().any(|&(other, _)| other == statement);
        let users = issued.last().map_or(&[][..], |&(last, _)| graph.successors(last));
        let highest = users.iter().map(|&user| height(graph, user)).max();
        let is_urgent = |statement: usize| {
            users.contains(&statement) || highest.is_none_or(|highest| height(graph, statement) < highest)
        };
        let is_ready = |statement: usize| !is_issued(statement) && graph.predecessors(statement).iter().all(is_there);
        let mut best: Option<usize> = None;
        for statement in (0..graph.len()).filter(|&statement| is_ready(statement) && is_urgent(statement)) {
            let rank = |it| a * longest(graph, it, DependenceGraph::successors) + b * graph.successors(it).len();
            let is_better = best.is_none_or(|best| {
                rank(statement) > rank(best)
                    || rank(statement) == rank(best) && height(graph, statement) < height(graph, best)
            });
            best = if is_better { Some(statement) } else { best };
        }
        issued.extend(best.map(|statement| (statement, cycle)));
    }
    issued.into_iter().map(|(statement, _)| statement).collect()
}

#[test]
fn list_takes_the_highest_rank_then_the_least_height_then_the_first() {
    for seed in 0..1_500 {
        let random = &mut Random::new(seed);
        let graph = random_graph(random);
        let (a, b) = [(1, 1), (1, 0), (0, 1), (2, 3), (0, 0)][random.below(5)];
        let order = schedule(&format!("list(a = {a}, b = {b})")).order(&graph);
        assert_eq!(order, greedy(&graph, a, b), "a = {a}, b = {b}, {graph:?}");
    }
}

/// From the end: of the statements all of whose users have been taken, the one that makes the fewest values live, its
/// own being live no longer; of these, the one whose value was made live last; of these, the last.
fn backwards(graph: &DependenceGraph) -> Vec<usize> {
    let mut taken: Vec<usize> = Vec::new();
    while taken.len() < graph.len() {
        // The step that made a value live, from 1 on: the first of those that use it.
        let live_since =
            |value: usize| taken.iter().position(|&user| graph.predecessors(user).contains(&value)).map(|it| it + 1);
        let is_ready = |statement: usize| {
            !taken.contains(&statement) && graph.successors(statement).iter().all(|user| taken.contains(user))
        };
        let more_live = |statement: usize| {
            let new = graph.predecessors(statement).iter().filter(|&&used| live_since(used).is_none()).count() as i64;
            new - i64::from(live_since(statement).is_some())
        };
        let mut best: Option<usize> = None;
        for statement in (0..graph.len()).rev().filter(|&statement| is_ready(statement)) {
            let is_better = best.is_none_or(|best| {
                more_live(statement) < more_live(best)
                    || more_live(statement) == more_live(best) && live_since(statement) > live_since(best)
            });
            best = if is_better { Some(statement) } else { best };
        }
        taken.push(best.expect("some statement is used by none that is left"));
    }
    taken.reverse();
    taken
}

#[test]
fn pressure_takes_the_fewest_live_values_then_the_one_live_last_then_the_last() {
    for seed in 0..1_500 {
        let graph = random_graph(&mut Random::new(seed));
        assert_eq!(schedule("pressure").order(&graph), backwards(&graph), "{graph:?}");
    }
}

/// The lines of a list between the words `arm` and `end`, without those that come first in every order.
fn arms(list: &CodeList) -> Vec<String> {
    let text = list.to_string();
    let lines = text.lines().map(str::trim).skip_while(|line| *line != "arm").take_while(|line| *line != "end");
    lines.filter_map(|line| Some(line.split_once(" = ")?.0.to_string())).collect()
}

/// A branch, one arm of which has these statements, and before it statements that a schedule moves.
fn branch(statements: &str, inner: bool) -> CodeList {
    let arm = format!("arm\ninput x y\n{statements}\noutput e\narm\ninput x y\noutput x\nend\n");
    let nested =
        format!("arm\ninput x y\nq = x < y\nbranch c on q (x y)\n{arm}output c.0\narm\ninput x y\noutput y\nend\n");
    let arms = if inner { nested } else { arm };
    let text = format!("input x y\np = x < 1\nbranch b on p (x y)\n{arms}output b.0\n");
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What can be computed while a root is: under `latency` it comes before what waits for the root.
const WITH_ROOT: &str = "a = sqrt(x)\nb = 1 / a\nc = y * y\nd = c * y\ne = b * d";
/// The same with a call.
const WITH_CALL: &str = "a = sqrt(x)\nb = exp(a)\nc = y * y\nd = c * y\ne = b * d";

#[test]
fn arms_are_written_in_the_order_of_the_schedule() {
    for inner in [false, true] {
        for (statements, schedules, expected) in [
            (WITH_ROOT, "latency", "a c d b e"),
            (WITH_CALL, "latency", "a c d b e"),
            (WITH_ROOT, "depth-first", "c d a b e"),
            (WITH_ROOT, "source", "a b c d e"),
        ] {
            let scheduled = schedule(schedules).apply(&branch(statements, inner));
            let order: Vec<_> = arms(&scheduled).into_iter().filter(|name| name.len() == 1 && name != "q").collect();
            assert_eq!(order.join(" "), expected, "`{schedules}` of an arm, inside of another: {inner}");
        }
    }
}

/// `auto` is `latency` where something is called, also in an arm, or in an arm of a branch in an arm; else it is
/// `source`.
#[test]
fn calls_in_arms_count_for_auto() {
    let auto = schedule("auto");
    for inner in [false, true] {
        for (statements, expected) in [(WITH_CALL, "latency"), (WITH_ROOT, "source")] {
            let list = branch(statements, inner);
            assert_eq!(auto.chosen(&list).to_string(), expected);
            assert_eq!(auto.apply(&list).to_string(), schedule(expected).apply(&list).to_string());
        }
        let called = WITH_ROOT.replace("b = 1 / a", "call f (a) gives 1\nb = f.0 * a");
        assert_eq!(auto.chosen(&branch(&called, inner)).to_string(), "latency");
        // A call with constant arguments is none: the compiler evaluates it.
        let constant = WITH_ROOT.replace("b = 1 / a", "k = exp(2)\nb = k * a");
        assert_eq!(auto.chosen(&branch(&constant, inner)).to_string(), "source");
    }
    assert_eq!(SCHEDULES[0].name, "auto");
}

/// The work and the path of a chain of operations.
fn chain(classes: &[Class]) -> Estimate {
    let rows = || classes.iter().map(|&class| ClassCost::of(class));
    Estimate { work: rows().map(|row| row.work).sum(), path: rows().map(|row| row.latency).sum() }
}

/// Of a branch, the arm counts that takes the longest: work and path together, both of the same arm, and only what is
/// needed of it.
#[test]
fn the_slowest_arm_is_the_estimate_of_a_branch() {
    use Class::{Addition, Call, Multiplication, Root};
    // A chain with the longest path, a tree with the most work, and a call, which takes the longest.
    let links = (1..16).map(|link| format!("a{} = a{link} + x", link + 1));
    let long = format!("a1 = x + x\n{}\noutput a16 x", links.collect::<Vec<_>>().join("\n"));
    let leaves = (16..32).map(|leaf| format!("t{leaf} = x * {leaf}"));
    let nodes = (1..16).rev().map(|node| format!("t{node} = t{} + t{}", 2 * node, 2 * node + 1));
    let wide = format!("{}\noutput t1 x", leaves.chain(nodes).collect::<Vec<_>>().join("\n"));
    let call = "a = exp(x)\noutput a x".to_string();
    let (of_long, of_call) = (chain(&[Addition; 16]), chain(&[Call]));
    let path_of_wide = chain(&[Multiplication, Addition, Addition, Addition, Addition]).path;
    let work_of_wide = chain(&[Multiplication; 16]).work + chain(&[Addition; 15]).work;
    let of_wide = Estimate { work: work_of_wide, path: path_of_wide };
    let arms = [(long, of_long), (wide, of_wide), (call, of_call)];
    let slowest = arms.iter().map(|(_, estimate)| *estimate).max_by_key(Estimate::total).expect("an arm");
    assert!(slowest == of_call && of_long.path > of_call.path && of_wide.work > of_call.work);
    for (text, expected) in &arms {
        let list: CodeList = format!("input x\n{text}").parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(Estimate::of(&list), *expected);
    }
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let texts = order.map(|arm| format!("arm\ninput x\n{}\n", arms[arm].0)).concat();
        let branch = format!("input x\npassive n: int\nbranch b on n (x)\n{texts}end\n");
        let estimate = |outputs: &str| {
            let list: CodeList =
                format!("{branch}{outputs}").parse().unwrap_or_else(|error| panic!("{error}\n{branch}"));
            Estimate::of(&list)
        };
        assert_eq!(estimate("output b.0"), slowest, "arms {order:?}");
        // Nothing is computed for the other part.
        assert_eq!(estimate("output b.1"), Estimate::default(), "arms {order:?}");
        // The work before and after is added, and so are the paths.
        let around = chain(&[Multiplication, Root]);
        let expected = Estimate { work: slowest.work + around.work, path: slowest.path + ClassCost::of(Root).latency };
        assert_eq!(estimate("c = x * x\nd = sqrt(b.0)\noutput d c"), expected, "arms {order:?}");
    }
}
