//! Bauer's formula by petgraph's paths: an entry of the Jacobian is the sum, over all paths from its independent to its
//! dependent, of the products of the labels along them. Modulo 2^61 - 1, in arithmetic of this file.

use std::collections::hash_map::RandomState;

use jacobian_core::Strategy;
use jacobian_core::graph::VertexId;
use jacobian_core::linearize::Linearization;
use jacobian_core::program::{LabelId, LabelKind, Operation, Program};
use jacobian_lab::check::bauer;
use jacobian_lab::digraph::{node, to_petgraph};
use jacobian_lab::lcg::LabelledGraph;
use petgraph::algo::all_simple_paths;
use petgraph::graph::NodeIndex;

use crate::benchmarks;
use crate::support::random::Random;
use crate::support::strategies::hierarchies;
use crate::support::texts::random_text;

const MODULUS: u128 = (1 << 61) - 1;

/// The Jacobian as the sum over all paths, row by row, and how many paths there are.
fn sum_over_paths(linearization: &Linearization, labels: &[u64]) -> (Vec<Vec<u64>>, usize) {
    let digraph = to_petgraph(&linearization.graph);
    let product = |path: Vec<NodeIndex>| {
        let edges = path.windows(2).map(|ends| digraph.find_edge(ends[0], ends[1]).expect("a path has edges"));
        edges.fold(1, |product, edge| product * u128::from(labels[digraph[edge].index()]) % MODULUS)
    };
    let mut count = 0;
    let mut entry = |row: &Option<VertexId>, column: &VertexId| {
        let row = row
            .iter()
            .flat_map(|&row| all_simple_paths::<_, _, RandomState>(&digraph, node(*column), node(row), 0, None));
        (row.inspect(|_| count += 1).map(product).sum::<u128>() % MODULUS) as u64
    };
    let rows = linearization.rows.iter();
    let jacobian = rows.map(|row| linearization.columns.iter().map(|column| entry(row, column)).collect()).collect();
    (jacobian, count)
}

/// The Jacobian that a program computes, row by row.
fn computed(linearization: &Linearization, program: &Program, given: &[u64]) -> Vec<Vec<u64>> {
    let mut values = given.to_vec();
    for accumulation in program.accumulations() {
        let value = |label: LabelId| u128::from(values[label.index()]);
        let sum = match accumulation.operation {
            Operation::Product { first, second } => value(first) * value(second),
            Operation::Absorption { addend, first, second } => value(addend) + value(first) * value(second),
            Operation::Sum { first, second } => value(first) + value(second),
            Operation::Negation { of } => MODULUS - value(of),
        };
        values.push((sum % MODULUS) as u64);
    }
    let entry = |row: Option<VertexId>, column| {
        row.and_then(|row| program.entry(row, column)).map_or(0, |label| values[label.index()])
    };
    let rows = linearization.rows.iter();
    rows.map(|&row| linearization.columns.iter().map(|&column| entry(row, column)).collect()).collect()
}

/// Checks what the strategies compute, and returns how many paths there are.
fn check(graph: &LabelledGraph, random: &mut Random, strategies: &[Strategy]) -> usize {
    let linearization = graph.linearize();
    let program = &linearization.program;
    let mut labels: Vec<_> = (0..program.given()).map(|_| (u128::from(random.bits()) % MODULUS) as u64).collect();
    for label in (0..labels.len()).map(|label| LabelId(label as u32)) {
        if program.kind(label) == LabelKind::Copy {
            labels[label.index()] = 1;
        }
        if let Some(of) = linearization.graph.opposite(label) {
            labels[label.index()] = (MODULUS - u128::from(labels[of.index()])) as u64;
        }
    }
    let (jacobian, count) = sum_over_paths(&linearization, &labels);
    assert_eq!(bauer(&linearization, &labels), jacobian, "the checker on\n{graph}");
    for strategy in strategies {
        let (_, elimination) = strategy.eliminate(&linearization).unwrap_or_else(|error| panic!("{strategy}: {error}"));
        assert_eq!(computed(&linearization, &elimination.program, &labels), jacobian, "`{strategy}` on\n{graph}");
    }
    count
}

#[test]
fn every_strategy_computes_the_sum_over_all_paths() {
    let strategies = hierarchies();
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let text = random_text(&["var", "var", "one", "minus_one", "const=0.5"], random);
        check(&text.parse().expect("a graph"), random, &strategies);
    }
}

#[test]
fn the_benchmarks_are_sums_over_all_paths() {
    let strategies = ["paths", "forward", "reverse", "markowitz", "edge: markowitz", "face: reverse"]
        .map(|strategy| strategy.parse().expect("a strategy"));
    let counts = benchmarks().iter().map(|graph| check(graph, &mut Random::new(0), &strategies)).collect::<Vec<_>>();
    assert_eq!(counts, [20, 9, 18, 24, 76, 10, 53, 158, 766]);
}
