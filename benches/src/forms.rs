//! Forms other than value and Jacobian: by `#[jacobian]`, by num-dual, by dual numbers that are inlined, and by hand.

use std::array;
use std::hint::black_box;

use num_dual::{Dual2SVec64, Dual64, DualSVec64, HyperDualSVec64};

use crate::case::{
    HEART_DIPOLE, Maker, NEURONS, POLLUTION, PROPANE, QUADROTOR, REPROJECTION, ROBERTSON, ROE_FLUX, SATELLITE, UR5_FK,
    YIELD_CURVE, case, points,
};
use crate::column::{Column, Role, function, in_place, returned};
use crate::number::{Inlined, InlinedTwice, Number, Tangents, Twice};
use crate::{by_hand, functions, number, residuals, scalars};

/// A vector to multiply with.
fn seed<const N: usize>() -> [f64; N] {
    array::from_fn(|i| [0.5, -1.0, 2.0, 1.5, -0.25][i % 5])
}

/// The sum of the results, each times its weight.
#[inline(always)]
fn weighted<T: Number, const M: usize>(weights: &[f64; M], results: &[T; M]) -> T {
    let (first, others) = (results[0].scaled(weights[0]), results.iter().zip(weights).skip(1));
    others.fold(first, |sum, (result, weight)| sum + result.scaled(*weight))
}

/// The columns, and after them those of the tools whose code has been generated (`tools/generate.py`).
#[cfg(feature = "tools")]
macro_rules! with_tools {
    ($columns:expr, $points:expr, $rows:tt, $name:ident::$form:ident, |$compute:ident| $column:expr) => {{
        let mut columns = $columns;
        with_tools!(@ columns, $points, $rows, $name::$form, |$compute| $column, casadi "CasADi");
        with_tools!(@ columns, $points, $rows, $name::$form, |$compute| $column, symforce "SymForce");
        with_tools!(@ columns, $points, $rows, $name::$form, |$compute| $column, wrenfold "wrenfold");
        columns
    }};
    (@ $columns:ident, $points:expr, $rows:tt, $name:ident::$form:ident, |$compute:ident| $column:expr, $tool:ident $label:literal) => {
        $columns.push({
            use crate::tools::$name::$form::$tool as $compute;
            in_place::<_, _, $rows, _>($points, $label, Role::Other, $column)
        });
    };
}

#[cfg(not(feature = "tools"))]
macro_rules! with_tools {
    ($columns:expr, $($tools:tt)*) => {
        $columns
    };
}

/// The case of a form from what its columns are.
macro_rules! form {
    (
        $form:literal, $module:ident::$name:ident, $centre:expr, $rows:tt, [$($column:expr),+ $(,)?] $(, $own:expr)?
        $(; $tools:ident |$compute:ident| $by_tool:expr)?
    ) => {{
        let points = points($centre);
        let size = (points[0].len(), $module::$name::f(&points[0]).len());
        let columns: Vec<Column<_, _, $rows, _>> = vec![
            function(&points, $module::$name::f),
            $($column(&points),)+
            $(in_place::<_, _, $rows, _>(&points, "by hand", Role::ByHand, $own),)?
        ];
        $(let columns = with_tools!(columns, &points, $rows, $name::$tools, |$compute| $by_tool);)?
        case(concat!(stringify!($name), "_", $form), size, &points, columns)
    }};
}

