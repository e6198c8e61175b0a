//! A walk through all expressions and blocks of a program, from the outside to the inside.

use std::rc::Rc;

use super::tree::*;

/// A part of a program, which can be changed.
pub enum Node<'t> {
    Expression(&'t mut Expression),
    Block(&'t mut Block),
}

type Visit<'v> = dyn FnMut(Node<'_>) + 'v;

/// Visits the block and everything in it.
pub fn block(block: &mut Block, visit: &mut Visit<'_>) {
    visit(Node::Block(block));
    for statement in &mut block.statements {
        self::statement(statement, visit);
    }
    if let Some(value) = &mut block.value {
        expression(value, visit);
    }
}

fn statement(statement: &mut Statement, visit: &mut Visit<'_>) {
    match statement {
        Statement::Let(_, _, Some(value)) | Statement::Run(value) | Statement::Return(value) => {
            expression(value, visit);
        }
        Statement::LetElse(own) => {
            expression(&mut own.value, visit);
            block(&mut own.otherwise, visit);
        }
        Statement::Assign(place, _, value) => [place, value].into_iter().for_each(|part| expression(part, visit)),
        Statement::BreakWith(_, value) | Statement::Assert(value) => expression(value, visit),
        Statement::Item(Item { kind: ItemKind::Const(_, _, value), .. }) => expression(value, visit),
        Statement::Item(Item { kind: ItemKind::Function(function), .. }) => block(&mut function.body, visit),
        Statement::For(repeated) => {
            let repeated = Rc::make_mut(repeated);
            items(&mut repeated.items, visit);
            block(&mut repeated.body, visit);
        }
        Statement::While(repeated) => {
            let repeated = Rc::make_mut(repeated);
            all(repeated.condition.as_mut_slice(), visit);
            block(&mut repeated.body, visit);
        }
        Statement::Let(_, _, None) | Statement::Break(_) | Statement::Continue(_) | Statement::Item(_) => {}
    }
}

fn expression(expression: &mut Expression, visit: &mut Visit<'_>) {
    visit(Node::Expression(expression));
    match expression {
        Expression::Index(base, index) => [base, index].into_iter().for_each(|part| self::expression(part, visit)),
        Expression::Slice(inner, ..)
        | Expression::Field(inner, _)
        | Expression::Member(inner, _)
        | Expression::Prefix(_, inner)
        | Expression::Cast(inner, _)
        | Expression::Try(inner)
        | Expression::Let(_, inner) => self::expression(inner, visit),
        Expression::Binary(_, operands, _) | Expression::Repeat(operands) => all(&mut **operands, visit),
        Expression::Method(_, operands, _) => all(operands, visit),
        Expression::Array(elements) | Expression::Tuple(elements) | Expression::Call(_, elements) => {
            all(elements, visit);
        }
        Expression::Struct(_, fields, rest) => {
            fields.iter_mut().for_each(|(_, value)| self::expression(value, visit));
            rest.iter_mut().for_each(|rest| self::expression(rest, visit));
        }
        Expression::Option(value) => value.iter_mut().for_each(|value| self::expression(value, visit)),
        Expression::Block(inner) | Expression::Labelled(_, inner) => block(inner, visit),
        Expression::Items(source) => items(source, visit),
        Expression::If(branch) => {
            self::expression(&mut branch.condition, visit);
            block(&mut branch.then, visit);
            all(branch.otherwise.as_mut_slice(), visit);
        }
        Expression::Match(branch) => {
            self::expression(&mut branch.scrutinee, visit);
            for arm in &mut branch.arms {
                all(arm.guard.as_mut_slice(), visit);
                self::expression(&mut arm.body, visit);
            }
        }
        Expression::Closure(inner) | Expression::FromFn(_, inner) => closure(inner, visit),
        Expression::Consume(source, consumer) => {
            items(source, visit);
            if let Consumer::Fold(start, _) = consumer {
                self::expression(start, visit);
            }
            if let Consumer::Fold(_, inner) | Consumer::Reduce(inner) = consumer {
                closure(inner, visit);
            }
        }
        Expression::MapArray(array, inner) => {
            self::expression(array, visit);
            closure(inner, visit);
        }
        Expression::Float(_) | Expression::Integer(..) | Expression::Bool(_) | Expression::Variable(_) => {}
    }
}

fn all(expressions: &mut [Expression], visit: &mut Visit<'_>) {
    expressions.iter_mut().for_each(|inner| expression(inner, visit));
}

fn closure(closure: &mut Rc<Closure>, visit: &mut Visit<'_>) {
    expression(&mut Rc::make_mut(closure).body, visit);
}

fn items(source: &mut Items, visit: &mut Visit<'_>) {
    match source {
        Items::Range(start, end, _) => [start, end].into_iter().for_each(|bound| expression(bound, visit)),
        Items::Elements(array, _) => expression(array, visit),
        Items::Windows(array, count) | Items::Chunks(array, count) => {
            [array, count].into_iter().for_each(|part| expression(part, visit));
        }
        Items::StepBy(inner, count) | Items::Skip(inner, count) | Items::Take(inner, count) => {
            items(inner, visit);
            expression(count, visit);
        }
        Items::Reversed(inner) | Items::Copied(inner) | Items::Enumerate(inner) => items(inner, visit),
        Items::Zip(inner, others) => [inner, others].into_iter().for_each(|part| items(part, visit)),
        Items::Map(inner, mapping) | Items::FilterMap(inner, mapping) => {
            items(inner, visit);
            closure(mapping, visit);
        }
    }
}
