//! Texts as code lists.

mod header;
mod scope;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use self::header::{Header, Options};
use self::scope::Scope;
use super::words::is_name;
use crate::list::block::{Body, MAX_DEPTH};
use crate::list::code_list::{CodeList, ValueId};

/// Why a text is no code list, or no text of the form that was expected.
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
        let (mut reader, mut lines) = (Reader::default(), 0);
        for line in text.lines() {
            lines += 1;
            let line = line.split('#').next().unwrap_or_default().trim();
            reader.line(line).map_err(|message| ParseError { line: lines, message })?;
        }
        match reader.open.last() {
            Some(open) => Err(ParseError { line: lines, message: format!("the `end` of `{}` is missing", open.name) }),
            None => Ok(reader.root.list),
        }
    }
}

#[derive(Default)]
struct Reader {
    root: Scope,
    /// The branches that are being read, the innermost one last.
    open: Vec<OpenBranch>,
    /// The number of passive values so far.
    passive: u32,
}

/// A branch that is being read.
struct OpenBranch {
    name: String,
    args: Vec<ValueId>,
    selector: ValueId,
    options: Options,
    arms: Vec<Arc<CodeList>>,
    /// The arm that is being read.
    arm: Option<Scope>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some((name, value)) = line.split_once('=').filter(|(name, _)| is_name(name.trim())) {
            return self.scope()?.assignment(name.trim(), value);
        }
        match line.split_once(char::is_whitespace) {
            None if line.is_empty() => Ok(()),
            None if line == "arm" => self.arm(),
            None if line == "end" => self.end(),
            Some(("branch", text)) => self.branch(text),
            Some(("precision", _)) if !self.open.is_empty() => Err("an arm has the precision of its list".into()),
            Some((keyword, rest)) => {
                let mut passive = self.passive;
                self.scope()?.statement(keyword, rest.trim(), &mut passive)?;
                self.passive = passive;
                Ok(())
            }
            None => Err(format!("`{line}` is no statement")),
        }
    }

    /// The list to which lines are added.
    fn scope(&mut self) -> Result<&mut Scope, String> {
        match self.open.last_mut() {
            Some(open) => open.arm.as_mut().ok_or_else(|| "expected `arm`".to_string()),
            None => Ok(&mut self.root),
        }
    }

    fn branch(&mut self, text: &str) -> Result<(), String> {
        if self.open.len() == MAX_DEPTH {
            return Err("nested too deeply".into());
        }
        let scope = self.scope()?;
        let Header { words, args, options } = text.try_into()?;
        let [name, "on", selector] = words[..] else { return Err("expected `branch NAME on VALUE (VALUES)`".into()) };
        if options.gives.is_some() || options.with_jacobian {
            return Err("a branch gives what its arms give".into());
        }
        let args = scope.operands(&args)?;
        let selector = scope.operand(selector)?;
        self.open.push(OpenBranch { name: name.to_string(), args, selector, options, arms: Vec::new(), arm: None });
        Ok(())
    }

    fn arm(&mut self) -> Result<(), String> {
        let precision = self.root.list.precision();
        let open = self.open.last_mut().ok_or("no branch stands before")?;
        let arm = open.arm.replace(Scope::new(precision));
        open.arms.extend(arm.map(|arm| Arc::new(arm.list)));
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        self.arm()?;
        let OpenBranch { name, args, selector, options, arms, .. } = self.open.pop().expect("an arm was added to it");
        let results = arms.first().map_or(0, |arm| arm.outputs().len());
        self.scope()?.block(&name, args, Body::Branch { selector, arms, results }, &options)
    }
}
