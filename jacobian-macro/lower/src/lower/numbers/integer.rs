//! The types of integers, and arithmetic in them: exact, or none.
//!
//! A macro sees no types. What an integer's type can be is a set, which literals, suffixes, annotations, casts and the
//! operands of operators narrow. A result is known only if it is the same in all types of the set.

/// An integer type.
#[derive(Copy, Clone)]
pub struct Type {
    /// Its name.
    pub name: &'static str,
    /// The number of bits that it has on every target; `usize` and `isize` may have more.
    bits: u32,
    is_signed: bool,
    /// Whether its size depends on the target.
    is_pointer_sized: bool,
}

const fn integer(name: &'static str, bits: u32, is_signed: bool) -> Type {
    Type { name, bits, is_signed, is_pointer_sized: false }
}

const fn pointer_sized(name: &'static str, is_signed: bool) -> Type {
    Type { name, bits: 32, is_signed, is_pointer_sized: true }
}

/// All integer types, and the types of floats after them.
const TYPES: [Type; 14] = [
    integer("i8", 8, true),
    integer("i16", 16, true),
    integer("i32", 32, true),
    integer("i64", 64, true),
    integer("i128", 128, true),
    pointer_sized("isize", true),
    integer("u8", 8, false),
    integer("u16", 16, false),
    integer("u32", 32, false),
    integer("u64", 64, false),
    integer("u128", 128, false),
    pointer_sized("usize", false),
    integer("f32", 0, true),
    integer("f64", 0, true),
];

/// How many of them are integer types.
const INTEGERS: usize = 12;

/// What an operation in one type gives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This value.
    Is(i128),
    /// None: it overflows or divides by zero. The program panics or wraps.
    Overflows,
    /// It depends on the target, or is too large to be computed here.
    Unclear,
}

impl Type {
    /// The least value.
    fn min(&self) -> i128 {
        match (self.is_signed, self.bits) {
            (false, _) => 0,
            (true, 128) => i128::MIN,
            (true, bits) => -(1 << (bits - 1)),
        }
    }

    /// The greatest value, as far as `i128` has it.
    fn max(&self) -> i128 {
        match (self.is_signed, self.bits) {
            (_, 128) => i128::MAX,
            (true, bits) => (1 << (bits - 1)) - 1,
            (false, bits) => (1 << bits) - 1,
        }
    }

    /// The value, if the type has it.
    fn hold(&self, value: Option<i128>) -> Outcome {
        match value {
            Some(value) if (self.min()..=self.max()).contains(&value) => Outcome::Is(value),
            Some(value) if value < 0 && !self.is_signed => Outcome::Overflows,
            _ if self.is_pointer_sized || self.bits == 128 => Outcome::Unclear,
            _ => Outcome::Overflows,
        }
    }

    /// The value modulo two to the number of bits.
    pub fn wrap(&self, value: Option<i128>) -> Outcome {
        match (value, self.hold(value)) {
            (_, Outcome::Is(value)) => Outcome::Is(value),
            (Some(value), _) if self.bits < 128 && !self.is_pointer_sized => {
                let low = value.rem_euclid(1 << self.bits);
                Outcome::Is(if low > self.max() { low - (1 << self.bits) } else { low })
            }
            _ => Outcome::Unclear,
        }
    }

    /// The value, or the bound that is next to it.
    fn saturate(&self, value: Option<i128>) -> Outcome {
        match (value, self.hold(value)) {
            (_, Outcome::Is(value)) => Outcome::Is(value),
            (Some(value), _) if value < 0 && !self.is_signed => Outcome::Is(0),
            (Some(value), _) if self.bits < 128 && !self.is_pointer_sized => {
                Outcome::Is(value.clamp(self.min(), self.max()))
            }
            _ => Outcome::Unclear,
        }
    }
}

impl Type {
    /// Whether it is none that is taken for granted where nothing tells the type: rustc takes this one of the integers,
    /// and the literals of floats are of the function's own type here.
    pub fn tells_more(&self) -> bool {
        !["i32", "f32", "f64"].contains(&self.name)
    }

