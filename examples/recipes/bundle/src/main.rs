//! The sparse Jacobian of bundle adjustment, as GradBench asks for it: two rows for each observation, with the eleven
//! numbers of its camera, the three of its point and its weight, and a row for each weight. The entries of an observation
//! are one call of the generated function, so that the matrix has as many rows as there are data.
//!
//!     cargo run --release -p bundle

use jacobian::jacobian;

const COLUMNS_OF_CAMERA: usize = 11;

#[jacobian]
mod model {
    /// Where the camera sees the point less where it was seen: the camera is an angle-axis rotation, a centre, a focal
    /// length, a principal point and two numbers for radial distortion.
    #[jacobian(wrt(camera, point, weight))]
    pub fn reprojection(camera: &[f64; 11], point: &[f64; 3], weight: f64, seen: [f64; 2]) -> [f64; 2] {
        let [wx, wy, wz] = [camera[0], camera[1], camera[2]];
        let [x, y, z] = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
        let square = wx * wx + wy * wy + wz * wz;
        let cross = [wy * z - wz * y, wz * x - wx * z, wx * y - wy * x];
        let [px, py, pz] = if square > 0.0 {
            let angle = square.sqrt();
            let (sin, cos) = angle.sin_cos();
            let along = (wx * x + wy * y + wz * z) * (1.0 - cos) / square;
            let sine = sin / angle;
            [
                x * cos + cross[0] * sine + wx * along,
                y * cos + cross[1] * sine + wy * along,
                z * cos + cross[2] * sine + wz * along,
            ]
        } else {
            [x + cross[0], y + cross[1], z + cross[2]]
        };
        let (u, v) = (px / pz, py / pz);
        let radius = u * u + v * v;
        let lens = 1.0 + camera[9] * radius + camera[10] * radius * radius;
        [weight * (u * lens * camera[6] + camera[7] - seen[0]), weight * (v * lens * camera[6] + camera[8] - seen[1])]
    }

    #[jacobian]
    pub fn weight_error(weight: f64) -> f64 {
        1.0 - weight * weight
    }
}

/// Rows of a sparse matrix.
#[derive(Default)]
struct Rows {
    starts: Vec<usize>,
    columns: Vec<usize>,
    entries: Vec<f64>,
}

struct Scene {
    cameras: Vec<[f64; 11]>,
    points: Vec<[f64; 3]>,
    /// The camera and the point of each observation, and where it was seen.
    seen: Vec<(usize, usize, [f64; 2])>,
    weights: Vec<f64>,
}

impl Scene {
    fn residuals(&self) -> Vec<f64> {
        let seen = self.seen.iter().zip(&self.weights).flat_map(|(&(camera, point, at), &weight)| {
            model::reprojection(&self.cameras[camera], &self.points[point], weight, at)
        });
        seen.chain(self.weights.iter().map(|&weight| model::weight_error(weight))).collect()
    }

    fn jacobian(&self) -> Rows {
        let mut rows = Rows { starts: vec![0], ..Rows::default() };
        let points = COLUMNS_OF_CAMERA * self.cameras.len();
        let weights = points + 3 * self.points.len();
        for (index, (&(camera, point, at), &weight)) in self.seen.iter().zip(&self.weights).enumerate() {
            let (_, block) = model::reprojection_jac(&self.cameras[camera], &self.points[point], weight, at);
            for row in block {
                rows.columns.extend((0..11).map(|k| COLUMNS_OF_CAMERA * camera + k));
                rows.columns.extend((0..3).map(|k| points + 3 * point + k).chain([weights + index]));
                rows.entries.extend(row);
                rows.starts.push(rows.columns.len());
            }
        }
        for (index, &weight) in self.weights.iter().enumerate() {
            rows.columns.push(weights + index);
            rows.entries.extend(model::weight_error_jac(weight).1);
            rows.starts.push(rows.columns.len());
        }
        rows
    }

    /// The scene, moved along a direction.
    fn moved(&self, direction: &[f64], by: f64) -> Scene {
        let mut steps = direction.iter().map(|step| by * step);
        let mut step = |number: f64| number + steps.next().expect("there is one for every column");
        let cameras = self.cameras.iter().map(|camera| camera.map(&mut step)).collect();
        let points = self.points.iter().map(|point| point.map(&mut step)).collect();
        let weights = self.weights.iter().map(|&weight| step(weight)).collect();
        Scene { cameras, points, seen: self.seen.clone(), weights }
    }
}

fn main() {
    let wave = |k: usize| (k as f64 * 0.7).sin();
    let cameras: Vec<[f64; 11]> = (0..20)
        .map(|k| {
            let turn = [0, 1, 2].map(|axis| 0.2 * wave(3 * k + axis));
            [turn[0], turn[1], turn[2], wave(k), wave(k + 5), -6.0, 500.0, 320.0, 240.0, 0.02, 0.003]
        })
        .collect();
    let points: Vec<_> = (0..300).map(|k| [wave(k), wave(2 * k + 1), wave(5 * k + 2)]).collect();
    let seen: Vec<_> = (0..3000).map(|k| (k % 20, (7 * k) % 300, [320.0 + k as f64 % 9.0, 240.0])).collect();
    let weights = (0..3000).map(|k| 1.0 + 0.1 * wave(k)).collect();
    let scene = Scene { cameras, points, seen, weights };
    let rows = scene.jacobian();
    let columns = 11 * scene.cameras.len() + 3 * scene.points.len() + scene.weights.len();
    println!("{} rows, {columns} columns, {} entries", rows.starts.len() - 1, rows.entries.len());
    // The product with a direction is a difference of residuals.
    let direction: Vec<_> = (0..columns).map(|k| wave(11 * k + 3)).collect();
    let (right, left) = (scene.moved(&direction, 1e-6).residuals(), scene.moved(&direction, -1e-6).residuals());
    let mut largest: f64 = 0.0;
    for (row, ends) in rows.starts.windows(2).enumerate() {
        let product: f64 = (ends[0]..ends[1]).map(|at| rows.entries[at] * direction[rows.columns[at]]).sum();
        let difference = (right[row] - left[row]) / 2e-6;
        largest = largest.max((product - difference).abs() / difference.abs().max(1.0));
    }
    println!("along a direction, within {largest:.0e} of differences");
    assert!(largest < 1e-5);
}
