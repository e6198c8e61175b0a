//! Sets of small numbers, a bit for each, in plain slices.

/// The words of a set of numbers below `bound`; one bit at least stays free.
pub fn words(bound: usize) -> usize {
    bound / 64 + 1
}

/// Writes the set of these members.
pub fn write(set: &mut [u64], members: impl IntoIterator<Item = usize>) {
    set.fill(0);
    for member in members {
        set[member >> 6] |= 1 << (member & 63);
    }
}

/// Whether a number is a member.
#[inline(always)]
pub fn has(set: &[u64], member: usize) -> bool {
    set[member >> 6] & 1 << (member & 63) != 0
}

/// Adds to one set what `image` gives of the members of another.
pub fn add_images(set: &mut [u64], of: &[u64], image: impl Fn(usize) -> Option<usize>) {
    for (at, &word) in of.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            if let Some(image) = image(at << 6 | rest.trailing_zeros() as usize) {
                set[image >> 6] |= 1 << (image & 63);
            }
            rest &= rest - 1;
        }
    }
}

/// Whether two sets have a member in common.
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

/// The number of members.
pub fn count(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// A member by its place among them, counted round.
pub fn member(set: &[u64], place: usize) -> Option<usize> {
    let mut left = (place as u32).checked_rem(count(set))?;
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

/// Numbered sets of numbers below one bound.
#[derive(Clone)]
pub struct Sets {
    /// The words of a set.
    words: usize,
    bits: Box<[u64]>,
    /// The number of members.
    counts: Box<[u32]>,
}

impl Sets {
    /// This many empty sets.
    pub fn new(sets: usize, bound: usize) -> Self {
        let words = words(bound);
        Sets { words, bits: vec![0; sets * words].into(), counts: vec![0; sets].into() }
    }

    /// The words of a set.
    pub fn words(&self) -> usize {
        self.words
    }

    /// A set.
    pub fn set(&self, set: usize) -> &[u64] {
        &self.bits[set * self.words..(set + 1) * self.words]
    }

    /// The number of members of a set.
    #[inline(always)]
    pub fn count(&self, set: usize) -> usize {
        self.counts[set] as usize
    }

    /// Whether a number is a member of a set.
    #[inline(always)]
    pub fn has(&self, set: usize, member: usize) -> bool {
        self.bits[set * self.words + (member >> 6)] & 1 << (member & 63) != 0
    }

    /// Inserts a member, which is not there.
    #[inline(always)]
    pub fn insert(&mut self, set: usize, member: usize) {
        self.bits[set * self.words + (member >> 6)] |= 1 << (member & 63);
        self.counts[set] += 1;
    }

    /// Removes a member, which is there.
    #[inline(always)]
    pub fn remove(&mut self, set: usize, member: usize) {
        self.bits[set * self.words + (member >> 6)] &= !(1 << (member & 63));
        self.counts[set] -= 1;
    }

    /// Makes all sets what they are in `other`, which has as many.
    pub fn copy_from(&mut self, other: &Sets) {
        self.bits.copy_from_slice(&other.bits);
        self.counts.copy_from_slice(&other.counts);
    }

    /// Makes a set the union of others.
    pub fn unite(&mut self, set: usize, others: impl Iterator<Item = usize>) {
        let own = set * self.words;
        self.bits[own..own + self.words].fill(0);
        for other in others {
            for word in 0..self.words {
                self.bits[own + word] |= self.bits[other * self.words + word];
            }
        }
        self.counts[set] = count(self.set(set));
    }

    /// The first member from `member` on, of which there is one.
    #[inline(always)]
    pub fn next(&self, set: usize, member: usize) -> usize {
        let (start, mut word) = (set * self.words, member >> 6);
        let mut rest = self.bits[start + word] & !0 << (member & 63);
        while rest == 0 {
            word += 1;
            rest = self.bits[start + word];
        }
        word << 6 | rest.trailing_zeros() as usize
    }
}
