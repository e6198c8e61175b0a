//! The choice of an order: takes a linearized graph, gives the elimination that a strategy says, finds or proves.

pub mod bound;
pub mod optimal;
pub mod paths;
pub mod search;
pub mod strategy;
