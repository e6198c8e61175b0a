//! Functions with `const` parameters: `#[jacobian(instances(3, 6))] fn f<const N: usize>(x: [f64; N]) -> f64`.
//!
//! Each instance is a function of its own, `f_3_jac` and so on, as if it were written with numbers for the parameters.
//! Which of them is meant by `f_jac::<3>(x)`, or by `f_jac(x)` for an array of three, is said by a trait: it is
//! implemented for `()` once for each instance, and its associated types are what depends on the instance. Taken: the
//! function and its options. Given: the functions of all instances, that trait, and `f_jac` with the parameters of the
//! function itself, for each form. The functions of the instances are written by [`super::jacobian`], so that all that
//! is said of these holds here.
//!
//! A method can have instances where its `impl` block is seen, in a module. The trait is implemented for its type then.
//! Where it is the block that has the parameters, each instance is a block of its own, and there is nothing to choose:
//! the type is another one.

use jacobian_core::Jacobian;
use jacobian_core::pipeline::Settings;
use jacobian_lower::Lowered;
use jacobian_lower::diagnostics::Errors;
use jacobian_lower::names::emitted;
use jacobian_lower::read::options::{Instance, Options};
use jacobian_lower::read::shape::Shape;
use jacobian_lower::read::ty::unwrapped;
use jacobian_lower::refuse;
use jacobian_lower::tokens::grouped;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{
    Attribute, FnArg, GenericParam, Generics, Item, ItemConst, ItemFn, ItemImpl, Pat, ReturnType, Stmt, Type,
    WhereClause, parse_quote,
};

use super::emit::Emitted;
use super::module::Module;
use super::watch::Watch;

/// The Jacobians of all instances of `function`, and what chooses among them.
pub fn expand(
    function: &ItemFn,
    options: &Options,
    module: &Module,
    errors: &mut Errors,
    watch: &mut dyn Watch,
) -> TokenStream {
    if function.sig.receiver().is_some() {
        let first = options.instances.first().map_or_else(Span::call_site, |instance| instance.span);
        errors.at_span(first, refuse::INSTANCES_OF_METHOD);
        return TokenStream::new();
    }
    let Written { mut functions, around } = written(function, options, (module, None, None), errors, watch);
    functions.extend(around);
    functions
}

/// What is generated for a function with instances.
#[derive(Default)]
pub struct Written {
    /// The functions, which belong where it is declared.
    pub functions: TokenStream,
    /// What belongs around an `impl` block where it is declared in one.
    pub around: TokenStream,
}

/// The blocks in which the marked method of a block with `const` parameters is one of these instances. Each consists of
/// the function that the method is.
pub fn blocks(item: &ItemImpl, function: &ItemFn, options: &Options, errors: &mut Errors) -> Vec<(ItemImpl, ItemFn)> {
    let parameters = constants(&item.generics);
    let first = options.instances.first().map_or_else(Span::call_site, |instance| instance.span);
    if !constants(&function.sig.generics).is_empty() {
        errors.at_span(first, refuse::INSTANCES_OF_BOTH);
        return Vec::new();
    }
    let instances = checked(&function.sig.ident, &parameters, options, errors);
    let of_instance = |instance: &&Instance| {
        let value = |ident: &Ident| {
            let at = parameters.iter().position(|parameter| parameter == ident)?;
            Some(spanned(instance.arguments[at].clone(), ident.span()))
        };
        let self_ty = Box::new(replaced_type(&item.self_ty, &value));
        let generics = without_constants(&item.generics, &value);
        let function = with_arguments(function, &function.sig.ident, (&item.generics, &parameters), instance);
        (ItemImpl { self_ty, generics, items: Vec::new(), ..item.clone() }, function)
    };
    instances.iter().map(of_instance).collect()
}

