//! Calls of functions that have a Jacobian of their own: `with(...)`.

use approx::assert_abs_diff_eq;
use jacobian::jacobian;

use crate::counter::Counter;
use crate::{check, differences};

/// An error function by a rational approximation (Abramowitz and Stegun, 7.1.26).
fn erf(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.3275911 * x.abs());
    let poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    x.signum() * (1.0 - poly * (-x * x).exp())
}

/// Its derivative by hand: that of the error function itself.
fn erf_jac(x: f64) -> (f64, [f64; 1]) {
    (erf(x), [std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp()])
}

#[test]
fn a_function_of_one_float() {
    #[jacobian(with(erf))]
    fn cdf(x: f64, mean: f64, deviation: f64) -> f64 {
        0.5 * (1.0 + erf((x - mean) / (deviation * std::f64::consts::SQRT_2)))
    }
    let z: f64 = (1.3 - 0.2) / 0.7;
    let density = (-z * z / 2.0).exp() / (0.7 * (2.0 * std::f64::consts::PI).sqrt());
    check(cdf(1.3, 0.2, 0.7), cdf_jac(1.3, 0.2, 0.7), &[density, -density, -density * z]);
}

mod inner {
    #[jacobian::jacobian(name = "derivative")]
    pub fn product(x: &[f64; 2], scale: f64, count: usize) -> [f64; 2] {
        [x[0] * x[1] * scale, x[0] * count as f64]
    }
}

#[test]
fn arrays_in_and_out_under_another_name() {
    #[jacobian(with(inner::product = inner::derivative))]
    fn pattern(x: [f64; 3], count: usize) -> f64 {
        let [a, b] = inner::product(&[x[0], x[1] * x[2]], 2.0, 3);
        a * b * count as f64
    }
    differences(|x| pattern(x, 4), |x| pattern_jac(x, 4), [1.5, 0.7, -0.4]);

    #[jacobian(with(inner::product: fn(&[f64; 2], f64, usize) -> [f64; 2] = inner::derivative))]
    fn declared(x: &[f64; 2], count: usize) -> [f64; 2] {
        let y = inner::product(x, x[0].sin(), count);
        let z: f64 = y[1];
        inner::product(&y, z, 2)
    }
    differences(|x| declared(&x, 3), |x| declared_jac(&x, 3), [1.5, 0.7]);

    #[jacobian(with(inner::product = inner::derivative))]
    fn annotated(x: &[f64; 2]) -> [f64; 2] {
        let y: [f64; 2] = inner::product(x, 0.5, 1);
        inner::product(&y, 0.25, 2)
    }
    differences(|x| annotated(&x), |x| annotated_jac(&x), [1.5, 0.7]);
}

#[test]
fn calls_inside_branches_and_values_of_calls_behind_them() {
    #[jacobian]
    fn squash(x: f64) -> f64 {
        x / (1.0 + x * x).sqrt()
    }
    #[jacobian(with(squash))]
    fn f(x: f64, y: f64) -> f64 {
        let e = squash(x * y);
        let r = if e > 0.5 { e * squash(y) } else { squash(e) };
        r + if x > y { squash(x) } else { 1.0 }
    }
    for (x, y) in [(1.5, 0.5), (0.5, 1.5), (-0.5, 0.25), (2.0, 1.5)] {
        differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [x, y]);
    }
}

#[test]
fn nested_arrays() {
    #[jacobian]
    fn turned(m: [[f64; 2]; 2], angle: f64) -> [[f64; 2]; 2] {
        let (s, c) = angle.sin_cos();
        [[c * m[0][0] - s * m[1][0], c * m[0][1] - s * m[1][1]], [s * m[0][0] + c * m[1][0], s * m[0][1] + c * m[1][1]]]
    }
    #[jacobian(with(turned: fn([[f64; 2]; 2], f64) -> [[f64; 2]; 2]))]
    fn twice(x: [f64; 2]) -> [f64; 2] {
        let m = turned([[x[0], 1.0], [0.5, x[1]]], x[0]);
        let m = turned(m, 0.3);
        [m[0][1] * m[1][0], m[1][1]]
    }
    differences(twice, twice_jac, [0.8, -0.6]);
}

#[test]
fn a_call_with_passive_arguments_is_a_passive_value() {
    fn scale(of: f64, by: usize) -> f64 {
        of * by as f64
    }
    #[jacobian]
    fn f(x: f64, of: f64, by: usize) -> f64 {
        x * scale(2.0, by) * of
    }
    check(f(3.0, 0.5, 4), f_jac(3.0, 0.5, 4), &[4.0, 24.0]);
}

