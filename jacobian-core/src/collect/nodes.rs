//! The values of a code list as multiples of nodes, in which those meet that differ by a factor, by the order of their
//! factors, or by that of their terms.

use std::collections::HashMap;

use jacobian_list::catalogue::known;
use jacobian_list::code_list::{Args, CodeList, Constant, Precision, Statement, ValueId};
use jacobian_list::evaluate::constants;

use crate::algebra::monomial::Monomial;
use crate::algebra::rules::{exact_product, exact_sum};

/// The number of a node.
pub(super) type NodeId = usize;

/// A node times a number, which is not zero.
#[derive(Copy, Clone, PartialEq, Default, Debug)]
pub(super) struct Multiple {
    pub(super) factor: f64,
    pub(super) node: NodeId,
}

impl Multiple {
    fn once(node: NodeId) -> Self {
        Multiple { factor: 1.0, node }
    }

    /// The same times a number.
    pub(super) fn times(self, factor: f64) -> Self {
        Multiple { factor: self.factor * factor, ..self }
    }
}

/// How a node is computed, from nodes before it.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// It is what a statement gives.
    Value,
    /// It is a number, which is there as any multiple.
    Number(f64),
    Product([NodeId; 2]),
    Quotient(NodeId, Multiple),
    /// Two terms or more, whose factors are whole numbers without a common divisor, the first one positive.
    Sum(Vec<Multiple>),
}

/// A multiple of a node, by the multiples that it is computed from, in the order of the node's form.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// Its factor, which is positive.
    pub(super) factor: f64,
    pub(super) of: Vec<Multiple>,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) form: Form,
    /// The values of the list that are multiples of it, and are computed whatever becomes of it: the magnitudes of the
    /// factors, with the terms' signs.
    pub(super) own: Vec<(f64, ValueId)>,
    /// The statement after which it is computed, when its operands are there.
    pub(super) home: ValueId,
    /// The statement that it has its name of: the first that gives a multiple of it, or the one after which it is computed.
    pub(super) origin: ValueId,
    /// How the first value that is a multiple of it is computed.
    pub(super) first: Option<Choice>,
    /// Whether it is a number: the compiler computes any multiple of it.
    is_constant: bool,
    /// Whether several values are multiples of it.
    is_shared: bool,
    monomial: Monomial,
}

impl Node {
    /// Whether it need not be computed: a power of two times it is there, and so is any multiple by one product.
    pub(super) fn is_given(&self) -> bool {
        self.is_constant || !self.own.is_empty()
    }

    /// The nodes that it is computed from.
    pub(super) fn operands(&self) -> Vec<NodeId> {
        match &self.form {
            Form::Value | Form::Number(_) => Vec::new(),
            Form::Product(factors) => factors.to_vec(),
            Form::Quotient(of, by) => vec![*of, by.node],
            Form::Sum(terms) => terms.iter().map(|term| term.node).collect(),
        }
    }

    /// Whether this multiple of it is there.
    pub(super) fn has(&self, factor: f64) -> bool {
        self.is_constant || self.own.iter().any(|(own, _)| own.abs() == factor)
    }
}

/// A sum with this many terms is not made a part of another one, so that none takes a time quadratic in its length.
const MAX_TERMS: usize = 16;

/// Numbers whose odd part is less than this are factors; of others, the powers of two are.
const MAX_ODD: u64 = 1024;

/// Nodes, and in what equal ones meet.
pub(super) struct Nodes<'a> {
    list: &'a CodeList,
    /// By statement: whether it may be computed in another way.
    is_free: &'a [bool],
    /// By statement: whether it depends on constants alone.
    is_constant: Vec<bool>,
    pub(super) nodes: Vec<Node>,
    /// By statement that is a float: what it is.
    pub(super) values: Vec<Multiple>,
    /// By statement: whether what it is a multiple of is read nowhere else.
    is_read_once: Vec<bool>,
    products: HashMap<[u64; 2], NodeId>,
    sums: HashMap<Vec<(NodeId, u64)>, NodeId>,
    quotients: HashMap<(NodeId, NodeId, u64), NodeId>,
    /// By odd part.
    numbers: HashMap<u64, NodeId>,
    one: NodeId,
}

