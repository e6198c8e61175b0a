//! Traits of a module: methods that they give to floats and arrays, functions of a type parameter that is bounded by one,
//! structs without fields that choose an implementation, several conversions into one struct, and functions of generic
//! structs without written arguments.

use jacobian::jacobian;

use crate::differences;

#[jacobian]
mod extended {
    pub trait Lerp {
        fn lerp(self, to: f64, t: f64) -> f64;
        fn leaky(&self) -> f64;
    }

    impl Lerp for f64 {
        fn lerp(self, to: f64, t: f64) -> f64 {
            self + (to - self) * t
        }
        fn leaky(&self) -> f64 {
            if *self > 0.0 { *self } else { 0.1 * self }
        }
    }

    pub trait Norm {
        fn squared(&self) -> f64;
        fn unit(self) -> Self;
    }

    impl Norm for [f64; 3] {
        fn squared(&self) -> f64 {
            self.iter().map(|v| v * v).sum()
        }
        fn unit(self) -> Self {
            let n = self.squared().sqrt();
            self.map(|v| v / n)
        }
    }

    impl Norm for [f64; 2] {
        fn squared(&self) -> f64 {
            self[0] * self[1]
        }
        fn unit(self) -> Self {
            [self[1], self[0]]
        }
    }

    #[jacobian]
    pub fn mixed(a: f64, b: &f64, t: f64) -> f64 {
        a.lerp(*b, t) * b.leaky() + (a * t).leaky() + Lerp::lerp(t, a, *b) + 2.0.lerp(a, t)
    }

    #[jacobian]
    pub fn of_arrays(a: [f64; 3], b: &[f64; 2]) -> f64 {
        a.unit()[0] * a.squared() + b.squared() * b.unit()[1] + a.iter().map(|v| v.leaky()).sum::<f64>()
    }
}

#[jacobian]
mod kernels {
    pub trait Scaled {
        const SCALE: f64;
        fn scaled(r: f64) -> f64;
    }

    pub trait Kernel: Scaled {
        fn eval(r: f64) -> f64;
    }

    pub struct Gauss;

    pub struct Cubic;

    impl Scaled for Gauss {
        const SCALE: f64 = 2.0;
        fn scaled(r: f64) -> f64 {
            r * Self::SCALE
        }
    }

    impl Kernel for Gauss {
        fn eval(r: f64) -> f64 {
            (-r * r).exp()
        }
    }

    impl Scaled for Cubic {
        const SCALE: f64 = -0.5;
        fn scaled(r: f64) -> f64 {
            r * r * Self::SCALE
        }
    }

    impl Kernel for Cubic {
        fn eval(r: f64) -> f64 {
            r * r * r
        }
    }

    impl Cubic {
        /// Another one, which is not that of the trait.
        #[allow(dead_code)]
        pub fn eval(r: f64) -> f64 {
            77.0 * r
        }
    }

    fn gram<K: Kernel, const N: usize>(x: [f64; N]) -> f64 {
        let mut sum = 0.0;
        for i in 1..N {
            sum += K::eval(x[i] - x[0]) * K::SCALE + K::scaled(x[i]);
        }
        sum
    }

    pub trait Law {
        fn force(&self, x: f64) -> f64;
    }

    #[derive(Clone, Copy)]
    pub struct Linear;

    pub enum Power {
        Square,
        Cube,
    }

    impl Law for Linear {
        fn force(&self, x: f64) -> f64 {
            2.0 * x
        }
    }

    impl Law for Power {
        fn force(&self, x: f64) -> f64 {
            match self {
                Power::Square => x * x,
                Power::Cube => x * x * x,
            }
        }
    }

    fn pulled<L: Law>(law: L, x: f64) -> f64 {
        law.force(x) * x
    }

    fn pushed(law: &impl Law, x: f64) -> f64 {
        law.force(x) - x
    }

    #[jacobian]
    pub fn chosen(x: [f64; 3]) -> f64 {
        gram::<Gauss, 3>(x) + gram::<Cubic, 2>([x[1], x[2]])
    }

