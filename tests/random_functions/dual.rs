//! Dual numbers of second order, whose value is computed in the precision of the function, with its own operations, and
//! whose derivatives are computed in `f64` by formulas of their own: along one direction, along another, and the second
//! one along both. The magnitude of a derivative is what it is with every partial replaced by its absolute value: the
//! sum over all paths that no cancellation makes small, in whose units errors are measured.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// How much less exact a difference quotient is than a formula, and one of difference quotients.
const QUOTIENT: [f64; 2] = [1e4, 1e8];

/// A derivative and its magnitude.
#[derive(Copy, Clone, Default)]
pub struct Part {
    pub derivative: f64,
    pub magnitude: f64,
}

impl Part {
    /// The product of partials and derivatives on a path is one more term.
    pub fn add(&mut self, partial: Part, factors: &[Part]) {
        self.derivative += factors.iter().fold(partial.derivative, |product, part| product * part.derivative);
        self.magnitude += factors.iter().fold(partial.magnitude, |product, part| product * part.magnitude);
    }
}

/// A float with its derivative by an argument: over these, the formula of a partial gives the second partial, too.
#[derive(Copy, Clone)]
pub struct Jet {
    pub re: f64,
    pub derivative: f64,
}

impl Jet {
    fn chain(self, re: f64, partial: f64) -> Jet {
        Jet { re, derivative: if self.derivative == 0.0 { 0.0 } else { partial * self.derivative } }
    }

    pub fn powf(self, exponent: Jet) -> Jet {
        let (x, y, value) = (self.re, exponent.re, self.re.powf(exponent.re));
        let Jet { derivative, .. } = exponent.chain(value, x.ln() * value);
        let by_base = self.chain(value, y * x.powf(y - 1.0));
        Jet { derivative: by_base.derivative + derivative, ..by_base }
    }

    pub fn powi(self, n: i32) -> Jet {
        self.chain(self.re.powi(n), if n == 0 { 0.0 } else { f64::from(n) * self.re.powi(n - 1) })
    }
}

macro_rules! jet_methods {
    ($($name:ident($x:ident) = $partial:expr;)+) => {
        impl Jet {
            $(pub fn $name(self) -> Jet {
                let $x = self.re;
                self.chain($x.$name(), $partial)
            })+
        }
    };
}

jet_methods! {
    sqrt(x) = 0.5 / x.sqrt();
    cbrt(x) = 1.0 / (3.0 * x.cbrt() * x.cbrt());
    exp(x) = x.exp();
    ln(x) = 1.0 / x;
    sin(x) = x.cos();
    cos(x) = -x.sin();
    asin(x) = 1.0 / (1.0 - x * x).sqrt();
    acos(x) = -1.0 / (1.0 - x * x).sqrt();
    sinh(x) = x.cosh();
    cosh(x) = x.sinh();
    acosh(x) = 1.0 / (x * x - 1.0).sqrt();
    atanh(x) = 1.0 / (1.0 - x * x);
}

impl From<f64> for Jet {
    fn from(re: f64) -> Jet {
        Jet { re, derivative: 0.0 }
    }
}

macro_rules! jet_operator {
    ($trait:ident $method:ident, |$x:ident, $y:ident| $value:expr, $derivative:expr) => {
        impl<T: Into<Jet>> $trait<T> for Jet {
            type Output = Jet;

            fn $method(self, other: T) -> Jet {
                let ($x, $y) = (self, other.into());
                Jet { re: $value, derivative: $derivative }
            }
        }

        impl $trait<Jet> for f64 {
            type Output = Jet;

            fn $method(self, other: Jet) -> Jet {
                $trait::$method(Jet::from(self), other)
            }
        }
    };
}

jet_operator! { Add add, |x, y| x.re + y.re, x.derivative + y.derivative }
jet_operator! { Sub sub, |x, y| x.re - y.re, x.derivative - y.derivative }
jet_operator! { Mul mul, |x, y| x.re * y.re, x.derivative * y.re + x.re * y.derivative }
jet_operator! { Div div, |x, y| x.re / y.re, (x.derivative - x.re / y.re * y.derivative) / y.re }

impl Neg for Jet {
    type Output = Jet;

    fn neg(self) -> Jet {
        self.chain(-self.re, -1.0)
    }
}

/// The partial of `f` at `at` with respect to one argument, by a difference quotient.
fn quotient(f: &dyn Fn(&[f64]) -> f64, at: &[f64], index: usize) -> f64 {
    let step = 1e-3 * at[index].abs().max(0.01);
    let moved = |by: f64| {
        let mut place = at.to_vec();
        place[index] += by * step;
        f(&place)
    };
    (8.0 * (moved(1.0) - moved(-1.0)) - (moved(2.0) - moved(-2.0))) / (12.0 * step)
}

