//! Which variables of a function nothing active reaches, as far as that is seen without evaluating it: a `Vec` in one of
//! them stays what it is, where others are read as arrays.

use std::collections::HashSet;

use quote::ToTokens;

use super::super::names::each_identifier;
use super::tree::{Block, Body, Expr, ExprKind, Pattern, PatternKind, Statement, Type, TypeKind, VariableId};
use super::walk::{Node, surely_reads, variables_in};

/// Names of types without floats.
const WITHOUT_FLOATS: &[&str] = &[
    "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize", "bool", "char", "str",
    "String", "Vec", "Option",
];

/// What is in some variables may come from others.
struct Flow {
    from: Vec<VariableId>,
    to: Vec<VariableId>,
}

/// The variables that no parameter with floats reaches.
pub fn unreached(body: &Body) -> HashSet<VariableId> {
    let mut flows = Vec::new();
    flows_in(&Expr::new(ExprKind::Block(body.block.clone()), body.block.place), &mut flows);
    let mut reached = HashSet::new();
    for (pattern, ty) in &body.parameters {
        reached.extend(variables_of(pattern).into_iter().filter(|_| may_hold_floats(ty)));
    }
    loop {
        let before = reached.len();
        for Flow { from, to } in &flows {
            if from.iter().any(|id| reached.contains(id)) {
                reached.extend(to.iter().copied());
            }
        }
        if reached.len() == before {
            break;
        }
    }
    (0..body.variables.len() as u32).map(VariableId).filter(|id| !reached.contains(id)).collect()
}

/// Whether floats may be in a value of a type, as far as it is known.
fn may_hold_floats(ty: &Type) -> bool {
    let names = match &ty.kind {
        TypeKind::Array(element, _) => return may_hold_floats(element),
        TypeKind::Tuple(elements) => return elements.iter().any(may_hold_floats),
        TypeKind::Reference(_, _, target) => return may_hold_floats(target),
        TypeKind::Infer => return true,
        TypeKind::Path(path, _) => path.to_token_stream(),
        TypeKind::Other(other, _) => other.to_token_stream(),
    };
    let mut may_hold = false;
    each_identifier(names, &mut |ident| may_hold |= !WITHOUT_FLOATS.iter().any(|name| ident == name));
    may_hold
}

fn flows_in(expression: &Expr, flows: &mut Vec<Flow>) {
    expression.walk(&mut |node| {
        let Node::Expr(inner) = node else { return };
        match &*inner.kind {
            ExprKind::Assign(target, value) | ExprKind::Update(_, target, value) => {
                // Not what is in the index.
                let to = target.root().map_or_else(|| mentioned(target), |(root, _)| vec![root]);
                flows.push(Flow { from: mentioned(value), to });
            }
            ExprKind::Let(pattern, value) => bound(&[pattern], value, flows),
            ExprKind::Match(subject, arms) => {
                bound(&arms.iter().map(|arm| &arm.pattern).collect::<Vec<_>>(), subject, flows);
            }
            ExprKind::For(repetition) => bound(&[&repetition.pattern], &repetition.items, flows),
            // What is given to a method may get into what it is called on, and both into a closure.
            ExprKind::Method(call) => {
                let args: Vec<_> = call.args.iter().flat_map(mentioned).collect();
                let is_read = call.receiver.root().is_none() || surely_reads(&call.name);
                let to = if is_read { changed_through(&call.receiver) } else { mentioned(&call.receiver) };
                flows.push(Flow { from: args.clone(), to });
                for arg in &call.args {
                    if let ExprKind::Closure(closure) = &*arg.unwrapped().kind {
                        for (pattern, _) in &closure.parameters {
                            bound_by(pattern, &call.receiver, flows);
                        }
                        // A fold is given a value beside it.
                        let parameters = closure.parameters.iter().filter(|_| call.args.len() > 1);
                        let to = parameters.flat_map(|(pattern, _)| variables_of(pattern)).collect();
                        flows.push(Flow { from: args.clone(), to });
                    }
                }
            }
            ExprKind::Call(function, args) => {
                let from: Vec<_> = args.iter().chain([function]).flat_map(mentioned).collect();
                let closures = args.iter().filter_map(|arg| match &*arg.unwrapped().kind {
                    ExprKind::Closure(closure) => Some(closure),
                    _ => None,
                });
                let parameters = closures.flat_map(|closure| closure.parameters.iter().map(|(pattern, _)| pattern));
                let mut to: Vec<_> = parameters.flat_map(variables_of).collect();
                to.extend(args.iter().flat_map(changed_through));
                to.extend(mentioned(function));
                flows.push(Flow { from, to });
            }
            // Nothing is known of what is in it but the names.
            ExprKind::Other(written, _) => {
                let all: Vec<_> = variables_in(written).collect();
                flows.push(Flow { from: all.clone(), to: all });
            }
            _ => {}
        }
        for block in blocks_of(inner) {
            for statement in &block.statements {
                if let Statement::Let(local) = statement
                    && let Some(value) = &local.value
                {
                    bound(&[&local.pattern], value, flows);
                }
            }
        }
    });
}

