//! Jumps out of loops to somewhere else than after them: `return`, and `break` and `continue` of a loop or a block
//! further out. In an iteration, such a jump is noted in variables that are declared in front of the loop, and the loop
//! is left by its own `break`; after the loop, a branch goes on with the jump:
//!
//! ```text
//!                                         let (mut is_left, mut given) = (false, _);
//! for y in data {                         for y in data {
//!     if *y > x { return *y; }     is         if *y > x { given = *y; is_left = true; break; }
//! }                                       }
//! rest                                    if is_left { return given; }
//!                                         rest
//! ```
//!
//! `jump.rs` makes a value of what is left. One that leads out of several loops is noted once, in front of the outermost
//! of them. Where it is known whether it is reached, nothing comes of its variables. Blocks with a label are left in the
//! same way.
//!
//! Such a loop or block takes the place of the one that is written. Any other one stays as it is, to be kept as it is
//! written where nothing in it is active; what is lowered otherwise is beside that (`For::iteration`).

use std::rc::Rc;

use super::build::{Note, Own, Variables, block_of, statement};
use super::jump;
use super::place::Place;
use super::tree::{Arm, Block, Expr, ExprKind, For, If, Labelled, Let, Statement, TargetId, Type, While};

/// The body of a function or of a closure in which no jump leads out of a loop to somewhere else than after it.
pub fn without_exits(body: &Block, variables: &mut Variables) -> Block {
    Leaving::new(true, variables).block(body).unwrap_or_else(|| body.clone())
}

/// The body of a block with a label, with the jumps out of it as values.
pub fn without_breaks(own: TargetId, body: &Block, variables: &mut Variables) -> Block {
    let mut leaving = Leaving::new(false, variables);
    leaving.around.push(own);
    let inner = leaving.block(body);
    jump::without_breaks(own, inner.as_ref().unwrap_or(body), variables)
}

/// A loop without condition, with a variable in which its iterations note the values that they leave it with.
pub fn with_value(repetition: While, variables: &mut Variables) -> While {
    let own = repetition.target;
    let is_given = |inner: &Expr| matches!(&*inner.kind, ExprKind::Break(to, Some(_)) if *to == Some(own));
    if !repetition.body.has(&is_given) {
        return repetition;
    }
    let given = Own::new("given", variables);
    let body = Leaving::new(false, variables).left(&repetition.body, (own, Some(&given)));
    let iteration = jump::iteration(own, None, body.as_ref().unwrap_or(&repetition.body), variables);
    While { iteration, given: Some(given.variable()), ..repetition }
}

/// Where a jump leads.
#[derive(Copy, Clone, PartialEq, Eq)]
enum To {
    Return,
    Break(TargetId),
    Continue(TargetId),
}

impl To {
    /// Where this one leads, and its value.
    fn of(jump: &Expr) -> Option<(To, Option<&Expr>)> {
        Some(match &*jump.kind {
            ExprKind::Return(value) => (To::Return, value.as_ref()),
            ExprKind::Break(Some(target), value) => (To::Break(*target), value.as_ref()),
            ExprKind::Continue(Some(target)) => (To::Continue(*target), None),
            _ => return None,
        })
    }

    fn target(self) -> Option<TargetId> {
        match self {
            To::Return => None,
            To::Break(target) | To::Continue(target) => Some(target),
        }
    }

    /// The jump, with this value.
    fn jump(self, value: Option<Expr>, place: Place) -> Expr {
        let kind = match self {
            To::Return => ExprKind::Return(value),
            To::Break(target) => ExprKind::Break(Some(target), value),
            To::Continue(target) => ExprKind::Continue(Some(target)),
        };
        Expr::new(kind, place)
    }
}

/// The walk over a body, from the outside to the inside. What gives none has nothing in it that is rewritten.
struct Leaving<'v> {
    variables: &'v mut Variables,
    /// The loops and the blocks with labels around this place.
    around: Vec<TargetId>,
    /// How many of them cannot be left from here, for a value is expected.
    closed: usize,
    /// Whether the function can be left from here.
    may_return: bool,
    /// How jumps are noted that lead out of the loop at this place.
    noted: Vec<(To, Note)>,
    /// Those of them that are in the present loop.
    used: Vec<To>,
}

/// A loop or a block that is left.
struct Left {
    before: Vec<Statement>,
    construct: Expr,
    after: Vec<Statement>,
    /// Whether control reaches what follows.
    goes_on: bool,
}

