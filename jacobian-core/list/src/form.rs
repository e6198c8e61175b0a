//! Forms: what is computed of a function `f` and of its derivatives.
//!
//! A form is a matter of the graph, not of code beside it. A product with the Jacobian has one source or one sink more
//! than the function, whose edges are labelled by the *seed*, the vector that `J` is multiplied by; what is eliminated,
//! scheduled, packed and fused then, is done as for `J` itself. A form without the results of `f` does not declare
//! them, so that what only they need is dead code. Second derivatives are those of the gradient of the sum of the
//! results, weighted with `w`, whose graph is symmetric (`linearize/gradient.rs`).

/// What is computed.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Form {
    /// The results of `f`, and `J` row by row.
    #[default]
    Jacobian,
    /// `J` alone.
    JacobianOnly,
    /// The results of `f`, and `J v`, an entry for each of them. The seed is the tangent `v`.
    TangentProduct,
    /// The results of `f`, and `Jᵀ w`, an entry for each independent. The seed is the cotangent `w`.
    CotangentProduct,
    /// The results of `f`, the gradient of their weighted sum, and its Hessian row by row, which is symmetric bit for
    /// bit. The seed is the weights `w`; a single result has none.
    Hessian,
    /// The results of `f`, the gradient of their weighted sum, and the product of its Hessian with a direction `v`. The
    /// seed is `v`, then the weights `w`; a single result has none.
    HessianProduct,
    /// The results `r` of `f`, `Jᵀ r`, and `Jᵀ J`, which is symmetric bit for bit: the normal equations of a
    /// least-squares problem whose residuals are the results.
    NormalEquations,
    /// The results of `f`, and the labels of a graph with few edges that stands for `J`: what the products of the next
    /// two forms take.
    Labels,
    /// `J v` from the labels. The seed is the tangent `v`, then the labels; `f` has no part in it.
    LabelsTangentProduct,
    /// `Jᵀ w` from the labels. The seed is the cotangent `w`, then the labels; `f` has no part in it.
    LabelsCotangentProduct,
}

/// The names of the forms, in the order of their variants.
pub const FORMS: &[(&str, Form)] = &[
    ("jac", Form::Jacobian),
    ("jac_only", Form::JacobianOnly),
    ("jvp", Form::TangentProduct),
    ("vjp", Form::CotangentProduct),
    ("hess", Form::Hessian),
    ("hvp", Form::HessianProduct),
    ("normal", Form::NormalEquations),
    ("lin", Form::Labels),
    ("lin_jvp", Form::LabelsTangentProduct),
    ("lin_vjp", Form::LabelsCotangentProduct),
];

impl Form {
    /// Its name.
    pub fn name(self) -> &'static str {
        let mut rows = FORMS.iter().filter(|(_, form)| *form == self);
        rows.next().map_or("", |(name, _)| name)
    }

    /// Whether the results of the function are outputs.
    pub fn has_values(self) -> bool {
        self != Form::JacobianOnly && !self.is_of_labels()
    }

    /// Whether it is computed from labels alone.
    pub fn is_of_labels(self) -> bool {
        matches!(self, Form::LabelsTangentProduct | Form::LabelsCotangentProduct)
    }

    /// How many derivatives it gives of a function with this many results and independents, where that depends on
    /// nothing else.
    pub fn entries(self, rows: usize, columns: usize) -> usize {
        match self {
            Form::Jacobian | Form::JacobianOnly => rows.saturating_mul(columns),
            Form::TangentProduct | Form::LabelsTangentProduct => rows,
            Form::CotangentProduct | Form::LabelsCotangentProduct => columns,
            Form::Labels => 0,
            Form::Hessian | Form::NormalEquations => columns.saturating_mul(columns.saturating_add(1)),
            Form::HessianProduct => columns.saturating_mul(2),
        }
    }

    /// Whether it gives a matrix, which can be stored in several ways.
    pub fn has_matrix(self) -> bool {
        match self {
            Form::Jacobian | Form::JacobianOnly | Form::Hessian | Form::NormalEquations => true,
            Form::TangentProduct | Form::CotangentProduct | Form::HessianProduct => false,
            Form::Labels | Form::LabelsTangentProduct | Form::LabelsCotangentProduct => false,
        }
    }

    /// Whether second derivatives are computed.
    pub fn is_second_order(self) -> bool {
        matches!(self, Form::Hessian | Form::HessianProduct)
    }
}
