use jacobian::jacobian;

#[jacobian(forms(jac, jvq))]
fn unknown(x: f64) -> f64 {
    x
}

#[jacobian(forms(jvp_inplace))]
fn unknown_way(x: f64) -> f64 {
    x
}

#[jacobian(forms(jvp, vjp, jvp))]
fn twice(x: f64) -> f64 {
    x
}

#[jacobian(forms())]
fn none(x: f64) -> f64 {
    x
}

#[jacobian(forms("jvp"))]
fn a_string(x: f64) -> f64 {
    x
}

#[jacobian(forms = "jvp")]
fn no_parentheses(x: f64) -> f64 {
    x
}

#[jacobian(into, forms(jac))]
fn contradictory(x: f64) -> f64 {
    x
}

#[jacobian(forms(jac, jvp), name = "both")]
fn one_name_for_two(x: f64) -> f64 {
    x
}

fn g(x: f64) -> f64 {
    x * x
}

fn g_jac(x: f64) -> (f64, [f64; 1]) {
    (x * x, [2.0 * x])
}

#[jacobian(forms(hess), with(g = g_jac))]
fn no_second_derivative(x: f64) -> f64 {
    g(x) * x
}

#[jacobian(forms(hess), with(g = (g_jac, g_jac)))]
fn no_hessian(x: f64) -> f64 {
    g(x) * x
}

#[jacobian(with(g = (g_jac)))]
fn one_alone(x: f64) -> f64 {
    g(x) * x
}

#[jacobian(with(g = (g_jac, g_jac, g_jac)))]
fn one_too_many(x: f64) -> f64 {
    g(x) * x
}

fn pair(x: f64) -> [f64; 2] {
    [x, x * x]
}

#[jacobian(forms(hvp), with(pair))]
fn unknown_length(x: f64) -> f64 {
    pair(x)[1]
}

#[jacobian(forms(hvp))]
fn no_trigamma(x: f64) -> f64 {
    libm::lgamma(x)
}

fn main() {
    unknown_jac(1.0);
    twice_jac(1.0);
    contradictory_jac_into(1.0, &mut 0.0, &mut [0.0]);
}
