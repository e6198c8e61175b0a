//! Parts of arrays: slices that are read, that become arrays, that patterns take apart, and that are written through
//! mutable references.

#![allow(clippy::manual_slice_fill, reason = "as users write it")]

use jacobian::jacobian;

use crate::differences;

const AT: [f64; 6] = [0.7, -1.3, 2.1, 0.4, 1.9, -0.6];

macro_rules! check {
    ($($f:ident, $jac:ident);+ $(;)?) => { $(differences($f, $jac, AT);)+ };
}

#[test]
fn parts_in_order() {
    #[jacobian]
    fn chunks(a: [f64; 6]) -> f64 {
        let mut sum = 0.0;
        for part in a.chunks(4) {
            sum += part[0] * part.len() as f64 + part.iter().product::<f64>();
        }
        sum + a.chunks(2).map(|pair| pair[0] * pair[1]).rev().fold(0.0, |all, v| all * a[2] + v)
    }
    #[jacobian]
    fn first_and_others(a: [f64; 6]) -> f64 {
        let (first, others) = a.split_first().unwrap();
        let last = a.split_last().map_or(0.0, |(last, others)| last * others[1]);
        let none: [f64; 0] = [];
        let nothing = none.split_first().map_or(2.0, |(v, _)| *v);
        if let Some((second, others)) = others.split_first() {
            return first * second * others[3] + last * nothing;
        }
        0.0
    }
    check!(chunks, chunks_jac; first_and_others, first_and_others_jac);
}

#[test]
fn arrays_of_slices() {
    #[jacobian]
    fn bound(a: [f64; 6]) -> f64 {
        let p: [f64; 3] = a[..3].try_into().unwrap();
        let q: &[f64; 2] = a[4..].try_into().expect("two are left");
        p[0] * p[2] * q[1] + p.iter().zip(q).map(|(p, q)| p * q).sum::<f64>()
    }
    #[jacobian]
    fn given(a: [f64; 6]) -> f64 {
        let volume = |v: [f64; 3]| v[0] * v[1] * v[2];
        let (p, q): ([f64; 2], [f64; 2]) = (a[1..3].try_into().unwrap(), a[2..4].try_into().unwrap());
        volume(a[..3].try_into().unwrap()) + volume(a[3..].try_into().unwrap()) * p[1] * q[1]
    }
    #[jacobian]
    fn chosen(a: [f64; 6]) -> f64 {
        let mut sum = 0.0;
        for i in 0..4_usize {
            let p: [f64; 2] = a[2..4].try_into().unwrap();
            sum += p[i % 2] * a[i];
        }
        sum
    }
    check!(bound, bound_jac; given, given_jac; chosen, chosen_jac);

    #[jacobian]
    mod geometry {
        pub struct Segment {
            from: [f64; 3],
            to: [f64; 3],
        }

        impl Segment {
            pub fn read(entries: &[f64; 6]) -> Segment {
                Segment { from: entries[..3].try_into().unwrap(), to: entries[3..].try_into().unwrap() }
            }
        }

        pub fn dot(a: &[f64; 3], b: [f64; 3]) -> f64 {
            a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
        }

        #[jacobian]
        pub fn product(entries: [f64; 6]) -> f64 {
            let segment = Segment::read(&entries);
            dot(&segment.from, segment.to) * dot(entries[1..4].try_into().unwrap(), segment.from)
        }
    }
    differences(geometry::product, geometry::product_jac, AT);
}

#[test]
fn patterns_of_slices() {
    #[jacobian]
    fn pairs(a: [f64; 6]) -> f64 {
        let mut sum = 0.0;
        for pair in a.chunks_exact(2) {
            let [x, y] = pair else { unreachable!() };
            sum += x * y;
        }
        for part in a.chunks(4) {
            if let [x, .., z] = part {
                sum += x * x - z;
            }
            if let [x, _, y, z] = *part {
                sum *= x + y * z;
            } else {
                sum += part[1];
            }
        }
        sum
    }
    #[jacobian]
    fn known(a: [f64; 6]) -> f64 {
        let (x, 1 | 2) = (a[0], 1) else { return 0.0 };
        if let (y, 3) = (a[1], 4) { x * y } else { x * a[2] }
    }
    #[jacobian]
    fn changed(mut a: [f64; 6]) -> f64 {
        if let [x, y, ..] = &mut a[..4] {
            *x *= *y;
        }
        for pair in a.chunks_exact_mut(2) {
            let [x, y] = pair else { unreachable!() };
            *x *= *y;
            *y += 2.0;
        }
        a[0] * a[1] + a[2] * a[5]
    }
    check!(pairs, pairs_jac; known, known_jac; changed, changed_jac);
}

