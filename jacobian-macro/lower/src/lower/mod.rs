//! Lowering: the body of a function in, its code list out (the algorithm "Flattening Basic Blocks" of the xaifbooster
//! manual). Each operation on active values becomes a statement; a variable stands for the statement that computed
//! its value last, so that one that is overwritten gets a new statement and nothing is lost.
//!
//! What depends on no active value is not lowered. It is kept as the user wrote it: an opaque statement of the list, in
//! its place, whose tokens are in [`Code`]. Variables in it bear new names, each of which is declared once, so that
//! scopes and shadowing need not be kept.
//!
//! Everything that is not understood is reported where it is, and ends its statement ([`Stop::Refused`]).

mod array;
mod assign;
mod bindings;
mod branch;
mod budget;
mod by_traits;
mod call;
mod change;
mod changed;
mod closure;
mod constant;
mod control;
mod expected;
mod expression;
mod fold;
mod generics;
mod held;
mod hidden;
mod inline;
mod items;
mod kept;
mod leave;
mod let_binding;
mod loops;
mod macros;
mod matched;
mod memory;
mod merge;
mod numbers;
mod observe;
mod operands;
mod optional;
mod output;
mod partials;
mod pattern;
mod place;
mod program;
mod range;
mod record;
mod repeat;
mod resize;
mod roll;
mod select;
mod statement;
mod structs;
mod then;
mod unreached;
mod value;
mod vector;
mod window;
mod with;
mod written;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use jacobian_list::CodeList;
use jacobian_list::code_list::{Constant, Kind, Precision, ValueId};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{ItemFn, ReceiverKind};

use self::array::element_of;
use self::bindings::{Activation, Binding, Bindings};
use self::budget::Budget;
use self::control::{Exit, Flow, Stop};
use self::expected::Expected;
use self::loops::Iterations;
use self::numbers::infer::Untold;
use self::numbers::{Number, Numbers};
use self::program::Program;
use self::roll::{Choices, MAX_ITERATIONS, MAX_WRITTEN_OUT};
use self::value::{Elements, Passive, Value, Vector};
use self::written::Hoisted;
use super::diagnostics::Errors;
use super::module::Surroundings;
use super::names::{self, Names, each_identifier, emitted};
use super::read::options::{Options, Unroll};
use super::read::scalar::Scalar;
use super::read::shape::Shape;
use super::read::signature::{Parameter, Signature};
use super::read::ty::is_shared_reference;
use super::read::with::With;
use super::refuse;
use super::syntax::{self, Block, Body, Collections, ExprKind, Pattern, Place, Placed, Statement, TargetId, Type};

pub use self::call::Notation;
pub use self::program::{Argument, ArmCode, Branch, Call, Code, Head, Line, LoopHead, Returned, Source, Written};

/// A function that is lowered.
pub struct Lowered {
    /// The function.
    pub list: CodeList,
    /// Where its statements are from: each place with how many there were at its end.
    pub places: Vec<(usize, Place)>,
    /// How its blocks are written.
    pub code: Code,
    /// The expression of each input of the list.
    pub inputs: Vec<TokenStream>,
    /// How calls are written, by `NotationId`.
    pub notations: Vec<Notation>,
    /// The names in use.
    pub names: Names,
    /// The variables that hold what parameters refer to before they are changed, and these parameters.
    pub before: Vec<(Ident, Ident)>,
    /// The lints that the functions allow which are inlined.
    pub lints: Vec<TokenStream>,
    /// The names that patterns of the user bind in the generated code, by the numbers of their variables.
    pub bound: BTreeMap<usize, String>,
    /// The most statements that would have been made of something by unrolling it which has stayed a loop; 0 where all
    /// is unrolled that could be.
    pub unrolled: usize,
}

impl Lowered {
    /// The number of its statements, those in blocks included.
    fn length(&self) -> usize {
        self.list.statements().len() + self.list.inner_length()
    }
}

