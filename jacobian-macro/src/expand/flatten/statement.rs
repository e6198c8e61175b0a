//! Statements and blocks.

use quote::{ToTokens, quote};
use syn::{Attribute, Block, Expr, Item, ItemConst, Local, Stmt};

use super::value::{Binding, Passive, Value};
use super::{Flattener, Line};

impl Flattener<'_> {
    /// A block in a scope of its own. Its value is that of its last expression.
    pub(super) fn block(&mut self, block: &Block) -> Value {
        self.scopes.enter();
        self.constants_of(block);
        let mut value = Value::unit();
        for (index, statement) in block.stmts.iter().enumerate() {
            let is_last = index + 1 == block.stmts.len();
            let result = self.statement(statement);
            if is_last && matches!(statement, Stmt::Expr(_, None)) {
                value = result;
            }
        }
        self.scopes.leave();
        value
    }

    /// The body of the function, which may end in `return`.
    pub(super) fn body(&mut self, block: &Block) -> Value {
        let mut block = block.clone();
        if let Some(Stmt::Expr(Expr::Return(last), _)) = block.stmts.last()
            && let Some(result) = &last.expr
            && last.attrs.is_empty()
        {
            let result = Stmt::Expr((**result).clone(), None);
            block.stmts.pop();
            block.stmts.push(result);
        }
        self.block(&block)
    }

    fn statement(&mut self, statement: &Stmt) -> Value {
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expression, semicolon) => {
                let value = self.expression(expression);
                if semicolon.is_some() {
                    self.discard(&value);
                }
                return value;
            }
            Stmt::Item(Item::Const(_)) => {}
            Stmt::Item(Item::Use(item)) => self.prologue.push(Line::always(item.to_token_stream())),
            Stmt::Item(item) => {
                self.errors.at(item, "only `const` and `use` items are supported inside a differentiated function");
            }
            Stmt::Macro(statement) => {
                self.errors.at(&statement.mac, "macros are not expanded here; write out what this one stands for");
            }
        }
        Value::unit()
    }

    /// Keeps the effects of a passive expression whose value is not used.
    fn discard(&mut self, value: &Value) {
        if let Value::Passive(passive) = value
            && passive.number.is_none()
        {
            let tokens = passive.tokens();
            self.prologue.push(Line::always(quote!(let _ = #tokens;)));
        }
    }

    fn local(&mut self, local: &Local) {
        self.lint_attributes(&local.attrs);
        let Some(init) = &local.init else {
            return self.bind(&local.pat, Value::Unset, None);
        };
        if let Some((keyword, _)) = &init.diverge {
            self.errors.at(keyword, "`let ... else` is not supported; use an irrefutable pattern");
        }
        let value = self.expression(&init.expr);
        self.bind(&local.pat, value, None);
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
        for item in &items {
            let variable = self.variable(&item.ident);
            let value = Value::Passive(Passive::simple(quote!(#variable)));
            self.scopes.declare(&item.ident, Binding { value, ty: Some((*item.ty).clone()) });
        }
        for item in items {
            self.constant_item(item);
        }
    }

    fn constant_item(&mut self, item: &ItemConst) {
        let value = self.expression(&item.expr);
        let Some(passive) = value.to_passive() else {
            if !value.is_error() {
                self.errors.at(&item.expr, "a constant cannot depend on a variable");
            }
            return;
        };
        let Some(binding) = self.scopes.find_mut(&item.ident) else { return };
        if let Value::Passive(variable) = &mut binding.value {
            let (name, ty, tokens) = (variable.tokens().clone(), &item.ty, passive.tokens());
            variable.number.clone_from(&passive.number);
            self.prologue.push(Line::always(quote!(const #name: #ty = #tokens;)));
        }
    }
}

fn as_const(statement: &Stmt) -> Option<&ItemConst> {
    match statement {
        Stmt::Item(Item::Const(item)) => Some(item),
        _ => None,
    }
}
