//! Values of the user's expressions, as they are known when the function is lowered.

use std::rc::Rc;

use jacobian_list::code_list::ValueId;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{BinOp, UnOp};

use super::super::read::shape::{Opaque, Shape, Struct};
use super::super::read::structs::is_cloned_as_it_is;
use super::super::read::vector::{Layout, value_of};
use super::closure::Closure;
use super::expression::MAX_ELEMENTS;
use super::items::Sequence;
use super::numbers::Number;
use super::optional::Optional;
use super::range::Range;
use super::record::Record;
use super::vector::Factor;
use super::window::Window;

/// The value of an expression.
#[derive(Clone)]
pub enum Value {
    /// An active float, or a reference to it.
    Active(Active),
    /// A truth value that depends on active values.
    Condition(Active),
    /// What a call returns of a function that has a Jacobian of its own: a float or an array of these.
    Called(Active),
    /// A parameter of which some fields are active, or a part of it.
    Record(Box<Record>),
    /// An array whose elements are known one by one.
    Array(Elements),
    /// A tuple, or a struct of the module, whose definition the elements have.
    Tuple(Elements),
    /// A vector, a matrix or a point of nalgebra, whose elements are known one by one.
    Vector(Vector),
    /// What may be missing: an `Option`.
    Optional(Box<Optional>),
    /// A matrix that is taken apart, to solve equations with it.
    Factor(Box<Factor>),
    /// What `into` makes of an array or a vector, before its type is known.
    Into(Box<Value>),
    /// A reference to an array or to a tuple.
    Reference(Rc<Value>),
    /// A shared reference to a part of an array whose bounds are known at run time only.
    Window(Rc<Window>),
    /// A mutable reference.
    Mutable(Place),
    /// A range.
    Range(Rc<Range>),
    /// An iterator.
    Iterator(Box<Sequence>),
    /// A closure.
    Closure(Rc<Closure>),
    /// What depends on no active value: kept as the user wrote it.
    Passive(Passive),
    /// A variable that is declared and not yet assigned.
    Unset,
    /// What a variable holds that some ways to this place have assigned, and others not. It must not be read.
    Lost,
}

/// A vector, a matrix or a point of nalgebra.
#[derive(Clone)]
pub struct Vector {
    /// Its form.
    pub layout: Layout,
    /// Its elements in the order of its storage.
    pub elements: Vec<Value>,
    /// Its type, where the user has written it.
    pub ty: Option<TokenStream>,
}

/// A value of a code list.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Active {
    /// The number of frames around that of the list.
    pub level: usize,
    /// The value in the list.
    pub id: ValueId,
    /// Whether it is a reference to the value where the user has it.
    pub is_reference: bool,
}

impl Active {
    /// A value of the list with this number of frames around it.
    pub fn of(level: usize, id: ValueId) -> Self {
        Active { level, id, is_reference: false }
    }
}

/// A variable or a part of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Place {
    /// The number of the variable.
    pub variable: usize,
    /// The indices that lead to the part.
    pub steps: Vec<usize>,
    /// Those of them that are known at run time only, the outermost first; 0 stands for them among the others.
    pub chosen: Vec<Chosen>,
}

/// An index that is known at run time only, and lies within the bounds.
#[derive(Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The number of steps before it.
    pub depth: usize,
    /// The variable of the generated code that holds it.
    pub index: Ident,
    /// The number of elements that it is one of.
    pub length: usize,
}

impl Place {
    /// The part of a variable to which these indices lead.
    pub fn new(variable: usize, steps: Vec<usize>) -> Place {
        Place { variable, steps, chosen: Vec::new() }
    }

    /// The part of it at an index that is known at run time only.
    pub fn part_at(&self, index: Ident, length: usize) -> Place {
        let mut part = self.part(0);
        part.chosen.push(Chosen { depth: self.steps.len(), index, length });
        part
    }

    /// The places that it may be by the first index that is known at run time only, if it has one.
    pub fn candidates(&self) -> Option<(&Chosen, Vec<Place>)> {
        let (chosen, rest) = self.chosen.split_first()?;
        let candidate = |index: usize| {
            let mut place = Place { chosen: rest.to_vec(), ..self.clone() };
            place.steps[chosen.depth] = index;
            place
        };
        Some((chosen, (0..chosen.length).map(candidate).collect()))
    }

