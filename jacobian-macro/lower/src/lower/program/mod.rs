//! The program in the making: the code list, and how what is passive in it is written.

mod code;
mod frame;

use std::collections::{BTreeMap, HashSet};

use jacobian_list::catalogue::Intrinsic;
use jacobian_list::code_list::{Constant, Kind, NotationId, Precision, ValueId};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use super::super::names::{Names, each_variable, emitted};
use super::super::read::scalar::Scalar;
use super::Lowered;
use super::call::Notation;
use super::value::{Active, Passive, Value, dereferenced, has_call, has_index, located};

pub use self::code::{Argument, ArmCode, Branch, Call, Code, Head, Line, LoopHead, Returned, Source, Sparse, Written};
pub use self::frame::{Counts, Frame, Reserved};

/// The program in the making.
pub struct Program {
    /// The type of all floats.
    scalar: Scalar,
    /// The code list to which statements are added at present.
    pub frame: Frame,
    /// Those around it, the function's own first.
    outer: Vec<Frame>,
    /// How what is passive is written.
    pub code: Code,
    /// The names in use.
    pub names: Names,
    /// The expression of each input of the list.
    pub inputs: Vec<TokenStream>,
    /// How calls are written, by [`NotationId`].
    pub notations: Vec<Notation>,
    /// The variables of passive statements that are known to be numbers.
    pub plain: HashSet<String>,
    /// The variables of passive statements that may do something when they are dropped.
    holding: HashSet<String>,
    /// The variables that hold what parameters refer to before they are changed, and these parameters.
    before: Vec<(Ident, Ident)>,
    /// The lints that the functions allow which are inlined.
    pub lints: Vec<TokenStream>,
    /// The names that patterns of the user bind in the generated code, by the numbers of their variables.
    pub bound: BTreeMap<usize, String>,
    /// What the generated code requires already.
    required: HashSet<String>,
    /// Whether there may be passive variables of which rustc learns the type from what comes after them.
    pub has_late_types: bool,
    /// The level of the innermost list that is the body of a loop.
    pub body: Option<usize>,
    /// The most statements that would have been made of something by unrolling it which has stayed a loop.
    pub unrolled: usize,
}

impl Program {
    /// An empty program.
    pub fn new(scalar: &Scalar, names: Names) -> Self {
        Program {
            scalar: scalar.clone(),
            frame: Frame::new(scalar.precision(), 0),
            outer: Vec::new(),
            code: Code::default(),
            names,
            inputs: Vec::new(),
            notations: vec![Notation::Method],
            before: Vec::new(),
            plain: HashSet::new(),
            holding: HashSet::new(),
            lints: Vec::new(),
            bound: BTreeMap::new(),
            required: HashSet::new(),
            has_late_types: false,
            body: None,
            unrolled: 0,
        }
    }

    /// The program when it is made.
    pub fn finish(self) -> Lowered {
        let Program { frame, code, inputs, notations, names, before, lints, bound, unrolled, .. } = self;
        let (list, places) = (frame.list, frame.places);
        Lowered { list, places, code, inputs, notations, names, before, lints, bound, unrolled }
    }

    /// The number of lists around the present one.
    pub fn level(&self) -> usize {
        self.outer.len()
    }

    /// Goes on with another list, in the present one.
    pub fn enter(&mut self, frame: Frame) {
        self.outer.push(std::mem::replace(&mut self.frame, frame));
    }

    /// Comes back to the list around the present one.
    pub fn leave(&mut self) -> Frame {
        let outer = self.outer.pop().expect("a list was put there when this one was entered");
        std::mem::replace(&mut self.frame, outer)
    }

    /// A list in the present one.
    pub fn inner(&self) -> Frame {
        Frame::new(self.scalar.precision(), self.level() + 1)
    }

