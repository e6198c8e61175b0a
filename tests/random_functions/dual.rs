//! Dual numbers whose value is computed in the precision of the function, with its own operations, and whose derivative
//! is computed in `f64` by formulas of their own. `magnitude` is the derivative with every partial replaced by its
//! absolute value: the sum over all paths that no cancellation makes small, in whose units errors are measured.

/// How much less exact a difference quotient is than a formula.
const QUOTIENT: f64 = 1e4;

/// The partials of `f` at `at` by difference quotients, for rows of the catalogue that have no formula here. The second
/// number of each is the magnitude.
pub fn quotients<const N: usize>(f: impl Fn([f64; N]) -> f64, at: [f64; N]) -> [(f64, f64); N] {
    std::array::from_fn(|index| {
        let step = 1e-3 * at[index].abs().max(0.01);
        let moved = |by: f64| {
            let mut place = at;
            place[index] += by * step;
            f(place)
        };
        let partial = (8.0 * (moved(1.0) - moved(-1.0)) - (moved(2.0) - moved(-2.0))) / (12.0 * step);
        (partial, QUOTIENT * (partial.abs() + f(at).abs()))
    })
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
                chain_with(re, args, partials.map(|partial| (partial, partial.abs())))
            }

            /// The chain rule with the magnitudes of the partials.
            pub fn chain_with<const N: usize>(re: $float, args: [Dual; N], partials: [(f64, f64); N]) -> Dual {
                let mut result = c(re);
                for (arg, (partial, magnitude)) in args.into_iter().zip(partials) {
                    if arg.magnitude != 0.0 {
                        result.derivative += partial * arg.derivative;
                        result.magnitude += magnitude * arg.magnitude;
                    }
                }
                result
            }

            macro_rules! function {
                ($name:ident($x:ident) = $partial:expr) => {
                    pub fn $name(self) -> Dual {
                        let $x = f64::from(self.re);
                        chain(self.re.$name(), [self], [$partial])
                    }
                };
                ($name:ident($x:ident, $y:ident) = $first:expr, $second:expr) => {
                    pub fn $name(self, other: Dual) -> Dual {
                        let ($x, $y) = (f64::from(self.re), f64::from(other.re));
                        chain(self.re.$name(other.re), [self, other], [$first, $second])
                    }
                };
                ($name:ident = 0) => {
                    pub fn $name(self) -> Dual {
                        c(self.re.$name())
                    }
                };
            }

            #[allow(deprecated, unused_variables)]
            impl Dual {
                function! { recip(x) = -1.0 / (x * x) }
                function! { midpoint(x, y) = 0.5, 0.5 }
                function! { to_degrees(x) = 1.0 / (std::f64::consts::PI / 180.0) }
                function! { to_radians(x) = 1.0 / (180.0 / std::f64::consts::PI) }
                function! { sqrt(x) = x.powf(-0.5) / 2.0 }
                function! { powf(x, y) = y * x.powf(y) / x, x.ln() * x.powf(y) }
                function! { hypot(x, y) = x / (x * x + y * y).sqrt(), y / (x * x + y * y).sqrt() }
                function! { exp(x) = x.exp() }
                function! { exp2(x) = (x * 2_f64.ln()).exp() * 2_f64.ln() }
                function! { exp_m1(x) = x.exp() }
                function! { ln(x) = x.powi(-1) }
                function! { log2(x) = 1.0 / (x * 2_f64.ln()) }
                function! { log10(x) = 1.0 / (x * 10_f64.ln()) }
                function! { ln_1p(x) = 1.0 / (1.0 + x) }
                function! { log(x, y) = 1.0 / (x * y.ln()), -x.ln() / (y * y.ln().powi(2)) }
                function! { sin(x) = x.cos() }
                function! { cos(x) = -x.sin() }
                function! { tan(x) = x.cos().powi(-2) }
                function! { asin(x) = 1.0 / x.asin().cos() }
                function! { acos(x) = -1.0 / x.acos().sin() }
                function! { atan(x) = x.hypot(1.0).powi(-2) }
                function! { atan2(y, x) = x / (x * x + y * y), -y / (x * x + y * y) }
                function! { sinh(x) = (x.exp() + (-x).exp()) / 2.0 }
                function! { tanh(x) = 4.0 / (x.exp() + (-x).exp()).powi(2) }
                function! { asinh(x) = 1.0 / (x * x + 1.0).sqrt() }
                function! { acosh(x) = 1.0 / x.acosh().sinh() }
                function! { atanh(x) = x.atanh().cosh().powi(2) }
                function! { fract(x) = 1.0 }
                function! { floor = 0 }
                function! { ceil = 0 }
                function! { round = 0 }
                function! { round_ties_even = 0 }
                function! { trunc = 0 }
                function! { signum = 0 }

                pub fn cosh(self) -> Dual {
                    chain(self.re.cosh(), [self], [f64::from(self.re).sinh()])
                }

                pub fn mul_add(self, y: Dual, z: Dual) -> Dual {
                    chain(self.re.mul_add(y.re, z.re), [self, y, z], [y.re.into(), self.re.into(), 1.0])
                }

                pub fn powi(self, n: i32) -> Dual {
                    let x = f64::from(self.re);
                    chain(self.re.powi(n), [self], [if n == 0 { 0.0 } else { f64::from(n) * x.powi(n - 1) }])
                }

                pub fn abs(self) -> Dual {
                    let sign = if self.re.is_sign_negative() { -1.0 } else { 1.0 };
                    chain(self.re.abs(), [self], [sign])
                }

                pub fn copysign(self, other: Dual) -> Dual {
                    let flips = self.re.is_sign_negative() != other.re.is_sign_negative();
                    chain(self.re.copysign(other.re), [self], [if flips { -1.0 } else { 1.0 }])
                }

                pub fn max(self, other: Dual) -> Dual {
                    let partials = if self.re >= other.re { [1.0, 0.0] } else { [0.0, 1.0] };
                    chain(self.re.max(other.re), [self, other], partials)
                }

                pub fn min(self, other: Dual) -> Dual {
                    let partials = if self.re <= other.re { [1.0, 0.0] } else { [0.0, 1.0] };
                    chain(self.re.min(other.re), [self, other], partials)
                }

                pub fn clamp(self, low: Dual, high: Dual) -> Dual {
                    if self.re < low.re {
                        low
                    } else if self.re > high.re {
                        high
                    } else {
                        self
                    }
                }

                pub fn abs_sub(self, other: Dual) -> Dual {
                    if self.re > other.re { self - other } else { c(0.0) }
                }

                pub fn rem(self, other: Dual) -> Dual {
                    let value = self.re % other.re;
                    let quotient = (f64::from(self.re) - f64::from(value)) / f64::from(other.re);
                    chain(value, [self, other], [1.0, -quotient.round()])
                }

                pub fn rem_euclid(self, other: Dual) -> Dual {
                    let value = self.re.rem_euclid(other.re);
                    let quotient = (f64::from(self.re) - f64::from(value)) / f64::from(other.re);
                    chain(value, [self, other], [1.0, -quotient.round()])
                }

                pub fn div_euclid(self, other: Dual) -> Dual {
                    c(self.re.div_euclid(other.re))
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
