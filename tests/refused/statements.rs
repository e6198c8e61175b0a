#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

#[jacobian]
fn function(x: f64) -> f64 {
    fn square(x: f64) -> f64 {
        x * x
    }
    x * square(2.0)
}

#[jacobian]
fn items(x: f64) -> f64 {
    static RATE: f64 = 2.0;
    struct Unit;
    enum Never {}
    type Alias = f64;
    trait Nothing {}
    impl Nothing for Unit {}
    mod inner {}
    x * RATE
}

#[jacobian]
fn rules(x: f64) -> f64 {
    macro_rules! two {
        () => {
            2.0
        };
    }
    x * two!()
}

#[jacobian]
fn inner_use(x: f64) -> f64 {
    let y = {
        use std::f64::consts::PI;
        PI
    };
    x * y
}

#[jacobian]
fn configured(x: f64) -> f64 {
    #[cfg(all())]
    let y = x;
    #[cfg(all())]
    const C: f64 = 2.0;
    #[cfg(any())]
    const C: f64 = 3.0;
    y * C
}

#[jacobian]
fn configured_element(x: f64) -> f64 {
    let list = [
        #[cfg(all())]
        x,
        #[cfg(any())]
        2.0,
    ];
    list[0]
}

#[jacobian]
fn block_in_a_constant(x: f64) -> f64 {
    const C: f64 = {
        let half = 0.5;
        half * 4.0
    };
    x * C
}

fn main() {
    let (_, [_]) = function_jac(1.0);
    let (_, [_]) = items_jac(1.0);
    let (_, [_]) = rules_jac(1.0);
    let (_, [_]) = inner_use_jac(1.0);
    let (_, [_]) = configured_jac(1.0);
    let (_, [_]) = configured_element_jac(1.0);
    let (_, [_]) = block_in_a_constant_jac(1.0);
}