#[test]
fn mutable_parts() {
    #[jacobian]
    fn halves(mut a: [f64; 6]) -> f64 {
        {
            let (left, right) = a.split_at_mut(3);
            left[0] *= right[1];
            right[0] += left[0] * left[1];
            right.swap(0, 2);
            for (l, r) in left.iter_mut().zip(right) {
                *l += *r * *l;
                *r = l.sin();
            }
        }
        a[0] * a[3] + a[5] * a[2]
    }
    #[jacobian]
    fn nested(mut a: [f64; 6]) -> f64 {
        let part = &mut a[1..5];
        part[0] *= part[1];
        let inner = &mut part[1..];
        inner.reverse();
        inner[0] = inner[1] * inner[2];
        let (first, others) = inner.split_first_mut().unwrap();
        *first += others[0];
        others[1] = *first;
        part[0] += part[3];
        a[1] * a[2] + a[3] * a[4]
    }
    #[jacobian]
    fn in_order(mut a: [f64; 6]) -> f64 {
        for part in a.chunks_mut(4) {
            part[0] *= part[1];
            part.rotate_left(1);
            let last = part.len() - 1;
            part[last] += 0.5 * part[0];
        }
        if let Some((last, others)) = a.split_last_mut() {
            others.fill(*last);
            *last = others[0] * others[1];
        }
        a.as_mut_slice()[1] *= 3.0;
        a[0] * a[1] + a[5]
    }
    #[jacobian]
    fn given(mut a: [f64; 6]) -> f64 {
        fn scale(part: &mut [f64], by: f64) -> f64 {
            part.iter_mut().for_each(|v| *v *= by);
            part[0]
        }
        let first = scale(&mut a[2..4], AT[1]);
        let (left, right) = a.split_at_mut(3);
        let second = scale(left, right[0]);
        let double = |part: &mut [f64]| part[1] *= 2.0;
        double(right);
        first * second + a[2] * a[3] + a[4]
    }
    check!(halves, halves_jac; nested, nested_jac; in_order, in_order_jac; given, given_jac);
}

#[test]
fn mutable_parts_at_run_time() {
    #[jacobian(wrt(a))]
    fn in_a_loop(a: [f64; 6], n: usize) -> f64 {
        let mut a = a;
        let part = &mut a[2..5];
        for i in 0..n {
            part[i % 3] *= 0.5 * part[0];
            if i % 2 == 0 {
                part[0] += part[1].sin();
            }
        }
        part[2] += part[0];
        a[2] * a[3] + a[4]
    }
    #[jacobian(wrt(a))]
    fn along_data(mut a: [f64; 6], data: &[f64]) -> f64 {
        for (pair, t) in a.chunks_exact_mut(2).zip(data) {
            pair[0] *= t;
            pair[1] += pair[0] * pair[1];
        }
        a[0] * a[3] + a[5]
    }
    #[jacobian(unroll = "never")]
    fn rolled(mut a: [f64; 6]) -> f64 {
        for part in a.chunks_exact_mut(3) {
            part[0] *= part[1];
            part[2] += part[0];
        }
        a[0] * a[2] + a[5] * a[3]
    }
    #[jacobian(wrt(x))]
    fn of_a_row(x: f64, k: usize) -> f64 {
        let mut rows = [[x, 2.0, x * x], [x.sin(), x, 3.0]];
        let part = &mut rows[k][1..];
        part[0] *= x;
        part[1] -= part[0];
        rows[0][1] * rows[1][2] + rows[1][1] * rows[0][2]
    }
    for n in [0, 1, 2, 5] {
        differences(|a| in_a_loop(a, n), |a| in_a_loop_jac(a, n), AT);
        let data = &[1.5, -0.5, 0.3, 2.0, 1.1][..n];
        differences(|a| along_data(a, data), |a| along_data_jac(a, data), AT);
    }
    check!(rolled, rolled_jac);
    for k in [0, 1] {
        differences(|[x]| of_a_row(x, k), |[x]| of_a_row_jac(x, k), [0.8]);
    }
}

