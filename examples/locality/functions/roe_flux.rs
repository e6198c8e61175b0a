/// Roe's flux of the three-dimensional Euler equations between two states of density, velocity and pressure.
fn roe_flux(x: &[f64; 10]) -> [f64; 5] {
    let [rl, ul, vl, wl, pl, rr, ur, vr, wr, pr] = *x;
    let ql = 0.5 * (ul * ul + vl * vl + wl * wl);
    let qr = 0.5 * (ur * ur + vr * vr + wr * wr);
    let el = pl / 0.4 + rl * ql;
    let er = pr / 0.4 + rr * qr;
    let hl = (el + pl) / rl;
    let hr = (er + pr) / rr;
    let ml = rl * ul;
    let mr = rr * ur;

    let ratio = (rr / rl).sqrt();
    let weight = 1.0 / (1.0 + ratio);
    let rho = ratio * rl;
    let u = (ul + ratio * ur) * weight;
    let v = (vl + ratio * vr) * weight;
    let w = (wl + ratio * wr) * weight;
    let h = (hl + ratio * hr) * weight;
    let q = 0.5 * (u * u + v * v + w * w);
    let cc = 0.4 * (h - q);
    let c = cc.sqrt();

    let dp = pr - pl;
    let du = ur - ul;
    let rcdu = rho * c * du;
    let half = 0.5 / cc;
    let back = (u - c).abs() * (dp - rcdu) * half;
    let fore = (u + c).abs() * (dp + rcdu) * half;
    let speed = u.abs();
    let contact = speed * (rr - rl - dp / cc);
    let shear_v = speed * rho * (vr - vl);
    let shear_w = speed * rho * (wr - wl);
    let sum = back + contact + fore;
    let cdiff = c * (fore - back);

    [
        0.5 * (ml + mr - sum),
        0.5 * (ml * ul + pl + mr * ur + pr - sum * u - cdiff),
        0.5 * (ml * vl + mr * vr - sum * v - shear_v),
        0.5 * (ml * wl + mr * wr - sum * w - shear_w),
        0.5 * (ml * hl + mr * hr - (back + fore) * h - u * cdiff - contact * q - shear_v * v - shear_w * w),
    ]
}
