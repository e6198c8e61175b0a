//! Proves that every partial of the catalogue is the derivative of its row, to the row's number of units in the last
//! place, in both precisions. It iterates the catalogue itself. The reference knows nothing of the partials: it is a
//! central difference of the function in 256 bits, where a step of 2^-100 leaves more than 150 of them.
//!
//! A new row needs its function in `support/references.rs`, and nothing else.

use std::f64::consts::FRAC_PI_2;

use jacobian_core::catalogue::{CATALOGUE, Class, Intrinsic, Row};
use jacobian_core::code_list::{Constant, Kind, NotationId, Precision, ValueId};
use jacobian_core::linearize::Level;
use jacobian_core::pipeline::differentiate_for;
use jacobian_core::{CodeList, Derivative, Form, Strategy, differentiate};
use jacobian_lab::check::float_values;
use jacobian_lab::kinks::kinks;

use support::random::Random;
use support::real::Real;
use support::references::{Reference, reference};

mod support {
    pub mod random;
    pub mod real;
    pub mod references;
    pub mod special;
}

/// Random points a row; the corners of its domain come on top.
const POINTS: usize = 1_000;

/// The points at which the other arguments are constants instead, so that partials are folded.
const CONSTANT_POINTS: usize = 100;

/// Points a row for second partials, the corners among them.
const SECOND_POINTS: usize = 300;

/// The step of the differences, as a power of two times the argument.
const STEP: i32 = -100;

/// The same for second differences.
const SECOND_STEP: i32 = -60;

/// The largest error of a value, in units in the last place: the reference must be the row's function.
const VALUE_ULPS: f64 = 1_000.0;

/// A row in one precision.
struct Subject {
    intrinsic: Intrinsic,
    precision: Precision,
    reference: Reference,
}

/// The largest error so far of one partial, in units in the last place.
#[derive(Clone)]
struct Worst {
    ulps: f64,
    point: Vec<f64>,
}

impl Subject {
    fn new(intrinsic: Intrinsic, precision: Precision) -> Self {
        let name = intrinsic.row().name;
        let reference = reference(name).unwrap_or_else(|| {
            panic!("the row `{name}` has no function in jacobian-core/tests/support/references.rs: add a line there")
        });
        Subject { intrinsic, precision, reference }
    }

