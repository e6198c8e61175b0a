//! The documentation of the generated function: what an editor shows on hover.

use jacobian_core::derivative::Pattern;
use jacobian_core::form::Form;
use jacobian_core::linearize::{Chart, Level};
use jacobian_core::{Derivative, Jacobian, Strategy};
use jacobian_lower::read::options::Options;
use jacobian_lower::read::shape::{Shape, surplus};
use jacobian_lower::read::signature::Signature;
use syn::ItemFn;

use super::super::engine;
use super::super::form::{self, Generated, Order, PatternFunction, Place};

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

/// The rows and columns, the sparsity, and how the derivative is computed.
pub fn about(form: Form, item: &ItemFn, signature: &Signature, options: &Options, jacobian: &Jacobian) -> String {
    let (function, settings) = (&item.sig.ident, engine::settings(options));
    let choice = match settings.strategy {
        Strategy::Auto => " (the cheapest that `auto` has found)",
        _ => "",
    };
    let level = match settings.level {
        Level::Statement => ", after the gradients of the statements",
        Level::CodeList => "",
    };
    let order = match &jacobian.order {
        Some(taken) if taken.order.to_string() != jacobian.strategy.to_string() => format!(", in the order {taken}"),
        _ => String::new(),
    };
    let schedule = settings.schedule.chosen(&jacobian.derivative.list);
    let schedule = match schedule.keeps_order() {
        true => String::new(),
        false => format!(", its statements ordered by `{schedule}`"),
    };
    let packed: usize = jacobian.packs.iter().map(|pack| pack.width).sum();
    let packed = if packed > 0 { format!(", {packed} of them packed") } else { String::new() };
    let elimination = jacobian.comparison.map(|counts| format!("- elimination: {counts}\n")).unwrap_or_default();
    format!(
        "{}Columns:\n\n{}\n{}\
         Operations:\n\n- `{function}`: {}\n- {}: {}{packed}\n{elimination}\
         - strategy: `{}`{choice}{order}{level}{schedule}{}",
        rows(signature),
        part_list(
            signature.active().iter().map(|active| (format!("`{}`", active.name), &active.shape)),
            &signature.charts.inputs
        ),
        sparsity(form, &jacobian.derivative),
        jacobian.function_operations,
        with_what(form),
        jacobian.operations,
        jacobian.strategy,
        others(item, options),
    )
}

/// The functions that are generated.
fn others(item: &ItemFn, options: &Options) -> String {
    let names: Vec<_> = form::names(item, options).map(|name| format!("`{name}`")).collect();
    format!("\n\nGenerated for `{}`: {}.", item.sig.ident, names.join(", "))
}

/// The most columns of a matrix that is drawn.
const MAX_COLUMNS: usize = 40;

/// With more rows, a line stands for all rows that are equal and follow each other.
const MAX_ROWS: usize = 40;

/// Where the matrix of a form is not zero by structure: how many entries, and a picture where there are zeros and it is
/// not wide.
fn sparsity(form: Form, derivative: &Derivative) -> String {
    let Some(pattern) = derivative.matrices.last().filter(|_| form.has_matrix()) else { return String::new() };
    let (rows, columns) = (pattern.rows, pattern.columns);
    let below =
        |row: usize| pattern.row(row).iter().filter(move |column| pattern.is_symmetric && **column < row).count();
    let count = pattern.count() + (0..rows).map(below).sum::<usize>();
    let all = rows * columns;
    match all {
        0 | 1 if count == all => return String::new(),
        _ if count == all => return format!("All {all} entries are there: none is zero by structure.\n\n"),
        _ => {}
    }
    let text = format!("Of {all} entries, {count} are not zero by structure");
    if columns > MAX_COLUMNS { text + ".\n\n" } else { format!("{text}:\n\n```text\n{}```\n\n", picture(pattern)) }
}

/// A line for each row; of many rows, one for those that are equal, and no more than there is room for.
fn picture(pattern: &Pattern) -> String {
    let line = |row| -> String {
        let mark = |column| if pattern.place(row, column).is_some() { '*' } else { '.' };
        (0..pattern.columns).map(mark).collect()
    };
    let mut text = String::new();
    if pattern.rows <= MAX_ROWS {
        (0..pattern.rows).for_each(|row| text += &format!("{}\n", line(row)));
        return text;
    }
    let (mut first, mut lines) = (0, 0);
    while first < pattern.rows && lines < MAX_ROWS {
        let drawn = line(first);
        let mut next = first + 1;
        while next < pattern.rows && line(next) == drawn {
            next += 1;
        }
        text += &match next - first {
            1 => format!("{drawn}  row {first}\n"),
            _ => format!("{drawn}  rows {first} to {}\n", next - 1),
        };
        (first, lines) = (next, lines + 1);
    }
    if first < pattern.rows {
        text += &format!("... {} more\n", pattern.rows - first);
    }
    text
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

/// A part of the rows or columns: its name, and its shape.
type Part<'s> = (String, &'s Shape);

