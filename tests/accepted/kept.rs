//! Effects and panics of what nothing uses: `f_jac` has those of `f`.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, UnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};

use jacobian::jacobian;

use crate::check;
use crate::panics::panic_of;

/// Both calls panic, with one message.
#[track_caller]
fn both_panic<T, U>(call: impl FnOnce() -> T + UnwindSafe, own: impl FnOnce() -> U + UnwindSafe) {
    let message = panic_of(call);
    assert!(!message.is_empty(), "the function does not panic");
    assert_eq!(message, panic_of(own));
}

#[test]
fn a_clamp_of_an_active_value_between_bounds_in_the_wrong_order() {
    #[jacobian(wrt(x))]
    fn f(x: f64, lo: f64, hi: f64) -> f64 {
        let _checked = x.clamp(lo, hi);
        x * x
    }
    check(f(3.0, 0.0, 1.0), f_jac(3.0, 0.0, 1.0), &[6.0]);
    both_panic(|| f(3.0, 1.0, 0.0), || f_jac(3.0, 1.0, 0.0));
}

#[test]
fn a_clamp_that_is_overwritten_or_discarded() {
    #[jacobian(wrt(x))]
    #[allow(unused_assignments, unused_must_use)]
    fn f(x: f64, lo: f64, hi: f64) -> f64 {
        let mut y = x.clamp(lo, 10.0);
        y = x * x;
        x.clamp(0.0, hi);
        y
    }
    check(f(3.0, 0.0, 1.0), f_jac(3.0, 0.0, 1.0), &[6.0]);
    both_panic(|| f(3.0, 11.0, 1.0), || f_jac(3.0, 11.0, 1.0));
    both_panic(|| f(3.0, 0.0, -1.0), || f_jac(3.0, 0.0, -1.0));
}

#[test]
fn a_clamp_between_active_bounds() {
    #[jacobian]
    fn f(x: f64, lo: f64, hi: f64) -> f64 {
        let _checked = x.clamp(lo, hi);
        x * x
    }
    check(f(3.0, 0.0, 1.0), f_jac(3.0, 0.0, 1.0), &[6.0, 0.0, 0.0]);
    both_panic(|| f(3.0, 1.0, 0.0), || f_jac(3.0, 1.0, 0.0));
    both_panic(|| f(3.0, f64::NAN, 0.0), || f_jac(3.0, f64::NAN, 0.0));
}

#[test]
fn a_clamp_whose_derivative_is_zero() {
    #[jacobian]
    fn f(x: f64, lo: f64, hi: f64) -> f64 {
        x + x.clamp(lo, hi) * 0.0
    }
    check(f(3.0, 0.0, 1.0), f_jac(3.0, 0.0, 1.0), &[1.0, 0.0, 0.0]);
    both_panic(|| f(3.0, 1.0, 0.0), || f_jac(3.0, 1.0, 0.0));
}

#[test]
fn a_clamp_in_an_arm() {
    #[jacobian(wrt(x))]
    fn f(x: f64, lo: f64, hi: f64) -> f64 {
        if x > 1.0 {
            let _checked = x.clamp(lo, hi);
        }
        let _unused = if x > 2.0 { x.clamp(lo, 0.0) } else { x };
        x * x
    }
    check(f(0.5, 1.0, 0.0), f_jac(0.5, 1.0, 0.0), &[1.0]);
    check(f(1.5, 1.0, 2.0), f_jac(1.5, 1.0, 2.0), &[3.0]);
    both_panic(|| f(1.5, 1.0, 0.0), || f_jac(1.5, 1.0, 0.0));
    both_panic(|| f(2.5, 1.0, 2.0), || f_jac(2.5, 1.0, 2.0));
}

#[test]
fn a_clamp_of_a_passive_value() {
    #[jacobian(wrt(x))]
    fn f(x: f64, y: f64, lo: f64, hi: f64) -> f64 {
        let _checked = y.clamp(lo, hi);
        x * x
    }
    check(f(3.0, 3.0, 0.0, 1.0), f_jac(3.0, 3.0, 0.0, 1.0), &[6.0]);
    both_panic(|| f(3.0, 3.0, 1.0, 0.0), || f_jac(3.0, 3.0, 1.0, 0.0));
}

