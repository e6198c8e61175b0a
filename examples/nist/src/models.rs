//! The models, each as NIST prints it (`b[0]` is NIST's b1), with the data files that it is fitted to.
//!
//! To add a model, write its function below and put its data file into `data/`. A `check` is welcome, not needed: it
//! names a gradient to hold the generated one against.

use crate::by_hand;
use crate::problem::{DataFile, Problem, Regression};
use jacobian::jacobian;

/// Puts each function and its Jacobian into a module of the function's name, as `model`, `model_jac` and `model_hess`,
/// and registers a problem for each of its data files.
macro_rules! problems {
    ($(
        #[nist($($file:literal),+ $(, check = $check:path)?)]
        #[$jacobian:meta]
        fn $name:ident $parameters:tt -> f64 $body:tt
    )+) => {
        $(mod $name {
            use super::*;

            #[$jacobian]
            pub fn model $parameters -> f64 $body
        })+

        pub const PROBLEMS: &[&dyn Problem] = &[$(
            &Regression {
                files: &[$(DataFile {
                    name: $file,
                    text: include_str!(concat!("../data/", $file, ".dat")),
                }),+],
                model: $name::model,
                model_jac: $name::model_jac,
                model_hess: $name::model_hess,
                by_hand: problems!(@optional $($check)?),
            },
        )+];
    };
    (@optional) => { None };
    (@optional $check:path) => { Some($check) };
}

problems! {
    #[nist("Misra1a", check = by_hand::misra1a)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn misra1a(x: f64, b: &[f64; 2]) -> f64 {
        b[0] * (1.0 - (-b[1] * x).exp())
    }

    #[nist("Misra1b", check = by_hand::misra1b)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn misra1b(x: f64, b: &[f64; 2]) -> f64 {
        b[0] * (1.0 - (1.0 + b[1] * x / 2.0).powi(-2))
    }

    #[nist("Misra1c", check = by_hand::misra1c)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn misra1c(x: f64, b: &[f64; 2]) -> f64 {
        b[0] * (1.0 - (1.0 + 2.0 * b[1] * x).powf(-0.5))
    }

    #[nist("Misra1d", check = by_hand::misra1d)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn misra1d(x: f64, b: &[f64; 2]) -> f64 {
        b[0] * b[1] * x * (1.0 + b[1] * x).powi(-1)
    }

    #[nist("Chwirut1", "Chwirut2", check = by_hand::chwirut)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn chwirut(x: f64, b: &[f64; 3]) -> f64 {
        (-b[0] * x).exp() / (b[1] + b[2] * x)
    }

    #[nist("Lanczos1", "Lanczos2", "Lanczos3", check = by_hand::lanczos)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn lanczos(x: f64, b: &[f64; 6]) -> f64 {
        b[0] * (-b[1] * x).exp() + b[2] * (-b[3] * x).exp() + b[4] * (-b[5] * x).exp()
    }

    #[nist("Gauss1", "Gauss2", "Gauss3", check = by_hand::gauss)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn gauss(x: f64, b: &[f64; 8]) -> f64 {
        b[0] * (-b[1] * x).exp()
            + b[2] * (-(x - b[3]).powi(2) / b[4].powi(2)).exp()
            + b[5] * (-(x - b[6]).powi(2) / b[7].powi(2)).exp()
    }

    #[nist("DanWood", check = by_hand::danwood)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn danwood(x: f64, b: &[f64; 2]) -> f64 {
        b[0] * x.powf(b[1])
    }

    #[nist("Kirby2", check = by_hand::kirby2)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn kirby2(x: f64, b: &[f64; 5]) -> f64 {
        (b[0] + b[1] * x + b[2] * x.powi(2)) / (1.0 + b[3] * x + b[4] * x.powi(2))
    }

    #[nist("Hahn1", "Thurber", check = by_hand::cubic_over_cubic)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn cubic_over_cubic(x: f64, b: &[f64; 7]) -> f64 {
        (b[0] + b[1] * x + b[2] * x.powi(2) + b[3] * x.powi(3))
            / (1.0 + b[4] * x + b[5] * x.powi(2) + b[6] * x.powi(3))
    }

    #[nist("MGH09", check = by_hand::mgh09)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn mgh09(x: f64, b: &[f64; 4]) -> f64 {
        b[0] * (x.powi(2) + x * b[1]) / (x.powi(2) + x * b[2] + b[3])
    }

    #[nist("MGH10", check = by_hand::mgh10)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn mgh10(x: f64, b: &[f64; 3]) -> f64 {
        b[0] * (b[1] / (x + b[2])).exp()
    }

    #[nist("Eckerle4", check = by_hand::eckerle4)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn eckerle4(x: f64, b: &[f64; 3]) -> f64 {
        (b[0] / b[1]) * (-0.5 * ((x - b[2]) / b[1]).powi(2)).exp()
    }

    #[nist("Rat42", check = by_hand::rat42)]
    #[jacobian(forms(jac, hess), wrt(b))]
    fn rat42(x: f64, b: &[f64; 3]) -> f64 {
        b[0] / (1.0 + (b[1] - b[2] * x).exp())
    }
}
