//! Proves that symmetric elimination takes no more multiplications than edge pushing (Gower and Mello 2012), whose products are
//! counted here by themselves, on sets of arcs: in reverse order not on any function, and so not by the best order, either. The
//! Hessians themselves are compared with sums over pairs of paths.

use std::collections::BTreeSet;

use jacobian_core::cost::OperationCount;
use jacobian_core::evaluate::MODULUS;
use jacobian_core::graph::{Graph, Role, VertexId};
use jacobian_core::linearize::Level;
use jacobian_core::pipeline::{differentiate_for, linearize_gradient};
use jacobian_core::program::Measure;
use jacobian_core::strategy::fixed;
use jacobian_core::{CodeList, Form, Strategy};
use jacobian_lab::check::{bauer, modular_entries, modular_labels};

use support::random::Random;

mod support {
    #[allow(dead_code, reason = "nothing here is drawn from an interval")]
    pub mod random;
}

/// A function of two to four inputs in which values are used more than once.
fn function(random: &mut Random, statements: usize) -> CodeList {
    let inputs = 2 + random.below(3);
    let names: Vec<_> = (0..inputs).map(|input| format!("v{input}")).collect();
    let mut text = format!("input {}\n", names.join(" "));
    for value in inputs..inputs + statements {
        let [one, other] = [(); 2].map(|()| value - 1 - random.below(value.min(6)));
        text += &match random.below(8) {
            0 => format!("v{value} = v{one} + v{other}\n"),
            1 => format!("v{value} = 3 * v{one} - v{other}\n"),
            2 => format!("v{value} = sin(v{one})\n"),
            3 => format!("v{value} = v{one} / v{other}\n"),
            4 => format!("v{value} = hypot(v{one}, v{other})\n"),
            _ => format!("v{value} = v{one} * v{other}\n"),
        };
    }
    let last = inputs + statements - 1;
    text +=
        &format!("output v{last}{}\n", if random.below(2) == 0 { String::new() } else { format!(" v{}", last - 1) });
    text.parse().expect("a code list")
}

/// The products of edge pushing on the graph of a gradient: vertices in reverse order, every arc at a vertex to its
/// predecessors, one at both ends to all pairs of them.
fn pushed(graph: &Graph) -> usize {
    let axis = graph.axis().expect("the graph of a gradient is symmetric");
    let half = graph.vertex_count() / 2;
    let mut arcs = BTreeSet::new();
    for one in graph.vertices().take(half) {
        for other in graph.successors(one).filter(|other| other.index() >= half).map(|image| axis.image(image)) {
            arcs.insert((one.max(other), one.min(other)));
        }
    }
    let mut products = 0;
    for vertex in graph.vertices().rev().filter(|&vertex| graph.role(vertex) == Role::Intermediate) {
        let sources: Vec<_> = graph.predecessors(vertex).collect();
        let at_vertex: Vec<_> =
            arcs.iter().copied().filter(|(one, other)| *one == vertex || *other == vertex).collect();
        for arc in at_vertex {
            arcs.remove(&arc);
            let other = if arc.0 == vertex { arc.1 } else { arc.0 };
            let ends = if other == vertex { sources.clone() } else { vec![other] };
            for (place, &source) in sources.iter().enumerate() {
                // The factor that all pairs of a source share is formed once.
                products += usize::from(other == vertex);
                for &end in if other == vertex { &ends[place..] } else { &ends } {
                    products += 1;
                    arcs.insert((source.max(end), source.min(end)));
                }
            }
        }
    }
    let is_independent = |vertex: &VertexId| graph.role(*vertex) == Role::Independent;
    assert!(arcs.iter().all(|(one, other)| is_independent(one) && is_independent(other)));
    products
}

#[test]
fn reverse_order_takes_no_more_products_than_edge_pushing() {
    let (mut fewer, mut equal) = (0, 0);
    for seed in 0..3_000 {
        let random = &mut Random::new(seed);
        let statements = 1 + random.below(30);
        let function = function(random, statements);
        let linearization = linearize_gradient(&function).expect("all partials are known");
        let pushed = pushed(&linearization.graph);
        let (_, elimination) = Strategy::reverse().eliminate(&linearization).expect("a small function");
        let products = elimination.program.multiplications(Measure::Textbook);
        assert!(products <= pushed, "{products} and {pushed} for\n{function}");
        fewer += usize::from(products < pushed);
        equal += usize::from(products == pushed);
    }
    assert!(fewer > 500 && equal > 500, "{fewer} times fewer, {equal} times as many");
}

/// What edge pushing takes is the code of function, adjoints and arcs, and its products.
#[test]
fn auto_takes_no_more_multiplications_than_edge_pushing() {
    for seed in 0..150 {
        let random = &mut Random::new(seed);
        let statements = 1 + random.below(25);
        let function = function(random, statements);
        let linearization = linearize_gradient(&function).expect("all partials are known");
        let mut list = linearization.algebra.list().clone();
        let labels = linearization.labels.iter().chain(linearization.gradient.iter().flatten());
        labels.for_each(|label| list.output(label.id()));
        linearization.values.iter().for_each(|&value| list.output(value));
        let given = OperationCount::of(&list).multiplications;
        let jacobian = differentiate_for(Form::Hessian, Level::CodeList, &function, &Strategy::Auto);
        let auto = jacobian.expect("a small function").operations.multiplications;
        let pushed = given + pushed(&linearization.graph);
        assert!(auto <= pushed, "{auto} and {pushed} for\n{function}");
    }
}

#[test]
fn every_order_gives_the_sums_over_pairs_of_paths() {
    let strategies = fixed();
    for seed in 0..200 {
        let random = &mut Random::new(!seed);
        let statements = 1 + random.below(12);
        let function = function(random, statements);
        let linearization = linearize_gradient(&function).expect("all partials are known");
        let inputs: Vec<_> = linearization.algebra.list().inputs().iter().map(|_| random.bits() % MODULUS).collect();
        let labels = modular_labels(&linearization, &inputs, &[]);
        let hessian = bauer(&linearization, &labels);
        for strategy in &strategies {
            let Ok((_, elimination)) = strategy.eliminate(&linearization) else { continue };
            let entries = modular_entries(&linearization, &elimination.program, &labels);
            assert_eq!(entries, hessian, "`{strategy}` of\n{function}");
        }
    }
}
