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
    /// `i32`.
    Int,
    U8,
    I8,
    U64,
    I64,
    Bool,
    /// The enum that programs match on: see [`Law`].
    Law,
    Array(Box<Type>, usize),
    /// This many elements of an array. It is not written: a macro cannot see how many there are.
    Slice(Box<Type>, usize),
    /// `[T]`: passive data, the number of which is known when the program runs.
    Data(Box<Type>),
    Tuple(Vec<Type>),
    Reference(Box<Type>),
    /// `&mut T`, of a parameter.
    Exclusive(Box<Type>),
    Option(Box<Type>),
    /// A struct of the program.
    Struct(Rc<Struct>),
    /// A struct by its name, which is read only.
    Named(Name),
    /// A closure or a function of this many floats that gives one. It is written as a parameter only.
    Closure(usize),
    /// A type parameter of the function.
    Parameter(Rc<TypeParameter>),
    /// `[T; NAME]`.
    Sized(Box<Type>, Name),
    /// `Cell<u64>`.
    Cell,
    /// An integer type that is not inferred yet, by its number; and that of a literal that is read. They are not
    /// written.
    Open(usize),
    /// `_`, which is read only.
    Inferred,
    /// `[T; _]`, which is read only.
    Rows(Box<Type>),
}

/// A type parameter: what it can do besides being copied.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeParameter {
    pub name: Name,
    pub bounds: Vec<Operation>,
}

/// An operator that a type parameter has, the result of which is of the type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    Add,
    Sub,
    /// The product with a float.
    Scale,
    Neg,
}

/// A struct: its fields in order, the names of which are numbers where it is a tuple.
#[derive(Clone, PartialEq, Debug)]
pub struct Struct {
    pub name: Name,
    pub fields: Vec<(Name, Type)>,
    pub is_tuple: bool,
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
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

/// An operator before its operand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Prefix {
    Negative,
    Not,
    Reference,
    /// `&mut`.
    Exclusive,
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
    /// A number and its type, which is written after it if the last field says so.
    Integer(i128, Type, bool),
    Bool(bool),
    /// A variable, or a constant, perhaps by a path.
    Variable(Name),
    Index(Box<Expression>, Box<Expression>),
    /// `base[start..end]`.
    Slice(Box<Expression>, usize, usize),
    Field(Box<Expression>, usize),
    /// A field with a name.
    Member(Box<Expression>, Name),
    /// `Name { field: value, ..rest }`, by a path.
    Struct(Name, Vec<(Name, Expression)>, Option<Box<Expression>>),
    Prefix(Prefix, Box<Expression>),
    /// The number is the branch's where the operator is lazy.
    Binary(Operator, Box<[Expression; 2]>, Branch),
    /// A method, the receiver being the first operand.
    Method(Name, Vec<Expression>, Form),
    Cast(Box<Expression>, Type),
    Array(Vec<Expression>),
    /// `[element; length]`.
    Repeat(Box<[Expression; 2]>),
    Tuple(Vec<Expression>),
    /// `Some(value)`, or `None`.
    Option(Option<Box<Expression>>),
    /// `value?`, of an option.
    Try(Box<Expression>),
    Block(Block),
    /// A block that can be left by its label.
    Labelled(Name, Block),
    If(Box<If>),
    Match(Box<Match>),
    /// `pattern = value` as the condition of an `if`.
    Let(Pattern, Box<Expression>),
    /// A call of a closure in scope, or of a function of the program, perhaps by a path.
    Call(Name, Vec<Expression>),
    Closure(Rc<Closure>),
    /// An iterator that is kept, to be advanced by hand.
    Items(Box<Items>),
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
    /// `Name { field: pattern, .. }`, by a path, with the two dots if the last field says so.
    Struct(Name, Vec<(Name, Pattern)>, bool),
    /// `Name(pattern, pattern)`.
    TupleStruct(Name, Vec<Pattern>),
    Reference(Box<Pattern>),
    Linear,
    Power(Box<Pattern>),
    Scaled(Box<[Pattern; 2]>),
    Some(Box<Pattern>),
    None,
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
    Windows(Expression, Expression),
    /// `array.chunks_exact(n)`.
    Chunks(Expression, Expression),
    Reversed(Box<Items>),
    StepBy(Box<Items>, Expression),
    Skip(Box<Items>, Expression),
    Take(Box<Items>, Expression),
    Enumerate(Box<Items>),
    Zip(Box<Items>, Box<Items>),
    Copied(Box<Items>),
    Map(Box<Items>, Rc<Closure>),
    /// What the closure gives in `Some`; no other iterator is around it.
    FilterMap(Box<Items>, Rc<Closure>),
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
    Reduce(Rc<Closure>),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    Let(Pattern, Option<Type>, Option<Expression>),
    /// `let pattern = value else { ... };`, where the block jumps.
    LetElse(Box<LetElse>),
    /// An assignment to a place, with the operator of one like `+=`.
    Assign(Expression, Option<Operator>, Expression),
    /// An expression whose value is not used.
    Run(Expression),
    For(Rc<For>),
    While(Rc<While>),
    /// An item, which is seen in all of its block.
    Item(Item),
    Break(Option<Name>),
    /// `break 'label value;`.
    BreakWith(Name, Expression),
    Continue(Option<Name>),
    Return(Expression),
    Assert(Expression),
}

