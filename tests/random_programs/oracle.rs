//! What a program gives at a point, by interpretation over dual numbers.

use super::ending::Ending;
use super::interpret::{Interpreter, Trace};
use super::number::Number;
use super::tree::Program;
use super::value::Value;

/// A derivative and its magnitude.
pub type Entry = [f64; 2];

/// The value and the Jacobian that a function must have.
#[derive(Clone)]
pub struct Expected {
    pub values: Vec<f64>,
    /// By column: the derivative of every float of the result, and its magnitude.
    pub columns: Vec<Vec<Entry>>,
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

/// The gradient of the sum of the results with these weights, and its Hessian row by row; and the gradient with the
/// product of the Hessian with a direction.
pub fn second<R: Number>(
    program: &Program,
    point: &[Value<f64>],
    expected: &Expected,
    weights: &[f64],
    direction: &[f64],
) -> [Vec<Entry>; 2] {
    let active = point.iter().enumerate().filter(|(parameter, _)| program.active[*parameter]);
    let places: Vec<_> = active
        .flat_map(|(parameter, argument)| (0..argument.floats().len()).map(move |float| (parameter, float)))
        .collect();
    let mut hessian = vec![vec![[0.0; 2]; places.len()]; places.len()];
    for (row, along) in places.iter().enumerate() {
        for (column, across) in places.iter().enumerate().take(row + 1) {
            let (floats, ..) = run(program, point, |parameter, index, value| {
                let is = |place: &(usize, usize)| f64::from(u8::from((parameter, index) == *place));
                R::seeded(value, [is(along), is(across)])
            });
            hessian[row][column] = combined(floats.into_iter().map(R::second), weights);
            hessian[column][row] = hessian[row][column];
        }
    }
    let gradient = expected.columns.iter().map(|column| combined(column.iter().copied(), weights));
    let gradient: Vec<_> = gradient.collect();
    let product = hessian.iter().map(|row| combined(row.iter().copied(), direction));
    [gradient.iter().copied().chain(hessian.concat()).collect(), gradient.iter().copied().chain(product).collect()]
}

/// The sum of entries, each times a factor.
fn combined(entries: impl Iterator<Item = Entry>, factors: &[f64]) -> Entry {
    entries
        .zip(factors)
        .fold([0.0; 2], |sum, (entry, factor)| [sum[0] + entry[0] * factor, sum[1] + entry[1] * factor.abs()])
}

/// The floats of the result, where `number` makes those of the parameters: of their parameter, their position in it,
/// and their value.
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
