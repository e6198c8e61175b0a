//! `c.then(|| a).unwrap_or(b)` with active values: the branch that it is in other words.

use super::super::syntax::{Block, Expr, ExprKind, If, Method, Statement};
use super::Lowering;

impl Lowering<'_> {
    /// The branch that a method call is, if something in it is active. What would be evaluated on both sides of the branch
    /// has to be what does nothing, and what cannot panic.
    pub(super) fn branch_of_then(&self, whole: &Expr, call: &Method) -> Option<Expr> {
        let ExprKind::Method(then) = &*call.receiver.unwrapped().kind else { return None };
        let ([given], [other], None, None) = (&then.args[..], &call.args[..], &then.turbofish, &call.turbofish) else {
            return None;
        };
        let given = match then.name.to_string().as_str() {
            "then" => evaluated(given)?,
            "then_some" if is_plain(given) => given,
            _ => return None,
        };
        let other = match call.name.to_string().as_str() {
            "unwrap_or_else" => evaluated(other)?,
            "unwrap_or" if is_plain(other) => other,
            _ => return None,
        };
        if self.module.declared().methods().has("then") || self.why_not_kept(whole).is_none() {
            return None;
        }
        let place = whole.place;
        let block = |value: &Expr| Block { statements: vec![Statement::Expr(value.clone(), true)], place: value.place };
        let otherwise = Expr::new(ExprKind::Block(block(other)), other.place);
        let branch = If { condition: then.receiver.clone(), then: block(given), otherwise: Some(otherwise) };
        Some(Expr::new(ExprKind::If(branch), place))
    }
}

/// What a closure without parameters evaluates.
fn evaluated(callee: &Expr) -> Option<&Expr> {
    match &*callee.unwrapped().kind {
        ExprKind::Closure(closure) if closure.parameters.is_empty() && closure.output.is_none() => Some(&closure.body),
        _ => None,
    }
}

/// Whether an expression is made of variables, fields, numbers and operators.
pub(super) fn is_plain(expression: &Expr) -> bool {
    match &*expression.kind {
        ExprKind::Variable(..) | ExprKind::Literal(_) | ExprKind::Path(_) => true,
        ExprKind::Paren(inner) | ExprKind::Field(inner, _) | ExprKind::Unary(_, inner) => is_plain(inner),
        ExprKind::Binary(_, left, right) => is_plain(left) && is_plain(right),
        _ => false,
    }
}