/// Lowers `function`. What it returns is of use only if no error has been reported. Where it is refused, and it or a
/// function that is inlined has `Vec`s, these may hold active values: they are taken for arrays then. Where it is long,
/// short loops stay loops, too, if they can and that makes it much shorter.
pub fn lower(
    function: &ItemFn,
    signature: &Signature,
    options: &Options,
    module: &dyn Surroundings,
    errors: &mut Errors,
) -> Lowered {
    let source = (function, signature, options, module);
    let lowered = lower_written_out(source, MAX_ITERATIONS, errors);
    if lowered.length() <= MAX_WRITTEN_OUT || options.unroll != Unroll::Auto || !errors.is_empty() {
        return lowered;
    }
    let mut others = Errors::default();
    let rolled = lower_written_out(source, 1, &mut others);
    if others.is_empty() && rolled.length() <= lowered.length() / 2 { rolled } else { lowered }
}

/// Lowers a function, in which loops of so many iterations are unrolled, with its `Vec`s as they are or as arrays.
fn lower_written_out(source: Task<'_>, most_iterations: usize, errors: &mut Errors) -> Lowered {
    let (.., module) = source;
    let mut reported = Errors::default();
    let (lowered, has_collections) = lower_decided((Collections::Kept, most_iterations), source, &mut reported);
    // What traits give arrays, they may not give a `Vec`.
    let may_be_arrays = has_collections && !module.declared().methods().has_any_built();
    if may_be_arrays && !reported.is_empty() {
        let mut others = Errors::default();
        let (second, _) = lower_decided((Collections::Arrays, most_iterations), source, &mut others);
        // What an array cannot do either is why it is refused.
        if others.is_empty() || reported.has(refuse::VEC_MACRO) || reported.has(refuse::COLLECTION) {
            errors.append(others);
            return second;
        }
    }
    errors.append(reported);
    lowered
}

/// Lowers a function in which variants of enums and parts of constants are known; where it is refused, they are not: by
/// the value of a constant that may be changed, a function may always panic, or an integer have no value in a branch.
fn lower_decided(how: (Collections, usize), source: Task<'_>, errors: &mut Errors) -> (Lowered, bool) {
    let mut reported = Errors::default();
    let (lowered, seen) = lower_with(how, true, source, &mut reported);
    if seen.decided && !reported.is_empty() {
        let mut others = Errors::default();
        let (second, seen) = lower_with(how, false, source, &mut others);
        if others.is_empty() {
            return (second, seen.collections);
        }
    }
    errors.append(reported);
    (lowered, seen.collections)
}

/// What there is in a function, or in what is inlined.
struct Seen {
    /// Whether there may be `Vec`s.
    collections: bool,
    /// Whether variants or parts of constants are known.
    decided: bool,
}

/// The function that is lowered, and what is known of it.
type Task<'t> = (&'t ItemFn, &'t Signature, &'t Options, &'t dyn Surroundings);

/// Lowers a function.
fn lower_with(
    (collections, most_iterations): (Collections, usize),
    decides: bool,
    (function, signature, options, module): Task<'_>,
    errors: &mut Errors,
) -> (Lowered, Seen) {
    let mut names = Names::avoiding(function);
    for parameter in &signature.parameters {
        names.reserve(&parameter.name.to_string());
    }
    // In the pattern of a `let`, those of constants would be no variables, nor may what is imported be one.
    // A function that is mentioned again may stay in the code: a variable of its name would be read as it, though the
    // compiler tells them apart.
    let repeated = names::repeated(&function.block);
    let is_free = |name: &&String| module.declared().has_function(name) && !repeated.contains(*name);
    module.declared().items().names.iter().filter(|name| !is_free(name)).for_each(|name| names.reserve(name));
    let body = Rc::new(syntax::function(function, module.declared().items(), collections));
    let mut bindings = Bindings::default();
    let activation = bindings.activate(&body, None);
    let mut numbers = Numbers::new(&signature.scalar);
    numbers.infer(&body, (module.declared(), &options.with), false);
    let mut lowering = Lowering {
        scalar: signature.scalar.clone(),
        program: Program::new(&signature.scalar, names),
        numbers,
        bindings,
        activation,
        outputs: Vec::new(),
        inline: None,
        matched: signature.parameters.iter().map(|parameter| parameter.name.to_string()).collect(),
        iterations: Vec::new(),
        trial: None,
        returned: Expected::Shape(signature.result.clone()),
        given: Vec::new(),
        loops: 0,
        leaves: body.fallible.is_some(),
        tried: Vec::new(),
        ways: Vec::new(),
        depth: 0,
        budget: Budget::default(),
        with: &options.with,
        always_inlined: always_inlined(options, module, errors),
        unroll: options.unroll,
        most_iterations,
        collections,
        has_collections: body.has_collections,
        decides,
        has_decided: false,
        is_tested: false,
        known_calls: HashMap::new(),
        rows: signature.rows(),
        choices: Choices::ANY,
        module,
        hoisted: Hoisted { outside: outside(&body, &options.with), ..Hoisted::default() },
        bodies: HashMap::new(),
        outermost: body.clone(),
        functions: vec![function.sig.ident.to_string()],
        nalgebra: signature.vector_prefix(),
        inner_functions: Vec::new(),
        is_second_order: options.is_second_order(),
        partials: 0,
        errors,
    };
    if options.wrt.is_none() {
        lowering.require_no_floats(signature);
    }
    if lowering.function(function, signature).is_err() && lowering.errors.is_empty() {
        lowering.errors.at(&function.sig.ident, refuse::UNKNOWN_REASON);
    }
    let seen = Seen { collections: lowering.has_collections, decided: lowering.has_decided };
    (lowering.program.finish(), seen)
}

