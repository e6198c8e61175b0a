//! The expansion: the tokens of the attribute and of the function in, the tokens of the function and of its Jacobian
//! out. It is a plain function over `proc_macro2`, so that it can be called without a compiler.

mod emit;
mod engine;
mod form;
mod instances;
mod module;
#[cfg(test)]
mod tests;
#[cfg(feature = "tools")]
pub mod tools;
mod watch;

use jacobian_core::pipeline::{Forms, Jacobian, Settings};
use jacobian_core::{Error, Form};
use jacobian_lower::diagnostics::Errors;
use jacobian_lower::module::Surroundings;
use jacobian_lower::read::options::Options;
use jacobian_lower::read::shape::Shape;
use jacobian_lower::read::signature::Signature;
use jacobian_lower::read::{guard, signature};
use jacobian_lower::{Lowered, refuse};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Item, ItemFn};

use self::emit::number;
use self::module::Module;
use self::watch::Watch;

/// Expands `#[jacobian(options)] item`. The item is always in the output, untouched but for an attribute that says that
/// it is used, unless it nests so deeply that the compiler itself could end on it: then it has no body, and the error
/// is seen.
pub fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let expanded = expand_watched(options, item, &mut errors, &mut ());
    let errors = errors.to_compile_errors();
    quote!(#expanded #errors)
}

/// The same without the errors, under the eyes of `watch`.
fn expand_watched(options: TokenStream, item: TokenStream, errors: &mut Errors, watch: &mut dyn Watch) -> TokenStream {
    for tokens in [&options, &item] {
        if let Some((span, message)) = guard::too_deep(tokens) {
            errors.at_span(span, message);
        }
    }
    if !errors.is_empty() {
        let stub = stub_without_body(options, &item, errors);
        let item = match guard::too_deep(&item) {
            Some(_) => with_body(&item, quote!(::core::unreachable!())),
            None => item,
        };
        return quote!(#item #stub);
    }
    let options = engine::parse(options, errors);
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(function)) => {
            let generated = jacobian(&function, &options, (&Module::default(), None), None, errors, watch);
            let used = used(&function);
            quote!(#used #item #generated)
        }
        Ok(Item::Mod(module)) => module::expand::expand(&module, &options, errors, watch),
        Ok(_) => {
            errors.at_span(keyword(&item), refuse::MISPLACED);
            item
        }
        Err(error) => {
            errors.push(not_a_function(&item, error));
            item
        }
    }
}

