//! Calls: methods and functions of the catalogue, and calls whose arguments are all passive.

use jacobian_core::catalogue::{CATALOGUE, Intrinsic};
use jacobian_core::code_list::{Constant, Dialect, Kind, Precision, ValueId};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{GenericArgument, PathArguments};

use super::super::diagnostics::{list, nearest};
use super::super::module;
use super::super::read::scalar::float_trait;
use super::super::read::shape::{Reader, Reading, Shape};
use super::super::refuse;
use super::super::syntax::{self, Binding, Expr, ExprKind, Method, Path, TypeKind, VariableId, key};
use super::code::Line;
use super::expected::Expected;
use super::inline::name_in_module;
use super::items::{MethodOfItems, Sequence};
use super::number::Number;
use super::value::{Active, Passive, Value};
use super::{Lowering, OperandRole, emitted};

/// How the user wrote the calls of one dialect.
#[derive(Clone)]
pub enum Form {
    /// `x.sin()`.
    Method,
    /// `f64::sin(x)`, `<f64>::sin(x)`, `T::sin(x)`, `Float::sin(x)` or `<T as Float>::sin(x)`.
    Path {
        /// What stands in front of `::sin`.
        prefix: TokenStream,
        /// The type that it names, where the user means a primitive float by it.
        primitive: Option<TokenStream>,
        /// The functions that are there, where it is a trait that has not all of them.
        functions: Option<&'static [&'static str]>,
    },
    /// `libm::sin(x)`, with the names of that crate: the path in front of the name.
    Libm(TokenStream),
}

/// Methods of floats that have no derivative, and why.
const REJECTED: &[(&[&str], &str)] = &[
    (&["next_up", "next_down"], "steps to a neighbouring float and has no derivative"),
    (
        &["to_string", "to_bits", "to_int_unchecked", "to_be_bytes", "to_le_bytes", "to_ne_bytes"],
        "leaves the floats, so that the derivative would be lost",
    ),
    (
        &["total_cmp", "partial_cmp", "cmp", "eq", "ne", "lt", "le", "gt", "ge", "contains", "classify"],
        "compares; write `<`, `==` and their like",
    ),
    (&["is_normal", "is_subnormal"], "is not supported on active values; compare with `<`"),
    (
        &["gamma", "ln_gamma", "erf", "erfc", "maximum", "minimum"],
        "is not stable in the standard library; call a function of your own, and name it in `with(...)`",
    ),
    (
        &["zip", "chain"],
        "is not supported on items that are not known here one by one; index them in a loop over a range of known bounds",
    ),
    (&["add", "sub", "mul", "div", "rem", "neg"], "is an operator; write it as `+`, `-`, `*`, `/`, `%`"),
];

/// Methods that put a value into a collection.
const COLLECTING: &[&str] =
    &["push", "push_back", "push_front", "insert", "extend", "extend_from_slice", "append", "resize", "fill"];

/// Functions that are differentiable almost everywhere, but not over the complex numbers.
const NOT_COMPLEX: &[&str] = &["abs", "signum", "floor", "ceil", "round", "trunc", "fract", "hypot"];

/// Why a function is refused that may be one of several.
const UNCLEAR: &str = "this may be an item of the module, or a name out of `use ...::*` in this function; name what is imported, \
    or write `self::` in front of the item";

/// Why a function is refused whose Jacobian cannot be called.
const OTHER_ORDER: &str = "the columns of this function's Jacobian are in the order of its `wrt(...)`, those of a function in `with(...)` \
    in the order of its parameters; leave it out of `with(...)`, or name its parameters in order";

