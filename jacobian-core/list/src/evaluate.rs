//! Evaluation of code lists: modulo a prime, where nothing is rounded, and, for tests and tools, in floats, as the
//! generated code computes.

use crate::block::{Block, Body, counted};
use crate::catalogue::{Intrinsic, known};
#[cfg(feature = "tools")]
use crate::code_list::Precision;
use crate::code_list::{CodeList, Constant, Kind, Statement, ValueId};
use crate::modular::scramble;
pub use crate::modular::{MODULUS, Modular};

/// The numbers in which a code list can be evaluated.
pub trait Domain {
    /// A number.
    type Number: Copy;

    /// A constant of the code list.
    fn constant(&self, constant: Constant) -> Self::Number;

    /// The application of an intrinsic.
    /// A false bool is 0, a true one is 1.
    fn apply(&self, intrinsic: Intrinsic, args: &[Self::Number]) -> Self::Number;

    /// The number as a small integer that is not negative, if it is one.
    fn as_index(&self, number: Self::Number) -> Option<usize>;

    /// The results of a function that a block calls: those of the function, and then its partials up to an order, as
    /// [`Body::Call`] says.
    ///
    /// # Panics
    /// Where the domain does not know what functions are called.
    fn call(&self, origin: u32, _order: u8, _args: &[Self::Number]) -> Vec<Self::Number> {
        panic!("the function {origin} is not known here")
    }

    /// The results of an opaque statement, which are of these kinds.
    ///
    /// # Panics
    /// Where the domain does not know what the front end has written.
    fn opaque(&self, origin: u32, _gives: &[Kind], _args: &[Self::Number]) -> Vec<Self::Number> {
        panic!("the opaque statement {origin} is not known here")
    }
}

/// Every value of `list`, by position, at the given inputs (in the order of declaration). The statement that runs a
/// block counts as 0.
///
/// # Panics
/// Where fewer numbers are given than the list has inputs.
pub fn evaluate<D: Domain>(list: &CodeList, domain: &D, inputs: &[D::Number]) -> Vec<D::Number> {
    let mut evaluation = Evaluation { list, domain, inputs, values: Vec::new(), parts: Vec::new() };
    evaluation.values.reserve(list.statements().len());
    for statement in list.statements() {
        let value = evaluation.statement(statement);
        evaluation.values.push(value);
    }
    evaluation.values
}

struct Evaluation<'a, D: Domain> {
    list: &'a CodeList,
    domain: &'a D,
    /// The inputs that are still to come.
    inputs: &'a [D::Number],
    values: Vec<D::Number>,
    /// By block: its results.
    parts: Vec<Vec<D::Number>>,
}

impl<D: Domain> Evaluation<'_, D> {
    fn statement(&mut self, statement: &Statement) -> D::Number {
        match statement {
            Statement::Input(_) => self.inputs.split_off_first().copied().expect("a number for every input"),
            Statement::Constant(constant) => self.domain.constant(*constant),
            Statement::Apply { intrinsic, args, .. } => self.domain.apply(*intrinsic, &select(&self.values, args)),
            Statement::Block(block) => {
                let parts = self.block(&self.list.blocks()[block.index()]);
                self.parts.push(parts);
                self.domain.constant(Constant::Float(0.0))
            }
            Statement::Part { block, index } => self.parts[self.list.block_id(*block).index()][*index as usize],
        }
    }

    fn block(&self, block: &Block) -> Vec<D::Number> {
        let args = select(&self.values, &block.args);
        let (selector, arms) = match &block.body {
            Body::Loop { iterations, body, carried } => return self.iterations(*iterations, body, *carried, args),
            Body::Call { columns, order, .. } => {
                return self.domain.call(block.origin, *order, &args[..*columns]);
            }
            Body::Opaque { .. } if block.origin == counted::NONE => {
                return vec![self.domain.constant(Constant::Float(0.0))];
            }
            Body::Opaque { .. } if block.origin == counted::NEXT => {
                let one = self.domain.constant(Constant::Float(1.0));
                return vec![self.domain.apply(known::ADD, &[args[0], one])];
            }
            Body::Opaque { gives } => return self.domain.opaque(block.origin, gives, &args),
            Body::Branch { selector, arms, .. } => (*selector, arms),
        };
        let taken = &arms[arm(self.domain, self.list.kind(selector), self.values[selector.index()], arms.len())];
        select(&evaluate(taken, self.domain, &args), taken.outputs())
    }

    /// What a loop carries after its last iteration. A number of iterations that is no index is none.
    fn iterations(
        &self,
        iterations: Option<ValueId>,
        body: &CodeList,
        carried: usize,
        mut args: Vec<D::Number>,
    ) -> Vec<D::Number> {
        let (read, number) = (args.len() - carried, iterations.map(|iterations| self.values[iterations.index()]));
        let mut left = number.map(|number| self.domain.as_index(number).unwrap_or(0));
        let mut goes_on = true;
        while goes_on && left != Some(0) {
            let outputs = select(&evaluate(body, self.domain, &args), body.outputs());
            args[read..].copy_from_slice(&outputs[..carried]);
            goes_on = outputs.get(carried).is_none_or(|&goes_on| self.domain.as_index(goes_on) != Some(0));
            left = left.map(|left| left - 1);
        }
        args.split_off(read)
    }
}

/// The number of the arm that runs, of this many.
pub fn arm<D: Domain>(domain: &D, kind: Kind, selector: D::Number, arms: usize) -> usize {
    let index = domain.as_index(selector);
    match kind {
        Kind::Bool => usize::from(index == Some(0)),
        Kind::Int | Kind::Float | Kind::Opaque => index.map_or(arms - 1, |index| index.min(arms - 1)),
    }
}

