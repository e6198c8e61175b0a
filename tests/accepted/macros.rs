//! Functions written by `macro_rules!`.

// What is kept in a `vec!` is tokens, unlike what is in an array.
#![allow(clippy::useless_vec)]

use jacobian::jacobian;

use crate::check;

#[test]
fn expressions_types_and_names_from_a_macro() {
    macro_rules! define {
        ($name:ident, $x:ident: $t:ty, $factor:expr, $body:expr) => {
            #[jacobian]
            fn $name($x: $t, y: $t) -> [$t; 2] {
                let scaled = $body * $factor;
                [scaled * y, <$t>::sin(y)]
            }
        };
    }
    define!(f, x: f64, 1.0 + 2.0, x + 1.0);
    assert_eq!(f(2.0, 5.0)[0], 45.0);
    check(f(2.0, 5.0), f_jac(2.0, 5.0), &[15.0, 9.0, 0.0, 5.0f64.cos()]);
}

#[test]
fn a_macro_keeps_the_precedence_of_its_expressions() {
    macro_rules! product {
        ($name:ident, $a:expr, $b:expr, $n:expr) => {
            #[jacobian]
            fn $name(x: [f64; 3]) -> f64 {
                let passive = $a * $b;
                (x[1] - $a) * passive * x[2 * $n - 3] - x[0] / $b + -$b
            }
        };
    }
    product!(f, 1.0 + 2.0, 3.0 - 1.0, 1 + 1);
    assert_eq!(f([2.0, 5.0, 7.0]), 2.0 * 6.0 * 5.0 - 1.0 - 2.0);
    check(f([2.0, 5.0, 7.0]), f_jac([2.0, 5.0, 7.0]), &[-0.5, 6.0 * 7.0, 0.0]);
}

#[test]
fn variables_of_one_name_but_two_contexts_are_distinct() {
    macro_rules! trap {
        ($name:ident, $x:ident) => {
            #[jacobian]
            fn $name($x: f64) -> f64 {
                let t = $x * 2.0;
                let u = $x * t;
                let t = t + u;
                t * $x
            }
        };
    }
    trap!(f, t);
    // (2t + 2t^2) t
    assert_eq!(f(3.0), 72.0);
    check(f(3.0), f_jac(3.0), &[4.0 * 3.0 + 6.0 * 9.0]);
}

#[test]
fn parameters_of_one_name_but_two_contexts_are_distinct() {
    macro_rules! trap {
        ($name:ident, $x:ident, $n:ident) => {
            #[jacobian]
            fn $name($x: f64, t: f64, $n: usize, n: usize) -> f64 {
                let y = $x * 2.0;
                let t = t * 3.0;
                (y + $x * t) * n as f64 + $n as f64
            }
        };
    }
    trap!(f, t, n);
    assert_eq!(f(3.0, 2.0, 5, 7), (6.0 + 18.0) * 7.0 + 5.0);
    check(f(3.0, 2.0, 5, 7), f_jac(3.0, 2.0, 5, 7), &[56.0, 63.0]);
}

#[test]
fn assignments_in_two_contexts() {
    macro_rules! trap {
        ($name:ident, $s:ident, $step:expr) => {
            #[jacobian]
            fn $name(x: f64) -> f64 {
                let mut s = x;
                let mut $s = x * x;
                s += 1.0;
                $s *= $step;
                s *= 2.0;
                s - $s
            }
        };
    }
    trap!(f, s, 5.0 - 2.0);
    // 2 (x + 1) - 3 x^2
    check(f(3.0), f_jac(3.0), &[2.0 - 18.0]);
}

