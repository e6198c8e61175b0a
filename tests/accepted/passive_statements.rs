//! Statements without an active value: they are kept as they are written, whatever they are.

use std::cell::{Cell, RefCell};

use jacobian::jacobian;

use crate::check;
use crate::panics::panic_of;

#[test]
fn loops_over_data() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let mut total = 0.0;
        for d in data {
            total += d;
        }
        let mut weighted: f64 = 0.0;
        for (i, d) in data.iter().enumerate() {
            if i % 2 == 1 {
                continue;
            }
            weighted += d * i as f64;
        }
        x * total + x * weighted
    }
    check(f(1.0, &[1.0, 2.0, 4.0]), f_jac(1.0, &[1.0, 2.0, 4.0]), &[7.0 + 8.0]);
    check(f(1.0, &[]), f_jac(1.0, &[]), &[0.0]);
}

#[test]
fn loops_over_ranges_of_the_run_time() {
    #[jacobian(wrt(x))]
    #[allow(clippy::needless_range_loop)]
    fn f(x: f64, data: &[f64], n: usize) -> f64 {
        let (mut largest, mut at) = (f64::MIN, 0);
        for i in 0..n {
            if data[i] > largest {
                largest = data[i];
                at = i;
            }
        }
        let mut product = 1;
        'outer: for i in 1..=n {
            for j in 0..i {
                if j > 2 {
                    break 'outer;
                }
                product *= 2;
            }
        }
        x * largest + x * x * at as f64 + product as f64
    }
    check(f(3.0, &[1.0, 5.0, 2.0], 3), f_jac(3.0, &[1.0, 5.0, 2.0], 3), &[11.0]);
    check(f(3.0, &[1.0, 5.0, 2.0], 1), f_jac(3.0, &[1.0, 5.0, 2.0], 1), &[1.0]);
}

#[test]
fn while_and_loop() {
    #[jacobian(wrt(x))]
    fn f(x: f64, table: &[f64], key: f64) -> f64 {
        let (mut low, mut high) = (0, table.len());
        while low < high {
            let middle = low.midpoint(high);
            if table[middle] < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut power = 1.0;
        let found = loop {
            power *= 2.0;
            if power > key {
                break power;
            }
        };
        x * low as f64 + x * x * found
    }
    let table = [1.0, 3.0, 5.0, 7.0];
    check(f(3.0, &table, 4.0), f_jac(3.0, &table, 4.0), &[2.0 + 48.0]);
    check(f(3.0, &table, 8.0), f_jac(3.0, &table, 8.0), &[4.0 + 96.0]);
}

#[test]
fn while_let() {
    #[jacobian(wrt(x))]
    fn f(x: f64, mut list: Vec<f64>) -> f64 {
        let mut total = 0.0;
        while let Some(last) = list.pop() {
            total = total * 10.0 + last;
        }
        x * total
    }
    check(f(3.0, vec![1.0, 2.0]), f_jac(3.0, vec![1.0, 2.0]), &[21.0]);
}

#[test]
fn loops_in_arms_and_known_loops() {
    #[jacobian(wrt(x))]
    fn f(x: [f64; 2], data: &[f64]) -> f64 {
        let mut s = 0.0;
        for v in x {
            let mut total = 0.0;
            for d in data {
                total += d;
            }
            s += v * total;
        }
        if s > 1.0 {
            let mut count = 0;
            for _ in data {
                count += 1;
            }
            s *= count as f64;
        }
        s
    }
    check(f([1.0, 2.0], &[1.0, 2.0]), f_jac([1.0, 2.0], &[1.0, 2.0]), &[6.0, 6.0]);
    check(f([0.1, 0.2], &[1.0, 2.0]), f_jac([0.1, 0.2], &[1.0, 2.0]), &[3.0, 3.0]);
}

#[test]
fn a_passive_array_that_a_loop_fills() {
    #[jacobian(wrt(x))]
    #[allow(clippy::needless_range_loop)]
    fn f(x: [f64; 3], data: &[f64]) -> f64 {
        let mut counts = [0.0; 3];
        for d in data {
            counts[*d as usize] += 1.0;
        }
        let mut s = 0.0;
        for i in 0..3 {
            s += x[i] * counts[i];
        }
        s
    }
    let data = [0.0, 2.0, 2.0];
    check(f([1.0, 2.0, 3.0], &data), f_jac([1.0, 2.0, 3.0], &data), &[1.0, 0.0, 2.0]);
}

#[test]
fn an_iterator_in_a_variable() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let mut items = data.iter();
        let a = items.next().unwrap();
        let b = items.next().unwrap();
        let rest: f64 = items.sum();
        x * (a - b) + x * rest
    }
    check(f(1.0, &[5.0, 2.0, 1.0, 3.0]), f_jac(1.0, &[5.0, 2.0, 1.0, 3.0]), &[7.0]);
}

