//! Iterators over known items.

use std::rc::Rc;

use super::super::tree::*;
use super::Generator;
use super::scope::{Kind, Level, Variable};

/// An iterator, and what its items are.
pub struct Source {
    pub items: Items,
    pub item: Type,
    /// The range of the integers among the items.
    pub range: (i64, i64),
    pub level: Level,
    /// The most items that there are.
    pub count: usize,
    /// The arrays that it borrows.
    pub borrowed: Vec<Name>,
    /// The arrays that it borrows mutably.
    pub hidden: Vec<Name>,
}

impl Source {
    pub fn new(items: Items, item: Type, count: usize) -> Self {
        Source { items, item, range: (0, 0), level: Level::Known, count, borrowed: Vec::new(), hidden: Vec::new() }
    }

    pub fn within(self, range: (i64, i64)) -> Self {
        Source { range, ..self }
    }

    fn borrowing(self, name: Name) -> Self {
        Source { borrowed: vec![name], ..self }
    }
}

impl Generator {
    /// An iterator. The closures in it are of the given kind: those of a loop live as long as that.
    pub fn source(&mut self, kind: Kind) -> Source {
        let is_loop = kind == Kind::Closure;
        let source = match self.random.below(5) {
            0 | 1 => self.range(),
            2 => match self.windows() {
                Some(source) => source,
                None => self.range(),
            },
            _ => match self.elements(is_loop) {
                Some(source) => source,
                None => self.range(),
            },
        };
        match self.random.percent(40) {
            true => self.adapted(source, kind),
            false => source,
        }
    }

    fn range(&mut self) -> Source {
        let (start, (low, _), _) = match self.random.percent(60) {
            true => (Expression::usize(0), (0, 0), Level::Known),
            false => self.usize(Level::Known, Some(3)),
        };
        let is_inclusive = self.random.percent(20);
        let end = 2 + self.random.below(3);
        let (end, (_, high), _) = match self.random.percent(30) {
            true => self.usize(Level::Known, Some(4)),
            false => (Expression::usize(end), (0, end as i64), Level::Known),
        };
        let last = if is_inclusive { high } else { high - 1 };
        let items = Items::Range(start, end, is_inclusive);
        let items = if self.random.percent(30) { Items::Reversed(Box::new(items)) } else { items };
        let count = (last - low + 1).max(0) as usize;
        Source::new(items, Type::Usize, count).within((low, last.max(low)))
    }

    /// The arrays that can be named, with what they are arrays of.
    fn arrays(&mut self) -> Vec<(Variable, Type, usize)> {
        let arrays = self.scopes.visible().into_iter().filter_map(|variable| match variable.ty.clone() {
            Type::Array(element, length) => Some((variable, *element, length)),
            _ => None,
        });
        arrays.collect()
    }

    fn elements(&mut self, is_loop: bool) -> Option<Source> {
        let mut arrays = self.arrays();
        // Numbers that are not known are no items.
        arrays.retain(|(variable, element, _)| *element != Type::Usize || variable.level == Level::Known);
        if arrays.is_empty() {
            return None;
        }
        let (variable, element, length) = arrays.swap_remove(self.random.below(arrays.len()));
        let access = match self.random.below(if is_loop { 4 } else { 2 }) {
            1 if element != Type::Usize => Access::Shared,
            2 => Access::Bare,
            3 if element != Type::Usize => Access::Borrowed,
            _ => Access::Owned,
        };
        let is_owned = matches!(access, Access::Owned | Access::Bare);
        let item = if is_owned { element } else { Type::Reference(Box::new(element)) };
        let mut items = Items::Elements(Expression::Variable(variable.name.clone()), access);
        let is_receiver = matches!(access, Access::Owned | Access::Shared);
        if is_receiver && self.random.percent(25) {
            items = Items::Reversed(Box::new(items));
        }
        let source = Source::new(items, item, length).within(variable.range);
        Some(if is_owned { source } else { source.borrowing(variable.name) })
    }

    fn windows(&mut self) -> Option<Source> {
        let mut arrays = self.arrays();
        arrays.retain(|(_, element, length)| *element == Type::Float && *length > 1);
        if arrays.is_empty() {
            return None;
        }
        let (Variable { name, .. }, element, length) = arrays.swap_remove(self.random.below(arrays.len()));
        let item = Type::Reference(Box::new(Type::Slice(Box::new(element), 2)));
        Some(
            Source::new(Items::Windows(Expression::Variable(name.clone()), Expression::usize(2)), item, length - 1)
                .borrowing(name),
        )
    }

