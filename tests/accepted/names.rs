//! Names: those of the user never meet those of the generated code.

// What is kept in a `vec!` is tokens, unlike what is in an array.
#![allow(clippy::useless_vec)]

use jacobian::jacobian;

use crate::{check, differences};

#[test]
fn variables_called_like_temporaries() {
    #[jacobian]
    fn f(v0: f64, v1: f64) -> f64 {
        let v2 = v0 * v1 + v0.sin() * v1.cos();
        let v3 = v2 * v0 * v1;
        let v_3 = v3 + v0 * v0;
        let t1 = v_3.sin();
        let v4 = t1 * v3;
        v4 + t1
    }
    crate::differences(|[a, b]| f(a, b), |[a, b]| f_jac(a, b), [0.7, 1.3]);
}

#[test]
fn a_variable_assigned_often_between_numbered_ones() {
    #[jacobian]
    fn f(v1: f64, c: f64) -> f64 {
        let mut v = v1 * 2.0;
        v = v.sin() + c;
        v = v.sin() + v1;
        v = v.cos() + c;
        v = v.sin() + v1;
        v = v.cos() + c;
        v = v.sin() + v1;
        v
    }
    crate::differences(|[a, b]| f(a, b), |[a, b]| f_jac(a, b), [0.7, 1.3]);
}

#[test]
fn raw_names_of_what_an_arm_assigns() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        let mut r#type = 2.0;
        let mut r#match = [0.5, 3.0];
        if n > 1 {
            r#type = n as f64;
            r#match[0] = 1.5;
        }
        x * r#type * r#match[0]
    }
    check(f(3.0, 4), f_jac(3.0, 4), &[6.0]);
    check(f(3.0, 0), f_jac(3.0, 0), &[1.0]);
}

#[test]
fn variables_called_like_parts_of_the_result() {
    #[jacobian]
    fn f(j: f64, jac: f64, out: f64, value: f64, jacobian: f64, zero: f64) -> [f64; 2] {
        let one = j * jac;
        let result = one + out * value;
        [result * jacobian, one - zero]
    }
    let value = f(2.0, 3.0, 5.0, 7.0, 11.0, 13.0);
    let jac = f_jac(2.0, 3.0, 5.0, 7.0, 11.0, 13.0);
    check(value, jac, &[33.0, 22.0, 77.0, 55.0, 41.0, 0.0, 3.0, 2.0, 0.0, 0.0, 0.0, -1.0]);
}

#[test]
fn variables_called_like_what_the_macro_makes() {
    #[jacobian]
    fn f(x: f64, element: f64, n: usize) -> f64 {
        let elements = [element; 2];
        let operand = n as f64;
        let n_as_f64 = x * operand;
        let receiver = [n; 2];
        n_as_f64 * (n as f64) * elements[1] * (receiver[0] as f64)
    }
    check(f(2.0, 3.0, 4), f_jac(2.0, 3.0, 4), &[192.0, 128.0]);
}

