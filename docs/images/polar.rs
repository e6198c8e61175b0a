//! The function that `polar.svg` shows, written by `cargo jacobian lcg docs/images/polar.rs::polar --svg`.

#[jacobian]
fn polar(r: f64, t: f64) -> [f64; 2] {
    let c = t.cos();
    let s = t.sin();
    let x = r * c;
    let y = r * s;
    [x, y]
}
