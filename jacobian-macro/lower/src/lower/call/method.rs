//! Calls of methods.

use jacobian_list::catalogue::{Intrinsic, Row, Spelling};
use jacobian_list::code_list::{Kind, NotationId};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use super::super::super::module::Owner;
use super::super::super::read::scalar::Scalar;
use super::super::super::read::shape::Shape;
use super::super::super::read::vector::Layout;
use super::super::super::read::with::With;
use super::super::super::refuse;
use super::super::super::syntax::{Expr, ExprKind, Method, Node, TypeKind, VariableId, surely_reads};
use super::super::Lowering;
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::items::{MethodOfItems, Sequence};
use super::super::numbers::{Number, with_suffix};
use super::super::operands::OperandRole;
use super::super::optional::option_given;
use super::super::then::is_plain;
use super::super::value::{Active, Passive, Place, Value};
use super::super::vector::{is_of_vectors, is_unseen, takes_alike};
use super::FACTORIZATIONS;
use super::intrinsic::advice;

/// Methods that put a value into a collection.
const COLLECTING: &[&str] =
    &["push", "push_back", "push_front", "insert", "extend", "extend_from_slice", "append", "resize", "fill"];

impl<'f> Lowering<'f> {
    pub(in super::super) fn method_call(
        &mut self,
        whole: &Expr,
        call: &Method,
        receiver: Value,
        expected: &Expected,
    ) -> Flow {
        let is_plain = |arg: &Expr| matches!(&*arg.kind, ExprKind::Closure(_)) || is_plain(arg);
        let receiver = match receiver {
            // Where its items are from is evaluated before the arguments.
            Value::Iterator(items) if !call.args.iter().all(is_plain) => {
                Value::Iterator(Box::new(self.with_head_before_others(*items)))
            }
            receiver => receiver,
        };
        let mut args = self.in_order(Some((receiver, OperandRole::Read)), &call.args)?;
        if let Some(with) = self.method_with_jacobian(call)
            && !args[1..].iter().all(Value::is_passive)
        {
            let places: Vec<_> = std::iter::once(&call.receiver).chain(&call.args).collect();
            return self.call_with_derivatives(with, &args, &places);
        }
        if let Some(value) = self.struct_called(whole, call, &args) {
            return value;
        }
        if let (Value::Mutable(place), "try_into", []) = (&args[0], name_of(call).as_str(), &args[1..]) {
            let target = self.read(place);
            if self.length_of(&target).is_some() {
                let source = Value::Into(Box::new(args.remove(0)));
                return Ok(self.there(source));
            }
        }
        let (receiver, behind) = match args.remove(0) {
            Value::Mutable(place) => (self.read(&place), Some(place)),
            receiver => (self.no_record(receiver, &call.receiver)?, None),
        };
        let receiver = self.without_conditions(receiver, &call.receiver)?;
        if let Some(value) = self.method_of_trait(call, &receiver, &args) {
            return value;
        }
        if let Some(value) = self.observing_method(call, &receiver, &args)? {
            return Ok(value);
        }
        if let Some(value) = self.choosing_method(whole, call, &receiver, &args) {
            return value;
        }
        if let Some(value) = self.optional_method(whole, call, (&receiver, &args), expected) {
            return value;
        }
        if let Some(value) = self.method_of_items(whole, call, &receiver, &args, expected)? {
            return Ok(value);
        }
        if let Some(value) = into(call, &receiver) {
            return Ok(value);
        }
        if let Some(factor) = self.lu_of_passive(call, &receiver) {
            return Ok(factor);
        }
        let receiver = match receiver {
            Value::Factor(of) => match of.written().filter(|_| args.iter().all(Value::is_passive)).cloned() {
                Some(written) => {
                    let shape = self.shape_of_solution(&of, call, &args);
                    let given = self.passive_method(whole, call, &Value::Passive(written), &args).transpose()?;
                    return match given {
                        Some(Value::Passive(passive)) => Ok(Value::Passive(passive.with_shape(shape))),
                        _ => self.factor_method(call, &of, &args),
                    };
                }
                None => return self.factor_method(call, &of, &args),
            },
            receiver => receiver,
        };
        if let (Value::Passive(passive), [Value::Vector(arg)]) = (&receiver, &args[..])
            && is_unseen(passive)
            && takes_alike(&call.name.to_string())
            && self.method_with_derivatives(&call.name).is_none()
            && !arg.elements.iter().all(Value::is_passive)
            && let Some(vector) = self.supposed(&receiver, Layout::matrix(arg.layout.rows, arg.layout.columns))
        {
            let args: Vec<_> = args.into_iter().map(|arg| self.called_once(arg)).collect();
            return self.vector_method(call, &vector, &args);
        }
        // A passive one has methods with active arguments as its elements.
        let is_given_closure = args.iter().any(|arg| matches!(arg, Value::Closure(_)) && self.is_active(arg));
        if (matches!(receiver, Value::Vector(_)) || is_given_closure || args.iter().any(is_active_number))
            && let Some(vector) = self.vector(&receiver)
        {
            let args: Vec<_> = args.into_iter().map(|arg| self.called_once(arg)).collect();
            return self.vector_method(call, &vector, &args);
        }
        let is_all_passive = receiver.is_passive() && args.iter().all(Value::is_passive);
        if Intrinsic::find(&name_of(call)).is_none_or(|found| !found.row().is_method()) {
            if !is_all_passive && let Some(value) = self.extension_method(call, &receiver, &args) {
                return value;
            }
        } else if let Some(trait_) = self.trait_of_bound(&name_of(call)) {
            return self.refuse(&call.name, refuse::method_of_bound(&call.name, trait_, self.scalar.name()));
        }
        if matches!(receiver, Value::Array(_) | Value::Reference(_)) && !receiver.is_passive() {
            return self.refuse_array_method(call);
        }
        if let Some(value) = self.given_if(whole, call, &receiver, &args) {
            return value;
        }
        if receiver.is_passive() {
            for (arg, place) in args.iter_mut().zip(&call.args) {
                *arg = self.given_without_conditions(arg, place)?;
            }
            self.passive_references(&mut args, &call.args);
            self.written_closures(&mut args, &call.args)?;
        }
        if matches!(receiver, Value::Called(_)) {
            self.written_closures(&mut args, &call.args)?;
            if let Some(value) = self.taken_out_by(call, &receiver, &args) {
                return Ok(value);
            }
            if self.is_wrapped(&receiver) {
                return self.refuse(&call.name, refuse::WRAPPED_RESULT);
            }
            if is_of_vectors(&call.name.to_string(), args.len()) && Intrinsic::find(&call.name.to_string()).is_none() {
                return self.refuse(&call.receiver, refuse::RETURNED_LENGTH);
            }
        }
        self.only_values(&args, &call.args, false)?;
        if let Some(with) = self.method_with_derivatives(&call.name)
            && (!receiver.is_passive() || !args.iter().all(Value::is_passive))
        {
            let (values, places): (Vec<_>, Vec<_>) =
                [(receiver, &call.receiver)].into_iter().chain(args.into_iter().zip(&call.args)).unzip();
            return self.call_with_derivatives(with, &values, &places);
        }
        if let Some(value) = self.known_method_call(call, &receiver, &args) {
            return Ok(value);
        }
        if let Some(value) = self.passive_method_of(whole, call, (&receiver, behind.as_ref()), &args) {
            return value;
        }
        let is_copy = ["clone", "to_owned"].iter().any(|name| call.name == name) && call.args.is_empty();
        let is_copy = is_copy && receiver.is_cloned_as_it_is();
        match (&receiver, &call.turbofish) {
            (Value::Active(_) | Value::Called(_) | Value::Tuple(_), _) if is_copy => Ok(receiver),
            (Value::Array(_) | Value::Reference(_), _) => self.refuse_array_method(call),
            (Value::Passive(passive), Some(_)) if is_of_user(passive, &call.name) => self.refuse_method(call, &args),
            (_, Some(turbofish)) => self.refuse(&turbofish.place, refuse::TYPE_ARGUMENTS),
            (Value::Passive(passive), None) if is_of_user(passive, &call.name) => self.refuse_method(call, &args),
            (_, None) => {
                if let Value::Active(Active { is_reference: true, .. }) = receiver {
                    self.require_method(&call.name);
                }
                let mut operands = vec![(&receiver, &call.receiver)];
                operands.extend(args.iter().zip(&call.args));
                self.intrinsic(&call.name, &call.name.to_string(), NotationId::default(), &operands)
            }
        }
    }