#[test]
fn a_string_that_grows() {
    #[jacobian(wrt(x))]
    fn f(x: f64, mut name: String) -> f64 {
        let mut own = String::from("b");
        own.push('c');
        name.push('a');
        name.push_str(&own);
        name += "d";
        x * name.len() as f64 + if name.starts_with("za") { x } else { 0.0 }
    }
    check(f(1.0, "z".to_string()), f_jac(1.0, "z".to_string()), &[6.0]);
}

macro_rules! text {
    ($($part:tt)*) => {
        format!($($part)*)
    };
}

#[test]
fn variables_that_a_text_in_a_macro_captures() {
    use std::fmt::Write;

    #[jacobian(wrt(x))]
    fn f<const N: usize>(x: f64, n: usize, values: [f64; N]) -> f64 {
        let (mut log, k, three) = (String::new(), n + 1, 3);
        write!(log, "{}{n}{k:>3}{three}{N} {{x}}", values[0]).unwrap();
        writeln!(log, "{n}").unwrap();
        let both = text!("{log}{n:>width$}", width = 7);
        let inner = if n > 2 {
            let n = 12345;
            text!("{n}").len()
        } else {
            text!("{n}").len()
        };
        x * (log.len() + 100 * both.len() + 10_000 * inner) as f64
    }
    for n in [0, 3, 1000] {
        let slope = f(1.0, n, [0.25, 1.5]);
        check(f(2.0, n, [0.25, 1.5]), f_jac(2.0, n, [0.25, 1.5]), &[slope]);
    }
}

#[test]
fn statements_in_arms_of_which_some_give_nothing() {
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let mut list = vec![3.0];
        match n {
            0 => list.push(1.0),
            1..=3 if n != 2 => list.clear(),
            _ => (),
        }
        if n > 2 {
            list.push(2.0)
        } else if n > 1 {
        } else {
            list.push(1.0)
        }
        let mut y = x;
        if x > 1.2 {
            list.push(8.0)
        } else {
            y = x * x;
        }
        list.len() as f64 * y
    }
    for (n, length) in [(0, 3.0), (1, 1.0), (2, 1.0), (3, 1.0), (4, 2.0)] {
        check(f(1.5, n), f_jac(1.5, n), &[length + 1.0]);
        check(f(0.5, n), f_jac(0.5, n), &[length]);
    }
}

/// A small generator of numbers.
#[derive(Clone, Copy)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1_u64 << 31) as f64
    }
}

#[test]
fn a_method_that_changes_a_variable() {
    #[jacobian]
    fn f(x: f64, y: f64, seed: u64) -> f64 {
        let mut random = Random(seed);
        let mut s = 0.0;
        for _ in 0..3 {
            s += x * random.next() + y * random.next();
        }
        s * random.next()
    }
    let mut random = Random(7);
    let r: [f64; 7] = std::array::from_fn(|_| random.next());
    check(f(1.0, 2.0, 7), f_jac(1.0, 2.0, 7), &[(r[0] + r[2] + r[4]) * r[6], (r[1] + r[3] + r[5]) * r[6]]);
}

trait Bits {
    fn set(&mut self, bit: u32) -> bool;
}

impl Bits for u32 {
    fn set(&mut self, bit: u32) -> bool {
        *self |= 1 << bit;
        *self > 4
    }
}

