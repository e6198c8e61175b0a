//! Code lists: what the engine of the crate `jacobian` takes and what it gives, how they are written, evaluated and cleared
//! of what nothing needs; [the forms](form) of what it computes, and [the
//! coordinates](chart) that it differentiates by their tangents.
//!
//! Front end and engine have this in common, and nothing else is needed for most of the front end: so it is a crate of
//! its own, and cargo compiles the front end beside the engine.

pub mod block;
pub mod catalogue;
pub mod chart;
pub mod code_list;
pub mod evaluate;
pub mod expression;
pub mod form;
pub mod live;
pub mod modular;
pub mod text;
pub mod value;

pub use code_list::CodeList;
pub use form::Form;