macro_rules! jac_only {
    ($module:ident::$name:ident[$rows:literal], $centre:expr $(, $own:expr)? $(; $tools:ident)?) => {
        form!("jac_only", $module::$name, $centre, $rows, [
            |points| returned(points, "auto, by value", Role::Ours, $module::$name::f_jac_only, |rows| ([], rows)),
            |points| in_place(points, "auto, in place", Role::Ours, |x, _, rows| $module::$name::f_jac_only_into(x, rows)),
            |points| in_place(points, "num-dual", Role::Other, |x, _: &mut [f64; 0], rows| {
                let result = $module::$name::generic(&array::from_fn(|i| DualSVec64::variable(x[i], i)));
                for (row, entry) in rows.iter_mut().zip(result) {
                    *row = entry.derivatives();
                }
            }),
            |points| in_place(points, "inlined duals", Role::Other, |x, _: &mut [f64; 0], rows| {
                let result = $module::$name::generic(&array::from_fn(|i| Inlined::variable(x[i], i)));
                for (row, entry) in rows.iter_mut().zip(result) {
                    *row = entry.derivatives();
                }
            }),
        ] $(, |x, _, rows| $own(x, &mut [0.0; $rows], rows))? $(; $tools |compute| |x, _: &mut [f64; 0], rows| compute(x, rows))?)
    };
}

macro_rules! jvp {
    ($module:ident::$name:ident, $centre:expr $(, $own:expr)?) => {{
        let tangent = seed();
        form!("jvp", $module::$name, $centre, 1, [
            |points| {
                let compute = move |x: &_| $module::$name::f_jvp(x, black_box(&tangent));
                returned(points, "auto, by value", Role::Ours, compute, |(value, along)| (value, [along]))
            },
            |points| in_place(points, "auto, in place", Role::Ours, move |x, value, [along]| {
                $module::$name::f_jvp_into(x, black_box(&tangent), value, along);
            }),
            |points| in_place(points, "num-dual", Role::Other, move |x, value, [along]| {
                let tangent = black_box(&tangent);
                let result = $module::$name::generic(&array::from_fn(|i| Dual64::new(x[i], tangent[i])));
                for i in 0..value.len() {
                    (value[i], along[i]) = (result[i].re, result[i].eps);
                }
            }),
            |points| in_place(points, "inlined duals", Role::Other, move |x, value, [along]| {
                let tangent = black_box(&tangent);
                let variable = |i: usize| Inlined { value: x[i], derivatives: [tangent[i]] };
                let result = $module::$name::generic(&array::from_fn(variable));
                for i in 0..value.len() {
                    (value[i], [along[i]]) = (result[i].value, result[i].derivatives);
                }
            }),
        ] $(, move |x, value, [along]| $own(x, black_box(&tangent), value, along))?
        ; jvp |compute| move |x, value, [along]| compute(x, black_box(&tangent), value, along))
    }};
}

macro_rules! vjp {
    ($module:ident::$name:ident, $centre:expr $(, $own:expr)?) => {{
        let cotangent = seed();
        form!("vjp", $module::$name, $centre, 1, [
            |points| {
                let compute = move |x: &_| $module::$name::f_vjp(x, black_box(&cotangent));
                returned(points, "auto, by value", Role::Ours, compute, |(value, across)| (value, [across]))
            },
            |points| in_place(points, "auto, in place", Role::Ours, move |x, value, [across]| {
                $module::$name::f_vjp_into(x, black_box(&cotangent), value, across);
            }),
            |points| in_place(points, "num-dual", Role::Other, move |x, value, [across]| {
                let result = $module::$name::generic(&array::from_fn(|i| DualSVec64::variable(x[i], i)));
                *value = result.each_ref().map(Tangents::value);
                *across = weighted(black_box(&cotangent), &result).derivatives();
            }),
            |points| in_place(points, "inlined duals", Role::Other, move |x, value, [across]| {
                let result = $module::$name::generic(&array::from_fn(|i| Inlined::variable(x[i], i)));
                *value = result.each_ref().map(Tangents::value);
                *across = weighted(black_box(&cotangent), &result).derivatives();
            }),
        ] $(, move |x, value, [across]| $own(x, black_box(&cotangent), value, across))?
        ; vjp |compute| move |x, value, [across]| compute(x, black_box(&cotangent), value, across))
    }};
}

