//! Proves that symmetric elimination takes no more multiplications than edge pushing (Gower and Mello 2012), whose
//! products are counted here by themselves, on sets of arcs: in reverse order not on any function, and so not by the
//! best order, either. The Hessians themselves are compared with sums over pairs of paths.

use jacobian_core::bound::lower_bound;
use jacobian_core::cost::OperationCount;
use jacobian_core::evaluate::MODULUS;
use jacobian_core::linearize::Level;
use jacobian_core::optimal::symmetric;
use jacobian_core::pipeline::{differentiate_for, linearize_gradient};
use jacobian_core::program::Measure;
use jacobian_core::strategy::fixed;
use jacobian_core::{CodeList, Form, Strategy};
use jacobian_lab::check::{bauer, edge_pushing, modular_entries, modular_labels};

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

#[test]
fn reverse_order_takes_no_more_products_than_edge_pushing() {
    let (mut fewer, mut equal) = (0, 0);
    for seed in 0..3_000 {
        let random = &mut Random::new(seed);
        let statements = 1 + random.below(30);
        let function = function(random, statements);
        let linearization = linearize_gradient(&function).expect("all partials are known");
        let pushed = edge_pushing(&linearization.graph);
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
        let pushed = given + edge_pushing(&linearization.graph);
        assert!(auto <= pushed, "{auto} and {pushed} for\n{function}");
    }
}

/// The bound is none that an order goes below, and the best order is no worse than any by a hierarchy.
#[test]
fn the_best_order_is_between_the_bound_and_all_hierarchies() {
    let (strategies, mut proven) = (fixed(), 0);
    for seed in 0..100 {
        let random = &mut Random::new(seed);
        let statements = 1 + random.below(9);
        let function = function(random, statements);
        let linearization = linearize_gradient(&function).expect("all partials are known");
        let (graph, program) = (&linearization.graph, &linearization.program);
        let axis = graph.axis().expect("the graph of a gradient is symmetric");
        for measure in [Measure::Textbook, Measure::Folded] {
            let Ok(best) = symmetric(graph, axis, program.clone(), measure, 2_000) else { continue };
            let least = best.program.multiplications(measure);
            let bound = lower_bound(graph, program, measure);
            assert!(bound <= least, "{bound} and {least} for\n{function}");
            proven += 1;
            for strategy in strategies.iter().filter(|strategy| strategy.mode() == Some("vertex")) {
                let (_, elimination) = strategy.eliminate(&linearization).expect("a small function");
                assert!(least <= elimination.program.multiplications(measure), "`{strategy}` of\n{function}");
            }
        }
    }
    assert!(proven > 150, "only {proven} are proven");
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
