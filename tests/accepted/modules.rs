//! `#[jacobian]` on a module: functions that call one another.

use jacobian::jacobian;

use crate::{check, differences};

#[jacobian(strategy = "reverse")]
mod geometry {
    //! Rotations.

    pub struct Scale {
        pub by: f64,
    }

    fn square(x: f64) -> f64 {
        let a = x;
        a * x
    }

    fn norm(v: &[f64; 2]) -> f64 {
        let a = 0.5;
        (square(v[0]) + square(v[1])).sqrt() * (a + 0.5)
    }

    fn normalized(mut v: [f64; 2]) -> [f64; 2] {
        let n = norm(&v);
        if n > 0.0 {
            v[0] /= n;
            v[1] /= n;
        }
        v
    }

    fn scaled(v: [f64; 2], scale: &Scale, twice: bool) -> [f64; 2] {
        let factor = if twice { 2.0 * scale.by } else { scale.by };
        [v[0] * factor, self::square(v[1]) * factor]
    }

    /// The direction of a point.
    #[jacobian(wrt(a))]
    pub fn direction(a: [f64; 2], scale: &Scale) -> [f64; 2] {
        let [x, y] = normalized([a[0] * a[1], square(a[0])]);
        scaled([x, y + norm(&a)], scale, true)
    }

    #[jacobian(name = "area_derivative", strategy = "forward")]
    pub fn area(a: f64, b: f64) -> f64 {
        square(a) + square(b) * square(2.0)
    }
}

#[test]
fn functions_of_a_module_are_inlined() {
    let scale = geometry::Scale { by: 1.5 };
    differences(|a| geometry::direction(a, &scale), |a| geometry::direction_jac(a, &scale), [0.7, 1.4]);
    check(geometry::area(3.0, 0.5), geometry::area_derivative(3.0, 0.5), &[6.0, 4.0]);
}

#[jacobian]
mod weights {
    fn weighted(x: f32, weights: &[f32; 2]) -> f32 {
        x * (weights[0] * weights[0]).sqrt() + weights[1].exp2()
    }

    #[jacobian]
    pub fn sum(x: f32, n: usize) -> f32 {
        let weights: &[f32; 2] = &[0.25, 0.75];
        weighted(x, &[0.5, 3.0]) + weighted(x, &[n as f32, 2.0]) + weights[0].sqrt() * x
    }
}

#[test]
fn literals_in_arrays_that_a_function_of_a_module_refers_to() {
    assert_eq!(weights::sum_jac(2.0, 3), (weights::sum(2.0, 3), [4.0]));
}

#[jacobian]
mod long {
    /// Too long to be inlined: it is called through its Jacobian.
    fn wrapped(x: [f64; 2], offset: f64) -> [f64; 2] {
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 4.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 5.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 6.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 0.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 1.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 2.5, (x[1] + x[0] * 0.25).sin()];
        let x = [0.5 * x[0] * x[1].cos() + 3.5, (x[1] + x[0] * 0.25).sin()];
        [x[0] + offset, x[1] * offset]
    }

    #[jacobian]
    pub fn twice(x: [f64; 2], offset: f64) -> [f64; 2] {
        let y = wrapped(x, offset * x[0]);
        wrapped(y, 0.5)
    }
}

#[test]
fn long_functions_of_a_module_are_called_through_their_jacobians() {
    differences(|[x, y, z]| long::twice([x, y], z), |[x, y, z]| long::twice_jac([x, y], z), [0.7, 1.4, 0.3]);
}

#[test]
fn constants_of_the_module() {
    #[jacobian]
    mod chain {
        const JOINTS: usize = 3;
        pub const COLUMNS: usize = 2 * (JOINTS - 1);
        /// Lengths and offsets of the joints.
        const TABLE: [[f64; 2]; JOINTS] = [[0.7, 0.1], [0.5, -0.2], [0.3, 0.4]];
        const LAST: usize = JOINTS - 1;
        const GAIN: f64 = scaled(2.0);
        const ODD: bool = JOINTS % 2 == 1;

        const fn scaled(x: f64) -> f64 {
            1.5 * x
        }

        fn link(angle: f64, joint: usize) -> [f64; 2] {
            let [length, offset] = TABLE[joint];
            let (s, c) = (angle + offset).sin_cos();
            [length * c, length * s]
        }

        #[jacobian]
        pub fn tip(q: &[f64; JOINTS], scale: f64) -> [f64; COLUMNS / 2] {
            let (mut tip, mut angle) = ([0.0; COLUMNS / 2], 0.0);
            for (i, joint) in q.iter().enumerate() {
                angle += joint;
                let [x, y] = link(angle, i);
                match i {
                    LAST => tip[0] += GAIN * x,
                    _ => tip[0] += x,
                }
                tip[1] += y;
            }
            if ODD {
                tip[0] *= scale;
            }
            tip
        }

        #[jacobian]
        pub fn shadowed<const JOINTS: usize>(x: f64, rest: [u8; JOINTS]) -> f64 {
            const LAST: usize = 5;
            let table = [x, 2.0];
            table[0] * LAST as f64 + table[1] * rest.len() as f64
        }
    }
    let f = |[a, b, c, scale]: [f64; 4]| chain::tip(&[a, b, c], scale);
    differences(f, |[a, b, c, scale]| chain::tip_jac(&[a, b, c], scale), [0.3, 0.4, -0.7, 1.1]);
    check(chain::shadowed(0.5, [0; 2]), chain::shadowed_jac(0.5, [0; 2]), &[5.0]);
}

