//! Flattening: the body of a function in, its code list out (the algorithm "Flattening Basic Blocks" of the xaifbooster
//! manual). Each operation on active values becomes a statement; a variable stands for the statement that computed
//! its value last, so that one that is overwritten gets a new statement and nothing is lost.
//!
//! What depends on no active value is not flattened. It is kept as the user wrote it, in the *prologue*: statements that
//! the generated function runs before all others, in the user's order. Variables in it bear new names, so that scopes
//! and shadowing need not be kept.
//!
//! Everything that is not understood is reported where it stands, and its value is [`Value::Error`].

mod array;
mod assign;
mod bindings;
mod branch;
mod budget;
mod call;
mod change;
mod closure;
mod code;
mod constant;
mod control;
mod expected;
mod expression;
mod fold;
mod frame;
mod inline;
mod integer;
mod iterate;
mod loops;
mod macros;
mod matched;
mod merge;
mod names;
mod number;
mod output;
mod pattern;
mod place;
mod prologue;
mod range;
mod sequence;
mod settle;
mod statement;
mod value;
mod vector;
mod with;
mod written;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use jacobian_core::CodeList;
use jacobian_core::catalogue::{Intrinsic, known};
use jacobian_core::code_list::{Constant, Dialect, Kind, Precision, ValueId};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ItemFn;

use self::array::element_of;
use self::bindings::{Activation, Bindings};
use self::budget::Budget;
use self::control::Exit;
use self::expected::Expected;
use self::frame::Frame;
use self::integer::TypeTable;
use self::loops::Trips;
use self::number::Number;
use self::prologue::Line;
use self::value::{Active, INTO, Passive, Value, Vector};
use super::diagnostics::Errors;
use super::module::Module;
use super::options::{Options, With};
use super::scalar::Scalar;
use super::shape::Shape;
use super::signature::{Parameter, Role, Signature};
use super::syntax::{self, Body, ConstantId, Expr, ImportId, Pattern, Place, Placed, Type};

pub use self::call::Form;
pub use self::code::{Argument, ArmCode, BlockCode, Call, Code, Head, Piece, Returned};
pub use self::names::{Names, emitted};

/// A flattened function.
pub struct Flattened {
    /// The function.
    pub list: CodeList,
    /// What is written besides its statements.
    pub code: Code,
    /// The expression of each input of the list.
    pub inputs: Vec<TokenStream>,
    /// How calls are written, by dialect.
    pub forms: Vec<Form>,
    /// The names in use.
    pub names: Names,
}

