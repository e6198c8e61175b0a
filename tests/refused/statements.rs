#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

#[jacobian]
fn counts(x: f64) -> f64 {
    fn count() -> usize {
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }
    x * count() as f64
}

#[jacobian]
fn items(x: f64) -> f64 {
    static CELL: std::sync::Mutex<f64> = std::sync::Mutex::new(2.0);
    static mut RATE: f64 = 2.0;
    mod inner {}
    #[cfg(any())]
    fn conditional(x: f64) -> f64 {
        x
    }
    #[cfg(any())]
    use std::f64::consts::PI;
    #[allow(non_camel_case_types)]
    type f64 = core::primitive::f32;
    x * 2.0
}

#[jacobian]
fn recursive(x: f64, n: usize) -> f64 {
    fn power(x: f64, n: usize) -> f64 {
        if n == 0 { 1.0 } else { x * power(x, n - 1) }
    }
    power(x, n)
}

#[jacobian(wrt(x))]
fn captured(x: f64, mut log: String) -> f64 {
    use std::fmt::Write;
    const LIMIT: usize = 3;
    write!(log, "{LIMIT}").unwrap();
    x * log.len() as f64
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
