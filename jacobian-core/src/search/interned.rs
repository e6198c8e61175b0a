//! Values as nodes: every operation on the same nodes is the same node, so that what a plan costs is what the nodes cost that
//! its entries need. Nodes are never forgotten, for the next plan needs most of them again; nothing is written.
//!
//! The nodes are those that the [algebra](crate::algebra) would make: the same signs, folds and keys, for a code list
//! without blocks. Products that are the same monomial are of one *class*, of which a plan uses the node that it comes to
//! first.

use std::collections::HashMap;

use super::objective::{Cost, Measuring};
use super::state::{Arithmetic, Edges, Reversible};
use crate::algebra::monomial::{Monomial, Monomials};
use crate::algebra::{Term, exact_product, exact_sum};
use crate::catalogue::{Class, known};
use crate::code_list::{CodeList, Statement, ValueId};
use crate::cost::time::ClassCost;
use crate::evaluate::constants;
use crate::graph::VertexId;
use crate::linearize::Linearization;
use crate::program::{Ends, LabelId};

/// A node with a sign.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Label(u32);

impl Label {
    const ZERO: Label = Label(0);
    const ONE: Label = Label(2);

    fn new(node: usize, negative: bool) -> Self {
        Label((node as u32) << 1 | negative as u32)
    }

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    fn signed(self, negative: bool) -> Self {
        Label(self.0 ^ negative as u32)
    }
}

/// What a node computes.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Op {
    /// The sum of its arguments.
    Sum,
    /// The first argument less the second.
    Difference,
    /// The product.
    Product,
    /// Anything else, whose arguments are those of the statement with its number.
    Given,
}

#[derive(Copy, Clone)]
struct Node {
    op: Op,
    left: u32,
    right: u32,
    work: u32,
    /// The longest chain of operations that ends with it.
    depth: u32,
    /// The evaluation that has counted it last.
    seen: u32,
    class: u32,
}

/// The place in the table that holds nothing.
const FREE: u64 = u64::MAX;

/// The nodes, and the table in which equal ones meet.
pub struct Interned {
    linearization: Linearization,
    nodes: Vec<Node>,
    /// The numbers that nodes are, by node.
    values: Vec<Option<f64>>,
    /// The monomials that they are, as in the algebra, and the first node of each, whose number is that of its class.
    monomials: Monomials,
    /// By class: the node that the present plan uses.
    used: Vec<Option<Label>>,
    /// The nodes that the present plan has come to, in order.
    trail: Vec<u32>,
    /// The nodes that are numbers, by their bits.
    numbers: HashMap<u64, u32>,
    /// Keys and labels, at the key's hash or behind it; a power of two of them.
    table: Vec<(u64, Label)>,
    entries: usize,
    /// The label of every edge that was there at first.
    given: Vec<Label>,
    /// What is computed in any case.
    function: Cost,
    evaluation: u32,
    /// Nodes that are still to be counted.
    open: Vec<u32>,
}

impl Interned {
    /// The nodes of the statements of `linearization`, whose list has no blocks.
    pub fn new(linearization: &Linearization) -> Self {
        let mut interned = Interned {
            linearization: linearization.with_program(),
            nodes: Vec::new(),
            values: Vec::new(),
            monomials: Monomials::default(),
            used: Vec::new(),
            trail: Vec::new(),
            numbers: HashMap::new(),
            table: vec![(FREE, Label::ZERO); 1024],
            entries: 0,
            given: Vec::new(),
            function: Cost::default(),
            evaluation: 0,
            open: Vec::new(),
        };
        interned.read();
        interned
    }

    fn read(&mut self) {
        let linearization = self.linearization.clone();
        let list = linearization.algebra.list();
        let constants = constants(list);
        for id in list.ids() {
            let (work, latency) = match list.statement(id) {
                Statement::Apply { intrinsic, .. } if constants[id.index()].is_none() => {
                    let row = ClassCost::of(intrinsic.row().class);
                    (row.work as u32, row.latency as u32)
                }
                _ => (0, 0),
            };
            let depth = list.args(id).map(|arg| self.nodes[arg.index()].depth).max().unwrap_or(0) + latency;
            self.nodes.push(Node { op: Op::Given, left: 0, right: 0, work, depth, seen: 0, class: 0 });
            let value = list.as_constant(id).map(|constant| constant.as_float());
            self.values.push(value);
            if let Some(value) = value {
                self.numbers.entry(value.to_bits()).or_insert(id.index() as u32);
            }
            self.read_operation(list, id);
        }
        self.monomials.extend(list);
        for node in 0..self.nodes.len() {
            self.enter_class(node);
            self.use_node(node);
        }
        self.count_function(&linearization);
        let labels = linearization.labels.iter().map(|term| self.label(*term));
        self.given = labels.collect();
    }

