#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_must_use, unused_labels)]

use jacobian::jacobian;

#[jacobian]
fn an_iterator_over_active_items(x: [f64; 3], n: usize) -> f64 {
    let (mut items, mut y) = (x.iter(), 0.0);
    for _ in 0..n {
        if let Some(v) = items.next() {
            y += v;
        }
    }
    y
}

#[jacobian]
fn six_deep(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        for _ in 0..n {
            for _ in 0..n {
                for _ in 0..n {
                    for _ in 0..n {
                        for _ in 0..n {
                            y *= x;
                        }
                    }
                }
            }
        }
    }
    y
}

#[jacobian]
fn every_iteration_panics(x: f64, n: usize) -> f64 {
    for _ in 0..n {
        assert!(x > 0.0);
        panic!("no iteration ends");
    }
    x
}

#[jacobian(unroll = "always")]
fn too_often(x: f64) -> f64 {
    let mut y = x;
    for i in 0..200_000 {
        y *= x;
    }
    y
}

#[jacobian(unroll = "always")]
fn too_often_within(x: f64) -> f64 {
    let mut y = x;
    for i in 0..1_000 {
        for j in 0..1_000 {
            y += 1.0;
        }
    }
    y
}

#[jacobian(unroll = "always")]
fn too_often_for_nothing(x: f64) -> f64 {
    for _ in 0..9_999_999_999_u64 {}
    x
}

#[jacobian(unroll = "never")]
fn items_that_are_active(x: [f64; 3]) -> f64 {
    let mut y = 1.0;
    for v in x.iter().map(|v| v * v) {
        y *= v;
    }
    y
}

#[jacobian]
fn once_and_not_three_times(x: f64) -> f64 {
    let mut y = x;
    for i in 0..3 {
        let z = y.next_up();
        for j in 0..3 {
            y += missing(x);
        }
        for j in 0..i {
            y = x.to_bits() as f64;
        }
    }
    x.next_up();
    y
}

#[jacobian]
fn index_in_a_later_iteration(x: [f64; 3]) -> f64 {
    let mut y = 0.0;
    for i in 0..4 {
        y += x[i];
    }
    y
}

#[jacobian]
fn mutable_references(x: f64) -> f64 {
    let mut a = [x; 3];
    let first = (&mut a[0], 1.0);
    *first.0 += 1.0;
    let all = [&mut a];
    a[1]
}

#[jacobian]
fn reference_of_a_loop(x: f64) -> f64 {
    let mut a = [x; 3];
    for v in &mut a {
        let w = v;
        *w += 1.0;
        consume(w);
    }
    a[1]
}

fn missing(x: f64) -> f64 {
    x
}

fn consume(x: &mut f64) {}

#[jacobian]
fn jumps_within_an_expression(x: f64, n: u8) -> f64 {
    let mut y = x;
    'all: for i in 0..3 {
        if n > 3 {
            y += x;
        } else if y < 1.0 {
            break;
        }
        y *= 2.0 * {
            if n == 7 {
                continue 'all;
            }
            x
        };
    }
    y
}

#[jacobian(unroll = "always")]
fn too_many_iterations(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..100 {
        y *= x;
        if y < 0.5 {
            break;
        }
    }
    y
}

#[jacobian]
fn too_many_items(x: [f64; 100]) -> f64 {
    let mut y = 0.0;
    for v in x {
        y += v;
        if y > 0.5 {
            break;
        }
    }
    y
}

#[jacobian]
fn breaks_within_an_update_of_a_vector(x: f64, n: usize) -> f64 {
    let mut a = [nalgebra::Vector2::new(x, 1.0); 2];
    for i in 0..n {
        a[i % 2] += if a[0][0] > 3.0 { break } else { nalgebra::Vector2::new(1.0, x) };
    }
    a[1][0]
}

#[jacobian(wrt(x))]
fn no_value_yet(x: f64, data: &[f64]) -> f64 {
    let (k, mut i);
    i = 0;
    loop {
        if data[i] > 0.5 {
            k = data[i];
            break;
        }
        i += 1;
    }
    x * k
}

#[jacobian]
fn returns_within_an_expression(x: f64, y: f64) -> f64 {
    x * if x > y { return y } else { 2.0 }
}

#[jacobian]
fn breaks_within_a_condition(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        let _ = y > 2.0 && break;
        y *= x;
    }
    y
}

fn main() {
    let (_, [_, _]) = returns_within_an_expression_jac(1.0, 2.0);
    let (_, [_]) = breaks_within_a_condition_jac(1.0, 2);
    let (_, [_]) = no_value_yet_jac(1.0, &[1.0]);
    let (_, [_]) = jumps_within_an_expression_jac(1.0, 2);
    let (_, [_]) = too_many_iterations_jac(1.0);
    let (_, [_]) = breaks_within_an_update_of_an_element_jac(1.0, 2);

    let (_, [_, _, _]) = an_iterator_over_active_items_jac([1.0; 3], 3);
    let (_, [_]) = six_deep_jac(1.0, 1);
    let (_, [_]) = every_iteration_panics_jac(1.0, 1);
    let (_, [_]) = active_bound_jac(1.0);
    let (_, [_]) = too_often_jac(1.0);
    let (_, [_]) = too_often_within_jac(1.0);
    let (_, [_]) = too_often_for_nothing_jac(1.0);
    let (_, [_]) = once_and_not_three_times_jac(1.0);
    let (_, [_, _, _]) = index_in_a_later_iteration_jac([1.0; 3]);
    let (_, [_]) = mutable_references_jac(1.0);
    let (_, [_]) = reference_of_a_loop_jac(1.0);
}
