//! What a newcomer writes with structs of the module, and what is said of it.

#[jacobian::jacobian]
mod robots {
    #[derive(Clone, Copy, PartialEq)]
    pub struct State {
        pub x: f64,
        pub v: f64,
    }

    #[derive(Clone, Copy)]
    pub struct Pair<T> {
        pub a: T,
        pub b: T,
    }

    #[derive(Clone, Copy)]
    pub struct Many<const N: usize> {
        pub x: [f64; N],
    }

    pub struct Named {
        pub k: f64,
        pub name: String,
    }

    pub struct Counted {
        pub x: f64,
        pub n: usize,
    }

    pub enum Law {
        Linear(f64),
        Cubic { k: f64 },
    }

    #[jacobian]
    pub fn no_instance(x: f64) -> f64 {
        let p = Pair { a: x, b: 2.0 * x };
        p.a * p.b
    }

    #[jacobian]
    pub fn other_instance(p: Many<3>) -> f64 {
        let q = Many { x: [p.x[0], 1.0] };
        q.x[1] * q.x[0]
    }

    #[jacobian]
    pub fn with_a_text(p: &Named) -> f64 {
        p.k
    }

    #[jacobian]
    pub fn text_in_the_result(x: f64) -> Result<Named, String> {
        Ok(Named { k: x, name: String::new() })
    }

    #[jacobian]
    pub fn enum_parameter(law: Law) -> f64 {
        match law {
            Law::Linear(k) => k,
            Law::Cubic { k } => k * k,
        }
    }

    #[jacobian]
    pub fn enum_result(x: f64) -> Law {
        Law::Linear(x)
    }

    #[jacobian]
    pub fn enum_value(x: f64) -> f64 {
        let law = Law::Linear(x);
        match law {
            Law::Linear(k) => k,
            Law::Cubic { k } => k * k,
        }
    }

    #[jacobian]
    pub fn compared(s: State, t: State) -> f64 {
        if s == t { s.x } else { t.x }
    }

    #[jacobian]
    pub fn integers_in_the_result(s: State) -> (State, usize) {
        (s, 2)
    }

    #[jacobian(wrt(s))]
    pub fn counted(s: Counted) -> Counted {
        s
    }

    #[jacobian]
    pub fn in_a_slice(all: &[State]) -> f64 {
        all[0].x
    }

    #[jacobian]
    pub fn in_a_box(s: Box<State>) -> f64 {
        s.x
    }

    #[jacobian]
    pub fn no_such_function(s: State) -> f64 {
        State::energy(&s)
    }

    fn kick(s: &mut State) {
        s.v += s.x;
    }

    impl State {
        fn kick(&mut self, by: f64) {
            self.v += by;
        }

        #[jacobian]
        pub fn nothing_active(&self) -> f64 {
            self.x
        }
    }

    #[jacobian]
    pub fn index_with_effects(all: [State; 2], h: f64, next: &dyn Fn() -> usize) -> f64 {
        let mut all = all;
        all[next()].kick(h);
        all[0].v
    }

    #[jacobian]
    pub fn index_changed_by_the_argument(all: [State; 2], h: f64, k: usize) -> f64 {
        let (mut all, mut k) = (all, k);
        all[k % 2].kick({
            k += 1;
            h
        });
        all[0].v
    }

    #[jacobian]
    pub fn a_text(s: State) -> String {
        format!("{}", s.x)
    }

    pub trait Rooted {
        fn sqrt(self) -> f64;
    }

    impl Rooted for f64 {
        fn sqrt(self) -> f64 {
            self * self
        }
    }

    #[jacobian]
    pub fn a_field_that_is_not_there(s: State) -> f64 {
        s.w
    }

    fn rooted<T: Rooted>(x: T) -> f64 {
        x.sqrt()
    }

    #[jacobian]
    pub fn a_method_that_floats_have_too(x: f64) -> f64 {
        rooted(x)
    }
}

fn main() {}
