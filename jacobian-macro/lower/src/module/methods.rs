//! The methods, functions and constants in the `impl` blocks of a module's structs, and of its floats: what operators,
//! method calls and paths such as `State::new` mean.
//!
//! A method is read as a function of its own, so that it is inlined like any other: `self` is a parameter with another
//! name, and `Self` the type. Two things of one name are told from each other as rustc does it; where a macro cannot
//! see enough for that, it says so.

use std::cell::OnceCell;
use std::rc::Rc;

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{
    FnArg, GenericArgument, GenericParam, Generics, ImplItem, ImplItemFn, Item, ItemConst, ItemFn, ItemImpl, ItemTrait,
    Path, PathArguments, ReceiverKind, TraitItem, Type, UseTree, WherePredicate, parse_quote,
};

use super::super::attributes::conditions;
use super::super::names::{each_identifier, identifier};
use super::super::read::shape::{Reader, Reading, Shape, Structs};
use super::super::read::ty::{integer, unwrapped};
use super::super::refuse;
use super::super::syntax;
use super::constants::Constants;
use super::instances::{Argument, has_part, name_of, required_with, substituted, written_arguments};

/// What `impl` blocks are for.
#[derive(Clone, PartialEq, Eq)]
pub enum Owner {
    /// The struct with this name.
    Struct(String),
    /// A float.
    Float,
    /// An array or a tuple of floats and structs, with this type.
    Built(String),
    /// Anything else.
    Other,
}

/// A type, as far as operators and methods are told from each other by it.
#[derive(Clone, PartialEq, Eq)]
pub struct OwnerType {
    /// What it is behind the references.
    pub owner: Owner,
    /// The number of references around it.
    pub references: usize,
}

/// How a method takes what it is called on.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Passing {
    /// `self`.
    Value,
    /// `&self`.
    Shared,
    /// `&mut self`.
    Mutable,
}

/// A function in an `impl` block.
pub struct Method {
    /// The type that the block is for.
    pub owner: OwnerType,
    /// The last name of the trait, in the implementation of one.
    pub trait_: Option<String>,
    /// The name of that trait in the standard library, if it is one of its operators'.
    pub operator: Option<String>,
    /// The argument of that trait; none where there is none, so that it is the type itself.
    pub argument: Option<OwnerType>,
    /// Its name.
    pub name: String,
    /// How it takes `self`, if it is a method.
    pub receiver: Option<Passing>,
    /// It as a function.
    pub function: Result<ItemFn, String>,
}

/// A trait of the module.
pub struct Trait {
    /// Its name.
    pub name: String,
    /// Whether it has parameters.
    pub is_generic: bool,
    /// The names in the bounds of those that it requires.
    required: Vec<String>,
    /// The names in the bounds of its types, and of what its methods return without saying what that is.
    given: Vec<String>,
    methods: Vec<String>,
    constants: Vec<String>,
}

impl Trait {
    fn of(item: &ItemTrait) -> Self {
        let names = |tokens: TokenStream| {
            let mut names = Vec::new();
            each_identifier(tokens, &mut |ident| names.push(ident.to_string()));
            names
        };
        let (mut methods, mut constants) = (Vec::new(), Vec::new());
        let mut given = names(item.generics.where_clause.to_token_stream());
        for part in &item.items {
            match part {
                TraitItem::Fn(method) => {
                    methods.push(method.sig.ident.unraw().to_string());
                    let output = names(method.sig.output.to_token_stream());
                    given.extend(output.into_iter().skip_while(|name| name != "impl" && name != "dyn"));
                }
                TraitItem::Type(ty) => given.extend(names(ty.bounds.to_token_stream())),
                TraitItem::Const(constant) => constants.push(constant.ident.unraw().to_string()),
                // What is in a macro is not seen.
                part => given.extend(names(part.to_token_stream())),
            }
        }
        let name = item.ident.to_string();
        let is_generic = !item.generics.params.is_empty();
        Trait { name, is_generic, required: names(item.supertraits.to_token_stream()), given, methods, constants }
    }
}

/// What is in the `impl` blocks of a module.
#[derive(Default)]
pub struct Methods {
    all: Vec<Method>,
    constants: Vec<(String, ItemConst)>,
    /// The names of methods of traits that the module implements for every type.
    of_all: Vec<String>,
    /// The names of traits that the module implements for arrays or tuples of which not all is known.
    of_built: Vec<String>,
    /// The blocks for arrays of any length.
    of_lengths: Vec<OfLengths>,
    /// The names of traits that the module implements for types with other names than structs have: numbers, say.
    of_named: Vec<String>,
    traits: Vec<Trait>,
}

