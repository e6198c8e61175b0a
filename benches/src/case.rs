//! The rows of the table: the functions, each with its columns, checked.

use ad_trait::forward_ad::adfn::adfn;
use num_dual::DualSVec64;

use crate::column::{self, Both, Column, Points, Role};
use crate::number::{Inlined, Tangents};
use crate::{by_hand, calls, functions};

/// Points at which a function is evaluated.
const POINTS: usize = 16;

/// The largest difference from the dual numbers, relative to the largest entry of the column: of what is exact, and of
/// differences of values.
const EXACT: f64 = 1e-11;
const APPROXIMATE: f64 = 1e-4;

/// A function and the ways to compute its derivatives.
pub struct Case {
    /// The name of the function.
    pub name: &'static str,
    /// The numbers of columns and rows of the Jacobian.
    pub size: (usize, usize),
    /// The ways.
    pub ways: Vec<Way>,
}

/// A column, whatever the sizes.
pub struct Way {
    /// What it is called in the table.
    pub name: String,
    /// What it computes by.
    pub role: Role,
    /// Computes value and derivatives at every point, this many times.
    pub repeat: Box<dyn Fn(usize)>,
    /// What was wrong with it.
    pub failure: Option<String>,
}

/// The number of points that one pass goes through.
pub fn points_of_a_pass() -> usize {
    POINTS
}

/// The points of a function: around a centre, by a twentieth of each coordinate at most.
pub fn points<const N: usize>(centre: [f64; N]) -> Points<N> {
    let mut state = 1u64;
    let mut uniform = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..POINTS).map(|_| centre.map(|x| x * (1.0 + 0.05 * uniform()))).collect()
}

/// Checks the columns against the dual numbers of num-dual.
pub fn case<const N: usize, const V: usize, const R: usize, const C: usize>(
    name: &'static str,
    size: (usize, usize),
    points: &Points<N>,
    columns: Vec<Column<N, V, R, C>>,
) -> Case {
    checked_within(EXACT, name, size, points, columns)
}

/// The same where this is the largest difference, relative to the largest entry of a column.
pub fn checked_within<const N: usize, const V: usize, const R: usize, const C: usize>(
    exact: f64,
    name: &'static str,
    size: (usize, usize),
    points: &Points<N>,
    columns: Vec<Column<N, V, R, C>>,
) -> Case {
    let reference = columns.iter().find(|column| column.name == "num-dual").expect("the reference is a column");
    let function = columns.iter().find(|column| column.role == Role::Function).expect("the function is a column");
    let expected: Vec<_> = points.iter().map(|x| ((function.evaluate)(x).0, (reference.evaluate)(x).1)).collect();
    let failures: Vec<_> = columns
        .iter()
        .map(|column| points.iter().zip(&expected).find_map(|(x, expected)| difference(exact, column, x, expected)))
        .collect();
    let way = |(column, failure): (Column<N, V, R, C>, Option<String>)| Way {
        name: column.name,
        role: column.role,
        repeat: column.repeat,
        failure,
    };
    Case { name, size, ways: columns.into_iter().zip(failures).map(way).collect() }
}

/// Where a column disagrees with what is expected: ours with the value of the function in any bit.
fn difference<const N: usize, const V: usize, const R: usize, const C: usize>(
    exact: f64,
    column: &Column<N, V, R, C>,
    x: &[f64; N],
    (value, derivatives): &Both<V, R, C>,
) -> Option<String> {
    let (own_value, own) = (column.evaluate)(x);
    for i in 0..V {
        let is_same = own_value[i].to_bits() == value[i].to_bits();
        let is_near = (own_value[i] - value[i]).abs() <= exact * value[i].abs().max(1.0);
        if !is_same && (column.role == Role::Ours || !is_near) {
            return Some(format!("value {i} is {}, not {}, at {x:?}", own_value[i], value[i]));
        }
    }
    let tolerance = match column.role {
        Role::Function => return None,
        Role::Differences => APPROXIMATE,
        Role::Ours | Role::Other | Role::ByHand => exact,
    };
    for j in 0..C {
        let scale = derivatives.iter().fold(0.0_f64, |scale, row| scale.max(row[j].abs()));
        for i in 0..R {
            let is_near = (own[i][j] - derivatives[i][j]).abs() <= tolerance * scale;
            if !is_near {
                return Some(format!("entry {i}, {j} is {}, not {}, at {x:?}", own[i][j], derivatives[i][j]));
            }
        }
    }
    None
}

/// The columns of a function: by the strategies that it is differentiated by, then those that all have, then its own.
macro_rules! case {
    ($name:ident, $centre:expr $(, $own:expr)*) => {
        case!(@ functions, $name, $centre, [
            "auto" auto auto_into, "forward" forward forward_into, "reverse" reverse reverse_into,
            "markowitz" markowitz markowitz_into, "vlr" vlr vlr_into
        ] $(, $own)*)
    };
    (@ $module:ident, $name:ident, $centre:expr, [$($order:literal $jac:ident $into:ident),+] $(, $own:expr)*) => {{
        use $module::$name as function;
        let points = points($centre);
        let columns = vec![
            column::function(&points, function::f),
            $(
                column::returned(&points, concat!($order, ", by value"), Role::Ours, function::$jac, |both| both),
                column::in_place(&points, concat!($order, ", in place"), Role::Ours, function::$into),
            )+
            duals!(points, "num-dual", DualSVec64<_>, function::generic),
            duals!(points, "ad_trait", adfn<_>, function::generic),
            column::echidna(&points, |x| function::generic(x)),
            duals!(points, "inlined duals", Inlined<_>, function::generic),
            column::differences(&points, function::f),
            $(column::in_place(&points, "by hand", Role::ByHand, $own),)*
        ];
        let size = (points[0].len(), function::f(&points[0]).len());
        case(stringify!($name), size, &points, columns)
    }};
}

