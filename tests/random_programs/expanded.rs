//! Programs as the macro expands them, without a compiler: what it generates is read and interpreted.

use proc_macro2::TokenStream;

use super::tree::{Function, Item, ItemKind, Program};
use super::{print, read};

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
