//! Programs as the macro expands them, without a compiler: what it generates is read and interpreted.

use proc_macro2::TokenStream;

use super::ending::Ending;
use super::interpret::Interpreter;
use super::number::Number;
use super::tree::{Function, Item, ItemKind, Program, Type};
use super::value::Value;
use super::{print, read};

/// The floats of a value, and those of the derivatives after it, the entries of a Jacobian row by row; what has
/// happened besides.
pub struct Returned {
    pub value: Vec<f64>,
    pub jacobian: Vec<f64>,
    pub ending: Ending,
}

/// What is said of a program for which the macro generates nothing.
pub const REFUSED: &str = "the macro reports an error";

/// The macro.
pub type Expand = fn(TokenStream, TokenStream) -> TokenStream;

/// A program with the Jacobians that the macro generates before its functions; or why there are none.
pub fn expanded(program: &Program, expand: Expand) -> Result<Program, String> {
    let file = syn::parse_str::<syn::File>(&print::program(program)).map_err(|error| error.to_string())?;
    let is_new = |name: &str| {
        let is_own = |item: &Item| matches!(&item.kind, ItemKind::Module(own, _) if **own == *name);
        program.function(name).is_none() && !program.items.iter().any(is_own)
    };
    let mut generated = Vec::new();
    for item in file.items {
        generated.extend(generated_for(item, expand, &is_new)?);
    }
    let count = generated.len();
    let functions = generated.into_iter().chain(program.functions.iter().cloned()).collect();
    let mut expanded = Program { functions, ..program.clone() };
    let whole = expanded.clone();
    for function in &mut expanded.functions[..count] {
        read::infer::integers(&whole, function);
        for (name, number) in &mut function.generics {
            let own = program.main().generics.iter().find(|(own, _)| own == name);
            *number = own.map_or(0, |(_, number)| *number);
        }
    }
    Ok(expanded)
}

/// The functions in the expansion of an item that bears the attribute.
fn generated_for(mut item: syn::Item, expand: Expand, is_new: &dyn Fn(&str) -> bool) -> Result<Vec<Function>, String> {
    let (syn::Item::Fn(syn::ItemFn { attrs, .. }) | syn::Item::Mod(syn::ItemMod { attrs, .. })) = &mut item else {
        return Ok(Vec::new());
    };
    let Some(attribute) = attrs.pop() else { return Ok(Vec::new()) };
    let options = attribute.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default();
    let tokens = expand(options, quote::ToTokens::to_token_stream(&item));
    let text = tokens.to_string();
    if let Some(errors) = text.find("compile_error") {
        return Err(format!("{REFUSED}: {}", &text[errors..]));
    }
    let items = syn::parse2::<syn::File>(tokens).map_err(|error| error.to_string())?.items;
    read::functions(&items, is_new)
}

/// The value and the Jacobian of a program at a point, as what the macro generated computes them.
pub fn run<R: Number>(expanded: &Program, point: &[Value<f64>]) -> Returned {
    call::<R>(expanded, "jac", point, &[])
}

/// The forms that are compared with the Jacobian itself.
pub const FORMS: &str = "jac_only, jvp, vjp, lin, jac_sparse, normal";

/// The forms of the functions that a program calls, where it has second derivatives.
pub const OF_CALLED: &str = "jac, hess";

/// The forms of second derivatives, and what is said of programs that have none.
pub const SECOND: &str = "hess, hvp";
pub const NO_SECOND: &str = "second derivative";

/// The weights, or the direction, of second derivatives: a vector of this length.
pub fn seed(length: usize) -> Vec<f64> {
    [0.5, -1.0, 2.0, 1.5, -0.25].into_iter().cycle().take(length).collect()
}

/// The derivatives of a program at a point by the forms of [`SECOND`], for [`seed`]s.
pub fn run_second<R: Number>(expanded: &Program, point: &[Value<f64>]) -> Vec<Returned> {
    let vector = |ty: &Type| match ty {
        Type::Reference(target) => match &**target {
            Type::Array(_, length) => Value::sequence(seed(*length).into_iter().map(Value::Float).collect()),
            other => panic!("no seed is of the type {other:?}"),
        },
        other => panic!("no seed is of the type {other:?}"),
    };
    let seeds = |form: &str| -> Vec<_> {
        let function = generated(expanded, form);
        function.parameters[point.len()..].iter().map(|parameter| vector(&parameter.ty)).collect()
    };
    SECOND.split(", ").map(|form| call::<R>(expanded, form, point, &seeds(form))).collect()
}

/// The normal equations of a program at a point.
pub fn run_normal<R: Number>(expanded: &Program, point: &[Value<f64>]) -> Returned {
    call::<R>(expanded, "normal", point, &[])
}

