//! Structs and what is implemented for them. Which function is meant is decided by the values alone: no two structs
//! have methods of the same name that one value could have.
//!
//! A mutable reference that is passed on is a value that is given back: nothing else can see the place meanwhile.

use std::rc::Rc;

use super::super::number::Number;
use super::super::tree::*;
use super::super::value::{Place, Value};
use super::scope::{MODULE, Meaning};
use super::{Changed, Exit, Interpreter, Outcome};

impl<'p, R: Number> Interpreter<'p, R> {
    /// The struct that a path means.
    fn struct_named(&self, path: &str) -> Option<&'p Rc<Struct>> {
        let name = match path.rsplit("::").next() {
            Some("Self") => self.owner.as_deref()?,
            last => last?,
        };
        self.program.items.iter().find_map(|item| match &item.kind {
            ItemKind::Struct(own) if *own.name == *name => Some(own),
            _ => None,
        })
    }

    /// The `impl` blocks.
    fn implementations(&self) -> impl Iterator<Item = &'p Impl> + use<'p, R> {
        self.program.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Impl(own) => Some(own),
            _ => None,
        })
    }

    /// The position of a field.
    pub(super) fn field_of(&self, value: &Value<R>, field: &str) -> usize {
        let Value::Struct(name, _) = value else {
            return field.parse().unwrap_or_else(|_| panic!("`{field}` of what is no struct"));
        };
        let own = self.struct_named(name).expect("values are of structs of the program");
        own.fields.iter().position(|(own, _)| **own == *field).unwrap_or_else(|| panic!("no field `{field}`"))
    }

    /// `Name { field: value, ..rest }`: the values are evaluated as they are written.
    pub(super) fn constructed(
        &mut self,
        name: &str,
        fields: &[(Name, Expression)],
        rest: Option<&Expression>,
    ) -> Outcome<R> {
        let own = self.struct_named(name).unwrap_or_else(|| panic!("`{name}` is no struct"));
        let mut values = vec![None; own.fields.len()];
        for (field, value) in fields {
            let place = own.fields.iter().position(|(name, _)| name == field).expect("the struct has this field");
            values[place] = Some(self.loaded(value)?);
        }
        let rest = rest.map(|rest| self.loaded(rest)).transpose()?;
        let value = |(index, value): (usize, Option<Value<R>>)| {
            value.unwrap_or_else(|| rest.as_ref().expect("every field has a value").elements()[index].clone())
        };
        let values: Vec<_> = values.into_iter().enumerate().map(value).collect();
        Ok(made(own, values))
    }

    /// `Self::GAIN`.
    pub(super) fn constant_of_struct(&self, path: &str) -> Option<Value<R>> {
        let (owner, name) = path.rsplit_once("::")?;
        let owner = self.struct_named(owner)?;
        let mut constants = self.implementations().filter(|it| is_for(it, &owner.name)).flat_map(|it| &it.constants);
        constants.find(|(own, _)| **own == *name).map(|(_, value)| Value::Float(R::constant(*value)))
    }

    /// A function of a struct by its name.
    fn function_of(&self, owner: &str, name: &str) -> Option<&'p Function> {
        let inherent = self.implementations().filter(|it| it.of.is_none());
        let all = inherent.chain(self.implementations().filter(|it| it.of.is_some()));
        let mut functions = all.filter(|it| is_for(it, owner)).flat_map(|it| &it.functions);
        functions.find(|function| *function.name == *name)
    }

    /// `State::new(x)`, `Pair(x, y)`; none if the path leads to no struct.
    pub(super) fn call_of_struct(&mut self, path: &str, arguments: &[Value<R>]) -> Option<Outcome<R>> {
        if let Some(own) = self.struct_named(path).filter(|own| own.is_tuple) {
            return Some(Ok(made(own, arguments.to_vec())));
        }
        let (owner, name) = path.rsplit_once("::")?;
        let owner = self.struct_named(owner)?;
        Some(match self.function_of(&owner.name, name) {
            Some(function) => self.call_for(&owner.name, function, arguments.to_vec()).map(|(value, _)| value),
            None if name == "default" => Ok(zero(&Type::Struct(owner.clone()))),
            None => panic!("`{path}` is no function"),
        })
    }

    /// Calls a function of a struct.
    fn call_for(&mut self, owner: &Name, function: &'p Function, arguments: Vec<Value<R>>) -> Changed<R> {
        let around = self.owner.replace(owner.clone());
        let result = self.call_changing(function, MODULE, arguments);
        self.owner = around;
        result
    }

    /// A method that the program defines; none if it does not.
    pub(super) fn own_method(&mut self, name: &str, operands: &[Expression]) -> Result<Option<Value<R>>, Exit<R>> {
        let is_own = |function: &Function| *function.name == *name && is_method(function);
        if !self.implementations().flat_map(|it| &it.functions).any(is_own) {
            return Ok(None);
        }
        let receiver = self.loaded(&operands[0])?;
        let Value::Struct(owner, _) = &receiver else { return Ok(None) };
        let function = self.function_of(owner, name).unwrap_or_else(|| panic!("`{owner}` has no method `{name}`"));
        if !matches!(function.parameters[0].ty, Type::Exclusive(_)) {
            let arguments = std::iter::once(Ok(receiver.clone()));
            let arguments = arguments.chain(operands[1..].iter().map(|operand| self.loaded(operand)));
            let arguments = arguments.collect::<Result<_, _>>()?;
            return Ok(Some(self.call_for(owner, function, arguments)?.0));
        }
        let place = self.place(&operands[0])?;
        let mut arguments = Vec::new();
        for operand in &operands[1..] {
            arguments.push(self.loaded(operand)?);
        }
        arguments.insert(0, self.variables.load(&place));
        let (value, changed) = self.call_for(owner, function, arguments)?;
        self.variables.store(&place, changed[0].clone());
        Ok(Some(value))
    }

    /// Whether one of the arguments is a mutable reference.
    pub(super) fn changes(&self, arguments: &[Expression]) -> bool {
        arguments.iter().any(|argument| matches!(argument, Expression::Prefix(Prefix::Exclusive, _)))
    }

    /// A call with mutable references among its arguments.
    pub(super) fn call_of_changing(&mut self, path: &Name, arguments: &[Expression]) -> Outcome<R> {
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for argument in arguments {
            match argument {
                Expression::Prefix(Prefix::Exclusive, target) => {
                    let place = self.place(target)?;
                    values.push(self.variables.load(&place));
                    places.push(Some(place));
                }
                argument => {
                    values.push(self.loaded(argument)?);
                    places.push(None);
                }
            }
        }
        let owner = path.rsplit_once("::").and_then(|(owner, name)| Some((self.struct_named(owner)?, name)));
        let (value, changed) = match owner.and_then(|(owner, name)| Some((owner, self.function_of(&owner.name, name)?)))
        {
            Some((owner, function)) => self.call_for(&owner.name, function, values)?,
            None => match self.meaning(path) {
                Some(Meaning::Function(function, module)) => self.call_changing(&function, module, values)?,
                _ => panic!("`{path}` is no function"),
            },
        };
        for (place, value) in places.iter().zip(changed) {
            if let Some(place) = place {
                self.variables.store(place, value);
            }
        }
        Ok(value)
    }

    /// The function that implements the trait of an operator for these operands.
    fn operator_for(&self, name: &str, operands: &[Value<R>]) -> &'p Function {
        let is_it = |own: &&Impl| own.of.as_ref().is_some_and(|of| of.path.rsplit("::").next() == Some(name));
        let takes = |function: &&Function| {
            function.parameters.iter().zip(operands).all(|(parameter, value)| value.is_of(&parameter.ty))
        };
        let mut functions = self.implementations().filter(is_it).flat_map(|it| &it.functions).filter(takes);
        functions.next().unwrap_or_else(|| {
            panic!(
                "`{name}` is not implemented for {}",
                operands.iter().map(Value::kind).collect::<Vec<_>>().join(", ")
            )
        })
    }

    /// An operator of structs.
    pub(super) fn operator(&mut self, name: &str, operands: Vec<Value<R>>) -> Outcome<R> {
        let function = self.operator_for(name, &operands);
        let owner = operands.iter().find_map(|operand| match operand {
            Value::Struct(owner, _) => Some(owner.clone()),
            _ => None,
        });
        Ok(self.call_for(&owner.expect("an operand is a struct"), function, operands)?.0)
    }

    /// `place += value`, of structs.
    pub(super) fn assign_by_operator(
        &mut self,
        operator: Operator,
        place: &Place,
        value: Value<R>,
    ) -> Result<(), Exit<R>> {
        let operands = vec![self.variables.load(place), value];
        let function = self.operator_for(&format!("{operator:?}Assign"), &operands);
        let Value::Struct(owner, _) = &operands[0] else { panic!("a struct is expected") };
        let (_, changed) = self.call_for(&owner.clone(), function, operands)?;
        self.variables.store(place, changed[0].clone());
        Ok(())
    }
}

fn made<R>(own: &Struct, values: Vec<Value<R>>) -> Value<R> {
    Value::Struct(own.name.clone(), Rc::new(values))
}

/// Whether it is a method.
pub fn is_method(function: &Function) -> bool {
    function.parameters.first().is_some_and(|first| &*first.name == "self")
}

/// Whether a block is one for the struct with this name.
fn is_for(own: &Impl, name: &str) -> bool {
    let ty = match &own.ty {
        Type::Reference(target) => target,
        ty => ty,
    };
    matches!(ty, Type::Struct(own) if *own.name == *name)
}

/// What `Default` gives, where it is derived.
fn zero<R: Number>(ty: &Type) -> Value<R> {
    match ty {
        Type::Float => Value::Float(R::constant(0.0)),
        ty if ty.limits().is_some() => Value::integer_of(0, ty.clone()),
        Type::Array(element, length) => Value::sequence(vec![zero(element); *length]),
        Type::Tuple(elements) => Value::sequence(elements.iter().map(zero).collect()),
        Type::Struct(own) => made(own, own.fields.iter().map(|(_, ty)| zero(ty)).collect()),
        other => panic!("nothing is the default of {other:?}"),
    }
}
