//! Random programs: trees, from which Rust source is printed, and which an interpreter of its own runs over dual
//! numbers.
//!
//! ```text
//! generate -> tree -> print -> the macro -> rustc -> compiled ----------\
//!              |                   \-> read -> interpret (expanded) -----> check
//!              \-> interpret (oracle) ----------------------------------/
//! ```

pub mod check;
pub mod compiled;
#[path = "../random_functions/dual.rs"]
#[allow(dead_code)]
mod dual;
mod ending;
pub mod examine;
mod expanded;
mod forms;
pub mod generate;
mod interpret;
mod mutate;
mod number;
mod oracle;
mod point;
mod print;
#[path = "../random_functions/random.rs"]
mod random;
pub mod reached;
mod read;
mod shrink;
pub mod tree;
mod value;
mod walk;
