//! The documentation of the generated function: what an editor shows on hover.

use jacobian_core::linearize::Level;
use jacobian_core::{Jacobian, Strategy};
use syn::ItemFn;

use super::options::Options;
use super::shape::Shape;
use super::signature::{Role, Signature};

/// The documentation of the Jacobian of `item`, in Markdown.
pub fn function(item: &ItemFn, signature: &Signature, options: &Options, jacobian: &Jacobian) -> String {
    let function = &item.sig.ident;
    let columns = signature.columns();
    let entries = match &signature.result {
        Shape::Float(_) => format!("`jacobian[j]`: the partial derivative with respect to column `j` of {columns}."),
        result => format!(
            "`jacobian[i][j]`: the partial derivative of float `i` of {} of the result with respect to column `j` of {columns}.",
            result.count()
        ),
    };
    let choice = match options.strategy {
        Strategy::Auto => " (the cheapest that `auto` found)",
        _ => "",
    };
    let level = match options.level {
        Level::Statement => ", after the gradients of the statements",
        Level::CodeList => "",
    };
    format!(
        "The value and the Jacobian of `{function}`: `(value, jacobian)`.\n\n\
         {entries}\n\n\
         Columns:\n\n{}\n\
         Strategy: `{}`{choice}{level}. `{function}` takes {}; with the Jacobian, {}.",
        column_list(signature),
        jacobian.strategy,
        jacobian.function_operations,
        jacobian.operations,
    )
}

/// A line for every active parameter.
fn column_list(signature: &Signature) -> String {
    let (mut lines, mut first) = (String::new(), 0);
    for parameter in signature.parameters.iter().filter(|parameter| parameter.role == Role::Active) {
        let (name, count) = (&parameter.name, parameter.shape.as_ref().map_or(0, Shape::count));
        lines += &match parameter.shape.as_ref().map(is_array) {
            Some(true) if count > 1 => format!("- {first} to {}: the floats of `{name}` in order\n", first + count - 1),
            Some(true) if count == 1 => format!("- {first}: the float of `{name}`\n"),
            Some(true) => String::new(),
            _ => format!("- {first}: `{name}`\n"),
        };
        first += count;
    }
    lines
}

fn is_array(shape: &Shape) -> bool {
    match shape {
        Shape::Reference(target) => is_array(target),
        Shape::Array(..) => true,
        _ => false,
    }
}
