//! What does something, or may panic, is evaluated once and in its turn, whether its value is used or not.

#![allow(
    clippy::needless_ifs,
    clippy::single_match,
    clippy::unnecessary_lazy_evaluations,
    clippy::unnecessary_literal_unwrap
)]

use std::panic::{RefUnwindSafe, catch_unwind};

mod logged {
    use std::cell::RefCell;

    use jacobian::jacobian;
    use nalgebra::{Isometry2, Matrix2, UnitQuaternion, Vector2, Vector3, matrix, point, vector};

    thread_local! {
        pub static LOG: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    }

    const TABLE: [usize; 3] = [1, 0, 2];

    fn note(what: u32) -> usize {
        LOG.with(|log| {
            log.borrow_mut().push(what);
            log.borrow().len()
        })
    }

    fn list() -> Vec<f64> {
        note(1);
        vec![0.5, 1.5, 2.5]
    }

    fn float() -> f64 {
        note(2) as f64 * 0.25 + 1.0
    }

    fn number() -> usize {
        note(3) % 3
    }

    fn option() -> Option<f64> {
        let count = note(4);
        (count % 2 == 1).then_some(count as f64)
    }

    fn array() -> [f64; 3] {
        [1.0, 2.0, note(5) as f64]
    }

    fn truth() -> bool {
        note(6) % 2 == 1
    }

    #[jacobian(wrt(x))]
    pub fn first_of_a_fold(x: f64, n: usize) -> f64 {
        let of_list = list().iter().map(|v| v * x).fold(float(), |s, v| s * 0.5 + v);
        let of_range = (0..number() + n).map(|i| x * i as f64).fold(x * float(), |s, v| s - v);
        let of_values = list().into_iter().map(|v| v * x).fold(float(), |s, v| s - v);
        let of_slice = list()[n % 3..].iter().map(|v| v * x).fold(float(), |s, v| s + v);
        of_list + of_range + of_values + of_slice
    }

    #[jacobian(wrt(x))]
    pub fn what_is_taken(x: f64, n: usize) -> f64 {
        let mut stack = vec![n];
        let given = stack.pop().is_some().then(|| x);
        let mut items = [0.5, 2.0].iter();
        let rest = items.next().is_some().then_some(x);
        let rest = rest.map_or(1.0, |v| v * items.sum::<f64>());
        given.unwrap_or(2.0) * x + rest
    }

    #[jacobian(wrt(x))]
    pub fn option_before_a_branch(x: f64, n: usize) -> f64 {
        option().unwrap_or(if x > 0.5 { float() } else { number() as f64 }) * x
            + option().map_or(if x > 0.5 { x * float() } else { n as f64 }, |v| v * x)
    }

    #[jacobian(wrt(x))]
    pub fn compared_before_a_branch(x: f64, n: usize) -> f64 {
        let is_less = float() < if x > 0.5 { float() } else { n as f64 };
        x * f64::from(is_less)
    }

    #[jacobian(wrt(x))]
    pub fn indexed_before_a_branch(x: f64, n: usize) -> f64 {
        array()[if x > 0.5 { number() } else { n % 3 }] * x
            + list().get(if x > 0.5 { number() } else { n }).copied().unwrap_or(2.0) * x
    }

    #[jacobian(wrt(x))]
    pub fn overflow_before_a_branch(x: f64, n: usize) -> f64 {
        let is_less = (n - 3) < if x > 0.5 { number() } else { 2 };
        let wrapped = (n - 1).wrapping_sub(if x > 0.3 { 1 } else { panic!("small") });
        if is_less { x } else { x * wrapped as f64 }
    }

    #[jacobian(wrt(x))]
    pub fn guards(x: f64, n: usize) -> f64 {
        let a = [1, 2, 3];
        let mut items = a.into_iter();
        match 1 {
            k if items.next() == Some(k) => {}
            _ => {}
        }
        let mut s = x * items.next().unwrap() as f64;
        for i in 0..n {
            match i {
                0 => {}
                _ if truth() => {}
                _ => {}
            }
            s *= x;
        }
        let one = match n {
            0 => 1.0,
            _ if float() > x => 1.0,
            _ => 1.0,
        };
        match n {
            1 => {}
            k if a[k] > 2 => {}
            _ => {}
        }
        s * one
    }

