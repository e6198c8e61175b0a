//! Programs as a crate, which prints what they and their Jacobians return.

use super::examine::Subject;
use super::point::Point;
use super::print;
use super::tree::{Law, Program, Type};
use super::value::Value;

/// What stands in front of the programs.
const FRONT: &str = "//! Random programs, and what they return. Generated.\n\n#![allow(warnings, arithmetic_overflow, unconditional_panic, clippy::all)]\n\n";

/// Prints floats by their bits: those of single precision as the doubles that they are.
const BITS: &str = "pub trait Bits {
    fn print(&self);
}

impl Bits for f64 {
    fn print(&self) {
        print!(\" {:x}\", self.to_bits());
    }
}

impl Bits for f32 {
    fn print(&self) {
        f64::from(*self).print();
    }
}

impl<T: Bits, const N: usize> Bits for [T; N] {
    fn print(&self) {
        self.iter().for_each(Bits::print);
    }
}

impl<A: Bits, B: Bits> Bits for (A, B) {
    fn print(&self) {
        self.0.print();
        self.1.print();
    }
}

";

/// The source of a crate that runs programs at points.
pub fn source(subjects: &[Subject]) -> String {
    let mut text = String::from(FRONT) + BITS + print::LAW + "\n";
    let mut calls = String::new();
    for Subject { program, points } in subjects {
        text += &module(program, points);
        calls += &format!("program_{}::run();\n", program.seed);
    }
    text + &format!("fn main() {{\n{calls}}}\n")
}

fn module(program: &Program, points: &[Point]) -> String {
    let path = if program.module.is_some() { "module::" } else { "" };
    let mut runs = String::new();
    for (number, point) in points.iter().enumerate() {
        let parameters = &program.main().parameters;
        let arguments = parameters.iter().zip(&point.arguments);
        let arguments: Vec<_> = arguments.map(|(own, value)| argument(&own.ty, value, program.float)).collect();
        let arguments = arguments.join(", ");
        runs += &format!(
            "print!(\"{} {number}\");\n{path}f({arguments}).print();\n{path}f_jac({arguments}).print();\nprintln!();\n",
            program.seed
        );
    }
    format!(
        "mod program_{} {{\nuse super::{{Bits, Law}};\n\n{}\npub fn run() {{\n{runs}}}\n}}\n\n",
        program.seed,
        print::program(program)
    )
}

/// An argument as it is written.
fn argument(ty: &Type, value: &Value<f64>, float: &str) -> String {
    let list = |types: &mut dyn Iterator<Item = &Type>| {
        let elements = types.zip(value.elements()).map(|(ty, element)| argument(ty, element, float) + ", ");
        elements.collect::<String>()
    };
    match (ty, value) {
        (Type::Reference(target), value) => format!("&{}", argument(target, value, float)),
        (Type::Array(element, _), _) => format!("[{}]", list(&mut std::iter::repeat(&**element))),
        (Type::Tuple(types), _) => format!("({})", list(&mut types.iter())),
        (_, Value::Float(value)) => format!("{value:?}_{float}"),
        (_, Value::Integer(value)) => value.to_string(),
        (_, Value::Bool(value)) => value.to_string(),
        (_, Value::Law(Law::Linear)) => "Law::Linear".into(),
        (_, Value::Law(Law::Power { exponent })) => format!("Law::Power {{ exponent: {exponent} }}"),
        (_, Value::Law(Law::Scaled(number, is_set))) => format!("Law::Scaled({number}, {is_set})"),
        _ => panic!("no argument is of this type"),
    }
}

/// A line that the crate prints: what a program returns at a point.
pub struct Line {
    pub seed: u64,
    pub point: usize,
    pub floats: Vec<f64>,
}

/// The lines that the crate has printed.
pub fn lines(printed: &str) -> Vec<Line> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let seed = words.next()?.parse().ok()?;
        let point = words.next()?.parse().ok()?;
        let floats = words.map(|bits| u64::from_str_radix(bits, 16).map(f64::from_bits));
        Some(Line { seed, point, floats: floats.collect::<Result<_, _>>().ok()? })
    };
    printed.lines().filter_map(line).collect()
}
