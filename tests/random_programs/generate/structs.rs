//! Structs of the module: their definitions, what is implemented for them, and their values.

use std::rc::Rc;

use super::super::tree::*;
use super::feature::Feature;
use super::function::Wish;
use super::scope::{Level, Variable};
use super::{Callable, Generator};

/// The names of structs, such as others have, too.
const STRUCTS: [&str; 6] = ["State", "Pair", "Point", "Range", "Params", "Jacobian"];

/// The names of fields, such as variables and methods have.
const FIELDS: [&str; 12] = ["x", "y", "v2", "value", "r#type", "sin", "k", "jacobian", "rate", "b", "z", "add"];

/// The names of methods: no two structs have the same.
const METHODS: [&str; 8] = ["rate", "turned", "kick", "value", "energy", "ahead", "apply", "norm2"];

/// The names of traits with such methods: no two structs have the same.
const TRAITS: [&str; 6] = ["Turning", "Energetic", "Kinetic", "Measured", "Advancing", "Valued"];

/// The fields that are integers.
const INTEGERS: [(&str, Type); 2] = [("steps", Type::Usize), ("power", Type::Int)];

/// The most floats in a struct.
const MAX_FLOATS: usize = 5;

/// What a struct's constant is called.
const CONSTANT: &str = "SCALE";

/// What is implemented for a struct by a trait of the standard library.
#[derive(Clone)]
pub struct Implementation {
    /// The last name of the trait.
    pub name: &'static str,
    pub operands: Vec<Type>,
    pub result: Rc<Struct>,
}

impl Generator {
    /// The structs and their `impl` blocks.
    pub fn struct_items(&mut self) -> Vec<Item> {
        let mut names = STRUCTS.to_vec();
        self.random.shuffle(&mut names);
        names.truncate(1 + self.random.below(3));
        let mut kinds = Vec::new();
        for name in names {
            let own = Rc::new(self.definition(name));
            self.structs.push(own.clone());
            kinds.push(ItemKind::Struct(own));
        }
        let mut methods = METHODS.to_vec();
        self.random.shuffle(&mut methods);
        let mut traits = TRAITS.to_vec();
        self.random.shuffle(&mut traits);
        for own in self.structs.clone() {
            let count = 1 + self.random.below(2);
            let names: Vec<_> = methods.drain(..count).collect();
            self.owner = Some(own.clone());
            let mut inherent = self.inherent(&own, &names);
            let of_trait =
                traits.pop().filter(|_| self.has(Feature::Traits)).map(|name| self.of_trait(name, &mut inherent));
            kinds.push(ItemKind::Impl(inherent));
            kinds.extend(of_trait.flatten().map(ItemKind::Impl));
            kinds.extend(self.operators(&own).into_iter().map(ItemKind::Impl));
            self.owner = None;
        }
        self.random.shuffle(&mut kinds);
        kinds.into_iter().map(|kind| Item { cfg: None, kind }).collect()
    }

    fn definition(&mut self, name: &str) -> Struct {
        let is_tuple = self.random.percent(30);
        let mut names = FIELDS.to_vec();
        self.random.shuffle(&mut names);
        let (mut fields, mut floats) = (Vec::new(), 0);
        for (index, field) in names.iter().enumerate().take(1 + self.random.below(3)) {
            let field: Name = if is_tuple { index.to_string().as_str().into() } else { (*field).into() };
            let ty = match self.random.below(10) {
                0 | 1 => Type::array(Type::Float, 2),
                2 => Type::Tuple(vec![Type::Float, Type::Float]),
                3 | 4 if !self.structs.is_empty() => {
                    Type::Struct(self.structs[self.random.below(self.structs.len())].clone())
                }
                5 if !self.structs.is_empty() => Type::array(Type::Struct(self.structs[0].clone()), 2),
                _ => Type::Float,
            };
            let ty = if floats + ty.floats() > MAX_FLOATS - 1 { Type::Float } else { ty };
            floats += ty.floats();
            fields.push((field, ty));
        }
        if floats < 2 {
            let field = if is_tuple { fields.len().to_string() } else { "last".into() };
            fields.push((field.as_str().into(), Type::Float));
        }
        if self.has(Feature::Fields) {
            for (field, ty) in INTEGERS.iter().filter(|_| self.random.percent(30)) {
                let field = if is_tuple { fields.len().to_string() } else { field.to_string() };
                fields.push((field.as_str().into(), ty.clone()));
            }
        }
        Struct { name: name.into(), fields, is_tuple }
    }

