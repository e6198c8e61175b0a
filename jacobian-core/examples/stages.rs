//! Prints every stage between a function and its Jacobian.
//!
//! `cargo run -p jacobian-core --example stages -- FILE "vertex: markowitz > reverse"` reads a code list from the file; without
//! arguments, it shows a small one.

use std::error::Error;

use jacobian_core::accumulate::accumulate;
use jacobian_core::cost::OperationCount;
use jacobian_core::linearize::linearize;
use jacobian_core::{CodeList, Strategy, differentiate, eliminate};

const EXAMPLE: &str = "
    input x y
    a = x * y
    b = sin(a)
    c = a * b
    d = exp(b) / x
    output c d
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = arguments.next().map_or_else(|| Ok(EXAMPLE.to_string()), std::fs::read_to_string)?;
    let strategy: Strategy = arguments.next().as_deref().unwrap_or("auto").parse()?;
    let function: CodeList = text.parse()?;
    let chosen = differentiate(&function, &strategy)?.strategy;
    let Strategy::Vertex(hierarchy) = &chosen else { unreachable!("`auto` chooses a hierarchy") };
    let linearization = linearize(&function);
    let elimination = eliminate::run(&linearization.graph, hierarchy.filters(), usize::MAX).expect("there is no limit");
    println!("# function: {}\n{function}", OperationCount::of(&function));
    println!("# linearized\n{linearization}\n# graph\n{}", linearization.graph);
    println!("# eliminated by `{chosen}`, vertices in the order {:?}\n{elimination}", elimination.sequence);
    let derivative = accumulate(linearization, &elimination.accumulations, &elimination.graph);
    println!("# function and Jacobian: {}\n{}", OperationCount::of(&derivative.list), derivative.list);
    Ok(())
}
