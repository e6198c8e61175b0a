//! A walk through expressions, without recursion along the user's code.

use std::collections::HashSet;

use jacobian_list::catalogue::Intrinsic;
use syn::{BinOp, Ident, UnOp};

use super::super::refuse;
use super::tree::{Action, Binding, Block, Expr, ExprKind, Path, Pattern, PatternKind, Statement, VariableId, Written};

/// A node of the tree.
#[derive(Copy, Clone)]
pub enum Node<'t> {
    /// An expression.
    Expr(&'t Expr),
    /// A pattern.
    Pattern(&'t Pattern),
}

impl Expr {
    /// Its leftmost part: what an operator, a method, a field or an index comes after, or a prefix before.
    pub fn leftmost(&self) -> Option<&Expr> {
        match &*self.kind {
            ExprKind::Method(call) => Some(&call.receiver),
            ExprKind::Binary(_, left, _)
            | ExprKind::Field(left, _)
            | ExprKind::Index(left, _)
            | ExprKind::Cast(left, _)
            | ExprKind::Unary(_, left)
            | ExprKind::Shared(left)
            | ExprKind::Mutable(left)
            | ExprKind::Try(left)
            | ExprKind::Paren(left) => Some(left),
            _ => None,
        }
    }

    /// What tells it from others.
    pub fn address(&self) -> *const ExprKind {
        std::rc::Rc::as_ptr(&self.kind)
    }

    /// Visits the expression and all in it, in the order in which they are written.
    pub fn walk<'t>(&'t self, visit: &mut dyn FnMut(Node<'t>)) {
        walk(vec![Node::Expr(self)], visit);
    }

    /// Whether it leaves the function that it is in with an error, by `?`.
    pub fn propagates_errors(&self) -> bool {
        let mut parts = vec![Node::Expr(self)];
        while let Some(part) = parts.pop() {
            match part {
                Node::Expr(expression) => match &*expression.kind {
                    ExprKind::Other(_, refuse::TRY) => return true,
                    // It leaves the closure that it is in, and no more.
                    ExprKind::Closure(_) => {}
                    _ => parts_of(expression, &mut parts),
                },
                Node::Pattern(pattern) => parts_of_pattern(pattern, &mut parts),
            }
        }
        false
    }

    /// Whether something in it is tried, by `?`, in closures not.
    pub fn has_try(&self) -> bool {
        let mut parts = vec![Node::Expr(self)];
        while let Some(part) = parts.pop() {
            match part {
                Node::Expr(expression) => match &*expression.kind {
                    ExprKind::Try(_) => return true,
                    ExprKind::Closure(_) => {}
                    _ => parts_of(expression, &mut parts),
                },
                Node::Pattern(pattern) => parts_of_pattern(pattern, &mut parts),
            }
        }
        false
    }

    /// The paths in it that name no variable, those in patterns not among them.
    pub fn paths(&self) -> Vec<&Path> {
        let mut found = Vec::new();
        self.walk(&mut |node| match node {
            Node::Expr(Expr { kind, .. }) => match &**kind {
                ExprKind::Path(path) => found.push(path),
                ExprKind::Struct(construction) => found.push(&construction.path),
                _ => {}
            },
            Node::Pattern(_) => {}
        });
        found
    }

    /// The patterns of a condition: of `let a = b`, and of more of these with `&&` between them.
    pub fn patterns(&self) -> Vec<&Pattern> {
        let (mut found, mut rest) = (Vec::new(), vec![self]);
        while let Some(condition) = rest.pop() {
            match &*condition.kind {
                ExprKind::Let(pattern, _) => found.push(pattern),
                ExprKind::Binary(BinOp::And(_), left, right) => rest.extend([left, right]),
                _ => {}
            }
        }
        found
    }

    /// Whether what it gives, or a temporary in it, may do something when it is dropped, as far as names tell.
    pub fn may_hold(&self) -> bool {
        let mut may_hold = false;
        self.walk(&mut |node| {
            may_hold |= matches!(node, Node::Expr(inner) if match &*inner.kind {
                ExprKind::Method(call) => !holds_nothing(&call.name),
                ExprKind::Call(function, _) => !matches!(&*function.unwrapped().kind,
                    ExprKind::Path(path) if path.path.path.segments.last().is_some_and(|last| holds_nothing(&last.ident))),
                ExprKind::Other(..) | ExprKind::Struct(_) => true,
                _ => false,
            });
        });
        may_hold
    }

    /// Whether it may hold something beside what a pattern binds of it.
    pub fn may_hold_beside(&self, pattern: &Pattern) -> bool {
        let is_all = |part: &Pattern| match &part.kind {
            PatternKind::Variable(part) => !part.by_ref && part.inner.is_none(),
            _ => false,
        };
        let binds_all = match &pattern.kind {
            PatternKind::TupleStruct(_, parts) => parts.iter().all(is_all),
            _ => is_all(pattern),
        };
        match (&*self.unwrapped().kind, &pattern.kind) {
            (ExprKind::Method(call), _) if binds_all => {
                call.receiver.may_hold() || call.args.iter().any(Expr::may_hold)
            }
            (ExprKind::Call(_, args), _) if binds_all => args.iter().any(Expr::may_hold),
            (ExprKind::Tuple(values), PatternKind::Tuple(parts)) if values.len() == parts.len() => {
                values.iter().zip(parts).any(|(value, part)| value.may_hold_beside(part))
            }
            _ => self.may_hold(),
        }
    }

    /// The variable in which the place lies that it names, if it names one; and whether it is all of the variable.
    pub fn root(&self) -> Option<(VariableId, bool)> {
        let (base, is_whole) = self.base();
        match &*base.kind {
            ExprKind::Variable(id, _) => Some((*id, is_whole)),
            _ => None,
        }
    }

    /// Whether the place that it names is one that a call leads to.
    pub fn is_reached_by_call(&self) -> bool {
        matches!(&*self.base().0.kind, ExprKind::Call(..) | ExprKind::Method(_))
    }

    /// What the place that it names lies in, and whether it is all of that.
    pub fn base(&self) -> (&Expr, bool) {
        let (mut place, mut is_whole) = (self, true);
        loop {
            place = match &*place.kind {
                ExprKind::Paren(inner) => inner,
                ExprKind::Field(inner, _) | ExprKind::Index(inner, _) | ExprKind::Unary(UnOp::Deref(_), inner) => {
                    is_whole = false;
                    inner
                }
                _ => return (place, is_whole),
            };
        }
    }
}

impl Statement {
    /// The variables that it assigns as a whole.
    pub fn assigned(&self) -> Vec<VariableId> {
        let (mut parts, mut assigned) = (Vec::new(), Vec::new());
        parts_of_statement(self, &mut parts);
        walk(parts, &mut |node| {
            if let Node::Expr(expression) = node {
                assigned.extend(changes(expression).filter(|(_, is_whole)| *is_whole).map(|(id, _)| id));
            }
        });
        assigned
    }
}

impl Block {
    /// Whether there is such an expression in it.
    pub fn has(&self, is_such: &dyn Fn(&Expr) -> bool) -> bool {
        let (mut parts, mut has) = (Vec::new(), false);
        parts_of_block(self, &mut parts);
        walk(parts, &mut |node| has |= matches!(node, Node::Expr(expression) if is_such(expression)));
        has
    }

    /// The variables that are changed in it otherwise than by an assignment to all of them; and those of which methods
    /// are called that change nothing, unless they are the user's.
    pub fn changed(&self) -> (HashSet<VariableId>, HashSet<VariableId>) {
        let mut parts = Vec::new();
        parts_of_block(self, &mut parts);
        parts.reverse();
        let (mut changed, mut read) = (HashSet::new(), HashSet::new());
        walk(parts, &mut |node| {
            if let Node::Expr(expression) = node {
                changed.extend(changes(expression).filter(|(_, is_whole)| !is_whole).map(|(id, _)| id));
                read.extend(reader(expression).map(|(id, _)| id));
            }
        });
        (changed, read)
    }
}

/// The variables that an expression itself may change, without those in it, and whether it assigns all of each.
pub fn changes(expression: &Expr) -> impl Iterator<Item = (VariableId, bool)> {
    let mut changed = Vec::new();
    match &*expression.kind {
        ExprKind::Assign(target, _) | ExprKind::Update(_, target, _) => targets(target, &mut changed),
        ExprKind::Mutable(target) => changed.extend(target.root().map(|(id, _)| (id, false))),
        ExprKind::Method(call) if !surely_reads(&call.name) => {
            // `m.column_mut(0).copy_from(&v)` changes `m`.
            let receiver = match &*call.receiver.unwrapped().kind {
                ExprKind::Method(part) if part.name.to_string().ends_with("_mut") => &part.receiver,
                _ => &call.receiver,
            };
            changed.extend(receiver.root().map(|(id, _)| (id, false)));
        }
        // An `FnMut` changes itself.
        ExprKind::Call(callee, _) => changed.extend(callee.root().map(|(id, _)| (id, false))),
        ExprKind::Other(written, _) => changed.extend(variables_in(written).map(|id| (id, false))),
        _ => {}
    }
    changed.into_iter()
}

/// The variables that an expression itself assigns, or gives a mutable reference to.
pub fn assigned_by(expression: &Expr) -> Vec<VariableId> {
    match &*expression.kind {
        ExprKind::Method(_) | ExprKind::Call(..) | ExprKind::Other(..) => Vec::new(),
        _ => changes(expression).map(|(id, _)| id).collect(),
    }
}

/// The variable whose method an expression calls that changes nothing, unless it is the user's; and whether numbers
/// have one of that name.
pub fn reader(expression: &Expr) -> Option<(VariableId, bool)> {
    let ExprKind::Method(call) = &*expression.kind else { return None };
    let is_of_numbers = is_reader_of_numbers(&call.name);
    let (id, _) = call.receiver.root().filter(|_| is_of_numbers || is_reader(&call.name))?;
    Some((id, is_of_numbers))
}

/// Whether a method changes nothing, unless it is the user's.
pub fn surely_reads(method: &Ident) -> bool {
    is_reader(method) || is_reader_of_numbers(method)
}

fn is_reader(method: &Ident) -> bool {
    READERS.iter().any(|name| method == name)
}

fn is_reader_of_numbers(method: &Ident) -> bool {
    let is_of_floats = || Intrinsic::find(&method.to_string()).is_some_and(|found| found.row().is_method());
    READERS_OF_NUMBERS.iter().any(|name| method == name) || is_of_floats()
}

/// Whether what a function or a method of this name gives surely does nothing when it is dropped, if its arguments do
/// nothing.
fn holds_nothing(function: &Ident) -> bool {
    function != "borrow" && (surely_reads(function) || HOLDING_NOTHING.iter().any(|name| function == name))
}

/// The variables that are assigned.
fn targets(target: &Expr, changed: &mut Vec<(VariableId, bool)>) {
    match &*target.kind {
        ExprKind::Tuple(parts) | ExprKind::Array(parts) => parts.iter().for_each(|part| targets(part, changed)),
        _ => changed.extend(target.root()),
    }
}

/// Methods of the standard library that change nothing. Any other may change its receiver, which is a variable of the
/// generated code from then on: nothing of it is known any more. So may these where the receiver is of a type of the
/// user's. A macro sees no signatures, so that only a list can tell; a method that is missing costs what is known of a
/// `mut` variable, and no more.
const READERS: &[&str] = &[
    "len",
    "is_empty",
    "iter",
    "windows",
    "chunks_exact",
    "chunks",
    "first",
    "last",
    "get",
    "contains",
    "starts_with",
    "ends_with",
    "to_vec",
    "as_slice",
    "as_str",
    "as_ref",
    "is_some",
    "is_none",
    "is_some_and",
    "is_none_or",
    "is_ok",
    "is_err",
    "split_at",
    "split_first",
    "split_last",
    "norm",
    "dot",
    "borrow",
];

/// Those that numbers have, perhaps among others, beside those of the catalogue.
const READERS_OF_NUMBERS: &[&str] = &[
    "pow",
    "sin_cos",
    "total_cmp",
    "to_bits",
    "clone",
    "to_owned",
    "to_string",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_sub",
    "saturating_sub",
    "saturating_add",
    "checked_add",
    "checked_sub",
    "abs_diff",
    "cmp",
    "partial_cmp",
    "eq",
    "ne",
];

/// Methods of what errors are made of that give a value and do nothing else.
pub const GIVING_VALUES: &[&str] = &["to_string", "to_owned", "into", "clone", "len"];

/// Others of which the same is so: what they give consists of their arguments, or of numbers.
const HOLDING_NOTHING: &[&str] = &[
    "Some",
    "Ok",
    "Err",
    "ok",
    "unwrap",
    "expect",
    "unwrap_or",
    "copied",
    "cloned",
    "next",
    "rev",
    "zip",
    "enumerate",
    "map",
    "filter",
    "find",
    "position",
    "sum",
    "product",
    "chars",
    "try_inverse",
];

/// The variables that kept tokens mention.
pub fn variables_in(written: &Written) -> impl Iterator<Item = VariableId> {
    written.names.iter().filter_map(|(_, binding)| match binding {
        Binding::Variable(id) => Some(*id),
        _ => None,
    })
}

fn walk<'t>(mut parts: Vec<Node<'t>>, visit: &mut dyn FnMut(Node<'t>)) {
    while let Some(part) = parts.pop() {
        let first = parts.len();
        visit(part);
        match part {
            Node::Expr(expression) => parts_of(expression, &mut parts),
            Node::Pattern(pattern) => parts_of_pattern(pattern, &mut parts),
        }
        // The first part is visited first.
        parts[first..].reverse();
    }
}

fn parts_of<'t>(expression: &'t Expr, parts: &mut Vec<Node<'t>>) {
    match &*expression.kind {
        ExprKind::Literal(_)
        | ExprKind::Variable(..)
        | ExprKind::Path(_)
        | ExprKind::NextIterations
        | ExprKind::Unreached(_)
        | ExprKind::Continue(_)
        | ExprKind::Infer
        | ExprKind::Other(..)
        | ExprKind::Refused(_) => {}
        ExprKind::Unary(_, inner)
        | ExprKind::Field(inner, _)
        | ExprKind::Cast(inner, _)
        | ExprKind::Shared(inner)
        | ExprKind::Mutable(inner)
        | ExprKind::Leave(inner)
        | ExprKind::Dropped(inner, _)
        | ExprKind::Try(inner)
        | ExprKind::Paren(inner) => parts.push(Node::Expr(inner)),
        ExprKind::Binary(_, left, right)
        | ExprKind::Assign(left, right)
        | ExprKind::Update(_, left, right)
        | ExprKind::Index(left, right)
        | ExprKind::Repeat(left, right) => parts.extend([Node::Expr(left), Node::Expr(right)]),
        ExprKind::Call(function, args) => {
            parts.push(Node::Expr(function));
            push_all(args, parts);
        }
        ExprKind::Method(call) => {
            parts.push(Node::Expr(&call.receiver));
            push_all(&call.args, parts);
        }
        ExprKind::Array(elements) | ExprKind::Tuple(elements) => push_all(elements, parts),
        ExprKind::Range(start, end, _) => {
            push_all(start.as_slice(), parts);
            push_all(end.as_slice(), parts);
        }
        ExprKind::Block(block) => parts_of_block(block, parts),
        ExprKind::Labelled(labelled) => parts_of_block(&labelled.body, parts),
        ExprKind::If(branch) => {
            parts.push(Node::Expr(&branch.condition));
            parts_of_block(&branch.then, parts);
            push_all(branch.otherwise.as_slice(), parts);
        }
        ExprKind::Let(pattern, value) => parts.extend([Node::Expr(value), Node::Pattern(pattern)]),
        ExprKind::Match(subject, arms) => {
            parts.push(Node::Expr(subject));
            for arm in arms {
                parts.push(Node::Pattern(&arm.pattern));
                push_all(arm.guard.as_slice(), parts);
                parts.push(Node::Expr(&arm.body));
            }
        }
        ExprKind::For(repetition) => {
            parts.extend([Node::Pattern(&repetition.pattern), Node::Expr(&repetition.items)]);
            parts_of_block(&repetition.body, parts);
        }
        ExprKind::While(repetition) => {
            push_all(repetition.condition.as_slice(), parts);
            parts_of_block(&repetition.body, parts);
        }
        ExprKind::Break(_, value) | ExprKind::Return(value) => push_all(value.as_slice(), parts),
        ExprKind::Closure(closure) => {
            for (pattern, _) in &closure.parameters {
                parts.push(Node::Pattern(pattern));
            }
            parts.push(Node::Expr(&closure.body));
        }
        ExprKind::Macro(call) => {
            for arg in &call.args {
                parts.push(Node::Expr(&arg.value));
            }
            if let Action::Matches(pattern, guard) = &call.action {
                parts.push(Node::Pattern(pattern));
                push_all(guard.as_slice(), parts);
            }
        }
        ExprKind::Struct(construction) => {
            for (_, value) in &construction.fields {
                parts.push(Node::Expr(value));
            }
            push_all(construction.rest.as_slice(), parts);
        }
    }
}