impl Left {
    /// It as statements, whose value is used if it is one.
    fn statements(self, is_value: bool) -> Vec<Statement> {
        let Left { before, construct, after, goes_on } = self;
        let is_last = after.is_empty();
        let given = match &*construct.kind {
            ExprKind::While(repetition) if is_value && !is_last && goes_on => repetition.given.clone(),
            _ => None,
        };
        let given = given.map(|(id, ident)| Statement::Expr(Own::of(id, ident).read(construct.place), true));
        let statements = before.into_iter().chain([Statement::Expr(construct, is_value && is_last)]);
        statements.chain(after).chain(given).collect()
    }
}

impl<'v> Leaving<'v> {
    fn new(may_return: bool, variables: &'v mut Variables) -> Self {
        Leaving { variables, around: Vec::new(), closed: 0, may_return, noted: Vec::new(), used: Vec::new() }
    }

    fn block(&mut self, block: &Block) -> Option<Block> {
        let (mut statements, mut is_rewritten) = (Vec::with_capacity(block.statements.len()), false);
        for (index, statement) in block.statements.iter().enumerate() {
            let is_last = index + 1 == block.statements.len();
            match self.statement(statement, is_last) {
                Some(rewritten) => {
                    statements.extend(rewritten);
                    is_rewritten = true;
                }
                None => statements.push(statement.clone()),
            }
        }
        is_rewritten.then_some(Block { statements, place: block.place })
    }

    fn statement(&mut self, statement: &Statement, is_last: bool) -> Option<Vec<Statement>> {
        match statement {
            Statement::Expr(expression, is_value) => match is_construct(expression) {
                true => {
                    // In front of others, one without a semicolon is no value, either.
                    let is_value = *is_value && is_last;
                    if is_value && let Some((mut opened, given)) = self.opened(expression, None) {
                        opened.push(Statement::Expr(given, true));
                        return Some(opened);
                    }
                    Some(self.construct(expression, !is_value, None)?.statements(is_value))
                }
                false => Some(vec![Statement::Expr(self.branch(expression)?, *is_value)]),
            },
            Statement::Let(local) => {
                if let (Some(value), None) = (&local.value, &local.otherwise) {
                    let bound = |value| Statement::Let(Rc::new(Let { value: Some(value), ..(**local).clone() }));
                    if let Some((mut opened, given)) = self.opened(value, local.ty.as_ref()) {
                        opened.push(bound(given));
                        return Some(opened);
                    }
                    if let Some(Left { before, construct, after, .. }) = self.construct(value, false, None) {
                        return Some(before.into_iter().chain([bound(construct)]).chain(after).collect());
                    }
                }
                let [value, otherwise] = [&local.value, &local.otherwise]
                    .map(|part| part.as_ref().map(|part| (self.branch(part), part.clone())));
                let is_rewritten = [&value, &otherwise].iter().any(|part| matches!(part, Some((Some(_), _))));
                let [value, otherwise] = [value, otherwise].map(|part| part.map(|(new, old)| new.unwrap_or(old)));
                is_rewritten.then(|| vec![Statement::Let(Rc::new(Let { value, otherwise, ..(**local).clone() }))])
            }
        }
    }

    /// A branch, a block, or a loop where no statements can be before it.
    fn branch(&mut self, expression: &Expr) -> Option<Expr> {
        let kind = match &*expression.kind {
            _ if is_construct(expression) => {
                let statements = self.construct(expression, false, None)?.statements(true);
                ExprKind::Block(Block { statements, place: expression.place })
            }
            ExprKind::Block(block) => ExprKind::Block(self.block(block)?),
            _ => return in_arms(expression, &mut |arm| self.branch(arm)),
        };
        Some(Expr::new(kind, expression.place))
    }

    /// A block with a label whose value, of this type if it is written, is used, and in which jumps lead to somewhere else
    /// than after it: as statements that assign a variable, and that variable.
    fn opened(&mut self, expression: &Expr, ty: Option<&Type>) -> Option<(Vec<Statement>, Expr)> {
        let ExprKind::Labelled(labelled) = &*expression.kind else { return None };
        let leads_out = |inner: &Expr| To::of(inner).is_some_and(|(to, _)| self.is_reached(to));
        if !labelled.body.has(&leads_out) {
            return None;
        }
        let (given, place) = (Own::new("given", self.variables), expression.place);
        let body = jump::assigning(&labelled.body, &given)?;
        let labelled = Expr::new(ExprKind::Labelled(Rc::new(Labelled { body, ..(**labelled).clone() })), place);
        let Left { before, construct, after, .. } = self.construct(&labelled, true, Some(&given))?;
        let declared = given.declared(ty.cloned(), None, place);
        let statements = [declared].into_iter().chain(before).chain([statement(construct)]).chain(after);
        Some((statements.collect(), given.read(place)))
    }

