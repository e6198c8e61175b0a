//! How long the expansion takes at opt-level 0, at which every user's build compiles a procedural macro: functions of
//! 100, 300, 1,000 and 10,000 statements against the budgets: of 4 inputs, 4 results and 4 values alive at any time,
//! written out, as a loop, by iterators and closures, and with branches; and of 8, written out; and the other forms of
//! the first. A loop that stays one takes the same time for any number of iterations, and is as long.
//!
//! Run it without `--release`: `cargo run --example expansion_time`. The exit code tells whether the budgets hold.

mod chain;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use proc_macro2::TokenStream;

/// Statements, and the milliseconds that their expansion by `auto` may take, and that of each further form.
const BUDGETS: [(usize, u64); 4] = [(100, 50), (300, 100), (1_000, 500), (10_000, 5_000)];

/// How much longer the expansion by a strategy of the user's choice may take, which can make code several times as long.
const LONGER_CODE: u64 = 2;

/// Forms beside value and Jacobian, each of which may take what that takes; `lin` with its two products. And those of
/// second derivatives, for the functions of a hundred and of a thousand statements, 4 wide.
const FORMS: [&str; 6] = ["jac_only", "jac_sparse", "jvp", "vjp", "normal", "lin"];
const SECOND: [&str; 3] = ["hess", "hess_sparse", "hvp"];
const SECOND_BUDGETS: [(usize, u64); 2] = [(100, 150), (1_000, 3_000)];

/// The iterations of a loop that stays one, and the milliseconds that its expansion may take.
const ITERATIONS: [usize; 3] = [10, 1_000, 1_000_000];
const ROLLED_BUDGET: u64 = 50;

const STRATEGIES: [&str; 5] = ["auto", "forward", "reverse", "markowitz", "vlr"];

fn main() -> ExitCode {
    println!("{:<10} {:<10} {:>11} {:>12} {:>12}", "function", "by", "statements", "expansion", "budget");
    let mut holds = true;
    for (statements, budget) in SECOND_BUDGETS {
        let function = tokens(&chain::chain(statements, 4));
        for form in SECOND {
            holds &= is_within("4 wide", form, &format!("forms({form})"), statements, &function, budget);
        }
    }
    for iterations in ITERATIONS {
        holds &= is_within("rolled", "never", "unroll = \"never\"", iterations, &rolled(iterations), ROLLED_BUDGET);
    }
    let lengths = ITERATIONS.map(|iterations| {
        let expanded = jacobian_expand::expand(tokens("unroll = \"never\""), rolled(iterations)).to_string();
        expanded.replace(&iterations.to_string(), "10").len()
    });
    println!("{:<10} {:<10} {:>11} bytes, whatever the number of iterations is", "rolled", "never", lengths[0]);
    holds &= lengths.iter().all(|length| *length == lengths[0]);
    for (statements, budget) in BUDGETS {
        let wide = tokens(&chain::chain(statements, 4));
        for form in FORMS {
            holds &= is_within("4 wide", form, &format!("forms({form})"), statements, &wide, budget);
        }
        let functions = [
            ("4 wide", wide),
            ("8 wide", tokens(&chain::chain(statements, 8))),
            ("loop", loops(statements)),
            ("iterators", iterators(statements)),
            ("branches", branches(statements)),
        ];
        for (name, function) in functions {
            for strategy in STRATEGIES {
                let budget = if strategy == "auto" { budget } else { LONGER_CODE * budget };
                holds &= is_within(name, strategy, &format!("strategy = {strategy:?}"), statements, &function, budget);
            }
        }
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether a function is expanded within the budget. Prints the row.
fn is_within(
    name: &str,
    by: &str,
    options: &str,
    statements: usize,
    function: &TokenStream,
    milliseconds: u64,
) -> bool {
    // The least is reported, for it is the one that other work disturbed least.
    let rounds = (3_000 / statements).clamp(3, 10);
    let time = (0..rounds).map(|_| expansion_time(function, options)).min().unwrap_or_default();
    println!("{name:<10} {by:<10} {statements:>11} {:>9} ms {milliseconds:>9} ms", time.as_millis());
    time <= Duration::from_millis(milliseconds)
}

fn expansion_time(function: &TokenStream, options: &str) -> Duration {
    let options = tokens(options);
    let start = Instant::now();
    let expanded = jacobian_expand::expand(options, function.clone());
    let time = start.elapsed();
    assert!(!expanded.to_string().contains("compile_error"), "the function is not supported");
    time
}

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("the function is made of tokens")
}

/// A loop of this many statements when it is unrolled: eight an iteration, two of them on passive values.
fn loops(statements: usize) -> TokenStream {
    let text = format!(
        "fn loops(x: &[f64; 4], model: &Model) -> [f64; 4] {{
            const SIGNS: [i32; 4] = [1, -1, 2, -2];
            let mut a = *x;
            for i in 0..{} {{
                let w = model.weights[i] * 0.5;
                let v = w + i as f64;
                if i % 3 == 1 {{
                    a[i % 4] *= w;
                    continue;
                }}
                a[i % 4] = (a[(i + 1) % 4] * w + v).sin() - SIGNS[i % 4] as f64 * a[(i + 2) % 4] * 0.25;
            }}
            a
        }}",
        statements / 8
    );
    tokens(&text)
}

/// The same by iterators and closures.
fn iterators(statements: usize) -> TokenStream {
    let text = format!(
        "fn iterators(x: &[f64; 4], model: &Model) -> [f64; 4] {{
            let step = |a: f64, w: f64| (a * w).sin() + 0.5 * a;
            (0..{}).fold(*x, |a, i| {{
                let w = model.weights[i];
                let s = a.iter().zip(&SIGNS[..]).map(|(v, s)| v * s).sum::<f64>();
                [a[1], a[2], a[3], step(s, w)]
            }})
        }}",
        statements / 11
    );
    let text = text.replace("let step", "const SIGNS: [f64; 4] = [1.0, -0.5, 0.25, -0.125];\n let step");
    tokens(&text)
}

/// A loop with a branch in each iteration, both arms of which are four statements.
fn branches(statements: usize) -> TokenStream {
    let text = format!(
        "fn branches(x: &[f64; 4], model: &Model) -> [f64; 4] {{
            let mut a = *x;
            for i in 0..{} {{
                let next = a[(i + 1) % 4];
                a[i % 4] = if a[i % 4] < next {{
                    next.sin() * model.weights[i] + a[i % 4] * 0.5
                }} else {{
                    let square = next * next;
                    square - a[(i + 2) % 4] / model.weights[i]
                }};
            }}
            a
        }}",
        statements / 11
    );
    tokens(&text)
}

/// A loop of this many iterations of six statements on active values.
fn rolled(iterations: usize) -> TokenStream {
    let text = format!(
        "fn rolled(x: &[f64; 4]) -> [f64; 4] {{
            let [mut a, mut b, mut c, d] = *x;
            for i in 0..{iterations} {{
                a = (b * d + i as f64).sin();
                b += 0.5 * c * a;
                c -= a * b;
            }}
            [a, b, c, d]
        }}"
    );
    tokens(&text)
}
