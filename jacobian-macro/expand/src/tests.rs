//! The expansion as a plain function: on more than 100,000 arbitrary and mutated inputs it neither panics nor overflows
//! the stack that rustc gives it, and what it makes of an item that can be parsed can be parsed; for valid functions,
//! the generated code has no path into this crate, no `unsafe` and no `allow`.
//!
//! The inputs are the same every time. `JACOBIAN_MUTANTS=5000000 cargo test -p jacobian-expand mutants` runs more of
//! them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use jacobian_core::catalogue::CATALOGUE;
use jacobian_lower::read::guard;
use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};
use syn::Item;

use crate::expand;

/// Inputs of the test, unless the environment asks for another number.
const MUTANTS: usize = 40_000;

/// The stack of a thread of rustc.
const STACK: usize = 8 << 20;

/// Valid options and functions, which together use all that is supported.
const CORPUS: &[(&str, &str)] = &[
    ("strategy = \"reverse\"", "fn polar(r: f64, t: f64) -> [f64; 2] { [r * t.cos(), r * t.sin()] }"),
    ("strategy = \"edge: markowitz\", linearize = \"statement\"", "pub fn one(x: f64) -> f64 { x }"),
    (
        "into, name = \"g\"",
        "fn f(x: &[f64; 9], value: f64, y: &mut f64) -> ([f64; 9], [[f64; 1]; 2]) { *y = value; (x.map(|x| x * x), [[x[0]], [1.0]]) }",
    ),
    (
        "strategy = \"vertex: pre > markowitz > reverse\"",
        "fn f(x: f32, y: f32) -> f32 { let a = x + y; a * a / y % 2.0 }",
    ),
    ("wrt(x), name = \"g\"", "fn f(x: [f64; 3], s: f64, n: i32) -> f64 { s * x[0] - x[1].powi(n) * x[2] }"),
    ("strategy = \"face: absorb\"", "fn f(&[a, b]: &[f64; 2]) -> (f64, [f64; 1]) { (-a, [b.powf(a).max(0.5)]) }"),
    ("strategy = \"search\", steps = 5", "fn f(&self, x: f64) -> f64 { self.scale * x + self.offset[0] }"),
    (
        "strategy = \"reverse\"",
        "fn f(x: f64) -> f64 { const K: f64 = 2.5; const N: usize = 1; let a = [K, x]; a[N] * a[N - 1] }",
    ),
    ("", "fn f(x: f64) -> f64 { let mut y = x; y += 1.0; { y *= x; let y = 0.0; y; } return y.exp(); }"),
    (
        "linearize = \"statement\", strategy = \"path: cliques\"",
        "fn f(m: [[f64; 2]; 2]) -> f64 { let [[a, b], [c, d]] = m; a * d - b * c }",
    ),
    ("", "fn f<'a, T: Copy>(x: &'a f64, t: T) -> f64 where T: Into<f64> { let s: f64 = t.into(); s * *x }"),
    (
        "",
        "fn f(x: f64, y: f64) -> (f64, f64) { let (mut a, mut b) = (x, y); (a, b) = (b, a); (a, _) = (a * b, 0); (a, b) }",
    ),
    ("", "fn f(x: f64) -> [f64; 3] { let mut r = [0.0; 3]; r[0] = x; r[1] = r[0] * x; [r[2], _, _] = r; r }"),
    (
        "strategy = \"optimal\"",
        "fn f(x: f64) -> f64 { let [first, rest @ ..] = [x, 2.0 * x, x - 1.0]; first * rest[1] }",
    ),
    (
        "",
        "#[cfg(all())] #[inline] pub(crate) fn f(r#type: f64) -> f64 { f64::hypot(r#type, <f64>::atan2(1.0, r#type)) }",
    ),
    ("", "fn f(x: core::primitive::f64, p: &Params) -> f64 { let Params { a, b: (c, _), .. } = *p; a * x + c as f64 }"),
    ("", "fn f(x: f64, k: usize) -> f64 { let z; z = { let t = x.abs(); t.sqrt() }; z * (k as f64 / 3.0) }"),
    ("", "fn f(x: f64) -> f64 { use core::f64::consts::PI; let (s, c) = x.sin_cos(); (s, (c, PI)).1.0 * s }"),
    ("", "const fn f(x: f64) -> f64 { (x as f64) * -x - 1e-3 }"),
    ("", "fn f(x: f64) -> f64 { libm::sin(x) + libm::pow(x, 2.0) }"),
    ("", "fn f(x: f32) -> f32 { libm::sinf(x).clamp(-0.5, 0.5).copysign(x).mul_add(x, 1f32) }"),
    (
        "strategy = \"reverse\"",
        "fn f(x: [f64; 6], y: f64) -> f64 { const N: usize = 4; let mut s = 0.0; for i in 0..N { s += x[i] * y; } for i in \
         (0..=N).rev().step_by(2) { s = s * x[i] - i as f64; } for k in -2..3 { s += y.powi(k) * k as f64; } s }",
    ),
    (
        "strategy = \"forward\"",
        "fn f(a: [[f64; 2]; 2], b: &[[f64; 2]; 2]) -> [[f64; 2]; 2] { let mut c = [[0.0; 2]; 2]; for i in 0..2 { for j in \
         0..2 { for k in 0..2 { c[i][j] += a[i][k] * b[k][j]; } } } c }",
    ),
    (
        "",
        "fn f(x: [f64; 3], y: &[f64; 3]) -> f64 { let mut m = [x, *y]; for v in m[0].iter_mut() { *v *= 2.0; } for row in &mut m \
         { row[0] -= row[1]; row.swap(1, 2); } for (a, b) in m[1].iter_mut().zip(&x) { *a += b; } m[0][1..].fill(y[0]); \
         m[1].iter().zip(m[0]).map(|(a, b)| a * b).sum() }",
    ),
    (
        "strategy = \"forward\", pack = \"always\"",
        "fn f(x: [f64; 3], k: f64) -> [f64; 2] { let s = x[0] * x[1] * k; if s > 0.0 { [s * x[2], s * s] } else { [-s, x[0] - s * k] } }",
    ),
    (
        "strategy = \"markowitz\"",
        "fn f(x: [f64; 4]) -> f64 { let mut s = x[0]; 'rows: for i in 0..4 { for (j, v) in x.iter().enumerate() { if j > i { \
         continue 'rows; } if i == 3 && j != 1 || i < j { break 'rows; } s += v * s; } if s_is(i) as u8 as usize + 1 > 9 {} \
         s *= match i { 0 => 2.0, 1 | 2 => x[1], k @ 3..=9 if k % 2 == 1 => k as f64, _ => return s }; } 'a: { break 'a s } }",
    ),
    (
        "",
        "fn f(x: [f64; 3], n: usize) -> [f64; 3] { let k = 2.0; let f = |a: f64, b| a * b + k; let g = move |v: f64| { let w = v \
         * k; f(w, v) }; let mut t = 0.0; x.iter().for_each(|v| t += v); let a: [f64; 3] = core::array::from_fn(|i| g(x[i]) + \
         n as f64); a.map(|v| v - t) }",
    ),
    (
        "linearize = \"statement\", schedule = \"pressure\"",
        "fn f(x: [f64; 5]) -> f64 { let w = [1, -2, 3]; let h = x.iter().rev().fold(0.0, |a, c| a * x[1] + c); let p = \
         x.windows(2).map(|w| w[0] * w[1]).product::<f64>(); (0..3).flat_map(|i| (0..2).map(move |j| (i, j))).filter(|(i, j)| i \
         != j).map(|(i, j)| x[i + j] * w[i] as f64).chain(x.iter().copied().skip(1).take(2).step_by(2)).sum::<f64>() * h + p + \
         x.chunks_exact(2).flatten().cloned().map(f64::sin).fold(f64::NEG_INFINITY, f64::max) }",
    ),
    (
        "",
        "fn f(x: f64, p: &Params) -> f64 { const T: [[i32; 2]; 2] = [[1, -1], [2, 1 << 4]]; const ON: bool = !false && 1 < 2; \
         let (mut s, mut k) = (x, 0_usize); for row in &T { for &v in row { if ON ^ (v < 0) { s += p.w[k] * v as f64; } k += \
         v.rem_euclid(3) as usize; } k = k.pow(2).min(7) >> 1; } let q = &T[1..]; s * (q.len() + k) as f64 * f64::from(T[1][1]) }",
    ),
    (
        "wrt(x)",
        "fn f(x: f64, w: &[f64; 3], list: &[f64], n: usize) -> f64 { let t: f64 = w.iter().sum(); let m = \
         list[..n].iter().copied().fold(0.0, f64::max); let mut c = *w; for v in &mut c[1..] { *v += m; } for v in w { log(v); } \
         let (a, b) = w.split_at(1); let all = (0..3).all(|i| i < 3); if all { x * t * c[n] + a[0] * b[1] } else { x } }",
    ),
    ("", "fn f(x: f64, b: bool) -> f64 { let s = b as u8 as f64; let t = &x; s * t.clone() + (*t).rem_euclid(2.0) }"),
    (
        "",
        "fn f(x: f64, y: f64, b: bool) -> f64 { let mut r = x; if x < y && !(b || y >= 1.0) { r *= y; } else if b { r = -y } \
         r + if r.is_nan() { 0.0 } else { let s = r * r; s } }",
    ),
    (
        "strategy = \"edge: markowitz > reverse\"",
        "fn f(x: [f64; 2], k: usize) -> [f64; 2] { let (a, c); match k { 0 => { a = x[0]; c = [x[1]; 1] } \
         1 | 2 if k > 1 => { a = 1.0; c = [x[0] * x[1]] } n @ 3..=9 => { a = x[1].powi(n as i32); c = [a] } \
         _ => { (a, c) = (0.0, [x[0]]) } } [a, c[0]] }",
    ),
    (
        "wrt(x)",
        "fn f(x: f64, g: Option<(f64, f64)>) -> f64 { let mut k = 1; let y = if let Some((a, _)) = g { k = 2; a * x } else { x }; \
         y.powi(k) }",
    ),
    (
        "with(g, m::h: fn(&[f64; 2], usize) -> [f64; 2] = m::dh)",
        "fn f(x: f64) -> f64 { let a: f64 = g(x, 2.0); let [b, c] = m::h(&[x, a], 3); if a > b { g(b, c) } else { c } }",
    ),
    (
        "",
        "fn f<T: Float>(x: &[T; 3], k: T) -> [T; 2] { let c = T::from(2.0).unwrap(); [T::exp2(x[0]) * c, Float::sqrt(x[1]) / k] }",
    ),
    (
        "strategy = \"forward\"",
        "fn f<T>(x: T, n: i32) -> T where T: RealField + Copy { let c: T = nalgebra::convert(0.5); <T as ComplexField>::powi(x, n) * c }",
    ),
    (
        "",
        "fn f<T: Copy + From<f64> + Number>(x: T, y: &mut [T; 2]) { *y = [x * x, Number::cbrt(x)]; y[0] = y[1] / x.asinh(); }",
    ),
    (
        "wrt(x)",
        "fn f(x: f64, list: &mut Vec<f64>, y: &mut [f64; 2], z: &mut f64) -> f64 { *z = x; *y = [list[0], *z]; y[0] += x; y[1] }",
    ),
    (
        "",
        "fn f(v: &na::Vector3<f64>, m: Matrix2x3<f64>, y: &mut Vector2<f64>) -> Point2<f64> { *y = m * v * 2.0; y.x += v.norm(); Point2::from(-*y + m * v) }",
    ),
    (
        "",
        "fn f(p: Point3<f64>, q: &SVector<f64, 3>, a: [f64; 2]) -> (SMatrix<f64, 2, 2>, f64) { let v: Vector2<f64> = a.into(); let w = Vector2::new(p.x, (p.coords - q)[1]); (Matrix2::from_columns(&[v, w / a[0]]).transpose(), v.dot(&w)) }",
    ),
    (
        "",
        "fn f(x: f64, n: usize, t: &[f64; 2]) -> f64 { assert!(n > 0, \"{n} {0:>1$}\", n, 3); let k = n - 1; debug_assert_eq!(k, n - 1,); let v: Vector2<f64> = *t; v[0] * x * TABLE[k] }",
    ),
];

