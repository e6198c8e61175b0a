//! Exact Jacobians of Rust functions at compile time.
#![no_std]

pub use jacobian_macro::jacobian;
