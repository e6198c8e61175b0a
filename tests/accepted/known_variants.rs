//! Variants and constants of the module that are known when a function is expanded: they decide branches there.

use jacobian::jacobian;

use crate::differences;

#[jacobian]
mod arms {
    use self::Side::*;

    #[derive(Clone, Copy, PartialEq, Debug)]
    pub enum Act {
        Relu,
        Tanh,
        Id,
    }

    #[derive(Clone, Copy, PartialEq)]
    pub enum Side {
        Left,
        Right,
    }

    #[derive(Clone, Copy)]
    pub enum Loss {
        Plain,
        Huber(f64),
    }

    impl Loss {
        fn rho(&self, s: f64) -> f64 {
            match *self {
                Loss::Plain => s,
                Loss::Huber(k) if s < k * k => s,
                Loss::Huber(k) => 2.0 * k * s.sqrt() - k * k,
            }
        }
    }

    impl Act {
        const DEFAULT: Act = Act::Tanh;

        fn at(self, x: f64) -> f64 {
            match self {
                Self::Relu => x.max(0.0),
                Self::Tanh => x.tanh(),
                Self::Id => x,
            }
        }

        fn behind(&self, x: f64) -> f64 {
            if let Self::Relu | Self::Tanh = self { x * x } else { x }
        }

        fn next(self) -> Self {
            match self {
                Act::Relu => Act::Tanh,
                Act::Tanh => Act::Id,
                other => other,
            }
        }

        fn flip(&mut self) {
            *self = self.next();
        }

        // Called like a method of numbers.
        fn abs(&mut self) -> f64 {
            *self = Act::Id;
            2.0
        }
    }

    impl Side {
        fn sign(self) -> f64 {
            match self {
                Left => 1.0,
                Right => -1.0,
            }
        }
    }

    impl std::ops::Not for Side {
        type Output = Side;

        fn not(self) -> Side {
            match self {
                Left => Right,
                Right => Left,
            }
        }
    }

    impl std::ops::Mul<f64> for Side {
        type Output = f64;

        fn mul(self, x: f64) -> f64 {
            if self == Side::Left { x } else { -x * x }
        }
    }

    const ACTS: [Act; 3] = [Act::Relu, Act::Tanh, Act::Id];

    #[jacobian]
    pub fn given(x: f64, y: f64) -> f64 {
        Act::DEFAULT.at(x) * ACTS[2].behind(y)
            + ACTS.iter().map(|act| act.at(x * y)).sum::<f64>()
            + Loss::Plain.rho(x * y)
    }

    #[jacobian]
    pub fn compared(x: f64, y: f64) -> f64 {
        let mut sum = x;
        for act in [Act::Relu, Act::Tanh, Act::Id] {
            if act == Act::Id || act != Act::Tanh {
                continue;
            }
            sum *= act.at(y);
        }
        assert_eq!(Act::DEFAULT, Act::Tanh);
        sum * if matches!(ACTS[0], Act::Id) { x } else { y } + (Act::Id as i32) as f64 * x
    }

    #[jacobian]
    pub fn changed(x: f64, y: f64, n: usize) -> f64 {
        let mut act = Act::Relu;
        for _ in 0..n {
            act = act.next();
        }
        let mut other = Act::Relu;
        if n > 2 {
            other.flip();
        }
        let mut last = Act::Relu;
        let twice = last.abs();
        act.at(x) * other.at(y) + last.at(x * y) * twice
    }

    #[jacobian]
    pub fn stepped(x: f64, y: f64, n: usize) -> f64 {
        let (mut act, mut sum, mut i) = (Act::Relu, x, 0);
        while i < n {
            match act {
                Act::Relu => {
                    sum *= y;
                    act = Act::Id;
                }
                Act::Id => {
                    sum += x;
                    act = Act::Tanh;
                }
                Act::Tanh => break,
            }
            i += 1;
        }
        sum
    }

    #[jacobian]
    pub fn chosen(x: f64, y: f64, n: usize) -> f64 {
        let act = if n == 1 { Act::Relu } else { Act::Tanh };
        let active = if x > y { Act::Relu } else { Act::Tanh };
        let mut acts = [Act::Relu; 3];
        acts[n % 3] = Act::Tanh;
        acts[0] = Act::Id;
        let sum = acts[n % 3].at(x) * acts[1].at(y) + ACTS[n % 3].at(x);
        sum + active.at(x * y) + if act == Act::Relu { x * y } else { act.at(x) }
    }

    #[jacobian]
    pub fn imported(x: f64, y: f64) -> f64 {
        let side = Left;
        let matched = match (Right, Act::Id) {
            (Left, _) => x,
            (Right, Act::Tanh) => y,
            (side, act) => side.sign() * act.at(x * y),
        };
        let guarded = match !side {
            Left => x,
            Right if x > 0.1 => x * y,
            Right => y,
        };
        side * x * (!side).sign() + !side * y + Right * x + matched + guarded
    }

