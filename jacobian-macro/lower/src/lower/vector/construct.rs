//! The construction of vectors, matrices and points, and conversions. To add a constructor is to add a row to
//! [`CONSTRUCTORS`].

use jacobian_list::code_list::Constant;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::super::super::diagnostics::list;
use super::super::super::read::shape::{Reader, Reading, Shape};
use super::super::super::read::vector::{Claim, Layout, Named, VectorKind, VectorType, named, without_arguments};
use super::super::super::refuse;
use super::super::super::syntax::{self, Expr, Macro, Path, Placed, Type, TypeKind};
use super::super::Lowering;
use super::super::control::Flow;
use super::super::expected::Expected;
use super::super::expression::MAX_ELEMENTS;
use super::super::value::{Passive, Value, Vector};
use super::geometry_construct::constructs;

/// What is constructed: the numbers of rows and columns, as far as they are written, and what it is.
pub(super) type Form = ([Option<usize>; 2], VectorKind);

/// A vector in the making: its form, and its floats in the order of the storage.
pub(super) type Made = (Layout, Vec<Value>);

/// A function that constructs: its name, and what it makes of its arguments, none if they do not fit.
type Constructor = (&'static str, fn(&mut Lowering<'_>, Form, &[Value]) -> Option<Made>);

/// The associated functions of the types of vectors that take floats.
const CONSTRUCTORS: &[Constructor] = &[
    ("new", |_, form, args| {
        let layout = complete(form, args.len())?;
        Some((layout, by_rows(layout, args)))
    }),
    ("from", |lowering, form, args| lowering.converted(form, args.first()?)),
    ("repeat", |_, form, args| repeated(form, args)),
    ("from_element", |_, form, args| repeated(form, args)),
    ("from_column_slice", |_, form, args| {
        let Value::Array(elements) = args.first()?.behind_references() else { return None };
        Some((complete(form, elements.len())?, elements.to_vec()))
    }),
    ("from_row_slice", |_, form, args| {
        let Value::Array(elements) = args.first()?.behind_references() else { return None };
        let layout = complete(form, elements.len())?;
        Some((layout, by_rows(layout, elements)))
    }),
    ("from_columns", |lowering, form, args| {
        let columns = lowering.vectors(args.first()?)?;
        let layout = fitting(form, Layout::matrix(columns[0].layout.count(), columns.len()))?;
        let is_column = columns.iter().all(|column| (column.layout.rows, column.layout.columns) == (layout.rows, 1));
        is_column.then(|| (layout, elements_of(columns)))
    }),
    ("from_rows", |lowering, form, args| {
        let rows = lowering.vectors(args.first()?)?;
        let layout = fitting(form, Layout::matrix(rows.len(), rows[0].layout.count()))?;
        let is_row = rows.iter().all(|row| (row.layout.rows, row.layout.columns) == (1, layout.columns));
        is_row.then(|| (layout, by_rows(layout, &elements_of(rows))))
    }),
    ("from_diagonal", |lowering, form, args| {
        let diagonal = lowering.vector(args.first()?)?;
        let count = diagonal.elements.len();
        let layout = fitting(form, Layout::matrix(count, count))?;
        let zero = lowering.program.constant(Constant::Float(0.0));
        let mut elements = vec![lowering.program.active(zero); layout.count()];
        for (position, element) in diagonal.elements.into_iter().enumerate() {
            elements[position * (count + 1)] = element;
        }
        Some((layout, elements))
    }),
];

fn elements_of(vectors: Vec<Vector>) -> Vec<Value> {
    let mut elements = Vec::new();
    for vector in vectors {
        elements.extend(vector.elements);
    }
    elements
}

/// Associated functions that construct from no float that could be active.
const PASSIVE_CONSTRUCTORS: &[&str] = &[
    "zeros",
    "identity",
    "origin",
    "x",
    "y",
    "z",
    "w",
    "a",
    "b",
    "from_fn",
    "from_diagonal_element",
    "from_partial_diagonal",
    "from_iterator",
    "from_row_iterator",
    "from_vec",
    "from_slice",
    "new_scaling",
    "new_nonuniform_scaling",
    "new_translation",
    "new_rotation",
    "ith",
];

/// Associated functions of vectors that give a direction.
const AXES: &[&str] = &["x_axis", "y_axis", "z_axis", "w_axis", "a_axis", "b_axis", "ith_axis"];

