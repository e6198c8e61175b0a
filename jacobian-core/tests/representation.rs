//! The Jacobian as a linear map: exact, modulo 2^61 - 1, on random functions, and in few numbers where it is scarce.

use jacobian_core::CodeList;
use jacobian_core::catalogue::known;
use jacobian_core::code_list::Statement;
use jacobian_core::evaluate::{MODULUS, Modular};
use jacobian_core::pipeline::linearize;
use jacobian_core::represent::{Representation, represent};
use jacobian_lab::check::{modular_jacobian, modular_values};
use jacobian_lab::lcg::LabelledGraph;
use jacobian_lab::represent::least_edges;

use support::lists::{passive_numbers, random_list};
use support::random::Random;

mod support {
    pub mod lists;
    #[allow(dead_code, reason = "other tests need more of it")]
    pub mod random;
}

fn multiplications(list: &CodeList) -> usize {
    let is_one = |statement: &&Statement| matches!(statement, Statement::Apply { intrinsic: known::MUL, .. });
    list.statements().iter().filter(is_one).count()
}

/// The number of labels, each of which takes one multiplication at most in either product.
fn labels(representation: &Representation) -> usize {
    let Representation { tangent, cotangent, .. } = representation;
    let labels = representation.labels();
    assert!(multiplications(&tangent.list) <= labels && multiplications(&cotangent.list) <= labels);
    labels
}

fn labels_of_function(text: &str) -> usize {
    let function: CodeList = text.parse().expect("a code list");
    labels(&represent(linearize(&function)))
}

fn residue_of_int(value: i32) -> u64 {
    let magnitude = u64::from(value.unsigned_abs());
    if value < 0 { Modular::neg(magnitude) } else { magnitude }
}

/// The sum of the products of the numbers at the same places.
fn dot(left: impl IntoIterator<Item = u64>, right: &[u64]) -> u64 {
    left.into_iter().zip(right).fold(0, |sum, (left, &right)| Modular::add(sum, Modular::mul(left, right)))
}

#[test]
fn the_products_are_exact() {
    for seed in 0..1_000 {
        let function = random_list(&mut Random::new(seed), 40);
        let random = &mut Random::new(!seed);
        let inputs: Vec<_> = function.inputs().iter().map(|_| random.bits() % MODULUS).collect();
        let passive = passive_numbers(&function, random, |random| random.bits() % MODULUS, residue_of_int);
        let jacobian = modular_jacobian(&function, &inputs, &passive);
        let linearization = linearize(&function);
        let columns = linearization.columns.len();
        let representation = represent(linearization);
        let list = &representation.function.list;
        let values = modular_values(list, list.outputs(), &inputs, &passive);
        let (results, labels) = values.split_at(function.outputs().len());
        assert_eq!(results, modular_values(&function, function.outputs(), &inputs, &passive), "seed {seed}");
        assert_eq!(labels.len(), representation.labels());
        let mut vector = |length| (0..length).map(|_| random.bits() % MODULUS).collect::<Vec<_>>();
        let (v, w) = (vector(columns), vector(jacobian.len()));
        let product =
            |list: &CodeList, vector: &[u64]| modular_values(list, list.outputs(), &[vector, labels].concat(), &[]);
        let expected: Vec<_> = jacobian.iter().map(|row| dot(row.iter().copied(), &v)).collect();
        assert_eq!(product(&representation.tangent.list, &v), expected, "seed {seed}:\n{function}");
        let expected: Vec<_> = (0..columns).map(|column| dot(jacobian.iter().map(|row| row[column]), &w)).collect();
        assert_eq!(product(&representation.cotangent.list, &w), expected, "seed {seed}:\n{function}");
    }
}

#[test]
fn the_examples_of_hovland_take_the_fewest_labels() {
    let texts = [
        (include_str!("../../jacobian-lab/benchmarks/hovland_1.lcg"), 6),
        (include_str!("../../jacobian-lab/benchmarks/hovland_2.lcg"), 6),
        (include_str!("../../jacobian-lab/benchmarks/hovland_3.lcg"), 5),
        (include_str!("../../jacobian-lab/benchmarks/lion.lcg"), 6),
    ];
    for (text, least) in texts {
        let graph: LabelledGraph = text.parse().expect("a graph");
        assert_eq!(labels(&represent(graph.linearize())), least);
    }
}

/// Five factors of one product, of which four functions are results: 9 labels for 20 entries.
#[test]
fn a_chain_through_one_number() {
    let text = "input a b c d e\nt = a * b\nu = t * c\nv = u * d\ns = v * e\nw = sin(s)\nx = exp(s)\ny = ln(s)\nz = sqrt(s)\noutput w x y z";
    assert_eq!(labels_of_function(text), 9);
}

/// Each result is the sine of its own input times the sum of all squares: the diagonal, the sines, and twice the
/// inputs, of which each stands for two equal edges.
#[test]
fn a_diagonal_and_an_outer_product() {
    let mut text = "input a b c d e\n".to_string();
    for name in ["a", "b", "c", "d", "e"] {
        text += &format!("q{name} = {name} * {name}\ns{name} = sin({name})\n");
    }
    text += "t = qa + qb\nu = t + qc\nv = u + qd\nr = v + qe\n";
    for name in ["a", "b", "c", "d", "e"] {
        text += &format!("y{name} = s{name} * r\noutput y{name}\n");
    }
    let labels = labels_of_function(&text);
    assert!(labels <= 15, "{labels}");
}

/// As few labels as the graph with the fewest edges has, but for some functions.
#[test]
fn random_functions_take_few_labels() {
    let (mut found, mut least) = (0, 0);
    for seed in 0..500 {
        let linearization = linearize(&random_list(&mut Random::new(seed), 40));
        least += least_edges(&linearization.graph).edges;
        found += represent(linearization).labels();
    }
    assert!(found <= least, "{found} {least}");
}