/// The functions that the options say are inlined, which must be some of the module.
fn always_inlined(options: &Options, module: &dyn Surroundings, errors: &mut Errors) -> HashSet<String> {
    let mut names = HashSet::new();
    for path in &options.inline {
        match path
            .get_ident()
            .map(|name| name.unraw().to_string())
            .filter(|name| module.declared().function(name).is_some())
        {
            Some(name) => drop(names.insert(name)),
            None => errors.at(path, refuse::INLINE_OTHER),
        }
    }
    names
}

/// The names that mean something outside of a function: those in it, and those of the functions that have a Jacobian of
/// their own, of these Jacobians, and in partials, which its outermost block may import.
fn outside(body: &Body, with: &[With]) -> HashSet<String> {
    let first = |path: &syn::Path| path.segments.first().map(|first| first.ident.unraw().to_string());
    let mut named = body.outside.clone();
    for path in with.iter().flat_map(With::functions) {
        let is_imported = |name: &String| {
            let mut imports = body.imports.iter().filter(|import| !import.is_inner);
            imports.any(|import| import.ident.as_ref().is_some_and(|ident| ident.unraw() == name))
        };
        named.extend(first(path).filter(|name| !is_imported(name)));
    }
    for partials in with.iter().filter_map(With::partials) {
        partials.iter().for_each(|partial| {
            each_identifier(partial.to_token_stream(), &mut |name| {
                named.insert(name.unraw().to_string());
            })
        });
    }
    named
}

