//! What the variables hold at present of the functions that are being lowered.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::Ident;

use super::super::syntax::{self, Body, Place, Type, VariableId};
use super::generics::Given;
use super::value::{Place as PlaceOfVariable, Value};

/// What a variable holds.
#[derive(Clone)]
pub struct Binding {
    /// Its present value.
    pub value: Value,
    /// The type that it was declared with.
    pub ty: Option<Type>,
    /// The number of frames around its declaration.
    pub level: usize,
}

/// What a variable stands for, which is a copy of it.
#[derive(Clone)]
pub enum Alias {
    /// A place.
    Place(PlaceOfVariable),
    /// A slice: the places of its elements.
    Slice(Vec<PlaceOfVariable>),
}

/// A function whose body is being lowered: the one that is differentiated, or one that is inlined.
pub struct Activation {
    /// The function.
    pub body: Rc<Body>,
    /// The number of its first variable.
    base: usize,
    /// Whether it is the function that is differentiated.
    pub is_outermost: bool,
    /// Where it is called, if it is inlined.
    pub call: Option<InlinedCall>,
}

/// A call of a function that is inlined.
pub struct InlinedCall {
    /// The function.
    pub function: Ident,
    /// Where it is called.
    pub place: Place,
    /// What its generic parameters are, as far as it is known.
    pub given: Given,
    /// The names in the bounds of its types, where it knows those by traits only: their own methods are not seen in it.
    pub bounds: Option<Vec<String>>,
    /// Whether these are traits of the standard library only, whose methods are known.
    pub has_plain_bounds: bool,
}

impl Activation {
    /// What tells the function from others.
    pub fn key(&self) -> usize {
        Rc::as_ptr(&self.body) as usize
    }

    /// Whether a variable is `self`.
    pub fn is_receiver(&self, id: VariableId) -> bool {
        self.body.receiver.as_ref().is_some_and(|(own, _)| *own == id)
    }

    /// The number of a variable.
    pub fn number(&self, id: VariableId) -> usize {
        self.base + id.0 as usize
    }

    /// The variable with this number, if it is one of this function.
    pub fn id(&self, number: usize) -> Option<VariableId> {
        let id = number.checked_sub(self.base).filter(|id| *id < self.body.variables.len())?;
        Some(VariableId(id as u32))
    }
}

/// The variables of all activations, numbered.
#[derive(Default)]
pub struct Bindings {
    variables: Vec<Option<Binding>>,
    declared: Vec<syntax::Variable>,
    /// The variables in the order of their declarations: those in a loop that is unrolled are declared again and again.
    order: Vec<usize>,
    /// What variables are that have been declared again, in an iteration that is nested in theirs: the number of
    /// declarations before it, the variable, what it was.
    shadowed: Vec<(usize, usize, Binding)>,
    /// The variables that closures have moved into themselves, during their calls.
    moved: Vec<Vec<usize>>,
    /// The places at run-time indices that variables stand for: what such a variable is assigned, that place is.
    aliases: HashMap<usize, Alias>,
}

impl Bindings {
    /// A new activation of a function.
    pub fn activate(&mut self, body: &Rc<Body>, call: Option<InlinedCall>) -> Rc<Activation> {
        let base = self.variables.len();
        self.declared.extend(body.variables.iter().cloned());
        self.variables.resize_with(self.declared.len(), || None);
        Rc::new(Activation { body: body.clone(), base, is_outermost: base == 0, call })
    }

    /// Adds a variable that is none of the user's, and declares it: its number.
    pub fn add(&mut self, variable: syntax::Variable, binding: Binding) -> usize {
        self.declared.push(variable);
        self.variables.push(Some(binding));
        self.order.push(self.variables.len() - 1);
        self.variables.len() - 1
    }

    /// Declares a variable, until the end of the block.
    pub fn declare(&mut self, number: usize, binding: Binding) {
        let level = binding.level;
        let before = self.variables[number].replace(binding);
        self.shadowed.extend(before.filter(|before| before.level < level).map(|old| (self.order.len(), number, old)));
        self.order.push(number);
    }

