//! A model of memory traffic: the loads and stores of a code list, statement by statement, on a machine with a given
//! number of registers, whose allocator knows the future.
//!
//! Inputs, passive values and constants are in memory at first. A statement reads its operands from registers and
//! writes its result to one; where all are taken, the value whose next use is farthest makes room (Belady 1966), of two
//! the one that needs no store. A value is stored when it makes room for the first time, a dependent when it is
//! computed. Of a branch, the arm with the most traffic counts; a call leaves the registers as they are.

use std::fmt;

use jacobian_core::code_list::{CodeList, MAX_ARITY, Statement, ValueId};
use jacobian_core::cost::plural;

/// The fewest registers: for the operands and the result of any statement.
pub const FEWEST_REGISTERS: usize = MAX_ARITY + 1;

/// The traffic between registers and memory.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Traffic {
    /// Values that are read from memory.
    pub loads: usize,
    /// Values that are written to memory.
    pub stores: usize,
}

impl Traffic {
    /// The traffic of `list` with this many registers.
    ///
    /// # Panics
    /// Where these are fewer than [`FEWEST_REGISTERS`].
    pub fn of(list: &CodeList, registers: usize) -> Self {
        assert!(registers >= FEWEST_REGISTERS, "a statement needs {FEWEST_REGISTERS} registers");
        let mut machine = Machine::new(list, registers);
        list.ids().for_each(|id| machine.statement(id));
        machine.read_outputs();
        machine.traffic
    }

    /// Loads and stores.
    pub fn total(&self) -> usize {
        self.loads + self.stores
    }
}

impl fmt::Display for Traffic {
    /// For instance `12 loads, 1 store`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, {}", plural(self.loads, "load"), plural(self.stores, "store"))
    }
}

/// After each statement: how many values are live, which are those that have been computed, or, if they are no results
/// of statements, have been read, and that a later statement reads. Constants are never live.
pub fn live_values(list: &CodeList) -> Vec<usize> {
    let uses = uses(list);
    let mut change = vec![0_isize; list.statements().len() + 1];
    for id in
        list.ids().filter(|id| list.as_constant(*id).is_none() && !matches!(list.statement(*id), Statement::Block(_)))
    {
        let uses = &uses[id.index()];
        if let (Some(&first), Some(&last)) = (uses.first(), uses.last()) {
            change[if is_in_memory(list, id) { first } else { id.index() }] += 1;
            change[last] -= 1;
        }
    }
    let mut live = 0_isize;
    let after = change[..list.statements().len()].iter().map(|change| {
        live += change;
        live as usize
    });
    after.collect()
}

/// Whether a value is in memory at first.
fn is_in_memory(list: &CodeList, id: ValueId) -> bool {
    matches!(list.statement(id), Statement::Input(_) | Statement::Constant(_)) || list.is_passive(id)
}

/// By value: the positions of the statements that read it.
fn uses(list: &CodeList) -> Vec<Vec<usize>> {
    let mut uses = vec![Vec::new(); list.statements().len()];
    for id in list.ids() {
        for arg in list.args(id) {
            if uses[arg.index()].last() != Some(&id.index()) {
                uses[arg.index()].push(id.index());
            }
        }
    }
    uses
}

struct Machine<'a> {
    list: &'a CodeList,
    /// By value: the statements that are still to read it, the next one last.
    uses: Vec<Vec<usize>>,
    outputs: Vec<usize>,
    is_in_memory: Vec<bool>,
    /// The values in registers, at most this many.
    held: Vec<ValueId>,
    registers: usize,
    traffic: Traffic,
}

impl<'a> Machine<'a> {
    fn new(list: &'a CodeList, registers: usize) -> Self {
        let mut uses = uses(list);
        uses.iter_mut().for_each(|uses| uses.reverse());
        let mut outputs = vec![0; list.statements().len()];
        list.outputs().iter().for_each(|output| outputs[output.index()] += 1);
        let is_in_memory = list.ids().map(|id| is_in_memory(list, id)).collect();
        Machine { list, uses, outputs, is_in_memory, held: Vec::new(), registers, traffic: Traffic::default() }
    }

    fn statement(&mut self, id: ValueId) {
        match self.list.statement(id) {
            Statement::Input(_) | Statement::Constant(_) => {}
            Statement::Part { .. } if self.list.is_passive(id) => {}
            Statement::Block(_) if self.list.block_of(id).is_opaque() => {}
            Statement::Apply { args, .. } => {
                args.iter().for_each(|&arg| self.read(arg, args));
                self.release(args);
                self.compute(id);
            }
            Statement::Block(_) => self.block(id),
            Statement::Part { .. } => self.compute(id),
        }
    }

    /// What a block reads may be more than there are registers: it reads one value after the other.
    fn block(&mut self, id: ValueId) {
        let (list, registers) = (self.list, self.registers);
        for arg in list.args(id) {
            self.read(arg, &[]);
            self.release(&[arg]);
        }
        let arms = list.block_of(id).lists().iter().map(|arm| Traffic::of(arm, registers));
        let most = arms.max_by_key(Traffic::total).unwrap_or_default();
        self.traffic.loads += most.loads;
        self.traffic.stores += most.stores;
    }