    /// The part of it at `index`.
    pub fn part(&self, index: usize) -> Place {
        let mut part = self.clone();
        part.steps.push(index);
        part
    }
}

/// Values in order: the elements of an array or a tuple, or the fields of a struct. Copies share them until one is
/// changed: a copy of a large array costs nothing.
#[derive(Clone, Default)]
pub struct Elements {
    values: Rc<Vec<Value>>,
    /// What struct they are the fields of, if they are.
    definition: Option<Rc<Struct>>,
}

impl Elements {
    /// The fields of a struct. Its definition tells what a passive one is of the module.
    pub fn of_struct(mut values: Vec<Value>, definition: &Rc<Struct>) -> Elements {
        for (value, field) in values.iter_mut().zip(&definition.fields) {
            if let (Value::Passive(passive), Shape::Opaque(_)) = (value, &field.shape) {
                passive.shape.get_or_insert(field.shape.clone());
            }
        }
        Elements::from(values).of(Some(definition.clone()))
    }

    /// The same, as the fields of a struct if there is one.
    pub fn of(self, definition: Option<Rc<Struct>>) -> Elements {
        Elements { definition, ..self }
    }

    /// The struct of which they are the fields, if they are.
    pub fn definition(&self) -> Option<&Rc<Struct>> {
        self.definition.as_ref()
    }

    /// What a part is called after the name of the whole.
    pub fn name_of(&self, index: usize) -> String {
        let field = self.definition.as_ref().and_then(|definition| definition.fields.get(index));
        field.map_or_else(|| index.to_string(), |field| field.name())
    }

    /// The values that `change` makes of these.
    pub fn map(self, change: &mut dyn FnMut(Value) -> Value) -> Elements {
        let (mut changed, definition) = (Vec::with_capacity(self.len()), self.definition.clone());
        for value in self {
            changed.push(change(value));
        }
        Elements::from(changed).of(definition)
    }
}

impl std::ops::Deref for Elements {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.values
    }
}

impl std::ops::DerefMut for Elements {
    fn deref_mut(&mut self) -> &mut [Value] {
        Rc::make_mut(&mut self.values).as_mut_slice()
    }
}

impl From<Vec<Value>> for Elements {
    fn from(values: Vec<Value>) -> Self {
        Elements { values: Rc::new(values), definition: None }
    }
}

impl FromIterator<Value> for Elements {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        Elements::from(values.into_iter().collect::<Vec<_>>())
    }
}

impl IntoIterator for Elements {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        Rc::unwrap_or_clone(self.values).into_iter()
    }
}

/// A passive expression.
#[derive(Clone)]
pub struct Passive {
    tokens: TokenStream,
    is_compound: bool,
    /// How closely the operator binds that it is the result of, if it is that of one with two operands.
    precedence: u8,
    /// The number that it is, where that is known.
    pub number: Option<Number>,
    /// What is known of its parts, if it is a constant that has some.
    parts: Option<Rc<Vec<Part>>>,
    /// The shape, where the signature tells it.
    pub shape: Option<Shape>,
    /// Whether it can be a reference to what the user takes it for, as a pattern binds fields behind a reference.
    pub may_refer: bool,
    /// Whether it is what a method gives of which nothing is known: where the user adds it to a float, say, it may be a
    /// reference to one.
    pub is_given: bool,
    /// Whether it surely borrows from nothing: it is the result of an operator.
    pub is_owned: bool,
    /// Whether it is a number that would be known if the type of an integer were.
    pub lacks_type: bool,
    /// Whether it is a variable that statements of the user change where it is.
    pub may_change: bool,
    /// Whether it is a statement of the user that is an expression, too: a loop, say. It runs exactly once, in its
    /// turn.
    pub is_statement: bool,
    /// Whether it is a parameter, a constant or what a pattern of a `let` binds: of its name, there is nothing else.
    is_settled: bool,
    /// Whether it is behind a shared reference: nothing changes a part of it either.
    is_shared: bool,
    /// What it is computed from by what neither panics nor does anything else, if that is known, as by operators on
    /// floats, or as a part that is surely there: literals, variables, constants, and what is none of these.
    leaves: Option<Rc<Vec<Passive>>>,
    /// Whether it is a float although no shape says so: the result of arithmetic on floats.
    is_floating: bool,
    /// Which variant it is, if it is surely an `Option`.
    pub variant: Option<Variant>,
    /// Whether it is a call that only makes a value, as constructors of nalgebra do.
    is_made: bool,
}

