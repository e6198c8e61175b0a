//! Statements and blocks.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::UnOp;

use super::super::refuse;
use super::super::syntax::{
    Action, Block, Expr, ExprKind, Let, Node, Path, Pattern, PatternKind, Statement, variables_in,
};
use super::super::tokens::is_word;
use super::control::{Exit, Flow, Stop};
use super::expected::Expected;
use super::program::{Line, Written};
use super::value::{Passive, Place, Value, Variant};
use super::{Lowering, emitted};

/// The most elements of a passive array that a name for it is taken to make active: what is done with a longer one is left
/// as the user wrote it, for here, each element is a choice at a run-time index.
const MOST_FOLLOWED: usize = 8;

/// Whether something is made whose type is told by what comes into it later: `None`, an `Err`, or an empty collection.
fn is_typed_late(init: &Expr) -> bool {
    let has_arguments = |path: &Path| path.path.path.segments.iter().any(|segment| !segment.arguments.is_none());
    let mut is_late = false;
    init.walk(&mut |node| {
        let Node::Expr(part) = node else { return };
        is_late |= match &*part.kind {
            ExprKind::Path(path) => path.is_variant("None") && !has_arguments(path),
            ExprKind::Call(function, args) => match &*function.unwrapped().kind {
                ExprKind::Path(path) if path.is_variant("Ok") || path.is_variant("Err") => true,
                ExprKind::Path(path) => {
                    let segments = &path.path.path.segments;
                    let is_empty = args.is_empty() || segments.last().is_some_and(|last| last.ident == "with_capacity");
                    is_empty && segments.len() > 1 && !has_arguments(path)
                }
                _ => false,
            },
            ExprKind::Macro(call) => matches!(call.action, Action::Vector(_)) && call.args.is_empty(),
            ExprKind::Other(written, _) => is_of_none(written.tokens.clone()),
            _ => false,
        };
    });
    is_late
}

/// Whether a macro is called that may make an empty `Vec`, or one of `None`s.
fn is_of_none(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => group.stream().is_empty() || is_of_none(group.stream()),
        token => is_word(&token, "None"),
    })
}

