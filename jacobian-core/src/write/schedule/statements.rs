//! The statements of a code list as schedules move them: an operation of the function, an accumulated entry with all
//! that computes nothing else, a block with its parts.
//!
//! What has effects, or may, keeps its order: blocks, and operations that may panic. Constants are no statements: they
//! are written where they are used.

use jacobian_list::code_list::{CodeList, Statement, ValueId};
use jacobian_list::text::{application, unique_names};

use super::dependence::{COMPUTATION, COPY, DependenceGraph};
use crate::write::cost::time::Estimate;

/// The number of a constant, which is no statement.
const CONSTANT: usize = usize::MAX;

/// The statements of a code list, in an order that respects what they use of one another.
pub struct Statements<'a> {
    list: &'a CodeList,
    /// By statement: what is in it, in order.
    members: Vec<Vec<ValueId>>,
    graph: DependenceGraph,
}

impl<'a> Statements<'a> {
    /// Finds the statements of `list`.
    pub fn of(list: &'a CodeList) -> Self {
        let roots = roots(list);
        let mut numbers = vec![CONSTANT; list.statements().len()];
        let mut members: Vec<Vec<ValueId>> = Vec::new();
        for root in list.ids().filter(|id| list.as_constant(*id).is_none() && roots[id.index()] == *id) {
            numbers[root.index()] = members.len();
            members.push(Vec::new());
        }
        for id in list.ids().filter(|id| list.as_constant(*id).is_none()) {
            numbers[id.index()] = numbers[roots[id.index()].index()];
            members[numbers[id.index()]].push(id);
        }
        let graph = graph(list, &members, &numbers);
        Statements { list, members, graph }
    }

    /// What they use of one another.
    pub fn graph(&self) -> &DependenceGraph {
        &self.graph
    }

    /// The values that a statement computes, in order.
    pub fn members(&self, statement: usize) -> &[ValueId] {
        &self.members[statement]
    }

    /// The statements for readers: their operations, `a = x * y; b = a + z`; of a block, its name and what it reads.
    pub fn texts(&self) -> Vec<String> {
        let names = unique_names(self.list);
        let name = |id: ValueId| names[id.index()].as_str();
        let text = |&id: &ValueId| match self.list.statement(id) {
            Statement::Apply { intrinsic, args, .. } => {
                format!("{} = {}", name(id), application(*intrinsic, args, &names))
            }
            Statement::Block(_) => {
                let args: Vec<_> = self.list.args(id).map(name).collect();
                format!("{} ({})", name(id), args.join(" "))
            }
            _ => name(id).to_string(),
        };
        self.members.iter().map(|members| members.iter().map(text).collect::<Vec<_>>().join("; ")).collect()
    }

    /// The list with its statements in this order. Inputs and constants come first.
    ///
    /// # Panics
    /// Where the graph does not admit the order.
    pub fn in_order(&self, order: &[usize]) -> CodeList {
        assert!(self.graph.admits(order), "the order has every statement once, after what it uses");
        let is_first = |id: &ValueId| matches!(self.list.statement(*id), Statement::Input(_) | Statement::Constant(_));
        let mut ids = Vec::with_capacity(self.list.statements().len());
        ids.extend(self.list.ids().filter(is_first));
        for &statement in order {
            ids.extend(self.members[statement].iter().filter(|id| !is_first(id)));
        }
        self.list.in_order(&ids)
    }
}

/// By value: the one whose statement it is in. A part is in that of its block, what computes an entry in that
/// of the entry's last value, unless some other statement uses it. So no two statements need each other.
fn roots(list: &CodeList) -> Vec<ValueId> {
    let mut roots: Vec<_> = list.ids().collect();
    let mut users = vec![Users::None; roots.len()];
    for output in list.outputs() {
        users[output.index()] = Users::Several;
    }
    for id in list.ids().rev() {
        roots[id.index()] = match (list.statement(id), users[id.index()]) {
            (Statement::Part { block, .. }, _) => *block,
            (Statement::Apply { .. }, Users::One(root))
                if list.entry(id).is_some() && list.entry(id) == list.entry(root) =>
            {
                root
            }
            _ => id,
        };
        let root = roots[id.index()];
        for arg in list.args(id) {
            let user = &mut users[arg.index()];
            *user = match *user {
                Users::None => Users::One(root),
                Users::One(other) if other == root => *user,
                _ => Users::Several,
            };
        }
    }
    roots
}

/// The statements that use a value, by their last values.
#[derive(Copy, Clone)]
enum Users {
    None,
    One(ValueId),
    Several,
}

fn graph(list: &CodeList, members: &[Vec<ValueId>], numbers: &[usize]) -> DependenceGraph {
    let mut graph = DependenceGraph::default();
    let mut last_in_place = None;
    for (number, members) in members.iter().enumerate() {
        let mut uses = Vec::new();
        for &id in members {
            for arg in list.args(id) {
                let used = numbers[arg.index()];
                if used != number && used != CONSTANT {
                    uses.push(used);
                }
            }
        }
        let cycles = match list.statement(members[0]) {
            Statement::Input(_) => COPY,
            Statement::Block(_) if list.block_of(members[0]).is_opaque() => COPY,
            _ => COMPUTATION,
        };
        if members.iter().any(|&id| list.keeps_its_place(id)) {
            uses.extend(last_in_place.replace(number));
        }
        graph.push(cycles, uses);
    }
    estimate(&mut graph, list, numbers);
    graph
}

/// Says what each statement is estimated to take: all operations in it, and the longest chain of them.
fn estimate(graph: &mut DependenceGraph, list: &CodeList, numbers: &[usize]) {
    let mut depths = vec![0; numbers.len()];
    let mut estimates = vec![Estimate::default(); graph.len()];
    for (id, own) in list.ids().zip(Estimate::of_each(list)) {
        let (number, mut before) = (numbers[id.index()], 0);
        for arg in list.args(id) {
            if numbers[arg.index()] == number && depths[arg.index()] > before {
                before = depths[arg.index()];
            }
        }
        depths[id.index()] = own.path + before;
        if let Some(estimate) = estimates.get_mut(number) {
            estimate.work += own.work;
            estimate.path = estimate.path.max(depths[id.index()]);
        }
    }
    for (number, estimate) in estimates.into_iter().enumerate() {
        graph.set_estimate(number, estimate);
    }
}