/// The same as [`expand`], of a method in this block, and of the type of the module with this shape, if there is one.
pub fn written(
    function: &ItemFn,
    options: &Options,
    (module, own, block): (&Module, Option<&Shape>, Option<&ItemImpl>),
    errors: &mut Errors,
    watch: &mut dyn Watch,
) -> Written {
    let parameters = constants(&function.sig.generics);
    let instances = checked(&function.sig.ident, &parameters, options, errors);
    if instances.is_empty() {
        return Written::default();
    }
    let (mut tokens, mut functions) = (TokenStream::new(), Vec::new());
    for instance in &instances {
        let suffix = instance.suffix();
        let name = format_ident!("{}_{suffix}", function.sig.ident.unraw(), span = function.sig.ident.span());
        let written = with_arguments(function, &name, (&function.sig.generics, &parameters), instance);
        let named = options.name.as_ref().map(|own| format_ident!("{}_{suffix}", own.unraw(), span = own.span()));
        let options = options.clone().for_instance(named);
        let generated =
            super::jacobian(&written, &options, (module, own), None, errors, &mut OfInstance { function, watch });
        let about = format!("`{}::<{}>`", function.sig.ident.unraw(), instance.text());
        let Ok(file) = syn::parse2::<syn::File>(documented(generated, &format!("`{name}`"), &about)) else {
            return Written { functions: tokens, around: TokenStream::new() };
        };
        functions.push(generated_functions(&file));
        tokens.extend(file.into_token_stream());
    }
    if differ(&functions) {
        let first = options.instances.first().map_or_else(Span::call_site, |instance| instance.span);
        errors.at_span(first, refuse::INSTANCES_OF_ONE_RESULT);
        return Written { functions: tokens, around: TokenStream::new() };
    }
    let choice = Choice { function, options, block, parameters: &parameters, instances: &instances };
    let (around, chosen) = choice.written(&functions);
    tokens.extend(chosen);
    Written { functions: tokens, around }
}

/// Looks on while an instance is generated, which is one of this function.
struct OfInstance<'w> {
    function: &'w ItemFn,
    watch: &'w mut dyn Watch,
}

impl Watch for OfInstance<'_> {
    fn generated(&mut self, _: &ItemFn, lowered: &Lowered, settings: Settings, jacobian: Jacobian, emitted: &Emitted) {
        self.watch.generated(self.function, lowered, settings, jacobian, emitted);
    }
}

/// The `const` parameters of a function.
fn constants(generics: &Generics) -> Vec<Ident> {
    let constants = generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Const(parameter) => Some(parameter.ident.clone()),
        _ => None,
    });
    constants.collect()
}

/// The instances that fit the parameters; none where an error has been found.
fn checked<'o>(name: &Ident, parameters: &[Ident], options: &'o Options, errors: &mut Errors) -> Vec<&'o Instance> {
    if parameters.is_empty() {
        let first = options.instances.first().map_or_else(Span::call_site, |instance| instance.span);
        errors.at_span(first, refuse::instances_of_none(name));
        return Vec::new();
    }
    let mut found: Vec<&Instance> = Vec::new();
    for instance in &options.instances {
        if instance.arguments.len() != parameters.len() {
            errors.at_span(instance.span, refuse::instance_arguments(name, parameters.len()));
            return Vec::new();
        }
        if found.iter().any(|earlier| earlier.suffix() == instance.suffix()) {
            errors.at_span(instance.span, refuse::INSTANCE_TWICE);
            return Vec::new();
        }
        found.push(instance);
    }
    found
}

