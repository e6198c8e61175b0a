//! Calls of functions of the same module whose bodies replace the call.

use std::rc::Rc;

use proc_macro2::Literal;
use quote::ToTokens;
use syn::{FnArg, Generics, ItemFn, Lit, Signature, WherePredicate};

use super::super::attributes::allowed;
use super::super::module::{Call, Caller, Method};
use super::super::names::each_identifier;
use super::super::read::shape::Reading;
use super::super::read::ty::mentions;
use super::super::refuse;
use super::super::syntax::{self, Binding, Expr, ExprKind, Import, Key, LocalItem, Path, Placed, Type, TypeKind};
use super::bindings::InlinedCall;
use super::control::{Flow, Stop};
use super::expected::Expected;
use super::leave::Given;
use super::pattern::is_behind_trait;
use super::value::Value;
use super::{Inlinable, Lowering};

/// The traits of what is called.
pub(super) const CALLED: &[&str] = &["Fn", "FnMut", "FnOnce"];

/// What begins a type that is known by its traits only.
pub(super) const BEHIND_TRAITS: &[&str] = &["impl", "dyn"];

/// How often a function may be called inside of itself.
const MAX_RECURSION: usize = 24;

impl<'f> Lowering<'f> {
    /// The function of the module that `path` names.
    /// The arguments tell which, where several traits have it.
    pub(super) fn member_of_module(&self, path: &Path, args: Option<&[Value]>) -> Option<Call<'f>> {
        match (path.name_in_module(), self.associated(path, args)) {
            (Some(name), _) if self.always_inlined.contains(&name) => {
                self.module.declared().function(&name).map(Call::Inlined)
            }
            (Some(name), _) => {
                let is_in_loop = self.program.body.is_some();
                self.module.call(&name, Caller { is_second_order: self.is_second_order, is_in_loop })
            }
            (None, Some(Ok(Method { function: Ok(function), .. }))) => Some(Call::Inlined(function)),
            (None, Some(Ok(Method { function: Err(why), .. }))) => Some(Call::Refused(why.clone())),
            (None, Some(Err(why))) => Some(Call::Refused(why)),
            (None, None) => None,
        }
    }

    /// The function inside of the present one that `path` names.
    pub(super) fn local_function(&self, path: &Path) -> Option<Rc<LocalItem>> {
        let Binding::Local(id) = path.binding else { return None };
        let item = &self.activation.body.items[id.0 as usize];
        (path.path.path.segments.len() == 1 && item.function.get().is_some()).then(|| item.clone())
    }

    /// The value of a function of the module for these arguments.
    pub(super) fn inlined_member(&mut self, function: &ItemFn, args: &[Value], places: &[&Expr], call: &Path) -> Flow {
        let body = self.body_of(function);
        self.inlined(function, &body, (args, places), call)
    }

    /// The same of a function that may return a mutable reference.
    pub(super) fn inlined_reference(
        &mut self,
        function: &ItemFn,
        args: &[Value],
        places: &[&Expr],
        call: &Path,
    ) -> Flow {
        let body = self.body_of(function);
        self.inlined_body(function, &body, (args, places), call)
    }

    /// The value of a function for these arguments, which stand at these places.
    pub(super) fn inlined(
        &mut self,
        function: &ItemFn,
        body: &Rc<syntax::Body>,
        (args, places): (&[Value], &[&Expr]),
        call: &Path,
    ) -> Flow {
        match self.inlined_body(function, body, (args, places), call)? {
            Value::Closure(_) => self.refuse(call, refuse::CLOSURE_AS_VALUE),
            Value::Mutable(_) => self.refuse(call, refuse::MUTABLE_REFERENCE),
            value if value.has_struct() && mentions(function.sig.output.to_token_stream(), BEHIND_TRAITS) => {
                self.refuse(call, refuse::STRUCT_BEHIND_TRAIT)
            }
            value => self.no_record(value, call),
        }
    }

    fn inlined_body(
        &mut self,
        function: &ItemFn,
        body: &Rc<syntax::Body>,
        (args, places): (&[Value], &[&Expr]),
        call: &Path,
    ) -> Flow {
        let name = &function.sig.ident;
        let depth = self.functions.iter().filter(|outer| name == *outer).count();
        if depth > MAX_RECURSION {
            return self.refuse(call, refuse::recursion(name, MAX_RECURSION));
        }
        // Where a function that calls itself twice is refused at the bottom, it would be at the end of all other ways there.
        if depth > 0 && !self.errors.is_empty() {
            return Err(Box::new(Stop::Refused));
        }
        let is_complete = !function.sig.inputs.iter().any(|input| matches!(input, FnArg::Receiver(_)));
        if !is_complete || function.sig.inputs.len() != args.len() {
            return self.refuse(call, refuse::function_arguments(name, function.sig.inputs.len()));
        }
        // Its value is that in the `Some` or the `Ok`, as if the `?` were applied to it.
        let given_here = self.given_by_call(call);
        let is_tried = given_here == Some(Given::Value);
        let body = match (&body.fallible, &body.with_option) {
            (Some(_), _) if is_tried => body,
            (Some(of), Some(with_option)) if of.is_option() => with_option,
            (Some(of), Some(with_option)) if given_here == Some(Given::Option) && self.may_drop(with_option, of) => {
                with_option
            }
            (Some(_), Some(_)) if given_here == Some(Given::Option) => {
                return self.refuse(call, refuse::ERROR_CONVERTED);
            }
            (Some(_), _) => return self.refuse(call, refuse::LEFT_WITHOUT_TRY),
            (None, _) => body,
        };
        self.not_hidden(body, call)?;
        let given = self.given(&function.sig.generics, body, (args, places), call)?;
        let mut args = args.to_vec();
        for ((arg, place), (_, ty)) in args.iter_mut().zip(places).zip(&body.parameters) {
            if let Value::Passive(_) = arg {
                *arg = self.given_value(arg, place, (ty, &function.sig.generics))?;
            }
        }
        let bounds = bounds(&function.sig);
        let has_plain_bounds = self.module.declared().instances().has_plain_bounds(&function.sig.generics)
            && !function.sig.inputs.iter().any(|input| mentions(input.to_token_stream(), BEHIND_TRAITS));
        let place = call.place();
        let inlined = InlinedCall { function: name.clone(), place, given, bounds, has_plain_bounds };
        if inlined.bounds.is_some() {
            self.require_parts_of_traits(function, &inlined.given)?;
            self.require_methods_of_traits(function, &inlined.given, (&args, places))?;
            self.require_told_types(function, places)?;
        }
        self.functions.push(name.to_string());
        let activation = self.bindings.activate(body, Some(inlined));
        let caller = std::mem::replace(&mut self.activation, activation);
        self.hoisted.outside.extend(body.outside.iter().cloned());
        let returned = body.output.as_ref().and_then(|ty| self.written_out(ty));
        let outer = std::mem::replace(&mut self.returned, Expected::of_type(returned.as_ref()));
        self.program.frame.note_place(call);
        let (leaves, ways) = (self.leaves, self.ways.len());
        let way = if is_tried { self.way_of_tried() } else { None };
        self.leaves = is_tried && (leaves || way.as_ref().is_some_and(|way| way.panics));
        self.ways.extend(way);
        let value = self.body_with(body, &args).and_then(|value| self.declared(value, body.output.as_ref()));
        self.leaves = leaves;
        self.ways.truncate(ways);
        let returned = std::mem::replace(&mut self.returned, outer);
        let value = value.map(|value| self.given_back(value, &returned));
        self.activation = caller;
        self.functions.pop();
        value
    }

    /// A type with the lengths in it that are parameters of the present function, if it means the same where that is
    /// called.
    fn written_out(&mut self, ty: &Type) -> Option<Type> {
        let TypeKind::Array(element, length) = &ty.kind else { return is_writable(ty).then(|| ty.clone()) };
        let element = self.written_out(element)?;
        let length = match is_generic(length) {
            true => {
                let known = self.on_trial(|lowering| lowering.expression(length));
                let known = Literal::usize_suffixed(usize::try_from(known?.as_int()?).ok()?);
                Expr::new(ExprKind::Literal(Lit::new(known)), length.place)
            }
            false => length.clone(),
        };
        Some(Type { kind: TypeKind::Array(element.into(), length), place: ty.place })
    }

    /// What a passive argument is to a function that is inlined: a function can be called there, and floats behind a
    /// mutable reference can become active.
    fn given_value(&mut self, arg: &Value, place: &Expr, (ty, generics): (&Type, &Generics)) -> Flow {
        if is_callable(ty, generics) {
            return Ok(self.named_function(place).unwrap_or_else(|| arg.clone()));
        }
        match (&*place.unwrapped().kind, &ty.kind) {
            (ExprKind::Mutable(target), TypeKind::Reference(_, true, floats)) if target.root().is_some() => {
                match self.reader().read(floats) {
                    Reading::Other => Ok(arg.clone()),
                    Reading::Floats(_) | Reading::Unclear(_) => Ok(Value::Mutable(self.place(target)?)),
                }
            }
            _ => Ok(arg.clone()),
        }
    }

    /// The value of the present function, with these arguments.
    pub(super) fn body_with(&mut self, body: &syntax::Body, args: &[Value]) -> Flow {
        self.import_all()?;
        self.body(&body.block, |lowering| {
            body.parameters.iter().zip(args).try_for_each(|((pattern, ty), value)| {
                if let (Value::Mutable(_), TypeKind::Reference(_, true, target)) = (value, &ty.kind)
                    && let TypeKind::Reference(..) = target.kind
                {
                    return lowering.refuse(pattern, refuse::REFERENCE_ASSIGNED);
                }
                // Of what type a value of the module is stays known: its methods are those of the bounds.
                let is_known = value.owner().is_some() && is_behind_trait(ty);
                let is_said = !is_known && (matches!(value, Value::Record(_)) || is_writable(ty));
                let told = if is_said { None } else { lowering.told_by_arguments(ty, value) };
                lowering.bind(pattern, value.clone(), told.as_ref().or(Some(ty).filter(|_| is_said)))
            })
        })
    }

    /// The type of vectors that a parameter of the present function has, where its generic parameters are known, and its
    /// value may not tell rustc.
    fn told_by_arguments(&self, ty: &Type, value: &Value) -> Option<Type> {
        let is_untold = match value {
            Value::Into(_) => true,
            Value::Passive(passive) => !passive.is_reference(),
            _ => false,
        };
        if is_untold { self.with_given_numbers(ty) } else { None }
    }

    /// Refuses a function that names something outside of it by the name of an item that is written before the
    /// statements already: that would hide it. Items of the module are hidden by none, for an item with such a name
    /// gets another one. A trait of the function around it would give it methods.
    fn not_hidden(&mut self, body: &syntax::Body, call: &Path) -> Flow<()> {
        let is_hidden = |name: &&String| {
            self.hoisted.names.contains(*name) && !self.module.declared().items().names.contains(*name)
        };
        let is_of_module = body.from_around.items == 0;
        if let (Some(name), true) = (body.outside.iter().filter(is_hidden).min(), is_of_module) {
            return self.refuse(call, refuse::inlined_name(name));
        }
        let around = &self.outermost;
        let has_traits =
            around.imports.iter().any(Import::may_be_trait) || around.items.iter().any(|item| item.is_trait);
        if has_traits && is_of_module {
            return self.refuse(call, refuse::TRAIT_AROUND);
        }
        Ok(())
    }

    /// Finds out the types of the literals of a function inside of another one, once.
    pub(super) fn infer_local(&mut self, body: &Rc<syntax::Body>) {
        for body in [Some(body), body.with_option.as_ref()].into_iter().flatten() {
            if !self.numbers.literals.has(body) {
                self.numbers.infer(body, (self.module.declared(), self.with), true);
            }
        }
    }

    /// The body of a function of the module, which is read once.
    fn body_of(&mut self, function: &ItemFn) -> Rc<syntax::Body> {
        let name = Inlinable::Function(std::ptr::from_ref(function) as usize);
        if let Some(body) = self.bodies.get(&name) {
            return body.clone();
        }
        self.program.lints.extend(allowed(function.to_token_stream()));
        let body = Rc::new(syntax::function(function, self.module.declared().items(), self.collections));
        self.has_collections |= body.has_collections;
        for body in [Some(&body), body.with_option.as_ref()].into_iter().flatten() {
            self.numbers.infer(body, (self.module.declared(), &[]), true);
        }
        self.bodies.insert(name, body.clone());
        body
    }
}

