//! Functions with `const` parameters: what is generated for their instances, and which instance a call means.

use approx::assert_relative_eq;
use jacobian::jacobian;
use num_traits::Float;

use crate::{bits, check, differences};

#[jacobian(
    instances(2, 3, 5),
    forms(
        jac,
        jac_into,
        jac_only,
        jac_only_into,
        jvp,
        jvp_into,
        vjp,
        lin,
        normal,
        hess,
        hess_into,
        hvp,
        jac_sparse,
        hess_sparse
    )
)]
pub fn ring<const N: usize>(x: [f64; N], k: f64) -> [f64; N] {
    let mut y = [0.0; N];
    for i in 0..N {
        y[i] = x[i] * x[(i + 1) % N] * k + (i * N) as f64;
    }
    y
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn all_forms() {
    let at = [0.5, -1.5, 2.0, 0.75];
    let (x, k) = ([0.5, -1.5, 2.0], 0.75);
    differences(|[a, b, c, k]| ring([a, b, c], k), |[a, b, c, k]| ring_jac([a, b, c], k), at);
    differences(|[a, b, k]| ring([a, b], k), |[a, b, k]| ring_jac::<2>([a, b], k), [0.5, 2.0, 1.5]);
    let (value, jacobian) = ring_jac::<3>(x, k);
    assert_eq!(ring_3_jac(x, k), (value, jacobian));
    assert_eq!(ring_jac_only(x, k), jacobian);
    let (mut own, mut into) = ([0.0; 3], [[0.0; 4]; 3]);
    ring_jac_into(x, k, &mut own, &mut into);
    assert_eq!((own, into), (value, jacobian));
    into = [[0.0; 4]; 3];
    ring_jac_only_into(x, k, &mut into);
    assert_eq!(into, jacobian);
    let direction = [0.3, -0.2, 0.7, 0.5];
    let along = jacobian.map(|row| dot(&row, &direction));
    check(value, ring_jvp(x, k, &direction), &along);
    let mut product = [0.0; 3];
    ring_jvp_into(x, k, &direction, &mut own, &mut product);
    check(value, (own, product), &along);
    check(value, ring_vjp(x, k, &[0.0, 1.0, 0.0]), &jacobian[1]);
    let (own, labels) = ring_lin(x, k);
    check(value, (own, ring_lin_jvp::<3>(&labels, &direction)), &along);
    check(value, (own, ring_lin_vjp::<3>(&labels, &[0.0, 0.0, 1.0])), &jacobian[2]);
    let (own, gradient, _) = ring_normal(x, k);
    check(value, (own, gradient), &[0, 1, 2, 3].map(|j| (0..3).map(|i| jacobian[i][j] * value[i]).sum::<f64>()));
    let (_, gradient, hessian) = ring_hess(x, k, &[1.0, 0.0, 0.0]);
    check(value, (value, gradient), &jacobian[0]);
    let (_, _, product) = ring_hvp(x, k, &[1.0, 0.0, 0.0], &direction);
    check(value, (value, product), &hessian.map(|row| dot(&row, &direction)));
    let (_, entries) = ring_jac_sparse(x, k);
    let (starts, rows) = ring_jac_pattern::<3>();
    for column in 0..4 {
        for entry in starts[column]..starts[column + 1] {
            assert_relative_eq!(entries[entry], jacobian[rows[entry]][column]);
        }
    }
    let (_, _, entries) = ring_hess_sparse(x, k, &[1.0, 0.0, 0.0]);
    assert_eq!(ring_hess_pattern::<3>().1.len(), entries.len());
    let mut into = (own, gradient, hessian);
    ring_hess_into(x, k, &[1.0, 0.0, 0.0], &mut into.0, &mut into.1, &mut into.2);
    assert_eq!(into.2, hessian);
}

/// Two parameters, one of them of rows; a gradient, patterns, references.
#[jacobian(instances((2, 3), (3, 2)), name = "residual")]
fn of_two<const M: usize, const N: usize>(m: &[[f64; N]; M], v: &[f64; N]) -> f64 {
    let [a, b] = [v[0], v[N - 1]];
    let mut sum = a;
    for (i, row) in m.iter().enumerate() {
        sum += row.iter().map(|v| v * v).sum::<f64>() * (i + M) as f64 * b;
    }
    sum
}

#[jacobian(instances(2, 4), name = "gradient_of_sum")]
const fn sum<const N: usize>(x: [f64; N]) -> f64 {
    let (mut s, mut i) = (0.0, 0);
    while i < N {
        s += x[i] * x[i];
        i += 1;
    }
    s
}

const AT_COMPILE_TIME: (f64, [f64; 2]) = gradient_of_sum_2([3.0, 4.0]);

#[jacobian(instances((true, -2), (false, 3)))]
fn of_other_types<const IS_FAST: bool, const K: i32>(x: f64) -> f64 {
    if IS_FAST { x.powi(K) } else { x * f64::from(K) }
}

#[jacobian(instances(2, 3))]
fn of_floats<T: Float, const N: usize>(x: &[T; N], by: T) -> [T; N]
where
    [T; N]: Copy,
{
    x.map(|v| v * v * by)
}

/// Passive lengths, `impl Trait`, lifetimes, an output, a result that may be missing.
#[jacobian(instances(2, 3), wrt(x))]
fn passive<'a, const N: usize>(x: f64, weights: &'a [f64; N], scale: impl Fn(usize) -> f64 + 'a) -> f64 {
    let mut sum = 0.0;
    for (i, w) in weights.iter().enumerate() {
        sum += w * x * scale(i);
    }
    sum * x
}

