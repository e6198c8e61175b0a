//! From syn to the tree: every node that is understood is made here and in the files below, with the names in it bound
//! to what they mean. What is not understood becomes a node that is refused when control reaches it.

mod collection;
mod dropped;
mod expression;
mod given;
mod item;
mod macros;
mod passed_on;
mod pattern;
mod tried;
mod ty;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, FnArg, GenericParam, Generics, ItemFn, ReturnType, Stmt};

use super::super::names::{Before, begins_path};
use super::super::refuse;
use super::fallible::Fallible;
use super::jump;
use super::key::{Key, key};
use super::leave;
use super::place::Placed;
use super::scope::{NameKind, Scopes};
use super::tree::{
    Binding, Block, Body, Collections, Constant, Expr, ExprKind, ImportId, ItemId, Let, Path, Pattern, PatternKind,
    Statement, TargetId, Type, Variable, VariableId, Written,
};

/// The items of a module, as far as a macro sees them.
#[derive(Default)]
pub struct Items {
    /// The names of all that can be named by a path.
    pub names: HashSet<String>,
    /// Those among them that are declared, and not imported.
    pub declared: HashSet<String>,
    /// Those among them that patterns take for constants.
    pub constants: HashSet<String>,
    /// The variants of the enums among them, where none is under a `cfg`.
    pub variants: HashMap<String, Vec<Ident>>,
    /// The names of the structs that hold floats and are known, and of their aliases.
    pub structs: HashSet<String>,
    /// The names of the macros.
    pub macros: HashSet<String>,
    /// The names that are imported from the standard library, and are not other names there.
    pub of_std: HashSet<String>,
    /// Whether macros are called in them that may name items.
    pub call_macros: bool,
    /// Whether there may be others, for there is a `use ...::*`.
    pub has_glob: bool,
}

/// Reads a function of a module with these items.
pub fn function(function: &ItemFn, items: &Items, collections: Collections) -> Body {
    let kept = match collections {
        Collections::Arrays if collection::may_be_in(function) => collection::kept(function, items),
        _ => HashSet::new(),
    };
    let mut reader = Reader { collections, kept: kept.clone(), ..Reader::new(items) };
    reader.scopes.enter();
    reader.function(function);
    if reader.body.fallible.is_none() {
        return reader.body;
    }
    let mut other = Reader { collections, kept, ..Reader::new(items) };
    other.scopes.enter();
    other.function_with_option(function);
    Body { with_option: Some(Rc::new(other.body)), ..reader.body }
}

/// Reads a constant of a module with these items, as the only one of a body.
pub fn constant(item: &syn::ItemConst, items: &Items) -> Body {
    let mut reader = Reader::new(items);
    reader.scopes.enter();
    let (ty, value) = (reader.ty(&item.ty), reader.expr(&item.expr));
    reader.body.constants.push(Rc::new(Constant { ident: item.ident.clone(), ty, value }));
    reader.body
}

/// Reads a type outside of all functions.
pub fn ty(ty: &syn::Type) -> Type {
    Reader::new(&Items::default()).ty(ty)
}

/// Reads a path outside of all functions, in a module with these items.
pub fn path(path: &syn::TypePath, items: &Items) -> Path {
    Reader::new(items).path(&syn::ExprPath { attrs: Vec::new(), qself: path.qself.clone(), path: path.path.clone() })
}

/// Reads an expression outside of all functions.
pub fn expression(source: &syn::Expr) -> Expr {
    Reader::new(&Items::default()).expr(source)
}

struct Reader<'i> {
    items: &'i Items,
    collections: Collections,
    /// The variables in which `Vec`s stay what they are, where others are read as arrays.
    kept: HashSet<String>,
    /// How many scopes there are in the outermost block of the present function.
    outermost: usize,
    /// Whether this place is in the value of a constant, where macros are refused in any case.
    is_in_constant: bool,
    /// Whether the function around this place gives an `Option` or a `Result` of floats, and no closure is around it.
    is_fallible: bool,
    /// Whether the function around this place is read as one whose value is an `Option`, and no closure is around it.
    is_optional: bool,
    /// The type of a `Result` that is surely an error, where that is what the function gives that is read so.
    dropped: Option<Rc<Type>>,
    scopes: Scopes<'i>,
    body: Body,
    /// What the aliases stand for that are declared in the function.
    aliases: HashMap<ItemId, syn::Type>,
    /// The loops and the blocks with labels around this place.
    targets: Vec<Target>,
    /// The variables of the first alternative of a pattern, while the others are read: they bind the same names.
    alternatives: Option<HashMap<Key, VariableId>>,
    /// What the closures around this place use of what is declared outside of them, with the number of variables that
    /// there were before each.
    closures: Vec<(u32, Vec<VariableId>)>,
}