    /// `MIN`, `MAX` or `BITS`, where it does not depend on the target.
    pub fn constant(&self, name: &str) -> Option<i128> {
        match name {
            _ if self.is_pointer_sized => None,
            "BITS" => Some(self.bits.into()),
            "MIN" => Some(self.min()),
            "MAX" if self.is_signed || self.bits < 128 => Some(self.max()),
            _ => None,
        }
    }
}

/// A set of integer types.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Types(u16);

impl Types {
    /// The type of this name.
    pub fn named(name: &str) -> Option<Types> {
        TYPES[..INTEGERS].iter().position(|ty| ty.name == name).map(|index| Types(1 << index))
    }

    /// The types of floats.
    pub fn floats() -> Types {
        Types(((1 << TYPES.len()) - 1) & !Types::all().0)
    }

    /// The type of floats of this name.
    pub fn float(name: &str) -> Option<Types> {
        Some(Types::floats().filter(|ty| ty.name == name)).filter(|found| *found != Types::default())
    }

    /// Those that a literal can have.
    pub fn holding(value: i128) -> Types {
        // A literal that is too large for 32 bits can be a `usize`: where it cannot, it does not compile.
        let holds = |ty: &Type| match ty.is_pointer_sized {
            true => i64::try_from(value).is_ok() && ty.min().signum() <= value.signum(),
            false => matches!(ty.hold(Some(value)), Outcome::Is(_)),
        };
        Types::all().filter(holds)
    }

    /// All of them.
    pub fn all() -> Types {
        Types((1 << INTEGERS) - 1)
    }

    /// Those that have negative values.
    pub fn signed(self) -> Types {
        self.filter(|ty| ty.is_signed)
    }

    /// The unsigned types of the same sizes.
    fn unsigned(self) -> Types {
        let half = INTEGERS / 2;
        Types((self.0 | self.0 >> half | self.0 << half) & Types::all().filter(|ty| !ty.is_signed).0)
    }

    fn filter(self, is_kept: impl Fn(&Type) -> bool) -> Types {
        let kept = self.members().filter(|(_, ty)| is_kept(ty)).map(|(index, _)| 1 << index);
        Types(kept.fold(0, |set, bit| set | bit))
    }

    fn members(self) -> impl Iterator<Item = (usize, &'static Type)> {
        TYPES.iter().enumerate().filter(move |(index, _)| self.0 >> index & 1 == 1)
    }

    /// Whether they are types of floats.
    pub fn is_float(self) -> bool {
        self.common(Types::floats()) == self
    }

    /// The type, if there is only one.
    pub fn only(self) -> Option<&'static Type> {
        let mut members = self.members();
        members.next().filter(|_| members.next().is_none()).map(|(_, ty)| ty)
    }

    /// Those in both.
    fn common(self, other: Types) -> Types {
        Types(self.0 & other.0)
    }

    /// What an operation gives, if that is the same in all types of the set.
    pub fn evaluate(self, operation: impl Fn(&Type) -> Outcome) -> Outcome {
        let mut outcomes = self.members().map(|(_, ty)| operation(ty));
        let Some(first) = outcomes.next() else { return Outcome::Unclear };
        match outcomes.all(|outcome| outcome == first) {
            true => first,
            false => Outcome::Unclear,
        }
    }
}

/// The type of one or more integers that are of the same type: a member of a set.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeId(usize);

/// What is known of the types of integers.
#[derive(Default)]
pub struct TypeTable(Vec<Entry>);

/// A type, or another one that it is the same as.
#[derive(Copy, Clone)]
enum Entry {
    One(Types),
    Same(TypeId),
}

impl TypeTable {
    /// A type of which only the set is known.
    pub fn add(&mut self, types: Types) -> TypeId {
        self.0.push(Entry::One(types));
        TypeId(self.0.len() - 1)
    }

    /// The set that a type is a member of.
    pub fn get(&mut self, id: TypeId) -> Types {
        self.root(id).1
    }

    /// The one of all types that are known to be the same.
    pub fn first(&mut self, id: TypeId) -> TypeId {
        self.root(id).0
    }

