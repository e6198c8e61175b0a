//! Fusion: a product that only a sum of the derivative part uses becomes one statement with it, `fused_add(x, y, z)` for
//! `x * y + z`. Where the target has an instruction for that, it is one operation, rounded once; elsewhere it is the
//! product and the sum, to the bit.
//!
//! Invariant: what the values of the function need, and what selects the arms of its branches, stays as it is.
//!
//! Which pairs are fused depends on the statements and what they use of one another, not on their order. Of two products in
//! a sum, the one whose factors take longer to compute is fused: the other one is computed meanwhile.

use std::iter;
use std::sync::Arc;

use crate::accumulate::Derivative;
use crate::block::{Block, Body};
use crate::catalogue::{Class, Intrinsic, known};
use crate::code_list::{CodeList, Statement, ValueId};
use crate::cost::time::ClassCost;
use crate::live::{Needs, chosen};

impl Derivative {
    /// The derivative with its products and sums fused.
    pub fn fused(&self) -> Derivative {
        Derivative { list: fused(&self.list, self.values().iter().copied()), ..*self }
    }
}

/// The number of fused statements, those of arms included.
pub fn fused_statements(list: &CodeList) -> usize {
    let is_fused = |statement: &&Statement| match statement {
        Statement::Apply { intrinsic, .. } => FUSED.contains(intrinsic),
        _ => false,
    };
    let arms = list.blocks().iter().flat_map(Block::arms);
    list.statements().iter().filter(is_fused).count() + arms.map(|arm| fused_statements(arm)).sum::<usize>()
}

const FUSED: [Intrinsic; 3] = [known::FUSED_ADD, known::FUSED_SUB, known::FUSED_NEG_ADD];

/// The list with its products and sums fused, but for those that `values` need.
fn fused(list: &CodeList, values: impl Iterator<Item = ValueId>) -> CodeList {
    let selectors = list.blocks().iter().filter_map(Block::selector);
    let kept = list.needs(values.chain(selectors));
    let (uses, depths) = (uses(list), depths(list));
    let is_product = |id: ValueId| {
        let is_product = matches!(list.statement(id), Statement::Apply { intrinsic: known::MUL, .. });
        is_product && uses[id.index()] == 1 && !kept.live[id.index()]
    };
    let mut fused = list.clone();
    for id in list.ids().filter(|id| !kept.live[id.index()]) {
        if let Some((intrinsic, args)) = fused_sum(list, id, is_product, &depths) {
            fused.replace(id, intrinsic, &args);
        }
    }
    fuse_arms(&mut fused, &kept);
    fused.remove_dead_code()
}

/// Fuses what the arms of branches contain.
fn fuse_arms(list: &mut CodeList, kept: &Needs) {
    let blocks: Vec<_> = list.ids().filter(|id| matches!(list.statement(*id), Statement::Block(_))).collect();
    for (id, needs) in iter::zip(blocks, &kept.blocks) {
        if let Body::Branch { arms, .. } = &mut list.block_mut(id).body {
            for arm in arms {
                *arm = Arc::new(fused(arm, chosen(arm.outputs(), &needs.parts)));
            }
        }
    }
}

/// What takes the place of a sum of a product, if the statement is one.
fn fused_sum(
    list: &CodeList,
    id: ValueId,
    is_product: impl Fn(ValueId) -> bool,
    depths: &[usize],
) -> Option<(Intrinsic, [ValueId; 3])> {
    let Statement::Apply { intrinsic: intrinsic @ (known::ADD | known::SUB), args, .. } = list.statement(id) else {
        return None;
    };
    let (left, right) = (args[0], args[1]);
    let is_left = match (is_product(left), is_product(right)) {
        (true, true) => depths[left.index()] >= depths[right.index()],
        (false, false) => return None,
        (is_left, _) => is_left,
    };
    let (product, addend) = if is_left { (left, right) } else { (right, left) };
    let intrinsic = match (*intrinsic, is_left) {
        (known::ADD, _) => known::FUSED_ADD,
        (_, true) => known::FUSED_SUB,
        (_, false) => known::FUSED_NEG_ADD,
    };
    let Statement::Apply { args, .. } = list.statement(product) else { return None };
    Some((intrinsic, [args[0], args[1], addend]))
}

/// By value: how often it is used.
fn uses(list: &CodeList) -> Vec<usize> {
    let mut uses = vec![0; list.statements().len()];
    for value in list.ids().flat_map(|id| list.args(id)).chain(list.outputs().iter().copied()) {
        uses[value.index()] += 1;
    }
    uses
}

