//! Dual numbers whose value is computed in the precision of the function, with its own operations, and whose derivative
//! is computed in `f64` by formulas of their own. `magnitude` is the derivative with every partial replaced by its
//! absolute value: the sum over all paths that no cancellation makes small, in whose units errors are measured.

/// How much less exact a difference quotient is than a formula.
const QUOTIENT: f64 = 1e4;

/// The partial of `f` at `at` with respect to one argument by a difference quotient, and its magnitude.
fn quotient(f: &impl Fn(&[f64]) -> f64, at: &[f64], index: usize) -> (f64, f64) {
    let step = 1e-3 * at[index].abs().max(0.01);
    let moved = |by: f64| {
        let mut place = at.to_vec();
        place[index] += by * step;
        f(&place)
    };
    let partial = (8.0 * (moved(1.0) - moved(-1.0)) - (moved(2.0) - moved(-2.0))) / (12.0 * step);
    (partial, QUOTIENT * (partial.abs() + f(at).abs()))
}

/// The methods of dual numbers whose operands are all dual numbers, each with its partials: as methods, and by their names.
macro_rules! methods {
    ($($name:ident($x:ident $(, $y:ident)*) = $($partial:expr),+;)+) => {
        #[allow(deprecated, unused_variables)]
        impl Dual {
            $(pub fn $name(self $(, $y: Dual)*) -> Dual {
                let (value, args) = (self.re.$name($($y.re),*), [self $(, $y)*]);
                let $x = f64::from(self.re);
                $(let $y = f64::from($y.re);)*
                chain(value, args, [$($partial),+])
            })+
        }

        /// The names of the methods.
        pub const METHODS: &[&str] = &[$(stringify!($name)),+];

        /// The method of this name, if it is one of them.
        pub fn method(name: &str, args: &[Dual]) -> Option<Dual> {
            match (name, args) {
                $((stringify!($name), &[$x $(, $y)*]) => Some($x.$name($($y),*)),)+
                _ => None,
            }
        }
    };
}

