//! Functions of a module that give an `Option` or a `Result` of its structs, or of tuples and arrays of these, and `?` on
//! calls of functions, associated functions and methods.

use std::cell::RefCell;

use jacobian::jacobian;

use crate::{Floats, check, differences};

#[jacobian]
mod poses {
    use std::cell::RefCell;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Pose {
        pub place: [f64; 2],
        pub yaw: f64,
    }

    /// An alias, of which a macro sees what it is.
    pub type Seen = Pose;

    #[derive(Debug, PartialEq)]
    pub enum Lost {
        Far(f64),
        Text(String),
    }

    pub type Result<T> = std::result::Result<T, Lost>;

    impl Pose {
        /// `Self` in the result, and an early return.
        fn checked(x: f64, y: f64, yaw: f64) -> Option<Self> {
            if x.hypot(y) > 10.0 {
                return None;
            }
            Some(Self { place: [x, y], yaw })
        }

        fn ahead(&self, by: f64) -> Option<Pose> {
            let [x, y] = self.place;
            let next = Self::checked(x + by * self.yaw.cos(), y + by * self.yaw.sin(), self.yaw)?;
            if next.place[0] < -5.0 { None } else { Some(next) }
        }

        fn turn(&mut self, by: f64) -> Option<()> {
            if by > 3.0 {
                return None;
            }
            self.yaw += by * self.place[0];
            Some(())
        }

        fn range(&self) -> Result<f64> {
            let r = self.place[0].hypot(self.place[1]);
            if r < 0.1 { Err(Lost::Far(r)) } else { Ok(r) }
        }

        #[jacobian(wrt(self, by), forms(jac, vjp, hess))]
        pub fn twice(&self, by: f64) -> Option<Seen> {
            let first = self.ahead(by)?;
            first.ahead(0.5 * by)
        }
    }

    #[jacobian(forms(jac, jac_into, jac_only, jvp, vjp, lin, normal, hvp, jac_sparse))]
    pub fn moved(pose: Pose, by: f64, turn: f64) -> Option<Pose> {
        let mut next = pose.ahead(by)?;
        next.turn(turn)?;
        next.ahead(by * by)
    }

    #[jacobian]
    pub fn both(pose: &Pose, by: f64) -> Option<(Pose, [Seen; 2])> {
        let a = pose.ahead(by)?;
        let b = a.ahead(by)?;
        Some((a, [b, *pose]))
    }

    /// Effects in their turn, errors with active values in them, loops.
    #[jacobian(wrt(pose, by))]
    pub fn walked(pose: Pose, by: f64, n: usize, log: &RefCell<Vec<usize>>) -> Result<self::Pose> {
        let mut at = pose;
        for k in 0..n {
            log.borrow_mut().push(k);
            let r = at.range()?;
            if r > 8.0 {
                return Err(Lost::Text(format!("{r:.3} after {k}")));
            }
            at.yaw += by / r;
            at.place[k % 2] += by;
        }
        Ok(at)
    }

    /// What is passive is called as it is written, and its fields are known after the `?`.
    fn first(all: &[f64]) -> Option<Pose> {
        Some(Pose { place: [*all.first()?, *all.get(1)?], yaw: 0.25 })
    }

    #[jacobian(wrt(by))]
    pub fn from_first(by: f64, all: &[f64]) -> Option<Pose> {
        let start = first(all)?;
        let other = start.ahead(1.0)?;
        let Pose { place: [x, _], .. } = other;
        let next = start.ahead(by * x)?;
        Some(Pose { yaw: next.yaw * by, ..next })
    }

    /// A struct of passive results of which nothing is active, and one of the same name in a function.
    #[jacobian]
    pub fn hidden(x: f64, y: f64) -> Option<[f64; 2]> {
        #[derive(Clone, Copy)]
        struct Pose {
            yaw: f64,
        }
        fn of(k: i32) -> Option<Pose> {
            if k > 0 { Some(Pose { yaw: f64::from(k) }) } else { None }
        }
        let pose = of(2)?;
        Some([x * pose.yaw, y])
    }

