//! Methods of traits that types of the standard library have, too: which one is meant, a macro does not see.

use jacobian::jacobian;

#[jacobian]
mod unsure {
    use nalgebra::Vector3;

    pub trait Sized2 {
        fn len(&self) -> usize;
        fn fill(&mut self, value: f64);
        fn norm(&self) -> f64;
        fn abs(&self) -> i32;
    }

    impl<const N: usize> Sized2 for [f64; N] {
        fn len(&self) -> usize {
            7
        }
        fn fill(&mut self, value: f64) {
            self[0] = value;
        }
        fn norm(&self) -> f64 {
            self[0]
        }
        fn abs(&self) -> i32 {
            1
        }
    }

    impl Sized2 for Vector3<f64> {
        fn len(&self) -> usize {
            8
        }
        fn fill(&mut self, value: f64) {
            self.x = value;
        }
        fn norm(&self) -> f64 {
            self.x * 5.0
        }
        fn abs(&self) -> i32 {
            2
        }
    }

    impl Sized2 for i32 {
        fn len(&self) -> usize {
            9
        }
        fn fill(&mut self, _: f64) {}
        fn norm(&self) -> f64 {
            1.0
        }
        fn abs(&self) -> i32 {
            self * 10
        }
    }

    fn norm_of<T: Sized2>(t: &T) -> f64 {
        t.norm()
    }

    fn length_of(t: impl Sized2, x: f64) -> f64 {
        x * t.len() as f64
    }

    #[jacobian]
    pub fn of_vectors(x: [f64; 3]) -> f64 {
        norm_of(&Vector3::from(x))
    }

    #[jacobian]
    pub fn of_integers(x: f64, n: i32) -> f64 {
        length_of(n, x)
    }

    #[jacobian]
    pub fn changed(x: [f64; 3]) -> f64 {
        let mut a = x;
        a.fill(2.0);
        a[0]
    }

    #[jacobian]
    pub fn of_references(x: f64) -> f64 {
        let mut sum = 0.0;
        for k in &[3, -4] {
            sum += x * k.abs() as f64;
        }
        sum
    }
}

fn main() {}
