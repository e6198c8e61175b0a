//! A value that has the name of a type parameter: which of the two a name means is not seen.

use jacobian::jacobian;

#[jacobian]
mod constants {
    const A: f64 = 2.0;
    const C: f64 = 3.0;

    #[derive(Clone, Copy)]
    pub struct C {
        pub c: f64,
    }

    pub struct Wrapped<A> {
        pub inner: A,
        pub weight: f64,
    }

    impl<A: Copy> Wrapped<A> {
        fn value(&self) -> f64 {
            self.weight * A
        }
    }

    #[jacobian]
    pub fn f(x: f64, y: f64) -> f64 {
        let wrapped = Wrapped::<C> { inner: C { c: x }, weight: y };
        wrapped.value() * wrapped.inner.c * C
    }
}

#[jacobian]
mod variants {
    use self::Kind::*;

    #[derive(Clone, Copy, PartialEq)]
    pub enum Kind {
        A,
        B,
    }

    #[derive(Clone, Copy)]
    pub struct C {
        pub c: f64,
    }

    pub struct Wrapped<A> {
        pub inner: A,
        pub kind: Kind,
    }

    impl<A: Copy> Wrapped<A> {
        fn value(&self) -> f64 {
            if self.kind == A { 1.0 } else { 2.0 }
        }
    }

    #[jacobian]
    pub fn f(x: f64, n: usize) -> f64 {
        let wrapped = Wrapped::<C> { inner: C { c: x }, kind: if n > 2 { A } else { B } };
        wrapped.value() * wrapped.inner.c * x
    }
}

fn main() {}
