//! Calls whose arguments are known, of functions that give integers, truth values and enums: what they give is known, if
//! they do nothing else.

#![allow(clippy::needless_range_loop, reason = "that it is written so is what is tested")]

use std::cell::Cell;

use jacobian::jacobian;

use crate::differences;
use crate::panics::panic_of;

thread_local! {
    static NOTED: Cell<usize> = const { Cell::new(0) };
}

fn note(i: usize) -> usize {
    NOTED.with(|noted| noted.set(noted.get() + i + 1));
    i + 1
}

fn noted() -> usize {
    NOTED.with(|noted| noted.replace(0))
}

#[jacobian]
mod grid {
    const N: usize = 3;
    const ORDER: [usize; 3] = [2, 0, 1];

    fn at(i: usize, j: usize) -> usize {
        let row = i * N;
        row + j
    }

    fn packed(i: usize, j: usize) -> usize {
        let (a, b) = if i < j { (j, i) } else { (i, j) };
        debug_assert!(a < N);
        a * (a + 1) / 2 + b
    }

    fn wrapped(i: i32) -> usize {
        assert!(i > -4, "{i} is too small");
        i.rem_euclid(N as i32) as usize
    }

    fn factorial(n: usize) -> usize {
        if n == 0 { 1 } else { n * factorial(n - 1) }
    }

    fn sum_to(n: usize) -> usize {
        let mut sum = 0;
        for k in 0..n {
            sum += ORDER[k];
        }
        sum
    }

    fn is_inner(i: usize) -> bool {
        matches!(i, 1..N)
    }

    pub struct Grid;

    impl Grid {
        fn next(i: usize) -> usize {
            (i + 1) % N
        }
    }

    /// The length of what it takes is written where it is called.
    fn log_sum<const K: usize>(v: [f64; K]) -> f64 {
        v.iter().map(|x| x.exp()).sum::<f64>().ln()
    }

    #[jacobian]
    pub fn summed(x: [f64; 3]) -> f64 {
        log_sum::<3>(std::array::from_fn(|i| x[i] * 2.0)) * log_sum::<N>(std::array::from_fn(|i| x[i] * x[0]))
    }

    #[jacobian]
    pub fn determinant(m: [f64; 9]) -> f64 {
        let mut sum = 0.0;
        for j in 0..N {
            let (k, l) = (Grid::next(j), Grid::next(Grid::next(j)));
            sum += m[at(0, j)] * (m[at(1, k)] * m[at(2, l)] - m[at(1, l)] * m[at(2, k)]);
        }
        sum
    }

    #[jacobian]
    pub fn form(s: [f64; 6], x: [f64; 3]) -> f64 {
        let twice = |k: usize| k * 2;
        let mut sum = s[twice(1)] * s[factorial(2)] + s[sum_to(2)];
        for i in 0..N {
            for j in 0..N {
                sum += s[packed(i, j)] * x[i] * x[j];
            }
            if is_inner(i) {
                sum += x[wrapped(i as i32 - 4)] * x[i];
            }
        }
        sum
    }
}

#[jacobian]
mod compartments {
    use std::ops::{Index, IndexMut};

    #[derive(Clone, Copy, PartialEq)]
    pub enum Compartment {
        Susceptible,
        Infected,
        Recovered,
    }

    impl Compartment {
        pub const ALL: [Compartment; 3] = [Compartment::Susceptible, Compartment::Infected, Compartment::Recovered];

        fn index(self) -> usize {
            self as usize
        }

        fn next(&self) -> Compartment {
            use Compartment::*;
            match *self {
                Susceptible => Infected,
                Infected | Recovered => Recovered,
            }
        }
    }

    /// None of them is copied.
    enum Column {
        First,
        Second = 4,
        Third,
    }

    const LAST: usize = Column::Third as usize;

    #[derive(Clone, Copy)]
    pub struct State([f64; 3]);

    impl Index<Compartment> for State {
        type Output = f64;
        fn index(&self, c: Compartment) -> &f64 {
            &self.0[c as usize]
        }
    }

    impl IndexMut<Compartment> for State {
        fn index_mut(&mut self, c: Compartment) -> &mut f64 {
            &mut self.0[c as usize]
        }
    }

    #[jacobian]
    pub fn rates(y: [f64; 3], beta: f64, gamma: f64) -> [f64; 3] {
        use Compartment::*;
        let y = State(y);
        let mut d = State([0.0; 3]);
        let infection = beta * y[Susceptible] * y[Infected];
        d[Susceptible] -= infection;
        d[Infected] += infection - gamma * y[Infected];
        d[Recovered] += gamma * y[Infected];
        d.0
    }

