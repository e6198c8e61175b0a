//! The check of one function of the page: its value bit for bit, its Jacobian against differences of its values.

use nalgebra::{
    Isometry, OPoint, Quaternion, Rotation, SMatrix, SVector, Translation, UnitComplex, UnitQuaternion, Vector4,
};

/// Points at which each function is evaluated. Arguments that are no floats take their values in turn.
const POINTS: usize = 6;

/// What consists of floats: an argument, a result, a Jacobian.
pub trait Floats {
    /// Made of the next floats.
    fn made_of(next: &mut dyn FnMut() -> f64) -> Self;
    /// Its floats in order.
    fn floats(&self) -> Vec<f64>;
    /// Whether they are of single precision.
    const SINGLE: bool = false;
    /// It with rotations of length one.
    fn unit(self) -> Self
    where
        Self: Sized,
    {
        self
    }
    /// It moved by the next numbers: of rotations, those of their tangents.
    fn moved(&self, next: &mut dyn FnMut() -> f64) -> Self
    where
        Self: Sized,
    {
        let mut floats = self.floats().into_iter();
        Self::made_of(&mut || floats.next().expect("as many floats as there were") + next())
    }
    /// What it is moved by to be another one near it.
    fn until(&self, other: &Self) -> Vec<f64> {
        other.floats().iter().zip(self.floats()).map(|(other, own)| other - own).collect()
    }
}

impl Floats for f64 {
    fn made_of(next: &mut dyn FnMut() -> f64) -> Self {
        next()
    }

    fn floats(&self) -> Vec<f64> {
        vec![*self]
    }
}

impl Floats for f32 {
    fn made_of(next: &mut dyn FnMut() -> f64) -> Self {
        next() as f32
    }

    fn floats(&self) -> Vec<f64> {
        vec![f64::from(*self)]
    }

    const SINGLE: bool = true;
}

impl<T: Floats, const N: usize> Floats for [T; N] {
    fn made_of(next: &mut dyn FnMut() -> f64) -> Self {
        std::array::from_fn(|_| T::made_of(next))
    }

    fn floats(&self) -> Vec<f64> {
        self.iter().flat_map(Floats::floats).collect()
    }

    fn unit(self) -> Self {
        self.map(T::unit)
    }

    fn moved(&self, next: &mut dyn FnMut() -> f64) -> Self {
        std::array::from_fn(|index| self[index].moved(next))
    }

    fn until(&self, other: &Self) -> Vec<f64> {
        self.iter().zip(other).flat_map(|(own, other)| own.until(other)).collect()
    }

    const SINGLE: bool = T::SINGLE;
}

impl<T: Floats + nalgebra::Scalar, const R: usize, const C: usize> Floats for SMatrix<T, R, C> {
    fn made_of(next: &mut dyn FnMut() -> f64) -> Self {
        SMatrix::from_iterator((0..R * C).map(|_| T::made_of(next)))
    }

    fn floats(&self) -> Vec<f64> {
        self.iter().flat_map(Floats::floats).collect()
    }

    const SINGLE: bool = T::SINGLE;
}

impl<T: Floats + nalgebra::Scalar, const N: usize> Floats for OPoint<T, nalgebra::Const<N>> {
    fn made_of(next: &mut dyn FnMut() -> f64) -> Self {
        OPoint { coords: SVector::made_of(next) }
    }

    fn floats(&self) -> Vec<f64> {
        self.coords.floats()
    }

    const SINGLE: bool = T::SINGLE;
}

/// Of any length: the functions are those of all coordinates, but for those of tangents.
impl Floats for UnitQuaternion<f64> {
    fn made_of(next: &mut dyn FnMut() -> f64) -> Self {
        UnitQuaternion::new_unchecked(Quaternion::from(Vector4::made_of(next)))
    }

    fn floats(&self) -> Vec<f64> {
        self.coords.floats()
    }

    fn unit(self) -> Self {
        UnitQuaternion::new_normalize(self.into_inner())
    }

