//! The documentation of the generated function: what an editor shows on hover.

use jacobian_core::form::Form;
use jacobian_core::linearize::Level;
use jacobian_core::{Jacobian, Strategy};
use syn::ItemFn;

use super::super::form::{self, Generated, Order, PatternFunction, Place};
use super::super::read::options::Options;
use super::super::read::shape::Shape;
use super::super::read::signature::{Parameter, Signature};

/// The documentation of a function that is generated for `item`, in Markdown; `about` is what [`about`] gives.
pub fn function(item: &ItemFn, generated: &Generated, about: &str) -> String {
    let entries = |part: &form::Part| Some(format!("`{}{}.\n\n", part.name, part.entries.as_ref()?));
    let parts = generated.seeds.iter().rev().chain(&generated.parts);
    let entries: String = parts.filter_map(entries).collect();
    format!("{}\n\n{entries}{about}", summary(&item.sig.ident.to_string(), generated))
}

/// The documentation of the function that returns a pattern.
pub fn pattern(item: &ItemFn, pattern: &PatternFunction) -> String {
    let (function, PatternFunction { noun, size: [rows, columns], .. }) = (&item.sig.ident, pattern);
    let [outer, inner] = if pattern.order == Order::CompressedRows { ["row", "column"] } else { ["column", "row"] };
    let lower = if pattern.is_symmetric { " on and below the diagonal" } else { "" };
    format!(
        "Returns where the entries{lower} of the {noun} of `{function}` are that are not zero by structure, of {rows} rows and \
         {columns} columns: `({outer}_starts, {inner}s)`.\n\n\
         The entries of {outer} `k` are those from `{outer}_starts[k]` to `{outer}_starts[k + 1]`, in the {inner}s that \
         `{inner}s` has at these places, ascending."
    )
}

/// The rows and columns, and how the derivative is computed.
pub fn about(form: Form, item: &ItemFn, signature: &Signature, options: &Options, jacobian: &Jacobian) -> String {
    let function = &item.sig.ident;
    let choice = match options.engine.strategy {
        Strategy::Auto => " (the cheapest that `auto` has found)",
        _ => "",
    };
    let level = match options.engine.level {
        Level::Statement => ", after the gradients of the statements",
        Level::CodeList => "",
    };
    let order = match &jacobian.order {
        Some(taken) if taken.order.to_string() != jacobian.strategy.to_string() => format!(", in the order {taken}"),
        _ => String::new(),
    };
    let schedule = options.engine.schedule.chosen(&jacobian.derivative.list);
    let schedule = match schedule.keeps_order() {
        true => String::new(),
        false => format!(", its statements ordered by `{schedule}`"),
    };
    let packed: usize = jacobian.packs.iter().map(|pack| pack.width).sum();
    let packed = if packed > 0 { format!(", {packed} of them packed") } else { String::new() };
    format!(
        "{}Columns:\n\n{}\n\
         Strategy: `{}`{choice}{order}{level}{schedule}. `{function}` takes {}; {}, {}{packed}.",
        rows(signature),
        part_list(signature.active().iter().map(|active| (format!("`{}`", active.name), &active.shape))),
        jacobian.strategy,
        jacobian.function_operations,
        with_what(form),
        jacobian.operations,
    )
}

/// What the function takes more operations with.
fn with_what(form: Form) -> &'static str {
    match form {
        Form::Jacobian => "with the Jacobian",
        Form::JacobianOnly => "the Jacobian alone",
        Form::TangentProduct | Form::CotangentProduct => "with the product",
        Form::Hessian => "with gradient and Hessian",
        Form::HessianProduct => "with gradient and product",
        Form::NormalEquations => "with the normal equations",
        Form::Labels => "with the labels",
        Form::LabelsTangentProduct | Form::LabelsCotangentProduct => "the product",
    }
}

/// A part of the rows or columns: its name and its shape.
type Part<'s> = (String, &'s Shape);

fn parts<'s>(parameters: impl Iterator<Item = &'s Parameter>) -> impl Iterator<Item = Part<'s>> {
    parameters.filter_map(|parameter| Some((format!("`{}`", parameter.name), parameter.shape.as_ref()?)))
}

/// What the function does.
fn summary(function: &str, generated: &Generated) -> String {
    let assigned: Vec<_> = generated.at(Place::Assigned).map(|part| format!("`{}`", part.name)).collect();
    let given: Vec<_> = generated.parts.iter().filter(|part| part.place != Place::Assigned).collect();
    let parts = given.iter().enumerate().map(|(index, part)| {
        let is_first = index == 0 && assigned.is_empty();
        let part_of =
            if is_first { format!("the {} of `{function}`", part.noun) } else { format!("its {}", part.noun) };
        match part.place {
            Place::Written => format!("{part_of} to `{}`", part.name),
            _ => part_of,
        }
    });
    let parts = parts.collect::<Vec<_>>().join(" and ");
    let names: Vec<_> = generated.at(Place::Returned).map(|part| part.name.to_string()).collect();
    let names = if names.len() > 1 { format!(": `({})`", names.join(", ")) } else { String::new() };
    let verb =
        if generated.at(Place::Written).next().is_some() { ["Writes", "writes"] } else { ["Returns", "returns"] };
    match assigned.join(", ") {
        assigned if assigned.is_empty() => format!("{} {parts}{names}.", verb[0]),
        assigned => format!("Assigns {assigned} as `{function}` does, and {} {parts}{names}.", verb[1]),
    }
}

/// A line for the result and every output, where there are outputs, or where the order of the rows may be doubtful.
fn rows(signature: &Signature) -> String {
    let is_plain = parts(signature.outputs()).next().is_none() && order(&signature.result) == IN_ORDER;
    if signature.is_gradient() || is_plain {
        return String::new();
    }
    let result = signature.has_value().then(|| ("the result".to_string(), &signature.result));
    format!("Rows:\n\n{}\n", part_list(result.into_iter().chain(parts(signature.outputs()))))
}

/// A line for every part, with its numbers.
fn part_list<'s>(parts: impl Iterator<Item = Part<'s>>) -> String {
    let (mut lines, mut first) = (String::new(), 0);
    for (name, shape) in parts {
        let (count, order) = (shape.count(), order(shape));
        lines += &match matches!(shape.behind_references(), Shape::Float(_)) {
            false if count > 1 => format!("- {first} to {}: the floats of {name} {order}\n", first + count - 1),
            false if count == 1 => format!("- {first}: the float of {name}\n"),
            false => String::new(),
            true => format!("- {first}: {name}\n"),
        };
        first += count;
    }
    lines
}

const IN_ORDER: &str = "in order";

/// The order in which the floats of this shape are counted.
fn order(shape: &Shape) -> &'static str {
    let mut vectors = Vec::new();
    shape.vectors(&mut vectors);
    match shape.behind_references() {
        _ if vectors.iter().all(|vector| vector.layout.is_vector()) => IN_ORDER,
        Shape::Vector(_) => "column by column",
        _ => "in order, matrices column by column",
    }
}
