//! What dropping a struct does is outside of the module: the generated code would not do it.

#[jacobian::jacobian]
mod structs {
    pub struct State {
        pub x: f64,
    }

    #[jacobian]
    pub fn doubled(x: f64) -> f64 {
        let s = State { x };
        2.0 * s.x
    }
}

impl Drop for structs::State {
    fn drop(&mut self) {
        println!("{}", self.x);
    }
}

fn main() {
    structs::doubled_jac(1.0);
}
