//! What Rust copies is a copy in the generated code, too: what is changed in place later does not change it.

use jacobian::jacobian;

use crate::differences;

const DATA: [f64; 2] = [1.5, 2.5];

macro_rules! compare {
    ($f:ident, $jac:ident) => {
        differences(|[x]| $f(x, &DATA), |[x]| $jac(x, &DATA), [0.75]);
    };
}

#[test]
fn a_loop_goes_over_a_copy() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let mut w = [0.5, 0.25];
        for d in data {
            w[0] += d;
        }
        let mut y = 0.0;
        for v in w {
            w[1] += 1.0;
            y += v * x;
        }
        y * w[1]
    }
    #[jacobian(wrt(x))]
    fn of_variables(x: f64, data: &[f64]) -> f64 {
        let (mut a, mut b) = (0.0, 1.0);
        for v in data {
            a += v;
            b *= v;
        }
        let mut y = 0.0;
        for v in [a, b, a] {
            for d in data {
                b += d;
                a += d;
            }
            y += v * x;
        }
        y * b + a
    }
    compare!(f, f_jac);
    compare!(of_variables, of_variables_jac);
}

#[test]
fn an_iterator_by_value_owns_its_items() {
    #[jacobian(wrt(x))]
    fn map(x: f64, data: &[f64]) -> f64 {
        let mut k = [1.0, 2.0];
        for v in data {
            k[0] += v;
        }
        let y = k.into_iter().map(|t| t * x);
        k[1] = 7.0;
        k[0] += data[0];
        let z: f64 = y.sum();
        z * k[0] * k[1]
    }
    #[jacobian(wrt(x))]
    fn zip_and_chain(x: f64, data: &[f64]) -> f64 {
        let mut k = [1.0, 2.0];
        for v in data {
            k[0] += v;
        }
        let zipped = k.iter().copied().zip(k);
        let pairs: f64 = zipped.map(|(a, b)| a * b * x).sum();
        let zipped = k.into_iter().zip(k);
        let chained = [x, 2.0 * x].into_iter().chain(k);
        k[0] = 100.0;
        zipped.map(|(a, b)| a * b * x).sum::<f64>() * k[0] + chained.map(|a| a * a).sum::<f64>() + pairs
    }
    #[jacobian(wrt(x))]
    fn map_of_an_array(x: f64, data: &[f64]) -> f64 {
        let mut w = [0.5, 0.25];
        for d in data {
            w[0] += d;
        }
        let y = w.map(|v| {
            w[1] += 1.0;
            v * x
        });
        y[0] * y[1] * w[1]
    }
    compare!(map, map_jac);
    compare!(zip_and_chain, zip_and_chain_jac);
    compare!(map_of_an_array, map_of_an_array_jac);
}

#[test]
fn a_closure_that_moves_keeps_what_it_has_captured() {
    #[jacobian(wrt(x))]
    fn number(x: f64, data: &[f64]) -> f64 {
        let mut level = 0.0;
        for d in data {
            level += d;
        }
        let old = move |t: f64| t * level;
        level *= 2.0;
        for d in data {
            level += d;
        }
        old(x) + level * x
    }
    #[jacobian(wrt(x))]
    fn array(x: f64, data: &[f64]) -> f64 {
        let mut k = [0.0; 2];
        for v in data {
            k[0] += v;
        }
        let g = move |t: f64| t * k[0];
        for v in data {
            k[0] += v;
        }
        g(x) + k[0] * x
    }
    #[jacobian(wrt(x))]
    fn of_items(x: f64, data: &[f64]) -> f64 {
        let mut s = 1.0;
        for u in data {
            s += u;
        }
        let y = (0..2).map(move |i| (0..2).map(move |j| x * s * f64::from(i + 2 * j)).sum::<f64>());
        s += 1.0;
        y.sum::<f64>() * s
    }
    compare!(number, number_jac);
    compare!(array, array_jac);
    compare!(of_items, of_items_jac);
}

#[test]
fn a_closure_that_is_kept_has_its_own_copy() {
    #[jacobian(wrt(x))]
    fn f(x: f64, data: &[f64]) -> f64 {
        let mut s = 1.0;
        for u in data {
            s += u;
        }
        let k: f64 = data
            .iter()
            .map(move |u| {
                s += u;
                s
            })
            .sum();
        x * k * s
    }
    compare!(f, f_jac);
}
