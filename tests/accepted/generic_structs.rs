//! Generic structs of a module: as parameters, results and locals, with what their generic `impl` blocks implement.

use jacobian::jacobian;

use self::generic::*;
use crate::differences;

#[jacobian]
mod generic {
    use core::ops::{Add, AddAssign, Index, Mul, Sub};

    pub const WIDTH: usize = 2;

    #[derive(Clone, Copy, Debug, Default)]
    pub struct Pair<T> {
        pub a: T,
        pub b: T,
    }

    #[derive(Clone, Copy)]
    pub struct State<const N: usize> {
        pub x: [f64; N],
    }

    #[derive(Clone, Copy)]
    pub struct Tagged<T>(pub T, pub f64);

    #[derive(Clone, Copy)]
    pub struct Body<T, const N: usize> {
        pub points: [T; N],
        pub mass: f64,
    }

    /// A struct with instances in it.
    #[derive(Clone, Copy)]
    pub struct Both {
        pub state: State<WIDTH>,
        pub pair: Pair<f64>,
    }

    impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>> Pair<T> {
        pub fn new(a: T, b: T) -> Self {
            Pair { a, b }
        }

        pub fn sum(&self) -> T {
            self.a + self.b
        }

        pub fn blend(&self, t: f64) -> T {
            self.a * (1.0 - t) + self.b * t
        }

        fn swap(&mut self) {
            let Pair { a, b } = *self;
            *self = Self { a: b, b: a };
        }
    }

    impl<const N: usize> State<N> {
        const SCALE: f64 = N as f64;

        pub fn new(x: [f64; N]) -> Self {
            Self { x }
        }

        pub fn scaled(self, by: f64) -> Self {
            State { x: self.x.map(|v| v * by * Self::SCALE) }
        }

        pub fn norm(&self) -> f64 {
            self.x.iter().map(|v| v * v).sum::<f64>().sqrt()
        }

        pub fn largest<const K: usize>(&self) -> State<K> {
            State { x: core::array::from_fn(|i| self.x[i % N] * self.x[0]) }
        }

        #[jacobian(instances(2, 3), wrt(self, h))]
        pub fn stepped(&self, h: f64) -> State<N> {
            *self + h * self.scaled(2.0)
        }
    }

    impl<const N: usize> Add for State<N> {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            State { x: core::array::from_fn(|i| self.x[i] + o.x[i]) }
        }
    }

    impl<const N: usize> Sub for State<N> {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            State { x: core::array::from_fn(|i| self.x[i] - o.x[i]) }
        }
    }

    impl<const N: usize> Mul<f64> for State<N> {
        type Output = Self;
        fn mul(self, by: f64) -> Self {
            State { x: self.x.map(|v| v * by) }
        }
    }

    impl<const N: usize> Mul<State<N>> for f64 {
        type Output = State<N>;
        fn mul(self, s: State<N>) -> State<N> {
            s * self
        }
    }

    impl<const N: usize> AddAssign for State<N> {
        fn add_assign(&mut self, o: Self) {
            for i in 0..N {
                self.x[i] += o.x[i];
            }
        }
    }

    impl<T> Index<usize> for Pair<T> {
        type Output = T;
        fn index(&self, i: usize) -> &T {
            if i == 0 { &self.a } else { &self.b }
        }
    }

    impl State<3> {
        fn cross(&self, o: &State<3>) -> State<3> {
            let ([a, b, c], [d, e, f]) = (self.x, o.x);
            State { x: [b * f - c * e, c * d - a * f, a * e - b * d] }
        }
    }

    fn total<const N: usize>(s: State<N>) -> f64 {
        (0..N).map(|i| s.x[i] * (i + N) as f64).sum()
    }

    fn halves<T: Copy + Mul<f64, Output = T>>(t: T) -> Tagged<T> {
        Tagged(t * 0.5, 2.0)
    }

    #[jacobian]
    pub fn floats(p: Pair<f64>, t: f64) -> f64 {
        let mut p = p;
        p.swap();
        p.sum() * p.a + p.blend(t) * p[1]
    }

    #[jacobian]
    pub fn states(s: State<2>, t: &State<2>, h: f64) -> State<2> {
        let mut sum = s + h * t.scaled(2.0);
        for _ in 0..2 {
            sum += s * 0.5;
        }
        sum
    }

    #[jacobian]
    pub fn nested(x: f64, y: f64) -> Pair<State<2>> {
        let s = State { x: [x, y] };
        let p = Pair { a: s, b: s.scaled(x) };
        let q = Pair::<State<2>>::new(p.blend(0.25), p.sum());
        Pair { a: q.a - q.b, ..q }
    }

    #[jacobian]
    pub fn of_three(s: State<3>, t: State<3>) -> f64 {
        s.cross(&t).norm() * total(s) + total(State::<2>::new([t.x[0], s.x[2]]))
    }

    #[jacobian]
    pub fn tagged(t: Tagged<f64>) -> Tagged<f64> {
        let Tagged(a, b) = t;
        Tagged(a * b, a)
    }

    #[jacobian]
    pub fn of_body(b: Body<State<2>, 2>, k: usize) -> f64 {
        let Body { points, mass } = b;
        points[k % 2].norm() * mass + points[0].x[1]
    }

    #[jacobian]
    pub fn of_both(b: &Both, n: usize) -> Both {
        let mut state = b.state;
        for _ in 0..n {
            state = if state.x[0] > 2.0 { state * 0.25 } else { state.scaled(0.75) };
        }
        let tagged: Tagged<State<2>> = halves(b.state);
        Both { state, pair: Pair { a: b.pair.sum(), b: halves(b.pair.b).0 * tagged.0.x[1] } }
    }

    /// One that is not active, of another instance, stays what it is.
    #[jacobian]
    pub fn passive(x: f64) -> f64 {
        let p = Pair { a: 7, b: 2 };
        x * (p.a / p.b) as f64
    }
}