/// What patterns bind of a value, or of its items.
fn bound(patterns: &[&Pattern], value: &Expr, flows: &mut Vec<Flow>) {
    patterns.iter().for_each(|pattern| bound_by(pattern, value, flows));
}

/// What a pattern binds of a value; through a mutable reference, the value is changed, and a closure is given what it is
/// called with.
fn bound_by(pattern: &Pattern, value: &Expr, flows: &mut Vec<Flow>) {
    match (&pattern.kind, &*value.unwrapped().kind) {
        (PatternKind::Tuple(parts), ExprKind::Tuple(values)) if parts.len() == values.len() => {
            return parts.iter().zip(values).for_each(|(part, value)| bound_by(part, value, flows));
        }
        (PatternKind::Tuple(parts), ExprKind::Method(call)) if let [first, second] = &parts[..] => {
            match (call.name.to_string().as_str(), &call.args[..]) {
                ("zip", [other]) => {
                    bound_by(first, &call.receiver, flows);
                    return bound_by(second, other, flows);
                }
                ("enumerate", []) => return bound_by(second, &call.receiver, flows),
                _ => {}
            }
        }
        _ => {}
    }
    let (from, to) = (mentioned(value), variables_of(pattern));
    flows.push(Flow { from: to.clone(), to: changed_through(value) });
    if let ExprKind::Closure(closure) = &*value.unwrapped().kind {
        let parameters = closure.parameters.iter().flat_map(|(pattern, _)| variables_of(pattern)).collect();
        flows.push(Flow { from: to.clone(), to: parameters });
    }
    flows.push(Flow { from, to });
}

fn blocks_of(expression: &Expr) -> Vec<&Block> {
    match &*expression.kind {
        ExprKind::Block(block) => vec![block],
        ExprKind::Labelled(labelled) => vec![&labelled.body],
        ExprKind::If(branch) => vec![&branch.then],
        ExprKind::For(repetition) => vec![&repetition.body],
        ExprKind::While(repetition) => vec![&repetition.body],
        _ => Vec::new(),
    }
}

/// The variables that may be changed through what an expression gives, by the mutable references in it.
fn changed_through(expression: &Expr) -> Vec<VariableId> {
    let mut changed = Vec::new();
    expression.walk(&mut |node| {
        let Node::Expr(inner) = node else { return };
        match &*inner.kind {
            ExprKind::Mutable(target) => changed.extend(mentioned(target)),
            ExprKind::Method(call) if call.name.to_string().ends_with("_mut") => {
                changed.extend(mentioned(&call.receiver));
            }
            _ => {}
        }
    });
    changed
}

/// The variables of which something may be in the value of an expression: nothing of a float is in an integer.
fn mentioned(expression: &Expr) -> Vec<VariableId> {
    let (mut found, mut of_integers) = (Vec::new(), Vec::new());
    expression.walk(&mut |node| {
        let Node::Expr(inner) = node else { return };
        match &*inner.kind {
            ExprKind::Variable(id, _) => found.push(*id),
            ExprKind::Other(written, _) => found.extend(variables_in(written)),
            ExprKind::Cast(value, ty) if !may_hold_floats(ty) => of_integers.extend(mentioned(value)),
            ExprKind::Method(call) if call.name == "len" && call.args.is_empty() => {
                of_integers.extend(mentioned(&call.receiver));
            }
            _ => {}
        }
    });
    for id in of_integers {
        if let Some(at) = found.iter().position(|own| *own == id) {
            found.swap_remove(at);
        }
    }
    found
}

fn variables_of(pattern: &Pattern) -> Vec<VariableId> {
    let mut variables = Vec::new();
    pattern.variables(&mut variables);
    variables.into_iter().map(|variable| variable.id).collect()
}
