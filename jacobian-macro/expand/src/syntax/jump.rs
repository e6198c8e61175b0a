//! Jumps at the end of arms: `if c { return a; } rest` is `if c { a } else { rest }`. What follows a branch that may
//! return is moved into the arm that goes on, so that a `return` becomes the value of the block that it ends, and
//! branches need know of none. The same is done for `continue` in the body of a loop, and for `break`, where what
//! follows the body are the iterations that are left, or that none is left.
//!
//! Nothing is written twice, and no name of a pattern is seen where it was not: where several arms go on, or where the
//! pattern of the one that goes on has names, the branch stays as it is, and its jump is an error unless it is known
//! whether it is taken.

use std::rc::Rc;

use super::place::Place;
use super::tree::{Action, Arm, Block, Expr, ExprKind, If, Iteration, Let, PatternKind, Statement, TargetId};

/// The most jumps of a body, one after the other: each nests the rest of the body deeper.
const MAX_JUMPS: usize = 50;

/// The jumps that become values.
#[derive(Copy, Clone)]
enum Jump {
    /// `return`.
    Return,
    /// `break` out of this loop.
    Break(TargetId),
    /// `break` or `continue` in an iteration of this loop, which is not unrolled: its value is whether another
    /// iteration follows.
    Iteration(TargetId),
    /// `continue` with the next iteration of this loop.
    Continue(TargetId),
}

/// The body of a function with its early returns as values.
pub fn without_returns(body: &Block) -> Block {
    with_statements(body, Jump::Return.tail(body.statements.clone(), MAX_JUMPS))
}

/// Whether a body has more early returns than become values.
pub fn has_many_returns(body: &Block) -> bool {
    body.statements.iter().filter(|statement| Jump::Return.may_be_in(statement)).count() >= MAX_JUMPS
}

/// The body of a loop, with `next` for the iterations that are left, in which jumps are values; none if there is no
/// jump in it.
pub fn without_jumps(own: TargetId, body: &Block, next: Expr) -> Option<Block> {
    let jumps = [Jump::Continue(own), Jump::Break(own)];
    if !body.statements.iter().any(|statement| jumps.iter().any(|jump| jump.may_be_in(statement))) {
        return None;
    }
    let mut statements = without_continues(own, body);
    statements.push(Statement::Expr(next, true));
    Some(with_statements(body, Jump::Break(own).tail(statements, MAX_JUMPS)))
}

/// An iteration of a loop with this condition, in which jumps are values.
pub fn iteration(own: TargetId, condition: Option<&Expr>, body: &Block) -> Iteration {
    let may_break = body.statements.iter().any(|statement| Jump::Break(own).may_be_in(statement));
    let may_end = condition.is_some() || may_break;
    let statements = match may_end {
        true => {
            let mut statements = body.statements.clone();
            if let Some(Statement::Expr(_, is_value)) = statements.last_mut() {
                *is_value = false;
            }
            statements.push(Statement::Expr(truth_value(true, body.place), true));
            Jump::Iteration(own).tail(statements, MAX_JUMPS)
        }
        false => without_continues(own, body),
    };
    let mut iteration = with_statements(body, statements);
    if let Some(condition) = condition {
        let end = block_of(vec![Statement::Expr(truth_value(false, body.place), true)], body.place);
        let branch = If { condition: condition.clone(), then: iteration, otherwise: Some(end) };
        iteration = with_statements(body, vec![Statement::Expr(Expr::new(ExprKind::If(branch), body.place), true)]);
    }
    Iteration { body: iteration, may_end }
}

/// The statements of the body of a loop, in which `continue` is a value that is dropped.
fn without_continues(own: TargetId, body: &Block) -> Vec<Statement> {
    let mut statements = Jump::Continue(own).tail(body.statements.clone(), MAX_JUMPS);
    if let Some(Statement::Expr(_, is_value)) = statements.last_mut() {
        *is_value = false;
    }
    statements
}

fn truth_value(value: bool, place: Place) -> Expr {
    Expr::new(ExprKind::Literal(syn::Lit::Bool(syn::LitBool::new(value, place.span()))), place)
}

fn with_statements(block: &Block, statements: Vec<Statement>) -> Block {
    Block { statements, place: block.place }
}

/// What becomes of the value of an arm that goes on.
enum Goal {
    /// It is returned.
    Return,
    /// It is dropped, and these statements follow.
    Drop(Vec<Statement>),
    /// It is bound, and these statements follow.
    Bind(Rc<Let>, Vec<Statement>),
}

