//! Types of integers that only a bound tells: the parameters of what is called, the items of what is iterated over.

use std::panic::catch_unwind;

use jacobian::jacobian;

#[jacobian]
mod bounded {
    fn of_parameter<F: Fn(u8) -> f64>(f: F) -> f64 {
        f(200)
    }

    fn of_clause<F>(mut f: F) -> f64
    where
        F: FnMut(u8, &u8) -> f64,
    {
        f(200, &100)
    }

    fn of_array<F: FnOnce([u8; 2]) -> f64>(f: F) -> f64 {
        f([200, 100])
    }

    fn of_pointer(f: fn(u8, f64) -> f64, x: f64) -> f64 {
        f(200, x)
    }

    fn of_items(items: impl Iterator<Item = (u8, f64)>, x: f64) -> f64 {
        items.map(|(k, w)| f64::from(!k) * w * x).sum()
    }

    fn of_what_has_items(items: impl IntoIterator<Item = u8>, x: f64) -> f64 {
        let mut sum = 0.0;
        for k in items {
            sum += f64::from(!k) * x;
        }
        sum
    }

    fn of_named_items<I: Iterator<Item = u8>>(items: I, x: f64) -> f64 {
        items.map(|k| f64::from(k << 1) * x).sum()
    }

    fn downwards<F: Fn(usize) -> f64>(f: F, n: usize) -> f64 {
        let (mut i, mut sum) = (2, 0.0);
        for _ in 0..n {
            sum += f(i);
            i -= 1;
        }
        sum
    }

    #[jacobian]
    pub fn functions(x: f64) -> f64 {
        of_parameter(|k| x * f64::from(!k))
            + of_parameter(|k| x * f64::from(k.leading_zeros()))
            + of_clause(|k, j| x * f64::from(!k) + f64::from(!*j))
            + of_array(|[k, j]| x * f64::from(k << 1) + f64::from(!j))
            + of_pointer(|k, v| f64::from(!k) * v, x)
    }

    #[jacobian]
    pub fn items(x: f64) -> f64 {
        of_items([(200, 0.5), (100, 2.0)].into_iter(), x)
            + of_what_has_items([200, 100], x)
            + of_named_items([200, 100].into_iter(), x)
    }

    #[jacobian(wrt(x))]
    pub fn counted(x: f64, n: usize) -> f64 {
        downwards(|i| i as f64 * x, n)
    }
}

#[jacobian]
fn inside(x: f64) -> f64 {
    fn called<F: Fn(u8) -> f64>(f: F) -> f64 {
        f(200)
    }
    let g: fn(u8) -> f64 = |k| f64::from(!k);
    called(|k| f64::from(!k) * x) + g(100) * x
}

#[test]
fn integers_are_of_the_types_that_bounds_tell() {
    assert_eq!(bounded::functions_jac(2.0), (bounded::functions(2.0), [55.0 + 55.0 + 144.0 + 55.0]));
    assert_eq!(bounded::items_jac(2.0), (bounded::items(2.0), [337.5 + 210.0 + 344.0]));
    assert_eq!(inside_jac(2.0), (inside(2.0), [55.0 + 155.0]));
}

#[test]
fn what_is_less_than_nothing_panics() {
    assert_eq!(bounded::counted_jac(2.0, 2), (6.0, [3.0]));
    assert!(catch_unwind(|| bounded::counted(2.0, 3)).is_err());
    assert!(catch_unwind(|| bounded::counted_jac(2.0, 3)).is_err());
}