    /// Ends a block before which there were this many declarations: what has been declared again in it, is what it was.
    pub fn end_block(&mut self, declarations: usize) {
        while let Some((_, number, before)) = self.shadowed.pop_if(|(at, ..)| *at >= declarations) {
            self.variables[number] = Some(before);
        }
    }

    /// The number of declarations so far.
    pub fn declarations(&self) -> usize {
        self.order.len()
    }

    /// The values of all variables but those that have been declared since there were this many declarations.
    pub fn before(&self, declarations: usize) -> impl Iterator<Item = &Value> {
        let later: HashSet<usize> = self.order[declarations..].iter().copied().collect();
        let before = self.variables.iter().enumerate().filter(move |(number, _)| !later.contains(number));
        let shadowed = self.shadowed.iter().filter(move |(at, ..)| *at >= declarations).map(|(.., old)| &old.value);
        before.filter_map(|(_, binding)| Some(&binding.as_ref()?.value)).chain(shadowed)
    }

    /// What a variable holds; none if control has not reached its declaration.
    pub fn find(&self, number: usize) -> Option<&Binding> {
        self.variables[number].as_ref()
    }

    /// The variable with this number.
    pub fn get(&self, number: usize) -> &Binding {
        self.variables[number].as_ref().expect("a variable is declared before it is used")
    }

    /// The variable with this number, to assign to it.
    pub fn at(&mut self, number: usize) -> &mut Binding {
        self.variables[number].as_mut().expect("a variable is declared before it is used")
    }

    /// The variable with this number, to assign to it; none if control has not reached its declaration.
    pub fn find_mut(&mut self, number: usize) -> Option<&mut Binding> {
        self.variables[number].as_mut()
    }

    /// Forgets a variable, as if control had not come to its declaration.
    pub fn forget(&mut self, number: usize) {
        self.variables[number] = None;
    }

    /// Gives a variable back what it held; returns what it holds.
    pub fn restore(&mut self, number: usize, binding: Binding) -> Option<Binding> {
        self.variables[number].replace(binding)
    }

    /// The name of a variable, as it is in its declaration.
    pub fn name(&self, number: usize) -> Ident {
        self.declared[number].ident.clone()
    }

    /// Whether a variable is none of the user's, but notes a jump.
    pub fn is_note(&self, number: usize) -> bool {
        self.declared[number].is_note
    }

    /// What a variable is called.
    pub fn ident(&self, number: usize) -> &Ident {
        &self.declared[number].ident
    }

    /// Whether a variable is declared as `mut`.
    pub fn is_mut(&self, number: usize) -> bool {
        self.declared[number].is_mut
    }

    /// Gives variables the values that a closure has moved into itself; returns what they are outside of it. If it is
    /// called here, it must not change them: the next call would not see it.
    pub fn enter_closure(&mut self, moved: &[(usize, Binding)], is_called: bool) -> Vec<(usize, Option<Binding>)> {
        let (mut unchangeable, mut outside) = (Vec::new(), Vec::new());
        for (number, binding) in moved {
            outside.push((*number, self.variables[*number].replace(binding.clone())));
            if is_called {
                unchangeable.push(*number);
            }
        }
        self.moved.push(unchangeable);
        outside
    }

    /// Comes back to the variables outside of a closure.
    pub fn leave_closure(&mut self, outside: Vec<(usize, Option<Binding>)>) {
        self.moved.pop();
        for (number, binding) in outside {
            self.variables[number] = binding;
        }
    }

    /// Makes a variable stand for what it is a copy of.
    pub fn set_alias(&mut self, number: usize, alias: Alias) {
        self.aliases.insert(number, alias);
    }

    /// What a variable stands for, if it does.
    pub fn alias(&self, number: usize) -> Option<&Alias> {
        self.aliases.get(&number)
    }

    /// Whether a variable is one that a closure has moved into itself.
    pub fn is_moved(&self, number: usize) -> bool {
        self.moved.iter().any(|moved| moved.contains(&number))
    }
}