#[test]
fn outputs_in_parts() {
    #[jacobian]
    fn pairs(x: [f64; 6], out: &mut [f64; 6]) {
        for (pair, v) in out.chunks_exact_mut(2).zip(x) {
            pair[0] = v.sin();
            pair[1] = v * x[5] + pair[0];
        }
    }
    #[jacobian]
    fn parts(x: [f64; 6], out: &mut [f64; 6]) {
        let (left, right) = out.split_at_mut(2);
        left.copy_from_slice(&x[3..5]);
        right[..2].fill(x[0] * x[1]);
        let last = &mut right[2..];
        last[0] = left[0] * x[2];
        last[1] = 1.0;
    }
    let call = |f: fn([f64; 6], &mut [f64; 6])| {
        move |x| {
            let mut out = [0.0; 6];
            f(x, &mut out);
            out
        }
    };
    let of_jac = |f: fn([f64; 6], &mut [f64; 6]) -> [[f64; 6]; 6]| {
        move |x| {
            let mut out = [0.0; 6];
            let jac = f(x, &mut out);
            (out, jac)
        }
    };
    differences(call(pairs), of_jac(pairs_jac), AT);
    differences(call(parts), of_jac(parts_jac), AT);
}

/// What is passive in these parts stays one with the array, whatever is called on it.
#[test]
fn passive_parts() {
    #[jacobian]
    fn sorted(x: f64) -> f64 {
        let mut a = [3.0, 1.0, 2.0];
        {
            let all = &mut a;
            all.sort_by(f64::total_cmp);
        }
        let mut b = [3, 1, 2];
        let part = &mut b[1..];
        part.sort_by(|v, w| w.cmp(v));
        part[1] += 4;
        b[..2].sort();
        let mut c = [1, 2, 3, 4];
        let (left, right) = c.split_at_mut(2);
        left[0] = right[1];
        right[0] = 7;
        (a[0] * x + b[0] as f64) * x + (b[1] + b[2]) as f64 * x * (c[0] * c[2]) as f64
    }
    differences(|[x]| sorted(x), |[x]| sorted_jac(x), [1.7]);
}

/// Arrays behind mutable references, of what is passive, and given to functions.
#[test]
fn conversions_by_the_type_that_is_expected() {
    #[jacobian]
    fn mutable(mut a: [f64; 6]) -> f64 {
        fn scale(pair: &mut [f64; 2]) {
            pair[0] *= 10.0;
        }
        let part: &mut [f64; 2] = (&mut a[1..3]).try_into().unwrap();
        part[0] *= part[1];
        scale((&mut a[3..5]).try_into().unwrap());
        for pair in a.chunks_exact_mut(2) {
            let pair: &mut [f64; 2] = pair.try_into().expect("two");
            pair[1] += pair[0];
        }
        a[0] * a[1] + a[2] * a[3] - a[4] * a[5]
    }
    #[jacobian]
    fn passive(x: [f64; 6]) -> f64 {
        let weights: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
        let part: [f64; 2] = weights[1..3].try_into().unwrap();
        let mut mixed = weights;
        mixed[0] = x[0];
        let other: &[f64; 2] = mixed[1..3].try_into().unwrap();
        let places: [usize; 2] = [3_usize, 1, 2][1..].try_into().unwrap();
        part[0] * x[places[0]] * other[1] * mixed[0] + x[places[1]]
    }
    #[jacobian]
    fn assigned(x: [f64; 6]) -> f64 {
        const N: usize = 2;
        let mut pair = [x[0]; N];
        let first = pair[1];
        pair = x[1..3].try_into().unwrap();
        let other: [f64; N] = x[4..].try_into().unwrap();
        let third: [_; 2] = x[2..4].try_into().unwrap();
        pair[0] * pair[1] * first + other[0] * third[1]
    }
    check!(mutable, mutable_jac; passive, passive_jac; assigned, assigned_jac);
}

