//! What has a destructor lives as long as in the user's function: a lock is given back where `f` gives it back.

use std::cell::{Ref, RefCell, RefMut};

use jacobian::jacobian;

use crate::check;

/// Notes when it is dropped.
struct Noted<'l>(u8, &'l RefCell<Vec<u8>>);

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.1.borrow_mut().push(self.0);
    }
}

fn note(log: &RefCell<Vec<u8>>, number: u8) {
    log.borrow_mut().push(number);
}

/// Compares value, Jacobian, and what was noted.
macro_rules! compare {
    ($f:ident, $jac:ident, $expected:expr) => {
        let (log, own) = (RefCell::default(), RefCell::default());
        check($f(3.0, &log), $jac(3.0, &own), &$expected);
        assert_eq!(log, own);
    };
}

#[jacobian]
mod helpers {
    use super::*;

    fn locked(x: f64, mut guard: RefMut<f64>) -> f64 {
        *guard += 1.0;
        x * *guard
    }

    #[jacobian]
    pub fn of_a_helper(x: f64) -> f64 {
        let cell = RefCell::new(1.0);
        let a = locked(x, cell.borrow_mut());
        let b = locked(x, cell.borrow_mut());
        a * b
    }

    #[jacobian(wrt(x))]
    pub fn in_an_arm(x: f64, n: i32) -> f64 {
        let cell = RefCell::new(1.0f64);
        let y = match n >= 0 {
            true => locked(x, cell.borrow_mut()) * locked(x, cell.borrow_mut()),
            false => {
                let guard = cell.borrow();
                x * *guard
            }
        };
        y + *cell.borrow_mut()
    }

    fn noted(x: f64, guard: Noted, log: &RefCell<Vec<u8>>) -> f64 {
        let _own = Noted(7, log);
        note(log, 8);
        x * f64::from(guard.0)
    }

    #[jacobian(wrt(x))]
    pub fn order(x: f64, log: &RefCell<Vec<u8>>) -> f64 {
        let _first = Noted(1, log);
        let y = noted(x, Noted(2, log), log);
        note(log, 9);
        let z = noted(y, Noted(3, log), log);
        note(log, 10);
        z
    }
}

#[test]
fn a_parameter_of_a_helper() {
    use helpers::{in_an_arm, in_an_arm_jac, of_a_helper, of_a_helper_jac, order, order_jac};
    check(of_a_helper(3.0), of_a_helper_jac(3.0), &[36.0]);
    check(in_an_arm(3.0, 1), in_an_arm_jac(3.0, 1), &[36.0]);
    check(in_an_arm(3.0, -1), in_an_arm_jac(3.0, -1), &[1.0]);
    compare!(order, order_jac, [6.0]);
}

#[test]
fn a_parameter_of_a_closure() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let cell = RefCell::new(1.0);
        let locked = |x: f64, mut guard: RefMut<f64>| {
            *guard += 1.0;
            x * *guard
        };
        let a = locked(x, cell.borrow_mut());
        let b = locked(x, cell.borrow_mut());
        a * b
    }
    #[jacobian(wrt(x))]
    fn order(x: f64, log: &RefCell<Vec<u8>>) -> f64 {
        let h = |t: f64, guard: Noted| {
            let _own = Noted(10 + guard.0, log);
            note(log, 20);
            t * f64::from(guard.0)
        };
        let y = h(x, Noted(2, log));
        note(log, 21);
        let z = h(y, Noted(3, log));
        note(log, 22);
        z
    }
    check(f(3.0), f_jac(3.0), &[36.0]);
    compare!(order, order_jac, [6.0]);
}

#[test]
fn what_a_closure_gives_back_goes_on() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let cell = RefCell::new(1.0);
        let add = |k: f64| {
            let mut guard = cell.borrow_mut();
            *guard += k;
            guard
        };
        let a = {
            let guard = add(1.0);
            x * *guard
        };
        let b = {
            let guard = add(2.0);
            a * *guard
        };
        b * *cell.borrow()
    }
    check(f(3.0), f_jac(3.0), &[32.0]);
}

#[test]
fn what_a_match_takes_apart() {
    #[allow(clippy::match_single_binding)]
    #[jacobian]
    fn f(x: f64) -> f64 {
        let cell = RefCell::new(1.0f64);
        let y = match (cell.borrow_mut(), 1) {
            (guard, _) => x * *guard,
        };
        let z = match cell.borrow_mut() {
            mut guard => {
                *guard += 2.0;
                y * *guard
            }
        };
        *cell.borrow_mut() += 1.0;
        z * *cell.borrow()
    }
    check(f(3.0), f_jac(3.0), &[12.0]);
}

#[test]
fn a_variable_of_a_loop() {
    #[allow(clippy::single_element_loop)]
    #[jacobian]
    fn f(x: f64) -> f64 {
        let cell = RefCell::new(1.0);
        let mut sum = 0.0;
        for guard in [cell.borrow()] {
            sum += x * *guard;
        }
        for (k, guard) in [(2.0, cell.borrow()), (3.0, cell.borrow())] {
            if x > k {
                sum += x * *guard;
                continue;
            }
            sum += k * x * x;
        }
        *cell.borrow_mut() += 1.0;
        sum * *cell.borrow_mut()
    }
    #[jacobian(wrt(x))]
    fn order(x: f64, log: &RefCell<Vec<u8>>) -> f64 {
        let mut y = x;
        for guard in [Noted(2, log), Noted(3, log)] {
            note(log, 9);
            y *= f64::from(guard.0);
            note(log, 10);
        }
        note(log, 11);
        y
    }
    check(f(3.0), f_jac(3.0), &[40.0]);
    compare!(order, order_jac, [6.0]);
}

#[test]
fn what_an_iterator_calls() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let cell = RefCell::new(1.0);
        let read = |guard: Ref<f64>| x * *guard;
        let y: f64 = [1.0, 2.0]
            .iter()
            .map(|k| {
                let mut guard = cell.borrow_mut();
                *guard += k;
                k * x * *guard
            })
            .sum();
        let z = read(cell.borrow());
        *cell.borrow_mut() += 1.0;
        y * z * *cell.borrow()
    }
    check(f(3.0), f_jac(3.0), &[10.0 * 4.0 * 5.0 * 6.0]);
}
