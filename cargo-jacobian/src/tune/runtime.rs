//! Part of the scratch crate that `cargo jacobian tune` builds: it makes the points, and times the candidates.
//!
//! The program takes the number of rounds, the number of random points, a seed, and perhaps a file of points. It prints
//! `points` with how many there are, how many were left out as the function is not finite there and as it panics, and
//! the range of what had none; `differs K` for a variant whose results are not those of the first; and for every round
//! `round` with the nanoseconds that a call of each variant took.

use std::fmt::Debug;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// Where the floats of a point come from.
pub struct Source {
    /// The words of a line, backwards.
    words: Option<Vec<String>>,
    state: u64,
    range: (f64, f64),
    /// The range of parameters that have none of their own.
    usual: (f64, f64),
}

/// The ranges that are tried for parameters that have none, until the function is finite at enough points.
const USUAL: [(f64, f64); 4] = [(-2.0, 2.0), (0.1, 2.0), (0.0, 1.0), (1.0, 10.0)];

impl Source {
    /// Numbers between zero and one, the same for the same seed.
    pub fn random(seed: u64) -> Self {
        Source { words: None, state: seed ^ 0x9e37_79b9_7f4a_7c15, range: (0.0, 1.0), usual: USUAL[0] }
    }

    /// The numbers of a line: blanks and commas are between them, a slice is in brackets.
    pub fn line(text: &str) -> Self {
        let spaced = text.replace('[', " [ ").replace(']', " ] ").replace([',', '(', ')'], " ");
        let words = spaced.split_whitespace().rev().map(str::to_string).collect();
        Source { words: Some(words), ..Source::random(0) }
    }

    /// What follows is in this range.
    pub fn between(&mut self, range: Option<(f64, f64)>) {
        self.range = range.unwrap_or(self.usual);
    }

    /// A number that is equally likely everywhere from zero to one.
    fn uniform(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as f64 / (1u64 << 53) as f64
    }

    fn word(&mut self) -> Result<Option<String>, String> {
        match &mut self.words {
            None => Ok(None),
            Some(words) => words.pop().map(Some).ok_or_else(|| "there are too few numbers".to_string()),
        }
    }

    fn number<T: std::str::FromStr>(&mut self, random: fn(f64) -> T) -> Result<T, String> {
        match self.word()? {
            None => {
                let (low, high) = self.range;
                Ok(random(low + (high - low) * self.uniform()))
            }
            Some(word) => word.parse().map_err(|_| format!("`{word}` is not what is expected here")),
        }
    }

    /// Takes a bracket, if it is the next word.
    fn has(&mut self, bracket: &str) -> bool {
        let Some(words) = &mut self.words else { return false };
        let is_next = words.last().is_some_and(|word| word == bracket);
        if is_next {
            words.pop();
        }
        is_next
    }

    fn end(&self) -> Result<(), String> {
        match self.words.as_ref().and_then(|words| words.last()) {
            Some(word) => Err(format!("nothing is expected after the last parameter, found `{word}`")),
            None => Ok(()),
        }
    }
}

/// What can be made of numbers.
pub trait Fill: Sized {
    /// A value.
    fn fill(source: &mut Source) -> Result<Self, String>;
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Fill for $number {
            fn fill(source: &mut Source) -> Result<Self, String> {
                source.number(|number| number as $number)
            }
        })*
    };
}
numbers!(f64 f32 u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl Fill for bool {
    fn fill(source: &mut Source) -> Result<Self, String> {
        source.between(Some((0.0, 1.0)));
        source.number(|number| number < 0.5)
    }
}

impl<T: Fill, const N: usize> Fill for [T; N] {
    fn fill(source: &mut Source) -> Result<Self, String> {
        let is_open = source.has("[");
        let elements: Vec<_> = (0..N).map(|_| T::fill(source)).collect::<Result<_, _>>()?;
        if is_open && !source.has("]") {
            return Err(format!("expected `]` after {N} elements"));
        }
        elements.try_into().map_err(|_| unreachable!())
    }
}

/// What a slice refers to.
impl<T: Fill> Fill for Vec<T> {
    fn fill(source: &mut Source) -> Result<Self, String> {
        if !source.has("[") {
            return Err("expected `[`, where a slice begins".to_string());
        }
        let mut elements = Vec::new();
        while !source.has("]") {
            elements.push(T::fill(source)?);
        }
        Ok(elements)
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {
        $(impl<$($name: Fill),*> Fill for ($($name,)*) {
            fn fill(source: &mut Source) -> Result<Self, String> {
                Ok(($($name::fill(source)?,)*))
            }
        })*
    };
}
tuples!(A; A B; A B C; A B C D; A B C D E; A B C D E F;);

/// All numbers of a result.
pub fn numbers(result: &dyn Debug) -> Vec<f64> {
    let text = format!("{result:?}");
    let is_of_number = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '-' | '+');
    text.split(|letter| !is_of_number(letter)).filter_map(|word| word.parse().ok()).collect()
}

/// A candidate, called in one way.
pub struct Variant<'a> {
    /// Calls it at all points, this many times.
    pub time: Box<dyn FnMut(usize) + 'a>,
    /// Its results at a point.
    pub results: Box<dyn FnMut(usize) -> Vec<f64> + 'a>,
}

