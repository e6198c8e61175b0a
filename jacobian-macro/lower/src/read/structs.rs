//! The structs of a module: what a macro on the module sees of them, and why it does not know one.
//!
//! A struct is known if its fields are floats, types of nalgebra, arrays, tuples and known structs of them, and perhaps
//! integers, truth values, characters and enums that hold nothing, and if nothing that a macro cannot see could make it
//! another one: no condition, no attribute that may rewrite it.

use std::collections::HashMap;
use std::rc::Rc;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{
    Attribute, Fields, GenericArgument, GenericParam, Generics, Index, Item, ItemEnum, ItemImpl, ItemStruct, ItemType,
    Member, Meta, Path, PathArguments, Token, Type, TypePath,
};

use super::super::attributes::conditions;
use super::super::refuse;
use super::super::syntax::{self, Items};
use super::imports::imports;
use super::shape::{Field, Opaque, Reader, Reading, Shape, Struct, Structs, UnitVariant};
use super::ty::{OF_STD, integer, unwrapped};

/// Attributes of a struct that leave it as it is.
const HARMLESS: &[&str] = &[
    "derive",
    "doc",
    "allow",
    "warn",
    "deny",
    "forbid",
    "expect",
    "repr",
    "must_use",
    "deprecated",
    "non_exhaustive",
    "serde",
];

/// Types of fields that are no floats.
pub const PASSIVE: &[&str] =
    &["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize", "bool", "char"];

/// The traits that would do something of their own where a struct is dropped or copied, or where its fields are read.
const HIDDEN: &[&str] = &["Drop", "Deref", "DerefMut", "Clone"];

/// The structs among `items`. In the types of their fields, `resolved` writes numbers for constants.
pub fn read(items: &[Item], resolved: &dyn Fn(&Type) -> Type) -> Structs {
    let mut found = Found { items, resolved, open: Vec::new(), structs: HashMap::new(), enums: HashMap::new() };
    for item in items {
        match item {
            Item::Struct(item) => drop(found.named(&item.ident)),
            Item::Type(item) => drop(found.named(&item.ident)),
            Item::Enum(item) => found.add_enum(&item.ident),
            _ => {}
        }
    }
    let mut aliases = HashMap::new();
    for item in items {
        if let Item::Type(item) = item
            && let Some(ty) = found.alias(&item.ident)
            && let Ok(shape) = found.shape(&ty)
            && shape.count() > 0
            && !shape.has_struct()
            && !shape.has_passive()
        {
            aliases.insert(item.ident.unraw().to_string(), shape);
        }
    }
    let mut opaque = HashMap::new();
    for (name, read) in &found.structs {
        if read.is_err() {
            let known = found.enums.get(name).cloned();
            opaque.extend(known.or_else(|| found.opaque(name).map(Rc::new)).map(|own| (name.clone(), own)));
        }
    }
    for item in items {
        if let Item::Impl(item) = item
            && let Some(own) = found.opaque_elsewhere(item)
        {
            opaque.entry(own.name.unraw().to_string()).or_insert_with(|| Rc::new(own));
        }
    }
    let variants = imported_variants(items, &opaque);
    Structs { read: found.structs, opaque, aliases, variants }
}

/// The integer that a literal is, perhaps with a sign.
fn literal(written: &syn::Expr) -> Option<i128> {
    match written {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => number.base10_parse().ok(),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => literal(expr).map(|number| -number),
        _ => None,
    }
}

/// The variants of enums of the module that are imported into it, by their names there. What else is called so comes
/// before what `*` imports.
fn imported_variants(items: &[Item], opaque: &HashMap<String, Rc<Opaque>>) -> HashMap<String, (Rc<Opaque>, Ident)> {
    let names = Items::of(items).names;
    let mut variants = HashMap::new();
    for import in imports(items) {
        let Some((of, name)) = import.of_enum(items) else { continue };
        let Some(of) = opaque.get(&of.unraw().to_string()) else { continue };
        for variant in of.units.iter().map(|variant| &variant.name) {
            let own = variant.to_string();
            let called = match import.name == "*" {
                true => Some(&own).filter(|own| !names.contains(*own)),
                false => Some(&import.name).filter(|_| own == name),
            };
            variants.extend(called.map(|called| (called.clone(), (of.clone(), variant.clone()))));
        }
    }
    variants
}

struct Found<'i> {
    items: &'i [Item],
    resolved: &'i dyn Fn(&Type) -> Type,
    /// The structs around the one that is read.
    open: Vec<String>,
    structs: HashMap<String, Result<Rc<Struct>, String>>,
    /// The enums that a field may have.
    enums: HashMap<String, Rc<Opaque>>,
}

