//! Memory in plain slices, which can be filled and looked at without optimization in a few instructions, where every
//! method of a collection is some calls.

/// Makes room for as much again. What is in the new half is of no meaning: it is copied there, for without optimization
/// that takes a fraction of the time of writing element by element.
pub fn extend<T: Copy + Default>(slice: &mut Box<[T]>) {
    *slice = if slice.is_empty() { filled(T::default(), 1) } else { slice.repeat(2).into() };
}

/// At least this many copies of a value, copied in blocks for the same reason.
pub fn filled<T: Copy>(value: T, count: usize) -> Box<[T]> {
    const BLOCK: usize = 16;
    [value; BLOCK].repeat(count.div_ceil(BLOCK)).into()
}