    #[jacobian(wrt(x))]
    pub fn subjects(x: f64, n: usize) -> f64 {
        let a = [1, 2, 3, 4];
        match (a[n], 1) {
            (1, _) => {}
            _ => {}
        }
        if n == 3 {
            match TABLE[n] {
                1 => {}
                _ => {}
            }
        }
        match n - 1 {
            0 => {}
            _ => {}
        }
        match a[n] {
            1 => x,
            _ => x,
        }
    }

    #[jacobian(wrt(x))]
    pub fn not_used(x: f64, n: usize) -> f64 {
        let _ = option().and_then(|v| if truth() { Some(v * x) } else { None });
        let _kept = truth().then(|| x);
        let _ = truth().then_some(x);
        let _ = [0.5, 1.0].get(number()).map(|v| v * x);
        let _ = option().is_some_and(|v| v * x > float());
        if n > 2 && truth() {}
        while float() < 1.6 {}
        x
    }

    #[jacobian(wrt(x))]
    pub fn assigned(x: f64, n: usize) -> f64 {
        let (mut pair, mut pairs, mut rows) = ([x, 1.0], [(x, 1.0); 2], [[x; 2]; 2]);
        pair[number() % 2] = float();
        pairs[number() % 2] = (float(), x);
        rows[number() % 2] = [float(), float()];
        rows[number() % 2][number() % 2] = float();
        let mut items = [0.5, -1.0, 2.0].iter();
        pair[(*items.next().unwrap() > 0.0) as usize] = *items.next().unwrap();
        let (given, mut taken) = ([0.5, 1.0, 3.0, 4.0], [x; 3]);
        taken[n] = given[n + 1];
        pair[0] + 2.0 * pair[1] + pairs[0].0 * rows[0][0] + pairs[1].1 * rows[1][1] + taken[1]
    }

    #[jacobian(wrt(x))]
    #[allow(clippy::no_effect, clippy::needless_range_loop, unused_must_use)]
    pub fn elements_that_are_not_read(x: f64, n: usize) -> f64 {
        let d = [0.5, 1.0, 2.0, 3.0];
        let _ = ((10 / (n + 1)) as f64, d[n], x);
        let _unused = Vector2::repeat(d[n]);
        let mut s = [x, d[n]][0] + (x, d[n]).0 + [[x, d[n]], [1.0, x]][0][0];
        s += Vector3::new(x, d[n], 1.0).x * [d[n], x].len() as f64;
        s += Some((d[n], x)).unwrap().1 * [x, d[n], 1.0][number()];
        for i in 0..n {
            [d[i], s];
            s = [s * x, d[i]][0];
            s += Vector2::new(d[i], s).y + [d[i], x].iter().skip(1).sum::<f64>();
        }
        s + Matrix2::new(x, d[n], 1.0, s).m11 + Vector2::new(d[n], x).dot(&Vector2::new(float(), 1.0))
    }

    #[jacobian(wrt(x))]
    pub fn places_that_are_called(x: f64, n: usize) -> f64 {
        let (mut option, mut a) = (None, [x, 2.0 * x, 1.0]);
        *option.get_or_insert(float() * x) += float();
        *a.get_mut(number()).unwrap() = float();
        *a.get_mut(number()).unwrap() += float() * x;
        *a.get_mut(n).unwrap() = float();
        option.unwrap() + a[0] + 2.0 * a[1] + a[2]
    }

    #[jacobian(wrt(x))]
    #[allow(clippy::blocks_in_conditions)]
    pub fn before_an_assertion(x: f64, n: usize) -> f64 {
        let chosen = option().map_or(
            {
                assert!(n < 4, "at {n}");
                0.5
            },
            |v| v * x,
        );
        let is_more = float() > {
            assert!(n < 3, "of {n}");
            0.5
        };
        let doubled = Vector3::new(float(), 1.0, 2.0).map(|v| v * x).sum();
        if is_more { chosen * doubled } else { x }
    }

    #[jacobian(wrt(x))]
    #[allow(unused_variables, unused_assignments, clippy::if_same_then_else, clippy::needless_range_loop)]
    pub fn conditions_that_are_not_used(x: f64, n: usize) -> f64 {
        fn halved(s: f64, d: &[f64], i: usize) -> (f64, f64) {
            (s * 0.5, d[i])
        }
        let d = [0.5, 1.0, 2.0, 3.0];
        if x > 0.5 || d[n] > 0.0 {}
        let w = if x > 0.5 && d[n] > 0.0 { x } else { 1.0 };
        let mut k = 0;
        if x > 0.3 && d[n] > 0.0 {
            k += 1;
        }
        let one = if x > 0.5 || d[n] > 0.0 { 1.0 } else { 1.0 };
        let pair = |a: f64| (a, d[n]);
        let mut s = pair(x).0 * one;
        for i in 0..n + 1 {
            if s > 0.5 || d[i] > 0.7 {
                continue;
            }
            s = halved(s, &d, i).0;
        }
        s
    }