impl Lowering<'_> {
    pub(super) fn method_call(&mut self, whole: &Expr, call: &Method, receiver: Value, expected: &Expected) -> Value {
        let mut args = self.in_order(Some((receiver, OperandRole::Place)), &call.args);
        let receiver = match args.remove(0) {
            Value::Mutable(place) => self.read(&place),
            receiver => receiver,
        };
        if matches!(receiver, Value::Error) || args.iter().any(Value::is_error) {
            return Value::Error;
        }
        if let Some(value) = self.method_of_items(whole, call, &receiver, &args, expected) {
            return value;
        }
        if let Some(value) = into(call, &receiver) {
            return value;
        }
        if let Value::Vector(vector) = &receiver {
            return self.vector_method(call, vector, &args);
        }
        if matches!(receiver, Value::Array(_) | Value::Reference(_)) && !receiver.is_passive() {
            return self.refuse_array_method(call);
        }
        if receiver.is_passive() {
            self.passive_references(&mut args, &call.args);
            self.written_closures(&mut args, &call.args);
        }
        if let Some(refused) = self.not_a_value(&args, &call.args) {
            return refused;
        }
        if let Some(value) = self.passive_method(whole, call, &receiver, &args) {
            return value;
        }
        let is_copy = ["clone", "to_owned"].iter().any(|name| call.name == name) && call.args.is_empty();
        match (&receiver, &call.turbofish) {
            (Value::Active(_) | Value::Called(_) | Value::Tuple(_), _) if is_copy => receiver,
            (Value::Array(_) | Value::Reference(_), _) => self.refuse_array_method(call),
            (Value::Passive(passive), Some(_)) if is_of_user(passive, &call.name) => self.refuse_method(call, &args),
            (_, Some(turbofish)) => {
                self.refuse(&turbofish.place, "type arguments are not supported on a method of an active value")
            }
            (Value::Passive(passive), None) if is_of_user(passive, &call.name) => self.refuse_method(call, &args),
            (_, None) => {
                if let Value::Active(Active { is_reference: true, .. }) = receiver {
                    self.require_method(&call.name);
                }
                let mut operands = vec![(&receiver, &call.receiver)];
                operands.extend(args.iter().zip(&call.args));
                self.intrinsic(&call.name, &call.name.to_string(), Dialect::default(), &operands)
            }
        }
    }

    /// Refuses a method of something passive that is no float, with active arguments: one of the user's, most likely.
    fn refuse_method(&mut self, call: &Method, args: &[Value]) -> Value {
        let name = call.name.to_string();
        if COLLECTING.contains(&name.as_str()) {
            return self.refuse(&call.name, refuse::COLLECTION);
        }
        let (receiver, ty) = match &*call.receiver.unwrapped().kind {
            ExprKind::Path(path) if path.path.path.is_ident("self") => ("self".to_string(), "Self".to_string()),
            ExprKind::Variable(id, ident) => self.receiver_and_type(*id, ident),
            _ => ("...".to_string(), "Type".to_string()),
        };
        let float = self.scalar.name();
        let types: Vec<_> = args.iter().map(|arg| type_of_argument(arg, &float)).collect();
        self.refuse(&call.name, refuse::unknown_method(ty, name, receiver, types.join(", "), float))
    }

    /// How a variable is given as a receiver, and what its type is called, in a message.
    fn receiver_and_type(&self, id: VariableId, ident: &Ident) -> (String, String) {
        let binding = self.bindings.find(self.activation.number(id));
        let mut ty = binding.and_then(|binding| binding.ty.as_ref());
        let is_reference = matches!(ty.map(|ty| &ty.kind), Some(TypeKind::Reference(..)));
        while let Some(TypeKind::Reference(_, _, target)) = ty.map(|ty| &ty.kind) {
            ty = Some(target);
        }
        let name = match ty.map(|ty| &ty.kind) {
            Some(TypeKind::Path(path, _)) => path.to_token_stream().to_string().replace(' ', ""),
            _ => "Type".to_string(),
        };
        (if is_reference { ident.to_string() } else { format!("&{ident}") }, name)
    }

    /// A method of a range, an iterator or an array of known length, if it is one that is known.
    fn method_of_items(
        &mut self,
        whole: &Expr,
        call: &Method,
        receiver: &Value,
        args: &[Value],
        expected: &Expected,
    ) -> Option<Value> {
        if let Some(value) = self.range_method(call, receiver, args) {
            return Some(value);
        }
        match self.iterator(receiver) {
            Some(items) => Some(self.iterator_method(MethodOfItems { whole, call, items, args, expected })),
            None => self.array_method(call, receiver, args),
        }
    }

    /// The iterator that a value is, or that it is used as where a method of iterators is called.
    fn iterator(&mut self, receiver: &Value) -> Option<Sequence> {
        match receiver {
            Value::Iterator(items) => Some((**items).clone()),
            Value::Range(range) => self.numbers(range),
            _ => None,
        }
    }

    /// Writes closures that are given to a function whose body is not known here, if it is given no active value else.
    fn written_closures(&mut self, args: &mut [Value], places: &[Expr]) {
        if !args.iter().all(|arg| arg.is_passive() || matches!(arg, Value::Closure(_))) {
            return;
        }
        for (arg, place) in args.iter_mut().zip(places) {
            if let Value::Closure(closure) = arg {
                *arg = self.written_closure(&closure.clone(), place);
            }
        }
    }

    /// Writes mutable references to passive variables that are given to a function whose body is not known here, if it is
    /// given no active value.
    fn passive_references(&mut self, args: &mut [Value], places: &[Expr]) {
        if args.iter().all(|arg| arg.is_passive() || matches!(arg, Value::Mutable(_) | Value::Closure(_))) {
            for (arg, place) in args.iter_mut().zip(places).filter(|(arg, _)| matches!(arg, Value::Mutable(_))) {
                if let Some(passive) = self.kept(place) {
                    *arg = Value::Passive(passive);
                }
            }
        }
    }

    /// Refuses arguments that no function but those of the standard library's iterators can be given.
    fn not_a_value(&mut self, args: &[Value], places: &[Expr]) -> Option<Value> {
        if args.iter().any(Value::is_error) {
            return Some(Value::Error);
        }
        let (place, message) = args.iter().zip(places).find_map(|(value, place)| match value {
            Value::Closure(_) => Some((place, refuse::CLOSURE_GIVEN)),
            Value::Mutable(_) => Some((place, refuse::MUTABLE_REFERENCE)),
            _ => None,
        })?;
        Some(self.refuse(place, message))
    }

    /// A method call without an active value: its result if that is known, else as the user wrote it.
    fn passive_method(&mut self, whole: &Expr, call: &Method, receiver: &Value, args: &[Value]) -> Option<Value> {
        if !receiver.is_passive() {
            return None;
        }
        let args = args.iter().map(|arg| self.opaque(arg)).collect::<Option<Vec<_>>>()?;
        let mut passive = self.opaque(receiver)?;
        if let Some(value) = self.known_method(whole, call, &passive, &args) {
            return Some(value);
        }
        let is_known = passive.number.is_some() || !matches!(receiver, Value::Passive(_));
        if is_known && is_place(&call.receiver) && !passive.is_variable() && self.inline.is_none() {
            // A method that changes its receiver must not change a copy instead: it cannot change this variable.
            let name = quote::format_ident!("receiver", span = call.receiver.place.span());
            passive = self.let_passive(&name, &passive, None);
        }
        let (receiver, method, turbofish) = (passive.operand(), &call.name, self.written_turbofish(call));
        let args = args.iter().map(Passive::tokens);
        Some(Value::Passive(Passive::simple(quote!(#receiver.#method #turbofish(#(#args),*)))))
    }

    /// The value as an argument of what is not known here. What is behind a reference lives on.
    fn opaque(&mut self, value: &Value) -> Option<Passive> {
        match value {
            Value::Reference(target) if self.inline.is_none() => {
                let target = self.opaque(target)?;
                let name = emitted(&quote::format_ident!("elements"));
                let variable = self.let_passive(&name, &target, None).operand();
                Some(Passive::compound(quote!(&#variable)))
            }
            value => value.to_passive(),
        }
    }

    /// A method or function of floats with an active argument.
    fn intrinsic(&mut self, place: &Ident, name: &str, dialect: Dialect, operands: &[(&Value, &Expr)]) -> Value {
        if name == "sin_cos" && operands.len() == 1 {
            let both = ["sin", "cos"].map(|name| self.intrinsic(place, name, dialect, operands));
            return Value::Tuple(both.to_vec().into());
        }
        let found = match self.forms[usize::from(dialect.0)] {
            Form::Libm(_) => self.libm_name(name).and_then(Intrinsic::find_libm),
            _ => Intrinsic::find(name).filter(|found| found.row().is_callable() || found.row().is_test()),
        };
        let Some(intrinsic) = found else {
            return self.refuse(place, self.unknown(name, dialect));
        };
        if NOT_COMPLEX.contains(&name) && !self.is_real(place) {
            return Value::Error;
        }
        let arity = intrinsic.row().arity();
        if operands.len() != arity {
            return self.refuse(place, format!("`{name}` takes {arity} operands, the receiver included"));
        }
        let ids: Vec<_> =
            operands.iter().enumerate().map(|(index, operand)| self.operand(intrinsic, index, *operand)).collect();
        match ids.into_iter().collect::<Option<Vec<_>>>() {
            Some(ids) => self.apply(intrinsic, dialect, &ids),
            None => Value::Error,
        }
    }

    /// Whether the floats are real, so that a function which is not differentiable over the complex numbers can be called
    /// at `place`. Where it is not known, the generated code does not compile for complex numbers.
    pub(super) fn is_real(&mut self, place: &Ident) -> bool {
        if self.scalar.is_complex() {
            let message = format!(
                "`{place}` has no derivative for complex numbers, which `ComplexField` admits; take `RealField`"
            );
            self.errors.at(place, message);
            return false;
        }
        if let Some(statement) = self.scalar.require_order() {
            self.require("order".to_string(), statement);
        }
        true
    }

    fn operand(&mut self, intrinsic: Intrinsic, index: usize, (value, place): (&Value, &Expr)) -> Option<ValueId> {
        if intrinsic.row().takes[index] != Kind::Int {
            return self.float(value, place);
        }
        match value.to_passive() {
            Some(passive) => match passive.number {
                Some(Number::Int(int)) if i32::try_from(int.value).is_ok() => {
                    Some(self.constant(Constant::Int(int.value as i32)))
                }
                _ => Some(self.capture(Kind::Int, &passive)),
            },
            None => {
                self.errors.at(place, "an integer that depends on no active value is expected here");
                None
            }
        }
    }

    /// The name of a function of libm for f64, from that for the precision of the list.
    fn libm_name<'n>(&self, name: &'n str) -> Option<&'n str> {
        match self.scalar.precision() {
            Precision::F32 => name.strip_suffix('f'),
            _ => Some(name),
        }
    }

    fn unknown(&self, name: &str, dialect: Dialect) -> String {
        let is_libm = matches!(self.forms[usize::from(dialect.0)], Form::Libm(_));
        if let Some((_, why)) = REJECTED.iter().find(|(names, _)| !is_libm && names.contains(&name)) {
            return format!("`{name}` {why}");
        }
        let known = CATALOGUE.iter().filter_map(|row| match is_libm {
            true => row.libm,
            false => row.is_callable().then_some(row.name),
        });
        let near = list(nearest(name, known, 3));
        format!(
            "the derivative of `{name}` is not known; near: {near}. Write the function out with these and arithmetic"
        )
    }

    pub(super) fn written_turbofish(&mut self, call: &Method) -> Option<TokenStream> {
        call.turbofish.as_ref().map(|turbofish| {
            let written = &turbofish.written;
            self.with_names(written.tokens.clone(), &written.names)
        })
    }

    pub(super) fn call(&mut self, whole: &Expr, function: &Expr, args: &[Expr], expected: &Expected) -> Value {
        let callee = function.unwrapped();
        if let Some(turbofish) = from_fn(callee) {
            let length = self.array_length(turbofish, expected);
            return self.array_from_fn(whole, function, args, length, expected);
        }
        let closure = match &*callee.kind {
            ExprKind::Variable(id, _) => {
                self.literals.open.reach(callee, false);
                self.bindings.find(self.activation.number(*id)).map(|found| found.value.clone())
            }
            ExprKind::Closure(closure) => Some(self.closure(closure)),
            _ => None,
        };
        let mut values = self.in_order(None, args);
        if values.iter().any(Value::is_error) {
            return Value::Error;
        }
        if !matches!(closure, Some(Value::Closure(_))) {
            self.passive_references(&mut values, args);
        }
        match (closure, &*callee.kind) {
            (Some(Value::Closure(closure)), _) => self.call_closure(&closure, values, whole.place, expected.clone()),
            (Some(Value::Error), _) => Value::Error,
            (Some(Value::Passive(callee)), _) if values.iter().all(Value::is_passive) => {
                self.written_closures(&mut values, args);
                match self.not_a_value(&values, args) {
                    Some(refused) => refused,
                    None => Value::Passive(self.passive_call(&callee.operand(), &values)),
                }
            }
            (_, ExprKind::Path(path)) => {
                self.written_closures(&mut values, args);
                let is_inlined = || {
                    let member = self.member_of_module(path);
                    matches!(member, Some(module::Call::Inlined(_))) || self.local_function(path).is_some()
                };
                if values.iter().all(Value::is_passive) || self.literals.open.are_some() && !is_inlined() {
                    self.literals.open.reach(function, false);
                }
                if let Some(teller) = self.literals.open.of_call(whole) {
                    let written = self.written_path(path);
                    self.literals.open.called(teller, written, args.len());
                }
                match self.not_a_value(&values, args) {
                    Some(refused) => refused,
                    None => self.call_path(path, &values, &args.iter().collect::<Vec<_>>()),
                }
            }
            _ => self.refuse(function, "only functions that are named by a path can be called"),
        }
    }

    /// A call of what depends on no active value, with arguments that do not, either.
    fn passive_call(&mut self, callee: &TokenStream, args: &[Value]) -> Passive {
        let args = args.iter().map(|arg| self.opaque(arg)).collect::<Option<Vec<_>>>().unwrap_or_default();
        let args = args.iter().map(Passive::tokens);
        Passive::simple(quote!(#callee(#(#args),*)))
    }

    /// Calls a function that is named by a path.
    pub(super) fn call_path(&mut self, path: &Path, args: &[Value], places: &[&Expr]) -> Value {
        if let Some(float) = self.known_float(path, args) {
            return Value::Passive(float);
        }
        if let Some(value) = self.known_function(path, args) {
            return value;
        }
        if args.iter().all(Value::is_passive) {
            let shape = self.constructed_shape(path, args);
            let callee = match self.path(path) {
                Value::Passive(callee) => callee.operand(),
                _ => return self.refuse(path, "this is no function"),
            };
            let call = self.passive_call(&callee, args);
            return Value::Passive(match self.declared_array(path) {
                // Where the function is another one, this does not compile.
                Some((ty, shape)) => self.let_passive(
                    &emitted(&quote::format_ident!("element")),
                    &call.with_shape(Some(shape)),
                    Some(&ty),
                ),
                None => call.with_shape(shape),
            });
        }
        if let Some(with) = self.function_with_jacobian(path) {
            if name_in_module(path).is_some_and(|name| self.module.is_in_other_order(&name, &with.jacobian)) {
                return self.refuse(path, OTHER_ORDER);
            }
            return self.call_with_jacobian(with, args, places);
        }
        if let Some(function) = self.local_function(path).as_ref().and_then(|item| item.function.get()) {
            return self.inlined(&function.item, &function.body, (args, places), path);
        }
        match self.member_of_module(path) {
            Some(module::Call::Inlined(function)) => return self.inlined_member(function, args, places, path),
            Some(module::Call::Called(with)) => return self.call_with_jacobian(with, args, places),
            Some(module::Call::Refused(why)) => return self.refuse(path, why),
            None => {}
        }
        if path.binding == Binding::Unclear {
            return self.refuse(path, UNCLEAR);
        }
        match self.construction(path, args) {
            Some(value) => value,
            None => self.path_call(path, args, places),
        }
    }

    fn path_call(&mut self, path: &Path, args: &[Value], places: &[&Expr]) -> Value {
        // A trait or a type that is declared inside of the function is not the one that is known by its name.
        let form = self.form_of(path).filter(|_| !matches!(path.binding, Binding::Local(_)));
        let Some((form, name)) = form else { return self.refuse_function(path) };
        let is_libm = matches!(form, Form::Libm(_));
        if is_libm && self.libm_name(&name.to_string()).and_then(Intrinsic::find_libm).is_none() {
            return self.refuse_function(path);
        }
        self.require_function(&form, &name);
        let dialect = self.dialect(form);
        let operands: Vec<_> = args.iter().zip(places.iter().copied()).collect();
        self.intrinsic(&name, &name.to_string(), dialect, &operands)
    }

    /// Refuses a function whose derivative is not known.
    fn refuse_function(&mut self, path: &Path) -> Value {
        let written = path.path.to_token_stream().to_string().replace(' ', "");
        let segments = &path.path.path.segments;
        let is_of_std = ["std", "core", "alloc"].iter().any(|root| segments[0].ident == root);
        let message = match segments.last() {
            Some(_) if segments.len() > 1 && is_of_std => refuse::function_of_std(written),
            Some(last) if segments.len() > 1 => refuse::unknown_path(written, last.ident.unraw()),
            _ if self.functions.contains(&written) => refuse::recursion(written),
            _ => refuse::unknown_function(written),
        };
        self.refuse(path, message)
    }

    /// `f64::from(i)` of a known integer whose type is known.
    fn known_float(&mut self, path: &Path, args: &[Value]) -> Option<Passive> {
        let [Value::Passive(int)] = args else { return None };
        int.number.as_ref()?.as_int().filter(|int| self.types.get(int.ty).only().is_some())?;
        let (form, name) = self.form_of(path)?;
        let Form::Path { primitive: Some(ty), functions: None, .. } = &form else { return None };
        if name != "from" {
            return None;
        }
        let ty = syntax::ty(&syn::Type::Verbatim(ty.clone()));
        self.dialect(form);
        Some(self.passive_cast(int, &ty, true))
    }

    /// The length of the array that `core::array::from_fn` makes: as its type arguments say, or as is expected.
    fn array_length(&mut self, path: &Path, expected: &Expected) -> Option<usize> {
        let last = path.path.path.segments.last()?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return self.expected_length(expected) };
        let length = match arguments.args.iter().nth(1)? {
            GenericArgument::Const(length) => self.expression(&syntax::expression(length)),
            GenericArgument::Type(syn::Type::Path(ty)) => {
                let length =
                    path.names.iter().find(|(name, _)| ty.path.get_ident().is_some_and(|own| key(own) == *name));
                match length {
                    Some((_, Binding::Constant(id))) => self.local_constant(*id),
                    _ => self.path(&syntax::path(ty, self.module.items())),
                }
            }
            _ => return self.expected_length(expected),
        };
        usize::try_from(length.as_int()?).ok()
    }

    /// What stands in front of the name in a path to a function of floats, and that name.
    fn form_of(&self, path: &Path) -> Option<(Form, Ident)> {
        let (path, binding) = (&path.path, path.binding);
        let mut prefix = path.path.clone();
        let last = prefix.segments.pop()?;
        prefix.segments.pop_punct();
        if !last.arguments.is_none() {
            return None;
        }
        let form = match &path.qself {
            Some(qself) => self.qualified_form(qself, &prefix, &last.ident)?,
            None if Reader::of(&self.scalar).scalar(&prefix).as_ref() == Some(&self.scalar) => {
                self.type_form(prefix.to_token_stream(), prefix.to_token_stream())
            }
            None if prefix.segments.len() == 1
                && prefix.segments[0].ident == "libm"
                && binding != Binding::Item
                && self.scalar.suffix().is_some() =>
            {
                Form::Libm(prefix.to_token_stream())
            }
            None => self.trait_form(&prefix, prefix.to_token_stream(), &last.ident)?,
        };
        Some((form, last.ident))
    }

    /// `<f64>::sin(x)` or `<f64 as Float>::sin(x)`.
    fn qualified_form(&self, qself: &syn::QSelf, prefix: &syn::Path, function: &Ident) -> Option<Form> {
        let ty = &qself.ty;
        let is_own = matches!(Reader::of(&self.scalar).read(&syntax::ty(ty)), Reading::Floats(Shape::Float(scalar)) if scalar == self.scalar);
        match qself.position {
            _ if !is_own => None,
            0 if prefix.segments.is_empty() => Some(self.type_form(quote!(<#ty>), ty.to_token_stream())),
            position if position == prefix.segments.len() => {
                self.trait_form(prefix, quote!(<#ty as #prefix>), function)
            }
            _ => None,
        }
    }

    /// A path in front of the name that names the type of the floats.
    fn type_form(&self, prefix: TokenStream, ty: TokenStream) -> Form {
        let primitive = self.scalar.suffix().is_some().then_some(ty);
        Form::Path { prefix, primitive, functions: None }
    }

    /// A path in front of `function` that names a trait of floats. Of a trait of the user's, only that function is known to
    /// be there.
    fn trait_form(&self, path: &syn::Path, prefix: TokenStream, function: &Ident) -> Option<Form> {
        let segment = path.segments.last().filter(|segment| segment.arguments.is_none())?;
        let name = segment.ident.to_string();
        let called = || {
            Intrinsic::find(&function.to_string()).map_or(&[][..], |called| std::slice::from_ref(&called.row().name))
        };
        let functions = match float_trait(&name) {
            Some(functions) => functions,
            None if self.scalar.is_bound_by(&name) => Some(called()),
            None => return None,
        };
        Some(Form::Path { prefix, primitive: None, functions })
    }

    /// The number of a form; forms of the same tokens are the same.
    fn dialect(&mut self, form: Form) -> Dialect {
        let text = form.to_string();
        let position = self.forms.iter().position(|known| known.to_string() == text);
        let index = position.unwrap_or_else(|| {
            if let Form::Path { primitive: Some(ty), .. } = &form {
                self.require_primitive(ty);
            }
            self.forms.push(form);
            self.forms.len() - 1
        });
        Dialect(index as u16)
    }

    /// Makes the generated code fail to compile where `ty` is a type of the user and not the primitive float,
    /// whose methods alone have the derivatives of the catalogue.
    fn require_primitive(&mut self, ty: &TokenStream) {
        let float = self.scalar.ty();
        self.line(Line::effect(quote_spanned! {Span::mixed_site()=>
            let _: ::core::marker::PhantomData<#ty> = ::core::marker::PhantomData::<#float>;
        }));
    }
}

impl std::fmt::Display for Form {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Form::Method => Ok(()),
            Form::Path { prefix, functions, .. } => write!(formatter, "{prefix} {functions:?}"),
            Form::Libm(prefix) => write!(formatter, "{prefix}"),
        }
    }
}

/// The path of `core::array::from_fn`, if an expression is that.
pub(super) fn from_fn(callee: &Expr) -> Option<&Path> {
    let ExprKind::Path(path) = &*callee.kind else { return None };
    let names: Vec<_> = path.path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let is_std = matches!(
        (path.binding, &names[..]),
        (Binding::Outside, ["core" | "std", "array", "from_fn"])
            | (Binding::Outside | Binding::Import(_), ["array", "from_fn"])
    );
    (is_std && path.path.qself.is_none()).then_some(path)
}

/// What `into` makes of an array or a vector whose elements are known one by one.
fn into(call: &Method, receiver: &Value) -> Option<Value> {
    let is_into = call.name == "into" && call.args.is_empty() && !receiver.is_passive();
    let is_array = matches!(receiver, Value::Array(_) | Value::Vector(_));
    (is_into && is_array).then(|| Value::Into(Box::new(receiver.clone())))
}

/// Whether a method of a passive value is one of the user's, as far as is known: it is none of a float.
fn is_of_user(passive: &Passive, method: &Ident) -> bool {
    let is_float = |shape: &Shape| matches!(shape.behind_references(), Shape::Float(_));
    let name = method.to_string();
    let is_known = Intrinsic::find(&name).is_some_and(|found| found.row().is_callable() || found.row().is_test());
    let is_rejected = REJECTED.iter().any(|(names, _)| names.contains(&name.as_str()));
    let is_number = passive.number.is_some() || passive.shape.as_ref().is_some_and(is_float);
    !is_number && !is_known && !is_rejected && name != "sin_cos"
}

/// The type of an argument, for a message.
fn type_of_argument(value: &Value, float: &str) -> String {
    match value {
        Value::Array(elements) => {
            let element = elements.first().map_or_else(|| float.to_string(), |first| type_of_argument(first, float));
            format!("[{element}; {}]", elements.len())
        }
        Value::Reference(target) => format!("&{}", type_of_argument(target, float)),
        Value::Active(_) | Value::Called(_) => float.to_string(),
        _ => "_".to_string(),
    }
}

/// Whether an expression names a variable or a part of one.
fn is_place(expression: &Expr) -> bool {
    matches!(
        &*expression.unwrapped().kind,
        ExprKind::Variable(..) | ExprKind::Path(_) | ExprKind::Field(..) | ExprKind::Index(..)
    )
}
