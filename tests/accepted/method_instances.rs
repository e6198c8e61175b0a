//! Methods with instances: of their own `const` parameters, and of those of their `impl` blocks.

use jacobian::jacobian;

use self::filters::{Filter, Model, Pair};
use crate::differences;

#[jacobian]
mod filters {
    pub struct Filter<const N: usize> {
        pub gains: [f64; N],
        pub names: Vec<String>,
    }

    pub struct Model {
        pub scale: f64,
        pub name: String,
    }

    #[derive(Clone, Copy)]
    pub struct Pair {
        pub a: f64,
        pub b: f64,
    }

    pub struct Borrowed<'a, const R: usize, const C: usize> {
        pub rows: &'a [[f64; C]; R],
    }

    const GAIN: f64 = 0.5;
    const N: usize = 7;

    fn damped<const M: usize>(x: [f64; M], by: f64) -> [f64; M] {
        x.map(|v| v * (-by * N as f64).exp())
    }

    impl<const N: usize> Filter<N> {
        const OFFSET: f64 = N as f64;

        fn weight(&self, i: usize) -> f64 {
            self.gains[i] * GAIN
        }

        /// The next state.
        #[jacobian(instances(2, 3), forms(jac, jvp, vjp, lin, jac_sparse, jac_into, hess))]
        pub fn step(&self, x: [f64; N], h: f64) -> [f64; N] {
            let mut y = damped(x, h);
            for i in 0..N {
                y[i] += self.gains[i] * x[(i + 1) % N].sin() * self.weight(i) + Self::OFFSET * h;
            }
            y
        }

        #[jacobian(instances(2), name = "gradient", wrt(x))]
        pub(crate) fn energy(&self, x: &[f64; N], scale: f64) -> f64 {
            x.iter().zip(&self.gains).map(|(x, g)| g * x * x).sum::<f64>() * scale
        }

        #[jacobian(instances(2, 4))]
        pub fn made(x: [f64; N]) -> f64 {
            x.iter().product()
        }
    }

    impl<'a, const R: usize, const C: usize> Borrowed<'a, R, C>
    where
        [f64; C]: Sized,
    {
        #[jacobian(instances((2, 3), (3, 2)))]
        pub fn times(&self, x: [f64; C]) -> [f64; R] {
            core::array::from_fn(|i| (0..C).map(|j| self.rows[i][j] * x[j]).sum())
        }
    }

    impl Model {
        fn factor(&self, q: f64) -> f64 {
            self.scale * q.cos()
        }

        #[jacobian(instances(2, 3), forms(jac, jvp, vjp, lin, jac_sparse, jac_into, hess))]
        pub fn response<const N: usize>(&self, x: [f64; N], k: f64) -> [f64; N] {
            let mut y = [0.0; N];
            for i in 0..N {
                y[i] = self.factor(x[i]) * k + x[(i + 1) % N] * N as f64;
            }
            y
        }

        #[jacobian(instances(true, false))]
        pub fn switched<const ON: bool>(x: f64) -> f64 {
            if ON { x * x } else { x }
        }
    }

    impl Pair {
        #[jacobian(instances(3), wrt(self, x))]
        pub fn blend<const N: usize>(&self, x: [f64; N]) -> f64 {
            x.iter().sum::<f64>() * self.a + self.b * self.b
        }

        #[jacobian(instances(2), wrt(self))]
        pub fn power<const K: i32>(self) -> Pair {
            Pair { a: self.a.powi(K), b: self.a * self.b }
        }
    }
}

