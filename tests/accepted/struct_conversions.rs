//! What the traits of the standard library do with structs of a module: `into` by `From`, `IndexMut`, and what
//! `mem::take` leaves behind by `Default`.

use jacobian::jacobian;

use crate::differences;

#[jacobian]
mod conversions {
    use std::mem;
    use std::ops::{Index, IndexMut};

    #[derive(Clone, Copy)]
    pub struct Wrap(pub f64, pub [f64; 2]);
    #[derive(Clone, Copy, Default)]
    pub struct Derived {
        pub x: f64,
        pub steps: u8,
        pub v: [f64; 2],
        pub inner: Own,
    }
    #[derive(Clone, Copy)]
    pub struct Own {
        pub k: f64,
    }
    impl Default for Own {
        fn default() -> Self {
            Own { k: 3.0 }
        }
    }
    impl From<f64> for Wrap {
        fn from(x: f64) -> Self {
            Wrap(x, [x * x, 2.0])
        }
    }
    impl From<[f64; 2]> for Wrap {
        fn from(x: [f64; 2]) -> Self {
            Wrap(x[0], [x[1], x[0] * x[1]])
        }
    }
    impl From<Wrap> for Own {
        fn from(wrap: Wrap) -> Self {
            Own { k: wrap.0 * wrap.1[1] }
        }
    }
    impl Index<usize> for Wrap {
        type Output = f64;
        fn index(&self, index: usize) -> &f64 {
            if index == 0 { &self.0 } else { &self.1[index - 1] }
        }
    }
    impl IndexMut<usize> for Wrap {
        fn index_mut(&mut self, index: usize) -> &mut f64 {
            if index == 0 { &mut self.0 } else { &mut self.1[index - 1] }
        }
    }
    fn given(wrap: Wrap) -> f64 {
        wrap[0] * wrap[1] + wrap[2]
    }
    fn made(x: f64) -> Wrap {
        x.into()
    }

    #[allow(clippy::useless_conversion)]
    #[jacobian]
    pub fn converted(x: f64, y: f64) -> f64 {
        let of_float: Wrap = x.into();
        let of_array: Wrap = [x, y].into();
        let of_struct: Own = of_array.into();
        let same: f64 = y.into();
        given(of_float) * of_struct.k + same + given((x * y).into()) + made(y)[1]
    }
    #[jacobian]
    pub fn assigned(x: f64, y: f64) -> [f64; 3] {
        let mut wrap = Wrap(x, [y, 1.0]);
        wrap[0] = x * y;
        for i in 1..3 {
            wrap[i] += wrap[i - 1] * x;
        }
        wrap[2] *= wrap[0];
        [wrap[0], wrap[1], wrap[2]]
    }
    #[jacobian]
    pub fn taken(x: f64, y: f64) -> [f64; 5] {
        let mut state = Derived { x, steps: 3, v: [y, x * y], inner: Own { k: x } };
        let old = mem::take(&mut state);
        state.x += x;
        let mut own = old.inner;
        let own_before = mem::take(&mut own);
        [
            state.x * old.v[1] + old.steps as f64,
            state.inner.k * y + state.v[0] + state.steps as f64,
            own.k * x,
            own_before.k * old.v[0],
            old.x,
        ]
    }
    #[jacobian(wrt(x))]
    pub fn taken_beside(x: f64, y: f64, rest: [f64; 2]) -> f64 {
        let mut pair = [x, y];
        let [a, b] = mem::take(&mut pair);
        let mut both = (x, rest);
        let (c, d) = mem::take(&mut both);
        a * b + pair[0] + pair[1] + c * d[1] + both.1[0]
    }
}

#[test]
fn conversions_indices_and_defaults() {
    for x in [[0.7, -1.3], [2.0, 0.5]] {
        differences(|[x, y]| conversions::converted(x, y), |[x, y]| conversions::converted_jac(x, y), x);
        differences(|[x, y]| conversions::assigned(x, y), |[x, y]| conversions::assigned_jac(x, y), x);
        differences(|[x, y]| conversions::taken(x, y), |[x, y]| conversions::taken_jac(x, y), x);
        let rest = [x[1], 4.0];
        differences(
            |[own]| conversions::taken_beside(own, x[1], rest),
            |[own]| conversions::taken_beside_jac(own, x[1], rest),
            [x[0]],
        );
    }
}

#[jacobian]
mod of_tuples {
    pub struct Point {
        x: f64,
        y: f64,
    }

    impl From<(f64, f64)> for Point {
        fn from((x, y): (f64, f64)) -> Self {
            Point { x, y }
        }
    }

    #[jacobian]
    pub fn swapped([x, y]: [f64; 2], k: usize) -> f64 {
        let p: Point = (y, 2.0 * x).into();
        let mut q: Point = (1.0, x).into();
        for _ in 0..k {
            q = (q.y, q.x * y).into();
        }
        p.x * p.y * p.y + q.x - q.y
    }
}

