//! The methods of iterators.

use quote::quote;
use syn::{BinOp, Token};

use super::super::scalar::Scalar;
use super::super::shape::Shape;
use super::super::syntax::{Expr, Method, Type, TypeKind};
use super::Flattener;
use super::closure::Callee;
use super::expected::Expected;
use super::number::{Number, float_literal, integer_type};
use super::sequence::{Access, Count, ENDLESS, Sequence};
use super::value::{Passive, Value};

/// The most adaptors and arrays of an iterator.
const MAX_SIZE: usize = 200;

/// What is known of iterators, for messages.
const METHODS: &str = "`map`, `filter`, `flat_map`, `flatten`, `zip`, `chain`, `enumerate`, `rev`, `skip`, `take`, `step_by`, \
    `copied`, `cloned`, `sum`, `product`, `fold`, `for_each`, `all`, `any`, `count` and `len`";

/// What to use instead of other methods.
const ADVICE: &[(&[&str], &str)] = &[
    (&["collect", "try_collect"], "use `core::array::from_fn`, or `map` of an array"),
    (
        &["min", "max", "min_by", "max_by", "min_by_key", "max_by_key", "reduce", "try_fold"],
        "use `fold`, with `f64::max` for instance",
    ),
    (&["next", "next_back", "nth", "last", "position", "find", "peekable"], "index the array"),
    (&["take_while", "skip_while", "map_while", "filter_map", "scan"], "use a `for` loop"),
];

/// Why a method of iterators is refused, and what to write instead.
fn unsupported(name: &str) -> String {
    match ADVICE.iter().find(|(names, _)| names.contains(&name)) {
        Some((_, advice)) => format!("`{name}` is not supported here; {advice}"),
        None => format!("of the methods of iterators, {METHODS} are supported here"),
    }
}

