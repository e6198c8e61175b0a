//! `Vec`s that an array does not stand for.

use jacobian::jacobian;

#[jacobian]
mod with_trait {
    trait Norm {
        fn norm(&self) -> f64;
    }

    impl Norm for [f64; 2] {
        fn norm(&self) -> f64 {
            self[0] * self[1]
        }
    }

    impl Norm for Vec<f64> {
        fn norm(&self) -> f64 {
            self[0] + self[1]
        }
    }

    #[jacobian]
    pub fn of_trait(x: f64) -> f64 {
        let v = vec![x, x];
        v.norm()
    }
}

#[jacobian]
mod with_bounds {
    fn nothing<T: Default>(_: &T) -> T {
        T::default()
    }

    #[jacobian]
    pub fn of_parameter(x: f64) -> f64 {
        let v = vec![x, x];
        nothing(&v).len() as f64 * x
    }
}

#[jacobian]
fn taken(x: f64) -> f64 {
    let mut v = vec![x, x];
    let w = std::mem::take(&mut v);
    v.len() as f64 * w[0]
}

#[jacobian(wrt(x))]
fn longer_at_run_time(x: f64, n: usize) -> f64 {
    let mut v = vec![x];
    for _ in 0..n {
        v.push(x);
    }
    v.iter().sum()
}

#[jacobian]
fn of_two_lengths(x: f64) -> f64 {
    let v = if x > 0.0 { vec![x; 3] } else { vec![x; 2] };
    v.iter().sum()
}

#[jacobian]
fn other_collection(x: f64) -> f64 {
    let mut queue = std::collections::VecDeque::new();
    queue.push_back(x);
    queue[0]
}

fn main() {}
