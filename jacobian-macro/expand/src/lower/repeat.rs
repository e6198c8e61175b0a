//! Run-time loops: those whose number of iterations is not known when the function is expanded. The body
//! is lowered once, into a list of its own, and the loop becomes one block of the list around it.
//!
//! What the iterations change is found by lowering the body on trial, until nothing new is found: the variables
//! that become active, part by part, are carried by the block from iteration to iteration, and are inputs of the body.
//! Those that stay passive become variables of the generated code, which the body changes where they are, as kept loops
//! do. So whatever else the body reads is the same in all iterations, and what is known of it may be used.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use jacobian_core::block::{Block, Body, MAX_LOOPS};
use jacobian_core::code_list::{Constant, Kind, ValueId};
use proc_macro2::TokenStream;

use super::super::refuse;
use super::super::syntax::{Expr, For, Iteration, Pattern, While};
use super::Lowering;
use super::assign::descend;
use super::branch::Arm;
use super::control::{Flow, Stop};
use super::expected::Expected;
use super::merge::{BlockResult, Merged, Merger, ResultKind};
use super::numbers::Number;
use super::program::{LoopHead, Written};
use super::value::{Active, Passive, Place, Value};
use crate::read::shape::Shape;

/// How often a body is lowered on trial: as often as what is active may be passed on from one variable to another, and
/// once more.
const MAX_TRIALS: usize = 30;

/// A loop.
struct Repeated<'r> {
    /// The pattern of a `for` loop, and its items.
    items: Option<(&'r Pattern, TokenStream)>,
    iteration: &'r Iteration,
    whole: &'r Expr,
}

/// How the variables from outside that a body changes go on to the next iteration, by their numbers.
type Carried = BTreeMap<usize, How>;

/// How a variable goes on to the next iteration.
#[derive(Clone, PartialEq, Eq)]
enum How {
    /// It is passive: a variable of the generated code.
    InPlace,
    /// These parts of it are carried by the block, each of which is a float or a truth value.
    Parts(BTreeMap<Vec<usize>, Kind>),
}

/// A body that has been lowered.
struct LoweredBody {
    arm: Arm,
    /// What the variables held before the iteration.
    before: HashMap<usize, Value>,
    /// The inputs for what is carried.
    inputs: Vec<ValueId>,
    /// The pattern of the items, as it is written.
    pattern: TokenStream,
}

