//! Loops of known length that stay loops, and those that are unrolled.

#![allow(clippy::needless_range_loop, reason = "these are the loops that users write")]

use jacobian::jacobian;

use crate::differences;

/// The same functions with all loops unrolled and with none.
macro_rules! both {
    ($(fn $name:ident($a:ident: $ty:ty) -> $result:ty $body:block)*) => {
        mod rolled {
            $(#[jacobian::jacobian(unroll = "never", forms(jac, hess))]
            pub fn $name($a: $ty) -> $result $body)*
        }
        mod written_out {
            $(#[jacobian::jacobian(unroll = "always", forms(jac, hess))]
            pub fn $name($a: $ty) -> $result $body)*
        }
    };
}

both! {
    fn sums(a: [f64; 4]) -> f64 {
        let mut s = 0.0;
        for i in 0..4 {
            s += a[i].sin() * a[(i + 1) % 4] * i as f64;
        }
        s
    }
    fn triangle(a: [f64; 4]) -> f64 {
        let (mut b, mut count) = (a, 0);
        for i in (0..4).rev() {
            for j in i + 1..4 {
                if b[j] > a[0] { continue; }
                b[i] += 0.5 * b[j] * a[i];
                count += 1;
            }
            if b[i] > 2.0 { b[i] *= 0.5; }
        }
        b[0] * b[1] + b[2] * b[3] + count as f64
    }
    fn weights(a: [f64; 4]) -> f64 {
        const W: [f64; 3] = [0.5, -2.0, 1.5];
        let mut total = 0.0;
        for k in 0..3 {
            total += W[k].abs();
        }
        let mut s = a[3];
        for w in W {
            s = s * w / total + a[0];
        }
        s
    }
}

#[test]
fn rolled_and_unrolled_loops_are_the_same() {
    let x = [0.3, -0.7, 1.9, 0.4];
    let near = |own: &[f64], other: &[f64]| {
        own.iter().zip(other).for_each(|(own, other)| assert!((own - other).abs() < 1e-13, "{own} {other}"));
    };
    let check = |own: (f64, [f64; 4], [[f64; 4]; 4]), other: (f64, [f64; 4], [[f64; 4]; 4]), value: f64| {
        assert_eq!(own.0.to_bits(), value.to_bits());
        assert_eq!(other.0.to_bits(), value.to_bits());
        near(&own.1, &other.1);
        near(own.2.as_flattened(), other.2.as_flattened());
    };
    check(rolled::sums_hess(x), written_out::sums_hess(x), rolled::sums(x));
    check(rolled::triangle_hess(x), written_out::triangle_hess(x), rolled::triangle(x));
    check(rolled::weights_hess(x), written_out::weights_hess(x), rolled::weights(x));
    differences(rolled::sums, rolled::sums_jac, x);
    differences(rolled::triangle, rolled::triangle_jac, x);
    differences(rolled::weights, rolled::weights_jac, x);
    differences(written_out::sums, written_out::sums_jac, x);
    differences(written_out::triangle, written_out::triangle_jac, x);
    differences(written_out::weights, written_out::weights_jac, x);
}

#[test]
fn a_million_trips() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        let (mut s, mut k) = (x, 0_u32);
        for i in 0..1_000_000 {
            s = 0.5 * s + y * (i % 3) as f64;
            k = k.wrapping_add(1);
        }
        for i in 0..1_000 {
            for _ in 0..1_000 {
                s += 1e-9 * x * i as f64;
            }
        }
        s + k as f64
    }
    let (value, gradient) = f_jac(1.5, 0.5);
    assert_eq!(value.to_bits(), f(1.5, 0.5).to_bits());
    assert!((gradient[0] - 0.4995).abs() < 1e-6, "{gradient:?}");
    let above = f(1.5, 1.5) - f(1.5, 0.5);
    assert!((gradient[1] - above).abs() < 1e-9, "{gradient:?} {above}");
}

#[test]
fn what_cannot_stay_a_loop_is_unrolled() {
    #[jacobian]
    fn f(a: [f64; 200]) -> f64 {
        let mut s = 0.0;
        for v in a {
            s += v * v;
        }
        s
    }
    assert_eq!(f_jac([0.5; 200]).1, [1.0; 200]);
    assert_eq!(f([0.5; 200]), 50.0);
}
