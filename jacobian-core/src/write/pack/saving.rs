//! Where packing pays, by the prices of [`cost::time`](crate::write::cost::time).

use jacobian_list::catalogue::known;
use jacobian_list::code_list::CodeList;

use super::groups::{Form, Group, Groups};
use crate::write::cost::time::{CALL_OF_PACK, GATHER, LANE, SINGLE};

/// The most operands that packs read which are written in one, and the most of them that have lanes: as many as there
/// are registers for the arguments of a call. Clippy does not like more either.
const MAX_OPERANDS: usize = 7;
const MAX_WITH_LANES: usize = 5;

/// With fewer statements, a derivative is not examined.
const MIN_STATEMENTS: usize = 500;

/// With a smaller saving, nothing is packed: rustc itself packs much of small functions, and what is single is kept in
/// registers.
const MIN_SAVING: isize = 500;

/// Nor with a smaller part of the time, as one to this.
const MIN_SHARE: isize = 20;

/// Whether a code list is so large that packing may pay.
pub fn is_large(list: &CodeList) -> bool {
    list.statements().len() >= MIN_STATEMENTS
}

/// Whether a saving is large enough to pack for.
pub fn pays(list: &CodeList, saving: isize) -> bool {
    saving >= MIN_SAVING && saving >= list.statements().len() as isize / MIN_SHARE
}

impl Groups {
    /// Gives up the groups that cost more than single statements, which others that read them pay for, too.
    pub fn give_up_costly(&mut self, uses: &[usize]) {
        let readers = self.readers();
        let mut inner = self.inner(uses);
        for number in self.order().to_vec() {
            let Some(group) = self.get(number) else { continue };
            let gathered = readers[number] as isize * GATHER * group.lanes.len() as isize;
            if self.saving_of(group, inner[number]) + gathered < 0 {
                self.give_up(number);
                inner[number] = false;
            }
        }
    }

    /// What all groups together save.
    pub fn saving(&self, uses: &[usize]) -> isize {
        let inner = self.inner(uses);
        self.all().map(|(number, group)| self.saving_of(group, inner[number])).sum()
    }

    /// What a group saves where nothing reads it.
    fn saving_of(&self, group: &Group, is_inner: bool) -> isize {
        let width = group.lanes.len() as isize;
        let gathered = group.operands.iter().filter(|operand| self.form(operand) == Form::Values).count() as isize;
        let call = if is_inner { 0 } else { CALL_OF_PACK };
        width * (SINGLE - LANE - gathered * GATHER) - call
    }

    /// By group: how many groups read all of its lanes.
    fn readers(&self) -> Vec<u32> {
        let mut readers = vec![0; self.len()];
        for operand in self.all().flat_map(|(_, group)| &group.operands) {
            if let Form::Group(number) = self.form(operand) {
                readers[number] += 1;
            }
        }
        readers
    }

    /// By group: whether it is written in the group that reads it: as long as each lane is read once only, and what is
    /// written in one reads few enough values.
    pub fn inner(&self, uses: &[usize]) -> Vec<bool> {
        let (mut is_inner, mut reads) = (vec![false; self.len()], vec![Reads::default(); self.len()]);
        for (group, number) in self.order().iter().filter_map(|&number| Some((self.get(number)?, number))) {
            let forms: Vec<_> = group.operands.iter().map(|operand| self.form(operand)).collect();
            // A change of sign counts, too, so that there are never many of them in one another.
            let sign = Reads { all: usize::from(group.operation == known::NEG), lanes: 0 };
            let mut own = forms.iter().fold(sign, |reads, form| reads.and(Reads::of(*form)));
            for form in forms {
                if let Form::Group(inner) = form
                    && self.get(inner).is_some_and(|group| group.lanes.iter().all(|lane| uses[lane.index()] == 1))
                    && let together = own.without(Reads::of(form)).and(reads[inner])
                    && together.lanes <= MAX_WITH_LANES
                    && together.all <= MAX_OPERANDS
                {
                    (own, is_inner[inner]) = (together, true);
                }
            }
            reads[number] = own;
        }
        is_inner
    }
}

/// How many operands a packed statement reads, and how many of them have lanes.
#[derive(Copy, Clone, Default)]
struct Reads {
    all: usize,
    lanes: usize,
}

impl Reads {
    fn of(form: Form) -> Self {
        Reads { all: 1, lanes: usize::from(form != Form::Same) }
    }

    fn and(self, other: Reads) -> Self {
        Reads { all: self.all + other.all, lanes: self.lanes + other.lanes }
    }

    fn without(self, other: Reads) -> Self {
        Reads { all: self.all - other.all, lanes: self.lanes - other.lanes }
    }
}
