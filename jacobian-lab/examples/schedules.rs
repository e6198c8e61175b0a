//! Prints what schedules see of a derivative: its statements with their heights, depths, successors and ranks, and
//! under each schedule the order, the cycles in which they are issued, how long they take, and what the models say of
//! memory.
//!
//! `cargo run -p jacobian-lab --example schedules -- FILE "vertex: markowitz > reverse"` reads a code list from the
//! file; without arguments, it shows a small one. The first table is of the one-hit form with all copies and constants,
//! the second of the statements that are emitted.

use std::error::Error;

use jacobian_core::accumulate::accumulate;
use jacobian_core::linearize::Level;
use jacobian_core::pipeline::linearize_with;
use jacobian_core::schedule::{DependenceGraph, SCHEDULES, Statements};
use jacobian_core::{CodeList, Schedule, Strategy};
use jacobian_lab::one_hit::OneHit;
use jacobian_lab::traffic::{Traffic, live_values};

const EXAMPLE: &str = "
    input x y
    a = sin(y)
    b = a - x
    c = x * b
    d = sqrt(a)
    output c d
";

/// The registers of x86-64, and those of AArch64.
const REGISTERS: [usize; 2] = [16, 32];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = arguments.next().map_or_else(|| Ok(EXAMPLE.to_string()), std::fs::read_to_string)?;
    let strategy: Strategy = arguments.next().as_deref().unwrap_or("forward").parse()?;
    let function: CodeList = text.parse()?;
    let linearization = linearize_with(&function, Level::CodeList, &strategy)?;
    let (_, elimination) = strategy.eliminate(&linearization)?;

    let one_hit = OneHit::new(&linearization, &elimination.program);
    println!("# one-hit form");
    print_statements(&one_hit.graph, one_hit.to_string().lines());
    for schedule in SCHEDULES.iter().map(Schedule::of) {
        print_schedule(&one_hit.graph, &schedule);
    }

    let derivative = accumulate(linearization, &elimination.program);
    let statements = Statements::of(&derivative.list);
    println!("\n# emitted statements");
    print_statements(statements.graph(), statements.texts().iter());
    for schedule in SCHEDULES.iter().map(Schedule::of) {
        print_schedule(statements.graph(), &schedule);
        print_memory(&schedule.apply(&derivative.list));
    }
    Ok(())
}

/// A line for every statement.
fn print_statements(graph: &DependenceGraph, texts: impl Iterator<Item = impl AsRef<str>>) {
    let (heights, depths, ranks) = (graph.heights(), graph.depths(), graph.ranks(1, 1));
    println!("{:>9} {:>6} {:>6} {:>10} {:>4}", "statement", "height", "depth", "successors", "rank");
    for (index, text) in texts.enumerate() {
        let (height, depth, rank) = (heights[index], depths[index], ranks[index]);
        let successors = graph.successors(index).len();
        println!("{:>9} {height:>6} {depth:>6} {successors:>10} {rank:>4}  {}", index + 1, text.as_ref());
    }
}

fn print_schedule(graph: &DependenceGraph, schedule: &Schedule) {
    let order = schedule.order(graph);
    let times = graph.start_times(&order);
    let join = |numbers: &mut dyn Iterator<Item = usize>| numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
    println!("\n{schedule}: T = {}", graph.completion_time(&order));
    println!("    order {}", join(&mut order.iter().map(|statement| statement + 1)));
    println!("    start {}", join(&mut order.iter().map(|&statement| times[statement])));
}

fn print_memory(list: &CodeList) {
    let live = live_values(list).into_iter().max().unwrap_or(0);
    let traffic = REGISTERS.map(|registers| format!("{} with {registers} registers", Traffic::of(list, registers)));
    println!("    at most {live} live values; {}", traffic.join("; "));
}
