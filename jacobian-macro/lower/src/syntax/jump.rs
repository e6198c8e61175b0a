//! Jumps as values: `if c { return a; } rest` is `if c { a } else { rest }`. What follows a branch that may return is
//! moved into the arm that goes on, so that a `return` becomes the value of the block that it ends, and branches need
//! know of none. The same is done for `break` out of a block with a label; for `continue` in the body of a loop; and for
//! `break` out of a loop, where what follows the body are the iterations that are left, or that none is left.
//!
//! Nothing is written twice, and no name of a pattern is seen where it was not. So where several arms go on, or where
//! the pattern of the one that goes on has names, the jumps in the arms are noted in a variable, with their values in
//! another: `if d { if c { r = a; is_left = true; } } if is_left { r } else { rest }`.
//!
//! Jumps out of loops are such jumps after the loop by then (`leave.rs`).

use std::rc::Rc;

use quote::quote;

use super::build::{Note, Own, Variables, block_of, of_option, statement, truth_value};
use super::place::Place;
use super::tree::{
    Action, Arm, Block, Expr, ExprKind, If, Iteration, Let, Macro, Noted, Path, Pattern, PatternKind, PatternVariable,
    Statement, TargetId,
};
use super::walk::Node;

/// The most jumps of a body, one after the other: each nests the rest of the body deeper.
const MAX_JUMPS: usize = 50;

/// The jumps that become values.
#[derive(Copy, Clone)]
enum Jump {
    /// `return`.
    Return,
    /// `break` out of this block.
    Leave(TargetId),
    /// `break` out of this loop.
    Break(TargetId),
    /// `break` or `continue` in an iteration of this loop, which is not unrolled: its value is whether another
    /// iteration follows.
    Iteration(TargetId),
    /// `continue` with the next iteration of this loop.
    Continue(TargetId),
}

/// The body of a function with its early returns as values.
pub fn without_returns(body: &Block, variables: &mut Variables) -> Block {
    with_statements(body, values(Jump::Return, variables).tail(body.statements.clone(), MAX_JUMPS))
}

/// The body of a block with a label, with the jumps out of it as values.
pub fn without_breaks(own: TargetId, body: &Block, variables: &mut Variables) -> Block {
    with_statements(body, values(Jump::Leave(own), variables).tail(body.statements.clone(), MAX_JUMPS))
}

/// Whether a body has more early returns than become values.
pub fn has_many_returns(body: &Block) -> bool {
    body.statements.iter().filter(|statement| Jump::Return.may_be_in(statement)).count() >= MAX_JUMPS
}

/// The body of a loop, with `next` for the iterations that are left, in which jumps are values; none if there is no
/// jump in it.
pub fn without_jumps(own: TargetId, body: &Block, next: Expr, variables: &mut Variables) -> Option<Block> {
    let jumps = [Jump::Continue(own), Jump::Break(own)];
    if !body.statements.iter().any(|statement| jumps.iter().any(|jump| jump.may_be_in(statement))) {
        return None;
    }
    let mut statements = without_continues(own, body, variables);
    statements.push(Statement::Expr(next, true));
    Some(with_statements(body, values(Jump::Break(own), variables).tail(statements, MAX_JUMPS)))
}

/// The same of a body that may hold something until its end, if it may, after which the iterations follow that are left.
pub fn noted_jumps(own: TargetId, items: &Expr, body: &Block, next: Expr, variables: &mut Variables) -> Option<Noted> {
    let is_held = |statement: &Statement| match statement {
        Statement::Let(local) => local.value.as_ref().is_some_and(Expr::may_hold),
        // A variable that is declared without a value.
        Statement::Expr(assigned, _) => {
            matches!(&*assigned.kind, ExprKind::Assign(_, value) if value.may_hold())
        }
    };
    let may_break = body.statements.iter().any(|statement| Jump::Break(own).may_be_in(statement));
    if !may_break || !items.may_hold() && !body.statements.iter().any(is_held) {
        return None;
    }
    let (place, statements) = (body.place, without_continues(own, body, variables));
    let note = Note::new(false, variables);
    let mut values = Values { jump: Jump::Break(own), note: Some(note.clone()), variables };
    let body = with_statements(body, values.tail(statements, MAX_JUMPS));
    let after = vec![Statement::Expr(note.branch(Vec::new(), Some(vec![statement(next)]), place), false)];
    Some(Noted { before: note.declared(None, place), body, after })
}