    /// Makes an operation known to those that come later.
    fn read_operation(&mut self, list: &CodeList, id: ValueId) {
        let &Statement::Apply { intrinsic, args, .. } = list.statement(id) else { return };
        if ![known::ADD, known::SUB, known::MUL].contains(&intrinsic) {
            return;
        }
        let [left, right] = [args[0], args[1]].map(|arg| self.label(self.linearization.algebra.term(arg)));
        let (key, negative) = match intrinsic {
            known::ADD => sum_key(left, right),
            known::SUB => sum_key(left, right.signed(true)),
            _ => product_key(left, right),
        };
        let place = self.place(key);
        if self.table[place].0 == FREE {
            self.enter(place, key, Label::new(id.index(), negative));
        }
        let node = &mut self.nodes[id.index()];
        (node.left, node.right) = (args[0].index() as u32, args[1].index() as u32);
        node.op = match intrinsic {
            known::ADD => Op::Sum,
            known::SUB => Op::Difference,
            _ => Op::Product,
        };
    }

    /// What the function needs is computed in any case, and costs nothing more.
    fn count_function(&mut self, linearization: &Linearization) {
        let list = linearization.algebra.list();
        let needed = list.needed_by(linearization.values.iter().copied());
        for (node, _) in self.nodes.iter_mut().zip(needed).filter(|(_, is_needed)| *is_needed) {
            self.function.first += std::mem::take(&mut node.work) as usize;
            self.function.second = self.function.second.max(node.depth as usize);
        }
    }

    fn label(&self, term: Term) -> Label {
        Label::new(term.id.index(), term.negative)
    }

    /// Where the key is in the table, or would be.
    fn place(&self, key: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.table[place].0 != key && self.table[place].0 != FREE {
            place = (place + 1) & mask;
        }
        place
    }

    fn enter(&mut self, place: usize, key: u64, label: Label) {
        self.table[place] = (key, label);
        self.entries += 1;
        if self.entries * 2 > self.table.len() {
            let larger = vec![(FREE, Label::ZERO); self.table.len() * 4];
            for (key, label) in std::mem::replace(&mut self.table, larger) {
                if key != FREE {
                    let place = self.place(key);
                    self.table[place] = (key, label);
                }
            }
        }
    }

    fn add(&mut self, left: Label, right: Label) -> Label {
        if left == Label::ZERO {
            return right;
        }
        if right == Label::ZERO {
            return left;
        }
        if left == right.signed(true) {
            return Label::ZERO;
        }
        if let Some(folded) = self.fold(left, right, exact_sum) {
            return folded;
        }
        let (key, negative) = sum_key(left, right);
        let place = self.place(key);
        if self.table[place].0 == key {
            return self.used(self.table[place].1).signed(negative);
        }
        // As the algebra writes it: `p - n` where the signs differ.
        let (first, second) = if left.is_negative() && !right.is_negative() { (right, left) } else { (left, right) };
        let op = if first.is_negative() == second.is_negative() { Op::Sum } else { Op::Difference };
        let monomial = match left == right {
            true => self.monomial(left.node()).twice(),
            false => Monomial::leaf(self.nodes.len()),
        };
        let new = self.node(op, Class::Addition, first, second, monomial).signed(first.is_negative());
        self.enter(place, key, new.signed(negative));
        self.used(new)
    }

