//! `position`, `find` and `find_map`, and the same from the back: the first of the items for which a condition holds. Where
//! that is known at run time only, the items that are left are asked in an arm of a branch.

use super::super::super::refuse;
use super::super::super::syntax::Expr;
use super::super::expected::Expected;
use super::super::program::Head;
use super::consume::MethodOfItems;
use super::fold::MAX_NESTED;
use super::{Callee, End, Flow, Lowering, Sequence, Value};

/// What is given of the item that is found.
#[derive(Copy, Clone)]
pub(super) enum Found {
    /// Its number.
    Position,
    /// The item itself.
    Item,
    /// What the closure makes of it.
    Content,
}

/// What is searched, and how.
struct Search<'c> {
    whole: &'c Expr,
    callee: Callee,
    items: Sequence,
    /// The end that the search begins at.
    end: End,
    given: Found,
    /// The number of the next item.
    next: usize,
    /// The last item of which it is known at run time only whether it is the one.
    last: Option<Value>,
}

impl Search<'_> {
    /// The number of the next item, which is not the next one any more.
    fn take_number(&mut self) -> usize {
        let number = self.next;
        self.next = match self.end {
            End::Front => number + 1,
            End::Back => number.wrapping_sub(1),
        };
        number
    }
}

impl Lowering<'_> {
    pub(super) fn find(&mut self, searched: MethodOfItems<'_>, given: Found, end: End) -> Flow {
        let MethodOfItems { whole, call, items, args, .. } = searched;
        let callee = self.callee(&call.args[0], &args[0])?;
        let (next, is_counted) = match (end, items.length().exact()) {
            (End::Front, _) => (0, true),
            (End::Back, Some(length)) => (length.wrapping_sub(1), true),
            (End::Back, None) => (0, false),
        };
        if items.is_run_time || matches!(given, Found::Position) && !is_counted {
            return self.refuse(&call.name, refuse::picking(&call.name));
        }
        self.find_next(&mut Search { whole, callee, items, end, given, next, last: None }, MAX_NESTED)
    }

    /// Asks the items that are left, up to `most` of them where it is known at run time only whether one is found.
    fn find_next(&mut self, search: &mut Search<'_>, most: usize) -> Flow {
        while let Some(item) = self.pull_from(&mut search.items, search.end)? {
            let number = search.take_number();
            let given = match search.given {
                Found::Position => Value::Passive(self.numbers.usize(number)),
                Found::Item => item.clone(),
                Found::Content => match self.find_content(search, item, most)? {
                    Some(found) => return Ok(found),
                    None => continue,
                },
            };
            let asked = match search.given {
                Found::Item => self.shared(item),
                _ => item,
            };
            let condition = self.invoke(&search.callee, vec![asked], Expected::Anything)?;
            match condition.as_bool() {
                Some(true) => return Ok(self.there(given)),
                Some(false) => continue,
                None if most == 0 => return self.refuse_item(Some(&search.callee), refuse::ITEM_CONDITION),
                None => {}
            }
            if let Found::Item = search.given {
                search.last = Some(given.clone());
            }
            let selector = self.condition(&condition, &self.place_of_items(Some(&search.callee)))?;
            let found = self.in_arm(|lowering| Ok(lowering.there(given)))?;
            let left = self.in_arm(|lowering| lowering.find_next(search, most - 1))?;
            return self.join(Head::If, selector, vec![found, left], search.whole);
        }
        Ok(match search.last.take() {
            // Nothing reads it: it is like what may be there.
            Some(last) => Value::there_if(self.truth(false), last),
            None if most == MAX_NESTED => self.no_item(),
            None => self.missing(),
        })
    }

    /// What the closure makes of an item, or of one of those that are left; none if it is known to make nothing of it.
    fn find_content(&mut self, search: &mut Search<'_>, item: Value, most: usize) -> Flow<Option<Value>> {
        let content = self.call_for(&search.callee, item)?;
        match self.known_content(&content) {
            Some(Some(content)) => return Ok(Some(self.there(content))),
            Some(None) => return Ok(None),
            None if most == 0 => return self.refuse_item(Some(&search.callee), refuse::ITEM_CONDITION),
            None => {}
        }
        let whole = search.whole;
        let found = |lowering: &mut Self, content| Ok(lowering.there(content));
        self.with_option(&content, whole, found, |lowering| lowering.find_next(search, most - 1)).map(Some)
    }
}
