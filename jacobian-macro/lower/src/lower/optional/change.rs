//! Methods that change an `Option` in a variable of the function, or refer to what is in it.

use super::super::super::refuse;
use super::super::super::syntax::{Expr, ExprKind, Method, Node};
use super::super::Lowering;
use super::super::assign::descend;
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::program::Head;
use super::super::value::{Passive, Place, Value, Variant};
use super::complete::has_optional;

/// The methods, each with the number of its arguments.
const METHODS: &[(&str, usize)] =
    &[("as_mut", 0), ("take", 0), ("replace", 1), ("insert", 1), ("get_or_insert", 1), ("get_or_insert_with", 1)];

impl Lowering<'_> {
    /// Whether a call changes an `Option` of which something is known, or that has something active in it, or gets it.
    pub(in super::super) fn is_changing_optional(&self, call: &Method) -> bool {
        if !METHODS.iter().any(|(name, count)| call.name == name && call.args.len() == *count) {
            return false;
        }
        let Some((id, is_whole)) = call.receiver.root() else { return false };
        let mut value = self.bindings.find(self.activation.number(id)).map(|binding| &binding.value);
        if let Some(Value::Mutable(place)) = value {
            value = self.bindings.find(place.variable).map(|binding| &binding.value);
        }
        match value {
            Some(Value::Passive(passive)) if is_whole => {
                let is_given_active = || call.args.iter().any(|arg| self.mentions_active(arg));
                passive.variant.as_ref().is_some_and(Variant::is_known) || passive.is_option() && is_given_active()
            }
            Some(Value::Passive(_)) | None => false,
            Some(value) => has_optional(value),
        }
    }

    /// A call that does so.
    pub(in super::super) fn change_optional(&mut self, whole: &Expr, call: &Method) -> Flow {
        let target = &call.receiver;
        let place = self.place(target)?;
        let args = self.in_order(None, &call.args)?;
        match (call.name.to_string().as_str(), &args[..]) {
            ("take", []) => {
                let missing = self.missing();
                self.put(&place, &missing, target)
            }
            ("replace", [new]) => {
                let new = self.there(new.clone());
                self.put(&place, &new, target)
            }
            ("as_mut", []) => match self.optional_behind(&Value::Mutable(place)) {
                Some(of) => Ok(Value::optional(of)),
                None => Ok(self.missing()),
            },
            ("insert", [new]) => {
                let new = self.there(new.clone());
                self.write(&place, new, target)?;
                Ok(Value::Mutable(place.part(1)))
            }
            ("get_or_insert", [new]) => {
                let new = self.evaluated(new.clone());
                self.insert_missing(whole, call, &place, |_| Ok(new))
            }
            ("get_or_insert_with", [callee]) => {
                let callee = self.callee(&call.args[0], callee)?;
                self.insert_missing(whole, call, &place, |it| it.invoke(&callee, Vec::new(), Expected::Anything))
            }
            _ => self.refuse(&call.name, refuse::METHOD_ARGUMENTS),
        }
    }

    /// What was at a place, after this is there.
    fn put(&mut self, place: &Place, new: &Value, target: &Expr) -> Flow {
        let old = self.read(place);
        let (old, new) = (self.evaluated(old), self.evaluated(new.clone()));
        self.write(place, new, target)?;
        Ok(match old {
            // Of what type a variable that holds `None` is, only what is now in its place may tell.
            Value::Passive(Passive { variant: Some(Variant::None), .. }) => self.missing(),
            old => old,
        })
    }

    /// A reference to what is in an `Option`, after something is there in any case.
    fn insert_missing(
        &mut self,
        whole: &Expr,
        call: &Method,
        place: &Place,
        new: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        let target = &call.receiver;
        let insert = |it: &mut Self| {
            let new = new(it)?;
            let new = it.there(new);
            it.write(place, new, target)?;
            Ok(Value::unit())
        };
        match self.in_place(place) {
            Value::Optional(of) => match of.is_known() {
                Some(true) => {}
                Some(false) => drop(insert(self)?),
                None => {
                    let is_missing = self.lacks(&of, target)?;
                    let selector = self.condition(&is_missing, target)?;
                    let arms = vec![self.in_arm(insert)?, self.in_arm(|_| Ok(Value::unit()))?];
                    self.join(Head::If, selector, arms, whole)?;
                }
            },
            _ => drop(insert(self)?),
        }
        Ok(Value::Mutable(place.part(1)))
    }

    /// What is at a place. A passive `Option` gets its parts there, which are then referred to, and may become active.
    pub(super) fn in_place(&mut self, place: &Place) -> Value {
        let value = self.read(place);
        let Value::Passive(passive) = &value else { return value };
        let parts = match &passive.variant {
            Some(Variant::Some(content)) => Some(self.there((**content).clone())),
            _ => self.parts_of_passive(passive),
        };
        let Some(parts) = parts else { return value };
        if let Some(part) = descend(self.variable_at(place.variable), &place.steps) {
            *part = parts.clone();
        }
        parts
    }

    /// Whether something active is mentioned: what an expression declares itself is made of what else it mentions.
    pub(super) fn mentions_active(&self, expression: &Expr) -> bool {
        let mut is_active = false;
        expression.walk(&mut |node| {
            if let Node::Expr(Expr { kind, .. }) = node
                && let ExprKind::Variable(id, _) = &**kind
            {
                is_active |= self.holds_active(*id);
            }
        });
        is_active
    }
}
