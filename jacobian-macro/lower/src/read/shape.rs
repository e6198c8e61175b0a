//! The shapes of values: floats, arrays, tuples and structs of them, as the types of a signature say.

use std::collections::HashMap;
use std::rc::Rc;

use jacobian_list::chart::Chart;
use jacobian_list::code_list::Precision;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Member;
use syn::ext::IdentExt;

use super::super::refuse;
use super::super::syntax::{self, Binding, Expr, ExprKind, Key, Type, TypeKind, key};
use super::options::is_same_field;
use super::scalar::{Scalar, TypeParameter};
use super::ty::{integer, mentions, unwrapped};
use super::vector::{self, Layout, VectorType};

/// The shape of a value that consists of floats.
#[derive(Clone)]
pub enum Shape {
    /// A float.
    Float(Scalar),
    /// An array of this many equal elements.
    Array(Box<Shape>, usize),
    /// A tuple.
    Tuple(Vec<Shape>),
    /// A reference.
    Reference(Box<Shape>),
    /// A vector, a matrix or a point of nalgebra.
    Vector(Box<VectorType>),
    /// A struct of the module.
    Struct(Rc<Struct>),
    /// What is no float of the function's type, as a field of a struct: an integer, a truth value or a character, of
    /// this type; of the type `_`, where that is not known.
    Passive(TokenStream),
    /// A type of the module that is passive as a whole.
    Opaque(Rc<Opaque>),
    /// What has such values in it as its items: a slice, a `Vec`, an iterator.
    Items(Box<Shape>),
    /// An `Option` of such a value; one that is passive, of a type `_`, where that is not known.
    Option(Box<Shape>),
    /// A `Result` with such a value in its `Ok`.
    Result(Box<Shape>),
}

/// A struct or an enum with methods in the module that cannot hold active values: what is known of it.
pub struct Opaque {
    /// Its name in the module.
    pub name: Ident,
    /// Its fields with their types, as far as it is sure what they are.
    pub fields: Vec<(Member, syn::Type)>,
    /// The number of its lifetimes.
    pub lifetimes: usize,
    /// Whether it can be dereferenced, as far as the module shows it: it may stand for another type then.
    pub is_pointer: bool,
    /// Whether it is a struct without fields and braces, so that its name is its value.
    pub is_unit: bool,
    /// The variants of an enum whose names are values.
    pub units: Vec<UnitVariant>,
    /// Those that hold something, with the types of what they hold, as far as it is sure what they are.
    pub variants: Vec<(Ident, Vec<(Member, syn::Type)>)>,
    /// The traits that are surely derived for it.
    pub derived: Vec<String>,
}

/// A variant of an enum whose name is a value.
pub struct UnitVariant {
    /// The name.
    pub name: Ident,
    /// The integer that `as` makes of it, where the module shows it.
    pub discriminant: Option<i128>,
    /// Whether it is under no `cfg`.
    pub is_sure: bool,
}

