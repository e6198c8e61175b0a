//! Loops and chains over passive data, the number of which is known only when the program runs, and whose bodies and
//! closures compute with variables: over vectors that grow in the function, and over slices that it is given.

use std::rc::Rc;

use super::super::point::USIZES;
use super::super::tree::*;
use super::Generator;
use super::feature::Feature;
use super::rolled::ITERATIONS;
use super::scope::{Kind, Level, Variable};

/// An iterator over data, and what its items are.
struct Chain {
    items: Items,
    item: Type,
    /// Whether its items can be taken from the end.
    is_double_ended: bool,
}

/// What an item is bound to: a pattern, its variables, and the statements that declare those of its parts.
struct Bound {
    pattern: Pattern,
    variables: Vec<Variable>,
    start: Vec<Statement>,
}

/// `&[element]`.
pub fn slice_of(element: Type) -> Type {
    reference(Type::Data(Box::new(element)))
}

fn reference(target: Type) -> Type {
    Type::Reference(Box::new(target))
}

impl Generator {
    /// The types of parameters that are slices of data.
    pub fn slice_parameters(&mut self) -> Vec<Type> {
        if !self.has(Feature::Slices) || !self.random.percent(25) {
            return Vec::new();
        }
        let pair = Type::Tuple(vec![Type::Float, Type::Float]);
        let elements = [Type::Float, Type::Float, pair, Type::array(Type::Float, 2), Type::Usize];
        (0..1 + self.random.below(2)).map(|_| slice_of(elements[self.random.below(elements.len())].clone())).collect()
    }

    /// The slices that can be named, with what their elements are.
    pub fn slices(&self) -> Vec<(Name, Type)> {
        let slices = self.scopes.visible().into_iter().filter_map(|variable| match &variable.ty {
            Type::Reference(target) => match &**target {
                Type::Data(element) => Some((variable.name, (**element).clone())),
                _ => None,
            },
            _ => None,
        });
        slices.collect()
    }

    /// A slice of such elements, to be given to a function.
    pub fn slice_value(&mut self, element: &Type) -> Expression {
        let mut slices = self.slices();
        slices.retain(|(_, own)| own == element);
        if !slices.is_empty() {
            return Expression::Variable(slices.swap_remove(self.random.below(slices.len())).0);
        }
        let elements = (0..1 + self.random.below(3)).map(|_| self.datum(element)).collect();
        Expression::Array(elements).borrowed()
    }

    fn datum(&mut self, ty: &Type) -> Expression {
        match ty {
            Type::Float => self.passive_float(),
            Type::Tuple(parts) => Expression::Tuple(parts.iter().map(|part| self.datum(part)).collect()),
            Type::Array(element, length) => Expression::Array((0..*length).map(|_| self.datum(element)).collect()),
            _ => Expression::usize(self.random.below(USIZES.1 as usize + 1)),
        }
    }

    /// A vector that grows, and a loop over it, or a variable for what a chain makes of it.
    pub fn over_data(&mut self, depth: usize) -> Vec<Statement> {
        if depth == 0 || !self.spend(2 * ITERATIONS) {
            return Vec::new();
        }
        let vector = self.fresh("data");
        let mut statements = self.grown(&vector).to_vec();
        statements.extend(self.over((vector.as_str().into(), Type::Float), depth));
        statements
    }

    /// A loop over a slice, or a variable for what a chain makes of it.
    pub fn over_slice(&mut self, depth: usize) -> Vec<Statement> {
        let slices = self.slices();
        if depth == 0 || !self.spend(2 * ITERATIONS) {
            return Vec::new();
        }
        let slice = slices[self.random.below(slices.len())].clone();
        self.over(slice, depth)
    }

    fn over(&mut self, data: (Name, Type), depth: usize) -> Vec<Statement> {
        let Chain { items, item, .. } = self.chain(&data);
        if self.random.percent(50) {
            let Bound { pattern, variables, start } = self.bound(&data, &item);
            let label = self.new_label();
            let body = self.iteration(variables, start, depth, &label);
            return vec![Statement::For(Rc::new(For { label, pattern, items, body }))];
        }
        let ty = self.made_type();
        let value = self.made_of(items, &data, &item, &ty);
        let total = self.fresh("total");
        self.declare(Variable::new(&total, ty.clone(), Level::Active));
        vec![Statement::Let(Pattern::Name(total.as_str().into(), false), Some(ty), Some(value))]
    }

    /// What a chain over a slice makes of it, within an expression, if there is a slice.
    pub fn made_of_slice(&mut self) -> Option<Expression> {
        let slices = self.slices();
        if slices.is_empty() || self.random.percent(40) || !self.spend(2 * ITERATIONS) {
            return None;
        }
        let slice = slices[self.random.below(slices.len())].clone();
        let Chain { items, item, .. } = self.chain(&slice);
        Some(self.made_of(items, &slice, &item, &Type::Float))
    }