struct Lowering<'a> {
    /// The type of all floats.
    scalar: Scalar,
    program: Program,
    numbers: Numbers,
    bindings: Bindings,
    /// The function whose body is lowered at present.
    activation: Rc<Activation>,
    /// The numbers of the variables that are outputs.
    outputs: Vec<usize>,
    /// Why statements are refused here, if they are: they cannot be in this place.
    inline: Option<&'static str>,
    /// Whether the function has second derivatives.
    is_second_order: bool,
    /// How many partials this place is in, one within the other.
    partials: u8,
    /// The names that parameters and, around this place, patterns bind in the generated code.
    matched: Vec<String>,
    /// The iterations that are left of the loops around this place.
    iterations: Vec<Iterations>,
    /// The iteration that is lowered on trial to find out what it holds.
    trial: Option<held::Trial>,
    /// What the function or the closure is expected to return.
    returned: Expected,
    /// What the blocks with labels around this place are expected to give.
    given: Vec<(TargetId, Expected)>,
    /// The number of loops around this place that are not unrolled.
    loops: usize,
    /// Whether what leaves the function around this place, by `None` or an `Err`, leaves the generated function.
    leaves: bool,
    /// The calls around this place with a `?` after them.
    tried: Vec<leave::Tried>,
    /// How an error goes on that leaves the functions which are inlined here, of the outermost first.
    ways: Vec<leave::Way>,
    /// How deep expressions nest at present.
    depth: usize,
    budget: Budget,
    /// The functions that have a Jacobian of their own.
    with: &'a [With],
    /// The functions of the module that are inlined wherever they are called.
    always_inlined: HashSet<String>,
    /// Which loops of known length are unrolled.
    unroll: Unroll,
    /// The most iterations of a loop that is unrolled whatever its body is.
    most_iterations: usize,
    collections: Collections,
    /// Whether there may be `Vec`s in the function, or in what is inlined.
    has_collections: bool,
    /// Whether variants of enums and parts of constants are known.
    decides: bool,
    /// Whether some were.
    has_decided: bool,
    /// Whether it is known of what is bound at present that it matches its pattern.
    is_tested: bool,
    /// What functions of the module give, by their addresses and what their arguments are.
    known_calls: HashMap<(usize, String), Option<Number>>,
    /// The number of floats that the function gives.
    rows: usize,
    choices: Choices,
    /// The functions that may be inlined.
    module: &'a dyn Surroundings,
    hoisted: Hoisted,
    /// The body of the function that is differentiated.
    outermost: Rc<Body>,
    /// The bodies that have been inlined.
    bodies: HashMap<Inlinable, Rc<Body>>,
    /// The functions whose bodies are around this place, the outermost first.
    functions: Vec<String>,
    /// The path before the names of nalgebra.
    nalgebra: TokenStream,
    /// The functions that are declared inside of the generated one, by what they do.
    inner_functions: Vec<(String, Ident)>,
    errors: &'a mut Errors,
}

/// What a body that is read once is read from.
#[derive(PartialEq, Eq, Hash)]
enum Inlinable {
    /// A function of the module, by its address.
    Function(usize),
    /// A text that is no function of the user's.
    Text(String),
}