/// Valid options and modules.
const MODULES: &[(&str, &str)] = &[(
    "strategy = \"forward\"",
    "mod m { fn g(x: f64, [a, b]: [f64; 2]) -> f64 { let y = x * a; if y > 0.0 { y * b } else { b } } \
         #[jacobian(strategy = \"reverse\")] pub fn f(x: f64) -> f64 { g(x, [x, 2.0]) + self::g(2.0 * x, [1.0, x]) } }",
)];

/// Every keyword, operator and kind of literal, and words that mean something to the expansion.
const WORDS: &str = "as async await box break const continue crate dyn else enum extern false fn for gen if impl in let \
    loop macro match mod move mut pub ref return self Self static struct super trait true try type union unsafe use \
    where while yield abstract become do final macro_rules override priv raw typeof unsized virtual safe default auto \
    f64 f32 f16 f128 i32 usize u8 bool str r#fn r#type r#let r#f64 _ __ x a b v0 v1 x_jac jacobian core std libm main \
    'a 'static '_ 'x' b'x' \"\" \"text\" b\"bytes\" c\"c\" r#\"raw\"# \"vertex:reverse\" \"auto\" \"g\" \"r#fn\" \"9\" \
    0 1 2 0x10 0b1 0o7 1_000 340282366920938463463374607431768211455 340282366920938463463374607431768211456 \
    99999999999999999999999999999999999999999999999 1e999 1e-999 0.0 1.5 2. 1f64 1f32 1.0f32 2usize 3i32 1u8 1e5 \
    4294967296 18446744073709551615 1000000 100001 1.0e400f64 \
    + - * / % ^ ! & | && || << >> += -= *= /= %= ^= &= |= <<= >>= = == != > < >= <= @ . .. ... ..= , ; : :: -> => # $ ? ~ \
    () [] {} (x) [x] {x} (,) [0;3] {;} (0..3) [f64;2] &mut &x *x -x !x ..x x? x.0 x[0] #[a] #![a] #[cfg(all())] x! \
    strategy wrt name into len clone sin_cos to_bits wrt(x) wrt(x,) strategy=\"forward\" &[f64] Vec<f64> <f64> ::<f64> |x| \
    'a: 'b: {break} {continue} i i+1 (i,j) 9999999999 1<<200 0..9999999999 -1 255u8 .iter() .rev() .sum() .map(|v|v) \
    .enumerate() .zip(x) .step_by(2) .skip(1) .iter_mut() .fold(x,|a,b|a*b) |i|i |(a,b)|a move~|v|v f(x) [i] [..i] 0..i \
    for~i~in~0..4{} for~_~in~0..9999999999{} for~v~in~&mut~x{} if~i==1{continue} if~true{}else{} if~i>2{break} usize::MAX \
    /**/ x..=y 'a:loop{} if~x{}else{} match~x{} for~x~in~y{} while~x{} let~x~=~y; let~(a,~b)~=~x; const~K:f64=1.0; \
    x~=~y; x+=1.0; fn~g(){} struct~S; return~x; break; \
    T T::zero() <T:Float> where~T:Float Vector3 Vector3<f64> SMatrix<f64,2,3> Point2<T> Matrix2::new(a,b,x,x) x.x m.m12 m[(0,1)] \
    x.norm() x.dot(&x) Vector3::from(x) x.into() .coords &mut[f64;2] *y=[a,b]; y[0]=x; assert!(x) debug_assert_eq!(a,b,\"{x}\"); ";

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