/// By value: how long it takes to compute, by the longest chain of operations; a block counts as a call.
fn depths(list: &CodeList) -> Vec<usize> {
    let mut depths = Vec::with_capacity(list.statements().len());
    for id in list.ids() {
        let own = match list.statement(id) {
            Statement::Apply { intrinsic, .. } => ClassCost::of(intrinsic.row().class).latency,
            Statement::Block(_) => ClassCost::of(Class::Call).latency,
            _ => 0,
        };
        depths.push(own + list.args(id).map(|arg| depths[arg.index()]).max().unwrap_or(0));
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Strategy;
    use crate::{Schedule, differentiate};

    /// The list with everything fused that the first `values` outputs do not need.
    fn fused_text(text: &str, values: usize) -> String {
        let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}"));
        fused(&list, list.outputs()[..values].iter().copied()).to_string()
    }

    #[test]
    fn a_product_that_one_sum_uses_is_fused_with_it() {
        let text = "input a b c\np = a * b\ns = p + c\nq = b * c\nt = q - a\nr = a * c\nu = b - r\noutput s t u";
        assert_eq!(
            fused_text(text, 0),
            "input a\ninput b\ninput c\ns = fused_add(a, b, c)\nt = fused_sub(b, c, a)\nu = fused_neg_add(a, c, b)\n\
             output s\noutput t\noutput u\n"
        );
    }

    #[test]
    fn a_product_that_is_used_elsewhere_stays() {
        for text in [
            "input a b c\np = a * b\ns = p + c\noutput s p",
            "input a b c\np = a * b\ns = p + c\nt = p - c\noutput s t",
            "input a b\np = a * b\ns = p + p\noutput s",
            "input a b\np = a * b\ns = p - a\nc = s < p\nbranch x on c (a)\n\
             arm\ninput a\noutput a\narm\ninput a\nv = sin(a)\noutput v\nend\noutput x.0",
        ] {
            let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(fused_text(text, 0), list.to_string());
        }
    }

    #[test]
    fn what_the_values_need_stays() {
        let text = "input a b c\np = a * b\ns = p + c\nq = s * c\nt = q + p\nu = q - c\noutput s t u";
        assert_eq!(fused_text(text, 3), text.parse::<CodeList>().expect("a code list").to_string());
        // The product `p` is the function's; the other one belongs to the derivative, but two sums use it.
        assert_eq!(fused_text(text, 1), fused_text(text, 3));
        let once = text.replace("u = q - c", "u = s * c");
        assert!(fused_text(&once, 1).contains("t = fused_add(s, c, p)"), "{}", fused_text(&once, 1));
    }

    #[test]
    fn of_two_products_the_later_one_is_fused() {
        let text = "input a b c d\ne = sin(a)\np = a * b\nq = e * c\ns = p + q\nr = e * d\nu = c * d\nt = r - u\n\
                    v = a * c\nw = e * e\nx = v - w\noutput s t x";
        let fused = fused_text(text, 0);
        for line in ["s = fused_add(e, c, p)", "t = fused_sub(e, d, u)", "x = fused_neg_add(e, e, v)"] {
            assert!(fused.contains(line), "{fused}");
        }
    }

    #[test]
    fn arms_are_fused_but_for_the_values_of_the_function() {
        let arm = "arm\n    input a\n    input b\n    p = a * b\n    y = p + a\n    q = b * b\n    d = q + a\n    output y\n    output d\n";
        let text = format!("input a\ninput b\nc = a < b\nbranch x on c (a b)\n{arm}{arm}end\noutput x.0\noutput x.1\n");
        let expected = text.replace("    q = b * b\n    d = q + a\n", "    d = fused_add(b, b, a)\n");
        assert_eq!(fused_text(&text, 1), expected);
        let list: CodeList = expected.parse().expect("a code list");
        assert_eq!(fused_statements(&list), 2);
    }

    #[test]
    fn schedules_do_not_change_what_is_fused() {
        let function: CodeList =
            "input a b c\nu = a * b + c * c\nv = u * c + sin(u) * a\nw = u / v + v * b\noutput w u v"
                .parse()
                .expect("a code list");
        let statements = |schedule: &str| {
            let derivative = differentiate(&function, &Strategy::Auto).expect("a small function").derivative;
            let schedule: Schedule = schedule.parse().expect("a schedule");
            let list = derivative.scheduled(&schedule).fused().list;
            assert!(fused_statements(&list) > 2, "{list}");
            texts(&list)
        };
        let expected = statements("source");
        for schedule in ["depth-first", "list(a = 1, b = 1)", "pressure"] {
            assert_eq!(statements(schedule), expected);
        }
    }

    /// The values of a list without blocks as expressions of its inputs, sorted.
    fn texts(list: &CodeList) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for id in list.ids() {
            let args: Vec<_> = list.args(id).map(|arg| texts[arg.index()].as_str()).collect();
            texts.push(match list.statement(id) {
                Statement::Apply { intrinsic, .. } => format!("{}({})", intrinsic.row().name, args.join(", ")),
                Statement::Constant(constant) => format!("{constant:?}"),
                _ => list.name(id).unwrap_or_default().to_string(),
            });
        }
        texts.sort();
        texts
    }
}
