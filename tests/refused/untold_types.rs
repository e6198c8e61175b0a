//! Types of numbers that only code may tell which is left out of the generated code.

use jacobian::jacobian;

type Small = u8;

const LIMIT: u8 = 3;

struct Law {
    n: u8,
}

impl Law {
    fn at(&self, k: u8) -> f64 {
        f64::from(k + self.n)
    }
}

fn large(k: u64) -> f64 {
    k as f64
}

fn small(k: u8) -> f64 {
    f64::from(k)
}

fn single(w: f32) -> f64 {
    f64::from(w)
}

fn bits<T>(_: T) -> f64 {
    8.0 * size_of::<T>() as f64
}

fn same<T>(value: T) -> T {
    value
}

#[jacobian]
fn behind_a_known_condition(x: f64) -> f64 {
    let n = 3_000_000;
    if false {
        large(n);
    }
    x * (n * 1000) as f64
}

#[jacobian]
fn in_an_arm(x: f64) -> f64 {
    let n = 5;
    match n {
        1 => small(n),
        _ => x * bits(n),
    }
}

#[jacobian]
fn in_a_loop_without_iterations(x: f64) -> f64 {
    let n = 5;
    for _ in 0..0 {
        small(n);
    }
    x * bits(n)
}

#[jacobian]
fn behind_a_return(x: f64) -> f64 {
    let n = 5;
    let y = x * bits(n);
    if n > 3 {
        return y;
    }
    small(n) * x
}

#[jacobian]
fn in_a_closure_that_is_not_called(x: f64) -> f64 {
    let n = 5;
    let _ = || small(n);
    x * !n as f64
}

#[jacobian]
fn behind_a_condition_that_decides(x: f64) -> f64 {
    let n = 5;
    let _ = false && small(n) > 1.0;
    x * !n as f64
}

#[jacobian]
fn by_way_of_another_variable(x: f64) -> f64 {
    let n = 5;
    let m = same(n);
    if false {
        small(m);
    }
    x * !n as f64
}

#[jacobian]
fn by_a_field(x: f64, law: &Law) -> f64 {
    let n = 5;
    if false {
        let _ = n == law.n;
    }
    x * !n as f64
}

#[jacobian]
fn by_a_method(x: f64, law: &Law) -> f64 {
    let n = 5;
    if false {
        law.at(n);
    }
    x * !n as f64
}

#[jacobian]
fn by_a_constant(x: f64) -> f64 {
    let n = 5;
    if false {
        let _ = LIMIT + n;
    }
    x * !n as f64
}

#[jacobian]
fn by_an_alias(x: f64) -> f64 {
    let n = 5;
    if false {
        let _: Small = n;
    }
    x * !n as f64
}

#[jacobian]
fn by_a_struct(x: f64) -> f64 {
    let n = 5;
    if false {
        let _ = Law { n };
    }
    x * !n as f64
}

#[jacobian]
fn of_floats_in_an_array(x: f64) -> f64 {
    let (n, m) = (0.1, 0.2);
    let _ = single(m);
    let _z = [n, m];
    x * n as f64
}

#[jacobian]
fn of_floats_that_a_closure_gives(x: f64) -> f64 {
    let (n, m) = (0.1, 0.2);
    let _ = single(m);
    let either = |first: bool| if first { n } else { m };
    let _ = either(true);
    x * n as f64
}

#[jacobian]
fn of_floats_in_a_tuple(x: f64) -> f64 {
    let (n, m) = (0.1, 0.2);
    let _ = single(m);
    let mut z = (n, 1);
    z = (m, 2);
    let _ = z;
    x * n as f64
}

#[jacobian]
fn of_floats_in_arms(x: f64) -> f64 {
    let (n, m) = (0.1, 0.2);
    let _ = single(m);
    let _z = if true { n } else { m };
    x * n as f64
}

#[jacobian]
fn of_a_float(x: f64) -> f64 {
    let w = 0.1;
    if false {
        single(w);
    }
    x * w as f64
}

#[jacobian]
fn of_an_element(x: f64) -> f64 {
    let n = [5, 6];
    if false {
        small(n[0]);
    }
    x * !n[1] as f64
}

#[jacobian]
fn by_a_constant_that_is_known(x: f64) -> f64 {
    const K: Small = 5;
    let n = 5;
    let _ = n == K;
    x * !n as f64
}

#[allow(unreachable_code)]
#[jacobian]
fn in_a_block_behind_a_return(x: f64) -> f64 {
    let n = 200;
    let y = x * (n << 1) as f64;
    return y;
    {
        small(n);
        y
    }
}

#[jacobian]
mod bounds {
    pub trait Count {}
    impl Count for u8 {}

    fn scaled<T: Count>(x: f64, _: T) -> f64 {
        x
    }

    fn first<T>(x: f64, _: T, _: T) -> f64 {
        x
    }

    #[jacobian]
    pub fn by_a_bound(x: f64) -> f64 {
        let n = 5;
        scaled(x, n) * !n as f64
    }

    #[jacobian]
    pub fn by_another_argument(x: f64) -> f64 {
        let n = 5;
        first(x, n, super::LIMIT) * !n as f64
    }
}

fn main() {}