    /// Brings a value into a register, without those of `kept` making room.
    fn read(&mut self, id: ValueId, kept: &[ValueId]) {
        if !self.held.contains(&id) {
            self.traffic.loads += 1;
            self.hold(id, kept);
        }
    }

    /// Passes the next use of each value, and frees the registers of those without another.
    fn release(&mut self, args: &[ValueId]) {
        for (index, arg) in args.iter().enumerate().filter(|(index, arg)| !args[..*index].contains(arg)) {
            debug_assert!(index < args.len() && self.held.contains(arg));
            self.uses[arg.index()].pop();
        }
        self.held.retain(|held| !self.uses[held.index()].is_empty());
    }

    fn compute(&mut self, id: ValueId) {
        let outputs = self.outputs[id.index()];
        self.traffic.stores += outputs;
        self.is_in_memory[id.index()] |= outputs > 0;
        if !self.uses[id.index()].is_empty() {
            self.hold(id, &[]);
        }
    }

    fn hold(&mut self, id: ValueId, kept: &[ValueId]) {
        if self.held.len() == self.registers {
            self.make_room(kept);
        }
        self.held.push(id);
    }

    fn make_room(&mut self, kept: &[ValueId]) {
        let key = |id: &ValueId| (self.uses[id.index()].last().copied(), self.is_in_memory[id.index()], *id);
        let candidates = (0..self.held.len()).filter(|&place| !kept.contains(&self.held[place]));
        let place = candidates.max_by_key(|&place| key(&self.held[place])).expect("there are more than are kept");
        let value = self.held.swap_remove(place);
        if !std::mem::replace(&mut self.is_in_memory[value.index()], true) {
            self.traffic.stores += 1;
        }
    }

    /// The outputs that no statement computes are copied: a load for each value, a store for each output.
    fn read_outputs(&mut self) {
        for id in self.list.ids().filter(|id| is_in_memory(self.list, *id) && self.outputs[id.index()] > 0) {
            self.traffic.loads += usize::from(self.list.as_constant(id).is_none());
            self.traffic.stores += self.outputs[id.index()];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> CodeList {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    /// A sum of products `x[i] * x[i + 1]` of this many inputs, all products first or one after the other.
    fn products(count: usize, is_first: bool) -> CodeList {
        let mut text: String = (0..=count).map(|index| format!("input x{index}\n")).collect();
        let product = |index: usize| format!("p{index} = x{index} * x{}\n", index + 1);
        let sum = |index: usize| {
            format!("s{index} = {} + p{index}\n", if index == 1 { "p0".into() } else { format!("s{}", index - 1) })
        };
        let (products, sums): (Vec<_>, Vec<_>) = ((0..count).map(product).collect(), (1..count).map(sum).collect());
        text += &match is_first {
            true => products.concat() + &sums.concat(),
            false => {
                products[0].clone() + &products[1..].iter().zip(&sums).map(|(p, s)| p.clone() + s).collect::<String>()
            }
        };
        list(&format!("{text}output s{}", count - 1))
    }

    #[test]
    fn with_enough_registers_every_value_moves_once() {
        let traffic = Traffic { loads: 11, stores: 1 };
        assert_eq!(Traffic::of(&products(10, false), 5), traffic);
        assert_eq!(Traffic::of(&products(10, true), 16), traffic);
        assert_eq!(traffic.to_string(), "11 loads, 1 store");
    }

    /// The last of 10 products needs its operands beside 9 products. Whatever is stored is loaded again.
    #[test]
    fn what_does_not_fit_is_stored_and_loaded() {
        let list = products(10, true);
        for registers in 5..=11 {
            let spilled = 11 - registers;
            assert_eq!(Traffic::of(&list, registers), Traffic { loads: 11 + spilled, stores: 1 + spilled });
        }
    }

    #[test]
    fn values_are_live_from_their_computation_to_their_last_use() {
        let list = list("input x y\na = x * y\nb = a + 2\nc = a * b\nd = c + x\noutput d");
        // The inputs from `a` on, `y` no longer; `x` until `d`.
        let live = live_values(&list);
        let of = |name: &str| live[list.ids().find(|id| list.name(*id) == Some(name)).expect("a value").index()];
        assert_eq!(["a", "b", "c", "d"].map(of), [2, 3, 2, 0]);
    }

    #[test]
    fn outputs_that_nothing_computes_are_copied() {
        assert_eq!(Traffic::of(&list("input x\noutput x x 0.0"), 5), Traffic { loads: 1, stores: 3 });
    }

    #[test]
    fn of_a_branch_the_arm_with_the_most_traffic_counts() {
        let text = "input x y\nq = x < y\nbranch b on q (x y)\narm\ninput u v\nw = u * v\noutput w\n\
                    arm\ninput u v\noutput u\nend\nr = b.0 + y\noutput r";
        // x and y for the comparison, the arm's two; then y is still there. The arm's result and the last.
        assert_eq!(Traffic::of(&list(text), 5), Traffic { loads: 4, stores: 2 });
    }
}
