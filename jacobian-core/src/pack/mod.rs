//! Packs: statements of a derivative that compute the same operation on different operands, written as one statement on
//! arrays. The lanes of a pack are computed as the statements are: no bit of a result changes.
//!
//! This is superword-level parallelism (Larsen and Amarasinghe 2000) over the whole code list. What belongs together is
//! known here: the entries of a row of the Jacobian, or of a column. Packs grow from them towards the inputs, as long as the
//! statements remain of the same form ([`grow`](groups)). Where packing does not pay, they are given up ([`worth`]). The
//! others are moved together in the list ([`order`]). What the function itself computes is never packed.

mod groups;
mod order;
mod worth;

use crate::accumulate::Derivative;
use crate::catalogue::{Intrinsic, known};
use crate::code_list::{CodeList, Precision, ValueId};
use crate::differentiate::Jacobian;

use groups::Groups;
use worth::Uses;

/// The operations that are packed, all of floats.
const PACKED: &[Intrinsic] = &[known::MUL, known::ADD, known::SUB, known::NEG];

/// With fewer lanes, a call takes longer than what it computes.
const MIN_LANES: usize = 6;

/// When statements are packed.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Packing {
    /// Where it is estimated to pay: in large functions, in lanes of six and more.
    #[default]
    Auto,
    /// Not at all.
    Never,
    /// Wherever two statements are of the same form.
    Always,
}

/// The names of the packings.
pub const PACKINGS: &[(&str, Packing)] =
    &[("auto", Packing::Auto), ("never", Packing::Never), ("always", Packing::Always)];

/// Statements that are computed as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pack {
    /// What each of them computes.
    pub operation: Intrinsic,
    /// The first of them; the others stand behind it.
    pub first: ValueId,
    /// How many there are.
    pub width: usize,
    /// The operands, two or one.
    pub operands: Vec<Operand>,
    /// Whether it is a factor times a pack that only one pack uses, a sum or a difference that stands behind it: both are
    /// written in one.
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

impl Jacobian {
    /// The same with packed statements, as far as it pays. Numbers of a type parameter remain single.
    pub fn packed(self, packing: Packing) -> Jacobian {
        match pack(&self.derivative, packing) {
            Some((list, packs)) => Jacobian { derivative: Derivative { list, ..self.derivative }, packs, ..self },
            None => self,
        }
    }
}

/// The statements of a derivative in another order, and the packs among them.
fn pack(derivative: &Derivative, packing: Packing) -> Option<(CodeList, Vec<Pack>)> {
    let list = &derivative.list;
    let (min_lanes, is_chosen) = match packing {
        Packing::Never => return None,
        Packing::Auto => (MIN_LANES, true),
        Packing::Always => (2, false),
    };
    if list.precision() == Precision::Generic || is_chosen && !worth::is_large(list) {
        return None;
    }
    let is_value = list.needed_by(derivative.values().iter().copied());
    let uses = Uses::of(list);
    let candidates = [rows(derivative), columns(derivative)].map(|seeds| {
        let mut groups = Groups::grow(list, &is_value, seeds, min_lanes);
        if is_chosen {
            groups.give_up_costly(&uses);
        }
        (groups.saving(&uses), groups)
    });
    let [(saved_by_rows, by_rows), (saved_by_columns, by_columns)] = candidates;
    let (saving, groups) =
        if saved_by_columns > saved_by_rows { (saved_by_columns, by_columns) } else { (saved_by_rows, by_rows) };
    let pays = !is_chosen || worth::pays(list, saving);
    (pays && !groups.is_empty()).then(|| order::ordered(list, groups, &uses))
}

/// The entries of the Jacobian, row by row.
fn rows(derivative: &Derivative) -> Vec<Vec<ValueId>> {
    (0..derivative.rows).map(|row| derivative.row(row).to_vec()).collect()
}

/// The entries of the Jacobian, column by column.
fn columns(derivative: &Derivative) -> Vec<Vec<ValueId>> {
    let column = |column: usize| (0..derivative.rows).map(|row| derivative.row(row)[column]).collect();
    (0..derivative.columns).map(column).collect()
}
