//! Lowering: the body of a function in, its code list out (the algorithm "Flattening Basic Blocks" of the xaifbooster
//! manual). Each operation on active values becomes a statement; a variable stands for the statement that computed
//! its value last, so that one that is overwritten gets a new statement and nothing is lost.
//!
//! What depends on no active value is not lowered. It is kept as the user wrote it: an opaque statement of the list, in
//! its place, whose tokens are in [`Code`]. Variables in it bear new names, each of which is declared once, so that scopes
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
mod generics;
mod hidden;
mod infer;
mod inline;
mod integer;
mod items;
mod kept;
mod loops;
mod macros;
mod matched;
mod merge;
mod names;
mod number;
mod output;
mod pattern;
mod place;
mod range;
mod settle;
mod statement;
mod value;
mod vector;
mod with;
mod written;

use std::collections::{BTreeSet, HashMap, HashSet};
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
use self::frame::{Frame, Reserved};
use self::infer::{Literals, Untold};
use self::integer::TypeTable;
use self::loops::Trips;

use self::number::Number;
use self::value::{Active, Passive, Value, Vector, has_call};
use super::diagnostics::Errors;
use super::module::Module;
use super::read::options::{Options, With};
use super::read::scalar::Scalar;
use super::read::shape::Shape;
use super::read::signature::{Parameter, Role, Signature};
use super::refuse;
use super::syntax::{self, Block, Body, ConstantId, Expr, ExprKind, ImportId, Pattern, Place, Placed, Statement, Type};

pub use self::call::Form;
pub use self::code::{Argument, ArmCode, Branch, Call, Code, Head, Line, Returned, Written};
pub use self::names::{Names, each_identifier, emitted};

/// A function that is lowered.
pub struct Lowered {
    /// The function.
    pub list: CodeList,
    /// How its blocks are written.
    pub code: Code,
    /// The expression of each input of the list.
    pub inputs: Vec<TokenStream>,
    /// How calls are written, by dialect.
    pub forms: Vec<Form>,
    /// The names in use.
    pub names: Names,
}

/// Lowers `function`. What it returns is of use only if no error has been reported.
pub fn lower(
    function: &ItemFn,
    signature: &Signature,
    options: &Options,
    module: &Module,
    errors: &mut Errors,
) -> Lowered {
    let mut names = Names::avoiding(function.to_token_stream());
    for parameter in &signature.parameters {
        names.reserve(&parameter.name.to_string());
    }
    // In the pattern of a `let`, they would be no variables.
    for constant in &module.items().constants {
        names.reserve(constant);
    }
    let body = Rc::new(syntax::function(function, module.items()));
    let mut bindings = Bindings::default();
    let activation = bindings.activate(&body, None);
    let (mut literals, mut types) = (Literals::default(), TypeTable::default());
    literals.infer(&body, &mut types, (module, &options.with), &signature.scalar, false);
    let mut lowering = Lowering {
        scalar: signature.scalar.clone(),
        frame: Frame::new(signature.scalar.precision(), 0),
        code: Code::default(),
        outer: Vec::new(),
        bindings,
        activation,
        inputs: Vec::new(),
        outputs: Vec::new(),
        required: HashSet::new(),
        forms: vec![Form::Method],
        names,
        numbers: HashSet::new(),
        types,
        literals,
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
        constant_names: HashMap::new(),
        local_items: HashMap::new(),
        imports: HashMap::new(),
        bodies: HashMap::new(),
        outermost: body.clone(),
        hoisted: HashSet::new(),
        outside: body.outside.clone(),
        functions: vec![function.sig.ident.to_string()],
        errors,
    };
    if options.wrt.is_none() {
        lowering.require_no_floats(signature);
    }
    lowering.function(function, signature);
    Lowered {
        list: lowering.frame.list,
        code: lowering.code,
        inputs: lowering.inputs,
        forms: lowering.forms,
        names: lowering.names,
    }
}

