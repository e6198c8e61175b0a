//! What a block holds is dropped at its end, whatever is called like it later: a field, a method, what a pattern of a
//! loop, of a closure or of an arm binds.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Mutex;

use jacobian::jacobian;

use crate::{check, differences};

struct Store {
    data: Mutex<Vec<f64>>,
    cell: RefCell<Vec<f64>>,
}

impl Store {
    fn new() -> Self {
        Store { data: Mutex::new(vec![1.0, 2.0]), cell: RefCell::new(vec![1.0, 2.0]) }
    }

    fn size(&self) -> usize {
        self.cell.borrow_mut().len()
    }

    #[jacobian(wrt(x))]
    fn of_a_field(&self, x: f64) -> f64 {
        let s = {
            let data = self.data.lock().unwrap();
            data.iter().sum::<f64>()
        };
        let n = self.data.lock().unwrap().len();
        x * s / n as f64
    }

    #[jacobian(wrt(x))]
    fn in_an_unrolled_loop(&self, x: f64) -> f64 {
        let mut y = x;
        for _ in 0..3 {
            let mut cell = self.cell.borrow_mut();
            cell.push(0.5);
            y *= cell.len() as f64;
        }
        y * self.cell.borrow_mut().len() as f64
    }

    #[jacobian(wrt(x))]
    fn of_a_method(&self, x: f64) -> f64 {
        let s = {
            let size = self.cell.borrow();
            size[0] + size[1]
        };
        x * s * self.size() as f64
    }

    #[jacobian(wrt(x))]
    fn of_a_closure(&self, x: f64) -> f64 {
        let add = |v: f64| {
            let mut cell = self.cell.borrow_mut();
            cell.push(1.0);
            cell.len() as f64 * v
        };
        let y = add(x) * add(x);
        y * self.cell.borrow().len() as f64
    }
}

#[test]
fn fields_and_methods() {
    check(3.0, Store::new().of_a_field_jac(2.0), &[1.5]);
    check(2.0 * 3.0 * 4.0 * 5.0 * 5.0, Store::new().in_an_unrolled_loop_jac(2.0), &[300.0]);
    check(12.0, Store::new().of_a_method_jac(2.0), &[6.0]);
    check(4.0 * 12.0 * 4.0, Store::new().of_a_closure_jac(2.0), &[4.0 * 12.0 * 4.0]);
    {
        let (store, own) = (Store::new(), Store::new());
        assert_eq!(store.of_a_field(2.0), 3.0);
        assert_eq!(store.of_a_closure(2.0), own.of_a_closure_jac(2.0).0);
        assert_eq!(store.in_an_unrolled_loop(2.0), own.in_an_unrolled_loop_jac(2.0).0);
        assert_eq!(store.of_a_method(2.0), own.of_a_method_jac(2.0).0);
    }
}

#[jacobian]
mod methods {
    use std::cell::RefCell;

    pub struct Log {
        pub data: RefCell<Vec<f64>>,
    }

    impl Log {
        fn add(&self, x: f64) -> f64 {
            let mut data = self.data.borrow_mut();
            data.push(1.0);
            data.len() as f64 * x
        }

        #[jacobian(wrt(x))]
        pub fn twice(&self, x: f64) -> f64 {
            self.add(x) * self.add(x) + self.data.borrow_mut().len() as f64
        }
    }

    fn shorter(x: f64, d: &[f64]) -> f64 {
        let mut v = d.to_vec();
        v.pop();
        let w = v;
        let mut sum = x;
        for v in w {
            sum += v * x;
        }
        sum
    }

    #[jacobian(wrt(x))]
    pub fn inlined_twice(x: f64, d: &[f64]) -> f64 {
        shorter(x, d) * shorter(x * x, d)
    }
}

#[test]
fn in_functions_of_a_module() {
    let log = || methods::Log { data: RefCell::new(vec![0.5]) };
    check(2.0 * 2.0 * 3.0 * 2.0 + 3.0, log().twice_jac(2.0), &[24.0]);
    assert_eq!(log().twice(2.0), 27.0);
    let d = [0.5, 2.0, -0.25];
    differences(|[x]| methods::inlined_twice(x, &d), |[x]| methods::inlined_twice_jac(x, &d), [0.75]);
}

#[jacobian(wrt(x))]
fn counted(x: f64, c: &Rc<f64>, d: &[f64]) -> f64 {
    let s = {
        let r = c.clone();
        *r * x
    };
    let k = Rc::strong_count(c) as f64;
    let mut t = 0.0;
    for r in d {
        t += r;
    }
    s * k * t
}

#[jacobian(wrt(x))]
fn changed(x: f64, c: &mut Rc<f64>, d: &[f64]) -> f64 {
    {
        let r = c.clone();
        assert!(*r > 0.0);
    }
    if let Some(p) = Rc::get_mut(c) {
        *p += 1.0;
    }
    let t: f64 = d.iter().map(|r| r * 2.0).sum();
    x * **c * t
}

#[test]
fn patterns_of_loops_and_closures() {
    let d = [1.0, 2.0];
    check(18.0, counted_jac(2.0, &Rc::new(3.0), &d), &[9.0]);
    assert_eq!(counted(2.0, &Rc::new(3.0), &d), 18.0);
    let (mut own, mut other) = (Rc::new(3.0), Rc::new(3.0));
    check(changed(2.0, &mut own, &d), changed_jac(2.0, &mut other, &d), &[24.0]);
    assert_eq!(own, other);
}

#[jacobian(wrt(x))]
fn given(x: f64, d: &[f64]) -> [f64; 4] {
    let s = {
        let mut v = d.to_vec();
        v.pop();
        v
    };
    let mut t = 0.0;
    for v in d {
        t += v * s[0];
    }
    let least = {
        let mut v = d.to_vec();
        v.sort_by(f64::total_cmp);
        v.into_iter().next().unwrap()
    };
    let above: f64 = d.iter().map(|v| v - least).sum();
    let first = match d.first() {
        Some(v) => v * s[1],
        None => 0.0,
    };
    let last = if let Some(v) = d.last() { v + s[0] } else { 1.0 };
    [t * x, above * x, first * x, last * x * x]
}

/// What goes on after the block: in a variable that was there before, in a closure, in a pair.
#[jacobian(wrt(x))]
fn kept(x: f64, d: &[f64], log: &RefCell<Vec<f64>>) -> [f64; 3] {
    let first;
    {
        let v = d.to_vec();
        log.borrow_mut().push(v[0]);
        first = v;
    }
    let scaled = {
        let v = d.to_vec();
        log.borrow_mut().push(v[1]);
        move |y: f64| y * v[1]
    };
    let (pair, n) = {
        let v = d.to_vec();
        let w = log.borrow_mut();
        (v, w.len().min(2))
    };
    log.borrow_mut().push(pair[0]);
    let mut sum = 0.0;
    for v in d {
        sum += v * x;
    }
    [sum * first[0], scaled(x) * sum, pair[1] * n as f64 * x]
}

#[test]
fn what_a_block_gives() {
    let d = [0.5, 2.0, -0.25];
    differences(|[x]| given(x, &d), |[x]| given_jac(x, &d), [0.75]);
    let (log, own) = (RefCell::default(), RefCell::default());
    differences(|[x]| kept(x, &d, &log), |[x]| kept_jac(x, &d, &own), [0.75]);
    assert_eq!(own.borrow()[..], log.borrow()[..own.borrow().len()]);
}