/// What is known of a part of a constant.
#[derive(Clone)]
pub enum Part {
    /// Nothing.
    Unknown,
    /// The number that it is.
    Number(Number),
    /// What is known of its own parts.
    Parts(Rc<Vec<Part>>),
}

/// The variant that an `Option` is.
#[derive(Clone)]
pub enum Variant {
    /// `None`.
    None,
    /// `Some` of this.
    Some(Rc<Value>),
    /// One of the two, which is known at run time only.
    Either,
}

impl Variant {
    /// Whether it is known which one it is.
    pub fn is_known(&self) -> bool {
        !matches!(self, Variant::Either)
    }
}

/// The most leaves of an operation that are known: of a long sum, they would be copied again and again.
const MAX_LEAVES: usize = 16;

/// The leaves of what is computed from these; none where there are too many.
fn leaves(operands: &[&Passive]) -> Option<Rc<Vec<Passive>>> {
    let of = |operand: &&Passive| match operand.leaves() {
        [] => vec![(*operand).clone()],
        leaves => leaves.to_vec(),
    };
    let all: Vec<_> = operands.iter().flat_map(of).collect();
    (all.len() <= MAX_LEAVES).then(|| Rc::new(all))
}

impl Passive {
    /// An expression that binds more closely than every operator: a path, a call, a literal, a field.
    pub fn simple(tokens: TokenStream) -> Self {
        Passive {
            tokens,
            is_compound: false,
            precedence: 0,
            is_made: false,
            number: None,
            parts: None,
            shape: None,
            may_refer: false,
            is_given: false,
            is_owned: false,
            lacks_type: false,
            may_change: false,
            is_statement: false,
            is_settled: false,
            is_shared: false,
            leaves: None,
            is_floating: false,
            variant: None,
        }
    }

    /// Any other expression.
    pub fn compound(tokens: TokenStream) -> Self {
        Passive { is_compound: true, ..Passive::simple(tokens) }
    }

    /// The result of an operator.
    pub fn operation(tokens: TokenStream) -> Self {
        Passive { is_owned: true, ..Passive::compound(tokens) }
    }

