//! Iterators and closures, where nothing in them is differentiated: these are as the program has them.

use std::rc::Rc;

use syn::{Expr, ExprClosure, ExprMethodCall, ExprRange, Pat, RangeLimits};

use super::super::tree::*;
use super::expression::expression;
use super::pattern::pattern;
use super::{Reading, ty, unknown};

/// What becomes of the items of an iterator, if the call says that.
pub fn consumed(call: &ExprMethodCall) -> Reading<Option<Expression>> {
    let consumer = match (call.method.to_string().as_str(), call.args.len()) {
        ("sum", 0) => Consumer::Sum,
        ("product", 0) => Consumer::Product,
        ("reduce", 1) => Consumer::Reduce(closure_of(&call.args[0])?),
        ("fold", 2) => Consumer::Fold(Box::new(expression(&call.args[0])?), closure_of(&call.args[1])?),
        _ => return Ok(None),
    };
    Ok(Some(Expression::Consume(Box::new(items(&call.receiver)?), consumer)))
}

/// Whether a call gives an iterator, whatever it is called on.
pub fn is_iterator(call: &ExprMethodCall) -> bool {
    match &*call.method.to_string() {
        "iter" | "into_iter" | "rev" | "enumerate" | "copied" => call.args.is_empty(),
        "windows" | "chunks_exact" | "skip" | "step_by" | "take" | "zip" => call.args.len() == 1,
        _ => false,
    }
}

/// An iterator.
pub fn items(source: &Expr) -> Reading<Items> {
    match source {
        Expr::Paren(paren) => items(&paren.expr),
        Expr::Range(range) => self::range(range),
        Expr::MethodCall(call) => adapted(call),
        Expr::Reference(reference) => {
            let is_shared = reference.mutability.is_none();
            let access = if is_shared { Access::Borrowed } else { Access::MutablyBorrowed };
            Ok(Items::Elements(expression(&reference.expr)?, access))
        }
        // What a passive array is in generated code that is an iterator's argument.
        Expr::Call(call) if is_into_iter(&call.func) && call.args.len() == 1 => {
            Ok(Items::Elements(expression(&call.args[0])?, Access::Owned))
        }
        array @ (Expr::Path(_) | Expr::Array(_) | Expr::Index(_)) => {
            Ok(Items::Elements(expression(array)?, Access::Bare))
        }
        other => unknown("iterator", other),
    }
}

/// Whether a function is `IntoIterator::into_iter`.
fn is_into_iter(function: &Expr) -> bool {
    match function {
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "into_iter"),
        _ => false,
    }
}

fn range(range: &ExprRange) -> Reading<Items> {
    let (Some(start), Some(end)) = (&range.start, &range.end) else { return unknown("range", range) };
    let is_inclusive = matches!(range.limits, RangeLimits::Closed(_));
    Ok(Items::Range(expression(start)?, expression(end)?, is_inclusive))
}

fn adapted(call: &ExprMethodCall) -> Reading<Items> {
    let inner = || Ok::<_, String>(Box::new(items(&call.receiver)?));
    Ok(match (call.method.to_string().as_str(), call.args.len()) {
        ("iter", 0) => Items::Elements(expression(&call.receiver)?, Access::Shared),
        ("into_iter", 0) => Items::Elements(expression(&call.receiver)?, Access::Owned),
        ("windows", 1) => Items::Windows(expression(&call.receiver)?, expression(&call.args[0])?),
        ("chunks_exact", 1) => Items::Chunks(expression(&call.receiver)?, expression(&call.args[0])?),
        ("rev", 0) => Items::Reversed(inner()?),
        ("copied", 0) => Items::Copied(inner()?),
        ("enumerate", 0) => Items::Enumerate(inner()?),
        ("step_by", 1) => Items::StepBy(inner()?, expression(&call.args[0])?),
        ("skip", 1) => Items::Skip(inner()?, expression(&call.args[0])?),
        ("take", 1) => Items::Take(inner()?, expression(&call.args[0])?),
        ("zip", 1) => Items::Zip(inner()?, Box::new(items(&call.args[0])?)),
        ("map", 1) => Items::Map(inner()?, closure_of(&call.args[0])?),
        ("filter_map", 1) => Items::FilterMap(inner()?, closure_of(&call.args[0])?),
        _ => return unknown("iterator", call),
    })
}

fn closure_of(argument: &Expr) -> Reading<Rc<Closure>> {
    match argument {
        Expr::Closure(closure) => Ok(Rc::new(self::closure(closure)?)),
        other => unknown("closure", other),
    }
}

/// A closure.
pub fn closure(closure: &ExprClosure) -> Reading<Closure> {
    let parameter = |input: &Pat| match input {
        Pat::Type(typed) => Ok((pattern(&typed.pat)?, Some(ty(&typed.ty)?))),
        plain => Ok((pattern(plain)?, None)),
    };
    let parameters = closure.inputs.iter().map(parameter).collect::<Reading<_>>()?;
    Ok(Closure { is_move: closure.capture.is_some(), parameters, body: expression(&closure.body)? })
}
