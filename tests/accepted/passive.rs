//! Passive values: kept as they are written.

use jacobian::jacobian;

use crate::{check, differences};

#[test]
fn variables_that_change() {
    #[jacobian]
    #[allow(clippy::assign_op_pattern)]
    fn f(x: f64, n: usize, scale: f64) -> f64 {
        let mut k = n;
        k += 2;
        k *= k;
        let mut sum = 0.0;
        sum += k as f64;
        let mut flag = k > 3;
        flag = !flag || k == 0;
        let mut w: f64 = 1.5;
        w = w * 2.0;
        sum += w;
        sum += x;
        k = 1;
        x * sum * scale + (flag as u8 as f64) + k as f64
    }
    // x (9 + 3 + x) s
    check(f(2.0, 1, 1.0), f_jac(2.0, 1, 1.0), &[12.0 + 4.0, 28.0]);
}

#[test]
fn an_active_variable_that_becomes_passive_and_active_again() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let mut y = x * x;
        let z = y;
        y = n as f64;
        let w = y * 2.0;
        y *= x;
        y + z + w
    }
    check(f(3.0, 5), f_jac(3.0, 5), &[11.0]);
}

#[test]
fn references_to_passive_values() {
    fn sum(list: &[f64]) -> f64 {
        list.iter().sum()
    }
    fn first(list: &[f64; 2]) -> &f64 {
        &list[0]
    }
    struct Held {
        a: f64,
    }
    #[jacobian]
    #[allow(clippy::op_ref, clippy::deref_addrof)]
    fn f(x: f64, held: &Held) -> f64 {
        let list = [2.0, 3.0];
        let whole = &list;
        let c = 2.5;
        x * sum(&list) + x * sum(whole) + x * *first(&list) + x * &c + x * &held.a + x * whole[1] + x * *&&c
    }
    check(f(1.0, &Held { a: 0.25 }), f_jac(1.0, &Held { a: 0.25 }), &[5.0 + 5.0 + 2.0 + 2.5 + 0.25 + 3.0 + 2.5]);
}

#[test]
fn arrays_of_passive_values() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let a: [f64; 3] = [2.0, 3.0, 5.0];
        let mut b = [n; 2];
        b[0] += 1;
        let c = (a[1].sqrt(), b);
        let d = [[1.0, 2.0], [3.0, 4.0]];
        x * a[n] + x * c.0 + x * (c.1[0] + c.1[1]) as f64 + x * d[n - 1][n - 1] + x * d[1][n]
    }
    check(f(1.0, 1), f_jac(1.0, 1), &[3.0 + 3.0f64.sqrt() + 3.0 + 1.0 + 4.0]);
}

#[test]
fn methods_of_passive_values() {
    #[jacobian(wrt(x))]
    fn f(x: f64, text: &str, list: &[f64], option: Option<f64>) -> f64 {
        let count = text.len().saturating_sub(1);
        let total: f64 = list.iter().copied().sum();
        let turbofish = list.iter().sum::<f64>();
        let parsed = text.parse().unwrap_or(3);
        x * count as f64 + total * x + turbofish * x + x * option.unwrap_or_default() + x.powi(parsed)
    }
    check(f(1.0, "7", &[1.0, 2.0], None), f_jac(1.0, "7", &[1.0, 2.0], None), &[6.0 + 7.0]);
}

#[test]
fn conditions() {
    #[jacobian]
    fn f(x: f64, n: usize, m: usize) -> f64 {
        let safe = n > 0 && 10 / n > 3;
        let other = n == 0 || 10 % n == 0;
        let bits = !n & 3 | m << 1 ^ 1;
        let compare = (n < m) as u8 + (n <= m) as u8 + (n >= m) as u8 + (n != m) as u8;
        x * (safe as u8 + other as u8 + compare) as f64 + bits as f64
    }
    check(f(1.0, 0, 0), f_jac(1.0, 0, 0), &[3.0]);
    check(f(1.0, 2, 4), f_jac(1.0, 2, 4), &[5.0]);
}

#[test]
fn exponents() {
    #[jacobian]
    fn f(x: f64, n: i32, y: f64) -> [f64; 6] {
        let three = 3;
        [x.powi(n), x.powi(three), x.powi(-2), x.powi(n - 1), x.powf(2.5), 2.0f64.powf(x) * y]
    }
    crate::differences(|[x, y]| f(x, 3, y), |[x, y]| f_jac(x, 3, y), [1.3, 0.4]);
    crate::differences(|[x, y]| f(x, -3, y), |[x, y]| f_jac(x, -3, y), [1.3, 0.4]);
    crate::differences(|[x, y]| f(x, 0, y), |[x, y]| f_jac(x, 0, y), [1.3, 0.4]);
    crate::differences(|[x, y]| f(x, 1, y), |[x, y]| f_jac(x, 1, y), [1.3, 0.4]);
}

