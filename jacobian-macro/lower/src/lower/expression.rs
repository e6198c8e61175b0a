//! Expressions. The left spine of operators, method calls, fields and indices is followed by a loop, for it is as long
//! as the user's expression; all other recursion is as deep as the brackets nest, which the guard bounds.

use std::rc::Rc;

use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::{Kind, NotationId, ValueId};
use proc_macro2::Ident;
use quote::quote;
use syn::{BinOp, Lit, Member, UnOp};

use super::super::read::shape::{Reading, Shape};
use super::super::refuse;
use super::super::syntax::{self, Binding as Bound, Expr, ExprKind, Node, Path, Placed, Type, surely_reads};
use super::array::element_of;
use super::bindings::Binding;
use super::change::is_range;
use super::control::{Exit, Flow, Stop};
use super::expected::Expected;
use super::numbers::infer::Use;
use super::numbers::{Number, Numbers, integer_type};
use super::operands::{OperandRole, Operands};
use super::optional::is_method_of_option;
use super::program::{Head, Line};
use super::value::{Active, Elements, Passive, Value, Variant};
use super::{Lowering, emitted};

/// The most elements of an array in the function, those of the arrays in it included.
pub(super) const MAX_ELEMENTS: usize = 100_000;

/// The deepest nesting of arrays and tuples.
const MAX_DEPTH: usize = 64;

/// The deepest nesting of expressions, counted through the calls of closures. Without these, the guard before the
/// parser allows a little less.
pub(super) const MAX_NESTING: usize = 160;

