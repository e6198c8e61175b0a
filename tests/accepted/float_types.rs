//! Floats whose type only later code tells, and such as the generated code may not repeat: an array that is taken apart, a
//! closure that is inlined. They are of this type there, too: rustc would take them for `f64`, and finds no methods of them.

#![allow(clippy::unnecessary_cast, clippy::manual_is_multiple_of, clippy::needless_late_init)]

use jacobian::jacobian;

use crate::differences;

/// In `f32`, what is computed as `f64` is something else.
mod single {
    use super::*;

    #[jacobian]
    pub fn branch(x: &[f32; 2], n: usize) -> f32 {
        let mut k = 0.1;
        for _ in 0..n {
            k = k * 0.1 + 0.3;
        }
        let a = [x[0], k];
        if k > 0.33333334 { a[0] } else { a[0] * 2.0 }
    }

    #[jacobian]
    pub fn conversion(x: &[f32; 2], n: usize) -> f32 {
        let mut k = 0.1;
        for _ in 0..n {
            k = k * 0.1 + 0.3;
        }
        let a = [x[0], k];
        a[0] * (k * 1e9) as f32
    }

    #[jacobian]
    pub fn element(x: &[f32; 2], n: usize) -> f32 {
        let a = [x[0], if n > 4 { 0.1 + 0.2 } else { 0.7 + 0.1 }];
        let d = a[1] - 0.3;
        a[0] * (d * 1e8)
    }

    #[jacobian]
    pub fn closure(x: &[f32; 2], n: usize) -> f32 {
        let f = |v| {
            let w = v * 1e9;
            let t = [x[0], v];
            t[0] * ((w as i64 % 17) as f32)
        };
        f(0.1 + 0.2) + f(if n > 3 { 0.1 } else { 0.7 })
    }

    #[jacobian]
    pub fn option(x: &[f32; 2], n: usize) -> f32 {
        let k = if n % 2 == 0 { Some(0.1 + 0.2) } else { None };
        let a = [x[0], k.unwrap_or(0.7)];
        let m = (k.unwrap_or(0.1) * 1e9) as i64 % 13;
        a[0] * m as f32
    }

    #[jacobian]
    pub fn table(x: &[f32; 2], n: usize) -> f32 {
        let table = [0.1, 0.2, 0.3, 0.7];
        let v = table[n % 4] + table[(n + 1) % 4];
        let t = [v, x[1]];
        if v == 0.3 {
            t[1]
        } else if v == 0.5 {
            t[1] * 2.0
        } else {
            t[1] * ((v * 1e9) as i64 % 11) as f32
        }
    }

    #[jacobian]
    pub fn tuple(x: &[f32; 2], n: usize) -> f32 {
        let mut w = (0.1, 0.2);
        for _ in 0..n {
            w = (w.1 + 0.1, w.0 * 1.1);
        }
        let t = [x[0], w.0, w.1];
        let (p, q) = w;
        t[0] * ((p * 1e9) as i64 % 7 + (q * 1e9) as i64 % 5) as f32
    }

    #[jacobian]
    pub fn arms(x: &[f32; 2], n: usize) -> f32 {
        let v = match n {
            0 => 0.1,
            1 => 0.1 + 0.2,
            2..=5 => 1.0 / 3.0,
            _ => 0.7 * 1.1,
        };
        let mut y = x[0];
        if v * 1e9 > 3.0e8 {
            y = v;
        }
        y * x[1] + ((v * 1e9) as i64 % 19) as f32
    }

    #[jacobian]
    pub fn fold(x: &[f32; 2], n: usize) -> f32 {
        let s = (0..n).map(|i| i as f32 * 0.1).sum::<f32>();
        let q = (0..n).fold(0.1, |a, _| a * 0.3 + 0.1);
        let r = [x[0], q];
        r[0] * ((q * 1e9) as i64 % 19) as f32 + s
    }

    #[jacobian]
    pub fn last_of_loop(x: &[f32; 2], n: usize) -> f32 {
        let mut best = None;
        for i in 0..n {
            let v = [0.1, 0.2, 0.7][i % 3] + 0.1;
            if i > 1 {
                best = Some(v);
            }
        }
        let b = best.unwrap_or(0.1 + 0.2);
        let t = [b, x[1]];
        t[1] * ((b * 1e9) as i64 % 19) as f32
    }

    #[jacobian]
    pub fn assigned_later(x: &[f32; 2], n: usize) -> f32 {
        let k;
        if n > 3 {
            k = 0.1 + 0.2
        } else {
            k = 0.7 + 0.1
        }
        let t = [k, x[1]];
        t[1] * ((k * 1e9) as i64 % 19) as f32
    }

    #[jacobian]
    pub fn given_by_break(x: &[f32; 2], n: usize) -> f32 {
        let mut k = 0.1;
        let mut i = 0;
        let last = loop {
            if i == n {
                break k * 1.1;
            }
            k += 0.1;
            i += 1;
        };
        let t = [last, x[1]];
        t[1] * ((last * 1e9) as i64 % 19) as f32 * if last > 0.33 { 1.0 } else { 2.0 }
    }

