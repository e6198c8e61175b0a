//! What leaves a function that gives an `Option` or a `Result` of floats: `None`, `Err(e)` and `?`. It is a statement of
//! the generated code, in its turn, and control ends there as it ends at a panic. Nothing of it has a derivative.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{GenericParam, Signature};

use super::super::module::name_of;
use super::super::read::shape::Shape;
use super::super::read::ty::mentions;
use super::super::refuse;
use super::super::syntax::{self, Body, Closure, Expr, ExprKind, Fallible, Method, Path, Pattern, PatternKind, Type};
use super::control::{Exit, Flow, Stop};
use super::expected::Expected;
use super::inline::is_writable;
use super::program::Line;
use super::value::{Passive, Value, Variant};
use super::{Lowering, emitted};

/// A call with a `?` after it, or with another method of a `Result` that takes the value out.
pub struct Tried {
    /// The address of the path or of the method that is called.
    call: *const (),
    /// The shape of the value in the `Some` or the `Ok`, where it is known.
    shape: Option<Shape>,
    /// Whether the body of what is called has replaced the call, so that its value is the one in the `Some` or the `Ok`.
    is_inlined: bool,
    /// What follows the call.
    after: After,
    /// How what leaves the body goes on, unless it leaves the function around it as it is.
    way: Option<Way>,
}

/// What follows a call that gives a `Result`.
#[derive(Clone, Default)]
struct After {
    /// A method of it: `.ok()`, `.map_err(f)` or `.unwrap()`.
    method: TokenStream,
    /// Whether this makes a panic of an error. Else a `?` follows.
    panics: bool,
    /// Whether it is asked whether there is a value, as by `Option`s: nothing leaves the function around the call.
    is_asked: bool,
}

/// What the body of a function that gives an `Option` or a `Result` gives where it replaces a call.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Given {
    /// What is in the `Some` or the `Ok`. What else there is leaves the function around it.
    Value,
    /// An `Option`.
    Option,
}

impl After {
    /// Whether it is a `?` and nothing else.
    fn is_plain(&self) -> bool {
        self.method.is_empty()
    }

    fn tokens(&self) -> TokenStream {
        let (method, tried) = (&self.method, (!self.panics).then(|| quote!(?)));
        quote!(#method #tried)
    }
}

/// How an error goes on that leaves a function which is inlined.
#[derive(Clone)]
pub struct Way {
    /// The type of what the function gives.
    ty: TokenStream,
    /// The same where it gives no value.
    ty_of_error: TokenStream,
    /// What follows its call.
    after: TokenStream,
    /// Whether this panics.
    pub panics: bool,
}

impl Lowering<'_> {
    /// Whether what leaves the function around this place leaves the generated function.
    pub(super) fn may_leave(&self) -> bool {
        self.leaves
    }

