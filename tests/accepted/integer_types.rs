//! The types of integers that only a use tells which is evaluated when the function is expanded.

use jacobian::jacobian;

use crate::check;

/// The number of bits of a value's type.
fn bits<T>(_: T) -> f64 {
    8.0 * size_of::<T>() as f64
}

#[test]
fn an_index_of_an_active_array_tells_the_type_of_a_counter() {
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn f(a: [f64; 3]) -> f64 {
        let mut s = 0.0;
        for i in 0..3 {
            let r = ((i * 7919 + 104_729) * 1_299_709) % 1000;
            s += a[i] * r as f64;
        }
        s
    }
    let slope = |i: u64| (((i * 7919 + 104_729) * 1_299_709) % 1000) as f64;
    check(f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]), &[slope(0), slope(1), slope(2)]);
}

#[test]
#[cfg(target_pointer_width = "64")]
fn complements_and_shifts_of_an_index() {
    #[jacobian]
    fn f(a: [f64; 3]) -> f64 {
        let k = 1;
        let (complement, shifted) = (!k, k << 40);
        let back = (k << 33) >> 32;
        a[k] * complement as f64 + a[0] * shifted as f64 + a[2] * back as f64
    }
    check(f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]), &[2f64.powi(40), !1_usize as f64, 2.0]);
}

#[test]
fn comparisons_of_what_an_index_tells_the_type_of() {
    #[jacobian]
    fn f(a: [f64; 3]) -> f64 {
        let k = 2;
        let is_large = !k > 1000;
        let is_odd = (k * 1_500_000_000 + 1) % 2 == 1;
        a[k] * if is_large { 3.0 } else { 5.0 } + a[0] * if is_odd { 7.0 } else { 11.0 }
    }
    check(f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]), &[7.0, 0.0, 3.0]);
}

#[test]
fn generic_calls_with_an_index() {
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn f(a: [f64; 3]) -> f64 {
        let mut s = 0.0;
        for i in 0..3 {
            s += a[i] * bits(i) * bits(i + 1);
        }
        s
    }
    check(f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]), &[bits(0_usize).powi(2); 3]);
}

#[test]
fn an_index_in_only_one_of_many_uses() {
    #[jacobian]
    fn f(a: [f64; 4]) -> f64 {
        let (k, step) = (3, 2);
        let next = (k + step) % 4;
        a[0] * bits(k) + a[1] * bits(step) + a[next]
    }
    let size = bits(0_usize);
    check(f([1.0; 4]), f_jac([1.0; 4]), &[size, size + 1.0, 0.0, 0.0]);
}

#[test]
fn a_declared_variable_tells_the_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let k = 5;
        let n = !k;
        let m: u8 = k;
        x * n as f64 + f64::from(m)
    }
    check(f(2.0), f_jac(2.0), &[250.0]);
}

#[test]
fn a_declared_tuple_or_array_tells_the_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let (k, l, j) = (5, 6, 7);
        let (n, m, o) = (!k, !l, !j);
        let (p, _): (u8, f64) = (k, x);
        let [q, _]: [u16; 2] = [l, 0];
        let [[r], _]: [[u32; 1]; 2] = [[j], [0]];
        x * n as f64 + x * m as f64 + x * o as f64 + (r - 7) as f64 + f64::from(p) - f64::from(q)
    }
    check(f(2.0), f_jac(2.0), &[250.0 + 65_529.0 + 4_294_967_288.0]);
}

#[test]
fn a_comparison_with_a_known_value_tells_the_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        const LIMIT: u8 = 5;
        let k = 5;
        let n = !k;
        let y = x * n as f64;
        if k == LIMIT { y } else { x * x }
    }
    check(f(2.0), f_jac(2.0), &[250.0]);
}

#[test]
fn a_comparison_with_a_parameter_tells_the_type() {
    #[jacobian]
    fn f(x: f64, limit: u8) -> f64 {
        let k = 5;
        let n = !k;
        let y = x * n as f64;
        if k == limit { y } else { 3.0 * y }
    }
    check(f(2.0, 5), f_jac(2.0, 5), &[250.0]);
    check(f(2.0, 4), f_jac(2.0, 4), &[750.0]);
}