/// A loop, or a block with a label.
struct Target {
    id: TargetId,
    label: Option<Ident>,
    is_loop: bool,
}

impl<'i> Reader<'i> {
    fn new(items: &'i Items) -> Self {
        Reader {
            items,
            collections: Collections::Kept,
            kept: HashSet::new(),
            outermost: 0,
            is_in_constant: false,
            is_fallible: false,
            is_optional: false,
            dropped: None,
            scopes: Scopes::new(&items.names, &items.constants),
            body: Body::default(),
            aliases: HashMap::new(),
            targets: Vec::new(),
            alternatives: None,
            closures: Vec::new(),
        }
    }

    /// A function, as the present body.
    fn function(&mut self, function: &ItemFn) {
        let fallible = Fallible::of(&function.sig, &|name| self.items.structs.contains(name));
        self.function_giving(function, fallible, false);
    }

    /// The same of one whose value is an `Option`, or a `Result` of which nothing but the value in the `Ok` is asked.
    fn function_with_option(&mut self, function: &ItemFn) {
        self.function_giving(function, None, true);
    }

    fn function_giving(&mut self, function: &ItemFn, fallible: Option<Fallible>, is_optional: bool) {
        self.outermost = self.scopes.depth() + 1;
        self.body.calls_macros = self.items.call_macros || macros::calls_macros(function.block.to_token_stream());
        self.body.has_collections = collection::may_be_in(function);
        self.generics(&function.sig.generics);
        self.body.generics = function.sig.generics.clone();
        for argument in &function.sig.inputs {
            match argument {
                FnArg::Typed(typed) => {
                    let ty = self.ty(&typed.ty);
                    let pattern = self.pattern(&typed.pat);
                    self.body.parameters.push((pattern, ty));
                }
                FnArg::Receiver(receiver) => self.receiver(receiver),
            }
        }
        self.body.fallible = fallible;
        self.body.output = match (&function.sig.output, &self.body.fallible.clone()) {
            (_, Some(fallible)) => Some(self.ty(&fallible.value)),
            (ReturnType::Type(_, ty), None) => Some(self.ty(ty)),
            (ReturnType::Default, None) => None,
        };
        let outer = (self.is_fallible, self.is_optional, self.dropped.take());
        (self.is_fallible, self.is_optional) = (self.body.fallible.is_some(), is_optional);
        if is_optional {
            self.drop_errors_of(function);
        }
        let block = match &function.sig.output {
            ReturnType::Type(_, ty) => self.block(&self.collecting_block(&function.block, ty)),
            ReturnType::Default => self.block(&function.block),
        };
        (self.body.changed, self.body.read) = block.changed();
        let block = match self.is_fallible {
            true => self.given_by_block(&block),
            false if self.dropped.is_some() => self.as_option_by_block(&block),
            false => block,
        };
        (self.is_fallible, self.is_optional, self.dropped) = outer;
        let variables = &mut self.body.variables;
        let block = leave::without_exits(&block, variables);
        self.body.has_many_returns = jump::has_many_returns(&block);
        self.body.block = jump::without_returns(&block, variables);
    }

    /// `self`, which is one variable, whatever macro it comes from. What `mut` lets a function do with it is done with
    /// the parameter itself.
    fn receiver(&mut self, receiver: &syn::Receiver) {
        let ident = Ident::new("self", receiver.self_token.span);
        self.body.variables.push(Variable { ident: ident.clone(), is_mut: false, is_note: false });
        let id = VariableId(self.body.variables.len() as u32 - 1);
        self.scopes.item(&ident, Binding::Variable(id), NameKind::Value);
        self.body.receiver = Some((id, ident));
    }

