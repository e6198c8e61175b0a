//! Numbers, truth values and variants of enums that are known when the function is expanded, with what is known of their
//! types, and how they are written.

pub mod evaluate;
pub mod infer;
pub mod integer;

use std::rc::Rc;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Lit;

use jacobian_list::code_list::Precision;

use self::infer::{Literals, Use};
use self::integer::{TypeId, TypeTable, Types};
use super::super::module::Declarations;
use super::super::read::scalar::Scalar;
use super::super::read::shape::{Opaque, Shape};
use super::super::read::with::With;
use super::super::syntax::{Body, Expr, Type, TypeKind, VariableId};
use super::value::{Passive, Value};

/// A number, a truth value, a variant of an enum, or a table of those, that is known when the function is expanded.
#[derive(Clone, PartialEq)]
pub enum Number {
    /// An integer.
    Int(Int),
    /// A truth value.
    Bool(bool),
    /// The digits of a float, with its sign; its value depends on the precision.
    Float(String),
    /// A variant that holds nothing.
    Unit(Unit),
    /// An array.
    Table(Rc<[Number]>),
}

/// An integer that is known.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Int {
    /// Its value, which is right in every type that it can have.
    pub value: i128,
    /// Its type.
    pub ty: TypeId,
}

/// A variant that is known, of an enum of the module that can be copied.
#[derive(Clone)]
pub struct Unit {
    /// The enum.
    pub of: Rc<Opaque>,
    /// The number of the variant among those that hold nothing.
    pub variant: usize,
}

impl PartialEq for Unit {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.of, &other.of) && self.variant == other.variant
    }
}

impl Unit {
    /// The name of the variant.
    pub fn name(&self) -> &Ident {
        &self.of.units[self.variant].name
    }

    /// The integer that `as` makes of it.
    pub fn discriminant(&self) -> Option<i128> {
        self.of.units[self.variant].discriminant
    }