#[test]
fn an_argument_of_a_passive_function_tells_the_type() {
    fn small(k: u8) -> f64 {
        f64::from(k)
    }
    #[jacobian]
    fn f(x: f64) -> f64 {
        let k = 5;
        let n = !k;
        let shifted = k << 6;
        x * n as f64 + x * shifted as f64 + small(k)
    }
    check(f(2.0), f_jac(2.0), &[250.0 + 64.0]);
}

#[test]
fn a_field_of_a_struct_tells_the_type() {
    struct Held {
        count: u8,
        items: [u16; 2],
    }
    #[jacobian]
    fn f(x: f64, held: &Held) -> f64 {
        let (k, l) = (5, 6);
        let (n, m) = (!k, !l);
        let y = x * n as f64 + x * m as f64;
        if k < held.count || l == held.items[0] { y } else { 3.0 * y }
    }
    let held = Held { count: 6, items: [0; 2] };
    check(f(2.0, &held), f_jac(2.0, &held), &[250.0 + 65_529.0]);
}

#[test]
fn a_parameter_of_a_closure_tells_the_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let scaled = |k: u8| x * f64::from(k);
        let k = 5;
        let n = !k;
        scaled(k) + x * n as f64
    }
    check(f(2.0), f_jac(2.0), &[255.0]);
}

#[test]
fn a_closure_without_types_tells_it_by_its_body() {
    #[jacobian]
    fn f(a: [f64; 6]) -> f64 {
        let at = |k| a[k];
        let k = 5;
        at(k) * bits(k)
    }
    check(f([1.0; 6]), f_jac([1.0; 6]), &[0.0, 0.0, 0.0, 0.0, 0.0, bits(0_usize)]);
}

#[test]
fn the_result_of_a_closure_tells_the_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let k = 5;
        let n = !k;
        let same = || -> u8 { k };
        x * n as f64 + f64::from(same())
    }
    check(f(2.0), f_jac(2.0), &[250.0]);
}

#[test]
fn a_parameter_of_a_helper_tells_the_type() {
    #[jacobian]
    mod helped {
        fn scaled(x: f64, k: u8) -> f64 {
            x * k as f64
        }

        fn at(a: [f64; 6], k: usize) -> f64 {
            a[k]
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            let k = 5;
            let n = !k;
            scaled(x, k) + x * n as f64
        }

        #[jacobian]
        pub fn g(a: [f64; 6]) -> f64 {
            let k = 5;
            at(a, k) * super::bits(k)
        }
    }
    check(helped::f(2.0), helped::f_jac(2.0), &[255.0]);
    check(helped::g([1.0; 6]), helped::g_jac([1.0; 6]), &[0.0, 0.0, 0.0, 0.0, 0.0, bits(0_usize)]);
}

#[test]
fn a_constant_of_the_module_tells_the_type() {
    #[jacobian]
    mod limits {
        const LIMIT: u8 = 5;
        const TABLE: [(u16, f64); 2] = [(6, 1.0), (7, 2.0)];

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            let (k, l) = (5, 6);
            let (n, m) = (!k, !l);
            let mut y = x * n as f64 + x * m as f64;
            if k > LIMIT {
                y = 0.0;
            }
            for (count, weight) in TABLE {
                if count == l {
                    y *= weight;
                }
            }
            y
        }
    }
    check(limits::f(2.0), limits::f_jac(2.0), &[250.0 + 65_529.0]);
}

#[test]
fn a_pattern_tells_the_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        const LIMIT: u8 = 5;
        let k = 5;
        let n = !k;
        let y = x * n as f64;
        match k {
            LIMIT => y,
            _ => x * x,
        }
    }
    check(f(2.0), f_jac(2.0), &[250.0]);
}

