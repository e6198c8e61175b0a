//! The types of literals, found before anything is lowered.
//!
//! A literal has one type wherever it is evaluated, however often, and a use can tell it that is evaluated when the
//! function is expanded, or that control never reaches: rustc sees no such use in the generated code. So each function
//! is walked once, and the types of its literals are narrowed as rustc does it, as far as a macro sees types. What is
//! not understood says nothing, but for which literals it may say something (`open`).

mod call;
mod expression;
mod open;
mod pattern;
mod terms;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{FnArg, GenericArgument, GenericParam, Member, PathArguments, ReturnType, Signature, TypeParamBound};

pub use self::open::Untold;
use self::open::{Key, Literal, Meaning, Opaque, OpenTypes, Stands};
use self::terms::{Term, Terms, TypeForm};
use super::super::super::module::Declarations;
use super::super::super::names::each_identifier;
use super::super::super::read::scalar::Scalar;
use super::super::super::read::shape::{Reader, Reading, Shape, Struct};
use super::super::super::read::with::With;
use super::super::super::syntax::{self, Binding, Body, Expr, ExprKind, TargetId, Type, TypeKind, VariableId};
use super::super::generics::{bounds_of, text};
use super::super::optional::content_of_option;
use super::integer::{TypeId, TypeTable, Types};
use super::number_type;

/// How a literal is used.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Use {
    /// It is evaluated once.
    Once,
    /// It may be evaluated more than once: in a loop, a closure, or a function that is inlined.
    Often,
    /// It is in a pattern or in a constant, where no variable can be.
    AsConstant,
}

/// The types of the literals of all functions that have been walked.
#[derive(Default)]
pub struct Literals {
    types: HashMap<*const ExprKind, (TypeId, Use)>,
    /// The variables that hold such literals, where their type is not found out.
    shared: HashMap<*const ExprKind, Option<Ident>>,
    /// Those literals of floats that a variable is declared with, of which only later code tells the type, those that a
    /// field is given, and those that are there instead of what an `Option` holds.
    told_elsewhere: HashSet<*const ExprKind>,
    /// The types of the variables that hold floats, by their functions.
    floats: HashMap<(*const Body, VariableId), TypeId>,
    /// Those types that code may tell which is not understood.
    pub open: OpenTypes,
    /// What the literals are in: it must live on for their addresses to mean them alone.
    bodies: Vec<Rc<Body>>,
}

impl Literals {
    /// The type of a literal, if it stands in a function that has been walked.
    pub fn ty(&self, literal: &Expr) -> Option<TypeId> {
        self.used(literal).map(|(ty, _)| ty)
    }

    /// The type of a literal, and how it is used.
    pub fn used(&self, literal: &Expr) -> Option<(TypeId, Use)> {
        self.types.get(&Rc::as_ptr(&literal.kind)).copied()
    }

    /// Whether a literal is of a float whose type is told by code after its statement only, or by a field or an `Option`.
    pub fn is_told_elsewhere(&self, literal: &Expr) -> bool {
        self.told_elsewhere.contains(&Rc::as_ptr(&literal.kind))
    }

    /// The type of a variable of a function that has been walked, if it holds a float.
    pub fn float(&self, body: &Body, variable: VariableId) -> Option<TypeId> {
        self.floats.get(&(std::ptr::from_ref(body), variable)).copied()
    }

    /// The variable that holds a literal.
    pub fn shared(&mut self, literal: &Expr) -> &mut Option<Ident> {
        self.shared.entry(Rc::as_ptr(&literal.kind)).or_default()
    }

    /// Whether a function has been walked.
    pub fn has(&self, body: &Rc<Body>) -> bool {
        self.bodies.iter().any(|own| Rc::ptr_eq(own, body))
    }

