//! Pieces of the tree that the user has not written: what jumps become.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::place::Place;
use super::tree::{
    Binding, Block, Expr, ExprKind, If, Let, Path, Pattern, PatternKind, PatternVariable, Statement, Type, Variable,
    VariableId,
};

/// The variables of a body, to which others are added.
pub type Variables = Vec<Variable>;

/// A variable that notes something of a jump.
#[derive(Clone)]
pub struct Own {
    id: VariableId,
    ident: Ident,
}

impl Own {
    /// A new variable.
    pub fn new(name: &str, variables: &mut Variables) -> Own {
        let ident = Ident::new(name, Span::mixed_site());
        variables.push(Variable { ident: ident.clone(), is_mut: true, is_note: true });
        Own { id: VariableId(variables.len() as u32 - 1), ident }
    }

    /// This variable.
    pub fn of(id: VariableId, ident: Ident) -> Own {
        Own { id, ident }
    }

    /// Its number and its name.
    pub fn variable(&self) -> (VariableId, Ident) {
        (self.id, self.ident.clone())
    }

    /// It as an expression.
    pub fn read(&self, place: Place) -> Expr {
        Expr::new(ExprKind::Variable(self.id, self.ident.clone()), place)
    }

    /// `let mut own: ty = value;`.
    pub fn declared(&self, ty: Option<Type>, value: Option<Expr>, place: Place) -> Statement {
        Statement::Let(Rc::new(Let { pattern: self.pattern(true, place), ty, value, otherwise: None, place }))
    }

    /// `let own = value;`.
    pub fn bound(&self, value: Expr) -> Statement {
        let place = value.place;
        let pattern = self.pattern(false, place);
        Statement::Let(Rc::new(Let { pattern, ty: None, value: Some(value), otherwise: None, place }))
    }

    /// It as a pattern.
    pub fn pattern(&self, is_mut: bool, place: Place) -> Pattern {
        let variable = PatternVariable { id: self.id, ident: self.ident.clone(), by_ref: false, is_mut, inner: None };
        Pattern { kind: PatternKind::Variable(variable), place }
    }

    /// `own = value;`.
    pub fn assigned(&self, value: Expr, place: Place) -> Statement {
        statement(Expr::new(ExprKind::Assign(self.read(place), value), place))
    }
}

/// What notes a jump, which is made later on.
#[derive(Clone)]
pub struct Note {
    /// Whether it is reached.
    pub flag: Own,
    /// Its value, if it has one.
    pub value: Option<Own>,
}

impl Note {
    /// New variables for a jump.
    pub fn new(has_value: bool, variables: &mut Variables) -> Note {
        let flag = Own::new("is_left", variables);
        Note { flag, value: has_value.then(|| Own::new("given", variables)) }
    }

    /// Before a jump can be reached. Its value is of no meaning until then, and is `first`, if there is such a value.
    pub fn declared(&self, first: Option<Expr>, place: Place) -> Vec<Statement> {
        let value = self.value.as_ref().map(|value| value.declared(None, first, place));
        [self.flag.declared(None, Some(truth_value(false, place)), place)].into_iter().chain(value).collect()
    }

    /// Where the jump is reached. The value is first, for it may panic.
    pub fn taken(&self, value: Option<Expr>, place: Place) -> Vec<Statement> {
        let value = self.value.as_ref().zip(value).map(|(own, value)| own.assigned(value, place));
        value.into_iter().chain([self.flag.assigned(truth_value(true, place), place)]).collect()
    }

    /// Its value.
    pub fn given(&self, place: Place) -> Option<Expr> {
        self.value.as_ref().map(|value| value.read(place))
    }

    /// `if it is reached { then } else { otherwise }`.
    pub fn branch(&self, then: Vec<Statement>, otherwise: Option<Vec<Statement>>, place: Place) -> Expr {
        let (condition, then) = (self.flag.read(place), Block { statements: then, place });
        let otherwise = otherwise.map(|statements| block_of(statements, place));
        Expr::new(ExprKind::If(If { condition, then, otherwise }), place)
    }
}

/// An expression with a semicolon.
pub fn statement(expression: Expr) -> Statement {
    Statement::Expr(expression, false)
}

/// A variant of `Option`, which no name of the user's hides.
pub fn of_option(variant: &TokenStream) -> Path {
    of_core(syn::parse_quote_spanned!(Span::mixed_site()=> ::core::option::Option::#variant))
}

/// `Some(value)`.
pub fn some(value: Expr, place: Place) -> Expr {
    Expr::new(ExprKind::Call(Expr::new(ExprKind::Path(of_option(&quote!(Some))), place), vec![value]), place)
}

/// `None`.
pub fn none(place: Place) -> Expr {
    Expr::new(ExprKind::Path(of_option(&quote!(None))), place)
}

/// A variant of `Result`, which no name of the user's hides.
pub fn of_result(variant: &TokenStream) -> Path {
    of_core(syn::parse_quote_spanned!(Span::mixed_site()=> ::core::result::Result::#variant))
}

/// A path from `::core`.
pub fn of_core(path: syn::Path) -> Path {
    let path = syn::ExprPath { attrs: Vec::new(), qself: None, path };
    Path { path, binding: Binding::Outside, may_be_std: true, is_declared: false, names: Vec::new() }
}

/// `true` or `false`.
pub fn truth_value(value: bool, place: Place) -> Expr {
    Expr::new(ExprKind::Literal(syn::Lit::Bool(syn::LitBool::new(value, place.span()))), place)
}

/// A block.
pub fn block_of(statements: Vec<Statement>, place: Place) -> Expr {
    Expr::new(ExprKind::Block(Block { statements, place }), place)
}
