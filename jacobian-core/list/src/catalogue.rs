//! The catalogue of intrinsics: one row each, read by the front end, the linearizer, the evaluator, the emitter, the
//! tests and the documentation. To add an intrinsic is to add one row to [`CATALOGUE`]; the tests then ask for a
//! reference by its name. Tests and tools evaluate the functions, and the engine does not.
//!
//! A partial is an expression (see [`crate::expression`]) over the row's parameters and its own result `v`. It is
//! written so that it loses no accuracy near the edges of the domain: `1 / hypot(x, 1)` and not `1 / sqrt(x * x + 1)`,
//! which overflows. A partial `0` is a structural zero: it makes no edge, so no `0 * inf` can arise from it.
//!
//! A second partial is one over the first ones, `p0`, `p1`, ..., as well: that of `tanh` is `-2 * v * p0`, which takes
//! no call. It stands for its product with the adjoint of the result, and a first partial in it for the product of that
//! one with the adjoint, which is there already. So first partials are written as factors, where there is a choice.

use crate::value::Kind;

/// How an intrinsic is written in Rust.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `x + y`.
    Infix(&'static str),
    /// `-x`.
    Prefix(&'static str),
    /// `x.name(y)` or `f64::name(x, y)`.
    Call,
    /// `libm::name(x, y)`, with the name in that crate: the standard library has no such method, or no stable one.
    Libm,
    /// `name(x)`, a function that the generated code brings along: this one. Arises in partials only.
    Helper(&'static str),
    /// `if x == y { z } else { w }`, with this comparison. Arises in partials only.
    Select(&'static str),
    /// The conversion of an integer to a float. Arises in partials only.
    FloatFromInt,
    /// An integer minus one, saturating. Arises in partials only.
    Predecessor,
}

/// What an operation costs and how it is counted.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Additions and subtractions.
    Addition,
    /// Multiplications.
    Multiplication,
    /// Divisions and remainders.
    Division,
    /// Changes of sign.
    Negation,
    /// Instructions of the processor that are neither of the above: sign manipulation, comparison, selection.
    Light,
    /// Square roots.
    Root,
    /// Calls of the mathematical library.
    Call,
}

/// An intrinsic's value, for evaluation by tests and tools. Integers are passed and returned as floats, truth values as
/// 0 and 1.
#[cfg(feature = "tools")]
pub struct Evaluator {
    /// In double precision.
    pub f64: fn(&[f64]) -> f64,
    /// In single precision.
    pub f32: fn(&[f32]) -> f32,
}

/// An intrinsic: everything that the project knows about it.
pub struct Row {
    /// The name, which is the name of the method of `f64` where there is one, stable or not.
    pub name: &'static str,
    /// The name in the crate libm (for f64; f32 appends an `f`), where it exists there.
    pub libm: Option<&'static str>,
    /// The names of the parameters, receiver first.
    pub parameters: &'static [&'static str],
    /// What kind of number each parameter is.
    pub takes: &'static [Kind],
    /// What kind of number the result is.
    pub gives: Kind,
    /// The partial with respect to each parameter; 0 for one that is no float. `NAN` is one that is not known, of what
    /// arises in partials only.
    pub partials: &'static [&'static str],
    /// The second partials with respect to each pair of parameters: a lower triangle, row by row. None, if all are 0.
    /// `NAN` is one that is not known.
    pub seconds: &'static [&'static str],
    /// Expressions, written as the partials are, among whose zeros are all points where it has a kink or jumps.
    pub kinks: &'static [&'static str],
    /// How Rust writes it.
    pub spelling: Spelling,
    /// How it is counted.
    pub class: Class,
    /// When it panics; empty if it never does. Such an operation runs whether its value is used or not, and in its
    /// turn.
    pub panics: &'static str,
    /// Whether its value is finite, and grows no faster than its arguments, wherever they are finite.
    pub is_bounded: bool,
    /// Whether its partials hold for real numbers only, though complex ones may have it.
    pub is_real: bool,
    /// Whether nalgebra's `RealField` has it itself, and not the `ComplexField` that it extends.
    pub is_of_real_field: bool,
    /// The convention where the function is not differentiable, or the care that the partials take; empty if neither.
    pub convention: &'static str,
    /// Where the tests sample each parameter, both ends included.
    pub domain: &'static [(f64, f64)],
    /// The largest error of a partial that the tests allow on the domain, in units in the last place.
    pub ulps: u32,
    /// The same of a second partial.
    pub second_ulps: u32,
    /// The value.
    #[cfg(feature = "tools")]
    pub evaluate: Evaluator,
}

