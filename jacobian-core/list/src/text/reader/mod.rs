//! Texts as code lists.

mod header;
mod scope;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use self::header::{Header, Options};
use self::scope::Scope;
use super::words::is_name;
use crate::block::{Body, Local, MAX_DEPTH};
use crate::code_list::{CodeList, ValueId};

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
    /// The branches and loops that are being read, the innermost one last.
    open: Vec<OpenBlock>,
    /// The number of passive values so far.
    passive: u32,
}

/// A branch or a loop that is being read.
struct OpenBlock {
    name: String,
    args: Vec<ValueId>,
    /// What decides which arm of a branch runs, or how many iterations a loop makes.
    decider: Option<ValueId>,
    options: Options,
    /// The arms of a branch, or the body of a loop.
    lists: Vec<Arc<CodeList>>,
    /// The one that is being read.
    list: Option<Scope>,
}

impl OpenBlock {
    /// The line before a list in it.
    fn keyword(&self) -> &'static str {
        match (self.options.carries, self.decider) {
            (Some(_), _) => "body",
            (None, Some(_)) => "arm",
            (None, None) => "partials",
        }
    }
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some((name, value)) = line.split_once('=').filter(|(name, _)| is_name(name.trim())) {
            return self.scope()?.assignment(name.trim(), value);
        }
        match line.split_once(char::is_whitespace) {
            None if line.is_empty() => Ok(()),
            None if line == "arm" || line == "body" || line == "partials" => self.inner_list(line),
            None if line == "end" => self.end(),
            Some(("branch", text)) => self.branch(text),
            Some(("loop", text)) => self.repetition(text),
            Some(("rule", text)) => self.rule(text),
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
            Some(open) => {
                let expected = open.keyword();
                open.list.as_mut().ok_or_else(|| format!("expected `{expected}`"))
            }
            None => Ok(&mut self.root),
        }
    }

    fn branch(&mut self, text: &str) -> Result<(), String> {
        let Header { words, args, options } = text.try_into()?;
        let [name, "on", selector] = words[..] else { return Err("expected `branch NAME on VALUE (VALUES)`".into()) };
        if options.gives.is_some() || options.order > 0 || options.carries.is_some() {
            return Err("a branch gives what its arms give".into());
        }
        self.open(name, Some(selector), &args, options)
    }

    fn repetition(&mut self, text: &str) -> Result<(), String> {
        let Header { words, args, options } = text.try_into()?;
        let (name, iterations) = match words[..] {
            [name] => (name, None),
            [name, "on", iterations] => (name, Some(iterations)),
            _ => return Err("expected `loop NAME on VALUE (VALUES) carries NUMBER`".into()),
        };
        if options.gives.is_some() || options.order > 0 || options.carries.is_none() {
            return Err("a loop gives what it carries".into());
        }
        self.open(name, iterations, &args, options)
    }

    fn rule(&mut self, text: &str) -> Result<(), String> {
        let Header { words, args, options } = text.try_into()?;
        let [name] = words[..] else { return Err("expected `rule NAME (VALUES) gives NUMBER`".into()) };
        if options.results().is_none() || options.order > 0 || options.carries.is_some() {
            return Err("a rule is for a number of results".into());
        }
        self.open(name, None, &args, options)
    }

    fn open(&mut self, name: &str, decider: Option<&str>, args: &[&str], options: Options) -> Result<(), String> {
        if self.open.len() == MAX_DEPTH {
            return Err("nested too deeply".into());
        }
        let scope = self.scope()?;
        let args = scope.operands(args)?;
        let decider = decider.map(|decider| scope.operand(decider)).transpose()?;
        self.open.push(OpenBlock { name: name.to_string(), args, decider, options, lists: Vec::new(), list: None });
        Ok(())
    }

    fn inner_list(&mut self, keyword: &str) -> Result<(), String> {
        match self.open.last() {
            None => Err("no branch stands before".into()),
            Some(open) if open.keyword() != keyword => Err(format!("expected `{}`", open.keyword())),
            Some(_) => self.close_list(),
        }
    }

    /// Ends the list that is being read in the innermost block, and begins another one.
    fn close_list(&mut self) -> Result<(), String> {
        let precision = self.root.list.precision();
        let open = self.open.last_mut().ok_or("no branch stands before")?;
        let list = open.list.replace(Scope::new(precision));
        open.lists.extend(list.map(|list| Arc::new(list.list)));
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        self.close_list()?;
        let OpenBlock { name, args, decider, options, mut lists, .. } = self.open.pop().expect("it is open");
        let body = match (options.carries, decider) {
            (None, Some(selector)) => {
                let results = lists.first().map_or(0, |arm| arm.outputs().len());
                Body::Branch { selector, arms: lists, results }
            }
            (None, None) => match (options.results(), lists.pop(), lists.is_empty()) {
                (Some(results), Some(rule), true) => {
                    let columns = rule.outputs().len() / results.max(1);
                    Body::Call { results, columns, order: 0, local: Local::Rule(rule) }
                }
                _ => return Err("a rule has one list".into()),
            },
            (Some(carried), iterations) => match (lists.pop(), lists.is_empty()) {
                (Some(body), true) => Body::Loop { iterations, body, carried },
                _ => return Err("a loop has one body".into()),
            },
        };
        self.scope()?.block(&name, args, body, &options)
    }
}
