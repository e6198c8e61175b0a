//! Aliases of a module's types, wherever a type is mentioned: in arguments of other types, in results that may be
//! missing, in what traits are implemented for.

use jacobian::jacobian;
use nalgebra::{SMatrix, Vector3};

use self::mentioned::*;
use crate::differences;

#[jacobian]
mod mentioned {
    use core::ops::{Add, Mul};

    use nalgebra::{SMatrix, Vector3};

    /// An alias with the name of what it stands for.
    pub type Vector2 = nalgebra::Vector2<Real>;
    pub type Real = f64;
    pub type Position = Vector3<Real>;
    pub type Grid = [[Real; SIZE]; SIZE];
    pub type Both = (Real, Position);
    type Track = State;
    type Plane = Pair<Real>;
    const SIZE: usize = 2;
    const GRAVITY: Real = 9.81;
    const TABLE: [Real; 2] = [1.0, 2.0];

    #[derive(Clone, Copy)]
    pub struct State {
        pub x: Real,
        pub v: Position,
    }

    #[derive(Clone, Copy, Default)]
    pub struct Pair<T> {
        pub a: T,
        pub b: T,
    }

    #[derive(Clone, Copy)]
    pub struct Gains {
        pub own: Pair<Real>,
        pub others: [self::Plane; 2],
    }

    pub trait Blend {
        fn blend(self, other: Self, t: Real) -> Self;
    }

    impl Blend for Real {
        fn blend(self, other: Real, t: Real) -> Real {
            self * t + other
        }
    }

    impl Mul<Real> for State {
        type Output = State;
        fn mul(self, k: Real) -> State {
            State { x: self.x * k, v: self.v * k }
        }
    }

    impl Mul<Track> for Real {
        type Output = State;
        fn mul(self, state: State) -> Track {
            state * self
        }
    }

    impl Add<Track> for State {
        type Output = Track;
        fn add(self, other: State) -> Track {
            Track { x: self.x + other.x, ..self }
        }
    }

    impl<T: Copy + Mul<f64, Output = T>> Pair<T> {
        fn scaled(self, by: Real) -> Self {
            Pair { a: self.a * by, b: self.b * by }
        }
    }

    impl Pair<Real> {
        #[jacobian(wrt(self, by))]
        pub fn product(&self, by: Real) -> Real {
            self.scaled(by).a * self.b
        }
    }

    #[jacobian]
    pub fn operators(s: Track, k: Real) -> State {
        s * k + 2.0 * s
    }

    #[jacobian]
    pub fn functions(x: Real, n: usize) -> Real {
        let y: Real = Real::sin(x) * n as Real * Real::from(2.0f32);
        y.blend(GRAVITY, x) + Real::EPSILON + TABLE[n]
    }

    #[jacobian]
    pub fn vectors(p: Position, x: Real, out: &mut Position) {
        let q: Position = Position::new(x, p.x, 0.0);
        *out = q.cross(&p) + Position::zeros();
    }

    #[jacobian]
    pub fn of_its_name(p: Vector2) -> Real {
        Vector2::new(p.x * p.y, 2.0).sum()
    }

    #[jacobian]
    pub fn tuples(p: [Real; 2]) -> Both {
        let both: Both = (p[0], Position::repeat(p[1]) * 2.0);
        both
    }

    fn turned(g: &Grid) -> Grid {
        core::array::from_fn(|i| core::array::from_fn(|j| g[j][i]))
    }

    #[jacobian]
    pub fn missing(g: Grid, i: usize) -> Option<Real> {
        if i > 1 {
            return None;
        }
        let g: Grid = core::array::from_fn(|i| turned(&g)[1 - i]);
        Some(g[i][0] * g[0][1])
    }

    #[jacobian]
    pub fn failing(x: Real) -> Result<Position, String> {
        if x < 0.0 {
            return Err("negative".into());
        }
        Ok(Position::new(x, x * x, 1.0))
    }

    #[jacobian]
    pub fn maybe(x: Real, y: Real) -> Option<Grid> {
        Some(core::array::from_fn(|i| [x * i as Real, y]))
    }

    #[jacobian(wrt(x))]
    pub fn over(x: Real, data: &[Real], weights: &[Real]) -> Real {
        data.iter().zip(weights).map(|(a, b)| a * x + b).sum::<Real>()
    }

    #[jacobian]
    pub fn made(x: Real) -> Real {
        let mut g: Grid = Default::default();
        g[0][1] = x;
        let plane = Plane { a: x, b: Grid::default()[0][0] }.scaled(x);
        g[0][1] * x + plane.a
    }

    fn applied<F: Fn(Real) -> Real>(f: F, x: Real) -> Real {
        f(x) * 2.0
    }

    #[jacobian]
    pub fn closures(x: Real, m: SMatrix<Real, 2, 2>) -> Real {
        applied(|t: Real| -> Real { t * t }, x) * m[(0, 1)] * m.trace()
    }

    #[jacobian(wrt(gains.own, gains.others: [Plane; 2]))]
    pub fn fields(gains: &Gains) -> Real {
        gains.own.a * gains.others[1].b + gains.others[0].a * gains.own.b
    }
}