impl Row {
    /// The number of arguments.
    pub fn arity(&self) -> usize {
        self.parameters.len()
    }

    /// The second partial with respect to two parameters.
    pub fn second(&self, one: usize, other: usize) -> &'static str {
        let (row, column) = (one.max(other), one.min(other));
        self.seconds.get(row * (row + 1) / 2 + column).copied().unwrap_or("0")
    }

    /// Whether floats have a method of this name.
    pub fn is_method(&self) -> bool {
        self.spelling == Spelling::Call
    }

    /// Whether the user can name it in a call that gives a float.
    pub fn is_callable(&self) -> bool {
        matches!(self.spelling, Spelling::Call | Spelling::Libm) && self.gives == Kind::Float
    }

    /// Whether it may panic.
    pub fn may_panic(&self) -> bool {
        !self.panics.is_empty()
    }
}

/// The index of a row of the catalogue.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Intrinsic(u8);

impl Intrinsic {
    /// The row of this intrinsic.
    pub fn row(self) -> &'static Row {
        &CATALOGUE[usize::from(self.0)]
    }

    /// The position of the row in the catalogue.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The intrinsic with this name, whether the user can call it or not.
    pub fn find(name: &str) -> Option<Self> {
        Self::all().find(|intrinsic| intrinsic.row().name == name)
    }

    /// The callable intrinsic with this name in the crate libm.
    pub fn find_libm(name: &str) -> Option<Self> {
        Self::all().find(|intrinsic| intrinsic.row().libm == Some(name))
    }

    /// Every intrinsic, in the order of the catalogue.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CATALOGUE.len()).map(|index| Intrinsic(index as u8))
    }

    /// The intrinsic with this name, found when the crate is compiled.
    const fn of(name: &str) -> Self {
        let mut index = 0;
        while !same(CATALOGUE[index].name.as_bytes(), name.as_bytes()) {
            index += 1;
        }
        Intrinsic(index as u8)
    }
}

impl std::fmt::Debug for Intrinsic {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.row().name)
    }
}

const fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// The intrinsics that the engine itself writes.
#[allow(missing_docs)]
pub mod known {
    use super::Intrinsic;

    pub const ADD: Intrinsic = Intrinsic::of("add");
    pub const SUB: Intrinsic = Intrinsic::of("sub");
    pub const MUL: Intrinsic = Intrinsic::of("mul");
    pub const DIV: Intrinsic = Intrinsic::of("div");
    pub const REM: Intrinsic = Intrinsic::of("rem");
    pub const NEG: Intrinsic = Intrinsic::of("neg");
    pub const RECIP: Intrinsic = Intrinsic::of("recip");
    pub const MUL_ADD: Intrinsic = Intrinsic::of("mul_add");
    pub const POWI: Intrinsic = Intrinsic::of("powi");
    pub const POWF: Intrinsic = Intrinsic::of("powf");
    pub const SQRT: Intrinsic = Intrinsic::of("sqrt");
    pub const ABS: Intrinsic = Intrinsic::of("abs");
    pub const LN: Intrinsic = Intrinsic::of("ln");
    pub const FLOAT: Intrinsic = Intrinsic::of("float");
    pub const PRED: Intrinsic = Intrinsic::of("pred");
    pub const AND: Intrinsic = Intrinsic::of("and");
    pub const OR: Intrinsic = Intrinsic::of("or");
    pub const NOT: Intrinsic = Intrinsic::of("not");
    pub const LT: Intrinsic = Intrinsic::of("lt");
    pub const LE: Intrinsic = Intrinsic::of("le");
    pub const GT: Intrinsic = Intrinsic::of("gt");
    pub const GE: Intrinsic = Intrinsic::of("ge");
    pub const EQ: Intrinsic = Intrinsic::of("eq");
    pub const NE: Intrinsic = Intrinsic::of("ne");
    pub const SELECT_EQ: Intrinsic = Intrinsic::of("select_eq");
    pub const SELECT_LT: Intrinsic = Intrinsic::of("select_lt");
    pub const SELECT_LE: Intrinsic = Intrinsic::of("select_le");
}

/// Why there is no row for a method of floats.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It steps from float to float, where a derivative is about real numbers.
    Stepping,
    /// What it gives are no floats.
    Leaving,
    /// It compares, and gives no truth value that a branch could depend on.
    Comparing,
}