    fn moved(&self, next: &mut dyn FnMut() -> f64) -> Self {
        self * UnitQuaternion::from_scaled_axis(SVector::made_of(next))
    }

    fn until(&self, other: &Self) -> Vec<f64> {
        (self.inverse() * other).scaled_axis().floats()
    }
}

impl Floats for UnitComplex<f64> {
    fn made_of(next: &mut dyn FnMut() -> f64) -> Self {
        UnitComplex::from_cos_sin_unchecked(next(), next())
    }

    fn floats(&self) -> Vec<f64> {
        vec![self.re, self.im]
    }
}

impl<const D: usize> Floats for Rotation<f64, D> {
    fn made_of(next: &mut dyn FnMut() -> f64) -> Self {
        Rotation::from_matrix_unchecked(SMatrix::made_of(next))
    }

    fn floats(&self) -> Vec<f64> {
        self.matrix().floats()
    }
}

impl Floats for Isometry<f64, UnitQuaternion<f64>, 3> {
    fn made_of(next: &mut dyn FnMut() -> f64) -> Self {
        let rotation = UnitQuaternion::made_of(next);
        Isometry::from_parts(Translation::from(SVector::made_of(next)), rotation)
    }

    fn floats(&self) -> Vec<f64> {
        [self.rotation.floats(), self.translation.vector.floats()].concat()
    }

    fn unit(self) -> Self {
        Isometry::from_parts(self.translation, self.rotation.unit())
    }

    fn moved(&self, next: &mut dyn FnMut() -> f64) -> Self {
        let rotation = UnitQuaternion::from_scaled_axis(SVector::made_of(next));
        self * Isometry::from_parts(Translation::from(SVector::made_of(next)), rotation)
    }

    fn until(&self, other: &Self) -> Vec<f64> {
        let relative = self.inverse() * other;
        [relative.rotation.scaled_axis().floats(), relative.translation.vector.floats()].concat()
    }
}

macro_rules! tuples {
    ($($name:ident $other:ident)*) => {
        impl<$($name: Floats),*> Floats for ($($name,)*) {
            #[allow(unused, clippy::unused_unit)]
            fn made_of(next: &mut dyn FnMut() -> f64) -> Self {
                ($($name::made_of(next),)*)
            }

            #[allow(non_snake_case)]
            fn floats(&self) -> Vec<f64> {
                let ($($name,)*) = self;
                let parts: &[Vec<f64>] = &[$($name.floats()),*];
                parts.concat()
            }

            #[allow(non_snake_case, clippy::unused_unit)]
            fn unit(self) -> Self {
                let ($($name,)*) = self;
                ($($name.unit(),)*)
            }

            #[allow(unused, non_snake_case, clippy::unused_unit)]
            fn moved(&self, next: &mut dyn FnMut() -> f64) -> Self {
                let ($($name,)*) = self;
                ($($name.moved(next),)*)
            }

            #[allow(unused, non_snake_case)]
            fn until(&self, other: &Self) -> Vec<f64> {
                let (($($name,)*), ($($other,)*)) = (self, other);
                let parts: &[Vec<f64>] = &[$($name.until($other)),*];
                parts.concat()
            }

            const SINGLE: bool = false $(|| $name::SINGLE)*;
        }
    };
}

tuples!();
tuples!(A a);
tuples!(A a B b);
tuples!(A a B b C c);
tuples!(A a B b C c D d);
tuples!(A a B b C c D d E e);
tuples!(A a B b C c D d E e F f);

/// The floats of the arguments at a point: between 0.3 and 1.7, none near another, the same in every run.
fn arguments(point: usize) -> impl FnMut() -> f64 {
    let mut index = point * 5;
    move || {
        index += 1;
        0.3 + 1.4 * (index as f64 * 0.618_033_988_749_894_9).fract()
    }
}