struct Lowering<'a> {
    /// The type of all floats.
    scalar: Scalar,
    /// The code list to which statements are added at present.
    frame: Frame,
    /// Those around it, the function's own first.
    outer: Vec<Frame>,
    code: Code,
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
    /// The variables of passive statements that are known to be numbers.
    numbers: HashSet<String>,
    /// What is known of the types of integers.
    types: TypeTable,
    /// The types of the literals in the functions.
    literals: Literals,
    /// Why statements are refused here, if they are: they cannot stand in this place.
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
    /// What these constants are called in the generated code.
    constant_names: HashMap<(usize, ConstantId), Ident>,
    /// What other items inside of functions are called in the generated code, by the address of the item.
    local_items: HashMap<usize, Ident>,
    /// What imported names are called in the generated code.
    imports: HashMap<(usize, ImportId), Ident>,
    /// The body of the function that is differentiated.
    outermost: Rc<Body>,
    /// The functions of the module that have been inlined.
    bodies: HashMap<String, Rc<Body>>,
    /// The names of the items in the user's functions.
    hoisted: HashSet<String>,
    /// The names that mean something outside of the functions that are lowered.
    outside: HashSet<String>,
    /// The functions whose bodies are around this place, the outermost first.
    functions: Vec<String>,
    errors: &'a mut Errors,
}

