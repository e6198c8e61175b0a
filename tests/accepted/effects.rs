//! Calls with effects: `f_jac` makes those that `f` makes, as often and in the same order.

use std::cell::{Cell, RefCell};

use approx::assert_relative_eq;
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

    fn odd(&self) -> Option<f64> {
        let number = self.next();
        (self.0.get() % 2 == 1).then_some(number)
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
fn calls_that_choose_a_value_that_is_not_used() {
    #[jacobian]
    #[allow(unused_assignments)]
    fn f(x: f64, counter: &Counter) -> f64 {
        let _bound = if let Some(n) = counter.odd() { x * n } else { x };
        let _matched = match counter.odd() {
            Some(n) => x * n,
            None => x,
        };
        let mut lost = x;
        if x > 1.0
            && let Some(n) = counter.odd()
        {
            lost = x * n;
        }
        lost = counter.next();
        x * lost * counter.next()
    }
    compare!(f, f_jac, [20.0]);
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

/// Notes what it is called with, and gives it back as a float.
#[derive(Default)]
struct Log(RefCell<Vec<usize>>);

impl Log {
    fn note(&self, number: usize) -> f64 {
        self.0.borrow_mut().push(number);
        number as f64
    }

    fn count(&self) -> usize {
        self.0.borrow().len()
    }
}

/// Compares value, Jacobian, and the calls that were made.
macro_rules! compare_logs {
    ($f:ident, $jac:ident, $expected:expr) => {
        let (log, own) = (Log::default(), Log::default());
        check($f(3.0, &log), $jac(3.0, &own), &$expected);
        assert_eq!(log.0, own.0, "calls");
        assert!(log.count() > 0);
    };
}

#[test]
fn calls_in_loops() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let mut s = x * log.note(1);
        for i in 0..3_usize {
            if i == 1 {
                log.note(100);
                continue;
            }
            let w = log.note(10 + i);
            s += x * w;
            for j in (0..i).rev() {
                s -= log.note(20 + j) * s + log.count() as f64;
                if j == 1 {
                    let _ = log.note(200) + x.max(if i == 2 { break } else { 1.0 });
                }
            }
            log.note(30 + i);
        }
        s + log.note(2)
    }
    // s = 1 + 10 + 12 = 23 times x, then less 21 s and a constant
    compare_logs!(f, f_jac, [23.0 - 21.0 * 23.0]);
}

#[test]
fn calls_in_lazy_chains() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let a = [1_usize, 2, 3, 4, 5];
        let _never = a.iter().map(|v| log.note(*v + 900));
        let mapped = a.iter().map(|v| log.note(*v)).map(|w| w + log.note(10) * x);
        log.note(50);
        let mut s = 0.0;
        for (i, w) in mapped.clone().enumerate() {
            s += w * log.note(60 + i);
        }
        s += mapped.clone().skip(2).step_by(2).map(|w| w * log.note(70)).sum::<f64>();
        s += mapped.clone().take(2).rev().fold(log.note(80), |acc, w| acc + w * log.note(81));
        s += mapped.zip(a.map(|v| log.note(90 + v))).filter(|_| 1 < 2).map(|(v, w)| v * w).sum::<f64>();
        s
    }
    let slope = 10.0 * (60.0 + 61.0 + 62.0 + 63.0 + 64.0)
        + 2.0 * 10.0 * 70.0
        + 2.0 * 10.0 * 81.0
        + 10.0 * (91.0 + 92.0 + 93.0 + 94.0 + 95.0);
    compare_logs!(f, f_jac, [slope]);
}

#[test]
fn calls_in_closures_and_chains_that_end_early() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let weight = |k: usize| log.note(k) * x;
        let a = weight(1) + log.count() as f64 * weight(2);
        let any = (1..5_usize).any(|k| {
            log.note(k);
            k == 2
        });
        let b: [f64; 2] = std::array::from_fn(|k| weight(k) + log.note(5) - log.count() as f64);
        let c = (0..2_usize).flat_map(|i| (0..2_usize).map(move |j| weight(i) + log.note(j + 40))).sum::<f64>();
        log.note(9);
        [a, b[0], b[1], c][usize::from(any)] + a - b[1] * c
    }
    let (log, own) = (Log::default(), Log::default());
    let ((value, [derivative]), h) = (f_jac(3.0, &own), 1e-5);
    assert_eq!(value.to_bits(), f(3.0, &log).to_bits());
    assert_eq!(log.0, own.0);
    let slope = (f(3.0 + h, &Log::default()) - f(3.0 - h, &Log::default())) / (2.0 * h);
    assert_relative_eq!(derivative, slope, epsilon = 0.0, max_relative = 1e-5);
}

#[test]
fn what_is_read_before_a_call() {
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
    #[allow(clippy::mixed_read_write_in_expression)]
    fn f(x: f64, state: &mut State) -> f64 {
        let a = [state.level, state.step(), state.level];
        let b = state.level + {
            let c = state.step();
            c * 10.0
        };
        let (d, _) = (state.level, state.step());
        let e = [state.level, x, { state.step() }];
        x * (a[0] + 100.0 * a[1] + a[2]) * b * d + e[0] * e[2]
    }
    let (mut state, mut own) = (State { level: 1.0 }, State { level: 1.0 });
    check(f(3.0, &mut state), f_jac(3.0, &mut own), &[203.0 * 32.0 * 3.0]);
    assert_eq!(state.level, own.level);
}

#[test]
fn bounds_of_ranges_are_evaluated_once() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let list = [1.0, 2.0, 4.0, 8.0];
        let part = log.note(1) as usize..log.note(3) as usize;
        let (a, b): (f64, f64) = (list[part.clone()].iter().sum(), list[part].iter().product());
        x * a * b
    }
    compare_logs!(f, f_jac, [6.0 * 8.0]);
}

#[test]
fn what_an_arm_changes_is_read_again() {
    #[jacobian(wrt(x))]
    fn cell(x: f64, level: &Cell<f64>) -> f64 {
        let before = x * level.get();
        if x > 1.0 {
            level.set(7.0);
        }
        before + x * level.get()
    }
    #[jacobian(wrt(x))]
    fn list(x: f64, list: &mut Vec<f64>) -> f64 {
        let before = x * list[0];
        if x > 1.0 {
            list.push(7.0);
            list.reverse();
        }
        before + x * list[0]
    }
    for (x, expected) in [(3.0, 2.0 + 7.0), (0.5, 2.0 + 2.0)] {
        let (level, own) = (Cell::new(2.0), Cell::new(2.0));
        check(cell(x, &level), cell_jac(x, &own), &[expected]);
        assert_eq!(level, own);
        let (mut items, mut own) = (vec![2.0, 5.0], vec![2.0, 5.0]);
        check(list(x, &mut items), list_jac(x, &mut own), &[expected]);
        assert_eq!(items, own);
    }
}