    fn root(&mut self, mut id: TypeId) -> (TypeId, Types) {
        loop {
            match self.0[id.0] {
                Entry::One(types) => return (id, types),
                Entry::Same(other) => {
                    // The way is halved for those who come after.
                    if let Entry::Same(further) = self.0[other.0] {
                        self.0[id.0] = Entry::Same(further);
                    }
                    id = other;
                }
            }
        }
    }

    /// Says that two types are the same. None where they cannot be: the compiler reports it.
    pub fn unify(&mut self, left: TypeId, right: TypeId) -> Option<TypeId> {
        let ((left, left_types), (right, right_types)) = (self.root(left), self.root(right));
        let types = left_types.common(right_types);
        if types == Types::default() {
            return None;
        }
        self.0[left.0] = Entry::One(types);
        if left != right {
            self.0[right.0] = Entry::Same(left);
        }
        Some(left)
    }

    /// Says that a type is in a set. False where it cannot be.
    pub fn narrow(&mut self, id: TypeId, to: Types) -> bool {
        let (root, types) = self.root(id);
        let common = types.common(to);
        let is_possible = common != Types::default();
        if is_possible {
            self.0[root.0] = Entry::One(common);
        }
        is_possible
    }
}

/// What the type of a result is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ResultType {
    /// That of the receiver.
    Same,
    /// The unsigned one of the same size.
    Unsigned,
    /// `u32`.
    U32,
    /// `bool`.
    Bool,
}

impl ResultType {
    /// The types that the result can have, where the receiver has one of `types`.
    pub fn types(self, types: Types) -> Types {
        match self {
            ResultType::Same | ResultType::Bool => types,
            ResultType::Unsigned => types.unsigned(),
            ResultType::U32 => Types::named("u32").unwrap_or_default(),
        }
    }
}

/// An operation on integers: in which type, of which values. Operands that are missing are 0.
type Operation = fn(&Type, i128, i128, i128) -> Outcome;

/// A method of integers.
pub struct Method {
    name: &'static str,
    /// The types of its arguments: `=` is that of the receiver, `u` is `u32`.
    pub arguments: &'static str,
    /// The type of the result.
    pub result: ResultType,
    /// What it computes.
    pub operation: Operation,
}

