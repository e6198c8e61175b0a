//! Early returns.

use jacobian::jacobian;

use crate::{check, differences};

#[test]
#[allow(clippy::needless_return)]
fn guards() {
    #[jacobian]
    fn f(x: f64, y: f64, steps: usize) -> f64 {
        if steps == 0 {
            return x;
        }
        let r = (x * x + y * y).sqrt();
        if r < 1.0 {
            let scaled = r * y;
            return scaled + x;
        } else if r > 3.0 {
            return LIMIT * x * y;
        }
        const LIMIT: f64 = 2.0;
        let r = r * x;
        if steps > 2 {
            return r * LIMIT;
        };
        return r + y;
    }
    for steps in 0..4 {
        for (x, y) in [(0.3, 0.4), (1.5, 0.7), (3.0, -2.0)] {
            differences(|[x, y]| f(x, y, steps), |[x, y]| f_jac(x, y, steps), [x, y]);
        }
    }
}

#[test]
fn nothing_is_evaluated_behind_a_return() {
    #[jacobian]
    fn normalized(v: [f64; 2]) -> [f64; 2] {
        let n = (v[0] * v[0] + v[1] * v[1]).sqrt();
        if n == 0.0 {
            return v;
        }
        [v[0] / n, v[1] / n]
    }
    assert_eq!(normalized_jac([0.0, 0.0]), ([0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]]));
    differences(normalized, normalized_jac, [0.6, -1.2]);
}

#[test]
#[allow(clippy::needless_return)]
fn every_arm_returns() {
    #[jacobian]
    fn f(x: f64, y: f64) -> f64 {
        if x < y {
            return x * y;
        } else {
            let z = x - y;
            if z > 1.0 {
                return z.exp();
            }
            return z;
        }
    }
    for (x, y) in [(0.3, 0.4), (1.5, 0.7), (1.5, 0.4)] {
        differences(|[x, y]| f(x, y), |[x, y]| f_jac(x, y), [x, y]);
    }
}

#[test]
fn returns_from_what_a_variable_is_bound_to() {
    #[jacobian(wrt(x, y))]
    fn f(x: f64, y: f64, gain: Option<f64>, kind: u8) -> f64 {
        let Some(gain) = gain else {
            return x;
        };
        let a = if x < 0.0 { return gain * y } else { x.sqrt() };
        let b = match kind {
            0 => return a,
            1 => return a * gain,
            _ => {
                let y = y * a;
                y + gain
            }
        };
        b * y
    }
    for (gain, kind) in [(None, 0), (Some(0.5), 0), (Some(0.5), 1), (Some(2.0), 2)] {
        for (x, y) in [(0.3, 0.4), (-1.5, 0.7)] {
            differences(|[x, y]| f(x, y, gain, kind), |[x, y]| f_jac(x, y, gain, kind), [x, y]);
        }
    }
}

#[test]
fn returns_from_a_match() {
    #[jacobian]
    fn f(x: f64, kind: u8) -> f64 {
        let mut y = x * x;
        match kind {
            0 => return x,
            1 => {
                y += 1.0;
                return y * x;
            }
            _ => y *= 3.0,
        }
        y + x
    }
    check(f(2.0, 0), f_jac(2.0, 0), &[1.0]);
    check(f(2.0, 1), f_jac(2.0, 1), &[13.0]);
    check(f(2.0, 2), f_jac(2.0, 2), &[13.0]);
}

#[jacobian]
mod inlined {
    fn root(x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        x.sqrt()
    }

    #[jacobian]
    pub fn pair(x: f64, y: f64) -> f64 {
        if x > 2.0 {
            return root(x);
        }
        root(x * y) + y
    }
}

#[test]
fn a_function_that_is_inlined_returns_to_its_caller() {
    for (x, y) in [(0.3, 0.4), (3.0, -2.0), (1.0, -1.0)] {
        differences(|[x, y]| inlined::pair(x, y), |[x, y]| inlined::pair_jac(x, y), [x, y]);
    }
}

// What is returned, or given by a loop, is a branch that jumps itself.
#[jacobian(wrt(x))]
#[allow(clippy::needless_return)]
fn returned_branches(x: f64, o: Option<f64>) -> f64 {
    if x > 1.0 {
        return if o.is_some() {
            let Some(v) = o else { return 2.0 * x };
            if v > 2.0 {
                return v;
            }
            v * x
        } else {
            x.sin()
        };
    }
    return match o {
        Some(v) if v > 1.0 => {
            if x < 0.5 {
                return x;
            }
            v * x
        }
        Some(v) => v + x,
        None => x * x,
    };
}

#[jacobian(wrt(x))]
fn broken_off(x: f64, o: Option<f64>, n: usize) -> f64 {
    let mut s = x;
    let y = loop {
        s *= 1.5;
        if s > 10.0 + n as f64 {
            break if let Some(v) = o {
                if v > 2.0 {
                    return s;
                }
                v * s
            } else {
                x
            };
        }
    };
    y * x
}

#[jacobian]
mod returned {
    fn root(x: f64) -> Option<f64> {
        if x > 0.0 { Some(x.sqrt()) } else { None }
    }

    fn scaled(x: f64, c: bool) -> Option<f64> {
        if x < 3.0 {
            return if c { Some(root(x)? * x) } else { None };
        }
        Some(x)
    }

    #[jacobian]
    pub fn f(x: f64, c: bool) -> f64 {
        scaled(x, c).unwrap_or(x * x)
    }
}

#[test]
fn branches_that_jump_are_returned() {
    for x in [-0.4, 0.3, 0.7, 2.0, 3.5] {
        for o in [None, Some(0.5), Some(1.5), Some(2.5)] {
            differences(|[x]| returned_branches(x, o), |[x]| returned_branches_jac(x, o), [x]);
            if x > 0.0 {
                differences(|[x]| broken_off(x, o, 2), |[x]| broken_off_jac(x, o, 2), [x]);
            }
        }
        for c in [false, true] {
            differences(|[x]| returned::f(x, c), |[x]| returned::f_jac(x, c), [x]);
        }
    }
}

/// The loops compute nothing active, and are kept; the inner one is left for what is after the outer one.
#[jacobian(wrt(x))]
fn sought(x: f64, table: &[[f64; 3]], bound: f64) -> f64 {
    let mut count = 0.0;
    'rows: for row in table {
        for value in row {
            if *value > bound {
                return *value;
            }
            if *value < -bound {
                continue 'rows;
            }
        }
        count += 1.0;
        let mut rest = row[0];
        while rest > 1.0 {
            rest *= 0.5;
            for value in row {
                if *value == rest {
                    return count;
                }
            }
        }
    }
    x * count
}

#[test]
fn a_search_in_nested_loops_returns() {
    let table = [[0.5, 1.0, 0.25], [-4.0, 1.5, 1.0], [2.5, 0.75, 0.25], [3.0, 1.5, 7.0]];
    for rows in 0..=table.len() {
        for bound in [0.1, 2.0, 3.5, 9.0] {
            differences(|[x]| sought(x, &table[..rows], bound), |[x]| sought_jac(x, &table[..rows], bound), [0.7]);
        }
    }
}
