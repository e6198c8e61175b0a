//! The methods of iterators that use them up: their table, and what is written as it is instead.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{BinOp, Token};

use super::super::super::diagnostics::list;
use super::super::super::read::shape::Shape;
use super::super::super::refuse;
use super::super::super::syntax::{self, Collections, Expr, Method, Placed, Type};
use super::super::call::gives_number;
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::numbers::integer::Types;
use super::super::optional::option_given;
use super::super::value::Passive;
use super::adapt::ADAPTORS;
use super::find::Found;
use super::reduce::Reduced;
use super::{Callee, ENDLESS, End, Lowering, Part, Sequence, Value};

/// The name of a method, the number of its arguments, and what it makes of the items.
type Consumer = (&'static str, usize, fn(&mut Lowering<'_>, MethodOfItems<'_>) -> Flow);

/// All of them, in the order of messages.
const CONSUMERS: &[Consumer] = &[
    ("sum", 0, |lowering, consumed| lowering.total(consumed, |span| BinOp::Add(Token![+](span)), (0, "-0.0"))),
    ("product", 0, |lowering, consumed| lowering.total(consumed, |span| BinOp::Mul(Token![*](span)), (1, "1.0"))),
    ("fold", 2, |lowering, consumed| lowering.fold(consumed)),
    ("reduce", 1, |lowering, consumed| lowering.reduce(consumed, Reduced::Called)),
    ("min_by", 1, |lowering, consumed| lowering.reduce(consumed, Reduced::Least)),
    ("max_by", 1, |lowering, consumed| lowering.reduce(consumed, Reduced::Greatest)),
    ("for_each", 1, |lowering, consumed| lowering.for_each(consumed)),
    ("all", 1, |lowering, consumed| lowering.decided(consumed, false)),
    ("any", 1, |lowering, consumed| lowering.decided(consumed, true)),
    ("position", 1, |lowering, consumed| lowering.find(consumed, Found::Position, End::Front)),
    ("rposition", 1, |lowering, consumed| lowering.find(consumed, Found::Position, End::Back)),
    ("find", 1, |lowering, consumed| lowering.find(consumed, Found::Item, End::Front)),
    ("rfind", 1, |lowering, consumed| lowering.find(consumed, Found::Item, End::Back)),
    ("find_map", 1, |lowering, consumed| lowering.find(consumed, Found::Content, End::Front)),
    ("count", 0, |lowering, consumed| lowering.count(consumed)),
    ("next", 0, |lowering, consumed| lowering.next_item(consumed, End::Front)),
    ("next_back", 0, |lowering, consumed| lowering.next_item(consumed, End::Back)),
    ("nth", 1, |lowering, consumed| lowering.nth_item(consumed)),
    ("last", 0, |lowering, consumed| lowering.last_item(consumed)),
    (COLLECT, 0, |lowering, consumed| lowering.all_of(consumed.items, None)),
    (LEN, 0, |lowering, consumed| match consumed.items.length().exact() {
        Some(length) if length < ENDLESS => Ok(Value::Passive(lowering.numbers.usize(length))),
        _ => lowering.refuse(&consumed.call.name, unsupported(consumed.call)),
    }),
];

/// Those that ask a condition for each item.
const ASKING: &[&str] = &["all", "any"];

/// Those that are left as they are where nothing is active.
const LEFT: &[&str] = &["reduce", "min_by", "max_by", "position", "rposition", "find", "rfind", "find_map"];

/// Those that take some of the items off an iterator.
const TAKING_SOME: &[&str] = &["all", "any", "position", "rposition", "find", "rfind", "find_map"];

/// The one that makes a collection.
const COLLECT: &str = "collect";

/// The one that evaluates nothing.
const LEN: &str = "len";

/// What to use instead of other methods.
const ADVICE: &[refuse::About] = &[
    (&["collect", "try_collect"], refuse::collecting),
    (&["min", "max", "min_by_key", "max_by_key", "try_fold"], refuse::reducing),
    (&["peekable"], refuse::picking),
    (&["skip_while", "scan", "inspect"], refuse::adapting),
    (&["unwrap", "expect", "unwrap_or", "unwrap_or_else", "unwrap_or_default"], refuse::taking_out),
];

/// A call of a method of an iterator.
pub(in super::super) struct MethodOfItems<'c> {
    pub whole: &'c Expr,
    pub call: &'c Method,
    pub items: Sequence,
    pub args: &'c [Value],
    /// What the result is expected to be.
    pub expected: &'c Expected,
}

