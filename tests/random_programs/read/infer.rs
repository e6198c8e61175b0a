//! The types of the integers that are read: what is written without a type has the one that its uses say, as in Rust, and
//! is an `i32` where none does.

use std::collections::HashMap;

use super::super::tree::*;
use super::super::walk::{self, Node};

/// A type as far as integers are concerned.
#[derive(Clone, Debug)]
enum Shape {
    /// An integer, of the type with this number.
    Integer(usize),
    /// Something with elements: an array, a vector, an iterator, an option.
    Of(Box<Shape>),
    Tuple(Vec<Shape>),
    Function(Vec<Shape>, Box<Shape>),
    /// Nothing of which integers are a part.
    Other,
}

/// What is known on the way through a function.
struct Inference {
    /// For every integer type, another one that is the same, or what it is.
    types: Vec<Result<usize, Option<Type>>>,
    variables: Vec<(Name, Shape)>,
    /// The functions and the constants of modules, by their paths.
    outside: HashMap<String, Shape>,
    labels: Vec<(Name, Shape)>,
    result: Shape,
}

/// Gives all integers of a function of the program their types.
pub fn integers(program: &Program, function: &mut Function) {
    let (types, outside) = (vec![Err(None); number(function)], HashMap::new());
    let mut inference = Inference { types, variables: Vec::new(), outside, labels: Vec::new(), result: Shape::Other };
    inference.functions("self", &program.functions);
    inference.items("self", &program.items);
    for (name, _) in &function.generics {
        let number = inference.shape(&Type::Usize);
        inference.variables.push((name.clone(), number));
    }
    for parameter in &function.parameters {
        let shape = inference.shape(&parameter.ty);
        inference.variables.push((parameter.name.clone(), shape));
    }
    inference.result = inference.shape(&function.result);
    let (value, result) = (inference.block(&function.body), inference.result.clone());
    inference.unify(&value, &result);
    walk::block(&mut function.body, &mut |node| {
        if let Node::Expression(Expression::Integer(_, ty @ Type::Open(_), _)) = node {
            *ty = inference.solved(ty);
        }
    });
}

/// Numbers the integers that are written without a type. Returns how many there are.
fn number(function: &mut Function) -> usize {
    let mut next = 0;
    walk::block(&mut function.body, &mut |node| {
        if let Node::Expression(Expression::Integer(_, ty @ Type::Inferred, _)) = node {
            *ty = Type::Open(next);
            next += 1;
        }
    });
    next
}

impl Inference {
    fn functions(&mut self, module: &str, functions: &[Function]) {
        for function in functions.iter().filter(|function| is_present(function.cfg)) {
            let parameters = function.parameters.iter().map(|parameter| self.shape(&parameter.ty)).collect();
            let shape = Shape::Function(parameters, Box::new(self.shape(&function.result)));
            self.outside.insert(format!("{module}::{}", function.name), shape);
        }
    }

    fn items(&mut self, module: &str, items: &[Item]) {
        for item in items.iter().filter(|item| is_present(item.cfg)) {
            match &item.kind {
                ItemKind::Const(name, ty, _) => {
                    let shape = self.shape(ty);
                    self.outside.insert(format!("{module}::{name}"), shape);
                }
                ItemKind::Function(function) => self.functions(module, std::slice::from_ref(function)),
                ItemKind::Module(name, items) => self.items(&format!("{module}::{name}"), items),
                ItemKind::Use(..) | ItemKind::Glob(_) => {}
            }
        }
    }

    fn root(&self, mut number: usize) -> usize {
        while let Ok(same) = self.types[number] {
            number = same;
        }
        number
    }

    fn solved(&self, ty: &Type) -> Type {
        match ty {
            Type::Open(number) => self.types[self.root(*number)].clone().err().flatten().unwrap_or(Type::Int),
            other => other.clone(),
        }
    }

