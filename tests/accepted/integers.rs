//! Integers and truth values that are known when the function is expanded.

use jacobian::jacobian;

use crate::check;

#[test]
fn arithmetic() {
    #[jacobian]
    #[allow(clippy::identity_op, clippy::erasing_op, clippy::precedence, clippy::unnecessary_cast)]
    fn f(x: [f64; 8]) -> [f64; 8] {
        const N: usize = 7;
        const MASK: u8 = 0b1010;
        let k = 3_u8;
        let signed: i32 = -7;
        [
            x[N % 4],
            x[(N - 1) / 2],
            x[1 << 2],
            x[(MASK >> 1 & 0b111 ^ 1) as usize],
            x[(!k & 7) as usize],
            x[(signed % 4 + 4) as usize] * (signed / 2) as f64,
            x[signed.rem_euclid(4) as usize] * signed.div_euclid(4) as f64,
            x[usize::pow(2, 1) - std::cmp::min(1, N)],
        ]
    }
    let x = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0];
    let columns = [3, 3, 4, 4, 4, 1, 1, 1];
    let factors = [1.0, 1.0, 1.0, 1.0, 1.0, -3.0, -2.0, 1.0];
    let mut expected = [[0.0; 8]; 8];
    for (row, (column, factor)) in expected.iter_mut().zip(columns.into_iter().zip(factors)) {
        row[column] = factor;
    }
    check(f(x), f_jac(x), expected.as_flattened());
}

#[test]
fn methods() {
    #[jacobian]
    #[allow(clippy::manual_abs_diff, clippy::unnecessary_min_or_max)]
    fn f(x: f64) -> [f64; 3] {
        let (a, b) = (12_u32, 5_u32);
        let c = -3_i8;
        let unsigned = [
            a.pow(2),
            a.min(b),
            a.max(b),
            a.abs_diff(b),
            b.abs_diff(a),
            b.saturating_sub(a),
            a.wrapping_sub(13),
            a.leading_zeros(),
            a.trailing_zeros(),
            a.count_ones(),
            a.ilog2(),
            a.isqrt(),
            a.div_ceil(b),
            a.clamp(1, 7),
        ];
        let signed = [
            c.abs(),
            c.pow(3),
            c.signum(),
            c.wrapping_mul(50),
            c.saturating_mul(50),
            c.wrapping_pow(5),
            c.rem_euclid(2),
            c.unsigned_abs() as i8,
            (c as u8).count_ones() as i8,
            c.wrapping_neg(),
            (c as u8).leading_zeros() as i8,
        ];
        let truths = [a.is_power_of_two(), 8_u64.is_power_of_two(), c.is_negative(), a.is_multiple_of(4)];
        let mut r = [0.0; 3];
        for (i, v) in unsigned.iter().enumerate() {
            r[0] += x * *v as f64 * (i + 1) as f64;
        }
        for (i, v) in signed.into_iter().enumerate() {
            r[1] += x * v as f64 * (i + 1) as f64;
        }
        for (i, v) in truths.into_iter().enumerate() {
            if v {
                r[2] += x * (i + 1) as f64;
            }
        }
        r
    }
    let unsigned = [144, 5, 12, 7, 7, 0, u32::MAX, 28, 2, 2, 3, 3, 3, 7];
    let signed = [3, -27, -1, 106, -128, 13, 1, 3, 7, 3, 0];
    let sum = |values: &[f64]| values.iter().zip(1..).map(|(v, i)| v * f64::from(i)).sum::<f64>();
    let expected = [sum(&unsigned.map(f64::from)), sum(&signed.map(f64::from)), 2.0 + 3.0 + 4.0];
    check(f(2.0), f_jac(2.0), &expected);
}

#[test]
fn casts() {
    #[jacobian]
    #[allow(clippy::unnecessary_cast, clippy::cast_lossless, overflowing_literals)]
    fn f(x: f64) -> f64 {
        let k = 300_i32;
        let numbers = [
            k as u8 as f64,
            (-1_i32) as u16 as f64,
            200_u8 as i8 as f64,
            true as u8 as f64,
            u8::from(true) as f64,
            f64::from(k),
            k as f64,
            b'a' as f64,
            (u8::MAX as i16 + i16::MIN) as f64 * i64::BITS as f64,
            9_007_199_254_740_993_i64 as f64,
            (k as i64 * 1_000_000_000) as f64,
        ];
        let mut s = 0.0;
        for v in numbers {
            s += v * x;
        }
        s
    }
    let numbers = [44.0, 65535.0, -56.0, 1.0, 1.0, 300.0, 300.0, 97.0, -32513.0 * 64.0, 9_007_199_254_740_992.0, 3e11];
    check(f(2.0), f_jac(2.0), &[numbers.iter().sum()]);
}

#[test]
fn truth_values() {
    #[jacobian]
    #[allow(
        clippy::nonminimal_bool,
        clippy::overly_complex_bool_expr,
        clippy::bool_comparison,
        clippy::unnecessary_min_or_max
    )]
    fn f(x: f64, n: usize) -> f64 {
        const ON: bool = true;
        let off = !ON;
        let mut s = x;
        if ON && !off || off {
            s *= 2.0;
        }
        if off && 1 / n > 0 {
            s *= f64::NAN;
        }
        if ON ^ off && (ON | off) && !(ON & off) && ON != off && off < ON {
            s *= 3.0;
        }
        if ON || { n / 0_usize.max(n) > 3 } {
            s *= 5.0;
        }
        let run_time = n > 3 && ON;
        s * run_time as u8 as f64 + s
    }
    // What is not evaluated would divide by zero here.
    check(f(2.0, 0), f_jac(2.0, 0), &[30.0]);
    check(f(2.0, 4), f_jac(2.0, 4), &[60.0]);
}

