//! Functions as modules: each with the function `f`, what its attributes add, and `generic`, its twin over any type of
//! numbers.

macro_rules! modules {
    (
        $attributes:tt
        $(
            $(#[doc = $doc:literal])+
            fn $name:ident($x:ident: &[f64; $n:tt]) -> [f64; $m:tt] { $($body:tt)* }
        )+
    ) => { $(
        $(#[doc = $doc])+
        pub mod $name {
            use super::*;

            modules! { @ $attributes pub fn f($x: &[f64; $n]) -> [f64; $m] { $($body)* } }
        }
    )+ };
    (@ [$($attributes:tt)+] $($function:tt)+) => {
        /// The function itself.
        #[generic_twin(generic)]
        $($attributes)+
        $($function)+
    };
}
