//! What a newcomer writes with structs from outside of a module, with methods and options.

use std::array::from_fn;

use jacobian::jacobian;

pub struct State {
    pub x: f64,
    pub v: f64,
}

#[jacobian]
fn parameter(s: State) -> f64 {
    s.x * s.v
}

#[jacobian]
fn result(x: f64, v: f64) -> Option<State> {
    Some(State { x, v })
}

impl State {
    #[jacobian]
    fn nothing_active(&self) -> f64 {
        self.x
    }

    #[jacobian(wrt(self))]
    fn all_of_it(&self, h: f64) -> f64 {
        self.x * h
    }

    #[jacobian]
    fn calls_another(&self, h: f64) -> f64 {
        self.squared(h) * self.v
    }

    fn squared(&self, h: f64) -> f64 {
        h * h
    }
}

type Angle = f64;

#[jacobian]
fn an_alias(q: Angle) -> f64 {
    q.sin()
}

#[jacobian(hess)]
fn a_form_as_an_option(x: f64) -> f64 {
    x * x
}

fn split(x: f64) -> (f64, f64) {
    (x, 2.0 * x)
}

#[jacobian(with(split))]
fn a_tuple_of_unknown_type(x: f64) -> f64 {
    let (a, b) = split(x * x);
    a * b
}

fn fill(x: [f64; 2], out: &mut [f64; 2]) {
    *out = x;
}

#[jacobian(with(fill))]
fn written_through_a_reference(x: [f64; 2]) -> f64 {
    let mut out = [0.0; 2];
    fill(x, &mut out);
    out[0] * out[1]
}

#[jacobian]
fn not_named(x: [f64; 2]) -> f64 {
    let mut out = [0.0; 2];
    fill(x, &mut out);
    out[0] * out[1]
}

#[jacobian]
fn outputs_beside_a_result(x: [f64; 2], out: &mut [f64; 2]) -> Result<(), String> {
    *out = x;
    Ok(())
}

#[jacobian]
fn a_result_of_active_values(x: f64, y: f64) -> f64 {
    Ok::<f64, String>(x * x).map_or(y, |x| x * y)
}

#[jacobian]
fn an_imported_function(x: f64) -> [f64; 3] {
    from_fn(|i| x * i as f64)
}

#[jacobian]
fn a_slice_as_the_output(x: f64, y: &mut [f64]) {
    y[0] = x;
}

fn root(x: f64) -> Option<f64> {
    (x > 0.0).then(|| x.sqrt())
}

#[jacobian(with(root))]
fn an_option_that_is_not_declared(x: f64) -> f64 {
    if let Some(y) = root(x) { y } else { x }
}

#[jacobian]
fn mutable_parts(x: f64) -> f64 {
    let mut a = [1.0, 3.0, 2.0];
    let (left, right) = a.split_at_mut(1);
    right.sort_by(f64::total_cmp);
    left[0] = right[1] * x;
    a[0]
}

#[jacobian]
fn a_mutable_row(x: f64) -> f64 {
    let mut rows = [[3, 1], [4, 2]];
    rows.get_mut(1).unwrap().sort();
    rows[1][0] as f64 * x
}

#[jacobian(wrt(x))]
fn beside_an_index(x: f64, n: usize, mut items: std::vec::IntoIter<f64>) -> f64 {
    let (mut a, mut k) = ([x, 2.0], n);
    a[k] += {
        k = 1 - k;
        items.next().unwrap()
    };
    a[0] * a[k]
}

#[jacobian]
fn another_float(x: f32) -> f32 {
    f64::from(x) as f32
}

#[jacobian]
fn references_that_are_exchanged(mut a: [f64; 2]) -> f64 {
    fn exchange<'a>(p: &mut &'a mut [f64], q: &mut &'a mut [f64]) {
        std::mem::swap(p, q)
    }
    let (mut left, mut right) = a.split_at_mut(1);
    std::mem::swap(&mut left, &mut right);
    exchange(&mut left, &mut right);
    left[0] *= 10.0;
    a[0] + 2.0 * a[1]
}

#[jacobian]
fn other_lengths(a: [f64; 3]) -> f64 {
    fn product(p: [f64; 2]) -> f64 {
        p[0] * p[1]
    }
    let p: [f64; 2] = a[..].try_into().unwrap_or([7.0, 8.0]);
    p[0] * product(a[..].try_into().unwrap())
}

#[jacobian]
fn a_slice_beside_something_active(x: f64) -> f64 {
    let mut a = [x, 3.0, 1.0];
    a[1..].sort_by(f64::total_cmp);
    a[0] * a[1]
}

fn main() {}