/// What was asked for.
pub struct Asked {
    rounds: usize,
    count: usize,
    seed: u64,
    file: Option<String>,
}

/// Reads the arguments of the program.
pub fn asked() -> Asked {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let number = |index: usize| words[index].parse::<u64>().expect("a number");
    Asked { rounds: number(0) as usize, count: number(1) as usize, seed: number(2), file: words.get(3).cloned() }
}

/// The points at which the function, of which `value` are the results, is finite.
pub fn points<P>(
    asked: &Asked,
    filled: &dyn Fn(&mut Source) -> Result<P, String>,
    value: &dyn Fn(&P) -> Vec<f64>,
) -> Vec<P> {
    std::panic::set_hook(Box::new(|_| {}));
    let (mut points, mut left_out, mut panics) = (Vec::new(), 0, 0);
    let mut usual = USUAL[0];
    let mut check = |point: P, points: &mut Vec<P>| match catch_unwind(AssertUnwindSafe(|| value(&point))) {
        Ok(numbers) if numbers.iter().all(|number| number.is_finite()) => points.push(point),
        Ok(_) => left_out += 1,
        Err(_) => panics += 1,
    };
    match &asked.file {
        Some(file) => {
            let text = std::fs::read_to_string(file).unwrap_or_else(|error| refused(&format!("{file}: {error}")));
            for (index, line) in text.lines().enumerate() {
                let line = line.split('#').next().unwrap_or_default().trim();
                if line.is_empty() {
                    continue;
                }
                let mut source = Source::line(line);
                match filled(&mut source).and_then(|point| source.end().map(|()| point)) {
                    Ok(point) => check(point, &mut points),
                    Err(why) => refused(&format!("{file}:{}: {why}", index + 1)),
                }
            }
        }
        None => {
            for range in USUAL {
                let mut source = Source { usual: range, ..Source::random(1) };
                usual = range;
                for _ in 0..20 * asked.count {
                    if points.len() < asked.count {
                        let point = filled(&mut source).unwrap_or_else(|why| refused(&why));
                        check(point, &mut points);
                    }
                }
                if points.len() == asked.count {
                    break;
                }
            }
            // Half of them in one range are better than nothing.
        }
    }
    let _ = std::panic::take_hook();
    println!("points {} {left_out} {panics} {} {}", points.len(), usual.0, usual.1);
    if points.is_empty() {
        refused("the function is finite at none of the points: name better ones by --points, or ranges by --range");
    }
    points
}

/// Ends the program.
fn refused(why: &str) -> ! {
    println!("refused {why}");
    std::process::exit(0)
}

/// The least time of a measurement, in nanoseconds.
const BATCH: f64 = 200_000.0;

/// Compares the variants with the first one at all points, and times them.
pub fn run(asked: &Asked, points: usize, mut variants: Vec<Variant<'_>>) {
    for point in 0..points {
        let first = (variants[0].results)(point);
        let largest = first.iter().fold(0.0_f64, |largest, number| largest.max(number.abs()));
        for (index, variant) in variants.iter_mut().enumerate().skip(1) {
            let others = (variant.results)(point);
            let is_near = |(one, other): (&f64, &f64)| {
                (one - other).abs() <= 1e-3 * one.abs().max(1e-3 * largest)
                    || one.to_bits() == other.to_bits()
                    || !one.is_finite()
                    || !other.is_finite()
            };
            if first.len() != others.len() || !first.iter().zip(&others).all(is_near) {
                println!("differs {index}");
            }
        }
    }
    let mut passes = 1;
    loop {
        let time = timed(&mut variants[0], passes);
        if time >= BATCH || passes > 1 << 24 {
            break;
        }
        passes *= 2;
    }
    let mut order: Vec<_> = (0..variants.len()).collect();
    let mut source = Source::random(asked.seed);
    for _ in 0..asked.rounds {
        // All take turns, every time in another order.
        for last in (1..order.len()).rev() {
            order.swap(last, (source.uniform() * (last + 1) as f64) as usize);
        }
        let mut times = vec![0.0; variants.len()];
        for &index in &order {
            times[index] = timed(&mut variants[index], passes) / (passes * points) as f64;
        }
        let times: Vec<_> = times.iter().map(f64::to_string).collect();
        println!("round {}", times.join(" "));
    }
}

fn timed(variant: &mut Variant<'_>, passes: usize) -> f64 {
    let start = Instant::now();
    (variant.time)(black_box(passes));
    start.elapsed().as_nanos() as f64
}