/// Tokens that can be changed.
#[derive(Clone)]
enum Node {
    Token(TokenTree),
    Group(Delimiter, Vec<Node>),
}

const DELIMITERS: [Delimiter; 4] = [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];

fn nodes(tokens: TokenStream) -> Vec<Node> {
    let node = |token| match token {
        TokenTree::Group(group) => Node::Group(group.delimiter(), nodes(group.stream())),
        token => Node::Token(token),
    };
    tokens.into_iter().map(node).collect()
}

fn tokens(nodes: &[Node]) -> TokenStream {
    let token = |node: &Node| match node {
        Node::Token(token) => token.clone(),
        Node::Group(delimiter, inner) => Group::new(*delimiter, tokens(inner)).into(),
    };
    nodes.iter().map(token).collect()
}

fn parsed(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|_| panic!("these are no tokens: {text}"))
}

/// Makes inputs of the corpus.
struct Mutator {
    corpus: Vec<[Vec<Node>; 2]>,
    words: Vec<Vec<Node>>,
}

impl Mutator {
    fn new() -> Self {
        let names = CATALOGUE.iter().flat_map(|row| [Some(row.name), row.libm]).flatten();
        let words = WORDS.split_whitespace().chain(names).map(|word| nodes(parsed(&word.replace('~', " "))));
        let corpus =
            CORPUS.iter().chain(MODULES).map(|(options, item)| [options, item].map(|text| nodes(parsed(text))));
        Mutator { corpus: corpus.collect(), words: words.collect() }
    }