    fn shape(&mut self, ty: &Type) -> Shape {
        match ty {
            Type::Open(number) => Shape::Integer(*number),
            Type::Array(element, _) | Type::Slice(element, _) | Type::Sized(element, _) | Type::Rows(element) => {
                Shape::Of(Box::new(self.shape(element)))
            }
            Type::Tuple(elements) => Shape::Tuple(elements.iter().map(|element| self.shape(element)).collect()),
            Type::Reference(target) => self.shape(target),
            ty if ty.limits().is_some() => {
                self.types.push(Err(Some(ty.clone())));
                Shape::Integer(self.types.len() - 1)
            }
            _ => Shape::Other,
        }
    }

    fn unify(&mut self, left: &Shape, right: &Shape) {
        match (left, right) {
            (Shape::Integer(left), Shape::Integer(right)) => {
                let (left, right) = (self.root(*left), self.root(*right));
                let (kept, other) = if self.types[left] == Err(None) { (right, left) } else { (left, right) };
                if kept != other {
                    self.types[other] = Ok(kept);
                }
            }
            (Shape::Of(left), Shape::Of(right)) => self.unify(left, right),
            (Shape::Tuple(left), Shape::Tuple(right)) => {
                left.iter().zip(right).for_each(|(left, right)| self.unify(left, right));
            }
            _ => {}
        }
    }

    fn is(&mut self, shape: &Shape, ty: &Type) {
        let own = self.shape(ty);
        self.unify(shape, &own);
    }

    fn block(&mut self, block: &Block) -> Shape {
        let scope = self.variables.len();
        let items = block.statements.iter().filter_map(|statement| match statement {
            Statement::Item(item) if is_present(item.cfg) => Some(item),
            _ => None,
        });
        items.clone().for_each(|item| self.glob(item));
        items.clone().for_each(|item| self.item(item));
        items.for_each(|item| self.value(item));
        block.statements.iter().for_each(|statement| self.statement(statement));
        let value = block.value.as_ref().map_or(Shape::Other, |value| self.expression(value));
        self.variables.truncate(scope);
        value
    }