impl Found<'_> {
    /// The enum that a path means, if it can be copied and holds nothing.
    fn plain_enum(&mut self, path: &Path) -> Option<Rc<Opaque>> {
        let name = path.get_ident()?.unraw().to_string();
        if !self.enums.contains_key(&name) {
            let mut named = self.items.iter().filter(|item| is_named(item, &name));
            let (Some(Item::Enum(item)), None) = (named.next(), named.next()) else { return None };
            let is_plain = item.generics.params.is_empty()
                && item.variants.iter().all(|it| matches!(it.fields, Fields::Unit) && conditions(&it.attrs).is_empty());
            let is_copied = |own: &Opaque| own.is_derived("Clone") && own.is_derived("Copy");
            let own = self.opaque(&name).filter(|own| is_plain && is_copied(own) && !own.is_pointer)?;
            self.enums.insert(name.clone(), Rc::new(own));
        }
        self.enums.get(&name).cloned()
    }

    /// An enum, which is not known.
    fn add_enum(&mut self, name: &Ident) {
        let why = Err(refuse::struct_is_enum(name.unraw()));
        self.structs.entry(name.unraw().to_string()).or_insert(why);
    }

    /// A struct or an enum that is not known, as one that is passive as a whole; `name` may be that of an alias.
    fn opaque(&self, name: &str) -> Option<Opaque> {
        let mut named = self.items.iter().filter(|item| is_named(item, name));
        let (first, is_one) = (named.next()?, named.next().is_none());
        let (ident, generics, fields) = match first {
            Item::Struct(item) => {
                let fields = if is_one { self.fields(&item.fields, &item.attrs, &item.generics) } else { Vec::new() };
                (&item.ident, &item.generics, fields)
            }
            Item::Enum(item) => (&item.ident, &item.generics, Vec::new()),
            Item::Type(item) => {
                let Type::Path(path) = unwrapped(&item.ty) else { return None };
                let target = path.path.segments.last()?.ident.unraw().to_string();
                let is_declared = |item: &Item| !matches!(item, Item::Type(_)) && is_named(item, &target);
                return if self.items.iter().any(is_declared) { self.opaque(&target) } else { None };
            }
            _ => return None,
        };
        let (is_pointer, lifetimes) = (self.is_pointer(ident), generics.lifetimes().count());
        let is_unit = is_one && matches!(first, Item::Struct(item) if matches!(item.fields, Fields::Unit));
        let attrs = match first {
            Item::Enum(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            _ => return None,
        };
        let is_sure = is_one && conditions(attrs).is_empty() && attrs.iter().all(is_harmless);
        let derived = if is_sure { derived(attrs) } else { Vec::new() };
        let (mut units, mut variants) = (Vec::new(), Vec::new());
        if let (Item::Enum(item), true) = (first, is_one) {
            // One that may be missing leaves the numbers of those after it open.
            let mut next = Some(0);
            for variant in &item.variants {
                let attrs = [&item.attrs[..], &variant.attrs].concat();
                let discriminant = match &variant.discriminant {
                    Some((_, written)) => literal(written),
                    None => next,
                };
                let is_sure = conditions(&variant.attrs).is_empty();
                next = discriminant.filter(|_| is_sure).map(|number| number + 1);
                match variant.fields {
                    Fields::Unit => units.push(UnitVariant { name: variant.ident.clone(), discriminant, is_sure }),
                    _ => variants.push((variant.ident.clone(), self.fields(&variant.fields, &attrs, &item.generics))),
                }
            }
        }
        Some(Opaque { name: ident.clone(), fields, lifetimes, is_pointer, is_unit, units, variants, derived })
    }

    /// Whether the module shows that a type can be dereferenced.
    fn is_pointer(&self, name: &Ident) -> bool {
        ["Deref", "DerefMut"].iter().any(|trait_| implements(self.items, name, trait_))
    }

    /// The fields of a struct or a variant with their types, where nothing could make others of them.
    fn fields(&self, fields: &Fields, attrs: &[Attribute], generics: &Generics) -> Vec<(Member, Type)> {
        let has_types = generics.params.iter().any(|it| !matches!(it, GenericParam::Lifetime(_)));
        let may_differ = |attrs: &[Attribute]| !conditions(attrs).is_empty() || !attrs.iter().all(is_harmless);
        if has_types || may_differ(attrs) || fields.iter().any(|field| may_differ(&field.attrs)) {
            return Vec::new();
        }
        fields.members().zip(fields).map(|(member, field)| (member, (self.resolved)(&field.ty))).collect()
    }

    /// A type from elsewhere that the module implements something for.
    fn opaque_elsewhere(&self, item: &ItemImpl) -> Option<Opaque> {
        let mut ty = unwrapped(&item.self_ty);
        while let Type::Reference(reference) = ty {
            ty = unwrapped(&reference.elem);
        }
        let Type::Path(TypePath { qself: None, path, .. }) = ty else { return None };
        let (first, last) = (&path.segments.first()?.ident, path.segments.last()?);
        let (name, ident) = (last.ident.unraw().to_string(), &last.ident);
        let is_here = path.segments.len() == 1 || path.segments.len() == 2 && first == "self";
        let is_parameter = item.generics.type_params().any(|own| own.ident == *ident);
        let is_other = name.starts_with(char::is_lowercase) || OF_STD.contains(&name.as_str());
        if !is_here || is_parameter || is_other || self.structs.contains_key(&name) {
            return None;
        }
        let lifetimes = match &last.arguments {
            PathArguments::None => 0,
            PathArguments::AngleBracketed(given) => {
                let is_lifetime = |it: &GenericArgument| matches!(it, GenericArgument::Lifetime(_));
                if given.args.iter().all(is_lifetime) { given.args.len() } else { return None }
            }
            PathArguments::Parenthesized(_) => return None,
        };
        let is_pointer = self.is_pointer(ident);
        Some(Opaque {
            name: ident.clone(),
            fields: Vec::new(),
            lifetimes,
            is_pointer,
            is_unit: false,
            units: Vec::new(),
            variants: Vec::new(),
            derived: Vec::new(),
        })
    }

    /// The type that an alias stands for, if it is that of no struct and there is one of this name.
    fn alias(&self, name: &Ident) -> Option<Type> {
        let name = name.unraw().to_string();
        let mut named = self.items.iter().filter(|item| is_named(item, &name));
        let (Some(Item::Type(item)), None) = (named.next(), named.next()) else { return None };
        let is_plain = item.generics.params.is_empty() && conditions(&item.attrs).is_empty();
        (is_plain && !self.structs.contains_key(&name)).then(|| (self.resolved)(&item.ty))
    }

    /// The struct that this name means; none if it is no struct's.
    fn named(&mut self, name: &Ident) -> Option<Result<Rc<Struct>, String>> {
        let name = name.unraw().to_string();
        if let Some(known) = self.structs.get(&name) {
            return Some(known.clone());
        }
        let mut named = self.items.iter().filter_map(|item| match item {
            Item::Struct(item) if item.ident.unraw() == name => Some((Some(item), None)),
            Item::Type(item) if item.ident.unraw() == name => Some((None, Some(item))),
            _ => None,
        });
        let first = named.next()?;
        let is_one = named.next().is_none();
        if self.open.contains(&name) {
            return Some(Err(refuse::struct_in_itself(&name)));
        }
        self.open.push(name.clone());
        let read = match first {
            _ if !is_one => Err(refuse::struct_twice(&name)),
            (Some(item), _) => self.read(item),
            (_, Some(alias)) => {
                let is_plain = alias.generics.params.is_empty() && conditions(&alias.attrs).is_empty();
                let target = match &*alias.ty {
                    Type::Path(path) if path.qself.is_none() && is_plain => self.path(&path.path),
                    _ => None,
                };
                match target {
                    Some(read) => read,
                    None => {
                        self.open.pop();
                        return None;
                    }
                }
            }
            (None, None) => return None,
        };
        self.open.pop();
        self.structs.insert(name, read.clone());
        Some(read)
    }

    /// The struct that a path means.
    fn path(&mut self, path: &Path) -> Option<Result<Rc<Struct>, String>> {
        let names: Vec<_> = path.segments.iter().collect();
        let is_plain = path.leading_colon.is_none() && names.iter().all(|name| name.arguments.is_none());
        match names[..] {
            [name] if is_plain => self.named(&name.ident),
            [module, name] if is_plain && module.ident == "self" => self.named(&name.ident),
            _ => None,
        }
    }

    fn read(&mut self, item: &ItemStruct) -> Result<Rc<Struct>, String> {
        let name = &item.ident;
        if !conditions(&item.attrs).is_empty() || item.fields.iter().any(|field| !conditions(&field.attrs).is_empty()) {
            return Err(refuse::struct_under_cfg(name));
        }
        if !item.generics.params.is_empty() {
            return Err(refuse::struct_with_generics(name));
        }
        if let Some(attribute) = item.attrs.iter().find(|attribute| !is_harmless(attribute)) {
            let attribute = attribute.path().to_token_stream().to_string().replace(' ', "");
            return Err(refuse::struct_with_attribute(name, attribute));
        }
        if let Some(hidden) = HIDDEN.iter().find(|hidden| implements(self.items, name, hidden)) {
            return Err(refuse::struct_with_trait(name, hidden));
        }
        let mut fields = Vec::new();
        for (index, field) in item.fields.iter().enumerate() {
            let member = match &field.ident {
                Some(ident) => Member::Named(ident.clone()),
                None => Member::Unnamed(Index::from(index)),
            };
            let ty = (self.resolved)(&field.ty);
            let shape = self.shape(&ty).map_err(|why| {
                why.unwrap_or_else(|| {
                    let written = ty.to_token_stream().to_string().replace(' ', "");
                    refuse::struct_with_field(name, member.to_token_stream(), written)
                })
            })?;
            fields.push(Field { member, ty, shape });
        }
        let derived = derived(&item.attrs);
        let (is_tuple, is_copy) =
            (matches!(item.fields, Fields::Unnamed(_)), derived.iter().any(|name| name == "Copy"));
        let own = Struct { name: name.clone(), fields, is_tuple, is_copy, derived };
        match own.fields.iter().all(|field| field.shape.count() == 0) {
            true => Err(refuse::struct_without_floats(name)),
            false => Ok(Rc::new(own)),
        }
    }

    /// The shape of a field of this type; else why it is not known, if there is more to say than that.
    fn shape(&mut self, ty: &Type) -> Result<Shape, Option<String>> {
        if let Type::Path(path) = ty
            && path.qself.is_none()
        {
            if let Some(own) = self.plain_enum(&path.path) {
                return Ok(Shape::Opaque(own));
            }
            if let Some(inner) = self.path(&path.path) {
                return inner.map(Shape::Struct).map_err(Some);
            }
            if path.path.get_ident().is_some_and(|ident| PASSIVE.iter().any(|known| ident == known)) {
                return Ok(Shape::Passive(ty.to_token_stream()));
            }
            if let Some(ident) = path.path.get_ident()
                && let Some(target) = self.alias(ident)
                && !self.open.contains(&ident.unraw().to_string())
            {
                self.open.push(ident.unraw().to_string());
                let shape = self.shape(&target);
                self.open.pop();
                return shape;
            }
        }
        match ty {
            Type::Paren(inner) => self.shape(&inner.elem),
            Type::Group(inner) => self.shape(&inner.elem),
            Type::Array(array) => match integer(&syntax::expression(&array.len)) {
                Some(length) => Ok(Shape::Array(Box::new(self.shape(&array.elem)?), length)),
                None => Err(None),
            },
            Type::Tuple(tuple) => {
                let mut shapes = Vec::new();
                for element in &tuple.elems {
                    shapes.push(self.shape(element)?);
                }
                Ok(Shape::Tuple(shapes))
            }
            ty => match Reader::default().read(&syntax::ty(ty)) {
                Reading::Floats(shape) if !shape.has_reference() => Ok(shape),
                _ => Err(None),
            },
        }
    }
}

