//! Early returns: `if c { return a; } rest` is `if c { a } else { rest }`. What stands behind a branch that may return is
//! moved into the arm that goes on, so that a `return` becomes the value of the block that it ends, and branches need know
//! of none.
//!
//! Nothing is written twice, and no name is seen where it was not: where several arms go on, or where the pattern of the
//! one that goes on may have names, the branch stays as it is, and its `return` is an error.

use syn::token::Brace;
use syn::{Block, Expr, ExprBlock, ExprIf, ExprLet, ExprMatch, Local, LocalInit, Pat, Stmt, Token};

/// The most early returns of a function, one behind the other: each nests the rest of the function deeper.
const MAX_RETURNS: usize = 50;

/// The body of a function with its early returns as values.
pub fn without_returns(body: &Block) -> Block {
    Block { stmts: tail(body.stmts.clone(), MAX_RETURNS), brace_token: body.brace_token }
}

/// What becomes of the value of an arm that goes on.
enum Goal {
    /// It is returned.
    Return,
    /// It is dropped, and these statements follow.
    Drop(Vec<Stmt>),
    /// It is bound, and these statements follow.
    Bind(Box<Local>, Vec<Stmt>),
}

/// Statements, what the last of which gives is returned. So many early returns become values.
fn tail(mut stmts: Vec<Stmt>, returns: usize) -> Vec<Stmt> {
    let Some(position) = stmts.iter().position(may_return).filter(|_| returns > 0) else { return stmts };
    // Items are seen in all of their block.
    let is_item = |stmt: &Stmt| matches!(stmt, Stmt::Item(_));
    let (items, rest): (Vec<_>, Vec<_>) = stmts[position + 1..].iter().cloned().partition(is_item);
    if let Some(value) = returned(&stmts[position], rest, returns - 1) {
        stmts.truncate(position);
        stmts.extend(items);
        stmts.push(Stmt::Expr(value, None));
    }
    stmts
}

/// What is returned by a statement that may return, or by those behind it.
fn returned(stmt: &Stmt, rest: Vec<Stmt>, returns: usize) -> Option<Expr> {
    match stmt {
        Stmt::Expr(Expr::Return(jump), _) if jump.attrs.is_empty() => jump.expr.as_deref().cloned(),
        Stmt::Expr(branch, None) if rest.is_empty() => with_goal(branch, &Goal::Return, returns),
        Stmt::Expr(branch, _) => with_goal(branch, &Goal::Drop(rest), returns),
        Stmt::Local(local) => match local.init.as_ref()? {
            LocalInit { diverge: Some(_), .. } => let_else(local, rest, returns),
            LocalInit { expr, .. } => with_goal(expr, &Goal::Bind(Box::new(local.clone()), rest), returns),
        },
        _ => None,
    }
}

/// A branch whose arms return, or lead to the goal.
fn with_goal(branch: &Expr, goal: &Goal, returns: usize) -> Option<Expr> {
    let go_on = arms(branch).iter().filter(|arm| !arm.always_returns()).count();
    if go_on > 1 && !matches!(goal, Goal::Return) {
        return None;
    }
    let mut branch = branch.clone();
    match &mut branch {
        Expr::If(ExprIf { if_token, cond, then_branch, else_branch, .. }) => {
            let has_names = matches!(**cond, Expr::Let(_));
            let then = with_goal_in_arm(Arm::Block(then_branch), goal, has_names, returns)?;
            let nothing = || (Token![else](if_token.span), Box::new(as_expression(as_block(Vec::new()))));
            let (or_else, otherwise) = else_branch.take().unwrap_or_else(nothing);
            let otherwise = with_goal_in_arm(Arm::of(&otherwise), goal, false, returns)?;
            (*then_branch, *else_branch) = (then, Some((or_else, Box::new(as_expression(otherwise)))));
        }
        Expr::Match(ExprMatch { arms, .. }) => {
            for case in arms {
                let has_names = !matches!(case.pat, Pat::Wild(_) | Pat::Lit(_) | Pat::Path(_));
                *case.body = as_expression(with_goal_in_arm(Arm::of(&case.body), goal, has_names, returns)?);
            }
        }
        _ => return None,
    }
    Some(branch)
}

