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
use super::form::{FLOAT, Form, Gives, OTHER, OWN, matrix};
use super::geometry::{self, coordinates, made};

/// A vector with its place in the source.
type Receiver<'v> = (&'v Vector, &'v Expr);

/// The names of a method, the number of its arguments, the form of what it gives, and what it computes.
type Method = (&'static [&'static str], usize, Form, fn(&mut Lowering<'_>, Receiver<'_>, &[Operand<'_>]) -> Flow);

/// The methods that compute or rearrange floats.
const METHODS: &[Method] = &[
    (&["clone", "clone_owned", "into_owned"], 0, OWN, |_, vector, _| Ok(Value::Vector(vector.0.clone()))),
    (&["iter"], 0, OTHER, |_, vector, _| {
        let elements = Value::Array(vector.0.elements.clone().into());
        let items = Sequence::of_array(elements, vector.0.elements.len(), Access::Reference);
        Ok(Value::Iterator(Box::new(items)))
    }),
    (
        &["transpose", "adjoint"],
        0,
        |own, _| Some(Gives::Vector(own.transposed())),
        |_, vector, _| Ok(transposed(vector.0)),
    ),
    (&["dot"], 1, FLOAT, |lowering, vector, args| lowering.dot(vector, args[0])),
    (&["cross"], 1, OWN, |lowering, vector, args| lowering.cross(vector, args[0])),
    (&["norm_squared", "magnitude_squared"], 0, FLOAT, |lowering, vector, _| {
        let square = lowering.norm_squared(vector)?;
        Ok(lowering.program.active(square))
    }),
    (&["norm", "magnitude"], 0, FLOAT, |lowering, vector, _| lowering.norm(vector)),
    (&["normalize"], 0, OWN, |lowering, vector, _| {
        let norm = lowering.norm(vector)?;
        lowering.by_scalar(known::DIV, vector, (&norm, vector.1))
    }),
    (&["scale"], 1, OWN, |lowering, vector, args| lowering.by_scalar(known::MUL, vector, args[0])),
    (&["unscale"], 1, OWN, |lowering, vector, args| lowering.by_scalar(known::DIV, vector, args[0])),
    (&["component_mul"], 1, OWN, |lowering, vector, args| lowering.by_component(known::MUL, vector, args[0])),
    (&["component_div"], 1, OWN, |lowering, vector, args| lowering.by_component(known::DIV, vector, args[0])),
    (&["metric_distance"], 1, FLOAT, |lowering, vector, args| lowering.distance(vector, args[0])),
    (&["perp"], 1, FLOAT, |lowering, vector, args| {
        let other = lowering.like(vector.0, args[0])?;
        let (left, right) = (lowering.floats(vector.0, vector.1)?, lowering.floats(&other, args[0].1)?);
        let ([ax, ay], [bx, by]) = (&left[..], &right[..]) else {
            return lowering.refuse(vector.1, refuse::VECTOR_SHAPE);
        };
        let (first, second) = (lowering.on_floats(known::MUL, *ax, *by), lowering.on_floats(known::MUL, *ay, *bx));
        let perp = lowering.on_floats(known::SUB, first, second);
        Ok(lowering.program.active(perp))
    }),
    (&["map"], 1, OTHER, |lowering, vector, args| lowering.mapped_elements(vector, None, args[0])),
    (&["zip_map"], 2, OTHER, |lowering, vector, args| {
        let other = lowering.like(vector.0, args[0])?;
        lowering.mapped_elements(vector, Some(other), args[1])
    }),
    (&["abs"], 0, OWN, |lowering, vector, _| {
        let floats = lowering.floats(vector.0, vector.1)?;
        let each = |float: ValueId| lowering.program.frame.list.apply(known::ABS, NotationId::default(), &[float]);
        let floats: Vec<_> = floats.into_iter().map(each).collect();
        Ok(lowering.vector_of(vector.0.layout, floats))
    }),
    (&["lerp"], 2, OWN, |lowering, vector, args| {
        let other = lowering.like(vector.0, args[0])?;
        let mut elements = Vec::with_capacity(other.elements.len());
        for (own, other) in vector.0.elements.iter().zip(other.elements) {
            elements.push(lowering.formula("between_floats", vec![own.clone(), other, args[1].0.clone()], vector.1)?);
        }
        Ok(made(vector.0.layout, elements))
    }),
    (&["angle"], 1, FLOAT, |lowering, vector, args| {
        let other = lowering.like(vector.0, args[0])?;
        let product = lowering.dot(vector, args[0])?;
        let norms = [lowering.norm(vector)?, lowering.norm((&other, args[0].1))?];
        let [own, other] = norms;
        lowering.formula("angle_of_product", vec![product, own, other], vector.1)
    }),
    (&["add_scalar"], 1, OWN, |lowering, vector, args| lowering.by_scalar(known::ADD, vector, args[0])),
    (&["push"], 1, |own, _| matrix(own.rows + 1, 1), |_, vector, args| pushed(vector.0, args[0].0.clone())),
    (
        &["insert_row"],
        2,
        |own, _| matrix(own.rows + 1, own.columns),
        |lowering, vector, args| lowering.inserted(vector, args, true),
    ),
    (
        &["insert_column"],
        2,
        |own, _| matrix(own.rows, own.columns + 1),
        |lowering, vector, args| lowering.inserted(vector, args, false),
    ),
    (
        &["remove_row"],
        1,
        |own, _| matrix(own.rows - 1, own.columns),
        |lowering, vector, args| lowering.removed(vector, args[0], true),
    ),
    (
        &["remove_column"],
        1,
        |own, _| matrix(own.rows, own.columns - 1),
        |lowering, vector, args| lowering.removed(vector, args[0], false),
    ),
    (
        &["to_homogeneous"],
        0,
        |own, _| matrix(own.rows + 1, 1).filter(|_| own.columns == 1),
        |lowering, vector, _| {
            let last = lowering.number(if vector.0.layout.kind == VectorKind::Point { 1.0 } else { 0.0 });
            match vector.0.layout.columns {
                1 => pushed(&coordinates(vector.0), last),
                _ => lowering.refuse(vector.1, refuse::VECTOR_SHAPE),
            }
        },
    ),
    (
        &["diagonal"],
        0,
        |own, _| matrix(own.rows.min(own.columns), 1),
        |_, vector, _| {
            let (rows, count) = (vector.0.layout.rows, vector.0.layout.rows.min(vector.0.layout.columns));
            let elements = (0..count).map(|at| vector.0.elements[at * (rows + 1)].clone());
            Ok(made(Layout::matrix(count, 1), elements.collect()))
        },
    ),
    (&["trace"], 0, FLOAT, |lowering, vector, _| {
        let (floats, rows) = (lowering.floats(vector.0, vector.1)?, vector.0.layout.rows);
        if rows != vector.0.layout.columns {
            return lowering.refuse(vector.1, refuse::NOT_SQUARE);
        }
        let zero = lowering.program.constant(Constant::Float(0.0));
        let trace = lowering.chain([zero].into_iter().chain((0..rows).map(|at| floats[at * (rows + 1)])));
        Ok(lowering.program.active(trace))
    }),
    (&["determinant"], 0, FLOAT, |lowering, vector, _| lowering.determinant(vector.0, vector.1)),
    (
        &["try_inverse"],
        0,
        |own, _| Some(Gives::Perhaps(own)),
        |lowering, vector, _| lowering.try_inverse(vector.0, vector.1),
    ),
    (&["lu"], 0, OTHER, |lowering, vector, _| lowering.lu(vector.0, vector.1)),
    (&["cholesky"], 0, OTHER, |lowering, vector, _| lowering.cholesky(vector.0, vector.1)),
    (
        &["cross_matrix"],
        0,
        |_, _| matrix(3, 3),
        |lowering, vector, _| {
            let [x, y, z] = &vector.0.elements[..] else { return lowering.refuse(vector.1, refuse::CROSS) };
            let negative = lowering.vector_negation(vector.0, vector.1)?;
            let negative = lowering.vector(&negative).map(|vector| vector.elements).unwrap_or_default();
            let (zero, minus) = (lowering.number(0.0), |at: usize| negative[at].clone());
            let [x, y, z] = [x, y, z].map(Clone::clone);
            let elements = vec![zero.clone(), z, minus(1), minus(2), zero.clone(), x, y, minus(0), zero];
            Ok(made(Layout::matrix(3, 3), elements))
        },
    ),
    (
        &["kronecker"],
        1,
        |own, args| matrix(own.rows * args[0]?.rows, own.columns * args[0]?.columns),
        |lowering, vector, args| {
            let Some(other) = lowering.vector(args[0].0).filter(|other| other.layout.is_matrix()) else {
                return lowering.refuse(args[0].1, refuse::VECTOR_UNSEEN);
            };
            let (l, r) = (vector.0.layout, other.layout);
            let (left, right) = (lowering.floats(vector.0, vector.1)?, lowering.floats(&other, args[0].1)?);
            let mut floats = Vec::with_capacity(left.len() * right.len());
            for (left, right) in
                left.chunks(l.rows).flat_map(|left| right.chunks(r.rows).map(move |right| (left, right)))
            {
                for &coefficient in left {
                    floats.extend(right.iter().map(|&entry| lowering.on_floats(known::MUL, coefficient, entry)));
                }
            }
            Ok(lowering.vector_of(Layout::matrix(l.rows * r.rows, l.columns * r.columns), floats))
        },
    ),
    (
        &["tr_mul"],
        1,
        |own, args| matrix(own.columns, args[0]?.columns),
        |lowering, vector, args| {
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
        },
    ),
    (&["as_slice"], 0, OTHER, |_, vector, _| {
        Ok(Value::Reference(Rc::new(Value::Array(vector.0.elements.clone().into()))))
    }),
    (&["nrows"], 0, OTHER, |lowering, vector, _| Ok(Value::Passive(lowering.numbers.usize(vector.0.layout.rows)))),
    (&["ncols"], 0, OTHER, |lowering, vector, _| Ok(Value::Passive(lowering.numbers.usize(vector.0.layout.columns)))),
    (&["max"], 0, FLOAT, |lowering, vector, _| lowering.picked("larger", false, vector)),
    (&["min"], 0, FLOAT, |lowering, vector, _| lowering.picked("smaller", false, vector)),
    (&["amax"], 0, FLOAT, |lowering, vector, _| lowering.picked("larger", true, vector)),
    (&["amin"], 0, FLOAT, |lowering, vector, _| lowering.picked("smaller", true, vector)),
    (&["product"], 0, FLOAT, |lowering, vector, _| {
        let floats = lowering.floats(vector.0, vector.1)?;
        let product = floats.into_iter().reduce(|product, float| lowering.on_floats(known::MUL, product, float));
        Ok(lowering.program.active(product.expect("a vector has an element")))
    }),
    (&["mean"], 0, FLOAT, |lowering, vector, _| {
        let floats = lowering.floats(vector.0, vector.1)?;
        let [zero, count] = [0.0, floats.len() as f64].map(|it| lowering.program.constant(Constant::Float(it)));
        let sum = lowering.chain([zero].into_iter().chain(floats));
        let mean = lowering.on_floats(known::DIV, sum, count);
        Ok(lowering.program.active(mean))
    }),
    (
        &["row_sum"],
        0,
        |own, _| matrix(1, own.columns),
        |lowering, vector, _| {
            let floats = lowering.floats(vector.0, vector.1)?;
            let zero = lowering.program.constant(Constant::Float(0.0));
            let sums: Vec<_> = floats
                .chunks(vector.0.layout.rows)
                .map(|column| lowering.chain([zero].into_iter().chain(column.iter().copied())))
                .collect();
            Ok(lowering.vector_of(Layout::matrix(1, vector.0.layout.columns), sums))
        },
    ),
    (
        &["column_sum"],
        0,
        |own, _| matrix(own.rows, 1),
        |lowering, vector, _| {
            let (floats, rows) = (lowering.floats(vector.0, vector.1)?, vector.0.layout.rows);
            let zero = lowering.program.constant(Constant::Float(0.0));
            let sums: Vec<_> = (0..rows)
                .map(|row| lowering.chain([zero].into_iter().chain(floats.iter().skip(row).step_by(rows).copied())))
                .collect();
            Ok(lowering.vector_of(Layout::matrix(rows, 1), sums))
        },
    ),
    (&["symmetric_part"], 0, OWN, |lowering, vector, _| {
        if vector.0.layout.rows != vector.0.layout.columns {
            return lowering.refuse(vector.1, refuse::NOT_SQUARE);
        }
        let Value::Vector(mirrored) = transposed(vector.0) else { return Ok(Value::Vector(vector.0.clone())) };
        let sum = lowering.by_element(known::ADD, vector.0.layout, (&mirrored, vector.1), vector)?;
        let Some(sum) = lowering.vector(&sum) else { return Ok(sum) };
        let half = lowering.number(0.5);
        lowering.by_scalar(known::MUL, (&sum, vector.1), (&half, vector.1))
    }),
    (&["sum"], 0, FLOAT, |lowering, vector, _| {
        let floats = lowering.floats(vector.0, vector.1)?;
        let zero = lowering.program.constant(Constant::Float(0.0));
        let sum = lowering.chain([zero].into_iter().chain(floats));
        Ok(lowering.program.active(sum))
    }),
    (&["len"], 0, OTHER, |lowering, vector, _| Ok(Value::Passive(lowering.numbers.usize(vector.0.layout.count())))),
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

/// Whether a row is that of a method of this name and number of arguments, called on what has this form.
fn is_row((names, count, ..): &Method, own: Layout, name: &str, args: usize) -> bool {
    let is_of_points = || ["clone", "iter", "to_homogeneous", "map"].iter().any(|name| names.contains(name));
    names.contains(&name) && *count == args && (own.is_matrix() || is_of_points())
}

/// Whether vectors have a method of this name with this number of arguments.
pub fn is_of_vectors(name: &str, args: usize) -> bool {
    METHODS.iter().any(|row| is_row(row, Layout::matrix(3, 1), name, args))
}

/// Whether a method takes a vector like the one that it is called on, and nothing else.
pub fn takes_alike(name: &str) -> bool {
    ["dot", "cross", "component_mul", "component_div", "metric_distance", "angle", "perp"].contains(&name)
}

/// The form of what a method of a vector, a matrix or a point gives.
pub(super) fn form_of(own: Layout, name: &str, args: &[Option<Layout>]) -> Option<Gives> {
    if let (Some(positions), []) = (swizzle(own, name), args) {
        return Some(Gives::Vector(Layout::column(own.kind, positions.len())));
    }
    let (.., gives, _) = METHODS.iter().find(|row| is_row(row, own, name, args.len()))?;
    gives(own, args)
}

impl Lowering<'_> {
    /// A method of a vector, a matrix or a point.
    pub(in super::super) fn vector_method(&mut self, call: &MethodCall, vector: &Vector, args: &[Value]) -> Flow {
        let name = call.name.to_string();
        if !matches!(vector.layout.kind, VectorKind::Matrix | VectorKind::Point) {
            // A direction is dereferenced to a vector.
            let is_direction =
                vector.layout.kind == VectorKind::Unit && !["clone", "to_owned"].contains(&name.as_str());
            if is_direction && geometry::form_of(vector.layout, &name, &vec![None; args.len()]).is_none() {
                return self.vector_method(call, &coordinates(vector), args);
            }
            let operands: Vec<_> = args.iter().zip(&call.args).collect();
            return self.geometry_method(call, vector, &operands);
        }
        if let Some(part) = self.part_of(vector.layout, call, args)? {
            return Ok(self.part_read(vector, part));
        }
        if let Some(positions) = swizzle(vector.layout, &name).filter(|_| args.is_empty()) {
            let elements: Vec<_> = positions.into_iter().map(|at| vector.elements[at].clone()).collect();
            return Ok(made(Layout::column(vector.layout.kind, elements.len()), elements));
        }
        let found = METHODS.iter().find(|row| is_row(row, vector.layout, &name, args.len()));
        let Some((.., compute)) = found else {
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
        if is_ordered
            || name.starts_with("norm")
            || name.starts_with("magnitude")
            || ["metric_distance", "angle", "abs", "lerp", "adjoint"].contains(&name.as_str())
        {
            self.require_real(&call.name)?;
        }
        let operands: Vec<_> = args.iter().zip(&call.args).collect();
        compute(self, (vector, &call.receiver), &operands)
    }

    /// An argument that must be a vector, or a matrix, with as many rows and columns as another.
    fn like(&mut self, vector: &Vector, argument: Operand<'_>) -> Flow<Vector> {
        match self.vector(argument.0) {
            Some(other) if other.layout == vector.layout => Ok(other),
            Some(other) if other.layout.kind == VectorKind::Unit && coordinates(&other).layout == vector.layout => {
                Ok(coordinates(&other))
            }
            Some(_) => self.refuse(argument.1, refuse::VECTOR_SHAPE),
            None => match self.supposed(argument.0, vector.layout) {
                Some(other) => Ok(other),
                None => self.refuse(argument.1, refuse::VECTOR_UNSEEN),
            },
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

    /// The matrix with a row or a column more, at a known place, of one number.
    fn inserted(&mut self, (vector, _): Receiver<'_>, args: &[Operand<'_>], is_row: bool) -> Flow {
        let by_rows = if is_row { transposed(vector) } else { Value::Vector(vector.clone()) };
        let Some(Vector { layout, mut elements, .. }) = self.vector(&by_rows) else { return Ok(by_rows) };
        let at = self.known_place(args[0], layout.columns + 1)?;
        let length = layout.rows;
        elements.splice(at * length..at * length, vec![args[1].0.clone(); length]);
        let layout = Layout { columns: layout.columns + 1, ..layout };
        let changed = Vector { layout, elements, ty: None };
        Ok(if is_row { transposed(&changed) } else { Value::Vector(changed) })
    }

    /// The matrix without a row or a column at a known place.
    fn removed(&mut self, (vector, place): Receiver<'_>, at: Operand<'_>, is_row: bool) -> Flow {
        let by_rows = if is_row { transposed(vector) } else { Value::Vector(vector.clone()) };
        let Some(Vector { layout, mut elements, .. }) = self.vector(&by_rows) else { return Ok(by_rows) };
        let at = self.known_place(at, layout.columns)?;
        if layout.columns == 1 {
            return self.refuse(place, refuse::VECTOR_SHAPE);
        }
        elements.drain(at * layout.rows..(at + 1) * layout.rows);
        let layout = Layout { columns: layout.columns - 1, ..layout };
        let changed = Vector { layout, elements, ty: None };
        Ok(if is_row { transposed(&changed) } else { Value::Vector(changed) })
    }

    /// The index of a row or a column, less than `count`.
    fn known_place(&mut self, (value, place): Operand<'_>, count: usize) -> Flow<usize> {
        self.is_index(value);
        match value.as_int().and_then(|at| usize::try_from(at).ok()).filter(|&at| at < count) {
            Some(at) => Ok(at),
            None => self.refuse(place, refuse::VECTOR_PART),
        }
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

/// The positions of the elements of a vector or a point that the letters of a name name: `xyz`.
fn swizzle(own: Layout, name: &str) -> Option<Vec<usize>> {
    let is_name = (2..=3).contains(&name.len()) && own.is_vector() && own.columns == 1;
    let position = |letter: char| "xyz".find(letter).filter(|&at| is_name && at < own.rows);
    name.chars().map(position).collect()
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
