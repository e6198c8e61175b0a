//! The methods of iterators that give another iterator: their table, and how one is made from the receiver and the
//! argument.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use super::super::super::refuse;
use super::super::super::syntax::Method;
use super::super::control::Flow;
use super::super::value::Passive;
use super::consume::MethodOfItems;
use super::{AnyItems, Callee, Lowering, Part, Sequence, Value};
use super::{chain, copied, enumerate, filter, filter_map, flat, map, rev, skip, step_by, take, take_while, zip};

/// All of them, in the order of messages.
pub(super) const ADAPTORS: &[&Adaptor] = &[
    &map::MAP,
    &filter::FILTER,
    &filter_map::FILTER_MAP,
    &take_while::TAKE_WHILE,
    &filter_map::MAP_WHILE,
    &flat::FLAT_MAP,
    &flat::FLATTEN,
    &zip::ZIP,
    &chain::CHAIN,
    &enumerate::ENUMERATE,
    &rev::REV,
    &skip::SKIP,
    &take::TAKE,
    &step_by::STEP_BY,
    &copied::COPIED,
];

/// The most sources and adaptors of an iterator.
const MAX_SIZE: usize = 200;

/// The most items that are chosen on trial: there may be no end of them.
const MOST_ON_TRIAL: usize = 100;

/// A method that gives another iterator: a row of the table.
pub(super) struct Adaptor {
    /// Its names, which mean the same.
    pub names: &'static [&'static str],
    /// What it takes.
    pub takes: Takes,
}

/// The argument of an adaptor, and what makes the adaptor from the receiver and the argument, or says why it cannot be.
pub(super) enum Takes {
    /// No argument.
    Nothing(fn(AnyItems) -> AnyItems),
    /// A closure or a function.
    Callee(MakeWithCallee),
    /// A closure or a function that says which items there are.
    Condition(MakeWithCallee),
    /// A number that is known. An error is reported at the number.
    Count(MakeWithCount),
    /// What a loop can go over. An error is reported at the name of the adaptor.
    Items(MakeWithItems),
}

type MakeWithCallee = fn(AnyItems, Callee) -> AnyItems;
type MakeWithCount = fn(AnyItems, usize) -> Result<AnyItems, &'static str>;
type MakeWithItems = fn(Sequence, Sequence) -> Result<AnyItems, &'static str>;

impl Adaptor {
    fn is_called(&self, name: &str, args: &[Value]) -> bool {
        let count = usize::from(!matches!(self.takes, Takes::Nothing(_)));
        self.names.contains(&name) && args.len() == count
    }
}

/// Whether it is the name of an adaptor that takes what a loop can go over.
pub fn takes_items(name: &str) -> bool {
    ADAPTORS.iter().any(|adaptor| matches!(adaptor.takes, Takes::Items(_)) && adaptor.names.contains(&name))
}

