//! Functions in `impl` blocks that are called by a path, as `State::new` is.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::{FnArg, ReturnType};

use super::super::super::module::{Method as Member, Owner, text_of_type};
use super::super::super::read::shape::{Opaque, Shape};
use super::super::super::refuse;
use super::super::super::syntax::{self, Binding, Expr, Path, Placed};
use super::super::Lowering;
use super::super::control::Flow;
use super::super::generics::{Argument, text};
use super::super::value::{Passive, Value};

impl<'f> Lowering<'f> {
    /// The function in an `impl` block that a path means, as `State::new` does, or why that is not known. Where several
    /// traits have one of its name, the arguments tell.
    pub(in super::super) fn associated(
        &self,
        path: &Path,
        args: Option<&[Value]>,
    ) -> Option<Result<&'f Member, String>> {
        let segments = &path.path.path.segments;
        let (ty, name, trait_) = match &path.path.qself {
            Some(qself) => {
                let syn::Type::Path(ty) = &*qself.ty else { return None };
                let trait_ = qself.position.checked_sub(1).map(|last| segments[last].ident.to_string());
                (ty.path.clone(), segments.last()?, trait_)
            }
            None if path.binding == Binding::Generic => {
                let (ty, name) = (&segments.first()?.ident, &segments.last()?.ident);
                return self.of_parameter(ty, name).filter(|_| segments.len() == 2);
            }
            None => {
                let mut ty = path.path.path.clone();
                ty.segments.pop();
                ty.segments.pop_punct();
                let is_self = ty.segments.first()?.ident == "self";
                if path.binding != Binding::Item && !is_self {
                    return None;
                }
                (ty, segments.last()?, None)
            }
        };
        let structs = self.module.declared().structs();
        let own = match (structs.find(&ty, &path.names), structs.opaque(&ty, &path.names)) {
            (Some(Ok(own)), _) => &own.name,
            (_, Some(own)) => &own.name,
            (Some(Err(_)), None) => return None,
            (None, None) => return self.by_trait(&ty.segments.last()?.ident, &name.ident, args?.first()?),
        };
        let (ty, name) = (own.unraw().to_string(), name.ident.unraw().to_string());
        let (methods, owner) = (self.module.declared().methods(), Owner::Struct(ty.clone()));
        let all = || methods.named(&owner, &name).filter(|it| it.owner.references == 0);
        let mut found: Vec<_> = match &trait_ {
            Some(trait_) => all().filter(|it| it.trait_.as_ref() == Some(trait_)).collect(),
            None => all().filter(|it| it.trait_.is_none()).collect(),
        };
        if found.is_empty() && trait_.is_none() {
            found = all().collect();
        }
        if let ([Member { function: Err(_), .. }], Some(args), None) = (&found[..], args, &trait_)
            && let Some(of_instance) = self.of_instance(&ty, &name, args)
        {
            return Some(Ok(of_instance));
        }
        if let (true, Some([arg])) = (found.len() > 1, args) {
            found.retain(|it| it.argument.as_ref().is_some_and(|argument| self.fits(argument, arg)));
        }
        match found[..] {
            [] => None,
            [found] => Some(Ok(found)),
            _ => Some(Err(refuse::method_unclear(name, ty))),
        }
    }

    /// The function of an instance of a generic struct that is called without arguments of the type, `Pair::new(x, y)`, where
    /// the values tell which one it is.
    fn of_instance(&self, of: &str, name: &str, args: &[Value]) -> Option<&'f Member> {
        let declared = self.module.declared();
        if !declared.instances().is_told_by_values(of, name) {
            return None;
        }
        let texts = args.iter().map(|arg| self.text_of(arg)).collect::<Option<Vec<_>>>()?;
        let is_it = |it: &&Member| {
            let Ok(function) = &it.function else { return false };
            let types = function.sig.inputs.iter().map(|input| match input {
                FnArg::Typed(typed) => text_of_type(&typed.ty, declared.structs()),
                FnArg::Receiver(_) => None,
            });
            types.collect::<Option<Vec<_>>>().is_some_and(|types| types == texts)
        };
        let mut found = Vec::new();
        for instance in declared.instances().of(of)? {
            let owner = Owner::Struct(instance.to_string());
            found.extend(declared.methods().named(&owner, name).filter(is_it));
        }
        match found[..] {
            [found] => Some(found),
            _ => None,
        }
    }

    /// The function that `T::name` means, where `T` is a parameter of the present function: one of the traits by which
    /// it is bounded.
    fn of_parameter(&self, parameter: &Ident, name: &Ident) -> Option<Result<&'f Member, String>> {
        let call = self.activation.call.as_ref()?;
        let Argument::Type(ty) = call.given.get(&text(parameter))? else { return None };
        let (owner, ty) = match syn::parse2::<syn::Type>(ty.clone()).ok()? {
            syn::Type::Path(syn::TypePath { path, .. }) => {
                let ty = path.segments.last()?.ident.unraw().to_string();
                let owner = match path.segments.len() {
                    // A name by itself may be one that is declared inside of a function.
                    2 if path.segments[0].ident == "self" => Owner::Struct(ty.clone()),
                    _ if ty == self.scalar.name() => Owner::Float,
                    _ => return None,
                };
                (owner, ty)
            }
            built => {
                let text = text_of_type(&built, self.module.declared().structs())?;
                (Owner::Built(text.clone()), text)
            }
        };
        let (name, methods) = (name.unraw().to_string(), self.module.declared().methods());
        let bounds = self.module.declared().traits().with_required(call.bounds.as_deref().unwrap_or_default());
        let is_of_bound = |it: &&Member| it.trait_.as_ref().is_some_and(|trait_| bounds.contains(trait_));
        let found: Vec<_> = methods.named(&owner, &name).filter(is_of_bound).collect();
        match found[..] {
            [] => None,
            [found] => Some(Ok(found)),
            _ => Some(Err(refuse::method_unclear(name, ty))),
        }
    }

    /// The method that `Trait::name` means, which is given `receiver`.
    fn by_trait(&self, trait_: &Ident, name: &Ident, receiver: &Value) -> Option<Result<&'f Member, String>> {
        let receiver = match receiver {
            Value::Mutable(place) if place.steps.is_empty() => &self.bindings.find(place.variable)?.value,
            value => value,
        };
        let name = name.unraw().to_string();
        let (owner, ty) = match receiver.owner().map(|own| own.unraw().to_string()) {
            Some(ty) => (Owner::Struct(ty.clone()), ty),
            None => (self.owner_of_value(receiver)?, "floats".to_string()),
        };
        let of_trait = |it: &&Member| it.receiver.is_some() && it.trait_.as_ref().is_some_and(|own| trait_ == own);
        let found: Vec<_> = self.module.declared().methods().named(&owner, &name).filter(of_trait).collect();
        match found[..] {
            [] => None,
            [found] => Some(Ok(found)),
            _ => Some(Err(refuse::method_unclear(name, ty))),
        }
    }

    /// The shape of what a function gives, where it says so.
    pub(in super::super) fn shape_returned(&self, member: &Member) -> Option<Shape> {
        let ReturnType::Type(_, ty) = &member.function.as_ref().ok()?.sig.output else { return None };
        self.passive_shape_of(&syntax::ty(ty))
    }

    /// The shape of what a function of the module gives, or the name of a tuple struct or of a variant, that is passive as
    /// a whole.
    pub(super) fn opaque_given(&self, path: &Path) -> Option<Shape> {
        if let Some(ReturnType::Type(_, ty)) =
            path.name_in_module().and_then(|name| self.module.declared().returned(&name))
        {
            return self.passive_shape_of(&syntax::ty(ty));
        }
        let is_tuple = |own: &Opaque| own.fields.iter().any(|(member, _)| matches!(member, syn::Member::Unnamed(_)));
        let of_struct = self.opaque_named(path).filter(|shape| shape.opaque().is_some_and(|own| is_tuple(own)));
        of_struct.or_else(|| self.shape_of_variant(path))
    }

    /// The type and the shape of what a function of the module gives, where its type is a parameter of the function, or
    /// its length is, and an argument shows that: of a struct, or of an array of floats.
    pub(super) fn given_by_parameter(&self, path: &Path, args: &[Value]) -> Option<(syntax::Type, Shape)> {
        let signature = &self.module.declared().function(&path.name_in_module()?)?.sig;
        let ReturnType::Type(_, returned) = &signature.output else { return None };
        let argument = |has_it: &dyn Fn(&syn::Type) -> bool| {
            let has_it = |input: &FnArg| matches!(input, FnArg::Typed(typed) if has_it(&typed.ty));
            args.get(signature.inputs.iter().position(has_it)?)
        };
        let shape = match &**returned {
            syn::Type::Array(array) => {
                let mut parameters = signature.generics.const_params().map(|parameter| &parameter.ident);
                let length = parameters.find(|parameter| is_length(&array.len, parameter))?;
                let has_length = |ty: &syn::Type| match ty {
                    syn::Type::Reference(reference) => is_array_of(&reference.elem, length),
                    ty => is_array_of(ty, length),
                };
                let element = self.shape_of(&syntax::ty(&array.elem))?;
                let known = self.length_of(argument(&has_length)?.behind_references())?;
                Shape::Array(Box::new(element), known)
            }
            returned => {
                let mut parameters = signature.generics.type_params().map(|parameter| &parameter.ident);
                let parameter = parameters.find(|parameter| is_name(returned, parameter))?;
                match argument(&|ty| is_name(ty, parameter))? {
                    Value::Tuple(fields) => Shape::Struct(fields.definition()?.clone()),
                    Value::Passive(Passive { shape: Some(shape @ Shape::Struct(_)), .. }) => shape.clone(),
                    _ => return None,
                }
            }
        };
        Some((syntax::ty(&syn::Type::Verbatim(shape.ty())), shape))
    }

    /// The shape of what `State::default()` gives that is derived.
    pub(in super::super) fn shape_derived(&self, path: &Path) -> Option<Shape> {
        let segments = &path.path.path.segments;
        let last = segments.last().filter(|last| last.ident == "default" && path.path.qself.is_none())?;
        let mut ty = path.clone();
        ty.path.path.segments = segments.iter().take(segments.len() - 1).cloned().collect();
        let definition = self.struct_named(&ty).or_else(|| self.only_instance(&ty));
        let definition = definition.filter(|own| own.derived.iter().any(|name| name == "Default"))?;
        let ty = Owner::Struct(definition.name.unraw().to_string());
        let has_own = self.module.declared().methods().named(&ty, &last.ident.to_string()).next().is_some();
        (!has_own).then_some(Shape::Struct(definition))
    }

    /// A passive value in a shape that is known.
    pub(super) fn in_shape(&mut self, value: Value, shape: Option<Shape>) -> Value {
        match (value, shape) {
            (Value::Passive(passive), Some(shape)) if passive.number.is_none() => {
                Value::Passive(passive.with_shape(Some(shape)))
            }
            (value, _) => value,
        }
    }

    /// The value of an associated function without arguments.
    pub(in super::super) fn called_for_nothing(&mut self, member: &'f Member, place: &Expr) -> Flow {
        let name = Ident::new(&member.name, Span::call_site());
        self.implemented(member, &[], &[], &path_at(&name, place))
    }

    /// The value of a function in an `impl` block.
    pub(super) fn implemented(&mut self, member: &'f Member, args: &[Value], places: &[&Expr], call: &Path) -> Flow {
        match &member.function {
            Ok(function) => self.inlined_member(function, args, places, call),
            Err(why) => self.refuse(call, why),
        }
    }
}

/// The path of a function that is called by its name.
pub(super) fn path_of(name: &Ident) -> Path {
    let path = syn::ExprPath { attrs: Vec::new(), qself: None, path: name.clone().into() };
    Path { path, binding: Binding::Outside, may_be_std: false, is_declared: false, names: Vec::new() }
}

/// The same, at the place of something else.
pub(super) fn path_at(name: &Ident, place: &dyn Placed) -> Path {
    let mut name = name.clone();
    name.set_span(place.place().span());
    path_of(&name)
}

/// Whether a type is written as this name alone.
fn is_name(ty: &syn::Type, name: &Ident) -> bool {
    matches!(ty, syn::Type::Path(own) if own.qself.is_none() && own.path.is_ident(name))
}

/// Whether a type is that of an array whose length is this parameter.
fn is_array_of(ty: &syn::Type, length: &Ident) -> bool {
    matches!(ty, syn::Type::Array(own) if is_length(&own.len, length))
}

/// Whether a length is written as this name alone.
fn is_length(length: &syn::Expr, name: &Ident) -> bool {
    matches!(length, syn::Expr::Path(own) if own.qself.is_none() && own.path.is_ident(name))
}
