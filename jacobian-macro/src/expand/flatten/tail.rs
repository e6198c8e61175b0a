//! Jumps at the end of arms: `if c { return a; } rest` is `if c { a } else { rest }`. What stands behind a branch that may
//! return is moved into the arm that goes on, so that a `return` becomes the value of the block that it ends, and branches
//! need know of none. The same is done for `continue` in the body of a loop, and for `break`, where what stands behind the
//! body are the trips that are left.
//!
//! Nothing is written twice, and no name is seen where it was not: where several arms go on, or where the pattern of the
//! one that goes on may have names, the branch stays as it is, and its jump is an error unless it is known whether it is
//! taken.

use syn::token::Brace;
use syn::{
    Block, Expr, ExprBlock, ExprForLoop, ExprIf, ExprLet, ExprMatch, ExprReturn, Label, Lifetime, Local, LocalInit,
    Pat, Stmt, Token,
};

/// The most jumps of a body, one behind the other: each nests the rest of the body deeper.
const MAX_JUMPS: usize = 50;

/// The jumps that become values.
#[derive(Copy, Clone)]
enum Jump<'l> {
    /// `return`.
    Return,
    /// `break` out of the loop with this label.
    Break(Option<&'l Label>),
    /// `continue` with the next trip of the loop with this label.
    Continue(Option<&'l Label>),
}

/// The body of a function with its early returns as values.
pub fn without_returns(body: &Block) -> Block {
    with_stmts(body, Jump::Return.tail(body.stmts.clone(), MAX_JUMPS))
}

/// The body of a loop, with `next` for the trips that are left, in which jumps are values; none if there is no jump in it.
pub fn without_jumps(repetition: &ExprForLoop, next: Expr) -> Option<Block> {
    let (body, label) = (&repetition.body, repetition.label.as_ref());
    let jumps = [Jump::Continue(label), Jump::Break(label)];
    if !body.stmts.iter().any(|stmt| jumps.iter().any(|jump| jump.may_be_in(stmt))) {
        return None;
    }
    let mut stmts = Jump::Continue(label).tail(body.stmts.clone(), MAX_JUMPS);
    if let Some(Stmt::Expr(_, end @ None)) = stmts.last_mut() {
        *end = Some(Default::default());
    }
    stmts.push(Stmt::Expr(next, None));
    Some(with_stmts(body, Jump::Break(label).tail(stmts, MAX_JUMPS)))
}

fn with_stmts(block: &Block, stmts: Vec<Stmt>) -> Block {
    Block { stmts, brace_token: block.brace_token }
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

impl Jump<'_> {
    /// Whether an expression is such a jump.
    fn is(self, expression: &Expr) -> bool {
        let is_to = |own: Option<&Label>, target: &Option<Lifetime>| {
            target.as_ref().is_none_or(|target| own.is_some_and(|own| own.name.ident == target.ident))
        };
        match (self, expression) {
            (Jump::Return, Expr::Return(jump)) => jump.attrs.is_empty(),
            (Jump::Break(own), Expr::Break(jump)) => {
                jump.attrs.is_empty() && jump.expr.is_none() && is_to(own, &jump.label)
            }
            (Jump::Continue(own), Expr::Continue(jump)) => jump.attrs.is_empty() && is_to(own, &jump.label),
            _ => false,
        }
    }

    /// What a jump gives.
    fn value(self, jump: &Expr) -> Expr {
        match jump {
            Expr::Return(ExprReturn { expr: Some(value), .. }) => (**value).clone(),
            _ => as_expression(as_block(Vec::new())),
        }
    }

    /// Statements, what the last of which gives is returned. So many jumps become values.
    fn tail(self, mut stmts: Vec<Stmt>, jumps: usize) -> Vec<Stmt> {
        let Some(position) = stmts.iter().position(|stmt| self.may_be_in(stmt)).filter(|_| jumps > 0) else {
            return stmts;
        };
        // Items are seen in all of their block.
        let is_item = |stmt: &Stmt| matches!(stmt, Stmt::Item(_));
        let (items, rest): (Vec<_>, Vec<_>) = stmts[position + 1..].iter().cloned().partition(is_item);
        if let Some(value) = self.returned(&stmts[position], rest, jumps - 1) {
            stmts.truncate(position);
            stmts.extend(items);
            stmts.push(Stmt::Expr(value, None));
        }
        stmts
    }

    /// What is returned by a statement that may return, or by those behind it.
    fn returned(self, stmt: &Stmt, rest: Vec<Stmt>, jumps: usize) -> Option<Expr> {
        match stmt {
            Stmt::Expr(jump, _) if self.is(jump) => Some(self.value(jump)),
            Stmt::Expr(branch, None) if rest.is_empty() => self.with_goal(branch, &Goal::Return, jumps),
            Stmt::Expr(branch, _) => self.with_goal(branch, &Goal::Drop(rest), jumps),
            Stmt::Local(local) => match local.init.as_ref()? {
                LocalInit { diverge: Some(_), .. } => self.let_else(local, rest, jumps),
                LocalInit { expr, .. } => self.with_goal(expr, &Goal::Bind(Box::new(local.clone()), rest), jumps),
            },
            _ => None,
        }
    }

    /// A branch whose arms return, or lead to the goal.
    fn with_goal(self, branch: &Expr, goal: &Goal, jumps: usize) -> Option<Expr> {
        let go_on = arms(branch).iter().filter(|arm| !self.ends(**arm)).count();
        if go_on > 1 && !matches!(goal, Goal::Return) {
            return None;
        }
        let mut branch = branch.clone();
        match &mut branch {
            Expr::If(ExprIf { if_token, cond, then_branch, else_branch, .. }) => {
                let has_names = matches!(**cond, Expr::Let(_));
                let then = self.with_goal_in_arm(Arm::Block(then_branch), goal, has_names, jumps)?;
                let nothing = || (Token![else](if_token.span), Box::new(as_expression(as_block(Vec::new()))));
                let (or_else, otherwise) = else_branch.take().unwrap_or_else(nothing);
                let otherwise = self.with_goal_in_arm(Arm::of(&otherwise), goal, false, jumps)?;
                (*then_branch, *else_branch) = (then, Some((or_else, Box::new(as_expression(otherwise)))));
            }
            Expr::Match(ExprMatch { arms, .. }) => {
                for case in arms {
                    let has_names = !matches!(case.pat, Pat::Wild(_) | Pat::Lit(_) | Pat::Path(_));
                    *case.body = as_expression(self.with_goal_in_arm(Arm::of(&case.body), goal, has_names, jumps)?);
                }
            }
            _ => return None,
        }
        Some(branch)
    }

    /// An arm that returns, or leads to the goal.
    fn with_goal_in_arm(self, arm: Arm<'_>, goal: &Goal, has_names: bool, jumps: usize) -> Option<Block> {
        let (first, rest) = match goal {
            _ if self.ends(arm) => return Some(as_block(self.tail(arm.into_stmts(), jumps))),
            Goal::Return => return Some(as_block(self.tail(arm.into_stmts(), jumps))),
            _ if has_names => return None,
            Goal::Drop(rest) => (Stmt::Expr(arm.into_expression(), Some(Default::default())), rest),
            Goal::Bind(local, rest) => {
                let mut local = local.clone();
                *local.init.as_mut()?.expr = arm.into_expression();
                (Stmt::Local(*local), rest)
            }
        };
        let stmts = std::iter::once(first).chain(rest.iter().cloned()).collect();
        Some(as_block(self.tail(stmts, jumps)))
    }

    /// `let pattern = value else { return a; }; rest` is `if let pattern = value { rest } else { a }`.
    fn let_else(self, local: &Local, rest: Vec<Stmt>, jumps: usize) -> Option<Expr> {
        let init = local.init.as_ref()?;
        let (or_else, diverging) = init.diverge.as_ref()?;
        let otherwise = self.with_goal_in_arm(Arm::of(diverging), &Goal::Return, false, jumps)?;
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
            then_branch: as_block(self.tail(rest, jumps)),
            else_branch: Some((*or_else, Box::new(as_expression(otherwise)))),
        }))
    }

    /// Whether a statement is such a jump, or a branch with an arm that may end in one.
    fn may_be_in(self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Expr(expression, _) => self.may_be_in_arm(Arm::of(expression)),
            Stmt::Local(Local { init: Some(init), .. }) => {
                let diverging =
                    init.diverge.as_ref().is_some_and(|(_, diverging)| self.may_be_in_arm(Arm::of(diverging)));
                diverging || arms(&init.expr).into_iter().any(|arm| self.may_be_in_arm(arm))
            }
            _ => false,
        }
    }

    /// Whether such a jump may be reached in an arm.
    fn may_be_in_arm(self, arm: Arm<'_>) -> bool {
        match arm {
            Arm::Block(block) => block.stmts.iter().any(|stmt| self.may_be_in(stmt)),
            Arm::Expression(jump) if self.is(jump) => true,
            Arm::Expression(branch) => arms(branch).into_iter().any(|arm| self.may_be_in_arm(arm)),
            Arm::Missing => false,
        }
    }

    /// Whether control leaves an arm by such a jump only.
    fn ends(self, arm: Arm<'_>) -> bool {
        match arm {
            Arm::Block(block) => match block.stmts.last() {
                Some(Stmt::Expr(last, _)) => self.ends(Arm::of(last)),
                _ => false,
            },
            Arm::Expression(jump) if self.is(jump) => true,
            Arm::Expression(branch) => {
                let arms = arms(branch);
                !arms.is_empty() && arms.into_iter().all(|arm| self.ends(arm))
            }
            Arm::Missing => false,
        }
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