/// By dual numbers of second order: the variables have their entries in the directions, and the results have weights.
macro_rules! twice {
    ($label:literal, $number:ty, $rows:tt, $module:ident::$name:ident, $weights:expr, $entries:expr) => {
        |points| {
            in_place::<_, _, $rows, _>(points, $label, Role::Other, move |x, value, [gradient, rows @ ..]| {
                let entries = $entries;
                let result = $module::$name::generic(&array::from_fn(|i| <$number>::variable(x[i], i, entries(i))));
                *value = result.each_ref().map(Twice::value);
                let sum = weighted($weights, &result);
                (*gradient, *rows) = (sum.first(), sum.second());
            })
        }
    };
}

/// A single result has no weights.
macro_rules! hess {
    ($module:ident::$name:ident[$rows:literal], $centre:expr, weighted) => {{
        let weights = seed();
        hess!(@ $module::$name[$rows], $centre, [black_box(&weights)], black_box(&weights))
    }};
    ($module:ident::$name:ident[$rows:literal], $centre:expr $(, $own:expr)?) => {
        hess!(@ $module::$name[$rows], $centre, [], &[1.0] $(, $own)?)
    };
    (@ $module:ident::$name:ident[$rows:literal], $centre:expr, [$($given:expr)?], $weights:expr $(, $own:expr)?) => {
        form!("hess", $module::$name, $centre, $rows, [
            |points| {
                let compute = move |x: &_| $module::$name::f_hess(x $(, $given)?);
                returned(points, "auto, by value", Role::Ours, compute, |(value, gradient, hessian)| (value, rows(gradient, &hessian)))
            },
            |points| in_place::<_, _, $rows, _>(points, "auto, in place", Role::Ours, move |x, value, [gradient, hessian @ ..]| {
                $module::$name::f_hess_into(x, $($given,)? value, gradient, hessian);
            }),
            twice!("num-dual", Dual2SVec64<_>, $rows, $module::$name, $weights, |_| [0.0; _]),
            twice!("inlined duals", InlinedTwice<_, _>, $rows, $module::$name, $weights, number::unit),
        ] $(, |x, value, [gradient, hessian @ ..]| $own(x, value, gradient, hessian))?
        ; hess |compute| move |x, value, [gradient, hessian @ ..]| compute(x, $($given,)? value, gradient, hessian))
    };
}

macro_rules! hvp {
    ($module:ident::$name:ident, $centre:expr, weighted) => {{
        let weights = seed();
        hvp!(@ $module::$name, $centre, [black_box(&weights)], black_box(&weights))
    }};
    ($module:ident::$name:ident, $centre:expr $(, $own:expr)?) => {
        hvp!(@ $module::$name, $centre, [], &[1.0] $(, $own)?)
    };
    (@ $module:ident::$name:ident, $centre:expr, [$($given:expr)?], $weights:expr $(, $own:expr)?) => {{
        let direction = seed();
        form!("hvp", $module::$name, $centre, 2, [
            |points| {
                let compute = move |x: &_| $module::$name::f_hvp(x, $($given,)? black_box(&direction));
                returned(points, "auto, by value", Role::Ours, compute, |(value, gradient, product)| (value, [gradient, product]))
            },
            |points| in_place(points, "auto, in place", Role::Ours, move |x, value, [gradient, product]| {
                $module::$name::f_hvp_into(x, $($given,)? black_box(&direction), value, gradient, product);
            }),
            twice!("num-dual", HyperDualSVec64<_, 1>, 2, $module::$name, $weights, {
                let direction = black_box(&direction);
                |i: usize| [direction[i]]
            }),
            twice!("inlined duals", InlinedTwice<_, 1>, 2, $module::$name, $weights, {
                let direction = black_box(&direction);
                |i: usize| [direction[i]]
            }),
        ] $(, move |x, value, [gradient, product]| $own(x, black_box(&direction), value, gradient, product))?
        ; hvp |compute| move |x, value, [gradient, product]| {
            compute(x, $($given,)? black_box(&direction), value, gradient, product);
        })
    }};
}

