//! Items by their names, as Rust resolves them: those of a block are seen in all of it, those of inner blocks shadow
//! those of outer blocks, which shadow the module's; what is named shadows what a glob brings. Variables have other
//! names.

use std::borrow::Cow;
use std::f64::consts::{FRAC_PI_4, LN_2, LOG2_E, LOG10_E, PI, SQRT_2};

use super::super::number::Number;
use super::super::tree::*;
use super::super::value::Value;
use super::{Interpreter, Outcome};

/// Items that are seen together: those of a module or of a block, or the generic parameters of a function.
pub struct Frame<'p> {
    items: Cow<'p, [Item]>,
    generics: Cow<'p, [(Name, i128)]>,
    /// What is around a block.
    outer: Option<usize>,
}

/// What a name means.
#[derive(Clone)]
pub enum Meaning<'p> {
    /// A constant, and the frame in which its value is written.
    Constant(Expression, usize),
    /// A function, and the frame of its module or of its block.
    Function(Cow<'p, Function>, usize),
    /// A generic parameter.
    Number(i128),
}

/// The frame of the module around the program.
pub const MODULE: usize = 0;

/// Constants that name others, one within the other: more are defined by themselves.
const DEEP: usize = 20;

/// The constants of the standard library that programs import.
const STANDARD: [(&str, f64); 6] = [
    ("LN_2", LN_2),
    ("LOG2_E", LOG2_E),
    ("LOG10_E", LOG10_E),
    ("FRAC_PI_4", FRAC_PI_4),
    ("PI", PI),
    ("SQRT_2", SQRT_2),
];

impl<'p> Frame<'p> {
    pub fn module(items: &'p [Item]) -> Self {
        Frame { items: Cow::Borrowed(items), generics: Cow::Borrowed(&[]), outer: None }
    }
}

impl<'p, R: Number> Interpreter<'p, R> {
    /// Enters the items of a block, if it has any. Returns the frame to go back to.
    pub(super) fn enter_items(&mut self, block: &Block) -> usize {
        let items = block.statements.iter().filter_map(|statement| match statement {
            Statement::Item(item) => Some(item.clone()),
            _ => None,
        });
        let (items, around) = (items.collect::<Vec<_>>(), self.frame);
        if !items.is_empty() {
            let generics = Cow::Borrowed(&[][..]);
            self.frame = self.open(Frame { items: Cow::Owned(items), generics, outer: Some(around) });
        }
        around
    }

    /// The frame in which the body of a function is.
    pub(super) fn enter_function(&mut self, function: &Function, module: usize, arguments: &[Value<R>]) -> usize {
        let around = self.frame;
        // A number that is not given is the length of the first argument that has it.
        let given = |name: &Name| {
            let mut parameters = function.parameters.iter().zip(arguments);
            parameters.find_map(|(parameter, argument)| match &parameter.ty {
                Type::Sized(_, own) if own == name => Some(argument.elements().len() as i128),
                Type::Reference(target) | Type::Exclusive(target) => match &**target {
                    Type::Sized(_, own) if own == name => Some(argument.elements().len() as i128),
                    _ => None,
                },
                _ => None,
            })
        };
        let numbers = function.generics.iter().map(|(name, number)| {
            let number = if *number < 0 { given(name).unwrap_or(*number) } else { *number };
            (name.clone(), number)
        });
        self.frame = match function.generics.is_empty() {
            true => module,
            false => {
                let generics = Cow::Owned(numbers.collect());
                self.open(Frame { items: Cow::Borrowed(&[]), generics, outer: Some(module) })
            }
        };
        around
    }

    fn open(&mut self, frame: Frame<'p>) -> usize {
        self.frames.push(frame);
        self.frames.len() - 1
    }

    /// The value of a constant or of a generic parameter.
    pub(super) fn constant(&mut self, name: &str) -> Option<Outcome<R>> {
        match self.meaning(name)? {
            Meaning::Number(number) => Some(Ok(Value::integer_of(number, Type::Usize))),
            Meaning::Constant(value, frame) => Some(self.in_frame(frame, |inner| inner.expression(&value))),
            Meaning::Function(..) => None,
        }
    }