#[test]
fn nothing_active_in_the_result() {
    #[jacobian]
    fn f(_x: f64, _table: &[[f64; 2]; 1], n: usize) -> ([f64; 2], f64) {
        ([n as f64, 2.0], 0.5)
    }
    let value = f(1.0, &[[1.0, 2.0]], 3);
    let (own, jacobian) = f_jac(1.0, &[[1.0, 2.0]], 3);
    assert_eq!(value, own);
    assert_eq!(jacobian, [[0.0; 3]; 3]);
}

#[test]
fn whole_passive_arrays_as_results() {
    struct Table {
        rows: [[f64; 2]; 2],
        pair: (f64, [f64; 1]),
    }
    #[jacobian]
    fn rows(_x: f64, table: &Table) -> [[f64; 2]; 2] {
        table.rows
    }
    #[jacobian]
    fn pair(_x: f64, table: &Table) -> (f64, [f64; 1]) {
        table.pair
    }
    let table = Table { rows: [[1.0, 2.0], [3.0, 4.0]], pair: (5.0, [6.0]) };
    check(rows(1.0, &table), rows_jac(1.0, &table), &[0.0; 4]);
    check(pair(1.0, &table), pair_jac(1.0, &table), &[0.0; 2]);
}

mod tables {
    pub const CP: [f64; 3] = [2.0, 3.0, 5.0];
    pub static NESTED: [[f64; 2]; 2] = [[7.0, 11.0], [13.0, 17.0]];
    pub struct Gas {
        pub name: &'static str,
        pub range: (f64, f64),
        pub fits: [Fit; 2],
    }
    pub struct Fit {
        pub a: f64,
        pub powers: [i32; 2],
    }
    pub const AIR: Gas = Gas {
        name: "air",
        range: (200.0, 600.0),
        fits: [Fit { a: 3.5, powers: [1, 2] }, Fit { a: 0.5, powers: [0, -1] }],
    };
}

const CP: [f64; 2] = [0.5, 0.25];
const SCALE: f64 = 4.0;
const COUNT: usize = 2;

#[test]
fn constants_and_tables_by_path() {
    #[jacobian]
    fn f(x: f64, i: usize) -> [f64; 7] {
        [
            x * CP[1] * SCALE,
            x * tables::CP[i] * self::tables::CP[i + 1],
            tables::NESTED[i][COUNT - 1] * x,
            x * tables::AIR.fits[1].a + crate::passive::CP[i],
            x * (tables::AIR.range.1 - tables::AIR.range.0),
            x.powi(tables::AIR.fits[i].powers[1]),
            x * tables::AIR.name.len() as f64 + f64::EPSILON * std::f64::consts::PI,
        ]
    }
    let expected = [1.0, 15.0, 17.0, 0.5, 400.0, -0.25, 3.0];
    let (value, jacobian) = f_jac(2.0, 0);
    assert_eq!(value, f(2.0, 0));
    assert_eq!(jacobian.map(|[entry]| entry), [1.0, 6.0, 11.0, 0.5, 400.0, 4.0, 3.0]);
    let (value, jacobian) = f_jac(2.0, 1);
    assert_eq!(value, f(2.0, 1));
    assert_eq!(jacobian.map(|[entry]| entry), expected);
}

#[test]
fn fields_of_parameters() {
    struct Model {
        gain: f64,
        offset: [f64; 2],
        limits: (f64, usize),
        inner: Inner,
        on: bool,
    }
    struct Inner {
        table: Vec<f64>,
        exponent: i32,
    }
    impl Model {
        #[jacobian]
        fn f(&self, x: f64, other: Inner, k: usize) -> f64 {
            let Inner { exponent, .. } = other;
            self.gain * x + self.offset[1] + self.limits.0 * x.powi(self.inner.exponent)
                - self.inner.table[k] * x.powi(exponent)
                + x * self.limits.1 as f64 * self.on as u8 as f64
        }
    }
    let inner = |exponent| Inner { table: vec![3.0, 5.0], exponent };
    let model = Model { gain: 2.0, offset: [0.5, 0.25], limits: (7.0, 3), inner: inner(2), on: true };
    check(model.f(2.0, inner(3), 1), model.f_jac(2.0, inner(3), 1), &[2.0 + 28.0 - 60.0 + 3.0]);
}

