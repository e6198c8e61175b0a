/// Steps of the Runge-Kutta method of order four for the model of Lorenz with four variables.
fn lorenz(x: &[f64; 4]) -> [f64; 4] {
    let mut y = *x;
    for _ in 0..STEPS {
        let mut change = [0.0; 4];
        let mut stage = y;
        for (part, weight) in [(0.5, 1.0), (0.5, 2.0), (1.0, 2.0), (0.0, 1.0)] {
            let mut slope = [0.0; 4];
            for i in 0..4 {
                slope[i] = (stage[(i + 1) % 4] - stage[(i + 2) % 4]) * stage[(i + 3) % 4] - stage[i] + 8.0;
            }
            for i in 0..4 {
                change[i] += weight * slope[i];
                stage[i] = y[i] + part * 0.05 * slope[i];
            }
        }
        for i in 0..4 {
            y[i] += 0.05 / 6.0 * change[i];
        }
    }
    y
}
