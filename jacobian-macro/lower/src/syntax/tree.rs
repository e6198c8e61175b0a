//! The syntax tree of a function: what is understood of Rust, every node with its place in the user's source, and every
//! name bound to what it means.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::{BinOp, Lit, UnOp};

use super::fallible::Fallible;
use super::key::Key;
use super::place::{Place, Placed};

/// A variable of a function, numbered in the order of their declarations.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(pub u32);

/// A constant that is declared inside a function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConstantId(pub u32);

/// A name that a `use` inside a function declares.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ImportId(pub u32);

/// An item that is declared inside a function and kept as it is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ItemId(pub u32);

/// What a jump can lead out of: a loop, or a block with a label.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct TargetId(pub u32);

/// What the first name of a path means.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Binding {
    /// A variable of the function.
    Variable(VariableId),
    /// A constant that is declared inside of the function.
    Constant(ConstantId),
    /// A name that is declared by a `use` inside of the function.
    Import(ImportId),
    /// Another item that is declared inside of the function.
    Local(ItemId),
    /// A parameter of the function's generics.
    Generic,
    /// An item of the module that `#[jacobian]` is on.
    Item,
    /// Perhaps a name out of a `use ...::*` inside of the function.
    Unclear,
    /// A name from outside of all that is seen here.
    Outside,
}

/// How `Vec`s of a function are read.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub enum Collections {
    /// As what they are: they are passive as a whole.
    #[default]
    Kept,
    /// As arrays, which hold active values.
    Arrays,
}

/// The body of a function, and what is declared in it.
#[derive(Clone, Default)]
pub struct Body {
    /// The statements.
    pub block: Block,
    /// The generics.
    pub generics: syn::Generics,
    /// The const parameters of the generics, each with its type.
    pub const_parameters: Vec<(Key, Type)>,
    /// `self`, where it is a parameter.
    pub receiver: Option<(VariableId, Ident)>,
    /// The patterns of the parameters, without `self`, each with its type.
    pub parameters: Vec<(Pattern, Type)>,
    /// The type of the result, if one is written; of what is in it, where it is an `Option` or a `Result` of floats.
    pub output: Option<Type>,
    /// The type of the result, where it is such a one.
    pub fallible: Option<Fallible>,
    /// The same function, read as one whose value is the `Option` itself, where it gives one.
    pub with_option: Option<Rc<Body>>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The labels of loops and blocks, by their targets.
    pub labels: Vec<Option<syn::Label>>,
    /// The variables that are changed otherwise than by an assignment to all of them: by a method, through a reference,
    /// in a part.
    pub changed: HashSet<VariableId>,
    /// The variables of which methods are called that change nothing, unless they are the user's.
    pub read: HashSet<VariableId>,
    /// Whether it has more early returns than become values.
    pub has_many_returns: bool,
    /// The constants.
    pub constants: Vec<Rc<Constant>>,
    /// The names that are imported.
    pub imports: Vec<Import>,
    /// The other items.
    pub items: Vec<Rc<LocalItem>>,
    /// How many of the names and of the items are those of the function around this one, which it sees.
    pub from_around: FromAround,
    /// The names that mean something outside of the function.
    pub outside: HashSet<String>,
    /// Whether macros are called that are not known. What they stand for may name items.
    pub calls_macros: bool,
    /// Whether errors are converted by a `?` which are dropped.
    pub converts_errors: bool,
    /// Whether there may be `Vec`s in it.
    pub has_collections: bool,
    /// The variables in which these stay what they are, where others are read as arrays.
    pub keeping: HashSet<VariableId>,
}

/// A variable of a function.
#[derive(Clone)]
pub struct Variable {
    /// Its name, as it is in its declaration.
    pub ident: Ident,
    /// Whether it is declared as `mut`.
    pub is_mut: bool,
    /// Whether it is none of the user's, but notes a jump.
    pub is_note: bool,
}

/// How many of the declarations of a function are those of the function around it.
#[derive(Copy, Clone, Default)]
pub struct FromAround {
    /// Imported names.
    pub imports: usize,
    /// Items.
    pub items: usize,
}

