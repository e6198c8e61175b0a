//! `reduce`, `min_by` and `max_by`: what they give is missing where there are no items.

use proc_macro2::Span;
use quote::{format_ident, quote_spanned};

use super::super::super::refuse;
use super::super::control::Flow;
use super::super::emitted;
use super::super::expected::Expected;
use super::super::program::{Head, Line};
use super::super::value::Passive;
use super::consume::MethodOfItems;
use super::{Callee, Lowering, Value};
use crate::read::shape::Shape;
use crate::syntax::Expr;

/// What becomes of two items.
#[derive(Copy, Clone)]
pub(super) enum Reduced {
    /// What is called for both.
    Called,
    /// The smaller one, the first of equal ones.
    Least,
    /// The greater one, the last of equal ones.
    Greatest,
}

impl Lowering<'_> {
    pub(super) fn reduce(&mut self, consumed: MethodOfItems<'_>, reduced: Reduced) -> Flow {
        let MethodOfItems { whole, call, items, args, .. } = consumed;
        let callee = self.callee(&call.args[0], &args[0])?;
        if items.length().exact() == Some(0) {
            return Ok(self.no_item());
        }
        let missing = self.missing();
        let total = self.total_of(&call.name, missing);
        self.each_of(whole, items, &mut |lowering, item| {
            if let Value::Mutable(_) = item {
                return lowering.refuse(&call.name, refuse::MUTABLE_REFERENCE);
            }
            let before = lowering.bindings.get(total).value.clone();
            let before = lowering.of_items(before, &item);
            let first = item.clone();
            let after = lowering.with_option(
                &before,
                whole,
                |lowering, before| {
                    let value = match reduced {
                        Reduced::Called => lowering.invoke(&callee, vec![before, item], Expected::Anything)?,
                        _ => lowering.chosen_of(reduced, &callee, [before, item], whole)?,
                    };
                    Ok(lowering.there(value))
                },
                |lowering| Ok(lowering.there(first)),
            )?;
            *lowering.variable_at(total) = lowering.evaluated(after);
            Ok(())
        })?;
        Ok(self.bindings.get(total).value.clone())
    }

    /// What has been chosen so far, in a run-time loop as one of the items: the compiler sees what is done with it before it
    /// sees where it comes from.
    fn of_items(&mut self, chosen: Value, item: &Value) -> Value {
        match (chosen, item.to_passive()) {
            (Value::Passive(chosen), Some(item)) if chosen.may_change => {
                let (option, one) = (chosen.operand(), item.operand());
                let span = Span::mixed_site();
                let tie = quote_spanned!(span=> let _ = || [#option.as_ref(), ::core::option::Option::Some(&#one)];);
                self.program.line(Line::effect(tie));
                let shape = item.shape.clone().map(|shape| Shape::Option(Box::new(shape)));
                Value::Passive(chosen.with_shape(shape))
            }
            (chosen, _) => chosen,
        }
    }

    /// The one of two items that is the least, or the greatest.
    fn chosen_of(&mut self, reduced: Reduced, callee: &Callee, items: [Value; 2], whole: &Expr) -> Flow {
        let shared = items.clone().map(|item| self.shared(item)).to_vec();
        let order = self.invoke(callee, shared, Expected::Anything)?;
        let Some(order) = order.to_passive() else { return self.refuse(whole, refuse::ORDER_EXPECTED) };
        let order = order.operand();
        let is_greater = Passive::simple(quote_spanned!(Span::mixed_site()=> ::core::cmp::Ordering::is_gt(#order)));
        let is_greater = self.let_passive(&emitted(&format_ident!("is_greater")), &is_greater, None);
        let selector = self.condition(&Value::Passive(is_greater), whole)?;
        let [first, second] = items;
        let (then, otherwise) = if let Reduced::Least = reduced { (second, first) } else { (first, second) };
        let arms = vec![self.in_arm(|_| Ok(then))?, self.in_arm(|_| Ok(otherwise))?];
        self.join(Head::If, selector, arms, whole)
    }
}
