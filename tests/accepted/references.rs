//! Operators take references to floats, too.

use std::cell::OnceCell;
use std::collections::HashMap;

use jacobian::jacobian;

use crate::differences;

const DATA: [f64; 2] = [1.5, 2.5];

macro_rules! compare {
    ($f:ident, $jac:ident) => {
        differences(|[x]| $f(x, &DATA), |[x]| $jac(x, &DATA), [0.75]);
    };
}

#[test]
#[allow(clippy::op_ref)]
fn what_methods_give() {
    #[jacobian(wrt(x))]
    fn in_place(x: f64, data: &[f64]) -> f64 {
        let map = HashMap::from([(1, data[0])]);
        let cell = OnceCell::new();
        x * data.first().unwrap() + x / data.get(7).unwrap_or(&0.5) - x * map.get(&1).unwrap()
            + data.iter().next().unwrap()
            + x * cell.get_or_init(|| data[0])
            + x * data.iter().fold(&data[0], |a, b| if a > b { a } else { b })
            + x * data.iter().fold(0.0, |a, b| a + b)
    }
    #[jacobian(wrt(x))]
    fn in_variables(x: f64, data: &[f64]) -> f64 {
        let a = data.iter().next().unwrap();
        let mut y = x;
        y += a;
        y -= &data[1];
        y *= *a;
        let top = data.iter().max_by(|a, b| a.total_cmp(b)).unwrap();
        let (i, low) = data.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).unwrap();
        let pair = data.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).unwrap();
        y.max(*a) + a + (x - top) * (low - x) * (i as f64 + 1.0) + x * pair.1
    }
    compare!(in_place, in_place_jac);
    compare!(in_variables, in_variables_jac);
}

#[test]
fn what_is_chosen_at_run_time() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let mut best = data.first().unwrap();
        for v in data {
            if v > best {
                best = v;
            }
        }
        let pick = if data.len() > 1 { data.last().unwrap() } else { data.first().unwrap() };
        let h = |k| x * k;
        x % best + x.max(*best) * pick + h(data.first().unwrap())
    }
    compare!(f, f_jac);
}

#[test]
fn what_methods_of_the_user_give() {
    struct Rate(f64);
    impl Rate {
        fn by_reference(&self) -> &f64 {
            &self.0
        }
        fn by_value(&self) -> f64 {
            self.0
        }
    }
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let rate = Rate(data[0]);
        x * rate.by_reference() - x * x / rate.by_value() + rate.by_reference().sin() * x
    }
    compare!(f, f_jac);
}

#[test]
fn literals_keep_their_type() {
    #[allow(clippy::useless_vec, clippy::iter_next_slice, clippy::unnecessary_literal_unwrap)]
    #[jacobian]
    fn f(x: f32) -> f32 {
        let list = vec![0.1, 2.0];
        let array = [0.1, 2.5];
        let first = array.first().unwrap();
        x * list.iter().next().unwrap() + first * x + x * Some(0.1).unwrap_or(3.0)
    }
    let (value, [derivative]) = f_jac(0.7);
    assert_eq!(value.to_bits(), f(0.7).to_bits());
    assert_eq!(derivative, 0.1f32 + 0.1 + 0.1);
}