    /// `map`, `and_then`, `then` of what is passive.
    #[jacobian(wrt(x))]
    pub fn mapped(x: f64, all: &[Pose], k: usize) -> Option<Pose> {
        all.get(k).map(|pose| Pose { yaw: pose.yaw * x, ..*pose })
    }

    #[allow(clippy::unnecessary_lazy_evaluations)]
    #[jacobian]
    pub fn near(x: f64, y: f64) -> Option<Pose> {
        (x * y < 2.0).then(|| Pose { place: [x, x * y], yaw: y })
    }
}

impl Floats for poses::Pose {
    fn floats(&self) -> Vec<f64> {
        [self.place.floats(), self.yaw.floats()].concat()
    }
}

fn pose(x: &[f64]) -> poses::Pose {
    poses::Pose { place: [x[0], x[1]], yaw: x[2] }
}

const AT: [f64; 5] = [0.5, -0.25, 0.75, 1.5, 0.5];

#[test]
fn all_forms() {
    let f = |x: [f64; 5]| poses::moved(pose(&x), x[3], x[4]).expect("it is there");
    differences(f, |x| poses::moved_jac(pose(&x), x[3], x[4]).expect("it is there"), AT);
    let (value, jacobian) = poses::moved_jac(pose(&AT), AT[3], AT[4]).expect("it is there");
    assert_eq!(poses::moved_jac_only(pose(&AT), AT[3], AT[4]), Some(jacobian));
    let (mut own, mut into) = (value, [[0.0; 5]; 3]);
    assert_eq!(poses::moved_jac_into(pose(&AT), AT[3], AT[4], &mut own, &mut into), Some(()));
    assert_eq!((own, into), (value, jacobian));
    let direction = [0.3, -0.2, 0.7, 0.5, -0.1];
    let along = jacobian.map(|row| row.iter().zip(direction).map(|(a, b)| a * b).sum::<f64>());
    check(value, poses::moved_jvp(pose(&AT), AT[3], AT[4], &direction).expect("it is there"), &along);
    check(value, poses::moved_vjp(pose(&AT), AT[3], AT[4], &[0.0, 1.0, 0.0]).expect("it is there"), &jacobian[1]);
    let (own, labels) = poses::moved_lin(pose(&AT), AT[3], AT[4]).expect("it is there");
    check(value, (own, poses::moved_lin_jvp(&labels, &direction)), &along);
    let (own, gradient, _) = poses::moved_normal(pose(&AT), AT[3], AT[4]).expect("it is there");
    let floats = value.floats();
    let expected = [0, 1, 2, 3, 4].map(|k| (0..3).map(|i| jacobian[i][k] * floats[i]).sum::<f64>());
    check(value, (own, gradient), &expected);
    let (_, gradient, _) =
        poses::moved_hvp(pose(&AT), AT[3], AT[4], &[0.0, 0.0, 1.0], &direction).expect("it is there");
    check(value, (value, gradient), &jacobian[2]);
    let (_, entries) = poses::moved_jac_sparse(pose(&AT), AT[3], AT[4]).expect("it is there");
    assert_eq!(poses::moved_jac_pattern().1.len(), entries.len());
    // None of them, by the function, the associated function and the method.
    for (by, turn) in [(20.0, 0.5), (1.5, 4.0), (-9.0, 0.5)] {
        assert_eq!(poses::moved(pose(&AT), by, turn), None);
        assert_eq!(poses::moved_jac(pose(&AT), by, turn), None);
        assert_eq!(poses::moved_vjp(pose(&AT), by, turn, &[1.0; 3]), None);
    }
}

#[test]
fn methods() {
    let f = |x: [f64; 4]| pose(&x).twice(x[3]).expect("it is there");
    differences(f, |x| pose(&x).twice_jac(x[3]).expect("it is there"), [0.5, -0.25, 0.75, 1.5]);
    assert_eq!(pose(&AT).twice_jac(30.0), None);
    let (_, gradient, hessian) = pose(&AT).twice_hess(1.5, &[1.0, 0.0, 0.0]).expect("it is there");
    let (sin, cos) = 0.75_f64.sin_cos();
    check(1.0, (1.0, gradient), &[1.0, 0.0, -2.25 * sin, 1.5 * cos]);
    check(1.0, (1.0, [hessian[2], hessian[3]]), &[0.0, 0.0, -2.25 * cos, -1.5 * sin, 0.0, 0.0, -1.5 * sin, 0.0]);
}

