/// The human heart dipole problem of MINPACK-2, without its measurements, which are numbers that are subtracted.
fn heart_dipole(x: &[f64; 8]) -> [f64; 8] {
    let [a, b, c, d, t, u, v, w] = *x;
    let tv = t * v;
    let tt = t * t;
    let vv = v * v;
    let tsvs = tt - vv;
    let ts3vs = tt - 3.0 * vv;
    let vs3ts = vv - 3.0 * tt;
    let uw = u * w;
    let uu = u * u;
    let ww = w * w;
    let usws = uu - ww;
    let us3ws = uu - 3.0 * ww;
    let ws3us = ww - 3.0 * uu;
    [
        a + b - 0.63254,
        c + d + 1.34534,
        t * a + u * b - v * c - w * d + 0.8365348,
        v * a + w * b + t * c + u * d - 1.7345334,
        a * tsvs - 2.0 * c * tv + b * usws - 2.0 * d * uw - 1.352352,
        c * tsvs + 2.0 * a * tv + d * usws + 2.0 * b * uw + 0.843453,
        a * t * ts3vs + c * v * vs3ts + b * u * us3ws + d * w * ws3us + 0.9563453,
        c * t * ts3vs - a * v * vs3ts + d * u * us3ws - b * w * ws3us - 1.2342523,
    ]
}