    fn generics(&mut self, generics: &Generics) {
        for parameter in &generics.params {
            match parameter {
                GenericParam::Type(parameter) => self.scopes.item(&parameter.ident, Binding::Generic, NameKind::Type),
                GenericParam::Const(parameter) => {
                    let ty = self.ty(&parameter.ty);
                    self.body.const_parameters.push((key(&parameter.ident), ty));
                    self.scopes.item(&parameter.ident, Binding::Generic, NameKind::Value);
                }
                GenericParam::Lifetime(_) => {}
            }
        }
    }

    /// A block in a scope of its own.
    fn block(&mut self, block: &syn::Block) -> Block {
        self.scopes.enter();
        self.items_of(block);
        let mut statements = Vec::new();
        for (index, stmt) in block.stmts.iter().enumerate() {
            let refused = match stmt {
                Stmt::Macro(stmt) => self.statement_message(&stmt.mac, &block.stmts[index + 1..]),
                _ => None,
            };
            statements.extend(match refused {
                Some(message) => {
                    let refused = Expr::new(ExprKind::Refused(message.to_string()), stmt.place());
                    Some(Statement::Expr(refused, false))
                }
                None => self.statement(stmt),
            });
            if let Some(last) = statements.pop() {
                let apart = jump::apart(last, &mut self.body.variables);
                match self.is_optional {
                    true => apart.into_iter().for_each(|statement| statements.extend(self.without_tries(statement))),
                    false => statements.extend(apart),
                }
            }
        }
        self.scopes.leave();
        Block { statements, place: delimited(&block.brace_token.span) }
    }

    fn statement(&mut self, stmt: &Stmt) -> Option<Statement> {
        match stmt {
            Stmt::Local(local) => Some(self.local(local)),
            Stmt::Expr(expr, semicolon) => Some(Statement::Expr(self.expr(expr), semicolon.is_none())),
            Stmt::Item(item) => self.item(item).map(|refused| Statement::Expr(refused, false)),
            Stmt::Macro(stmt) => {
                let call = match refused_attribute(&stmt.attrs) {
                    Some(refused) => refused,
                    None => self.macro_call(&stmt.mac),
                };
                Some(Statement::Expr(call, stmt.semi_token.is_none()))
            }
        }
    }

