//! A curve fit whose cost is one function over all data, however many there are: a run-time loop is
//! differentiated as a loop. The data are those of Misra1a of the NIST reference data sets (dental research,
//! monomolecular adsorption); Newton's method takes the gradient and the Hessian, the method of Gauss and Newton the sums
//! of `Jᵀ r` and `Jᵀ J` over the data.

use approx::assert_relative_eq;
use jacobian::jacobian;
use model::{cost, cost_hess, residual_normal};

/// The pressure and the volume.
const DATA: [(f64, f64); 14] = [
    (77.6, 10.07),
    (114.9, 14.73),
    (141.1, 17.94),
    (190.8, 23.93),
    (239.9, 29.61),
    (289.0, 35.18),
    (332.8, 40.02),
    (378.4, 44.82),
    (434.8, 50.76),
    (477.3, 55.05),
    (536.8, 61.01),
    (593.1, 66.40),
    (689.1, 75.47),
    (760.0, 81.78),
];

/// NIST's second starting point.
const START: [f64; 2] = [250.0, 5e-4];

/// The certified parameters, to eleven digits.
const CERTIFIED: [f64; 2] = [2.389_421_291_8e2, 5.501_564_318_1e-4];

#[jacobian]
mod model {
    /// What the model `b0 (1 - exp(-b1 x))` gives more than was measured.
    #[jacobian(wrt(b), forms(normal))]
    pub fn residual(b: [f64; 2], x: f64, y: f64) -> f64 {
        b[0] * (1.0 - (-b[1] * x).exp()) - y
    }

    /// The sum of their squares.
    #[jacobian(wrt(b), forms(hess))]
    pub fn cost(b: [f64; 2], data: &[(f64, f64)]) -> f64 {
        let mut sum = 0.0;
        for (x, y) in data {
            let r = residual(b, *x, *y);
            sum += r * r;
        }
        sum
    }
}

/// A function of two variables, its gradient and its Hessian.
type Quadratic = (f64, [f64; 2], [[f64; 2]; 2]);

/// The cost of data, however many there are, with its derivatives.
type Derivatives = fn([f64; 2], &[(f64, f64)]) -> Quadratic;

/// The cost, its gradient `2 Jᵀ r`, and `2 Jᵀ J`, which is the Hessian without the curvature of the model.
fn normal_equations(b: [f64; 2], data: &[(f64, f64)]) -> Quadratic {
    let (mut sum, mut gradient, mut hessian) = (0.0, [0.0; 2], [[0.0; 2]; 2]);
    for (x, y) in data {
        let (r, by_r, squares) = residual_normal(b, *x, *y);
        sum += r * r;
        for i in 0..2 {
            gradient[i] += 2.0 * by_r[i];
            for j in 0..2 {
                hessian[i][j] += 2.0 * squares[i][j];
            }
        }
    }
    (sum, gradient, hessian)
}

/// The minimum of the cost, from its `derivatives`; where a step does not lead downhill, more is added to the diagonal.
fn fitted(mut b: [f64; 2], data: &[(f64, f64)], derivatives: Derivatives) -> [f64; 2] {
    let mut damping = 1.0;
    for step in 0..100 {
        let (sum, [g0, g1], [[h00, h01], [_, h11]]) = derivatives(b, data);
        println!("{step}: the sum of squares is {sum:.12} at b = [{:.9}, {:.9e}]", b[0], b[1]);
        let (d0, d1) = (h00 + damping * h00.abs(), h11 + damping * h11.abs());
        let determinant = d0 * d1 - h01 * h01;
        let next = [b[0] - (d1 * g0 - h01 * g1) / determinant, b[1] - (d0 * g1 - h01 * g0) / determinant];
        let is_downhill = determinant > 0.0 && d0 > 0.0 && cost(next, data) < sum;
        if !is_downhill && damping < 1e-12 {
            break;
        }
        damping *= if is_downhill { 0.01 } else { 10.0 };
        if is_downhill {
            b = next;
        }
        if damping > 1e6 {
            break;
        }
    }
    b
}

fn main() {
    assert_eq!(cost_hess(CERTIFIED, &DATA).0, cost(CERTIFIED, &DATA));
    let ((sum, gradient, _), (own_sum, own_gradient, _)) = (cost_hess(START, &DATA), normal_equations(START, &DATA));
    assert_eq!(sum, own_sum);
    for (entry, own) in gradient.into_iter().zip(own_gradient) {
        assert_relative_eq!(entry, own, max_relative = 1e-12);
    }
    let methods: [(&str, Derivatives); 2] = [("Newton", cost_hess), ("Gauss and Newton", normal_equations)];
    for (method, derivatives) in methods {
        println!("by the method of {method}");
        for (found, certified) in fitted(START, &DATA, derivatives).into_iter().zip(CERTIFIED) {
            println!("{found:.10e}, certified {certified:.10e}");
            assert_relative_eq!(found, certified, max_relative = 1e-8);
        }
    }
}
