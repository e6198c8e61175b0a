//! Run-time branches. Each arm is lowered into a list of its own (basic-block preaccumulation), whose inputs are the
//! active values from outside that it uses and whose outputs are the values that it gives and the variables that it
//! assigns. The branch becomes one block of the list around it, of which only the arm that is taken runs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use jacobian_list::block::{Block, Body};
use jacobian_list::code_list::{Constant, Kind, ValueId};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::super::read::shape::Shape;
use super::super::read::ty::mentions;
use super::super::refuse;
use super::super::syntax::{self, Arm as MatchArm, Expr, ExprKind, If, Pattern, Placed, Statement, Type, TypeKind};
use super::bindings::Binding;
use super::budget::Budget;
use super::control::{Exit, Flow, Match, Stop, all};
use super::expected::Expected;
use super::merge::{BlockResult, Merged, Merger, Mismatch, ResultKind};
use super::numbers::Number;
use super::optional::matches_none;
use super::program::{ArmCode, Branch, Head, Written};
use super::program::{Counts, Frame};
use super::value::{Active, Passive, Value, Variant, has_arithmetic, has_call, has_index};
use super::{Lowering, emitted};

/// An arm that has been lowered.
pub struct Arm {
    pub(super) frame: Frame,
    /// Its value; none if it panics.
    pub(super) value: Option<Value>,
    /// The variables from outside that it assigned, with what they are after it, by their number.
    pub(super) changed: HashMap<usize, Binding>,
    /// The pattern with its guard, in a `match`.
    pub(super) pattern: TokenStream,
    /// The variables of its patterns.
    pub(super) variables: HashSet<String>,
}

impl Arm {
    /// Whether it gives its value, and does nothing else: it has no statements, and assigns nothing, be it active.
    pub(super) fn does_nothing(&self) -> bool {
        self.frame.lines() == 0 && self.changed.is_empty()
    }

    /// Whether its value is one that there is outside of it.
    pub(super) fn gives_outer(&self) -> bool {
        self.does_nothing() && self.frame.list.statements().is_empty()
    }
}

