//! The examination of programs: what is found in many of them, and what is wrong in one.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::check::{self, Counts};
use super::compiled::{Line, NOT_COMPILED, Run};
use super::dual::{dual32, dual64};
use super::ending::Ending;
use super::expanded::{self, Expand};
use super::forms::{self, Returned, Way};
use super::mutate;
use super::number::Number;
use super::oracle::{self, Entry, Expected};
use super::point::{self, Point};
use super::random::Random;
use super::reached::Reached;
use super::tree::{Branch, Derivative, Expression, Function, Operator, Program, Statement, Type};
use super::value::Value;
use super::walk::{self, Node};
use super::{generate, print, shrink};

/// What has been found in programs.
#[derive(Default)]
pub struct Findings {
    pub programs: usize,
    pub counts: Counts,
    /// Points that were not compared, because they are near a kink, or because values are very large there.
    pub near: usize,
    pub wild: usize,
    /// Programs with fewer points than were asked for.
    pub few: usize,
    /// The sides of branches that have been reached, and those that have been taken.
    pub sides: usize,
    pub taken: usize,
}

/// A program and its points.
pub struct Subject {
    pub program: Program,
    pub points: Vec<Point>,
}

/// What is wrong with a program: a description with its source.
pub type Failure = String;

/// The program of this number as it is written.
pub fn source(seed: u64) -> String {
    print::program(&generate::program(seed, false))
}

/// Whether there is no Jacobian of the program, or none that compiles.
pub fn is_refusal(failure: &Failure) -> bool {
    let first = failure.lines().next().unwrap_or_default();
    first.contains(expanded::REFUSED) || first.contains(NOT_COMPILED)
}

/// The forms of a program at a point that give a Jacobian, with their names, for this many rows and columns.
type Jacobians = fn(&Program, Way, &[Value<f64>], (usize, usize)) -> Vec<(&'static str, Returned)>;

/// What its second derivatives are there, for these weights and this direction.
type Second = fn(&Program, &[Value<f64>], &Expected, &[f64], &[f64]) -> [Vec<Entry>; 2];

/// What it gives there by the forms of second order, with this many columns.
type OfSecond = fn(&Program, Way, &[Value<f64>], usize) -> [Returned; 3];

/// What depends on the precision of a program.
struct Precision {
    choose: fn(&Program, usize) -> point::Points,
    run: fn(&Program, &[Value<f64>]) -> Returned,
    run_forms: Jacobians,
    run_normal: fn(&Program, Way, &[Value<f64>]) -> Returned,
    run_second: OfSecond,
    second: Second,
    unit: f64,
}

fn precision(program: &Program) -> Precision {
    fn of<R: Number>() -> Precision {
        Precision {
            choose: point::choose::<R>,
            run: forms::jacobian::<R>,
            run_forms: forms::jacobians::<R>,
            run_normal: forms::normal::<R>,
            run_second: forms::second::<R>,
            second: oracle::second::<R>,
            unit: R::UNIT,
        }
    }
    if program.float == "f32" { of::<dual32::Dual>() } else { of::<dual64::Dual>() }
}

impl Findings {
    pub fn add(&mut self, other: &Findings) {
        self.programs += other.programs;
        self.counts.add(other.counts);
        self.near += other.near;
        self.wild += other.wild;
        self.few += other.few;
        self.sides += other.sides;
        self.taken += other.taken;
    }

    /// The program of this number with its points.
    pub fn subject(&mut self, seed: u64, may_shadow: bool, points: usize) -> Subject {
        let mut program = generate::program(seed, may_shadow);
        let found = (precision(&program).choose)(&program, points);
        self.programs += 1;
        self.near += found.near;
        self.wild += found.wild;
        self.few += usize::from(found.chosen.len() < points);
        let reached: BTreeSet<_> = found.taken.iter().map(|(branch, _)| *branch).collect();
        self.sides += sides(&mut program).iter().filter(|(branch, _)| reached.contains(branch)).count();
        self.taken += found.taken.len();
        Subject { program, points: found.chosen }
    }
}

impl std::fmt::Display for Findings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Findings { programs, counts, near, wild, few, sides, taken } = self;
        let Counts { points, entries, nonzero, worst } = counts;
        write!(
            formatter,
            "{programs} programs at {points} points: {entries} entries, {nonzero} of them not zero, the worst off by {worst:.1} \
             roundings; {taken} of {sides} sides of branches taken; {near} points near a kink, {wild} with large values, {few} \
             programs at fewer points"
        )
    }
}

