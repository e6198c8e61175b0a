//! `#[jacobian]` on an inline module: the functions in it that the user marks with `#[jacobian]` are differentiated
//! across the module. A function of the module that they call is inlined into the code list where it is small, and
//! called through its own Jacobian where it is not.

mod constants;

use std::cell::{Cell, OnceCell};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{
    Attribute, FnArg, Ident, ImplItem, ImplItemFn, Item, ItemConst, ItemFn, ItemImpl, ItemMod, Pat, Path, ReturnType,
    TypeFnPtr, parse_quote,
};

use self::constants::Constants;
use super::attributes::{self, Mark};
use super::diagnostics::Errors;
use super::form;
use super::lower;
use super::read::options::{self, Named, Options, With};
use super::read::signature;
use super::refuse;
use super::syntax::Items;
use super::watch::Watch;

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
    /// Whether its mark is there or not by the configuration.
    may_be_unmarked: bool,
    /// The conditions under which it is there: what is generated for it is there under the same.
    conditions: Vec<Attribute>,
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
    Refused(String),
}

/// How a function of the module is differentiated where it is called.
#[derive(Copy, Clone)]
pub enum Call<'m> {
    /// Its body replaces the call.
    Inlined(&'m ItemFn),
    /// Its Jacobian is called.
    Called(&'m With),
    /// It is not, for this reason.
    Refused(&'m str),
}

/// Expands `#[jacobian(options)] mod ... { ... }`.
pub fn expand(item: &ItemMod, options: &Options, errors: &mut Errors, watch: &mut dyn Watch) -> TokenStream {
    let Some((_, items)) = &item.content else {
        errors.at(item, refuse::MODULE_IN_FILE);
        return item.to_token_stream();
    };
    options::check_module(options, errors);
    let module = Module::read(items, options, errors);
    refuse_methods_of_traits(items, errors);
    if !module.members.iter().any(|member| member.is_marked) {
        let has_methods =
            items.iter().any(|item| matches!(item, Item::Impl(item) if marked_methods(item).next().is_some()));
        errors.at(&item.ident, if has_methods { refuse::ONLY_METHODS } else { refuse::UNMARKED });
    }
    let generated = module.generate(errors, watch);
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
    fn generate(&self, errors: &mut Errors, watch: &mut dyn Watch) -> Vec<TokenStream> {
        let mut generated = Vec::new();
        let mut is_done = vec![false; self.members.len()];
        let is_next = |(index, member): &(usize, &Member), is_done: &[bool]| {
            !is_done[*index] && (member.is_marked || member.is_needed.get())
        };
        while let Some((index, member)) = self.members.iter().enumerate().find(|next| is_next(next, &is_done)) {
            is_done[index] = true;
            let mut own = Errors::default();
            generated.push(super::jacobian(&member.function, &member.options, self, &mut own, watch));
            match &member.conditions[..] {
                [] => errors.append(own),
                conditions => generated.push(own.to_compile_errors_under(conditions)),
            }
        }
        generated
    }

    /// How the function with this name is differentiated where it is called, if it is one of the module. A caller that
    /// has second derivatives needs those of a function that is not inlined.
    pub fn call(&self, name: &str, is_second_order: bool) -> Option<Call<'_>> {
        let members: Vec<_> = self.named(name).collect();
        let member = *members.first()?;
        let is_conditional = members.iter().any(|member| member.is_conditional());
        if members.len() > 1 && !is_conditional {
            return None;
        }
        if member.is_open.get() {
            return Some(Call::Inlined(&member.function));
        }
        let callee = || if is_conditional { conditional_callee(&members) } else { self.callee(member) };
        Some(match member.callee.get_or_init(callee) {
            Callee::Inlined => Call::Inlined(&member.function),
            Callee::Called(with) if is_second_order && with.hessian.is_none() && !is_conditional => {
                Call::Inlined(&member.function)
            }
            Callee::Called(with) => {
                members.iter().for_each(|member| member.is_needed.set(true));
                Call::Called(with)
            }
            Callee::Refused(why) => Call::Refused(why),
        })
    }

    /// Whether a function of this name is generated.
    pub fn generates(&self, name: &str) -> bool {
        let is_its = |member: &Member| form::names(&member.function, &member.options).any(|own| own == name);
        self.members.iter().any(is_its)
    }

    /// Whether `jacobian` is that of the function with this name in the module, with columns in another order than that
    /// of the parameters, as its `wrt` says.
    pub fn is_in_other_order(&self, name: &str, jacobian: &Path) -> bool {
        let Some(member) = self.named(name).next() else { return false };
        let (function, options) = (&member.function, &member.options);
        let is_named = |input: &FnArg, name: &Ident| match input {
            FnArg::Typed(typed) => matches!(&*typed.pat, Pat::Ident(pattern) if pattern.ident.unraw() == *name),
            FnArg::Receiver(_) => false,
        };
        let place = |name: &Ident| function.sig.inputs.iter().position(|input| is_named(input, name));
        let is_its =
            jacobian.segments.last().is_some_and(|last| last.ident == form::name_of_jacobian(function, options));
        let is_other = |names: &Vec<Named>| {
            let is_whole = names.iter().all(|name| name.fields.is_empty());
            !is_whole || !names.is_sorted_by_key(|name| place(&name.parameter))
        };
        is_its && options.wrt.as_ref().is_some_and(is_other)
    }

    /// The function with this name, if it is one of the module and surely there.
    pub fn function(&self, name: &str) -> Option<&ItemFn> {
        let mut found = self.named(name);
        let (Some(member), None) = (found.next(), found.next()) else { return None };
        Some(&member.function).filter(|_| !member.is_conditional())
    }

    /// Whether there is a function with this name.
    pub fn has_function(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }

    /// What the functions with this name return, of which the configuration may say which one is there, if any.
    pub fn returned(&self, name: &str) -> Option<&ReturnType> {
        let mut all = self.named(name).map(|member| &member.function.sig);
        let first = all.next().filter(|first| first.generics.params.is_empty())?;
        let may_be_another = self.items.has_glob && self.function(name).is_none();
        let text = |output: &ReturnType| output.to_token_stream().to_string();
        let are_same = all.all(|other| text(&other.output) == text(&first.output));
        (are_same && !may_be_another).then_some(&first.output)
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(move |member| member.function.sig.ident.unraw() == name)
    }

    /// Whether a function is inlined: where it is short, and where it has no Jacobian of its own.
    fn callee(&self, member: &Member) -> Callee {
        member.is_open.set(true);
        let length = self.length(member);
        member.is_open.set(false);
        match (length, member.with()) {
            (Some(length), Some(with)) if length > SMALL && !member.may_be_unmarked => Callee::Called(Box::new(with)),
            _ => Callee::Inlined,
        }
    }

    /// The number of statements that a function is lowered into, if it can be by itself.
    fn length(&self, member: &Member) -> Option<usize> {
        let mut errors = Errors::default();
        let signature = signature::read(&member.function, &member.options, &mut errors)?;
        let lowered = lower::lower(&member.function, &signature, &member.options, self, &mut errors);
        errors.is_empty().then(|| lowered.list.statements().len())
    }
}

/// How functions of one name are differentiated of which the configuration says which one is there: it is not known
/// here, so that none can be inlined. Where none is there, the compiler does not find the Jacobian, either.
fn conditional_callee(members: &[&Member]) -> Callee {
    let name = &members[0].function.sig.ident;
    let Some(all) = members.iter().map(|member| member.with()).collect::<Option<Vec<_>>>() else {
        return Callee::Refused(refuse::callee_under_cfg(name));
    };
    let texts: Vec<_> = all.iter().map(With::text).collect();
    if texts.iter().any(|text| *text != texts[0]) {
        return Callee::Refused(refuse::callees_differ(name));
    }
    Callee::Called(Box::new(all[0].clone()))
}

impl Member {
    fn read(function: &ItemFn, constants: &Constants, defaults: &Options, errors: &mut Errors) -> Self {
        let mark = Mark::find(&function.attrs);
        let options = match &mark {
            Some(mark) => options::parse_over(defaults.clone(), mark.options.clone(), errors),
            None => defaults.clone().for_calls(),
        };
        let mut function = without_marks(function);
        let condition = mark.as_ref().and_then(|mark| mark.condition.clone());
        let may_be_unmarked = condition.is_some();
        function.attrs.extend(condition);
        Member {
            conditions: attributes::conditions(&function.attrs),
            function: constants.in_signature_of(function),
            options,
            is_marked: mark.is_some(),
            may_be_unmarked,
            callee: OnceCell::new(),
            is_open: Cell::new(false),
            is_needed: Cell::new(false),
        }
    }

    /// Whether it is there or not by the configuration.
    fn is_conditional(&self) -> bool {
        self.conditions.len() > usize::from(self.may_be_unmarked)
    }

    /// The function with its derivatives, where the Jacobian has a column for every float of the arguments.
    fn with(&self) -> Option<With> {
        let sig = &self.function.sig;
        if self.options.wrt.is_some() || !self.options.gives_callers(options::JAC) || !sig.generics.params.is_empty() {
            return None;
        }
        let types = sig.inputs.iter().map(|input| match input {
            // What it changes is seen only where it is inlined.
            FnArg::Typed(typed) => Some(&typed.ty).filter(|ty| !signature::is_mutable_reference(ty)),
            FnArg::Receiver(_) => None,
        });
        let types = types.collect::<Option<Vec<_>>>()?;
        let output: &ReturnType = &sig.output;
        let ty: TypeFnPtr = parse_quote!(fn(#(#types),*) #output);
        let jacobian = form::name_of_jacobian(&self.function, &self.options).into();
        let has_hessian = self.options.gives_callers(options::HESS);
        let hessian = has_hessian.then(|| form::name(options::HESS, &self.function, &self.options).into());
        Some(With { function: sig.ident.clone().into(), jacobian, hessian, residual: None, ty: Some(ty) })
    }
}

/// The methods of an `impl` that are marked.
fn marked_methods(item: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) => Mark::find(&method.attrs).map(|_| method),
        _ => None,
    })
}

