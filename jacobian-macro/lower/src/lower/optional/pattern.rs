//! Patterns of what may be missing: `if let`, `match` and `matches!`.

use jacobian_list::catalogue::known;
use jacobian_list::code_list::NotationId;
use proc_macro2::Span;
use quote::quote_spanned;
use syn::BinOp;

use super::super::super::refuse;
use super::super::super::syntax::{Arm, Expr, ExprKind, If, Node, Pattern, PatternKind, PatternVariable};
use super::super::Lowering;
use super::super::control::{Flow, Match, in_pairs, variable_called};
use super::super::expected::Expected;
use super::super::program::Head;
use super::super::value::{Passive, Value, Variant};
use super::complete::has_optional;

/// A pattern, the expression that is matched, its value, and the conditions after it.
type Matched<'e> = (&'e Pattern, &'e Expr, Value, Vec<&'e Expr>);

impl Lowering<'_> {
    /// Whether something is in a value that may be missing, and is not passive.
    pub(in super::super) fn has_optional(&mut self, value: &Value) -> bool {
        match value {
            Value::Mutable(place) => {
                let target = self.read(place);
                let is_known = |variant: &Variant| variant.is_known();
                has_optional(&target)
                    || matches!(target, Value::Passive(Passive { variant, .. }) if variant.as_ref().is_some_and(is_known))
            }
            value => has_optional(value),
        }
    }

    /// The parts of `let pattern = value && a && b`, with the value, if something in that may be missing and nothing is bound
    /// after it.
    pub(in super::super) fn optional_condition<'e>(&mut self, condition: &'e Expr) -> Flow<Option<Matched<'e>>> {
        let (mut first, mut others) = (condition, Vec::new());
        while let ExprKind::Binary(BinOp::And(_), left, right) = &*first.kind {
            first = left;
            others.push(right);
        }
        others.reverse();
        let ExprKind::Let(pattern, subject) = &*first.kind else { return Ok(None) };
        if others.iter().any(|other| !other.patterns().is_empty()) {
            return Ok(None);
        }
        let value = self.on_trial(|it| it.expression(subject));
        let is_optional =
            value.is_some_and(|value| self.has_optional(&value) || matches_none(pattern, &value).is_some());
        match is_optional {
            true => Ok(Some((pattern, subject, self.expression(subject)?, others))),
            false => Ok(None),
        }
    }

    /// The value of what is matched before these arms. A passive `Option` behind a mutable reference gets its parts where it
    /// is, unless the reference can stay what it is.
    pub(in super::super) fn matched_value(&mut self, subject: &Expr, arms: &[(&Pattern, &Expr)]) -> Flow {
        if let ExprKind::Mutable(target) = &*subject.unwrapped().kind
            && self.inline.is_none()
            && self.is_opaque_place(target)
            && arms.iter().any(|(pattern, body)| self.gives_active(pattern, body))
        {
            let place = self.place(target)?;
            if let Value::Optional(_) = self.in_place(&place) {
                return Ok(Value::Mutable(place));
            }
        }
        let value = self.asked(subject)?;
        if let Value::Mutable(place) = &value {
            self.in_place(place);
        }
        Ok(value)
    }

    /// Whether something active may be assigned to what a pattern binds: this is told by the arm as a whole, for what is
    /// assigned may be a variable that it declares.
    fn gives_active(&self, pattern: &Pattern, body: &Expr) -> bool {
        let (mut bound, mut is_assigned, mut is_given) = (Vec::new(), false, false);
        pattern.variables(&mut bound);
        let is_bound = |id| bound.iter().any(|variable| variable.id == id);
        body.walk(&mut |node| {
            let Node::Expr(expression) = node else { return };
            match &*expression.kind {
                ExprKind::Assign(target, _) | ExprKind::Update(_, target, _) => {
                    is_assigned |= target.root().is_some_and(|(root, _)| is_bound(root));
                }
                ExprKind::Variable(id, _) => is_given |= !is_bound(*id) && self.holds_active(*id),
                _ => {}
            }
        });
        is_assigned && is_given
    }

    /// Makes the generated code fail to compile where a name in a pattern is that of a constant outside of the function.
    fn require_variables(&mut self, pattern: &Pattern) {
        let mut variables = Vec::new();
        pattern.variables(&mut variables);
        for variable in variables {
            self.program.require(variable.ident.to_string(), variable_called(&variable.ident));
        }
    }

    /// `if let pattern = value { ... } else { ... }`, perhaps with further conditions, which bind nothing.
    pub(in super::super) fn if_optional(
        &mut self,
        (whole, branch): (&Expr, &If),
        (pattern, subject, value): (&Pattern, &Expr, &Value),
        conditions: &[&Expr],
        expected: &Expected,
    ) -> Flow {
        self.require_variables(pattern);
        let holds = match self.matching(pattern, value, subject)? {
            Some(holds) => self.guarded(holds, (pattern, value), conditions.iter().copied(), whole)?,
            None => self.truth(false),
        };
        let then = |it: &mut Self| {
            it.in_block(|it| {
                it.bind_tested(pattern, value.clone())?;
                it.block_of(&branch.then, expected.clone())
            })
        };
        match holds.as_bool() {
            Some(true) => return then(self),
            Some(false) => return self.otherwise(branch, expected),
            None => {}
        }
        let selector = self.condition(&holds, subject)?;
        let (then, otherwise) = (self.in_arm(then), self.in_arm(|it| it.otherwise(branch, expected)));
        self.join(Head::If, selector, vec![then?, otherwise?], whole)
    }

    /// `match value { ... }`: one arm after the other is tried.
    pub(in super::super) fn match_optional(
        &mut self,
        (whole, subject): (&Expr, &Expr),
        arms: &[Arm],
        value: &Value,
        expected: &Expected,
    ) -> Flow {
        // The arm of what is there comes first.
        if let [first, second] = arms
            && (first.guard.is_none() && second.guard.is_none())
            && (first.pattern.is_none() && second.pattern.some().is_some())
        {
            let arms = [second.clone(), first.clone()];
            return self.first_arm((whole, subject), &arms, value, expected);
        }
        self.first_arm((whole, subject), arms, value, expected)
    }

    /// The first one of these arms whose pattern matches; the last one does so where no other one does.
    pub(in super::super) fn first_arm(
        &mut self,
        (whole, subject): (&Expr, &Expr),
        arms: &[Arm],
        value: &Value,
        expected: &Expected,
    ) -> Flow {
        let Some((arm, rest)) = arms.split_first() else { return self.refuse(whole, refuse::NO_ARM) };
        // Which case binds the names is known in an arm of its own.
        if let PatternKind::Or(cases) = &arm.pattern.kind
            && !arm.pattern.binds_nothing()
        {
            let own = |case: &Pattern| Arm { pattern: case.clone(), ..arm.clone() };
            let arms: Vec<_> = cases.iter().map(own).chain(rest.iter().cloned()).collect();
            return self.first_arm((whole, subject), &arms, value, expected);
        }
        self.require_variables(&arm.pattern);
        let holds = match self.matching(&arm.pattern, value, subject)? {
            Some(_) if rest.is_empty() => self.truth(true),
            Some(holds) => self.guarded(holds, (&arm.pattern, value), arm.guard.iter(), whole)?,
            None => self.truth(false),
        };
        let then = |it: &mut Self| {
            it.in_block(|it| {
                it.bind_tested(&arm.pattern, value.clone())?;
                it.in_same_block(&arm.body, expected.clone())
            })
        };
        match holds.as_bool() {
            Some(true) => return then(self),
            Some(false) => return self.first_arm((whole, subject), rest, value, expected),
            None => {}
        }
        let selector = self.condition(&holds, subject)?;
        let (then, otherwise) =
            (self.in_arm(then), self.in_arm(|it| it.first_arm((whole, subject), rest, value, expected)));
        self.join(Head::If, selector, vec![then?, otherwise?], whole)
    }

    /// `matches!` of a value, as a truth value.
    pub(in super::super) fn matches_optional(
        &mut self,
        whole: &Expr,
        (pattern, subject, value): (&Pattern, &Expr, &Value),
        guard: Option<&Expr>,
    ) -> Flow {
        self.require_variables(pattern);
        match self.matching(pattern, value, subject)? {
            Some(holds) => self.guarded(holds, (pattern, value), guard.into_iter(), whole),
            None => Ok(self.truth(false)),
        }
    }

    /// A truth value and these conditions, which are evaluated only where it holds, with the names in the pattern bound.
    fn guarded<'e>(
        &mut self,
        holds: Value,
        (pattern, value): (&Pattern, &Value),
        conditions: impl Iterator<Item = &'e Expr>,
        whole: &Expr,
    ) -> Flow {
        let mut holds = holds;
        for condition in conditions {
            let evaluate = |it: &mut Self| {
                it.in_block(|it| {
                    it.bind_tested(pattern, value.clone())?;
                    it.expression(condition)
                })
            };
            holds = match holds.as_bool() {
                Some(true) => evaluate(self)?,
                Some(false) => return Ok(holds),
                None => self.lazy_value(Head::And, holds, evaluate, whole)?,
            };
        }
        Ok(holds)
    }

    /// The truth value that says whether a value matches a pattern; none if it surely does not.
    fn matching(&mut self, pattern: &Pattern, value: &Value, subject: &Expr) -> Flow<Option<Value>> {
        let mut conditions = Vec::new();
        match self.conditions_of(pattern, value, subject, &mut conditions)? {
            Match::No => return Ok(None),
            Match::Unknown if pattern.is_error() => return self.refuse(pattern, refuse::ERROR_READ),
            Match::Unknown if self.has_optional(value) => return self.refuse(pattern, refuse::OPTIONAL_PATTERN),
            Match::Unknown => {
                let why = self.why_not_matched(value);
                return self.refuse(subject, why);
            }
            Match::Yes => {}
        }
        let mut holds: Option<Value> = None;
        for condition in conditions {
            holds = Some(match (holds, condition) {
                (None, condition) => condition,
                (Some(Value::Passive(left)), Value::Passive(right)) => {
                    let (left, right) = (left.operand(), right.operand());
                    Value::Passive(Passive::operation(quote_spanned!(Span::mixed_site()=> #left && #right)))
                }
                (Some(left), right) => {
                    let both = [self.condition(&left, subject)?, self.condition(&right, subject)?];
                    self.program.apply(known::AND, NotationId::default(), &both)
                }
            });
        }
        Ok(Some(holds.unwrap_or_else(|| self.truth(true))))
    }

    /// Whether one of two truth values holds.
    fn one_holds(&mut self, left: Value, right: Value, place: &Expr) -> Flow {
        if let (Value::Passive(left), Value::Passive(right)) = (&left, &right) {
            let (left, right) = (left.operand(), right.operand());
            return Ok(Value::Passive(Passive::operation(quote_spanned!(Span::mixed_site()=> #left || #right))));
        }
        let both = [self.condition(&left, place)?, self.condition(&right, place)?];
        Ok(self.program.apply(known::OR, NotationId::default(), &both))
    }

    /// Whether a value matches a pattern where all these truth values hold.
    fn conditions_of(
        &mut self,
        pattern: &Pattern,
        value: &Value,
        subject: &Expr,
        conditions: &mut Vec<Value>,
    ) -> Flow<Match> {
        if let Some(inner) = pattern.some()
            && let Some(of) = self.optional_behind(value)
        {
            match of.is_known() {
                Some(false) => return Ok(Match::No),
                Some(true) => {}
                None => conditions.push(self.holds(&of, subject)?),
            }
            return match of.parts() {
                Some((_, content)) => self.conditions_of(inner, &content.clone(), subject, conditions),
                None => Ok(Match::Yes),
            };
        }
        if pattern.is_none()
            && let Some(of) = self.optional_behind(value)
        {
            return Ok(match of.is_known() {
                Some(true) => Match::No,
                Some(false) => Match::Yes,
                None => {
                    conditions.push(self.lacks(&of, subject)?);
                    Match::Yes
                }
            });
        }
        match (&pattern.kind, value) {
            (PatternKind::Literal(literal), Value::Condition(_)) => {
                let literal = self.expression(literal)?;
                match literal.as_bool() {
                    Some(true) => conditions.push(value.clone()),
                    Some(false) => {
                        let test = self.condition(value, subject)?;
                        conditions.push(self.program.apply(known::NOT, NotationId::default(), &[test]));
                    }
                    None => return Ok(Match::Unknown),
                }
                Ok(Match::Yes)
            }
            (PatternKind::Paren(inner), _) => self.conditions_of(inner, value, subject, conditions),
            (PatternKind::Reference(_, inner), _) => {
                let value = self.dereference(value.clone());
                self.conditions_of(inner, &value, subject, conditions)
            }
            (PatternKind::Tuple(parts), Value::Tuple(elements))
            | (PatternKind::Slice(parts), Value::Array(elements))
                if let Some(pairs) = in_pairs(parts, elements) =>
            {
                let mut found = Match::Yes;
                for (part, element) in pairs {
                    found = found.and(self.conditions_of(part, element, subject, conditions)?);
                }
                Ok(found)
            }
            (PatternKind::Tuple(_) | PatternKind::Slice(_), Value::Reference(target)) => {
                self.conditions_of(pattern, target, subject, conditions)
            }
            (PatternKind::Tuple(_) | PatternKind::Slice(_), Value::Mutable(place)) => {
                let target = self.read(place);
                self.conditions_of(pattern, &target, subject, conditions)
            }
            (PatternKind::Variable(variable), _) if variable.inner.is_some() => match &variable.inner {
                Some(inner) => self.conditions_of(inner, value, subject, conditions),
                None => Ok(Match::Yes),
            },
            (PatternKind::Or(cases), _) if !is_tested_alone(pattern) => {
                let mut found: Option<Value> = None;
                for case in cases {
                    let holds = match self.matching(case, value, subject)? {
                        Some(holds) if holds.as_bool() == Some(true) && found.is_none() => return Ok(Match::Yes),
                        Some(holds) => holds,
                        None => continue,
                    };
                    found = Some(match found {
                        Some(before) => self.one_holds(before, holds, subject)?,
                        None => holds,
                    });
                }
                Ok(found.map_or(Match::No, |found| {
                    conditions.push(found);
                    Match::Yes
                }))
            }
            (PatternKind::Struct(_, fields, _), Value::Tuple(elements)) if elements.definition().is_some() => {
                let mut found = Match::Yes;
                for (member, part) in fields {
                    let element =
                        elements.definition().and_then(|it| it.index_of(member)).map(|index| &elements[index]);
                    found = found.and(match element {
                        Some(element) => self.conditions_of(part, element, subject, conditions)?,
                        None => Match::Unknown,
                    });
                }
                Ok(found)
            }
            _ => match (self.matches(pattern, value)?, value) {
                (Match::Unknown, Value::Passive(passive)) if !passive.has_call() && !pattern.is_error() => {
                    let Some(unnamed) = pattern.without_names() else { return Ok(Match::Unknown) };
                    let (passive, pattern) = (passive.operand(), self.matched_pattern(&unnamed));
                    let matches = quote_spanned!(Span::mixed_site()=> ::core::matches!(#passive, #pattern));
                    conditions.push(Value::Passive(Passive::operation(matches)));
                    Ok(Match::Yes)
                }
                (found, _) => Ok(found),
            },
        }
    }

    /// Binds the names in `Some(pattern)` to what is there.
    pub(in super::super) fn bind_optional(&mut self, pattern: &Pattern, value: &Value) -> Option<Flow<()>> {
        let is_option = pattern.some().is_some() || pattern.is_none();
        let of = if is_option { self.optional_behind(value)? } else { return None };
        let Some(inner) = pattern.some() else { return Some(Ok(())) };
        Some(match self.found(&of, &Expr::new(ExprKind::Unreached(None), pattern.place)) {
            Ok(content) => self.bind(inner, content, None),
            Err(stop) => Err(stop),
        })
    }
}

impl Pattern {
    /// The pattern in `Some(pattern)`, or in `Ok(pattern)`.
    pub(in super::super) fn some(&self) -> Option<&Pattern> {
        match &self.kind {
            PatternKind::Paren(inner) => inner.some(),
            PatternKind::TupleStruct(path, parts) => match &parts[..] {
                [inner] if path.is_variant("Some") || path.is_variant("Ok") => Some(inner),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it is one of an `Err`.
    fn is_error(&self) -> bool {
        matches!(&self.kind, PatternKind::TupleStruct(path, _) if path.is_variant("Err"))
    }

    /// Whether there is no name in it.
    pub(in super::super) fn binds_nothing(&self) -> bool {
        let mut variables = Vec::new();
        self.variables(&mut variables);
        variables.is_empty()
    }

    /// It with `_` in the place of each name; none if it is none that can be written.
    fn without_names(&self) -> Option<Pattern> {
        let all = |parts: &[Pattern]| parts.iter().map(Pattern::without_names).collect::<Option<Vec<_>>>();
        let kind = match &self.kind {
            PatternKind::Variable(PatternVariable { inner: Some(inner), .. }) => return inner.without_names(),
            PatternKind::Variable(_) => PatternKind::Wild,
            PatternKind::Tuple(parts) => PatternKind::Tuple(all(parts)?),
            PatternKind::Slice(parts) => PatternKind::Slice(all(parts)?),
            PatternKind::Or(cases) => PatternKind::Or(all(cases)?),
            PatternKind::TupleStruct(path, parts) => PatternKind::TupleStruct(path.clone(), all(parts)?),
            PatternKind::Struct(path, fields, has_rest) => {
                let field = |(member, part): &(syn::Member, Pattern)| Some((member.clone(), part.without_names()?));
                let fields = fields.iter().map(field).collect::<Option<Vec<_>>>()?;
                PatternKind::Struct(path.clone(), fields, *has_rest)
            }
            PatternKind::Reference(is_mutable, inner) => {
                PatternKind::Reference(*is_mutable, Box::new(inner.without_names()?))
            }
            PatternKind::Paren(inner) => PatternKind::Paren(Box::new(inner.without_names()?)),
            PatternKind::Typed(..) | PatternKind::Refused(_) | PatternKind::Other => return None,
            plain => plain.clone(),
        };
        Some(Pattern::new(kind, self.place))
    }

    /// Whether it is `None`, or an error of which nothing is read.
    pub(in super::super) fn is_none(&self) -> bool {
        match &self.kind {
            PatternKind::Paren(inner) => inner.is_none(),
            PatternKind::Path(path) => path.is_variant("None"),
            PatternKind::TupleStruct(_, parts) if self.is_error() => {
                parts.iter().all(|part| matches!(part.kind, PatternKind::Wild | PatternKind::Rest))
            }
            _ => false,
        }
    }
}

/// Whether a pattern is one of numbers, and binds nothing.
fn is_tested_alone(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Paren(inner) => is_tested_alone(inner),
        PatternKind::Or(cases) => cases.iter().all(is_tested_alone),
        PatternKind::Literal(_) | PatternKind::Range(..) => true,
        _ => false,
    }
}

/// Whether a passive value matches `Some(_)` or `None`, if it is surely `None`.
pub(in super::super) fn matches_none(pattern: &Pattern, value: &Value) -> Option<Match> {
    let Value::Passive(Passive { variant: Some(Variant::None), .. }) = value.behind_references() else { return None };
    match (pattern.is_none(), pattern.some()) {
        (true, _) => Some(Match::Yes),
        (false, Some(_)) => Some(Match::No),
        (false, None) => None,
    }
}