#[jacobian(instances(2, 3))]
fn assigned<const N: usize>(x: &[f64; N], out: &mut [f64; N]) {
    for i in 0..N {
        out[i] = x[i] * x[N - 1 - i];
    }
}

#[jacobian(instances(2, 3))]
fn missing<const N: usize>(x: [f64; N]) -> Result<[f64; N], String> {
    if x[0] < 0.0 {
        return Err(format!("{} of {N}", x[0]));
    }
    Ok(x.map(f64::sqrt))
}

/// A constant of the body that is called like the parameter, helpers inside, arrays by type.
#[allow(clippy::items_after_statements)]
#[jacobian(instances(2, 3))]
fn hidden<const N: usize>(x: [f64; N]) -> f64 {
    let y: [f64; N] = core::array::from_fn(|i| x[i] * i as f64);
    fn scaled<const K: usize>(v: [f64; K]) -> f64 {
        v[K - 1] * K as f64
    }
    let t = {
        const N: usize = 7;
        N as f64
    };
    scaled::<N>(y) * t + scaled(x)
}

mod sizes {
    pub const N: usize = 2;
}

/// A length that is another's, though it is called like the parameter.
#[jacobian(instances(3), wrt(x))]
fn of_other_sizes<const N: usize>(x: [f64; N], pair: [f64; sizes::N]) -> [f64; 2] {
    [x[N - 1] * pair[0], x[0] * pair[sizes::N - 1]]
}

#[jacobian]
mod modules {
    const K: usize = 2;

    #[jacobian(instances(2, 3), forms(jac, jvp))]
    pub fn norm<const N: usize>(x: [f64; N]) -> f64 {
        x.iter().map(|v| v * v).sum::<f64>().sqrt() + K as f64
    }

    /// For lengths that no instance has: it is inlined.
    #[jacobian]
    pub fn of_five(x: [f64; 5], y: [f64; 4]) -> f64 {
        norm(x) * norm::<4>(y)
    }
}

#[jacobian(with(ring: fn([f64; 3], f64) -> [f64; 3]))]
fn called(x: [f64; 3]) -> f64 {
    let y = ring([x[1], x[2], x[0]], x[0]);
    y[0] * y[1] + y[2]
}

