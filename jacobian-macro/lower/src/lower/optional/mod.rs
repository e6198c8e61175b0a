//! What may be missing: an `Option` of something active, the inverse of a matrix, the solution of equations. Whether it is
//! there may be known at run time only: what is done with it is a branch then. As a value it has two parts, a truth
//! value and what is there; where nothing is, that is a value of no meaning, which nothing reads.

mod change;
mod complete;
mod method;
mod pattern;

pub(super) use self::method::{is_method_of_option, option_given};
pub(super) use self::pattern::matches_none;

use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::{Constant, NotationId};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote_spanned};

use super::super::read::shape::Shape;
use super::super::refuse;
use super::super::syntax::{Expr, ExprKind, Path};
use super::control::{Exit, Flow, Stop};
use super::numbers::Number;
use super::program::{Head, Line};
use super::value::{Passive, Value, Variant, Vector};
use super::{Lowering, emitted};

/// What may be missing.
#[derive(Clone)]
pub struct Optional {
    /// What tells whether it is there.
    pub(super) test: Test,
    /// What is there, if it is.
    pub(super) found: Found,
}

/// What tells whether something is there.
#[derive(Clone)]
pub(super) enum Test {
    /// This float is not zero.
    NotZero(Value),
    /// This truth value is `true`.
    Holds(Value),
}

/// What is there.
#[derive(Clone)]
pub(super) enum Found {
    /// The inverse of this matrix of up to three rows, or that of which these are the cofactors, of four, by the
    /// determinant.
    Inverse(Vector, Value),
    /// This.
    Value(Value),
}

/// A passive `Option` or `Result` of which something active is made.
struct PassiveOption {
    option: Passive,
    /// Whether what is in it may be a reference.
    may_refer: bool,
    /// Whether it is surely an `Option`.
    is_option: bool,
}

/// The methods that may give nothing.
const GIVING: &[&str] = &["try_inverse", "solve", "cholesky"];

/// The methods whose result may be missing if something about them is.
const MAPPING: &[&str] = &["then", "then_some", "map", "and_then", "filter", "or", "or_else", "zip"];

impl Value {
    /// What may be missing.
    pub(super) fn optional(of: Optional) -> Value {
        Value::Optional(Box::new(of))
    }

    /// What is there, if the truth value says so.
    pub(super) fn there_if(test: Value, content: Value) -> Value {
        Value::optional(Optional { test: Test::Holds(test), found: Found::Value(content) })
    }
}

impl Optional {
    /// Whether it is there, where that is known.
    pub(super) fn is_known(&self) -> Option<bool> {
        match &self.test {
            Test::Holds(test) => test.as_bool(),
            Test::NotZero(_) => None,
        }
    }

    /// The truth value and what is there, if they are its parts.
    pub(super) fn parts(&self) -> Option<(&Value, &Value)> {
        match (&self.test, &self.found) {
            (Test::Holds(test), Found::Value(content)) => Some((test, content)),
            _ => None,
        }
    }

    /// One of these parts.
    pub(super) fn part(&self, index: usize) -> Option<&Value> {
        match (index, &self.test, &self.found) {
            (0, Test::Holds(test), _) => Some(test),
            (1, _, Found::Value(content)) => Some(content),
            _ => None,
        }
    }

    /// The same with what `change` makes of its parts.
    pub(super) fn map(mut self, change: &mut dyn FnMut(Value) -> Value) -> Optional {
        for index in 0..2 {
            if let Some(part) = self.part_mut(index) {
                *part = change(std::mem::replace(part, Value::Unset));
            }
        }
        self
    }

    /// One of these parts, to change it.
    pub(super) fn part_mut(&mut self, index: usize) -> Option<&mut Value> {
        match (index, &mut self.test, &mut self.found) {
            (0, Test::Holds(test), _) => Some(test),
            (1, _, Found::Value(content)) => Some(content),
            _ => None,
        }
    }

