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

#[test]
fn before_the_next_iteration_of_a_loop_that_may_be_left() {
    #[jacobian(wrt(x))]
    fn left(x: f64, log: &RefCell<Vec<u8>>) -> f64 {
        let mut y = x;
        for k in 0..3 {
            let own = Noted(k, log);
            note(log, 20);
            if y > 20.0 {
                break;
            }
            y *= f64::from(own.0 + 2);
            note(log, 21);
        }
        note(log, 22);
        y
    }
    #[jacobian(wrt(x))]
    fn returned(x: f64, log: &RefCell<Vec<u8>>) -> f64 {
        let cell = RefCell::new(2.0f64);
        let mut y = x;
        for k in [1.0f64, 2.0, 3.0] {
            let mut guard = cell.borrow_mut();
            *guard += k;
            if y > 15.0 {
                return y * *guard;
            }
            let own = Noted(k as u8, log);
            if y < 0.0 {
                continue;
            }
            drop(guard);
            y *= *cell.borrow() + f64::from(own.0);
        }
        y
    }
    #[jacobian(wrt(x))]
    fn out_of_two(x: f64, log: &RefCell<Vec<u8>>) -> f64 {
        let cell = RefCell::new(2.0f64);
        let mut y = x;
        'outer: for k in 0..2 {
            let guard = cell.try_borrow_mut();
            for _ in 0..2 {
                let _own = Noted(k, log);
                if y > 20.0 {
                    continue 'outer;
                }
                y *= if guard.is_ok() { 2.0 } else { 3.0 };
                if y > 40.0 {
                    break 'outer;
                }
            }
            note(log, 20);
        }
        y
    }
    #[jacobian(wrt(x))]
    fn items(x: f64, log: &RefCell<Vec<u8>>) -> f64 {
        let mut y = x;
        for own in [Noted(2, log), Noted(3, log)] {
            if y > 5.0 {
                break;
            }
            y *= f64::from(own.0);
            note(log, 20);
        }
        y
    }
    #[allow(clippy::needless_late_init)]
    #[jacobian(wrt(x))]
    fn assigned_later(x: f64, log: &RefCell<Vec<u8>>) -> f64 {
        let mut y = x;
        for k in 0..3 {
            let own;
            own = Noted(k, log);
            if y > 20.0 {
                break;
            }
            y *= f64::from(own.0 + 2);
        }
        y
    }
    compare!(left, left_jac, [24.0]);
    compare!(assigned_later, assigned_later_jac, [24.0]);
    compare!(returned, returned_jac, [224.0]);
    compare!(out_of_two, out_of_two_jac, [8.0]);
    compare!(items, items_jac, [2.0]);
    for x in [-1.0, 0.5, 1.0, 2.0, 4.0, 30.0] {
        let (logs, own) = ([(); 4].map(|()| RefCell::default()), [(); 4].map(|()| RefCell::default()));
        let values = [left(x, &logs[0]), returned(x, &logs[1]), out_of_two(x, &logs[2]), items(x, &logs[3])];
        let of_jacobians =
            [left_jac(x, &own[0]), returned_jac(x, &own[1]), out_of_two_jac(x, &own[2]), items_jac(x, &own[3])];
        assert_eq!(values, of_jacobians.map(|(value, _)| value));
        assert_eq!(logs, own);
    }
}

