//! What leaves a function that gives an `Option` or a `Result` of floats: `None`, `Err(e)` and `?`. It is a statement of
//! the generated code, in its turn, and control ends there as it ends at a panic. Nothing of it has a derivative.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{GenericParam, Signature};

use super::super::read::shape::Shape;
use super::super::refuse;
use super::super::syntax::{self, Expr, ExprKind, Fallible, Method, Path};
use super::control::{Exit, Flow, Stop};
use super::program::Line;
use super::value::{Passive, Value};
use super::{Lowering, emitted};

/// A call with a `?` after it.
pub struct Tried {
    /// The address of the path or of the method that is called.
    call: *const (),
    /// The shape of the value in the `Some` or the `Ok`, where it is known.
    shape: Option<Shape>,
    /// Whether the body of what is called has replaced the call, so that its value is the one in the `Some` or the `Ok`.
    is_inlined: bool,
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

    /// `return written`.
    pub(super) fn leave_by(&mut self, written: TokenStream, whole: &Expr) -> Flow {
        self.program.line(Line::effect(quote!(return #written;)).changing());
        Err(Stop::jump(Exit::Panic, whole))
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
        let tried = self.fallible_call(inner);
        let is_call = tried.is_some();
        self.tried.extend(tried);
        let value = self.expression(inner);
        let tried = if is_call { self.tried.pop() } else { None };
        match tried {
            Some(tried) if tried.is_inlined => value,
            // With passive arguments alone it is called as it is written.
            tried => self.tried_value(whole, inner, &value?, tried.and_then(|tried| tried.shape)),
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
        let passive = Passive::compound(quote!(#operand?)).given(true).statement().with_shape(shape);
        Ok(Value::Passive(self.let_passive(&emitted(&format_ident!("value")), &passive, None)))
    }

    /// The call that an expression is, if the body of what is called may replace it and leave the function as this one
    /// is left. Of a method, that is not known before its receiver is (`try_method`).
    fn fallible_call(&self, expression: &Expr) -> Option<Tried> {
        let function = match &*expression.unwrapped().kind {
            ExprKind::Call(function, _) => function,
            ExprKind::Method(call) => {
                return Some(Tried { call: std::ptr::from_ref(call).cast(), shape: None, is_inlined: false });
            }
            _ => return None,
        };
        let ExprKind::Path(path) = &*function.unwrapped().kind else { return None };
        let local = self.local_function(path);
        let own = path.name_in_module().and_then(|name| self.module.declared().function(&name));
        let associated = self.associated(path, None).and_then(Result::ok).and_then(|it| it.function.as_ref().ok());
        let signature = match (&local, own.or(associated)) {
            (Some(item), _) => &item.function.get()?.item.sig,
            (None, Some(function)) => &function.sig,
            _ => return None,
        };
        let (fallible, shape) = self.fallible_of(signature)?;
        let around = self.activation.body.fallible.as_ref()?;
        fallible.is_like(around).then(|| Tried { call: std::ptr::from_ref(path).cast(), shape, is_inlined: false })
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
        let (fallible, shape) = self.fallible_of(signature).unzip();
        let around = self.activation.body.fallible.as_ref();
        let is_like = fallible.zip(around).is_some_and(|(fallible, around)| fallible.is_like(around));
        if let Some(tried) = self.tried.last_mut() {
            tried.shape = shape.flatten();
            tried.call = if is_like { std::ptr::from_ref(path).cast() } else { tried.call };
        }
    }

    /// Whether this call, which is inlined, has a `?` after it.
    pub(super) fn is_tried(&mut self, call: &Path) -> bool {
        let call: *const () = std::ptr::from_ref(call).cast();
        let tried = self.tried.last_mut().filter(|tried| tried.call == call && !tried.is_inlined);
        tried.map(|tried| tried.is_inlined = true).is_some()
    }
}
