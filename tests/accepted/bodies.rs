//! Bodies: variables, assignments, blocks, arrays, tuples, casts, calls.

use approx::assert_abs_diff_eq;
use jacobian::jacobian;

use crate::{check, differences};

#[test]
fn shadowing_and_blocks() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        let a = x;
        let x = x * y;
        let b = {
            let x = x + a;
            let y = {
                let y = y * x;
                y * 2.0
            };
            x * y
        };
        {
            let x = 3.0;
            let _ = x * 2.0;
        }
        x + b
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [1.2, 0.7]);
}

#[test]
fn operator_assignments_on_variables_and_elements() {
    #[jacobian]
    fn f(x: f64, y: f64) -> [f64; 3] {
        let mut a = x;
        a += y;
        a -= 0.5;
        a *= x;
        a /= y;
        a %= 100.0;
        let mut b = [[a, x], [y, 1.0]];
        b[0][1] += b[1][0];
        b[1][1] *= b[0][1];
        b[1][1] -= x;
        let mut t = (x, [y, y]);
        t.0 *= t.1[0];
        t.1[1] += t.0;
        [b[0][0], b[1][1], t.1[1]]
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [1.2, 0.7]);
}

#[test]
fn assignment_in_an_inner_block_reaches_the_outer_variable() {
    #[jacobian]
    #[allow(clippy::assign_op_pattern)]
    fn f(x: f64) -> f64 {
        let mut y = x;
        let mut a = [x; 3];
        {
            y = y * x;
            a[1] = y;
            let y = 7.0;
            a[2] += y;
        }
        y + a[0] * a[1] * a[2]
    }
    differences(|[x]| f(x), |[x]| f_jac(x), [1.2]);
}

#[test]
fn operands_are_evaluated_from_left_to_right() {
    #[jacobian]
    #[allow(clippy::mixed_read_write_in_expression, clippy::assign_op_pattern)]
    fn f(x: f64) -> f64 {
        let mut y = x;
        let z = y + {
            y = y * y;
            y
        };
        y += {
            y = 2.0 * y;
            1.0
        };
        z * y
    }
    // (x + x^2) (2 x^2 + 1)
    assert_eq!(f(2.0), 54.0);
    check(f(2.0), f_jac(2.0), &[5.0 * 9.0 + 6.0 * 8.0]);
}

#[test]
fn references_to_active_values() {
    #[jacobian]
    #[allow(clippy::op_ref, clippy::deref_addrof)]
    fn f(x: &f64, y: f64) -> f64 {
        let r = &y;
        let rr = &r;
        let a = [*x, y];
        let s = &a;
        let t = &s[1];
        x * r + **rr * *t + &a[0] * &s[0] + -x + *&y + x.sin() + (*x).cos()
    }
    differences(|[x, y]| f(&x, y), |[x, y]| f_jac(&x, y), [1.2, 0.7]);
}

#[test]
fn arrays_built_in_every_way() {
    #[jacobian]
    #[allow(clippy::clone_on_copy)]
    fn f(x: f64) -> f64 {
        const N: usize = 3;
        let a = [x; N];
        let mut b = [0.0; 2 * N - 4];
        b[1] = a[2] * x;
        b[0] += x;
        let c = [[b, b], [[x, 1.0]; 2]];
        let d = c[1][0].clone();
        let e = (a, [d]);
        e.0[N - 1] * e.1[0][0] + c[0][1][1] + a.len() as f64 * b[0]
    }
    // x^2 + x^2 + 3x
    check(f(2.0), f_jac(2.0), &[4.0 * 2.0 + 3.0]);
}

#[test]
fn constants_inside_the_function() {
    const OUTSIDE: f64 = 0.5;
    mod elsewhere {
        pub const THREE: f64 = 3.0;
    }
    #[jacobian]
    fn f(x: [f64; 3]) -> f64 {
        use core::f64::consts::PI;
        use elsewhere::THREE;
        const LAST: usize = FIRST + 2;
        const FIRST: usize = 0;
        const I: usize = 1;
        const J: usize = I + 1;
        const WEIGHTS: [f64; 2] = [10.0, 20.0];
        const NEGATIVE: f64 = -OUTSIDE;
        let _ = LAST;
        let inner = {
            const I: usize = 0;
            x[I]
        };
        x[J] * PI + x[I] * THREE + inner * WEIGHTS[1] + x[FIRST] * NEGATIVE + std::f64::consts::E
    }
    check(f([1.0; 3]), f_jac([1.0; 3]), &[19.5, 3.0, std::f64::consts::PI]);
}

#[test]
fn casts() {
    #[jacobian(wrt(x))]
    #[allow(clippy::unnecessary_cast)]
    fn f(x: f64, n: usize, s: f32, b: bool, c: char) -> f64 {
        let m = n as u8;
        let k = -3i64;
        x * n as f64
            + x * m as f64
            + x * s as f64
            + x * (b as u8) as f64
            + (c as u32) as f64
            + (x as f64) * k as f64
            + x * (300u16 as u8) as f64
            + x * (2.9 as i32) as f64
            + x * ((1f32 / 2f32) as f64)
            + x * (7 / 2) as f64
    }
    let expected = 257.0 + 1.0 + f64::from(0.1f32) + 1.0 - 3.0 + 44.0 + 2.0 + 0.5 + 3.0;
    check(f(2.0, 257, 0.1, true, 'a'), f_jac(2.0, 257, 0.1, true, 'a'), &[expected]);
}