#[test]
fn a_method_that_changes_what_was_known() {
    fn made() -> [f64; 3] {
        [1.0, 2.0, 4.0]
    }
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize, mut given: [f64; 3]) -> [f64; 3] {
        let mut list = [1.0, 2.0];
        list.rotate_left(1);
        let mut mixed = [n as f64, 2.0, 7.0];
        mixed.rotate_left(n);
        let mut made: [f64; 3] = made();
        given.rotate_right(1);
        let mut bits = 5_u32;
        if x > 1.0 {
            bits.set(1);
            made.rotate_left(1);
        }
        let twice = [bits.set(n as u32), bits.set(4)];
        let mut grid = [[1.0, 2.0], [3.0, 5.0]];
        let mut s = if twice[0] { x } else { 0.0 };
        for (i, row) in [1, 0].into_iter().enumerate() {
            grid[i].rotate_left(row);
            list.rotate_left(i);
            s += x * x * grid[i][0] * list[0];
        }
        [s, x * bits as f64 * given[0], x * (made[0] + 10.0 * mixed[0])]
    }
    for (x, n) in [(0.5, 0), (0.5, 2), (1.5, 1)] {
        let (bits, made) = if x > 1.0 { (5 | 2 | 1 << n | 16, 2.0) } else { (5 | 1 << n | 16, 1.0) };
        let mixed = [n as f64, 2.0, 7.0][n];
        let slopes = [1.0 + 2.0 * x * (2.0 * 2.0 + 3.0), f64::from(bits) * 8.0, made + 10.0 * mixed];
        check(f(x, n, [3.0, 6.0, 8.0]), f_jac(x, n, [3.0, 6.0, 8.0]), &slopes);
    }
}

#[test]
fn a_method_that_changes_a_parameter_or_a_field() {
    struct State {
        random: Random,
        list: Vec<f64>,
        calls: usize,
    }
    #[jacobian(wrt(x))]
    fn f(x: f64, mut random: Random, state: &mut State) -> f64 {
        let a = random.next();
        state.list.push(a);
        state.calls += 1;
        state.random = random;
        let b = state.random.next();
        x * a + x * b + state.list.len() as f64
    }
    let state = || State { random: Random(1), list: vec![2.0], calls: 3 };
    let (mut one, mut other) = (state(), state());
    let mut random = Random(7);
    let slope = random.next() + random.next();
    check(f(1.0, Random(7), &mut one), f_jac(1.0, Random(7), &mut other), &[slope]);
    assert_eq!((one.list, one.calls, one.random.0), (other.list, other.calls, other.random.0));
}

#[test]
fn mutable_references_to_passive_variables() {
    fn add(total: &mut f64, by: f64) -> usize {
        *total += by;
        1
    }
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let mut total = 1.0;
        let mut count = add(&mut total, data[0]);
        let reference = &mut count;
        *reference += 5;
        let mut pair = (1.0, 2.0);
        std::mem::swap(&mut pair.0, &mut pair.1);
        x * total + x * count as f64 + x * pair.0
    }
    check(f(1.0, &[2.0]), f_jac(1.0, &[2.0]), &[3.0 + 6.0 + 2.0]);
}

#[test]
fn formatting_and_lists() {
    #[jacobian(wrt(x))]
    #[allow(clippy::useless_vec)]
    fn f(x: f64, n: usize) -> f64 {
        println!("n is {n}");
        eprintln!("{}", n + 1);
        let text = format!("{n:03}");
        let list = vec![1.0, n as f64];
        let zeros = vec![0.5; n];
        let total: f64 = list.iter().chain(&zeros).sum();
        let seen = dbg!(total * 2.0);
        x * text.len() as f64 + x * list[1] + x * seen
    }
    check(f(1.0, 4), f_jac(1.0, 4), &[3.0 + 4.0 + 14.0]);
}

#[test]
fn chains_of_conditions_with_patterns() {
    #[jacobian(wrt(x))]
    fn f(x: f64, gain: Option<f64>, offset: Result<f64, usize>) -> f64 {
        if let Some(gain) = gain
            && gain > 1.0
            && let Ok(offset) = offset
        {
            x * gain + offset
        } else {
            x * x
        }
    }
    check(f(3.0, Some(2.0), Ok(1.0)), f_jac(3.0, Some(2.0), Ok(1.0)), &[2.0]);
    check(f(3.0, Some(2.0), Err(1)), f_jac(3.0, Some(2.0), Err(1)), &[6.0]);
    check(f(3.0, Some(0.5), Ok(1.0)), f_jac(3.0, Some(0.5), Ok(1.0)), &[6.0]);
    check(f(3.0, None, Ok(1.0)), f_jac(3.0, None, Ok(1.0)), &[6.0]);
}

