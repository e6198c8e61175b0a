use jacobian::jacobian;

#[jacobian(strategy = "fastest")]
fn unknown(x: f64) -> f64 {
    x
}

#[jacobian(strategy = "vortex: forward")]
fn unknown_mode(x: f64) -> f64 {
    x
}

#[jacobian(strategy = "vertex: markowits > reverse")]
fn unknown_filter(x: f64) -> f64 {
    x
}

#[jacobian(strategy = "vertex:")]
fn no_filter(x: f64) -> f64 {
    x
}

#[jacobian(strategy = "")]
fn empty(x: f64) -> f64 {
    x
}

fn main() {
    let (_, [_]) = unknown_jac(1.0);
    let (_, [_]) = unknown_mode_jac(1.0);
    let (_, [_]) = unknown_filter_jac(1.0);
    let (_, [_]) = no_filter_jac(1.0);
    let (_, [_]) = empty_jac(1.0);
}