    /// Options and an item: most often those of the corpus after a few changes.
    fn input(&self, random: &mut Random) -> [TokenStream; 2] {
        if random.below(20) == 0 {
            return [4, 40].map(|length| tokens(&self.arbitrary(random, length, 3)));
        }
        let [mut options, mut item] = self.corpus[random.below(self.corpus.len())].clone();
        for _ in 0..1 + random.below(3) {
            if random.below(8) == 0 {
                self.change(random, &mut options);
            } else {
                self.change(random, &mut item);
            }
        }
        [options, item].map(|nodes| tokens(&nodes))
    }

    fn word(&self, random: &mut Random) -> Vec<Node> {
        self.words[random.below(self.words.len())].clone()
    }

    fn arbitrary(&self, random: &mut Random, length: usize, depth: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..random.below(length) {
            if depth > 0 && random.below(6) == 0 {
                let inner = self.arbitrary(random, length / 2 + 1, depth - 1);
                nodes.push(Node::Group(DELIMITERS[random.below(4)], inner));
            } else {
                nodes.extend(self.word(random));
            }
        }
        nodes
    }

    /// Changes something somewhere in `nodes`.
    fn change(&self, random: &mut Random, nodes: &mut Vec<Node>) {
        let groups: Vec<_> = (0..nodes.len()).filter(|&at| matches!(nodes[at], Node::Group(..))).collect();
        if !groups.is_empty() && random.below(4) != 0 {
            let Node::Group(_, inner) = &mut nodes[groups[random.below(groups.len())]] else { return };
            return self.change(random, inner);
        }
        let at = random.below(nodes.len() + 1);
        let end = (at + 1 + random.below(3)).min(nodes.len());
        match random.below(12) {
            0 => drop(nodes.drain(at..end)),
            1 => drop(nodes.splice(at..at, nodes[at..end].to_vec())),
            2 if at < nodes.len() => {
                let other = random.below(nodes.len());
                nodes.swap(at, other);
            }
            3 | 4 => drop(nodes.splice(at..at, self.word(random))),
            5 => drop(nodes.splice(at..end.min(at + 1), self.word(random))),
            6 | 7 => self.replace(random, nodes, at),
            8 => drop(nodes.splice(at..at, self.part_of_another(random))),
            9 => {
                let inner = nodes.drain(at..end).collect();
                nodes.insert(at, Node::Group(DELIMITERS[random.below(4)], inner));
            }
            10 => self.regroup(random, nodes, at),
            _ => self.repeat(random, nodes, at, end),
        }
    }