    /// The struct's own functions, which can then be called.
    fn inherent(&mut self, own: &Rc<Struct>, names: &[&str]) -> Impl {
        let ty = || Type::Struct(own.clone());
        let mut functions = Vec::new();
        let made = self.associated(own);
        functions.push(made);
        for name in names {
            let (is_changing, is_by_value) = (self.random.percent(40), self.random.percent(30));
            let receiver = match (is_changing, is_by_value) {
                (true, _) => Type::Exclusive(Box::new(ty())),
                (_, true) => ty(),
                _ => Type::Reference(Box::new(ty())),
            };
            let mut types = Vec::new();
            if self.random.percent(70) {
                types.push(Type::Float);
            }
            types.extend(self.struct_parameter().filter(|ty| !matches!(ty, Type::Exclusive(_))));
            let results = [Type::Float, Type::Float, Type::array(Type::Float, 2), ty()];
            let result = results[self.random.below(results.len())].clone();
            functions.push(self.method_of(own, name, receiver, types, result));
        }
        Impl { of: None, ty: ty(), constants: vec![(CONSTANT.into(), 0.625)], functions }
    }

    /// `impl Turning for State`: some of the methods are those of a trait of the program.
    fn of_trait(&mut self, name: &str, inherent: &mut Impl) -> Option<Impl> {
        let is_moved: Vec<_> = inherent.functions.iter().map(|_| self.random.percent(40)).collect();
        let (mut own, mut moved) = (Vec::new(), Vec::new());
        for (function, is_moved) in inherent.functions.drain(..).zip(is_moved) {
            if is_moved { moved.push(function) } else { own.push(function) }
        }
        inherent.functions = own;
        let of = Implemented { path: name.into(), argument: None, output: None };
        let ty = inherent.ty.clone();
        (!moved.is_empty()).then(|| Impl { of: Some(of), ty, constants: Vec::new(), functions: moved })
    }

    /// `fn made(arg0: f64) -> Self`.
    fn associated(&mut self, own: &Rc<Struct>) -> Function {
        let types = vec![Type::Float; 1 + self.random.below(2)];
        self.function_of(own, "made", types, Type::Struct(own.clone()), false)
    }

    fn method_of(&mut self, own: &Rc<Struct>, name: &str, receiver: Type, types: Vec<Type>, result: Type) -> Function {
        self.function_of(own, name, std::iter::once(receiver).chain(types).collect(), result, true)
    }

    /// A function in an `impl` block, which can then be called.
    fn function_of(
        &mut self,
        own: &Rc<Struct>,
        name: &str,
        types: Vec<Type>,
        result: Type,
        is_method: bool,
    ) -> Function {
        let mut parameters = self.parameters(types);
        if is_method {
            parameters[0].name = "self".into();
        }
        let active = vec![true; parameters.len()];
        let derivative = Derivative::None;
        let wish = Wish { name, parameters, active, result, statements: 2, rounds: 0, budget: 20, derivative };
        let mut function = self.function(wish);
        if let [Parameter { name, ty: Type::Exclusive(_), .. }, ..] = &function.parameters[..] {
            let change = self.certain_change(own, name);
            function.body.statements.insert(0, change);
        }
        let cost = self.spent.min(40);
        self.callable.push(Callable {
            cost,
            name: format!("{}::{name}", own.name).as_str().into(),
            parameters: function.parameters.iter().map(|parameter| parameter.ty.clone()).collect(),
            result: function.result.clone(),
            is_differentiated: true,
            is_declared: true,
            is_method,
            is_taker: false,
        });
        function
    }

    /// `self.x *= 0.75;`: a change of a field that cannot be left out.
    fn certain_change(&mut self, own: &Rc<Struct>, name: &str) -> Statement {
        let place = self.part_of(Expression::variable(name), &Type::Struct(own.clone()), Level::Known);
        Statement::Assign(place, Some(Operator::Mul), Expression::Float(0.75))
    }