/// `a = value;`, `a += value;`, `return value;` or `break value;`, where the value may jump, as `let own = value; a += own;`.
/// The place is evaluated after the value, but for a `+=` that is no operator of numbers: that of a variable or of its
/// fields does nothing, and where there is an index, such a `+=` is refused (`Lowering::update`).
pub fn apart(statement: Statement, variables: &mut Variables) -> Vec<Statement> {
    let Statement::Expr(whole, is_value) = &statement else { return vec![statement] };
    let (value, with): (_, &dyn Fn(Expr) -> ExprKind) = match &*whole.kind {
        ExprKind::Assign(target, value) => (value, &|own| ExprKind::Assign(target.clone(), own)),
        ExprKind::Update(op, target, value) if is_place(target) => {
            (value, &|own| ExprKind::Update(*op, target.clone(), own))
        }
        ExprKind::Return(Some(value)) => (value, &|own| ExprKind::Return(Some(own))),
        ExprKind::Break(target, Some(value)) => (value, &|own| ExprKind::Break(*target, Some(own))),
        _ => return vec![statement],
    };
    if !is_left(value) && !arms(value).iter().any(|(arm, _)| jumps(*arm)) {
        return vec![statement];
    }
    let own = Own::new("value", variables);
    let assigned = Expr::new(with(own.read(value.place)), whole.place);
    vec![own.bound(value.clone()), Statement::Expr(assigned, *is_value)]
}

/// Whether it is a block with a label, and jumps in it lead to somewhere else than after it.
fn is_left(value: &Expr) -> bool {
    if !matches!(&*value.kind, ExprKind::Labelled(_)) {
        return false;
    }
    let (mut within, mut is_left) = (Vec::new(), false);
    value.walk(&mut |node| {
        let Node::Expr(inner) = node else { return };
        match &*inner.kind {
            ExprKind::For(repetition) => within.push(repetition.target),
            ExprKind::While(repetition) => within.push(repetition.target),
            ExprKind::Labelled(labelled) => within.push(labelled.target),
            ExprKind::Return(_) => is_left = true,
            ExprKind::Break(target, _) | ExprKind::Continue(target) => {
                is_left |= target.is_some_and(|to| !within.contains(&to));
            }
            _ => {}
        }
    });
    is_left
}

/// Whether it is a variable, a field or an element of one, or what one refers to.
fn is_place(target: &Expr) -> bool {
    match &*target.kind {
        ExprKind::Variable(..) => true,
        ExprKind::Field(inner, _) | ExprKind::Index(inner, _) | ExprKind::Unary(syn::UnOp::Deref(_), inner) => {
            is_place(inner)
        }
        _ => false,
    }
}

/// Whether an arm may jump.
fn jumps(arm: Side<'_>) -> bool {
    let of = |expression: &Expr| jumps(Side::of(expression));
    match arm {
        Side::Block(block) => block.statements.iter().any(|statement| match statement {
            Statement::Expr(expression, _) => of(expression),
            Statement::Let(local) => local.value.iter().chain(&local.otherwise).any(of),
        }),
        Side::Expression(inner) => match &*inner.kind {
            ExprKind::Return(_) | ExprKind::Break(..) | ExprKind::Continue(_) => true,
            _ => arms(inner).into_iter().any(|(arm, _)| jumps(arm)),
        },
        Side::Missing(_) => false,
    }
}

