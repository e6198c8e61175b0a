//! The expansion: the tokens of the attribute and of the function in, the tokens of the function and of its Jacobian out.
//! It is a plain function over `proc_macro2`, so that it can be called without a compiler.

mod diagnostics;
mod document;
mod emit;
mod flatten;
mod guard;
mod options;
mod shape;
mod signature;
mod writer;

use jacobian_core::differentiate;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use self::diagnostics::Errors;
use self::options::Options;

/// Expands `#[jacobian(options)] item`. The item is always in the output, untouched.
pub fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    for tokens in [&options, &item] {
        if let Some((span, message)) = guard::too_deep(tokens) {
            errors.at_span(span, message);
        }
    }
    if !errors.is_empty() {
        return with_errors(&item, &errors);
    }
    let options = options::parse(options, &mut errors);
    let generated = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => jacobian(&function, &options, &mut errors),
        Err(error) => {
            errors.push(not_a_function(&item, error));
            TokenStream::new()
        }
    };
    let errors = errors.to_compile_errors();
    quote!(#item #errors #generated)
}

fn with_errors(item: &TokenStream, errors: &Errors) -> TokenStream {
    let errors = errors.to_compile_errors();
    quote!(#item #errors)
}

/// The Jacobian of `function`, or its stub where there are errors.
fn jacobian(function: &ItemFn, options: &Options, errors: &mut Errors) -> TokenStream {
    let name = signature::generated_name(function, options);
    let signature = signature::read(function, options, errors);
    let generated = signature.as_ref().and_then(|signature| {
        let flattened = flatten::flatten(function, signature, errors);
        if !errors.is_empty() {
            return None;
        }
        match differentiate(&flattened.list, &options.strategy) {
            Ok(jacobian) => {
                let documentation = document::function(function, signature, &options.strategy, &jacobian);
                Some(emit::function(function, &name, signature, &documentation, flattened, &jacobian))
            }
            Err(error) => {
                errors.at(&function.sig.ident, error);
                None
            }
        }
    });
    generated.unwrap_or_else(|| emit::stub(function, &name, signature.as_ref()))
}

/// An error that says what `#[jacobian]` goes on, where the item is something else or has no body.
fn not_a_function(item: &TokenStream, error: syn::Error) -> syn::Error {
    match syn::parse2::<syn::Item>(item.clone()) {
        Ok(_) => syn::Error::new_spanned(item, "`#[jacobian]` goes on a function or on a method with a body"),
        Err(_) => error,
    }
}