/// The sides of all branches of a program.
fn sides(program: &mut Program) -> BTreeSet<(Branch, usize)> {
    let mut sides = BTreeSet::new();
    for function in &mut program.functions {
        walk::block(&mut function.body, &mut |node| {
            let expression = match node {
                Node::Expression(expression) => expression,
                Node::Block(block) => {
                    for statement in &block.statements {
                        if let Statement::LetElse(own) = statement {
                            sides.extend([0, 1].map(|side| (own.branch, side)));
                        }
                    }
                    return;
                }
            };
            let (branch, count) = match expression {
                Expression::If(branch) => (branch.branch, 2),
                Expression::Match(branch) => (branch.branch, branch.arms.len()),
                Expression::Binary(Operator::And | Operator::Or, _, branch) => (*branch, 2),
                _ => return,
            };
            sides.extend((0..count).map(|side| (branch, side)));
        });
    }
    sides
}

impl Subject {
    /// What is rare in programs and is in this one.
    pub fn reached(&self) -> Reached {
        Reached::of(&self.program, &self.points)
    }

    /// Compares what the macro generates for the program with what the interpreter says.
    pub fn expand(&self, expand: Expand) -> Result<Counts, Failure> {
        self.try_expand(expand).map_err(|message| self.failure(&message))
    }

    /// The source of a smaller program with which the same is wrong.
    pub fn smaller(&self, expand: Expand) -> String {
        let Err(message) = self.try_expand(expand) else { return String::new() };
        let smaller = shrink::shrink(&self.program, |program| {
            let fails = || Subject::at_points(program, self.points.len()).try_expand(expand).err();
            caught(fails).ok().flatten().is_some_and(|other| kind(&other) == kind(&message))
        });
        print::program(&smaller)
    }

    fn at_points(program: &Program, points: usize) -> Subject {
        let points = (precision(program).choose)(program, points).chosen;
        Subject { program: program.clone(), points }
    }

    fn try_expand(&self, expand: Expand) -> Result<Counts, String> {
        let expanded = caught(|| expanded::expanded(&self.program, expand))??;
        let (precision, mut counts) = (precision(&self.program), Counts::default());
        for point in &self.points {
            let checked = caught(|| (precision.run)(&expanded, &point.arguments)).and_then(|returned| {
                point.expected.ending.agrees(&returned.ending)?;
                check::value(&point.expected, &returned.value, true)?;
                check::jacobian(&point.expected, &returned.jacobian, precision.unit)
            });
            counts.add(checked.map_err(|message| format!("{message}\nat {:?}", point.arguments))?);
        }
        Ok(counts)
    }

    /// Compares the other forms that the macro generates for the program with what the interpreter says: how much by
    /// the first derivatives, and by the second.
    pub fn expand_forms(&self, expand: Expand) -> Result<[Counts; 2], Failure> {
        let with = |own: &str, forms: &str| {
            let program = self.with_forms(own, forms);
            Subject { program, points: self.points.clone() }
        };
        // There is no Hessian beside a Jacobian that is written by hand.
        let is_handwritten = |function: &Function| matches!(function.derivative, Derivative::Handwritten(_));
        let has_second = !self.program.functions.iter().any(is_handwritten);
        let all = with(forms::OF_CALLED, &forms::names(has_second));
        let result = match all.try_expand_forms(expand, has_second) {
            Err(message) if [forms::NO_SECOND, forms::TOO_LONG].iter().any(|known| message.contains(known)) => {
                with("jac", &forms::names(false)).try_expand_forms(expand, false)
            }
            result => result,
        };
        result.map_err(|message| all.failure(&message))
    }