#[test]
fn closures_with_statements() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let spread = data.iter().map(|d| {
            let centred = d - data[0];
            centred * centred
        });
        let total: f64 = spread.sum();
        let mut calls = 0;
        let mut scaled = |d: f64| {
            calls += 1;
            let twice = 2.0 * d;
            if twice > 5.0 { 5.0 } else { twice }
        };
        let weight = scaled(data[0]) + scaled(data[1]);
        let mut sorted = data.to_vec();
        sorted.sort_by(|a, b| {
            let ascending = a.total_cmp(b);
            ascending.reverse()
        });
        x * total + x * weight + x * sorted[0] + calls as f64
    }
    check(f(1.0, &[1.0, 4.0]), f_jac(1.0, &[1.0, 4.0]), &[9.0 + 7.0 + 4.0]);
}

#[test]
fn struct_literals_of_passive_values() {
    #[derive(Clone, Copy)]
    struct Law {
        gain: f64,
        order: i32,
    }
    impl Law {
        fn offset(&self) -> f64 {
            self.gain * 10.0
        }
    }
    #[jacobian]
    fn f(x: f64, n: i32) -> f64 {
        let order = n + 1;
        let law = Law { gain: 0.5, order };
        let mut other = Law { order: 1, ..law };
        other.gain = law.gain * 4.0;
        let Law { gain, .. } = other;
        law.gain * x.powi(law.order) + gain * x.powi(other.order) + law.offset()
    }
    check(f(3.0, 1), f_jac(3.0, 1), &[3.0 + 2.0]);
}

#[test]
fn options_and_results() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], key: &str) -> f64 {
        let first = match data.first() {
            Some(first) => *first,
            None => 1.0,
        };
        let parsed = match key.parse::<f64>() {
            Ok(parsed) if parsed > 0.0 => parsed,
            Ok(_) => 0.5,
            Err(_) => 0.25,
        };
        let Some(last) = data.get(1) else { return x * first * parsed };
        x * first * parsed * last
    }
    check(f(1.0, &[], "2"), f_jac(1.0, &[], "2"), &[2.0]);
    check(f(1.0, &[3.0], "2"), f_jac(1.0, &[3.0], "2"), &[6.0]);
    check(f(1.0, &[3.0, 5.0], "-2"), f_jac(1.0, &[3.0, 5.0], "-2"), &[7.5]);
    check(f(1.0, &[3.0, 5.0], "no"), f_jac(1.0, &[3.0, 5.0], "no"), &[3.75]);
}

#[test]
fn collected_lists() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], n: usize) -> f64 {
        let scaled: Vec<f64> = data.iter().map(|d| d * 2.0).collect();
        let numbers = (0..n).map(|i| i as f64).collect::<Vec<_>>();
        let known: Vec<usize> = (0..3).collect();
        let pairs: std::collections::BTreeMap<usize, f64> = data.iter().copied().enumerate().collect();
        x * scaled[1] + x * numbers[n - 1] + x * known[2] as f64 + x * pairs[&0]
    }
    check(f(1.0, &[3.0, 5.0], 4), f_jac(1.0, &[3.0, 5.0], 4), &[10.0 + 3.0 + 2.0 + 3.0]);
}

#[test]
fn sorted_and_searched_lists() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let mut sorted = data.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        let median = sorted[sorted.len() / 2];
        let largest = data.iter().copied().reduce(f64::max).unwrap_or(0.0);
        let at = data.iter().position(|d| *d == median).unwrap_or(0);
        x * median + x * largest + x * at as f64
    }
    let data = [5.0, 1.0, 3.0, 3.0];
    check(f(1.0, &data), f_jac(1.0, &data), &[3.0 + 5.0 + 2.0]);
}

#[test]
fn effects_in_loops_of_the_run_time() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], level: &Cell<f64>) -> f64 {
        let before = x * level.get();
        for d in data {
            level.set(level.get() + d);
        }
        before + x * level.get()
    }
    let (level, own) = (Cell::new(1.0), Cell::new(1.0));
    check(f(1.0, &[2.0, 3.0], &level), f_jac(1.0, &[2.0, 3.0], &own), &[7.0]);
    assert_eq!(level, own);
}