    #[jacobian]
    pub fn given(x: f64, y: f64) -> f64 {
        let law = Linear;
        pulled(Linear, x) * pushed(&Linear, y) + pulled(Power::Cube, y) + Power::Square.force(x) + pulled(law, x * y)
    }
}

#[jacobian]
mod conversions {
    #[derive(Clone, Copy)]
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }

    impl From<[f64; 2]> for Point {
        fn from([x, y]: [f64; 2]) -> Self {
            Point { x, y }
        }
    }

    impl From<(f64, f64)> for Point {
        fn from((x, y): (f64, f64)) -> Self {
            Point { x, y: 2.0 * y }
        }
    }

    impl From<[f64; 3]> for Point {
        fn from(a: [f64; 3]) -> Self {
            Point { x: a[0] * a[1], y: a[2] }
        }
    }

    impl From<f64> for Point {
        fn from(x: f64) -> Self {
            Point { x, y: x * x }
        }
    }

    #[jacobian]
    pub fn all(x: [f64; 2]) -> f64 {
        let p: Point = x.into();
        let q = Point::from((x[1], x[0]));
        let r: Point = [x[0], x[1], x[0]].into();
        let s = Point::from(x[0] * x[1]);
        let t: Point = (x[0], 1.0).into();
        p.x * q.y + r.x * r.y * p.y + s.y * q.x + t.y * t.x
    }
}

#[jacobian]
mod pairs {
    #[derive(Clone, Copy)]
    pub struct Pair<T> {
        pub a: T,
        pub b: T,
    }

    #[derive(Clone, Copy)]
    pub struct State<const N: usize> {
        pub x: [f64; N],
    }

    impl<T: Copy> Pair<T> {
        pub fn new(a: T, b: T) -> Self {
            Pair { a, b }
        }
    }

    impl Pair<f64> {
        fn product(&self) -> f64 {
            self.a * self.b
        }
    }

    impl Pair<[f64; 2]> {
        fn product(&self) -> f64 {
            self.a[0] * self.b[1] * self.b[0]
        }
    }

    impl<const N: usize> State<N> {
        fn new(x: [f64; N]) -> Self {
            State { x: x.map(|v| v * N as f64) }
        }
    }

    fn total<const N: usize>(s: State<N>) -> f64 {
        s.x.iter().sum()
    }

    fn plane(x: [f64; 2]) -> State<2> {
        State::new(x)
    }

    fn space(x: [f64; 3]) -> State<3> {
        State::new(x)
    }

    #[jacobian]
    pub fn told(x: f64, y: f64) -> f64 {
        let wide = Pair::new([x, y], [y * y, x]);
        let sums = total(plane([x * y, x])) * total(space([x, y, y]));
        Pair::new(x, y * x).product() + wide.product() + Pair::new(y, x).product() + sums * total(State::new([x, y]))
    }
}

#[test]
fn methods_of_floats_and_arrays() {
    use extended::*;
    for [a, b, t] in [[0.5, -1.25, 0.3], [-2.0, 0.75, 1.5]] {
        differences(|[a, b, t]| mixed(a, &b, t), |[a, b, t]| mixed_jac(a, &b, t), [a, b, t]);
        differences(
            |[a, b, c, d, e]| of_arrays([a, b, c], &[d, e]),
            |[a, b, c, d, e]| of_arrays_jac([a, b, c], &[d, e]),
            [a, b, t, b, a],
        );
    }
}

#[test]
fn types_that_choose_an_implementation() {
    differences(kernels::chosen, kernels::chosen_jac, [0.5, -0.75, 1.25]);
    differences(|[x, y]| kernels::given(x, y), |[x, y]| kernels::given_jac(x, y), [0.5, -0.75]);
}

#[test]
fn conversions_are_told_by_what_they_are_given() {
    differences(conversions::all, conversions::all_jac, [0.5, -0.75]);
}

