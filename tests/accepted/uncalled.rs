//! Functions that nothing calls but for their Jacobians: the compiler says nothing of it.

use jacobian::jacobian;

use crate::check;

#[test]
fn a_function() {
    #[deny(dead_code)]
    mod uncalled {
        #[jacobian::jacobian]
        fn f(x: f64) -> f64 {
            x * x
        }

        pub fn derivative(x: f64) -> (f64, [f64; 1]) {
            f_jac(x)
        }
    }
    check(9.0, uncalled::derivative(3.0), &[6.0]);
}

#[test]
fn two_functions() {
    #[deny(dead_code)]
    mod uncalled {
        use jacobian::jacobian;

        #[jacobian]
        fn f(x: f64) -> f64 {
            x * x
        }

        #[jacobian]
        fn g(x: f64) -> f64 {
            3.0 * x
        }

        pub fn derivatives(x: f64) -> (f64, [f64; 2]) {
            let ((y, [dy]), (z, [dz])) = (f_jac(x), g_jac(x));
            (y + z, [dy, dz])
        }
    }
    check(18.0, uncalled::derivatives(3.0), &[6.0, 3.0]);
}

#[test]
#[deny(dead_code)]
fn functions_inside_of_a_function() {
    #[jacobian]
    fn f(x: f64) -> f64 {
        x * x
    }
    #[jacobian]
    fn g(x: f64) -> f64 {
        3.0 * x
    }
    check(9.0, f_jac(3.0), &[6.0]);
    check(9.0, g_jac(3.0), &[3.0]);
}

#[test]
fn functions_of_a_module() {
    #[jacobian]
    #[deny(dead_code)]
    mod uncalled {
        fn square(x: f64) -> f64 {
            x * x
        }

        const K: f64 = 3.0;

        #[jacobian]
        fn f(x: f64) -> f64 {
            square(x)
        }

        #[jacobian]
        fn g(x: f64) -> f64 {
            square(x) * K
        }

        pub fn derivatives(x: f64) -> (f64, [f64; 2]) {
            let ((y, [dy]), (z, [dz])) = (f_jac(x), g_jac(x));
            (y + z, [dy, dz])
        }
    }
    check(36.0, uncalled::derivatives(3.0), &[6.0, 18.0]);
}

#[test]
fn methods() {
    #[deny(dead_code)]
    mod uncalled {
        use jacobian::jacobian;

        pub struct Gain(pub f64);

        impl Gain {
            #[jacobian]
            fn f(&self, x: f64) -> f64 {
                self.0 * x
            }

            #[jacobian]
            fn g(&self, x: f64) -> f64 {
                self.0 * x * x
            }

            pub fn derivatives(&self, x: f64) -> (f64, [f64; 2]) {
                let ((y, [dy]), (z, [dz])) = (self.f_jac(x), self.g_jac(x));
                (y + z, [dy, dz])
            }
        }
    }
    check(24.0, uncalled::Gain(2.0).derivatives(3.0), &[2.0, 12.0]);
}

#[test]
fn a_function_with_a_jacobian_of_its_own() {
    #[deny(dead_code)]
    mod uncalled {
        use jacobian::jacobian;

        fn g(x: f64) -> f64 {
            x * x
        }

        fn g_jac(x: f64) -> (f64, [f64; 1]) {
            (x * x, [2.0 * x])
        }

        #[jacobian(with(g))]
        fn f(x: f64) -> f64 {
            3.0 * g(x)
        }

        pub fn derivative(x: f64) -> (f64, [f64; 1]) {
            f_jac(x)
        }
    }
    check(27.0, uncalled::derivative(3.0), &[18.0]);
}
