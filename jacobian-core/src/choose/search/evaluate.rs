//! What plans cost.

use super::affected::Affected;
use super::objective::Cost;
use crate::eliminate::Target;

/// Knows what plans cost.
pub trait Evaluate {
    /// The cost of `plan`, which eliminates everything; targets that are not there in their turn are passed over.
    fn cost(&mut self, plan: &[Target]) -> Cost;

    /// What the steps of the plan that was evaluated last have affected. (Until it is asked for, it need not be known.)
    fn affected(&mut self) -> &Affected;

    /// The pairs of labels that may be in a plan.
    fn pairs(&self) -> &[Target] {
        &[]
    }
}
