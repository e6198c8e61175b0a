//! Methods of vectors and matrices. To add one is to add a row to [`METHODS`], and a line to the test that compares it
//! with nalgebra's to the last bit.

use std::rc::Rc;

use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::{Constant, NotationId, ValueId};

use super::super::super::diagnostics::list;
use super::super::super::read::shape::Shape;
use super::super::super::read::vector::{Layout, VectorKind};
use super::super::super::refuse;
use super::super::super::syntax::{Expr, Method as MethodCall};
use super::super::Lowering;
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::items::{Access, Sequence};
use super::super::value::{Value, Vector};
use super::Operand;
use super::geometry::{coordinates, made};

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
    (&["norm_squared", "magnitude_squared"], 0, |lowering, vector, _| {
        let square = lowering.norm_squared(vector)?;
        Ok(lowering.program.active(square))
    }),
    (&["norm", "magnitude"], 0, |lowering, vector, _| lowering.norm(vector)),
    (&["normalize"], 0, |lowering, vector, _| {
        let norm = lowering.norm(vector)?;
        lowering.by_scalar(known::DIV, vector, (&norm, vector.1))
    }),
    (&["scale"], 1, |lowering, vector, args| lowering.by_scalar(known::MUL, vector, args[0])),
    (&["unscale"], 1, |lowering, vector, args| lowering.by_scalar(known::DIV, vector, args[0])),
    (&["component_mul"], 1, |lowering, vector, args| lowering.by_component(known::MUL, vector, args[0])),
    (&["component_div"], 1, |lowering, vector, args| lowering.by_component(known::DIV, vector, args[0])),
    (&["metric_distance"], 1, |lowering, vector, args| lowering.distance(vector, args[0])),
    (&["perp"], 1, |lowering, vector, args| {
        let other = lowering.like(vector.0, args[0])?;
        let (left, right) = (lowering.floats(vector.0, vector.1)?, lowering.floats(&other, args[0].1)?);
        let ([ax, ay], [bx, by]) = (&left[..], &right[..]) else {
            return lowering.refuse(vector.1, refuse::VECTOR_SHAPE);
        };
        let (first, second) = (lowering.on_floats(known::MUL, *ax, *by), lowering.on_floats(known::MUL, *ay, *bx));
        let perp = lowering.on_floats(known::SUB, first, second);
        Ok(lowering.program.active(perp))
    }),
    (&["map"], 1, |lowering, vector, args| lowering.mapped_elements(vector, None, args[0])),
    (&["zip_map"], 2, |lowering, vector, args| {
        let other = lowering.like(vector.0, args[0])?;
        lowering.mapped_elements(vector, Some(other), args[1])
    }),
    (&["add_scalar"], 1, |lowering, vector, args| lowering.by_scalar(known::ADD, vector, args[0])),
    (&["push"], 1, |_, vector, args| pushed(vector.0, args[0].0.clone())),
    (&["to_homogeneous"], 0, |lowering, vector, _| {
        let last = lowering.number(if vector.0.layout.kind == VectorKind::Point { 1.0 } else { 0.0 });
        match vector.0.layout.columns {
            1 => pushed(&coordinates(vector.0), last),
            _ => lowering.refuse(vector.1, refuse::VECTOR_SHAPE),
        }
    }),
    (&["diagonal"], 0, |_, vector, _| {
        let (rows, count) = (vector.0.layout.rows, vector.0.layout.rows.min(vector.0.layout.columns));
        let elements = (0..count).map(|at| vector.0.elements[at * (rows + 1)].clone());
        Ok(made(Layout::matrix(count, 1), elements.collect()))
    }),
    (&["trace"], 0, |lowering, vector, _| {
        let (floats, rows) = (lowering.floats(vector.0, vector.1)?, vector.0.layout.rows);
        if rows != vector.0.layout.columns {
            return lowering.refuse(vector.1, refuse::NOT_SQUARE);
        }
        let zero = lowering.program.constant(Constant::Float(0.0));
        let trace = lowering.chain([zero].into_iter().chain((0..rows).map(|at| floats[at * (rows + 1)])));
        Ok(lowering.program.active(trace))
    }),
    (&["determinant"], 0, |lowering, vector, _| lowering.determinant(vector.0, vector.1)),
    (&["try_inverse"], 0, |lowering, vector, _| lowering.try_inverse(vector.0, vector.1)),
    (&["lu"], 0, |lowering, vector, _| lowering.lu(vector.0, vector.1)),
    (&["cholesky"], 0, |lowering, vector, _| lowering.cholesky(vector.0, vector.1)),
    (&["cross_matrix"], 0, |lowering, vector, _| {
        let [x, y, z] = &vector.0.elements[..] else { return lowering.refuse(vector.1, refuse::CROSS) };
        let negative = lowering.vector_negation(vector.0, vector.1)?;
        let negative = lowering.vector(&negative).map(|vector| vector.elements).unwrap_or_default();
        let (zero, minus) = (lowering.number(0.0), |at: usize| negative[at].clone());
        let [x, y, z] = [x, y, z].map(Clone::clone);
        let elements = vec![zero.clone(), z, minus(1), minus(2), zero.clone(), x, y, minus(0), zero];
        Ok(made(Layout::matrix(3, 3), elements))
    }),
    (&["kronecker"], 1, |lowering, vector, args| {
        let Some(other) = lowering.vector(args[0].0).filter(|other| other.layout.is_matrix()) else {
            return lowering.refuse(args[0].1, refuse::VECTOR_UNSEEN);
        };
        let (l, r) = (vector.0.layout, other.layout);
        let (left, right) = (lowering.floats(vector.0, vector.1)?, lowering.floats(&other, args[0].1)?);
        let mut floats = Vec::with_capacity(left.len() * right.len());
        for (left, right) in left.chunks(l.rows).flat_map(|left| right.chunks(r.rows).map(move |right| (left, right))) {
            for &coefficient in left {
                floats.extend(right.iter().map(|&entry| lowering.on_floats(known::MUL, coefficient, entry)));
            }
        }
        Ok(lowering.vector_of(Layout::matrix(l.rows * r.rows, l.columns * r.columns), floats))
    }),
    (&["tr_mul"], 1, |lowering, vector, args| {
        let Some(other) = lowering.vector(args[0].0).filter(|other| other.layout.is_matrix()) else {
            return lowering.refuse(args[0].1, refuse::VECTOR_UNSEEN);
        };
        let (l, r) = (vector.0.layout, other.layout);
        if l.rows != r.rows {
            return lowering.refuse(args[0].1, refuse::VECTOR_SHAPE);
        }
        let column = |elements: &[Value]| Vector {
            layout: Layout::matrix(elements.len(), 1),
            elements: elements.to_vec(),
            ty: None,
        };
        let mut elements = Vec::with_capacity(l.columns * r.columns);
        for (right, left) in other
            .elements
            .chunks(r.rows)
            .flat_map(|right| vector.0.elements.chunks(l.rows).map(move |left| (right, left)))
        {
            let right = Value::Vector(column(right));
            elements.push(lowering.dot((&column(left), vector.1), (&right, args[0].1))?);
        }
        Ok(made(Layout::matrix(l.columns, r.columns), elements))
    }),
    (&["as_slice"], 0, |_, vector, _| Ok(Value::Reference(Rc::new(Value::Array(vector.0.elements.clone().into()))))),
    (&["nrows"], 0, |lowering, vector, _| Ok(Value::Passive(lowering.numbers.usize(vector.0.layout.rows)))),
    (&["ncols"], 0, |lowering, vector, _| Ok(Value::Passive(lowering.numbers.usize(vector.0.layout.columns)))),
    (&["max"], 0, |lowering, vector, _| lowering.picked("larger", false, vector)),
    (&["min"], 0, |lowering, vector, _| lowering.picked("smaller", false, vector)),
    (&["amax"], 0, |lowering, vector, _| lowering.picked("larger", true, vector)),
    (&["amin"], 0, |lowering, vector, _| lowering.picked("smaller", true, vector)),
    (&["sum"], 0, |lowering, vector, _| {
        let floats = lowering.floats(vector.0, vector.1)?;
        let zero = lowering.program.constant(Constant::Float(0.0));
        let sum = lowering.chain([zero].into_iter().chain(floats));
        Ok(lowering.program.active(sum))
    }),
];

