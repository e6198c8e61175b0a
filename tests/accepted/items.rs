//! Items inside of functions: `use`, `static`, `fn` and types, which are kept in the block in which they stand.

use jacobian::jacobian;

use crate::check;

mod other {
    pub const K: f64 = 2.0;
    pub static LEVEL: f64 = 3.0;

    pub fn weight(n: usize) -> f64 {
        2.0 * n as f64
    }
}

#[test]
fn a_use_in_a_block() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: f64) -> f64 {
        let a = {
            use self::other::K;
            x * K
        };
        a + x * K
    }
    check(f(1.0), f_jac(1.0), &[7.0]);
}

#[test]
fn a_renaming_use_in_a_block() {
    const K: f64 = 5.0;
    fn weight(n: usize) -> f64 {
        10.0 * n as f64
    }
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let a = {
            use self::other::{LEVEL as K, weight as double};
            x * K * double(n)
        };
        a + x * K + x * weight(n)
    }
    check(f(1.0, 1), f_jac(1.0, 1), &[6.0 + 5.0 + 10.0]);
}

#[test]
fn a_glob_in_a_block() {
    fn weight(n: usize) -> f64 {
        10.0 * n as f64
    }
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let a = {
            use self::other::*;
            x * weight(n) * K
        };
        a + x * weight(n)
    }
    check(f(1.0, 1), f_jac(1.0, 1), &[14.0]);
}

#[test]
fn a_use_in_an_arm_and_in_a_closure() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: f64) -> f64 {
        let scaled = |v: f64| {
            use self::other::K;
            v * K
        };
        let a = if x > 1.0 {
            use self::other::LEVEL as K;
            x * K
        } else {
            x * K
        };
        scaled(a) + x * K
    }
    check(f(2.0), f_jac(2.0), &[11.0]);
    check(f(0.5), f_jac(0.5), &[15.0]);
}

#[test]
fn a_use_in_the_body_of_a_loop() {
    const K: f64 = 5.0;
    #[jacobian]
    fn f(x: [f64; 2]) -> f64 {
        let mut s = 0.0;
        for v in x {
            use self::other::K;
            s += v * K;
        }
        s * K
    }
    check(f([1.0, 2.0]), f_jac([1.0, 2.0]), &[10.0, 10.0]);
}

#[test]
fn a_static_of_the_function_and_one_of_a_block() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        static LEVEL: f64 = 5.0;
        let a = {
            static LEVEL: f64 = 2.0;
            x * LEVEL
        };
        a + x * LEVEL
    }
    check(f(1.0), f_jac(1.0), &[7.0]);
}

#[test]
fn a_function_of_passive_values_in_the_function_and_one_in_a_block() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        fn weight(n: usize) -> f64 {
            5.0 * n as f64
        }
        let a = {
            fn weight(n: usize) -> f64 {
                2.0 * n as f64
            }
            x * weight(n)
        };
        a + x * weight(n)
    }
    check(f(1.0, 1), f_jac(1.0, 1), &[7.0]);
}

#[test]
fn a_function_that_uses_a_constant_of_the_function() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        const K: f64 = 5.0;
        fn weight(n: usize) -> f64 {
            K * n as f64
        }
        let a = {
            const K: f64 = 2.0;
            x * weight(n) * K
        };
        a + x * K
    }
    check(f(1.0, 1), f_jac(1.0, 1), &[15.0]);
}

#[test]
fn types_of_passive_values() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        enum Law {
            Linear,
            Scaled(f64),
        }
        type Table = [f64; 2];
        let law = if data.len() > 1 { Law::Scaled(data[1]) } else { Law::Linear };
        let table: Table = [2.0, 3.0];
        match law {
            Law::Linear => x * table[0],
            Law::Scaled(by) => x * by * table[1],
        }
    }
    check(f(1.0, &[5.0]), f_jac(1.0, &[5.0]), &[2.0]);
    check(f(1.0, &[5.0, 7.0]), f_jac(1.0, &[5.0, 7.0]), &[21.0]);
}
