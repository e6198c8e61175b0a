//! Iterators that are used up by a run-time loop: what becomes of an item is the body.

use proc_macro2::Ident;
use quote::{format_ident, quote};

use super::super::super::refuse;
use super::super::super::syntax::{self, Expr};
use super::super::bindings::Binding;
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::numbers::Number;
use super::super::program::Head as BranchHead;
use super::super::repeat::{OneIteration, Repeated};
use super::super::roll::Trial;
use super::super::value::{Passive, Value};
use super::super::{Lowering, emitted};
use super::{Callee, Rest, Sequence};
use crate::read::options::Unroll;

impl Lowering<'_> {
    /// Runs for each item: unrolled where they are known one by one, in a loop elsewhere.
    pub(super) fn each_of(
        &mut self,
        whole: &Expr,
        items: Sequence,
        run: &mut dyn FnMut(&mut Lowering<'_>, Value) -> Flow<()>,
    ) -> Flow<()> {
        if !self.stays_rolled(whole, &items, run) {
            return self.each_item(items, run);
        }
        self.loop_over(whole, &items, run)
    }

    /// Whether a run-time loop goes over these items: where they are not known one by one, and where the loop
    /// is not to be unrolled and can stay one.
    fn stays_rolled(
        &mut self,
        whole: &Expr,
        items: &Sequence,
        run: &mut dyn FnMut(&mut Lowering<'_>, Value) -> Flow<()>,
    ) -> bool {
        if items.is_run_time || self.unroll != Unroll::Auto || !self.may_stay_rolled(items) {
            return self.may_stay_rolled(items);
        }
        let Some(iterations) = items.length().exact() else { return false };
        self.is_better_rolled(iterations, &mut |lowering, trial| match trial {
            Trial::Loop => lowering.loop_over(whole, items, run),
            Trial::Iteration(end) => {
                let item = lowering.pull_from(&mut items.clone(), end)?.unwrap_or(Value::Unset);
                run(lowering, item)
            }
        })
    }

    fn loop_over(
        &mut self,
        whole: &Expr,
        items: &Sequence,
        run: &mut dyn FnMut(&mut Lowering<'_>, Value) -> Flow<()>,
    ) -> Flow<()> {
        self.rolled_items(whole, items, false, &mut |lowering, item| {
            run(lowering, item)?;
            Ok(lowering.truth(true))
        })
    }

    /// The run-time loop over the items. What `rest` gives says whether another item is wanted, if it may end.
    pub(in super::super) fn rolled_items(
        &mut self,
        whole: &Expr,
        items: &Sequence,
        may_end: bool,
        rest: &mut Rest<'_>,
    ) -> Flow<()> {
        let head = match items.items.head() {
            Ok(head) => head,
            Err(why) => return self.refuse(whole, why),
        };
        let may_end = may_end || head.may_end;
        if may_end && head.is_nested {
            return self.refuse(whole, refuse::ENDING_OF_NESTED);
        }
        // Not a name of the user: what an item is called is in the body.
        let mut body = |lowering: &mut Lowering<'_>| {
            let item = lowering.program.variable(&emitted(&format_ident!("item")));
            let value = Passive::simple(quote!(#item)).behind_reference(true);
            let value = items.items.feed(Value::Passive(value), lowering, rest)?;
            Ok(OneIteration { pattern: quote!(#item), own: vec![item.to_string()], condition: None, may_end, value })
        };
        let repeated = Repeated { items: Some(&head.tokens), patterns: &[], whole, iteration: None, body: &mut body };
        self.repeated(repeated).map(drop)
    }

    /// A truth value that is known.
    pub(in super::super) fn truth(&mut self, value: bool) -> Value {
        Value::Passive(self.numbers.known(Number::Bool(value), Passive::simple(quote!())))
    }

    /// Goes on with an item for which a condition holds. Where it does not, another item may be wanted.
    pub(super) fn chosen(&mut self, callee: &Callee, item: Value, rest: &mut Rest<'_>, otherwise: bool) -> Flow {
        let shared = self.shared(item.clone());
        let condition = self.invoke(callee, vec![shared], Expected::Anything)?;
        match condition.as_bool() {
            Some(true) => return rest(self, item),
            Some(false) => return Ok(self.truth(otherwise)),
            None => {}
        }
        let place = self.place_of_items(Some(callee));
        let selector = self.condition(&condition, &place)?;
        let then = self.in_arm(|lowering| lowering.in_block(|lowering| rest(lowering, item)))?;
        let otherwise = self.in_arm(|lowering| Ok(lowering.truth(otherwise)))?;
        self.join(BranchHead::If, selector, vec![then, otherwise], &place)
    }

    /// A variable for what a method makes of the items, which has this value at first: its number.
    pub(in super::super) fn total_of(&mut self, name: &Ident, value: Value) -> usize {
        let variable = syntax::Variable { ident: name.clone(), is_mut: true, is_note: false };
        let binding = Binding { value, ty: None, level: self.program.level() };
        self.bindings.add(variable, binding)
    }
}
