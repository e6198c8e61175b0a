//! Fields of structs by which a function is differentiated.

use std::rc::Rc;

use jacobian::jacobian;

use crate::{check, differences};

/// Parameters of a spring, as a user has them.
#[derive(Clone)]
struct Params {
    k: f64,
    gains: [f64; 3],
    n: usize,
    name: String,
    samples: Vec<f64>,
    motor: Motor,
}

#[derive(Copy, Clone)]
struct Motor {
    k: f64,
    inertia: f64,
    poles: usize,
}

#[derive(Copy, Clone)]
struct Pair(f64, usize, [f64; 2]);

fn params() -> Params {
    Params {
        k: 2.0,
        gains: [0.5, 1.5, 2.5],
        n: 3,
        name: "left".to_string(),
        samples: vec![1.0, 2.0],
        motor: Motor { k: 0.25, inertia: 4.0, poles: 2 },
    }
}

#[test]
fn fields_are_columns_in_the_order_of_wrt() {
    #[jacobian(wrt(p.gains: [f64; 3], x, p.k))]
    fn f(x: f64, p: &Params) -> f64 {
        let mut sum = p.n as f64 * p.k;
        for gain in p.gains {
            sum += gain * x;
        }
        sum + p.samples[1] * x + p.name.len() as f64
    }
    let p = params();
    check(f(3.0, &p), f_jac(3.0, &p), &[3.0, 3.0, 3.0, 4.5 + 2.0, 3.0]);
}

#[test]
fn by_value_nested_and_numbered() {
    #[jacobian(wrt(p.motor.k, p.k))]
    fn nested(p: Params) -> f64 {
        p.k * p.motor.k * p.motor.inertia + p.motor.poles as f64
    }
    #[jacobian(wrt(p.0, p.2: [f64; 2]))]
    fn numbered(p: Pair) -> [f64; 2] {
        [p.0 * p.2[1], p.2[0] * p.1 as f64]
    }
    #[jacobian(wrt(p.1.0, p.1.2: [f64; 2], p.0))]
    fn tuple(p: &(f64, Pair, usize)) -> f64 {
        p.1.0 * p.0 + p.1.2[1] * p.2 as f64
    }
    check(nested(params()), nested_jac(params()), &[8.0, 1.0]);
    let pair = Pair(3.0, 2, [5.0, 7.0]);
    check(numbered(pair), numbered_jac(pair), &[7.0, 0.0, 3.0, 0.0, 2.0, 0.0]);
    let p = (2.0, pair, 4);
    check(tuple(&p), tuple_jac(&p), &[2.0, 0.0, 4.0, 3.0]);
}

impl Params {
    #[jacobian(wrt(self.k, x, self.motor.inertia))]
    fn energy(&self, x: f64) -> f64 {
        let load: f64 = self.samples.iter().sum();
        0.5 * self.k * x * x + self.motor.inertia * load
    }

    #[jacobian(wrt(self.k), name = "power_slope")]
    fn power(self: &Rc<Self>, x: f64) -> f64 {
        self.k.powi(2) * x
    }
}

#[test]
fn of_self() {
    let p = params();
    check(p.energy(3.0), p.energy_jac(3.0), &[4.5, 6.0, 3.0]);
    let p = Rc::new(p);
    check(p.power(3.0), p.power_slope(3.0), &[12.0]);
}

#[test]
fn what_is_passive_is_kept() {
    #[jacobian(wrt(p.k))]
    fn f(p: &Params, out: &mut [f64; 2]) {
        let mut total = 0.0;
        for sample in &p.samples {
            total += sample * p.motor.k;
        }
        let label = format!("{}{}", p.name, p.n);
        assert!(p.n > 1, "too few: {}", p.n);
        let is_left = matches!(p.name.as_str(), "left");
        let heaviest = p.samples.iter().map(|s| s * p.motor.inertia + p.n as f64).fold(0.0, f64::max);
        out[0] = if is_left { p.k * total } else { p.k };
        out[1] = p.k.exp() + heaviest + label.len() as f64;
    }
    let (p, mut value, mut own) = (params(), [0.0; 2], [0.0; 2]);
    f(&p, &mut value);
    let jacobian = f_jac(&p, &mut own);
    check(value, (own, jacobian), &[0.75, 2.0_f64.exp()]);
}