impl Opaque {
    /// It as a path, as it is written anywhere in the module.
    pub fn path(&self) -> TokenStream {
        let name = &self.name;
        quote!(self::#name)
    }

    /// It as a type whose lifetimes are these.
    pub fn ty(&self, lifetime: &TokenStream) -> TokenStream {
        let (name, lifetimes) = (&self.name, vec![lifetime; self.lifetimes]);
        if lifetimes.is_empty() { quote!(#name) } else { quote!(#name<#(#lifetimes),*>) }
    }

    /// Whether a trait is surely derived for it.
    pub fn is_derived(&self, trait_: &str) -> bool {
        self.derived.iter().any(|own| own == trait_)
    }

    /// The name of a variant that is surely there, and is a value.
    pub fn any_unit(&self) -> Option<&Ident> {
        self.units.iter().find(|unit| unit.is_sure).map(|unit| &unit.name)
    }

    /// The number of the variant of this name among those whose names are values.
    pub fn unit(&self, name: &Ident) -> Option<usize> {
        self.units.iter().position(|own| own.name == *name)
    }

    /// What a variant of this name holds.
    pub fn variant(&self, name: &Ident) -> Option<&[(Member, syn::Type)]> {
        self.variants.iter().find(|(own, _)| own == name).map(|(_, fields)| &fields[..])
    }

    /// The type of a field.
    pub fn field(&self, member: &Member) -> Option<&syn::Type> {
        self.fields.iter().find(|(own, _)| is_same_field(own, member)).map(|(_, ty)| ty)
    }
}

/// A struct of the module whose fields are floats, arrays, tuples and structs of them, and perhaps integers and enums.
pub struct Struct {
    /// Its name in the module.
    pub name: Ident,
    /// Its fields in order.
    pub fields: Vec<Field>,
    /// Whether its fields have no names.
    pub is_tuple: bool,
    /// Whether it can be copied, as its `derive` says.
    pub is_copy: bool,
    /// The traits that are derived for it.
    pub derived: Vec<String>,
}

/// A field of a struct.
pub struct Field {
    /// Its name, or its number.
    pub member: Member,
    /// Its type.
    pub ty: syn::Type,
    /// The shape of its values.
    pub shape: Shape,
}

impl Field {
    /// Its name, as a part of another one.
    pub fn name(&self) -> String {
        self.member.to_token_stream().to_string().trim_start_matches("r#").to_string()
    }
}

impl Struct {
    /// The place of a field among the others.
    pub fn index_of(&self, member: &Member) -> Option<usize> {
        self.fields.iter().position(|field| is_same_field(&field.member, member))
    }

    /// It as a type. What is generated is in its module, where a function may hide its name.
    pub fn ty(&self) -> TokenStream {
        let name = &self.name;
        quote!(self::#name)
    }

    /// A value of it with these fields.
    pub fn value(&self, fields: &[TokenStream]) -> TokenStream {
        let (ty, members) = (self.ty(), self.fields.iter().map(|field| &field.member));
        match self.is_tuple {
            true => quote!(#ty(#(#fields),*)),
            false => quote!(#ty { #(#members: #fields),* }),
        }
    }
}

/// The structs of a module by their names, and by those of their aliases.
#[derive(Default)]
pub struct Structs {
    /// Each with what it is, or why that is not known.
    pub read: HashMap<String, Result<Rc<Struct>, String>>,
    /// What is passive as a whole.
    pub opaque: HashMap<String, Rc<Opaque>>,
    /// What aliases in the module mean that are floats, arrays, tuples or types of nalgebra: `type Position = [f64; 3];`.
    pub aliases: HashMap<String, Shape>,
    /// The enums of which variants are imported into the module, by the names of these there, with what they are called
    /// in the enum.
    pub variants: HashMap<String, (Rc<Opaque>, Ident)>,
}

impl Structs {
    /// The names of those that are known.
    pub fn known(&self) -> impl Iterator<Item = &String> {
        self.read.iter().filter(|(_, read)| read.is_ok()).map(|(name, _)| name)
    }

    /// Why the struct of this name cannot hold active values, if it is one that cannot.
    pub fn why_passive(&self, name: &Ident) -> Option<&String> {
        self.read.get(&name.unraw().to_string())?.as_ref().err()
    }

    /// What this path means, if it is passive as a whole.
    pub fn opaque(&self, path: &syn::Path, names: &[(Key, Binding)]) -> Option<&Rc<Opaque>> {
        self.opaque.get(&name_in_module(path, names)?)
    }

    /// What this path means, of which the names that mean something in a function are bound like this.
    pub fn find(&self, path: &syn::Path, names: &[(Key, Binding)]) -> Option<&Result<Rc<Struct>, String>> {
        let found = self.read.get(&name_in_module(path, names)?);
        // With arguments, it is one that has generic parameters, and is not known.
        found.filter(|read| read.is_err() || path.segments.iter().all(|segment| segment.arguments.is_none()))
    }
}

/// Whether it is the type of what is called.
fn is_function(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::FnPtr(_)) || mentions(ty.to_token_stream(), &["Fn", "FnMut", "FnOnce"])
}

/// The name of an item of the module that this path means, of which the names that mean something in a function are bound
/// like this.
fn name_in_module(path: &syn::Path, names: &[(Key, Binding)]) -> Option<String> {
    let (first, last) = (path.segments.first()?, path.segments.last()?);
    let is_of_module = match path.segments.len() {
        1 => !names.iter().any(|(name, _)| *name == key(&first.ident)),
        2 => first.ident == "self",
        _ => false,
    };
    (path.leading_colon.is_none() && is_of_module).then(|| last.ident.unraw().to_string())
}

/// What a type is to the differentiation.
pub enum Reading {
    /// It consists of floats only.
    Floats(Shape),
    /// It has floats in it, but not in a way that is understood: why not.
    Unclear(&'static str),
    /// It has no float in it that can be seen.
    Other,
}

impl Shape {
    /// What it consists of: the elements of an array, one for all, those of a tuple, the fields of a struct, what a
    /// reference leads to, an item.
    fn parts(&self) -> Vec<&Shape> {
        match self {
            Shape::Float(_) | Shape::Vector(_) | Shape::Passive(_) | Shape::Opaque(_) => Vec::new(),
            Shape::Array(part, _)
            | Shape::Reference(part)
            | Shape::Items(part)
            | Shape::Option(part)
            | Shape::Result(part) => {
                vec![part]
            }
            Shape::Tuple(parts) => parts.iter().collect(),
            Shape::Struct(own) => own.fields.iter().map(|field| &field.shape).collect(),
        }
    }

    /// Whether `is` is true of it, or of something in it; where `is` gives nothing, what is in it decides.
    fn has(&self, is: fn(&Shape) -> Option<bool>) -> bool {
        is(self).unwrap_or_else(|| self.parts().into_iter().any(|part| part.has(is)))
    }

    /// The type of the first float; none in an empty shape.
    pub fn scalar(&self) -> Option<&Scalar> {
        match self {
            Shape::Float(scalar) => Some(scalar),
            Shape::Vector(vector) => Some(&vector.scalar),
            _ => self.parts().into_iter().find_map(Shape::scalar),
        }
    }

    /// Whether every float is of this type.
    pub fn is_all(&self, scalar: &Scalar) -> bool {
        match self {
            Shape::Float(own) => own == scalar,
            Shape::Vector(vector) => vector.scalar == *scalar,
            _ => self.parts().into_iter().all(|part| part.is_all(scalar)),
        }
    }

    /// Whether tuples occur, but for those in structs.
    pub fn has_tuple(&self) -> bool {
        self.has(|shape| match shape {
            Shape::Tuple(_) => Some(true),
            Shape::Struct(_) => Some(false),
            _ => None,
        })
    }

    /// Whether structs occur.
    pub fn has_struct(&self) -> bool {
        self.has(|shape| matches!(shape, Shape::Struct(_)).then_some(true))
    }

    /// Whether vectors or structs occur.
    pub fn has_vector_or_struct(&self) -> bool {
        self.has(|shape| matches!(shape, Shape::Vector(_) | Shape::Struct(_)).then_some(true))
    }

    /// Whether something else than floats occurs.
    pub fn has_passive(&self) -> bool {
        self.has(|shape| {
            matches!(
                shape,
                Shape::Passive(_) | Shape::Opaque(_) | Shape::Items(_) | Shape::Option(_) | Shape::Result(_)
            )
            .then_some(true)
        })
    }

    /// Whether references occur.
    pub fn has_reference(&self) -> bool {
        self.has(|shape| matches!(shape, Shape::Reference(_)).then_some(true))
    }

    /// What references lead to.
    pub fn behind_references(&self) -> &Shape {
        let mut shape = self;
        while let Shape::Reference(target) = shape {
            shape = target;
        }
        shape
    }

    /// The type that is passive as a whole which it is, or refers to.
    pub fn opaque(&self) -> Option<&Rc<Opaque>> {
        match self.behind_references() {
            Shape::Opaque(own) => Some(own),
            _ => None,
        }
    }

    /// Whether it says of a passive value whose methods it has, or its items, and nothing else.
    pub fn is_opaque(&self) -> bool {
        matches!(self.behind_references(), Shape::Opaque(_) | Shape::Items(_) | Shape::Option(_) | Shape::Result(_))
    }

    /// What a loop over it has for items.
    pub fn item(&self) -> Option<Shape> {
        match self {
            Shape::Items(item) | Shape::Option(item) | Shape::Result(item) => {
                Some((**item).clone()).filter(|item| !matches!(item, Shape::Passive(_)))
            }
            Shape::Reference(target) => Some(Shape::Reference(Box::new(target.item()?))),
            _ => None,
        }
    }

    /// The number of floats.
    pub fn count(&self) -> usize {
        match self {
            Shape::Float(_) => 1,
            Shape::Array(element, length) => element.count().saturating_mul(*length),
            Shape::Reference(element) => element.count(),
            Shape::Vector(vector) => vector.layout.count(),
            Shape::Tuple(elements) => elements.iter().map(Shape::count).fold(0, usize::saturating_add),
            Shape::Struct(own) => own.fields.iter().map(|field| field.shape.count()).fold(0, usize::saturating_add),
            Shape::Passive(_) | Shape::Opaque(_) | Shape::Items(_) | Shape::Option(_) | Shape::Result(_) => 0,
        }
    }

    /// The points on manifolds in it, whose coordinates begin at `first`; returns where what follows begins.
    pub fn charts(&self, first: usize, found: &mut Vec<Chart>) -> usize {
        match self {
            Shape::Float(_) => first.saturating_add(1),
            Shape::Reference(target) => target.charts(first, found),
            Shape::Array(element, length) => {
                let (mut own, mut next) = (Vec::new(), first);
                let size = element.charts(0, &mut own);
                if own.is_empty() {
                    return first.saturating_add(size.saturating_mul(*length));
                }
                // The Jacobian of more than these is refused.
                for _ in 0..*length {
                    next = element.charts(next, found);
                    if found.len() > MOST_CHARTS {
                        break;
                    }
                }
                next
            }
            Shape::Tuple(elements) => elements.iter().fold(first, |first, element| element.charts(first, found)),
            Shape::Vector(vector) => {
                found.extend(vector.layout.manifold().map(|manifold| Chart { first, manifold }));
                first.saturating_add(vector.layout.count())
            }
            Shape::Struct(own) => own.fields.iter().fold(first, |first, field| field.shape.charts(first, found)),
            Shape::Passive(_) | Shape::Opaque(_) | Shape::Items(_) | Shape::Option(_) | Shape::Result(_) => first,
        }
    }

    /// Where the coordinates of the part begin to which these fields lead, and its shape.
    pub fn part(&self, fields: &[Member]) -> Option<(usize, &Shape)> {
        let Some((first, rest)) = fields.split_first() else { return Some((0, self)) };
        let (before, part) = match (self.behind_references(), first) {
            (Shape::Struct(own), member) => {
                let index = own.index_of(member)?;
                let before: usize = own.fields[..index].iter().map(|field| field.shape.count()).sum();
                (before, &own.fields[index].shape)
            }
            (Shape::Tuple(elements), Member::Unnamed(index)) => {
                let part = elements.get(index.index as usize)?;
                (elements[..index.index as usize].iter().map(Shape::count).sum(), part)
            }
            _ => return None,
        };
        let (place, part) = part.part(rest)?;
        Some((before + place, part))
    }

    /// Its type, of primitive floats whatever the user calls so: a derivative of theirs is no other type's.
    pub fn ty(&self) -> TokenStream {
        match self {
            Shape::Float(scalar) => scalar.ty(),
            Shape::Reference(target) => target.ty(),
            Shape::Vector(vector) => vector.tokens.clone(),
            Shape::Array(element, length) => {
                let (element, length) = (element.ty(), Literal::usize_unsuffixed(*length));
                quote!([#element; #length])
            }
            Shape::Tuple(elements) => {
                let elements = elements.iter().map(Shape::ty);
                quote!((#(#elements,)*))
            }
            Shape::Struct(own) => own.ty(),
            Shape::Passive(ty) => ty.clone(),
            Shape::Opaque(own) => own.ty(&quote!('_)),
            Shape::Items(_) | Shape::Option(_) | Shape::Result(_) => quote!(_),
        }
    }

    /// Adds the types of vectors in it to `found`.
    pub fn vectors<'s>(&'s self, found: &mut Vec<&'s VectorType>) {
        match self {
            Shape::Vector(vector) => found.push(vector),
            _ => self.parts().into_iter().for_each(|part| part.vectors(found)),
        }
    }
}

/// The most points on manifolds that are looked for in a value.
const MOST_CHARTS: usize = 100_000;

/// How many coordinates there are more than tangents.
pub fn surplus(charts: &[Chart]) -> usize {
    charts.iter().map(|chart| chart.manifold.coordinates() - chart.manifold.tangents()).sum()
}

/// Reads the types of a signature, in which floats may also be of a type parameter, and structs of the module occur.
#[derive(Clone, Default)]
pub struct Reader {
    parameter: Option<Rc<TypeParameter>>,
    structs: Rc<Structs>,
    /// The generic parameters, which hide structs of their names.
    generics: Vec<String>,
}

impl Reader {
    /// Reads types in which floats may be of this type parameter.
    pub fn new(parameter: Option<Rc<TypeParameter>>) -> Self {
        Reader { parameter, ..Reader::default() }
    }

    /// Reads types in which floats may be of this type.
    pub fn of(scalar: &Scalar) -> Self {
        match scalar {
            Scalar::Primitive(_) => Reader::default(),
            Scalar::Parameter(parameter) => Reader::new(Some(parameter.clone())),
        }
    }

    /// Reads types in which these structs occur.
    pub fn with(self, structs: &Rc<Structs>) -> Self {
        Reader { structs: structs.clone(), ..self }
    }

    /// Reads types in which these generic parameters hide what is called like them.
    pub fn behind(self, generics: &syn::Generics) -> Self {
        let name = |parameter: &syn::GenericParam| match parameter {
            syn::GenericParam::Type(parameter) => Some(parameter.ident.unraw().to_string()),
            syn::GenericParam::Const(parameter) => Some(parameter.ident.unraw().to_string()),
            syn::GenericParam::Lifetime(_) => None,
        };
        Reader { generics: generics.params.iter().filter_map(name).collect(), ..self }
    }

    /// The struct that a path names, or why it is not known.
    pub fn named_struct(&self, path: &syn::TypePath, names: &[(Key, Binding)]) -> Option<&Result<Rc<Struct>, String>> {
        let is_generic = |ident: &Ident| self.generics.contains(&ident.unraw().to_string());
        if path.qself.is_some() || path.path.get_ident().is_some_and(is_generic) {
            return None;
        }
        self.structs.find(&path.path, names)
    }

    /// What consists of floats and is called like this in the module.
    fn alias(&self, path: &syn::TypePath, names: &[(Key, Binding)]) -> Option<&Shape> {
        let is_generic = path.path.get_ident().is_some_and(|own| self.generics.contains(&own.unraw().to_string()));
        let is_plain = path.path.segments.iter().all(|segment| segment.arguments.is_none());
        self.structs.aliases.get(&name_in_module(&path.path, names)?).filter(|_| is_plain && !is_generic)
    }

    /// Whether a length is one of the generic parameters.
    fn is_parameter(&self, length: &Expr) -> bool {
        let ExprKind::Path(path) = &*length.kind else { return false };
        path.path.path.get_ident().is_some_and(|name| self.generics.contains(&name.unraw().to_string()))
    }

    /// Why the struct of the module that a type is, or refers to, is not known, if it is one.
    pub fn why_unknown(&self, ty: &syn::Type) -> Option<String> {
        match unwrapped(ty) {
            syn::Type::Reference(reference) => self.why_unknown(&reference.elem),
            syn::Type::Path(path) => self.named_struct(path, &[])?.as_ref().err().cloned(),
            _ => None,
        }
    }

    /// Whether a known struct of the module occurs in a type.
    pub fn mentions_struct(&self, ty: &syn::Type) -> bool {
        let names: Vec<_> = self.structs.known().filter(|name| !self.generics.contains(name)).collect();
        mentions(ty.to_token_stream(), &names.iter().map(|name| name.as_str()).collect::<Vec<_>>())
    }

    /// The shape of a passive value of a type, as far as it is known: that of what consists of floats, of a type of the
    /// module that is passive as a whole, of a reference to such a value, and of what has such values in it.
    pub fn passive(&self, ty: &Type) -> Option<Shape> {
        if let Reading::Floats(shape) = self.read(ty) {
            return Some(shape);
        }
        match &ty.kind {
            TypeKind::Path(path, names) if path.qself.is_none() => {
                let is_generic = |ident: &Ident| self.generics.contains(&ident.unraw().to_string());
                match self.structs.opaque(&path.path, names) {
                    Some(_) if path.path.get_ident().is_some_and(is_generic) => None,
                    Some(found) => Some(Shape::Opaque(found.clone())),
                    None => self.items(&path.path, names),
                }
            }
            TypeKind::Reference(_, _, target) => Some(Shape::Reference(Box::new(self.passive(target)?))),
            TypeKind::Array(element, _) => Some(Shape::Items(Box::new(self.passive(element)?))),
            TypeKind::Tuple(elements) => {
                let parts: Vec<_> = elements.iter().map(|element| self.passive(element)).collect();
                let is_known = parts.iter().any(Option::is_some);
                let parts = parts.into_iter().map(|part| part.unwrap_or(Shape::Passive(quote!(_)))).collect();
                is_known.then_some(Shape::Tuple(parts))
            }
            TypeKind::Other(other, _) => match &**other {
                syn::Type::Slice(slice) => Some(Shape::Items(Box::new(self.passive(&syntax::ty(&slice.elem))?))),
                _ => None,
            },
            TypeKind::Path(..) | TypeKind::Infer => None,
        }
    }

    /// The shape of a `Vec` of such values, of an `Option`, or of a `Result`.
    fn items(&self, path: &syn::Path, names: &[(Key, Binding)]) -> Option<Shape> {
        let last = path.segments.last().filter(|_| path.segments.len() == 1)?;
        let is_other = names.iter().any(|(name, binding)| *name == key(&last.ident) && *binding != Binding::Outside);
        let syn::PathArguments::AngleBracketed(given) = &last.arguments else { return None };
        let is_result = last.ident == "Result";
        let item = given.args.first().filter(|_| (given.args.len() == 1 || is_result) && !is_other)?;
        match item {
            syn::GenericArgument::Type(ty) if last.ident == "Vec" => {
                Some(Shape::Items(Box::new(self.passive(&syntax::ty(ty))?)))
            }
            syn::GenericArgument::Type(ty) if last.ident == "Option" => {
                let content = self.passive(&syntax::ty(ty)).unwrap_or(Shape::Passive(quote!(_)));
                Some(Shape::Option(Box::new(content)))
            }
            syn::GenericArgument::Type(ty) if is_result => {
                Some(Shape::Result(Box::new(self.passive(&syntax::ty(ty))?)))
            }
            _ => None,
        }
    }

    /// Reads a type.
    pub fn read(&self, ty: &Type) -> Reading {
        match &ty.kind {
            TypeKind::Path(path, names) => self.read_path(path, names),
            TypeKind::Array(element, length) => match (self.read(element), integer(length)) {
                (Reading::Floats(shape), Some(length)) => Reading::Floats(Shape::Array(Box::new(shape), length)),
                (Reading::Floats(_), None) if self.is_parameter(length) => Reading::Unclear(refuse::LENGTH_PARAMETER),
                (Reading::Floats(_), None) => Reading::Unclear(refuse::SHAPE_LENGTH),
                (other, _) => other,
            },
            TypeKind::Reference(_, is_mutable, target) => match self.read(target) {
                Reading::Floats(_) if *is_mutable => Reading::Unclear(refuse::MUTABLE_INSIDE),
                Reading::Floats(shape) => Reading::Floats(Shape::Reference(Box::new(shape))),
                other => other,
            },
            TypeKind::Tuple(elements) => self.read_tuple(elements.iter()),
            TypeKind::Other(other, _) => match &**other {
                syn::Type::Slice(slice) if self.mentions_float(&slice.elem) => Reading::Unclear(refuse::SLICE),
                other if self.mentions_float(other) => Reading::Unclear(match is_function(other) {
                    true => refuse::FUNCTION_PARAMETER,
                    false => refuse::FLOAT_TYPE,
                }),
                _ => Reading::Other,
            },
            TypeKind::Infer => Reading::Other,
        }
    }

    /// The shape that a type will likely have when it is one that is supported: what is wrapped or behind a reference
    /// counts, an unknown length is one.
    pub fn likely(&self, ty: &Type) -> Option<Shape> {
        match (self.read(ty), &ty.kind) {
            (Reading::Floats(shape), _) => Some(shape),
            (Reading::Other, _) => None,
            (_, TypeKind::Reference(_, _, target)) => self.likely(target),
            (_, TypeKind::Array(element, length)) => {
                Some(Shape::Array(Box::new(self.likely(element)?), integer(length).unwrap_or(1)))
            }
            (_, TypeKind::Tuple(elements)) => {
                Some(Shape::Tuple(elements.iter().filter_map(|ty| self.likely(ty)).collect()))
            }
            (_, TypeKind::Other(other, _)) => match &**other {
                syn::Type::Slice(slice) => {
                    Some(Shape::Array(Box::new(self.likely(&super::super::syntax::ty(&slice.elem))?), 1))
                }
                other => Some(Shape::Array(Box::new(Shape::Float(self.likely_scalar(other))), 1)),
            },
            (_, TypeKind::Path(path, _)) => Some(Shape::Array(Box::new(Shape::Float(self.likely_scalar(path))), 1)),
            (_, TypeKind::Infer) => None,
        }
    }

    fn likely_scalar(&self, ty: &dyn ToTokens) -> Scalar {
        match &self.parameter {
            Some(parameter) => Scalar::Parameter(parameter.clone()),
            None if mentions(ty.to_token_stream(), &["f32"]) => Scalar::Primitive(Precision::F32),
            None => Scalar::Primitive(Precision::F64),
        }
    }

    fn read_path(&self, path: &syn::TypePath, names: &[(Key, Binding)]) -> Reading {
        if path.qself.is_some() {
            return if self.mentions_float(path) { Reading::Unclear(refuse::FLOAT_TYPE) } else { Reading::Other };
        }
        match (self.scalar(&path.path), self.read_vector(path), self.named_struct(path, names)) {
            (Some(scalar), ..) => Reading::Floats(Shape::Float(scalar)),
            (_, Some(reading), _) => reading,
            (.., Some(Ok(own))) => Reading::Floats(Shape::Struct(own.clone())),
            (.., None) if let Some(shape) = self.alias(path, names) => Reading::Floats(shape.clone()),
            _ if self.mentions_float(path) => Reading::Unclear(wrapped(path)),
            _ => Reading::Other,
        }
    }

    /// A type with the name of one of nalgebra's and floats in it.
    fn read_vector(&self, path: &syn::TypePath) -> Option<Reading> {
        if let Some(found) = self.read_unit(path) {
            return Some(found);
        }
        let named = vector::named(path.path.segments.last()?)?;
        let syn::Type::Path(float) = unwrapped(named.float?) else { return None };
        let scalar = self.scalar(&float.path).filter(|_| float.qself.is_none())?;
        Some(match named.layout() {
            Some(layout) => {
                let (name, tokens) = (vector::without_arguments(&path.path).to_string(), path.to_token_stream());
                Reading::Floats(Shape::Vector(Box::new(VectorType::new(layout, scalar, name, tokens))))
            }
            None if self.generics.iter().any(|name| mentions(path.to_token_stream(), &[name])) => {
                Reading::Unclear(refuse::LENGTH_PARAMETER)
            }
            None => Reading::Unclear(refuse::SHAPE_LENGTH),
        })
    }

    /// `Unit<Vector3<f64>>`, or another type of vectors of length one.
    fn read_unit(&self, path: &syn::TypePath) -> Option<Reading> {
        let last = path.path.segments.last().filter(|last| last.ident == "Unit")?;
        let syn::PathArguments::AngleBracketed(given) = &last.arguments else { return None };
        let (Some(syn::GenericArgument::Type(of)), 1) = (given.args.first(), given.args.len()) else { return None };
        let syn::Type::Path(of) = unwrapped(of) else { return None };
        let Some(Reading::Floats(Shape::Vector(of))) = self.read_vector(of) else { return None };
        let layout = Layout { kind: of.layout.unit_kind()?, ..of.layout };
        let (name, tokens) = (path.to_token_stream().to_string(), path.to_token_stream());
        Some(Reading::Floats(Shape::Vector(Box::new(VectorType::new(layout, of.scalar, name, tokens)))))
    }

    fn read_tuple<'a>(&self, elements: impl Iterator<Item = &'a Type>) -> Reading {
        let (mut shapes, mut mixed) = (Vec::new(), false);
        for element in elements {
            match self.read(element) {
                Reading::Floats(shape) => shapes.push(shape),
                Reading::Unclear(why) => return Reading::Unclear(why),
                Reading::Other => mixed = true,
            }
        }
        match (shapes.is_empty(), mixed) {
            (true, true) => Reading::Other,
            (false, true) => Reading::Unclear(refuse::MIXED),
            (_, false) => Reading::Floats(Shape::Tuple(shapes)),
        }
    }

    /// The float that a path names: the type parameter, `f64`, `core::primitive::f64`, `std::primitive::f64`, and the
    /// same for `f32`.
    pub fn scalar(&self, path: &syn::Path) -> Option<Scalar> {
        if path.segments.iter().any(|segment| !segment.arguments.is_none()) {
            return None;
        }
        if let Some(parameter) = &self.parameter
            && path.is_ident(&parameter.name)
        {
            return Some(Scalar::Parameter(parameter.clone()));
        }
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        match names.as_slice() {
            ["f64"] | ["core" | "std", "primitive", "f64"] => Some(Scalar::Primitive(Precision::F64)),
            ["f32"] | ["core" | "std", "primitive", "f32"] => Some(Scalar::Primitive(Precision::F32)),
            _ => None,
        }
    }

    fn mentions_float(&self, ty: &dyn ToTokens) -> bool {
        let parameter = self.parameter.as_ref().map(|parameter| parameter.name.to_string());
        let names: Vec<_> = ["f64", "f32"].into_iter().chain(parameter.as_deref()).collect();
        mentions(ty.to_token_stream(), &names)
    }
}

/// Why a type around floats is refused.
fn wrapped(path: &syn::TypePath) -> &'static str {
    let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    match name.as_str() {
        "Vec" | "VecDeque" => refuse::VEC,
        "DVector" | "DMatrix" | "RowDVector" | "OMatrix" | "OVector" => refuse::DYNAMIC,
        "Option" | "Result" => refuse::OPTION,
        _ => refuse::FLOAT_TYPE,
    }
}
