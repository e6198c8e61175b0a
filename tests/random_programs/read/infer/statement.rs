//! Statements and patterns.

use super::super::super::tree::*;
use super::{Inference, Shape};

impl Inference {
    pub(super) fn block(&mut self, block: &Block) -> Shape {
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
            ItemKind::Function(function) => {
                let shape = self.function_shape(function);
                self.variables.push((function.name.clone(), shape));
            }
            _ => {}
        }
    }

    /// The value of a constant, which names those of its block whatever their order is, or the body of a function.
    fn value(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Const(_, ty, value) => {
                let (ty, value) = (self.shape(ty), self.expression(value));
                self.unify(&ty, &value);
            }
            ItemKind::Function(function) => self.body(function),
            _ => {}
        }
    }

    fn body(&mut self, function: &Function) {
        let scope = self.variables.len();
        for parameter in &function.parameters {
            let shape = self.shape(&parameter.ty);
            self.variables.push((parameter.name.clone(), shape));
        }
        let result = self.shape(&function.result);
        let outer = std::mem::replace(&mut self.result, result.clone());
        let value = self.block(&function.body);
        self.unify(&value, &result);
        self.result = outer;
        self.variables.truncate(scope);
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
            Statement::LetElse(own) => {
                let shape = self.expression(&own.value);
                self.block(&own.otherwise);
                self.bind(&own.pattern, &shape);
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
    pub(super) fn initialize(&mut self, place: &Expression, value: &Shape) {
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

    pub(super) fn bind(&mut self, pattern: &Pattern, shape: &Shape) {
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
            (Pattern::TupleStruct(name, patterns), _) => {
                let own = self.struct_named(name);
                for (index, pattern) in patterns.iter().enumerate() {
                    let part = own.as_ref().map_or(Shape::Other, |own| self.field_of(own, &index.to_string()));
                    self.bind(pattern, &part);
                }
            }
            (Pattern::Struct(name, fields, _), _) => {
                let own = self.struct_named(name);
                for (field, pattern) in fields {
                    let part = own.as_ref().map_or(Shape::Other, |own| self.field_of(own, field));
                    self.bind(pattern, &part);
                }
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
}
