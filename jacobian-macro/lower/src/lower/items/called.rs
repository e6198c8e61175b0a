//! What is called for items.

use proc_macro2::Ident;

use super::super::super::refuse;
use super::super::super::syntax::{Expr, ExprKind, Place, Placed};
use super::super::control::Flow;
use super::super::expected::Expected;
use super::{Callee, Lowering, Part, Sequence, Value};

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

    /// What an iterator calls that is not used, where it may be an `Option` as well: this would call it.
    pub(in super::super) fn place_of_what_is_unused(&self, items: &Sequence) -> Option<Expr> {
        let may_be_option = |method: &Ident| ["map", "filter"].iter().any(|name| method == name);
        match items.written.as_deref() {
            Some([Part::Written(_), Part::Calling(method, callee)]) if items.is_run_time && may_be_option(method) => {
                Some(self.place_of_items(Some(callee)))
            }
            _ => None,
        }
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
