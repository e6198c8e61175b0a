//! Methods of structs that hold more than floats, of enums, and of types that are imported: they are passive as a whole,
//! and what active values are given to is inlined.

use jacobian::jacobian;

use crate::{check, differences};

/// A type that another module knows by a trait.
pub struct Spring {
    /// Its stiffness.
    pub k: f64,
}

impl Spring {
    /// Not the method of the trait, nor called like one.
    pub fn energy(&self, x: f64) -> f64 {
        0.5 * self.k * x * x
    }
}

#[jacobian(forms(jac, jac_only))]
mod arms {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Arm {
        pub name: String,
        pub lengths: [f64; 2],
        pub gains: Vec<f64>,
        pub motor: Motor,
        pub calls: usize,
    }
    #[derive(Clone, Debug, PartialEq)]
    pub struct Motor {
        pub ratio: f64,
        pub log: Vec<String>,
        pub limit: Option<f64>,
    }
    impl Motor {
        fn torque(&self, q: f64) -> f64 {
            self.ratio * q.sin()
        }
        fn logged(&mut self, q: f64, what: &str) -> f64 {
            self.log.push(format!("{what}{}", self.log.len()));
            self.ratio += 1.0;
            self.ratio * q
        }
        fn limited(&self, q: f64) -> f64 {
            match self.limit {
                Some(limit) if q > limit => limit * q.sqrt(),
                _ => q * self.ratio,
            }
        }
    }
    impl Arm {
        pub const GRAVITY: f64 = 9.81;
        pub fn new(name: &str) -> Self {
            let motor = Motor { ratio: 3.0, log: Vec::new(), limit: Some(2.0) };
            Arm { name: name.to_string(), lengths: [1.5, 0.5], gains: vec![1.0, 2.0, 3.0], motor, calls: 0 }
        }
        fn height(&self, q: [f64; 2]) -> f64 {
            let [a, b] = q;
            self.lengths[0] * a.sin() + self.lengths[1] * (a + b).sin()
        }
        fn potential(&self, q: [f64; 2]) -> f64 {
            Self::GRAVITY * self.height(q) + Self::squared(q[0]) * self.name.len() as f64
        }
        fn squared(x: f64) -> f64 {
            x * x
        }
        fn weighted(&self, x: f64) -> f64 {
            self.gains.iter().map(|gain| gain * x).sum()
        }
        fn dot(&self, q: [f64; 2]) -> f64 {
            self.lengths.iter().zip(q).map(|(l, q)| l * q).sum()
        }
        fn counted(&mut self, x: f64) -> f64 {
            self.calls += 1;
            self.motor.logged(x, "counted") * self.calls as f64
        }
        fn twice(&mut self, x: f64) -> f64 {
            self.counted(x) * self.counted(x)
        }
        fn motor(&self) -> &Motor {
            &self.motor
        }
        fn applied(&self, f: impl Fn(f64) -> f64, x: f64) -> f64 {
            f(self.lengths[0] * x)
        }
        // By a method of its own, with the functions of the module.
        #[jacobian]
        pub fn own(&self, q: [f64; 2]) -> f64 {
            self.potential(q) + halved(self.motor.torque(q[1]))
        }
        #[jacobian(wrt(self.motor.ratio, self.lengths: [f64; 2], q))]
        pub fn by_fields(&self, q: f64) -> f64 {
            let Arm { motor, lengths, .. } = self;
            self.height([q, lengths[0]]) * motor.torque(q) + self.motor.ratio
        }
    }
    fn halved(x: f64) -> f64 {
        0.5 * x
    }
    fn through(arm: &Arm, q: [f64; 2]) -> f64 {
        arm.potential(q) + Arm::height(arm, q)
    }