    fn row(&self) -> &'static Row {
        self.intrinsic.row()
    }

    fn floats(&self) -> Vec<usize> {
        (0..self.row().arity()).filter(|&position| self.row().takes[position] != Kind::Int).collect()
    }

    /// The corners of the domain and random points in it.
    fn points(&self) -> Vec<Vec<f64>> {
        let (random, domain) = (&mut Random::new(self.intrinsic.index() as u64), self.row().domain);
        let corner = |corner: usize, position: usize| {
            let (low, high) = domain[position];
            if corner >> position & 1 == 0 { low } else { high }
        };
        let corners = (0..1 << domain.len()).map(|index| (0..domain.len()).map(|at| corner(index, at)).collect());
        let mut points: Vec<Vec<f64>> = corners.collect();
        for _ in 0..POINTS {
            points.push((0..domain.len()).map(|position| self.sample(position, random)).collect());
        }
        let rounded = |point: Vec<f64>| point.into_iter().map(|value| self.round(value)).collect();
        points.into_iter().map(rounded).collect()
    }

    fn sample(&self, position: usize, random: &mut Random) -> f64 {
        let (low, high) = self.row().domain[position];
        match self.row().takes[position] == Kind::Int {
            true => low + random.below((high - low) as usize + 1) as f64,
            false => random.between(low, high),
        }
    }

    fn round(&self, value: f64) -> f64 {
        CodeList::new(self.precision).round(value)
    }

    /// The derivative of the row's application to independents and passive integers.
    fn derivative(&self) -> Derivative {
        self.derivative_where(|list, position| match self.row().takes[position] == Kind::Int {
            true => list.passive(Kind::Int, "n", 0),
            false => list.input(self.row().parameters[position]),
        })
    }

    /// The derivative with respect to the argument at `active`, the others being the constants in `point`.
    fn folded_derivative(&self, point: &[f64], active: usize) -> Derivative {
        self.derivative_where(|list, position| match position == active {
            true => list.input("x"),
            false if self.row().takes[position] == Kind::Int => list.constant(Constant::Int(point[position] as i32)),
            false => list.constant(Constant::Float(point[position])),
        })
    }

    fn derivative_where(&self, argument: impl FnMut(&mut CodeList, usize) -> ValueId) -> Derivative {
        let forward = "forward".parse().expect("a strategy");
        differentiate(&self.list(argument), &forward).expect("a small function").derivative.dense()
    }

    /// Value, gradient and Hessian of the row's application to independents and passive integers.
    fn second_derivative(&self) -> Derivative {
        let list = self.list(|list, position| match self.row().takes[position] == Kind::Int {
            true => list.passive(Kind::Int, "n", 0),
            false => list.input(self.row().parameters[position]),
        });
        let reverse = Strategy::reverse();
        let jacobian = differentiate_for(Form::Hessian, Level::CodeList, &list, &reverse);
        jacobian.expect("a small function").derivative.dense()
    }

    fn list(&self, mut argument: impl FnMut(&mut CodeList, usize) -> ValueId) -> CodeList {
        let mut list = CodeList::new(self.precision);
        let args: Vec<_> = (0..self.row().arity()).map(|position| argument(&mut list, position)).collect();
        let result = list.apply(self.intrinsic, NotationId::default(), &args);
        list.output(result);
        list
    }

    /// The function at `point`, the argument at `position` being moved by `steps` steps.
    fn moved(&self, point: &[f64], position: usize, steps: f64) -> Real {
        let mut args: Vec<_> = point.iter().map(|&value| Real::from(value)).collect();
        args[position] = &args[position] + &(&step(point[position]) * &Real::from(steps));
        (self.reference)(&args)
    }

    fn central_difference(&self, point: &[f64], position: usize) -> Real {
        let rise = &self.moved(point, position, 1.0) - &self.moved(point, position, -1.0);
        &rise / &step(point[position]).scaled(1)
    }

    /// Whether the differences to the left and to the right disagree.
    fn is_kink(&self, point: &[f64], position: usize) -> bool {
        let [left, middle, right] = [-1.0, 0.0, 1.0].map(|steps| self.moved(point, position, steps));
        let (rise, fall) = (&right - &middle, &middle - &left);
        (&rise - &fall).abs() > (&rise.abs() + &fall.abs()).scaled(STEP / 2)
    }

    /// How far `actual` is from `exact`, in units in the last place of `exact`.
    fn ulps(&self, actual: f64, exact: &Real) -> f64 {
        if exact.is_zero() {
            return if actual == 0.0 { 0.0 } else { f64::INFINITY };
        }
        let digits = match self.precision {
            Precision::F32 => f32::MANTISSA_DIGITS,
            Precision::F64 | Precision::Generic => f64::MANTISSA_DIGITS,
        };
        let ulps = (&Real::from(actual) - exact).scaled(digits as i32 - exact.exponent()).abs().to_f64();
        if ulps.is_nan() { f64::INFINITY } else { ulps }
    }

    /// The function at `point`, two arguments being moved by this many steps of second differences.
    fn moved_both(&self, point: &[f64], moves: [(usize, f64); 2]) -> Real {
        let mut args: Vec<_> = point.iter().map(|&value| Real::from(value)).collect();
        for (position, steps) in moves {
            let step = step(point[position]).scaled(SECOND_STEP - STEP);
            args[position] = &args[position] + &(&step * &Real::from(steps));
        }
        (self.reference)(&args)
    }

    fn second_difference(&self, point: &[f64], [one, other]: [usize; 2]) -> Real {
        let at = |first: f64, second: f64| self.moved_both(point, [(one, first), (other, second)]);
        let rise = &(&at(1.0, 1.0) - &at(1.0, -1.0)) - &(&at(-1.0, 1.0) - &at(-1.0, -1.0));
        let [one, other] = [one, other].map(|position| step(point[position]).scaled(SECOND_STEP - STEP + 1));
        &rise / &(&one * &other)
    }

    /// The largest error of a second partial, in units in the last place of the largest one at the point.
    fn worst_second_error(&self) -> Worst {
        let (derivative, floats) = (self.second_derivative(), self.floats());
        let pairs = floats.iter().flat_map(|&one| floats.iter().map(move |&other| [one, other]));
        let mut worst = Worst { ulps: 0.0, point: Vec::new() };
        for point in self.points().iter().take(SECOND_POINTS) {
            let is_at_kink = kinks(self.row(), point).contains(&0.0);
            if is_at_kink || floats.iter().any(|&position| self.is_kink(point, position)) {
                continue;
            }
            let inputs: Vec<_> = floats.iter().map(|&position| point[position]).collect();
            let passive: Vec<_> = (0..point.len()).filter(|at| !floats.contains(at)).map(|at| point[at]).collect();
            let hessian = float_values(&derivative.list, derivative.entries(1), &inputs, &passive);
            let exact: Vec<_> = pairs.clone().map(|pair| self.second_difference(point, pair)).collect();
            let scale = exact.iter().map(|entry| entry.abs().to_f64()).fold(0.0, f64::max);
            // What is left of differences of smaller derivatives than that is their error.
            if scale < 1e-25 {
                assert!(hessian.iter().all(|&entry| entry == 0.0), "`{}` at {point:?}: {hessian:?}", self.row().name);
                continue;
            }
            for (&entry, exact) in hessian.iter().zip(&exact) {
                let ulps = self.ulps(scale + (&Real::from(entry) - exact).to_f64(), &Real::from(scale)).abs();
                if ulps > worst.ulps {
                    worst = Worst { ulps, point: point.clone() };
                }
            }
        }
        worst
    }

    /// The largest errors of the partials, by position.
    fn worst_errors(&self) -> Vec<Worst> {
        let derivative = self.derivative();
        let mut worst = vec![Worst { ulps: 0.0, point: Vec::new() }; self.row().arity()];
        for (index, point) in self.points().iter().enumerate() {
            let partials = evaluate(&derivative, &self.floats(), point);
            for (&position, &partial) in self.floats().iter().zip(&partials) {
                let exact = self.central_difference(point, position);
                let mut ulps = self.ulps(partial, &exact);
                if index < CONSTANT_POINTS {
                    let folded = evaluate(&self.folded_derivative(point, position), &[position], point);
                    ulps = ulps.max(self.ulps(folded[0], &exact));
                }
                if ulps > worst[position].ulps && !self.is_kink(point, position) {
                    worst[position] = Worst { ulps, point: point.clone() };
                }
            }
        }
        worst
    }

    /// Checks that the reference is the row's function.
    fn check_values(&self) {
        for point in self.points().iter().skip(1 << self.row().arity()).take(100) {
            let evaluator = &self.row().evaluate;
            let value = match self.precision {
                Precision::F64 | Precision::Generic => (evaluator.f64)(point),
                Precision::F32 => f64::from((evaluator.f32)(&point.iter().map(|&x| x as f32).collect::<Vec<_>>())),
            };
            let args: Vec<_> = point.iter().map(|&value| Real::from(value)).collect();
            let ulps = self.ulps(value, &(self.reference)(&args));
            assert!(ulps <= VALUE_ULPS, "`{}` is not its reference at {point:?}: {ulps} ulps", self.row().name);
        }
    }
}

