//! Signatures: what is active, what is passed through, and what the generated function takes over.

use jacobian::jacobian;

use crate::check;

#[test]
fn scalars_arrays_and_references_in_order() {
    #[jacobian]
    fn f(a: f64, b: [f64; 2], c: &f64, d: &[f64; 2], e: [[f64; 2]; 2], g: &&f64) -> f64 {
        a + 2.0 * b[0]
            + 3.0 * b[1]
            + 4.0 * c
            + 5.0 * d[0]
            + 6.0 * d[1]
            + 7.0 * e[0][0]
            + 8.0 * e[0][1]
            + 9.0 * e[1][0]
            + 10.0 * e[1][1]
            + 11.0 * **g
    }
    let (b, d, e) = ([2.0; 2], [3.0; 2], [[4.0; 2]; 2]);
    let expected: Vec<f64> = (1..=11).map(f64::from).collect();
    check(f(1.0, b, &5.0, &d, e, &&6.0), f_jac(1.0, b, &5.0, &d, e, &&6.0), &expected);
}

#[test]
fn references_in_arrays() {
    #[jacobian]
    fn f(x: [&f64; 2], y: &[&f64; 1]) -> f64 {
        let [a, b] = x;
        a * b + *y[0] * x[1]
    }
    check(f([&2.0, &3.0], &[&5.0]), f_jac([&2.0, &3.0], &[&5.0]), &[3.0, 7.0, 3.0]);
}

#[test]
fn results_of_every_shape() {
    #[jacobian]
    fn one(x: f64) -> [f64; 1] {
        [x * x]
    }
    #[jacobian]
    fn nested(x: f64, y: f64) -> [[f64; 2]; 2] {
        [[x, y], [x * y, 1.0]]
    }
    #[jacobian]
    fn tuple(x: f64, y: f64) -> (f64, [f64; 2], ((f64,), f64)) {
        (x + y, [x, y * y], ((x - y,), 2.0))
    }
    #[jacobian]
    fn single(x: f64) -> (f64,) {
        (x * 3.0,)
    }
    check(one(3.0), one_jac(3.0), &[6.0]);
    let [[entry]] = one_jac(3.0).1;
    assert_eq!(entry, 6.0);
    check(nested(2.0, 3.0), nested_jac(2.0, 3.0), &[1.0, 0.0, 0.0, 1.0, 3.0, 2.0, 0.0, 0.0]);
    let value = tuple(2.0, 3.0);
    let (own, jacobian) = tuple_jac(2.0, 3.0);
    assert_eq!(value, own);
    assert_eq!(jacobian, [[1.0, 1.0], [1.0, 0.0], [0.0, 6.0], [1.0, -1.0], [0.0, 0.0]]);
    check(single(2.0), single_jac(2.0), &[3.0]);
}