/// The function with the arguments of an instance for the `const` parameters that its generics, or those of its block,
/// declare: in the types of the signature, and as constants of its body.
fn with_arguments(
    function: &ItemFn,
    name: &Ident,
    (generics, parameters): (&Generics, &[Ident]),
    instance: &Instance,
) -> ItemFn {
    let mut written = function.clone();
    let sig = &mut written.sig;
    let value = |ident: &Ident| {
        let at = parameters.iter().position(|parameter| parameter == ident)?;
        Some(spanned(instance.arguments[at].clone(), ident.span()))
    };
    sig.ident = name.clone();
    for input in &mut sig.inputs {
        if let FnArg::Typed(typed) = input {
            *typed.ty = replaced_type(&typed.ty, &value);
        }
    }
    if let ReturnType::Type(_, ty) = &mut sig.output {
        **ty = replaced_type(ty, &value);
    }
    sig.generics = without_constants(&sig.generics, &value);
    // An item of the body is what its name means there.
    let is_hidden = |parameter: &Ident| {
        function.block.stmts.iter().any(|stmt| match stmt {
            Stmt::Item(Item::Const(item)) => item.ident == *parameter,
            Stmt::Item(Item::Static(item)) => item.ident == *parameter,
            _ => false,
        })
    };
    let mut declared: Vec<Stmt> = Vec::new();
    for parameter in &generics.params {
        if let GenericParam::Const(parameter) = parameter
            && let Some(value) = value(&parameter.ident)
            && !is_hidden(&parameter.ident)
        {
            let (name, ty) = (&parameter.ident, &parameter.ty);
            let item: ItemConst = parse_quote!(const #name: #ty = #value;);
            declared.push(Stmt::Item(Item::Const(item)));
        }
    }
    written.block.stmts.splice(0..0, declared);
    written
}

/// Generics without their `const` parameters, for which `value` is written elsewhere in them.
fn without_constants(generics: &Generics, value: &dyn Fn(&Ident) -> Option<TokenStream>) -> Generics {
    let params = generics.params.iter().filter(|parameter| !matches!(parameter, GenericParam::Const(_)));
    let params: Vec<_> = params.map(|parameter| replaced(parameter.to_token_stream(), value)).collect();
    let clause = generics.where_clause.as_ref().map(|clause| replaced(clause.to_token_stream(), value));
    let written: Result<Generics, _> = syn::parse2(quote!(<#(#params),*>));
    let mut written = written.unwrap_or_else(|_| generics.clone());
    if written.params.is_empty() {
        (written.lt_token, written.gt_token) = (None, None);
    }
    written.where_clause = clause.and_then(|clause| syn::parse2::<WhereClause>(clause).ok());
    written
}

fn replaced_type(ty: &Type, value: &dyn Fn(&Ident) -> Option<TokenStream>) -> Type {
    syn::parse2(replaced(ty.to_token_stream(), value)).unwrap_or_else(|_| ty.clone())
}

/// The tokens with `value` for the names that have one. What follows `::` is another's name.
fn replaced(tokens: TokenStream, value: &dyn Fn(&Ident) -> Option<TokenStream>) -> TokenStream {
    let (mut written, mut colons) = (TokenStream::new(), 0);
    for token in tokens {
        let is_own = colons < 2;
        colons = if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':') { colons + 1 } else { 0 };
        match token {
            TokenTree::Ident(name) => match value(&name).filter(|_| is_own) {
                Some(value) => written.extend(value),
                None => written.extend([TokenTree::Ident(name)]),
            },
            TokenTree::Group(group) => written.extend([grouped(&group, replaced(group.stream(), value))]),
            other => written.extend([other]),
        }
    }
    written
}

fn spanned(tokens: TokenStream, span: Span) -> TokenStream {
    let own = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    tokens.into_iter().map(own).collect()
}

/// The documentation of an instance says of which function it is: the one of the instance's name does not exist.
fn documented(tokens: TokenStream, name: &str, about: &str) -> TokenStream {
    let (mut written, mut is_doc) = (TokenStream::new(), 0);
    for token in tokens {
        is_doc = match &token {
            TokenTree::Ident(word) if word == "doc" => 1,
            TokenTree::Punct(sign) if is_doc == 1 && sign.as_char() == '=' => 2,
            _ if is_doc == 2 => 3,
            _ => 0,
        };
        written.extend([match token {
            TokenTree::Literal(text) if is_doc == 3 && text.to_string().contains(name) => {
                match syn::parse_str::<syn::LitStr>(&text.to_string()) {
                    Ok(own) => {
                        let mut literal = Literal::string(&own.value().replace(name, about));
                        literal.set_span(text.span());
                        TokenTree::Literal(literal)
                    }
                    Err(_) => TokenTree::Literal(text),
                }
            }
            TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Bracket => {
                grouped(&group, documented(group.stream(), name, about))
            }
            other => other,
        }]);
    }
    written
}

fn generated_functions(file: &syn::File) -> Vec<ItemFn> {
    let functions = file.items.iter().filter_map(|item| match item {
        Item::Fn(function) => Some(function.clone()),
        _ => None,
    });
    functions.collect()
}

/// Whether a form takes other parameters in some instances than in others.
fn differ(functions: &[Vec<ItemFn>]) -> bool {
    let counts = |of: &[ItemFn]| of.iter().map(|form| form.sig.inputs.len()).collect::<Vec<_>>();
    functions.windows(2).any(|pair| pair[0].len() == pair[1].len() && counts(&pair[0]) != counts(&pair[1]))
}

/// What chooses the instance that a call means.
struct Choice<'f> {
    function: &'f ItemFn,
    options: &'f Options,
    /// The block that the function is a method in.
    block: Option<&'f ItemImpl>,
    parameters: &'f [Ident],
    instances: &'f [&'f Instance],
}

