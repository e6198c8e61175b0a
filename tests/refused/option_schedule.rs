use jacobian::jacobian;

#[jacobian(schedule = "fastest")]
fn unknown(x: f64) -> f64 {
    x
}

#[jacobian(schedule = "list(c = 1)")]
fn unknown_parameter(x: f64) -> f64 {
    x
}

#[jacobian(schedule = "list(a = 1, a = 2)")]
fn parameter_given_twice(x: f64) -> f64 {
    x
}

#[jacobian(schedule = "list(a = -1)")]
fn no_number(x: f64) -> f64 {
    x
}

#[jacobian(schedule = "pressure(registers = 16)")]
fn no_parameters(x: f64) -> f64 {
    x
}

#[jacobian(schedule = pressure)]
fn no_string(x: f64) -> f64 {
    x
}

fn main() {
    let (_, [_]) = unknown_jac(1.0);
    let (_, [_]) = unknown_parameter_jac(1.0);
    let (_, [_]) = parameter_given_twice_jac(1.0);
    let (_, [_]) = no_number_jac(1.0);
    let (_, [_]) = no_parameters_jac(1.0);
    let (_, [_]) = no_string_jac(1.0);
}