#[test]
fn a_method_of_a_typed_integer_tells_the_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let (k, l, j) = (5, 6, 7);
        let (n, m, o) = (!k, !l, !j);
        let distance = 7_u8.abs_diff(k);
        let least = u16::min(9, l);
        let most = std::cmp::max(9_u32, j);
        x * n as f64 + x * m as f64 + x * o as f64 + (distance as f64 + least as f64 + most as f64)
    }
    check(f(2.0), f_jac(2.0), &[250.0 + 65_529.0 + 4_294_967_288.0]);
}

#[test]
fn an_operand_of_a_typed_integer_tells_the_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let (k, l) = (5, 6);
        let (n, m) = (!k, !l);
        let sum = k + 1_u8;
        let bit = 1_u16 << 3 | l;
        x * n as f64 + x * m as f64 + x * (sum as f64 + bit as f64)
    }
    check(f(2.0), f_jac(2.0), &[250.0 + 65_529.0 + 6.0 + 14.0]);
}

#[test]
fn an_assignment_tells_the_type() {
    #[jacobian]
    #[allow(unused_assignments, clippy::needless_late_init)]
    fn f(x: f64) -> f64 {
        let k = 5;
        let n = !k;
        let mut m = 1_u8;
        let y = x * n as f64 * m as f64;
        m = k;
        let late: u16;
        let l = 6;
        late = l;
        y + x * !l as f64 + (m as f64 + late as f64)
    }
    check(f(2.0), f_jac(2.0), &[250.0 + 65_529.0]);
}

#[test]
fn the_number_of_items_tells_the_type() {
    #[jacobian]
    fn f(a: [f64; 3]) -> f64 {
        let (k, l, j) = (1, 2, 3);
        let sum: f64 = a.iter().skip(k).take(l).sum();
        let stepped: f64 = a.iter().step_by(j).sum();
        let size = bits(k) + bits(l) + bits(j);
        (sum + stepped) * size
    }
    let size = 3.0 * bits(0_usize);
    check(f([1.0, 2.0, 3.0]), f_jac([1.0, 2.0, 3.0]), &[size; 3]);
}

#[test]
fn bounds_of_a_slice_tell_the_type() {
    #[jacobian]
    fn f(a: [f64; 4]) -> f64 {
        let (from, to) = (1, 3);
        let sum: f64 = a[from..to].iter().sum();
        let (low, _) = a.split_at(from);
        sum * bits(from) + low[0] * bits(to)
    }
    let size = bits(0_usize);
    check(f([1.0; 4]), f_jac([1.0; 4]), &[size, size, size, 0.0]);
}

#[test]
fn an_end_of_a_range_tells_the_type() {
    #[jacobian]
    #[allow(clippy::needless_range_loop)]
    fn f(a: [f64; 2]) -> f64 {
        const END: u8 = 2;
        let mut s = 0.0;
        for i in 0..END {
            s += a[0] * bits(i) + a[1] * !i as f64;
        }
        for i in 0..a.len() {
            s += a[i] * bits(i);
        }
        for (i, v) in (0..).zip(a) {
            s += v * bits(i);
        }
        s
    }
    let size = bits(0_usize);
    check(f([1.0; 2]), f_jac([1.0; 2]), &[16.0 + size + 32.0, 255.0 + 254.0 + size + 32.0]);
}

#[test]
fn a_sum_of_integers_tells_the_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let k = 5;
        let n = !k;
        let total: u8 = [k, 2, 3].iter().sum();
        x * n as f64 + x * total as f64
    }
    check(f(2.0), f_jac(2.0), &[250.0 + 10.0]);
}

#[test]
fn what_an_arm_says_tells_the_type() {
    #[jacobian]
    fn f(a: [f64; 3], flag: bool) -> f64 {
        let k = 1;
        let n = bits(k);
        let y = if flag { a[k] } else { a[0] };
        y * n
    }
    let size = bits(0_usize);
    check(f([1.0; 3], true), f_jac([1.0; 3], true), &[0.0, size, 0.0]);
    check(f([1.0; 3], false), f_jac([1.0; 3], false), &[size, 0.0, 0.0]);
}