    /// Runs something that sees no variables, in the frame where it is written.
    fn in_frame<T>(&mut self, frame: usize, run: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        assert!(self.depth < DEEP, "a constant is defined by itself");
        let variables = std::mem::take(&mut self.variables);
        let around = std::mem::replace(&mut self.frame, frame);
        let result = run(self);
        self.depth -= 1;
        (self.variables, self.frame) = (variables, around);
        result
    }

    /// What a name or a path means here.
    pub(super) fn meaning(&mut self, name: &str) -> Option<Meaning<'p>> {
        self.meaning_in(name, self.frame)
    }

    fn meaning_in(&mut self, name: &str, frame: usize) -> Option<Meaning<'p>> {
        if let Some((path, last)) = name.rsplit_once("::") {
            let module = self.module(path, frame)?;
            return self.own(last, module);
        }
        let mut frame = Some(frame);
        while let Some(inner) = frame {
            if let Some(meaning) = self.own(name, inner) {
                return Some(meaning);
            }
            frame = self.frames[inner].outer;
        }
        None
    }

    /// What a name means among the items of a frame.
    fn own(&mut self, name: &str, frame: usize) -> Option<Meaning<'p>> {
        let number = self.frames[frame].generics.iter().find(|(own, _)| **own == *name);
        if let Some((_, number)) = number {
            return Some(Meaning::Number(*number));
        }
        let items = self.frames[frame].items.clone();
        let is_block = matches!(items, Cow::Owned(_));
        let present = || items.iter().filter(|item| is_present(item.cfg));
        for item in present() {
            match &item.kind {
                ItemKind::Const(own, _, value) if **own == *name => {
                    return Some(Meaning::Constant(value.clone(), frame));
                }
                ItemKind::Use(path, own) if **own == *name => return self.imported(path, frame),
                ItemKind::Function(function) if is_block && *function.name == *name => {
                    return Some(Meaning::Function(Cow::Owned(function.clone()), frame));
                }
                _ => {}
            }
        }
        let functions = self.functions(frame);
        if let Some(function) = functions.into_iter().find(|function| *function.name == *name) {
            return Some(Meaning::Function(Cow::Borrowed(function), frame));
        }
        present().find_map(|item| match &item.kind {
            ItemKind::Glob(path) => self.imported(&format!("{path}::{name}"), frame),
            _ => None,
        })
    }

    /// The functions of a module; none of a block.
    fn functions(&self, frame: usize) -> Vec<&'p Function> {
        let inner = match self.frames[frame].items {
            Cow::Borrowed(items) => items,
            Cow::Owned(_) => &[],
        };
        let inner = inner.iter().filter_map(|item| match &item.kind {
            ItemKind::Function(function) => Some(function),
            _ => None,
        });
        let all = self.program.functions.iter().filter(|_| frame == MODULE);
        all.chain(inner).filter(|function| is_present(function.cfg)).collect()
    }

    /// What a path in a `use` means. Such paths begin at the module or at the standard library.
    fn imported(&mut self, path: &str, frame: usize) -> Option<Meaning<'p>> {
        if path.starts_with("core::") {
            let (_, value) = STANDARD.iter().find(|(name, _)| path.ends_with(&format!("::{name}")))?;
            return Some(Meaning::Constant(Expression::Float(*value), MODULE));
        }
        self.meaning_in(path, frame)
    }

    /// The frame of the module at a path that begins in the module around this frame.
    fn module(&mut self, path: &str, mut frame: usize) -> Option<usize> {
        while let Some(outer) = self.frames[frame].outer {
            frame = outer;
        }
        for segment in path.split("::").filter(|segment| *segment != "self") {
            let Cow::Borrowed(items) = self.frames[frame].items else { return None };
            let inner = items.iter().filter(|item| is_present(item.cfg)).find_map(|item| match &item.kind {
                ItemKind::Module(name, items) if **name == *segment => Some(items),
                _ => None,
            })?;
            frame = self.open(Frame::module(inner));
        }
        Some(frame)
    }

    /// A type with its lengths as numbers.
    pub(super) fn sized(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Sized(element, name) => {
                let length = self.constant(name).and_then(Result::ok).expect("a length is a constant").index();
                Type::array(self.sized(element), length)
            }
            Type::Array(element, length) => Type::array(self.sized(element), *length),
            Type::Reference(target) => Type::Reference(Box::new(self.sized(target))),
            Type::Exclusive(target) => Type::Exclusive(Box::new(self.sized(target))),
            other => other.clone(),
        }
    }
}
