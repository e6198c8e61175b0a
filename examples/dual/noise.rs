/// A linear congruential generator: the same numbers on every machine.
pub struct Noise(pub u64);

impl Noise {
    /// Uniform in the box around `centre` that reaches `spread` to both sides.
    pub fn around<const N: usize>(&mut self, centre: [f64; N], spread: [f64; N]) -> [f64; N] {
        std::array::from_fn(|i| centre[i] + spread[i] * self.uniform())
    }

    /// This many points of that box.
    pub fn points<const N: usize>(&mut self, count: usize, centre: [f64; N], spread: [f64; N]) -> Vec<[f64; N]> {
        (0..count).map(|_| self.around(centre, spread)).collect()
    }

    /// Uniform between -1 and 1.
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Normal with mean 0 and variance 1, but never beyond 6: the sum of twelve that are uniform.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() / 2.0
    }
}
