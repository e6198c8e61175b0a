//! Passive values: kept as they are written.

use jacobian::jacobian;

use crate::check;

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
