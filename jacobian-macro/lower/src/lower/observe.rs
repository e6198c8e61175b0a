//! What is passive of active values: what is printed of them, the integers and the truth values that are made of them.
//! A number that an active value is at present is in a variable of the generated code, and what is passive reads that.
//! It has no derivative, so that no float may come of it here.

use std::collections::HashSet;
use std::rc::Rc;

use jacobian_list::catalogue::Intrinsic;
use jacobian_list::code_list::{Kind, ValueId};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{BinOp, UnOp};

use super::super::refuse;
use super::super::syntax::{
    Action, Block, Expr, ExprKind, Method, Node, Path, PatternKind, Placed, Statement, VariableId, changes,
    variables_in,
};
use super::control::Flow;
use super::numbers::integer::Types;
use super::numbers::integer_type;
use super::program::Line;
use super::value::{Active, Elements, Passive, Value, Vector, has_call};
use super::{Lowering, emitted};

/// The methods that give no floats, whatever the floats or the closures are that they compare, each with the type of its
/// result. One of the user's that gives something else does not compile.
const METHODS: &[(&[&str], &str)] = &[
    (&["lt", "le", "gt", "ge", "eq", "ne", "contains", "any", "all", "is_sorted_by"], "::core::primitive::bool"),
    (&["total_cmp"], "::core::cmp::Ordering"),
    (&["partial_cmp"], "::core::option::Option<::core::cmp::Ordering>"),
    (&["classify"], "::core::num::FpCategory"),
    (&["partition_point"], "::core::primitive::usize"),
    (&["position", "rposition"], "::core::option::Option<::core::primitive::usize>"),
    (
        &["binary_search_by", "binary_search_by_key"],
        "::core::result::Result<::core::primitive::usize, ::core::primitive::usize>",
    ),
];

/// The methods of an `Ordering` that give a truth value.
const OF_ORDERS: &[&str] = &["is_lt", "is_le", "is_gt", "is_ge", "is_eq", "is_ne"];

/// The methods of iterators that choose items.
const CHOOSING: &[&str] = &["find", "rfind", "filter", "take_while", "skip_while"];

/// The type of what a method gives, if it gives no float.
fn type_of_result(method: &Ident) -> Option<TokenStream> {
    let name = method.to_string();
    let known = METHODS.iter().find(|(names, _)| names.contains(&name.as_str())).map(|(_, ty)| (*ty).to_string());
    // Those of `num_traits::ToPrimitive`.
    let integer = name.strip_prefix("to_").filter(|integer| Types::named(integer).is_some());
    let integer = || integer.map(|integer| format!("::core::option::Option<::core::primitive::{integer}>"));
    known.or_else(integer)?.parse().ok()
}

