//! Proves that zeros are told apart. What no path leads to has the derivative 0, whatever is on the other side of a
//! branch or of a selection; a product that underflows, or a quotient that is no number at one point, is computed as it
//! is written. The points are those at which the difference is seen: at a zero, or an infinity.

use jacobian_core::catalogue::known;
use jacobian_core::code_list::Statement;
use jacobian_core::evaluate::{Floats, evaluate, select};
use jacobian_core::linearize::LEVELS;
use jacobian_core::{CodeList, Derivative, Strategy, differentiate_at};

const STRATEGIES: [&str; 9] = [
    "forward",
    "reverse",
    "markowitz",
    "paths",
    "edge: forward",
    "edge: reverse",
    "face: forward",
    "face: reverse",
    "path: reverse",
];

/// The derivatives of a function by each strategy, at both levels.
fn derivatives(text: &str) -> Vec<(String, Derivative)> {
    let function: CodeList = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let all = STRATEGIES.iter().flat_map(|strategy| LEVELS.iter().map(move |(name, level)| (strategy, name, *level)));
    let derivative = |(text, name, level): (&&str, &&str, _)| {
        let strategy: Strategy = text.parse().expect("a strategy");
        let jacobian = differentiate_at(level, &function, &strategy).expect("a small function");
        (format!("{text}, {name}"), jacobian.derivative.dense())
    };
    all.map(derivative).collect()
}

/// An entry of the Jacobian at a point.
fn entry(derivative: &Derivative, column: usize, point: &[f64]) -> f64 {
    let values = evaluate(&derivative.list, &Floats(derivative.list.precision()), point);
    select(&values, &[derivative.entries(0)[column]])[0]
}

/// Checks an entry at some points, by every strategy.
fn check(text: &str, column: usize, points: &[(&[f64], f64)]) {
    for (strategy, derivative) in derivatives(text) {
        for &(point, expected) in points {
            let actual = entry(&derivative, column, point);
            let is_same = actual == expected || actual.is_nan() && expected.is_nan();
            assert!(is_same, "{strategy}: {actual} instead of {expected} at {point:?} in\n{}", derivative.list);
        }
    }
}

/// `x * x` times a power that is infinite at 0 is no number there, and 1 elsewhere.
#[test]
fn powers_cancel_nowhere() {
    for (powers, nearby) in [
        ("q = x * x\np = powi(x, -2)", 1.0),
        ("q = x * x\np = 1 / q", 1.0),
        ("q = powi(x, 3)\np = powi(x, -3)", 1.0),
        ("q = x + x\np = powi(x, -1)", 2.0),
        ("q = x * 1\np = recip(x)", 1.0),
    ] {
        for outer in ["t = q * s\nv = p * t", "t = p * s\nv = t * q"] {
            let text = format!("input x s\n{powers}\n{outer}\noutput v");
            check(&text, 1, &[(&[2.0, 1.0], nearby), (&[-0.5, 3.0], nearby), (&[0.0, 1.0], f64::NAN)]);
        }
    }
}

/// The product of two numbers is 0 in floats, and yet no structural zero: an infinity on the same path is seen.
#[test]
fn what_underflows_is_no_structural_zero() {
    for (header, small) in [("", "1e-200"), ("precision f32\n", "1e-30")] {
        let text = format!("{header}input x y\nt = {small} * x\nu = {small} * t\nv = u * y\noutput v");
        for (strategy, derivative) in derivatives(&text) {
            let actual = entry(&derivative, 0, &[1.0, f64::INFINITY]);
            assert!(actual.is_nan() || actual == f64::INFINITY, "{strategy}: {actual} of\n{}", derivative.list);
        }
    }
}

/// The number of selections in a derivative.
fn selections(derivative: &Derivative) -> usize {
    let list = &derivative.list;
    let is_selection = |statement: &&Statement| {
        let selections = [known::SELECT_EQ, known::SELECT_LE, known::SELECT_LT];
        matches!(statement, Statement::Apply { intrinsic, .. } if selections.contains(intrinsic))
    };
    list.statements().iter().filter(is_selection).count()
}

/// A branch whose second arm, where `x` is 1 or more, depends on nothing, times a quotient.
fn branch_times(quotient: &str) -> String {
    format!(
        "input x y\np = x < 1\nbranch b on p (x)\narm\ninput x\nu = x * x\noutput u\narm\ninput x\noutput 3\nend\n\
         c = {quotient}\nv = b.0 * c\noutput v"
    )
}

#[test]
fn a_division_by_zero_is_masked_by_a_branch_and_one_by_another_number_need_not_be() {
    for (quotient, y) in [("y / 0", 1.0), ("y / 0 + 1", 1.0), ("1 / y", 0.0), ("recip(y)", 0.0), ("2 * (1 / y)", 0.0)] {
        check(&branch_times(quotient), 0, &[(&[2.0, y], 0.0), (&[0.5, y], f64::INFINITY)]);
    }
    for quotient in ["y / 2", "y / (-3)"] {
        check(&branch_times(quotient), 0, &[(&[2.0, 6.0], 0.0)]);
        for (strategy, derivative) in derivatives(&branch_times(quotient)) {
            assert_eq!(selections(&derivative), 0, "{strategy}: {}", derivative.list);
        }
    }
}

