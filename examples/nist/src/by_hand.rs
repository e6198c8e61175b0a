//! The gradients of the models, derived by hand: what `#[jacobian]` is measured against.
//!
//! Each takes the predictor and the parameters and gives the partial derivatives by `b1, b2, ...`.

pub fn misra1a(x: f64, &[b1, b2]: &[f64; 2]) -> [f64; 2] {
    let decay = (-b2 * x).exp();
    [1.0 - decay, b1 * x * decay]
}

pub fn misra1b(x: f64, &[b1, b2]: &[f64; 2]) -> [f64; 2] {
    let base = 1.0 + b2 * x / 2.0;
    [1.0 - 1.0 / (base * base), b1 * x / base.powi(3)]
}

pub fn misra1c(x: f64, &[b1, b2]: &[f64; 2]) -> [f64; 2] {
    let base = 1.0 + 2.0 * b2 * x;
    [1.0 - 1.0 / base.sqrt(), b1 * x / (base * base.sqrt())]
}

pub fn misra1d(x: f64, &[b1, b2]: &[f64; 2]) -> [f64; 2] {
    let base = 1.0 + b2 * x;
    [b2 * x / base, b1 * x / (base * base)]
}

pub fn chwirut(x: f64, &[b1, b2, b3]: &[f64; 3]) -> [f64; 3] {
    let line = b2 + b3 * x;
    let y = (-b1 * x).exp() / line;
    [-x * y, -y / line, -x * y / line]
}

pub fn lanczos(x: f64, &[b1, b2, b3, b4, b5, b6]: &[f64; 6]) -> [f64; 6] {
    let [e1, e2, e3] = [b2, b4, b6].map(|rate| (-rate * x).exp());
    [e1, -b1 * x * e1, e2, -b3 * x * e2, e3, -b5 * x * e3]
}

pub fn gauss(x: f64, &[b1, b2, b3, b4, b5, b6, b7, b8]: &[f64; 8]) -> [f64; 8] {
    let decay = (-b2 * x).exp();
    let [g3, g4, g5] = gauss_peak(x, b3, b4, b5);
    let [g6, g7, g8] = gauss_peak(x, b6, b7, b8);
    [decay, -b1 * x * decay, g3, g4, g5, g6, g7, g8]
}

/// The gradient of `height * exp(-(x - centre)^2 / width^2)` by height, centre and width.
fn gauss_peak(x: f64, height: f64, centre: f64, width: f64) -> [f64; 3] {
    let t = (x - centre) / width;
    let shape = (-t * t).exp();
    let by_centre = 2.0 * height * shape * t / width;
    [shape, by_centre, by_centre * t]
}

pub fn danwood(x: f64, &[b1, b2]: &[f64; 2]) -> [f64; 2] {
    let power = x.powf(b2);
    [power, b1 * power * x.ln()]
}

pub fn kirby2(x: f64, b: &[f64; 5]) -> [f64; 5] {
    let denominator = 1.0 + x * (b[3] + x * b[4]);
    let y = (b[0] + x * (b[1] + x * b[2])) / denominator;
    let [d1, d2] = [x, x * x].map(|power| power / denominator);
    [1.0 / denominator, d1, d2, -y * d1, -y * d2]
}

pub fn cubic_over_cubic(x: f64, b: &[f64; 7]) -> [f64; 7] {
    let denominator = 1.0 + x * (b[4] + x * (b[5] + x * b[6]));
    let y = (b[0] + x * (b[1] + x * (b[2] + x * b[3]))) / denominator;
    let [d1, d2, d3] = [x, x * x, x * x * x].map(|power| power / denominator);
    [1.0 / denominator, d1, d2, d3, -y * d1, -y * d2, -y * d3]
}

pub fn mgh09(x: f64, &[b1, b2, b3, b4]: &[f64; 4]) -> [f64; 4] {
    let denominator = x * x + x * b3 + b4;
    let ratio = (x * x + x * b2) / denominator;
    let by_b4 = -b1 * ratio / denominator;
    [ratio, b1 * x / denominator, by_b4 * x, by_b4]
}

pub fn mgh10(x: f64, &[b1, b2, b3]: &[f64; 3]) -> [f64; 3] {
    let shifted = x + b3;
    let growth = (b2 / shifted).exp();
    let by_b2 = b1 * growth / shifted;
    [growth, by_b2, -by_b2 * b2 / shifted]
}

pub fn eckerle4(x: f64, &[b1, b2, b3]: &[f64; 3]) -> [f64; 3] {
    let t = (x - b3) / b2;
    let shape = (-0.5 * t * t).exp();
    let slope = b1 * shape / (b2 * b2);
    [shape / b2, slope * (t * t - 1.0), slope * t]
}

pub fn rat42(x: f64, &[b1, b2, b3]: &[f64; 3]) -> [f64; 3] {
    let growth = (b2 - b3 * x).exp();
    let share = 1.0 / (1.0 + growth);
    let by_b2 = -b1 * growth * share * share;
    [share, by_b2, -x * by_b2]
}
