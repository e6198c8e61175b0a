//! Passive expressions whose type nothing tells but what they are a part of, or what a function says that it gives: a
//! sum in the field of a struct has the field's type, also where the struct is taken apart.

use jacobian::jacobian;

use crate::differences;

#[jacobian]
mod told {
    pub struct Named {
        scale: f64,
        x: f64,
    }

    pub struct Pair(f64, f64);

    #[jacobian(wrt(x))]
    pub fn fields(x: f64, data: &[f64]) -> f64 {
        let named = Named { scale: data.iter().sum(), x };
        let other = Named { scale: data.iter().product(), ..named };
        let pair = Pair(data.iter().sum(), x);
        named.x * (2.0 * named.scale) * other.x * (3.0 * other.scale) + pair.1 * (2.0 * pair.0)
    }

    fn parts(x: f64, data: &[f64]) -> (f64, f64) {
        (data.iter().sum(), x * x)
    }

    fn whole(x: f64, data: &[f64]) -> f64 {
        assert!(x < 9.0);
        data.iter().sum()
    }

    fn arms(x: f64, data: &[f64]) -> f64 {
        if x < 1.0 { data.iter().sum() } else { data.iter().product() }
    }

    fn perhaps(x: f64, data: &[f64]) -> Option<f64> {
        let first = data.first()?;
        if x < *first { None } else { Some(data.iter().sum()) }
    }

    impl Named {
        fn of(x: f64, data: &[f64]) -> Self {
            Self { scale: if x < 1.0 { data.iter().sum() } else { data.iter().product() }, x }
        }

        fn mean(&self, data: &[f64]) -> f64 {
            data.iter().sum()
        }
    }

    #[jacobian(wrt(x))]
    pub fn helpers(x: f64, data: &[f64]) -> f64 {
        let (sum, square) = parts(x, data);
        let named = Named::of(x, data);
        (2.0 * sum) * square + x * (2.0 * whole(x, data)) + x * (3.0 * arms(x, data)) * (2.0 * named.mean(data))
            - (0.5 * named.scale) * named.x
    }

    #[jacobian(wrt(x))]
    pub fn closures(x: f64, data: &[f64]) -> f64 {
        let both = |y: f64| -> (f64, f64) { (data.iter().sum(), y * y) };
        let one = |y: f64| -> f64 {
            assert!(y < 9.0);
            data.iter().sum()
        };
        let (sum, square) = both(x);
        (2.0 * sum) * square + x * (2.0 * one(x))
    }

    #[jacobian(wrt(x))]
    pub fn missing(x: f64, data: &[f64]) -> Option<f64> {
        let sum = perhaps(x, data)?;
        Some(x * (2.0 * sum))
    }
}

#[test]
fn types_that_the_whole_tells() {
    let data = [0.5, 2.0, -0.25];
    for x in [0.75, 1.5] {
        differences(|[x]| told::fields(x, &data), |[x]| told::fields_jac(x, &data), [x]);
        differences(|[x]| told::helpers(x, &data), |[x]| told::helpers_jac(x, &data), [x]);
        differences(|[x]| told::closures(x, &data), |[x]| told::closures_jac(x, &data), [x]);
    }
    assert_eq!(told::missing_jac(0.25, &data), None);
    assert_eq!(told::missing_jac(1.5, &data), Some((1.5 * 2.0 * 2.25, [4.5])));
}

#[jacobian]
mod indexed {
    use std::ops::Index;

    pub struct Point {
        pub x: f64,
        pub y: f64,
    }

    impl Index<usize> for Point {
        type Output = f64;
        fn index(&self, i: usize) -> &f64 {
            if i == 0 { &self.x } else { &self.y }
        }
    }

    pub struct Body {
        pub place: Point,
        pub mass: f64,
    }

    #[jacobian(wrt(body.mass))]
    pub fn moment(body: &Body, n: usize) -> f64 {
        let mut sum = body.place[1] * body.mass;
        for i in 0..n {
            sum += body.place[i % 2] * body.mass * body.mass;
        }
        sum
    }
}

/// A part of a struct that is passive, beside others that are not.
#[test]
fn elements_of_a_passive_part() {
    let body = |mass| indexed::Body { place: indexed::Point { x: 2.0, y: -0.5 }, mass };
    for n in [0, 3] {
        differences(|[m]| indexed::moment(&body(m), n), |[m]| indexed::moment_jac(&body(m), n), [1.5]);
    }
}

#[jacobian]
mod taken_apart {
    #[derive(Clone, Copy, Default)]
    pub struct Gains {
        pub of: [f64; 2],
        pub steps: usize,
    }

    #[jacobian]
    pub fn scaled(x: [f64; 2]) -> [f64; 2] {
        fn ratio(of: f64, by: usize) -> f64 {
            of * by as f64
        }
        let Gains { of: gains, steps } = Gains::default();
        let [_, y, last] = if x[1].is_sign_positive() {
            [x[0], gains.into_iter().skip(1).map(|gain| gain + x[0]).product::<f64>(), gains[1] * x[1]]
        } else {
            [ratio(2.0, steps), x[1] * x[0], x[1]]
        };
        [y, last]
    }
}

/// The pattern says of what struct the gains are, and so what `skip` takes, of which not all code is written again.
#[test]
fn a_number_beside_what_a_pattern_takes_apart() {
    for x in [[0.5, 1.5], [0.5, -1.5]] {
        differences(taken_apart::scaled, taken_apart::scaled_jac, x);
    }
}
