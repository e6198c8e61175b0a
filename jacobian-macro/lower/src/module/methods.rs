//! The methods, functions and constants in the `impl` blocks of a module's structs, and of its floats: what operators,
//! method calls and paths such as `State::new` mean. Two things of one name are told from each other as rustc does it;
//! where a macro cannot see enough for that, it says so.

use std::cell::OnceCell;
use std::rc::Rc;

use proc_macro2::{Ident, Literal};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{
    Expr, ExprUnary, FnArg, GenericParam, Generics, ImplItem, ImplItemFn, Item, ItemConst, ItemFn, ItemImpl, ItemTrait,
    Pat, ReturnType, Stmt, TraitItem, Type, UnOp,
};

use super::super::attributes::conditions;
use super::super::read::shape::Structs;
use super::super::read::ty::unwrapped;
use super::arguments::{Argument, name_of, substituted};
use super::block::{Block, Method, as_item};
use super::constants::Constants;
use super::owner::{Owner, built, is_parameter, kind, text_of_type};
use super::traits::Traits;

/// What is in the `impl` blocks of a module.
#[derive(Default)]
pub struct Methods {
    all: Vec<Method>,
    constants: Vec<(String, ItemConst)>,
    /// The names of methods of traits that the module implements for every type.
    of_all: Vec<String>,
    /// The names of methods of traits that the module implements for arrays or tuples of which not all is known.
    of_built: Vec<String>,
    /// The same of types with other names than structs have: numbers, say.
    of_named: Vec<String>,
    /// The blocks for arrays of any length.
    of_lengths: Vec<OfLengths>,
}

/// A block for arrays of any length, `impl<const N: usize> Trait for [T; N]`.
struct OfLengths {
    block: ItemImpl,
    length: GenericParam,
    /// What arrays of such elements are called, up to their length.
    start: String,
    items: Vec<Item>,
    structs: Rc<Structs>,
    traits: Rc<Traits>,
    constants: Constants,
    /// Its methods, by the lengths that have been asked for.
    methods: Vec<OnceCell<Vec<Method>>>,
}

/// The longest array that such a block is there for.
const MAX_LENGTH: usize = 256;

impl OfLengths {
    /// A block, if it is one.
    fn read(
        block: &ItemImpl,
        items: &[Item],
        structs: &Rc<Structs>,
        traits: &Rc<Traits>,
        constants: &Constants,
    ) -> Option<Self> {
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
            traits: traits.clone(),
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
                methods.add(&block, &self.items, &self.structs, &self.traits, &self.constants);
            }
            methods.all
        })
    }
}

impl Methods {
    /// Those among `items`.
    pub fn read(items: &[Item], structs: &Rc<Structs>, traits: &Rc<Traits>, constants: &Constants) -> Self {
        let mut methods = Methods::default();
        for item in items {
            if let Item::Impl(item) = item {
                methods.add(item, items, structs, traits, constants);
                methods.of_lengths.extend(OfLengths::read(item, items, structs, traits, constants));
            }
        }
        methods
    }

    /// The functions of this name for a type.
    pub fn named(&self, owner: &Owner, name: &str) -> impl Iterator<Item = &Method> {
        let of_lengths = self.of_lengths.iter().flat_map(move |block| block.of(owner));
        self.all.iter().chain(of_lengths).filter(move |method| method.owner.owner == *owner && method.name == name)
    }

    /// Whether there is a method of this name for some type.
    pub fn has(&self, name: &str) -> bool {
        self.all.iter().any(|method| method.name == name)
    }