/// The methods that are evaluated at expansion.
const METHODS: &[Method] = {
    use ResultType::{Bool, Same, U32, Unsigned};
    &[
        method("pow", "u", Same, |ty, a, b, _| ty.hold(power(a, b))),
        method("wrapping_pow", "u", Same, |ty, a, b, _| ty.wrap(power(a, b))),
        method("saturating_pow", "u", Same, |ty, a, b, _| ty.saturate(power(a, b))),
        method("min", "=", Same, |_, a, b, _| Outcome::Is(a.min(b))),
        method("max", "=", Same, |_, a, b, _| Outcome::Is(a.max(b))),
        method("clamp", "==", Same, |_, a, b, c| if b > c { Outcome::Overflows } else { Outcome::Is(a.clamp(b, c)) }),
        method("abs", "", Same, |ty, a, _, _| ty.hold(a.checked_abs())),
        method("unsigned_abs", "", Unsigned, |_, a, _, _| a.checked_abs().map_or(Outcome::Unclear, Outcome::Is)),
        method("abs_diff", "=", Unsigned, |_, a, b, _| difference(a, b)),
        method("signum", "", Same, |_, a, _, _| Outcome::Is(a.signum())),
        method("rem_euclid", "=", Same, |ty, a, b, _| quotient(ty, a, b, |a, b| a.checked_rem_euclid(b))),
        method("div_euclid", "=", Same, |ty, a, b, _| quotient(ty, a, b, |a, b| a.checked_div_euclid(b))),
        method("div_ceil", "=", Same, |ty, a, b, _| {
            quotient(ty, a, b, |a, b| a.checked_sub(1)?.checked_div_euclid(b)?.checked_add(1))
        }),
        method("wrapping_add", "=", Same, |ty, a, b, _| ty.wrap(a.checked_add(b))),
        method("wrapping_sub", "=", Same, |ty, a, b, _| ty.wrap(a.checked_sub(b))),
        method("wrapping_mul", "=", Same, |ty, a, b, _| ty.wrap(a.checked_mul(b))),
        method("wrapping_neg", "", Same, |ty, a, _, _| ty.wrap(a.checked_neg())),
        method("saturating_add", "=", Same, |ty, a, b, _| ty.saturate(a.checked_add(b))),
        method("saturating_sub", "=", Same, |ty, a, b, _| ty.saturate(a.checked_sub(b))),
        method("saturating_mul", "=", Same, |ty, a, b, _| ty.saturate(a.checked_mul(b))),
        method("isqrt", "", Same, |_, a, _, _| if a < 0 { Outcome::Overflows } else { Outcome::Is(a.isqrt()) }),
        method("count_ones", "", U32, |ty, a, _, _| match a {
            0.. => Outcome::Is(a.count_ones().into()),
            _ => of_size(ty, |bits| bits - a.count_zeros()),
        }),
        method("trailing_zeros", "", U32, |ty, a, _, _| match a {
            0 => of_size(ty, |bits| bits),
            _ => Outcome::Is(a.trailing_zeros().into()),
        }),
        method("leading_zeros", "", U32, |ty, a, _, _| match a {
            0.. => of_size(ty, |bits| bits - (128 - a.leading_zeros())),
            _ => Outcome::Is(0),
        }),
        method("ilog2", "", U32, |_, a, _, _| {
            a.checked_ilog2().map_or(Outcome::Overflows, |log| Outcome::Is(log.into()))
        }),
        method("is_power_of_two", "", Bool, |_, a, _, _| Outcome::Is((a.count_ones() == 1).into())),
        method("is_positive", "", Bool, |_, a, _, _| Outcome::Is((a > 0).into())),
        method("is_negative", "", Bool, |_, a, _, _| Outcome::Is((a < 0).into())),
        method("is_multiple_of", "=", Bool, |_, a, b, _| Outcome::Is(if b == 0 { a == 0 } else { a % b == 0 }.into())),
        method("clone", "", Same, |_, a, _, _| Outcome::Is(a)),
    ]
};

const fn method(name: &'static str, arguments: &'static str, result: ResultType, operation: Operation) -> Method {
    Method { name, arguments, result, operation }
}

impl Method {
    /// The method of this name.
    pub fn find(name: &str) -> Option<&'static Method> {
        METHODS.iter().find(|method| method.name == name)
    }
}

/// An arithmetic operator.
pub fn operator(symbol: &str) -> Option<Operation> {
    Some(match symbol {
        "+" => |ty, a, b, _| ty.hold(a.checked_add(b)),
        "-" => |ty, a, b, _| ty.hold(a.checked_sub(b)),
        "*" => |ty, a, b, _| ty.hold(a.checked_mul(b)),
        "/" => |ty, a, b, _| quotient(ty, a, b, |a, b| a.checked_div(b)),
        "%" => |ty, a, b, _| quotient(ty, a, b, |a, b| a.checked_rem(b)),
        "&" => |_, a, b, _| Outcome::Is(a & b),
        "|" => |_, a, b, _| Outcome::Is(a | b),
        "^" => |_, a, b, _| Outcome::Is(a ^ b),
        "<<" => |ty, a, b, _| shifted(ty, b, |by| a.checked_mul(1_i128.checked_shl(by).filter(|&two| two > 0)?)),
        ">>" => |ty, a, b, _| shifted(ty, b, |by| Some(a >> by)),
        _ => return None,
    })
}

/// `!value`.
pub fn complement(ty: &Type, value: i128) -> Outcome {
    match (ty.is_signed, ty.is_pointer_sized || ty.bits == 128) {
        (true, _) => Outcome::Is(!value),
        (false, true) => Outcome::Unclear,
        (false, false) => Outcome::Is(ty.max() - value),
    }
}

/// `-value`.
pub fn negation(ty: &Type, value: i128) -> Outcome {
    if ty.is_signed { ty.hold(value.checked_neg()) } else { Outcome::Unclear }
}