impl Lowering<'_> {
    /// The value of a call of an associated function of a type of vectors, with an active argument.
    pub(in super::super) fn construction(&mut self, path: &Path, args: &[Value], places: &[&Expr]) -> Option<Flow> {
        if let Some(value) = self.unit_construction(path, args, places) {
            return Some(value);
        }
        let (prefix, named, name) = constructor(path)?;
        if !self.is_of_own_floats(&named) {
            return Some(self.refuse(path, refuse::VECTOR_FLOATS));
        }
        if let Some(layout) =
            named.layout().filter(|layout| !matches!(layout.kind, VectorKind::Matrix | VectorKind::Point))
        {
            let ty = named.of_layout(&prefix, layout, &self.scalar);
            return Some(self.geometry_construction(path, (&ty, &name), args, places));
        }
        let Some((_, construct)) = CONSTRUCTORS.iter().find(|(known, _)| *known == name) else {
            let known = list(CONSTRUCTORS.iter().map(|(name, _)| *name));
            return Some(self.refuse(path, refuse::vector_constructor(known)));
        };
        let Some((layout, elements)) = construct(self, (named.extents, named.kind), args) else {
            return Some(self.refuse(path, refuse::VECTOR_ARGUMENTS));
        };
        let ty = named.of_layout(&prefix, layout, &self.scalar);
        self.require_vectors(&[&ty]);
        Some(Ok(Value::Vector(Vector { layout, elements, ty: ty.written() })))
    }

    /// `Matrix3::from_fn(|row, column| ...)`: called for the elements in the order of the storage; none if the numbers of
    /// rows and columns are not known.
    pub(in super::super) fn vector_from_fn(
        &mut self,
        whole: &Expr,
        path: &Path,
        callee: &Expr,
        expected: &Expected,
    ) -> Flow<Option<Value>> {
        let Some((prefix, named, _)) = constructor(path).filter(|(_, named, _)| self.is_of_own_floats(named)) else {
            return Ok(None);
        };
        let layout = named.layout().or_else(|| match expected {
            Expected::Shape(Shape::Vector(ty)) => Some(ty.layout),
            Expected::Type(ty) => match self.shape_of(ty) {
                Some(Shape::Vector(ty)) => Some(ty.layout),
                _ => None,
            },
            _ => None,
        });
        let Some(layout) = layout.filter(|layout| layout.count() <= MAX_ELEMENTS) else { return Ok(None) };
        let value = self.expression(callee)?;
        if !matches!(value, Value::Closure(_)) {
            return Ok(None);
        }
        let callee = self.callee(callee, &value)?;
        let ty = named.of_layout(&prefix, layout, &self.scalar);
        self.require_vectors(&[&ty]);
        let outer = self.repeats(|| path.path.span(), "`from_fn`", Some(layout.count()));
        let mut elements = Vec::with_capacity(layout.count());
        for position in 0..layout.count() {
            let [row, column] =
                [position % layout.rows, position / layout.rows].map(|index| Value::Passive(self.numbers.usize(index)));
            let float = Expected::Shape(Shape::Float(self.scalar.clone()));
            let value = self.invoke(&callee, vec![row, column], float)?;
            elements.push(self.evaluated(value));
        }
        self.budget.restore(outer);
        self.limited(Value::Vector(Vector { layout, elements, ty: ty.written() }), whole).map(Some)
    }

    /// The shape of what a call of an associated function with passive arguments gives, where its name says that.
    pub(in super::super) fn constructed_shape(&mut self, path: &Path, args: &[Value]) -> Option<Shape> {
        if let Some(shape) = self.unit_shape(path, args) {
            return Some(shape);
        }
        let (prefix, named, name) = constructor(path)?;
        let axis = AXES.contains(&name.as_str()) && named.kind == VectorKind::Matrix;
        let is_known = match named.kind {
            VectorKind::Matrix | VectorKind::Point => {
                axis || CONSTRUCTORS.iter().any(|(known, _)| *known == name)
                    || PASSIVE_CONSTRUCTORS.contains(&name.as_str())
            }
            kind => constructs(kind, &name),
        };
        if !is_known || !self.is_of_own_floats(&named) {
            return None;
        }
        let layout = named.layout().or_else(|| match (name.as_str(), args) {
            ("from", [Value::Array(elements)]) => complete((named.extents, named.kind), elements.len()),
            ("new", args) => complete((named.extents, named.kind), args.len()),
            _ => None,
        })?;
        let ty = named.of_layout(&prefix, layout, &self.scalar);
        Some(Shape::Vector(Box::new(match axis {
            true => VectorType::following(Layout { kind: VectorKind::Unit, ..layout }, &self.scalar, &ty.claims()),
            false => ty,
        })))
    }

    /// `vector!`, `point!` and `matrix!`: what is passive in all of its elements is as it is written.
    pub(in super::super) fn vector_macro(&mut self, call: &Macro, columns: usize) -> Flow {
        let places: Vec<_> = call.args.iter().map(|argument| &argument.value).collect();
        let values = self.in_order(None, places.iter().copied())?;
        let path = &call.path;
        let written = |elements: &[TokenStream]| {
            let rows = elements.chunks(columns).map(|row| quote!(#(#row),*));
            quote!(#path![#(#rows);*])
        };
        let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let layout = match name.as_str() {
            "matrix" => Layout::matrix(values.len() / columns, columns),
            "point" => Layout::column(VectorKind::Point, values.len()),
            _ => Layout::matrix(values.len(), 1),
        };
        // A macro of this name from elsewhere makes nothing that only nalgebra's types convert into.
        let float = self.scalar.ty();
        let names: Vec<_> =
            (0..values.len()).map(|at| quote::format_ident!("e{at}", span = Span::mixed_site())).collect();
        let parameters: Vec<_> = names.iter().map(ToTokens::to_token_stream).collect();
        let made = written(&parameters);
        let made = if layout.kind == VectorKind::Point { quote!(#made.coords) } else { made };
        let [rows, columns] = [layout.rows, layout.columns].map(proc_macro2::Literal::usize_unsuffixed);
        let statement = quote_spanned!(Span::mixed_site()=>
            let _ = |#(#names: #float),*| -> [[#float; #rows]; #columns] { ::core::convert::Into::into(#made) };);
        let claim = Claim { key: format!("{name}! {rows} {columns}"), statement };
        let ty = VectorType::following(layout, &self.scalar, &[claim]);
        let passive: Option<Vec<_>> = values.iter().map(|value| Some(value.to_passive()?.tokens().clone())).collect();
        if let Some(elements) = passive {
            let may_be_floats = values.iter().all(|value| value.as_int().is_none());
            let shape = may_be_floats.then(|| Shape::Vector(Box::new(ty)));
            return Ok(Value::Passive(Passive::simple(written(&elements)).with_shape(shape)));
        }
        self.require_vectors(&[&ty]);
        let values: Vec<_> = values.into_iter().map(|value| self.called_once(value)).collect();
        let elements = match name.as_str() {
            "matrix" => by_rows(layout, &values),
            _ => values,
        };
        for (element, place) in elements.iter().zip(&places) {
            self.float(element, *place)?;
        }
        Ok(Value::Vector(Vector { layout, elements, ty: None }))
    }

    fn is_of_own_floats(&self, named: &Named<'_>) -> bool {
        named.float.is_none_or(|ty| {
            matches!(Reader::of(&self.scalar).read(&syntax::ty(ty)), Reading::Floats(Shape::Float(scalar)) if scalar == self.scalar)
        })
    }

    /// What `from` makes of an array, of an array of columns, of a vector.
    pub(super) fn converted(&mut self, form: Form, value: &Value) -> Option<Made> {
        let columns = match value.behind_references() {
            Value::Array(elements) => elements,
            value => {
                let vector = self.vector(value)?;
                let layout = Layout { kind: form.1, ..vector.layout };
                let fits = match (vector.layout.kind, form.1) {
                    // A point becomes a vector of homogeneous coordinates, which has one more.
                    (
                        VectorKind::Matrix,
                        VectorKind::Matrix | VectorKind::Point | VectorKind::Translation | VectorKind::Quaternion,
                    ) => true,
                    (VectorKind::Point, VectorKind::Point | VectorKind::Translation)
                    | (VectorKind::Rotation, VectorKind::Matrix) => true,
                    _ => false,
                };
                return fits.then_some((fitting(form, layout)?, vector.elements));
            }
        };
        if !columns.iter().any(|column| matches!(column, Value::Array(_))) {
            let layout = complete(form, columns.len())?;
            let is_column = layout.is_vector() || matches!(form.1, VectorKind::Translation | VectorKind::Quaternion);
            return is_column.then(|| (layout, columns.to_vec()));
        }
        let mut floats = Vec::new();
        for column in columns.iter() {
            let Value::Array(column) = column else { return None };
            floats.extend(column.iter().cloned());
        }
        let rows = floats.len() / columns.len();
        let is_even = columns.iter().all(|column| column.extent().0 == rows);
        let layout = fitting(form, Layout::matrix(rows, columns.len()))?;
        is_even.then_some((layout, floats))
    }

    /// The elements of an array of vectors, one at least.
    fn vectors(&mut self, value: &Value) -> Option<Vec<Vector>> {
        let Value::Array(elements) = value.behind_references() else { return None };
        let mut vectors = Vec::with_capacity(elements.len());
        for element in elements.iter() {
            vectors.push(self.vector(element)?);
        }
        (!vectors.is_empty()).then_some(vectors)
    }

    /// The result of `into` where the type `ty` is expected, and any other value as it is.
    pub(in super::super) fn declared(&mut self, value: Value, ty: Option<&Type>) -> Flow {
        let Value::Into(source) = value else { return Ok(value) };
        let shape = ty.and_then(|ty| self.shape_of(ty));
        if let (Some(Shape::Struct(own)), Some(ty)) = (&shape, ty) {
            return self.converted_to_struct(&source, own, ty);
        }
        if let (Some(shape), Some(ty)) = (&shape, ty)
            && let Some(target) = self.converted_from_struct(&source, shape, ty)
        {
            return target;
        }
        if let Some(ty) = ty
            && let Some(array) = self.converted_to_array(&source, ty)
        {
            return array;
        }
        let target = shape.and_then(|shape| self.converted_to(&source, &shape));
        match (target, ty) {
            (Some(target), _) => Ok(target),
            (None, Some(ty)) => self.refuse(ty, refuse::CONVERSION),
            (None, None) => Ok(Value::Into(source)),
        }
    }

    /// The array that `try_into` makes of a slice, or the reference to one, where this type is expected.
    fn converted_to_array(&mut self, source: &Value, ty: &Type) -> Option<Flow> {
        let (array, is_mutable) = match &ty.kind {
            TypeKind::Array(..) => (ty, None),
            TypeKind::Reference(_, is_mutable, target) => (&**target, Some(*is_mutable)),
            _ => return None,
        };
        let TypeKind::Array(_, length) = &array.kind else { return None };
        let target = match source {
            Value::Mutable(place) => self.read(place),
            source => source.behind_references().clone(),
        };
        let own = self.length_of(&target)?;
        let expected = usize::try_from(self.on_trial(|it| it.expression(length))?.as_int()?).ok()?;
        if own != expected {
            return Some(self.refuse(ty, refuse::converted_length(own, expected)));
        }
        Some(match (is_mutable, source) {
            (Some(true), Value::Mutable(_)) => Ok(source.clone()),
            (Some(true), _) => return None,
            (is_shared, _) => {
                let elements = (0..own).map(|index| self.element_of(&target, index)).collect();
                let array = Value::Array(elements);
                Ok(if is_shared.is_some() { self.shared(array) } else { array })
            }
        })
    }

    /// What `into` makes of a value where a vector like `present` is expected.
    pub(in super::super) fn converted_like(&mut self, source: &Value, present: &Vector) -> Option<Value> {
        let Layout { rows, columns, kind } = present.layout;
        let (layout, elements) = self.converted(([Some(rows), Some(columns)], kind), source)?;
        Some(Value::Vector(Vector { layout, elements, ty: present.ty.clone() }))
    }

    /// What `into` makes of a value where this shape is expected.
    pub(in super::super) fn converted_to(&mut self, source: &Value, shape: &Shape) -> Option<Value> {
        match (shape, source) {
            (Shape::Vector(ty), source) => {
                let layout = ty.layout;
                let form = ([Some(layout.rows), Some(layout.columns)], layout.kind);
                let (layout, elements) = self.converted(form, source)?;
                self.require_vectors(&[ty]);
                Some(Value::Vector(Vector { layout, elements, ty: ty.written() }))
            }
            (Shape::Float(scalar), Value::Active(_)) if *scalar == self.scalar => Some(source.clone()),
            (Shape::Array(element, length), Value::Vector(vector)) if matches!(**element, Shape::Float(_)) => {
                let fits = vector.layout.is_vector() && *length == vector.elements.len();
                fits.then(|| Value::Array(vector.elements.clone().into()))
            }
            (Shape::Array(_, length), Value::Array(elements)) if elements.len() == *length => Some(source.clone()),
            _ => None,
        }
    }

    /// Declares the floats of a vector as dependents.
    pub(in super::super) fn vector_results(&mut self, value: &Value, ty: &VectorType, place: &dyn Placed) -> Flow<()> {
        let vector = match value {
            Value::Passive(passive) => {
                let written = syntax::ty(&syn::Type::Verbatim(ty.tokens.clone()));
                let name = super::super::emitted(&quote::format_ident!("vector"));
                let passive = self.let_passive(&name, passive, Some(&written));
                self.vector(&Value::Passive(passive.with_shape(Some(Shape::Vector(Box::new(ty.clone()))))))
            }
            value => self.vector(value),
        };
        match vector {
            Some(vector) if vector.layout == ty.layout => {
                let float = Shape::Float(ty.scalar.clone());
                vector.elements.iter().try_for_each(|element| self.results(element, &float, place))
            }
            None if matches!(value, Value::Active(_)) => self.refuse(place, refuse::FLOAT_FOR_VECTOR),
            _ => self.refuse(place, refuse::OTHER_RESULT),
        }
    }
}

/// The path before an associated function's name and of the arguments of its type, what the type is, and the name.
fn constructor(path: &Path) -> Option<(TokenStream, Named<'_>, String)> {
    let path = &path.path;
    let segments = &path.path.segments;
    let (function, ty) = (segments.last()?, segments.iter().nth_back(1)?);
    if path.qself.is_some() || !function.arguments.is_none() {
        return None;
    }
    let mut in_front = path.path.clone();
    in_front.segments.pop();
    in_front.segments.pop_punct();
    Some((without_arguments(&in_front), named(ty)?, function.ident.to_string()))
}

/// Whether a path means the function that makes a vector or a matrix of its elements, which are of one type.
pub(in super::super) fn is_vector_of_elements(path: &Path) -> bool {
    let is_made = |(_, named, function): (TokenStream, Named<'_>, String)| {
        function == "new" && matches!(named.kind, VectorKind::Matrix | VectorKind::Point)
    };
    !path.is_declared && constructor(path).is_some_and(is_made)
}

/// Whether a path means a function of nalgebra that makes a value of floats: where something of that is active, they are
/// those of the function.
pub(in super::super) fn makes_vector(path: &Path) -> bool {
    let is_made = |(_, named, function): (TokenStream, Named<'_>, String)| {
        CONSTRUCTORS.iter().any(|(known, _)| *known == function) || constructs(named.kind, &function)
    };
    !path.is_declared && constructor(path).is_some_and(is_made)
}

/// The form, which this many floats fill.
fn complete((extents, kind): Form, count: usize) -> Option<Layout> {
    let [rows, columns] = match extents {
        [None, Some(1)] => [count, 1],
        [Some(1), None] => [1, count],
        [rows, columns] => [rows?, columns?],
    };
    let layout = Layout { rows, columns, kind };
    (layout.count() == count && count > 0).then_some(layout)
}

/// The layout, if it is of this form.
fn fitting((extents, kind): Form, layout: Layout) -> Option<Layout> {
    let fits = |extent: Option<usize>, number: usize| extent.is_none_or(|extent| extent == number);
    let fits = fits(extents[0], layout.rows) && fits(extents[1], layout.columns) && kind == layout.kind;
    (fits && layout.count() > 0).then_some(layout)
}

/// Floats that are given row by row, in the order of the storage.
fn by_rows(layout: Layout, floats: &[Value]) -> Vec<Value> {
    let at = |position: usize| floats[position % layout.rows * layout.columns + position / layout.rows].clone();
    (0..layout.count()).map(at).collect()
}

fn repeated((extents, kind): Form, args: &[Value]) -> Option<Made> {
    let layout = Layout { rows: extents[0]?, columns: extents[1]?, kind };
    let [float] = args else { return None };
    Some((layout, vec![float.clone(); layout.count()]))
}