impl Lowering<'_> {
    fn function(&mut self, function: &ItemFn, signature: &Signature) {
        if let Some(statement) = self.scalar.require_copy() {
            self.line(Line::effect(statement));
        }
        self.require_vectors(&signature.vectors());
        let body = self.activation.body.clone();
        self.import_all();
        let mut inputs: HashMap<_, _> =
            signature.active().map(|parameter| (&parameter.name, self.active_parameter(parameter))).collect();
        for (parameter, (pattern, ty)) in signature.parameters.iter().zip(&body.parameters) {
            match inputs.remove(&parameter.name) {
                Some(value) => self.bind_parameter(pattern, ty, value),
                None => self.parameter(parameter, pattern, ty),
            }
        }
        let value = self.body(&body.block);
        let outputs = self.output_values();
        if let Some(Exit::Panic) = self.exit {
            self.errors.at(&self.jump, refuse::ALWAYS_PANICS);
        }
        // What is missing after an error is not reported again.
        if self.errors.is_empty()
            && signature.has_value()
            && let Value::Tuple(elements) = &value
            && elements.is_empty()
        {
            self.errors.at(&function.sig.output, no_value(&body.block));
        }
        if self.errors.is_empty() {
            self.close_types();
            self.results(&value, &signature.result, &function.sig.output);
            self.output_results(signature, &outputs);
        }
    }

    /// Makes sure that the types of literals are those which they have in the user's function.
    fn close_types(&mut self) {
        for untold in self.literals.open.untold(&mut self.types) {
            match untold {
                Untold::Literal(literal) => self.errors.at(&literal, refuse::UNTOLD_TYPE),
                Untold::Function(path, args) => {
                    let args = vec![quote!(_); args];
                    self.require(path.to_string(), quote!(let _: fn(#(#args),*) -> _ = #path;));
                }
            }
        }
    }

    /// The inputs for an active parameter.
    fn active_parameter(&mut self, parameter: &Parameter) -> Value {
        let name = emitted(&parameter.name);
        match &parameter.shape {
            Some(shape) => self.input(shape, quote!(#name), &parameter.name.to_string()),
            None => Value::Error,
        }
    }

    fn parameter(&mut self, parameter: &Parameter, pattern: &Pattern, ty: &Type) {
        let name = emitted(&parameter.name);
        let value = match &parameter.shape {
            Some(shape) if parameter.role == Role::Output => return self.output(pattern, ty, shape),
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
                Shape::Vector(_) => self.input(target, tokens, name),
                Shape::Array(..) => {
                    let target = self.input(target, tokens, name);
                    self.shared(target)
                }
                _ => {
                    let target = self.input(target, quote!((*#tokens)), name);
                    self.shared(target)
                }
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
                None => self.errors.at(place, refuse::CONVERSION),
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
            _ => self.errors.at(place, refuse::OTHER_RESULT),
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
                self.errors.at(place, refuse::CONDITION_AS_FLOAT);
                None
            }
            Value::Unset => {
                self.errors.at(place, refuse::UNASSIGNED);
                None
            }
            Value::Into(_) => {
                self.errors.at(place, refuse::INTO);
                None
            }
            _ => self.not_a_float(place),
        }
    }

    fn not_a_float(&mut self, place: &impl Placed) -> Option<ValueId> {
        self.errors.at(place, refuse::NOT_A_FLOAT);
        None
    }

    /// Says behind the declaration of a known number that it is one of the function's floats. Where the list has it as a
    /// constant, no use of its variable may be left that says so, and its literal would be an `f64`.
    fn note_float(&mut self, passive: &Passive) {
        if let (Scalar::Primitive(Precision::F32), Some(TokenTree::Ident(variable))) =
            (&self.scalar, passive.tokens().clone().into_iter().next())
            && let Some(declared) = self.variable_named(&variable.to_string())
        {
            let list = &self.frame_at(declared.level).list;
            let origin = list.args(declared.id).next().map(|block| list.block_of(block).origin);
            let (ty, float) = (self.scalar.ty(), passive.tokens());
            if let Some(Written::Line(line)) = origin.map(|origin| self.code.at_mut(origin)) {
                line.note(quote!(let _: #ty = #float;));
            }
        }
    }

    fn literal(&mut self, number: &Number, place: &impl Placed) -> Option<ValueId> {
        let value = match (number, &self.scalar) {
            (Number::Bool(_) | Number::Table(_), _) => return self.not_a_float(place),
            (_, Scalar::Parameter(parameter)) => {
                let name = &parameter.name;
                self.errors.at(place, refuse::literal_of_parameter(name));
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

    /// Adds a statement to the function's body, once, that compiles only where what is taken for granted holds.
    fn require(&mut self, key: String, statement: TokenStream) {
        if self.required.insert(key) {
            self.line_at(0, Line::effect(statement), Kind::Opaque, Vec::new());
        }
    }

    /// Adds a passive statement.
    fn line(&mut self, line: Line) {
        let args = self.read_by([line.tokens()]);
        self.line_at(self.outer.len(), line, Kind::Opaque, args);
    }

    /// Adds a passive statement that reads `args` and declares variables of this kind to the list with so many around it.
    fn line_at(&mut self, level: usize, line: Line, kind: Kind, args: Vec<ValueId>) {
        let gives = vec![kind; line.names().len()];
        if level == self.outer.len() && self.frame.lacks_beginning(&line) {
            self.frame.begin(self.code.add(Written::Open));
        }
        let origin = self.code.next();
        self.frame_at(level).line(&line, args, gives, origin);
        self.code.add(Written::Line(line));
    }

    /// A passive expression as a value of the list; it is written where that is used.
    fn passive_operand(&mut self, kind: Kind, name: &str, tokens: TokenStream) -> ValueId {
        let (args, is_kept) = (self.read_by([&tokens]), has_call(tokens.clone()));
        let origin = self.code.add(Written::Operand(tokens));
        self.frame.operand(kind, name, args, is_kept, origin)
    }

    /// The values of the present list that passive pieces of code read: those of the variables that they mention.
    fn read_by<'t>(&mut self, pieces: impl IntoIterator<Item = &'t TokenStream>) -> Vec<ValueId> {
        let mut read = BTreeSet::new();
        for tokens in pieces {
            each_identifier(tokens.clone(), &mut |ident| {
                let variable = self.variable_named(&ident.to_string());
                read.extend(variable.map(|variable| self.in_list(variable)));
            });
        }
        read.into_iter().collect()
    }

    /// The value of the variable of the generated code with this name that is declared here or around.
    fn variable_named(&self, name: &str) -> Option<Active> {
        let found = |level: usize, frame: &Frame| Some(Active::of(level, frame.variable(name)?));
        let around = || self.outer.iter().enumerate().rev().find_map(|(level, frame)| found(level, frame));
        found(self.outer.len(), &self.frame).or_else(around)
    }

    /// What is used several times: a call is evaluated once, in a variable.
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
        let expressions: Vec<_> = expressions.into_iter().collect();
        let mut left = expressions.iter().filter(|expression| !is_silent(expression)).count();
        let mut values: Vec<_> =
            first.into_iter().map(|(value, role)| self.evaluated_here(value, role, left > 0)).collect();
        for expression in expressions {
            let value = self.expression(expression);
            left -= usize::from(!is_silent(expression));
            values.push(self.evaluated_here(value, OperandRole::Value, left > 0));
        }
        self.evaluated_in_order(values)
    }

    /// A value that has just been evaluated. If another statement may come before it is used, a place is reserved for it.
    fn evaluated_here(&mut self, value: Value, role: OperandRole, is_overtaken: bool) -> Operand {
        let may_wait = matches!(&value, Value::Passive(passive) if passive.has_call() || !passive.is_fixed());
        let place = (may_wait && is_overtaken && self.inline.is_none()).then(|| {
            let origin = self.code.add(Written::Operand(TokenStream::new()));
            self.frame.reserve(origin)
        });
        Operand { value, role, place, lines: self.frame.lines() }
    }

    /// Values that have been evaluated in the user's order. What still waits to be evaluated although a later one has added
    /// statements gets a variable in front of these, if it calls something or if such a call could change it. So do calls
    /// that control leaves behind.
    fn evaluated_in_order(&mut self, mut operands: Vec<Operand>) -> Vec<Value> {
        let (lines, is_left) = (self.frame.lines(), self.exit.is_some());
        let grows = |operand: &Operand| operand.lines < lines && operand.place.is_some() || is_left;
        if self.inline.is_none() && operands.iter().any(grows) {
            let are_numbers = operands.iter().any(|operand| !operand.value.is_passive());
            for operand in operands.iter_mut().filter(|operand| grows(operand)).rev() {
                if let Value::Passive(passive) = &mut operand.value
                    && (passive.has_call()
                        || (are_numbers || operand.role == OperandRole::Value) && !passive.is_fixed())
                {
                    let (line, settled) = self.declaration(&emitted(&quote::format_ident!("operand")), passive, None);
                    *passive = settled;
                    match operand.place {
                        Some(place) => self.fill(place, line),
                        None => self.line(line),
                    }
                }
            }
        }
        operands.into_iter().map(|operand| operand.value).collect()
    }

    /// Puts the declaration of a variable where a place is reserved for it.
    fn fill(&mut self, place: Reserved, line: Line) {
        let args = self.read_by([line.tokens()]);
        self.frame.fill(place, &line, args);
        *self.code.at_mut(self.frame.origin(place)) = Written::Line(line);
    }

    /// Evaluates a passive number or condition once, and enters it into the list.
    fn capture(&mut self, kind: Kind, passive: &Passive) -> ValueId {
        let source = passive.tokens().to_string();
        if passive.is_variable() {
            self.numbers.insert(source.clone());
        }
        if let Some(id) = self.frame.captured(kind, &source).filter(|_| !passive.has_call()) {
            return id;
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
        let value = dereferenced(passive);
        let args = self.read_by([&value]);
        self.line_at(self.outer.len(), Line::number(&name, &ty, &value), kind, args);
        let id = self.frame.variable(&name.to_string()).expect("it was declared above");
        if !has_call(value) {
            self.frame.capture(kind, source, id);
        }
        id
    }

    /// An operation on values of the present list.
    fn apply(&mut self, intrinsic: Intrinsic, dialect: Dialect, args: &[ValueId]) -> Value {
        let id = self.frame.list.apply(intrinsic, dialect, args);
        let active = Active::of(self.outer.len(), id);
        match intrinsic.row().gives {
            Kind::Bool => Value::Condition(active),
            Kind::Float | Kind::Int | Kind::Opaque => Value::Active(active),
        }
    }

    /// A value of the present list.
    fn active(&self, id: ValueId) -> Value {
        Value::Active(Active::of(self.outer.len(), id))
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

/// What becomes of an operand.
#[derive(Copy, Clone, PartialEq, Eq)]
enum OperandRole {
    /// It is copied, or moved.
    Value,
    /// It may stay where it is: a receiver of a method, what is indexed, what is compared.
    Place,
}

/// An operand that has been evaluated.
struct Operand {
    value: Value,
    role: OperandRole,
    /// The place for a variable that holds it, if it may need one.
    place: Option<Reserved>,
    /// How many statements of the user had run before.
    lines: usize,
}

/// Whether an expression surely adds no statement.
fn is_silent(expression: &Expr) -> bool {
    match &*expression.kind {
        ExprKind::Variable(..) | ExprKind::Path(_) | ExprKind::Literal(_) => true,
        ExprKind::Field(inner, _) | ExprKind::Paren(inner) | ExprKind::Shared(inner) => is_silent(inner),
        ExprKind::Index(base, index) => is_silent(base) && is_silent(index),
        _ => false,
    }
}

/// Why a body that gives no value is refused.
fn no_value(body: &Block) -> &'static str {
    match body.statements.last() {
        Some(Statement::Expr(last, false)) => match &*last.kind {
            ExprKind::Assign(..) | ExprKind::Update(..) | ExprKind::For(_) | ExprKind::While(_) => refuse::NO_VALUE,
            _ => refuse::NO_VALUE_SEMICOLON,
        },
        _ => refuse::NO_VALUE,
    }
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