#[test]
fn the_attribute_from_a_macro() {
    macro_rules! with_attributes {
        ($(#[$attribute:meta])* $visibility:vis fn $name:ident $rest:tt -> $result:ty $body:block) => {
            $(#[$attribute])*
            $visibility fn $name $rest -> $result $body
        };
    }
    with_attributes! {
        #[jacobian(name = "named")]
        #[allow(dead_code)]
        fn f(x: f64, y: f64) -> (f64, f64) {
            (x * y, x - y)
        }
    }
    check(f(2.0, 3.0), named(2.0, 3.0), &[3.0, 2.0, 1.0, -1.0]);
}

#[test]
fn a_whole_block_from_a_macro() {
    macro_rules! block {
        ($name:ident, $x:pat, $body:block, $n:literal, $index:tt) => {
            #[jacobian]
            fn $name($x: [f64; $n]) -> f64 {
                let p = $body;
                p * $n as f64
            }
        };
    }
    block!(f, [a, b, _], { a * b }, 3, 0);
    check(f([2.0, 5.0, 7.0]), f_jac([2.0, 5.0, 7.0]), &[15.0, 6.0, 0.0]);
}

#[test]
fn a_constant_of_the_macro_and_one_of_the_user() {
    const K: f64 = 2.0;
    macro_rules! scaled {
        ($name:ident, $k:expr) => {
            #[jacobian]
            fn $name(x: f64) -> f64 {
                const K: f64 = 10.0;
                x * K + x * $k
            }
        };
    }
    scaled!(f, K);
    assert_eq!(f(1.0), 20.0);
    check(f(1.0), f_jac(1.0), &[20.0]);
    assert_eq!(K, 2.0);
}

#[test]
fn loops_and_closures_of_two_contexts() {
    macro_rules! trap {
        ($name:ident, $x:ident, $i:ident, $n:expr, $body:expr) => {
            #[jacobian]
            #[allow(clippy::needless_range_loop)]
            fn $name($x: [f64; 3]) -> f64 {
                let k = 2.0;
                let f = |v: f64| v * k + $body;
                let mut sum = 0.0;
                'outer: for i in 0..$n {
                    for $i in 0..3 {
                        if $i > i {
                            continue 'outer;
                        }
                        sum += f($x[$i]) * i as f64 + $x.iter().map(|v| v * $x[i]).sum::<f64>();
                    }
                }
                sum
            }
        };
    }
    trap!(f, k, v, 1 + 2, 0.5);
    #[jacobian]
    fn twin(k: [f64; 3]) -> f64 {
        let term = |i: usize, v: usize| (k[v] * 2.0 + 0.5) * i as f64 + k.iter().map(|u| u * k[i]).sum::<f64>();
        0.0 + term(0, 0) + term(1, 0) + term(1, 1) + term(2, 0) + term(2, 1) + term(2, 2)
    }
    crate::twins!(f, f_jac, twin, twin_jac, [1.0, -2.0, 0.5]);
}

#[test]
fn a_macro_of_the_module_is_not_that_of_the_standard_library() {
    #[jacobian]
    mod laws {
        macro_rules! matches {
            ($value:expr, $pattern:pat) => {
                $value == 2
            };
        }

        #[jacobian]
        pub fn f(a: [f64; 3]) -> f64 {
            let mut s = 0.0;
            for (i, v) in a.iter().enumerate() {
                if matches!(i, 1) {
                    s += v;
                }
            }
            s
        }
    }
    let a = [1.0, 2.0, 4.0];
    assert_eq!(laws::f(a), 4.0);
    check(laws::f(a), laws::f_jac(a), &[0.0, 0.0, 1.0]);
}

#[test]
fn the_value_of_a_block_that_ends_in_a_macro() {
    macro_rules! twice {
        ($e:expr) => {
            vec![$e, $e]
        };
    }
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let text = {
            let k = n + 1;
            format!("{k}-{n}")
        };
        let list = if n > 2 { vec![n; 3] } else { vec![] };
        let pair = match n {
            0 => vec![7],
            _ => {
                let m = 2 * n;
                twice!(m)
            }
        };
        let all = |k: usize| {
            let k = k + 1;
            vec![k; k]
        };
        x * (text.len() + list.len() + pair[0] + all(n).len()) as f64
    }
    check(f(2.0, 0), f_jac(2.0, 0), &[3.0 + 0.0 + 7.0 + 1.0]);
    check(f(2.0, 9), f_jac(2.0, 9), &[4.0 + 3.0 + 18.0 + 10.0]);
}

#[test]
fn the_value_of_a_function_that_ends_in_a_macro() {
    #[jacobian]
    mod lists {
        fn list(n: usize) -> Vec<usize> {
            let k = n + 1;
            vec![k, n]
        }

        fn scaled(x: f64, n: usize) -> f64 {
            let list = list(n);
            x * list[0] as f64
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            fn text(n: usize) -> String {
                format!("<{n}>")
            }
            scaled(x, n) * text(n).len() as f64
        }
    }
    use lists::{f, f_jac};
    check(f(2.0, 4), f_jac(2.0, 4), &[15.0]);
}