#[test]
fn underscores_and_capitals() {
    #[jacobian]
    #[allow(non_snake_case, clippy::just_underscores_and_digits)]
    fn f(_5: f64, X: f64, x: f64, x_: f64, __: f64, v_5: f64, v1: f64) -> f64 {
        let Y = X * x;
        let y = Y * x_ + _5;
        let y_ = y * __;
        y_ * v_5 + Y * v1
    }
    let a = [2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0];
    let of = |a: [f64; 7]| f(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    let jac = |a: [f64; 7]| f_jac(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    assert_eq!(of(a), 107.0 * 143.0 + 15.0 * 17.0);
    check(of(a), jac(a), &[143.0, 5.0 * 1018.0, 3.0 * 1018.0, 15.0 * 143.0, 107.0 * 13.0, 107.0 * 11.0, 15.0]);
}

#[test]
fn letters_of_other_alphabets() {
    #[jacobian]
    #[allow(non_snake_case)]
    fn größe(λ: f64, ω: f64) -> f64 {
        let Δ = λ * ω;
        Δ.sin() * λ
    }
    crate::differences(|[a, b]| größe(a, b), |[a, b]| größe_jac(a, b), [0.7, 1.3]);
}

#[test]
fn passive_texts_with_any_letter() {
    fn length(text: &str) -> f64 {
        text.len() as f64
    }
    #[jacobian]
    fn f(x: f64) -> f64 {
        x * length("m²") + x * length("Ⓐ") + x * length("\"\\ fn")
    }
    check(f(2.0), f_jac(2.0), &[11.0]);
}

#[test]
fn raw_identifiers() {
    #[jacobian]
    fn r#fn(r#type: f64, r#match: [f64; 2]) -> f64 {
        let r#let = r#type * r#match[0];
        r#let + r#match[1]
    }
    check(r#fn(2.0, [3.0, 5.0]), fn_jac(2.0, [3.0, 5.0]), &[3.0, 2.0, 1.0]);
}

#[test]
fn a_raw_identifier_is_the_same_variable() {
    #[jacobian(wrt(x))]
    fn f(r#x: f64, r#y: f64) -> f64 {
        let r#x = x * x;
        let y = y + 1.0;
        x * r#y
    }
    check(f(3.0, 1.0), f_jac(3.0, 1.0), &[12.0]);
}

mod shadowed_primitives {
    use jacobian::jacobian;

    #[allow(non_camel_case_types, dead_code)]
    struct f64;

    #[jacobian]
    pub fn f(x: core::primitive::f64, y: &[core::primitive::f64; 2]) -> [core::primitive::f64; 2] {
        let z: core::primitive::f64 = x * y[0];
        [z + 2.0, core::primitive::f64::sin(z) * y[1]]
    }
}

#[test]
fn a_type_of_the_user_called_f64() {
    let (c, s) = (6.0f64.cos(), 6.0f64.sin());
    check(
        shadowed_primitives::f(2.0, &[3.0, 5.0]),
        shadowed_primitives::f_jac(2.0, &[3.0, 5.0]),
        &[3.0, 2.0, 0.0, 15.0 * c, 10.0 * c, s],
    );
}

mod shadowed_crates {
    #[allow(dead_code)]
    mod core {
        pub mod primitive {
            pub struct F64;
        }
    }
    #[allow(dead_code)]
    mod std {}

    #[::jacobian::jacobian]
    pub fn f(x: f64, n: i32) -> [f64; 2] {
        [x.powi(n) * x.max(2.0), x.sqrt()]
    }
}

#[test]
fn modules_of_the_user_called_core_and_std() {
    check(shadowed_crates::f(4.0, 2), shadowed_crates::f_jac(4.0, 2), &[48.0, 0.25]);
}

mod own_traits {
    use jacobian::jacobian;

    #[allow(dead_code)]
    pub trait Wrong {
        fn sin(self) -> f64;
        fn cos(self) -> f64;
        fn powi(self, n: i32) -> f64;
        fn mul_add(self, a: f64, b: f64) -> f64;
    }

    impl Wrong for f64 {
        fn sin(self) -> f64 {
            100.0
        }
        fn cos(self) -> f64 {
            100.0
        }
        fn powi(self, _: i32) -> f64 {
            100.0
        }
        fn mul_add(self, _: f64, _: f64) -> f64 {
            100.0
        }
    }

    #[jacobian]
    pub fn f(x: f64) -> f64 {
        x.sin() * x.cos() + x.powi(2) + x.mul_add(2.0, x)
    }
}

#[test]
fn traits_of_the_user_with_methods_of_floats() {
    crate::differences(|[x]| own_traits::f(x), |[x]| own_traits::f_jac(x), [0.6]);
}

#[test]
fn the_generated_function_can_be_named() {
    #[jacobian(name = "derivative_of_f")]
    fn f(x: f64) -> f64 {
        x * x
    }
    #[jacobian(name = "r#match")]
    fn g(x: f64) -> f64 {
        x * x
    }
    check(f(3.0), derivative_of_f(3.0), &[6.0]);
    check(g(3.0), r#match(3.0), &[6.0]);
}

#[jacobian]
#[allow(non_upper_case_globals, non_camel_case_types, dead_code, unused_imports)]
mod named_like_generated_variables {
    use super::items::{v3, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20 as v21};

    const v2: f64 = 1.0;
    static v5: f64 = 1.0;
    struct value;
    pub struct jacobian;
    struct v6(f64);
    mod v7 {}
    const scale_v5: f64 = 1.0;
    const chosen: f64 = 1.0;
    const g: f64 = 1.0;
    const dlarge: f64 = 1.0;
    const fused: usize = 1;

    fn helper(x: f64) -> f64 {
        let r = x * x;
        r.sin() * r
    }

    #[jacobian(wrt(x, y), into)]
    pub fn branches(x: f64, y: f64, scale: &[f64]) -> f64 {
        let factor = if scale.len() > 1 { scale[1] } else { scale[0] };
        let z = if x > y { helper(x * y) } else { (x + y).exp() * x };
        z.sin() * z * factor + z / y * v2 + v3 + v5
    }

    pub fn large(x: [f64; 8]) -> f64 {
        let mut y = 0.0;
        for i in 0..8 {
            for j in 0..8 {
                y += (x[i] * x[j]).sin() * x[i] + x[i] / (1.0 + x[j] * x[j]);
            }
        }
        y
    }

    #[jacobian(pack = "always")]
    #[allow(clippy::needless_range_loop)]
    pub fn long(x: [f64; 8]) -> ([f64; 2], f64) {
        let mut rows = [[0.0; 8]; 8];
        for i in 0..8 {
            for j in 0..8 {
                rows[i][j] = (x[i] - 0.5 * x[j]) * x[j];
            }
        }
        let mut y = 0.0;
        for i in 0..8 {
            for j in 0..8 {
                for k in 0..8 {
                    y += rows[i][k] * rows[k][j];
                }
            }
        }
        ([y, large(x)], x[0].sin() * y)
    }
}

#[allow(non_upper_case_globals)]
mod items {
    macro_rules! constants {
        ($($name:ident)*) => { $(pub const $name: f64 = 2.0;)* };
    }
    constants!(v3 v8 v9 v10 v11 v12 v13 v14 v15 v16 v17 v18 v19 v20);
}

#[test]
fn items_of_the_module_that_are_named_like_generated_variables() {
    use named_like_generated_variables::{branches, branches_jac, branches_jac_into, long, long_jac};
    for scale in [&[0.5][..], &[0.5, 1.5]] {
        for x in [[1.3, 0.7], [0.7, 1.3]] {
            crate::differences(|[x, y]| branches(x, y, scale), |[x, y]| branches_jac(x, y, scale), x);
            let (mut value, mut jacobian) = (0.0, [0.0; 2]);
            branches_jac_into(x[0], x[1], scale, &mut value, &mut jacobian);
            assert_eq!((value, jacobian), branches_jac(x[0], x[1], scale));
        }
    }
    let x = std::array::from_fn(|i| 0.3 + 0.1 * i as f64);
    crate::differences(long, long_jac, x);
}

mod others {
    pub const K: f64 = 0.5;

    pub fn factor() -> f64 {
        0.5
    }
}

fn factor() -> f64 {
    3.0
}

macro_rules! factor {
    () => {
        factor()
    };
}

const K: f64 = 4.0;

#[jacobian]
mod kept_in_helpers {
    fn factor() -> f64 {
        3.0
    }

    #[allow(clippy::useless_vec)]
    fn in_tokens(x: f64) -> f64 {
        let t = vec![factor()];
        x * t[0]
    }

    fn in_an_item(x: f64) -> f64 {
        fn twice() -> f64 {
            2.0 * factor()
        }
        x * twice()
    }

    fn by_a_macro(x: f64) -> f64 {
        x * factor!()
    }

    #[jacobian]
    pub fn declared(x: f64) -> f64 {
        fn factor() -> f64 {
            0.5
        }
        factor() * in_tokens(x) * in_an_item(x)
    }

    #[jacobian]
    pub fn imported(x: f64) -> f64 {
        use super::others::factor;
        factor() * in_tokens(x) * in_an_item(x)
    }

    #[jacobian]
    pub fn expanded(x: f64) -> f64 {
        let a = {
            fn factor() -> f64 {
                0.5
            }
            factor()
        };
        a * by_a_macro(x)
    }

    #[cfg(not(any()))]
    fn called(x: f64) -> f64 {
        2.0 * x
    }

    #[jacobian]
    pub fn generated(x: f64) -> f64 {
        let k = {
            fn called_jac(x: f64) -> (f64, [f64; 1]) {
                (7.0 * x, [7.0])
            }
            called_jac(2.0).0
        };
        called(x) * k
    }
}

#[test]
fn items_of_the_module_are_not_hidden_in_helpers() {
    use kept_in_helpers::*;
    crate::differences(|[x]| declared(x), |[x]| declared_jac(x), [0.7]);
    crate::differences(|[x]| imported(x), |[x]| imported_jac(x), [0.7]);
    crate::differences(|[x]| expanded(x), |[x]| expanded_jac(x), [0.7]);
    crate::differences(|[x]| generated(x), |[x]| generated_jac(x), [0.7]);
}

#[test]
fn items_of_inner_blocks_are_not_seen_by_macros_elsewhere() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let a = {
            fn factor() -> f64 {
                0.5
            }
            factor() * x
        };
        let b = {
            use others::factor;
            factor() * x
        };
        a * b * factor!()
    }
    crate::differences(|[x]| f(x), |[x]| f_jac(x), [0.7]);
}

#[test]
fn texts_capture_what_is_seen_where_they_stand() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        let a = {
            const K: f64 = 0.5;
            K.sqrt() * x
        };
        let b = {
            use others::K;
            K.sqrt() * x
        };
        let text = format!("{K}");
        a * b * text.parse::<f64>().unwrap()
    }
    crate::differences(|[x]| f(x), |[x]| f_jac(x), [0.7]);
}

