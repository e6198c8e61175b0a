//! Forms other than value and Jacobian: each is compared with what the Jacobian gives.

use approx::abs_diff_eq;
use jacobian::jacobian;
use nalgebra::{Matrix2, Vector2};
use num_traits::Float;

use super::{Floats, bits, check};

/// The Jacobian alone, and its products with a tangent and a cotangent, are those of the function's own Jacobian.
macro_rules! forms {
    ($jac:expr, $only:expr, $jvp:expr, $vjp:expr, $tangent:expr, $cotangent:expr) => {{
        let (value, jacobian) = $jac;
        let (tangent, cotangent) = ($tangent.floats(), $cotangent.floats());
        let entries = jacobian.floats();
        check(value, (value, $only), &entries);
        let rows: Vec<_> = entries.chunks(tangent.len()).collect();
        let along = rows.iter().map(|row| row.iter().zip(&tangent).map(|(entry, factor)| entry * factor).sum());
        check(value, $jvp, &along.collect::<Vec<f64>>());
        let column = |column: usize| rows.iter().zip(&cotangent).map(|(row, factor)| row[column] * factor).sum();
        check(value, $vjp, &(0..tangent.len()).map(column).collect::<Vec<f64>>());
    }};
}

#[jacobian(forms(jac, jac_only, jvp, vjp))]
fn polar(r: f64, t: f64) -> [f64; 2] {
    [r * t.cos(), r * t.sin()]
}

#[jacobian(forms(jac, jac_only, jvp, vjp))]
fn nested([x, y]: [f64; 2], m: &[[f64; 2]; 2], n: i32) -> ((f64, f64), [f64; 2]) {
    let z = x * m[0][0] + y.powi(n) * m[0][1];
    ((z, z * z), [m[1][1] / x, y])
}

#[test]
fn arrays_and_tuples() {
    let ([tangent, cotangent], point) = ([[0.5, -2.0], [3.0, 0.25]], (2.0, 0.5));
    forms!(
        polar_jac(point.0, point.1),
        polar_jac_only(point.0, point.1),
        polar_jvp(point.0, point.1, &tangent),
        polar_vjp(point.0, point.1, &cotangent),
        tangent,
        cotangent
    );
    let (x, m, tangent, cotangent) =
        ([1.5, -0.5], [[2.0, 3.0], [4.0, 5.0]], [1.0, 2.0, -3.0, 0.5, 0.0, 7.0], [1.0, -1.0, 2.0, 0.5]);
    forms!(
        nested_jac(x, &m, 3),
        nested_jac_only(x, &m, 3),
        nested_jvp(x, &m, 3, &tangent),
        nested_vjp(x, &m, 3, &cotangent),
        tangent,
        cotangent
    );
}

#[jacobian(forms(jac, jac_only, jvp, vjp), strategy = "reverse")]
fn energy(x: [f64; 3]) -> f64 {
    x[0] * x[1] * x[2] + x[0].sin()
}

/// Of a float, the product with a tangent is a float, and the cotangent is one.
#[test]
fn a_float() {
    let x = [2.0, 0.5, -1.0];
    let (value, gradient) = energy_jac(x);
    assert_eq!(energy_jac_only(x), gradient);
    let (own, along): (f64, f64) = energy_jvp(x, &[1.0, 0.0, 0.0]);
    assert_eq!((own, along), (value, gradient[0]));
    let (own, weighted): (f64, [f64; 3]) = energy_vjp(x, 2.0);
    assert_eq!((own, weighted), (value, gradient.map(|entry| 2.0 * entry)));
}

#[jacobian(forms(vjp_into, jac_only_into, jvp_into, jvp))]
fn spiral(t: f64, k: f64, x: &mut [f64; 2]) -> f64 {
    x[0] = t * t.cos();
    x[1] = k * t * t.sin();
    x[0] * x[1]
}

