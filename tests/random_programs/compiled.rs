//! Programs as a crate, which prints what they and their Jacobians return.

use std::collections::BTreeMap;

use super::ending::Ending;
use super::examine::Subject;
use super::point::Point;
use super::print;
use super::tree::{ItemKind, Law, Program, Struct, Type};
use super::value::Value;

/// What precedes the programs.
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

/// Runs a function, and prints what it returns, the message with which it panics, and its effects.
const SHOW: &str = "pub fn show<T: Bits>(cells: &[&std::cell::Cell<u64>], run: impl FnOnce() -> T) {
    NOTED.with(|noted| noted.set(0));
    print!(\" |\");
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
        Ok(value) => value.print(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
            print!(\" panic:{}\", text.unwrap_or_default().replace(' ', \"_\").replace('|', \"_\"));
        }
    }
    print!(\" #{:x}\", NOTED.with(|noted| noted.get()));
    cells.iter().for_each(|cell| print!(\" #{:x}\", cell.get()));
}

";

/// The files of a crate that runs programs at points: their paths and their texts. Those programs that `alone` tells
/// are run without their Jacobians.
pub fn files(subjects: &[Subject], alone: &dyn Fn(u64) -> bool) -> Vec<(String, String)> {
    let (mut modules, mut calls, mut files) = (String::new(), String::new(), Vec::new());
    for subject in subjects {
        let seed = subject.program.seed;
        modules += &format!("mod program_{seed};\n");
        calls += &format!("program_{seed}::run();\n");
        files.push((format!("src/program_{seed}.rs"), module(subject, alone(seed))));
    }
    let main = format!("fn main() {{\nstd::panic::set_hook(Box::new(|_| {{}}));\n{calls}}}\n");
    files.push(("src/main.rs".into(), [FRONT, &modules, BITS, SHOW, print::LAW, print::NOTE, &main].concat()));
    files
}

fn module(Subject { program, points }: &Subject, is_alone: bool) -> String {
    let mut runs = String::new();
    for (number, point) in points.iter().enumerate() {
        runs += &format!("print!(\"{} {number}\");\n{}", program.seed, run(program, point, ""));
        runs += &if is_alone { String::new() } else { run(program, point, "_jac") };
        runs += "println!();\n";
    }
    let text = if is_alone { print::without_attributes(program) } else { print::program(program) };
    let text = text + &bits(program);
    format!("use super::{{Bits, Law, note, show}};\n\n{text}\npub fn run() {{\n{runs}}}\n")
}

/// How the structs of a program are printed: as their fields are.
fn bits(program: &Program) -> String {
    let structs = program.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Struct(own) => Some(own),
        _ => None,
    });
    let one = |own: &std::rc::Rc<Struct>| {
        let fields: String = own.fields.iter().map(|(field, _)| format!("self.{field}.print();\n")).collect();
        format!("impl Bits for module::{} {{\nfn print(&self) {{\n{fields}}}\n}}\n", own.name)
    };
    structs.map(one).collect()
}

/// A call of the function, or of its Jacobian.
fn run(program: &Program, point: &Point, suffix: &str) -> String {
    let (main, mut cells) = (program.main(), String::new());
    let mut arguments = Vec::new();
    for (parameter, value) in main.parameters.iter().zip(&point.arguments) {
        match value {
            Value::Cell(cell) => {
                cells += &format!("&std::cell::Cell::new({}), ", cell.get());
                arguments.push(format!("cells[{}]", cells.matches("Cell").count() - 1));
            }
            value => arguments.push(argument(&parameter.ty, value, program.float)),
        }
    }
    let module = if program.module.is_some() { "module::" } else { "" };
    let numbers: Vec<_> = main.generics.iter().map(|(_, number)| number.to_string()).collect();
    let generics = if numbers.is_empty() { String::new() } else { format!("::<{}>", numbers.join(", ")) };
    let call = format!("{module}{}{suffix}{generics}({})", main.name, arguments.join(", "));
    format!("{{ let cells: &[&std::cell::Cell<u64>] = &[{cells}]; show(cells, || {call}); }}\n")
}

/// An argument as it is written.
fn argument(ty: &Type, value: &Value<f64>, float: &str) -> String {
    let list = |types: &mut dyn Iterator<Item = &Type>| {
        let elements = types.zip(value.elements()).map(|(ty, element)| argument(ty, element, float) + ", ");
        elements.collect::<String>()
    };
    match (ty, value) {
        (Type::Reference(target), value) => format!("&{}", argument(target, value, float)),
        (Type::Array(element, _) | Type::Data(element), _) => format!("[{}]", list(&mut std::iter::repeat(&**element))),
        (Type::Tuple(types), _) => format!("({})", list(&mut types.iter())),
        (Type::Struct(own), value) => {
            let fields = own.fields.iter().zip(value.elements());
            let fields = fields.map(|((name, ty), value)| format!("{name}: {}, ", argument(ty, value, float)));
            format!("module::{} {{ {} }}", own.name, fields.collect::<String>())
        }
        (_, Value::Float(value)) => format!("{value:?}_{float}"),
        (_, Value::Integer(integer)) => integer.value.to_string(),
        (_, Value::Bool(value)) => value.to_string(),
        (_, Value::Law(Law::Linear)) => "Law::Linear".into(),
        (_, Value::Law(Law::Power { exponent })) => format!("Law::Power {{ exponent: {exponent} }}"),
        (_, Value::Law(Law::Scaled(number, is_set))) => format!("Law::Scaled({number}, {is_set})"),
        _ => panic!("no argument is of this type"),
    }
}

/// What is said of a program that does not compile with what the macro generates for it.
pub const NOT_COMPILED: &str = "it does not compile";

/// A line that the crate prints: what a program and its Jacobian return at a point.
pub struct Line {
    pub seed: u64,
    pub point: usize,
    pub runs: Vec<Run>,
}

/// What a function has returned, and how it has ended.
#[derive(Default)]
pub struct Run {
    pub floats: Vec<f64>,
    pub ending: Ending,
}

/// The lines that the crate has printed.
pub fn lines(printed: &str) -> Vec<Line> {
    let line = |line: &str| {
        let mut parts = line.split(" |");
        let (seed, point) = parts.next()?.split_once(' ')?;
        let (seed, point) = (seed.parse().ok()?, point.parse().ok()?);
        Some(Line { seed, point, runs: parts.map(read_run).collect::<Option<_>>()? })
    };
    printed.lines().filter_map(line).collect()
}

fn read_run(text: &str) -> Option<Run> {
    let mut run = Run::default();
    for word in text.split_whitespace() {
        match (word.strip_prefix("panic:"), word.strip_prefix('#')) {
            (Some(message), _) => run.ending.panic = Some(message.into()),
            (_, Some(effect)) => run.ending.effects.push(u64::from_str_radix(effect, 16).ok()?),
            _ => run.floats.push(f64::from_bits(u64::from_str_radix(word, 16).ok()?)),
        }
    }
    Some(run)
}

/// The programs whose files a compiler complains about, and its first complaint about each.
pub fn broken(printed: &str) -> BTreeMap<u64, String> {
    let (mut broken, mut message) = (BTreeMap::new(), "");
    for line in printed.lines() {
        if line.starts_with("error") {
            message = line;
        }
        let file = line.trim_start().strip_prefix("--> src/program_").and_then(|rest| rest.split('.').next());
        if let (Some(seed), false) = (file.and_then(|seed| seed.parse().ok()), message.is_empty()) {
            broken.entry(seed).or_insert_with(|| message.to_string());
            message = "";
        }
    }
    broken
}