/// The Jacobian of a program with `rows` and `columns` at a point, by every one of [`FORMS`] that gives one: by itself,
/// row by row from its products with unit vectors, and from its entries that are not zero by structure, each with the
/// value.
pub fn run_forms<R: Number>(expanded: &Program, point: &[Value<f64>], rows: usize, columns: usize) -> Vec<Returned> {
    let only = call::<R>(expanded, "jac_only", point, &[]);
    let is_float = expanded.main().result == Type::Float;
    let along: Vec<_> =
        (0..columns).map(|column| call::<R>(expanded, "jvp", point, &[unit(columns, column)])).collect();
    let across = (0..rows).map(|row| {
        let seed = if is_float { Value::Float(1.0) } else { unit(rows, row) };
        call::<R>(expanded, "vjp", point, &[seed])
    });
    let across: Vec<_> = across.collect();
    let entry = |row: usize, column: usize| along[column].jacobian.get(row).copied();
    let by_columns = (0..rows).flat_map(|row| (0..columns).filter_map(move |column| entry(row, column))).collect();
    let by_rows = across.iter().flat_map(|product| product.jacobian.iter().copied()).collect();
    let together =
        |products: Vec<Returned>, jacobian| products.into_iter().next().map(|first| Returned { jacobian, ..first });
    let sparse = sparse::<R>(expanded, point, rows, columns);
    let mut all: Vec<_> =
        [Some(only), together(along, by_columns), together(across, by_rows)].into_iter().flatten().collect();
    all.extend(linear::<R>(expanded, point, rows, columns));
    all.push(sparse);
    all
}

/// The Jacobian from the products of its labels with unit vectors, first by columns, then by rows.
fn linear<R: Number>(expanded: &Program, point: &[Value<f64>], rows: usize, columns: usize) -> Vec<Returned> {
    let given = call::<R>(expanded, "lin", point, &[]);
    let labels = Value::sequence(given.jacobian.iter().copied().map(Value::Float).collect());
    let product = |form: &str, seed: Value<f64>| {
        // A product that nothing is left of has no result.
        if given.ending.panic.is_some() {
            Vec::new()
        } else {
            call::<R>(expanded, form, &[labels.clone(), seed], &[]).jacobian
        }
    };
    let is_float = expanded.main().result == Type::Float;
    let along: Vec<_> = (0..columns).map(|column| product("lin_jvp", unit(columns, column))).collect();
    let entry = |row: usize, column: usize| along[column].get(row).copied();
    let by_columns = (0..rows).flat_map(|row| (0..columns).filter_map(move |column| entry(row, column))).collect();
    let seed = |row| if is_float { Value::Float(1.0) } else { unit(rows, row) };
    let by_rows = (0..rows).flat_map(|row| product("lin_vjp", seed(row))).collect();
    let returned = |jacobian| Returned { value: given.value.clone(), jacobian, ending: given.ending.clone() };
    vec![returned(by_columns), returned(by_rows)]
}

/// The Jacobian from its compressed columns.
fn sparse<R: Number>(expanded: &Program, point: &[Value<f64>], rows: usize, columns: usize) -> Returned {
    let entries = call::<R>(expanded, "jac_sparse", point, &[]);
    if entries.ending.panic.is_some() {
        return entries;
    }
    let pattern = Interpreter::<R>::new(expanded).run(generated(expanded, "jac_pattern"), Vec::new());
    let pattern = pattern.unwrap_or_else(|_| panic!("a pattern is constant"));
    let [starts, indices] =
        [0, 1].map(|part| pattern.elements()[part].elements().iter().map(Value::index).collect::<Vec<_>>());
    let mut jacobian = vec![0.0; rows * columns];
    for column in 0..columns {
        for place in starts[column]..starts[column + 1] {
            jacobian[indices[place] * columns + column] = entries.jacobian[place];
        }
    }
    Returned { jacobian, ..entries }
}

/// A unit vector.
fn unit(length: usize, place: usize) -> Value<f64> {
    let entries = (0..length).map(|index| Value::Float(f64::from(u8::from(index == place))));
    Value::sequence(entries.collect())
}

/// The function of this form.
fn generated<'p>(expanded: &'p Program, form: &str) -> &'p Function {
    let name = format!("{}_{form}", expanded.main().name);
    expanded.function(&name).expect("the function has been generated")
}

/// What a generated function returns at a point: the value, if it gives that, and what follows it.
fn call<R: Number>(expanded: &Program, form: &str, point: &[Value<f64>], seeds: &[Value<f64>]) -> Returned {
    let jacobian = generated(expanded, form);
    let arguments: Vec<_> = point.iter().chain(seeds).map(|argument| argument.map(&mut R::constant)).collect();
    let mut interpreter = Interpreter::<R>::new(expanded);
    let result = interpreter.run(jacobian, arguments.clone());
    let floats = |value: &Value<R>| value.floats().into_iter().map(R::value).collect::<Vec<_>>();
    let (value, jacobian) = match &result {
        Ok(alone) if form == "jac_only" || form.starts_with("lin_") => (Vec::new(), floats(alone)),
        Ok(parts) => (floats(&parts.elements()[0]), parts.elements()[1..].iter().flat_map(floats).collect()),
        Err(_) => (Vec::new(), Vec::new()),
    };
    Returned { value, jacobian, ending: Ending::of(result.err(), &interpreter.trace, &arguments) }
}
