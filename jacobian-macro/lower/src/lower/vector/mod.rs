//! Vectors, matrices, points, rotations and isometries of nalgebra: their floats one by one, in the order of their
//! storage, and those operations on them that are known to the last bit: which operations on the floats they are, and
//! in which order.

mod construct;
mod factor;
mod form;
mod formula;
mod geometry;
mod geometry_construct;
mod inverse;
mod method;
mod parts;

use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::{NotationId, ValueId};
use proc_macro2::Span;
use quote::{ToTokens, quote, quote_spanned};
use syn::{BinOp, Member};

use super::super::read::scalar::Scalar;
use super::super::read::shape::Shape;
use super::super::read::vector::{Layout, Origin, VectorKind, VectorType, named};
use super::super::refuse;
use super::super::syntax::{self, Expr, Placed};
use super::control::Flow;
use super::select::Position;
use super::value::{Passive, Value, Vector};
use super::{Lowering, element_of};
pub(super) use construct::{is_vector_of_elements, makes_vector};
pub use factor::Factor;
pub use form::is_unseen;
use form::operated;
use geometry::made;
pub use method::{is_of_vectors, takes_alike};

/// A value with its place in the source.
type Operand<'v> = (&'v Value, &'v Expr);

impl Lowering<'_> {
    /// Makes the generated code fail to compile where a type is not nalgebra's, whose operations alone are known.
    pub(super) fn require_vectors(&mut self, types: &[&VectorType]) {
        for ty in types {
            for claim in ty.claims().iter() {
                self.program.require(claim.key.clone(), claim.statement.clone());
            }
        }
    }

    /// The elements of a value that is a vector, a matrix or a point.
    pub(super) fn vector(&mut self, value: &Value) -> Option<Vector> {
        let passive = match value {
            Value::Vector(vector) => return Some(vector.clone()),
            Value::Passive(passive) => passive,
            _ => return None,
        };
        let Some(Shape::Vector(ty)) = passive.shape.as_ref().map(Shape::behind_references) else { return None };
        self.require_vectors(&[ty]);
        if ty.origin == Origin::Supposed {
            return self.as_matrix(passive, ty.layout);
        }
        let passive = match ty.origin == Origin::View && passive.has_call() {
            // What it borrows from may be gone after the statement.
            true => self.once(&Passive::simple({
                let view = passive.operand();
                quote!(#view.clone_owned())
            })),
            false => self.once(passive),
        };
        Some(elements_of_vector(&passive, ty))
    }

    /// The elements of a passive value that can be nothing but a matrix of this form: anything else does not compile.
    fn as_matrix(&mut self, passive: &Passive, layout: Layout) -> Option<Vector> {
        if self.inline.is_some() {
            return None;
        }
        let (ty, matrix) = (layout.ty(&self.nalgebra, &self.scalar.ty()), passive.operand());
        // What an operator or a constructor gives is no view, and its type may be what is said here.
        let copy = match passive.is_owned || is_construction(passive) {
            true => passive.clone(),
            false => Passive::simple(quote!(#matrix.clone_owned())),
        };
        let ty = syntax::ty(&syn::Type::Verbatim(ty));
        let passive = self.let_passive(&super::emitted(&quote::format_ident!("matrix")), &copy, Some(&ty));
        Some(elements_of_vector(&passive, &VectorType::following(layout, &self.scalar, &[])))
    }

    /// A passive value of which nothing is known, where nothing but a matrix of this form can be.
    pub(super) fn supposed(&mut self, value: &Value, layout: Layout) -> Option<Vector> {
        match value {
            Value::Passive(passive) if is_unseen(passive) => self.as_matrix(passive, layout),
            _ => None,
        }
    }

    /// A passive value whose type is known for nalgebra's, as its elements: where arms meet, and where another is not
    /// passive, one is like the other. What may be taken apart there is in a variable, so that it is evaluated once.
    pub(super) fn with_elements(&mut self, value: Value) -> Value {
        match &value {
            Value::Passive(passive) if matches!(passive.shape, Some(Shape::Vector(_))) => {
                self.vector(&value).map_or(value, Value::Vector)
            }
            Value::Passive(passive) => match &passive.shape {
                shape @ Some(Shape::Struct(_) | Shape::Array(..) | Shape::Tuple(_)) => {
                    Value::Passive(self.once(passive).with_shape(shape.clone()))
                }
                _ => value,
            },
            Value::Tuple(elements) => Value::Tuple(elements.clone().map(&mut |element| self.with_elements(element))),
            Value::Optional(of) => {
                let of = self.with_parts(of);
                Value::optional(of.map(&mut |part| self.with_elements(part)))
            }
            _ => value,
        }
    }

    /// The shape of a field of a passive vector, matrix or point of this type.
    pub(super) fn shape_of_vector_field(&self, ty: &VectorType, member: &Member) -> Option<Shape> {
        let name = member.to_token_stream().to_string();
        match ty.part(&name) {
            Some(part) => Some(Shape::Vector(Box::new(part))),
            None => ty.layout.field(&name).map(|_| Shape::Float(ty.scalar.clone())),
        }
    }

    /// The floats of a vector as values of the list.
    fn floats(&mut self, vector: &Vector, place: &dyn Placed) -> Flow<Vec<ValueId>> {
        vector.elements.iter().map(|element| self.float(element, place)).collect()
    }

    /// An operation of two floats, one of them part of a vector.
    fn on_floats(&mut self, intrinsic: Intrinsic, left: ValueId, right: ValueId) -> ValueId {
        self.program.frame.list.apply(intrinsic, NotationId::default(), &[left, right])
    }

    /// A vector of these floats.
    fn vector_of(&self, layout: Layout, floats: impl IntoIterator<Item = ValueId>) -> Value {
        Value::Vector(Vector {
            layout,
            elements: floats.into_iter().map(|id| self.program.active(id)).collect(),
            ty: None,
        })
    }

    /// The result of an operator, if an operand is a vector, a matrix or a point.
    pub(super) fn vector_operated(&mut self, op: &BinOp, left: Operand<'_>, right: Operand<'_>) -> Flow<Option<Value>> {
        let (mut own, mut other) = (self.vector(left.0), self.vector(right.0));
        let is_other = |vector: &Option<Vector>| {
            vector.as_ref().is_some_and(|vector| !matches!(vector.layout.kind, VectorKind::Matrix | VectorKind::Point))
        };
        if is_other(&own) || is_other(&other) {
            return self.geometry_operated(op, (own.as_ref(), left), (other.as_ref(), right)).map(Some);
        }
        if matches!(op, BinOp::Add(_) | BinOp::Sub(_)) {
            let form = |of: &Option<Vector>| of.as_ref().map(|of| Layout::matrix(of.layout.rows, of.layout.columns));
            match (form(&own), form(&other)) {
                (Some(layout), None) => other = self.supposed(right.0, layout),
                (None, Some(layout)) => own = self.supposed(left.0, layout),
                _ => {}
            }
        }
        let value = match (own, other, op) {
            (None, None, _) => return Ok(None),
            (Some(l), Some(r), BinOp::Add(_) | BinOp::Sub(_)) => self.sum(op, (&l, left.1), (&r, right.1)),
            (Some(l), Some(r), BinOp::Mul(_)) if operated(op, l.layout, r.layout).is_some() => {
                self.product((&l, left.1), (&r, right.1))
            }
            (Some(l), None, BinOp::Mul(_)) => self.by_scalar(known::MUL, (&l, left.1), right),
            (Some(l), None, BinOp::Div(_)) => self.by_scalar(known::DIV, (&l, left.1), right),
            (None, Some(r), BinOp::Mul(_)) => self.by_scalar(known::MUL, (&r, right.1), left),
            (Some(_), None, BinOp::Add(_) | BinOp::Sub(_)) if right.0.is_passive() => {
                self.refuse(right.1, refuse::VECTOR_UNSEEN)
            }
            (None, Some(_), BinOp::Add(_) | BinOp::Sub(_)) if left.0.is_passive() => {
                self.refuse(left.1, refuse::VECTOR_UNSEEN)
            }
            (Some(_), None, BinOp::Add(_) | BinOp::Sub(_)) if matches!(right.0, Value::Active(_)) => {
                self.refuse(right.1, refuse::FLOAT_FOR_VECTOR)
            }
            (None, Some(_), BinOp::Add(_) | BinOp::Sub(_)) if matches!(left.0, Value::Active(_)) => {
                self.refuse(left.1, refuse::FLOAT_FOR_VECTOR)
            }
            _ => self.refuse(op, refuse::VECTOR_OPERATOR),
        };
        value.map(Some)
    }

    /// A sum or a difference.
    fn sum(&mut self, op: &BinOp, left: (&Vector, &Expr), right: (&Vector, &Expr)) -> Flow {
        let intrinsic = if matches!(op, BinOp::Add(_)) { known::ADD } else { known::SUB };
        let Some(layout) = operated(op, left.0.layout, right.0.layout) else {
            let is_same = left.0.layout.has_shape_of(right.0.layout);
            return self.refuse(op, if is_same { refuse::VECTOR_OPERATOR } else { refuse::VECTOR_SHAPES });
        };
        self.by_element(intrinsic, layout, left, right)
    }

    /// An operation on the elements in the same place.
    fn by_element(
        &mut self,
        intrinsic: Intrinsic,
        layout: Layout,
        left: (&Vector, &Expr),
        right: (&Vector, &Expr),
    ) -> Flow {
        let (left, right) = (self.floats(left.0, left.1)?, self.floats(right.0, right.1)?);
        let floats: Vec<_> = left.into_iter().zip(right).map(|(l, r)| self.on_floats(intrinsic, l, r)).collect();
        Ok(self.vector_of(layout, floats))
    }

    /// An operation on every element and the same float.
    fn by_scalar(&mut self, intrinsic: Intrinsic, vector: (&Vector, &Expr), scalar: Operand<'_>) -> Flow {
        let floats = self.floats(vector.0, vector.1)?;
        let scalar = match scalar.0 {
            Value::Passive(factor) if is_unseen(factor) && !factor.is_float() && self.inline.is_none() => {
                let factor = self.taken_for_float(factor, scalar.1);
                self.float(&Value::Passive(factor), scalar.1)?
            }
            value => self.float(value, scalar.1)?,
        };
        let floats: Vec<_> = floats.into_iter().map(|float| self.on_floats(intrinsic, float, scalar)).collect();
        Ok(self.vector_of(vector.0.layout, floats))
    }

    /// A factor that cannot be seen, by a function that only a float can be given: what the error for a matrix says is what
    /// to write.
    fn taken_for_float(&mut self, factor: &Passive, place: &Expr) -> Passive {
        let Scalar::Primitive(_) = self.scalar else { return factor.clone() };
        let (ty, written) = (self.scalar.ty(), factor.tokens());
        let (message, label) = (refuse::FACTOR_UNSEEN, refuse::FACTOR_UNSEEN_LABEL);
        let float = quote_spanned! {Span::mixed_site().located_at(place.place.span())=>
            {
                #[diagnostic::on_unimplemented(message = #message, label = #label)]
                trait Factor {
                    fn float(factor: Self) -> #ty;
                }
                impl Factor for #ty {
                    fn float(factor: Self) -> #ty {
                        factor
                    }
                }
                Factor::float
            }
        };
        let float = Passive::simple(quote!((#float)(#written))).of(&[factor]).floating(true);
        self.let_passive(&super::emitted(&quote::format_ident!("factor")), &float, None)
    }

    /// The product of a matrix and a matrix, a vector or a point: the columns of the left one, each with a factor, are
    /// added in order.
    fn product(&mut self, left: (&Vector, &Expr), right: (&Vector, &Expr)) -> Flow {
        let (l, r) = (left.0.layout, right.0.layout);
        let (left, right) = (self.floats(left.0, left.1)?, self.floats(right.0, right.1)?);
        let mut floats = Vec::with_capacity(l.rows * r.columns);
        for column in 0..r.columns {
            for row in 0..l.rows {
                let mut terms = Vec::with_capacity(l.columns);
                for inner in 0..l.columns {
                    let (first, second) = (left[inner * l.rows + row], right[column * r.rows + inner]);
                    terms.push(self.on_floats(known::MUL, first, second));
                }
                floats.push(self.chain(terms));
            }
        }
        Ok(self.vector_of(Layout { rows: l.rows, ..r }, floats))
    }

    /// The terms, one at least, added one by one.
    fn chain(&mut self, terms: impl IntoIterator<Item = ValueId>) -> ValueId {
        let sum = terms.into_iter().reduce(|sum, term| self.on_floats(known::ADD, sum, term));
        sum.expect("a vector has an element")
    }

    /// Minus a vector.
    pub(super) fn vector_negation(&mut self, vector: &Vector, place: &Expr) -> Flow {
        let floats = self.floats(vector, place)?.into_iter();
        let elements = floats.map(|float| self.program.apply(known::NEG, NotationId::default(), &[float])).collect();
        Ok(Value::Vector(Vector { layout: vector.layout, elements, ty: None }))
    }

    /// A field of a vector: `x`, `m12`, the `coords` of a point.
    pub(super) fn vector_field(&mut self, member: &Member, vector: &Vector) -> Flow {
        let name = member.to_token_stream().to_string();
        if let Some((layout, first)) = vector.layout.part(&name) {
            return Ok(made(layout, vector.elements[first..first + layout.count()].to_vec()));
        }
        match vector.layout.field(&name) {
            Some(position) => Ok(vector.elements[position].clone()),
            None => self.refuse(member, refuse::VECTOR_FIELD),
        }
    }

    /// An element of a vector, at an index or at a row and a column.
    pub(super) fn vector_index(&mut self, place: &Expr, vector: &Vector, index: &Value) -> Flow {
        if matches!(vector.layout.kind, VectorKind::Translation | VectorKind::UnitComplex | VectorKind::Isometry) {
            return self.refuse(place, refuse::VECTOR_FIELD);
        }
        match self.position_in(vector.layout, index, place)? {
            Position::Known(position) => Ok(vector.elements[position].clone()),
            Position::Chosen(at) => self.selected(vector.elements.clone(), &at, place),
        }
    }
}

/// Whether a passive value is what an associated function of a type of nalgebra gives: `SMatrix::identity()`.
fn is_construction(passive: &Passive) -> bool {
    let Ok(syn::Expr::Call(call)) = syn::parse2(passive.tokens().clone()) else { return false };
    let syn::Expr::Path(path) = *call.func else { return false };
    path.path.segments.iter().nth_back(1).is_some_and(|ty| named(ty).is_some())
}

/// A passive vector of this type as its elements.
pub(super) fn elements_of_vector(passive: &Passive, ty: &VectorType) -> Vector {
    let elements = (0..ty.layout.count()).map(|position| Value::Passive(element_of(passive, position))).collect();
    Vector { layout: ty.layout, elements, ty: ty.written() }
}