    /// What a closure makes of the items of a chain over a slice, if there is a slice.
    pub fn mapped_slice(&mut self) -> Option<Items> {
        let slices = self.slices();
        if slices.is_empty() || !self.spend(2 * ITERATIONS) {
            return None;
        }
        let slice = slices[self.random.below(slices.len())].clone();
        let Chain { items, item, .. } = self.chain(&slice);
        Some(self.made_by_closure(items, &slice, &item))
    }

    fn made_by_closure(&mut self, items: Items, data: &(Name, Type), item: &Type) -> Items {
        let closure = self.closure_over(data, item, None, &|generator| generator.closure_body(2));
        Items::Map(Box::new(items), Rc::new(closure))
    }

    /// What goes over data.
    fn chain(&mut self, data: &(Name, Type)) -> Chain {
        let (name, element) = data;
        let (named, two) = (|| Expression::Variable(name.clone()), || Expression::usize(2));
        let pair = reference(Type::Slice(Box::new(element.clone()), 2));
        let chain = |items, item| Chain { items, item, is_double_ended: true };
        let mut chain = match self.random.below(6) {
            0 => chain(Items::Windows(named(), two()), pair),
            1 => chain(Items::Chunks(named(), two()), pair),
            2 => {
                let length = Expression::method("len", vec![named()]);
                chain(Items::Range(Expression::usize(0), length, false), Type::Usize)
            }
            _ => self.elements_of(data),
        };
        for _ in 0..self.random.below(3) {
            chain = self.adapted_chain(chain, data);
        }
        chain
    }

    /// The elements of data, one by one.
    fn elements_of(&mut self, (name, element): &(Name, Type)) -> Chain {
        let items = Items::Elements(Expression::Variable(name.clone()), Access::Shared);
        if self.random.percent(30) {
            return Chain { items: Items::Copied(Box::new(items)), item: element.clone(), is_double_ended: true };
        }
        Chain { items, item: reference(element.clone()), is_double_ended: true }
    }

    fn adapted_chain(&mut self, Chain { items, item, is_double_ended }: Chain, data: &(Name, Type)) -> Chain {
        let inner = Box::new(items);
        let chain = |items, item| Chain { items, item, is_double_ended };
        match self.random.below(8) {
            0 | 1 if is_double_ended => chain(Items::Reversed(inner), item),
            2 => chain(Items::Skip(inner, self.few()), item),
            3 => chain(Items::StepBy(inner, Expression::usize(2)), item),
            4 => chain(Items::Take(inner, self.few()), item),
            5 => chain(Items::Enumerate(inner), Type::Tuple(vec![Type::Usize, item])),
            6 => {
                let others = self.slices();
                let other = match others.is_empty() || self.random.percent(40) {
                    true => self.elements_of(data),
                    false => {
                        let other = others[self.random.below(others.len())].clone();
                        match other.1 == data.1 {
                            true => self.elements_of(&other),
                            false => self.elements_of(data),
                        }
                    }
                };
                chain(Items::Zip(inner, Box::new(other.items)), Type::Tuple(vec![item, other.item]))
            }
            _ => chain(*inner, item),
        }
    }

    /// A small number, known here or when the program runs. What is inlined may be given a slice of known length.
    fn few(&mut self) -> Expression {
        match self.may_have_glob && self.random.percent(40) {
            true => self.usize(Level::Passive, Some(4)).0,
            false => Expression::usize(1 + self.random.below(2)),
        }
    }

    /// A pattern for an item.
    fn bound(&mut self, data: &(Name, Type), item: &Type) -> Bound {
        let (name, is_taken_apart) = (self.fresh("datum"), self.random.percent(60));
        let pattern = Pattern::Name(name.as_str().into(), false);
        let variable = |ty: &Type| {
            let most = USIZES.1.max(ITERATIONS as i64);
            Variable::new(&name, ty.clone(), Level::Passive).within((0, most))
        };
        match item {
            Type::Tuple(parts) => self.all_bound(data, parts.iter(), Pattern::Tuple),
            Type::Array(element, length) if is_taken_apart => {
                self.all_bound(data, std::iter::repeat_n(&**element, *length), Pattern::Array)
            }
            Type::Reference(target) => match &**target {
                Type::Slice(element, length) => self.elements_bound(name, element, *length),
                Type::Float if !is_taken_apart => Bound { pattern, variables: vec![variable(item)], start: Vec::new() },
                Type::Array(..) if !is_taken_apart => {
                    Bound { pattern, variables: vec![variable(item)], start: Vec::new() }
                }
                target => {
                    let bound = self.bound(data, target);
                    Bound { pattern: Pattern::Reference(Box::new(bound.pattern)), ..bound }
                }
            },
            ty => Bound { pattern, variables: vec![variable(ty)], start: Vec::new() },
        }
    }

