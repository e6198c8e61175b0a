//! Where generated code comes from: the lines of the source behind every value of a derivative, and behind every line
//! of the generated code.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use jacobian_core::catalogue::known;
use jacobian_core::code_list::{CodeList, Statement, ValueId};
use jacobian_expand::tools::Generated;

/// Lines of the source, from 1.
pub type Lines = BTreeSet<usize>;

/// With more lines behind it, a value is said to come from all of them, in one range.
const MAX_LINES: usize = 200;

/// By line of the generated code `text`: the lines of the source from which it comes.
pub fn of_lines(generated: &Generated, text: &str) -> Vec<Lines> {
    let lines = of_values(generated);
    let mut by_variable: HashMap<&str, Lines> = HashMap::new();
    for (value, name) in &generated.variables {
        by_variable.entry(name).or_default().extend(&lines[value.index()]);
    }
    let of = |names: &mut dyn Iterator<Item = &str>| {
        let mut found = Lines::new();
        names.filter_map(|name| by_variable.get(name)).for_each(|lines| found.extend(lines));
        found
    };
    let of_line = |line: &str| {
        let line = line.trim_start();
        if line.starts_with("//") {
            return Lines::new();
        }
        let declared = line.strip_prefix("let ").and_then(|rest| rest.split_once('=')).map(|(names, _)| names);
        match declared.map(|names| of(&mut words(names))) {
            Some(found) if !found.is_empty() => found,
            _ => of(&mut words(line)),
        }
    };
    text.lines().map(of_line).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric() && character != '_').filter(|word| !word.is_empty())
}

/// By value of the derivative. A value of the function comes from its statement; a partial, and what is accumulated,
/// from the statements of all values of the function that it is computed from.
fn of_values(generated: &Generated) -> Vec<Lines> {
    let function = &generated.list;
    let mut known: HashMap<u64, Lines> = HashMap::new();
    for (id, key) in function.ids().zip(keys(function)) {
        let is_computed = !matches!(function.statement(id), Statement::Input(_) | Statement::Constant(_));
        let lines = generated.lines.get(id.index()).filter(|_| is_computed);
        known.entry(key).or_insert_with(|| lines.cloned().into_iter().flatten().collect());
    }
    let list = &generated.jacobian.derivative.list;
    let mut all: Vec<Lines> = Vec::with_capacity(list.statements().len());
    for (id, key) in list.ids().zip(keys(list)) {
        let lines = known.get(&key).filter(|lines| !lines.is_empty()).cloned().unwrap_or_else(|| {
            let mut lines = Lines::new();
            list.args(id).for_each(|arg| lines.extend(&all[arg.index()]));
            lines
        });
        all.push(lines);
    }
    all.into_iter().map(bounded).collect()
}

fn bounded(lines: Lines) -> Lines {
    match (lines.first(), lines.last()) {
        (Some(&first), Some(&last)) if lines.len() > MAX_LINES => (first..=last).collect(),
        _ => lines,
    }
}

/// By value: a number that is the same for what is computed in the same way from the same inputs.
fn keys(list: &CodeList) -> Vec<u64> {
    let (mut keys, mut inputs): (Vec<u64>, usize) = (Vec::with_capacity(list.statements().len()), 0);
    for id in list.ids() {
        let key = key(list, id, &keys, &mut inputs);
        keys.push(key);
    }
    keys
}

fn key(list: &CodeList, id: ValueId, keys: &[u64], inputs: &mut usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    match list.statement(id) {
        Statement::Input(_) => {
            // Those of a seed come before those of the function.
            (0, list.inputs().len() - *inputs).hash(&mut hasher);
            *inputs += 1;
        }
        Statement::Constant(constant) => (1, constant.key()).hash(&mut hasher),
        Statement::Apply { intrinsic, args, .. } => {
            let mut args: Vec<_> = args.iter().map(|arg| keys[arg.index()]).collect();
            if matches!(*intrinsic, known::ADD | known::MUL) {
                args.sort_unstable();
            }
            (2, intrinsic.row().name, args).hash(&mut hasher);
        }
        // A block has a number of its own.
        Statement::Block(_) => (3, list.block_of(id).origin).hash(&mut hasher),
        Statement::Part { block, index } => (4, keys[block.index()], index).hash(&mut hasher),
    }
    hasher.finish()
}
