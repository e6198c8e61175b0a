//! Fusion: which sums of a derivative can be one operation with a product, `x * y + z`, on a target that has an
//! instruction for it. It rounds once where the product and the sum round twice.
//!
//! Invariant: what the values of the function need, and what decides on its branches and loops, is not fused.
//!
//! Nor is a product that something else uses as well, for it would be computed twice; nor a difference of two products:
//! rounded once, it is not zero where they are equal, and compilers pack products and differences well, but not
//! instructions with different signs. Of two products in a sum, the first is fused: so sums side by side are fused
//! alike, and can be packed.
//!
//! Which sums are fused depends on the statements and what they use of one another, not on their order.

use jacobian_list::block::{Block, BlockId};
use jacobian_list::catalogue::known;
use jacobian_list::code_list::{CodeList, Statement, ValueId};
use jacobian_list::live::{Needs, used_args};

use crate::derivative::Derivative;
use crate::write::pack::Pack;

/// The sums of a code list that are fused, those in its arms and in the bodies of its loops included.
#[derive(Clone, Debug)]
pub struct Fusion {
    /// By statement.
    sums: Vec<Option<FusedSum>>,
    /// By block: the lists in it.
    inner: Vec<Vec<Fusion>>,
}

/// A sum as `x * y + z` with signs.
#[derive(Copy, Clone, Debug)]
pub struct FusedSum {
    /// The factors `x` and `y`.
    pub factors: [ValueId; 2],
    /// What is added, `z`.
    pub addend: ValueId,
    /// Whether there is a minus in front of the product.
    pub is_product_negative: bool,
    /// Whether there is a minus in front of `z`.
    pub is_addend_negative: bool,
}

impl Fusion {
    /// What is fused of a derivative.
    pub fn of(derivative: &Derivative) -> Self {
        Fusion::but_for(&derivative.list, derivative.values().iter().copied())
    }

    /// The same without the statements of `list` in which the sum or the product is packed.
    pub fn but_for_packs(mut self, list: &CodeList, packs: &[Pack]) -> Self {
        let mut is_packed = vec![false; list.statements().len()];
        for lane in packs.iter().flat_map(Pack::lanes) {
            is_packed[lane.index()] = true;
        }
        for id in list.ids() {
            let addend = self.sum(id).map(|sum| sum.addend);
            let is_packed_too = list.args(id).any(|arg| Some(arg) != addend && is_packed[arg.index()]);
            if is_packed[id.index()] || is_packed_too {
                self.sums[id.index()] = None;
            }
        }
        self
    }

    /// What is fused of a list, but for what `values` need.
    fn but_for(list: &CodeList, values: impl Iterator<Item = ValueId>) -> Self {
        let deciders = list.blocks().iter().filter_map(Block::decider);
        let kept = list.needs(values.chain(deciders));
        let finder = Finder { list, uses: list.uses(), kept: &kept };
        let sums = list.ids().map(|id| finder.sum(id)).collect();
        let inner = list.blocks().iter().zip(&kept.blocks).map(|(block, needs)| {
            // A loop that no value needs makes as many iterations as that of the function all the same.
            let mut parts = needs.parts.clone();
            used_args(block, &mut parts);
            let of_list = |list: &CodeList| Fusion::but_for(list, list.values_for(&parts));
            block.lists().iter().map(|list| of_list(list)).collect()
        });
        Fusion { sums, inner: inner.collect() }
    }

    /// The statement as a fused sum, if it is one.
    pub fn sum(&self, id: ValueId) -> Option<&FusedSum> {
        self.sums[id.index()].as_ref()
    }

    /// What is fused of a list in a block.
    pub fn inner(&self, block: BlockId, list: usize) -> &Fusion {
        &self.inner[block.index()][list]
    }

    /// The number of fused sums.
    pub fn count(&self) -> usize {
        self.sums.iter().flatten().count() + self.inner.iter().flatten().map(Fusion::count).sum::<usize>()
    }
}

impl FusedSum {
    /// The values that it reads.
    pub fn args(&self) -> [ValueId; 3] {
        [self.factors[0], self.factors[1], self.addend]
    }
}

struct Finder<'a> {
    list: &'a CodeList,
    /// By value: how often it is used.
    uses: Vec<usize>,
    kept: &'a Needs,
}