/// Outputs are assigned where the value is given; their floats are rows after those of the result.
#[test]
fn outputs_and_in_place() {
    let (mut x, mut by_vjp, mut by_jvp) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    let value = spiral(0.5, 2.0, &mut x);
    let (mut own, mut jacobian, mut weighted, mut along) = (0.0, [[0.0; 2]; 3], [0.0; 2], [0.0; 3]);
    let mut untouched = [7.0; 2];
    spiral_jac_only_into(0.5, 2.0, &mut untouched, &mut jacobian);
    assert_eq!(untouched, [7.0; 2]);
    spiral_vjp_into(0.5, 2.0, &mut by_vjp, &[1.0, 2.0, 3.0], &mut own, &mut weighted);
    assert_eq!((own, by_vjp), (value, x));
    spiral_jvp_into(0.5, 2.0, &mut by_jvp, &[-1.0, 0.5], &mut own, &mut along);
    assert_eq!((own, by_jvp), (value, x));
    let column = |column: usize| (1..=3).zip(&jacobian).map(|(factor, row)| f64::from(factor) * row[column]).sum();
    check(value, (own, weighted), &[column(0), column(1)]);
    check(value, (own, along), &jacobian.map(|[by_t, by_k]| 0.5 * by_k - by_t));
    assert_eq!(spiral_jvp(0.5, 2.0, &mut by_jvp, &[-1.0, 0.5]), (own, along));
}

#[jacobian(forms(jac, jac_only, jvp, vjp))]
fn generic<T: Float>(x: T, y: T) -> [T; 2] {
    [x * y.sin(), x + y]
}

#[jacobian(forms(jac, jac_only, jvp, vjp))]
fn single(x: f32, y: f32) -> [f32; 2] {
    [x * y, x - y * y]
}

#[jacobian(forms(jac, jac_only, jvp, vjp))]
fn rotated(m: Matrix2<f64>, v: Vector2<f64>) -> Vector2<f64> {
    m * v + v
}

#[test]
fn types_of_floats() {
    let (tangent, cotangent) = ([0.5, -2.0], [3.0, 0.25]);
    forms!(
        generic_jac(2.0, 0.5),
        generic_jac_only(2.0, 0.5),
        generic_jvp(2.0, 0.5, &tangent),
        generic_vjp(2.0, 0.5, &cotangent),
        tangent,
        cotangent
    );
    let (tangent, cotangent) = ([0.5_f32, -2.0], [3.0_f32, 0.25]);
    forms!(
        single_jac(2.0, 0.5),
        single_jac_only(2.0, 0.5),
        single_jvp(2.0, 0.5, &tangent),
        single_vjp(2.0, 0.5, &cotangent),
        tangent,
        cotangent
    );
    let (m, v) = (Matrix2::new(1.0, 2.0, 3.0, 4.0), Vector2::new(0.5, -1.0));
    let (value, jacobian) = rotated_jac(m, v);
    assert_eq!(rotated_jac_only(m, v), jacobian);
    let (own, along) = rotated_jvp(m, v, &[0.0, 0.0, 1.0, 0.0, 0.0, 2.0]);
    assert_eq!((own, along), (value, [0, 1].map(|row| jacobian[row][2] + 2.0 * jacobian[row][5])));
    let (own, weighted) = rotated_vjp(m, v, &[1.0, 0.0]);
    assert_eq!((own, weighted), (value, jacobian[0]));
}

#[jacobian(forms(jac, jac_only, jvp, vjp))]
fn branching(x: f64, y: f64, n: usize) -> [f64; 2] {
    if n == 2 {
        return [y, x];
    }
    let z = if x * y > 1.0 { x.ln() * y } else { x - y };
    [z * x, z.max(y)]
}

fn hypotenuse(x: f64, y: f64) -> f64 {
    x.hypot(y)
}

fn hypotenuse_jac(x: f64, y: f64) -> (f64, [f64; 2]) {
    let h = x.hypot(y);
    (h, [x / h, y / h])
}

#[jacobian(forms(jac, jac_only, jvp, vjp), with(hypotenuse))]
fn calling(x: f64, y: f64) -> [f64; 2] {
    [hypotenuse(x * x, y) * x, hypotenuse(y, x)]
}