fn power(base: i128, exponent: i128) -> Option<i128> {
    base.checked_pow(u32::try_from(exponent).ok()?)
}

fn difference(a: i128, b: i128) -> Outcome {
    a.checked_sub(b).and_then(i128::checked_abs).map_or(Outcome::Unclear, Outcome::Is)
}

/// A division. That of the least value by -1 overflows, even where only the remainder is asked for.
fn quotient(ty: &Type, a: i128, b: i128, divide: impl Fn(i128, i128) -> Option<i128>) -> Outcome {
    match b {
        0 => Outcome::Overflows,
        // The least value of a type whose size depends on the target may be any that is as large.
        -1 if ty.is_signed && ty.is_pointer_sized && a <= ty.min() => Outcome::Unclear,
        -1 if ty.is_signed && a == ty.min() => Outcome::Overflows,
        b => ty.hold(divide(a, b)),
    }
}

/// A shift by this many bits, of which the type must have more.
fn shifted(ty: &Type, by: i128, shift: impl Fn(u32) -> Option<i128>) -> Outcome {
    match u32::try_from(by) {
        Ok(by) if by < ty.bits => ty.wrap(shift(by)),
        Ok(_) if ty.is_pointer_sized => Outcome::Unclear,
        _ => Outcome::Overflows,
    }
}