    /// Finds out the types of the literals of a function or a constant, in which these functions have declared
    /// Jacobians.
    pub fn infer(
        &mut self,
        body: &Rc<Body>,
        types: &mut TypeTable,
        (module, with): (&Declarations, &[With]),
        scalar: &Scalar,
        is_inlined: bool,
    ) {
        self.bodies.push(body.clone());
        let mut terms = Terms::default();
        let (variables, returned) = (body.variables.iter().map(|_| terms.unknown()).collect(), terms.unknown());
        let mut inference = Inference {
            literals: self,
            types,
            module,
            with,
            scalar,
            body,
            terms,
            variables,
            returned,
            targets: HashMap::new(),
            generics: HashMap::new(),
            own_generics: HashMap::new(),
            pending: Vec::new(),
            opaque: Vec::new(),
            mentioned: Vec::new(),
            told: HashSet::new(),
            untyped: Vec::new(),
            stands: Stands::Always,
            call: Stands::Always,
            depth: 0,
            is_repeated: is_inlined,
            is_constant: true,
        };
        inference.body();
    }
}

struct Inference<'i> {
    literals: &'i mut Literals,
    types: &'i mut TypeTable,
    module: &'i Declarations,
    /// The functions that have a Jacobian of their own.
    with: &'i [With],
    scalar: &'i Scalar,
    body: &'i Body,
    terms: Terms,
    /// The types of the variables.
    variables: Vec<Term>,
    /// What the function or the closure around this place returns.
    returned: Term,
    /// What `break` gives for a block with a label.
    targets: HashMap<TargetId, Term>,
    /// The generic parameters of the function that is called.
    generics: HashMap<String, Term>,
    /// Those of this function whose bounds say what can be called, or iterated over.
    own_generics: HashMap<String, Term>,
    /// What says more once other types are known.
    pending: Vec<Pending>,
    /// What says more than is understood.
    opaque: Vec<Opaque>,
    /// The variables that hold something else than an integer.
    told: HashSet<VariableId>,
    /// The variables that are mentioned, but for those that hold integers: all literals of one type are tied to each
    /// other.
    mentioned: Vec<(Key, Term)>,
    /// The literals without a type.
    untyped: Vec<Literal>,
    /// The expression whose type is asked for at present.
    stands: Stands,
    /// The call of a function whose name is that expression.
    call: Stands,
    /// How deep expressions nest at present.
    depth: usize,
    /// Whether this place may be evaluated more than once.
    is_repeated: bool,
    /// Whether this place is in a pattern or in a constant, where no variable can be.
    is_constant: bool,
}

/// An expression whose type depends on types that are not known yet: those of its operands.
struct Pending {
    rule: Rule,
    operands: [Term; 2],
    result: Term,
    stands: Stands,
}

impl Pending {
    /// The expression, of which no more becomes known.
    fn into_opaque(self) -> Opaque {
        let Pending { operands: [left, right], result, stands, .. } = self;
        let meaning = if let Rule::Index = self.rule { Meaning::Part } else { Meaning::Other };
        Opaque { place: stands, terms: vec![left, right, result], meaning }
    }
}

#[derive(Copy, Clone)]
enum Rule {
    /// An arithmetic operator.
    Operator,
    /// `a[b]`.
    Index,
}

