//! Methods, associated functions and operators of the structs of the module: their bodies replace the calls.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{BinOp, FnArg, PathArguments, ReturnType};

use super::super::super::module::{Method as Member, Owner, OwnerType, Passing, is_of_plain_trait, text_of_type};
use super::super::super::names::identifier;
use super::super::super::read::shape::{Opaque, Shape, Struct};
use super::super::super::read::structs::is_cloned_as_it_is;
use super::super::super::refuse;
use super::super::super::syntax::{self, Binding, Expr, ExprKind, Method, Node, Path, Placed, changes};
use super::super::Lowering;
use super::super::array::is_known_index;
use super::super::bindings::InlinedCall;
use super::super::control::Flow;
use super::super::generics::{Argument, text};
use super::super::numbers::Number;
use super::super::value::{Active, Passive, Place, Value};

/// Whether the indices in a place are the same before and after these arguments are evaluated, and do nothing else: a place
/// is evaluated after them here, and twice.
pub(super) fn is_fixed_place(place: &Expr, args: &[Expr]) -> bool {
    let (mut read, mut is_plain, mut is_in_index) = (Vec::new(), true, false);
    let mut inner = place;
    loop {
        inner = match &*inner.kind {
            ExprKind::Paren(base) | ExprKind::Field(base, _) | ExprKind::Unary(_, base) => base,
            ExprKind::Index(base, index) => {
                is_in_index = true;
                index.walk(&mut |node| {
                    let Node::Expr(part) = node else { return };
                    match &*part.kind {
                        ExprKind::Variable(id, _) => read.push(*id),
                        ExprKind::Literal(_)
                        | ExprKind::Path(_)
                        | ExprKind::Paren(_)
                        | ExprKind::Unary(..)
                        | ExprKind::Binary(..)
                        | ExprKind::Cast(..)
                        | ExprKind::Field(..)
                        | ExprKind::Index(..)
                        | ExprKind::Tuple(_) => {}
                        _ => is_plain = false,
                    }
                });
                base
            }
            _ => break,
        };
    }
    let mut is_changed = false;
    for arg in args {
        arg.walk(&mut |node| {
            if let Node::Expr(part) = node {
                is_changed |= changes(part).any(|(id, _)| read.contains(&id));
            }
        });
    }
    !is_in_index || is_plain && !is_changed
}

/// The traits of an operator, and of the one that assigns what it gives.
fn traits(op: &BinOp) -> Option<[&'static str; 2]> {
    Some(match op {
        BinOp::Add(_) => ["Add", "AddAssign"],
        BinOp::Sub(_) => ["Sub", "SubAssign"],
        BinOp::Mul(_) => ["Mul", "MulAssign"],
        BinOp::Div(_) => ["Div", "DivAssign"],
        BinOp::Rem(_) => ["Rem", "RemAssign"],
        _ => return None,
    })
}