/// The methods of floats, and of ranges of floats, that there is no row for.
pub const REFUSED: &[(Refusal, &[&str])] = &[
    (Refusal::Stepping, &["next_up", "next_down"]),
    (Refusal::Leaving, &["to_string", "to_bits", "to_int_unchecked", "to_be_bytes", "to_le_bytes", "to_ne_bytes"]),
    (Refusal::Comparing, &["total_cmp", "partial_cmp", "cmp", "contains", "classify"]),
];

// What the generated code brings along is the text of this file.
#[cfg(feature = "tools")]
include!("digamma.rs");

/// Constants that partials may name, and that the standard library has under this name.
pub const STANDARD_CONSTANTS: &[(&str, f64)] = &[
    ("LN_2", std::f64::consts::LN_2),
    ("LN_10", std::f64::consts::LN_10),
    ("FRAC_2_SQRT_PI", std::f64::consts::FRAC_2_SQRT_PI),
    ("LOG2_E", std::f64::consts::LOG2_E),
    ("LOG10_E", std::f64::consts::LOG10_E),
];

/// Other constants that partials may name.
pub const NAMED_CONSTANTS: &[(&str, f64)] = &[
    ("DEGREES_PER_RADIAN", 180.0 / std::f64::consts::PI),
    ("RADIANS_PER_DEGREE", std::f64::consts::PI / 180.0),
    ("NAN", f64::NAN),
];

/// One row: `name(parameters) = value; spelling, class, is property, kink expression; partials, seconds; convention`.
/// Parameters and results are floats where no other kind is written: `n: Int in -6.0 .. 6.0`, `-> Bool`. Where the
/// value in single precision is written in another way, it follows: `libm::erf(x), f32 libm::erff(x)`.
macro_rules! row {
    (
        $name:literal ($($parameter:ident $(: $kind:ident)? in $low:literal .. $high:literal),+) $(-> $gives:ident)?
            = $value:expr $(, f32 $single:expr)?;
        $spelling:expr, $class:ident $(, libm $libm:literal)? $(, ulps $ulps:literal)? $(, second_ulps $second_ulps:literal)? $(, panics $panics:literal)? $(, is $property:ident)* $(, kink $kink:literal)*;
        $($partial:literal),+ $(, seconds $($second:literal),+)?; $convention:literal
    ) => {
        Row {
            name: $name,
            libm: row!(@option $($libm)?),
            parameters: &[$(stringify!($parameter)),+],
            takes: &[$(row!(@kind $($kind)?)),+],
            gives: row!(@kind $($gives)?),
            partials: &[$($partial),+],
            seconds: &[$($($second),+)?],
            kinks: &[$($kink),*],
            spelling: $spelling,
            class: Class::$class,
            panics: row!(@text $($panics)?),
            is_bounded: false $(|| row!(@is bounded $property))*,
            is_real: false $(|| row!(@is real $property))*,
            is_of_real_field: false $(|| row!(@is of_real_field $property))*,
            convention: $convention,
            domain: &[$(($low, $high)),+],
            ulps: row!(@ulps $($ulps)?),
            second_ulps: row!(@second_ulps $($second_ulps)?),
            #[cfg(feature = "tools")]
            evaluate: Evaluator {
                f64: |arguments| row!(@value arguments, ($($parameter $(: $kind)?),+), f64 $($gives)?, $value),
                f32: |arguments| row!(@value arguments, ($($parameter $(: $kind)?),+), f32 $($gives)?, row!(@last $value $(, $single)?)),
            },
        }
    };
    (@value $arguments:ident, ($($parameter:ident $(: $kind:ident)?),+), $float:ident $($gives:ident)?, $value:expr) => {{
        let &[$($parameter),+] = $arguments else {
            panic!("wrong number of arguments")
        };
        $($(let $parameter = row!(@from $kind, $parameter);)?)+
        row!(@into $float $($gives)?, $value)
    }};
    (@last $value:expr) => { $value };
    (@last $value:expr, $single:expr) => { $single };
    (@from Int, $value:ident) => { $value as i32 };
    (@from Bool, $value:ident) => { $value != 0.0 };
    (@into $float:ident, $value:expr) => { $value };
    (@into $float:ident Int, $value:expr) => { $value as $float };
    (@into $float:ident Bool, $value:expr) => { $float::from(u8::from($value)) };
    (@is bounded bounded) => { true };
    (@is real real) => { true };
    (@is of_real_field of_real_field) => { true };
    (@is $asked:ident $property:ident) => { false };
    (@kind) => { Kind::Float };
    (@kind $kind:ident) => { Kind::$kind };
    (@text) => { "" };
    (@text $text:literal) => { $text };
    (@option) => { None };
    (@option $libm:literal) => { Some($libm) };
    (@ulps) => { 4 };
    (@ulps $ulps:literal) => { $ulps };
    (@second_ulps) => { 10 };
    (@second_ulps $ulps:literal) => { $ulps };
}

