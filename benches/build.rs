//! Writes the function of 1,000 statements: eight values wide, with products, quotients, sines and sums in a fixed
//! pattern.

use std::fmt::Write;

/// How a statement makes a value of two earlier ones. All are written so that values and derivatives stay moderate.
const OPERATIONS: [&str; 6] = [
    "LEFT * 0.5 + RIGHT * 0.5",
    "LEFT * 0.75 - RIGHT * 0.25",
    "LEFT.sin() - RIGHT * 0.1",
    "LEFT * RIGHT * 0.9",
    "LEFT * 0.6 + RIGHT * 0.4",
    "LEFT / (1.0 + RIGHT * RIGHT)",
];

const WIDTH: usize = 8;
const STATEMENTS: usize = 1000;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let directory = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(format!("{directory}/chain.rs"), chain()).expect("the function can be written");
}

fn chain() -> String {
    let name = |value: usize| if value < WIDTH { format!("x[{value}]") } else { format!("v{value}") };
    let mut text = format!(
        "long_function! {{\n/// A chain of {STATEMENTS} generated statements.\n\
         fn chain_1000(x: &[f64; {WIDTH}]) -> [f64; {WIDTH}] {{\n"
    );
    for index in 0..STATEMENTS {
        let mixed = index.wrapping_mul(0x9E37_79B9) >> 7;
        let (operation, right) = (OPERATIONS[mixed % OPERATIONS.len()], index + 1 + mixed / 8 % (WIDTH - 1));
        let value = operation.replace("LEFT", &name(index)).replace("RIGHT", &name(right));
        writeln!(text, "let v{} = {value};", index + WIDTH).expect("strings can be written");
    }
    let results: Vec<_> = (STATEMENTS..STATEMENTS + WIDTH).map(name).collect();
    write!(text, "[{}]\n}}\n}}\n", results.join(", ")).expect("strings can be written");
    text
}