/// An iteration of a loop with this condition, in which jumps are values.
pub fn iteration(own: TargetId, condition: Option<&Expr>, body: &Block, variables: &mut Variables) -> Iteration {
    let may_break = body.statements.iter().any(|statement| Jump::Break(own).may_be_in(statement));
    let may_end = condition.is_some() || may_break;
    let statements = match may_end {
        true => {
            let mut statements = body.statements.clone();
            if let Some(Statement::Expr(_, is_value)) = statements.last_mut() {
                *is_value = false;
            }
            statements.push(Statement::Expr(truth_value(true, body.place), true));
            values(Jump::Iteration(own), variables).tail(statements, MAX_JUMPS)
        }
        false => without_continues(own, body, variables),
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
fn without_continues(own: TargetId, body: &Block, variables: &mut Variables) -> Vec<Statement> {
    let mut statements = values(Jump::Continue(own), variables).tail(body.statements.clone(), MAX_JUMPS);
    if let Some(Statement::Expr(_, is_value)) = statements.last_mut() {
        *is_value = false;
    }
    statements
}

fn with_statements(block: &Block, statements: Vec<Statement>) -> Block {
    Block { statements, place: block.place }
}

/// A value after which control does not come to these statements: `if true { value } else { rest }`. Nothing is
/// lowered of them, but they may tell of which type an integer is.
fn before_dead(value: Expr, rest: &[Statement]) -> Expr {
    if rest.is_empty() {
        return value;
    }
    let place = value.place;
    let mut dead = rest.to_vec();
    if !matches!(dead.last(), Some(Statement::Expr(_, true))) {
        dead.push(Statement::Expr(Expr::new(ExprKind::Unreached(None), place), true));
    }
    let then = Block { statements: vec![Statement::Expr(value, true)], place };
    let branch = If { condition: truth_value(true, place), then, otherwise: Some(block_of(dead, place)) };
    Expr::new(ExprKind::If(branch), place)
}

/// `let pattern = value else { .. };`, where the value may hold something until the end of the statement, and no longer:
/// what the pattern binds is taken out of it before.
fn bound_before(local: &Let, variables: &mut Variables) -> Option<[Statement; 2]> {
    let (value, place) = (local.value.as_ref()?, local.place);
    let mut bound = Vec::new();
    local.pattern.variables(&mut bound);
    let is_extended = bound.iter().any(|variable| variable.by_ref);
    if local.otherwise.is_none() || is_extended || !value.may_hold_beside(&local.pattern) {
        return None;
    }
    let parts = bound.iter().map(|variable| Own::of(variable.id, variable.ident.clone()).read(place)).collect();
    let patterns = bound.iter().map(|variable| Pattern::new(PatternKind::Variable((*variable).clone()), place));
    let patterns = Pattern::new(PatternKind::Tuple(patterns.collect()), place);
    let [some, none] = [quote!(Some), quote!(None)].map(|variant| of_option(&variant));
    let path = |path: &Path| Expr::new(ExprKind::Path(path.clone()), place);
    let given = Expr::new(ExprKind::Call(path(&some), vec![Expr::new(ExprKind::Tuple(parts), place)]), place);
    let arms = [(immutable(&local.pattern), given), (Pattern::new(PatternKind::Wild, place), path(&none))];
    let arms = arms.map(|(pattern, body)| Arm { pattern, guard: None, body }).into();
    let matched = Own::new("matched", variables);
    let pattern = Pattern::new(PatternKind::TupleStruct(some, vec![patterns]), local.pattern.place);
    let rest = Let { pattern, ty: None, value: Some(matched.read(place)), ..local.clone() };
    let value = Expr::new(ExprKind::Match(value.clone(), arms), place);
    Some([matched.declared(None, Some(value), place), Statement::Let(Rc::new(rest))])
}

/// The pattern, whose variables nothing changes.
fn immutable(pattern: &Pattern) -> Pattern {
    let all = |parts: &[Pattern]| parts.iter().map(immutable).collect();
    let kind = match &pattern.kind {
        PatternKind::Variable(variable) => PatternKind::Variable(PatternVariable {
            is_mut: false,
            inner: variable.inner.as_deref().map(|inner| immutable(inner).into()),
            ..variable.clone()
        }),
        PatternKind::Tuple(parts) => PatternKind::Tuple(all(parts)),
        PatternKind::Slice(parts) => PatternKind::Slice(all(parts)),
        PatternKind::Or(parts) => PatternKind::Or(all(parts)),
        PatternKind::TupleStruct(path, parts) => PatternKind::TupleStruct(path.clone(), all(parts)),
        PatternKind::Struct(path, fields, has_rest) => {
            let fields = fields.iter().map(|(member, part)| (member.clone(), immutable(part))).collect();
            PatternKind::Struct(path.clone(), fields, *has_rest)
        }
        PatternKind::Reference(is_mutable, inner) => PatternKind::Reference(*is_mutable, immutable(inner).into()),
        PatternKind::Paren(inner) => PatternKind::Paren(immutable(inner).into()),
        other => other.clone(),
    };
    Pattern { kind, place: pattern.place }
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

/// Makes jumps of one kind values.
struct Values<'v> {
    jump: Jump,
    /// Where they are noted instead, if they are: their value is `()` then.
    note: Option<Note>,
    variables: &'v mut Variables,
}

fn values(jump: Jump, variables: &mut Variables) -> Values<'_> {
    Values { jump, note: None, variables }
}

impl Values<'_> {
    /// Statements, what the last of which gives is returned. At most this many jumps become values.
    fn tail(&mut self, mut statements: Vec<Statement>, jumps: usize) -> Vec<Statement> {
        let position = statements.iter().position(|statement| self.jump.may_be_in(statement));
        let Some(position) = position.filter(|_| jumps > 0) else { return statements };
        let rest = statements.split_off(position + 1);
        let Some(last) = statements.pop() else { return statements };
        match &last {
            Statement::Expr(branch, is_value) if !(*is_value && rest.is_empty()) && self.jump.is_noted(branch) => {
                self.note(branch, rest, jumps - 1, &mut statements);
            }
            Statement::Let(local) if let Some(assigned) = self.assigned_in_arms(local) => {
                statements.extend(assigned.into_iter().chain(rest));
                return self.tail(statements, jumps);
            }
            Statement::Let(local) if let Some(bound) = bound_before(local, self.variables) => {
                statements.extend(bound.into_iter().chain(rest));
                return self.tail(statements, jumps);
            }
            _ => match self.returned(&last, &rest, jumps - 1) {
                Some(value) => statements.push(Statement::Expr(value, true)),
                None => statements.extend(std::iter::once(last).chain(rest)),
            },
        }
        statements
    }

    /// A branch whose jumps are noted, and what follows it.
    fn note(&mut self, branch: &Expr, rest: Vec<Statement>, jumps: usize, statements: &mut Vec<Statement>) {
        let (jump, place, is_new) = (self.jump, branch.place, self.note.is_none());
        let note = self.note.clone().unwrap_or_else(|| Note::new(jump.gives(branch), self.variables));
        if is_new {
            statements.extend(note.declared(jump.unreached(place), place));
        }
        let mut arms = Values { jump, note: Some(note.clone()), variables: self.variables };
        statements.push(statement(arms.in_arms(branch, jumps)));
        if !is_new && rest.is_empty() {
            return;
        }
        let given = note.given(place).filter(|_| is_new);
        let then = given.into_iter().map(|given| Statement::Expr(given, true)).collect();
        let otherwise = self.tail(rest, jumps);
        statements.push(Statement::Expr(note.branch(then, Some(otherwise), place), true));
    }

    /// A branch whose arms end where they jump.
    fn in_arms(&mut self, branch: &Expr, jumps: usize) -> Expr {
        let mut in_block = |arm: Side<'_>| Block { statements: self.tail(arm.statements(), jumps), place: arm.place() };
        let kind = match &*branch.kind {
            ExprKind::If(If { condition, then, otherwise }) => {
                let then = in_block(Side::Block(then));
                let otherwise = otherwise
                    .as_ref()
                    .map(|otherwise| Expr::new(ExprKind::Block(in_block(Side::of(otherwise))), otherwise.place));
                ExprKind::If(If { condition: condition.clone(), then, otherwise })
            }
            ExprKind::Match(subject, cases) => {
                let mut in_case = |case: &Arm| {
                    let body = Expr::new(ExprKind::Block(in_block(Side::of(&case.body))), case.body.place);
                    Arm { body, ..case.clone() }
                };
                ExprKind::Match(subject.clone(), cases.iter().map(&mut in_case).collect())
            }
            _ => ExprKind::Block(in_block(Side::of(branch))),
        };
        Expr::new(kind, branch.place)
    }

    /// `let pattern = branch;`, where what follows cannot be moved into an arm: the arms assign a variable.
    fn assigned_in_arms(&mut self, local: &Let) -> Option<[Statement; 3]> {
        let (value, place) = (local.value.as_ref()?, local.place);
        if local.otherwise.is_some() || arms(value).is_empty() || !self.jump.is_noted(value) {
            return None;
        }
        let chosen = Own::new("chosen", self.variables);
        let branch = assigned_by(value, &chosen)?;
        let bound = Let { value: Some(chosen.read(value.place)), ..local.clone() };
        Some([chosen.declared(local.ty.clone(), None, place), statement(branch), Statement::Let(Rc::new(bound))])
    }

    /// What is returned by a statement that may return, or by those that follow it.
    fn returned(&mut self, statement: &Statement, rest: &[Statement], jumps: usize) -> Option<Expr> {
        let (value, returned) = match statement {
            Statement::Expr(jump, _) if self.jump.is(jump) => return Some(before_dead(self.value(jump), rest)),
            Statement::Expr(branch, true) if rest.is_empty() => return self.with_goal(branch, &Goal::Return, jumps),
            Statement::Expr(branch, _) => (branch, self.with_goal(branch, &Goal::Drop(rest.to_vec()), jumps)?),
            Statement::Let(local) => match (&local.otherwise, local.value.as_ref()?) {
                (Some(_), _) => return self.let_else(local, rest.to_vec(), jumps),
                (None, value) => (value, self.with_goal(value, &Goal::Bind(local.clone(), rest.to_vec()), jumps)?),
            },
        };
        Some(if self.goes_on(value) == 0 { before_dead(returned, rest) } else { returned })
    }

    /// What a jump gives.
    fn value(&self, jump: &Expr) -> Expr {
        let value = self.jump.value(jump);
        match &self.note {
            Some(note) => block_of(note.taken(value, jump.place), jump.place),
            None => value.unwrap_or_else(|| block_of(Vec::new(), jump.place)),
        }
    }

    /// A branch whose arms return, or lead to the goal.
    fn with_goal(&mut self, branch: &Expr, goal: &Goal, jumps: usize) -> Option<Expr> {
        if self.goes_on(branch) > 1 && !matches!(goal, Goal::Return) {
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
                let otherwise = Some(Expr::new(ExprKind::Block(otherwise), place));
                ExprKind::If(If { condition: condition.clone(), then, otherwise })
            }
            ExprKind::Match(subject, cases) => {
                let mut with_goal = |case: &Arm| {
                    let body = self.with_goal_in_arm(Side::of(&case.body), goal, has_names(case), jumps)?;
                    let body = Expr::new(ExprKind::Block(body), case.body.place);
                    Some(Arm { body, ..case.clone() })
                };
                ExprKind::Match(subject.clone(), cases.iter().map(&mut with_goal).collect::<Option<_>>()?)
            }
            ExprKind::Block(block) if matches!(goal, Goal::Return) => {
                ExprKind::Block(self.with_goal_in_arm(Side::Block(block), goal, false, jumps)?)
            }
            _ => return None,
        };
        Some(Expr::new(kind, branch.place))
    }

    /// The number of arms of a branch that go on.
    fn goes_on(&self, branch: &Expr) -> usize {
        arms(branch).iter().filter(|(arm, _)| !self.jump.ends(*arm) && !arm.never_goes_on()).count()
    }

    /// An arm that returns, or leads to the goal.
    fn with_goal_in_arm(&mut self, arm: Side<'_>, goal: &Goal, has_names: bool, jumps: usize) -> Option<Block> {
        let place = arm.place();
        let (first, rest) = match goal {
            _ if self.jump.ends(arm) => return Some(Block { statements: self.tail(arm.statements(), jumps), place }),
            _ if arm.never_goes_on() => return Some(Block { statements: arm.statements(), place }),
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
    fn let_else(&mut self, local: &Let, rest: Vec<Statement>, jumps: usize) -> Option<Expr> {
        let otherwise = local.otherwise.as_ref()?;
        let diverging = self.with_goal_in_arm(Side::of(otherwise), &Goal::Return, false, jumps)?;
        let value = local.value.clone()?;
        let place = value.place;
        let condition = Expr::new(ExprKind::Let(local.pattern.clone(), value), place);
        let then = Block { statements: self.tail(rest, jumps), place };
        let otherwise = Some(Expr::new(ExprKind::Block(diverging), otherwise.place));
        Some(Expr::new(ExprKind::If(If { condition, then, otherwise }), place))
    }
}

impl Jump {
    /// Whether an expression is such a jump.
    fn is(self, expression: &Expr) -> bool {
        match (self, &*expression.kind) {
            (Jump::Return, ExprKind::Return(_)) => true,
            (Jump::Leave(own), ExprKind::Break(target, _)) => *target == Some(own),
            (Jump::Break(own) | Jump::Iteration(own), ExprKind::Break(target, None)) => *target == Some(own),
            (Jump::Continue(own) | Jump::Iteration(own), ExprKind::Continue(target)) => *target == Some(own),
            _ => false,
        }
    }

    /// What a jump gives, if it does.
    fn value(self, jump: &Expr) -> Option<Expr> {
        match (self, &*jump.kind) {
            (_, ExprKind::Return(value) | ExprKind::Break(_, value @ Some(_))) => value.clone(),
            (Jump::Iteration(_), kind) => Some(truth_value(matches!(kind, ExprKind::Continue(_)), jump.place)),
            _ => None,
        }
    }

    /// Whether the jumps in an expression give something.
    fn gives(self, expression: &Expr) -> bool {
        let gives = |expression: &Expr| match self.is(expression) {
            true => self.value(expression).is_some(),
            false => arms(expression).iter().any(|(arm, _)| self.gives_in(arm.statements())),
        };
        gives(expression)
    }

    fn gives_in(self, statements: Vec<Statement>) -> bool {
        statements.iter().any(|statement| match statement {
            Statement::Expr(expression, _) => self.gives(expression),
            Statement::Let(local) => local.value.iter().chain(&local.otherwise).any(|value| self.gives(value)),
        })
    }

    /// What stands for the value of a jump as long as it is not reached.
    fn unreached(self, place: Place) -> Option<Expr> {
        match self {
            Jump::Return => Some(Expr::new(ExprKind::Unreached(None), place)),
            Jump::Leave(own) => Some(Expr::new(ExprKind::Unreached(Some(own)), place)),
            Jump::Iteration(_) => Some(truth_value(false, place)),
            Jump::Break(_) | Jump::Continue(_) => None,
        }
    }

    /// Whether the jumps of a branch are noted: what follows it cannot be moved into one of its arms. In a `match`, it
    /// would run before what the subject holds is given back.
    fn is_noted(self, branch: &Expr) -> bool {
        let go_on: Vec<_> = arms(branch).into_iter().filter(|(arm, _)| !self.ends(*arm)).collect();
        let is_block = matches!(&*branch.kind, ExprKind::Block(_));
        let is_held = matches!(&*branch.kind, ExprKind::Match(subject, _) if subject.may_hold());
        is_block || is_held || go_on.len() > 1 || go_on.iter().any(|(_, has_names)| *has_names)
    }

    /// Whether a statement is such a jump, or a branch with an arm that may end in one, or a `let` with an `else` that
    /// panics.
    fn may_be_in(self, statement: &Statement) -> bool {
        match statement {
            Statement::Expr(expression, _) => self.may_be_in_arm(Side::of(expression)),
            Statement::Let(local) => {
                let diverging = local.otherwise.as_ref();
                let of_value = local.value.iter().flat_map(arms).map(|(arm, _)| arm);
                diverging.is_some_and(|diverging| Side::of(diverging).never_goes_on())
                    || diverging.map(Side::of).into_iter().chain(of_value).any(|arm| self.may_be_in_arm(arm))
            }
        }
    }

    /// Whether such a jump may be reached in an arm.
    fn may_be_in_arm(self, arm: Side<'_>) -> bool {
        match arm {
            Side::Block(block) => block.statements.iter().any(|statement| self.may_be_in(statement)),
            Side::Expression(jump) if self.is(jump) => true,
            Side::Expression(branch) => arms(branch).into_iter().any(|(arm, _)| self.may_be_in_arm(arm)),
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
                !arms.is_empty() && arms.into_iter().all(|(arm, _)| self.ends(arm) || arm.never_goes_on())
            }
            Side::Missing(_) => false,
        }
    }
}

