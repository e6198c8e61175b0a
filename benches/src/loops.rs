//! Run-time loops: a Lorenz step, a recursive filter, a sum over data, diffusion along a rod, a planet's orbit, a delay
//! line, tridiagonal systems. Each is written once over `f64`, for a number of iterations that is known at run time only, and where the
//! iterations are few a second time with that number and `unroll = "always"`; and once over any type of numbers.
//!
//! How it is measured: one process, one point; the columns take turns, and the least time of each counts. A turn is as
//! many evaluations as fill a millisecond; a million iterations are a fifth of a second.

use std::array;
use std::hint::black_box;
use std::time::{Duration, Instant};

use jacobian::jacobian;
use num_dual::DualSVec64;

use crate::case::{Case, checked_within};
use crate::column::{Column, Points, Role, function, in_place, returned};
use crate::number::{Inlined, Number, Tangents};
use crate::table::{self, Figures};

/// The numbers of iterations.
const ITERATIONS: [usize; 4] = [10, 100, 1_000, 1_000_000];

/// How long a turn is, that of a million iterations, and all turns of a case together; there are at least [`LEAST_ROUNDS`].
const TURN: Duration = Duration::from_millis(1);
const LONG_TURN: Duration = Duration::from_millis(200);
const OF_A_CASE: Duration = Duration::from_secs(2);
const LEAST_ROUNDS: usize = 3;
/// What is longer may be interrupted.
const SLICE: Duration = Duration::from_millis(100);
const MOST_ROUNDS: usize = 200;

/// The largest difference from the dual numbers, relative to the largest entry of a column: a million iterations round
/// differently, and a Lorenz step multiplies that.
const TOLERANCE: f64 = 1e-8;

const CELLS: usize = 50;

/// A step of Lorenz's system by Euler's rule: three states and a parameter.
macro_rules! lorenz {
    ($name:ident [$($options:tt)*] ($($parameter:tt)*) $iterations:tt) => {
        /// The states after some steps.
        #[jacobian(into $($options)*)]
        fn $name(x: &[f64; 4] $($parameter)*) -> [f64; 3] {
            let [mut a, mut b, mut c, rho] = *x;
            for _ in 0..$iterations {
                let (da, db, dc) = (10.0 * (b - a), a * (rho - c) - b, a * b - 2.5 * c);
                a += 1e-5 * da;
                b += 1e-5 * db;
                c += 1e-5 * dc;
            }
            [a, b, c]
        }
    };
}

lorenz!(lorenz [] (, iterations: usize) iterations);
lorenz!(lorenz_10 [, unroll = "always"] () 10);
lorenz!(lorenz_100 [, unroll = "always"] () 100);

#[inline(always)]
fn generic_lorenz<T: Number>(x: &[T; 4], iterations: usize) -> [T; 3] {
    let [mut a, mut b, mut c, rho] = *x;
    for _ in 0..iterations {
        let (da, db, dc) = ((b - a).scaled(10.0), a * (rho - c) - b, a * b - c.scaled(2.5));
        a = a + da.scaled(1e-5);
        b = b + db.scaled(1e-5);
        c = c + dc.scaled(1e-5);
    }
    [a, b, c]
}

/// A recursive filter of second order: the power of what it makes of a signal, by its five coefficients.
macro_rules! filter {
    ($name:ident [$($options:tt)*] $signal:ty) => {
        /// The power of the filtered signal.
        #[jacobian(into, wrt(x) $($options)*)]
        fn $name(x: &[f64; 5], signal: $signal) -> [f64; 1] {
            let [b0, b1, b2, a1, a2] = *x;
            let (mut z1, mut z2, mut power) = (0.0, 0.0, 0.0);
            for u in signal {
                let y = b0 * u + z1;
                z1 = b1 * u - a1 * y + z2;
                z2 = b2 * u - a2 * y;
                power += y * y;
            }
            [power]
        }
    };
}

filter!(filter [] &[f64]);
filter!(filter_10 [, unroll = "always"] &[f64; 10]);
filter!(filter_100 [, unroll = "always"] &[f64; 100]);

#[inline(always)]
fn generic_filter<T: Number>(x: &[T; 5], signal: &[f64]) -> [T; 1] {
    let [b0, b1, b2, a1, a2] = *x;
    let (mut z1, mut z2, mut power) = (T::constant(0.0), T::constant(0.0), T::constant(0.0));
    for &u in signal {
        let y = b0.scaled(u) + z1;
        z1 = b1.scaled(u) - a1 * y + z2;
        z2 = b2.scaled(u) - a2 * y;
        power = power + y * y;
    }
    [power]
}

