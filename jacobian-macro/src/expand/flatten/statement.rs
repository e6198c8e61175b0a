//! Statements and blocks.

use quote::{ToTokens, quote};
use syn::{Attribute, Block, Item, ItemConst, Local, Stmt};

use super::Flattener;
use super::code::Line;
use super::tail::without_returns;
use super::value::{Binding, Passive, Value};

/// How many blocks are around a statement of the body itself.
const BODY: usize = 2;

impl Flattener<'_> {
    /// A block in a scope of its own. Its value is that of its last expression.
    pub(super) fn block(&mut self, block: &Block) -> Value {
        if let Some(why) = self.inline {
            return self.refuse(block, why);
        }
        self.scopes.enter();
        self.constants_of(block);
        let mut value = Value::unit();
        for (index, statement) in block.stmts.iter().enumerate() {
            let is_last = index + 1 == block.stmts.len();
            let result = self.statement(statement);
            self.frame.list.end_user_statement();
            match statement {
                Stmt::Expr(_, None) if is_last => value = result,
                _ => self.discard(&result),
            }
        }
        self.scopes.leave();
        value
    }

    /// The body of a function, whose value is what the function returns.
    pub(super) fn body(&mut self, block: &Block) -> Value {
        self.block(&without_returns(block))
    }

    fn statement(&mut self, statement: &Stmt) -> Value {
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expression, _) => return self.expression(expression),
            Stmt::Item(Item::Const(_)) => {}
            Stmt::Item(Item::Use(item)) if self.scopes.depth() > BODY => {
                self.errors.at(item, "`use` is supported in the outermost block of the function only; move it there");
            }
            Stmt::Item(Item::Use(item)) => self.line(Line::always(item.to_token_stream())),
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
        if let Value::Passive(passive) = value
            && passive.number.is_none()
        {
            let tokens = passive.tokens();
            self.line(Line::always(quote!(let _ = #tokens;)));
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
            self.lint_attributes(&item.attrs);
            let variable = self.variable(&item.ident);
            let value = Value::Passive(Passive::simple(quote!(#variable)));
            self.scopes.declare(&item.ident, Binding { value, ty: Some((*item.ty).clone()) });
        }
        for item in items {
            self.constant_item(item);
        }
    }

    fn constant_item(&mut self, item: &ItemConst) {
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
        let Some(binding) = self.variable_mut(&item.ident) else { return };
        if let Value::Passive(variable) = &mut binding.value {
            let (name, ty, tokens) = (variable.tokens().clone(), &item.ty, passive.tokens());
            variable.number.clone_from(&passive.number);
            self.line(Line::always(quote!(const #name: #ty = #tokens;)));
        }
    }
}

fn as_const(statement: &Stmt) -> Option<&ItemConst> {
    match statement {
        Stmt::Item(Item::Const(item)) => Some(item),
        _ => None,
    }
}
