//! Makes a program smaller that fails: for those who look for the reason.

use super::read::infer;
use super::tree::*;
use super::walk::{self, Node};

/// The most smaller programs that are tried.
const ATTEMPTS: usize = 5_000;

/// A smaller program for which `fails` holds as it does for this one.
pub fn shrink(program: &Program, fails: impl Fn(&Program) -> bool) -> Program {
    let (mut best, mut number, most) = (program.clone(), 0, unsound(program));
    let is_sound = |smaller: &Program| unsound(smaller).iter().zip(most).all(|(own, most)| *own <= most);
    for _ in 0..ATTEMPTS {
        match edited(&best, number) {
            Some(smaller) if is_sound(&smaller) && fails(&smaller) => best = smaller,
            Some(_) => number += 1,
            None => break,
        }
    }
    best
}

/// How many integers have other types than their uses say, and how many names mean nothing. Integers that nothing but
/// each other types, as in `2 < 3`, may have any type; there are more where something is left out that says a type.
fn unsound(program: &Program) -> [usize; 2] {
    let integers = |function: &Function| {
        let (mut types, mut function) = (Vec::new(), function.clone());
        walk::block(&mut function.body, &mut |node| {
            if let Node::Expression(Expression::Integer(_, ty, false)) = node {
                types.push(std::mem::replace(ty, Type::Inferred));
            }
        });
        (types, function)
    };
    let count = |function: &Function| {
        let (own, mut open) = integers(function);
        let unknown = infer::integers(program, &mut open);
        let untyped = own.iter().zip(integers(&open).0).filter(|(own, inferred)| *own != inferred).count();
        [untyped, unknown]
    };
    program.functions.iter().map(count).fold([0, 0], |[a, b], [c, d]| [a + c, b + d])
}

/// The program with the edit of this number, if there are as many.
fn edited(program: &Program, number: usize) -> Option<Program> {
    let (mut program, mut left) = (program.clone(), Some(number));
    // Whether this is the edit.
    let mut is_next = || match left {
        Some(0) => {
            left = None;
            true
        }
        Some(more) => {
            left = Some(more - 1);
            false
        }
        None => false,
    };
    for index in (0..program.functions.len() - 1).rev() {
        if is_next() {
            program.functions.remove(index);
            return Some(program);
        }
    }
    let brought = brought(&program.items);
    for index in 0..program.items.len() {
        if let ItemKind::Impl(own) = &mut program.items[index].kind
            && let Some(last) = (0..own.functions.len()).rev().find(|_| is_next())
        {
            own.functions.remove(last);
            return Some(program);
        }
    }
    for index in (0..program.items.len()).rev() {
        let item = program.items.remove(index);
        let is_used = is_used(&item, &brought, &format!("{:?}{:?}", program.items, program.functions));
        program.items.insert(index, item);
        if !is_used && is_next() {
            program.items.remove(index);
            return Some(program);
        }
    }
    let in_blocks = program.items.iter_mut().filter_map(|item| match &mut item.kind {
        ItemKind::Impl(own) => Some(&mut own.functions),
        _ => None,
    });
    let of_structs = in_blocks.flatten();
    for function in program.functions.iter_mut().rev().chain(of_structs) {
        walk::block(&mut function.body, &mut |node| match node {
            Node::Block(block) => {
                let mut removable =
                    (0..block.statements.len()).rev().filter(|&index| is_removable(block, index, &brought));
                if let Some(index) = removable.find(|_| is_next()) {
                    block.statements.remove(index);
                }
            }
            Node::Expression(expression) => {
                if let Some(simpler) = simpler(expression).into_iter().find(|_| is_next()) {
                    *expression = simpler;
                }
            }
        });
    }
    left.is_none().then_some(program)
}

/// What a glob may bring: the names of the items of modules.
fn brought(items: &[Item]) -> Vec<Name> {
    let inner = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Module(_, items) => Some(items),
        _ => None,
    });
    inner.flatten().flat_map(|item| names(item, &[])).collect()
}

/// The names that an item defines, where a glob brings those of `brought`.
fn names(item: &Item, brought: &[Name]) -> Vec<Name> {
    match &item.kind {
        ItemKind::Const(name, ..) | ItemKind::Use(_, name) | ItemKind::Module(name, _) => vec![name.clone()],
        ItemKind::Function(function) => vec![function.name.clone()],
        ItemKind::Glob(_) => brought.to_vec(),
        ItemKind::Struct(own) => vec![own.name.clone()],
        // Whether it is used shows where the program runs.
        ItemKind::Impl(_) => Vec::new(),
    }
}

/// Whether code, as it is written for debugging, names what an item defines: without it, that would mean something
/// else.
fn is_used(item: &Item, brought: &[Name], code: &str) -> bool {
    is_present(item.cfg)
        && names(item, brought)
            .iter()
            .any(|name| code.contains(&format!("\"{name}\"")) || code.contains(&format!("::{name}\"")))
}

/// Whether a statement can be left out of a block: an item only where its names are not used.
fn is_removable(block: &Block, index: usize, brought: &[Name]) -> bool {
    let item = match &block.statements[index] {
        Statement::Item(item) => item,
        // What follows the `else` of a `let` has to jump.
        Statement::Return(_) | Statement::Break(_) | Statement::Continue(_) => {
            return index + 1 < block.statements.len();
        }
        _ => return true,
    };
    let mut rest = block.clone();
    rest.statements.remove(index);
    !is_used(item, brought, &format!("{rest:?}"))
}

/// Simpler expressions of the same type.
fn simpler(expression: &Expression) -> Vec<Expression> {
    match expression {
        Expression::Binary(operator, operands, _) => match operator {
            Operator::Add | Operator::Sub | Operator::Mul | Operator::Div | Operator::Rem => operands.to_vec(),
            _ => vec![Expression::Bool(true), Expression::Bool(false)],
        },
        Expression::Method(name, operands, _) if ["unwrap_or", "map_or"].contains(&&**name) => operands[1..2].to_vec(),
        Expression::Method(name, operands, _) if !name.starts_with("is_") => operands[..1].to_vec(),
        Expression::Option(Some(_)) => vec![Expression::Option(None)],
        Expression::Call(_, arguments) if !arguments.is_empty() => arguments.clone(),
        Expression::Prefix(Prefix::Negative | Prefix::Not, operand) => vec![(**operand).clone()],
        Expression::Block(block) if block.statements.is_empty() => {
            block.value.iter().map(|value| (**value).clone()).collect()
        }
        Expression::Labelled(_, block) => vec![Expression::Block(block.clone())],
        Expression::If(branch) => {
            let then = Expression::Block(branch.then.clone());
            branch.otherwise.iter().cloned().chain([then]).collect()
        }
        Expression::Match(branch) => branch.arms.iter().map(|arm| arm.body.clone()).collect(),
        _ => Vec::new(),
    }
}
