//! Code lists as texts.

use std::collections::HashMap;
use std::fmt::{self, Write};

use super::names::{constant_text, constants, part_text, unique_names};
use super::words::{KINDS, ORDERS};
use crate::block::{Block, Body, KnownRow, Local};
use crate::catalogue::{Intrinsic, Spelling};
use crate::code_list::{CodeList, Constant, Kind, PRECISIONS, Precision, Statement, ValueId};

impl fmt::Display for CodeList {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = PRECISIONS.iter().find(|(_, precision)| *precision == self.precision());
        if let Some((name, _)) = named.filter(|_| self.precision() != Precision::default()) {
            writeln!(formatter, "precision {name}")?;
        }
        write_list(formatter, self, "", &mut 0)
    }
}

/// Writes the lines of a list after this many blanks. `origins` counts the passive values.
fn write_list(out: &mut impl Write, list: &CodeList, indent: &str, origins: &mut u32) -> fmt::Result {
    let constants = constants(list);
    let (names, passive) = (unique_names(list), passive_values(list));
    for id in list.ids().filter(|id| constants[id.index()].is_none()) {
        let name = &names[id.index()];
        match list.statement(id) {
            Statement::Input(Kind::Float) => writeln!(out, "{indent}input {name}")?,
            Statement::Input(kind) => writeln!(out, "{indent}input {name}: {}", kind_name(*kind))?,
            Statement::Apply { intrinsic, args, .. } => {
                writeln!(out, "{indent}{name} = {}", application(*intrinsic, args, &names))?;
            }
            Statement::Block(_) => match passive.get(&id) {
                Some(value) => {
                    let (name, kind) = (&names[value.index()], kind_name(list.kind(*value)));
                    write!(out, "{indent}passive {name}: {kind}")?;
                    match list.block_of(id).origin {
                        origin if origin == *origins => writeln!(out)?,
                        origin => writeln!(out, " origin {origin}")?,
                    }
                    *origins += 1;
                }
                None => write_block(out, list, id, &names, indent, origins)?,
            },
            Statement::Part { block, .. } if passive.contains_key(block) => {}
            Statement::Part { .. } => {
                // One without a name of its own is written where it is used.
                let part = part_text(list, id, &names);
                if *name != part {
                    writeln!(out, "{indent}{name} = {part}")?;
                }
            }
            Statement::Constant(_) => {}
        }
    }
    for &output in list.outputs() {
        writeln!(out, "{indent}output {}", operand(list, output, &names))?;
    }
    Ok(())
}

fn kind_name(kind: Kind) -> &'static str {
    KINDS.iter().find(|(_, known)| *known == kind).expect("every kind has a name").0
}

/// The lines of a block.
pub fn block_text(list: &CodeList, id: ValueId, names: &[String]) -> String {
    let mut text = String::new();
    write_block(&mut text, list, id, names, "", &mut 0).expect("strings can be written");
    text
}

/// The opaque statements that are written as passive values: they have no name, read nothing, and have one result,
/// which has a name.
fn passive_values(list: &CodeList) -> HashMap<ValueId, ValueId> {
    let mut results = vec![Vec::new(); list.statements().len()];
    for id in list.ids().filter(|id| list.is_passive(*id)) {
        results[list.args(id).next().expect("a part is one of a block").index()].push(id);
    }
    let is_passive = |id: ValueId| {
        let block = list.block_of(id);
        list.name(id).is_none() && block.args.is_empty() && block.results() == 1 && !block.is_kept
    };
    let mut values = HashMap::new();
    for (block, results) in list.ids().zip(results) {
        if let [value] = results[..]
            && is_passive(block)
            && list.name(value).is_some()
        {
            values.insert(block, value);
        }
    }
    values
}

