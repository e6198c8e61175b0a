//! Proves that fusing changes nothing but how often the derivative part is rounded: for random code lists with branches and
//! calls, the statements of the values stay as they are; where a fused statement is rounded twice, every result has the bits
//! that it had before; and where it is rounded once, every schedule gives the same bits.

use jacobian_core::catalogue::{Intrinsic, Spelling};
use jacobian_core::code_list::{Constant, Precision};
use jacobian_core::evaluate::{Domain, Floats, evaluate, select};
use jacobian_core::fuse::fused_statements;
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

/// Floats where a fused statement is rounded once.
struct RoundedOnce(Floats);

impl Domain for RoundedOnce {
    type Number = f64;

    fn constant(&self, constant: Constant) -> f64 {
        self.0.constant(constant)
    }

    fn apply(&self, intrinsic: Intrinsic, args: &[f64]) -> f64 {
        let Spelling::Fused { product, addend } = intrinsic.row().spelling else {
            return self.0.apply(intrinsic, args);
        };
        let signed = |sign: &str, value: f64| if sign == "-" { -value } else { value };
        let (x, y, z) = (signed(product, args[0]), args[1], signed(addend, args[2]));
        match self.0.0 {
            Precision::F32 => f64::from((x as f32).mul_add(y as f32, z as f32)),
            Precision::F64 | Precision::Generic => x.mul_add(y, z),
        }
    }

    fn as_index(&self, number: f64) -> Option<usize> {
        self.0.as_index(number)
    }
}

/// A point at which a list is evaluated.
struct Point<'a> {
    inputs: Vec<f64>,
    passive: Vec<f64>,
    callees: &'a Callees,
}

impl Point<'_> {
    fn bits(&self, list: &CodeList, domain: impl Domain<Number = f64>) -> Vec<u64> {
        let values = evaluate(list, &Calling(domain, self.callees), &self.inputs, &self.passive);
        let results = select(&values, list.outputs());
        results.iter().map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }).collect()
    }
}

/// The text of what the values of the function need.
fn values(derivative: &Derivative) -> String {
    let mut list = derivative.list.clone();
    list.truncate(list.statements().len());
    derivative.values().iter().for_each(|&value| list.output(value));
    list.remove_dead_code().to_string()
}

/// Checks a derivative at a random point. How many statements are fused, and whether rounding once changes a bit.
fn check(derivative: &Derivative, callees: &Callees, random: &mut Random) -> (usize, bool) {
    let (list, fused) = (&derivative.list, derivative.fused());
    let float = |random: &mut Random| list.round(random.between(-2.0, 2.0));
    let inputs = list.inputs().iter().map(|_| float(random)).collect();
    let point = Point { inputs, passive: passive_numbers(list, random, float, f64::from), callees };
    let floats = || Floats(list.precision());
    let expected = point.bits(list, floats());
    assert_eq!(point.bits(&fused.list, floats()), expected, "{list}\nis\n{}", fused.list);
    let count = list.statements().len() - fused.list.statements().len();
    assert!(count <= fused_statements(&fused.list), "{list}\nis\n{}", fused.list);
    assert_eq!(values(&fused), values(derivative), "{list}\nis\n{}", fused.list);
    let once = point.bits(&fused.list, RoundedOnce(floats()));
    assert_eq!(once[..derivative.rows], expected[..derivative.rows]);
    for schedule in SCHEDULES.iter().map(Schedule::of) {
        let scheduled = derivative.clone().scheduled(&schedule).fused().list;
        assert_eq!(point.bits(&scheduled, RoundedOnce(floats())), once, "{schedule} of\n{list}\nis\n{scheduled}");
    }
    (fused_statements(&fused.list), once != expected)
}

#[test]
fn fusing_changes_no_value_and_no_derivative_that_is_rounded_twice() {
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
            Err(Error::TooManyPaths) => continue,
            jacobian => jacobian.expect("a small function").derivative,
        };
        let (count, is_changed) = check(&derivative, &Callees::new(callees), random);
        fused += u64::from(count > 0);
        changed += u64::from(is_changed);
    }
    assert!(fused >= LISTS / 4, "only {fused} derivatives have something that is fused");
    assert!(changed >= LISTS / 40, "only {changed} derivatives change when they are rounded once");
}
