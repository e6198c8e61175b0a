//! The strategies that the tests try: those of the tables, so that a new row takes part without being named.

use jacobian_core::Strategy;
use jacobian_core::strategy::fixed;

/// Every strategy that does not search.
pub fn hierarchies() -> Vec<Strategy> {
    fixed()
}