    #[jacobian]
    pub fn energy(arm: &Arm, q: [f64; 2]) -> f64 {
        through(arm, q) + arm.motor.torque(q[0]) + arm.motor().torque(q[1]) + arm.dot(q)
    }
    #[jacobian]
    pub fn sums(arm: &Arm, x: f64) -> f64 {
        arm.weighted(x) + arm.motor.limited(x) + arm.applied(|v| v * x, 3.0) + arm.applied(f64::exp, x)
    }
    #[jacobian]
    pub fn counted(arm: &mut Arm, x: f64) -> f64 {
        arm.motor.ratio * arm.twice(x) + arm.motor.ratio * arm.counted(x) * arm.calls as f64
    }
    #[jacobian]
    pub fn made(x: f64) -> f64 {
        let mut arm = Arm::new("made");
        let first = arm.twice(x);
        let other = Arm { calls: 5, ..arm.clone() };
        first * arm.motor.ratio + other.weighted(x) * other.calls as f64
    }
    #[jacobian]
    pub fn by_value(arm: Arm, x: f64) -> f64 {
        let motor = &arm.motor;
        let f = |m: &Motor, x: f64| m.torque(x);
        f(motor, x) * motor.limited(x)
    }
    #[jacobian]
    pub fn in_loop(arm: &mut Arm, x: f64, n: usize) -> f64 {
        let mut total = x;
        for _ in 0..n {
            total += arm.counted(x) * 0.01;
        }
        total
    }
    #[jacobian]
    pub fn in_branch(arm: &Arm, x: f64) -> f64 {
        let chosen = if arm.calls > 3 { &arm.motor } else { arm.motor() };
        if x > 1.0 { arm.weighted(x) } else { arm.motor.torque(x) * chosen.ratio }
    }
}

fn arm() -> arms::Arm {
    let mut arm = arms::Arm::new("left");
    arm.calls = 2;
    arm
}

#[test]
fn methods_of_structs_with_texts_and_lists() {
    let (arm, q) = (arm(), [0.7, -0.4]);
    differences(|q| arms::energy(&arm, q), |q| arms::energy_jac(&arm, q), q);
    differences(|q| arm.own(q), |q| arm.own_jac(q), q);
    assert_eq!(arms::energy_jac_only(&arm, q), arms::energy_jac(&arm, q).1);
    for x in [0.3, 1.7, 2.5] {
        differences(|[x]| arms::sums(&arm, x), |[x]| arms::sums_jac(&arm, x), [x]);
        differences(|[x]| arms::in_branch(&arm, x), |[x]| arms::in_branch_jac(&arm, x), [x]);
        differences(|[x]| arms::by_value(arm.clone(), x), |[x]| arms::by_value_jac(arm.clone(), x), [x]);
    }
    differences(|[x]| arms::made(x), |[x]| arms::made_jac(x), [0.3]);
}

#[test]
fn what_methods_change_is_changed_once_and_in_order() {
    let of = |f: &dyn Fn(&mut arms::Arm) -> f64| {
        let mut arm = arm();
        let value = f(&mut arm);
        (value, arm)
    };
    for x in [0.3, -1.2] {
        assert_eq!(of(&|arm| arms::counted(arm, x)), of(&|arm| arms::counted_jac(arm, x).0));
        assert_eq!(of(&|arm| arms::in_loop(arm, x, 3)), of(&|arm| arms::in_loop_jac(arm, x, 3).0));
        differences(|[x]| arms::counted(&mut arm(), x), |[x]| arms::counted_jac(&mut arm(), x), [x]);
        differences(|[x]| arms::in_loop(&mut arm(), x, 3), |[x]| arms::in_loop_jac(&mut arm(), x, 3), [x]);
    }
}

#[test]
fn methods_of_values_whose_fields_are_active() {
    let with = |[ratio, a, b, q]: [f64; 4]| {
        let mut arm = arm();
        (arm.motor.ratio, arm.lengths) = (ratio, [a, b]);
        (arm, q)
    };
    let value = |x| with(x).0.by_fields(x[3]);
    differences(value, |x| with(x).0.by_fields_jac(x[3]), [3.0, 1.5, 0.5, 0.4]);
}

#[jacobian]
mod traits {
    pub use super::Spring;

