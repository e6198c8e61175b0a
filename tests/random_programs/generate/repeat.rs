//! Loops and closures.

use std::rc::Rc;

use super::super::tree::*;
use super::Generator;
use super::feature::Feature;
use super::items::Source;
use super::scope::{Kind, Level, Variable};

/// What a call of a closure costs.
const CLOSURE: usize = 8;

impl Generator {
    /// A `for` loop over known items, which is unrolled, if it may be.
    pub fn repetition(&mut self, depth: usize) -> Vec<Statement> {
        if self.keeps_loops { self.active_repeat(depth) } else { self.repeat(depth) }
    }

    /// A `for` loop over known items.
    fn repeat(&mut self, depth: usize) -> Vec<Statement> {
        if depth == 0 {
            return Vec::new();
        }
        let source = match self.random.percent(25) {
            true => self.mutable_source(),
            false => None,
        };
        let source = match source {
            Some(source) => source,
            None => self.source(Kind::Closure),
        };
        if !self.spend(source.count) {
            return Vec::new();
        }
        let label = self.random.percent(50).then(|| self.fresh("round").as_str().into());
        let restored: Vec<_> = source.borrowed.iter().map(|name| self.scopes.set_frozen(name, true)).collect();
        source.hidden.iter().for_each(|name| self.scopes.set_hidden(name, true));
        self.labels.push((self.scopes.depth(), label.clone()));
        let repetitions = self.repetitions;
        self.repetitions *= source.count.max(1);
        let kind = if self.may_be_left() { Kind::Leavable } else { Kind::Loop };
        let (pattern, body) = self.in_scope(kind, |generator| {
            let pattern = generator.item_pattern(&source.item, &source, true);
            let body = generator.with_items(|generator| {
                let mut statements = generator.statements(2, depth - 1);
                statements.extend(generator.assignment());
                if kind == Kind::Leavable {
                    statements.extend(match generator.random.percent(40) {
                        true => generator.between_jumps(depth - 1),
                        false => generator.jumping(depth - 1),
                    });
                    statements.extend(generator.assignment());
                }
                statements.extend(generator.known_branching(depth - 1));
                Block { statements, value: None }
            });
            (pattern, body)
        });
        self.repetitions = repetitions;
        self.labels.pop();
        source.hidden.iter().for_each(|name| self.scopes.set_hidden(name, false));
        for (name, was_frozen) in source.borrowed.iter().zip(restored) {
            self.scopes.set_frozen(name, was_frozen);
        }
        vec![Statement::For(Rc::new(For { label, pattern, items: source.items, body }))]
    }

    /// `let f = |a: f64, b: f64| ...;`.
    pub fn let_closure(&mut self) -> Vec<Statement> {
        if !self.spend(CLOSURE) {
            return Vec::new();
        }
        let (name, count, is_move) = (self.fresh("apply"), 1 + self.random.below(2), self.random.percent(25));
        // What is moved into a closure is a copy, which may have been mutable. Mutable references are no copies.
        let kind = if is_move { Kind::Inline } else { Kind::Closure };
        let references = self.scopes.visible().into_iter();
        let references = references.filter(|variable| variable.is_mutable && matches!(variable.ty, Type::Reference(_)));
        let references: Vec<_> = references.map(|variable| variable.name).collect();
        references.iter().for_each(|name| self.scopes.set_hidden(name, true));
        let (parameters, body) = self.in_scope(kind, |generator| {
            let parameters = (0..count).map(|_| generator.closure_parameter()).collect();
            (parameters, generator.closure_body(2))
        });
        references.iter().for_each(|name| self.scopes.set_hidden(name, false));
        self.declare(Variable::new(&name, Type::Closure(count), Level::Active));
        let closure = Expression::Closure(Rc::new(Closure { is_move, parameters, body }));
        vec![Statement::Let(Pattern::Name(name.as_str().into(), false), None, Some(closure))]
    }

    fn closure_parameter(&mut self) -> (Pattern, Option<Type>) {
        let name = self.fresh("given");
        self.declare(Variable::new(&name, Type::Float, Level::Active));
        (Pattern::Name(name.as_str().into(), false), Some(Type::Float))
    }

