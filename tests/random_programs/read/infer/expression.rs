//! Expressions and iterators.

use super::super::super::tree::*;
use super::{Inference, Shape, element, result};

impl Inference {
    pub(super) fn expression(&mut self, expression: &Expression) -> Shape {
        match expression {
            Expression::Integer(_, ty, _) => self.shape(ty),
            Expression::Variable(name) => {
                self.unknown += usize::from(self.named(name).is_none());
                self.variable(name)
            }
            Expression::Index(base, index) => {
                let (base, index) = (self.expression(base), self.expression(index));
                self.is(&index, &Type::Usize);
                element(base)
            }
            Expression::Slice(base, ..) => self.expression(base),
            Expression::Field(base, field) => match self.expression(base) {
                Shape::Tuple(elements) => elements[*field].clone(),
                Shape::Struct(own) => self.field_of(&own, &field.to_string()),
                _ => Shape::Other,
            },
            Expression::Member(base, field) => match self.expression(base) {
                Shape::Struct(own) => self.field_of(&own, field),
                _ => Shape::Other,
            },
            Expression::Struct(name, fields, rest) => {
                let own = self.struct_named(name);
                for (field, value) in fields {
                    let value = self.expression(value);
                    let field = own.as_ref().map_or(Shape::Other, |own| self.field_of(own, field));
                    self.unify(&value, &field);
                }
                rest.iter().for_each(|rest| drop(self.expression(rest)));
                own.map_or(Shape::Other, Shape::Struct)
            }
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
            Expression::Option(value) => {
                let value = value.as_ref().map_or(Shape::Other, |value| self.expression(value));
                Shape::Of(Box::new(value))
            }
            Expression::Try(value) => element(self.expression(value)),
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
            ("unwrap_or" | "map_or", [_, other, ..]) => return other.clone(),
            ("is_some" | "is_none" | "is_some_and", _) => return Shape::Other,
            ("then" | "map", [_, Shape::Function(_, result)]) => return Shape::Of(result.clone()),
            ("then_some", [_, value]) => return Shape::Of(Box::new(value.clone())),
            ("and_then", [_, Shape::Function(_, result)]) => return (**result).clone(),
            ("get", [Shape::Other]) => return self.shape(&Type::U64),
            ("set", [_, value]) => self.is(value, &Type::U64),
            ("push", [Shape::Of(element), item]) => self.unify(element, item),
            ("push", [Shape::Other, item]) => {
                let vector = Shape::Of(Box::new(item.clone()));
                self.initialize(&operands[0], &vector);
            }
            (_, [Shape::Struct(own), ..]) => {
                let function = self.function(&format!("{}::{name}", own.name));
                let Shape::Function(parameters, result) = function else { return Shape::Other };
                parameters.iter().zip(&shapes).for_each(|(parameter, own)| self.unify(parameter, own));
                return *result;
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
        match (name.trim_start_matches("self::"), self.function(name)) {
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
                match *result {
                    Shape::Parameter => arguments[0].clone(),
                    result => result,
                }
            }
            (path, _) if let Some(own) = path.strip_suffix("::default") => {
                self.struct_named(own).map_or(Shape::Other, Shape::Struct)
            }
            _ => match self.struct_named(name) {
                Some(own) => {
                    for ((_, ty), value) in own.fields.iter().zip(&arguments) {
                        self.is(value, ty);
                    }
                    Shape::Struct(own)
                }
                None => Shape::Other,
            },
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

    /// A number of items, which is a `usize`.
    fn count(&mut self, count: &Expression) {
        let (count, own) = (self.expression(count), self.shape(&Type::Usize));
        self.unify(&count, &own);
    }

    /// The items of an iterator.
    pub(super) fn items_of(&mut self, items: &Items) -> Shape {
        match items {
            Items::Range(start, end, _) => {
                let bounds = [self.expression(start), self.expression(end)];
                self.common(&bounds)
            }
            Items::Elements(array, _) => element(self.expression(array)),
            Items::Windows(array, count) | Items::Chunks(array, count) => {
                self.count(count);
                self.expression(array)
            }
            Items::StepBy(inner, count) | Items::Skip(inner, count) | Items::Take(inner, count) => {
                self.count(count);
                self.items_of(inner)
            }
            Items::Reversed(inner) | Items::Copied(inner) => self.items_of(inner),
            Items::Enumerate(inner) => Shape::Tuple(vec![self.shape(&Type::Usize), self.items_of(inner)]),
            Items::Zip(inner, others) => Shape::Tuple(vec![self.items_of(inner), self.items_of(others)]),
            Items::Map(inner, closure) => {
                let item = self.items_of(inner);
                result(self.closure(closure, &[item]))
            }
            Items::FilterMap(inner, closure) => {
                let item = self.items_of(inner);
                element(result(self.closure(closure, &[item])))
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
            Consumer::Reduce(closure) => {
                self.closure(closure, &[item.clone(), item.clone()]);
                Shape::Of(Box::new(item))
            }
        }
    }
}
