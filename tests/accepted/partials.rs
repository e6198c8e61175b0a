//! Functions whose partials are written as expressions: `with(sinc = |x; y| ...)`.

use approx::assert_abs_diff_eq;
use jacobian::jacobian;

use crate::counter::Counter;
use crate::{bits, check, differences};

mod special {
    /// Sine of x, divided by x.
    pub fn sinc(x: f64) -> f64 {
        if x == 0.0 { 1.0 } else { x.sin() / x }
    }

    pub fn hypot3(a: f64, b: f64, c: f64) -> f64 {
        (a * a + b * b + c * c).sqrt()
    }

    pub fn power(x: f64, n: i32) -> f64 {
        x.powi(n)
    }

    /// The Euclidean norm.
    pub fn norm(v: &[f64; 3]) -> f64 {
        hypot3(v[0], v[1], v[2])
    }
}

/// Each entry is near the other one.
#[track_caller]
fn near(found: &impl crate::Floats, expected: &impl crate::Floats) {
    let (found, expected) = (found.floats(), expected.floats());
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        let bound = 1e-11 * expected.abs().max(1.0);
        assert_abs_diff_eq!(found, expected, epsilon = bound);
    }
}

use special::{hypot3, sinc};

#[jacobian(
    with(sinc = |x; y| (x.cos() - y) / x, hypot3 = |a, b, c; r| [a / r, b / r, c / r]),
    forms(jac, jac_into, jac_only, jac_sparse, jvp, vjp, lin, normal, hess, hvp, hess_sparse)
)]
fn wave(x: [f64; 3], k: f64) -> [f64; 2] {
    let r = hypot3(x[0], k * x[1], x[2] * x[0]);
    [sinc(r) * x[2], sinc(x[0] * k) + r]
}

#[jacobian(forms(jac, jac_only, jac_sparse, jvp, vjp, normal, hess, hvp, hess_sparse))]
fn wave_twin(x: [f64; 3], k: f64) -> [f64; 2] {
    let (a, b, c) = (x[0], k * x[1], x[2] * x[0]);
    let r = (a * a + b * b + c * c).sqrt();
    let d = x[0] * k;
    [r.sin() / r * x[2], d.sin() / d + r]
}

#[test]
fn a_catalogue_of_the_user_in_every_form() {
    let (x, k, w, d) = ([0.5, -0.75, 1.25], 1.5, [0.75, -2.0], [1.0, 0.5, -0.25, 2.0]);
    let (value, jacobian) = wave_jac(x, k);
    let (_, expected) = wave_twin_jac(x, k);
    check(wave(x, k), (value, jacobian), expected.as_flattened());
    assert_eq!(bits(&value), bits(&wave_twin(x, k)));
    near(&wave_jac_only(x, k), &expected);
    near(&wave_jac_sparse(x, k).1, &wave_twin_jac_sparse(x, k).1);
    near(&wave_jvp(x, k, &d).1, &wave_twin_jvp(x, k, &d).1);
    near(&wave_vjp(x, k, &w).1, &wave_twin_vjp(x, k, &w).1);
    near(&wave_normal(x, k).2, &wave_twin_normal(x, k).2);
    let mut written = ([0.0; 2], [[0.0; 4]; 2]);
    wave_jac_into(x, k, &mut written.0, &mut written.1);
    assert_eq!(written, (value, jacobian));
    let (_, labels) = wave_lin(x, k);
    near(&wave_lin_jvp(&labels, &d), &wave_twin_jvp(x, k, &d).1);
    near(&wave_lin_vjp(&labels, &w), &wave_twin_vjp(x, k, &w).1);
    let (found, expected) = (wave_hess(x, k, &w), wave_twin_hess(x, k, &w));
    assert_eq!(bits(&found.0), bits(&expected.0));
    near(&found.1, &expected.1);
    near(&found.2, &expected.2);
    near(&wave_hess_sparse(x, k, &w).2, &wave_twin_hess_sparse(x, k, &w).2);
    let (found, expected) = (wave_hvp(x, k, &w, &d), wave_twin_hvp(x, k, &w, &d));
    near(&found.1, &expected.1);
    near(&found.2, &expected.2);
}

