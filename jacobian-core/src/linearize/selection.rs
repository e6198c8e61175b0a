//! The derivative of a branch that computes nothing, such as an element at a run-time index: each arm gives the
//! derivatives of the arguments that it chooses, which takes no graph of the arm.

use std::collections::HashMap;
use std::sync::Arc;

use jacobian_list::block::{Block, Body, Choice};
use jacobian_list::code_list::{CodeList, Constant, Kind, ValueId};

use super::inner::{BlockPartial, DerivedBlock};
use super::iteration::{Before, Entry};
use super::seed::Companion;
use crate::algebra::Term;

/// The derivative by the columns of `before`; none of a branch that computes something.
pub(super) fn derive_selection(block: &Block, before: &Before) -> Option<DerivedBlock> {
    let choices = block.choices()?;
    let mut first = HashMap::with_capacity(block.args.len());
    for (place, &arg) in block.args.iter().enumerate() {
        first.entry(arg).or_insert(place);
    }
    let entry = |choice: &Choice, column: usize| match choice {
        Choice::Value(arg) => before.rows[first[arg]][column],
        Choice::Constant(_) => Entry::number(Companion::Zero),
    };
    let (mut parts, mut partials, mut masks) = (Parts::of(&choices), vec![Vec::new(); choices.len()], Vec::new());
    for (choices, row) in choices.iter().zip(&mut partials) {
        for column in 0..before.columns {
            let entries: Vec<_> = choices.iter().map(|choice| entry(choice, column)).collect();
            match parts.partial(entries.iter().map(|entry| entry.value).collect()) {
                BlockPartial::Constant(0.0) => continue,
                partial => row.push((column, partial)),
            }
            if let Some((_, BlockPartial::Part(part))) = row.last() {
                masks.push((*part, entries.iter().map(|entry| entry.mask).collect()));
            }
        }
    }
    let mut masked = Vec::with_capacity(masks.len());
    for (part, mask) in masks {
        if let BlockPartial::Part(mask) = parts.partial(mask) {
            masked.push((part, mask));
        }
    }
    Some(DerivedBlock { block: parts.block(block, before), partials, masks: masked })
}

/// The parts of the derivative: those of the branch, then what is not the same number in all arms.
struct Parts {
    /// By part, by arm.
    outputs: Vec<Vec<Choice>>,
    /// The part that gives these values.
    places: HashMap<Vec<ValueId>, usize>,
}

impl Parts {
    /// Those of the branch itself.
    fn of(choices: &[Vec<Choice>]) -> Parts {
        let mut parts = Parts { outputs: choices.to_vec(), places: HashMap::new() };
        for (part, choices) in choices.iter().enumerate() {
            if let Some(values) = choices.iter().map(chosen).collect() {
                parts.places.entry(values).or_insert(part);
            }
        }
        parts
    }

    /// What gives these values, by arm.
    fn partial(&mut self, values: Vec<ValueId>) -> BlockPartial {
        if let Choice::Constant(number) = choice(&values[0])
            && values.iter().all(|value| *value == values[0])
        {
            return BlockPartial::Constant(number.as_float());
        }
        let (next, outputs) = (self.outputs.len(), values.iter().map(choice).collect());
        let place = *self.places.entry(values).or_insert(next);
        if place == next {
            self.outputs.push(outputs);
        }
        BlockPartial::Part(place)
    }

    /// The branch that gives them.
    fn block(self, block: &Block, before: &Before) -> Block {
        let mut args = before.seeds();
        let seeds = args.len();
        args.extend(&block.args);
        let mut arms = Vec::with_capacity(block.lists().len());
        for (number, arm) in block.lists().iter().enumerate() {
            let mut list = CodeList::new(arm.precision());
            let mut inputs = HashMap::with_capacity(args.len());
            for (place, &arg) in args.iter().enumerate() {
                let own = place.checked_sub(seeds).map(|own| arm.inputs()[own]);
                let (kind, name) = own.map_or((Kind::Float, None), |own| (arm.kind(own), arm.name(own)));
                let input = list.input_of_kind(kind, name.unwrap_or_default());
                inputs.entry(arg).or_insert(input);
            }
            for choices in &self.outputs {
                let output = match choices[number] {
                    Choice::Value(value) => inputs[&value],
                    Choice::Constant(constant) => list.constant(constant),
                };
                list.output(output);
            }
            arms.push(Arc::new(list));
        }
        let selector = block.decider().expect("a branch has a selector");
        Block { args, body: Body::Branch { selector, arms, results: self.outputs.len() }, ..block.clone() }
    }
}

/// The numbers that a derivative may be which is no variable.
const NUMBERS: [(Term, Constant); 2] = [(Term::ZERO, Constant::Float(0.0)), (Term::ONE, Constant::Float(1.0))];

/// A derivative, as what an arm gives.
fn choice(derivative: &ValueId) -> Choice {
    let number = NUMBERS.into_iter().find(|(term, _)| term.id() == *derivative);
    number.map_or(Choice::Value(*derivative), |(_, number)| Choice::Constant(number))
}

/// What an arm gives, as a derivative, if it may be one.
fn chosen(choice: &Choice) -> Option<ValueId> {
    match choice {
        Choice::Value(value) => Some(*value),
        Choice::Constant(number) => {
            NUMBERS.into_iter().find(|(_, other)| other.key() == number.key()).map(|(term, _)| term.id())
        }
    }
}
