//! Rotations, translations and isometries of nalgebra: their composition, and what they do to vectors and points. To
//! add a method is to add a row to [`METHODS`].

use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::{Constant, NotationId};
use syn::BinOp;

use super::super::super::diagnostics::list;
use super::super::super::read::shape::Shape;
use super::super::super::read::vector::{Layout, VectorKind};
use super::super::super::refuse;
use super::super::super::syntax::{Expr, Method as MethodCall, Placed};
use super::super::Lowering;
use super::super::control::Flow;
use super::super::value::{Value, Vector};
use super::Operand;
use super::form::{FLOAT, Form, Gives, OWN, matrix, operated, scaled};

/// Kinds, the names of a method that they have, the number of its arguments, the form of what it gives, and what it
/// computes.
type Method = (
    &'static [VectorKind],
    &'static [&'static str],
    usize,
    Form,
    fn(&mut Lowering<'_>, &Vector, &[Operand<'_>], &Expr) -> Flow,
);

/// What turns vectors.
const ROTATIONS: &[VectorKind] = &[VectorKind::UnitQuaternion, VectorKind::UnitComplex, VectorKind::Rotation];

/// What maps points to points.
const MAPS: &[VectorKind] =
    &[VectorKind::UnitQuaternion, VectorKind::UnitComplex, VectorKind::Rotation, VectorKind::Isometry];

/// What has the coordinates of a quaternion.
const QUATERNIONS: &[VectorKind] = &[VectorKind::Quaternion, VectorKind::UnitQuaternion];

/// Whether it turns vectors, and does nothing else.
pub(super) fn is_rotation(kind: VectorKind) -> bool {
    ROTATIONS.contains(&kind)
}

/// Whether it maps points to points.
pub(super) fn is_map(kind: VectorKind) -> bool {
    MAPS.contains(&kind)
}

/// Whether it is an isometry, or what becomes one in a product with another.
pub(super) fn moves(kind: VectorKind) -> bool {
    use VectorKind::{Isometry, Translation, UnitComplex, UnitQuaternion};
    matches!(kind, Isometry | Translation | UnitComplex | UnitQuaternion)
}

/// A rotation matrix.
const ROTATION: Form = |own, _| {
    let dimension = own.dimension();
    Some(Gives::Vector(Layout { rows: dimension, columns: dimension, kind: VectorKind::Rotation }))
};

/// A quaternion.
const QUATERNION: Form = |_, _| Some(Gives::Vector(Layout::column(VectorKind::Quaternion, 4)));

