//! Collects the numeric factors, the like terms and the common factors of a derivative: from a code list one that
//! computes the same in fewer operations.
//!
//! Eliminations multiply and add labels one by one, so that a two from the partial of a square is multiplied along
//! every path, and `2 x y + x y` is two products and a sum. Here, every value is a number times a node (`nodes.rs`):
//! products with the same factors are one node, and like terms of a sum are one term. Which multiples of the nodes
//! are computed is decided from the outputs on (`scale.rs`).
//!
//! Then the nodes are read as sums of monomials (`sums.rs`), and put together anew: sums that several have in common but
//! for a factor are taken out (`factor.rs`), sums that complete others are multiplied out (`exchange.rs`), and products
//! that several monomials have are computed once (`share.rs`). Of the code with and without this, the shorter one is
//! taken.
//!
//! What the function's results need is computed as it was, to the last bit; so is what is read by anything else than a
//! sum, a product or a quotient. No factor is rounded: all are whole numbers, as far as they are exact, times powers
//! of two.

mod exchange;
mod factor;
mod nodes;
mod scale;
mod share;
mod sums;
mod write;

use jacobian_list::catalogue::known;
use jacobian_list::code_list::{CodeList, Statement, ValueId};
use jacobian_list::evaluate::constants;

use self::exchange::exchange;
use self::factor::factor;
use self::nodes::{Multiple, Node, NodeId, Nodes};
use self::scale::Scales;
use self::share::share;
use self::sums::Sums;
use self::write::write;
use crate::derivative::Derivative;
use crate::write::cost::OperationCount;

/// The most pairs of terms in which common factors are sought: those of long code are too many to be examined.
const MAX_PAIRS: usize = 10_000;

/// The derivative in fewer operations, and no more products nor quotients, if some can be saved.
pub(crate) fn collect(derivative: Derivative) -> Derivative {
    let given = OperationCount::of(&derivative.list);
    let found =
        collected(&derivative.list, derivative.values).into_iter().map(|list| (OperationCount::of(&list), list));
    let saving = found.filter(|(count, _)| saves(count, &given)).min_by_key(|(count, _)| arithmetic(count));
    match saving {
        Some((_, list)) => Derivative { list, ..derivative },
        None => derivative,
    }
}

/// All operations but changes of sign, which take no time worth speaking of, and these.
fn arithmetic(count: &OperationCount) -> (usize, usize) {
    (count.total() - count.negations, count.negations)
}

/// Whether some code takes fewer operations than another.
fn saves(code: &OperationCount, other: &OperationCount) -> bool {
    arithmetic(code) < arithmetic(other)
        && code.multiplications <= other.multiplications
        && code.divisions <= other.divisions
}

/// The list with like terms collected; with numeric factors, too; and with products and sums that are parts of several
/// ones computed once besides.
///
/// Where factors are multiplied otherwise, there may be fewer operations in all, but more products. Then the first one
/// may still save something.
fn collected(list: &CodeList, values: usize) -> Vec<CodeList> {
    let is_free = free(list, values);
    let Some(nodes) = Nodes::of(list, &is_free) else { return Vec::new() };
    let order = order(&nodes, &multiples(list, &is_free, &nodes));
    let plain = [Scales::first, Scales::of].map(|scales| written(list, &is_free, &nodes, &order, scales));
    let factored = factored(list, &is_free, &nodes, &order).map(|nodes| {
        let order = self::order(&nodes, &multiples(list, &is_free, &nodes));
        written(list, &is_free, &nodes, &order, Scales::of)
    });
    plain.into_iter().chain(factored).collect()
}

/// The same values as multiples of other nodes.
fn factored<'a>(list: &CodeList, is_free: &[bool], nodes: &Nodes<'a>, order: &[usize]) -> Option<Nodes<'a>> {
    let roots = multiples(list, is_free, nodes);
    let mut sums = Sums::of(nodes, order, &roots);
    if sums.pairs() <= MAX_PAIRS {
        factor(&mut sums);
        exchange(&mut sums);
    }
    share(&mut sums);
    sums.into_nodes(&roots)
}

