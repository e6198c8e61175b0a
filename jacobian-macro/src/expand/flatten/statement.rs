//! Statements and blocks.

use std::collections::HashMap;

use proc_macro2::Literal;
use quote::{ToTokens, quote};
use syn::{Attribute, Block, Ident, Item, ItemConst, Local, Pat, Stmt, Type};

use super::Flattener;
use super::code::{Line, Written};
use super::control::Exit;
use super::expected::Expected;
use super::integer::Types;
use super::pattern::element_type;
use super::scope::{Captured, each_identifier};
use super::tail::without_returns;
use super::value::{Binding, Passive, Value, Vector};

/// Why a mutable reference is not bound.
pub(super) const REFERENCE: &str = "mutable references are not supported here; assign to the variable itself";

/// How many blocks are around a statement of the body itself.
const BODY: usize = 2;

impl Flattener<'_> {
    /// A block in a scope of its own. Its value is that of its last expression.
    pub(super) fn block(&mut self, block: &Block) -> Value {
        self.block_of(block, Expected::Anything)
    }

    /// A block whose value is expected to be something.
    pub(super) fn block_of(&mut self, block: &Block, expected: Expected) -> Value {
        if let Some(why) = self.inline {
            return self.refuse(block, why);
        }
        self.scopes.enter();
        self.frame.enter();
        self.constants_of(block);
        let value = self.statements(&block.stmts, expected);
        let value = self.end_of_block(value);
        self.leave(value, block)
    }

    /// Ends a block with its value. If something in it is given back at its end, nothing may be read later that is in it.
    fn end_of_block(&mut self, value: Value) -> Value {
        if !self.frame.leave(&self.numbers) {
            return value;
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
    fn statements(&mut self, statements: &[Stmt], expected: Expected) -> Value {
        let Some((last, others)) = statements.split_last() else { return Value::unit() };
        for statement in others {
            let result = self.statement(statement, Expected::Anything);
            self.discard(&result);
            self.frame.list.end_user_statement();
            if self.exit.is_some() {
                return Value::Error;
            }
        }
        let is_value = matches!(last, Stmt::Expr(_, None));
        let result = self.statement(last, if is_value { expected } else { Expected::Anything });
        self.frame.list.end_user_statement();
        if is_value || self.exit.is_some() {
            return result;
        }
        self.discard(&result);
        Value::unit()
    }

    /// Leaves a scope with the value that comes out of it.
    pub(super) fn leave(&mut self, value: Value, place: &impl ToTokens) -> Value {
        self.scopes.leave();
        self.kept(value, place)
    }

    /// A value that has come out of a scope, unless it needs a variable of that.
    pub(super) fn kept(&mut self, value: Value, place: &impl ToTokens) -> Value {
        let count = self.scopes.len();
        match value.closures().iter().any(|closure| closure.needs_more_than(count)) {
            true => self
                .refuse(place, "a closure cannot leave the block whose variables it uses; write `move` in front of it"),
            false => value,
        }
    }

    /// The body of the function.
    pub(super) fn body(&mut self, block: &Block) -> Value {
        let expected = self.returned.clone();
        let value = self.block_of(&without_returns(block), expected);
        self.returned_value(value, block)
    }

    fn statement(&mut self, statement: &Stmt, expected: Expected) -> Value {
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expression, _) => return self.expected(expression, expected),
            Stmt::Item(Item::Const(_)) => {}
            Stmt::Item(Item::Use(item)) if self.scopes.depth() > BODY => {
                self.errors.at(item, "`use` is supported in the outermost block of the function only; move it there");
            }
            Stmt::Item(Item::Use(item)) => self.code.item(None, item.to_token_stream()),
            Stmt::Item(item) => {
                self.errors.at(item, "of the items, only `const` and `use` are supported inside a differentiated function; move this one out of it");
            }
            Stmt::Macro(statement) => {
                self.lint_attributes(&statement.attrs);
                return self.macro_call(&statement.mac);
            }
        }
        Value::unit()
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
            self.line(Line::effect(quote!(let _ = #tokens;)));
        }
    }

    fn local(&mut self, local: &Local) {
        self.lint_attributes(&local.attrs);
        let Some(init) = &local.init else {
            return self.bind(&local.pat, Value::Unset, None);
        };
        if let Some((keyword, _)) = &init.diverge {
            self.errors.at(
                keyword,
                "`let ... else` is supported where what stands behind `else` returns; use an irrefutable pattern",
            );
        }
        let expected = match &local.pat {
            Pat::Type(typed) => Expected::Type((*typed.ty).clone()),
            _ => Expected::Anything,
        };
        let value = self.expected(&init.expr, expected);
        let value = match value {
            Value::Mutable(_) => self.refuse(&init.expr, REFERENCE),
            value => value,
        };
        if self.exit.is_none() {
            self.bind(&local.pat, value, None);
        }
    }

    /// Attributes of statements and expressions: only those that set lints are without effect on the meaning.
    pub(super) fn lint_attributes(&mut self, attributes: &[Attribute]) {
        let known = ["allow", "warn", "deny", "forbid", "expect", "doc"];
        for attribute in attributes.iter().filter(|attribute| !known.iter().any(|name| attribute.path().is_ident(name)))
        {
            self.errors
                .at(attribute, "attributes are not supported inside a differentiated function, except lint levels");
        }
    }

    /// Declares the constants of a block, which are visible in all of it.
    fn constants_of(&mut self, block: &Block) {
        let items: Vec<_> = block.stmts.iter().filter_map(as_const).collect();
        let declare = |item: &&ItemConst| {
            self.lint_attributes(&item.attrs);
            let variable = self.variable(&item.ident);
            let value = Value::Passive(Passive::simple(quote!(#variable)));
            self.scopes.declare_constant(&item.ident, Binding { value, ty: Some((*item.ty).clone()) });
            variable
        };
        let names: Vec<_> = items.iter().map(declare).collect();
        for index in by_dependence(&items) {
            self.constant_item(items[index], &names[index]);
        }
    }

    fn constant_item(&mut self, item: &ItemConst, name: &Ident) {
        let outer =
            self.inline.replace("a block in a constant is not supported; give its parts constants of their own");
        let value = self.expression(&item.expr);
        self.inline = outer;
        let Some(passive) = value.to_passive() else {
            if !value.is_error() {
                self.errors.at(&item.expr, "a constant cannot depend on a variable");
            }
            return;
        };
        let constant = self.value_of_constant(value, name, &item.ty);
        let (ty, tokens) = (self.written_type(&item.ty), passive.tokens());
        self.code.item(Some(name.clone()), quote!(const #name: #ty = #tokens;));
        if let Some(index) = self.scopes.number(&item.ident) {
            self.scopes.at(index).value = constant;
        }
    }

    /// What is known of a constant of this name and this value.
    fn value_of_constant(&mut self, value: Value, name: &Ident, ty: &Type) -> Value {
        let constant = Passive::simple(quote!(#name));
        match self.table(&value).and_then(|number| self.typed(number, ty)) {
            Some(number) => Value::Passive(self.known(number, constant)),
            None if is_of_primitives(ty) => self.parts_of_constant(value, constant, ty),
            None => Value::Passive(constant),
        }
    }

    /// The value of a constant as parts of `whole`, as far as it consists of arrays and tuples.
    fn parts_of_constant(&mut self, value: Value, whole: Passive, ty: &Type) -> Value {
        let tokens = whole.tokens();
        let elements = match &value {
            Value::Array(elements) | Value::Tuple(elements) => elements.iter().cloned().enumerate(),
            value => {
                let number = value.number().cloned().and_then(|number| self.typed(number, ty));
                return Value::Passive(match number {
                    Some(number) => self.known(number, whole),
                    None => whole,
                });
            }
        };
        let is_array = matches!(value, Value::Array(_));
        let part = |(index, element)| {
            let at = Literal::usize_unsuffixed(index);
            let part = Passive::simple(if is_array { quote!(#tokens[#at]) } else { quote!(#tokens.#at) });
            match element_type(ty, index) {
                Some(ty) => self.parts_of_constant(element, part, ty),
                None => Value::Passive(part),
            }
        };
        let parts = elements.map(part).collect();
        if is_array { Value::Array(parts) } else { Value::Tuple(parts) }
    }

    /// The value of a constant of the module, where something of it is known.
    pub(super) fn module_constant(&mut self, name: &Ident) -> Option<Value> {
        let item = self.module.constant(name)?;
        let key = name.to_string();
        if !self.constants.contains_key(&key) {
            // What depends on itself is not known.
            self.constants.insert(key.clone(), None);
            let value = self.evaluated_constant(item);
            self.constants.insert(key.clone(), value);
        }
        self.constants[&key].clone()
    }

    /// The value of an item outside of the function. What is not understood in it is no error.
    fn evaluated_constant(&mut self, item: &ItemConst) -> Option<Value> {
        let errors = std::mem::take(self.errors);
        let caller = self.scopes.call(&Captured::default(), 0);
        let value = self.on_trial(|flattener| flattener.expression(&item.expr));
        self.scopes.return_to(caller);
        let is_understood = self.errors.is_empty();
        *self.errors = errors;
        is_understood.then(|| self.value_of_constant(value, &item.ident, &item.ty))
    }
}

/// Whether the values of a type are numbers and truth values, and arrays and tuples of these: they can be copied.
pub(super) fn is_of_primitives(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_of_primitives(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_of_primitives),
        Type::Paren(paren) => is_of_primitives(&paren.elem),
        Type::Group(group) => is_of_primitives(&group.elem),
        Type::Path(path) => path.path.get_ident().is_some_and(|ident| {
            let name = ident.to_string();
            ["f64", "f32", "bool"].contains(&name.as_str()) || Types::named(&name).is_some()
        }),
        _ => false,
    }
}

fn as_const(statement: &Stmt) -> Option<&ItemConst> {
    match statement {
        Stmt::Item(Item::Const(item)) => Some(item),
        _ => None,
    }
}

/// The constants in an order in which each stands behind those that it mentions.
fn by_dependence(items: &[&ItemConst]) -> Vec<usize> {
    let numbers: HashMap<_, _> =
        items.iter().enumerate().map(|(index, item)| (item.ident.to_string(), index)).collect();
    let (mut waits_for, mut dependents) = (vec![0; items.len()], vec![Vec::new(); items.len()]);
    for (index, item) in items.iter().enumerate() {
        each_identifier(item.expr.to_token_stream(), &mut |ident| {
            if let Some(&other) = numbers.get(&ident.to_string()).filter(|&&other| other != index) {
                dependents[other].push(index);
                waits_for[index] += 1;
            }
        });
    }
    let mut order: Vec<_> = (0..items.len()).filter(|&index| waits_for[index] == 0).collect();
    let mut next = 0;
    while let Some(dependents) = order.get(next).map(|&index| std::mem::take(&mut dependents[index])) {
        for dependent in dependents {
            waits_for[dependent] -= 1;
            if waits_for[dependent] == 0 {
                order.push(dependent);
            }
        }
        next += 1;
    }
    // What depends on itself is an error of the compiler's.
    order.extend((0..items.len()).filter(|&index| waits_for[index] > 0));
    order
}
