//! Makes a program smaller that fails: for those who look for the reason.

use super::read::infer;
use super::tree::*;
use super::walk::{self, Node};

/// The most smaller programs that are tried.
const ATTEMPTS: usize = 5_000;

/// A smaller program for which `fails` holds as it does for this one.
pub fn shrink(program: &Program, fails: impl Fn(&Program) -> bool) -> Program {
    let (mut best, mut number) = (program.clone(), 0);
    for _ in 0..ATTEMPTS {
        match edited(&best, number) {
            Some(smaller) if is_typed(&smaller) && fails(&smaller) => best = smaller,
            Some(_) => number += 1,
            None => break,
        }
    }
    best
}

/// Whether all integers have the types that their uses say, as they had before something was left out.
fn is_typed(program: &Program) -> bool {
    program.functions.iter().all(|function| {
        let mut typed = function.clone();
        walk::block(&mut typed.body, &mut |node| {
            if let Node::Expression(Expression::Integer(_, ty, false)) = node {
                *ty = Type::Inferred;
            }
        });
        infer::integers(program, &mut typed);
        typed == *function
    })
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
    for index in (0..program.items.len()).rev() {
        if is_next() {
            program.items.remove(index);
            return Some(program);
        }
    }
    for function in program.functions.iter_mut().rev() {
        walk::block(&mut function.body, &mut |node| match node {
            Node::Block(block) => {
                if let Some(index) = (0..block.statements.len()).rev().find(|_| is_next()) {
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

/// Simpler expressions of the same type.
fn simpler(expression: &Expression) -> Vec<Expression> {
    match expression {
        Expression::Binary(operator, operands, _) => match operator {
            Operator::Add | Operator::Sub | Operator::Mul | Operator::Div | Operator::Rem => operands.to_vec(),
            _ => vec![Expression::Bool(true), Expression::Bool(false)],
        },
        Expression::Method(name, operands, _) if !name.starts_with("is_") => operands[..1].to_vec(),
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
