//! Errors that are passed on: `match result { Ok(p) => body, Err(e) => return Err(e) }` is `{ let p = result?; body }`.

use syn::{Expr as Source, ExprMatch, Pat, parse_quote};

use super::super::tree::{Arm, Expr, ExprKind, Pattern, PatternKind};

/// Such a `match` as what it is, if it is one.
pub(super) fn passing_on(branch: &ExprMatch) -> Option<Source> {
    let [first, second] = &branch.arms[..] else { return None };
    let has_more = [first, second].iter().any(|arm| !arm.attrs.is_empty());
    let (there, other) = if in_variant(&first.pat, "Ok").is_some() { (first, second) } else { (second, first) };
    let (pattern, error) = (in_variant(&there.pat, "Ok")?, in_variant(&other.pat, "Err")?);
    let Pat::Ident(error) = error else { return None };
    let Source::Return(left) = unwrapped(&other.body) else { return None };
    let Source::Call(made) = unwrapped(left.expr.as_deref()?) else { return None };
    let [given] = made.args.iter().collect::<Vec<_>>()[..] else { return None };
    let given = match given {
        Source::MethodCall(call) if call.method == "into" && call.args.is_empty() => &*call.receiver,
        given => given,
    };
    let is_same = |path: &Source, name: &syn::Ident| matches!(path, Source::Path(path) if path.path.is_ident(name));
    let is_err =
        matches!(&*made.func, Source::Path(path) if path.path.segments.last().is_some_and(|it| it.ident == "Err"));
    if has_more || !is_err || !is_same(given, &error.ident) || error.subpat.is_some() || error.by_ref.is_some() {
        return None;
    }
    let (subject, body) = (&branch.expr, &there.body);
    Some(parse_quote!({ let #pattern = #subject?; #body }))
}

fn in_variant<'p>(pattern: &'p Pat, variant: &str) -> Option<&'p Pat> {
    let Pat::TupleStruct(tuple) = pattern else { return None };
    let is_it = tuple.path.segments.last().is_some_and(|last| last.ident == variant);
    tuple.elems.first().filter(|_| is_it && tuple.elems.len() == 1)
}

/// What is in a block that holds one expression.
fn unwrapped(source: &Source) -> &Source {
    match source {
        Source::Block(block) if block.label.is_none() && block.attrs.is_empty() => match &block.block.stmts[..] {
            [syn::Stmt::Expr(inner, _)] => unwrapped(inner),
            _ => source,
        },
        source => source,
    }
}

/// The pattern in the `Ok` and the value of its arm, where the other arm gives the error as it is.
pub(super) fn given_on(arms: &[Arm]) -> Option<(&Pattern, &Expr)> {
    let [first, second] = arms else { return None };
    let (there, other) = if is_passed_on(second) { (first, second) } else { (second, first) };
    let PatternKind::TupleStruct(path, parts) = &there.pattern.kind else { return None };
    let [pattern] = &parts[..] else { return None };
    let is_plain = path.is_variant("Ok") && there.guard.is_none() && is_passed_on(other);
    is_plain.then_some((pattern, &there.body))
}

/// Whether an arm is `Err(e) => Err(e)`.
pub(super) fn is_passed_on(arm: &Arm) -> bool {
    let PatternKind::TupleStruct(path, parts) = &arm.pattern.kind else { return false };
    let ExprKind::Call(made, args) = &*arm.body.kind else { return false };
    let (ExprKind::Path(made), [given]) = (&*made.unwrapped().kind, &args[..]) else { return false };
    let [Pattern { kind: PatternKind::Variable(error), .. }] = &parts[..] else { return false };
    let given = match &*given.kind {
        ExprKind::Method(call) if call.name == "into" => &call.receiver,
        _ => given,
    };
    let is_error = matches!(&*given.kind, ExprKind::Variable(id, _) if *id == error.id && error.inner.is_none());
    path.is_variant("Err") && made.is_variant("Err") && is_error && arm.guard.is_none()
}