#[test]
fn an_array_from_a_call_with_passive_arguments_has_its_declared_length() {
    fn pair(x: f64) -> [f64; 2] {
        [x, x * x]
    }
    fn pair_jac(x: f64) -> ([f64; 2], [[f64; 1]; 2]) {
        (pair(x), [[1.0], [2.0 * x]])
    }
    #[jacobian(with(pair: fn(f64) -> [f64; 2]))]
    fn f(x: f64, n: usize) -> f64 {
        let mut weights = pair(n as f64);
        weights[0] *= x;
        let chosen = if x > 1.0 { pair(0.5) } else { pair(0.25) };
        weights.iter().zip(chosen).map(|(weight, chosen)| weight * chosen).sum::<f64>() * x + pair(x)[1]
    }
    check(f(3.0, 2), f_jac(3.0, 2), &[13.0]);
    check(f(0.5, 2), f_jac(0.5, 2), &[1.75]);
}

#[test]
fn what_is_passive_behind_a_call_that_nothing_uses() {
    #[jacobian(with(erf))]
    fn f(x: f64, n: usize) -> f64 {
        let _unused = erf(x);
        x * n as f64
    }
    check(f(3.0, 2), f_jac(3.0, 2), &[2.0]);
}

#[test]
fn elements_of_what_a_call_returns_in_any_order() {
    fn powers(x: f64) -> [f64; 4] {
        [x, x * x, x * x * x, 1.0]
    }
    fn powers_jac(x: f64) -> ([f64; 4], [[f64; 1]; 4]) {
        (powers(x), [[1.0], [2.0 * x], [3.0 * x * x], [0.0]])
    }
    #[jacobian(with(powers))]
    fn f(x: f64) -> f64 {
        let y = powers(x);
        y[2] * 5.0 + y[0]
    }
    check(f(2.0), f_jac(2.0), &[61.0]);
}

#[test]
fn functions_with_raw_names() {
    fn r#gen(x: f64) -> f64 {
        x * x
    }
    fn gen_jac(x: f64) -> (f64, [f64; 1]) {
        (x * x, [2.0 * x])
    }
    fn r#match(x: f64) -> f64 {
        3.0 * x
    }
    fn r#type(x: f64) -> (f64, [f64; 1]) {
        (3.0 * x, [3.0])
    }
    #[jacobian(with(r#gen, r#match = r#type))]
    fn f(x: f64) -> f64 {
        r#gen(x) + r#match(x)
    }
    check(f(2.0), f_jac(2.0), &[7.0]);
}

#[test]
fn a_passive_call_declared_to_return_other_floats() {
    fn weight(x: f64, n: usize) -> f32 {
        x as f32 + n as f32 / 10.0
    }
    fn weights(n: usize) -> [f32; 2] {
        [n as f32 / 10.0, 0.1]
    }
    #[jacobian(with(weight: fn(f64, usize) -> f32, weights: fn(usize) -> [f32; 2]))]
    fn f(x: f64, n: usize) -> f64 {
        let [first, second] = weights(n);
        x * f64::from(weight(2.0, n)) + x * first as f64 + x * second as f64
    }
    check(f(2.0, 3), f_jac(2.0, 3), &[f64::from(2.0 + 0.3f32) + f64::from(0.3f32) + f64::from(0.1f32)]);
}

fn list(counter: &Counter) -> Vec<f64> {
    counter.list()
}

fn mixed(x: f64, list: &[f64], n: u32, y: f64, z: [f64; 2]) -> f64 {
    x * (list[0] + 100.0 * y + 1000.0 * z[0]) + 10.0 * f64::from(n) + z[1]
}

fn mixed_jac(x: f64, list: &[f64], n: u32, y: f64, z: [f64; 2]) -> (f64, [f64; 4]) {
    let slope = list[0] + 100.0 * y + 1000.0 * z[0];
    (mixed(x, list, n, y, z), [slope, 100.0 * x, 1000.0 * x, 1.0])
}

