//! Functions whose partials are written as expressions, that are refused.

use jacobian::jacobian;

fn g(x: f64) -> f64 {
    x
}

fn h(x: f64, _: f64) -> f64 {
    x
}

fn of_array(x: [f64; 2]) -> f64 {
    x[0]
}

#[jacobian(with(g = || 1.0))]
fn no_arguments(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(g = |; y| y))]
fn only_a_result(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(g = |x, x| x))]
fn a_name_twice(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(g = |x; x| x))]
fn the_result_is_an_argument(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(g = |(a, b)| a))]
fn a_pattern(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(h = |a, b| a))]
fn one_for_two(x: f64) -> f64 {
    h(x, x)
}

#[jacobian(with(h = |a, b| [a, b, a]))]
fn three_for_two(x: f64) -> f64 {
    h(x, x)
}

#[jacobian(with(g = |a, b| [1.0, b]))]
fn other_arguments(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(h = |a, b| [1.0, _]))]
fn no_partial(x: f64) -> f64 {
    h(1.0, x)
}

#[jacobian(with(g = |x| [1.0, x]))]
fn an_array_for_a_float(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(of_array = |x| 1.0))]
fn a_float_for_an_array(x: f64) -> f64 {
    of_array([x, x])
}

#[jacobian(with(g = |x| x.unknown()))]
fn an_unknown_method(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(g = |x| other(x)))]
fn an_unknown_function(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(g = |x| x > 0.0))]
fn a_condition(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(g = |x| k * x))]
fn a_variable_of_the_function(x: f64, k: f64) -> f64 {
    g(x) * k
}

#[jacobian(with(g = |x| { let t = x; local * t }))]
fn another_variable(x: f64) -> f64 {
    let local = x * x;
    g(x) * local
}

#[jacobian(with(g = |x| self.k * x))]
fn a_receiver(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(g: fn(f64) -> [f64; 2] = |x| x))]
fn an_array(x: f64) -> f64 {
    g(x)
}

#[jacobian(with(.sinc))]
fn a_method_without_partials(x: f64) -> f64 {
    x.sinc()
}

#[jacobian(with(.sin = |x| x))]
fn a_method_of_the_standard_library(x: f64) -> f64 {
    x.sin()
}

#[jacobian(with(g = |x| x, g))]
fn twice(x: f64) -> f64 {
    g(x)
}

fn main() {}