    /// The elements of an array that can be changed, one by one.
    pub fn mutable_source(&mut self) -> Option<Source> {
        let mut places = self.scopes.assignable(Level::Active);
        places.retain(|variable| matches!(variable.ty, Type::Array(..)) && variable.ty.floats() > 0);
        if places.is_empty() {
            return None;
        }
        let Variable { name, ty, .. } = places.swap_remove(self.random.below(places.len()));
        let Type::Array(element, length) = ty else { return None };
        let access = if self.random.percent(50) { Access::Mutable } else { Access::MutablyBorrowed };
        let items = Items::Elements(Expression::Variable(name.clone()), access);
        let source = Source { hidden: vec![name], ..Source::new(items, Type::Reference(element), length) };
        Some(match access {
            Access::Mutable if self.random.percent(40) => enumerated(source),
            _ => source,
        })
    }

    /// The iterator with an adaptor.
    fn adapted(&mut self, mut source: Source, kind: Kind) -> Source {
        if let Items::Elements(_, Access::Bare | Access::Borrowed) = source.items {
            return source;
        }
        let inner = || Box::new(source.items.clone());
        match self.random.below(6) {
            0 => {
                source.items = Items::StepBy(inner(), Expression::usize(2));
                source.count = source.count.div_ceil(2);
            }
            1 => source.items = Items::Skip(inner(), Expression::usize(1)),
            2 => {
                source.items = Items::Take(inner(), Expression::usize(2));
                source.count = source.count.min(2);
            }
            3 if source.item == Type::Float || source.item == Type::Usize => return self.mapped(source, kind),
            4 => return self.zipped(source),
            _ if source.item != Type::Usize => return enumerated(source),
            _ => {}
        }
        source
    }

    fn mapped(&mut self, source: Source, kind: Kind) -> Source {
        if !self.spend(2 * source.count) {
            return source;
        }
        let closure = self.closure_of(&source, kind, 1);
        Source { items: Items::Map(Box::new(source.items), Rc::new(closure)), item: Type::Float, ..source }
    }

    fn zipped(&mut self, source: Source) -> Source {
        let Some(other) = self.elements(true) else { return source };
        // Where there are integers in both, these are the ranges of both.
        let range = (source.range.0.min(other.range.0), source.range.1.max(other.range.1));
        Source {
            items: Items::Zip(Box::new(source.items), Box::new(other.items)),
            item: Type::Tuple(vec![source.item, other.item]),
            range,
            count: source.count.min(other.count),
            borrowed: [source.borrowed, other.borrowed].concat(),
            ..source
        }
    }

    /// What becomes of the items of an iterator, as a float.
    pub fn consumption(&mut self, depth: usize) -> Expression {
        if let Some(consumed) = self.made_of_slice() {
            return consumed;
        }
        let source = self.source(Kind::Inline);
        if !self.spend(2 * source.count) {
            return self.arithmetic(depth);
        }
        let repetitions = self.repetitions;
        self.repetitions *= source.count.max(1);
        let consumed = match self.random.below(3) {
            0 => self.folded(source),
            number => {
                let consumer = if number == 1 { Consumer::Sum } else { Consumer::Product };
                let closure = self.closure_of(&source, Kind::Inline, 1);
                let items = Items::Map(Box::new(source.items), Rc::new(closure));
                Expression::Consume(Box::new(items), consumer)
            }
        };
        self.repetitions = repetitions;
        consumed
    }

    fn folded(&mut self, source: Source) -> Expression {
        let closure = self.in_scope(Kind::Inline, |generator| {
            let sum = generator.fresh("sum");
            generator.declare(Variable::new(&sum, Type::Float, Level::Active));
            let item = generator.item_pattern(&source.item, &source, false);
            let pattern = Pattern::Name(sum.as_str().into(), false);
            let (weight, term) = (Expression::Float(0.5), generator.float(2));
            let product = Expression::binary(Operator::Mul, Expression::variable(&sum), weight);
            let body = Expression::binary(Operator::Add, product, term);
            Closure { is_move: false, parameters: vec![(pattern, Some(Type::Float)), (item, None)], body }
        });
        // The iterator may borrow what is around it, which therefore keeps its value.
        let start = Box::new(self.in_scope(Kind::Inline, |generator| generator.float(1)));
        Expression::Consume(Box::new(source.items), Consumer::Fold(start, Rc::new(closure)))
    }
}

/// The iterator with the numbers of its items.
fn enumerated(source: Source) -> Source {
    Source {
        items: Items::Enumerate(Box::new(source.items)),
        item: Type::Tuple(vec![Type::Usize, source.item]),
        range: (0, source.count.max(1) as i64 - 1),
        ..source
    }
}
