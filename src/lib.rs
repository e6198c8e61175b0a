#![doc = include_str!("../README.md")]
#![no_std]

pub use jacobian_macro::jacobian;
