//! The text form of a code list: one statement a line, read by `FromStr` and written by `Display`.
//!
//! ```text
//! precision f64
//! input r t
//! passive k: float
//! c = cos(t)
//! y = k * r * c
//! output y c
//! ```
//!
//! `#` starts a comment. The right-hand side of a line that is read may be any [expression](mod@crate::expression): it is
//! flattened, equal constants become one statement. It is one statement of the user, whatever it is flattened into. A line that is written holds one operation, constants in place.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use crate::catalogue::{Intrinsic, NAMED_CONSTANTS, Spelling, known};
use crate::code_list::{CodeList, Constant, Dialect, Kind, PRECISIONS, Precision, Statement, ValueId};
use crate::expression::{self, Expression};

/// Why a text is no code list, or no [`LabelledGraph`](crate::lcg::LabelledGraph).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

impl FromStr for CodeList {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut reader = Reader::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            reader.line(line).map_err(|message| ParseError { line: index + 1, message })?;
        }
        Ok(reader.list)
    }
}

#[derive(Default)]
struct Reader {
    list: CodeList,
    values: HashMap<String, ValueId>,
    constants: HashMap<(bool, u64), ValueId>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some((name, value)) = line.split_once('=').filter(|(name, _)| is_name(name.trim())) {
            return self.assignment(name.trim(), value);
        }
        match line.split_once(char::is_whitespace) {
            None if line.is_empty() => Ok(()),
            Some(("precision", name)) => self.precision(name.trim()),
            Some(("input", names)) => names.split_whitespace().try_for_each(|name| self.input(name)),
            Some(("passive", declaration)) => self.passive(declaration),
            Some(("output", names)) => names.split_whitespace().try_for_each(|name| self.output(name)),
            _ => Err(format!("`{line}` is no statement")),
        }
    }

    fn precision(&mut self, name: &str) -> Result<(), String> {
        let known = PRECISIONS.iter().find(|(known, _)| *known == name);
        let &(_, precision) = known.ok_or_else(|| format!("no precision is called `{name}`"))?;
        if !self.list.statements().is_empty() {
            return Err("the precision stands before all statements".into());
        }
        self.list = CodeList::new(precision);
        Ok(())
    }

    fn input(&mut self, name: &str) -> Result<(), String> {
        let id = self.list.input(name);
        self.define(name, id)
    }

    fn passive(&mut self, declaration: &str) -> Result<(), String> {
        let (name, kind) = declaration.split_once(':').ok_or("expected `name: float` or `name: int`")?;
        let kind = match kind.trim() {
            "float" => Kind::Float,
            "int" => Kind::Int,
            other => return Err(format!("no kind is called `{other}`")),
        };
        let id = self.list.passive(kind, name.trim());
        self.define(name.trim(), id)
    }

    fn output(&mut self, name: &str) -> Result<(), String> {
        let id = self.value(&expression::parse(name).map_err(|error| error.message)?, false)?;
        self.list.output(id);
        Ok(())
    }

    fn assignment(&mut self, name: &str, text: &str) -> Result<(), String> {
        let expression = expression::parse(text).map_err(|error| error.message)?;
        let id = self.value(&expression, false)?;
        if let Expression::Apply(..) = expression {
            self.list.set_name(id, name);
        }
        self.list.end_user_statement();
        self.define(name, id)
    }

    fn define(&mut self, name: &str, id: ValueId) -> Result<(), String> {
        if !is_name(name) || named_constant(name).is_some() {
            return Err(format!("`{name}` cannot be a name"));
        }
        match self.values.insert(name.to_string(), id) {
            None => Ok(()),
            Some(_) => Err(format!("`{name}` is defined twice")),
        }
    }

    fn value(&mut self, expression: &Expression, int: bool) -> Result<ValueId, String> {
        if let Some(value) = constant_value(expression) {
            return self.constant(value, int);
        }
        match expression {
            Expression::Name(name) => self.values.get(name).copied().ok_or_else(|| format!("`{name}` is not defined")),
            Expression::Apply(intrinsic, args) => self.application(*intrinsic, args),
            Expression::Number(_) => unreachable!("numbers are constants"),
        }
    }

    fn constant(&mut self, value: f64, int: bool) -> Result<ValueId, String> {
        let constant = match int {
            true if f64::from(value as i32) != value => return Err(format!("{value} is no integer")),
            true => Constant::Int(value as i32),
            false => Constant::Float(self.list.round(value)),
        };
        let list = &mut self.list;
        Ok(*self.constants.entry(constant.key()).or_insert_with(|| list.constant(constant)))
    }

    fn application(&mut self, intrinsic: Intrinsic, args: &[Expression]) -> Result<ValueId, String> {
        let row = intrinsic.row();
        let mut ids = Vec::with_capacity(args.len());
        for (position, arg) in args.iter().enumerate() {
            let id = self.value(arg, row.takes_int(position))?;
            if is_int(&self.list, id) != row.takes_int(position) {
                return Err(format!("argument {} of `{}` is of the wrong kind", position + 1, row.name));
            }
            ids.push(id);
        }
        Ok(self.list.apply(intrinsic, Dialect::default(), &ids))
    }
}

/// The value of an expression that is a number, with or without sign, or a named constant.
fn constant_value(expression: &Expression) -> Option<f64> {
    match expression {
        Expression::Number(value) => Some(*value),
        Expression::Name(name) => named_constant(name),
        Expression::Apply(known::NEG, args) => Some(-constant_value(&args[0])?),
        Expression::Apply(..) => None,
    }
}

/// The value of the constant that has this name in texts.
pub(crate) fn named_constant(name: &str) -> Option<f64> {
    if name == "INFINITY" {
        return Some(f64::INFINITY);
    }
    let found = NAMED_CONSTANTS.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value)
}

