//! Expressions. The left spine of operators, method calls, fields and indices is followed by a loop, for it is as long
//! as the user's expression; all other recursion is as deep as the brackets nest, which the guard bounds.

use std::collections::HashSet;
use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{BinOp, Expr as Source, GenericArgument, RangeLimits, Token};

use super::super::super::refuse;
use super::super::jump;
use super::super::leave;
use super::super::place::{Place, Placed};
use super::super::tree::{
    Arm, Binding, Closure, Expr, ExprKind, For, If, Labelled, Method, Path, Struct, Turbofish, Type, VariableId, While,
    Written,
};
use super::passed_on::passing_on;
use super::{Reader, delimited, refused_attribute, starts_with_small_letter};

impl Reader<'_> {
    /// An expression.
    pub(super) fn expr(&mut self, source: &Source) -> Expr {
        let mut spine = Vec::new();
        let mut innermost = source;
        while let Some(left) = leftmost(innermost, self.is_fallible || self.is_optional) {
            spine.push(innermost);
            innermost = left;
        }
        let mut read = self.leaf(innermost);
        for outer in spine.into_iter().rev() {
            read = match refused_attribute(attributes(outer)) {
                Some(refused) => refused,
                None => self.with_left(outer, read),
            };
        }
        read
    }

    fn exprs<'e>(&mut self, sources: impl IntoIterator<Item = &'e Source>) -> Vec<Expr> {
        let mut exprs = Vec::new();
        for source in sources {
            exprs.push(self.expr(source));
        }
        exprs
    }

    /// An expression whose leftmost part is `left`.
    fn with_left(&mut self, source: &Source, left: Expr) -> Expr {
        let start = left.place;
        let (kind, place) = match source {
            Source::Binary(binary) => {
                let right = self.expr(&binary.right);
                let place = start.to(right.place);
                (ExprKind::Binary(binary.op, left, right), place)
            }
            Source::MethodCall(call) => {
                let args = self.keeping(self.is_keeping(&left), |reader| reader.exprs(&call.args));
                let turbofish = call.turbofish.as_ref().map(|turbofish| self.turbofish(turbofish));
                let method = Method { receiver: left, name: call.method.clone(), turbofish, args };
                (ExprKind::Method(method), start.to(delimited(&call.paren_token.span)))
            }
            Source::Field(field) => (ExprKind::Field(left, field.member.clone()), start.to(field.member.place())),
            Source::Index(index) => {
                let at = self.expr(&index.index);
                (ExprKind::Index(left, at), start.to(delimited(&index.bracket_token.span)))
            }
            Source::Cast(cast) => {
                let ty = self.ty(&cast.ty);
                let place = start.to(ty.place);
                (ExprKind::Cast(left, ty), place)
            }
            Source::Unary(unary) => {
                let place = unary.op.place().to(start);
                (ExprKind::Unary(unary.op, left), place)
            }
            Source::Reference(reference) => {
                let place = reference.and_token.place().to(start);
                let kind =
                    if reference.mutability.is_some() { ExprKind::Mutable(left) } else { ExprKind::Shared(left) };
                (kind, place)
            }
            Source::Paren(paren) => (ExprKind::Paren(left), delimited(&paren.paren_token.span)),
            Source::Group(_) => (ExprKind::Paren(left), start),
            Source::Try(tried) => (ExprKind::Try(left), start.to(tried.question_token.place())),
            _ => unreachable!("`leftmost` knows these"),
        };
        Expr::new(kind, place)
    }

    fn turbofish(&mut self, turbofish: &syn::AngleBracketedGenericArguments) -> Turbofish {
        let only = match turbofish.args.first() {
            Some(GenericArgument::Type(ty)) if turbofish.args.len() == 1 => Some(self.ty(ty)),
            _ => None,
        };
        let place = turbofish.place();
        let names = self.type_names(turbofish);
        let written = Written { tokens: turbofish.to_token_stream(), names, captured: Vec::new() };
        Turbofish { written, only, place }
    }

    fn leaf(&mut self, source: &Source) -> Expr {
        if let Some(refused) = refused_attribute(attributes(source)) {
            return refused;
        }
        match source {
            Source::Lit(literal) => Expr::new(ExprKind::Literal(literal.lit.clone()), literal.place()),
            Source::Path(path) => self.path_expr(path),
            Source::Macro(call) => self.macro_call(&call.mac),
            Source::Array(array) => {
                Expr::new(ExprKind::Array(self.exprs(&array.elems)), delimited(&array.bracket_token.span))
            }
            Source::Tuple(tuple) => {
                Expr::new(ExprKind::Tuple(self.exprs(&tuple.elems)), delimited(&tuple.paren_token.span))
            }
            Source::Repeat(repeat) => {
                let kind = ExprKind::Repeat(self.expr(&repeat.expr), self.expr(&repeat.len));
                Expr::new(kind, delimited(&repeat.bracket_token.span))
            }
            Source::Call(call) => {
                if let Some(array) = self.empty_vec(call) {
                    return array;
                }
                let function = self.expr(&call.func);
                let place = function.place.to(delimited(&call.paren_token.span));
                let args = self.exprs(&call.args);
                match &args[..] {
                    [first, second] if function.is_zip() => zipped(first.clone(), second.clone(), place),
                    _ => Expr::new(ExprKind::Call(function, args), place),
                }
            }
            Source::Binary(binary) => self.update(binary),
            Source::Assign(assign) => {
                let left = self.expr(&assign.left);
                let right = self.keeping(self.is_keeping(&left), |reader| reader.expr(&assign.right));
                let place = left.place.to(right.place);
                Expr::new(ExprKind::Assign(left, right), place)
            }
            Source::Range(range) => self.range(range),
            Source::Infer(infer) => Expr::new(ExprKind::Infer, infer.place()),
            Source::Struct(source) => self.construction(source),
            Source::Closure(closure) => self.closure(closure),
            other => self.control(other),
        }
    }

    /// `left op= right`.
    fn update(&mut self, binary: &syn::ExprBinary) -> Expr {
        let (left, right) = (self.expr(&binary.left), self.expr(&binary.right));
        let place = left.place.to(right.place);
        let kind = match operator_of_update(&binary.op) {
            Some(op) => ExprKind::Update(op, left, right),
            None => ExprKind::Refused(refuse::OPERATOR.to_string()),
        };
        Expr::new(kind, place)
    }

    fn range(&mut self, range: &syn::ExprRange) -> Expr {
        let [start, end] = [&range.start, &range.end].map(|bound| bound.as_ref().map(|bound| self.expr(bound)));
        let limits = range.limits.place();
        let first = start.as_ref().map_or(limits, |start| start.place);
        let place = first.to(end.as_ref().map_or(limits, |end| end.place));
        Expr::new(ExprKind::Range(start, end, matches!(range.limits, RangeLimits::Closed(_))), place)
    }

    fn construction(&mut self, source: &syn::ExprStruct) -> Expr {
        if let Some(qself) = &source.qself {
            return self.other(source, qself.ty.place());
        }
        let path = self.struct_path(&source.path);
        let fields = source.fields.iter().map(|field| (field.member.clone(), self.expr(&field.expr))).collect();
        let rest = source.rest.as_ref().map(|rest| self.expr(rest));
        let place = path.place().to(delimited(&source.brace_token.span));
        Expr::new(ExprKind::Struct(Struct { path, fields, rest }), place)
    }

    /// A path that is an expression.
    pub(super) fn path_expr(&mut self, source: &syn::ExprPath) -> Expr {
        let path = self.path(source);
        let place = path.place();
        match (path.binding, source.path.get_ident()) {
            (Binding::Variable(id), Some(ident)) => {
                self.note_use(id);
                Expr::new(ExprKind::Variable(id, ident.clone()), place)
            }
            _ => Expr::new(ExprKind::Path(path), place),
        }
    }

    /// A path, with what its first name means.
    pub(super) fn path(&mut self, source: &syn::ExprPath) -> Path {
        self.path_of(source, source.path.segments.len() > 1)
    }

    /// The path of a struct, before fields in braces.
    pub(super) fn struct_path(&mut self, path: &syn::Path) -> Path {
        self.path_of(&syn::ExprPath { attrs: Vec::new(), qself: None, path: path.clone() }, true)
    }

    /// A path whose first name is that of a type or a module, or that of a value.
    fn path_of(&mut self, source: &syn::ExprPath, is_type: bool) -> Path {
        let segments = &source.path.segments;
        let is_single = segments.len() == 1 && source.path.leading_colon.is_none();
        let binding = match segments.first() {
            Some(first) if source.qself.is_none() && source.path.leading_colon.is_none() => {
                match if is_type { self.find_type(&first.ident) } else { self.find(&first.ident) } {
                    Binding::Import(id) => {
                        self.note_import(id, is_single || starts_with_small_letter(&first.ident));
                        Binding::Import(id)
                    }
                    binding => binding,
                }
            }
            _ => Binding::Outside,
        };
        let mut arguments = TokenStream::new();
        source.qself.iter().for_each(|qself| qself.ty.to_tokens(&mut arguments));
        segments.iter().for_each(|segment| segment.arguments.to_tokens(&mut arguments));
        let is_among = |names: &HashSet<String>| {
            segments.first().is_some_and(|first| names.contains(&first.ident.unraw().to_string()))
        };
        let may_be_std = match binding {
            Binding::Outside => true,
            Binding::Import(id) => self.body.imports[id.0 as usize].is_of_std(),
            Binding::Item => is_among(&self.items.of_std),
            _ => false,
        };
        let is_declared = match binding {
            Binding::Item => is_among(&self.items.declared),
            Binding::Local(_) => true,
            _ => false,
        };
        Path { path: source.clone(), binding, may_be_std, is_declared, names: self.type_names(&arguments) }
    }

    /// Notes that the closures around this place use a variable, if it is declared outside of them.
    pub(super) fn note_use(&mut self, id: VariableId) {
        for (_, captured) in self.closures.iter_mut().filter(|(first, _)| id.0 < *first) {
            if !captured.contains(&id) {
                captured.push(id);
            }
        }
    }

    fn closure(&mut self, closure: &syn::ExprClosure) -> Expr {
        let place = closure.place();
        if closure.asyncness.is_some() || closure.lifetimes.is_some() || closure.constness.is_some() {
            return Expr::new(ExprKind::Refused(refuse::CLOSURE.to_string()), place);
        }
        self.closures.push((self.body.variables.len() as u32, Vec::new()));
        self.scopes.enter();
        let parameters = closure.inputs.iter().map(|pattern| self.closure_parameter(pattern)).collect();
        let output = match &closure.output {
            syn::ReturnType::Type(_, ty) => Some(self.ty(ty)),
            syn::ReturnType::Default => None,
        };
        let targets = std::mem::take(&mut self.targets);
        let tries = (std::mem::take(&mut self.is_fallible), std::mem::take(&mut self.is_optional));
        let body = self.expr(&closure.body);
        self.targets = targets;
        (self.is_fallible, self.is_optional) = tries;
        self.scopes.leave();
        let (_, captured) = self.closures.pop().unwrap_or_default();
        let body = match &*body.kind {
            ExprKind::Block(block) => {
                let variables = &mut self.body.variables;
                let block = leave::without_exits(block, variables);
                Expr::new(ExprKind::Block(jump::without_returns(&block, variables)), body.place)
            }
            _ => body,
        };
        let is_move = closure.capture.is_some();
        let closure = Closure { parameters, output, body, captured, is_move, place };
        Expr::new(ExprKind::Closure(closure.into()), place)
    }

    fn closure_parameter(&mut self, pattern: &syn::Pat) -> (super::Pattern, Option<Type>) {
        match pattern {
            syn::Pat::Type(typed) if typed.attrs.is_empty() => {
                let ty = self.ty(&typed.ty);
                (self.pattern(&typed.pat), Some(ty))
            }
            pattern => (self.pattern(pattern), None),
        }
    }

    /// Blocks, and expressions that say where control goes.
    fn control(&mut self, source: &Source) -> Expr {
        match source {
            Source::Block(block) => {
                let label = block.label.as_ref();
                let target = label.map(|label| self.enter_target(Some(label), false));
                let read = self.block(&block.block);
                if target.is_some() {
                    self.targets.pop();
                }
                let start = label.map_or(read.place, |label| label.place());
                let place = start.to(read.place);
                let kind = match target {
                    Some(target) => {
                        let leaving = leave::without_breaks(target, &read, &mut self.body.variables);
                        ExprKind::Labelled(Rc::new(Labelled { target, body: read, leaving }))
                    }
                    None => ExprKind::Block(read),
                };
                Expr::new(kind, place)
            }
            Source::If(branch) => self.branch(branch),
            Source::Let(condition) => {
                let value = self.expr(&condition.expr);
                let pattern = self.refutable(&condition.pat);
                let place = condition.let_token.place().to(value.place);
                Expr::new(ExprKind::Let(pattern, value), place)
            }
            Source::Match(branch) => {
                if let Some(tried) = passing_on(branch).filter(|_| self.is_fallible || self.is_optional) {
                    return self.expr(&tried);
                }
                let subject = self.expr(&branch.expr);
                let arms = branch.arms.iter().map(|arm| self.arm(arm)).collect();
                let place = branch.match_token.place().to(delimited(&branch.brace_token.span));
                Expr::new(ExprKind::Match(subject, arms), place)
            }
            Source::ForLoop(repetition) => self.for_loop(repetition),
            Source::While(repetition) => {
                let start = repetition.label.as_ref().map_or(repetition.while_token.place(), |label| label.place());
                self.scopes.enter();
                let condition = self.expr(&repetition.cond);
                let read = self.while_loop(repetition.label.as_ref(), Some(condition), &repetition.body, start);
                self.scopes.leave();
                read
            }
            Source::Loop(repetition) => {
                let start = repetition.label.as_ref().map_or(repetition.loop_token.place(), |label| label.place());
                self.while_loop(repetition.label.as_ref(), None, &repetition.body, start)
            }
            Source::Break(jump) => {
                let value = jump.expr.as_ref().map(|value| self.expr(value));
                Expr::new(ExprKind::Break(self.target(jump.label.as_ref()), value), jump.place())
            }
            Source::Continue(jump) => Expr::new(ExprKind::Continue(self.target(jump.label.as_ref())), jump.place()),
            Source::Return(jump) => {
                let value = jump.expr.as_ref().map(|value| self.expr(value));
                let start = jump.return_token.place();
                let place = start.to(value.as_ref().map_or(start, |value| value.place));
                match self.is_fallible {
                    true => self.given_by_return(value, place),
                    false if self.is_optional => {
                        let value = value.map(|value| self.as_option(&value));
                        Expr::new(ExprKind::Return(value), place)
                    }
                    false => Expr::new(ExprKind::Return(value), place),
                }
            }
            other => {
                let place = other.place();
                self.other(other, place)
            }
        }
    }

    fn branch(&mut self, branch: &syn::ExprIf) -> Expr {
        self.scopes.enter();
        let condition = self.expr(&branch.cond);
        let then = self.block(&branch.then_branch);
        self.scopes.leave();
        let otherwise = branch.else_branch.as_ref().map(|(_, otherwise)| self.expr(otherwise));
        let place = branch.if_token.place().to(otherwise.as_ref().map_or(then.place, |otherwise| otherwise.place));
        Expr::new(ExprKind::If(If { condition, then, otherwise }), place)
    }

    fn arm(&mut self, arm: &syn::Arm) -> Arm {
        self.scopes.enter();
        let (pattern, guard) = match &arm.pat {
            syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&guarded.guard)),
            pattern => (pattern, None),
        };
        let pattern = self.refutable(pattern);
        let guard = guard.map(|guard| self.expr(guard));
        let body = refused_attribute(&arm.attrs).unwrap_or_else(|| self.expr(&arm.body));
        self.scopes.leave();
        Arm { pattern, guard, body }
    }

    fn for_loop(&mut self, repetition: &syn::ExprForLoop) -> Expr {
        let items = self.expr(&repetition.expr);
        let target = self.enter_target(repetition.label.as_ref(), true);
        self.scopes.enter();
        let pattern = self.pattern(&repetition.pat);
        let body = self.block(&repetition.body);
        self.scopes.leave();
        self.targets.pop();
        let keyword = repetition.for_token.place();
        let start = repetition.label.as_ref().map_or(keyword, |label| label.place());
        let place = start.to(body.place);
        let (next, variables) = (Expr::new(ExprKind::NextIterations, keyword), &mut self.body.variables);
        let nested = jump::without_jumps(target, &body, next.clone(), variables);
        let noted = jump::noted_jumps(target, &items, &body, next, variables);
        let iteration = jump::iteration(target, None, &body, variables);
        Expr::new(
            ExprKind::For(Rc::new(For { target, pattern, items, body, nested, noted, iteration, keyword })),
            place,
        )
    }

    fn while_loop(
        &mut self,
        label: Option<&syn::Label>,
        condition: Option<Expr>,
        body: &syn::Block,
        start: Place,
    ) -> Expr {
        let target = self.enter_target(label, true);
        let body = self.block(body);
        self.targets.pop();
        let place = start.to(body.place);
        let variables = &mut self.body.variables;
        let iteration = jump::iteration(target, condition.as_ref(), &body, variables);
        let after = condition.as_ref().map(|_| jump::iteration(target, None, &body, variables));
        let repetition = While { target, condition, body, iteration, after, given: None };
        let repetition = leave::with_value(repetition, variables);
        Expr::new(ExprKind::While(Rc::new(repetition)), place)
    }

    /// What is not understood, but can be kept.
    fn other(&mut self, source: &dyn ToTokens, place: Place) -> Expr {
        let written = self.written(source);
        let message = syn::parse2(written.tokens.clone()).map_or(refuse::EXPRESSION, |source| unsupported(&source));
        Expr::new(ExprKind::Other(written, message), place)
    }
}

