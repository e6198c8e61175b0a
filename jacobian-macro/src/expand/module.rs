//! `#[jacobian]` on an inline module: the functions in it that the user marks with `#[jacobian]` are differentiated across
//! the module. A function of the module that they call is inlined into the code list where it is small, and called
//! through its own Jacobian where it is not.

use std::cell::{Cell, OnceCell};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{
    Attribute, FnArg, Ident, Item, ItemConst, ItemFn, ItemMod, Meta, Pat, Path, ReturnType, TypeFnPtr, parse_quote,
};

use super::constants::Constants;
use super::diagnostics::Errors;
use super::options::{self, Options, With};
use super::syntax::Items;
use super::{flatten, signature};

/// The most statements of a function that is inlined.
const SMALL: usize = 256;

/// The functions that a function can call and be differentiated across.
#[derive(Default)]
pub struct Module {
    members: Vec<Member>,
    constants: Constants,
    items: Items,
}

/// A function of a module.
struct Member {
    function: ItemFn,
    /// The options of its mark, or those of the module.
    options: Options,
    is_marked: bool,
    callee: OnceCell<Callee>,
    /// Whether its length is being found out at present.
    is_open: Cell<bool>,
    /// Whether its Jacobian is called.
    is_needed: Cell<bool>,
}

/// How a function of the module is differentiated where it is called.
enum Callee {
    Inlined,
    Called(Box<With>),
}

/// How a function of the module is differentiated where it is called.
#[derive(Copy, Clone)]
pub enum Call<'m> {
    /// Its body stands in the place of the call.
    Inlined(&'m ItemFn),
    /// Its Jacobian is called.
    Called(&'m With),
}

/// Expands `#[jacobian(options)] mod ... { ... }`.
pub fn expand(item: &ItemMod, options: &Options, errors: &mut Errors) -> TokenStream {
    let Some((_, items)) = &item.content else {
        errors.at(item, "`#[jacobian]` goes on a module with its content in braces: a macro cannot read another file");
        return item.to_token_stream();
    };
    options::check_module(options, errors);
    let module = Module::read(items, options, errors);
    if !module.members.iter().any(|member| member.is_marked) {
        errors
            .at(&item.ident, "no function of this module is marked: write `#[jacobian]` on those that get a Jacobian");
    }
    let generated = module.generate(errors);
    let items = items.iter().map(unmarked);
    let (attributes, visibility, name) = (&item.attrs, &item.vis, &item.ident);
    let (inner, outer): (Vec<_>, Vec<_>) =
        attributes.iter().partition(|attribute| matches!(attribute.style, syn::AttrStyle::Inner(_)));
    quote!(#(#outer)* #visibility mod #name { #(#inner)* #(#items)* #(#generated)* })
}

impl Module {
    fn read(items: &[Item], options: &Options, errors: &mut Errors) -> Self {
        let functions = items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some(function),
            _ => None,
        });
        let constants = Constants::read(items);
        let members = functions.map(|function| Member::read(function, &constants, options, errors)).collect();
        Module { members, constants, items: Items::of(items) }
    }

    /// The items, as far as they are seen here.
    pub fn items(&self) -> &Items {
        &self.items
    }

    /// The constant with this name.
    pub fn constant(&self, name: &Ident) -> Option<&ItemConst> {
        self.constants.get(name)
    }

    /// The Jacobians of the marked functions, and of those whose Jacobians these call.
    fn generate(&self, errors: &mut Errors) -> Vec<TokenStream> {
        let mut generated = Vec::new();
        let mut is_done = vec![false; self.members.len()];
        let is_next = |(index, member): &(usize, &Member), is_done: &[bool]| {
            !is_done[*index] && (member.is_marked || member.is_needed.get())
        };
        while let Some((index, member)) = self.members.iter().enumerate().find(|next| is_next(next, &is_done)) {
            is_done[index] = true;
            let mut own = Errors::default();
            generated.push(super::jacobian(&member.function, &member.options, self, &mut own));
            errors.append(own);
        }
        generated
    }

    /// How the function with this name is differentiated where it is called, if it is one of the module.
    pub fn call(&self, name: &str) -> Option<Call<'_>> {
        let member = self.member(name)?;
        if member.is_open.get() {
            return Some(Call::Inlined(&member.function));
        }
        Some(match member.callee.get_or_init(|| self.callee(member)) {
            Callee::Inlined => Call::Inlined(&member.function),
            Callee::Called(with) => {
                member.is_needed.set(true);
                Call::Called(with)
            }
        })
    }

    /// Whether `jacobian` is that of the function with this name in the module, with columns in another order than that of the
    /// parameters, as its `wrt` says.
    pub fn is_in_other_order(&self, name: &str, jacobian: &Path) -> bool {
        let Some(member) = self.member(name) else { return false };
        let (function, options) = (&member.function, &member.options);
        let is_named = |input: &FnArg, name: &Ident| match input {
            FnArg::Typed(typed) => matches!(&*typed.pat, Pat::Ident(pattern) if pattern.ident.unraw() == *name),
            FnArg::Receiver(_) => false,
        };
        let place = |name: &Ident| function.sig.inputs.iter().position(|input| is_named(input, name));
        let is_its =
            jacobian.segments.last().is_some_and(|last| last.ident == signature::generated_name(function, options));
        is_its && options.wrt.as_ref().is_some_and(|names| !names.is_sorted_by_key(place))
    }

    /// The function with this name, if it is one of the module.
    pub fn function(&self, name: &str) -> Option<&ItemFn> {
        self.member(name).map(|member| &member.function)
    }

    fn member(&self, name: &str) -> Option<&Member> {
        let mut found = self.members.iter().filter(|member| member.function.sig.ident.unraw() == name);
        let (Some(member), None) = (found.next(), found.next()) else { return None };
        Some(member)
    }

    /// Whether a function is inlined: where it is short, and where it has no Jacobian of its own.
    fn callee(&self, member: &Member) -> Callee {
        member.is_open.set(true);
        let length = self.length(member);
        member.is_open.set(false);
        match (length, member.with()) {
            (Some(length), Some(with)) if length > SMALL => Callee::Called(Box::new(with)),
            _ => Callee::Inlined,
        }
    }

    /// The number of statements that a function is flattened into, if it can be by itself.
    fn length(&self, member: &Member) -> Option<usize> {
        let mut errors = Errors::default();
        let signature = signature::read(&member.function, &member.options, &mut errors)?;
        let flattened = flatten::flatten(&member.function, &signature, &member.options, self, &mut errors);
        errors.is_empty().then(|| flattened.list.statements().len())
    }
}

