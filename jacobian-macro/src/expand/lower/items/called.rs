//! What is called for items.

use super::super::super::refuse;
use super::super::expected::Expected;
use super::{Callee, Lowering, Value};

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
            self.refuse_item(Some(callee), refuse::ITEM_CONDITION);
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