/// Parts without elements, of which nothing tells the type.
#[test]
fn empty_parts() {
    #[jacobian]
    fn searched(a: [f64; 6]) -> f64 {
        let mut sum = a[0];
        for k in 0..6 {
            if let Some(v) = a[k + 1..].iter().find(|v| **v > a[k]) {
                sum += v * sum;
            }
            sum += a[..k].iter().position(|v| *v > 0.0).map_or(0.0, |i| a[i]);
            if a[..k].iter().all(|v| *v < a[k]) || a[k + 1..].iter().any(|v| *v < -1.0) {
                sum += a[k];
            }
        }
        sum
    }
    #[jacobian]
    fn chosen(a: [f64; 6]) -> f64 {
        let mut sum = a[0];
        for k in 3..6 {
            let rest = &a[k + 1..];
            sum += rest.iter().filter(|v| **v > a[k]).count() as f64 * sum;
            sum += rest.iter().filter(|v| **v > a[k]).max_by(|v, w| v.total_cmp(w)).copied().unwrap_or(sum);
            for v in rest.iter().take_while(|v| **v < 2.0) {
                sum *= v;
            }
        }
        sum
    }
    #[jacobian(unroll = "never")]
    fn rolled(a: [f64; 6]) -> f64 {
        let mut sum = a[1] + a[..0].iter().sum::<f64>();
        for v in &a[..0] {
            sum *= v;
        }
        sum
    }
    check!(searched, searched_jac; chosen, chosen_jac; rolled, rolled_jac);
}

trait Increased {
    fn increase(&mut self);
}

impl Increased for f64 {
    fn increase(&mut self) {
        *self += 1.0;
    }
}

/// Methods that change what is passive beside something active.
#[test]
fn passive_parts_of_what_is_active() {
    #[jacobian]
    fn elements(x: f64) -> f64 {
        let mut a = [x, 3.0, 1.0];
        a.last_mut().unwrap().clone_from(&5.0);
        a[1].increase();
        let part = &mut a[2];
        part.increase();
        let mut pair = (x, 5_u32);
        pair.1.clone_from(&7);
        a[0] * a[1] * a[2] + pair.0 * f64::from(pair.1)
    }
    #[jacobian]
    fn lists(x: f64) -> f64 {
        let mut pair = (x, [3, 1, 2]);
        pair.1.sort();
        let reference = &mut pair;
        reference.1.reverse();
        let mut list = (x, vec![1, 2]);
        list.1.push(4);
        let mut rows = [[3.0, 1.0], [4.0, 2.0]];
        rows.get_mut(1).unwrap().sort_by(f64::total_cmp);
        let mut sum = pair.0 * f64::from(pair.1[0]) + list.0 * list.1.len() as f64 * rows[1][0];
        for row in rows.iter_mut() {
            row.sort_by(f64::total_cmp);
            sum *= x + row[0];
        }
        sum
    }
    #[jacobian(wrt(x))]
    fn in_loops(x: f64, n: usize) -> f64 {
        let mut pair = (x, [3, 1, 2]);
        for _ in 0..n {
            pair.1.rotate_left(1);
            pair.1[n % 3] += 1;
            pair.1.sort();
            pair.0 += f64::from(pair.1[1]) * pair.0;
        }
        if x > 1.0 {
            pair.1.reverse();
        }
        pair.0 * f64::from(pair.1[0])
    }
    #[jacobian]
    mod module {
        pub struct State {
            x: f64,
            counts: [usize; 3],
        }

        #[jacobian]
        pub fn sorted(x: f64) -> f64 {
            let mut state = State { x, counts: [2, 0, 1] };
            state.counts.sort();
            state.counts[0].clone_from(&7);
            state.x * (state.counts[1] + state.counts[0]) as f64
        }
    }
    for x in [0.7, 1.9] {
        differences(|[x]| elements(x), |[x]| elements_jac(x), [x]);
        differences(|[x]| lists(x), |[x]| lists_jac(x), [x]);
        differences(|[x]| module::sorted(x), |[x]| module::sorted_jac(x), [x]);
        for n in 0..4 {
            differences(|[x]| in_loops(x, n), |[x]| in_loops_jac(x, n), [x]);
        }
    }
}