    /// What a glob brings, which the other items of its block shadow.
    fn glob(&mut self, item: &Item) {
        let ItemKind::Glob(path) = &item.kind else { return };
        let path = format!("{path}::");
        let brought = self.outside.iter().filter_map(|(own, shape)| Some((own.strip_prefix(&path)?, shape)));
        let brought: Vec<_> = brought.map(|(name, shape)| (name.into(), shape.clone())).collect();
        self.variables.extend(brought);
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Const(name, ty, _) => {
                let shape = self.shape(ty);
                self.variables.push((name.clone(), shape));
            }
            ItemKind::Use(path, name) => {
                let shape = self.variable(path);
                self.variables.push((name.clone(), shape));
            }
            _ => {}
        }
    }

    /// The value of a constant, which names those of its block whatever their order is.
    fn value(&mut self, item: &Item) {
        if let ItemKind::Const(_, ty, value) = &item.kind {
            let (ty, value) = (self.shape(ty), self.expression(value));
            self.unify(&ty, &value);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let(pattern, ty, value) => {
                let mut shape = value.as_ref().map_or(Shape::Other, |value| self.expression(value));
                if let Some(ty) = ty.as_ref().filter(|ty| **ty != Type::Inferred) {
                    let own = self.shape(ty);
                    self.unify(&own, &shape);
                    shape = own;
                }
                self.bind(pattern, &shape);
            }
            Statement::Assign(place, _, value) => {
                let value = self.expression(value);
                self.initialize(place, &value);
                let place = self.expression(place);
                self.unify(&place, &value);
            }
            Statement::Run(value) | Statement::Assert(value) => drop(self.expression(value)),
            Statement::For(repeated) => {
                let (scope, item) = (self.variables.len(), self.items_of(&repeated.items));
                self.bind(&repeated.pattern, &item);
                self.block(&repeated.body);
                self.variables.truncate(scope);
            }
            Statement::While(repeated) => {
                let scope = self.variables.len();
                repeated.condition.iter().for_each(|condition| drop(self.expression(condition)));
                self.block(&repeated.body);
                self.variables.truncate(scope);
            }
            Statement::Return(value) => {
                let (value, result) = (self.expression(value), self.result.clone());
                self.unify(&value, &result);
            }
            Statement::BreakWith(label, value) => {
                let value = self.expression(value);
                if let Some((_, shape)) = self.labels.iter().rfind(|(own, _)| own == label) {
                    let shape = shape.clone();
                    self.unify(&shape, &value);
                }
            }
            Statement::Item(_) | Statement::Break(_) | Statement::Continue(_) => {}
        }
    }

    /// A variable that has been declared without a value has the shape of its first one.
    fn initialize(&mut self, place: &Expression, value: &Shape) {
        match (place, value) {
            (Expression::Variable(name), value) => {
                let variable = self.variables.iter_mut().rfind(|(own, _)| own == name);
                if let Some((_, shape @ Shape::Other)) = variable {
                    *shape = value.clone();
                }
            }
            (Expression::Tuple(places), Shape::Tuple(values)) => {
                places.iter().zip(values).for_each(|(place, value)| self.initialize(place, value));
            }
            _ => {}
        }
    }

    fn bind(&mut self, pattern: &Pattern, shape: &Shape) {
        match (pattern, shape) {
            (Pattern::Name(name, _), shape) => self.variables.push((name.clone(), shape.clone())),
            (Pattern::Reference(inner), shape) => self.bind(inner, shape),
            (Pattern::Some(inner), Shape::Of(element)) => self.bind(inner, element),
            (Pattern::Array(patterns), Shape::Of(element)) => {
                patterns.iter().for_each(|pattern| self.bind(pattern, element));
            }
            (Pattern::Tuple(patterns), Shape::Tuple(elements)) => {
                patterns.iter().zip(elements).for_each(|(pattern, element)| self.bind(pattern, element));
            }
            (Pattern::Tuple(patterns) | Pattern::Array(patterns), _) => {
                patterns.iter().for_each(|pattern| self.bind(pattern, &Shape::Other));
            }
            (Pattern::Power(inner), _) => {
                let exponent = self.shape(&Type::Int);
                self.bind(inner, &exponent);
            }
            (Pattern::Scaled(fields), _) => {
                let number = self.shape(&Type::Usize);
                self.bind(&fields[0], &number);
                self.bind(&fields[1], &Shape::Other);
            }
            _ => {}
        }
    }

    fn variable(&self, name: &str) -> Shape {
        let variable = self.variables.iter().rfind(|(own, _)| **own == *name);
        let path = format!("self::{}", name.trim_start_matches("self::"));
        let shape = variable.map(|(_, shape)| shape).or_else(|| self.outside.get(&path));
        shape.cloned().unwrap_or(Shape::Other)
    }

    /// What is called by this name: what is generated has variables of the same names, told apart by the hygiene of macros.
    fn function(&self, name: &str) -> Shape {
        match self.variable(name) {
            function @ Shape::Function(..) => function,
            _ => self.outside.get(&format!("self::{name}")).cloned().unwrap_or(Shape::Other),
        }
    }

    fn all(&mut self, expressions: &[Expression]) -> Vec<Shape> {
        expressions.iter().map(|expression| self.expression(expression)).collect()
    }

    /// The shape that several expressions have.
    fn common(&mut self, shapes: &[Shape]) -> Shape {
        let first = shapes.iter().find(|shape| !matches!(shape, Shape::Other)).cloned().unwrap_or(Shape::Other);
        shapes.iter().for_each(|shape| self.unify(&first, shape));
        first
    }

    fn expression(&mut self, expression: &Expression) -> Shape {
        match expression {
            Expression::Integer(_, ty, _) => self.shape(ty),
            Expression::Variable(name) => self.variable(name),
            Expression::Index(base, index) => {
                let (base, index) = (self.expression(base), self.expression(index));
                self.is(&index, &Type::Usize);
                element(base)
            }
            Expression::Slice(base, ..) => self.expression(base),
            Expression::Field(base, field) => match self.expression(base) {
                Shape::Tuple(elements) => elements[*field].clone(),
                _ => Shape::Other,
            },
            Expression::Prefix(_, operand) => self.expression(operand),
            Expression::Binary(operator, operands, _) => self.binary(*operator, operands),
            Expression::Method(name, operands, _) => self.method(name, operands),
            Expression::Cast(operand, ty) => {
                self.expression(operand);
                self.shape(ty)
            }
            Expression::Array(elements) => {
                let elements = self.all(elements);
                Shape::Of(Box::new(self.common(&elements)))
            }
            Expression::Repeat(parts) => {
                let [element, length] = [0, 1].map(|index| self.expression(&parts[index]));
                self.is(&length, &Type::Usize);
                Shape::Of(Box::new(element))
            }
            Expression::Tuple(elements) => Shape::Tuple(self.all(elements)),
            Expression::Block(block) => self.block(block),
            Expression::Labelled(label, block) => self.labelled(label, block),
            Expression::If(branch) => self.branch(branch),
            Expression::Match(branch) => self.matching(branch),
            Expression::Let(pattern, value) => {
                let value = self.expression(value);
                self.bind(pattern, &value);
                Shape::Other
            }
            Expression::Call(name, arguments) => self.call(name, arguments),
            Expression::Closure(closure) => self.closure(closure, &[]),
            Expression::Items(items) => Shape::Of(Box::new(self.items_of(items))),
            Expression::Consume(items, consumer) => self.consumed(items, consumer),
            Expression::FromFn(_, closure) => {
                let index = self.shape(&Type::Usize);
                Shape::Of(Box::new(result(self.closure(closure, &[index]))))
            }
            Expression::MapArray(array, closure) => {
                let item = self.expression(array);
                Shape::Of(Box::new(result(self.closure(closure, &[element(item)]))))
            }
            Expression::Float(_) | Expression::Bool(_) => Shape::Other,
        }
    }

    fn binary(&mut self, operator: Operator, operands: &[Expression; 2]) -> Shape {
        let [left, right] = [0, 1].map(|index| self.expression(&operands[index]));
        match operator {
            Operator::ShiftLeft | Operator::ShiftRight => return left,
            Operator::And | Operator::Or => return Shape::Other,
            _ => self.unify(&left, &right),
        }
        match operator {
            Operator::Add | Operator::Sub | Operator::Mul | Operator::Div | Operator::Rem => left,
            Operator::BitAnd | Operator::BitOr | Operator::BitXor => left,
            _ => Shape::Other,
        }
    }

    fn method(&mut self, name: &str, operands: &[Expression]) -> Shape {
        let shapes = self.all(operands);
        match (name, &shapes[..]) {
            ("powi", [_, exponent]) => self.is(exponent, &Type::Int),
            ("pow", [_, exponent]) => self.is(exponent, &Type::U64),
            ("len", _) => return self.shape(&Type::Usize),
            ("get", [Shape::Other]) => return self.shape(&Type::U64),
            ("set", [_, value]) => self.is(value, &Type::U64),
            ("push", [Shape::Of(element), item]) => self.unify(element, item),
            ("push", [Shape::Other, item]) => {
                let vector = Shape::Of(Box::new(item.clone()));
                self.initialize(&operands[0], &vector);
            }
            (_, [Shape::Integer(_), _]) => self.unify(&shapes[0], &shapes[1]),
            _ => {}
        }
        shapes[0].clone()
    }

    fn labelled(&mut self, label: &Name, block: &Block) -> Shape {
        self.types.push(Err(None));
        // Only integers need to be told: whatever else the value is.
        let shape = Shape::Integer(self.types.len() - 1);
        self.labels.push((label.clone(), shape.clone()));
        let value = self.block(block);
        self.labels.pop();
        self.unify(&shape, &value);
        value
    }

    fn branch(&mut self, branch: &If) -> Shape {
        let scope = self.variables.len();
        self.expression(&branch.condition);
        let then = self.block(&branch.then);
        self.variables.truncate(scope);
        let otherwise = branch.otherwise.as_ref().map_or(Shape::Other, |otherwise| self.expression(otherwise));
        self.common(&[then, otherwise])
    }

    fn matching(&mut self, branch: &Match) -> Shape {
        let scrutinee = self.expression(&branch.scrutinee);
        let mut arms = Vec::new();
        for arm in &branch.arms {
            let scope = self.variables.len();
            self.bind(&arm.pattern, &scrutinee);
            arm.guard.iter().for_each(|guard| drop(self.expression(guard)));
            arms.push(self.expression(&arm.body));
            self.variables.truncate(scope);
        }
        self.common(&arms)
    }

    fn call(&mut self, name: &Name, arguments: &[Expression]) -> Shape {
        let arguments = self.all(arguments);
        match (&**name, self.function(name)) {
            ("note", _) => {
                self.is(&arguments[0], &Type::Usize);
                self.shape(&Type::Usize)
            }
            ("core::cell::Cell::new", _) => {
                self.is(&arguments[0], &Type::U64);
                Shape::Other
            }
            (_, Shape::Function(parameters, result)) => {
                parameters.iter().zip(&arguments).for_each(|(parameter, own)| self.unify(parameter, own));
                *result
            }
            _ => Shape::Other,
        }
    }

    /// A closure, the items of which have these shapes where it does not say them.
    fn closure(&mut self, closure: &Closure, items: &[Shape]) -> Shape {
        let scope = self.variables.len();
        let mut parameters = Vec::new();
        for (index, (pattern, ty)) in closure.parameters.iter().enumerate() {
            let item = items.get(index).cloned().unwrap_or(Shape::Other);
            let shape = ty.as_ref().map(|ty| self.shape(ty));
            let shape = shape.inspect(|own| self.unify(own, &item)).unwrap_or(item);
            self.bind(pattern, &shape);
            parameters.push(shape);
        }
        let value = self.expression(&closure.body);
        self.variables.truncate(scope);
        Shape::Function(parameters, Box::new(value))
    }

    /// The items of an iterator.
    fn items_of(&mut self, items: &Items) -> Shape {
        match items {
            Items::Range(start, end, _) => {
                let bounds = [self.expression(start), self.expression(end)];
                self.common(&bounds)
            }
            Items::Elements(array, _) => element(self.expression(array)),
            Items::Windows(array, _) => self.expression(array),
            Items::Reversed(inner) | Items::StepBy(inner, _) | Items::Skip(inner, _) | Items::Take(inner, _) => {
                self.items_of(inner)
            }
            Items::Enumerate(inner) => Shape::Tuple(vec![self.shape(&Type::Usize), self.items_of(inner)]),
            Items::Zip(inner, others) => Shape::Tuple(vec![self.items_of(inner), self.items_of(others)]),
            Items::Map(inner, closure) => {
                let item = self.items_of(inner);
                result(self.closure(closure, &[item]))
            }
        }
    }

    fn consumed(&mut self, items: &Items, consumer: &Consumer) -> Shape {
        let item = self.items_of(items);
        match consumer {
            Consumer::Sum | Consumer::Product => item,
            Consumer::Fold(start, closure) => {
                let start = self.expression(start);
                self.closure(closure, &[start.clone(), item]);
                start
            }
        }
    }
}

fn element(shape: Shape) -> Shape {
    match shape {
        Shape::Of(element) => *element,
        _ => Shape::Other,
    }
}

fn result(shape: Shape) -> Shape {
    match shape {
        Shape::Function(_, result) => *result,
        _ => Shape::Other,
    }
}