/// The squared residuals of data: two exponentials and a line, six parameters.
macro_rules! sum {
    ($name:ident [$($options:tt)*] $data:ty) => {
        /// The sum of the squared residuals.
        #[jacobian(into, wrt(x) $($options)*)]
        fn $name(x: &[f64; 6], data: $data) -> [f64; 1] {
            let [a, b, c, d, e, f] = *x;
            let mut sum = 0.0;
            for (t, y) in data {
                let r = a * (-b * t).exp() + c * (-d * t).exp() + e + f * t - y;
                sum += r * r;
            }
            [sum]
        }
    };
}

sum!(sum [] &[(f64, f64)]);
sum!(sum_10 [, unroll = "always"] &[(f64, f64); 10]);
sum!(sum_100 [, unroll = "always"] &[(f64, f64); 100]);

#[inline(always)]
fn generic_sum<T: Number>(x: &[T; 6], data: &[(f64, f64)]) -> [T; 1] {
    let [a, b, c, d, e, f] = *x;
    let mut sum = T::constant(0.0);
    for &(t, y) in data {
        let r = (a * (-b.scaled(t)).exp() + c * (-d.scaled(t)).exp() + e + f.scaled(t)).shifted(-y);
        sum = sum + r * r;
    }
    [sum]
}

/// Explicit steps of diffusion along a rod with closed ends: of what is left of fifty first values, the mean square.
macro_rules! diffusion {
    ($name:ident [$($options:tt)*] ($($parameter:tt)*) $iterations:tt) => {
        /// The mean square after some steps.
        #[jacobian(into $($options)*)]
        fn $name(x: &[f64; 50] $($parameter)*) -> [f64; 1] {
            let mut u = *x;
            for _ in 0..$iterations {
                let before = u;
                u[0] += 0.25 * (before[1] - before[0]);
                for i in 1..49 {
                    u[i] += 0.25 * (before[i - 1] - 2.0 * before[i] + before[i + 1]);
                }
                u[49] += 0.25 * (before[48] - before[49]);
            }
            let mut sum = 0.0;
            for value in u {
                sum += value * value;
            }
            [0.02 * sum]
        }
    };
}

diffusion!(diffusion [] (, iterations: usize) iterations);
diffusion!(diffusion_10 [, unroll = "always"] () 10);

#[inline(always)]
fn generic_diffusion<T: Number>(x: &[T; CELLS], iterations: usize) -> [T; 1] {
    let mut u = *x;
    for _ in 0..iterations {
        let before = u;
        u[0] = u[0] + (before[1] - before[0]).scaled(0.25);
        for i in 1..CELLS - 1 {
            u[i] = u[i] + (before[i - 1] - before[i].scaled(2.0) + before[i + 1]).scaled(0.25);
        }
        u[CELLS - 1] = u[CELLS - 1] + (before[CELLS - 2] - before[CELLS - 1]).scaled(0.25);
    }
    let mut sum = T::constant(0.0);
    for value in u {
        sum = sum + value * value;
    }
    [sum.scaled(0.02)]
}

/// The same by what the rod is: how fast the first half and the second half conduct, and what is put in per step.
#[jacobian(into)]
fn conduction(x: &[f64; 3], iterations: usize) -> [f64; 1] {
    let [left, right, input] = *x;
    let mut u = [1.0; 50];
    for _ in 0..iterations {
        let before = u;
        u[0] += input + left * (before[1] - before[0]);
        for i in 1..25 {
            u[i] += left * (before[i - 1] - 2.0 * before[i] + before[i + 1]);
        }
        for i in 25..49 {
            u[i] += right * (before[i - 1] - 2.0 * before[i] + before[i + 1]);
        }
        u[49] += right * (before[48] - 2.0 * before[49]);
    }
    [u[10] + u[40]]
}

#[inline(always)]
fn generic_conduction<T: Number>(x: &[T; 3], iterations: usize) -> [T; 1] {
    let [left, right, input] = *x;
    let mut u = [T::constant(1.0); CELLS];
    for _ in 0..iterations {
        let before = u;
        u[0] = u[0] + input + left * (before[1] - before[0]);
        for i in 1..25 {
            u[i] = u[i] + left * (before[i - 1] - before[i].scaled(2.0) + before[i + 1]);
        }
        for i in 25..CELLS - 1 {
            u[i] = u[i] + right * (before[i - 1] - before[i].scaled(2.0) + before[i + 1]);
        }
        u[CELLS - 1] = u[CELLS - 1] + right * (before[CELLS - 2] - before[CELLS - 1].scaled(2.0));
    }
    [u[10] + u[40]]
}

