//! What changes while it is used: cells, vectors, iterators that are advanced by hand, and the log of effects.

use std::cell::Cell;
use std::rc::Rc;

use super::super::number::Number;
use super::super::tree::*;
use super::super::value::Value;
use super::{Exit, Interpreter, Outcome};

/// The rounds of a loop that does not end, as programs may while they are made smaller.
const ENDLESS: usize = 10_000;

impl<R: Number> Interpreter<'_, R> {
    /// The value of a function that is not one of the program, if it is one of these.
    pub(super) fn builtin(&mut self, name: &str, arguments: &[Value<R>]) -> Option<Value<R>> {
        // The modules around programs import what they do not have.
        Some(match (name.trim_start_matches("self::"), arguments) {
            // See `print::NOTE`.
            ("note", [number]) => {
                let event = number.index() as u64 + 1;
                self.trace.effects = self.trace.effects.wrapping_mul(31).wrapping_add(event);
                number.clone()
            }
            ("Vec::new", []) => Value::unit(),
            ("core::cell::Cell::new", [start]) => Value::Cell(Rc::new(Cell::new(start.integer() as u64))),
            // It stands where nothing reads it, whatever its type is.
            ("core::default::Default::default", []) => Value::Float(R::constant(f64::NAN)),
            ("core::clone::Clone::clone" | "core::borrow::Borrow::borrow", [value]) => value.clone(),
            _ => return None,
        })
    }

    /// A method that changes its receiver, if it is one of these.
    pub(super) fn changing(&mut self, name: &str, operands: &[Expression]) -> Result<Option<Value<R>>, Exit<R>> {
        Ok(match (name, operands) {
            ("next", [iterator]) => {
                let place = self.place(iterator)?;
                let Value::Iterator(mut left) = self.variables.load(&place) else { panic!("this is no iterator") };
                let item = Rc::make_mut(&mut left).pop();
                self.variables.store(&place, Value::Iterator(left));
                Some(Value::Option(item.map(Rc::new)))
            }
            ("take" | "replace", [option, others @ ..]) => {
                let new = others.first().map(|value| self.loaded(value)).transpose()?;
                let place = self.place(option)?;
                let old = self.variables.load(&place);
                self.variables.store(&place, Value::Option(new.map(Rc::new)));
                Some(old)
            }
            ("push", [vector, item]) => {
                let item = self.loaded(item)?;
                let place = self.place(vector)?;
                let mut elements = self.variables.load(&place).elements().to_vec();
                elements.push(item);
                self.variables.store(&place, Value::sequence(elements));
                Some(Value::unit())
            }
            _ => None,
        })
    }

    /// A method of cells.
    pub(super) fn cell_method(&self, name: &str, cell: &Cell<u64>, others: &[Value<R>]) -> Outcome<R> {
        Ok(match (name, others) {
            ("get", []) => Value::integer_of(cell.get().into(), Type::U64),
            ("set", [value]) => {
                cell.set(value.integer() as u64);
                Value::unit()
            }
            _ => panic!("`{name}` is no method of cells in programs"),
        })
    }

    /// `while condition { ... }` and `loop { ... }`.
    pub(super) fn repeat_while(&mut self, repeated: &While) -> Result<(), Exit<R>> {
        let is_own = |label: &Option<Name>| label.is_none() || *label == repeated.label;
        for _ in 0..ENDLESS {
            let scope = self.variables.enter();
            let outcome = match self.holds(repeated.condition.as_ref()) {
                Ok(true) => self.block(&repeated.body),
                Ok(false) => Err(Exit::Break(None)),
                Err(exit) => Err(exit),
            };
            self.variables.leave(scope);
            match outcome {
                Ok(_) => {}
                Err(Exit::Continue(label)) if is_own(&label) => {}
                Err(Exit::Break(label)) if is_own(&label) => return Ok(()),
                Err(exit) => return Err(exit),
            }
        }
        panic!("the loop does not end")
    }

    fn holds(&mut self, condition: Option<&Expression>) -> Result<bool, Exit<R>> {
        condition.map_or(Ok(true), |condition| Ok(self.expression(condition)?.truth()))
    }
}