    pub trait Law {
        fn force(&self, x: f64) -> f64;
        fn twice(&self, x: f64) -> f64 {
            2.0 * self.force(x)
        }
    }
    impl Law for Spring {
        fn force(&self, x: f64) -> f64 {
            -self.k * x
        }
    }
    pub enum Model {
        Linear(f64),
        Quadratic { k: f64, name: String },
        Free,
    }
    impl Model {
        fn offset(&self) -> f64 {
            if let Model::Quadratic { name, .. } = self { name.len() as f64 } else { 0.0 }
        }
    }
    impl Law for Model {
        fn force(&self, x: f64) -> f64 {
            match self {
                Model::Linear(k) => k * x,
                Model::Quadratic { k, .. } => k * x * x + self.offset(),
                Model::Free => x,
            }
        }
        fn twice(&self, x: f64) -> f64 {
            self.force(self.force(x))
        }
    }
    #[derive(Clone, Copy)]
    pub struct Gain {
        pub by: f64,
    }
    impl Law for Gain {
        fn force(&self, x: f64) -> f64 {
            self.by * x
        }
    }
    pub struct Cubic {
        pub k: f64,
        pub note: &'static str,
    }
    impl Cubic {
        // With the name of a method of the trait.
        pub fn force(&self, x: f64) -> f64 {
            self.k * x * x * x
        }
    }
    impl Law for Cubic {
        fn force(&self, x: f64) -> f64 {
            self.k + x
        }
    }
    fn chained(law: &impl Law, x: f64) -> f64 {
        law.force(law.force(x))
    }
    fn generic<L: Law>(law: &L, x: f64) -> f64 {
        law.twice(law.force(x))
    }
    fn dynamic(law: &dyn Law, x: f64) -> f64 {
        law.twice(x) + law.force(x) * law.force(2.0)
    }

    #[jacobian]
    pub fn of_spring(spring: &Spring, x: f64) -> f64 {
        chained(spring, x) + generic(spring, x) + dynamic(spring, x) + Law::force(spring, x)
    }
    #[jacobian]
    pub fn of_model(model: &Model, x: f64) -> f64 {
        chained(model, x) + generic(model, x) + dynamic(model, x) + <Model as Law>::twice(model, x)
    }
    #[jacobian]
    pub fn of_gain(gain: Gain, x: f64) -> f64 {
        chained(&gain, x) + generic(&gain, x) + dynamic(&gain, x)
    }
    #[jacobian(wrt(x))]
    pub fn of_passive_gain(gain: &Gain, x: f64) -> f64 {
        dynamic(gain, x)
    }
    #[jacobian]
    pub fn of_cubic(cubic: &Cubic, x: f64) -> f64 {
        cubic.force(x) + Law::force(cubic, x) + Cubic::force(cubic, x) + cubic.note.len() as f64
    }
    #[jacobian(wrt(spring.k))]
    pub fn of_field(spring: &Spring, x: f64) -> f64 {
        spring.force(x) * spring.k + chained(spring, x)
    }
}

#[test]
fn traits_of_imported_types_and_of_enums() {
    use traits::{Cubic, Gain, Model};
    let spring = Spring { k: 2.5 };
    let models = [Model::Linear(3.0), Model::Quadratic { k: 0.5, name: "a".to_string() }, Model::Free];
    assert_eq!(spring.energy(2.0), 5.0);
    let cubic = Cubic { k: 1.5, note: "note" };
    for x in [0.3, -1.2] {
        differences(|[x]| traits::of_spring(&spring, x), |[x]| traits::of_spring_jac(&spring, x), [x]);
        differences(|[x]| traits::of_cubic(&cubic, x), |[x]| traits::of_cubic_jac(&cubic, x), [x]);
        for model in &models {
            differences(|[x]| traits::of_model(model, x), |[x]| traits::of_model_jac(model, x), [x]);
        }
        let gain = |by| Gain { by };
        differences(|[by, x]| traits::of_gain(gain(by), x), |[by, x]| traits::of_gain_jac(gain(by), x), [1.5, x]);
        let gain = gain(0.5);
        differences(|[x]| traits::of_passive_gain(&gain, x), |[x]| traits::of_passive_gain_jac(&gain, x), [x]);
        let spring = |k| Spring { k };
        differences(|[k]| traits::of_field(&spring(k), x), |[k]| traits::of_field_jac(&spring(k), x), [2.0]);
    }
}

