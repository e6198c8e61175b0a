//! Arrays in the arms of branches, which change them in place.

use jacobian_core::block::{Block, Choice};
use jacobian_core::code_list::{CodeList, ValueId};
use jacobian_lower::names::Names;

use super::super::writer::Writer;
use super::super::{Chunk, Emitter};
use super::chosen::Cells;
use super::{Entry, Kept};

/// An arm that is being written.
pub struct OpenArm<'a> {
    pub emitter: Emitter<'a>,
    /// Its statements.
    pub statements: Writer,
    /// Whether it never ends.
    pub diverges: bool,
    /// What was in the arrays when it began.
    begun: Vec<Cells>,
}

impl<'a> OpenArm<'a> {
    /// Writes the statements of an arm.
    pub fn new(mut emitter: Emitter<'a>, diverges: bool, names: &mut Names) -> Self {
        let begun = emitter.arrays.iter().map(|array| array.cells.clone()).collect();
        let statements = emitter.statements(names).tokens;
        OpenArm { emitter, statements, diverges, begun }
    }
}

impl<'a> Emitter<'a> {
    /// How an arm begins.
    pub fn entry_of_arm(&self, block: &Block, list: &CodeList) -> Entry {
        self.entry(block.args.iter().zip(list.inputs()))
    }

    /// Ends the arms of a branch: elements that any of them has replaced are results of the branch, as far as these are
    /// used, and all arms end alike. Returns the results that are elements.
    pub fn end_arms(
        &mut self,
        out: &mut Chunk,
        id: ValueId,
        arms: &mut [OpenArm<'a>],
        live: &[(u32, ValueId)],
        names: &mut Names,
    ) -> Vec<ValueId> {
        let mut elements = Vec::new();
        for array in 0..self.arrays.len() {
            let mut replaced = Vec::new();
            for cell in 0..self.arrays[array].cells.len() {
                let is_replaced = |arm: &&OpenArm<'_>| {
                    let own = &arm.emitter.arrays[array];
                    let is_other = own.cells[cell].is_none() || own.cells[cell] != arm.begun[array][cell];
                    !arm.diverges && own.replaced[cell] && is_other
                };
                let Some(arm) = arms.iter().find(is_replaced) else { continue };
                let now = arm.emitter.arrays[array].cells[cell].and_then(|choice| choice.value());
                let is_now = |(index, part): &&(u32, ValueId)| {
                    Some(arm.emitter.list.outputs()[*index as usize]) == now && !elements.contains(part)
                };
                let part = live.iter().find(is_now).copied();
                elements.extend(part.map(|(_, part)| part));
                replaced.push((cell, part));
            }
            if replaced.is_empty() {
                continue;
            }
            for OpenArm { emitter, statements, .. } in arms.iter_mut().filter(|arm| !arm.diverges) {
                let mut wanted = vec![None; self.arrays[array].cells.len()];
                for &(cell, part) in &replaced {
                    wanted[cell] = part.map(|(index, _)| Choice::Value(emitter.list.outputs()[index as usize]));
                }
                emitter.fill_at_end(statements, array, &wanted, names);
            }
            let cells: Vec<_> = replaced.iter().map(|(cell, _)| *cell).collect();
            self.keep(
                out,
                array,
                &cells,
                Kept { after: id.index(), at: id.index(), also: &[], changing: &[array] },
                names,
            );
            for (cell, part) in replaced {
                self.hold(array, cell, part.map(|(_, part)| part));
            }
        }
        elements
    }
}