    /// It as a passive expression, if nothing in it is active.
    pub(super) fn to_passive(&self) -> Option<Passive> {
        let (test, content) = self.parts()?;
        let written = match (test, test.as_bool()) {
            (_, Some(false)) => return Some(none()),
            (_, Some(true)) => {
                let content = content.to_passive()?;
                let content = content.tokens();
                quote_spanned!(Span::mixed_site()=> ::core::option::Option::Some(#content))
            }
            (Value::Passive(test), None) => {
                let (test, content) = (test.operand(), content.to_passive()?);
                let content = content.tokens();
                quote_spanned!(Span::mixed_site()=> #test.then_some(#content))
            }
            _ => return None,
        };
        Some(Passive::simple(written).with_variant(Some(Variant::Either)))
    }
}

/// `None`.
fn none() -> Passive {
    let written = quote_spanned!(Span::mixed_site()=> ::core::option::Option::None);
    Passive::simple(written).with_variant(Some(Variant::None))
}

impl Lowering<'_> {
    /// Nothing, where something could be.
    pub(super) fn missing(&self) -> Value {
        Value::Passive(none())
    }

    /// Something that is there.
    pub(super) fn there(&mut self, content: Value) -> Value {
        Value::there_if(self.truth(true), content)
    }

    /// `Some(value)` with something active.
    pub(super) fn wrapped(&mut self, path: &Path, args: &[Value]) -> Option<Flow> {
        let [content] = args else { return None };
        if !path.is_variant("Some") || content.is_passive() {
            return None;
        }
        self.require_some(path);
        Some(match content {
            Value::Closure(_) | Value::Mutable(_) | Value::Record(_) | Value::Iterator(_) => {
                self.refuse(path, refuse::WRAPPED)
            }
            content => Ok(self.there(content.clone())),
        })
    }

    /// Makes the generated code fail to compile where a name is not that of a variant of `Option`.
    fn require_some(&mut self, path: &Path) {
        let written = &path.path.path;
        if written.leading_colon.is_some() && written.segments.first().is_some_and(|first| first.ident == "core") {
            return;
        }
        let written = self.written_path(path);
        self.program.require(
            written.to_string(),
            quote_spanned! {Span::mixed_site()=>
                let _: fn(()) -> ::core::option::Option<()> = #written;
            },
        );
    }

    /// What may be missing, if a value is that, or refers to it, and something about it is active.
    pub(super) fn optional_behind(&mut self, value: &Value) -> Option<Optional> {
        match value {
            Value::Optional(of) => Some((**of).clone()),
            Value::Passive(Passive { variant: Some(Variant::None), .. }) => {
                Some(Optional { test: Test::Holds(self.truth(false)), found: Found::Value(Value::Unset) })
            }
            Value::Reference(target) => {
                let of = self.optional_behind(target)?;
                let Found::Value(content) = of.found else { return Some(of) };
                Some(Optional { found: Found::Value(self.shared(content)), ..of })
            }
            Value::Mutable(place) => match self.in_place(place) {
                Value::Optional(of) => {
                    let found = of.parts().is_some().then(|| Found::Value(Value::Mutable(place.part(1))));
                    Some(Optional { found: found.unwrap_or(of.found), ..*of })
                }
                none @ Value::Passive(Passive { variant: Some(Variant::None), .. }) => self.optional_behind(&none),
                _ => None,
            },
            _ => None,
        }
    }

    /// What is in an `Option`, where it is known whether something is; none where that is not known.
    pub(super) fn known_content(&mut self, value: &Value) -> Option<Option<Value>> {
        if let Value::Passive(Passive { variant: Some(Variant::Some(content)), .. }) = value {
            return Some(Some((**content).clone()));
        }
        let of = self.optional_behind(value)?;
        let is_there = of.is_known()?;
        Some(of.parts().map(|(_, content)| content.clone()).filter(|_| is_there))
    }

    /// The truth value that says whether it is there.
    pub(super) fn holds(&mut self, of: &Optional, place: &Expr) -> Flow {
        match &of.test {
            Test::Holds(test) => Ok(test.clone()),
            Test::NotZero(test) => self.compared_with_zero(&test.clone(), known::NE, place),
        }
    }

    /// The truth value that says whether it is missing.
    pub(super) fn lacks(&mut self, of: &Optional, place: &Expr) -> Flow {
        match &of.test {
            Test::NotZero(test) => self.compared_with_zero(&test.clone(), known::EQ, place),
            Test::Holds(Value::Passive(passive)) => Ok(match &passive.number {
                Some(Number::Bool(is_there)) => self.truth(!is_there),
                _ => {
                    let operand = passive.operand();
                    Value::Passive(Passive::operation(quote_spanned!(Span::mixed_site()=> !#operand)))
                }
            }),
            Test::Holds(test) => {
                let test = self.condition(test, place)?;
                Ok(self.program.apply(known::NOT, NotationId::default(), &[test]))
            }
        }
    }

    fn compared_with_zero(&mut self, test: &Value, comparison: Intrinsic, place: &Expr) -> Flow {
        let test = self.float(test, place)?;
        let zero = self.program.constant(Constant::Float(0.0));
        Ok(self.program.apply(comparison, NotationId::default(), &[test, zero]))
    }

    fn found(&mut self, of: &Optional, place: &Expr) -> Flow {
        match &of.found {
            Found::Inverse(matrix, determinant) => self.inverse(matrix, determinant, place),
            Found::Value(value) => Ok(value.clone()),
        }
    }

    /// What is made of what is in any value that is an `Option`, or without it.
    pub(super) fn with_option(
        &mut self,
        value: &Value,
        whole: &Expr,
        some: impl FnOnce(&mut Self, Value) -> Flow,
        none: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        match (self.optional_behind(value), value) {
            (Some(of), _) => self.with_either(&of, (whole, whole), some, none),
            (None, Value::Passive(Passive { variant: Some(Variant::Some(content)), .. })) => {
                some(self, (**content).clone())
            }
            (None, Value::Passive(option)) => {
                let option = PassiveOption { option: option.clone(), may_refer: true, is_option: false };
                self.branch_on_option(whole, option, some, none)
            }
            (None, _) => self.refuse(whole, refuse::OPTION_EXPECTED),
        }
    }

    /// What is made of what is in a passive `Option`, or without it.
    fn branch_on_option(
        &mut self,
        whole: &Expr,
        PassiveOption { option, may_refer, is_option }: PassiveOption,
        some: impl FnOnce(&mut Self, Value) -> Flow,
        none: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        let (span, name) = (Span::mixed_site(), self.program.variable(&emitted(&format_ident!("value"))));
        let value = Passive::simple(quote_spanned!(span=> #name)).behind_reference(may_refer);
        // What a method takes by value is none of the references to it.
        let shape = option.shape.as_ref().map(Shape::behind_references).and_then(Shape::item);
        let value = Value::Passive(value.with_shape(shape));
        let mut some = self.in_arm(|lowering| some(lowering, value))?;
        some.pattern = quote_spanned!(span=> ::core::option::Option::Some(#name));
        some.variables.insert(name.to_string());
        let mut none = self.in_arm(none)?;
        none.pattern = quote_spanned!(span=> ::core::option::Option::None);
        let (tokens, option) = (option.tokens(), option.operand());
        let subject = match is_option {
            true => quote_spanned!(span=> #tokens),
            // Of a `Result` or of a reference to one, this gives an `Option` of the value, too.
            false => quote_spanned!(span=> #option.map_or(::core::option::Option::None, ::core::option::Option::Some)),
        };
        let arms = vec![some, none];
        let selector = self.number_of_arm(&subject, &arms);
        self.join(Head::Match(subject), selector, arms, whole)
    }

    /// What is made of what is there, or without it.
    fn with_either(
        &mut self,
        of: &Optional,
        (whole, place): (&Expr, &Expr),
        some: impl FnOnce(&mut Self, Value) -> Flow,
        none: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        let some = |it: &mut Self| {
            it.in_block(|it| {
                let found = it.found(of, place)?;
                some(it, found)
            })
        };
        match of.is_known() {
            Some(true) => return some(self),
            Some(false) => return self.in_block(none),
            None => {}
        }
        let holds = self.holds(of, place)?;
        let selector = self.condition(&holds, place)?;
        let (there, missing) = (self.in_arm(some), self.in_arm(|it| it.in_block(none)));
        let (there, missing) = (there?, missing?);
        // Where nothing is computed, the parts need not go through a branch.
        if there.gives_outer()
            && missing.gives_outer()
            && let (Some(Value::Optional(given)), Some(Value::Passive(without))) = (&there.value, &missing.value)
            && let (Some((_, content)), Some(true), Some(Variant::None)) =
                (given.parts(), given.is_known(), &without.variant)
        {
            return Ok(Value::there_if(holds, content.clone()));
        }
        self.join(Head::If, selector, vec![there, missing], whole)
    }

    /// What is there, or what there is without it.
    fn either(
        &mut self,
        of: &Optional,
        (whole, place): (&Expr, &Expr),
        otherwise: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        match of.is_known() {
            Some(true) => return self.found(of, place),
            Some(false) => return otherwise(self),
            None => {}
        }
        let otherwise = self.in_arm(otherwise)?;
        // Where control does not come back, what is found outside of the branch need not go through it.
        if let (Found::Value(value), None) = (&of.found, &otherwise.value) {
            let is_missing = self.lacks(of, place)?;
            let selector = self.condition(&is_missing, place)?;
            let arms = vec![otherwise, self.in_arm(|_| Ok(Value::unit()))?];
            self.join(Head::If, selector, arms, whole)?;
            return Ok(value.clone());
        }
        let holds = self.holds(of, place)?;
        let selector = self.condition(&holds, place)?;
        let arms = vec![self.in_arm(|it| it.found(of, place))?, otherwise];
        self.join(Head::If, selector, arms, whole)
    }

    fn unwrapped(&mut self, of: &Optional, (whole, place): (&Expr, &Expr), message: TokenStream) -> Flow {
        let panics = |it: &mut Self| {
            it.program.line(Line::effect(quote_spanned!(Span::mixed_site()=> ::core::panic!(#message);)));
            Err(Stop::jump(Exit::Panic, place))
        };
        self.either(of, (whole, place), panics)
    }

    /// What may be missing, tried by `?`: what is there; without it, control leaves the function.
    pub(super) fn tried_optional(&mut self, whole: &Expr, inner: &Expr, of: &Optional) -> Flow {
        if !self.activation.body.fallible.as_ref().is_some_and(|fallible| fallible.is_option()) {
            return self.refuse(whole, refuse::TRIED);
        }
        let leave =
            |it: &mut Self| it.leave_by(quote_spanned!(Span::mixed_site()=> ::core::option::Option::None), whole);
        self.either(of, (whole, inner), leave)
    }

    /// Whether an expression is what may be missing, and something about it is active.
    fn may_be_optional(&mut self, subject: &Expr) -> bool {
        let is_named = match &*subject.unwrapped().kind {
            ExprKind::Method(call) => GIVING.iter().chain(MAPPING).any(|name| call.name == name),
            ExprKind::Variable(..) | ExprKind::Call(..) => true,
            _ => false,
        };
        is_named && matches!(self.on_trial(|it| it.expression(subject)), Some(Value::Optional(_)))
    }

    /// `a.ok_or(error)?` and `a.ok_or_else(|| error)?` in a function that gives a `Result`; none if it is none of these.
    pub(super) fn tried_with_error(&mut self, whole: &Expr, inner: &Expr) -> Flow<Option<Value>> {
        let Some(fallible) = self.activation.body.fallible.clone() else { return Ok(None) };
        let (subject, error) = match &*inner.unwrapped().kind {
            ExprKind::Method(call) if matches!(call.name.to_string().as_str(), "ok_or" | "ok_or_else") => {
                (&call.receiver, call.args.first())
            }
            _ => return Ok(None),
        };
        let Some(error) = error else { return Ok(None) };
        if fallible.is_option() || !self.may_be_optional(subject) {
            return Ok(None);
        }
        let Value::Optional(of) = self.expression(subject)? else { return Ok(None) };
        let span = Span::mixed_site();
        let given = |error: TokenStream| quote_spanned!(span=> ::core::result::Result::Err(::core::convert::From::from(#error)));
        if let ExprKind::Closure(closure) = &*error.unwrapped().kind {
            let body = closure.body.clone();
            let leave = |it: &mut Self| match it.observing_at_the_end(&body) {
                Some(error) => it.leave_by(given(error.tokens().clone()), whole),
                None => it.refuse(&body, refuse::ERROR_VALUE),
            };
            return self.either(&of, (whole, subject), leave).map(Some);
        }
        // What is given to `ok_or` is evaluated in any case.
        let Some(passive) = self.expression(error)?.to_passive() else {
            return self.refuse(error, refuse::ERROR_VALUE);
        };
        let passive = self.once(&passive);
        self.either(&of, (whole, subject), |it| it.leave_by(given(passive.tokens().clone()), whole)).map(Some)
    }
}

/// The type of what is in an `Option`, if a type is one.
pub(super) fn content_of_option(path: &syn::TypePath) -> Option<&syn::Type> {
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(ty) if arguments.args.len() == 1 => Some(ty),
        _ => None,
    }
}