/// The normal equations: by the form, and as products with a Jacobian that is computed before.
macro_rules! normal {
    ($module:ident::$name:ident[$rows:literal], $centre:expr) => {
        form!(
            "normal",
            $module::$name,
            $centre,
            $rows,
            [
                |points| returned(
                    points,
                    "auto, by value",
                    Role::Ours,
                    $module::$name::f_normal,
                    |(value, gradient, normal)| { (value, rows(gradient, &normal)) }
                ),
                |points| in_place::<_, _, $rows, _>(
                    points,
                    "auto, in place",
                    Role::Ours,
                    |x, value, [gradient, normal @ ..]| {
                        $module::$name::f_normal_into(x, value, gradient, normal);
                    }
                ),
                |points| in_place::<_, _, $rows, _>(
                    points,
                    "jac, then products",
                    Role::Other,
                    |x, value, [gradient, normal @ ..]| {
                        let mut jacobian = [[0.0; _]; _];
                        $module::$name::f_jac_into(x, value, &mut jacobian);
                        multiplied(value, &jacobian, gradient, normal);
                    }
                ),
                |points| in_place::<_, _, $rows, _>(
                    points,
                    "num-dual",
                    Role::Other,
                    |x, value, [gradient, normal @ ..]| {
                        let result = $module::$name::generic(&array::from_fn(|i| DualSVec64::variable(x[i], i)));
                        *value = result.each_ref().map(Tangents::value);
                        multiplied(value, &result.each_ref().map(Tangents::derivatives), gradient, normal);
                    }
                ),
                |points| in_place::<_, _, $rows, _>(
                    points,
                    "inlined duals",
                    Role::Other,
                    |x, value, [gradient, normal @ ..]| {
                        let result = $module::$name::generic(&array::from_fn(|i| Inlined::variable(x[i], i)));
                        *value = result.each_ref().map(Tangents::value);
                        multiplied(value, &result.each_ref().map(Tangents::derivatives), gradient, normal);
                    }
                ),
            ]
        )
    };
}

/// The gradient `Jᵀ r` and the rows of `Jᵀ J`, whose other half is that above the diagonal.
#[inline(always)]
fn multiplied<const N: usize, const M: usize>(
    value: &[f64; M],
    jacobian: &[[f64; N]; M],
    gradient: &mut [f64; N],
    normal: &mut [[f64; N]; N],
) {
    for i in 0..N {
        gradient[i] = (0..M).map(|row| jacobian[row][i] * value[row]).sum();
        for j in 0..=i {
            let product = (0..M).map(|row| jacobian[row][i] * jacobian[row][j]).sum();
            (normal[i][j], normal[j][i]) = (product, product);
        }
    }
}

/// A gradient, and after it the rows of a Hessian.
fn rows<const N: usize, const R: usize>(gradient: [f64; N], hessian: &[[f64; N]; N]) -> [[f64; N]; R] {
    array::from_fn(|row| if row == 0 { gradient } else { hessian[row - 1] })
}

const ROSENBROCK: [f64; 8] = [-1.2, 1.0, 0.8, -0.5, 1.3, 0.6, 1.1, -0.9];
const BLACK_SCHOLES: [f64; 5] = [100.0, 95.0, 0.03, 0.25, 0.8];
const POSE_CHAIN: [f64; 18] =
    [0.1, 0.2, 0.05, 1.1, 0.3, 0.2, 2.0, 0.6, 0.5, 2.8, 1.2, 0.7, 3.5, 1.9, 0.9, 4.0, 2.8, 1.1];
const LENNARD_JONES: [f64; 9] = [0.1, 0.2, -0.1, 1.2, 0.1, 0.3, 0.5, 1.1, -0.2];

