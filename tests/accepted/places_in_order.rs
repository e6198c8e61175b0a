//! When places are read and assigned: elements after their indices have run, and what calls give no longer than it lives.

#![allow(clippy::mixed_read_write_in_expression, clippy::op_ref, reason = "that is what is tested")]

use std::cell::RefCell;
use std::sync::Mutex;

use jacobian::jacobian;

use crate::differences;
use crate::panics::panic_of;

const AT: [f64; 4] = [0.7, -1.3, 2.1, 0.4];

macro_rules! check {
    ($($f:ident, $jac:ident);+ $(;)?) => { $(
        for n in 0..4 {
            differences(|x| $f(x, n), |x| $jac(x, n), AT);
        }
    )+ };
}

#[test]
fn indices_that_change_what_they_index() {
    #[jacobian(wrt(x))]
    fn known(x: [f64; 4], n: usize) -> f64 {
        let mut a = x;
        let first = a[{
            a[0] = x[1] * n as f64;
            0
        }];
        let mut weights = [1.0, 2.0];
        let weight = weights[{
            weights[0] = 5.0;
            0
        }];
        first * weight * x[0]
    }
    #[jacobian(wrt(x))]
    fn nested(x: [f64; 4], n: usize) -> f64 {
        let mut rows = [x, x.map(|v| v * v)];
        let chosen = rows[n % 2][{
            rows[0][1] = x[3];
            rows[1][1] = x[0];
            1
        }];
        let mut pair = ([x[0], x[1]], 2.0);
        let part = pair.0[{
            pair.0 = [x[2], x[3]];
            n % 2
        }];
        let sine = pair.0[{
            pair.0.swap(0, 1);
            0
        }]
        .sin();
        chosen * part + sine * pair.1
    }
    #[jacobian(wrt(x))]
    fn in_a_loop(x: [f64; 4], n: usize) -> f64 {
        let mut a = x;
        let mut sum = 0.0;
        for i in 0..n {
            sum += a[{
                a[i % 4] *= 1.5;
                (i + 1) % 4
            }];
            let near = a[{
                a[i % 4] += 1.0;
                i % 4
            }] > 0.9;
            sum *= if near { 0.5 } else { x[3] };
        }
        sum
    }
    #[jacobian(wrt(x))]
    fn of_integers(x: [f64; 4], n: usize) -> f64 {
        let mut k = [0_usize, 1, 2];
        let j = k[{
            k[0] = 3;
            n % 3
        }];
        x[j] * x[k[{
            k.swap(1, 2);
            1
        }]]
    }
    check!(known, known_jac; nested, nested_jac; in_a_loop, in_a_loop_jac; of_integers, of_integers_jac);

    #[jacobian]
    mod module {
        #[derive(Clone, Copy)]
        pub struct Ring {
            entries: [f64; 3],
            head: usize,
        }

        impl Ring {
            fn push(&mut self, v: f64) -> usize {
                self.head = (self.head + 1) % 3;
                self.entries[self.head] = v;
                self.head
            }
        }

        fn advance(a: &mut [f64; 4], n: usize) -> usize {
            a[n % 2] += 2.0;
            n % 2
        }

        #[jacobian(wrt(x))]
        pub fn pushed(x: [f64; 4], n: usize) -> f64 {
            let mut ring = Ring { entries: [x[0], 1.0, x[1]], head: n };
            ring.entries[ring.push(x[2] * x[3])] * x[0]
        }

        #[jacobian(wrt(x))]
        pub fn advanced(x: [f64; 4], n: usize) -> f64 {
            let mut a = x;
            a[advance(&mut a, n)] * x[0]
        }
    }
    use module::{advanced, advanced_jac, pushed, pushed_jac};
    check!(pushed, pushed_jac; advanced, advanced_jac);
}