/// The part of an expression that the loop over the spine goes on with.
fn leftmost(source: &Source, may_try: bool) -> Option<&Source> {
    match source {
        Source::Try(tried) if may_try => Some(&tried.expr),
        Source::Binary(binary) if operator_of_update(&binary.op).is_none() => Some(&binary.left),
        Source::MethodCall(call) => Some(&call.receiver),
        Source::Field(field) => Some(&field.base),
        Source::Index(index) => Some(&index.expr),
        Source::Cast(cast) => Some(&cast.expr),
        Source::Unary(unary) => Some(&unary.expr),
        Source::Reference(reference) => Some(&reference.expr),
        Source::Paren(paren) => Some(&paren.expr),
        Source::Group(group) => Some(&group.expr),
        _ => None,
    }
}

/// The attributes of an expression, unless it is refused as a whole.
fn attributes(source: &Source) -> &[syn::Attribute] {
    match source {
        Source::Lit(e) => &e.attrs,
        Source::Path(e) => &e.attrs,
        Source::Binary(e) => &e.attrs,
        Source::Assign(e) => &e.attrs,
        Source::Call(e) => &e.attrs,
        Source::Array(e) => &e.attrs,
        Source::Tuple(e) => &e.attrs,
        Source::Repeat(e) => &e.attrs,
        Source::Block(e) => &e.attrs,
        Source::If(e) => &e.attrs,
        Source::Match(e) => &e.attrs,
        Source::MethodCall(e) => &e.attrs,
        Source::Field(e) => &e.attrs,
        Source::Index(e) => &e.attrs,
        Source::Cast(e) => &e.attrs,
        Source::Unary(e) => &e.attrs,
        Source::Reference(e) => &e.attrs,
        Source::Paren(e) => &e.attrs,
        Source::Group(e) => &e.attrs,
        Source::Macro(e) => &e.attrs,
        Source::Range(e) => &e.attrs,
        Source::Closure(e) => &e.attrs,
        Source::ForLoop(e) => &e.attrs,
        Source::While(e) => &e.attrs,
        Source::Loop(e) => &e.attrs,
        Source::Struct(e) => &e.attrs,
        Source::Break(e) => &e.attrs,
        Source::Continue(e) => &e.attrs,
        Source::Return(e) => &e.attrs,
        _ => &[],
    }
}

