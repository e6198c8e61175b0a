//! The numbers over which the twins of the functions are evaluated: those of other crates, and a dual number by hand.

use std::array;
use std::ops::{Add, Div, Mul, Neg, Sub};

use ad_trait::forward_ad::adfn::adfn;
use ad_trait::{AD, F64};
use echidna::BReverse;
use nalgebra::Const;
use num_dual::{Derivative, Dual2SVec64, Dual64, DualNum, DualSVec64, HyperDualSVec64};
use num_traits::Float;
use simba::scalar::ComplexField;

/// What the functions of the benchmark need.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A number that depends on nothing.
    fn constant(value: f64) -> Self;
    /// The product with a number that depends on nothing.
    fn scaled(self, factor: f64) -> Self;
    /// The sum with a number that depends on nothing.
    fn shifted(self, term: f64) -> Self;
    /// The reciprocal.
    fn recip(self) -> Self;
    /// The absolute value.
    fn abs(self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The sine.
    fn sin(self) -> Self;
    /// The cosine.
    fn cos(self) -> Self;
    /// The hyperbolic tangent.
    fn tanh(self) -> Self;
    /// The exponential function.
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// The arc tangent.
    fn atan(self) -> Self;
}

/// Numbers with the derivatives by `N` variables.
pub trait Tangents<const N: usize> {
    /// The variable `index`.
    fn variable(value: f64, index: usize) -> Self;
    /// The value.
    fn value(&self) -> f64;
    /// The derivatives.
    fn derivatives(&self) -> [f64; N];
}

impl<const N: usize> Tangents<N> for Inlined<N> {
    #[inline(always)]
    fn variable(value: f64, index: usize) -> Self {
        Inlined { value, derivatives: unit(index) }
    }

    #[inline(always)]
    fn value(&self) -> f64 {
        self.value
    }

    #[inline(always)]
    fn derivatives(&self) -> [f64; N] {
        self.derivatives
    }
}

impl<const N: usize> Tangents<N> for DualSVec64<N> {
    #[inline(always)]
    fn variable(value: f64, index: usize) -> Self {
        DualSVec64::new(value, Derivative::derivative_generic(Const::<N>, Const::<1>, index))
    }

    #[inline(always)]
    fn value(&self) -> f64 {
        self.re
    }

    #[inline(always)]
    fn derivatives(&self) -> [f64; N] {
        self.eps.unwrap_generic(Const::<N>, Const::<1>).into()
    }
}

impl<const N: usize> Tangents<N> for adfn<N> {
    #[inline(always)]
    fn variable(value: f64, index: usize) -> Self {
        adfn::new(value, unit(index))
    }

    #[inline(always)]
    fn value(&self) -> f64 {
        adfn::value(self)
    }

    #[inline(always)]
    fn derivatives(&self) -> [f64; N] {
        self.tangent()
    }
}

/// The vector of this number among the unit vectors.
#[inline(always)]
pub fn unit<const N: usize>(index: usize) -> [f64; N] {
    let mut unit = [0.0; N];
    unit[index] = 1.0;
    unit
}

/// A dual number with `N` derivatives as one writes it who wants speed: everything is inlined, and a rule is applied to
/// the derivatives by a single loop.
#[derive(Copy, Clone)]
pub struct Inlined<const N: usize> {
    /// The value.
    pub value: f64,
    /// The derivatives.
    pub derivatives: [f64; N],
}

impl<const N: usize> Inlined<N> {
    #[inline(always)]
    fn chain(self, value: f64, partial: f64) -> Self {
        let derivatives = array::from_fn(|i| partial * self.derivatives[i]);
        Inlined { value, derivatives }
    }

    #[inline(always)]
    fn combined(self, other: Self, value: f64, [by_self, by_other]: [f64; 2]) -> Self {
        let derivatives = array::from_fn(|i| by_self * self.derivatives[i] + by_other * other.derivatives[i]);
        Inlined { value, derivatives }
    }
}