impl Jump {
    /// Whether an expression is such a jump.
    fn is(self, expression: &Expr) -> bool {
        match (self, &*expression.kind) {
            (Jump::Return, ExprKind::Return(_)) => true,
            (Jump::Break(own) | Jump::Iteration(own), ExprKind::Break(target, None)) => *target == Some(own),
            (Jump::Continue(own) | Jump::Iteration(own), ExprKind::Continue(target)) => *target == Some(own),
            _ => false,
        }
    }

    /// What a jump gives.
    fn value(self, jump: &Expr) -> Expr {
        match (self, &*jump.kind) {
            (_, ExprKind::Return(Some(value))) => value.clone(),
            (Jump::Iteration(_), kind) => truth_value(matches!(kind, ExprKind::Continue(_)), jump.place),
            _ => block_of(Vec::new(), jump.place),
        }
    }

    /// Statements, what the last of which gives is returned. At most this many jumps become values.
    fn tail(self, mut statements: Vec<Statement>, jumps: usize) -> Vec<Statement> {
        let position = statements.iter().position(|statement| self.may_be_in(statement));
        let Some(position) = position.filter(|_| jumps > 0) else { return statements };
        let rest = statements[position + 1..].to_vec();
        if let Some(value) = self.returned(&statements[position], rest, jumps - 1) {
            statements.truncate(position);
            statements.push(Statement::Expr(value, true));
        }
        statements
    }

    /// What is returned by a statement that may return, or by those that follow it.
    fn returned(self, statement: &Statement, rest: Vec<Statement>, jumps: usize) -> Option<Expr> {
        match statement {
            Statement::Expr(jump, _) if self.is(jump) => Some(self.value(jump)),
            Statement::Expr(branch, true) if rest.is_empty() => self.with_goal(branch, &Goal::Return, jumps),
            Statement::Expr(branch, _) => self.with_goal(branch, &Goal::Drop(rest), jumps),
            Statement::Let(local) => match &local.otherwise {
                Some(_) => self.let_else(local, rest, jumps),
                None => self.with_goal(local.value.as_ref()?, &Goal::Bind(local.clone(), rest), jumps),
            },
        }
    }

