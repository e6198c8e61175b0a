//! What a stranger to the crate writes first: each message says what is wrong, why, and what to write instead.

#![allow(dead_code, unused_variables, unused_mut, unused_imports, unused_must_use)]

use std::ops::{Add, Mul};

use jacobian::jacobian;

struct Arm {
    length: f64,
    gains: Vec<f64>,
}

impl Arm {
    fn reach(&self, q: f64) -> f64 {
        self.length * q.cos()
    }

    #[jacobian]
    fn twice(&self, q: f64) -> f64 {
        2.0 * self.reach(q)
    }
}

#[jacobian]
fn method_of_a_parameter(arm: &Arm, q: [f64; 2]) -> f64 {
    arm.joints(q, q[0])
}

#[jacobian]
fn function_of_another_crate(x: f64) -> f64 {
    libm::remainder(x, 1.0)
}

#[jacobian]
fn function_beside(x: f64) -> f64 {
    normal(x)
}

fn normal(x: f64) -> f64 {
    x.exp()
}

#[jacobian]
fn function_of_the_standard_library(x: f64) -> f64 {
    std::convert::identity(x)
}

#[jacobian]
fn itself(x: f64) -> f64 {
    itself(x - 1.0)
}

#[jacobian]
fn vec_of_active_values(x: f64) -> f64 {
    let mut log = Vec::new();
    if x > 0.0 {
        log.push(x * x);
    }
    log.iter().sum()
}

#[jacobian]
fn vec_macro(x: f64) -> f64 {
    let v = std::collections::VecDeque::from(vec![x, x]);
    v[0]
}

#[jacobian(wrt(arm))]
fn struct_parameter(arm: Arm, x: f64) -> f64 {
    arm.length * x
}

#[jacobian]
fn only_a_struct(arm: &Arm) -> f64 {
    arm.length
}

#[jacobian]
fn struct_result(x: f64) -> Arm {
    todo!()
}

#[jacobian]
fn vec_parameter(v: Vec<f64>) -> f64 {
    v[0]
}

#[jacobian]
fn vec_result(x: f64) -> Vec<f64> {
    todo!()
}

#[jacobian]
fn result_with_a_count(x: f64) -> (f64, usize) {
    (x, 1)
}

#[jacobian]
fn bound_without_addition<T: Mul<Output = T> + Copy>(x: T, y: T) -> T {
    x * y * x
}

#[jacobian]
fn bound_without_numbers<T: Mul<Output = T> + Add<Output = T> + Copy>(x: T, y: T) -> T {
    x * y + x
}

#[jacobian]
fn semicolon_at_the_end(x: f64) -> f64 {
    x.sin();
}

#[jacobian]
fn statement_at_the_end(x: f64) -> f64 {
    let y = x.sin();
}

macro_rules! two {
    () => {
        2.0
    };
}

#[jacobian]
fn macro_in_a_constant(x: f64) -> f64 {
    const TWO: f64 = two!();
    x * TWO
}

#[jacobian]
fn asynchronous(x: f64) -> f64 {
    let y = async { x };
    x
}

#[jacobian]
fn otherwise_panics(x: f64, count: Option<u8>) -> f64 {
    let y = {
        let Some(count) = count else { panic!("no count") };
        x * f64::from(count)
    };
    y * y
}

#[jacobian]
fn power(x: f64) -> f64 {
    x ^ 2
}

#[jacobian]
fn text(x: f64) -> f64 {
    let text = x.to_string();
    x
}

#[jacobian]
fn sorted(a: [f64; 3]) -> f64 {
    let mut sorted = a;
    sorted.sort_by(|a, b| a.total_cmp(b));
    sorted[1]
}

#[jacobian]
fn given_closure(x: f64) -> f64 {
    root(|t| t * t - x)
}

fn root(function: impl Fn(f64) -> f64) -> f64 {
    function(1.0)
}

#[jacobian]
fn function_inside(x: f64) -> f64 {
    fn square(t: f64) -> f64 {
        t * t
    }
    x
}

#[jacobian]
fn many_returns(x: f64) -> f64 {
    if x > 0.0 {
        return x * 1.0;
    }
    if x > 1.0 {
        return x * 2.0;
    }
    if x > 2.0 {
        return x * 3.0;
    }
    if x > 3.0 {
        return x * 4.0;
    }
    if x > 4.0 {
        return x * 5.0;
    }
    if x > 5.0 {
        return x * 6.0;
    }
    if x > 6.0 {
        return x * 7.0;
    }
    if x > 7.0 {
        return x * 8.0;
    }
    if x > 8.0 {
        return x * 9.0;
    }
    if x > 9.0 {
        return x * 10.0;
    }
    if x > 10.0 {
        return x * 11.0;
    }
    if x > 11.0 {
        return x * 12.0;
    }
    if x > 12.0 {
        return x * 13.0;
    }
    if x > 13.0 {
        return x * 14.0;
    }
    if x > 14.0 {
        return x * 15.0;
    }
    if x > 15.0 {
        return x * 16.0;
    }
    if x > 16.0 {
        return x * 17.0;
    }
    if x > 17.0 {
        return x * 18.0;
    }
    if x > 18.0 {
        return x * 19.0;
    }
    if x > 19.0 {
        return x * 20.0;
    }
    if x > 20.0 {
        return x * 21.0;
    }
    if x > 21.0 {
        return x * 22.0;
    }
    if x > 22.0 {
        return x * 23.0;
    }
    if x > 23.0 {
        return x * 24.0;
    }
    if x > 24.0 {
        return x * 25.0;
    }
    if x > 25.0 {
        return x * 26.0;
    }
    if x > 26.0 {
        return x * 27.0;
    }
    if x > 27.0 {
        return x * 28.0;
    }
    if x > 28.0 {
        return x * 29.0;
    }
    if x > 29.0 {
        return x * 30.0;
    }
    if x > 30.0 {
        return x * 31.0;
    }
    if x > 31.0 {
        return x * 32.0;
    }
    if x > 32.0 {
        return x * 33.0;
    }
    if x > 33.0 {
        return x * 34.0;
    }
    if x > 34.0 {
        return x * 35.0;
    }
    if x > 35.0 {
        return x * 36.0;
    }
    if x > 36.0 {
        return x * 37.0;
    }
    if x > 37.0 {
        return x * 38.0;
    }
    if x > 38.0 {
        return x * 39.0;
    }
    if x > 39.0 {
        return x * 40.0;
    }
    if x > 40.0 {
        return x * 41.0;
    }
    if x > 41.0 {
        return x * 42.0;
    }
    if x > 42.0 {
        return x * 43.0;
    }
    if x > 43.0 {
        return x * 44.0;
    }
    if x > 44.0 {
        return x * 45.0;
    }
    if x > 45.0 {
        return x * 46.0;
    }
    if x > 46.0 {
        return x * 47.0;
    }
    if x > 47.0 {
        return x * 48.0;
    }
    if x > 48.0 {
        return x * 49.0;
    }
    if x > 49.0 {
        return x * 50.0;
    }
    if x > 50.0 {
        return x * 51.0;
    }
    if x > 51.0 {
        return x * 52.0;
    }
    x
}

#[jacobian]
fn in_a_range(x: f64, low: f64) -> f64 {
    if (low..=1.0).contains(&x) { x } else { low }
}

fn main() {}
