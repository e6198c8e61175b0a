//! Calls of functions that have a Jacobian of their own (the non-inlinable intrinsics of xaifBooster): a call becomes a
//! block of the list, whose partials are those that the function's Jacobian returns.
//!
//! The columns of that Jacobian are the floats of the arguments in order. What of these is passive is a column, too,
//! which nothing uses. A function that solves an equation has the Jacobian of the residual, whose columns are these and,
//! after them, those of what the function returns (the implicit function theorem). What the function returns, a float,
//! an array or a tuple, is told by its declared type, or by how the call is used.

use std::collections::HashMap;
use std::rc::Rc;

use jacobian_list::block::{Block, Body, KnownRow, Local};
use jacobian_list::code_list::ValueId;
use jacobian_list::form::Form;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ReturnType;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::super::read::shape::{Reading, Shape};
use super::super::read::vector::{Layout, VectorType};
use super::super::read::with::{Derivatives, KnownJacobian, SparseJacobian, With, WrittenPattern, derivative_of};
use super::super::refuse;
use super::super::syntax::{self, Binding, Expr, ExprKind, Import, Method, Path, Placed, Type, TypeKind};
use super::control::{Flow, all};
use super::expression::MAX_ELEMENTS;
use super::numbers::Number;
use super::partials::Known;
use super::program::{Argument, Call, Counts, Returned, Source, Sparse, Written};
use super::value::{Active, Elements, Passive, Value, Vector};
use super::{Lowering, element_of};