#[test]
fn a_clamp_of_an_integer() {
    #[jacobian]
    fn f(x: f64, n: usize, lo: usize) -> f64 {
        let _checked = n.clamp(lo, 5);
        x * x
    }
    check(f(3.0, 3, 0), f_jac(3.0, 3, 0), &[6.0]);
    both_panic(|| f(3.0, 3, 6), || f_jac(3.0, 3, 6));
}

#[test]
fn a_clamp_between_bounds_that_are_known() {
    #[jacobian]
    #[allow(clippy::manual_clamp)]
    fn f(x: f64, flag: bool) -> f64 {
        const LOW: f64 = 1.0;
        const HIGH: f64 = 0.0;
        if flag {
            let _checked = x.clamp(LOW, HIGH);
        }
        x * x
    }
    check(f(3.0, false), f_jac(3.0, false), &[6.0]);
    both_panic(|| f(3.0, true), || f_jac(3.0, true));
}

/// A function with a Jacobian of its own, both of which count their calls in `CALLS` and panic where `x` is negative.
macro_rules! counted {
    ($g:ident, $g_jac:ident) => {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        fn $g(x: f64) -> f64 {
            CALLS.fetch_add(1, Ordering::Relaxed);
            assert!(x >= 0.0, "{x} is negative");
            x * x
        }
        #[allow(dead_code)]
        fn $g_jac(x: f64) -> (f64, [f64; 1]) {
            ($g(x), [2.0 * x])
        }
    };
}

/// What `call` returns, and how often it has called what `calls` counts.
fn counting<T>(calls: &AtomicUsize, call: impl FnOnce() -> T) -> (T, usize) {
    calls.store(0, Ordering::Relaxed);
    let value = call();
    (value, calls.load(Ordering::Relaxed))
}

#[test]
fn a_call_of_a_function_with_a_jacobian_whose_value_is_not_used() {
    counted!(g, g_jac);
    #[jacobian(with(g))]
    fn f(x: f64) -> f64 {
        let _ = g(x);
        x * x
    }
    let ((value, calls), (own, own_calls)) = (counting(&CALLS, || f(3.0)), counting(&CALLS, || f_jac(3.0)));
    check(value, own, &[6.0]);
    assert_eq!((calls, own_calls), (1, 1));
    both_panic(|| f(-3.0), || f_jac(-3.0));
}

#[test]
fn calls_in_every_place_whose_value_is_not_used() {
    counted!(g, g_jac);
    #[jacobian(with(g))]
    #[allow(unused_assignments, unused_must_use)]
    fn f(x: f64) -> f64 {
        let _unused = g(x);
        g(x);
        let (_, y) = (g(x), x);
        let mut lost = g(x);
        lost = 2.0;
        let z = (g(x), y).1;
        z * lost * z
    }
    let ((value, calls), (own, own_calls)) = (counting(&CALLS, || f(3.0)), counting(&CALLS, || f_jac(3.0)));
    check(value, own, &[12.0]);
    assert_eq!((calls, own_calls), (5, 5));
}

#[test]
fn a_call_that_is_used_in_what_is_not_used() {
    counted!(g, g_jac);
    #[jacobian(with(g))]
    fn f(x: f64) -> f64 {
        let y = g(x) + 1.0;
        let _z = y * x;
        let _condition = g(y) > x;
        x * x
    }
    let ((value, calls), (own, own_calls)) = (counting(&CALLS, || f(3.0)), counting(&CALLS, || f_jac(3.0)));
    check(value, own, &[6.0]);
    assert_eq!((calls, own_calls), (2, 2));
}

#[test]
fn a_call_in_an_arm_whose_value_is_not_used() {
    counted!(g, g_jac);
    #[jacobian(with(g))]
    fn f(x: f64, n: usize) -> f64 {
        let _unused = if x > 1.0 { g(x) } else { x };
        if n > 1 {
            let _unused = g(x);
        }
        let _matched = match n {
            0 => g(x) + g(2.0 * x),
            _ => 0.0,
        };
        x * x
    }
    for (x, n, expected) in [(3.0, 0, 3), (3.0, 1, 1), (3.0, 2, 2), (0.5, 0, 2), (0.5, 1, 0)] {
        let ((value, calls), (own, own_calls)) = (counting(&CALLS, || f(x, n)), counting(&CALLS, || f_jac(x, n)));
        check(value, own, &[2.0 * x]);
        assert_eq!((calls, own_calls), (expected, expected));
    }
    both_panic(|| f(-3.0, 2), || f_jac(-3.0, 2));
}

