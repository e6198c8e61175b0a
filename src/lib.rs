//! [the supported language]: language
#![doc = include_str!("../README.md")]
#![no_std]

pub use jacobian_macro::jacobian;

/// [README]: crate
#[doc = include_str!("../LANGUAGE.md")]
pub mod language {}