/// The methods of dual numbers whose operands are all dual numbers, each with its partials: as methods, and by their
/// names.
macro_rules! methods {
    ($($name:ident($x:ident $(, $y:ident)*) = $($partial:expr),+;)+) => {
        #[allow(deprecated, unused_variables)]
        impl Dual {
            $(pub fn $name(self $(, $y: Dual)*) -> Dual {
                chain(self.re.$name($($y.re),*), [self $(, $y)*], |[$x $(, $y)*]| [$(Jet::from($partial)),+])
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

            use super::{Jet, Part, QUOTIENT};

            #[derive(Copy, Clone)]
            pub struct Dual {
                pub re: $float,
                pub along: Part,
                pub across: Part,
                pub mixed: Part,
            }

            /// A constant.
            pub fn c(re: $float) -> Dual {
                seeded(re, [0.0; 2])
            }

            /// The variable.
            pub fn variable(re: $float) -> Dual {
                seeded(re, [1.0, 0.0])
            }

            /// A variable with its entries in both directions.
            pub fn seeded(re: $float, entries: [f64; 2]) -> Dual {
                let [along, across] = entries.map(|derivative| Part { derivative, magnitude: derivative.abs() });
                Dual { re, along, across, mixed: Part::default() }
            }

            /// The chain rule, with the partials by the arguments.
            pub fn chain<const N: usize>(re: $float, args: [Dual; N], partials: impl Fn([Jet; N]) -> [Jet; N]) -> Dual {
                let at = |by: usize| {
                    let arg = |index: usize| Jet { re: args[index].re.into(), derivative: f64::from(u8::from(index == by)) };
                    partials(std::array::from_fn(arg))
                };
                let partial = |index: usize| {
                    let Jet { re, .. } = at(N)[index];
                    Part { derivative: re, magnitude: re.abs() }
                };
                // Formulas of second partials may be differences of numbers as large as the first.
                let second = |index: usize, by: usize| {
                    let Jet { re, derivative } = at(by)[index];
                    Part { derivative, magnitude: derivative.abs() + re.abs() }
                };
                chain_with(re, &args, partial, second)
            }

            /// A function without a formula, by difference quotients: its value, and the function in `f64`.
            pub fn by_quotients(re: $float, args: &[Dual], f: impl Fn(&[f64]) -> f64) -> Dual {
                let at: Vec<f64> = args.iter().map(|arg| arg.re.into()).collect();
                let part = |derivative: f64, order: usize| {
                    Part { derivative, magnitude: QUOTIENT[order] * (derivative.abs() + f(&at).abs()) }
                };
                let first = |place: &[f64], index: usize| super::quotient(&f, place, index);
                let second = |index: usize, by: usize| super::quotient(&|place| first(place, index), &at, by);
                chain_with(re, args, |index| part(first(&at, index), 0), |index, by| part(second(index, by), 1))
            }

            /// The chain rule with the partials and their magnitudes, by position, and the second ones.
            fn chain_with(
                re: $float,
                args: &[Dual],
                partial: impl Fn(usize) -> Part,
                second: impl Fn(usize, usize) -> Part,
            ) -> Dual {
                let mut result = c(re);
                for (index, arg) in args.iter().enumerate().filter(|(_, arg)| arg.is_variable()) {
                    let partial = partial(index);
                    result.along.add(partial, &[arg.along]);
                    result.across.add(partial, &[arg.across]);
                    result.mixed.add(partial, &[arg.mixed]);
                    for (by, other) in args.iter().enumerate() {
                        if arg.along.magnitude != 0.0 && other.across.magnitude != 0.0 {
                            result.mixed.add(second(index, by), &[arg.along, other.across]);
                        }
                    }
                }
                result
            }

            methods! {
                recip(x) = -1.0 / (x * x);
                midpoint(x, y) = 0.5, 0.5;
                mul_add(x, y, z) = y, x, 1.0;
                to_degrees(x) = 1.0 / (std::f64::consts::PI / 180.0);
                to_radians(x) = 1.0 / (180.0 / std::f64::consts::PI);
                sqrt(x) = x.powf((-0.5).into()) / 2.0;
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
                atan(x) = 1.0 / (x * x + 1.0);
                atan2(y, x) = x / (x * x + y * y), -y / (x * x + y * y);
                sinh(x) = (x.exp() + (-x).exp()) / 2.0;
                cosh(x) = x.sinh();
                tanh(x) = 4.0 / (x.exp() + (-x).exp()).powi(2);
                asinh(x) = 1.0 / (x * x + 1.0).sqrt();
                acosh(x) = 1.0 / x.acosh().sinh();
                atanh(x) = x.atanh().cosh().powi(2);
                abs(x) = 1_f64.copysign(x.re);
                copysign(x, y) = 1_f64.copysign(x.re) * 1_f64.copysign(y.re), 0.0;
                max(x, y) = f64::from(x.re >= y.re), f64::from(x.re < y.re);
                min(x, y) = f64::from(x.re <= y.re), f64::from(x.re > y.re);
                clamp(x, y, z) = f64::from(y.re <= x.re && x.re <= z.re), f64::from(x.re < y.re), f64::from(z.re < x.re);
                abs_sub(x, y) = f64::from(x.re > y.re), -f64::from(x.re > y.re);
                rem(x, y) = 1.0, -((x.re - x.re % y.re) / y.re).round();
                rem_euclid(x, y) = 1.0, -((x.re - x.re.rem_euclid(y.re)) / y.re).round();
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
                /// Whether it changes in one of the directions.
                pub fn is_variable(self) -> bool {
                    self.along.magnitude != 0.0 || self.across.magnitude != 0.0
                }

                pub fn powi(self, n: i32) -> Dual {
                    let partial = |x: Jet| if n == 0 { 0.0.into() } else { f64::from(n) * x.powi(n - 1) };
                    chain(self.re.powi(n), [self], |[x]| [partial(x)])
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

            operator! { Add add AddAssign add_assign, |x, y| chain(x.re + y.re, [x, y], |_| [1.0.into(), 1.0.into()]) }
            operator! { Sub sub SubAssign sub_assign, |x, y| chain(x.re - y.re, [x, y], |_| [1.0.into(), (-1.0).into()]) }
            operator! { Mul mul MulAssign mul_assign, |x, y| chain(x.re * y.re, [x, y], |[x, y]| [y, x]) }
            operator! { Div div DivAssign div_assign, |x, y| chain(x.re / y.re, [x, y], |[x, y]| [1.0 / y, -x / y / y]) }
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
                    chain(-self.re, [self], |_| [(-1.0).into()])
                }
            }
        }
    };
}

dual!(dual64, f64);
dual!(dual32, f32);