impl Lowering<'_> {
    /// `for` over items that are not known here.
    pub(super) fn run_time_for(&mut self, repetition: &Rc<For>, items: &Passive, whole: &Expr) -> Flow {
        let items = Some((&repetition.pattern, items.tokens().clone()));
        self.repeated(&Repeated { items, iteration: &repetition.iteration, whole })
    }

    /// `while` and `loop`: kept as they are, where nothing in them is active.
    pub(super) fn while_loop(&mut self, repetition: &Rc<While>, whole: &Expr) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        if let Some(kept) = self.kept(whole) {
            return Ok(Value::Passive(kept.statement()));
        }
        if let Some(message) = self.refused_loop(whole) {
            return self.refuse(whole, message);
        }
        if !repetition.iteration.may_end {
            return self.refuse(whole, refuse::LOOP_WITHOUT_END);
        }
        self.repeated(&Repeated { items: None, iteration: &repetition.iteration, whole })
    }

    fn repeated(&mut self, repeated: &Repeated<'_>) -> Flow {
        if self.loops == MAX_LOOPS {
            return self.refuse(repeated.whole, refuse::loops_too_deep(MAX_LOOPS));
        }
        self.loops += 1;
        let value = self.carried(repeated).and_then(|carried| self.loop_of(repeated, &carried));
        self.loops -= 1;
        value
    }

    /// How the variables go on that the body changes.
    fn carried(&mut self, repeated: &Repeated<'_>) -> Flow<Carried> {
        let mut carried = Carried::new();
        for _ in 0..MAX_TRIALS {
            let (errors, mut found) = (std::mem::take(self.errors), None);
            self.on_trial(|lowering| {
                lowering.give_homes_to(&carried);
                let body = lowering.body_of_loop(repeated, &carried)?;
                found = lowering.changed_in(&body, &carried);
                Ok(Value::unit())
            });
            *self.errors = errors;
            match found {
                Some(found) if found != carried => carried = found,
                // Where it is refused, it is so again, with its errors.
                _ => return Ok(carried),
            }
        }
        self.refuse(repeated.whole, refuse::LOOP_STATE)
    }

    fn give_homes_to(&mut self, carried: &Carried) {
        let in_place = carried.iter().filter(|(_, how)| **how == How::InPlace);
        in_place.for_each(|(&number, _)| self.give_home(number));
    }

    /// Lowers the body, where this is carried. Its value says whether another iteration follows.
    fn body_of_loop(&mut self, repeated: &Repeated<'_>, carried: &Carried) -> Flow<LoweredBody> {
        let (mut before, mut inputs, mut pattern) = (HashMap::new(), Vec::new(), TokenStream::new());
        let arm = self.in_arm(|lowering| {
            for (place, kind) in places(carried) {
                let name = lowering.name_of(&place);
                let id = lowering.program.frame.list.input_of_kind(kind, &name);
                inputs.push(id);
                let value = lowering.active_of_kind(id, kind);
                if let Some(part) = descend(lowering.variable_at(place.variable), &place.steps) {
                    *part = value;
                }
            }
            for &number in carried.keys() {
                before.insert(number, lowering.bindings.get(number).value.clone());
            }
            lowering.in_block(|lowering| {
                if let Some((items, _)) = repeated.items {
                    pattern = lowering.matched_pattern(items);
                }
                let value = lowering.statements(&repeated.iteration.body.statements, Expected::Anything)?;
                if repeated.iteration.may_end {
                    return Ok(value);
                }
                lowering.end_statement(&value);
                Ok(Value::unit())
            })
        })?;
        let pattern_of_items: Vec<_> = repeated.items.iter().map(|(pattern, _)| *pattern).collect();
        let arm = self.without_variables(arm, &pattern_of_items);
        Ok(LoweredBody { arm, before, inputs, pattern })
    }

    /// What is carried if the body changes what it does; none where that is not supported.
    fn changed_in(&self, body: &LoweredBody, carried: &Carried) -> Option<Carried> {
        let mut found = carried.clone();
        let is_inside = |name: &str| body.arm.variables.contains(name) || body.arm.frame.variable(name).is_some();
        for (&number, after) in &body.arm.changed {
            let before = body.before.get(&number).unwrap_or(&self.bindings.get(number).value);
            let mut merger = Merger { level: self.program.level(), results: Vec::new(), is_inside: &is_inside };
            let merged = merger.merge(vec![Some(before.clone()), Some(after.value.clone())], "").ok()?;
            let mut changed = Parts { results: &merger.results, found: Vec::new() };
            changed.add(&merged, &mut Vec::new(), false)?;
            let changed = changed.found;
            let mut parts = match carried.get(&number) {
                Some(How::Parts(parts)) => parts.clone(),
                _ => BTreeMap::new(),
            };
            let is_passive = |part: &Part| merger.results[part.result].is_passive();
            if changed.is_empty() {
                continue;
            }
            if parts.is_empty() && changed.iter().all(is_passive) {
                // What is in place already is changed there, and nowhere else.
                if found.insert(number, How::InPlace) == Some(How::InPlace) || !self.bindings.is_mut(number) {
                    return None;
                }
                continue;
            }
            for Part { steps, result, is_float } in changed {
                let kind = if is_float { Kind::Float } else { kind_of(&merger.results[result])? };
                parts.insert(steps, kind);
            }
            found.insert(number, How::Parts(parts));
        }
        Some(found)
    }

    /// The loop, which carries this.
    fn loop_of(&mut self, repeated: &Repeated<'_>, carried: &Carried) -> Flow {
        self.give_homes_to(carried);
        let (mut first, mut names) = (Vec::new(), Vec::new());
        for (place, kind) in places(carried) {
            let value = self.read(&place);
            first.push(self.of_kind(&value, kind, repeated.whole)?);
            names.push(self.name_of(&place));
        }
        let body = self.body_of_loop(repeated, carried)?;
        if self.changed_in(&body, carried).as_ref() != Some(carried) {
            return self.refuse(repeated.whole, refuse::LOOP_STATE);
        }
        let LoweredBody { arm, before, inputs, pattern } = body;
        let Some(value) = arm.value else { return self.refuse(repeated.whole, refuse::LOOP_PANICS) };
        let (frame, declared) = self.in_frame(arm.frame, |lowering| {
            for (place, kind) in places(carried) {
                let after = arm.changed.get(&place.variable).map(|binding| &binding.value);
                let Some(mut value) = after.or(before.get(&place.variable)).cloned() else { continue };
                for &step in &place.steps {
                    value = lowering.element_of(&value, step);
                }
                let id = lowering.of_kind(&value, kind, repeated.whole)?;
                lowering.program.frame.list.output(id);
            }
            if repeated.iteration.may_end {
                let id = lowering.of_kind(&value, Kind::Bool, repeated.whole)?;
                lowering.program.frame.list.output(id);
            }
            Ok::<(), Box<Stop>>(())
        });
        declared?;

        let mut args = frame.arguments.clone();
        args.sort_unstable();
        args.dedup();
        let outer = &self.program.frame.list;
        let read = args.iter().map(|&arg| (outer.kind(arg), outer.name(arg).unwrap_or_default(), frame.input_for(arg)));
        let own = inputs.iter().map(|&id| (frame.list.kind(id), frame.list.name(id).unwrap_or_default(), Some(id)));
        let list = Arc::new(frame.list.with_inputs(read.chain(own)));
        let (head, iterations) = match &repeated.items {
            Some((_, items)) => {
                let iterations = self.program.passive_operand(Kind::Opaque, "items", items.clone());
                (LoopHead::For { pattern, items: items.clone() }, Some(iterations))
            }
            None => (LoopHead::Endless, None),
        };
        let origin = self.program.code.add(Written::Loop(head));
        args.extend(&first);
        let body = Body::Loop { iterations, body: list, carried: first.len() };
        let block = self.program.frame.block(Block { args, body, is_kept: true, origin }, frame.length());
        for (index, ((place, kind), name)) in places(carried).into_iter().zip(names).enumerate() {
            let id = self.program.frame.list.part(block, index);
            self.program.frame.list.set_name(id, &name);
            let value = self.active_of_kind(id, kind);
            if let Some(part) = descend(self.variable_at(place.variable), &place.steps) {
                *part = value;
            }
        }
        Ok(Value::unit())
    }

    /// A value of the present list.
    fn active_of_kind(&self, id: ValueId, kind: Kind) -> Value {
        let active = Active::of(self.program.level(), id);
        if kind == Kind::Bool { Value::Condition(active) } else { Value::Active(active) }
    }

    /// The float or the truth value of the list that a value is.
    fn of_kind(&mut self, value: &Value, kind: Kind, place: &Expr) -> Flow<ValueId> {
        match (kind, value.as_bool()) {
            (Kind::Bool, Some(known)) => Ok(self.program.constant(Constant::Bool(known))),
            (Kind::Bool, None) => self.condition(value, place),
            _ => self.float(value, place),
        }
    }

    /// What readers call a place.
    fn name_of(&self, place: &Place) -> String {
        let mut name = self.bindings.name(place.variable).to_string().trim_start_matches("r#").to_string();
        place.steps.iter().for_each(|step| name += &format!("_{step}"));
        name
    }
}