impl Member {
    fn read(function: &ItemFn, constants: &Constants, defaults: &Options, errors: &mut Errors) -> Self {
        let mark = function.attrs.iter().find(|attribute| is_mark(attribute));
        let options = match mark.map(|mark| &mark.meta) {
            Some(Meta::List(list)) => options::parse_over(defaults.clone(), list.tokens.clone(), errors),
            Some(_) => defaults.clone(),
            None => defaults.clone().by_value(),
        };
        Member {
            function: constants.in_signature_of(without_marks(function)),
            options,
            is_marked: mark.is_some(),
            callee: OnceCell::new(),
            is_open: Cell::new(false),
            is_needed: Cell::new(false),
        }
    }

    /// The function with its Jacobian, where that has a column for every float of the arguments.
    fn with(&self) -> Option<With> {
        let sig = &self.function.sig;
        if self.options.wrt.is_some() || !sig.generics.params.is_empty() {
            return None;
        }
        let types = sig.inputs.iter().map(|input| match input {
            FnArg::Typed(typed) => Some(&typed.ty),
            FnArg::Receiver(_) => None,
        });
        let types = types.collect::<Option<Vec<_>>>()?;
        let output: &ReturnType = &sig.output;
        let ty: TypeFnPtr = parse_quote!(fn(#(#types),*) #output);
        let jacobian = signature::generated_name(&self.function, &self.options);
        Some(With { function: sig.ident.clone().into(), jacobian: jacobian.into(), ty: Some(ty) })
    }
}

/// Whether an attribute is `#[jacobian]`.
fn is_mark(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "jacobian")
}

fn without_marks(function: &ItemFn) -> ItemFn {
    let mut function = function.clone();
    function.attrs.retain(|attribute| !is_mark(attribute));
    function
}

/// An item as it is without `#[jacobian]`. A function that has a mark is used.
fn unmarked(item: &Item) -> TokenStream {
    match item {
        Item::Fn(function) => {
            let used = function.attrs.iter().any(is_mark).then(|| super::used(function));
            let function = without_marks(function);
            quote!(#used #function)
        }
        other => other.to_token_stream(),
    }
}