    /// Operators, `From` and `Index`.
    fn operators(&mut self, own: &Rc<Struct>) -> Vec<Impl> {
        let ty = || Type::Struct(own.clone());
        let by_reference = self.random.percent(30);
        let operand = || if by_reference { Type::Reference(Box::new(ty())) } else { ty() };
        let mut blocks = Vec::new();
        for (name, function, operands) in [
            ("Add", "add", vec![operand(), operand()]),
            ("Sub", "sub", vec![ty(), operand()]),
            ("Mul", "mul", vec![ty(), Type::Float]),
            ("Neg", "neg", vec![operand()]),
        ] {
            if self.random.percent(40) {
                continue;
            }
            blocks.push(self.operator(own, name, function, operands));
        }
        if self.random.percent(50) {
            blocks.push(self.assigning_operator(own));
        }
        blocks
    }

    fn operator(&mut self, own: &Rc<Struct>, name: &'static str, function: &str, operands: Vec<Type>) -> Impl {
        let mut parameters = self.parameters(operands.clone());
        parameters[0].name = "self".into();
        let active = vec![true; parameters.len()];
        let derivative = Derivative::None;
        let (result, statements) = (Type::Struct(own.clone()), 1);
        let wish = Wish { name: function, parameters, active, result, statements, rounds: 0, budget: 12, derivative };
        // There, `Self` is the reference.
        let is_reference = matches!(operands[0], Type::Reference(_));
        let owner = if is_reference { self.owner.take() } else { None };
        let function = self.function(wish);
        self.owner = owner.or(self.owner.take());
        self.operators.push(Implementation { name, operands: operands.clone(), result: own.clone() });
        let argument = operands.get(1).cloned();
        let of = Implemented {
            path: format!("core::ops::{name}").as_str().into(),
            argument,
            output: Some(Type::Struct(own.clone())),
        };
        Impl { of: Some(of), ty: operands[0].clone(), constants: Vec::new(), functions: vec![function] }
    }

    /// `impl AddAssign for State`.
    fn assigning_operator(&mut self, own: &Rc<Struct>) -> Impl {
        let ty = Type::Struct(own.clone());
        let mut parameters = self.parameters(vec![Type::Exclusive(Box::new(ty.clone())), ty.clone()]);
        parameters[0].name = "self".into();
        let mut statements = Vec::new();
        let part = |generator: &mut Self, name: &str| {
            generator.part_of(Expression::variable(name), &Type::Struct(own.clone()), Level::Known)
        };
        for _ in 0..2 {
            let (place, value) = (part(self, "self"), part(self, "arg1"));
            statements.push(Statement::Assign(place, Some(Operator::Add), value));
        }
        let name: Name = "add_assign".into();
        let result = Type::Tuple(Vec::new());
        let body = Block { statements, value: None };
        let function =
            Function { cfg: None, name, generics: Vec::new(), parameters, result, body, derivative: Derivative::None };
        self.operators.push(Implementation {
            name: "AddAssign",
            operands: vec![ty.clone(), ty.clone()],
            result: own.clone(),
        });
        let of = Implemented { path: "core::ops::AddAssign".into(), argument: None, output: None };
        Impl { of: Some(of), ty, constants: Vec::new(), functions: vec![function] }
    }

    /// A type of parameters of functions, if there are structs.
    pub fn struct_parameter(&mut self) -> Option<Type> {
        if self.structs.is_empty() || self.random.percent(40) {
            return None;
        }
        let own = Type::Struct(self.structs[self.random.below(self.structs.len())].clone());
        Some(match self.random.below(5) {
            0 | 1 => Type::Reference(Box::new(own)),
            2 => Type::Exclusive(Box::new(own)),
            _ => own,
        })
    }

    /// A type of results, if there are structs.
    pub fn struct_result(&mut self) -> Option<Type> {
        if self.structs.is_empty() || self.random.percent(60) {
            return None;
        }
        let own = Type::Struct(self.structs[self.random.below(self.structs.len())].clone());
        Some(if self.random.percent(25) { Type::Tuple(vec![own, Type::Float]) } else { own })
    }

    /// A type of variables, if there are structs.
    pub fn struct_aggregate(&mut self) -> Option<Type> {
        if self.structs.is_empty() || self.random.percent(50) {
            return None;
        }
        let own = Type::Struct(self.structs[self.random.below(self.structs.len())].clone());
        Some(match self.random.below(6) {
            0 => Type::array(own, 2),
            1 => Type::Tuple(vec![Type::Float, own]),
            _ => own,
        })
    }

