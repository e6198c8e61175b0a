//! What a pack is: statements that are computed as one, and what they read.

use jacobian_list::catalogue::Intrinsic;
use jacobian_list::code_list::ValueId;

/// Statements that are computed as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pack {
    /// What each of them computes.
    pub operation: Intrinsic,
    /// The first of them; the others come after it.
    pub first: ValueId,
    /// How many there are.
    pub width: usize,
    /// The operands, two or one.
    pub operands: Vec<Operand>,
    /// Whether one pack alone uses it, which comes after it: both are written in one.
    pub is_inner: bool,
}

impl Pack {
    /// The values that it gives.
    pub fn lanes(&self) -> impl Iterator<Item = ValueId> + use<> {
        (self.first.index()..self.first.index() + self.width).map(ValueId::new)
    }
}

/// What the lanes of a pack read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The same value in all lanes.
    Same(ValueId),
    /// The lanes of the pack with this number, in order.
    Pack(usize),
    /// A value for each lane.
    Values(Vec<ValueId>),
}