impl Lowering<'_> {
    /// A block in a scope of its own. Its value, which is expected to be something, is that of its last expression.
    pub(super) fn block_of(&mut self, block: &Block, expected: Expected) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(block, why);
        }
        self.in_block(|lowering| lowering.statements(&block.statements, expected))
    }

    /// An expression after what is bound in its block already. If it is a block, it is that one.
    pub(super) fn in_same_block(&mut self, expression: &Expr, expected: Expected) -> Flow {
        match &*expression.kind {
            ExprKind::Block(block) => self.statements(&block.statements, expected),
            _ => self.expected(expression, expected),
        }
    }

    /// Runs as in a block of the user: what is bound in it is dropped at its end.
    pub(super) fn in_block(&mut self, run: impl FnOnce(&mut Self) -> Flow) -> Flow {
        self.program.frame.enter();
        let (before, outside) = (self.bindings.declarations(), self.matched.len());
        let value = run(self);
        self.matched.truncate(outside);
        let value = self.end_of_block(value, before);
        self.bindings.end_block(before);
        value
    }

    /// Ends a block with its value, before which there were this many declarations. If something in it is given back at
    /// its end, nothing may be read later that is in it.
    fn end_of_block(&mut self, mut value: Flow, declarations: usize) -> Flow {
        let Some((held, homes)) = self.program.frame.leave(&self.program.plain) else { return value };
        // What is in these variables goes on, in variables that are not changed any more.
        for number in homes {
            if let Some(Value::Passive(home)) = self.bindings.find_mut(number).map(|binding| &mut binding.value) {
                home.may_change = false;
            }
        }
        if let Some(given) = given(&mut value) {
            *given = self.evaluated(std::mem::replace(given, Value::Unset));
        }
        let origin = self.program.code.add(Written::Close);
        self.program.frame.end(origin);
        if let Some(given) = given(&mut value) {
            *given = self.moved(std::mem::replace(given, Value::Unset));
        }
        self.forget_held(held, declarations, given(&mut value).as_deref());
        value
    }

    /// What a block gives that may do something when it is dropped, in variables of the block around it.
    fn moved(&mut self, value: Value) -> Value {
        match value {
            Value::Passive(passive) if self.program.is_held(&passive) => {
                Value::Passive(self.let_passive(&emitted(&format_ident!("value")), &passive, None))
            }
            Value::Array(elements) => Value::Array(elements.map(&mut |element| self.moved(element))),
            Value::Tuple(elements) => Value::Tuple(elements.map(&mut |element| self.moved(element))),
            value => value,
        }
    }

    /// Statements, until control leaves them. Their value is that of the last, if it is an expression. After one that
    /// is refused, the others are lowered for their errors.
    pub(super) fn statements(&mut self, statements: &[Statement], expected: Expected) -> Flow {
        let mut value = Ok(Value::unit());
        for (index, statement) in statements.iter().enumerate() {
            let is_value = index + 1 == statements.len() && matches!(statement, Statement::Expr(_, true));
            let result = match statement {
                Statement::Let(local) => self.local(local).map(|()| Value::unit()),
                Statement::Expr(expression, _) => match self.statement_as_written(expression, is_value) {
                    Some(value) => Ok(value),
                    None => self.expected(expression, if is_value { expected.clone() } else { Expected::Anything }),
                },
            };
            self.program.frame.end_user_statement(statement);
            match result {
                Ok(result) if is_value => value = value.and(Ok(result)),
                Ok(result) => self.end_statement(&result),
                Err(stop) if matches!(*stop, Stop::Refused) => {
                    self.forget(statement);
                    value = Err(stop);
                }
                Err(stop) => return Err(stop),
            }
        }
        value
    }

    /// Forgets the variables that a statement declares or assigns which is refused, so that their uses are not reported as
    /// well, and what they were in an earlier iteration, or on trial, is not read.
    fn forget(&mut self, statement: &Statement) {
        if let Statement::Let(local) = statement {
            let mut declared = Vec::new();
            local.pattern.variables(&mut declared);
            declared.iter().for_each(|variable| self.bindings.forget(self.activation.number(variable.id)));
        }
        for id in statement.assigned() {
            let number = self.activation.number(id);
            if let Some(binding) = self.bindings.find(number) {
                self.program.frame.save(number, binding);
                self.bindings.forget(number);
            }
        }
    }

    /// The body of a function, before which its parameters are bound.
    pub(super) fn body(&mut self, block: &Block, bind: impl FnOnce(&mut Self) -> Flow<()>) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(block, why);
        }
        let expected = self.returned.clone();
        let value = self.in_block(|lowering| {
            bind(lowering)?;
            lowering.statements(&block.statements, expected)
        });
        self.returned_value(value, block)
    }

    /// What a statement becomes that is written as it is, if it is one of those: where the user changes what is opaque
    /// here. One that is the value of its block, as a macro may be, gives that.
    fn statement_as_written(&mut self, statement: &Expr, is_value: bool) -> Option<Value> {
        let is_opaque = match &*statement.kind {
            ExprKind::While(_) => true,
            ExprKind::Other(..) => !is_value,
            ExprKind::Macro(call) => match call.action {
                Action::Kept => !is_value,
                Action::Print => true,
                _ => false,
            },
            ExprKind::For(repetition) => !self.has_known_items(&repetition.items),
            ExprKind::Update(_, target, operand) if self.is_left_beside_index(target, operand) => false,
            ExprKind::Assign(target, _) | ExprKind::Update(_, target, _) => {
                self.is_opaque_place(target) || self.is_at_unknown_index(target)
            }
            _ => false,
        };
        if is_opaque && self.inline.is_none() { self.kept_statement(statement) } else { None }
    }

    /// Keeps the effects of a passive expression whose value is not used.
    pub(super) fn discard(&mut self, value: &Value) {
        let passive = match value {
            Value::Passive(passive) => Some(passive.clone()),
            Value::Range(range) => Some(range.to_passive()),
            Value::Iterator(items) => {
                if let Some(place) = self.place_of_what_is_unused(items) {
                    self.errors.at(&place, refuse::UNUSED_ITEMS);
                }
                None
            }
            _ => None,
        };
        // Nothing tells the type of a `None` here.
        let is_silent = |passive: &Passive| passive.number.is_some() || matches!(passive.variant, Some(Variant::None));
        if let Some(passive) = passive.filter(|passive| !is_silent(passive)) {
            let tokens = passive.tokens();
            let line = Line::effect(quote!(let _ = #tokens;));
            self.program.line(if passive.is_statement { line.changing() } else { line });
        }
    }

    /// Keeps the effects of an expression that is a statement.
    pub(super) fn end_statement(&mut self, value: &Value) {
        match value {
            Value::Passive(passive) if passive.is_statement => {
                let tokens = passive.tokens();
                self.program.line(Line::effect(quote!(#tokens;)).changing());
            }
            value => self.discard(value),
        }
    }

    fn local(&mut self, local: &Let) -> Flow<()> {
        let Some(init) = &local.value else {
            self.program.has_late_types |= local.ty.is_none();
            return self.bind(&local.pattern, Value::Unset, local.ty.as_ref());
        };
        if local.otherwise.is_some() {
            self.errors.at(&local.place, refuse::LET_ELSE);
        }
        let value = match self.element_alias(init, &local.pattern)? {
            Some(alias) => alias,
            None => match self.bound_function(&local.pattern, init) {
                Some(function) => function,
                None => {
                    let mut bound = Vec::new();
                    local.pattern.variables(&mut bound);
                    let keeping = &self.activation.body.keeping;
                    let is_kept = !bound.is_empty() && bound.iter().all(|variable| keeping.contains(&variable.id));
                    self.keeping(is_kept, |it| it.expected(init, Expected::of_type(local.ty.as_ref())))?
                }
            },
        };
        self.program.has_late_types |= local.ty.is_none() && is_typed_late(init);
        let value = match value {
            Value::Mutable(place) if self.outputs.contains(&place.variable) => {
                return self.refuse(init, refuse::MUTABLE_REFERENCE);
            }
            Value::Mutable(place)
                if self.bindings.alias(place.variable).is_some()
                    || self.may_be_assigned_active(&place) && self.is_only_followed(&local.pattern) =>
            {
                Value::Mutable(place)
            }
            Value::Mutable(place) => match self.kept(init) {
                Some(reference) => Value::Passive(reference),
                None => Value::Mutable(place),
            },
            value => value,
        };
        self.bind(&local.pattern, value, local.ty.as_ref())
    }
}

impl Lowering<'_> {
    /// `&mut a[k]`, where the index is known at run time only, or a range: a copy, which stands for the element as long as the
    /// reference lives. Until then, nothing else touches the array. Where nothing active can come into it, the reference
    /// stays what it is, and so does one whose index is known.
    fn element_alias(&mut self, reference: &Expr, pattern: &Pattern) -> Flow<Option<Value>> {
        let (ExprKind::Mutable(target), PatternKind::Variable(_)) = (&*reference.unwrapped().kind, &pattern.kind)
        else {
            return Ok(None);
        };
        let target = target.unwrapped();
        if self.inline.is_some() || !matches!(&*target.kind, ExprKind::Index(..) | ExprKind::Field(..)) {
            return Ok(None);
        }
        let mut found = None;
        self.on_trial(|it| {
            let place = it.assigned_place(target)?;
            let is_chosen = !place.chosen.is_empty() || it.places_of_slice(&place).is_some();
            let may_be_active =
                if is_chosen { it.may_become_active(&place) } else { it.may_be_assigned_active(&place) };
            found = Some((place.variable, is_chosen, may_be_active));
            Ok(Value::unit())
        });
        match found {
            Some((variable, ..)) if self.outputs.contains(&variable) => Ok(None),
            Some((_, true, true)) => Ok(Some(Value::Mutable(self.place(target)?))),
            Some((_, true, false)) => Ok(self.kept(reference).map(Value::Passive)),
            // What is passive, and changed where it is, may become active by what it is assigned.
            Some((_, false, true)) if self.is_opaque_place(target) && self.is_only_followed(pattern) => {
                Ok(Some(Value::Mutable(self.place(target)?)))
            }
            _ => Ok(None),
        }
    }

    /// The function that a `let` gives another name, if what has that name is called.
    fn bound_function(&mut self, pattern: &Pattern, init: &Expr) -> Option<Value> {
        let (PatternKind::Variable(variable), None) = (&pattern.kind, self.inline) else { return None };
        let function = self.named_function(init).filter(|_| !variable.is_mut && !variable.by_ref)?;
        let is_call = |expression: &Expr| match &*expression.kind {
            ExprKind::Call(callee, _) => {
                matches!(&*callee.unwrapped().kind, ExprKind::Variable(id, _) if *id == variable.id)
            }
            _ => false,
        };
        self.activation.body.block.has(&is_call).then_some(function)
    }

    /// Whether a place holds something active, floats, or what may be missing.
    pub(super) fn may_become_active(&mut self, place: &Place) -> bool {
        // All elements of an array are of one type, which one of them may tell.
        if let Some((_, elements)) = place.candidates() {
            return elements.iter().any(|element| self.may_become_active(element));
        }
        let value = self.read(place);
        if value.is_passive() && self.length_of(&value).is_some_and(|length| length > MOST_FOLLOWED) {
            return false;
        }
        let is_float = matches!(&value, Value::Passive(passive) if passive.is_float());
        let shape = value.shape().is_some_and(|shape| !shape.is_opaque());
        is_float
            || shape
            || !value.is_passive()
            || self.shape_of_floats(&value).is_some()
            || self.has_optional(&Value::Mutable(place.clone()))
    }

    /// Whether a place holds something active, or an element of an array or a part of a tuple that may be a float for all
    /// that is known.
    fn may_be_assigned_active(&mut self, place: &Place) -> bool {
        let is_untold = match self.read(place) {
            Value::Passive(part) => part.shape.is_none() && part.number.is_none() && !part.lacks_type,
            _ => false,
        };
        is_untold && !place.steps.is_empty() || self.may_become_active(place)
    }

    /// Whether a variable is a reference that is given to nothing: the function only reads and assigns what is behind it.
    fn is_only_followed(&self, pattern: &Pattern) -> bool {
        let PatternKind::Variable(variable) = &pattern.kind else { return false };
        let (mut followed, mut is_given) = (HashSet::new(), false);
        for statement in &self.activation.body.block.statements {
            let mut visit = |node: Node<'_>| {
                let Node::Expr(expression) = node else { return };
                match &*expression.kind {
                    ExprKind::Unary(UnOp::Deref(_), inner) | ExprKind::Index(inner, _) | ExprKind::Field(inner, _) => {
                        followed.insert(inner.unwrapped().address());
                    }
                    ExprKind::Let(_, inner) | ExprKind::Match(inner, _) => {
                        followed.insert(inner.unwrapped().address());
                    }
                    ExprKind::Method(call) => drop(followed.insert(call.receiver.unwrapped().address())),
                    ExprKind::Variable(id, _) if *id == variable.id => {
                        is_given |= !followed.contains(&expression.address());
                    }
                    ExprKind::Other(written, _) => is_given |= variables_in(written).any(|id| id == variable.id),
                    _ => {}
                }
            };
            match statement {
                Statement::Expr(expression, _) => expression.walk(&mut visit),
                Statement::Let(local) => {
                    local.value.iter().chain(&local.otherwise).for_each(|value| value.walk(&mut visit));
                }
            }
        }
        !is_given
    }
}

/// What a block gives, if control leaves it with a value.
fn given(value: &mut Flow) -> Option<&mut Value> {
    match value {
        Ok(value) => Some(value),
        Err(stop) => match &mut **stop {
            Stop::Jump(Exit::Break(_, value) | Exit::Return(value), _) => Some(value),
            _ => None,
        },
    }
}