macro_rules! dual {
    ($module:ident, $float:ident) => {
        pub mod $module {
            use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

            #[derive(Copy, Clone)]
            pub struct Dual {
                pub re: $float,
                pub derivative: f64,
                pub magnitude: f64,
            }

            /// A constant.
            pub fn c(re: $float) -> Dual {
                Dual { re, derivative: 0.0, magnitude: 0.0 }
            }

            /// The variable.
            pub fn variable(re: $float) -> Dual {
                Dual { re, derivative: 1.0, magnitude: 1.0 }
            }

            /// The chain rule.
            pub fn chain<const N: usize>(re: $float, args: [Dual; N], partials: [f64; N]) -> Dual {
                chain_with(re, &args, |index| (partials[index], partials[index].abs()))
            }

            /// A function without a formula, by difference quotients: its value, and the function in `f64`.
            pub fn by_quotients(re: $float, args: &[Dual], f: impl Fn(&[f64]) -> f64) -> Dual {
                let at: Vec<f64> = args.iter().map(|arg| arg.re.into()).collect();
                chain_with(re, args, |index| super::quotient(&f, &at, index))
            }

            /// The chain rule with the partials and their magnitudes, by position.
            fn chain_with(re: $float, args: &[Dual], partial: impl Fn(usize) -> (f64, f64)) -> Dual {
                let mut result = c(re);
                for (index, arg) in args.iter().enumerate().filter(|(_, arg)| arg.magnitude != 0.0) {
                    let (partial, magnitude) = partial(index);
                    result.derivative += partial * arg.derivative;
                    result.magnitude += magnitude * arg.magnitude;
                }
                result
            }

            methods! {
                recip(x) = -1.0 / (x * x);
                midpoint(x, y) = 0.5, 0.5;
                mul_add(x, y, z) = y, x, 1.0;
                to_degrees(x) = 1.0 / (std::f64::consts::PI / 180.0);
                to_radians(x) = 1.0 / (180.0 / std::f64::consts::PI);
                sqrt(x) = x.powf(-0.5) / 2.0;
                cbrt(x) = x.cbrt().powi(-2) / 3.0;
                powf(x, y) = y * x.powf(y) / x, x.ln() * x.powf(y);
                hypot(x, y) = x / (x * x + y * y).sqrt(), y / (x * x + y * y).sqrt();
                exp(x) = x.exp();
                exp2(x) = (x * 2_f64.ln()).exp() * 2_f64.ln();
                exp_m1(x) = x.exp();
                ln(x) = x.powi(-1);
                log2(x) = 1.0 / (x * 2_f64.ln());
                log10(x) = 1.0 / (x * 10_f64.ln());
                ln_1p(x) = 1.0 / (1.0 + x);
                log(x, y) = 1.0 / (x * y.ln()), -x.ln() / (y * y.ln().powi(2));
                sin(x) = x.cos();
                cos(x) = -x.sin();
                tan(x) = x.cos().powi(-2);
                asin(x) = 1.0 / x.asin().cos();
                acos(x) = -1.0 / x.acos().sin();
                atan(x) = x.hypot(1.0).powi(-2);
                atan2(y, x) = x / (x * x + y * y), -y / (x * x + y * y);
                sinh(x) = (x.exp() + (-x).exp()) / 2.0;
                cosh(x) = x.sinh();
                tanh(x) = 4.0 / (x.exp() + (-x).exp()).powi(2);
                asinh(x) = 1.0 / (x * x + 1.0).sqrt();
                acosh(x) = 1.0 / x.acosh().sinh();
                atanh(x) = x.atanh().cosh().powi(2);
                abs(x) = 1_f64.copysign(x);
                copysign(x, y) = 1_f64.copysign(x) * 1_f64.copysign(y), 0.0;
                max(x, y) = f64::from(x >= y), f64::from(x < y);
                min(x, y) = f64::from(x <= y), f64::from(x > y);
                clamp(x, y, z) = f64::from(y <= x && x <= z), f64::from(x < y), f64::from(z < x);
                abs_sub(x, y) = f64::from(x > y), -f64::from(x > y);
                rem(x, y) = 1.0, -((x - x % y) / y).round();
                rem_euclid(x, y) = 1.0, -((x - x.rem_euclid(y)) / y).round();
                div_euclid(x, y) = 0.0, 0.0;
                fract(x) = 1.0;
                floor(x) = 0.0;
                ceil(x) = 0.0;
                round(x) = 0.0;
                round_ties_even(x) = 0.0;
                trunc(x) = 0.0;
                signum(x) = 0.0;
            }

            impl Dual {
                pub fn powi(self, n: i32) -> Dual {
                    let x = f64::from(self.re);
                    chain(self.re.powi(n), [self], [if n == 0 { 0.0 } else { f64::from(n) * x.powi(n - 1) }])
                }

                pub fn sin_cos(self) -> (Dual, Dual) {
                    (self.sin(), self.cos())
                }
            }

            macro_rules! operator {
                ($trait:ident $method:ident $assign:ident $assign_method:ident, |$x:ident, $y:ident| $value:expr) => {
                    impl $trait for Dual {
                        type Output = Dual;

                        fn $method(self, other: Dual) -> Dual {
                            let ($x, $y) = (self, other);
                            $value
                        }
                    }

                    impl $assign for Dual {
                        fn $assign_method(&mut self, other: Dual) {
                            *self = $trait::$method(*self, other);
                        }
                    }
                };
            }

            operator! { Add add AddAssign add_assign, |x, y| chain(x.re + y.re, [x, y], [1.0, 1.0]) }
            operator! { Sub sub SubAssign sub_assign, |x, y| chain(x.re - y.re, [x, y], [1.0, -1.0]) }
            operator! { Mul mul MulAssign mul_assign, |x, y| chain(x.re * y.re, [x, y], [y.re.into(), x.re.into()]) }
            operator! { Div div DivAssign div_assign, |x, y| {
                let (numerator, denominator) = (f64::from(x.re), f64::from(y.re));
                chain(x.re / y.re, [x, y], [denominator.recip(), -numerator / (denominator * denominator)])
            } }
            operator! { Rem rem RemAssign rem_assign, |x, y| Dual::rem(x, y) }

            impl std::iter::Sum for Dual {
                fn sum<I: Iterator<Item = Dual>>(items: I) -> Dual {
                    items.fold(c(-0.0), |sum, item| sum + item)
                }
            }

            impl std::iter::Product for Dual {
                fn product<I: Iterator<Item = Dual>>(items: I) -> Dual {
                    items.fold(c(1.0), |product, item| product * item)
                }
            }

            impl Neg for Dual {
                type Output = Dual;

                fn neg(self) -> Dual {
                    chain(-self.re, [self], [-1.0])
                }
            }
        }
    };
}

dual!(dual64, f64);
dual!(dual32, f32);