impl<const N: usize> Add for Inlined<N> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let derivatives = array::from_fn(|i| self.derivatives[i] + other.derivatives[i]);
        Inlined { value: self.value + other.value, derivatives }
    }
}

impl<const N: usize> Sub for Inlined<N> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let derivatives = array::from_fn(|i| self.derivatives[i] - other.derivatives[i]);
        Inlined { value: self.value - other.value, derivatives }
    }
}

impl<const N: usize> Mul for Inlined<N> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.combined(other, self.value * other.value, [other.value, self.value])
    }
}

impl<const N: usize> Div for Inlined<N> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let (value, reciprocal) = (self.value / other.value, 1.0 / other.value);
        self.combined(other, value, [reciprocal, -value * reciprocal])
    }
}

impl<const N: usize> Neg for Inlined<N> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.chain(-self.value, -1.0)
    }
}

impl<const N: usize> Number for Inlined<N> {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Inlined { value, derivatives: [0.0; N] }
    }

    #[inline(always)]
    fn scaled(self, factor: f64) -> Self {
        self.chain(self.value * factor, factor)
    }

    #[inline(always)]
    fn shifted(self, term: f64) -> Self {
        Inlined { value: self.value + term, ..self }
    }

    #[inline(always)]
    fn recip(self) -> Self {
        let value = 1.0 / self.value;
        self.chain(value, -value * value)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.chain(self.value.abs(), self.value.signum())
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        self.chain(value, 0.5 / value)
    }

    #[inline(always)]
    fn sin(self) -> Self {
        self.chain(self.value.sin(), self.value.cos())
    }

    #[inline(always)]
    fn cos(self) -> Self {
        self.chain(self.value.cos(), -self.value.sin())
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        let value = self.value.tanh();
        self.chain(value, 1.0 - value * value)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        let value = self.value.exp();
        self.chain(value, value)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        self.chain(self.value.ln(), 1.0 / self.value)
    }

    #[inline(always)]
    fn atan(self) -> Self {
        self.chain(self.value.atan(), 1.0 / (1.0 + self.value * self.value))
    }
}

/// Numbers with second derivatives: by `N` variables, and by `K` directions.
pub trait Twice<const N: usize, const K: usize> {
    /// The variable `index`, with its entry in each direction.
    fn variable(value: f64, index: usize, entries: [f64; K]) -> Self;
    /// The value.
    fn value(&self) -> f64;
    /// The derivatives by the variables.
    fn first(&self) -> [f64; N];
    /// The second derivatives, by direction.
    fn second(&self) -> [[f64; N]; K];
}

impl<const N: usize> Twice<N, N> for Dual2SVec64<N> {
    #[inline(always)]
    fn variable(value: f64, index: usize, _: [f64; N]) -> Self {
        Dual2SVec64::from_re(value).derivative(index)
    }

    #[inline(always)]
    fn value(&self) -> f64 {
        self.re
    }

    #[inline(always)]
    fn first(&self) -> [f64; N] {
        let row: [[f64; 1]; N] = self.v1.unwrap_generic(Const::<1>, Const::<N>).into();
        row.map(|[entry]| entry)
    }

    #[inline(always)]
    fn second(&self) -> [[f64; N]; N] {
        self.v2.unwrap_generic(Const::<N>, Const::<N>).into()
    }
}

impl<const N: usize> Twice<N, 1> for HyperDualSVec64<N, 1> {
    #[inline(always)]
    fn variable(value: f64, index: usize, [entry]: [f64; 1]) -> Self {
        let mut variable = HyperDualSVec64::from_re(value).derivative1(index);
        variable.eps2 = Derivative::some([[entry]].into());
        variable
    }

    #[inline(always)]
    fn value(&self) -> f64 {
        self.re
    }

    #[inline(always)]
    fn first(&self) -> [f64; N] {
        self.eps1.unwrap_generic(Const::<N>, Const::<1>).into()
    }