#[test]
fn passive_arguments_that_are_called_like_what_is_declared_after_them() {
    #[jacobian(wrt(x), with(mixed: fn(f64, &[f64], u32, f64, [f64; 2]) -> f64))]
    fn methods(x: f64, c: &Counter) -> f64 {
        mixed(x, &c.list(), c.operand(), f64::from(c.operand()), [f64::from(c.next()), 1.0])
    }
    let [given, counter] = [Counter::default(), Counter::default()];
    check(methods(1.5, &given), methods_jac(1.5, &counter), &[4301.0]);

    #[jacobian(wrt(x), with(mixed: fn(f64, &[f64], u32, f64, [f64; 2]) -> f64))]
    fn functions(x: f64, c: &Counter) -> f64 {
        mixed(x, &list(c), c.next(), f64::from(c.next()), {
            let list = c.next();
            [f64::from(c.next()), f64::from(list)]
        })
    }
    let [given, counter] = [Counter::default(), Counter::default()];
    check(functions(1.5, &given), functions_jac(1.5, &counter), &[5301.0]);

    #[jacobian(wrt(x))]
    fn tuples(x: f64, c: &Counter) -> f64 {
        let (first, second, third) = (c.operand(), c.list()[0], {
            let operand = c.next();
            operand as f64 * x
        });
        x * first as f64 + second + third
    }
    let [given, counter] = [Counter::default(), Counter::default()];
    check(tuples(1.5, &given), tuples_jac(1.5, &counter), &[4.0]);
}

#[test]
fn passive_arguments_that_read_what_is_around_a_branch() {
    #[jacobian(wrt(x), with(mixed: fn(f64, &[f64], u32, f64, [f64; 2]) -> f64))]
    fn f(x: f64, c: &Counter) -> f64 {
        let (k, j) = (c.next(), c.next());
        if x > 0.0 { mixed(x, &[1.0, 2.0], k, f64::from(j + c.next()), [f64::from(c.next()), 2.0]) } else { x }
    }
    let [given, counter] = [Counter::default(), Counter::default()];
    check(f(1.5, &given), f_jac(1.5, &counter), &[4501.0]);
}

#[test]
fn a_slice_that_is_written_as_a_reference_to_an_array() {
    #[jacobian(wrt(x), with(mixed: fn(f64, &[f64], u32, f64, [f64; 2]) -> f64))]
    fn f(x: f64, n: u32) -> f64 {
        let own = [f64::from(n), 1.0];
        mixed(x, &own, n, 1.0, [0.0; 2]) * mixed(x, &[2.0], n, 0.0, [x, 1.0])
    }
    differences(|[x]| f(x, 3), |[x]| f_jac(x, 3), [1.5]);
}

#[test]
fn tuples_that_are_returned() {
    #[jacobian(forms(jac, hess))]
    fn split(x: f64, y: [f64; 2]) -> (f64, [f64; 2], (f64,)) {
        (x * y[0], [y[1] * y[1], x + y[0]], (x.sin(),))
    }
    #[jacobian(with(split: fn(f64, [f64; 2]) -> (f64, [f64; 2], (f64,))), forms(jac, jvp, vjp, hess))]
    fn f(x: f64, y: f64) -> f64 {
        let (a, [b, c], (d,)) = split(x, [y, x * y]);
        a * b + c * d
    }
    #[jacobian(with(split))]
    fn declared(x: f64, y: f64) -> [f64; 2] {
        let parts: (f64, [f64; 2], (f64,)) = split(x, [y, x * y]);
        [parts.0 * parts.1[0], parts.1[1] * parts.2.0]
    }
    #[jacobian(forms(jac, hess))]
    fn twin(x: f64, y: f64) -> f64 {
        (x * y) * ((x * y) * (x * y)) + (x + y) * x.sin()
    }
    check(f(0.75, -1.25), f_jac(0.75, -1.25), &twin_jac(0.75, -1.25).1);
    let (found, expected) = (f_hess(0.75, -1.25).2, twin_hess(0.75, -1.25).2);
    for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
        assert_abs_diff_eq!(found, expected, epsilon = 1e-12);
    }
    differences(|[x, y]| declared(x, y), |[x, y]| declared_jac(x, y), [0.75, -1.25]);

    #[jacobian::jacobian]
    mod inside {
        // Long enough that it is called.
        fn sums(u: [f64; 30]) -> (f64, [f64; 2]) {
            let mut sums = (0.0, [u[0]; 2]);
            for i in 0..30 {
                sums.0 += (u[i] * u[i] + 0.5) * u[i].sin() * u[(i + 1) % 30];
                sums.1[i % 2] += u[i] * (u[i] - 1.0) * (u[i] + 2.0).exp();
            }
            sums
        }

        #[jacobian(forms(jac, vjp))]
        pub fn f(u: [f64; 30]) -> f64 {
            let (first, [even, odd]) = sums(u);
            first * even - odd
        }

        #[jacobian(with(inline sums))]
        pub fn twin(u: [f64; 30]) -> f64 {
            let (first, [even, odd]) = sums(u);
            first * even - odd
        }
    }
    let u = std::array::from_fn(|i| (i as f64 * 0.4).cos());
    check(inside::f(u), inside::f_jac(u), &inside::twin_jac(u).1);
}