    /// Says after the declaration of a known number that it is one of the function's floats. Where the list has it as a
    /// constant, no use of its variable may be left that says so, and its literal would be an `f64`.
    pub fn note_float(&mut self, passive: &Passive) {
        if let (Scalar::Primitive(Precision::F32), Some(TokenTree::Ident(variable))) =
            (&self.scalar, passive.tokens().clone().into_iter().next())
            && let Some(declared) = self.variable_named(&variable.to_string())
        {
            let list = &self.frame_at(declared.level).list;
            let origin = list.args(declared.id).next().map(|block| list.block_of(block).origin);
            let (ty, float) = (self.scalar.ty(), dereferenced(passive));
            if let Some(Written::Line(line)) = origin.map(|origin| self.code.at_mut(origin)) {
                line.note(quote!(let _: #ty = #float;));
            }
        }
    }

    pub fn constant(&mut self, constant: Constant) -> ValueId {
        self.frame.constant(constant)
    }

    /// Adds a statement to the function's body, once, that compiles only where what is taken for granted holds.
    pub fn require(&mut self, key: String, statement: TokenStream) {
        if self.required.insert(key) {
            self.line_at(0, Line::effect(statement), Kind::Opaque, Vec::new());
        }
    }

    /// Adds the declaration of a variable for a passive value, before the loop whose body the present list is where the
    /// value is a float that is the same in all iterations. What may be an integer would panic there where the loop does
    /// not run, and what may be no number may be moved in each iteration.
    pub fn declare(&mut self, line: Line, value: &Passive, is_float: bool) {
        match is_float && self.is_same_in_all_iterations(value) {
            true => self.before_loop(|program| program.line(line)),
            false => self.line(line),
        }
    }

    /// Runs in the list around the body of a loop that the present one is.
    fn before_loop<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let body = self.leave();
        let result = run(self);
        self.enter(body);
        result
    }

    /// Adds a passive statement.
    pub fn line(&mut self, line: Line) {
        let args = self.read_by([line.tokens()]);
        self.line_at(self.level(), line, Kind::Opaque, args);
    }

    /// Adds a passive statement that reads `args` and declares variables of this kind to the list with this many around
    /// it.
    pub fn line_at(&mut self, level: usize, line: Line, kind: Kind, args: Vec<ValueId>) {
        let gives = vec![kind; line.names().len()];
        let holds = self.holds(&line);
        if level == self.level() && holds && self.frame.lacks_beginning() {
            self.frame.begin(self.code.add(Written::Open));
        }
        let origin = self.code.next();
        self.frame_at(level).line(&line, holds, args, gives, origin);
        self.code.add(Written::Line(line));
    }

    /// Whether a passive value is in a variable that may do something when it is dropped.
    pub fn is_held(&self, passive: &Passive) -> bool {
        passive.moved().is_some_and(|variable| self.holding.contains(&variable) && !self.plain.contains(&variable))
    }

    /// Whether a block of the user holds what may do something when it is dropped, in the frame with this many around it
    /// or in one within.
    pub fn holds_since(&self, level: usize) -> bool {
        self.outer.iter().chain([&self.frame]).skip(level).any(|frame| frame.holds(&self.plain))
    }

    /// Whether a statement declares what may do something when it is dropped.
    fn holds(&mut self, line: &Line) -> bool {
        // What a pattern has bound before may have been a number that was called so.
        for name in line.names() {
            self.plain.remove(&name.to_string());
        }
        let holds = line.may_hold(&self.holding);
        if holds {
            self.holding.extend(line.names().iter().map(ToString::to_string));
        }
        holds
    }

    /// A passive expression as a value of the list; it is written where that is used.
    pub fn passive_operand(&mut self, kind: Kind, name: &str, tokens: TokenStream) -> ValueId {
        let (args, is_kept) = (self.read_by([&tokens]), has_call(tokens.clone()) || has_index(tokens.clone()));
        self.frame.note_indices(&tokens);
        let origin = self.code.add(Written::Operand(tokens));
        self.frame.operand(kind, name, args, is_kept, origin)
    }

    /// The values of the present list that passive pieces of code read: those of the variables that they mention.
    pub fn read_by<'t>(&mut self, pieces: impl IntoIterator<Item = &'t TokenStream>) -> Vec<ValueId> {
        let mut read = Vec::new();
        for tokens in pieces {
            each_variable(tokens.clone(), &mut |ident| {
                let variable = self.variable_named(&ident.to_string());
                read.extend(variable.map(|variable| self.in_list(variable)));
            });
        }
        read.sort_unstable();
        read.dedup();
        read
    }

    /// The value of the variable of the generated code with this name that is declared here or around.
    pub fn variable_named(&self, name: &str) -> Option<Active> {
        let found = |level: usize, frame: &Frame| Some(Active::of(level, frame.variable(name)?));
        let around = || self.outer.iter().enumerate().rev().find_map(|(level, frame)| found(level, frame));
        found(self.level(), &self.frame).or_else(around)
    }

