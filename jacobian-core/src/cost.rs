//! What code costs: the operations of a code list, counted by class.

use std::fmt;

use crate::catalogue::Class;
use crate::code_list::{CodeList, Statement};
use crate::evaluate::constants;

/// The operations of a code list that its outputs need. Not counted is what is computed from constants alone: the
/// compiler evaluates it.
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
    /// Calls of intrinsics, square roots and selections among them.
    pub calls: usize,
}

impl OperationCount {
    /// Counts the operations of `list`.
    pub fn of(list: &CodeList) -> Self {
        let mut count = OperationCount::default();
        let (live, constants) = (list.live(), constants(list));
        for id in list.ids().filter(|id| live[id.index()] && constants[id.index()].is_none()) {
            if let Statement::Apply { intrinsic, .. } = list.statement(id) {
                *count.of_class(intrinsic.row().class) += 1;
            }
        }
        count
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

fn plural(count: usize, name: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {name}{ending}")
}