/// Methods that take a matrix apart to solve equations.
const DECOMPOSITIONS: &[&str] =
    &["full_piv_lu", "qr", "col_piv_qr", "ldl", "udu", "solve_lower_triangular", "solve_upper_triangular"];

/// Methods that iterate.
const ITERATIONS: &[&str] = &[
    "svd",
    "svd_unordered",
    "singular_values",
    "pseudo_inverse",
    "schur",
    "bidiagonalize",
    "symmetric_eigen",
    "symmetric_eigenvalues",
    "complex_eigenvalues",
    "eigenvalues",
    "exp",
];

impl Lowering<'_> {
    /// A method of a vector, a matrix or a point.
    pub(in super::super) fn vector_method(&mut self, call: &MethodCall, vector: &Vector, args: &[Value]) -> Flow {
        let name = call.name.to_string();
        if !matches!(vector.layout.kind, VectorKind::Matrix | VectorKind::Point) {
            let operands: Vec<_> = args.iter().zip(&call.args).collect();
            return self.geometry_method(call, vector, &operands);
        }
        if let Some(part) = self.part_of(vector.layout, call, args)? {
            return Ok(self.part_read(vector, part));
        }
        if let Some(part) = swizzled(vector, &name).filter(|_| args.is_empty()) {
            return Ok(part);
        }
        let found = METHODS.iter().find(|(names, count, _)| names.contains(&name.as_str()) && *count == args.len());
        let is_of_points =
            |names: &[&str]| ["clone", "iter", "to_homogeneous", "map"].iter().any(|name| names.contains(name));
        let Some((.., compute)) = found.filter(|(names, ..)| vector.layout.is_matrix() || is_of_points(names)) else {
            if DECOMPOSITIONS.contains(&name.as_str()) {
                return self.refuse(&call.name, refuse::decomposition(name));
            }
            if ITERATIONS.contains(&name.as_str()) {
                return self.refuse(&call.name, refuse::iteration(name));
            }
            let known = list(METHODS.iter().map(|(names, ..)| names[0]));
            return self.refuse(&call.name, refuse::vector_method(known));
        };
        let is_ordered = ["max", "min", "amax", "amin"].contains(&name.as_str());
        if is_ordered || name.starts_with("norm") || name.starts_with("magnitude") || name == "metric_distance" {
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

    pub(super) fn dot(&mut self, vector: Receiver<'_>, argument: Operand<'_>) -> Flow {
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

    /// The norm of a difference, as nalgebra's fold over the elements.
    fn distance(&mut self, vector: Receiver<'_>, argument: Operand<'_>) -> Flow {
        let other = self.like(vector.0, argument)?;
        let (left, right) = (self.floats(vector.0, vector.1)?, self.floats(&other, argument.1)?);
        let mut squares = Vec::with_capacity(left.len());
        for (left, right) in left.into_iter().zip(right) {
            let difference = self.on_floats(known::SUB, left, right);
            squares.push(self.on_floats(known::MUL, difference, difference));
        }
        let square = self.chain(squares);
        Ok(self.program.apply(known::SQRT, NotationId::default(), &[square]))
    }

    /// What is called gives for each element, or for each and that of another in the same place.
    fn mapped_elements(&mut self, vector: Receiver<'_>, other: Option<Vector>, callee: Operand<'_>) -> Flow {
        let callee = self.callee(callee.1, callee.0)?;
        let mut elements = Vec::with_capacity(vector.0.elements.len());
        for (position, element) in vector.0.elements.iter().enumerate() {
            let mut args = vec![element.clone()];
            args.extend(other.as_ref().map(|other| other.elements[position].clone()));
            let value = self.invoke(&callee, args, Expected::Shape(Shape::Float(self.scalar.clone())))?;
            let id = self.float(&value, vector.1)?;
            elements.push(self.program.active(id));
        }
        Ok(made(vector.0.layout, elements))
    }

    /// The element that `pick` picks of each two in order, perhaps of their absolute values.
    fn picked(&mut self, pick: &'static str, is_absolute: bool, (vector, place): Receiver<'_>) -> Flow {
        let mut picked = None;
        for mut element in self.floats(vector, place)? {
            if is_absolute {
                element = self.program.frame.list.apply(known::ABS, NotationId::default(), &[element]);
            }
            let element = self.program.active(element);
            picked = Some(match picked {
                Some(picked) => self.formula(pick, vec![picked, element], place)?,
                None => element,
            });
        }
        Ok(picked.expect("a vector has an element"))
    }

    /// The sum of the squares, column by column. No square is a negative zero.
    pub(super) fn norm_squared(&mut self, (vector, place): Receiver<'_>) -> Flow<ValueId> {
        let floats = self.floats(vector, place)?;
        let squares: Vec<_> = floats.into_iter().map(|float| self.on_floats(known::MUL, float, float)).collect();
        let column = Layout { columns: 1, ..vector.layout };
        let columns: Vec<_> =
            squares.chunks(column.rows).map(|squares| self.sum_of_products(column, squares, None)).collect();
        Ok(self.chain(columns))
    }

    pub(super) fn norm(&mut self, vector: Receiver<'_>) -> Flow {
        let square = self.norm_squared(vector)?;
        Ok(self.program.apply(known::SQRT, NotationId::default(), &[square]))
    }
}

/// A vector with one element more.
fn pushed(vector: &Vector, last: Value) -> Flow {
    let mut elements = vector.elements.clone();
    elements.push(last);
    Ok(made(Layout::matrix(elements.len(), 1), elements))
}

/// The elements of a vector or a point that the letters of a name name: `xyz`.
fn swizzled(vector: &Vector, name: &str) -> Option<Value> {
    let is_name = (2..=3).contains(&name.len()) && vector.layout.is_vector() && vector.layout.columns == 1;
    let position = |letter: char| "xyz".find(letter).filter(|&at| is_name && at < vector.elements.len());
    let positions: Vec<_> = name.chars().map(position).collect::<Option<_>>()?;
    let elements: Vec<_> = positions.into_iter().map(|at| vector.elements[at].clone()).collect();
    Some(made(Layout::column(vector.layout.kind, elements.len()), elements))
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
