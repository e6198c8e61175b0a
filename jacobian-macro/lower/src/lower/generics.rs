//! The generic parameters of a function that is inlined: what its call says that they are.

use std::collections::HashMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{
    GenericArgument, GenericParam, Generics, PathArguments, PathSegment, TypeParam, TypeParamBound, WherePredicate,
};

use super::super::module;
use super::super::read::shape::Shape;
use super::super::read::vector::{Layout, is_of_numbers, numbers_of};
use super::super::refuse;
use super::super::syntax::{self, Binding, Body, Expr, ExprKind, Key, Path, Type, TypeKind, key};
use super::Lowering;
use super::control::{Flow, Stop};
use super::value::{Passive, Value};

/// What generic parameters are, by their names.
pub type Given = HashMap<String, Argument>;

/// What a generic parameter is.
#[derive(Clone)]
pub enum Argument {
    /// A type, as it is written where the function is called.
    Type(TokenStream),
    /// A constant.
    Constant(Value),
}

impl Lowering<'_> {
    /// What the type arguments of a call say of the generic parameters, and the arguments.
    pub(super) fn given(
        &mut self,
        generics: &Generics,
        body: &Body,
        (args, places): (&[Value], &[&Expr]),
        call: &Path,
    ) -> Flow<Given> {
        let mut given = Given::new();
        for (((_, ty), value), place) in body.parameters.iter().zip(args).zip(places) {
            let declared = self.declared_type(place);
            let value = &match value {
                Value::Mutable(place) => self.read(place),
                value => value.clone(),
            };
            self.infer(ty, value, declared.as_ref(), &mut given);
        }
        let parameters = generics.params.iter().filter(|parameter| !matches!(parameter, GenericParam::Lifetime(_)));
        for (parameter, argument) in parameters.zip(arguments(call)) {
            match parameter {
                GenericParam::Const(parameter) => {
                    let value = self.constant_argument(argument, &parameter.ty, call)?;
                    given.extend(value.map(|value| (text(&parameter.ident), Argument::Constant(value))));
                }
                GenericParam::Type(parameter) if !matches!(argument, GenericArgument::Type(syn::Type::Infer(_))) => {
                    let written = match argument {
                        GenericArgument::Type(ty) => self.type_of_module(ty, &call.names),
                        _ => None,
                    };
                    let written = written.unwrap_or_else(|| self.with_names(argument.to_token_stream(), &call.names));
                    given.insert(text(&parameter.ident), Argument::Type(written));
                }
                GenericParam::Type(_) | GenericParam::Lifetime(_) => {}
            }
        }
        Ok(given)
    }

    /// The numbers that the type arguments of a call give to generic parameters.
    pub(super) fn numbers_given(&mut self, generics: &Generics, call: &Path) -> HashMap<String, module::Argument> {
        let mut given = HashMap::new();
        let parameters = generics.params.iter().filter(|parameter| !matches!(parameter, GenericParam::Lifetime(_)));
        for (parameter, argument) in parameters.zip(arguments(call)) {
            if let GenericParam::Const(own) = parameter
                && let Ok(Some(value)) = self.constant_argument(argument, &own.ty, call)
                && let Some(number) = value.as_int()
            {
                let written = Literal::i128_unsuffixed(number).to_token_stream();
                given.insert(text(&own.ident), module::Argument::of(parameter, written));
            }
        }
        given
    }

    /// A type of the module, as it is written anywhere in it.
    fn type_of_module(&self, ty: &syn::Type, names: &[(Key, Binding)]) -> Option<TokenStream> {
        let syn::Type::Path(path) = ty else { return None };
        let is_bound = |(name, binding): &(Key, Binding)| {
            path.path.get_ident().is_some_and(|own| key(own) == *name) && *binding != Binding::Item
        };
        if path.qself.is_some() || names.iter().any(is_bound) {
            return None;
        }
        let structs = self.module.declared().structs();
        match (structs.find(&path.path, &[]), structs.opaque(&path.path, &[])) {
            (Some(Ok(own)), _) => Some(own.ty()),
            (_, Some(own)) if own.lifetimes == 0 => Some(own.path()),
            _ => None,
        }
    }

    /// The value of an argument for a const parameter: a literal, or a constant.
    fn constant_argument(&mut self, argument: &GenericArgument, ty: &syn::Type, call: &Path) -> Flow<Option<Value>> {
        let value = match argument {
            GenericArgument::Const(source @ (syn::Expr::Lit(_) | syn::Expr::Unary(_))) => {
                self.expression(&syntax::expression(source))?
            }
            GenericArgument::Type(syn::Type::Path(path)) => {
                let own = path.path.get_ident().map(key);
                let binding =
                    call.names.iter().find(|(name, _)| Some(name) == own.as_ref()).map(|(_, binding)| *binding);
                let path = syntax::path(path, self.module.declared().items());
                self.path(&Path { binding: binding.unwrap_or(path.binding), ..path })?
            }
            _ => return Ok(None),
        };
        let Some(passive) = value.to_passive() else { return Ok(None) };
        let ty = syntax::ty(ty);
        Ok(Some(match passive.number.clone().and_then(|number| self.numbers.typed(number, &ty)) {
            Some(number) => Value::Passive(self.numbers.known(number, passive)),
            None => Value::Passive(passive),
        }))
    }

    /// The type with which a variable at this place was declared.
    fn declared_type(&self, place: &Expr) -> Option<Type> {
        match &*place.kind {
            ExprKind::Variable(id, _) => self.bindings.find(self.activation.number(*id))?.ty.clone(),
            ExprKind::Paren(inner) => self.declared_type(inner),
            _ => None,
        }
    }

    /// What an argument says of the generic parameters in the type of its parameter.
    fn infer(&mut self, ty: &Type, value: &Value, declared: Option<&Type>, given: &mut Given) {
        match &ty.kind {
            TypeKind::Reference(_, _, target) => {
                let declared = declared.and_then(|declared| match &declared.kind {
                    TypeKind::Reference(_, _, target) => Some(&**target),
                    _ => None,
                });
                self.infer(target, value.behind_references(), declared, given);
            }
            TypeKind::Array(element, length) => {
                if let (Some(name), Some(known)) = (generic(length), length_of(value)) {
                    let known = Value::Passive(self.numbers.usize(known));
                    given.entry(name).or_insert(Argument::Constant(known));
                }
                if let Value::Array(elements) = value
                    && let Some(first) = elements.first()
                {
                    self.infer(element, first, None, given);
                }
            }
            TypeKind::Path(path, names) if let Some(layout) = layout_of(value) => {
                let name = path.path.segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default();
                let arguments = arguments_of(&path.path).into_iter().skip(1);
                for (argument, number) in arguments.zip(numbers_of(&name, layout)) {
                    let Ok(ident) = syn::parse2::<Ident>(argument) else { continue };
                    if is_generic(&ident, names) {
                        let number = Value::Passive(self.numbers.usize(number));
                        given.entry(text(&ident)).or_insert(Argument::Constant(number));
                    }
                }
            }
            TypeKind::Path(path, names) if !arguments_of(&path.path).is_empty() => {
                let name = value.definition().map(|definition| definition.name.to_string());
                let name = name.or_else(|| value.owner().map(|own| own.unraw().to_string())).unwrap_or_default();
                let instance = self.module.declared().instances().arguments(&name);
                let Some((of, known)) = instance.map(|(of, known)| (of.to_string(), known.to_vec())) else { return };
                let is_it = path.path.segments.last().is_some_and(|last| last.ident.unraw() == of);
                for (argument, known) in arguments_of(&path.path).into_iter().zip(known).filter(|_| is_it) {
                    let Ok(ident) = syn::parse2::<Ident>(argument) else { continue };
                    if !is_generic(&ident, names) {
                        continue;
                    }
                    let number = syn::parse2::<syn::LitInt>(known.clone()).ok();
                    let argument = match number.and_then(|number| number.base10_parse().ok()) {
                        Some(number) => Argument::Constant(Value::Passive(self.numbers.usize(number))),
                        None => Argument::Type(known),
                    };
                    given.entry(text(&ident)).or_insert(argument);
                }
            }
            TypeKind::Path(path, names) => self.infer_parameter((path, names), value, declared, given),
            TypeKind::Tuple(parts) => {
                if let Value::Tuple(elements) = value {
                    for (part, element) in parts.iter().zip(elements.iter()) {
                        self.infer(part, element, None, given);
                    }
                }
            }
            TypeKind::Other(other, names) => {
                if let (syn::Type::Slice(slice), Value::Array(elements)) = (&**other, value)
                    && let (syn::Type::Path(path), Some(first)) = (&*slice.elem, elements.first())
                {
                    self.infer_parameter((path, names), first, None, given);
                }
            }
            TypeKind::Infer => {}
        }
    }

    /// The same, where the type may be a parameter itself.
    fn infer_parameter(
        &mut self,
        (path, names): (&syn::TypePath, &[(Key, Binding)]),
        value: &Value,
        declared: Option<&Type>,
        given: &mut Given,
    ) {
        let own = path.path.get_ident().filter(|_| path.qself.is_none());
        let own = own.filter(|ident| is_generic(ident, names));
        if let (Some(ident), Some(ty)) = (own, self.type_of(value, declared)) {
            given.entry(text(ident)).or_insert(Argument::Type(ty));
        }
    }

    /// The type of a value, where it can be written.
    fn type_of(&mut self, value: &Value, declared: Option<&Type>) -> Option<TokenStream> {
        match (value, declared) {
            (Value::Active(_), _) => Some(self.scalar.ty()),
            (value, _) if let Some(own) = value.definition() => Some(own.ty()),
            (Value::Passive(_), Some(declared)) => Some(self.written_type(declared)),
            // Arrays and tuples of floats: what they are of else is not written in the same way everywhere.
            (Value::Array(_) | Value::Tuple(_), _) => {
                self.text_of(value).filter(|text| !text.contains(char::is_uppercase))?.parse().ok()
            }
            (value, _) => value.opaque().filter(|own| own.lifetimes == 0).map(|own| own.path()),
        }
    }

    /// The value of a const parameter of the present function, which is inlined.
    pub(super) fn given_constant(&mut self, name: &Ident) -> Flow {
        match self.argument_of(name) {
            Some(Argument::Constant(value)) => Ok(value),
            Some(Argument::Type(ty)) => Ok(Value::Passive(Passive::simple(ty))),
            None => Err(Box::new(Stop::Refused)),
        }
    }

    /// A generic parameter of the present function, which is inlined, as it is written there.
    pub(super) fn given_tokens(&mut self, name: &Ident) -> TokenStream {
        match self.argument_of(name) {
            Some(Argument::Type(ty)) => ty,
            Some(Argument::Constant(value)) => match value.to_passive() {
                Some(passive) if passive.tokens().clone().into_iter().count() > 1 => {
                    let tokens = passive.tokens();
                    quote!({ #tokens })
                }
                passive => passive.map(|passive| passive.tokens().clone()).unwrap_or_default(),
            },
            None => name.to_token_stream(),
        }
    }

    /// A type of vectors in the present function with the numbers of rows and columns in it that are generic parameters, if
    /// all of these are known.
    pub(super) fn with_given_numbers(&self, ty: &Type) -> Option<Type> {
        let TypeKind::Path(path, names) = &ty.kind else { return None };
        let mut path = path.clone();
        self.give_numbers(path.path.segments.last_mut()?, names)?;
        Some(syntax::ty(&syn::Type::Path(path)))
    }

    /// The same of the type before the name of a function.
    pub(super) fn path_with_given_numbers(&self, path: &Path) -> Option<Path> {
        let mut known = path.clone();
        self.give_numbers(known.path.path.segments.iter_mut().nth_back(1)?, &path.names)?;
        known.names.retain(|(_, binding)| *binding != Binding::Generic);
        Some(known)
    }

    /// Writes what is known for the generic parameters in the arguments of a type of vectors; none if there is none, or one
    /// is not known.
    fn give_numbers(&self, ty: &mut PathSegment, names: &[(Key, Binding)]) -> Option<()> {
        let call = self.activation.call.as_ref().filter(|_| is_of_numbers(&ty.ident))?;
        let PathArguments::AngleBracketed(arguments) = &mut ty.arguments else { return None };
        let mut is_given = false;
        for argument in &mut arguments.args {
            let Ok(own) = syn::parse2::<Ident>(argument.to_token_stream()) else { continue };
            if !is_generic(&own, names) {
                continue;
            }
            let known = match call.given.get(&text(&own))? {
                Argument::Constant(number) => {
                    Literal::usize_suffixed(usize::try_from(number.as_int()?).ok()?).to_token_stream()
                }
                Argument::Type(ty) => ty.clone(),
            };
            *argument = syn::parse2(known).ok()?;
            is_given = true;
        }
        is_given.then_some(())
    }

    fn argument_of(&mut self, name: &Ident) -> Option<Argument> {
        let activation = self.activation.clone();
        let call = activation.call.as_ref()?;
        let found = call.given.get(&text(name)).cloned();
        if found.is_none() {
            let function = &call.function;
            self.errors.at(&call.place, refuse::unknown_generic(name, function));
        }
        found
    }
}

/// The type arguments of a call.
pub(super) fn arguments(call: &Path) -> impl Iterator<Item = &GenericArgument> {
    let arguments = call.path.path.segments.last().and_then(|last| match &last.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    });
    arguments.into_iter().flatten().filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)))
}

