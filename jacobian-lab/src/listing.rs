//! The accumulation of a Jacobian as it is emitted, for readers: the statements of the code list that the entries need,
//! folded and numbered, in the notation of accumulation programs.
//!
//! ```text
//! t1 = c[2,7] + c[2,3]*c[3,7]
//! J[7,0] = c[0,2]*t1
//! J[7,1] = -t1
//! ```

use jacobian_core::catalogue::{Intrinsic, known};
use jacobian_core::code_list::{Args, CodeList, Constant, Kind, Statement, ValueId};
use jacobian_core::evaluate::{Domain, Floats, constants};
use jacobian_core::text::{application, block_text, constant_text, part_text, unique_names};

/// Writes the statements that `entries` need, and a line for every entry, which has a name and a value of `list`.
///
/// A product that is used once, in a sum, is in the line of the sum. What is computed from constants alone is a
/// number. So the operators in the text are the operations that [`OperationCount`](jacobian_core::cost::OperationCount)
/// counts.
pub fn listing(list: &CodeList, entries: &[(String, ValueId)]) -> String {
    Listing::new(list, entries).write()
}

struct Listing<'a> {
    list: &'a CodeList,
    entries: &'a [(String, ValueId)],
    /// By value: the number that it is.
    constants: Vec<Option<f64>>,
    /// By value: how often statements that the entries need use it; none where nothing needs it.
    uses: Vec<Option<usize>>,
    /// By value: whether its only use is in a sum.
    is_summand: Vec<bool>,
    /// By value: the first entry that it is.
    entry_of: Vec<Option<usize>>,
    /// By value: what stands for it in the text.
    names: Vec<String>,
    temporaries: usize,
    text: String,
}

/// By value: the number that it is, where it is computed from constants alone.
fn numbers(list: &CodeList) -> Vec<Option<f64>> {
    let (constants, domain) = (constants(list), Floats(list.precision()));
    let mut numbers: Vec<Option<f64>> = Vec::with_capacity(constants.len());
    for id in list.ids() {
        numbers.push(match list.statement(id) {
            Statement::Constant(constant) => Some(constant.as_float()),
            Statement::Apply { intrinsic, args, .. } if constants[id.index()] => {
                let args: Vec<_> = args.iter().filter_map(|arg| numbers[arg.index()]).collect();
                Some(domain.apply(*intrinsic, &args))
            }
            _ => None,
        });
    }
    numbers
}

impl<'a> Listing<'a> {
    fn new(list: &'a CodeList, entries: &'a [(String, ValueId)]) -> Self {
        let length = list.statements().len();
        let mut listing = Listing {
            list,
            entries,
            constants: numbers(list),
            uses: vec![None; length],
            is_summand: vec![false; length],
            entry_of: vec![None; length],
            names: unique_names(list),
            temporaries: 0,
            text: String::new(),
        };
        for (index, &(_, value)) in entries.iter().enumerate() {
            listing.uses[value.index()].get_or_insert(0);
            listing.entry_of[value.index()].get_or_insert(index);
        }
        listing.count_uses();
        listing
    }

    fn count_uses(&mut self) {
        for id in self.list.ids().rev() {
            if self.uses[id.index()].is_none() || self.constants[id.index()].is_some() {
                continue;
            }
            let statement = self.list.statement(id);
            let is_sum = matches!(statement, Statement::Apply { intrinsic: known::ADD | known::SUB, .. });
            for arg in self.list.args(id) {
                *self.uses[arg.index()].get_or_insert(0) += 1;
                self.is_summand[arg.index()] = is_sum;
            }
        }
    }

    fn write(mut self) -> String {
        for id in self.list.ids() {
            match (self.uses[id.index()], self.constants[id.index()], self.list.statement(id)) {
                (None, ..) => {}
                (_, Some(value), _) => self.names[id.index()] = constant_text(self.constant(id, value)),
                (Some(uses), _, &Statement::Apply { intrinsic, args, .. }) => {
                    self.names[id.index()] = self.statement(id, uses, intrinsic, args);
                }
                (.., Statement::Block(_)) if self.list.block_of(id).is_opaque() => {}
                (.., Statement::Part { .. }) if self.list.is_passive(id) => {}
                (.., Statement::Block(_)) => self.text += &block_text(self.list, id, &self.names),
                (.., Statement::Part { .. }) => self.names[id.index()] = part_text(self.list, id, &self.names),
                _ => {}
            }
        }
        for (name, value) in self.entries {
            if self.names[value.index()] != *name {
                self.text += &format!("{name} = {}\n", self.names[value.index()]);
            }
        }
        self.text
    }

    /// The number that a value is, as one of its kind.
    fn constant(&self, id: ValueId, value: f64) -> Constant {
        match self.list.kind(id) {
            Kind::Float => Constant::Float(value),
            Kind::Int => Constant::Int(value as i32),
            Kind::Bool => Constant::Bool(value != 0.0),
            Kind::Opaque => unreachable!("a constant is a number"),
        }
    }

    /// Writes a statement, and returns what stands for it in others: its name, or itself where it needs no line.
    fn statement(&mut self, id: ValueId, uses: usize, intrinsic: Intrinsic, args: Args) -> String {
        let text = match intrinsic {
            known::MUL => format!("{}*{}", self.names[args[0].index()], self.names[args[1].index()]),
            _ => application(intrinsic, &args, &self.names),
        };
        let name = match self.entry_of[id.index()] {
            None if intrinsic == known::MUL && uses == 1 && self.is_summand[id.index()] => return text,
            Some(entry) if uses == 0 => self.entries[entry].0.clone(),
            _ => {
                self.temporaries += 1;
                format!("t{}", self.temporaries)
            }
        };
        self.text += &format!("{name} = {text}\n");
        name
    }
}
