//! The instances of a module's generic structs that are written in it, `State<2>` or `Pair<f64>`: each is seen as a
//! struct of its own, with what is implemented for it.
//!
//! Taken: the items of a module. Given: these items as they are seen, in which an instance has a name like `State_2`;
//! the struct that is called so; and its `impl` blocks, with its arguments in the place of the parameters. In what is
//! generated, such a name is written as the user writes it, `State::<2>`.
//!
//! A name without arguments, as in `State { x, v }`, is taken for that of the block's own type, or of the only instance
//! that is written in the module. Where what is constructed cannot be that, the lowering refuses it. Before `::`, such a
//! name stays as it is: which instance it is, the arguments of a call may say, or what becomes of its result.
//!
//! A block that cannot be seen for an instance is there as a generic one, so that its methods are known to be unknown.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{
    Expr, Fields, GenericParam, Generics, Ident, ImplItem, Item, ItemEnum, ItemFn, ItemImpl, ItemStruct, Lit,
    PathSegment, Type, WhereClause, WherePredicate, parse_quote,
};

use super::super::attributes::conditions;
use super::super::names::{each_identifier, identifier};
use super::super::read::structs::PASSIVE;
use super::super::syntax::Items;
use super::super::tokens::{grouped, is_path, is_punct, is_word};
use super::arguments::{Argument, arguments, name_of, normal, segment, substituted, types_in, written_arguments};
use super::parts;
use super::plain::PlainTraits;

/// How often instances are looked for in what others bring with them, and how many there are at most.
const ROUNDS: usize = 4;
const MOST: usize = 64;

/// Types of the prelude, and what leads to them.
const OF_PRELUDE: &[(&str, &str)] = &[
    ("Option", "::core::option::"),
    ("Result", "::core::result::"),
    ("Box", "::std::boxed::"),
    ("String", "::std::string::"),
    ("Vec", "::std::vec::"),
];

/// What means the same in every module, beside [`PASSIVE`].
const MEAN_THE_SAME: &[&str] = &["f64", "f32", "str", "crate", "dyn", "impl", "fn", "mut", "const", "for"];

/// The instances of a module.
#[derive(Default)]
pub struct Instances {
    /// The generic structs by their names.
    structs: HashMap<String, ItemStruct>,
    /// The numbers that constants are, by names that mean nothing else in the module.
    constants: HashMap<String, TokenStream>,
    /// The names of generic parameters in the module: what mentions one is no instance.
    parameters: HashSet<String>,
    /// Every name in the module.
    names: HashSet<String>,
    /// The names of the structs and enums that are declared in it.
    declared: HashSet<String>,
    /// The names that may be those of values where nothing leads to them: of constants, functions, variants.
    values: HashSet<String>,
    /// The names of all that is declared in it or imported.
    items: HashSet<String>,
    /// The traits that hide nothing of the types that they bound.
    plain_traits: PlainTraits,
    /// The functions in generic blocks, with the name of the struct, whose arguments mention all parameters of the block.
    told: HashSet<(String, String)>,
    all: Vec<Instance>,
}

/// An instance of a struct.
struct Instance {
    /// The name of the struct.
    of: String,
    /// Its arguments, as they are written.
    arguments: Vec<TokenStream>,
    /// What it is called here.
    name: String,
    /// What it is called where no arguments are written.
    bare: String,
}

