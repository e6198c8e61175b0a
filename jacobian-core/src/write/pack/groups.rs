//! How groups of statements of the same form are found, which become packs: from the entries of the Jacobian towards
//! the inputs. A statement is in one group at most, the first that reaches it; what has been reached is not visited
//! again, so that the time is linear in the number of statements.

use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::{CodeList, Statement, ValueId};

/// The number of no group.
const NONE: u32 = u32::MAX;

/// Statements of one operation, none of which needs another.
pub struct Group {
    pub operation: Intrinsic,
    pub lanes: Vec<ValueId>,
    /// By operand: the value that each lane reads.
    pub operands: Vec<Vec<ValueId>>,
}

impl Group {
    /// The last lane: after all that the group reads.
    pub fn last(&self) -> ValueId {
        self.lanes.iter().copied().max().expect("a group has lanes")
    }
}

/// What the lanes of a group read.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Form {
    /// The same value in all lanes.
    Same,
    /// All lanes of this group, in order.
    Group(usize),
    /// Anything else.
    Values,
}

/// All groups of a code list.
pub struct Groups {
    groups: Vec<Option<Group>>,
    /// The numbers of the groups, in the order of their last lanes.
    order: Vec<usize>,
    /// By value: its group.
    of: Vec<u32>,
}

impl Groups {
    /// Finds groups of at least `min_lanes` statements, none of which is marked in `is_value`.
    pub fn grow(list: &CodeList, is_value: &[bool], seeds: Vec<Vec<ValueId>>, min_lanes: usize) -> Self {
        let mut growth = Growth {
            list,
            is_value,
            min_lanes,
            groups: Groups { groups: Vec::new(), order: Vec::new(), of: vec![NONE; list.statements().len()] },
            seen: vec![0; list.statements().len()],
            round: 0,
        };
        let mut work: Vec<_> = seeds.into_iter().rev().collect();
        while let Some(values) = work.pop() {
            growth.reach(&values, &mut work);
        }
        let mut groups = growth.groups;
        let mut order: Vec<_> = groups.all().map(|(number, group)| (group.last(), number)).collect();
        order.sort_unstable();
        groups.order = order.into_iter().map(|(_, number)| number).collect();
        groups
    }

    /// The numbers of the groups that there have been, in the order of their last lanes.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.groups.iter().all(Option::is_none)
    }

    /// How many there have been.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// The group with this number, unless it has been given up.
    pub fn get(&self, number: usize) -> Option<&Group> {
        self.groups[number].as_ref()
    }

    /// The numbers and groups that are there.
    pub fn all(&self) -> impl Iterator<Item = (usize, &Group)> {
        self.groups.iter().enumerate().filter_map(|(number, group)| Some((number, group.as_ref()?)))
    }

    /// The group of a value.
    pub fn of(&self, id: ValueId) -> Option<usize> {
        Some(self.of[id.index()] as usize).filter(|&group| group < self.groups.len())
    }

    /// What lanes read that read these values.
    pub fn form(&self, values: &[ValueId]) -> Form {
        match self.of(values[0]) {
            Some(group) if self.groups[group].as_ref().is_some_and(|group| group.lanes == values) => Form::Group(group),
            _ if is_same(values) => Form::Same,
            _ => Form::Values,
        }
    }

    /// Gives a group up: its statements remain single.
    pub fn give_up(&mut self, number: usize) {
        for id in self.groups[number].take().iter().flat_map(|group| &group.lanes) {
            self.of[id.index()] = NONE;
        }
    }
}

/// Whether all values are the same.
fn is_same(values: &[ValueId]) -> bool {
    values.iter().all(|value| *value == values[0])
}

struct Growth<'a> {
    list: &'a CodeList,
    is_value: &'a [bool],
    min_lanes: usize,
    groups: Groups,
    /// By value: the last round in which it has been seen.
    seen: Vec<usize>,
    round: usize,
}

