//! What counts the calls that a function makes, for functions whose arguments have effects.

/// Gives 1, 2, 3, ...
#[derive(Default)]
pub struct Counter(std::cell::Cell<u32>);

impl Counter {
    pub fn next(&self) -> u32 {
        self.0.set(self.0.get() + 1);
        self.0.get()
    }

    pub fn list(&self) -> Vec<f64> {
        vec![f64::from(self.next()); 2]
    }

    pub fn operand(&self) -> u32 {
        self.next()
    }
}