    /// A loop, or a block with a label, which gives `()` if it is a statement. The values that it is left with are noted
    /// in `given` then, if it is there.
    fn construct(&mut self, expression: &Expr, is_statement: bool, given: Option<&Own>) -> Option<Left> {
        let place = expression.place;
        let (own, body, of_loop) = match &*expression.kind {
            ExprKind::For(repetition) => (repetition.target, &repetition.body, None),
            ExprKind::While(repetition) => (repetition.target, &repetition.body, repetition.given.as_ref()),
            ExprKind::Labelled(labelled) => (labelled.target, &labelled.body, None),
            _ => return None,
        };
        let is_closed = matches!(&*expression.kind, ExprKind::Labelled(_)) && !is_statement;
        let (closed, may_return, used) = (self.closed, self.may_return, std::mem::take(&mut self.used));
        if is_closed {
            (self.closed, self.may_return) = (self.around.len(), false);
        }
        self.around.push(own);
        let inner = self.block(body);
        self.around.pop();
        let inner_or_own = inner.as_ref().unwrap_or(body);
        let of_loop = of_loop.map(|(id, ident)| Own::of(*id, ident.clone()));
        let left = if is_closed { None } else { self.left(inner_or_own, (own, of_loop.as_ref().or(given))) };
        // A loop that is kept gives its value itself.
        let kept = match (&of_loop, &left) {
            (Some(_), Some(_)) if !self.used.is_empty() => self.left(inner_or_own, (own, None)),
            (Some(_), _) => inner.clone(),
            (None, left) => left.clone().or_else(|| inner.clone()),
        };
        (self.closed, self.may_return) = (closed, may_return);
        let used = std::mem::replace(&mut self.used, used);
        if inner.is_none() && used.is_empty() {
            return None;
        }
        let body = left.or_else(|| inner.clone()).unwrap_or_else(|| body.clone());
        let construct = self.rebuilt(expression, &body, if used.is_empty() { None } else { kept });
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for to in used {
            let Some(index) = self.noted.iter().position(|(other, _)| *other == to) else { continue };
            let (is_last, outer) = (self.around.last().is_none(), self.around.last().copied());
            let jump = match outer.filter(|_| !is_last && outer != to.target()) {
                Some(outer) => {
                    if !self.used.contains(&to) {
                        self.used.push(to);
                    }
                    (self.noted[index].1.clone(), To::Break(outer).jump(None, place))
                }
                None => {
                    let (_, note) = self.noted.remove(index);
                    let first = Expr::new(ExprKind::Unreached(to.target()), place);
                    before.extend(note.declared(Some(first), place));
                    let jump = to.jump(note.given(place), place);
                    (note, jump)
                }
            };
            after.push(jump);
        }
        let goes_on = after.is_empty() || self.ends(expression, own);
        let last = after.len().wrapping_sub(1);
        let after = after.into_iter().enumerate().map(|(index, (note, jump))| {
            let jump = statement(jump);
            let is_certain = !goes_on && index == last;
            if is_certain { jump } else { statement(note.branch(vec![jump], None, place)) }
        });
        Some(Left { before, construct, after: after.collect(), goes_on })
    }

    /// Whether control can come to the end of a loop or a block with a label, other than by a jump that leads further.
    fn ends(&self, expression: &Expr, own: TargetId) -> bool {
        let is_own = |inner: &Expr| matches!(&*inner.kind, ExprKind::Break(to, _) if *to == Some(own));
        match &*expression.kind {
            ExprKind::While(repetition) if repetition.condition.is_none() => repetition.body.has(&is_own),
            _ => true,
        }
    }

    /// A loop or a block with this body for what is lowered, and, if it is given, this one for what is kept.
    fn rebuilt(&mut self, expression: &Expr, body: &Block, kept: Option<Block>) -> Expr {
        let variables = &mut *self.variables;
        let kind = match &*expression.kind {
            ExprKind::For(own) => {
                let next = Expr::new(ExprKind::NextIterations, own.keyword);
                let nested = jump::without_jumps(own.target, body, next.clone(), variables);
                let noted = jump::noted_jumps(own.target, &own.items, body, next, variables);
                let iteration = jump::iteration(own.target, None, body, variables);
                let body = kept.unwrap_or_else(|| own.body.clone());
                ExprKind::For(Rc::new(For { body, nested, noted, iteration, ..(**own).clone() }))
            }
            ExprKind::While(own) => {
                let iteration = jump::iteration(own.target, own.condition.as_ref(), body, variables);
                let after = own.condition.as_ref().map(|_| jump::iteration(own.target, None, body, variables));
                let body = kept.unwrap_or_else(|| own.body.clone());
                ExprKind::While(Rc::new(While { body, iteration, after, ..(**own).clone() }))
            }
            ExprKind::Labelled(own) => {
                let leaving = jump::without_breaks(own.target, body, variables);
                let body = kept.unwrap_or_else(|| own.body.clone());
                ExprKind::Labelled(Rc::new(Labelled { body, leaving, ..(**own).clone() }))
            }
            _ => return expression.clone(),
        };
        Expr::new(kind, expression.place)
    }

