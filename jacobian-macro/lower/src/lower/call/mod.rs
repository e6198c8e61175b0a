//! Calls: of closures, of functions, and those whose arguments are all passive.

mod associated;
mod by_bounds;
mod extension;
mod hidden;
mod intrinsic;
mod known;
mod member;
mod method;
mod notation;
mod operator;

use jacobian_list::catalogue::Intrinsic;
use jacobian_list::code_list::Kind;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{GenericArgument, PathArguments};

use super::super::module;
use super::super::read::shape::Shape;
use super::super::read::ty::mentions;
use super::super::read::vector::vector_from_fn;
use super::super::read::with::Derivatives;
use super::super::refuse;
use super::super::syntax::{self, Binding, Expr, ExprKind, Path, Type, key};
use super::control::Flow;
use super::expected::Expected;
use super::inline::BEHIND_TRAITS;
use super::value::{Passive, Value, Variant, is_path};
use super::{Lowering, emitted};

pub(super) use self::by_bounds::converts_by_bounds;
pub(super) use self::method::gives_number;
pub use self::notation::Notation;

/// Types of nalgebra that take a matrix apart.
const FACTORIZATIONS: &[&str] =
    &["LU", "FullPivLU", "Cholesky", "QR", "ColPivQR", "LDL", "UDU", "SVD", "Schur", "SymmetricEigen"];