#[test]
fn branches_and_calls() {
    let (tangent, cotangent) = ([0.5, -2.0], [3.0, 0.25]);
    for (x, y, n) in [(2.0, 1.5, 0), (0.5, 0.25, 2), (0.5, 0.25, 1)] {
        forms!(
            branching_jac(x, y, n),
            branching_jac_only(x, y, n),
            branching_jvp(x, y, n, &tangent),
            branching_vjp(x, y, n, &cotangent),
            tangent,
            cotangent
        );
    }
    forms!(
        calling_jac(1.5, -0.5),
        calling_jac_only(1.5, -0.5),
        calling_jvp(1.5, -0.5, &tangent),
        calling_vjp(1.5, -0.5, &cotangent),
        tangent,
        cotangent
    );
}

#[jacobian(forms(jac, jac_only, jvp, vjp), wrt(y, x))]
fn chosen(x: f64, k: f64, y: f64) -> [f64; 2] {
    let gain = k.exp();
    [x * y * k, y * y + gain]
}

struct Gain(f64);

impl Gain {
    #[jacobian(forms(jac, jac_only, jvp, vjp))]
    fn applied(&self, tangent: f64, cotangent: f64) -> [f64; 2] {
        [self.0 * tangent * cotangent, tangent + self.0]
    }
}

/// What only the value needs is not computed, and leaves nothing unused; parameters may be called like a seed.
#[test]
fn columns_that_are_chosen_and_methods() {
    let (tangent, cotangent) = ([0.5, -2.0], [3.0, 0.25]);
    forms!(
        chosen_jac(1.5, 2.0, -0.5),
        chosen_jac_only(1.5, 2.0, -0.5),
        chosen_jvp(1.5, 2.0, -0.5, &tangent),
        chosen_vjp(1.5, 2.0, -0.5, &cotangent),
        tangent,
        cotangent
    );
    let gain = Gain(3.0);
    forms!(
        gain.applied_jac(1.5, -0.5),
        gain.applied_jac_only(1.5, -0.5),
        gain.applied_jvp(1.5, -0.5, &tangent),
        gain.applied_vjp(1.5, -0.5, &cotangent),
        tangent,
        cotangent
    );
}

#[jacobian(forms(jvp))]
mod products {
    pub fn helper(x: f64) -> f64 {
        x * x.sin()
    }

    #[jacobian]
    pub fn by_default(x: f64, y: f64) -> f64 {
        helper(x) * y
    }

    #[jacobian(forms(vjp), name = "weighted")]
    pub fn of_its_own(x: f64, y: f64) -> [f64; 2] {
        [by_default(x, y), y]
    }

    #[jacobian(into)]
    pub fn as_ever(x: f64) -> f64 {
        of_its_own(x, x)[0]
    }
}

/// The forms of a module are those of its functions, unless they have their own.
#[test]
fn modules() {
    let (value, along) = products::by_default_jvp(0.5, 2.0, &[0.0, 1.0]);
    check(products::by_default(0.5, 2.0), (value, along), &[products::helper(0.5)]);
    let (value, weighted) = products::weighted(0.5, 2.0, &[1.0, 3.0]);
    check(
        products::of_its_own(0.5, 2.0),
        (value, weighted),
        &[2.0 * (0.5_f64.sin() + 0.5 * 0.5_f64.cos()), 0.5 * 0.5_f64.sin() + 3.0],
    );
    let (mut value, mut gradient) = (0.0, [0.0]);
    products::as_ever_jac_into(0.5, &mut value, &mut gradient);
    assert_eq!((value, gradient), products::as_ever_jac(0.5));
    assert_eq!(bits(&value), bits(&products::as_ever(0.5)));
}

#[jacobian(forms(jac_only, jvp, vjp))]
const fn square(x: f64, y: f64) -> f64 {
    x * x + y
}

