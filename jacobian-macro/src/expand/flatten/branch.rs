//! Branches whose condition is not known when the function is expanded.

use syn::{ExprIf, ExprMatch};

use super::Flattener;
use super::expected::Expected;
use super::value::Value;

const UNKNOWN: &str = "this condition is not known when the function is expanded, which is not supported; use `min`, `max`, \
    `abs`, `clamp`, or one differentiated function for each branch";

impl Flattener<'_> {
    /// An `if`. The condition has been evaluated, unless it is a `let`.
    pub(super) fn branch(&mut self, branch: &ExprIf, condition: Option<Value>, _expected: Expected) -> Value {
        if condition.is_some_and(|condition| condition.is_error()) {
            return Value::Error;
        }
        self.refuse(&branch.cond, UNKNOWN)
    }

    /// A `match` on a value, which has been evaluated.
    pub(super) fn branch_of_match(&mut self, branch: &ExprMatch, _value: Value, _expected: Expected) -> Value {
        self.refuse(&branch.expr, UNKNOWN)
    }
}
