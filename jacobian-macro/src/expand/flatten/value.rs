//! Values of the user's expressions, as they are known when the function is flattened.

use jacobian_core::code_list::ValueId;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::Type;

use super::super::shape::Shape;
use super::super::vector::Layout;

/// Why the result of `into` is refused where its type is not known.
pub const INTO: &str =
    "which type `into` gives is not known here; bind it with its type first: `let v: Vector3<f64> = ...;`";

/// The value of an expression.
#[derive(Clone)]
pub enum Value {
    /// An active float.
    Active(Active),
    /// A truth value that depends on active values.
    Condition(Active),
    /// What a call returns of a function that has a Jacobian of its own: a float or an array of these.
    Called(Active),
    /// An array whose elements are known one by one.
    Array(Vec<Value>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A vector, a matrix or a point of nalgebra, whose elements are known one by one.
    Vector(Vector),
    /// What `into` makes of an array or a vector, before its type is known.
    Into(Box<Value>),
    /// What depends on no active value: kept as the user wrote it.
    Passive(Passive),
    /// A variable that is declared and not yet assigned.
    Unset,
    /// An error has been reported; whatever uses the value says no more.
    Error,
}

/// A vector, a matrix or a point of nalgebra.
#[derive(Clone)]
pub struct Vector {
    /// Its form.
    pub layout: Layout,
    /// Its elements in the order of its storage.
    pub elements: Vec<Value>,
    /// Its type, where the user has written it.
    pub ty: Option<TokenStream>,
}

/// A value of a code list.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Active {
    /// The number of frames around that of the list.
    pub level: usize,
    /// The value in the list.
    pub id: ValueId,
}

/// A passive expression.
#[derive(Clone)]
pub struct Passive {
    tokens: TokenStream,
    is_compound: bool,
    /// The number that it is, where it is a literal or a constant of the function.
    pub number: Option<Number>,
    /// The shape, where the signature tells it.
    pub shape: Option<Shape>,
    /// Whether it can be a reference to what the user takes it for, as a pattern binds fields behind a reference.
    pub may_refer: bool,
}

/// A number that is known when the function is expanded.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// The digits of a float, with its sign; its value depends on the precision.
    Float(String),
}

impl Passive {
    /// An expression that binds more closely than every operator: a path, a call, a literal, a field.
    pub fn simple(tokens: TokenStream) -> Self {
        Passive { tokens, is_compound: false, number: None, shape: None, may_refer: false }
    }

    /// Any other expression.
    pub fn compound(tokens: TokenStream) -> Self {
        Passive { is_compound: true, ..Passive::simple(tokens) }
    }

    /// The expression, with the number that it is.
    pub fn with_number(self, number: Option<Number>) -> Self {
        Passive { number, ..self }
    }

    /// The expression, which can be a reference to what the user takes it for.
    pub fn behind_reference(self) -> Self {
        Passive { may_refer: true, ..self }
    }

    /// The expression, with its shape.
    pub fn with_shape(self, shape: Option<Shape>) -> Self {
        Passive { shape, ..self }
    }

    /// Whether it is known to be an array, or a reference to one.
    pub fn is_array(&self) -> bool {
        matches!(self.shape.as_ref().map(Shape::behind_references), Some(Shape::Array(..)))
    }

    /// Whether a function is called in it. Such an expression is evaluated exactly once, in its turn.
    pub fn has_call(&self) -> bool {
        has_call(self.tokens.clone())
    }

    /// Whether it is a variable, or a constant.
    pub fn is_variable(&self) -> bool {
        let mut tokens = self.tokens.clone().into_iter();
        matches!((tokens.next(), tokens.next()), (Some(TokenTree::Ident(_)), None))
    }

    /// Whether nothing can change it: it is a number, a constant or a variable.
    pub fn is_fixed(&self) -> bool {
        self.number.is_some() || self.is_variable()
    }

    /// The expression as an operand: in parentheses where it needs them.
    pub fn operand(&self) -> TokenStream {
        let tokens = &self.tokens;
        match self.is_compound {
            true => quote!((#tokens)),
            false => tokens.clone(),
        }
    }

    /// The expression by itself.
    pub fn tokens(&self) -> &TokenStream {
        &self.tokens
    }
}

impl Value {
    /// The unit value.
    pub fn unit() -> Self {
        Value::Tuple(Vec::new())
    }

    /// The known integer that the value is.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Passive(Passive { number: Some(Number::Int(value)), .. }) => Some(*value),
            _ => None,
        }
    }

    /// The number of values in it that are neither arrays nor tuples.
    pub fn count(&self) -> usize {
        match self {
            Value::Array(elements) | Value::Tuple(elements) | Value::Vector(Vector { elements, .. }) => {
                elements.iter().map(Value::count).sum()
            }
            Value::Into(source) => source.count(),
            _ => 1,
        }
    }

    /// Whether an error is in it.
    pub fn is_error(&self) -> bool {
        match self {
            Value::Error => true,
            Value::Array(elements) | Value::Tuple(elements) | Value::Vector(Vector { elements, .. }) => {
                elements.iter().any(Value::is_error)
            }
            Value::Into(source) => source.is_error(),
            _ => false,
        }
    }

    /// Whether nothing in it is active.
    pub fn is_passive(&self) -> bool {
        match self {
            Value::Array(elements) | Value::Tuple(elements) | Value::Vector(Vector { elements, .. }) => {
                elements.iter().all(Value::is_passive)
            }
            value => matches!(value, Value::Passive(_)),
        }
    }

    /// The value as a passive expression, if nothing in it is active.
    pub fn to_passive(&self) -> Option<Passive> {
        match self {
            Value::Passive(passive) => Some(passive.clone()),
            Value::Array(elements) => {
                let elements = tokens_of(elements)?;
                Some(Passive::simple(quote!([#(#elements),*])))
            }
            Value::Tuple(elements) => {
                let elements = tokens_of(elements)?;
                Some(Passive::simple(quote!((#(#elements,)*))))
            }
            Value::Vector(vector) => {
                let (elements, ty) = (tokens_of(&vector.elements)?, vector.ty.as_ref()?);
                let array = vector.layout.nested(&elements);
                Some(Passive::simple(quote!(<#ty>::from(#array))))
            }
            Value::Active(_)
            | Value::Condition(_)
            | Value::Called(_)
            | Value::Into(_)
            | Value::Unset
            | Value::Error => None,
        }
    }
}

/// Whether brackets of arguments are in `tokens`.
pub fn has_call(tokens: TokenStream) -> bool {
    let mut is_callee = false;
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => {
            let is_call = is_callee && group.delimiter() == Delimiter::Parenthesis;
            is_callee = false;
            is_call || has_call(group.stream())
        }
        TokenTree::Ident(_) => {
            is_callee = true;
            false
        }
        TokenTree::Punct(punct) => {
            is_callee = punct.as_char() == '>';
            false
        }
        TokenTree::Literal(_) => {
            is_callee = false;
            false
        }
    })
}

fn tokens_of(elements: &[Value]) -> Option<Vec<TokenStream>> {
    elements.iter().map(|element| Some(element.to_passive()?.tokens().clone())).collect()
}

/// A variable or constant of the function.
#[derive(Clone)]
pub struct Binding {
    /// Its present value.
    pub value: Value,
    /// The type that it was declared with.
    pub ty: Option<Type>,
}
