//! Proves that packing changes no derivative: for random code lists, under strategies of all modes and at both levels,
//! the lanes of packs that are computed as one have the bits of the single statements. So have those with branches and
//! calls, whose blocks keep their order.

use jacobian_core::code_list::{Precision, ValueId};
use jacobian_core::cost::OperationCount;
use jacobian_core::evaluate::{Domain, Floats, Given, evaluate, select};
use jacobian_core::linearize::LEVELS;
use jacobian_core::pack::{Operand, Pack};
use jacobian_core::{CodeList, Error, Jacobian, Packing, Strategy, differentiate_at};

use support::callees::{Callees, Calling};
use support::interface::interface;
use support::lists::{Blocks, passive_numbers, random_callee, random_list, random_list_with_blocks};
use support::random::Random;

mod support {
    pub mod callees;
    pub mod interface;
    pub mod lists;
    pub mod random;
}

/// Code lists without and with blocks, and of what size they are at most.
const LISTS: u64 = 6_000;
const LISTS_WITH_BLOCKS: u64 = 2_000;
const MAX_STATEMENTS: usize = 60;

const STRATEGIES: [&str; 6] =
    ["forward", "reverse", "markowitz", "edge: markowitz", "face: absorb > markowitz", "path: merge > cliques"];

/// A Jacobian under a random strategy at a random level, unless the function has too many paths for it.
fn jacobian(function: &CodeList, random: &mut Random) -> Option<Jacobian> {
    let strategy: Strategy = STRATEGIES[random.below(STRATEGIES.len())].parse().expect("a strategy");
    let (_, level) = LEVELS[random.below(LEVELS.len())];
    match differentiate_at(level, function, &strategy) {
        Err(Error::TooManyPaths { .. }) => None,
        jacobian => Some(jacobian.expect("a small function")),
    }
}

/// The value of each pack, computed lane by lane out of its operands as they are written: of the values of single
/// statements, and of the arrays of other packs.
fn arrays(packs: &[Pack], values: &[f64], precision: Precision) -> Vec<Vec<f64>> {
    let mut arrays: Vec<Vec<f64>> = Vec::new();
    for pack in packs {
        let read = |operand: &Operand, lane: usize| match operand {
            Operand::Same(id) => values[id.index()],
            Operand::Pack(pack) => arrays[*pack][lane],
            Operand::Values(ids) => values[ids[lane].index()],
        };
        let lane = |lane: usize| {
            let args: Vec<_> = pack.operands.iter().map(|operand| read(operand, lane)).collect();
            Floats(precision).apply(pack.operation, &args)
        };
        let array = (0..pack.width).map(lane).collect();
        arrays.push(array);
    }
    arrays
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }).collect()
}

/// Checks a Jacobian in which all is packed that can be, and returns how many packs there are.
fn check(jacobian: &Jacobian, callees: &Callees, random: &mut Random) -> usize {
    check_as(Packing::Always, jacobian, callees, random).packs.len()
}

/// Checks that a Jacobian, packed in this way, gives the same bits and has the same interface.
fn check_as(packing: Packing, jacobian: &Jacobian, callees: &Callees, random: &mut Random) -> Jacobian {
    let list = &jacobian.derivative.list;
    let float = |random: &mut Random| list.round(random.between(-2.0, 2.0));
    let inputs: Vec<_> = list.inputs().iter().map(|_| float(random)).collect();
    let passive = passive_numbers(list, random, float, f64::from);
    let domain = Given { domain: &Calling(Floats(list.precision()), callees), numbers: &passive };
    let packed = jacobian.clone().packed(packing);
    let new = &packed.derivative.list;
    let (old_values, new_values) = (evaluate(list, &domain, &inputs), evaluate(new, &domain, &inputs));
    let results = |list: &CodeList, values: &[f64]| bits(&select(values, list.outputs()));
    assert_eq!(results(new, &new_values), results(list, &old_values), "{list}\nis\n{new}");
    assert_eq!(interface(new), interface(list), "{list}\nis\n{new}");
    assert_eq!(OperationCount::of(new), OperationCount::of(list), "{list}\nis\n{new}");
    let arrays = arrays(&packed.packs, &new_values, list.precision());
    for (pack, array) in packed.packs.iter().zip(arrays) {
        let single = select(&new_values, &pack.lanes().collect::<Vec<_>>());
        assert_eq!(bits(&array), bits(&single), "{pack:?} in\n{new}");
    }
    check_form(&packed);
    packed
}