impl Choice<'_> {
    /// The trait and its implementations, and a function for each form; of each instance, these functions are given.
    fn written(&self, functions: &[Vec<ItemFn>]) -> (TokenStream, TokenStream) {
        let count = functions.iter().map(Vec::len).min().unwrap_or(0);
        let Some(first) = functions.first().filter(|first| functions.iter().all(|it| it.len() == first.len())) else {
            return Default::default();
        };
        let forms: Vec<_> = (0..count).map(|index| self.form(index, functions)).collect();
        let trait_ = self.trait_name();
        let attributes = first.first().map(kept).unwrap_or_default();
        let (visibility, own) = (&self.function.vis, &self.function.sig);
        let name = own.ident.unraw();
        let (generics, clause) = (&own.generics, &own.generics.where_clause);
        let lists = self.instances.iter().map(|instance| format!("`{}`", self.named(instance))).collect::<Vec<_>>();
        let known = lists.join(", ");
        let about = format!(" The instances of `{name}` that have derivatives: {known}.");
        let message = format!("the derivatives of `{name}` are generated for {known} only");
        let note = "name the instances that are needed in `#[jacobian(instances(...))]`";
        let declared = forms.iter().map(|form| &form.declared);
        let mut tokens = quote_spanned! {Span::mixed_site()=>
            #(#attributes)*
            #[doc = #about]
            #[diagnostic::on_unimplemented(message = #message, label = "no such instance", note = #note)]
            #[allow(dead_code)]
            #visibility trait #trait_ #generics #clause { #(#declared)* }
        };
        for (index, instance) in self.instances.iter().enumerate() {
            let value = |ident: &Ident| {
                let at = self.parameters.iter().position(|parameter| parameter == ident)?;
                Some(spanned(instance.arguments[at].clone(), ident.span()))
            };
            let mut generics = without_constants(&own.generics, &value);
            if let Some(block) = self.block {
                generics.params.extend(block.generics.params.clone());
                let predicates = block.generics.where_clause.iter().flat_map(|clause| clause.predicates.clone());
                generics.make_where_clause().predicates.extend(predicates);
            }
            let (declared, _, clause) = generics.split_for_impl();
            let ty = self.block.map_or_else(|| quote!(()), |block| block.self_ty.to_token_stream());
            let arguments = self.arguments(&|ident| value(ident).unwrap_or_else(|| ident.to_token_stream()));
            let implemented = forms.iter().map(|form| &form.implemented[index]);
            tokens.extend(quote_spanned! {Span::mixed_site()=>
                #(#attributes)*
                impl #declared #trait_ #arguments for #ty #clause { #(#implemented)* }
            });
        }
        (tokens, forms.into_iter().map(|form| form.chosen).collect())
    }

    /// What the trait is implemented for, where the function that chooses is.
    fn owner(&self) -> TokenStream {
        if self.block.is_some() { quote!(Self) } else { quote!(()) }
    }

    /// A form: what the trait says of it, what each instance is of it, and the function that chooses.
    fn form(&self, index: usize, functions: &[Vec<ItemFn>]) -> Form {
        let (own, rest) = self.name_of(&functions[0][index].sig.ident, self.instances[0]);
        let (camel, trait_) = (camel(&own.to_string()), self.trait_name());
        let has_own = functions[0][index].sig.inputs.len() >= self.function.sig.inputs.len() && !is_of_labels(&rest);
        let users = if has_own { self.function.sig.inputs.len() } else { 0 };
        let arguments = self.arguments(&|ident| ident.to_token_stream());
        let owner = self.owner();
        let chosen = quote_spanned!(Span::mixed_site()=> <#owner as #trait_ #arguments>);
        // What differs among the instances: the types of the parameters that the function does not have, and the result.
        let (mut types, mut names, mut parameters, mut in_trait) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (at, input) in functions[0][index].sig.inputs.iter().enumerate() {
            let FnArg::Typed(typed) = input else {
                parameters.push(input.to_token_stream());
                in_trait.push(input.to_token_stream());
                names.push(Ident::new("self", Span::call_site()));
                continue;
            };
            let name = match self.function.sig.inputs.iter().nth(at).filter(|_| at < users) {
                Some(FnArg::Typed(typed)) => match &*typed.pat {
                    Pat::Ident(pattern) => emitted(&pattern.ident),
                    _ => format_ident!("arg{at}", span = Span::mixed_site()),
                },
                _ => match &*typed.pat {
                    Pat::Ident(pattern) => pattern.ident.clone(),
                    _ => format_ident!("part{at}", span = Span::mixed_site()),
                },
            };
            match self.function.sig.inputs.iter().nth(at).filter(|_| at < users) {
                Some(FnArg::Typed(own)) => {
                    let ty = &own.ty;
                    parameters.push(quote!(#name: #ty));
                    in_trait.push(quote!(#name: #ty));
                }
                _ => {
                    let part = format_ident!("{camel}Part{at}", span = Span::mixed_site());
                    let reference = match unwrapped(&typed.ty) {
                        Type::Reference(reference) => {
                            let mutability = &reference.mutability;
                            quote!(&#mutability)
                        }
                        _ => TokenStream::new(),
                    };
                    parameters.push(quote!(#name: #reference #chosen::#part));
                    in_trait.push(quote!(#name: #reference Self::#part));
                    types.push((part, Some(at)));
                }
            }
            names.push(name);
        }
        let returns = matches!(functions[0][index].sig.output, ReturnType::Type(..));
        let given = format_ident!("{camel}", span = Span::mixed_site());
        if returns {
            types.push((given.clone(), None));
        }
        let arrow = |of: TokenStream| returns.then(|| quote_spanned!(Span::mixed_site()=> -> #of::#given));
        let (of_self, of_chosen) = (arrow(quote!(Self)), arrow(chosen.clone()));
        let declared = types.iter().map(|(name, at)| {
            let about = match at {
                Some(_) => format!(" A parameter of `{own}`."),
                None => format!(" What `{own}` returns."),
            };
            quote_spanned!(Span::mixed_site()=> #[doc = #about] type #name;)
        });
        let (name, about) = (&own, format!(" `{own}` of this instance."));
        let declared = quote_spanned! {Span::mixed_site()=>
            #(#declared)*
            #[doc = #about]
            fn #name(#(#in_trait),*) #of_self;
        };
        let implemented = functions.iter().map(|functions| {
            let function = &functions[index];
            let types = types.iter().map(|(name, at)| {
                let ty = match at {
                    Some(at) => match function.sig.inputs.iter().nth(*at) {
                        Some(FnArg::Typed(typed)) => match unwrapped(&typed.ty) {
                            Type::Reference(reference) => reference.elem.to_token_stream(),
                            ty => ty.to_token_stream(),
                        },
                        _ => TokenStream::new(),
                    },
                    None => match &function.sig.output {
                        ReturnType::Type(_, ty) => ty.to_token_stream(),
                        ReturnType::Default => TokenStream::new(),
                    },
                };
                quote_spanned!(Span::mixed_site()=> type #name = #ty;)
            });
            let inputs = names.iter().enumerate().map(|(at, name)| match function.sig.inputs.iter().nth(at) {
                Some(FnArg::Typed(typed)) => {
                    let ty = &typed.ty;
                    quote!(#name: #ty)
                }
                receiver => receiver.to_token_stream(),
            });
            let (called, output) = (&function.sig.ident, &function.sig.output);
            let called = if self.block.is_some() { quote!(Self::#called) } else { quote!(#called) };
            quote_spanned! {Span::mixed_site()=>
                #(#types)*
                #[inline]
                fn #name(#(#inputs),*) #output { #called(#(#names),*) }
            }
        });
        let (implemented, visibility) = (implemented.collect(), &self.function.vis);
        let attributes = kept(&functions[0][index]);
        let mut generics = self.function.sig.generics.clone();
        generics.make_where_clause().predicates.push(parse_quote!(#owner: #trait_ #arguments));
        let clause = &generics.where_clause;
        let lines = functions
            .iter()
            .zip(self.instances)
            .map(|(functions, instance)| format!(" - [`{}`]: `{}`", functions[index].sig.ident, self.named(instance)));
        let lines: Vec<_> = lines.collect();
        let about = format!(" `{own}` of the instance that its generic parameters say or its arguments:");
        let chosen = quote_spanned! {Span::mixed_site()=>
            #(#attributes)*
            #[doc = #about]
            #[doc = ""]
            #(#[doc = #lines])*
            #[inline]
            #visibility fn #name #generics(#(#parameters),*) #of_chosen #clause { #chosen::#name(#(#names),*) }
        };
        Form { declared, implemented, chosen }
    }

    /// The name of a generated function without the instance in it, and the part of it that says of which form it is.
    fn name_of(&self, generated: &Ident, instance: &Instance) -> (Ident, String) {
        let (text, own) = (generated.to_string(), &self.function.sig.ident);
        for base in self.options.name.iter().chain([own]).map(|name| name.unraw().to_string()) {
            if let Some(rest) = text.strip_prefix(&format!("{base}_{}", instance.suffix())) {
                return (format_ident!("{base}{rest}", span = generated.span()), rest.to_string());
            }
        }
        (own.clone(), String::new())
    }

    fn trait_name(&self) -> Ident {
        let name = self.options.name.as_ref().unwrap_or(&self.function.sig.ident).unraw().to_string();
        format_ident!("{}Instances", camel(&name), span = Span::mixed_site())
    }

    /// The generic parameters as arguments, with these values for the `const` ones.
    fn arguments(&self, value: &dyn Fn(&Ident) -> TokenStream) -> TokenStream {
        let arguments = self.function.sig.generics.params.iter().map(|parameter| match parameter {
            GenericParam::Lifetime(parameter) => parameter.lifetime.to_token_stream(),
            GenericParam::Type(parameter) => parameter.ident.to_token_stream(),
            GenericParam::Const(parameter) => value(&parameter.ident),
        });
        quote!(<#(#arguments),*>)
    }

    /// An instance in words: `N = 3`.
    fn named(&self, instance: &Instance) -> String {
        let parts = self.parameters.iter().zip(&instance.arguments);
        parts
            .map(|(name, value)| format!("{name} = {}", value.to_string().replace(' ', "")))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// A form of what is generated.
struct Form {
    /// What the trait declares.
    declared: TokenStream,
    /// What it is for each instance.
    implemented: Vec<TokenStream>,
    /// The function that chooses.
    chosen: TokenStream,
}

/// Whether a function of this form takes labels and not the parameters of the function, or nothing at all.
fn is_of_labels(form: &str) -> bool {
    ["_lin_jvp", "_lin_vjp", "_lin_jvp_into", "_lin_vjp_into"].contains(&form) || form.ends_with("_pattern")
}

/// The attributes of a generated function but for its documentation.
fn kept(function: &ItemFn) -> Vec<Attribute> {
    let is_kept = |attribute: &&Attribute| !["doc", "inline"].iter().any(|name| attribute.path().is_ident(name));
    function.attrs.iter().filter(is_kept).cloned().collect()
}

/// `rk4_step` as `Rk4Step`.
fn camel(name: &str) -> String {
    let mut written = String::new();
    for word in name.split('_').filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        written.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        written.extend(letters);
    }
    written
}
