//! The choice of an order: takes a linearized graph, gives the elimination that a strategy says, finds or proves.

mod auto;
pub mod bound;
pub mod comparison;
pub mod given;
pub mod hierarchy;
pub mod modes;
pub mod notation;
pub mod optimal;
pub mod order;
pub mod paths;
pub mod search;
pub mod strategy;
pub mod taken;