/// An item inside of a function: a `static`, a function, a type, a trait or an `impl`.
pub struct LocalItem {
    /// Its name, if it has one.
    pub ident: Option<Ident>,
    /// The item.
    pub written: Written,
    /// Whether it is a trait.
    pub is_trait: bool,
    /// What it is if it is a function. Functions may mention each other, so that their bodies are read after all names
    /// are declared.
    pub function: OnceCell<LocalFunction>,
}

/// A function inside of a function.
pub struct LocalFunction {
    /// The function.
    pub item: syn::ItemFn,
    /// Its body.
    pub body: Rc<Body>,
}

/// A constant.
#[derive(Clone)]
pub struct Constant {
    /// Its name.
    pub ident: Ident,
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub value: Expr,
}

/// A name that a `use` declares, or what stands for all names of one.
#[derive(Clone)]
pub struct Import {
    /// The path of what is imported.
    pub path: Written,
    /// The name; none for `*` and `_`.
    pub ident: Option<Ident>,
    /// Whether it is `use path::*`.
    pub is_glob: bool,
    /// Whether it stands in an inner block.
    pub is_inner: bool,
    /// Whether it is surely no trait, whose methods need it where nothing names it: something names it, and as a value
    /// or as a module, as far as can be seen.
    pub is_no_trait: Option<bool>,
    /// Where it is.
    pub place: Place,
}

impl Import {
    /// Whether it names something of the standard library.
    pub fn is_of_std(&self) -> bool {
        let first = self.path.tokens.clone().into_iter().find_map(|token| match token {
            TokenTree::Ident(ident) => Some(ident),
            _ => None,
        });
        first.is_some_and(|root| ["std", "core", "alloc"].iter().any(|name| root == name))
    }

    /// Whether it may be a trait, as far as can be seen: nothing else names it, and it is written like one.
    pub fn may_be_trait(&self) -> bool {
        match &self.ident {
            None => !self.is_glob,
            Some(ident) => {
                let name = ident.unraw().to_string();
                let is_written_so = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
                self.is_no_trait.is_none() && (is_written_so || name.len() == 1)
            }
        }
    }
}

/// Statements in braces. Its value is that of the last statement, if that is an expression without a semicolon.
#[derive(Clone)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// Where it is.
    pub place: Place,
}

impl Default for Block {
    fn default() -> Self {
        Block { statements: Vec::new(), place: Place::of(proc_macro2::Span::call_site()) }
    }
}

/// A statement.
#[derive(Clone)]
pub enum Statement {
    /// `let pattern: ty = value else { otherwise };`
    Let(Rc<Let>),
    /// An expression, and whether it is the value of its block.
    Expr(Expr, bool),
}

/// A `let` statement.
#[derive(Clone)]
pub struct Let {
    /// What is bound.
    pub pattern: Pattern,
    /// The type that is declared.
    pub ty: Option<Type>,
    /// The value, if there is one yet.
    pub value: Option<Expr>,
    /// What follows `else`.
    pub otherwise: Option<Expr>,
    /// Where it is; that of `else` for a statement with one.
    pub place: Place,
}

/// An expression. A copy of it shares all of it.
#[derive(Clone)]
pub struct Expr {
    /// What it is.
    pub kind: Rc<ExprKind>,
    /// Where it is.
    pub place: Place,
}

