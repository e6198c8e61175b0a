//! What is computed when the function is expanded: operators, casts and methods of numbers that are known. A result is known
//! if it is surely that of the compiled program.

use quote::quote;
use syn::{BinOp, Lit, UnOp};

use jacobian_core::code_list::Precision;

use super::super::read::scalar::Scalar;
use super::super::syntax::{Binding, Expr, ExprKind, Method as MethodCall, Path, Placed, Type};
use super::Lowering;
use super::integer::{self, Method, Outcome, ResultType, TypeId, Types};
use super::number::{Int, Number, float_literal, integer_type};
use super::value::{Passive, Value};

/// What is known of the result of an operation.
enum Known {
    Is(Number),
    Nothing,
    /// It would be known if the type of an integer were.
    Untyped,
    /// The program panics or wraps: why.
    Fails(String),
}

impl Lowering<'_> {
    /// An operation on passive values.
    pub(super) fn passive_operation(
        &mut self,
        op: &BinOp,
        left: &Passive,
        right: &Passive,
        whole: &impl Placed,
    ) -> Value {
        let written = Passive::infix(left, op, right, symbol(op).1);
        let known = match (&left.number, &right.number) {
            (Some(left), Some(right)) => self.known_operation(symbol(op).0, left, right),
            (left_number, right_number) => {
                let is_plain = |passive: &Passive, number: &Option<Number>| passive.lacks_type || number.is_some();
                match (left.lacks_type || right.lacks_type)
                    && is_plain(left, left_number)
                    && is_plain(right, right_number)
                {
                    true => Known::Untyped,
                    false => Known::Nothing,
                }
            }
        };
        self.passive_result(known, written, whole)
    }

    /// The result of an operation on passive values, which was written as `written`.
    fn passive_result(&mut self, known: Known, written: Passive, place: &impl Placed) -> Value {
        match known {
            Known::Is(number) => Value::Passive(self.known(number, written)),
            // What may not be evaluated fails only if it is.
            Known::Fails(why) if self.inline.is_none() => self.refuse(place, why),
            Known::Untyped => Value::Passive(written.lacking_type(true)),
            _ => Value::Passive(written),
        }
    }

    fn known_operation(&mut self, symbol: &str, left: &Number, right: &Number) -> Known {
        match (left, right) {
            (Number::Int(left), Number::Int(right)) => self.integer_operation(symbol, *left, *right),
            (Number::Bool(left), Number::Bool(right)) => {
                let (left, right) = (*left, *right);
                Known::Is(Number::Bool(match symbol {
                    "&" | "&&" => left & right,
                    "|" | "||" => left | right,
                    "^" => left ^ right,
                    symbol => return compared(symbol, left.cmp(&right)),
                }))
            }
            _ => Known::Nothing,
        }
    }

    fn integer_operation(&mut self, symbol: &str, left: Int, right: Int) -> Known {
        let is_shift = matches!(symbol, "<<" | ">>");
        let common = if is_shift { Some(left.ty) } else { self.types.unify(left.ty, right.ty) };
        let Some(ty) = common else { return Known::Nothing };
        let Some(operation) = integer::operator(symbol) else {
            return compared(symbol, left.value.cmp(&right.value));
        };
        let types = self.types.get(ty);
        match types.evaluate(|ty| operation(ty, left.value, right.value, 0)) {
            Outcome::Is(value) => Known::Is(Number::Int(Int { value, ty })),
            Outcome::Unclear => self.unclear(ty),
            Outcome::Overflows => Known::Fails(failure(&format!("`{} {symbol} {}`", left.value, right.value), types)),
        }
    }

    /// `-operand` or `!operand`.
    pub(super) fn passive_unary(&mut self, whole: &Expr, op: &UnOp, place: &Expr, operand: &Passive) -> Value {
        let written = operand.operand();
        let written = Passive::operation(quote!(#op #written));
        // The least value of a type is written as minus a value that the type does not have.
        let negative = matches!(op, UnOp::Neg(_)).then(|| self.negative_literal(place)).flatten();
        let known = match (negative, &operand.number, op) {
            (Some(number), ..) => Known::Is(number),
            (_, Some(Number::Int(int)), UnOp::Neg(_)) => self.integer_unary("-", *int),
            (_, Some(Number::Int(int)), UnOp::Not(_)) => self.integer_unary("!", *int),
            (_, Some(Number::Bool(value)), UnOp::Not(_)) => Known::Is(Number::Bool(!value)),
            (_, None, _) if operand.lacks_type => Known::Untyped,
            (_, Some(Number::Float(digits)), UnOp::Neg(_)) => Known::Is(Number::Float(negated(digits))),
            _ => Known::Nothing,
        };
        self.passive_result(known, written, whole)
    }

    fn negative_literal(&mut self, operand: &Expr) -> Option<Number> {
        let ExprKind::Literal(Lit::Int(int)) = &*operand.kind else { return None };
        let is_int = int.suffix().is_empty() || Types::named(int.suffix()).is_some();
        let number =
            self.literal_int(operand, &format!("-{}", int.base10_digits()), int.suffix()).filter(|_| is_int)?;
        let ty = number.as_int()?.ty;
        self.types.narrow(ty, Types::all().signed()).then_some(number)
    }

    fn integer_unary(&mut self, symbol: &str, int: Int) -> Known {
        let operation = if symbol == "-" { integer::negation } else { integer::complement };
        if symbol == "-" && !self.types.narrow(int.ty, Types::all().signed()) {
            return Known::Nothing;
        }
        let types = self.types.get(int.ty);
        match types.evaluate(|ty| operation(ty, int.value)) {
            Outcome::Is(value) => Known::Is(Number::Int(Int { value, ty: int.ty })),
            Outcome::Unclear => self.unclear(int.ty),
            Outcome::Overflows => Known::Fails(failure(&format!("`{symbol}({})`", int.value), types)),
        }
    }

    /// `operand as ty`.
    pub(super) fn passive_cast(&mut self, operand: &Passive, ty: &Type, own_float: bool) -> Passive {
        let tokens = operand.operand();
        let written_type = self.written_type(ty);
        let written = Passive::operation(quote!(#tokens as #written_type)).lacking_type(operand.lacks_type);
        let value = match &operand.number {
            Some(Number::Int(int)) => int.value,
            Some(Number::Bool(value)) => i128::from(*value),
            _ => return written,
        };
        if let (true, Scalar::Primitive(precision)) = (own_float, &self.scalar) {
            let digits = match precision {
                Precision::F32 => format!("{:?}", value as f32),
                _ => format!("{:?}", value as f64),
            };
            return float_literal(&digits, *precision, &self.scalar);
        }
        let Some(types) = integer_type(ty) else { return written };
        match types.evaluate(|ty| ty.wrap(Some(value))) {
            Outcome::Is(value) => {
                let number = self.int(value, types);
                self.known(number, written)
            }
            _ => written,
        }
    }

    /// A method of a known integer, where it is one that is evaluated here.
    pub(super) fn known_method(
        &mut self,
        whole: &Expr,
        call: &MethodCall,
        receiver: &Passive,
        args: &[Passive],
    ) -> Option<Value> {
        let (tokens, name, arguments) = (receiver.operand(), &call.name, args.iter().map(Passive::tokens));
        let written = Passive::simple(quote!(#tokens.#name(#(#arguments),*)));
        match call.turbofish {
            Some(_) => None,
            None => self.method_of_int(&name.to_string(), receiver, args, written, whole),
        }
    }

    /// A function of known integers, by a path such as `i32::pow` or `core::cmp::min`.
    pub(super) fn known_function(&mut self, path: &Path, args: &[Value]) -> Option<Value> {
        let is_std = matches!(path.binding, Binding::Outside | Binding::Import(_)) && path.path.qself.is_none();
        if !is_std {
            return None;
        }
        let names: Vec<_> = path.path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let (types, name) = match names[..] {
            ["core" | "std", "cmp", name @ ("min" | "max")] | ["cmp", name @ ("min" | "max")] => (Types::all(), name),
            [ty, name] => (Types::named(ty)?, name),
            _ => return None,
        };
        let args = args.iter().map(Value::to_passive).collect::<Option<Vec<_>>>()?;
        let (receiver, others) = args.split_first()?;
        let tokens = args.iter().map(Passive::tokens);
        let callee = &path.path;
        let written = Passive::simple(quote!(#callee(#(#tokens),*)));
        if let ("from", [], Some(Number::Bool(value))) = (name, others, &receiver.number) {
            let number = self.int((*value).into(), types);
            return Some(Value::Passive(self.known(number, written)));
        }
        let is_possible = self.types.narrow(receiver.number.as_ref()?.as_int()?.ty, types);
        is_possible.then(|| self.method_of_int(name, receiver, others, written, path)).flatten()
    }

    /// `i32::MAX` and its like.
    pub(super) fn known_path(&mut self, path: &Path) -> Option<Number> {
        if path.binding != Binding::Outside || path.path.qself.is_some() {
            return None;
        }
        let names: Vec<_> = path.path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let [ty, name] = &names[..] else { return None };
        let types = Types::named(ty)?;
        let value = types.only()?.constant(name)?;
        let types = if name == "BITS" { Types::named("u32")? } else { types };
        Some(self.int(value, types))
    }

    fn method_of_int(
        &mut self,
        name: &str,
        receiver: &Passive,
        args: &[Passive],
        written: Passive,
        place: &impl Placed,
    ) -> Option<Value> {
        let int = receiver.number.as_ref()?.as_int()?;
        let method = Method::find(name).filter(|method| method.arguments.len() == args.len())?;
        let mut values = [0; 2];
        for ((kind, arg), value) in method.arguments.bytes().zip(args).zip(&mut values) {
            let arg = arg.number.as_ref()?.as_int()?;
            *value = arg.value;
            if kind == b'=' {
                self.types.unify(int.ty, arg.ty)?;
            }
        }
        let types = self.types.get(int.ty);
        let outcome = types.evaluate(|ty| (method.operation)(ty, int.value, values[0], values[1]));
        let known = match outcome {
            Outcome::Is(value) => Known::Is(self.method_result(method.result, value, int.ty)),
            Outcome::Unclear => {
                self.unclear(int.ty);
                return None;
            }
            Outcome::Overflows => Known::Fails(failure(&format!("`{name}` of {}", int.value), types)),
        };
        Some(self.passive_result(known, written, place))
    }

    /// What is known where the result depends on this type or on the target.
    fn unclear(&mut self, ty: TypeId) -> Known {
        self.literals.open.need(ty);
        match self.types.get(ty).only() {
            Some(_) => Known::Nothing,
            None => Known::Untyped,
        }
    }

    fn method_result(&mut self, result: ResultType, value: i128, receiver: TypeId) -> Number {
        match result {
            ResultType::Same => Number::Int(Int { value, ty: receiver }),
            ResultType::Bool => Number::Bool(value != 0),
            other => {
                let types = other.types(self.types.get(receiver));
                self.int(value, types)
            }
        }
    }
}

/// Minus a float.
fn negated(digits: &str) -> String {
    digits.strip_prefix('-').map_or_else(|| format!("-{digits}"), str::to_string)
}

fn compared(symbol: &str, order: std::cmp::Ordering) -> Known {
    Known::Is(Number::Bool(match symbol {
        "==" => order.is_eq(),
        "!=" => order.is_ne(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        _ => return Known::Nothing,
    }))
}

fn failure(what: &str, types: Types) -> String {
    let ty = types.only().map_or("its type".to_string(), |ty| format!("`{}`", ty.name));
    format!("{what} has no value in {ty}: the function would panic or wrap around here")
}

/// An operator on values, and how closely it binds; comparisons do not go on to the right.
fn symbol(op: &BinOp) -> (&'static str, u8) {
    match op {
        BinOp::Mul(_) => ("*", 8),
        BinOp::Div(_) => ("/", 8),
        BinOp::Rem(_) => ("%", 8),
        BinOp::Add(_) => ("+", 7),
        BinOp::Sub(_) => ("-", 7),
        BinOp::Shl(_) => ("<<", 6),
        BinOp::Shr(_) => (">>", 6),
        BinOp::BitAnd(_) => ("&", 5),
        BinOp::BitXor(_) => ("^", 4),
        BinOp::BitOr(_) => ("|", 3),
        BinOp::And(_) => ("&&", 2),
        BinOp::Or(_) => ("||", 1),
        BinOp::Eq(_) => ("==", 0),
        BinOp::Ne(_) => ("!=", 0),
        BinOp::Lt(_) => ("<", 0),
        BinOp::Le(_) => ("<=", 0),
        BinOp::Gt(_) => (">", 0),
        BinOp::Ge(_) => (">=", 0),
        _ => ("", 0),
    }
}