#[test]
fn a_partial_with_branches() {
    #[jacobian(
        with(special::sinc = |x; y| if x == 0.0 { 0.0 } else { (x.cos() - y) / x }),
        forms(jac, hess)
    )]
    fn f(x: f64, y: f64) -> f64 {
        special::sinc(x * y) * y
    }
    #[jacobian(forms(hess))]
    fn twin(x: f64, y: f64) -> f64 {
        let z = x * y;
        z.sin() / z * y
    }
    check(f(0.0, 3.0), f_jac(0.0, 3.0), &[0.0, 1.0]);
    let (found, expected) = (f_hess(0.75, 1.5), twin_hess(0.75, 1.5));
    assert_eq!(found.0.to_bits(), expected.0.to_bits());
    near(&found.1, &expected.1);
    near(&found.2, &expected.2);
}

#[test]
fn the_call_is_made_once_in_its_turn() {
    fn scaled(x: f64, counter: &Counter) -> f64 {
        x * x * f64::from(counter.next())
    }
    #[jacobian(wrt(x), with(scaled = |x, _c: &Counter; y| [2.0 * y / x, _]), forms(jac, jac_only, jvp, hess, hvp))]
    fn f(x: f64, counter: &Counter) -> f64 {
        let first = scaled(x, counter);
        let _unused = scaled(x + 1.0, counter);
        first * scaled(2.0 * x, counter)
    }
    let counter = Counter::default();
    // 1 x^2 times 3 (2 x)^2 is 12 x^4.
    let x = 1.5f64;
    check(f(x, &Counter::default()), f_jac(x, &counter), &[48.0 * x.powi(3)]);
    assert_eq!(counter.next(), 4);
    let counter = Counter::default();
    let (_, gradient, hessian) = f_hess(x, &counter);
    near(&gradient, &[48.0 * x.powi(3)]);
    near(&hessian, &[[144.0 * x * x]]);
    assert_eq!(counter.next(), 4);
    let counter = Counter::default();
    near(&f_hvp(x, &counter, &[2.0]).2, &[288.0 * x * x]);
    assert_eq!(counter.next(), 4);
    let counter = Counter::default();
    near(&f_jac_only(x, &counter), &[48.0 * x.powi(3)]);
    assert_eq!(counter.next(), 4);
    assert_eq!(f_jvp(x, &Counter::default(), &[1.0]).1, 48.0 * x.powi(3));
}

#[test]
fn partials_call_each_other() {
    // The sine and the cosine of another crate.
    fn s(x: f64) -> f64 {
        x.sin()
    }
    fn c(x: f64) -> f64 {
        x.cos()
    }
    #[jacobian(with(s = |x| c(x), c = |x| -s(x)), forms(jac, hess, hvp, vjp))]
    fn f(x: f64, y: f64) -> f64 {
        s(x * y) * c(y) + s(1.0)
    }
    #[jacobian(forms(jac, hess))]
    fn twin(x: f64, y: f64) -> f64 {
        (x * y).sin() * y.cos() + 1.0f64.sin()
    }
    check(f(0.5, 2.0), f_jac(0.5, 2.0), &crate::Floats::floats(&twin_jac(0.5, 2.0).1));
    let (found, expected) = (f_hess(0.5, 2.0), twin_hess(0.5, 2.0));
    near(&found.2, &expected.2);
    let along = f_hvp(0.5, 2.0, &[1.0, -0.5]).2;
    near(&along, &[0, 1].map(|row: usize| expected.2[row][0] - 0.5 * expected.2[row][1]));
    // A function that is called through its Jacobian, in a partial.
    #[jacobian(forms(jac, hess))]
    fn g(x: f64) -> f64 {
        x.cos()
    }
    #[jacobian(with(s = |x| g(x), g), forms(jac, hess))]
    fn h(x: f64) -> f64 {
        s(x) * g(x)
    }
    let x = 0.75f64;
    check(h(x), h_jac(x), &[(2.0 * x).cos()]);
    near(&h_hess(x).2, &[[-2.0 * (2.0 * x).sin()]]);
}

