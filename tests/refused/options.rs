use jacobian::jacobian;

#[jacobian(stratgy = "auto")]
fn unknown(x: f64) -> f64 {
    x
}

#[jacobian(wrt(x), name = "g", wrt(x))]
fn repeated(x: f64) -> f64 {
    x
}

#[jacobian(stratgy = "auto", name = "named_all_the_same", fast)]
fn several(x: f64) -> f64 {
    x
}

#[jacobian("auto")]
fn no_name(x: f64) -> f64 {
    x
}

#[jacobian(strategy)]
fn no_value(x: f64) -> f64 {
    x
}

#[jacobian(strategy = auto)]
fn no_string(x: f64) -> f64 {
    x
}

#[jacobian(strategy = "auto" name = "h")]
fn no_comma(x: f64) -> f64 {
    x
}

#[jacobian(wrt = "x")]
fn wrt_as_a_string(x: f64) -> f64 {
    x
}

#[jacobian(into = true)]
fn into_with_a_value(x: f64) -> f64 {
    x
}

#[jacobian(into, strategy = "forward", into)]
fn into_twice(x: f64) -> f64 {
    x
}

#[jacobian(into, fast)]
fn stub_in_place(x: [f64; 2], y: &mut f64) -> [f64; 2] {
    *y = x[0];
    x
}

fn main() {
    stub_in_place_jac_into([1.0; 2], &mut 0.0, &mut [0.0; 2], &mut [[0.0; 2]; 3]);
    into_twice_jac_into(1.0, &mut 0.0, &mut [0.0]);
    let (_, [_]) = unknown_jac(1.0);
    let (_, [_]) = g(1.0);
    let (_, [_]) = named_all_the_same(1.0);
    let (_, [_]) = no_name_jac(1.0);
    let (_, [_]) = no_value_jac(1.0);
    let (_, [_]) = no_string_jac(1.0);
    let (_, [_]) = no_comma_jac(1.0);
    let (_, [_]) = wrt_as_a_string_jac(1.0);
}
