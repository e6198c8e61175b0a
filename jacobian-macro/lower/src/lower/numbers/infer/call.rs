//! Calls: of closures, of the module's functions, and of what is known of the standard library.

use jacobian_list::catalogue::Intrinsic;
use jacobian_list::code_list;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{BinOp, FnArg, ReturnType};

use super::super::super::super::module::{Method as Member, Owner};
use super::super::super::super::read::shape::Struct;
use super::super::super::super::read::vector::vector_from_fn;
use super::super::super::super::read::with::With;
use super::super::super::super::syntax::{self, Binding, Expr, ExprKind, Method, Path};
use super::super::super::call::converts_by_bounds;
use super::super::super::generics;
use super::super::super::memory::memory_function;
use super::super::super::vector::is_vector_of_elements;
use super::super::integer::{self, ResultType, Types};
use super::Inference;
use super::open::Meaning;
use super::terms::{Term, TypeForm};

impl Inference<'_> {
    pub(super) fn call(&mut self, function: &Expr, args: &[Expr]) -> Term {
        if let ([callee], Some(_)) = (args, function.path_of_from_fn(args)) {
            let index = self.named("usize");
            let element = self.called(callee, &[index]);
            return self.terms.add(TypeForm::Array(element));
        }
        if let ([callee], Some(_)) = (args, vector_from_fn(function)) {
            let index = self.named("usize");
            self.called(callee, &[index, index]);
            return self.terms.add(TypeForm::Vector);
        }
        if let ExprKind::Path(path) = &*function.unwrapped().kind
            && let Some(name) = memory_function(path, self.body)
        {
            return self.memory_call(name, args);
        }
        if let ExprKind::Path(path) = &*function.unwrapped().kind
            && converts_by_bounds(path, &self.body.generics)
        {
            // A literal is of no other type than by itself.
            self.all(args);
            return self.terms.unknown();
        }
        self.call = self.stands;
        let callee = self.expression(function);
        let args = self.all(args);
        if let (ExprKind::Path(path), [arg]) = (&*function.unwrapped().kind, &args[..])
            && path.path.path.segments.last().is_some_and(|last| last.ident == "from")
        {
            self.converted(*arg);
        }
        if let (ExprKind::Path(path), [first, others @ ..]) = (&*function.unwrapped().kind, &args[..])
            && is_vector_of_elements(path)
        {
            others.iter().for_each(|other| self.unify_silently(*first, *other));
        }
        self.result_of(callee, args)
    }

    /// `mem::swap(a, b)`, `mem::replace(a, b)` and `mem::take(a)`: `a` and `b` are of one type, which is that of what is
    /// given back by the last two.
    fn memory_call(&mut self, name: &str, args: &[Expr]) -> Term {
        let args = self.all(args);
        let [first, rest @ ..] = &args[..] else { return self.terms.unit() };
        rest.iter().for_each(|other| self.unify_silently(*first, *other));
        if name == "swap" { self.terms.unit() } else { *first }
    }

    /// What a function returns for these arguments.
    fn result_of(&mut self, function: Term, args: Vec<Term>) -> Term {
        match self.terms.kind(function) {
            TypeForm::Function(parameters, result) if parameters.len() == args.len() => {
                for (parameter, arg) in parameters.into_iter().zip(args) {
                    match [self.terms.kind(parameter), self.terms.kind(arg)] {
                        // An array for what is bounded by `IntoIterator`.
                        [TypeForm::Items(item), TypeForm::Array(element)] => self.unify_silently(item, element),
                        _ => self.unify_silently(parameter, arg),
                    }
                }
                result
            }
            _ => {
                let result = self.opaque(&[&args[..], &[function]].concat());
                let call = self.terms.add(TypeForm::Function(args, result));
                self.unify(function, call);
                result
            }
        }
    }

    /// What is returned by a closure or a function that is called with these arguments.
    fn called(&mut self, callee: &Expr, args: &[Term]) -> Term {
        let function = match &*callee.unwrapped().kind {
            ExprKind::Closure(closure) => self.closure(closure, Some(args)),
            _ => self.expression(callee),
        };
        self.result_of(function, args.to_vec())
    }

    /// A function or a constant of the module, or a function inside of this one.
    pub(super) fn item_of_module(&mut self, path: &Path) -> Option<Term> {
        let body = self.body;
        if let Binding::Local(id) = path.binding
            && let Some(function) = body.items[id.0 as usize].function.get()
        {
            return Some(self.signature(&function.item.sig, &generics::arguments(path).collect::<Vec<_>>()));
        }
        let is_named =
            |with: &&With| with.function.to_token_stream().to_string() == path.path.to_token_stream().to_string();
        let with = self.with.iter().find(is_named);
        if let Some(ty) = with.and_then(|with| with.ty.as_ref()) {
            let parameters = ty.inputs.iter().map(|input| self.ty(&syntax::ty(&input.ty))).collect();
            let output = match &ty.output {
                ReturnType::Type(_, ty) => self.ty(&syntax::ty(ty)),
                ReturnType::Default => self.terms.unit(),
            };
            return Some(self.terms.add(TypeForm::Function(parameters, output)));
        }
        let module = self.module;
        let Some(name) = path.name_in_module() else { return self.associated(path) };
        if let Some(function) = module.function(&name) {
            return Some(self.signature(&function.sig, &generics::arguments(path).collect::<Vec<_>>()));
        }
        if let Some(Ok(definition)) = module.struct_named(path)
            && definition.is_tuple
        {
            let definition = definition.clone();
            let fields = definition.fields.iter().map(|field| self.ty(&syntax::ty(&field.ty))).collect();
            let whole = self.terms.add(TypeForm::Struct(definition.clone()));
            return Some(self.terms.add(TypeForm::Function(fields, whole)));
        }
        if let Some(instances) = module.instances().of(&name) {
            return self.constructor_of(&instances);
        }
        let constant = module.constant(&path.path.path.segments.last()?.ident)?;
        Some(self.written_nowhere(Some(&syntax::ty(&constant.ty))))
    }

    /// What makes one of these instances of a generic tuple struct.
    fn constructor_of(&mut self, instances: &[&str]) -> Option<Term> {
        let structs = self.module.structs();
        let all: Vec<_> = instances.iter().filter_map(|name| structs.read.get(*name)?.as_ref().ok().cloned()).collect();
        all.first().filter(|first| first.is_tuple)?;
        let fields: Vec<Vec<_>> =
            all.iter().map(|own| own.fields.iter().map(|field| field.ty.clone()).collect()).collect();
        Some(self.function_of_instances(&fields))
    }

    /// The function of this name of one of these instances of a generic struct.
    fn associated_of(&mut self, instances: &[&str], name: &str) -> Option<Term> {
        let mut all = Vec::new();
        for instance in instances {
            let owner = Owner::Struct(instance.to_string());
            let mut found = self.module.methods().named(&owner, name);
            let (Some(member), None) = (found.next(), found.next()) else { return None };
            let inputs = member.function.as_ref().ok()?.sig.inputs.iter().map(|input| match input {
                FnArg::Typed(typed) => Some((*typed.ty).clone()),
                FnArg::Receiver(_) => None,
            });
            all.push(inputs.collect::<Option<Vec<_>>>()?);
        }
        all.first()?;
        Some(self.function_of_instances(&all))
    }

    /// A function with parameters of these types, in each of the instances of a generic struct. A type that is not the same
    /// in all of them is not known, but parameters are of one type that are so in each.
    fn function_of_instances(&mut self, all: &[Vec<syn::Type>]) -> Term {
        let mut known: Vec<(Vec<String>, Term)> = Vec::new();
        let mut parameters = Vec::new();
        for (index, ty) in all[0].iter().enumerate() {
            let texts: Vec<_> = all.iter().map(|own| own[index].to_token_stream().to_string()).collect();
            let term = match known.iter().find(|(other, _)| *other == texts) {
                Some((_, term)) => *term,
                None if texts.iter().all(|text| *text == texts[0]) => self.ty(&syntax::ty(ty)),
                None => self.opaque(&[]),
            };
            known.push((texts, term));
            parameters.push(term);
        }
        let whole = self.opaque(&[]);
        self.terms.add(TypeForm::Function(parameters, whole))
    }

    /// A function or a constant of a struct.
    fn associated(&mut self, path: &Path) -> Option<Term> {
        let (module, name) = (self.module, path.path.path.segments.last()?.ident.unraw().to_string());
        let mut ty = path.clone();
        ty.path.path.segments.pop();
        ty.path.path.segments.pop_punct();
        let definition = match module.struct_named(&ty)? {
            Ok(definition) => definition,
            Err(_) => {
                let instances = module.instances().of(&ty.name_in_module()?)?;
                return self.associated_of(&instances, &name);
            }
        };
        let owner = definition.name.unraw().to_string();
        if let Some(constant) = module.methods().constant(&owner, &name) {
            return Some(self.written_nowhere(Some(&syntax::ty(&constant.ty))));
        }
        let owner = Owner::Struct(owner);
        let mut found = module.methods().named(&owner, &name);
        let (Some(member), None) = (found.next(), found.next()) else { return None };
        Some(self.signature(&member.function.as_ref().ok()?.sig, &[]))
    }

    /// A function of integers, such as `i32::pow` or `core::cmp::min`, or a constant of theirs; and what makes a vector.
    pub(super) fn item_of_std(&mut self, path: &Path) -> Option<Term> {
        if !path.may_be_std || path.path.qself.is_some() {
            return None;
        }
        let names = path.segments();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        match names[..] {
            ["core" | "std", "cmp", "min" | "max"] | ["cmp", "min" | "max"] => {
                let both = self.terms.unknown();
                Some(self.terms.add(TypeForm::Function(vec![both; 2], both)))
            }
            ["f32" | "f64", name] => self.item_of_float(names[0], name),
            ["Vec", "new"] => {
                let element = self.terms.unknown();
                let vector = self.terms.add(TypeForm::Array(element));
                Some(self.terms.add(TypeForm::Function(Vec::new(), vector)))
            }
            ["Some"] | [.., "Option", "Some"] => {
                let content = self.terms.unknown();
                let whole = self.terms.add(TypeForm::Items(content));
                Some(self.terms.add(TypeForm::Function(vec![content], whole)))
            }
            ["None"] | [.., "Option", "None"] => {
                let content = self.terms.unknown();
                Some(self.terms.add(TypeForm::Items(content)))
            }
            [ty, "MIN" | "MAX"] => Some(self.int(Types::named(ty)?)),
            [ty, "BITS"] => Types::named(ty).map(|_| self.named("u32")),
            [ty, name] => {
                let (types, method) = (Types::named(ty)?, integer::Method::find(name)?);
                let receiver = self.int(types);
                let (mut parameters, result) = self.method_of_int(receiver, method);
                parameters.insert(0, receiver);
                Some(self.terms.add(TypeForm::Function(parameters, result)))
            }
            _ => None,
        }
    }

    /// A function or a constant of floats.
    fn item_of_float(&mut self, ty: &str, name: &str) -> Option<Term> {
        let float = self.int(Types::float(ty)?);
        if name.chars().all(|letter| letter.is_uppercase() || letter == '_') {
            return Some(float);
        }
        // A conversion tells nothing: there are many.
        let rest = match (name, Intrinsic::find(name)) {
            ("from", _) => return Some(self.conversion(float)),
            (_, intrinsic) => intrinsic?.row().arity().checked_sub(1)?,
        };
        let args: Vec<_> = (0..rest).map(|_| self.terms.unknown()).collect();
        let result = self.method_of_float(name, float, &args);
        Some(self.terms.add(TypeForm::Function([vec![float], args].concat(), result)))
    }

    /// A function from something to a float.
    fn conversion(&mut self, float: Term) -> Term {
        let from = self.terms.unknown();
        self.terms.add(TypeForm::Function(vec![from], float))
    }

    /// The parameters of a method of integers, and what it returns.
    fn method_of_int(&mut self, receiver: Term, method: &integer::Method) -> (Vec<Term>, Term) {
        let parameter = |kind| if kind == b'=' { receiver } else { self.named("u32") };
        let parameters = method.arguments.bytes().map(parameter).collect();
        let result = match (method.result, self.terms.kind(receiver)) {
            (ResultType::Same, _) => receiver,
            (ResultType::Bool, _) => self.terms.add(TypeForm::Other),
            (other, TypeForm::Int(id)) => {
                let types = other.types(self.types.get(id));
                self.int(types)
            }
            _ => self.terms.unknown(),
        };
        (parameters, result)
    }

    /// What the only function of this name in the `impl` blocks of a struct returns, which is given these arguments.
    fn member(&mut self, definition: &Struct, name: &str, args: &[Term]) -> Option<Term> {
        let (module, owner) = (self.module, Owner::Struct(definition.name.unraw().to_string()));
        let mut found = module.methods().named(&owner, name);
        let (Some(member), None) = (found.next(), found.next()) else { return None };
        let function = self.signature(&member.function.as_ref().ok()?.sig, &[]);
        Some(self.result_of(function, args.to_vec()))
    }

    /// What an operator gives of which an operand is a struct, where only one implementation can be meant.
    pub(super) fn operator_of_structs(&mut self, op: &BinOp, operands: [Term; 2]) -> Option<Term> {
        let trait_ = match op {
            BinOp::Add(_) => "Add",
            BinOp::Sub(_) => "Sub",
            BinOp::Mul(_) => "Mul",
            BinOp::Div(_) => "Div",
            _ => return None,
        };
        let kinds = operands.map(|operand| self.terms.kind(operand));
        if !kinds.iter().any(|kind| matches!(kind, TypeForm::Struct(_))) {
            return None;
        }
        let fits = |owner: &Owner, kind: &TypeForm| match (owner, kind) {
            (_, TypeForm::Unknown) => true,
            (Owner::Struct(own), TypeForm::Struct(definition)) => definition.name.unraw() == own.as_str(),
            (Owner::Float, TypeForm::Int(_) | TypeForm::Other) => true,
            (Owner::Other | Owner::Built(_), kind) => !matches!(kind, TypeForm::Struct(_)),
            _ => false,
        };
        let all = self.module.methods().of_operator(trait_);
        let mut found = all.filter(|it| {
            fits(&it.owner.owner, &kinds[0]) && fits(&it.argument.as_ref().unwrap_or(&it.owner).owner, &kinds[1])
        });
        let first = found.next()?;
        // Those for references are of the same types behind these.
        let types = |it: &Member| (it.owner.owner.clone(), it.argument.as_ref().map(|it| it.owner.clone()));
        if !found.all(|other| types(other) == types(first)) {
            return None;
        }
        let function = self.signature(&first.function.as_ref().ok()?.sig, &[]);
        Some(self.result_of(function, operands.to_vec()))
    }

    pub(super) fn method(&mut self, call: &Method, receiver: Term) -> Term {
        let name = call.name.to_string();
        if let TypeForm::Struct(definition) = self.terms.kind(receiver) {
            let args = self.all(&call.args);
            let all = [&[receiver], &args[..]].concat();
            return match self.member(&definition, &name, &all) {
                Some(result) => result,
                None if name == "clone" && args.is_empty() => receiver,
                None => self.opaque(&all),
            };
        }
        match self.terms.kind(receiver) {
            TypeForm::Int(id) if self.types.get(id).is_float() => {
                let args = self.all(&call.args);
                self.method_of_float(&name, receiver, &args)
            }
            TypeForm::Int(_) => {
                let args = self.all(&call.args);
                let Some(method) = integer::Method::find(&name) else {
                    return self.opaque(&[&args[..], &[receiver]].concat());
                };
                let (parameters, result) = self.method_of_int(receiver, method);
                parameters.into_iter().zip(args).for_each(|(parameter, arg)| self.unify(parameter, arg));
                result
            }
            TypeForm::Array(item) | TypeForm::Items(item) => self.method_of_items(call, &name, receiver, item),
            kind => {
                let args = self.all(&call.args);
                match (kind, name.as_str()) {
                    (TypeForm::Tuple(_), "clone" | "to_owned") => receiver,
                    // That of a type parameter.
                    (TypeForm::Other, name) => self.method_of_float(name, receiver, &args),
                    // What a power gives is not of the type of the exponent, whatever it is a power of.
                    (_, "powi") => {
                        self.opaque(&[&args[..], &[receiver]].concat());
                        self.opaque(&[receiver])
                    }
                    _ => self.opaque(&[&args[..], &[receiver]].concat()),
                }
            }
        }
    }

    /// A method of a float.
    fn method_of_float(&mut self, name: &str, receiver: Term, args: &[Term]) -> Term {
        let row = match (name, Intrinsic::find(name)) {
            ("clone" | "to_owned", _) => return receiver,
            ("sin_cos", _) => return self.terms.add(TypeForm::Tuple(vec![receiver; 2])),
            (_, Some(intrinsic)) if intrinsic.row().arity() == args.len() + 1 => intrinsic.row(),
            _ => return self.opaque(&[args, &[receiver]].concat()),
        };
        for (kind, arg) in row.takes.iter().skip(1).zip(args) {
            let parameter = if *kind == code_list::Kind::Int { self.named("i32") } else { receiver };
            self.unify(parameter, *arg);
        }
        if row.gives == code_list::Kind::Bool { self.terms.add(TypeForm::Other) } else { receiver }
    }

    /// A method of an array, of an iterator or of a range, with items of type `item`.
    fn method_of_items(&mut self, call: &Method, name: &str, receiver: Term, item: Term) -> Term {
        let is_array = matches!(self.terms.kind(receiver), TypeForm::Array(_));
        let result = match (name, &call.args[..]) {
            ("map", [callee]) if is_array => TypeForm::Array(self.called(callee, &[item])),
            ("map", [callee]) => TypeForm::Items(self.called(callee, &[item])),
            ("filter", [callee]) => {
                self.called(callee, &[item]);
                TypeForm::Items(item)
            }
            ("all" | "any" | "for_each", [callee]) => {
                self.called(callee, &[item]);
                TypeForm::Other
            }
            ("find", [callee]) => {
                self.called(callee, &[item]);
                TypeForm::Items(item)
            }
            ("position", [callee]) => {
                self.called(callee, &[item]);
                TypeForm::Items(self.named("usize"))
            }
            ("min_by" | "max_by" | "reduce", [callee]) => {
                self.called(callee, &[item, item]);
                TypeForm::Items(item)
            }
            ("flat_map" | "filter_map" | "find_map" | "and_then", [callee]) => {
                let inner = self.called(callee, &[item]);
                TypeForm::Items(self.item_of(inner))
            }
            ("flatten", []) => TypeForm::Items(self.item_of(item)),
            ("fold", [start, callee]) => {
                let start = self.expression(start);
                let folded = self.called(callee, &[start, item]);
                self.unify_silently(start, folded);
                return start;
            }
            ("unwrap_or_else", [callee]) => {
                let other = self.called(callee, &[]);
                self.unify_silently(item, other);
                return item;
            }
            ("map_or", [other, callee]) => {
                let before = self.untyped.len();
                let other = self.expression(other);
                self.told_elsewhere(before);
                let mapped = self.called(callee, &[item]);
                self.unify_silently(other, mapped);
                return other;
            }
            ("sum" | "product", []) => return self.total(call, item),
            ("iter" | "iter_mut" | "into_iter" | "copied" | "cloned" | "rev" | "by_ref", []) => TypeForm::Items(item),
            ("to_vec", []) => TypeForm::Array(item),
            ("clone" | "to_owned" | "as_slice" | "each_ref" | "as_ref" | "as_mut" | "take", []) => return receiver,
            _ => return self.method_with_values(call, name, receiver, item),
        };
        self.terms.add(result)
    }

    /// A method of those that is given values, and no closure.
    fn method_with_values(&mut self, call: &Method, name: &str, receiver: Term, item: Term) -> Term {
        let before = self.untyped.len();
        let args = self.all(&call.args);
        let result = match (name, &args[..]) {
            ("len" | "count", []) => return self.named("usize"),
            ("unwrap" | "unwrap_or_default", []) | ("expect", [_]) => return item,
            ("unwrap_or", [other]) => {
                self.unify_silently(item, *other);
                self.told_elsewhere(before);
                return item;
            }
            ("or", [other]) => {
                self.unify_silently(receiver, *other);
                return receiver;
            }
            ("is_some" | "is_none", []) => TypeForm::Other,
            ("next" | "next_back" | "first" | "first_mut" | "last" | "last_mut" | "min" | "max", []) => {
                TypeForm::Items(item)
            }
            ("nth" | "get" | "get_mut", [index]) if let TypeForm::Int(_) = self.terms.kind(*index) => {
                self.is_usize(*index);
                TypeForm::Items(item)
            }
            ("enumerate", []) => {
                let index = self.named("usize");
                TypeForm::Items(self.terms.add(TypeForm::Tuple(vec![index, item])))
            }
            ("skip" | "take" | "step_by", [count]) => {
                self.is_usize(*count);
                TypeForm::Items(item)
            }
            ("windows" | "chunks_exact" | "chunks" | "chunks_mut" | "chunks_exact_mut", [size]) => {
                self.is_usize(*size);
                TypeForm::Items(self.terms.add(TypeForm::Array(item)))
            }
            ("split_first" | "split_last" | "split_first_mut" | "split_last_mut", []) => {
                TypeForm::Items(self.terms.add(TypeForm::Tuple(vec![item, receiver])))
            }
            ("split_at" | "split_at_mut", [at]) => {
                self.is_usize(*at);
                TypeForm::Tuple(vec![receiver; 2])
            }
            ("swap", [one, other]) => {
                self.is_usize(*one);
                self.is_usize(*other);
                TypeForm::Other
            }
            ("rotate_left" | "rotate_right", [by]) => {
                self.is_usize(*by);
                TypeForm::Other
            }
            ("contains" | "fill" | "push", [value]) => {
                self.unify_silently(item, *value);
                TypeForm::Other
            }
            ("copy_from_slice", [other]) => {
                let own = self.item_of(*other);
                self.unify_silently(item, own);
                TypeForm::Other
            }
            ("zip", [other]) => {
                let other = self.item_of(*other);
                TypeForm::Items(self.terms.add(TypeForm::Tuple(vec![item, other])))
            }
            ("chain", [other]) => {
                let other = self.item_of(*other);
                self.unify_silently(item, other);
                TypeForm::Items(item)
            }
            _ => return self.opaque(&[&args[..], &[receiver]].concat()),
        };
        self.terms.add(result)
    }

    /// `sum` and `product`: integers add up to one of their own type.
    fn total(&mut self, call: &Method, item: Term) -> Term {
        let ty = call.turbofish.as_ref().and_then(|turbofish| turbofish.only.as_ref());
        let total = self.declared(ty);
        if let TypeForm::Int(_) = self.terms.kind(item) {
            self.unify(total, item);
        } else {
            self.opaque(&[item, total]);
        }
        total
    }

    /// The type of the items of what a loop goes over.
    pub(super) fn item_of(&mut self, items: Term) -> Term {
        match self.terms.kind(items) {
            TypeForm::Array(item) | TypeForm::Items(item) => item,
            _ => self.opaque_with(Meaning::Part, &[items]),
        }
    }
}
