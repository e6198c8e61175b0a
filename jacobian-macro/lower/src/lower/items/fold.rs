//! `fold`, `for_each`, `count`, `all` and `any`.

use quote::format_ident;
use syn::{BinOp, Token};

use super::super::super::refuse;
use super::super::super::syntax::Expr;
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::program::Head;
use super::consume::MethodOfItems;
use super::{Callee, Lowering, Sequence, Value};
use crate::read::options::Unroll;

/// The most items that are asked one within the other.
pub(super) const MAX_NESTED: usize = 24;

impl Lowering<'_> {
    pub(super) fn fold(&mut self, MethodOfItems { whole, call, items, args, .. }: MethodOfItems<'_>) -> Flow {
        let callee = self.callee(&call.args[1], &args[1])?;
        let first = self.evaluated(args[0].clone());
        let folded = self.total_of(&call.name, first);
        self.each_of(whole, items, &mut |lowering, item| {
            let folding = std::mem::replace(lowering.variable_at(folded), Value::Unset);
            let value = lowering.invoke(&callee, vec![folding, item], Expected::Anything)?;
            *lowering.variable_at(folded) = lowering.evaluated(value);
            Ok(())
        })?;
        Ok(self.bindings.get(folded).value.clone())
    }

    pub(super) fn for_each(&mut self, MethodOfItems { whole, call, items, args, .. }: MethodOfItems<'_>) -> Flow {
        let callee = self.callee(&call.args[0], &args[0])?;
        self.each_of(whole, items, &mut |lowering, item| {
            let value = lowering.invoke(&callee, vec![item], Expected::Anything)?;
            lowering.end_statement(&value);
            Ok(())
        })?;
        Ok(Value::unit())
    }

    pub(super) fn count(&mut self, consumed: MethodOfItems<'_>) -> Flow {
        let MethodOfItems { whole, call, items, .. } = consumed;
        let (zero, one) = (self.numbers.usize(0), self.numbers.usize(1));
        let count = self.total_of(&call.name, Value::Passive(zero));
        let plus = BinOp::Add(Token![+](call.name.span()));
        self.each_of(whole, items, &mut |lowering, item| {
            lowering.discard(&item);
            let Some(before) = lowering.bindings.get(count).value.to_passive() else { return Ok(()) };
            let value = lowering.passive_operation(&plus, &before, &one, whole)?;
            *lowering.variable_at(count) = lowering.evaluated(value);
            Ok(())
        })?;
        Ok(self.bindings.get(count).value.clone())
    }

    /// `all` and `any`, which end at the first item that `decides`: one for which the condition is that.
    pub(super) fn decided(&mut self, consumed: MethodOfItems<'_>, decides: bool) -> Flow {
        let is_long = consumed.items.length().exact().is_none_or(|length| length > MAX_NESTED);
        let is_rolled = is_long && !self.is_decided_here(&consumed);
        let MethodOfItems { whole, call, mut items, args, .. } = consumed;
        let callee = self.callee(&call.args[0], &args[0])?;
        if is_rolled {
            items = self.indexed(items, &call.name)?;
        }
        if items.is_run_time() || self.unroll == Unroll::Never && items.has_head() {
            return self.decided_at_run_time(whole, &items, &callee, decides);
        }
        self.decided_here(whole, &mut items, &callee, decides, MAX_NESTED)
    }

    /// The same of items that are known one by one: where a condition is known at run time only, those that are left are
    /// asked in an arm of a branch, up to `most` of them.
    fn decided_here(
        &mut self,
        whole: &Expr,
        items: &mut Sequence,
        callee: &Callee,
        decides: bool,
        most: usize,
    ) -> Flow {
        while let Some(item) = self.pull(items)? {
            let condition = self.invoke(callee, vec![item], Expected::Anything)?;
            match condition.as_bool() {
                Some(holds) if holds == decides => return Ok(self.truth(decides)),
                Some(_) => continue,
                None if most == 0 => return self.refuse_item(Some(callee), refuse::ITEM_CONDITION),
                None => {}
            }
            let place = self.place_of_items(Some(callee));
            let selector = self.condition(&condition, &place)?;
            let decided = self.in_arm(|lowering| Ok(lowering.truth(decides)))?;
            let open = self.in_arm(|lowering| lowering.decided_here(whole, items, callee, decides, most - 1))?;
            let arms = if decides { vec![decided, open] } else { vec![open, decided] };
            return self.join(Head::If, selector, arms, whole);
        }
        Ok(self.truth(!decides))
    }

    fn decided_at_run_time(&mut self, whole: &Expr, items: &Sequence, callee: &Callee, decides: bool) -> Flow {
        let first = self.truth(!decides);
        let result = self.total_of(&format_ident!("result"), first);
        self.rolled_items(whole, items, true, &mut |lowering, item| {
            let condition = lowering.invoke(callee, vec![item], Expected::Anything)?;
            let selector = lowering.condition(&condition, whole)?;
            let [then, otherwise] = [decides, !decides].map(|is_decided| {
                lowering.in_arm(|lowering| {
                    if is_decided {
                        *lowering.variable_at(result) = lowering.truth(decides);
                    }
                    Ok(lowering.truth(!is_decided))
                })
            });
            lowering.join(Head::If, selector, vec![then?, otherwise?], whole)
        })?;
        Ok(self.bindings.get(result).value.clone())
    }
}