#[test]
fn tables_of_the_module() {
    #[jacobian]
    mod mechanism {
        use core::f64::consts::LN_2;

        /// Species and order of each reactant, and whether it is counted.
        const REACTANTS: [[(usize, i32); 2]; 2] = [[(0, 1), (2, 2)], [(1, 3), (0, -1)]];
        const RATES: [f64; 2] = [LN_2 / 2.0, 3.0 * LN_2];
        const FIRST: (f64, bool) = (0.5, true);

        #[jacobian]
        pub fn rates(c: [f64; 3], n: usize) -> [f64; 2] {
            let mut rates = RATES;
            for (rate, reactants) in rates.iter_mut().zip(&REACTANTS) {
                for &(species, order) in reactants {
                    *rate *= c[species].powi(order);
                }
            }
            if FIRST.1 {
                rates[0] *= FIRST.0 * REACTANTS[n][1].1 as f64;
            }
            rates
        }
    }
    let ([a, b, c], k) = ([2.0, 3.0, 5.0], core::f64::consts::LN_2);
    let expected = [k / 2.0 * c * c, 0.0, k * a * c, -3.0 * k * b.powi(3) / (a * a), 9.0 * k * b * b / a, 0.0];
    check(mechanism::rates([a, b, c], 0), mechanism::rates_jac([a, b, c], 0), &expected);
}

#[test]
fn a_struct_that_is_called_like_a_constant() {
    #[jacobian]
    mod named {
        pub const N: usize = 2;
        pub struct N {
            pub weight: f64,
        }
        #[jacobian(wrt(x))]
        pub fn f(x: f64, n: u32) -> f64 {
            let given = N { weight: f64::from(n) };
            let of = |n: N| n.weight;
            x * of(given) * x + of(N { weight: 3.0 }) * [x, 1.0, x][N]
        }
    }
    check(named::f(1.5, 4), named::f_jac(1.5, 4), &[15.0]);
}

#[test]
fn variants_that_are_imported_in_patterns() {
    #[jacobian]
    mod modes {
        use Mode::{Fast, Slow};

        #[derive(Clone, Copy)]
        pub enum Mode {
            Fast,
            Slow(usize),
        }

        fn scaled(x: f64, mode: Mode) -> f64 {
            match mode {
                Fast => x,
                Slow(2) => x * 3.0,
                Slow(k) => x * k as f64,
            }
        }

        #[jacobian]
        pub fn f(x: f64, n: usize) -> f64 {
            let mode = if n > 5 { Fast } else { Slow(n) };
            scaled(x, mode) + scaled(x * x, Fast)
        }
    }
    use modes::{f, f_jac};
    check(f(2.0, 2), f_jac(2.0, 2), &[3.0 + 4.0]);
    check(f(2.0, 4), f_jac(2.0, 4), &[4.0 + 4.0]);
    check(f(2.0, 6), f_jac(2.0, 6), &[1.0 + 4.0]);
}

/// What a module imports from nalgebra, and lengths of its own in the types of variables.
#[jacobian]
mod imported_macros {
    use nalgebra::{Matrix3, SMatrix, Vector3, matrix, vector};

    const ROWS: usize = 2;
    const COLUMNS: usize = 2 * ROWS - 1;

    #[jacobian]
    pub fn turned(w: Vector3<f64>) -> Vector3<f64> {
        let m: Matrix3<f64> = matrix![0.0, -w.z, w.y; w.z, 0.0, -w.x; -w.y, w.x, 0.0];
        m * vector![w.x * w.y, 2.0, nalgebra::vector![w.z, 1.0].norm()]
    }

    #[jacobian]
    pub fn of_lengths(x: f64, y: f64) -> f64 {
        let mut rows: [[f64; COLUMNS]; ROWS] = Default::default();
        rows[1][2] = x;
        let mut m: SMatrix<f64, ROWS, COLUMNS> = SMatrix::zeros();
        m[(1, 2)] = y;
        rows[1][2] * m[(1, 2)] + rows[0][0] + m.sum()
    }
}

#[test]
fn macros_and_lengths_of_the_module_are_known() {
    use nalgebra::Vector3;
    let vector = |[x, y, z]: [f64; 3]| Vector3::new(x, y, z);
    differences(|x| imported_macros::turned(vector(x)), |x| imported_macros::turned_jac(vector(x)), [0.7, 1.2, -0.4]);
    assert_eq!(imported_macros::of_lengths_jac(2.0, 3.0), (9.0, [3.0, 3.0]));
}

/// A function, and a method, may have several attributes.
#[test]
fn several_attributes_in_a_module() {
    #[jacobian]
    mod inner {
        pub struct Law(pub f64);

        impl Law {
            #[jacobian(wrt(x))]
            #[jacobian(wrt(self.0), name = "by_factor")]
            #[jacobian(wrt(x), forms(hess))]
            pub fn energy(&self, x: f64) -> f64 {
                self.0 * square(x) * x
            }
        }

        fn square(x: f64) -> f64 {
            x * x
        }

        #[jacobian(wrt(x))]
        #[jacobian(wrt(y), name = "f_by_y")]
        pub fn f(x: f64, y: f64) -> f64 {
            square(x) * y
        }

        #[jacobian]
        pub fn twice(x: f64) -> f64 {
            2.0 * f(x, x)
        }
    }
    assert_eq!(inner::f_jac(3.0, 5.0), (45.0, [30.0]));
    assert_eq!(inner::f_by_y(3.0, 5.0), (45.0, [9.0]));
    assert_eq!(inner::twice_jac(3.0), (54.0, [54.0]));
    let law = inner::Law(2.0);
    assert_eq!(law.energy_jac(3.0), (54.0, [54.0]));
    assert_eq!(law.by_factor(3.0), (54.0, [27.0]));
    assert_eq!(law.energy_hess(3.0), (54.0, [54.0], [[36.0]]));
}