/// The methods.
const METHODS: &[Method] = &[
    (MAPS, &["inverse"], 0, OWN, |it, own, _, place| Ok(Value::Vector(it.inverted(own, place)?))),
    (&[VectorKind::Translation], &["inverse"], 0, OWN, |it, own, _, place| {
        let elements = it.negated(&own.elements, place)?;
        Ok(made(own.layout, elements))
    }),
    (QUATERNIONS, &["conjugate"], 0, OWN, |it, own, _, place| Ok(Value::Vector(it.inverted(own, place)?))),
    (&[VectorKind::UnitComplex], &["conjugate"], 0, OWN, |it, own, _, place| {
        Ok(Value::Vector(it.inverted(own, place)?))
    }),
    (&[VectorKind::Rotation], &["transpose"], 0, OWN, |it, own, _, place| Ok(Value::Vector(it.inverted(own, place)?))),
    (
        MAPS,
        &["transform_vector"],
        1,
        |own, _| Some(Gives::Vector(Layout::column(VectorKind::Matrix, own.dimension()))),
        |it, own, args, place| {
            let v = it.seen(args[0], VectorKind::Matrix, own.layout.dimension())?;
            it.mapped(own, &v, place)
        },
    ),
    (
        MAPS,
        &["transform_point"],
        1,
        |own, _| Some(Gives::Vector(Layout::column(VectorKind::Point, own.dimension()))),
        |it, own, args, place| {
            let p = it.seen(args[0], VectorKind::Point, own.layout.dimension())?;
            it.mapped(own, &p, place)
        },
    ),
    (
        MAPS,
        &["inverse_transform_vector"],
        1,
        |own, _| Some(Gives::Vector(Layout::column(VectorKind::Matrix, own.dimension()))),
        |it, own, args, place| {
            let v = it.seen(args[0], VectorKind::Matrix, own.layout.dimension())?;
            let rotation = if own.layout.kind == VectorKind::Isometry { rotation_of(own) } else { own.clone() };
            it.mapped_back(&rotation, &v, place)
        },
    ),
    (
        MAPS,
        &["inverse_transform_point"],
        1,
        |own, _| Some(Gives::Vector(Layout::column(VectorKind::Point, own.dimension()))),
        |it, own, args, place| {
            let mut p = it.seen(args[0], VectorKind::Point, own.layout.dimension())?;
            let mut rotation = own.clone();
            if own.layout.kind == VectorKind::Isometry {
                p.elements = it.each(known::SUB, &p.elements, &translation_of(own).elements, place)?;
                rotation = rotation_of(own);
            }
            it.mapped_back(&rotation, &p, place)
        },
    ),
    (
        &[VectorKind::UnitQuaternion, VectorKind::UnitComplex],
        &["to_rotation_matrix"],
        0,
        ROTATION,
        |it, own, _, place| it.rotation_matrix(own, place).map(Value::Vector),
    ),
    (
        &[VectorKind::Rotation],
        &["matrix", "into_inner"],
        0,
        |own, _| matrix(own.rows, own.rows),
        |_, own, _, _| Ok(made(Layout::matrix(own.layout.rows, own.layout.rows), own.elements.clone())),
    ),
    (
        &[VectorKind::UnitQuaternion],
        &["quaternion", "into_inner"],
        0,
        |_, _| Some(Gives::Vector(Layout::column(VectorKind::Quaternion, 4))),
        |_, own, _, _| Ok(made(Layout::column(VectorKind::Quaternion, 4), own.elements.clone())),
    ),
    (
        &[VectorKind::Unit],
        &["into_inner", "as_ref"],
        0,
        |own, _| matrix(own.rows, 1),
        |_, own, _, _| Ok(made(Layout::matrix(own.layout.rows, 1), own.elements.clone())),
    ),
    (
        QUATERNIONS,
        &["vector", "imag"],
        0,
        |_, _| matrix(3, 1),
        |_, own, _, _| Ok(made(Layout::matrix(3, 1), own.elements[..3].to_vec())),
    ),
    (QUATERNIONS, &["scalar"], 0, FLOAT, |_, own, _, _| Ok(own.elements[3].clone())),
    (
        QUATERNIONS,
        &["as_vector"],
        0,
        |_, _| matrix(4, 1),
        |_, own, _, _| Ok(made(Layout::matrix(4, 1), own.elements.clone())),
    ),
    (QUATERNIONS, &["norm", "magnitude"], 0, FLOAT, |it, own, _, place| it.norm((&coordinates(own), place))),
    (QUATERNIONS, &["norm_squared", "magnitude_squared"], 0, FLOAT, |it, own, _, place| {
        let square = it.norm_squared((&coordinates(own), place))?;
        Ok(it.program.active(square))
    }),
    (&[VectorKind::Quaternion], &["normalize"], 0, OWN, |it, own, _, place| {
        let elements = it.normalized(own, place)?;
        Ok(made(own.layout, elements))
    }),
    (QUATERNIONS, &["dot"], 1, FLOAT, |it, own, args, place| {
        let other = it.seen(args[0], own.layout.kind, 4)?;
        let other = (&Value::Vector(coordinates(&other)), args[0].1);
        it.dot((&coordinates(own), place), other)
    }),
    (
        &[VectorKind::UnitQuaternion],
        &["scaled_axis"],
        0,
        |_, _| matrix(3, 1),
        |it, own, _, place| {
            let quaternion = Value::Array(own.elements.clone().into());
            let value = it.formula_near("scaled_axis_of_quaternion", quaternion, place)?;
            it.of_form(value, Layout::matrix(3, 1), place)
        },
    ),
    (&[VectorKind::UnitQuaternion], &["angle"], 0, FLOAT, |it, own, _, place| {
        it.computed("angle_of_quaternion", &[own], place)
    }),
    (&[VectorKind::Rotation], &["angle"], 0, FLOAT, |it, own, _, place| it.angle(own, place)),
    (&[VectorKind::Rotation], &["angle_to"], 1, FLOAT, |it, own, args, place| {
        let other = it.seen(args[0], own.layout.kind, own.layout.rows)?;
        let inverse = it.inverted(own, place)?;
        let between = it.composed(&other, &inverse, place)?;
        it.angle(&between, place)
    }),
    (QUATERNIONS, &["lerp"], 2, QUATERNION, |it, own, args, place| {
        let other = it.seen(args[0], own.layout.kind, 4)?;
        it.quaternion_between(own, &other, (args[1].0, place))
    }),
    (&[VectorKind::UnitQuaternion], &["nlerp"], 2, OWN, |it, own, args, place| {
        let other = it.seen(args[0], own.layout.kind, 4)?;
        let between = it.quaternion_between(own, &other, (args[1].0, place))?;
        let Some(between) = it.vector(&between) else { return Ok(between) };
        let elements = it.normalized(&between, place)?;
        Ok(made(own.layout, elements))
    }),
    (&[VectorKind::Isometry], &["inv_mul"], 1, OWN, |it, own, args, place| {
        let other = it.seen(args[0], own.layout.kind, own.layout.rows)?;
        let inverse = it.inverted(&rotation_of(own), place)?;
        let shift = it.each(known::SUB, &translation_of(&other).elements, &translation_of(own).elements, place)?;
        let translation = it.rotated(&inverse, &shift, place)?;
        let rotation = it.composed(&inverse, &rotation_of(&other), place)?;
        Ok(Value::Vector(isometry(&rotation, translation)))
    }),
    (&[VectorKind::UnitComplex], &["angle"], 0, FLOAT, |it, own, _, place| {
        it.computed("angle_of_complex", &[own], place)
    }),
    (&[VectorKind::UnitComplex], &["cos_angle"], 0, FLOAT, |_, own, _, _| Ok(own.elements[0].clone())),
    (&[VectorKind::UnitComplex], &["sin_angle"], 0, FLOAT, |_, own, _, _| Ok(own.elements[1].clone())),
    (
        &[VectorKind::UnitQuaternion, VectorKind::Rotation],
        &["euler_angles"],
        0,
        |_, _| Some(Gives::Floats(3)),
        |it, own, _, place| {
            let matrix =
                if own.layout.kind == VectorKind::Rotation { own.clone() } else { it.rotation_matrix(own, place)? };
            match matrix.layout.rows {
                3 => it.computed("euler_angles_of_matrix", &[&matrix], place),
                _ => it.refuse(place, refuse::VECTOR_OPERATOR),
            }
        },
    ),
    (ROTATIONS, &["rotation_to"], 1, OWN, |it, own, args, place| {
        let other = it.seen(args[0], own.layout.kind, own.layout.rows)?;
        let inverse = it.inverted(own, place)?;
        it.composed(&other, &inverse, place).map(Value::Vector)
    }),
    (&[VectorKind::UnitQuaternion, VectorKind::UnitComplex], &["angle_to"], 1, FLOAT, |it, own, args, place| {
        let other = it.seen(args[0], own.layout.kind, own.layout.rows)?;
        let inverse = it.inverted(own, place)?;
        let between = it.composed(&other, &inverse, place)?;
        let angle = if own.layout.kind == VectorKind::UnitComplex { "angle_of_complex" } else { "angle_of_quaternion" };
        it.computed(angle, &[&between], place)
    }),
    (
        MAPS,
        &["to_homogeneous"],
        0,
        |own, _| matrix(own.dimension() + 1, own.dimension() + 1),
        |it, own, _, place| it.homogeneous(own, place),
    ),
];

