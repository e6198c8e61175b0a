// What the compiler has to refuse, for a macro knows no types: the expansion is written so that it does.

// The operators of another type have other derivatives.
mod other {
    use jacobian::jacobian;

    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy)]
    pub struct f64(pub core::primitive::f64);

    impl std::ops::Add for f64 {
        type Output = f64;

        fn add(self, other: f64) -> f64 {
            f64(self.0 * other.0)
        }
    }

    impl f64 {
        pub fn sin(x: core::primitive::f64) -> core::primitive::f64 {
            x
        }

        pub fn cos(x: core::primitive::f64) -> core::primitive::f64 {
            x
        }
    }

    #[jacobian]
    pub fn operators(x: f64) -> f64 {
        x + x
    }

    #[jacobian]
    pub fn functions(x: core::primitive::f64) -> core::primitive::f64 {
        f64::sin(x)
    }
}

fn main() {
    other::operators(other::f64(1.0));
    other::functions(1.0);
}