#[test]
fn a_call_that_a_lazy_operator_makes() {
    counted!(g, g_jac);
    #[jacobian(with(g))]
    fn f(x: f64) -> f64 {
        let _and = x > 1.0 && g(x) > 2.0;
        let _or = x > 1.0 || g(x) > 2.0;
        x * x
    }
    for x in [0.5, 3.0] {
        let ((value, calls), (own, own_calls)) = (counting(&CALLS, || f(x)), counting(&CALLS, || f_jac(x)));
        check(value, own, &[2.0 * x]);
        assert_eq!((calls, own_calls), (1, 1));
    }
}

#[test]
fn a_call_in_a_loop_and_in_closures_whose_value_is_not_used() {
    counted!(g, g_jac);
    #[jacobian(with(g))]
    fn f(a: [f64; 3]) -> f64 {
        let mut s = 0.0;
        for v in a {
            let _unused = g(v);
            s += v;
        }
        let twice = |v: f64| {
            let _unused = g(v);
            2.0 * v
        };
        a.iter().for_each(|v| {
            g(*v);
        });
        let _sum: f64 = a.iter().map(|v| g(*v)).sum();
        s + twice(a[0])
    }
    let a = [1.0, 2.0, 3.0];
    let ((value, calls), (own, own_calls)) = (counting(&CALLS, || f(a)), counting(&CALLS, || f_jac(a)));
    check(value, own, &[3.0, 1.0, 1.0]);
    assert_eq!((calls, own_calls), (10, 10));
}

#[test]
fn calls_and_panics_in_a_helper_whose_value_is_not_used() {
    #[jacobian]
    mod helped {
        use std::sync::atomic::{AtomicUsize, Ordering};

        pub static CALLS: AtomicUsize = AtomicUsize::new(0);

        fn g(x: f64) -> f64 {
            CALLS.fetch_add(1, Ordering::Relaxed);
            x
        }

        #[allow(dead_code)]
        fn g_jac(x: f64) -> (f64, [f64; 1]) {
            (g(x), [1.0])
        }

        fn bounded(x: f64, hi: f64) -> f64 {
            let _checked = x.clamp(0.0, hi);
            x * x
        }

        #[jacobian(with(g), wrt(x))]
        pub fn f(x: f64, hi: f64) -> f64 {
            let y = bounded(x, hi);
            let _unused = bounded(g(x), hi + 1.0);
            y
        }
    }
    let (value, calls) = counting(&helped::CALLS, || helped::f(3.0, 1.0));
    let (own, own_calls) = counting(&helped::CALLS, || helped::f_jac(3.0, 1.0));
    check(value, own, &[6.0]);
    assert_eq!((calls, own_calls), (1, 1));
    both_panic(|| helped::f(3.0, -1.0), || helped::f_jac(3.0, -1.0));
}

#[test]
fn the_order_of_calls_and_panics() {
    counted!(g, g_jac);
    #[jacobian(with(g), wrt(x))]
    fn f(x: f64, level: &Cell<u8>, hi: f64) -> f64 {
        level.set(1);
        let _first = g(x);
        level.set(2);
        let _second = x.clamp(0.0, hi);
        level.set(3);
        x * x
    }
    for (x, hi, expected) in [(-3.0, 1.0, 1), (3.0, -1.0, 2), (3.0, 1.0, 3)] {
        let (level, own) = (Cell::new(0), Cell::new(0));
        let message = panic_of(AssertUnwindSafe(|| f(x, &level, hi)));
        let own_message = panic_of(AssertUnwindSafe(|| f_jac(x, &own, hi)));
        assert_eq!((message, level.get()), (own_message, own.get()));
        assert_eq!(level.get(), expected);
    }
}

#[test]
fn an_index_out_of_bounds() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], k: usize) -> f64 {
        let _unused = data[k];
        x * x
    }
    check(f(3.0, &[1.0], 0), f_jac(3.0, &[1.0], 0), &[6.0]);
    both_panic(|| f(3.0, &[1.0], 1), || f_jac(3.0, &[1.0], 1));
}

