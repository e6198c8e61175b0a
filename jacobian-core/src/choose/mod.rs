//! The choice of an order: takes a linearized graph, gives the elimination that a strategy says, finds or proves.

mod auto;
pub mod bound;
pub mod hierarchy;
pub mod optimal;
pub mod order;
pub mod paths;
pub mod search;
pub mod strategy;
