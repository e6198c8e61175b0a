//! Methods of structs with effects, early ends, and inverses that may be missing, in loops and at run-time indices:
//! in the order and as often as the function itself has them.

use approx::assert_abs_diff_eq;
use std::cell::RefCell;

use jacobian::jacobian;
use nalgebra::{Matrix2, SMatrix, SVector, Vector2};

#[jacobian]
mod walks {
    use std::cell::RefCell;
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct S {
        pub a: f64,
        pub b: f64,
    }
    impl S {
        fn up(&mut self, h: f64, log: &RefCell<Vec<usize>>, k: usize) -> Option<f64> {
            log.borrow_mut().push(k);
            if k > 6 {
                return None;
            }
            self.a += h * self.b;
            self.b *= 0.9;
            Some(self.a)
        }
        fn both(&mut self, other: &mut S, h: f64) {
            self.a += other.b * h;
            other.a -= self.a;
        }
        fn swap(&mut self) {
            std::mem::swap(&mut self.a, &mut self.b);
        }
        fn set(&mut self, s: S) {
            *self = s;
        }
        fn new(a: f64) -> Result<S, String> {
            if a > 100.0 { Err(format!("{a}")) } else { Ok(S { a, b: 1.0 }) }
        }
    }
    #[jacobian(wrt(x, h))]
    pub fn looped(x: [f64; 2], h: f64, n: usize, log: &RefCell<Vec<usize>>) -> Option<S> {
        let mut all = [S { a: x[0], b: x[1] }, S { a: x[1], b: h }, S { a: 1.0, b: 2.0 }];
        let mut total = 0.0;
        for k in 0..n {
            total += all[k % 3].up(h, log, k)?;
            if total > 50.0 {
                break;
            }
            all[(k + 2) % 3].swap();
            let copy = all[k % 3];
            all[(k + 1) % 3].set(copy);
        }
        all[0].b = total;
        Some(all[0])
    }
    #[jacobian(wrt(x))]
    pub fn pair(x: [f64; 2], i: usize) -> f64 {
        let mut all = [S { a: x[0], b: x[1] }, S { a: x[1], b: 3.0 }];
        let mut other = all[1];
        all[i].both(&mut other, x[0]);
        all[0].a * other.a + all[1].a
    }
    #[jacobian(wrt(x))]
    pub fn of_new(x: f64, k: usize) -> Result<[S; 2], String> {
        let a = S::new(x * x)?;
        let b = S::new(k as f64)?;
        let c = if k > 3 { S::new(a.a * b.a)? } else { b };
        Ok([c, S { b: b.a * x, ..a }])
    }
    #[jacobian(wrt(x))]
    pub fn named(x: f64, k: usize) -> core::option::Option<(S, f64)> {
        let s = self::S { a: x, b: x * k as f64 };
        if k == 0 {
            return core::option::Option::None;
        }
        core::option::Option::Some((s, s.a * s.b))
    }
}
/// The columns are near the central differences of `f`.
fn near<const N: usize>(f: impl Fn(&[f64]) -> Vec<f64>, jacobian: &[[f64; N]], x: &[f64; N]) {
    for column in 0..N {
        let (mut above, mut below) = (*x, *x);
        above[column] += 1e-6;
        below[column] -= 1e-6;
        for (row, (a, b)) in f(&above).iter().zip(f(&below)).enumerate() {
            let (entry, expected) = (jacobian[row][column], (a - b) / 2e-6);
            assert_abs_diff_eq!(entry, expected, epsilon = 1e-6 * (1.0 + f64::abs(entry)));
        }
    }
}

#[test]
fn effects_and_ends_come_in_their_turn() {
    for n in 0..10 {
        let (own_log, log) = (RefCell::default(), RefCell::default());
        let x = [0.5, 1.5, 0.3];
        let own = walks::looped([x[0], x[1]], x[2], n, &own_log);
        let generated = walks::looped_jac([x[0], x[1]], x[2], n, &log);
        assert_eq!(own, generated.map(|(value, _)| value));
        assert_eq!(own_log, log);
        let f = |x: &[f64]| {
            let s = walks::looped([x[0], x[1]], x[2], n, &log).expect("it is there");
            vec![s.a, s.b]
        };
        if let Some((_, jacobian)) = generated {
            near(f, &jacobian, &x);
        }
    }
    for i in 0..2 {
        let x = [0.5, 1.5];
        let (value, jacobian) = walks::pair_jac(x, i);
        assert_eq!(walks::pair(x, i).to_bits(), value.to_bits());
        near(|x| vec![walks::pair([x[0], x[1]], i)], &[jacobian], &x);
    }
}

