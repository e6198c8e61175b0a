//! Research and tools for people around the engine of the crate `jacobian`. No macro uses any of it, and no user builds
//! it.
//!
//! Each module takes what the engine gives, and gives numbers or texts to look at:
//!
//! | module | what is in it |
//! |---|---|
//! | [`lcg`] | linearized computational graphs as text files; the graphs of the literature are in `benchmarks` |
//! | [`check`], [`running`] | checkers of eliminations that share no code with them |
//! | [`digraph`] | linearized graphs as those of petgraph, and in the language of Graphviz |
//! | [`represent`] | the graphs with the fewest edges that stand for a Jacobian |
//! | [`kinks`](mod@kinks) | where the functions of the catalogue are not differentiable |
//! | [`listing`] | the accumulation code of a graph, for readers |
//! | [`one_hit`] | the statements of a derivative as the literature on schedules writes them |
//! | [`locality`] | the figures by which the literature judges how local an elimination is |
//! | [`traffic`] | a model of memory traffic |
//!
//! The examples are commands: `lcg` accumulates the Jacobian of a graph in a file, `minimal` finds the graphs with the
//! fewest edges, `stages` prints what every stage gives, `schedules` what a schedule does.

pub mod check;
pub mod digraph;
pub mod kinks;
pub mod lcg;
pub mod listing;
pub mod locality;
pub mod one_hit;
pub mod represent;
pub mod running;
pub mod traffic;