fn write_block(
    out: &mut impl Write,
    list: &CodeList,
    id: ValueId,
    names: &[String],
    indent: &str,
    origins: &mut u32,
) -> fmt::Result {
    let (block, name) = (list.block_of(id), &names[id.index()]);
    let args: Vec<_> = block.args.iter().map(|&arg| operand(list, arg, names)).collect();
    let (args, options) = (args.join(" "), options(block));
    match &block.body {
        Body::Call { local: Local::Rule(rule), .. } => {
            writeln!(out, "{indent}rule {name} ({args}){options}\n{indent}partials")?;
            write_list(out, rule, &format!("{indent}    "), origins)?;
            writeln!(out, "{indent}end")
        }
        Body::Call { .. } => writeln!(out, "{indent}call {name} ({args}){options}"),
        Body::Opaque { .. } => writeln!(out, "{indent}opaque {name} ({args}){options}"),
        Body::Branch { selector, arms, .. } => {
            writeln!(out, "{indent}branch {name} on {} ({args}){options}", operand(list, *selector, names))?;
            for arm in arms {
                writeln!(out, "{indent}arm")?;
                write_list(out, arm, &format!("{indent}    "), origins)?;
            }
            writeln!(out, "{indent}end")
        }
        Body::Loop { iterations, body, .. } => {
            let iterations =
                iterations.map(|iterations| format!(" on {}", operand(list, iterations, names))).unwrap_or_default();
            writeln!(out, "{indent}loop {name}{iterations} ({args}){options}\n{indent}body")?;
            write_list(out, body, &format!("{indent}    "), origins)?;
            writeln!(out, "{indent}end")
        }
    }
}

/// What follows the arguments of a block.
fn options(block: &Block) -> String {
    let mut options = String::new();
    match &block.body {
        Body::Call { results, order, local, .. } => {
            options += &format!(" gives {results}");
            match local {
                Local::Unwanted => options += " unwanted",
                Local::Entries(rows) => options += &format!(" entries {}", entries(rows)),
                Local::Unknown | Local::Rule(_) => {}
            }
            if let Some(order) = order.checked_sub(1) {
                options += &format!(" with {}", ORDERS[usize::from(order)]);
            }
        }
        Body::Opaque { gives } if !gives.is_empty() => {
            let kinds: Vec<_> = gives.iter().map(|kind| kind_name(*kind)).collect();
            options += &format!(" gives {}", kinds.join(" "));
        }
        Body::Loop { carried, .. } => options += &format!(" carries {carried}"),
        Body::Opaque { .. } | Body::Branch { .. } => {}
    }
    if block.origin != 0 {
        options += &format!(" origin {}", block.origin);
    }
    options += if block.is_kept { " kept" } else { "" };
    options
}

/// What is known of partials: the columns of each row, with the numbers that are known.
fn entries(rows: &[KnownRow]) -> String {
    let entry = |&(column, number): &(usize, Option<f64>)| match number {
        Some(number) => format!("{column}={number:?}"),
        None => column.to_string(),
    };
    let row = |row: &KnownRow| row.iter().map(entry).collect::<Vec<_>>().join(",");
    rows.iter().map(row).collect::<Vec<_>>().join(";") + ";"
}

/// A value in a place for values of any kind.
fn operand(list: &CodeList, id: ValueId, names: &[String]) -> String {
    match list.as_constant(id) {
        Some(constant @ Constant::Int(_)) => constant_text(constant) + "i32",
        _ => names[id.index()].clone(),
    }
}

/// The text of an application to arguments of these names.
pub fn application(intrinsic: Intrinsic, args: &[ValueId], names: &[String]) -> String {
    let arg = |position: usize| &names[args[position].index()];
    match intrinsic.row().spelling {
        Spelling::Infix(symbol) => format!("{} {symbol} {}", arg(0), arg(1)),
        Spelling::Prefix(symbol) => format!("{symbol}{}", arg(0)),
        Spelling::Select(symbol) => format!("select({} {symbol} {}, {}, {})", arg(0), arg(1), arg(2), arg(3)),
        Spelling::Call | Spelling::Libm | Spelling::Helper(_) | Spelling::FloatFromInt | Spelling::Predecessor => {
            let args: Vec<_> = (0..args.len()).map(|position| arg(position).as_str()).collect();
            format!("{}({})", intrinsic.row().name, args.join(", "))
        }
    }
}
