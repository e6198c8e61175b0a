//! A robot drives around landmarks, and finds where it and they are: a factor of factrs whose Jacobian is generated.
//! `retract(pose)` gives the columns of a pose that factrs takes: the angle, then the translation in the robot's frame.
//!
//!     cargo run -p factors

use factrs::core::{BetweenResidual, GaussNewton, Graph, PriorResidual, Values};
use factrs::linalg::{Const, Diff, DiffResult, ForwardProp, MatrixX, Numeric, VectorX};
use factrs::residuals::Residual2;
use factrs::traits::{Optimizer, Variable};
use factrs::variables::{SE2, VectorVar2};
use factrs::{assign_symbols, containers::Key, fac};
use jacobian::jacobian;
use nalgebra::{Isometry2, RealField, Translation2, UnitComplex, Vector2};

/// The distance and the direction in which a landmark is seen, less those that are measured.
#[jacobian(wrt(pose, landmark), retract(pose), layout = "matrix")]
fn seen_from<T: RealField + Copy>(pose: Isometry2<T>, landmark: Vector2<T>, seen: Vector2<T>) -> Vector2<T> {
    let ahead = pose.rotation.inverse() * (landmark - pose.translation.vector);
    Vector2::new(ahead.norm() - seen.x, ahead.y.atan2(ahead.x) - seen.y)
}

#[derive(Clone, Debug)]
struct Sighting(Vector2<f64>);

#[factrs::mark]
impl Residual2 for Sighting {
    type Differ = ForwardProp<Const<5>>;
    type V1 = SE2;
    type V2 = VectorVar2;
    type DimIn = Const<5>;
    type DimOut = Const<2>;

    fn residual2<T: Numeric>(&self, pose: SE2<T>, landmark: VectorVar2<T>) -> VectorX<T> {
        VectorX::from_column_slice(seen_from(isometry(&pose), landmark.0, self.0.cast()).as_slice())
    }

    fn residual2_jacobian(&self, values: &Values, keys: &[Key]) -> DiffResult<VectorX, MatrixX> {
        let pose: &SE2 = values.get_unchecked(keys[0]).expect("a pose");
        let landmark: &VectorVar2 = values.get_unchecked(keys[1]).expect("a landmark");
        let (value, diff) = seen_from_jac(isometry(pose), landmark.0, self.0);
        DiffResult {
            value: VectorX::from_column_slice(value.as_slice()),
            diff: MatrixX::from_column_slice(2, 5, diff.as_slice()),
        }
    }
}

fn isometry<T: Numeric>(pose: &SE2<T>) -> Isometry2<T> {
    Isometry2::from_parts(Translation2::new(pose.x(), pose.y()), UnitComplex::new(pose.theta()))
}

assign_symbols!(X: SE2; L: VectorVar2);

fn main() {
    let poses: Vec<_> =
        (0..8).map(|i| 0.3 * f64::from(i)).map(|a| SE2::new(a, 2.0 * a.sin(), 2.0 - 2.0 * a.cos())).collect();
    let landmarks = [[1.0, 4.0], [4.0, 1.0], [-2.0, 3.0]].map(|[x, y]| VectorVar2::new(x, y));
    let (mut graph, mut start) = (Graph::new(), Values::new());
    graph.add_factor(fac![PriorResidual::new(poses[0].clone()), X(0)]);
    for (i, pose) in (0..).zip(&poses) {
        start.insert(X(i), SE2::new(pose.theta() + 0.1, pose.x() - 0.2, pose.y() + 0.1));
        if i > 0 {
            let driven = poses[i as usize - 1].inverse().compose(pose);
            graph.add_factor(fac![BetweenResidual::new(driven), (X(i - 1), X(i)), 0.1 as std]);
        }
        for (j, landmark) in (0..).zip(&landmarks) {
            let factor = Sighting(seen_from(isometry(pose), landmark.0, Vector2::zeros()));
            graph.add_factor(fac![factor.clone(), (X(i), L(j)), 0.01 as std]);
            start.insert(L(j), VectorVar2::new(landmark[0] + 0.3, landmark[1] - 0.2));

            let by_duals = ForwardProp::<Const<5>>::jacobian_2(|p, l| factor.residual2(p, l), pose, landmark).diff;
            let generated = seen_from_jac(isometry(pose), landmark.0, factor.0).1;
            assert!((by_duals - generated).amax() < 1e-12);
        }
    }
    let found = GaussNewton::new_default(graph).optimize(start).expect("it converges");
    for (i, pose) in (0..).zip(&poses) {
        let error = found.get(X(i)).expect("a pose").ominus(pose).amax();
        println!("pose {i}: error {error:.1e}");
        assert!(error < 1e-6);
    }
    for (j, landmark) in (0..).zip(&landmarks) {
        assert!(found.get(L(j)).expect("a landmark").ominus(landmark).amax() < 1e-6);
    }
}