    /// The struct's name, as it is written here.
    fn name_of(&mut self, own: &Rc<Struct>) -> Name {
        let is_self = self.owner.as_ref().is_some_and(|owner| owner.name == own.name);
        if is_self && self.random.percent(50) { "Self".into() } else { own.name.clone() }
    }

    /// A value of a struct with these fields.
    pub fn built(&mut self, own: &Rc<Struct>, values: Vec<Expression>) -> Expression {
        let name = self.name_of(own);
        if own.is_tuple && self.random.percent(80) {
            return Expression::Call(name, values);
        }
        let mut fields: Vec<_> = own.fields.iter().map(|(field, _)| field.clone()).zip(values).collect();
        // As they are written, they are evaluated.
        if self.random.percent(60) {
            self.random.shuffle(&mut fields);
        }
        Expression::Struct(name, fields, None)
    }

    /// A value of a struct.
    pub fn struct_value(&mut self, own: &Rc<Struct>, depth: usize) -> Expression {
        let ty = Type::Struct(own.clone());
        let known = self.variable_of_struct(&ty);
        match self.random.below(12) {
            0..=3 if let Some(known) = known => known,
            4 if let Some(known) = known
                && own.fields.len() > 1 =>
            {
                let (field, ty) = own.fields[self.random.below(own.fields.len())].clone();
                let (name, value) = (self.name_of(own), self.of_type(&ty, depth.min(1)));
                Expression::Struct(name, vec![(field, value)], Some(Box::new(known)))
            }
            5..=7 if depth > 0 && self.spend(4) => match self.operation_giving(own, depth - 1) {
                Some(operation) => operation,
                None => self.fields_of(own, depth),
            },
            8 | 9 if depth > 0 => {
                let callable = self.chosen(|callable| callable.result == ty && callable.is_declared);
                match callable {
                    Some(callable) => self.call(&callable, depth - 1),
                    None => self.fields_of(own, depth),
                }
            }
            10 => Expression::call(&format!("{}::default", own.name), Vec::new()),
            _ => self.fields_of(own, depth),
        }
    }

    fn fields_of(&mut self, own: &Rc<Struct>, depth: usize) -> Expression {
        let values = own.fields.iter().map(|(_, ty)| self.of_type(ty, depth.saturating_sub(1))).collect();
        self.built(own, values)
    }

    /// A variable with a value of this type, perhaps behind a reference.
    fn variable_of_struct(&mut self, ty: &Type) -> Option<Expression> {
        if self.random.percent(30)
            && let Some(reference) = self.variable_of(&Type::Reference(Box::new(ty.clone())))
        {
            return Some(reference.dereferenced());
        }
        self.variable_of(ty)
    }

    /// A variable that is a reference to a struct.
    pub fn reference_to(&mut self, target: &Type) -> Option<Expression> {
        if !matches!(target, Type::Struct(_)) || self.random.percent(50) {
            return None;
        }
        let ty = Type::Reference(Box::new(target.clone()));
        let mut visible = self.scopes.visible();
        visible.retain(|variable| variable.ty == ty);
        let variable = (!visible.is_empty()).then(|| visible[self.random.below(visible.len())].clone())?;
        let reference = Expression::Variable(variable.name);
        Some(if variable.is_mutable { reference.dereferenced().borrowed() } else { reference })
    }

    /// An operator that gives a value of a struct.
    fn operation_giving(&mut self, own: &Rc<Struct>, depth: usize) -> Option<Expression> {
        let fitting = self.operators.iter().filter(|it| it.result.name == own.name && it.name != "AddAssign");
        let fitting: Vec<_> = fitting.cloned().collect();
        let chosen = (!fitting.is_empty()).then(|| fitting[self.random.below(fitting.len())].clone())?;
        let mut operands = chosen.operands.iter().map(|ty| self.of_type(ty, depth));
        let mut operands: Vec<_> = operands.by_ref().collect();
        let first = operands.remove(0);
        Some(match (chosen.name, operands.pop()) {
            ("Neg", _) => first.negative(),
            ("Add", Some(second)) => Expression::binary(Operator::Add, first, second),
            ("Sub", Some(second)) => Expression::binary(Operator::Sub, first, second),
            (_, Some(second)) => Expression::binary(Operator::Mul, first, second),
            _ => return None,
        })
    }