    /// The result of an operator on one operand.
    pub fn prefix(operator: &UnOp, operand: &Passive) -> Self {
        let written = operand.operand();
        Passive::operation(quote!(#operator #written)).on(&[operand])
    }

    /// It as a call that only makes a value, if it is one of those and its arguments do nothing else.
    pub fn made(self, is_made: bool) -> Self {
        Passive { is_made, ..self }
    }

    /// Whether it is one, and may be left out where its value is not used.
    pub fn is_made(&self) -> bool {
        self.is_made
    }

    /// Whether it may panic where it calls nothing: by an index, or by an operator on what may be integers.
    pub fn may_panic(&self) -> bool {
        let is_computed = self.leaves().is_empty() && !self.is_floating && has_arithmetic(self.tokens.clone());
        self.number.is_none() && (is_computed || has_index(self.tokens.clone()))
    }

    /// Whether it is the result of an operator on two operands.
    pub fn is_computed(&self) -> bool {
        self.precedence > 0
    }

    /// The result of an operator on two operands, which binds as closely as `precedence` says.
    pub fn infix(left: &Passive, operator: &BinOp, right: &Passive, precedence: u8) -> Self {
        // A long sum nests no brackets: rustc would recurse over them.
        let goes_on = precedence > 0 && left.precedence == precedence;
        let (first, second) = (if goes_on { left.tokens.clone() } else { left.operand() }, right.operand());
        let result = Passive { precedence, ..Passive::operation(quote!(#first #operator #second)) };
        match operator {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => result.on(&[left, right]),
            _ => result.of(&[left, right]),
        }
    }

    /// The result of arithmetic on these.
    fn on(self, operands: &[&Passive]) -> Self {
        Passive { is_floating: operands.iter().all(|operand| operand.is_float_behind()), ..self.of(operands) }
    }

    /// The expression, with the number that it is. Of variants, the enum is known.
    pub fn with_number(self, number: Option<Number>) -> Self {
        let shape = self.shape.or_else(|| number.as_ref().and_then(Number::shape_of_units));
        Passive { number, shape, ..self }
    }

    /// The expression, with what is known of its parts.
    pub fn with_parts(self, parts: Option<Rc<Vec<Part>>>) -> Self {
        Passive { parts, ..self }
    }

    /// What is known of its parts, if it is a constant that has some.
    pub fn parts(&self) -> Option<&Rc<Vec<Part>>> {
        self.parts.as_ref()
    }

    /// The expression, which is the part of `whole` with this index.
    pub fn known_in(self, whole: &Passive, index: usize) -> Self {
        match whole.parts().and_then(|parts| parts.get(index)) {
            Some(Part::Number(number)) => self.with_number(Some(number.clone())),
            Some(Part::Parts(parts)) => self.with_parts(Some(parts.clone())),
            Some(Part::Unknown) | None => self,
        }
    }

    /// The expression, which surely borrows from nothing if it is owned.
    pub fn owned(self, is_owned: bool) -> Self {
        Passive { is_owned, ..self }
    }

    /// The expression, which would be known if the type of an integer were, if it lacks that.
    pub fn lacking_type(self, lacks_type: bool) -> Self {
        Passive { lacks_type, ..self }
    }

    /// The expression, which perhaps can be a reference to what the user takes it for.
    pub fn behind_reference(self, may_refer: bool) -> Self {
        Passive { may_refer, ..self }
    }

    /// The expression, which may be a reference where operators take references, if a method gives it.
    pub fn given(self, is_given: bool) -> Self {
        Passive { is_given, ..self }
    }

    /// The expression, which is this variant of an `Option` if it is one.
    pub fn with_variant(self, variant: Option<Variant>) -> Self {
        Passive { variant, ..self }
    }

    /// The expression, which is a statement of the user, too.
    pub fn statement(self) -> Self {
        Passive { is_statement: true, ..self }
    }

    /// The expression, which is nothing else but what it is computed from, by what neither panics nor does anything.
    pub fn of(self, operands: &[&Passive]) -> Self {
        Passive { leaves: leaves(operands), ..self }
    }

    /// The expression, which is a part of `whole` that is surely there. What is a value of its own is seen to change; what
    /// is not known may be behind a mutable reference.
    pub fn part_of(self, whole: &Passive) -> Self {
        let is_value = whole.shape.as_ref().is_some_and(|shape| !matches!(shape, Shape::Reference(_)));
        let part = Passive { is_shared: whole.is_shared, ..self };
        if whole.is_shared || is_value { part.of(&[whole]) } else { part }
    }

    /// The expression, which is a reference to a place.
    pub fn referring_to(self, place: &Passive) -> Self {
        let is_value = place.shape.as_ref().is_some_and(|shape| !matches!(shape, Shape::Reference(_)));
        Passive { is_shared: place.is_shared || is_value, ..self }.of(&[place])
    }

    /// The expression, which is a float of some type, if it is one.
    pub fn floating(self, is_floating: bool) -> Self {
        Passive { is_floating, ..self }
    }

    /// The variable or the constant, of whose name there is nothing else.
    pub fn settled(self) -> Self {
        Passive { is_settled: true, ..self }
    }

    /// The variable, which is a shared reference, if it is one.
    pub fn shared(self, is_shared: bool) -> Self {
        Passive { is_shared, ..self }
    }

    /// The variable, which statements of the user change where it is, if they do.
    pub fn changing(self, may_change: bool) -> Self {
        Passive { may_change, ..self }
    }

    /// The expression as it is read at this place, to which an error of rustc points then.
    pub fn at(self, place: Span) -> Self {
        Passive { tokens: located(self.tokens, place), ..self }
    }

    /// The expression, with its shape.
    pub fn with_shape(self, shape: Option<Shape>) -> Self {
        Passive { shape, ..self }
    }

    /// Whether a function is called in it. Such an expression is evaluated exactly once, in its turn.
    pub fn has_call(&self) -> bool {
        self.is_statement || has_call(self.tokens.clone())
    }

    /// Whether it is a variable, or a constant.
    pub fn is_variable(&self) -> bool {
        let mut tokens = self.tokens.clone().into_iter();
        matches!((tokens.next(), tokens.next()), (Some(TokenTree::Ident(_)), None))
    }

    /// The variable that it moves, or a part of which it moves, if it is nothing else.
    pub fn moved(&self) -> Option<String> {
        let mut tokens = self.tokens.clone().into_iter();
        let Some(TokenTree::Ident(variable)) = tokens.next() else { return None };
        let is_step = |(index, token)| match token {
            TokenTree::Punct(punct) => index % 2 == 0 && punct.as_char() == '.',
            TokenTree::Ident(_) | TokenTree::Literal(_) => index % 2 == 1,
            TokenTree::Group(_) => false,
        };
        tokens.enumerate().all(is_step).then(|| variable.to_string())
    }

    /// What operators compute it from; nothing if it is not the result of one.
    pub fn leaves(&self) -> &[Passive] {
        self.leaves.as_ref().map_or(&[], |leaves| &leaves[..])
    }

    /// Whether it is a variable or a constant of whose name there is nothing else.
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Whether it is written with an operator.
    pub fn is_operation(&self) -> bool {
        self.is_compound
    }

    /// Whether it is behind a shared reference.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Whether it is surely a float, of whatever type.
    pub fn is_float(&self) -> bool {
        match (&self.shape, &self.number) {
            (Some(shape), _) => matches!(shape, Shape::Float(_)),
            (None, Some(number)) => matches!(number, Number::Float(_)),
            (None, None) => self.is_floating,
        }
    }

    /// Whether it surely is a float, or a reference to one.
    pub fn is_float_behind(&self) -> bool {
        let is_behind = |shape: &Shape| matches!(shape.behind_references(), Shape::Float(_));
        self.is_float() || self.shape.as_ref().is_some_and(is_behind)
    }

    /// The variable that holds `value` at first, and others of its type later.
    pub fn holding(self, value: &Passive) -> Self {
        self.with_variant(value.is_option().then_some(Variant::Either))
    }

    /// Whether it is surely an `Option`, or a reference to one.
    pub fn is_option(&self) -> bool {
        let is_option = |shape: &Shape| matches!(shape.behind_references(), Shape::Option(_));
        self.variant.is_some() || self.shape.as_ref().is_some_and(is_option)
    }

    /// Whether it is a literal.
    pub fn is_literal(&self) -> bool {
        let mut tokens = self.tokens.clone().into_iter();
        matches!((tokens.next(), tokens.next()), (Some(TokenTree::Literal(_)), None))
    }

    /// Whether nothing can change it: it is a number, a constant or a variable.
    pub fn is_fixed(&self) -> bool {
        self.number.is_some() || self.is_variable() && !self.may_change
    }

    /// Whether it is a reference, as far as the signature or the expression tells it.
    pub fn is_reference(&self) -> bool {
        matches!(self.shape, Some(Shape::Reference(_)))
    }

    /// The number of its elements, where it is an array whose elements can be known one by one.
    pub fn length(&self) -> Option<usize> {
        if let Some(Number::Table(table)) = &self.number {
            return Some(table.len());
        }
        match self.shape.as_ref().map(Shape::behind_references) {
            Some(Shape::Array(_, length)) => Some(*length).filter(|&length| length <= MAX_ELEMENTS),
            Some(Shape::Items(_)) => self.parts().map(|parts| parts.len()),
            _ => None,
        }
    }

    /// The expression as an operand: in parentheses where it needs them.
    pub fn operand(&self) -> TokenStream {
        let tokens = &self.tokens;
        match self.is_compound {
            true => quote!((#tokens)),
            false => tokens.clone(),
        }
    }

    /// The expression by itself.
    pub fn tokens(&self) -> &TokenStream {
        &self.tokens
    }
}

impl Value {
    /// The unit value.
    pub fn unit() -> Self {
        Value::Tuple(Elements::default())
    }

    /// The number that the value is, where it is known.
    pub fn number(&self) -> Option<&Number> {
        match self {
            Value::Passive(Passive { number, .. }) => number.as_ref(),
            _ => None,
        }
    }

    /// The known integer that the value is.
    pub fn as_int(&self) -> Option<i128> {
        self.number()?.as_int().map(|int| int.value)
    }

    /// Whether it is, or has for a bound, a number that would be known if the type of an integer were.
    pub fn lacks_type(&self) -> bool {
        match self {
            Value::Passive(passive) => passive.lacks_type,
            Value::Range(range) => range.lacks_type(),
            _ => false,
        }
    }

    /// The known truth value that the value is.
    pub fn as_bool(&self) -> Option<bool> {
        match self.number() {
            Some(Number::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// The value that references to arrays and tuples lead to.
    pub fn behind_references(&self) -> &Value {
        let mut value = self;
        while let Value::Reference(target) = value {
            value = target;
        }
        value
    }

    /// The number of values in it that are neither arrays nor tuples, and how deep these nest.
    pub fn extent(&self) -> (usize, usize) {
        match self {
            Value::Array(elements) | Value::Tuple(elements) => {
                let add = |(count, depth): (usize, usize), part: (usize, usize)| {
                    (count.saturating_add(part.0), depth.max(part.1 + 1))
                };
                elements.iter().map(Value::extent).fold((0, 1), add)
            }
            Value::Vector(vector) => (vector.elements.len(), 1),
            Value::Into(source) => source.extent(),
            Value::Reference(target) => target.extent(),
            _ => (1, 0),
        }
    }

    /// The struct of the module that the value is, or refers to.
    pub fn definition(&self) -> Option<&Rc<Struct>> {
        match self.behind_references() {
            Value::Tuple(elements) => elements.definition(),
            Value::Passive(passive) => match passive.shape.as_ref()?.behind_references() {
                Shape::Struct(definition) => Some(definition),
                _ => None,
            },
            _ => None,
        }
    }

    /// The shape of a passive value, where it is known.
    pub fn shape(&self) -> Option<&Shape> {
        match self {
            Value::Passive(passive) => passive.shape.as_ref(),
            _ => None,
        }
    }

    /// The name of the type of the module that the value is of, or refers to: of one whose parts are known, or of one
    /// that is passive as a whole.
    pub fn owner(&self) -> Option<&Ident> {
        let opaque = || self.opaque().map(|own| &own.name);
        self.definition().map(|definition| &definition.name).or_else(opaque)
    }

    /// The type of the module that the value is of, or refers to, which is passive as a whole but for fields that `wrt`
    /// names.
    pub fn opaque(&self) -> Option<&Rc<Opaque>> {
        match self.behind_references() {
            Value::Passive(passive) => passive.shape.as_ref()?.opaque(),
            Value::Record(record) => record.owner(),
            _ => None,
        }
    }

    /// Whether a struct of the module is in it.
    pub fn has_struct(&self) -> bool {
        self.definition().is_some()
            || match self.behind_references() {
                Value::Array(parts) | Value::Tuple(parts) => parts.iter().any(Value::has_struct),
                Value::Optional(of) => of.part(1).is_some_and(Value::has_struct),
                _ => false,
            }
    }

    /// Whether a clone of it is what it is.
    pub fn is_cloned_as_it_is(&self) -> bool {
        match (self.definition(), self.behind_references()) {
            (Some(definition), _) => is_cloned_as_it_is(definition),
            (None, Value::Array(parts) | Value::Tuple(parts)) => parts.iter().all(Value::is_cloned_as_it_is),
            (None, Value::Optional(of)) => of.part(1).is_none_or(Value::is_cloned_as_it_is),
            _ => true,
        }
    }

    /// Whether nothing in it is active, so that it can be written as a passive expression.
    pub fn is_passive(&self) -> bool {
        match self {
            Value::Array(elements) | Value::Tuple(elements) => elements.iter().all(Value::is_passive),
            Value::Vector(vector) => vector.ty.is_some() && vector.elements.iter().all(Value::is_passive),
            Value::Reference(target) => target.is_passive(),
            Value::Factor(factor) => factor.written().is_some(),
            Value::Iterator(items) => items.as_written().is_some(),
            Value::Optional(of) => of.to_passive().is_some(),
            value => matches!(value, Value::Passive(_) | Value::Range(_)),
        }
    }

    /// The value as a passive expression, if nothing in it is active.
    pub fn to_passive(&self) -> Option<Passive> {
        match self {
            Value::Passive(passive) => Some(passive.clone()),
            Value::Array(elements) => {
                let tokens = tokens_of(elements)?;
                let item = elements.first().and_then(Value::opaque);
                let is_item = |own: &Value| own.opaque().map(|own| &own.name) == item.map(|item| &item.name);
                let item =
                    elements.first().and_then(Value::shape).filter(|_| item.is_some() && elements.iter().all(is_item));
                let shape = item.map(|item| Shape::Items(Box::new(item.clone())));
                Some(Passive::simple(quote!([#(#tokens),*])).with_shape(shape))
            }
            Value::Tuple(elements) => {
                let parts = tokens_of(elements)?;
                match elements.definition() {
                    Some(definition) => {
                        let shape = Some(Shape::Struct(definition.clone()));
                        // In a condition, the braces would be those of its block.
                        let value = definition.value(&parts);
                        Some(Passive { is_compound: !definition.is_tuple, ..Passive::simple(value).with_shape(shape) })
                    }
                    None => Some(Passive::simple(quote!((#(#parts,)*)))),
                }
            }
            Value::Reference(target) => {
                let target = target.to_passive()?.operand();
                Some(Passive::compound(quote!(&#target)))
            }
            Value::Range(range) => Some(range.to_passive()),
            Value::Iterator(items) => items.as_written().map(Passive::simple),
            Value::Vector(vector) => {
                let (elements, ty) = (tokens_of(&vector.elements)?, vector.ty.as_ref()?);
                Some(Passive::simple(value_of(vector.layout, ty, &elements)))
            }
            Value::Factor(factor) => factor.written().cloned(),
            Value::Optional(of) => of.to_passive(),
            Value::Active(_)
            | Value::Condition(_)
            | Value::Called(_)
            | Value::Record(_)
            | Value::Into(_)
            | Value::Window(_)
            | Value::Mutable(_)
            | Value::Closure(_)
            | Value::Unset
            | Value::Lost => None,
        }
    }
}

/// Whether brackets of arguments are in `tokens`: behind a name, and behind other brackets, as in `(p.f)(x)`. A path in
/// brackets, `(path)()`, is how what is generated says that a call has no effect.
pub fn has_call(tokens: TokenStream) -> bool {
    let mut is_callee = false;
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => {
            let is_call = is_callee && group.delimiter() == Delimiter::Parenthesis;
            is_callee = match group.delimiter() {
                Delimiter::Parenthesis => !is_path(group.stream()),
                delimiter => delimiter == Delimiter::Bracket,
            };
            is_call || has_call(group.stream())
        }
        TokenTree::Ident(_) => {
            is_callee = true;
            false
        }
        TokenTree::Punct(punct) => {
            is_callee = punct.as_char() == '>';
            false
        }
        TokenTree::Literal(_) => {
            is_callee = false;
            false
        }
    })
}

/// Whether `tokens` are a path without arguments.
pub fn is_path(tokens: TokenStream) -> bool {
    tokens.into_iter().all(|token| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        _ => false,
    })
}

/// Whether an index is in `tokens`.
pub fn has_index(tokens: TokenStream) -> bool {
    let mut is_base = false;
    tokens.into_iter().any(|token| {
        let was_base = std::mem::replace(&mut is_base, !matches!(token, TokenTree::Punct(_)));
        let TokenTree::Group(group) = token else { return false };
        was_base && group.delimiter() == Delimiter::Bracket || has_index(group.stream())
    })
}

/// Whether a macro is called in `tokens`: an assertion, say, which may panic.
pub fn has_macro(tokens: TokenStream) -> bool {
    let (mut is_name, mut is_called) = (false, false);
    tokens.into_iter().any(|token| {
        let was_called = std::mem::replace(&mut is_called, false);
        let was_name = std::mem::replace(&mut is_name, matches!(&token, TokenTree::Ident(_)));
        match token {
            TokenTree::Punct(sign) => {
                is_called = was_name && sign.as_char() == '!';
                false
            }
            TokenTree::Group(group) => was_called || has_macro(group.stream()),
            _ => false,
        }
    })
}

/// Whether something is computed in `tokens`, as far as that is seen.
pub fn has_arithmetic(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(sign) => "+-*/%".contains(sign.as_char()),
        TokenTree::Group(group) => has_arithmetic(group.stream()),
        _ => false,
    })
}

fn tokens_of(elements: &[Value]) -> Option<Vec<TokenStream>> {
    elements.iter().map(|element| Some(element.to_passive()?.tokens().clone())).collect()
}

/// The tokens at another place. What they mean stays.
pub fn located(tokens: TokenStream, place: Span) -> TokenStream {
    let at_place = |mut token: TokenTree| {
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.into_iter().map(at_place).collect()
}

/// The float behind the references that the shape of a passive value tells of.
pub fn dereferenced(passive: &Passive) -> TokenStream {
    let mut stars = TokenStream::new();
    let mut shape = passive.shape.as_ref();
    while let Some(Shape::Reference(target)) = shape {
        stars.extend(quote!(*));
        shape = Some(target);
    }
    let (value, operand) = (passive.tokens(), passive.operand());
    match (passive.may_refer, stars.is_empty()) {
        (true, _) => quote!(#operand.clone()),
        (false, true) => value.clone(),
        (false, false) => quote!(#stars #operand),
    }
}
