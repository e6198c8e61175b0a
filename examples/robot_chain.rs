//! A seven-joint arm that keeps its tool in place while its elbow moves, the Jacobian coming from `#[jacobian]`.
//!
//! Takes nothing: the arm is a Franka Emika Panda, whose published Denavit-Hartenberg table is in the function. Prints
//! the pose of the tool and its manipulability (Yoshikawa 1985), then how that rises along the motion that seven joints
//! have to spare. Shows a chain of transforms as loops over joints, rows and columns, and a table of constants; every
//! Jacobian that is used is checked against dual numbers, and a disagreement is a panic.
//!
//!     cargo run --release --example robot_chain

mod dual;

use dual::{Noise, check_at, dual_twin};
use jacobian::jacobian;
use nalgebra::{SMatrix, SVector, Vector3};
use std::f64::consts::FRAC_PI_2;

/// The flange at the joint angles `q`: its position in metres, then its x, y and z axes.
#[dual_twin(flange_of_duals)]
#[jacobian]
fn flange(q: [f64; 7]) -> [f64; 12] {
    // Length and offset of the link in metres, its twist in right angles, in the convention of Craig.
    const DH: [[f64; 3]; 7] = [
        [0.0, 0.333, 0.0],
        [0.0, 0.0, -1.0],
        [0.0, 0.316, 1.0],
        [0.0825, 0.0, 1.0],
        [-0.0825, 0.384, -1.0],
        [0.0, 0.0, 1.0],
        [0.088, 0.0, 1.0],
    ];
    const FLANGE: f64 = 0.107;
    let mut pose = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    for joint in 0..7 {
        let [a, d, twist] = DH[joint];
        let (st, ct) = q[joint].sin_cos();
        let (sa, ca) = (twist * FRAC_PI_2).sin_cos();
        let link =
            [[ct, -st, 0.0, a], [st * ca, ct * ca, -sa, -d * sa], [st * sa, ct * sa, ca, d * ca], [0.0, 0.0, 0.0, 1.0]];
        let mut product = [[0.0; 4]; 4];
        for i in 0..4 {
            for j in 0..4 {
                for k in 0..4 {
                    product[i][j] += pose[i][k] * link[k][j];
                }
            }
        }
        pose = product;
    }
    let mut result = [0.0; 12];
    for i in 0..3 {
        result[i] = pose[i][3] + FLANGE * pose[i][2];
        for axis in 0..3 {
            result[3 + 3 * axis + i] = pose[i][axis];
        }
    }
    result
}

type Joints = SVector<f64, 7>;
type Twist = SVector<f64, 6>;
type TwistJacobian = SMatrix<f64, 6, 7>;

/// The motion ends when its steps are shorter than this, in radians.
const SHORT: f64 = 1e-6;

fn main() {
    let ready = [0.0, -0.5, 0.0, -1.5, 0.0, 1.0, 0.5].map(|quarters| quarters * FRAC_PI_2);
    let worst = check(Noise(1).points(300, [0.0; 7], [2.8; 7]));
    print_pose("at rest", ready);

    let start = Joints::from([0.6, -0.9, -0.4, -2.2, 1.1, 1.2, 0.5]);
    print_pose("at the start", start.into());
    println!("\nsteps  third joint [rad]  manipulability  tool moved by [mm]");
    let mut arm = Arm::new(start);
    while arm.step.abs() > SHORT {
        if arm.steps.is_multiple_of(10) {
            arm.print();
        }
        arm.move_elbow();
    }
    arm.print();
    let worst = worst.max(check(arm.path.iter().map(|q| (*q).into())));
    assert!(arm.moved() < 1e-9, "the tool has left its place");
    println!("\nGenerated Jacobians and dual numbers differ by {worst:.1e} at most.");
}

/// The arm on its way along its self-motion, towards the largest manipulability.
struct Arm {
    wanted: [f64; 12],
    q: Joints,
    manipulability: f64,
    /// The length of the next step, negative against the direction of the self-motion.
    step: f64,
    steps: usize,
    path: Vec<Joints>,
}