impl<'a> Nodes<'a> {
    /// The nodes of a list without dead code; none where some factor would be rounded, or some value is zero.
    pub(super) fn of(list: &'a CodeList, is_free: &'a [bool]) -> Option<Self> {
        let mut nodes = Nodes {
            list,
            is_free,
            is_constant: constants(list),
            nodes: Vec::new(),
            values: Vec::with_capacity(list.statements().len()),
            is_read_once: list.uses().into_iter().map(|uses| uses == 1).collect(),
            products: HashMap::new(),
            sums: HashMap::new(),
            quotients: HashMap::new(),
            numbers: HashMap::new(),
            one: 0,
        };
        nodes.one = nodes.add(Form::Number(1.0), ValueId::new(0), None);
        for id in list.ids() {
            let value = nodes.statement(id)?;
            nodes.values.push(value);
        }
        Some(nodes)
    }

    /// No nodes of the same list.
    pub(super) fn emptied(&self) -> Self {
        Nodes {
            list: self.list,
            is_free: self.is_free,
            is_constant: Vec::new(),
            nodes: Vec::new(),
            values: Vec::new(),
            is_read_once: Vec::new(),
            products: HashMap::new(),
            sums: HashMap::new(),
            quotients: HashMap::new(),
            numbers: HashMap::new(),
            one: 0,
        }
    }

    /// Adds a node that is given, of nodes of the same list, the first of which is the number one. If it is a product of
    /// nodes that have been added, it is found as their product.
    pub(super) fn copy(&mut self, node: &Node, factors: Option<[NodeId; 2]>) -> Multiple {
        let id = self.nodes.len();
        let form = if let Form::Number(number) = node.form { Form::Number(number) } else { Form::Value };
        let product = factors.map(|[left, right]| self.nodes[left].monomial.times(self.nodes[right].monomial));
        if let Some(product) = product {
            self.products.entry(product.values).or_insert(id);
        }
        let monomial = product.unwrap_or_else(|| Monomial::leaf(id));
        self.nodes.push(Node { form, first: None, monomial, ..node.clone() });
        Multiple::once(id)
    }

    /// The number one.
    pub(super) fn one(&self) -> Multiple {
        Multiple::once(self.one)
    }

    /// What comes after all statements: the home of a node that has none yet.
    pub(super) fn end(&self) -> ValueId {
        ValueId::new(self.list.statements().len())
    }

    /// Lets a node be where another one is, if it has no home yet, or a later one.
    pub(super) fn place(&mut self, node: NodeId, like: &Node) {
        if like.home < self.nodes[node].home {
            self.nodes[node].home = like.home;
            self.nodes[node].origin = like.origin;
        }
    }

    /// Lets every node be where the first one is that is computed from it, at the latest.
    pub(super) fn place_operands(&mut self) {
        for node in (0..self.nodes.len()).rev().filter(|&node| !self.nodes[node].is_given()).collect::<Vec<_>>() {
            let home = self.nodes[node].home;
            self.nodes[node].origin = self.nodes[node].origin.min(home);
            for operand in self.nodes[node].operands() {
                let operand = &mut self.nodes[operand];
                if !operand.is_given() {
                    operand.home = operand.home.min(home);
                }
            }
        }
    }

    fn statement(&mut self, id: ValueId) -> Option<Multiple> {
        let list = self.list;
        if let Statement::Constant(Constant::Float(value)) = *list.statement(id)
            && let Some(number) = self.constant(value, id)
        {
            return Some(number);
        }
        let count = self.nodes.len();
        let known = match *list.statement(id) {
            _ if self.is_constant[id.index()] => None,
            Statement::Apply { intrinsic, args, .. } => {
                let arg = |place: usize| self.values[args[place].index()];
                match intrinsic {
                    known::ADD => Some(self.sum(id, args, 1.0)?),
                    known::SUB => Some(self.sum(id, args, -1.0)?),
                    known::NEG => Some(Multiple { factor: -arg(0).factor, ..arg(0) }),
                    known::MUL => Some(self.product(arg(0), arg(1), id)?),
                    known::DIV => Some(self.quotient(arg(0), arg(1), id)?),
                    known::RECIP => Some(self.quotient(Multiple::once(self.one), arg(0), id)?),
                    _ => None,
                }
            }
            _ => None,
        };
        let value = known.unwrap_or_else(|| Multiple::once(self.add(Form::Value, id, None)));
        if self.is_free[id.index()] || matches!(self.nodes[value.node].form, Form::Number(_)) {
            return Some(value);
        }
        if self.nodes[value.node].own.is_empty() && (value.node < count || !is_power_of_two(value.factor)) {
            // What is there before the value does not wait for it; and of what is not a power of two times the node,
            // the node is not found by a product.
            let value = Multiple::once(self.add(Form::Value, id, None));
            self.nodes[value.node].own.push((1.0, id));
            return Some(value);
        }
        let node = &mut self.nodes[value.node];
        if node.own.is_empty() || !node.has(value.factor.abs()) {
            node.own.push((value.factor, id));
        }
        Some(value)
    }