const ALONG: (f64, f64) = square_jvp(3.0, 1.0, &[1.0, 0.0]);
const ACROSS: (f64, [f64; 2]) = square_vjp(3.0, 1.0, 2.0);
const ONLY: [f64; 2] = square_jac_only(3.0, 1.0);

#[test]
fn constant_functions() {
    assert_eq!((ALONG, ACROSS, ONLY), ((10.0, 6.0), (10.0, [12.0, 2.0]), [6.0, 1.0]));
}

/// The gradient and the Hessian are near the difference quotients of the weighted value and of the gradient; the
/// Hessian is symmetric bit for bit, and its product with a direction that of its entries.
macro_rules! second {
    ($weighted:expr, $hess:expr, $hvp:expr, $x:expr) => {{
        let x = $x;
        let (value, gradient, hessian) = $hess(x);
        let central = |f: &dyn Fn([f64; _]) -> f64, column: usize| {
            let step = 1e-5 * f64::abs(x[column]).max(1.0);
            let [above, below] = [step, -step].map(|offset| {
                let mut x = x;
                x[column] += offset;
                f(x)
            });
            (above - below) / (2.0 * step)
        };
        let near =
            |actual: f64, expected: f64| abs_diff_eq!(actual, expected, epsilon = 1e-8 * expected.abs().max(1.0));
        for row in 0..x.len() {
            let quotient = central(&$weighted, row);
            assert!(near(gradient[row], quotient), "entry {row} of the gradient: {} not {quotient}", gradient[row]);
            for column in 0..x.len() {
                let quotient = central(&|x| $hess(x).1[row], column);
                let entry = hessian[row][column];
                assert!(near(entry, quotient), "entry {row}, {column}: {entry}, not {quotient}");
                assert_eq!(entry.to_bits(), hessian[column][row].to_bits());
            }
        }
        let mut direction = x;
        direction.iter_mut().enumerate().for_each(|(index, entry)| *entry = 1.0 - 0.75 * index as f64);
        let (own, gradient_again, product) = $hvp(x, &direction);
        assert_eq!(bits(&own), bits(&value));
        check(gradient, (gradient_again, product), &{
            let along = hessian.map(|row| row.iter().zip(&direction).map(|(entry, factor)| entry * factor).sum());
            along.to_vec()
        });
    }};
}

#[jacobian(forms(hess, hvp))]
fn rosenbrock(x: [f64; 4]) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        let (a, b) = (1.0 - x[i], x[i + 1] - x[i] * x[i]);
        sum += 100.0 * b * b + a * a;
    }
    sum
}

#[jacobian(forms(hess, hvp), strategy = "vertex: pre > markowitz > reverse")]
fn intrinsics(x: f64, y: f64) -> f64 {
    (x * y).tanh() + x.powf(y) * y.atan2(x) + (x / y).exp() + x.hypot(y).ln() + (x - y).abs().sqrt()
}

#[jacobian(forms(hess, hvp))]
fn with_branches(x: [f64; 2], k: f64) -> f64 {
    let z = if x[0] > x[1] { x[0].sin() * x[1] * k } else { x[1].powi(3) * x[0] };
    z * z + x[0].max(k) * x[1]
}

#[test]
fn second_derivatives_of_a_float() {
    second!(rosenbrock, rosenbrock_hess, rosenbrock_hvp, [-1.2, 1.0, 0.5, 2.0]);
    second!(
        |x: [f64; 2]| intrinsics(x[0], x[1]),
        |x: [f64; 2]| intrinsics_hess(x[0], x[1]),
        |x: [f64; 2], along: &[f64; 2]| intrinsics_hvp(x[0], x[1], along),
        [1.5, 0.75]
    );
    for point in [[1.5, 0.75, 0.5], [0.5, 0.75, 2.0]] {
        second!(
            |x: [f64; 3]| with_branches([x[0], x[1]], x[2]),
            |x: [f64; 3]| with_branches_hess([x[0], x[1]], x[2]),
            |x: [f64; 3], along: &[f64; 3]| with_branches_hvp([x[0], x[1]], x[2], along),
            point
        );
    }
}

