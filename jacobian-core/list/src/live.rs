//! Liveness: what some values of a code list need, and the list without the rest.
//!
//! A part needs its block, a block what it reads; a branch reads an argument only where one of its arms needs it for a
//! part that is needed, and a loop carries what its body needs for the next iteration. What has an effect, a block that
//! is kept or an operation that may panic, is needed whatever becomes of its results; that makes it no more useful to
//! differentiate it.
//!
//! Branches may nest as long as a chain of `else if` is. What has been found out about an arm or a body is kept in it,
//! so that nothing is looked for again at each level around it.

use std::sync::Arc;

use crate::block::{Block, Body, call_parts};
use crate::code_list::{CodeList, Statement, ValueId};

/// What some values of a code list need.
pub struct Needs {
    /// By statement: whether it is needed.
    pub live: Vec<bool>,
    /// By block: what of it is needed.
    pub blocks: Vec<BlockNeeds>,
}

/// What is needed of a block. Of a loop, all parts are that are carried to compute the needed ones.
pub struct BlockNeeds {
    /// By result.
    pub parts: Vec<bool>,
    /// By argument.
    pub args: Vec<bool>,
}

impl CodeList {
    /// Which statements some output depends on, by position, whatever else has to run; inputs always count.
    pub fn useful(&self) -> Vec<bool> {
        self.with_inputs_live(self.needs_and(self.outputs().iter().copied(), false))
    }

    /// Which statements some of these values need, or have an effect, by position; inputs always count.
    pub fn needed_by(&self, values: impl Iterator<Item = ValueId>) -> Vec<bool> {
        self.with_inputs_live(self.needs(values))
    }

    fn with_inputs_live(&self, needs: Needs) -> Vec<bool> {
        let mut live = needs.live;
        for input in self.inputs() {
            live[input.index()] = true;
        }
        live
    }

    /// What these values need, and what has an effect.
    pub fn needs(&self, values: impl Iterator<Item = ValueId>) -> Needs {
        self.needs_and(values, true)
    }

    /// What some parts of the block need that the list is in, and what has an effect.
    pub fn needs_for(&self, parts: &[bool]) -> Needs {
        self.needs(self.values_for(parts))
    }

    /// The outputs that some parts of the block need that the list is in.
    pub fn values_for(&self, parts: &[bool]) -> impl Iterator<Item = ValueId> {
        let outputs: Vec<_> = chosen(self.outputs(), &outputs_for(self, parts)).collect();
        outputs.into_iter()
    }

    /// What these values need, and perhaps what has an effect.
    fn needs_and(&self, values: impl Iterator<Item = ValueId>, has_effects: bool) -> Needs {
        let none =
            |block: &Block| BlockNeeds { parts: vec![false; block.results()], args: vec![false; block.args.len()] };
        let blocks = self.blocks().iter().map(none).collect();
        let mut needs = Needs { live: vec![false; self.statements().len()], blocks };
        for value in values {
            needs.live[value.index()] = true;
        }
        for id in self.ids().rev() {
            needs.live[id.index()] |= has_effects && self.has_effect(id);
            needs.add(self, id);
        }
        needs
    }

    /// Removes every statement that no output needs and that has no effect, also from arms and bodies, and the parts
    /// that nothing uses. Inputs stay: they are the list's interface.
    pub fn remove_dead_code(&self) -> CodeList {
        self.reduced(&vec![true; self.outputs().len()], &vec![true; self.inputs().len()])
    }

    /// The list with these outputs and inputs only, and with what the outputs need. They must not need the other
    /// inputs.
    pub fn reduced(&self, is_output: &[bool], is_input: &[bool]) -> CodeList {
        let outputs: Vec<_> = chosen(self.outputs(), is_output).collect();
        let needs = self.needs(outputs.iter().copied());
        let mut reducer = Reducer { list: self, needs, reduced: CodeList::new(self.precision()), moved: Vec::new() };
        let (mut inputs, mut ends) = (is_input.iter(), self.user_statement_ends().iter().peekable());
        for id in self.ids() {
            if ends.next_if(|&&end| end as usize == id.index()).is_some() {
                reducer.reduced.end_user_statement();
            }
            let is_dropped = matches!(self.statement(id), Statement::Input(_)) && inputs.next() == Some(&false);
            reducer.statement(id, is_dropped);
        }
        if ends.next().is_some() {
            reducer.reduced.end_user_statement();
        }
        for output in outputs {
            reducer.reduced.output(reducer.moved[output.index()]);
        }
        let used = chosen(self.inputs(), is_input).map(|input| reducer.needs.live[input.index()]).collect();
        reducer.reduced.set_used_inputs(used);
        reducer.reduced
    }
}