impl Lowering<'_> {
    /// Writes closures that are given to a function whose body is not known here, if it is given no active value else.
    fn written_closures(&mut self, args: &mut [Value], places: &[Expr]) -> Flow<()> {
        if args.iter().all(|arg| arg.is_passive() || matches!(arg, Value::Closure(_))) {
            for (arg, place) in args.iter_mut().zip(places) {
                if let Value::Closure(closure) = arg {
                    let written = self.written_closure(&closure.clone(), place)?;
                    let is_reference = matches!(&*place.unwrapped().kind, ExprKind::Shared(_));
                    *arg = if is_reference { self.shared(written) } else { written };
                }
            }
        }
        Ok(())
    }

    /// Writes mutable references to passive variables that are given to a function whose body is not known here, if it
    /// is given no active value.
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
    /// What such a function assigns, it may be given, if it `has_outputs`.
    fn only_values(&mut self, args: &[Value], places: &[Expr], has_outputs: bool) -> Flow<()> {
        args.iter().zip(places).try_for_each(|(value, place)| match value {
            Value::Closure(_) => self.refuse(place, refuse::CLOSURE_GIVEN),
            Value::Mutable(_) if !has_outputs => self.refuse(place, refuse::MUTABLE_REFERENCE),
            _ => Ok(()),
        })
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

    pub(super) fn call(&mut self, whole: &Expr, function: &Expr, args: &[Expr], expected: &Expected) -> Flow {
        if args.iter().any(|arg| self.is_output(arg)) {
            let args: Vec<_> =
                args.iter().map(|arg| if self.is_output(arg) { reborrowed(arg) } else { arg.clone() }).collect();
            return self.call(whole, function, &args, expected);
        }
        let callee = function.unwrapped();
        if let Some(path) = function.path_of_from_fn(args) {
            let length = self.array_length(path, expected);
            return self.array_from_fn(whole, function, args, length, expected);
        }
        if let (Some(path), [callee]) = (vector_from_fn(function), args)
            && let Some(value) = self.vector_from_fn(whole, path, callee, expected)?
        {
            return Ok(value);
        }
        if let Some(value) = self.memory_call(whole, function, args) {
            return value;
        }
        let closure = match &*callee.kind {
            ExprKind::Variable(id, ident) => {
                self.numbers.literals.open.reach(callee, false);
                Some(self.variable_value(self.activation.number(*id), ident)?)
            }
            ExprKind::Closure(closure) => Some(self.closure(closure)),
            ExprKind::Path(_) => None,
            // A function in a field, for instance.
            _ => match self.expression(callee)? {
                Value::Passive(callee) if !is_path(callee.tokens().clone()) => {
                    let callee = callee.tokens();
                    Some(Value::Passive(Passive::simple(quote!((#callee)))))
                }
                value => Some(value),
            },
        };
        let declared = self.declared_parameters(callee, closure.as_ref(), args);
        let mut values = self.in_order_as(None, args.iter().zip(declared))?;
        if !matches!(closure, Some(Value::Closure(_))) {
            self.passive_references(&mut values, args);
        }
        match (closure, &*callee.kind) {
            (Some(Value::Closure(closure)), _) => self.call_closure(&closure, values, whole.place, expected.clone()),
            (Some(Value::Passive(callee)), _) if values.iter().all(Value::is_passive) => {
                self.written_closures(&mut values, args)?;
                self.only_values(&values, args, false)?;
                Ok(Value::Passive(self.passive_call(&callee.operand(), &values)))
            }
            (_, ExprKind::Path(path)) => {
                let member = self.member_of_module(path, Some(&values));
                let is_inlined =
                    matches!(member, Some(module::Call::Inlined(_))) || self.local_function(path).is_some();
                if !is_inlined {
                    let passive = values.into_iter().zip(args).map(|(value, arg)| self.without_conditions(value, arg));
                    values = passive.collect::<Flow<_>>()?;
                }
                let mut closures = values.iter().filter_map(|value| match value {
                    Value::Closure(closure) => Some(closure),
                    _ => None,
                });
                let is_kept = closures.all(|closure| self.may_be_written(closure));
                if !is_inlined && !is_kept && path.binding == Binding::Outside && path.segments() == ["from_fn"] {
                    return self.refuse(path, refuse::FROM_FN);
                }
                if !is_inlined || is_kept {
                    self.written_closures(&mut values, args)?;
                }
                if values.iter().all(Value::is_passive) || self.numbers.literals.open.are_some() && !is_inlined {
                    self.numbers.literals.open.reach(function, false);
                }
                if let Some(teller) = self.numbers.literals.open.of_call(whole) {
                    let is_plain =
                        matches!(&member, Some(module::Call::Inlined(function)) if !has_types(&function.sig));
                    let written = (!is_plain).then(|| self.written_path(path));
                    self.numbers.literals.open.called(teller, written, args.len());
                }
                let is_called =
                    self.function_with_jacobian(path).is_some() || matches!(member, Some(module::Call::Called(_)));
                if !is_inlined && !is_called && values.iter().any(|value| matches!(value, Value::Mutable(_))) {
                    return self.refuse_function(path);
                }
                if !is_inlined {
                    self.only_values(&values, args, is_called)?;
                }
                self.call_path(path, &values, &args.iter().collect::<Vec<_>>())
            }
            (Some(Value::Passive(_)), ExprKind::Variable(..)) => self.refuse(function, refuse::CALLED_PARAMETER),
            _ => self.refuse(function, refuse::CALLEE),
        }
    }

    /// What arguments are expected to be whose length is that of the parameter: `core::array::from_fn(...)`, or a
    /// reference to it.
    fn declared_parameters(&mut self, callee: &Expr, closure: Option<&Value>, args: &[Expr]) -> Vec<Expected> {
        let is_open = |arg: &Expr| {
            let mut arg = arg.unwrapped();
            while let ExprKind::Shared(inner) = &*arg.kind {
                arg = inner.unwrapped();
            }
            matches!(&*arg.kind, ExprKind::Call(function, args) if function.path_of_from_fn(args).is_some())
        };
        let is_any_open = args.iter().any(is_open);
        let types: Vec<Option<Type>> = match (closure, &*callee.kind) {
            _ if !is_any_open => Vec::new(),
            (Some(Value::Closure(closure)), _) => closure.parameter_types(),
            (None, ExprKind::Path(path)) => self.parameter_types(path),
            _ => Vec::new(),
        };
        let expected = |(index, arg)| match is_open(arg) {
            true => Expected::of_type(types.get(index).and_then(Option::as_ref)),
            false => Expected::Anything,
        };
        args.iter().enumerate().map(expected).collect()
    }

    /// The types of the parameters of a function that is known here.
    fn parameter_types(&mut self, path: &Path) -> Vec<Option<Type>> {
        if let Some(function) = self.local_function(path).as_ref().and_then(|item| item.function.get()) {
            return function.body.parameters.iter().map(|(_, ty)| Some(ty.clone())).collect();
        }
        if let Some(ty) = self.function_with_jacobian(path).and_then(|with| with.ty.as_ref()) {
            return ty.inputs.iter().map(|input| Some(syntax::ty(&input.ty))).collect();
        }
        if let Some(own) = self.struct_named(path).filter(|own| own.is_tuple) {
            return own.fields.iter().map(|field| Some(syntax::ty(&field.ty))).collect();
        }
        let function = path.name_in_module().and_then(|name| self.module.declared().function(&name));
        let Some(signature) = function.map(|function| &function.sig) else { return Vec::new() };
        let given = self.numbers_given(&signature.generics, path);
        let types = signature.inputs.iter().map(|input| match input {
            syn::FnArg::Typed(typed) => {
                let written = module::substituted(typed.ty.to_token_stream(), &given);
                Some(syntax::ty(&syn::parse2(written).ok()?))
            }
            syn::FnArg::Receiver(_) => None,
        });
        types.collect()
    }

    /// A call of what depends on no active value, with arguments that do not, either.
    pub(super) fn passive_call(&mut self, callee: &TokenStream, args: &[Value]) -> Passive {
        let args = args.iter().map(|arg| self.opaque(arg)).collect::<Option<Vec<_>>>().unwrap_or_default();
        let args = args.iter().map(Passive::tokens);
        Passive::simple(quote!(#callee(#(#args),*)))
    }

    /// Calls a function that is named by a path.
    pub(super) fn call_path(&mut self, path: &Path, args: &[Value], places: &[&Expr]) -> Flow {
        if let Some(known) = self.path_with_given_numbers(path) {
            return self.call_path(&known, args, places);
        }
        if let Some(value) = self.called_by_bounds(path, args) {
            return Ok(value);
        }
        if let Some(float) = self.known_float(path, args) {
            return Ok(Value::Passive(float));
        }
        if let Some(value) = self.known_function(path, args) {
            return value;
        }
        if let Some(value) = self.constructed_tuple(path, args) {
            return self.limited(value?, path);
        }
        if let Some(value) = self.wrapped(path, args) {
            return value;
        }
        if let Some(value) = self.known_call(path, args, places) {
            return Ok(value);
        }
        if args.iter().all(Value::is_passive) {
            // What is in an `Option` may be changed to something active: it is known as what this variable is.
            let content = match args {
                [Value::Passive(content)] if path.is_variant("Some") && self.inline.is_none() => Some(content),
                _ => None,
            };
            let content = content.filter(|content| content.is_float() && !content.is_fixed());
            let fixed = content.map(|it| self.let_passive(&emitted(&quote::format_ident!("content")), it, None));
            let fixed = fixed.map(|it| [Value::Passive(it)]);
            let args = fixed.as_ref().map_or(args, |it| &it[..]);
            let shape = self.constructed_shape(path, args);
            let does_nothing = |arg: &Value| arg.to_passive().is_some_and(|arg| !arg.has_call() && !arg.may_panic());
            let is_made = shape.is_some() && args.iter().all(does_nothing);
            let callee = match self.path(path)? {
                Value::Passive(callee) => callee.operand(),
                _ => return self.refuse(path, refuse::NO_FUNCTION),
            };
            let is_float = self.notation_of(path).is_some_and(|(_, name)| gives_float(&name.to_string()));
            let call = self.passive_call(&callee, args).made(is_made).floating(is_float);
            let known = || self.associated(path, Some(args)).and_then(Result::ok);
            let shape = shape.or_else(|| self.shape_returned(known()?)).or_else(|| self.shape_derived(path));
            let shape = shape.or_else(|| self.opaque_given(path));
            let declared = self.declared_array(path).or_else(|| self.given_by_parameter(path, args));
            return Ok(Value::Passive(match declared.filter(|_| self.inline.is_none()) {
                // Where the function is another one, this does not compile.
                Some((ty, shape)) => {
                    let call = call.with_shape(Some(shape));
                    self.let_passive(&emitted(&quote::format_ident!("element")), &call, Some(&ty))
                }
                None => call.with_shape(shape).with_variant(variant_made(path, args)),
            }));
        }
        if let Some(with) = self.function_with_jacobian(path).filter(|with| !self.lacks_hessian(with)) {
            let differentiated = match &with.derivatives {
                Derivatives::Implicit { residual, .. } => residual.get_ident().map(|ident| ident.unraw().to_string()),
                Derivatives::Returned { .. } | Derivatives::Written(_) => path.name_in_module(),
            };
            let named = differentiated.zip(with.jacobian());
            let misread = |(name, jacobian): (String, _)| self.module.why_misread(&name, jacobian, with.layout());
            if let Some(why) = named.and_then(misread) {
                return self.refuse(path, why);
            }
            self.need_jacobian(with);
            return self.call_with_derivatives(with, args, places);
        }
        if let Some(function) = self.local_function(path).as_ref().and_then(|item| item.function.get()) {
            self.infer_local(&function.body);
            return self.inlined(&function.item, &function.body, (args, places), path);
        }
        if let (Some(Ok(member)), None) = (self.associated(path, Some(args)), &path.path.qself) {
            self.require_of_trait(member);
        }
        match self.member_of_module(path, Some(args)) {
            Some(module::Call::Inlined(function)) => return self.inlined_member(function, args, places, path),
            Some(module::Call::Called(with)) => return self.call_with_derivatives(with, args, places),
            Some(module::Call::Refused(why)) => return self.refuse(path, why),
            None => {}
        }
        args.iter().zip(places).try_for_each(|(arg, place)| self.no_record(arg.clone(), *place).map(drop))?;
        if path.binding == Binding::Unclear {
            return self.refuse(path, refuse::UNCLEAR_FUNCTION);
        }
        if let Some(value) = self.observing_function(path, args, places)? {
            return Ok(value);
        }
        if let Some(value) = self.converted_by_float(path, args)? {
            return Ok(value);
        }
        // What a formula makes of an argument may take it several times.
        let args = &args.iter().map(|arg| self.called_once(arg.clone())).collect::<Vec<_>>()[..];
        match self.construction(path, args, places) {
            Some(value) => value,
            None => self.path_call(path, args, places),
        }
    }

    /// `f64::from(x)` of an active float, or what the module makes a float or an array of: a struct of its own.
    fn converted_by_float(&mut self, path: &Path, args: &[Value]) -> Flow<Option<Value>> {
        let names = path.segments();
        if let ([source], Some("from")) = (args, names.last().map(String::as_str))
            && let Some(shape) = self.shape_before(path)
            && let Some(value) = self.converted_from_struct(source, &shape, path)
        {
            return value.map(Some);
        }
        let (Some([owner, function]), [Value::Active(active)]) = (names.last_chunk(), args) else { return Ok(None) };
        if !path.may_be_std || function != "from" || !["f64", "f32"].contains(&owner.as_str()) || active.is_reference {
            return Ok(None);
        }
        match Some(owner.as_str()) == self.scalar.suffix() {
            true => Ok(Some(Value::Active(*active))),
            false => self.refuse(path, refuse::CAST),
        }
    }

    /// The shape of the type in front of the name of a function: of `f64::from`, or `<[f64; 2]>::from`.
    fn shape_before(&self, path: &Path) -> Option<Shape> {
        match (&path.path.qself, &path.segments()[..]) {
            (Some(qself), [_]) => self.shape_of(&syntax::ty(&qself.ty)),
            (None, [owner, _]) if path.may_be_std && Some(owner.as_str()) == self.scalar.suffix() => {
                Some(Shape::Float(self.scalar.clone()))
            }
            _ => None,
        }
    }

    fn path_call(&mut self, path: &Path, args: &[Value], places: &[&Expr]) -> Flow {
        // A trait or a type that is declared inside of the function is not the one that is known by its name.
        let form = self.notation_of(path).filter(|_| !matches!(path.binding, Binding::Local(_)));
        let Some((form, name)) = form else { return self.refuse_function(path) };
        let is_libm = matches!(form, Notation::Libm(_));
        if is_libm && self.libm_name(&name.to_string()).and_then(Intrinsic::find_libm).is_none() {
            return self.refuse_function(path);
        }
        self.require_function(&form, &name);
        let notation = self.notation_id(form);
        let operands: Vec<_> = args.iter().zip(places.iter().copied()).collect();
        self.intrinsic(&name, &name.to_string(), notation, &operands)
    }

    /// Refuses a function whose derivative is not known.
    fn refuse_function(&mut self, path: &Path) -> Flow {
        let written = path.path.to_token_stream().to_string().replace(' ', "");
        let segments = &path.path.path.segments;
        let is_of_std = ["std", "core", "alloc"].iter().any(|root| segments[0].ident == root);
        let message = match segments.last() {
            Some(last) if ["Some", "Ok", "Err"].iter().any(|name| last.ident == name) => refuse::WRAPPED.to_string(),
            Some(_) if segments.len() > 1 && is_of_std => refuse::function_of_std(written),
            Some(_) if segments.iter().any(|it| FACTORIZATIONS.iter().any(|name| it.ident == name)) => {
                refuse::factorization(written)
            }
            Some(last) if segments.len() > 1 && self.owner_of(path).is_some() => {
                refuse::method_not_seen(last.ident.unraw(), self.owner_of(path).unwrap_or_default())
            }
            Some(last) if segments.len() > 1 && last.ident.to_string().starts_with(char::is_uppercase) => {
                refuse::variant_of_enum(written)
            }
            Some(last) if segments.len() > 1 => refuse::unknown_path(written, last.ident.unraw()),
            _ if self.functions.contains(&written) => refuse::RECURSION_OUTSIDE.to_string(),
            _ => refuse::unknown_function(written),
        };
        self.refuse(path, message)
    }

    /// The struct of the module that a path means a function of, `State::new`.
    fn owner_of(&self, path: &Path) -> Option<String> {
        let mut ty = path.clone();
        ty.path.path.segments.pop();
        ty.path.path.segments.pop_punct();
        Some(self.struct_named(&ty)?.name.unraw().to_string())
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
                    _ => self.path(&syntax::path(ty, self.module.declared().items())),
                }
            }
            _ => return self.expected_length(expected),
        };
        usize::try_from(length.ok()?.as_int()?).ok()
    }
}

/// `&mut *reference`.
fn reborrowed(reference: &Expr) -> Expr {
    let target = ExprKind::Unary(syn::UnOp::Deref(Default::default()), reference.clone());
    Expr::new(ExprKind::Mutable(Expr::new(target, reference.place)), reference.place)
}

/// The variant of an `Option` that a path makes of these arguments; what is in it has to be fixed to be known.
fn variant_made(path: &Path, args: &[Value]) -> Option<Variant> {
    match args {
        [_] if !path.is_variant("Some") => None,
        [content @ Value::Passive(passive)] if passive.is_fixed() => Some(Variant::Some(content.clone().into())),
        [_] => Some(Variant::Either),
        _ => None,
    }
}

/// Whether types of a function are known by what they are called with.
fn has_types(signature: &syn::Signature) -> bool {
    let is_behind = |input: &syn::FnArg| mentions(input.to_token_stream(), BEHIND_TRAITS);
    signature.generics.type_params().next().is_some() || signature.inputs.iter().any(is_behind)
}

/// Whether a function of floats of this name gives a float.
fn gives_float(name: &str) -> bool {
    name == "from" || Intrinsic::find(name).is_some_and(|found| found.row().gives == Kind::Float)
}
