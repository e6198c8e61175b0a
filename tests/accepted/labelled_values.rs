//! Blocks with labels whose values are used, and in which jumps lead to somewhere else than after them.

use jacobian::jacobian;

use crate::differences;

#[jacobian]
fn of_let(x: [f64; 2], n: usize) -> f64 {
    let k = 'b: {
        if n > 3 {
            return x[0];
        }
        if n > 2 {
            break 'b x[1];
        }
        x[0] * x[1]
    };
    k * 2.0
}
#[jacobian]
fn with_loop(x: [f64; 2], n: usize) -> f64 {
    let k = 'b: {
        if x[0] > 1.0 {
            return x[0];
        }
        for i in 0..n {
            if x[1] > i as f64 {
                break 'b x[1];
            }
            if i == 7 {
                return 3.0 * x[0];
            }
        }
        if x[0] > x[1] { x[0] * x[1] } else { return x[1] }
    };
    k * 2.0
}
#[jacobian]
fn at_the_end(x: [f64; 2], n: usize) -> f64 {
    'b: {
        if x[0] > 1.0 {
            return x[0];
        }
        if x[1] > 1.0 {
            break 'b x[1] * 2.0;
        }
        x[0] * n as f64
    }
}
#[jacobian]
fn of_update(x: [f64; 2], n: usize) -> f64 {
    let mut y = 0.0;
    'all: for i in 0..n {
        y += 'b: {
            if i == 3 {
                break 'all;
            }
            if x[0] > i as f64 {
                continue 'all;
            }
            if x[1] > 0.0 {
                break 'b x[0];
            }
            x[0] * x[1]
        };
    }
    y
}
#[jacobian]
fn of_tuple(x: [f64; 2]) -> f64 {
    let mut y = 0.0;
    'out: for i in 0..4 {
        let (a, b) = 'b: {
            if x[0] > i as f64 {
                continue 'out;
            }
            if x[1] > 3.0 {
                return y;
            }
            if x[1] > 2.0 {
                break 'out;
            }
            if x[1] > 1.0 {
                break 'b (x[0], 1.0);
            }
            (x[0] * x[1], 2.0)
        };
        y += a * b;
    }
    y
}
#[jacobian(wrt(x))]
fn of_index(x: [f64; 2], t: &[f64]) -> f64 {
    let k: usize = 'b: {
        for (i, v) in t.iter().enumerate() {
            if *v > 1.0 {
                break 'b i;
            }
            if *v < -1.0 {
                return x[0];
            }
        }
        return x[1];
    };
    x[0] * k as f64
}
#[jacobian(wrt(x))]
fn of_passive(x: [f64; 2], t: &[f64]) -> f64 {
    let w = 'b: {
        if t.is_empty() {
            return x[0];
        }
        if t.len() > 2 {
            break 'b 1.0;
        }
        0.5
    };
    x[1] * w
}
#[jacobian]
fn with_options(x: [f64; 2], n: usize) -> Option<f64> {
    let w = 'b: {
        if n == 0 {
            return None;
        }
        if n > 2 {
            break 'b x[0];
        }
        let q = if x[0] > 0.0 { Some(x[0]) } else { None };
        q? * 2.0
    };
    Some(x[1] * w)
}

/// Beside an index, where no jump leads out.
#[jacobian]
fn of_element(x: [f64; 2], n: usize) -> f64 {
    let mut a = x;
    a[n % 2] += 'b: {
        for i in 0..n {
            if x[1] > i as f64 {
                break;
            }
            if i == 2 {
                break 'b x[0] * x[1];
            }
        }
        if x[0] > 1.0 { x[1] } else { 3.0 * x[0] }
    };
    a[0] * a[1]
}

#[test]
fn values_of_blocks_that_jumps_lead_out_of() {
    for x in [[0.3, 0.7], [1.3, 0.7], [0.3, 1.7], [2.5, 2.5], [0.3, 3.5], [-0.3, 0.1], [-0.5, -0.2]] {
        for n in [0, 1, 2, 3, 5, 9] {
            differences(|x| of_let(x, n), |x| of_let_jac(x, n), x);
            differences(|x| with_loop(x, n), |x| with_loop_jac(x, n), x);
            differences(|x| of_element(x, n), |x| of_element_jac(x, n), x);
            differences(|x| at_the_end(x, n), |x| at_the_end_jac(x, n), x);
            differences(|x| of_update(x, n), |x| of_update_jac(x, n), x);
            let all = |x| with_options(x, n).unwrap_or(7.0);
            differences(all, |x| with_options_jac(x, n).unwrap_or((7.0, [0.0; 2])), x);
        }
        differences(of_tuple, of_tuple_jac, x);
        for data in [&[][..], &[0.5, 2.0], &[2.0], &[0.1, 0.2, 0.3, -3.0], &[0.0]] {
            differences(|x| of_index(x, data), |x| of_index_jac(x, data), x);
            differences(|x| of_passive(x, data), |x| of_passive_jac(x, data), x);
        }
    }
}