#[test]
fn what_it_stands_for_is_seen_wherever_an_alias_is_mentioned() {
    let p = |x: &[f64]| Vector3::new(x[0], x[1], x[2]);
    let flat = |s: State| [s.x, s.v.x, s.v.y, s.v.z];
    differences(
        |x: [f64; 5]| flat(operators(State { x: x[0], v: p(&x[1..]) }, x[4])),
        |x| {
            let (s, j) = operators_jac(State { x: x[0], v: p(&x[1..]) }, x[4]);
            (flat(s), j)
        },
        [0.7, 1.2, -0.4, 0.3, 0.9],
    );
    differences(|[x]| functions(x, 1), |[x]| functions_jac(x, 1), [0.7]);
    differences(
        |x: [f64; 4]| {
            let mut out = Vector3::zeros();
            vectors(p(&x), x[3], &mut out);
            [out.x, out.y, out.z]
        },
        |x| {
            let mut out = Vector3::zeros();
            let j = vectors_jac(p(&x), x[3], &mut out);
            ([out.x, out.y, out.z], j)
        },
        [0.7, 1.2, -0.4, 0.3],
    );
    assert_eq!(of_its_name_jac(nalgebra::Vector2::new(2.0, 3.0)), (8.0, [3.0, 2.0]));
    let flat = |(x, p): Both| [x, p.x, p.y, p.z];
    differences(
        |x| flat(tuples(x)),
        |x| {
            let (y, j) = tuples_jac(x);
            (flat(y), j)
        },
        [0.7, 1.2],
    );
    let grid = |x: [f64; 4]| [[x[0], x[1]], [x[2], x[3]]];
    differences(|x| missing(grid(x), 1).unwrap(), |x| missing_jac(grid(x), 1).unwrap(), [0.7, 1.2, -0.4, 0.3]);
    assert_eq!(missing_jac(grid([1.0; 4]), 2), None);
    assert_eq!(failing_jac(2.0).unwrap().1, [[1.0], [4.0], [0.0]]);
    assert_eq!(failing_jac(-2.0), Err("negative".to_string()));
    assert_eq!(maybe_jac(2.0, 3.0), Some(([[0.0, 3.0], [2.0, 3.0]], [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])));
    assert_eq!(over_jac(2.0, &[1.0, 3.0], &[5.0, 6.0]), (19.0, [4.0]));
    assert_eq!(made_jac(3.0), (18.0, [12.0]));
    differences(
        |x: [f64; 5]| closures(x[0], SMatrix::from([[x[1], x[2]], [x[3], x[4]]])),
        |x| closures_jac(x[0], SMatrix::from([[x[1], x[2]], [x[3], x[4]]])),
        [0.7, 1.2, -0.4, 0.3, 0.9],
    );
    let pair = |x: &[f64]| Pair { a: x[0], b: x[1] };
    let gains = |x: [f64; 6]| Gains { own: pair(&x), others: [pair(&x[2..]), pair(&x[4..])] };
    differences(|x| fields(&gains(x)), |x| fields_jac(&gains(x)), [0.7, 1.2, -0.4, 0.3, 0.9, -1.1]);
    differences(|x| pair(&x).product(x[2]), |x| pair(&x).product_jac(x[2]), [0.7, 1.2, -0.4]);
}

/// Names that are those of aliases, and mean something else.
#[jacobian]
mod other_names {
    pub type Real = f64;
    pub type Gains = [Real; 2];
    pub type Length = Real;

    pub enum Unit {
        Length,
        Angle,
    }

    pub struct Rod {
        pub k: Real,
        pub name: String,
    }

    macro_rules! named {
        (Real) => {
            2.0
        };
        ($name:ident) => {
            3.0
        };
    }

    impl Rod {
        /// A type of another item, called like an alias of floats.
        pub fn counted(&self, q: Real) -> Real {
            type Gains = usize;
            let n: Gains = self.name.len();
            q * n as Real * self.k
        }
    }

    #[jacobian]
    pub fn variants(x: Real, unit: &Unit) -> Length {
        match unit {
            Unit::Length => x * named!(Real),
            Unit::Angle => x * x,
        }
    }

    mod singles {
        pub type Real = f32;
    }

    #[jacobian]
    pub fn out_of_a_glob(x: f64) -> f64 {
        use self::singles::*;
        let third: Real = 1.0 / 3.0;
        x * f64::from(third)
    }

    #[jacobian]
    pub fn of_rod(rod: &Rod, x: self::Real, gains: Gains) -> Real {
        rod.counted(x) * gains[1]
    }

    #[jacobian]
    pub fn generic<Length: num_traits::Float>(x: Length, y: Length) -> Length {
        x * y
    }
}

#[test]
fn a_name_that_means_something_else_is_no_alias() {
    use self::other_names::*;
    assert_eq!(variants_jac(3.0, &Unit::Length), (6.0, [2.0]));
    assert_eq!(variants_jac(3.0, &Unit::Angle), (9.0, [6.0]));
    assert_eq!(out_of_a_glob_jac(2.0).1, [f64::from(1.0f32 / 3.0)]);
    let rod = Rod { k: 0.5, name: "rod".to_string() };
    assert_eq!(of_rod_jac(&rod, 2.0, [1.0, 4.0]), (12.0, [6.0, 0.0, 3.0]));
    assert_eq!(generic_jac(2.0f32, 3.0), (6.0, [3.0, 2.0]));
}

#[jacobian]
fn inside(x: f64, y: f64) -> f64 {
    type Pair = [f64; 2];
    type Same = Pair;
    fn scaled(p: &Pair) -> Pair {
        type Own = f64;
        let first: Own = p[0];
        core::array::from_fn(|i| p[i] * 2.0 * first)
    }
    let shifted = |p: &Same| -> Pair { core::array::from_fn(|i| p[i] + 1.0) };
    let a = shifted(&scaled(&[x, y]));
    {
        type Pair = f64;
        let v: Pair = x;
        a[0] * a[1] * v
    }
}

#[test]
fn aliases_inside_of_functions() {
    crate::differences(|[x, y]| inside(x, y), |[x, y]| inside_jac(x, y), [0.5, 1.25]);
}