#[test]
fn behind_a_branch_that_may_return() {
    #[allow(clippy::match_bool, clippy::match_like_matches_macro, clippy::single_match)]
    #[jacobian(wrt(x))]
    fn subject(x: f64, cell: &RefCell<f64>) -> f64 {
        match *cell.borrow_mut() > 5.0 {
            true => return x,
            false => {}
        }
        let y = match *cell.borrow_mut() > 4.0 {
            true => return 2.0 * x,
            false => x * x,
        };
        y * *cell.borrow_mut()
    }
    #[allow(clippy::needless_else, clippy::redundant_pattern_matching)]
    #[jacobian(wrt(x))]
    fn condition(x: f64, cell: &RefCell<f64>) -> f64 {
        if let true = *cell.borrow_mut() > 5.0 {
            return x;
        }
        if *cell.borrow_mut() > 4.0 {
            return 2.0 * x;
        }
        x * x * *cell.borrow_mut()
    }
    #[jacobian(wrt(x))]
    fn bound(x: f64, cell: &RefCell<Option<(f64, u8)>>) -> f64 {
        let Some((mut factor, _)) = *cell.borrow_mut() else { return x };
        factor += 1.0;
        let Ok(mut guard) = cell.try_borrow_mut() else { return 2.0 * x };
        *guard = Some((factor, 7));
        drop(guard);
        let Some((_, 7)) = cell.borrow().as_ref().copied() else { return 3.0 * x };
        let Ok(_) = cell.try_borrow_mut() else { return 4.0 * x };
        x * x * cell.borrow_mut().map_or(5.0, |(factor, _)| factor)
    }
    let cells = |value: f64| [RefCell::new(value), RefCell::new(value)];
    for (value, derivative) in [(2.0, 12.0), (4.5, 2.0), (6.0, 1.0)] {
        let [own, other] = cells(value);
        check(subject(3.0, &own), subject_jac(3.0, &other), &[derivative]);
        check(condition(3.0, &own), condition_jac(3.0, &other), &[derivative]);
    }
    let cells = |value| [RefCell::new(value), RefCell::new(value)];
    for (value, derivative) in [(Some((2.0, 1)), 18.0), (None, 1.0)] {
        let [own, other] = cells(value);
        check(bound(3.0, &own), bound_jac(3.0, &other), &[derivative]);
        assert_eq!(own, other);
    }
}

#[test]
fn a_temporary_of_a_subject_is_there_in_the_arms() {
    #[jacobian(wrt(x))]
    fn passive(x: f64, cell: &RefCell<f64>) -> f64 {
        let s = match *cell.borrow_mut() {
            v if v > 1.0 => {
                if cell.try_borrow().is_err() {
                    7.0
                } else {
                    8.0
                }
            }
            _ => 9.0,
        };
        s * x * *cell.borrow_mut()
    }
    #[allow(clippy::match_single_binding)]
    #[jacobian(wrt(x))]
    fn active(x: f64, cell: &RefCell<f64>) -> f64 {
        let s = match *cell.borrow() {
            v if v > 1.0 && cell.try_borrow_mut().is_err() => x * v,
            v => x * x * v,
        };
        let t = match *cell.borrow() {
            v => x * v * f64::from(u8::from(cell.try_borrow_mut().is_err())),
        };
        s * t * *cell.borrow_mut()
    }
    let cells = |value: f64| [RefCell::new(value), RefCell::new(value)];
    for (value, derivative) in [(2.0, 14.0), (0.5, 4.5)] {
        let [own, other] = cells(value);
        check(passive(3.0, &own), passive_jac(3.0, &other), &[derivative]);
    }
    for (value, derivative) in [(2.0, 48.0), (0.5, 27.0 * 0.125)] {
        let [own, other] = cells(value);
        check(active(3.0, &own), active_jac(3.0, &other), &[derivative]);
    }
}

#[test]
fn the_elements_of_an_array() {
    #[jacobian(wrt(x))]
    fn f(x: f64, log: &RefCell<Vec<u8>>) -> f64 {
        let _first = Noted(9, log);
        let _all = [Noted(1, log), Noted(2, log)];
        let pairs = [(Noted(3, log), x), (Noted(4, log), x * x)];
        note(log, 20);
        let y = {
            let (_inner, y) = ([[Noted(5, log), Noted(6, log)], [Noted(7, log), Noted(8, log)]], pairs[0].1);
            note(log, 21);
            y * pairs[1].1
        };
        note(log, 22);
        y
    }
    compare!(f, f_jac, [27.0]);
}