fn two([a, b]: [f64; 2]) -> State<2> {
    State { x: [a, b] }
}

#[test]
fn instances_are_structs_of_their_own() {
    differences(|[a, b, t]| floats(Pair { a, b }, t), |[a, b, t]| floats_jac(Pair { a, b }, t), [0.5, -0.3, 0.2]);
    let of = |s: State<2>| s.x;
    let f = |[a, b, c, d, h]: [f64; 5]| of(states(two([a, b]), &two([c, d]), h));
    let jac = |[a, b, c, d, h]: [f64; 5]| {
        let (value, jacobian) = states_jac(two([a, b]), &two([c, d]), h);
        (of(value), jacobian)
    };
    differences(f, jac, [0.5, -0.3, 0.2, 0.9, 0.4]);

    let of = |p: Pair<State<2>>| [p.a.x, p.b.x];
    let jac = |[x, y]: [f64; 2]| {
        let (value, jacobian) = nested_jac(x, y);
        (of(value), jacobian)
    };
    differences(|[x, y]| of(nested(x, y)), jac, [0.5, -0.3]);

    let three = |[a, b, c, d, e, f]: [f64; 6]| (State { x: [a, b, c] }, State { x: [d, e, f] });
    let at = [0.5, -0.3, 0.2, 0.9, 0.4, -0.7];
    differences(|x| of_three(three(x).0, three(x).1), |x| of_three_jac(three(x).0, three(x).1), at);

    let of = |t: Tagged<f64>| [t.0, t.1];
    let jac = |[a, b]: [f64; 2]| {
        let (value, jacobian) = tagged_jac(Tagged(a, b));
        (of(value), jacobian)
    };
    differences(|[a, b]| of(tagged(Tagged(a, b))), jac, [0.5, -0.3]);
    differences(|[x]| passive(x), |[x]| passive_jac(x), [0.5]);
    assert_eq!(passive(1.0), 3.0);
}

