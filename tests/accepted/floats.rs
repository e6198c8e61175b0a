//! Floats: literals, both precisions, and values at the edges, bit for bit.

use jacobian::jacobian;

#[test]
fn single_precision() {
    #[jacobian]
    fn f(x: f32, y: [f32; 2], n: usize) -> [f32; 4] {
        let c = 0.1;
        let mut d = c * 3.0;
        d += 0.2;
        let e: f32 = 1.0 / 3.0;
        [x * 0.1 + y[0] * 0.7, x * d * c, (x * e).sin() * y[1].powi(3), x * n as f32 + 16777217.0]
    }
    for x in [0.3f32, 1e-40, -7.5, f32::MAX, f32::INFINITY, -0.0] {
        let (value, jacobian) = f_jac(x, [1.1, 2.2], 3);
        assert_eq!(value.map(f32::to_bits), f(x, [1.1, 2.2], 3).map(f32::to_bits), "{x}");
        assert_eq!(jacobian[0], [0.1, 0.7, 0.0]);
        assert_eq!(jacobian[1][0], (0.1f32 * 3.0 + 0.2) * 0.1);
        assert_eq!(jacobian[3], [3.0, 0.0, 0.0]);
    }
}

#[test]
#[allow(clippy::excessive_precision, clippy::approx_constant, clippy::inconsistent_digit_grouping)]
fn literals_of_every_form() {
    #[jacobian]
    fn f(x: f64) -> [f64; 13] {
        [
            x * 1e3,
            x * 1_000.5,
            x * 2.,
            x * 0.1f64,
            x * 3f64,
            x * 1E-3,
            x * 123456789012345678901234567890.0,
            x * 5e-324,
            x * 1.7976931348623157e308,
            x * -0.0,
            x * 3.14159265358979323846264338327950288,
            x * 9007199254740993.0,
            x * 1_f64,
        ]
    }
    for x in [1.0, -0.0, 0.5, f64::MIN_POSITIVE, f64::INFINITY] {
        let (value, jacobian) = f_jac(x);
        assert_eq!(value.map(f64::to_bits), f(x).map(f64::to_bits), "{x}");
        assert_eq!(jacobian.map(|[entry]| entry), f(1.0));
    }
}

#[test]
fn values_at_the_edges_are_kept_bit_for_bit() {
    #[jacobian]
    #[allow(clippy::neg_multiply, double_negations, clippy::identity_op, clippy::eq_op, clippy::erasing_op)]
    fn f(x: f64, y: f64) -> [f64; 16] {
        [
            x + 0.0,
            x - 0.0,
            0.0 - x,
            x * 1.0,
            x * -1.0,
            x / 1.0,
            x * 0.0,
            -(-x),
            x - x,
            x / x,
            0.0 + x * y,
            x * y + -0.0,
            (x + y) - y,
            x.max(y),
            1.0 / x,
            x % y,
        ]
    }
    let edges = [0.0, -0.0, 1.0, -2.5, 1e308, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for x in edges {
        for y in edges {
            let (own, value) = (f_jac(x, y).0, f(x, y));
            for (index, (own, value)) in own.into_iter().zip(value).enumerate() {
                let is_same = own.to_bits() == value.to_bits() || own.is_nan() && value.is_nan();
                assert!(is_same, "value {index} at {x}, {y} is {own}, not {value}");
            }
        }
    }
}

#[test]
fn a_structural_zero_is_zero_where_the_value_is_not_finite() {
    #[jacobian]
    fn f(x: f64, y: f64) -> [f64; 2] {
        [x.ln(), y * 2.0]
    }
    let (value, jacobian) = f_jac(0.0, f64::INFINITY);
    assert_eq!(value, f(0.0, f64::INFINITY));
    assert_eq!(jacobian, [[f64::INFINITY, 0.0], [0.0, 2.0]]);
}

#[test]
#[allow(clippy::unnecessary_cast)]
fn literals_of_f32_keep_their_type() {
    #[jacobian]
    fn f(x: [f32; 2], n: usize) -> [f32; 4] {
        let c = 0.1;
        let w = [[0.1, 0.2], [0.3, 0.7]];
        let (a, b) = (0.1, 0.7);
        let mut d = 0.1;
        let y = x[0] * c + x[1] * w[1][0] + a * x[0];
        if n > 1 {
            d = 0.3;
        }
        // What a float of 32 bits has lost shows when it is multiplied.
        let lost = |v: f64| ((v * 10.0).fract() * 1e9) as f32;
        let passive = lost(c as f64) + lost(w[0][1] as f64) + lost(a as f64);
        [y * d, x[0] * passive, x[1] * lost(d as f64), lost(b as f64) * x[0]]
    }
    for n in 0..3 {
        let (value, jacobian) = f_jac([0.7, 1.3], n);
        assert_eq!(value.map(f32::to_bits), f([0.7, 1.3], n).map(f32::to_bits));
        assert_eq!(jacobian[3][0], 0.0);
    }
}

#[test]
#[allow(clippy::useless_conversion)]
fn conversions_by_from() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        f64::from(x * x) * f64::from(2.5_f32) + f64::from(3_u8) * x
    }
    #[jacobian]
    fn g(x: f32) -> f32 {
        f32::from(x * x) * f32::from(3_u16)
    }
    assert_eq!((f(0.5), f_jac(0.5)), (2.125, (2.125, [5.5])));
    assert_eq!((g(0.5), g_jac(0.5)), (0.75, (0.75, [3.0])));
}
