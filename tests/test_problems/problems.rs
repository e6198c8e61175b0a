//! The problems, in the order of the collection. Each body is written once: over `f64`, and, where the name `f64` means
//! another type, over double-double numbers.

use std::f64::consts::PI;

use jacobian::jacobian;

use crate::Problem;
use crate::data::*;
use crate::wide::Wide;

macro_rules! problems {
    ($(
        fn $name:ident($x:ident: [f64; $n:literal]) -> [f64; $m:literal] { $($body:tt)* }
        from $start:expr, near $near:expr, $minimum:expr;
    )+) => { $(
        mod $name {
            use super::*;

            #[jacobian]
            fn residuals($x: &[f64; $n]) -> [f64; $m] { $($body)* }

            #[jacobian(forms(jac, hess, hvp))]
            fn objective($x: &[f64; $n]) -> f64 {
                let residuals: [f64; $m] = { $($body)* };
                residuals.iter().map(|residual| *residual * *residual).sum::<f64>()
            }

            mod wide {
                use super::*;

                #[allow(non_camel_case_types)]
                type f64 = Wide;

                pub fn residuals($x: &[f64; $n]) -> [f64; $m] { $($body)* }

                pub fn objective(x: &[f64; $n]) -> f64 {
                    residuals(x).iter().fold(f64::from(0.0), |sum, residual| sum + *residual * *residual)
                }
            }

            #[test]
            fn derivatives_and_minimum() {
                let problem = Problem {
                    name: stringify!($name),
                    start: $start,
                    near: $near,
                    minimum: $minimum,
                    residuals,
                    residuals_jac,
                    wide_residuals: wide::residuals,
                    objective,
                    objective_jac,
                    objective_hess,
                    objective_hvp,
                    wide_objective: wide::objective,
                };
                problem.check();
            }
        }
    )+ };
}

