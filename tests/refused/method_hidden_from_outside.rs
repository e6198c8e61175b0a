//! A method of a trait in the module, and one of the struct itself outside, which hides it: which one is called is not
//! seen by the macro, so that the generated code does not compile.

#[jacobian::jacobian]
mod structs {
    #[derive(Clone, Copy)]
    pub struct State {
        pub x: f64,
    }

    pub trait Size {
        fn size(&self) -> f64;
    }

    impl Size for State {
        fn size(&self) -> f64 {
            self.x * self.x
        }
    }

    #[jacobian]
    pub fn doubled(s: State) -> f64 {
        2.0 * s.size()
    }
}

impl structs::State {
    pub fn size(&self) -> f64 {
        -self.x
    }
}

fn main() {}
