//! Lines through points.

/// The line `y = slope * x + intercept` with the least squares.
#[derive(Copy, Clone, Debug)]
pub struct Line {
    pub slope: f64,
    pub intercept: f64,
    /// The part of the variance of `y` that the line explains.
    pub explained: f64,
}

/// Fits a line to points; none where they are fewer than three, or all values of `x` or of `y` are the same.
pub fn line(points: &[(f64, f64)]) -> Option<Line> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|point| of(point.0 - x, point.1 - y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    if points.len() < 3 || xx == 0.0 || yy == 0.0 {
        return None;
    }
    let slope = xy / xx;
    Some(Line { slope, intercept: y - slope * x, explained: xy * xy / (xx * yy) })
}

/// The middle one of some values, of which there is one at least.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_explains_what_lies_on_it() {
        let on_it = line(&[(1.0, 5.0), (2.0, 7.0), (4.0, 11.0)]).expect("a line");
        assert_eq!((on_it.slope, on_it.intercept, on_it.explained), (2.0, 3.0, 1.0));
        let beside = line(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]).expect("a line");
        assert_eq!((beside.slope, beside.explained), (0.0, 0.0));
        assert!(line(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]).is_none());
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
    }
}