#[jacobian(forms(jac, hess))]
fn ratio(x: f64, y: f64) -> f64 {
    x.sin() / (1.0 + y * y)
}

#[jacobian(forms(jac, hess))]
fn swirl(p: &[f64; 2], gain: f64, n: i32) -> [f64; 3] {
    [p[0] * p[1].cos(), gain * p[0].powi(n), (gain * p[1]).exp()]
}

/// Its own derivatives, under names of their own: the half below the diagonal is read alone.
fn bend(x: f64, y: f64) -> f64 {
    x * x * y
}

fn bend_first(x: f64, y: f64) -> (f64, [f64; 2]) {
    (x * x * y, [2.0 * x * y, x * x])
}

fn bend_second(x: f64, y: f64) -> (f64, [f64; 2], [[f64; 2]; 2]) {
    (x * x * y, [2.0 * x * y, x * x], [[2.0 * y, f64::NAN], [2.0 * x, 0.0]])
}

#[jacobian(forms(jac, hess, hvp), with(ratio, bend = (bend_first, bend_second)))]
fn calls_of_floats(x: [f64; 3]) -> f64 {
    let r = ratio(x[0] * x[1], x[2]);
    bend(r, x[1]) * ratio(r, 0.5) + bend(x[2], 2.0)
}

#[jacobian(forms(hess, hvp), with(swirl: fn(&[f64; 2], f64, i32) -> [f64; 3]))]
fn calls_of_arrays(x: [f64; 3]) -> f64 {
    let [a, b, c] = swirl(&[x[0], x[1] * x[2]], x[2], 3);
    let again = swirl(&[a, 0.5], 0.25, 2);
    a * b + c * c + again[1] * x[0]
}

#[jacobian(forms(hess, hvp), with(ratio, swirl: fn(&[f64; 2], f64, i32) -> [f64; 3]))]
fn calls_in_blocks(x: [f64; 3], n: usize) -> f64 {
    let mut sum = x[0];
    for _ in 0..n {
        sum = ratio(sum, x[1]) + if sum > 0.25 { swirl(&[sum, x[1]], x[2], 2)[1] } else { sum * x[2] };
    }
    sum * sum
}

/// What is passive in a call is evaluated once, for each of its results.
#[jacobian(forms(hess, hvp), with(swirl: fn(&[f64; 2], f64, i32) -> [f64; 3]))]
fn calls_with_effects(x: [f64; 2], count: &mut i32) -> f64 {
    let mut next = || {
        *count += 1;
        *count
    };
    let [a, b, c] = swirl(&x, 2.0, next());
    a * b + c
}

#[test]
fn second_derivatives_through_calls() {
    let point = [0.75, 1.5, -0.5];
    second!(calls_of_floats, calls_of_floats_hess, calls_of_floats_hvp, point);
    let (value, gradient, _) = calls_of_floats_hess(point);
    check(value, calls_of_floats_jac(point), &gradient);
    second!(calls_of_arrays, calls_of_arrays_hess, calls_of_arrays_hvp, point);
    for n in 0..4 {
        second!(
            |x: [f64; 3]| calls_in_blocks(x, n),
            |x: [f64; 3]| calls_in_blocks_hess(x, n),
            |x: [f64; 3], along: &[f64; 3]| calls_in_blocks_hvp(x, n, along),
            point
        );
    }
    second!(
        |x: [f64; 2]| calls_with_effects(x, &mut 2),
        |x: [f64; 2]| calls_with_effects_hess(x, &mut 2),
        |x: [f64; 2], along: &[f64; 2]| calls_with_effects_hvp(x, &mut 2, along),
        [0.75, 1.5]
    );
    let mut count = 2;
    calls_with_effects_hess([0.75, 1.5], &mut count);
    assert_eq!(count, 3);
}

#[jacobian(forms(jac, hess))]
fn halved(x: f32) -> [f32; 1] {
    [x * x * x / 2.0]
}