/// Steps of a planet around the origin by the leapfrog rule: two positions, two velocities, and the mass that attracts.
/// What divides may be zero, so that it is carried along which derivatives are structural zeros.
#[jacobian(into)]
fn orbit(x: &[f64; 5], iterations: usize) -> [f64; 4] {
    let [mut px, mut py, mut vx, mut vy, mass] = *x;
    for _ in 0..iterations {
        let square = px * px + py * py;
        let pull = 1e-3 * (mass / (square * square.sqrt()));
        vx -= pull * px;
        vy -= pull * py;
        px += 1e-3 * vx;
        py += 1e-3 * vy;
    }
    [px, py, vx, vy]
}

#[inline(always)]
fn generic_orbit<T: Number>(x: &[T; 5], iterations: usize) -> [T; 4] {
    let [mut px, mut py, mut vx, mut vy, mass] = *x;
    for _ in 0..iterations {
        let square = px * px + py * py;
        let pull = (mass / (square * square.sqrt())).scaled(1e-3);
        vx = vx - pull * px;
        vy = vy - pull * py;
        px = px + vx.scaled(1e-3);
        py = py + vy.scaled(1e-3);
    }
    [px, py, vx, vy]
}

/// A comb filter: what comes out goes into a delay line of sixteen values, at a run-time index, and two of these
/// are added to what comes in.
#[jacobian(into, wrt(x))]
fn comb(x: &[f64; 3], signal: &[f64]) -> [f64; 1] {
    let [near, far, loss] = *x;
    let (mut line, mut out) = ([0.0; 16], 0.0);
    for (k, u) in signal.iter().enumerate() {
        out = near * line[(k + 3) % 16] + far * line[(k + 8) % 16] + u;
        line[k % 16] = loss * out;
    }
    [out]
}

#[inline(always)]
fn generic_comb<T: Number>(x: &[T; 3], signal: &[f64]) -> [T; 1] {
    let [near, far, loss] = *x;
    let (mut line, mut out) = ([T::constant(0.0); 16], T::constant(0.0));
    for (k, &u) in signal.iter().enumerate() {
        out = (near * line[(k + 3) % 16] + far * line[(k + 8) % 16]).shifted(u);
        line[k % 16] = loss * out;
    }
    [out]
}

/// Tridiagonal systems of up to twelve equations with the same matrix, one after the other: the sum of their last
/// unknowns, by the three diagonals. The length of a system is known at run time only.
#[jacobian(into, wrt(x))]
fn tridiagonal(x: &[f64; 3], right: &[f64]) -> [f64; 1] {
    let [lower, diagonal, upper] = *x;
    let (mut pivots, mut left, mut sum) = ([1.0; 12], [0.0; 12], 0.0);
    for right in right.chunks(12) {
        let last = right.len() - 1;
        pivots[0] = diagonal;
        left[0] = right[0];
        for i in 1..=last {
            let factor = lower / pivots[i - 1];
            pivots[i] = diagonal - factor * upper;
            left[i] = right[i] - factor * left[i - 1];
        }
        sum += left[last] / pivots[last];
    }
    [sum]
}

#[inline(always)]
fn generic_tridiagonal<T: Number>(x: &[T; 3], right: &[f64]) -> [T; 1] {
    let [lower, diagonal, upper] = *x;
    let (mut pivots, mut left, mut sum) = ([T::constant(1.0); 12], [T::constant(0.0); 12], T::constant(0.0));
    for right in right.chunks(12) {
        let last = right.len() - 1;
        pivots[0] = diagonal;
        left[0] = T::constant(right[0]);
        for i in 1..=last {
            let factor = lower / pivots[i - 1];
            pivots[i] = diagonal - factor * upper;
            left[i] = -(factor * left[i - 1]).shifted(-right[i]);
        }
        sum = sum + left[last] / pivots[last];
    }
    [sum]
}