impl Growth<'_> {
    /// Makes groups of what is of the same form among `values`, and notes what their lanes read.
    fn reach(&mut self, values: &[ValueId], work: &mut Vec<Vec<ValueId>>) {
        self.round += 1;
        let [mut products, mut sums, mut differences, mut negatives] = [const { Vec::new() }; 4];
        for &id in values {
            if self.groups.of[id.index()] == NONE && !self.is_value[id.index()] && self.seen[id.index()] < self.round {
                self.seen[id.index()] = self.round;
                match self.operation(id) {
                    Some(known::MUL) => products.push(id),
                    Some(known::ADD) => sums.push(id),
                    Some(known::SUB) => differences.push(id),
                    Some(_) => negatives.push(id),
                    None => {}
                }
            }
        }
        let (with_factor, products) = self.by_factor(products);
        let operations = [known::MUL, known::MUL, known::ADD, known::SUB, known::NEG];
        for (operation, lanes) in operations.into_iter().zip([with_factor, products, sums, differences, negatives]) {
            if lanes.len() >= self.min_lanes {
                self.add(operation, lanes, work);
            }
        }
    }

    /// What a statement computes, if that is packed: an operation of floats.
    fn operation(&self, id: ValueId) -> Option<Intrinsic> {
        match self.list.statement(id) {
            Statement::Apply { intrinsic: operation @ (known::MUL | known::ADD | known::SUB | known::NEG), .. } => {
                Some(*operation)
            }
            _ => None,
        }
    }

    fn args(&self, id: ValueId) -> &[ValueId] {
        match self.list.statement(id) {
            Statement::Apply { args, .. } => args,
            _ => &[],
        }
    }

    /// The products that have a factor of the first one, and the others; all are others if there are too few of these.
    fn by_factor(&self, products: Vec<ValueId>) -> (Vec<ValueId>, Vec<ValueId>) {
        let factors = products.first().map(|&id| self.args(id)).unwrap_or_default();
        let with = |factor: &ValueId| products.iter().filter(|id| self.args(**id).contains(factor)).count();
        match factors.iter().max_by_key(|factor| with(factor)) {
            Some(factor) if with(factor) >= self.min_lanes => {
                products.into_iter().partition(|id| self.args(*id).contains(factor))
            }
            _ => (Vec::new(), products),
        }
    }

    fn add(&mut self, operation: Intrinsic, lanes: Vec<ValueId>, work: &mut Vec<Vec<ValueId>>) {
        let operands = self.operands(operation, &lanes);
        for &id in &lanes {
            self.groups.of[id.index()] = self.groups.groups.len() as u32;
        }
        work.extend(operands.iter().rev().filter(|operand| !is_same(operand)).cloned());
        self.groups.groups.push(Some(Group { operation, lanes, operands }));
    }

    /// What the lanes read, by operand. The two of sums and products are taken in the order in which they are alike.
    fn operands(&self, operation: Intrinsic, lanes: &[ValueId]) -> Vec<Vec<ValueId>> {
        let first = self.args(lanes[0]);
        let mut operands = vec![Vec::with_capacity(lanes.len()); first.len()];
        for &id in lanes {
            let args = self.args(id);
            let is_swapped = [known::ADD, known::MUL].contains(&operation) && self.is_swapped(args, first);
            for (place, operand) in operands.iter_mut().enumerate() {
                operand.push(args[if is_swapped { 1 - place } else { place }]);
            }
        }
        operands
    }

    /// Whether two operands are more like two others if they are swapped: the same values, or the same operations.
    fn is_swapped(&self, args: &[ValueId], first: &[ValueId]) -> bool {
        let alike = |left: usize, right: usize| match args[left] == first[right] {
            true => 4,
            false => usize::from(self.operation(args[left]) == self.operation(first[right])),
        };
        alike(0, 1) + alike(1, 0) > alike(0, 0) + alike(1, 1)
    }
}