/// The arguments of the last name of a path.
fn arguments_of(path: &syn::Path) -> Vec<TokenStream> {
    match path.segments.last().map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(given)) => given.args.iter().map(ToTokens::to_token_stream).collect(),
        _ => Vec::new(),
    }
}

/// The generic parameter that a length is.
fn generic(length: &Expr) -> Option<String> {
    match &*length.kind {
        ExprKind::Path(path) if path.binding == Binding::Generic => path.path.path.get_ident().map(text),
        _ => None,
    }
}

/// The number of elements of an array.
fn length_of(value: &Value) -> Option<usize> {
    match value {
        Value::Array(elements) => Some(elements.len()),
        Value::Passive(passive) => passive.length(),
        _ => None,
    }
}

/// Whether a name is that of a generic parameter, where names mean this.
fn is_generic(ident: &Ident, names: &[(Key, Binding)]) -> bool {
    names.contains(&(key(ident), Binding::Generic))
}

/// The form of a value of nalgebra.
fn layout_of(value: &Value) -> Option<Layout> {
    match value {
        Value::Vector(vector) => Some(vector.layout),
        value => match value.shape()?.behind_references() {
            Shape::Vector(ty) => Some(ty.layout),
            _ => None,
        },
    }
}

/// The bounds of a generic parameter, among the parameters and in clauses.
pub(super) fn bounds_of<'g>(
    parameter: &'g TypeParam,
    generics: &'g Generics,
) -> impl Iterator<Item = &'g TypeParamBound> {
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let own = clauses.filter_map(|clause| match clause {
        WherePredicate::Type(clause) if is_name(&clause.bounded_ty, &parameter.ident) => Some(&clause.bounds),
        _ => None,
    });
    parameter.bounds.iter().chain(own.flatten())
}

/// Whether a type is what is called so.
fn is_name(ty: &syn::Type, name: &Ident) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident(name))
}

/// The name of a generic parameter.
pub(super) fn text(name: &Ident) -> String {
    name.unraw().to_string()
}
