//! Operands in the user's order: what one was before a later one assigned it, and what is assigned on the way.

use jacobian::jacobian;

use crate::check;

#[test]
#[allow(clippy::blocks_in_conditions)]
fn what_is_compared_before_it_is_assigned() {
    #[jacobian(wrt(x))]
    fn f(x: f64, q: f64) -> f64 {
        let mut m = q * q;
        m += 1.0;
        let y = [
            m > {
                m += 4.0;
                3.0
            },
            false,
        ];
        let z = m.max({
            m += 4.0;
            3.0
        });
        let w = m as f32 > {
            m += 4.0;
            12.0
        };
        x * m * z + if y[0] || w { x } else { 0.0 }
    }
    // 2 is not more than 3; the maximum is that of 6 and 3; 10 is not more than 12.
    check(f(0.5, 1.0), f_jac(0.5, 1.0), &[14.0 * 6.0]);
    check(f(0.5, 2.0), f_jac(0.5, 2.0), &[17.0 * 9.0 + 1.0]);
}

#[test]
#[allow(clippy::blocks_in_conditions)]
fn active_variables_that_a_lazy_operand_assigns() {
    #[jacobian(wrt(x))]
    fn f(x: f64, r: f64, q: f64) -> f64 {
        let mut m = x;
        let p = r <= 1.0 && {
            m *= 3.0;
            q
        } < r;
        let o = r > 1.5 || {
            m += x;
            q
        } > 0.5;
        m * if p { 2.0 } else { 1.0 } * if o { 5.0 } else { 1.0 }
    }
    for (r, q, expected) in [(0.5, 0.2, 8.0), (0.5, 0.9, 20.0), (1.2, 0.2, 2.0), (2.0, 0.0, 5.0)] {
        check(f(0.7, r, q), f_jac(0.7, r, q), &[expected]);
    }
}

#[test]
fn elements_of_slices_that_are_arrays() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize, data: &[[f64; 2]]) -> (f64, [f64; 2]) {
        let mut sum = x;
        for d in data {
            sum += x * d[0];
            if d[1] > 0.5 {
                return (sum, *d);
            }
        }
        (sum, if n == 3 { data[0] } else { [x, 1.0] })
    }
    let data = [[2.0, 0.25], [3.0, 0.75]];
    assert_eq!(f_jac(0.5, 0, &data), (f(0.5, 0, &data), [[6.0], [0.0], [0.0]]));
    assert_eq!(f_jac(0.5, 3, &data[..1]), (f(0.5, 3, &data[..1]), [[3.0], [0.0], [0.0]]));
    assert_eq!(f_jac(0.5, 0, &data[..1]), (f(0.5, 0, &data[..1]), [[3.0], [1.0], [0.0]]));
}

#[test]
fn arrays_of_arrays_that_a_passive_loop_assigns() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> [[f64; 2]; 2] {
        for &d in data {
            if d > 0.5 {
                return [[d, 1.0], [d; 2]];
            }
        }
        [[x, 2.0], [x, x]]
    }
    for data in [&[0.25, 0.75][..], &[0.25]] {
        let own = if data.len() == 1 { 1.0 } else { 0.0 };
        assert_eq!(f_jac(0.5, data), (f(0.5, data), [[own], [0.0], [own], [own]]));
    }
}

#[test]
fn a_block_with_a_jump_that_gives_what_is_passive() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let mut m = x;
        for &d in data {
            let p = {
                if d > 1.0 {
                    m = 2.0;
                    continue;
                }
                d
            };
            m *= x * p;
        }
        m
    }
    check(f(0.5, &[0.25, 3.0, 0.75]), f_jac(0.5, &[0.25, 3.0, 0.75]), &[1.5]);
    check(f(0.5, &[0.25]), f_jac(0.5, &[0.25]), &[0.25]);
}

#[jacobian]
mod slices {
    pub const WEIGHTS: [f64; 2] = [2.0, 3.0];

    /// What is configured is called by its Jacobian, in which a slice is no column.
    #[cfg(not(miri))]
    pub fn total(x: f64, data: &[f64]) -> f64 {
        data.iter().map(|d| x * d).sum()
    }

    pub fn weighted<const N: usize>(weights: &[f64; N], x: f64) -> [f64; N] {
        weights.map(|weight| weight * x)
    }

    #[jacobian(wrt(x))]
    pub fn f(x: f64, data: &[f64]) -> f64 {
        let [first, second] = weighted(&WEIGHTS, x);
        total(x * x, data) + first * second
    }
}

#[test]
fn helpers_of_slices_and_of_constants() {
    let data = [1.0, 2.0, 4.0];
    check(slices::f(0.5, &data), slices::f_jac(0.5, &data), &[7.0 + 6.0]);
}

#[repr(C, packed)]
struct Packed {
    status: u8,
    gain: f64,
}

#[test]
fn fields_of_packed_structs() {
    #[jacobian(wrt(x))]
    fn f(x: f64, of: &Packed) -> f64 {
        x * of.gain * f64::from(of.status)
    }
    let of = Packed { status: 3, gain: 2.0 };
    check(f(0.5, &of), f_jac(0.5, &of), &[6.0]);
}

/// What a function does, in order.
mod logged {
    use std::cell::RefCell;

    use jacobian::jacobian;

    thread_local! {
        pub static LOG: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    }

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
        (count % 2 == 0).then_some(count as f64)
    }

    fn array() -> [f64; 3] {
        [1.0, 2.0, note(5) as f64]
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
}

#[test]
fn what_does_something_is_evaluated_in_its_turn() {
    use std::panic::catch_unwind;

    macro_rules! in_order {
        ($f:ident, $jac:ident) => {
            for x in [0.2, 0.7, 1.9] {
                for n in 0..5 {
                    let observed = |f: &(dyn Fn() -> f64 + std::panic::RefUnwindSafe)| {
                        logged::LOG.with(|log| log.borrow_mut().clear());
                        let value = catch_unwind(f).map(f64::to_bits);
                        let value = value.map_err(|why| why.downcast_ref::<&str>().map(|text| text.to_string()));
                        (value, logged::LOG.with(|log| log.borrow().clone()))
                    };
                    let name = stringify!($f);
                    assert_eq!(
                        observed(&|| logged::$f(x, n)),
                        observed(&|| logged::$jac(x, n).0),
                        "{name} of {x}, {n}"
                    );
                }
            }
        };
    }
    in_order!(first_of_a_fold, first_of_a_fold_jac);
    in_order!(what_is_taken, what_is_taken_jac);
    in_order!(option_before_a_branch, option_before_a_branch_jac);
    in_order!(compared_before_a_branch, compared_before_a_branch_jac);
    in_order!(indexed_before_a_branch, indexed_before_a_branch_jac);
    in_order!(overflow_before_a_branch, overflow_before_a_branch_jac);
}
