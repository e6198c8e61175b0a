//! Proves that fusing changes nothing but how often a derivative is rounded: for random code lists with branches and
//! calls, where each fused sum is rounded once, the values keep their bits, the Jacobian is the same modulo a prime,
//! where nothing is rounded, and every schedule gives the same bits.

use std::sync::Arc;

use jacobian_core::block::{Block, Body};
use jacobian_core::catalogue::known;
use jacobian_core::code_list::{NotationId, Precision, Statement, ValueId};
use jacobian_core::evaluate::{Floats, Given, MODULUS, Modular, evaluate, select};
use jacobian_core::fuse::Fusion;
use jacobian_core::schedule::SCHEDULES;
use jacobian_core::{CodeList, Derivative, Error, Schedule, Strategy, differentiate};

use support::callees::{Callees, Calling};
use support::lists::{Blocks, passive_numbers, random_callee, random_list_with_blocks};
use support::random::Random;

mod support {
    pub mod callees;
    #[allow(dead_code, reason = "other tests need more of it")]
    pub mod lists;
    pub mod random;
}

/// Code lists, and of what size they are at most.
const LISTS: u64 = 2_000;
const MAX_STATEMENTS: usize = 60;

const STRATEGIES: [&str; 4] = ["forward", "reverse", "edge: markowitz", "face: absorb > markowitz"];

/// The list with what is fused as calls of `mul_add`, which rounds once.
fn with_instruction(list: &CodeList, fusion: &Fusion) -> CodeList {
    let mut written = CodeList::new(list.precision());
    let mut moved: Vec<ValueId> = Vec::new();
    for id in list.ids() {
        let moved_to = |arg: ValueId| moved[arg.index()];
        let new = match (list.statement(id), fusion.sum(id)) {
            (_, Some(sum)) => {
                let signs = [sum.is_product_negative, false, sum.is_addend_negative];
                let mut args = sum.args().map(moved_to);
                for (arg, _) in args.iter_mut().zip(signs).filter(|(_, is_negative)| *is_negative) {
                    *arg = written.apply(known::NEG, NotationId::default(), &[*arg]);
                }
                written.apply(known::MUL_ADD, NotationId::default(), &args)
            }
            (Statement::Block(_), None) => written.block(block(list, id, fusion).map_args(moved_to)),
            (statement, None) => written.push(statement.map_args(moved_to)),
        };
        moved.push(new);
    }
    list.outputs().iter().for_each(|output| written.output(moved[output.index()]));
    written
}

fn block(list: &CodeList, id: ValueId, fusion: &Fusion) -> Block {
    let mut block = list.block_of(id).clone();
    if let Body::Branch { arms, .. } = &mut block.body {
        for (number, arm) in arms.iter_mut().enumerate() {
            *arm = Arc::new(with_instruction(arm, fusion.inner(list.block_id(id), number)));
        }
    }
    block
}

/// A point at which a list is evaluated.
struct Point<'a> {
    inputs: Vec<f64>,
    passive: Vec<f64>,
    callees: &'a Callees,
}

impl Point<'_> {
    fn bits(&self, list: &CodeList) -> Vec<u64> {
        let domain = Calling(Floats(list.precision()), self.callees);
        let values = evaluate(list, &Given { domain: &domain, numbers: &self.passive }, &self.inputs);
        let results = select(&values, list.outputs());
        results.iter().map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }).collect()
    }
}

/// The results modulo the prime, where nothing is rounded, at a point that has no pattern.
fn residues(list: &CodeList, callees: &Callees, random: &mut Random) -> Vec<u64> {
    let inputs: Vec<_> = list.inputs().iter().map(|_| random.bits() % MODULUS).collect();
    let passive = passive_numbers(list, random, |random| random.bits() % MODULUS, Modular::int);
    let domain = Given { domain: &Calling(Modular, callees), numbers: &passive };
    select(&evaluate(list, &domain, &inputs), list.outputs())
}

/// Checks a derivative at a random point. How many sums are fused, and whether that changes a bit.
fn check(derivative: &Derivative, callees: &Callees, random: &mut Random) -> (usize, bool) {
    let (list, fusion) = (&derivative.list, Fusion::of(derivative));
    let fused = with_instruction(list, &fusion);
    let seed = random.bits();
    let [exact, expected] = [&fused, list].map(|list| residues(list, callees, &mut Random::new(seed)));
    assert_eq!(exact, expected, "{list}\nis\n{fused}");
    let float = |random: &mut Random| list.round(random.between(-2.0, 2.0));
    let inputs = list.inputs().iter().map(|_| float(random)).collect();
    let point = Point { inputs, passive: passive_numbers(list, random, float, f64::from), callees };
    let (plain, once) = (point.bits(list), point.bits(&fused));
    assert_eq!(once[..derivative.values], plain[..derivative.values], "{list}\nis\n{fused}");
    for schedule in SCHEDULES.iter().map(Schedule::of) {
        let scheduled = derivative.clone().scheduled(&schedule);
        let fused = with_instruction(&scheduled.list, &Fusion::of(&scheduled));
        assert_eq!(point.bits(&fused), once, "{schedule} of\n{list}\nis\n{fused}");
    }
    (fusion.count(), once != plain)
}

#[test]
fn fusing_changes_how_often_derivatives_are_rounded_and_nothing_else() {
    let (mut fused, mut changed) = (0, 0);
    for seed in 0..LISTS {
        let random = &mut Random::new(seed);
        let precision = if random.below(3) == 0 { Precision::F32 } else { Precision::F64 };
        let callees: Vec<_> = (0..3).map(|_| random_callee(random, precision)).collect();
        let blocks = Blocks { depth: random.below(3), callees: &callees };
        let statements = 1 + random.below(MAX_STATEMENTS);
        let function = random_list_with_blocks(random, precision, statements, blocks);
        let strategy: Strategy = STRATEGIES[random.below(STRATEGIES.len())].parse().expect("a strategy");
        let derivative = match differentiate(&function, &strategy) {
            Err(Error::TooManyPaths { .. }) => continue,
            jacobian => jacobian.expect("a small function").derivative,
        };
        let (count, is_changed) = check(&derivative, &Callees::new(callees), random);
        fused += u64::from(count > 0);
        changed += u64::from(is_changed);
    }
    assert!(fused >= LISTS / 4, "only {fused} derivatives have something that is fused");
    assert!(changed >= LISTS / 40, "only {changed} derivatives have another bit for it");
}