    /// The program with these forms, and those of the functions that it calls.
    fn with_forms(&self, own: &str, forms: &str) -> Program {
        let mut program = self.program.clone();
        let last = program.functions.len() - 1;
        for (index, function) in program.functions.iter_mut().enumerate() {
            let Derivative::Attribute(options) = &mut function.derivative else { continue };
            let separator = if options.is_empty() { "" } else { ", " };
            *options += &format!("{separator}forms({})", if index == last { forms } else { own });
        }
        program
    }

    fn try_expand_forms(&self, expand: Expand, has_second: bool) -> Result<[Counts; 2], String> {
        let expanded = caught(|| expanded::expanded(&self.program, expand))??;
        let (precision, mut counts) = (precision(&self.program), [Counts::default(); 2]);
        for (Point { arguments, expected }, way) in
            self.points.iter().flat_map(|point| Way::ALL.map(|way| (point, way)))
        {
            let (rows, columns) = (expected.values.len(), expected.columns.len());
            let at = |message| format!("{message}\nat {arguments:?}, {way:?}");
            let forms = caught(|| (precision.run_forms)(&expanded, way, arguments, (rows, columns))).map_err(at)?;
            for (form, returned) in &forms {
                let check = || {
                    expected.ending.agrees(&returned.ending)?;
                    if *form != "jac_only" {
                        check::value(expected, &returned.value, true)?;
                    }
                    check::jacobian(expected, &returned.jacobian, precision.unit)
                };
                counts[0].add(check().map_err(|message| at(format!("{form}: {message}")))?);
            }
            let normal = caught(|| (precision.run_normal)(&expanded, way, arguments)).map_err(at)?;
            counts[0].add(
                check::normal(expected, &normal, precision.unit).map_err(|message| at(format!("normal: {message}")))?,
            );
            if has_second {
                let second = caught(|| (precision.run_second)(&expanded, way, arguments, columns)).map_err(at)?;
                counts[1].add(self.second(&second, &precision, arguments, expected).map_err(at)?);
            }
        }
        Ok(counts)
    }

    /// Compares second derivatives at a point.
    fn second(
        &self,
        returned: &[Returned; 3],
        precision: &Precision,
        arguments: &[Value<f64>],
        expected: &Expected,
    ) -> Result<Counts, String> {
        let (rows, columns) = (expected.values.len(), expected.columns.len());
        // A single float has no weight.
        let weights = if rows == 1 { vec![1.0] } else { forms::seed(rows) };
        let [hessian, product] =
            (precision.second)(&self.program, arguments, expected, &weights, &forms::seed(columns));
        // A function of several results is called once for each, with its effects.
        let is_repeated = |function: &Function| {
            matches!(function.derivative, Derivative::Attribute(_)) && function.result != Type::Float
        };
        let (_, called) = self.program.functions.split_last().expect("there is a function");
        let has_repeated = called.iter().any(is_repeated);
        let mut counts = Counts::default();
        for (returned, entries) in returned.iter().zip([&hessian, &product, &hessian]) {
            let effects = if has_repeated { &returned.ending.effects } else { &expected.ending.effects };
            let ending = Ending { effects: effects.clone(), ..expected.ending.clone() };
            ending.agrees(&returned.ending)?;
            check::value(expected, &returned.value, true)?;
            if expected.ending.panic.is_none() {
                counts.add(check::second(entries, &returned.jacobian, expected.operations, precision.unit)?);
            }
        }
        if expected.ending.panic.is_none() {
            is_symmetric(&returned[0].jacobian[columns..], columns)?;
        }
        Ok(counts)
    }