/// The form of what a method of what is no matrix gives.
pub(super) fn form_of(own: Layout, name: &str, args: &[Option<Layout>]) -> Option<Gives> {
    let is_row = |(kinds, names, count, ..): &&Method| {
        kinds.contains(&own.kind) && names.contains(&name) && *count == args.len()
    };
    let (.., gives, _) = METHODS.iter().find(is_row)?;
    gives(own, args)
}

impl Lowering<'_> {
    /// A method of what is no matrix.
    pub(super) fn geometry_method(&mut self, call: &MethodCall, own: &Vector, args: &[Operand<'_>]) -> Flow {
        let (name, kind) = (call.name.to_string(), own.layout.kind);
        if ["clone", "to_owned"].contains(&name.as_str()) && args.is_empty() {
            return Ok(Value::Vector(own.clone()));
        }
        let of_kind = || METHODS.iter().filter(|(kinds, ..)| kinds.contains(&kind));
        let found = of_kind().find(|(_, names, count, ..)| names.contains(&name.as_str()) && *count == args.len());
        let Some((.., compute)) = found else {
            let names = list(of_kind().map(|(_, names, ..)| names[0]));
            return self.refuse(&call.name, refuse::geometry_method(names));
        };
        // Rotations are of real numbers.
        self.require_real(&call.name)?;
        compute(self, own, args, &call.receiver)
    }

    /// The result of an operator one of whose operands is neither a matrix nor a point.
    pub(super) fn geometry_operated(
        &mut self,
        op: &BinOp,
        (left, left_place): (Option<&Vector>, Operand<'_>),
        (right, right_place): (Option<&Vector>, Operand<'_>),
    ) -> Flow {
        let place = left_place.1;
        let (left, right) = match (left, right) {
            (Some(left), Some(right)) => (left, right),
            (Some(own), None) | (None, Some(own)) if scaled(op, own.layout, left.is_some()).is_some() => {
                let intrinsic = if matches!(op, BinOp::Mul(_)) { known::MUL } else { known::DIV };
                let (vector, scalar) =
                    if left.is_some() { (left_place.1, right_place) } else { (right_place.1, left_place) };
                return self.by_scalar(intrinsic, (own, vector), scalar);
            }
            (None, _) => return self.refuse(left_place.1, refuse::VECTOR_UNSEEN),
            (_, None) => return self.refuse(right_place.1, refuse::VECTOR_UNSEEN),
        };
        let Some(layout) = operated(op, left.layout, right.layout) else {
            return self.refuse(op, refuse::VECTOR_OPERATOR);
        };
        match op {
            BinOp::Mul(_) => self.multiplied(layout, left, right, place),
            BinOp::Div(_) => {
                let inverse = self.inverted(right, place)?;
                self.multiplied(layout, left, &inverse, place)
            }
            _ => {
                let intrinsic = if matches!(op, BinOp::Add(_)) { known::ADD } else { known::SUB };
                let elements = self.each(intrinsic, &left.elements, &right.elements, place)?;
                Ok(made(layout, elements))
            }
        }
    }

    /// A product, which has this form.
    fn multiplied(&mut self, layout: Layout, left: &Vector, right: &Vector, place: &Expr) -> Flow {
        let (l, r) = (left.layout.kind, right.layout.kind);
        match (l, r) {
            (VectorKind::Rotation, VectorKind::Matrix) | (VectorKind::Matrix, VectorKind::Rotation) => {
                let product = self.product((left, place), (right, place))?;
                Ok(self.vector(&product).map_or(product, |product| made(layout, product.elements)))
            }
            (VectorKind::Quaternion, VectorKind::Quaternion) => {
                self.made_by("quaternion_product", &[left, right], layout, place)
            }
            (one, other) if one == other && is_rotation(one) => self.composed(left, right, place).map(Value::Vector),
            (_, VectorKind::Matrix | VectorKind::Point | VectorKind::Unit) if l != VectorKind::Translation => {
                self.mapped(left, right, place)
            }
            (VectorKind::Translation, VectorKind::Translation | VectorKind::Point) => {
                let elements = self.each(known::ADD, &right.elements, &left.elements, place)?;
                Ok(made(layout, elements))
            }
            _ => match (self.as_isometry(left), self.as_isometry(right)) {
                (Some(own), Some(other)) => self.composed_isometries(own, other, place),
                _ => self.refuse(place, refuse::VECTOR_OPERATOR),
            },
        }
    }

    /// The rotation and the translation of an isometry, of a quaternion or a complex number, or of a translation; none
    /// where one is missing.
    fn as_isometry(&self, vector: &Vector) -> Option<[Option<Vector>; 2]> {
        match vector.layout.kind {
            VectorKind::Isometry => Some([Some(rotation_of(vector)), Some(translation_of(vector))]),
            VectorKind::UnitComplex | VectorKind::UnitQuaternion => Some([Some(vector.clone()), None]),
            VectorKind::Translation => Some([None, Some(vector.clone())]),
            _ => None,
        }
    }

    /// First what is on the right, then what is on the left: each is a rotation before a translation.
    fn composed_isometries(&mut self, own: [Option<Vector>; 2], other: [Option<Vector>; 2], place: &Expr) -> Flow {
        let shift = match (&own[0], &other[1]) {
            (Some(rotation), Some(shift)) => {
                let elements = self.rotated(rotation, &shift.elements, place)?;
                Some(elements)
            }
            (_, shift) => shift.as_ref().map(|shift| shift.elements.clone()),
        };
        let translation = match (&own[1], shift) {
            (Some(own), Some(shift)) => self.each(known::ADD, &own.elements, &shift, place)?,
            (Some(own), None) => own.elements.clone(),
            (None, shift) => shift.unwrap_or_default(),
        };
        let rotation = match (own[0].clone(), other[0].clone()) {
            (Some(own), Some(other)) => self.composed(&own, &other, place)?,
            (Some(rotation), None) | (None, Some(rotation)) => rotation,
            (None, None) => return self.refuse(place, refuse::VECTOR_OPERATOR),
        };
        Ok(Value::Vector(isometry(&rotation, translation)))
    }

    /// A rotation times one of the same kind.
    pub(super) fn composed(&mut self, left: &Vector, right: &Vector, place: &Expr) -> Flow<Vector> {
        let value = match left.layout.kind {
            VectorKind::UnitComplex => self.made_by("complex_product", &[left, right], left.layout, place),
            VectorKind::Rotation => {
                let product = self.product((left, place), (right, place))?;
                match product {
                    Value::Vector(product) => Ok(made(left.layout, product.elements)),
                    other => Ok(other),
                }
            }
            _ => self.made_by("quaternion_product", &[left, right], left.layout, place),
        }?;
        self.vector(&value).map_or_else(|| self.refuse(place, refuse::VECTOR_OPERATOR), Ok)
    }

    /// The inverse of a rotation of unit length, or of an isometry; of a quaternion, its conjugate.
    fn inverted(&mut self, own: &Vector, place: &Expr) -> Flow<Vector> {
        let mut elements = own.elements.clone();
        match own.layout.kind {
            VectorKind::Rotation => {
                let n = own.layout.rows;
                elements = (0..n * n).map(|at| own.elements[at % n * n + at / n].clone()).collect();
            }
            VectorKind::Isometry => {
                let rotation = self.inverted(&rotation_of(own), place)?;
                let back = self.negated(&translation_of(own).elements, place)?;
                let translation = self.rotated(&rotation, &back, place)?;
                return Ok(isometry(&rotation, translation));
            }
            _ => {
                let first = usize::from(own.layout.kind == VectorKind::UnitComplex);
                let last = if own.layout.kind == VectorKind::UnitComplex { 2 } else { 3 };
                let negative = self.negated(&own.elements[first..last], place)?;
                elements.splice(first..last, negative);
            }
        }
        Ok(Vector { elements, ty: None, ..own.clone() })
    }

    /// A vector, a point or a direction, turned or moved.
    fn mapped(&mut self, map: &Vector, of: &Vector, place: &Expr) -> Flow {
        let is_isometry = map.layout.kind == VectorKind::Isometry;
        let rotation = if is_isometry { rotation_of(map) } else { map.clone() };
        let mut elements = self.rotated(&rotation, &of.elements, place)?;
        if is_isometry && of.layout.kind == VectorKind::Point {
            elements = self.each(known::ADD, &elements, &translation_of(map).elements, place)?;
        }
        Ok(made(of.layout, elements))
    }

    /// The same by the inverse of a rotation.
    fn mapped_back(&mut self, rotation: &Vector, of: &Vector, place: &Expr) -> Flow {
        if rotation.layout.kind != VectorKind::Rotation {
            let inverse = self.inverted(rotation, place)?;
            return self.mapped(&inverse, of, place);
        }
        // As nalgebra's `tr_mul`: each column, times the vector.
        let column = Layout::matrix(rotation.layout.rows, 1);
        let vector = Value::Vector(Vector { layout: column, elements: of.elements.clone(), ty: None });
        let mut elements = Vec::with_capacity(column.rows);
        for entries in rotation.elements.chunks(column.rows) {
            let entries = Vector { layout: column, elements: entries.to_vec(), ty: None };
            elements.push(self.dot((&entries, place), (&vector, place))?);
        }
        Ok(made(of.layout, elements))
    }

    fn rotated(&mut self, rotation: &Vector, vector: &[Value], place: &Expr) -> Flow<Vec<Value>> {
        let layout = Layout::matrix(vector.len(), 1);
        let vector = Vector { layout, elements: vector.to_vec(), ty: None };
        let value = match rotation.layout.kind {
            VectorKind::Rotation => self.product((rotation, place), (&vector, place)),
            VectorKind::UnitComplex => self.made_by("rotated_by_complex", &[rotation, &vector], layout, place),
            _ => self.made_by("rotated_by_quaternion", &[rotation, &vector], layout, place),
        }?;
        Ok(self.vector(&value).map(|vector| vector.elements).unwrap_or_default())
    }

    /// A quaternion or a complex number of unit length as a rotation matrix.
    pub(super) fn rotation_matrix(&mut self, own: &Vector, place: &Expr) -> Flow<Vector> {
        if own.layout.kind == VectorKind::UnitComplex {
            let [re, im] = [own.elements[0].clone(), own.elements[1].clone()];
            let negative = self.negated(&own.elements[1..], place)?;
            let elements = vec![re.clone(), im, negative[0].clone(), re];
            return Ok(Vector {
                layout: Layout { rows: 2, columns: 2, kind: VectorKind::Rotation },
                elements,
                ty: None,
            });
        }
        let layout = Layout { rows: 3, columns: 3, kind: VectorKind::Rotation };
        let value = self.made_by("matrix_of_quaternion", &[own], layout, place)?;
        self.vector(&value).map_or_else(|| self.refuse(place, refuse::VECTOR_OPERATOR), Ok)
    }

    /// The angle of a rotation matrix.
    fn angle(&mut self, own: &Vector, place: &Expr) -> Flow {
        self.computed(if own.layout.rows == 2 { "angle_of_matrix_2" } else { "angle_of_matrix_3" }, &[own], place)
    }

    /// What is between two quaternions on a straight line.
    fn quaternion_between(&mut self, own: &Vector, other: &Vector, (t, place): Operand<'_>) -> Flow {
        let [own, other] = [own, other].map(|of| Value::Array(of.elements.clone().into()));
        let value = self.formula("quaternion_between", vec![own, other, t.clone()], place)?;
        self.of_form(value, Layout::column(VectorKind::Quaternion, 4), place)
    }

    /// The matrix of homogeneous coordinates.
    fn homogeneous(&mut self, own: &Vector, place: &Expr) -> Flow {
        let rotation = if own.layout.kind == VectorKind::Isometry { rotation_of(own) } else { own.clone() };
        let matrix = if rotation.layout.kind == VectorKind::Rotation {
            rotation
        } else {
            self.rotation_matrix(&rotation, place)?
        };
        let n = matrix.layout.rows;
        let mut constant = |number: f64| {
            let id = self.program.constant(Constant::Float(number));
            self.program.active(id)
        };
        let (zero, one) = (constant(0.0), constant(1.0));
        let mut elements = vec![zero; (n + 1) * (n + 1)];
        for column in 0..n {
            for row in 0..n {
                elements[column * (n + 1) + row] = matrix.elements[column * n + row].clone();
            }
        }
        if own.layout.kind == VectorKind::Isometry {
            elements[n * (n + 1)..][..n].clone_from_slice(&translation_of(own).elements);
        }
        elements[(n + 1) * (n + 1) - 1] = one;
        Ok(made(Layout::matrix(n + 1, n + 1), elements))
    }

    /// An argument that can be nothing but this, for its function takes nothing else: nalgebra's names say the shape of
    /// some, and what is passive can be indexed.
    pub(super) fn seen(&mut self, (value, place): Operand<'_>, kind: VectorKind, rows: usize) -> Flow<Vector> {
        let columns = if kind == VectorKind::Rotation { rows } else { 1 };
        let layout = Layout { rows, columns, kind };
        match (self.vector(value), value) {
            (Some(vector), _) if vector.layout == layout => Ok(vector),
            (Some(_), _) => self.refuse(place, refuse::VECTOR_SHAPE),
            (None, Value::Into(source)) => match self.converted(([Some(rows), Some(columns)], kind), source) {
                Some((layout, elements)) => Ok(Vector { layout, elements, ty: None }),
                None => self.refuse(place, refuse::CONVERSION),
            },
            (None, Value::Passive(passive))
                if passive.shape.as_ref().is_none_or(|shape| matches!(shape.behind_references(), Shape::Float(_))) =>
            {
                let passive = self.once(passive);
                let elements = (0..layout.count()).map(|at| {
                    let (whole, access) = (passive.operand(), layout.access(at));
                    let element = super::super::value::Passive::simple(quote::quote!(#whole #access));
                    Value::Passive(element)
                });
                Ok(Vector { layout, elements: elements.collect(), ty: None })
            }
            _ => self.refuse(place, refuse::VECTOR_UNSEEN),
        }
    }

    /// What a formula makes of the floats of these.
    pub(super) fn computed(&mut self, formula: &'static str, of: &[&Vector], place: &dyn Placed) -> Flow {
        let args = of.iter().map(|vector| Value::Array(vector.elements.clone().into())).collect();
        self.formula(formula, args, place)
    }

    /// The same where that are the floats of this form.
    pub(super) fn made_by(
        &mut self,
        formula: &'static str,
        of: &[&Vector],
        layout: Layout,
        place: &dyn Placed,
    ) -> Flow {
        let value = self.computed(formula, of, place)?;
        self.of_form(value, layout, place)
    }

    /// An array as the floats of this form.
    pub(super) fn of_form(&mut self, value: Value, layout: Layout, place: &dyn Placed) -> Flow {
        match value {
            Value::Array(elements) if elements.len() == layout.count() => Ok(made(layout, elements.to_vec())),
            _ => self.refuse(place, refuse::VECTOR_ARGUMENTS),
        }
    }

    /// A vector of length one.
    pub(super) fn normalized(&mut self, own: &Vector, place: &Expr) -> Flow<Vec<Value>> {
        let column = coordinates(own);
        let norm = self.norm((&column, place))?;
        let value = self.by_scalar(known::DIV, (&column, place), (&norm, place))?;
        Ok(self.vector(&value).map(|vector| vector.elements).unwrap_or_default())
    }

    fn negated(&mut self, elements: &[Value], place: &Expr) -> Flow<Vec<Value>> {
        elements
            .iter()
            .map(|element| {
                let float = self.float(element, place)?;
                Ok(self.program.apply(known::NEG, NotationId::default(), &[float]))
            })
            .collect()
    }

    /// An operation on the floats in the same places.
    fn each(&mut self, intrinsic: Intrinsic, left: &[Value], right: &[Value], place: &Expr) -> Flow<Vec<Value>> {
        let mut results = Vec::with_capacity(left.len());
        for (left, right) in left.iter().zip(right) {
            let (left, right) = (self.float(left, place)?, self.float(right, place)?);
            let id = self.on_floats(intrinsic, left, right);
            results.push(self.program.active(id));
        }
        Ok(results)
    }
}

/// A value of this form.
pub(super) fn made(layout: Layout, elements: Vec<Value>) -> Value {
    Value::Vector(Vector { layout, elements, ty: None })
}

/// The floats as a vector.
pub(super) fn coordinates(own: &Vector) -> Vector {
    Vector { layout: Layout::matrix(own.elements.len(), 1), elements: own.elements.clone(), ty: None }
}

/// The rotation of an isometry.
pub(super) fn rotation_of(isometry: &Vector) -> Vector {
    part_of(isometry, "rotation")
}

/// The translation of an isometry.
pub(super) fn translation_of(isometry: &Vector) -> Vector {
    part_of(isometry, "translation")
}

/// The part that is the field of this name.
fn part_of(isometry: &Vector, name: &str) -> Vector {
    let (layout, first) = isometry.layout.part(name).expect("it is an isometry");
    Vector { layout, elements: isometry.elements[first..first + layout.count()].to_vec(), ty: None }
}

/// The isometry of a rotation and a translation.
pub(super) fn isometry(rotation: &Vector, translation: Vec<Value>) -> Vector {
    let mut elements = rotation.elements.clone();
    elements.extend(translation);
    Vector { layout: Layout::column(VectorKind::Isometry, elements.len()), elements, ty: None }
}
