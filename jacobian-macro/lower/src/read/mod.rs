//! What is read before the body: the guard against what nests too deeply, the options of the attribute, the signature.

pub mod guard;
pub mod imports;
pub mod layout;
pub mod options;
pub mod scalar;
pub mod shape;
pub mod signature;
pub mod structs;
pub mod ty;
pub mod vector;
pub mod with;
