//! Bundle adjustment with a BAL camera, the Jacobian coming from `#[jacobian]`.
//!
//! Takes nothing: cameras that look at a cloud of points are made up, and what they see is computed from the truth.
//! Prints the iterations by which Levenberg-Marquardt moves disturbed cameras and points until they see the same.
//! Shows a function of two arrays, whose Jacobian has the columns of the first, then those of the second, and how it
//! goes to its places in the Jacobian of the whole problem; that of every observation is checked against dual numbers
//! at the start and at the end, and a disagreement is a panic.
//!
//!     cargo run --release --example bundle_adjustment

mod dual;

use dual::{Dual64, Noise, check, dual_twin, jacobian_by_duals};
use jacobian::jacobian;
use nalgebra::{DMatrix, DVector, SMatrix};
use std::process::ExitCode;

/// Rotation as angle times axis (3), translation (3), focal length, two coefficients of radial distortion.
const CAMERA: usize = 9;
const POINT: usize = 3;
const PIXEL: usize = 2;

/// The pixel at which a camera sees a point. The camera looks along its negative z axis.
#[dual_twin(project_of_duals)]
#[jacobian]
fn project(camera: [f64; 9], point: [f64; 3]) -> [f64; 2] {
    let [rx, ry, rz, tx, ty, tz, focal, k1, k2] = camera;
    let [px, py, pz] = point;
    // Rodrigues' formula. It wants a camera that is turned, if ever so little: at the angle zero the square root
    // has no derivative.
    let square = rx * rx + ry * ry + rz * rz;
    let angle = square.sqrt();
    let cosine = angle.cos();
    let across = angle.sin() / angle;
    let along = (rx * px + ry * py + rz * pz) * (-cosine + 1.0) / square;
    let x = px * cosine + (ry * pz - rz * py) * across + rx * along + tx;
    let y = py * cosine + (rz * px - rx * pz) * across + ry * along + ty;
    let z = pz * cosine + (rx * py - ry * px) * across + rz * along + tz;
    let [u, v] = [-(x / z), -(y / z)];
    let radius2 = u * u + v * v;
    let scale = focal * (radius2 * (radius2 * k2 + k1) + 1.0);
    [scale * u, scale * v]
}

const CAMERAS: usize = 4;
const POINTS: usize = 16;

/// The iterations end when the pixels are met to this root mean square, or after this many.
const NEAR: f64 = 1e-9;
const ITERATIONS: usize = 50;