/// The arms of a branch, each with whether names are bound before it.
fn arms(branch: &Expr) -> Vec<(Side<'_>, bool)> {
    match &*branch.kind {
        ExprKind::If(If { condition, then, otherwise }) => {
            let has_names = !condition.patterns().is_empty();
            let otherwise = otherwise.as_ref().map_or(Side::Missing(branch.place), Side::of);
            vec![(Side::Block(then), has_names), (otherwise, false)]
        }
        ExprKind::Match(_, cases) => cases.iter().map(|case| (Side::of(&case.body), has_names(case))).collect(),
        ExprKind::Block(block) => vec![(Side::Block(block), false)],
        _ => Vec::new(),
    }
}

/// A branch, the arms of which assign their values; none where one of them has no value that can be seen.
fn assigned_by(branch: &Expr, chosen: &Own) -> Option<Expr> {
    let kind = match &*branch.kind {
        ExprKind::If(If { condition, then, otherwise }) => {
            let otherwise = Some(block_of(assigned_by_arm(Side::of(otherwise.as_ref()?), chosen)?, branch.place));
            let then = with_statements(then, assigned_by_arm(Side::Block(then), chosen)?);
            ExprKind::If(If { condition: condition.clone(), then, otherwise })
        }
        ExprKind::Match(subject, cases) => {
            let case = |case: &Arm| {
                let body = block_of(assigned_by_arm(Side::of(&case.body), chosen)?, case.body.place);
                Some(Arm { body, ..case.clone() })
            };
            ExprKind::Match(subject.clone(), cases.iter().map(case).collect::<Option<_>>()?)
        }
        ExprKind::Block(block) => ExprKind::Block(with_statements(block, assigned_by_arm(Side::Block(block), chosen)?)),
        _ => return None,
    };
    Some(Expr::new(kind, branch.place))
}