#[test]
fn results_that_are_inputs_constants_or_repeated() {
    #[jacobian]
    fn f(x: f64, y: f64, k: usize) -> [f64; 7] {
        let z = x * y;
        [x, y, z, z, 2.5, k as f64, -0.0]
    }
    check(f(2.0, 3.0, 4), f_jac(2.0, 3.0, 4), &[1.0, 0.0, 0.0, 1.0, 3.0, 2.0, 3.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn nothing_but_the_parameter() {
    #[jacobian]
    fn scalar(x: f64) -> f64 {
        x
    }
    #[jacobian]
    fn array(x: [f64; 2]) -> [f64; 2] {
        x
    }
    #[jacobian]
    fn behind(x: &[[f64; 1]; 2]) -> [[f64; 1]; 2] {
        *x
    }
    check(scalar(-0.0), scalar_jac(-0.0), &[1.0]);
    check(array([2.0, 3.0]), array_jac([2.0, 3.0]), &[1.0, 0.0, 0.0, 1.0]);
    check(behind(&[[2.0], [3.0]]), behind_jac(&[[2.0], [3.0]]), &[1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn parameters_that_are_not_used() {
    #[jacobian]
    fn f(_: f64, x: f64, _unused: f64, _: usize, _text: &str) -> f64 {
        2.0 * x
    }
    #[jacobian]
    fn like_ours(arg1: f64, _: f64, arg1_: f64) -> f64 {
        arg1 * arg1_
    }
    check(f(1.0, 2.0, 3.0, 4, ""), f_jac(1.0, 2.0, 3.0, 4, ""), &[0.0, 2.0, 0.0]);
    check(like_ours(2.0, 3.0, 5.0), like_ours_jac(2.0, 3.0, 5.0), &[5.0, 0.0, 2.0]);
}

#[test]
fn patterns_as_parameters() {
    #[jacobian]
    fn f([a, b]: [f64; 2], &c: &f64, [[d, ..], _]: [[f64; 2]; 2], &[e, ref g]: &[f64; 2], mut h: f64) -> f64 {
        h += 1.0;
        a * b + c * d + e * g + h * h
    }
    let of = f([2.0, 3.0], &5.0, [[7.0, 0.0]; 2], &[11.0, 13.0], 1.0);
    let jac = f_jac([2.0, 3.0], &5.0, [[7.0, 0.0]; 2], &[11.0, 13.0], 1.0);
    check(of, jac, &[3.0, 2.0, 7.0, 5.0, 0.0, 0.0, 0.0, 13.0, 11.0, 4.0]);
}

#[test]
fn passive_patterns_as_parameters() {
    #[jacobian]
    fn f(x: f64, (n, m): (usize, u8), [p, q]: [i32; 2]) -> f64 {
        x * (n as f64) * f64::from(m) + f64::from(p - q)
    }
    check(f(2.0, (3, 5), [7, 1]), f_jac(2.0, (3, 5), [7, 1]), &[15.0]);
}

#[test]
fn wrt_narrows() {
    #[jacobian(wrt(y, b))]
    fn f(x: f64, y: f64, a: [f64; 2], b: [f64; 2], tuple: (f64, f64), slice: &[f64], list: Vec<f64>) -> f64 {
        x * y + a[0] * b[0] + a[1] * b[1] + tuple.0 * y + slice[0] * b[0] + list[1]
    }
    let of = |y: f64, b| f(2.0, y, [3.0, 5.0], b, (7.0, 0.0), &[11.0], vec![1.0, 2.0]);
    let jac = f_jac(2.0, 1.0, [3.0, 5.0], [1.0, 1.0], (7.0, 0.0), &[11.0], vec![1.0, 2.0]);
    check(of(1.0, [1.0, 1.0]), jac, &[9.0, 14.0, 5.0]);
}

#[test]
fn wrt_one_precision_of_two() {
    #[jacobian(wrt(x))]
    fn f(x: f64, y: f32) -> f64 {
        x * f64::from(y) + y as f64
    }
    check(f(2.0, 0.1), f_jac(2.0, 0.1), &[f64::from(0.1f32)]);
}

struct Spring {
    stiffness: f64,
    weights: [f64; 2],
}

impl Spring {
    const TWO: f64 = 2.0;

    #[jacobian]
    fn energy(&self, x: f64) -> f64 {
        x * x * self.stiffness / Self::TWO
    }

    #[jacobian]
    fn with_lifetime<'a>(&'a self, x: &'a [f64; 2]) -> f64 {
        x[0] * self.weights[0] + x[1] * self.weights[1]
    }

    #[jacobian]
    fn by_value(self, x: f64) -> [f64; 2] {
        [x * self.stiffness, self.weights[1]]
    }

    #[jacobian]
    #[allow(clippy::needless_arbitrary_self_type)]
    fn typed(self: &Self, x: f64) -> f64 {
        self.energy(1.0) * x
    }

    #[jacobian]
    fn associated(x: f64) -> f64 {
        x * Self::TWO
    }
}

#[test]
fn methods() {
    let spring = || Spring { stiffness: 3.0, weights: [5.0, 7.0] };
    check(spring().energy(2.0), spring().energy_jac(2.0), &[6.0]);
    check(spring().with_lifetime(&[1.0, 2.0]), spring().with_lifetime_jac(&[1.0, 2.0]), &[5.0, 7.0]);
    check(spring().by_value(2.0), spring().by_value_jac(2.0), &[3.0, 0.0]);
    check(spring().typed(2.0), spring().typed_jac(2.0), &[1.5]);
    check(Spring::associated(2.0), Spring::associated_jac(2.0), &[2.0]);
}

trait Law {
    fn factor(&self) -> f64;

    #[jacobian]
    fn apply(&self, x: f64) -> f64 {
        x * x * self.factor()
    }
}

struct Seven;

impl Law for Seven {
    fn factor(&self) -> f64 {
        7.0
    }
}

#[test]
fn provided_methods_of_traits() {
    check(Seven.apply(2.0), Seven.apply_jac(2.0), &[28.0]);
}

struct Table<T, const N: usize>([T; N]);

impl<T: Copy + Into<f64>, const N: usize> Table<T, N>
where
    T: PartialOrd,
{
    #[jacobian]
    fn at<U>(&self, x: f64, scale: U, index: usize) -> f64
    where
        U: Copy + Into<f64>,
    {
        x * self.0[index % N].into() * scale.into()
    }
}

#[test]
fn generic_parameters_are_passed_through() {
    let table = Table([2.0f32, 3.0]);
    check(table.at(1.0, 5.0f32, 3), table.at_jac(1.0, 5.0f32, 3), &[15.0]);

    #[jacobian]
    #[allow(clippy::multiple_bound_locations)]
    fn f<'a, T: ?Sized + AsRef<[usize]>, const K: usize>(x: f64, list: &'a T, fixed: [usize; K]) -> f64
    where
        T: 'a,
    {
        x * list.as_ref()[K - 1] as f64 + fixed[0] as f64
    }
    check(f(2.0, &[3usize, 5][..], [7, 9]), f_jac(2.0, &[3usize, 5][..], [7, 9]), &[5.0]);
}

#[test]
fn functions_as_parameters() {
    #[jacobian]
    fn f(x: f64, index: impl Fn(usize) -> usize, pointer: fn(u8) -> u8) -> f64 {
        x * index(2) as f64 + f64::from(pointer(3)) * x
    }
    check(f(1.0, |n| n + 1, |n| n * 2), f_jac(1.0, |n| n + 1, |n| n * 2), &[9.0]);
}

mod inner {
    use jacobian::jacobian;

    #[jacobian]
    pub fn public(x: f64) -> f64 {
        2.0 * x
    }

    #[jacobian]
    pub(crate) fn of_the_crate(x: f64) -> f64 {
        3.0 * x
    }

    #[jacobian]
    pub(super) fn of_the_parent(x: f64) -> f64 {
        5.0 * x
    }

    #[jacobian(name = "own")]
    fn private(x: f64) -> f64 {
        4.0 * x
    }

    pub fn through(x: f64) -> (f64, [f64; 1]) {
        assert_eq!(private(x), own(x).0);
        own(x)
    }
}

#[test]
fn visibilities() {
    check(inner::public(1.0), inner::public_jac(1.0), &[2.0]);
    check(inner::of_the_crate(1.0), inner::of_the_crate_jac(1.0), &[3.0]);
    check(inner::of_the_parent(1.0), inner::of_the_parent_jac(1.0), &[5.0]);
    assert_eq!(inner::through(1.0).1, [4.0]);
}

#[cfg(test)]
#[jacobian]
#[cfg(not(any()))]
fn configured(x: f64) -> f64 {
    2.0 * x
}

#[jacobian]
#[cfg(any())]
fn configured(x: f64) -> f64 {
    3.0 * x
}

#[test]
fn the_configuration_is_taken_over() {
    check(configured(1.0), configured_jac(1.0), &[2.0]);
}

#[jacobian]
const fn constant(x: f64, y: f64) -> f64 {
    let z = x * y;
    z * z - y
}

#[test]
fn constant_functions() {
    const AT: (f64, [f64; 2]) = constant_jac(2.0, 3.0);
    check(constant(2.0, 3.0), AT, &[36.0, 23.0]);
}

#[test]
fn lints_are_taken_over_and_documentation_is_not() {
    /// A function.
    #[jacobian]
    #[must_use]
    #[inline(always)]
    #[deny(missing_docs)]
    #[allow(clippy::inline_always, clippy::mixed_attributes_style)]
    #[expect(unused_variables, reason = "not every attribute is taken over")]
    fn f(x: f64, n: usize) -> f64 {
        #![allow(clippy::let_and_return)]
        let y = x * x;
        y
    }
    check(f(3.0, 1), f_jac(3.0, 1), &[6.0]);
}

#[test]
fn two_jacobians_of_one_function() {
    #[jacobian(wrt(x), name = "by_x")]
    #[jacobian(wrt(y), name = "by_y", strategy = "reverse")]
    fn f(x: f64, y: f64) -> f64 {
        x * x * y
    }
    check(f(2.0, 3.0), by_x(2.0, 3.0), &[12.0]);
    check(f(2.0, 3.0), by_y(2.0, 3.0), &[4.0]);
}

#[test]
fn a_function_in_a_function() {
    fn outer(x: f64) -> f64 {
        #[jacobian]
        fn inner(x: f64) -> f64 {
            x * x
        }
        inner(x) + inner_jac(x).1[0]
    }
    assert_eq!(outer(3.0), 15.0);
}
