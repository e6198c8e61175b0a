//! Loops whose derivative runs in reverse order: against products with tangents, whose loops run forward, modulo a
//! prime.

use std::fmt::Write;

use jacobian_core::block::{Body, counted};
use jacobian_core::code_list::{CodeList, ValueId};
use jacobian_core::derivative::Derivative;
use jacobian_core::evaluate::{Given, MODULUS, Modular, evaluate};
use jacobian_core::form::Form;
use jacobian_core::linearize::Level;
use jacobian_core::pipeline::differentiate_for;
use jacobian_core::strategy::Strategy;

use support::random::Random;

mod support {
    pub mod random;
}

const PROGRAMS: u64 = 60;

/// A function with a loop that is linear in itself: some states, some of which are inputs, what it reads, and what
/// becomes of it. The factors are numbers and passive values.
fn program(random: &mut Random) -> String {
    let (inputs, states) = (2 + random.below(3), 3 + random.below(5));
    let mut text = String::new();
    for input in 0..inputs {
        writeln!(text, "input x{input}").unwrap();
    }
    writeln!(text, "passive n: int\npassive r: float\npassive s: float").unwrap();
    writeln!(text, "z = sin(x0)").unwrap();
    match random.below(2) {
        0 => writeln!(text, "y = x0 * x1").unwrap(),
        // A loop before the other one.
        _ => {
            let body = "input q a b\nc = q * a\nd = a * b\noutput c d";
            writeln!(text, "loop k on n (x1 x0 z) carries 2\nbody\n{body}\nend\ny = k.0 * k.1").unwrap();
        }
    }
    let first = ["x0", "x1", "y", "z", "0.0", "1.0", "r", "x1"];
    let firsts: Vec<_> = (0..states).map(|_| first[random.below(first.len())]).collect();
    writeln!(text, "loop l on n (r s y x1 {}) carries {states}\nbody", firsts.join(" ")).unwrap();
    let names: Vec<_> = (0..states).map(|state| format!("u{state}")).collect();
    writeln!(text, "input r s y q {}", names.join(" ")).unwrap();
    writeln!(text, "w = r * s\nv = q * q\ng = q * y").unwrap();
    let mut outputs = Vec::new();
    for state in 0..states {
        if random.between(0.0, 1.0) < 0.1 {
            outputs.push(
                ["0.5".to_string(), "y".to_string(), format!("u{}", random.below(states))][random.below(3)].clone(),
            );
            continue;
        }
        let mut sum = format!("u{}", random.below(states));
        for term in 0..1 + random.below(3) {
            let of = random.below(states);
            let factor = ["0.25", "r", "w", "-1.0", "s"][random.below(5)];
            writeln!(text, "p{state}_{term} = {factor} * u{of}").unwrap();
            let operation = ["+", "-"][random.below(2)];
            writeln!(text, "t{state}_{term} = {sum} {operation} p{state}_{term}").unwrap();
            sum = format!("t{state}_{term}");
        }
        if random.below(3) == 0 {
            let read = ["v", "g", "y", "q"][random.below(4)];
            writeln!(text, "e{state} = {sum} + {read}").unwrap();
            sum = format!("e{state}");
        }
        outputs.push(sum);
    }
    writeln!(text, "output {}\nend", outputs.join(" ")).unwrap();
    let result = |random: &mut Random| format!("l.{}", random.below(states));
    let (a, b, c) = (result(random), result(random), result(random));
    writeln!(text, "m = {a} * {b}\ni = sin({c})\nh = m + i").unwrap();
    match random.below(4) {
        0 => writeln!(text, "output h {a}").unwrap(),
        1 => writeln!(text, "f = h * x0\noutput f").unwrap(),
        2 => writeln!(text, "output h x1 h {b}").unwrap(),
        _ => writeln!(text, "output {c}").unwrap(),
    }
    text
}

fn derivative(list: &CodeList, form: Form, strategy: &Strategy) -> Derivative {
    let jacobian = differentiate_for(form, Level::CodeList, list, strategy);
    jacobian.unwrap_or_else(|error| panic!("{error}\n{list}")).derivative.dense()
}

fn is_reversed(derivative: &Derivative) -> bool {
    let is_counted = |body: &Body, origin: u32| matches!(body, Body::Loop { .. }) && origin == counted::LOOP;
    derivative.list.blocks().iter().any(|block| is_counted(&block.body, block.origin))
}

fn values(derivative: &Derivative, numbers: &[u64], inputs: &[u64]) -> Vec<u64> {
    evaluate(&derivative.list, &Given { domain: &Modular, numbers }, inputs)
}

fn at(values: &[u64], ids: &[ValueId]) -> Vec<u64> {
    ids.iter().map(|id| values[id.index()]).collect()
}

#[test]
fn the_reverse_order_gives_what_the_forward_order_does() {
    let mut random = Random::new(21);
    let mut reversed = 0;
    for _ in 0..PROGRAMS {
        let text = program(&mut random);
        let list = text.parse::<CodeList>().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let columns = list.inputs().len();
        let strategies = [Strategy::Auto, Strategy::reverse()];
        let strategy = &strategies[random.below(2)];
        let [jacobian, alone, across, along] =
            [Form::Jacobian, Form::JacobianOnly, Form::CotangentProduct, Form::TangentProduct]
                .map(|form| derivative(&list, form, strategy));
        assert!(!is_reversed(&along), "{text}");
        reversed += usize::from(is_reversed(&jacobian)) + usize::from(is_reversed(&across));
        let mut number = || 2 + random.bits() % (MODULUS - 2);
        let point: Vec<_> = (0..columns).map(|_| number()).collect();
        let factors = [number(), number()];
        let rows = list.outputs().len();
        let weights: Vec<_> = (0..rows).map(|_| number()).collect();
        for iterations in [0, 1, 2, 5] {
            let numbers = [iterations, factors[0], factors[1]];
            let own = values(&jacobian, &numbers, &point);
            let entries = at(&own, jacobian.entries(0));
            let of_alone = values(&alone, &numbers, &point);
            assert_eq!(at(&of_alone, alone.entries(0)), entries, "{text}");
            let with_weights: Vec<_> = weights.iter().chain(&point).copied().collect();
            let of_across = at(&values(&across, &numbers, &with_weights), across.entries(0));
            for column in 0..columns {
                let unit = (0..columns).map(|other| u64::from(other == column));
                let inputs: Vec<_> = unit.chain(point.iter().copied()).collect();
                let of_along = values(&along, &numbers, &inputs);
                assert_eq!(at(&of_along, along.values()), at(&own, jacobian.values()), "{text}");
                let product = at(&of_along, along.entries(0));
                let mut sum = 0;
                for row in 0..rows {
                    assert_eq!(
                        product[row],
                        entries[row * columns + column],
                        "{iterations} iterations, {row}, {column}\n{text}"
                    );
                    sum = Modular::add(sum, Modular::mul(weights[row], product[row]));
                }
                assert_eq!(of_across[column], sum, "{iterations} iterations\n{text}");
            }
        }
    }
    assert!(reversed > PROGRAMS as usize / 2, "{reversed} are reversed");
}