#[test]
fn types_that_are_found_out_later_or_never() {
    fn bits<T>(_: T) -> f64 {
        8.0 * std::mem::size_of::<T>() as f64
    }
    fn small(value: u8) -> f64 {
        f64::from(value)
    }
    #[jacobian]
    #[allow(clippy::needless_range_loop, clippy::explicit_counter_loop)]
    fn f(x: [f64; 200], w: f64) -> f64 {
        // An index, which is larger than some types have room for.
        let mut k = 0;
        let mut s = 0.0;
        for i in 0..200 {
            s += x[k] * x[i];
            k += 1;
        }
        // A `u8`, as a use elsewhere says, not an `i32`.
        let small_one = 3;
        s += w * small(small_one) * bits(small_one);
        for i in 0..3 {
            if i == 2 {
                s += w * small(i);
            }
            s += w * bits(i);
        }
        // An `i32`, for nothing says otherwise.
        for i in 0..3 {
            let d = i - 2;
            s += w * d as f64 * bits(d);
        }
        let shifted = 1 << 20;
        s + w * (shifted >> 19) as f64
    }
    let x = std::array::from_fn(|i| i as f64 / 64.0);
    let mut expected: Vec<f64> = x.iter().map(|v| 2.0 * v).collect();
    expected.push(24.0 + 2.0 + 24.0 - 96.0 + 2.0);
    check(f(x, 1.5), f_jac(x, 1.5), &expected);
}

#[test]
fn the_least_and_the_greatest() {
    #[jacobian]
    #[allow(clippy::legacy_numeric_constants, clippy::neg_multiply)]
    fn f(x: f64) -> f64 {
        let (a, b, c, d): (i8, i64, u64, i128) = (
            -128,
            -9_223_372_036_854_775_808,
            18_446_744_073_709_551_615,
            -170_141_183_460_469_231_731_687_303_715_884_105_728,
        );
        let e = -128_i8;
        x * (a as f64 + e as f64) + x * b as f64 + x * (c >> 63) as f64 + x * (d >> 120) as f64
    }
    check(f(2.0), f_jac(2.0), &[-256.0 - 9_223_372_036_854_775_808.0 + 1.0 - 128.0]);
}

#[test]
fn known_operands_of_what_is_not_known() {
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn f(x: [f64; 3], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let (below, above, scaled) = (n < i, n >= i, n * i + i - i);
            s += x[i] * (below as u8 + 2 * above as u8) as f64 + scaled as f64 * x[0];
            for j in 0..x.len() {
                s += (x[i] - x[j]) * (x[i] / x[j]);
                s *= if i == j { i as f64 - 1.0 } else { 1.0 };
            }
            s += (n ^ (i & i)) as f64 / (n | (i + 1)) as f64;
        }
        s
    }
    crate::differences(|x| f(x, 2), |x| f_jac(x, 2), [1.0, 2.0, 0.5]);
}

#[test]
fn references_to_known_integers() {
    fn half(value: &i32) -> f64 {
        0.5 * f64::from(*value)
    }
    #[jacobian]
    #[allow(clippy::op_ref)]
    fn f(x: f64) -> f64 {
        const TABLE: [[i32; 2]; 2] = [[1, -2], [3, 4]];
        let (one, last) = (1, &TABLE[1]);
        let r = &one;
        let mut s = x * half(r) * half(&3_i32);
        for (row, k) in TABLE.iter().zip(&[true, false]) {
            for v in row {
                if *k && v > &0 || *v == last[0] {
                    s += x * half(v) * v.pow(2) as f64;
                }
            }
        }
        s
    }
    check(f(2.0), f_jac(2.0), &[0.75 + 0.5 + 13.5]);
}

#[test]
fn numbers_whose_type_others_tell() {
    fn single() -> f32 {
        0.25
    }
    fn small() -> u8 {
        7
    }
    fn bits<T>(_: T) -> f64 {
        8.0 * std::mem::size_of::<T>() as f64
    }
    #[jacobian]
    #[allow(clippy::cast_lossless)]
    fn f(x: f64) -> [f64; 3] {
        let floats = [0.1, single(), 0.3];
        let integers = [[3, small()], [5, 6]];
        let mut s = 0.0;
        for v in floats {
            s += x * v as f64;
        }
        let [first, ..] = floats;
        [s, x * first as f64, x * bits(integers[1][0])]
    }
    check(f(2.0), f_jac(2.0), &[0.1_f32 as f64 + 0.25 + 0.3_f32 as f64, 0.1_f32 as f64, 8.0]);
}

#[test]
fn bounds_of_types_that_are_larger_than_some() {
    #[jacobian]
    fn f(x: f64) -> [f64; 4] {
        [
            x * usize::MAX as f64,
            x * (isize::MIN as f64 + (isize::MAX / 2) as f64),
            x * u128::MAX as f64,
            x * (u128::MAX >> 100) as f64,
        ]
    }
    let pointers = [usize::MAX as f64, isize::MIN as f64 + (isize::MAX / 2) as f64];
    check(f(2.0), f_jac(2.0), &[pointers[0], pointers[1], 2f64.powi(128), 2f64.powi(28) - 1.0]);
}