#[jacobian]
mod items {
    pub struct Chain {
        pub links: Vec<Link>,
        pub pair: [Link; 2],
        pub brake: Option<Link>,
    }
    #[derive(Clone)]
    pub struct Link {
        pub length: f64,
        pub uses: Vec<usize>,
    }
    impl Link {
        fn along(&self, q: f64) -> f64 {
            self.length * q.cos()
        }
        fn used(&mut self, q: f64) -> f64 {
            self.uses.push(self.uses.len());
            self.along(q) * self.uses.len() as f64
        }
        fn powed(&self, q: f64, n: i32, m: usize) -> f64 {
            q.powi(n) * m as f64 + self.length
        }
    }
    impl std::ops::Mul<f64> for &Link {
        type Output = f64;
        fn mul(self, q: f64) -> f64 {
            self.length * q
        }
    }

    #[jacobian]
    pub fn of_chain(chain: &Chain, q: f64) -> f64 {
        let mut total = 0.0;
        for link in &chain.links {
            total += link.along(q);
        }
        for (index, link) in chain.pair.iter().enumerate() {
            total = link.along(total) * index as f64 + q;
        }
        if let Some(brake) = &chain.brake {
            total += brake.along(q);
        }
        total += match chain.brake.as_ref() {
            Some(link) if link.length > 1.0 => link.powed(q, 3, 2),
            Some(_) | None => q,
        };
        let Chain { pair, links, .. } = chain;
        total + pair[1].along(q) + links[0].powed(q, 2, 1) + &pair[0] * q
    }
    #[jacobian]
    pub fn of_slice(links: &[Link], q: f64) -> f64 {
        let sum: f64 = links.iter().map(|link| link.along(q)).sum();
        let weighted: f64 = links.iter().rev().enumerate().map(|(i, link)| link.along(q) * i as f64).sum();
        sum * links.iter().skip(1).fold(q, |q, link| link.along(q)) + weighted
    }
    #[jacobian]
    pub fn changed(chain: &mut Chain, q: f64) -> f64 {
        let mut total = q;
        for link in &mut chain.links {
            total += link.used(q);
        }
        for link in chain.pair.iter_mut() {
            total *= link.used(total);
        }
        total + chain.links[1].used(q) + chain.pair[0].uses.len() as f64 * q
    }
    #[jacobian]
    pub fn declared(links: &std::collections::VecDeque<Link>, q: f64) -> f64 {
        let first: &Link = links.front().unwrap();
        first.along(q)
    }
}

fn chain(brake: Option<f64>) -> items::Chain {
    let link = |length| items::Link { length, uses: vec![7] };
    let links = vec![link(1.5), link(0.5), link(2.5)];
    items::Chain { links, pair: [link(0.7), link(1.1)], brake: brake.map(link) }
}

#[test]
fn methods_of_items() {
    for brake in [None, Some(0.5), Some(1.5)] {
        let own = chain(brake);
        differences(|[q]| items::of_chain(&own, q), |[q]| items::of_chain_jac(&own, q), [0.7]);
    }
    let links = chain(None).links;
    differences(|[q]| items::of_slice(&links, q), |[q]| items::of_slice_jac(&links, q), [0.7]);
    let new = || chain(None);
    differences(|[q]| items::changed(&mut new(), q), |[q]| items::changed_jac(&mut new(), q), [0.7]);
    let [mut left, mut right] = [new(), new()];
    assert_eq!(items::changed(&mut left, 0.7), items::changed_jac(&mut right, 0.7).0);
    assert_eq!(left.links.iter().map(|it| &it.uses[..]).collect::<Vec<_>>(), [&[7, 1][..], &[7, 1, 2], &[7, 1]]);
    assert!(left.links.iter().zip(&right.links).all(|(left, right)| left.uses == right.uses));
    assert!(left.pair.iter().zip(&right.pair).all(|(left, right)| left.uses == right.uses));
    let deque = std::collections::VecDeque::from(links.clone());
    differences(|[q]| items::declared(&deque, q), |[q]| items::declared_jac(&deque, q), [0.7]);
}