/// An attribute for a function that says that it is used, and what it uses: its Jacobian stands for it where nothing
/// else calls it. The Jacobian cannot mention it instead, for no macro sees whether a function without `self` is one of
/// a type, `Self::f`, or not. A function that makes a lint of it itself keeps that.
fn used(function: &ItemFn) -> TokenStream {
    let is_said = |attribute: &syn::Attribute| attribute.to_token_stream().to_string().contains("dead_code");
    match function.attrs.iter().any(is_said) {
        true => TokenStream::new(),
        false => quote_spanned!(Span::mixed_site()=> #[allow(dead_code)]),
    }
}

/// The stub of a function whose body cannot be parsed.
fn stub_without_body(options: TokenStream, item: &TokenStream, errors: &mut Errors) -> TokenStream {
    let tokens = with_body(item, TokenStream::new());
    if [&options, &tokens].into_iter().any(|tokens| guard::too_deep(tokens).is_some()) {
        return TokenStream::new();
    }
    let options = engine::parse(options, errors);
    let Ok(function) = syn::parse2::<ItemFn>(tokens) else { return TokenStream::new() };
    let signature = signature::read(&function, &options, (Module::default().declared().structs(), None), errors);
    emit::stubs(&function, &options, signature.as_ref())
}

/// The function with another body.
fn with_body(item: &TokenStream, body: TokenStream) -> TokenStream {
    let mut tokens: Vec<_> = item.clone().into_iter().collect();
    if let Some(TokenTree::Group(group)) = tokens.last_mut() {
        *group = Group::new(group.delimiter(), body);
    }
    TokenStream::from_iter(tokens)
}

/// The Jacobian of `function`, or its stub where there are errors; `own` is what it is a method of, if it is a
/// type of the module. What the engine makes of the form `jac` may be known.
fn jacobian(
    function: &ItemFn,
    options: &Options,
    (module, own): (&Module, Option<&Shape>),
    known: Option<&Jacobian>,
    errors: &mut Errors,
    watch: &mut dyn Watch,
) -> TokenStream {
    if !options.instances.is_empty() {
        return instances::expand(function, options, module, errors, watch);
    }
    let instances = module.declared().instances();
    form::check_names(function, options, errors);
    let signature = signature::read(function, options, (module.declared().structs(), own), errors);
    let generated = signature.as_ref().and_then(|signature| {
        let (jacobians, lowered) = differentiated(function, signature, options, module, known, errors)?;
        let mut functions = TokenStream::new();
        for (settings, jacobian) in jacobians {
            let mut emitted = emit::functions(settings.form, function, signature, options, &lowered, &jacobian);
            emitted.tokens = instances.written(emitted.tokens);
            watch.generated(function, &lowered, settings, jacobian, &emitted);
            functions.extend(emitted.tokens);
        }
        Some(functions)
    });
    generated.unwrap_or_else(|| instances.written(emit::stubs(function, options, signature.as_ref())))
}

/// The most statements of a loop that is unrolled after all, where its derivative would be too long.
const MAX_UNROLLED: usize = 10_000;

/// What the engine makes of a function, form by form, and the function as it is lowered; none where there are errors.
fn differentiated(
    function: &ItemFn,
    signature: &Signature,
    options: &Options,
    module: &Module,
    known: Option<&Jacobian>,
    errors: &mut Errors,
) -> Option<(Vec<(Settings, Jacobian)>, Lowered)> {
    let lowered = jacobian_lower::lower(function, signature, options, module, errors);
    if let Some(why) = emit::too_many_borrows(&lowered).filter(|_| errors.is_empty()) {
        errors.at(&function.sig.ident, why);
    }
    if !errors.is_empty() {
        return None;
    }
    let (mut jacobians, mut forms) = (Vec::new(), Forms::of(&lowered.list));
    for form in form::wanted(options) {
        let settings = Settings { form, charts: signature.charts.clone(), ..engine::settings(options) };
        let known = known.filter(|_| form == Form::Jacobian).cloned();
        match known.map_or_else(|| forms.run(&settings), Ok) {
            Ok(jacobian) => {
                if let Some(why) = number::missing(&signature.scalar, &jacobian.derivative.list) {
                    errors.at(&signature.scalar.ty(), why);
                    return None;
                }
                if let Some(why) = form::too_large(form, options, &jacobian.derivative) {
                    errors.at(&function.sig.ident, why);
                    return None;
                }
                jacobians.push((settings, jacobian));
            }
            Err(error) => {
                if matches!(error, Error::LongLoop { .. }) && (1..=MAX_UNROLLED).contains(&lowered.unrolled) {
                    // What a loop carries forward may be little in another order.
                    let options = options.unrolled();
                    let unrolled = differentiated(function, signature, &options, module, None, &mut Errors::default());
                    if unrolled.is_some() {
                        return unrolled;
                    }
                }
                match engine::strategy_place(options).filter(|_| error.is_of_order()) {
                    Some(place) => errors.at_span(place, error),
                    None => errors.at(&function.sig.ident, error),
                }
                return None;
            }
        }
    }
    Some((jacobians, lowered))
}

/// An error that says what `#[jacobian]` goes on, where the item is something else or has no body.
fn not_a_function(item: &TokenStream, error: syn::Error) -> syn::Error {
    match is_function(item) {
        true => error,
        false => syn::Error::new(keyword(item), refuse::MISPLACED),
    }
}

/// Whether a function begins here, even one that cannot be parsed.
fn is_function(item: &TokenStream) -> bool {
    item.clone().into_iter().any(|token| matches!(&token, TokenTree::Ident(word) if word == "fn"))
}

/// The place of the first word of an item after its attributes and its visibility; of its `;` if it is a function.
fn keyword(item: &TokenStream) -> Span {
    let tokens: Vec<_> = item.clone().into_iter().collect();
    let mut words = tokens.iter().filter_map(|token| match token {
        TokenTree::Ident(ident) if ident != "pub" => Some(ident),
        _ => None,
    });
    let token = if is_function(item) { tokens.last().map(TokenTree::span) } else { words.next().map(Ident::span) };
    token.unwrap_or_else(Span::call_site)
}