impl Lowering<'_> {
    /// The value of an expression.
    pub(super) fn expression(&mut self, expression: &Expr) -> Flow {
        self.expected(expression, Expected::Anything)
    }

    /// The value of an expression that is expected to be something.
    pub(super) fn expected(&mut self, expression: &Expr, expected: Expected) -> Flow {
        if self.depth == MAX_NESTING {
            return self.refuse(expression, refuse::NESTED_EXPRESSION);
        }
        self.depth += 1;
        let value = self.evaluate(expression, expected);
        self.depth -= 1;
        value
    }

    fn evaluate(&mut self, expression: &Expr, expected: Expected) -> Flow {
        let mut spine = Vec::new();
        let mut innermost = expression;
        while let Some(left) = self.leftmost(innermost) {
            spine.push(innermost);
            innermost = left;
        }
        if self.is_output(innermost) && !Self::is_read(&spine) {
            return self.refuse(innermost, refuse::OUTPUT_PASSED_ON);
        }
        self.takes(1 + spine.len())?;
        self.numbers.literals.open.reach(innermost, false);
        let is_bracketed = |outer: &&Expr| matches!(&*outer.kind, ExprKind::Paren(_) | ExprKind::Shared(_));
        let references = spine.iter().filter(|outer| matches!(&*outer.kind, ExprKind::Shared(_))).count();
        let (mut value, last) = match spine.iter().all(is_bracketed) {
            true => (self.leaf(innermost, expected.behind(references)), Expected::Anything),
            false => (self.leaf(innermost, Expected::Anything), expected),
        };
        for (index, outer) in spine.iter().copied().enumerate().rev() {
            self.numbers.literals.open.reach(outer, false);
            value = match value {
                Ok(left) => {
                    let expected = match index.checked_sub(1).map(|parent| is_method_of_option(spine[parent])) {
                        None => &last,
                        Some(true) => &Expected::Option,
                        Some(false) => &Expected::Anything,
                    };
                    self.apply_to_left(outer, left, expected)
                }
                Err(stop) => match *stop {
                    Stop::Refused => self.in_order(None, right_of(outer)).and(Err(stop)),
                    _ => return Err(stop),
                },
            };
        }
        value
    }

    /// The part of an expression that the loop over the spine goes on with.
    fn leftmost<'e>(&self, expression: &'e Expr) -> Option<&'e Expr> {
        let goes_on = match &*expression.kind {
            ExprKind::Method(call) if self.is_unwrapping(call) || self.is_asking(call) => false,
            ExprKind::Method(call) => !self.is_mutating(call) && self.branch_of_then(expression, call).is_none(),
            ExprKind::Index(base, index) => !self.is_read_after(base, index),
            kind => !matches!(kind, ExprKind::Mutable(_) | ExprKind::Try(_)),
        };
        expression.leftmost().filter(|_| goes_on)
    }

    /// Whether an index may change the variable in which the indexed array lies: that is read after the index then.
    fn is_read_after(&self, base: &Expr, index: &Expr) -> bool {
        let Some((id, _)) = base.root() else { return false };
        let number = self.activation.number(id);
        let is_behind = matches!(self.bindings.find(number), Some(Binding { value: Value::Mutable(_), .. }));
        let mut may_change = false;
        index.walk(&mut |node| {
            let Node::Expr(inner) = node else { return };
            may_change |= match &*inner.kind {
                ExprKind::Method(call) => !surely_reads(&call.name),
                ExprKind::Assign(..) | ExprKind::Update(..) | ExprKind::Mutable(_) | ExprKind::Call(..) => true,
                ExprKind::Macro(_) | ExprKind::Other(..) => true,
                _ => false,
            };
        });
        may_change && (is_behind || self.bindings.is_mut(number))
    }

    /// `base[index]`, where the index may change the array.
    fn index_after(&mut self, base: &Expr, index: &Expr) -> Flow {
        if self.on_trial(|lowering| lowering.assigned_place(base).map(|_| Value::unit())).is_none() {
            let left = self.expression(base)?;
            let [left, at] = self.both(left, OperandRole::Place, index)?;
            return self.index((base, index), left, &at);
        }
        let place = self.assigned_place(base)?;
        let at = self.expression(index)?;
        let left = self.read_chosen(&place, base)?;
        self.index((base, index), left, &at)
    }

    /// The value of an expression whose leftmost part is `left`.
    fn apply_to_left(&mut self, expression: &Expr, left: Value, expected: &Expected) -> Flow {
        match &*expression.kind {
            ExprKind::Binary(op @ (BinOp::And(_) | BinOp::Or(_)), _, right) => {
                self.logical(expression, op, left, right)
            }
            ExprKind::Binary(op, left_place, right_place) => {
                // Operands of comparisons stay where they are, if they can; those of arithmetic are copied.
                let role = if arithmetic(op).is_some() { OperandRole::Value } else { OperandRole::Read };
                let [left, right] = self.both(left, role, right_place)?;
                self.operated(op, (left, left_place), (right, right_place), expression)
            }
            ExprKind::Method(call) => self.method_call(expression, call, left, expected),
            ExprKind::Field(base, member) => {
                let part = self.field(base, member, left)?;
                self.assigned(part, expression)
            }
            ExprKind::Index(base, index) => {
                let [left, place] = self.both(left, OperandRole::Place, index)?;
                let part = self.index((base, index), left, &place)?;
                self.assigned(part, expression)
            }
            ExprKind::Cast(operand, ty) => self.cast((expression, operand), ty, left),
            ExprKind::Unary(op, operand) => self.unary(expression, op, operand, left),
            ExprKind::Shared(_) => Ok(self.shared(left)),
            _ => Ok(left),
        }
    }

    /// A part of a variable, unless it is read before it is assigned.
    pub(super) fn assigned(&mut self, part: Value, place: &dyn Placed) -> Flow {
        match part {
            Value::Unset | Value::Lost => self.refuse(place, refuse::UNSET_OUTPUT),
            part => Ok(part),
        }
    }

    /// `left && right` or `left || right`: the right-hand side is evaluated only if it decides.
    fn logical(&mut self, whole: &Expr, op: &BinOp, left: Value, right: &Expr) -> Flow {
        let decides = matches!(op, BinOp::Or(_));
        match left.as_bool() {
            Some(known) if known == decides => Ok(left),
            Some(_) => self.expression(right),
            None => self.lazy(if decides { Head::Or } else { Head::And }, left, right, whole),
        }
    }

    fn leaf(&mut self, expression: &Expr, expected: Expected) -> Flow {
        match &*expression.kind {
            ExprKind::Literal(literal) => Ok(Value::Passive(self.lit(expression, literal))),
            ExprKind::Variable(id, ident) => self.variable_value(self.activation.number(*id), ident),
            ExprKind::Path(path) if path.is_variant("None") => match self.path(path)? {
                Value::Passive(passive) => Ok(Value::Passive(passive.with_variant(Some(Variant::None)))),
                value => Ok(value),
            },
            ExprKind::Path(path) => self.path(path),
            ExprKind::Update(op, left, right) => self.update(op, left, right, expression),
            ExprKind::Assign(left, right) => self.assignment(left, right),
            ExprKind::Call(function, args) => self.call(expression, function, args, &expected),
            ExprKind::Method(call) if self.is_unwrapping(call) => self.unwrapped_call(expression, call, &expected),
            ExprKind::Method(call) if self.is_asking(call) => self.asking_call(expression, call, &expected),
            ExprKind::Method(call) => match self.branch_of_then(expression, call) {
                Some(branch) => self.leaf(&branch, expected),
                None => self.mutating_method(expression, call),
            },
            ExprKind::Array(elements) => {
                let mut elements = self.elements_in_order(elements, &|index| expected.element(index))?;
                if elements.iter().any(|element| self.numbers.is_float(element)) {
                    elements.iter_mut().for_each(|element| self.numbers.make_float(element));
                }
                let value = self.limited(Value::Array(elements), expression)?;
                Ok(self.tied(value))
            }
            ExprKind::Tuple(elements) => {
                let elements = self.elements_in_order(elements, &|index| expected.element(index))?;
                self.limited(Value::Tuple(elements), expression)
            }
            ExprKind::Repeat(element, length) => self.repeat(expression, element, length),
            ExprKind::Macro(call) => self.macro_call(expression, call),
            ExprKind::Range(start, end, is_inclusive) => {
                self.range(expression, [start.as_ref(), end.as_ref()], *is_inclusive)
            }
            ExprKind::Closure(closure) => Ok(self.closure(closure)),
            ExprKind::Mutable(target) => self.mutable_reference(expression, target),
            ExprKind::Index(base, index) => {
                let part = self.index_after(base, index)?;
                self.assigned(part, expression)
            }
            _ => self.control_flow(expression, expected),
        }
    }

    /// Blocks, and expressions that say where control goes.
    fn control_flow(&mut self, expression: &Expr, expected: Expected) -> Flow {
        match &*expression.kind {
            ExprKind::Block(block) => self.block_of(block, expected),
            ExprKind::Labelled(labelled) => self.labelled_block(expression, labelled, expected),
            ExprKind::If(branch) => self.if_expression(expression, branch, expected),
            ExprKind::Match(subject, arms) => self.match_expression(expression, subject, arms, expected),
            ExprKind::For(repetition) => self.for_loop(repetition, expression),
            ExprKind::Break(target, value) => self.break_out(expression, *target, value.as_ref()),
            ExprKind::Continue(target) => self.leave_for(expression, Exit::Continue(*target)),
            ExprKind::Return(value) => self.return_from(expression, value.as_ref()),
            ExprKind::Leave(given) => self.leave(expression, given),
            ExprKind::Dropped(error, ty) => self.dropped(expression, error, ty),
            ExprKind::Try(inner) => self.tried(expression, inner),
            ExprKind::NextIterations => self.end_of_iteration(expression),
            ExprKind::Unreached(of) => Ok(self.unreached(&self.expected_of(*of))),
            ExprKind::Refused(message) => self.refuse(expression, message),
            ExprKind::While(repetition) => self.while_loop(repetition, expression, &expected),
            ExprKind::Struct(construction) => match self.constructed(construction)? {
                Some(value) => self.limited(value, expression),
                None => self.kept_or_refused(expression),
            },
            ExprKind::Other(..) => self.kept_or_refused(expression),
            _ => self.refuse(expression, unsupported(expression)),
        }
    }

    /// What is understood only where nothing in it is active.
    fn kept_or_refused(&mut self, expression: &Expr) -> Flow {
        let kept = match (&*expression.kind, self.inline) {
            (_, Some(_)) => None,
            (ExprKind::Other(_, refuse::WRITTEN), None) => self.observing(expression),
            (_, None) => self.kept(expression),
        };
        match (kept, &*expression.kind) {
            (Some(passive), ExprKind::Struct(construction)) => {
                let path = &construction.path;
                let shape = self.opaque_named(path).or_else(|| self.shape_of_variant(path));
                Ok(Value::Passive(passive.with_shape(shape)))
            }
            (Some(passive), _) => Ok(Value::Passive(passive.statement())),
            (None, ExprKind::Other(_, refuse::MACRO)) if self.is_in_constant() => {
                self.refuse(expression, refuse::MACRO_IN_CONSTANT)
            }
            (None, ExprKind::Other(_, message)) => self.refuse(expression, message),
            (None, ExprKind::Struct(construction)) => match self.why_unknown(&construction.path) {
                Some(why) => self.refuse(expression, why),
                None => self.refuse(expression, refuse::STRUCT_VALUE),
            },
            (None, _) => self.refuse(expression, unsupported(expression)),
        }
    }

    /// An array or a tuple, unless it is too large: a few lines can name arrays that no memory holds.
    pub(super) fn limited(&mut self, value: Value, place: &dyn Placed) -> Flow {
        let (count, depth) = value.extent();
        self.takes(count)?;
        if count > MAX_ELEMENTS {
            return self.refuse(place, refuse::array_of_more(MAX_ELEMENTS));
        }
        if depth > MAX_DEPTH {
            return self.refuse(place, refuse::deep_array(MAX_DEPTH));
        }
        Ok(value)
    }

    /// The value of an expression and that of the one to the right of it.
    fn both(&mut self, left: Value, role: OperandRole, right: &Expr) -> Flow<[Value; 2]> {
        let values = self.in_order(Some((left, role)), [right])?;
        Ok(values.try_into().unwrap_or_else(|_| unreachable!("there are two")))
    }

    /// The elements of an array or a tuple: each is a statement of its own. What they call is called whether they are
    /// used or not.
    pub(super) fn elements_in_order(
        &mut self,
        expressions: &[Expr],
        expected: &dyn Fn(usize) -> Expected,
    ) -> Flow<Elements> {
        let mut operands = Operands::default();
        for (index, expression) in expressions.iter().enumerate() {
            let value = self.expected(expression, expected(index)).and_then(|value| match value {
                Value::Passive(passive) => Ok(Value::Passive(self.in_turn(&passive, &expected(index)))),
                Value::Closure(_) => self.refuse(expression, refuse::CLOSURE_AS_VALUE),
                Value::Record(_) => self.refuse(expression, refuse::RECORD_AS_WHOLE),
                Value::Mutable(_) => self.refuse(expression, refuse::MUTABLE_REFERENCE),
                value => Ok(value),
            });
            self.program.frame.end_user_statement(expression);
            self.operand_here(&mut operands, value, OperandRole::Value, index + 1 < expressions.len())?;
        }
        Ok(self.evaluated_in_order(operands)?.into())
    }

    fn lit(&mut self, expression: &Expr, literal: &Lit) -> Passive {
        let written = Passive::simple(self.numbers.written(expression, literal));
        match self.numbers.literal_number(expression, literal) {
            Some(number) => {
                let written = self.shared_literal(expression, &number, written);
                self.numbers.known(number, written)
            }
            None if matches!(literal, Lit::Float(_)) => written.owned(true),
            None => written,
        }
    }

    /// How a literal is written. One whose type only the compiler knows is of one type however often it is evaluated:
    /// so it is in one variable. Those of one type are tied to each other where other code may tell it.
    fn shared_literal(&mut self, expression: &Expr, number: &Number, written: Passive) -> Passive {
        let Numbers { types, literals, .. } = &mut self.numbers;
        let Some((ty, used)) = literals.used(expression) else { return written };
        let is_open = used != Use::AsConstant && literals.open.contains(ty, types);
        let is_shared = number.as_int().is_some() && (is_open || used == Use::Often);
        if !is_shared || self.inline.is_some() || types.get(ty).only().is_some() {
            return written;
        }
        let variable = match literals.shared(expression).clone() {
            Some(variable) => variable,
            None => {
                let variable = self.program.variable(&emitted(&quote::format_ident!("literal")));
                let other = if is_open { literals.open.held(ty, &variable, types) } else { None };
                let read = other.iter().filter_map(|other| self.program.variable_named(&other.to_string()));
                let (read, tokens) = (read.map(|it| it.id).collect(), written.tokens());
                let tokens = match other {
                    Some(other) => quote!(let [_, #variable] = [#other, #tokens];),
                    None => quote!(let #variable = #tokens;),
                };
                let line = Line::variable(&variable, true, tokens).optional(true);
                self.program.line_at(0, line, Kind::Opaque, read);
                *literals.shared(expression) = Some(variable.clone());
                variable
            }
        };
        Passive::simple(quote!(#variable))
    }

    /// The present value of the variable with this number.
    pub(super) fn variable_value(&mut self, number: usize, ident: &Ident) -> Flow {
        match self.bindings.find(number).map(|binding| binding.value.clone()) {
            Some(Value::Unset | Value::Lost) if self.outputs.contains(&number) => {
                self.refuse(ident, refuse::UNSET_OUTPUT)
            }
            Some(Value::Unset | Value::Lost) if self.bindings.is_note(number) => {
                self.refuse(ident, refuse::JUMP_UNCLEAR)
            }
            Some(Value::Unset | Value::Lost) => self.refuse(ident, refuse::unassigned(ident)),
            Some(value) => Ok(value),
            // What declares it has been refused.
            None => Err(Box::new(Stop::Refused)),
        }
    }

    /// The value of a path that names no variable.
    pub(super) fn path(&mut self, path: &Path) -> Flow {
        match (path.binding, path.path.path.get_ident()) {
            (Bound::Constant(id), _) => return self.local_constant(id),
            (Bound::Generic, Some(ident)) if !self.activation.is_outermost => {
                return self.given_constant(ident);
            }
            _ => {}
        }
        if let Some(item) = self.constant_of_module(path) {
            let tokens = self.written_path(path);
            let written = Passive::simple(tokens.clone()).settled();
            let shape = self.shape_of_item(path);
            return Ok(match self.module_constant(item, tokens) {
                Some(Value::Passive(Passive { number: Some(number), .. })) => {
                    let shape = shape.filter(Shape::has_reference);
                    Value::Passive(self.numbers.known(number, written.with_shape(shape)))
                }
                Some(value @ (Value::Array(_) | Value::Tuple(_))) => value,
                Some(Value::Passive(known)) => {
                    Value::Passive(written.with_shape(shape).with_parts(known.parts().cloned()))
                }
                _ => Value::Passive(written.with_shape(shape)),
            });
        }
        let written = Passive::simple(self.written_path(path)).settled();
        Ok(Value::Passive(match self.known_path(path).or_else(|| self.known_unit(path)) {
            Some(number) => self.numbers.known(number, written),
            None => {
                let shape = self.shape_of_unit(path).or_else(|| self.shape_of_item(path));
                written.with_shape(shape).floating(is_constant_of_floats(path))
            }
        }))
    }

    /// The result of an operator on two values, written at `whole`.
    pub(super) fn operated(
        &mut self,
        op: &BinOp,
        (left, left_place): (Value, &Expr),
        (right, right_place): (Value, &Expr),
        whole: &dyn Placed,
    ) -> Flow {
        if let Some(value) = self.struct_operated(op, (&left, left_place), (&right, right_place), whole)? {
            return Ok(value);
        }
        let of_conditions = [&left, &right].iter().any(|side| matches!(side, Value::Condition(_)));
        let [left, right] = match of_conditions {
            true => [self.without_conditions(left, left_place)?, self.without_conditions(right, right_place)?],
            false => [left, right],
        };
        if let (Some(left), Some(right)) = (left.to_passive(), right.to_passive()) {
            return self.passive_operation(op, &left, &right, whole);
        }
        if let Some(value) = self.vector_operated(op, (&left, left_place), (&right, right_place))? {
            return Ok(value);
        }
        match arithmetic(op).or_else(|| comparison(op)) {
            Some(intrinsic) => self.operation(intrinsic, (&left, left_place), (&right, right_place)),
            None if matches!(op, BinOp::BitXor(_)) => self.refuse(op, refuse::POWER),
            None => self.refuse(op, refuse::OPERATOR_ON_ACTIVE),
        }
    }

    /// An arithmetic operation with an active operand.
    fn operation(&mut self, intrinsic: Intrinsic, left: (&Value, &Expr), right: (&Value, &Expr)) -> Flow {
        let (left, right) = (self.operand_of(left.0, left.1), self.operand_of(right.0, right.1));
        Ok(self.program.apply(intrinsic, NotationId::default(), &[left?, right?]))
    }

    /// The operand of an operator as a float of the list. It may be a reference to one.
    fn operand_of(&mut self, value: &Value, place: &Expr) -> Flow<ValueId> {
        match value {
            Value::Passive(passive) if passive.is_given && passive.shape.is_none() => {
                self.float(&Value::Passive(passive.clone().behind_reference(true)), place)
            }
            value => self.float(value, place),
        }
    }

    fn unary(&mut self, whole: &Expr, op: &UnOp, operand: &Expr, value: Value) -> Flow {
        if let UnOp::Deref(_) = op {
            if matches!(&value, Value::Tuple(fields) if fields.definition().is_some()) {
                return self.refuse(op, refuse::STRUCT_DEREF);
            }
            return Ok(self.dereference(value));
        }
        if let Some(result) = self.struct_prefixed(op, &value, operand, whole) {
            return result;
        }
        if let Some(passive) = value.to_passive() {
            return self.passive_unary(whole, op, operand, &passive);
        }
        let (intrinsic, id) = match (op, value) {
            (UnOp::Neg(_), Value::Vector(vector)) => return self.vector_negation(&vector, operand),
            (UnOp::Neg(_), value) => (known::NEG, self.float(&value, operand)?),
            (UnOp::Not(_), value @ Value::Condition(_)) => (known::NOT, self.condition(&value, operand)?),
            (op, _) => return self.refuse(op, refuse::OPERATOR_ON_ACTIVE),
        };
        Ok(self.program.apply(intrinsic, NotationId::default(), &[id]))
    }

    /// What a reference refers to. References to active values stand for these.
    pub(super) fn dereference(&mut self, value: Value) -> Value {
        let passive = match value {
            Value::Passive(passive) => passive,
            Value::Reference(target) => return (*target).clone(),
            Value::Mutable(place) => return self.read(&place),
            Value::Record(record) => return Value::Record(record.dereferenced().into()),
            Value::Active(active) => return Value::Active(Active { is_reference: false, ..active }),
            value => return value,
        };
        let operand = passive.operand();
        let shape = match &passive.shape {
            Some(Shape::Reference(target)) => Some((**target).clone()),
            _ => None,
        };
        let target = Passive::compound(quote!(*#operand));
        let target = if shape.is_some() { target.part_of(&passive) } else { target }.with_shape(shape);
        let target = target.with_parts(passive.parts().cloned());
        Value::Passive(match passive.number {
            Some(number @ Number::Table(_)) => target.with_number(Some(number)),
            Some(number) => self.numbers.known(number, target),
            None => target,
        })
    }

    /// A reference to a value.
    pub(super) fn shared(&mut self, value: Value) -> Value {
        match value {
            Value::Passive(passive) => {
                let operand = passive.operand();
                // What is used as a float behind the reference is one of this function's.
                let shape = passive.shape.clone().unwrap_or(Shape::Float(self.scalar.clone()));
                let reference = Passive::compound(quote!(&#operand)).referring_to(&passive);
                let reference = reference.with_parts(passive.parts().cloned());
                Value::Passive(
                    reference.with_shape(Some(Shape::Reference(Box::new(shape)))).with_number(passive.number),
                )
            }
            aggregate @ (Value::Array(_) | Value::Tuple(_) | Value::Reference(_) | Value::Optional(_)) => {
                Value::Reference(Rc::new(aggregate))
            }
            Value::Mutable(place) => {
                let target = self.read(&place);
                self.shared(target)
            }
            Value::Active(active) => Value::Active(Active { is_reference: true, ..active }),
            Value::Record(record) => Value::Record(record.shared().into()),
            value => value,
        }
    }

    /// `&mut place`: what a loop goes over, or an argument of a closure.
    fn mutable_reference(&mut self, whole: &Expr, target: &Expr) -> Flow {
        if self.inline.is_some() {
            return self.refuse(whole, refuse::MUTABLE_REFERENCE);
        }
        let target = target.unwrapped();
        match &*target.kind {
            ExprKind::Closure(_) => self.expression(target),
            _ if self.is_opaque_place(target) => match self.kept(whole) {
                Some(passive) => {
                    let shape = self.opaque_at(target).map(|shape| Shape::Reference(Box::new(shape)));
                    Ok(Value::Passive(passive.with_shape(shape)))
                }
                None => self.refuse(whole, refuse::MUTABLE_REFERENCE),
            },
            ExprKind::Index(base, index) if is_range(index) && self.struct_at(base).is_none() => {
                self.mutable_part(target)
            }
            _ => {
                let place = self.place(target)?;
                match self.read(&place) {
                    closure @ Value::Closure(_) => Ok(closure),
                    // What takes items off would take them off a copy.
                    Value::Iterator(_) | Value::Range(_) => self.refuse(whole, refuse::MUTABLE_ITERATOR),
                    _ => Ok(Value::Mutable(place)),
                }
            }
        }
    }

    fn cast(&mut self, (cast, operand): (&Expr, &Expr), ty: &Type, value: Value) -> Flow {
        let target = match self.reader().read(ty) {
            Reading::Floats(Shape::Float(scalar)) => Some(scalar),
            _ => None,
        };
        let own = target.as_ref() == Some(&self.scalar);
        match value.to_passive() {
            Some(mut passive) => {
                passive.number = passive.number.or_else(|| self.converted_unit(operand));
                Ok(Value::Passive(self.passive_cast(&passive, ty, own)))
            }
            None if own => Ok(value),
            None if integer_type(ty).is_some() => {
                let number = self.observed(&value, cast)?.operand();
                let ty = self.written_type(ty);
                Ok(Value::Passive(Passive::operation(quote!(#number as #ty))))
            }
            None => self.refuse(cast, refuse::CAST),
        }
    }

    fn field(&mut self, base: &Expr, member: &Member, value: Value) -> Flow {
        match (member, value) {
            (member, Value::Tuple(elements)) if elements.definition().is_some() => {
                self.field_of_struct(&elements, member)
            }
            (Member::Unnamed(index), Value::Tuple(elements)) => match elements.get(index.index as usize) {
                Some(element) => {
                    if let ExprKind::Tuple(_) = &*base.unwrapped().kind {
                        let others = elements.iter().enumerate().filter(|(at, _)| *at != index.index as usize);
                        others.for_each(|(_, other)| self.discard(other));
                    }
                    Ok(element.clone())
                }
                None => self.refuse(member, refuse::tuple_field(elements.len())),
            },
            (member, Value::Vector(vector)) => self.vector_field(member, &vector),
            (member, Value::Record(record)) => self.field_of_record(&record, member),
            (_, Value::Mutable(place)) => {
                let target = self.read(&place);
                self.field(base, member, target)
            }
            (_, Value::Reference(target)) => self.field(base, member, (*target).clone()),
            (member, Value::Passive(passive)) => {
                let whole = Value::Passive(passive.clone());
                if let Some(index) = whole.definition().and_then(|definition| definition.index_of(member)) {
                    return Ok(Value::Passive(element_of(&passive, index)));
                }
                let operand = passive.operand();
                let shape = match (passive.shape.as_ref().map(Shape::behind_references), member) {
                    (Some(Shape::Opaque(own)), member) => {
                        own.field(member).and_then(|ty| self.passive_shape_of(&syntax::ty(ty)))
                    }
                    (Some(Shape::Tuple(parts)), Member::Unnamed(index)) => {
                        parts.get(index.index as usize).filter(|part| !matches!(part, Shape::Passive(_))).cloned()
                    }
                    (Some(Shape::Vector(ty)), member) => self.shape_of_vector_field(ty, member),
                    _ => None,
                };
                let field = Passive::simple(quote!(#operand.#member)).given(passive.is_given).with_shape(shape);
                let field = match member {
                    Member::Unnamed(index) => field.known_in(&passive, index.index as usize),
                    Member::Named(_) => field,
                };
                Ok(Value::Passive(field.part_of(&passive)))
            }
            (_, Value::Into(_)) => self.refuse(base, refuse::INTO),
            (_, value @ Value::Called(_)) => match self.called_known(value, base)? {
                known @ (Value::Vector(_) | Value::Tuple(_)) => self.field(base, member, known),
                _ => self.refuse(member, refuse::FIELD_OF_ACTIVE),
            },
            (member, _) => self.refuse(member, refuse::FIELD_OF_ACTIVE),
        }
    }

    fn repeat(&mut self, whole: &Expr, element: &Expr, count: &Expr) -> Flow {
        let value = self.expression(element);
        let length = self.expression(count);
        let (value, length) = (value?, length?);
        match length.as_int() {
            Some(length) if (0..=(MAX_ELEMENTS / value.extent().0.max(1)) as i128).contains(&length) => {
                let element = match &value {
                    Value::Passive(passive) if passive.number.is_none() => {
                        let name = emitted(&quote::format_ident!("element"));
                        Value::Passive(self.let_passive(&name, passive, None))
                    }
                    _ => value,
                };
                self.limited(Value::Array(vec![element; length as usize].into()), whole)
            }
            Some(_) => self.refuse(count, refuse::array_of_more(MAX_ELEMENTS)),
            None => match (value.to_passive(), length.to_passive()) {
                (Some(element), Some(length)) => {
                    let (element, length) = (element.tokens(), length.tokens());
                    Ok(Value::Passive(Passive::simple(quote!([#element; #length]))))
                }
                _ => {
                    let message = self.not_known(refuse::LENGTH_KNOWN, count, &length);
                    self.refuse(count, message)
                }
            },
        }
    }

    /// Why what `expression` says is not known, and what to write instead.
    pub(super) fn not_known(&self, what: &str, expression: &Expr, value: &Value) -> String {
        if value.lacks_type() {
            return refuse::without_type(what);
        }
        let generic = expression.paths().into_iter().find(|path| path.binding == Bound::Generic);
        if let (Some(ident), true) = (
            generic.and_then(|path| path.path.path.segments.first()).map(|first| &first.ident),
            self.activation.is_outermost,
        ) {
            return refuse::without_generic(what, ident);
        }
        let is_constant = |path: &&Path| {
            let last = path.path.path.segments.last();
            !matches!(path.binding, Bound::Constant(_))
                && last.is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
        };
        let outside = expression.paths().into_iter().find(is_constant);
        match outside.and_then(|path| path.path.path.segments.last()).map(|last| &last.ident) {
            Some(ident) => refuse::without_constant(what, ident),
            None => refuse::not_known(what),
        }
    }
}

/// What is to the right of the leftmost part of an expression.
fn right_of(expression: &Expr) -> &[Expr] {
    match &*expression.kind {
        ExprKind::Binary(_, _, right) | ExprKind::Index(_, right) => std::slice::from_ref(right),
        ExprKind::Method(call) => &call.args,
        _ => &[],
    }
}

/// The intrinsic of an arithmetic operator.
fn arithmetic(op: &BinOp) -> Option<Intrinsic> {
    Some(match op {
        BinOp::Add(_) => known::ADD,
        BinOp::Sub(_) => known::SUB,
        BinOp::Mul(_) => known::MUL,
        BinOp::Div(_) => known::DIV,
        BinOp::Rem(_) => known::REM,
        _ => return None,
    })
}

/// The intrinsic of a comparison.
fn comparison(op: &BinOp) -> Option<Intrinsic> {
    Some(match op {
        BinOp::Lt(_) => known::LT,
        BinOp::Le(_) => known::LE,
        BinOp::Gt(_) => known::GT,
        BinOp::Ge(_) => known::GE,
        BinOp::Eq(_) => known::EQ,
        BinOp::Ne(_) => known::NE,
        _ => return None,
    })
}

/// Why an expression is refused, and what to write instead.
fn unsupported(expression: &Expr) -> &'static str {
    match &*expression.kind {
        ExprKind::Let(..) => refuse::LET_CONDITION,
        ExprKind::Infer => refuse::NO_VALUE_HERE,
        _ => refuse::EXPRESSION,
    }
}

/// Whether a path is that of a constant of floats in the standard library: `f64::EPSILON`, `std::f64::consts::PI`.
fn is_constant_of_floats(path: &Path) -> bool {
    const OF_TYPES: &[&str] = &["EPSILON", "INFINITY", "NEG_INFINITY", "MAX", "MIN", "MIN_POSITIVE", "NAN"];
    let names = path.segments();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let is_written = path.binding == Bound::Outside && path.path.qself.is_none();
    match names[..] {
        ["f64" | "f32", name] | ["std" | "core", "f64" | "f32", name] => is_written && OF_TYPES.contains(&name),
        ["f64" | "f32", "consts", _] | ["std" | "core", "f64" | "f32", "consts", _] => is_written,
        _ => false,
    }
}
