//! A name can be that of a value and that of a type or a module at the same time.

// What is kept in a `vec!` is tokens, unlike what is in an array.
#![allow(clippy::useless_vec)]

use jacobian::jacobian;

use crate::check;

struct Spring {
    k: f64,
}

impl Spring {
    fn new(k: f64) -> Spring {
        Spring { k }
    }
}

mod scale {
    pub const BY: f64 = 3.0;

    pub fn two() -> f64 {
        2.0
    }
}

#[test]
#[allow(non_upper_case_globals)]
fn a_constant_with_the_name_of_a_primitive_type() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        const f64: f64 = 2.0;
        const u8: usize = 3;
        let k: u8 = 5;
        let many: [u8; u8] = [k; u8];
        let room: Vec<u8> = Vec::with_capacity(u8);
        let cut = vec![n as u8, k];
        f64::max(x, f64) * f64 * (many[2] + cut[0]) as f64 + room.len() as f64
    }
    check(f(3.0, 258), f_jac(3.0, 258), &[14.0]);
}

#[test]
fn a_variable_with_the_name_of_a_primitive_type() {
    #[jacobian]
    fn f(x: f64, y: f64, n: usize) -> f64 {
        let f64 = y;
        let usize = n;
        let most = usize::MAX - usize;
        let counts: Vec<usize> = vec![usize, usize::MIN];
        f64::max(x, f64) * f64 * (most % 10) as f64 * counts[0] as f64
    }
    // 2^64 - 4 ends in 2.
    check(f(2.0, 3.0, 3), f_jac(2.0, 3.0, 3), &[0.0, 6.0 * 2.0 * 3.0]);
}

#[test]
#[allow(non_upper_case_globals)]
fn a_constant_with_the_name_of_a_struct() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        const Spring: f64 = 0.5;
        let spring: Spring = Spring::new(n as f64);
        let other: Spring = Spring { k: 3.0 };
        let springs = [Spring::new(Spring)];
        x * spring.k * other.k * Spring * springs[0].k
    }
    check(f(2.0, 4), f_jac(2.0, 4), &[4.0 * 3.0 * 0.25]);
}

#[test]
#[allow(non_upper_case_globals)]
fn a_constant_with_the_name_of_a_struct_of_the_module() {
    #[jacobian]
    mod springs {
        pub struct Spring {
            pub k: f64,
        }

        impl Spring {
            fn new(k: f64) -> Spring {
                Spring { k }
            }
        }

        #[jacobian]
        pub fn f(x: f64, y: f64) -> f64 {
            const Spring: f64 = 0.5;
            let spring: Spring = Spring::new(x);
            let Spring { k } = Spring { k: x * y };
            spring.k * k * Spring
        }
    }
    use springs::{f, f_jac};
    check(f(2.0, 3.0), f_jac(2.0, 3.0), &[6.0, 2.0]);
}

#[test]
fn a_variable_and_a_function_with_the_name_of_a_module() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        let scale = x * y;
        let rows = vec![scale::BY, scale::two()];
        scale * scale::BY * scale::two() * rows[0]
    }
    check(f(2.0, 3.0), f_jac(2.0, 3.0), &[54.0, 36.0]);

    #[jacobian]
    fn g(x: f64, y: f64) -> f64 {
        fn scale(t: f64) -> f64 {
            t * t
        }
        scale(x) * scale::BY * y
    }
    check(g(2.0, 5.0), g_jac(2.0, 5.0), &[60.0, 12.0]);
}

/// In the patterns, it is another variable, and no constant.
#[test]
#[allow(non_snake_case)]
fn a_variable_with_a_capital_letter_in_patterns() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize, o: Option<f64>) -> f64 {
        let N = 3usize;
        let A = 2.0;
        let taken = match n {
            0 => 2,
            N if N > 4 => N,
            N => N + 7,
        };
        let s = if let Some(A) = o { x * A } else { x };
        s * taken as f64 + (x * A) * N as f64
    }
    check(f(2.0, 0, None), f_jac(2.0, 0, None), &[2.0 + 6.0]);
    check(f(2.0, 1, Some(5.0)), f_jac(2.0, 1, Some(5.0)), &[40.0 + 6.0]);
    check(f(2.0, 5, Some(5.0)), f_jac(2.0, 5, Some(5.0)), &[25.0 + 6.0]);
}