    /// Compares a line that the compiled program has printed with what the interpreter says.
    pub fn compare(&self, line: &Line) -> Result<Counts, Failure> {
        let Point { arguments, expected } = &self.points[line.point];
        let compared = || {
            let Run { floats: value, ending } = line.runs.first().ok_or("the line is too short")?;
            let by_itself = |message| format!("without what is generated, {message}");
            expected.ending.agrees(ending).map_err(by_itself)?;
            check::value(expected, value, self.program.is_exact).map_err(by_itself)?;
            let Some(own) = line.runs.get(1) else { return Ok(Counts::default()) };
            ending.agrees(&own.ending)?;
            if own.ending.panic != ending.panic {
                return Err(format!("the panic says {:?}, that of the function {:?}", own.ending.panic, ending.panic));
            }
            let parts = own.floats.split_at_checked(expected.values.len());
            let (own_value, jacobian) = parts.ok_or("the line is too short")?;
            if own_value.iter().map(|value| value.to_bits()).ne(value.iter().map(|value| value.to_bits())) {
                return Err(format!("the value is {own_value:?}, that of the function itself {value:?}"));
            }
            check::jacobian(expected, jacobian, precision(&self.program).unit)
        };
        compared().map_err(|message| self.failure(&format!("{message}\nat {arguments:?}")))
    }

    /// Whether functions of its module are called through their Jacobians.
    pub fn calls_members(&self, expand: Expand) -> bool {
        let is_of_member = |name: &str| name.starts_with("member") && name.ends_with("_jac");
        expanded::expanded(&self.program, expand)
            .is_ok_and(|expanded| expanded.functions.iter().any(|function| is_of_member(&function.name)))
    }

    /// Of this many deliberate mistakes in the generated code, those that change what it returns, and those that are
    /// found.
    pub fn mistakes(&self, expand: Expand, count: usize) -> [usize; 2] {
        let Ok(expanded) = expanded::expanded(&self.program, expand) else { return [0, 0] };
        let (mut random, mut found) = (Random::new(self.program.seed), [0, 0]);
        let name = format!("{}_jac", self.program.main().name);
        for _ in 0..count {
            let mut wrong = expanded.clone();
            let Some(jacobian) = wrong.functions.iter_mut().find(|function| *function.name == *name) else { break };
            let Some(mutated) = mutate::mutated(jacobian, &mut random) else { break };
            *jacobian = mutated;
            let [changes, is_found] = self.mistake(&expanded, &wrong);
            found[0] += usize::from(changes);
            found[1] += usize::from(changes && is_found);
        }
        found
    }

    fn mistake(&self, right: &Program, wrong: &Program) -> [bool; 2] {
        let precision = precision(&self.program);
        let bits = |returned: &Returned| {
            returned.value.iter().chain(&returned.jacobian).map(|float| float.to_bits()).collect::<Vec<_>>()
        };
        let [mut changes, mut is_found] = [false; 2];
        for point in &self.points {
            let right = (precision.run)(right, &point.arguments);
            let Ok(wrong) = caught(|| (precision.run)(wrong, &point.arguments)) else { return [true; 2] };
            changes |= bits(&right) != bits(&wrong) || right.ending != wrong.ending;
            is_found |= point.expected.ending.agrees(&wrong.ending).is_err()
                || check::value(&point.expected, &wrong.value, true).is_err()
                || check::jacobian(&point.expected, &wrong.jacobian, precision.unit).is_err();
        }
        [changes, is_found]
    }

    /// What is wrong with the program, and its source.
    pub fn failure(&self, message: &str) -> Failure {
        let mut text = String::new();
        let _ = writeln!(text, "program {} over {}: {message}", self.program.seed, self.program.float);
        text + &print::program(&self.program)
    }
}

/// Whether a matrix, given row by row, is symmetric bit for bit. What is wrong, if not.
fn is_symmetric(entries: &[f64], columns: usize) -> Result<(), String> {
    let beyond = |index: usize| entries[index % columns * columns + index / columns];
    match entries.iter().enumerate().find(|(index, entry)| entry.to_bits() != beyond(*index).to_bits()) {
        None => Ok(()),
        Some((index, entry)) => {
            Err(format!("entry {index} of the Hessian is {entry:e}, beyond the diagonal {:e}", beyond(index)))
        }
    }
}

/// What failures have in common that are of one kind: their words up to the first number.
fn kind(message: &str) -> &str {
    message.split(|character: char| character.is_ascii_digit()).next().unwrap_or_default()
}

/// The result, or the message of a panic.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        format!("this panics: {}", text.unwrap_or_default())
    })
}