fn parts(signature: &Signature) -> impl Iterator<Item = Part<'_>> {
    signature.outputs().filter_map(|output| Some((format!("`{}`", output.name), output.shape.as_ref()?)))
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
    let missing = match &generated.fallible {
        Some(fallible) if fallible.is_option() => format!(", in a `Some`; `None` where `{function}` gives that"),
        Some(_) => format!(", in an `Ok`; the `Err` that `{function}` gives where it gives one"),
        None => String::new(),
    };
    match assigned.join(", ") {
        assigned if assigned.is_empty() => format!("{} {parts}{names}{missing}.", verb[0]),
        assigned => format!("Assigns {assigned} as `{function}` does, and {} {parts}{names}.", verb[1]),
    }
}

/// A line for the result and every output, where there are outputs, or where the order of the rows may be doubtful.
fn rows(signature: &Signature) -> String {
    let (result, charts) = (&signature.result, &signature.charts.outputs);
    let is_plain =
        signature.outputs().next().is_none() && order(result) == IN_ORDER && charts.is_empty() && !result.has_struct();
    if signature.is_gradient() || is_plain {
        return String::new();
    }
    let result = signature.has_value().then(|| ("the result".to_string(), &signature.result));
    format!("Rows:\n\n{}\n", part_list(result.into_iter().chain(parts(signature)), charts))
}

/// A line for every part, with its numbers; `charts` are the rotations that are differentiated by their tangents.
fn part_list<'s>(parts: impl Iterator<Item = Part<'s>>, charts: &[Chart]) -> String {
    let (mut lines, mut first, mut coordinate) = (String::new(), 0, 0);
    for (name, shape) in parts {
        let after = coordinate + shape.count();
        let own: Vec<_> = charts.iter().filter(|chart| (coordinate..after).contains(&chart.first)).copied().collect();
        let count = shape.count() - surplus(&own);
        let order = if own.is_empty() { order(shape) } else { IN_TANGENTS };
        let mut names = FloatNames { next: coordinate, charts: &own, found: Vec::new() };
        coordinate = after;
        if shape.has_struct() && count <= MOST_NAMED {
            names.add(shape, String::new());
            for (index, (float, tangent)) in names.found.iter().enumerate() {
                let float = match name.strip_suffix('`') {
                    Some(whole) => format!("{whole}{float}`{tangent}"),
                    None => format!("`{}`{tangent} of {name}", float.trim_start_matches('.')),
                };
                lines += &format!("- {}: {float}\n", first + index);
            }
            first += count;
            continue;
        }
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

/// The most floats of structs that are named one by one.
const MOST_NAMED: usize = 100;

/// What the floats of a value are called, after its name.
struct FloatNames<'c> {
    /// The number of the next coordinate.
    next: usize,
    /// The rotations that are differentiated by their tangents.
    charts: &'c [Chart],
    /// The names, and which number of a tangent it is.
    found: Vec<(String, String)>,
}

impl FloatNames<'_> {
    fn push(&mut self, name: String) {
        self.found.push((name, String::new()));
        self.next += 1;
    }

    /// Adds those of a part of this shape.
    fn add(&mut self, shape: &Shape, path: String) {
        match shape {
            Shape::Float(_) => self.push(path),
            Shape::Passive(_) | Shape::Opaque(_) | Shape::Items(_) | Shape::Option(_) | Shape::Result(_) => {}
            Shape::Reference(target) => self.add(target, path),
            Shape::Array(element, _) if element.count() == 0 => {}
            Shape::Array(element, length) => {
                (0..*length).for_each(|index| self.add(element, format!("{path}[{index}]")));
            }
            Shape::Tuple(elements) => {
                let elements = elements.iter().enumerate();
                elements.for_each(|(index, element)| self.add(element, format!("{path}.{index}")));
            }
            Shape::Struct(own) => {
                own.fields.iter().for_each(|field| self.add(&field.shape, format!("{path}.{}", field.name())));
            }
            Shape::Vector(vector) => match self.charts.iter().find(|chart| chart.first == self.next) {
                Some(chart) => {
                    let tangents = 0..chart.manifold.tangents();
                    self.found.extend(tangents.map(|number| (path.clone(), format!(", tangent {number}"))));
                    self.next += vector.layout.count();
                }
                None => {
                    let rows = vector.layout.rows;
                    (0..vector.layout.count()).for_each(|place| match vector.layout.columns {
                        1 => self.push(format!("{path}[{place}]")),
                        _ => self.push(format!("{path}[({}, {})]", place % rows, place / rows)),
                    });
                }
            },
        }
    }
}

const IN_ORDER: &str = "in order";

/// The order of what is retracted.
const IN_TANGENTS: &str = "in order, of rotations the tangents: `d` of `x * exp(d)`, rotation before translation";

/// The order in which the floats of this shape are counted.
fn order(shape: &Shape) -> &'static str {
    let mut vectors = Vec::new();
    shape.vectors(&mut vectors);
    match shape.behind_references() {
        _ if vectors.iter().all(|vector| vector.layout.rows == 1 || vector.layout.columns == 1) => IN_ORDER,
        Shape::Vector(_) => "column by column",
        _ => "in order, matrices column by column",
    }
}
