//! How a derivative is written: takes its code list, gives an order of its statements, packs and fused sums. No bit of
//! a result changes but by what is fused.

pub mod cost;
pub mod fuse;
pub mod pack;
pub mod schedule;
