use jacobian::jacobian;

#[jacobian(strategy = "search(steps = many)")]
fn no_number(x: f64) -> f64 {
    x
}

#[jacobian(steps = 1000)]
fn no_search(x: f64) -> f64 {
    x
}

#[jacobian(strategy = "markowitz", steps = 1000)]
fn no_search_either(x: f64) -> f64 {
    x
}

#[jacobian(strategy = "search", steps = "1000")]
fn a_string(x: f64) -> f64 {
    x
}

#[jacobian(strategy = "search", steps = 10_000_001)]
fn too_many_steps(x: f64) -> f64 {
    x
}

#[jacobian(strategy = "edge: search(steps = 10_000_001)")]
fn too_many_steps_in_words(x: f64) -> f64 {
    x
}

#[jacobian(linearize = "operation")]
fn unknown_level(x: f64) -> f64 {
    x
}

#[jacobian(strategy = "path: cliques")]
fn too_many_paths(x: [f64; 2]) -> [f64; 2] {
    let [a, b] = x;
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    let [a, b] = [a * b, a - b];
    [a, b]
}

#[jacobian(strategy = "face: optimal")]
fn too_large(x: [f64; 2]) -> [f64; 3] {
    let [a, b] = x;
    let [a, b, c] = [a * b, a / b, a.sin()];
    let [a, b, c] = [a * b, b * c, c * a + b];
    let [a, b, c] = [a * b, b * c, c * a + b];
    let [a, b, c] = [a * b, b * c, c * a + b];
    let [a, b, c] = [a * b, b * c, c * a + b];
    let [a, b, c] = [a * b, b * c, c * a + b];
    [a, b, c]
}

#[jacobian(strategy = "edge: search(steps = 10, seed = 0)")]
fn no_seed(x: f64) -> f64 {
    x
}

#[jacobian(strategy = "search(seed = 2, seed = 3)")]
fn two_seeds(x: f64) -> f64 {
    x
}

fn main() {
    let (_, [_]) = no_number_jac(1.0);
    let (_, [_]) = no_search_jac(1.0);
    let (_, [_]) = no_search_either_jac(1.0);
    let (_, [_]) = a_string_jac(1.0);
    let (_, [_]) = too_many_steps_jac(1.0);
    let (_, [_]) = too_many_steps_in_words_jac(1.0);
    let (_, [_]) = unknown_level_jac(1.0);
    let (_, [[_, _], [_, _]]) = too_many_paths_jac([1.0; 2]);
    let (_, [[_, _], [_, _], [_, _]]) = too_large_jac([1.0; 2]);
}
