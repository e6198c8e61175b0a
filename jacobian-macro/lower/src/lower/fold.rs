//! What is computed when the function is expanded: operators, casts and methods of numbers that are known. A result is
//! known if it is surely that of the compiled program.

use quote::quote;
use syn::{BinOp, UnOp};

use jacobian_list::code_list::Precision;

use super::super::read::scalar::Scalar;
use super::super::read::shape::Shape;
use super::super::syntax::{Binding, Expr, Method as MethodCall, Path, Placed, Type};
use super::Lowering;
use super::control::Flow;
use super::numbers::evaluate::Known;
use super::numbers::integer::{Outcome, Types};
use super::numbers::{Number, float_literal, integer_type};
use super::value::{Passive, Value};

impl Lowering<'_> {
    /// An operation on passive values.
    pub(super) fn passive_operation(
        &mut self,
        op: &BinOp,
        left: &Passive,
        right: &Passive,
        whole: &dyn Placed,
    ) -> Flow {
        let mut written = Passive::infix(left, op, right, symbol(op).1);
        if let Some(shape) = self.shape_operated(op, left, right) {
            written = written.with_shape(Some(shape));
        }
        let known = match (&left.number, &right.number) {
            (Some(left), Some(right)) => self.numbers.operation(symbol(op).0, left, right),
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
    fn passive_result(&mut self, known: Known, written: Passive, place: &dyn Placed) -> Flow {
        Ok(Value::Passive(match known {
            Known::Is(number) => self.numbers.known(number, written),
            // What may not be evaluated fails only if it is.
            Known::Fails(why) if self.inline.is_none() => return self.refuse(place, why),
            Known::Untyped => written.lacking_type(true),
            _ => written,
        }))
    }

    /// `-operand` or `!operand`.
    pub(super) fn passive_unary(&mut self, whole: &Expr, op: &UnOp, place: &Expr, operand: &Passive) -> Flow {
        let shape = operand.shape.as_ref().map(Shape::behind_references);
        let kept = shape.filter(|shape| matches!(shape, Shape::Vector(_)) && matches!(op, UnOp::Neg(_)));
        let written = Passive::prefix(op, operand).with_shape(kept.cloned());
        // The least value of a type is written as minus a value that the type does not have.
        let negative = matches!(op, UnOp::Neg(_)).then(|| self.numbers.negative_literal(place)).flatten();
        let known = match (negative, &operand.number, op) {
            (Some(number), ..) => Known::Is(number),
            (_, Some(Number::Int(int)), UnOp::Neg(_)) => self.numbers.unary("-", *int),
            (_, Some(Number::Int(int)), UnOp::Not(_)) => self.numbers.unary("!", *int),
            (_, Some(Number::Bool(value)), UnOp::Not(_)) => Known::Is(Number::Bool(!value)),
            (_, None, _) if operand.lacks_type => Known::Untyped,
            (_, Some(Number::Float(digits)), UnOp::Neg(_)) => Known::Is(Number::Float(negated(digits))),
            _ => Known::Nothing,
        };
        self.passive_result(known, written, whole)
    }

    /// `operand as ty`.
    pub(super) fn passive_cast(&mut self, operand: &Passive, ty: &Type, own_float: bool) -> Passive {
        let tokens = operand.operand();
        let written_type = self.written_type(ty);
        let written = Passive::operation(quote!(#tokens as #written_type)).lacking_type(operand.lacks_type);
        // An operation on integers may panic, and then the float is not all that it does.
        let is_certain = own_float && !operand.is_operation();
        let written = if is_certain { written.of(&[operand]) } else { written };
        let written = written.with_shape(own_float.then(|| Shape::Float(self.scalar.clone())));
        let value = match &operand.number {
            Some(Number::Int(int)) => int.value,
            Some(Number::Bool(value)) => i128::from(*value),
            Some(Number::Unit(unit)) if let Some(value) = unit.discriminant() => value,
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
                let number = self.numbers.int(value, types);
                self.numbers.known(number, written)
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
    ) -> Option<Flow> {
        let (tokens, name, arguments) = (receiver.operand(), &call.name, args.iter().map(Passive::tokens));
        let written = Passive::simple(quote!(#tokens.#name(#(#arguments),*)));
        match call.turbofish {
            Some(_) => None,
            None => self.method_of_int(&name.to_string(), receiver, args, written, whole),
        }
    }

    /// A function of known integers, by a path such as `i32::pow` or `core::cmp::min`.
    pub(super) fn known_function(&mut self, path: &Path, args: &[Value]) -> Option<Flow> {
        if !path.may_be_std || path.path.qself.is_some() {
            return None;
        }
        let names = path.segments();
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
            let number = self.numbers.int((*value).into(), types);
            return Some(Ok(Value::Passive(self.numbers.known(number, written))));
        }
        let is_possible = self.numbers.types.narrow(receiver.number.as_ref()?.as_int()?.ty, types);
        is_possible.then(|| self.method_of_int(name, receiver, others, written, path)).flatten()
    }

    /// `i32::MAX` and its like.
    pub(super) fn known_path(&mut self, path: &Path) -> Option<Number> {
        if path.binding != Binding::Outside || path.path.qself.is_some() {
            return None;
        }
        let names = path.segments();
        let [ty, name] = &names[..] else { return None };
        let types = Types::named(ty)?;
        let value = types.only()?.constant(name)?;
        let types = if name == "BITS" { Types::named("u32")? } else { types };
        Some(self.numbers.int(value, types))
    }

    fn method_of_int(
        &mut self,
        name: &str,
        receiver: &Passive,
        args: &[Passive],
        written: Passive,
        place: &dyn Placed,
    ) -> Option<Flow> {
        let int = receiver.number.as_ref()?.as_int()?;
        let args = args.iter().map(|arg| arg.number.clone()).collect::<Option<Vec<_>>>()?;
        let known = self.numbers.method(name, int, &args)?;
        Some(self.passive_result(known, written, place))
    }
}

/// Minus a float.
fn negated(digits: &str) -> String {
    digits.strip_prefix('-').map_or_else(|| format!("-{digits}"), str::to_string)
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