/// The list, with what is free computed as multiples of nodes, which `scales` decides about.
fn written(
    list: &CodeList,
    is_free: &[bool],
    nodes: &Nodes<'_>,
    order: &[NodeId],
    scales: fn(&[Node], &[NodeId], &[Multiple]) -> Scales,
) -> CodeList {
    let scales = scales(&nodes.nodes, order, &multiples(list, is_free, nodes));
    write(list, is_free, nodes, order, &scales).remove_dead_code()
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

/// What is wanted: what outputs and statements that are not free read of those that are.
fn multiples(list: &CodeList, is_free: &[bool], nodes: &Nodes<'_>) -> Vec<Multiple> {
    let others = list.ids().filter(|id| !is_free[id.index()]).flat_map(|id| list.args(id));
    let wanted = others.chain(list.outputs().iter().copied()).filter(|value| is_free[value.index()]);
    wanted.map(|value| nodes.values[value.index()]).collect()
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
    let mut order: Vec<_> = (0..nodes.nodes.len()).filter(|&node| is_needed[node]).collect();
    order.sort_by_key(|&node| nodes.nodes[node].home);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of a list whose first output is the result of the function, with the others as they are collected by
    /// the way of this number.
    fn text_of(way: usize, text: &str) -> String {
        let list: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}"));
        collected(&list, 1).get(way).unwrap_or(&list).to_string()
    }

    /// With like terms and numeric factors collected.
    fn collected_text(text: &str) -> String {
        text_of(1, text)
    }

    /// With common factors taken out, too.
    fn factored_text(text: &str) -> String {
        text_of(2, text)
    }

    #[test]
    fn common_factors_are_taken_out() {
        let text = "input x y a\nf = x - y\nb = x * a\nc = a * y\nd = b + c\noutput f d";
        let expected = "input x\ninput y\ninput a\nf = x - y\nv4 = x + y\nd = a * v4\noutput f\noutput d\n";
        assert_eq!(factored_text(text), expected);
    }

    /// `a` is a factor of three terms, whose sum without it is there but for a sign.
    #[test]
    fn a_sum_that_is_there_is_found_in_a_multiple_of_it() {
        let text = "input x y z a\nf = sin(a)\ng = y - z\ns = x * x + g * x\nb = a * x\nc = b * x\nd = a * g\n\
                    e = d * x\nh = c + e\nk = y - h\noutput f s k";
        let count = |text: &str| OperationCount::of(&text.parse().unwrap_or_else(|error| panic!("{error}"))).total();
        let least = "input x y z a\nf = sin(a)\ng = y - z\nt = x + g\ns = x * t\nh = a * s\nk = y - h\noutput f s k";
        assert_eq!(count(&factored_text(text)), count(least));
    }

    /// `b * c` is computed once, whatever it is multiplied by first.
    #[test]
    fn products_in_another_order_are_shared() {
        let text = "input a b c\nf = a + b\nd = a * b\ne = d * c\ng = b * b\nh = g * c\nk = b * c\noutput f e h k";
        let expected = "input a b c\nf = a + b\nk = b * c\ne = a * k\nh = b * k\noutput f e h k";
        let count = |text: &str| OperationCount::of(&text.parse().unwrap_or_else(|error| panic!("{error}"))).total();
        assert_eq!(count(&factored_text(text)), count(expected));
    }

    /// `a * v` is `c * (a * b)` and `e * (a * d)`, and both are there with what else `c` and `e` are multiplied by.
    #[test]
    fn what_completes_other_sums_is_multiplied_out() {
        let text = |sum: &str| {
            let given = "input a b c d e w x\nf = sin(a)\ng = b * c\nh = d * e\nv = g + h\nk = a * b\np = w + k\n\
                         l = a * d\nq = l - x\n";
            format!("{given}{sum}\noutput f v p q s")
        };
        let count = |text: &str| OperationCount::of(&text.parse().unwrap_or_else(|error| panic!("{error}")));
        let found = text("m = a * v\nn = c * w\no = e * x\nr = m + n\ns = r - o");
        let least = text("m = c * p\nn = e * q\ns = m + n");
        assert_eq!(count(&factored_text(&found)), count(&least));
        // Where one of the two is not there, nothing is gained.
        let lacking = found.replace("v p q", "v p");
        assert_eq!(count(&factored_text(&lacking)), count(&lacking.replace("l = a * d\nq = l - x\n", "")));
    }

    #[test]
    fn like_terms_are_one() {
        let text = "input x y\na = x * y\nb = x + x\nc = b * y\nd = c + a\noutput a d";
        assert_eq!(collected_text(text), "input x\ninput y\na = x * y\nd = 3.0 * a\noutput a\noutput d\n");
    }

    /// The numbers are added up, and twice `a` is computed where the list computes it.
    #[test]
    fn like_terms_are_one_of_the_multiples_of_the_list() {
        let text = "input x y\na = x * y\nb = y + y\nc = b + b\nd = 2.0 - c\ng = d + 200.0\nh = b * x\nk = h * x\n\
                    output a g k";
        let expected = "input x\ninput y\na = x * y\nv5 = 4.0 * y\ng = 202.0 - v5\nv7 = a + a\nk = v7 * x\n\
                        output a\noutput g\noutput k\n";
        assert_eq!(text_of(0, text), expected);
    }

    /// Three times the sum is what the list computes first; the sum itself is no whole multiple of that.
    #[test]
    fn another_multiple_than_that_of_the_list_is_chosen_where_it_must_be() {
        let text = "input x y\nf = x * y\na = 3.0 * x\nb = 3.0 * y\nc = a + b\nd = x + y\noutput f c d";
        let expected = "input x\ninput y\nf = x * y\nd = x + y\nc = 3.0 * d\noutput f\noutput c\noutput d\n";
        assert_eq!(text_of(0, text), expected);
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