#[test]
fn an_index_out_of_bounds_in_every_place() {
    #[jacobian(wrt(x))]
    #[allow(clippy::no_effect, unused_assignments, path_statements)]
    fn f(x: f64, data: &[f64], rows: &[[f64; 2]], k: usize) -> f64 {
        let _ = rows[k][0];
        let _part = &data[k..];
        let mut lost = data[k + 1];
        lost = 2.0;
        data[k + 2];
        let (_, y) = (data[k + 3], x);
        y * lost
    }
    let (data, rows) = ([1.0; 5], [[1.0; 2]; 3]);
    check(f(3.0, &data, &rows, 1), f_jac(3.0, &data, &rows, 1), &[2.0]);
    for count in 0..5 {
        both_panic(|| f(3.0, &data[..count], &rows, 1), || f_jac(3.0, &data[..count], &rows, 1));
    }
    both_panic(|| f(3.0, &data, &rows[..1], 1), || f_jac(3.0, &data, &rows[..1], 1));
}

#[test]
fn an_index_out_of_bounds_of_a_known_loop() {
    #[jacobian(wrt(x))]
    #[allow(clippy::needless_range_loop)]
    fn f(x: f64, data: &[f64]) -> f64 {
        let mut unused = 0.0;
        for i in 0..3 {
            unused += data[i];
        }
        let _ = unused * x;
        x * x
    }
    check(f(3.0, &[1.0; 3]), f_jac(3.0, &[1.0; 3]), &[6.0]);
    both_panic(|| f(3.0, &[1.0; 2]), || f_jac(3.0, &[1.0; 2]));
}

#[test]
fn an_index_out_of_bounds_in_an_arm() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], k: usize) -> f64 {
        if x > 1.0 {
            let _unused = data[k];
        }
        let _chosen = if x > 2.0 { data[k + 1] } else { 0.0 };
        let _scaled = if x > 3.0 { x * data[k + 2] } else { x };
        x * x
    }
    let data = [1.0; 3];
    check(f(0.5, &data, 5), f_jac(0.5, &data, 5), &[1.0]);
    check(f(3.5, &data, 0), f_jac(3.5, &data, 0), &[7.0]);
    for (x, k) in [(1.5, 3), (2.5, 2), (3.5, 1)] {
        both_panic(|| f(x, &data, k), || f_jac(x, &data, k));
    }
}

#[test]
fn an_index_out_of_bounds_of_a_factor_that_is_zero() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], k: usize) -> f64 {
        let weight = data[k];
        let y = weight * x;
        let _unused = y * 2.0;
        x * x
    }
    check(f(3.0, &[1.0], 0), f_jac(3.0, &[1.0], 0), &[6.0]);
    both_panic(|| f(3.0, &[1.0], 1), || f_jac(3.0, &[1.0], 1));
}

#[test]
fn a_division_of_integers_by_zero() {
    #[jacobian]
    fn f(x: f64, n: usize, m: usize) -> f64 {
        let _ratio = n / m;
        x * x
    }
    #[jacobian]
    fn g(x: f64, n: usize, m: usize) -> f64 {
        let _rest = n % m;
        let mut lost = n;
        lost /= m + 1 - n;
        let _scaled = x * lost as f64;
        x * x
    }
    check(f(3.0, 1, 1), f_jac(3.0, 1, 1), &[6.0]);
    check(g(3.0, 1, 1), g_jac(3.0, 1, 1), &[6.0]);
    both_panic(|| f(3.0, 1, 0), || f_jac(3.0, 1, 0));
    both_panic(|| g(3.0, 1, 0), || g_jac(3.0, 1, 0));
    both_panic(|| g(3.0, 2, 1), || g_jac(3.0, 2, 1));
}

#[test]
#[cfg(debug_assertions)]
fn arithmetic_of_integers_that_overflows() {
    #[jacobian]
    fn sum(x: f64, n: u8) -> f64 {
        let _next = n + 1;
        x * x
    }
    #[jacobian]
    fn shift(x: f64, n: u8) -> f64 {
        let _bit = 1_u8 << n;
        x * x
    }
    #[jacobian]
    fn negative(x: f64, n: i8) -> f64 {
        let _opposite = -n;
        x * x
    }
    check(sum(3.0, 1), sum_jac(3.0, 1), &[6.0]);
    both_panic(|| sum(3.0, 255), || sum_jac(3.0, 255));
    check(shift(3.0, 1), shift_jac(3.0, 1), &[6.0]);
    both_panic(|| shift(3.0, 9), || shift_jac(3.0, 9));
    check(negative(3.0, 1), negative_jac(3.0, 1), &[6.0]);
    both_panic(|| negative(3.0, -128), || negative_jac(3.0, -128));
}