    /// A pattern for a struct with these patterns for its fields.
    pub fn struct_pattern(&mut self, own: &Rc<Struct>, parts: &mut Vec<(Name, Pattern)>) -> Pattern {
        let name = self.name_of(own);
        if own.is_tuple && self.random.percent(80) {
            return Pattern::TupleStruct(name, parts.drain(..).map(|(_, pattern)| pattern).collect());
        }
        let before = parts.len();
        if self.random.percent(50) {
            parts.retain(|(_, pattern)| *pattern != Pattern::Any);
        }
        self.random.shuffle(parts);
        let has_rest = parts.len() < before || self.random.percent(30);
        Pattern::Struct(name, std::mem::take(parts), has_rest)
    }

    /// `let s = State { ... };`.
    pub fn let_struct(&mut self, _: usize) -> Vec<Statement> {
        let Some(ty) = self.struct_aggregate() else { return Vec::new() };
        let value = self.of_type(&ty, 2);
        vec![self.bind(ty, value)]
    }

    /// A call of what changes a struct: `s.kick(x);`, `moved(&mut s, x)`, `s += t;`.
    pub fn change_of_struct(&mut self, _: usize) -> Vec<Statement> {
        let mut places = self.scopes.assignable(Level::Active);
        places.retain(|variable| is_struct(&variable.ty));
        if places.is_empty() {
            return Vec::new();
        }
        let Variable { name, ty, .. } = places.swap_remove(self.random.below(places.len()));
        let (place, target) = match &ty {
            Type::Reference(target) => (Expression::Variable(name.clone()).dereferenced(), (**target).clone()),
            Type::Array(element, length) => {
                let is_chosen = self.has(Feature::Indices) && self.random.percent(30);
                let index = self.index(*length, if is_chosen { Level::Passive } else { Level::Known });
                (Expression::Variable(name.clone()).index(index), (**element).clone())
            }
            _ => (Expression::Variable(name.clone()), ty.clone()),
        };
        let exclusive = Type::Exclusive(Box::new(target.clone()));
        let wanted = self.callable.iter().filter(|it| it.parameters.iter().filter(|ty| **ty == exclusive).count() == 1);
        let one = |callable: &&Callable| {
            !callable.is_taker && callable.parameters.iter().filter(|ty| matches!(ty, Type::Exclusive(_))).count() == 1
        };
        let wanted: Vec<_> = wanted.filter(one).cloned().collect();
        let has_assignment = self.operators.iter().any(|it| it.name == "AddAssign" && it.operands[0] == target);
        // Nothing else names it meanwhile.
        self.scopes.set_hidden(&name, true);
        let mut statements = Vec::new();
        if has_assignment && (wanted.is_empty() || self.random.percent(40)) {
            let value = self.of_type(&target, 1);
            statements.push(Statement::Assign(place, Some(Operator::Add), value));
        } else if !wanted.is_empty() {
            let callable = wanted[self.random.below(wanted.len())].clone();
            if self.spend(callable.cost) {
                let call = self.changing_call(&callable, &exclusive, place);
                statements.push(call);
            }
        }
        self.scopes.set_hidden(&name, false);
        statements
    }

    fn changing_call(&mut self, callable: &Callable, exclusive: &Type, place: Expression) -> Statement {
        let mut arguments = Vec::new();
        for ty in &callable.parameters {
            arguments.push(match ty == exclusive {
                true => Expression::Prefix(Prefix::Exclusive, Box::new(place.clone())),
                false => self.of_type(ty, 1),
            });
        }
        let call = match callable.is_method && self.random.percent(80) {
            true => {
                arguments[0] = match &place {
                    Expression::Prefix(Prefix::Dereference, target) => (**target).clone(),
                    place => place.clone(),
                };
                Expression::method(callable.name.rsplit("::").next().unwrap_or_default(), arguments)
            }
            false => Expression::Call(callable.name.clone(), arguments),
        };
        if self.random.percent(50) {
            return Statement::Run(call);
        }
        let (name, ty) = (self.fresh("taken"), callable.result.clone());
        self.declare(Variable::new(&name, ty, Level::Active));
        Statement::bind(&name, call)
    }
}

/// Whether it is a struct, or something with structs in it that can be changed one by one.
fn is_struct(ty: &Type) -> bool {
    match ty {
        Type::Struct(_) => true,
        Type::Reference(target) => matches!(**target, Type::Struct(_)),
        Type::Array(element, _) => matches!(**element, Type::Struct(_)),
        _ => false,
    }
}
