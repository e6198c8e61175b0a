//! What values are: their numbers in a code list, their kinds, and those that are known when the code is generated.

/// The position of a statement in its code list, and the value that this statement computes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct ValueId(pub u32);

impl ValueId {
    /// The value of the statement at `index`.
    pub fn new(index: usize) -> Self {
        assert!(index < 1 << 31, "a code list has fewer than 2^31 statements");
        ValueId(index as u32)
    }

    /// The position of the statement.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of an accumulated entry: of what the elimination gives its value in one statement.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct EntryId(pub(super) u32);

/// The type of all floats of a code list.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Precision {
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    #[default]
    F64,
    /// A type parameter: binary32 or a finer type, which one is known when the code runs. Constants are rounded then,
    /// and evaluation is in binary64.
    Generic,
}

/// The names of the precisions.
pub const PRECISIONS: &[(&str, Precision)] =
    &[("f32", Precision::F32), ("f64", Precision::F64), ("generic", Precision::Generic)];

/// What kind of value a statement gives.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A float of the list's precision.
    Float,
    /// An `i32`, the exponent of `powi`.
    Int,
    /// A `bool`, which selects an arm of a branch.
    Bool,
    /// What is no number: a value of which the front end alone knows what it is.
    Opaque,
}

/// A number that is known when the code is generated.
#[derive(Copy, Clone, Debug)]
pub enum Constant {
    /// A float; under `Precision::F32` a value that `f32` holds exactly.
    Float(f64),
    /// An integer.
    Int(i32),
    /// A truth value.
    Bool(bool),
}

impl Constant {
    /// The bits that tell constants apart: 0.0 and -0.0 differ, a NaN equals itself.
    pub fn key(self) -> (Kind, u64) {
        let bits = match self {
            Constant::Float(value) => value.to_bits(),
            Constant::Int(value) => value as u64,
            Constant::Bool(value) => u64::from(value),
        };
        (self.kind(), bits)
    }

    /// The constant as a float.
    pub fn as_float(self) -> f64 {
        match self {
            Constant::Float(value) => value,
            Constant::Int(value) => f64::from(value),
            Constant::Bool(value) => f64::from(u8::from(value)),
        }
    }

    /// What kind of number it is.
    pub fn kind(self) -> Kind {
        match self {
            Constant::Float(_) => Kind::Float,
            Constant::Int(_) => Kind::Int,
            Constant::Bool(_) => Kind::Bool,
        }
    }
}

/// Where the functions that a statement names are to be found: the front end's number for the way in which the user
/// wrote a call (`x.sin()`, `f64::sin(x)`, `libm::sin(x)`). Partials inherit the notation of their intrinsic.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct NotationId(pub u16);

/// The position of a block in the table of its code list.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(u32);

impl BlockId {
    /// The block at `index`.
    pub fn new(index: usize) -> Self {
        BlockId(u32::try_from(index).expect("a code list has fewer than 2^32 blocks"))
    }

    /// The position in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
