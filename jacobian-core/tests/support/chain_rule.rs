//! The chain rule, statement by statement, modulo 2^61 - 1: tangents through the partials as the catalogue prints them,
//! without graph, folding or numbering. It knows nothing of the linearization that it checks. Of a branch, the arm that
//! runs is walked through, of a loop the iterations that are made, of a call the function.

use jacobian_core::CodeList;
use jacobian_core::block::{Block, Body};
use jacobian_core::catalogue::{CATALOGUE, Intrinsic, NAMED_CONSTANTS, Row, STANDARD_CONSTANTS};
use jacobian_core::code_list::{Constant, Statement};
use jacobian_core::evaluate::{Domain, Given, Modular, arm, evaluate, select};
use jacobian_core::expression::{self, Expression};

/// The partials of all rows, read.
pub struct ChainRule {
    firsts: Vec<Vec<Expression>>,
    seconds: Vec<Vec<Expression>>,
}

/// What a partial is evaluated over.
struct Place<'a> {
    list: &'a CodeList,
    row: &'static Row,
    args: Vec<u64>,
    result: u64,
    /// The first partials, for a second one.
    firsts: Vec<u64>,
}

/// The value, the gradient and the Hessian of a value.
#[derive(Clone)]
struct Second {
    gradient: Vec<u64>,
    hessian: Vec<Vec<u64>>,
}

impl ChainRule {
    pub fn new() -> Self {
        let read = |partial: &&str| expression::parse(partial).expect("partials are expressions");
        ChainRule {
            firsts: CATALOGUE.iter().map(|row| row.partials.iter().map(read).collect()).collect(),
            seconds: CATALOGUE.iter().map(|row| row.seconds.iter().map(read).collect()).collect(),
        }
    }

    /// The gradient and the Hessian of the sum of the results of `list`, which has no blocks but passive values, with
    /// these weights: the second-order chain rule, statement by statement.
    #[allow(dead_code, reason = "most tests are about first derivatives")]
    pub fn hessian(
        &self,
        list: &CodeList,
        inputs: &[u64],
        passive: &[u64],
        weights: &[u64],
    ) -> (Vec<u64>, Vec<Vec<u64>>) {
        let (domain, width) = (Given { domain: &Modular, numbers: passive }, inputs.len());
        let values = evaluate(list, &domain, inputs);
        let zero = Second { gradient: vec![0; width], hessian: vec![vec![0; width]; width] };
        let (mut seconds, mut column): (Vec<Second>, usize) = (Vec::new(), 0);
        for id in list.ids() {
            let mut second = zero.clone();
            match *list.statement(id) {
                Statement::Input(_) => {
                    second.gradient[column] = 1;
                    column += 1;
                }
                Statement::Apply { intrinsic, args, .. } => {
                    let args: Vec<_> = args.iter().map(|arg| (values[arg.index()], &seconds[arg.index()])).collect();
                    self.chain_second(list, intrinsic, &args, values[id.index()], &mut second);
                }
                _ => {}
            }
            seconds.push(second);
        }
        let mut sum = zero;
        for (output, &weight) in list.outputs().iter().zip(weights) {
            sum.add(&seconds[output.index()], weight);
        }
        (sum.gradient, sum.hessian)
    }

    fn chain_second(
        &self,
        list: &CodeList,
        intrinsic: Intrinsic,
        args: &[(u64, &Second)],
        result: u64,
        sum: &mut Second,
    ) {
        let is_passive = |arg: &Second| arg.gradient.iter().all(|&entry| entry == 0);
        if args.iter().all(|(_, arg)| is_passive(arg)) {
            return;
        }
        let values = args.iter().map(|(value, _)| *value).collect();
        let mut place = Place { list, row: intrinsic.row(), args: values, result, firsts: Vec::new() };
        place.firsts = self.firsts[intrinsic.index()].iter().map(|partial| place.evaluate(partial)).collect();
        for ((_, arg), &partial) in args.iter().zip(&place.firsts) {
            sum.add(arg, partial);
        }
        let pairs = (0..args.len()).flat_map(|row| (0..=row).map(move |column| (row, column)));
        for ((row, column), partial) in pairs.zip(&self.seconds[intrinsic.index()]) {
            let (one, other) = (args[row].1, args[column].1);
            if is_passive(one) || is_passive(other) {
                continue;
            }
            let partial = place.evaluate(partial);
            sum.add_product(one, other, partial);
            if row != column {
                sum.add_product(other, one, partial);
            }
        }
    }

