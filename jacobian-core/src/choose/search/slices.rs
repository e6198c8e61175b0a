//! Rooms and sets as plain slices, which a search can fill, copy and look at without optimization.

/// Makes room for as much again. What is in the new half is of no meaning: it is copied there, for without optimization
/// that takes a fraction of the time of writing element by element.
pub fn extend<T: Copy + Default>(slice: &mut Box<[T]>) {
    *slice = if slice.is_empty() { filled(T::default(), 1) } else { slice.repeat(2).into() };
}

/// At least so many copies of a value, copied in blocks for the same reason.
pub fn filled<T: Copy>(value: T, count: usize) -> Box<[T]> {
    const BLOCK: usize = 16;
    [value; BLOCK].repeat(count.div_ceil(BLOCK)).into()
}

/// The words of a set of so many vertices; one bit at least stays free.
pub fn words(vertices: usize) -> usize {
    vertices / 64 + 1
}

/// Writes the set of these vertices.
pub fn write(set: &mut [u64], members: impl IntoIterator<Item = usize>) {
    set.fill(0);
    for member in members {
        set[member >> 6] |= 1 << (member & 63);
    }
}

#[inline(always)]
pub fn has(set: &[u64], member: usize) -> bool {
    set[member >> 6] & 1 << (member & 63) != 0
}

pub fn meet(first: &[u64], second: &[u64]) -> bool {
    let mut at = 0;
    while at < first.len() {
        if first[at] & second[at] != 0 {
            return true;
        }
        at += 1;
    }
    false
}

/// A member of a set by its place among them, counted round.
pub fn member(set: &[u64], place: usize) -> Option<usize> {
    let count: u32 = set.iter().map(|word| word.count_ones()).sum();
    let mut left = (place as u32).checked_rem(count)?;
    for (at, &word) in set.iter().enumerate() {
        if left < word.count_ones() {
            let mut rest = word;
            for _ in 0..left {
                rest &= rest - 1;
            }
            return Some(at << 6 | rest.trailing_zeros() as usize);
        }
        left -= word.count_ones();
    }
    None
}
