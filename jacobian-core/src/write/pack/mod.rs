//! Packs: statements of a derivative that compute the same operation on different operands, written as one statement on
//! arrays. The lanes of a pack are computed as the statements are: no bit of a result changes.
//!
//! This is superword-level parallelism (Larsen and Amarasinghe 2000) over the whole code list. What belongs together is
//! known here: the entries of a row of the Jacobian, or of a column. Packs grow from them towards the inputs, as long
//! as the statements remain of the same form (`groups`). Where packing does not pay, they are given up (`saving`). The
//! others are moved together in the list (`order`). What the function itself computes is never packed.

mod groups;
mod lanes;
mod order;
mod saving;

use jacobian_list::code_list::{CodeList, Precision, ValueId};

pub use self::lanes::{Operand, Pack};
use crate::derivative::{Derivative, Pattern};

use groups::Groups;

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

/// The derivative with packed statements, and the packs; none where that does not pay.
pub fn pack(derivative: &Derivative, packing: Packing) -> Option<(Derivative, Vec<Pack>)> {
    let uses = derivative.list.uses();
    let groups = packing.groups(derivative, &uses)?;
    let (list, packs) = order::ordered(&derivative.list, groups, &uses);
    Some((Derivative { list, values: derivative.values, matrices: derivative.matrices.clone() }, packs))
}

impl Packing {
    /// The groups that become packs; none where that does not pay. They grow from the rows of the
    /// Jacobian or from its columns: forward elimination makes dense rows, reverse elimination dense columns.
    fn groups(self, derivative: &Derivative, uses: &[usize]) -> Option<Groups> {
        let list = &derivative.list;
        let is_tried = match self {
            Packing::Never => false,
            Packing::Auto => saving::is_large(list),
            Packing::Always => true,
        };
        if !is_tried || list.precision() == Precision::Generic {
            return None;
        }
        let is_value = list.needed_by(derivative.values().iter().copied());
        let by_rows = self.grown(list, &is_value, derivative.slices(Pattern::by_rows), uses);
        let by_columns = self.grown(list, &is_value, derivative.slices(Pattern::by_columns), uses);
        let best = if by_columns.0 > by_rows.0 { by_columns } else { by_rows };
        let is_chosen = self == Packing::Always || saving::pays(list, best.0);
        (is_chosen && !best.1.is_empty()).then_some(best.1)
    }

    /// The groups that grow from seeds, and what they save; where all statements are packed that can be, how many they
    /// are.
    fn grown(self, list: &CodeList, is_value: &[bool], seeds: Vec<Vec<ValueId>>, uses: &[usize]) -> (isize, Groups) {
        let min_lanes = if self == Packing::Always { 2 } else { MIN_LANES };
        let mut groups = Groups::grow(list, is_value, seeds, min_lanes);
        if self == Packing::Always {
            return (groups.all().map(|(_, group)| group.lanes.len() as isize).sum(), groups);
        }
        groups.give_up_costly(uses);
        (groups.saving(uses), groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jacobian_list::catalogue::{Intrinsic, known};

    /// The packed form of a list whose outputs are `rows` values and the entries of a Jacobian.
    fn packed(text: &str, rows: usize, columns: usize) -> (String, Vec<Pack>) {
        let list: CodeList = text.parse().expect("a code list");
        let uses = list.uses();
        let derivative = Derivative { list, values: rows, matrices: vec![Pattern::dense(rows, columns)] };
        let groups = Packing::Always.groups(&derivative, &uses).expect("packs");
        let (list, packs) = order::ordered(&derivative.list, groups, &uses);
        (list.to_string(), packs)
    }

    fn pack(operation: Intrinsic, first: usize, operands: Vec<Operand>, is_inner: bool) -> Pack {
        Pack { operation, first: ValueId::new(first), width: 2, operands, is_inner }
    }

    #[test]
    fn rows_are_packed_with_what_they_are_sums_of() {
        let text = "input p q a b c d\nu = p * a\nv = u + q\ne = c * p\nw = d * p\nf = w - b\ng = e - a\noutput v g f";
        let (list, packs) = packed(text, 1, 2);
        let expected = "input p\ninput q\ninput a\ninput b\ninput c\ninput d\nu = p * a\nv = u + q\ne = c * p\nw = d * p\n\
                        g = e - a\nf = w - b\noutput v\noutput g\noutput f\n";
        assert_eq!(list, expected);
        let [p, a, b, c, d] = [0, 2, 3, 4, 5].map(ValueId::new);
        let products = pack(known::MUL, 8, vec![Operand::Values(vec![c, d]), Operand::Same(p)], true);
        let differences = pack(known::SUB, 10, vec![Operand::Pack(0), Operand::Values(vec![a, b])], false);
        assert_eq!(packs, [products, differences]);
    }

    #[test]
    fn operands_that_commute_are_taken_in_the_order_in_which_they_are_alike() {
        let text = "input p a b c d\ne = p * a\nf = b * p\ng = c + e\nh = f + d\noutput p g h";
        let (_, packs) = packed(text, 1, 2);
        let [p, a, b, c, d] = [0, 1, 2, 3, 4].map(ValueId::new);
        let products = pack(known::MUL, 5, vec![Operand::Same(p), Operand::Values(vec![a, b])], true);
        let sums = pack(known::ADD, 7, vec![Operand::Values(vec![c, d]), Operand::Pack(0)], false);
        assert_eq!(packs, [products, sums]);
    }

    #[test]
    fn of_packs_that_need_each_other_one_is_given_up() {
        let text = "input k m n\nb = k * n\na = k * m\nc = k * b\nd = k * a\noutput k k c a b d";
        let (list, packs) = packed(text, 2, 2);
        let expected = "input k\ninput m\ninput n\na = k * m\nb = k * n\nd = k * a\nc = k * b\n\
                        output k\noutput k\noutput c\noutput a\noutput b\noutput d\n";
        assert_eq!(list, expected);
        let [k, n, a] = [0, 2, 3].map(ValueId::new);
        assert_eq!(packs, [pack(known::MUL, 4, vec![Operand::Same(k), Operand::Values(vec![n, a])], false)]);
    }

    #[test]
    fn what_the_function_computes_is_not_packed() {
        let text = "input k m n\na = k * m\nb = k * n\noutput a b a b b a";
        let list: CodeList = text.parse().expect("a code list");
        let uses = list.uses();
        assert!(
            Packing::Always
                .groups(&Derivative { list, values: 2, matrices: vec![Pattern::dense(2, 2)] }, &uses)
                .is_none()
        );
    }
}
