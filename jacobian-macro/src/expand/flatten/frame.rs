//! A code list in the making, together with the passive statements that run in between: the function's, or that of an arm
//! of a branch.

use std::collections::{BTreeMap, HashMap};

use jacobian_core::CodeList;
use jacobian_core::code_list::{Constant, Kind, Precision, ValueId};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

use super::bindings::Binding;
use super::code::{BlockCode, Code, PassiveValue};
use super::prologue::Line;
use super::value::has_call;

/// A code list in the making.
pub struct Frame {
    /// The statements on active values.
    pub list: CodeList,
    /// What is to be written besides these.
    pub code: Code,
    /// The passive values that are in the list already, by their tokens. All variables of the prologue are assigned
    /// once, so that equal tokens have equal values, unless they call something.
    captured: HashMap<(Kind, String), ValueId>,
    constants: HashMap<(Kind, u64), ValueId>,
    /// The number of statements of the lists of arms.
    in_arms: usize,
    /// The results of blocks that are in the list.
    parts: HashMap<(ValueId, usize), ValueId>,
    /// The input that stands for a value of the frame around this one.
    imported: HashMap<ValueId, ValueId>,
    /// The values of the frame around this one that the inputs stand for.
    pub arguments: Vec<ValueId>,
    /// The number of frames around it.
    level: usize,
    /// The variables from outside that have been assigned here, with what they were before, by their number.
    pub saved: BTreeMap<usize, Binding>,
}

impl Frame {
    /// An empty frame, with this number of frames around it.
    pub fn new(precision: Precision, level: usize) -> Self {
        Frame {
            list: CodeList::new(precision),
            code: Code::default(),
            captured: HashMap::new(),
            constants: HashMap::new(),
            in_arms: 0,
            parts: HashMap::new(),
            imported: HashMap::new(),
            arguments: Vec::new(),
            level,
            saved: BTreeMap::new(),
        }
    }

    /// A constant of the list.
    pub fn constant(&mut self, constant: Constant) -> ValueId {
        let list = &mut self.list;
        *self.constants.entry(constant.key()).or_insert_with(|| list.constant(constant))
    }

    /// The result of a block with this number.
    pub fn part(&mut self, block: ValueId, index: usize) -> ValueId {
        let list = &mut self.list;
        *self.parts.entry((block, index)).or_insert_with(|| list.part(block, index))
    }

    /// The input that stands for a value of the frame around this one, of this kind and name.
    pub fn import(&mut self, value: ValueId, kind: Kind, name: &str) -> ValueId {
        let (list, arguments) = (&mut self.list, &mut self.arguments);
        *self.imported.entry(value).or_insert_with(|| {
            arguments.push(value);
            list.input_of_kind(kind, name)
        })
    }

    /// The input for a value of the frame around this one; none where it is not used here.
    pub fn input_for(&self, value: ValueId) -> Option<ValueId> {
        self.imported.get(&value).copied()
    }

    /// Adds a passive statement. After a call, what could be read before may have changed.
    pub fn line(&mut self, line: Line) {
        if line.has_call() {
            self.captured.clear();
        }
        self.code.line(line);
    }

    /// The number of statements so far, those in arms included.
    pub fn length(&self) -> usize {
        self.statements() + self.code.required()
    }

    /// The number of statements of the list, and of those of its arms.
    pub fn statements(&self) -> usize {
        self.list.statements().len() + self.in_arms
    }

    /// Adds the code of a block, the lists of whose arms have so many statements together, at this place; returns its number.
    pub fn block(&mut self, block: BlockCode, statements: usize) -> usize {
        self.captured.clear();
        self.in_arms += statements;
        self.code.block(block)
    }

    /// The value of the list that these passive tokens are, if they are captured already.
    pub fn captured(&self, kind: Kind, tokens: &str) -> Option<ValueId> {
        self.captured.get(&(kind, tokens.to_string())).copied()
    }

    /// Evaluates a passive number, which the user wrote as `source`, as the variable `name` of type `ty`.
    pub fn capture(&mut self, kind: Kind, source: String, name: Ident, ty: TokenStream, value: TokenStream) -> ValueId {
        let is_repeatable = !has_call(value.clone());
        let id = self.passive(kind, &name.to_string(), name.to_token_stream());
        self.line(Line::capture(&name, ty, value));
        if is_repeatable {
            self.captured.insert((kind, source), id);
        }
        id
    }

    /// A passive value of the list that is written `operand`.
    pub fn passive(&mut self, kind: Kind, name: &str, operand: TokenStream) -> ValueId {
        self.code.passive.push(PassiveValue::Operand(operand));
        self.list.passive(kind, name)
    }

    /// Keeps what the variable with this number was before, if it is one from outside.
    pub fn save(&mut self, variable: usize, binding: &Binding) {
        if binding.level < self.level {
            self.saved.entry(variable).or_insert_with(|| binding.clone());
        }
    }
}