    #[inline(always)]
    fn second(&self) -> [[f64; N]; 1] {
        self.eps1eps2.unwrap_generic(Const::<N>, Const::<1>).into()
    }
}

/// A dual number of second order as one writes it who wants speed: everything is inlined, and where the directions are
/// the variables themselves, half of the second derivatives is computed.
#[derive(Copy, Clone)]
pub struct InlinedTwice<const N: usize, const K: usize> {
    value: f64,
    first: [f64; N],
    along: [f64; K],
    second: [[f64; N]; K],
}

impl<const N: usize, const K: usize> InlinedTwice<N, K> {
    /// The number with these derivatives, by position.
    #[inline(always)]
    fn of(
        value: f64,
        first: impl Fn(usize) -> f64,
        along: impl Fn(usize) -> f64,
        entry: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let mut second = [[0.0; N]; K];
        for (k, row) in second.iter_mut().enumerate() {
            let end = if K == N { k + 1 } else { N };
            for (i, place) in row.iter_mut().enumerate().take(end) {
                *place = entry(k, i);
            }
        }
        InlinedTwice { value, first: array::from_fn(first), along: array::from_fn(along), second }
    }

    #[inline(always)]
    fn chain(self, value: f64, p: f64, q: f64) -> Self {
        let along = self.along.map(|entry| q * entry);
        Self::of(
            value,
            |i| p * self.first[i],
            |k| p * self.along[k],
            |k, i| p * self.second[k][i] + along[k] * self.first[i],
        )
    }

    #[inline(always)]
    fn product(self, other: Self) -> Self {
        Self::of(
            self.value * other.value,
            |i| other.value * self.first[i] + self.value * other.first[i],
            |k| other.value * self.along[k] + self.value * other.along[k],
            |k, i| {
                let own = other.value * self.second[k][i] + self.value * other.second[k][i];
                own + self.along[k] * other.first[i] + other.along[k] * self.first[i]
            },
        )
    }
}

impl<const N: usize, const K: usize> Twice<N, K> for InlinedTwice<N, K> {
    #[inline(always)]
    fn variable(value: f64, index: usize, along: [f64; K]) -> Self {
        InlinedTwice { value, first: unit(index), along, second: [[0.0; N]; K] }
    }

    #[inline(always)]
    fn value(&self) -> f64 {
        self.value
    }

    #[inline(always)]
    fn first(&self) -> [f64; N] {
        self.first
    }

    #[inline(always)]
    fn second(&self) -> [[f64; N]; K] {
        array::from_fn(|k| array::from_fn(|i| if K == N && i > k { self.second[i][k] } else { self.second[k][i] }))
    }
}

impl<const N: usize, const K: usize> Add for InlinedTwice<N, K> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::of(
            self.value + other.value,
            |i| self.first[i] + other.first[i],
            |k| self.along[k] + other.along[k],
            |k, i| self.second[k][i] + other.second[k][i],
        )
    }
}

impl<const N: usize, const K: usize> Sub for InlinedTwice<N, K> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::of(
            self.value - other.value,
            |i| self.first[i] - other.first[i],
            |k| self.along[k] - other.along[k],
            |k, i| self.second[k][i] - other.second[k][i],
        )
    }
}

impl<const N: usize, const K: usize> Mul for InlinedTwice<N, K> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.product(other)
    }
}

impl<const N: usize, const K: usize> Div for InlinedTwice<N, K> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.product(other.recip())
    }
}

impl<const N: usize, const K: usize> Neg for InlinedTwice<N, K> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::of(-self.value, |i| -self.first[i], |k| -self.along[k], |k, i| -self.second[k][i])
    }
}

