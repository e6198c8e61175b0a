//! Methods of vectors and matrices. To add one is to add a row to [`METHODS`], and a line to the test that compares it
//! with nalgebra's to the last bit.

use jacobian_core::catalogue::{Intrinsic, known};
use jacobian_core::code_list::{Constant, Dialect, ValueId};

use super::super::super::diagnostics::list;
use super::super::super::read::vector::Layout;
use super::super::super::refuse;
use super::super::super::syntax::{Expr, Method as MethodCall};
use super::super::Lowering;
use super::super::control::Flow;
use super::super::items::{Access, Sequence};
use super::super::value::{Value, Vector};
use super::Operand;

/// A vector with its place in the source.
type Receiver<'v> = (&'v Vector, &'v Expr);

/// The names of a method, the number of its arguments, and what it computes.
type Method = (&'static [&'static str], usize, fn(&mut Lowering<'_>, Receiver<'_>, &[Operand<'_>]) -> Flow);

/// The methods that compute or rearrange floats.
const METHODS: &[Method] = &[
    (&["clone", "clone_owned", "into_owned"], 0, |_, vector, _| Ok(Value::Vector(vector.0.clone()))),
    (&["iter"], 0, |_, vector, _| {
        let elements = Value::Array(vector.0.elements.clone().into());
        let items = Sequence::of_array(elements, vector.0.elements.len(), Access::Reference);
        Ok(Value::Iterator(Box::new(items)))
    }),
    (&["transpose"], 0, |_, vector, _| Ok(transposed(vector.0))),
    (&["dot"], 1, |lowering, vector, args| lowering.dot(vector, args[0])),
    (&["cross"], 1, |lowering, vector, args| lowering.cross(vector, args[0])),
    (&["norm_squared"], 0, |lowering, vector, _| {
        let square = lowering.norm_squared(vector)?;
        Ok(lowering.program.active(square))
    }),
    (&["norm"], 0, |lowering, vector, _| lowering.norm(vector)),
    (&["normalize"], 0, |lowering, vector, _| {
        let norm = lowering.norm(vector)?;
        lowering.by_scalar(known::DIV, vector, (&norm, vector.1))
    }),
    (&["scale"], 1, |lowering, vector, args| lowering.by_scalar(known::MUL, vector, args[0])),
    (&["unscale"], 1, |lowering, vector, args| lowering.by_scalar(known::DIV, vector, args[0])),
    (&["component_mul"], 1, |lowering, vector, args| lowering.by_component(known::MUL, vector, args[0])),
    (&["component_div"], 1, |lowering, vector, args| lowering.by_component(known::DIV, vector, args[0])),
    (&["sum"], 0, |lowering, vector, _| {
        let floats = lowering.floats(vector.0, vector.1)?;
        let zero = lowering.program.constant(Constant::Float(0.0));
        let sum = lowering.chain([zero].into_iter().chain(floats));
        Ok(lowering.program.active(sum))
    }),
];

impl Lowering<'_> {
    /// A method of a vector, a matrix or a point.
    pub(in super::super) fn vector_method(&mut self, call: &MethodCall, vector: &Vector, args: &[Value]) -> Flow {
        let name = call.name.to_string();
        let found = METHODS.iter().find(|(names, count, _)| names.contains(&name.as_str()) && *count == args.len());
        let is_of_points = |names: &[&str]| names.contains(&"clone") || names.contains(&"iter");
        let Some((.., compute)) = found.filter(|(names, ..)| !vector.layout.is_point || is_of_points(names)) else {
            let known = list(METHODS.iter().map(|(names, ..)| names[0]));
            return self.refuse(&call.name, refuse::vector_method(known));
        };
        if name.starts_with("norm") {
            self.require_real(&call.name)?;
        }
        let operands: Vec<_> = args.iter().zip(&call.args).collect();
        compute(self, (vector, &call.receiver), &operands)
    }

    /// An argument that must be a vector, or a matrix, with as many rows and columns as another.
    fn like(&mut self, vector: &Vector, argument: Operand<'_>) -> Flow<Vector> {
        match self.vector(argument.0) {
            Some(other) if other.layout == vector.layout => Ok(other),
            Some(_) => self.refuse(argument.1, refuse::VECTOR_SHAPE),
            None => self.refuse(argument.1, refuse::VECTOR_UNSEEN),
        }
    }

    fn by_component(&mut self, intrinsic: Intrinsic, vector: Receiver<'_>, argument: Operand<'_>) -> Flow {
        let other = self.like(vector.0, argument)?;
        self.by_element(intrinsic, vector.0.layout, vector, (&other, argument.1))
    }

    fn dot(&mut self, vector: Receiver<'_>, argument: Operand<'_>) -> Flow {
        let other = self.like(vector.0, argument)?;
        let (left, right) = (self.floats(vector.0, vector.1)?, self.floats(&other, argument.1)?);
        let products: Vec<_> = left.into_iter().zip(right).map(|(l, r)| self.on_floats(known::MUL, l, r)).collect();
        let zero = self.program.constant(Constant::Float(0.0));
        let dot = self.sum_of_products(vector.0.layout, &products, Some(zero));
        Ok(self.program.active(dot))
    }

    /// The products of a `dot` added up. Short columns are added as nalgebra writes them out; longer ones, and rows,
    /// are added to `zero`, eight products at a time in as many sums. Where no product is a negative zero, there need
    /// be no zero.
    fn sum_of_products(&mut self, layout: Layout, products: &[ValueId], zero: Option<ValueId>) -> ValueId {
        match (products, layout.columns) {
            (&[_, _] | &[_, _, _], 1) => self.chain(products.iter().copied()),
            (&[a, b, c, d], 1) => {
                let (even, odd) = (self.on_floats(known::ADD, a, c), self.on_floats(known::ADD, b, d));
                self.on_floats(known::ADD, even, odd)
            }
            _ => {
                let mut terms: Vec<_> = zero.into_iter().collect();
                for column in products.chunks(layout.rows) {
                    let (eights, rest) = column.as_chunks::<8>();
                    if !eights.is_empty() {
                        terms.extend(self.sums_of_eight(eights, zero));
                    }
                    terms.extend(rest);
                }
                self.chain(terms)
            }
        }
    }

    /// The sums of the first of each eight and of the fifth, of the second and of the sixth, and so on.
    fn sums_of_eight(&mut self, eights: &[[ValueId; 8]], zero: Option<ValueId>) -> [ValueId; 4] {
        let mut lane = |lane: usize| self.chain(zero.into_iter().chain(eights.iter().map(|eight| eight[lane])));
        let [a, b, c, d, e, f, g, h] = std::array::from_fn(&mut lane);
        [(a, e), (b, f), (c, g), (d, h)].map(|(low, high)| self.on_floats(known::ADD, low, high))
    }

    fn cross(&mut self, vector: Receiver<'_>, argument: Operand<'_>) -> Flow {
        let other = self.like(vector.0, argument)?;
        let (left, right) = (self.floats(vector.0, vector.1)?, self.floats(&other, argument.1)?);
        let ([ax, ay, az], [bx, by, bz], true) = (&left[..], &right[..], vector.0.layout.is_vector()) else {
            return self.refuse(vector.1, refuse::CROSS);
        };
        let entries = [(ay, bz, az, by), (az, bx, ax, bz), (ax, by, ay, bx)].map(|(a, b, c, d)| {
            let (first, second) = (self.on_floats(known::MUL, *a, *b), self.on_floats(known::MUL, *c, *d));
            self.on_floats(known::SUB, first, second)
        });
        Ok(self.vector_of(vector.0.layout, entries))
    }

    /// The sum of the squares, column by column. No square is a negative zero.
    fn norm_squared(&mut self, (vector, place): Receiver<'_>) -> Flow<ValueId> {
        let floats = self.floats(vector, place)?;
        let squares: Vec<_> = floats.into_iter().map(|float| self.on_floats(known::MUL, float, float)).collect();
        let column = Layout { columns: 1, ..vector.layout };
        let columns: Vec<_> =
            squares.chunks(column.rows).map(|squares| self.sum_of_products(column, squares, None)).collect();
        Ok(self.chain(columns))
    }

    fn norm(&mut self, vector: Receiver<'_>) -> Flow {
        let square = self.norm_squared(vector)?;
        let sqrt = Intrinsic::find("sqrt").expect("the catalogue has a square root");
        Ok(self.program.apply(sqrt, Dialect::default(), &[square]))
    }
}

/// Rows as columns.
fn transposed(vector: &Vector) -> Value {
    let layout = vector.layout.transposed();
    let at = |position: usize| {
        let (row, column) = (position % layout.rows, position / layout.rows);
        vector.elements[row * vector.layout.rows + column].clone()
    };
    Value::Vector(Vector { layout, elements: (0..layout.count()).map(at).collect(), ty: None })
}
