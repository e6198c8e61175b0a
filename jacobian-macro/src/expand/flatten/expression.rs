//! Expressions. The left spine of operators, method calls, fields and indices is followed by a loop, for it is as long
//! as the user's expression; all other recursion is as deep as the brackets nest, which the guard bounds.

use std::rc::Rc;

use jacobian_core::catalogue::{Intrinsic, known};
use jacobian_core::code_list::Dialect;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{BinOp, Expr, ExprBinary, ExprCast, ExprPath, ExprRepeat, Lit, Member, Token, UnOp};

use super::super::shape::{Reader, Reading, Shape};
use super::assign::operator_of_assignment;
use super::call::unwrapped;
use super::code::Head;
use super::expected::Expected;
use super::number::Number;
use super::scope::each_identifier;
use super::statement::REFERENCE;
use super::value::{Elements, INTO, Passive, Value};
use super::{Flattener, OperandRole, emitted};

/// The most elements of an array in the function, those of the arrays in it included.
pub(super) const MAX_ELEMENTS: usize = 100_000;

/// The deepest nesting of arrays and tuples.
const MAX_DEPTH: usize = 64;

/// Why a part of an output is refused.
const UNSET: &str =
    "this has no value here: an output is read after it is assigned; what it holds before is a parameter of its own";

/// The deepest nesting of expressions, counted through the calls of closures. Without these, the guard before the parser
/// allows a little less.
const MAX_NESTING: usize = 160;

