//! Patterns.

use syn::{Expr, Lit, Member, Pat};

use super::super::tree::*;
use super::{Reading, last, name, unknown};

pub fn pattern(pattern: &Pat) -> Reading<Pattern> {
    Ok(match pattern {
        Pat::Wild(_) => Pattern::Any,
        Pat::Ident(ident) if ident.ident == "None" => Pattern::None,
        Pat::Ident(ident) if ident.subpat.is_none() => Pattern::Name(name(&ident.ident), ident.mutability.is_some()),
        Pat::Lit(literal) => match &literal.lit {
            Lit::Int(integer) => Pattern::Integer(integer.base10_parse().map_err(|error| error.to_string())?),
            Lit::Bool(truth) => Pattern::Bool(truth.value),
            _ => return unknown("pattern", pattern),
        },
        Pat::Range(range) => Pattern::Range(bound(&range.start)?, bound(&range.end)?),
        Pat::Or(or) => Pattern::Or(all(&or.cases)?),
        Pat::Tuple(tuple) => Pattern::Tuple(all(&tuple.elems)?),
        Pat::Slice(slice) => Pattern::Array(all(&slice.elems)?),
        Pat::Reference(reference) => Pattern::Reference(Box::new(self::pattern(&reference.pat)?)),
        Pat::Paren(paren) => self::pattern(&paren.pat)?,
        Pat::Type(typed) => self::pattern(&typed.pat)?,
        Pat::Path(path) if is(&path.path, "Linear") => Pattern::Linear,
        Pat::Path(path) if last(&path.path).as_ref() == "None" => Pattern::None,
        Pat::TupleStruct(fields) if last(&fields.path).as_ref() == "Some" && fields.elems.len() == 1 => {
            Pattern::Some(Box::new(self::pattern(&fields.elems[0])?))
        }
        Pat::TupleStruct(fields) if is(&fields.path, "Scaled") => {
            let fields: Result<[Pattern; 2], _> = all(&fields.elems)?.try_into();
            Pattern::Scaled(Box::new(fields.map_err(|_| "`Scaled` has two fields".to_string())?))
        }
        Pat::Struct(fields) if is(&fields.path, "Power") => match fields.fields.first() {
            None => Pattern::Power(Box::new(Pattern::Any)),
            Some(field) if matches!(&field.member, Member::Named(member) if member == "exponent") => {
                Pattern::Power(Box::new(self::pattern(&field.pat)?))
            }
            Some(_) => return unknown("pattern", pattern),
        },
        Pat::Struct(fields) => {
            let parts = fields.fields.iter().map(|field| {
                let field_name = match &field.member {
                    Member::Named(name) => super::name(name),
                    Member::Unnamed(index) => index.index.to_string().as_str().into(),
                };
                Ok((field_name, self::pattern(&field.pat)?))
            });
            Pattern::Struct(last(&fields.path), parts.collect::<Reading<_>>()?, true)
        }
        Pat::TupleStruct(fields) => Pattern::TupleStruct(last(&fields.path), all(&fields.elems)?),
        other => return unknown("pattern", other),
    })
}

fn all<'a>(patterns: impl IntoIterator<Item = &'a Pat>) -> Reading<Vec<Pattern>> {
    patterns.into_iter().map(pattern).collect()
}

fn is(path: &syn::Path, variant: &str) -> bool {
    let mut names = path.segments.iter().rev().map(|segment| &segment.ident);
    names.next().is_some_and(|last| last == variant) && names.next().is_some_and(|of| of == "Law")
}

fn bound(bound: &Option<Box<Expr>>) -> Reading<i64> {
    match bound.as_deref() {
        Some(Expr::Lit(literal)) => match &literal.lit {
            Lit::Int(integer) => integer.base10_parse().map_err(|error| error.to_string()),
            _ => unknown("bound", literal),
        },
        other => Err(format!("a bound of a pattern is not read: {}", other.is_some())),
    }
}