    #[jacobian]
    pub fn moved(y: [f64; 3], rate: f64) -> f64 {
        let mut sum = 0.0;
        for c in Compartment::ALL {
            if c != c.next() {
                sum += (y[c.index()] - y[c.next().index()]) * rate;
            }
        }
        sum
    }

    #[jacobian]
    pub fn columns(x: [f64; 6]) -> f64 {
        use Column::{First, Second as Other};
        x[First as usize] * x[LAST] + x[Other as usize] * x[First as usize + 1] + Column::Third as i32 as f64
    }
}

#[jacobian]
mod effects {
    use super::note;

    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            note(10);
        }
    }

    fn stated(i: usize) -> usize {
        note(i);
        i
    }
    fn dropped(i: usize) -> usize {
        let _ = note(i);
        i
    }
    fn tested(i: usize) -> usize {
        if note(i) > 100 { i } else { 0 }
    }
    fn in_an_arm(i: usize) -> usize {
        match i {
            0 => {
                note(i);
                1
            }
            _ => 0,
        }
    }
    fn guarded(i: usize) -> usize {
        let _guard = Guard;
        i
    }
    fn in_a_tuple(i: usize) -> usize {
        (Guard, i).1
    }
    fn for_each(i: usize) -> usize {
        (0..2).map(|j| note(j) - j - 1).sum::<usize>() + i
    }
    fn asserted(i: usize) -> usize {
        assert!(note(i) > 0);
        i
    }

    #[jacobian]
    pub fn all(x: [f64; 2]) -> f64 {
        let first = x[stated(0)] * x[dropped(1)] + x[tested(1)] * x[in_an_arm(0)];
        first + x[guarded(0)] * x[for_each(1)] + x[asserted(1)] * x[in_a_tuple(0)] + x[(Guard, 1).1]
    }
}

#[jacobian]
mod panicking {
    fn before(i: usize) -> usize {
        i - 1
    }
    fn limited(i: usize) -> usize {
        assert!(i < 2, "{i} is too large");
        i
    }
    fn endless(i: usize) -> usize {
        if i > 100_000 { 0 } else { endless(i + 1) }
    }

    #[jacobian]
    pub fn underflows(x: [f64; 2]) -> f64 {
        x[before(0)]
    }
    #[jacobian]
    pub fn fails(x: [f64; 2]) -> f64 {
        x[limited(2)]
    }
    #[jacobian]
    pub fn takes_long(x: [f64; 2]) -> f64 {
        x[endless(99_990)]
    }
}

#[test]
fn indices_by_functions() {
    use grid::*;
    differences(summed, summed_jac, [0.5, 0.2, -0.4]);
    differences(determinant, determinant_jac, [0.5, 0.2, -0.4, 0.7, 1.1, 0.3, -0.6, 0.8, 0.9]);
    differences(
        |[a, b, c, d, e, f, x, y, z]| form([a, b, c, d, e, f], [x, y, z]),
        |[a, b, c, d, e, f, x, y, z]| form_jac([a, b, c, d, e, f], [x, y, z]),
        [0.5, 0.2, -0.4, 0.7, 1.1, 0.3, -0.6, 0.8, 0.9],
    );
}

#[test]
fn indices_by_enums() {
    use compartments::*;
    let at = [0.9, 0.2, 0.1, 0.4, 0.3];
    let (value, jacobian) = rates_jac([0.9, 0.2, 0.1], 0.4, 0.3);
    assert_eq!(value, rates([0.9, 0.2, 0.1], 0.4, 0.3));
    for (row, own) in jacobian.iter().enumerate() {
        differences(
            |[s, i, r, b, g]| rates([s, i, r], b, g)[row],
            |[s, i, r, b, g]| (rates([s, i, r], b, g)[row], *own),
            at,
        );
    }
    differences(|[s, i, r, k]| moved([s, i, r], k), |[s, i, r, k]| moved_jac([s, i, r], k), [0.9, 0.2, 0.1, 0.4]);
    differences(columns, columns_jac, [0.5, 0.2, -0.4, 0.7, 1.1, 0.3]);
}

#[test]
fn what_else_they_do_stays() {
    let x = [0.5, 0.25];
    noted();
    let value = effects::all(x);
    let expected = noted();
    assert_eq!((effects::all_jac(x).0, noted()), (value, expected));
    differences(effects::all, effects::all_jac, x);
}

#[test]
fn panics_stay() {
    use panicking::*;
    let x = [0.5, 0.25];
    assert_eq!(panic_of(|| underflows(x)), panic_of(|| underflows_jac(x)));
    assert_eq!(panic_of(|| fails(x)), panic_of(|| fails_jac(x)));
    assert_eq!(takes_long_jac(x), (x[0], [1.0, 0.0]));
}