/// Checks that the lanes of a pack come in a row, after what they read, that the function's own statements
/// are single, and that what is written in another pack is used there only, and comes before it.
fn check_form(jacobian: &Jacobian) {
    let list = &jacobian.derivative.list;
    let is_value = list.needed_by(jacobian.derivative.values().iter().copied());
    let mut end = 0;
    for (number, pack) in jacobian.packs.iter().enumerate() {
        assert!(pack.width >= 2 && end <= pack.first.index(), "{pack:?} in\n{list}");
        end = pack.first.index() + pack.width;
        assert!(pack.lanes().all(|lane| !is_value[lane.index()]), "{pack:?} in\n{list}");
        let is_before = |arg: ValueId| arg < pack.first;
        assert!(pack.lanes().all(|lane| list.args(lane).all(is_before)), "{pack:?} in\n{list}");
        assert!(pack.operands.iter().all(|operand| !matches!(operand, Operand::Pack(other) if *other >= number)));
        if pack.is_inner {
            let reads = |other: &Pack| other.operands.contains(&Operand::Pack(number));
            let outer = jacobian.packs.iter().position(reads).expect("a pack that reads it");
            let is_within = jacobian.packs[number + 1..outer].iter().all(|pack| pack.is_inner);
            assert!(is_within && jacobian.packs.iter().filter(|pack| reads(pack)).count() == 1, "{pack:?} in\n{list}");
            let outer = &jacobian.packs[outer];
            let ids = || list.ids().filter(|id| *id < outer.first || id.index() >= outer.first.index() + outer.width);
            let is_read = |lane: ValueId| ids().any(|id| list.args(id).any(|arg| arg == lane));
            assert!(pack.lanes().all(|lane| !is_read(lane) && !list.outputs().contains(&lane)), "{pack:?} in\n{list}");
        }
    }
}

#[test]
fn packs_give_the_same_bits() {
    let (callees, mut packed, mut packs) = (Callees::new(Vec::new()), 0, 0);
    for seed in 0..LISTS {
        let random = &mut Random::new(seed);
        let statements = 1 + random.below(MAX_STATEMENTS);
        let function = random_list(random, statements);
        if let Some(jacobian) = jacobian(&function, random) {
            let count = check(&jacobian, &callees, random);
            packed += u64::from(count > 0);
            packs += count;
        }
    }
    assert!(packed >= LISTS / 3, "only {packed} derivatives have packs");
    assert!(packs as u64 >= LISTS, "only {packs} packs have been compared");
}

#[test]
fn packs_of_branches_and_calls_give_the_same_bits() {
    let mut packed = 0;
    for seed in 0..LISTS_WITH_BLOCKS {
        let random = &mut Random::new(seed);
        let precision = if random.below(3) == 0 { Precision::F32 } else { Precision::F64 };
        let callees: Vec<_> = (0..3).map(|_| random_callee(random, precision)).collect();
        let blocks = Blocks { depth: 1 + random.below(3), callees: &callees };
        let statements = 4 + random.below(MAX_STATEMENTS);
        let function = random_list_with_blocks(random, precision, statements, blocks);
        if let Some(jacobian) = jacobian(&function, random) {
            packed += u64::from(check(&jacobian, &Callees::new(callees), random) > 0);
        }
    }
    assert!(packed >= LISTS_WITH_BLOCKS / 4, "only {packed} derivatives have packs");
}

/// A function of this many statements, each on two of the `width` values before it, as the code list of its Jacobian.
fn chain(statements: usize, width: usize, strategy: &str) -> Jacobian {
    let names = |first: usize| (first..first + width).map(|value| format!("v{value}")).collect::<Vec<_>>().join(" ");
    let mut text = format!("input {}\n", names(0));
    for index in 0..statements {
        let mixed = index.wrapping_mul(0x9E37_79B9) >> 7;
        let (left, right) = (index, index + 1 + mixed / 8 % (width - 1));
        let value = match mixed % 4 {
            0 => format!("v{left} * 0.5 + v{right} * 0.5"),
            1 => format!("v{left} - v{right} * 0.1"),
            2 => format!("sin(v{left}) - v{right} * 0.1"),
            _ => format!("v{left} * v{right}"),
        };
        text += &format!("v{} = {value}\n", index + width);
    }
    text += &format!("output {}\n", names(statements));
    let list: CodeList = text.parse().expect("a code list");
    differentiate_at(LEVELS[0].1, &list, &strategy.parse().expect("a strategy")).expect("a Jacobian")
}

#[test]
fn auto_packs_large_functions_with_dense_rows() {
    for strategy in ["forward", "reverse"] {
        let large = chain(400, 8, strategy);
        let packed = check_as(Packing::Auto, &large, &Callees::new(Vec::new()), &mut Random::new(1));
        let lanes: usize = packed.packs.iter().map(|pack| pack.width).sum();
        let statements = large.derivative.list.statements().len();
        assert!(4 * lanes >= 3 * statements, "{lanes} of {statements} statements by {strategy}");
        for small in [chain(40, 8, strategy), chain(400, 4, strategy)] {
            assert!(small.packed(Packing::Auto).packs.is_empty());
        }
    }
}