#[test]
fn texts_capture_raw_names() {
    #[jacobian]
    fn f(x: f64, r#type: usize) -> f64 {
        assert!(x > 0.0, "bad {type:?}");
        let text = format!("{type}");
        x * text.parse::<f64>().unwrap()
    }
    crate::differences(|[x]| f(x, 3), |[x]| f_jac(x, 3), [0.7]);
}

#[test]
fn names_of_an_item_of_the_function_are_imported() {
    #[jacobian]
    fn f(x: f64, n: i32) -> f64 {
        enum Law {
            Linear(f64),
            Constant,
        }
        use Law::{Constant, Linear};
        let law = if n > 1 { Linear(2.0) } else { Constant };
        match law {
            Linear(k) => x * k,
            Constant => x,
        }
    }
    crate::differences(|[x]| f(x, 2), |[x]| f_jac(x, 2), [0.7]);
    crate::differences(|[x]| f(x, 1), |[x]| f_jac(x, 1), [0.7]);
}

#[test]
fn types_of_one_name_in_two_blocks() {
    #[deny(non_camel_case_types)]
    #[jacobian]
    fn f(x: f64) -> f64 {
        let a = {
            struct Pair {
                a: f64,
            }
            Pair { a: 2.0 }.a
        };
        let b = {
            struct Pair {
                b: f64,
            }
            Pair { b: 3.0 }.b
        };
        let c = {
            type T = f64;
            5.0 as T
        };
        let d = {
            type T = f32;
            7.0 as T
        };
        x * a * b * c * f64::from(d)
    }
    crate::differences(|[x]| f(x), |[x]| f_jac(x), [0.7]);
}