use Spelling::{Call, FloatFromInt, Helper, Infix, Libm, Predecessor, Prefix, Select};

/// Every intrinsic.
#[rustfmt::skip]
pub static CATALOGUE: &[Row] = &[
    // Arithmetic.
    row! { "add" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) = x + y; Infix("+"), Addition; "1", "1"; "" },
    row! { "sub" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) = x - y; Infix("-"), Addition; "1", "-1"; "" },
    row! { "mul" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) = x * y; Infix("*"), Multiplication; "y", "x", seconds "0", "1", "0"; "" },
    row! { "div" (x in -3.0 .. 3.0, y in 0.1 .. 3.0) = x / y; Infix("/"), Division; "1 / y", "-v / y", seconds "0", "-p0 * p0", "-2 * p1 * p0";
           "the reciprocal is shared with all else that is divided by y" },
    row! { "rem" (x in -9.0 .. 9.0, y in 0.5 .. 3.0) = x % y; Infix("%"), Division, libm "fmod", kink "x / y - round(x / y)"; "1", "(v - x) / y";
           "at a jump, the partials of the branch that the value is on" },
    row! { "neg" (x in -3.0 .. 3.0) = -x; Prefix("-"), Negation; "-1"; "" },
    row! { "mul_add" (x in -3.0 .. 3.0, y in -3.0 .. 3.0, z in -3.0 .. 3.0) = x.mul_add(y, z); Call, Call, libm "fma", is bounded; "y", "x", "1",
           seconds "0", "1", "0", "0", "0", "0"; "" },
    row! { "recip" (x in 0.1 .. 3.0) = x.recip(); Call, Division; "-v * v", seconds "-2 * p0 * v"; "" },
    row! { "midpoint" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) = x.midpoint(y); Call, Light; "0.5", "0.5"; "" },
    row! { "to_degrees" (x in -3.0 .. 3.0) = x.to_degrees(); Call, Multiplication; "DEGREES_PER_RADIAN"; "" },
    row! { "to_radians" (x in -180.0 .. 180.0) = x.to_radians(); Call, Multiplication; "RADIANS_PER_DEGREE"; "" },
    // Powers and roots.
    row! { "sqrt" (x in 0.01 .. 100.0) = x.sqrt(); Call, Root, libm "sqrt"; "0.5 / v", seconds "-p0 * p0 / v"; "+inf at +0" },
    row! { "cbrt" (x in 0.01 .. 100.0) = x.cbrt(); Call, Call, libm "cbrt", is bounded; "1 / (3 * (v * v))", seconds "-2 * p0 / (3 * x)"; "+inf at +0" },
    row! { "powi" (x in 0.1 .. 3.0, n: Int in -6.0 .. 6.0) = x.powi(n); Call, Call, ulps 8;
           "select(float(n) == 0, 0, float(n) * select(float(n) == -2147483648, v / x, powi(x, pred(n))))", "0",
           seconds "select(float(n) == 0, 0, select(float(n) == 1, 0, select(float(n) <= -2147483647, p0 * (float(n) - 1) / x, float(n) * (float(n) - 1) * powi(x, pred(pred(n))))))", "0", "0";
           "exactly 0 for n = 0, exactly 1 for n = 1" },
    row! { "powf" (x in 0.1 .. 9.0, y in -3.0 .. 3.0) = x.powf(y); Call, Call, libm "pow", ulps 8, is real;
           "select(y == 0, 0, y * powf(x, y - 1))", "select(x == 0, select(0 <= y, 0, NAN), v * ln(x))",
           seconds "select(y == 0, 0, select(y == 1, 0, y * (y - 1) * powf(x, y - 2)))", "select(x == 0, select(1 < y, 0, NAN), powf(x, y - 1) * (1 + y * ln(x)))", "select(x == 0, select(0 <= y, 0, NAN), p1 * ln(x))";
           "at x = 0: d/dx as the power rule, 0 for y = 0; d/dy 0 for y >= 0, else NaN. At x < 0: d/dy is NaN" },
    row! { "hypot" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) = x.hypot(y); Call, Call, libm "hypot", is bounded, is real, kink "v";
           "select(v == 0, 0, x / v)", "select(v == 0, 0, y / v)",
           seconds "select(v == 0, 0, p1 * p1 / v)", "select(v == 0, 0, -p0 * p1 / v)", "select(v == 0, 0, p0 * p0 / v)"; "0 and 0 at (0, 0)" },
    // Exponentials and logarithms.
    row! { "exp" (x in -9.0 .. 9.0) = x.exp(); Call, Call, libm "exp"; "v", seconds "p0"; "" },
    row! { "exp2" (x in -9.0 .. 9.0) = x.exp2(); Call, Call, libm "exp2"; "v * LN_2", seconds "p0 * LN_2"; "" },
    row! { "exp10" (x in -9.0 .. 9.0) = libm::exp10(x), f32 libm::exp10f(x); Libm, Call, libm "exp10"; "v * LN_10", seconds "p0 * LN_10"; "" },
    row! { "exp_m1" (x in -9.0 .. 9.0) = x.exp_m1(); Call, Call, libm "expm1"; "exp(x)", seconds "p0"; "" },
    row! { "ln" (x in 0.01 .. 100.0) = x.ln(); Call, Call, libm "log"; "1 / x", seconds "-p0 * p0"; "+inf at +0" },
    row! { "log2" (x in 0.01 .. 100.0) = x.log2(); Call, Call, libm "log2"; "LOG2_E / x", seconds "-p0 / x"; "+inf at +0" },
    row! { "log10" (x in 0.01 .. 100.0) = x.log10(); Call, Call, libm "log10"; "LOG10_E / x", seconds "-p0 / x"; "+inf at +0" },
    row! { "ln_1p" (x in -0.9 .. 9.0) = x.ln_1p(); Call, Call, libm "log1p"; "1 / (1 + x)", seconds "-p0 * p0"; "+inf at -1" },
    row! { "log" (x in 0.01 .. 100.0, y in 2.0 .. 10.0) = x.log(y); Call, Call, ulps 6, is real; "1 / (x * ln(y))", "-v / (y * ln(y))",
           seconds "-p0 / x", "-p0 / (y * ln(y))", "-p1 * (2 + ln(y)) / (y * ln(y))"; "+inf at x = 0" },
    // Trigonometric functions.
    row! { "sin" (x in -9.0 .. 9.0) = x.sin(); Call, Call, libm "sin", is bounded; "cos(x)", seconds "-v"; "" },
    row! { "cos" (x in -9.0 .. 9.0) = x.cos(); Call, Call, libm "cos", is bounded; "-sin(x)", seconds "-v"; "" },
    row! { "tan" (x in -1.5 .. 1.5) = x.tan(); Call, Call, libm "tan"; "1 + v * v", seconds "2 * p0 * v"; "" },
    row! { "asin" (x in -0.999 .. 0.999) = x.asin(); Call, Call, libm "asin"; "1 / sqrt((1 - x) * (1 + x))", seconds "p0 * (p0 * p0 * x)"; "+inf at -1 and 1" },
    row! { "acos" (x in -0.999 .. 0.999) = x.acos(); Call, Call, libm "acos"; "-1 / sqrt((1 - x) * (1 + x))", seconds "p0 * (p0 * p0 * x)"; "-inf at -1 and 1" },
    row! { "atan" (x in -9.0 .. 9.0) = x.atan(); Call, Call, libm "atan", is bounded; "1 / (1 + x * x)", seconds "-2 * p0 * (p0 * x)"; "" },
    row! { "atan2" (y in -3.0 .. 3.0, x in -3.0 .. 3.0) = y.atan2(x); Call, Call, libm "atan2", ulps 6, is bounded, is of_real_field, kink "y";
           "x / hypot(x, y) / hypot(x, y)", "-y / hypot(x, y) / hypot(x, y)",
           seconds "2 * p0 * p1", "(p1 - p0) * (p1 + p0)", "-2 * p0 * p1"; "NaN at (0, 0); no overflow elsewhere" },
    // Hyperbolic functions.
    row! { "sinh" (x in -9.0 .. 9.0) = x.sinh(); Call, Call, libm "sinh"; "cosh(x)", seconds "v"; "" },
    row! { "cosh" (x in -9.0 .. 9.0) = x.cosh(); Call, Call, libm "cosh"; "sinh(x)", seconds "v"; "" },
    row! { "tanh" (x in -9.0 .. 9.0) = x.tanh(); Call, Call, libm "tanh", is bounded, is real; "4 * exp(-2 * abs(x)) / ((1 + exp(-2 * abs(x))) * (1 + exp(-2 * abs(x))))",
           seconds "-2 * p0 * v";
           "1 / cosh(x)^2, of one exponential; keeps its digits where 1 - tanh(x)^2 cancels" },
    row! { "asinh" (x in -9.0 .. 9.0) = x.asinh(); Call, Call, libm "asinh", is bounded, is real; "1 / hypot(x, 1)", seconds "-p0 * (p0 * p0 * x)"; "" },
    row! { "acosh" (x in 1.001 .. 9.0) = x.acosh(); Call, Call, libm "acosh"; "1 / (sqrt(x - 1) * sqrt(x + 1))", seconds "-p0 * (p0 * p0 * x)"; "+inf at 1" },
    row! { "atanh" (x in -0.999 .. 0.999) = x.atanh(); Call, Call, libm "atanh"; "1 / ((1 - x) * (1 + x))", seconds "2 * p0 * (p0 * x)"; "+inf at -1 and 1" },
    // Special functions.
    row! { "erf" (x in -3.0 .. 3.0) = libm::erf(x), f32 libm::erff(x); Libm, Call, libm "erf", ulps 8, is bounded; "FRAC_2_SQRT_PI * exp(-(x * x))",
           seconds "-2 * p0 * x";
           "beyond, the error grows with the exponent, by x^2 / 2 ulp" },
    row! { "erfc" (x in -3.0 .. 3.0) = libm::erfc(x), f32 libm::erfcf(x); Libm, Call, libm "erfc", ulps 8, is bounded; "-FRAC_2_SQRT_PI * exp(-(x * x))",
           seconds "-2 * p0 * x";
           "beyond, the error grows with the exponent, by x^2 / 2 ulp" },
    row! { "gamma" (x in 0.1 .. 20.0) = libm::tgamma(x), f32 libm::tgammaf(x); Libm, Call, libm "tgamma", ulps 12; "v * digamma(x)", seconds "NAN";
           "-inf at +0 and -0, NaN at the negative integers" },
    row! { "ln_gamma" (x in 0.1 .. 50.0) = libm::lgamma(x), f32 libm::lgammaf(x); Libm, Call, libm "lgamma"; "digamma(x)", seconds "NAN";
           "of the absolute value of gamma; -inf at +0, +inf at -0, NaN at the negative integers" },
    row! { "j0" (x in -3.0 .. 3.0) = libm::j0(x), f32 libm::j0f(x); Libm, Call, libm "j0", second_ulps 1000, is bounded; "-j1(x)",
           seconds "select(abs(x) < 1e-8, -0.5, -p0 / x - v)"; "" },
    row! { "j1" (x in -1.5 .. 1.5) = libm::j1(x), f32 libm::j1f(x); Libm, Call, libm "j1", ulps 8, second_ulps 2000, is bounded; "select(abs(x) < 1e-8, 0.5, j0(x) - v / x)",
           seconds "select(abs(x) < 0.03, x * (x * x * (5 / 96 - 7 / 3072 * (x * x)) - 0.375), (v / x - p0) / x - v)"; "" },
    row! { "y0" (x in 0.1 .. 1.5) = libm::y0(x), f32 libm::y0f(x); Libm, Call, libm "y0"; "-y1(x)", seconds "-p0 / x - v"; "+inf at 0" },
    row! { "y1" (x in 0.1 .. 3.0) = libm::y1(x), f32 libm::y1f(x); Libm, Call, libm "y1", ulps 8; "y0(x) - v / x", seconds "(v / x - p0) / x - v"; "NaN at 0" },
    // Piecewise smooth.
    row! { "abs" (x in -3.0 .. 3.0) = x.abs(); Call, Light, libm "fabs", is real, kink "x"; "signum(x)"; "+1 at +0, -1 at -0, NaN at NaN" },
    row! { "max" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) = x.max(y); Call, Light, libm "fmax", is of_real_field, kink "x - y"; "select(v == x, 1, 0)", "select(v == x, 0, 1)";
           "1 for the operand that was returned; the first at a tie; a NaN operand is passed over as the value does" },
    row! { "min" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) = x.min(y); Call, Light, libm "fmin", is of_real_field, kink "x - y"; "select(v == x, 1, 0)", "select(v == x, 0, 1)";
           "1 for the operand that was returned; the first at a tie; a NaN operand is passed over as the value does" },
    row! { "maximum" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) = libm::fmaximum(x, y), f32 libm::fmaximumf(x, y); Libm, Light, libm "fmaximum", kink "x - y";
           "select(v == x, 1, select(v == y, 0, NAN))", "select(v == x, 0, select(v == y, 1, NAN))"; "1 for the operand that was returned; the first at a tie; NaN where an operand is" },
    row! { "minimum" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) = libm::fminimum(x, y), f32 libm::fminimumf(x, y); Libm, Light, libm "fminimum", kink "x - y";
           "select(v == x, 1, select(v == y, 0, NAN))", "select(v == x, 0, select(v == y, 1, NAN))"; "1 for the operand that was returned; the first at a tie; NaN where an operand is" },
    row! { "clamp" (x in -3.0 .. 3.0, y in -2.0 .. -1.0, z in 1.0 .. 2.0) = x.clamp(y, z); Call, Light, panics "where y > z, or one of them is NaN", is of_real_field, kink "x - y", kink "x - z";
           "select(x < y, 0, select(z < x, 0, 1))", "select(x < y, 1, 0)", "select(z < x, 1, 0)"; "1 for x inside and at a bound, else 1 for the active bound; panics as the value does" },
    row! { "copysign" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) = x.copysign(y); Call, Light, libm "copysign", is of_real_field, kink "x", kink "y"; "signum(x) * copysign(1, y)", "0";
           "the signs of +0 and -0 count" },
    row! { "fract" (x in -3.0 .. 3.0) = x.fract(); Call, Light, is real, kink "x - round(x)"; "1"; "1 at the jumps, too" },
    row! { "rem_euclid" (x in -9.0 .. 9.0, y in 0.5 .. 3.0) = x.rem_euclid(y); Call, Division, kink "x / y - round(x / y)"; "1", "(v - x) / y";
           "at a jump, the partials of the branch that the value is on" },
    row! { "abs_sub" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) = if x <= y { 0.0 } else { x - y }; Call, Light, libm "fdim", kink "x - y"; "select(y < x, 1, 0)", "-select(y < x, 1, 0)"; "0 and 0 at a tie" },
    // Piecewise constant.
    row! { "floor" (x in -3.0 .. 3.0) = x.floor(); Call, Light, libm "floor", is real, kink "x - round(x)"; "0"; "0 everywhere" },
    row! { "ceil" (x in -3.0 .. 3.0) = x.ceil(); Call, Light, libm "ceil", is real, kink "x - round(x)"; "0"; "0 everywhere" },
    row! { "round" (x in -3.0 .. 3.0) = x.round(); Call, Light, libm "round", is real, kink "x - floor(x) - 0.5"; "0"; "0 everywhere" },
    row! { "round_ties_even" (x in -3.0 .. 3.0) = x.round_ties_even(); Call, Light, libm "rint", kink "x - floor(x) - 0.5"; "0"; "0 everywhere" },
    row! { "trunc" (x in -3.0 .. 3.0) = x.trunc(); Call, Light, libm "trunc", is real, kink "x - round(x)"; "0"; "0 everywhere" },
    row! { "signum" (x in -3.0 .. 3.0) = x.signum(); Call, Light, is real, kink "x"; "0"; "0 everywhere" },
    row! { "div_euclid" (x in -9.0 .. 9.0, y in 0.5 .. 3.0) = x.div_euclid(y); Call, Division, kink "x / y - round(x / y)"; "0", "0"; "0 everywhere" },
    // What selects an arm of a branch.
    row! { "lt" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) -> Bool = x < y; Infix("<"), Light; "0", "0"; "" },
    row! { "le" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) -> Bool = x <= y; Infix("<="), Light; "0", "0"; "" },
    row! { "gt" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) -> Bool = x > y; Infix(">"), Light; "0", "0"; "" },
    row! { "ge" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) -> Bool = x >= y; Infix(">="), Light; "0", "0"; "" },
    row! { "eq" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) -> Bool = x == y; Infix("=="), Light; "0", "0"; "" },
    row! { "ne" (x in -3.0 .. 3.0, y in -3.0 .. 3.0) -> Bool = x != y; Infix("!="), Light; "0", "0"; "" },
    row! { "is_nan" (x in -3.0 .. 3.0) -> Bool = x.is_nan(); Call, Light; "0"; "" },
    row! { "is_finite" (x in -3.0 .. 3.0) -> Bool = x.is_finite(); Call, Light; "0"; "" },
    row! { "is_infinite" (x in -3.0 .. 3.0) -> Bool = x.is_infinite(); Call, Light; "0"; "" },
    row! { "is_normal" (x in -3.0 .. 3.0) -> Bool = x.is_normal(); Call, Light; "0"; "" },
    row! { "is_subnormal" (x in -3.0 .. 3.0) -> Bool = x.is_subnormal(); Call, Light; "0"; "" },
    row! { "is_sign_negative" (x in -3.0 .. 3.0) -> Bool = x.is_sign_negative(); Call, Light; "0"; "" },
    row! { "is_sign_positive" (x in -3.0 .. 3.0) -> Bool = x.is_sign_positive(); Call, Light; "0"; "" },
    row! { "and" (p: Bool in 0.0 .. 1.0, q: Bool in 0.0 .. 1.0) -> Bool = p && q; Infix("&&"), Light; "0", "0"; "" },
    row! { "or" (p: Bool in 0.0 .. 1.0, q: Bool in 0.0 .. 1.0) -> Bool = p || q; Infix("||"), Light; "0", "0"; "" },
    row! { "not" (p: Bool in 0.0 .. 1.0) -> Bool = !p; Prefix("!"), Light; "0"; "" },
    // What only partials write.
    row! { "select_eq" (x in -3.0 .. 3.0, y in -3.0 .. 3.0, z in -3.0 .. 3.0, w in -3.0 .. 3.0) = if x == y { z } else { w }; Select("=="), Light, kink "x - y";
           "0", "0", "select(x == y, 1, 0)", "select(x == y, 0, 1)"; "" },
    row! { "select_lt" (x in -3.0 .. 3.0, y in -3.0 .. 3.0, z in -3.0 .. 3.0, w in -3.0 .. 3.0) = if x < y { z } else { w }; Select("<"), Light, kink "x - y";
           "0", "0", "select(x < y, 1, 0)", "select(x < y, 0, 1)"; "" },
    row! { "select_le" (x in -3.0 .. 3.0, y in -3.0 .. 3.0, z in -3.0 .. 3.0, w in -3.0 .. 3.0) = if x <= y { z } else { w }; Select("<="), Light, kink "x - y";
           "0", "0", "select(x <= y, 1, 0)", "select(x <= y, 0, 1)"; "" },
    row! { "digamma" (x in 0.1 .. 50.0) = digamma(x), f32 digamma(x.into()) as f32; Helper(include_str!("digamma.rs")), Call; "NAN", seconds "NAN"; "" },
    row! { "float" (n: Int in -6.0 .. 6.0) = n as _; FloatFromInt, Light; "0"; "" },
    row! { "pred" (n: Int in -6.0 .. 6.0) -> Int = n.saturating_sub(1); Predecessor, Light; "0"; "" },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_list::MAX_ARITY;

    #[test]
    fn every_row_is_complete() {
        for row in CATALOGUE {
            assert!(row.arity() <= MAX_ARITY, "{}", row.name);
            assert_eq!(row.arity(), row.partials.len(), "{}", row.name);
            let pairs = row.arity() * (row.arity() + 1) / 2;
            assert!(row.seconds.is_empty() || row.seconds.len() == pairs, "{}", row.name);
            assert_eq!(row.arity(), row.domain.len(), "{}", row.name);
            assert!(row.spelling != Libm || row.libm.is_some(), "{}", row.name);
            assert!(!row.is_callable() || !row.partials.contains(&"NAN"), "{}", row.name);
        }
    }

    #[test]
    fn only_floats_have_partials() {
        for row in CATALOGUE {
            for (kind, partial) in row.takes.iter().zip(row.partials) {
                let is_float = *kind == Kind::Float && row.gives == Kind::Float;
                assert!(is_float || *partial == "0", "{}", row.name);
            }
        }
    }

    #[test]
    fn names_are_unique() {
        for intrinsic in Intrinsic::all() {
            assert_eq!(Intrinsic::find(intrinsic.row().name), Some(intrinsic));
            if let Some(libm) = intrinsic.row().libm {
                assert_eq!(Intrinsic::find_libm(libm), Some(intrinsic));
            }
        }
    }
}