/// The case of a function at a centre: what it is given beside that, and the same where it is unrolled.
macro_rules! repeated {
    ($f:ident $jac:ident $into:ident $generic:ident, $centre:expr, $given:expr $(, $of_known:ident $of_known_into:ident ($($known:expr)?))?) => {{
        let (points, given): (Points<_>, _) = ([$centre].into_iter().collect(), $given);
        let columns: Vec<Column<_, _, _, _>> = vec![
            function(&points, move |x| $f(x, black_box(given))),
            returned(&points, "rolled, by value", Role::Ours, move |x| $jac(x, black_box(given)), |both| both),
            in_place(&points, "rolled, in place", Role::Ours, move |x, value, jacobian| {
                $into(x, black_box(given), value, jacobian);
            }),
            $(
                returned(&points, "unrolled, by value", Role::Ours, move |x| $of_known(x $(, black_box($known))?), |both| both),
                in_place(&points, "unrolled, in place", Role::Ours, move |x, value, jacobian| {
                    $of_known_into(x, $(black_box($known),)? value, jacobian);
                }),
            )?
            in_place(&points, "num-dual", Role::Other, move |x, value, jacobian| {
                let result = $generic(&array::from_fn(|i| DualSVec64::variable(x[i], i)), black_box(given));
                for i in 0..value.len() {
                    (value[i], jacobian[i]) = (result[i].value(), result[i].derivatives());
                }
            }),
            in_place(&points, "inlined duals", Role::Other, move |x, value, jacobian| {
                let result = $generic(&array::from_fn(|i| Inlined::variable(x[i], i)), black_box(given));
                for i in 0..value.len() {
                    (value[i], jacobian[i]) = (result[i].value(), result[i].derivatives());
                }
            }),
        ];
        let size = (points[0].len(), $f(&points[0], given).len());
        checked_within(TOLERANCE, stringify!($f), size, &points, columns)
    }};
}

const LORENZ: [f64; 4] = [1.0, 2.0, 20.0, 28.0];
const FILTER: [f64; 5] = [0.2, 0.35, 0.2, -0.6, 0.3];
const SUM: [f64; 6] = [1.2, 0.7, -0.8, 2.1, 0.3, 0.1];
const CONDUCTION: [f64; 3] = [0.2, 0.3, 0.01];
const ORBIT: [f64; 5] = [1.0, 0.0, 0.1, 0.9, 1.0];
const COMB: [f64; 3] = [0.3, 0.2, 0.9];
const TRIDIAGONAL: [f64; 3] = [-0.4, 2.0, -0.7];

fn diffused() -> [f64; CELLS] {
    array::from_fn(|i| 1.0 + 0.3 * (i as f64).sin())
}

/// A signal, which is there as long as the program is.
fn signal(length: usize) -> &'static [f64] {
    (0..length).map(|k| (0.3 * k as f64).sin() + 0.5 * (1.7 * k as f64).cos()).collect::<Vec<_>>().leak()
}

/// Data that the model explains but for some noise.
fn data(length: usize) -> &'static [(f64, f64)] {
    let at = |k: usize| 5.0 * k as f64 / length as f64;
    let value = |t: f64| (-t).exp() - 0.5 * (-2.0 * t).exp() + 0.2 + 0.1 * (40.0 * t).sin();
    (0..length).map(|k| (at(k), value(at(k)))).collect::<Vec<_>>().leak()
}