mod greatest {
    pub fn max(_: i32, _: i32) -> i32 {
        60
    }
}

#[test]
fn a_module_called_like_one_of_std() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        use super::names::greatest as cmp;
        x * cmp::max(1, 2) as f64
    }
    crate::differences(|[x]| f(x), |[x]| f_jac(x), [0.7]);
}

/// What a text captures is called like the variable of the generated code, or otherwise; other tokens mean the variable.
#[test]
#[allow(clippy::needless_range_loop)]
fn texts_in_macros_capture_variables_that_are_used_beside_them() {
    #[jacobian]
    fn f(x: f64, n: usize) -> f64 {
        use std::fmt::Write;
        let table = vec![10.0, 20.0, 30.0];
        let mut text = String::new();
        let k: usize = 1;
        let i = n % 3;
        write!(text, "{k}:{} {i}:{}", table[k], table[i]).unwrap();
        let i = i / 2;
        write!(text, " {i}:{}", table[i]).unwrap();
        for i in 0..2usize {
            write!(text, " {i}:{}", table[i]).unwrap();
        }
        for j in 0..n {
            write!(text, " {j}:{}", table[j]).unwrap();
        }
        let list = vec![format!("{i}{k}{n}"), format!("{}", table[i])];
        assert_eq!(text, "1:20 2:30 1:20 0:10 1:20 0:10 1:20");
        assert_eq!(list.join("|"), "112|20");
        x * text.len() as f64
    }
    check(f(2.0, 2), f_jac(2.0, 2), &[34.0]);
}

#[derive(Clone, Copy)]
struct Shifted(f64);

impl Shifted {
    fn b(self) -> f64 {
        self.0 + 1.0
    }
}

mod b {
    pub fn of(shifted: super::Shifted) -> f64 {
        shifted.0
    }
}

#[jacobian(wrt(x))]
fn methods_like_references(x: f64, c: Shifted, d: Shifted) -> f64 {
    let first = {
        let q = [c.b(), 0.5];
        let b = &q[0];
        x * b
    };
    let second = {
        let q = [d.b() * b::of(c), b::of(d)];
        let b = &q[0];
        x * x * b
    };
    (first / second).exp()
}

#[test]
fn names_of_methods_and_modules_are_no_variables() {
    let (c, d) = (Shifted(1.0), Shifted(2.0));
    differences(|[x]| methods_like_references(x, c, d), |[x]| methods_like_references_jac(x, c, d), [0.7]);
}
