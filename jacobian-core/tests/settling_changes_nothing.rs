//! Proves that what `settle` makes of a derivative has every result that it had, bit for bit, where partials are
//! infinite as well as elsewhere, for random code lists with loops and for loops whose masks are known.

use jacobian_core::block::{Body, counted};
use jacobian_core::code_list::Precision;
use jacobian_core::evaluate::{Floats, Given, evaluate, select};
use jacobian_core::linearize::Level;
use jacobian_core::pipeline::differentiate_for;
use jacobian_core::settle::settled;
use jacobian_core::{CodeList, Form, Strategy, differentiate};

use support::callees::{Callees, Calling};
use support::lists::{Blocks, passive_numbers, random_callee, random_list_with_blocks};
use support::random::Random;

mod support {
    pub mod callees;
    pub mod lists;
    pub mod random;
}

const LISTS: u64 = 6_000;
const MAX_STATEMENTS: usize = 60;
const FORMS: [Form; 3] = [Form::Jacobian, Form::TangentProduct, Form::Hessian];

/// What makes partials infinite, or structural zeros that are not.
const NUMBERS: [f64; 4] = [0.0, 1.0, -1.0, 2.0];

fn is_settled(list: &CodeList) -> bool {
    list.with_inner().iter().any(|list| {
        let is_ours = |body: &Body, origin: u32| matches!(body, Body::Branch { .. }) && origin == counted::BRANCH;
        let names = list.inputs().iter().filter_map(|&input| list.name(input));
        names.into_iter().any(|name| name == "settled")
            && list.blocks().iter().any(|block| is_ours(&block.body, block.origin))
    })
}

fn bits(list: &CodeList, callees: &Callees, passive: &[f64], inputs: &[f64]) -> Vec<u64> {
    let domain = Given { domain: &Calling(Floats(list.precision()), callees), numbers: passive };
    let results = select(&evaluate(list, &domain, inputs), list.outputs());
    results.iter().map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }).collect()
}

#[test]
fn random_loops_have_the_same_bits() {
    let mut changed = 0;
    for seed in 0..LISTS {
        let random = &mut Random::new(seed);
        let precision = if random.below(3) == 0 { Precision::F32 } else { Precision::F64 };
        let callees: Vec<_> = (0..3).map(|_| random_callee(random, precision)).collect();
        let blocks = Blocks { depth: 1 + random.below(3), callees: &callees };
        let statements = 1 + random.below(MAX_STATEMENTS);
        let function = random_list_with_blocks(random, precision, statements, blocks);
        let form = FORMS[random.below(FORMS.len())];
        let list = match differentiate_for(form, Level::CodeList, &function, &Strategy::reverse()) {
            Ok(jacobian) => jacobian.derivative.list,
            // Second derivatives are not known of everything.
            Err(_) if form == Form::Hessian => continue,
            Err(error) => panic!("{error} of\n{function}"),
        };
        let new = settled(&list);
        changed += u64::from(is_settled(&new));
        let callees = Callees::new(callees);
        for _ in 0..4 {
            let float = |random: &mut Random| match random.below(3) {
                0 => NUMBERS[random.below(NUMBERS.len())],
                _ => list.round(random.between(-2.0, 2.0)),
            };
            let inputs: Vec<_> = list.inputs().iter().map(|_| float(random)).collect();
            let passive = passive_numbers(&list, random, float, f64::from);
            let [new, old] = [&new, &list].map(|list| bits(list, &callees, &passive, &inputs));
            assert_eq!(new, old, "at {inputs:?}, {passive:?}:\n{list}\nis\n{}", settled(&list));
        }
    }
    println!("{changed}");
    assert!(changed >= LISTS / 50, "only {changed} derivatives have a loop that settles");
}

/// A derivative goes from one state to the next by partials that are infinite at 0: of the last one it is a structural
/// zero in the first iterations, and none afterwards.
const CHAIN: &str = "input x p\npassive n: int\nloop l on n (p x 0.0 0.0 0.0) carries 4\nbody\ninput p a b c d\n\
                     q = sqrt(a)\nr = sqrt(b)\ns = c / p\nt = q + p\noutput t a r s\nend\noutput l.0 l.1 l.2 l.3";

/// One of two elements is read, and one is replaced, which changes from iteration to iteration: what is chosen is cut
/// into values and derivatives.
const CHOSEN: &str = "input x p\npassive n: int\nloop l on n (p 0.0 x 0.0 0.0) carries 4\nbody\ninput p k a b s\n\
                      early = k < 1.5\nlate = k < 3.5\nbranch r on late (a b)\narm\ninput a b\noutput a\n\
                      arm\ninput a b\noutput b\nend\nq = r.0 / p\nt = sqrt(s)\ny = q + t\nbranch w on early (y a)\n\
                      arm\ninput y a\noutput y\narm\ninput y a\noutput a\nend\nbranch z on early (y b)\narm\n\
                      input y b\noutput b\narm\ninput y b\noutput y\nend\nm = k + 1.0\noutput m w.0 z.0 y\nend\n\
                      output l.1 l.2 l.3 l.3";

#[test]
fn what_is_settled_is_so_from_the_right_iteration_on() {
    for (text, strategy) in [CHAIN, CHOSEN].into_iter().flat_map(|text| [(text, "reverse"), (text, "forward")]) {
        let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error} in\n{text}"));
        let strategy: Strategy = strategy.parse().expect("a strategy");
        let list = differentiate(&list, &strategy).expect("a loop").derivative.dense().list;
        let new = settled(&list);
        assert!(is_settled(&new), "{new}");
        let callees = Callees::new(Vec::new());
        let mut finite = Vec::new();
        for iterations in 0..8 {
            for inputs in [[1.0, 2.0], [0.0, 0.0], [0.0, 1.0], [1.0, 0.0]] {
                let number = f64::from(iterations);
                let passive = passive_numbers(&list, &mut Random::new(1), |_| number, |_| number);
                let [new, old] = [&new, &list].map(|list| bits(list, &callees, &passive, &inputs));
                assert_eq!(new, old, "{iterations} iterations at {inputs:?} of\n{list}");
                finite.push(old.into_iter().filter(|&bits| f64::from_bits(bits).is_finite()).count());
            }
        }
        assert!(
            finite.iter().any(|&count| count < 12) && finite.contains(&12),
            "infinite partials are met: {finite:?}"
        );
    }
}
