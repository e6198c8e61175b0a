//! The engine of the crate `jacobian`: code lists in, code lists of their Jacobians out. It knows nothing of Rust
//! syntax.
//!
//! [`pipeline`] has every stage in its order, from linearize to fuse. The arms of branches are code lists of their own, which go through the
//! same stages before what follows the branch is linearized.
//!
//! Code lists, the catalogue of intrinsics and the names of what is computed are in a crate of their own, which the
//! front end needs before the engine is there: [`jacobian_list`].
//!
//! | folder | what is in it |
//! |---|---|
//! | [`algebra`] | a growing code list with value numbering and folding |
//! | [`graph`] | linearized graphs, their duals and path graphs, accumulation programs |
//! | [`mod@linearize`] | the graph of a code list |
//! | [`eliminate`] | elimination by filters: vertices, edges, faces, paths |
//! | [`choose`] | strategies, proven optima, searches |
//! | [`mod@accumulate`] | the code of an accumulation program |
//! | [`represent`](mod@represent) | the Jacobian as a linear map of few numbers |
//! | [`write`](mod@write) | how that code is written: schedules, packs, fused sums, and what it costs |
//!
//! No two files import one another, not even by way of others.
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
mod bits;
mod blocks;
pub mod choose;
mod collect;
pub mod derivative;
pub mod eliminate;
mod error;
pub mod graph;
pub mod linearize;
pub mod pipeline;
mod preaccumulate;
mod ranking;
pub mod represent;
pub mod settle;
mod slices;
pub mod write;

pub use jacobian_list::{CodeList, Form, block, catalogue, code_list, evaluate, expression, form, text};

pub use choose::{bound, optimal, paths, search, strategy};
pub use graph::{dual_graph, path_graph, program};
pub use write::{cost, fuse, pack, schedule};

pub use accumulate::Derivative;
pub use choose::strategy::Strategy;
pub use error::Error;
pub use pipeline::{Jacobian, differentiate, differentiate_at};
pub use write::pack::Packing;
pub use write::schedule::Schedule;