    /// The body of a loop, in which jumps that lead elsewhere than after it leave it, and those that leave it with a
    /// value note that.
    fn left(&mut self, block: &Block, out: (TargetId, Option<&Own>)) -> Option<Block> {
        let (mut statements, mut is_rewritten) = (Vec::with_capacity(block.statements.len()), false);
        for statement in &block.statements {
            let rewritten = match statement {
                Statement::Expr(expression, is_value) => self
                    .exit(expression, out)
                    .or_else(|| Some(vec![Statement::Expr(self.left_in(expression, out)?, *is_value)])),
                Statement::Let(local) => {
                    let parts = [&local.value, &local.otherwise];
                    let [value, otherwise] = parts.map(|part| part.as_ref().and_then(|part| self.left_in(part, out)));
                    (value.is_some() || otherwise.is_some()).then(|| {
                        let value = value.or_else(|| local.value.clone());
                        let otherwise = otherwise.or_else(|| local.otherwise.clone());
                        vec![Statement::Let(Rc::new(Let { value, otherwise, ..(**local).clone() }))]
                    })
                }
            };
            is_rewritten |= rewritten.is_some();
            statements.extend(rewritten.unwrap_or_else(|| vec![statement.clone()]));
        }
        is_rewritten.then_some(Block { statements, place: block.place })
    }

    fn left_in(&mut self, expression: &Expr, out: (TargetId, Option<&Own>)) -> Option<Expr> {
        if let Some(statements) = self.exit(expression, out) {
            return Some(block_of(statements, expression.place));
        }
        match &*expression.kind {
            ExprKind::Block(block) => Some(Expr::new(ExprKind::Block(self.left(block, out)?), expression.place)),
            _ => in_arms(expression, &mut |arm| self.left_in(arm, out)),
        }
    }

    /// Whether control can be led there from here.
    fn is_reached(&self, to: To) -> bool {
        match to.target() {
            None => self.may_return,
            Some(target) => self.around.iter().skip(self.closed).any(|around| *around == target),
        }
    }

    /// What a jump becomes that leads out of a loop, if it is one.
    fn exit(&mut self, jump: &Expr, (own, given): (TargetId, Option<&Own>)) -> Option<Vec<Statement>> {
        let (to, value) = To::of(jump)?;
        let place = jump.place;
        let out = statement(To::Break(own).jump(None, place));
        if to == To::Break(own) {
            let noted = given.zip(value).map(|(given, value)| given.assigned(value.clone(), place))?;
            return Some(vec![noted, out]);
        }
        if !self.is_reached(to) {
            return None;
        }
        let index = self.noted.iter().position(|(other, _)| *other == to).unwrap_or_else(|| {
            self.noted.push((to, Note::new(value.is_some(), self.variables)));
            self.noted.len() - 1
        });
        if !self.used.contains(&to) {
            self.used.push(to);
        }
        Some(self.noted[index].1.taken(value.cloned(), place).into_iter().chain([out]).collect())
    }
}

fn is_construct(expression: &Expr) -> bool {
    matches!(&*expression.kind, ExprKind::For(_) | ExprKind::While(_) | ExprKind::Labelled(_))
}

/// A branch, whose arms are rewritten.
fn in_arms(branch: &Expr, rewrite: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Option<Expr> {
    let kind = match &*branch.kind {
        ExprKind::If(If { condition, then, otherwise }) => {
            let block = rewrite(&Expr::new(ExprKind::Block(then.clone()), then.place));
            let other = otherwise.as_ref().and_then(&mut *rewrite);
            if block.is_none() && other.is_none() {
                return None;
            }
            let then = match block.as_ref().map(|block| &*block.kind) {
                Some(ExprKind::Block(block)) => block.clone(),
                _ => then.clone(),
            };
            ExprKind::If(If { condition: condition.clone(), then, otherwise: other.or_else(|| otherwise.clone()) })
        }
        ExprKind::Match(subject, cases) => {
            let bodies: Vec<_> = cases.iter().map(|case| rewrite(&case.body)).collect();
            if bodies.iter().all(Option::is_none) {
                return None;
            }
            let cases = cases
                .iter()
                .zip(bodies)
                .map(|(case, body)| Arm { body: body.unwrap_or_else(|| case.body.clone()), ..case.clone() });
            ExprKind::Match(subject.clone(), cases.collect())
        }
        _ => return None,
    };
    Some(Expr::new(kind, branch.place))
}