/// Refuses marks on methods of implementations of traits.
fn refuse_methods_of_traits(items: &[Item], errors: &mut Errors) {
    for item in items {
        if let Item::Impl(item) = item
            && let Some((trait_, ..)) = &item.trait_
        {
            for method in marked_methods(item) {
                let (name, trait_) = (&method.sig.ident, trait_.to_token_stream().to_string().replace(' ', ""));
                errors.at(name, refuse::method_of_trait(name, trait_));
            }
        }
    }
}

fn without_marks(function: &ItemFn) -> ItemFn {
    let attrs = attributes::filtered(&function.attrs, &|meta| !attributes::is_mark(meta));
    ItemFn { attrs, ..function.clone() }
}

/// An item as it is without `#[jacobian]`. A function that has a mark is used.
fn unmarked(item: &Item) -> TokenStream {
    match item {
        Item::Fn(function) => {
            let used = Mark::find(&function.attrs).map(|_| super::used(function));
            let function = without_marks(function);
            quote!(#used #function)
        }
        Item::Impl(item) if item.trait_.is_some() => without_marked_methods(item).to_token_stream(),
        other => other.to_token_stream(),
    }
}

/// An implementation of a trait without the marks that are refused: what they generated would be refused once more.
fn without_marked_methods(item: &ItemImpl) -> ItemImpl {
    let mut item = item.clone();
    for part in &mut item.items {
        if let ImplItem::Fn(method) = part {
            method.attrs = attributes::filtered(&method.attrs, &|meta| !attributes::is_mark(meta));
        }
    }
    item
}