/// Whether the value is an integer.
pub(crate) fn is_int(list: &CodeList, id: ValueId) -> bool {
    match list.statement(id) {
        Statement::Passive(kind) => *kind == Kind::Int,
        Statement::Constant(constant) => matches!(constant, Constant::Int(_)),
        Statement::Apply { intrinsic, .. } => intrinsic.row().gives_int(),
        Statement::Input => false,
    }
}

fn is_name(text: &str) -> bool {
    matches!(expression::parse(text), Ok(Expression::Name(name)) if name == text)
}

impl fmt::Display for CodeList {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let constants = constants(self);
        let names = unique_names(self);
        let named = PRECISIONS.iter().find(|(_, precision)| *precision == self.precision());
        if let Some((name, _)) = named.filter(|_| self.precision() != Precision::default()) {
            writeln!(formatter, "precision {name}")?;
        }
        for id in self.ids().filter(|id| constants[id.index()].is_none()) {
            let name = &names[id.index()];
            match self.statement(id) {
                Statement::Input => writeln!(formatter, "input {name}")?,
                Statement::Passive(Kind::Float) => writeln!(formatter, "passive {name}: float")?,
                Statement::Passive(Kind::Int) => writeln!(formatter, "passive {name}: int")?,
                Statement::Constant(_) => {}
                Statement::Apply { intrinsic, args, .. } => {
                    writeln!(formatter, "{name} = {}", application(*intrinsic, args, &names))?;
                }
            }
        }
        for output in self.outputs() {
            writeln!(formatter, "output {}", names[output.index()])?;
        }
        Ok(())
    }
}

/// The constants of a list, by position. A change of sign of a constant is one: no text tells it from the constant.
fn constants(list: &CodeList) -> Vec<Option<Constant>> {
    let mut constants: Vec<Option<Constant>> = Vec::with_capacity(list.statements().len());
    for statement in list.statements() {
        constants.push(match statement {
            Statement::Constant(constant) => Some(*constant),
            Statement::Apply { intrinsic: known::NEG, args, .. } => {
                constants[args[0].index()].map(|constant| Constant::Float(-constant.as_float()))
            }
            _ => None,
        });
    }
    constants
}

/// A name for every value: its own where that is free, else one with its position; a constant's is its value.
pub(crate) fn unique_names(list: &CodeList) -> Vec<String> {
    let constants = constants(list);
    let mut taken = HashMap::new();
    for id in list.ids() {
        if let Some(name) = list.name(id).filter(|name| is_name(name) && named_constant(name).is_none()) {
            taken.entry(name).or_insert(id);
        }
    }
    let mut names = Vec::with_capacity(list.statements().len());
    for id in list.ids() {
        names.push(match (constants[id.index()], list.name(id)) {
            (Some(constant), _) => constant_text(constant),
            (None, Some(name)) if taken.get(name) == Some(&id) => name.to_string(),
            _ => free_name(id, &taken),
        });
    }
    names
}

fn free_name(id: ValueId, taken: &HashMap<&str, ValueId>) -> String {
    let mut name = format!("v{}", id.index());
    while taken.contains_key(name.as_str()) {
        name.push('_');
    }
    name
}

/// The text of a constant.
pub(crate) fn constant_text(constant: Constant) -> String {
    match constant {
        Constant::Int(value) => value.to_string(),
        Constant::Float(value) if value.is_nan() => "NAN".into(),
        Constant::Float(f64::INFINITY) => "INFINITY".into(),
        Constant::Float(f64::NEG_INFINITY) => "-INFINITY".into(),
        Constant::Float(value) => format!("{value:?}"),
    }
}

/// The text of an application to arguments of these names.
pub(crate) fn application(intrinsic: Intrinsic, args: &[ValueId], names: &[String]) -> String {
    let arg = |position: usize| &names[args[position].index()];
    match intrinsic.row().spelling {
        Spelling::Infix(symbol) => format!("{} {symbol} {}", arg(0), arg(1)),
        Spelling::Prefix(symbol) => format!("{symbol}{}", arg(0)),
        Spelling::Select(symbol) => format!("select({} {symbol} {}, {}, {})", arg(0), arg(1), arg(2), arg(3)),
        Spelling::Call | Spelling::FloatFromInt | Spelling::Predecessor => {
            let args: Vec<_> = (0..args.len()).map(|position| arg(position).as_str()).collect();
            format!("{}({})", intrinsic.row().name, args.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> CodeList {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        let list = read(
            "precision f32\ninput x[0] x[1]\npassive k: float\npassive n: int\n\
             a = sin(x[0]) * -2.5e-3 + k # a comment\nb = powi(a, n) - powi(x[1], -3)\n\
             c = select(a <= b, NAN, -INFINITY)\noutput b c\noutput x[0] 1",
        );
        let text = list.to_string();
        assert_eq!(read(&text).to_string(), text);
        assert_eq!(text.lines().filter(|line| line.contains(" = ")).count(), 7);
        let generic = "precision generic\ninput x\noutput x\n";
        assert_eq!(read(generic).to_string(), generic);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("input x\ny = x +", "line 2: unexpected end"),
            ("input x\ny = z", "line 2: `z` is not defined"),
            ("input x x", "line 1: `x` is defined twice"),
            ("input x\ny = powi(x, 0.5)", "line 2: 0.5 is no integer"),
            ("input x\ny = powi(x, x)", "line 2: argument 2 of `powi` is of the wrong kind"),
            ("hello", "line 1: `hello` is no statement"),
            ("precision f16", "line 1: no precision is called `f16`"),
        ] {
            assert_eq!(text.parse::<CodeList>().unwrap_err().to_string(), message);
        }
    }
}