#[test]
fn patterns_and_references() {
    #[jacobian(wrt(p.k, p.motor.k, p.gains: [f64; 3]))]
    fn behind(p: &Params) -> f64 {
        let Params { k, motor: Motor { k: inner, poles, .. }, gains: [first, ..], name, .. } = p;
        k * inner * *poles as f64 + first * name.len() as f64
    }
    #[allow(clippy::explicit_auto_deref)]
    #[jacobian(wrt(p.k, p.gains: [f64; 3]))]
    fn copied(p: &Params) -> f64 {
        let &Params { k, ref name, gains, .. } = p;
        let Params { n, .. } = *p;
        let q = &p;
        k * gains[2] * n as f64 + q.k * (*q).gains[0] * name.len() as f64 + (**q).k
    }
    #[jacobian(wrt(p.0))]
    fn numbered(p: &Pair) -> f64 {
        let Pair(x, n, ..) = p;
        let Pair(y, ..) = *p;
        x * y * *n as f64
    }
    let p = params();
    check(behind(&p), behind_jac(&p), &[0.5, 4.0, 4.0, 0.0, 0.0]);
    check(copied(&p), copied_jac(&p), &[7.5 + 2.0 + 1.0, 8.0, 0.0, 6.0]);
    let pair = Pair(3.0, 2, [5.0, 7.0]);
    check(numbered(&pair), numbered_jac(&pair), &[12.0]);
}

#[test]
fn in_loops_branches_and_closures() {
    #[jacobian(wrt(p.k, x))]
    fn f(x: f64, p: &Params) -> f64 {
        let damp = |v: f64| v * p.k - p.motor.k;
        let mut y = x;
        for s in &p.samples {
            y = damp(y) + s;
        }
        if y > p.k { y * p.k } else { y - p.n as f64 }
    }
    let p = params();
    // y = (x k - m + 1) k - m + 2
    let (x, k, m) = (3.0, 2.0, 0.25);
    let y = (x * k - m + 1.0) * k - m + 2.0;
    check(f(x, &p), f_jac(x, &p), &[(2.0 * x * k - m + 1.0) * k + y, k * k * k]);
}

#[test]
fn helpers_of_a_module_take_them() {
    #[jacobian]
    mod springs {
        pub struct Spring {
            pub k: f64,
            pub rest: f64,
            pub turns: usize,
        }

        fn stretch(spring: &Spring, x: f64) -> f64 {
            (x - spring.rest) * spring.turns as f64
        }

        #[jacobian(wrt(spring.k, spring.rest, x), forms(jac, jac_into, jvp, vjp, hess))]
        pub fn force(spring: &Spring, x: f64) -> f64 {
            let Spring { k, .. } = *spring;
            k * stretch(spring, x).powi(2)
        }
    }
    use springs::{Spring, force, force_hess, force_jac, force_jac_into, force_jvp, force_vjp};
    let spring = Spring { k: 3.0, rest: 0.5, turns: 2 };
    check(force(&spring, 1.5), force_jac(&spring, 1.5), &[4.0, -24.0, 24.0]);
    let (mut value, mut jacobian) = (0.0, [0.0; 3]);
    force_jac_into(&spring, 1.5, &mut value, &mut jacobian);
    check(force(&spring, 1.5), (value, jacobian), &[4.0, -24.0, 24.0]);
    assert_eq!(force_jvp(&spring, 1.5, &[1.0, 0.0, 1.0]).1, 28.0);
    assert_eq!(force_vjp(&spring, 1.5, 2.0).1, [8.0, -48.0, 48.0]);
    let (_, gradient, hessian) = force_hess(&spring, 1.5);
    assert_eq!(gradient, jacobian);
    assert_eq!(hessian, [[0.0, -8.0, 8.0], [-8.0, 24.0, -24.0], [8.0, -24.0, 24.0]]);
}

#[test]
fn floats_of_other_types_and_generic_structs() {
    struct Single {
        k: f32,
    }
    struct Scaled<'a, T> {
        k: T,
        data: &'a [T],
    }
    #[jacobian(wrt(p.k))]
    fn single(p: Single) -> f32 {
        p.k * p.k * 0.1
    }
    #[jacobian(wrt(p.k: T, x))]
    fn generic<T: num_traits::Float>(x: T, p: &Scaled<'_, T>) -> T {
        p.k * x + p.data[0]
    }
    #[jacobian(wrt(p.k))]
    fn nothing<T: num_traits::Float>(p: &Scaled<'_, T>) -> T {
        p.k.sin() * p.data[0]
    }
    assert_eq!(single_jac(Single { k: 3.0 }), (single(Single { k: 3.0 }), [2.0 * 3.0 * 0.1]));
    let p = Scaled { k: 2.0, data: &[5.0] };
    check(generic(3.0, &p), generic_jac(3.0, &p), &[3.0, 2.0]);
    check(nothing(&p), nothing_jac(&p), &[5.0 * 2.0_f64.cos()]);
}