#[test]
fn panics_in_loops_of_the_run_time() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        for (i, d) in data.iter().enumerate() {
            assert!(*d >= 0.0, "the sample {i} is negative: {d}");
        }
        x * x
    }
    check(f(3.0, &[1.0]), f_jac(3.0, &[1.0]), &[6.0]);
    assert_eq!(panic_of(|| f(3.0, &[1.0, -1.0])), "the sample 1 is negative: -1");
    assert_eq!(panic_of(|| f_jac(3.0, &[1.0, -1.0])), "the sample 1 is negative: -1");
}

#[test]
fn variables_that_are_shadowed_in_loops_of_the_run_time() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let scale = 2.0;
        let mut total = 0.0;
        for d in data {
            let scale = d * scale;
            let x = 1.0;
            total += scale * x;
        }
        x * total * scale
    }
    check(f(3.0, &[1.0, 5.0]), f_jac(3.0, &[1.0, 5.0]), &[24.0]);
}

#[test]
fn blocks_and_unit_values() {
    #[jacobian(wrt(x))]
    #[allow(clippy::let_unit_value, clippy::unused_unit)]
    fn f(x: f64, data: &[f64]) -> f64 {
        let unit = {
            let mut sum = 0.0;
            for d in data {
                sum += d;
            }
            assert!(sum > 0.0);
        };
        let () = unit;
        let total = {
            let mut sum = 0.0;
            for d in data {
                sum += d;
            }
            sum
        };
        x * total
    }
    check(f(3.0, &[1.0, 5.0]), f_jac(3.0, &[1.0, 5.0]), &[6.0]);
}

#[test]
fn a_variable_that_a_block_with_a_borrow_changes() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], cell: &RefCell<f64>) -> f64 {
        let mut total = 0.0;
        let mut counts = [0.0; 2];
        {
            let scale = cell.borrow();
            for d in data {
                total += d * *scale;
                counts[1] += 1.0;
            }
        }
        *cell.borrow_mut() += 1.0;
        for d in data {
            total += d;
        }
        x * total + x * counts[1] + x * *cell.borrow()
    }
    let (one, other) = (RefCell::new(2.0), RefCell::new(2.0));
    check(f(1.0, &[3.0, 4.0], &one), f_jac(1.0, &[3.0, 4.0], &other), &[14.0 + 7.0 + 2.0 + 3.0]);
    assert_eq!(one, other);
}

#[test]
fn variables_that_arms_change() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64], flag: bool) -> f64 {
        let mut total = 1.0;
        let mut list = data.to_vec();
        if flag {
            for d in data {
                total += d;
            }
            list.push(7.0);
        } else {
            list.clear();
        }
        if x > 2.0 {
            while total < 100.0 {
                total *= 2.0;
            }
        }
        total += list.len() as f64;
        x * total
    }
    for (x, flag) in [(1.0, true), (3.0, true), (1.0, false), (3.0, false)] {
        let (value, [slope]) = f_jac(x, &[3.0, 4.0], flag);
        assert_eq!(value, f(x, &[3.0, 4.0], flag));
        assert_eq!(slope, value / x);
    }
}

#[test]
fn a_variable_that_holds_an_active_value_later() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let mut total = 0.0;
        for d in data {
            total += d;
        }
        total *= x;
        let mut last = data[0];
        while last < 10.0 {
            last *= 3.0;
        }
        last = last * x + total;
        last
    }
    check(f(3.0, &[2.0, 5.0]), f_jac(3.0, &[2.0, 5.0]), &[7.0 + 18.0]);
}

#[test]
fn blocks_with_labels() {
    #[allow(clippy::manual_is_multiple_of)]
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize) -> f64 {
        let v = 'b: {
            if n > 3 {
                break 'b n;
            }
            n + 1
        };
        let mut k = 1;
        'c: {
            k += n;
            if n > 3 {
                break 'c;
            }
            k += 2;
        }
        let found = 'd: {
            for i in 2..n {
                if n % i == 0 {
                    break 'd i;
                }
            }
            1
        };
        x * (v * k * found) as f64
    }
    check(f(2.0, 3), f_jac(2.0, 3), &[24.0]);
    check(f(2.0, 9), f_jac(2.0, 9), &[270.0]);
}
