use jacobian::jacobian;

fn statement(x: f64) -> f64 {
    #[jacobian]
    let y = x;
    y
}

fn parameter(#[jacobian] x: f64) -> f64 {
    x
}

fn main() {
    statement(1.0);
    parameter(1.0);
}