/// Whether values of a type can be called: a function or a closure, or a reference to one.
fn is_callable(ty: &Type, generics: &Generics) -> bool {
    match &ty.kind {
        TypeKind::Reference(_, _, target) => is_callable(target, generics),
        TypeKind::Other(ty, _) => match &**ty {
            syn::Type::FnPtr(_) => true,
            ty @ (syn::Type::ImplTrait(_) | syn::Type::TraitObject(_)) => mentions(ty.to_token_stream(), CALLED),
            _ => false,
        },
        TypeKind::Path(path, _) => {
            let is_own =
                |bounded: &dyn ToTokens| bounded.to_token_stream().to_string() == path.to_token_stream().to_string();
            let in_list =
                generics.type_params().any(|it| is_own(&it.ident) && mentions(it.bounds.to_token_stream(), CALLED));
            let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
            in_list
                || clauses.into_iter().any(|predicate| match predicate {
                    WherePredicate::Type(it) => is_own(&it.bounded_ty) && mentions(it.bounds.to_token_stream(), CALLED),
                    _ => false,
                })
        }
        TypeKind::Array(..) | TypeKind::Tuple(_) | TypeKind::Infer => false,
    }
}

/// The names in the bounds of the types that a function knows by traits only: type parameters and `impl Trait`, but for
/// what is called. In a method that a trait provides, a clause says so of the type itself.
fn bounds(signature: &Signature) -> Option<Vec<String>> {
    let clauses = signature.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let mut lists = Vec::new();
    let mut bounded = Vec::new();
    for predicate in clauses {
        if let WherePredicate::Type(it) = predicate {
            bounded.push(it.bounded_ty.to_token_stream().to_string());
            lists.push(it.bounds.to_token_stream());
        }
    }
    for parameter in signature.generics.type_params() {
        if !parameter.bounds.is_empty() || !bounded.contains(&parameter.ident.to_string()) {
            lists.push(parameter.bounds.to_token_stream());
        }
    }
    for input in &signature.inputs {
        if let FnArg::Typed(typed) = input
            && mentions(typed.ty.to_token_stream(), BEHIND_TRAITS)
        {
            lists.push(typed.ty.to_token_stream());
        }
    }
    lists.retain(|list| !mentions(list.clone(), CALLED));
    let mut names = Vec::new();
    for list in &lists {
        each_identifier(list.clone(), &mut |ident| names.push(ident.to_string()));
    }
    names.retain(|name| !signature.generics.type_params().any(|own| own.ident == name));
    (!lists.is_empty()).then_some(names)
}

