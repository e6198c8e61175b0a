//! The syntax tree of our own: what is understood of a function, with the user's places, and every name bound to what
//! it means. Syn's tree in, this one out; nothing is evaluated here.

mod build;
mod fallible;
mod jump;
mod key;
mod leave;
mod path;
mod place;
mod reaching;
mod resolve;
mod scope;
mod tree;
mod walk;

pub use fallible::Fallible;
pub use key::{Key, key};
pub use place::{Place, Placed};
pub use resolve::{Items, constant, expression, function, path, ty};
pub use tree::*;
pub use walk::{GIVING_VALUES, Node, assigned_by, changes, reader, surely_reads, variables_in};
