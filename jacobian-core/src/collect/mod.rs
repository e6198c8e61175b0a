//! Collects the numeric factors and the like terms of a derivative: from a code list one that computes the same in
//! fewer operations.
//!
//! Eliminations multiply and add labels one by one, so that a two from the partial of a square is multiplied along
//! every path, and `2 x y + x y` is two products and a sum. Here, every value is a number times a node (`nodes.rs`):
//! products with the same factors are one node, and like terms of a sum are one term. Which multiples of the nodes
//! are computed is decided from the outputs on (`scale.rs`).
//!
//! What the function's results need is computed as it was, to the last bit; so is what is read by anything else than a
//! sum, a product or a quotient. No factor is rounded: all are whole numbers, as far as they are exact, times powers
//! of two.

mod nodes;
mod scale;
mod write;

use jacobian_list::catalogue::known;
use jacobian_list::code_list::{CodeList, Statement, ValueId};
use jacobian_list::evaluate::constants;

use self::nodes::{Multiple, Nodes};
use self::scale::Scales;
use self::write::write;
use crate::derivative::Derivative;
use crate::write::cost::OperationCount;

/// The derivative in fewer operations, and no more products nor quotients, if some can be saved.
pub(crate) fn collect(derivative: Derivative) -> Derivative {
    match collected(&derivative.list, derivative.values) {
        Some(list) if saves(&OperationCount::of(&list), &OperationCount::of(&derivative.list)) => {
            Derivative { list, ..derivative }
        }
        _ => derivative,
    }
}

/// Whether some code takes fewer operations than another. Changes of sign take no time worth speaking of.
fn saves(code: &OperationCount, other: &OperationCount) -> bool {
    let arithmetic = |count: &OperationCount| (count.total() - count.negations, count.negations);
    arithmetic(code) < arithmetic(other)
        && code.multiplications <= other.multiplications
        && code.divisions <= other.divisions
}

fn collected(list: &CodeList, values: usize) -> Option<CodeList> {
    let is_free = free(list, values);
    let nodes = Nodes::of(list, &is_free)?;
    let roots: Vec<_> = roots(list, &is_free).map(|value| nodes.values[value.index()]).collect();
    let order = order(&nodes, &roots);
    let scales = Scales::of(&nodes.nodes, &order, &roots);
    Some(write(list, &is_free, &nodes, &order, &scales).remove_dead_code())
}

/// By statement: whether it may be computed in another way: sums, products and quotients that the results do not need,
/// nor what decides on blocks.
fn free(list: &CodeList, values: usize) -> Vec<bool> {
    let is_block = |id: &ValueId| matches!(list.statement(*id), Statement::Block(_));
    let exact = list.needed_by(list.outputs()[..values].iter().copied().chain(list.ids().filter(is_block)));
    let is_ring = |id: ValueId| match list.statement(id) {
        Statement::Apply { intrinsic, .. } => {
            matches!(*intrinsic, known::ADD | known::SUB | known::MUL | known::DIV | known::NEG | known::RECIP)
        }
        _ => false,
    };
    let constants = constants(list);
    list.ids().map(|id| !exact[id.index()] && !constants[id.index()] && is_ring(id)).collect()
}

/// The values that are wanted as they are: those of outputs, and what other statements read.
fn roots<'a>(list: &'a CodeList, is_free: &'a [bool]) -> impl Iterator<Item = ValueId> + 'a {
    let others = list.ids().filter(|id| !is_free[id.index()]).flat_map(|id| list.args(id));
    let free = |value: &ValueId| is_free[value.index()];
    others.chain(list.outputs().iter().copied()).filter(free)
}

/// The nodes that these multiples are computed from, each after those that it is computed from.
fn order(nodes: &Nodes<'_>, roots: &[Multiple]) -> Vec<usize> {
    let mut is_needed = vec![false; nodes.nodes.len()];
    for root in roots {
        is_needed[root.node] = true;
    }
    for node in (0..nodes.nodes.len()).rev() {
        if is_needed[node] && !nodes.nodes[node].is_given() {
            nodes.nodes[node].operands().into_iter().for_each(|operand| is_needed[operand] = true);
        }
    }
    (0..nodes.nodes.len()).filter(|&node| is_needed[node]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of a list whose first output is the result of the function, with the others as they are collected.
    fn collected_text(text: &str) -> String {
        let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}"));
        super::collected(&list, 1).unwrap_or(list).to_string()
    }

    #[test]
    fn like_terms_are_one() {
        let text = "input x y\na = x * y\nb = x + x\nc = b * y\nd = c + a\noutput a d";
        assert_eq!(collected_text(text), "input x\ninput y\na = x * y\nd = 3.0 * a\noutput a\noutput d\n");
    }

    /// Twice `k` is computed, and nothing else is doubled.
    #[test]
    fn a_factor_is_multiplied_once() {
        let text = "input x y k\nf = x + y\nl = k * f\na = x + x\nb = y + y\nc = a * l\nd = b * l\noutput f c d";
        let expected = "input x\ninput y\ninput k\nf = x + y\nv4 = f + f\nl = k * v4\nc = x * l\nd = y * l\n\
                        output f\noutput c\noutput d\n";
        let count = |text: &str| OperationCount::of(&text.parse().unwrap_or_else(|error| panic!("{error}"))).total();
        assert_eq!(count(&collected_text(text)), count(expected));
    }

    /// The result is computed as it was, though `b + b` is what is computed of it.
    #[test]
    fn results_keep_their_operations() {
        let text = "input x\nb = 0.1 * x\nc = b + b\nd = 0.2 * x\noutput c d";
        assert_eq!(collected_text(text), "input x\nb = 0.1 * x\nc = b + b\noutput c\noutput c\n");
    }

    /// A third is no number of the list, and what decides on a branch is no sum of the derivative.
    #[test]
    fn no_factor_is_rounded() {
        let text = "input x y\na = 3 * x\nb = a * y\nc = x * y\nd = sin(c)\noutput b d";
        assert_eq!(
            collected_text(text),
            format!(
                "input x\ninput y\n{}output b\noutput d\n",
                &text[10..].replace("3 *", "3.0 *").replace("output b d", "")
            )
        );
    }
}
