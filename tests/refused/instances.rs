//! What is wrong with `instances(...)`, and what functions with `const` parameters are without it.

use jacobian::jacobian;

#[jacobian]
fn without<const N: usize>(x: [f64; N]) -> f64 {
    x[0]
}

#[jacobian(instances())]
fn of_nothing<const N: usize>(x: [f64; N]) -> f64 {
    x[0]
}

#[jacobian(instances(3, 3))]
fn twice<const N: usize>(x: [f64; N]) -> f64 {
    x[0]
}

#[jacobian(instances((2, 3)))]
fn too_many<const N: usize>(x: [f64; N]) -> f64 {
    x[0]
}

#[jacobian(instances(3))]
fn too_few<const N: usize, const M: usize>(x: [f64; N], y: [f64; M]) -> f64 {
    x[0] * y[0]
}

#[jacobian(instances(3))]
fn of_none(x: [f64; 3]) -> f64 {
    x[0]
}

const LENGTH: usize = 3;

#[jacobian(instances(LENGTH))]
fn of_a_constant<const N: usize>(x: [f64; N]) -> f64 {
    x[0]
}

struct Filter;

impl Filter {
    #[jacobian(instances(3))]
    fn method<const N: usize>(&self, x: [f64; N]) -> f64 {
        x[0]
    }
}

#[jacobian(instances(3))]
mod on_a_module {
    #[jacobian]
    fn f(x: f64) -> f64 {
        x
    }
}

#[jacobian(instances(2, 3))]
fn refused_inside<const N: usize>(x: [f64; N]) -> f64 {
    let v = x.to_vec();
    v[0] + x[5]
}

#[jacobian(instances(1, 2), forms(jac, hess))]
fn of_one_result_and_of_two<const N: usize>(x: [f64; N]) -> [f64; N] {
    x
}

fn main() {
    let _: (f64, [f64; 3]) = refused_inside_jac([0.0; 3]);
}
