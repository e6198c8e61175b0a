//! What the parts of `auto` gain in time: the functions of textbooks of `jacobian-lab/functions`, on which no constant of
//! the search was chosen, by the better of forward and reverse (as it is estimated), by the best hierarchy of the
//! portfolio, and by `auto`. A crate with all of them is written, built in the release profile and run; it prints times of
//! value and Jacobian in place as ratios to the function: medians of rounds in which the columns take turns.
//!
//! `cargo run --release --example search_time`

#[path = "../tests/scratch_crate/mod.rs"]
mod scratch_crate;

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use jacobian_core::accumulate::accumulate;
use jacobian_core::cost::time::Estimate;
use jacobian_core::pipeline::linearize;
use jacobian_core::search::{Budget, Search, Space};
use jacobian_core::{CodeList, Strategy};
use scratch_crate::{ScratchCrate, printed};

/// What measures, in the crate that is written.
const HARNESS: &str = r#"
use std::hint::black_box;
use std::time::Instant;

/// Rounds, passes of a turn over the points, and points.
const ROUNDS: usize = 2_001;
const PASSES: usize = 12;
const POINTS: usize = 16;

/// Points at which the function has values; at first, all arguments are near 1, and later some are larger.
fn points<const N: usize, const M: usize>(function: fn(&[f64; N]) -> [f64; M]) -> Vec<[f64; N]> {
    let scale = |seed: usize, k: usize| 10_f64.powi((seed / 100 * (k + 1) % 4) as i32);
    let candidate = |seed: usize| {
        std::array::from_fn(|k| (0.1 + ((seed * 31 + k * 17) % 37) as f64 / 20.0) * scale(seed, k))
    };
    let is_defined = |x: &[f64; N]| function(x).iter().all(|value| value.is_finite());
    let points: Vec<_> = (1..10_000).map(candidate).filter(is_defined).take(POINTS).collect();
    assert_eq!(points.len(), POINTS, "the function has values");
    points
}

/// The median time of each way over rounds in which they take turns, each round beginning with the next one.
fn medians(ways: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let mut times = vec![Vec::with_capacity(ROUNDS); ways.len()];
    for round in 0..ROUNDS {
        for turn in 0..ways.len() {
            let at = (round + turn) % ways.len();
            let start = Instant::now();
            ways[at]();
            times[at].push(start.elapsed().as_nanos() as f64);
        }
    }
    times.into_iter().map(|mut times| { times.sort_by(f64::total_cmp); times[ROUNDS / 2] }).collect()
}

fn ratios(name: &str, ways: &mut [&mut dyn FnMut()]) {
    let medians = medians(ways);
    let ratios: Vec<_> = medians[1..].iter().map(|time| format!("{:.4}", time / medians[0])).collect();
    println!("{name} {}", ratios.join(" "));
}
"#;

/// The columns.
const HEADS: [&str; 3] = ["better of forward and reverse", "portfolio", "auto"];

fn main() -> Result<(), Box<dyn Error>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("jacobian-lab/functions");
    let mut files: Vec<_> =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.sort();
    let (mut functions, mut calls) = (String::new(), String::new());
    let mut strategies = Vec::new();
    for file in &files {
        let name = file.file_stem().ok_or("a file has a name")?.to_string_lossy().into_owned();
        let text = fs::read_to_string(file)?;
        let of_function = strategies_of(&text.parse()?)?;
        add(&mut functions, &mut calls, &name, &text, &of_function)?;
        strategies.push((name, of_function));
    }
    let scratch = ScratchCrate::new("search-time", 0, "");
    let source = format!("use jacobian::jacobian;\n{HARNESS}\n{functions}\nfn main() {{\n{calls}}}\n");
    scratch.write("src/main.rs", &source);
    let output = scratch.cargo(&["run", "--release"]);
    let times = printed(&output);
    assert!(output.status.success(), "in {}: {times}", scratch.directory().display());
    println!("| function | {} |\n|{}", HEADS.join(" | "), "---|".repeat(HEADS.len() + 1));
    let mut means = [0.0; HEADS.len()];
    for (line, (name, strategies)) in times.lines().zip(&strategies) {
        let ratios: Vec<f64> = line.split(' ').skip(1).map(str::parse).collect::<Result<_, _>>()?;
        let cells = ratios.iter().zip(strategies).map(|(ratio, strategy)| format!("{ratio:.2} ({strategy})"));
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
        for (mean, ratio) in means.iter_mut().zip(&ratios) {
            *mean += ratio.ln() / files.len() as f64;
        }
    }
    println!("| geometric mean | {} |", means.map(|mean| format!("{:.3}", mean.exp())).join(" | "));
    Ok(())
}