#[test]
fn what_is_not_reached_tells_the_type() {
    #[jacobian]
    fn f(a: [f64; 3]) -> f64 {
        let k = 1;
        let n = bits(k);
        let mut s = a[0] * n;
        if k > 2 {
            s += a[k];
        }
        for j in 0..3 {
            if j > 5 {
                let small: u8 = j;
                s += f64::from(small);
            }
            s += a[2] * bits(j);
        }
        s
    }
    check(f([1.0; 3]), f_jac([1.0; 3]), &[bits(0_usize), 0.0, 24.0]);
}

#[test]
fn truth_values_of_generic_calls() {
    fn is_wide<T>(_: T) -> bool {
        size_of::<T>() > 4
    }
    #[jacobian]
    fn f(a: [f64; 3]) -> f64 {
        let k = 2;
        let y = if is_wide(k) { 2.0 * a[0] } else { 3.0 * a[0] };
        y + a[k]
    }
    let slope = if is_wide(0_usize) { 2.0 } else { 3.0 };
    check(f([1.0; 3]), f_jac([1.0; 3]), &[slope, 0.0, 1.0]);
}

#[test]
fn floats_whose_type_is_known_from_a_use_that_is_evaluated() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let k = 0.1;
        let size = bits(k);
        let single: f32 = k;
        let third = 0.1;
        let list: [f32; 2] = [third, 0.2];
        x * size + x * bits(third) + x * (single as f64 + list[0] as f64)
    }
    check(f(2.0), f_jac(2.0), &[32.0 + 32.0 + 2.0 * 0.1f32 as f64]);
}

#[test]
fn an_alias_tells_the_type() {
    type Small = u8;
    #[jacobian]
    fn f(a: [f64; 6]) -> f64 {
        let k = 5;
        let n = !k;
        let m: Small = k;
        a[m as usize] * n as f64 * bits(k)
    }
    check(f([1.0; 6]), f_jac([1.0; 6]), &[0.0, 0.0, 0.0, 0.0, 0.0, 250.0 * 8.0]);
}

#[test]
#[allow(clippy::ptr_arg, clippy::needless_range_loop)]
fn an_index_of_a_slice_or_of_a_vector_tells_the_type() {
    #[jacobian]
    fn f(x: f64, slice: &[u8], list: &Vec<u8>) -> f64 {
        let (k, l) = (1, 2);
        let mut y = x * bits(k) + x * bits(l) + f64::from(slice[k]) + f64::from(list[l]);
        for i in 0..2 {
            y += x * bits(i) + f64::from(list[i]);
        }
        y
    }
    let list = vec![0; 3];
    check(f(2.0, &list, &list), f_jac(2.0, &list, &list), &[4.0 * bits(0_usize)]);
}

#[test]
fn one_of_many_iterations_tells_the_type() {
    fn small(k: u8) -> f64 {
        f64::from(k)
    }
    #[jacobian]
    fn f(x: f64) -> f64 {
        let mut y = 0.0;
        for j in 0..3 {
            let k = 5;
            if j == 0 {
                y += small(k);
            }
            y += x * bits(k) + x * !k as f64;
        }
        y
    }
    check(f(2.0), f_jac(2.0), &[3.0 * (8.0 + 250.0)]);
}

#[test]
fn one_of_many_calls_tells_the_type() {
    fn small(k: u8) -> f64 {
        f64::from(k)
    }
    #[jacobian]
    fn f(x: f64) -> f64 {
        let scaled = |is_small: bool| {
            let k = 5;
            if is_small { x * small(k) } else { x * bits(k) }
        };
        scaled(false) + scaled(true)
    }
    check(f(2.0), f_jac(2.0), &[8.0 + 5.0]);
}

