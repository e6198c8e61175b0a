//! What is called for items.

use super::super::expected::Expected;
use super::{Callee, Lowering, Value};

/// Why a condition is refused.
const CONDITION: &str = "the conditions of `filter`, `all` and `any` must be known when the function is expanded";

impl Lowering<'_> {
    /// Calls what is called for an item. What that calls is called now.
    pub(in super::super) fn call_for(&mut self, callee: &Callee, item: Value) -> Value {
        let value = self.invoke(callee, vec![item], Expected::Anything);
        self.evaluated(value)
    }

    /// The truth value that is given for an item, which must be known here.
    pub(super) fn condition_for(&mut self, callee: &Callee, item: Value) -> bool {
        let condition = self.invoke(callee, vec![item], Expected::Anything);
        if let (None, false) = (condition.as_bool(), condition.is_error()) {
            self.refuse_item(Some(callee), CONDITION);
        }
        condition.as_bool().unwrap_or_default()
    }

    /// Reports what is wrong with an item: where it is computed, or where it is used.
    pub(super) fn refuse_item(&mut self, callee: Option<&Callee>, message: &str) {
        match callee {
            Some(Callee::Closure(closure)) => self.errors.at(closure.body(), message),
            Some(Callee::Path(path)) => self.errors.at(&**path, message),
            None => self.errors.at_span(self.budget.place(), message),
        }
    }
}