#[test]
fn updates_whose_right_hand_sides_change_the_index() {
    #[jacobian(wrt(x))]
    fn by_references(x: [f64; 4], n: usize) -> f64 {
        let (mut a, mut k) = (x, n % 2);
        a[k] += &{
            k = 1 - k;
            x[0] * x[1]
        };
        for d in &[0.5, 1.5, 2.5, 0.25] {
            a[k % 3] += {
                k += 1;
                d
            };
        }
        a[0] * a[1] - a[2] * a[0]
    }
    #[jacobian(wrt(x))]
    fn by_numbers(x: [f64; 4], n: usize) -> f64 {
        let (mut a, mut k) = (x, n % 4);
        a[k] *= {
            k = (k + 1) % 4;
            a[k]
        };
        a[k] -= a[(k + 1) % 4];
        a.iter().product()
    }
    #[jacobian(wrt(x))]
    fn of_vectors(x: [f64; 4], n: usize) -> f64 {
        let (mut a, mut k) = ([nalgebra::Vector2::new(x[0], x[1]), nalgebra::Vector2::new(x[2], x[3])], n % 2);
        a[k] += {
            k = 1 - k;
            nalgebra::Vector2::new(x[0], x[0])
        };
        a[k].x * a[0].y + a[1].x * a[1].y * x[1]
    }
    check!(by_references, by_references_jac; by_numbers, by_numbers_jac; of_vectors, of_vectors_jac);

    #[jacobian]
    fn generic<T: num_traits::Float + std::ops::AddAssign>(x: [T; 4]) -> T {
        let (mut a, mut k) = (x, 0);
        a[k] += {
            k = 1 - k;
            x[2] * x[3]
        };
        a[k] * a[0] * a[0]
    }
    differences(generic, generic_jac, AT);

    #[jacobian]
    mod module {
        #[derive(Clone, Copy)]
        pub struct Pair {
            a: f64,
            b: f64,
        }

        impl std::ops::AddAssign for Pair {
            fn add_assign(&mut self, other: Pair) {
                self.a += other.a;
                self.b *= other.b;
            }
        }

        #[jacobian(wrt(x))]
        pub fn of_structs(x: [f64; 4], n: usize) -> f64 {
            let (mut pairs, mut k) = ([Pair { a: x[0], b: x[1] }, Pair { a: x[2], b: x[3] }], n % 2);
            pairs[k] += {
                k = 1 - k;
                Pair { a: x[0] * x[1], b: 2.0 }
            };
            pairs[k].a * pairs[0].b + pairs[1].a * pairs[1].b * x[0]
        }
    }
    use module::{of_structs, of_structs_jac};
    check!(of_structs, of_structs_jac);
}

fn number(n: usize) -> usize {
    n
}

/// A lock is given back where the function gives it back.
#[test]
fn what_is_locked() {
    #[jacobian(wrt(x))]
    fn by_a_length(x: f64, list: &Mutex<Vec<f64>>) -> f64 {
        let k = list.lock().unwrap().len();
        let product = x * list.lock().unwrap()[k - 1];
        list.try_lock().unwrap().push(1.0);
        product
    }
    #[jacobian(wrt(x))]
    fn by_what_is_active(x: f64, list: &RefCell<Vec<f64>>) -> f64 {
        let product = x * list.borrow()[(x * 3.0) as usize % 2];
        list.borrow_mut().push(1.0);
        product * list.borrow()[if x > 1.0 { 1 } else { 0 }]
    }
    #[jacobian(wrt(x))]
    fn by_a_method(x: f64, n: usize, list: &RefCell<Vec<f64>>) -> f64 {
        let k = number(n);
        let product = x * *list.borrow().get(k - 1).unwrap();
        let is_free = list.try_borrow_mut().is_ok();
        let other = list.borrow()[number(n) + 1] * x;
        if is_free && list.try_borrow_mut().is_ok() { product * other } else { product }
    }
    for x in [0.9, 1.4] {
        let list = || Mutex::new(vec![1.0, 2.0, 3.0]);
        differences(|[x]| by_a_length(x, &list()), |[x]| by_a_length_jac(x, &list()), [x]);
        let list = || RefCell::new(vec![1.5, 2.5, 3.5]);
        differences(|[x]| by_what_is_active(x, &list()), |[x]| by_what_is_active_jac(x, &list()), [x]);
        differences(|[x]| by_a_method(x, 1, &list()), |[x]| by_a_method_jac(x, 1, &list()), [x]);
    }
}

/// What is behind a reference that a call gives is read in its place.
#[test]
fn what_calls_give_references_to() {
    struct Inner {
        entries: Vec<f64>,
    }
    struct Outer {
        inner: Inner,
    }
    impl Outer {
        fn inner(&self) -> &Inner {
            &self.inner
        }
    }
    #[jacobian(wrt(x))]
    fn f(x: f64, outer: &Outer, n: usize) -> f64 {
        let k = number(n);
        x * outer.inner().entries[(x * 3.0) as usize] * outer.inner().entries[k - 1]
    }
    let outer = Outer { inner: Inner { entries: vec![1.0, 2.0, 3.0] } };
    differences(|[x]| f(x, &outer, 2), |[x]| f_jac(x, &outer, 2), [0.8]);
}

/// What is called before an index runs before it panics.
#[test]
fn effects_before_an_index() {
    fn logged(v: f64, log: &RefCell<Vec<f64>>) -> f64 {
        log.borrow_mut().push(v);
        v
    }
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], n: usize, log: &RefCell<Vec<f64>>) -> f64 {
        let product = logged(2.0, log) * x[n];
        f64::max(logged(3.0, log) + x[n + 1], product)
    }
    for n in 0..3 {
        let (log, other) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
        let of_f = panic_of(std::panic::AssertUnwindSafe(|| f([0.5, 1.5], n, &log)));
        let of_jac = panic_of(std::panic::AssertUnwindSafe(|| f_jac([0.5, 1.5], n, &other).0));
        assert_eq!((of_f, log), (of_jac, other));
    }
}
