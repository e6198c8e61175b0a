//! Statements and blocks.

use std::rc::Rc;

use syn::punctuated::Punctuated;
use syn::{Expr, Local, Pat, Stmt, Token};

use super::super::tree::*;
use super::expression::{assigned, changed, expression};
use super::items;
use super::pattern::pattern;
use super::{Reading, item, name, ty, unknown};

pub fn block(block: &syn::Block) -> Reading<Block> {
    let mut read = Block::default();
    for (index, statement) in block.stmts.iter().enumerate() {
        match statement {
            Stmt::Expr(value, None) if index + 1 == block.stmts.len() && !is_statement(value) => {
                read.value = Some(Box::new(expression(value)?));
            }
            statement => read.statements.extend(self::statement(statement)?),
        }
    }
    Ok(read)
}

/// A statement; none where it does nothing.
fn statement(statement: &Stmt) -> Reading<Option<Statement>> {
    Ok(Some(match statement {
        Stmt::Local(local) if is_assertion_of_type(local) || compares_functions(local) || defines(local) => {
            return Ok(None);
        }
        Stmt::Expr(Expr::Block(block), _) if says_what_names_mean(&block.block) => return Ok(None),
        Stmt::Local(local) => self::local(local)?,
        // What asserts which function a name means.
        Stmt::Item(syn::Item::Mod(_)) => return Ok(None),
        Stmt::Item(item) => Statement::Item(self::item(item)?),
        Stmt::Macro(statement) => panicking(&statement.mac)?,
        Stmt::Expr(Expr::While(repeated), _) => {
            let condition = Some(expression(&repeated.cond)?);
            repeated_while(&repeated.label, condition, &repeated.body)?
        }
        Stmt::Expr(Expr::Loop(repeated), _) => repeated_while(&repeated.label, None, &repeated.body)?,
        Stmt::Expr(Expr::ForLoop(repeated), _) => Statement::For(Rc::new(For {
            label: repeated.label.as_ref().map(|label| name(&label.name.ident)),
            pattern: pattern(&repeated.pat)?,
            items: items::items(&repeated.expr)?,
            body: block(&repeated.body)?,
        })),
        Stmt::Expr(Expr::Break(leaving), _) => match (&leaving.label, &leaving.expr) {
            (Some(label), Some(value)) => Statement::BreakWith(name(&label.ident), expression(value)?),
            (label, None) => Statement::Break(label.as_ref().map(|label| name(&label.ident))),
            _ => return unknown("statement", statement),
        },
        Stmt::Expr(Expr::Continue(next), _) => Statement::Continue(next.label.as_ref().map(|label| name(&label.ident))),
        Stmt::Expr(Expr::Return(returned), _) if returned.expr.is_some() => {
            Statement::Return(expression(returned.expr.as_ref().expect("it has been seen"))?)
        }
        Stmt::Expr(expression, _) => match assigned(expression)? {
            Some(statement) => statement,
            None => Statement::Run(self::expression(expression)?),
        },
    }))
}

/// Whether an expression is a statement wherever it is.
fn is_statement(expression: &Expr) -> bool {
    matches!(expression, Expr::While(_) | Expr::Loop(_) | Expr::ForLoop(_) | Expr::Assign(_))
        || changed(expression).is_some()
}

/// `assert!(condition)`, or `panic!(...)`, which is an assertion that does not hold.
pub fn panicking(called: &syn::Macro) -> Reading<Statement> {
    match called.path.segments.last().map(|last| last.ident.to_string()).as_deref() {
        Some("assert") => {
            let parts = called.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
            let parts = parts.map_err(|error| error.to_string())?;
            let condition = parts.first().ok_or("an assertion without a condition")?;
            Ok(Statement::Assert(expression(condition)?))
        }
        Some("panic") => Ok(Statement::Assert(Expression::Bool(false))),
        _ => unknown("macro", called),
    }
}

fn repeated_while(label: &Option<syn::Label>, condition: Option<Expression>, body: &syn::Block) -> Reading<Statement> {
    let label = label.as_ref().map(|label| name(&label.name.ident));
    Ok(Statement::While(Rc::new(While { label, condition, body: block(body)? })))
}

fn local(local: &Local) -> Reading<Statement> {
    let value = local.init.as_ref().map(|init| expression(&init.expr)).transpose()?;
    if let Some((_, otherwise)) = local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
        let (Some(value), Expr::Block(otherwise)) = (value, &**otherwise) else { return unknown("statement", local) };
        let (branch, pattern, otherwise) = (Branch(0), pattern(&local.pat)?, block(&otherwise.block)?);
        return Ok(Statement::LetElse(Box::new(LetElse { branch, pattern, value, otherwise })));
    }
    let ty = match &local.pat {
        Pat::Type(typed) => Some(ty(&typed.ty)?),
        _ => None,
    };
    Ok(Statement::Let(pattern(&local.pat)?, ty, value))
}

/// Whether a statement makes sure that a type is the primitive one, and nothing else.
fn is_assertion_of_type(local: &Local) -> bool {
    let Pat::Type(typed) = &local.pat else { return false };
    let syn::Type::Path(path) = &*typed.ty else { return matches!(*typed.ty, syn::Type::FnPtr(_)) };
    path.path.segments.last().is_some_and(|last| last.ident == "PhantomData")
}

/// Whether a statement makes sure that a path leads to a function of the primitive type, and nothing else.
fn compares_functions(local: &Local) -> bool {
    let Some(Expr::Call(call)) = local.init.as_ref().map(|init| &*init.expr) else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    path.path.leading_colon.is_some() && path.path.segments.last().is_some_and(|last| last.ident == "replace")
}

/// Whether a block makes sure that types are no aliases of floats, or that a macro is the standard library's, and
/// nothing else.
fn says_what_names_mean(block: &syn::Block) -> bool {
    match block.stmts.first() {
        Some(Stmt::Item(syn::Item::Trait(_))) => true,
        Some(Stmt::Item(syn::Item::Use(import))) => import.leading_colon.is_some(),
        _ => false,
    }
}

/// Whether a statement defines how sums are fused with products, and nothing else.
fn defines(local: &Local) -> bool {
    let Some(Expr::Block(block)) = local.init.as_ref().map(|init| &*init.expr) else { return false };
    matches!(block.block.stmts[..], [Stmt::Item(syn::Item::Mod(_) | syn::Item::Fn(_)), ..])
}
