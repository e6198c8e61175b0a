use jacobian::jacobian;

#[jacobian(pack = "lanes")]
fn unknown(x: f64) -> f64 {
    x
}

#[jacobian(pack(4))]
fn no_string(x: f64) -> f64 {
    x
}

fn main() {
    let (_, [_]) = unknown_jac(1.0);
    let (_, [_]) = no_string_jac(1.0);
}
