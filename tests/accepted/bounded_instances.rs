//! Generic `impl` blocks whose types are bounded by traits of the module, and traits with parameters: an integrator of any
//! system.

#![allow(clippy::needless_borrows_for_generic_args, reason = "that it is written so is what is tested")]

use jacobian::jacobian;

use crate::differences;

#[jacobian]
mod integrators {
    pub trait System<const N: usize> {
        const GRAVITY: f64;

        fn deriv(&self, x: &[f64; N], u: f64) -> [f64; N];

        fn unit() -> f64 {
            2.0
        }

        fn twice(&self, x: &[f64; N]) -> [f64; N] {
            self.deriv(&self.deriv(x, 0.0), Self::GRAVITY)
        }
    }

    #[derive(Clone, Copy)]
    pub struct Pendulum {
        pub length: f64,
        pub damping: f64,
    }

    impl System<2> for Pendulum {
        const GRAVITY: f64 = 9.81;

        fn deriv(&self, x: &[f64; 2], u: f64) -> [f64; 2] {
            [x[1], -9.81 / self.length * x[0].sin() - self.damping * x[1] + u]
        }
    }

    #[derive(Clone, Copy)]
    pub struct Cart {
        pub mass: f64,
    }

    impl Cart {
        /// Others, which are not those of the trait.
        #[allow(dead_code)]
        pub const GRAVITY: f64 = 100.0;
        #[allow(dead_code)]
        pub fn unit() -> f64 {
            50.0
        }
    }

    impl System<3> for Cart {
        const GRAVITY: f64 = 1.5;

        fn deriv(&self, x: &[f64; 3], u: f64) -> [f64; 3] {
            [x[1], u / self.mass, x[0] - x[2] * x[1]]
        }
    }

    fn euler<const N: usize, S: System<N>>(system: &S, x: [f64; N], u: f64, dt: f64) -> [f64; N] {
        let slope = system.deriv(&x, u * S::GRAVITY * S::unit());
        core::array::from_fn(|i| x[i] + dt * slope[i])
    }

    pub struct Integrator<S, const N: usize> {
        pub system: S,
        pub x: [f64; N],
        pub t: f64,
    }

    impl<S: System<N>, const N: usize> Integrator<S, N> {
        fn step(&mut self, dt: f64) {
            self.x = euler(&self.system, self.x, self.t, dt);
            self.t += dt;
        }

        fn energy(&self) -> f64 {
            self.x.iter().map(|v| v * v).sum::<f64>() * S::GRAVITY
        }

        fn curvature(&self) -> f64 {
            self.system.twice(&self.x)[N - 1] * Self::scaled(self.x[1])
        }

        fn scaled(a: f64) -> f64 {
            a * S::unit()
        }
    }

    impl<S, const N: usize> Integrator<S, N>
    where
        S: System<N> + Copy,
    {
        fn slope(&self) -> f64 {
            self.system.deriv(&self.x, 1.0)[N - 1]
        }
    }

    impl<const N: usize> Integrator<Cart, N> {
        fn mass(&self) -> f64 {
            self.system.mass * N as f64
        }
    }

    #[jacobian]
    pub fn swing(x: [f64; 2], damping: f64, steps: usize) -> f64 {
        let system = Pendulum { length: 1.0 + x[1] * x[1], damping };
        let mut integrator = Integrator::<Pendulum, 2> { system, x, t: 0.0 };
        for _ in 0..steps {
            integrator.step(0.05);
        }
        integrator.energy() + integrator.curvature() * integrator.slope()
    }

    #[jacobian]
    pub fn drive(x: [f64; 2], mass: f64, steps: usize) -> f64 {
        let mut integrator = Integrator::<Cart, 3> { system: Cart { mass }, x: [x[0], x[1], x[0] * x[1]], t: 0.0 };
        for _ in 0..steps {
            integrator.step(0.05);
        }
        integrator.energy() + integrator.curvature() * integrator.slope() * integrator.mass()
    }

    pub trait Law {
        const SHIFT: f64;
        fn stiffness() -> f64;
        fn force(&self, x: f64) -> f64;
    }

    pub struct Spring;

    impl Spring {
        /// Others, which are not those of the trait.
        #[allow(dead_code)]
        const SHIFT: f64 = 1000.0;
        #[allow(dead_code)]
        pub fn stiffness() -> f64 {
            77.0
        }
    }

    impl Law for Spring {
        const SHIFT: f64 = 0.5;

        fn stiffness() -> f64 {
            3.0
        }

        fn force(&self, x: f64) -> f64 {
            -x * x
        }
    }

    fn pulled<L: Law>(law: &L, x: f64) -> f64 {
        L::stiffness() * law.force(x) + L::SHIFT + (1..3).map(|n| L::stiffness() * n as f64).sum::<f64>() * x
    }

