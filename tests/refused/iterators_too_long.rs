use jacobian::jacobian;

#[jacobian]
fn filtered(x: f64) -> f64 {
    let few = (0..u64::MAX).filter(|i| i % 1_000 == 7).count();
    x * few as f64
}

#[jacobian]
fn filtered_without_end(x: f64) -> f64 {
    (1..).filter(|i| i % 1_000 == 7).map(|i| x / i as f64).sum::<f64>()
}

#[jacobian]
fn flat(x: [f64; 2]) -> f64 {
    (0..1_u64 << 40).skip(2).flat_map(|_| x).enumerate().fold(0.0, |y, (_, v)| y * v)
}

fn main() {
    let (_, [_]) = filtered_jac(1.0);
    let (_, [_]) = filtered_without_end_jac(1.0);
    let (_, [_, _]) = flat_jac([1.0; 2]);
}
