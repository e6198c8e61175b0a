//! The functions in an `impl` block. Each is read as a function of its own, so that it is inlined like any other: `self` is
//! a parameter with another name, and `Self` the type.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{
    FnArg, GenericArgument, GenericParam, Generics, ImplItem, ImplItemFn, Item, ItemFn, ItemImpl, ItemTrait,
    PathArguments, ReceiverKind, TraitItemFn, Type, Visibility, WherePredicate, parse_quote,
};

use super::super::attributes::{self, conditions};
use super::super::names::identifier;
use super::super::read::shape::{Shape, Structs};
use super::super::read::ty::unwrapped;
use super::super::refuse;
use super::super::tokens::{grouped, is_path};
use super::arguments::{Argument, name_of, substituted, written_arguments};
use super::constants::Constants;
use super::operators::{argument, operator};
use super::owner::{Owner, OwnerType, Passing, built, kind, passing};
use super::parts;

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

/// An `impl` block.
pub struct Block<'i> {
    pub item: &'i ItemImpl,
    pub owner: OwnerType,
    pub trait_: Option<String>,
    operator: Option<String>,
    argument: Option<OwnerType>,
    /// The types that it gives names, `Self::Output` for instance.
    types: Vec<(Ident, TokenStream)>,
    /// The lifetimes that it declares.
    lifetimes: Vec<Ident>,
    constants: &'i Constants,
}

impl<'i> Block<'i> {
    /// A block for this type among the items of a module.
    pub fn read(
        item: &'i ItemImpl,
        items: &[Item],
        owner: OwnerType,
        structs: &Structs,
        constants: &'i Constants,
    ) -> Self {
        let trait_ = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let argument = trait_.and_then(|last| argument(&last.arguments)).map(|ty| {
            let is_self = matches!(unwrapped(ty), Type::Path(path) if path.path.is_ident("Self"));
            let other = OwnerType { owner: Owner::Other, references: 0 };
            if is_self { owner.clone() } else { kind(ty, structs).or_else(|| built(ty, structs)).unwrap_or(other) }
        });
        Block {
            trait_: trait_.map(|last| last.ident.to_string()),
            operator: item.trait_.as_ref().and_then(|(path, _)| operator(path, items)),
            argument,
            types: associated_types(item),
            ..Block::plain(item, owner, constants)
        }
    }

    /// A block of a type's own methods.
    fn plain(item: &'i ItemImpl, owner: OwnerType, constants: &'i Constants) -> Self {
        let lifetimes = item.generics.lifetimes().map(|it| it.lifetime.ident.clone()).collect();
        Block { item, owner, trait_: None, operator: None, argument: None, types: Vec::new(), lifetimes, constants }
    }

    /// A function of it.
    pub fn method(&self, function: &ItemFn) -> Method {
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

    /// A method that a trait provides and this implementation of it leaves as it is. It knows the type by this trait and
    /// those that this one requires, which is what a clause of it says.
    pub fn provided(&self, method: &TraitItemFn, declared: &ItemTrait, items: &[Item]) -> Option<Method> {
        let body = parts::of_self(method.default.to_token_stream(), declared, items);
        let text = body.to_string();
        // What a trait from elsewhere has is not known.
        let is_read = !text.contains("Self ::") && !text.contains("self ::");
        let function = ItemFn {
            attrs: method.attrs.clone(),
            vis: Visibility::Inherited,
            modifiers: Default::default(),
            sig: method.sig.clone(),
            block: syn::parse2(body).ok()?,
        };
        let name = &function.sig.ident;
        let mut provided = match self.with_arguments_of_trait(&function, declared) {
            Some(function) => self.method(&function),
            None => Method { function: Err(refuse::method_of_generic(name)), ..self.method(&function) },
        };
        let bounded = |mut function: ItemFn| {
            let (ty, trait_, required) = (self.ty(name), &declared.ident, &declared.supertraits);
            let predicate = syn::parse2(quote!(#ty: #trait_ + #required)).map_err(|_| refuse::method_not_read(name))?;
            function.sig.generics.make_where_clause().predicates.push(predicate);
            Ok(function)
        };
        provided.function = match is_read {
            true => provided.function.and_then(bounded),
            false => provided.function.and(Err(refuse::method_not_read(name))),
        };
        Some(provided)
    }

    /// A method as a function.
    fn as_function(&self, method: &ItemFn) -> Option<ItemFn> {
        let mut function = method.clone();
        let clause = self.item.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let bounds: Vec<_> = clause.filter(|predicate| matches!(predicate, WherePredicate::Type(_))).cloned().collect();
        if !bounds.is_empty() {
            function.sig.generics.make_where_clause().predicates.extend(bounds);
        }
        function.attrs.retain(|attribute| !attributes::is_mark(&attribute.meta.to_token_stream()));
        function.vis = Visibility::Inherited;
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
    pub fn substituted(&self, tokens: TokenStream, name: Option<&str>) -> TokenStream {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let (mut written, mut at) = (TokenStream::new(), 0);
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Ident(ident) if ident == "Self" => {
                    let part = if is_path(&tokens, at) { tokens.get(at + 2) } else { None };
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
                TokenTree::Ident(ident) if ident == "self" && !is_path(&tokens, at) => match name {
                    Some(name) => written.extend([TokenTree::Ident(Ident::new(name, ident.span()))]),
                    None => written.extend([token.clone()]),
                },
                TokenTree::Group(group) => written.extend([grouped(group, self.substituted(group.stream(), name))]),
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

/// A method as it is written, as a function.
pub fn as_item(method: &ImplItemFn) -> ItemFn {
    ItemFn {
        attrs: method.attrs.clone(),
        vis: method.vis.clone(),
        modifiers: Default::default(),
        sig: method.sig.clone(),
        block: method.block.clone().into(),
    }
}

fn associated_types(item: &ItemImpl) -> Vec<(Ident, TokenStream)> {
    let types = item.items.iter().filter_map(|part| match part {
        ImplItem::Type(ty) => Some((ty.ident.clone(), ty.ty.to_token_stream())),
        _ => None,
    });
    types.collect()
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
    let block = Block::plain(item, owner, constants);
    let mut function = as_item(method);
    function.attrs = attributes::filtered(&function.attrs, &|meta| !attributes::is_mark(meta));
    if declares_types(function.block.to_token_stream()) {
        return None;
    }
    if let Shape::Opaque(_) = shape {
        // Its signature is written beside it, in the same block.
        *function.block = syn::parse2(block.substituted(function.block.to_token_stream(), None)).ok()?;
    } else {
        function = syn::parse2(block.substituted(function.to_token_stream(), None)).ok()?;
    }
    Some((constants.in_signature_of(function, &item.generics), shape))
}