    #[jacobian]
    pub fn pair(x: &[f32; 2], n: usize) -> f32 {
        let pair = || (0.1 + 0.2, 0.7);
        let (a, b) = pair();
        let c = [a, b, x[0]];
        c[n % 3] * ((a * 1e9) as i64 % 19) as f32
    }

    #[jacobian]
    pub fn unrolled(x: &[f32; 2], _: usize) -> f32 {
        let mut s = x[0];
        for v in [0.1, 0.2, 0.3] {
            if v * 3.0 > 0.9 {
                s *= 2.0;
            }
            s += v;
        }
        for (i, v) in [0.1 + 0.2, 0.7].iter().enumerate() {
            if *v * 1e9 > 300000000.0 {
                s *= x[1];
            }
            s += v * i as f32;
        }
        s
    }

    #[jacobian]
    pub fn filled(x: &[f32; 2], n: usize) -> f32 {
        let mut a = [0.1; 4];
        for i in 0..n {
            a[i % 4] = a[(i + 1) % 4] * 1.1 + 0.1;
        }
        let t = [a[0], x[0]];
        let m = a[1].max(a[2]);
        t[1] * ((m * 1e9) as i64 % 19) as f32
    }

    #[jacobian]
    pub fn bounds(x: &[f32; 2], n: usize) -> f32 {
        let (lo, hi) = if n > 2 { (0.1, 0.7 + 0.1) } else { (0.2 + 0.1, 0.9) };
        let y = x[0].clamp(lo, hi);
        let m = (lo * 1e9) as i64 % 19 + (hi * 1e9) as i64 % 23;
        y + m as f32
    }

    #[jacobian]
    pub fn equal(x: &[f32; 2], _: usize) -> f32 {
        let k = 0.1 + 0.2;
        let h = [k, 0.3];
        let j = if k == h[1] { 1.0 } else { 2.0 };
        let t = [x[0], k, j];
        t[0] * (k - 0.3) * 1e8 + j
    }

    #[jacobian]
    pub fn alone(x: &[f32; 2], _: usize) -> f32 {
        let steps = ((0.1 + 0.2) * 1e9) as i64;
        let steps2 = {
            let w = 0.1 + 0.2;
            let _z = w * x[0];
            (w * 1e9) as i64
        };
        x[0] * (steps % 97 + steps2 % 89) as f32
    }
}

mod double {
    use super::*;

    fn identity(k: f64) -> f64 {
        k
    }

    #[jacobian]
    pub fn method(x: &[f64; 2], n: usize) -> f64 {
        let k = if n > 3 { 1.0 } else { 0.5 };
        let a = [x[0], k];
        a[0] * k.sqrt()
    }

    #[jacobian]
    pub fn passed(x: &[f64; 2], n: usize) -> f64 {
        let mut k = 0.5;
        let mut i = 0;
        while i < n {
            k = k * 0.5 + 1.0;
            i += 1;
        }
        identity(k);
        x[0] * k.sqrt()
    }

    #[jacobian]
    pub fn beside(x: &[f64; 2], n: usize) -> f64 {
        let k = match n {
            0 => 1.0,
            _ => 0.5,
        };
        let y = x[1];
        let y = [y, k][0] * y;
        x[0] * k.sqrt() + y
    }

    #[jacobian]
    pub fn bisection(x: &[f64; 2], n: usize) -> [f64; 2] {
        let mut lo = 0.0;
        let mut hi = 4.0;
        let mut y = [x[0], lo];
        for _ in 0..n {
            let mid = 0.5 * (lo + hi);
            if mid * mid > 2.0 { hi = mid } else { lo = mid }
        }
        y[1] = lo;
        y[1] *= hi.sqrt();
        [y[0], y[1]]
    }

    #[jacobian]
    pub fn several(x: &[f64; 2], n: usize) -> f64 {
        let (mut k, l) = (0.5, if n > 2 { 3.0 } else { 1.0 });
        for _ in 0..n {
            k *= 0.5;
        }
        let (a, b, c) = {
            let t = [x[0], k, l];
            (t[0], t[1], t[2])
        };
        a * k.sqrt() * l.ln() + b.exp() * c.powi(3)
    }

    #[jacobian]
    pub fn elements(x: &[f64; 2], n: usize) -> f64 {
        let mut w = [0.5, 0.25];
        for i in 0..n {
            w[i % 2] *= 0.5;
        }
        let t = [w[0], x[1]];
        t[1] * w[0].sqrt() * w[1].sqrt()
    }

    #[jacobian]
    pub fn field(x: &[f64; 2], n: usize) -> f64 {
        let mut w = (0.5, 3);
        for _ in 0..n {
            w.0 *= 0.5;
            w.1 += 1;
        }
        let t = [w.0, x[1]];
        t[1] * w.0.sqrt()
    }

    #[jacobian]
    pub fn of_option(x: &[f64; 2], n: usize) -> f64 {
        let k = if n > 1 { Some(0.1) } else { None };
        let a = [x[0], k.unwrap_or(2.0)];
        a[0] * k.unwrap_or(1.0).sqrt()
    }