fn main() -> ExitCode {
    let mut noise = Noise(1);
    let truth = Scene::new(&mut noise);
    let mut adjustment = Adjustment::new(truth.disturbed(&mut noise), truth.pixels());
    println!("{CAMERAS} cameras, {POINTS} points, {} observations", CAMERAS * POINTS);
    let before = adjustment.scene.check();

    println!("iteration  rms error [pixel]  damping");
    while adjustment.rms() > NEAR && adjustment.iteration < ITERATIONS {
        adjustment.print();
        adjustment.step();
    }
    adjustment.print();
    let after = adjustment.scene.check();
    println!("Generated Jacobians and dual numbers differ by {:.1e} at most.", before.max(after));
    if adjustment.rms() <= NEAR { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Every camera sees every point.
#[derive(Clone)]
struct Scene {
    cameras: [[f64; CAMERA]; CAMERAS],
    points: [[f64; POINT]; POINTS],
}

impl Scene {
    /// Points around the origin, and cameras before them that are turned a little, each its own way.
    fn new(noise: &mut Noise) -> Self {
        let camera = [0.0, 0.0, 0.0, 0.0, 0.0, -5.0, 500.0, -0.1, 0.02];
        let spread = [0.5, 0.5, 0.5, 0.5, 0.5, 1.0, 50.0, 0.05, 0.01];
        Self {
            cameras: [camera; CAMERAS].map(|camera| noise.around(camera, spread)),
            points: [[0.0; POINT]; POINTS].map(|point| noise.around(point, [1.5; POINT])),
        }
    }

    fn disturbed(&self, noise: &mut Noise) -> Self {
        let spread = [0.02, 0.02, 0.02, 0.1, 0.1, 0.1, 10.0, 0.01, 0.002];
        Self {
            cameras: self.cameras.map(|camera| noise.around(camera, spread)),
            points: self.points.map(|point| noise.around(point, [0.1; POINT])),
        }
    }

    fn moved(&self, step: &DVector<f64>) -> Self {
        let mut scene = self.clone();
        let cameras = scene.cameras.as_flattened_mut().iter_mut();
        let unknowns = cameras.chain(scene.points.as_flattened_mut());
        for (unknown, step) in unknowns.zip(step.iter()) {
            *unknown += step;
        }
        scene
    }

    fn pixels(&self) -> DVector<f64> {
        let see = |(camera, point)| project(self.cameras[camera], self.points[point]);
        let pixels: Vec<_> = observations().map(see).collect();
        DVector::from_column_slice(pixels.as_flattened())
    }

    /// The Jacobian of all pixels by all unknowns, those of the cameras first.
    fn jacobian(&self) -> DMatrix<f64> {
        let points_at = CAMERA * CAMERAS;
        let mut jacobian = DMatrix::zeros(PIXEL * CAMERAS * POINTS, points_at + POINT * POINTS);
        for (row, (camera, point)) in (0..).step_by(PIXEL).zip(observations()) {
            let (_, rows) = project_jac(self.cameras[camera], self.points[point]);
            let rows = SMatrix::<f64, PIXEL, { CAMERA + POINT }>::from_row_slice(rows.as_flattened());
            jacobian.fixed_view_mut::<PIXEL, CAMERA>(row, CAMERA * camera).copy_from(&rows.fixed_columns::<CAMERA>(0));
            jacobian
                .fixed_view_mut::<PIXEL, POINT>(row, points_at + POINT * point)
                .copy_from(&rows.fixed_columns::<POINT>(CAMERA));
        }
        jacobian
    }

    /// How far the Jacobians of the observations are from those by dual numbers.
    fn check(&self) -> f64 {
        let check_one = |(camera, point): (usize, usize)| {
            let (camera, point) = (self.cameras[camera], self.points[point]);
            let (_, generated) = project_jac(camera, point);
            check(&generated, &jacobian_by_duals(project_joined, join(camera, point)))
        };
        observations().map(check_one).fold(0.0, f64::max)
    }
}

/// The camera and the point of each observation, in order.
fn observations() -> impl Iterator<Item = (usize, usize)> {
    (0..CAMERAS).flat_map(|camera| (0..POINTS).map(move |point| (camera, point)))
}

/// The variables in the order of the generated Jacobian's columns.
fn join(camera: [f64; CAMERA], point: [f64; POINT]) -> [f64; CAMERA + POINT] {
    std::array::from_fn(|i| if i < CAMERA { camera[i] } else { point[i - CAMERA] })
}

fn project_joined(x: [Dual64; CAMERA + POINT]) -> [Dual64; PIXEL] {
    let camera = std::array::from_fn(|i| x[i]);
    let point = std::array::from_fn(|i| x[CAMERA + i]);
    project_of_duals(camera, point)
}

/// Levenberg-Marquardt: each step solves the normal equations with their diagonal enlarged. The damping is needed for
/// good: to move, turn or scale the whole scene changes no pixel, so that the equations alone are singular.
struct Adjustment {
    observed: DVector<f64>,
    scene: Scene,
    residuals: DVector<f64>,
    damping: f64,
    iteration: usize,
}

impl Adjustment {
    fn new(scene: Scene, observed: DVector<f64>) -> Self {
        Self { residuals: scene.pixels() - &observed, observed, scene, damping: 1e-3, iteration: 0 }
    }

    /// Moves the scene if that fits better, and trusts the linear model more; else leaves it, and trusts it less.
    fn step(&mut self) {
        let scene = self.scene.moved(&self.proposal());
        let residuals = scene.pixels() - &self.observed;
        if residuals.norm() < self.residuals.norm() {
            self.scene = scene;
            self.residuals = residuals;
            self.damping *= 0.1;
        } else {
            self.damping *= 10.0;
        }
        self.iteration += 1;
    }

    fn proposal(&self) -> DVector<f64> {
        let jacobian = self.scene.jacobian();
        let gradient = jacobian.tr_mul(&self.residuals);
        let mut normal = jacobian.tr_mul(&jacobian);
        let damped = normal.diagonal() * (1.0 + self.damping);
        normal.set_diagonal(&damped);
        match normal.cholesky() {
            Some(factors) => -factors.solve(&gradient),
            // Too little damping for the rounded equations: no step, after which there is more.
            None => DVector::zeros(gradient.len()),
        }
    }

    /// The root mean square of the distances between the pixels seen and those observed.
    fn rms(&self) -> f64 {
        self.residuals.norm() / ((CAMERAS * POINTS) as f64).sqrt()
    }

    fn print(&self) {
        println!("{:>9} {:>18.3e} {:>8.0e}", self.iteration, self.rms(), self.damping);
    }
}