/// What an expression is.
#[derive(Clone)]
pub enum ExprKind {
    /// A literal.
    Literal(Lit),
    /// A variable.
    Variable(VariableId, Ident),
    /// Any other path.
    Path(Path),
    /// `-a`, `!a` and `*a`.
    Unary(UnOp, Expr),
    /// An operation on two operands, `&&` and `||` among them.
    Binary(BinOp, Expr, Expr),
    /// `a = b`.
    Assign(Expr, Expr),
    /// `a += b`, with the operator `+`.
    Update(BinOp, Expr, Expr),
    /// `f(a, b)`.
    Call(Expr, Vec<Expr>),
    /// `a.f(b)`.
    Method(Method),
    /// `a.b`, `a.0`.
    Field(Expr, syn::Member),
    /// `a[b]`.
    Index(Expr, Expr),
    /// `a as T`.
    Cast(Expr, Type),
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `(a, b)`.
    Tuple(Vec<Expr>),
    /// `[a; n]`.
    Repeat(Expr, Expr),
    /// `&a`.
    Shared(Expr),
    /// `&mut a`.
    Mutable(Expr),
    /// `a..b`, `a..=b`.
    Range(Option<Expr>, Option<Expr>, bool),
    /// `(a)`.
    Paren(Expr),
    /// `{ ... }`.
    Block(Block),
    /// `'label: { ... }`.
    Labelled(Rc<Labelled>),
    /// `if a { .. } else { .. }`.
    If(If),
    /// `let pattern = value`, in a condition.
    Let(Pattern, Expr),
    /// `match a { .. }`.
    Match(Expr, Vec<Arm>),
    /// `for pattern in items { .. }`.
    For(Rc<For>),
    /// `while condition { .. }`, or `loop { .. }` where there is no condition.
    While(Rc<While>),
    /// What is left of the loop around this place: the end of an iteration whose rest is nested in it.
    NextIterations,
    /// A value of what this block or loop gives, or, without one, the function around this place. It is of no meaning.
    Unreached(Option<TargetId>),
    /// `break`, with its value. Without a target, there is nothing that it could leave.
    Break(Option<TargetId>, Option<Expr>),
    /// `continue`.
    Continue(Option<TargetId>),
    /// `return`.
    Return(Option<Expr>),
    /// `None` or `Err(e)`, with which control leaves the function.
    Leave(Expr),
    /// `Err(e)` of this type, in a function that gives a `Result` and is read as one that gives an `Option`: it is made, and
    /// dropped.
    Dropped(Expr, Rc<Type>),
    /// `a?`, in a function that gives an `Option` or a `Result` of floats.
    Try(Expr),
    /// A closure.
    Closure(Rc<Closure>),
    /// A macro that is known.
    Macro(Macro),
    /// `_` on the left of an assignment.
    Infer,
    /// `P { x: 1.0, ..rest }`.
    Struct(Struct),
    /// What is kept as it is written where it depends on no active value, and refused with this message elsewhere.
    Other(Written, &'static str),
    /// What is refused with this message wherever control reaches it.
    Refused(String),
}

/// The construction of a struct.
#[derive(Clone)]
pub struct Struct {
    /// Its path.
    pub path: Path,
    /// Its fields.
    pub fields: Vec<(syn::Member, Expr)>,
    /// What follows `..`.
    pub rest: Option<Expr>,
}

/// A call of a method.
#[derive(Clone)]
pub struct Method {
    /// What it is called on.
    pub receiver: Expr,
    /// Its name.
    pub name: Ident,
    /// Its type arguments.
    pub turbofish: Option<Turbofish>,
    /// The arguments.
    pub args: Vec<Expr>,
}

/// Type arguments of a method: `::<f64>`.
#[derive(Clone)]
pub struct Turbofish {
    /// As they are written.
    pub written: Written,
    /// The type, where it is the only argument.
    pub only: Option<Type>,
    /// Where they are.
    pub place: Place,
}

/// An `if`.
#[derive(Clone)]
pub struct If {
    /// The condition.
    pub condition: Expr,
    /// What runs where it holds.
    pub then: Block,
    /// What runs where it does not.
    pub otherwise: Option<Expr>,
}

/// An arm of a `match`.
#[derive(Clone)]
pub struct Arm {
    /// Its pattern.
    pub pattern: Pattern,
    /// What follows `if`.
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// A block with a label, which `break` leads out of.
#[derive(Clone)]
pub struct Labelled {
    /// What jumps lead out of.
    pub target: TargetId,
    /// The block.
    pub body: Block,
    /// The block with the jumps out of it as values.
    pub leaving: Block,
}

/// A `for` loop.
#[derive(Clone)]
pub struct For {
    /// What jumps lead out of.
    pub target: TargetId,
    /// What the items are bound to.
    pub pattern: Pattern,
    /// The items.
    pub items: Expr,
    /// The body.
    pub body: Block,
    /// The body with its jumps as values, where it has any: what is left of the loop is nested in it.
    pub nested: Option<Block>,
    /// The same where something may live until the end of the body that the iterations which are left must not see.
    pub noted: Option<Noted>,
    /// An iteration of it, if it is not unrolled.
    pub iteration: Iteration,
    /// Where `for` is.
    pub keyword: Place,
}

/// The body of a loop whose jumps are noted. What is bound in it is dropped before the iterations that are left.
#[derive(Clone)]
pub struct Noted {
    /// What is declared before.
    pub before: Vec<Statement>,
    /// The body, which each jump ends.
    pub body: Block,
    /// What follows it: what is left of the loop, unless that is left.
    pub after: Vec<Statement>,
}

/// A `while` loop, or a `loop`.
#[derive(Clone)]
pub struct While {
    /// What jumps lead out of.
    pub target: TargetId,
    /// The condition.
    pub condition: Option<Expr>,
    /// The body.
    pub body: Block,
    /// An iteration of it, with the condition.
    pub iteration: Iteration,
    /// What follows the condition, where there is one.
    pub after: Option<Iteration>,
    /// The variable in which an iteration notes the value that it leaves the loop with.
    pub given: Option<(VariableId, Ident)>,
}

/// An iteration of a loop, with its jumps as values.
#[derive(Clone)]
pub struct Iteration {
    /// What runs.
    pub body: Block,
    /// Whether its value says if another iteration follows. Else one does, as far as it depends on the iteration.
    pub may_end: bool,
}

/// A closure.
#[derive(Clone)]
pub struct Closure {
    /// The patterns of its parameters, with their types where they are written.
    pub parameters: Vec<(Pattern, Option<Type>)>,
    /// The type of what it returns, where it is written.
    pub output: Option<Type>,
    /// What it evaluates.
    pub body: Expr,
    /// The variables from outside that it uses.
    pub captured: Vec<VariableId>,
    /// Whether it moves these into itself.
    pub is_move: bool,
    /// Where it is.
    pub place: Place,
}

/// A macro that is known.
#[derive(Clone)]
pub struct Macro {
    /// What it does.
    pub action: Action,
    /// Its path.
    pub path: syn::Path,
    /// Its arguments, in order.
    pub args: Vec<Argument>,
}

/// What a macro does.
#[derive(Clone)]
pub enum Action {
    /// It panics.
    Panic,
    /// What is kept as it is written: it makes a text.
    Kept,
    /// It prints a text.
    Print,
    /// `dbg!`: it prints its arguments, with these texts before them, and gives them back.
    Debug(Vec<String>),
    /// It panics where a condition, made of its first arguments, does not hold; perhaps in debug builds only.
    Assert {
        /// How many arguments the condition is made of.
        subjects: usize,
        /// The condition.
        condition: Expr,
        /// Whether it is for debug builds only.
        is_debug: bool,
        /// What it says where it fails, without a message.
        failure: String,
    },
    /// `vector!`, `point!` or `matrix!` of nalgebra: the number of elements of each row.
    Vector(usize),
    /// `matches!`: the pattern and the guard for its only argument.
    Matches(Box<Pattern>, Option<Expr>),
}

/// An argument of a macro, which may be named: `n` or `name = n`.
#[derive(Clone)]
pub struct Argument {
    /// Its name.
    pub name: Option<Ident>,
    /// Its value.
    pub value: Expr,
}

/// A path, such as `K`, `f64::sin` or `<T as Float>::sin`.
#[derive(Clone)]
pub struct Path {
    /// The path.
    pub path: syn::ExprPath,
    /// What its first name means.
    pub binding: Binding,
    /// Whether its first name may be one of the standard library's: it is from outside, or imported from there.
    pub may_be_std: bool,
    /// Whether the module or the function declares its first name, and does not import it.
    pub is_declared: bool,
    /// The names in its arguments that are bound in the function.
    pub names: Vec<(Key, Binding)>,
}

/// Tokens that are kept as they are, but for the names in them that are bound in the function.
#[derive(Clone)]
pub struct Written {
    /// The tokens.
    pub tokens: TokenStream,
    /// What those names mean.
    pub names: Vec<(Key, Binding)>,
    /// The variables that texts in them capture.
    pub captured: Vec<Ident>,
}

/// A pattern.
#[derive(Clone)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Where it is.
    pub place: Place,
}

/// What a pattern is.
#[derive(Clone)]
pub enum PatternKind {
    /// `_`.
    Wild,
    /// `..`.
    Rest,
    /// A name that is bound.
    Variable(PatternVariable),
    /// A path, of a constant or of a variant.
    Path(Path),
    /// A literal, perhaps with a minus.
    Literal(Expr),
    /// `a..b`, `a..=b`, `a..`, `..b`.
    Range(Option<Expr>, Option<Expr>, bool),
    /// `(a, b)`.
    Tuple(Vec<Pattern>),
    /// `[a, b]`.
    Slice(Vec<Pattern>),
    /// `&a`, `&mut a`.
    Reference(bool, Box<Pattern>),
    /// `a | b`.
    Or(Vec<Pattern>),
    /// `P(a, b)`.
    TupleStruct(Path, Vec<Pattern>),
    /// `P { x: a, y, .. }`, and whether it has a `..`.
    Struct(Path, Vec<(syn::Member, Pattern)>, bool),
    /// `(a)`.
    Paren(Box<Pattern>),
    /// A pattern with a type, which closures and macros have.
    Typed(Box<Pattern>, Box<Type>),
    /// A pattern with attributes, which is refused.
    Refused(Box<Pattern>),
    /// What is not understood.
    Other,
}

/// A name that is bound.
#[derive(Clone)]
pub struct PatternVariable {
    /// The variable.
    pub id: VariableId,
    /// Its name.
    pub ident: Ident,
    /// Whether it is `ref`.
    pub by_ref: bool,
    /// Whether it is `mut`.
    pub is_mut: bool,
    /// What follows `@`.
    pub inner: Option<Box<Pattern>>,
}

/// A type.
#[derive(Clone)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it is.
    pub place: Place,
}

