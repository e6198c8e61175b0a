//! Every method of the catalogue, against central differences.

use jacobian::jacobian;

use crate::differences;

/// A function of one argument, at points inside its domain.
macro_rules! unary {
    ($($name:ident at $($x:literal),+;)*) => { $(
        #[test]
        fn $name() {
            #[jacobian(name = "with_jacobian")]
            fn function(x: f64) -> f64 {
                let y = x.$name();
                y * 2.0 + x
            }
            $( differences(|[x]| function(x), |[x]| with_jacobian(x), [$x]); )+
        }
    )* };
}

/// A function of two arguments.
macro_rules! binary {
    ($($name:ident at $($x:literal, $y:literal);+;)*) => { $(
        #[test]
        fn $name() {
            #[jacobian(name = "both")]
            fn function(x: f64, y: f64) -> f64 {
                x.$name(y) * x
            }
            #[jacobian(name = "left")]
            fn passive_right(x: f64) -> [f64; 2] {
                [x.$name(1.5), f64::$name(x, 1.5)]
            }
            #[jacobian(name = "right")]
            fn passive_left(y: f64) -> f64 {
                1.5f64.$name(y)
            }
            $(
                differences(|[x, y]| function(x, y), |[x, y]| both(x, y), [$x, $y]);
                differences(|[x]| passive_right(x), |[x]| left(x), [$x]);
                differences(|[y]| passive_left(y), |[y]| right(y), [$y]);
            )+
        }
    )* };
}

unary! {
    abs at 1.5, -0.7;
    acos at 0.3, -0.8;
    acosh at 1.3, 4.0;
    asin at 0.3, -0.8;
    asinh at 0.3, -2.0;
    atan at 0.3, -2.0;
    atanh at 0.3, -0.8;
    cbrt at 0.3, 8.0;
    ceil at 0.3, -1.4;
    cos at 0.3, -2.0;
    cosh at 0.3, -2.0;
    exp at 0.3, -2.0;
    exp2 at 0.3, -2.0;
    exp_m1 at 0.3, -2.0;
    floor at 0.3, -1.4;
    fract at 0.3, -1.4;
    ln at 0.3, 8.0;
    ln_1p at 0.3, -0.5;
    log10 at 0.3, 8.0;
    log2 at 0.3, 8.0;
    recip at 0.3, -2.0;
    round at 0.3, -1.4;
    round_ties_even at 0.3, -1.4;
    signum at 0.3, -1.4;
    sin at 0.3, -2.0;
    sinh at 0.3, -2.0;
    sqrt at 0.3, 8.0;
    tan at 0.3, -1.2;
    tanh at 0.3, -2.0;
    to_degrees at 0.3, -2.0;
    to_radians at 0.3, -2.0;
    trunc at 0.3, -1.4;
}

binary! {
    atan2 at 0.3, 1.2; -0.4, -0.7;
    copysign at 0.3, 1.2; 0.3, -1.2;
    div_euclid at 3.7, 1.2; -3.7, 1.2;
    hypot at 0.3, 1.2; -0.4, -0.7;
    log at 3.0, 2.2; 0.4, 3.0;
    max at 0.3, 1.2; 1.2, 0.3;
    midpoint at 0.3, 1.2; 1.2, 0.3;
    min at 0.3, 1.2; 1.2, 0.3;
    powf at 0.3, 1.2; 1.2, -0.3;
    rem_euclid at 3.7, 1.2; -3.7, 1.2;
}

#[test]
fn operators() {
    #[jacobian]
    fn f(x: f64, y: f64) -> [f64; 6] {
        [x + y, x - y, x * y, x / y, x % y, -x]
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [3.7, 1.2]);
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [-3.7, 1.2]);
}

#[test]
fn three_operands() {
    #[jacobian]
    fn f(x: f64, y: f64, z: f64) -> [f64; 2] {
        [x.mul_add(y, z), x.clamp(y, z)]
    }
    for x in [0.5, 1.5, 2.5] {
        differences(|[x, y, z]| f(x, y, z), |[x, y, z]| f_jac(x, y, z), [x, 1.0, 2.0]);
    }
}

#[test]
#[allow(deprecated)]
fn abs_sub() {
    #[jacobian]
    #[allow(deprecated)]
    fn f(x: f64, y: f64) -> f64 {
        x.abs_sub(y) * x
    }
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [1.3, 0.4]);
    differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [0.4, 1.3]);
}

#[test]
fn powi() {
    #[jacobian]
    fn f(x: f64) -> [f64; 5] {
        [x.powi(0), x.powi(1), x.powi(2), x.powi(5), x.powi(-3)]
    }
    differences(|[x]| f(x), |[x]| f_jac(x), [1.3]);
    differences(|[x]| f(x), |[x]| f_jac(x), [-0.6]);
}

#[test]
fn sin_cos() {
    #[jacobian]
    fn f(x: f64) -> (f64, f64) {
        x.sin_cos()
    }
    differences(|[x]| f(x), |[x]| f_jac(x), [1.3]);
}