impl Lowering<'_> {
    fn function(&mut self, function: &ItemFn, signature: &Signature) -> Flow<()> {
        if let Some(statement) = self.scalar.require_copy() {
            self.program.line(Line::effect(statement));
        }
        self.require_vectors(&signature.vectors());
        let body = self.activation.body.clone();
        self.import_all()?;
        let mut values = HashMap::new();
        let active = signature.active();
        let mut inputs = Vec::with_capacity(active.len());
        for active in active {
            let tokens = match signature.outputs().any(|output| emitted(&output.name) == active.root) {
                true => self.program.before(&active.root).into_token_stream(),
                false => active.tokens(),
            };
            inputs.push(self.input(&active.shape, tokens, &active.name));
        }
        values.extend(self.records(signature, &inputs).into_iter().map(|(root, it)| (root, Value::Record(it.into()))));
        values.extend(self.partly_active(signature, &inputs));
        let whole = active.iter().zip(inputs).filter(|(active, _)| active.fields.is_empty());
        values.extend(whole.map(|(active, input)| (active.root.to_string(), input)));
        if let Some((id, ident)) = &body.receiver {
            let value = values.remove("self").unwrap_or_else(|| {
                let receiver = Passive::simple(quote!(#ident)).settled().shared(is_shared_receiver(function));
                Value::Passive(receiver.with_shape(signature.receiver.clone()))
            });
            let level = self.program.level();
            self.bindings.declare(self.activation.number(*id), Binding { value, ty: None, level });
        }
        let mut bound = Ok(());
        for (parameter, (pattern, ty)) in signature.parameters.iter().zip(&body.parameters) {
            let parameter = match values.remove(&emitted(&parameter.name).to_string()) {
                Some(value) if parameter.role.is_output() => {
                    self.output(pattern, ty, value);
                    Ok(())
                }
                Some(value) => self.bind_parameter(pattern, ty, value),
                None => self.parameter(parameter, pattern, ty),
            };
            bound = bound.and(parameter);
        }
        let value = match self.body(&body.block, |_| Ok(())).map_err(|stop| *stop) {
            Err(Stop::Jump(Exit::Panic, place)) => self.refuse(&place, refuse::ALWAYS_PANICS),
            value => value.map_err(Box::new),
        };
        bound?;
        let value = value?;
        // What is missing after an error is not reported again.
        if !self.errors.is_empty() {
            return Ok(());
        }
        if let Value::Tuple(elements) = &value
            && elements.is_empty()
            && signature.has_value()
        {
            return self.refuse(&function.sig.output, no_value(&body.block));
        }
        self.close_types();
        let result = self.results(&value, &signature.result, &function.sig.output);
        self.output_results(signature).and(result)
    }

    /// Makes sure that the types of literals are those which they have in the user's function.
    fn close_types(&mut self) {
        for untold in self.numbers.literals.open.untold(&mut self.numbers.types) {
            match untold {
                Untold::Literal(literal) => self.errors.at(&literal, refuse::UNTOLD_TYPE),
                Untold::Function(path, args) => {
                    let args = vec![quote!(_); args];
                    self.program.require(path.to_string(), quote!(let _: fn(#(#args),*) -> _ = #path;));
                }
            }
        }
    }

    fn parameter(&mut self, parameter: &Parameter, pattern: &Pattern, ty: &Type) -> Flow<()> {
        let name = emitted(&parameter.name);
        let value = match &parameter.shape {
            Some(shape) if parameter.role.is_output() => {
                self.output(pattern, ty, output::unset(shape));
                return Ok(());
            }
            shape => {
                let shape = shape.clone().or_else(|| self.passive_shape_of(ty));
                let is_shared = is_shared_reference(&parameter.ty);
                Value::Passive(Passive::simple(quote!(#name)).settled().shared(is_shared).with_shape(shape))
            }
        };
        self.bind_parameter(pattern, ty, value)
    }

    /// The inputs for an active parameter: `tokens` is the place of this part of it, `name` what readers call it.
    fn input(&mut self, shape: &Shape, tokens: TokenStream, name: &str) -> Value {
        match shape {
            Shape::Float(_) => {
                self.program.inputs.push(tokens);
                let id = self.program.frame.list.input(name.trim_start_matches("r#"));
                self.program.active(id)
            }
            Shape::Reference(target) => match &**target {
                Shape::Vector(_) => self.input(target, tokens, name),
                Shape::Array(..) | Shape::Struct(_) => {
                    let target = self.input(target, tokens, name);
                    self.shared(target)
                }
                _ => {
                    let target = self.input(target, quote!((*#tokens)), name);
                    self.shared(target)
                }
            },
            Shape::Opaque(_) => Value::Passive(Passive::simple(tokens).with_shape(Some(shape.clone()))),
            Shape::Passive(_) | Shape::Items(_) | Shape::Option(_) | Shape::Result(_) => {
                Value::Passive(Passive::simple(tokens))
            }
            Shape::Struct(own) => {
                self.require_struct(own);
                let mut fields = Vec::with_capacity(own.fields.len());
                for field in &own.fields {
                    let member = &field.member;
                    fields.push(self.input(&field.shape, quote!(#tokens.#member), &format!("{name}.{}", field.name())));
                }
                Value::Tuple(Elements::of_struct(fields, own))
            }
            Shape::Tuple(shapes) => {
                let mut elements = Vec::with_capacity(shapes.len());
                for (index, shape) in shapes.iter().enumerate() {
                    let literal = proc_macro2::Literal::usize_unsuffixed(index);
                    elements.push(self.input(shape, quote!(#tokens.#literal), &format!("{name}.{index}")));
                }
                Value::Tuple(elements.into())
            }
            Shape::Array(element, length) => {
                let mut elements = Vec::with_capacity(*length);
                for index in 0..*length {
                    let literal = proc_macro2::Literal::usize_unsuffixed(index);
                    elements.push(self.input(element, quote!(#tokens[#literal]), &format!("{name}[{index}]")));
                }
                Value::Array(elements.into())
            }
            Shape::Vector(ty) => {
                let float = Shape::Float(ty.scalar.clone());
                let mut elements = Vec::with_capacity(ty.layout.count());
                for position in 0..ty.layout.count() {
                    let access = ty.layout.access(position);
                    let name = format!("{name}{}", ty.layout.label(position));
                    elements.push(self.input(&float, quote!(#tokens #access), &name));
                }
                Value::Vector(Vector { layout: ty.layout, elements, ty: ty.written() })
            }
        }
    }

    /// Declares the outputs: the floats of the result in order.
    fn results(&mut self, value: &Value, shape: &Shape, place: &dyn Placed) -> Flow<()> {
        match (shape, value) {
            (Shape::Struct(own), Value::Into(source)) => {
                let value = self.converted_to_struct(source, own, place)?;
                self.results(&value, shape, place)
            }
            (shape, Value::Into(source)) => {
                let by_from = self.converted_from_struct(source, shape, place).transpose()?;
                match by_from.or_else(|| self.converted_to(source, shape)) {
                    Some(value) => self.results(&value, shape, place),
                    None => self.refuse(place, refuse::CONVERSION),
                }
            }
            (Shape::Vector(ty), value) => self.vector_results(value, ty, place),
            (Shape::Float(_), value) => {
                let id = self.float(value, place)?;
                self.program.frame.list.output(id);
                Ok(())
            }
            (Shape::Array(element, length), Value::Array(elements)) if elements.len() == *length => {
                elements.iter().try_for_each(|value| self.results(value, element, place))
            }
            (Shape::Tuple(shapes), Value::Tuple(elements)) if elements.len() == shapes.len() => {
                shapes.iter().zip(elements.iter()).try_for_each(|(shape, value)| self.results(value, shape, place))
            }
            (Shape::Struct(own), Value::Tuple(fields)) if fields.len() == own.fields.len() => {
                let mut fields = own.fields.iter().zip(fields.iter());
                fields.try_for_each(|(field, value)| self.results(value, &field.shape, place))
            }
            (Shape::Struct(own), Value::Passive(passive)) => {
                let passive = self.once(passive).with_shape(Some(shape.clone()));
                let mut fields = own.fields.iter().enumerate();
                fields.try_for_each(|(index, field)| {
                    self.results(&Value::Passive(element_of(&passive, index)), &field.shape, place)
                })
            }
            (Shape::Array(_, length), Value::Called(_)) => {
                let elements = self.called_elements(value, *length, place)?;
                self.results(&Value::Array(elements.into()), shape, place)
            }
            (Shape::Array(element, length), Value::Passive(passive)) => {
                let passive = &self.once(passive);
                let mut parts = (0..*length).map(|index| Value::Passive(element_of(passive, index)));
                parts.try_for_each(|part| self.results(&part, element, place))
            }
            (Shape::Tuple(shapes), Value::Passive(passive)) => {
                let passive = &self.once(passive);
                let mut parts = shapes.iter().enumerate();
                parts.try_for_each(|(index, shape)| self.results(&field_of(passive, index), shape, place))
            }
            _ => self.refuse(place, refuse::OTHER_RESULT),
        }
    }

    /// The value as a float of the list. What is passive is captured. Anything else is an error at `place`.
    fn float(&mut self, value: &Value, place: &dyn Placed) -> Flow<ValueId> {
        match value {
            Value::Active(active) => Ok(self.program.in_list(*active)),
            Value::Called(call) => self.called_float(*call, place),
            Value::Passive(passive) => match &passive.number {
                Some(number) => {
                    self.program.note_float(passive);
                    self.literal(number, place)
                }
                None => Ok(self.program.capture(Kind::Float, &passive.clone().at(place.place().span()))),
            },
            Value::Condition(_) => self.refuse(place, refuse::CONDITION_AS_FLOAT),
            Value::Unset | Value::Lost => self.refuse(place, refuse::UNASSIGNED),
            Value::Into(_) => self.refuse(place, refuse::INTO),
            Value::Record(_) => self.refuse(place, refuse::RECORD_AS_WHOLE),
            _ => self.refuse(place, refuse::NOT_A_FLOAT),
        }
    }

    fn literal(&mut self, number: &Number, place: &dyn Placed) -> Flow<ValueId> {
        let value = match (number, &self.scalar) {
            (Number::Bool(_) | Number::Table(_) | Number::Unit(_), _) => {
                return self.refuse(place, refuse::NOT_A_FLOAT);
            }
            (_, Scalar::Parameter(parameter)) => {
                return self.refuse(place, refuse::literal_of_parameter(&parameter.name));
            }
            (Number::Int(int), _) => int.value as f64,
            // Digits are rounded once, as the compiler does.
            (Number::Float(digits), Scalar::Primitive(Precision::F32)) => {
                digits.parse::<f32>().map_or(f64::NAN, f64::from)
            }
            (Number::Float(digits), _) => digits.parse().unwrap_or(f64::NAN),
        };
        Ok(self.program.constant(Constant::Float(value)))
    }

    /// What is used several times: a call is evaluated once, in a variable.
    fn once(&mut self, passive: &Passive) -> Passive {
        match passive.has_call() && self.inline.is_none() {
            true => self.let_passive(&emitted(&quote::format_ident!("element")), passive, None),
            false => passive.clone(),
        }
    }

    /// What is evaluated here, whether it is used or not: a variable, where it calls something or may panic.
    fn in_turn(&mut self, passive: &Passive, expected: &Expected) -> Passive {
        match passive.may_panic() && self.inline.is_none() {
            true => self.let_passive(&emitted(&quote::format_ident!("element")), passive, expected.ty().as_ref()),
            false => self.once_as(passive, expected),
        }
    }

    /// The same of any value, part by part.
    fn called_once(&mut self, value: Value) -> Value {
        match value {
            Value::Passive(passive) => Value::Passive(self.in_turn(&passive, &Expected::Anything)),
            Value::Array(elements) => Value::Array(elements.map(&mut |element| self.called_once(element))),
            Value::Tuple(elements) => Value::Tuple(elements.map(&mut |element| self.called_once(element))),
            Value::Reference(target) => Value::Reference(Rc::new(self.called_once((*target).clone()))),
            Value::Vector(vector) => {
                let elements = vector.elements.into_iter().map(|element| self.called_once(element)).collect();
                Value::Vector(Vector { elements, ..vector })
            }
            value => value,
        }
    }

    /// The same of a part of something. What the whole is may be all that tells its type, as that of a sum.
    fn once_as(&mut self, passive: &Passive, expected: &Expected) -> Passive {
        let is_open = passive.has_call() || passive.shape.is_none() && passive.number.is_none();
        match expected.ty().filter(|_| is_open && self.inline.is_none()) {
            Some(ty) => self.let_passive(&emitted(&quote::format_ident!("element")), passive, Some(&ty)),
            None => self.once(passive),
        }
    }

    /// What a function or a closure that is written out gives, of the type that it says.
    fn given_back(&mut self, value: Value, returned: &Expected) -> Value {
        match value {
            Value::Passive(passive) if returned.ty().is_some() => Value::Passive(self.in_turn(&passive, returned)),
            Value::Array(_) | Value::Tuple(_) => self.called_once(value),
            value => value,
        }
    }

    /// What is evaluated here and not later, when a call may have changed what it reads.
    fn evaluated(&mut self, value: Value) -> Value {
        match value {
            Value::Passive(passive) if !passive.is_fixed() && self.inline.is_none() => {
                Value::Passive(self.let_passive(&emitted(&quote::format_ident!("value")), &passive, None))
            }
            Value::Array(elements) if elements.iter().any(Value::is_passive) => {
                Value::Array(elements.map(&mut |element| self.evaluated(element)))
            }
            Value::Tuple(elements) => Value::Tuple(elements.map(&mut |element| self.evaluated(element))),
            Value::Optional(of) => Value::optional(of.map(&mut |part| self.evaluated(part))),
            Value::Iterator(items) if self.inline.is_none() => {
                let name = emitted(&quote::format_ident!("items"));
                Value::Iterator(Box::new(self.with_bound_head(*items, &name)))
            }
            Value::Vector(vector) => {
                let elements = vector.elements.into_iter().map(|element| self.evaluated(element)).collect();
                Value::Vector(Vector { elements, ..vector })
            }
            value => value,
        }
    }

    /// Reports an error.
    fn refuse<T>(&mut self, place: &dyn Placed, message: impl std::fmt::Display) -> Flow<T> {
        self.errors.at(place, message);
        Err(Box::new(Stop::Refused))
    }
}

/// Whether the receiver of a method is a shared reference.
fn is_shared_receiver(function: &ItemFn) -> bool {
    match function.sig.receiver().map(|receiver| &receiver.kind) {
        Some(ReceiverKind::Reference(_, _, mutability)) => mutability.is_none(),
        Some(ReceiverKind::Typed(_, ty)) => is_shared_reference(ty),
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
