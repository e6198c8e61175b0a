//! Methods of the structs of the module: their bodies replace the calls.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::PathArguments;
use syn::ext::IdentExt;

use super::super::super::module::{Method as Member, Owner, Passing, is_of_plain_trait};
use super::super::super::read::shape::Shape;
use super::super::super::read::structs::is_cloned_as_it_is;
use super::super::super::refuse;
use super::super::super::syntax::{Expr, ExprKind, Method, Node, Path, changes};
use super::super::super::tokens::is_punct;
use super::super::Lowering;
use super::super::bindings::InlinedCall;
use super::super::control::Flow;
use super::super::value::{Passive, Value};
use super::associated::path_of;

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
        let path = path_of_method(call);
        self.try_method(call, &function.sig, &path);
        let values: Vec<_> = std::iter::once(own).chain(args).collect();
        let places: Vec<_> = std::iter::once(&call.receiver).chain(&call.args).collect();
        self.inlined_member(function, &values, &places, &path)
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
            Shape::Result(content) => return shape_of_result(content, &name.to_string()),
            float @ Shape::Float(_) if name == "sin_cos" => return Some(Shape::Tuple(vec![float.clone(); 2])),
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

/// The shape of what a method gives of something with these items, or of a reference to it.
fn shape_of_items(item: &Shape, is_reference: bool, method: &str, args: &[Passive]) -> Option<Shape> {
    let shared = Shape::Reference(Box::new(item.clone()));
    let item = match (method, item) {
        ("iter" | "iter_mut", _) => shared,
        ("first" | "last", _) => return Some(Shape::Option(Box::new(shared))),
        ("get" | "get_mut", _) if !args.iter().any(|index| has_range(index.tokens().clone())) => {
            return Some(Shape::Option(Box::new(shared)));
        }
        (
            "next" | "next_back" | "nth" | "find" | "reduce" | "max_by" | "min_by" | "max_by_key" | "min_by_key",
            item,
        ) => {
            return Some(Shape::Option(Box::new(item.clone())));
        }
        ("into_iter", _) if is_reference => shared,
        (
            "into_iter" | "rev" | "skip" | "take" | "step_by" | "filter" | "skip_while" | "take_while" | "cycle",
            item,
        ) => item.clone(),
        ("copied" | "cloned", Shape::Reference(target)) => (**target).clone(),
        ("flatten", Shape::Reference(target)) => Shape::Reference(Box::new(target.item()?)),
        ("flatten", item) => item.item()?,
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

/// Whether a range is written in an index.
fn has_range(index: TokenStream) -> bool {
    let dots: Vec<_> = index.into_iter().map(|token| is_punct(Some(&token), '.')).collect();
    dots.windows(2).any(|pair| pair == [true, true])
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

/// The same of a `Result`.
fn shape_of_result(content: &Shape, method: &str) -> Option<Shape> {
    let (content, shared) = (content.clone(), Shape::Reference(Box::new(content.clone())));
    Some(match method {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default" => content,
        "ok" => Shape::Option(Box::new(content)),
        "as_ref" | "as_mut" => Shape::Result(Box::new(shared)),
        "map_err" | "or" | "or_else" | "clone" | "inspect_err" => Shape::Result(Box::new(content)),
        _ => return None,
    })
}

/// The path of a method with the arguments of its parameters that are written at the call.
pub(super) fn path_of_method(call: &Method) -> Path {
    let mut path = path_of(&call.name);
    if let Some(turbofish) = &call.turbofish {
        let written = &turbofish.written;
        let arguments = syn::parse2(written.tokens.clone());
        path.path.path.segments[0].arguments = arguments.map_or(PathArguments::None, PathArguments::AngleBracketed);
        path.names = written.names.clone();
    }
    path
}
