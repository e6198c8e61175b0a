//! `?` in helpers that give an `Option`: what is evaluated before it is what it was then, and what is changed stays changed.

#![allow(clippy::let_and_return, reason = "a block as an operand")]

use jacobian::jacobian;

use crate::differences;

#[jacobian]
mod steps {
    #[derive(Clone, Copy)]
    struct Sum {
        total: f64,
        gain: f64,
    }

    impl Sum {
        fn add(&mut self, x: f64) -> f64 {
            self.total += x * self.gain;
            self.total
        }

        fn double(&mut self) -> Option<f64> {
            if self.total > 90.0 {
                return None;
            }
            self.total *= 2.0;
            Some(self.total + 1.0)
        }

        fn twice(&mut self) -> Option<f64> {
            let y = self.total * self.double()? + self.total.powf(self.double()?);
            Some(y * self.total)
        }

        fn grown(&mut self) -> Option<f64> {
            let y = self.total.powf(grow(self)?);
            Some(y * self.total)
        }
    }

    fn double(x: &mut f64) -> Option<f64> {
        if *x > 100.0 {
            return None;
        }
        *x *= 2.0;
        Some(*x + 1.0)
    }

    fn grow(sum: &mut Sum) -> Option<f64> {
        if sum.total > 90.0 {
            None
        } else {
            sum.total *= 3.0;
            Some(sum.total)
        }
    }

    fn root(x: f64) -> Option<f64> {
        if x < 0.0 { None } else { Some(x.sqrt()) }
    }

    fn weighted(sum: Sum) -> Option<f64> {
        if sum.total < 0.0 { None } else { Some(sum.total * sum.gain) }
    }

    fn pair(a: f64, b: f64) -> f64 {
        a * 10.0 + b
    }

    fn next(i: &mut usize) -> Option<usize> {
        *i += 1;
        if *i > 5 { None } else { Some(*i - 1) }
    }

    fn copied(mut x: f64) -> Option<f64> {
        let y = x + double(&mut x)?;
        let z = pair(x, double(&mut x)?);
        Some(y * x + z)
    }

    fn copied_whole(mut x: [f64; 2]) -> Option<f64> {
        let y = [x, [double(&mut x[0])?, 1.0]];
        Some(y[0][0] * y[1][0] + x[0])
    }

    fn receivers(x: f64) -> Option<f64> {
        let mut sum = Sum { total: x, gain: 2.0 };
        let a = sum.add(root(x)?);
        let b = sum.add(root(sum.total)?);
        let c = sum.add(weighted(sum)?);
        let mut sums = [sum, Sum { total: 1.0, gain: x }];
        let d = sums[1].add(root(x)?);
        sums[0].total += root(d)?;
        Some(sum.total * a + b * c + sums[1].total * d + sums[0].total)
    }

    fn copied_receivers(x: f64) -> Option<f64> {
        let mut sum = Sum { total: x * 0.3, gain: 1.0 };
        let a = sum.grown()?;
        let all = (sum.total, grow(&mut sum)?, sum.total, sum.double()?);
        let b = all.0 * all.1 + all.2 * all.3;
        sum.total = x;
        Some(a + b + sum.twice()? + sum.gain)
    }

    fn indexed(x: f64) -> Option<f64> {
        let mut table = [x, 2.0 * x, 3.0 * x];
        let mut i = 0;
        let a = table[next(&mut i)?] * table[next(&mut i)?];
        table[i] += {
            let y = root(x)?;
            y
        };
        Some(a + table[2] + table[i - 2])
    }

    #[jacobian]
    pub fn of_copies(x: f64) -> [f64; 2] {
        [copied(x).unwrap_or(0.0), copied_whole([x, x]).unwrap_or(-1.0)]
    }

    #[jacobian]
    pub fn of_receivers(x: f64) -> [f64; 2] {
        [receivers(x).unwrap_or(0.0), copied_receivers(x).unwrap_or(-1.0)]
    }

    #[jacobian]
    pub fn of_indices(x: f64) -> f64 {
        indexed(x).unwrap_or(0.0)
    }
}

#[test]
fn operands_before_what_is_tried() {
    for x in [0.4, 1.3, 2.2, 60.0, 120.0] {
        differences(|[x]: [f64; 1]| steps::of_copies(x), |[x]| steps::of_copies_jac(x), [x]);
    }
}

#[test]
fn receivers_and_indices_before_what_is_tried() {
    for x in [0.4, 1.3, 2.2] {
        differences(|[x]: [f64; 1]| steps::of_receivers(x), |[x]| steps::of_receivers_jac(x), [x]);
    }
    for x in [-0.3, 0.4, 1.3, 2.2] {
        differences(|[x]: [f64; 1]| steps::of_indices(x), |[x]| steps::of_indices_jac(x), [x]);
    }
}

// What two of them find are two values.
#[jacobian]
mod passive {
    fn scaled(x: f64, t: &[f64]) -> Option<f64> {
        let p = t.first()? * t.last()? - t.get(1)?;
        Some(p * x)
    }

    #[jacobian(wrt(x))]
    pub fn of_several(x: f64, t: &[f64]) -> f64 {
        scaled(x, t).unwrap_or(x)
    }
}

#[test]
fn several_passive_ones() {
    for t in [&[][..], &[2.0], &[2.0, 0.25], &[2.0, 0.25, -3.0]] {
        differences(|[x]| passive::of_several(x, t), |[x]| passive::of_several_jac(x, t), [0.7]);
    }
}
