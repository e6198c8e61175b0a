//! Runs the cases in the directory `cases`: each file is a graph or a function, strategies, and what is to come of
//! each. A new case is a new file; every file reports its own failures, and all are reported together.
//!
//! ```text
//! # A comment.
//! graph:                          a linearized graph, as `jacobian_lab::lcg` reads it; or
//! function:                       a code list; or
//! file: jacobian-lab/benchmarks/lion.lcg   a graph in a file
//!     vertices 3
//!     ...
//! callee:                         a code list that the function calls: the first one is that of `origin 0`
//!     ...
//! jacobian:                       all entries that are not zero by structure, as expressions over the labels (or over
//!     J[2,0] = c[0,1]*c[1,2]      the function's values). `J[j,i]` is named by the vertices of a graph, by the numbers
//!                                 of results and inputs of a function
//! strategy: vertex: forward       what is run
//!     sequence: 1                 expectations: one row of `EXPECTATIONS` each; or, alone, `error` with the message
//!     textbook: 1
//! ```
//!
//! Whatever a case expects, every run is checked against Bauer's formula modulo 2^61 - 1; of a function with branches,
//! a strategy accumulates the arms, too.

use support::case::failures;
use support::case_file::assert_cases;

mod support {
    pub mod callees;
    pub mod case;
    pub mod case_file;
    #[allow(dead_code, reason = "other tests need more of it")]
    pub mod lists;
    #[allow(dead_code, reason = "other tests need more of it")]
    pub mod random;
}

#[test]
fn every_case_holds() {
    assert_cases("cases", failures);
}

/// A graph with two independents and one vertex between them and the dependent.
const CASE: &str =
    "graph:\n    vertices 4\n    indep 0 1\n    dep 3\n    edge 0 2 var\n    edge 1 2 var\n    edge 2 3 var\n";

fn failures_of(rest: &str) -> Vec<String> {
    failures(&format!("{CASE}{rest}"))
}

#[test]
fn a_case_that_holds_has_no_failures() {
    let rest = "jacobian:\n    J[3,0] = c[0,2]*c[2,3]\n    J[3,1] = c[2,3]*c[1,2]\n\
                strategy: forward\n    sequence: 2\n    edges: 3 2\nstrategy: edge: order((2,3)b)\n    textbook: 2\n";
    assert_eq!(failures_of(rest), Vec::<String>::new());
}

#[test]
fn what_differs_is_reported_with_its_line() {
    assert_eq!(
        failures_of("strategy: forward\n    textbook: 3\n    fill: 2\n    sequence: 3\n"),
        ["9: textbook: expected `3`, found `2`", "11: sequence: expected `3`, found `2`"]
    );
    assert_eq!(
        failures_of("jacobian:\n    J[3,0] = c[0,2]\n    J[3,1] = c[1,2]*c[2,3]\nstrategy: forward\n    fill: 2\n"),
        ["11: the Jacobian's entry J[3,0] is another"]
    );
    assert_eq!(
        failures_of("jacobian:\n    J[3,0] = c[0,2]*c[2,3]\nstrategy: forward\n    fill: 2\n"),
        ["10: the Jacobian has the entries J[3,0] J[3,1], the case has J[3,0]"]
    );
}

#[test]
fn errors_in_cases_are_reported_with_their_lines() {
    for (rest, failure) in [
        ("strategy: forward\n    speed: 3\n", "9: unknown expectation `speed`"),
        ("strategy: forward\n", "8: nothing is expected of this run"),
        ("strategy: fast\n    fill: 2\n", "8: unknown strategy `fast`"),
        ("strategy: forward\n    error: x\n", "9: unknown expectation `error`"),
        ("strategy: vertex: order()\n    error: x\n", "9: error: expected `x`, found `"),
        (
            "strategy: edge: order((2,3)b)\n    edges: 3 2\n",
            "9: edges: expected `3 2`, found `(only for orders of vertices)`",
        ),
        ("strategies: forward\n", "8: unknown section `strategies`"),
        ("strategy forward\n", "8: expected `KEY: VALUE`"),
        ("", "1: no `strategy`"),
        ("graph:\n    vertices 1\n", "8: the case has a graph or a function already"),
        ("jacobian:\n    J[3,0]\nstrategy: forward\n    fill: 2\n", "9: expected `J[j,i] = EXPRESSION`"),
    ] {
        let failures = failures_of(rest);
        assert!(failures.len() == 1 && failures[0].starts_with(failure), "{failures:?} is not {failure}");
    }
    assert_eq!(failures("graph:\n    vertices x\n"), ["2: expected a number up to 1000000, found `x`"]);
    assert_eq!(failures("function:\n    y = 1 +\n"), ["2: unexpected end"]);
    assert_eq!(failures("strategy: forward\n    fill: 2\n"), ["1: no graph or function stands before"]);
}