    /// A call of a closure in a variable.
    pub fn closure_call(&mut self, depth: usize) -> Option<Expression> {
        let closures = self.scopes.visible().into_iter().filter_map(|variable| match variable.ty {
            Type::Closure(count) => Some((variable.name, count)),
            _ => None,
        });
        let closures: Vec<_> = closures.collect();
        if closures.is_empty() || !self.spend(CLOSURE) {
            return None;
        }
        let (name, count) = closures[self.random.below(closures.len())].clone();
        Some(Expression::Call(name, (0..count).map(|_| self.float(depth - 1)).collect()))
    }

    /// `let a: [f64; 3] = core::array::from_fn(|i| ...);`, or the same by `map` of an array.
    pub fn let_mapped(&mut self) -> Vec<Statement> {
        let arrays = self.scopes.visible().into_iter().filter_map(|variable| match variable.ty {
            Type::Array(element, length) if *element == Type::Float => Some((variable.name, length)),
            _ => None,
        });
        let arrays: Vec<_> = arrays.collect();
        let mapped = (!arrays.is_empty() && self.random.percent(50)).then(|| self.random.below(arrays.len()));
        let length = mapped.map_or_else(|| 2 + self.random.below(3), |index| arrays[index].1);
        if !self.spend(2 * length) {
            return Vec::new();
        }
        let item = if mapped.is_some() { Type::Float } else { Type::Usize };
        let items = Items::Range(Expression::usize(0), Expression::usize(length), false);
        let source = Source::new(items, item, length).within((0, length as i64 - 1));
        let closure = Rc::new(self.closure_of(&source, Kind::Inline, 2));
        let value = match mapped {
            Some(index) => Expression::MapArray(Box::new(Expression::Variable(arrays[index].0.clone())), closure),
            None => Expression::FromFn(length, closure),
        };
        let (name, is_mutable, ty) = (self.name(), self.random.percent(40), Type::array(Type::Float, length));
        self.declare(Variable::new(&name, ty.clone(), Level::Active).mutable(is_mutable));
        vec![Statement::Let(Pattern::Name(name.as_str().into(), is_mutable), Some(ty), Some(value))]
    }

    /// A closure of the items of an iterator, which gives a float.
    pub fn closure_of(&mut self, source: &Source, kind: Kind, depth: usize) -> Closure {
        self.in_scope(kind, |generator| {
            let pattern = generator.item_pattern(&source.item, source, false);
            let is_plain = matches!(source.item, Type::Float | Type::Usize);
            let annotation = (is_plain && generator.random.percent(50)).then(|| source.item.clone());
            Closure { is_move: false, parameters: vec![(pattern, annotation)], body: generator.closure_body(depth) }
        })
    }

    /// A float, perhaps in a block with items.
    pub fn closure_body(&mut self, depth: usize) -> Expression {
        if !self.has(Feature::Constants) && !self.has(Feature::InnerUses) {
            return self.float(depth);
        }
        let make =
            |generator: &mut Self| Block { statements: Vec::new(), value: Some(Box::new(generator.float(depth))) };
        let block = self.with_items(make);
        if block.statements.is_empty() { *block.value.expect("it has a value") } else { Expression::Block(block) }
    }

    /// A pattern for an item, or a part of one, whose variables it declares. Those of a loop can be assigned.
    pub fn item_pattern(&mut self, item: &Type, source: &Source, is_loop: bool) -> Pattern {
        let name = self.fresh("item");
        let pattern = Pattern::Name(name.as_str().into(), false);
        match item {
            Type::Tuple(parts) => {
                Pattern::Tuple(parts.iter().map(|part| self.item_pattern(part, source, is_loop)).collect())
            }
            Type::Usize => {
                self.declare(Variable::new(&name, Type::Usize, source.level).within(source.range));
                pattern
            }
            Type::Reference(_) if !source.hidden.is_empty() => {
                self.declare(Variable::new(&name, item.clone(), Level::Active).mutable(true));
                pattern
            }
            Type::Reference(target) if **target == Type::Float && self.random.percent(30) => {
                Pattern::Reference(Box::new(self.item_pattern(target, source, false)))
            }
            ty => {
                let is_mutable = *ty == Type::Float && is_loop && self.random.percent(20);
                self.declare(Variable::new(&name, ty.clone(), Level::Active).mutable(is_mutable));
                Pattern::Name(name.as_str().into(), is_mutable)
            }
        }
    }
}
