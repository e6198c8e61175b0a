//! Types and lengths as they are written: what they say without anything else.

use proc_macro2::{TokenStream, TokenTree};
use syn::{BinOp, Lit, Type};

use super::super::syntax::{Expr, ExprKind, Path};

/// Types of the standard library that are no structs of floats.
pub const OF_STD: &[&str] = &[
    "String", "Vec", "VecDeque", "Box", "Rc", "Arc", "Cell", "RefCell", "Option", "Result", "HashMap", "BTreeMap",
    "HashSet", "Cow", "Duration", "Instant", "Path", "PathBuf", "Range",
];

/// The type inside parentheses and what a macro has grouped.
pub fn unwrapped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => unwrapped(&group.elem),
        Type::Paren(paren) => unwrapped(&paren.elem),
        other => other,
    }
}

/// Whether a type is that of a mutable reference.
pub fn is_mutable_reference(ty: &Type) -> bool {
    matches!(unwrapped(ty), Type::Reference(reference) if reference.mutability.is_some())
}

/// Whether a type is that of a shared reference.
pub fn is_shared_reference(ty: &Type) -> bool {
    matches!(unwrapped(ty), Type::Reference(reference) if reference.mutability.is_none())
}

/// Whether one of `names` is among the identifiers in `tokens`.
pub fn mentions(tokens: TokenStream, names: &[&str]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.iter().any(|name| ident == name),
        TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

/// The number that is written as a length: a literal, or arithmetic on these.
pub fn integer(length: &Expr) -> Option<usize> {
    integer_with(length, &|_| None)
}

/// The same, where `constant` says which numbers paths mean.
pub fn integer_with(length: &Expr, constant: &dyn Fn(&Path) -> Option<usize>) -> Option<usize> {
    match &*length.kind {
        ExprKind::Literal(Lit::Int(int)) => int.base10_parse().ok(),
        ExprKind::Path(path) => constant(path),
        ExprKind::Paren(inner) => integer_with(inner, constant),
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (integer_with(left, constant)?, integer_with(right, constant)?);
            match op {
                BinOp::Add(_) => left.checked_add(right),
                BinOp::Sub(_) => left.checked_sub(right),
                BinOp::Mul(_) => left.checked_mul(right),
                BinOp::Div(_) => left.checked_div(right),
                _ => None,
            }
        }
        _ => None,
    }
}