    fn mul(&mut self, left: Label, right: Label) -> Label {
        if left == Label::ZERO || right == Label::ZERO {
            return Label::ZERO;
        }
        if left.node() == Label::ONE.node() {
            return right.signed(left.is_negative());
        }
        if right.node() == Label::ONE.node() {
            return left.signed(right.is_negative());
        }
        if let Some(folded) = self.fold(left, right, exact_product) {
            return folded;
        }
        let (key, negative) = product_key(left, right);
        let place = self.place(key);
        if self.table[place].0 == key {
            return self.used(self.table[place].1).signed(negative);
        }
        let monomial = self.monomial(left.node()).times(self.monomial(right.node()));
        let new = self.node(Op::Product, Class::Multiplication, left, right, monomial);
        self.enter(place, key, new);
        self.used(new).signed(negative)
    }

    fn monomial(&self, node: usize) -> Monomial {
        self.monomials.get(ValueId::new(node))
    }

    /// Enters a node into the class of its monomial.
    fn enter_class(&mut self, node: usize) {
        let first = self.monomials.find(self.monomial(node)).map_or(node, |first| first.id.index());
        self.nodes[node].class = first as u32;
        self.used.push(None);
    }

    /// The node that the present plan uses for a label: that one, unless it has come to another of the same class.
    fn used(&mut self, label: Label) -> Label {
        let node = label.node();
        let (class, is_opposite) =
            (self.nodes[node].class as usize, self.monomial(node).negative != label.is_negative());
        match self.used[class] {
            Some(used) => used.signed(is_opposite),
            None => {
                self.use_node(node);
                label
            }
        }
    }

    fn use_node(&mut self, node: usize) {
        let class = self.nodes[node].class as usize;
        if self.used[class].is_none() {
            self.used[class] = Some(Label::new(node, self.monomial(node).negative));
            self.trail.push(node as u32);
        }
    }

    fn node(&mut self, op: Op, class: Class, left: Label, right: Label, monomial: Monomial) -> Label {
        let row = ClassCost::of(class);
        let depth = self.nodes[left.node()].depth.max(self.nodes[right.node()].depth) + row.latency as u32;
        let (left, right) = (left.node() as u32, right.node() as u32);
        self.nodes.push(Node { op, left, right, work: row.work as u32, depth, seen: 0, class: 0 });
        self.values.push(None);
        self.monomials.push(monomial);
        self.enter_class(self.nodes.len() - 1);
        Label::new(self.nodes.len() - 1, false)
    }

    /// The number that an operation on two numbers gives, where no bit of it is lost.
    fn fold(&mut self, left: Label, right: Label, exact: fn(f64, f64) -> Option<f64>) -> Option<Label> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        let list = self.linearization.algebra.list();
        let result = exact(left, right)?;
        let is_exact = [left, right, result].iter().all(|value| list.is_exact(*value));
        is_exact.then(|| self.number(result))
    }

    fn value(&self, label: Label) -> Option<f64> {
        let value = self.values[label.node()]?;
        Some(if label.is_negative() { -value } else { value })
    }

    fn number(&mut self, value: f64) -> Label {
        let magnitude = value.abs();
        let node = match self.numbers.get(&magnitude.to_bits()) {
            Some(&node) => node as usize,
            None => {
                self.nodes.push(Node { op: Op::Given, left: 0, right: 0, work: 0, depth: 0, seen: 0, class: 0 });
                self.values.push(Some(magnitude));
                self.monomials.push(Monomial::number(magnitude));
                self.enter_class(self.nodes.len() - 1);
                self.numbers.insert(magnitude.to_bits(), self.nodes.len() as u32 - 1);
                self.nodes.len() - 1
            }
        };
        Label::new(node, value.is_sign_negative() && magnitude != 0.0)
    }

    /// Counts a node, and what it needs, once for this evaluation.
    fn count(&mut self, node: usize, cost: &mut Cost) {
        self.open.push(node as u32);
        self.count_open(cost);
    }

    fn count_open(&mut self, cost: &mut Cost) {
        while let Some(next) = self.open.pop() {
            let node = &mut self.nodes[next as usize];
            if node.seen == self.evaluation {
                continue;
            }
            node.seen = self.evaluation;
            cost.first += node.work as usize;
            cost.second = cost.second.max(node.depth as usize);
            // What the function needs is counted.
            if node.work > 0 {
                self.open_args(next as usize);
            }
        }
    }

    /// Counts the nodes of negative entries, each once, behind everything else.
    fn count_negative(&mut self, nodes: &[usize], cost: &mut Cost) {
        for &node in nodes {
            self.open_args(node);
            self.count_open(cost);
        }
        for &node in nodes {
            if self.values[node].is_none() && (self.is_computed(node) || !self.takes_sign(node)) {
                let row = ClassCost::of(Class::Negation);
                cost.first += row.work;
                cost.second = cost.second.max(self.nodes[node].depth as usize + row.latency);
            }
        }
        for &node in nodes {
            self.count(node, cost);
        }
    }

    /// Whether the value without the sign is needed by others.
    fn is_computed(&self, node: usize) -> bool {
        self.nodes[node].work == 0 || self.nodes[node].seen == self.evaluation
    }

    /// Whether the sign costs nothing: a difference is turned round, a constant operand takes it.
    fn takes_sign(&self, node: usize) -> bool {
        let Node { op, left, right, .. } = self.nodes[node];
        let is_number = |arg: u32| self.values[arg as usize].is_some();
        match op {
            Op::Sum => false,
            Op::Difference => true,
            Op::Product => is_number(left) || is_number(right),
            Op::Given => match self.linearization.algebra.list().statement(ValueId::new(node)) {
                Statement::Apply { intrinsic: known::DIV, args, .. } => {
                    args.iter().any(|arg| is_number(arg.index() as u32))
                }
                _ => false,
            },
        }
    }

    /// Adds the arguments of a node to those that are to be counted.
    fn open_args(&mut self, node: usize) {
        let Node { op, left, right, .. } = self.nodes[node];
        match op {
            Op::Given => {
                let list = self.linearization.algebra.list();
                if node < list.statements().len() {
                    self.open.extend(list.args(ValueId::new(node)).map(|arg| arg.index() as u32));
                }
            }
            Op::Sum | Op::Difference | Op::Product => {
                self.open.push(left);
                self.open.push(right);
            }
        }
    }
}