impl Instances {
    /// Those in `items`, and the items as they are seen.
    pub fn read(items: &[Item]) -> (Self, Vec<Item>) {
        let mut instances = Instances { plain_traits: PlainTraits::of(items), ..Instances::default() };
        for item in items {
            if let Item::Struct(item) = item
                && is_plain(&item.generics)
            {
                instances.structs.insert(item.ident.unraw().to_string(), item.clone());
            }
        }
        if instances.structs.is_empty() {
            return (instances, items.to_vec());
        }
        instances.look_around(items);
        items.iter().for_each(|item| instances.find(item.to_token_stream()));
        items.iter().for_each(|item| instances.find_marked(item));
        items.iter().for_each(|item| instances.find_told(item));
        let (mut done, mut blocks) = (0, Vec::new());
        for _ in 0..ROUNDS {
            let count = instances.all.len();
            if done == count {
                break;
            }
            blocks = instances.blocks(items);
            let definitions = (done..count).filter_map(|at| instances.definition(at)).map(ToTokens::into_token_stream);
            let brought: Vec<_> = definitions.chain(blocks.iter().map(|(_, block)| block.clone())).collect();
            brought.into_iter().for_each(|tokens| instances.find(tokens));
            done = count;
        }
        let mut seen: Vec<_> = items.iter().map(|item| instances.seen_item(item)).collect();
        for at in 0..instances.all.len() {
            let definition = instances.definition(at).map(|item| instances.rewritten(item.to_token_stream(), Some(at)));
            seen.extend(definition.and_then(|tokens| syn::parse2(tokens).ok()).map(Item::Struct));
            let own = &instances.all[at];
            let [name, bare] = [&own.name, &own.bare].map(|name| identifier(name, Span::call_site()));
            seen.push(Item::Type(parse_quote!(type #bare = #name;)));
        }
        for (at, block) in blocks {
            seen.extend(syn::parse2(instances.rewritten(block, Some(at))).ok().map(Item::Impl));
        }
        (instances, seen)
    }

    /// A function of the module as it is seen, with its attributes.
    pub fn seen(&self, function: &ItemFn) -> ItemFn {
        match self.all.is_empty() {
            true => function.clone(),
            false => syn::parse2(self.rewritten(function.to_token_stream(), None)).unwrap_or(function.clone()),
        }
    }

    /// What these tokens of the module are seen as.
    pub fn seen_as<T: ToTokens + syn::parse::Parse + Clone>(&self, item: &T, own: &Type) -> T {
        match self.all.is_empty() {
            true => item.clone(),
            false => syn::parse2(self.rewritten(item.to_token_stream(), self.of_type(own))).unwrap_or(item.clone()),
        }
    }

    /// Tokens that are generated, as the user writes them. After `super::`, an instance is named from a module inside of
    /// this one.
    pub fn written(&self, tokens: TokenStream) -> TokenStream {
        if self.all.is_empty() {
            return tokens;
        }
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut written = TokenStream::new();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(ident) => {
                    let is_it =
                        |instance: &&Instance| *ident == instance.name.as_str() || *ident == instance.bare.as_str();
                    match self.all.iter().find(is_it) {
                        Some(Instance { of, arguments, bare, .. }) => {
                            let of = identifier(of, ident.span());
                            written.extend(of.to_token_stream());
                            let is_inside = at >= 3 && is_word(&tokens[at - 3], "super") && is_path(&tokens, at - 2);
                            let arguments = arguments.iter().cloned();
                            let arguments: Vec<_> = match is_inside {
                                true => arguments.map(|argument| self.seen_inside(argument)).collect(),
                                false => arguments.collect(),
                            };
                            if *ident != bare.as_str() {
                                written.extend(quote!(::<#(#arguments),*>));
                            }
                        }
                        None => written.extend([TokenTree::Ident(ident.clone())]),
                    }
                }
                TokenTree::Group(group) => written.extend([grouped(group, self.written(group.stream()))]),
                token => written.extend([token.clone()]),
            }
        }
        written
    }

    /// The name and the arguments of the struct that one with this name is an instance of.
    pub fn arguments(&self, name: &str) -> Option<(&str, &[TokenStream])> {
        let own = self.all.iter().find(|instance| instance.name == name)?;
        Some((&own.of, &own.arguments))
    }

    /// The name of the struct that this name without arguments means.
    pub fn name_of<'n>(&'n self, name: &'n str) -> &'n str {
        self.all.iter().find(|instance| instance.bare == name).map_or(name, |instance| &instance.of)
    }

    /// The names of the instances of the struct that this name without arguments means, of which what is constructed by
    /// that may be one; none if it is no generic one's.
    pub fn of(&self, name: &str) -> Option<Vec<&str>> {
        let of = self.name_of(name);
        let own = self.all.iter().filter(|instance| instance.of == of && instance.may_be_bare());
        self.structs.contains_key(of).then(|| own.map(|instance| instance.name.as_str()).collect())
    }

    /// Notes which names mean what in the module.
    fn look_around(&mut self, items: &[Item]) {
        let mut declared: Vec<String> = Vec::new();
        self.note_values(items);
        self.items = Items::of(items).names;
        for item in items {
            each_identifier(item.to_token_stream(), &mut |ident| {
                self.names.insert(ident.unraw().to_string());
            });
            constants(item.to_token_stream(), &mut declared);
            if let Item::Struct(ItemStruct { ident, .. }) | Item::Enum(ItemEnum { ident, .. }) = item {
                self.declared.insert(ident.unraw().to_string());
            }
            match item {
                Item::Fn(item) => self.note(&item.sig.generics),
                Item::Struct(item) => self.note(&item.generics),
                Item::Enum(item) => self.note(&item.generics),
                Item::Trait(item) => self.note(&item.generics),
                Item::Type(item) => self.note(&item.generics),
                Item::Impl(item) => {
                    self.note(&item.generics);
                    for part in &item.items {
                        if let ImplItem::Fn(method) = part {
                            self.note(&method.sig.generics);
                        }
                    }
                }
                _ => {}
            }
        }
        for item in items {
            if let Item::Const(item) = item
                && let Expr::Lit(literal) = &*item.expr
                && let Lit::Int(_) = literal.lit
                && conditions(&item.attrs).is_empty()
                && declared.iter().filter(|name| item.ident == name.as_str()).count() == 1
            {
                self.constants.insert(item.ident.to_string(), literal.to_token_stream());
            }
        }
        let hidden = &self.parameters;
        self.structs.retain(|name, _| !hidden.contains(name));
        self.constants.retain(|name, _| !hidden.contains(name));
    }

    /// Notes which names are those of values. Variants are where something is imported from their enum, be it in a function.
    fn note_values(&mut self, items: &[Item]) {
        let mut imported = HashSet::new();
        items.iter().for_each(|item| names_in_imports(item.to_token_stream(), &mut imported));
        let mut named: Vec<&Ident> = Vec::new();
        for item in items {
            match item {
                Item::Const(item) => named.push(&item.ident),
                Item::Static(item) => named.push(&item.ident),
                Item::Fn(item) => named.push(&item.sig.ident),
                Item::Struct(item) if !matches!(item.fields, Fields::Named(_)) => named.push(&item.ident),
                Item::Enum(item) if imported.contains(&item.ident.unraw().to_string()) => {
                    named.extend(item.variants.iter().map(|variant| &variant.ident));
                }
                _ => {}
            }
        }
        self.values.extend(named.into_iter().map(|ident| ident.unraw().to_string()).chain(imported));
    }

    fn note(&mut self, generics: &Generics) {
        self.parameters.extend(generics.params.iter().filter_map(name_of));
    }

    /// Whether types are bounded by traits of the standard library only, none of which hides a method of theirs.
    pub fn has_plain_bounds(&self, generics: &Generics) -> bool {
        self.plain_traits.have_bounds(generics)
    }

    /// Whether a name in a bound is that of such a trait.
    pub fn is_plain_trait(&self, name: &str) -> bool {
        self.plain_traits.has(name)
    }

    /// Adds the instances that these tokens mention.
    fn find(&mut self, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.find(group.stream()),
                TokenTree::Ident(ident) if self.structs.contains_key(&ident.unraw().to_string()) => {
                    if let Some((arguments, _)) = arguments(&tokens, at + 1) {
                        self.add(&ident.unraw().to_string(), arguments);
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds the instances that are asked for of marked methods in a generic block.
    fn find_marked(&mut self, item: &Item) {
        let Item::Impl(item) = item else { return };
        let parameters: Vec<_> = item.generics.const_params().map(|own| own.ident.to_string()).collect();
        let Some(segment) = segment(&item.self_ty).filter(|_| !parameters.is_empty()) else { return };
        let of = segment.ident.unraw().to_string();
        if !self.structs.contains_key(&of) {
            return;
        }
        let mut given = Vec::new();
        let attributes = item.items.iter().filter_map(|part| match part {
            ImplItem::Fn(method) => Some(&method.attrs),
            _ => None,
        });
        attributes.flatten().for_each(|attribute| instances_in(attribute.to_token_stream(), &mut given));
        for values in given.into_iter().filter(|values| values.len() == parameters.len()) {
            let values = parameters.iter().cloned().zip(values.into_iter().map(Argument::of_type)).collect();
            let arguments = written_arguments(segment).into_iter().map(|it| substituted(it, &values)).collect();
            self.add(&of, arguments);
        }
    }

    /// Notes the functions of a generic block whose arguments tell its parameters.
    fn find_told(&mut self, item: &Item) {
        let Item::Impl(item) = item else { return };
        let Some(segment) = segment(&item.self_ty).filter(|_| item.trait_.is_none()) else { return };
        let parameters: Vec<_> = item.generics.params.iter().filter_map(name_of).collect();
        for part in &item.items {
            let ImplItem::Fn(function) = part else { continue };
            let mut mentioned = HashSet::new();
            each_identifier(function.sig.inputs.to_token_stream(), &mut |ident| {
                mentioned.insert(ident.unraw().to_string());
            });
            if parameters.iter().all(|name| mentioned.contains(name)) {
                self.told.insert((segment.ident.unraw().to_string(), function.sig.ident.unraw().to_string()));
            }
        }
    }

    /// Whether the arguments of this function of a generic struct tell the arguments of the struct.
    pub fn is_told_by_values(&self, of: &str, function: &str) -> bool {
        self.told.contains(&(of.to_string(), function.to_string()))
    }

    fn add(&mut self, of: &str, arguments: Vec<TokenStream>) {
        let arguments: Vec<_> = arguments.into_iter().map(|argument| self.resolved(argument)).collect();
        let count = self.structs[of].generics.params.len();
        if arguments.len() != count || self.find_instance(of, &arguments).is_some() || self.all.len() == MOST {
            return;
        }
        let mut is_closed = true;
        arguments.iter().cloned().for_each(|argument| {
            each_identifier(argument, &mut |ident| is_closed &= !self.parameters.contains(&ident.unraw().to_string()));
        });
        let of_constants = self.structs[of].generics.params.iter().zip(&arguments);
        let is_number = |argument: &TokenStream| syn::parse2::<syn::LitInt>(argument.clone()).is_ok();
        if !is_closed
            || of_constants
                .into_iter()
                .any(|(parameter, argument)| matches!(parameter, GenericParam::Const(_)) && !is_number(argument))
        {
            return;
        }
        let mut name = of.to_string();
        for letter in arguments.iter().map(|argument| format!("_{argument}")).collect::<String>().chars() {
            match letter.is_alphanumeric() {
                true => name.push(letter),
                false if !name.ends_with('_') => name.push('_'),
                false => {}
            }
        }
        name.truncate(name.trim_end_matches('_').len());
        while !self.names.insert(name.clone()) {
            name.push('_');
        }
        let mut bare = format!("{name}_bare");
        while !self.names.insert(bare.clone()) {
            bare.push('_');
        }
        self.all.push(Instance { of: of.to_string(), arguments, name, bare });
    }

    /// An argument with the number that it is for a constant.
    fn resolved(&self, argument: TokenStream) -> TokenStream {
        self.constants.get(&argument.to_string()).cloned().unwrap_or(argument)
    }

    fn find_instance(&self, of: &str, arguments: &[TokenStream]) -> Option<usize> {
        let texts = |arguments: &[TokenStream]| arguments.iter().map(|it| normal(it.clone())).collect::<Vec<_>>();
        let wanted = texts(arguments);
        self.all.iter().position(|own| own.of == of && texts(&own.arguments) == wanted)
    }

    /// The instance that a type is.
    fn of_type(&self, ty: &Type) -> Option<usize> {
        let segment = segment(ty)?;
        let arguments: Vec<_> = written_arguments(segment).into_iter().map(|it| self.resolved(it)).collect();
        self.find_instance(&segment.ident.unraw().to_string(), &arguments)
    }

    /// An item as it is seen.
    fn seen_item(&self, item: &Item) -> Item {
        let own = match item {
            Item::Struct(item) if !item.generics.params.is_empty() => return Item::Struct(item.clone()),
            Item::Impl(item) if item.generics.params.iter().any(|it| !matches!(it, GenericParam::Lifetime(_))) => {
                return Item::Impl(item.clone());
            }
            Item::Impl(item) => self.of_type(&item.self_ty),
            Item::Fn(_) | Item::Struct(_) | Item::Type(_) | Item::Const(_) | Item::Static(_) | Item::Trait(_) => None,
            item => return item.clone(),
        };
        syn::parse2(self.rewritten(item.to_token_stream(), own)).unwrap_or_else(|_| item.clone())
    }

    /// The struct that an instance is.
    fn definition(&self, at: usize) -> Option<ItemStruct> {
        let Instance { of, arguments, name, .. } = &self.all[at];
        let mut item = self.structs.get(of)?.clone();
        let own = item.generics.params.iter().zip(arguments.iter().cloned());
        let values = own.filter_map(|(own, value)| Some((name_of(own)?, Argument::of(own, value)))).collect();
        item.ident = identifier(name, item.ident.span());
        item.generics = Generics::default();
        for field in &mut item.fields {
            field.ty = syn::parse2(substituted(field.ty.to_token_stream(), &values)).ok()?;
        }
        Some(item)
    }

    /// The generic `impl` blocks for the instances that they are for.
    fn blocks(&self, items: &[Item]) -> Vec<(usize, TokenStream)> {
        let mut blocks = Vec::new();
        for item in items {
            let Item::Impl(item) = item else { continue };
            let is_generic = item.generics.params.iter().any(|it| !matches!(it, GenericParam::Lifetime(_)));
            if !is_generic {
                continue;
            }
            for (at, instance) in self.all.iter().enumerate() {
                let own = self.blocks_for(item, items, instance);
                let unseen = if own.is_empty() { unseen_block(item, instance) } else { None };
                blocks.extend(own.into_iter().chain(unseen).map(|block| (at, block)));
            }
        }
        blocks
    }

    /// A block with the arguments of an instance in the place of its parameters, if it is for that. By which traits of
    /// the module it knows these is a clause of it. One of a trait like `Mul<Matrix<K, C>>` is one for each instance that is
    /// its argument.
    fn blocks_for(&self, item: &ItemImpl, items: &[Item], instance: &Instance) -> Vec<TokenStream> {
        let of_trait = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let of_arguments = of_trait.into_iter().flat_map(types_in).find_map(segment);
        let patterns: Vec<_> = [segment(&item.self_ty), of_arguments].into_iter().flatten().collect();
        let of_instance = |segment: &&PathSegment| segment.ident.unraw() == instance.of;
        let Some(at) = patterns.iter().position(of_instance) else { return Vec::new() };
        // Where a value has the name of a parameter, it is not seen which of the two is meant.
        if item.generics.type_params().any(|own| self.values.contains(&own.ident.unraw().to_string())) {
            return Vec::new();
        }
        let mut parameters: HashMap<String, Option<TokenStream>> = item
            .generics
            .params
            .iter()
            .filter(|it| !matches!(it, GenericParam::Lifetime(_)))
            .filter_map(|it| Some((name_of(it)?, None)))
            .collect();
        if !is_matched(patterns[at], instance, &mut parameters) {
            return Vec::new();
        }
        let mut all = vec![parameters.clone()];
        if let (true, Some(other)) = (parameters.values().any(Option::is_none), patterns.get(at + 1)) {
            let of_other = self.all.iter().filter(|own| other.ident.unraw() == own.of);
            all = of_other
                .filter_map(|own| {
                    let mut parameters = parameters.clone();
                    is_matched(other, own, &mut parameters).then_some(parameters)
                })
                .collect();
        }
        all.into_iter().filter_map(|values| self.block_with(item, items, values)).collect()
    }

    /// A block with these in the place of its parameters, if it is known of all what they are.
    fn block_with(
        &self,
        item: &ItemImpl,
        items: &[Item],
        values: HashMap<String, Option<TokenStream>>,
    ) -> Option<TokenStream> {
        let values = values.into_iter().map(|(name, value)| Some((name, value?)));
        let values = values.collect::<Option<HashMap<_, _>>>()?;
        let own = item.generics.params.iter().filter_map(|own| {
            let name = name_of(own)?;
            let value = values.get(&name)?.clone();
            Some((name, Argument::of(own, value)))
        });
        let values: HashMap<_, _> = own.collect();
        let mut block = item.clone();
        let lifetimes = item.generics.lifetimes().cloned().map(GenericParam::Lifetime).collect();
        let where_clause = Some(self.known_bounds(&item.generics, &values)?);
        block.generics = Generics { params: lifetimes, where_clause, ..item.generics.clone() };
        if block.generics.params.is_empty() {
            (block.generics.lt_token, block.generics.gt_token) = (None, None);
        }
        let written = substituted(parts::of_parameters(block.to_token_stream(), &item.generics, items), &values);
        syn::parse2::<ItemImpl>(written.clone()).is_ok().then_some(written)
    }

    /// The clause that says by which traits types of the module are known that are in the place of parameters; none where
    /// traits of the module may hide methods of other types, which are taken for their own.
    fn known_bounds(&self, generics: &Generics, values: &HashMap<String, Argument>) -> Option<WhereClause> {
        let bounded = generics.type_params().filter(|parameter| !parameter.bounds.is_empty()).map(|parameter| {
            let (name, bounds) = (&parameter.ident, &parameter.bounds);
            parse_quote!(#name: #bounds)
        });
        let clauses = generics.where_clause.iter().flat_map(|clause| clause.predicates.iter().cloned());
        let mut known: WhereClause = parse_quote!(where);
        for predicate in bounded.chain(clauses) {
            let WherePredicate::Type(clause) = &predicate else { continue };
            let ty: Type = syn::parse2(substituted(clause.bounded_ty.to_token_stream(), values)).ok()?;
            match segment(&ty).is_some_and(|own| self.declared.contains(&own.ident.unraw().to_string())) {
                true => known.predicates.push(syn::parse2(substituted(predicate.to_token_stream(), values)).ok()?),
                false if clause.bounds.iter().all(|bound| self.plain_traits.has_bound(bound)) => {}
                false => return None,
            }
        }
        Some(known)
    }

    /// The tokens with the names of instances, in a block for an instance or outside of such blocks.
    fn rewritten(&self, tokens: TokenStream, own: Option<usize>) -> TokenStream {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let (mut written, mut at) = (TokenStream::new(), 0);
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Ident(ident) if self.is_named(&tokens, at - 1) => {
                    let of = ident.unraw().to_string();
                    let given = arguments(&tokens, at);
                    let is_path = given.is_none() && is_path(&tokens, at);
                    let found = match &given {
                        _ if is_path => None,
                        Some((arguments, _)) => {
                            let arguments: Vec<_> = arguments.iter().map(|it| self.resolved(it.clone())).collect();
                            self.find_instance(&of, &arguments)
                        }
                        None => own.filter(|own| self.all[*own].of == of).or_else(|| self.only(&of)),
                    };
                    match found.filter(|found| given.is_some() || self.all[*found].may_be_bare()) {
                        Some(found) => {
                            let own = &self.all[found];
                            let name = if given.is_some() { &own.name } else { &own.bare };
                            written.extend(identifier(name, ident.span()).into_token_stream());
                            at = given.map_or(at, |(_, end)| end);
                        }
                        None => written.extend([token.clone()]),
                    }
                }
                TokenTree::Group(group) => {
                    written.extend([grouped(group, self.rewritten(group.stream(), own))]);
                }
                token => written.extend([token.clone()]),
            }
        }
        written
    }

    /// A type of the module, as it is written in a module inside of it that has no prelude.
    fn seen_inside(&self, ty: TokenStream) -> TokenStream {
        let tokens: Vec<_> = ty.into_iter().collect();
        let mut written = TokenStream::new();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(ident) if ident == "self" => written.extend(quote!(super)),
                TokenTree::Ident(ident) => {
                    let name = ident.unraw().to_string();
                    let is_inner = at >= 2 && is_path(&tokens, at - 2);
                    let is_lifetime = at >= 1 && is_punct(tokens.get(at - 1), '\'');
                    let is_here = self.items.contains(&name);
                    let is_same = PASSIVE.iter().chain(MEAN_THE_SAME).any(|same| *same == name);
                    let of_std = OF_PRELUDE.iter().find(|(own, _)| *own == name).filter(|_| !is_here);
                    match of_std {
                        _ if is_inner || is_lifetime || is_same => {}
                        Some((_, module)) => written.extend(module.parse::<TokenStream>().ok()),
                        // A crate.
                        None if !is_here && is_path(&tokens, at + 1) && name != "super" => written.extend(quote!(::)),
                        None => written.extend(quote!(super::)),
                    }
                    written.extend([token.clone()]);
                }
                TokenTree::Group(group) => written.extend([grouped(group, self.seen_inside(group.stream()))]),
                token => written.extend([token.clone()]),
            }
        }
        written
    }

    /// The only instance of a struct.
    fn only(&self, of: &str) -> Option<usize> {
        let mut all = (0..self.all.len()).filter(|at| self.all[*at].of == of);
        all.next().filter(|_| all.next().is_none())
    }

    /// Whether this token names one of the structs: by itself, or by `self::`.
    fn is_named(&self, tokens: &[TokenTree], at: usize) -> bool {
        let TokenTree::Ident(ident) = &tokens[at] else { return false };
        let is_colon = |at: usize| is_punct(tokens.get(at), ':');
        let is_behind = at >= 2 && is_colon(at - 1) && is_colon(at - 2);
        let is_of_self = at >= 3 && matches!(&tokens[at - 3], TokenTree::Ident(root) if root == "self");
        self.structs.contains_key(&ident.unraw().to_string()) && (!is_behind || is_of_self)
    }
}

/// Adds the names that are written in `use` items.
fn names_in_imports(tokens: TokenStream, found: &mut HashSet<String>) {
    let mut is_import = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if ident == "use" => is_import = true,
            TokenTree::Punct(punct) if punct.as_char() == ';' => is_import = false,
            TokenTree::Group(group) if is_import => {
                each_identifier(group.stream(), &mut |ident| found.extend([ident.unraw().to_string()]));
            }
            TokenTree::Group(group) => names_in_imports(group.stream(), found),
            TokenTree::Ident(ident) if is_import => found.extend([ident.unraw().to_string()]),
            _ => {}
        }
    }
}

impl Instance {
    /// Whether a name without arguments may mean it. Of which type an integer is, only the compiler knows there.
    fn may_be_bare(&self) -> bool {
        let is_number = |argument: &TokenStream| PASSIVE.contains(&argument.to_string().as_str());
        !self.arguments.iter().any(is_number)
    }
}

/// A block that may be for an instance, as a generic one for that.
fn unseen_block(item: &ItemImpl, instance: &Instance) -> Option<TokenStream> {
    let mut block = item.clone();
    let mut ty = &mut *block.self_ty;
    loop {
        ty = match ty {
            Type::Reference(reference) => &mut *reference.elem,
            Type::Paren(inner) => &mut *inner.elem,
            Type::Group(inner) => &mut *inner.elem,
            Type::Path(path) => {
                let last = path.path.segments.last_mut().filter(|last| last.ident.unraw() == instance.of)?;
                let name = identifier(&instance.name, last.ident.span());
                path.path = name.into();
                return Some(block.into_token_stream());
            }
            _ => return None,
        };
    }
}

/// What `instances(...)` in these tokens lists, each a list of values.
fn instances_in(tokens: TokenStream, found: &mut Vec<Vec<TokenStream>>) {
    let mut is_named = false;
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            match is_named {
                true => found.extend(listed(group.stream()).into_iter().map(|entry| {
                    let mut inner = entry.clone().into_iter();
                    match (inner.next(), inner.next()) {
                        (Some(TokenTree::Group(group)), None) => listed(group.stream()),
                        _ => vec![entry],
                    }
                })),
                false => instances_in(group.stream(), found),
            }
        }
        is_named = matches!(&token, TokenTree::Ident(ident) if ident == "instances");
    }
}

