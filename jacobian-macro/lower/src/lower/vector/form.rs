//! The forms of what operations give, which are those of their operands or follow from them: what is passive is kept as
//! it is written, and all that has to be known of it is its form.

use syn::BinOp;

use super::super::super::read::shape::Shape;
use super::super::super::read::vector::{Claim, Layout, Origin, VectorKind, VectorType};
use super::super::super::syntax::Method as MethodCall;
use super::super::Lowering;
use super::super::numbers::Number;
use super::super::value::Passive;
use super::{geometry, method};

/// What an operation gives.
#[derive(Copy, Clone)]
pub(super) enum Gives {
    /// A float.
    Float,
    /// A tuple of as many floats.
    Floats(usize),
    /// A value of this form.
    Vector(Layout),
    /// Perhaps a value of this form.
    Perhaps(Layout),
}

/// What a method gives, called on a value of a form with arguments some of which have one; none if that is not known.
pub(super) type Form = fn(Layout, &[Option<Layout>]) -> Option<Gives>;

/// A value like the one that the method is called on.
pub(super) const OWN: Form = |own, _| Some(Gives::Vector(own));

/// A float.
pub(super) const FLOAT: Form = |_, _| Some(Gives::Float);

/// What is neither.
pub(super) const OTHER: Form = |_, _| None;

/// A matrix with this number of rows and of columns.
pub(super) fn matrix(rows: usize, columns: usize) -> Option<Gives> {
    Some(Gives::Vector(Layout::matrix(rows, columns)))
}

impl Lowering<'_> {
    /// The shape of what a method of a passive value gives.
    pub(in super::super) fn shape_after(
        &mut self,
        receiver: &Passive,
        call: &MethodCall,
        args: &[Passive],
    ) -> Option<Shape> {
        let own = vector_type(receiver)?.clone();
        let types: Vec<_> = args.iter().map(vector_type).collect();
        let layouts: Vec<_> = types.iter().map(|ty| ty.map(|ty| ty.layout)).collect();
        if let Some(layout) = self.form_of_part(own.layout, call) {
            let mut ty = VectorType::following(layout, &self.scalar, &own.claims());
            ty.origin = if own.origin == Origin::Supposed { Origin::Supposed } else { Origin::View };
            return Some(Shape::Vector(Box::new(ty)));
        }
        let name = call.name.to_string();
        let gives = match own.layout.kind {
            VectorKind::Matrix | VectorKind::Point => method::form_of(own.layout, &name, &layouts),
            VectorKind::Unit => geometry::form_of(own.layout, &name, &layouts)
                .or_else(|| method::form_of(Layout::matrix(own.layout.rows, 1), &name, &layouts)),
            _ => geometry::form_of(own.layout, &name, &layouts),
        };
        let types: Vec<_> = [Some(&own)].into_iter().chain(types).flatten().collect();
        Some(self.shape_given(gives.or_else(|| form_of_passive(own.layout, &name, args.len()))?, &types))
    }

    /// The shape of what an operator gives of passive values.
    pub(in super::super) fn shape_operated(&self, op: &BinOp, left: &Passive, right: &Passive) -> Option<Shape> {
        let (left_type, right_type) = (vector_type(left), vector_type(right));
        let layout = match (left_type, right_type) {
            (Some(l), Some(r)) => operated(op, l.layout, r.layout)?,
            (Some(own), None) if is_float(right) => scaled(op, own.layout, true)?,
            (None, Some(own)) if is_float(left) => scaled(op, own.layout, false)?,
            (Some(own), None) if is_unseen(right) => return self.shape_supposed(own, likely(op, own.layout, true)?),
            (None, Some(own)) if is_unseen(left) => return self.shape_supposed(own, likely(op, own.layout, false)?),
            _ => return None,
        };
        let types: Vec<_> = [left_type, right_type].into_iter().flatten().collect();
        Some(self.shape_given(Gives::Vector(layout), &types))
    }

    /// The shape of what is likely given where one operand cannot be seen.
    fn shape_supposed(&self, own: &VectorType, layout: Layout) -> Option<Shape> {
        let mut ty = VectorType::following(layout, &self.scalar, &own.claims());
        ty.origin = Origin::Supposed;
        Some(Shape::Vector(Box::new(ty)))
    }

    /// The shape of what is given, which follows from values of these types.
    pub(super) fn shape_given(&self, gives: Gives, from: &[&VectorType]) -> Shape {
        let vector = |layout: Layout| match from {
            [own] if own.layout == layout && own.origin != Origin::View => Shape::Vector(Box::new((*own).clone())),
            _ => {
                let claims: Vec<Claim> = from.iter().flat_map(|ty| ty.claims().to_vec()).collect();
                let mut ty = VectorType::following(layout, &self.scalar, &claims);
                if from.iter().any(|ty| ty.origin == Origin::Supposed) {
                    ty.origin = Origin::Supposed;
                }
                Shape::Vector(Box::new(ty))
            }
        };
        let float = Shape::Float(self.scalar.clone());
        match gives {
            Gives::Float => float,
            Gives::Floats(count) => Shape::Tuple(vec![float; count]),
            Gives::Vector(layout) => vector(layout),
            Gives::Perhaps(layout) => Shape::Option(Box::new(vector(layout))),
        }
    }
}