/// The derivative of a root is infinite at 0. Where a selection takes another argument, nothing depends on it.
#[test]
fn a_selection_masks_what_it_does_not_take() {
    for (selection, taken, other) in [
        ("max(r, y)", -1.0, 1.0),
        ("max(y, r)", -1.0, 1.0),
        ("min(r, y)", 1.0, -1.0),
        ("min(y, r)", 1.0, -1.0),
        ("clamp(r, y, 5)", -1.0, 1.0),
        ("clamp(r, -5, y)", 1.0, -1.0),
        ("clamp(y, r, 5)", -1.0, 1.0),
        ("clamp(y, -5, r)", 1.0, -1.0),
        ("abs_sub(r, y)", -1.0, 1.0),
        ("-abs_sub(y, r)", 1.0, -1.0),
    ] {
        for (outer, scale) in [("v = m * 1", 1.0), ("v = m * 2", 2.0), ("w = m * y\nv = w * y", 1.0), ("v = -m", -1.0)]
        {
            let text = format!("input x y\nr = sqrt(x)\nm = {selection}\n{outer}\noutput v");
            check(&text, 0, &[(&[0.0, taken], scale * f64::INFINITY), (&[0.0, other], 0.0)]);
        }
    }
}

/// Selections in a row: the root counts where all of them take it.
#[test]
fn selections_mask_together() {
    let text = "input x y z\nr = sqrt(x)\nm = max(r, y)\nn = min(m, z)\noutput n";
    for (y, z, expected) in [(-1.0, 1.0, f64::INFINITY), (1.0, 2.0, 0.0), (-1.0, -2.0, 0.0), (1.0, -1.0, 0.0)] {
        check(text, 0, &[(&[0.0, y, z], expected)]);
    }
    // A sum is masked where both paths are.
    let text = "input x y z\nr = sqrt(x)\nm = max(r, y)\nn = max(r, z)\ns = m + n\noutput s";
    for (y, z, expected) in
        [(-1.0, -1.0, f64::INFINITY), (1.0, -1.0, f64::INFINITY), (-1.0, 1.0, f64::INFINITY), (1.0, 1.0, 0.0)]
    {
        check(text, 0, &[(&[0.0, y, z], expected)]);
    }
}

/// A sum needs no mask where one of its paths has none: there are the two selections of the maximum, and no other.
#[test]
fn a_path_without_selections_is_always_taken() {
    let text = "input x y\nr = sqrt(x)\nm = max(r, y)\ns = m + r\noutput s";
    check(text, 0, &[(&[0.0, 1.0], f64::INFINITY), (&[0.0, -1.0], f64::INFINITY)]);
    for (strategy, derivative) in derivatives(text).iter().filter(|(strategy, _)| strategy.starts_with("reverse")) {
        assert_eq!(selections(derivative), 2, "{strategy}: {}", derivative.list);
    }
}

/// The partials 1 and -1 add up to 0, and yet count as two paths.
#[test]
fn masks_have_no_sign() {
    for z in [-1.0, 1.0] {
        let text =
            format!("input x y\nr = sqrt(x)\nm = max(r, y)\nn = abs_sub({z:?}, r)\ns = m + n\nt = s * s\noutput t");
        for (strategy, derivative) in derivatives(&text) {
            for y in [-1.0, 1.0] {
                let (partial, nothing_depends) = (entry(&derivative, 0, &[0.0, y]), y > 0.0 && z < 0.0);
                let is_right = if nothing_depends { partial == 0.0 } else { !partial.is_finite() };
                assert!(is_right, "{strategy}: {partial} at y = {y}, z = {z} of\n{}", derivative.list);
            }
        }
    }
}

/// Before the first iteration, what a loop carries depends on nothing; a root at zero there has an infinite
/// derivative, and none that anything is multiplied by.
#[test]
fn in_front_of_the_first_iteration_nothing_depends_on_what_is_read() {
    let of_iterations = |iterations: &str| {
        format!(
            "input x\ninput y\npassive n: int\nloop l on {iterations} (x y 0 0) carries 2\nbody\ninput x y s t\n\
             r = sqrt(s)\nu = r + x\nv = t + y\noutput u v\nend\nw = l.0 + l.1\noutput w"
        )
    };
    check(&of_iterations("1i32"), 0, &[(&[4.0, 1.0], 1.0)]);
    check(&of_iterations("2i32"), 0, &[(&[4.0, 1.0], 1.25)]);
    check(&of_iterations("2i32"), 1, &[(&[4.0, 1.0], 2.0)]);
    check(&of_iterations("0i32"), 0, &[(&[4.0, 1.0], 0.0)]);
}

/// An iteration that starts anew ends all paths, whatever the derivative is by what was there before: that of a root at
/// zero.
#[test]
fn an_iteration_that_starts_anew_ends_all_paths() {
    let text = "input x\nloop l on 3i32 (x 0 1) carries 2\nbody\ninput x k s\nq = sqrt(s)\nj = k + 1\nc = j < 2\n\
                branch b on c (x q)\narm\ninput x q\noutput 0\narm\ninput x q\nv = x + q\noutput v\nend\n\
                output j b.0\nend\noutput l.1";
    // 0, then x + 0, then x + sqrt(x).
    check(text, 0, &[(&[4.0], 1.25)]);
}

/// What grows without bound from iteration to iteration is multiplied by no structural zero.
#[test]
fn what_becomes_infinite_in_a_loop_meets_no_structural_zero() {
    let text = "input x y\nloop l on 2i32 (y x 1) carries 2\nbody\ninput y p s\nq = p / y\nt = s * s\noutput q t\nend\n\
                c = x < 1\nbranch b on c (l.0 x)\narm\ninput p x\nv = x * x\noutput v\narm\ninput p x\noutput p\nend\n\
                w = b.0 * l.1\noutput w";
    check(text, 0, &[(&[0.5, 0.0], 1.0)]);
    check(text, 1, &[(&[0.5, 0.0], 0.0)]);
}
