//! A list that is being read, line by line, and what its names mean.

use std::collections::HashMap;

use super::header::{Header, Options, kind_named};
use crate::block::{Block, Body};
use crate::catalogue::{Intrinsic, known};
use crate::code_list::{CodeList, Constant, Kind, NotationId, PRECISIONS, Precision, ValueId};
use crate::expression::{self, Expression};
use crate::text::words::{is_free_name, named_bool, named_constant};

#[derive(Default)]
pub(super) struct Scope {
    pub(super) list: CodeList,
    values: HashMap<String, ValueId>,
    blocks: HashMap<String, ValueId>,
    /// The parts that stand in expressions.
    parts: HashMap<(ValueId, usize), ValueId>,
    constants: HashMap<(Kind, u64), ValueId>,
}

impl Scope {
    pub(super) fn new(precision: Precision) -> Self {
        Scope { list: CodeList::new(precision), ..Scope::default() }
    }

    /// Reads a line that begins with a keyword. `origins` counts the passive values.
    pub(super) fn statement(&mut self, keyword: &str, rest: &str, origins: &mut u32) -> Result<(), String> {
        match keyword {
            "precision" => self.precision(rest),
            "input" if rest.contains(':') => self.input_of_kind(rest),
            "input" => rest.split_whitespace().try_for_each(|name| self.input(name)),
            "passive" => self.passive(rest, origins),
            "opaque" => self.opaque(rest),
            "output" => rest.split_whitespace().try_for_each(|name| self.output(name)),
            "call" => self.call(rest),
            _ => Err(format!("`{keyword} {rest}` is no statement")),
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

    fn input_of_kind(&mut self, text: &str) -> Result<(), String> {
        let (name, kind) = declaration(text)?;
        let id = self.list.input_of_kind(kind_named(kind)?, name);
        self.define(name, id)
    }

    fn passive(&mut self, text: &str, origins: &mut u32) -> Result<(), String> {
        let (name, rest) = declaration(text)?;
        let (kind, options) = rest.split_once(' ').unwrap_or((rest, ""));
        let options: Options = options.try_into()?;
        let id = self.list.passive(kind_named(kind)?, name, options.origin.unwrap_or(*origins));
        *origins += 1;
        self.define(name, id)
    }

    fn opaque(&mut self, text: &str) -> Result<(), String> {
        let Header { words, args, mut options } = text.try_into()?;
        let [name] = words[..] else { return Err("expected `opaque NAME (VALUES)`".into()) };
        let gives = options.gives.take().unwrap_or_default();
        let gives = gives.iter().map(|kind| kind_named(kind)).collect::<Result<_, _>>()?;
        let args = self.operands(&args)?;
        self.block(name, args, Body::Opaque { gives }, &options)
    }

    fn output(&mut self, name: &str) -> Result<(), String> {
        let id = self.operand(name)?;
        self.list.output(id);
        Ok(())
    }

    fn call(&mut self, text: &str) -> Result<(), String> {
        let Header { words, args, mut options } = text.try_into()?;
        let (&[name], Some(results)) = (&words[..], options.results()) else {
            return Err("expected `call NAME (VALUES) gives NUMBER`".into());
        };
        let args = self.operands(&args)?;
        let columns = args.iter().take_while(|&&arg| self.list.kind(arg) == Kind::Float).count();
        let local = std::mem::take(&mut options.local);
        let body = Body::Call { results, columns, order: options.order, local };
        self.block(name, args, body, &options)
    }

    /// Adds a block that has been read.
    pub(super) fn block(
        &mut self,
        name: &str,
        args: Vec<ValueId>,
        body: Body,
        options: &Options,
    ) -> Result<(), String> {
        let block = Block { args, body, is_kept: options.is_kept, origin: options.origin.unwrap_or_default() };
        if let Some(problem) = block.problem(&self.list) {
            return Err(problem);
        }
        let is_part = |value: &String| value.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        if self.values.keys().any(is_part) {
            return Err(format!("a result of `{name}` is defined twice"));
        }
        self.check_name(name)?;
        let id = self.list.block(block);
        self.list.set_name(id, name);
        self.list.end_user_statement();
        self.blocks.insert(name.to_string(), id);
        Ok(())
    }

    /// Reads `NAME = EXPRESSION`.
    pub(super) fn assignment(&mut self, name: &str, text: &str) -> Result<(), String> {
        let expression = expression::parse(text).map_err(|error| error.message)?;
        let part = match &expression {
            Expression::Name(name) => self.part(name)?,
            _ => None,
        };
        let id = match part {
            Some((block, index)) => self.list.part(block, index),
            None => self.value(&expression, Kind::Float)?,
        };
        if part.is_some() || matches!(expression, Expression::Apply(..)) {
            self.list.set_name(id, name);
        }
        self.list.end_user_statement();
        self.define(name, id)
    }

    fn define(&mut self, name: &str, id: ValueId) -> Result<(), String> {
        self.check_name(name)?;
        self.values.insert(name.to_string(), id);
        Ok(())
    }

    /// Checks that a name can be given to a value or a block.
    fn check_name(&self, name: &str) -> Result<(), String> {
        let is_part = || name.match_indices('.').any(|(place, _)| self.blocks.contains_key(&name[..place]));
        match name {
            _ if !is_free_name(name) => Err(format!("`{name}` cannot be a name")),
            _ if self.values.contains_key(name) || self.blocks.contains_key(name) || is_part() => {
                Err(format!("`{name}` is defined twice"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn operands(&mut self, texts: &[&str]) -> Result<Vec<ValueId>, String> {
        texts.iter().map(|text| self.operand(text)).collect()
    }

    /// A value of any kind.
    pub(super) fn operand(&mut self, text: &str) -> Result<ValueId, String> {
        if let Some(int) = text.strip_suffix("i32").and_then(|digits| digits.parse().ok()) {
            return Ok(self.constant(Constant::Int(int)));
        }
        self.value(&expression::parse(text).map_err(|error| error.message)?, Kind::Float)
    }

    /// The value of an expression; a number is taken as one of this kind.
    fn value(&mut self, expression: &Expression, kind: Kind) -> Result<ValueId, String> {
        if let Some(value) = constant_value(expression) {
            return self.number(value, kind);
        }
        match expression {
            Expression::Name(name) => self.named(name),
            Expression::Apply(intrinsic, args) => self.application(*intrinsic, args),
            Expression::Number(_) => unreachable!("numbers are constants"),
        }
    }

    fn named(&mut self, name: &str) -> Result<ValueId, String> {
        if let Some(value) = named_bool(name) {
            return Ok(self.constant(Constant::Bool(value)));
        }
        if let Some(part) = self.part(name)? {
            let list = &mut self.list;
            return Ok(*self.parts.entry(part).or_insert_with(|| list.part(part.0, part.1)));
        }
        self.values.get(name).copied().ok_or_else(|| format!("`{name}` is not defined"))
    }

    /// The block and the number of the part that has this name, if it is that of a part.
    fn part(&self, name: &str) -> Result<Option<(ValueId, usize)>, String> {
        let Some((block, index)) = name.rsplit_once('.') else { return Ok(None) };
        let (Some(&id), Ok(index)) = (self.blocks.get(block), index.parse()) else { return Ok(None) };
        match index < self.list.block_of(id).results() {
            true => Ok(Some((id, index))),
            false => Err(format!("`{block}` has no result {index}")),
        }
    }

    fn number(&mut self, value: f64, kind: Kind) -> Result<ValueId, String> {
        Ok(self.constant(match kind {
            Kind::Int if f64::from(value as i32) != value => return Err(format!("{value} is no integer")),
            Kind::Int => Constant::Int(value as i32),
            Kind::Float | Kind::Bool | Kind::Opaque => Constant::Float(self.list.round(value)),
        }))
    }

    fn constant(&mut self, constant: Constant) -> ValueId {
        let list = &mut self.list;
        *self.constants.entry(constant.key()).or_insert_with(|| list.constant(constant))
    }

    fn application(&mut self, intrinsic: Intrinsic, args: &[Expression]) -> Result<ValueId, String> {
        let row = intrinsic.row();
        let mut ids = Vec::with_capacity(args.len());
        for (position, (arg, &kind)) in args.iter().zip(row.takes).enumerate() {
            let id = self.value(arg, kind)?;
            if self.list.kind(id) != kind {
                return Err(format!("argument {} of `{}` is of the wrong kind", position + 1, row.name));
            }
            ids.push(id);
        }
        Ok(self.list.apply(intrinsic, NotationId::default(), &ids))
    }
}

/// A name and what follows the colon.
fn declaration(text: &str) -> Result<(&str, &str), String> {
    let (name, rest) = text.split_once(':').ok_or("expected `name: float`, `name: int` or `name: bool`")?;
    Ok((name.trim(), rest.trim()))
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