#[test]
fn passive_arguments_and_arrays() {
    #[jacobian(
        with(special::power = |x, n: i32| [f64::from(n) * special::power(x, n - 1), _], special::norm = |v; r| [v[0] / r, v[1] / r, v[2] / r]),
        forms(jac, hess)
    )]
    fn f(x: [f64; 2], n: i32) -> f64 {
        special::power(x[0], n) * special::norm(&[x[0], x[1], 2.0])
    }
    #[jacobian(forms(jac, hess))]
    fn twin(x: [f64; 2], n: i32) -> f64 {
        x[0].powi(n) * (x[0] * x[0] + x[1] * x[1] + 4.0).sqrt()
    }
    let x = [1.5, -0.5];
    check(f(x, 3), f_jac(x, 3), &twin_jac(x, 3).1);
    near(&f_hess(x, 3).2, &twin_hess(x, 3).2);
    #[jacobian(with(special::norm = |v: &[f64; 3]; r| v.map(|x| x / r)))]
    fn mapped(v: &[f64; 3]) -> f64 {
        special::norm(v)
    }
    differences(|x| mapped(&x), |x| mapped_jac(&x), [1.5, 0.5, -0.25]);
}

#[test]
fn methods_of_a_trait() {
    trait Special {
        fn sinc(self) -> Self;
        fn between(self, other: Self, at: Self) -> Self;
    }
    impl Special for f64 {
        fn sinc(self) -> f64 {
            special::sinc(self)
        }
        fn between(self, other: f64, at: f64) -> f64 {
            self + (other - self) * at
        }
    }
    #[jacobian(
        with(.sinc = |x; y| (x.cos() - y) / x, .between = |a, b, t| [1.0 - t, t, b - a], Special::sinc = |x; y| (x.cos() - y) / x),
        forms(jac, hess)
    )]
    fn f(x: f64, y: f64) -> f64 {
        (x * y).sinc() * x.between(2.0, y) + 2.0f64.sinc() + 0.5f64.between(y, 0.25) + Special::sinc(y)
    }
    #[jacobian(forms(jac, hess))]
    fn twin(x: f64, y: f64) -> f64 {
        let z = x * y;
        z.sin() / z * (x + (2.0 - x) * y) + 2.0f64.sin() / 2.0 + (0.5 + (y - 0.5) * 0.25) + y.sin() / y
    }
    check(f(0.5, 1.25), f_jac(0.5, 1.25), &twin_jac(0.5, 1.25).1);
    near(&f_hess(0.5, 1.25).2, &twin_hess(0.5, 1.25).2);
}

#[test]
fn floats_of_single_precision_and_of_any_type() {
    fn cube(x: f32) -> f32 {
        x * x * x
    }
    #[jacobian(with(cube = |x| 3.0 * x * x), forms(jac, hess))]
    fn single(x: f32, y: f32) -> f32 {
        cube(x * y) * 0.1
    }
    let (x, y) = (1.5f32, 0.5);
    let (value, gradient) = single_jac(x, y);
    assert_eq!(value.to_bits(), single(x, y).to_bits());
    assert_abs_diff_eq!(gradient[0], 0.3 * x * x * y * y * y, epsilon = 1e-6);
    assert_abs_diff_eq!(single_hess(x, y).2[0][0], 0.6 * x * y * y * y, epsilon = 1e-6);

    fn square<T: num_traits::Float>(x: T) -> T {
        x * x
    }
    #[jacobian(with(square = |x| x + x), forms(jac, hess))]
    fn generic<T: num_traits::Float>(x: T, y: T) -> T {
        square(x * y) + x
    }
    assert_eq!(generic_jac(1.5, 2.0), (generic(1.5, 2.0), [13.0, 9.0]));
    assert_eq!(generic_hess(1.5f32, 2.0).2, [[8.0, 12.0], [12.0, 4.5]]);
}

#[test]
fn in_loops_branches_closures_and_modules() {
    #[jacobian::jacobian(with(sinc = |x; y| RATE * (x.cos() - y / RATE) / x))]
    mod inside {
        const RATE: f64 = 2.0;

        fn sinc(x: f64) -> f64 {
            RATE * x.sin() / x
        }

        fn helper(x: f64) -> f64 {
            sinc(x) + x
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            let mut sum = x;
            for i in 0..n {
                sum = helper(sum * 0.5) + i as f64 * [x, 0.5].map(|x| sinc(x + 1.0))[0];
            }
            if sum > 1.0 { sinc(sum) } else { sum }
        }
    }
    for x in [0.25, 1.5, -3.0] {
        differences(|[x]| inside::f(x, 3), |[x]| inside::f_jac(x, 3), [x]);
    }
}

