//! Items of the user outside of a `#[jacobian] mod` that are named like a variable of the generated code: the compiler
//! takes that for the item, and says so.

#![allow(non_upper_case_globals, non_camel_case_types, dead_code)]

mod constant {
    const v2: f64 = 1.0;

    #[jacobian::jacobian]
    pub fn f(x: f64, y: f64) -> f64 {
        (x * y).sin() * x
    }
}

mod constant_beside_a_branch {
    const v4: f64 = 1.0;

    #[jacobian::jacobian]
    pub fn f(x: f64, y: f64) -> f64 {
        if x > y { x * y } else { x.sin() * y }
    }
}

mod unit_struct {
    struct value;

    #[jacobian::jacobian(into)]
    pub fn f(x: f64, y: f64) -> f64 {
        x * y
    }
}

mod statics {
    static v2: f64 = 1.0;

    #[jacobian::jacobian]
    pub fn f(x: f64, y: f64) -> f64 {
        (x * y).sin() * x
    }
}

mod tuple_struct {
    struct v2(f64);

    #[jacobian::jacobian]
    pub fn f(x: f64, y: f64) -> f64 {
        (x * y).sin() * x
    }
}

mod variant {
    pub enum Order {
        v2,
    }
}

mod imported {
    use super::variant::Order::*;

    #[jacobian::jacobian]
    pub fn f(x: f64, y: f64) -> f64 {
        (x * y).sin() * x
    }
}

mod call {
    fn g(x: f64) -> f64 {
        x * x
    }

    fn g_jac(x: f64) -> (f64, [f64; 1]) {
        (x * x, [2.0 * x])
    }

    const dy: f64 = 1.0;

    #[jacobian::jacobian(with(g))]
    pub fn f(x: f64) -> f64 {
        let y = g(x);
        y * x
    }
}

fn main() {}
