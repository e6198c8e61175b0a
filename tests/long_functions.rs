//! Long functions and deep expressions: rustc compiles the Jacobians of functions of 10,000 statements in a dev build,
//! and what nests too deeply is refused by an error. In no case does it crash: neither on the code that is generated
//! nor on what is left of a function that is refused.
//!
//! rustc 1.95 itself crashes on about 3,000 `let`s in a row in a function that is called, on a sum of 10,000
//! terms, and on 1,000 nested blocks, be they annotated or not. So the longest functions here assign to variables or
//! are not called themselves, a sum that is too long is replaced in what is emitted, and blocks nest less deeply.

mod scratch_crate;

use std::fmt::Write;
use std::time::{Duration, Instant};

use scratch_crate::{ScratchCrate, printed};

/// The longest that a build may take; it takes seconds on a machine that does nothing else.
const PATIENCE: Duration = Duration::from_secs(300);

/// What rustc or cargo prints when rustc crashes.
const CRASHES: [&str; 5] = ["SIGSEGV", "SIGABRT", "signal:", "internal compiler error", "panicked"];

/// Compiles a program with the debug information of a dev build, and gives what the compiler said.
fn program(name: &str, source: &str) -> (ScratchCrate, String) {
    let scratch = ScratchCrate::new(&format!("long-{name}"), 2, "");
    scratch.write("src/main.rs", source);
    let start = Instant::now();
    let output = scratch.cargo(&["build"]);
    let (time, text) = (start.elapsed(), printed(&output));
    println!("{name}: {:.1} s", time.as_secs_f64());
    for crash in CRASHES {
        assert!(!text.contains(crash), "rustc crashes in {}: {text}", scratch.directory().display());
    }
    assert!(time < PATIENCE, "{name} takes {time:?}");
    (scratch, text)
}

/// Compiles a program and runs it: it must succeed.
fn run(name: &str, source: &str) {
    let (scratch, text) = program(name, source);
    let output = scratch.cargo(&["run"]);
    assert!(output.status.success(), "{name}: {text}\n{}", printed(&output));
}

/// How a statement makes a value of two earlier ones. All are written so that values and derivatives stay moderate.
const OPERATIONS: [&str; 6] = [
    "0.5 * LEFT + 0.5 * RIGHT",
    "0.75 * LEFT - 0.25 * RIGHT",
    "LEFT.sin() - 0.1 * RIGHT",
    "LEFT.cos() * RIGHT",
    "0.5 * LEFT + 0.5 * RIGHT",
    "LEFT / (1.0 + RIGHT * RIGHT)",
];

/// The statement `index` of a function that is `width` wide: its operation, and on which values it works.
fn statement(index: usize, width: usize) -> (usize, usize, usize) {
    let mixed = index.wrapping_mul(0x9E37_79B9) >> 7;
    (mixed % OPERATIONS.len(), index, index + 1 + mixed / 8 % (width - 1))
}

/// A function of this many statements on `width` inputs, with the last `results` values as its results, and a program
/// that compares its Jacobian with dual numbers.
fn chain(statements: usize, width: usize, results: usize) -> String {
    let name = |value: usize| if value < width { format!("x[{value}]") } else { format!("v{value}") };
    let (mut lines, mut table) = (String::new(), String::new());
    for index in 0..statements {
        let (operation, left, right) = statement(index, width);
        let value = OPERATIONS[operation].replace("LEFT", &name(left)).replace("RIGHT", &name(right));
        writeln!(lines, "let v{} = {value};", index + width).expect("strings can be written");
        write!(table, "({operation}, {left}, {right}), ").expect("strings can be written");
    }
    let outputs: Vec<_> = (0..results).map(|back| name(statements + width - 1 - back)).collect();
    let outputs = outputs.join(", ");
    CHECK
        .replace("BODY", &format!("{lines}[{outputs}]"))
        .replace("TABLE", &table)
        .replace("WIDTH", &width.to_string())
        .replace("RESULTS", &results.to_string())
}

/// The program: the dual numbers are computed by a loop over the table of the statements.
const CHECK: &str = "
#![allow(dead_code)]

use jacobian::jacobian;

#[jacobian]
fn f(x: &[f64; WIDTH]) -> [f64; RESULTS] {
BODY
}

static STATEMENTS: &[(u8, usize, usize)] = &[TABLE];