/// An arm that returns, or leads to the goal.
fn with_goal_in_arm(arm: Arm<'_>, goal: &Goal, has_names: bool, returns: usize) -> Option<Block> {
    let (first, rest) = match goal {
        _ if arm.always_returns() => return Some(as_block(tail(arm.into_stmts(), returns))),
        Goal::Return => return Some(as_block(tail(arm.into_stmts(), returns))),
        _ if has_names => return None,
        Goal::Drop(rest) => (Stmt::Expr(arm.into_expression(), Some(Default::default())), rest),
        Goal::Bind(local, rest) => {
            let mut local = local.clone();
            *local.init.as_mut()?.expr = arm.into_expression();
            (Stmt::Local(*local), rest)
        }
    };
    let stmts = std::iter::once(first).chain(rest.iter().cloned()).collect();
    Some(as_block(tail(stmts, returns)))
}

/// `let pattern = value else { return a; }; rest` is `if let pattern = value { rest } else { a }`.
fn let_else(local: &Local, rest: Vec<Stmt>, returns: usize) -> Option<Expr> {
    let init = local.init.as_ref()?;
    let (or_else, diverging) = init.diverge.as_ref()?;
    let otherwise = with_goal_in_arm(Arm::of(diverging), &Goal::Return, false, returns)?;
    let condition = ExprLet {
        attrs: Vec::new(),
        let_token: local.let_token,
        pat: Box::new(local.pat.clone()),
        eq_token: init.eq_token,
        expr: init.expr.clone(),
    };
    Some(Expr::If(ExprIf {
        attrs: local.attrs.clone(),
        if_token: Token![if](local.let_token.span),
        cond: Box::new(Expr::Let(condition)),
        then_branch: as_block(tail(rest, returns)),
        else_branch: Some((*or_else, Box::new(as_expression(otherwise)))),
    }))
}

/// Whether a statement returns, or is a branch with an arm that may.
fn may_return(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Expr(expression, _) => Arm::of(expression).may_return(),
        Stmt::Local(Local { init: Some(init), .. }) => {
            let diverging = init.diverge.as_ref().is_some_and(|(_, diverging)| Arm::of(diverging).may_return());
            diverging || arms(&init.expr).iter().any(Arm::may_return)
        }
        _ => false,
    }
}

/// The arms of a branch.
fn arms(branch: &Expr) -> Vec<Arm<'_>> {
    match branch {
        Expr::If(ExprIf { then_branch, else_branch, .. }) => {
            let otherwise = else_branch.as_ref().map_or(Arm::Missing, |(_, otherwise)| Arm::of(otherwise));
            vec![Arm::Block(then_branch), otherwise]
        }
        Expr::Match(ExprMatch { arms, .. }) => arms.iter().map(|case| Arm::of(&case.body)).collect(),
        _ => Vec::new(),
    }
}

/// An arm of a branch.
#[derive(Copy, Clone)]
enum Arm<'e> {
    Block(&'e Block),
    Expression(&'e Expr),
    /// That of an `if` without `else`.
    Missing,
}

impl<'e> Arm<'e> {
    fn of(expression: &'e Expr) -> Self {
        match expression {
            Expr::Block(ExprBlock { label: None, block, .. }) => Arm::Block(block),
            other => Arm::Expression(other),
        }
    }

    /// Whether a return may be reached in it.
    fn may_return(&self) -> bool {
        match self {
            Arm::Block(block) => block.stmts.iter().any(may_return),
            Arm::Expression(Expr::Return(_)) => true,
            Arm::Expression(branch) => arms(branch).iter().any(Arm::may_return),
            Arm::Missing => false,
        }
    }

    /// Whether control leaves it by a return only.
    fn always_returns(&self) -> bool {
        match self {
            Arm::Block(block) => match block.stmts.last() {
                Some(Stmt::Expr(last, _)) => Arm::of(last).always_returns(),
                _ => false,
            },
            Arm::Expression(Expr::Return(_)) => true,
            Arm::Expression(branch) => {
                let arms = arms(branch);
                !arms.is_empty() && arms.iter().all(Arm::always_returns)
            }
            Arm::Missing => false,
        }
    }

    fn into_stmts(self) -> Vec<Stmt> {
        match self {
            Arm::Block(block) => block.stmts.clone(),
            Arm::Expression(expression) => vec![Stmt::Expr(expression.clone(), None)],
            Arm::Missing => Vec::new(),
        }
    }

    fn into_expression(self) -> Expr {
        match self {
            Arm::Expression(expression) => expression.clone(),
            block => as_expression(as_block(block.into_stmts())),
        }
    }
}

fn as_block(stmts: Vec<Stmt>) -> Block {
    Block { brace_token: Brace::default(), stmts }
}

fn as_expression(block: Block) -> Expr {
    Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block })
}
