//! Parts of fields that `wrt` names, of structs of a `#[jacobian] mod`: elements of tuples, coordinates of vectors, parts of
//! isometries. The rest of the field is passive.

use jacobian::jacobian;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

use crate::differences;
use parts::{Camera, Range, Sensor};

#[jacobian]
mod parts {
    use nalgebra::{Isometry3, UnitQuaternion, Vector3};

    #[derive(Clone, Copy)]
    pub struct Range {
        pub ends: (f64, f64),
    }

    pub struct Sensor {
        pub gain: f64,
        pub pair: (f64, (f64, [f64; 2])),
        pub ranges: (Range, f64),
        pub count: usize,
    }

    pub struct Camera {
        pub center: Vector3<f64>,
        pub pose: Isometry3<f64>,
    }

    #[jacobian(wrt(s.gain, s.pair.0, s.pair.1.0, s.ranges.0.ends.1), forms(jac, hess))]
    pub fn of_tuples(s: &Sensor) -> f64 {
        let (a, (b, [c, _])) = s.pair;
        let Range { ends: (low, high) } = s.ranges.0;
        s.gain * s.pair.0 * a * b.sin() * c + low * high * s.ranges.1 * s.ranges.0.ends.1 * s.count as f64
    }

    #[jacobian(wrt(s.pair.1.1: [f64; 2], s.ranges.0))]
    pub fn of_what_is_in_them(s: Sensor) -> f64 {
        let pair = s.pair;
        pair.0 * pair.1.1[0] * s.pair.1.1[1] + s.ranges.0.ends.0 * s.ranges.0.ends.1
    }

    #[jacobian(wrt(c.center.z, c.pose.translation.vector.y, c.center.x), forms(jac, hess))]
    pub fn of_vectors(c: &Camera) -> f64 {
        (c.pose.translation.vector + c.center).norm() * c.center.x * c.center[1]
    }

    #[jacobian(wrt(c.pose.rotation: UnitQuaternion<f64>, c.center.y), retract(c.pose.rotation))]
    pub fn of_isometries(c: &Camera) -> Vector3<f64> {
        c.pose.rotation * c.center
    }

    impl Camera {
        #[jacobian(wrt(self.center.x, depth))]
        pub fn seen(&self, depth: f64) -> f64 {
            let seen = self.center.normalize();
            seen.x * depth + self.pose.translation.vector.y
        }
    }
}

fn sensor([gain, a, b, high]: [f64; 4]) -> Sensor {
    Sensor { gain, pair: (a, (b, [0.75, -1.5])), ranges: (Range { ends: (0.5, high) }, 1.25), count: 2 }
}

fn camera(center: [f64; 3], y: f64) -> Camera {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.2, -0.1, 0.4));
    Camera { center: Vector3::from(center), pose: Isometry3::from_parts(Vector3::new(0.3, y, -0.2).into(), turn) }
}

#[test]
fn elements_of_tuples() {
    let x = [0.7, 1.2, 0.4, 2.0];
    differences(|x| parts::of_tuples(&sensor(x)), |x| parts::of_tuples_jac(&sensor(x)), x);
    let gradient = |x| parts::of_tuples_hess(&sensor(x)).1;
    differences(gradient, |x| (gradient(x), parts::of_tuples_hess(&sensor(x)).2), x);
    let of = |[c, d, low, high]: [f64; 4]| Sensor {
        gain: 1.0,
        pair: (2.0, (0.5, [c, d])),
        ranges: (Range { ends: (low, high) }, 1.25),
        count: 2,
    };
    differences(|x| parts::of_what_is_in_them(of(x)), |x| parts::of_what_is_in_them_jac(of(x)), x);
}

#[test]
fn coordinates_of_vectors() {
    let of = |[z, y, x]: [f64; 3]| camera([x, 0.8, z], y);
    let x = [0.7, 1.2, 0.4];
    differences(|x| parts::of_vectors(&of(x)), |x| parts::of_vectors_jac(&of(x)), x);
    let gradient = |x| parts::of_vectors_hess(&of(x)).1;
    differences(gradient, |x| (gradient(x), parts::of_vectors_hess(&of(x)).2), x);
    let of = |[x, _]: [f64; 2]| camera([x, 0.8, 1.2], 0.5);
    differences(|x| of(x).seen(x[1]), |x| of(x).seen_jac(x[1]), [0.6, 1.4]);
}

#[test]
fn rotations_of_isometries() {
    let of = |[a, b, c, y]: [f64; 4]| {
        let mut camera = camera([0.4, y, 1.2], 0.5);
        camera.pose.rotation *= UnitQuaternion::from_scaled_axis(Vector3::new(a, b, c));
        camera
    };
    differences(|x| parts::of_isometries(&of(x)), |x| parts::of_isometries_jac(&of(x)), [0.0, 0.0, 0.0, 0.7]);
}

/// Coordinates of a vector in a struct that holds more than floats.
#[jacobian]
mod named {
    use nalgebra::Vector3;

    pub struct Config {
        pub name: String,
        pub offset: Vector3<f64>,
        pub scale: f64,
    }

    impl Config {
        #[jacobian(wrt(self.offset.y, x))]
        pub fn moved(&self, x: f64) -> f64 {
            self.offset.y * x * self.scale + self.offset.norm() + self.name.len() as f64
        }
    }

    #[jacobian(wrt(config.offset.y, config.scale, x))]
    pub fn scaled(config: &Config, x: f64) -> f64 {
        (config.offset * x).norm() * config.scale + config.offset.y * config.name.len() as f64
    }
}

#[test]
fn coordinates_beside_what_is_no_float() {
    use named::*;
    let config = |y, scale| Config { name: "abc".to_string(), offset: nalgebra::Vector3::new(1.0, y, 0.5), scale };
    differences(|[y, x]| config(y, 0.7).moved(x), |[y, x]| config(y, 0.7).moved_jac(x), [0.3, 0.9]);
    let f = |[y, s, x]: [f64; 3]| scaled(&config(y, s), x);
    differences(f, |[y, s, x]| scaled_jac(&config(y, s), x), [0.3, 0.7, 0.9]);
}
