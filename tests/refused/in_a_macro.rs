#![allow(unused_variables)]

use jacobian::jacobian;

macro_rules! define {
    ($name:ident, $x:ident: $t:ty, $body:expr) => {
        #[jacobian]
        fn $name($x: $t) -> f64 {
            let y = 2.0;
            let z = loop { break y };
            $body
        }
    };
}

define!(refused_in_both, x: f64, x.to_bits() as f64);
define!(refused_type, x: Vec<f64>, x[0]);

fn main() {
    let (_, [_]) = refused_in_both_jac(1.0);
    let (_, [_]) = refused_type_jac(vec![1.0]);
}
