//! Proves that the derivatives at the edges are the documented ones: at kinks, at the ends of domains, at signed zeros,
//! infinities and NaN, where a formula overflows or cancels, and where a structural zero meets an infinity. One table
//! of rows for each precision and one for both; a new edge is a new row.

use jacobian_core::{CodeList, Strategy, differentiate};
use jacobian_lab::check::float_values;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// How far a partial that is neither 0, 1, infinite nor NaN may be from what the table says, in units of round-off.
const UNITS: f64 = 16.0;

/// A function of `x`, `y`, `z`, with what is passive in it; a point; its partials there.
type Edge = (&'static str, &'static [f64], &'static [f64]);

/// Edges of `f64` and `f32` alike. An `n` or `k` in the function is passive, its value comes after the point.
const BOTH: &[Edge] = &[
    // powf: the table of its edges, in both arguments, in one of them, with a known exponent and a passive one.
    ("powf(x, y)", &[0.0, 2.0], &[0.0, 0.0]),
    ("powf(x, y)", &[0.0, 1.0], &[1.0, 0.0]),
    ("powf(x, y)", &[0.0, 0.5], &[INF, 0.0]),
    ("powf(x, y)", &[0.0, 0.0], &[0.0, 0.0]),
    ("powf(x, y)", &[0.0, -1.0], &[-INF, NAN]),
    ("powf(x, y)", &[-2.0, 2.0], &[-4.0, NAN]),
    ("powf(x, 2)", &[0.0], &[0.0]),
    ("powf(x, 1)", &[0.0], &[1.0]),
    ("powf(x, 0.5)", &[0.0], &[INF]),
    ("powf(x, 0)", &[0.0], &[0.0]),
    ("powf(x, -1)", &[0.0], &[-INF]),
    ("powf(x, 2)", &[-2.0], &[-4.0]),
    ("powf(x, 3)", &[-2.0], &[12.0]),
    ("powf(x, k)", &[0.0, 2.0], &[0.0]),
    ("powf(x, k)", &[0.0, 1.0], &[1.0]),
    ("powf(x, k)", &[0.0, 0.5], &[INF]),
    ("powf(x, k)", &[0.0, 0.0], &[0.0]),
    ("powf(x, k)", &[0.0, -1.0], &[-INF]),
    ("powf(x, k)", &[-2.0, 2.0], &[-4.0]),
    ("powf(0, x)", &[2.0], &[0.0]),
    ("powf(0, x)", &[0.0], &[0.0]),
    ("powf(0, x)", &[-1.0], &[NAN]),
    ("powf(-2, x)", &[2.0], &[NAN]),
    ("powf(1, x)", &[5.0], &[0.0]),
    ("powf(k, x)", &[2.0, 0.0], &[0.0]),
    // powi: exponents 0 and 1 are exact everywhere, the least does not wrap.
    ("powi(x, n)", &[0.0, 0.0], &[0.0]),
    ("powi(x, n)", &[0.0, 1.0], &[1.0]),
    ("powi(x, n)", &[0.0, 2.0], &[0.0]),
    ("powi(x, n)", &[0.0, -1.0], &[-INF]),
    ("powi(x, n)", &[INF, 0.0], &[0.0]),
    ("powi(x, n)", &[INF, 1.0], &[1.0]),
    ("powi(x, n)", &[NAN, 0.0], &[0.0]),
    ("powi(x, n)", &[1.0, -2147483648.0], &[-2147483648.0]),
    ("powi(x, n)", &[-1.0, -2147483648.0], &[2147483648.0]),
    ("powi(x, n)", &[2.0, -2147483648.0], &[0.0]),
    ("powi(x, n)", &[0.0, -2147483648.0], &[-INF]),
    ("powi(x, 0)", &[0.0], &[0.0]),
    ("powi(x, 0)", &[NAN], &[0.0]),
    ("powi(x, 1)", &[0.0], &[1.0]),
    ("powi(x, 1)", &[NAN], &[1.0]),
    ("powi(x, 2)", &[0.0], &[0.0]),
    ("powi(x, -1)", &[0.0], &[-INF]),
    ("powi(x, -1)", &[2.0], &[-0.25]),
    ("powi(x, 9)", &[-1.0], &[9.0]),
    ("powi(x, -2147483648)", &[1.0], &[-2147483648.0]),
    ("powi(x, -2147483648)", &[-1.0], &[2147483648.0]),
    ("powi(x, -2147483648)", &[2.0], &[0.0]),
    // Ends of domains.
    ("sqrt(x)", &[0.0], &[INF]),
    ("sqrt(x)", &[INF], &[0.0]),
    ("cbrt(x)", &[0.0], &[INF]),
    ("cbrt(x)", &[-0.0], &[INF]),
    ("cbrt(x)", &[-8.0], &[1.0 / 12.0]),
    ("ln(x)", &[0.0], &[INF]),
    ("log2(x)", &[0.0], &[INF]),
    ("log10(x)", &[0.0], &[INF]),
    ("log(x, 2)", &[0.0], &[INF]),
    ("ln_1p(x)", &[-1.0], &[INF]),
    ("asin(x)", &[1.0], &[INF]),
    ("asin(x)", &[-1.0], &[INF]),
    ("acos(x)", &[1.0], &[-INF]),
    ("acos(x)", &[-1.0], &[-INF]),
    ("acosh(x)", &[1.0], &[INF]),
    ("atanh(x)", &[1.0], &[INF]),
    ("atanh(x)", &[-1.0], &[INF]),
    ("recip(x)", &[0.0], &[-INF]),
    ("recip(x)", &[-0.0], &[-INF]),
    ("x / y", &[1.0, 0.0], &[INF, -INF]),
    // abs: the sign, that of a zero, too.
    ("abs(x)", &[0.0], &[1.0]),
    ("abs(x)", &[-0.0], &[-1.0]),
    ("abs(x)", &[-3.0], &[-1.0]),
    ("abs(x)", &[-INF], &[-1.0]),
    ("abs(x)", &[NAN], &[NAN]),
    // max and min: the operand that is returned, the first at a tie, no NaN.
    ("max(x, y)", &[2.0, 1.0], &[1.0, 0.0]),
    ("max(x, y)", &[1.0, 2.0], &[0.0, 1.0]),
    ("max(x, y)", &[1.0, 1.0], &[1.0, 0.0]),
    ("max(x, y)", &[0.0, -0.0], &[1.0, 0.0]),
    ("max(x, y)", &[-0.0, 0.0], &[1.0, 0.0]),
    ("max(x, y)", &[NAN, 1.0], &[0.0, 1.0]),
    ("max(x, y)", &[1.0, NAN], &[1.0, 0.0]),
    ("max(x, y)", &[INF, INF], &[1.0, 0.0]),
    ("max(x, x)", &[2.0], &[1.0]),
    ("max(x, 0)", &[0.0], &[1.0]),
    ("max(0, x)", &[0.0], &[0.0]),
    ("min(x, y)", &[2.0, 1.0], &[0.0, 1.0]),
    ("min(x, y)", &[1.0, 2.0], &[1.0, 0.0]),
    ("min(x, y)", &[1.0, 1.0], &[1.0, 0.0]),
    ("min(x, y)", &[0.0, -0.0], &[1.0, 0.0]),
    ("min(x, y)", &[NAN, 1.0], &[0.0, 1.0]),
    ("min(x, y)", &[1.0, NAN], &[1.0, 0.0]),
    ("min(x, x)", &[2.0], &[1.0]),
    // hypot: no NaN at the origin.
    ("hypot(x, y)", &[0.0, 0.0], &[0.0, 0.0]),
    ("hypot(x, y)", &[-0.0, 0.0], &[0.0, 0.0]),
    ("hypot(x, y)", &[3.0, -4.0], &[0.6, -0.8]),
    ("hypot(x, y)", &[-3.0, 0.0], &[-1.0, 0.0]),
    ("hypot(x, 0)", &[0.0], &[0.0]),
    // atan2: its first argument is y.
    ("atan2(x, y)", &[0.0, 0.0], &[NAN, NAN]),
    ("atan2(x, y)", &[0.0, 2.0], &[0.5, 0.0]),
    ("atan2(x, y)", &[2.0, 0.0], &[0.0, -0.5]),
    ("atan2(x, y)", &[0.0, -2.0], &[-0.5, 0.0]),
    // clamp: 1 inside and at the bounds.
    ("clamp(x, y, z)", &[1.0, 1.0, 2.0], &[1.0, 0.0, 0.0]),
    ("clamp(x, y, z)", &[2.0, 1.0, 2.0], &[1.0, 0.0, 0.0]),
    ("clamp(x, y, z)", &[1.5, 1.0, 2.0], &[1.0, 0.0, 0.0]),
    ("clamp(x, y, z)", &[0.5, 1.0, 2.0], &[0.0, 1.0, 0.0]),
    ("clamp(x, y, z)", &[2.5, 1.0, 2.0], &[0.0, 0.0, 1.0]),
    ("clamp(x, y, z)", &[1.0, 1.0, 1.0], &[1.0, 0.0, 0.0]),
    ("clamp(x, y, z)", &[-INF, 1.0, 2.0], &[0.0, 1.0, 0.0]),
    ("clamp(x, 0, 1)", &[0.0], &[1.0]),
    ("clamp(x, 0, 1)", &[1.0], &[1.0]),
    ("clamp(x, 0, 1)", &[2.0], &[0.0]),
    // copysign: the signs of zeros count.
    ("copysign(x, y)", &[3.0, -0.0], &[-1.0, 0.0]),
    ("copysign(x, y)", &[-3.0, 0.0], &[-1.0, 0.0]),
    ("copysign(x, y)", &[-3.0, -2.0], &[1.0, 0.0]),
    ("copysign(x, y)", &[0.0, -1.0], &[-1.0, 0.0]),
    ("copysign(x, y)", &[-0.0, 1.0], &[-1.0, 0.0]),
    // Remainders: the branch that the value is on. 1 is 9 times the float 0.1 and something, yet 1 / 0.1 rounds to 10.
    ("x % y", &[5.5, 2.0], &[1.0, -2.0]),
    ("x % y", &[-5.5, 2.0], &[1.0, 2.0]),
    ("x % y", &[5.5, -2.0], &[1.0, 2.0]),
    ("x % y", &[6.0, 2.0], &[1.0, -3.0]),
    ("x % y", &[1.0, INF], &[1.0, 0.0]),
    ("x % y", &[1.0, 0.1], &[1.0, -9.0]),
    ("rem_euclid(x, y)", &[5.5, 2.0], &[1.0, -2.0]),
    ("rem_euclid(x, y)", &[-5.5, 2.0], &[1.0, 3.0]),
    ("rem_euclid(x, y)", &[5.5, -2.0], &[1.0, 2.0]),
    ("rem_euclid(x, y)", &[-5.5, -2.0], &[1.0, -3.0]),
    ("rem_euclid(x, y)", &[-6.0, 2.0], &[1.0, 3.0]),
    ("rem_euclid(x, y)", &[-1e-20, 1.0], &[1.0, 1.0]),
    ("rem_euclid(x, y)", &[1.0, 0.1], &[1.0, -9.0]),
    // fract and abs_sub.
    ("fract(x)", &[2.0], &[1.0]),
    ("fract(x)", &[-2.5], &[1.0]),
    ("abs_sub(x, y)", &[1.0, 1.0], &[0.0, 0.0]),
    ("abs_sub(x, y)", &[2.0, 1.0], &[1.0, -1.0]),
    ("abs_sub(x, y)", &[1.0, 2.0], &[0.0, 0.0]),
    // Where another formula would cancel or overflow.
    ("tanh(x)", &[20.0], &[1.699_341_702_116_635_5e-17]),
    ("tanh(x)", &[-20.0], &[1.699_341_702_116_635_5e-17]),
    ("tanh(x)", &[800.0], &[0.0]),
    ("tanh(x)", &[-800.0], &[0.0]),
    ("tanh(x)", &[0.0], &[1.0]),
    ("exp_m1(x)", &[-50.0], &[1.928_749_847_963_917_8e-22]),
    ("exp_m1(x)", &[0.0], &[1.0]),
    ("exp_m1(x)", &[-INF], &[0.0]),
    ("exp(x)", &[-INF], &[0.0]),
    ("atan(x)", &[INF], &[0.0]),
    ("asinh(x)", &[0.0], &[1.0]),
    // Structural zeros: no product with an infinity, no NaN.
    ("floor(x) * y", &[1.5, INF], &[0.0, 1.0]),
    ("floor(x) * y", &[1.5, NAN], &[0.0, 1.0]),
    ("ceil(x) / y", &[1.5, 0.0], &[0.0, -INF]),
    ("round(x) * y", &[1.5, INF], &[0.0, 2.0]),
    ("round_ties_even(x) * y", &[2.5, INF], &[0.0, 2.0]),
    ("trunc(x) * y", &[-1.5, INF], &[0.0, -1.0]),
    ("signum(x) * y", &[-1.5, INF], &[0.0, -1.0]),
    ("div_euclid(x, y) * z", &[5.0, 2.0, INF], &[0.0, 0.0, 2.0]),
    ("copysign(2, x) * y", &[3.0, INF], &[0.0, 2.0]),
    ("powf(x, 0) * y", &[3.0, INF], &[0.0, 1.0]),
    ("powi(x, 0) * y", &[3.0, INF], &[0.0, 1.0]),
    ("x * 0 * y", &[INF, INF], &[0.0, NAN]),
    ("x * 0", &[INF], &[0.0]),
    ("(x - x) * y", &[1.0, INF], &[0.0, 0.0]),
];

/// Edges of the range of `f64`, and exponents that `f32` cannot hold, in which the evaluator passes them.
const DOUBLE: &[Edge] = &[
    ("powi(x, -2147483647)", &[-1.0], &[-2147483647.0]),
    ("powi(x, n)", &[-1.0, 2147483647.0], &[2147483647.0]),
    ("powi(x, n)", &[-1.0, -2147483647.0], &[-2147483647.0]),
    ("hypot(x, y)", &[3e200, 4e200], &[0.6, 0.8]),
    ("hypot(x, y)", &[3e-200, 4e-200], &[0.6, 0.8]),
    ("atan2(x, y)", &[1e200, 1e200], &[5e-201, -5e-201]),
    ("atan2(x, y)", &[1e-200, 1e-200], &[5e199, -5e199]),
    ("atan2(x, y)", &[0.0, 1e200], &[1e-200, 0.0]),
    ("atan2(x, y)", &[0.0, 1e-310], &[INF, 0.0]),
    ("asinh(x)", &[1e200], &[1e-200]),
    ("asinh(x)", &[-1e200], &[1e-200]),
    ("acosh(x)", &[1e200], &[1e-200]),
    ("tanh(x)", &[300.0], &[1.060_158_621_201_724_2e-260]),
    ("exp_m1(x)", &[-700.0], &[9.859_676_543_759_77e-305]),
];

/// Edges of the range of `f32`.
const SINGLE: &[Edge] = &[
    ("hypot(x, y)", &[3e30, 4e30], &[0.6, 0.8]),
    ("hypot(x, y)", &[3e-30, 4e-30], &[0.6, 0.8]),
    ("atan2(x, y)", &[1e30, 1e30], &[5e-31, -5e-31]),
    ("atan2(x, y)", &[1e-30, 1e-30], &[5e29, -5e29]),
    ("atan2(x, y)", &[0.0, 1e-40], &[INF, 0.0]),
    ("asinh(x)", &[1e30], &[1e-30]),
    ("asinh(x)", &[-1e30], &[1e-30]),
    ("acosh(x)", &[1e30], &[1e-30]),
    ("tanh(x)", &[40.0], &[4.0 * 1.804_851_387_845_415e-35]),
    ("exp_m1(x)", &[-80.0], &[1.804_851_387_845_415e-35]),
];

/// The code list of a function: as many inputs as partials, and what it names that is passive.
fn code_list(precision: &str, function: &str, inputs: usize) -> CodeList {
    let inputs = ["x", "y", "z"][..inputs].join(" ");
    let names: Vec<_> = function.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let passive = |name: &str, kind: &str| match names.contains(&name) {
        true => format!("passive {name}: {kind}\n"),
        false => String::new(),
    };
    let (floats, ints) = (passive("k", "float"), passive("n", "int"));
    let text = format!("precision {precision}\ninput {inputs}\n{floats}{ints}v = {function}\noutput v\n");
    text.parse().unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

/// Whether `actual` is what the table says. Zeros are equal, NaN is NaN.
fn is_expected(actual: f64, expected: f64, unit: f64) -> bool {
    let exact = expected.is_nan() || expected.is_infinite() || [0.0, 1.0, -1.0].contains(&expected);
    match exact {
        true => actual == expected || actual.is_nan() && expected.is_nan(),
        false => (actual - expected).abs() <= UNITS * unit * expected.abs(),
    }
}

/// What is wrong with the derivative at an edge, if anything.
fn failure(precision: &str, unit: f64, &(function, point, expected): &Edge) -> Option<String> {
    let list = code_list(precision, function, expected.len());
    let derivative = differentiate(&list, &Strategy::Auto).expect("a small function").derivative.dense();
    let point: Vec<_> = point.iter().map(|&value| list.round(value)).collect();
    let (inputs, passive) = point.split_at(expected.len());
    let actual = float_values(&derivative.list, derivative.entries(0), inputs, passive);
    let right = actual.iter().zip(expected).all(|(&actual, &expected)| is_expected(actual, expected, unit));
    (!right).then(|| format!("{precision}: {function} at {point:?} has {actual:?}, not {expected:?}"))
}

fn check(precision: &str, unit: f64, edges: [&[Edge]; 2]) {
    let failures: Vec<_> = edges.concat().iter().filter_map(|edge| failure(precision, unit, edge)).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn double_precision_keeps_its_conventions_at_the_edges() {
    check("f64", f64::EPSILON / 2.0, [BOTH, DOUBLE]);
}

#[test]
fn single_precision_keeps_its_conventions_at_the_edges() {
    check("f32", f64::from(f32::EPSILON) / 2.0, [BOTH, SINGLE]);
}

#[test]
#[should_panic(expected = "min > max")]
fn clamp_panics_as_the_function_does() {
    failure("f64", 0.0, &("clamp(x, y, z)", &[0.0, 2.0, 1.0], &[0.0, 0.0, 0.0]));
}