    #[jacobian]
    pub fn sprung(x: f64) -> f64 {
        pulled(&Spring, x)
    }

    pub trait Real: Copy {
        const MAX: f64;
        fn pow(self) -> f64;
    }

    impl Real for f64 {
        const MAX: f64 = 3.0;
        fn pow(self) -> f64 {
            self * 10.0
        }
    }

    impl Real for i32 {
        const MAX: f64 = 6.0;
        fn pow(self) -> f64 {
            f64::from(self)
        }
    }

    fn most<T: Real>(t: T, x: f64) -> f64 {
        x * T::MAX * T::pow(t)
    }

    #[jacobian]
    pub fn of_numbers(x: f64, n: i32) -> f64 {
        most(x, x) + most::<i32>(n, x * x)
    }
}

#[jacobian]
mod required {
    pub trait Base {
        const N: usize = 2;
        const K: f64;

        fn own(&self) -> f64 {
            2.0
        }

        fn unit() -> f64 {
            3.0
        }
    }

    pub trait Kernel: Base {
        fn inner(&self, r: f64) -> f64;
        fn last(x: f64) -> f64;

        fn eval(&self, r: f64) -> f64 {
            let mut t = r;
            for _ in 0..Self::N {
                t = self.inner(t) * Self::K;
            }
            t * self.own() + Self::unit() * Self::last(r)
        }
    }

    pub struct Gauss {
        pub s: f64,
    }

    impl Gauss {
        /// Others, which are not those of the traits.
        #[allow(dead_code)]
        const K: f64 = 99.0;
        #[allow(dead_code)]
        fn last(x: f64) -> f64 {
            x * 1000.0
        }
    }

    impl Base for Gauss {
        const N: usize = 3;
        const K: f64 = 1.5;

        fn own(&self) -> f64 {
            self.s * self.s
        }
    }

    impl Kernel for Gauss {
        fn inner(&self, r: f64) -> f64 {
            r * self.s
        }

        fn last(x: f64) -> f64 {
            x * x
        }
    }

    fn evaluated<K: Kernel>(kernel: &K, x: f64) -> f64 {
        kernel.eval(x) + kernel.own() * K::K + K::unit() + K::last(x)
    }

    #[jacobian]
    pub fn kernels(s: f64, x: f64) -> f64 {
        evaluated(&Gauss { s }, x) * Gauss { s: x }.eval(s)
    }
}

#[test]
fn traits_have_the_parts_of_those_that_they_require() {
    use required::{kernels, kernels_jac};
    differences(|[s, x]| kernels(s, x), |[s, x]| kernels_jac(s, x), [0.7, -0.4]);
}

#[test]
fn generic_blocks_know_their_types_by_traits_of_the_module() {
    use integrators::{drive, drive_jac, swing, swing_jac};
    for steps in [0, 1, 7] {
        let f = |[a, b, c]: [f64; 3]| swing([a, b], c, steps);
        differences(f, |[a, b, c]| swing_jac([a, b], c, steps), [0.7, -0.4, 0.3]);
        let f = |[a, b, c]: [f64; 3]| drive([a, b], c, steps);
        differences(f, |[a, b, c]| drive_jac([a, b], c, steps), [0.7, -0.4, 1.3]);
    }
}

#[test]
fn a_function_of_a_trait_is_not_that_of_the_type() {
    assert_eq!(integrators::sprung(2.0), 6.5);
    assert_eq!(integrators::sprung_jac(2.0), (6.5, [-3.0]));
    assert_eq!(integrators::of_numbers(1.5, 2), 94.5);
    assert_eq!(integrators::of_numbers_jac(1.5, 2), (94.5, [126.0]));
}

/// Arguments that are types of the module, of a struct with a trait of the module.
#[jacobian]
mod shapes {
    use nalgebra::Vector2;

    pub trait Shape {
        const SCALE: f64;

        fn distance(&self, p: f64) -> f64;
    }

    pub struct Sphere {
        radius: f64,
    }

    pub struct Grown<A> {
        inner: A,
        by: f64,
    }

    pub struct At<V> {
        place: V,
    }

    impl Shape for Sphere {
        const SCALE: f64 = 2.0;

        fn distance(&self, p: f64) -> f64 {
            Self::SCALE * p * p - self.radius
        }
    }

    impl<A: Shape> Shape for Grown<A> {
        const SCALE: f64 = A::SCALE + 1.0;

        fn distance(&self, p: f64) -> f64 {
            self.inner.distance(p) * Self::SCALE - self.by
        }
    }

    impl Shape for At<Option<Box<f64>>> {
        const SCALE: f64 = 1.0;

        fn distance(&self, p: f64) -> f64 {
            self.place.as_ref().map_or(p, |place| **place * p)
        }
    }