#[test]
fn integers_booleans_tuples_and_slices() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: i32, flags: (bool, u8), list: &[f64], pairs: &[(f64, usize)], y: [f64; COUNT]) -> f64 {
        let (on, _) = flags;
        let (weight, index) = pairs[0];
        let whole = n as f64 / 3.0 + f64::from(flags.1);
        let last = list.len() - 1;
        x * whole * on as u8 as f64 + list[last] * x.powi(n) + weight * x * list[index] + y[1] * x
    }
    let run = || {
        (
            f(2.0, 3, (true, 4), &[1.0, 5.0], &[(7.0, 1)], [0.5, 0.25]),
            f_jac(2.0, 3, (true, 4), &[1.0, 5.0], &[(7.0, 1)], [0.5, 0.25]),
        )
    };
    let (value, own) = run();
    check(value, own, &[5.0 + 60.0 + 35.0 + 0.25]);
}

#[test]
fn an_array_whose_length_is_a_const_parameter() {
    #[jacobian(wrt(x))]
    fn f<const N: usize>(x: f64, weights: &[f64; N]) -> f64 {
        let total: f64 = weights.iter().sum();
        x * total / N as f64 + weights[N - 1] * x
    }
    check(f(2.0, &[1.0, 3.0]), f_jac(2.0, &[1.0, 3.0]), &[5.0]);
    check(f(2.0, &[1.0, 3.0, 8.0]), f_jac(2.0, &[1.0, 3.0, 8.0]), &[12.0]);
}

#[test]
fn a_declared_type_says_what_a_field_is() {
    struct Held {
        row: [f64; 2],
    }
    #[jacobian]
    fn f(x: f64, held: &Held) -> [f64; 2] {
        let row: [f64; 2] = held.row;
        let mut scaled: [f64; 2] = held.row;
        scaled[1] *= x;
        let factor: &f64 = &held.row[0];
        [x * row[0] * factor, scaled[1]]
    }
    let held = Held { row: [2.0, 3.0] };
    check(f(5.0, &held), f_jac(5.0, &held), &[4.0, 3.0]);
}

#[test]
fn a_type_that_is_called_like_one_of_nalgebra() {
    #[derive(Clone, Copy)]
    struct Matrix2([f64; 4]);
    impl Matrix2 {
        fn new(a: f64, b: f64, c: f64, d: f64) -> Self {
            Matrix2([a, b, c, d])
        }
    }
    impl std::ops::Index<usize> for Matrix2 {
        type Output = f64;
        fn index(&self, index: usize) -> &f64 {
            &self.0[index]
        }
    }
    impl std::ops::Index<(usize, usize)> for Matrix2 {
        type Output = f64;
        fn index(&self, (row, column): (usize, usize)) -> &f64 {
            &self.0[2 * row + column]
        }
    }
    #[jacobian]
    fn f(x: f64, other: &Matrix2) -> f64 {
        let m = Matrix2::new(2.0, 3.0, 5.0, 7.0);
        x * m[1] + x * m[(1, 0)] * other[2]
    }
    let other = Matrix2::new(0.0, 0.0, 11.0, 0.0);
    check(f(2.0, &other), f_jac(2.0, &other), &[3.0 + 55.0]);
}

/// What is called in passive code need not be a path.
#[test]
fn functions_in_fields_and_arrays_are_called() {
    struct Tables {
        weight: fn(usize) -> f64,
        curves: [fn(f64) -> f64; 2],
    }
    #[jacobian(wrt(x))]
    fn f(x: f64, tables: &Tables, n: usize, next: &mut impl FnMut() -> f64) -> f64 {
        let own = [f64::sin as fn(f64) -> f64, f64::cos];
        let mut s = x * own[n % 2](0.5) * (if n > 2 { f64::exp } else { f64::ln })(0.3);
        for i in 0..n {
            let w = (tables.weight)(i) + tables.curves[i % 2](0.25);
            s += w * x * (*next)();
        }
        s
    }
    let tables = Tables { weight: |i| i as f64 * 0.5, curves: [f64::sqrt, f64::tan] };
    for n in 0..5 {
        let counter = || {
            let mut calls = 0.0;
            move || {
                calls += 1.0;
                calls
            }
        };
        differences(|[x]| f(x, &tables, n, &mut counter()), |[x]| f_jac(x, &tables, n, &mut counter()), [0.7]);
    }
}

/// However many numbers they go over.
#[test]
fn long_loops_without_active_values() {
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn f(x: f64) -> f64 {
        let mut best = 0_usize;
        for a in 0..200_usize {
            for b in 0..200_usize {
                for c in 0..2_usize {
                    if a * a + b * b == c + 25 {
                        best = a + b * 2 + c;
                    }
                }
            }
        }
        let mut table = [[0_u32; 60]; 60];
        for a in 0..60_usize {
            for b in 0..60_usize {
                table[a][b] = ((a * b) % 7) as u32;
            }
        }
        x * best as f64 * f64::from(table[5][11])
    }
    differences(|[x]| f(x), |[x]| f_jac(x), [0.7]);
}
