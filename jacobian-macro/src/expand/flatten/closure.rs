//! Closures: evaluated where they are called, with the variables that were in scope where they were written.

use std::collections::HashSet;
use std::rc::Rc;

use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Expr, ExprClosure, ExprPath, ReturnType};

use super::Flattener;
use super::call::UNKNOWN_CALLER;
use super::expected::Expected;
use super::scope::Captured;
use super::scope::each_identifier;
use super::tail::without_returns;
use super::value::{Binding, Passive, Value};

/// Why statements are refused in a closure that is written as it stands.
const WRITTEN: &str = "blocks and assignments are not supported in a closure that is given to a function whose body is not \
    known here; give it a function of its own";

/// A closure.
pub struct Closure {
    item: ExprClosure,
    /// The variables that it sees.
    captured: Captured,
    /// Those that it has moved into itself, with their values.
    moved: Vec<(Ident, Binding)>,
}

/// What can be called for each item of an iterator.
#[derive(Clone)]
pub enum Callee {
    /// A closure.
    Closure(Rc<Closure>),
    /// A function, named by its path.
    Path(Rc<ExprPath>),
}

impl Closure {
    /// What it evaluates.
    pub fn body(&self) -> &Expr {
        &self.item.body
    }

    /// Whether it needs a variable that is not among the first `count`.
    pub fn needs_more_than(&self, count: usize) -> bool {
        self.captured.needs_more_than(count)
    }
}

impl Callee {
    /// The closure that it is.
    pub fn as_closure(&self) -> Option<&Closure> {
        match self {
            Callee::Closure(closure) => Some(closure),
            Callee::Path(_) => None,
        }
    }
}

impl Flattener<'_> {
    /// The value of a closure expression. Nothing of it is evaluated yet.
    pub(super) fn closure(&mut self, closure: &ExprClosure) -> Value {
        if closure.asyncness.is_some() || closure.lifetimes.is_some() || closure.constness.is_some() {
            return self.refuse(closure, "only plain closures are supported: `|x| ...` and `move |x| ...`");
        }
        let mut idents = Vec::new();
        each_identifier(closure.body.to_token_stream(), &mut |ident| idents.push(ident));
        let (captured, moved) = match closure.capture {
            Some(_) => (Captured::default(), self.moved(idents)),
            None => (self.scopes.captured(&idents), Vec::new()),
        };
        let mut item = closure.clone();
        if let Expr::Block(body) = &mut *item.body {
            body.block = without_returns(&body.block);
        }
        Value::Closure(Rc::new(Closure { item, captured, moved }))
    }

    /// The variables among `idents`, with their present values.
    fn moved(&self, idents: Vec<Ident>) -> Vec<(Ident, Binding)> {
        let mut seen = HashSet::new();
        let binding = |ident: Ident| {
            let number = self.scopes.number(&ident).filter(|&number| seen.insert(number))?;
            Some((ident, self.scopes.get(number).clone()))
        };
        idents.into_iter().filter_map(binding).collect()
    }

    /// The function or closure that an argument of a method is.
    pub(super) fn callee(&mut self, expression: &Expr, value: &Value) -> Option<Callee> {
        match (value, super::call::unwrapped(expression)) {
            (Value::Closure(closure), _) => Some(Callee::Closure(closure.clone())),
            (Value::Passive(_), Expr::Path(path)) => Some(Callee::Path(Rc::new(path.clone()))),
            (Value::Error, _) => None,
            _ => {
                self.errors.at(expression, "a closure such as `|x| ...`, or the path of a function, is expected here");
                None
            }
        }
    }

    /// Calls what an iterator calls for each of its items.
    pub(super) fn invoke(&mut self, callee: &Callee, args: Vec<Value>, expected: Expected) -> Value {
        match callee {
            Callee::Closure(closure) => self.call_closure(closure, args, &closure.item, expected),
            Callee::Path(path) => {
                let place = Expr::Path((**path).clone());
                let places = vec![&place; args.len()];
                self.call_path(path, &args, &places)
            }
        }
    }

    /// Calls a closure, from `place`. Its value is that of its body, where `expected` is expected.
    pub(super) fn call_closure(
        &mut self,
        closure: &Closure,
        args: Vec<Value>,
        place: &impl ToTokens,
        expected: Expected,
    ) -> Value {
        let item = &closure.item;
        if let Some(why) = self.inline {
            return self.refuse(place, why);
        }
        if args.len() != item.inputs.len() {
            return self.refuse(place, format!("this closure takes {} arguments", item.inputs.len()));
        }
        let repetition = self.repeats(|| place.span(), "call", None);
        let outer = self.scopes.call(&closure.captured, closure.moved.len());
        self.scopes.enter();
        for (ident, binding) in &closure.moved {
            self.scopes.declare(ident, binding.clone());
        }
        for (pattern, value) in item.inputs.iter().zip(args) {
            self.bind(pattern, value, None);
        }
        let value = self.closure_body(closure, expected);
        let value = self.leave(value, &item.body);
        self.scopes.return_to(outer);
        self.budget.restore(repetition);
        value
    }

    /// A closure that depends on no active value as the user wrote it, for a function whose body is not known here.
    pub(super) fn written_closure(&mut self, closure: &Closure, place: &impl ToTokens) -> Value {
        let item = &closure.item;
        let outer = self.scopes.call(&closure.captured, closure.moved.len());
        self.scopes.enter();
        for (ident, binding) in &closure.moved {
            self.scopes.declare(ident, binding.clone());
        }
        let inputs: Vec<_> = item.inputs.iter().map(|pattern| self.matched_pattern(pattern)).collect();
        let body = self.without_statements(&item.body, WRITTEN);
        self.scopes.leave();
        self.scopes.return_to(outer);
        let capture = &item.capture;
        match body {
            Some(Value::Error) => Value::Error,
            body => match body.and_then(|body| body.to_passive()) {
                Some(body) => {
                    let body = body.tokens();
                    Value::Passive(Passive::compound(quote!(#capture |#(#inputs),*| #body)))
                }
                None => self.refuse(place, UNKNOWN_CALLER),
            },
        }
    }

    fn closure_body(&mut self, closure: &Closure, expected: Expected) -> Value {
        let expected = match &closure.item.output {
            ReturnType::Type(_, ty) => Expected::Type((**ty).clone()),
            ReturnType::Default => expected,
        };
        let outer = std::mem::replace(&mut self.returned, expected.clone());
        let value = self.expected(&closure.item.body, expected);
        self.returned = outer;
        self.returned_value(value, &closure.item.body)
    }
}