#[test]
fn tuples_and_arrays() {
    let f = |x: [f64; 4]| {
        let (a, b) = poses::both(&pose(&x), x[3]).expect("it is there");
        (a, b)
    };
    differences(f, |x| poses::both_jac(&pose(&x), x[3]).expect("it is there"), [0.5, -0.25, 0.75, 1.5]);
    assert!(poses::both_jac(&pose(&AT), 20.0).is_none());
}

#[test]
fn errors_and_effects_come_in_their_turn() {
    for (x, by, n) in [(0.5, 0.5, 3), (0.5, 4.0, 9), (0.01, 0.0, 2), (0.5, -0.5, 2), (0.5, 1.0, 0)] {
        let at = poses::Pose { place: [x, 0.0], yaw: 0.5 };
        let logs = [RefCell::default(), RefCell::default()];
        let own = poses::walked(at, by, n, &logs[0]);
        let generated = poses::walked_jac(at, by, n, &logs[1]);
        assert_eq!(own, generated.map(|(value, _)| value));
        assert_eq!(logs[0], logs[1]);
        if own.is_ok() {
            let none = RefCell::default();
            let f = |x: [f64; 4]| poses::walked(pose(&x), x[3], n, &none).expect("it is there");
            differences(f, |x| poses::walked_jac(pose(&x), x[3], n, &none).expect("it is there"), [x, 0.0, 0.5, by]);
        }
    }
}

#[test]
fn what_is_passive() {
    for all in [&[1.0, 2.0][..], &[1.0], &[20.0, 1.0]] {
        assert_eq!(poses::from_first(0.5, all), poses::from_first_jac(0.5, all).map(|(value, _)| value));
    }
    let all = [1.0, 2.0];
    let f = |[x]: [f64; 1]| poses::from_first(x, &all).expect("it is there");
    differences(f, |[x]| poses::from_first_jac(x, &all).expect("it is there"), [0.5]);
    check([3.0, 4.0], poses::hidden_jac(1.5, 4.0).expect("it is there"), &[2.0, 0.0, 0.0, 1.0]);
    let all = [pose(&AT)];
    check(pose(&[0.5, -0.25, 1.5]), poses::mapped_jac(2.0, &all, 0).expect("it is there"), &[0.0, 0.0, 0.75]);
    assert_eq!(poses::mapped_jac(2.0, &all, 1), None);
    check(pose(&[0.5, 1.5, 3.0]), poses::near_jac(0.5, 3.0).expect("it is there"), &[1.0, 0.0, 3.0, 0.5, 0.0, 1.0]);
    assert_eq!(poses::near_jac(1.5, 3.0), None);
}

#[jacobian]
mod named_in_errors {
    #[derive(Clone, Copy)]
    pub struct State {
        pub x: f64,
        pub v: f64,
    }

    #[jacobian]
    pub fn bounded(s: State, n: usize) -> Result<f64, String> {
        let mut s = s;
        for _ in 0..n {
            s.x *= s.v;
            if s.x > 100.0 {
                return Err(format!("{} at {}", s.x, s.v));
            }
        }
        Ok(s.x)
    }
}

#[test]
fn a_field_of_a_struct_in_an_error() {
    let of = |[x, v]: [f64; 2]| named_in_errors::State { x, v };
    let f = |x| named_in_errors::bounded(of(x), 3).expect("it is small");
    differences(f, |x| named_in_errors::bounded_jac(of(x), 3).expect("it is small"), [1.3, 0.7]);
    let large = of([1.5, 20.0]);
    assert_eq!(named_in_errors::bounded_jac(large, 3).unwrap_err(), named_in_errors::bounded(large, 3).unwrap_err());
}
