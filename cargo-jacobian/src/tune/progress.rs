//! A line that says how far a long command is, where somebody looks at it.

use std::io::{IsTerminal, Write, stderr};

/// The line.
pub struct Progress {
    is_seen: bool,
}

/// The characters of a whole bar.
const WIDTH: usize = 24;

impl Progress {
    /// A line on the terminal; none where the errors go elsewhere.
    pub fn new() -> Self {
        Progress { is_seen: stderr().is_terminal() }
    }

    /// So much of `all` is done.
    pub fn show(&self, what: &str, done: usize, all: usize) {
        if self.is_seen {
            let full = (WIDTH * done.min(all)).checked_div(all).unwrap_or(0);
            eprint!("\r\x1b[K[{:#<full$}{:.<rest$}] {what} {done}/{all}", "", "", rest = WIDTH - full);
            let _ = stderr().flush();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_seen {
            eprint!("\r\x1b[K");
        }
    }
}
