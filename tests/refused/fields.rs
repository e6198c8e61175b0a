//! Fields by which a function is differentiated: what could hide one of them, and what is no field of floats.

use jacobian::jacobian;

#[derive(Clone, Copy)]
struct Params {
    k: f64,
    gains: [f64; 3],
    n: usize,
}

impl Params {
    fn energy(&self) -> f64 {
        self.k * self.n as f64
    }

    #[jacobian(wrt(self.k))]
    fn method(&self, x: f64) -> f64 {
        self.k * self.energy() * x
    }

    #[jacobian(wrt(self.k))]
    fn mutable(mut self, x: f64) -> f64 {
        self.k * x
    }
}

fn energy(p: &Params) -> f64 {
    p.k
}

#[jacobian(wrt(p.k))]
fn method(p: &Params) -> f64 {
    p.k * p.energy()
}

#[jacobian(wrt(p.k))]
fn function(p: &Params) -> f64 {
    p.k * energy(p)
}

#[jacobian(wrt(p.k))]
fn copy(p: &Params) -> f64 {
    let q = p.clone();
    p.k * q.k
}

#[jacobian(wrt(p.k))]
fn kept(p: &Params, data: &[f64]) -> f64 {
    let mut sum = 0.0;
    for d in data {
        sum += d * p.energy();
    }
    p.k * sum
}

#[jacobian(wrt(p.k))]
fn kept_field(p: &Params, data: &[f64]) -> f64 {
    let sum = data.iter().map(|d| d * p.k).sum::<f64>();
    p.k * sum
}

#[jacobian(wrt(p.k))]
fn literal(p: Params) -> f64 {
    let q = Params { n: 2, ..p };
    q.k * p.k
}

#[jacobian(wrt(p.k))]
fn part(p: Params) -> f64 {
    let (q, x) = (p, p.k);
    q.k * x
}

#[jacobian(wrt(p.k))]
fn changed_copy(p: Params) -> f64 {
    let mut q = p;
    q.n = 3;
    q.k * p.n as f64
}

#[jacobian(wrt(p.k))]
fn changed(p: &mut Params) -> f64 {
    p.n += 1;
    p.k
}

#[jacobian(wrt(p.k))]
fn changed_value(mut p: Params) -> f64 {
    p.n += 1;
    p.k
}

#[jacobian(wrt(p))]
fn whole(p: &Params) -> f64 {
    p.k
}

#[jacobian(wrt(p.k, p.gains: [f64; 3], p.k))]
fn twice(p: &Params) -> f64 {
    p.k
}

#[jacobian(wrt(p.n: usize))]
fn no_floats(p: &Params) -> f64 {
    p.n as f64
}

#[jacobian(wrt(q.k))]
fn no_parameter(p: &Params) -> f64 {
    p.k
}

#[jacobian(wrt(p.k))]
fn pattern(Params { k, .. }: &Params) -> f64 {
    *k
}

#[jacobian(wrt(p.gains[0]))]
fn element(p: &Params) -> f64 {
    p.gains[0]
}

#[jacobian(wrt(p.k, p.gains: [f32; 3]))]
fn mixed(p: &Params) -> f64 {
    p.k
}

#[jacobian(wrt(p.k))]
fn matched(p: &Params) -> f64 {
    match p {
        Params { k, n: 3, .. } => k * 2.0,
        Params { k, .. } => *k,
    }
}

#[jacobian(wrt(p.k))]
fn conditional(p: &Params) -> f64 {
    if let Params { k, n: 3, .. } = p { k * p.k } else { p.k }
}

#[jacobian(wrt(p.k))]
fn in_a_closure(p: &Params, x: f64) -> f64 {
    let with = |q: &Params| q.k * x;
    p.k * with(p) * [p][0].k
}

macro_rules! energy_of {
    ($p:expr) => {
        $p.k * 2.0
    };
}

#[jacobian(wrt(p.k))]
fn in_a_macro(p: &Params) -> f64 {
    p.k * energy_of!(p)
}

fn main() {}
