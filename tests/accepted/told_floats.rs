//! Passive operands that are plainly floats: they tell which implementation of an operator is meant, where a struct has
//! several.

use jacobian::jacobian;

use crate::differences;

#[jacobian]
mod quaternions {
    use core::ops::{Add, Mul};

    /// A scalar and one coordinate, which are enough here.
    #[derive(Clone, Copy)]
    pub struct Pair {
        a: f64,
        b: f64,
    }

    impl Mul<f64> for Pair {
        type Output = Pair;
        fn mul(self, factor: f64) -> Pair {
            Pair { a: self.a * factor, b: self.b * factor }
        }
    }

    impl Mul for Pair {
        type Output = Pair;
        fn mul(self, other: Pair) -> Pair {
            Pair { a: self.a * other.a - self.b * other.b, b: self.a * other.b + self.b * other.a }
        }
    }

    /// What it gives is another result, so that the one which is meant is seen.
    impl Mul<&f64> for Pair {
        type Output = Pair;
        fn mul(self, factor: &f64) -> Pair {
            Pair { a: self.a * factor * 2.0, b: self.b * factor }
        }
    }

    impl Add for Pair {
        type Output = Pair;
        fn add(self, other: Pair) -> Pair {
            Pair { a: self.a + other.a, b: self.b + other.b }
        }
    }

    const GAINS: [f64; 3] = [1.0, 2.0, 3.0];
    const SHARED: [&f64; 2] = [&0.5, &0.25];
    static PAIRS: [(f64, f64); 2] = [(1.0, 2.0), (3.0, 4.0)];

    fn pair(x: f64) -> Pair {
        Pair { a: x * x, b: x.sin() }
    }

    fn sum(pair: Pair) -> f64 {
        pair.a + 2.0 * pair.b
    }

    #[jacobian(wrt(x))]
    pub fn by_constants(x: f64, n: usize) -> f64 {
        let scaled = pair(x) * core::f64::consts::PI + pair(x) * GAINS[n % 3] + pair(x) * PAIRS[n % 2].0;
        sum(scaled * (n as f64 * f64::from(n as u32)) * f64::EPSILON.sqrt() + pair(x) * pair(x))
    }

    #[jacobian(wrt(x))]
    pub fn by_references(x: f64, n: usize) -> f64 {
        sum(pair(x) * SHARED[n % 2] + pair(x) * SHARED[1] * *SHARED[0])
    }

    #[jacobian(wrt(x))]
    pub fn by_methods(x: f64, y: f64) -> f64 {
        let (sine, cosine) = y.sin_cos();
        let scaled = pair(x) * y.clamp(0.0, 1.0) * sine + pair(x) * cosine;
        sum(scaled * y.powi(2).sqrt().abs() * f64::hypot(y, 2.0) * pair(x))
    }

    #[jacobian(wrt(x))]
    pub fn by_sums(x: f64, data: &[f64]) -> f64 {
        let mut scaled = pair(x) * data.iter().sum::<f64>() * data.iter().map(|v| v * v).sum::<f64>().sqrt();
        for (k, d) in data.iter().enumerate() {
            scaled = scaled * (d * k as f64) + pair(x);
        }
        let largest = data.iter().cloned().fold(0.0, f64::max);
        let mean = data.iter().fold(0.0, |sum, d| sum + d) / data.len() as f64;
        let last = data.iter().copied().reduce(f64::max).unwrap_or(1.0);
        sum(scaled * largest * mean * last * data.iter().product::<f64>())
            + data.iter().zip(data).map(|(a, b)| sum(pair(x) * (a * b))).sum::<f64>()
    }
}

#[test]
fn floats_choose_operators() {
    use quaternions::*;
    for n in 0..4 {
        differences(|[x]| by_constants(x, n), |[x]| by_constants_jac(x, n), [0.7]);
        differences(|[x]| by_references(x, n), |[x]| by_references_jac(x, n), [0.7]);
    }
    for y in [-0.3, 0.4, 2.0] {
        differences(|[x]| by_methods(x, y), |[x]| by_methods_jac(x, y), [0.7]);
    }
    let data = [0.3, 0.9, 0.5];
    differences(|[x]| by_sums(x, &data), |[x]| by_sums_jac(x, &data), [0.7]);
}

#[jacobian]
fn of_an_arm(x: [f64; 2]) -> f64 {
    let f = |j: usize| if j == 0 { 3.0 } else { x[j] };
    let first = f(0);
    let k = first.abs().floor() as usize;
    x[1] * k as f64
}

#[jacobian]
fn pivot(x: [f64; 3]) -> f64 {
    let a: [[f64; 3]; 3] = core::array::from_fn(|i| core::array::from_fn(|j| if i == j { 1.0 } else { x[i] * x[j] }));
    let row = (0..3).max_by(|&i, &j| a[i][0].abs().total_cmp(&a[j][0].abs())).unwrap();
    a[row][1] * x[0]
}

#[jacobian]
mod by_trait {
    pub trait Law {
        fn force(&self, x: f64, v: f64) -> f64;
    }

    pub struct Table {
        pub values: Vec<f64>,
    }

    impl Law for Table {
        fn force(&self, x: f64, v: f64) -> f64 {
            self.values[0] * x + v
        }
    }

    #[jacobian(wrt(x))]
    pub fn by_path(x: f64, table: &Table) -> f64 {
        Law::force(table, x, 0.0) * x
    }
}

#[test]
fn literals_that_others_tell() {
    differences(of_an_arm, of_an_arm_jac, [0.5, 1.25]);
    differences(pivot, pivot_jac, [0.5, 1.25, 3.0]);
    let table = by_trait::Table { values: vec![2.0] };
    differences(|[x]| by_trait::by_path(x, &table), |[x]| by_trait::by_path_jac(x, &table), [0.7]);
}
