//! Types of integers that only a bound tells: the parameters of what is called, the items of what is iterated over.

use std::panic::catch_unwind;

use jacobian::jacobian;

#[jacobian]
mod bounded {
    fn of_parameter<F: Fn(u8) -> f64>(f: F) -> f64 {
        f(200)
    }

    fn of_clause<F>(mut f: F) -> f64
    where
        F: FnMut(u8, &u8) -> f64,
    {
        f(200, &100)
    }

    fn of_array<F: FnOnce([u8; 2]) -> f64>(f: F) -> f64 {
        f([200, 100])
    }

    fn of_pointer(f: fn(u8, f64) -> f64, x: f64) -> f64 {
        f(200, x)
    }

    fn of_items(items: impl Iterator<Item = (u8, f64)>, x: f64) -> f64 {
        items.map(|(k, w)| f64::from(!k) * w * x).sum()
    }

    fn of_what_has_items(items: impl IntoIterator<Item = u8>, x: f64) -> f64 {
        let mut sum = 0.0;
        for k in items {
            sum += f64::from(!k) * x;
        }
        sum
    }

    fn of_named_items<I: Iterator<Item = u8>>(items: I, x: f64) -> f64 {
        items.map(|k| f64::from(k << 1) * x).sum()
    }

    fn downwards<F: Fn(usize) -> f64>(f: F, n: usize) -> f64 {
        let (mut i, mut sum) = (2, 0.0);
        for _ in 0..n {
            sum += f(i);
            i -= 1;
        }
        sum
    }

    #[jacobian]
    pub fn functions(x: f64) -> f64 {
        of_parameter(|k| x * f64::from(!k))
            + of_parameter(|k| x * f64::from(k.leading_zeros()))
            + of_clause(|k, j| x * f64::from(!k) + f64::from(!*j))
            + of_array(|[k, j]| x * f64::from(k << 1) + f64::from(!j))
            + of_pointer(|k, v| f64::from(!k) * v, x)
    }

    #[jacobian]
    pub fn items(x: f64) -> f64 {
        of_items([(200, 0.5), (100, 2.0)].into_iter(), x)
            + of_what_has_items([200, 100], x)
            + of_named_items([200, 100].into_iter(), x)
    }

    #[jacobian(wrt(x))]
    pub fn counted(x: f64, n: usize) -> f64 {
        downwards(|i| i as f64 * x, n)
    }
}

#[jacobian]
mod parameters {
    pub trait Masked<const K: u8> {
        fn masked(&self, x: f64) -> f64 {
            f64::from(!K) * x
        }
    }

    pub trait Signed<const N: i32> {
        fn signed(&self, x: f64) -> f64 {
            f64::from(N.abs()) * x + f64::from(N.pow(2))
        }
    }

    pub struct Both;

    impl Masked<200> for Both {}

    impl Signed<-3> for Both {}

    #[derive(Clone, Copy)]
    pub struct State<const N: usize> {
        pub x: [f64; N],
    }

    impl<const N: usize> State<N> {
        const SQUARE: usize = N.pow(2);

        fn weighed(&self) -> f64 {
            self.x[N - 1] * (N << 40) as f64 + self.x[0] * N.leading_zeros() as f64 + Self::SQUARE as f64
        }

        fn raised(&self) -> State<N> {
            let mut x: [f64; N] = [0.0; N];
            let mut i = 0;
            while i < N - 1 {
                x[i] = self.x[i] * N as f64;
                i += 1;
            }
            State::<N> { x }
        }
    }

    #[derive(Clone, Copy)]
    pub struct Turned<const N: i32> {
        pub x: f64,
    }

    impl<const N: i32> Turned<N> {
        fn turned(&self) -> f64 {
            f64::from(N.abs()) * self.x + f64::from(N.rem_euclid(2)) + f64::from(-N)
        }
    }

    #[jacobian]
    pub fn of_numbers(x: [f64; 2]) -> f64 {
        let state = State::<2> { x };
        Both.masked(x[0])
            + Both.signed(x[1])
            + state.weighed()
            + state.raised().x[0]
            + Turned::<-3> { x: x[1] }.turned()
    }

    fn inverted(range: std::ops::Range<u8>, x: f64) -> f64 {
        let mut sum = 0.0;
        for k in range {
            sum += f64::from(!k);
        }
        sum * x
    }

    #[jacobian]
    pub fn of_ranges(x: f64) -> f64 {
        let (wide, down): (std::ops::Range<i64>, std::iter::Rev<std::ops::Range<u8>>) = (0..2, (3..7).rev());
        let closed: std::ops::RangeInclusive<u8> = 250..=255;
        let mut sum = inverted(3..7, x);
        for i in wide {
            sum += x * (i << 40) as f64;
        }
        for i in down {
            sum += x * f64::from(!i);
        }
        for i in closed {
            sum += x * f64::from(!i);
        }
        sum
    }
}

#[test]
fn numbers_and_ranges_are_of_the_types_that_are_written() {
    use parameters::{of_numbers, of_numbers_jac, of_ranges, of_ranges_jac};
    let (value, slopes) = of_numbers_jac([0.5, 0.25]);
    assert_eq!(value, of_numbers([0.5, 0.25]));
    assert_eq!(slopes, [55.0 + f64::from(usize::BITS - 2) + 2.0, 3.0 + 2.0 * (1_u64 << 40) as f64 + 3.0]);
    let slope = 2.0 * (4.0 * 255.0 - 18.0) + (1_u64 << 40) as f64 + 15.0;
    assert_eq!(of_ranges_jac(2.0), (of_ranges(2.0), [slope]));
}

