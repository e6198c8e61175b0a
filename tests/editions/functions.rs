//! Annotated functions in a crate that has no standard library, no unsafe code and no warning, in every edition: each
//! member crate beside this file compiles it.

#![no_std]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, clippy::all)]

extern crate jacobian;
extern crate libm;

use jacobian::jacobian;

/// Arithmetic on scalars and arrays, by value and by reference.
#[jacobian]
pub fn arithmetic(a: f64, b: &f64, c: [f64; 2], d: &[[f64; 2]; 2]) -> [f64; 3] {
    let [p, q] = c;
    let mut s = a * *b + (p + q) % 1.5;
    s -= d[0][1] / d[1][0];
    let [[first, _], row] = *d;
    [s * -a, s + first, row[1]]
}

/// Sums that are fused with products where there is an instruction for it.
#[jacobian]
pub fn products(x: f64, y: f64, z: f64) -> f64 {
    let a = x * y + z;
    let b = a * y + x;
    let c = b * z + a;
    let d = c * x + b;
    d * a + c * b
}

/// Macros that are surely those of the standard library.
#[jacobian]
pub fn asserted(x: f64, n: u8) -> f64 {
    assert!(x > 0.0, "not {}", x);
    debug_assert_ne!(x, 7.0);
    if matches!(n, 2) {
        x
    } else {
        3.0 * x
    }
}

/// A single float.
#[jacobian(strategy = "reverse")]
pub fn single(x: [f32; 3]) -> f32 {
    x[0] * 0.1 + x[1] * x[2] - 1.0 / x[2]
}

/// Tuples, nested results, constants and inputs among them.
#[jacobian(strategy = "vertex: markowitz > forward")]
pub fn shapes(x: f64, y: f64) -> (f64, [[f64; 2]; 1], (f64,)) {
    use core::f64::consts::PI;
    const TWO: f64 = 2.0;
    (x, [[x * y * PI, TWO]], (y / TWO,))
}

/// Numbers of a type parameter.
pub trait Number: Copy + core::ops::Add<Output = Self> + core::ops::Mul<Output = Self> {
    /// The number zero.
    fn zero() -> Self;
    /// The number one.
    fn one() -> Self;
}

/// A type parameter and outputs.
#[jacobian]
pub fn generic<T: Number>(x: &[T; 2], k: T, y: &mut [T; 2], z: &mut T) -> T {
    *y = [x[0] * x[1], x[1] + T::one()];
    *z = y[1] * k;
    *z
}

/// What floats can do without the standard library.
#[jacobian]
pub fn methods(x: f64, y: f64) -> [f64; 9] {
    [
        x.max(y),
        x.min(y),
        x.clamp(-1.0, 1.0) * y,
        x.recip(),
        x.to_degrees() + y.to_radians(),
        x.midpoint(y),
        x.abs() * x.signum(),
        y.copysign(x),
        f64::max(x, y) + <f64>::min(x, y),
    ]
}

/// Loops, iterators, closures and known conditions.
#[jacobian]
pub fn loops(x: [f64; 3], w: &[f64; 3], n: usize) -> [f64; 2] {
    const SIGNS: [i32; 3] = [1, -1, 2];
    let scale = |v: f64, k: usize| v * SIGNS[k] as f64 + n as f64;
    let mut a = x;
    for v in a.iter_mut() {
        *v *= 2.0;
    }
    let mut sum = 0.0;
    'rows: for (i, v) in a.iter().enumerate() {
        for j in (0..=i).rev() {
            if j == 1 {
                continue 'rows;
            }
            sum += v * scale(w[j], j);
        }
    }
    let squares: [f64; 3] = core::array::from_fn(|i| if i == 1 { a[i] } else { a[i] * a[i] });
    [sum, squares.iter().zip(w).map(|(a, b)| a * b).sum::<f64>()]
}

/// Loops and chains, the number of whose iterations is known at run time only.
#[jacobian(wrt(x))]
pub fn run_time_loops(x: [f64; 2], data: &[f64], n: usize) -> [f64; 2] {
    let (mut s, mut r, mut k) = (x[0], x[1], n);
    for (i, d) in data.iter().enumerate() {
        s += x[i % 2] * d;
    }
    for _ in 0..n {
        let step = 0.5 * (r - x[1] / r);
        r -= step;
        if step * step < 1e-20 {
            break;
        }
    }
    while k > 0 && s < 50.0 {
        s *= 1.0 + 0.25 * x[0];
        k -= 1;
    }
    [s, data.iter().map(|d| r * *d).sum::<f64>()]
}

/// Functions of libm, the derivatives of which call others of its functions, and one that is brought along.
#[jacobian]
pub fn of_libm(x: f64, y: f64, z: f64) -> [f64; 8] {
    [
        libm::fma(x, y, z),
        libm::pow(x, y),
        libm::atan2(y, x) + libm::hypot(x, y),
        libm::tanh(x),
        libm::copysign(x, y),
        libm::fmod(y, x),
        libm::lgamma(x * y),
        libm::tgamma(x) * libm::erf(y),
    ]
}