/// A block that assigns its value to a variable; none where it has no value that can be seen.
pub fn assigning(block: &Block, own: &Own) -> Option<Block> {
    Some(with_statements(block, assigned_by_arm(Side::Block(block), own)?))
}

fn assigned_by_arm(arm: Side<'_>, chosen: &Own) -> Option<Vec<Statement>> {
    let mut statements = arm.statements();
    let Some(Statement::Expr(last, is_value)) = statements.pop() else { return None };
    let is_left = matches!(
        &*last.kind,
        ExprKind::Return(_)
            | ExprKind::Break(..)
            | ExprKind::Continue(_)
            | ExprKind::Leave(_)
            | ExprKind::Macro(Macro { action: Action::Panic, .. })
    );
    statements.push(match is_value {
        _ if is_left => statement(last),
        true if arms(&last).is_empty() => chosen.assigned(last.clone(), last.place),
        true => statement(assigned_by(&last, chosen)?),
        false => return None,
    });
    Some(statements)
}

/// Whether the pattern of an arm binds names, as far as can be seen.
fn has_names(case: &Arm) -> bool {
    !matches!(case.pattern.kind, PatternKind::Wild | PatternKind::Literal(_) | PatternKind::Path(_))
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
            ExprKind::Block(block) => Side::Block(block),
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

    /// Whether it ends with a macro that panics, or leaves the function with what is no value.
    fn never_goes_on(self) -> bool {
        let last = match self {
            Side::Block(Block { statements, .. }) => match statements.last() {
                Some(Statement::Expr(last, _)) => last,
                _ => return false,
            },
            Side::Expression(expression) => expression,
            Side::Missing(_) => return false,
        };
        let is_panic = |kind: &ExprKind| matches!(kind, ExprKind::Macro(call) if matches!(call.action, Action::Panic));
        is_panic(&last.kind) || matches!(&*last.kind, ExprKind::Leave(_))
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