/// A block for arrays of any length, `impl<const N: usize> Trait for [T; N]`.
struct OfLengths {
    block: ItemImpl,
    length: GenericParam,
    /// What arrays of such elements are called, up to their length.
    start: String,
    items: Vec<Item>,
    structs: Rc<Structs>,
    constants: Constants,
    /// Its methods, by the lengths that have been asked for.
    methods: Vec<OnceCell<Vec<Method>>>,
}

/// The longest array that such a block is there for.
const MAX_LENGTH: usize = 256;

impl OfLengths {
    /// A block, if it is one.
    fn read(block: &ItemImpl, items: &[Item], structs: &Rc<Structs>, constants: &Constants) -> Option<Self> {
        let mut parameters = block.generics.params.iter();
        let (Some(GenericParam::Const(length)), None) = (parameters.next(), parameters.next()) else { return None };
        let Type::Array(array) = unwrapped(&block.self_ty) else { return None };
        if length.ident != array.len.to_token_stream().to_string() || block.generics.where_clause.is_some() {
            return None;
        }
        Some(OfLengths {
            block: ItemImpl { generics: Generics::default(), ..block.clone() },
            length: GenericParam::Const(length.clone()),
            start: format!("[{}; ", text_of_type(&array.elem, structs)?),
            items: items.to_vec(),
            structs: structs.clone(),
            constants: constants.clone(),
            methods: (0..=MAX_LENGTH).map(|_| OnceCell::new()).collect(),
        })
    }

    /// The methods for arrays of one length, if it is for these.
    fn of(&self, owner: &Owner) -> &[Method] {
        let length = match owner {
            Owner::Built(text) => text.strip_prefix(&self.start).and_then(|rest| rest.strip_suffix(']')?.parse().ok()),
            _ => None,
        };
        let Some((length, methods)) = length.and_then(|length: usize| Some((length, self.methods.get(length)?))) else {
            return &[];
        };
        methods.get_or_init(|| {
            let known = Literal::usize_unsuffixed(length).to_token_stream();
            let value = name_of(&self.length).map(|name| (name, Argument::of(&self.length, known)));
            let block = substituted(self.block.to_token_stream(), &value.into_iter().collect());
            let mut methods = Methods::default();
            if let Ok(block) = syn::parse2(block) {
                methods.add(&block, &self.items, &self.structs, &self.constants);
            }
            methods.all
        })
    }
}

/// Names in bounds that are surely not those of traits.
const NO_TRAITS: &[&str] = &["Self", "Output", "impl", "dyn", "mut", "f64", "f32", "usize"];

impl Methods {
    /// Those among `items`.
    pub fn read(items: &[Item], structs: &Rc<Structs>, constants: &Constants) -> Self {
        let mut methods = Methods::default();
        for item in items {
            match item {
                Item::Impl(item) => {
                    methods.add(item, items, structs, constants);
                    methods.of_lengths.extend(OfLengths::read(item, items, structs, constants));
                }
                Item::Trait(item) => methods.traits.push(Trait::of(item)),
                _ => {}
            }
        }
        methods
    }

    /// The functions of this name for a type.
    pub fn named(&self, owner: &Owner, name: &str) -> impl Iterator<Item = &Method> {
        let of_lengths = self.of_lengths.iter().flat_map(move |block| block.of(owner));
        self.all.iter().chain(of_lengths).filter(move |method| method.owner.owner == *owner && method.name == name)
    }

    /// These names of traits, with those of the traits that they require.
    pub fn with_required(&self, bounds: &[String]) -> Vec<String> {
        let mut all = bounds.to_vec();
        let mut at = 0;
        while at < all.len() {
            let own = self.traits.iter().find(|own| own.name == all[at]);
            for name in own.iter().flat_map(|own| &own.required) {
                if !all.contains(name) {
                    all.push(name.clone());
                }
            }
            at += 1;
        }
        all
    }

