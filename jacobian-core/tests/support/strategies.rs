//! The strategies that the tests try: those of the tables, so that a new row takes part without being named.

use jacobian_core::Strategy;
use jacobian_core::strategy::all;

/// Every preset but `auto`, every hierarchy of the portfolio, and every filter alone; each order once.
pub fn hierarchies() -> Vec<Strategy> {
    all()
}