/// What methods give that are supported of passive values only, and what gives a copy.
fn form_of_passive(own: Layout, method: &str, count: usize) -> Option<Gives> {
    use VectorKind::{Isometry, Matrix, Quaternion, Unit, UnitQuaternion};
    match (own.kind, method, count) {
        (_, "clone" | "clone_owned" | "into_owned" | "to_owned", 0) => Some(Gives::Vector(own)),
        (Matrix, "lower_triangle" | "upper_triangle" | "exp", 0) => Some(Gives::Vector(own)),
        (Matrix, "cap_magnitude", 1) => Some(Gives::Vector(own)),
        (Matrix, "try_normalize", 1) => Some(Gives::Perhaps(own)),
        (Matrix, "symmetric_eigenvalues", 0) => matrix(own.rows, 1),
        (Quaternion, "exp" | "ln", 0) => Some(Gives::Vector(own)),
        (Quaternion | UnitQuaternion, "powf", 1) => Some(Gives::Vector(own)),
        (UnitQuaternion | Unit, "slerp", 2) | (Isometry, "lerp_slerp", 2) => Some(Gives::Vector(own)),
        (UnitQuaternion, "axis", 0) => Some(Gives::Perhaps(Layout::column(Unit, 3))),
        _ => None,
    }
}

/// The type of a passive value of nalgebra.
pub(super) fn vector_type(passive: &Passive) -> Option<&VectorType> {
    match passive.shape.as_ref()?.behind_references() {
        Shape::Vector(ty) => Some(ty),
        _ => None,
    }
}

/// Whether a passive value is a float, as far as is known.
fn is_float(passive: &Passive) -> bool {
    match passive.shape.as_ref().map(Shape::behind_references) {
        Some(shape) => matches!(shape, Shape::Float(_)),
        None => matches!(passive.number, Some(Number::Float(_))),
    }
}

/// Whether nothing is known of a passive value, or of what it refers to.
pub fn is_unseen(passive: &Passive) -> bool {
    let is_any = match &passive.shape {
        Some(Shape::Reference(target)) => matches!(**target, Shape::Float(_)),
        shape => shape.is_none(),
    };
    passive.number.is_none() && is_any
}

/// What an operator most likely gives of one of these and something that cannot be seen, on its right or on its left: a
/// sum is of equals; what a vector is multiplied by is a float, or a square matrix on its left.
fn likely(op: &BinOp, own: Layout, is_right: bool) -> Option<Layout> {
    let is_likely = match op {
        BinOp::Add(_) | BinOp::Sub(_) => true,
        BinOp::Mul(_) => !is_right || own.columns == 1,
        BinOp::Div(_) => is_right,
        _ => false,
    };
    (own.is_matrix() && is_likely).then_some(own)
}

/// What an operator gives of one of these and a float, on its right or on its left.
pub(super) fn scaled(op: &BinOp, own: Layout, is_right: bool) -> Option<Layout> {
    let is_scaled = matches!(own.kind, VectorKind::Matrix | VectorKind::Point | VectorKind::Quaternion);
    let is_known = matches!(op, BinOp::Mul(_)) || matches!(op, BinOp::Div(_)) && is_right;
    (is_scaled && is_known).then_some(own)
}

/// What an operator gives of two of these.
pub(super) fn operated(op: &BinOp, left: Layout, right: Layout) -> Option<Layout> {
    match op {
        BinOp::Mul(_) => product(left, right),
        BinOp::Div(_) if left == right && geometry::is_map(left.kind) => Some(left),
        BinOp::Add(_) | BinOp::Sub(_) => {
            let is_difference = matches!(op, BinOp::Sub(_));
            let kind = match (left.kind, right.kind) {
                (VectorKind::Quaternion, VectorKind::Quaternion) => VectorKind::Quaternion,
                (VectorKind::Point, VectorKind::Point) if is_difference => VectorKind::Matrix,
                (kind @ (VectorKind::Matrix | VectorKind::Point), VectorKind::Matrix) => kind,
                _ => return None,
            };
            left.has_shape_of(right).then_some(Layout { kind, ..left })
        }
        _ => None,
    }
}

/// The form of a product.
pub(super) fn product(left: Layout, right: Layout) -> Option<Layout> {
    use VectorKind::{Isometry, Matrix, Point, Quaternion, Rotation, Translation, Unit};
    let fits = left.columns == right.rows;
    match (left.kind, right.kind) {
        (Matrix, Matrix | Point) if fits => Some(Layout { rows: left.rows, ..right }),
        (Rotation, Matrix) | (Matrix, Rotation) if fits => Some(Layout::matrix(left.rows, right.columns)),
        _ if left.dimension() != right.dimension() => None,
        (Quaternion, Quaternion) => Some(left),
        (one, other) if one == other && geometry::is_rotation(one) => Some(left),
        (one, Matrix | Point | Unit) if right.columns == 1 && (geometry::is_rotation(one) || one == Isometry) => {
            Some(right)
        }
        (Translation, Translation | Point) => Some(right),
        (one, other) if geometry::moves(one) && geometry::moves(other) => Some(Layout::isometry(left.dimension())),
        _ => None,
    }
}
