//! What stands in an inner block or in a function that is inlined, and would be seen in all of the generated code.

use jacobian::jacobian;

pub mod by_reference {
    pub trait Weight {
        fn weight(&self) -> f64;
    }

    impl Weight for usize {
        fn weight(&self) -> f64 {
            1.0
        }
    }
}

pub mod by_value {
    pub trait Mass {
        fn weight(self) -> f64;
    }

    impl Mass for usize {
        fn weight(self) -> f64 {
            2.0
        }
    }
}

use by_reference::Weight;

fn factor() -> f64 {
    3.0
}

macro_rules! factor {
    () => {
        factor()
    };
}

macro_rules! declare {
    ($name:ident, $value:expr) => {
        let $name = $value;
    };
}

macro_rules! constants {
    () => {
        const K: f64 = 5.0;
    };
}

const K: f64 = 2.0;

#[jacobian]
fn imported_trait(x: f64, n: usize) -> f64 {
    let p = {
        use crate::by_value::Mass;
        n.weight()
    };
    x * p + n.weight()
}

#[jacobian]
fn nameless_trait(x: f64, n: usize) -> f64 {
    let p = {
        use crate::by_value::Mass as _;
        n.weight()
    };
    x * p + n.weight()
}

#[jacobian]
fn declared_trait(x: f64, n: usize) -> f64 {
    let p = {
        trait Mass {
            fn weight(self) -> f64;
        }
        impl Mass for usize {
            fn weight(self) -> f64 {
                2.0
            }
        }
        n.weight()
    };
    x * p + n.weight()
}

#[jacobian]
fn macro_and_item(x: f64) -> f64 {
    let a = {
        fn factor() -> f64 {
            0.5
        }
        x * factor() * factor!()
    };
    a * factor!()
}

#[jacobian]
fn macro_and_constant(x: f64) -> f64 {
    const K: f64 = 0.5;
    x * K * factor!()
}

#[jacobian]
fn macro_that_declares_a_variable(x: f64, n: usize) -> f64 {
    let k = n as f64;
    let y = {
        declare!(k, 2.0 * k);
        x * k
    };
    y * k
}

#[jacobian]
fn macro_that_declares_a_constant(x: f64) -> f64 {
    let y = {
        constants!();
        x * K
    };
    y * K
}

#[jacobian]
mod helpers {
    use crate::by_reference::Weight;

    fn by_value(x: f64, n: usize) -> f64 {
        use crate::by_value::Mass;
        x * n.weight()
    }

    fn by_reference(x: f64, n: usize) -> f64 {
        x * n.weight()
    }

    #[jacobian]
    pub fn trait_in_a_helper(x: f64, n: usize) -> f64 {
        by_value(x, n) + n.weight()
    }

    #[jacobian]
    pub fn trait_around_a_helper(x: f64, n: usize) -> f64 {
        use crate::by_value::Mass;
        by_reference(x, n)
    }
}

pub mod other {
    pub fn gain(x: f64) -> f64 {
        5.0 * x
    }
}

pub fn gain(x: f64) -> f64 {
    2.0 * x
}

pub fn gain_jac(x: f64) -> (f64, [f64; 1]) {
    (2.0 * x, [2.0])
}

#[jacobian(with(gain))]
fn another_function_of_the_same_name(x: f64) -> f64 {
    let a = {
        use crate::other::gain;
        gain(x)
    };
    a * gain(x)
}

fn main() {}