#[test]
fn closures_in_iterators_tell_the_type() {
    #[jacobian]
    fn f(a: [f64; 3]) -> f64 {
        const LIMIT: u16 = 2;
        let (start, first) = (0, 1);
        let count = [1, 2, 3].iter().fold(start, |n, &i| if i < LIMIT { n + i } else { n });
        let at = |list: [f64; 3], k| list[k];
        let picked: f64 = (0..2).map(|i| at(a, i) * bits(i)).sum();
        let moved = [first, 2].map(|i| a[i]);
        picked * bits(start) * count as f64 + moved[0] * bits(first)
    }
    let size = bits(0_usize);
    check(f([1.0; 3]), f_jac([1.0; 3]), &[size * 16.0, size * 16.0 + size, 0.0]);
}

#[test]
fn late_assignments_and_jumps_tell_the_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let k = 5;
        let value = 'found: {
            if k > 3 {
                break 'found 1;
            }
            2_u16
        };
        let other = if k > 9 { 7_u32 } else { 6 };
        x * bits(value) + x * !other as f64
    }
    #[jacobian]
    fn g(x: f64) -> f64 {
        let value = if x > 3.0 { 1_u16 } else { 2 };
        let pick = || -> u8 { 3 };
        let (p, q);
        p = 4;
        q = pick();
        let is_same = p == q;
        if is_same { x } else { x * bits(value) + x * bits(p) }
    }
    check(f(2.0), f_jac(2.0), &[16.0 + 4_294_967_289.0]);
    check(g(2.0), g_jac(2.0), &[24.0]);
}

fn small(k: u8) -> f64 {
    f64::from(k)
}

fn single(w: f32) -> f64 {
    f64::from(w)
}

/// A table of this module, whose type a macro does not see.
const LIMIT: u8 = 3;

#[test]
fn literals_that_are_compared_are_of_one_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let (n, m, k, l, p) = (5, 3, 2, 1, 4);
        let (is_less, sum, least, both) = (n < m, m + k, l.min(k), [l, p]);
        let given = small(n) * f64::from(is_less) * f64::from(sum + least + both[0]);
        x * (!m as f64 + !k as f64 + !l as f64 + !p as f64) + given
    }
    check(f(2.0), f_jac(2.0), &[252.0 + 253.0 + 254.0 + 251.0]);
}

#[test]
fn what_is_not_used_tells_the_type() {
    #[jacobian]
    #[allow(unused_assignments)]
    fn f(x: f64) -> f64 {
        let (n, m, k, l) = (5, 6, 7, 8);
        let _range = l..LIMIT;
        let _list = [n, LIMIT];
        let mut changed = LIMIT;
        changed = m;
        let _chosen = if x > 1.0 { k } else { LIMIT };
        x * (!n as f64 + !m as f64 + !k as f64 + !l as f64) + f64::from(changed)
    }
    check(f(2.0), f_jac(2.0), &[250.0 + 249.0 + 248.0 + 247.0]);
}

#[test]
fn values_that_are_the_same_in_all_types() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let n = 5;
        if n > 7 {
            small(n);
        }
        x * (n + 1) as f64
    }
    check(f(2.0), f_jac(2.0), &[6.0]);
}

#[test]
fn literals_in_patterns_and_constants_whose_types_are_not_known() {
    type Small = u8;
    #[jacobian]
    fn f(x: f64, count: &Small) -> f64 {
        const K: Small = 5;
        let complement = !K as f64;
        let scale = match count {
            1 => 2.0,
            2..4 => 3.0,
            _ => 4.0,
        };
        x * scale * complement
    }
    for (count, scale) in [(1, 2.0), (2, 3.0), (3, 3.0), (4, 4.0)] {
        check(f(2.0, &count), f_jac(2.0, &count), &[250.0 * scale]);
    }
}

#[test]
fn generic_helpers_whose_types_are_given() {
    #[jacobian]
    mod helpers {
        fn first<T>(x: f64, _: T, _: T) -> f64 {
            x
        }

        #[jacobian]
        pub fn f(x: f64) -> f64 {
            let (n, m) = (5, 6);
            first::<u8>(x, n, 1) * !n as f64 + first(x, m, 1_u8) * !m as f64
        }
    }
    check(helpers::f(2.0), helpers::f_jac(2.0), &[250.0 + 249.0]);
}

