//! What second derivatives cost: for each function in `jacobian-lab/hessians`, the operations of value, gradient and Hessian
//! together, and those of value, gradient and the product of the Hessian with a direction.
//!
//! `cargo run --release -p jacobian-lab --example hessians [STRATEGY...]`

use std::error::Error;
use std::fs;
use std::path::Path;

use jacobian_core::cost::OperationCount;
use jacobian_core::linearize::Level;
use jacobian_core::pipeline::differentiate_for;
use jacobian_core::{CodeList, Form, Strategy};

fn main() -> Result<(), Box<dyn Error>> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let strategies = if asked.is_empty() { vec!["auto".to_string()] } else { asked };
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("hessians");
    let mut files: Vec<_> =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.sort();
    println!("| function | strategy | function alone | Hessian | Hessian times direction |\n|---|---|---|---|---|");
    for file in &files {
        let function: CodeList = fs::read_to_string(file)?.parse()?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        for strategy in &strategies {
            let strategy: Strategy = strategy.parse()?;
            let count = |form| -> Result<String, Box<dyn Error>> {
                let jacobian = differentiate_for(form, Level::CodeList, &function, &strategy)?;
                Ok(format!("{} by `{}`", text(jacobian.operations), jacobian.strategy))
            };
            let own = text(OperationCount::of(&function));
            println!(
                "| {name} | `{strategy}` | {own} | {} | {} |",
                count(Form::Hessian)?,
                count(Form::HessianProduct)?
            );
        }
    }
    Ok(())
}

/// Additions, multiplications and divisions together, and calls.
fn text(count: OperationCount) -> String {
    let arithmetic = count.additions + count.multiplications + count.divisions;
    let parts = format!("{} mul, {} add, {} div", count.multiplications, count.additions, count.divisions);
    format!("{arithmetic} ({parts}), {} calls", count.calls)
}
