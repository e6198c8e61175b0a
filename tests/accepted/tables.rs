//! Tables of passive numbers in which what is active looks something up.

use jacobian::jacobian;

use crate::differences;

const KNOTS: [f64; 5] = [0.0, 1.0, 2.0, 4.0, 8.0];
const VALUES: [f64; 5] = [0.0, 1.5, 2.0, 3.0, 3.5];

fn check(f: fn(f64) -> f64, jac: fn(f64) -> (f64, [f64; 1])) {
    for x in [-0.5, 0.25, 1.5, 3.0, 5.5, 9.0] {
        differences(|[x]: [f64; 1]| f(x), |[x]| jac(x), [x]);
    }
}

#[test]
fn intervals_of_a_table() {
    #[jacobian]
    fn position(x: f64) -> f64 {
        let k = KNOTS.iter().position(|&knot| knot > x).unwrap_or(4).max(1);
        VALUES[k - 1] + (x - KNOTS[k - 1]) / (KNOTS[k] - KNOTS[k - 1]) * (VALUES[k] - VALUES[k - 1])
    }
    #[jacobian]
    fn last_position(x: f64) -> f64 {
        let k = KNOTS.iter().rposition(|&knot| knot <= x).unwrap_or(0);
        VALUES[k] * x
    }
    #[jacobian]
    fn partition(x: f64) -> f64 {
        let k = KNOTS.partition_point(|&knot| knot <= x).clamp(1, 4);
        VALUES[k] * x + KNOTS[k - 1]
    }
    #[jacobian]
    fn search(x: f64) -> f64 {
        let (Ok(k) | Err(k)) = KNOTS.binary_search_by(|knot| knot.total_cmp(&x));
        VALUES[k.min(4)] * x * x
    }
    #[jacobian]
    fn found(x: f64) -> f64 {
        let k = (0..4).find(|&k| x < KNOTS[k + 1]).unwrap_or(3);
        VALUES[k + 1] * x
    }
    #[jacobian]
    fn found_from_the_end(x: f64) -> f64 {
        let k = (0..4).rev().find(|&k| x >= KNOTS[k]).unwrap_or(0);
        let last = (0..5).rfind(|k| KNOTS[*k] <= x).unwrap_or_default();
        VALUES[k] * x + VALUES[last] * x * x
    }
    check(position, position_jac);
    check(last_position, last_position_jac);
    check(partition, partition_jac);
    check(search, search_jac);
    check(found, found_jac);
    check(found_from_the_end, found_from_the_end_jac);
}

#[test]
fn entries_of_a_table_of_run_time_length() {
    #[jacobian(wrt(x))]
    fn entry(x: f64, table: &[(f64, f64)]) -> f64 {
        match table.iter().find(|(knot, _)| *knot > x) {
            Some((knot, value)) => value * (x - knot) * x,
            None => x,
        }
    }
    #[jacobian(wrt(x))]
    fn next_entry(x: f64, table: &[(f64, f64)]) -> f64 {
        let mut entries = table.iter();
        let first = entries.find(|entry| entry.0 > x).map_or(1.0, |entry| entry.1);
        let second = entries.next().map_or(2.0, |entry| entry.1);
        first * x + second * x * x
    }
    #[jacobian(wrt(x))]
    fn both_sides(x: f64, table: &[(f64, f64)]) -> f64 {
        let above: f64 = table.iter().skip_while(|entry| entry.0 < x).map(|(knot, value)| knot * x + value).sum();
        let below = table.iter().rev().find(|entry| entry.0 < x).copied().unwrap_or((0.0, 1.0));
        above * x + below.1 * x
    }
    let table: Vec<_> = KNOTS.into_iter().zip(VALUES).collect();
    for x in [-0.5, 0.25, 1.5, 3.0, 5.5, 9.0] {
        differences(|[x]: [f64; 1]| entry(x, &table), |[x]| entry_jac(x, &table), [x]);
        differences(|[x]: [f64; 1]| next_entry(x, &table), |[x]| next_entry_jac(x, &table), [x]);
        differences(|[x]: [f64; 1]| both_sides(x, &table), |[x]| both_sides_jac(x, &table), [x]);
    }
}