    /// The Jacobian of `list`, which calls nothing, row by row.
    #[allow(dead_code, reason = "not all tests are without calls")]
    pub fn jacobian(&self, list: &CodeList, inputs: &[u64], passive: &[u64]) -> Vec<Vec<u64>> {
        self.jacobian_in(&Given { domain: &Modular, numbers: passive }, &[], list, inputs)
    }

    /// The Jacobian of `list`, which calls these functions, by the order of the derivatives that they give, row by row.
    /// The domain knows their values.
    pub fn jacobian_in<D: Domain<Number = u64>>(
        &self,
        domain: &D,
        callees: &[&[CodeList]],
        list: &CodeList,
        inputs: &[u64],
    ) -> Vec<Vec<u64>> {
        let unit = |column: usize| (0..inputs.len()).map(|other| u64::from(column == other)).collect();
        let seeds = (0..inputs.len()).map(unit).collect();
        Walk { rule: self, domain, callees, width: inputs.len() }.tangents(list, inputs, seeds)
    }
}

/// A tangent for every result.
type Tangents = Vec<Vec<u64>>;

struct Walk<'a, D> {
    rule: &'a ChainRule,
    domain: &'a D,
    callees: &'a [&'a [CodeList]],
    /// The number of columns.
    width: usize,
}

impl<D: Domain<Number = u64>> Walk<'_, D> {
    /// The tangents of the outputs, from those of the inputs.
    fn tangents(&self, list: &CodeList, inputs: &[u64], seeds: Tangents) -> Tangents {
        let (values, mut seeds) = (evaluate(list, self.domain, inputs), seeds.into_iter());
        let mut tangents: Tangents = Vec::with_capacity(values.len());
        let mut parts: Vec<Tangents> = Vec::new();
        for id in list.ids() {
            let zero = vec![0; self.width];
            tangents.push(match *list.statement(id) {
                Statement::Input(_) => seeds.next().expect("a tangent for every input"),
                Statement::Constant(_) => zero,
                Statement::Apply { intrinsic, args, .. } => {
                    let args = args.iter().map(|arg| (values[arg.index()], &tangents[arg.index()][..])).collect();
                    self.chain(list, intrinsic, args, values[id.index()])
                }
                Statement::Block(_) => {
                    parts.push(self.block(list, list.block_of(id), &values, &tangents));
                    zero
                }
                Statement::Part { block, index } => {
                    let Statement::Block(block) = list.statement(block) else { panic!("a part is one of a block") };
                    parts[block.index()][index as usize].clone()
                }
            });
        }
        list.outputs().iter().map(|output| tangents[output.index()].clone()).collect()
    }

    /// The tangent of an application to arguments with these values and tangents.
    fn chain(&self, list: &CodeList, intrinsic: Intrinsic, args: Vec<(u64, &[u64])>, result: u64) -> Vec<u64> {
        let mut sum = vec![0; self.width];
        let (values, tangents): (Vec<_>, Vec<_>) = args.into_iter().unzip();
        let place = Place { list, row: intrinsic.row(), args: values, result, firsts: Vec::new() };
        for (partial, tangent) in self.rule.firsts[intrinsic.index()].iter().zip(tangents) {
            add_multiple(&mut sum, tangent, || place.evaluate(partial));
        }
        sum
    }

    /// The tangents of the results of a block.
    fn block(&self, list: &CodeList, block: &Block, values: &[u64], tangents: &[Vec<u64>]) -> Tangents {
        let args = select(values, &block.args);
        let seeds = block.args.iter().map(|arg| tangents[arg.index()].clone()).collect();
        match &block.body {
            Body::Call { order, .. } => {
                self.tangents(&self.callees[usize::from(*order)][block.origin as usize], &args, seeds)
            }
            Body::Opaque { gives } => vec![vec![0; self.width]; gives.len()],
            Body::Branch { selector, arms, .. } => {
                let taken = arm(self.domain, list.kind(*selector), values[selector.index()], arms.len());
                self.tangents(&arms[taken], &args, seeds)
            }
            Body::Loop { iterations, body, carried } => {
                let iterations =
                    iterations.map(|iterations| self.domain.as_index(values[iterations.index()]).unwrap_or(0));
                self.iterations(iterations, body, *carried, args, seeds)
            }
        }
    }

    /// The tangents of what a loop carries, after its last iteration.
    fn iterations(
        &self,
        iterations: Option<usize>,
        body: &CodeList,
        carried: usize,
        mut args: Vec<u64>,
        mut seeds: Tangents,
    ) -> Tangents {
        let read = args.len() - carried;
        for _ in 0..iterations.unwrap_or(usize::MAX) {
            let outputs = select(&evaluate(body, self.domain, &args), body.outputs());
            let tangents = self.tangents(body, &args, seeds.clone());
            seeds[read..].clone_from_slice(&tangents[..carried]);
            args[read..].copy_from_slice(&outputs[..carried]);
            if outputs.get(carried) == Some(&0) {
                break;
            }
        }
        seeds.split_off(read)
    }
}