/// The values at `ids` of what [`evaluate`] returned.
pub fn select<N: Copy>(values: &[N], ids: &[ValueId]) -> Vec<N> {
    ids.iter().map(|id| values[id.index()]).collect()
}

/// By position, whether a value is computed from constants alone, and surely without a panic.
pub fn constants(list: &CodeList) -> Vec<bool> {
    let mut constants: Vec<bool> = Vec::with_capacity(list.statements().len());
    for statement in list.statements() {
        constants.push(match statement {
            Statement::Input(_) | Statement::Block(_) | Statement::Part { .. } => false,
            Statement::Constant(_) => true,
            Statement::Apply { intrinsic, args, .. } => {
                args.iter().all(|arg| constants[arg.index()]) && !intrinsic.row().may_panic()
            }
        });
    }
    constants
}

/// A domain in which the results of opaque statements are given: that number `r` of the statement with the origin `o`
/// is `numbers[o + r]`; one that is a float or no number is that plus all that the statement reads.
pub struct Given<'a, D: Domain> {
    /// The domain.
    pub domain: &'a D,
    /// The numbers.
    pub numbers: &'a [D::Number],
}

impl<D: Domain> Domain for Given<'_, D> {
    type Number = D::Number;

    fn constant(&self, constant: Constant) -> D::Number {
        self.domain.constant(constant)
    }

    fn apply(&self, intrinsic: Intrinsic, args: &[D::Number]) -> D::Number {
        self.domain.apply(intrinsic, args)
    }

    fn as_index(&self, number: D::Number) -> Option<usize> {
        self.domain.as_index(number)
    }

    fn call(&self, origin: u32, order: u8, args: &[D::Number]) -> Vec<D::Number> {
        self.domain.call(origin, order, args)
    }

    fn opaque(&self, origin: u32, gives: &[Kind], args: &[D::Number]) -> Vec<D::Number> {
        let sum = |number| args.iter().fold(number, |sum, &arg| self.domain.apply(known::ADD, &[sum, arg]));
        let result = |(kind, &number)| match kind {
            &Kind::Float | &Kind::Opaque => sum(number),
            &Kind::Int | &Kind::Bool => number,
        };
        gives.iter().zip(&self.numbers[origin as usize..]).map(result).collect()
    }
}

/// Floats of either precision; those of the single one are held in `f64`.
#[cfg(feature = "tools")]
pub struct Floats(pub Precision);

#[cfg(feature = "tools")]
impl Domain for Floats {
    type Number = f64;

    fn constant(&self, constant: Constant) -> f64 {
        constant.as_float()
    }

    fn apply(&self, intrinsic: Intrinsic, args: &[f64]) -> f64 {
        let evaluate = &intrinsic.row().evaluate;
        match self.0 {
            Precision::F64 | Precision::Generic => (evaluate.f64)(args),
            Precision::F32 => {
                let args: Vec<_> = args.iter().map(|&arg| arg as f32).collect();
                f64::from((evaluate.f32)(&args))
            }
        }
    }

    fn as_index(&self, number: f64) -> Option<usize> {
        ((0.0..=f64::from(u32::MAX)).contains(&number) && number.fract() == 0.0).then_some(number as usize)
    }
}

/// The rational operations are exact, every other intrinsic is an arbitrary function of its arguments, comparisons
/// included. So two code lists that are the same up to the laws of a field have the same values here, and others have
/// not, except with a probability of about 2^-60.
impl Domain for Modular {
    type Number = u64;

    fn constant(&self, constant: Constant) -> u64 {
        Self::float(constant.as_float())
    }

    fn apply(&self, intrinsic: Intrinsic, args: &[u64]) -> u64 {
        match (intrinsic, args) {
            (known::ADD, &[x, y]) => Self::add(x, y),
            (known::SUB, &[x, y]) => Self::add(x, Self::neg(y)),
            (known::MUL, &[x, y]) => Self::mul(x, y),
            (known::DIV, &[x, y]) => Self::mul(x, Self::inverse(y)),
            (known::NEG, &[x]) => Self::neg(x),
            (known::RECIP, &[x]) => Self::inverse(x),
            (known::MUL_ADD, &[x, y, z]) => Self::add(Self::mul(x, y), z),
            (known::POWI | known::POWF, &[x, n]) if !(64..=MODULUS - 64).contains(&n) => Self::int_power(x, n),
            (known::FLOAT, &[n]) => n,
            (known::PRED, &[n]) => Self::add(n, MODULUS - 1),
            (known::SELECT_EQ, &[x, y, z, w]) => {
                if x == y {
                    z
                } else {
                    w
                }
            }
            // The residues beyond the half are those of negative integers.
            (known::SELECT_LT, &[x, y, z, w]) => {
                if Self::centred(x) < Self::centred(y) {
                    z
                } else {
                    w
                }
            }
            (known::SELECT_LE, &[x, y, z, w]) => {
                if Self::centred(x) <= Self::centred(y) {
                    z
                } else {
                    w
                }
            }
            (known::AND, &[p, q]) => p & q,
            (known::OR, &[p, q]) => p | q,
            (known::NOT, &[p]) => 1 - p,
            _ => {
                let start = scramble(intrinsic.index() as u64);
                let hash = args.iter().fold(start, |hash, &arg| scramble(hash ^ arg.rotate_left(17)));
                if intrinsic.row().gives == Kind::Bool { hash & 1 } else { hash }
            }
        }
    }

    fn as_index(&self, number: u64) -> Option<usize> {
        u32::try_from(number).ok().map(|number| number as usize)
    }
}
