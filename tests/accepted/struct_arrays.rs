//! Structs of arrays: `array::from_fn` as a field, in a constructor and in an assignment, and elements of a matrix of
//! one's own by row and column.

use jacobian::jacobian;

use crate::{Floats, differences};

#[jacobian]
mod own {
    use core::array;
    use std::ops::{Add, AddAssign, Index, IndexMut, Mul};

    #[derive(Copy, Clone, Debug)]
    pub struct V(pub [f64; 3]);

    #[derive(Copy, Clone, Debug)]
    pub struct M {
        pub rows: [[f64; 2]; 2],
    }

    impl V {
        pub fn scaled(&self, k: f64) -> Self {
            V(array::from_fn(|i| self.0[i] * k))
        }

        pub fn mapped(self, f: impl Fn(f64) -> f64) -> Self {
            Self(self.0.map(f))
        }

        pub fn dot(&self, o: &V) -> f64 {
            self.0.iter().zip(&o.0).map(|(a, b)| a * b).sum()
        }
    }

    impl Add for V {
        type Output = V;
        fn add(self, o: V) -> V {
            V(std::array::from_fn(|i| self.0[i] + o.0[i]))
        }
    }

    impl Mul<f64> for V {
        type Output = V;
        fn mul(self, k: f64) -> V {
            self.scaled(k)
        }
    }

    impl Mul<V> for f64 {
        type Output = V;
        fn mul(self, v: V) -> V {
            v * self
        }
    }

    impl AddAssign for V {
        fn add_assign(&mut self, o: V) {
            self.0 = array::from_fn(|i| self.0[i] + o.0[i]);
        }
    }

    impl Index<usize> for V {
        type Output = f64;
        fn index(&self, i: usize) -> &f64 {
            &self.0[i]
        }
    }

    impl IndexMut<usize> for V {
        fn index_mut(&mut self, i: usize) -> &mut f64 {
            &mut self.0[i]
        }
    }

    impl Index<(usize, usize)> for M {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.rows[i][j]
        }
    }

    impl IndexMut<(usize, usize)> for M {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            &mut self.rows[i][j]
        }
    }

    impl Mul<[f64; 2]> for M {
        type Output = [f64; 2];
        fn mul(self, v: [f64; 2]) -> [f64; 2] {
            array::from_fn(|i| self[(i, 0)] * v[0] + self[(i, 1)] * v[1])
        }
    }

    #[jacobian]
    pub fn from_functions(x: f64, y: f64) -> V {
        let v = V(array::from_fn(|i| x * i as f64 + y));
        v.scaled(x) + v.mapped(|e| e * e)
    }

    #[jacobian]
    pub fn field_from_a_function(v: V, k: f64) -> f64 {
        let mut w = v;
        w.0 = array::from_fn(|i| w.0[i] * k + i as f64);
        w[1] = k * k;
        w[2] += v[0];
        w.dot(&v)
    }

    #[jacobian]
    pub fn fields_of_arrays(v: V, k: f64) -> V {
        let mut w = v * k;
        w += 2.0 * v;
        w.0 = w.0.map(|e| e.sin());
        w.0 = [w.0[1], w.0[0], k];
        w
    }

    #[jacobian]
    pub fn by_row_and_column(x: f64, y: f64) -> [f64; 2] {
        let mut m = M { rows: [[x, y], [0.0, 1.0]] };
        m[(1, 0)] = x * y;
        m[(0, 1)] += y * y;
        m[(1, 1)] *= m[(1, 0)];
        for i in 0..2 {
            for j in 0..2 {
                m[(i, j)] = m[(i, j)] * 2.0 + (i + j) as f64;
            }
        }
        m * [x, m[(1, 1)]]
    }

    #[jacobian]
    pub fn of_data(v: V, s: &[f64; 3]) -> V {
        let d: [f64; 3] = array::from_fn(|i| v[i] - s[i]);
        V(d) + V(*s) + V([1.0; 3]) * v[0]
    }

    pub struct Filter {
        pub x: V,
        pub p: M,
    }

    #[jacobian]
    pub fn nested(x: V, k: f64) -> f64 {
        let mut f = Filter { x: V([0.0; 3]), p: M { rows: [[1.0, 0.0], [0.0, 1.0]] } };
        f.x = V(array::from_fn(|i| x[i] * k));
        f.x.0 = array::from_fn(|i| f.x[i] + x.0[2 - i]);
        f.p[(0, 1)] = f.x[0];
        f.p.rows = array::from_fn(|i| array::from_fn(|j| f.p[(j, i)] * k));
        f.p[(1, 0)] * f.x[1] + f.p.rows[0][0]
    }

    #[jacobian(wrt(x))]
    pub fn in_a_loop(x: V, n: usize) -> V {
        let mut w = x;
        for _ in 0..n {
            w = V(array::from_fn(|i| w[i] * 0.9 + w[(i + 1) % 3]));
            w.0 = w.0.map(|v| v * 0.5);
            w[0] += 1.0;
        }
        w
    }

    #[jacobian]
    pub fn through_a_reference(x: f64, y: f64) -> M {
        let mut m = M { rows: [[0.0; 2]; 2] };
        m[(0, 0)] = x;
        fill(&mut m, y);
        m
    }

    fn fill(m: &mut M, y: f64) {
        m[(1, 1)] = y;
        m[(0, 1)] -= y * m[(0, 0)];
    }
}

impl Floats for own::V {
    fn floats(&self) -> Vec<f64> {
        self.0.to_vec()
    }
}

impl Floats for own::M {
    fn floats(&self) -> Vec<f64> {
        self.rows.concat()
    }
}

#[test]
fn arrays_in_structs() {
    use own::*;
    let vector = |x: &[f64]| V([x[0], x[1], x[2]]);
    differences(|x: [f64; 2]| from_functions(x[0], x[1]), |x| from_functions_jac(x[0], x[1]), [0.3, 0.7]);
    differences(
        |x: [f64; 4]| field_from_a_function(vector(&x), x[3]),
        |x| field_from_a_function_jac(vector(&x), x[3]),
        [0.3, 0.7, -0.2, 0.4],
    );
    differences(
        |x: [f64; 4]| fields_of_arrays(vector(&x), x[3]),
        |x| fields_of_arrays_jac(vector(&x), x[3]),
        [0.3, 0.7, -0.2, 0.4],
    );
    differences(|x: [f64; 2]| by_row_and_column(x[0], x[1]), |x| by_row_and_column_jac(x[0], x[1]), [0.3, 0.7]);
    differences(
        |x: [f64; 6]| of_data(vector(&x), &[x[3], x[4], x[5]]),
        |x| of_data_jac(vector(&x), &[x[3], x[4], x[5]]),
        [0.3, 0.7, -0.2, 0.4, 0.1, 0.2],
    );
    differences(|x: [f64; 4]| nested(vector(&x), x[3]), |x| nested_jac(vector(&x), x[3]), [0.3, 0.7, -0.2, 0.4]);
    differences(|x: [f64; 3]| in_a_loop(V(x), 3), |x| in_a_loop_jac(V(x), 3), [0.3, 0.7, -0.2]);
    differences(|x: [f64; 2]| through_a_reference(x[0], x[1]), |x| through_a_reference_jac(x[0], x[1]), [0.3, 0.7]);
}
