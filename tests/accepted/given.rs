//! What helpers are given beside numbers: closures, functions, mutable references; and helpers that call themselves.

use jacobian::jacobian;

use crate::check;

#[jacobian]
mod solvers {
    /// A step of the classical method of Runge and Kutta.
    fn rk4<const N: usize>(f: impl Fn(f64, [f64; N]) -> [f64; N], t: f64, x: [f64; N], h: f64) -> [f64; N] {
        let k1 = f(t, x);
        let k2 = f(t + 0.5 * h, along(x, 0.5 * h, k1));
        let k3 = f(t + 0.5 * h, along(x, 0.5 * h, k2));
        let k4 = f(t + h, along(x, h, k3));
        let mut y = x;
        for i in 0..N {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        y
    }

    fn along<const N: usize>(x: [f64; N], h: f64, k: [f64; N]) -> [f64; N] {
        let mut y = x;
        for i in 0..N {
            y[i] += h * k[i];
        }
        y
    }

    fn newton<F, D>(f: F, derivative: D, mut x: f64) -> f64
    where
        F: Fn(f64) -> f64,
        D: Fn(f64) -> f64,
    {
        for _ in 0..5 {
            x -= f(x) / derivative(x);
        }
        x
    }

    fn twice(f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
        f(f(x))
    }

    fn through(f: fn(f64) -> f64, x: f64) -> f64 {
        twice(&f, x)
    }

    fn square(x: f64) -> f64 {
        x * x
    }

    fn each<const N: usize>(x: [f64; N], mut visit: impl FnMut(usize, f64)) {
        for (i, x) in x.into_iter().enumerate() {
            visit(i, x);
        }
    }

    #[jacobian]
    pub fn pendulum(x: [f64; 2], h: f64, g: f64) -> [f64; 2] {
        rk4(|t, [q, p]| [p + t, -g * q.sin()], 0.0, x, h)
    }

    #[jacobian(wrt(x, h))]
    pub fn steps(x: [f64; 2], h: f64, n: usize) -> f64 {
        let (mut y, mut t) = (x, 0.0);
        for _ in 0..n {
            y = rk4(|t, y| [y[1] * t, -y[0]], t, y, h);
            t += h;
        }
        y[0]
    }

    #[jacobian]
    pub fn root(a: f64) -> f64 {
        newton(|x| x * x * x - a, |x| 3.0 * square(x), a)
    }

    #[jacobian]
    pub fn named(x: f64, y: f64) -> f64 {
        let scaled = |v: f64| v * y;
        through(square, x) + twice(&f64::sin, x) + twice(&scaled, x) + twice(&|v| scaled(v) + twice(&square, v), y)
    }

    #[jacobian]
    pub fn visited(x: [f64; 3]) -> [f64; 2] {
        let (mut sum, mut last) = (0.0, 1.0);
        each(x, |i, v| {
            sum += v * last * i as f64;
            last = v;
        });
        [sum, last]
    }

    #[jacobian(wrt(x))]
    pub fn passive(x: f64, data: &[f64]) -> f64 {
        let shift = data[0];
        twice(&|v| v + shift, 2.0) * x + twice(&square, shift) * x
    }
}

#[test]
fn helpers_are_given_functions() {
    use solvers::*;
    let h = 1e-6;
    let (value, jacobian) = pendulum_jac([0.5, 0.2], 0.1, 9.81);
    assert_eq!(value, pendulum([0.5, 0.2], 0.1, 9.81));
    for column in 0..4 {
        let at = |d: f64| {
            let mut a = [0.5, 0.2, 0.1, 9.81];
            a[column] += d;
            pendulum([a[0], a[1]], a[2], a[3])
        };
        for (row, (after, before)) in jacobian.iter().zip(at(h).into_iter().zip(at(-h))) {
            approx::assert_relative_eq!(row[column], (after - before) / (2.0 * h), epsilon = 1e-8);
        }
    }
    let (value, [_, _, slope]) = steps_jac([1.0, 0.5], 0.1, 7);
    assert_eq!(value, steps([1.0, 0.5], 0.1, 7));
    let difference = (steps([1.0, 0.5], 0.1 + h, 7) - steps([1.0, 0.5], 0.1 - h, 7)) / (2.0 * h);
    approx::assert_relative_eq!(slope, difference, epsilon = 1e-8);
    let (value, [slope]) = root_jac(1.2);
    assert_eq!(value, root(1.2));
    approx::assert_relative_eq!(slope, (root(1.2 + h) - root(1.2 - h)) / (2.0 * h), epsilon = 1e-8);
    let (x, y) = (0.7, 1.3);
    let (value, [by_x, by_y]) = named_jac(x, y);
    assert_eq!(value, named(x, y));
    approx::assert_relative_eq!(by_x, (named(x + h, y) - named(x - h, y)) / (2.0 * h), epsilon = 1e-7);
    approx::assert_relative_eq!(by_y, (named(x, y + h) - named(x, y - h)) / (2.0 * h), epsilon = 1e-4);
    let x = [2.0, 3.0, 5.0];
    check(visited(x), visited_jac(x), &[3.0, 2.0 + 10.0, 6.0, 0.0, 0.0, 1.0]);
    check(passive(3.0, &[0.5]), passive_jac(3.0, &[0.5]), &[3.0 + 0.0625]);
}

#[jacobian]
mod changed {
    fn axpy<const N: usize>(a: f64, x: &[f64; N], y: &mut [f64; N]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += a * x;
        }
    }