#[derive(Clone, PartialEq, Debug)]
pub struct LetElse {
    pub branch: Branch,
    pub pattern: Pattern,
    pub value: Expression,
    pub otherwise: Block,
}

#[derive(Clone, PartialEq, Debug)]
pub struct For {
    pub label: Option<Name>,
    pub pattern: Pattern,
    pub items: Items,
    pub body: Block,
}

/// `while condition { ... }`, or a `loop` where there is no condition.
#[derive(Clone, PartialEq, Debug)]
pub struct While {
    pub label: Option<Name>,
    pub condition: Option<Expression>,
    pub body: Block,
}

/// An item of a module or of a block, if it is configured.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    pub cfg: Option<Cfg>,
    pub kind: ItemKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ItemKind {
    Const(Name, Type, Expression),
    /// `use path as name;`.
    Use(Name, Name),
    /// `use path::*;`.
    Glob(Name),
    Function(Function),
    Module(Name, Vec<Item>),
    Struct(Rc<Struct>),
    Impl(Impl),
}

/// An `impl` block. The first parameter of a method is called `self`.
#[derive(Clone, PartialEq, Debug)]
pub struct Impl {
    /// The trait that is implemented, as it is written after `impl`.
    pub of: Option<Implemented>,
    pub ty: Type,
    /// Constants of floats.
    pub constants: Vec<(Name, f64)>,
    pub functions: Vec<Function>,
}

/// A trait that is implemented.
#[derive(Clone, PartialEq, Debug)]
pub struct Implemented {
    /// The path to it.
    pub path: Name,
    pub argument: Option<Type>,
    /// `type Output = ...;`.
    pub output: Option<Type>,
}

/// How an item is configured.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Cfg {
    /// `#[cfg(any())]`.
    Any,
    /// `#[cfg(all())]`.
    All,
    /// `#[cfg(not(any()))]`.
    NotAny,
    /// `#[cfg_attr(all(), cfg(any()))]`.
    AttributeAny,
    /// `#[cfg_attr(any(), cfg(any()))]`.
    NoAttribute,
}

impl Cfg {
    /// Those with which an item is there, and those with which it is not.
    pub const PRESENT: [Cfg; 3] = [Cfg::All, Cfg::NotAny, Cfg::NoAttribute];
    pub const ABSENT: [Cfg; 2] = [Cfg::Any, Cfg::AttributeAny];

    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Cfg::Any => "#[cfg(any())]",
            Cfg::All => "#[cfg(all())]",
            Cfg::NotAny => "#[cfg(not(any()))]",
            Cfg::AttributeAny => "#[cfg_attr(all(), cfg(any()))]",
            Cfg::NoAttribute => "#[cfg_attr(any(), cfg(any()))]",
        }
    }
}