#[jacobian]
mod borrowed {
    pub struct Table<'a> {
        pub values: &'a [f64],
        pub reads: usize,
    }
    impl<'a> Table<'a> {
        fn first(&self) -> &'a [f64] {
            &self.values[..1]
        }
        fn rate(&self, x: f64) -> f64 {
            let first: &'a [f64] = self.first();
            first[0] * x * self.values[1]
        }
        fn counted(&mut self, x: f64) -> f64 {
            self.reads += 1;
            self.rate(x) * self.reads as f64
        }
        fn twice(&mut self, x: f64) -> f64 {
            self.counted(x) * self.counted(x)
        }
        #[jacobian]
        pub fn own(&self, x: f64) -> f64 {
            self.rate(x) * x
        }
    }
    #[jacobian]
    pub fn of_table(table: &mut Table, x: f64) -> f64 {
        table.twice(x) + table.rate(x)
    }
    pub struct Generic<T> {
        pub k: f64,
        pub rest: T,
    }
    impl<T: Clone> Generic<T> {
        #[jacobian]
        pub fn scaled(&self, x: f64) -> f64 {
            let _ = self.rest.clone();
            x * self.k
        }
    }
}

#[test]
fn structs_with_parameters() {
    let values = [2.0, 3.0];
    let table = || borrowed::Table { values: &values, reads: 4 };
    differences(|[x]| borrowed::of_table(&mut table(), x), |[x]| borrowed::of_table_jac(&mut table(), x), [0.7]);
    differences(|[x]| table().own(x), |[x]| table().own_jac(x), [0.7]);
    let generic = borrowed::Generic { k: 2.0, rest: "rest" };
    check(generic.scaled(3.0), generic.scaled_jac(3.0), &[2.0]);
}

/// The gain of a method that another module adds.
pub struct Gain(f64);

#[jacobian]
mod of_a_type_elsewhere {
    fn doubled(x: f64) -> f64 {
        2.0 * x
    }
    impl super::Gain {
        #[jacobian]
        pub fn by(&self, x: f64) -> f64 {
            self.0 * doubled(x) * x / 2.0
        }
    }
}

/// A module in which methods alone are marked, of a struct with a text.
#[jacobian(forms(jac, vjp))]
mod methods_only {
    pub struct Named {
        pub k: f64,
        pub name: String,
    }
    fn squared(x: f64) -> f64 {
        x * x
    }
    impl Named {
        #[jacobian]
        pub fn scaled(&self, x: f64) -> f64 {
            squared(x) * self.k + self.name.len() as f64
        }
    }
}

#[test]
fn marked_methods_need_no_import_and_no_marked_function() {
    check(Gain(2.0).by(3.0), Gain(2.0).by_jac(3.0), &[12.0]);
    let named = methods_only::Named { k: 2.0, name: "four".to_string() };
    check(named.scaled(3.0), named.scaled_jac(3.0), &[12.0]);
    assert_eq!(named.scaled_vjp(3.0, 2.0), (22.0, [24.0]));
}

/// Structs of floats of which `wrt` names some fields.
#[jacobian(forms(jac, hess))]
mod some_fields {
    // Not `Copy`: the passive fields are read where they are.
    #[derive(Debug)]
    pub struct Params {
        pub k: f64,
        pub steps: usize,
        pub gains: [f64; 2],
        pub inner: Inner,
        pub all: [Inner; 2],
    }
    #[derive(Debug)]
    pub struct Inner {
        pub a: f64,
        pub b: f64,
    }
    impl Inner {
        fn line(&self, x: f64) -> f64 {
            self.a * x + self.b
        }
    }
    impl Params {
        fn helper(&self, x: f64) -> f64 {
            self.k * x * x + self.gains[1] * self.inner.line(x) + self.steps as f64 + self.all[1].line(x)
        }
        fn assoc(x: f64) -> f64 {
            x * x
        }
        #[jacobian(wrt(self.k, x))]
        pub fn by_k(&self, x: f64) -> f64 {
            self.helper(x) + Self::assoc(x * self.k)
        }
        #[jacobian(wrt(self.gains, self.inner.b))]
        pub fn by_parts(&self, x: f64) -> f64 {
            let Params { gains: [first, _], inner, .. } = self;
            self.helper(x) * first + inner.b * first * first
        }
        #[jacobian(wrt(self.inner))]
        pub fn by_inner(self, x: f64) -> f64 {
            let inner = self.inner;
            inner.line(inner.line(x)) * self.k
        }
    }
    #[jacobian(wrt(p.inner.a, x))]
    pub fn of_both(p: &Params, x: f64) -> [f64; 2] {
        let mut total = p.inner.a;
        for i in 0..p.steps {
            total += p.helper(x) * i as f64;
        }
        [total, p.inner.line(x)]
    }
}