    impl Shape for At<nalgebra::Vector3<f64>> {
        const SCALE: f64 = 1.0;

        fn distance(&self, p: f64) -> f64 {
            self.place.x * p * p
        }
    }

    impl Shape for At<Vector2<f64>> {
        const SCALE: f64 = 1.0;

        fn distance(&self, p: f64) -> f64 {
            (self.place * p).norm()
        }
    }

    #[jacobian]
    pub fn nested(p: f64, r: f64) -> f64 {
        let grown: Grown<Grown<Sphere>> = Grown { inner: Grown { inner: Sphere { radius: r }, by: p }, by: 0.5 };
        let other = Grown::<Sphere> { inner: Sphere { radius: r * r }, by: 1.0 };
        grown.distance(p) * other.distance(r)
    }

    #[jacobian]
    pub fn of_vector(p: f64, r: f64) -> f64 {
        let at = At::<Vector2<f64>> { place: Vector2::new(r, 2.0) };
        let other = At::<nalgebra::Vector3<f64>> { place: nalgebra::Vector3::new(r, 2.0, 3.0) };
        at.distance(p) * other.distance(p)
    }

    #[jacobian(wrt(p))]
    pub fn of_option(p: f64, at: &At<Option<Box<f64>>>) -> f64 {
        at.distance(p)
    }

    pub fn at(place: Option<f64>) -> At<Option<Box<f64>>> {
        At { place: place.map(Box::new) }
    }
}

#[test]
fn arguments_are_types_of_the_module() {
    use shapes::*;
    differences(|[p, r]| nested(p, r), |[p, r]| nested_jac(p, r), [0.7, 0.4]);
    differences(|[p, r]| of_vector(p, r), |[p, r]| of_vector_jac(p, r), [0.7, 0.4]);
    for place in [None, Some(2.5)] {
        differences(|[p]| of_option(p, &at(place)), |[p]| of_option_jac(p, &at(place)), [0.7]);
    }
}

/// A trait that only says which types a struct may hold, and one that is implemented for references by calling on.
#[jacobian]
mod marked_and_forwarded {
    use std::ops::{Add, Mul};

    /// A number.
    pub trait Real: Copy + Add<Output = Self> + Mul<Output = Self> + Ordered {}
    pub trait Ordered: PartialOrd {}
    impl Real for f64 {}
    impl Ordered for f64 {}

    #[derive(Clone, Copy)]
    pub struct V<T> {
        x: T,
        y: T,
    }

    impl<T: Real> V<T> {
        fn dot(self, o: Self) -> T {
            self.x * o.x + self.y * o.y
        }
        fn largest(self) -> T {
            if self.x > self.y { self.x } else { self.y }
        }
    }

    impl<T> Add for V<T>
    where
        T: Real,
    {
        type Output = V<T>;
        fn add(self, o: V<T>) -> V<T> {
            V { x: self.x + o.x, y: self.y + o.y }
        }
    }

    #[jacobian]
    pub fn sum(a: [f64; 2], b: [f64; 2]) -> f64 {
        let a = V::<f64> { x: a[0], y: a[1] };
        let b = V::<f64> { x: b[0], y: b[1] };
        (a + b).dot(b) * a.largest()
    }

    pub trait Law: Sized {
        fn energy(&self, r: f64) -> f64;
        fn scaled(self, r: f64, k: f64) -> f64 {
            self.energy(r) + k
        }
    }

    #[derive(Clone, Copy)]
    pub struct Inverse {
        k: f64,
    }

    impl Law for Inverse {
        fn energy(&self, r: f64) -> f64 {
            self.k / r
        }
        fn scaled(self, r: f64, k: f64) -> f64 {
            self.k * r * k
        }
    }

    impl<P: Law + Copy> Law for &P {
        fn energy(&self, r: f64) -> f64 {
            (**self).energy(r)
        }
        fn scaled(self, r: f64, k: f64) -> f64 {
            P::scaled(*self, r, k)
        }
    }

    fn virial<P: Law>(law: P, r: f64) -> f64 {
        law.energy(r) * r * r
    }

    #[jacobian]
    pub fn forwarded(k: f64, r: f64) -> f64 {
        let law = Inverse { k };
        virial(&law, r) + law.energy(r) + (&law).scaled(r, 2.0)
    }
}

#[test]
fn marker_traits_and_traits_of_references() {
    use marked_and_forwarded::*;
    let at = [0.5, 0.2, -0.4, 0.7];
    crate::differences(|[a, b, c, d]| sum([a, b], [c, d]), |[a, b, c, d]| sum_jac([a, b], [c, d]), at);
    crate::differences(|[k, r]| forwarded(k, r), |[k, r]| forwarded_jac(k, r), [1.5, 0.7]);
}