    fn local(&mut self, local: &syn::Local) -> Statement {
        if let Some(refused) = refused_attribute(&local.attrs) {
            self.pattern(&local.pat);
            return Statement::Expr(refused, false);
        }
        let (pattern, ty) = match &local.pat {
            syn::Pat::Type(typed) if typed.attrs.is_empty() => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let value = self.keeping(self.is_kept_by(pattern), |reader| {
            local.init.as_ref().map(|init| reader.expr(&reader.collecting(&init.expr, ty)))
        });
        let ty = ty.map(|ty| self.ty(ty));
        let diverging = local.init.as_ref().and_then(|init| init.diverge.as_ref());
        let otherwise = diverging.map(|(_, otherwise)| self.expr(otherwise));
        let place = diverging.map_or(local.let_token.place(), |(keyword, _)| keyword.place());
        // What is bound is seen after the value.
        let pattern = if diverging.is_some() { self.refutable(pattern) } else { self.pattern(pattern) };
        Statement::Let(Let { pattern, ty, value, otherwise, place }.into())
    }

    /// What a name means; one from outside is noted.
    fn find(&mut self, ident: &Ident) -> Binding {
        let binding = self.scopes.find(ident);
        self.noted(ident, binding)
    }

    /// What a name means as that of a type or a module; one from outside is noted.
    fn find_type(&mut self, ident: &Ident) -> Binding {
        let binding = self.scopes.find_type(ident);
        self.noted(ident, binding)
    }

    fn noted(&mut self, ident: &Ident, binding: Binding) -> Binding {
        if matches!(binding, Binding::Outside | Binding::Item | Binding::Unclear | Binding::Generic) {
            self.body.outside.insert(ident.unraw().to_string());
        }
        binding
    }

    /// Tokens that are kept as they are, but for the names in them.
    fn written(&mut self, source: &dyn ToTokens) -> Written {
        let tokens = source.to_token_stream();
        let mut names = Vec::new();
        self.names_in(tokens.clone(), &mut names);
        Written { tokens, names, captured: Vec::new() }
    }

    fn names_in(&mut self, tokens: TokenStream, found: &mut Vec<(Key, Binding)>) {
        let mut before = Before::default();
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let (is_name, is_type) = (!before.is_of_name(), before.is_of_type() || begins_path(tokens.peek()));
            let is_text = before.is_of_text();
            before.next(&token);
            match token {
                TokenTree::Ident(_) if !is_name => {}
                TokenTree::Group(_) if is_text => {}
                TokenTree::Ident(ident) => match if is_type { self.find_type(&ident) } else { self.find(&ident) } {
                    Binding::Variable(id) => {
                        self.note_use(id);
                        found.push((key(&ident), Binding::Variable(id)));
                    }
                    binding @ (Binding::Constant(_) | Binding::Local(_) | Binding::Generic) => {
                        found.push((key(&ident), binding));
                    }
                    Binding::Import(id) => {
                        self.note_import(id, starts_with_small_letter(&ident));
                        found.push((key(&ident), Binding::Import(id)));
                    }
                    Binding::Item | Binding::Unclear | Binding::Outside => {}
                },
                TokenTree::Group(group) => self.names_in(group.stream(), found),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// Notes that something names an import, in a way in which no trait is named or in another.
    fn note_import(&mut self, id: ImportId, is_no_trait: bool) {
        let import = &mut self.body.imports[id.0 as usize];
        import.is_no_trait = Some(import.is_no_trait.unwrap_or(true) && is_no_trait);
    }

    /// Declares a variable.
    fn declare(&mut self, ident: &Ident, is_mut: bool) -> VariableId {
        let known = self.alternatives.as_ref().and_then(|known| known.get(&key(ident)).copied());
        let id = known.unwrap_or_else(|| {
            self.body.variables.push(Variable { ident: ident.clone(), is_mut, is_note: false });
            VariableId(self.body.variables.len() as u32 - 1)
        });
        self.scopes.variable(ident, Binding::Variable(id));
        if !self.kept.is_empty() && self.kept.contains(&collection::declared(ident)) {
            self.body.keeping.insert(id);
        }
        id
    }

    fn enter_target(&mut self, label: Option<&syn::Label>, is_loop: bool) -> TargetId {
        let id = TargetId(self.body.labels.len() as u32);
        self.body.labels.push(label.cloned());
        self.targets.push(Target { id, label: label.map(|label| label.name.ident.clone()), is_loop });
        id
    }

    /// What a jump with this label, or without one, leads out of.
    fn target(&self, label: Option<&syn::Lifetime>) -> Option<TargetId> {
        let is_meant = |target: &&Target| match label {
            Some(label) => target.label.as_ref().is_some_and(|own| key(own) == key(&label.ident)),
            None => target.is_loop,
        };
        self.targets.iter().rev().find(is_meant).map(|target| target.id)
    }
}

/// Whether a name is, by convention, that of a module, of a function or of a primitive type.
fn starts_with_small_letter(ident: &Ident) -> bool {
    ident.to_string().starts_with(char::is_lowercase)
}

/// From the opening to the closing bracket.
fn delimited(span: &proc_macro2::extra::DelimSpan) -> super::place::Place {
    super::place::Place::of(span.open()).to(super::place::Place::of(span.close()))
}

/// Attributes of statements and expressions: only those that set lints are without effect on the meaning.
fn refused_attribute(attributes: &[Attribute]) -> Option<Expr> {
    let known = ["allow", "warn", "deny", "forbid", "expect", "doc"];
    let refused = attributes.iter().find(|attribute| !known.iter().any(|name| attribute.path().is_ident(name)))?;
    Some(Expr::new(ExprKind::Refused(refuse::ATTRIBUTE.to_string()), refused.place()))
}

impl Expr {
    /// An expression of this kind at this place.
    pub fn new(kind: ExprKind, place: super::place::Place) -> Self {
        Expr { kind: kind.into(), place }
    }
}

impl Pattern {
    /// A pattern of this kind at this place.
    pub fn new(kind: PatternKind, place: super::place::Place) -> Self {
        Pattern { kind, place }
    }
}
