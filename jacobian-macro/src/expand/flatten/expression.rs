//! Expressions. The left spine of operators, method calls, fields and indices is followed by a loop, for it is as long
//! as the user's expression; all other recursion is as deep as the brackets nest, which the guard bounds.

use jacobian_core::catalogue::{Intrinsic, known};
use jacobian_core::code_list::Dialect;
use quote::{ToTokens, quote};
use syn::{BinOp, Expr, ExprBinary, ExprCast, ExprPath, ExprRepeat, Lit, Member, UnOp};

use super::super::shape::{Reader, Reading, Shape};
use super::code::Head;
use super::value::{INTO, Number, Passive, Value};
use super::{Flattener, element_of, emitted};

/// The most elements of an array in the function, those of the arrays in it included.
pub(super) const MAX_ELEMENTS: usize = 100_000;

/// Why a part of an output is refused.
const UNSET: &str =
    "this has no value here: an output is read after it is assigned; what it holds before is a parameter of its own";

impl Flattener<'_> {
    /// The value of an expression.
    pub(super) fn expression(&mut self, expression: &Expr) -> Value {
        let mut spine = Vec::new();
        let mut innermost = expression;
        while let Some(left) = leftmost(innermost) {
            spine.push(innermost);
            innermost = left;
        }
        if self.is_output(innermost) && !Self::is_read(&spine) {
            return self.refuse(
                innermost,
                "an output is read by its elements, or as a whole by `*`; here it would be passed on",
            );
        }
        let mut value = self.leaf(innermost);
        for outer in spine.into_iter().rev() {
            value = self.apply_to_left(outer, value);
        }
        value
    }

    /// The value of an expression whose leftmost part is `left`.
    fn apply_to_left(&mut self, expression: &Expr, left: Value) -> Value {
        self.expression_attributes(expression);
        match expression {
            Expr::Binary(binary) => match binary.op {
                BinOp::And(_) => self.lazy(Head::And, left, &binary.right, expression),
                BinOp::Or(_) => self.lazy(Head::Or, left, &binary.right, expression),
                _ => {
                    let [left, right] = self.both(left, &binary.right);
                    self.binary(binary, left, right)
                }
            },
            Expr::MethodCall(call) => self.method_call(call, left),
            Expr::Field(field) => {
                let part = self.field(field, left);
                self.assigned(part, field)
            }
            Expr::Index(index) => {
                let [left, place] = self.both(left, &index.index);
                let part = self.index(index, left, &place);
                self.assigned(part, index)
            }
            Expr::Cast(cast) => self.cast(cast, left),
            Expr::Unary(unary) => self.unary(unary, left),
            Expr::Reference(reference) => self.reference(reference, left),
            _ => left,
        }
    }

    /// A part of a variable, unless it is read before it is assigned.
    fn assigned(&mut self, part: Value, place: &impl ToTokens) -> Value {
        match part {
            Value::Unset => self.refuse(place, UNSET),
            part => part,
        }
    }

    fn leaf(&mut self, expression: &Expr) -> Value {
        self.expression_attributes(expression);
        match expression {
            Expr::Lit(literal) => Value::Passive(self.lit(&literal.lit)),
            Expr::Path(path) => self.path(path),
            Expr::Binary(binary) => self.op_assign(binary),
            Expr::Assign(assign) => {
                let value = self.expression(&assign.right);
                self.assign(&assign.left, value);
                Value::unit()
            }
            Expr::Call(call) => self.call(call),
            Expr::Array(array) => {
                let value = Value::Array(array.elems.iter().map(|element| self.element(element)).collect());
                self.limited(value, array)
            }
            Expr::Tuple(tuple) => {
                let value = Value::Tuple(tuple.elems.iter().map(|element| self.element(element)).collect());
                self.limited(value, tuple)
            }
            Expr::Repeat(repeat) => self.repeat(repeat),
            Expr::Block(block) if block.label.is_none() => self.block(&block.block),
            Expr::If(branch) => self.if_else(branch),
            Expr::Match(branch) => self.match_on(branch),
            Expr::Macro(expression) => self.macro_call(&expression.mac),
            other => self.refuse(other, unsupported(other)),
        }
    }

    /// An array or a tuple, unless it is too large: a few lines can name arrays that no memory holds.
    fn limited(&mut self, value: Value, place: &impl ToTokens) -> Value {
        match value.count() <= MAX_ELEMENTS {
            true => value,
            false => self.refuse(place, format!("an array of more than {MAX_ELEMENTS} elements is not supported")),
        }
    }

    /// The value of an expression and that of the one to the right of it.
    fn both(&mut self, left: Value, right: &Expr) -> [Value; 2] {
        let values = self.in_order(Some(left), [right]);
        values.try_into().unwrap_or([Value::Error, Value::Error])
    }

    /// An element of an array or a tuple: a statement of its own. What it calls is called whether the element is used or not.
    fn element(&mut self, expression: &Expr) -> Value {
        let value = self.expression(expression);
        self.frame.list.end_user_statement();
        match value {
            Value::Passive(passive) => Value::Passive(self.once(&passive)),
            value => value,
        }
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
            // Everything else is refused as a whole.
            _ => return,
        };
        self.lint_attributes(attributes);
    }

    fn lit(&mut self, literal: &Lit) -> Passive {
        let own = self.scalar.suffix();
        let number = match literal {
            Lit::Float(float) if float.suffix().is_empty() || Some(float.suffix()) == own => {
                Some(Number::Float(float.base10_digits().to_string()))
            }
            Lit::Int(int) if Some(int.suffix()) == own => Some(Number::Float(int.base10_digits().to_string())),
            Lit::Int(int) if !matches!(int.suffix(), "f32" | "f64") => int.base10_parse().ok().map(Number::Int),
            _ => None,
        };
        Passive::simple(literal.to_token_stream()).with_number(number)
    }

    pub(super) fn path(&mut self, path: &ExprPath) -> Value {
        let Some(ident) = path.path.get_ident().filter(|_| path.qself.is_none()) else {
            return Value::Passive(Passive::simple(path.to_token_stream()));
        };
        match self.scopes.find(ident).map(|binding| binding.value.clone()) {
            Some(Value::Unset) if self.is_output(&Expr::Path(path.clone())) => self.refuse(ident, UNSET),
            Some(Value::Unset) => self.refuse(ident, format!("`{ident}` has no value here")),
            Some(value) => value,
            None => Value::Passive(Passive::simple(ident.to_token_stream())),
        }
    }

    fn binary(&mut self, binary: &ExprBinary, left: Value, right: Value) -> Value {
        if left.is_error() || right.is_error() {
            return Value::Error;
        }
        if let (Some(left), Some(right)) = (left.to_passive(), right.to_passive()) {
            return Value::Passive(passive_operation(&binary.op, &left, &right));
        }
        if let Some(value) = self.vector_binary(binary, &left, &right) {
            return value;
        }
        match arithmetic(&binary.op).or_else(|| comparison(&binary.op)) {
            Some(intrinsic) => self.operation(intrinsic, (&left, &binary.left), (&right, &binary.right)),
            None => self.refuse(&binary.op, "this operator is not supported on active values"),
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

    /// `left op= right`. The right-hand side is evaluated first, as Rust does it for numbers.
    fn op_assign(&mut self, binary: &ExprBinary) -> Value {
        let Some(op) = operator_of_assignment(&binary.op) else {
            return self.refuse(binary, "this operator is not supported");
        };
        let right = self.expression(&binary.right);
        let left = self.expression(&binary.left);
        if left.is_error() {
            return Value::unit();
        }
        let operation = ExprBinary { op, ..binary.clone() };
        let value = self.binary(&operation, left, right);
        self.assign(&binary.left, value);
        Value::unit()
    }

    fn unary(&mut self, unary: &syn::ExprUnary, value: Value) -> Value {
        match (&unary.op, value) {
            (_, Value::Error) => Value::Error,
            (UnOp::Deref(_), value) => self.dereference(value),
            (op, value) if value.to_passive().is_some() => {
                let passive = value.to_passive().unwrap_or_else(|| Passive::simple(quote!()));
                let operand = passive.operand();
                let number = passive.number.filter(|_| matches!(op, UnOp::Neg(_))).and_then(negated);
                Value::Passive(Passive::compound(quote!(#op #operand)).with_number(number))
            }
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
        let Value::Passive(passive) = &value else { return value };
        let operand = passive.operand();
        let shape = match &passive.shape {
            Some(Shape::Reference(target)) => Some((**target).clone()),
            _ => None,
        };
        Value::Passive(Passive::compound(quote!(*#operand)).with_shape(shape).with_number(passive.number.clone()))
    }

    fn reference(&mut self, reference: &syn::ExprReference, value: Value) -> Value {
        if let Some(keyword) = &reference.mutability {
            return self.refuse(keyword, "mutable references are not supported; assign to the variable itself");
        }
        let passive = match (&value, value.to_passive()) {
            (Value::Passive(passive), _) => passive.clone(),
            (_, Some(aggregate)) => {
                let name = emitted(&quote::format_ident!("elements"));
                self.let_passive(&name, &aggregate, None)
            }
            _ => return value,
        };
        let operand = passive.operand();
        // What is used as a float behind the reference is one of this function's.
        let shape = passive.shape.unwrap_or(Shape::Float(self.scalar.clone()));
        let reference = Passive::compound(quote!(&#operand)).with_shape(Some(Shape::Reference(Box::new(shape))));
        Value::Passive(reference.with_number(passive.number))
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
        let Some(passive) = value.to_passive() else {
            return match own {
                true => value,
                false => self
                    .refuse(cast, "an active value cannot be converted to another type: its derivative would be lost"),
            };
        };
        let (operand, ty) = (passive.operand(), &cast.ty);
        let number = match passive.number {
            Some(Number::Int(value)) if own && value.abs() < 1 << 24 => Some(Number::Float(value.to_string())),
            Some(Number::Int(value)) if target.is_none() && (0..128).contains(&value) => Some(Number::Int(value)),
            _ => None,
        };
        Value::Passive(Passive::compound(quote!(#operand as #ty)).with_number(number))
    }

    fn field(&mut self, field: &syn::ExprField, value: Value) -> Value {
        match (&field.member, value) {
            (_, Value::Error) => Value::Error,
            (Member::Unnamed(index), Value::Tuple(elements)) => match elements.get(index.index as usize) {
                Some(element) => element.clone(),
                None => self.refuse(&field.member, format!("this tuple has {} elements", elements.len())),
            },
            (member, Value::Vector(vector)) => self.vector_field(member, &vector),
            (member, Value::Passive(passive)) => {
                let operand = passive.operand();
                Value::Passive(Passive::simple(quote!(#operand.#member)))
            }
            (_, Value::Into(_)) => self.refuse(&field.base, INTO),
            (member, _) => self.refuse(member, "a field of an active value is not supported"),
        }
    }

    fn index(&mut self, expression: &syn::ExprIndex, base: Value, index: &Value) -> Value {
        if base.is_error() && !matches!(base, Value::Array(_)) || index.is_error() {
            return Value::Error;
        }
        let place = &expression.index;
        if let (Value::Called(call), Some(at)) = (&base, index.as_int().and_then(|at| usize::try_from(at).ok())) {
            return self.called_element(*call, at, place);
        }
        if let Value::Vector(vector) = &base
            && (index.to_passive().is_none_or(|index| index.number.is_some()) || base.to_passive().is_none())
        {
            return self.vector_index(expression, vector, index);
        }
        match (&base, index.as_int()) {
            (Value::Array(elements), Some(at)) => match usize::try_from(at).ok().and_then(|at| elements.get(at)) {
                Some(element) => element.clone(),
                None => self.refuse(place, format!("the index {at} is out of range for an array of {}", elements.len())),
            },
            (Value::Passive(passive), Some(at)) if passive.is_array() && at >= 0 => element_of(passive, at as usize),
            (Value::Array(_) | Value::Vector(_) | Value::Passive(_), _) => match (base.to_passive(), index.to_passive()) {
                (Some(base), Some(index)) => {
                    let (operand, index) = (base.operand(), index.tokens());
                    Value::Passive(Passive::simple(quote!(#operand[#index])))
                }
                _ => self.refuse(place, "the index of an active array must be a number that is known here: a literal, or a `const` inside the function"),
            },
            (Value::Into(_), _) => self.refuse(&expression.expr, INTO),
            _ => self.refuse(place, "only arrays can be indexed"),
        }
    }

    fn repeat(&mut self, repeat: &ExprRepeat) -> Value {
        let value = self.expression(&repeat.expr);
        let length = self.expression(&repeat.len);
        match length.as_int() {
            Some(length) if (0..=(MAX_ELEMENTS / value.count().max(1)) as i128).contains(&length) => {
                let element = match &value {
                    Value::Passive(passive) if passive.number.is_none() => {
                        let name = emitted(&quote::format_ident!("element"));
                        Value::Passive(self.let_passive(&name, passive, None))
                    }
                    _ => value,
                };
                Value::Array(vec![element; length as usize])
            }
            Some(_) => {
                self.refuse(&repeat.len, format!("an array of more than {MAX_ELEMENTS} elements is not supported"))
            }
            None => match (value.to_passive(), length.to_passive()) {
                _ if value.is_error() || length.is_error() => Value::Error,
                (Some(element), Some(length)) => {
                    let (element, length) = (element.tokens(), length.tokens());
                    Value::Passive(Passive::simple(quote!([#element; #length])))
                }
                _ => self.refuse(
                    &repeat.len,
                    "the length of an active array must be a literal, or a `const` inside the function",
                ),
            },
        }
    }
}

/// The part of an expression that the loop over the spine goes on with.
fn leftmost(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::Binary(binary) if operator_of_assignment(&binary.op).is_none() => Some(&binary.left),
        Expr::MethodCall(call) => Some(&call.receiver),
        Expr::Field(field) => Some(&field.base),
        Expr::Index(index) => Some(&index.expr),
        Expr::Cast(cast) => Some(&cast.expr),
        Expr::Unary(unary) => Some(&unary.expr),
        Expr::Reference(reference) => Some(&reference.expr),
        Expr::Paren(paren) => Some(&paren.expr),
        Expr::Group(group) => Some(&group.expr),
        _ => None,
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

/// The operator behind `+=` and its like.
fn operator_of_assignment(op: &BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::AddAssign(token) => BinOp::Add(syn::Token![+](token.spans[0])),
        BinOp::SubAssign(token) => BinOp::Sub(syn::Token![-](token.spans[0])),
        BinOp::MulAssign(token) => BinOp::Mul(syn::Token![*](token.spans[0])),
        BinOp::DivAssign(token) => BinOp::Div(syn::Token![/](token.spans[0])),
        BinOp::RemAssign(token) => BinOp::Rem(syn::Token![%](token.spans[0])),
        BinOp::BitXorAssign(token) => BinOp::BitXor(syn::Token![^](token.spans[0])),
        BinOp::BitAndAssign(token) => BinOp::BitAnd(syn::Token![&](token.spans[0])),
        BinOp::BitOrAssign(token) => BinOp::BitOr(syn::Token![|](token.spans[0])),
        BinOp::ShlAssign(token) => BinOp::Shl(syn::Token![<<]([token.spans[0], token.spans[1]])),
        BinOp::ShrAssign(token) => BinOp::Shr(syn::Token![>>]([token.spans[0], token.spans[1]])),
        _ => return None,
    })
}

/// An operation on passive values, with its result where both are known integers.
fn passive_operation(op: &BinOp, left: &Passive, right: &Passive) -> Passive {
    let number = match (&left.number, &right.number) {
        (Some(Number::Int(left)), Some(Number::Int(right))) => match op {
            BinOp::Add(_) => left.checked_add(*right),
            BinOp::Sub(_) => left.checked_sub(*right),
            BinOp::Mul(_) => left.checked_mul(*right),
            BinOp::Div(_) => left.checked_div(*right),
            BinOp::Rem(_) => left.checked_rem(*right),
            _ => None,
        },
        _ => None,
    };
    let (left, right) = (left.operand(), right.operand());
    Passive::compound(quote!(#left #op #right)).with_number(number.map(Number::Int))
}

fn negated(number: Number) -> Option<Number> {
    match number {
        Number::Int(value) => value.checked_neg().map(Number::Int),
        Number::Float(digits) => Some(Number::Float(match digits.strip_prefix('-') {
            Some(magnitude) => magnitude.to_string(),
            None => format!("-{digits}"),
        })),
    }
}

/// Why an expression is refused, and what to write instead.
fn unsupported(expression: &Expr) -> &'static str {
    match expression {
        Expr::Async(_) | Expr::Await(_) => "asynchronous code is not supported in a differentiated function",
        Expr::Block(_) => "labelled blocks are not supported; remove the label",
        Expr::Break(_) | Expr::Continue(_) => "jumps are not supported; the function must be straight-line code",
        Expr::Closure(_) => "closures are not supported; write the operations out",
        Expr::Const(_) => "`const` blocks are not supported; bind a `const` item",
        Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => "loops are not supported; write the iterations out",
        Expr::Let(_) => "`let` in a condition is supported as `if let` alone; nest the conditions",
        Expr::Infer(_) => "`_` is no value here",
        Expr::Range(_) => "ranges are not supported; take elements at known indices",
        Expr::RawAddr(_) => "raw pointers are not supported; use references",
        Expr::Return(_) => {
            "`return` is supported at the end of the function and of branches in it, one arm of which goes on; write `else` otherwise"
        }
        Expr::Struct(_) => "struct values are not supported; use arrays or tuples",
        Expr::Try(_) | Expr::TryBlock(_) => "error propagation is not supported; return floats",
        Expr::Unsafe(_) => "`unsafe` blocks are not supported; take their value as a parameter",
        Expr::Yield(_) => "`yield` is not supported",
        _ => "this expression is not supported; use `let`, arithmetic, and the methods of floats",
    }
}