/// Whether a type is one of integers, or a `Vec` of them.
fn is_of_integers(ty: &syn::Type) -> bool {
    let is_integer = |name: &str| name == "bool" || Types::named(name).is_some();
    match syntax::ty(ty).element_of_vec() {
        Some(element) => is_of_integers(element),
        None => is_integer(&ty.to_token_stream().to_string()),
    }
}

/// Why a method of iterators is refused, and what to write instead.
fn unsupported(call: &Method) -> String {
    let name = call.name.to_string();
    if let Some((_, advice)) = ADVICE.iter().find(|(names, _)| names.contains(&name.as_str())) {
        return advice(name);
    }
    let adaptors = ADAPTORS.iter().flat_map(|adaptor| adaptor.names).copied();
    let [consumers @ .., last] = CONSUMERS else { unreachable!("there are consumers") };
    let consumers = consumers.iter().map(|&(name, ..)| name).filter(|name| *name != COLLECT);
    let known = list(adaptors.chain(consumers));
    refuse::iterator_method(known, last.0)
}

impl Lowering<'_> {
    /// The items of something passive of which no more is known, for a method of iterators that is given something
    /// active.
    pub(in super::super) fn items_of_run_time(
        &mut self,
        call: &Method,
        receiver: &Value,
        args: &[Value],
    ) -> Option<Sequence> {
        let is_called = ADAPTORS.iter().flat_map(|adaptor| adaptor.names).any(|name| call.name == name)
            || CONSUMERS.iter().any(|(name, ..)| call.name == name)
            // To be refused with advice. What is given something else may be a method of the user's.
            || ADVICE.iter().flat_map(|(names, _)| *names).any(|name| call.name == name)
                && args.iter().any(|arg| matches!(arg, Value::Closure(_)));
        if self.inline.is_some()
            || !is_called
            || self.length_of(receiver).is_some()
            || receiver.shape().is_some_and(|shape| matches!(shape.behind_references(), Shape::Vector(_)))
            || !args.iter().any(|arg| self.is_active(arg))
        {
            return None;
        }
        Some(Sequence::of_run_time(&receiver.to_passive()?))
    }

    /// Whether `collect` makes a `Vec`, which is read as an array.
    fn makes_vec(&self, consumed: &MethodOfItems<'_>) -> bool {
        let said = consumed.call.turbofish.as_ref().and_then(|turbofish| turbofish.only.as_ref());
        // One of integers stays what it is.
        let is_vec = |ty: &Type| ty.element_of_vec().is_some_and(|element| !is_of_integers(element));
        let is_expected = || match consumed.expected {
            Expected::Type(ty) => is_vec(ty),
            // What it is assigned to is one that is read so.
            Expected::Value(held) => matches!(held, Value::Array(_)),
            _ => false,
        };
        self.collections == Collections::Arrays && said.map_or_else(is_expected, is_vec)
    }

    /// A method that uses an iterator up.
    pub(super) fn consumed(&mut self, method: MethodOfItems<'_>) -> Flow {
        let MethodOfItems { whole, call, args, .. } = method;
        if let Some(passive) = self.written_call(call, &method.items, args) {
            return Ok(Value::Passive(passive));
        }
        let mut consumers = CONSUMERS.iter();
        let found = consumers.find(|(name, count, _)| call.name == name && *count == args.len());
        let found = found.filter(|(name, ..)| *name != COLLECT || self.makes_vec(&method));
        let is_asking = ASKING.iter().any(|name| call.name == name);
        let is_left = LEFT.iter().any(|name| call.name == name);
        if (found.is_none() || is_left || is_asking && !self.is_decided_here(&method))
            && let Some(passive) = self.kept_call(call, &method.items, args)
        {
            return Ok(Value::Passive(passive));
        }
        if let (Some(why), false) = (self.inline, call.name == LEN) {
            return self.refuse(whole, why);
        }
        let Some((.., consume)) = found else {
            return self.refuse(&call.name, unsupported(call));
        };
        if TAKING_SOME.iter().any(|name| call.name == name) {
            self.only_of_temporary(call)?;
        }
        let outer = self.repeats(|| call.name.span(), "iterator", method.items.length().exact());
        let value = consume(self, method);
        self.budget.restore(outer);
        value
    }

    /// The call as the user wrote it, where all of it is passive and nothing of it is known.
    pub(super) fn written_call(&mut self, call: &Method, items: &Sequence, args: &[Value]) -> Option<Passive> {
        if items.is_known && CONSUMERS.iter().any(|(name, ..)| call.name == name) {
            return None;
        }
        let args = args.iter().map(Value::to_passive).collect::<Option<Vec<_>>>()?;
        Some(self.called_as_written(call, &items.as_written()?, &args))
    }

    /// The same of one that is not known here, where nothing is active in its closures, either.
    fn kept_call(&mut self, call: &Method, items: &Sequence, args: &[Value]) -> Option<Passive> {
        let is_kept = |lowering: &mut Self, arg: &Value| match arg {
            Value::Closure(closure) => lowering.may_be_written(closure),
            arg => arg.is_passive(),
        };
        if !args.iter().all(|arg| is_kept(self, arg)) {
            return None;
        }
        let written = self.written_items(items)?;
        let mut passive = Vec::new();
        for (arg, place) in args.iter().zip(&call.args) {
            passive.push(match arg {
                Value::Closure(closure) => self.written_closure(closure, place).ok()?.to_passive()?,
                arg => arg.to_passive()?,
            });
        }
        Some(self.called_as_written(call, &written, &passive))
    }

    /// An iterator as the user wrote it, if nothing is active in it, nor in its closures.
    pub(super) fn written_items(&mut self, items: &Sequence) -> Option<TokenStream> {
        let parts = items.written.as_ref()?;
        let mut callees = parts.iter().filter_map(|part| match part {
            Part::Calling(_, Callee::Closure(closure)) => Some(closure),
            _ => None,
        });
        if !callees.all(|closure| self.may_be_written(closure)) {
            return None;
        }
        let mut written = TokenStream::new();
        for part in parts {
            match part {
                Part::Written(tokens) => written.extend(tokens.clone()),
                Part::Calling(method, callee) => {
                    let callee = match callee {
                        Callee::Closure(closure) => self.written_closure(closure, &closure.place()),
                        Callee::Path(path) => self.path(path),
                    };
                    let callee = callee.ok()?.to_passive()?;
                    let callee = callee.tokens();
                    written.extend(quote!(.#method(#callee)));
                }
            }
        }
        Some(written)
    }

    /// Whether the conditions that a method asks are known here.
    pub(super) fn is_decided_here(&mut self, method: &MethodOfItems<'_>) -> bool {
        let mut items = method.items.clone();
        let decides = method.call.name == "any";
        let value = self.on_trial(|lowering| {
            let callee = lowering.callee(&method.call.args[0], &method.args[0])?;
            while let Some(item) = lowering.pull(&mut items)? {
                if lowering.condition_for(&callee, item)? == decides {
                    break;
                }
            }
            Ok(Value::unit())
        });
        value.is_some()
    }

    fn called_as_written(&mut self, call: &Method, written: &TokenStream, args: &[Passive]) -> Passive {
        let turbofish = self.written_turbofish(call);
        let (method, args) = (&call.name, args.iter().map(Passive::tokens));
        let receiver = Passive::simple(written.clone());
        let result = Passive::simple(quote!(#written.#method #turbofish(#(#args),*)));
        result.given(!gives_number(method)).with_variant(option_given(&receiver, method))
    }
}
