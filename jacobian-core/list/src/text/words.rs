//! The words of texts: kinds, constants, and what a value cannot be called.

use crate::catalogue::{NAMED_CONSTANTS, STANDARD_CONSTANTS};
use crate::code_list::Kind;
use crate::expression::{self, Expression};

/// The kinds of values by their names.
pub const KINDS: &[(&str, Kind)] =
    &[("float", Kind::Float), ("int", Kind::Int), ("bool", Kind::Bool), ("opaque", Kind::Opaque)];

/// What a call gives, by the order of derivatives, from the first on.
pub const ORDERS: &[&str] = &["jacobian", "hessians"];

/// The value of the constant that has this name in texts.
pub fn named_constant(name: &str) -> Option<f64> {
    if name == "INFINITY" {
        return Some(f64::INFINITY);
    }
    let found = STANDARD_CONSTANTS.iter().chain(NAMED_CONSTANTS).find(|(known, _)| *known == name);
    found.map(|(_, value)| *value)
}

/// The truth value with this name.
pub fn named_bool(name: &str) -> Option<bool> {
    name.parse().ok()
}

/// Whether a value can have this name.
pub fn is_free_name(text: &str) -> bool {
    is_name(text) && named_constant(text).is_none() && named_bool(text).is_none()
}

pub fn is_name(text: &str) -> bool {
    matches!(expression::parse(text), Ok(Expression::Name(name)) if name == text)
}
