//! Structs of a module that are not known, and what is not done with those that are.

#[jacobian::jacobian]
mod structs {
    pub struct Generic<T> {
        x: T,
    }

    #[jacobian]
    fn generic(x: f64) -> f64 {
        let s = Generic { x };
        s.x
    }

    pub struct Named {
        x: f64,
        name: String,
    }

    #[jacobian]
    fn named(x: f64) -> f64 {
        let s = Named { x, name: String::new() };
        s.x
    }

    #[jacobian]
    fn returned(x: f64) -> Named {
        Named { x, name: String::new() }
    }

    pub struct Conditional {
        x: f64,
        #[cfg(debug_assertions)]
        y: f64,
    }

    #[jacobian]
    fn conditional(x: f64) -> f64 {
        Conditional {
            x,
            #[cfg(debug_assertions)]
            y: x,
        }
        .x
    }

    #[cfg(debug_assertions)]
    pub struct Debug(f64);

    #[jacobian(wrt(d))]
    fn debug(d: Debug) -> f64 {
        d.0
    }

    pub struct Guard {
        x: f64,
    }

    impl Drop for Guard {
        fn drop(&mut self) {}
    }

    #[jacobian]
    fn dropped(x: f64) -> f64 {
        let g = Guard { x };
        g.x
    }

    pub struct Outer {
        inner: Inner,
    }

    pub struct Inner {
        list: Vec<f64>,
    }

    #[jacobian(wrt(o))]
    fn nested(o: &Outer) -> f64 {
        o.inner.list[0]
    }

    #[derive(Clone, Copy, PartialEq)]
    pub struct State {
        x: f64,
        v: f64,
    }

    #[derive(Clone, Copy)]
    pub struct Link {
        length: f64,
        joints: usize,
    }

    #[jacobian(wrt(link))]
    fn with_integers(link: Link) -> Link {
        link
    }

    #[jacobian]
    fn compared(s: State, t: State) -> f64 {
        if s == t { s.x } else { t.v }
    }

    #[jacobian]
    fn printed(s: State) -> f64 {
        assert!(s.x > 0.0, "{}", s.x);
        s.x
    }

    #[jacobian]
    fn never_assigned(s: State, out: &mut State) {
        out.x = s.v;
    }

    #[jacobian]
    fn read_first(s: State, out: &mut State) {
        out.x += s.v;
        out.v = s.x;
    }

    #[jacobian]
    fn matched(s: State) -> f64 {
        match s {
            State { x: 0.0, v } => v,
            State { x, .. } => x,
        }
    }

    #[jacobian]
    fn optional(s: Option<State>) -> f64 {
        s.map_or(0.0, |s| s.x)
    }

    #[jacobian]
    fn of_iterator(all: [State; 2]) -> f64 {
        let total: State = all.into_iter().sum();
        total.x
    }

    impl core::iter::Sum for State {
        fn sum<I: Iterator<Item = State>>(all: I) -> State {
            all.fold(State { x: 0.0, v: 0.0 }, |a, b| State { x: a.x + b.x, v: a.v + b.v })
        }
    }

    enum Mode {
        Free { x: f64 },
    }

    #[jacobian]
    fn of_enum(x: f64) -> f64 {
        let Mode::Free { x } = (Mode::Free { x });
        x
    }

    use self::other::Imported;

    mod other {
        pub struct Imported {
            pub x: f64,
        }
    }

    #[jacobian]
    fn imported(x: f64) -> f64 {
        let s = Imported { x };
        s.x
    }
}

struct Outside {
    x: f64,
}

#[jacobian::jacobian]
fn outside(x: f64) -> f64 {
    let s = Outside { x };
    s.x
}

#[jacobian::jacobian]
fn result(x: f64) -> Outside {
    Outside { x }
}

fn main() {}