#[test]
fn parameters_of_the_block() {
    let two = Filter { gains: [0.4, 1.5], names: Vec::new() };
    let three = Filter { gains: [0.4, 1.5, -0.7], names: vec!["c".to_string()] };
    differences(|[x, y, h]| two.step([x, y], h), |[x, y, h]| two.step_jac([x, y], h), [0.5, -0.3, 0.2]);
    let f = |[x, y, z, h]: [f64; 4]| three.step([x, y, z], h);
    differences(f, |[x, y, z, h]| three.step_jac([x, y, z], h), [0.5, -0.3, 0.8, 0.2]);
    differences(|[x, y]| two.energy(&[x, y], 3.0), |[x, y]| two.gradient(&[x, y], 3.0), [0.5, -0.3]);
    differences(|[x, y]| Filter::made([x, y]), |[x, y]| Filter::<2>::made_jac([x, y]), [0.5, -0.3]);
    differences(|x: [f64; 4]| Filter::made(x), Filter::<4>::made_jac, [0.5, -0.3, 0.8, 2.0]);
    assert_eq!(two.names.len() + three.names.len(), 1);

    let (value, jacobian) = two.step_jac([0.5, -0.3], 0.2);
    let product = jacobian.map(|row| row[0] * 2.0 - row[1] + 0.5 * row[2]);
    let (own, along) = two.step_jvp([0.5, -0.3], 0.2, &[2.0, -1.0, 0.5]);
    assert_eq!(own, value);
    approx::assert_relative_eq!(along[..], product[..], max_relative = 1e-12);
    let (own, labels) = two.step_lin([0.5, -0.3], 0.2);
    assert_eq!(own, value);
    approx::assert_relative_eq!(
        Filter::<2>::step_lin_jvp(&labels, &[2.0, -1.0, 0.5])[..],
        product[..],
        max_relative = 1e-12
    );
    let (starts, rows) = Filter::<2>::step_jac_pattern();
    assert_eq!((starts, rows), ([0, 2, 4, 6], [0, 1, 0, 1, 0, 1]));
}

#[test]
fn several_parameters_of_the_block() {
    use self::filters::Borrowed;
    let rows = [[1.0, 2.0, 3.0], [0.5, -1.0, 4.0]];
    let wide = Borrowed { rows: &rows };
    differences(|x: [f64; 3]| wide.times(x), |x| wide.times_jac(x), [0.5, -0.3, 0.8]);
    assert_eq!(wide.times_jac([0.5, -0.3, 0.8]).1, rows);
}

#[test]
fn parameters_of_the_method() {
    let model = Model { scale: 1.5, name: "m".to_string() };
    differences(|[x, y, k]| model.response([x, y], k), |[x, y, k]| model.response_jac([x, y], k), [0.5, -0.3, 0.2]);
    let f = |[x, y, z, k]: [f64; 4]| model.response([x, y, z], k);
    differences(f, |[x, y, z, k]| model.response_jac::<3>([x, y, z], k), [0.5, -0.3, 0.8, 0.2]);
    differences(f, |[x, y, z, k]| model.response_3_jac([x, y, z], k), [0.5, -0.3, 0.8, 0.2]);
    differences(|[x]| Model::switched::<true>(x), |[x]| Model::switched_jac::<true>(x), [0.5]);
    differences(|[x]| Model::switched::<false>(x), |[x]| Model::switched_jac::<false>(x), [0.5]);
    assert_eq!(model.name, "m");

    let (value, jacobian) = model.response_jac([0.5, -0.3], 0.2);
    let (mut own, mut into) = ([0.0; 2], [[0.0; 3]; 2]);
    model.response_jac_into([0.5, -0.3], 0.2, &mut own, &mut into);
    assert_eq!((own, into), (value, jacobian));
    let (own, labels) = model.response_lin([0.5, -0.3], 0.2);
    assert_eq!(own, value);
    let along = Model::response_lin_jvp::<2>(&labels, &[2.0, -1.0, 0.5]);
    let product = jacobian.map(|row| row[0] * 2.0 - row[1] + 0.5 * row[2]);
    approx::assert_relative_eq!(along[..], product[..], max_relative = 1e-12);

    let of = |a, b| Pair { a, b };
    let f = |[a, b, x, y, z]: [f64; 5]| of(a, b).blend([x, y, z]);
    differences(f, |[a, b, x, y, z]| of(a, b).blend_jac([x, y, z]), [0.4, 0.9, 0.5, -0.3, 0.8]);
    let power = of(0.4, 0.9).power_jac::<2>();
    assert_eq!((power.0.a, power.0.b), (0.4_f64.powi(2), 0.4 * 0.9));
    assert_eq!(power.1, [[0.8, 0.0], [0.9, 0.4]]);
}
