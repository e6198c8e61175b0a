//! The points at which a program is compared.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::number::Number;
use super::oracle::{self, Expected};
use super::random::Random;
use super::tree::{Branch, Law, Program, Type};
use super::value::Value;

/// The points of which some are chosen.
const CANDIDATES: usize = 20;

/// The most points at which the program panics.
const PANICS: usize = 2;

/// The values of parameters that are no floats.
pub const USIZES: (i64, i64) = (0, 4);
pub const INTS: (i64, i64) = (-2, 5);

/// The most elements of a slice.
pub const MOST_DATA: usize = 5;

/// What is in a cell when the program begins.
pub const START: u64 = 7;

/// A point, and what the program gives there.
#[derive(Clone)]
pub struct Point {
    pub arguments: Vec<Value<f64>>,
    pub expected: Expected,
}

/// The points of a program.
#[derive(Default)]
pub struct Points {
    pub chosen: Vec<Point>,
    /// The sides of branches that are taken at the chosen points.
    pub taken: BTreeSet<(Branch, usize)>,
    /// Candidates that are near a kink, or where two numbers are compared that are nearly the same.
    pub near: usize,
    /// Candidates where a value or a derivative is not finite or very large.
    pub wild: usize,
}

/// At most `count` points: each the one at which the most sides of branches are taken that no other takes.
pub fn choose<R: Number>(program: &Program, count: usize) -> Points {
    let (mut random, mut points) = (Random::new(program.seed ^ 0x5EED), Points::default());
    let (mut candidates, mut panicking) = (Vec::new(), Vec::new());
    for _ in 0..CANDIDATES {
        let arguments: Vec<_> =
            program.main().parameters.iter().map(|parameter| argument(&parameter.ty, &mut random)).collect();
        let (_, ending, trace) = oracle::value::<R>(program, &arguments);
        match (trace.is_near, trace.is_wild) {
            (false, false) if ending.panic.is_some() => panicking.push((arguments, trace.taken)),
            (false, false) => candidates.push((arguments, trace.taken)),
            (_, true) => points.wild += 1,
            (true, false) => points.near += 1,
        }
    }
    panicking.truncate(PANICS);
    candidates.extend(panicking);
    while points.chosen.len() < count && !candidates.is_empty() {
        let news = |taken: &BTreeSet<_>| taken.difference(&points.taken).count();
        let best = (0..candidates.len()).max_by_key(|&index| (news(&candidates[index].1), CANDIDATES - index));
        let (arguments, taken) = candidates.remove(best.expect("there is a candidate"));
        points.taken.extend(taken);
        let expected = oracle::jacobian::<R>(program, &arguments);
        points.chosen.push(Point { arguments, expected });
    }
    points
}

fn argument(ty: &Type, random: &mut Random) -> Value<f64> {
    match ty {
        Type::Float => Value::Float(float(random)),
        Type::Usize => Value::integer_of(random.within(USIZES.0, USIZES.1).into(), Type::Usize),
        Type::Int => Value::integer_of(random.within(INTS.0, INTS.1).into(), Type::Int),
        Type::Cell => Value::Cell(Rc::new(Cell::new(START))),
        Type::Bool => Value::Bool(random.percent(50)),
        Type::Law => Value::Law(match random.below(3) {
            0 => Law::Linear,
            1 => Law::Power { exponent: random.within(-2, 4) as i32 },
            _ => Law::Scaled(random.below(4), random.percent(50)),
        }),
        Type::Array(element, length) => Value::sequence((0..*length).map(|_| argument(element, random)).collect()),
        Type::Data(element) => {
            Value::sequence((0..random.below(MOST_DATA + 1)).map(|_| argument(element, random)).collect())
        }
        Type::Tuple(elements) => Value::sequence(elements.iter().map(|element| argument(element, random)).collect()),
        Type::Reference(target) => argument(target, random),
        Type::Struct(own) => {
            let fields = own.fields.iter().map(|(_, ty)| argument(ty, random)).collect();
            Value::Struct(own.name.clone(), Rc::new(fields))
        }
        _ => panic!("no parameter is of this type"),
    }
}

/// A float that `f32` holds exactly, not near zero.
fn float(random: &mut Random) -> f64 {
    let magnitude = 0.0625 + random.below(1 << 16) as f64 / (1 << 16) as f64 * 1.375;
    if random.percent(50) { magnitude } else { -magnitude }
}
