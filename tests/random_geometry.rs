//! Random functions of vectors, matrices, quaternions and isometries of nalgebra, in structs and loops, too: their values
//! bit for bit, their Jacobians, by coordinates and by tangents, against differences.
//!
//! `JACOBIAN_GEOMETRY=200 cargo test --test random_geometry` checks more of them.

#[path = "language/program.rs"]
#[allow(dead_code, reason = "the page on the language reads attributes, too")]
mod program;
mod scratch_crate;

use scratch_crate::{ScratchCrate, printed};

const DEPENDENCIES: &str =
    "nalgebra = { version = \"0.34\", default-features = false, features = [\"std\", \"macros\"] }\n";

/// Numbers without a pattern.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// What an expression is of.
#[derive(Copy, Clone)]
enum Kind {
    Vector,
    Quaternion,
    Pose,
    Matrix,
    Float,
}

use Kind::{Float, Matrix, Pose, Quaternion, Vector};

/// Expressions by what they are of: what stands alone, and what has others in it, each `#` one of these.
fn forms(kind: Kind) -> (&'static [&'static str], &'static [(&'static str, &'static [Kind])]) {
    match kind {
        Vector => (
            &["v", "state.bias", "state.pose.translation.vector", "m.column(1).clone_owned()"],
            &[
                ("(# * #)", &[Quaternion, Vector]),
                ("(# * #)", &[Matrix, Vector]),
                ("(# + #)", &[Vector, Vector]),
                ("(# - # * 0.5)", &[Vector, Vector]),
                ("#.cross(&#)", &[Vector, Vector]),
                ("#.component_mul(&#)", &[Vector, Vector]),
                ("(# * #)", &[Vector, Float]),
                ("(# / (#.norm_squared() + 1.0))", &[Vector, Vector]),
                ("#.scaled_axis()", &[Quaternion]),
                ("#.inverse_transform_vector(&#)", &[Quaternion, Vector]),
                ("(# * Point3::from(#)).coords", &[Pose, Vector]),
                ("(# * 0.05 + Matrix3::identity() * 2.0).lu().solve(&#).unwrap()", &[Matrix, Vector]),
                ("state.turned(#).bias", &[Vector]),
                ("#.zip_map(&#, |a, b| a * b + a)", &[Vector, Vector]),
            ],
        ),
        Quaternion => (
            &["q", "state.attitude", "state.pose.rotation"],
            &[
                ("(# * #)", &[Quaternion, Quaternion]),
                ("#.inverse()", &[Quaternion]),
                ("#.rotation_to(&#)", &[Quaternion, Quaternion]),
                ("UnitQuaternion::from_scaled_axis(# * 0.2)", &[Vector]),
                ("UnitQuaternion::from_euler_angles(# * 0.1, 0.3, # * 0.1)", &[Float, Float]),
                ("#.rotation", &[Pose]),
                ("state.turned(#).attitude", &[Vector]),
            ],
        ),
        Pose => (
            &["state.pose", "Isometry3::from_parts(Translation3::from(v), q)"],
            &[
                ("(# * #)", &[Pose, Pose]),
                ("#.inverse()", &[Pose]),
                ("Isometry3::from_parts(Translation3::from(#), #)", &[Vector, Quaternion]),
                ("Isometry3::new(#, # * 0.2)", &[Vector, Vector]),
            ],
        ),
        Matrix => (
            &["m", "q.to_rotation_matrix().into_inner()"],
            &[
                ("(# * #)", &[Matrix, Matrix]),
                ("(# + # * 2.0)", &[Matrix, Matrix]),
                ("#.transpose()", &[Matrix]),
                ("#.cross_matrix()", &[Vector]),
                ("(# * #.transpose())", &[Vector, Vector]),
                ("(# * 0.05 + Matrix3::identity() * 2.0).try_inverse().unwrap()", &[Matrix]),
                ("#.to_rotation_matrix().into_inner()", &[Quaternion]),
            ],
        ),
        Float => (
            &["s", "v.x", "m[(0, 2)]", "state.bias.norm()"],
            &[
                ("#.dot(&#)", &[Vector, Vector]),
                ("#.norm_squared()", &[Vector]),
                ("#.trace()", &[Matrix]),
                ("(# * 0.3).determinant()", &[Matrix]),
                ("(# * # - 0.5)", &[Float, Float]),
                ("#.w", &[Quaternion]),
                ("#.dot(&#)", &[Quaternion, Quaternion]),
            ],
        ),
    }
}

