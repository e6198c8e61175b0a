//! `wrt(...)`: the columns of the Jacobian are in the order in which the parameters are named.

use jacobian::jacobian;

use crate::check;

#[test]
fn two_parameters_in_the_other_order() {
    #[jacobian(wrt(y, x))]
    fn f(x: f64, y: f64) -> f64 {
        x * x + 5.0 * y
    }
    check(f(3.0, 2.0), f_jac(3.0, 2.0), &[5.0, 6.0]);
}

#[test]
fn some_of_many_parameters() {
    #[jacobian(wrt(d, a, c))]
    fn f(a: f64, b: f64, c: f64, d: f64) -> [f64; 2] {
        [a * b, c * d]
    }
    check(f(2.0, 3.0, 5.0, 7.0), f_jac(2.0, 3.0, 5.0, 7.0), &[0.0, 3.0, 0.0, 5.0, 0.0, 7.0]);
}

#[test]
fn arrays_and_floats() {
    #[jacobian(wrt(gain, x))]
    fn f(x: &[f64; 3], offset: f64, gain: f64) -> ([f64; 2], f64) {
        ([gain * x[0], gain * x[1] * x[2]], offset + x[2])
    }
    let x = [2.0, 3.0, 5.0];
    let expected = [2.0, 7.0, 0.0, 0.0, 15.0, 0.0, 35.0, 21.0, 0.0, 0.0, 0.0, 1.0];
    check(f(&x, 1.0, 7.0), f_jac(&x, 1.0, 7.0), &expected);
}

#[test]
fn nested_arrays_and_other_strategies() {
    #[jacobian(strategy = "forward", wrt(v, m))]
    fn forward(m: [[f64; 2]; 1], v: [f64; 2]) -> f64 {
        m[0][0] * v[0] + m[0][1] * v[1]
    }
    #[jacobian(strategy = "reverse", wrt(v, m))]
    fn reverse(m: [[f64; 2]; 1], v: [f64; 2]) -> f64 {
        m[0][0] * v[0] + m[0][1] * v[1]
    }
    let (m, v) = ([[2.0, 3.0]], [5.0, 7.0]);
    check(forward(m, v), forward_jac(m, v), &[2.0, 3.0, 5.0, 7.0]);
    check(reverse(m, v), reverse_jac(m, v), &[2.0, 3.0, 5.0, 7.0]);
}

#[test]
fn branches_and_calls() {
    #[jacobian(wrt(y, x))]
    fn product(x: f64, y: f64) -> f64 {
        x * x * y
    }
    #[jacobian(wrt(y, x))]
    fn f(x: f64, y: f64, flag: bool) -> f64 {
        if flag { x * x * y } else { y }
    }
    check(product(3.0, 2.0), product_jac(3.0, 2.0), &[9.0, 12.0]);
    check(f(3.0, 2.0, true), f_jac(3.0, 2.0, true), &[9.0, 12.0]);
    check(f(3.0, 2.0, false), f_jac(3.0, 2.0, false), &[1.0, 0.0]);
}

#[test]
fn results_in_place() {
    #[jacobian(wrt(y, x), into)]
    fn f(x: f64, y: f64) -> [f64; 2] {
        [x * x, 5.0 * y]
    }
    let (mut value, mut jacobian) = ([0.0; 2], [[0.0; 2]; 2]);
    f_jac_into(3.0, 2.0, &mut value, &mut jacobian);
    check(f(3.0, 2.0), (value, jacobian), &[0.0, 6.0, 5.0, 0.0]);
    check(f(3.0, 2.0), f_jac(3.0, 2.0), &[0.0, 6.0, 5.0, 0.0]);
}

#[test]
fn outputs_and_raw_names() {
    #[jacobian(wrt(r#type, r#match))]
    fn f(r#match: f64, r#type: f64, out: &mut f64) {
        *out = r#match * r#match * r#type;
    }
    let (mut value, mut own) = (0.0, 0.0);
    f(3.0, 2.0, &mut value);
    let jacobian = f_jac(3.0, 2.0, &mut own);
    check(value, (own, jacobian), &[9.0, 12.0]);
}

#[test]
fn functions_of_a_module() {
    #[jacobian]
    mod products {
        fn square(x: f64) -> f64 {
            x * x
        }

        #[jacobian(wrt(y, x))]
        pub fn f(x: f64, y: f64) -> f64 {
            square(x) * y
        }

        #[jacobian]
        pub fn g(x: f64, y: f64) -> f64 {
            f(x, y) + f(y, x)
        }
    }
    check(products::f(3.0, 2.0), products::f_jac(3.0, 2.0), &[9.0, 12.0]);
    check(products::g(3.0, 2.0), products::g_jac(3.0, 2.0), &[16.0, 21.0]);
}
