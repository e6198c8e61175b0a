//! Functions of a module over vectors of nalgebra of any size: what their parameters are, their arguments tell.

use jacobian::jacobian;
use nalgebra::{Matrix2x3, Matrix3, Vector3};

use crate::differences;

#[jacobian]
mod sized {
    use nalgebra::{Matrix2, Matrix2x3, Matrix3, SMatrix, SVector, Vector2, Vector3};

    fn mean<const N: usize>(x: SVector<f64, N>) -> f64 {
        let mut sum = 0.0;
        for i in 0..N {
            sum += x[i];
        }
        sum / N as f64
    }

    fn squared<const N: usize>(x: &SVector<f64, N>) -> f64 {
        x.dot(x) * N as f64
    }

    fn doubled<const N: usize>(x: SVector<f64, N>) -> SVector<f64, N> {
        x * 2.0
    }

    fn quadratic<const N: usize>(p: &SMatrix<f64, N, N>, x: &SVector<f64, N>) -> f64 {
        (x.transpose() * p * x)[0]
    }

    fn norms<const N: usize>(x: SVector<f64, N>, y: SMatrix<f64, N, N>) -> f64 {
        x.norm() * y.norm()
    }

    fn updated<const N: usize, const M: usize>(
        p: SMatrix<f64, N, N>,
        h: SMatrix<f64, M, N>,
        r: f64,
    ) -> SMatrix<f64, N, N> {
        let k = p * h.transpose() * r;
        (SMatrix::<f64, N, N>::identity() - k * h) * p
    }

    fn corrected<const N: usize, const M: usize>(
        x: SVector<f64, N>,
        p: SMatrix<f64, N, N>,
        h: SMatrix<f64, M, N>,
        z: SVector<f64, M>,
    ) -> SVector<f64, N> {
        x + p * h.transpose() * (z - h * x)
    }

    #[jacobian]
    pub fn of_vector(x: Vector3<f64>) -> f64 {
        mean(x) * squared(&x) + norms(x, Matrix3::identity()) + quadratic(&Matrix3::identity(), &x)
    }

    #[jacobian]
    pub fn constructed(x: f64, y: f64) -> f64 {
        let twice = doubled(Vector2::new(x, y));
        let other = Vector2::new(1.0, x);
        let cross = doubled(Vector3::new(x, y, 1.0)).cross(&Vector3::new(0.0, x, 1.0));
        twice.dot(&other)
            + doubled(Vector2::new(x, y)).dot(&Vector2::from_element(2.0))
            + cross[0]
            + quadratic(&Matrix2::new(x, y, y, 1.0), &Vector2::new(x, y))
    }

    fn inside<const N: usize, const M: usize>(
        x: SVector<f64, N>,
        p: SMatrix<f64, N, N>,
        h: SMatrix<f64, M, N>,
        w: f64,
    ) -> f64 {
        let one: SMatrix<f64, N, N> = SMatrix::identity();
        let mut scaled: SVector<f64, N> = SVector::zeros();
        for i in 0..N {
            scaled[i] = x[i] * i as f64;
        }
        let rest = (SMatrix::<f64, N, N>::identity() - p) * x[0];
        let seen: SVector<f64, M> = h * x;
        let repeated = SVector::<f64, N>::repeat(w);
        let mut first = SMatrix::<f64, N, N>::zeros();
        first[(0, 0)] = w;
        (one * scaled - repeated).norm() + (rest * x).norm() * first.trace() + seen.norm()
    }

    #[jacobian(wrt(x, w))]
    pub fn declared(x: Vector3<f64>, h: Matrix2x3<f64>, w: f64) -> f64 {
        inside(x, Matrix3::identity() * 0.5, h, w)
    }

    #[jacobian(wrt(p))]
    pub fn of_matrix(p: Matrix3<f64>, h: Matrix2x3<f64>) -> f64 {
        updated(p, h, 0.5).trace()
    }

    #[jacobian(wrt(x, z))]
    pub fn converted(x: [f64; 3], p: Matrix3<f64>, h: Matrix2x3<f64>, z: [f64; 2]) -> f64 {
        corrected(x.into(), p, h, z.into()).norm()
    }
}

#[test]
fn vectors_tell_their_sizes() {
    use sized::*;
    differences(|x: [f64; 3]| of_vector(x.into()), |x: [f64; 3]| of_vector_jac(Vector3::from(x)), [0.5, -0.25, 2.0]);
    differences(|[x, y]| constructed(x, y), |[x, y]| constructed_jac(x, y), [0.5, -0.25]);
    let h = Matrix2x3::new(1.0, 0.0, 0.5, 0.0, 1.0, 0.25);
    differences(
        |[a, b, c, w]| declared(Vector3::new(a, b, c), h, w),
        |[a, b, c, w]| declared_jac(Vector3::new(a, b, c), h, w),
        [0.5, -0.25, 2.0, 0.75],
    );
    let p = Matrix3::new(1.0, 0.1, 0.2, 0.1, 2.0, 0.3, 0.2, 0.3, 1.5);
    differences(
        |own: [f64; 9]| of_matrix(Matrix3::from_column_slice(&own), h),
        |own: [f64; 9]| of_matrix_jac(Matrix3::from_column_slice(&own), h),
        p.as_slice().try_into().unwrap(),
    );
    differences(
        |[a, b, c, d, e]| converted([a, b, c], p, h, [d, e]),
        |[a, b, c, d, e]| converted_jac([a, b, c], p, h, [d, e]),
        [0.5, -0.25, 2.0, 0.75, 0.125],
    );
}
