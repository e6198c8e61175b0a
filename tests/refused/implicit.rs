//! Functions that solve an equation, and calls of them, that are refused.

use jacobian::jacobian;

fn solve(x: f64) -> f64 {
    x.sqrt()
}

#[jacobian]
fn square(x: f64, y: f64) -> f64 {
    y * y - x
}

fn pair(x: f64) -> [f64; 2] {
    [x, x]
}

#[jacobian]
fn pairs(x: f64, y: [f64; 3]) -> [f64; 3] {
    [y[0] - x, y[1] - x, y[2]]
}

#[jacobian]
fn one_of_two(x: f64, y: [f64; 2]) -> f64 {
    y[0] - x
}

#[jacobian(with(pair = implicit(pairs)))]
fn of_another_size(x: f64) -> f64 {
    let y: [f64; 2] = pair(x);
    y[0]
}

#[jacobian(with(pair = implicit(one_of_two)))]
fn too_few_equations(x: f64) -> f64 {
    let y: [f64; 2] = pair(x);
    y[0]
}

#[jacobian(with(pair = implicit(pairs)))]
fn of_unknown_size(x: f64) -> f64 {
    let y = pair(x);
    y[0]
}

#[jacobian(wrt(y))]
fn by_the_solution_alone(x: f64, y: f64) -> f64 {
    y * y - x
}

#[jacobian(with(solve = implicit(by_the_solution_alone)))]
fn missing_columns(x: f64) -> f64 {
    solve(x)
}

#[jacobian(with(solve = implicit()))]
fn nothing(x: f64) -> f64 {
    solve(x)
}

#[jacobian(with(solve = implicit(square, square)))]
fn two(x: f64) -> f64 {
    solve(x)
}

#[jacobian(with(solve = implicit(square)), forms(hess))]
fn second(x: f64) -> f64 {
    solve(x)
}

fn counted(x: f64, steps: &mut usize) -> f64 {
    *steps += 1;
    x.sqrt()
}

#[jacobian(with(counted: fn(f64, &mut usize) -> f64 = implicit(square)))]
fn given_twice(x: f64) -> f64 {
    let mut steps = 0;
    counted(x, &mut steps)
}

#[jacobian]
mod ordered {
    #[jacobian(wrt(y, x))]
    fn equation(x: f64, y: f64) -> f64 {
        y * y - x
    }

    #[jacobian(with(solve = implicit(equation)))]
    fn other_order(x: f64) -> f64 {
        solve(x)
    }

    fn solve(x: f64) -> f64 {
        x.sqrt()
    }
}

fn main() {}