    /// A branch whose arms return, or lead to the goal.
    fn with_goal(self, branch: &Expr, goal: &Goal, jumps: usize) -> Option<Expr> {
        let go_on = arms(branch).iter().filter(|arm| !self.ends(**arm)).count();
        if go_on > 1 && !matches!(goal, Goal::Return) {
            return None;
        }
        let kind = match &*branch.kind {
            ExprKind::If(If { condition, then, otherwise }) => {
                let has_names = !condition.patterns().is_empty();
                let then = self.with_goal_in_arm(Side::Block(then), goal, has_names, jumps)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.with_goal_in_arm(Side::of(otherwise), goal, false, jumps)?,
                    None => self.with_goal_in_arm(Side::Missing(branch.place), goal, false, jumps)?,
                };
                let place = otherwise.place;
                let otherwise = Some(Expr::new(ExprKind::Block(None, otherwise), place));
                ExprKind::If(If { condition: condition.clone(), then, otherwise })
            }
            ExprKind::Match(subject, cases) => {
                let with_goal = |case: &Arm| {
                    let has_names = !matches!(
                        case.pattern.kind,
                        PatternKind::Wild | PatternKind::Literal(_) | PatternKind::Path(_)
                    );
                    let body = self.with_goal_in_arm(Side::of(&case.body), goal, has_names, jumps)?;
                    let body = Expr::new(ExprKind::Block(None, body), case.body.place);
                    Some(Arm { body, ..case.clone() })
                };
                ExprKind::Match(subject.clone(), cases.iter().map(with_goal).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Some(Expr::new(kind, branch.place))
    }

    /// An arm that returns, or leads to the goal.
    fn with_goal_in_arm(self, arm: Side<'_>, goal: &Goal, has_names: bool, jumps: usize) -> Option<Block> {
        let place = arm.place();
        let (first, rest) = match goal {
            _ if self.ends(arm) => return Some(Block { statements: self.tail(arm.statements(), jumps), place }),
            Goal::Return => return Some(Block { statements: self.tail(arm.statements(), jumps), place }),
            _ if has_names => return None,
            Goal::Drop(rest) => (Statement::Expr(arm.expression(), false), rest),
            Goal::Bind(local, rest) => {
                (Statement::Let(Let { value: Some(arm.expression()), ..(**local).clone() }.into()), rest)
            }
        };
        let statements = std::iter::once(first).chain(rest.iter().cloned()).collect();
        Some(Block { statements: self.tail(statements, jumps), place })
    }

    /// `let pattern = value else { return a; }; rest` is `if let pattern = value { rest } else { a }`.
    fn let_else(self, local: &Let, rest: Vec<Statement>, jumps: usize) -> Option<Expr> {
        let otherwise = local.otherwise.as_ref()?;
        let diverging = self.with_goal_in_arm(Side::of(otherwise), &Goal::Return, false, jumps)?;
        let value = local.value.clone()?;
        let place = value.place;
        let condition = Expr::new(ExprKind::Let(local.pattern.clone(), value), place);
        let then = Block { statements: self.tail(rest, jumps), place };
        let otherwise = Some(Expr::new(ExprKind::Block(None, diverging), otherwise.place));
        Some(Expr::new(ExprKind::If(If { condition, then, otherwise }), place))
    }

    /// Whether a statement is such a jump, or a branch with an arm that may end in one, or a `let` with an `else` that
    /// panics.
    fn may_be_in(self, statement: &Statement) -> bool {
        match statement {
            Statement::Expr(expression, _) => self.may_be_in_arm(Side::of(expression)),
            Statement::Let(local) => {
                let diverging = local.otherwise.as_ref();
                let of_value = local.value.iter().flat_map(arms);
                diverging.is_some_and(panics)
                    || diverging.map(Side::of).into_iter().chain(of_value).any(|arm| self.may_be_in_arm(arm))
            }
        }
    }

    /// Whether such a jump may be reached in an arm.
    fn may_be_in_arm(self, arm: Side<'_>) -> bool {
        match arm {
            Side::Block(block) => block.statements.iter().any(|statement| self.may_be_in(statement)),
            Side::Expression(jump) if self.is(jump) => true,
            Side::Expression(branch) => arms(branch).into_iter().any(|arm| self.may_be_in_arm(arm)),
            Side::Missing(_) => false,
        }
    }

    /// Whether control leaves an arm by such a jump only.
    fn ends(self, arm: Side<'_>) -> bool {
        match arm {
            Side::Block(block) => match block.statements.last() {
                Some(Statement::Expr(last, _)) => self.ends(Side::of(last)),
                _ => false,
            },
            Side::Expression(jump) if self.is(jump) => true,
            Side::Expression(branch) => {
                let arms = arms(branch);
                !arms.is_empty() && arms.into_iter().all(|arm| self.ends(arm))
            }
            Side::Missing(_) => false,
        }
    }
}

/// The arms of a branch.
fn arms(branch: &Expr) -> Vec<Side<'_>> {
    match &*branch.kind {
        ExprKind::If(If { then, otherwise, .. }) => {
            vec![Side::Block(then), otherwise.as_ref().map_or(Side::Missing(branch.place), Side::of)]
        }
        ExprKind::Match(_, cases) => cases.iter().map(|case| Side::of(&case.body)).collect(),
        _ => Vec::new(),
    }
}

/// An arm of a branch.
#[derive(Copy, Clone)]
enum Side<'e> {
    Block(&'e Block),
    Expression(&'e Expr),
    /// That of an `if` without `else`, at this place.
    Missing(Place),
}

impl<'e> Side<'e> {
    fn of(expression: &'e Expr) -> Self {
        match &*expression.kind {
            ExprKind::Block(None, block) => Side::Block(block),
            _ => Side::Expression(expression),
        }
    }

    fn place(self) -> Place {
        match self {
            Side::Block(block) => block.place,
            Side::Expression(expression) => expression.place,
            Side::Missing(place) => place,
        }
    }

    fn statements(self) -> Vec<Statement> {
        match self {
            Side::Block(block) => block.statements.clone(),
            Side::Expression(expression) => vec![Statement::Expr(expression.clone(), true)],
            Side::Missing(_) => Vec::new(),
        }
    }

    fn expression(self) -> Expr {
        match self {
            Side::Expression(expression) => expression.clone(),
            block => block_of(block.statements(), block.place()),
        }
    }
}

/// Whether a block ends with a macro that panics.
fn panics(block: &Expr) -> bool {
    let statements = Side::of(block).statements();
    match statements.last() {
        Some(Statement::Expr(last, _)) => {
            matches!(&*last.kind, ExprKind::Macro(call) if matches!(call.action, Action::Panic))
        }
        _ => false,
    }
}

fn block_of(statements: Vec<Statement>, place: Place) -> Expr {
    Expr::new(ExprKind::Block(None, Block { statements, place }), place)
}
