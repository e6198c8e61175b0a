//! `fold`, `for_each`, `count`, `all` and `any`.

use quote::quote;

use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::numbers::Number;
use super::super::value::Passive;
use super::consume::MethodOfItems;
use super::{Lowering, Value};

impl Lowering<'_> {
    pub(super) fn fold(&mut self, MethodOfItems { call, items, args, .. }: MethodOfItems<'_>) -> Flow {
        let callee = self.callee(&call.args[1], &args[1])?;
        let mut folded = self.evaluated(args[0].clone());
        self.each_item(items, |lowering, item| {
            let folding = std::mem::replace(&mut folded, Value::Unset);
            let value = lowering.invoke(&callee, vec![folding, item], Expected::Anything)?;
            folded = lowering.evaluated(value);
            Ok(())
        })?;
        Ok(folded)
    }

    pub(super) fn for_each(&mut self, MethodOfItems { call, items, args, .. }: MethodOfItems<'_>) -> Flow {
        let callee = self.callee(&call.args[0], &args[0])?;
        self.each_item(items, |lowering, item| {
            let value = lowering.invoke(&callee, vec![item], Expected::Anything)?;
            lowering.end_statement(&value);
            Ok(())
        })?;
        Ok(Value::unit())
    }

    pub(super) fn count(&mut self, consumed: MethodOfItems<'_>) -> Flow {
        let mut count = 0;
        self.each_item(consumed.items, |lowering, item| {
            lowering.discard(&item);
            count += 1;
            Ok(())
        })?;
        Ok(Value::Passive(self.numbers.usize(count)))
    }

    /// `all` and `any`, which end at the first item that `decides`: one for which the condition is that.
    pub(super) fn decided(&mut self, consumed: MethodOfItems<'_>, decides: bool) -> Flow {
        let MethodOfItems { call, mut items, args, .. } = consumed;
        let callee = self.callee(&call.args[0], &args[0])?;
        let mut result = !decides;
        while let Some(item) = self.pull(&mut items)? {
            if self.condition_for(&callee, item)? == decides {
                result = decides;
                break;
            }
        }
        Ok(Value::Passive(self.numbers.known(Number::Bool(result), Passive::simple(quote!()))))
    }
}
