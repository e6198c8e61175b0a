//! Calls with effects: `f_jac` makes those that `f` makes, as often and in the same order.

use std::cell::{Cell, RefCell};

use jacobian::jacobian;

use crate::check;

/// Counts its calls: 1, 2, 3, ...
#[derive(Default)]
struct Counter(Cell<u8>);

impl Counter {
    fn next(&self) -> f64 {
        self.0.set(self.0.get() + 1);
        f64::from(self.0.get())
    }

    fn pair(&self) -> [f64; 2] {
        [self.next(), 0.5]
    }
}

/// Compares value, Jacobian, and the number of calls that were made.
macro_rules! compare {
    ($f:ident, $jac:ident, $expected:expr) => {
        let (counter, own) = (Counter::default(), Counter::default());
        check($f(3.0, &counter), $jac(3.0, &own), &$expected);
        assert_eq!(counter.0, own.0, "calls");
    };
}

#[test]
fn equal_calls_are_two_calls() {
    #[jacobian]
    fn f(x: f64, counter: &Counter) -> f64 {
        x * counter.next() + counter.next()
    }
    compare!(f, f_jac, [1.0]);
}

#[test]
fn a_call_waits_for_none_behind_it() {
    #[jacobian]
    fn f(x: f64, counter: &Counter) -> f64 {
        counter.next() - x * counter.next()
    }
    #[jacobian]
    fn g(x: f64, counter: &Counter) -> f64 {
        counter.next().max(x * counter.next()) * counter.next()
    }
    compare!(f, f_jac, [-2.0]);
    compare!(g, g_jac, [6.0]);
}

#[test]
fn calls_whose_value_is_not_used() {
    #[jacobian]
    #[allow(
        clippy::let_unit_value,
        clippy::unit_arg,
        clippy::no_effect,
        clippy::unnecessary_operation,
        unused_braces,
        unused_must_use,
        unused_assignments
    )]
    fn f(x: f64, counter: &Counter) -> f64 {
        let _ = counter.next();
        _ = counter.next();
        counter.next();
        let (_, y) = (counter.next(), x);
        let z = (counter.next(), y).1;
        let [_, w] = [counter.next(), z];
        let v = [w, counter.next()][0];
        let _unused = counter.next();
        let mut lost = counter.next();
        lost += counter.next();
        lost = 2.0;
        {
            counter.0.set(counter.0.get() + 1)
        }
        (counter.next(), counter.next());
        [counter.next(); 3];
        v * counter.next() * lost
    }
    compare!(f, f_jac, [30.0]);
}

#[test]
fn what_a_call_changes_is_read_again() {
    #[jacobian]
    fn f(x: f64, counter: &Counter) -> f64 {
        let a = x * f64::from(counter.0.get());
        counter.next();
        a + x * f64::from(counter.0.get())
    }
    compare!(f, f_jac, [1.0]);

    struct State {
        level: f64,
    }
    impl State {
        fn step(&mut self) -> f64 {
            self.level += 1.0;
            self.level
        }
    }
    #[jacobian]
    fn g(x: f64, state: &mut State) -> f64 {
        let a = x * state.level;
        state.step();
        let b = x * state.level;
        a + b + state.level * (x * state.step())
    }
    let (mut state, mut own) = (State { level: 1.0 }, State { level: 1.0 });
    check(g(3.0, &mut state), g_jac(3.0, &mut own), &[3.0 + 6.0]);
    assert_eq!(state.level, own.level);
}

#[test]
fn an_array_from_a_call_is_made_once() {
    #[jacobian]
    fn f(x: f64, counter: &Counter) -> [f64; 2] {
        let _ = x;
        counter.pair()
    }
    #[jacobian]
    fn g(x: f64, counter: &Counter) -> f64 {
        let [a, b] = counter.pair();
        x * a * b
    }
    #[jacobian]
    fn h(x: f64, counter: &Counter) -> f64 {
        let a = [counter.next(); 2];
        x * a[0] + a[1]
    }
    compare!(f, f_jac, [0.0, 0.0]);
    compare!(g, g_jac, [0.5]);
    compare!(h, h_jac, [1.0]);
}

#[test]
fn conditions_that_are_not_evaluated() {
    #[jacobian]
    fn f(x: f64, counter: &Counter) -> f64 {
        let never = x_is_large() && counter.next() > 0.0;
        let once = x_is_large() || counter.next() > 0.0;
        x * (never as u8 + once as u8) as f64
    }
    fn x_is_large() -> bool {
        false
    }
    compare!(f, f_jac, [1.0]);
}

#[test]
fn a_log() {
    #[jacobian]
    fn f(x: f64, log: &RefCell<Vec<usize>>, n: usize) -> f64 {
        log.borrow_mut().push(n);
        let y = x * n as f64;
        log.borrow_mut().push(n + 1);
        let z = y * log.borrow().len() as f64;
        log.borrow_mut().push(n + 2);
        z
    }
    let (log, own) = (RefCell::default(), RefCell::default());
    check(f(2.0, &log, 3), f_jac(2.0, &own, 3), &[6.0]);
    assert_eq!(log, own);
}
