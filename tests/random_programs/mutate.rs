//! Jacobians with a deliberate mistake: the comparison must find it.

use super::random::Random;
use super::tree::*;
use super::walk::{self, Node};

/// The function with one of its expressions changed; none if there is none that can be.
pub fn mutated(function: &Function, random: &mut Random) -> Option<Function> {
    let mut function = function.clone();
    let mut count = 0;
    walk::block(&mut function.body, &mut |node| count += usize::from(mutation(node).is_some()));
    let mut left = (count > 0).then(|| random.below(count));
    walk::block(&mut function.body, &mut |node| {
        if let Some((expression, wrong)) = mutation(node) {
            match left {
                Some(0) => {
                    *expression = wrong;
                    left = None;
                }
                Some(more) => left = Some(more - 1),
                None => {}
            }
        }
    });
    (count > 0).then_some(function)
}

/// An expression, and what stands for it by mistake.
fn mutation(node: Node<'_>) -> Option<(&mut Expression, Expression)> {
    let Node::Expression(expression) = node else { return None };
    let wrong = match &*expression {
        Expression::Binary(operator, operands, branch) => {
            let wrong = match operator {
                Operator::Add => Operator::Sub,
                Operator::Sub => Operator::Add,
                Operator::Mul => Operator::Div,
                Operator::Div => Operator::Mul,
                _ => return None,
            };
            Expression::Binary(wrong, operands.clone(), *branch)
        }
        Expression::Prefix(Prefix::Negative, operand) => (**operand).clone(),
        Expression::Method(name, operands, form) => {
            let wrong = match &**name {
                "sin" => "cos",
                "cos" => "sin",
                "sqrt" => "recip",
                "max" => "min",
                "min" => "max",
                _ => return None,
            };
            Expression::Method(wrong.into(), operands.clone(), *form)
        }
        _ => return None,
    };
    Some((expression, wrong))
}