    /// Whether there is one that says it gives a `Result`.
    pub fn gives_result(&self, name: &str) -> bool {
        let is_result = |function: &ItemFn| match &function.sig.output {
            ReturnType::Type(_, ty) => {
                matches!(&**ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Result"))
            }
            ReturnType::Default => false,
        };
        self.all.iter().any(|method| method.name == name && method.function.as_ref().is_ok_and(is_result))
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

    /// Whether traits of the module give arrays or slices methods.
    pub fn has_any_built(&self) -> bool {
        let is_built = |method: &Method| matches!(method.owner.owner, Owner::Built(_));
        self.all.iter().any(is_built) || !self.of_built.is_empty() || !self.of_lengths.is_empty()
    }

    /// Whether a trait of the module gives arrays a method of this name.
    pub fn has_built(&self, name: &str) -> bool {
        let is_array = |owner: &Owner| matches!(owner, Owner::Built(text) if text.starts_with('['));
        let is_it = |method: &Method| method.name == name && is_array(&method.owner.owner);
        self.all.iter().any(is_it) || self.has_of_unknown(name)
    }

    /// The same of those of which not all is known.
    pub fn has_of_unknown(&self, name: &str) -> bool {
        self.of_built.iter().any(|own| own == name)
    }

    /// Whether a trait of the module may give integers a method of this name.
    pub fn has_of_number(&self, name: &str) -> bool {
        self.of_named.iter().any(|own| own == name)
    }

    /// Whether a struct has a constant or a function of this name itself.
    pub fn has_own(&self, owner: &str, name: &Ident) -> bool {
        let own = Owner::Struct(owner.to_string());
        self.constants.iter().any(|(own, item)| own == owner && item.ident == *name)
            || self.named(&own, &name.unraw().to_string()).any(|method| method.trait_.is_none())
    }

    fn add(&mut self, item: &ItemImpl, items: &[Item], structs: &Structs, traits: &Traits, constants: &Constants) {
        if is_parameter(item) && !is_forwarding(item, items) {
            let names = item
                .items
                .iter()
                .filter_map(|part| if let ImplItem::Fn(it) = part { Some(&it.sig.ident) } else { None });
            self.of_all.extend(names.map(|name| name.unraw().to_string()));
            // Those that it leaves as they are.
            let trait_ = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
            let trait_ = trait_.map(|last| last.ident.to_string()).unwrap_or_default();
            self.of_all.extend(traits.methods_of(&trait_).cloned());
        }
        let Some(owner) = kind(&item.self_ty, structs).or_else(|| built(&item.self_ty, structs)) else {
            self.note_other(item, traits);
            return;
        };
        let block = Block::read(item, items, owner, structs, constants);
        for part in &item.items {
            match part {
                ImplItem::Fn(method) => self.all.push(block.method(&as_item(method))),
                ImplItem::Const(part) => {
                    let is_there = conditions(&part.attrs).is_empty() && conditions(&item.attrs).is_empty();
                    if let (Owner::Struct(name), true, None) = (&block.owner.owner, is_there, &item.trait_) {
                        let (ident, ty, expr) = (&part.ident, &part.ty, &part.expr);
                        let written = block.substituted(quote!(const #ident: #ty = #expr;), None);
                        self.constants.extend(syn::parse2(written).ok().map(|constant| (name.clone(), constant)));
                    }
                }
                _ => {}
            }
        }
        let mut traits = items.iter().filter_map(|other| match (other, &block.trait_) {
            (Item::Trait(other), Some(name)) if other.ident == name => Some(other),
            _ => None,
        });
        if let (Some(declared), None) = (traits.next(), traits.next()) {
            self.add_provided(declared, &block, items);
        }
    }

    /// Notes the methods of a block for numbers, or for arrays or tuples of which not all is known.
    fn note_other(&mut self, item: &ItemImpl, traits: &Traits) {
        let Some(trait_) = item.trait_.as_ref().and_then(|(path, _)| path.segments.last()) else { return };
        let name = trait_.ident.to_string();
        let methods = traits.methods_of(&name).cloned();
        match unwrapped(&item.self_ty) {
            Type::Array(_) | Type::Tuple(_) | Type::Slice(_) => self.of_built.extend(methods),
            Type::Path(path) if path.path.get_ident().is_some() => self.of_named.extend(methods),
            _ => {}
        }
    }

    /// The methods that a trait provides and an implementation leaves as they are.
    fn add_provided(&mut self, declared: &ItemTrait, block: &Block<'_>, items: &[Item]) {
        for part in &declared.items {
            let TraitItem::Fn(method) = part else { continue };
            let is_own = |part: &ImplItem| matches!(part, ImplItem::Fn(own) if own.sig.ident == method.sig.ident);
            let is_left = method.default.is_some() && !block.item.items.iter().any(is_own);
            self.all.extend(if is_left { block.provided(method, declared, items) } else { None });
        }
    }
}

/// Whether a block for references does what the block for what they refer to does, as `impl<P: Law> Law for &P` may: each
/// method of the trait calls the one of its name.
fn is_forwarding(item: &ItemImpl, items: &[Item]) -> bool {
    let trait_ = item.trait_.as_ref().and_then(|(path, _)| path.get_ident());
    let (Some(trait_), Type::Reference(reference)) = (trait_, &*item.self_ty) else { return false };
    let known = [trait_.to_string(), reference.elem.to_token_stream().to_string()];
    let is_forwarded = |part: &TraitItem| {
        let TraitItem::Fn(declared) = part else { return false };
        let mut own = item.items.iter().filter_map(|own| if let ImplItem::Fn(own) = own { Some(own) } else { None });
        own.any(|own| own.sig.ident == declared.sig.ident && is_forwarded(own, &known))
    };
    let mut declared = items.iter().filter_map(|item| match item {
        Item::Trait(declared) if declared.ident == *trait_ => Some(declared),
        _ => None,
    });
    let forwards = |declared: &ItemTrait| declared.items.iter().all(is_forwarded);
    declared.next().is_some_and(forwards) && declared.next().is_none() && conditions(&item.attrs).is_empty()
}

/// Whether a method is `fn energy(&self, r: f64) -> f64 { (**self).energy(r) }`, or in its place `P::energy(self, r)` of what
/// is known by one of these names.
fn is_forwarded(method: &ImplItemFn, known: &[String]) -> bool {
    let [Stmt::Expr(body, None)] = &method.block.stmts[..] else { return false };
    let is_named = |name: &Ident| *name == method.sig.ident;
    let args: Vec<_> = match body {
        Expr::MethodCall(call) if is_named(&call.method) => {
            std::iter::once(&*call.receiver).chain(&call.args).collect()
        }
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) if path.qself.is_none() && path.path.segments.len() == 2 => {
                let [of, name] = [0, 1].map(|at| &path.path.segments[at].ident);
                if !is_named(name) || !known.iter().any(|known| of == known) {
                    return false;
                }
                call.args.iter().collect()
            }
            _ => return false,
        },
        _ => return false,
    };
    let is_passed = |(arg, input): (&Expr, &FnArg)| {
        let arg = behind_stars(arg);
        match input {
            FnArg::Receiver(_) => matches!(arg, Expr::Path(path) if path.path.is_ident("self")),
            FnArg::Typed(typed) => match (&*typed.pat, arg) {
                (Pat::Ident(own), Expr::Path(path)) => path.path.is_ident(&own.ident),
                _ => false,
            },
        }
    };
    conditions(&method.attrs).is_empty()
        && args.len() == method.sig.inputs.len()
        && args.into_iter().zip(&method.sig.inputs).all(is_passed)
}

/// What is behind `*` and parentheses.
fn behind_stars(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => behind_stars(&inner.expr),
        Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => behind_stars(expr),
        inner => inner,
    }
}