impl Finder<'_> {
    fn sum(&self, id: ValueId) -> Option<FusedSum> {
        let (is_difference, args) = match self.list.statement(id) {
            _ if self.kept.live[id.index()] => return None,
            Statement::Apply { intrinsic: known::ADD, args, .. } => (false, args),
            Statement::Apply { intrinsic: known::SUB, args, .. } => (true, args),
            _ => return None,
        };
        let (left, right) = (args[0], args[1]);
        if is_difference && self.is_product(left) && self.is_product(right) {
            return None;
        }
        let is_left = self.factors(left).is_some();
        let (product, addend) = if is_left { (left, right) } else { (right, left) };
        Some(FusedSum {
            factors: self.factors(product)?,
            addend,
            is_product_negative: is_difference && !is_left,
            is_addend_negative: is_difference && is_left,
        })
    }

    fn is_product(&self, id: ValueId) -> bool {
        matches!(self.list.statement(id), Statement::Apply { intrinsic: known::MUL, .. })
    }

    /// The factors of a product that may be fused with the sum that uses it.
    fn factors(&self, id: ValueId) -> Option<[ValueId; 2]> {
        match self.list.statement(id) {
            Statement::Apply { intrinsic: known::MUL, args, .. }
                if self.uses[id.index()] == 1 && !self.kept.live[id.index()] =>
            {
                Some([args[0], args[1]])
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jacobian_list::text::unique_names;

    /// The sums that are fused where the first `values` outputs are those of the function: `s = a * b + c`.
    fn fused(text: &str, values: usize) -> Vec<String> {
        let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}"));
        texts(&list, &Fusion::but_for(&list, list.outputs()[..values].iter().copied()))
    }

    fn texts(list: &CodeList, fusion: &Fusion) -> Vec<String> {
        let names = unique_names(list);
        let text = |id: ValueId| {
            let sum = fusion.sum(id)?;
            let [x, y, z] = sum.args().map(|arg| &names[arg.index()]);
            let sign = |is_negative| if is_negative { "-" } else { "" };
            let (product, addend) = (sign(sum.is_product_negative), sign(sum.is_addend_negative));
            Some(format!("{} = {product}{x} * {y} + {addend}{z}", names[id.index()]))
        };
        list.ids().filter_map(text).collect()
    }

    #[test]
    fn a_product_that_one_sum_uses_is_fused_with_it() {
        let text = "input a b c\np = a * b\ns = p + c\nq = b * c\nt = q - a\nr = a * c\nu = b - r\noutput s t u";
        assert_eq!(fused(text, 0), ["s = a * b + c", "t = b * c + -a", "u = -a * c + b"]);
    }

    #[test]
    fn a_product_that_is_used_elsewhere_is_not() {
        for text in [
            "input a b c\np = a * b\ns = p + c\noutput s p",
            "input a b c\np = a * b\ns = p + c\nt = p - c\noutput s t",
            "input a b\np = a * b\ns = p + p\noutput s",
            "input a b\np = a * b\ns = p - a\nc = s < b\nbranch x on c (a)\n\
             arm\ninput a\noutput a\narm\ninput a\nv = sin(a)\noutput v\nend\noutput x.0",
        ] {
            assert_eq!(fused(text, 0), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_the_values_need_is_not() {
        let text = "input a b c\np = a * b\ns = p + c\nq = s * c\nt = q + p\noutput s t";
        assert_eq!(fused(text, 2), [""; 0]);
        assert_eq!(fused(text, 1), ["t = s * c + p"]);
    }

    #[test]
    fn of_two_products_in_a_sum_the_first_is_fused() {
        let text = "input a b c d\np = a * b\nq = c * d\ns = p + q\noutput s";
        assert_eq!(fused(text, 0), ["s = a * b + q"]);
        assert_eq!(fused(&text.replace(" + ", " - "), 0), [""; 0]);
    }

    #[test]
    fn packed_statements_are_not() {
        let text = "input a b c\np = a * b\nq = a * c\ns = p + c\nt = q + b\nu = b * c\nv = u + a\noutput s t v";
        let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let pack = |operation, first: usize| {
            let (first, operands) = (ValueId::new(first), Vec::new());
            Pack { operation, first, width: 2, operands, is_inner: false }
        };
        let fusion = Fusion::but_for(&list, std::iter::empty());
        assert_eq!(texts(&list, &fusion), ["s = a * b + c", "t = a * c + b", "v = b * c + a"]);
        for pack in [pack(known::MUL, 3), pack(known::ADD, 5)] {
            assert_eq!(texts(&list, &fusion.clone().but_for_packs(&list, &[pack])), ["v = b * c + a"]);
        }
    }

    #[test]
    fn arms_are_fused_but_for_the_values_of_the_function() {
        let arm = "arm\ninput a b\np = a * b\ny = p + a\nq = b * b\nd = q + a\noutput y d\n";
        let text = format!("input a b\nc = a < b\nbranch x on c (a b)\n{arm}{arm}end\noutput x.0 x.1");
        let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let fusion = Fusion::but_for(&list, list.outputs()[..1].iter().copied());
        for (number, arm) in list.blocks()[0].lists().iter().enumerate() {
            assert_eq!(texts(arm, fusion.inner(BlockId::new(0), number)), ["d = b * b + a"]);
        }
        assert_eq!(fusion.count(), 2);
    }
}