/// The items that are marked.
pub fn chosen<'a, T: Copy>(items: &'a [T], marks: &'a [bool]) -> impl Iterator<Item = T> + 'a {
    items.iter().zip(marks).filter(|(_, mark)| **mark).map(|(item, _)| *item)
}

impl Needs {
    /// Adds what a statement needs, where it is needed itself. Those after it have been here.
    fn add(&mut self, list: &CodeList, id: ValueId) {
        match *list.statement(id) {
            _ if !self.live[id.index()] => {}
            Statement::Block(block) => {
                let needs = &mut self.blocks[block.index()];
                needs.args = used_args(list.block_of(id), &mut needs.parts);
                let args = chosen(&list.block_of(id).args, &needs.args);
                for arg in args.chain(list.block_of(id).decider()) {
                    self.live[arg.index()] = true;
                }
            }
            Statement::Part { block, index } => {
                self.live[block.index()] = true;
                self.blocks[list.block_id(block).index()].parts[index as usize] = true;
            }
            _ => list.args(id).for_each(|arg| self.live[arg.index()] = true),
        }
    }
}

/// The arguments that a block reads for some of its parts. The others that a loop carries for these are added to them.
pub fn used_args(block: &Block, parts: &mut [bool]) -> Vec<bool> {
    let mut used = vec![false; block.args.len()];
    match &block.body {
        Body::Branch { arms, .. } => arms.iter().for_each(|arm| mark_used(arm, parts, &mut used)),
        Body::Loop { body, carried, .. } => {
            let read = block.args.len() - carried;
            loop {
                mark_used(body, parts, &mut used);
                let before = parts.to_vec();
                parts.iter_mut().zip(&used[read..]).for_each(|(part, used)| *part |= used);
                if before == parts {
                    break;
                }
            }
            used[read..].copy_from_slice(parts);
        }
        Body::Call { .. } | Body::Opaque { .. } => used.fill(true),
    }
    used
}

/// Marks the inputs that a list in a block reads for some parts.
fn mark_used(list: &CodeList, parts: &[bool], used: &mut [bool]) {
    match list.used_inputs().filter(|_| all(parts)) {
        Some(known) => used.iter_mut().zip(known).for_each(|(used, known)| *used |= known),
        None => {
            let live = list.needs_for(parts).live;
            used.iter_mut().zip(list.inputs()).for_each(|(used, input)| *used |= live[input.index()]);
        }
    }
}

/// Which outputs of a list in a block some parts of the block need: their own, and that by which a loop ends.
fn outputs_for(list: &CodeList, parts: &[bool]) -> Vec<bool> {
    let mut outputs = parts.to_vec();
    outputs.resize(list.outputs().len(), true);
    outputs
}

fn all(marks: &[bool]) -> bool {
    marks.iter().all(|mark| *mark)
}

struct Reducer<'a> {
    list: &'a CodeList,
    needs: Needs,
    reduced: CodeList,
    /// By statement: where it is in the reduced list; anything where it is not.
    moved: Vec<ValueId>,
}

impl Reducer<'_> {
    fn statement(&mut self, id: ValueId, is_dropped: bool) {
        let moved = |id: ValueId| self.moved[id.index()];
        let new = match *self.list.statement(id) {
            _ if is_dropped => ValueId::new(0),
            ref input @ Statement::Input(_) => self.named(id, |list, _| list.push(*input)),
            _ if !self.needs.live[id.index()] => ValueId::new(0),
            Statement::Block(block) => {
                let block = reduced_block(self.list.block_of(id), &self.needs.blocks[block.index()]).map_args(moved);
                self.named(id, |list, _| list.block(block))
            }
            Statement::Part { block, index } => {
                let index = self.place(block, index as usize);
                self.named(id, |list, moved| list.part(moved[block.index()], index))
            }
            ref statement => self.named(id, |list, moved| list.push(statement.map_args(|arg| moved[arg.index()]))),
        };
        self.moved.push(new);
    }

    /// Adds a statement with the name and the entry of the one that it stands for.
    fn named(&mut self, id: ValueId, add: impl FnOnce(&mut CodeList, &[ValueId]) -> ValueId) -> ValueId {
        let new = add(&mut self.reduced, &self.moved);
        self.reduced.copy_marks(new, self.list, id);
        new
    }

    /// The number of a part among those that are left.
    fn place(&self, block: ValueId, index: usize) -> usize {
        match self.list.block_of(block).body {
            Body::Call { .. } | Body::Opaque { .. } => index,
            Body::Branch { .. } | Body::Loop { .. } => {
                let parts = &self.needs.blocks[self.list.block_id(block).index()].parts;
                parts[..index].iter().filter(|part| **part).count()
            }
        }
    }
}

