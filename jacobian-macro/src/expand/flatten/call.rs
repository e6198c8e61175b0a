//! Calls: methods and functions of the catalogue, and calls whose arguments are all passive.

use jacobian_core::catalogue::{CATALOGUE, Intrinsic};
use jacobian_core::code_list::{Constant, Dialect, Kind, Precision, ValueId};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprMethodCall, ExprPath, Token};

use super::super::diagnostics::{list, nearest};
use super::super::signature::float_type;
use super::super::{module, shape};
use super::Flattener;
use super::code::Line;
use super::value::{Number, Passive, Value};

/// How the user wrote the calls of one dialect.
#[derive(Clone)]
pub enum Form {
    /// `x.sin()`.
    Method,
    /// `f64::sin(x)` or `<f64>::sin(x)`: the path in front of the name, and the type that it names.
    Path {
        /// What stands in front of `::sin`.
        prefix: TokenStream,
        /// The type.
        ty: TokenStream,
    },
    /// `libm::sin(x)`, with the names of that crate: the path in front of the name.
    Libm(TokenStream),
}

/// Methods of floats that have no derivative, and why.
const REJECTED: &[(&[&str], &str)] = &[
    (&["next_up", "next_down"], "steps to a neighbouring float and has no derivative"),
    (
        &["to_bits", "to_int_unchecked", "to_be_bytes", "to_le_bytes", "to_ne_bytes"],
        "leaves the floats, so that the derivative would be lost",
    ),
    (
        &["total_cmp", "partial_cmp", "cmp", "eq", "ne", "lt", "le", "gt", "ge", "classify"],
        "compares; write `<`, `==` and their like",
    ),
    (&["is_normal", "is_subnormal"], "is not supported on active values; compare with `<`"),
    (
        &["gamma", "ln_gamma", "erf", "erfc", "maximum", "minimum"],
        "is not stable in the standard library; write the operations out",
    ),
    (&["add", "sub", "mul", "div", "rem", "neg"], "is an operator; write it as `+`, `-`, `*`, `/`, `%`"),
];

type Arguments = Punctuated<Expr, Token![,]>;

