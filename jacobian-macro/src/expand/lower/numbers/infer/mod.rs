//! The types of integer literals, found before anything is lowered.
//!
//! A literal has one type wherever it is evaluated, however often, and a use can tell it that is evaluated when the function
//! is expanded, or that control never comes to: rustc sees no such use in the generated code. So each function is walked once,
//! and the types of its literals are narrowed as rustc does it, as far as a macro sees types. What is not understood says
//! nothing.

mod call;
mod expression;
mod pattern;
mod terms;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::Ident;
use syn::{FnArg, ItemFn, ReturnType};

use self::terms::{Kind, Term, Terms};
use super::super::super::module::Module;
use super::super::super::read::scalar::Scalar;
use super::super::super::read::shape::{Reader, Reading, Shape};
use super::super::super::syntax::{self, Body, Expr, ExprKind, TargetId, Type, TypeKind};
use super::integer::{TypeId, TypeTable, Types};
use super::integer_type;

/// The types of the integer literals of all functions that have been walked.
#[derive(Default)]
pub struct Literals {
    types: HashMap<*const ExprKind, TypeId>,
    /// Those that may be evaluated more than once: in a loop, a closure, or a function that is inlined.
    repeated: HashSet<*const ExprKind>,
    /// The variables that hold such literals, where their type is not found out.
    shared: HashMap<*const ExprKind, Option<Ident>>,
    /// What the literals stand in: it must live on for their addresses to mean them alone.
    bodies: Vec<Rc<Body>>,
}

impl Literals {
    /// The type of a literal, if it stands in a function that has been walked.
    pub fn ty(&self, literal: &Expr) -> Option<TypeId> {
        self.types.get(&Rc::as_ptr(&literal.kind)).copied()
    }

    /// Whether a literal may be evaluated more than once.
    pub fn is_repeated(&self, literal: &Expr) -> bool {
        self.repeated.contains(&Rc::as_ptr(&literal.kind))
    }

    /// The variable that holds a literal.
    pub fn shared(&mut self, literal: &Expr) -> &mut Option<Ident> {
        self.shared.entry(Rc::as_ptr(&literal.kind)).or_default()
    }

    /// Finds out the types of the literals of a function or a constant.
    pub fn infer(
        &mut self,
        body: &Rc<Body>,
        types: &mut TypeTable,
        module: &Module,
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
            scalar,
            body,
            terms,
            variables,
            returned,
            targets: HashMap::new(),
            pending: Vec::new(),
            depth: 0,
            is_repeated: is_inlined,
            is_pattern: false,
        };
        inference.body();
    }
}

struct Inference<'i> {
    literals: &'i mut Literals,
    types: &'i mut TypeTable,
    module: &'i Module,
    scalar: &'i Scalar,
    body: &'i Body,
    terms: Terms,
    /// The types of the variables.
    variables: Vec<Term>,
    /// What the function or the closure around this place returns.
    returned: Term,
    /// What `break` gives for a block with a label.
    targets: HashMap<TargetId, Term>,
    /// What says more once other types are known.
    pending: Vec<Pending>,
    /// How deep expressions nest at present.
    depth: usize,
    /// Whether this place may be evaluated more than once.
    is_repeated: bool,
    /// Whether this place is in a pattern, where no variable can stand.
    is_pattern: bool,
}

/// An expression whose type depends on types that are not known yet: those of its operands.
struct Pending {
    rule: Rule,
    operands: [Term; 2],
    result: Term,
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
            let (ty, value) = (self.ty(&constant.ty), self.expression(&constant.value));
            self.unify(ty, value);
        }
        for (pattern, ty) in &self.body.parameters {
            let ty = self.ty(ty);
            self.bind(pattern, ty);
        }
        self.returned = self.declared(self.body.output.as_ref());
        let value = self.block(&self.body.block);
        self.unify(self.returned, value);
        while self.settle_pending() {}
    }

    /// Applies the rules for which enough is known by now. Whether there was one.
    fn settle_pending(&mut self) -> bool {
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
            (Rule::Operator, [Kind::Int(_), Kind::Int(_)]) => {
                self.unify(left, right);
                self.unify(left, pending.result);
            }
            (Rule::Index, [Kind::Array(element), Kind::Int(_)]) => {
                self.is_usize(right);
                self.unify(element, pending.result);
            }
            (Rule::Index, [Kind::Array(_), Kind::Items(bound)]) => {
                self.is_usize(bound);
                self.unify(left, pending.result);
            }
            (Rule::Index, [Kind::Vector, Kind::Int(_)]) => self.is_usize(right),
            (Rule::Index, [Kind::Vector, Kind::Tuple(indices)]) => {
                indices.into_iter().for_each(|index| self.is_usize(index));
            }
            (_, [Kind::Unknown, _] | [_, Kind::Unknown]) => self.pending.push(pending),
            _ => {}
        }
    }

    /// The type of an expression that such a rule tells.
    fn by_rule(&mut self, rule: Rule, operands: [Term; 2]) -> Term {
        let result = self.terms.unknown();
        self.follow(Pending { rule, operands, result });
        result
    }

    fn unify(&mut self, left: Term, right: Term) {
        self.terms.unify(left, right, self.types);
    }

    /// A new type of integers.
    fn int(&mut self, types: Types) -> Term {
        let id = self.types.add(types);
        self.terms.add(Kind::Int(id))
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
                Kind::Array(self.ty(element))
            }
            TypeKind::Tuple(elements) => Kind::Tuple(elements.iter().map(|element| self.ty(element)).collect()),
            TypeKind::Other(other, _) => match &**other {
                syn::Type::Slice(slice) => Kind::Array(self.ty(&syntax::ty(&slice.elem))),
                _ => Kind::Unknown,
            },
            TypeKind::Path(path, _) => match (integer_type(ty), Reader::of(self.scalar).read(ty)) {
                (Some(types), _) => return self.int(types),
                (None, Reading::Floats(Shape::Vector(_))) => Kind::Vector,
                (None, Reading::Floats(_)) => Kind::Other,
                (None, _) if path.path.is_ident("bool") => Kind::Other,
                _ => Kind::Unknown,
            },
            TypeKind::Infer => Kind::Unknown,
        };
        self.terms.add(kind)
    }

    /// The type that is written, if one is.
    fn declared(&mut self, ty: Option<&Type>) -> Term {
        match ty {
            Some(ty) => self.ty(ty),
            None => self.terms.unknown(),
        }
    }

    /// The type of a function of the module, as its signature says it. Its generic parameters say nothing.
    fn signature(&mut self, function: &ItemFn) -> Term {
        let parameters = function.sig.inputs.iter().map(|input| match input {
            FnArg::Typed(typed) => self.ty(&syntax::ty(&typed.ty)),
            FnArg::Receiver(_) => self.terms.unknown(),
        });
        let parameters = parameters.collect();
        let output = match &function.sig.output {
            ReturnType::Type(_, ty) => self.ty(&syntax::ty(ty)),
            ReturnType::Default => self.terms.unit(),
        };
        self.terms.add(Kind::Function(parameters, output))
    }
}