#[test]
fn some_fields_of_a_struct_of_floats() {
    use some_fields::{Inner, Params};
    let params = |k: f64, gains: [f64; 2], [a, b]: [f64; 2]| {
        let all = [Inner { a: 1.0, b: 2.0 }, Inner { a: 3.0, b: 4.0 }];
        Params { k, steps: 3, gains, inner: Inner { a, b }, all }
    };
    let by_k = |k| params(k, [2.0, 3.0], [0.5, 0.25]);
    differences(|[k, x]| by_k(k).by_k(x), |[k, x]| by_k(k).by_k_jac(x), [1.5, 0.7]);
    let by_parts = |[g, h, b]: [f64; 3]| params(1.5, [g, h], [0.5, b]);
    differences(|x| by_parts(x).by_parts(0.7), |x| by_parts(x).by_parts_jac(0.7), [2.0, 3.0, 0.25]);
    let by_inner = |inner: [f64; 2]| params(1.5, [2.0, 3.0], inner);
    differences(|x| by_inner(x).by_inner(0.7), |x| by_inner(x).by_inner_jac(0.7), [0.5, 0.25]);
    let both = |a: f64| params(1.5, [2.0, 3.0], [a, 0.25]);
    let value = |[a, x]: [f64; 2]| some_fields::of_both(&both(a), x);
    differences(value, |[a, x]| some_fields::of_both_jac(&both(a), x), [0.5, 0.7]);
}

/// A struct of the module that cannot hold active values: the types of its fields are seen all the same.
#[jacobian]
mod seen_types {
    use nalgebra::{Isometry3, Point3, Vector2};

    pub struct Camera {
        pub focal: Vector2<f64>,
        pub mount: Isometry3<f64>,
        pub limits: (f64, [f64; 2]),
        pub lens: Lens,
        pub name: String,
    }

    pub struct Lens {
        pub bends: [f64; 2],
        pub scale: Scale,
        pub maker: String,
    }

    #[derive(Clone, Copy)]
    pub struct Scale {
        pub by: f64,
        pub shift: f64,
    }

    #[jacobian(wrt(camera.focal, camera.limits.1, p))]
    pub fn projected(camera: &Camera, p: Point3<f64>) -> [f64; 2] {
        let q = camera.mount * p;
        let [low, high] = camera.limits.1;
        [camera.focal.x * q.x / q.z * low, camera.focal.y * q.y / q.z + high * camera.limits.0]
    }

    #[jacobian(wrt(camera.lens.bends, camera.lens.scale))]
    pub fn bent(camera: &Camera, r: f64) -> f64 {
        let Scale { by, shift } = camera.lens.scale;
        (camera.lens.bends[0] + camera.lens.bends[1] * r) * by + shift * by * camera.name.len() as f64
    }

    impl Lens {
        #[jacobian(wrt(self.bends, self.scale.by))]
        pub fn at(&self, r: f64) -> f64 {
            (self.bends[0] + self.bends[1] * r) * self.scale.by + self.scale.shift * self.maker.len() as f64
        }
    }
}

