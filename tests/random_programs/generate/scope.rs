//! The variables that a program under construction can name.

use std::collections::HashSet;

use super::super::tree::{Name, Type};

/// When the value of a variable is known.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// When the macro expands the program.
    Known,
    /// When the program runs; it is not differentiated.
    Passive,
    /// When the program runs; it may depend on a variable.
    Active,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub ty: Type,
    pub level: Level,
    pub is_mutable: bool,
    /// Whether a reference keeps it as it is.
    pub is_frozen: bool,
    /// Whether it cannot be named at present: it is borrowed mutably.
    pub is_hidden: bool,
    /// The least and the greatest value of an integer.
    pub range: (i64, i64),
    pub origin: Origin,
}

/// What declares a variable.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    Local,
    /// It is a constant.
    Constant,
    /// It is a generic parameter.
    Generic,
    /// It is a function, which is not named as a variable.
    Function,
}

/// What a scope is to the code around it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Block,
    /// A block within an expression, which is left where that is known when the macro expands the program only.
    Value,
    /// Its body is repeated, with all of its integers known.
    Loop,
    /// The same, and it may be left at run time.
    Leavable,
    /// Its body is repeated; how often is known when the program runs.
    Rolled,
    /// It runs only if a condition holds that is not known at expansion.
    Arm,
    /// A closure that is used where it is: it reads what is outside of it, and assigns nothing there.
    Inline,
    /// A closure that is bound: it reads what does not change.
    Closure,
}

/// Scopes, from the outermost to the innermost.
#[derive(Default)]
pub struct Scopes(Vec<(Kind, Vec<Variable>)>);

impl Variable {
    pub fn new(name: &str, ty: Type, level: Level) -> Self {
        let (is_mutable, is_frozen, is_hidden) = (false, false, false);
        let (range, origin) = ((0, 0), Origin::Local);
        Variable { name: name.into(), ty, level, is_mutable, is_frozen, is_hidden, range, origin }
    }

    pub fn of(self, origin: Origin) -> Self {
        Variable { origin, ..self }
    }

    pub fn mutable(self, is_mutable: bool) -> Self {
        Variable { is_mutable, ..self }
    }

    pub fn within(self, range: (i64, i64)) -> Self {
        Variable { range, ..self }
    }
}

impl Scopes {
    pub fn enter(&mut self, kind: Kind) {
        self.0.push((kind, Vec::new()));
    }

    pub fn leave(&mut self) {
        self.0.pop();
    }

    pub fn declare(&mut self, variable: Variable) {
        self.0.last_mut().expect("a scope has been entered").1.push(variable);
    }

    /// The variables that can be named, the latest last, each by the name that means it.
    pub fn visible(&self) -> Vec<Variable> {
        let (mut seen, mut visible, mut is_in_closure) = (HashSet::new(), Vec::new(), false);
        for (kind, variables) in self.0.iter().rev() {
            for variable in variables.iter().rev().filter(|variable| seen.insert(variable.name.clone())) {
                let is_constant = !variable.is_mutable || variable.is_frozen;
                if !variable.is_hidden && (is_constant || !is_in_closure) {
                    visible.push(variable.clone());
                }
            }
            is_in_closure |= *kind == Kind::Closure;
        }
        visible.reverse();
        visible
    }

    /// The variables that can be assigned here a value that is known as `level` says, without becoming less known
    /// where they are read before, in the next round of a loop.
    pub fn assignable(&self, level: Level) -> Vec<Variable> {
        let mut visible = self.visible();
        visible.retain(|variable| {
            let (level, is_repeated, is_in_closure) = self.way_to(&variable.name, level);
            let keeps = level <= variable.level || !is_repeated;
            variable.is_mutable && !variable.is_frozen && keeps && !is_in_closure
        });
        visible
    }

    /// What is between a variable and this place: how well a value is known there that is known here as `level`;
    /// whether there is a loop, and whether there is a closure.
    fn way_to(&self, name: &str, level: Level) -> (Level, bool, bool) {
        let scopes = self.0.iter().rev();
        let inner = scopes.take_while(|(_, variables)| variables.iter().all(|variable| *variable.name != *name));
        inner.fold((level, false, false), |(level, is_repeated, is_in_closure), (kind, _)| match kind {
            Kind::Block | Kind::Value => (level, is_repeated, is_in_closure),
            Kind::Loop => (level, true, is_in_closure),
            Kind::Rolled | Kind::Leavable => (level.max(Level::Passive), true, is_in_closure),
            Kind::Arm => (level.max(Level::Passive), is_repeated, is_in_closure),
            Kind::Inline | Kind::Closure => (level, is_repeated, true),
        })
    }

    /// Whether a name is that of a function of a block around this place, and how well what it gives is known at most.
    pub fn function(&self, name: &str) -> Option<Level> {
        let all = self.0.iter().rev().flat_map(|(_, variables)| variables.iter().rev());
        let mut functions = all.filter(|own| own.origin == Origin::Function);
        functions.find(|own| *own.name == *name).map(|own| own.level)
    }

    fn find(&mut self, name: &str) -> Option<&mut Variable> {
        let all = self.0.iter_mut().flat_map(|(_, variables)| variables).rev();
        all.into_iter().find(|variable| *variable.name == *name)
    }

    /// Notes that a variable is assigned a value that is known as `level` says.
    pub fn assign(&mut self, name: &str, level: Level) {
        let (level, ..) = self.way_to(name, level);
        if let Some(variable) = self.find(name) {
            variable.level = variable.level.max(level);
        }
    }

    /// A variable that is borrowed must keep its value. Returns whether it had to before.
    pub fn set_frozen(&mut self, name: &str, is_frozen: bool) -> bool {
        self.find(name).is_some_and(|variable| std::mem::replace(&mut variable.is_frozen, is_frozen))
    }

    /// A variable that is borrowed mutably cannot be named.
    pub fn set_hidden(&mut self, name: &str, is_hidden: bool) {
        if let Some(variable) = self.find(name) {
            variable.is_hidden = is_hidden;
        }
    }

    /// Whether what is known decides if this place is reached.
    pub fn is_certain(&self) -> bool {
        self.0.iter().all(|(kind, _)| matches!(kind, Kind::Block | Kind::Value | Kind::Loop))
    }

    /// The loops that a jump can leave or continue, from the innermost: those with no other kind of code in between
    /// that runs only at times. The number is how many scopes are around it.
    pub fn loops(&self) -> impl Iterator<Item = usize> {
        let inner = self.0.iter().enumerate().rev();
        let near =
            inner.take_while(|(_, (kind, _))| matches!(kind, Kind::Block | Kind::Value | Kind::Loop | Kind::Leavable));
        near.filter(|(_, (kind, _))| !matches!(kind, Kind::Block | Kind::Value)).map(|(depth, _)| depth)
    }

    /// The loops that a jump can leave or continue under any condition, from the innermost, and whether the function
    /// can be left so.
    pub fn leavable(&self) -> (Vec<usize>, bool) {
        let mut loops = Vec::new();
        for (depth, (kind, _)) in self.0.iter().enumerate().rev() {
            match kind {
                Kind::Rolled | Kind::Leavable => loops.push(depth),
                Kind::Block | Kind::Arm => {}
                Kind::Value | Kind::Loop | Kind::Inline | Kind::Closure => return (loops, false),
            }
        }
        (loops, true)
    }

    /// The number of scopes around this place.
    pub fn depth(&self) -> usize {
        self.0.len()
    }
}