impl Arm {
    fn new(q: Joints) -> Self {
        let manipulability = manipulability(&twist_jacobian(q));
        Self { wanted: flange(q.into()), q, manipulability, step: 0.1, steps: 0, path: vec![q] }
    }

    /// Steps if that raises the manipulability; else turns around, to step half as far.
    fn move_elbow(&mut self) {
        let q = self.corrected(self.q + self.step * self_motion(&twist_jacobian(self.q)));
        let manipulability = manipulability(&twist_jacobian(q));
        if manipulability > self.manipulability {
            (self.q, self.manipulability) = (q, manipulability);
            self.path.push(q);
        } else {
            self.step *= -0.5;
        }
        self.steps += 1;
    }

    /// The joint angles near `q` at which the tool is in its place, by Newton's method with the least change of angles.
    fn corrected(&self, mut q: Joints) -> Joints {
        for _ in 0..4 {
            let jacobian = twist_jacobian(q);
            let square = (jacobian * jacobian.transpose()).cholesky().expect("the arm is not singular on its way");
            q -= jacobian.tr_mul(&square.solve(&twist(&self.wanted, &flange(q.into()))));
        }
        q
    }

    /// How far the tool is from its place in metres.
    fn moved(&self) -> f64 {
        twist(&self.wanted, &flange(self.q.into())).norm()
    }

    fn print(&self) {
        let [elbow, moved] = [self.q[2], 1000.0 * self.moved()];
        println!("{:>5} {elbow:>18.6} {:>15.6} {moved:>19.1e}", self.steps, self.manipulability);
    }
}

/// The direction in which all joints move and the tool does not: the kernel of the Jacobian.
fn self_motion(jacobian: &TwistJacobian) -> Joints {
    let eigen = jacobian.tr_mul(jacobian).symmetric_eigen();
    let direction: Joints = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into();
    // Of the two directions, always the one that turns the third joint forwards.
    direction * direction[2].signum()
}

/// The volume of the twists that joint rates of length one give (Yoshikawa 1985).
fn manipulability(jacobian: &TwistJacobian) -> f64 {
    (jacobian * jacobian.transpose()).determinant().sqrt()
}

/// Velocity and angular velocity of the tool by the rates of the joints, from the derivatives of its pose.
fn twist_jacobian(q: Joints) -> TwistJacobian {
    let (pose, jacobian) = flange_jac(q.into());
    let columns = SMatrix::<f64, 12, 7>::from_row_slice(jacobian.as_flattened());
    let twists: [Twist; 7] = std::array::from_fn(|joint| velocity(&pose, columns.column(joint).as_slice()));
    TwistJacobian::from_columns(&twists)
}

/// The small twist from one pose to another.
fn twist(from: &[f64; 12], to: &[f64; 12]) -> Twist {
    let change: [f64; 12] = std::array::from_fn(|i| to[i] - from[i]);
    velocity(from, &change)
}

/// Velocity and angular velocity of a pose that changes at this rate.
fn velocity(pose: &[f64; 12], rate: &[f64]) -> Twist {
    let vector = |entries: &[f64]| Vector3::from_column_slice(entries);
    let turning = |axis: usize| vector(&pose[axis..axis + 3]).cross(&vector(&rate[axis..axis + 3]));
    let angular = [3, 6, 9].map(turning).into_iter().sum::<Vector3<f64>>() / 2.0;
    let linear = vector(&rate[..3]);
    Twist::from_iterator(linear.iter().chain(angular.iter()).copied())
}

/// How far the generated Jacobians are from those by dual numbers.
fn check(points: impl IntoIterator<Item = [f64; 7]>) -> f64 {
    check_at(points, flange, flange_jac, flange_of_duals)
}

fn print_pose(place: &str, q: [f64; 7]) {
    let pose = flange(q);
    println!("the flange {place}: position [m] and axes");
    for (name, column) in ["position", "x axis", "y axis", "z axis"].iter().zip(pose.chunks(3)) {
        println!("{name:<8} {:>9.5} {:>9.5} {:>9.5}", column[0], column[1], column[2]);
    }
}