#[test]
fn floats_of_another_type_than_those_of_the_function() {
    #[jacobian]
    #[allow(clippy::excessive_precision)]
    fn f(x: f64) -> f64 {
        const WEIGHT: f32 = 0.1;
        let (declared, given, summed) = (0.1, 0.2, 0.3);
        let _: f32 = declared;
        let total = summed + WEIGHT;
        if false {
            let _: f32 = given;
        }
        x * (f64::from(declared) + given as f64 + f64::from(WEIGHT) + total as f64 + single(declared))
    }
    let one = f64::from(0.1_f32);
    check(f(2.0), f_jac(2.0), &[one + f64::from(0.2_f32) + one + f64::from(0.3_f32 + 0.1) + one]);
}

#[test]
fn functions_that_are_not_generic_tell_the_type() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let n = 5;
        let m = small(n);
        if false {
            small(n + 250);
        }
        x * m + x * small(!n)
    }
    check(f(2.0), f_jac(2.0), &[255.0]);
}

#[test]
fn what_control_does_not_reach_tells_the_type() {
    #[jacobian]
    #[allow(unreachable_code, clippy::needless_return)]
    mod laws {
        fn small(k: u8) -> f64 {
            f64::from(k)
        }

        #[jacobian]
        pub fn behind_a_return(x: f64) -> f64 {
            let k = 200;
            let y = x * (k << 1) as f64;
            return y;
            {
                small(k);
                y
            }
        }

        #[jacobian]
        pub fn behind_a_branch(x: f64) -> f64 {
            let k = 200;
            let y = x * (k << 1) as f64;
            if x > 2.0 {
                return y;
            } else {
                return 2.0 * y;
            }
            small(k)
        }

        #[jacobian]
        pub fn behind_arms_that_are_bound(x: f64, n: usize) -> f64 {
            let k = 200;
            let y = x * (k << 1) as f64;
            let _z: f64 = match n {
                0 => return y,
                _ => return 2.0 * y,
            };
            small(k)
        }

        #[jacobian]
        pub fn in_an_arm(x: f64) -> f64 {
            let k = 200;
            let y = x * (k << 1) as f64;
            if x > 2.0 {
                return y;
                small(k);
            }
            2.0 * y
        }

        #[jacobian]
        pub fn behind_a_break(x: f64) -> f64 {
            let k = 200;
            let y = x * (k << 1) as f64;
            'block: {
                break 'block y;
                small(k)
            }
        }

        #[jacobian]
        pub fn in_a_loop(a: [f64; 2]) -> f64 {
            let (k, mut s) = (200, 0.0);
            for v in a {
                s += v * (k << 1) as f64;
                if s > 100.0 {
                    return s;
                    small(k);
                }
            }
            2.0 * s
        }

        fn given(k: bool) -> u8 {
            let (small, large) = (200, 3);
            return if k { small } else { large };
            small << 1
        }

        #[jacobian]
        pub fn in_a_helper(x: f64) -> f64 {
            x * f64::from(given(true))
        }
    }
    use laws::*;
    check(behind_a_return(3.0), behind_a_return_jac(3.0), &[144.0]);
    check(behind_a_branch(3.0), behind_a_branch_jac(3.0), &[144.0]);
    check(behind_a_branch(1.0), behind_a_branch_jac(1.0), &[288.0]);
    check(behind_arms_that_are_bound(3.0, 0), behind_arms_that_are_bound_jac(3.0, 0), &[144.0]);
    check(behind_arms_that_are_bound(3.0, 1), behind_arms_that_are_bound_jac(3.0, 1), &[288.0]);
    check(in_an_arm(3.0), in_an_arm_jac(3.0), &[144.0]);
    check(in_an_arm(1.0), in_an_arm_jac(1.0), &[288.0]);
    check(behind_a_break(3.0), behind_a_break_jac(3.0), &[144.0]);
    check(in_a_loop([3.0, 1.0]), in_a_loop_jac([3.0, 1.0]), &[144.0, 0.0]);
    check(in_a_helper(3.0), in_a_helper_jac(3.0), &[200.0]);
}
