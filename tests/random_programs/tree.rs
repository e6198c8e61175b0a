//! Programs as trees: the part of Rust of which random programs are made, and into which their Jacobians are read.

use std::rc::Rc;

/// A name of a variable, a function or a label.
pub type Name = Rc<str>;

/// A type.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// The float type of the program.
    Float,
    Usize,
    Int,
    Bool,
    /// The enum that programs match on: see [`Law`].
    Law,
    Array(Box<Type>, usize),
    /// So many elements of an array. It is not written: a macro cannot see how many there are.
    Slice(Box<Type>, usize),
    Tuple(Vec<Type>),
    Reference(Box<Type>),
    /// A closure of so many floats that gives one. It is not written.
    Closure(usize),
    /// `_`, which is read only.
    Inferred,
    /// `[T; _]`, which is read only.
    Rows(Box<Type>),
}

/// A value of the enum `Law`.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Law {
    Linear,
    Power { exponent: i32 },
    Scaled(usize, bool),
}

/// An operator between two operands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

/// An operator in front of its operand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Prefix {
    Negative,
    Not,
    Reference,
    Dereference,
}

/// How a function of floats is called.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// `x.sin()`.
    Method,
    /// `f64::sin(x)`.
    Path,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    Float(f64),
    /// A number and its type, which is written behind it if the last field says so.
    Integer(i64, Type, bool),
    Bool(bool),
    Variable(Name),
    Index(Box<Expression>, Box<Expression>),
    /// `base[start..end]`.
    Slice(Box<Expression>, usize, usize),
    Field(Box<Expression>, usize),
    Prefix(Prefix, Box<Expression>),
    /// The number is the branch's where the operator is lazy.
    Binary(Operator, Box<[Expression; 2]>, Branch),
    /// A method, the receiver being the first operand.
    Method(Name, Vec<Expression>, Form),
    Cast(Box<Expression>, Type),
    Array(Vec<Expression>),
    Repeat(Box<Expression>, usize),
    Tuple(Vec<Expression>),
    Block(Block),
    If(Box<If>),
    Match(Box<Match>),
    /// `pattern = value` as the condition of an `if`.
    Let(Pattern, Box<Expression>),
    /// A call of a closure in scope, or of a function of the program.
    Call(Name, Vec<Expression>),
    Closure(Rc<Closure>),
    /// What becomes of the items of an iterator.
    Consume(Box<Items>, Consumer),
    /// `core::array::from_fn(closure)`, where the length is said by a type.
    FromFn(usize, Rc<Closure>),
    /// `array.map(closure)`.
    MapArray(Box<Expression>, Rc<Closure>),
}

/// A number that tells the branches of a program apart.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Branch(pub usize);

/// A block.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    pub statements: Vec<Statement>,
    pub value: Option<Box<Expression>>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct If {
    pub branch: Branch,
    pub condition: Expression,
    pub then: Block,
    /// A block or another `if`.
    pub otherwise: Option<Expression>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    pub branch: Branch,
    pub scrutinee: Expression,
    pub arms: Vec<Arm>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    pub pattern: Pattern,
    pub guard: Option<Expression>,
    pub body: Expression,
}

/// A pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    Any,
    /// A variable, and whether it is `mut`.
    Name(Name, bool),
    Integer(i64),
    Bool(bool),
    /// A range with both ends.
    Range(i64, i64),
    Or(Vec<Pattern>),
    Tuple(Vec<Pattern>),
    Array(Vec<Pattern>),
    Reference(Box<Pattern>),
    Linear,
    Power(Box<Pattern>),
    Scaled(Box<[Pattern; 2]>),
}

/// A closure.
#[derive(Clone, PartialEq, Debug)]
pub struct Closure {
    pub is_move: bool,
    pub parameters: Vec<(Pattern, Option<Type>)>,
    pub body: Expression,
}

/// An iterator.
#[derive(Clone, PartialEq, Debug)]
pub enum Items {
    /// A range, with its end if the last field says so.
    Range(Expression, Expression, bool),
    /// The elements of an array.
    Elements(Expression, Access),
    /// `array.windows(n)`.
    Windows(Expression, usize),
    Reversed(Box<Items>),
    StepBy(Box<Items>, usize),
    Skip(Box<Items>, usize),
    Take(Box<Items>, usize),
    Enumerate(Box<Items>),
    Zip(Box<Items>, Box<Items>),
    Map(Box<Items>, Rc<Closure>),
}