    /// Evaluates a passive number or condition once, and enters it into the list.
    pub fn capture(&mut self, kind: Kind, passive: &Passive) -> ValueId {
        let source = passive.tokens().to_string();
        if passive.is_variable() {
            self.plain.insert(source.clone());
        }
        if let Some(id) = self.frame.captured(kind, &source).filter(|_| !passive.has_call()) {
            return id;
        }
        if kind == Kind::Float && self.is_same_in_all_iterations(passive) {
            let outside = self.before_loop(|program| Active::of(program.level(), program.capture(kind, passive)));
            return self.in_list(outside);
        }
        if kind == Kind::Bool && passive.is_fixed() {
            return self.passive_operand(kind, &source, passive.tokens().clone());
        }
        let name = self.names.fresh(&source.chars().take(24).collect::<String>().to_lowercase());
        let ty = match kind {
            Kind::Float => self.scalar.ty(),
            Kind::Int => quote_spanned!(Span::mixed_site()=> ::core::primitive::i32),
            Kind::Bool => quote_spanned!(Span::mixed_site()=> ::core::primitive::bool),
            Kind::Opaque => unreachable!("only numbers are captured"),
        };
        let value = match self.has_late_types && passive.may_refer {
            // Of what type the operand is need not be known here, as it must be where a method is called.
            true => {
                let operand = passive.operand();
                quote!(*::core::borrow::Borrow::<#ty>::borrow(&#operand))
            }
            false => dereferenced(passive),
        };
        let args = self.read_by([&value]);
        // A copy of what is behind a reference does nothing.
        let ty = match value.clone().into_iter().next() {
            Some(first) => located(ty, first.span()),
            None => ty,
        };
        let line = Line::number(&name, &ty, &value).reading(!passive.has_call());
        self.line_at(self.level(), line, kind, args);
        let id = self.frame.variable(&name.to_string()).expect("it was declared above");
        if !has_call(value) {
            self.frame.capture(kind, source, id);
        }
        id
    }

    /// Whether the present list is the body of a loop, and a passive float is the same in all its iterations: it is
    /// evaluated before the loop then, which knows by this that it is a constant of it.
    fn is_same_in_all_iterations(&self, passive: &Passive) -> bool {
        self.level() > 0 && self.body == Some(self.level()) && self.is_from_outside(passive)
    }

    /// Whether a passive float is computed from literals, constants, and variables of outside of the present list that
    /// nothing changes. What the pattern of a loop or an arm binds may be called as such a variable is.
    fn is_from_outside(&self, passive: &Passive) -> bool {
        if passive.may_change || passive.may_refer && !passive.is_settled() || passive.is_statement {
            return false;
        }
        if !passive.leaves().is_empty() {
            return passive.leaves().iter().all(|leaf| leaf.is_literal() || self.is_from_outside(leaf));
        }
        match self.variable_named(&passive.tokens().to_string()) {
            Some(declared) => declared.level < self.level(),
            None => passive.is_settled(),
        }
    }

    /// A variable of the generated code that holds the number which a value of the present list is.
    pub fn copy_of(&mut self, kind: Kind, id: ValueId) -> Ident {
        if let Some(copy) = self.frame.copy(id) {
            return copy;
        }
        let wish = self.frame.list.name(id).unwrap_or("value").to_string();
        let copy = self.names.like(&wish);
        let ty = match kind {
            Kind::Bool => quote_spanned!(Span::mixed_site()=> ::core::primitive::bool),
            _ => self.scalar.ty(),
        };
        let origin = self.code.add(Written::Copy(copy.clone(), ty));
        self.plain.insert(copy.to_string());
        self.frame.add_copy(id, &copy, origin);
        copy
    }

    /// An operation on values of the present list.
    pub fn apply(&mut self, intrinsic: Intrinsic, notation: NotationId, args: &[ValueId]) -> Value {
        let id = self.frame.list.apply(intrinsic, notation, args);
        let active = Active::of(self.level(), id);
        match intrinsic.row().gives {
            Kind::Bool => Value::Condition(active),
            Kind::Float | Kind::Int | Kind::Opaque => Value::Active(active),
        }
    }

    /// A value of the present list.
    pub fn active(&self, id: ValueId) -> Value {
        Value::Active(Active::of(self.level(), id))
    }

    /// The value in the present list that stands for `active`: in an arm, one from outside becomes an input.
    pub fn in_list(&mut self, active: Active) -> ValueId {
        let mut id = active.id;
        for level in active.level + 1..=self.level() {
            let outer = &self.frame_at(level - 1).list;
            let (kind, name) = (outer.kind(id), outer.name(id).unwrap_or_default().to_string());
            id = self.frame_at(level).import(id, kind, &name);
        }
        id
    }

    pub fn frame_at(&mut self, level: usize) -> &mut Frame {
        match level == self.level() {
            true => &mut self.frame,
            false => &mut self.outer[level],
        }
    }

    /// A new variable for what a parameter refers to before it is changed.
    pub fn before(&mut self, parameter: &Ident) -> Ident {
        let variable = self.variable(parameter);
        self.before.push((variable.clone(), parameter.clone()));
        variable
    }

    /// A new variable for what the user calls `name`.
    pub fn variable(&mut self, name: &Ident) -> Ident {
        let mut variable = self.names.like(&name.to_string());
        variable.set_span(emitted(name).span());
        variable
    }

    /// Reserves a place for the declaration of a variable for these tokens. What they read is in the list before it.
    pub fn reserve(&mut self, tokens: &TokenStream) -> Reserved {
        let args = self.read_by([tokens]);
        let origin = self.code.add(Written::Operand(TokenStream::new()));
        self.frame.reserve(args, origin)
    }

    /// Puts the declaration of a variable where a place is reserved for it.
    pub fn fill(&mut self, place: Reserved, line: Line) {
        let holds = self.holds(&line);
        self.frame.fill(place, &line, holds);
        *self.code.at_mut(self.frame.origin(place)) = Written::Line(line);
    }
}