/// Flattens `function`. What it returns is of use only if no error has been reported.
pub fn flatten(
    function: &ItemFn,
    signature: &Signature,
    options: &Options,
    module: &Module,
    errors: &mut Errors,
) -> Flattened {
    let mut names = Names::avoiding(function.to_token_stream());
    for parameter in &signature.parameters {
        names.reserve(&parameter.name);
    }
    let body = Rc::new(syntax::function(function, module.items()));
    let mut bindings = Bindings::default();
    let activation = bindings.activate(&body);
    let mut flattener = Flattener {
        scalar: signature.scalar.clone(),
        frame: Frame::new(signature.scalar.precision(), 0),
        outer: Vec::new(),
        bindings,
        activation,
        inputs: Vec::new(),
        outputs: Vec::new(),
        required: HashSet::new(),
        forms: vec![Form::Method],
        names,
        floats: HashMap::new(),
        types: TypeTable::default(),
        inline: None,
        exit: None,
        trips: Vec::new(),
        jump: Place::of(Span::call_site()),
        expected: Expected::Anything,
        returned: Expected::Shape(signature.result.clone()),
        depth: 0,
        budget: Budget::default(),
        with: &options.with,
        module,
        constants: HashMap::new(),
        local_constants: HashMap::new(),
        imports: HashMap::new(),
        bodies: HashMap::new(),
        items: Vec::new(),
        hoisted: HashSet::new(),
        outside: body.outside.clone(),
        functions: vec![function.sig.ident.to_string()],
        errors,
    };
    flattener.function(function, signature);
    let items = std::mem::take(&mut flattener.items);
    flattener.frame.code.prepend(items);
    let (floats, ty) = (&flattener.floats, flattener.scalar.ty());
    flattener.frame.code.close(&|variable| floats.get(variable).map(|float| quote!(let _: #ty = #float;)));
    if flattener.frame.code.length() > MAX_PASSIVE {
        let message = format!(
            "more than {MAX_PASSIVE} statements without an active value, which may borrow from each other, and branches \
             with such in them, are not supported: compute the passive values elsewhere and pass them in"
        );
        flattener.errors.at(&function.sig.ident, message);
    }
    Flattened {
        list: flattener.frame.list,
        code: flattener.frame.code,
        inputs: flattener.inputs,
        forms: flattener.forms,
        names: flattener.names,
    }
}

struct Flattener<'a> {
    /// The type of all floats.
    scalar: Scalar,
    /// The code list to which statements are added at present.
    frame: Frame,
    /// Those around it, the function's own first.
    outer: Vec<Frame>,
    bindings: Bindings,
    /// The function whose body is lowered at present.
    activation: Rc<Activation>,
    inputs: Vec<TokenStream>,
    /// The numbers of the variables that are outputs.
    outputs: Vec<usize>,
    /// What the generated code requires already.
    required: HashSet<String>,
    forms: Vec<Form>,
    names: Names,
    /// Passive expressions that are of the type of the floats, by the variable in them: of each, one.
    floats: HashMap<String, TokenStream>,
    /// What is known of the types of integers.
    types: TypeTable,
    /// Why statements are refused here, if they are: what they do may not be moved to the prologue.
    inline: Option<&'static str>,
    /// Where control goes, if not to the next statement.
    exit: Option<Exit>,
    /// The trips that are left of the loops around this place.
    trips: Vec<Trips>,
    /// Where the last `break`, `continue` or `return` stands.
    jump: Place,
    /// What the expression is expected to be that is evaluated next.
    expected: Expected,
    /// What the function or the closure is expected to return.
    returned: Expected,
    /// How deep expressions nest at present.
    depth: usize,
    budget: Budget,
    /// The functions that have a Jacobian of their own.
    with: &'a [With],
    /// The functions that may be inlined.
    module: &'a Module,
    /// What is known of constants of the module, of those that have been looked up.
    constants: HashMap<String, Option<Value>>,
    /// The values of constants inside of functions, of those that have been used.
    local_constants: HashMap<(usize, ConstantId), Value>,
    /// What imported names are called in the generated code.
    imports: HashMap<(usize, ImportId), Ident>,
    /// The functions of the module that have been inlined.
    bodies: HashMap<String, Rc<Body>>,
    /// The items of the user's functions, which are written in front of all statements.
    items: Vec<Line>,
    /// The names that they have in the user's functions.
    hoisted: HashSet<String>,
    /// The names that mean something outside of the functions that are lowered.
    outside: HashSet<String>,
    /// The functions whose bodies are around this place, the outermost first.
    functions: Vec<String>,
    errors: &'a mut Errors,
}

impl Flattener<'_> {
    fn function(&mut self, function: &ItemFn, signature: &Signature) {
        if let Some(statement) = self.scalar.require_copy() {
            self.line(Line::effect(statement));
        }
        self.require_vectors(&signature.vectors());
        let body = self.activation.body.clone();
        self.import_all();
        for (parameter, (pattern, ty)) in signature.parameters.iter().zip(&body.parameters) {
            self.parameter(parameter, pattern, ty);
        }
        let value = self.body(&body.block);
        let outputs = self.output_values();
        if let Some(Exit::Panic) = self.exit {
            self.errors.at(&self.jump, "the function always panics here");
        }
        // What is missing after an error is not reported again.
        if self.errors.is_empty() {
            self.results(&value, &signature.result, &function.sig.output);
            self.output_results(signature, &outputs);
        }
    }

    fn parameter(&mut self, parameter: &Parameter, pattern: &Pattern, ty: &Type) {
        let name = emitted(&parameter.name);
        let value = match &parameter.shape {
            Some(shape) if parameter.role == Role::Output => return self.output(pattern, ty, shape),
            Some(shape) if parameter.role == Role::Active => {
                self.input(shape, quote!(#name), &parameter.name.to_string())
            }
            shape => Value::Passive(Passive::simple(quote!(#name)).with_shape(shape.clone())),
        };
        self.bind_parameter(pattern, ty, value);
    }

    /// The inputs for an active parameter: `tokens` is the place of this part of it, `name` what readers call it.
    fn input(&mut self, shape: &Shape, tokens: TokenStream, name: &str) -> Value {
        match shape {
            Shape::Float(_) => {
                self.inputs.push(tokens);
                let id = self.frame.list.input(name.trim_start_matches("r#"));
                self.active(id)
            }
            Shape::Reference(target) => match &**target {
                Shape::Array(..) | Shape::Vector(_) => self.input(target, tokens, name),
                _ => self.input(target, quote!((*#tokens)), name),
            },
            Shape::Array(element, length) => {
                let element_at = |index: usize| {
                    let literal = proc_macro2::Literal::usize_unsuffixed(index);
                    (quote!(#tokens[#literal]), format!("{name}[{index}]"))
                };
                let places = (0..*length).map(element_at).collect::<Vec<_>>();
                Value::Array(places.into_iter().map(|(place, name)| self.input(element, place, &name)).collect())
            }
            Shape::Vector(ty) => {
                let place = |position: usize| {
                    let index = ty.layout.index(position);
                    (quote!(#tokens[#index]), format!("{name}[{}]", index.to_string().replace(" ,", ",")))
                };
                let places = (0..ty.layout.count()).map(place).collect::<Vec<_>>();
                let float = Shape::Float(ty.scalar.clone());
                let elements = places.into_iter().map(|(place, name)| self.input(&float, place, &name)).collect();
                Value::Vector(Vector { layout: ty.layout, elements, ty: Some(ty.tokens.clone()) })
            }
            Shape::Tuple(_) => unreachable!("the signature admits no active tuples"),
        }
    }

    /// Declares the outputs: the floats of the result in order.
    fn results(&mut self, value: &Value, shape: &Shape, place: &impl Placed) {
        match (shape, value) {
            (_, Value::Error) => {}
            (shape, Value::Into(source)) => match self.converted_to(source, shape) {
                Some(value) => self.results(&value, shape, place),
                None => {
                    self.errors.at(place, "the conversion into this type is not known; construct it from its floats")
                }
            },
            (Shape::Vector(ty), value) => self.vector_results(value, ty, place),
            (Shape::Float(_), value) => {
                if let Some(id) = self.float(value, place) {
                    self.frame.list.output(id);
                }
            }
            (Shape::Array(element, length), Value::Array(elements)) if elements.len() == *length => {
                elements.iter().for_each(|value| self.results(value, element, place));
            }
            (Shape::Tuple(shapes), Value::Tuple(elements)) if elements.len() == shapes.len() => {
                shapes.iter().zip(elements.iter()).for_each(|(shape, value)| self.results(value, shape, place));
            }
            (Shape::Array(_, length), Value::Called(_)) => {
                if let Some(elements) = self.called_elements(value, *length, place) {
                    self.results(&Value::Array(elements.into()), shape, place);
                }
            }
            (Shape::Array(element, length), Value::Passive(passive)) => {
                let passive = &self.once(passive);
                for index in 0..*length {
                    let part = Value::Passive(element_of(passive, index));
                    self.results(&part, element, place);
                }
            }
            (Shape::Tuple(shapes), Value::Passive(passive)) => {
                let passive = &self.once(passive);
                for (index, shape) in shapes.iter().enumerate() {
                    self.results(&field_of(passive, index), shape, place);
                }
            }
            _ => self.errors.at(place, "the body does not return a value of this type"),
        }
    }

    /// The value as a float of the list. What is passive is captured. Anything else is an error at `place`.
    fn float(&mut self, value: &Value, place: &impl Placed) -> Option<ValueId> {
        match value {
            Value::Active(active) => Some(self.in_list(*active)),
            Value::Called(call) => self.called_float(*call, place),
            Value::Passive(passive) => match &passive.number {
                Some(number) => {
                    self.note_float(passive);
                    self.literal(number, place)
                }
                None => Some(self.capture(Kind::Float, passive)),
            },
            Value::Error => None,
            Value::Condition(_) => {
                self.errors.at(place, "a float is expected here, not a condition; use `if`");
                None
            }
            Value::Unset => {
                self.errors.at(place, "this has no value here");
                None
            }
            Value::Into(_) => {
                self.errors.at(place, INTO);
                None
            }
            _ => self.not_a_float(place),
        }
    }

    fn not_a_float(&mut self, place: &impl Placed) -> Option<ValueId> {
        self.errors.at(place, "a float is expected here; operate on the elements one by one");
        None
    }

    /// Notes that a known number is one of the function's floats. Where the list has it as a constant, no use of its variable
    /// may be left that says so, and its literal would be an `f64`.
    fn note_float(&mut self, passive: &Passive) {
        if let (Scalar::Primitive(Precision::F32), Some(TokenTree::Ident(variable))) =
            (&self.scalar, passive.tokens().clone().into_iter().next())
        {
            self.floats.entry(variable.to_string()).or_insert_with(|| passive.tokens().clone());
        }
    }

    fn literal(&mut self, number: &Number, place: &impl Placed) -> Option<ValueId> {
        let value = match (number, &self.scalar) {
            (Number::Bool(_) | Number::Table(_), _) => return self.not_a_float(place),
            (_, Scalar::Parameter(parameter)) => {
                let name = &parameter.name;
                let message =
                    format!("a literal is no `{name}`; write `{name}::from(2.0).unwrap()` or what its bounds offer");
                self.errors.at(place, message);
                return None;
            }
            (Number::Int(int), _) => int.value as f64,
            // Digits are rounded once, as the compiler does.
            (Number::Float(digits), Scalar::Primitive(Precision::F32)) => {
                digits.parse::<f32>().map_or(f64::NAN, f64::from)
            }
            (Number::Float(digits), _) => digits.parse().unwrap_or(f64::NAN),
        };
        Some(self.constant(Constant::Float(value)))
    }

    fn constant(&mut self, constant: Constant) -> ValueId {
        self.frame.constant(constant)
    }

    /// Adds a statement to the function's prologue, once, that compiles only where what is taken for granted holds.
    fn require(&mut self, key: String, statement: TokenStream) {
        if self.required.insert(key) {
            self.frame_at(0).line(Line::effect(statement));
        }
    }

    /// Adds a statement to the prologue.
    fn line(&mut self, line: Line) {
        self.frame.line(line);
    }

    /// What is used several times: a call is evaluated once, in a variable of the prologue.
    fn once(&mut self, passive: &Passive) -> Passive {
        match passive.has_call() && self.inline.is_none() {
            true => self.let_passive(&emitted(&quote::format_ident!("element")), passive, None),
            false => passive.clone(),
        }
    }

    /// What is evaluated here and not later, when a call may have changed what it reads.
    fn evaluated(&mut self, value: Value) -> Value {
        match value {
            Value::Passive(passive) if !passive.is_fixed() && self.inline.is_none() => {
                Value::Passive(self.let_passive(&emitted(&quote::format_ident!("value")), &passive, None))
            }
            Value::Array(elements) if elements.iter().any(Value::is_passive) => {
                Value::Array(elements.into_iter().map(|element| self.evaluated(element)).collect())
            }
            Value::Tuple(elements) => {
                Value::Tuple(elements.into_iter().map(|element| self.evaluated(element)).collect())
            }
            value => value,
        }
    }

    /// Evaluates expressions in the user's order; `first` is the value of an earlier one.
    fn in_order<'e>(
        &mut self,
        first: Option<(Value, OperandRole)>,
        expressions: impl IntoIterator<Item = &'e Expr>,
    ) -> Vec<Value> {
        let mut values: Vec<_> =
            first.into_iter().map(|(value, role)| (value, role, self.frame.code.lines.len())).collect();
        for expression in expressions {
            let value = self.expression(expression);
            values.push((value, OperandRole::Value, self.frame.code.lines.len()));
        }
        self.evaluated_in_order(values)
    }

    /// Values that have been evaluated in the user's order, each when the prologue had so many lines. What still waits to be
    /// evaluated although a later one has added to the prologue gets a variable in front of what that has added, if it
    /// calls something or if such a call could change it. So do calls that control leaves behind.
    fn evaluated_in_order(&mut self, mut values: Vec<(Value, OperandRole, usize)>) -> Vec<Value> {
        let is_left = self.exit.is_some();
        let grows = |place: usize, frame: &Frame| place < frame.code.lines.len() || is_left;
        if self.inline.is_none() && values.iter().any(|(_, _, place)| grows(*place, &self.frame)) {
            let are_numbers = values.iter().any(|(value, ..)| !value.is_passive());
            for (value, role, place) in values.iter_mut().rev() {
                if let Value::Passive(passive) = value
                    && grows(*place, &self.frame)
                    && (passive.has_call() || (are_numbers || *role == OperandRole::Value) && !passive.is_fixed())
                {
                    let later = self.frame.code.lines.split_off(*place);
                    *passive = self.let_passive(&emitted(&quote::format_ident!("operand")), passive, None);
                    self.frame.code.lines.extend(later);
                }
            }
        }
        values.into_iter().map(|(value, ..)| value).collect()
    }

    /// Evaluates a passive number or condition once, in the prologue, and enters it into the list.
    fn capture(&mut self, kind: Kind, passive: &Passive) -> ValueId {
        let source = passive.tokens().to_string();
        if let Some(id) = self.frame.captured(kind, &source).filter(|_| !passive.has_call()) {
            return id;
        }
        if kind == Kind::Bool && passive.is_fixed() {
            return self.frame.passive(kind, &source, passive.tokens().clone());
        }
        let name = self.names.fresh(&source.chars().take(24).collect::<String>().to_lowercase());
        let ty = match kind {
            Kind::Float => self.scalar.ty(),
            Kind::Int => quote_spanned!(Span::mixed_site()=> ::core::primitive::i32),
            Kind::Bool => quote_spanned!(Span::mixed_site()=> ::core::primitive::bool),
        };
        self.frame.capture(kind, source, name, ty, dereferenced(passive))
    }

    /// An operation on values of the present list.
    fn apply(&mut self, intrinsic: Intrinsic, dialect: Dialect, args: &[ValueId]) -> Value {
        let id = self.frame.list.apply(intrinsic, dialect, args);
        let active = Active { level: self.outer.len(), id };
        match intrinsic.row().gives {
            Kind::Bool => Value::Condition(active),
            Kind::Float | Kind::Int => Value::Active(active),
        }
    }

    /// A value of the present list.
    fn active(&self, id: ValueId) -> Value {
        Value::Active(Active { level: self.outer.len(), id })
    }

    /// The value in the present list that stands for `active`: in an arm, one from outside becomes an input.
    fn in_list(&mut self, active: Active) -> ValueId {
        let mut id = active.id;
        for level in active.level + 1..=self.outer.len() {
            let outer = &self.frame_at(level - 1).list;
            let (kind, name) = (outer.kind(id), outer.name(id).unwrap_or_default().to_string());
            id = self.frame_at(level).import(id, kind, &name);
        }
        id
    }

    fn frame_at(&mut self, level: usize) -> &mut Frame {
        match level == self.outer.len() {
            true => &mut self.frame,
            false => &mut self.outer[level],
        }
    }

    fn negate(&mut self, id: ValueId) -> Value {
        self.apply(known::NEG, Dialect::default(), &[id])
    }

    /// Reports an error and gives the value that stands for it.
    fn refuse(&mut self, place: &impl Placed, message: impl std::fmt::Display) -> Value {
        self.errors.at(place, message);
        Value::Error
    }
}

/// The most statements of the prologue, where each block of them is one: they are a sequence of `let`s, too.
const MAX_PASSIVE: usize = 1_000;

/// What becomes of an operand.
#[derive(Copy, Clone, PartialEq, Eq)]
enum OperandRole {
    /// It is copied, or moved.
    Value,
    /// It may stay where it is: a receiver of a method, what is indexed, what is compared.
    Place,
}

/// The field at `index` of a passive tuple.
fn field_of(passive: &Passive, index: usize) -> Value {
    let tuple = passive.operand();
    let index = syn::Index::from(index);
    Value::Passive(Passive::simple(quote!(#tuple.#index)))
}

/// The float behind the references that the shape of a passive value tells of.
fn dereferenced(passive: &Passive) -> TokenStream {
    let mut stars = TokenStream::new();
    let mut shape = passive.shape.as_ref();
    while let Some(Shape::Reference(target)) = shape {
        stars.extend(quote!(*));
        shape = Some(target);
    }
    let value = if stars.is_empty() { passive.tokens().clone() } else { passive.operand() };
    match passive.may_refer {
        true => quote!(#value.clone()),
        false => quote!(#stars #value),
    }
}
