//! The expansion of an input is the same, byte by byte, in every process: in particular, it follows no order of a hash
//! table, whose seed differs from process to process.

use std::process::Command;

/// The variable that makes the test print the expansions instead of comparing them.
const CHILD: &str = "JACOBIAN_PRINT_EXPANSIONS";

/// What the child prints before the expansions.
const START: &str = "expansions:";

const PROCESSES: usize = 5;

const STRATEGIES: [&str; 9] = [
    "auto",
    "forward",
    "vertex: pre > markowitz > reverse",
    "locality",
    "edge: markowitz",
    "face: absorb > markowitz",
    "path: merge > cliques",
    "face: search(steps = 20)",
    "optimal",
];

const PACKINGS: [&str; 2] = ["never", "always"];

/// Functions with many names, passive values, constants and equal costs: whatever could be kept in a hash table.
const FUNCTIONS: [&str; 5] = [
    "fn f(x: [f64; 4], model: &Model, n: i32, k: usize) -> [f64; 4] {
        use core::f64::consts::PI;
        const K: f64 = 2.5;
        const I: usize = 1;
        let s = model.scale * n as f64;
        let Model { a, b, c, .. } = model;
        let [p, q, r, t] = x;
        let y = s * p + K * q - PI * r + t.powi(n + 1) * model.table[k] + a * b * c;
        let z = [y.sin() * p, y.cos() * q, y.exp() * r, y.tanh() * t];
        [z[0] * z[I], z[1] * z[2], z[2] / z[3], z[3] - z[0] + 3.0 * 4.0 * y.powf(s)]
    }",
    "fn f(m: [[f64; 3]; 3]) -> f64 {
        let [[a, b, c], [d, e, f], [g, h, i]] = m;
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    }",
    "fn f(x: f64, y: f64) -> (f64, [f64; 2]) { let (v0, v1) = (x + y, x - y); (v0 * v1, [f64::atan2(v0, v1), <f64>::hypot(v1, v0)]) }",
    "fn f<T: RealField + Copy>(v: &Vector3<T>, m: Matrix2x3<T>, k: T, y: &mut Vector2<T>) -> (T, Point2<T>) {
        *y = m * v / k;
        y.x = RealField::atan2(y.x, v.dot(v)).asinh() * T::from_f64(0.1).unwrap();
        (v.norm(), Point2::from(*y) - Vector2::new(v[0], T::sqrt(k)))
    }",
    "fn f(x: f64, s: &str) -> f64 { if x > 0.0 { for i in 0..3 {} } unknown(x, missing.gamma()) + x.sine() }",
];

fn print_expansions() {
    println!("{START}");
    for function in FUNCTIONS {
        for (strategy, packing) in
            STRATEGIES.into_iter().flat_map(|strategy| PACKINGS.map(|packing| (strategy, packing)))
        {
            let options =
                format!("strategy = {strategy:?}, pack = {packing:?}").parse().expect("the options are tokens");
            println!("{}", jacobian_expand::expand(options, function.parse().expect("the function is made of tokens")));
        }
    }
}

/// What a fresh process prints.
fn printed_by_a_child() -> String {
    let own = std::env::current_exe().expect("the test has a file");
    let arguments = ["--exact", "expansions_are_the_same_in_every_process", "--nocapture", "--test-threads=1"];
    let output = Command::new(own).args(arguments).env(CHILD, "1").output().expect("the test can be run again");
    let printed = String::from_utf8(output.stdout).expect("the expansions are text");
    assert!(output.status.success(), "{printed}");
    let (_, expansions) = printed.split_once(START).expect("the child prints expansions");
    // What the test harness adds tells the time.
    expansions.split_once("test result:").map_or(expansions, |(expansions, _)| expansions).to_string()
}

#[test]
fn expansions_are_the_same_in_every_process() {
    if std::env::var_os(CHILD).is_some() {
        return print_expansions();
    }
    let first = printed_by_a_child();
    let expanded = first.matches("fn f_jac").count();
    assert_eq!(expanded, FUNCTIONS.len() * STRATEGIES.len() * PACKINGS.len());
    let refused = first.lines().filter(|line| line.contains("compile_error")).count();
    assert_eq!(refused, STRATEGIES.len() * PACKINGS.len(), "the last function alone has errors");
    for _ in 1..PROCESSES {
        assert!(printed_by_a_child() == first, "two processes expand the same input differently");
    }
}