#[test]
fn associated_functions_that_may_fail() {
    for (x, k) in [(2.0, 1), (2.0, 5), (20.0, 5), (5.0, 50), (1.0, 500)] {
        let generated = walks::of_new_jac(x, k);
        assert_eq!(walks::of_new(x, k), generated.clone().map(|(value, _)| value));
        let f = |x: &[f64]| {
            let both = walks::of_new(x[0], k).expect("it is there");
            both.iter().flat_map(|s| [s.a, s.b]).collect()
        };
        if let Ok((_, jacobian)) = generated {
            near(f, &jacobian, &[x]);
        }
    }
    assert_eq!(walks::named_jac(2.0, 0), None);
    assert_eq!(walks::named_jac(2.0, 3).map(|(_, jacobian)| jacobian), Some([[1.0], [3.0], [12.0]]));
}

#[jacobian(instances(2, 3), layout = "matrix")]
fn scaled<const N: usize>(x: SVector<f64, N>, k: f64) -> SVector<f64, N> {
    x * k * x.norm_squared()
}
#[jacobian(instances((2, 3)))]
fn product<const M: usize, const N: usize>(m: &SMatrix<f64, M, N>, x: &SVector<f64, N>) -> SVector<f64, M> {
    m * x
}
#[jacobian]
fn newton(m: Matrix2<f64>, y: Vector2<f64>) -> Option<Vector2<f64>> {
    let mut x = y;
    for _ in 0..3 {
        let j = m + Matrix2::identity() * x.x;
        x -= j.try_inverse()? * x;
    }
    Some(x)
}
#[jacobian(wrt(m))]
fn in_run_time_loop(m: Matrix2<f64>, n: usize) -> Result<f64, String> {
    let mut m = m;
    for k in 0..n {
        let inverse = m.try_inverse().ok_or_else(|| format!("{k}: {:.3}", m[(0, 0)]))?;
        m = inverse * 0.5 + m * 0.25;
    }
    Ok(m[(0, 1)])
}
#[test]
fn vectors_of_any_length_and_inverses() {
    let x = SVector::from([0.5, 1.5, 2.0]);
    let (v, j) = scaled_jac(x, 2.0);
    assert_eq!(v, scaled(x, 2.0));
    let j: SMatrix<f64, 3, 4> = j;
    assert_eq!(j[(0, 1)], 2.0 * 2.0 * 0.5 * 1.5);
    let a = SMatrix::<f64, 2, 3>::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    assert_eq!(product_jac(&a, &x).0, product(&a, &x));
    let m = Matrix2::new(1.0, 2.0, 0.5, 3.0);
    let y = Vector2::new(0.3, 0.4);
    let f = |x: &[f64]| {
        newton(Matrix2::from_column_slice(&x[..4]), Vector2::new(x[4], x[5])).expect("it is there").as_slice().to_vec()
    };
    let at = [1.0, 0.5, 2.0, 3.0, 0.3, 0.4];
    let (v, j) = newton_jac(m, y).expect("it is there");
    assert_eq!(v.as_slice(), &f(&at)[..]);
    near(f, &j, &at);
    assert!(newton_jac(Matrix2::zeros(), Vector2::zeros()).is_none());
    for n in 0..4 {
        let (v, j) = in_run_time_loop_jac(m, n).expect("it is there");
        assert_eq!(Ok(v), in_run_time_loop(m, n));
        near(
            |x| vec![in_run_time_loop(Matrix2::from_column_slice(x), n).expect("it is there")],
            &[j],
            &[1.0, 0.5, 2.0, 3.0],
        );
        assert_eq!(in_run_time_loop_jac(Matrix2::zeros(), n).map(|v| v.0), in_run_time_loop(Matrix2::zeros(), n));
    }
}
