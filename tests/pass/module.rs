//! Functions of one module: each that is marked has its own options, and those of the module's attribute are for all of
//! them. Types, constants and functions that are not marked stay as they are.
//!
//! A struct with other fields than numbers is passive. The traits in `image_jac` are there for the compiler: `Sensor`
//! must be no alias of a float or of an array of floats, by which it would be differentiated. Whatever else it is, they
//! are empty.

use jacobian::jacobian;

#[jacobian(strategy = "reverse")]
pub mod lens {
    const FOCAL_LENGTH: f64 = 50.0;

    pub struct Sensor {
        pub left: f64,
        pub top: f64,
        pub name: &'static str,
    }

    #[jacobian]
    pub fn image(point: [f64; 3], sensor: &Sensor) -> [f64; 2] {
        let scale = FOCAL_LENGTH / point[2];
        [scale * point[0] - sensor.left, sensor.top - scale * point[1]]
    }

    #[jacobian(name = "slope")]
    pub fn sharpness(distance: f64) -> f64 {
        (-distance / FOCAL_LENGTH).exp()
    }
}

fn main() {
    let sensor = lens::Sensor { left: -1.0, top: 3.0, name: "wide" };
    let same_sensor = expansion::lens::Sensor { left: -1.0, top: 3.0, name: "wide" };
    let (image, j) = lens::image_jac([4.0, 8.0, 100.0], &sensor);
    assert_eq!(sensor.name, same_sensor.name);
    assert_eq!((image, j), expansion::lens::image_jac([4.0, 8.0, 100.0], &same_sensor));
    assert_eq!((image, j), ([3.0, -1.0], [[0.5, 0.0, -0.02], [0.0, -0.5, 0.04]]));
    let (sharpness, slope) = lens::slope(50.0);
    assert_eq!((sharpness, slope), expansion::lens::slope(50.0));
    assert_eq!((sharpness, slope), ((-1.0_f64).exp(), [-(-1.0_f64).exp() / 50.0]));
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    pub mod lens {
        const FOCAL_LENGTH: f64 = 50.0;
        pub struct Sensor {
            pub left: f64,
            pub top: f64,
            pub name: &'static str,
        }
        #[allow(dead_code)]
        pub fn image(point: [f64; 3], sensor: &Sensor) -> [f64; 2] {
            let scale = FOCAL_LENGTH / point[2];
            [scale * point[0] - sensor.left, sensor.top - scale * point[1]]
        }
        #[allow(dead_code)]
        pub fn sharpness(distance: f64) -> f64 {
            (-distance / FOCAL_LENGTH).exp()
        }
        /// Returns the value of `image` and its Jacobian: `(value, jacobian)`.
        ///
        /// `jacobian[i][j]`: the partial derivative of float `i` of 2 of the result with respect to column `j` of 3.
        ///
        /// Columns:
        ///
        /// - 0 to 2: the floats of `point` in order
        ///
        /// Of 6 entries, 4 are not zero by structure:
        ///
        /// ```text
        /// *.*
        /// .**
        /// ```
        ///
        /// Operations:
        ///
        /// - `image`: 5 operations (2 multiplications, 2 additions, 1 division)
        /// - with the Jacobian: 10 operations (4 multiplications, 2 additions, 2 divisions, 2 negations)
        /// - elimination: 2 multiplications; forward 2, reverse 2, no order below that
        /// - strategy: `vertex: reverse`, in the order `vertex: order(6, 4, 3)` (3 `scale`)
        ///
        /// Generated for `image`: `image_jac`.
        #[inline]
        pub fn image_jac(
            point: [f64; 3],
            sensor: &Sensor,
        ) -> ([::core::primitive::f64; 2], [[::core::primitive::f64; 3]; 2]) {
            {
                trait PassiveUnlessWrtNamesIt<Way> {
                    fn is_passive() {}
                }
                impl<T: ?::core::marker::Sized> PassiveUnlessWrtNamesIt<()> for T {}
                impl PassiveUnlessWrtNamesIt<::core::primitive::bool>
                for ::core::primitive::f64 {}
                impl<
                    T: PassiveUnlessWrtNamesIt<::core::primitive::bool>,
                    const N: ::core::primitive::usize,
                > PassiveUnlessWrtNamesIt<::core::primitive::bool> for [T; N] {}
                impl<
                    T: PassiveUnlessWrtNamesIt<::core::primitive::bool>,
                > PassiveUnlessWrtNamesIt<::core::primitive::bool> for &T {}
                let _ = <Sensor as PassiveUnlessWrtNamesIt<_>>::is_passive;
            }
            let scale = 50.0 / point[2];
            let v5 = scale / point[2];
            let v6 = scale * point[0];
            let sensor_left: ::core::primitive::f64 = sensor.left;
            let v8 = v6 - sensor_left;
            let v9 = scale * point[1];
            let sensor_top: ::core::primitive::f64 = sensor.top;
            let v11 = sensor_top - v9;
            let v12 = v5 * point[0];
            let v13 = v5 * point[1];
            let v14 = -v12;
            let v15 = -scale;
            ([v8, v11], [[scale, 0.0, v14], [0.0, v15, v13]])
        }
        /// Returns the value of `sharpness` and its Jacobian: `(value, jacobian)`.
        ///
        /// `jacobian[j]`: the partial derivative with respect to column `j` of 1.
        ///
        /// Columns:
        ///
        /// - 0: `distance`
        ///
        /// Operations:
        ///
        /// - `sharpness`: 3 operations (1 division, 1 negation, 1 call)
        /// - with the Jacobian: 5 operations (1 multiplication, 1 division, 2 negations, 1 call)
        /// - elimination: 1 multiplication; forward 1, reverse 1, no order below that
        /// - strategy: `vertex: reverse`, in the order `vertex: order(2, 1)`, its statements ordered by `latency`
        ///
        /// Generated for `sharpness`: `slope`.
        #[inline]
        pub fn slope(
            distance: f64,
        ) -> (::core::primitive::f64, [::core::primitive::f64; 1]) {
            let v3 = -distance;
            let v4: ::core::primitive::f64 = 1.0 / 50.0;
            let v5 = v3 / 50.0;
            let v6 = v5.exp();
            let v7 = v4 * v6;
            let v8 = -v7;
            (v6, [v8])
        }
    }
}