impl Lowering<'_> {
    /// `if condition { ... } else { ... }` with this value of the condition.
    pub(super) fn if_else(&mut self, whole: &Expr, branch: &If, condition: &Value, expected: &Expected) -> Flow {
        let selector = self.condition(condition, &branch.condition)?;
        let then = self.in_arm(|lowering| {
            let value = lowering.block_of(&branch.then, expected.clone())?;
            Ok(lowering.of_type_expected(value, expected))
        });
        let otherwise = self.in_arm(|lowering| {
            let value = lowering.otherwise(branch, expected)?;
            Ok(lowering.of_type_expected(value, expected))
        });
        let (mut then, otherwise) = (then?, otherwise?);
        self.keep_noted(&branch.condition, &mut then, &otherwise);
        self.join(Head::If, selector, vec![then, otherwise], whole)
    }

    /// The value of an arm, where a trait object is expected: its own type may be another one than that of the other arms.
    fn of_type_expected(&mut self, value: Value, expected: &Expected) -> Value {
        match (value.to_passive(), expected.ty()) {
            // What it refers to lives as long as the reference.
            (Some(passive), Some(ty @ Type { kind: TypeKind::Reference(..), .. })) if is_of_trait_object(&ty) => {
                let (value, ty) = (passive.operand(), self.written_type(&ty));
                Value::Passive(Passive::compound(quote!(#value as #ty)))
            }
            (Some(passive), Some(ty)) if is_of_trait_object(&ty) => {
                Value::Passive(self.let_passive(&emitted(&format_ident!("value")), &passive, Some(&ty)))
            }
            _ => value,
        }
    }

    /// Where a jump has been noted, that is so after the arm, too: if the other arm ends with a jump, one is made in any
    /// case, and what follows is not reached.
    fn keep_noted(&self, condition: &Expr, then: &mut Arm, otherwise: &Arm) {
        let ExprKind::Variable(id, _) = &*condition.unwrapped().kind else { return };
        let number = self.activation.number(*id);
        let is_noted = |binding: &&Binding| matches!(&binding.value, Value::Passive(flag) if flag.number == Some(Number::Bool(true)));
        if self.bindings.is_note(number)
            && let Some(noted) = otherwise.changed.get(&number).filter(is_noted)
        {
            then.changed.entry(number).or_insert_with(|| noted.clone());
        }
    }

    pub(super) fn otherwise(&mut self, branch: &If, expected: &Expected) -> Flow {
        match &branch.otherwise {
            Some(otherwise) => self.expected(otherwise, expected.clone()),
            None => Ok(Value::unit()),
        }
    }

    /// `if let pattern = passive { ... } else { ... }`, perhaps with further conditions and patterns.
    pub(super) fn if_let(&mut self, whole: &Expr, branch: &If, expected: &Expected) -> Flow {
        let outside = self.matched.len();
        let condition = match &*branch.condition.kind {
            ExprKind::Let(pattern, subject) => {
                self.numbers.literals.open.reach(&branch.condition, false);
                let then = Expr::new(ExprKind::Block(branch.then.clone()), branch.then.place);
                let value = self.matched_value(subject, &[(pattern, &then)])?;
                if self.has_optional(&value) || matches_none(pattern, &value).is_some() {
                    return self.if_optional((whole, branch), (pattern, subject, &value), &[], expected);
                }
                if !value.is_passive() {
                    return match self.if_matched(branch, pattern, &value, expected)? {
                        Some(value) => Ok(value),
                        None => self.if_optional((whole, branch), (pattern, subject, &value), &[], expected),
                    };
                }
                self.matched_by(pattern, subject, &value)?
            }
            _ => match self.optional_condition(&branch.condition)? {
                Some((pattern, subject, value, others)) => {
                    return self.if_optional((whole, branch), (pattern, subject, &value), &others, expected);
                }
                None => match self.observing(&branch.condition) {
                    Some(kept) => {
                        self.keep_names(&branch.condition.patterns());
                        kept.tokens().clone()
                    }
                    None => return self.if_chain(whole, branch, expected),
                },
            },
        };
        let then = self.in_arm(|lowering| {
            let value = lowering.block_of(&branch.then, expected.clone())?;
            Ok(lowering.of_type_expected(value, expected))
        });
        self.matched.truncate(outside);
        let otherwise = self.in_arm(|lowering| {
            let value = lowering.otherwise(branch, expected)?;
            Ok(lowering.of_type_expected(value, expected))
        });
        let arms = vec![self.without_variables(then?, &branch.condition.patterns()), otherwise?];
        let selector = self.number_of_arm(&condition, &arms);
        self.join(Head::IfLet(condition), selector, arms, whole)
    }

    /// `if a && b { then } else { other }` as `if a { if b { then } else { other } } else { other }`, where one of these has a
    /// pattern.
    fn if_chain(&mut self, whole: &Expr, branch: &If, expected: &Expected) -> Flow {
        let (mut conditions, mut rest) = (Vec::new(), branch.condition.clone());
        while let ExprKind::Binary(syn::BinOp::And(_), left, right) = &*rest.kind {
            conditions.push(right.clone());
            rest = left.clone();
        }
        if conditions.is_empty() {
            return self.refuse(&branch.condition, refuse::CONDITION);
        }
        let mut nested = branch.then.clone();
        for condition in conditions {
            let inner = If { condition, then: nested, otherwise: branch.otherwise.clone() };
            let inner = Expr::new(ExprKind::If(inner), whole.place);
            nested = syntax::Block { statements: vec![Statement::Expr(inner, true)], place: branch.then.place };
        }
        self.if_expression(whole, &If { condition: rest, then: nested, ..branch.clone() }, expected.clone())
    }

    /// `if let pattern = value`, where it is known whether the value matches: it is an array, say, and the pattern is a slice.
    fn if_matched(
        &mut self,
        branch: &If,
        pattern: &Pattern,
        value: &Value,
        expected: &Expected,
    ) -> Flow<Option<Value>> {
        match self.matches(pattern, value)? {
            Match::Yes => {
                let then = self.in_block(|lowering| {
                    lowering.bind_matched(pattern, value.clone())?;
                    lowering.block_of(&branch.then, expected.clone())
                });
                then.map(Some)
            }
            Match::No => self.otherwise(branch, expected).map(Some),
            Match::Unknown => Ok(None),
        }
    }

    /// `let pattern = value` with this passive value, as it is written.
    fn matched_by(&mut self, pattern: &Pattern, subject: &Expr, value: &Value) -> Flow<TokenStream> {
        let subject = self.scrutinee(value, subject)?;
        let pattern = self.lowered_pattern(pattern, value.shape());
        Ok(quote_spanned!(Span::mixed_site()=> let #pattern = #subject))
    }

    /// `match` on this passive value.
    pub(super) fn match_on(
        &mut self,
        whole: &Expr,
        subject: &Expr,
        arms: &[MatchArm],
        scrutinee: &Value,
        expected: &Expected,
    ) -> Flow {
        let shape = scrutinee.shape();
        let scrutinee = self.scrutinee(scrutinee, subject)?;
        let mut lowered = Vec::with_capacity(arms.len());
        for arm in arms {
            lowered.push(self.in_pattern((&arm.pattern, shape), arm.guard.as_ref(), |lowering| {
                let value = lowering.in_same_block(&arm.body, expected.clone())?;
                Ok(lowering.of_type_expected(value, expected))
            }));
        }
        let arms = all(lowered)?;
        let selector = self.number_of_arm(&scrutinee, &arms);
        self.join(Head::Match(scrutinee), selector, arms, whole)
    }

    /// The number of the arm whose pattern `scrutinee` matches, which reads what they mention.
    pub(super) fn number_of_arm(&mut self, scrutinee: &TokenStream, arms: &[Arm]) -> ValueId {
        let args = self.program.read_by(arms.iter().map(|arm| &arm.pattern).chain([scrutinee]));
        let origin = self.program.code.add(Written::Operand(TokenStream::new()));
        self.program.frame.operand(Kind::Int, "arm", args, false, origin)
    }

    /// What is matched, as a passive expression.
    fn scrutinee(&mut self, value: &Value, place: &Expr) -> Flow<TokenStream> {
        let passive = match self.without_conditions(value.clone(), place)?.to_passive() {
            // The braces of a struct would be those of the `match`.
            Some(passive) if matches!(value, Value::Tuple(fields) if fields.definition().is_some()) => {
                return Ok(passive.operand());
            }
            passive => passive,
        };
        match passive {
            Some(passive) => Ok(passive.tokens().clone()),
            None => {
                let why = self.why_not_matched(value);
                self.refuse(place, why)
            }
        }
    }

    /// The truth value of a condition, as a value of the list.
    pub(super) fn condition(&mut self, value: &Value, place: &dyn Placed) -> Flow<ValueId> {
        match value {
            Value::Condition(active) => Ok(self.program.in_list(*active)),
            Value::Passive(passive) => Ok(self.program.capture(Kind::Bool, passive)),
            _ => self.refuse(place, refuse::CONDITION),
        }
    }

    /// `left && right` or `left || right`, where the right-hand side runs only if it decides.
    pub(super) fn lazy(&mut self, head: Head, left: Value, right: &Expr, place: &Expr) -> Flow {
        self.lazy_value(head, left, |lowering| lowering.in_block(|lowering| lowering.expression(right)), place)
    }

    /// The same, where the right-hand side is the value of `right`.
    pub(super) fn lazy_value(
        &mut self,
        head: Head,
        left: Value,
        right: impl FnOnce(&mut Self) -> Flow,
        place: &Expr,
    ) -> Flow {
        let arm = self.in_arm(right)?;
        let decided = matches!(head, Head::Or);
        if let (Value::Passive(left), Some(Value::Passive(right))) = (&left, &arm.value)
            && arm.does_nothing()
        {
            let (left, right) = (left.operand(), right.operand());
            let span = Span::mixed_site();
            let op = if decided { quote_spanned!(span=> ||) } else { quote_spanned!(span=> &&) };
            return Ok(Value::Passive(Passive::compound(quote_spanned!(span=> #left #op #right))));
        }
        let selector = self.condition(&left, place)?;
        let constant = self.in_arm(|_| Ok(Value::Passive(Passive::simple(decided.to_token_stream()))))?;
        let arms = if decided { vec![constant, arm] } else { vec![arm, constant] };
        self.join(head, selector, arms, place)
    }

    /// Lowers an arm after a pattern, which may have a guard.
    fn in_pattern(
        &mut self,
        (pattern, matched): (&Pattern, Option<&Shape>),
        guard: Option<&Expr>,
        body: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow<Arm> {
        let outside = self.matched.len();
        let mut tokens = self.lowered_pattern(pattern, matched);
        if let Some(guard) = guard {
            let guard = self.guard(guard);
            tokens = quote_spanned!(Span::mixed_site()=> #tokens if #guard);
        }
        let arm = self.in_arm(|lowering| lowering.in_block(body));
        self.matched.truncate(outside);
        Ok(Arm { pattern: tokens, ..self.without_variables(arm?, &[pattern]) })
    }

    /// The arm after some patterns, whose variables are no more after the arm.
    pub(super) fn without_variables(&self, mut arm: Arm, patterns: &[&Pattern]) -> Arm {
        let mut variables = Vec::new();
        for pattern in patterns {
            pattern.variables(&mut variables);
        }
        for variable in variables {
            let number = self.activation.number(variable.id);
            arm.changed.remove(&number);
            if let Some(Value::Passive(own)) = self.bindings.find(number).map(|binding| &binding.value) {
                arm.variables.insert(own.tokens().to_string());
            }
        }
        arm
    }

    /// The guard of an arm, as it is written.
    pub(super) fn guard(&mut self, guard: &Expr) -> TokenStream {
        match self.without_statements(guard, refuse::STATEMENT_IN_GUARD) {
            Ok(Some(Value::Passive(passive))) => return passive.tokens().clone(),
            Ok(_) => match self.observing(guard) {
                Some(kept) => return kept.tokens().clone(),
                None => self.errors.at(guard, refuse::GUARD),
            },
            Err(_) => {}
        }
        TokenStream::new()
    }

    /// The value of an expression in whose place no statements can be, which are refused with `why`. None where it
    /// has no value, or needs some nevertheless.
    pub(super) fn without_statements(&mut self, expression: &Expr, why: &'static str) -> Flow<Option<Value>> {
        let outer = self.inline.replace(why);
        let arm = self.in_arm(|lowering| lowering.expression(expression));
        self.inline = outer;
        arm.map(|arm| {
            let does_nothing = arm.does_nothing();
            arm.value.filter(|_| does_nothing)
        })
    }

    /// Lowers an arm into a list of its own. What it assigns is undone after it.
    pub(super) fn in_arm(&mut self, body: impl FnOnce(&mut Self) -> Flow) -> Flow<Arm> {
        let outside = self.matched.len();
        let (frame, value) = self.in_frame(self.program.inner(), |lowering| {
            let value = body(lowering)?;
            Ok(lowering.with_elements(value))
        });
        self.matched.truncate(outside);
        self.arm_of(frame, value)
    }

    /// The arm with this list and this value.
    fn arm_of(&mut self, mut frame: Frame, value: Flow) -> Flow<Arm> {
        let mut changed = HashMap::new();
        for (number, before) in std::mem::take(&mut frame.saved) {
            if let Some(after) = self.bindings.restore(number, before) {
                changed.insert(number, after);
            }
        }
        let value = self.value_of_arm(value)?;
        Ok(Arm { frame, value, changed, pattern: TokenStream::new(), variables: HashSet::new() })
    }

    /// The value that something would have, if it has one. Nothing else comes of it, nor are errors reported.
    pub(super) fn on_trial(&mut self, run: impl FnOnce(&mut Self) -> Flow) -> Option<Value> {
        let errors = std::mem::take(self.errors);
        let arm = self.in_arm(run);
        *self.errors = errors;
        arm.ok()?.value
    }

    /// The value of something that is evaluated in few steps, and does nothing but to give it.
    pub(super) fn on_short_trial(&mut self, run: impl FnOnce(&mut Self) -> Flow) -> Option<Value> {
        let (errors, has_collections) = (std::mem::take(self.errors), self.has_collections);
        let budget = std::mem::replace(&mut self.budget, Budget::of_few_steps());
        let arm = self.in_arm(run);
        (*self.errors, self.has_collections, self.budget) = (errors, has_collections, budget);
        let arm = arm.ok()?;
        let does_nothing = arm.does_nothing();
        arm.value.filter(|_| does_nothing)
    }

    /// The value of an arm, unless it panics. A jump that leads out of it is an error: whether it is taken is known
    /// only at run time.
    fn value_of_arm(&mut self, value: Flow) -> Flow<Option<Value>> {
        match value.map_err(|stop| *stop) {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Jump(Exit::Panic, _)) => Ok(None),
            Err(Stop::Jump(exit, place)) => match exit {
                Exit::Return(_) if self.activation.body.has_many_returns => {
                    self.errors.at(&place, refuse::MANY_RETURNS);
                    Err(self.budget.give_up())
                }
                Exit::Return(_) => self.refuse(&place, refuse::jump_at_run_time("return")),
                Exit::Continue(_) => self.refuse(&place, refuse::jump_at_run_time("continue")),
                Exit::Break(..) | Exit::Panic => self.refuse(&place, refuse::jump_at_run_time("break")),
            },
            Err(stop) => Err(Box::new(stop)),
        }
    }

    /// Adds to the list of `frame`, which lies in the present one.
    pub(super) fn in_frame<T>(&mut self, frame: Frame, run: impl FnOnce(&mut Self) -> T) -> (Frame, T) {
        self.program.enter(frame);
        let result = run(self);
        (self.program.leave(), result)
    }

    /// Makes a block of the arms. Its value is that of the arm which is taken.
    pub(super) fn join(&mut self, head: Head, selector: ValueId, arms: Vec<Arm>, place: &dyn Placed) -> Flow {
        let panics = arms.iter().all(|arm| arm.value.is_none());
        // Where one of them gives `()`, so do the others.
        let is_unit = |arm: &Arm| matches!(&arm.value, Some(Value::Tuple(elements)) if elements.is_empty());
        let arms = if arms.iter().any(is_unit) { self.without_values(arms) } else { arms };
        let arms = self.with_options_in_parts(arms);
        let mut values: Vec<_> = arms.iter().map(|arm| arm.value.clone()).collect();
        self.complete(&mut values);
        let is_inside =
            |name: &str| arms.iter().any(|arm| arm.variables.contains(name) || arm.frame.variable(name).is_some());
        let mut merger =
            Merger { level: self.program.level(), results: Vec::new(), vectors: Vec::new(), is_inside: &is_inside };
        let value = merger.merge(values, "");
        let variables = self.merge_variables(&mut merger, &arms);
        let (Ok(value), Ok(variables)) = (value, variables) else {
            let refers = arms.iter().any(|arm| matches!(arm.value, Some(Value::Mutable(_))));
            return self.refuse(place, if refers { refuse::ARMS_THAT_REFER } else { refuse::ARMS });
        };
        let Merger { results, vectors, .. } = merger;
        self.require_vectors(&vectors.iter().collect::<Vec<_>>());
        let results = self.add_block(head, selector, arms, results, place);
        for (number, merged) in variables {
            let binding = self.bindings.at(number);
            self.program.frame.save(number, binding);
            binding.value = merged.resolve(&results);
        }
        match panics {
            true => Err(Stop::jump(Exit::Panic, place)),
            false => Ok(value.resolve(&results)),
        }
    }

    /// The arms, with passive values of theirs as statements.
    fn without_values(&mut self, arms: Vec<Arm>) -> Vec<Arm> {
        let without_value = |arm: Arm| match arm.value {
            Some(value @ Value::Passive(_)) => {
                let (frame, ()) = self.in_frame(arm.frame, |lowering| lowering.end_statement(&value));
                Arm { frame, value: Some(Value::unit()), ..arm }
            }
            _ => arm,
        };
        arms.into_iter().map(without_value).collect()
    }

    /// The arms, with passive `Option`s that they give or assign in parts, each evaluated once and in its arm, where another
    /// arm has an active one.
    fn with_options_in_parts(&mut self, arms: Vec<Arm>) -> Vec<Arm> {
        let like = active_option(arms.iter().filter_map(|arm| arm.value.as_ref()));
        let mut variables = BTreeMap::new();
        for number in arms.iter().flat_map(|arm| arm.changed.keys()) {
            let assigned = arms.iter().filter_map(|arm| arm.changed.get(number));
            let like = active_option(assigned.chain([self.bindings.get(*number)]).map(|binding| &binding.value));
            variables.extend(like.map(|like| (*number, like)));
        }
        let in_parts = |arm: Arm| {
            let Arm { mut frame, value: Some(mut value), mut changed, pattern, variables: own } = arm else {
                return arm;
            };
            if let Some(like) = &like {
                (frame, value) = self.like_option(frame, value, like);
            }
            for (number, like) in &variables {
                if let Some(Binding { value, .. }) = changed.get_mut(number) {
                    let assigned = std::mem::replace(value, Value::Unset);
                    (frame, *value) = self.like_option(frame, assigned, like);
                }
            }
            Arm { frame, value: Some(value), changed, pattern, variables: own }
        };
        arms.into_iter().map(in_parts).collect()
    }

    /// A value with the parts of an `Option` like this one, if it is passive, and is evaluated in this frame.
    fn like_option(&mut self, frame: Frame, value: Value, like: &Value) -> (Frame, Value) {
        let Value::Passive(Passive { variant: None | Some(Variant::Either), .. }) = value else {
            return (frame, value);
        };
        self.in_frame(frame, |it| {
            let value = it.evaluated(value);
            let mut values = [Some(like.clone()), Some(value.clone())];
            it.complete(&mut values);
            let [_, completed] = values;
            completed.unwrap_or(value)
        })
    }

    /// The variables that arms assign, in their order, with what they are after the branch.
    fn merge_variables(&mut self, merger: &mut Merger<'_>, arms: &[Arm]) -> Result<Vec<(usize, Merged)>, Mismatch> {
        let mut numbers = Vec::new();
        for arm in arms {
            numbers.extend(arm.changed.keys());
        }
        numbers.sort_unstable();
        numbers.dedup();
        let mut variables = Vec::with_capacity(numbers.len());
        for number in numbers {
            let before = self.bindings.get(number);
            let mut values = Vec::with_capacity(arms.len());
            for Arm { value, changed, .. } in arms {
                values.push(value.as_ref().map(|_| changed.get(&number).unwrap_or(before).value.clone()));
            }
            self.begin(number, &mut values);
            self.complete(&mut values);
            let name = self.bindings.name(number).to_string();
            variables.push((number, merger.merge(values, &name)?));
        }
        Ok(variables)
    }

    /// Adds the block to the list, and returns the values of its results.
    fn add_block(
        &mut self,
        head: Head,
        selector: ValueId,
        arms: Vec<Arm>,
        results: Vec<BlockResult>,
        place: &dyn Placed,
    ) -> Vec<Value> {
        let does_something = |arm: &Arm| arm.value.is_none() || may_do_something(guard_of(arm.pattern.clone()));
        let is_kept = head_does_something(&head) || arms.iter().any(does_something);
        let (mut frames, mut written, mut args, mut counts) = (Vec::new(), Vec::new(), Vec::new(), Counts::default());
        for (number, arm) in arms.into_iter().enumerate() {
            let (frame, arm) = self.close_arm(arm, number, &results, place);
            args.extend_from_slice(&frame.arguments);
            counts = counts.and(frame.counts());
            frames.push(frame);
            written.push(arm);
        }
        args.sort_unstable();
        args.dedup();
        let outer = &self.program.frame.list;
        let mut lists = Vec::with_capacity(frames.len());
        for frame in frames {
            let input = |&arg| (outer.kind(arg), outer.name(arg).unwrap_or_default(), frame.input_for(arg));
            lists.push(Arc::new(frame.list.with_inputs(args.iter().map(input))));
        }

        let names: Vec<_> = results.iter().map(|result| self.result_variable(result)).collect();
        let variables = names.iter().flatten().cloned().collect();
        let origin = self.program.code.add(Written::Branch(Branch { head, arms: written, variables }));
        let body = Body::Branch { selector, arms: lists, results: results.len() };
        let block = self.program.frame.block(Block { args, body, is_kept, origin }, counts);
        let mut values = Vec::with_capacity(results.len());
        for (index, (result, name)) in results.iter().zip(names).enumerate() {
            values.push(self.result_value(block, index, result, name));
        }
        values
    }

    /// Declares the outputs of an arm, and returns its frame and what is written of it besides the list.
    fn close_arm(&mut self, arm: Arm, number: usize, results: &[BlockResult], place: &dyn Placed) -> (Frame, ArmCode) {
        let Arm { frame, value, pattern, .. } = arm;
        let (frame, ()) = self.in_frame(frame, |lowering| {
            results.iter().for_each(|result| lowering.output_of_arm(result, number, place));
        });
        (frame, ArmCode { pattern, diverges: value.is_none() })
    }

    /// Declares an output of the present arm. After an error, and where the arm does not end, it is a value that
    /// nothing uses: every arm has as many outputs.
    fn output_of_arm(&mut self, result: &BlockResult, arm: usize, place: &dyn Placed) {
        let value = result.values[arm].as_ref();
        let (id, unused) = match &result.kind {
            ResultKind::Passive(_) => {
                let tokens = value.and_then(Value::to_passive).map(|passive| passive.tokens().clone());
                (
                    Some(self.program.passive_operand(Kind::Opaque, &result.name, tokens.unwrap_or_default())),
                    Constant::Bool(false),
                )
            }
            ResultKind::Float => (value.and_then(|value| self.float(value, place).ok()), Constant::Float(0.0)),
            ResultKind::Condition => (value.and_then(|value| self.condition(value, place).ok()), Constant::Bool(false)),
        };
        let id = id.unwrap_or_else(|| self.program.constant(unused));
        self.program.frame.list.output(id);
    }

    /// The variable for a passive result.
    fn result_variable(&mut self, result: &BlockResult) -> Option<Ident> {
        let name = if result.name.is_empty() { "chosen" } else { &result.name };
        let ident = Ident::new(name.trim_start_matches("r#"), Span::mixed_site());
        result.is_passive().then(|| self.program.variable(&emitted(&ident)))
    }

    fn result_value(&mut self, block: ValueId, index: usize, result: &BlockResult, variable: Option<Ident>) -> Value {
        let id = self.program.frame.list.part(block, index);
        if let (ResultKind::Passive(shape), Some(variable)) = (&result.kind, variable) {
            self.program.frame.declare(variable.to_string(), id);
            let any = |is: fn(&Passive) -> bool| {
                result.values.iter().flatten().any(|value| matches!(value, Value::Passive(passive) if is(passive)))
            };
            let (may_refer, is_given) = (any(|passive| passive.may_refer), any(|passive| passive.is_given));
            // All arms give one type, which one of them may tell.
            let is_option = any(Passive::is_option)
                || result.values.iter().flatten().any(|value| matches!(value, Value::Optional(_)));
            let chosen = Passive::simple(quote!(#variable)).with_shape(shape.clone());
            let chosen = chosen.with_variant(is_option.then_some(Variant::Either));
            let chosen = chosen.floating(!may_refer && any(Passive::is_float));
            return Value::Passive(chosen.given(is_given).behind_reference(may_refer));
        }
        if !result.name.is_empty() {
            self.program.frame.list.set_name(id, &result.name);
        }
        let active = Active::of(self.program.level(), id);
        match result.kind {
            ResultKind::Condition => Value::Condition(active),
            _ => Value::Active(active),
        }
    }
}

/// Whether what a branch asks may do something, or panic.
fn head_does_something(head: &Head) -> bool {
    match head {
        Head::Match(scrutinee) => may_do_something(scrutinee.clone()),
        Head::IfLet(condition) => may_do_something(without_patterns(condition.clone())),
        Head::If | Head::And | Head::Or | Head::Index(_) | Head::Number => false,
    }
}

/// The guard after a pattern, if there is one.
fn guard_of(pattern: TokenStream) -> TokenStream {
    pattern.into_iter().skip_while(|token| !matches!(token, TokenTree::Ident(word) if word == "if")).skip(1).collect()
}

/// Whether something is called in tokens, or indexed, or computed: an index or an integer may panic.
fn may_do_something(tokens: TokenStream) -> bool {
    has_call(tokens.clone()) || has_index(tokens.clone()) || has_arithmetic(tokens)
}

/// A condition without the patterns in it, as `Some(v)` looks like a call.
fn without_patterns(condition: TokenStream) -> TokenStream {
    let (mut is_pattern, mut is_joined) = (false, false);
    let is_kept = |token: &TokenTree| {
        match token {
            TokenTree::Ident(ident) if ident == "let" => is_pattern = true,
            // That of `..=` follows a dot.
            TokenTree::Punct(punct) if punct.as_char() == '=' && !is_joined => is_pattern = false,
            _ => {}
        }
        is_joined = matches!(token, TokenTree::Punct(punct) if punct.as_char() == '.');
        !is_pattern
    };
    condition.into_iter().filter(is_kept).collect()
}

/// The first `Option` among these with something active in it.
fn active_option<'v>(mut values: impl Iterator<Item = &'v Value>) -> Option<Value> {
    values.find(|value| matches!(value, Value::Optional(_)) && !value.is_passive()).cloned()
}

/// Whether a trait object is in a type.
fn is_of_trait_object(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Array(element, _) => is_of_trait_object(element),
        TypeKind::Tuple(elements) => elements.iter().any(is_of_trait_object),
        TypeKind::Reference(_, _, target) => is_of_trait_object(target),
        TypeKind::Infer => false,
        TypeKind::Path(path, _) => mentions(path.to_token_stream(), &["dyn"]),
        TypeKind::Other(other, _) => mentions(other.to_token_stream(), &["dyn"]),
    }
}