#[test]
fn methods_that_panic() {
    #[jacobian(wrt(x))]
    fn f(x: f64, gain: Option<f64>, cell: &RefCell<f64>) -> f64 {
        let _gain = gain.unwrap();
        let _held = *cell.borrow();
        x * x
    }
    let cell = RefCell::new(1.0);
    check(f(3.0, Some(1.0), &cell), f_jac(3.0, Some(1.0), &cell), &[6.0]);
    both_panic(AssertUnwindSafe(|| f(3.0, None, &cell)), AssertUnwindSafe(|| f_jac(3.0, None, &cell)));
    let _borrowed = cell.borrow_mut();
    both_panic(AssertUnwindSafe(|| f(3.0, Some(1.0), &cell)), AssertUnwindSafe(|| f_jac(3.0, Some(1.0), &cell)));
}

#[test]
fn a_passive_value_that_only_an_unused_active_one_uses() {
    #[jacobian(wrt(x))]
    fn f(x: f64, gain: Option<f64>, n: usize, m: usize) -> f64 {
        let _scaled = x * gain.unwrap();
        let _power = x.powi((n / m) as i32);
        let _compared = x > (n % m) as f64;
        x * x
    }
    check(f(3.0, Some(1.0), 1, 1), f_jac(3.0, Some(1.0), 1, 1), &[6.0]);
    both_panic(|| f(3.0, None, 1, 1), || f_jac(3.0, None, 1, 1));
    both_panic(|| f(3.0, Some(1.0), 1, 0), || f_jac(3.0, Some(1.0), 1, 0));
}

#[test]
fn a_helper_whose_arguments_panic() {
    #[jacobian]
    mod helped {
        fn first(x: f64, _: usize) -> f64 {
            x * x
        }

        #[jacobian(wrt(x))]
        pub fn f(x: f64, data: &[usize], k: usize) -> f64 {
            first(x, data[k])
        }
    }
    check(helped::f(3.0, &[1], 0), helped::f_jac(3.0, &[1], 0), &[6.0]);
    both_panic(|| helped::f(3.0, &[1], 1), || helped::f_jac(3.0, &[1], 1));
}

#[test]
fn methods_of_the_user_that_change_and_are_called_like_others() {
    struct Counter(f64);
    impl Counter {
        fn get(&mut self) -> f64 {
            self.0 += 2.0;
            self.0
        }
        fn min(&mut self, k: f64) -> f64 {
            self.0 -= k;
            self.0
        }
        fn len(&mut self) -> usize {
            self.0 += 1.0;
            3
        }
    }
    #[jacobian]
    fn f(x: f64) -> f64 {
        let mut c = Counter(1.0);
        let a = c.get();
        let b = c.min(0.5);
        let y = x * c.len() as f64;
        y * a + x * b * c.0
    }
    // a = 3, b = 2.5, c.0 = 3.5
    check(f(2.0), f_jac(2.0), &[9.0 + 2.5 * 3.5]);
}

#[test]
fn methods_of_the_user_that_change_numbers() {
    trait Bump {
        fn first(&mut self) -> f64;
    }
    impl Bump for f64 {
        fn first(&mut self) -> f64 {
            *self += 1.0;
            *self
        }
    }
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let mut k = 1.0f64;
        let mut l = 1.0f64;
        let y = x * k.first();
        for _ in 0..n {
            l.first();
        }
        y * k * l
    }
    // 2 * 2 * 4
    check(f(3.0, 3), f_jac(3.0, 3), &[16.0]);
}

#[test]
fn what_kept_loops_in_loops_declare_themselves() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], n: usize) -> f64 {
        let (mut s, mut c) = (x, 3);
        for i in 0..n {
            for _ in 0..n {
                c += 2;
                let mut c = 1;
                c += 2;
                let _ = c;
            }
            let mut nearest = 0;
            for (j, v) in data.iter().enumerate() {
                let mut distance = *v - i as f64;
                if distance < 0.0 {
                    distance = -distance;
                }
                if distance < 0.5 {
                    nearest = j;
                }
            }
            let twice: f64 = data
                .iter()
                .map(|v| {
                    let mut twice = *v;
                    twice *= 2.0;
                    twice
                })
                .sum();
            let mut k = n;
            while k > 1 {
                let mut less = k;
                less -= 1;
                k = less;
            }
            s += x * (nearest + k + c) as f64 * twice;
        }
        s
    }
    for n in 0..4 {
        let data = [0.25, 1.0, 2.75];
        crate::differences(|[x]| f(x, &data, n), |[x]| f_jac(x, &data, n), [0.7]);
    }
}