    /// Whether one of the traits that these names in bounds lead to may have a method of this name: where none has, it
    /// is called on a value whose type is written. Known are the traits of the module, and those that `has_no` such method;
    /// whatever else is named may be a trait from elsewhere.
    pub fn may_have(&self, bounds: &[String], method: &str, structs: &Structs, has_no: &dyn Fn(&str) -> bool) -> bool {
        let mut names = bounds.to_vec();
        let mut at = 0;
        while at < names.len() {
            let name = names[at].clone();
            at += 1;
            let Some(own) = self.traits.iter().find(|own| own.name == name) else {
                let is_no_trait = NO_TRAITS.contains(&name.as_str()) || structs.read.contains_key(&name);
                if !is_no_trait && !has_no(&name) {
                    return true;
                }
                continue;
            };
            if own.methods.iter().any(|own| own == method) {
                return true;
            }
            for name in own.required.iter().chain(&own.given) {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        false
    }

    /// Whether there is a method of this name for some type.
    pub fn has(&self, name: &str) -> bool {
        self.all.iter().any(|method| method.name == name)
    }

    /// Whether the module implements a trait for every type that has a method of this name.
    pub fn has_of_all(&self, name: &str) -> bool {
        self.of_all.iter().any(|own| own == name)
    }

    /// The implementations of the trait of an operator.
    pub fn of_operator(&self, trait_: &str) -> impl Iterator<Item = &Method> {
        self.all.iter().filter(move |method| method.operator.as_deref() == Some(trait_))
    }

    /// A constant of a struct.
    pub fn constant(&self, owner: &str, name: &str) -> Option<&ItemConst> {
        let mut found = self.constants.iter().filter(|(own, item)| own == owner && item.ident.unraw() == name);
        found.next().map(|(_, item)| item).filter(|_| found.next().is_none())
    }

    /// The trait of the module that has a constant or a function of this name, if it is the only one with such a name among
    /// those that these names in bounds lead to.
    pub fn trait_with(&self, bounds: &[String], name: &str) -> Option<&Trait> {
        let bounds = self.with_required(bounds);
        let has_it = |own: &&Trait| own.methods.iter().chain(&own.constants).any(|part| part == name);
        let mut found = self.traits.iter().filter(|own| bounds.contains(&own.name)).filter(has_it);
        found.next().filter(|_| found.next().is_none())
    }

    /// Whether a trait of the module has a method of this name, among those that these names in bounds lead to.
    pub fn has_trait_with_method(&self, bounds: &[String], name: &str) -> bool {
        let bounds = self.with_required(bounds);
        self.traits.iter().any(|own| bounds.contains(&own.name) && own.methods.iter().any(|method| method == name))
    }

    /// Whether a trait of the module has a constant or a function of this name.
    pub fn has_part_of_trait(&self, name: &str) -> bool {
        self.traits.iter().any(|own| own.methods.iter().chain(&own.constants).any(|part| part == name))
    }

    /// The same of the traits by which the types are known that these have or give.
    pub fn has_given_with_method(&self, bounds: &[String], name: &str) -> bool {
        let bounds = self.with_required(bounds);
        let given = self.traits.iter().filter(|own| bounds.contains(&own.name)).flat_map(|own| own.given.clone());
        self.has_trait_with_method(&given.collect::<Vec<_>>(), name)
    }

    /// Whether a trait of the module gives arrays a method of this name.
    pub fn has_built(&self, name: &str) -> bool {
        let is_array = |owner: &Owner| matches!(owner, Owner::Built(text) if text.starts_with('['));
        let is_it = |method: &Method| method.name == name && is_array(&method.owner.owner);
        self.all.iter().any(is_it) || self.has_of_unknown(name)
    }

    /// The same of those of which not all is known.
    pub fn has_of_unknown(&self, name: &str) -> bool {
        self.is_of_trait(&self.of_built, name)
    }

    /// Whether a trait of the module may give integers a method of this name.
    pub fn has_of_number(&self, name: &str) -> bool {
        self.is_of_trait(&self.of_named, name)
    }

    /// Whether a trait of the module with a method of this name is among these.
    fn is_of_trait(&self, names: &[String], method: &str) -> bool {
        self.traits.iter().any(|own| names.contains(&own.name) && own.methods.iter().any(|own| own == method))
    }

    /// Whether a struct has a constant or a function of this name itself.
    pub fn has_own(&self, owner: &str, name: &Ident) -> bool {
        let own = Owner::Struct(owner.to_string());
        self.constants.iter().any(|(own, item)| own == owner && item.ident == *name)
            || self.named(&own, &name.unraw().to_string()).any(|method| method.trait_.is_none())
    }

    fn add(&mut self, item: &ItemImpl, items: &[Item], structs: &Structs, constants: &Constants) {
        if is_parameter(item) {
            let names = item
                .items
                .iter()
                .filter_map(|part| if let ImplItem::Fn(it) = part { Some(&it.sig.ident) } else { None });
            self.of_all.extend(names.map(|name| name.unraw().to_string()));
        }
        let Some(owner) = kind(&item.self_ty, structs).or_else(|| built(&item.self_ty, structs)) else {
            self.note_other(item);
            return;
        };
        let trait_ = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let own = Own {
            item,
            owner: &owner,
            trait_: trait_.map(|last| last.ident.to_string()),
            operator: item.trait_.as_ref().and_then(|(path, _)| operator(path, items)),
            argument: trait_.and_then(|last| argument(&last.arguments)).map(|ty| {
                let is_self = matches!(unwrapped(ty), Type::Path(path) if path.path.is_ident("Self"));
                let other = OwnerType { owner: Owner::Other, references: 0 };
                if is_self { owner.clone() } else { kind(ty, structs).or_else(|| built(ty, structs)).unwrap_or(other) }
            }),
            types: associated_types(item),
            lifetimes: lifetimes(item),
            constants,
        };
        for part in &item.items {
            match part {
                ImplItem::Fn(method) => {
                    let function = ItemFn {
                        attrs: method.attrs.clone(),
                        vis: syn::Visibility::Inherited,
                        modifiers: Default::default(),
                        sig: method.sig.clone(),
                        block: method.block.clone().into(),
                    };
                    self.all.push(own.method(&function));
                }
                ImplItem::Const(part) => {
                    let is_there = conditions(&part.attrs).is_empty() && conditions(&item.attrs).is_empty();
                    if let (Owner::Struct(name), true, None) = (&owner.owner, is_there, &item.trait_) {
                        let (ident, ty, expr) = (&part.ident, &part.ty, &part.expr);
                        let written = own.substituted(quote!(const #ident: #ty = #expr;), None);
                        self.constants.extend(syn::parse2(written).ok().map(|constant| (name.clone(), constant)));
                    }
                }
                _ => {}
            }
        }
        let mut traits = items.iter().filter_map(|other| match (other, &own.trait_) {
            (Item::Trait(other), Some(name)) if other.ident == name => Some(other),
            _ => None,
        });
        if let (Some(declared), None) = (traits.next(), traits.next()) {
            self.add_provided(declared, &own, items);
        }
    }

    /// Notes the methods of a block for numbers, or for arrays or tuples of which not all is known.
    fn note_other(&mut self, item: &ItemImpl) {
        let trait_ = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let trait_ = trait_.map(|last| last.ident.to_string());
        match unwrapped(&item.self_ty) {
            Type::Array(_) | Type::Tuple(_) | Type::Slice(_) => self.of_built.extend(trait_),
            Type::Path(path) if path.path.get_ident().is_some() => self.of_named.extend(trait_),
            _ => {}
        }
    }

    /// The methods that a trait provides and an implementation leaves as they are.
    fn add_provided(&mut self, declared: &ItemTrait, own: &Own<'_>, items: &[Item]) {
        for part in &declared.items {
            let TraitItem::Fn(method) = part else { continue };
            let is_own = |part: &ImplItem| matches!(part, ImplItem::Fn(own) if own.sig.ident == method.sig.ident);
            let Some(block) = &method.default else { continue };
            if own.item.items.iter().any(is_own) {
                continue;
            }
            let block = with_parts_named(block.to_token_stream(), declared, items);
            let is_called = |tokens: String| tokens.contains("Self ::") || tokens.contains("self ::");
            let is_read = !is_called(block.to_string());
            let Ok(block) = syn::parse2(block) else { continue };
            let function = ItemFn {
                attrs: method.attrs.clone(),
                vis: syn::Visibility::Inherited,
                modifiers: Default::default(),
                sig: method.sig.clone(),
                block,
            };
            let mut method = match own.with_arguments_of_trait(&function, declared) {
                Some(function) => own.method(&function),
                None => {
                    Method { function: Err(refuse::method_of_generic(&function.sig.ident)), ..own.method(&function) }
                }
            };
            method.function = method.function.and_then(|function| match is_read {
                true => own.provided(function, declared),
                false => Err(refuse::method_not_read(&function.sig.ident)),
            });
            self.all.push(method);
        }
    }
}

/// The body of a method that a trait provides, in which the constants and the functions of the trait, and of those that it
/// requires, are the implementation's: `Self::G` is `<Self as Trait>::G`, whatever else of the type is called so.
fn with_parts_named(body: TokenStream, declared: &ItemTrait, items: &[Item]) -> TokenStream {
    let tokens: Vec<_> = body.into_iter().collect();
    let (mut written, mut at) = (TokenStream::new(), 0);
    while let Some(token) = tokens.get(at) {
        at += 1;
        match (token, tokens.get(at..at + 3)) {
            (TokenTree::Ident(own), Some([TokenTree::Punct(first), TokenTree::Punct(_), TokenTree::Ident(name)]))
                if own == "Self"
                    && first.as_char() == ':'
                    && let Some(trait_) = trait_of_part(declared, items, name) =>
            {
                written.extend(quote!(<#own as #trait_>::#name));
                at += 3;
            }
            (TokenTree::Group(group), _) => {
                let inner = with_parts_named(group.stream(), declared, items);
                let mut inner = proc_macro2::Group::new(group.delimiter(), inner);
                inner.set_span(group.span());
                written.extend([TokenTree::Group(inner)]);
            }
            (token, _) => written.extend([token.clone()]),
        }
    }
    written
}

/// The trait that has a part of this name, as it is written: this one, or the only one that it requires and that has one.
fn trait_of_part(declared: &ItemTrait, items: &[Item], name: &Ident) -> Option<TokenStream> {
    if has_part(declared, name) {
        let (trait_, (_, arguments, _)) = (&declared.ident, declared.generics.split_for_impl());
        return Some(quote!(#trait_ #arguments));
    }
    match &required_with(declared, items, name)[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// A method as it is differentiated by itself: with the type for `Self`, and numbers for constants in its signature; and
/// the shape of what it is a method of. None if that is not known.
pub fn marked(
    item: &ItemImpl,
    method: &ImplItemFn,
    structs: &Structs,
    constants: &Constants,
) -> Option<(ItemFn, Shape)> {
    let is_plain =
        item.trait_.is_none() && !item.generics.params.iter().any(is_no_lifetime) && conditions(&item.attrs).is_empty();
    let owner = kind(&item.self_ty, structs).filter(|owner| is_plain && owner.references == 0)?;
    let Owner::Struct(name) = &owner.owner else { return None };
    let shape = match structs.read.get(name) {
        Some(Ok(definition)) => Shape::Struct(definition.clone()),
        _ => Shape::Opaque(structs.opaque.get(name)?.clone()),
    };
    let own = Own {
        item,
        owner: &owner,
        trait_: None,
        operator: None,
        argument: None,
        types: Vec::new(),
        lifetimes: Vec::new(),
        constants,
    };
    let function = ItemFn {
        attrs: super::super::attributes::filtered(&method.attrs, &|meta| !super::super::attributes::is_mark(meta)),
        vis: method.vis.clone(),
        modifiers: Default::default(),
        sig: method.sig.clone(),
        block: method.block.clone().into(),
    };
    if declares_types(function.block.to_token_stream()) {
        return None;
    }
    let mut function = function;
    if let Shape::Opaque(_) = shape {
        // Its signature is written beside it, in the same block.
        *function.block = syn::parse2(own.substituted(function.block.to_token_stream(), None)).ok()?;
    } else {
        function = syn::parse2(own.substituted(function.to_token_stream(), None)).ok()?;
    }
    Some((constants.in_signature_of(function, &item.generics), shape))
}

/// An `impl` block.
struct Own<'i> {
    item: &'i ItemImpl,
    owner: &'i OwnerType,
    trait_: Option<String>,
    operator: Option<String>,
    argument: Option<OwnerType>,
    /// The types that it gives names, `Self::Output` for instance.
    types: Vec<(Ident, TokenStream)>,
    /// The lifetimes that it declares.
    lifetimes: Vec<Ident>,
    constants: &'i Constants,
}

impl Own<'_> {
    fn method(&self, function: &ItemFn) -> Method {
        let receiver = function.sig.receiver().and_then(passing);
        let is_conditional = !conditions(&self.item.attrs).is_empty() || !conditions(&function.attrs).is_empty();
        let name = function.sig.ident.unraw().to_string();
        let is_generic = |generics: &Generics| generics.params.iter().any(is_no_lifetime);
        let function = match () {
            () if is_conditional => Err(refuse::method_under_cfg(&name)),
            () if is_generic(&self.item.generics) || self.has_types() => Err(refuse::method_of_generic(&name)),
            () if function.sig.receiver().is_some() && receiver.is_none() => Err(refuse::method_receiver(&name)),
            () if declares_types(function.block.to_token_stream()) => Err(refuse::method_with_items(&name)),
            // A text would name `self`.
            () if is_formatted(function.block.to_token_stream()) => Err(refuse::method_not_read(&name)),
            () => self.as_function(function).ok_or_else(|| refuse::method_not_read(&name)),
        };
        let function = function.map(|function| self.constants.in_signature_of(function, &self.item.generics));
        let (owner, trait_, argument) = (self.owner.clone(), self.trait_.clone(), self.argument.clone());
        Method { owner, trait_, operator: self.operator.clone(), argument, name, receiver, function }
    }

    /// A function that a generic trait provides, with the arguments of the implementation in the place of its parameters.
    fn with_arguments_of_trait(&self, function: &ItemFn, declared: &ItemTrait) -> Option<ItemFn> {
        let parameters = &declared.generics.params;
        if parameters.is_empty() {
            return Some(function.clone());
        }
        let (path, _) = self.item.trait_.as_ref()?;
        let arguments = written_arguments(path.segments.last()?);
        if arguments.len() != parameters.len() || declared.generics.lifetimes().next().is_some() {
            return None;
        }
        let values = parameters.iter().zip(arguments);
        let values = values.filter_map(|(own, value)| Some((name_of(own)?, Argument::of(own, value)))).collect();
        syn::parse2(substituted(function.to_token_stream(), &values)).ok()
    }

    /// A function that a trait provides. It knows the type by this trait and those that this one requires, which is what
    /// a clause of it says.
    fn provided(&self, mut function: ItemFn, declared: &ItemTrait) -> Result<ItemFn, String> {
        let name = &function.sig.ident;
        let (ty, trait_, required) = (self.ty(name), &declared.ident, &declared.supertraits);
        let clause = quote!(#ty: #trait_ + #required);
        let predicate = syn::parse2(clause).map_err(|_| refuse::method_not_read(name))?;
        function.sig.generics.make_where_clause().predicates.push(predicate);
        Ok(function)
    }

    /// A method as a function.
    fn as_function(&self, method: &ItemFn) -> Option<ItemFn> {
        let mut function = method.clone();
        let clause = self.item.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let bounds: Vec<_> = clause.filter(|predicate| matches!(predicate, WherePredicate::Type(_))).cloned().collect();
        if !bounds.is_empty() {
            function.sig.generics.make_where_clause().predicates.extend(bounds);
        }
        function.attrs.retain(|attribute| !super::super::attributes::is_mark(&attribute.meta.to_token_stream()));
        // What is called like it elsewhere in the method is another thing.
        let mut name = "self_".to_string();
        let text = function.to_token_stream().to_string();
        while text.contains(&name) {
            name.push('_');
        }
        if let Some(receiver) = method.sig.receiver() {
            let own = Ident::new(&name, receiver.self_token.span);
            let (mutability, ty) = (&receiver.mutability, self.ty_of_receiver());
            let ty = match &receiver.kind {
                ReceiverKind::Reference(and, _, mutability) => quote!(#and #mutability #ty),
                ReceiverKind::Typed(_, ty) => ty.to_token_stream(),
                _ => ty,
            };
            let typed: FnArg = parse_quote!(#mutability #own: #ty);
            *function.sig.inputs.first_mut()? = typed;
        }
        syn::parse2(self.substituted(function.to_token_stream(), Some(&name))).ok()
    }

    /// The tokens with the type for `Self`, and this name for `self`.
    fn substituted(&self, tokens: TokenStream, name: Option<&str>) -> TokenStream {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let is_colons = |at: usize| {
            let is_colon =
                |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
            is_colon(at) && is_colon(at + 1)
        };
        let (mut written, mut at) = (TokenStream::new(), 0);
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Ident(ident) if ident == "Self" => {
                    let part = if is_colons(at) { tokens.get(at + 2) } else { None };
                    let known = |part: &TokenTree| {
                        let named = self.types.iter().find(|(own, _)| *own == part.to_string());
                        named.map(|(_, ty)| ty.clone())
                    };
                    match part.and_then(known) {
                        Some(ty) => {
                            written.extend(self.substituted(ty, name));
                            at += 3;
                        }
                        None => written.extend(self.ty(ident)),
                    }
                }
                TokenTree::Punct(tick) if tick.as_char() == '\'' && self.is_lifetime(tokens.get(at)) => {
                    written.extend([token.clone(), TokenTree::Ident(Ident::new("_", tick.span()))]);
                    at += 1;
                }
                TokenTree::Ident(ident) if ident == "self" && !is_colons(at) => match name {
                    Some(name) => written.extend([TokenTree::Ident(Ident::new(name, ident.span()))]),
                    None => written.extend([token.clone()]),
                },
                TokenTree::Group(group) => {
                    let inner = self.substituted(group.stream(), name);
                    let mut inner = proc_macro2::Group::new(group.delimiter(), inner);
                    inner.set_span(group.span());
                    written.extend([TokenTree::Group(inner)]);
                }
                token => written.extend([token.clone()]),
            }
        }
        written
    }

    /// Whether the type of the block has arguments that are no lifetimes.
    fn has_types(&self) -> bool {
        let Type::Path(path) = unwrapped(&self.item.self_ty) else { return false };
        let arguments = path.path.segments.last().map(|last| &last.arguments);
        let Some(PathArguments::AngleBracketed(given)) = arguments else { return false };
        given.args.iter().any(|it| !matches!(it, GenericArgument::Lifetime(_)))
            && matches!(self.owner.owner, Owner::Struct(_))
    }

    /// Whether a lifetime of this name is one that the block declares.
    fn is_lifetime(&self, name: Option<&TokenTree>) -> bool {
        matches!(name, Some(TokenTree::Ident(name)) if self.lifetimes.contains(name))
    }

    /// The type of `self`, in which lifetimes are not said.
    fn ty_of_receiver(&self) -> TokenStream {
        match unwrapped(&self.item.self_ty) {
            Type::Path(path) if self.owner.references == 0 => {
                match &path.path.segments.last().map(|last| &last.arguments) {
                    Some(PathArguments::AngleBracketed(given)) => {
                        let lifetimes = given.args.iter().map(|_| quote!('_));
                        quote!(Self<#(#lifetimes),*>)
                    }
                    _ => quote!(Self),
                }
            }
            _ => quote!(Self),
        }
    }

    /// The type of the block, at the place of `Self`.
    fn ty(&self, at: &Ident) -> TokenStream {
        let and = (0..self.owner.references).map(|_| quote!(&));
        match &self.owner.owner {
            Owner::Struct(name) => {
                let (module, name) = (Ident::new("self", at.span()), identifier(name, at.span()));
                quote!(#(#and)* #module::#name)
            }
            _ => self.item.self_ty.to_token_stream(),
        }
    }
}

/// What a type is, if it is a struct that is known or a float, or a reference to one.
pub fn kind(ty: &Type, structs: &Structs) -> Option<OwnerType> {
    let (mut target, mut references) = (unwrapped(ty), 0);
    while let Type::Reference(reference) = target {
        if reference.mutability.is_some() {
            return None;
        }
        (target, references) = (unwrapped(&reference.elem), references + 1);
    }
    let Type::Path(path) = target else { return None };
    if path.qself.is_none()
        && let Some(Ok(found)) = structs.find(&path.path, &[])
    {
        return Some(OwnerType { owner: Owner::Struct(found.name.unraw().to_string()), references });
    }
    if path.qself.is_none()
        && let Some(found) = structs.opaque(&path.path, &[])
    {
        return Some(OwnerType { owner: Owner::Struct(found.name.unraw().to_string()), references });
    }
    match Reader::default().read(&syntax::ty(target)) {
        Reading::Floats(Shape::Float(_)) => Some(OwnerType { owner: Owner::Float, references }),
        _ => None,
    }
}

/// An array or a tuple of floats and structs, as such a type.
fn built(ty: &Type, structs: &Structs) -> Option<OwnerType> {
    let (mut target, mut references) = (unwrapped(ty), 0);
    while let Type::Reference(reference) = target {
        (target, references) = (unwrapped(&reference.elem), references + 1);
    }
    let text = match target {
        Type::Array(_) | Type::Tuple(_) => text_of_type(target, structs)?,
        _ => return None,
    };
    Some(OwnerType { owner: Owner::Built(text), references })
}

/// Such a type as a text, like that of a value.
pub fn text_of_type(ty: &Type, structs: &Structs) -> Option<String> {
    match unwrapped(ty) {
        Type::Array(array) => {
            let length = integer(&syntax::expression(&array.len))?;
            Some(format!("[{}; {length}]", text_of_type(&array.elem, structs)?))
        }
        Type::Tuple(tuple) => {
            let texts = tuple.elems.iter().map(|element| text_of_type(element, structs)).collect::<Option<Vec<_>>>()?;
            Some(format!("({})", texts.join(", ")))
        }
        Type::Reference(reference) if reference.mutability.is_none() => {
            Some(format!("&{}", text_of_type(&reference.elem, structs)?))
        }
        ty => match kind(ty, structs)?.owner {
            Owner::Struct(name) => Some(name),
            _ => Some(ty.to_token_stream().to_string()),
        },
    }
}

/// The name of the trait of the standard library's operators that a path means.
fn operator(path: &Path, items: &[Item]) -> Option<String> {
    let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let is_std = |root: &str| ["std", "core"].contains(&root);
    let [first, others @ ..] = &names[..] else { return None };
    if is_std(first) {
        return others.last().cloned();
    }
    let is_declared = items.iter().any(|item| matches!(item, Item::Trait(item) if item.ident == first));
    let mut imported = Vec::new();
    for item in items {
        if let Item::Use(item) = item {
            imports(&item.tree, &mut Vec::new(), &mut imported);
        }
    }
    let of_name: Vec<_> = imported.iter().filter(|(name, _)| name == first).collect();
    let path = match (is_declared, &of_name[..]) {
        (false, [(_, path)]) => path.clone(),
        (false, []) => {
            // What else is imported by `*` may have such a name, too.
            let mut globs = imported.iter().filter(|(name, _)| name == "*");
            let (Some((_, path)), None) = (globs.next(), globs.next()) else { return None };
            [&path[..path.len() - 1], std::slice::from_ref(first)].concat()
        }
        _ => return None,
    };
    match others {
        [] if is_std(&path[0]) && path[1..path.len() - 1] == ["ops"] => path.last().cloned(),
        [last] if is_std(&path[0]) && path[1..] == ["ops"] => Some(last.clone()),
        _ => None,
    }
}

/// The names that a `use` declares, with what they stand for.
fn imports(tree: &UseTree, path: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    let whole = |last: &Ident, path: &[String]| [path, &[last.to_string()]].concat();
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            imports(&inner.tree, path, found);
            path.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| imports(tree, path, found)),
        UseTree::Name(name) if name.ident == "self" => {
            found.extend(path.last().map(|last| (last.clone(), path.clone())));
        }
        UseTree::Name(name) => found.push((name.ident.to_string(), whole(&name.ident, path))),
        UseTree::Rename(rename) => found.push((rename.rename.to_string(), whole(&rename.ident, path))),
        UseTree::Glob(_) => found.push(("*".to_string(), [&path[..], &["*".to_string()]].concat())),
    }
}

/// The first type among the arguments of a trait.
fn argument(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

fn associated_types(item: &ItemImpl) -> Vec<(Ident, TokenStream)> {
    let types = item.items.iter().filter_map(|part| match part {
        ImplItem::Type(ty) => Some((ty.ident.clone(), ty.ty.to_token_stream())),
        _ => None,
    });
    types.collect()
}

fn lifetimes(item: &ItemImpl) -> Vec<Ident> {
    item.generics.lifetimes().map(|it| it.lifetime.ident.clone()).collect()
}

/// Whether an implementation is for its own type parameter, or for references to it: for every type.
fn is_parameter(item: &ItemImpl) -> bool {
    let mut ty = unwrapped(&item.self_ty);
    while let Type::Reference(reference) = ty {
        ty = unwrapped(&reference.elem);
    }
    matches!(ty, Type::Path(path) if item.generics.type_params().any(|own| path.path.is_ident(&own.ident)))
}

/// How a method takes `self`; none where it is in something like a `Box`.
fn passing(receiver: &syn::Receiver) -> Option<Passing> {
    let is_self = |ty: &Type| matches!(unwrapped(ty), Type::Path(path) if path.path.is_ident("Self"));
    match &receiver.kind {
        ReceiverKind::Value => Some(Passing::Value),
        ReceiverKind::Reference(_, _, mutability) => {
            Some(if mutability.is_some() { Passing::Mutable } else { Passing::Shared })
        }
        ReceiverKind::Typed(_, ty) => match unwrapped(ty) {
            ty if is_self(ty) => Some(Passing::Value),
            Type::Reference(reference) if is_self(&reference.elem) => {
                Some(if reference.mutability.is_some() { Passing::Mutable } else { Passing::Shared })
            }
            _ => None,
        },
        _ => None,
    }
}

fn is_no_lifetime(parameter: &GenericParam) -> bool {
    !matches!(parameter, GenericParam::Lifetime(_))
}

/// Whether a text may print `self`.
fn is_formatted(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Literal(text) => text.to_string().contains("{self"),
        TokenTree::Group(group) => is_formatted(group.stream()),
        _ => false,
    })
}

/// Whether types are declared in a body, in which `Self` is another one.
fn declares_types(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ["impl", "trait", "struct", "enum", "union"].iter().any(|word| ident == word),
        TokenTree::Group(group) => declares_types(group.stream()),
        _ => false,
    })
}