    /// It as an expression.
    fn written(&self) -> Passive {
        let (path, name) = (self.of.path(), self.name());
        Passive::simple(quote!(#path::#name)).settled()
    }
}

impl Number {
    /// The integer that it is.
    pub fn as_int(&self) -> Option<Int> {
        match self {
            Number::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// The shape of a variant, or of an array of variants.
    pub fn shape_of_units(&self) -> Option<Shape> {
        match self {
            Number::Unit(unit) => Some(Shape::Opaque(unit.of.clone())),
            Number::Table(table) => Some(Shape::Array(Box::new(table.first()?.shape_of_units()?), table.len())),
            Number::Int(_) | Number::Bool(_) | Number::Float(_) => None,
        }
    }
}

/// What is known of the numbers of the functions that are lowered.
pub struct Numbers {
    /// The type of all floats.
    scalar: Scalar,
    /// What is known of the types of integers.
    pub types: TypeTable,
    /// The types of the literals in the functions.
    pub literals: Literals,
}

impl Numbers {
    /// Nothing is known yet, but of which type all floats are.
    pub fn new(scalar: &Scalar) -> Self {
        Numbers { scalar: scalar.clone(), types: TypeTable::default(), literals: Literals::default() }
    }

    /// Finds out the types of the literals of a function or a constant, which sees these functions.
    pub fn infer(&mut self, body: &Rc<Body>, functions: (&Declarations, &[With]), is_inlined: bool) {
        self.literals.infer(body, &mut self.types, functions, &self.scalar, is_inlined);
    }

    /// An integer that can have one of `types`.
    pub fn int(&mut self, value: i128, types: Types) -> Number {
        Number::Int(Int { value, ty: self.types.add(types) })
    }

    /// An index or a length, as an expression.
    pub fn usize(&mut self, value: usize) -> Passive {
        let types = Types::named("usize").unwrap_or_default();
        let number = self.int(value as i128, types);
        self.known(number, Passive::simple(Literal::usize_suffixed(value).to_token_stream()))
    }

    /// The number that a literal is.
    pub fn literal_number(&mut self, expression: &Expr, literal: &Lit) -> Option<Number> {
        let own = self.scalar.suffix();
        match literal {
            Lit::Float(float) if float.suffix().is_empty() && self.is_of_other_float(expression) => None,
            Lit::Float(float) if float.suffix().is_empty() || Some(float.suffix()) == own => {
                Some(Number::Float(float.base10_digits().to_string()))
            }
            Lit::Int(int) if Some(int.suffix()) == own => Some(Number::Float(int.base10_digits().to_string())),
            Lit::Int(int) => self.literal_int(expression, int.base10_digits(), int.suffix()),
            Lit::Byte(byte) => self.literal_int(expression, &byte.value().to_string(), "u8"),
            Lit::Bool(value) => Some(Number::Bool(value.value)),
            _ => None,
        }
    }

    /// A literal as it is written. A float has its type, where what tells that may be missing from the generated code:
    /// rustc would take it for an `f64`, and finds no methods of it.
    pub fn written(&mut self, expression: &Expr, literal: &Lit) -> TokenStream {
        let plain = literal.to_token_stream();
        let (Lit::Float(float), Some((id, used))) = (literal, self.literals.used(expression)) else { return plain };
        let Some(ty) = self.types.get(id).only().filter(|_| float.suffix().is_empty()) else { return plain };
        let is_plain =
            ty.name == "f64" && self.scalar.suffix() == Some("f64") && !self.literals.is_told_elsewhere(expression);
        match is_plain || used == Use::AsConstant {
            true => plain,
            false => with_suffix(float.base10_digits(), ty.name),
        }
    }

    /// The type of a variable of a function, if it is one of this function's floats.
    pub fn type_of_float(&mut self, body: &Body, variable: VariableId) -> Option<TokenStream> {
        let ty = self.types.get(self.literals.float(body, variable)?).only()?;
        (Some(ty.name) == self.scalar.suffix()).then(|| self.scalar.ty())
    }

    /// Whether a literal is a float, but none of this function's.
    fn is_of_other_float(&mut self, literal: &Expr) -> bool {
        let Some(id) = self.literals.ty(literal) else { return false };
        let ty = self.types.get(id).only();
        matches!(self.scalar, Scalar::Primitive(_)) && ty.is_some_and(|ty| Some(ty.name) != self.scalar.suffix())
    }

    /// An integer as it is written, unless its type does not have it. All evaluations of a literal are of one type.
    pub fn literal_int(&mut self, literal: &Expr, digits: &str, suffix: &str) -> Option<Number> {
        let value = digits.parse().ok()?;
        let types = Types::holding(value);
        let id = self.literals.ty(literal).unwrap_or_else(|| self.types.add(types));
        let fits = types != Types::default()
            && (suffix.is_empty() || Types::named(suffix).is_some_and(|ty| self.types.narrow(id, ty)));
        fits.then_some(Number::Int(Int { value, ty: id }))
    }

    /// The expression of a number: a literal where its type is known, else as it is written.
    pub fn known(&mut self, number: Number, written: Passive) -> Passive {
        let expression = match &number {
            Number::Int(int) => self.types.get(int.ty).only().map(|ty| literal(int.value, ty.name)),
            Number::Bool(value) => Some(Passive::simple(quote_spanned!(Span::mixed_site()=> #value))),
            Number::Unit(unit) => Some(unit.written()),
            Number::Float(_) | Number::Table(_) => None,
        };
        expression.unwrap_or(written.owned(true)).with_number(Some(number))
    }

    /// Whether the expression of a number is a literal, which needs no variable.
    pub fn is_literal(&mut self, number: &Number) -> bool {
        match number {
            Number::Int(int) => self.types.get(int.ty).only().is_some(),
            Number::Bool(_) | Number::Unit(_) => true,
            Number::Float(_) | Number::Table(_) => false,
        }
    }

    /// Notes that `number` has the type `ty`. None where that cannot be.
    pub fn typed(&mut self, number: Number, ty: &Type) -> Option<Number> {
        match (&number, &ty.kind) {
            (Number::Int(int), _) => match integer_type(ty) {
                Some(types) => self.types.narrow(int.ty, types).then_some(number),
                None => Some(number),
            },
            (Number::Table(numbers), TypeKind::Array(element, _)) => {
                let typed: Option<Vec<_>> = numbers.iter().map(|number| self.typed(number.clone(), element)).collect();
                Some(Number::Table(typed?.into()))
            }
            _ => Some(number),
        }
    }

    /// Notes that two numbers are of one type, as a variable and what it is assigned are.
    pub fn same_type(&mut self, left: &Number, right: &Number) {
        match (left, right) {
            (Number::Int(left), Number::Int(right)) => {
                self.types.unify(left.ty, right.ty);
            }
            (Number::Table(left), Number::Table(right)) => {
                left.iter().zip(right.iter()).for_each(|(left, right)| self.same_type(left, right));
            }
            _ => {}
        }
    }

    /// Whether a value is plainly one of this function's floats.
    pub fn is_float(&self, value: &Value) -> bool {
        match value {
            Value::Active(_) => true,
            Value::Passive(Passive { number: Some(Number::Float(_)), .. }) => {
                let tokens = value.to_passive().map(|passive| passive.tokens().to_string()).unwrap_or_default();
                self.scalar.suffix().is_some_and(|suffix| tokens.ends_with(suffix))
            }
            _ => false,
        }
    }

    /// Writes a known float, which is of this function's type, so that the type is plain. A reference to one stays a
    /// reference.
    pub fn make_float(&self, value: &mut Value) {
        let (Value::Passive(passive), Scalar::Primitive(precision)) = (&mut *value, &self.scalar) else { return };
        let Some(Number::Float(digits)) = &passive.number else { return };
        let mut written = float_literal(digits, *precision, &self.scalar);
        let mut shape = passive.shape.clone();
        while let Some(Shape::Reference(target)) = shape {
            let operand = written.operand();
            written = Passive::compound(quote!(&#operand)).referring_to(passive).with_number(passive.number.clone());
            shape = Some(*target);
        }
        *value = Value::Passive(match &passive.shape {
            Some(reference @ Shape::Reference(_)) => written.with_shape(Some(reference.clone())),
            _ => written,
        });
    }
}

/// The type of integers or of floats that is written, by its plain name.
pub(super) fn number_type(path: &syn::TypePath) -> Option<Types> {
    let name = path.path.get_ident().filter(|_| path.qself.is_none())?.to_string();
    Types::named(&name).or_else(|| Types::float(&name))
}

/// The integer type that is written, by its plain name.
pub fn integer_type(ty: &Type) -> Option<Types> {
    match &ty.kind {
        TypeKind::Path(path, _) if path.qself.is_none() => Types::named(&path.path.get_ident()?.to_string()),
        _ => None,
    }
}

/// An integer as a literal of the generated code.
fn literal(value: i128, ty: &str) -> Passive {
    let magnitude: Option<Literal> = format!("{}{ty}", value.unsigned_abs()).parse().ok();
    match value < 0 {
        true => Passive::operation(quote_spanned!(Span::mixed_site()=> -#magnitude)),
        false => Passive::simple(magnitude.to_token_stream()).owned(true),
    }
}

/// The digits of a float, without a sign, as a literal with its type.
pub fn with_suffix(digits: &str, ty: &str) -> TokenStream {
    let literal: Option<Literal> = format!("{}_{ty}", digits.trim_end_matches('.')).parse().ok();
    literal.to_token_stream()
}

/// A float as a literal with its type. It is known if it is of the function's own type.
pub fn float_literal(digits: &str, precision: Precision, own: &Scalar) -> Passive {
    let scalar = Scalar::Primitive(precision);
    let literal = with_suffix(digits.trim_start_matches('-'), scalar.suffix().unwrap_or_default());
    let written = match digits.starts_with('-') {
        true => Passive::operation(quote!(-#literal)),
        false => Passive::simple(quote!(#literal)).owned(true),
    };
    written.with_number((scalar == *own).then(|| Number::Float(digits.to_string())))
}