impl Lowering<'_> {
    /// A value as a passive expression: the numbers that are active in it are copied.
    pub(super) fn observed(&mut self, value: &Value, place: &dyn Placed) -> Flow<Passive> {
        match self.copied(value, place)?.to_passive() {
            Some(passive) => Ok(passive),
            None => self.refuse(place, refuse::OBSERVED),
        }
    }

    /// A value in which the numbers that are active are copied, and passive then.
    pub(super) fn copied(&mut self, value: &Value, place: &dyn Placed) -> Flow {
        let all = |lowering: &mut Self, values: &[Value]| -> Flow<Vec<Value>> {
            values.iter().map(|value| lowering.copied(value, place)).collect()
        };
        Ok(match value {
            Value::Active(Active { is_reference, .. }) => {
                let id = self.float(value, place)?;
                let copy = self.copy_of(Kind::Float, id);
                match is_reference {
                    true => Value::Reference(Rc::new(copy)),
                    false => copy,
                }
            }
            Value::Called(_) => {
                let id = self.float(value, place)?;
                self.copy_of(Kind::Float, id)
            }
            Value::Condition(_) => {
                let id = self.condition(value, place)?;
                self.copy_of(Kind::Bool, id)
            }
            Value::Array(elements) => Value::Array(all(self, elements)?.into()),
            Value::Tuple(elements) => {
                Value::Tuple(Elements::from(all(self, elements)?).of(elements.definition().cloned()))
            }
            Value::Optional(of) => match of.parts() {
                Some((test, content)) => Value::there_if(self.copied(test, place)?, self.copied(content, place)?),
                None => value.clone(),
            },
            Value::Vector(vector) => Value::Vector(Vector { elements: all(self, &vector.elements)?, ..vector.clone() }),
            Value::Reference(target) => Value::Reference(Rc::new(self.copied(target, place)?)),
            Value::Mutable(target) => {
                let target = self.read(target);
                Value::Reference(Rc::new(self.copied(&target, place)?))
            }
            Value::Record(_) => return self.refuse(place, refuse::RECORD_AS_WHOLE),
            value => value.clone(),
        })
    }

    fn copy_of(&mut self, kind: Kind, id: ValueId) -> Value {
        let copy = self.program.copy_of(kind, id);
        Value::Passive(Passive::simple(quote!(#copy)).owned(true))
    }

    /// The value, if it is not active, or passive without a loss: a truth value has no derivative.
    pub(super) fn without_conditions(&mut self, value: Value, place: &dyn Placed) -> Flow {
        match is_of_conditions(&value) {
            true => Ok(Value::Passive(self.observed(&value, place)?)),
            false => Ok(value),
        }
    }

    /// The same of what is given to something passive, where a reference to a truth value is one.
    pub(super) fn given_without_conditions(&mut self, value: &Value, place: &Expr) -> Flow {
        let is_reference =
            matches!(value, Value::Condition(_)) && matches!(&*place.unwrapped().kind, ExprKind::Shared(_));
        let value = self.without_conditions(value.clone(), place)?;
        Ok(if is_reference { self.shared(value) } else { value })
    }

    /// A method whose result is no float, with an active receiver or argument.
    pub(super) fn observing_method(&mut self, call: &Method, receiver: &Value, args: &[Value]) -> Flow<Option<Value>> {
        let is_float = matches!(receiver, Value::Active(_) | Value::Called(_));
        let Some(ty) = type_of_result(&call.name) else { return Ok(None) };
        // It may be one of the module's own.
        let is_own = self.module.declared().methods().has(&call.name.unraw().to_string());
        let is_observing = is_float || !is_own && receiver.is_passive() && args.iter().any(|arg| self.is_active(arg));
        if !is_observing {
            return Ok(None);
        }
        let mut closures = Vec::new();
        for arg in args {
            if let Value::Closure(closure) = arg {
                match self.observing_closure(closure) {
                    Some(closure) => closures.push(closure),
                    // A loop may call it.
                    None => return Ok(None),
                }
            }
        }
        let mut closures = closures.into_iter();
        let receiver = match receiver {
            Value::Active(active) => {
                if active.is_reference {
                    self.require_method(&call.name);
                }
                Value::Active(Active { is_reference: false, ..*active })
            }
            receiver => receiver.clone(),
        };
        let receiver = self.observed(&receiver, &call.receiver)?.operand();
        let mut written = Vec::with_capacity(args.len());
        for (arg, place) in args.iter().zip(&call.args) {
            written.push(match arg {
                Value::Closure(_) => closures.next().expect("there is one for each"),
                arg => self.observed(arg, place)?,
            });
        }
        let written = written.iter().map(Passive::tokens);
        let (method, turbofish) = (&call.name, self.written_turbofish(call));
        let found = quote!(#receiver.#method #turbofish(#(#written),*));
        // A closure may do more than compare.
        Ok(Some(self.found_number(&ty, &found, is_float)))
    }

    /// A variable of this type. The line may be left out where nothing reads it, if it is optional.
    fn found_number(&mut self, ty: &TokenStream, found: &TokenStream, is_optional: bool) -> Value {
        let result = self.program.variable(&emitted(&format_ident!("found")));
        self.program.line(Line::number(&result, ty, found).optional(is_optional));
        Value::Passive(Passive::simple(quote!(#result)).owned(true))
    }

    /// The same of a function of floats: `f64::total_cmp`.
    pub(super) fn observing_function(&mut self, path: &Path, args: &[Value], places: &[&Expr]) -> Flow<Option<Value>> {
        let names = path.segments();
        let (Some(last), Some([owner, _])) = (path.path.path.segments.last(), names.last_chunk()) else {
            return Ok(None);
        };
        let (is_of_floats, ty) = (Some(owner.as_str()) == self.scalar.suffix(), type_of_result(&last.ident));
        let Some(ty) = ty.filter(|_| is_of_floats && path.may_be_std) else { return Ok(None) };
        let mut written = Vec::with_capacity(args.len());
        for (arg, place) in args.iter().zip(places) {
            written.push(self.observed(arg, *place)?);
        }
        let (function, written) = (self.written_path(path), written.iter().map(Passive::tokens));
        Ok(Some(self.found_number(&ty, &quote!(#function(#(#written),*)), true)))
    }

    /// A method that chooses items of something passive by what is active: they are passive. One of the user's gives
    /// nothing that depends on the active values otherwise, either, for the closure gives truth values.
    pub(super) fn choosing_method(
        &mut self,
        whole: &Expr,
        call: &Method,
        receiver: &Value,
        args: &[Value],
    ) -> Option<Flow> {
        let [Value::Closure(closure)] = args else { return None };
        // It may be the one of an `Option`.
        let is_chosen = call.name != "filter" || is_iterator(&call.receiver);
        let is_named = CHOOSING.iter().any(|name| call.name == name) && is_chosen;
        if !is_named || !receiver.is_passive() || self.may_be_written(closure) || !closure.gives_condition() {
            return None;
        }
        let closure = self.observing_closure(closure)?;
        self.passive_method(whole, call, receiver, &[Value::Passive(closure)])
    }

    /// Whether an argument is active, or a closure that depends on what is.
    pub(super) fn is_active(&mut self, arg: &Value) -> bool {
        match arg {
            Value::Closure(closure) => !self.may_be_written(closure),
            arg => !arg.is_passive(),
        }
    }

    /// An expression that is kept as it is written, where it gives no float: it reads the numbers that the active
    /// variables in it are at present. None where it cannot be kept, or could put such a number where it is read as a
    /// passive one: it changes something, calls what is not known, or binds it by a pattern.
    pub(super) fn observing(&mut self, expression: &Expr) -> Option<Passive> {
        self.kept_with_copies(expression, true)
    }

    /// The same of what is given to the caller of the function, and read by nothing here.
    pub(super) fn observing_at_the_end(&mut self, expression: &Expr) -> Option<Passive> {
        self.kept_with_copies(expression, false)
    }

    fn kept_with_copies(&mut self, expression: &Expr, stays: bool) -> Option<Passive> {
        let (mut replaced, mut changed) = (Vec::new(), Vec::new());
        let mut copied = HashSet::new();
        let errors = std::mem::take(self.errors);
        for id in variables(expression, &mut changed) {
            let number = self.activation.number(id);
            let Some(binding) = self.bindings.find(number).cloned() else { continue };
            let is_active = !binding.value.is_passive() && !changed.contains(&id);
            if let Some(copy) = is_active.then(|| self.observed(&binding.value, expression).ok()).flatten() {
                self.bindings.at(number).value = Value::Passive(copy);
                replaced.push((number, binding));
                copied.insert(id);
            }
        }
        *self.errors = errors;
        let kept = if stays && is_passed_on(expression, &copied) { None } else { self.kept(expression) };
        for (number, binding) in replaced {
            self.bindings.restore(number, binding);
        }
        kept
    }
}

/// Whether one of these variables may get to where it is read after the expression: as the value of something that is
/// assigned, bound or made, or by a call of what is not known.
fn is_passed_on(expression: &Expr, copied: &HashSet<VariableId>) -> bool {
    let mut is_passed_on = false;
    expression.walk(&mut |node| {
        let Node::Expr(inner) = node else { return };
        is_passed_on |= match &*inner.kind {
            ExprKind::Let(pattern, subject) => {
                let mut variables = Vec::new();
                pattern.variables(&mut variables);
                !variables.is_empty() && is_read(subject, copied)
            }
            ExprKind::Method(call) => !is_known(&call.name) && !is_order(call) && is_read(inner, copied),
            ExprKind::Call(..)
            | ExprKind::Assign(..)
            | ExprKind::Update(..)
            | ExprKind::Mutable(_)
            | ExprKind::Match(..)
            | ExprKind::For(_)
            | ExprKind::Struct(_)
            | ExprKind::Macro(_) => is_read(inner, copied),
            ExprKind::Block(block) => has_let(block) && is_read(inner, copied),
            ExprKind::Labelled(labelled) => has_let(&labelled.body) && is_read(inner, copied),
            // The first of its arguments is what is written to.
            ExprKind::Other(written, message) => {
                let is_text = *message == refuse::WRITTEN && !has_call(written.tokens.clone());
                !is_text && is_read(inner, copied)
            }
            _ => false,
        };
    });
    is_passed_on
}

/// Whether a block binds something.
fn has_let(block: &Block) -> bool {
    block.statements.iter().any(|statement| matches!(statement, Statement::Let(_)))
}

/// Whether an expression reads one of these variables, otherwise than as an integer.
fn is_read(expression: &Expr, variables: &HashSet<VariableId>) -> bool {
    let (mut read, mut as_integers) = (0, HashSet::new());
    expression.walk(&mut |node| {
        let Node::Expr(inner) = node else { return };
        let mut count = |id: &VariableId| {
            read += usize::from(variables.contains(id) && !as_integers.contains(&inner.address()));
        };
        match &*inner.kind {
            ExprKind::Variable(id, _) => count(id),
            ExprKind::Other(written, _) => variables_in(written).for_each(|id| count(&id)),
            ExprKind::Cast(operand, ty) if integer_type(ty).is_some() => operand.walk(&mut |node| {
                if let Node::Expr(part) = node {
                    as_integers.insert(part.address());
                }
            }),
            _ => {}
        }
    });
    read > 0
}

/// Whether a method gives what is in the order that `partial_cmp` says, or the reverse of it.
fn is_order(call: &Method) -> bool {
    let ExprKind::Method(inner) = &*call.receiver.unwrapped().kind else { return false };
    let is_compared = ["partial_cmp", "total_cmp"].iter().any(|name| inner.name == name);
    ["unwrap", "expect", "reverse"].iter().any(|name| call.name == name) && (is_compared || is_order(inner))
}

/// Whether a method is known to store nothing of its receiver or its arguments.
fn is_known(method: &Ident) -> bool {
    const OTHERS: &[&str] = &["clone", "to_owned", "len", "is_empty", "cmp"];
    let name = method.to_string();
    let is_of_floats = Intrinsic::find(&name).is_some_and(|found| found.row().is_method());
    is_of_floats
        || [OTHERS, OF_ORDERS].iter().any(|names| names.contains(&name.as_str()))
        || type_of_result(method).is_some()
}

/// Whether an expression is surely a truth value, as far as it is plain.
pub(super) fn is_condition(expression: &Expr) -> bool {
    const OF_FLOATS: &[&str] =
        &["is_nan", "is_finite", "is_infinite", "is_normal", "is_sign_negative", "is_sign_positive"];
    match &*expression.unwrapped().kind {
        ExprKind::Binary(op, ..) => matches!(
            op,
            BinOp::Eq(_)
                | BinOp::Ne(_)
                | BinOp::Lt(_)
                | BinOp::Le(_)
                | BinOp::Gt(_)
                | BinOp::Ge(_)
                | BinOp::And(_)
                | BinOp::Or(_)
        ),
        ExprKind::Unary(UnOp::Not(_), inner) => is_condition(inner),
        ExprKind::Method(call) => {
            [OF_FLOATS, OF_ORDERS].concat().iter().any(|name| call.name == name)
                || type_of_result(&call.name).is_some_and(|ty| ty.to_string().ends_with("bool"))
        }
        ExprKind::Macro(call) => matches!(call.action, Action::Matches(..)),
        ExprKind::Block(block) => {
            matches!(block.statements.last(), Some(Statement::Expr(last, true)) if is_condition(last))
        }
        _ => false,
    }
}

/// Whether an expression is surely an iterator, by the names of the methods that it ends in.
fn is_iterator(expression: &Expr) -> bool {
    const OF_ITERATORS: &[&str] = &[
        "iter",
        "into_iter",
        "windows",
        "chunks",
        "chunks_exact",
        "enumerate",
        "rev",
        "skip",
        "step_by",
        "skip_while",
        "take_while",
        "flat_map",
        "cycle",
    ];
    const OF_OPTIONS_TOO: &[&str] = &["map", "filter", "zip", "copied", "cloned", "flatten", "take"];
    match &*expression.unwrapped().kind {
        ExprKind::Range(..) => true,
        ExprKind::Method(call) if OF_ITERATORS.iter().any(|name| call.name == name) => true,
        ExprKind::Method(call) if OF_OPTIONS_TOO.iter().any(|name| call.name == name) => is_iterator(&call.receiver),
        _ => false,
    }
}

/// The variables from outside that an expression reads, each once. Those that it may change are added to `changed`.
fn variables(expression: &Expr, changed: &mut Vec<VariableId>) -> Vec<VariableId> {
    let (mut used, mut own) = (Vec::new(), Vec::new());
    expression.walk(&mut |node| match node {
        Node::Pattern(pattern) => {
            if let PatternKind::Variable(variable) = &pattern.kind {
                own.push(variable.id);
            }
        }
        Node::Expr(inner) => {
            if !matches!(&*inner.kind, ExprKind::Other(_, refuse::WRITTEN)) {
                changed.extend(changes(inner).map(|(id, _)| id));
            }
            match &*inner.kind {
                ExprKind::Variable(id, _) => used.push(*id),
                ExprKind::Other(written, _) => used.extend(variables_in(written)),
                _ => {}
            }
        }
    });
    used.retain(|id| !own.contains(id));
    used.sort_unstable();
    used.dedup();
    used
}

/// Whether something active is in a value, and all of that are truth values.
pub(super) fn is_of_conditions(value: &Value) -> bool {
    match value {
        Value::Condition(_) => true,
        Value::Array(elements) | Value::Tuple(elements) => {
            elements.iter().any(is_of_conditions)
                && elements.iter().all(|element| element.is_passive() || is_of_conditions(element))
        }
        Value::Reference(target) => is_of_conditions(target),
        _ => false,
    }
}