impl<'f> Lowering<'f> {
    /// A call of a method of a struct of the module; `receiver` may be a mutable reference to it.
    pub(super) fn method_of_struct(&mut self, whole: &Expr, call: &Method, receiver: Value, args: Vec<Value>) -> Flow {
        let target = match &receiver {
            Value::Mutable(place) => self.read(place),
            value => value.clone(),
        };
        let Some(definition) = target.definition().cloned() else { return self.refuse(&call.name, refuse::PATTERN) };
        let (name, ty) = (call.name.unraw().to_string(), definition.name.unraw().to_string());
        let member = self.chosen_method(&receiver, &name, &ty, call)?;
        let path = path_of_method(call);
        if let Some(Ok(function)) = member.map(|member| &member.function) {
            self.try_method(call, &function.sig, &path);
        }
        // What it changes is seen only where its body is.
        let is_changed = member.is_some_and(|it| it.receiver == Some(Passing::Mutable) && it.function.is_ok());
        let is_passive = target.is_passive() && args.iter().all(Value::is_passive) && !is_changed;
        if is_passive && !matches!(receiver, Value::Mutable(_)) {
            let shape = member.and_then(|member| self.shape_returned(member));
            let mut args = args.clone();
            self.passive_references(&mut args, &call.args);
            self.written_closures(&mut args, &call.args)?;
            self.only_values(&args, &call.args, false)?;
            if let Some(value) = self.passive_method(whole, call, &target, &args) {
                let is_copy = member.is_none() && name == "clone";
                let shape = shape.or_else(|| is_copy.then(|| Shape::Struct(definition.clone())));
                return Ok(self.in_shape(value?, shape));
            }
        }
        let Some(member) = member else {
            // Of what is derived for a known struct, this is all that a value is given by.
            return match name.as_str() {
                "clone" if is_cloned_as_it_is(&definition) && args.is_empty() => {
                    self.require_not_own(&ty, &call.name, Some(Passing::Shared), 0);
                    Ok(self.without_references(target))
                }
                _ => self.refuse(&call.name, refuse::method_not_seen(name, ty)),
            };
        };
        let function = match &member.function {
            Ok(function) => function,
            Err(why) => return self.refuse(&call.name, why),
        };
        let own = match (member.receiver, receiver) {
            (Some(Passing::Mutable), receiver @ Value::Mutable(_)) => receiver,
            (Some(Passing::Mutable), _) => {
                if !is_fixed_place(&call.receiver, &call.args) {
                    return self.refuse(&call.receiver, refuse::PLACE_WITH_EFFECTS);
                }
                Value::Mutable(self.place(&call.receiver)?)
            }
            (Some(Passing::Shared), _) if self.references_around(&target) > 0 => target,
            (Some(Passing::Shared), _) => self.shared(target),
            _ => self.without_references(target),
        };
        self.require_of_trait(member);
        let values: Vec<_> = std::iter::once(own).chain(args).collect();
        let places: Vec<_> = std::iter::once(&call.receiver).chain(&call.args).collect();
        self.inlined_member(function, &values, &places, &path)
    }

    /// A call of a method of a value that is passive as a whole, with active arguments.
    pub(super) fn method_of_opaque(&mut self, call: &Method, receiver: Value, args: Vec<Value>) -> Flow {
        let Some(own) = receiver.opaque().cloned() else {
            return self.refuse(&call.name, refuse::PATTERN);
        };
        let (name, ty) = (call.name.unraw().to_string(), own.name.unraw().to_string());
        let Some(member) = self.chosen_method(&receiver, &name, &ty, call)? else {
            return self.refuse(&call.name, refuse::method_not_seen(name, ty));
        };
        if member.owner.references > 0 {
            return self.refuse(&call.name, refuse::method_unclear(name, ty));
        }
        if own.is_pointer {
            return self.refuse(&call.name, refuse::method_behind_deref(name, ty));
        }
        let function = match &member.function {
            Ok(function) => function,
            Err(why) => return self.refuse(&call.name, why),
        };
        let own = match member.receiver {
            _ if member.receiver != Some(Passing::Value) && self.references_around(&receiver) > 0 => receiver,
            Some(Passing::Shared) => self.shared(receiver),
            Some(Passing::Mutable) => {
                if !is_fixed_place(&call.receiver, &call.args) {
                    return self.refuse(&call.receiver, refuse::PLACE_WITH_EFFECTS);
                }
                let reference = Expr::new(ExprKind::Mutable(call.receiver.clone()), call.receiver.place);
                self.expression(&reference)?
            }
            _ => self.without_references(receiver),
        };
        self.require_of_trait(member);
        let values: Vec<_> = std::iter::once(own).chain(args).collect();
        let places: Vec<_> = std::iter::once(&call.receiver).chain(&call.args).collect();
        self.inlined_member(function, &values, &places, &path_of_method(call))
    }

    /// Refuses a method of a value that is passive as a whole, which the function knows by its traits only, where it may
    /// be another one than what is written calls.
    pub(super) fn method_of_bounds(&mut self, call: &Method, receiver: &Value) -> Flow<()> {
        let has_bounds = self.activation.call.as_ref().is_some_and(|call| call.bounds.is_some());
        match receiver.owner().filter(|_| has_bounds) {
            Some(ty) => {
                self.chosen_method(receiver, &call.name.unraw().to_string(), &ty.unraw().to_string(), call).map(drop)
            }
            None => Ok(()),
        }
    }