/// What is left of passive items that an active condition chooses is passive, whatever is done with it.
#[test]
fn entries_that_are_chosen() {
    #[jacobian(wrt(x))]
    fn greatest(x: [f64; 2], table: &[(f64, f64)]) -> f64 {
        let greatest = table.iter().filter(|entry| entry.0 < x[0]).max_by(|a, b| a.1.total_cmp(&b.1));
        let least = table.iter().map(|entry| entry.1).filter(|value| *value > x[0]).reduce(|a, b| a.min(b));
        x[0] * x[1] * greatest.map_or(1.5, |entry| entry.1.sqrt()) + x[1] * least.unwrap_or(0.5)
    }
    #[jacobian(wrt(x))]
    #[allow(clippy::double_ended_iterator_last)]
    fn counted(x: [f64; 2], table: &[(f64, usize)]) -> f64 {
        let most = table.iter().filter(|entry| entry.0 > x[0]).map(|entry| entry.1).max();
        let all: usize = table.iter().take_while(|entry| entry.0 < x[0] * 2.0).map(|entry| entry.1).sum();
        let last = table.iter().filter(|entry| entry.0 <= x[0]).last();
        match last {
            Some((knot, count)) => x[0] * (x[1] - knot) * *count as f64,
            None => x[1] * most.unwrap_or(3) as f64 * all as f64,
        }
    }
    let table: Vec<_> = KNOTS.into_iter().zip(VALUES).collect();
    let counts: Vec<_> = KNOTS.into_iter().zip([1, 0, 7, 2, 3]).collect();
    for x in [-0.5, 0.25, 1.6, 2.9, 5.5, 9.0] {
        differences(|x| greatest(x, &table), |x| greatest_jac(x, &table), [x, 0.7]);
        differences(|x| counted(x, &counts), |x| counted_jac(x, &counts), [x, 0.7]);
    }
}

/// Iterators that are searched where they are, and methods of the user's with the names of those of iterators.
#[test]
fn what_is_searched_where_it_is() {
    #[derive(Clone, Copy)]
    struct Threshold(f64);

    impl Threshold {
        fn find(&self, is_such: impl Fn(f64) -> bool) -> f64 {
            if is_such(self.0) { 2.0 } else { 3.0 }
        }
    }

    struct Counter(u32);

    impl Iterator for Counter {
        type Item = u32;

        fn next(&mut self) -> Option<u32> {
            self.0 += 1;
            Some(self.0)
        }
    }

    impl Counter {
        fn find(&mut self, is_such: impl Fn(&u32) -> bool) -> Option<u32> {
            if is_such(&3) { Some(100) } else { Some(200) }
        }
    }

    #[jacobian(wrt(x))]
    fn f(x: f64, table: &[f64], threshold: Threshold, text: &str) -> f64 {
        let mut all = [table.iter(), table.iter()];
        let first = all[0].find(|knot| **knot > x).unwrap_or(&2.0);
        let next = all[0].next().unwrap_or(&0.5);
        let mut pair = (table.iter(), 2.0);
        let third = pair.0.rfind(|knot| **knot < x).unwrap_or(&2.0) * pair.1;
        let mut rest = table.iter();
        let again = &mut rest;
        let fourth = again.find(|knot| **knot > x).map_or(0.5, |knot| knot.sqrt());
        let mut counter = Counter(0);
        let count = counter.find(|count| f64::from(*count) > x).unwrap_or(1);
        let letter = text.find(|c: char| f64::from(c as u32) > 90.0 + x).unwrap_or(7);
        let own = threshold.find(|value| value > x);
        x * (first + 2.0 * next + third) + x * x * fourth * f64::from(count) + x * letter as f64 * own
    }
    for x in [0.25, 1.6, 2.9, 5.5, 9.25] {
        let of = |[x]: [f64; 1]| f(x, &KNOTS, Threshold(2.0), "abc");
        differences(of, |[x]| f_jac(x, &KNOTS, Threshold(2.0), "abc"), [x]);
    }
}
