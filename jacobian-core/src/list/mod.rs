//! Code lists: what the engine takes and what it gives, how they are written, evaluated and cleared of what nothing
//! needs.

pub mod block;
pub mod catalogue;
pub mod code_list;
pub mod evaluate;
pub mod expression;
pub(crate) mod live;
pub(crate) mod modular;
pub mod text;
pub mod value;