#[test]
fn names_of_partials_are_their_own() {
    fn twice(x: f64, factor: f64) -> f64 {
        2.0 * x * factor
    }
    #[jacobian(with(twice = |y, x; sin| [sin / y, { let v1 = 2.0 * y; v1 }]))]
    fn f(x: f64, y: f64) -> f64 {
        let sin = x.sin();
        twice(sin, y) * twice(y, sin * x)
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [0.75, 1.5]);
}

#[test]
fn a_call_in_a_call_and_twice_the_same() {
    #[jacobian(with(sinc = |x; y| (x.cos() - y) / x, hypot3 = |a, b, c; r| [a / r, b / r, c / r]), forms(jac, hess))]
    fn f(x: f64, y: f64) -> f64 {
        sinc(sinc(x) + hypot3(x, x, y)) + sinc(x) * sinc(x)
    }
    #[jacobian(forms(jac, hess))]
    fn twin(x: f64, y: f64) -> f64 {
        let s = x.sin() / x;
        let z = s + (x * x + x * x + y * y).sqrt();
        z.sin() / z + s * s
    }
    check(f(0.75, 0.5), f_jac(0.75, 0.5), &twin_jac(0.75, 0.5).1);
    near(&f_hess(0.75, 0.5).2, &twin_hess(0.75, 0.5).2);
}

#[test]
fn passive_state_that_changes_after_the_call() {
    use special::power;
    #[jacobian(wrt(x), with(power = |x, n: i32| [f64::from(n) * power(x, n - 1), _]), forms(jac, hess))]
    fn f(x: f64, count: i32, counter: &Counter) -> f64 {
        let mut n = 1;
        let mut product = x;
        while n < count {
            product *= power(x, n);
            n += 1;
        }
        product * power(x, counter.next() as i32) + power(product, counter.next() as i32)
    }
    // x, times x^1 and x^2, is p = x^4; p times x^1 and p^2.
    let x = 1.25f64;
    let (given, own) = (Counter::default(), Counter::default());
    check(f(x, 3, &given), f_jac(x, 3, &own), &[5.0 * x.powi(4) + 8.0 * x.powi(7)]);
    assert_eq!((given.next(), own.next()), (3, 3));
    near(&f_hess(x, 3, &Counter::default()).2, &[[20.0 * x.powi(3) + 56.0 * x.powi(6)]]);
}

/// What the partial below means, and not the function's own constant.
const RATE: f64 = 3.0;

#[test]
fn a_partial_sees_no_item_of_the_function() {
    fn scaled(x: f64) -> f64 {
        3.0 * x
    }
    fn halved(x: f64) -> f64 {
        x.sqrt() * 2.0
    }
    #[jacobian(with(scaled = |_| self::RATE, halved = |x| x.sqrt().recip()))]
    fn f(x: f64) -> f64 {
        const RATE: f64 = 5.0;
        fn sqrt(x: f64) -> f64 {
            x
        }
        scaled(x) * RATE + halved(sqrt(x))
    }
    check(f(4.0), f_jac(4.0), &[15.5]);
    #[jacobian::jacobian(with(scaled = |_| FACTOR * RATE))]
    mod inside {
        const FACTOR: f64 = 0.5;
        const RATE: f64 = 6.0;
        use super::tripled as scaled;

        #[jacobian]
        pub fn f(x: f64, factor: f64) -> f64 {
            let rate = x * factor;
            const RATE: f64 = 2.0;
            scaled(rate) * RATE
        }
    }
    check(inside::f(4.0, 0.5), inside::f_jac(4.0, 0.5), &[3.0, 24.0]);
}

fn tripled(x: f64) -> f64 {
    RATE * x
}

#[test]
fn partials_that_are_zero_or_numbers() {
    fn stepped(x: f64, y: f64, z: f64) -> f64 {
        x.floor() + 2.0 * y - z
    }
    #[jacobian(with(stepped = |_, _, _| [0.0, 2.0, -1.0]), forms(jac, jac_sparse, hess))]
    fn f(x: f64, y: f64) -> [f64; 2] {
        [stepped(x / 0.0, y, x), stepped(x, x, y * y)]
    }
    let (value, [[by_x, by_y], second]) = f_jac(1.5, 0.5);
    assert_eq!(bits(&value), bits(&f(1.5, 0.5)));
    assert_eq!((by_x, by_y, second), (-1.0, 2.0, [2.0, -1.0]));
    assert_eq!(f_hess(1.5, 0.5, &[1.0, 2.0]).2, [[0.0, 0.0], [0.0, -4.0]]);
}
