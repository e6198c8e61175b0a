//! What does something when it is dropped is dropped where it is in `f`: at the end of its block.

use std::cell::RefCell;

use jacobian::jacobian;

use crate::check;

/// What has been opened and closed, in order.
#[derive(Default, PartialEq, Debug)]
struct Log(RefCell<Vec<String>>);

/// Is open until it is dropped.
struct Guard<'a> {
    log: &'a Log,
    name: &'static str,
    value: f64,
}

impl Log {
    fn open(&self, name: &'static str, value: f64) -> Guard<'_> {
        self.note(&format!("{name} opens"));
        Guard { log: self, name, value }
    }

    fn note(&self, text: &str) -> f64 {
        self.0.borrow_mut().push(text.to_string());
        self.0.borrow().len() as f64
    }
}

impl Guard<'_> {
    fn read(&self) -> f64 {
        self.log.note(&format!("{} is read", self.name));
        self.value
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.log.note(&format!("{} closes", self.name));
    }
}

/// Compares value, Jacobian, and what has been opened and closed.
macro_rules! compare {
    ($f:ident, $jac:ident, $expected:expr) => {
        let (log, own) = (Log::default(), Log::default());
        check($f(3.0, &log), $jac(3.0, &own), &$expected);
        assert_eq!(own, log);
    };
}

#[test]
fn in_a_block() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let y = {
            let guard = log.open("a", 2.0);
            x * guard.read()
        };
        log.note("after");
        y * x
    }
    compare!(f, f_jac, [12.0]);
}

#[test]
fn in_blocks_in_one_another() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> [f64; 2] {
        let mut y = x;
        let z = {
            let outer = log.open("outer", 2.0);
            {
                let inner = log.open("inner", 5.0);
                y *= inner.read();
            }
            log.note("between");
            y * outer.read()
        };
        log.note("after");
        [y, z]
    }
    compare!(f, f_jac, [5.0, 10.0]);
}

#[test]
fn in_the_iterations_of_a_loop() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let mut y = 1.0;
        for name in ["a", "b", "c"] {
            let guard = log.open(name, 2.0);
            log.note(name);
            y *= x * guard.read();
        }
        log.note("after");
        y
    }
    compare!(f, f_jac, [216.0]);
}

#[test]
fn in_a_loop_that_ends_early() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let mut y = 1.0;
        for i in 0..4 {
            let guard = log.open("a", 2.0);
            if i == 1 {
                continue;
            }
            y *= x * guard.read();
            if i == 2 {
                break;
            }
        }
        log.note("after");
        y
    }
    compare!(f, f_jac, [24.0]);
}

#[test]
fn in_arms() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let y = if x > 2.0 {
            let guard = log.open("a", 2.0);
            x * guard.read()
        } else {
            let guard = log.open("b", 3.0);
            x * guard.read()
        };
        log.note("after");
        let z = match log.note("scrutinee") > 100.0 {
            true => x,
            false => {
                let outer = log.open("outer", 2.0);
                let z = {
                    let guard = log.open("c", 7.0);
                    y * guard.read()
                };
                log.note("after the inner block");
                z * outer.read()
            }
        };
        log.note("at the end");
        y * z
    }
    compare!(f, f_jac, [336.0]);
}

#[test]
fn in_closures() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let scaled = |y: f64| {
            let guard = log.open("a", 2.0);
            y * guard.read()
        };
        let y = scaled(x);
        log.note("between");
        let z = scaled(y);
        log.note("after");
        z * [x, y]
            .into_iter()
            .map(|y| {
                let guard = log.open("b", 2.0);
                y * guard.read()
            })
            .sum::<f64>()
    }
    compare!(f, f_jac, [144.0]);
}

#[test]
fn in_blocks_with_labels() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let y = 'found: {
            let outer = log.open("outer", 2.0);
            {
                let inner = log.open("inner", 5.0);
                if true {
                    break 'found x * inner.read() * outer.read();
                }
            }
            x
        };
        log.note("after");
        y * y
    }
    compare!(f, f_jac, [600.0]);
}

#[test]
fn what_a_block_gives_outlives_it() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> [f64; 2] {
        let (guard, k) = {
            let dropped = log.open("dropped", 2.0);
            let given = log.open("given", 3.0);
            (given, dropped.read() + 1.0)
        };
        log.note("after");
        let [a, b] = {
            let guard = log.open("last", 2.0);
            [x * guard.read(), k]
        };
        [a * b, x * guard.read()]
    }
    compare!(f, f_jac, [6.0, 3.0]);
}

#[test]
fn conditions_that_leave_a_block() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let is_large = {
            let guard = log.open("a", 2.0);
            x > guard.read() && x < log.note("limit") * 10.0
        };
        log.note("after");
        if is_large { x * x } else { x }
    }
    compare!(f, f_jac, [6.0]);
}

#[jacobian]
mod inlined {
    use super::Log;

    fn scaled(x: f64, log: &Log) -> f64 {
        let guard = log.open("inlined", 2.0);
        x * guard.read()
    }

    #[jacobian]
    pub fn f(x: f64, log: &Log) -> f64 {
        let y = scaled(x, log);
        log.note("between");
        let z = scaled(y, log);
        log.note("after");
        y * z
    }
}

#[test]
fn in_functions_that_are_inlined() {
    use inlined::{f, f_jac};
    compare!(f, f_jac, [48.0]);
}

#[test]
fn borrows_end_with_their_block() {
    #[jacobian(wrt(x))]
    fn f(x: f64, cell: &RefCell<f64>) -> f64 {
        let mut y = x;
        {
            let value = cell.borrow();
            y *= *value;
        }
        for _ in 0..3 {
            let value = cell.borrow_mut();
            y *= *value;
        }
        let z = if x > 0.0 {
            let k = {
                let value = cell.borrow();
                *value + 1.0
            };
            cell.replace(k) * y
        } else {
            y
        };
        z * *cell.borrow()
    }
    let (cell, own) = (RefCell::new(5.0), RefCell::new(5.0));
    check(f(3.0, &cell), f_jac(3.0, &own), &[18750.0]);
    assert_eq!(own, cell);
}

/// A function that is so long that it is written in chunks.
#[test]
fn in_a_long_function() {
    #[jacobian]
    fn f(x: f64, log: &Log) -> f64 {
        let mut y = x;
        for i in 0..400 {
            let guard = log.open("a", 1.0);
            let shift = i as f64;
            y = (y * guard.read() + shift).min(1e3 * x);
        }
        let z = {
            let guard = log.open("b", 2.0);
            for _ in 0..400 {
                y = y * 1.0 + guard.value;
            }
            y
        };
        log.note("after");
        z
    }
    compare!(f, f_jac, [1000.0]);
}

/// What a loop carries and never changes is what it was, after the block that it is in, too.
#[jacobian]
mod unchanged {
    struct Range {
        add: f64,
        rate: f64,
    }

    #[jacobian(wrt(x))]
    #[allow(clippy::self_assignment, clippy::vec_init_then_push)]
    pub fn f(x: f64, level: f64, n: usize) -> [f64; 2] {
        let y = Range { add: level, rate: level + 1.0 };
        let mut mix = x;
        {
            let mut t = (mix - y.rate, y.add);
            let mut data = Vec::new();
            data.push(n);
            for _ in data.iter() {
                t.1 = t.1;
            }
            mix *= t.1;
        }
        [mix, x]
    }
}

#[test]
fn what_a_loop_does_not_change_lives_on() {
    crate::differences(|[x]| unchanged::f(x, 0.75, 2), |[x]| unchanged::f_jac(x, 0.75, 2), [1.5]);
}
