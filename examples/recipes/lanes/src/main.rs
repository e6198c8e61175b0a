//! Four points at once: a function that is generic over its numbers is differentiated once, and its Jacobian is called
//! with the vectors of wide, whose lanes are four points.
//!
//!     cargo run --release -p lanes

use std::ops::{Add, Div, Mul, Neg, Sub};

use jacobian::jacobian;
use wide::f64x4;

/// What the function and its derivative do with numbers.
trait Lanes: Copy + Neg<Output = Self> {
    fn sqrt(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
}

macro_rules! lanes {
    ($($number:ty)*) => {
        $(impl Lanes for $number {
            fn sqrt(self) -> Self {
                <$number>::sqrt(self)
            }
            fn sin(self) -> Self {
                <$number>::sin(self)
            }
            fn cos(self) -> Self {
                <$number>::cos(self)
            }
        })*
    };
}
lanes!(f64 f64x4);

/// What a radar on a mast at `(0, 0, height)` that turns by `angle` sees of a target.
#[jacobian]
fn radar<T>(x: T, y: T, height: T, angle: T) -> [T; 2]
where
    T: Lanes + From<f64> + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    let range = (x * x + y * y + height * height).sqrt();
    [range, (x * angle.cos() + y * angle.sin()) / range]
}

fn main() {
    let coordinate =
        |k: usize| (0..4000).map(move |i| 1.0 + ((i * (7 + k) + k) % 97) as f64 / 10.0).collect::<Vec<_>>();
    let [x, y, height, angle] = [0, 1, 2, 3].map(coordinate);
    let mut largest: f64 = 0.0;
    for i in (0..x.len()).step_by(4) {
        let four = |numbers: &[f64]| f64x4::from([numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]]);
        let (_, jacobian) = radar_jac(four(&x), four(&y), four(&height), four(&angle));
        for lane in 0..4 {
            let at = i + lane;
            let (_, one) = radar_jac(x[at], y[at], height[at], angle[at]);
            for (row, other) in jacobian.iter().zip(one) {
                for (entry, other) in row.iter().zip(other) {
                    largest = largest.max((entry.to_array()[lane] - other).abs());
                }
            }
        }
    }
    println!("{} points, four at once: within {largest:.0e} of one after the other", x.len());
    assert!(largest < 1e-13);
}