    /// Replaces a token by one of its kind: such functions can often be parsed.
    fn replace(&self, random: &mut Random, nodes: &mut [Node], at: usize) {
        let kind = |node: &Node| match node {
            Node::Token(token) => std::mem::discriminant(token),
            Node::Group(..) => {
                std::mem::discriminant(&TokenTree::Group(Group::new(Delimiter::None, TokenStream::new())))
            }
        };
        let Some(old) = nodes.get_mut(at) else { return };
        let word = (0..20).map(|_| self.word(random)).find(|word| word.len() == 1 && kind(&word[0]) == kind(old));
        if let Some(word) = word {
            *old = word[0].clone();
        }
    }

    fn part_of_another(&self, random: &mut Random) -> Vec<Node> {
        let mut part = self.corpus[random.below(self.corpus.len())][1].clone();
        while let Some(Node::Group(_, inner)) = part.iter().rev().find(|node| matches!(node, Node::Group(..))) {
            if random.below(3) == 0 {
                break;
            }
            part = inner.clone();
        }
        let start = random.below(part.len() + 1);
        let end = (start + random.below(12)).min(part.len());
        part[start..end].to_vec()
    }

    /// Removes the brackets of a group, or replaces them; sets a punctuation mark apart, or joins it to the next.
    fn regroup(&self, random: &mut Random, nodes: &mut Vec<Node>, at: usize) {
        match nodes.get(at).cloned() {
            Some(Node::Group(_, inner)) if random.below(2) == 0 => drop(nodes.splice(at..=at, inner)),
            Some(Node::Group(_, inner)) => nodes[at] = Node::Group(DELIMITERS[random.below(4)], inner),
            Some(Node::Token(TokenTree::Punct(punct))) => {
                let spacing = [Spacing::Alone, Spacing::Joint][random.below(2)];
                nodes[at] = Node::Token(Punct::new(punct.as_char(), spacing).into());
            }
            _ => {}
        }
    }

    /// Repeats a part many times, or nests it in many brackets. Most are few, for the sake of time.
    fn repeat(&self, random: &mut Random, nodes: &mut Vec<Node>, at: usize, end: usize) {
        let times = if random.below(40) == 0 { 100 + random.below(200) } else { 2 + random.below(6) };
        let part: Vec<Node> = nodes.drain(at..end).collect();
        if random.below(3) == 0 {
            let delimiter = DELIMITERS[random.below(4)];
            let nested = (0..times).fold(part, |inner, _| vec![Node::Group(delimiter, inner)]);
            nodes.splice(at..at, nested);
        } else {
            let length = part.len() * times;
            nodes.splice(at..at, part.into_iter().cycle().take(length));
        }
    }
}

/// Whether an input is a function or a module. Panics if something goes wrong with it.
fn examine(options: &TokenStream, item: &TokenStream) -> bool {
    let Ok(expanded) = catch_unwind(AssertUnwindSafe(|| expand(options.clone(), item.clone()))) else {
        panic!("the expansion panics: #[jacobian({options})] {item}");
    };
    // Deeper syntax overflows the stack in the parser itself.
    if guard::too_deep(item).is_some() {
        return false;
    }
    let Ok(file) = syn::parse2::<syn::File>(item.clone()) else { return false };
    if let Err(error) = syn::parse2::<syn::File>(expanded.clone()) {
        panic!("the expansion cannot be parsed: {error}: #[jacobian({options})] {item}\n{expanded}");
    }
    matches!(file.items[..], [Item::Fn(_) | Item::Mod(_)])
}

fn mutants() -> usize {
    std::env::var("JACOBIAN_MUTANTS").ok().and_then(|number| number.parse().ok()).unwrap_or(MUTANTS)
}

#[test]
fn mutants_are_expanded_or_refused() {
    let (next, parsed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (next, parsed, total) = (&next, &parsed, mutants());
    let work = move || {
        let mutator = Mutator::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= total {
                break;
            }
            let [options, item] = mutator.input(&mut Random((seed as u64) << 20));
            parsed.fetch_add(usize::from(examine(&options, &item)), Ordering::Relaxed);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let builder = std::thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, work).expect("a thread can be started");
        }
    });
    let parsed = parsed.load(Ordering::Relaxed);
    println!("{total} inputs, {parsed} of them functions");
    assert!(parsed * 5 > total, "too many inputs are no functions: the expansion is hardly tested");
}