impl Flattener<'_> {
    /// The value of an expression.
    pub(super) fn expression(&mut self, expression: &Expr) -> Value {
        let expected = std::mem::take(&mut self.expected);
        if self.depth == MAX_NESTING {
            return self.refuse(
                expression,
                "this nests too deeply, together with the closures that lead here; bind parts of it with `let`",
            );
        }
        self.depth += 1;
        let value = self.evaluate(expression, expected);
        self.depth -= 1;
        value
    }

    fn evaluate(&mut self, expression: &Expr, expected: Expected) -> Value {
        let mut spine = Vec::new();
        let mut innermost = expression;
        while let Some(left) = self.leftmost(innermost) {
            spine.push(innermost);
            innermost = left;
        }
        if self.is_output(innermost) && !Self::is_read(&spine) {
            return self.refuse(
                innermost,
                "an output is read by its elements, or as a whole by `*`; here it would be passed on",
            );
        }
        if !self.takes(1 + spine.len()) {
            return Value::Error;
        }
        let is_bracketed = |outer: &&Expr| matches!(outer, Expr::Paren(_) | Expr::Group(_));
        let (mut value, last) = match spine.iter().all(is_bracketed) {
            true => (self.leaf(innermost, expected), Expected::Anything),
            false => (self.leaf(innermost, Expected::Anything), expected),
        };
        for (index, outer) in spine.into_iter().enumerate().rev() {
            value = self.apply_to_left(outer, value, if index == 0 { &last } else { &Expected::Anything });
        }
        value
    }

    /// The part of an expression that the loop over the spine goes on with.
    fn leftmost<'e>(&self, expression: &'e Expr) -> Option<&'e Expr> {
        match expression {
            Expr::Binary(binary) if operator_of_assignment(&binary.op).is_none() => Some(&binary.left),
            Expr::MethodCall(call) if !self.is_mutating(call) => Some(&call.receiver),
            Expr::Field(field) => Some(&field.base),
            Expr::Index(index) => Some(&index.expr),
            Expr::Cast(cast) => Some(&cast.expr),
            Expr::Unary(unary) => Some(&unary.expr),
            Expr::Reference(reference) if reference.mutability.is_none() => Some(&reference.expr),
            Expr::Paren(paren) => Some(&paren.expr),
            Expr::Group(group) => Some(&group.expr),
            _ => None,
        }
    }

    /// The value of an expression whose leftmost part is `left`.
    fn apply_to_left(&mut self, expression: &Expr, left: Value, expected: &Expected) -> Value {
        self.expression_attributes(expression);
        match expression {
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.logical(expression, binary, left)
            }
            Expr::Binary(binary) => {
                // Operands of comparisons stay where they are; those of arithmetic are copied.
                let role = if arithmetic(&binary.op).is_some() { OperandRole::Value } else { OperandRole::Place };
                let [left, right] = self.both(left, role, &binary.right);
                self.binary(binary, left, right)
            }
            Expr::MethodCall(call) => self.method_call(call, left, expected),
            Expr::Field(field) => {
                let part = self.field(field, left);
                self.assigned(part, field)
            }
            Expr::Index(index) => {
                let [left, place] = self.both(left, OperandRole::Place, &index.index);
                let part = self.index(index, left, &place);
                self.assigned(part, index)
            }
            Expr::Cast(cast) => self.cast(cast, left),
            Expr::Unary(unary) => self.unary(unary, left),
            Expr::Reference(_) => self.shared(left),
            _ => left,
        }
    }

    /// A part of a variable, unless it is read before it is assigned.
    pub(super) fn assigned(&mut self, part: Value, place: &impl ToTokens) -> Value {
        match part {
            Value::Unset => self.refuse(place, UNSET),
            part => part,
        }
    }

    /// `left && right` or `left || right`: the right-hand side is evaluated only if it decides.
    fn logical(&mut self, whole: &Expr, binary: &ExprBinary, left: Value) -> Value {
        let decides = matches!(binary.op, BinOp::Or(_));
        match left.as_bool() {
            Some(known) if known == decides => left,
            Some(_) => self.expression(&binary.right),
            None => self.lazy(if decides { Head::Or } else { Head::And }, left, &binary.right, whole),
        }
    }

    fn leaf(&mut self, expression: &Expr, expected: Expected) -> Value {
        self.expression_attributes(expression);
        match expression {
            Expr::Lit(literal) => Value::Passive(self.lit(&literal.lit)),
            Expr::Path(path) => self.path(path),
            Expr::Binary(binary) => self.op_assign(binary),
            Expr::Assign(assign) => self.assignment(assign),
            Expr::Call(call) => self.call(call, &expected),
            Expr::MethodCall(call) => self.mutating_method(call),
            Expr::Array(array) => {
                let mut elements = self.elements_in_order(&array.elems, &expected);
                if elements.iter().any(|element| self.is_float(element)) {
                    elements.iter_mut().for_each(|element| self.make_float(element));
                }
                let value = self.limited(Value::Array(elements), array);
                self.tied(value)
            }
            Expr::Tuple(tuple) => {
                let elements = self.elements_in_order(&tuple.elems, &expected);
                self.limited(Value::Tuple(elements), tuple)
            }
            Expr::Repeat(repeat) => self.repeat(repeat),
            Expr::Macro(expression) => self.macro_call(&expression.mac),
            Expr::Range(range) => self.range(range),
            Expr::Closure(closure) => self.closure(closure),
            Expr::Reference(reference) => self.mutable_reference(reference),
            other => self.control_flow(other, expected),
        }
    }

    /// Blocks, and expressions that say where control goes.
    fn control_flow(&mut self, expression: &Expr, expected: Expected) -> Value {
        match expression {
            Expr::Block(block) => match &block.label {
                Some(label) => self.labelled_block(label, &block.block, expected),
                None => self.block_of(&block.block, expected),
            },
            Expr::If(branch) => self.if_expression(branch, expected),
            Expr::Match(branch) => self.match_expression(branch, expected),
            Expr::ForLoop(repetition) => self.for_loop(repetition),
            Expr::Break(jump) => self.break_out(jump),
            Expr::Continue(jump) => self.continue_with(jump),
            Expr::Return(jump) => self.return_from(jump),
            Expr::Verbatim(_) => self.end_of_trip(expression),
            other => self.refuse(other, unsupported(other)),
        }
    }

    /// An array or a tuple, unless it is too large: a few lines can name arrays that no memory holds.
    pub(super) fn limited(&mut self, value: Value, place: &impl ToTokens) -> Value {
        let (count, depth) = value.extent();
        self.takes(count);
        if count > MAX_ELEMENTS {
            return self.refuse(place, format!("an array of more than {MAX_ELEMENTS} elements is not supported"));
        }
        if depth > MAX_DEPTH {
            return self.refuse(place, format!("arrays and tuples nest at most {MAX_DEPTH} deep here"));
        }
        value
    }

    /// The value of an expression and that of the one to the right of it.
    fn both(&mut self, left: Value, role: OperandRole, right: &Expr) -> [Value; 2] {
        let values = self.in_order(Some((left, role)), [right]);
        values.try_into().unwrap_or([Value::Error, Value::Error])
    }

    /// The elements of an array or a tuple: each is a statement of its own. What they call is called whether they are used
    /// or not.
    fn elements_in_order(&mut self, expressions: &Punctuated<Expr, Token![,]>, expected: &Expected) -> Elements {
        let mut values = Vec::new();
        for (index, expression) in expressions.iter().enumerate() {
            let value = match self.expected(expression, expected.element(index)) {
                Value::Passive(passive) => Value::Passive(self.once(&passive)),
                Value::Closure(_) => {
                    self.refuse(expression, "a closure can be bound by `let` or be an argument, nothing else")
                }
                Value::Mutable(_) => self.refuse(expression, REFERENCE),
                value => value,
            };
            self.frame.list.end_user_statement();
            values.push(self.evaluated_here(value, OperandRole::Value, index + 1 < expressions.len()));
        }
        self.evaluated_in_order(values).into()
    }

    fn expression_attributes(&mut self, expression: &Expr) {
        let attributes = match expression {
            Expr::Lit(e) => &e.attrs,
            Expr::Path(e) => &e.attrs,
            Expr::Binary(e) => &e.attrs,
            Expr::Assign(e) => &e.attrs,
            Expr::Call(e) => &e.attrs,
            Expr::Array(e) => &e.attrs,
            Expr::Tuple(e) => &e.attrs,
            Expr::Repeat(e) => &e.attrs,
            Expr::Block(e) => &e.attrs,
            Expr::If(e) => &e.attrs,
            Expr::Match(e) => &e.attrs,
            Expr::MethodCall(e) => &e.attrs,
            Expr::Field(e) => &e.attrs,
            Expr::Index(e) => &e.attrs,
            Expr::Cast(e) => &e.attrs,
            Expr::Unary(e) => &e.attrs,
            Expr::Reference(e) => &e.attrs,
            Expr::Paren(e) => &e.attrs,
            Expr::Group(e) => &e.attrs,
            Expr::Macro(e) => &e.attrs,
            Expr::Range(e) => &e.attrs,
            Expr::Closure(e) => &e.attrs,
            Expr::ForLoop(e) => &e.attrs,
            Expr::Break(e) => &e.attrs,
            Expr::Continue(e) => &e.attrs,
            Expr::Return(e) => &e.attrs,
            // Everything else is refused as a whole.
            _ => return,
        };
        self.lint_attributes(attributes);
    }

    fn lit(&mut self, literal: &Lit) -> Passive {
        let written = Passive::simple(literal.to_token_stream());
        match self.literal_number(literal) {
            Some(number) => self.known(number, written),
            None => written,
        }
    }

    pub(super) fn path(&mut self, path: &ExprPath) -> Value {
        let Some(ident) = path.path.get_ident().filter(|_| path.qself.is_none()) else {
            let written = Passive::simple(path.to_token_stream());
            return Value::Passive(match self.known_path(path) {
                Some(number) => self.known(number, written),
                None => written,
            });
        };
        match self.scopes.find(ident).map(|binding| binding.value.clone()) {
            Some(Value::Unset) if self.is_output(&Expr::Path(path.clone())) => self.refuse(ident, UNSET),
            Some(Value::Unset) => self.refuse(ident, format!("`{ident}` has no value here")),
            Some(value) => value,
            None => {
                let written = Passive::simple(ident.to_token_stream());
                match self.module_constant(ident) {
                    Some(Value::Passive(Passive { number: Some(number), .. })) => {
                        Value::Passive(self.known(number, written))
                    }
                    Some(value @ (Value::Array(_) | Value::Tuple(_))) => value,
                    _ => Value::Passive(written),
                }
            }
        }
    }

    pub(super) fn binary(&mut self, binary: &ExprBinary, left: Value, right: Value) -> Value {
        self.operated(&binary.op, (left, &binary.left), (right, &binary.right), binary)
    }

    /// The result of an operator on two values, written at `whole`.
    pub(super) fn operated(
        &mut self,
        op: &BinOp,
        (left, left_place): (Value, &Expr),
        (right, right_place): (Value, &Expr),
        whole: &impl ToTokens,
    ) -> Value {
        if left.is_error() || right.is_error() {
            return Value::Error;
        }
        if let (Some(left), Some(right)) = (left.to_passive(), right.to_passive()) {
            return self.passive_operation(op, &left, &right, whole);
        }
        if let Some(value) = self.vector_operated(op, (&left, left_place), (&right, right_place)) {
            return value;
        }
        match arithmetic(op).or_else(|| comparison(op)) {
            Some(intrinsic) => self.operation(intrinsic, (&left, left_place), (&right, right_place)),
            None => self.refuse(op, "this operator is not supported on active values"),
        }
    }

    /// An arithmetic operation with an active operand.
    fn operation(&mut self, intrinsic: Intrinsic, left: (&Value, &Expr), right: (&Value, &Expr)) -> Value {
        let (left, right) = (self.float(left.0, left.1), self.float(right.0, right.1));
        match (left, right) {
            (Some(left), Some(right)) => self.apply(intrinsic, Dialect::default(), &[left, right]),
            _ => Value::Error,
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary, value: Value) -> Value {
        match (&unary.op, value) {
            (_, Value::Error) => Value::Error,
            (UnOp::Deref(_), value) => self.dereference(value),
            (_, value) if value.is_passive() => match value.to_passive() {
                Some(passive) => self.passive_unary(unary, &passive),
                None => Value::Error,
            },
            (UnOp::Neg(_), Value::Vector(vector)) => self.vector_negation(&vector, &unary.expr),
            (UnOp::Neg(_), value) => match self.float(&value, &unary.expr) {
                Some(id) => self.negate(id),
                None => Value::Error,
            },
            (UnOp::Not(_), value @ Value::Condition(_)) => match self.condition(&value, &unary.expr) {
                Some(id) => self.apply(known::NOT, Dialect::default(), &[id]),
                None => Value::Error,
            },
            (op, _) => self.refuse(op, "this operator is not supported on active values"),
        }
    }

    /// What a reference refers to. References to active values stand for these.
    pub(super) fn dereference(&mut self, value: Value) -> Value {
        let passive = match value {
            Value::Passive(passive) => passive,
            Value::Reference(target) => return (*target).clone(),
            Value::Mutable(place) => return self.read(&place),
            value => return value,
        };
        let operand = passive.operand();
        let shape = match &passive.shape {
            Some(Shape::Reference(target)) => Some((**target).clone()),
            _ => None,
        };
        let target = Passive::compound(quote!(*#operand)).with_shape(shape);
        Value::Passive(match passive.number {
            Some(number @ Number::Table(_)) => target.with_number(Some(number)),
            Some(number) => self.known(number, target),
            None => target,
        })
    }

    /// A reference to a value.
    pub(super) fn shared(&mut self, value: Value) -> Value {
        match value {
            Value::Passive(passive) => {
                let operand = passive.operand();
                // What is used as a float behind the reference is one of this function's.
                let shape = passive.shape.unwrap_or(Shape::Float(self.scalar.clone()));
                let reference =
                    Passive::compound(quote!(&#operand)).with_shape(Some(Shape::Reference(Box::new(shape))));
                Value::Passive(reference.with_number(passive.number))
            }
            aggregate @ (Value::Array(_) | Value::Tuple(_) | Value::Reference(_)) => {
                Value::Reference(Rc::new(aggregate))
            }
            Value::Mutable(place) => {
                let target = self.read(&place);
                self.shared(target)
            }
            value => value,
        }
    }

    /// `&mut place`: what a loop goes over, or an argument of a closure.
    fn mutable_reference(&mut self, reference: &syn::ExprReference) -> Value {
        if self.inline.is_some() {
            return self.refuse(reference, REFERENCE);
        }
        match unwrapped(&reference.expr) {
            closure @ Expr::Closure(_) => self.expression(closure),
            Expr::Index(index) if matches!(unwrapped(&index.index), Expr::Range(_)) => self.mutable_slice(index),
            target => match self.place(target) {
                Some(place) => match self.read(&place) {
                    referred @ (Value::Closure(_) | Value::Mutable(_)) => referred,
                    _ => Value::Mutable(place),
                },
                None => Value::Error,
            },
        }
    }

    fn cast(&mut self, cast: &ExprCast, value: Value) -> Value {
        if value.is_error() {
            return Value::Error;
        }
        let target = match Reader::of(&self.scalar).read(&cast.ty) {
            Reading::Floats(Shape::Float(scalar)) => Some(scalar),
            _ => None,
        };
        let own = target.as_ref() == Some(&self.scalar);
        match value.to_passive() {
            Some(passive) => Value::Passive(self.passive_cast(&passive, &cast.ty, own)),
            None if own => value,
            None => {
                self.refuse(cast, "an active value cannot be converted to another type: its derivative would be lost")
            }
        }
    }

    fn field(&mut self, field: &syn::ExprField, value: Value) -> Value {
        match (&field.member, value) {
            (_, Value::Error) => Value::Error,
            (Member::Unnamed(index), Value::Tuple(elements)) => match elements.get(index.index as usize) {
                Some(element) => element.clone(),
                None => self.refuse(&field.member, format!("this tuple has {} elements", elements.len())),
            },
            (member, Value::Vector(vector)) => self.vector_field(member, &vector),
            (_, Value::Mutable(place)) => {
                let target = self.read(&place);
                self.field(field, target)
            }
            (_, Value::Reference(target)) => self.field(field, (*target).clone()),
            (member, Value::Passive(passive)) => {
                let operand = passive.operand();
                Value::Passive(Passive::simple(quote!(#operand.#member)))
            }
            (_, Value::Into(_)) => self.refuse(&field.base, INTO),
            (member, _) => self.refuse(member, "a field of an active value is not supported"),
        }
    }

    fn repeat(&mut self, repeat: &ExprRepeat) -> Value {
        let value = self.expression(&repeat.expr);
        let length = self.expression(&repeat.len);
        if value.is_error() || length.is_error() {
            return Value::Error;
        }
        match length.as_int() {
            Some(length) if (0..=(MAX_ELEMENTS / value.extent().0.max(1)) as i128).contains(&length) => {
                let element = match &value {
                    Value::Passive(passive) if passive.number.is_none() => {
                        let name = emitted(&quote::format_ident!("element"));
                        Value::Passive(self.let_passive(&name, passive, None))
                    }
                    _ => value,
                };
                self.limited(Value::Array(vec![element; length as usize].into()), repeat)
            }
            Some(_) => {
                self.refuse(&repeat.len, format!("an array of more than {MAX_ELEMENTS} elements is not supported"))
            }
            None => match (value.to_passive(), length.to_passive()) {
                (Some(element), Some(length)) => {
                    let (element, length) = (element.tokens(), length.tokens());
                    Value::Passive(Passive::simple(quote!([#element; #length])))
                }
                _ => {
                    let message =
                        self.not_known("the length of an active array must be known here", &repeat.len, &length);
                    self.refuse(&repeat.len, message)
                }
            },
        }
    }

    /// Why what `expression` says is not known, and what to write instead.
    pub(super) fn not_known(&self, what: &str, expression: &Expr, value: &Value) -> String {
        if value.lacks_type() {
            return format!(
                "{what}, but the type of an integer in it is not, and in some types it overflows; write the type, as in `1_usize`"
            );
        }
        let mut outside = None;
        each_identifier(expression.to_token_stream(), &mut |ident| {
            let is_constant = ident.to_string().starts_with(char::is_uppercase) && self.scopes.number(&ident).is_none();
            outside = outside.take().or(is_constant.then_some(ident));
        });
        match outside {
            Some(ident) => format!(
                "{what}, but a macro cannot read `{ident}`, which is not declared in the function's body; declare a `const` \
                 there or in a module with `#[jacobian]`, or write the number"
            ),
            None => format!(
                "{what}: literals are, and `const`s inside the function, the indices of loops, lengths of arrays, and \
                 arithmetic on these"
            ),
        }
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
pub(super) fn unsupported(expression: &Expr) -> &'static str {
    match expression {
        Expr::Async(_) | Expr::Await(_) => "asynchronous code is not supported in a differentiated function",
        Expr::Const(_) => "`const` blocks are not supported; bind a `const` item",
        Expr::While(_) | Expr::Loop(_) => {
            "only `for` loops are supported, over arrays and over ranges of known bounds; write `for _ in 0..n` with a known \
             bound, and `break` where a condition that is known is met"
        }
        Expr::Let(_) => "`let` in a condition is supported as `if let` alone; nest the conditions",
        Expr::Infer(_) => "`_` is no value here",
        Expr::RawAddr(_) => "raw pointers are not supported; use references",
        Expr::Struct(_) => "struct values are not supported; use arrays or tuples",
        Expr::Try(_) | Expr::TryBlock(_) => "error propagation is not supported; return floats",
        Expr::Unsafe(_) => "`unsafe` blocks are not supported; take their value as a parameter",
        Expr::Yield(_) => "`yield` is not supported",
        _ => "this expression is not supported; use `let`, arithmetic, and the methods of floats",
    }
}