/// A value, its derivative, and the derivative with all partials replaced by their absolute values.
type Dual = (f64, f64, f64);

fn dual(operation: u8, (l, dl, al): Dual, (r, dr, ar): Dual) -> Dual {
    let (value, by_left, by_right) = match operation {
        0 | 4 => (0.5 * l + 0.5 * r, 0.5, 0.5),
        1 => (0.75 * l - 0.25 * r, 0.75, -0.25),
        2 => (l.sin() - 0.1 * r, l.cos(), -0.1),
        3 => (l.cos() * r, -l.sin() * r, l.cos()),
        _ => (l / (1.0 + r * r), 1.0 / (1.0 + r * r), -2.0 * l * r / (1.0 + r * r) / (1.0 + r * r)),
    };
    (value, by_left * dl + by_right * dr, by_left.abs() * al + by_right.abs() * ar)
}

fn main() {
    let x: [f64; WIDTH] = std::array::from_fn(|index| 0.3 + 0.2 * index as f64);
    let (value, jacobian) = f_jac(&x);
    for column in 0..WIDTH {
        let seed = |index: usize| f64::from(u8::from(index == column));
        let mut values: Vec<Dual> = (0..WIDTH).map(|index| (x[index], seed(index), seed(index))).collect();
        for &(operation, left, right) in STATEMENTS {
            values.push(dual(operation, values[left], values[right]));
        }
        for (row, &(expected, derivative, magnitude)) in values.iter().rev().take(RESULTS).enumerate() {
            assert_eq!(value[row].to_bits(), expected.to_bits());
            let error = (jacobian[row][column] - derivative).abs();
            assert!(error <= 1e-11 * magnitude + 1e-300, \"{row}, {column}: {} {derivative}\", jacobian[row][column]);
        }
    }
}
";

#[test]
fn ten_thousand_statements_compile() {
    run("narrow", &chain(10_000, 2, 2));
}

#[test]
fn three_thousand_statements_compile_that_are_eight_wide() {
    run("wide", &chain(3_000, 8, 8));
}

#[test]
fn ten_thousand_assignments_compile() {
    let lines = "s += 0.001 * x; s = s.sin();\n".repeat(5_000);
    run("assignments", &called("x: f64", "1.0", &format!("let mut s = x;\n{lines}s")));
}

#[test]
fn four_thousand_passive_numbers_compile() {
    let lines: String = (0..4_000).map(|index| format!("s += table[{index}] * x;\n")).collect();
    run("passive", &called("x: f64, table: &[f64; 4_000]", "1.0, &[0.5; 4_000]", &format!("let mut s = x;\n{lines}s")));
}

#[test]
fn ten_thousand_statements_of_loops_compile() {
    let body = "let mut s = x;
        for i in 0..2_500 {
            s = s * 0.5 + x.sin() * (i % 7) as f64;
        }
        s";
    run("loop", &called("x: f64", "1.0", body));
    let body = "table.iter().zip(0..).map(|(w, i)| w * x + (x * i as f64).cos()).sum::<f64>()";
    run("iterators", &called("x: f64, table: &[f64; 2_500]", "1.0, &[0.5; 2_500]", body));
}

#[test]
fn thousands_of_branches_compile() {
    let body = "let mut a = [x, 0.5 * x, 0.25];
        for i in 0..2_000 {
            let next = a[(i + 1) % 3];
            a[i % 3] = if a[i % 3] < next { next.sin() + 0.5 * a[i % 3] } else { a[(i + 2) % 3] * 0.75 };
        }
        a[0] + a[1] + a[2]";
    run("branches", &called("x: f64", "1.0", body));
    // Arms with and without passive statements, and passive results of arms.
    let body = "let mut a = [x, 0.5 * x, 0.25];
        let mut k = n;
        for i in 0..300 {
            let next = a[(i + 1) % 3];
            a[i % 3] = if a[i % 3] < next {
                next.sin() * table[i % 10] + a[i % 3] * 0.5
            } else {
                let w = table[(i + 3) % 10] * k as f64;
                next * next - a[(i + 2) % 3] / (1.0 + w * w)
            };
            if table[i % 10] > w0 {
                k = k % 100 + i as i64;
                a[0] += x * 0.01;
            }
        }
        a[0] + a[1] + a[2] * k as f64";
    run("passive-branches", &called("x: f64, table: &[f64; 10], w0: f64, n: i64", "1.0, &[0.5; 10], 0.1, 3", body));
}

#[test]
fn ten_thousand_passive_statements_compile() {
    // Values that are used at once, and much later; values that borrow from others; and a chain of assignments.
    let body = "let mut s = x;
        let mut k = n;
        let mut far = [0.0; 10];
        for i in 0..2_000 {
            let w = table[i % 10] * 2.0;
            let v = w * w + n as f64;
            let r = &table[(i + 1) % 10];
            k = k % 100 + i as i64;
            far[i % 10] = v;
            s = 0.5 * s + v * x + *r * w;
        }
        s + k as f64 + far[3] * x";
    run("passive-loop", &called("x: f64, table: &[f64; 10], n: i64", "1.0, &[0.5; 10], 3", body));
}

/// A program that calls a function and its Jacobian by its first parameter.
fn called(parameters: &str, arguments: &str, body: &str) -> String {
    format!(
        "#![allow(double_negations, unused_parens, unused_braces)]\n\nuse jacobian::jacobian;\n\n#[jacobian(wrt(x))]\n\
         fn f({parameters}) -> f64 {{\n{body}\n}}\n\nfn main() {{\n\
         assert_eq!(f_jac({arguments}).0.to_bits(), f({arguments}).to_bits());\n}}\n"
    )
}

/// An expression, nested this many times.
fn nested(front: &str, times: usize, after: &str) -> String {
    called("x: f64", "0.5", &format!("{}x{}", front.repeat(times), after.repeat(times)))
}

#[test]
fn deep_expressions_compile() {
    let deep = [
        ("sum", nested("", 1_900, " + x")),
        ("parentheses", nested("(", 120, ")")),
        ("blocks", nested("{ ", 120, " }")),
        ("minuses", nested("-", 120, "")),
        ("methods", nested("", 1_900, ".sin()")),
        ("arguments", nested("x.max(", 120, ")")),
        ("tuples", nested("(", 120, ", 1.0).0")),
        ("passive-sum", called("x: f64, n: i64", "0.5, 3", &format!("x * (n{}) as f64", " + 1".repeat(1_900)))),
        (
            "loops",
            called(
                "x: f64",
                "0.5",
                &format!("let mut s = x; {} s *= x; {} s", "for _ in 0..1 {".repeat(120), "}".repeat(120)),
            ),
        ),
        (
            "branches",
            called("x: f64", "0.5", &format!("{}x{}", "if x < 0.7 { x * ".repeat(60), "} else { x }".repeat(60))),
        ),
        (
            "iterations",
            called("x: f64", "0.5", "let mut s = x; for i in 0..80 { s *= x; if s < 1e-30 { break; } s += x; } s"),
        ),
        ("closures", called("x: f64", "0.5", &format!("{}x{}", "[x].map(|_| ".repeat(60), ")[0]".repeat(60)))),
    ];
    for (name, source) in deep {
        run(&format!("deep-{name}"), &source);
    }
}

#[test]
fn deeper_expressions_are_refused() {
    let deeper = [
        ("sum", nested("", 10_000, " + x"), "this expression is too long; bind parts of it with `let`"),
        ("parentheses", nested("(", 1_000, ")"), "brackets nest so deeply here"),
        ("blocks", nested("{ ", 300, " }"), "brackets nest so deeply here"),
        ("minuses", nested("-", 1_000, ""), "there are so many `-`, `!`, `*` or `&` in a row"),
        (
            "branches",
            called("x: f64", "0.5", &format!("{}x{}", "if x < 0.7 { x * ".repeat(110), "} else { x }".repeat(110))),
            "this nests too deeply",
        ),
        ("methods", nested("", 2_100, ".sin()"), "this expression is too long; bind parts of it with `let`"),
        ("arguments", nested("x.max(", 1_000, ")"), "brackets nest so deeply here"),
    ];
    for (name, source, message) in deeper {
        let (_, text) = program(&format!("deeper-{name}"), &source);
        assert!(text.contains(message), "{name}: {text}");
        let errors =
            text.lines().filter(|line| line.starts_with("error") && !line.contains("could not compile")).count();
        assert_eq!(errors, 1, "{name}: {text}");
    }
}
