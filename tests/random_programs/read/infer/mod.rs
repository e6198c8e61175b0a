//! The types of the integers that are read: what is written without a type has the one that its uses say, as in Rust,
//! and is an `i32` where none does.

mod expression;
mod statement;

use std::collections::HashMap;
use std::rc::Rc;

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
    Struct(Rc<Struct>),
    /// What the type parameter of a function is.
    Parameter,
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
    /// The structs by their names.
    structs: HashMap<Name, Rc<Struct>>,
    labels: Vec<(Name, Shape)>,
    result: Shape,
    /// How many times something is named that is not there.
    unknown: usize,
}

/// Gives all integers of a function of the program their types. Returns how many names in it mean nothing.
pub fn integers(program: &Program, function: &mut Function) -> usize {
    let (types, outside) = (vec![Err(None); number(function)], HashMap::new());
    let structs = program.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Struct(own) => Some((own.name.clone(), own.clone())),
        _ => None,
    });
    let (structs, variables, labels) = (structs.collect(), Vec::new(), Vec::new());
    let mut inference = Inference { types, variables, outside, structs, labels, result: Shape::Other, unknown: 0 };
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
    inference.unknown
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
            let shape = self.function_shape(function);
            self.outside.insert(format!("{module}::{}", function.name), shape);
        }
    }

    fn function_shape(&mut self, function: &Function) -> Shape {
        let parameters = function.parameters.iter().map(|parameter| self.shape(&parameter.ty)).collect();
        Shape::Function(parameters, Box::new(self.shape(&function.result)))
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
                ItemKind::Impl(own) => {
                    let Type::Struct(ty) = &own.ty else { continue };
                    self.functions(&format!("{module}::{}", ty.name), &own.functions);
                }
                ItemKind::Use(..) | ItemKind::Glob(_) | ItemKind::Struct(_) => {}
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
            Type::Array(element, _)
            | Type::Slice(element, _)
            | Type::Sized(element, _)
            | Type::Rows(element)
            | Type::Data(element)
            | Type::Option(element) => Shape::Of(Box::new(self.shape(element))),
            Type::Tuple(elements) => Shape::Tuple(elements.iter().map(|element| self.shape(element)).collect()),
            Type::Struct(own) => Shape::Struct(own.clone()),
            Type::Named(name) => self.struct_named(name).map_or(Shape::Other, Shape::Struct),
            Type::Parameter(_) => Shape::Parameter,
            Type::Reference(target) | Type::Exclusive(target) => self.shape(target),
            ty if ty.limits().is_some() => {
                self.types.push(Err(Some(ty.clone())));
                Shape::Integer(self.types.len() - 1)
            }
            _ => Shape::Other,
        }
    }

    /// The struct that a path leads to.
    fn struct_named(&self, path: &str) -> Option<Rc<Struct>> {
        self.structs.get(path.rsplit("::").next()?).cloned()
    }

    /// The shape of a field of a struct.
    fn field_of(&mut self, own: &Struct, field: &str) -> Shape {
        let found = own.fields.iter().find(|(name, _)| **name == *field);
        found.map_or(Shape::Other, |(_, ty)| self.shape(ty))
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

    fn variable(&self, name: &str) -> Shape {
        self.named(name).cloned().unwrap_or(Shape::Other)
    }

    fn named(&self, name: &str) -> Option<&Shape> {
        let variable = self.variables.iter().rfind(|(own, _)| **own == *name);
        let path = format!("self::{}", name.trim_start_matches("self::"));
        variable.map(|(_, shape)| shape).or_else(|| self.outside.get(&path))
    }

    /// What is called by this name: what is generated has variables of the same names, told apart by the hygiene of
    /// macros.
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
