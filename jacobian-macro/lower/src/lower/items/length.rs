//! How many items an iterator has left.

/// The length of what has no end.
pub const ENDLESS: usize = usize::MAX;

/// How many items are left, or, where closures decide on that, how many there are that these decide on.
#[derive(Copy, Clone)]
pub struct Length {
    count: usize,
    is_exact: bool,
}

impl Length {
    /// This many items: [`ENDLESS`] where there is no end.
    pub fn exactly(count: usize) -> Length {
        Length { count, is_exact: true }
    }

    /// As many items as closures make of these.
    pub fn undecided(self) -> Length {
        Length { is_exact: false, ..self }
    }

    /// The number of items, where it does not depend on closures.
    pub fn exact(self) -> Option<usize> {
        self.is_exact.then_some(self.count)
    }

    /// Whether closures decide on more than `most` items.
    pub fn decides_on_more_than(self, most: usize) -> bool {
        !self.is_exact && self.count > most
    }

    /// The length that `change` makes of it.
    pub fn map(self, change: impl FnOnce(usize) -> usize) -> Length {
        Length { count: change(self.count), ..self }
    }

    /// The length that `both` makes of two.
    pub fn with(self, other: Length, both: fn(usize, usize) -> usize) -> Length {
        Length { count: both(self.count, other.count), is_exact: self.is_exact && other.is_exact }
    }
}