    fn bump(x: &mut f64, by: f64) -> f64 {
        if by < 0.0 {
            return *x;
        }
        let before = *x;
        *x += by;
        before
    }

    fn both(x: &mut f64, y: &mut f64, count: &mut usize) {
        *count += 1;
        bump(x, *y);
        *y = bump(&mut *x, 2.0) * *count as f64;
    }

    fn scaled(list: &mut [[f64; 2]; 2], by: f64) {
        for row in list {
            row[0] *= by;
            row.swap(0, 1);
        }
    }

    #[jacobian]
    pub fn updated(a: f64, x: [f64; 3]) -> f64 {
        let mut y = [1.0, 2.0, 3.0];
        axpy(a, &x, &mut y);
        axpy(2.0, &x, &mut y);
        bump(&mut y[1], x[0]) * bump(&mut y[1], 1.0)
    }

    #[jacobian]
    pub fn twice(x: f64, out: &mut [f64; 2]) -> f64 {
        let (mut s, mut t) = (x, 3.0);
        bump(&mut t, -1.0);
        let before = bump(&mut s, x * x) + bump(&mut t, s);
        *out = [s, t];
        before
    }

    #[jacobian]
    pub fn rows(m: [[f64; 2]; 2], by: f64, n: usize) -> [[f64; 2]; 2] {
        let mut m = m;
        for _ in 0..n {
            scaled(&mut m, by);
        }
        m
    }

    #[jacobian]
    pub fn counted(x: f64, y: f64) -> [f64; 3] {
        let (mut a, mut b, mut n) = (x, y, 2_usize);
        both(&mut a, &mut b, &mut n);
        [a, b, n as f64]
    }

    #[jacobian]
    pub fn branches(x: f64, y: f64) -> [f64; 2] {
        let mut s = [x, y];
        if x > y {
            bump(&mut s[0], y * y);
        } else {
            bump(&mut s[1], x * x);
        }
        bump(&mut s[0], x - y);
        s
    }
}

#[test]
fn helpers_write_through_references() {
    use changed::*;
    // y1 = 2 + a x1 + 2 x1, the value is y1 (y1 + x0).
    let (a, x) = (3.0, [2.0, 5.0, 7.0]);
    let y = 2.0 + (a + 2.0) * x[1];
    let by_y = 2.0 * y + x[0];
    check(updated(a, x), updated_jac(a, x), &[by_y * x[1], y, by_y * (a + 2.0), 0.0]);
    let (mut out, mut own) = ([0.0; 2], [0.0; 2]);
    let value = twice(2.0, &mut out);
    let (own_value, jacobian) = twice_jac(2.0, &mut own);
    assert_eq!((value, out), (own_value, own));
    assert_eq!(jacobian, [[1.0], [5.0], [5.0]]);
    let m = [[1.0, 2.0], [3.0, 5.0]];
    let (value, jacobian) = rows_jac(m, 2.0, 3);
    assert_eq!(value, rows(m, 2.0, 3));
    assert_eq!(value, [[4.0, 4.0], [10.0, 12.0]]);
    assert_eq!(jacobian[0], [0.0, 2.0, 0.0, 0.0, 2.0]);
    assert_eq!(jacobian[3], [0.0, 0.0, 4.0, 0.0, 12.0]);
    check(counted(2.0, 3.0), counted_jac(2.0, 3.0), &[1.0, 1.0, 3.0, 3.0, 0.0, 0.0]);
    check(branches(3.0, 2.0), branches_jac(3.0, 2.0), &[2.0, 3.0, 0.0, 1.0]);
    check(branches(2.0, 3.0), branches_jac(2.0, 3.0), &[1.0, 0.0, 4.0, 1.0]);
}

#[jacobian]
mod recursive {
    fn power(x: f64, n: usize) -> f64 {
        if n == 0 { 1.0 } else { x * power(x, n - 1) }
    }

    fn legendre(x: f64, n: i32) -> f64 {
        match n {
            0 => 1.0,
            1 => x,
            n => ((2 * n - 1) as f64 * x * legendre(x, n - 1) - (n - 1) as f64 * legendre(x, n - 2)) / n as f64,
        }
    }

    fn even(x: f64, n: u8) -> f64 {
        if n == 0 { x } else { odd(x, n - 1) * 2.0 }
    }

    fn odd(x: f64, n: u8) -> f64 {
        if n == 0 { x * x } else { even(x, n - 1) }
    }

    #[jacobian]
    pub fn cubes(x: f64) -> f64 {
        power(x, 3) + even(x, 3)
    }

    #[jacobian(forms(jac, hess))]
    pub fn p4(x: f64) -> f64 {
        legendre(x, 4)
    }
}

#[test]
fn recursion_of_known_depth() {
    use recursive::*;
    check(cubes(3.0), cubes_jac(3.0), &[27.0 + 4.0 * 6.0]);
    let x: f64 = 0.25;
    let (value, [slope]) = p4_jac(x);
    assert_eq!(value, p4(x));
    approx::assert_relative_eq!(slope, (140.0 * x.powi(3) - 60.0 * x) / 8.0, epsilon = 1e-14);
    approx::assert_relative_eq!(p4_hess(x).2[0][0], (420.0 * x * x - 60.0) / 8.0, epsilon = 1e-13);
}