#[test]
fn vectors_and_raw_names() {
    struct Body {
        at: nalgebra::Vector3<f64>,
        r#type: f64,
    }
    #[jacobian(wrt(body.at: nalgebra::Vector3<f64>, body.r#type))]
    fn f(body: &Body) -> f64 {
        body.at.x * body.at[2] * body.r#type
    }
    let body = Body { at: nalgebra::Vector3::new(2.0, 3.0, 5.0), r#type: 7.0 };
    check(f(&body), f_jac(&body), &[35.0, 0.0, 14.0, 10.0]);
}

#[test]
fn every_form_and_names_of_macros() {
    macro_rules! springs {
        ($name:ident, $p:ident, $field:ident) => {
            #[jacobian(
                                        wrt($p.$field, x, p.motor.k),
                                        forms(jac, jac_only, jac_sparse, jvp, vjp, lin, hess, hvp, normal, jac_into)
                                    )]
            fn $name(x: f64, $p: &Params) -> [f64; 2] {
                let p = 3.0 * $p.$field;
                [p * x, $p.motor.k * x * x]
            }
        };
    }
    springs!(force, p, k);
    let p = params();
    check(force(3.0, &p), force_jac(3.0, &p), &[9.0, 6.0, 0.0, 0.0, 1.5, 9.0]);
    assert_eq!(force_jac_only(3.0, &p), force_jac(3.0, &p).1);
    assert_eq!(force_jac_sparse(3.0, &p).1, [9.0, 6.0, 1.5, 9.0]);
    assert_eq!(force_jvp(3.0, &p, &[1.0, 1.0, 0.0]).1, [15.0, 1.5]);
    assert_eq!(force_vjp(3.0, &p, &[1.0, 2.0]).1, [9.0, 9.0, 18.0]);
    let (_, labels) = force_lin(3.0, &p);
    assert_eq!(force_lin_jvp(&labels, &[1.0, 1.0, 0.0]), [15.0, 1.5]);
    assert_eq!(force_hess(3.0, &p, &[1.0, 0.0]).2, [[0.0, 3.0, 0.0], [3.0, 0.0, 0.0], [0.0; 3]]);
    assert_eq!(force_hvp(3.0, &p, &[1.0, 0.0], &[1.0, 0.0, 0.0]).2, [0.0, 3.0, 0.0]);
    assert_eq!(force_normal(3.0, &p).1, [9.0 * 18.0, 6.0 * 18.0 + 1.5 * 2.25, 9.0 * 2.25]);
    let (mut value, mut jacobian) = ([0.0; 2], [[0.0; 3]; 2]);
    force_jac_into(3.0, &p, &mut value, &mut jacobian);
    assert_eq!((value, jacobian), force_jac(3.0, &p));
}

#[jacobian]
mod aliases {
    use nalgebra::Vector3;

    pub type Real = f64;
    pub type Gains = [Real; 2];
    pub type Position = Vector3<f64>;
    type Length = Real;

    pub struct Body {
        pub mass: Real,
        pub gains: Gains,
        pub center: Position,
    }

    fn distance(p: Position, scale: Real) -> Length {
        p.norm() * scale
    }

    #[jacobian]
    pub fn of_parameters(x: Real, gains: Gains, p: &Position, y: f64) -> Gains {
        let q: Position = p * y;
        [distance(q, x) * gains[0], gains[1] * y]
    }

    #[jacobian(wrt(body))]
    pub fn of_fields(body: &Body) -> Real {
        body.mass * body.gains[1] + distance(body.center, body.mass)
    }

    #[jacobian]
    pub fn hidden<Real: num_traits::Float>(x: Real) -> Real {
        x * x
    }
}

#[test]
fn aliases_of_the_module_mean_what_they_stand_for() {
    let p = |x: &[f64]| nalgebra::Vector3::new(x[0], x[1], x[2]);
    differences(
        |x: [f64; 7]| aliases::of_parameters(x[0], [x[1], x[2]], &p(&x[3..]), x[6]),
        |x| aliases::of_parameters_jac(x[0], [x[1], x[2]], &p(&x[3..]), x[6]),
        [0.7, 1.2, -0.4, 0.3, 0.9, -1.1, 1.4],
    );
    let body = |x: [f64; 6]| aliases::Body { mass: x[0], gains: [x[1], x[2]], center: p(&x[3..]) };
    differences(
        |x| aliases::of_fields(&body(x)),
        |x| aliases::of_fields_jac(&body(x)),
        [0.7, 1.2, -0.4, 0.3, 0.9, -1.1],
    );
    differences(|[x]| aliases::hidden(x), |[x]| aliases::hidden_jac(x), [0.7]);
}
