//! The documentation of the generated function: what an editor shows on hover.

use jacobian_core::linearize::Level;
use jacobian_core::{Jacobian, Strategy};
use proc_macro2::Ident;
use syn::ItemFn;

use super::super::emit::Places;
use super::super::read::options::Options;
use super::super::read::shape::Shape;
use super::super::read::signature::{Parameter, Signature};

/// The documentation of the Jacobian of `item`, in Markdown: of the function that writes to `places`, or that returns it.
pub fn function(
    item: &ItemFn,
    signature: &Signature,
    options: &Options,
    jacobian: &Jacobian,
    places: Option<&Places>,
) -> String {
    let function = &item.sig.ident;
    let choice = match options.strategy {
        Strategy::Auto => " (the cheapest that `auto` has found)",
        _ => "",
    };
    let level = match options.level {
        Level::Statement => ", after the gradients of the statements",
        Level::CodeList => "",
    };
    let schedule = options.schedule.chosen(&jacobian.derivative.list);
    let schedule = match schedule.keeps_order() {
        true => String::new(),
        false => format!(", its statements ordered by `{schedule}`"),
    };
    let packed: usize = jacobian.packs.iter().map(|pack| pack.width).sum();
    let packed = if packed > 0 { format!(", {packed} of them packed") } else { String::new() };
    format!(
        "{}\n\n{}\n\n{}Columns:\n\n{}\n\
         Strategy: `{}`{choice}{level}{schedule}. `{function}` takes {}; with the Jacobian, {}{packed}.",
        summary(function, signature, places),
        entries(signature, places.map_or("jacobian".to_string(), |places| places.jacobian.to_string())),
        rows(signature),
        part_list(parts(signature.active())),
        jacobian.strategy,
        jacobian.function_operations,
        jacobian.operations,
    )
}

/// A part of the rows or columns: its name and its shape.
type Part<'s> = (String, &'s Shape);

fn parts<'s>(parameters: impl Iterator<Item = &'s Parameter>) -> impl Iterator<Item = Part<'s>> {
    parameters.filter_map(|parameter| Some((format!("`{}`", parameter.name), parameter.shape.as_ref()?)))
}

/// What the function does.
fn summary(function: &Ident, signature: &Signature, places: Option<&Places>) -> String {
    let outputs: Vec<_> = parts(signature.outputs()).map(|(name, _)| name).collect();
    let assigns = match outputs.join(", ") {
        outputs if outputs.is_empty() => String::new(),
        outputs => format!("Assigns {outputs} as `{function}` does, and "),
    };
    let summary = match (places, signature.has_value(), assigns.is_empty()) {
        (Some(Places { value, jacobian }), _, _) => {
            let value = value.as_ref().map(|value| format!("the value of `{function}` to `{value}` and "));
            format!("{assigns}writes {}its Jacobian to `{jacobian}`.", value.unwrap_or_default())
        }
        (None, true, true) => format!("The value and the Jacobian of `{function}`: `(value, jacobian)`."),
        (None, true, false) => format!("{assigns}returns its value and its Jacobian: `(value, jacobian)`."),
        (None, false, _) => format!("{assigns}returns its Jacobian."),
    };
    summary.replacen("writes the", "Writes the", usize::from(assigns.is_empty()))
}

/// What the entries of the Jacobian, which is called `name`, are.
fn entries(signature: &Signature, name: String) -> String {
    let columns = signature.columns();
    if signature.is_gradient() {
        return format!("`{name}[j]`: the partial derivative with respect to column `j` of {columns}.");
    }
    let of_result = if parts(signature.outputs()).next().is_none() { " of the result" } else { "" };
    let rows = signature.rows();
    format!(
        "`{name}[i][j]`: the partial derivative of float `i` of {rows}{of_result} with respect to column `j` of {columns}."
    )
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
        lines += &match is_float(shape) {
            false if count > 1 => format!("- {first} to {}: the floats of {name} {order}\n", first + count - 1),
            false if count == 1 => format!("- {first}: the float of {name}\n"),
            false => String::new(),
            true => format!("- {first}: {name}\n"),
        };
        first += count;
    }
    lines
}

fn is_float(shape: &Shape) -> bool {
    matches!(shape.behind_references(), Shape::Float(_))
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