    #[jacobian]
    pub fn with_data(x: f64, y: f64) -> f64 {
        Loss::Huber(0.5).rho(y) + Loss::Huber(2.0).rho(x)
    }
}

#[jacobian]
mod links {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Kind {
        Turning,
        Sliding,
        Fixed,
    }

    #[derive(Clone, Copy)]
    pub struct Link {
        pub kind: Kind,
        pub a: f64,
        pub offset: [f64; 2],
        pub degree: usize,
        pub is_flipped: bool,
    }

    impl Link {
        fn at(&self, q: f64) -> f64 {
            match self.kind {
                Kind::Turning => self.a * q.sin() + self.offset[0],
                Kind::Sliding => q * self.offset[1],
                Kind::Fixed => self.a,
            }
        }

        fn polynomial(self, q: f64) -> f64 {
            let mut sum = self.a;
            for _ in 0..self.degree {
                sum = sum * q + 1.0;
            }
            if self.is_flipped { -sum } else { sum }
        }
    }

    const LINKS: [Link; 3] = [
        Link { kind: Kind::Turning, a: 0.5, offset: [0.0, 1.0], degree: 2, is_flipped: false },
        Link { kind: Kind::Sliding, a: 1.5, offset: [0.5, 0.0], degree: 3, is_flipped: true },
        LAST,
    ];
    const LAST: Link = Link { kind: Kind::Fixed, a: 2.5, offset: [0.5, 0.25], degree: 1, is_flipped: true };
    const PAIRS: [(Kind, f64); 2] = [(Kind::Turning, 0.5), (Kind::Fixed, 1.5)];

    #[jacobian]
    pub fn each(x: f64, y: f64) -> f64 {
        let mut sum = LINKS.iter().map(|link| link.at(x * y)).sum::<f64>() + LAST.at(x) + LINKS[1].polynomial(y);
        for link in &LINKS {
            if link.kind == Kind::Fixed {
                continue;
            }
            sum += link.polynomial(y) * link.offset[0];
        }
        for (kind, factor) in PAIRS {
            sum *= match kind {
                Kind::Turning => factor * y,
                _ => factor,
            };
        }
        sum
    }

    #[jacobian]
    pub fn in_windows(x: f64, y: f64) -> f64 {
        let pairs = LINKS[1..].iter().zip(&PAIRS);
        let sum: f64 =
            pairs.map(|(link, (kind, c))| if *kind == Kind::Turning { link.at(x * c) } else { link.a }).sum();
        LINKS.windows(2).map(|w| w[0].at(x) * w[1].at(y)).sum::<f64>() * sum
    }

    #[jacobian]
    pub fn taken_apart(x: f64, y: f64) -> f64 {
        let Link { kind, a, .. } = LINKS[0];
        let turned = if kind == Kind::Turning { a * x * x } else { x };
        turned
            + match LINKS[1] {
                Link { kind: Kind::Turning, .. } => x,
                Link { kind: Kind::Sliding, a, .. } => a * x * y,
                _ => y,
            }
            + match &LINKS[2] {
                Link { a, .. } if *a > 3.0 => x,
                Link { kind: Kind::Fixed, a, .. } => a * y * y,
                _ => y,
            }
    }

    #[jacobian]
    pub fn changed(x: f64, y: f64, n: usize) -> f64 {
        let mut link = LINKS[0];
        link.kind = Kind::Sliding;
        link.a = x;
        let at = link.at(y);
        link.degree += 1;
        let mut links = LINKS;
        links[n % 3].kind = Kind::Fixed;
        at * link.polynomial(y) + links[0].at(x) * y + links[1].at(x) + LINKS[n % 3].at(x)
    }

    #[jacobian]
    pub fn of_function(x: f64, y: f64) -> f64 {
        const OWN: [(Kind, usize); 2] = [(Kind::Sliding, 2), (Kind::Turning, 1)];
        let mut sum = 1.0;
        for &(kind, n) in OWN.iter() {
            for i in 0..n {
                sum += if kind == Kind::Turning { x } else { y * x } * (i + 1) as f64;
            }
        }
        sum
    }
}

#[jacobian]
mod updated {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Mode {
        Linear,
        Square,
    }

    #[derive(Clone, Copy)]
    pub struct Part {
        pub mode: Mode,
        pub weight: f64,
    }

    impl Mode {
        fn at(self, x: f64) -> f64 {
            match self {
                Mode::Linear => x,
                Mode::Square => x * x,
            }
        }
    }

    impl std::ops::AddAssign<usize> for Mode {
        fn add_assign(&mut self, n: usize) {
            *self = if n > 0 { Mode::Square } else { Mode::Linear };
        }
    }

