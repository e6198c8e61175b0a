//! Inverse kinematics of a six-joint arm, the Jacobian coming from `#[jacobian]`.
//!
//! Takes nothing: the arm is a UR5, its link lengths are below. Prints the pose of the tool and its Jacobian at a
//! configuration, then the iterations that find the joint angles of a wanted pose by damped least squares. Shows a
//! function of an array with a wide result, and the Jacobian's way into nalgebra; every Jacobian that is used is
//! checked against dual numbers, and a disagreement is a panic.
//!
//!     cargo run --release --example robot_arm

mod dual;

use dual::{check, dual_twin, jacobian_by_duals};
use jacobian::jacobian;
use nalgebra::{SMatrix, SVector};
use std::process::ExitCode;

// The lengths of the UR5's Denavit-Hartenberg table in metres: offsets `D` along the joints' axes, `A` between them.
const D1: f64 = 0.089159;
const A2: f64 = -0.425;
const A3: f64 = -0.39225;
const D4: f64 = 0.10915;
const D5: f64 = 0.09465;
const D6: f64 = 0.0823;

/// The pose of the tool at the joint angles `q`: its position, then its x, y and z axes.
#[dual_twin(pose_of_duals)]
#[jacobian]
fn pose(q: [f64; 6]) -> [f64; 12] {
    let [q1, q2, q3, q4, q5, q6] = q;
    let (s1, c1) = (q1.sin(), q1.cos());
    let (s5, c5) = (q5.sin(), q5.cos());
    let (s6, c6) = (q6.sin(), q6.cos());
    // The joints 2, 3 and 4 have parallel axes: the arm moves in a plane, and their angles add up.
    let q23 = q2 + q3;
    let q234 = q23 + q4;
    let (s234, c234) = (q234.sin(), q234.cos());
    let reach = q2.cos() * A2 + q23.cos() * A3;
    let height = q2.sin() * A2 + q23.sin() * A3 + D1;
    // The wrist: two axes in the plane, and its normal, which is horizontal.
    let [ux, uy, uz] = [c1 * c234, s1 * c234, s234];
    let [vx, vy, vz] = [-(c1 * s234), -(s1 * s234), c234];
    let [nx, ny] = [s1, -c1];
    // Joint 5 turns about v.
    let [wx, wy, wz] = [ux * c5 + nx * s5, uy * c5 + ny * s5, uz * c5];
    let [zx, zy, zz] = [nx * c5 - ux * s5, ny * c5 - uy * s5, -(uz * s5)];
    // Joint 6 turns about z, the axis of the tool.
    [
        c1 * reach + nx * D4 - vx * D5 + zx * D6,
        s1 * reach + ny * D4 - vy * D5 + zy * D6,
        height - vz * D5 + zz * D6,
        wx * c6 + vx * s6,
        wy * c6 + vy * s6,
        wz * c6 + vz * s6,
        vx * c6 - wx * s6,
        vy * c6 - wy * s6,
        vz * c6 - wz * s6,
        zx,
        zy,
        zz,
    ]
}

type Joints = SVector<f64, 6>;
type Pose = SVector<f64, 12>;
type PoseJacobian = SMatrix<f64, 12, 6>;

/// The iterations end at this distance from the wanted pose, or after this many.
const NEAR: f64 = 1e-12;
const ITERATIONS: usize = 50;

fn main() -> ExitCode {
    let start = [0.3, -1.2, 1.4, -0.9, -1.1, 0.2];
    let (value, jacobian) = pose_jac(start);
    print_pose(&value);
    print_jacobian(&jacobian);

    let wanted = pose([0.9, -0.7, 1.9, -1.6, -1.7, 0.8]).into();
    println!("\niteration  position [mm]  orientation [deg]  damping");
    let mut search = Search::new(start, wanted);
    while search.distance() > NEAR && search.iteration < ITERATIONS {
        search.print();
        search.step();
    }
    search.print();
    print!("\njoint angles [rad]:");
    search.q.iter().for_each(|angle| print!(" {angle:.6}"));
    println!("\nGenerated Jacobians and dual numbers differ by {:.1e} at most.", search.disagreement);
    if search.distance() <= NEAR { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Damped least squares: steps that minimise `|J step + error|^2 + damping |step|^2`.
///
/// The error is the difference of the poses, entry by entry; for the axes that is the chord between two rotations, zero
/// where they are the same, and its Jacobian is that of the pose, with no detour by angular velocities.
struct Search {
    wanted: Pose,
    q: Joints,
    error: Pose,
    jacobian: PoseJacobian,
    damping: f64,
    iteration: usize,
    /// How far the Jacobians so far were from those by dual numbers.
    disagreement: f64,
}

impl Search {
    fn new(start: [f64; 6], wanted: Pose) -> Self {
        let mut search = Self {
            wanted,
            q: start.into(),
            error: Pose::zeros(),
            jacobian: PoseJacobian::zeros(),
            damping: 1e-2,
            iteration: 0,
            disagreement: 0.0,
        };
        search.linearize();
        search
    }

    /// Takes the pose and its Jacobian at the joint angles.
    fn linearize(&mut self) {
        let q = self.q.into();
        let (value, jacobian) = pose_jac(q);
        let disagreement = check(&jacobian, &jacobian_by_duals(pose_of_duals, q));
        self.disagreement = self.disagreement.max(disagreement);
        self.error = Pose::from(value) - self.wanted;
        self.jacobian = PoseJacobian::from_row_slice(jacobian.as_flattened());
    }

    /// Steps if that leads nearer, and trusts the linear model more; else stays, and trusts it less.
    fn step(&mut self) {
        let q = self.q + self.proposal();
        let error = Pose::from(pose(q.into())) - self.wanted;
        if error.norm() < self.distance() {
            self.q = q;
            self.damping *= 0.1;
            self.linearize();
        } else {
            self.damping *= 10.0;
        }
        self.iteration += 1;
    }

    fn proposal(&self) -> Joints {
        let damping = SMatrix::<f64, 6, 6>::identity() * self.damping;
        let normal = self.jacobian.tr_mul(&self.jacobian) + damping;
        let step = normal.cholesky().map(|factors| factors.solve(&self.jacobian.tr_mul(&self.error)));
        // Only a damping that has vanished can leave the matrix singular; to stay then raises it again.
        -step.unwrap_or_else(Joints::zeros)
    }

    fn distance(&self) -> f64 {
        self.error.norm()
    }

    fn print(&self) {
        let position = self.error.fixed_rows::<3>(0).norm();
        // The chord between rotations by an angle apart is sqrt(8) sin(angle / 2).
        let orientation = 2.0 * (self.error.fixed_rows::<9>(3).norm() / 8.0_f64.sqrt()).asin();
        println!(
            "{:>9} {:>14.3e} {:>18.3e} {:>8.0e}",
            self.iteration,
            1000.0 * position,
            orientation.to_degrees(),
            self.damping,
        );
    }
}

fn print_pose(pose: &[f64; 12]) {
    println!("the tool's position [m] and axes");
    for (name, column) in ["position", "x axis", "y axis", "z axis"].iter().zip(pose.chunks(3)) {
        println!("{name:<8} {:>9.5} {:>9.5} {:>9.5}", column[0], column[1], column[2]);
    }
}

fn print_jacobian(jacobian: &[[f64; 6]; 12]) {
    println!("\nits Jacobian by the six joint angles");
    for row in jacobian {
        println!("{}", row.map(|entry| format!("{entry:>9.5}")).join(" "));
    }
}
