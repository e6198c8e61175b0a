use jacobian::jacobian;

#[jacobian(strategy = "vertex: order(1, 2, 3")]
fn not_closed(x: f64) -> f64 {
    x.sin().cos()
}

#[jacobian(strategy = "vertex: order(one)")]
fn no_number(x: f64) -> f64 {
    x.sin().cos()
}

#[jacobian(strategy = "vertex: order((0,1)f)")]
fn of_another_mode(x: f64) -> f64 {
    x.sin().cos()
}

#[jacobian(strategy = "vertex: order(1, 1)")]
fn twice(x: f64) -> f64 {
    x.sin().cos()
}

#[jacobian(strategy = "order(1)")]
fn without_a_mode(x: f64) -> f64 {
    x.sin().cos()
}

#[jacobian(strategy = "vertex: order(1, 9)")]
fn unknown(x: f64) -> f64 {
    x.sin().cos()
}

#[jacobian(strategy = "vertex: order(0, 1)")]
fn an_input(x: f64) -> f64 {
    x.sin().cos()
}

#[jacobian(strategy = "vertex: order(2)")]
fn incomplete(x: f64) -> f64 {
    let sine = x.sin();
    let cosine = sine.cos();
    let root = (cosine + 2.0).sqrt();
    root * root.exp()
}

#[jacobian(strategy = "edge: order((1,2)f)")]
fn incomplete_edges(x: f64) -> f64 {
    let sine = x.sin();
    let cosine = sine.cos();
    cosine.exp()
}

#[jacobian(strategy = "vertex: order(1)", steps = 100)]
fn no_search(x: f64) -> f64 {
    x.sin().cos()
}

fn main() {
    let (_, [_]) = not_closed_jac(1.0);
    let (_, [_]) = no_number_jac(1.0);
    let (_, [_]) = of_another_mode_jac(1.0);
    let (_, [_]) = twice_jac(1.0);
    let (_, [_]) = without_a_mode_jac(1.0);
    let (_, [_]) = unknown_jac(1.0);
    let (_, [_]) = an_input_jac(1.0);
    let (_, [_]) = incomplete_jac(1.0);
    let (_, [_]) = incomplete_edges_jac(1.0);
    let (_, [_]) = no_search_jac(1.0);
}