/// The key of a sum, and whether the label is minus what is entered under it. (The algebra's, in one word.)
fn sum_key(left: Label, right: Label) -> (u64, bool) {
    let (first, second) = if left.0 >> 1 <= right.0 >> 1 { (left, right) } else { (right, left) };
    let op = if first.is_negative() == second.is_negative() { 0 } else { 1 };
    (key(op, first, second), first.is_negative())
}

/// The key of a product, and its sign.
fn product_key(left: Label, right: Label) -> (u64, bool) {
    let (first, second) = if left.0 >> 1 <= right.0 >> 1 { (left, right) } else { (right, left) };
    (key(2, first, second), left.is_negative() != right.is_negative())
}

fn key(op: u64, first: Label, second: Label) -> u64 {
    op << 62 | (first.0 as u64 >> 1) << 31 | second.0 as u64 >> 1
}

impl Arithmetic for Interned {
    type Label = Label;

    fn given(&self, label: LabelId) -> Label {
        self.given[label.index()]
    }

    fn product(&mut self, first: Label, second: Label, _: Ends) -> Label {
        self.mul(first, second)
    }

    fn absorb(&mut self, addend: Label, first: Label, second: Label, _: Ends) -> Label {
        let product = self.mul(first, second);
        self.add(addend, product)
    }
}

impl Reversible for Interned {
    /// The number of nodes that the plan has come to.
    type Mark = usize;

    fn mark(&self) -> usize {
        self.trail.len()
    }

    fn reset(&mut self, mark: usize) {
        while self.trail.len() > mark
            && let Some(node) = self.trail.pop()
        {
            self.used[self.nodes[node as usize].class as usize] = None;
        }
    }
}

impl Measuring for Interned {
    fn cost(&mut self, edges: &Edges<Label>) -> Cost {
        self.evaluation += 1;
        let mut cost = self.function;
        let of_column = |column: &VertexId| edges.outgoing(*column).iter().map(|&(_, label)| label);
        let entries: Vec<Label> = self.linearization.columns.iter().flat_map(of_column).collect();
        for label in entries.iter().filter(|label| !label.is_negative()) {
            self.count(label.node(), &mut cost);
        }
        let negative = entries.iter().filter(|label| label.is_negative());
        let mut negative: Vec<_> = negative.map(|label| label.node()).collect();
        negative.sort_unstable();
        negative.dedup();
        self.count_negative(&negative, &mut cost);
        Cost { first: cost.first + cost.second, second: 0 }
    }
}
