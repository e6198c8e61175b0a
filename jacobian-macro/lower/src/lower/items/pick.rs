//! `next`, `next_back`, `nth` and `last`: one of the items, if there are that many.

use super::super::super::refuse;
use super::super::super::syntax::{ExprKind, Method};
use super::super::control::Flow;
use super::consume::MethodOfItems;
use super::{End, Lowering, Value};

impl Lowering<'_> {
    /// Takes the item off that is the next at an end.
    pub(super) fn next_item(&mut self, picked: MethodOfItems<'_>, end: End) -> Flow {
        self.item_after(0, picked, end)
    }

    /// Takes the item off that comes after as many as the argument says, with these.
    pub(super) fn nth_item(&mut self, picked: MethodOfItems<'_>) -> Flow {
        match picked.args[0].as_int().and_then(|count| usize::try_from(count).ok()) {
            Some(count) => self.item_after(count, picked, End::Front),
            None => self.refuse(&picked.call.args[0], refuse::PICKED_AT_RUN_TIME),
        }
    }

    /// The last item: all are evaluated.
    pub(super) fn last_item(&mut self, picked: MethodOfItems<'_>) -> Flow {
        let mut items = picked.items;
        if items.is_run_time {
            return self.refuse(&picked.call.name, refuse::PICKED_AT_RUN_TIME);
        }
        self.will_take(items.length())?;
        let mut last = self.no_item();
        while let Some(item) = self.pull(&mut items)? {
            last = self.there(item);
        }
        Ok(last)
    }

    /// An item that is not there: what is done with it is known, as that of one which is.
    pub(super) fn no_item(&mut self) -> Value {
        Value::there_if(self.truth(false), Value::Unset)
    }

    /// Refuses a method that takes items off an iterator in a variable, as many as are known at run time only.
    pub(super) fn only_of_temporary(&mut self, call: &Method) -> Flow<()> {
        match &*call.receiver.unwrapped().kind {
            ExprKind::Call(..) | ExprKind::Method(_) | ExprKind::Range(..) => Ok(()),
            _ => self.refuse(&call.receiver, refuse::TAKEN_AT_RUN_TIME),
        }
    }

    fn item_after(&mut self, count: usize, picked: MethodOfItems<'_>, end: End) -> Flow {
        let MethodOfItems { call, mut items, .. } = picked;
        if items.is_run_time {
            return self.refuse(&call.name, refuse::PICKED_AT_RUN_TIME);
        }
        let item = self.nth(&mut items.items, end, count)?;
        match &*call.receiver.unwrapped().kind {
            ExprKind::Call(..) | ExprKind::Method(_) => {}
            ExprKind::Variable(id, _) => {
                let (number, level) = (self.activation.number(*id), self.program.level());
                if self.bindings.is_moved(number) {
                    return self.refuse(&call.name, refuse::MOVED);
                }
                match self.bindings.find_mut(number) {
                    // In a branch or a loop of the generated code, the items that are left would not be known later.
                    Some(binding) if binding.level == level && matches!(binding.value, Value::Iterator(_)) => {
                        binding.value = Value::Iterator(Box::new(items));
                    }
                    _ => return self.refuse(&call.name, refuse::PICKED_AT_RUN_TIME),
                }
            }
            _ => return self.refuse(&call.receiver, refuse::PICKED_AT_RUN_TIME),
        }
        Ok(match item {
            Some(item) => self.there(item),
            None => self.no_item(),
        })
    }
}
