//! The first half of the front end of the crate `jacobian`: a function and the options of its attribute in, a [code
//! list](jacobian_list) out, with a table of how passive code is written. Nothing here asks the engine, so that cargo
//! compiles both side by side.
//!
//! | module | what is in it |
//! |---|---|
//! | [`read`] | what is read before the body: options, types, the signature |
//! | [`syntax`] | a syntax tree of our own, in which every name is bound to what it means |
//! | [`module`] | what is declared around a function |
//! | [`fn@lower`] | the tree to one code list |
//! | [`refuse`] | every refusal and its advice |
//! | [`diagnostics`], [`attributes`], [`names`], [`tokens`] | errors, collected; attributes under conditions; names that collide with none of the user's; tokens as they are |

pub mod attributes;
pub mod diagnostics;
mod lower;
pub mod module;
pub mod names;
pub mod read;
pub mod refuse;
pub mod syntax;
pub mod tokens;

pub use lower::{
    Argument, ArmCode, Branch, Call, Code, Head, Line, LoopHead, Lowered, Notation, Returned, Source, Written, lower,
};