impl<const N: usize, const K: usize> Number for InlinedTwice<N, K> {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        InlinedTwice { value, first: [0.0; N], along: [0.0; K], second: [[0.0; N]; K] }
    }

    #[inline(always)]
    fn scaled(self, factor: f64) -> Self {
        Self::of(
            self.value * factor,
            |i| factor * self.first[i],
            |k| factor * self.along[k],
            |k, i| factor * self.second[k][i],
        )
    }

    #[inline(always)]
    fn shifted(self, term: f64) -> Self {
        InlinedTwice { value: self.value + term, ..self }
    }

    #[inline(always)]
    fn recip(self) -> Self {
        let value = 1.0 / self.value;
        let square = value * value;
        self.chain(value, -square, 2.0 * square * value)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.scaled(self.value.signum())
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        let p = 0.5 / value;
        self.chain(value, p, -0.5 * p / self.value)
    }

    #[inline(always)]
    fn sin(self) -> Self {
        let (sine, cosine) = (self.value.sin(), self.value.cos());
        self.chain(sine, cosine, -sine)
    }

    #[inline(always)]
    fn cos(self) -> Self {
        let (sine, cosine) = (self.value.sin(), self.value.cos());
        self.chain(cosine, -sine, -cosine)
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        let value = self.value.tanh();
        let p = 1.0 - value * value;
        self.chain(value, p, -2.0 * value * p)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        let value = self.value.exp();
        self.chain(value, value, value)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        let p = 1.0 / self.value;
        self.chain(self.value.ln(), p, -p * p)
    }

    #[inline(always)]
    fn atan(self) -> Self {
        let p = 1.0 / (1.0 + self.value * self.value);
        self.chain(self.value.atan(), p, -2.0 * self.value * p * p)
    }
}

/// Implements the trait by the methods of another crate: `$this` is the number, `$other` a float.
macro_rules! number {
    (
        [$($generics:tt)*] $ty:ty, $float:ident => $constant:expr, $this:ident => $scaled:expr, $shifted:expr;
        $($name:ident => $value:expr,)+
    ) => {
        impl<$($generics)*> Number for $ty {
            #[inline(always)]
            fn constant($float: f64) -> Self {
                $constant
            }

            #[inline(always)]
            fn scaled(self, $float: f64) -> Self {
                let $this = self;
                $scaled
            }

            #[inline(always)]
            fn shifted(self, $float: f64) -> Self {
                let $this = self;
                $shifted
            }

            $(#[inline(always)]
            fn $name(self) -> Self {
                let $this = self;
                $value
            })+
        }
    };
}

/// The numbers of num-dual.
macro_rules! num_dual {
    ($([$($generics:tt)*] $ty:ty;)+) => { $(number! {
        [$($generics)*] $ty, c => Self::from_re(c), x => x * c, x + c;
        recip => DualNum::recip(&x),
        abs => if x.re < 0.0 { -x } else { x },
        sqrt => DualNum::sqrt(&x),
        sin => DualNum::sin(&x),
        cos => DualNum::cos(&x),
        tanh => DualNum::tanh(&x),
        exp => DualNum::exp(&x),
        ln => DualNum::ln(&x),
        atan => DualNum::atan(&x),
    })+ };
}

num_dual! {
    [] Dual64;
    [const N: usize] DualSVec64<N>;
    [const N: usize] Dual2SVec64<N>;
    [const N: usize] HyperDualSVec64<N, 1>;
}

number! {
    [const N: usize] adfn<N>, c => AD::constant(c), x => x * F64(c), x + F64(c);
    recip => F64(1.0) / x,
    abs => ComplexField::abs(x),
    sqrt => ComplexField::sqrt(x),
    sin => ComplexField::sin(x),
    cos => ComplexField::cos(x),
    tanh => ComplexField::tanh(x),
    exp => ComplexField::exp(x),
    ln => ComplexField::ln(x),
    atan => ComplexField::atan(x),
}

number! {
    [] BReverse<f64>, c => BReverse::from(c), x => x * c, x + c;
    recip => Float::recip(x),
    abs => Float::abs(x),
    sqrt => Float::sqrt(x),
    sin => Float::sin(x),
    cos => Float::cos(x),
    tanh => Float::tanh(x),
    exp => Float::exp(x),
    ln => Float::ln(x),
    atan => Float::atan(x),
}