/// By form, the functions.
pub const FORMS: &[(&str, &[Maker])] = &[
    (
        "jac_only",
        &[
            ("ur5_fk_jac_only", || jac_only!(functions::ur5_fk[12], UR5_FK)),
            ("roe_flux_jac_only", || jac_only!(functions::roe_flux[3], ROE_FLUX)),
            (
                "heart_dipole_jac_only",
                || jac_only!(functions::heart_dipole[8], HEART_DIPOLE, by_hand::heart_dipole; jac_only),
            ),
            ("propane_jac_only", || jac_only!(functions::propane[11], PROPANE, by_hand::propane; jac_only)),
            ("ba_reproj_jac_only", || jac_only!(functions::ba_reproj[2], REPROJECTION)),
            ("robertson_jac_only", || jac_only!(functions::robertson[3], ROBERTSON)),
            ("satellite_jac_only", || jac_only!(functions::satellite[6], SATELLITE)),
            ("yield_curve_jac_only", || jac_only!(functions::yield_curve[8], YIELD_CURVE)),
            ("neurons_jac_only", || jac_only!(functions::neurons[8], NEURONS)),
            ("quadrotor_jac_only", || jac_only!(functions::quadrotor[13], QUADROTOR)),
            ("pollution_jac_only", || jac_only!(functions::pollution[20], POLLUTION; jac_only)),
        ],
    ),
    (
        "jvp",
        &[
            ("rosenbrock_jvp", || jvp!(scalars::rosenbrock, ROSENBROCK, by_hand::rosenbrock_jvp)),
            ("black_scholes_jvp", || jvp!(scalars::black_scholes, BLACK_SCHOLES)),
            ("lennard_jones_jvp", || jvp!(scalars::lennard_jones, LENNARD_JONES, by_hand::lennard_jones_jvp)),
            ("squared_reprojection_jvp", || jvp!(scalars::squared_reprojection, REPROJECTION)),
            ("quadrotor_jvp", || jvp!(functions::quadrotor, QUADROTOR)),
            ("pollution_jvp", || jvp!(functions::pollution, POLLUTION)),
        ],
    ),
    (
        "vjp",
        &[
            ("rosenbrock_vjp", || vjp!(scalars::rosenbrock, ROSENBROCK, by_hand::rosenbrock_vjp)),
            ("black_scholes_vjp", || vjp!(scalars::black_scholes, BLACK_SCHOLES)),
            ("lennard_jones_vjp", || vjp!(scalars::lennard_jones, LENNARD_JONES, by_hand::lennard_jones_vjp)),
            ("squared_reprojection_vjp", || vjp!(scalars::squared_reprojection, REPROJECTION)),
            ("quadrotor_vjp", || vjp!(functions::quadrotor, QUADROTOR)),
            ("pollution_vjp", || vjp!(functions::pollution, POLLUTION)),
        ],
    ),
    (
        "hess",
        &[
            ("rosenbrock_hess", || hess!(scalars::rosenbrock[9], ROSENBROCK, by_hand::rosenbrock_hess)),
            ("black_scholes_hess", || hess!(scalars::black_scholes[6], BLACK_SCHOLES)),
            ("lennard_jones_hess", || hess!(scalars::lennard_jones[10], LENNARD_JONES, by_hand::lennard_jones_hess)),
            ("squared_reprojection_hess", || hess!(scalars::squared_reprojection[13], REPROJECTION)),
            ("quadrotor_hess", || hess!(functions::quadrotor[18], QUADROTOR, weighted)),
            ("pollution_hess", || hess!(functions::pollution[21], POLLUTION, weighted)),
        ],
    ),
    (
        "hvp",
        &[
            ("rosenbrock_hvp", || hvp!(scalars::rosenbrock, ROSENBROCK, by_hand::rosenbrock_hvp)),
            ("black_scholes_hvp", || hvp!(scalars::black_scholes, BLACK_SCHOLES)),
            ("lennard_jones_hvp", || hvp!(scalars::lennard_jones, LENNARD_JONES, by_hand::lennard_jones_hvp)),
            ("squared_reprojection_hvp", || hvp!(scalars::squared_reprojection, REPROJECTION)),
            ("quadrotor_hvp", || hvp!(functions::quadrotor, QUADROTOR, weighted)),
            ("pollution_hvp", || hvp!(functions::pollution, POLLUTION, weighted)),
        ],
    ),
    (
        "normal",
        &[
            ("reprojection_normal", || normal!(residuals::reprojection[13], REPROJECTION)),
            ("pose_chain_normal", || normal!(residuals::pose_chain[19], POSE_CHAIN)),
        ],
    ),
];
