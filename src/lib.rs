//! [the supported language]: language
//! [forms]: forms
//! [accuracy]: accuracy
//! [strategies]: strategies
#![doc = include_str!("../README.md")]
#![no_std]

pub use jacobian_macro::jacobian;

/// [accuracy]: crate::accuracy
/// [forms]: crate::forms
#[doc = include_str!("../LANGUAGE.md")]
pub mod language {}

#[doc = include_str!("../docs/forms.md")]
pub mod forms {}

#[doc = include_str!("../docs/strategies.md")]
pub mod strategies {}

#[doc = include_str!("../docs/accuracy.md")]
pub mod accuracy {}
