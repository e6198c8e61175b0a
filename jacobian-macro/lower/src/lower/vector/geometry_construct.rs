//! The construction of rotations, translations and isometries of nalgebra. To add a constructor is to add a row to
//! [`CONSTRUCTORS`].

use jacobian_list::code_list::Constant;

use super::super::super::diagnostics::list;
use super::super::super::read::shape::Shape;
use super::super::super::read::vector::{Layout, VectorKind, VectorType};
use super::super::super::refuse;
use super::super::super::syntax::{Expr, Path};
use super::super::Lowering;
use super::super::control::Flow;
use super::super::value::{Value, Vector};
use super::Operand;
use super::form::vector_type;
use super::geometry::{coordinates, isometry, made};

/// Kinds, the names of an associated function that they have, the number of its arguments, and what it makes of them.
type Constructor = (&'static [VectorKind], &'static [&'static str], usize, Construct);

/// What is made has this form.
type Construct = fn(&mut Lowering<'_>, Layout, &[Operand<'_>]) -> Flow;

/// The associated functions that take floats.
const CONSTRUCTORS: &[Constructor] = &[
    (&[VectorKind::Quaternion], &["new"], 4, |_, layout, args| {
        let [w, i, j, k] = [0, 1, 2, 3].map(|at| args[at].0.clone());
        Ok(made(layout, vec![i, j, k, w]))
    }),
    (&[VectorKind::Quaternion], &["from_parts"], 2, |it, layout, args| {
        let mut elements = it.seen(args[1], VectorKind::Matrix, 3)?.elements;
        elements.push(args[0].0.clone());
        Ok(made(layout, elements))
    }),
    (&[VectorKind::Quaternion], &["from_imag"], 1, |it, layout, args| {
        let mut elements = it.seen(args[0], VectorKind::Matrix, 3)?.elements;
        elements.push(it.number(0.0));
        Ok(made(layout, elements))
    }),
    (&[VectorKind::Quaternion], &["from_vector"], 1, |it, layout, args| {
        let elements = it.seen(args[0], VectorKind::Matrix, 4)?.elements;
        Ok(made(layout, elements))
    }),
    (&[VectorKind::Quaternion, VectorKind::Translation], &["from"], 1, |it, layout, args| {
        let form = ([Some(layout.rows), Some(1)], layout.kind);
        match it.converted(form, args[0].0) {
            Some((_, elements)) => Ok(made(layout, elements)),
            None => it.refuse(args[0].1, refuse::VECTOR_ARGUMENTS),
        }
    }),
    (&[VectorKind::UnitQuaternion], &["new_unchecked"], 1, |it, layout, args| {
        let elements = it.seen(args[0], VectorKind::Quaternion, 4)?.elements;
        Ok(made(layout, elements))
    }),
    (&[VectorKind::UnitQuaternion], &["from_quaternion", "new_normalize"], 1, |it, layout, args| {
        let quaternion = it.seen(args[0], VectorKind::Quaternion, 4)?;
        let elements = it.normalized(&quaternion, args[0].1)?;
        Ok(made(layout, elements))
    }),
    (&[VectorKind::UnitQuaternion], &["from_axis_angle"], 2, |it, layout, args| {
        it.of_axis("quaternion_of_axis", layout, args)
    }),
    (&[VectorKind::UnitQuaternion], &["from_scaled_axis", "new"], 1, |it, layout, args| {
        it.of_scaled_axis("quaternion_of_scaled_axis", layout, args[0])
    }),
    (&[VectorKind::UnitQuaternion], &["from_euler_angles"], 3, |it, layout, args| {
        it.of_floats("quaternion_of_euler_angles", layout, args)
    }),
    (&[VectorKind::UnitQuaternion], &["from_rotation_matrix"], 1, |it, layout, args| {
        let matrix = it.seen(args[0], VectorKind::Rotation, 3)?;
        it.made_by("quaternion_of_matrix", &[&matrix], layout, args[0].1)
    }),
    (&[VectorKind::UnitComplex], &["new", "from_angle"], 1, |it, layout, args| {
        it.of_floats("complex_of_angle", layout, args)
    }),
    (&[VectorKind::UnitComplex], &["from_cos_sin_unchecked"], 2, |_, layout, args| {
        Ok(made(layout, vec![args[0].0.clone(), args[1].0.clone()]))
    }),
    (&[VectorKind::UnitComplex], &["from_rotation_matrix"], 1, |it, layout, args| {
        let matrix = it.seen(args[0], VectorKind::Rotation, 2)?;
        Ok(made(layout, matrix.elements[..2].to_vec()))
    }),
    (&[VectorKind::Rotation], &["from_matrix_unchecked"], 1, |it, layout, args| match it.vector(args[0].0) {
        Some(matrix) if matrix.layout.is_matrix() && matrix.layout.has_shape_of(layout) => {
            Ok(made(layout, matrix.elements))
        }
        _ => it.refuse(args[0].1, refuse::VECTOR_UNSEEN),
    }),
    (&[VectorKind::Rotation], &["from"], 1, |it, layout, args| {
        let kind = if layout.rows == 2 { VectorKind::UnitComplex } else { VectorKind::UnitQuaternion };
        let rotation = it.seen(args[0], kind, if layout.rows == 2 { 2 } else { 4 })?;
        it.rotation_matrix(&rotation, args[0].1).map(Value::Vector)
    }),
    (&[VectorKind::Rotation], &["from_axis_angle"], 2, |it, layout, args| it.of_axis("matrix_of_axis", layout, args)),
    (&[VectorKind::Rotation], &["new", "from_scaled_axis"], 1, |it, layout, args| match layout.rows {
        2 => {
            let complex = it.of_floats("complex_of_angle", Layout::column(VectorKind::UnitComplex, 2), args)?;
            match it.vector(&complex) {
                Some(complex) => it.rotation_matrix(&complex, args[0].1).map(Value::Vector),
                None => Ok(complex),
            }
        }
        _ => it.of_scaled_axis("matrix_of_scaled_axis", layout, args[0]),
    }),
    (&[VectorKind::Rotation], &["from_euler_angles"], 3, |it, layout, args| {
        it.of_floats("matrix_of_euler_angles", layout, args)
    }),
    (&[VectorKind::Translation], &["new"], 2, |_, layout, args| Ok(made(layout, values(args)))),
    (&[VectorKind::Translation], &["new"], 3, |_, layout, args| Ok(made(layout, values(args)))),
    (&[VectorKind::Unit], &["new_unchecked"], 1, |it, layout, args| {
        let elements = it.seen(args[0], VectorKind::Matrix, layout.rows)?.elements;
        Ok(made(layout, elements))
    }),
    (&[VectorKind::Unit], &["new_normalize"], 1, |it, layout, args| {
        let vector = it.seen(args[0], VectorKind::Matrix, layout.rows)?;
        let elements = it.normalized(&vector, args[0].1)?;
        Ok(made(layout, elements))
    }),
    (&[VectorKind::Isometry], &["from_parts"], 2, |it, layout, args| {
        let (translation, kind) = (layout.rows - layout.rotation_count(), rotation_kind(layout));
        let translation = it.seen(args[0], VectorKind::Translation, translation)?;
        let rotation = it.seen(args[1], kind, layout.rotation_count())?;
        Ok(Value::Vector(isometry(&rotation, translation.elements)))
    }),
    (&[VectorKind::Isometry], &["new"], 2, |it, layout, args| {
        let translation = it.seen(args[0], VectorKind::Matrix, layout.rows - layout.rotation_count())?;
        let rotation = it.rotation_by(layout, args[1])?;
        Ok(Value::Vector(isometry(&rotation, translation.elements)))
    }),
    (&[VectorKind::Isometry], &["rotation"], 1, |it, layout, args| {
        let rotation = it.rotation_by(layout, args[0])?;
        let zero = it.number(0.0);
        Ok(Value::Vector(isometry(&rotation, vec![zero; layout.rows - layout.rotation_count()])))
    }),
    (&[VectorKind::Isometry], &["translation"], 2, |it, layout, args| it.shift(layout, args)),
    (&[VectorKind::Isometry], &["translation"], 3, |it, layout, args| it.shift(layout, args)),
];

/// Whether a type of this kind has an associated function of this name that constructs.
pub(super) fn constructs(kind: VectorKind, name: &str) -> bool {
    name == "identity" || CONSTRUCTORS.iter().any(|(kinds, names, ..)| kinds.contains(&kind) && names.contains(&name))
}

impl Lowering<'_> {
    /// The value of a call of an associated function of a type that is neither a matrix nor a point.
    pub(super) fn geometry_construction(
        &mut self,
        path: &Path,
        (ty, name): (&VectorType, &str),
        args: &[Value],
        places: &[&Expr],
    ) -> Flow {
        let of_kind = || CONSTRUCTORS.iter().filter(|(kinds, ..)| kinds.contains(&ty.layout.kind));
        let found = of_kind().find(|(_, names, count, _)| names.contains(&name) && *count == args.len());
        let Some((.., construct)) = found else {
            let known = list(of_kind().map(|(_, names, ..)| names[0]));
            return self.refuse(path, refuse::geometry_constructor(known));
        };
        self.require_vectors(&[ty]);
        if self.scalar.is_complex() {
            return self.refuse(path, refuse::VECTOR_FLOATS);
        }
        let operands: Vec<_> = args.iter().zip(places.iter().copied()).collect();
        match construct(self, ty.layout, &operands)? {
            Value::Vector(vector) if vector.layout == ty.layout => {
                Ok(Value::Vector(Vector { ty: Some(ty.tokens.clone()), ..vector }))
            }
            _ => self.refuse(path, refuse::VECTOR_ARGUMENTS),
        }
    }

    /// `Unit::new_normalize(v)`, whose type is that of its argument.
    pub(super) fn unit_construction(&mut self, path: &Path, args: &[Value], places: &[&Expr]) -> Option<Flow> {
        let segments = &path.path.path.segments;
        let (function, ty) = (segments.last()?, segments.iter().nth_back(1)?);
        let (normalizes, [arg], [place]) = (function.ident == "new_normalize", args, places) else { return None };
        if ty.ident != "Unit" || !normalizes && function.ident != "new_unchecked" {
            return None;
        }
        let own = self.vector(arg)?;
        let Some(kind) = own.layout.unit_kind() else { return Some(self.refuse(path, refuse::VECTOR_ARGUMENTS)) };
        let elements = if normalizes { self.normalized(&own, place) } else { Ok(own.elements.clone()) };
        Some(elements.map(|elements| made(Layout { kind, ..own.layout }, elements)))
    }

    /// The shape of what these functions give of a passive vector.
    pub(super) fn unit_shape(&self, path: &Path, args: &[Value]) -> Option<Shape> {
        let segments = &path.path.path.segments;
        let (function, ty) = (segments.last()?, segments.iter().nth_back(1)?);
        if ty.ident != "Unit" || function.ident != "new_normalize" && function.ident != "new_unchecked" {
            return None;
        }
        let [Value::Passive(arg)] = args else { return None };
        let own = vector_type(arg)?;
        let kind = own.layout.unit_kind()?;
        let layout = Layout { kind, ..own.layout };
        Some(Shape::Vector(Box::new(VectorType::following(layout, &self.scalar, &own.claims()))))
    }

    /// What a formula makes of floats.
    fn of_floats(&mut self, formula: &'static str, layout: Layout, args: &[Operand<'_>]) -> Flow {
        let value = self.formula(formula, values(args), args[0].1)?;
        self.of_form(value, layout, args[0].1)
    }

    /// What a formula makes of a direction and an angle.
    fn of_axis(&mut self, formula: &'static str, layout: Layout, args: &[Operand<'_>]) -> Flow {
        let axis = Value::Array(self.seen(args[0], VectorKind::Unit, 3)?.elements.into());
        let value = self.formula(formula, vec![axis, args[1].0.clone()], args[0].1)?;
        self.of_form(value, layout, args[0].1)
    }

    /// What a formula makes of a direction times an angle.
    fn of_scaled_axis(&mut self, formula: &'static str, layout: Layout, axis: Operand<'_>) -> Flow {
        let vector = coordinates(&self.seen(axis, VectorKind::Matrix, 3)?);
        let value = self.formula_near(formula, Value::Array(vector.elements.into()), axis.1)?;
        self.of_form(value, layout, axis.1)
    }

    /// The rotation of an isometry of this form, by a direction times an angle, or by an angle in the plane.
    fn rotation_by(&mut self, layout: Layout, by: Operand<'_>) -> Flow<Vector> {
        let rotation = Layout::column(rotation_kind(layout), layout.rotation_count());
        let value = match rotation.kind {
            VectorKind::UnitComplex => self.of_floats("complex_of_angle", rotation, &[by]),
            _ => self.of_scaled_axis("quaternion_of_scaled_axis", rotation, by),
        }?;
        self.vector(&value).map_or_else(|| self.refuse(by.1, refuse::VECTOR_ARGUMENTS), Ok)
    }

    /// An isometry without a rotation.
    fn shift(&mut self, layout: Layout, args: &[Operand<'_>]) -> Flow {
        let (zero, one) = (self.number(0.0), self.number(1.0));
        let mut elements = vec![zero; layout.rotation_count()];
        let real = if layout.rotation_count() == 2 { 0 } else { 3 };
        elements[real] = one;
        elements.extend(values(args));
        Ok(made(layout, elements))
    }

    /// A number that is written here.
    pub(super) fn number(&mut self, number: f64) -> Value {
        let id = self.program.constant(Constant::Float(number));
        self.program.active(id)
    }
}

fn values(args: &[Operand<'_>]) -> Vec<Value> {
    args.iter().map(|(value, _)| (*value).clone()).collect()
}

/// What the rotation of an isometry of this form is.
fn rotation_kind(layout: Layout) -> VectorKind {
    if layout.rows == 4 { VectorKind::UnitComplex } else { VectorKind::UnitQuaternion }
}