/// Whether a type means the same where the function is called.
pub(super) fn is_writable(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Array(element, length) => is_writable(element) && !is_generic(length),
        TypeKind::Tuple(elements) => elements.iter().all(is_writable),
        TypeKind::Reference(reference, _, target) => !has_lifetime(&reference.lifetime) && is_writable(target),
        TypeKind::Infer => true,
        TypeKind::Path(path, names) => !names_generic(names) && !has_lifetime(path),
        TypeKind::Other(ty, names) => {
            !names_generic(names) && !matches!(**ty, syn::Type::ImplTrait(_)) && !has_lifetime(ty)
        }
    }
}

/// Whether a length depends on a generic parameter.
fn is_generic(length: &Expr) -> bool {
    let paths = length.paths();
    paths.iter().any(|path| path.binding == Binding::Generic || names_generic(&path.names))
}

fn names_generic(names: &[(Key, Binding)]) -> bool {
    names.iter().any(|(_, binding)| *binding == Binding::Generic)
}

/// Whether a lifetime is named in a type.
fn has_lifetime(tokens: &impl quote::ToTokens) -> bool {
    let mut is_named = false;
    let mut is_tick = false;
    for token in tokens.to_token_stream() {
        is_named |= is_tick && !matches!(&token, proc_macro2::TokenTree::Ident(name) if name == "_");
        is_tick = matches!(&token, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == '\'');
    }
    is_named
}