#[test]
fn tuples_into_a_struct() {
    for k in [0, 3] {
        differences(|x| of_tuples::swapped(x, k), |x| of_tuples::swapped_jac(x, k), [0.5, -0.3]);
    }
}

#[jacobian]
mod into_floats {
    #[derive(Clone, Copy)]
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }

    impl From<Point> for [f64; 2] {
        fn from(p: Point) -> Self {
            [p.y, p.x * p.x]
        }
    }

    impl From<Point> for f64 {
        fn from(p: Point) -> f64 {
            p.x * p.y
        }
    }

    impl From<&Point> for (f64, f64) {
        fn from(p: &Point) -> (f64, f64) {
            (p.x, -p.y)
        }
    }

    fn array(p: Point) -> [f64; 2] {
        p.into()
    }

    #[jacobian]
    pub fn all(p: Point) -> f64 {
        let [a, b]: [f64; 2] = p.into();
        let area: f64 = p.into();
        let (c, d): (f64, f64) = (&p).into();
        a * b + area * c - d * array(p)[1]
    }

    #[jacobian]
    pub fn as_the_result(p: Point) -> [f64; 2] {
        Point { x: p.y, y: p.x.sin() }.into()
    }
}

#[test]
fn structs_into_floats() {
    let of = |[x, y]: [f64; 2]| into_floats::Point { x, y };
    differences(|x| into_floats::all(of(x)), |x| into_floats::all_jac(of(x)), [0.7, 1.3]);
    differences(|x| into_floats::as_the_result(of(x)), |x| into_floats::as_the_result_jac(of(x)), [0.7, 1.3]);
}

#[jacobian]
mod by_path {
    #[derive(Clone, Copy)]
    pub struct Speed(pub f64);

    impl From<Speed> for f64 {
        fn from(speed: Speed) -> f64 {
            speed.0 * 2.0
        }
    }

    impl From<f64> for Speed {
        fn from(value: f64) -> Speed {
            Speed(value * 3.0)
        }
    }

    #[derive(Clone, Copy)]
    pub struct Quaternion {
        pub w: f64,
        pub v: [f64; 3],
    }

    impl From<Quaternion> for [f64; 4] {
        fn from(q: Quaternion) -> [f64; 4] {
            [q.w, q.v[0], q.v[1], q.v[2]]
        }
    }

    impl From<[f64; 4]> for Quaternion {
        fn from(q: [f64; 4]) -> Quaternion {
            Quaternion { w: q[0], v: [q[1], q[2], q[3]] }
        }
    }

    #[jacobian]
    pub fn speed(x: f64) -> f64 {
        let speed = Speed::from(x);
        f64::from(speed) * x
    }

    #[jacobian]
    pub fn turned(x: [f64; 4]) -> f64 {
        let q = Quaternion::from(x);
        let a = <[f64; 4]>::from(q);
        let b: [f64; 4] = q.into();
        a[1] * b[0] + a[3]
    }
}

#[test]
fn floats_and_arrays_are_made_by_path() {
    crate::differences(|[x]| by_path::speed(x), |[x]| by_path::speed_jac(x), [0.7]);
    crate::differences(by_path::turned, by_path::turned_jac, [0.5, -0.25, 2.0, 1.0]);
}

/// What is referred to is converted by another `From` than what is given, and a pattern tells the type.
#[jacobian]
mod by_reference {
    #[derive(Clone, Copy)]
    pub struct Point {
        x: f64,
        y: f64,
    }

    impl From<&[f64; 2]> for Point {
        fn from(a: &[f64; 2]) -> Point {
            Point { x: 2.0 * a[0], y: a[1] }
        }
    }

    impl From<[f64; 2]> for Point {
        fn from(a: [f64; 2]) -> Point {
            Point { x: a[0], y: 3.0 * a[1] }
        }
    }

    pub struct Pair(f64, f64);

    impl From<(f64, f64)> for Pair {
        fn from((a, b): (f64, f64)) -> Pair {
            Pair(a * b, b)
        }
    }

    fn norm(p: impl Into<Point>) -> f64 {
        let Point { x, y } = p.into();
        x.hypot(y)
    }

    #[jacobian]
    pub fn f(a: [f64; 2], b: &[f64; 2]) -> f64 {
        let (p, q): (Point, Point) = ((&a).into(), a.into());
        let r: Point = b.into();
        let Point { x, y } = a.into();
        let Pair(product, last) = (a[0], b[1]).into();
        p.x * q.y + r.x * r.y * x + y * product * last + norm(a) * norm(b)
    }
}

#[test]
fn conversions_of_references_and_by_patterns() {
    use by_reference::{f, f_jac};
    crate::differences(|[a, b, c, d]| f([a, b], &[c, d]), |[a, b, c, d]| f_jac([a, b], &[c, d]), [0.5, 0.2, -0.4, 0.7]);
}
