//! Integers of their types: what does not fit panics, as it does where overflow is checked.

use super::super::number::Number;
use super::super::tree::*;
use super::super::value::{Integer, Value};
use super::expression::holds;
use super::{Exit, Interpreter, Outcome};

impl<R: Number> Interpreter<'_, R> {
    /// The result of an operator between two integers.
    pub(super) fn integers(&self, operator: Operator, left: &Integer, right: &Integer) -> Outcome<R> {
        let is_shift = matches!(operator, Operator::ShiftLeft | Operator::ShiftRight);
        assert!(is_shift || left.ty == right.ty, "integers of two types: {left:?} {operator:?} {right:?}");
        let (a, b) = (left.value, right.value);
        let value = match operator {
            Operator::Add => a + b,
            Operator::Sub => a - b,
            Operator::Mul => a.checked_mul(b).ok_or_else(overflow)?,
            Operator::Div => a.checked_div(b).ok_or_else(|| Exit::Panic("attempt to divide by zero".into()))?,
            Operator::Rem => a.checked_rem(b).ok_or_else(|| Exit::Panic("attempt to divide by zero".into()))?,
            Operator::BitAnd => a & b,
            Operator::BitOr => a | b,
            Operator::BitXor => a ^ b,
            Operator::ShiftLeft => return Ok(Value::Integer(wrapped(a << shift(&left.ty, b)?, &left.ty))),
            Operator::ShiftRight => a >> shift(&left.ty, b)?,
            _ => return Ok(Value::Bool(holds(operator, a, b))),
        };
        fitting(value, &left.ty)
    }

    /// `-operand` or `!operand`.
    pub(super) fn integer_prefix(&self, prefix: Prefix, operand: &Integer) -> Outcome<R> {
        match prefix {
            Prefix::Negative => fitting(-operand.value, &operand.ty),
            _ => Ok(Value::Integer(wrapped(!operand.value, &operand.ty))),
        }
    }

    /// A method of integers.
    pub(super) fn integer_method(&self, name: &str, receiver: &Integer, others: &[Value<R>]) -> Outcome<R> {
        let (own, other) = (receiver.value, || others[0].integer());
        let value = match name {
            "min" => own.min(other()),
            "max" => own.max(other()),
            "abs" => own.abs(),
            "abs_diff" => (own - other()).abs(),
            "pow" => own.checked_pow(u32::try_from(other()).expect("an exponent is small")).ok_or_else(overflow)?,
            "wrapping_add" => wrapped(own + other(), &receiver.ty).value,
            "wrapping_mul" => wrapped(own.wrapping_mul(other()), &receiver.ty).value,
            "saturating_sub" => {
                let (low, high) = limits(&receiver.ty);
                (own - other()).clamp(low, high)
            }
            _ => panic!("`{name}` is no method of integers in programs"),
        };
        fitting(value, &receiver.ty)
    }
}

fn limits(ty: &Type) -> (i128, i128) {
    ty.limits().unwrap_or_else(|| panic!("{ty:?} is no type of integers"))
}

fn overflow<R>() -> Exit<R> {
    Exit::Panic("attempt to compute with overflow".into())
}

/// The integer, if it is one of this type.
fn fitting<R: Number>(value: i128, ty: &Type) -> Outcome<R> {
    let (low, high) = limits(ty);
    if (low..=high).contains(&value) { Ok(Value::integer_of(value, ty.clone())) } else { Err(overflow()) }
}

/// The integer of this type that has the lowest bits of a number.
pub fn wrapped(value: i128, ty: &Type) -> Integer {
    let (low, high) = limits(ty);
    Integer { value: (value - low).rem_euclid(high - low + 1) + low, ty: ty.clone() }
}

/// The bits by which an integer is shifted: fewer than it has.
fn shift<R>(ty: &Type, bits: i128) -> Result<u32, Exit<R>> {
    let (low, high) = limits(ty);
    match 0 <= bits && bits < (high - low + 1).ilog2().into() {
        true => Ok(bits as u32),
        false => Err(overflow()),
    }
}