/// The same by the schedules that its statements are written in.
macro_rules! scheduled {
    ($name:ident, $centre:expr) => {
        case!(@ calls, $name, $centre, [
            "source" source source_into, "latency" latency latency_into,
            "depth-first" depth_first depth_first_into, "list" list list_into, "pressure" pressure pressure_into
        ])
    };
}

/// Dual numbers with a derivative for every variable. It is a macro so that the function is called where its arguments
/// are made, which the compiler makes better code of.
macro_rules! duals {
    ($points:expr, $name:literal, $number:ty, $generic:path) => {
        column::in_place(&$points, $name, Role::Other, |x, value, jacobian| {
            let result = $generic(&std::array::from_fn(|i| <$number>::variable(x[i], i)));
            for i in 0..value.len() {
                (value[i], jacobian[i]) = (result[i].value(), result[i].derivatives());
            }
        })
    };
}

/// A function by name, and what makes its case.
pub type Maker = (&'static str, fn() -> Case);

/// Centres of the points of the functions that more than one table has.
pub const UR5_FK: [f64; 6] = [0.3, -1.1, 0.7, 0.4, -0.9, 1.3];
pub const ROE_FLUX: [f64; 6] = [1.0, 0.6, 2.5, 0.8, 0.3, 2.0];
pub const ROBERTSON: [f64; 3] = [0.9, 2e-5, 0.1];
pub const SATELLITE: [f64; 6] = [0.9, -0.5, 0.6, 0.2, 0.7, -0.3];
pub const YIELD_CURVE: [f64; 6] = [0.04, -0.02, 0.015, 0.02, 1.4, 6.0];
pub const NEURONS: [f64; 8] = [0.5, -0.3, 0.8, 0.2, -0.7, 0.4, 0.9, -0.1];
pub const HEART_DIPOLE: [f64; 8] = [0.3, 0.2, -0.4, 0.5, -1.1, 0.7, 0.9, -0.6];
pub const PROPANE: [f64; 11] = [0.5, 2.6, 19.0, 0.7, 1.2, 0.3, 0.8, 0.1, 1.9, 0.2, 27.0];
pub const REPROJECTION: [f64; 12] = [0.2, -0.3, 0.5, 0.1, -0.4, -3.0, 700.0, -0.1, 0.02, 0.6, -0.8, 0.9];
pub const QUADROTOR: [f64; 17] =
    [0.1, 0.2, 1.5, 0.5, -0.2, 0.1, 0.95, 0.1, -0.2, 0.15, 0.3, -0.4, 0.2, 1.3, 1.2, 1.25, 1.1];
pub const POLLUTION: [f64; 20] = [
    0.06, 0.14, 5e-9, 5e-3, 3e-7, 2e-7, 0.08, 0.35, 8e-3, 1e-7, 1e-8, 0.2, 6e-3, 1e-5, 5e-5, 1e-13, 6e-3, 2e-4, 9e-5,
    6e-4,
];

/// All functions.
pub const CASES: &[Maker] = &[
    ("ur5_fk", || case!(ur5_fk, UR5_FK)),
    ("roe_flux", || case!(roe_flux, ROE_FLUX)),
    ("heart_dipole", || case!(heart_dipole, HEART_DIPOLE, by_hand::heart_dipole)),
    ("propane", || case!(propane, PROPANE, by_hand::propane)),
    ("ba_reproj", || case!(ba_reproj, REPROJECTION)),
    ("robertson", || case!(robertson, ROBERTSON)),
    ("satellite", || case!(satellite, SATELLITE)),
    ("yield_curve", || case!(yield_curve, YIELD_CURVE)),
    ("neurons", || case!(neurons, NEURONS)),
    ("quadrotor", || case!(quadrotor, QUADROTOR)),
    ("pollution", || case!(pollution, POLLUTION)),
    #[cfg(feature = "chain")]
    (
        "chain_1000",
        || case!(@ functions, chain_1000, [0.3, 0.5, -0.7, 0.9, 1.1, -0.4, 0.6, 0.8], ["auto" auto auto_into]),
    ),
];

/// The functions whose statements are written in several orders.
pub const SCHEDULED: &[Maker] = &[
    ("sabr", || scheduled!(sabr, [0.3, 0.6, -0.2, 0.4])),
    ("black_scholes", || scheduled!(black_scholes, [100.0, 95.0, 0.03, 0.25, 0.8])),
    ("geodetic", || scheduled!(geodetic, [3.2, 1.4, 5.1])),
    ("kepler", || scheduled!(kepler, [1.2, 0.2, 0.5, 0.7, 1.1, 0.9])),
    ("strapdown", || scheduled!(strapdown, [0.9, 0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 10.0, -20.0, 30.0, 0.5, 0.7, 9.6])),
    ("fisheye", || scheduled!(fisheye, [0.3, -0.2, 0.4, 0.5, -0.1, 0.2, 0.7, 0.4, 2.1])),
    ("troe", || scheduled!(troe, [0.7, 0.4, 0.3, 0.5, 900.0])),
    ("circuit", || scheduled!(circuit, [0.6, 0.3, 0.1, 1e-9, 0.0258, 0.01])),
    ("peng_robinson", || scheduled!(peng_robinson, [320.0, 0.002, 0.4, 0.6])),
    ("softmax", || scheduled!(softmax, [0.7, -0.4, 0.3, 0.5, -0.9, 0.2])),
];
