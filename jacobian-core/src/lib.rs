//! The engine of the crate `jacobian`: code lists in, code lists of their Jacobians out. It knows nothing of Rust syntax.
//!
//! ```text
//! linearize -> eliminate -> accumulate -> remove dead code -> schedule -> pack -> fuse
//! ```
//!
//! The arms of branches are code lists of their own, which go through the same stages when the branch is linearized.
//!
//! ```
//! use jacobian_core::{CodeList, Strategy, differentiate};
//!
//! let polar: CodeList = "
//!     input r t
//!     x = r * cos(t)
//!     y = r * sin(t)
//!     output x y
//! ".parse()?;
//! let jacobian = differentiate(&polar, &Strategy::Auto)?;
//! assert_eq!(jacobian.derivative.list.to_string(), "\
//! input r
//! input t
//! v2 = cos(t)
//! v3 = sin(t)
//! x = r * v2
//! y = r * v3
//! v6 = -y
//! output x
//! output y
//! output v2
//! output v6
//! output v3
//! output x
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod accumulate;
pub mod algebra;
pub mod block;
pub mod bound;
pub mod catalogue;
pub mod code_list;
pub mod cost;
mod derive;
mod differentiate;
pub mod dual_graph;
pub mod eliminate;
mod error;
pub mod evaluate;
pub mod expression;
pub mod fuse;
pub mod graph;
pub mod linearize;
mod live;
pub mod optimal;
pub mod pack;
pub mod path_graph;
pub mod paths;
mod preaccumulate;
pub mod program;
pub mod schedule;
pub mod search;
pub mod strategy;
pub mod text;
mod unbounded;

pub use accumulate::Derivative;
pub use code_list::CodeList;
pub use differentiate::{Jacobian, differentiate, differentiate_at};
pub use error::Error;
pub use pack::Packing;
pub use schedule::Schedule;
pub use strategy::Strategy;