    #[jacobian]
    mod of_structs {
        use super::{float, note};
        use std::ops::{Index, IndexMut};

        #[derive(Clone, Copy)]
        pub struct Pair {
            pub x: [f64; 2],
        }

        impl Index<usize> for Pair {
            type Output = f64;

            fn index(&self, at: usize) -> &f64 {
                &self.x[at]
            }
        }

        impl IndexMut<usize> for Pair {
            fn index_mut(&mut self, at: usize) -> &mut f64 {
                note(7);
                &mut self.x[at]
            }
        }

        #[jacobian(wrt(x))]
        pub fn assigned_to_structs(x: f64, n: usize) -> f64 {
            let mut pair = Pair { x: [x, 1.0] };
            pair[0] = float();
            pair[1] = float() * x + n as f64;
            pair.x[0] * pair.x[1]
        }
    }

    pub use of_structs::*;

    #[jacobian(wrt(x))]
    pub fn elements_of_vectors(x: f64, n: usize) -> f64 {
        let v = vector![float(), x, number() as f64];
        let p = point![float(), x];
        let m = matrix![float(), x; n as f64, array()[2]];
        v.x * v.y * v.z + p.x * p.x * p.y + m.determinant() + m[(0, 0)]
    }

    #[jacobian(wrt(x))]
    pub fn arguments_of_vectors(x: f64, n: usize) -> f64 {
        let (v, w) = (Vector2::new(x, n as f64 + 0.5), Vector2::new(1.0, x));
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(float(), x, array()[2]));
        let placed = Isometry2::new(Vector2::new(float(), x), array()[2]);
        let m = Matrix2::from_diagonal(&Vector2::new(float(), x));
        v.lerp(&w, float()).dot(&w)
            + (turn * Vector3::new(x, 1.0, 2.0)).x
            + v.angle(&Vector2::new(float() + 2.0, 1.0))
            + (placed * point![x, 1.0]).x
            + (m * m).trace()
    }
}

#[test]
#[allow(clippy::redundant_closure_call)]
fn what_does_something_is_evaluated_in_its_turn() {
    fn observed(f: &(dyn Fn() -> f64 + RefUnwindSafe)) -> (Result<u64, Option<String>>, Vec<u32>) {
        logged::LOG.with(|log| log.borrow_mut().clear());
        let value = catch_unwind(f).map(f64::to_bits);
        let text = |why: Box<dyn std::any::Any + Send>| {
            let owned = why.downcast_ref::<String>().cloned();
            owned.or_else(|| why.downcast_ref::<&str>().map(|text| text.to_string()))
        };
        (value.map_err(text), logged::LOG.with(|log| log.borrow().clone()))
    }
    macro_rules! in_turn {
        ($($f:ident, $jac:ident;)*) => {
            for x in [0.2, 0.7, 1.9] {
                for n in 0..5 {
                    $({
                        let (own, generated) = (|| logged::$f(x, n), || logged::$jac(x, n).0);
                        assert_eq!(observed(&own), observed(&generated), "{} of {x}, {n}", stringify!($f));
                    })*
                }
            }
        };
    }
    in_turn! {
        first_of_a_fold, first_of_a_fold_jac;
        what_is_taken, what_is_taken_jac;
        option_before_a_branch, option_before_a_branch_jac;
        compared_before_a_branch, compared_before_a_branch_jac;
        indexed_before_a_branch, indexed_before_a_branch_jac;
        overflow_before_a_branch, overflow_before_a_branch_jac;
        guards, guards_jac;
        subjects, subjects_jac;
        not_used, not_used_jac;
        assigned, assigned_jac;
        assigned_to_structs, assigned_to_structs_jac;
        places_that_are_called, places_that_are_called_jac;
        conditions_that_are_not_used, conditions_that_are_not_used_jac;
        before_an_assertion, before_an_assertion_jac;
        elements_that_are_not_read, elements_that_are_not_read_jac;
        elements_of_vectors, elements_of_vectors_jac;
        arguments_of_vectors, arguments_of_vectors_jac;
    }
}