/// The arrays of known length in a slice.
fn array<T, const N: usize>(slice: &'static [T]) -> &'static [T; N] {
    slice.try_into().expect("it has this length")
}

fn lorenz_case(iterations: usize) -> Case {
    match iterations {
        10 => {
            repeated!(lorenz lorenz_jac lorenz_jac_into generic_lorenz, LORENZ, iterations, lorenz_10_jac lorenz_10_jac_into ())
        }
        100 => {
            repeated!(lorenz lorenz_jac lorenz_jac_into generic_lorenz, LORENZ, iterations, lorenz_100_jac lorenz_100_jac_into ())
        }
        _ => repeated!(lorenz lorenz_jac lorenz_jac_into generic_lorenz, LORENZ, iterations),
    }
}

fn filter_case(iterations: usize) -> Case {
    let of = signal(iterations);
    match iterations {
        10 => {
            repeated!(filter filter_jac filter_jac_into generic_filter, FILTER, of, filter_10_jac filter_10_jac_into (array(of)))
        }
        100 => {
            repeated!(filter filter_jac filter_jac_into generic_filter, FILTER, of, filter_100_jac filter_100_jac_into (array(of)))
        }
        _ => repeated!(filter filter_jac filter_jac_into generic_filter, FILTER, of),
    }
}

fn sum_case(iterations: usize) -> Case {
    let of = data(iterations);
    match iterations {
        10 => repeated!(sum sum_jac sum_jac_into generic_sum, SUM, of, sum_10_jac sum_10_jac_into (array(of))),
        100 => repeated!(sum sum_jac sum_jac_into generic_sum, SUM, of, sum_100_jac sum_100_jac_into (array(of))),
        _ => repeated!(sum sum_jac sum_jac_into generic_sum, SUM, of),
    }
}

fn diffusion_case(iterations: usize) -> Case {
    match iterations {
        10 => {
            repeated!(diffusion diffusion_jac diffusion_jac_into generic_diffusion, diffused(), iterations, diffusion_10_jac diffusion_10_jac_into ())
        }
        _ => repeated!(diffusion diffusion_jac diffusion_jac_into generic_diffusion, diffused(), iterations),
    }
}

fn conduction_case(iterations: usize) -> Case {
    repeated!(conduction conduction_jac conduction_jac_into generic_conduction, CONDUCTION, iterations)
}

fn orbit_case(iterations: usize) -> Case {
    repeated!(orbit orbit_jac orbit_jac_into generic_orbit, ORBIT, iterations)
}

fn comb_case(iterations: usize) -> Case {
    repeated!(comb comb_jac comb_jac_into generic_comb, COMB, signal(iterations))
}

fn tridiagonal_case(iterations: usize) -> Case {
    repeated!(tridiagonal tridiagonal_jac tridiagonal_jac_into generic_tridiagonal, TRIDIAGONAL, signal(iterations))
}

/// The name of a function, and what makes the case of it with a number of iterations.
pub type CaseByIterations = (&'static str, fn(usize) -> Case);

/// The functions.
pub const LOOPS: [CaseByIterations; 8] = [
    ("lorenz", lorenz_case),
    ("filter", filter_case),
    ("sum", sum_case),
    ("diffusion", diffusion_case),
    ("conduction", conduction_case),
    ("orbit", orbit_case),
    ("comb", comb_case),
    ("tridiagonal", tridiagonal_case),
];

/// The tables of these functions, or of all, and the geometric mean of what is compared.
pub fn tables(names: &[&str]) -> String {
    let (mut text, mut ratios) = (String::new(), Vec::new());
    for (name, case) in LOOPS.iter().filter(|(name, _)| names.is_empty() || names.contains(name)) {
        let figures: Vec<_> = ITERATIONS
            .iter()
            .map(|&iterations| measured(crate::sound(case(iterations)), iterations > 100_000))
            .collect();
        ratios.extend(figures.iter().filter_map(Figures::ours_to_the_best_other));
        let heads = ITERATIONS.map(|iterations| format!("{iterations} iterations"));
        text += &format!("### {name}\n\n{}\n", table::by_heads(&figures, &heads, "ns"));
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    text + &format!("Rolled to the best other, geometric mean of {} cells: {mean:.2}\n", ratios.len())
}

/// The least time of each column, in nanoseconds.
fn measured(case: Case, is_long: bool) -> Figures {
    let turn = if is_long { LONG_TURN } else { TURN };
    let evaluations: Vec<_> = case.ways.iter().map(|way| evaluations_of_a_turn(&way.repeat, turn)).collect();
    let mut least = vec![f64::INFINITY; case.ways.len()];
    let start = Instant::now();
    for round in 0..MOST_ROUNDS {
        if round >= LEAST_ROUNDS && start.elapsed() > OF_A_CASE {
            break;
        }
        for turn in 0..case.ways.len() {
            let at = (round + turn) % case.ways.len();
            let time = time(&|| (case.ways[at].repeat)(evaluations[at]));
            least[at] = least[at].min(time.as_nanos() as f64 / evaluations[at] as f64);
        }
    }
    Figures { case, of_ways: least.into_iter().map(Some).collect() }
}

/// How long something takes. What is longer than a slice of the scheduler is timed by the processor's time, where the
/// system tells it, for others are let in between.
fn time(run: &dyn Fn()) -> Duration {
    let (start, before) = (Instant::now(), processor_time());
    run();
    let elapsed = start.elapsed();
    match before.zip(processor_time()) {
        Some((before, after)) if elapsed > SLICE => after - before,
        _ => elapsed,
    }
}

/// How long this thread has been running, as Linux counts it, to some milliseconds.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn evaluations_of_a_turn(repeat: &dyn Fn(usize), turn: Duration) -> usize {
    let mut evaluations = 1;
    loop {
        let start = Instant::now();
        repeat(evaluations);
        if start.elapsed() >= turn {
            return evaluations;
        }
        evaluations *= 2;
    }
}
