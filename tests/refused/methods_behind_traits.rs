//! A struct that is known by its traits only: its own methods are not seen there, and would be taken for those.

#[jacobian::jacobian]
mod m {
    #[derive(Clone, Copy, Debug, PartialEq, Default)]
    pub struct State { pub x: f64, pub v: f64 }
    impl State { fn norm(&self) -> f64 { self.x * 100.0 } }
    pub trait Norm { fn norm(&self) -> f64; fn only(&self) -> f64; fn bad(&self) -> f64 { self.norm() } }
    impl Norm for State { fn norm(&self) -> f64 { self.v } fn only(&self) -> f64 { self.x * self.v } }
    fn of_bound<T: Norm>(t: &T) -> f64 { t.norm() }
    fn of_impl(t: &impl Norm) -> f64 { t.norm() }
    fn of_dyn(t: &dyn Norm) -> f64 { t.norm() }
    fn made(x: f64) -> impl Norm { State { x, v: x } }
    #[jacobian]
    pub fn a(s: State) -> f64 { of_bound(&s) }
    #[jacobian]
    pub fn b(s: State) -> f64 { of_impl(&s) }
    #[jacobian]
    pub fn c(s: State) -> f64 { of_dyn(&s) }
    #[jacobian]
    pub fn d(x: f64) -> f64 { made(x).norm() }
    #[jacobian]
    pub fn e(s: State) -> f64 { let n: &dyn Norm = &s; n.norm() }
    #[jacobian]
    pub fn f(s: State) -> f64 { s.bad() }
    #[jacobian]
    pub fn g(s: State) -> f64 { let f = |n: &dyn Norm| n.norm(); f(&s) }
    #[jacobian]
    pub fn h(s: State) -> f64 { let all: [&dyn Norm; 2] = [&s, &s]; all[0].norm() }
    #[jacobian]
    pub fn i(s: State) -> f64 { let all: (&dyn Norm, f64) = (&s, 1.0); all.0.norm() }
    #[jacobian]
    pub fn j(s: State) -> f64 { let all = [&s as &dyn Norm, &s]; all[0].norm() }
    #[jacobian]
    pub fn k(s: State) -> f64 { let n: Box<dyn Norm> = Box::new(s); n.norm() }
    fn pair(s: &State) -> (&dyn Norm, f64) { (s, 1.0) }
    #[jacobian]
    pub fn l(s: State) -> f64 { pair(&s).0.norm() }
    fn slice(all: &[&dyn Norm]) -> f64 { all[0].norm() }
    #[jacobian]
    pub fn o(s: State) -> f64 { slice(&[&s]) }
}
fn main() {}