/// The block without what is not needed of it. An opaque statement gives all of its results or none; so does a call,
/// but of no higher order than is needed.
fn reduced_block(block: &Block, needs: &BlockNeeds) -> Block {
    let body = match &block.body {
        Body::Call { results, columns, order, local } => {
            let is_enough = |order: &u8| !needs.parts[call_parts(*results, *columns, *order)..].contains(&true);
            let order = (0..*order).find(is_enough).unwrap_or(*order);
            Body::Call { results: *results, columns: *columns, order, local: local.clone() }
        }
        whole @ Body::Opaque { .. } => whole.clone(),
        Body::Branch { selector, arms, .. } => Body::Branch {
            selector: *selector,
            arms: arms.iter().map(|arm| reduced_inner(arm, needs)).collect(),
            results: needs.parts.iter().filter(|part| **part).count(),
        },
        Body::Loop { iterations, body, .. } => Body::Loop {
            iterations: *iterations,
            body: reduced_inner(body, needs),
            carried: needs.parts.iter().filter(|part| **part).count(),
        },
    };
    Block { args: chosen(&block.args, &needs.args).collect(), body, ..*block }
}

fn reduced_inner(list: &Arc<CodeList>, needs: &BlockNeeds) -> Arc<CodeList> {
    match list.used_inputs().is_some() && all(&needs.parts) && all(&needs.args) {
        true => list.clone(),
        false => Arc::new(list.reduced(&outputs_for(list, &needs.parts), &needs.args)),
    }
}

#[cfg(test)]
mod tests {
    use crate::code_list::{CodeList, ValueId};

    fn reduced(text: &str) -> String {
        text.parse::<CodeList>().unwrap_or_else(|error| panic!("{error}")).remove_dead_code().to_string()
    }

    #[test]
    fn parts_arguments_and_statements_that_nothing_uses_go() {
        let text = "input x y p\nc = x < 1\nbranch b on c (y x p)\n\
                    arm\ninput y x p\nu = sin(y)\nv = exp(x)\noutput u v\n\
                    arm\ninput y x p\nw = y * p\noutput w x\nend\noutput b.1";
        assert_eq!(
            reduced(text),
            "input x\ninput y\ninput p\nc = x < 1.0\nbranch b on c (x)\n\
             arm\n    input x\n    v = exp(x)\n    output v\narm\n    input x\n    output x\nend\noutput b.0\n"
        );
    }

    /// The arms of the reduced list need both arguments, as they are known to: for both results.
    #[test]
    fn what_is_known_of_an_arm_is_for_all_of_its_results() {
        let arm = "arm\ninput x y\nu = sin(x)\nv = sin(y)\noutput u v\n";
        let text = format!("input x y\ninput n: int\nbranch b on n (x y)\n{arm}{arm}end\noutput b.0 b.1");
        let list = text.parse::<CodeList>().unwrap_or_else(|error| panic!("{error}")).remove_dead_code();
        let arm = "arm\n    input x\n    u = sin(x)\n    output u\n";
        assert_eq!(
            list.reduced(&[true, false], &[true; 3]).to_string(),
            format!("input x\ninput y\ninput n: int\nbranch b on n (x)\n{arm}{arm}end\noutput b.0\n")
        );
    }