/// The same in single precision.
#[jacobian]
pub fn of_libm_f32(x: f32, y: f32, z: f32) -> [f32; 6] {
    [
        libm::fmaf(x, y, z),
        libm::powf(x, y),
        libm::atan2f(y, x) + libm::hypotf(x, y),
        libm::tanhf(x) + libm::atanf(y),
        libm::fabsf(x) + libm::fmodf(y, x),
        libm::lgammaf(x * y),
    ]
}

/// The methods that the standard library would have, from a trait.
pub trait Trigonometry: Sized {
    /// The sine.
    fn sin(self) -> Self;
    /// The cosine.
    fn cos(self) -> Self;
}

impl Trigonometry for f64 {
    fn sin(self) -> Self {
        libm::sin(self)
    }

    fn cos(self) -> Self {
        libm::cos(self)
    }
}

/// Methods of a trait of the user.
#[jacobian]
pub fn of_a_trait(r: f64, t: f64) -> [f64; 2] {
    [r * t.cos(), r * t.sin()]
}

/// Passive values: parameters, fields, calls, patterns, conditions, changed variables.
#[derive(Debug)]
pub struct Spring<T> {
    /// The stiffness.
    pub stiffness: T,
    /// The ends.
    pub ends: [usize; 2],
}

impl<T: Copy + Into<f64>> Spring<T> {
    /// A method with generic parameters that are passed through.
    #[jacobian(wrt(x), name = "energy_with_gradient")]
    pub fn energy<'a, const N: usize>(&'a self, x: &[f64; 2], rest: [f64; N], index: &'a [usize]) -> f64
    where
        T: 'a,
    {
        let Spring { stiffness, ends: [from, to] } = *self;
        let k: f64 = stiffness.into();
        let mut count = index.len() + N;
        count *= 2;
        let is_long = count > 3 && index[0] > 0;
        let _ = rest.iter().count();
        let factor = is_long as u8 as f64 + rest[N - 1];
        (x[0] - x[1]) * k * factor + x[0] * (from + to) as f64
    }
}

/// A constant function.
#[jacobian]
pub const fn constant(x: f64) -> f64 {
    let y = x * x;
    y * x
}

/// Blocks, shadowing, assignments, deferred initialisation, variables that are not used.
#[jacobian]
pub fn variables(x: f64, _y: f64, n: i32) -> f64 {
    let y;
    let mut x = x * 2.0;
    {
        let x = x * x;
        y = x + n as f64;
    }
    let mut pair = [x, y];
    (pair[0], pair[1]) = (pair[1], pair[0]);
    pair[1] *= 3.0;
    let mut m = n;
    m += 1;
    x += pair[0];
    x * pair[1] * m as f64
}

macro_rules! from_a_macro {
    ($name:ident, $x:ident: $t:ty, $e:expr) => {
        /// A function from a macro.
        #[jacobian]
        pub fn $name($x: $t) -> $t {
            let t = $x * $e;
            t * $x
        }
    };
}

from_a_macro!(hygienic, t: f64, 1.0 + 2.0);

#[cfg(test)]
mod tests {
    extern crate std;

    use self::std::vec::Vec;
    use super::*;

    /// Compares a Jacobian with central differences.
    fn compare(f: &dyn Fn(&[f64]) -> Vec<f64>, x: &[f64], jacobian: &[f64], step: f64, tolerance: f64) {
        let rows = f(x).len();
        assert_eq!(jacobian.len(), rows * x.len());
        for column in 0..x.len() {
            let at = |offset: f64| {
                let mut moved = x.to_vec();
                moved[column] += offset;
                f(&moved)
            };
            let (above, below) = (at(step), at(-step));
            for row in 0..rows {
                let expected = (above[row] - below[row]) / (2.0 * step);
                let entry = jacobian[row * x.len() + column];
                let is_near = (entry - expected).abs() <= tolerance * expected.abs().max(1.0);
                assert!(is_near, "entry {}, {} is {}, not {}", row, column, entry, expected);
            }
        }
    }

    #[test]
    fn arithmetic_runs() {
        let of = |x: &[f64]| arithmetic(x[0], &x[1], [x[2], x[3]], &[[x[4], x[5]], [x[6], x[7]]]).to_vec();
        let at = [0.3, 1.2, 2.5, 0.7, 1.5, 0.4, 0.9, 1.1];
        let (value, jacobian) = arithmetic_jac(0.3, &1.2, [2.5, 0.7], &[[1.5, 0.4], [0.9, 1.1]]);
        assert_eq!(value.to_vec(), of(&at));
        compare(&of, &at, &jacobian.concat(), 1e-6, 1e-8);
    }