fn step(at: f64) -> Real {
    Real::from(if at == 0.0 { 1.0 } else { at.abs() }).scaled(STEP)
}

/// The Jacobian of one row at the arguments of `point` that are at the positions `active`; the others are passive.
fn evaluate(derivative: &Derivative, active: &[usize], point: &[f64]) -> Vec<f64> {
    let inputs: Vec<_> = active.iter().map(|&position| point[position]).collect();
    let passive: Vec<_> = (0..point.len()).filter(|at| !active.contains(at)).map(|at| point[at]).collect();
    float_values(&derivative.list, derivative.entries(0), &inputs, &passive)
}

/// Prints the largest error of every partial, and fails where one is above its row's limit.
fn check_every_row(precision: Precision) {
    let mut failures = Vec::new();
    for intrinsic in Intrinsic::all().filter(|intrinsic| intrinsic.row().gives != Kind::Bool) {
        let subject = Subject::new(intrinsic, precision);
        subject.check_values();
        let row = subject.row();
        let worst = if has_partials(row) { subject.worst_errors() } else { Vec::new() };
        for (parameter, Worst { ulps, point }) in row.parameters.iter().zip(worst) {
            let line = format!("{precision:?} d{}/d{parameter}: {ulps:.2} ulps at {point:?}", row.name);
            println!("{line}");
            if ulps > f64::from(row.ulps) {
                failures.push(format!("{line}, but the row allows {}", row.ulps));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// As [`check_every_row`], for second partials.
fn check_second_partials(precision: Precision) {
    let mut failures = Vec::new();
    for intrinsic in Intrinsic::all().filter(|intrinsic| intrinsic.row().gives == Kind::Float) {
        let subject = Subject::new(intrinsic, precision);
        let row = subject.row();
        if !has_partials(row) || row.seconds.contains(&"NAN") {
            continue;
        }
        let Worst { ulps, point } = subject.worst_second_error();
        let line = format!("{precision:?} second partials of {}: {ulps:.2} ulps at {point:?}", row.name);
        println!("{line}");
        if ulps > f64::from(row.second_ulps) {
            failures.push(format!("{line}, but the row allows {}", row.second_ulps));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn second_partials_are_derivatives_in_double_precision() {
    check_second_partials(Precision::F64);
}

#[test]
fn second_partials_are_derivatives_in_single_precision() {
    check_second_partials(Precision::F32);
}

#[test]
fn partials_are_derivatives_in_double_precision() {
    check_every_row(Precision::F64);
}

#[test]
fn partials_are_derivatives_in_single_precision() {
    check_every_row(Precision::F32);
}

/// Whether the partials are known; those of what only partials write need not be.
fn has_partials(row: &Row) -> bool {
    row.partials.iter().all(|partial| *partial != "NAN")
}

/// Between two points of the domain where the value or a partial jumps, an expression for kinks of the row is zero.
#[test]
fn functions_are_smooth_but_for_their_kinks() {
    let rows = Intrinsic::all().filter(|intrinsic| intrinsic.row().gives == Kind::Float);
    for intrinsic in rows.filter(|intrinsic| has_partials(intrinsic.row())) {
        let subject = Subject::new(intrinsic, Precision::F64);
        let (row, derivative, floats) = (subject.row(), subject.derivative(), subject.floats());
        let random = &mut Random::new(2);
        for trial in 0..40 * floats.len() {
            let moving = floats[trial % floats.len()];
            let mut point: Vec<_> = (0..row.arity()).map(|position| subject.sample(position, random)).collect();
            let mut at = |x: f64| {
                point[moving] = x;
                let mut found = evaluate(&derivative, &floats, &point);
                found.push((row.evaluate.f64)(&point));
                (found, kinks(row, &point))
            };
            let difference = |left: &[f64], right: &[f64]| {
                let parts = left.iter().zip(right).map(|(left, right)| (left - right).abs() / (1.0 + left.abs()));
                parts.fold(0.0, f64::max)
            };
            let mut ends = [0, 1].map(|_| subject.sample(moving, random));
            for _ in 0..60 {
                let middle = f64::midpoint(ends[0], ends[1]);
                let [(left, _), (between, _), (right, _)] = [ends[0], middle, ends[1]].map(&mut at);
                ends[usize::from(difference(&left, &between) > difference(&between, &right))] = middle;
            }
            let [(left, before), (right, after)] = ends.map(&mut at);
            let is_kink = before.iter().zip(&after).any(|(before, after)| before * after <= 0.0);
            let name = row.name;
            assert!(
                is_kink || difference(&left, &right) < 1e-6,
                "`{name}` has a kink at {} = {} that its row does not say",
                row.parameters[moving],
                ends[0]
            );
        }
    }
}

/// The function that derivatives of the gamma function bring along: left of zero, within a few units of the two terms
/// that its reflection adds.
#[test]
fn the_digamma_function_keeps_its_digits() {
    let subject = Subject::new(Intrinsic::find("digamma").expect("a row"), Precision::F64);
    let digamma = |x: f64| (subject.row().evaluate.f64)(&[x]);
    let exact = |x: f64| (subject.reference)(&[Real::from(x)]);
    let random = &mut Random::new(1);
    for (low, high) in
        [(1e-300, 1e-3), (1e-3, 1.0), (1.0, 2.0), (1.4616, 1.4617), (2.0, 10.0), (9.9, 12.0), (10.0, 1e6)]
    {
        for _ in 0..200 {
            let x = random.between(low, high);
            let ulps = subject.ulps(digamma(x), &exact(x));
            assert!(ulps <= 5.0, "{ulps} ulps at {x}");
        }
    }
    for _ in 0..1_000 {
        let x = random.between(-40.0, 0.0);
        let terms = &exact(1.0 - x).abs() + &(&exact(1.0 - x) - &exact(x)).abs();
        let error = (&Real::from(digamma(x)) - &exact(x)).abs();
        let ulps = (&error / &terms).to_f64() / f64::EPSILON;
        assert!(ulps <= 4.0, "{ulps} ulps of the terms at {x}");
    }
    for (x, value) in [(0.0, f64::NEG_INFINITY), (-0.0, f64::INFINITY), (f64::INFINITY, f64::INFINITY)] {
        assert_eq!(digamma(x), value, "{x}");
    }
    for x in [-1.0, -2.0, -1e300, f64::NEG_INFINITY, f64::NAN] {
        assert!(digamma(x).is_nan(), "{x}");
    }
}

/// What a row says of its bounds is what its values show: for all arguments of a grid, they are finite and no larger
/// than a thousand times the product of the arguments. (A sum or product that overflows does not count.)
#[test]
fn bounds_are_those_of_the_values() {
    const GRID: [f64; 17] =
        [0.0, 1e-9, -1e-9, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, FRAC_PI_2, -FRAC_PI_2, 2.0, -2.0, 100.0, -100.0, 1e6, -1e6];
    for row in CATALOGUE.iter().filter(|row| matches!(row.class, Class::Division | Class::Root | Class::Call)) {
        let arity = row.arity() as u32;
        let is_bounded = (0..GRID.len().pow(arity)).all(|point| {
            let place = |argument| point / GRID.len().pow(argument) % GRID.len();
            let arguments: Vec<_> = (0..arity).map(|argument| GRID[place(argument)]).collect();
            let product: f64 = arguments.iter().map(|argument| argument.abs().max(1.0)).product();
            (row.evaluate.f64)(&arguments).abs() <= 1e3 * product
        });
        assert_eq!(row.is_bounded, is_bounded, "{}", row.name);
    }
}