impl Sequence {
    /// The iterator that a call makes of this one; `argument` is that of the call, where it is passive.
    fn adapted(self, call: &Method, argument: Option<TokenStream>, make: impl FnOnce(AnyItems) -> AnyItems) -> Self {
        let name = &call.name;
        let part = argument.map(|argument| Part::Written(quote!(.#name(#argument))));
        self.with_part(part, make)
    }

    /// The same of a method that calls something.
    fn calling(self, call: &Method, callee: Callee, make: MakeWithCallee) -> Self {
        let part = Part::Calling(call.name.clone(), callee.clone());
        Sequence { calls: true, ..self.with_part(Some(part), |items| make(items, callee)) }
    }

    fn with_part(self, part: Option<Part>, make: impl FnOnce(AnyItems) -> AnyItems) -> Self {
        let written = self.written.zip(part).map(|(mut written, part)| {
            written.push(part);
            written
        });
        Sequence { items: make(self.items), written, size: self.size + 1, ..self }
    }
}

impl Lowering<'_> {
    /// A method of an iterator.
    pub(in super::super) fn iterator_method(&mut self, method: MethodOfItems<'_>) -> Flow {
        let MethodOfItems { call, args, .. } = method;
        let name = call.name.to_string();
        if let ("into_iter" | "clone", []) = (name.as_str(), args) {
            let items = if name == "clone" { method.items.copy() } else { method.items };
            return self.adapted(call, items);
        }
        let Some(adaptor) = ADAPTORS.iter().find(|adaptor| adaptor.is_called(&name, args)) else {
            return self.consumed(method);
        };
        let items = method.items;
        match adaptor.takes {
            Takes::Nothing(make) => self.adapted(call, items.adapted(call, Some(TokenStream::new()), make)),
            Takes::Callee(make) => {
                let callee = self.callee(&call.args[0], &args[0])?;
                self.adapted(call, items.calling(call, callee, make))
            }
            Takes::Condition(make) => {
                let callee = self.callee(&call.args[0], &args[0])?;
                self.chosen_items(call, items, callee, make)
            }
            Takes::Count(make) => self.with_count(call, items, &args[0], make),
            Takes::Items(make) => self.with_items(call, items, &args[0], make),
        }
    }

    /// An iterator that a method gives, unless it is too large.
    fn adapted(&mut self, call: &Method, items: Sequence) -> Flow {
        if let Some(turbofish) = &call.turbofish {
            return self.refuse(&turbofish.place, refuse::TYPE_ARGUMENTS);
        }
        if items.size > MAX_SIZE {
            return self.refuse(&call.name, refuse::iterator_size(MAX_SIZE));
        }
        match items.items.head() {
            Err(why) if items.is_run_time => self.refuse(&call.name, why),
            _ => Ok(Value::Iterator(Box::new(items))),
        }
    }

    /// Items that a condition chooses. Where that is known at run time only, they are run-time items: as the user
    /// wrote them where nothing in them is active, else those of a loop, which goes over the indices of items that are
    /// there already.
    fn chosen_items(&mut self, call: &Method, inner: Sequence, callee: Callee, make: MakeWithCallee) -> Flow {
        if inner.length().exact() == Some(0) {
            return self.adapted(call, inner);
        }
        let items = inner.clone().calling(call, callee.clone(), make);
        if items.is_run_time || self.are_chosen_here(&items) {
            return self.adapted(call, items);
        }
        match self.written_items(&items) {
            Some(written) => Ok(Value::Passive(Passive::simple(written).given(true))),
            None if items.has_head() => self.adapted(call, Sequence { is_run_time: true, ..items }),
            None if inner.calls => self.adapted(call, items),
            None => {
                let items = self.indexed(inner, &call.name)?;
                self.adapted(call, items.calling(call, callee, make))
            }
        }
    }

    /// Whether the conditions that choose items are known, as far as the first items tell.
    fn are_chosen_here(&mut self, items: &Sequence) -> bool {
        let mut items = items.clone();
        let value = self.on_trial(|lowering| {
            for _ in 0..MOST_ON_TRIAL {
                if lowering.pull(&mut items)?.is_none() {
                    break;
                }
            }
            Ok(Value::unit())
        });
        value.is_some()
    }

    fn with_count(&mut self, call: &Method, items: Sequence, count: &Value, make: MakeWithCount) -> Flow {
        let known = count.as_int().and_then(|count| usize::try_from(count).ok());
        let (count, written) = match (known, count.to_passive()) {
            (Some(known), _) if !items.is_run_time => (known, Literal::usize_unsuffixed(known).to_token_stream()),
            (_, Some(passive)) => return self.with_count_of_run_time(call, items, count, &passive),
            _ => return self.refuse(&call.args[0], refuse::NUMBER_OF_ITEMS),
        };
        match make(items.items.clone(), count) {
            Ok(made) => self.adapted(call, items.adapted(call, Some(written), |_| made)),
            Err(why) => self.refuse(&call.args[0], why),
        }
    }

    /// The same where the items or their number are known only at run time: as the user wrote it where all of it is
    /// passive, else in the head of a loop, which goes over the indices of items that are there already.
    fn with_count_of_run_time(&mut self, call: &Method, items: Sequence, count: &Value, passive: &Passive) -> Flow {
        if !items.is_run_time
            && let Some(written) = self.written_call(call, &items, std::slice::from_ref(count))
        {
            return Ok(Value::Passive(written));
        }
        let items = self.indexed(items, &call.name)?;
        if !items.has_head() && !items.is_run_time {
            return self.refuse(&call.name, refuse::CALLED_BEFORE_COUNT);
        }
        let items = Sequence { written: None, is_known: false, is_run_time: true, ..items };
        self.adapted(call, items.on_head(&call.name, passive.tokens()))
    }

    fn with_items(&mut self, call: &Method, mut items: Sequence, other: &Value, make: MakeWithItems) -> Flow {
        let other = match (self.items_of(other.clone()), other.to_passive()) {
            (Some(other), _) if items.is_run_time => self.indexed(other, &call.name)?,
            (Some(other), _) => other,
            (None, Some(passive)) if items.is_run_time => Sequence::of_run_time(&passive),
            (None, passive) => match (self.written_call(call, &items, std::slice::from_ref(other)), passive) {
                (Some(written), _) => return Ok(Value::Passive(written)),
                (None, Some(passive)) => Sequence::of_run_time(&passive),
                (None, None) => return self.refuse(&call.args[0], refuse::UNKNOWN_ITEMS),
            },
        };
        if other.is_run_time {
            items = self.indexed(items, &call.name)?;
        }
        let both = Sequence {
            is_known: items.is_known && other.is_known,
            calls: items.calls || other.calls,
            is_run_time: items.is_run_time || other.is_run_time,
            size: items.size + other.size,
            ..items.clone()
        };
        let written = other.as_written();
        match make(items, other) {
            Ok(made) => self.adapted(call, both.adapted(call, written, |_| made)),
            Err(why) => self.refuse(&call.name, why),
        }
    }
}
