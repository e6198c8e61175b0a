//! Methods and operators of structs whose meaning a macro does not see, and what is not done with them.

#[jacobian::jacobian]
mod structs {
    use core::ops::{Add, Index, IndexMut, Mul, Neg};

    #[derive(Clone, Copy)]
    pub struct State {
        x: f64,
        v: f64,
    }

    #[jacobian]
    fn no_such_operator(s: State, t: State) -> State {
        s - t
    }

    #[jacobian]
    fn no_such_method(s: State) -> f64 {
        s.norm()
    }

    #[jacobian]
    fn no_such_function(x: f64) -> f64 {
        State::new(x).x
    }

    impl State {
        #[cfg(debug_assertions)]
        fn energy(&self) -> f64 {
            self.x
        }

        #[cfg(not(debug_assertions))]
        fn energy(&self) -> f64 {
            self.v
        }

        fn boxed(self: Box<Self>) -> f64 {
            self.x
        }

        fn with_items(&self) -> f64 {
            struct Local(f64);
            impl Local {
                fn of(x: f64) -> Self {
                    Self(x)
                }
            }
            Local::of(self.x).0
        }

        fn kick(&mut self, by: f64) -> &mut Self {
            self.v += by;
            self
        }

        fn fails(&self) -> f64 {
            self.x.hypot(self.v).to_bits() as f64
        }

        fn recursive(&self) -> f64 {
            if self.x > 0.0 { State { x: self.x - 1.0, ..*self }.recursive() } else { self.v }
        }
    }

    #[jacobian]
    fn under_cfg(s: State) -> f64 {
        s.energy()
    }

    #[jacobian]
    fn in_a_box(s: State) -> f64 {
        Box::new(s).boxed()
    }

    #[jacobian]
    fn items_inside(s: State) -> f64 {
        s.with_items()
    }

    #[jacobian]
    fn chained(s: State) -> f64 {
        let mut s = s;
        s.kick(1.0).kick(2.0);
        s.v
    }

    #[jacobian]
    fn refused_inside(s: State) -> f64 {
        s.fails()
    }

    #[jacobian]
    fn calls_itself(s: State) -> f64 {
        s.recursive()
    }

    #[cfg(debug_assertions)]
    impl Neg for State {
        type Output = State;
        fn neg(self) -> State {
            self
        }
    }

    #[jacobian]
    fn negated(s: State) -> f64 {
        (-s).x
    }

    impl<T: Into<f64>> Mul<T> for State {
        type Output = State;
        fn mul(self, by: T) -> State {
            let by = by.into();
            State { x: self.x * by, v: self.v * by }
        }
    }

    #[jacobian]
    fn generic(s: State, k: f64) -> f64 {
        (s * k).x
    }

    /// A trait of the module that is only called like an operator's.
    mod mine {
        pub trait AddAssign<T = Self> {
            fn add_assign(&mut self, by: T);
        }
    }
    use self::mine::AddAssign;

    impl AddAssign for State {
        fn add_assign(&mut self, by: State) {
            self.x += by.x;
        }
    }

    #[jacobian]
    fn another_trait(s: State, t: State) -> f64 {
        let mut s = s;
        s += t;
        s.x
    }

    impl Index<usize> for State {
        type Output = f64;
        fn index(&self, i: usize) -> &f64 {
            if i == 0 { &self.x } else { &self.v }
        }
    }

    impl IndexMut<usize> for State {
        fn index_mut(&mut self, i: usize) -> &mut f64 {
            if i == 0 { &mut self.x } else { &mut self.v }
        }
    }

    #[jacobian]
    fn assigned_by_index(s: State, k: f64, n: usize) -> f64 {
        let mut s = s;
        s[n] = k;
        s.x
    }

    pub trait First {
        fn same(&self) -> f64;
    }

    pub trait Second {
        fn same(&self) -> f64;
    }

    impl First for State {
        fn same(&self) -> f64 {
            self.x
        }
    }

    impl Second for State {
        fn same(&self) -> f64 {
            self.v
        }
    }

    #[jacobian]
    fn of_two_traits(s: State) -> f64 {
        s.same()
    }

    impl Add<[f64; 2]> for State {
        type Output = State;
        fn add(self, by: [f64; 2]) -> State {
            State { x: self.x + by[0], v: self.v + by[1] }
        }
    }

    #[jacobian]
    fn at_run_time_without_operator(all: [State; 2], k: usize) -> f64 {
        let mut all = all;
        all[k] += all[0];
        all[0].x
    }
}

fn main() {}