#[test]
fn instances_are_parts_of_others() {
    for k in 0..2 {
        let body = |[a, b, c, d, mass]: [f64; 5]| Body { points: [two([a, b]), two([c, d])], mass };
        differences(|x| of_body(body(x), k), |x| of_body_jac(body(x), k), [0.5, -0.3, 0.2, 0.9, 0.4]);
    }
    let both = |[a, b, c, d]: [f64; 4]| Both { state: two([a, b]), pair: Pair { a: c, b: d } };
    let of = |b: Both| [b.state.x[0], b.state.x[1], b.pair.a, b.pair.b];
    for n in 0..4 {
        let jac = |x| {
            let (value, jacobian) = of_both_jac(&both(x), n);
            (of(value), jacobian)
        };
        differences(|x| of(of_both(&both(x), n)), jac, [0.8, -0.3, 0.2, 0.9]);
    }
}

#[test]
fn methods_of_instances_are_marked() {
    let of = |s: State<2>| s.x;
    let jac = |[a, b, h]: [f64; 3]| {
        let (value, jacobian) = two([a, b]).stepped_jac(h);
        (of(value), jacobian)
    };
    differences(|[a, b, h]| of(two([a, b]).stepped(h)), jac, [0.5, -0.3, 0.2]);
    let (value, jacobian) = State { x: [1.0, 2.0, 3.0] }.stepped_jac(0.5);
    assert_eq!((value.x, jacobian[2]), ([4.0, 8.0, 12.0], [0.0, 0.0, 4.0, 18.0]));
    assert_eq!(two([1.0, 2.0]).largest::<3>().x, [1.0, 2.0, 1.0]);
}

/// Instances that are constructed by a function of the struct, of literals among other things.
#[jacobian]
mod constructed {
    use core::ops::{Add, AddAssign, Mul};

    #[derive(Clone, Copy)]
    pub struct Pair<T> {
        a: T,
        b: T,
    }

    /// There is one instance of it.
    #[derive(Clone, Copy, Default)]
    pub struct Total<T> {
        sum: T,
        last: T,
    }

    impl AddAssign<f64> for Total<f64> {
        fn add_assign(&mut self, by: f64) {
            self.sum += by;
            self.last = by;
        }
    }

    #[jacobian]
    pub fn by_default(x: f64, w: f64) -> f64 {
        let mut total = Total::default();
        total += x * w;
        total += w;
        total.sum * total.last
    }

    /// What makes several instances of it.
    #[allow(dead_code)]
    pub struct Nested {
        pair: Pair<Pair<f64>>,
    }

    impl<T: Copy + Add<Output = T> + Mul<f64, Output = T>> Pair<T> {
        const fn new(a: T, b: T) -> Self {
            Pair { a, b }
        }

        fn blend(a: T, by: f64, b: T) -> T {
            a * by + b
        }
    }

    #[jacobian]
    pub fn of_literals(x: f64, w: f64) -> f64 {
        let pair = Pair::new(0.5, x * w);
        pair.a * w + pair.b + Pair::blend(x, 2.0, 3.0)
    }
}

#[test]
fn the_default_of_a_generic_struct_is_of_its_only_instance() {
    assert_eq!(constructed::by_default_jac(2.0, 3.0), (27.0, [9.0, 18.0]));
}

#[test]
fn a_literal_is_of_the_type_of_what_else_an_instance_is_made_of() {
    assert_eq!(constructed::of_literals_jac(2.0, 3.0), (14.5, [5.0, 2.5]));
}

/// Parts of something else that are called like a parameter are not that.
#[jacobian]
mod named_like_parameters {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Kind {
        A,
        B,
    }

    #[derive(Clone, Copy)]
    pub struct B {
        pub scale: f64,
    }

    #[derive(Clone, Copy)]
    pub struct Wrapped<A> {
        pub inner: A,
        pub kind: Kind,
        pub weight: f64,
    }

    impl<A: Copy> Wrapped<A> {
        const N: usize = 3;

        fn value(&self) -> f64 {
            if self.kind == Kind::A { self.weight } else { 2.0 * self.weight * self.weight }
        }
    }

    pub trait Sized {
        const N: usize;
    }

    pub struct Seven;

    impl Sized for Seven {
        const N: usize = 7;
    }

    #[derive(Clone, Copy)]
    pub struct Row<const N: usize> {
        pub values: [f64; N],
    }

    impl<const N: usize> Row<N> {
        fn scaled(&self) -> f64 {
            let mut sum = 0.0;
            for i in 0..N {
                sum += self.values[i] * (Seven::N * <Seven as Sized>::N * N) as f64;
            }
            sum * Wrapped::<B>::N as f64
        }
    }

