//! What code costs: the operations of a code list, counted by class, and the time that these are estimated to take.

pub mod time;

use std::fmt;

use jacobian_list::block::{Block, Body};
use jacobian_list::catalogue::Class;
use jacobian_list::code_list::{CodeList, Statement};
use jacobian_list::evaluate::constants;
use jacobian_list::live::Needs;

/// The operations of a code list that its outputs need. Not counted is what is computed from constants alone: the
/// compiler evaluates it. Of a branch, the arm with the most operations counts, of a loop one iteration, of a call of a
/// function the call.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct OperationCount {
    /// Additions and subtractions.
    pub additions: usize,
    /// Multiplications.
    pub multiplications: usize,
    /// Divisions and remainders.
    pub divisions: usize,
    /// Changes of sign.
    pub negations: usize,
    /// Calls of intrinsics and of functions, square roots and selections among them.
    pub calls: usize,
}

impl OperationCount {
    /// Counts the operations of `list`.
    pub fn of(list: &CodeList) -> Self {
        OperationCount::needed(list, &list.needs(list.outputs().iter().copied()))
    }

    fn needed(list: &CodeList, needs: &Needs) -> Self {
        let mut count = OperationCount::default();
        let constants = constants(list);
        for id in list.ids().filter(|id| needs.live[id.index()] && !constants[id.index()]) {
            match list.statement(id) {
                Statement::Apply { intrinsic, .. } => *count.of_class(intrinsic.row().class) += 1,
                Statement::Block(block) => {
                    count.add(OperationCount::of_block(list.block_of(id), &needs.blocks[block.index()].parts));
                }
                _ => {}
            }
        }
        count
    }

    /// The operations that some parts of a block need.
    fn of_block(block: &Block, parts: &[bool]) -> Self {
        match &block.body {
            Body::Call { .. } => OperationCount { calls: 1, ..OperationCount::default() },
            Body::Opaque { .. } => OperationCount::default(),
            Body::Branch { .. } | Body::Loop { .. } => {
                let of_list = |list: &CodeList| OperationCount::needed(list, &list.needs_for(parts));
                block.lists().iter().map(|list| of_list(list)).max_by_key(OperationCount::rank).unwrap_or_default()
            }
        }
    }

    fn add(&mut self, other: OperationCount) {
        let OperationCount { additions, multiplications, divisions, negations, calls } = other;
        self.additions += additions;
        self.multiplications += multiplications;
        self.divisions += divisions;
        self.negations += negations;
        self.calls += calls;
    }

    fn of_class(&mut self, class: Class) -> &mut usize {
        match class {
            Class::Addition => &mut self.additions,
            Class::Multiplication => &mut self.multiplications,
            Class::Division => &mut self.divisions,
            Class::Negation => &mut self.negations,
            Class::Light | Class::Root | Class::Call => &mut self.calls,
        }
    }

    /// All operations.
    pub fn total(&self) -> usize {
        self.additions + self.multiplications + self.divisions + self.negations + self.calls
    }

    /// What is compared between strategies: the number of operations, then that of the slow ones.
    pub fn rank(&self) -> (usize, usize) {
        (self.total(), self.calls + self.divisions)
    }
}

impl fmt::Display for OperationCount {
    /// For instance `12 operations (7 multiplications, 4 additions, 1 call)`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let classes = [
            (self.multiplications, "multiplication"),
            (self.additions, "addition"),
            (self.divisions, "division"),
            (self.negations, "negation"),
            (self.calls, "call"),
        ];
        let parts: Vec<_> =
            classes.iter().filter(|(count, _)| *count > 0).map(|&(count, name)| plural(count, name)).collect();
        formatter.write_str(&plural(self.total(), "operation"))?;
        if !parts.is_empty() {
            write!(formatter, " ({})", parts.join(", "))?;
        }
        Ok(())
    }
}

/// For instance `2 calls`, `1 call`.
pub fn plural(count: usize, name: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {name}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_branch_the_longest_arm_counts_without_what_nothing_needs() {
        let list: CodeList = "input x\np = x < 1\nbranch b on p (x)\n\
             arm\ninput x\nu = x * x * x\nv = u / x\noutput u v\n\
             arm\ninput x\nu = sin(x) + x\noutput u x\nend\n\
             call f (x) gives 2\noutput b.0 f.1"
            .parse()
            .expect("a code list");
        // The comparison, the call, and two products in the first arm or a sine and a sum in the second, which is
        // slower.
        let expected = OperationCount { additions: 1, calls: 3, ..OperationCount::default() };
        assert_eq!(OperationCount::of(&list), expected);
    }
}
