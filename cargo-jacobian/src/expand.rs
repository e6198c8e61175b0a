//! `cargo jacobian expand`: the generated code.

use jacobian_expand::tools::Generated;
use proc_macro2::TokenStream;
use quote::quote;

use super::select::{Function, Place};

/// The generated functions of all that is meant, formatted.
///
/// # Errors
/// As [`Place::functions`].
pub fn expand(place: &Place) -> Result<String, String> {
    let texts: Vec<_> = place.functions()?.iter().map(of_function).collect();
    Ok(texts.join("\n"))
}

fn of_function(function: &Function) -> String {
    let code: Vec<_> = function.forms.iter().map(code).collect();
    format!("// {}::{}\n{}", function.file, function.path, code.join("\n"))
}

/// The generated functions of a form, formatted.
pub fn code(generated: &Generated) -> String {
    formatted(&generated.tokens)
}

/// Functions, formatted: methods as such.
fn formatted(tokens: &TokenStream) -> String {
    if let Ok(file) = syn::parse2(tokens.clone()) {
        return prettyplease::unparse(&file);
    }
    match syn::parse2(quote!(impl Type { #tokens })) {
        Ok(file) => unindented(&prettyplease::unparse(&file)),
        Err(_) => tokens.to_string(),
    }
}

/// What is in the `impl`, four blanks to the left.
fn unindented(text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    let inner = lines.iter().skip(1).take(lines.len().saturating_sub(2));
    inner.map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect()
}