fn expression(kind: Kind, depth: usize, random: &mut Random) -> String {
    let (leaves, nodes) = forms(kind);
    if depth == 0 || random.below(6) == 0 {
        return leaves[random.below(leaves.len())].to_string();
    }
    let (form, kinds) = nodes[random.below(nodes.len())];
    let mut kinds = kinds.iter();
    form.split('#').enumerate().fold(String::new(), |text, (index, piece)| match index {
        0 => piece.to_string(),
        _ => text + &expression(*kinds.next().expect("a kind for each"), depth - 1, random) + piece,
    })
}

/// A function, with `options` of the attribute.
fn function(name: &str, options: &str, random: &mut Random) -> String {
    let mut value = |kind, depth| expression(kind, depth, random);
    let (shift, turn, table) = (value(Vector, 3), value(Quaternion, 2), value(Matrix, 2));
    let (step, other, last) = (value(Vector, 2), value(Vector, 2), value(Quaternion, 2));
    let (pose, float, bias) = (value(Pose, 2), value(Float, 2), value(Vector, 2));
    format!(
        "#[jacobian({options})]
        pub fn {name}(state: State, q: UnitQuaternion<f64>, v: Vector3<f64>, m: Matrix3<f64>, s: f64, n: usize) \
            -> (State, UnitQuaternion<f64>, f64) {{
            let (start, q, m): (Vector3<f64>, UnitQuaternion<f64>, Matrix3<f64>) = ({shift}, {turn}, {table} * 0.25);
            let mut v = start / (start.norm_squared() + 1.0);
            for _ in 0..n {{
                let next: Vector3<f64> = {step};
                v = next / (next.norm_squared() + 1.0);
            }}
            let v: Vector3<f64> = if s > 1.0 {{ {other} }} else {{ v * s }};
            let v = v / (v.norm_squared() + 1.0);
            let next = State {{ attitude: {last}, pose: {pose}, ..state }};
            (State {{ bias: {bias} * 0.25, ..next }}, q * next.attitude, {float} * 0.25)
        }}\n"
    )
}

#[test]
fn random_functions_of_geometry() {
    let count = std::env::var("JACOBIAN_GEOMETRY").map_or(8, |count| count.parse().expect("a number"));
    let mut code = "use jacobian::jacobian;
        use nalgebra::{Matrix3, UnitQuaternion, Vector3};
        #[jacobian]
        mod geometry {
            use nalgebra::{Isometry3, Matrix3, Point3, Translation3, UnitQuaternion, Vector3};

            #[derive(Clone, Copy)]
            pub struct State {
                pub attitude: UnitQuaternion<f64>,
                pub bias: Vector3<f64>,
                pub pose: Isometry3<f64>,
            }

            impl State {
                fn turned(&self, by: Vector3<f64>) -> State {
                    let turn = UnitQuaternion::from_scaled_axis(by * 0.1);
                    State { attitude: self.attitude * turn, bias: self.pose * self.bias, ..*self }
                }
            }
        "
    .to_string();
    for number in 0..count {
        let mut random = Random(number as u64 * 2 + 1);
        for _ in 0..20 {
            random.below(2);
        }
        let options = if number % 2 == 0 { "" } else { "retract(state, q, return)" };
        code += &function(&format!("f{number}"), options, &mut random);
    }
    code += "}\n";
    let (module, functions) = program::module("random", &code);
    assert_eq!(functions, count);
    let scratch = ScratchCrate::new("random-geometry", 0, DEPENDENCIES);
    scratch.write("src/harness.rs", include_str!("language/harness.rs"));
    scratch.write(
        "src/main.rs",
        &format!("#![allow(unused)]\nmod harness;\n{module}\nfn main() {{ random::check(); }}\n"),
    );
    let output = scratch.cargo(&["run"]);
    assert!(output.status.success(), "in {}: {}", scratch.directory().display(), printed(&output));
}