    fn all_bound<'t>(
        &mut self,
        data: &(Name, Type),
        parts: impl Iterator<Item = &'t Type>,
        pattern: impl FnOnce(Vec<Pattern>) -> Pattern,
    ) -> Bound {
        let (mut patterns, mut variables, mut start) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            let bound = self.bound(data, part);
            patterns.push(bound.pattern);
            variables.extend(bound.variables);
            start.extend(bound.start);
        }
        Bound { pattern: pattern(patterns), variables, start }
    }

    /// `let element = window[0];` for each.
    fn elements_bound(&mut self, name: String, element: &Type, length: usize) -> Bound {
        let (mut variables, mut start) = (Vec::new(), Vec::new());
        for index in 0..length {
            let own = self.fresh("element");
            variables.push(Variable::new(&own, element.clone(), Level::Passive).within(USIZES));
            start.push(Statement::bind(&own, Expression::variable(&name).index(Expression::usize(index))));
        }
        Bound { pattern: Pattern::Name(name.as_str().into(), false), variables, start }
    }

    /// The type of what becomes of data.
    fn made_type(&mut self) -> Type {
        match self.random.below(6) {
            0 => Type::array(Type::Float, 2),
            1 => Type::Tuple(vec![Type::Float, Type::Float]),
            _ => Type::Float,
        }
    }

    /// `map` and `sum` or `product`, or a `fold` to a value of this type.
    fn made_of(&mut self, items: Items, data: &(Name, Type), item: &Type, ty: &Type) -> Expression {
        let repetitions = self.repetitions;
        self.repetitions *= ITERATIONS;
        let made = match *ty == Type::Float && self.random.percent(60) {
            true => {
                let items = match self.has_options && self.may_have_glob && self.random.percent(40) {
                    // Which items of an array are left out has to be known; what is inlined may be given one.
                    true => {
                        let value = |generator: &mut Self| generator.known_optional(&Type::Float, 2);
                        Items::FilterMap(Box::new(items), Rc::new(self.closure_over(data, item, None, &value)))
                    }
                    false => self.made_by_closure(items, data, item),
                };
                let consumer = if self.random.percent(60) { Consumer::Sum } else { Consumer::Product };
                Expression::Consume(Box::new(items), consumer)
            }
            false => {
                let closure = self.closure_over(data, item, Some(ty), &|generator| generator.next_made(ty));
                // The iterator may borrow what is around it, which therefore keeps its value.
                let start = Box::new(self.in_scope(Kind::Inline, |generator| generator.of_type(ty, 1)));
                Expression::Consume(Box::new(items), Consumer::Fold(start, Rc::new(closure)))
            }
        };
        self.repetitions = repetitions;
        made
    }

    /// A closure of an item, and of what has been made of those before, if that has a type.
    fn closure_over(
        &mut self,
        data: &(Name, Type),
        item: &Type,
        made: Option<&Type>,
        value: &dyn Fn(&mut Self) -> Expression,
    ) -> Closure {
        let Bound { pattern, variables, start: statements } = self.bound(data, item);
        self.in_scope(Kind::Inline, |generator| {
            let before = made.map(|ty| generator.before(ty));
            variables.into_iter().for_each(|variable| generator.declare(variable));
            let value = value(generator);
            let body = match statements.is_empty() {
                true => value,
                false => Expression::Block(Block { statements, value: Some(Box::new(value)) }),
            };
            let parameters = before.map(|before| (before, made.cloned())).into_iter().chain([(pattern, None)]);
            Closure { is_move: false, parameters: parameters.collect(), body }
        })
    }

    /// A pattern for what has been made so far.
    fn before(&mut self, ty: &Type) -> Pattern {
        if let Type::Tuple(parts) = ty {
            return Pattern::Tuple(parts.iter().map(|part| self.before(part)).collect());
        }
        let name = self.fresh("so_far");
        self.declare(Variable::new(&name, ty.clone(), Level::Active));
        Pattern::Name(name.as_str().into(), false)
    }

    /// What is made next: something near half of what has been, and more.
    fn next_made(&mut self, ty: &Type) -> Expression {
        match ty {
            Type::Tuple(parts) => Expression::Tuple(parts.iter().map(|part| self.next_made(part)).collect()),
            Type::Array(element, length) => Expression::Array((0..*length).map(|_| self.next_made(element)).collect()),
            _ => {
                let mut before = self.scopes.visible();
                before.retain(|variable| variable.name.starts_with("so_far"));
                let before = before[self.random.below(before.len())].clone();
                let before = self.part(&before);
                let by = match self.random.percent(50) {
                    true => Expression::Float(*self.random.pick(&[1.0, 0.5, -0.75].each_ref())),
                    false => self.passive_float(),
                };
                let product = Expression::binary(Operator::Mul, before, by);
                Expression::binary(Operator::Add, product, self.float(1))
            }
        }
    }
}
