use jacobian::jacobian;

#[jacobian(name = "two words")]
fn no_name(x: f64) -> f64 {
    x
}

#[jacobian(name = "fn")]
fn keyword(x: f64) -> f64 {
    x
}

#[jacobian(name = "")]
fn empty(x: f64) -> f64 {
    x
}

#[jacobian(name = "own")]
fn own(x: f64) -> f64 {
    x
}

#[jacobian(name = "g", into)]
fn g_into(x: f64) -> f64 {
    x
}

fn main() {
    let (_, [_]) = g(1.0);
    let (_, [_]) = no_name_jac(1.0);
    let (_, [_]) = keyword_jac(1.0);
    let (_, [_]) = empty_jac(1.0);
    let (_, [_]) = own_jac(1.0);
}
