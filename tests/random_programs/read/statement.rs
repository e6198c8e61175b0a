//! Statements and blocks.

use syn::{Expr, Item, Local, Pat, Stmt};

use super::super::tree::*;
use super::expression::{assigned, expression};
use super::pattern::pattern;
use super::{Reading, name, ty, unknown};

pub fn block(block: &syn::Block) -> Reading<Block> {
    let mut read = Block::default();
    for (index, statement) in block.stmts.iter().enumerate() {
        match statement {
            Stmt::Expr(value, None) if index + 1 == block.stmts.len() => {
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
        Stmt::Local(local) => self::local(local)?,
        Stmt::Item(Item::Const(item)) => Statement::Const(name(&item.ident), ty(&item.ty)?, expression(&item.expr)?),
        Stmt::Item(Item::Use(_)) => return Ok(None),
        Stmt::Expr(Expr::Block(block), _) if begins_with_item(block) => return Ok(None),
        Stmt::Macro(statement) if statement.mac.path.is_ident("assert") => {
            let condition: Expr = statement.mac.parse_body().map_err(|error| error.to_string())?;
            Statement::Assert(expression(&condition)?)
        }
        Stmt::Expr(expression, _) => match assigned(expression)? {
            Some(statement) => statement,
            None => Statement::Run(self::expression(expression)?),
        },
        other => return unknown("statement", other),
    }))
}

fn local(local: &Local) -> Reading<Statement> {
    let value = match &local.init {
        Some(init) if init.diverge.is_none() => Some(expression(&init.expr)?),
        Some(_) => return unknown("statement", local),
        None => None,
    };
    let ty = match &local.pat {
        Pat::Type(typed) => Some(ty(&typed.ty)?),
        _ => None,
    };
    Ok(Statement::Let(pattern(&local.pat)?, ty, value))
}

/// Whether a statement makes sure that a type is the primitive one, and nothing else.
fn is_assertion_of_type(local: &Local) -> bool {
    let Pat::Type(typed) = &local.pat else { return false };
    let syn::Type::Path(path) = &*typed.ty else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "PhantomData")
}

/// Whether a statement makes sure that two paths name the same function, and nothing else.
fn compares_functions(local: &Local) -> bool {
    let Some(Expr::Call(call)) = local.init.as_ref().map(|init| &*init.expr) else { return false };
    let Expr::Path(callee) = &*call.func else { return false };
    callee.path.segments.last().is_some_and(|last| last.ident == "replace")
}

/// Whether a block makes sure that a name means what it is taken for, and nothing else.
fn begins_with_item(block: &syn::ExprBlock) -> bool {
    matches!(block.block.stmts[..], [Stmt::Item(Item::Use(_) | Item::Trait(_)), ..])
}

/// Whether a statement defines how sums are fused with products, and nothing else.
fn defines(local: &Local) -> bool {
    let Some(Expr::Block(block)) = local.init.as_ref().map(|init| &*init.expr) else { return false };
    matches!(block.block.stmts[..], [Stmt::Item(Item::Mod(_)), ..])
}
