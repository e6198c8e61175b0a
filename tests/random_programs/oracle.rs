//! What a program gives at a point, by interpretation over dual numbers.

use super::ending::Ending;
use super::interpret::{Interpreter, Trace};
use super::number::Number;
use super::tree::Program;
use super::value::Value;

/// The value and the Jacobian that a function must have.
#[derive(Clone)]
pub struct Expected {
    pub values: Vec<f64>,
    /// By column: the derivative of every float of the result, and its magnitude.
    pub columns: Vec<Vec<[f64; 2]>>,
    /// The operations on floats that it takes.
    pub operations: usize,
    pub ending: Ending,
}

/// What a run gives: the floats of the result, how it ends, and what has been seen on the way.
type Run<R> = (Vec<R>, Ending, Trace);

/// The value of a program at a point, and what is seen on the way: near and wild is what depends on any variable.
pub fn value<R: Number>(program: &Program, point: &[Value<f64>]) -> Run<f64> {
    let (value, ending, trace) =
        run(
            program,
            point,
            |parameter, _, value| {
                if program.active[parameter] { R::variable(value) } else { R::constant(value) }
            },
        );
    (value.into_iter().map(R::value).collect(), ending, trace)
}

/// The value and the Jacobian of a program at a point.
pub fn jacobian<R: Number>(program: &Program, point: &[Value<f64>]) -> Expected {
    let (values, ending, trace) = value::<R>(program, point);
    let mut expected = Expected { values, columns: Vec::new(), operations: trace.operations, ending };
    for (parameter, argument) in point.iter().enumerate().filter(|(index, _)| program.active[*index]) {
        for float in 0..argument.floats().len() {
            let (column, ..) = run(program, point, |other, index, value| {
                if (other, index) == (parameter, float) { R::variable(value) } else { R::constant(value) }
            });
            assert!(
                column.iter().zip(&expected.values).all(|(number, value)| number.value().to_bits() == value.to_bits())
            );
            expected.columns.push(column.into_iter().map(|number| [number.parts()[1], number.parts()[2]]).collect());
        }
    }
    expected
}

/// The floats of the result, where `number` makes those of the parameters: of their parameter, their position in it, and
/// their value.
fn run<R: Number>(program: &Program, point: &[Value<f64>], number: impl Fn(usize, usize, f64) -> R) -> Run<R> {
    let argument = |(parameter, argument): (usize, &Value<f64>)| {
        let mut next = 0..;
        argument.map(&mut |value| number(parameter, next.next().unwrap_or_default(), value))
    };
    let arguments: Vec<_> = point.iter().enumerate().map(argument).collect();
    let mut interpreter = Interpreter::<R>::new(program);
    let result = interpreter.run(program.main(), arguments.clone());
    let floats = result.as_ref().map_or_else(|_| Vec::new(), Value::floats);
    let ending = Ending::of(result.err(), &interpreter.trace, &arguments);
    (floats, ending, interpreter.trace)
}