impl Second {
    /// `self += factor * other`.
    fn add(&mut self, other: &Second, factor: u64) {
        add_multiple(&mut self.gradient, &other.gradient, || factor);
        for (row, other) in self.hessian.iter_mut().zip(&other.hessian) {
            add_multiple(row, other, || factor);
        }
    }

    /// Adds `factor` times the product of two gradients.
    fn add_product(&mut self, one: &Second, other: &Second, factor: u64) {
        for (row, &entry) in self.hessian.iter_mut().zip(&one.gradient) {
            add_multiple(row, &other.gradient, || Modular::mul(entry, factor));
        }
    }
}

/// `sum += factor * tangent`.
fn add_multiple(sum: &mut [u64], tangent: &[u64], factor: impl Fn() -> u64) {
    if tangent.iter().all(|&entry| entry == 0) {
        return;
    }
    let factor = factor();
    for (entry, &other) in sum.iter_mut().zip(tangent) {
        *entry = Modular::add(*entry, Modular::mul(factor, other));
    }
}

impl Place<'_> {
    fn evaluate(&self, expression: &Expression) -> u64 {
        match expression {
            Expression::Number(number) => self.constant(*number),
            Expression::Name(name) => self.named(name),
            Expression::Apply(intrinsic, operands) => self.apply(*intrinsic, operands),
        }
    }

    fn apply(&self, intrinsic: Intrinsic, operands: &[Expression]) -> u64 {
        let args: Vec<_> = operands.iter().map(|operand| self.evaluate(operand)).collect();
        Modular.apply(intrinsic, &args)
    }

    fn named(&self, name: &str) -> u64 {
        let parameter = self.row.parameters.iter().position(|parameter| *parameter == name);
        let constants = || STANDARD_CONSTANTS.iter().chain(NAMED_CONSTANTS);
        let constant = || constants().find(|(known, _)| *known == name).map(|(_, value)| *value);
        match parameter {
            Some(position) => self.args[position],
            None if name == "v" => self.result,
            None if constant().is_none() => self.firsts[name[1..].parse::<usize>().expect("a first partial")],
            None => self.constant(constant().expect("partials name parameters and constants")),
        }
    }

    fn constant(&self, value: f64) -> u64 {
        Modular.constant(Constant::Float(self.list.round(value)))
    }
}