/// What is known of a variable is no pattern.
#[test]
fn patterns_in_macros_bind_names_of_variables() {
    const LIMIT: usize = 7;
    macro_rules! same {
        ($e:expr) => {
            $e
        };
    }
    macro_rules! choose {
        ($subject:expr; $($pattern:pat => $value:expr),*) => {
            match $subject { $($pattern => $value),* }
        };
    }
    #[jacobian(wrt(x))]
    fn f(x: f64, n: usize, o: Option<f64>) -> f64 {
        let k: usize = 7;
        let limit = LIMIT;
        let c: f64 = 0.5;
        let guarded = vec![match n {
            k if k > 2 => 2.0,
            _ => 3.0,
        }];
        let found = vec![if let Some(c) = o { c } else { c }];
        let shadowed = vec![
            {
                let k = n;
                k + 1
            },
            k,
        ];
        let called = vec![(1..4).map(|k: usize| k * 2).sum::<usize>()];
        let matched = vec![matches!(n, k if k > 2)];
        let other = same!(match n {
            limit if limit > 2 => 5.0,
            _ => 6.0,
        });
        let chosen = choose!(n; 1 => 11, k => k);
        let mut s = x * guarded[0] * found[0] * other + x * (shadowed[0] + shadowed[1] + called[0] + chosen) as f64;
        for i in 0..2usize {
            s += x * vec![
                match n {
                    i if i > 2 => 1.0,
                    _ => 0.0,
                },
                i as f64,
            ][0];
        }
        if matched[0] { s } else { s * (limit + k) as f64 }
    }
    check(f(2.0, 1, None), f_jac(2.0, 1, None), &[14.0 * (3.0 * 0.5 * 6.0 + (2.0 + 7.0 + 12.0 + 11.0))]);
    check(f(2.0, 3, Some(4.0)), f_jac(2.0, 3, Some(4.0)), &[2.0 * 4.0 * 5.0 + (4.0 + 7.0 + 12.0 + 3.0) + 2.0]);
}

#[test]
fn texts_of_names_are_those_that_are_written() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let a = n;
        let a = a + 1;
        let long = [stringify!(a), stringify!(a + x), concat!(stringify!(a), 'b')];
        let lengths = [long[0].len(), long[1].len(), long[2].len()];
        x * (a + lengths[0] + 10 * lengths[1] + 100 * lengths[2]) as f64
    }
    check(f(2.0, 4), f_jac(2.0, 4), &[5.0 + 1.0 + 50.0 + 200.0]);
}

#[test]
fn a_macro_that_the_function_imports_is_not_that_of_the_standard_library() {
    mod own {
        macro_rules! quiet {
            ($($text:tt)*) => {};
        }
        pub(crate) use quiet;
    }

    #[jacobian]
    fn f(x: f64) -> f64 {
        use own::quiet as panic;
        let mut s = x;
        if x > 2.0 {
            panic!("it is too large");
            s = 3.0 * x;
        }
        s * x
    }
    check(f(1.0), f_jac(1.0), &[2.0]);
    check(f(3.0), f_jac(3.0), &[18.0]);

    #[jacobian]
    fn g(x: f64, n: usize) -> f64 {
        use std::panic;
        if n > 2 {
            panic!("there are too many");
        }
        x * x
    }
    check(g(2.0, 1), g_jac(2.0, 1), &[4.0]);
}

#[test]
fn fields_of_structs_in_macros() {
    struct Node {
        k: usize,
        w: f64,
    }
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let w: f64 = 0.5;
        let k = n;
        let k = k + 1;
        let nodes = vec![Node { k, w }, Node { w: w + 1.0, k: k + 2 }];
        let mut s = x * nodes[0].w;
        for k in 0..2usize {
            let node = vec![Node { k, w: k as f64 }];
            s += x * node[0].k as f64 * node[0].w;
        }
        s + (nodes[0].k + nodes[1].k) as f64 * x * nodes[1].w
    }
    check(f(2.0, 3), f_jac(2.0, 3), &[0.5 + 1.0 + 10.0 * 1.5]);
}

/// It is no copy of the parameter, which would be moved.
#[test]
fn blocks_in_macros_read_what_is_given_to_a_helper() {
    #[jacobian]
    mod lists {
        fn scaled(x: f64, list: Vec<usize>, n: usize) -> f64 {
            let longer = vec![{
                let k = list.len();
                k + n
            }];
            let first = vec![{
                let k = list[0];
                k * 2
            }];
            x * (longer[0] + first[0] + list.len()) as f64
        }

        #[jacobian]
        pub fn f(x: f64, list: Vec<usize>, n: usize) -> f64 {
            scaled(x, list, n) + scaled(x * x, vec![n], 3)
        }
    }
    use lists::{f, f_jac};
    check(f(2.0, vec![4, 5], 1), f_jac(2.0, vec![4, 5], 1), &[2.0 + 1.0 + 8.0 + 2.0 + 4.0 * (1.0 + 3.0 + 2.0 + 1.0)]);
}