    // Another one than that of `+=`.
    impl std::ops::Add<usize> for Mode {
        type Output = Mode;

        fn add(self, _: usize) -> Mode {
            Mode::Linear
        }
    }

    #[jacobian(wrt(x))]
    pub fn in_place(x: f64, n: usize) -> f64 {
        let mut mode = Mode::Linear;
        mode += n;
        let mut pair = (Mode::Linear, 2.0);
        pair.0 += n;
        let mut modes = [Mode::Linear, Mode::Square];
        modes[n % 2] += n;
        let mut part = Part { mode: Mode::Linear, weight: x };
        part.mode += n;
        let mut other = Mode::Linear;
        if n > 1 {
            other += n;
        }
        for i in 0..n {
            other += i;
        }
        let sum = mode.at(x) + pair.0.at(x) * pair.1 + modes[0].at(x) + part.mode.at(x) * part.weight;
        sum + (other + n).at(x) + other.at(x)
    }
}

#[jacobian]
mod modes {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Mode {
        On,
        Off,
    }

    #[derive(Clone, Copy)]
    pub struct Count {
        pub n: usize,
        pub i: i32,
        pub a: f64,
    }

    pub const MODE: Mode = Mode::Off;
    const MODES: [Mode; 2] = [Mode::Off, Mode::On];
    const COUNTS: [Count; 2] = [Count { n: 0, i: i32::MIN, a: 1.0 }, Count { n: 2, i: 3, a: 2.0 }];

    #[jacobian]
    pub fn fails(x: f64) -> Result<f64, String> {
        if MODE == Mode::Off {
            return Err("off".to_string());
        }
        Ok(x * x)
    }

    #[jacobian]
    pub fn panics(x: f64) -> f64 {
        match MODE {
            Mode::On => x,
            Mode::Off => panic!("off"),
        }
    }

    fn first(x: f64) -> Option<f64> {
        if MODES[0] == Mode::Off {
            return Some(x);
        }
        None
    }

    #[jacobian]
    pub fn of_first(x: f64) -> Option<f64> {
        Some(first(x)? * x)
    }

    #[jacobian(wrt(x))]
    pub fn counted(x: f64, n: usize) -> f64 {
        let mut sum = x;
        for count in &COUNTS {
            if n > 100 {
                sum += (count.n - 1) as f64 * count.a + (-count.i) as f64 + (10 / count.n) as f64;
            }
            sum *= count.a * x;
        }
        sum
    }
}

#[test]
fn constants_that_decide_too_much() {
    use modes::*;
    assert_eq!(fails_jac(2.0).map(|(value, _)| value), fails(2.0));
    assert_eq!(of_first_jac(2.0), Some((4.0, [4.0])));
    differences(|[x]| counted(x, 3), |[x]| counted_jac(x, 3), [0.7]);
    assert_eq!(crate::panics::panic_of(|| panics(1.0)), crate::panics::panic_of(|| panics_jac(1.0)));
    assert!(MODE != Mode::On);
}

#[test]
fn operators_that_assign() {
    for n in 0..4 {
        differences(|[x]| updated::in_place(x, n), |[x]| updated::in_place_jac(x, n), [0.7]);
    }
}

#[test]
fn variants_decide() {
    use arms::*;
    let at = [0.7, 0.4];
    differences(|[x, y]| given(x, y), |[x, y]| given_jac(x, y), at);
    differences(|[x, y]| compared(x, y), |[x, y]| compared_jac(x, y), at);
    differences(|[x, y]| imported(x, y), |[x, y]| imported_jac(x, y), at);
    differences(|[x, y]| with_data(x, y), |[x, y]| with_data_jac(x, y), at);
    for n in 0..4 {
        differences(|[x, y]| changed(x, y, n), |[x, y]| changed_jac(x, y, n), at);
        differences(|[x, y]| stepped(x, y, n), |[x, y]| stepped_jac(x, y, n), at);
        differences(|[x, y]| chosen(x, y, n), |[x, y]| chosen_jac(x, y, n), at);
    }
}

#[test]
fn parts_of_constants_decide() {
    use links::*;
    let at = [0.7, 0.4];
    differences(|[x, y]| each(x, y), |[x, y]| each_jac(x, y), at);
    differences(|[x, y]| in_windows(x, y), |[x, y]| in_windows_jac(x, y), at);
    differences(|[x, y]| taken_apart(x, y), |[x, y]| taken_apart_jac(x, y), at);
    differences(|[x, y]| of_function(x, y), |[x, y]| of_function_jac(x, y), at);
    for n in 0..4 {
        differences(|[x, y]| changed(x, y, n), |[x, y]| changed_jac(x, y, n), at);
    }
}