/// What a type is.
#[derive(Clone)]
pub enum TypeKind {
    /// `[T; n]`.
    Array(Box<Type>, Expr),
    /// `(T, U)`.
    Tuple(Vec<Type>),
    /// `&T`, `&mut T`, as it is written, and whether it is mutable.
    Reference(syn::TypeReference, bool, Box<Type>),
    /// `_`.
    Infer,
    /// A path, such as `f64` or `Vector3<f64>`, with what the names in it mean that are bound in the function.
    Path(syn::TypePath, Vec<(Key, Binding)>),
    /// Any other.
    Other(Box<syn::Type>, Vec<(Key, Binding)>),
}

impl Type {
    /// The type of the elements, where it is `Vec<T>`, and means that of the standard library as far as is seen.
    pub fn element_of_vec(&self) -> Option<&syn::Type> {
        let TypeKind::Path(path, names) = &self.kind else { return None };
        let is_outside = names.iter().all(|(_, binding)| !matches!(binding, Binding::Item | Binding::Local(_)));
        let last =
            path.path.segments.last().filter(|_| is_outside && path.qself.is_none() && is_called_vec(&path.path))?;
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        arguments.args.iter().find_map(|argument| match argument {
            syn::GenericArgument::Type(element) => Some(element),
            _ => None,
        })
    }
}

/// Whether a path is one of those of `Vec`, whose first name means that of the standard library if it is its own.
pub fn is_called_vec(path: &syn::Path) -> bool {
    let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    matches!(names[..], ["Vec"] | ["std" | "alloc", "vec", "Vec"])
}

impl Placed for Statement {
    fn place(&self) -> Place {
        match self {
            Statement::Let(local) => {
                let pattern = local.pattern.place();
                local.value.as_ref().map_or(pattern, |value| pattern.to(value.place()))
            }
            Statement::Expr(expression, _) => expression.place(),
        }
    }
}

impl Placed for Expr {
    fn place(&self) -> Place {
        self.place
    }
}

impl Placed for Block {
    fn place(&self) -> Place {
        self.place
    }
}

impl Placed for Pattern {
    fn place(&self) -> Place {
        self.place
    }
}

impl Placed for Type {
    fn place(&self) -> Place {
        self.place
    }
}

impl Placed for Path {
    fn place(&self) -> Place {
        self.path.place()
    }
}
