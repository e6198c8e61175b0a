//! Statements and blocks.

use quote::quote;

use super::super::refuse;
use super::super::syntax::{Action, Block, Expr, ExprKind, Let, Statement};
use super::Lowering;
use super::code::{Line, Written};
use super::control::Exit;
use super::expected::Expected;
use super::value::{Value, Vector};

impl Lowering<'_> {
    /// A block in a scope of its own. Its value is that of its last expression.
    pub(super) fn block(&mut self, block: &Block) -> Value {
        self.block_of(block, Expected::Anything)
    }

    /// A block whose value is expected to be something.
    pub(super) fn block_of(&mut self, block: &Block, expected: Expected) -> Value {
        if let Some(why) = self.inline {
            return self.refuse(block, why);
        }
        self.frame.enter();
        let value = self.statements(&block.statements, expected);
        self.end_of_block(value)
    }

    /// Ends a block with its value. If something in it is given back at its end, nothing may be read later that is in it.
    fn end_of_block(&mut self, value: Value) -> Value {
        let Some(homes) = self.frame.leave(&self.numbers) else { return value };
        // What is in these variables goes on, in variables that are not changed any more.
        for number in homes {
            if let Value::Passive(home) = &mut self.bindings.at(number).value {
                home.may_change = false;
            }
        }
        let value = self.evaluated_inside(value);
        self.exit = match self.exit.take() {
            Some(Exit::Break(target, value)) => Some(Exit::Break(target, self.evaluated_inside(value))),
            Some(Exit::Return(value)) => Some(Exit::Return(self.evaluated_inside(value))),
            other => other,
        };
        let origin = self.code.add(Written::Close);
        self.frame.end(origin);
        value
    }

    /// The value with what is passive in it in variables.
    fn evaluated_inside(&mut self, value: Value) -> Value {
        match value {
            Value::Array(elements) => Value::Array(elements.into_iter().map(|it| self.evaluated_inside(it)).collect()),
            Value::Tuple(elements) => Value::Tuple(elements.into_iter().map(|it| self.evaluated_inside(it)).collect()),
            Value::Vector(vector) => {
                let elements = vector.elements.into_iter().map(|element| self.evaluated_inside(element)).collect();
                Value::Vector(Vector { elements, ..vector })
            }
            value => self.evaluated(value),
        }
    }

    /// Statements, until control leaves them. Their value is that of the last, if it is an expression.
    fn statements(&mut self, statements: &[Statement], expected: Expected) -> Value {
        let Some((last, others)) = statements.split_last() else { return Value::unit() };
        for statement in others {
            let result = self.statement(statement, Expected::Anything);
            self.discard(&result);
            self.frame.list.end_user_statement();
            if self.exit.is_some() {
                return Value::Error;
            }
        }
        let is_value = matches!(last, Statement::Expr(_, true));
        let result = self.statement(last, if is_value { expected } else { Expected::Anything });
        self.frame.list.end_user_statement();
        if is_value || self.exit.is_some() {
            return result;
        }
        self.discard(&result);
        Value::unit()
    }

    /// The body of the function.
    pub(super) fn body(&mut self, block: &Block) -> Value {
        let expected = self.returned.clone();
        let value = self.block_of(block, expected);
        self.returned_value(value, block)
    }

    fn statement(&mut self, statement: &Statement, expected: Expected) -> Value {
        match statement {
            Statement::Let(local) => self.local(local),
            Statement::Expr(expression, _) => match self.statement_as_written(expression) {
                Some(value) => return value,
                None => return self.expected(expression, expected),
            },
        }
        Value::unit()
    }

    /// What a statement becomes that is written as it is, if it is one of those: where the user changes what is opaque here.
    fn statement_as_written(&mut self, statement: &Expr) -> Option<Value> {
        let is_opaque = match &*statement.kind {
            ExprKind::While(_) | ExprKind::Other(..) => true,
            ExprKind::Macro(call) => matches!(call.action, Action::Kept),
            ExprKind::For(repetition) => !self.has_known_items(&repetition.items),
            ExprKind::Assign(target, _) | ExprKind::Update(_, target, _) => self.is_opaque_place(target),
            _ => false,
        };
        if is_opaque && self.inline.is_none() { self.kept_statement(statement) } else { None }
    }

    /// Keeps the effects of a passive expression whose value is not used.
    pub(super) fn discard(&mut self, value: &Value) {
        let passive = match value {
            Value::Passive(passive) => Some(passive.clone()),
            Value::Range(range) => Some(range.to_passive()),
            _ => None,
        };
        if let Some(passive) = passive.filter(|passive| passive.number.is_none()) {
            let tokens = passive.tokens();
            self.line(match passive.is_statement {
                true => Line::effect(quote!(#tokens;)).changing(),
                false => Line::effect(quote!(let _ = #tokens;)),
            });
        }
    }

    fn local(&mut self, local: &Let) {
        let Some(init) = &local.value else {
            return self.bind(&local.pattern, Value::Unset, local.ty.as_ref());
        };
        if local.otherwise.is_some() {
            self.errors.at(&local.place, refuse::LET_ELSE);
        }
        let value = match self.expected(init, Expected::of_type(local.ty.as_ref())) {
            Value::Mutable(_) => match self.kept(init) {
                Some(reference) => Value::Passive(reference),
                None => self.refuse(init, refuse::MUTABLE_REFERENCE),
            },
            value => value,
        };
        if self.exit.is_none() {
            self.bind(&local.pattern, value, local.ty.as_ref());
        }
    }
}