    /// The shape of what a method of something passive gives, where the module has one such method.
    pub(super) fn shape_of_member(&self, receiver: &Passive, name: &Ident, args: &[Passive]) -> Option<Shape> {
        let shape = receiver.shape.as_ref()?;
        match shape.behind_references() {
            Shape::Items(item) => {
                return shape_of_items(item, matches!(shape, Shape::Reference(_)), &name.to_string(), args);
            }
            Shape::Option(content) => return shape_of_option(content, &name.to_string(), args),
            _ => {}
        }
        let own = shape.opaque().filter(|own| !own.is_pointer)?;
        let (owner, name) = (Owner::Struct(own.name.unraw().to_string()), name.unraw().to_string());
        let mut all = self.module.declared().methods().named(&owner, &name);
        let (Some(member), None) = (all.next(), all.next()) else { return None };
        // What hides a method of a trait is written elsewhere.
        self.shape_returned(member).filter(|shape| member.trait_.is_none() || shape.is_opaque())
    }

    /// The method that a call means: rustc looks for one that takes the value as it is, then one that takes a reference
    /// to it, then a mutable one; among these, first for those of the type itself, then for those of traits.
    fn chosen_method(&mut self, receiver: &Value, name: &str, ty: &str, call: &Method) -> Flow<Option<&'f Member>> {
        let methods = self.module.declared().methods();
        let all: Vec<_> =
            methods.named(&Owner::Struct(ty.to_string()), name).filter(|it| it.receiver.is_some()).collect();
        let [first, ..] = all[..] else { return Ok(None) };
        // In a function that knows the value by its traits, it is one of theirs, unless its type is written there.
        if methods.has_of_all(name) {
            return self.refuse(&call.name, refuse::method_of_all(name));
        }
        // What is no method of theirs is called on what is no value of a bounded type.
        let may_be_of = |call: &&InlinedCall| !call.has_plain_bounds || is_of_plain_trait(name);
        let bounds = self.activation.call.as_ref().filter(may_be_of).and_then(|call| call.bounds.as_ref());
        let declared = self.module.declared();
        let (traits, structs, instances) = (declared.traits(), declared.structs(), declared.instances());
        let has_no = |trait_: &str| instances.is_plain_trait(trait_) && !is_of_plain_trait(name);
        let bounds = bounds.filter(|names| traits.may_have(names, name, structs, &has_no));
        let bounds = bounds.map(|names| traits.with_required(names));
        let is_of_bound = |it: &&Member| {
            bounds.as_ref().is_none_or(|names| it.trait_.as_ref().is_some_and(|own| names.contains(own)))
        };
        if !all.iter().all(is_of_bound) {
            return self.refuse(&call.name, refuse::method_unclear(name, ty));
        }
        if let Some(Err(why)) = all.iter().map(|it| &it.function).find(|it| it.is_err()) {
            return self.refuse(&call.name, why);
        }
        if all.len() == 1 {
            return Ok(Some(first));
        }
        let order = match receiver {
            Value::Mutable(_) => [Passing::Mutable, Passing::Value, Passing::Shared],
            value if self.references_around(value) > 0 => [Passing::Shared, Passing::Value, Passing::Mutable],
            _ => [Passing::Value, Passing::Shared, Passing::Mutable],
        };
        // Whether a reference to what is passive as a whole is a mutable one is not known.
        let is_like = |it: &&Member| it.receiver == first.receiver;
        let is_unclear = receiver.definition().is_none() && self.references_around(receiver) > 0;
        let may_refer =
            matches!(receiver, Value::Passive(passive) if passive.may_refer) || is_unclear && !all.iter().all(is_like);
        if !may_refer && all.iter().all(|it| it.owner.references == 0) {
            for passing in order {
                for is_of_trait in [false, true] {
                    let mut found =
                        all.iter().filter(|it| it.receiver == Some(passing) && it.trait_.is_some() == is_of_trait);
                    match (found.next(), found.next()) {
                        (Some(found), None) => return Ok(Some(found)),
                        (Some(_), Some(_)) => return self.refuse(&call.name, refuse::method_unclear(name, ty)),
                        (None, _) => {}
                    }
                }
            }
        }
        self.refuse(&call.name, refuse::method_unclear(name, ty))
    }

    /// Makes the generated code fail to compile where a method of a trait is hidden by one of the struct itself that is
    /// written elsewhere: there, with another trait of that method, it is not the other trait's that is called.
    pub(in super::super) fn require_of_trait(&mut self, member: &Member) {
        let is_seen =
            self.module.declared().methods().named(&member.owner.owner, &member.name).any(|it| it.trait_.is_none());
        if let (Some(_), Owner::Struct(ty), Ok(function)) = (&member.trait_, &member.owner.owner, &member.function)
            && !is_seen
        {
            let count = function.sig.inputs.len() - usize::from(member.receiver.is_some());
            self.require_not_own(ty, &function.sig.ident, member.receiver, count);
        }
        if let Owner::Struct(ty) = &member.owner.owner
            && let Some(own) = self.module.declared().structs().opaque.get(ty)
        {
            self.require_no_pointer(&own.clone());
        }
    }

    /// Makes the generated code fail to compile where a type that is passive as a whole can be dereferenced: a value of
    /// another type may be meant by it then.
    fn require_no_pointer(&mut self, own: &Opaque) {
        let ty = own.ty(&quote!('static));
        let check = quote! {
            const _: fn() = {
                trait HasNoDeref<Way> {
                    fn has_no_deref() {}
                }
                impl<T: ?::core::marker::Sized> HasNoDeref<()> for T {}
                impl<T: ?::core::marker::Sized + ::core::ops::Deref> HasNoDeref<::core::primitive::bool> for T {}
                <self::#ty as HasNoDeref<_>>::has_no_deref
            };
        };
        self.program.require(check.to_string(), check);
    }

    /// The same for a function of this name, which takes this many arguments beside `self`.
    fn require_not_own(&mut self, ty: &str, name: &Ident, receiver: Option<Passing>, count: usize) {
        let written = match self.module.declared().structs().opaque.get(ty) {
            Some(own) => own.ty(&quote!('static)),
            None => identifier(ty, Span::call_site()).to_token_stream(),
        };
        self.require_not_own_of(&quote!(super::#written), ty, name, (receiver, count));
    }

    /// The same for a type that is written like this, and called so.
    pub(super) fn require_not_own_of(
        &mut self,
        ty: &TokenStream,
        called: &str,
        name: &Ident,
        (receiver, count): (Option<Passing>, usize),
    ) {
        let called = called.to_lowercase();
        let words: Vec<_> =
            called.split(|letter: char| !letter.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
        let module = format_ident!("seen_{}_{}", words.join("_"), name.unraw());
        let own = match receiver {
            Some(Passing::Value) => Some((quote!(self), quote!(#ty))),
            Some(Passing::Shared) => Some((quote!(&self), quote!(&#ty))),
            Some(Passing::Mutable) => Some((quote!(&mut self), quote!(&mut #ty))),
            None => None,
        };
        let (args, units) = (vec![quote!(_: ()); count], vec![quote!(()); count]);
        let (own, own_ty) = own.unzip();
        let (own, own_ty) = (own.into_iter().chain(args), own_ty.into_iter().chain(units.iter().cloned()));
        let own = own.collect::<Vec<_>>();
        let check = quote! {
            #[no_implicit_prelude]
            mod #module {
                struct Seen;
                trait Own {
                    fn #name(#(#own),*) -> Seen;
                }
                impl Own for #ty {
                    fn #name(#(#own),*) -> Seen {
                        Seen
                    }
                }
                const _: fn(#(#own_ty),*) -> Seen = <#ty>::#name;
            }
        };
        self.program.require(module.to_string(), check);
    }

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
        let path: syn::Path = syn::parse2(ty.clone()).ok()?;
        let ty = path.segments.last()?.ident.unraw().to_string();
        let owner = match path.segments.len() {
            // A name by itself may be one that is declared inside of a function.
            2 if path.segments[0].ident == "self" => Owner::Struct(ty.clone()),
            _ if ty == self.scalar.name() => Owner::Float,
            _ => return None,
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

    /// The shape of what a function of the module gives, or the name of a tuple struct, that is passive as a whole.
    pub(super) fn opaque_given(&self, path: &Path) -> Option<Shape> {
        if let Some(ReturnType::Type(_, ty)) =
            path.name_in_module().and_then(|name| self.module.declared().returned(&name))
        {
            return self.passive_shape_of(&syntax::ty(ty));
        }
        let is_tuple = |own: &Opaque| own.fields.iter().any(|(member, _)| matches!(member, syn::Member::Unnamed(_)));
        self.opaque_named(path).filter(|shape| shape.opaque().is_some_and(|own| is_tuple(own)))
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
    fn in_shape(&mut self, value: Value, shape: Option<Shape>) -> Value {
        match (value, shape) {
            (Value::Passive(passive), Some(shape)) if passive.number.is_none() => {
                Value::Passive(passive.with_shape(Some(shape)))
            }
            (value, _) => value,
        }
    }

    /// The result of an operator, one of whose operands is a struct; none if neither is.
    pub(in super::super) fn struct_operated(
        &mut self,
        op: &BinOp,
        (left, left_place): (&Value, &Expr),
        (right, right_place): (&Value, &Expr),
        whole: &dyn Placed,
    ) -> Flow<Option<Value>> {
        let is_passive = left.is_passive() && right.is_passive();
        let is_struct = |value: &Value| value.definition().is_some() || !is_passive && value.owner().is_some();
        if !is_struct(left) && !is_struct(right) {
            return Ok(None);
        }
        let Some([trait_, _]) = traits(op) else {
            let message = if is_comparison(op) { refuse::STRUCT_COMPARED } else { refuse::STRUCT_OPERATOR };
            return if is_passive { Ok(None) } else { self.refuse(op, message) };
        };
        let member = match self.implementation(trait_, left, Some(right)) {
            Err(_) if is_passive => return Ok(None),
            found => found.or_else(|why| self.refuse(op, why))?,
        };
        if let (Some(left), Some(right)) = (left.to_passive(), right.to_passive()) {
            return Ok(Some(self.passive_operator(trait_, member, &[left, right])));
        }
        let name = Ident::new(&member.name, Span::call_site());
        self.implemented(member, &[left.clone(), right.clone()], &[left_place, right_place], &path_at(&name, whole))
            .map(Some)
    }

    /// An operator between passive values, written as the call that it is: it is evaluated once, in its turn.
    fn passive_operator(&mut self, trait_: &str, member: &Member, operands: &[Passive]) -> Value {
        let [trait_, name] = [trait_, &member.name].map(|name| Ident::new(name, Span::call_site()));
        let operands = operands.iter().map(Passive::tokens);
        let call = Passive::simple(quote!(::core::ops::#trait_::#name(#(#operands),*)));
        let shape = self.shape_returned(member);
        self.in_shape(Value::Passive(call), shape)
    }

    /// `place op= right`, for a struct.
    pub(in super::super) fn struct_updated(
        &mut self,
        op: &BinOp,
        (place, target): (super::super::value::Place, &Expr),
        (right, operand): (Value, &Expr),
        whole: &Expr,
    ) -> Flow {
        let left = self.read(&place);
        let Some([_, trait_]) = traits(op) else {
            return self.refuse(op, refuse::STRUCT_OPERATOR);
        };
        let member = self.implementation(trait_, &left, Some(&right)).or_else(|why| self.refuse(op, why))?;
        let name = Ident::new(&member.name, Span::call_site());
        self.implemented(member, &[Value::Mutable(place), right], &[target, operand], &path_at(&name, whole))
    }

    /// Whether the module shows how such a value is negated.
    pub(in super::super) fn is_negated_here(&self, value: &Value) -> bool {
        self.implementation("Neg", value, None).is_ok()
    }

    /// `-value` of a struct.
    pub(in super::super) fn struct_negated(&mut self, value: Value, place: &Expr, whole: &Expr) -> Flow {
        let member = self.implementation("Neg", &value, None).or_else(|why| self.refuse(whole, why))?;
        if let Some(operand) = value.to_passive() {
            return Ok(self.passive_operator("Neg", member, &[operand]));
        }
        let name = Ident::new("neg", Span::call_site());
        self.implemented(member, &[value], &[place], &path_at(&name, whole))
    }

    /// `value[index]` of a struct.
    pub(in super::super) fn struct_indexed(&mut self, value: Value, index: &Value, places: [&Expr; 2]) -> Flow {
        let value = self.without_references(value);
        let members: Vec<_> = self.implementations("Index", &value, None).collect();
        let member = match members[..] {
            [member] => member,
            [] => return self.refuse(places[0], refuse::operator_not_seen("Index", described(&value), "_")),
            _ => return self.refuse(places[0], refuse::index_unclear(described(&value))),
        };
        let shared = self.shared(value);
        let name = Ident::new("index", Span::call_site());
        let element = self.implemented(member, &[shared, index.clone()], &places, &path_at(&name, places[1]))?;
        Ok(self.dereference(element))
    }

    /// The place that the `IndexMut` of a struct leads to.
    pub(in super::super) fn struct_index_place(&mut self, place: Place, index: &Value, written: &Expr) -> Flow<Place> {
        let value = self.read(&place);
        if !is_known_index(index) {
            return self.refuse(written, refuse::STRUCT_INDEX_ASSIGNED);
        }
        let members: Vec<_> = self.implementations("IndexMut", &value, None).collect();
        let [Member { function: Ok(function), .. }] = members[..] else {
            return self.refuse(written, refuse::STRUCT_INDEX_ASSIGNED);
        };
        let (own, name) = (Value::Mutable(place), Ident::new("index_mut", Span::call_site()));
        let values = [own, index.clone()];
        match self.inlined_reference(function, &values, &[written, written], &path_at(&name, written))? {
            Value::Mutable(place) => Ok(place),
            _ => self.refuse(written, refuse::STRUCT_INDEX_ASSIGNED),
        }
    }

    /// The value of an associated function without arguments.
    pub(in super::super) fn called_for_nothing(&mut self, member: &'f Member, place: &Expr) -> Flow {
        let name = Ident::new(&member.name, Span::call_site());
        self.implemented(member, &[], &[], &path_at(&name, place))
    }

    /// What `into` makes of a value where a struct of the module is expected, by the `From` that the module implements.
    pub(in super::super) fn converted_to_struct(&mut self, source: &Value, own: &Struct, place: &dyn Placed) -> Flow {
        self.converted_by_from(source, &Owner::Struct(own.name.unraw().to_string()), place)
    }

    /// What `into` makes of a struct of the module where floats of this shape are expected, by the same; none if it is no
    /// struct, or there is no `From` here.
    pub(in super::super) fn converted_from_struct(
        &mut self,
        source: &Value,
        shape: &Shape,
        place: &dyn Placed,
    ) -> Option<Flow> {
        source.definition()?;
        let owner = match shape {
            Shape::Float(_) => Owner::Float,
            Shape::Array(..) | Shape::Tuple(_) => Owner::Built(shape.text()?),
            _ => return None,
        };
        self.module.declared().methods().named(&owner, "from").next()?;
        Some(self.converted_by_from(source, &owner, place))
    }

    fn converted_by_from(&mut self, source: &Value, owner: &Owner, place: &dyn Placed) -> Flow {
        let is_from = |it: &&Member| {
            it.trait_.as_deref() == Some("From")
                && it.argument.as_ref().is_some_and(|argument| self.fits(argument, source))
        };
        let found: Vec<_> = self.module.declared().methods().named(owner, "from").filter(is_from).collect();
        let [member] = found[..] else { return self.refuse(place, refuse::CONVERSION) };
        if let Some(ty) = source.definition().map(|ty| ty.name.unraw().to_string()) {
            self.require_not_own(&ty, &Ident::new("into", Span::call_site()), Some(Passing::Value), 0);
        }
        let (name, written) = (Ident::new("from", Span::call_site()), Expr::new(ExprKind::Infer, place.place()));
        self.implemented(member, std::slice::from_ref(source), &[&written], &path_at(&name, place))
    }

    /// The function that implements a trait of an operator for operands like these, or why it is not known.
    fn implementation(&self, trait_: &str, left: &Value, right: Option<&Value>) -> Result<&'f Member, String> {
        let found: Vec<_> = self.implementations(trait_, left, right).collect();
        match found[..] {
            [found] => Ok(found),
            [] => {
                let right = right.map_or_else(|| "_".to_string(), described);
                Err(refuse::operator_not_seen(trait_, described(left), right))
            }
            _ => Err(refuse::operator_unclear(trait_)),
        }
    }

    fn implementations<'s>(
        &'s self,
        trait_: &str,
        left: &'s Value,
        right: Option<&'s Value>,
    ) -> impl Iterator<Item = &'f Member> + use<'s, 'f> {
        let all: Vec<_> = self.module.declared().methods().of_operator(trait_).collect();
        all.into_iter().filter(move |it| {
            let argument = it.argument.as_ref().unwrap_or(&it.owner);
            self.fits(&it.owner, left) && right.is_none_or(|right| self.fits(argument, right))
        })
    }

    /// The value of a function in an `impl` block.
    fn implemented(&mut self, member: &'f Member, args: &[Value], places: &[&Expr], call: &Path) -> Flow {
        match &member.function {
            Ok(function) => self.inlined_member(function, args, places, call),
            Err(why) => self.refuse(call, why),
        }
    }

    /// Whether a value may be one of this type.
    fn fits(&self, ty: &OwnerType, value: &Value) -> bool {
        let references = self.references_around(value);
        let is_number = |passive: &Passive| matches!(passive.number, Some(Number::Float(_)));
        let is_float = |passive: &Passive| passive.shape.is_none() && (is_number(passive) || passive.is_float());
        match value.behind_references() {
            value if value.owner().is_some() => {
                let own = value.owner().map(|own| own.unraw().to_string()).unwrap_or_default();
                ty.owner == Owner::Struct(own) && ty.references == references
            }
            Value::Active(Active { is_reference, .. }) => {
                ty.owner == Owner::Float && ty.references == usize::from(*is_reference)
            }
            Value::Called(_) => ty.owner == Owner::Float && ty.references == 0,
            Value::Passive(passive) if is_float(passive) => ty.owner == Owner::Float && ty.references == references,
            Value::Passive(passive) => match passive.shape.as_ref().map(Shape::behind_references) {
                Some(Shape::Float(_)) => ty.owner == Owner::Float && ty.references == references,
                Some(shape) => is_built(&ty.owner, shape.text()) && ty.references == references,
                // Nothing is known of it.
                None => true,
            },
            value => is_built(&ty.owner, self.text_of(value)) && ty.references == references,
        }
    }

    /// The number of references around a value, as far as its shape tells it.
    pub(super) fn references_around(&self, value: &Value) -> usize {
        match value {
            Value::Reference(target) => 1 + self.references_around(target),
            Value::Record(record) => record.references().unwrap_or(0),
            Value::Passive(passive) => {
                let (mut shape, mut count) = (passive.shape.as_ref(), 0);
                while let Some(Shape::Reference(target)) = shape {
                    (shape, count) = (Some(&**target), count + 1);
                }
                count
            }
            _ => 0,
        }
    }

    /// What all references around a value lead to.
    pub(super) fn without_references(&mut self, mut value: Value) -> Value {
        while self.references_around(&value) > 0 {
            value = self.dereference(value);
        }
        value
    }
}

/// Whether an array, a tuple or anything else whose type may be known is one for such an owner.
fn is_built(owner: &Owner, text: Option<String>) -> bool {
    match owner {
        Owner::Built(own) => text.is_none_or(|text| text == *own),
        Owner::Other => true,
        Owner::Struct(_) | Owner::Float => false,
    }
}

fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}

/// The shape of what a method gives of something with these items, or of a reference to it.
fn shape_of_items(item: &Shape, is_reference: bool, method: &str, args: &[Passive]) -> Option<Shape> {
    let shared = Shape::Reference(Box::new(item.clone()));
    let item = match (method, item) {
        ("iter" | "iter_mut", _) => shared,
        ("first" | "last", _) => return Some(Shape::Option(Box::new(shared))),
        ("into_iter", _) if is_reference => shared,
        ("into_iter" | "rev" | "skip" | "take" | "step_by", item) => item.clone(),
        ("copied" | "cloned", Shape::Reference(target)) => (**target).clone(),
        ("enumerate", item) => Shape::Tuple(vec![Shape::Passive(quote!(usize)), item.clone()]),
        ("windows" | "chunks" | "chunks_exact", item) => {
            Shape::Reference(Box::new(Shape::Items(Box::new(item.clone()))))
        }
        ("zip", item) => {
            let other = args.first().and_then(|other| other.shape.as_ref()).and_then(Shape::item);
            Shape::Tuple(vec![item.clone(), other.unwrap_or(Shape::Passive(quote!(_)))])
        }
        _ => return None,
    };
    Some(Shape::Items(Box::new(item)))
}

/// The shape of what a method gives of an `Option` of this, or of a reference to one.
fn shape_of_option(content: &Shape, method: &str, args: &[Passive]) -> Option<Shape> {
    let shared = Shape::Reference(Box::new(content.clone()));
    let content = match (method, content) {
        ("unwrap" | "expect" | "unwrap_or" | "unwrap_or_else", Shape::Passive(_)) => return None,
        ("unwrap" | "expect" | "unwrap_or" | "unwrap_or_else", content) => return Some(content.clone()),
        ("copied" | "cloned", Shape::Reference(target)) => (**target).clone(),
        ("iter" | "iter_mut", _) => return Some(Shape::Items(Box::new(shared))),
        ("as_ref" | "as_mut", _) => shared,
        ("take" | "replace" | "filter" | "or" | "or_else" | "xor" | "clone", content) => content.clone(),
        ("zip", content) => {
            let other = args.first().and_then(|other| other.shape.as_ref()).and_then(Shape::item);
            Shape::Tuple(vec![content.clone(), other.unwrap_or(Shape::Passive(quote!(_)))])
        }
        _ => return None,
    };
    Some(Shape::Option(Box::new(content)))
}

/// What a value is called in a message.
fn described(value: &Value) -> String {
    match (value.owner(), value) {
        (Some(name), Value::Reference(_)) => format!("&{name}"),
        (Some(name), _) => name.to_string(),
        (None, Value::Active(_) | Value::Called(_)) => "f64".to_string(),
        (None, Value::Passive(Passive { number: Some(Number::Float(_)), .. })) => "f64".to_string(),
        _ => "_".to_string(),
    }
}

/// The path of a function that is called by its name.
pub(super) fn path_of(name: &Ident) -> Path {
    let path = syn::ExprPath { attrs: Vec::new(), qself: None, path: name.clone().into() };
    Path { path, binding: Binding::Outside, may_be_std: false, names: Vec::new() }
}

/// The path of a method with the arguments of its parameters that are written at the call.
fn path_of_method(call: &Method) -> Path {
    let mut path = path_of(&call.name);
    if let Some(turbofish) = &call.turbofish {
        let written = &turbofish.written;
        let arguments = syn::parse2(written.tokens.clone());
        path.path.path.segments[0].arguments = arguments.map_or(PathArguments::None, PathArguments::AngleBracketed);
        path.names = written.names.clone();
    }
    path
}

/// The same, at the place of something else.
fn path_at(name: &Ident, place: &dyn Placed) -> Path {
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
