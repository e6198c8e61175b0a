//! Charts: coordinates of a point on a manifold that are differentiated by what they do on the manifold.
//!
//! The coordinates `x` of a rotation are more than its degrees of freedom. Its *tangent* at `x` are the directions
//! `d` of `x * exp(d)`: a perturbation on the right, in the frame of the body. The graph has a source for each of them
//! before the vertices of the coordinates, with the derivative of the coordinates at `d = 0` on the edges between. So
//! the tangents are columns, every form and every strategy applies, and the derivative of the retraction is folded into
//! the elimination. The value is not retracted: it is that at `x`, bit for bit.

/// A manifold, and the coordinates of a point on it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Manifold {
    /// Rotations of the plane: complex numbers of modulus one. The tangent is the angle.
    Circle,
    /// Rotations of the plane and then a translation: the complex number, `x`, `y`. The tangent is the angle, then the
    /// translation, in the frame of the body.
    Plane,
    /// Rotations of space: quaternions of length one, `i`, `j`, `k`, `w`. The tangent is the rotation vector.
    Sphere,
    /// Rotations of space and then a translation: the quaternion, `x`, `y`, `z`. The tangent is the rotation vector,
    /// then the translation, in the frame of the body.
    Space,
    /// Rotations of space as matrices, column by column. The tangent is the rotation vector.
    Matrices,
}

/// The names of coordinates, and by coordinate its derivatives by the tangents.
pub type Table = (&'static [&'static str], &'static [&'static [&'static str]]);

const CIRCLE: Table = (&["re", "im"], &[&["-im"], &["re"]]);

const PLANE: Table =
    (&["re", "im", "x", "y"], &[&["-im", "0", "0"], &["re", "0", "0"], &["0", "re", "-im"], &["0", "im", "re"]]);

const SPHERE: Table = (
    &["i", "j", "k", "w"],
    &[
        &["0.5 * w", "-(0.5 * k)", "0.5 * j"],
        &["0.5 * k", "0.5 * w", "-(0.5 * i)"],
        &["-(0.5 * j)", "0.5 * i", "0.5 * w"],
        &["-(0.5 * i)", "-(0.5 * j)", "-(0.5 * k)"],
    ],
);

const SPACE: Table = (
    &["i", "j", "k", "w", "x", "y", "z"],
    &[
        &["0.5 * w", "-(0.5 * k)", "0.5 * j", "0", "0", "0"],
        &["0.5 * k", "0.5 * w", "-(0.5 * i)", "0", "0", "0"],
        &["-(0.5 * j)", "0.5 * i", "0.5 * w", "0", "0", "0"],
        &["-(0.5 * i)", "-(0.5 * j)", "-(0.5 * k)", "0", "0", "0"],
        &["0", "0", "0", "1 - 2 * (j * j + k * k)", "2 * (i * j - w * k)", "2 * (i * k + w * j)"],
        &["0", "0", "0", "2 * (i * j + w * k)", "1 - 2 * (i * i + k * k)", "2 * (j * k - w * i)"],
        &["0", "0", "0", "2 * (i * k - w * j)", "2 * (j * k + w * i)", "1 - 2 * (i * i + j * j)"],
    ],
);

const MATRICES: Table = (
    &["a", "b", "c", "d", "e", "f", "g", "h", "i"],
    &[
        &["0", "-g", "d"],
        &["0", "-h", "e"],
        &["0", "-i", "f"],
        &["g", "0", "-a"],
        &["h", "0", "-b"],
        &["i", "0", "-c"],
        &["-d", "a", "0"],
        &["-e", "b", "0"],
        &["-f", "c", "0"],
    ],
);

impl Manifold {
    /// The names of its coordinates, and by coordinate the derivatives by the tangents.
    pub fn table(self) -> Table {
        match self {
            Manifold::Circle => CIRCLE,
            Manifold::Plane => PLANE,
            Manifold::Sphere => SPHERE,
            Manifold::Space => SPACE,
            Manifold::Matrices => MATRICES,
        }
    }

    /// By tangent: one divided by the square of the length of the derivative of the coordinates.
    pub fn factors(self) -> &'static [f64] {
        match self {
            Manifold::Circle => &[1.0],
            Manifold::Plane => &[1.0; 3],
            Manifold::Sphere => &[4.0; 3],
            Manifold::Space => &[4.0, 4.0, 4.0, 1.0, 1.0, 1.0],
            Manifold::Matrices => &[0.5; 3],
        }
    }

    /// The number of coordinates.
    pub fn coordinates(self) -> usize {
        self.table().0.len()
    }

    /// The number of degrees of freedom, and so of columns.
    pub fn tangents(self) -> usize {
        self.table().1[0].len()
    }
}

/// The inputs and the outputs of a function that are coordinates.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Charts {
    /// The inputs, in their order: the columns are those of their tangents.
    pub inputs: Vec<Chart>,
    /// The outputs, in their order: the rows are those of their tangents, the logarithms of `x⁻¹ * y` for `y` near `x`.
    pub outputs: Vec<Chart>,
}

impl Charts {
    /// There are no coordinates.
    pub const NONE: &Charts = &Charts { inputs: Vec::new(), outputs: Vec::new() };

    /// Whether there are no coordinates.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty() && self.outputs.is_empty()
    }
}

/// Inputs or outputs, one after the other, that are the coordinates of a point on a manifold.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Chart {
    /// The position of the first of them.
    pub first: usize,
    /// The manifold.
    pub manifold: Manifold,
}

impl Chart {
    /// That of the input or output at this position, if it is in one.
    pub fn of(charts: &[Chart], position: usize) -> Option<Chart> {
        let is_in = |chart: &&Chart| (chart.first..chart.first + chart.manifold.coordinates()).contains(&position);
        charts.iter().find(is_in).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::{self, Expression};

    #[test]
    fn every_partial_is_an_expression_over_the_coordinates() {
        for manifold in [Manifold::Circle, Manifold::Plane, Manifold::Sphere, Manifold::Space, Manifold::Matrices] {
            let (names, rows) = manifold.table();
            assert_eq!((rows.len(), manifold.coordinates()), (names.len(), names.len()));
            for partials in rows {
                assert_eq!(partials.len(), manifold.tangents());
                for partial in *partials {
                    check(&expression::parse(partial).unwrap(), names);
                }
            }
        }
    }

    fn check(expression: &Expression, names: &[&str]) {
        match expression {
            Expression::Number(_) => {}
            Expression::Name(name) => assert!(names.contains(&name.as_str()), "{name}"),
            Expression::Apply(_, operands) => operands.iter().for_each(|operand| check(operand, names)),
        }
    }
}