fn push_all<'t>(expressions: &'t [Expr], parts: &mut Vec<Node<'t>>) {
    for expression in expressions {
        parts.push(Node::Expr(expression));
    }
}

fn parts_of_block<'t>(block: &'t Block, parts: &mut Vec<Node<'t>>) {
    for statement in &block.statements {
        parts_of_statement(statement, parts);
    }
}

fn parts_of_statement<'t>(statement: &'t Statement, parts: &mut Vec<Node<'t>>) {
    match statement {
        Statement::Let(local) => {
            push_all(local.value.as_slice(), parts);
            push_all(local.otherwise.as_slice(), parts);
            parts.push(Node::Pattern(&local.pattern));
        }
        Statement::Expr(expression, _) => parts.push(Node::Expr(expression)),
    }
}

fn parts_of_pattern<'t>(pattern: &'t Pattern, parts: &mut Vec<Node<'t>>) {
    match &pattern.kind {
        PatternKind::Literal(literal) => parts.push(Node::Expr(literal)),
        PatternKind::Range(start, end, _) => {
            push_all(start.as_slice(), parts);
            push_all(end.as_slice(), parts);
        }
        PatternKind::Tuple(inner)
        | PatternKind::Slice(inner)
        | PatternKind::Or(inner)
        | PatternKind::TupleStruct(_, inner) => {
            for inner in inner {
                parts.push(Node::Pattern(inner));
            }
        }
        PatternKind::Struct(_, fields, _) => {
            for (_, inner) in fields {
                parts.push(Node::Pattern(inner));
            }
        }
        PatternKind::Reference(_, inner)
        | PatternKind::Paren(inner)
        | PatternKind::Refused(inner)
        | PatternKind::Typed(inner, _) => parts.push(Node::Pattern(inner)),
        PatternKind::Variable(variable) => parts.extend(variable.inner.as_deref().map(Node::Pattern)),
        PatternKind::Wild | PatternKind::Rest | PatternKind::Path(_) | PatternKind::Other => {}
    }
}
