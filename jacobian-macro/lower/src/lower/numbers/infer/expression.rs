//! Expressions: what they say of the types in them. The left spine is followed by a loop, as it is where they are
//! lowered.

use std::rc::Rc;

use syn::{BinOp, Lit, Member, UnOp};

use super::super::super::super::syntax::{
    Action, Binding, Block, Closure, Expr, ExprKind, If, Let, Macro, Path, Statement, Type, key, variables_in,
};
use super::super::super::expression::MAX_NESTING;
use super::super::integer::Types;
use super::open::{Literal, Meaning, Stands};
use super::terms::{Term, TypeForm};
use super::{Inference, Rule, Use};

impl Inference<'_> {
    /// The type of an expression.
    pub(super) fn expression(&mut self, expression: &Expr) -> Term {
        if self.depth == MAX_NESTING {
            return self.terms.unknown();
        }
        self.depth += 1;
        let (mut spine, mut innermost) = (Vec::new(), expression);
        while let Some(left) = innermost.leftmost() {
            spine.push(innermost);
            innermost = left;
        }
        let outer = std::mem::replace(&mut self.stands, Stands::In(Rc::as_ptr(&innermost.kind)));
        let is_negative = spine.last().is_some_and(|outer| matches!(&*outer.kind, ExprKind::Unary(UnOp::Neg(_), _)));
        let mut term = match &*innermost.kind {
            ExprKind::Literal(literal) => self.literal(innermost, literal, is_negative),
            _ => self.leaf(innermost),
        };
        for outer in spine.into_iter().rev() {
            self.stands = Stands::In(Rc::as_ptr(&outer.kind));
            term = self.with_left(outer, term);
        }
        self.stands = outer;
        self.depth -= 1;
        term
    }

    /// The type of an expression whose leftmost part is of type `left`.
    fn with_left(&mut self, expression: &Expr, left: Term) -> Term {
        match &*expression.kind {
            ExprKind::Binary(op, _, right) => {
                let right = self.expression(right);
                self.operator(op, left, right)
            }
            ExprKind::Method(call) => self.method(call, left),
            ExprKind::Field(_, member) if let TypeForm::Struct(definition) = self.terms.kind(left) => {
                match self.field_of(&definition, member) {
                    Some(field) => field,
                    None => self.opaque_with(Meaning::Part, &[left]),
                }
            }
            ExprKind::Field(_, Member::Unnamed(index)) => match self.terms.kind(left) {
                TypeForm::Tuple(elements) if (index.index as usize) < elements.len() => elements[index.index as usize],
                _ => self.opaque_with(Meaning::Part, &[left]),
            },
            ExprKind::Field(..) if matches!(self.terms.kind(left), TypeForm::Vector) => self.terms.add(TypeForm::Other),
            ExprKind::Field(..) => self.opaque_with(Meaning::Part, &[left]),
            ExprKind::Index(_, index) => {
                let index = self.expression(index);
                self.by_rule(Rule::Index, [left, index])
            }
            ExprKind::Cast(operand, ty) => self.cast(operand, left, ty),
            ExprKind::Unary(UnOp::Neg(_), _) => {
                if let TypeForm::Int(id) = self.terms.kind(left) {
                    self.types.narrow(id, Types::all().signed());
                }
                left
            }
            ExprKind::Try(_) => match self.terms.kind(left) {
                TypeForm::Items(content) => content,
                _ => self.opaque(&[left]),
            },
            _ => left,
        }
    }

    fn operator(&mut self, op: &BinOp, left: Term, right: Term) -> Term {
        match op {
            BinOp::And(_) | BinOp::Or(_) => self.terms.add(TypeForm::Other),
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                self.tie(left, right);
                self.terms.add(TypeForm::Other)
            }
            // The amount is of a type of its own.
            BinOp::Shl(_) | BinOp::Shr(_) => left,
            op => match self.operator_of_structs(op, [left, right]) {
                Some(result) => result,
                None => self.by_rule(Rule::Operator, [left, right]),
            },
        }
    }

    /// `operand as ty`. A literal is of the type that it is converted to.
    fn cast(&mut self, operand: &Expr, from: Term, ty: &Type) -> Term {
        let mut innermost = operand;
        while let ExprKind::Paren(inner) | ExprKind::Unary(UnOp::Neg(_) | UnOp::Not(_), inner) = &*innermost.kind {
            innermost = inner;
        }
        let to = self.ty(ty);
        if matches!(&*innermost.kind, ExprKind::Literal(_)) {
            self.unify(from, to);
        }
        self.converted(from);
        to
    }

    /// What is converted is of this type. What an integer becomes is the same whatever its type is, what a float
    /// becomes is not.
    pub(super) fn converted(&mut self, from: Term) {
        if let TypeForm::Int(id) = self.terms.kind(from)
            && self.types.get(id).is_float()
        {
            self.opaque_with(Meaning::Conversion, &[from]);
        }
    }

    fn literal(&mut self, expression: &Expr, literal: &Lit, is_negative: bool) -> Term {
        let types = match literal {
            Lit::Int(int) if int.suffix().is_empty() => {
                let value = int.base10_digits().parse().ok();
                value.map(|value: i128| Types::holding(if is_negative { -value } else { value }))
            }
            Lit::Int(int) => Types::named(int.suffix()).or_else(|| Types::float(int.suffix())),
            Lit::Float(float) if float.suffix().is_empty() => Some(Types::floats()),
            Lit::Float(float) => Types::float(float.suffix()),
            Lit::Byte(_) => Types::named("u8"),
            _ => None,
        };
        let Some(types) = types else { return self.terms.add(TypeForm::Other) };
        let id = self.types.add(types);
        let key = Rc::as_ptr(&expression.kind);
        let used = match (self.is_constant, self.is_repeated) {
            (true, _) => Use::AsConstant,
            (false, true) => Use::Often,
            (false, false) => Use::Once,
        };
        self.literals.types.insert(key, (id, used));
        self.untyped.push(Literal { key, ty: id, place: expression.place, is_constant: self.is_constant });
        self.terms.add(TypeForm::Int(id))
    }

    /// The types of expressions that run one after the other.
    pub(super) fn all(&mut self, expressions: &[Expr]) -> Vec<Term> {
        let mut terms = Vec::with_capacity(expressions.len());
        for expression in expressions {
            terms.push(self.expression(expression));
        }
        terms
    }

    fn leaf(&mut self, expression: &Expr) -> Term {
        match &*expression.kind {
            ExprKind::Variable(id, _) => {
                let term = self.variables[id.0 as usize];
                if self.told.contains(id) {
                    self.mentioned.push((Rc::as_ptr(&expression.kind), term));
                }
                term
            }
            ExprKind::Other(written, _) => {
                let mut variables = Vec::new();
                for id in variables_in(written) {
                    variables.push(self.variables[id.0 as usize]);
                }
                self.opaque(&variables)
            }
            ExprKind::Path(path) => self.path(path),
            ExprKind::Assign(target, value) => {
                let is_field = matches!(&*target.unwrapped().kind, ExprKind::Field(..));
                let (target, before) = (self.expression(target), self.untyped.len());
                let value = self.expression(value);
                self.unify(target, value);
                if is_field {
                    self.told_elsewhere(before);
                }
                self.terms.unit()
            }
            ExprKind::Update(op, target, operand) => {
                let (target, operand) = (self.expression(target), self.expression(operand));
                self.operator(op, target, operand);
                self.terms.unit()
            }
            ExprKind::Call(function, args) => self.call(function, args),
            ExprKind::Array(elements) => {
                let parts = self.all(elements);
                // What control reaches is there where something in it is not understood.
                let is_there = parts.iter().any(|part| !matches!(self.terms.kind(*part), TypeForm::Int(_)));
                let element = self.terms.unknown();
                for part in parts {
                    if is_there { self.tie(part, element) } else { self.unify(part, element) }
                }
                self.terms.add(TypeForm::Array(element))
            }
            ExprKind::Tuple(elements) => {
                let elements = self.all(elements);
                self.terms.add(TypeForm::Tuple(elements))
            }
            ExprKind::Repeat(element, length) => {
                let (element, length) = (self.expression(element), self.expression(length));
                self.is_usize(length);
                self.terms.add(TypeForm::Array(element))
            }
            ExprKind::Range(start, end, _) => {
                let bound = self.terms.unknown();
                start.iter().chain(end).for_each(|part| self.is_of(part, bound));
                self.terms.add(TypeForm::Items(bound))
            }
            ExprKind::Macro(call) => self.macro_call(call),
            ExprKind::Struct(construction) => {
                if let Some(Ok(definition)) = self.module.struct_named(&construction.path) {
                    let definition = definition.clone();
                    let (whole, before) = (self.terms.add(TypeForm::Struct(definition.clone())), self.untyped.len());
                    for (member, value) in &construction.fields {
                        let value = self.expression(value);
                        if let Some(field) = self.field_of(&definition, member) {
                            self.unify(field, value);
                        }
                    }
                    self.told_elsewhere(before);
                    construction.rest.iter().for_each(|rest| self.is_of(rest, whole));
                    return whole;
                }
                let fields = construction.fields.iter().map(|(_, value)| value).chain(&construction.rest);
                let fields: Vec<_> = fields.map(|value| self.expression(value)).collect();
                self.opaque(&fields)
            }
            _ => self.control_flow(expression),
        }
    }

    /// The type of the literals that have been added since there were this many is told by what may not be written: by a
    /// field, by another arm in a closure, or by the content of an `Option` that is not there.
    pub(super) fn told_elsewhere(&mut self, before: usize) {
        self.literals.told_elsewhere.extend(self.untyped[before..].iter().map(|literal| literal.key));
    }

    /// An expression is of type `term`.
    fn is_of(&mut self, expression: &Expr, term: Term) {
        let own = self.expression(expression);
        self.unify(own, term);
    }

    fn control_flow(&mut self, expression: &Expr) -> Term {
        match &*expression.kind {
            ExprKind::Block(block) => self.block(block),
            ExprKind::Labelled(labelled) => {
                let result = self.terms.unknown();
                self.targets.insert(labelled.target, result);
                let value = self.block(&labelled.body);
                self.unify(result, value);
                result
            }
            ExprKind::If(branch) => self.if_expression(branch),
            ExprKind::Let(pattern, value) => {
                let value = self.expression(value);
                self.bind(pattern, value);
                self.terms.add(TypeForm::Other)
            }
            ExprKind::Match(subject, arms) => {
                let (subject, result) = (self.expression(subject), self.terms.unknown());
                for arm in arms {
                    self.bind(&arm.pattern, subject);
                    arm.guard.iter().for_each(|guard| {
                        self.expression(guard);
                    });
                    self.is_of(&arm.body, result);
                }
                result
            }
            ExprKind::For(repetition) => {
                let items = self.expression(&repetition.items);
                let item = self.item_of(items);
                self.bind(&repetition.pattern, item);
                self.repeatedly(|inference| inference.block(&repetition.body));
                self.terms.unit()
            }
            ExprKind::While(repetition) => {
                repetition.condition.iter().for_each(|condition| {
                    self.expression(condition);
                });
                let result = self.terms.unknown();
                self.targets.insert(repetition.target, result);
                self.block(&repetition.body);
                result
            }
            ExprKind::Break(target, Some(value)) => {
                let value = self.expression(value);
                if let Some(result) = target.and_then(|target| self.targets.get(&target).copied()) {
                    self.unify_silently(result, value);
                }
                self.terms.unknown()
            }
            ExprKind::Return(Some(value)) => {
                let value = self.expression(value);
                self.unify_silently(value, self.returned);
                self.terms.unknown()
            }
            ExprKind::Leave(given) | ExprKind::Dropped(given, _) => {
                let given = self.expression(given);
                self.opaque(&[given]);
                self.terms.unknown()
            }
            ExprKind::Closure(closure) => self.closure(closure, None),
            _ => self.terms.unknown(),
        }
    }

    /// Walks what may be evaluated more than once.
    fn repeatedly<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.is_repeated, true);
        let result = walk(self);
        self.is_repeated = outer;
        result
    }

    fn if_expression(&mut self, branch: &If) -> Term {
        self.expression(&branch.condition);
        let value = self.block(&branch.then);
        match &branch.otherwise {
            Some(otherwise) => {
                self.is_of(otherwise, value);
                value
            }
            None => self.terms.unit(),
        }
    }

    /// The type of a block. One that control does not reach the end of can be of any type.
    pub(super) fn block(&mut self, block: &Block) -> Term {
        let Some((last, others)) = block.statements.split_last() else { return self.terms.unit() };
        others.iter().for_each(|statement| {
            self.statement(statement);
        });
        let value = self.statement(last);
        match last {
            Statement::Expr(_, true) => value,
            Statement::Expr(last, false) if leaves(last) => self.terms.unknown(),
            _ => self.terms.unit(),
        }
    }

    fn statement(&mut self, statement: &Statement) -> Term {
        match statement {
            Statement::Let(local) => self.local(local),
            Statement::Expr(expression, _) => self.expression(expression),
        }
    }

    fn local(&mut self, local: &Let) -> Term {
        let outer = self.stands;
        if let Some(value) = &local.value {
            self.stands = Stands::In(Rc::as_ptr(&value.kind));
        }
        let term = self.declared(local.ty.as_ref());
        self.stands = outer;
        let before = self.untyped.len();
        local.value.iter().for_each(|value| self.is_of(value, term));
        for literal in &self.untyped[before..] {
            let types = self.types.get(literal.ty);
            if types.is_float() && types.only().is_none() {
                self.literals.told_elsewhere.insert(literal.key);
            }
        }
        local.otherwise.iter().for_each(|otherwise| {
            self.expression(otherwise);
        });
        self.bind(&local.pattern, term);
        term
    }

    /// The type of a closure, which is called with these arguments if that is known.
    pub(super) fn closure(&mut self, closure: &Closure, args: Option<&[Term]>) -> Term {
        let mut parameters = Vec::new();
        for (index, (pattern, ty)) in closure.parameters.iter().enumerate() {
            let parameter = self.declared(ty.as_ref());
            if let Some(arg) = args.and_then(|args| args.get(index)) {
                self.unify(parameter, *arg);
            }
            self.bind(pattern, parameter);
            parameters.push(parameter);
        }
        let result = self.written_nowhere(closure.output.as_ref());
        let (outer, before) = (std::mem::replace(&mut self.returned, result), self.untyped.len());
        self.repeatedly(|inference| inference.is_of(&closure.body, result));
        self.returned = outer;
        // An arm of it that is decided when the function is expanded is told by others.
        self.told_elsewhere(before);
        self.terms.add(TypeForm::Function(parameters, result))
    }

    fn macro_call(&mut self, call: &Macro) -> Term {
        if let Action::Assert { subjects, condition, .. } = &call.action {
            self.expression(condition);
            call.args.iter().skip(*subjects).for_each(|arg| {
                self.expression(&arg.value);
            });
            return self.terms.unit();
        }
        let args: Vec<_> = call.args.iter().map(|arg| self.expression(&arg.value)).collect();
        match (&call.action, args.first()) {
            (Action::Matches(pattern, guard), Some(subject)) => {
                self.bind(pattern, *subject);
                guard.iter().for_each(|guard| {
                    self.expression(guard);
                });
                self.terms.add(TypeForm::Other)
            }
            (Action::Debug(_), Some(first)) if args.len() == 1 => *first,
            _ => self.opaque(&args),
        }
    }

    /// The type of a path that names no variable.
    pub(super) fn path(&mut self, path: &Path) -> Term {
        if let Binding::Constant(id) = path.binding {
            let body = self.body;
            return self.written_nowhere(Some(&body.constants[id.0 as usize].ty));
        }
        if let (Binding::Generic, Some(ident)) = (path.binding, path.path.path.get_ident()) {
            let mut parameters = self.body.const_parameters.iter().filter(|(name, _)| *name == key(ident));
            if let Some((_, ty)) = parameters.next() {
                return self.ty(ty);
            }
        }
        if let Some(term) = self.item_of_module(path).or_else(|| self.item_of_std(path)) {
            return term;
        }
        // A constant or a `static` has a type. What is called, or is generic, need not have one.
        let name = path.path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let is_declared = !name.chars().any(char::is_lowercase);
        self.opaque_with(if is_declared { Meaning::Declared } else { Meaning::Other }, &[])
    }
}

/// Whether control surely leaves an expression for elsewhere, as far as it is plain.
fn leaves(expression: &Expr) -> bool {
    match &*expression.kind {
        ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) | ExprKind::Leave(_) => true,
        ExprKind::Macro(call) => matches!(call.action, Action::Panic),
        _ => false,
    }
}