#[jacobian(forms(hess, hess_sparse), with(halved: fn(f32) -> [f32; 1]))]
fn single_calls(x: f32, y: f32) -> f32 {
    halved(x)[0] * y
}

#[jacobian(forms(jac, hess))]
fn scaled<T: Float>(x: T, y: T) -> [T; 2] {
    [x * x * y, y * y]
}

#[jacobian(forms(hess), with(scaled: fn(T, T) -> [T; 2]))]
fn generic_calls<T: Float>(x: T, y: T) -> T {
    let [a, b] = scaled(x, y);
    a * b
}

#[jacobian(forms(jac, hess))]
mod long {
    /// Too long to be inlined.
    #[jacobian]
    pub fn marked(x: [f64; 2]) -> [f64; 2] {
        let mut x = x;
        for _ in 0..50 {
            x = [x[0] + 0.02 * x[1].sin(), x[1] + 0.02 * x[0].cos()];
        }
        x
    }

    #[jacobian(forms(jac))]
    pub fn without(x: [f64; 2]) -> f64 {
        let mut x = x;
        for _ in 0..50 {
            x = [x[0] + 0.02 * x[1].sin(), x[1] + 0.02 * x[0].cos()];
        }
        x[0] * x[1]
    }

    #[jacobian(forms(hess, hvp))]
    pub fn calling(x: [f64; 2]) -> f64 {
        marked([x[0] * x[1], x[0]])[1] * without(x)
    }
}

/// A function of a module that is not inlined is called through its Hessian, if it has one.
#[test]
fn second_derivatives_of_modules() {
    second!(long::calling, long::calling_hess, long::calling_hvp, [0.75, 1.5]);
}

/// Of other floats, and of an array of one, which has no weights.
#[test]
fn second_derivatives_through_calls_of_other_floats() {
    assert_eq!(single_calls_hess(2.0, 3.0), (12.0, [18.0, 4.0], [[18.0, 6.0], [6.0, 0.0]]));
    assert_eq!(single_calls_hess_sparse(2.0, 3.0), (12.0, [18.0, 4.0], [18.0, 6.0]));
    assert_eq!(generic_calls_hess(2.0, 3.0), (108.0, [108.0, 108.0], [[54.0, 108.0], [108.0, 72.0]]));
}

#[allow(clippy::too_many_arguments)]
#[jacobian(forms(hess, hess_into, hvp), wrt(x, y))]
fn several(x: f64, n: i32, y: f64, out: &mut f64) -> (f64, [f64; 2]) {
    *out = x * y.sin();
    (x.powi(n), [y * y * x, x + y])
}

/// Of several results, the Hessian is that of their weighted sum; what is linear has none.
#[test]
fn second_derivatives_of_a_weighted_sum() {
    let (x, y, weights, mut out) = (1.5, -0.5, [2.0, -1.0, 5.0, 0.25], 0.0);
    let value = several(x, 3, y, &mut out);
    let own_out = out;
    let (own, gradient, hessian) = several_hess(x, 3, y, &mut out, &weights);
    assert_eq!((own, out), (value, own_out));
    check(
        value,
        (own, gradient),
        &[2.0 * 3.0 * x * x - y * y + 5.0 + 0.25 * y.sin(), -2.0 * x * y + 5.0 + 0.25 * x * y.cos()],
    );
    let mixed = -2.0 * y + 0.25 * y.cos();
    check(value, (own, hessian), &[12.0 * x, mixed, mixed, -2.0 * x - 0.25 * x * y.sin()]);
    let (own, again, product) = several_hvp(x, 3, y, &mut out, &weights, &[1.0, 0.0]);
    assert_eq!((own, again, product), (value, gradient, hessian[0]));
    let mut in_place = (several(0.0, 1, 0.0, &mut out), [0.0; 2], [[0.0; 2]; 2]);
    several_hess_into(x, 3, y, &mut out, &weights, &mut in_place.0, &mut in_place.1, &mut in_place.2);
    assert_eq!((in_place, out), ((value, gradient, hessian), own_out));
}