impl Flattener<'_> {
    pub(super) fn method_call(&mut self, call: &ExprMethodCall, receiver: Value) -> Value {
        let mut args = self.in_order(Some(receiver), &call.args);
        let receiver = args.remove(0);
        if receiver.is_error() || args.iter().any(Value::is_error) {
            return Value::Error;
        }
        if let Some(known) = self.structural(call, &receiver) {
            return known;
        }
        if let Some(passive) = self.passive_method(call, &receiver, &args) {
            return Value::Passive(passive);
        }
        if matches!(receiver, Value::Array(_) | Value::Tuple(_)) {
            return self.refuse(
                &call.method,
                "of the methods of arrays only `len` and `clone` are supported; operate on the elements one by one",
            );
        }
        if let Some(turbofish) = &call.turbofish {
            return self.refuse(turbofish, "type arguments are not supported on a method of an active value");
        }
        let mut operands = vec![(&receiver, &*call.receiver)];
        operands.extend(args.iter().zip(&call.args));
        self.intrinsic(&call.method, &call.method.to_string(), Dialect::default(), &operands)
    }

    /// A method call without an active value, as the user wrote it.
    fn passive_method(&mut self, call: &ExprMethodCall, receiver: &Value, args: &[Value]) -> Option<Passive> {
        let args = args.iter().map(Value::to_passive).collect::<Option<Vec<_>>>()?;
        let mut passive = receiver.to_passive()?;
        let is_known = passive.number.is_some() || !matches!(receiver, Value::Passive(_));
        if is_known && is_place(&call.receiver) && !passive.is_variable() && self.inline.is_none() {
            // A method that changes its receiver must not change a copy instead: it cannot change this variable.
            let name = quote::format_ident!("receiver", span = call.receiver.span());
            passive = self.let_passive(&name, &passive, None);
        }
        let (receiver, method, turbofish) = (passive.operand(), &call.method, &call.turbofish);
        let args = args.iter().map(Passive::tokens);
        Some(Passive::simple(quote!(#receiver.#method #turbofish(#(#args),*))))
    }

    /// Methods that do not compute: the length of an array, copies.
    fn structural(&mut self, call: &ExprMethodCall, receiver: &Value) -> Option<Value> {
        let is_passive = receiver.to_passive().is_some();
        match (call.method.to_string().as_str(), receiver) {
            _ if !call.args.is_empty() => None,
            ("len", Value::Array(elements)) => {
                let length = proc_macro2::Literal::usize_suffixed(elements.len());
                let number = Some(Number::Int(elements.len() as i128));
                Some(Value::Passive(Passive::simple(length.to_token_stream()).with_number(number)))
            }
            ("clone" | "to_owned", _) if !is_passive => Some(receiver.clone()),
            _ => None,
        }
    }

    /// A method or function of floats with an active argument.
    fn intrinsic(&mut self, place: &Ident, name: &str, dialect: Dialect, operands: &[(&Value, &Expr)]) -> Value {
        if name == "sin_cos" && operands.len() == 1 {
            let both = ["sin", "cos"].map(|name| self.intrinsic(place, name, dialect, operands));
            return Value::Tuple(both.to_vec());
        }
        let found = match self.forms[usize::from(dialect.0)] {
            Form::Libm(_) => self.libm_name(name).and_then(Intrinsic::find_libm),
            _ => Intrinsic::find(name).filter(|found| found.row().is_callable() || found.row().is_test()),
        };
        let Some(intrinsic) = found else {
            return self.refuse(place, self.unknown(name, dialect));
        };
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

    fn operand(&mut self, intrinsic: Intrinsic, index: usize, (value, place): (&Value, &Expr)) -> Option<ValueId> {
        if intrinsic.row().takes[index] != Kind::Int {
            return self.float(value, place);
        }
        match value.to_passive() {
            Some(passive) => match passive.number {
                Some(Number::Int(value)) if i32::try_from(value).is_ok() => {
                    Some(self.constant(Constant::Int(value as i32)))
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
        match self.precision() {
            Precision::F64 => Some(name),
            Precision::F32 => name.strip_suffix('f'),
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

    pub(super) fn call(&mut self, call: &ExprCall) -> Value {
        let args = self.in_order(None, &call.args);
        if args.iter().any(Value::is_error) {
            return Value::Error;
        }
        let Expr::Path(path) = unwrapped(&call.func) else {
            return self.refuse(&call.func, "only functions that are named by a path can be called");
        };
        if let Some(args) = args.iter().map(Value::to_passive).collect::<Option<Vec<_>>>() {
            let args = args.iter().map(Passive::tokens);
            let callee = match self.path(path) {
                Value::Passive(callee) => callee.operand(),
                _ => return self.refuse(path, "this is no function"),
            };
            return Value::Passive(Passive::simple(quote!(#callee(#(#args),*))));
        }
        if path.path.get_ident().and_then(|ident| self.scopes.find(ident)).is_some_and(|found| found.value.is_error()) {
            return Value::Error;
        }
        let places: Vec<&Expr> = call.args.iter().collect();
        if let Some(with) = self.function_with_jacobian(path) {
            return self.call_with_jacobian(with, &args, &places);
        }
        match self.member_of_module(path) {
            Some(module::Call::Inlined(function)) => return self.inlined(function, args, call),
            Some(module::Call::Called(with)) => return self.call_with_jacobian(with, &args, &places),
            None => {}
        }
        self.path_call(path, &args, &call.args)
    }

    fn path_call(&mut self, path: &ExprPath, args: &[Value], places: &Arguments) -> Value {
        let Some((form, name)) = self.form_of(path) else {
            return self.refuse(
                path,
                "the derivative of this function is not known: name it in `with(...)` if it has a Jacobian of its own, put it and its caller into a module with `#[jacobian]`, or write it out with methods such as `x.sin()`, `f64::sin(x)` or `libm::sin(x)`",
            );
        };
        let dialect = self.dialect(form);
        let operands: Vec<_> = args.iter().zip(places).collect();
        self.intrinsic(&name, &name.to_string(), dialect, &operands)
    }

    /// What stands in front of the name in a path to a function of floats, and that name.
    fn form_of(&self, path: &ExprPath) -> Option<(Form, Ident)> {
        let mut prefix = path.path.clone();
        let last = prefix.segments.pop()?;
        if !last.arguments.is_none() {
            return None;
        }
        if let Some(qself) = &path.qself {
            let is_own = matches!(shape::read(&qself.ty), shape::Reading::Floats(shape::Shape::Float(p)) if p == self.precision());
            let ty = &qself.ty;
            return (is_own && qself.position == 0 && prefix.segments.is_empty())
                .then(|| (Form::Path { prefix: quote!(<#ty>), ty: quote!(#ty) }, last.ident));
        }
        prefix.segments.pop_punct();
        if shape::float(&prefix) == Some(self.precision()) {
            let ty = prefix.to_token_stream();
            return Some((Form::Path { prefix: ty.clone(), ty }, last.ident));
        }
        let is_libm = prefix.segments.len() == 1 && prefix.segments[0].ident == "libm";
        is_libm.then(|| (Form::Libm(prefix.to_token_stream()), last.ident))
    }

    /// The number of a form; forms of the same tokens are the same.
    fn dialect(&mut self, form: Form) -> Dialect {
        let text = form.to_string();
        let position = self.forms.iter().position(|known| known.to_string() == text);
        let index = position.unwrap_or_else(|| {
            if let Form::Path { ty, .. } = &form {
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
        let float = float_type(self.precision());
        self.line(Line::always(quote_spanned! {Span::mixed_site()=>
            let _: ::core::marker::PhantomData<#ty> = ::core::marker::PhantomData::<#float>;
        }));
    }
}

impl std::fmt::Display for Form {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Form::Method => Ok(()),
            Form::Path { prefix, .. } | Form::Libm(prefix) => write!(formatter, "{prefix}"),
        }
    }
}

fn unwrapped(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(paren) => unwrapped(&paren.expr),
        Expr::Group(group) => unwrapped(&group.expr),
        other => other,
    }
}

/// Whether an expression names a variable or a part of one.
fn is_place(expression: &Expr) -> bool {
    matches!(unwrapped(expression), Expr::Path(_) | Expr::Field(_) | Expr::Index(_))
}