impl Inference<'_> {
    fn body(&mut self) {
        for constant in &self.body.constants {
            self.stands = Stands::In(Rc::as_ptr(&constant.value.kind));
            let (ty, value) = (self.ty(&constant.ty), self.expression(&constant.value));
            self.unify(ty, value);
        }
        self.is_constant = false;
        self.stands = Stands::Always;
        // Bounds are written in the generated code only if all of the function is.
        self.stands = if self.is_repeated { Stands::Never } else { Stands::Always };
        let generics = &self.body.generics;
        for parameter in generics.type_params().filter(|parameter| bounds_of(parameter, generics).any(says_more)) {
            let term = self.terms.unknown();
            self.own_generics.insert(text(&parameter.ident), term);
        }
        for parameter in generics.type_params() {
            if let Some(&term) = self.own_generics.get(&text(&parameter.ident)) {
                let bounded = self.behind_bounds(bounds_of(parameter, generics));
                self.unify(term, bounded);
            }
        }
        self.stands = Stands::Always;
        if let Some((id, _)) = &self.body.receiver {
            let own = self.opaque_with(Meaning::Declared, &[]);
            self.unify(self.variables[id.0 as usize], own);
        }
        for (pattern, ty) in &self.body.parameters {
            let ty = self.ty(ty);
            self.bind(pattern, ty);
            self.opaque.push(Opaque { place: Stands::Always, terms: vec![ty], meaning: Meaning::Declared });
        }
        // What a function that is inlined returns is written without its type.
        self.stands = if self.is_repeated { Stands::Never } else { Stands::Always };
        self.returned = self.declared(self.body.output.as_ref());
        let value = self.block(&self.body.block);
        self.unify(self.returned, value);
        while self.resolve_pending() {}
        self.opaque.extend(self.pending.drain(..).map(Pending::into_opaque));
        for (index, variable) in self.variables.iter().enumerate() {
            if let TypeForm::Int(ty) = self.terms.kind(*variable)
                && self.types.get(ty).is_float()
            {
                let variable = (std::ptr::from_ref(self.body), VariableId(index as u32));
                self.literals.floats.insert(variable, ty);
            }
        }
        let literals = std::mem::take(&mut self.untyped);
        self.literals.open.add(literals, &self.opaque, &self.mentioned, &mut self.terms, self.types);
    }

    /// Applies the rules for which enough is known by now. Whether there was one.
    fn resolve_pending(&mut self) -> bool {
        let pending = std::mem::take(&mut self.pending);
        let before = pending.len();
        pending.into_iter().for_each(|pending| self.follow(pending));
        self.pending.len() < before
    }

    /// Applies a rule, now or when more is known.
    fn follow(&mut self, pending: Pending) {
        let [left, right] = pending.operands;
        let kinds = [self.terms.kind(left), self.terms.kind(right)];
        match (pending.rule, kinds) {
            (Rule::Operator, [TypeForm::Int(id), TypeForm::Unknown] | [TypeForm::Unknown, TypeForm::Int(id)])
                if self.is_float(id) =>
            {
                let other = self.terms.add(TypeForm::Other);
                self.unify(other, pending.result);
            }
            (Rule::Operator, [TypeForm::Int(_), TypeForm::Int(_)]) => {
                self.tie(left, right);
                self.tie(left, pending.result);
            }
            (Rule::Index, [TypeForm::Array(element), TypeForm::Int(_)]) => {
                self.is_usize(right);
                self.unify(element, pending.result);
            }
            (Rule::Index, [TypeForm::Array(_), TypeForm::Items(bound)]) => {
                self.is_usize(bound);
                self.unify(left, pending.result);
            }
            (Rule::Index, [TypeForm::Vector, TypeForm::Int(_)]) => self.is_usize(right),
            (Rule::Index, [TypeForm::Vector, TypeForm::Tuple(indices)]) => {
                indices.into_iter().for_each(|index| self.is_usize(index));
            }
            // The result is a float or a vector, too.
            (Rule::Operator, [TypeForm::Other | TypeForm::Vector, _] | [_, TypeForm::Other | TypeForm::Vector]) => {
                let other = self.terms.add(TypeForm::Other);
                self.unify(other, pending.result);
            }
            (_, [TypeForm::Unknown, _] | [_, TypeForm::Unknown]) => self.pending.push(pending),
            _ => self.opaque.push(pending.into_opaque()),
        }
    }

    /// The type of an expression that such a rule tells.
    fn by_rule(&mut self, rule: Rule, operands: [Term; 2]) -> Term {
        let (result, stands) = (self.terms.unknown(), self.stands);
        self.follow(Pending { rule, operands, result, stands });
        result
    }

    /// The type of what is not understood, which says something of these types, too.
    fn opaque(&mut self, terms: &[Term]) -> Term {
        self.opaque_with(Meaning::Other, terms)
    }

    fn opaque_with(&mut self, meaning: Meaning, terms: &[Term]) -> Term {
        let result = self.terms.unknown();
        let terms = [terms, &[result]].concat();
        self.opaque.push(Opaque { place: self.stands, terms, meaning });
        result
    }

    fn unify(&mut self, left: Term, right: Term) {
        self.terms.unify(left, right, self.types);
    }

    /// Says that two types are the same, which the generated code says, too.
    fn tie(&mut self, left: Term, right: Term) {
        let shared = self.terms.shared_by_floats.len();
        self.unify(left, right);
        self.terms.shared_by_floats.truncate(shared);
    }

    /// Whether a type is surely one of floats, and known which.
    fn is_float(&mut self, id: TypeId) -> bool {
        let types = self.types.get(id);
        types.is_float() && types.only().is_some()
    }

    /// Says that two types are the same where that leaves no trace in the generated code. What is told so of a literal
    /// by code that is not understood, rustc does not see.
    fn unify_silently(&mut self, left: Term, right: Term) {
        let told = match [self.terms.root(left), self.terms.root(right)] {
            [(told, TypeForm::Unknown), (_, other)] | [(_, other), (told, TypeForm::Unknown)]
                if self.has_integer(&other) =>
            {
                let mut opaque = self
                    .opaque
                    .iter()
                    .filter(|opaque| opaque.meaning != Meaning::Type)
                    .flat_map(|opaque| &opaque.terms);
                opaque.any(|term| self.terms.root(*term).0 == told).then_some(told)
            }
            _ => None,
        };
        let is_told = |told| Opaque { place: Stands::Never, terms: vec![told], meaning: Meaning::Other };
        self.opaque.extend(told.map(is_told));
        self.unify(left, right);
    }

    /// Whether an integer is in a type.
    fn has_integer(&mut self, form: &TypeForm) -> bool {
        let has = |inference: &mut Self, term: Term| {
            let form = inference.terms.kind(term);
            inference.has_integer(&form)
        };
        match form {
            TypeForm::Int(_) => true,
            TypeForm::Array(inner) | TypeForm::Items(inner) => has(self, *inner),
            TypeForm::Tuple(parts) => parts.iter().any(|part| has(self, *part)),
            TypeForm::Function(parameters, result) => {
                parameters.iter().any(|parameter| has(self, *parameter)) || has(self, *result)
            }
            TypeForm::Unknown | TypeForm::Other | TypeForm::Vector | TypeForm::Struct(_) => false,
        }
    }

    /// A new type of integers.
    fn int(&mut self, types: Types) -> Term {
        let id = self.types.add(types);
        self.terms.add(TypeForm::Int(id))
    }

    /// The integer type of this name.
    fn named(&mut self, name: &str) -> Term {
        self.int(Types::named(name).unwrap_or_default())
    }

    fn is_usize(&mut self, term: Term) {
        let usize = self.named("usize");
        self.unify(usize, term);
    }

    /// A type that is written. References are not told from what they refer to.
    fn ty(&mut self, ty: &Type) -> Term {
        let kind = match &ty.kind {
            TypeKind::Reference(_, _, target) => return self.ty(target),
            TypeKind::Array(element, length) => {
                let length = self.expression(length);
                self.is_usize(length);
                TypeForm::Array(self.ty(element))
            }
            TypeKind::Tuple(elements) => TypeForm::Tuple(elements.iter().map(|element| self.ty(element)).collect()),
            TypeKind::Other(other, _) => match &**other {
                syn::Type::Slice(slice) => TypeForm::Array(self.ty(&syntax::ty(&slice.elem))),
                syn::Type::ImplTrait(ty) => return self.behind_bounds(&ty.bounds),
                syn::Type::TraitObject(ty) => return self.behind_bounds(&ty.bounds),
                syn::Type::FnPtr(function) => {
                    return self.function(function.inputs.iter().map(|input| &input.ty), &function.output);
                }
                _ => return self.opaque_with(Meaning::Type, &[]),
            },
            TypeKind::Path(path, _) if let Some(known) = self.generic(path) => return known,
            TypeKind::Path(path, names) => {
                match (number_type(path), Reader::of(self.scalar).with(self.module.structs()).read(ty)) {
                    (Some(types), _) => return self.int(types),
                    (None, Reading::Floats(Shape::Vector(_))) => TypeForm::Vector,
                    (None, Reading::Floats(Shape::Struct(definition))) => TypeForm::Struct(definition),
                    (None, Reading::Floats(_)) => TypeForm::Other,
                    (None, _) if path.path.is_ident("bool") => TypeForm::Other,
                    (None, _) if let Some(element) = ty.element_of_vec() => {
                        TypeForm::Array(self.ty(&syntax::ty(element)))
                    }
                    (None, _) if let Some(content) = content_of_option(path) => {
                        TypeForm::Items(self.ty(&syntax::ty(content)))
                    }
                    (None, _) if let Some(items) = self.library_items(path, names) => return items,
                    _ => return self.opaque_with(Meaning::Type, &[]),
                }
            }
            TypeKind::Infer => TypeForm::Unknown,
        };
        self.terms.add(kind)
    }

    /// The type of a field of a struct; none if it has no such field.
    fn field_of(&mut self, definition: &Struct, member: &Member) -> Option<Term> {
        let field = &definition.fields[definition.index_of(member)?];
        Some(self.ty(&syntax::ty(&field.ty)))
    }

    /// The type that is written, if one is.
    fn declared(&mut self, ty: Option<&Type>) -> Term {
        match ty {
            Some(ty) => self.ty(ty),
            None => self.terms.unknown(),
        }
    }

    /// The type of an iterator or a range of the standard library, as far as is seen.
    fn library_items(&mut self, path: &syn::TypePath, names: &[(syntax::Key, Binding)]) -> Option<Term> {
        let is_outside = names.iter().all(|(_, binding)| !matches!(binding, Binding::Item | Binding::Local(_)));
        let last = path.path.segments.last().filter(|_| is_outside && path.qself.is_none())?;
        let PathArguments::AngleBracketed(given) = &last.arguments else { return None };
        let inner = given.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(syntax::ty(ty)),
            _ => None,
        })?;
        match last.ident.to_string().as_str() {
            "Range" | "RangeInclusive" | "RangeFrom" | "RangeTo" | "RangeToInclusive" | "Iter" | "IntoIter" => {
                let item = self.ty(&inner);
                Some(self.terms.add(TypeForm::Items(item)))
            }
            "Rev" | "Peekable" | "Skip" | "Take" | "StepBy" | "Fuse" | "Cycle" | "Copied" | "Cloned" => {
                Some(self.ty(&inner))
            }
            "Enumerate" => {
                let (items, index) = (self.ty(&inner), self.named("usize"));
                let TypeForm::Items(item) = self.terms.kind(items) else { return None };
                let pair = self.terms.add(TypeForm::Tuple(vec![index, item]));
                Some(self.terms.add(TypeForm::Items(pair)))
            }
            _ => None,
        }
    }

    /// A generic parameter of the function that is called, or of this one.
    fn generic(&self, path: &syn::TypePath) -> Option<Term> {
        let name = text(path.path.get_ident()?);
        self.generics.get(&name).or_else(|| self.own_generics.get(&name)).copied()
    }

    /// A type with these bounds.
    fn behind_bounds<'b>(&mut self, bounds: impl IntoIterator<Item = &'b TypeParamBound>) -> Term {
        self.bounded(bounds).unwrap_or_else(|| self.opaque_with(Meaning::Type, &[]))
    }

    /// The same, where one of them says that it is that of a function, or of something with items.
    fn bounded<'b>(&mut self, bounds: impl IntoIterator<Item = &'b TypeParamBound>) -> Option<Term> {
        let arguments = bounds.into_iter().filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last(),
            _ => None,
        });
        arguments.into_iter().find_map(|bound| match &bound.arguments {
            PathArguments::Parenthesized(function) => {
                Some(self.function(function.inputs.iter().map(|input| &input.ty), &function.output))
            }
            PathArguments::AngleBracketed(given) if bound.ident.to_string().ends_with("Iterator") => {
                let item = given.args.iter().find_map(|argument| match argument {
                    GenericArgument::AssocType(item) if item.ident == "Item" => Some(&item.ty),
                    _ => None,
                })?;
                let item = self.ty(&syntax::ty(item));
                Some(self.terms.add(TypeForm::Items(item)))
            }
            _ => None,
        })
    }

    fn function<'t>(&mut self, inputs: impl Iterator<Item = &'t syn::Type>, output: &ReturnType) -> Term {
        let parameters = inputs.map(|input| self.ty(&syntax::ty(input))).collect();
        let output = match output {
            ReturnType::Type(_, ty) => self.ty(&syntax::ty(ty)),
            ReturnType::Default => self.terms.unit(),
        };
        self.terms.add(TypeForm::Function(parameters, output))
    }

    /// A type that is not written in the generated code: that of a constant that is evaluated, or of what a closure
    /// that is inlined returns.
    fn written_nowhere(&mut self, ty: Option<&Type>) -> Term {
        let outer = std::mem::replace(&mut self.stands, Stands::Never);
        let term = self.declared(ty);
        self.stands = outer;
        term
    }

    /// The type of a function that may be inlined, as its signature says it. The types of its parameters are written
    /// then, what it returns and the bounds of its generic parameters are not.
    fn signature(&mut self, signature: &Signature, arguments: &[&GenericArgument]) -> Term {
        let generics = &signature.generics;
        let mut arguments = arguments.iter().copied();
        for parameter in generics.params.iter() {
            let argument = if let GenericParam::Lifetime(_) = parameter { None } else { arguments.next() };
            let GenericParam::Type(parameter) = parameter else { continue };
            let term = match argument {
                Some(GenericArgument::Type(ty)) => self.ty(&syntax::ty(ty)),
                _ => self.terms.unknown(),
            };
            self.generics.insert(text(&parameter.ident), term);
        }
        for parameter in generics.type_params() {
            if parameter.bounds.is_empty() && generics.where_clause.is_none() {
                continue;
            }
            let outer = self.stands;
            if bounds_of(parameter, generics).any(|bound| mentions_integer(bound.to_token_stream())) {
                self.stands = Stands::Never;
            }
            let bounded = self.behind_bounds(bounds_of(parameter, generics));
            self.stands = outer;
            self.unify(self.generics[&text(&parameter.ident)], bounded);
        }
        let own = std::mem::replace(&mut self.stands, self.call);
        let parameters = signature.inputs.iter().map(|input| match input {
            FnArg::Typed(typed) => self.ty(&syntax::ty(&typed.ty)),
            FnArg::Receiver(_) => self.terms.unknown(),
        });
        let parameters = parameters.collect();
        self.stands = own;
        let output = match &signature.output {
            ReturnType::Type(_, ty) => self.ty(&syntax::ty(ty)),
            ReturnType::Default => self.terms.unit(),
        };
        self.generics.clear();
        self.terms.add(TypeForm::Function(parameters, output))
    }
}

/// Whether a bound says what can be called, or iterated over.
fn says_more(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    bound.path.segments.last().is_some_and(|last| {
        matches!(last.arguments, PathArguments::Parenthesized(_)) || last.ident.to_string().ends_with("Iterator")
    })
}

/// Whether a type of integers is named.
fn mentions_integer(tokens: TokenStream) -> bool {
    let mut is_named = false;
    each_identifier(tokens, &mut |ident| is_named |= Types::named(&ident.to_string()).is_some());
    is_named
}