/// `f`, by its active arguments and the number of the point, has the value and the derivatives that `jacobian` gives.
///
/// # Panics
///
/// Panics where it has not.
pub fn check<A: Floats, Y: Floats, J: Floats>(
    name: &str,
    f: impl Fn(&A, usize) -> Y,
    jacobian: impl Fn(&A, usize) -> (Y, J),
) {
    let mut not_zero = 0;
    for point in 0..POINTS {
        let x = A::made_of(&mut arguments(point));
        let (value, entries) = jacobian(&x, point);
        let (value, entries) = (value.floats(), entries.floats());
        let bits = |floats: &[f64]| -> Vec<_> { floats.iter().map(|float| float.to_bits()).collect() };
        assert_eq!(bits(&value), bits(&f(&x, point).floats()), "{name} at point {point}: {value:?}");
        let columns = differences(&|x: &A| f(x, point).floats(), &x.floats(), A::SINGLE);
        assert_eq!(entries.len(), value.len() * columns.len(), "{name}: the Jacobian's entries");
        let tolerance = if A::SINGLE { 1e-3 } else { 1e-9 };
        for (index, entry) in entries.iter().enumerate() {
            let (row, column) = (index / columns.len(), index % columns.len());
            let difference = columns[column][row];
            // NaN is no agreement: the comparison is false for it.
            let agrees = (entry - difference).abs() <= tolerance * (1.0 + difference.abs());
            assert!(agrees, "{name} at point {point}, entry ({row}, {column}): {entry}, by differences {difference}");
            not_zero += usize::from(*entry != 0.0);
        }
    }
    assert!(not_zero > 0, "{name}: all derivatives are zero");
}

/// The same of a function whose Jacobian is that by tangents.
///
/// # Panics
///
/// Panics where it has not.
pub fn check_tangents<A: Floats, Y: Floats, J: Floats>(
    name: &str,
    f: impl Fn(&A, usize) -> Y,
    jacobian: impl Fn(&A, usize) -> (Y, J),
) {
    for point in 0..POINTS {
        let x = A::made_of(&mut arguments(point)).unit();
        let (value, entries) = jacobian(&x, point);
        let bits = |value: &Y| -> Vec<_> { value.floats().into_iter().map(f64::to_bits).collect() };
        assert_eq!(bits(&value), bits(&f(&x, point)), "{name} at point {point}: {:?}", value.floats());
        let (entries, mut columns) = (entries.floats(), 0);
        x.moved(&mut || {
            columns += 1;
            0.0
        });
        for column in 0..columns {
            let at = |step: f64| {
                let mut number = 0;
                let moved = x.moved(&mut || {
                    number += 1;
                    if number == column + 1 { step } else { 0.0 }
                });
                value.until(&f(&moved, point))
            };
            let quotients = at(1e-5).into_iter().zip(at(-1e-5)).map(|(above, below)| (above - below) / 2e-5);
            let quotients: Vec<_> = quotients.collect();
            assert_eq!(entries.len(), quotients.len() * columns, "{name}: the Jacobian's entries");
            for (row, difference) in quotients.iter().enumerate() {
                let entry = entries[row * columns + column];
                let agrees = (entry - difference).abs() <= 1e-8 * (1.0 + difference.abs());
                assert!(agrees, "{name} at point {point}, entry ({row}, {column}): {entry}, by differences {difference}");
            }
        }
    }
}

/// The columns of the Jacobian, by central differences of the fourth order.
fn differences<A: Floats>(f: &dyn Fn(&A) -> Vec<f64>, x: &[f64], single: bool) -> Vec<Vec<f64>> {
    let step = if single { 1.0 / 32.0 } else { 1.0 / 4096.0 };
    let column = |column: usize| {
        let at = |steps: f64| {
            let mut x = x.to_vec();
            x[column] += steps * step;
            let mut floats = x.into_iter();
            f(&A::made_of(&mut || floats.next().expect("as many floats as there were")))
        };
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(at);
        (0..a.len()).map(|row| (8.0 * (c[row] - b[row]) - (d[row] - a[row])) / (12.0 * step)).collect()
    };
    (0..x.len()).map(column).collect()
}
