//! Programs as the macro expands them, without a compiler: what it generates is read and interpreted.

use proc_macro2::TokenStream;

use super::ending::Ending;
use super::interpret::Interpreter;
use super::number::Number;
use super::tree::{Function, Item, ItemKind, Program};
use super::value::Value;
use super::{print, read};

/// The floats of a value, and the entries of a Jacobian row by row; what has happened besides.
pub struct Returned {
    pub value: Vec<f64>,
    pub jacobian: Vec<f64>,
    pub ending: Ending,
}

/// What is said of a program for which the macro generates nothing.
pub const REFUSED: &str = "the macro reports an error";

/// The macro.
pub type Expand = fn(TokenStream, TokenStream) -> TokenStream;

/// A program with the Jacobians that the macro generates in front of its functions; or why there are none.
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
    let name = format!("{}_jac", expanded.main().name);
    let jacobian = expanded.function(&name).expect("the Jacobian has been generated");
    let arguments: Vec<_> = point.iter().map(|argument| argument.map(&mut R::constant)).collect();
    let mut interpreter = Interpreter::<R>::new(expanded);
    let result = interpreter.run(jacobian, arguments.clone());
    let floats = |value: &Value<R>| value.floats().into_iter().map(R::value).collect();
    let (value, jacobian) = match &result {
        Ok(pair) => (floats(&pair.elements()[0]), floats(&pair.elements()[1])),
        Err(_) => (Vec::new(), Vec::new()),
    };
    Returned { value, jacobian, ending: Ending::of(result.err(), &interpreter.trace, &arguments) }
}
