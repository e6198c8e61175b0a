//! Calls of functions whose partials the user has written as expressions (the inlinable intrinsics of xaifBooster,
//! `with(sinc = |x; y| ...)`): the call is made as it is, and its block has a list of the partials, which the engine
//! writes out where it differentiates.
//!
//! A partial sees the arguments, the result, and what the module has, but no variable of the function: it is lowered as
//! the body of a function of its own is. What is in it runs only where a derivative needs it.

use std::rc::Rc;
use std::sync::Arc;

use jacobian_list::CodeList;
use jacobian_list::block::Local;
use jacobian_list::code_list::{Constant, ValueId};
use quote::ToTokens;
use syn::Expr as SynExpr;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::super::read::shape::Shape;
use super::super::read::with::{Partials, With};
use super::super::refuse;
use super::super::syntax::{self, Binding, Expr, ExprKind, Place};
use super::bindings::InlinedCall;
use super::control::Flow;
use super::generics::Given;
use super::program::Argument;
use super::value::{Elements, Passive, Value, Vector};
use super::{Inlinable, Lowering};

/// What is known of the partials of a call.
#[derive(Default)]
pub(super) struct Known {
    /// The partials.
    pub local: Local,
    /// The values outside that they read besides arguments and results.
    pub reads: Vec<ValueId>,
}