    #[test]
    fn single_runs() {
        let (value, jacobian) = single_jac([1.0, 2.0, 4.0]);
        assert_eq!(value, single([1.0, 2.0, 4.0]));
        assert_eq!(jacobian, [0.1, 4.0, 2.0 + 1.0 / 16.0]);
    }

    #[test]
    fn shapes_run() {
        let (value, jacobian) = shapes_jac(2.0, 3.0);
        let pi = core::f64::consts::PI;
        assert_eq!(value, shapes(2.0, 3.0));
        assert_eq!(jacobian, [[1.0, 0.0], [3.0 * pi, 2.0 * pi], [0.0, 0.0], [0.0, 0.5]]);
    }

    #[test]
    fn methods_run() {
        let of = |x: &[f64]| methods(x[0], x[1]).to_vec();
        for at in &[[0.3, 1.2], [-2.0, 0.4]] {
            let (value, jacobian) = methods_jac(at[0], at[1]);
            assert_eq!(value.to_vec(), of(at));
            compare(&of, at, &jacobian.concat(), 1e-6, 1e-8);
        }
    }

    #[test]
    fn libm_runs() {
        let of = |x: &[f64]| of_libm(x[0], x[1], x[2]).to_vec();
        let (value, jacobian) = of_libm_jac(0.3, 1.25, 0.7);
        assert_eq!(value.to_vec(), of(&[0.3, 1.25, 0.7]));
        compare(&of, &[0.3, 1.25, 0.7], &jacobian.concat(), 1e-6, 1e-7);
    }

    #[test]
    fn libm_in_single_precision_runs() {
        let of = |x: &[f64]| {
            let value = of_libm_f32(x[0] as f32, x[1] as f32, x[2] as f32);
            value.iter().map(|&value| f64::from(value)).collect::<Vec<_>>()
        };
        let (value, jacobian) = of_libm_f32_jac(0.34375, 1.25, 0.75);
        assert_eq!(value, of_libm_f32(0.34375, 1.25, 0.75));
        let entries: Vec<_> = jacobian.concat().iter().map(|&entry| f64::from(entry)).collect();
        compare(&of, &[0.34375, 1.25, 0.75], &entries, 1.0 / 256.0, 2e-3);
    }

    #[test]
    fn methods_of_a_trait_run() {
        let (value, jacobian) = of_a_trait_jac(2.0, 0.5);
        let (s, c) = (libm::sin(0.5), libm::cos(0.5));
        assert_eq!(value, of_a_trait(2.0, 0.5));
        assert_eq!(jacobian, [[c, -(2.0 * s)], [s, 2.0 * c]]);
    }

    #[test]
    fn passive_values_run() {
        let spring = Spring { stiffness: 3.0f32, ends: [1, 4] };
        let (value, gradient) = spring.energy_with_gradient(&[2.0, 0.5], [0.25, 0.5], &[7, 8]);
        assert_eq!(value, spring.energy(&[2.0, 0.5], [0.25, 0.5], &[7, 8]));
        assert_eq!(gradient, [4.5 + 5.0, -4.5]);
    }

    #[test]
    fn constants_run() {
        const AT: (f64, [f64; 1]) = constant_jac(2.0);
        assert_eq!(AT, (constant(2.0), [12.0]));
    }

    #[test]
    fn variables_run() {
        let of = |x: &[f64]| Vec::from([variables(x[0], x[1], 4)]);
        let (value, gradient) = variables_jac(1.5, 0.0, 4);
        assert_eq!(value, variables(1.5, 0.0, 4));
        compare(&of, &[1.5, 0.0], &gradient, 1e-6, 1e-7);
    }

    #[test]
    fn loops_run() {
        let of = |x: &[f64]| loops([x[0], x[1], x[2]], &[x[3], x[4], x[5]], 2).to_vec();
        let (value, jacobian) = loops_jac([1.5, 0.5, -0.25], &[0.75, -1.0, 2.0], 2);
        assert_eq!(value.to_vec(), of(&[1.5, 0.5, -0.25, 0.75, -1.0, 2.0]));
        compare(&of, &[1.5, 0.5, -0.25, 0.75, -1.0, 2.0], &jacobian.concat(), 1e-6, 1e-7);
    }

    #[test]
    fn run_time_loops_run() {
        const DATA: [f64; 3] = [0.5, -1.25, 2.0];
        let of = |x: &[f64]| run_time_loops([x[0], x[1]], &DATA, 9).to_vec();
        let (value, jacobian) = run_time_loops_jac([0.75, 2.0], &DATA, 9);
        assert_eq!(value.to_vec(), of(&[0.75, 2.0]));
        compare(&of, &[0.75, 2.0], &jacobian.concat(), 1e-6, 1e-7);
    }

    #[test]
    fn macros_run() {
        assert_eq!(hygienic_jac(5.0), (hygienic(5.0), [30.0]));
    }
}
