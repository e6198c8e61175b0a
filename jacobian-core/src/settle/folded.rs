//! What is left of the body of a loop once its masks are 1.

use jacobian_list::block::Choice;
use jacobian_list::catalogue::known;
use jacobian_list::code_list::{CodeList, Constant, Kind, Statement, ValueId};

use super::selections::Selections;

/// A body with ones in the place of its masks.
pub(super) struct Folded {
    /// By value: whether it is a mask, or computed from one.
    pub depends: Vec<bool>,
    /// By value: the number that it is then.
    pub numbers: Vec<Option<f64>>,
    /// By value: the one that it is then, itself or what a selection gives.
    pub same: Vec<ValueId>,
    /// The masks, as what is carried.
    pub masks: Vec<usize>,
}

impl Folded {
    /// The body with the largest set of masks. None, where no selection goes by them.
    pub(super) fn of(body: &CodeList, carried: usize, chosen: &Selections<'_>) -> Option<Folded> {
        let first = body.inputs().len() - carried;
        let of = |mask: usize| (body.inputs()[first + mask], body.outputs()[mask]);
        let is_float = |&mask: &usize| body.kind(of(mask).0) == Kind::Float && of(mask).0 != of(mask).1;
        let mut masks: Vec<_> = (0..carried).filter(is_float).collect();
        loop {
            let folded = Folded::with(body, masks, first, chosen);
            // What another block reads is not folded in it.
            let mut is_kept = vec![false; body.statements().len()];
            for id in body.ids().rev().filter(|id| folded.depends[id.index()]) {
                if is_kept[id.index()] || !chosen.is_movable(id) {
                    chosen.reads(id).into_iter().for_each(|arg| is_kept[arg.index()] = true);
                }
            }
            let stays = |&mask: &usize| {
                let (input, next) = of(mask);
                folded.numbers[next.index()] == Some(1.0) && !is_kept[input.index()]
            };
            let left: Vec<_> = folded.masks.iter().copied().filter(stays).collect();
            if left.len() == folded.masks.len() {
                return folded.is_worth_it(body).then_some(folded);
            }
            masks = left;
        }
    }

    /// Whether a branch pays: it saves most of the selections of the body, and not only masks.
    fn is_worth_it(&self, body: &CodeList) -> bool {
        let is_saved = |id: &ValueId| self.depends[id.index()] && self.same[id.index()] != *id;
        let selections: Vec<_> = body.ids().filter(|&id| is_selection(body, id)).collect();
        let saved: Vec<_> = selections.iter().filter(|id| is_saved(id)).collect();
        2 * saved.len() >= selections.len() && saved.iter().any(|id| self.numbers[id.index()].is_none())
    }

    fn with(body: &CodeList, masks: Vec<usize>, first: usize, chosen: &Selections<'_>) -> Folded {
        let length = body.statements().len();
        let same: Vec<_> = body.ids().collect();
        let mut folded = Folded { depends: vec![false; length], numbers: vec![None; length], same, masks };
        for &mask in &folded.masks {
            let input = body.inputs()[first + mask].index();
            (folded.depends[input], folded.numbers[input]) = (true, Some(1.0));
        }
        body.ids().for_each(|id| folded.statement(body, id, chosen));
        folded
    }

    fn statement(&mut self, body: &CodeList, id: ValueId, chosen: &Selections<'_>) {
        let index = id.index();
        self.depends[index] |= chosen.reads(id).into_iter().any(|arg| self.depends[arg.index()]);
        match body.statement(id) {
            Statement::Constant(Constant::Float(number)) => self.numbers[index] = Some(*number),
            Statement::Part { .. } if let Some(choices) = chosen.choices(id) => self.choose(index, choices),
            // What the masks do not decide stays as it is written: other constants may be rounded before they are added.
            Statement::Apply { intrinsic, args, .. } if self.depends[index] => match (*intrinsic, &**args) {
                (known::MUL, &[x, y]) if [x, y].map(|mask| self.number(mask)) == [Some(1.0); 2] => {
                    self.numbers[index] = Some(1.0);
                }
                (known::SELECT_EQ, &[x, y, then, other]) => {
                    if let Some((x, y)) = self.number(x).zip(self.number(y)) {
                        let chosen = if x == y { then } else { other };
                        (self.same[index], self.numbers[index]) = (self.same[chosen.index()], self.number(chosen));
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn number(&self, id: ValueId) -> Option<f64> {
        self.numbers[id.index()]
    }

    fn choose(&mut self, part: usize, choices: &[Choice]) {
        let number = |choice: &Choice| match choice {
            Choice::Value(value) => self.number(*value),
            Choice::Constant(number) => Some(number.as_float()),
        };
        let first = choices.first().and_then(number);
        self.numbers[part] = first.filter(|_| choices.iter().all(|choice| number(choice) == first));
    }
}

/// Whether a statement selects one of two numbers, as one does that goes by a mask.
pub(super) fn is_selection(list: &CodeList, id: ValueId) -> bool {
    matches!(list.statement(id), Statement::Apply { intrinsic, .. } if *intrinsic == known::SELECT_EQ)
}