#[test]
fn the_types_of_fields_are_those_of_the_module() {
    use nalgebra::{Isometry3, Point3, Vector2};
    use seen_types::*;
    let lens = |x: &[f64]| {
        let scale = Scale { by: x[2], shift: *x.get(3).unwrap_or(&0.5) };
        Lens { bends: [x[0], x[1]], scale, maker: "ours".to_string() }
    };
    let camera = |x: &[f64], lens| {
        let mount = Isometry3::translation(0.5, 0.25, 1.0);
        let (focal, limits) = (Vector2::new(x[0], x[1]), (1.5, [x[2], x[3]]));
        Camera { focal, mount, limits, lens, name: "left".to_string() }
    };
    let p = |x: &[f64]| Point3::new(x[0], x[1], x[2]);
    let other = || lens(&[1.0; 4]);
    differences(
        |x: [f64; 7]| projected(&camera(&x, other()), p(&x[4..])),
        |x| projected_jac(&camera(&x, other()), p(&x[4..])),
        [0.7, 1.2, -0.4, 0.3, 0.9, -1.1, 1.4],
    );
    differences(
        |x: [f64; 4]| bent(&camera(&[1.0; 4], lens(&x)), 0.75),
        |x| bent_jac(&camera(&[1.0; 4], lens(&x)), 0.75),
        [0.7, 1.2, -0.4, 0.3],
    );
    differences(|x: [f64; 3]| lens(&x).at(0.75), |x| lens(&x).at_jac(0.75), [0.7, 1.2, -0.4]);
}

/// Functions that are generic over a type or a length give structs and arrays of numbers, of which parts are replaced.
#[jacobian]
mod same {
    #[derive(Clone, Copy)]
    pub struct Pair(pub f64, pub f64);

    impl core::ops::Neg for Pair {
        type Output = Pair;
        fn neg(self) -> Pair {
            Pair(-self.0, -self.1)
        }
    }

    pub fn either<Q: Copy + core::ops::Neg<Output = Q>>(a: Q, b: Q, c: f64) -> Q {
        if c > 0.2 { a } else { -b }
    }

    #[jacobian]
    pub fn replaced(x: f64, c: f64) -> f64 {
        let mut p = either(Pair(1.25, 3.0), Pair(0.5, 0.1), 0.3);
        p.0 += x;
        let q = either(Pair(1.25, c), Pair(0.5, 0.1), 0.1);
        p.0 * p.1 * q.0 + q.1
    }

    pub fn scaled<const N: usize>(v: &[f64; N], by: f64) -> [f64; N] {
        v.map(|v| v * by)
    }

    #[jacobian(wrt(x))]
    pub fn of_a_length(x: f64, c: f64, n: usize) -> f64 {
        let mut w = scaled(&[1.0, c, 3.0], 0.5);
        for i in 0..n {
            w[1] += w[i % 3];
            w[2] -= x;
        }
        w[2] * w[1] * scaled(&[c, 2.0], c)[1]
    }

    #[jacobian]
    pub fn chosen(x: f64, n: usize) -> f64 {
        if n > 3 {
            return either(Pair(0.5, 0.1), Pair(1.0, 2.0), 0.25).0;
        }
        let q = if n > 2 { either(Pair(0.5, 0.1), Pair(1.0, 2.0), 0.25) } else { Pair(x, x * x) };
        q.0 * q.1
    }
}

#[test]
fn what_is_passive_keeps_its_parts_behind_parameters() {
    differences(|[x, c]| same::replaced(x, c), |[x, c]| same::replaced_jac(x, c), [0.7, -1.2]);
    for n in 0..5 {
        differences(|[x]| same::chosen(x, n), |[x]| same::chosen_jac(x, n), [0.7]);
        differences(|[x]| same::of_a_length(x, 1.3, n), |[x]| same::of_a_length_jac(x, 1.3, n), [0.7]);
    }
}

#[jacobian]
mod variants {
    #[derive(Clone, Copy)]
    pub enum Law {
        Line,
        Power(i32),
        Wave { speed: f64 },
    }

    const LAWS: [Law; 2] = [Law::Power(3), Law::Line];

    impl Law {
        fn of(&self, x: f64) -> f64 {
            match self {
                Law::Line => x,
                Law::Power(n) => x.powi(*n),
                Law::Wave { speed } => (x * speed).sin(),
            }
        }
    }