    #[jacobian]
    pub fn folded(x: &[f64; 2], n: usize) -> f64 {
        let k = (0..n).fold(1.0, |a, i| a * 0.5 + i as f64);
        let a = [x[0], k];
        a[0] + k.sqrt()
    }

    #[jacobian]
    pub fn derived(x: &[f64; 2], n: usize) -> f64 {
        let k = if n > 1 { 1.0 } else { 0.25 };
        let h = k * 0.5;
        let a = [x[0], h];
        let f = |u: f64, v| u + v;
        a[0] + h.sqrt() * f(x[1], k.sin())
    }

    #[jacobian]
    pub fn argument(x: &[f64; 2], n: usize) -> f64 {
        let k = if n > 1 { 1.0 } else { 0.25 };
        let f = |u| u + x[0];
        let a = f(k);
        k.sqrt() * a
    }

    #[jacobian]
    pub fn assigned(x: &[f64; 2], n: usize) -> f64 {
        let k = {
            let mut k = 1.0;
            for _ in 0..n {
                k += 1.0;
            }
            k
        };
        let mut m = x[0];
        if n > 3 {
            m = k;
        }
        k.sqrt() * m
    }

    #[jacobian]
    pub fn in_loop(x: &[f64; 2], n: usize) -> f64 {
        let mut k = 1.0;
        for i in 0..n {
            let _t = [x[0], k];
            k = k * 1.5 + i as f64;
            k = k.sqrt();
        }
        k.sqrt() * x[1]
    }

    #[jacobian]
    pub fn looked_up(x: &[f64; 2], n: usize) -> f64 {
        let table = [0.5, 1.5, 2.5];
        let v = table[n % 3];
        let t = [v, x[0]];
        v.sqrt() * t[1] + table[(n + 1) % 3].sin()
    }
}

#[test]
fn floats_are_of_the_type_that_later_code_tells() {
    macro_rules! check {
        ($($function:ident $jacobian:ident)*) => {$(
            for n in 0..12 {
                let x = [0.37, -1.3];
                let (value, own) = (single::$function(&x, n), single::$jacobian(&x, n).0);
                assert_eq!(value.to_bits(), own.to_bits(), "{}, {n}: {own}, not {value}", stringify!($function));
            }
        )*};
    }
    check! {
        branch branch_jac conversion conversion_jac element element_jac closure closure_jac option option_jac
        table table_jac tuple tuple_jac arms arms_jac fold fold_jac last_of_loop last_of_loop_jac
        assigned_later assigned_later_jac given_by_break given_by_break_jac pair pair_jac unrolled unrolled_jac
        filled filled_jac bounds bounds_jac equal equal_jac alone alone_jac
    }
}

#[test]
fn methods_of_floats_whose_type_later_code_tells() {
    macro_rules! check {
        ($($function:ident $jacobian:ident)*) => {$(
            for n in [1, 2, 5] {
                differences(|x| double::$function(&x, n), |x| double::$jacobian(&x, n), [0.7, 1.3]);
            }
        )*};
    }
    check! {
        method method_jac passed passed_jac beside beside_jac bisection bisection_jac several several_jac
        elements elements_jac field field_jac of_option of_option_jac folded folded_jac derived derived_jac
        argument argument_jac assigned assigned_jac in_loop in_loop_jac looked_up looked_up_jac
    }
}

/// Literals whose type a field tells, beside what is active.
#[jacobian]
mod fields {
    pub struct Link {
        length: f64,
        twist: f64,
        offsets: [f64; 2],
    }

    impl Link {
        fn reach(&self) -> f64 {
            self.twist.sin() * self.length + self.offsets[1].sqrt()
        }
    }

    fn squared(link: &Link) -> f64 {
        link.length * link.twist.powi(2)
    }

    #[jacobian]
    pub fn reach(q: f64, length: f64) -> f64 {
        let mut link = Link { length, twist: 0.1, offsets: [0.3, 0.5] };
        let first = link.reach() * q + squared(&Link { length: q, twist: -0.3, offsets: [0.0; 2] });
        link.twist = 2.0;
        let arm = [link, Link { length: 2.0 * q, twist: 0.7, offsets: [1.0, 2.0] }];
        if arm[1].twist.abs() > 0.2 { arm.iter().fold(first, |sum, link| sum + link.reach()) } else { first }
    }
}

#[test]
fn fields_tell_the_types_of_literals() {
    differences(|[q, l]| fields::reach(q, l), |[q, l]| fields::reach_jac(q, l), [0.7, -1.3]);
}

#[jacobian]
fn beside_a_literal(q: f32) -> f32 {
    let mut scaled = q;
    for v in [&q, &0.5] {
        if *v > 1.0 {
            scaled *= 0.5;
        } else {
            scaled += v;
        }
    }
    scaled
}

#[test]
fn references_to_literals() {
    assert_eq!(beside_a_literal_jac(0.75), (2.0, [2.0]));
    assert_eq!(beside_a_literal_jac(1.5), (1.25, [0.5]));
}