    /// Whether a method may change what is a part of something active, or lies behind a mutable reference, and is not in a
    /// variable of the generated code that can be changed.
    fn is_part_of_active(&self, call: &Method, value: &Value, passive: &Passive) -> bool {
        let Some((id, _)) = call.receiver.root() else { return false };
        let number = self.activation.number(id);
        let Some(binding) = self.bindings.find(number) else { return false };
        let is_part = match &binding.value {
            Value::Mutable(_) => true,
            value => !value.is_passive() && self.bindings.is_mut(number),
        };
        let is_fixed = is_copy(value, passive) || passive.is_variable() && !passive.may_change;
        is_part && is_fixed && !surely_reads(&call.name)
    }

    /// The variable of the generated code that holds what is at a place, on which a method is called that may change it.
    fn changed_in_place(&mut self, call: &Method, place: Place) -> Flow<Passive> {
        if let Some(why) = self.inline {
            return self.refuse(&call.name, why);
        }
        let is_own = place.chosen.is_empty() && self.bindings.alias(place.variable).is_none();
        match self.home_at(&place) {
            Some(home) if is_own => Ok(home),
            _ => self.refuse(&call.name, refuse::CHANGED_BEHIND_MUTABLE),
        }
    }

    /// The method of `with(...)` that is called on `self`: `with(self.reach)`, or `with(Self::reach)`.
    fn method_with_jacobian(&self, call: &Method) -> Option<&'f With> {
        let is_named = |with: &&With| {
            let names: Vec<_> = with.function.segments.iter().map(|segment| &segment.ident).collect();
            matches!(names[..], [ty, method] if ty == "Self" && *method == call.name)
        };
        self.with.iter().find(is_named).filter(|_| self.is_receiver(&call.receiver))
    }

    /// A call of a method, if the first of these is a struct of the module; the others are the arguments.
    fn struct_called(&mut self, whole: &Expr, call: &Method, values: &[Value]) -> Option<Flow> {
        let (receiver, args) = values.split_first()?;
        let target = match receiver {
            Value::Mutable(place) => self.read(place),
            value => value.clone(),
        };
        let owner = Owner::Struct(target.owner()?.unraw().to_string());
        let is_into = call.name == "into" && args.is_empty() && !target.is_passive();
        if is_into && self.module.declared().methods().named(&owner, "into").next().is_none() {
            return None;
        }
        if target.definition().is_some() {
            return Some(self.method_of_struct(whole, call, receiver.clone(), args.to_vec()));
        }
        let mut is_kept = target.is_passive();
        for (arg, place) in args.iter().zip(&call.args) {
            is_kept &= match arg {
                Value::Closure(closure) => self.may_be_written(closure),
                Value::Mutable(_) => self.why_not_kept(place).is_none(),
                arg => arg.is_passive(),
            };
        }
        match is_kept {
            true => self.method_of_bounds(call, &target).err().map(Err),
            false => Some(self.method_of_opaque(call, target, args.to_vec())),
        }
    }

    /// Refuses a method of something passive that is no float, with active arguments: one of the user's, most likely.
    pub(in super::super) fn refuse_method(&mut self, call: &Method, args: &[Value]) -> Flow {
        let name = call.name.to_string();
        if COLLECTING.contains(&name.as_str()) {
            return self.refuse(&call.name, refuse::COLLECTION);
        }
        let (receiver, ty) = match &*call.receiver.unwrapped().kind {
            ExprKind::Variable(id, _) if self.activation.is_receiver(*id) => ("self".to_string(), "Self".to_string()),
            ExprKind::Variable(id, ident) => self.receiver_and_type(*id, ident),
            _ => ("...".to_string(), "Type".to_string()),
        };
        if self.module.declared().methods().has(&name) {
            return self.refuse(&call.name, refuse::method_of_unknown(name));
        }
        let is_of_nalgebra = ty == "Type" || FACTORIZATIONS.iter().any(|known| ty.split('<').next() == Some(known));
        if name == "solve" && receiver != "self" && is_of_nalgebra {
            return self.refuse(&call.name, refuse::SOLVED_BY_PASSIVE);
        }
        let float = self.scalar.name();
        let types: Vec<_> = args.iter().map(|arg| type_of_argument(arg, &float)).collect();
        if receiver == "self" {
            return self.refuse(&call.name, refuse::unknown_method_of_self(name, types.join(", "), float));
        }
        self.refuse(&call.name, refuse::unknown_method(ty, name, receiver, types.join(", "), float))
    }

    /// How a variable is given as a receiver, and what its type is called, in a message.
    pub(in super::super) fn receiver_and_type(&self, id: VariableId, ident: &Ident) -> (String, String) {
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
    pub(in super::super) fn method_of_items(
        &mut self,
        whole: &Expr,
        call: &Method,
        receiver: &Value,
        args: &[Value],
        expected: &Expected,
    ) -> Flow<Option<Value>> {
        if let Some(value) = self.range_method(call, receiver, args) {
            return Ok(Some(value));
        }
        match self.iterator(receiver) {
            Some(items) => self.iterator_method(MethodOfItems { whole, call, items, args, expected }).map(Some),
            None => match self.array_method(call, receiver, args)? {
                Some(value) => Ok(Some(value)),
                None if self.may_be_of_module(call, receiver) => Ok(None),
                None => match self.items_of_run_time(call, receiver, args) {
                    Some(items) => self.iterator_method(MethodOfItems { whole, call, items, args, expected }).map(Some),
                    None => Ok(None),
                },
            },
        }
    }

    /// Whether a variable of whose type nothing is known may have a method of the module that is called like this.
    fn may_be_of_module(&self, call: &Method, receiver: &Value) -> bool {
        let is_unknown = matches!(receiver, Value::Passive(Passive { shape: None, number: None, .. }));
        let is_variable = matches!(&*call.receiver.unwrapped().kind, ExprKind::Variable(..));
        is_unknown && is_variable && self.module.declared().methods().has(&call.name.unraw().to_string())
    }

    /// The iterator that a value is, or that it is used as where a method of iterators is called.
    pub(in super::super) fn iterator(&mut self, receiver: &Value) -> Option<Sequence> {
        match receiver {
            Value::Iterator(items) => Some((**items).clone()),
            Value::Range(range) => self.numbers(range),
            _ => None,
        }
    }

    /// A method call without an active value: its result if that is known, else as the user wrote it.
    pub(in super::super) fn passive_method(
        &mut self,
        whole: &Expr,
        call: &Method,
        receiver: &Value,
        args: &[Value],
    ) -> Option<Flow> {
        self.passive_method_of(whole, call, (receiver, None), args)
    }

    /// The same where the receiver is perhaps behind a mutable reference to this place.
    fn passive_method_of(
        &mut self,
        whole: &Expr,
        call: &Method,
        (receiver, behind): (&Value, Option<&Place>),
        args: &[Value],
    ) -> Option<Flow> {
        if !receiver.is_passive() {
            return None;
        }
        let args = args.iter().map(|arg| self.opaque(arg)).collect::<Option<Vec<_>>>()?;
        let mut passive = self.opaque(receiver)?;
        if let Some(value) = self.known_method(whole, call, &passive, &args) {
            return Some(value);
        }
        if let Some(place) = behind {
            if is_copy(receiver, &passive) && !surely_reads(&call.name) {
                passive = match self.changed_in_place(call, place.clone()) {
                    Ok(home) => home,
                    Err(stop) => return Some(Err(stop)),
                };
            }
        } else if is_place(&call.receiver) && self.is_part_of_active(call, receiver, &passive) {
            let home = self.assigned_place(&call.receiver).and_then(|place| self.changed_in_place(call, place));
            passive = match home {
                Ok(home) => home,
                Err(stop) => return Some(Err(stop)),
            };
        } else if is_place(&call.receiver) {
            let is_known = is_copy(receiver, &passive) && !passive.is_variable();
            passive = match (self.changed(whole, call), self.inline) {
                (Some(variable), None) => {
                    self.give_home(variable);
                    self.expression(&call.receiver).ok()?.to_passive()?
                }
                (Some(_), Some(why)) if is_known => return Some(self.refuse(whole, why)),
                // It must not change a copy of what is known: it cannot change this variable.
                (None, None) if is_known => {
                    let name = quote::format_ident!("receiver", span = call.receiver.place.span());
                    self.let_passive(&name, &passive, None)
                }
                _ => passive,
            };
        }
        let shape = self.shape_after(&passive, call, &args);
        let shape = shape.or_else(|| self.shape_of_member(&passive, &call.name, &args));
        if !matches!(&*call.receiver.unwrapped().kind, ExprKind::Literal(_)) {
            passive = self.of_known_type(passive);
        }
        let (receiver, method, turbofish) = (passive.operand(), &call.name, self.written_turbofish(call));
        let written = args.iter().map(Passive::tokens);
        let result = Passive::simple(quote!(#receiver.#method #turbofish(#(#written),*)));
        let result = result.given(!gives_number(method)).with_shape(shape).with_variant(option_given(&passive, method));
        let all: Vec<_> = [&passive].into_iter().chain(&args).collect();
        Some(Ok(Value::Passive(match self.is_of_floats(method, &all) {
            true => result.floating(true).of(&all),
            false => result.floating(self.gives_float(call, &all)),
        })))
    }

    /// Whether a method surely gives a float: one of floats, a sum of these or a fold that begins with one.
    fn gives_float(&self, call: &Method, operands: &[&Passive]) -> bool {
        let name = call.name.unraw().to_string();
        // It may be one of the module's own.
        if self.module.declared().methods().has(&name) {
            return false;
        }
        let written = || call.turbofish.as_ref().map(|turbofish| turbofish.written.tokens.to_string().replace(' ', ""));
        match (name.as_str(), operands) {
            ("sum" | "product", [_]) => written().is_some_and(|ty| ["::<f64>", "::<f32>"].contains(&ty.as_str())),
            ("fold", [_, first, _]) => first.is_float(),
            (name, [receiver, ..]) if receiver.is_float_behind() => Intrinsic::find(name).is_some_and(|found| {
                let row = found.row();
                row.is_method() && row.gives == Kind::Float
            }),
            _ => false,
        }
    }

    /// Whether a method is one of floats that gives a float and nothing else, and its receiver is one.
    fn is_of_floats(&self, method: &Ident, operands: &[&Passive]) -> bool {
        let Some(intrinsic) = Intrinsic::find(&method.to_string()) else { return false };
        let row = intrinsic.row();
        let is_plain = row.is_method() && row.gives == Kind::Float && !row.may_panic();
        let are_numbers = operands.iter().all(|operand| operand.is_float() || operand.is_literal());
        is_plain && are_numbers && operands[0].is_float() && matches!(self.scalar, Scalar::Primitive(_))
    }

    /// A number whose type is known where it is written alone: what makes that of a block or a branch known may be in a part of it
    /// that is not evaluated, and rustc finds no method of a number without a type.
    fn of_known_type(&self, passive: Passive) -> Passive {
        match (&passive.number, self.scalar.suffix()) {
            (Some(Number::Float(digits)), Some(suffix)) if passive.operand().to_string() == *digits => {
                Passive::simple(with_suffix(digits, suffix)).with_number(passive.number)
            }
            _ => passive,
        }
    }

    /// The variable that a method may change, if its receiver is a place in one that can be changed.
    pub(in super::super) fn changed(&self, whole: &Expr, call: &Method) -> Option<usize> {
        let mut has_call = false;
        call.receiver.walk(&mut |node| {
            has_call |= matches!(node, Node::Expr(inner) if matches!(&*inner.kind, ExprKind::Call(..) | ExprKind::Method(_)));
        });
        let number = self.activation.number(*self.changed_by(whole).first()?);
        (!has_call && self.bindings.is_mut(number)).then_some(number)
    }

    pub(in super::super) fn written_turbofish(&mut self, call: &Method) -> Option<TokenStream> {
        call.turbofish.as_ref().map(|turbofish| {
            let written = &turbofish.written;
            self.with_names(written.tokens.clone(), &written.names)
        })
    }
}

/// Whether a passive value is written out where it is used, or in a variable that nothing changes.
fn is_copy(value: &Value, passive: &Passive) -> bool {
    (passive.number.is_some() || !matches!(value, Value::Passive(_))) && !passive.may_change
}

fn name_of(call: &Method) -> String {
    call.name.unraw().to_string()
}

/// What `into` makes of a float, or of an array, a tuple, a vector or a struct whose parts are known one by one.
fn into(call: &Method, receiver: &Value) -> Option<Value> {
    let is_into = call.name == "into" && call.args.is_empty() && !receiver.is_passive();
    let is_source = |value: &Value| {
        matches!(value, Value::Array(_) | Value::Tuple(_) | Value::Vector(_) | Value::Active(_))
            || value.definition().is_some()
    };
    let is_source = is_source(receiver) || matches!(receiver, Value::Reference(target) if is_source(target));
    (is_into && is_source).then(|| Value::Into(Box::new(receiver.clone())))
}

/// Whether a method of a passive value is one of the user's, as far as is known: it is none of a float.
fn is_of_user(passive: &Passive, method: &Ident) -> bool {
    let is_float = |shape: &Shape| matches!(shape.behind_references(), Shape::Float(_));
    let name = method.to_string();
    let row = Intrinsic::find(&name).map(Intrinsic::row);
    let is_of_floats = row.is_some_and(Row::is_method) || advice(&name).is_some() || name == "sin_cos";
    // Floats have no such method, and others may.
    let is_of_libm = row.is_some_and(|row| row.spelling == Spelling::Libm);
    let is_number = passive.number.as_ref().is_some_and(|number| !matches!(number, Number::Unit(_)))
        || passive.shape.as_ref().is_some_and(is_float);
    !is_number && (!is_of_floats || is_of_libm)
}

/// Whether a method surely gives no reference, as far as its name tells.
pub(in super::super) fn gives_number(method: &Ident) -> bool {
    let name = method.to_string();
    let is_known = Intrinsic::find(&name).is_some_and(|found| found.row().is_method());
    // What is converted beside a float is so by a bound of the user's, and then to a float.
    is_known || ["sum", "product", "len", "count", "into"].contains(&name.as_str())
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

/// Whether this is a float or a vector that is active.
fn is_active_number(value: &Value) -> bool {
    let is_number = matches!(value.behind_references(), Value::Active(_) | Value::Called(_) | Value::Vector(_));
    is_number && !value.is_passive()
}