    #[jacobian]
    pub fn single(x: f64) -> f64 {
        let (law, other) = (Law::Power(2), Law::Wave { speed: 3.0 });
        law.of(x) * other.of(x)
    }

    #[jacobian]
    pub fn listed(x: f64) -> f64 {
        let laws = [Law::Line, Law::Power(2), Law::Wave { speed: 0.5 }];
        let mut sum = laws[2].of(x);
        for law in &laws {
            sum += law.of(x);
        }
        for law in [Law::Power(4), Law::Line] {
            sum *= law.of(x);
        }
        sum + laws.iter().map(|law| law.of(x)).product::<f64>() + LAWS.iter().map(|law| law.of(x)).sum::<f64>()
    }
}

#[jacobian]
mod held {
    pub struct Rate {
        pub a: f64,
        pub e: f64,
    }

    impl Rate {
        fn at(&self, t: f64) -> f64 {
            self.a * (-self.e / t).exp()
        }
    }

    pub enum Kind {
        Single(Rate),
        Both { low: Rate, high: Rate, share: f64 },
        Listed(Vec<Rate>, usize),
        Nothing,
    }

    #[jacobian(wrt(t))]
    pub fn of_kinds(kinds: &[Kind], t: f64) -> f64 {
        let mut sum = 0.0;
        for kind in kinds {
            sum += match kind {
                Kind::Single(rate) => rate.at(t),
                Kind::Both { low, share, .. } if *share > 0.9 => low.at(t) * share,
                Kind::Both { low, high: other, share } => low.at(t) * (1.0 - share) + other.at(t) * share,
                Kind::Listed(rates, count) => rates[0].at(t) * *count as f64,
                Kind::Nothing => t,
            };
        }
        if let [Kind::Single(Rate { a, .. }), ..] = kinds { sum * a } else { sum }
    }
}

#[test]
fn methods_of_what_variants_hold_are_called() {
    use held::{Kind, Rate};
    let rate = |a, e| Rate { a, e };
    let kinds = [
        Kind::Single(rate(2.0, 0.3)),
        Kind::Both { low: rate(1.0, 0.1), high: rate(0.5, 0.7), share: 0.25 },
        Kind::Both { low: rate(1.5, 0.2), high: rate(0.5, 0.7), share: 0.95 },
        Kind::Listed(vec![rate(0.25, 1.5)], 3),
        Kind::Nothing,
    ];
    for count in 0..=kinds.len() {
        let kinds = &kinds[..count];
        differences(|[t]| held::of_kinds(kinds, t), |[t]| held::of_kinds_jac(kinds, t), [0.7]);
    }
}

#[test]
fn methods_of_variants_that_hold_something_are_called() {
    for x in [0.7, 1.3] {
        differences(|[x]| variants::single(x), |[x]| variants::single_jac(x), [x]);
        differences(|[x]| variants::listed(x), |[x]| variants::listed_jac(x), [x]);
    }
}

#[jacobian]
mod held_receivers {
    pub struct Held {
        pub stiffness: f64,
        pub name: String,
    }

    pub struct Scaled {
        pub inner: Held,
        pub scale: f64,
    }

    impl Held {
        fn force(&self, x: f64) -> f64 {
            x * x * self.stiffness + self.name.len() as f64
        }
    }

    impl Scaled {
        fn force(&self, x: f64) -> f64 {
            self.inner.force(x / (self.scale + 1.0)) * self.scale
        }
    }

    #[jacobian(wrt(x, y))]
    pub fn forces(x: f64, y: f64, scaled: &Scaled) -> f64 {
        scaled.force(x) * scaled.inner.force(x / (y + 1.0))
    }
}

#[test]
fn receivers_stay_where_they_are() {
    use held_receivers::*;
    let scaled = Scaled { inner: Held { stiffness: 2.0, name: "abc".to_string() }, scale: 1.5 };
    differences(|[x, y]| forces(x, y, &scaled), |[x, y]| forces_jac(x, y, &scaled), [0.7, 0.3]);
}