/// A number of bits that depends on the size of the type.
fn of_size(ty: &Type, count: impl Fn(u32) -> u32) -> Outcome {
    if ty.is_pointer_sized { Outcome::Unclear } else { Outcome::Is(count(ty.bits).into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the standard library makes of an operation: a value, or an overflow.
    fn outcome<T: TryInto<i128>>(value: Option<T>) -> Outcome {
        match value.map(TryInto::try_into) {
            Some(Ok(value)) => Outcome::Is(value),
            Some(Err(_)) => Outcome::Unclear,
            None => Outcome::Overflows,
        }
    }

    /// A result is known only if it is that of the standard library, and it is where `i128` has room for all there is.
    fn compare(name: &str, ty: &Type, operands: [i128; 2], expected: Outcome) {
        let operation = operator(name).or_else(|| Method::find(name).map(|method| method.operation));
        let own = match name {
            "!" => complement(ty, operands[0]),
            "neg" => negation(ty, operands[0]),
            _ => operation.expect("an operation")(ty, operands[0], operands[1], 0),
        };
        let is_same = own == expected || own == Outcome::Unclear && (ty.is_pointer_sized || ty.bits > 32);
        assert!(is_same, "{name} of {operands:?} in {}: {own:?}, not {expected:?}", ty.name);
    }

    macro_rules! compare_all {
        ($ty:ident, |$a:ident, $b:ident| { $($name:literal: $value:expr,)+ }) => {
            let ty = Types::named(stringify!($ty)).and_then(Types::only).expect("a type");
            let greatest = $ty::MAX.min(i64::MAX as $ty);
            let near = |middle: $ty| (0..5).flat_map(move |by| [middle.saturating_sub(by), middle.saturating_add(by)]);
            let values = near($ty::MIN).chain(near(greatest)).chain(near(0)).chain(near(greatest / 3)).chain([7, 31, 32, 63, 64]);
            let values: Vec<$ty> = values.filter(|&value| i128::try_from(value).is_ok()).collect();
            for &$a in &values {
                for &$b in &values {
                    let operands = [$a, $b].map(|value| i128::try_from(value).expect("a moderate value"));
                    $(compare($name, ty, operands, outcome($value));)+
                }
            }
        };
    }

    macro_rules! compare_types {
        ([$($ty:ident)+], |$a:ident, $b:ident| $more:tt) => {$(
            compare_all!($ty, |$a, $b| {
                "+": $a.checked_add($b), "-": $a.checked_sub($b), "*": $a.checked_mul($b),
                "/": $a.checked_div($b), "%": $a.checked_rem($b),
                "&": Some($a & $b), "|": Some($a | $b), "^": Some($a ^ $b), "!": Some(!$a),
                "<<": u32::try_from($b).ok().and_then(|by| $a.checked_shl(by)),
                ">>": u32::try_from($b).ok().and_then(|by| $a.checked_shr(by)),
                "min": Some($a.min($b)), "max": Some($a.max($b)), "abs_diff": Some($a.abs_diff($b)),
                "rem_euclid": $a.checked_rem_euclid($b), "div_euclid": $a.checked_div_euclid($b),
                "wrapping_add": Some($a.wrapping_add($b)), "wrapping_sub": Some($a.wrapping_sub($b)),
                "wrapping_mul": Some($a.wrapping_mul($b)), "wrapping_neg": Some($a.wrapping_neg()),
                "saturating_add": Some($a.saturating_add($b)), "saturating_sub": Some($a.saturating_sub($b)),
                "saturating_mul": Some($a.saturating_mul($b)),
                "count_ones": Some($a.count_ones()), "trailing_zeros": Some($a.trailing_zeros()),
                "leading_zeros": Some($a.leading_zeros()), "ilog2": $a.checked_ilog2(),
            });
            compare_all!($ty, |$a, $b| $more);
        )+};
    }

    #[test]
    fn results_are_those_of_the_standard_library() {
        compare_types!([u8 u16 u32 u64 u128 usize], |a, b| {
            "isqrt": Some(a.isqrt()),
            "is_power_of_two": Some(a.is_power_of_two() as u8),
            "is_multiple_of": Some(a.is_multiple_of(b) as u8),
            "div_ceil": (b != 0).then(|| a.div_ceil(b)),
        });
        compare_types!([i8 i16 i32 i64 i128 isize], |a, b| {
            "neg": a.checked_neg(),
            "abs": a.checked_abs(), "unsigned_abs": Some(a.unsigned_abs()), "signum": Some(a.signum()),
            "is_positive": Some(a.is_positive() as u8), "is_negative": Some(a.is_negative() as u8),
        });
    }

    #[test]
    fn powers() {
        for (base, exponent) in (-4_i64..=4).flat_map(|base| (0..60_u32).map(move |exponent| (base, exponent))) {
            for ty in ["i8", "i32", "i64", "u8"] {
                let ty = Types::named(ty).and_then(Types::only).expect("a type");
                let value = i128::from(base).pow(exponent);
                let expected =
                    if (ty.min()..=ty.max()).contains(&value) { Outcome::Is(value) } else { Outcome::Overflows };
                let own = (Method::find("pow").expect("a method").operation)(ty, base.into(), exponent.into(), 0);
                assert_eq!(own, expected, "{base} to the {exponent} in {}", ty.name);
            }
        }
    }

    #[test]
    fn what_is_known_is_the_same_in_all_types() {
        let mut table = TypeTable::default();
        let (any, small) = (Types::all(), Types::holding(100));
        assert_eq!(any.evaluate(|ty| operator("+").expect("an operator")(ty, 100, 27, 0)), Outcome::Is(127));
        assert_eq!(any.evaluate(|ty| operator("+").expect("an operator")(ty, 100, 28, 0)), Outcome::Unclear);
        assert_eq!(any.evaluate(|ty| operator("-").expect("an operator")(ty, 1, 2, 0)), Outcome::Unclear);
        assert_eq!(any.evaluate(|ty| complement(ty, 0)), Outcome::Unclear);
        assert_eq!(small.signed().evaluate(|ty| operator("-").expect("an operator")(ty, 1, 2, 0)), Outcome::Is(-1));
        assert_eq!(Types::holding(-1), any.signed());
        assert!(Types::holding(300).members().all(|(_, ty)| ty.name != "u8" && ty.name != "i8"));
        let (a, b, c) = (table.add(any), table.add(Types::named("u16").expect("a type")), table.add(any));
        assert!(table.unify(a, c).is_some() && table.unify(c, b).is_some());
        assert_eq!(table.get(a).only().map(|ty| ty.name), Some("u16"));
        let signed = table.add(any.signed());
        assert!(table.unify(a, signed).is_none() && !table.narrow(a, any.signed()));
    }
}