/// What is between commas.
fn listed(tokens: TokenStream) -> Vec<TokenStream> {
    let mut entries = vec![TokenStream::new()];
    for token in tokens {
        match (is_punct(Some(&token), ','), entries.last_mut()) {
            (false, Some(last)) => last.extend([token]),
            _ => entries.push(TokenStream::new()),
        }
    }
    entries.retain(|entry| !entry.is_empty());
    entries
}

/// The names that `const` declares in these tokens, each as often as it does.
fn constants(tokens: TokenStream, found: &mut Vec<String>) {
    let mut is_const = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(ident) if is_const => found.push(ident.to_string()),
            TokenTree::Group(group) => constants(group.stream(), found),
            _ => {}
        }
        is_const = matches!(&token, TokenTree::Ident(ident) if ident == "const" || ident == "static");
    }
}

/// Whether all parameters of a struct are types and numbers without defaults.
fn is_plain(generics: &Generics) -> bool {
    let is_plain = |parameter: &GenericParam| match parameter {
        GenericParam::Type(parameter) => parameter.default.is_none(),
        GenericParam::Const(parameter) => parameter.default.is_none(),
        GenericParam::Lifetime(_) => false,
    };
    !generics.params.is_empty() && generics.params.iter().all(is_plain)
}

/// Whether a type with these parameters may be an instance, and what the parameters are then.
fn is_matched(
    pattern: &PathSegment,
    instance: &Instance,
    parameters: &mut HashMap<String, Option<TokenStream>>,
) -> bool {
    let own = written_arguments(pattern);
    let fits = |(pattern, argument): (TokenStream, &TokenStream)| match parameters.get_mut(&pattern.to_string()) {
        Some(Some(other)) => normal(other.clone()) == normal(argument.clone()),
        Some(open) => {
            *open = Some(argument.clone());
            true
        }
        None => normal(pattern) == normal(argument.clone()),
    };
    own.len() == instance.arguments.len() && own.into_iter().zip(&instance.arguments).all(fits)
}