problems! {
    fn rosenbrock(x: [f64; 2]) -> [f64; 2] {
        [10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]]
    }
    from [-1.2, 1.0], near [1.0, 1.0], 0.0;

    fn freudenstein_and_roth(x: [f64; 2]) -> [f64; 2] {
        [x[0] + ((5.0 - x[1]) * x[1] - 2.0) * x[1] - 13.0, x[0] + ((x[1] + 1.0) * x[1] - 14.0) * x[1] - 29.0]
    }
    from [0.5, -2.0], near [11.41, -0.8968], 48.98425;

    fn powell_badly_scaled(x: [f64; 2]) -> [f64; 2] {
        [1e4 * x[0] * x[1] - 1.0, (-x[0]).exp() + (-x[1]).exp() - 1.0001]
    }
    from [0.0, 1.0], near [1.0981593e-5, 9.106147], 0.0;

    fn brown_badly_scaled(x: [f64; 2]) -> [f64; 3] {
        [x[0] - 1e6, x[1] - 2e-6, x[0] * x[1] - 2.0]
    }
    from [1.0, 1.0], near [1e6, 2e-6], 0.0;

    fn beale(x: [f64; 2]) -> [f64; 3] {
        std::array::from_fn(|i| BEALE[i] - x[0] * (1.0 - x[1].powi(i as i32 + 1)))
    }
    from [1.0, 1.0], near [3.0, 0.5], 0.0;

    fn jennrich_and_sampson(x: [f64; 2]) -> [f64; 10] {
        std::array::from_fn(|i| 2.0 + 2.0 * number(i) - ((number(i) * x[0]).exp() + (number(i) * x[1]).exp()))
    }
    from [0.3, 0.4], near [0.2578, 0.2578], 124.3622;

    fn helical_valley(x: [f64; 3]) -> [f64; 3] {
        let turns = (x[1] / x[0]).atan() / (2.0 * PI) + if x[0] > 0.0 { 0.0 } else { 0.5 };
        [10.0 * (x[2] - 10.0 * turns), 10.0 * ((x[0] * x[0] + x[1] * x[1]).sqrt() - 1.0), x[2]]
    }
    from [-1.0, 0.0, 0.0], near [1.0, 0.0, 0.0], 0.0;

    fn bard(x: [f64; 3]) -> [f64; 15] {
        std::array::from_fn(|i| {
            let (u, v) = (number(i), 16.0 - number(i));
            BARD[i] - (x[0] + u / (v * x[1] + u.min(v) * x[2]))
        })
    }
    from [1.0, 1.0, 1.0], near [0.08241, 1.133, 2.3437], 8.214877e-3;

    fn gaussian(x: [f64; 3]) -> [f64; 15] {
        std::array::from_fn(|i| {
            let offset = (8.0 - number(i)) / 2.0 - x[2];
            x[0] * (-(x[1] * offset * offset) / 2.0).exp() - GAUSSIAN[i]
        })
    }
    from [0.4, 1.0, 0.0], near [0.398956, 1.00002, 0.0], 1.127933e-8;

    fn meyer(x: [f64; 3]) -> [f64; 16] {
        std::array::from_fn(|i| x[0] * (x[1] / (45.0 + 5.0 * number(i) + x[2])).exp() - MEYER[i])
    }
    from [0.02, 4000.0, 250.0], near [0.005609636, 6181.3463, 345.22363], 87.94586;

    fn gulf_research_and_development(x: [f64; 3]) -> [f64; 10] {
        std::array::from_fn(|i| (-((gulf(i) - x[1]).abs().powf(x[2]) / x[0])).exp() - number(i) / 100.0)
    }
    from [5.0, 2.5, 0.15], near [50.0, 25.0, 1.5], 0.0;

    fn box_three_dimensional(x: [f64; 3]) -> [f64; 10] {
        std::array::from_fn(|i| {
            let t = 0.1 * number(i);
            (-(t * x[0])).exp() - (-(t * x[1])).exp() - x[2] * ((-t).exp() - (-10.0 * t).exp())
        })
    }
    from [0.0, 10.0, 20.0], near [1.0, 10.0, 1.0], 0.0;

    fn powell_singular(x: [f64; 4]) -> [f64; 4] {
        let (a, b) = (x[1] - 2.0 * x[2], x[0] - x[3]);
        [x[0] + 10.0 * x[1], 5.0_f64.sqrt() * (x[2] - x[3]), a * a, 10.0_f64.sqrt() * b * b]
    }
    from [3.0, -1.0, 0.0, 1.0], near [0.0, 0.0, 0.0, 0.0], 0.0;

    fn wood(x: [f64; 4]) -> [f64; 6] {
        [
            10.0 * (x[1] - x[0] * x[0]),
            1.0 - x[0],
            90.0_f64.sqrt() * (x[3] - x[2] * x[2]),
            1.0 - x[2],
            10.0_f64.sqrt() * (x[1] + x[3] - 2.0),
            (x[1] - x[3]) / 10.0_f64.sqrt(),
        ]
    }
    from [-3.0, -1.0, -3.0, -1.0], near [1.0, 1.0, 1.0, 1.0], 0.0;

    fn kowalik_and_osborne(x: [f64; 4]) -> [f64; 11] {
        std::array::from_fn(|i| {
            let (u, y) = KOWALIK[i];
            y - x[0] * (u * u + u * x[1]) / (u * u + u * x[2] + x[3])
        })
    }
    from [0.25, 0.39, 0.415, 0.39], near [0.192807, 0.191282, 0.123057, 0.136062], 3.075056e-4;

    fn brown_and_dennis(x: [f64; 4]) -> [f64; 20] {
        std::array::from_fn(|i| {
            let t = number(i) / 5.0;
            let (a, b) = (x[0] + t * x[1] - t.exp(), x[2] + x[3] * t.sin() - t.cos());
            a * a + b * b
        })
    }
    from [25.0, 5.0, -5.0, -1.0], near [-11.59444, 13.20363, -0.403439, 0.236779], 85822.2;

    fn osborne_1(x: [f64; 5]) -> [f64; 33] {
        std::array::from_fn(|i| {
            let t = 10.0 * i as core::primitive::f64;
            OSBORNE_1[i] - (x[0] + x[1] * (-(t * x[3])).exp() + x[2] * (-(t * x[4])).exp())
        })
    }
    from [0.5, 1.5, -1.0, 0.01, 0.02], near [0.37541, 1.93585, -1.46469, 0.0128675, 0.0221227], 5.464895e-5;

    fn biggs_exp6(x: [f64; 6]) -> [f64; 13] {
        std::array::from_fn(|i| {
            let t = 0.1 * number(i);
            x[2] * (-(t * x[0])).exp() - x[3] * (-(t * x[1])).exp() + x[5] * (-(t * x[4])).exp() - biggs(i)
        })
    }
    from [1.0, 2.0, 1.0, 1.0, 1.0, 1.0], near [1.0, 10.0, 1.0, 5.0, 4.0, 3.0], 0.0;

    fn osborne_2(x: [f64; 11]) -> [f64; 65] {
        std::array::from_fn(|i| {
            let t = (number(i) - 1.0) / 10.0;
            let (a, b, c) = (t - x[8], t - x[9], t - x[10]);
            let peaks = x[1] * (-(a * a * x[5])).exp() + x[2] * (-(b * b * x[6])).exp() + x[3] * (-(c * c * x[7])).exp();
            OSBORNE_2[i] - (x[0] * (-(t * x[4])).exp() + peaks)
        })
    }
    from [1.3, 0.65, 0.65, 0.7, 0.6, 3.0, 5.0, 7.0, 2.0, 4.5, 5.5],
    near [1.31, 0.4315, 0.6336, 0.5993, 0.7539, 0.9056, 1.3651, 4.8248, 2.3988, 4.5689, 5.6754], 4.013774e-2;

    fn watson(x: [f64; 6]) -> [f64; 31] {
        std::array::from_fn(|i| match i {
            0 => x[0] * 1.0,
            1 => x[1] - x[0] * x[0] - 1.0,
            i => {
                let t = (number(i) - 2.0) / 29.0;
                let sum = x[0] + t * (x[1] + t * (x[2] + t * (x[3] + t * (x[4] + t * x[5]))));
                x[1] + t * (2.0 * x[2] + t * (3.0 * x[3] + t * (4.0 * x[4] + t * 5.0 * x[5]))) - sum * sum - 1.0
            }
        })
    }
    from [0.0; 6], near [-0.015725, 1.012435, -0.232992, 1.26043, -1.513729, 0.992996], 2.287670e-3;

    fn variably_dimensioned(x: [f64; 5]) -> [f64; 7] {
        let sum = (x[0] - 1.0) + 2.0 * (x[1] - 1.0) + 3.0 * (x[2] - 1.0) + 4.0 * (x[3] - 1.0) + 5.0 * (x[4] - 1.0);
        [x[0] - 1.0, x[1] - 1.0, x[2] - 1.0, x[3] - 1.0, x[4] - 1.0, sum, sum * sum]
    }
    from [0.8, 0.6, 0.4, 0.2, 0.0], near [1.0; 5], 0.0;

    fn trigonometric(x: [f64; 4]) -> [f64; 4] {
        let cosines = x[0].cos() + x[1].cos() + x[2].cos() + x[3].cos();
        std::array::from_fn(|i| 4.0 - cosines + number(i) * (1.0 - x[i].cos()) - x[i].sin())
    }
    from [0.25; 4], near [0.0; 4], 0.0;

    fn brown_almost_linear(x: [f64; 4]) -> [f64; 4] {
        let sum = x[0] + x[1] + x[2] + x[3] - 5.0;
        [x[0] + sum, x[1] + sum, x[2] + sum, x[0] * x[1] * x[2] * x[3] - 1.0]
    }
    from [0.5; 4], near [1.0; 4], 0.0;

    fn broyden_tridiagonal(x: [f64; 4]) -> [f64; 4] {
        let own = |value: f64| (3.0 - 2.0 * value) * value + 1.0;
        [own(x[0]) - 2.0 * x[1], own(x[1]) - x[0] - 2.0 * x[2], own(x[2]) - x[1] - 2.0 * x[3], own(x[3]) - x[2]]
    }
    from [-1.0; 4], near [-0.5657, -0.6655, -0.6479, -0.4163], 0.0;
}