#[test]
fn functions_of_generic_structs_are_told_by_their_arguments() {
    differences(|[x, y]| pairs::told(x, y), |[x, y]| pairs::told_jac(x, y), [0.5, -0.75]);
}

#[jacobian]
mod vectors_of_any_length {
    pub trait Vector {
        const DIM: usize;

        fn squared(&self) -> f64;
        fn dot(&self, other: &Self) -> f64;
        fn unit(self) -> Self;
        fn axpy(&mut self, a: f64, x: &Self);
        fn scaled(&mut self, by: f64) -> f64;

        /// Not the length.
        fn len(&self) -> usize;

        fn weighed(&self) -> f64 {
            Self::DIM as f64 * self.squared()
        }
    }

    impl<const N: usize> Vector for [f64; N] {
        const DIM: usize = N;

        fn squared(&self) -> f64 {
            self.iter().map(|v| v * v).sum()
        }

        fn dot(&self, other: &Self) -> f64 {
            self.iter().zip(other).map(|(a, b)| a * b).sum()
        }

        fn unit(self) -> Self {
            let norm = self.squared().sqrt();
            self.map(|v| v / norm)
        }

        fn axpy(&mut self, a: f64, x: &Self) {
            for i in 0..N {
                self[i] += a * x[i];
            }
        }

        fn scaled(&mut self, by: f64) -> f64 {
            let mut sum = 0.0;
            for v in self.iter_mut() {
                *v *= by;
                sum += *v;
            }
            sum
        }

        fn len(&self) -> usize {
            10 * N
        }
    }

    pub trait Bump {
        fn bump(&mut self, by: f64);
    }

    impl Bump for f64 {
        fn bump(&mut self, by: f64) {
            *self += by * *self;
        }
    }

    impl Bump for (f64, f64) {
        fn bump(&mut self, by: f64) {
            (self.0, self.1) = (self.1 * by, self.0);
        }
    }

    #[derive(Clone, Copy)]
    pub struct State {
        pub p: [f64; 2],
        pub q: [f64; 2],
    }

    impl State {
        fn step(&mut self, dt: f64) {
            let q = self.q;
            self.p.axpy(dt, &q);
            self.q.scaled(0.9);
        }
    }

    fn weight<T: Vector>(t: &T) -> f64 {
        t.squared() * T::DIM as f64 + t.weighed()
    }

    fn angle<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
        (a.dot(b) / (a.squared() * b.squared()).sqrt()).acos()
    }

    fn through(v: &mut [f64; 4], by: f64) {
        v.axpy(by, &[1.0, 2.0, 3.0, 4.0]);
        v[0].bump(by);
    }

    #[jacobian]
    pub fn read(x: [f64; 4]) -> f64 {
        let angle = angle(&[x[0], x[1]], &[x[2], x[3]]);
        angle * [x[0], x[1], x[2]].unit()[1] + weight(&x) * x.len() as f64
    }

    #[jacobian]
    pub fn changed(x: [f64; 4], n: usize) -> f64 {
        let mut state = State { p: [x[0], x[1]], q: [x[2], x[3]] };
        let mut a = x;
        let mut rows = [[x[0], x[1]], [x[2], x[3]]];
        let mut pair = (x[0], x[3]);
        for i in 0..n {
            state.step(0.1);
            a[i % 4].bump(0.5);
            through(&mut a, x[1]);
            let row = rows[(i + 1) % 2];
            rows[i % 2].axpy(0.3, &row);
            pair.bump(0.5);
        }
        let sum = a.scaled(x[0]) + a.scaled(2.0);
        state.p[0] * state.q[1] + sum * a[1] + rows[0][0] * rows[1][1] + pair.0 * pair.1
    }
}

#[test]
fn traits_are_for_arrays_of_any_length_and_change_them() {
    use vectors_of_any_length::{changed, changed_jac, read, read_jac};
    let point = [0.7, -0.3, 0.4, 0.9];
    differences(read, read_jac, point);
    for n in 0..4 {
        differences(|x| changed(x, n), |x| changed_jac(x, n), point);
    }
}