#[test]
fn arrays_of_billions_are_refused_at_once() {
    for item in [
        "fn f(x: &[f64; 40_000_000_000]) -> f64 { x[0] }",
        "fn f(x: &[UnitQuaternion<f64>; 40_000_000_000]) -> f64 { x[0].i }",
        "fn f(x: f64) -> [[f64; 2]; 40_000_000_000] { [[x; 2]; 40_000_000_000] }",
    ] {
        assert!(expand(parsed(""), parsed(item)).to_string().contains("compile_error"), "{item}");
    }
}

/// What is generated for an input: the items after the function itself.
fn generated(options: &str, item: &str) -> Vec<Item> {
    let expanded = expand(parsed(options), parsed(item));
    assert!(expanded.to_string().contains(&parsed(item).to_string()), "the function is not as it was: {item}");
    syn::parse2::<syn::File>(expanded).expect("the expansion can be parsed").items.split_off(1)
}

/// The identifiers in `tokens`.
fn words(tokens: TokenStream) -> Vec<String> {
    let word = |token| match token {
        TokenTree::Ident(ident) => vec![ident.to_string()],
        TokenTree::Group(group) => words(group.stream()),
        _ => Vec::new(),
    };
    tokens.into_iter().flat_map(word).collect()
}

#[test]
fn what_is_generated_stands_by_itself() {
    for (options, item) in CORPUS {
        let generated = generated(options, item);
        assert_eq!(generated.len(), 1 + usize::from(options.contains("into")), "{item}");
        check_words(quote::quote!(#(#generated)*), item);
    }
}

/// There is no path into this crate, no `unsafe` and no `allow`, but for what says that the user's function is used.
fn check_words(generated: TokenStream, item: &str) {
    assert!(!generated.to_string().contains("jacobian ::"), "a path into the crate in what is generated for {item}");
    let words = words(generated);
    for word in ["jacobian_core", "jacobian_macro", "compile_error", "unsafe", "allow"] {
        assert!(!words.iter().any(|other| other == word), "`{word}` in what is generated for {item}");
    }
}

#[test]
fn what_is_generated_in_a_module_stands_by_itself() {
    for (options, item) in MODULES {
        let expanded = expand(parsed(options), parsed(item));
        assert!(words(expanded.clone()).iter().any(|word| word == "f_jac"), "{item}");
        let used = " # [allow (dead_code)]";
        check_words(parsed(&expanded.to_string().replace(used, "")), item);
    }
}

#[test]
fn every_error_leaves_the_function_and_a_stub() {
    for (options, item) in [("strategy = \"none\"", CORPUS[0].1), ("", "fn f(x: f64) -> f64 { unsafe { x } }")] {
        let generated = generated(options, item);
        let words = words(quote::quote!(#(#generated)*));
        assert!(words.iter().any(|word| word == "compile_error") && words.iter().any(|word| word == "unreachable"));
    }
}

/// Whether a loop can be unrolled is tried before it is, and errors of the trial are dropped.
#[test]
fn a_constant_that_is_refused_where_a_loop_is_tried_is_refused() {
    let function =
        "fn f(x: f64) -> f64 { const T: [f64; 2] = [1.0, two!()]; let mut s = x; for t in &T { s *= t; } s }";
    assert!(expand(TokenStream::new(), parsed(function)).to_string().contains("a macro in a constant"));
}

/// What would be written out, at a few lines a statement, would be a hundred thousand lines.
#[test]
fn short_loops_of_long_functions_stay_loops() {
    let function = |trips: usize| {
        format!(
            "fn f(p: [f64; 4]) -> [f64; 4] {{ let mut x = [1.0; 4]; for _ in 0..{trips} {{ let mut r = [0.0; 4]; \
             for i in 0..4 {{ for j in 0..4 {{ for k in 0..4 {{ r[i] += p[(i + j) % 4] * x[k] * x[j]; \
             if r[i] > x[k] {{ r[i] -= x[j] * p[k]; r[k] += x[i]; }} }} }} }} \
             for i in 0..4 {{ x[i] = (x[i] + r[i]).sin(); }} }} x }}"
        )
    };
    let lets = |trips| {
        words(expand(TokenStream::new(), parsed(&function(trips)))).iter().filter(|word| *word == "let").count()
    };
    let (few, many) = (lets(8), lets(20));
    assert!(few < 2 * many, "{few} statements for 8 iterations, {many} for 20");
}

/// Of four calls of itself at a depth that is not known, all ways to the bottom would be 4^16.
#[test]
fn a_helper_that_calls_itself_often_is_expanded_at_once() {
    let helper = "fn g(x: f64, n: i32) -> f64 { if n == 0 { return x; } \
         let (a, b) = (g(x, n - 1), g(x * 0.5, n - 1)); a.sin() * g(b, n - 1) + g(x - 1.0, n - 1) }";
    let known = expand(
        TokenStream::new(),
        parsed(&format!("mod m {{ {helper} #[jacobian] pub fn f(x: f64) -> f64 {{ g(x, 2) }} }}")),
    );
    assert!(!known.to_string().contains("compile_error"), "{known}");
    let unknown = expand(
        TokenStream::new(),
        parsed(&format!("mod m {{ {helper} #[jacobian] pub fn f(x: f64, n: i32) -> f64 {{ g(x, n) }} }}")),
    );
    assert!(unknown.to_string().contains("`g` calls itself here, more than"), "{unknown}");
}

#[test]
fn a_function_of_very_many_passive_statements_is_refused() {
    let function =
        |count: usize| format!("fn f(x: f64, m: M) -> f64 {{ {} x * m.value }}", "let m = m.next();".repeat(count));
    let is_refused = |count| expand(TokenStream::new(), parsed(&function(count))).to_string().contains("compile_error");
    assert!(!is_refused(900));
    assert!(is_refused(1_100));
}

#[test]
fn the_documentation_names_the_schedule_that_was_chosen() {
    let ordered = |options: &str, item: &str| {
        let generated = expand(parsed(options), parsed(item)).to_string();
        generated.split_once("its statements ordered by `").map(|(_, rest)| rest.split('`').next().map(str::to_string))
    };
    let (with_call, without) = ("fn f(x: f64) -> f64 { x.sqrt().exp() }", "fn f(x: f64) -> f64 { 1.0 / x.sqrt() }");
    assert_eq!(ordered("", with_call), Some(Some("latency".into())));
    assert_eq!(ordered("schedule = \"source\"", with_call), None);
    assert_eq!(ordered("", without), None);
    assert_eq!(ordered("schedule = \"list\"", without), Some(Some("list(a = 1, b = 1)".into())));
}

/// The order that the documentation of the Jacobian has, in quotes.
fn documented_order(options: &str, item: &str) -> Option<String> {
    let generated = expand(parsed(options), parsed(item)).to_string();
    generated.split_once("in the order `").and_then(|(_, rest)| rest.split('`').next().map(str::to_string))
}

#[test]
fn the_documentation_has_the_order_which_can_be_given() {
    let item = "fn f(x: f64, y: f64) -> f64 { let root = (x * x + y).sqrt(); let s = root.sin(); s * root + s * y }";
    let code = |options: &str| {
        let items = generated(options, item);
        let is_documentation = |attribute: &syn::Attribute| attribute.path().is_ident("doc");
        items
            .into_iter()
            .map(|item| match item {
                Item::Fn(mut function) => {
                    function.attrs.retain(|attribute| !is_documentation(attribute));
                    quote::quote!(#function).to_string()
                }
                item => quote::quote!(#item).to_string(),
            })
            .collect::<String>()
    };
    for strategy in ["forward", "reverse", "markowitz", "edge: forward", "face: reverse", "path: forward", "auto"] {
        let options = format!("strategy = \"{strategy}\"");
        let order = documented_order(&options, item).unwrap_or_else(|| panic!("no order by `{strategy}`"));
        assert_eq!(code(&format!("strategy = \"{order}\"")), code(&options), "{order}");
    }
    let expanded = expand(parsed("strategy = \"forward\""), parsed(item)).to_string();
    assert!(expanded.contains("in the order `vertex: order(2, 3, 4, 5, 6, 7)` (4 `root`, 5 `s`)"), "{expanded}");
    assert_eq!(documented_order("strategy = \"vertex: order(7, 6, 5, 4, 3, 2)\"", item), None);
    assert_eq!(documented_order("strategy = \"paths\"", item), None);
}

#[test]
fn packed_statements_are_calls_on_arrays() {
    let function = "fn f(x: [f64; 3]) -> [f64; 2] {
        let s = x[0] * x[1] * x[2];
        let t = s * x[1] - s * x[0];
        [s * t, t - s]
    }";
    let expanded = |packing| {
        expand(parsed(&format!("strategy = \"forward\", pack = \"{packing}\"")), parsed(function)).to_string()
    };
    let packed = [
        "fn scaled_add_scaled",
        "result [lane] = p1 * x1 . 0 [lane] + p2 * x2 . 0 [lane]",
        "let ds = scaled (x [2] , & Lanes ([x [1] , x [0]])) ;",
        "let v26 = scaled_add_scaled (t , & Lanes ([ds . 0 [0] , ds . 0 [1] , v3]) , s , & dt_1) ;",
        "([v8 , v9] , [v26 . 0 , v29 . 0])",
    ];
    for text in packed {
        assert!(expanded("always").contains(text), "{}", expanded("always"));
        // The function is too small for it to pay.
        assert!(!expanded("auto").contains(text) && !expanded("never").contains(text));
    }
}

#[test]
fn the_documentation_names_the_floats_of_structs() {
    let item = "mod m {
        struct Inner { a: [f64; 2] }
        struct State { x: f64, inner: Inner }
        #[jacobian]
        fn f(s: &State, k: f64) -> State { State { x: k, inner: Inner { a: [s.x, s.inner.a[1]] } } }
    }";
    let expanded = expand(parsed(""), parsed(item)).to_string();
    for line in
        ["- 0: `s.x`", "- 2: `s.inner.a[1]`", "- 3: `k`", "- 0: `x` of the result", "- 1: `inner.a[0]` of the result"]
    {
        assert!(expanded.contains(line), "{line} is missing in {expanded}");
    }
}

#[test]
fn the_documentation_shows_where_entries_are() {
    let documented = |item: &str| expand(parsed(""), parsed(item)).to_string();
    let all = |item: &str, lines: &[&str]| {
        let text = documented(item);
        lines.iter().for_each(|line| assert!(text.contains(line), "{line} is missing in {text}"));
    };
    // Equal rows of many are one line.
    let residuals = "fn f(p: [f64; 3]) -> [f64; 50] {
        core::array::from_fn(|i| if i < 10 { p[0] * p[1] } else if i == 10 { p[2] } else { p[0].sin() * p[2] })
    }";
    all(residuals, &["\" Of 150 entries, 99", "\" **.  rows 0 to 9\"", "\" ..*  row 10\"", "\" *.*  rows 11 to 49\""]);
    let alternating = "fn f(x: [f64; 2]) -> [f64; 60] { core::array::from_fn(|i| x[i % 2] * x[i % 2]) }";
    all(alternating, &["\" *.  row 0\"", "\" .*  row 39\"", "\" ... 20 more\""]);
    let few = "fn f(x: [f64; 2]) -> [f64; 40] { core::array::from_fn(|i| x[i % 2] * x[i % 2]) }";
    assert!(!documented(few).contains("row 0") && documented(few).contains("\" .*\""), "{}", documented(few));
    let wide = "fn f(x: [f64; 41]) -> [f64; 41] { x.map(|x| x * x) }";
    assert!(documented(wide).contains("are not zero by structure.") && !documented(wide).contains("```text"));
    // What is dense says so, and what else is generated is named even if that is nothing.
    all("fn f(x: [f64; 2]) -> f64 { x[0] * x[1] }", &["All 2 entries are there", "Generated for `f`: `f_jac`."]);
}

#[test]
fn the_documentation_has_the_figures_of_long_functions() {
    let long = "fn f(x: [f64; 3]) -> f64 { let mut a = x[0]; for i in 0..100 { a = (a * x[i % 3]).sin(); } a }";
    let text = expand(parsed(""), parsed(long)).to_string();
    let line = text.split("- elimination: ").nth(1).and_then(|rest| rest.split('"').next()).expect("a line");
    assert!(line.contains(" multiplications; forward ") && line.contains(", reverse "), "{line}");
    let looped = "fn f(x: f64, n: usize) -> f64 { let mut a = x; for _ in 0..n { a = a.sin(); } a * x }";
    let text = expand(parsed(""), parsed(looped)).to_string();
    assert!(text.contains("multiplication outside of 1 loop; forward "), "{text}");
    assert!(!text.contains("no order below"), "{text}");
}

/// How many operations all functions that are generated take, as their documentation says.
fn documented_operations(item: &str) -> usize {
    let expanded = expand(parsed(""), parsed(item)).to_string();
    let mut operations = 0;
    for part in expanded.split("- with the Jacobian: ").skip(1) {
        operations += part.split(' ').next().and_then(|count| count.parse::<usize>().ok()).expect("a number");
    }
    operations
}

#[test]
fn a_call_of_a_tridiagonal_function_takes_as_many_operations_as_its_body() {
    let helper = "fn tri(u: [f64; 50]) -> [f64; 50] {
        let mut r = [0.0; 50];
        for i in 0..50 {
            let left = if i > 0 { u[i - 1] } else { 0.0 };
            let right = if i + 1 < 50 { u[i + 1] } else { 0.0 };
            r[i] = (3.0 - 2.0 * u[i]) * u[i] - left - 2.0 * right + 1.0 + 0.5 * u[i] * u[i] * u[i] * left;
        }
        r
    }";
    let (_, body) = helper.split_once("-> [f64; 50]").expect("a body");
    let products = [
        ("u: [f64; 50], v: [f64; 50]", "r.iter().zip(v).map(|(r, v)| r * v).sum()"),
        ("u: [f64; 50]", "r.iter().map(|r| r * r).sum()"),
    ];
    for (parameters, total) in products {
        let module = |helper: &str, r: &str| {
            format!(
                "mod m {{ {helper} #[jacobian] pub fn f({parameters}) -> f64 {{ let r: [f64; 50] = {r}; {total} }} }}"
            )
        };
        let called = documented_operations(&module(helper, "tri(u)"));
        let written_out = documented_operations(&module("", body));
        println!("{called} operations with the call, {written_out} without");
        assert!(called * 100 <= written_out * 105, "{called} operations with the call, {written_out} without");
    }
}