impl Lowering<'_> {
    /// The partials of a call with these arguments, which are written so.
    pub(super) fn written_partials(
        &mut self,
        with: &With,
        partials: &Partials,
        (values, arguments, places): (&[Value], &[Argument], &[&Expr]),
    ) -> Flow<Known> {
        let wanted = if self.is_second_order { 2 } else { 1 };
        if self.partials == wanted {
            return Ok(Known { local: Local::Unwanted, reads: Vec::new() });
        }
        for ((value, partial), place) in values.iter().zip(&partials.partials).zip(places) {
            if matches!(partial, SynExpr::Infer(_)) && !value.is_passive() {
                return self.refuse(*place, refuse::no_partial(with.function.to_token_stream()));
            }
        }
        let function = partials.function(&self.scalar.ty());
        let body = self.body_of_partials(with, &function);
        self.no_variables(&body, Place::of(partials.span()))?;
        self.hoisted.outside.extend(body.outside.iter().cloned());
        let place = Place::of(partials.span());
        let call = InlinedCall {
            function: function.sig.ident.clone(),
            place,
            given: Given::new(),
            bounds: None,
            has_plain_bounds: false,
        };
        let activation = self.bindings.activate(&body, Some(call));
        let caller = std::mem::replace(&mut self.activation, activation);
        let (returned, inline) = (std::mem::take(&mut self.returned), self.inline.take());
        self.partials += 1;
        let frame = self.program.inner();
        let (frame, outputs) = self.in_frame(frame, |lowering| {
            let mut inputs: Vec<_> = values.iter().zip(arguments).map(|(v, a)| lowering.within(v, a)).collect();
            let result = partials.result.as_ref().map_or("result".to_string(), ToString::to_string);
            let result = lowering.program.frame.list.input(&result);
            inputs.push(lowering.program.active(result));
            lowering.import_all()?;
            let value = lowering.body(&body.block, |lowering| {
                let parameters = body.parameters.iter().zip(inputs);
                for ((pattern, _), value) in parameters {
                    lowering.bind(pattern, value, None)?;
                }
                Ok(())
            })?;
            let Value::Tuple(found) = value else { return lowering.refuse(&place, refuse::UNKNOWN_REASON) };
            for ((found, argument), partial) in found.iter().zip(arguments).zip(&partials.partials) {
                lowering.outputs_of_partial(found, argument, partial)?;
            }
            Ok(())
        });
        self.partials -= 1;
        (self.returned, self.inline) = (returned, inline);
        self.activation = caller;
        outputs?;
        let list: CodeList = frame.list.without_effects();
        Ok(Known { local: Local::Rule(Arc::new(list)), reads: frame.arguments })
    }

    /// An argument as partials see it: its floats are inputs.
    fn within(&mut self, value: &Value, argument: &Argument) -> Value {
        match argument {
            Argument::Float => {
                let id = self.program.frame.list.input("argument");
                self.program.active(id)
            }
            Argument::Array(elements) => {
                let within = elements.iter().map(|element| self.within(value, element));
                Value::Array(within.collect::<Vec<_>>().into())
            }
            Argument::Whole(shape, parts) => {
                let within = parts.iter().map(|part| self.within(value, part)).collect::<Vec<_>>();
                match shape {
                    Shape::Vector(ty) => {
                        Value::Vector(Vector { layout: ty.layout, elements: within, ty: ty.written() })
                    }
                    Shape::Struct(own) => Value::Tuple(Elements::of_struct(within, own)),
                    _ => Value::Tuple(within.into()),
                }
            }
            Argument::Output(_) | Argument::Unread(_) => value.clone(),
            Argument::Reference(target) => match self.within(value, target) {
                array @ Value::Array(_) => Value::Reference(Rc::new(array)),
                float => float,
            },
            // It is evaluated already.
            Argument::Passive(tokens) => {
                let number = value.number().cloned();
                Value::Passive(Passive::compound(tokens.clone()).with_number(number))
            }
        }
    }

    /// The partial by an argument: an output for each float of that.
    fn outputs_of_partial(&mut self, value: &Value, argument: &Argument, partial: &SynExpr) -> Flow<()> {
        let Some(shape) = self.shape_of_written(argument) else { return Ok(()) };
        let place = Place::of(partial.span());
        if let SynExpr::Infer(_) = partial {
            let zero = self.program.constant(Constant::Float(0.0));
            (0..shape.count()).for_each(|_| self.program.frame.list.output(zero));
            return Ok(());
        }
        match (&shape, value.behind_references()) {
            (Shape::Float(_), Value::Active(_) | Value::Passive(_) | Value::Called(_)) => {}
            (Shape::Array(_, length), Value::Array(elements)) if elements.len() == *length => {}
            (Shape::Array(_, length), Value::Passive(passive)) if passive.length() == Some(*length) => {}
            (Shape::Vector(_) | Shape::Tuple(_) | Shape::Struct(_), _) => {}
            _ => return self.refuse(&place, refuse::PARTIAL_OF_ARGUMENT),
        }
        self.results(value.behind_references(), &shape, &place)
    }

    /// The shape of an argument that has floats.
    fn shape_of_written(&self, argument: &Argument) -> Option<Shape> {
        match argument {
            Argument::Float => Some(Shape::Float(self.scalar.clone())),
            Argument::Array(elements) => {
                let element = elements.first().and_then(|element| self.shape_of_written(element))?;
                Some(Shape::Array(Box::new(element), elements.len()))
            }
            Argument::Whole(shape, _) => Some(shape.clone()),
            Argument::Reference(target) => self.shape_of_written(target),
            Argument::Output(_) | Argument::Unread(_) | Argument::Passive(_) => None,
        }
    }

    /// Refuses partials that name a variable of the function by a name from outside: in the generated code, that would
    /// be the variable.
    fn no_variables(&mut self, body: &syntax::Body, place: Place) -> Flow<()> {
        let variables = self.outermost.variables.iter().chain(&self.activation.body.variables);
        let variables: Vec<_> = variables.map(|variable| variable.ident.unraw().to_string()).collect();
        let whole = Expr::new(ExprKind::Block(body.block.clone()), place);
        let mut names = Vec::new();
        for path in whole.paths() {
            let first = path.path.path.segments.first().map(|first| first.ident.unraw().to_string());
            names.extend(first.filter(|_| matches!(path.binding, Binding::Outside | Binding::Unclear)));
        }
        let hidden = names.into_iter().find(|name| variables.contains(name));
        match hidden {
            Some(name) => self.refuse(&place, refuse::variable_in_partial(name)),
            None => Ok(()),
        }
    }

    /// The partials as they are read, once.
    fn body_of_partials(&mut self, with: &With, function: &syn::ItemFn) -> Rc<syntax::Body> {
        let key = Inlinable::Text(format!("with {}", with.text()));
        if let Some(body) = self.bodies.get(&key) {
            return body.clone();
        }
        let body = Rc::new(syntax::function(function, self.module.declared().items(), self.collections));
        self.numbers.infer(&body, (self.module.declared(), self.with), true);
        self.bodies.insert(key, body.clone());
        body
    }
}