/// Whether an item that is configured like this is there.
pub fn is_present(cfg: Option<Cfg>) -> bool {
    cfg.is_none_or(|cfg| Cfg::PRESENT.contains(&cfg))
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
    pub cfg: Option<Cfg>,
    pub name: Name,
    /// `const NAME: usize`, and the number that it stands for; what a call says where that is negative.
    pub generics: Vec<(Name, i128)>,
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
    /// The other items beside the functions.
    pub items: Vec<Item>,
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
        self.functions.iter().find(|function| &*function.name == name && is_present(function.cfg))
    }

    /// The function that is called from outside.
    pub fn main(&self) -> &Function {
        self.functions.iter().rfind(|function| is_present(function.cfg)).expect("a program has a function")
    }
}

impl Type {
    /// An option of this type.
    pub fn option(inner: Type) -> Type {
        Type::Option(Box::new(inner))
    }

    /// An array of this many elements of this type.
    pub fn array(element: Type, length: usize) -> Type {
        Type::Array(Box::new(element), length)
    }

    /// The number of floats in a value.
    pub fn floats(&self) -> usize {
        match self {
            Type::Float => 1,
            Type::Array(element, length) | Type::Slice(element, length) => element.floats() * length,
            Type::Tuple(elements) => elements.iter().map(Type::floats).sum(),
            Type::Reference(target) | Type::Exclusive(target) => target.floats(),
            Type::Struct(own) => own.fields.iter().map(|(_, ty)| ty.floats()).sum(),
            _ => 0,
        }
    }

    /// Whether there is something else than floats in a value: integers in structs.
    pub fn has_integers(&self) -> bool {
        match self {
            Type::Array(inner, _) | Type::Slice(inner, _) | Type::Reference(inner) | Type::Exclusive(inner) => {
                inner.has_integers()
            }
            Type::Tuple(elements) => elements.iter().any(Type::has_integers),
            Type::Struct(own) => own.fields.iter().any(|(_, ty)| ty.has_integers()),
            ty => ty.limits().is_some(),
        }
    }

    /// The least and the greatest number of an integer type.
    pub fn limits(&self) -> Option<(i128, i128)> {
        Some(match self {
            Type::Usize | Type::U64 => (0, u64::MAX.into()),
            Type::Int => (i32::MIN.into(), i32::MAX.into()),
            Type::U8 => (0, u8::MAX.into()),
            Type::I8 => (i8::MIN.into(), i8::MAX.into()),
            Type::I64 => (i64::MIN.into(), i64::MAX.into()),
            _ => return None,
        })
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
    (Operator::BitAnd, "&"),
    (Operator::BitOr, "|"),
    (Operator::BitXor, "^"),
    (Operator::ShiftLeft, "<<"),
    (Operator::ShiftRight, ">>"),
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
        Expression::integer(value as i64, Type::Usize)
    }

    pub fn integer(value: i64, ty: Type) -> Expression {
        Expression::Integer(value.into(), ty, false)
    }

    /// `[element; length]`.
    pub fn repeated(element: Expression, length: Expression) -> Expression {
        Expression::Repeat(Box::new([element, length]))
    }

    pub fn call(name: &str, arguments: Vec<Expression>) -> Expression {
        Expression::Call(name.into(), arguments)
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

    /// A field of a struct, or of a tuple.
    pub fn member(self, field: &str) -> Expression {
        match field.parse() {
            Ok(number) => self.field(number),
            Err(_) => Expression::Member(Box::new(self), field.into()),
        }
    }

    pub fn negative(self) -> Expression {
        Expression::Prefix(Prefix::Negative, Box::new(self))
    }

    pub fn some(self) -> Expression {
        Expression::Option(Some(Box::new(self)))
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

/// Statements in few words.
impl Statement {
    /// `let name = value;`.
    pub fn bind(name: &str, value: Expression) -> Statement {
        Statement::Let(Pattern::Name(name.into(), false), None, Some(value))
    }

    /// `let mut name = value;`.
    pub fn variable(name: &str, value: Expression) -> Statement {
        Statement::Let(Pattern::Name(name.into(), true), None, Some(value))
    }

    /// An item that is always there.
    pub fn item(kind: ItemKind) -> Statement {
        Statement::Item(Item { cfg: None, kind })
    }
}
