//! `determinant` and `try_inverse`: nalgebra's closed forms.

use super::super::super::refuse;
use super::super::super::syntax::Expr;
use super::super::Lowering;
use super::super::control::Flow;
use super::super::optional::{Found, Optional, Test};
use super::super::value::{Value, Vector};
use super::factor::Solver;
use super::geometry::made;

impl Lowering<'_> {
    pub(super) fn determinant(&mut self, own: &Vector, place: &Expr) -> Flow {
        match (own.layout.rows, own.layout.columns) {
            (1, 1) => Ok(own.elements[0].clone()),
            (2, 2) => self.computed("determinant_2", &[own], place),
            (3, 3) => self.computed("determinant_3", &[own], place),
            (4, 4) => self.determinant_by_pivots(own, place),
            (rows, columns) if rows == columns => self.refuse(place, refuse::LARGE_DETERMINANT),
            _ => self.refuse(place, refuse::NOT_SQUARE),
        }
    }

    pub(super) fn try_inverse(&mut self, own: &Vector, place: &Expr) -> Flow {
        let (matrix, test) = match (own.layout.rows, own.layout.columns) {
            (rows, columns) if rows != columns => return self.refuse(place, refuse::NOT_SQUARE),
            (1..=3, _) => (own.clone(), self.determinant(own, place)?),
            (4, _) => {
                let cofactors = self.made_by("cofactors_4", &[own], own.layout, place)?;
                let Some(cofactors) = self.vector(&cofactors) else { return Ok(cofactors) };
                let determinant = self.computed("determinant_by_cofactors", &[own, &cofactors], place)?;
                (cofactors, determinant)
            }
            _ => return self.inverse_by(Solver::Inverse, own, place).map(Value::optional),
        };
        Ok(Value::optional(Optional { found: Found::Inverse(matrix, test.clone()), test: Test::NotZero(test) }))
    }

    /// The inverse of a matrix, or that of which these are the cofactors, by the determinant.
    pub(in super::super) fn inverse(&mut self, matrix: &Vector, determinant: &Value, place: &Expr) -> Flow {
        let formula = ["inverse_1", "inverse_2", "inverse_3", "inverse_4"][matrix.layout.rows - 1];
        let elements = Value::Array(matrix.elements.clone().into());
        match self.formula(formula, vec![elements, determinant.clone()], place)? {
            Value::Array(elements) => Ok(made(matrix.layout, elements.to_vec())),
            other => Ok(other),
        }
    }
}
