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
