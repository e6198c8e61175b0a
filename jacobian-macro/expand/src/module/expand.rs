//! A module with the derivatives of its marked functions and methods, and of those that these call.

use jacobian_lower::attributes::{self, Mark};
use jacobian_lower::diagnostics::Errors;
use jacobian_lower::module::{aliases, without_marks};
use jacobian_lower::read::options::{self, Options};
use jacobian_lower::refuse;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{GenericParam, ImplItem, ImplItemFn, Item, ItemFn, ItemImpl, ItemMod, Visibility};

use super::super::watch::Watch;
use super::super::{engine, form, instances, jacobian, used};
use super::{Member, Module};

/// Expands `#[jacobian(options)] mod ... { ... }`.
pub fn expand(item: &ItemMod, options: &Options, errors: &mut Errors, watch: &mut dyn Watch) -> TokenStream {
    let Some((_, items)) = &item.content else {
        errors.at(item, refuse::MODULE_IN_FILE);
        return item.to_token_stream();
    };
    options::check_module(options, errors);
    let options = &options.clone().for_instance(None);
    let read = aliases::expanded(items);
    let module = Module::read(&read, options, errors);
    refuse_methods_of_traits(items, errors);
    if !module.members.iter().any(|member| member.is_marked) {
        let mut blocks = items.iter().filter_map(|item| if let Item::Impl(item) = item { Some(item) } else { None });
        if !blocks.any(|item| marked_methods(item).next().is_some()) {
            errors.at(&item.ident, refuse::UNMARKED);
        }
    }
    let mut written = Vec::new();
    for (item, read) in items.iter().zip(&read) {
        written.push(match (item, read) {
            (Item::Impl(item), Item::Impl(read)) if item.trait_.is_none() => {
                Some(module.with_methods((item, read), options, errors, watch))
            }
            _ => None,
        });
    }
    let generated = module.generate(errors, watch);
    let items = items.iter().zip(written).map(|(item, written)| written.unwrap_or_else(|| module.unmarked(item)));
    let (attributes, visibility, name) = (&item.attrs, &item.vis, &item.ident);
    let (inner, outer): (Vec<_>, Vec<_>) =
        attributes.iter().partition(|attribute| matches!(attribute.style, syn::AttrStyle::Inner(_)));
    quote!(#(#outer)* #visibility mod #name { #(#inner)* #(#items)* #(#generated)* })
}

impl Module {
    /// An item without its mark. A function whose Jacobian is there is used by that.
    fn unmarked(&self, item: &Item) -> TokenStream {
        match item {
            Item::Fn(function) => {
                let is_needed = || self.named(&function.sig.ident.unraw().to_string()).any(|it| it.is_needed.get());
                let is_used = Mark::find(&function.attrs).is_some() || is_needed();
                let (used, function) = (is_used.then(|| used(function)), without_marks(function));
                quote!(#used #function)
            }
            Item::Impl(item) if item.trait_.is_some() => without_marked_methods(item).to_token_stream(),
            other => other.to_token_stream(),
        }
    }

    /// The Jacobians of the marked functions, and of those whose Jacobians these call.
    fn generate(&self, errors: &mut Errors, watch: &mut dyn Watch) -> Vec<TokenStream> {
        let mut generated = Vec::new();
        let mut is_done = vec![false; self.members.len()];
        let is_next = |(index, member): &(usize, &Member), is_done: &[bool]| {
            !is_done[*index] && (member.is_marked || member.is_needed.get() || member.is_sparse_needed.get())
        };
        while let Some((index, member)) = self.members.iter().enumerate().find(|next| is_next(next, &is_done)) {
            is_done[index] = true;
            if member.is_marked || member.is_needed.get() {
                let (mut own, known) = (Errors::default(), member.jacobian.get().and_then(Option::as_ref));
                generated.push(jacobian(&member.function.item, &member.options, (self, None), known, &mut own, watch));
                for options in &member.further {
                    generated.push(jacobian(&member.function.item, options, (self, None), None, &mut own, watch));
                }
                errors.append_under(own, &member.function.conditions);
            } else {
                generated.push(self.sparse_jacobian(member, errors, watch));
            }
        }
        // A marked function has the Jacobian that is asked for, too, whether anything else calls it or not.
        let is_beside = |member: &&Member| member.is_marked && member.is_sparse_needed.get();
        for member in self.members.iter().filter(is_beside) {
            if !member.options.requests().contains(&options::SPARSE_JAC) {
                generated.push(self.sparse_jacobian(member, errors, &mut ()));
            }
            let own = form::name_of_jacobian(&member.function.item, &member.options);
            generated.push(quote_spanned!(Span::mixed_site()=> const _: () = { let _ = #own; };));
        }
        generated
    }

    /// The sparse Jacobian of a function, for those that call it.
    fn sparse_jacobian(&self, member: &Member, errors: &mut Errors, watch: &mut dyn Watch) -> TokenStream {
        let function = ItemFn { vis: Visibility::Inherited, ..member.function.item.clone() };
        let known = member.jacobian.get().and_then(Option::as_ref);
        jacobian(&function, &member.options.clone().for_sparse_calls(), (self, None), known, errors, watch)
    }

    /// An `impl` block, which is read like the second one, with the Jacobians of its marked methods. In one that is generic,
    /// a name of the module may mean a parameter: nothing of the module is seen there.
    fn with_methods(
        &self,
        (item, read): (&ItemImpl, &ItemImpl),
        defaults: &Options,
        errors: &mut Errors,
        watch: &mut dyn Watch,
    ) -> TokenStream {
        let mut written = item.clone();
        written.items.clear();
        let mut around = TokenStream::new();
        let is_generic = item.generics.params.iter().any(|it| !matches!(it, GenericParam::Lifetime(_)));
        let nothing = Module::default();
        let module = if is_generic { &nothing } else { self };
        let instances = self.declared.instances();
        let seen = if is_generic { read.clone() } else { instances.seen_as(read, &read.self_ty) };
        for (part, seen_part) in item.items.iter().zip(&seen.items) {
            let ImplItem::Fn(method) = seen_part else {
                written.items.push(part.clone());
                continue;
            };
            let marks = Mark::all(&method.attrs);
            if marks.is_empty() {
                written.items.push(part.clone());
                continue;
            }
            let mut generated = TokenStream::new();
            for mark in marks {
                let (mut function, shape) = self.declared.marked(&seen, method);
                let options = engine::parse_over(defaults.clone(), mark.options, errors);
                function.attrs.extend(mark.condition);
                let conditions = attributes::conditions(&function.attrs);
                let mut own = Errors::default();
                generated.extend(match &options.instances[..] {
                    [] => jacobian(&function, &options, (module, shape.as_ref()), None, &mut own, watch),
                    _ if item.generics.const_params().next().is_some() => {
                        around.extend(self.blocks_of_instances(item, &function, &options, &mut own, watch));
                        TokenStream::new()
                    }
                    _ => {
                        let of = (module, shape.as_ref(), Some(item));
                        let instances = instances::written(&function, &options, of, &mut own, watch);
                        around.extend(instances.around);
                        instances.functions
                    }
                });
                errors.append_under(own, &conditions);
            }
            let used = used(&self.declared.marked(&seen, method).0);
            let part = without_mark(part);
            written.items.push(ImplItem::Verbatim(quote!(#used #part #generated)));
        }
        quote!(#written #around)
    }

    /// The Jacobians of a method in a block with `const` parameters, each in a block for one of its instances.
    fn blocks_of_instances(
        &self,
        item: &ItemImpl,
        function: &ItemFn,
        options: &Options,
        errors: &mut Errors,
        watch: &mut dyn Watch,
    ) -> TokenStream {
        let nothing = Module::default();
        let module = if item.generics.type_params().next().is_some() { &nothing } else { self };
        let mut written = TokenStream::new();
        let own = options.clone().for_instance(options.name.clone());
        for (block, function) in instances::blocks(item, function, options, errors) {
            let ItemFn { attrs, vis, sig, block: body, .. } = function;
            let method = ImplItemFn { attrs, vis, modifiers: Default::default(), sig, block: *body };
            let seen = ItemImpl { items: vec![ImplItem::Fn(method)], ..block.clone() };
            let seen = module.declared.instances().seen_as(&seen, &block.self_ty);
            let Some(ImplItem::Fn(method)) = seen.items.first() else { continue };
            let (function, shape) = module.declared.marked(&seen, method);
            let generated = jacobian(&function, &own, (module, shape.as_ref()), None, errors, watch);
            let block = ItemImpl { items: vec![ImplItem::Verbatim(generated)], ..block };
            block.to_tokens(&mut written);
        }
        written
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

/// An implementation of a trait without the marks that are refused: what they generated would be refused once more.
fn without_marked_methods(item: &ItemImpl) -> ItemImpl {
    let mut item = item.clone();
    item.items = item.items.iter().map(without_mark).collect();
    item
}

/// A part of an implementation without its mark.
fn without_mark(part: &ImplItem) -> ImplItem {
    let mut part = part.clone();
    if let ImplItem::Fn(method) = &mut part {
        method.attrs = attributes::filtered(&method.attrs, &|meta| !attributes::is_mark(meta));
    }
    part
}