/// The operator after `+=` and its like.
fn operator_of_update(op: &BinOp) -> Option<BinOp> {
    let span = |spans: &[Span]| spans[0];
    Some(match op {
        BinOp::AddAssign(token) => BinOp::Add(Token![+](span(&token.spans))),
        BinOp::SubAssign(token) => BinOp::Sub(Token![-](span(&token.spans))),
        BinOp::MulAssign(token) => BinOp::Mul(Token![*](span(&token.spans))),
        BinOp::DivAssign(token) => BinOp::Div(Token![/](span(&token.spans))),
        BinOp::RemAssign(token) => BinOp::Rem(Token![%](span(&token.spans))),
        BinOp::BitXorAssign(token) => BinOp::BitXor(Token![^](span(&token.spans))),
        BinOp::BitAndAssign(token) => BinOp::BitAnd(Token![&](span(&token.spans))),
        BinOp::BitOrAssign(token) => BinOp::BitOr(Token![|](span(&token.spans))),
        BinOp::ShlAssign(token) => BinOp::Shl(Token![<<]([token.spans[0], token.spans[1]])),
        BinOp::ShrAssign(token) => BinOp::Shr(Token![>>]([token.spans[0], token.spans[1]])),
        _ => return None,
    })
}

/// Why an expression is refused where it is not kept, and what to write instead.
fn unsupported(source: &Source) -> &'static str {
    match source {
        Source::Async(_) | Source::Await(_) => refuse::ASYNC,
        Source::Const(_) => refuse::CONST_BLOCK,
        Source::RawAddr(_) => refuse::RAW_POINTER,
        Source::Try(_) | Source::TryBlock(_) => refuse::TRY,
        Source::Unsafe(_) => refuse::UNSAFE,
        Source::Yield(_) => refuse::YIELD,
        _ => refuse::EXPRESSION,
    }
}

impl Expr {
    /// The expression without the brackets around it.
    pub fn unwrapped(&self) -> &Expr {
        match &*self.kind {
            ExprKind::Paren(inner) => inner.unwrapped(),
            _ => self,
        }
    }
}

/// `first.into_iter().zip(second)`, which `std::iter::zip` is.
fn zipped(first: Expr, second: Expr, place: Place) -> Expr {
    let method = |receiver: Expr, name: &str, args: Vec<Expr>| {
        let name = Ident::new(name, place.span());
        Expr::new(ExprKind::Method(Method { receiver, name, turbofish: None, args }), place)
    };
    method(method(first, "into_iter", Vec::new()), "zip", vec![second])
}