#[test]
fn two_parameters_and_names() {
    let m = [[0.5, 1.5, -1.0], [2.0, 0.25, 1.0]];
    let v = [1.0, 2.0, 3.0];
    let (value, gradient) = residual(&m, &v);
    assert_eq!(value, of_two(&m, &v));
    check(value, (value, gradient), &[6.0, 18.0, -12.0, 36.0, 4.5, 18.0, 1.0, 0.0, 7.0 + 15.1875]);
    assert_eq!(residual_2_3(&m, &v), (value, gradient));
    check(25.0, gradient_of_sum([3.0, 4.0]), &[6.0, 8.0]);
    check(25.0, AT_COMPILE_TIME, &[6.0, 8.0]);
    check(sum([1.0, 2.0, 3.0, 4.0]), gradient_of_sum([1.0, 2.0, 3.0, 4.0]), &[2.0, 4.0, 6.0, 8.0]);
}

#[test]
fn parameters_of_other_types() {
    check(0.25, of_other_types_jac::<true, -2>(2.0), &[-0.25]);
    check(6.0, of_other_types_jac::<false, 3>(2.0), &[3.0]);
    check(6.0, of_other_types_false_3_jac(2.0), &[3.0]);
}

#[test]
fn floats_lifetimes_and_outputs() {
    check([2.0, 8.0], of_floats_jac(&[1.0, 2.0], 2.0), &[4.0, 0.0, 1.0, 0.0, 8.0, 4.0]);
    check([2.0_f32, 8.0], of_floats_jac::<f32, 2>(&[1.0, 2.0], 2.0), &[4.0, 0.0, 1.0, 0.0, 8.0, 4.0]);
    let by = |i: usize| i as f64 + 1.0;
    check(passive(2.0, &[1.0, 2.0, 3.0], by), passive_jac(2.0, &[1.0, 2.0, 3.0], by), &[56.0]);
    let (mut own, mut other) = ([0.0; 3], [0.0; 3]);
    assigned(&[1.0, 2.0, 3.0], &mut own);
    let jacobian = assigned_jac(&[1.0, 2.0, 3.0], &mut other);
    check(own, (other, jacobian), &[3.0, 0.0, 1.0, 0.0, 4.0, 0.0, 3.0, 0.0, 1.0]);
    check([2.0, 3.0], missing_jac([4.0, 9.0]).expect("it is there"), &[0.25, 0.0, 0.0, 1.0 / 6.0]);
    assert_eq!(missing_jac([-4.0, 9.0, 1.0]), Err("-4 of 3".to_string()));
    differences(hidden, hidden_jac::<3>, [0.5, 1.5, 2.0]);
    differences(hidden, hidden_jac::<2>, [0.5, 1.5]);
    check([12.0, 5.0], of_other_sizes_jac([1.0, 2.0, 3.0], [4.0, 5.0]), &[0.0, 0.0, 4.0, 5.0, 0.0, 0.0]);
}

#[test]
fn in_modules_and_through_with() {
    let (x, y) = ([1.0, 2.0, 3.0, 4.0, 5.0], [0.5, 1.0, 1.5, 2.0]);
    let f = |z: [f64; 9]| modules::of_five(std::array::from_fn(|i| z[i]), std::array::from_fn(|i| z[5 + i]));
    let jac = |z: [f64; 9]| modules::of_five_jac(std::array::from_fn(|i| z[i]), std::array::from_fn(|i| z[5 + i]));
    differences(f, jac, std::array::from_fn(|i| if i < 5 { x[i] } else { y[i - 5] }));
    differences(modules::norm, modules::norm_jac::<3>, [1.0, 2.0, 3.0]);
    assert_eq!(bits(&modules::norm_jac([3.0, 4.0]).0), bits(&modules::norm([3.0, 4.0])));
    differences(called, called_jac, [0.5, 1.5, -0.5]);
}
