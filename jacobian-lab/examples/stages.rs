//! Prints every stage between a function and its Jacobian.
//!
//! `cargo run -p jacobian-lab --example stages -- FILE "vertex: markowitz > reverse"` reads a code list from the file;
//! without arguments, it shows a small one.

use std::error::Error;

use jacobian_core::accumulate::accumulate;
use jacobian_core::cost::OperationCount;
use jacobian_core::linearize::Level;
use jacobian_core::pipeline::linearize_with;
use jacobian_core::{CodeList, Strategy};
use jacobian_lab::digraph::{dot, with_partials};

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
    let linearization = linearize_with(&function, Level::CodeList, &strategy)?;
    let (chosen, elimination) = strategy.eliminate(&linearization)?;
    println!("# function: {}\n{function}", OperationCount::of(&function));
    println!("# linearized\n{linearization}\n# graph\n{}", dot(&with_partials(&linearization)));
    println!("# eliminated by `{chosen}`\n{elimination}");
    let derivative = accumulate(linearization, &elimination.program);
    println!("# function and Jacobian: {}\n{}", OperationCount::of(&derivative.list), derivative.list);
    Ok(())
}
