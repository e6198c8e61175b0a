//! A walk through expressions, without recursion along the user's code.

use super::tree::{Action, Binding, Block, Expr, ExprKind, Path, Pattern, PatternKind, Statement, VariableId, Written};

/// What a walk has still to visit.
enum Part<'t> {
    Expr(&'t Expr),
    Pattern(&'t Pattern),
}

impl Expr {
    /// Visits the expression and all in it, in the order in which they are written.
    pub fn walk<'t>(&'t self, visit: &mut impl FnMut(&'t Expr)) {
        walk(vec![Part::Expr(self)], visit);
    }

    /// The paths in it that name no variable, those in patterns not among them.
    pub fn paths(&self) -> Vec<&Path> {
        let mut found = Vec::new();
        self.walk(&mut |expression| match &*expression.kind {
            ExprKind::Path(path) => found.push(path),
            ExprKind::Struct(construction) => found.push(&construction.path),
            _ => {}
        });
        found
    }

    /// The variables that are mentioned in it, those that are declared in it among them.
    pub fn variables(&self) -> Vec<VariableId> {
        let mut found = Vec::new();
        self.walk(&mut |expression| match &*expression.kind {
            ExprKind::Variable(id, _) => found.push(*id),
            ExprKind::Other(written, _) => found.extend(variables_in(written)),
            _ => {}
        });
        found
    }
}

fn variables_in(written: &Written) -> impl Iterator<Item = VariableId> {
    written.names.iter().filter_map(|(_, binding)| match binding {
        Binding::Variable(id) => Some(*id),
        _ => None,
    })
}

fn walk<'t>(mut parts: Vec<Part<'t>>, visit: &mut impl FnMut(&'t Expr)) {
    while let Some(part) = parts.pop() {
        let first = parts.len();
        match part {
            Part::Expr(expression) => {
                visit(expression);
                parts_of(expression, &mut parts);
            }
            Part::Pattern(pattern) => parts_of_pattern(pattern, &mut parts),
        }
        // The first part is visited first.
        parts[first..].reverse();
    }
}

fn parts_of<'t>(expression: &'t Expr, parts: &mut Vec<Part<'t>>) {
    match &*expression.kind {
        ExprKind::Literal(_)
        | ExprKind::Variable(..)
        | ExprKind::Path(_)
        | ExprKind::NextTrips
        | ExprKind::Continue(_)
        | ExprKind::Infer
        | ExprKind::Other(..)
        | ExprKind::Refused(_) => {}
        ExprKind::Unary(_, inner)
        | ExprKind::Field(inner, _)
        | ExprKind::Cast(inner, _)
        | ExprKind::Shared(inner)
        | ExprKind::Mutable(inner)
        | ExprKind::Paren(inner) => parts.push(Part::Expr(inner)),
        ExprKind::Binary(_, left, right)
        | ExprKind::Assign(left, right)
        | ExprKind::Update(_, left, right)
        | ExprKind::Index(left, right)
        | ExprKind::Repeat(left, right) => parts.extend([left, right].map(Part::Expr)),
        ExprKind::Call(function, args) => parts.extend(std::iter::once(function).chain(args).map(Part::Expr)),
        ExprKind::Method(call) => parts.extend(std::iter::once(&call.receiver).chain(&call.args).map(Part::Expr)),
        ExprKind::Array(elements) | ExprKind::Tuple(elements) => parts.extend(elements.iter().map(Part::Expr)),
        ExprKind::Range(start, end, _) => parts.extend(start.iter().chain(end).map(Part::Expr)),
        ExprKind::Block(_, block) => parts_of_block(block, parts),
        ExprKind::If(branch) => {
            parts.push(Part::Expr(&branch.condition));
            parts_of_block(&branch.then, parts);
            parts.extend(branch.otherwise.iter().map(Part::Expr));
        }
        ExprKind::Let(pattern, value) => parts.extend([Part::Expr(value), Part::Pattern(pattern)]),
        ExprKind::Match(subject, arms) => {
            parts.push(Part::Expr(subject));
            for arm in arms {
                parts.push(Part::Pattern(&arm.pattern));
                parts.extend(arm.guard.iter().chain([&arm.body]).map(Part::Expr));
            }
        }
        ExprKind::For(repetition) => {
            parts.extend([Part::Pattern(&repetition.pattern), Part::Expr(&repetition.items)]);
            parts_of_block(&repetition.body, parts);
        }
        ExprKind::While(repetition) => {
            parts.extend(repetition.condition.iter().map(Part::Expr));
            parts_of_block(&repetition.body, parts);
        }
        ExprKind::Break(_, value) | ExprKind::Return(value) => parts.extend(value.iter().map(Part::Expr)),
        ExprKind::Closure(closure) => {
            parts.extend(closure.parameters.iter().map(|(pattern, _)| Part::Pattern(pattern)));
            parts.push(Part::Expr(&closure.body));
        }
        ExprKind::Macro(call) => {
            parts.extend(call.args.iter().map(|arg| Part::Expr(&arg.value)));
            if let Action::Matches(pattern, guard) = &call.action {
                parts.push(Part::Pattern(pattern));
                parts.extend(guard.iter().map(Part::Expr));
            }
        }
        ExprKind::Struct(construction) => {
            parts.extend(construction.fields.iter().map(|(_, value)| value).chain(&construction.rest).map(Part::Expr));
        }
    }
}

fn parts_of_block<'t>(block: &'t Block, parts: &mut Vec<Part<'t>>) {
    for statement in &block.statements {
        match statement {
            Statement::Let(local) => {
                parts.extend(local.value.iter().chain(&local.otherwise).map(Part::Expr));
                parts.push(Part::Pattern(&local.pattern));
            }
            Statement::Expr(expression, _) => parts.push(Part::Expr(expression)),
        }
    }
}

fn parts_of_pattern<'t>(pattern: &'t Pattern, parts: &mut Vec<Part<'t>>) {
    match &pattern.kind {
        PatternKind::Literal(literal) => parts.push(Part::Expr(literal)),
        PatternKind::Range(start, end, _) => parts.extend(start.iter().chain(end).map(Part::Expr)),
        PatternKind::Tuple(inner)
        | PatternKind::Slice(inner)
        | PatternKind::Or(inner)
        | PatternKind::TupleStruct(_, inner) => {
            parts.extend(inner.iter().map(Part::Pattern));
        }
        PatternKind::Struct(_, fields, _) => parts.extend(fields.iter().map(|(_, inner)| Part::Pattern(inner))),
        PatternKind::Reference(_, inner)
        | PatternKind::Paren(inner)
        | PatternKind::Refused(inner)
        | PatternKind::Typed(inner, _) => parts.push(Part::Pattern(inner)),
        PatternKind::Variable(variable) => parts.extend(variable.inner.iter().map(|inner| Part::Pattern(inner))),
        PatternKind::Wild | PatternKind::Rest | PatternKind::Path(_) | PatternKind::Other => {}
    }
}