/// Whether an item declares a struct, an enum or an alias of this name.
fn is_named(item: &Item, name: &str) -> bool {
    match item {
        Item::Struct(ItemStruct { ident, .. })
        | Item::Enum(ItemEnum { ident, .. })
        | Item::Type(ItemType { ident, .. }) => ident.unraw() == name,
        _ => false,
    }
}

/// Whether a struct with this attribute is what is written.
fn is_harmless(attribute: &Attribute) -> bool {
    HARMLESS.iter().any(|known| attribute.path().is_ident(known))
}

/// Whether a clone of it is what it is, as its `derive` says and those of the structs in it.
pub fn is_cloned_as_it_is(definition: &Struct) -> bool {
    fn is_plain(shape: &Shape) -> bool {
        match shape {
            Shape::Struct(own) => is_cloned_as_it_is(own),
            Shape::Array(inner, _) | Shape::Reference(inner) => is_plain(inner),
            Shape::Tuple(parts) => parts.iter().all(is_plain),
            // An enum in a struct is one that can be copied.
            Shape::Float(_) | Shape::Vector(_) | Shape::Passive(_) | Shape::Opaque(_) => true,
            Shape::Items(_) | Shape::Option(_) | Shape::Result(_) => false,
        }
    }
    let is_derived = definition.derived.iter().any(|name| name == "Clone");
    is_derived && definition.fields.iter().all(|field| is_plain(&field.shape))
}

/// The names of the traits that are derived.
fn derived(attributes: &[Attribute]) -> Vec<String> {
    let mut found = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        let Meta::List(list) = &attribute.meta else { continue };
        let paths = list.parse_args_with(syn::punctuated::Punctuated::<Path, Token![,]>::parse_terminated);
        let last = |path: &Path| path.segments.last().map(|last| last.ident.to_string());
        found.extend(paths.into_iter().flatten().filter_map(|path| last(&path)));
    }
    found
}

/// Whether a trait of this name is implemented for the struct.
fn implements(items: &[Item], name: &Ident, trait_: &str) -> bool {
    items.iter().any(|item| match item {
        Item::Impl(item) => {
            let is_its = matches!(&*item.self_ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == *name));
            let is_trait = |path: &Path| path.segments.last().is_some_and(|last| last.ident == trait_);
            is_its && item.trait_.as_ref().is_some_and(|(path, _)| is_trait(path))
        }
        _ => false,
    })
}