    fn add(&mut self, form: Form, home: ValueId, monomial: Option<Monomial>) -> NodeId {
        let node = self.nodes.len();
        let is_constant =
            matches!(form, Form::Number(_)) || matches!(form, Form::Value) && self.is_constant[home.index()];
        let monomial = monomial.unwrap_or_else(|| Monomial::leaf(node));
        self.nodes.push(Node {
            form,
            own: Vec::new(),
            home,
            origin: home,
            first: None,
            is_constant,
            is_shared: false,
            monomial,
        });
        node
    }

    /// Lets what is equal to this node from now on be this node.
    fn enter(&mut self, node: NodeId) {
        match &self.nodes[node].form {
            Form::Product(_) => drop(self.products.insert(self.nodes[node].monomial.values, node)),
            Form::Sum(terms) => drop(self.sums.insert(key(terms), node)),
            Form::Quotient(of, by) => drop(self.quotients.insert((*of, by.node, by.factor.to_bits()), node)),
            Form::Value | Form::Number(_) => {}
        }
    }

    fn shared(&mut self, node: NodeId) -> NodeId {
        self.nodes[node].is_shared = true;
        node
    }

    /// A number of the list: itself as a factor, or a power of two as the factor of the first number with its odd part.
    fn constant(&mut self, value: f64, home: ValueId) -> Option<Multiple> {
        let (odd, _) = odd_part(value)?;
        if odd < MAX_ODD {
            return Some(Multiple { factor: value, node: self.one });
        }
        let node = match self.numbers.get(&odd) {
            Some(&node) => node,
            None => {
                let node = self.add(Form::Number(value.abs()), home, None);
                self.numbers.insert(odd, node);
                node
            }
        };
        let Form::Number(first) = self.nodes[node].form else { return None };
        Some(Multiple { factor: value / first, node })
    }

    /// The product of two factors, if it is one.
    fn times(&self, left: f64, right: f64) -> Option<f64> {
        exact_product(left, right).filter(|&factor| self.is_factor(factor))
    }

    /// Whether a number is short enough for a factor: products of two of these are exact.
    fn is_factor(&self, value: f64) -> bool {
        let limit = if self.list.precision() == Precision::F64 { 1 << 20 } else { 1 << 11 };
        value == 0.0 || self.list.is_exact(value) && odd_part(value).is_some_and(|(odd, _)| odd < limit)
    }

    pub(super) fn product(&mut self, left: Multiple, right: Multiple, home: ValueId) -> Option<Multiple> {
        let factor = self.times(left.factor, right.factor)?;
        if left.node == self.one || right.node == self.one {
            let node = if left.node == self.one { right.node } else { left.node };
            return Some(Multiple { factor, node });
        }
        let monomial = self.nodes[left.node].monomial.times(self.nodes[right.node].monomial);
        let node = match self.products.get(&monomial.values) {
            Some(&node) => self.shared(node),
            None => {
                let node = self.add(Form::Product([left.node, right.node]), home, Some(monomial));
                let of = [left, right].map(|of| Multiple { factor: of.factor.abs(), ..of });
                self.nodes[node].first = Some(Choice { factor: factor.abs(), of: of.to_vec() });
                self.enter(node);
                node
            }
        };
        Some(Multiple { factor, node })
    }

    pub(super) fn quotient(&mut self, of: Multiple, by: Multiple, home: ValueId) -> Option<Multiple> {
        let (factor, by) = match is_power_of_two(by.factor) {
            true => (self.times(of.factor, by.factor.recip())?, Multiple { factor: 1.0, ..by }),
            false => (of.factor.copysign(of.factor * by.factor), Multiple { factor: by.factor.abs(), ..by }),
        };
        if by.node == self.one && by.factor == 1.0 {
            return Some(Multiple { factor, node: of.node });
        }
        let node = match self.quotients.get(&(of.node, by.node, by.factor.to_bits())) {
            Some(&node) => node,
            None => {
                let node = self.add(Form::Quotient(of.node, by), home, None);
                let (factor, of) = (factor.abs(), of.node);
                self.nodes[node].first = Some(Choice { factor, of: vec![Multiple { factor, node: of }, by] });
                self.enter(node);
                node
            }
        };
        Some(Multiple { factor, node })
    }

