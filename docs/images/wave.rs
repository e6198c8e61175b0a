//! The function whose gradient `wave.svg` shows, written by
//! `cargo jacobian lcg docs/images/wave.rs::wave --gradient --svg`.

#[jacobian(forms(hess))]
fn wave(x: f64, y: f64, z: f64) -> f64 {
    let p = x * y;
    let s = p.sin();
    s * z
}