#[jacobian]
fn inside(x: f64) -> f64 {
    fn called<F: Fn(u8) -> f64>(f: F) -> f64 {
        f(200)
    }
    let g: fn(u8) -> f64 = |k| f64::from(!k);
    called(|k| f64::from(!k) * x) + g(100) * x
}

#[test]
fn integers_are_of_the_types_that_bounds_tell() {
    assert_eq!(bounded::functions_jac(2.0), (bounded::functions(2.0), [55.0 + 55.0 + 144.0 + 55.0]));
    assert_eq!(bounded::items_jac(2.0), (bounded::items(2.0), [337.5 + 210.0 + 344.0]));
    assert_eq!(inside_jac(2.0), (inside(2.0), [55.0 + 155.0]));
}

#[test]
fn what_is_less_than_nothing_panics() {
    assert_eq!(bounded::counted_jac(2.0, 2), (6.0, [3.0]));
    assert!(catch_unwind(|| bounded::counted(2.0, 3)).is_err());
    assert!(catch_unwind(|| bounded::counted_jac(2.0, 3)).is_err());
}

/// Generic integrators, sums and observers over a trait of the module that is implemented for floats, arrays and structs.
#[jacobian]
mod spaces {
    pub trait Space: Copy {
        fn zero() -> Self;
        fn plus(self, other: Self) -> Self;
        fn scaled(self, k: f64) -> Self;
        fn moved(self, k: f64, other: Self) -> Self {
            self.plus(other.scaled(k))
        }
    }

    impl Space for f64 {
        fn zero() -> f64 {
            0.0
        }
        fn plus(self, other: f64) -> f64 {
            self + other
        }
        fn scaled(self, k: f64) -> f64 {
            self * k
        }
    }

    impl<const N: usize> Space for [f64; N] {
        fn zero() -> Self {
            [0.0; N]
        }
        fn plus(self, other: Self) -> Self {
            std::array::from_fn(|i| self[i] + other[i])
        }
        fn scaled(self, k: f64) -> Self {
            self.map(|v| v * k)
        }
    }

    #[derive(Clone, Copy)]
    pub struct Point {
        x: f64,
        y: f64,
    }

    impl Space for Point {
        fn zero() -> Point {
            Point { x: 0.0, y: 0.0 }
        }
        fn plus(self, other: Point) -> Point {
            Point { x: self.x + other.x, y: self.y + other.y }
        }
        fn scaled(self, k: f64) -> Point {
            Point { x: self.x * k, y: self.y * k }
        }
    }

    fn heun<V: Space>(f: impl Fn(V) -> V, y: V, h: f64) -> V {
        let first = f(y);
        let second = f(y.moved(h, first));
        y.moved(0.5 * h, first.plus(second))
    }

    fn total<V: Space>(values: &[V]) -> V {
        let mut sum = V::zero();
        for value in values {
            sum = sum.plus(*value);
        }
        sum
    }

    fn doubled<V: Space>(value: V) -> V {
        V::zero().plus(value).scaled(2.0)
    }

    fn first<V: Space>(pair: (V, f64)) -> V {
        V::zero().moved(pair.1, pair.0)
    }

    #[jacobian]
    pub fn steps(x: f64, k: f64) -> f64 {
        let [a, b] = heun(|[q, p]: [f64; 2]| [p, -k * q], [x, 1.0], 0.1);
        let point = heun(|at: Point| Point { x: at.y * k, y: -at.x }, Point { x, y: 0.5 }, 0.2);
        heun(|y: f64| -k * y, x, 0.1) + a * b + point.x * point.y
    }

    #[jacobian]
    pub fn totals(x: f64, k: f64) -> f64 {
        let known = [1.0, 2.0];
        let array = total(&[[x, k], [k, 1.0], [2.0, x]]).plus(known.plus([x, x]));
        let of_literals = [0.5, 0.25].moved(x, doubled([k, x]));
        total(&[x, k]) * array[0] * of_literals[1]
            + total(&[Point { x, y: k }, Point { x: k, y: 0.5 }]).x
            + doubled(Point { x, y: k }).y
            + doubled(x)
            + first(([x, k], 0.5))[1]
    }

    pub trait Observer {
        fn see(&mut self, t: f64, y: &[f64; 2]);
        fn seen(&self) -> f64;
    }

    pub struct Area {
        last: f64,
        sum: f64,
    }

    impl Observer for Area {
        fn see(&mut self, t: f64, y: &[f64; 2]) {
            self.sum += (t - self.last) * y[0];
            self.last = t;
        }
        fn seen(&self) -> f64 {
            self.sum
        }
    }

    fn by_parameter<O: Observer>(observer: &mut O, t: f64, y: [f64; 2]) {
        observer.see(t, &y);
    }
    fn by_impl(observer: &mut impl Observer, t: f64, y: [f64; 2]) {
        observer.see(2.0 * t, &y);
    }
    fn by_dyn(observer: &mut dyn Observer, t: f64, y: [f64; 2]) {
        observer.see(3.0 * t, &y);
    }

    #[jacobian]
    pub fn observed(t: f64, y: [f64; 2]) -> f64 {
        let mut area = Area { last: 0.0, sum: 0.0 };
        by_parameter(&mut area, t, y);
        by_impl(&mut area, t, [y[1], y[0]]);
        by_dyn(&mut area, t, [y[0] * y[1], y[0]]);
        area.seen()
    }
}

#[test]
fn spaces_and_observers() {
    use spaces::*;
    crate::differences(|[x, k]| steps(x, k), |[x, k]| steps_jac(x, k), [0.7, 1.3]);
    crate::differences(|[x, k]| totals(x, k), |[x, k]| totals_jac(x, k), [0.7, 1.3]);
    crate::differences(|[t, a, b]| observed(t, [a, b]), |[t, a, b]| observed_jac(t, [a, b]), [0.7, 1.3, -0.4]);
}