    #[jacobian(wrt(x, y))]
    pub fn of_kinds(x: f64, y: f64, n: usize) -> f64 {
        let kind = if n > 2 { Kind::A } else { Kind::B };
        let wrapped = Wrapped::<B> { inner: B { scale: x }, kind, weight: y };
        wrapped.value() * wrapped.inner.scale
    }

    const LAW: f64 = 1.5;

    pub trait Scale {
        fn scale() -> f64;
    }

    impl Scale for Seven {
        fn scale() -> f64 {
            7.0
        }
    }

    /// The constant is no parameter, although it is called like one.
    #[allow(non_camel_case_types)]
    fn lawful<LAW: Scale>(x: f64) -> f64 {
        x * LAW::scale() * LAW
    }

    #[jacobian]
    pub fn of_constants(x: f64) -> f64 {
        lawful::<Seven>(x) * x
    }

    #[jacobian]
    pub fn of_rows(x: f64, y: f64) -> f64 {
        Row::<2> { values: [x, y * y] }.scaled()
    }
}

#[test]
fn names_behind_others() {
    use named_like_parameters::*;
    for n in [0, 5] {
        differences(|[x, y]| of_kinds(x, y, n), |[x, y]| of_kinds_jac(x, y, n), [0.3, 0.7]);
    }
    differences(|[x, y]| of_rows(x, y), |[x, y]| of_rows_jac(x, y), [0.3, 0.7]);
    differences(|[x]| of_constants(x), |[x]| of_constants_jac(x), [0.3]);
}

/// Small matrices whose sizes are parameters, as embedded code writes them.
#[jacobian]
mod sized {
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy)]
    pub struct Mat<const R: usize, const C: usize>([[f64; C]; R]);

    impl<const R: usize, const C: usize> Mat<R, C> {
        fn zero() -> Self {
            Mat([[0.0; C]; R])
        }
        fn transposed(self) -> Mat<C, R> {
            let mut m = Mat::<C, R>::zero();
            for i in 0..R {
                for j in 0..C {
                    m.0[j][i] = self.0[i][j];
                }
            }
            m
        }
        fn sum(&self, o: &Self) -> Self {
            let mut m = Mat([[0.0; C]; R]);
            for i in 0..R {
                for j in 0..C {
                    m.0[i][j] = self.0[i][j] + o.0[i][j];
                }
            }
            m
        }
    }

    impl<const R: usize, const K: usize, const C: usize> Mul<Mat<K, C>> for Mat<R, K> {
        type Output = Mat<R, C>;
        fn mul(self, o: Mat<K, C>) -> Mat<R, C> {
            let mut m = Mat([[0.0; C]; R]);
            for i in 0..R {
                for j in 0..C {
                    for k in 0..K {
                        m.0[i][j] += self.0[i][k] * o.0[k][j];
                    }
                }
            }
            m
        }
    }

    impl<const R: usize, const C: usize> Add for Mat<R, C> {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            self.sum(&o)
        }
    }

    #[jacobian]
    pub fn predicted(a: [[f64; 2]; 3], b: [f64; 2]) -> f64 {
        let m: Mat<3, 2> = Mat(a);
        let v: Mat<2, 1> = Mat([[b[0]], [b[1]]]);
        let y: Mat<3, 1> = m * v;
        let gram: Mat<2, 2> = m.transposed() * m + Mat([[b[0], 0.5], [0.25, b[1]]]);
        y.0[0][0] * y.0[2][0] + gram.0[0][1] * gram.0[1][1]
    }
}

#[test]
fn matrices_with_sizes() {
    use sized::{predicted, predicted_jac};
    crate::differences(
        |[a, b, c, d, e, f, g, h]| predicted([[a, b], [c, d], [e, f]], [g, h]),
        |[a, b, c, d, e, f, g, h]| predicted_jac([[a, b], [c, d], [e, f]], [g, h]),
        [0.5, 0.2, -0.4, 0.7, 1.1, 0.3, -0.6, 0.8],
    );
}
