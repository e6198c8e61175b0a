//! What is called for items.

use super::super::super::refuse;
use super::super::super::syntax::{Expr, ExprKind, Place, Placed};
use super::super::control::Flow;
use super::super::expected::Expected;
use super::{Callee, Lowering, Value};

impl Lowering<'_> {
    /// Calls what is called for an item. What that calls is called now.
    pub(in super::super) fn call_for(&mut self, callee: &Callee, item: Value) -> Flow {
        let value = self.invoke(callee, vec![item], Expected::Anything)?;
        Ok(self.evaluated(value))
    }

    /// The truth value that is given for an item, which must be known here.
    pub(super) fn condition_for(&mut self, callee: &Callee, item: Value) -> Flow<bool> {
        let condition = self.invoke(callee, vec![item], Expected::Anything)?;
        match condition.as_bool() {
            Some(holds) => Ok(holds),
            None => self.refuse_item(Some(callee), refuse::ITEM_CONDITION),
        }
    }

    /// Reports what is wrong with an item: where it is computed, or where it is used.
    pub(super) fn refuse_item<T>(&mut self, callee: Option<&Callee>, message: &str) -> Flow<T> {
        let place = self.place_of_items(callee);
        self.refuse(&place, message)
    }

    /// Where items are computed, or used.
    pub(super) fn place_of_items(&self, callee: Option<&Callee>) -> Expr {
        match callee {
            Some(Callee::Closure(closure)) => closure.body().clone(),
            Some(Callee::Path(path)) => Expr::new(ExprKind::Path((**path).clone()), path.place()),
            None => Expr::new(ExprKind::Infer, Place::of(self.budget.place())),
        }
    }
}