impl<'f> Lowering<'f> {
    /// The function of `with(...)` that `path` names. What is named there is what the differentiated function means by
    /// it, which a function that is inlined may mean something else by.
    pub(super) fn function_with_jacobian(&self, path: &Path) -> Option<&'f With> {
        let is_own = self.activation.is_outermost || matches!(path.binding, Binding::Item | Binding::Outside);
        let first = path.path.path.segments.first().map(|first| first.ident.unraw().to_string())?;
        let is_inner =
            matches!(path.binding, Binding::Import(id) if self.activation.body.imports[id.0 as usize].is_inner);
        if is_inner || !is_own || matches!(path.binding, Binding::Local(_)) || self.is_hidden_here(&first) {
            return None;
        }
        let text = path.path.to_token_stream().to_string();
        self.with.iter().find(|with| !with.is_method && with.function.to_token_stream().to_string() == text)
    }

    /// The method of `with(...)` of this name.
    pub(super) fn method_with_derivatives(&self, name: &Ident) -> Option<&'f With> {
        self.with.iter().find(|with| with.is_method && with.function.is_ident(name))
    }

    /// Whether a function that is inlined means by this name something else than the differentiated function.
    fn is_hidden_here(&self, name: &str) -> bool {
        let declares = |import: &Import| import.ident.as_ref().is_some_and(|ident| ident.unraw() == name);
        !self.activation.is_outermost && self.outermost.imports.iter().any(declares)
    }

    /// A call of such a function.
    pub(super) fn call_with_derivatives(&mut self, with: &With, args: &[Value], places: &[&Expr]) -> Flow {
        let declared = declared_types(with);
        if let Some(types) = declared.as_ref().filter(|types| types.len() != args.len()) {
            let message = refuse::declared_arguments(text(&with.function), types.len());
            return self.refuse(&with.function, message);
        }
        let (mut columns, mut written, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        let is_read_again = !matches!(with.derivatives, Derivatives::Returned { .. });
        for (index, (arg, place)) in args.iter().zip(places).enumerate() {
            let ty = declared.as_ref().and_then(|types| types[index].as_ref());
            if let Some(output) = self.output_of_call(with, (arg, place), ty)? {
                let before = self.before_call((with, index), &output, place, &mut columns);
                outputs.push((output, *place));
                written.push(before.map(|before| Argument::Output(Box::new(before))));
                continue;
            }
            written.push(match self.argument(arg, ty, place, &mut columns) {
                // It is written twice.
                Ok(Argument::Passive(tokens)) if is_read_again => {
                    Ok(Argument::Passive(self.once(&Passive::compound(tokens)).tokens().clone()))
                }
                argument => argument,
            });
        }
        let shapes = outputs.iter().map(|(output, _)| output.shape.clone()).collect::<Vec<_>>();
        let (returned, has_value) = match shapes.is_empty() {
            true => (self.returned(with)?, true),
            false => self.returned_beside(with, &shapes)?,
        };
        let written = all(written)?;
        let known = self.known_jacobian(with, columns.len(), &returned)?;
        let source = match &with.derivatives {
            Derivatives::Returned { jacobian, hessian: None, .. } if self.is_second_order => {
                return self.refuse(&with.function, refuse::no_hessian(text(&with.function), text(jacobian)));
            }
            Derivatives::Implicit { .. } if self.is_second_order => {
                return self.refuse(&with.function, refuse::no_hessian_of_solution(text(&with.function)));
            }
            Derivatives::Returned { jacobian, hessian, layout, .. } => Source::Returned {
                jacobian: jacobian.to_token_stream(),
                hessian: hessian.to_token_stream(),
                layout: *layout,
                sparse: known.as_ref().and_then(|known| {
                    let sparse = known.sparse.as_ref()?;
                    let places = entries_places(&known.entries, &sparse.places);
                    Some(Sparse { function: sparse.function.to_token_stream(), places })
                }),
            },
            Derivatives::Implicit { jacobian, .. } => Source::Implicit(jacobian.to_token_stream()),
            Derivatives::Written(_) => Source::List,
        };
        let partials = match &with.derivatives {
            Derivatives::Written(partials) => self.written_partials(with, partials, (args, &written, places))?,
            Derivatives::Returned { .. } | Derivatives::Implicit { .. } => match &known {
                Some(known) => Known { local: Local::Entries(known.entries.clone()), reads: Vec::new() },
                None => Known::default(),
            },
        };
        let (function, is_method) = (with.function.to_token_stream(), with.is_method);
        let call = Call {
            function,
            is_method,
            source,
            arguments: written,
            columns: columns.len(),
            returned,
            outputs: shapes,
            has_value,
            is_wrapped: self.declared_output(with).is_some_and(|ty| value_in(&ty).is_some()),
            taken_out: TokenStream::new(),
        };
        let value = self.call_block(call, columns, partials);
        if outputs.is_empty() {
            return Ok(value);
        }
        let Value::Tuple(parts) = value else { return self.refuse(&with.function, refuse::UNKNOWN_REASON) };
        let (mut parts, mut result) = (parts.into_iter(), Value::unit());
        if has_value {
            result = parts.next().unwrap_or(Value::Unset);
        }
        for ((output, place), part) in outputs.into_iter().zip(parts) {
            self.write(&output.target, part, place)?;
        }
        Ok(result)
    }

    /// Whether second derivatives are asked for, and a function of the module has no Hessian, of which only the name of the
    /// function tells: its body replaces the call.
    pub(super) fn lacks_hessian(&self, with: &With) -> bool {
        let derived = derivative_of(&with.function, Form::Hessian);
        let is_derived = with.hessian().and_then(syn::Path::get_ident).is_some_and(|own| derived.is_ident(own));
        let (Some(function), Some(hessian)) = (with.function.get_ident(), derived.get_ident()) else { return false };
        let (declared, hessian) = (self.module.declared(), hessian.unraw().to_string());
        self.is_second_order
            && is_derived
            && declared.function(&function.unraw().to_string()).is_some()
            && !self.module.generates(&hessian)
            && !declared.items().names.contains(&hessian)
    }

    /// Says that the Jacobian is called that goes by the name of a function of the module.
    pub(super) fn need_jacobian(&self, with: &With) {
        let function = match &with.derivatives {
            Derivatives::Implicit { residual, .. } => residual,
            Derivatives::Returned { .. } | Derivatives::Written(_) => &with.function,
        };
        if let (Some(function), Some(jacobian)) = (function.get_ident(), with.jacobian()) {
            self.module.need_jacobian(&function.unraw().to_string(), jacobian);
        }
    }

    /// What is known of the Jacobian of a function with this many columns. A pattern that the user has written must have
    /// as many lists as it has rows or columns.
    fn known_jacobian(&mut self, with: &With, columns: usize, returned: &Returned) -> Flow<Option<Rc<KnownJacobian>>> {
        let Derivatives::Returned { known: Some(known), .. } = &with.derivatives else { return Ok(None) };
        let Some((sparse, written)) = known.sparse.as_ref().and_then(|own| Some((own, own.written.as_ref()?))) else {
            return Ok(Some(known.clone()));
        };
        let rows = match returned {
            Returned::Float => 1,
            Returned::Array(Some(shape)) => shape.count(),
            Returned::Array(None) | Returned::Unknown => {
                return self.refuse(&with.function, refuse::pattern_without_type(text(&with.function)));
            }
        };
        let (lists, others) = if written.is_by_rows { (rows, columns) } else { (columns, rows) };
        if written.lists.len() != lists || written.lists.iter().flatten().any(|&other| other >= others) {
            return self.refuse(&with.function, refuse::pattern_of_another_size(text(&with.function), rows, columns));
        }
        if let Some(function) = &written.function {
            self.require_pattern(written, function);
        }
        let (entries, places) = written.entries(rows);
        let sparse = SparseJacobian { places: places.into(), ..sparse.clone() };
        Ok(Some(Rc::new(KnownJacobian { entries: entries.into(), sparse: Some(sparse) })))
    }

    /// Makes the generated code fail to compile where a pattern is not the one that a function returns.
    fn require_pattern(&mut self, written: &WrittenPattern, function: &syn::Path) {
        let mut starts = vec![0];
        written.lists.iter().for_each(|list| starts.push(starts[starts.len() - 1] + list.len()));
        let indices: Vec<_> = written.lists.iter().flatten().copied().collect();
        let [counts, numbers] = [starts.len(), indices.len()].map(Literal::usize_unsuffixed);
        let [starts, indices] =
            [starts, indices].map(|list| list.into_iter().map(Literal::usize_unsuffixed).collect::<Vec<_>>());
        let size = quote!(::core::primitive::usize);
        let check = quote_spanned! {function.span()=>
            const _: () = {
                const PATTERN: ([#size; #counts], [#size; #numbers]) = #function();
                const WRITTEN: ([#size; #counts], [#size; #numbers]) = ([#(#starts),*], [#(#indices),*]);
                let mut at = 0;
                while at < #counts {
                    ::core::assert!(PATTERN.0[at] == WRITTEN.0[at], "the pattern in `with(...)` is not this one");
                    at += 1;
                }
                at = 0;
                while at < #numbers {
                    ::core::assert!(PATTERN.1[at] == WRITTEN.1[at], "the pattern in `with(...)` is not this one");
                    at += 1;
                }
            };
        };
        self.program.require(check.to_string(), check);
    }

    fn call_block(&mut self, call: Call, mut args: Vec<ValueId>, partials: Known) -> Value {
        // The results of others are counted when they are used.
        let results = match &partials.local {
            Local::Entries(rows) => rows.len(),
            Local::Rule(_) | Local::Unwanted => 1,
            Local::Unknown => 0,
        };
        let body = Body::Call { results, columns: args.len(), order: 0, local: partials.local };
        args.extend(self.program.read_by(call.arguments.iter().flat_map(Argument::passive)));
        args.extend(partials.reads);
        let origin = self.program.code.add(Written::Call(call));
        let id = self.program.frame.block(Block { args, body, is_kept: true, origin }, Counts::default());
        self.called_whole(Value::Called(Active::of(self.program.level(), id)))
    }

    /// The type that the function is declared to return: in `with(...)`, or where the module has it.
    fn declared_output(&self, with: &With) -> Option<syn::Type> {
        let output = match &with.ty {
            Some(ty) => &ty.output,
            None => {
                let name = with.function.get_ident().filter(|_| !with.is_method)?.unraw().to_string();
                self.module.declared().returned(&name)?
            }
        };
        match output {
            ReturnType::Type(_, ty) => Some((**ty).clone()),
            ReturnType::Default => None,
        }
    }

    /// What the function is declared to return, perhaps in an `Option` or a `Result`.
    pub(super) fn returned(&mut self, with: &With) -> Flow<Returned> {
        let is_float = matches!(with.derivatives, Derivatives::Written(_));
        let has_tuples = matches!(with.derivatives, Derivatives::Returned { .. });
        let shape = match self.declared_output(with) {
            Some(ty) => self.reader().read(&syntax::ty(value_in(&ty).filter(|_| !is_float).unwrap_or(&ty))),
            None => Reading::Other,
        };
        if with.ty.is_none() && (is_float || !matches!(shape, Reading::Floats(_))) {
            return Ok(if is_float { Returned::Float } else { Returned::Unknown });
        }
        let is_solution = matches!(with.derivatives, Derivatives::Implicit { .. });
        match shape {
            Reading::Floats(Shape::Float(scalar)) if scalar == self.scalar => Ok(Returned::Float),
            _ if is_float => self.refuse(&with.function, refuse::RESULT_OF_PARTIALS),
            Reading::Floats(shape) if shape.count() > MAX_ELEMENTS => {
                self.refuse(&with.function, refuse::array_of_more(MAX_ELEMENTS))
            }
            // The residual takes it, and so does what follows.
            Reading::Floats(Shape::Struct(own)) if is_solution && !own.is_copy => {
                self.refuse(&with.function, refuse::solution_not_copied(&own.name))
            }
            Reading::Floats(shape) if shape.is_all(&self.scalar) && is_returned(&shape, has_tuples) => {
                self.require_shape(&shape);
                Ok(Returned::Array(Some(shape)))
            }
            _ => self.refuse(&with.function, refuse::declared_result(self.scalar.name())),
        }
    }

    /// The type of the array that the function at `path` is declared to return, and its shape, where a call can be
    /// bound to a variable: its elements are read one by one.
    pub(super) fn declared_array(&self, path: &Path) -> Option<(Type, Shape)> {
        let local = self.local_function(path);
        let output = match (self.function_with_jacobian(path), local.as_ref().and_then(|item| item.function.get())) {
            (Some(with), _) => &with.ty.as_ref()?.output,
            (None, Some(function)) => {
                Some(&function.item.sig).filter(|it| it.generics.params.is_empty()).map(|it| &it.output)?
            }
            (None, None) => self.module.declared().returned(&path.name_in_module()?)?,
        };
        let ReturnType::Type(_, ty) = output else { return None };
        let ty = syntax::ty(ty);
        let shape = self.shape_of(&ty).filter(|_| self.inline.is_none())?;
        match shape {
            Shape::Struct(_) => Some((syntax::ty(&syn::Type::Verbatim(shape.ty())), shape)),
            Shape::Array(..) => Some((ty, shape)),
            _ => None,
        }
    }

    /// How an argument is written. Its floats are added to `columns`.
    fn argument(
        &mut self,
        value: &Value,
        ty: Option<&Type>,
        place: &Expr,
        columns: &mut Vec<ValueId>,
    ) -> Flow<Argument> {
        let (is_reference, whole, value) = (self.is_reference(value, place), value, value.behind_references());
        let shape = match ty.map(|ty| self.reader().read(ty)) {
            Some(Reading::Floats(shape)) => Some(shape),
            Some(Reading::Other) => None,
            // A slice has as many floats as it has at run time: it is no column of any Jacobian.
            Some(Reading::Unclear(refuse::SLICE)) if value.is_passive() => None,
            Some(Reading::Unclear(why)) => {
                return self.refuse(&ty.map_or(place.place, |ty| ty.place), why);
            }
            None if self.is_receiver(place) && value.is_passive() => None,
            None => match self.shape_of_argument(value) {
                Some(shape) if is_reference => Some(Shape::Reference(Box::new(shape))),
                Some(shape) => Some(shape),
                None if value.as_int().is_some() => None,
                None => return self.refuse(place, refuse::UNKNOWN_ARGUMENT),
            },
        };
        match shape {
            Some(shape) => self.argument_of_shape(value, &shape, place, columns),
            None => match whole.to_passive() {
                Some(passive) => Ok(Argument::Passive(passive.tokens().clone())),
                None => self.refuse(place, refuse::ARGUMENT_IS_NO_FLOAT),
            },
        }
    }

    /// Whether an expression is `self` of the differentiated function.
    pub(super) fn is_receiver(&self, expression: &Expr) -> bool {
        match &*expression.unwrapped().kind {
            ExprKind::Variable(id, _) => self.activation.is_outermost && self.activation.is_receiver(*id),
            _ => false,
        }
    }

    pub(super) fn argument_of_shape(
        &mut self,
        value: &Value,
        shape: &Shape,
        place: &Expr,
        columns: &mut Vec<ValueId>,
    ) -> Flow<Argument> {
        match (shape, value.behind_references()) {
            (Shape::Reference(target), value) => {
                Ok(Argument::Reference(Box::new(self.argument_of_shape(value, target, place, columns)?)))
            }
            (Shape::Array(element, length), Value::Array(elements)) if elements.len() == *length => {
                let mut written = Vec::with_capacity(*length);
                for value in elements.iter() {
                    written.push(self.argument_of_shape(value, element, place, columns)?);
                }
                Ok(Argument::Array(written))
            }
            (Shape::Array(element, length), Value::Passive(passive)) => {
                let passive = self.once(passive);
                let mut written = Vec::with_capacity(*length);
                for index in 0..*length {
                    let part = Value::Passive(element_of(&passive, index));
                    written.push(self.argument_of_shape(&part, element, place, columns)?);
                }
                Ok(Argument::Array(written))
            }
            (Shape::Array(_, length), Value::Called(_)) => {
                let elements = self.called_elements(value, *length, place)?;
                self.argument_of_shape(&Value::Array(elements.into()), shape, place, columns)
            }
            (Shape::Float(_), value) => {
                columns.push(self.float(value, place)?);
                Ok(Argument::Float)
            }
            (Shape::Vector(ty), value) => {
                let found = match value {
                    Value::Into(source) => self.converted_to(source, shape),
                    value => Some(value.clone()),
                };
                let vector = found.and_then(|value| self.vector(&value));
                let Some(vector) = vector.filter(|vector| vector.layout == ty.layout) else {
                    return self.refuse(place, refuse::ARGUMENT_LENGTH);
                };
                self.require_shape(shape);
                let mut parts = Vec::with_capacity(vector.elements.len());
                for element in &vector.elements {
                    columns.push(self.float(element, place)?);
                    parts.push(Argument::Float);
                }
                Ok(Argument::Whole(shape.clone(), parts))
            }
            (Shape::Tuple(shapes), Value::Tuple(elements)) if elements.len() == shapes.len() => {
                let mut parts = Vec::with_capacity(shapes.len());
                for (value, shape) in elements.iter().zip(shapes) {
                    parts.push(self.argument_of_shape(value, shape, place, columns)?);
                }
                Ok(Argument::Whole(shape.clone(), parts))
            }
            (Shape::Struct(own), value) if value.definition().is_some_and(|of| of.name == own.name) => {
                let Some((fields, ..)) = self.elements(value) else {
                    return self.refuse(place, refuse::ARGUMENT_LENGTH);
                };
                self.require_struct(own);
                let mut parts = Vec::with_capacity(own.fields.len());
                for (value, field) in fields.iter().zip(&own.fields) {
                    parts.push(self.argument_of_shape(value, &field.shape, place, columns)?);
                }
                Ok(Argument::Whole(shape.clone(), parts))
            }
            (Shape::Passive(_) | Shape::Opaque(_), value) => match value.to_passive() {
                Some(passive) => Ok(Argument::Passive(passive.tokens().clone())),
                None => self.refuse(place, refuse::ARGUMENT_IS_NO_FLOAT),
            },
            _ => self.refuse(place, refuse::ARGUMENT_LENGTH),
        }
    }

    /// The shape of an argument of a function whose type is not declared, where it can be told.
    pub(super) fn shape_of_argument(&self, value: &Value) -> Option<Shape> {
        match value {
            Value::Active(_) | Value::Called(_) => Some(Shape::Float(self.scalar.clone())),
            Value::Array(elements) => {
                let element = elements.iter().find_map(|element| self.shape_of_argument(element))?;
                Some(Shape::Array(Box::new(element), elements.len()))
            }
            Value::Passive(passive) => match (&passive.number, &passive.shape) {
                (Some(Number::Float(_)), _) => Some(Shape::Float(self.scalar.clone())),
                (_, Some(shape)) => match shape.behind_references() {
                    Shape::Vector(ty) => Some(self.shape_written(ty.layout, ty.written())),
                    Shape::Opaque(_) | Shape::Items(_) | Shape::Option(_) | Shape::Result(_) => None,
                    shape => Some(shape.clone()),
                },
                (_, None) => None,
            },
            Value::Vector(vector) => Some(self.shape_written(vector.layout, vector.ty.clone())),
            Value::Tuple(elements) => match elements.definition() {
                Some(own) => Some(Shape::Struct(own.clone())),
                None => {
                    let shapes = elements.iter().map(|element| self.shape_of_argument(element));
                    Some(Shape::Tuple(shapes.collect::<Option<_>>()?))
                }
            },
            _ => None,
        }
    }

    /// The shape of a vector whose type is this one, or has a name of nalgebra.
    fn shape_written(&self, layout: Layout, ty: Option<TokenStream>) -> Shape {
        let ty = ty.unwrap_or_else(|| layout.ty(&self.nalgebra, &self.scalar.ty()));
        Shape::Vector(Box::new(VectorType::new(layout, self.scalar.clone(), ty.to_string(), ty)))
    }

    /// Makes the generated code fail to compile where what has this shape is not what it looks like.
    fn require_shape(&mut self, shape: &Shape) {
        let mut vectors = Vec::new();
        shape.vectors(&mut vectors);
        self.require_vectors(&vectors);
        if let Shape::Struct(own) = shape {
            self.require_struct(own);
        }
    }

    /// Whether an argument is written as a reference, or is a variable that was declared as one.
    fn is_reference(&self, value: &Value, place: &Expr) -> bool {
        match &*place.kind {
            _ if matches!(value, Value::Reference(_)) => true,
            ExprKind::Shared(_) | ExprKind::Mutable(_) => true,
            ExprKind::Paren(inner) => self.is_reference(value, inner),
            ExprKind::Variable(id, _) => {
                let ty = self.bindings.find(self.activation.number(*id)).and_then(|binding| binding.ty.as_ref());
                ty.is_some_and(|ty| matches!(ty.kind, TypeKind::Reference(..)))
            }
            _ => false,
        }
    }

    /// The result of a call as a float.
    pub(super) fn called_float(&mut self, call: Active, place: &dyn Placed) -> Flow<ValueId> {
        if self.called(call).is_wrapped {
            return self.refuse(place, refuse::WRAPPED_RESULT);
        }
        match self.called(call).returned {
            Returned::Array(_) => self.refuse(place, refuse::RETURNS_ARRAY),
            Returned::Float | Returned::Unknown => {
                self.called(call).returned = Returned::Float;
                Ok(self.called_part(call, 0))
            }
        }
    }

    /// The element of an array that a call returns.
    pub(super) fn called_element(&mut self, call: Active, index: usize, place: &dyn Placed) -> Flow {
        let is_second_order = self.is_second_order;
        let called = self.called(call);
        if called.is_wrapped {
            return self.refuse(place, refuse::WRAPPED_RESULT);
        }
        let is_implicit = called.is_implicit();
        let returned = &mut called.returned;
        let shape = match returned {
            Returned::Float => return self.refuse(place, refuse::RETURNS_FLOAT),
            // A call for each of them takes weights for all.
            Returned::Unknown if is_second_order || is_implicit => return self.refuse(place, refuse::RETURNED_LENGTH),
            Returned::Unknown => {
                *returned = Returned::Array(None);
                None
            }
            Returned::Array(shape) => shape.clone(),
        };
        let Some(Shape::Array(element, length)) = shape else {
            let id = self.called_part(call, index);
            return Ok(self.program.active(id));
        };
        if index >= length {
            return self.refuse(place, refuse::index_out_of_range(index, length));
        }
        let mut next = index * element.count();
        Ok(self.called_value(call, &element, &mut next))
    }

    /// The part of the result of a call that begins at `next` and has this shape.
    fn called_value(&mut self, call: Active, shape: &Shape, next: &mut usize) -> Value {
        match shape {
            Shape::Array(element, length) => {
                Value::Array((0..*length).map(|_| self.called_value(call, element, next)).collect())
            }
            Shape::Tuple(elements) => {
                Value::Tuple(elements.iter().map(|element| self.called_value(call, element, next)).collect())
            }
            Shape::Vector(ty) => {
                let float = Shape::Float(self.scalar.clone());
                let elements = (0..ty.layout.count()).map(|_| self.called_value(call, &float, next)).collect();
                Value::Vector(Vector { layout: ty.layout, elements, ty: ty.written() })
            }
            Shape::Struct(own) => {
                let fields = own.fields.iter().map(|field| self.called_value(call, &field.shape, next)).collect();
                Value::Tuple(Elements::of_struct(fields, own))
            }
            _ => {
                let id = self.called_part(call, *next);
                *next += 1;
                self.program.active(id)
            }
        }
    }

    /// The elements of an array of this length that a call returns.
    pub(super) fn called_elements(&mut self, value: &Value, length: usize, place: &dyn Placed) -> Flow<Vec<Value>> {
        let Value::Called(call) = value else { return self.refuse(place, refuse::OTHER_RESULT) };
        if length > MAX_ELEMENTS {
            return self.refuse(place, refuse::array_of_more(MAX_ELEMENTS));
        }
        if let Returned::Unknown = self.called(*call).returned {
            let shape = Shape::Array(Box::new(Shape::Float(self.scalar.clone())), length);
            self.called(*call).returned = Returned::Array(Some(shape));
        }
        (0..length).map(|index| self.called_element(*call, index, place)).collect()
    }

    /// The value of a call whose result is declared to be of this type, where it says what it is.
    pub(super) fn called_as(&mut self, value: Value, ty: Option<&Type>) -> Value {
        let (Value::Called(call), Some(Reading::Floats(shape))) = (&value, ty.map(|ty| self.reader().read(ty))) else {
            return value;
        };
        match (&shape, &self.called(*call).returned) {
            (Shape::Float(_), Returned::Unknown) => self.called(*call).returned = Returned::Float,
            (Shape::Array(..) | Shape::Tuple(_) | Shape::Vector(_) | Shape::Struct(_), Returned::Unknown) => {
                self.require_shape(&shape);
                self.called(*call).returned = Returned::Array(Some(shape));
            }
            _ => {}
        }
        self.called_whole(value)
    }

    /// A call as the array or the float that it is known to return.
    pub(super) fn called_whole(&mut self, value: Value) -> Value {
        let Value::Called(call) = value else { return value };
        if self.called(call).is_wrapped {
            return value;
        }
        match self.called(call).returned.clone() {
            Returned::Array(Some(shape)) if shape.count() <= MAX_ELEMENTS => self.called_value(call, &shape, &mut 0),
            Returned::Float => {
                let id = self.called_part(call, 0);
                self.program.active(id)
            }
            _ => value,
        }
    }

    /// The same, where the array has to be known.
    pub(super) fn called_known(&mut self, value: Value, place: &dyn Placed) -> Flow {
        match self.called_whole(value) {
            Value::Called(call) if self.called(call).is_wrapped => self.refuse(place, refuse::WRAPPED_RESULT),
            Value::Called(_) => self.refuse(place, refuse::RETURNED_LENGTH),
            other => Ok(other),
        }
    }

    /// `g(x)?`, `g(x).unwrap()`, `g(x).ok_or(error)` of a call: what takes its value out of an `Option` or a `Result`, or
    /// makes one of the other; none if this is no such call, or nothing of that kind.
    pub(super) fn taken_out(&mut self, of: &Expr, value: &Value, after: TokenStream, remains: bool) -> Option<Value> {
        let (Value::Called(call), false) = (value, matches!(&*of.unwrapped().kind, ExprKind::Variable(..))) else {
            return None;
        };
        let called = self.called(*call);
        if !called.is_wrapped && (!matches!(called.returned, Returned::Unknown) || !called.taken_out.is_empty()) {
            return None;
        }
        called.taken_out.extend(after);
        called.is_wrapped = remains;
        Some(self.called_whole(value.clone()))
    }

    /// Whether a value is what a call returns in an `Option` or a `Result`.
    pub(super) fn is_wrapped(&mut self, value: &Value) -> bool {
        match value {
            Value::Called(call) => self.called(*call).is_wrapped,
            _ => false,
        }
    }

    /// Why something active is matched with no pattern.
    pub(super) fn why_not_matched(&mut self, value: &Value) -> &'static str {
        match value {
            value if self.is_wrapped(value) => refuse::WRAPPED_RESULT,
            Value::Called(call) if matches!(self.called(*call).returned, Returned::Unknown) => refuse::MATCHED_RESULT,
            _ => refuse::MATCHED,
        }
    }

    /// The methods that do so.
    pub(super) fn taken_out_by(&mut self, call: &Method, receiver: &Value, args: &[Value]) -> Option<Value> {
        let name = call.name.to_string();
        let remains = match name.as_str() {
            "unwrap" | "expect" => false,
            "ok_or" | "ok_or_else" | "map_err" | "ok" => true,
            _ => return None,
        };
        let args: Option<Vec<_>> = args.iter().map(|arg| Some(arg.to_passive()?.tokens().clone())).collect();
        let (name, args) = (&call.name, args?);
        self.taken_out(&call.receiver, receiver, quote!(.#name(#(#args),*)), remains)
    }

    /// What is written of a call.
    fn called(&mut self, call: Active) -> &mut Call {
        let origin = self.program.frame_at(call.level).list.block_of(call.id).origin;
        match self.program.code.at_mut(origin) {
            Written::Call(call) => call,
            _ => unreachable!("the value of a call stands for one"),
        }
    }

    /// The result of a call with this number, in the present list.
    fn called_part(&mut self, call: Active, index: usize) -> ValueId {
        let frame = self.program.frame_at(call.level);
        if let Body::Call { results, .. } = &mut frame.list.block_mut(call.id).body {
            *results = (*results).max(index + 1);
        }
        let id = frame.part(call.id, index);
        self.program.in_list(Active::of(call.level, id))
    }
}

/// The types of the arguments, as far as they are declared.
fn declared_types(with: &With) -> Option<Vec<Option<Type>>> {
    match (&with.ty, &with.derivatives) {
        (Some(ty), _) => Some(ty.inputs.iter().map(|input| Some(syntax::ty(&input.ty))).collect()),
        (None, Derivatives::Written(partials)) => {
            Some(partials.arguments.iter().map(|(_, ty)| ty.as_ref().map(syntax::ty)).collect())
        }
        (None, _) => None,
    }
}

/// The type of the value in an `Option` or a `Result`, if a type is one.
fn value_in(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option" || last.ident == "Result")?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Whether what has this shape, perhaps with tuples in it, can be returned by a function that has derivatives.
pub(super) fn is_returned(shape: &Shape, has_tuples: bool) -> bool {
    match shape {
        Shape::Float(_) => true,
        Shape::Array(element, _) => is_returned(element, has_tuples),
        Shape::Tuple(elements) => has_tuples && elements.iter().all(|element| is_returned(element, has_tuples)),
        Shape::Vector(_) => true,
        Shape::Struct(_) => !shape.has_passive(),
        Shape::Reference(_)
        | Shape::Passive(_)
        | Shape::Opaque(_)
        | Shape::Items(_)
        | Shape::Option(_)
        | Shape::Result(_) => false,
    }
}

/// By row and column: the place of an entry in the list of them that is returned.
fn entries_places(rows: &[KnownRow], places: &[usize]) -> HashMap<(usize, usize), usize> {
    let entries = rows.iter().enumerate().flat_map(|(row, entries)| entries.iter().map(move |entry| (row, entry.0)));
    entries.zip(places.iter().copied()).collect()
}

pub(super) fn text(path: &dyn ToTokens) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}