    /// `return None` or `return Err(e)`: what is active in the error is the number that it is.
    pub(super) fn leave(&mut self, whole: &Expr, given: &Expr) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        if !self.may_leave() {
            return self.refuse(whole, refuse::LEFT_WITHOUT_TRY);
        }
        let Some(written) = self.observing_at_the_end(given) else { return self.refuse(given, refuse::ERROR_VALUE) };
        self.leave_by(written.tokens().clone(), whole)
    }

    /// `Err(e)` of a function that is read as one that gives an `Option`: what is active in the error is the number that it is.
    pub(super) fn dropped(&mut self, whole: &Expr, error: &Expr, ty: &Type) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        if !is_writable(ty) {
            return self.refuse(whole, refuse::LEFT_WITHOUT_TRY);
        }
        let Some(written) = self.observing_at_the_end(error) else { return self.refuse(error, refuse::ERROR_VALUE) };
        let (ty, tokens) = (self.written_type(ty), written.tokens());
        self.program.line(Line::effect(quote!(let _: #ty = #tokens;)));
        Ok(Value::unit())
    }

    /// `return written`, of the function that is inlined here: what follows its call, and those of the functions around
    /// it, makes of an error what leaves the generated function.
    pub(super) fn leave_by(&mut self, written: TokenStream, whole: &Expr) -> Flow {
        let statement = match self.ways.is_empty() {
            true => quote!(return #written;),
            false => self.left_by_ways(written),
        };
        self.program.line(Line::effect(statement).changing());
        Err(Stop::jump(Exit::Panic, whole))
    }

    fn left_by_ways(&mut self, written: TokenStream) -> TokenStream {
        let left = self.program.names.fresh("left");
        let step = |written: TokenStream, way: &Way| {
            let Way { ty_of_error, after, .. } = way;
            quote!({
                let #left: #ty_of_error = #written;
                match #left #after {}
            })
        };
        let Some((outermost, others)) = self.ways.split_first() else { return written };
        let given = others.iter().rev().fold(written, |written, way| {
            let step = step(written, way);
            quote!((|| #step)())
        });
        step(given, outermost)
    }

    /// `operand?` in a function that is inlined.
    fn tried_by_ways(&mut self, operand: &TokenStream) -> TokenStream {
        let [value, error] = ["value", "error"].map(|name| self.program.names.fresh(name));
        let ty = self.ways.last().map(|way| way.ty.clone());
        let left = self.left_by_ways(quote!(::core::result::Result::Err(#error)));
        quote!(match (|| -> #ty { ::core::result::Result::Ok(#operand?) })() {
            ::core::result::Result::Ok(#value) => #value,
            ::core::result::Result::Err(#error) => #left
        })
    }

    /// What leaves this inlined call besides what leaves the functions around it.
    pub(super) fn way_of_tried(&self) -> Option<Way> {
        self.tried.last()?.way.clone()
    }

    /// `a?`. A function that is inlined leaves the function around it.
    pub(super) fn tried(&mut self, whole: &Expr, inner: &Expr) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        if self.activation.body.fallible.is_none() {
            return self.refuse(whole, refuse::TRIED_ASIDE);
        }
        if !self.may_leave() {
            return self.refuse(whole, refuse::LEFT_WITHOUT_TRY);
        }
        if let Some(value) = self.tried_with_error(whole, inner)? {
            return Ok(value);
        }
        let (called, method) = self.with_other_error(inner).unwrap_or((inner, TokenStream::new()));
        let after = After { method, ..After::default() };
        let (value, tried) = self.fallible_value(called, &after);
        let value = value?;
        let is_inlined = tried.as_ref().is_some_and(|tried| tried.is_inlined);
        // Of a call that is differentiated as one, the method is called where it is.
        if !is_inlined
            && !after.is_plain()
            && let Some(value) = self.taken_out(called, &value, after.tokens(), false)
        {
            return Ok(value);
        }
        match (tried, value) {
            (Some(_), value) if is_inlined => Ok(value),
            // With passive arguments alone it is called as it is written.
            (tried, Value::Passive(passive)) if !after.is_plain() => {
                let (operand, method) = (passive.operand(), &after.method);
                let passive = Value::Passive(Passive::simple(quote!(#operand #method)));
                self.tried_value(whole, inner, &passive, tried.and_then(|tried| tried.shape))
            }
            (tried, value) => self.tried_value(whole, inner, &value, tried.and_then(|tried| tried.shape)),
        }
    }

    /// The value of what may be a call of a function that is inlined, and how that has been tried.
    fn fallible_value(&mut self, called: &Expr, after: &After) -> (Flow, Option<Tried>) {
        let tried = self.fallible_call(called, after);
        let is_call = tried.is_some();
        self.tried.extend(tried);
        let value = self.expression(called);
        (value, if is_call { self.tried.pop() } else { None })
    }

    /// The call in `call.map_err(f)` and in `call.ok()`, and what follows it, if it may be one that is inlined and gives a
    /// `Result`.
    fn with_other_error<'e>(&mut self, inner: &'e Expr) -> Option<(&'e Expr, TokenStream)> {
        let ExprKind::Method(call) = &*inner.unwrapped().kind else { return None };
        if !self.gives_result(&call.receiver) {
            return None;
        }
        let after = match (call.name.to_string().as_str(), &call.args[..]) {
            ("ok", []) => quote!(.ok()),
            ("map_err", [with]) => {
                let with = self.kept(with)?;
                let with = with.tokens();
                quote!(.map_err(#with))
            }
            _ => return None,
        };
        self.numbers.literals.open.reach(inner.unwrapped(), true);
        Some((&call.receiver, after))
    }

    /// Whether a method takes the value out of what a function gives that is inlined, a `Result`: `unwrap` or `expect`.
    pub(super) fn is_unwrapping(&self, call: &Method) -> bool {
        let is_named = match (call.name.to_string().as_str(), &call.args[..]) {
            ("unwrap", []) => true,
            ("expect", [text]) => matches!(&*text.kind, ExprKind::Literal(_)),
            _ => false,
        };
        is_named && self.inline.is_none() && self.gives_result(&call.receiver)
    }

    /// Such a call: an error is a panic.
    pub(super) fn unwrapped_call(&mut self, whole: &Expr, call: &Method, expected: &Expected) -> Flow {
        let (name, text) = (&call.name, call.args.first().map(|text| &text.kind));
        let text = match text.map(|kind| &**kind) {
            Some(ExprKind::Literal(text)) => Some(text),
            _ => None,
        };
        let after = After { method: quote!(.#name(#text)), panics: true, is_asked: false };
        match self.fallible_value(&call.receiver, &after) {
            (value, Some(tried)) if tried.is_inlined => value,
            (value, _) => self.method_call(whole, call, value?, expected),
        }
    }

    /// Whether an expression is a call of a function of the module, or of one inside of this, that gives a `Result` of floats.
    fn gives_result(&self, called: &Expr) -> bool {
        match &*called.unwrapped().kind {
            ExprKind::Call(function, _) => self.signature_called(function).is_some_and(|signature| {
                self.fallible_of(&signature).is_some_and(|(fallible, _)| !fallible.is_option())
            }),
            ExprKind::Method(call) => self.module.declared().methods().gives_result(&call.name.unraw().to_string()),
            _ => false,
        }
    }

    fn tried_value(&mut self, whole: &Expr, inner: &Expr, value: &Value, shape: Option<Shape>) -> Flow {
        if let Some(value) = self.taken_out(inner, value, quote!(?), false) {
            return Ok(value);
        }
        if let Value::Optional(of) = value
            && !value.is_passive()
        {
            return self.tried_optional(whole, inner, of);
        }
        let Some(passive) = value.to_passive() else {
            let is_wrapped = self.is_wrapped(value);
            return self.refuse(whole, if is_wrapped { refuse::WRAPPED_RESULT } else { refuse::TRIED });
        };
        let operand = passive.operand();
        let shape = shape.or_else(|| passive.shape.as_ref().and_then(Shape::item));
        let written = match self.ways.is_empty() {
            true => quote!(#operand?),
            false => self.tried_by_ways(&operand),
        };
        let passive = Passive::compound(written).given(true).statement().with_shape(shape);
        Ok(Value::Passive(self.let_passive(&emitted(&format_ident!("value")), &passive, None)))
    }

    /// The call that an expression is, if the body of what is called may replace it and leave the function as this one
    /// is left, or by what follows it. Of a method, that is not known before its receiver is (`try_method`).
    fn fallible_call(&self, expression: &Expr, after: &After) -> Option<Tried> {
        let function = match &*expression.unwrapped().kind {
            ExprKind::Call(function, _) => function,
            ExprKind::Method(call) => {
                let (call, after) = (std::ptr::from_ref(call).cast(), after.clone());
                return Some(Tried { call, shape: None, is_inlined: false, after, way: None });
            }
            _ => return None,
        };
        let ExprKind::Path(path) = &*function.unwrapped().kind else { return None };
        let (shape, way) = self.left_by(&self.signature_called(function)?, after)?;
        let call = std::ptr::from_ref(path).cast();
        Some(Tried { call, shape, is_inlined: false, after: after.clone(), way })
    }

    /// The signature of a function of the module, or of one inside of this, that is called.
    fn signature_called(&self, function: &Expr) -> Option<Signature> {
        let ExprKind::Path(path) = &*function.unwrapped().kind else { return None };
        if let Some(item) = self.local_function(path) {
            return Some(item.function.get()?.item.sig.clone());
        }
        let own = path.name_in_module().and_then(|name| self.module.declared().function(&name));
        let associated = self.associated(path, None).and_then(Result::ok).and_then(|it| it.function.as_ref().ok());
        own.or(associated).map(|function| function.sig.clone())
    }

    /// The shape of what a function with this signature gives, and how what leaves it goes on; none if that is not known.
    fn left_by(&self, signature: &Signature, after: &After) -> Option<(Option<Shape>, Option<Way>)> {
        let (fallible, shape) = self.fallible_of(signature)?;
        if after.is_asked {
            return Some((shape, None));
        }
        let around = self.activation.body.fallible.as_ref();
        if after.is_plain() && around.is_some_and(|around| fallible.is_like(around)) {
            return Some((shape, None));
        }
        let [ty, ty_of_error] = [quote!(_), quote!(::core::convert::Infallible)].map(|value| fallible.around(&value));
        let is_generic = signature.generics.params.iter().filter_map(name_of).any(|own| mentions(ty.clone(), &[&own]));
        if fallible.is_option() || is_generic {
            return None;
        }
        Some((shape, Some(Way { ty, ty_of_error, after: after.tokens(), panics: after.panics })))
    }

    /// What a function gives with this signature, and the shape of what is in it, where that is known.
    fn fallible_of(&self, signature: &Signature) -> Option<(Fallible, Option<Shape>)> {
        let fallible = Fallible::of(signature, &|name| self.module.declared().items().structs.contains(name))?;
        let is_generic = signature.generics.params.iter().any(|it| !matches!(it, GenericParam::Lifetime(_)));
        let shape = if is_generic { None } else { self.shape_of(&syntax::ty(&fallible.value)) };
        Some((fallible, shape.filter(|shape| !shape.has_reference())))
    }

    /// Notes that the method with a `?` after it is one with this signature, whose call is inlined as that of `path`.
    pub(super) fn try_method(&mut self, call: &Method, signature: &Signature, path: &Path) {
        let call: *const () = std::ptr::from_ref(call).cast();
        if self.tried.last().is_none_or(|tried| tried.call != call) {
            return;
        }
        let Some(after) = self.tried.last().map(|tried| tried.after.clone()) else { return };
        let found = self.left_by(signature, &after);
        if let (Some(tried), Some((shape, way))) = (self.tried.last_mut(), found) {
            (tried.shape, tried.way) = (shape, way);
            tried.call = std::ptr::from_ref(path).cast();
        }
    }

    /// What is wanted of this call, which is inlined, if it has a `?` after it, or what stands for that.
    pub(super) fn given_by_call(&mut self, call: &Path) -> Option<Given> {
        let call: *const () = std::ptr::from_ref(call).cast();
        let tried = self.tried.last_mut().filter(|tried| tried.call == call && !tried.is_inlined)?;
        tried.is_inlined = true;
        Some(if tried.after.is_asked { Given::Option } else { Given::Value })
    }

    /// The value of an expression that is asked for an `Ok`: an `Option`, if it is a call that is inlined and gives a
    /// `Result`.
    pub(super) fn asked(&mut self, result: &Expr) -> Flow {
        if self.inline.is_some() || !self.gives_result(result) {
            return match &*result.unwrapped().kind {
                ExprKind::Method(call) if self.is_mapping(call) => {
                    let value = self.asked(&call.receiver)?;
                    self.method_call(result, call, value, &Expected::Anything)
                }
                _ => self.expression(result),
            };
        }
        let after = After { is_asked: true, ..After::default() };
        let (value, tried) = self.fallible_value(result, &after);
        let value = value?;
        let Some(tried) = tried.filter(|tried| tried.is_inlined) else { return Ok(value) };
        match (&value, &tried.shape) {
            (Value::Passive(_), _) if is_none(&value) => Ok(value),
            // Nothing active is in the `Ok`, and an `Option` in the generated code says whether there is one.
            (Value::Passive(passive), Some(shape @ Shape::Float(_))) => {
                let name = |name: &str| emitted(&Ident::new(name, Span::call_site()));
                let option = self.let_passive(&name("option"), passive, None).tokens().clone();
                let [test, content] =
                    [quote!(#option.is_some()), quote!(#option.unwrap_or_default())].map(Passive::simple);
                let test = self.let_passive(&name("is_ok"), &test, None);
                let content = self.let_passive(&name("value"), &content.with_shape(Some(shape.clone())), None);
                Ok(Value::there_if(Value::Passive(test), Value::Passive(content)))
            }
            (Value::Passive(_), _) => self.refuse(result, refuse::LEFT_WITHOUT_TRY),
            _ => Ok(value),
        }
    }

    /// Whether nothing is missed where the errors are not converted that leave a function by `?`: no conversion of the
    /// module's does more than to give a value, as far as is seen.
    pub(super) fn may_drop(&self, body: &Body, fallible: &Fallible) -> bool {
        !body.converts_errors || self.module.declared().conversions().are_plain(fallible.error().as_ref())
    }

    /// Whether a method asks a call that gives a `Result` for its `Ok`.
    pub(super) fn is_asking(&self, call: &Method) -> bool {
        let is_result = |receiver: &Expr| match &*receiver.unwrapped().kind {
            ExprKind::Method(inner) if self.is_mapping(inner) => true,
            _ => self.gives_result(receiver),
        };
        option_method(call).is_some() && self.inline.is_none() && is_result(&call.receiver)
    }

    /// Whether a method changes the value in the `Ok` of what such a call gives, or of what is made of that so.
    fn is_mapping(&self, call: &Method) -> bool {
        let is_inner = || match &*call.receiver.unwrapped().kind {
            ExprKind::Method(inner) => self.is_mapping(inner),
            _ => false,
        };
        call.name == "map" && call.args.len() == 1 && (self.gives_result(&call.receiver) || is_inner())
    }

    /// Such a method, as that of an `Option`.
    pub(super) fn asking_call(&mut self, whole: &Expr, call: &Method, expected: &Expected) -> Flow {
        let value = match self.asked(&call.receiver)? {
            // What is called for the error is given none.
            Value::Passive(passive) if call.name == "unwrap_or_else" && !passive.is_option() => {
                let operand = passive.operand();
                let option = Passive::simple(quote!(#operand.ok())).with_variant(Some(Variant::Either));
                let args = call.args.iter().map(without_error).collect();
                return self.method_call(whole, &Method { args, ..call.clone() }, Value::Passive(option), expected);
            }
            value => value,
        };
        let name = option_method(call).filter(|_| matches!(value, Value::Optional(_)) || is_none(&value));
        match name {
            Some("ok") => Ok(value),
            Some(name) => {
                let name = Ident::new(name, call.name.span());
                let args = call.args.iter().map(without_error).collect();
                self.method_call(whole, &Method { name, args, ..call.clone() }, value, expected)
            }
            None => self.method_call(whole, call, value, expected),
        }
    }
}

/// The method of an `Option` that does the same as this one of a `Result`, which asks for its `Ok`.
fn option_method(call: &Method) -> Option<&'static str> {
    Some(match (call.name.to_string().as_str(), &call.args[..]) {
        ("ok", []) => "ok",
        ("is_ok", []) => "is_some",
        ("is_err", []) => "is_none",
        ("is_ok_and", [_]) => "is_some_and",
        ("unwrap_or", [_]) => "unwrap_or",
        ("unwrap_or_else", [otherwise]) if takes_nothing(otherwise) => "unwrap_or_else",
        ("unwrap_or_default", []) => "unwrap_or_default",
        ("map_or", [_, _]) => "map_or",
        _ => return None,
    })
}

fn is_none(value: &Value) -> bool {
    matches!(value, Value::Passive(Passive { variant: Some(Variant::None), .. }))
}

/// Whether a closure does not read the error that it is given.
fn takes_nothing(closure: &Expr) -> bool {
    let ExprKind::Closure(closure) = &*closure.unwrapped().kind else { return false };
    matches!(&closure.parameters[..], [(Pattern { kind: PatternKind::Wild, .. }, _)])
}

/// An argument as that of the method of an `Option`: a closure that does not read the error is given none.
fn without_error(argument: &Expr) -> Expr {
    match &*argument.unwrapped().kind {
        ExprKind::Closure(closure) if takes_nothing(argument) => {
            let closure = Closure { parameters: Vec::new(), ..(**closure).clone() };
            Expr::new(ExprKind::Closure(Rc::new(closure)), argument.place)
        }
        _ => argument.clone(),
    }
}