    /// A sum of two arguments, the second with this sign. A sum that is read by another one alone is a part of it.
    fn sum(&mut self, id: ValueId, args: Args, sign: f64) -> Option<Multiple> {
        let mut terms = Vec::new();
        for (place, sign) in [1.0, sign].into_iter().enumerate() {
            let Multiple { factor, node } = self.values[args[place].index()];
            match &self.nodes[node] {
                Node { form: Form::Sum(inner), own, is_shared: false, .. }
                    if self.is_free[id.index()]
                        && self.is_read_once(args[place])
                        && own.is_empty()
                        && inner.len() < MAX_TERMS =>
                {
                    for term in inner {
                        terms.push(Multiple { factor: self.times(sign * factor, term.factor)?, ..*term });
                    }
                }
                _ => terms.push(Multiple { factor: sign * factor, node }),
            }
        }
        self.sum_of(terms, id)
    }

    /// Whether nothing else reads the node of a value: nor the value of which it is a multiple.
    fn is_read_once(&self, mut value: ValueId) -> bool {
        let node = self.values[value.index()].node;
        loop {
            if !self.is_read_once[value.index()] {
                return false;
            }
            let is_same = |arg: &ValueId| self.values[arg.index()].node == node;
            match self.list.args(value).find(is_same) {
                Some(of) => value = of,
                None => return true,
            }
        }
    }

    /// The sum of these terms, in which like ones become one.
    pub(super) fn sum_of(&mut self, all: Vec<Multiple>, home: ValueId) -> Option<Multiple> {
        let mut terms: Vec<Multiple> = Vec::with_capacity(all.len());
        for term in all {
            match terms.iter_mut().find(|like| like.node == term.node) {
                Some(like) => {
                    like.factor = exact_sum(like.factor, term.factor).filter(|&sum| self.is_factor(sum))?;
                }
                None => terms.push(term),
            }
        }
        terms.retain(|term| term.factor != 0.0);
        if let [] | [_] = terms[..] {
            return terms.first().copied();
        }
        let divisor = common_divisor(terms.iter().map(|term| term.factor))?;
        let factor = divisor.abs();
        for term in &mut terms {
            term.factor /= divisor;
        }
        if !self.is_factor(divisor) || !terms.iter().all(|term| self.is_factor(term.factor)) {
            return None;
        }
        let node = match self.sums.get(&key(&terms)) {
            Some(&node) => self.shared(node),
            None => {
                let of = terms.iter().map(|term| Multiple { factor: term.factor * factor, ..*term }).collect();
                let node = self.add(Form::Sum(terms), home, None);
                self.nodes[node].first = Some(Choice { factor, of });
                self.enter(node);
                node
            }
        };
        Some(Multiple { factor: divisor, node })
    }
}

fn key(terms: &[Multiple]) -> Vec<(NodeId, u64)> {
    let mut key: Vec<_> = terms.iter().map(|term| (term.node, term.factor.to_bits())).collect();
    key.sort_unstable();
    key
}

pub(super) fn is_power_of_two(value: f64) -> bool {
    odd_part(value).is_some_and(|(odd, _)| odd == 1)
}

/// The odd whole number and the power of two of which a number is the product, if both are of moderate size.
fn odd_part(value: f64) -> Option<(u64, i32)> {
    const EXPONENTS: std::ops::RangeInclusive<i32> = -200..=60;
    let bits = value.abs().to_bits();
    let (exponent, mantissa) = ((bits >> 52) as i32, bits & ((1 << 52) - 1) | 1 << 52);
    let twos = mantissa.trailing_zeros();
    let exponent = exponent - 1075 + twos as i32;
    (value.is_normal() && EXPONENTS.contains(&exponent)).then_some((mantissa >> twos, exponent))
}

/// What the factors of a sum are divided by: they become whole numbers without a common divisor, the first positive.
pub(super) fn common_divisor(factors: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut divisor, mut least, mut sign) = (0, i32::MAX, None);
    for factor in factors {
        let (odd, exponent) = odd_part(factor)?;
        divisor = greatest_common_divisor(odd, divisor);
        least = least.min(exponent);
        sign = sign.or(Some(factor));
    }
    Some((divisor as f64 * 2.0_f64.powi(least)).copysign(sign?))
}

fn greatest_common_divisor(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
