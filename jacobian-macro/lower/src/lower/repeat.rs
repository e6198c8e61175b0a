//! Run-time loops: those whose number of iterations is not known when the function is expanded. The body
//! is lowered once, into a list of its own, and the loop becomes one block of the list around it.
//!
//! What the iterations change is found by lowering the body on trial, until nothing new is found: the variables
//! that become active, part by part, are carried by the block from iteration to iteration, and are inputs of the body.
//! Those that stay passive become variables of the generated code, which statements of the body change where they are,
//! as kept loops do, or which are assigned at the end of the iteration. So whatever else the body reads is the same in
//! all iterations, and what is known of it may be used.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use jacobian_list::block::{Block, Body, MAX_LOOPS};
use jacobian_list::code_list::{Constant, Kind, ValueId};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::refuse;
use super::super::syntax::{Expr, For, Iteration, Node, Pattern, While};
use super::Lowering;
use super::assign::descend;
use super::bindings::Binding;
use super::branch::Arm;
use super::control::{Flow, Stop};
use super::expected::Expected;
use super::items::Sequence;
use super::merge::{BlockResult, Merged, Merger, ResultKind};
use super::numbers::Number;
use super::program::{Line, LoopHead, Written};
use super::value::{Active, Passive, Place, Value};
use crate::read::shape::Shape;

/// The most iterations of a `while` loop that are written out.
const MOST_UNROLLED: usize = 1000;

/// A loop.
pub(super) struct Repeated<'r> {
    /// The items of a `for` loop.
    pub items: Option<&'r TokenStream>,
    /// The patterns of the user that items are bound to.
    pub patterns: &'r [&'r Pattern],
    pub whole: &'r Expr,
    /// An iteration of a `while` loop.
    pub iteration: Option<&'r Iteration>,
    /// Lowers it, each time that it is called.
    pub body: &'r mut dyn FnMut(&mut Lowering<'_>) -> Flow<OneIteration>,
}

/// An iteration of a loop.
pub(super) struct OneIteration {
    /// What an item is bound to, as it is written.
    pub pattern: TokenStream,
    /// The variables in it that are none of the user's.
    pub own: Vec<String>,
    /// What has to hold before it, as it is written.
    pub condition: Option<TokenStream>,
    /// Whether its value says if another one follows. Else one does, as far as it depends on the iteration.
    pub may_end: bool,
    pub value: Value,
}

/// What goes on to the next iteration of the variables from outside that a body changes: by the numbers of these, the
/// parts that change. A float or a truth value is carried by the block; what is opaque to it is passive, and lives in
/// a variable of the generated code.
type Carried = BTreeMap<usize, BTreeMap<Vec<usize>, Kind>>;

/// A body that has been lowered.
struct LoweredBody {
    arm: Arm,
    /// What the variables held before the iteration.
    before: HashMap<usize, Value>,
    /// The inputs for what is carried.
    inputs: Vec<ValueId>,
    /// The pattern of the items, as it is written.
    pattern: TokenStream,
    /// What has to hold before an iteration, as it is written.
    condition: Option<TokenStream>,
    /// Whether its value says if another iteration follows.
    may_end: bool,
}