impl Flattener<'_> {
    /// The items of a value that a loop can go over; none if they are not known one by one.
    pub(super) fn items_of(&mut self, value: Value) -> Option<Sequence> {
        let length = self.length_of(&value);
        match (value, length) {
            (Value::Iterator(items), _) => Some(*items),
            (Value::Range(range), _) => self.numbers(&range),
            (Value::Reference(target), Some(length)) => {
                Some(Sequence::of_array((*target).clone(), length, Access::Reference))
            }
            (Value::Mutable(place), _) => {
                let target = self.read(&place);
                let length = self.length_of(&target)?;
                let places = (0..length).map(|index| Value::Mutable(place.part(index))).collect();
                Some(Sequence::Places { places, count: Count::new(Some(length)) })
            }
            (Value::Passive(passive), Some(length)) => {
                let access = if passive.is_reference() { Access::Reference } else { Access::Value };
                Some(Sequence::of_array(Value::Passive(passive), length, access))
            }
            (array @ Value::Array(_), Some(length)) => Some(Sequence::of_array(array, length, Access::Value)),
            _ => None,
        }
    }

    /// A method of an iterator.
    pub(super) fn iterator_method(
        &mut self,
        whole: &Expr,
        call: &Method,
        items: Sequence,
        args: &[Value],
        expected: &Expected,
    ) -> Value {
        let name = call.name.to_string();
        let adapted = match (name.as_str(), args) {
            ("into_iter" | "clone", []) => Some(items.clone()),
            ("copied" | "cloned", []) => Some(Sequence::Copied(Box::new(items.clone()))),
            ("enumerate", []) => Some(Sequence::Enumerate(Box::new(items.clone()), 0)),
            ("rev", []) => Some(Sequence::Rev(Box::new(items.clone()))),
            ("flatten", []) => {
                Some(Sequence::Flat { outer: Box::new(items.clone()), callee: None, front: None, back: None })
            }
            ("map" | "filter" | "flat_map", [value]) => return self.with_callee(call, items, value),
            ("skip" | "take" | "step_by", [count]) => return self.with_count(call, items, count),
            ("zip" | "chain", [other]) => return self.with_items(call, items, other),
            _ => None,
        };
        match adapted {
            Some(items) => self.adapted(call, items),
            None => self.consumed(whole, call, items, args, expected),
        }
    }

    /// An iterator that a method makes of another, unless it is too large.
    fn adapted(&mut self, call: &Method, items: Sequence) -> Value {
        if let Some(turbofish) = &call.turbofish {
            return self.refuse(&turbofish.place, "type arguments are not supported here");
        }
        match items.size() <= MAX_SIZE {
            true => Value::Iterator(Box::new(items)),
            false => self.refuse(&call.name, format!("iterators of more than {MAX_SIZE} parts are not supported")),
        }
    }

    fn with_callee(&mut self, call: &Method, items: Sequence, value: &Value) -> Value {
        let Some(callee) = self.callee(&call.args[0], value) else { return Value::Error };
        let inner = Box::new(items);
        let items = match call.name.to_string().as_str() {
            "map" => Sequence::Map(inner, callee),
            "filter" => Sequence::Filter(inner, callee),
            _ => Sequence::Flat { outer: inner, callee: Some(callee), front: None, back: None },
        };
        self.adapted(call, items)
    }

    fn with_count(&mut self, call: &Method, items: Sequence, count: &Value) -> Value {
        let Some(count) = count.as_int().and_then(|count| usize::try_from(count).ok()) else {
            let message = self.not_known("this number must be known here", &call.args[0], count);
            return self.refuse(&call.args[0], message);
        };
        let inner = Box::new(items);
        let items = match call.name.to_string().as_str() {
            "skip" => Sequence::Skip(inner, count),
            "take" => Sequence::Take(inner, count),
            _ if count == 0 => {
                return self.refuse(&call.args[0], "a step of 0 is not allowed: the function would panic");
            }
            _ => Sequence::StepBy { inner, step: count, is_first: true },
        };
        self.adapted(call, items)
    }

    fn with_items(&mut self, call: &Method, items: Sequence, other: &Value) -> Value {
        let Some(other) = self.items_of(other.clone()) else {
            if let Some(passive) = self.as_written(call, &items, std::slice::from_ref(other)) {
                return Value::Passive(passive);
            }
            return self.refuse(
                &call.args[0],
                "the items of this are not known here; take an array or a range of known bounds",
            );
        };
        if call.name == "chain" {
            return self.adapted(call, Sequence::Chain(Box::new([items, other])));
        }
        let longer = match (items.length(), other.length()) {
            (Some(left), Some(right)) if left > right => Some(&items),
            (Some(left), Some(right)) if left < right && right < ENDLESS => Some(&other),
            _ => None,
        };
        // Whether the standard library calls closures for items that have no partner depends on the types.
        if longer.is_some_and(|longer| !longer.callees().is_empty()) {
            return self.refuse(&call.name, "the longer one of these calls closures, perhaps for items that have no partner; make both of the same length");
        }
        self.adapted(call, Sequence::Zip(Box::new([items, other])))
    }

    /// A method that uses an iterator up.
    fn consumed(
        &mut self,
        whole: &Expr,
        call: &Method,
        mut items: Sequence,
        args: &[Value],
        expected: &Expected,
    ) -> Value {
        let name = call.name.to_string();
        if let Some(passive) = self.as_written(call, &items, args) {
            return Value::Passive(passive);
        }
        if let ("len", [], Some(length)) = (name.as_str(), args, items.length().filter(|&length| length < ENDLESS)) {
            return Value::Passive(self.usize(length));
        }
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        let outer = self.repeats(|| call.name.span(), "iterator", items.length());
        let before = self.errors.count();
        let value = match (name.as_str(), args) {
            ("sum" | "product", []) => self.total(call, &mut items, expected),
            ("fold", [start, callee]) => self.fold(call, &mut items, start, callee),
            ("for_each", [callee]) => self.for_each(call, &mut items, callee),
            ("all" | "any", [callee]) => self.quantified(call, &mut items, callee),
            ("count", []) => self.count(&mut items),
            _ => self.refuse(&call.name, unsupported(&name)),
        };
        self.budget.restore(outer);
        match self.exit.is_some() || self.errors.count() > before {
            true => Value::Error,
            false => value,
        }
    }

    /// The call as the user wrote it, where all of it is passive and nothing of it is known.
    fn as_written(&mut self, call: &Method, items: &Sequence, args: &[Value]) -> Option<Passive> {
        let known = ["sum", "product", "fold", "for_each", "all", "any", "count", "len"];
        let is_known = known.iter().any(|name| call.name == name);
        if is_known && items.is_known() {
            return None;
        }
        let written = items.as_written()?;
        let args = args.iter().map(Value::to_passive).collect::<Option<Vec<_>>>()?;
        let turbofish = self.written_turbofish(call);
        let (method, args) = (&call.name, args.iter().map(Passive::tokens));
        Some(Passive::simple(quote!(#written.#method #turbofish(#(#args),*))))
    }

    /// `sum` and `product`: from the first item on, for the start of the standard library, -0.0 or 1, changes nothing.
    fn total(&mut self, call: &Method, items: &mut Sequence, expected: &Expected) -> Value {
        let is_sum = call.name == "sum";
        let op = match is_sum {
            true => BinOp::Add(Token![+](call.name.span())),
            false => BinOp::Mul(Token![*](call.name.span())),
        };
        let (mut total, before): (Option<Value>, _) = (None, self.errors.count());
        while let Some(item) = self.pull(items) {
            let item = self.without_reference(item);
            let sum = match total.take() {
                Some(total) => self.operated(&op, (total, &call.receiver), (item, &call.receiver), &call.name),
                None => item,
            };
            total = Some(self.evaluated(sum));
            self.frame.list.end_user_statement();
            if self.errors.count() > before {
                return Value::Error;
            }
        }
        let ty = call.turbofish.as_ref().and_then(|turbofish| turbofish.only.as_ref());
        match total {
            Some(total) => self.of_type(call, total, ty),
            None => self.empty_total(call, is_sum, ty, expected),
        }
    }

    /// A total of the type that the user says.
    fn of_type(&mut self, call: &Method, total: Value, ty: Option<&Type>) -> Value {
        match (total, ty) {
            (total, None | Some(Type { kind: TypeKind::Infer, .. })) => total,
            (Value::Passive(passive), Some(ty)) => Value::Passive(self.settled(passive, &call.name, Some(ty))),
            (total, Some(ty)) => match self.shape_of(ty) {
                Some(Shape::Float(scalar)) if scalar == self.scalar => total,
                _ => self.refuse(&ty.place, "the sum or product of active values is a float"),
            },
        }
    }

    /// The sum or product of nothing.
    fn empty_total(&mut self, call: &Method, is_sum: bool, ty: Option<&Type>, expected: &Expected) -> Value {
        let expected = match ty {
            Some(ty) if !matches!(ty.kind, TypeKind::Infer) => Expected::Type(ty.clone()),
            _ => expected.clone(),
        };
        let types = match &expected {
            Expected::Type(ty) => integer_type(ty),
            _ => None,
        };
        match (types, expected.float(&self.scalar)) {
            (Some(types), _) => {
                let number = self.int(i128::from(!is_sum), types);
                Value::Passive(self.known(number, Passive::simple(quote!())))
            }
            (None, Some(Scalar::Primitive(precision))) => {
                let digits = if is_sum { "-0.0" } else { "1.0" };
                Value::Passive(float_literal(digits, precision, &self.scalar))
            }
            (None, _) => self.refuse(
                &call.name,
                "this has no terms, and its type is not known here; write `sum::<f64>()`, for instance",
            ),
        }
    }

    fn fold(&mut self, call: &Method, items: &mut Sequence, start: &Value, callee: &Value) -> Value {
        let Some(callee) = self.callee(&call.args[1], callee) else { return Value::Error };
        let (mut folded, before) = (self.evaluated(start.clone()), self.errors.count());
        while let Some(item) = self.pull(items) {
            let value = self.invoke(&callee, vec![folded, item], Expected::Anything);
            folded = self.evaluated(value);
            self.frame.list.end_user_statement();
            if self.errors.count() > before {
                return Value::Error;
            }
        }
        folded
    }

    fn for_each(&mut self, call: &Method, items: &mut Sequence, callee: &Value) -> Value {
        let Some(callee) = self.callee(&call.args[0], callee) else { return Value::Error };
        let before = self.errors.count();
        while let Some(item) = self.pull(items) {
            let value = self.invoke(&callee, vec![item], Expected::Anything);
            self.discard(&value);
            self.frame.list.end_user_statement();
            if self.errors.count() > before {
                break;
            }
        }
        Value::unit()
    }

    /// `all` and `any`, which end at the first item that decides.
    fn quantified(&mut self, call: &Method, items: &mut Sequence, callee: &Value) -> Value {
        let Some(callee) = self.callee(&call.args[0], callee) else { return Value::Error };
        let (decides, before) = (call.name == "any", self.errors.count());
        let mut result = !decides;
        while let Some(item) = self.pull(items) {
            let condition = self.invoke(&callee, vec![item], Expected::Anything);
            if self.known_condition(&condition, &callee) == decides {
                result = decides;
                break;
            }
            if self.errors.count() > before {
                break;
            }
        }
        Value::Passive(self.known(Number::Bool(result), Passive::simple(quote!())))
    }

    fn count(&mut self, items: &mut Sequence) -> Value {
        let (mut count, before) = (0, self.errors.count());
        while let Some(item) = self.pull(items) {
            self.discard(&item);
            count += 1;
            if self.errors.count() > before {
                break;
            }
        }
        Value::Passive(self.usize(count))
    }

    /// The truth value that a closure has given, which must be known here.
    pub(super) fn known_condition(&mut self, condition: &Value, callee: &Callee) -> bool {
        if let (None, false) = (condition.as_bool(), condition.is_error()) {
            let message = "the conditions of `filter`, `all` and `any` must be known when the function is expanded";
            self.refuse_item(Some(callee), message);
        }
        condition.as_bool().unwrap_or_default()
    }

    /// Reports what is wrong with an item: where it is computed, or where it is used.
    pub(super) fn refuse_item(&mut self, callee: Option<&Callee>, message: &str) {
        match callee {
            Some(Callee::Closure(closure)) => self.errors.at(closure.body(), message),
            Some(Callee::Path(path)) => self.errors.at(&**path, message),
            None => self.errors.at_span(self.budget.place(), message),
        }
    }

    /// A number behind a reference by itself.
    fn without_reference(&mut self, value: Value) -> Value {
        match &value {
            Value::Passive(passive) if passive.is_reference() => self.dereference(value),
            Value::Mutable(_) => self.dereference(value),
            _ => value,
        }
    }
}
