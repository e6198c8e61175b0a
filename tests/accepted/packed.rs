//! `pack`: packed statements give the bits of single ones, in every kind of function.

use approx::assert_relative_eq;
use jacobian::jacobian;

use crate::bits;

/// A function with all of its statements single, and with all of them packed that can be: value and Jacobian have the
/// same bits.
macro_rules! gives_the_same {
    ([$($options:tt)*] ($($argument:expr),*) $($function:tt)*) => {{
        let single = {
            #[jacobian($($options)* pack = "never", name = "jac")]
            #[allow(dead_code)]
            $($function)*
            jac($($argument),*)
        };
        let packed = {
            #[jacobian($($options)* pack = "always", name = "jac")]
            #[allow(dead_code)]
            $($function)*
            jac($($argument),*)
        };
        assert_eq!(bits(&packed.0), bits(&single.0));
        assert_same(&bits(&packed.1), &bits(&single.1));
    }};
}

/// The same bits, where single statements are not fused.
fn assert_same(packed: &[u64], single: &[u64]) {
    if !cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        return assert_eq!(packed, single);
    }
    for (packed, single) in packed.iter().zip(single) {
        let (packed, single) = (f64::from_bits(*packed), f64::from_bits(*single));
        assert_relative_eq!(packed, single, epsilon = 0.0, max_relative = 1e-12);
    }
}

#[test]
fn every_order() {
    macro_rules! under {
        ($($options:tt)*) => {
            gives_the_same! {
                [$($options)*] (&[0.3, 0.4, 0.5, 0.7])
                fn f(x: &[f64; 4]) -> [f64; 3] {
                    let s = x[0] * x[1] + x[2] * x[3];
                    let t = s * x[3] - x[0].sin() * x[2];
                    let u = t * s - x[1];
                    [s * t - u * x[2], -t * x[0], u / s - u * x[1]]
                }
            }
        };
    }
    under!(strategy = "forward",);
    under!(strategy = "reverse",);
    under!(strategy = "reverse", schedule = "depth-first",);
    under!(strategy = "edge: markowitz", linearize = "statement",);
}

#[test]
#[cfg_attr(any(target_feature = "fma", target_arch = "aarch64"), ignore = "single statements are fused")]
fn single_precision() {
    #[jacobian(pack = "always", strategy = "forward", name = "packed")]
    #[jacobian(pack = "never", strategy = "forward", name = "single")]
    fn f(x: [f32; 3]) -> [f32; 3] {
        let s = x[0] * x[1] * x[2];
        let t = s * x[0] - x[2] / s;
        [s * t, t * 0.1 - s, t * t]
    }
    let x = [0.3, -1.4, 0.5];
    assert_eq!((packed(x), f(x)), (single(x), single(x).0));
}

#[test]
fn numbers_of_a_type_parameter_remain_single() {
    #[jacobian(pack = "always", strategy = "forward", name = "packed")]
    #[jacobian(pack = "never", strategy = "forward", name = "single")]
    fn f<T: num_traits::Float>(x: [T; 3]) -> [T; 2] {
        let s = x[0] * x[1] * x[2];
        [s * x[0], s * s - x[1]]
    }
    let x = [0.3, -1.4, 0.5];
    assert_eq!((packed(x), f(x)), (single(x), single(x).0));
}

#[test]
fn constant_functions() {
    #[jacobian(pack = "always", strategy = "forward")]
    const fn f(x: [f64; 3]) -> [f64; 2] {
        let s = x[0] * x[1] * x[2];
        [s * x[0], s * s - x[1]]
    }
    const JACOBIAN: ([f64; 2], [[f64; 3]; 2]) = f_jac([2.0, 3.0, 5.0]);
    assert_eq!(JACOBIAN, (f([2.0, 3.0, 5.0]), [[60.0, 20.0, 12.0], [900.0, 599.0, 360.0]]));
}

#[test]
fn in_place() {
    #[jacobian(pack = "always", strategy = "forward", into)]
    fn f(x: [f64; 3]) -> [f64; 2] {
        let s = x[0] * x[1] * x[2];
        [s * x[0], s * s - x[1]]
    }
    let (mut value, mut jacobian) = ([f64::NAN; 2], [[f64::NAN; 3]; 2]);
    f_jac_into([2.0, 3.0, 5.0], &mut value, &mut jacobian);
    assert_eq!((value, jacobian), f_jac([2.0, 3.0, 5.0]));
    assert_eq!((value, jacobian), (f([2.0, 3.0, 5.0]), [[60.0, 20.0, 12.0], [900.0, 599.0, 360.0]]));
}

#[test]
fn branches_and_calls() {
    #[jacobian]
    fn g(a: f64, b: f64) -> [f64; 2] {
        [a * b, a - b * b]
    }
    for x in [[0.3, 0.4, 0.5], [0.3, -0.4, 0.5]] {
        gives_the_same! {
            [strategy = "forward", with(g: fn(f64, f64) -> [f64; 2]),] (x, 3)
            fn f(x: [f64; 3], n: usize) -> [f64; 3] {
                let s = x[0] * x[1] * x[2];
                let k = n as f64;
                let t = if s > 0.0 { s * x[0] } else { s - x[1] };
                let w = k * 2.0;
                let [u, v] = g(t * w, s);
                [u * v, v - u * x[2], u * t]
            }
        }
    }
    assert_eq!(g(2.0, 3.0), [6.0, -7.0]);
}

/// The functions that compute packs get other names than what the user's code names.
#[test]
fn names_of_the_user() {
    fn scaled(k: usize) -> f64 {
        k as f64
    }
    gives_the_same! {
        [strategy = "forward",] ([2.0, 3.0, 5.0], 7)
        fn f(x: [f64; 3], lane: usize) -> [f64; 2] {
            let left = x[0] * x[1] * x[2] * scaled(lane);
            let result = left * x[0] * scaled(lane + 1);
            [result, left * left - x[1] * result]
        }
    }
}

/// A factor and a term that all lanes share, numbers among the lanes, and signs.
#[test]
fn lanes_that_share_operands() {
    gives_the_same! {
        [strategy = "reverse",] ([2.0, 3.0, 5.0, -0.5])
        fn f(x: [f64; 4]) -> [f64; 4] {
            let s = x[0] * x[1] - x[2];
            let t = -s * s;
            [t * x[0], -t * 2.0, -t * 3.0, (t - s) * x[3]]
        }
    }
}