/// The strategies of the columns.
fn strategies_of(function: &CodeList) -> Result<[String; 3], Box<dyn Error>> {
    let linearization = linearize(function);
    let time = |strategy: &str| -> Result<usize, Box<dyn Error>> {
        let (_, elimination) = strategy.parse::<Strategy>()?.eliminate(&linearization)?;
        Ok(Estimate::of(&accumulate(linearization.clone(), &elimination.program).list).total())
    };
    let plain = if time("reverse")? < time("forward")? { "reverse" } else { "forward" };
    let budget = Budget { steps_of_a_target: 0, ..Budget::of_search(linearization.graph.vertex_count()) };
    let portfolio = Search::in_space(Space::Edges).find(&linearization, usize::MAX, budget)?.order;
    Ok([plain.to_string(), portfolio.to_string(), "auto".to_string()])
}

/// Adds a function, once without a derivative and once by each strategy, and the call that measures them.
fn add(
    functions: &mut String,
    calls: &mut String,
    name: &str,
    text: &str,
    strategies: &[String; 3],
) -> Result<(), Box<dyn Error>> {
    let (mut inputs, mut outputs, mut body) = (Vec::new(), Vec::new(), String::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words = line.split_whitespace().skip(1).map(str::to_string);
        match line.split_whitespace().next() {
            Some("input") => inputs.extend(words),
            Some("output") => outputs.extend(words),
            Some(_) => writeln!(body, "    let {};", in_rust(line))?,
            None => {}
        }
    }
    let (columns, rows) = (inputs.len(), outputs.len());
    let (inputs, outputs) = (inputs.join(", "), outputs.join(", "));
    let code =
        format!("(x: &[f64; {columns}]) -> [f64; {rows}] {{\n    let [{inputs}] = *x;\n{body}    [{outputs}]\n}}\n");
    writeln!(functions, "#[inline(never)]\nfn {name}{code}")?;
    writeln!(calls, "    let at = points({name});")?;
    let mut ways = format!("&mut || for _ in 0..PASSES {{ for x in &at {{ black_box({name}(black_box(x))); }} }},");
    for (way, strategy) in strategies.iter().enumerate() {
        let own = format!("{name}_{way}");
        writeln!(functions, "#[allow(dead_code)]\n#[jacobian(into, strategy = {strategy:?})]\nfn {own}{code}")?;
        writeln!(calls, "    let (mut y{way}, mut j{way}) = ([0.0; {rows}], [[0.0; {columns}]; {rows}]);")?;
        let call = format!("{own}_jac_into(black_box(x), &mut y{way}, &mut j{way})");
        write!(
            ways,
            "&mut || for _ in 0..PASSES {{ for x in &at {{ {call}; black_box((&mut y{way}, &mut j{way})); }} }},"
        )?;
    }
    writeln!(calls, "    ratios({name:?}, &mut [{ways}]);")?;
    Ok(())
}

/// A statement of a code list as Rust: calls are those of `f64`, numbers are not integers.
fn in_rust(line: &str) -> String {
    let (mut text, mut word) = (String::new(), String::new());
    for c in line.chars().chain([' ']) {
        if c.is_alphanumeric() || matches!(c, '.' | '_') {
            word.push(c);
            continue;
        }
        let is_integer = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        text += if c == '(' && !word.is_empty() { "f64::" } else { "" };
        text += &word;
        text += if is_integer { ".0" } else { "" };
        text.push(c);
        word.clear();
    }
    text
}