/// The places of what is carried by the block, in order.
fn places(carried: &Carried) -> Vec<(Place, Kind)> {
    let mut places = Vec::new();
    for (&variable, how) in carried {
        if let How::Parts(parts) = how {
            places.extend(parts.iter().map(|(steps, &kind)| (Place::new(variable, steps.clone()), kind)));
        }
    }
    places
}

/// The parts of a merged value that are results.
struct Parts<'r> {
    results: &'r [BlockResult],
    found: Vec<Part>,
}

/// A part of a merged value.
struct Part {
    /// The indices that lead to it.
    steps: Vec<usize>,
    /// The number of the result that it is.
    result: usize,
    /// Whether it is an element of an array of floats.
    is_float: bool,
}

impl Parts<'_> {
    /// Adds the parts of a value, which perhaps is in an array of floats; none where one is behind a reference.
    fn add(&mut self, merged: &Merged, steps: &mut Vec<usize>, is_float: bool) -> Option<()> {
        let (elements, is_float) = match merged {
            Merged::Same(_) => return Some(()),
            Merged::Result(result) => {
                self.found.push(Part { steps: steps.clone(), result: *result, is_float });
                return Some(());
            }
            Merged::Reference(_) => return None,
            Merged::Array(elements) | Merged::Vector(_, elements) => (elements, is_float || self.has_floats(merged)),
            Merged::Tuple(elements) => (elements, false),
        };
        for (index, element) in elements.iter().enumerate() {
            steps.push(index);
            self.add(element, steps, is_float)?;
            steps.pop();
        }
        Some(())
    }

    /// Whether an array has an active float for an element, or in arrays that are its elements.
    fn has_floats(&self, merged: &Merged) -> bool {
        match merged {
            Merged::Same(value) => matches!(value, Value::Active(_)),
            Merged::Result(result) => matches!(self.results[*result].kind, ResultKind::Float),
            Merged::Array(elements) | Merged::Vector(_, elements) => {
                elements.iter().any(|element| self.has_floats(element))
            }
            Merged::Tuple(_) | Merged::Reference(_) => false,
        }
    }
}

/// What kind of value a part is, of a variable in which others are active.
fn kind_of(result: &BlockResult) -> Option<Kind> {
    let is_float = |value: &Value| match value {
        Value::Passive(passive) => {
            matches!(passive.number, Some(Number::Float(_))) || matches!(passive.shape, Some(Shape::Float(_)))
        }
        _ => false,
    };
    match result.kind {
        ResultKind::Float => Some(Kind::Float),
        ResultKind::Condition => Some(Kind::Bool),
        ResultKind::Passive(_) => result.values.iter().flatten().any(is_float).then_some(Kind::Float),
    }
}