impl Lowering<'_> {
    /// `for` over items that are not known here.
    pub(super) fn run_time_for(&mut self, repetition: &Rc<For>, items: &Passive, whole: &Expr) -> Flow {
        let For { pattern, iteration: Iteration { body, may_end }, .. } = &**repetition;
        let item = items.shape.as_ref().and_then(Shape::item);
        let mut body = |lowering: &mut Lowering<'_>| {
            let pattern = lowering.lowered_pattern(pattern, item.as_ref());
            let value = lowering.statements(&body.statements, Expected::Anything)?;
            Ok(OneIteration { pattern, own: Vec::new(), condition: None, may_end: *may_end, value })
        };
        let (items, patterns) = (Some(items.tokens()), &[pattern][..]);
        self.repeated(Repeated { items, patterns, whole, iteration: None, body: &mut body })
    }

    /// `for` over items for which something active is called.
    pub(super) fn for_items(&mut self, repetition: &Rc<For>, items: &Sequence, whole: &Expr) -> Flow {
        let For { pattern, iteration: Iteration { body, may_end }, .. } = &**repetition;
        self.rolled_items(whole, items, *may_end, &mut |lowering, item| {
            lowering.in_block(|lowering| {
                lowering.bind(pattern, item, None)?;
                let value = lowering.statements(&body.statements, Expected::Anything)?;
                if *may_end {
                    return Ok(value);
                }
                lowering.end_statement(&value);
                Ok(lowering.truth(true))
            })
        })?;
        Ok(Value::unit())
    }

    /// `while` and `loop`: kept as they are, where nothing in them is active.
    pub(super) fn while_loop(&mut self, repetition: &Rc<While>, whole: &Expr, expected: &Expected) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        self.begin_kept(whole);
        if let Some(kept) = self.kept(whole) {
            return Ok(Value::Passive(kept.statement()));
        }
        if let Some(message) = self.refused_loop(whole) {
            return self.refuse(whole, message);
        }
        if !repetition.iteration.may_end {
            return self.refuse(whole, refuse::LOOP_WITHOUT_END);
        }
        if self.is_known_false(repetition.condition.as_ref()) {
            return Ok(Value::unit());
        }
        let mut body = |lowering: &mut Lowering<'_>| {
            let condition = repetition.condition.as_ref().and_then(|condition| lowering.kept_condition(condition));
            let after = repetition.after.as_ref().filter(|_| condition.is_some());
            let Iteration { body, may_end } = after.unwrap_or(&repetition.iteration);
            let value = lowering.statements(&body.statements, Expected::Anything)?;
            Ok(OneIteration { pattern: TokenStream::new(), own: Vec::new(), condition, may_end: *may_end, value })
        };
        let iteration = Some(&repetition.iteration);
        let repeated = Repeated { items: None, patterns: &[], whole, iteration, body: &mut body };
        let Some((id, ident)) = &repetition.given else { return self.repeated(repeated) };
        let level = self.program.level();
        let value = self.unreached(expected);
        self.bindings.declare(self.activation.number(*id), Binding { value, ty: None, level });
        self.repeated(repeated)?;
        self.variable_value(self.activation.number(*id), ident)
    }

    /// Whether a condition surely does not hold here, and does nothing.
    fn is_known_false(&mut self, condition: Option<&Expr>) -> bool {
        let Some(condition) = condition else { return false };
        let errors = std::mem::take(self.errors);
        let arm = self.in_arm(|lowering| lowering.expression(condition));
        *self.errors = errors;
        arm.is_ok_and(|arm| arm.does_nothing() && arm.value.is_some_and(|value| value.as_bool() == Some(false)))
    }

    /// A run-time loop.
    pub(super) fn repeated(&mut self, mut repeated: Repeated<'_>) -> Flow {
        if self.loops == MAX_LOOPS {
            return self.refuse(repeated.whole, refuse::loops_too_deep(MAX_LOOPS));
        }
        self.loops += 1;
        let (carried, is_refused) = self.carried(&mut repeated);
        let value = match repeated.iteration.filter(|_| is_refused) {
            Some(iteration) => self.unrolled(iteration, |lowering| lowering.loop_of(&mut repeated, &carried)),
            None => self.loop_of(&mut repeated, &carried),
        };
        self.loops -= 1;
        value
    }

    /// The iterations of a loop one by one, where it cannot stay one: the bounds of slices depend on a variable that is
    /// doubled, say. If it is not known of each whether another one follows, `refuse` says why it is refused.
    fn unrolled(&mut self, iteration: &Iteration, refuse: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let errors = std::mem::take(self.errors);
        let refused = self.in_arm(refuse);
        let of_loop = std::mem::take(self.errors);
        let value = self.all_iterations(iteration);
        let of_iterations = std::mem::replace(self.errors, errors);
        match (&value, refused) {
            (Err(stop), Err(_)) if matches!(**stop, Stop::Refused) => self.errors.append(of_loop),
            _ => self.errors.append(of_iterations),
        }
        value
    }

    /// The iterations of a loop, if it is known of each whether another one follows.
    fn all_iterations(&mut self, iteration: &Iteration) -> Flow {
        for _ in 0..MOST_UNROLLED {
            let statements = &iteration.body.statements;
            match self.in_block(|lowering| lowering.statements(statements, Expected::Anything))?.as_bool() {
                Some(true) => {}
                Some(false) => return Ok(Value::unit()),
                None => break,
            }
        }
        Err(Box::new(Stop::Refused))
    }

    /// How the variables go on that the body changes, and whether it is refused nevertheless.
    fn carried(&mut self, repeated: &mut Repeated<'_>) -> (Carried, bool) {
        let mut carried = Carried::new();
        // Each trial finds a part that was not known to be active, or to change, so that there is a last one.
        loop {
            let (mut found, mut begun) = (None, Vec::new());
            let mut changed = Vec::new();
            self.on_trial(|lowering| {
                lowering.give_homes_to(&carried, repeated.whole)?;
                let body = lowering.body_of_loop(repeated, &carried)?;
                begun = lowering.begun_in(&body);
                changed.extend(body.arm.changed.iter().map(|(&number, after)| (number, after.value.clone())));
                found = lowering.changed_in(&body, &carried);
                Ok(Value::unit())
            });
            begun.extend(self.completed_by(changed));
            let is_begun = !begun.is_empty();
            for (number, first) in begun {
                *self.variable_at(number) = first;
                carried.remove(&number);
            }
            match found {
                _ if is_begun => {}
                Some(found) if found != carried => carried = found,
                None if self.carry_integers(repeated.whole, &mut carried) => {}
                // Where it is refused, it is so again, with its errors.
                found => return (carried, found.is_none()),
            }
        }
    }

    /// Carries the integers that a loop assigns, and says whether there are more than before. What an iteration computes
    /// with their first values need not be possible where another one has changed them: `0 - 1` is not.
    fn carry_integers(&self, whole: &Expr, carried: &mut Carried) -> bool {
        let mut assigned = Vec::new();
        whole.walk(&mut |node| {
            if let Node::Expr(inner) = node {
                assigned.extend(self.changed_by(inner).into_iter().map(|id| self.activation.number(id)));
            }
        });
        let is_integer = |number: usize| {
            let value = self.bindings.find(number).map(|binding| &binding.value);
            value.is_some_and(|value| value.as_int().is_some()) && self.bindings.is_mut(number)
        };
        let before = carried.len();
        for number in assigned.into_iter().filter(|number| is_integer(*number)) {
            carried.entry(number).or_insert_with(|| BTreeMap::from([(Vec::new(), Kind::Opaque)]));
        }
        carried.len() > before
    }

    /// Makes variables of the generated code of what is passive.
    fn give_homes_to(&mut self, carried: &Carried, whole: &Expr) -> Flow<()> {
        for place in in_place(carried) {
            if place.steps.is_empty() {
                self.give_home(place.variable);
                continue;
            }
            let Some(first) = self.read(&place).to_passive() else {
                return self.refuse(whole, refuse::LOOP_STATE);
            };
            let name = format_ident!("{}", self.name_of(&place));
            let home = self.home(&name, &first, None, first.shape.clone());
            if let Some(part) = descend(self.variable_at(place.variable), &place.steps) {
                *part = Value::Passive(home);
            }
        }
        Ok(())
    }

    /// Lowers the body, where this is carried. Its value says whether another iteration follows.
    fn body_of_loop(&mut self, repeated: &mut Repeated<'_>, carried: &Carried) -> Flow<LoweredBody> {
        let (mut before, mut inputs) = (HashMap::new(), Vec::new());
        let (mut pattern, mut own) = (TokenStream::new(), Vec::new());
        let (mut condition, mut may_end) = (None, false);
        let around = self.program.body.replace(self.program.level() + 1);
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
                let body = (repeated.body)(lowering)?;
                (pattern, own) = (body.pattern, body.own);
                (condition, may_end) = (body.condition, body.may_end);
                if may_end {
                    return Ok(body.value);
                }
                lowering.end_statement(&body.value);
                Ok(Value::unit())
            })
        });
        self.program.body = around;
        let mut arm = self.without_variables(arm?, repeated.patterns);
        for (number, after) in &mut arm.changed {
            let first = before.get(number).unwrap_or(&self.bindings.get(*number).value).clone();
            let mut values = [Some(first), Some(after.value.clone())];
            self.complete(&mut values);
            if let [_, Some(completed)] = values {
                after.value = completed;
            }
        }
        arm.variables.extend(own);
        Ok(LoweredBody { arm, before, inputs, pattern, condition, may_end })
    }

    /// The variables in which something is missing that the body gives, in the parts that it has then.
    fn completed_by(&mut self, changed: Vec<(usize, Value)>) -> Vec<(usize, Value)> {
        let mut completed = Vec::new();
        for (number, after) in changed {
            let before = self.bindings.find(number).map(|binding| binding.value.clone());
            let mut values = [before, Some(after)];
            if self.complete(&mut values)
                && let [Some(first), _] = values
            {
                completed.push((number, first));
            }
        }
        completed
    }

    /// The variables that the body assigns first, with what they hold before that.
    fn begun_in(&mut self, body: &LoweredBody) -> Vec<(usize, Value)> {
        let mut begun = Vec::new();
        for (&number, Binding { value, ty, .. }) in &body.arm.changed {
            if !matches!(self.bindings.get(number).value, Value::Unset) || matches!(value, Value::Unset) {
                continue;
            }
            let first = self.first_value(value, ty.as_ref());
            begun.extend(first.filter(|_| !self.outputs.contains(&number)).map(|first| (number, first)));
        }
        begun
    }

    /// What is carried if the body changes what it does; none where that is not supported.
    fn changed_in(&mut self, body: &LoweredBody, carried: &Carried) -> Option<Carried> {
        let (mut found, mut vectors) = (carried.clone(), Vec::new());
        let is_inside = |name: &str| body.arm.variables.contains(name) || body.arm.frame.variable(name).is_some();
        for (&number, after) in &body.arm.changed {
            let before = body.before.get(&number).unwrap_or(&self.bindings.get(number).value);
            let passive = before.to_passive().zip(after.value.to_passive());
            if let Some((before, after)) = &passive
                && before.tokens().to_string() == after.tokens().to_string()
            {
                continue;
            }
            if passive.is_some() && !self.bindings.is_mut(number) {
                return None;
            }
            // The parts of a tuple, or of what may be missing, may become active one after the other.
            let are_parts = matches!(
                (before, &after.value),
                (Value::Tuple(_), Value::Tuple(_)) | (Value::Optional(_), Value::Optional(_))
            );
            if passive.is_some() && !are_parts {
                found.insert(number, BTreeMap::from([(Vec::new(), Kind::Opaque)]));
                continue;
            }
            let level = self.program.level();
            let mut merger = Merger { level, results: Vec::new(), vectors: Vec::new(), is_inside: &is_inside };
            let merged = merger.merge(vec![Some(before.clone()), Some(after.value.clone())], "").ok()?;
            vectors.append(&mut merger.vectors);
            let mut changed = Parts { results: &merger.results, found: Vec::new() };
            changed.add(&merged, &mut Vec::new(), false)?;
            let changed = changed.found;
            if changed.is_empty() {
                continue;
            }
            let parts = found.entry(number).or_default();
            // What was carried whole while it was passive has parts once one of them is active.
            for Part { steps, .. } in &changed {
                for length in 0..steps.len() {
                    parts.remove(&steps[..length]);
                }
            }
            for Part { steps, result, is_float } in changed {
                let kind = match passive {
                    Some(_) => Kind::Opaque,
                    None if is_float => Kind::Float,
                    None => kind_of(&merger.results[result]),
                };
                parts.insert(steps, kind);
            }
        }
        self.require_vectors(&vectors.iter().collect::<Vec<_>>());
        Some(found)
    }

    /// The loop, which carries this.
    fn loop_of(&mut self, repeated: &mut Repeated<'_>, carried: &Carried) -> Flow {
        self.give_homes_to(carried, repeated.whole)?;
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
        for (&number, after) in &body.arm.changed {
            if matches!(self.bindings.get(number).value, Value::Unset) && !matches!(after.value, Value::Unset) {
                *self.variable_at(number) = Value::Lost;
            }
        }
        let LoweredBody { arm, before, inputs, pattern, condition, may_end } = body;
        let Some(value) = arm.value else { return self.refuse(repeated.whole, refuse::LOOP_PANICS) };
        let (frame, declared) = self.in_frame(arm.frame, |lowering| {
            let after = |lowering: &mut Self, place: &Place| {
                let changed = arm.changed.get(&place.variable).map(|binding| &binding.value);
                let whole = changed.unwrap_or(&before[&place.variable]).clone();
                place.steps.iter().fold(whole, |value, &step| lowering.element_of(&value, step))
            };
            for (place, kind) in places(carried) {
                let value = after(lowering, &place);
                let id = lowering.of_kind(&value, kind, repeated.whole)?;
                lowering.program.frame.list.output(id);
            }
            if may_end {
                let id = lowering.of_kind(&value, Kind::Bool, repeated.whole)?;
                lowering.program.frame.list.output(id);
            }
            // Last of all: what is given above may read what these were.
            let mut assigned = Vec::new();
            for place in in_place(carried) {
                let home = place
                    .steps
                    .iter()
                    .fold(before[&place.variable].clone(), |value, &step| lowering.element_of(&value, step));
                let value = after(lowering, &place);
                let (Some(home), Some(value)) = (home.to_passive(), value.to_passive()) else {
                    return lowering.refuse(repeated.whole, refuse::LOOP_STATE);
                };
                if home.tokens().to_string() != value.tokens().to_string() {
                    assigned.push((home.tokens().clone(), value.tokens().clone()));
                }
            }
            lowering.assign_at_end(&assigned);
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
        let (head, decides) = match (repeated.items, condition) {
            (Some(items), _) => (LoopHead::For { pattern, items: items.clone() }, Some(("items", items.clone()))),
            (None, Some(condition)) => (LoopHead::While(condition.clone()), Some(("condition", condition))),
            (None, None) => (LoopHead::Endless, None),
        };
        let iterations = decides.map(|(name, tokens)| self.program.passive_operand(Kind::Opaque, name, tokens));
        let origin = self.program.code.add(Written::Loop(head));
        args.extend(&first);
        let body = Body::Loop { iterations, body: list, carried: first.len() };
        let block = self.program.frame.block(Block { args, body, is_kept: true, origin }, frame.counts());
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

    /// Assigns variables of the generated code, all at once: a value may be what another one was.
    fn assign_at_end(&mut self, assigned: &[(TokenStream, TokenStream)]) {
        let (homes, values): (Vec<_>, Vec<_>) = assigned.iter().cloned().unzip();
        let line = match assigned {
            [] => return,
            [(home, value)] => quote!(#home = #value;),
            _ => quote!((#(#homes),*) = (#(#values),*);),
        };
        self.program.line(Line::effect(line).changing());
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
    all_places(carried).filter(|(_, kind)| *kind != Kind::Opaque).collect()
}

/// The places of what is passive, in order.
fn in_place(carried: &Carried) -> Vec<Place> {
    all_places(carried).filter(|(_, kind)| *kind == Kind::Opaque).map(|(place, _)| place).collect()
}

fn all_places(carried: &Carried) -> impl Iterator<Item = (Place, Kind)> + '_ {
    carried.iter().flat_map(|(&variable, parts)| {
        parts.iter().map(move |(steps, &kind)| (Place::new(variable, steps.clone()), kind))
    })
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
            Merged::Optional(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    steps.push(index);
                    self.add(part, steps, false)?;
                    steps.pop();
                }
                return Some(());
            }
            Merged::Array(elements) | Merged::Vector(_, elements) => (elements, is_float || self.has_floats(merged)),
            Merged::Tuple(elements, _) => (elements, false),
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
            Merged::Tuple(..) | Merged::Reference(_) | Merged::Optional(_) => false,
        }
    }
}

/// What kind of value a part is, of a variable in which others are active.
fn kind_of(result: &BlockResult) -> Kind {
    let is_float = |value: &Value| match value {
        Value::Passive(passive) => {
            matches!(passive.number, Some(Number::Float(_))) || matches!(passive.shape, Some(Shape::Float(_)))
        }
        _ => false,
    };
    match result.kind {
        ResultKind::Float => Kind::Float,
        ResultKind::Condition => Kind::Bool,
        ResultKind::Passive(_) if result.values.iter().flatten().any(is_float) => Kind::Float,
        ResultKind::Passive(_) => Kind::Opaque,
    }
}