    #[test]
    fn a_list_that_is_changed_is_not_known_any_more() {
        let text = "input x\ncall f (x) gives 1\noutput f.0";
        let list = text.parse::<CodeList>().unwrap_or_else(|error| panic!("{error}")).remove_dead_code();
        assert_eq!(list.used_inputs(), Some(&[true][..]));
        let changes: [fn(&mut CodeList); 4] = [
            |list| {
                list.input("y");
            },
            |list| list.output(list.inputs()[0]),
            |list| list.truncate(2),
            |list| list.block_mut(ValueId::new(1)).args.clear(),
        ];
        for change in changes {
            let mut changed = list.clone();
            change(&mut changed);
            assert_eq!(changed.used_inputs(), None);
        }
    }

    /// `a` is computed from `b` of the iteration before, `c` from nothing else, and decides on nothing.
    #[test]
    fn a_loop_carries_what_its_results_need_of_the_iteration_before() {
        let text = "input x y\ninput n: int\nloop l on n (y x x 1 2) carries 3\nbody\ninput y x a b c\nu = a * b\nv = b + x\n\
                    w = c * y\noutput u v w\nend\noutput l.0";
        assert_eq!(
            reduced(text),
            "input x\ninput y\ninput n: int\nloop l on n (x x 1.0) carries 2\nbody\n    input x\n    input a\n    \
             input b\n    u = a * b\n    v = b + x\n    output u\n    output v\nend\noutput l.0\n"
        );
    }

    /// What decides whether another iteration follows is carried, although no result needs it.
    #[test]
    fn a_loop_carries_what_ends_it() {
        let body = "    input a\n    input b\n    u = a / 2.0\n    v = b + 1.0\n    p = u > 1.0\n    output u\n    output v\n    \
                    output p\n";
        let text = format!("input x\nloop l (x x) carries 2\nbody\n{body}end\noutput l.1\n");
        assert_eq!(reduced(&text), text);
        let body = body.replace("    input b\n", "").replace("    v = b + 1.0\n", "").replace("    output v\n", "");
        assert_eq!(
            reduced(&text.replace("output l.1", "output l.0")),
            format!("input x\nloop l (x) carries 1\nbody\n{body}end\noutput l.0\n")
        );
    }

    /// A passive value keeps its origin, and with that its number, where others go.
    #[test]
    fn opaque_statements_go_unless_they_are_kept() {
        let arm = "arm\npassive k: float\noutput k\n";
        let rest = "opaque g (p) gives opaque float origin 8\nopaque h (g.0) origin 9 kept\n";
        let text = format!(
            "passive p: bool\nbranch b on p ()\n{arm}{arm}end\n{rest}opaque i (g.1) gives int\npassive q: float\noutput q"
        );
        assert_eq!(reduced(&text), format!("passive p: bool\n{rest}passive q: float origin 3\noutput q\n"));
    }

    #[test]
    fn a_block_that_is_kept_stays_and_keeps_those_around_it() {
        let text = "input x\np = x < 1\nbranch b on p (x)\n\
                    arm\n    input x\n    call f (x) gives 1 kept\n    output x\n\
                    arm\n    input x\n    v = sin(x)\n    output v\nend\noutput x";
        assert_eq!(
            reduced(text),
            "input x\np = x < 1.0\nbranch b on p (x) kept\narm\n    input x\n    call f (x) gives 1 kept\n\
             arm\n    input x\nend\noutput x\n"
        );
    }

    #[test]
    fn what_may_panic_stays_and_keeps_the_branch_around_it() {
        let of_branch = "input x\ninput y\np = x < 1.0\nbranch b on p (x y)";
        let inputs = "    input x\n    input y\n";
        let rest = "u = x * y\nc = clamp(u, 0.0, y)\n";
        let text = format!(
            "{of_branch}\narm\n{inputs}    w = clamp(x, y, 2.0)\n    output w\n\
             arm\n{inputs}    v = sin(x)\n    output v\nend\n{rest}d = c * x\noutput x"
        );
        assert_eq!(
            reduced(&text),
            format!("{of_branch} kept\narm\n{inputs}    w = clamp(x, y, 2.0)\narm\n{inputs}end\n{rest}output x\n")
        );
    }

    #[test]
    fn a_call_without_the_partials_is_not_one_of_the_jacobian() {
        let text = "input x\ncall f (x) gives 1 with jacobian kept\ncall g (x) gives 1 with jacobian\noutput f.0 g.1";
        assert_eq!(
            reduced(text),
            "input x\ncall f (x) gives 1 kept\ncall g (x) gives 1 with jacobian\noutput f.0\noutput g.1\n"
        );
    }
}