/// How the elements of an array are gone through.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// `array`, where an `IntoIterator` is expected.
    Bare,
    /// `&array`, likewise.
    Borrowed,
    /// `array.iter()`.
    Shared,
    /// `array.iter_mut()`.
    Mutable,
    /// `&mut array`, where an `IntoIterator` is expected.
    MutablyBorrowed,
    /// `array.into_iter()`.
    Owned,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Consumer {
    Sum,
    Product,
    Fold(Box<Expression>, Rc<Closure>),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    Let(Pattern, Option<Type>, Option<Expression>),
    /// An assignment to a place, with the operator of one like `+=`.
    Assign(Expression, Option<Operator>, Expression),
    /// An expression whose value is not used.
    Run(Expression),
    For(Rc<For>),
    Const(Name, Type, Expression),
    Break(Option<Name>),
    Continue(Option<Name>),
    Return(Expression),
    Assert(Expression),
}

#[derive(Clone, PartialEq, Debug)]
pub struct For {
    pub label: Option<Name>,
    pub pattern: Pattern,
    pub items: Items,
    pub body: Block,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    pub name: Name,
    pub ty: Type,
    pub is_mutable: bool,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    pub result: Type,
    pub body: Block,
    pub derivative: Derivative,
}

/// Where the Jacobian of a function comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum Derivative {
    /// It has none of its own.
    None,
    /// The attribute, with these options.
    Attribute(String),
    /// The user: the function with this name.
    Handwritten(Name),
}

/// A program: its last function is the one that is called from outside.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub seed: u64,
    /// `f64` or `f32`.
    pub float: &'static str,
    pub functions: Vec<Function>,
    /// The options of the attribute on the module around the functions, if they are in one.
    pub module: Option<String>,
    /// Which parameters of the last function are differentiated.
    pub active: Vec<bool>,
    /// Whether all operations are rounded correctly, so that every machine gives the same value.
    pub is_exact: bool,
}

impl Program {
    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| &*function.name == name)
    }

    /// The function that is called from outside.
    pub fn main(&self) -> &Function {
        self.functions.last().expect("a program has a function")
    }
}

impl Type {
    /// An array of so many elements of this type.
    pub fn array(element: Type, length: usize) -> Type {
        Type::Array(Box::new(element), length)
    }

    /// The number of floats in a value.
    pub fn floats(&self) -> usize {
        match self {
            Type::Float => 1,
            Type::Array(element, length) | Type::Slice(element, length) => element.floats() * length,
            Type::Tuple(elements) => elements.iter().map(Type::floats).sum(),
            Type::Reference(target) => target.floats(),
            Type::Usize | Type::Int | Type::Bool | Type::Law | Type::Closure(_) | Type::Inferred | Type::Rows(_) => 0,
        }
    }
}

impl Operator {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        SYMBOLS.iter().find(|(operator, _)| *operator == self).expect("every operator has a symbol").1
    }

    /// The operator that is written so.
    pub fn of(symbol: &str) -> Option<Operator> {
        SYMBOLS.iter().find(|(_, known)| *known == symbol).map(|(operator, _)| *operator)
    }
}

const SYMBOLS: &[(Operator, &str)] = &[
    (Operator::Add, "+"),
    (Operator::Sub, "-"),
    (Operator::Mul, "*"),
    (Operator::Div, "/"),
    (Operator::Rem, "%"),
    (Operator::Less, "<"),
    (Operator::LessEqual, "<="),
    (Operator::Greater, ">"),
    (Operator::GreaterEqual, ">="),
    (Operator::Equal, "=="),
    (Operator::NotEqual, "!="),
    (Operator::And, "&&"),
    (Operator::Or, "||"),
];

/// Expressions in few words.
impl Expression {
    pub fn variable(name: &str) -> Expression {
        Expression::Variable(name.into())
    }

    pub fn usize(value: usize) -> Expression {
        Expression::Integer(value as i64, Type::Usize, false)
    }

    pub fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
        Expression::Binary(operator, Box::new([left, right]), Branch(0))
    }

    pub fn method(name: &str, operands: Vec<Expression>) -> Expression {
        Expression::Method(name.into(), operands, Form::Method)
    }

    pub fn index(self, index: Expression) -> Expression {
        Expression::Index(Box::new(self), Box::new(index))
    }

    pub fn field(self, field: usize) -> Expression {
        Expression::Field(Box::new(self), field)
    }

    pub fn negative(self) -> Expression {
        Expression::Prefix(Prefix::Negative, Box::new(self))
    }

    pub fn dereferenced(self) -> Expression {
        Expression::Prefix(Prefix::Dereference, Box::new(self))
    }

    pub fn borrowed(self) -> Expression {
        Expression::Prefix(Prefix::Reference, Box::new(self))
    }

    pub fn cast(self, ty: Type) -> Expression {
        Expression::Cast(Box::new(self), ty)
    }
}