#[test]
fn paths_to_functions_of_floats() {
    #[jacobian]
    fn f(x: f64, y: f64) -> [f64; 8] {
        [
            f64::sin(x),
            core::primitive::f64::cos(x),
            std::primitive::f64::atan2(y, x),
            <f64>::powi(x, 3),
            <core::primitive::f64>::exp(y),
            f64::mul_add(x, y, 2.0),
            f64::max(x, y),
            (f64::hypot)(x, y),
        ]
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [1.2, 0.7]);
}

#[test]
fn functions_of_libm() {
    #[jacobian]
    fn f(x: f64, y: f64) -> [f64; 6] {
        let s = libm::sin(x) * ::libm::log(y);
        [s, libm::pow(x, y), libm::fma(x, y, s), libm::expm1(x), libm::fmax(x, y), libm::atan2(y, x) * libm::cbrt(x)]
    }
    #[jacobian]
    fn g(x: f32, y: f32) -> [f32; 5] {
        [libm::sinf(x), libm::powf(x, y), libm::logf(x) * y, libm::fabsf(x), libm::fmodf(x, y)]
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [1.2, 0.7]);
    let (value, jacobian) = g_jac(2.0, 3.0);
    assert_eq!(value.map(f32::to_bits), g(2.0, 3.0).map(f32::to_bits));
    let expected = [[2.0f32.cos(), 0.0], [12.0, 8.0 * 2.0f32.ln()], [1.5, 2.0f32.ln()], [1.0, 0.0], [1.0, 0.0]];
    assert_abs_diff_eq!(jacobian.as_flattened(), expected.as_flattened(), epsilon = 1e-5);
}

#[test]
fn sine_and_cosine_together() {
    #[jacobian]
    fn f(x: f64) -> (f64, f64) {
        let (s, c) = x.sin_cos();
        let both = f64::sin_cos(x * 2.0);
        (s * both.1, c)
    }
    differences(|[x]| f(x), |[x]| f_jac(x), [1.2]);
}

#[test]
fn a_return_at_the_end() {
    #[jacobian]
    #[allow(clippy::needless_return)]
    fn f(x: f64) -> f64 {
        let y = x * x;
        return y * x;
    }
    check(f(2.0), f_jac(2.0), &[12.0]);
}

#[test]
fn statements_with_lint_levels() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        #[allow(clippy::let_and_return)]
        let y = x * x;
        #[expect(unused_variables)]
        let unused = y * 2.0;
        y
    }
    check(f(2.0), f_jac(2.0), &[4.0]);
}

#[test]
fn expressions_that_are_statements() {
    #[jacobian]
    #[allow(clippy::no_effect, clippy::unnecessary_operation, path_statements, unused_must_use)]
    fn f(x: f64, n: usize) -> f64 {
        x;
        x + 1.0;
        n;
        n + 1;
        (x, n);
        [x; 2];
        {};
        {}
        let () = {};
        {
            x * 2.0
        };
        n.count_ones();
        x * x
    }
    check(f(2.0, 3), f_jac(2.0, 3), &[4.0]);
}

#[test]
fn long_functions() {
    macro_rules! long {
        ($($step:literal)*) => {
            #[jacobian]
            fn long(x: f64, y: f64) -> f64 {
                let mut a = x;
                $( a = (a * y + $step).sin() * x + (a * $step).cos(); )*
                a
            }
        };
    }
    macro_rules! ten {
        ($($rest:tt)*) => { hundred!($($rest)* 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0) };
    }
    macro_rules! hundred {
        ($($step:literal)*) => { long! { $($step)* $($step)* $($step)* $($step)* $($step)* $($step)* $($step)* $($step)* $($step)* $($step)* } };
    }
    ten!();
    // The function is chaotic in single steps; its derivative is compared with that of a slower way to write it.
    let (x, y) = (0.1, 0.2);
    let (mut a, mut dx, mut dy) = (x, 1.0, 0.0);
    for index in 0..100 {
        let step = f64::from(index % 10 + 1) / 10.0;
        let inner: f64 = a * y + step;
        let (ix, iy) = (dx * y, dy * y + a);
        let (s, c, n) = (inner.sin(), inner.cos(), -(a * step).sin() * step);
        dx = c * ix * x + s + n * dx;
        dy = c * iy * x + n * dy;
        a = s * x + (a * step).cos();
    }
    let (value, jacobian) = long_jac(x, y);
    assert_eq!(value.to_bits(), long(x, y).to_bits());
    assert_abs_diff_eq!(jacobian[..], [dx, dy], epsilon = 1e-9);
}

/// What makes 0.1 an `f64` is in a part that is not evaluated.
#[jacobian]
fn number_of_a_known_block(x: f64) -> f64 {
    use core::f64::consts::LOG10_E as KEY;
    const ROWS: usize = 3;
    let y: f64 = 'found: {
        if ROWS / 2 == 1 {
            break 'found 0.1;
        }
        KEY
    }
    .abs();
    x * y * (if ROWS == 3 { 0.25 } else { KEY }).sqrt()
}

#[test]
fn a_number_has_its_type_from_what_is_not_evaluated() {
    let (value, [slope]) = number_of_a_known_block_jac(3.0);
    assert_eq!(value, number_of_a_known_block(3.0));
    assert_eq!(slope, 0.05);
}
