//! Statements that touch no active value are kept as the user wrote them, whatever they are: run-time loops, methods
//! that change a variable, macros. Only what touches an active value has to be understood.
//!
//! A variable that such a statement changes lives in a variable of the generated code, which is declared as `mut` and
//! changed where it is; from then on, every use of it reads that variable.

use std::collections::HashSet;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use super::super::names::identifier;
use super::super::read::shape::Shape;
use super::super::refuse;
use super::super::syntax::{
    Action, Argument, Block, Expr, ExprKind, Macro, Node, Path, PatternKind, Statement, TargetId, VariableId, Written,
    changes, key, reader, variables_in,
};
use super::Lowering;
use super::assign::descend;
use super::bindings::Binding;
use super::numbers::Number;
use super::program::Line;
use super::value::{Passive, Place, Value, has_index};

impl Lowering<'_> {
    /// An expression that is kept as it is written, if nothing in it is active and control does not leave it.
    pub(super) fn kept(&mut self, expression: &Expr) -> Option<Passive> {
        if !self.may_be_kept(expression) {
            return None;
        }
        self.give_homes(expression);
        let named = self.give_names(expression);
        let outside = self.matched.len();
        let tokens = self.print(expression);
        self.matched.truncate(outside);
        for (number, binding) in named {
            self.bindings.restore(number, binding);
        }
        Some(Passive::compound(tokens))
    }

    /// Makes variables of the generated code of those that tokens mention which are not understood: there, a name may be
    /// one that a pattern binds, and what is written for it must be a name. Returns what they are elsewhere.
    fn give_names(&mut self, expression: &Expr) -> Vec<(usize, Binding)> {
        let (mut mentioned, mut own) = (Vec::new(), HashSet::new());
        expression.walk(&mut |node| match node {
            Node::Pattern(pattern) => {
                if let PatternKind::Variable(variable) = &pattern.kind {
                    own.insert(variable.id);
                }
            }
            Node::Expr(inner) => match &*inner.kind {
                ExprKind::Other(written, _) if may_bind(written.tokens.clone()) => {
                    mentioned.extend(variables_in(written));
                }
                _ => {}
            },
        });
        mentioned.retain(|id| !own.contains(id));
        mentioned.sort_unstable();
        mentioned.dedup();
        let mut named = Vec::new();
        for id in mentioned {
            let number = self.activation.number(id);
            let Some(binding) = self.bindings.find(number).cloned() else { continue };
            let value = binding.value.to_passive();
            let Some(passive) = value.filter(|passive| !self.is_named(number, passive) && !is_part(passive)) else {
                continue;
            };
            let name = self.bindings.name(number);
            let variable = self.let_passive(&name, &passive, binding.ty.as_ref());
            self.bindings.at(number).value = Value::Passive(variable);
            named.push((number, binding));
        }
        named
    }

    /// Whether a value is written as a variable, and not as a constant, as its capital letter says.
    fn is_named(&self, number: usize, passive: &Passive) -> bool {
        let name = passive.tokens().to_string();
        let may_be_constant = name.starts_with(char::is_uppercase) && self.bindings.name(number) != name;
        passive.is_variable() && (!may_be_constant || self.program.variable_named(&name).is_some())
    }

    /// The condition of a loop as it is written, if nothing in it is active and it changes and declares nothing.
    pub(super) fn kept_condition(&mut self, condition: &Expr) -> Option<TokenStream> {
        let mut is_plain = true;
        condition.walk(&mut |node| {
            is_plain &= match node {
                Node::Pattern(_) => false,
                Node::Expr(inner) => match &*inner.kind {
                    ExprKind::Block(_) | ExprKind::Labelled(_) | ExprKind::Macro(_) | ExprKind::Other(..) => false,
                    _ => self.changed_by(inner).is_empty(),
                },
            };
        });
        if !is_plain {
            return None;
        }
        let mut is_alone = false;
        let value = self.on_trial(|lowering| {
            let value = lowering.expression(condition);
            is_alone = lowering.program.frame.list.statements().is_empty();
            value
        });
        match value? {
            // The body may be one that is not to be reached.
            value if value.as_bool().is_some() => None,
            // What is passive in variables that are active in parts.
            Value::Passive(passive) if is_alone && !passive.has_call() && !self.may_be_kept(condition) => {
                self.expression(condition).ok()?.to_passive().map(|passive| passive.tokens().clone())
            }
            _ => self.kept(condition).map(|condition| condition.tokens().clone()),
        }
    }

    /// A statement that is kept as it is written, if nothing in it is active and control does not leave it.
    pub(super) fn kept_statement(&mut self, expression: &Expr) -> Option<Value> {
        let kept = self.kept(expression)?;
        let tokens = kept.tokens();
        let is_block = matches!(&*expression.kind, ExprKind::For(_) | ExprKind::While(_));
        let end = (!is_block).then(|| quote!(;));
        self.program.line(Line::effect(quote!(#tokens #end)).changing());
        Some(Value::unit())
    }

    /// Whether a place lies in a variable of which nothing is known here but that it is passive, or which the generated
    /// code changes where it is, or is what a call leads to.
    pub(super) fn is_opaque_place(&self, target: &Expr) -> bool {
        let Some((id, is_whole)) = target.root() else { return target.is_reached_by_call() };
        if self.activation.is_receiver(id) {
            return false;
        }
        let binding = self.bindings.find(self.activation.number(id));
        match binding.map(|binding| &binding.value) {
            Some(Value::Passive(passive)) if passive.may_change => true,
            Some(Value::Passive(passive)) => !is_whole && is_opaque(passive),
            _ => false,
        }
    }

    /// Whether a place lies in a variable of which all is passive, at an index that is not known here.
    pub(super) fn is_at_unknown_index(&mut self, target: &Expr) -> bool {
        let is_passive = target.root().is_some_and(|(id, is_whole)| !is_whole && self.is_passive_variable(id));
        let (mut place, mut is_unknown) = (target, false);
        while is_passive && !is_unknown {
            place = match &*place.kind {
                ExprKind::Index(base, index) => {
                    let index = self.on_trial(|lowering| lowering.expression(index));
                    is_unknown = matches!(index, Some(Value::Passive(index)) if index.number.is_none());
                    base
                }
                ExprKind::Paren(base) | ExprKind::Field(base, _) => base,
                _ => break,
            };
        }
        is_unknown
    }

    /// Whether nothing in an expression is active, and control does not leave it.
    fn may_be_kept(&self, expression: &Expr) -> bool {
        self.why_not_kept(expression).is_none()
    }

    /// Why an expression cannot be kept as it is written.
    pub(super) fn why_not_kept(&self, expression: &Expr) -> Option<NotKept> {
        let (mut used, mut own, mut stays, mut is_left) = (Vec::new(), HashSet::new(), true, false);
        let mut targets: HashSet<TargetId> = HashSet::new();
        // The records of which a passive field is read.
        let mut roots = HashSet::new();
        expression.walk(&mut |node| match node {
            Node::Pattern(pattern) => match &pattern.kind {
                PatternKind::Variable(variable) => drop(own.insert(variable.id)),
                PatternKind::Refused(_) | PatternKind::Other => stays = false,
                _ => {}
            },
            Node::Expr(inner) => match &*inner.kind {
                ExprKind::Field(..) if self.record_of_passive(inner).is_some() => {
                    roots.insert(inner.base().0.address());
                }
                ExprKind::Assign(target, _) | ExprKind::Update(_, target, _) | ExprKind::Mutable(target)
                    if self.is_in_record(target) =>
                {
                    stays = false;
                }
                ExprKind::Variable(..) if roots.contains(&inner.address()) => {}
                ExprKind::Variable(id, _) => used.push(*id),
                ExprKind::Other(written, _) => used.extend(variables_in(written)),
                ExprKind::For(repetition) => drop(targets.insert(repetition.target)),
                ExprKind::While(repetition) => drop(targets.insert(repetition.target)),
                ExprKind::Labelled(labelled) => drop(targets.insert(labelled.target)),
                ExprKind::Break(target, _) | ExprKind::Continue(target) => {
                    is_left |= target.is_none_or(|target| !targets.contains(&target));
                }
                ExprKind::Return(_) => is_left = true,
                ExprKind::Leave(_) | ExprKind::Try(_) if !self.may_leave() => stays = false,
                ExprKind::Refused(_) | ExprKind::NextIterations | ExprKind::Unreached(_) => stays = false,
                _ => {}
            },
        });
        let is_unset = |id: &VariableId| {
            let binding = self.bindings.find(self.activation.number(*id));
            binding.is_some_and(|binding| matches!(binding.value, Value::Unset))
        };
        used.retain(|id| !own.contains(id) && !self.is_passive_variable(*id));
        match used.iter().all(is_unset) {
            _ if !stays || expression.propagates_errors() => Some(NotKept::Other),
            false => Some(NotKept::Other),
            true if is_left => Some(NotKept::Left),
            true if !used.is_empty() => Some(NotKept::Unset),
            true => None,
        }
    }

    fn is_passive_variable(&self, id: VariableId) -> bool {
        let binding = self.bindings.find(self.activation.number(id));
        binding.is_some_and(|binding| binding.value.is_passive())
    }

    /// Whether a variable has a value here that is not passive.
    pub(super) fn holds_active(&self, id: VariableId) -> bool {
        let binding = self.bindings.find(self.activation.number(id));
        binding.is_some_and(|binding| !binding.value.is_passive())
    }

    /// Makes variables of the generated code of those that an expression changes and does not declare.
    fn give_homes(&mut self, expression: &Expr) {
        let (mut changed, mut own) = (Vec::new(), HashSet::new());
        expression.walk(&mut |node| match node {
            Node::Expr(inner) => changed.extend(self.changed_by(inner)),
            Node::Pattern(pattern) => {
                if let PatternKind::Variable(variable) = &pattern.kind {
                    own.insert(variable.id);
                }
            }
        });
        // What it declares itself may be known from an iteration before this one.
        changed.retain(|id| !own.contains(id));
        changed.into_iter().for_each(|id| self.give_home(self.activation.number(id)));
    }

    /// The variables that an expression itself may change. A method that numbers do not have is the user's, and may
    /// change one, and so may any method of an enum.
    pub(super) fn changed_by(&self, expression: &Expr) -> Vec<VariableId> {
        let may_change = |(id, is_of_numbers): &(VariableId, bool)| {
            let binding = self.bindings.find(self.activation.number(*id));
            match binding.and_then(|binding| binding.value.number()) {
                Some(Number::Int(_) | Number::Bool(_) | Number::Float(_)) => !is_of_numbers,
                Some(Number::Unit(_)) => true,
                Some(Number::Table(_)) | None => false,
            }
        };
        let read = reader(expression).filter(may_change);
        changes(expression).map(|(id, _)| id).chain(read.map(|(id, _)| id)).collect()
    }

    /// Makes a variable of the generated code of one that the user has declared as `mut`, unless it is one.
    pub(super) fn give_home(&mut self, number: usize) {
        let Some(binding) = self.bindings.find(number).filter(|_| self.bindings.is_mut(number)) else { return };
        let (value, ty) = (binding.value.clone(), binding.ty.clone());
        let Some(mut passive) = value.to_passive().filter(|passive| !passive.may_change) else { return };
        if let Some(Number::Float(digits)) = &passive.number
            && !passive.is_reference()
            && let Ok(literal) = digits.parse::<TokenStream>()
        {
            // Not the variable of the number, which nothing else may need.
            passive = Passive::simple(literal).with_number(passive.number);
        }
        if self.bindings.is_moved(number) {
            self.errors.at(&self.bindings.name(number), refuse::MOVED);
        }
        let shape = ty.as_ref().and_then(|ty| self.shape_of_typed(ty, self.length_of(&value)));
        let shape = shape.or_else(|| self.shape_of_floats(&value)).map(|shape| match shape {
            Shape::Float(_) if passive.is_reference() => Shape::Reference(Box::new(shape)),
            shape => shape,
        });
        let name = self.bindings.name(number);
        let ty = ty.as_ref().map(|ty| self.written_type(ty)).or_else(|| self.type_of_float(number, &passive));
        let home = self.home(&name, &passive, ty, shape);
        self.program.frame.give_home(number);
        let binding = self.bindings.at(number);
        self.program.frame.save(number, binding);
        binding.value = Value::Passive(home);
    }

    /// Makes a variable of the generated code of what is at a place, if that is passive, and in a variable that the user has
    /// declared as `mut`.
    pub(super) fn home_at(&mut self, place: &Place) -> Option<Passive> {
        if !self.bindings.is_mut(place.variable) {
            return None;
        }
        self.give_home(place.variable);
        let whole = self.read(&Place::new(place.variable, Vec::new()));
        let value = self.read(place);
        let passive = value.to_passive()?;
        if passive.may_change || matches!(whole, Value::Passive(whole) if whole.may_change) {
            return Some(passive);
        }
        let shape = self.shape_of_floats(&value).or_else(|| {
            let length = self.length_of(&value)?;
            Some(Shape::Array(Box::new(Shape::Passive(quote!(_))), length))
        });
        let name = self.bindings.name(place.variable);
        let home = self.home(&name, &passive, None, shape);
        *descend(self.variable_at(place.variable), &place.steps)? = Value::Passive(home.clone());
        Some(home)
    }

    /// The type of a variable that is a known float so far. What tells it may be missing from the generated code.
    fn type_of_float(&mut self, number: usize, value: &Passive) -> Option<TokenStream> {
        let id = self.activation.id(number).filter(|_| matches!(value.number, Some(Number::Float(_))))?;
        let ty = self.numbers.type_of_float(&self.activation.body, id)?;
        Some(if value.is_reference() { quote!(&#ty) } else { ty })
    }

    /// A variable of the generated code that statements of the user change where it is.
    pub(super) fn home(
        &mut self,
        name: &proc_macro2::Ident,
        value: &Passive,
        ty: Option<TokenStream>,
        shape: Option<Shape>,
    ) -> Passive {
        let variable = self.program.variable(name);
        let (tokens, ty) = (value.tokens(), ty.map(|ty| quote!(: #ty)));
        let is_owned = value.number.is_some() || shape.as_ref().is_some_and(|shape| !shape.is_opaque());
        self.program.line(Line::variable(&variable, is_owned, quote!(let mut #variable #ty = #tokens;)).of(value));
        let home = Passive::simple(quote!(#variable)).given(value.is_given && ty.is_none()).changing(true);
        let home = home.holding(value);
        home.with_shape(shape.or_else(|| value.shape.clone()))
    }

    /// The shape of a float, of an array of floats, as far as one element tells it, of a struct, or of a tuple of these and
    /// of integers. Of floats of a type that is not known, only arrays have one, which says their lengths.
    pub(super) fn shape_of_floats(&self, value: &Value) -> Option<Shape> {
        let is_number = |part: &Value| matches!(part, Value::Passive(own) if own.is_float() || own.number.is_some());
        let any_number = |part: &Value| is_number(part).then(|| Shape::Passive(quote!(_)));
        match value {
            Value::Array(elements) => {
                let shape = elements.iter().find_map(|element| self.shape_of_floats(element));
                let are_floats = |part: &&Value| matches!(part, Value::Passive(own) if own.is_float());
                let shape = shape.or_else(|| elements.iter().find(are_floats).and_then(any_number))?;
                Some(Shape::Array(Box::new(shape), elements.len()))
            }
            Value::Tuple(fields) if let Some(definition) = fields.definition() => {
                Some(Shape::Struct(definition.clone()))
            }
            Value::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.shape_of_floats(part).or_else(|| any_number(part)));
                parts.collect::<Option<_>>().map(Shape::Tuple)
            }
            Value::Passive(Passive { number: Some(_), shape: Some(shape @ Shape::Reference(_)), .. }) => {
                Some(shape.clone())
            }
            Value::Passive(Passive { number: Some(number), .. }) => self.shape_of_number(number),
            Value::Passive(Passive { shape: Some(shape @ Shape::Float(_)), .. }) => Some(shape.clone()),
            _ => None,
        }
    }

    fn shape_of_number(&self, number: &Number) -> Option<Shape> {
        match number {
            Number::Float(_) => Some(Shape::Float(self.scalar.clone())),
            Number::Table(numbers) => {
                let element = self.shape_of_number(numbers.first()?)?;
                Some(Shape::Array(Box::new(element), numbers.len()))
            }
            number => number.shape_of_units(),
        }
    }

    /// An expression as it is written. The variables in it have passive values.
    fn print(&mut self, expression: &Expr) -> TokenStream {
        self.numbers.literals.open.reach(expression, true);
        match &*expression.kind {
            ExprKind::Literal(literal) => self.numbers.written(expression, literal),
            ExprKind::Variable(id, ident) => {
                let value = self.bindings.find(self.activation.number(*id)).map(|binding| binding.value.clone());
                match value.and_then(|value| value.to_passive()) {
                    Some(passive) => passive.operand(),
                    None => ident.to_token_stream(),
                }
            }
            ExprKind::Path(path) => self.print_path(path),
            ExprKind::Unary(op, inner) => {
                let inner = self.print(inner);
                quote!(#op #inner)
            }
            ExprKind::Binary(op, left, right) => {
                let [left, right] = self.print_both(left, right);
                quote!(#left #op #right)
            }
            ExprKind::Assign(target, value) => {
                let [target, value] = self.print_both(target, value);
                quote!(#target = #value)
            }
            ExprKind::Update(op, target, value) => {
                let ([target, value], op) = (self.print_both(target, value), updating(op));
                quote!(#target #op #value)
            }
            ExprKind::Call(function, args) => {
                let (function, args) = (self.print(function), self.print_all(args));
                quote!(#function(#(#args),*))
            }
            ExprKind::Method(call) => {
                let (receiver, name) = (self.print(&call.receiver), &call.name);
                let (turbofish, args) = (self.written_turbofish(call), self.print_all(&call.args));
                quote!(#receiver.#name #turbofish(#(#args),*))
            }
            ExprKind::Field(base, member) => {
                if let Some((record, member)) = self.record_of_passive(expression) {
                    let field = self.field_of_record(&record, member).ok().and_then(|field| field.to_passive());
                    return field.map(|field| field.operand()).unwrap_or_default();
                }
                let base = self.print(base);
                quote!(#base.#member)
            }
            ExprKind::Index(base, index) => {
                let [base, index] = self.print_both(base, index);
                quote!(#base[#index])
            }
            ExprKind::Cast(inner, ty) => {
                let (inner, ty) = (self.print(inner), self.written_type(ty));
                quote!(#inner as #ty)
            }
            ExprKind::Array(elements) => {
                let elements = self.print_all(elements);
                quote!([#(#elements),*])
            }
            ExprKind::Tuple(elements) => {
                let elements = self.print_all(elements);
                if elements.len() == 1 { quote!((#(#elements),*,)) } else { quote!((#(#elements),*)) }
            }
            ExprKind::Repeat(element, length) => {
                let [element, length] = self.print_both(element, length);
                quote!([#element; #length])
            }
            ExprKind::Shared(inner) => {
                let inner = self.print(inner);
                quote!(&#inner)
            }
            ExprKind::Mutable(inner) => {
                let inner = self.print(inner);
                quote!(&mut #inner)
            }
            ExprKind::Range(start, end, is_inclusive) => {
                let [start, end] = [start, end].map(|bound| bound.as_ref().map(|bound| self.print(bound)));
                if *is_inclusive { quote!(#start..=#end) } else { quote!(#start..#end) }
            }
            ExprKind::Paren(inner) => {
                let inner = self.print(inner);
                quote!((#inner))
            }
            ExprKind::Try(inner) => {
                let inner = self.print(inner);
                quote!(#inner?)
            }
            ExprKind::Leave(inner) => {
                let inner = self.print(inner);
                quote!(return #inner)
            }
            ExprKind::Dropped(error, ty) => {
                let (error, ty) = (self.print(error), self.written_type(ty));
                quote!(let _: #ty = #error)
            }
            ExprKind::Infer => quote!(_),
            ExprKind::Other(written, _) => self.print_other(written),
            _ => self.print_control(expression),
        }
    }

    /// What is not understood. A variable that a text in it captures has its own name there.
    fn print_other(&mut self, written: &Written) -> TokenStream {
        let tokens = self.with_names(written.tokens.clone(), &written.names);
        let variables = written.captured.iter().map(|ident| {
            let own = identifier(&ident.unraw().to_string(), Span::mixed_site());
            let value = self.with_names(ident.to_token_stream(), &written.names);
            // Where it has that name already, other tokens may mean it by that; the text alone does not show that it is
            // used.
            match syn::parse2::<Ident>(value.clone()).is_ok_and(|value| key(&value) == key(&own)) {
                true => quote!(let _ = &#value;),
                false => quote!(let #own = &#value;),
            }
        });
        let variables: Vec<_> = variables.collect();
        if variables.is_empty() { tokens } else { quote!(({ #(#variables)* #tokens })) }
    }

    /// Expressions that say where control goes, closures and macros.
    fn print_control(&mut self, expression: &Expr) -> TokenStream {
        match &*expression.kind {
            ExprKind::Block(block) => self.print_block(block),
            ExprKind::Labelled(labelled) => {
                let (label, block) = (self.label(labelled.target), self.print_block(&labelled.body));
                quote!(#label #block)
            }
            ExprKind::If(branch) => {
                let (condition, then) = (self.print(&branch.condition), self.print_block(&branch.then));
                let otherwise = branch.otherwise.as_ref().map(|otherwise| self.print(otherwise));
                let otherwise = otherwise.map(|otherwise| quote!(else #otherwise));
                quote!(if #condition #then #otherwise)
            }
            ExprKind::Let(pattern, value) => {
                let (value, pattern) = (self.print(value), self.matched_pattern(pattern));
                quote!(let #pattern = #value)
            }
            ExprKind::Match(subject, arms) => {
                let subject = self.print(subject);
                let arms: Vec<_> = arms
                    .iter()
                    .map(|arm| {
                        let pattern = self.matched_pattern(&arm.pattern);
                        let guard = arm.guard.as_ref().map(|guard| self.print(guard)).map(|guard| quote!(if #guard));
                        let body = self.print(&arm.body);
                        quote!(#pattern #guard => #body,)
                    })
                    .collect();
                quote!(match #subject { #(#arms)* })
            }
            ExprKind::For(repetition) => {
                let (items, pattern) = (self.print(&repetition.items), self.matched_pattern(&repetition.pattern));
                let (label, body) = (self.label(repetition.target), self.print_block(&repetition.body));
                quote!(#label for #pattern in #items #body)
            }
            ExprKind::While(repetition) => {
                let condition = repetition.condition.as_ref().map(|condition| self.print(condition));
                let head = condition.map_or(quote!(loop), |condition| quote!(while #condition));
                let (label, body) = (self.label(repetition.target), self.print_block(&repetition.body));
                quote!(#label #head #body)
            }
            ExprKind::Break(target, value) => {
                let (label, value) = (target.and_then(|target| self.label(target)), value.as_ref());
                let (label, value) = (label.map(|label| label.name), value.map(|value| self.print(value)));
                quote!(break #label #value)
            }
            ExprKind::Continue(target) => {
                let label = target.and_then(|target| self.label(target)).map(|label| label.name);
                quote!(continue #label)
            }
            ExprKind::Closure(closure) => {
                let parameters: Vec<_> = closure
                    .parameters
                    .iter()
                    .map(|(pattern, ty)| {
                        let pattern = self.matched_pattern(pattern);
                        let ty = ty.as_ref().map(|ty| self.written_type(ty)).map(|ty| quote!(: #ty));
                        quote!(#pattern #ty)
                    })
                    .collect();
                let output = closure.output.as_ref().map(|ty| self.written_type(ty)).map(|ty| quote!(-> #ty));
                let (capture, body) = (closure.is_move.then(|| quote!(move)), self.print(&closure.body));
                quote!(#capture |#(#parameters),*| #output #body)
            }
            ExprKind::Macro(call) => self.print_macro(call),
            ExprKind::Struct(construction) => {
                let path = self.written_path(&construction.path);
                let fields: Vec<_> = construction
                    .fields
                    .iter()
                    .map(|(member, value)| {
                        let value = self.print(value);
                        let is_short = value.to_string() == member.to_token_stream().to_string();
                        if is_short { quote!(#value,) } else { quote!(#member: #value,) }
                    })
                    .collect();
                let rest = construction.rest.as_ref().map(|rest| self.print(rest)).map(|rest| quote!(..#rest));
                quote!(#path { #(#fields)* #rest })
            }
            // What is not kept is none of these.
            _ => TokenStream::new(),
        }
    }

    fn print_both(&mut self, left: &Expr, right: &Expr) -> [TokenStream; 2] {
        [left, right].map(|side| self.print(side))
    }

    fn print_all(&mut self, expressions: &[Expr]) -> Vec<TokenStream> {
        expressions.iter().map(|expression| self.print(expression)).collect()
    }

    fn print_path(&mut self, path: &Path) -> TokenStream {
        let passive = self.path(path).ok().and_then(|value| value.to_passive());
        passive.map_or_else(|| path.path.to_token_stream(), |passive| passive.operand())
    }

    fn print_block(&mut self, block: &Block) -> TokenStream {
        let statements: Vec<_> = block
            .statements
            .iter()
            .map(|statement| match statement {
                Statement::Let(local) => {
                    let value = local.value.as_ref().map(|value| self.print(value)).map(|value| quote!(= #value));
                    let otherwise = local.otherwise.as_ref().map(|otherwise| self.print(otherwise));
                    let otherwise = otherwise.map(|otherwise| quote!(else #otherwise));
                    let (pattern, ty) = (self.matched_pattern(&local.pattern), local.ty.as_ref());
                    let ty = ty.map(|ty| self.written_type(ty)).map(|ty| quote!(: #ty));
                    quote!(let #pattern #ty #value #otherwise;)
                }
                Statement::Expr(expression, is_value) => {
                    let (printed, end) = (self.print(expression), (!is_value).then(|| quote!(;)));
                    quote!(#printed #end)
                }
            })
            .collect();
        quote!({ #(#statements)* })
    }

    fn print_macro(&mut self, call: &Macro) -> TokenStream {
        let path = &call.path;
        let args: Vec<_> = call.args.iter().map(|arg| self.print_argument(arg)).collect();
        match &call.action {
            Action::Matches(pattern, guard) => {
                let pattern = self.matched_pattern(pattern);
                let guard = guard.as_ref().map(|guard| self.print(guard)).map(|guard| quote!(if #guard));
                quote!(#path!(#(#args,)* #pattern #guard))
            }
            Action::Vector(columns) => {
                let rows = args.chunks(*columns).map(|row| quote!(#(#row),*));
                quote!(#path![#(#rows);*])
            }
            _ => quote!(#path!(#(#args),*)),
        }
    }

    fn print_argument(&mut self, argument: &Argument) -> TokenStream {
        let (value, name) = (self.print(&argument.value), argument.name.as_ref().map(|name| quote!(#name =)));
        quote!(#name #value)
    }

    fn label(&self, target: TargetId) -> Option<syn::Label> {
        self.activation.body.labels[target.0 as usize].clone()
    }
}

/// Why an expression cannot be kept as it is written.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum NotKept {
    /// Nothing in it is active, but control leaves it.
    Left,
    /// Nothing in it is active, but it assigns a variable that has no value so far.
    Unset,
    /// Something in it is active, or not understood.
    Other,
}

/// Whether nothing is known of a passive value but its expression.
pub(super) fn is_opaque(passive: &Passive) -> bool {
    let shape = passive.shape.as_ref().map(Shape::behind_references);
    let has_parts = matches!(shape, Some(Shape::Vector(_) | Shape::Struct(_)));
    passive.number.is_none() && passive.length().is_none() && !has_parts
}

/// Whether a value may be a part of a variable, which must not be moved out of it. It is no pattern.
fn is_part(passive: &Passive) -> bool {
    let has_field =
        || passive.tokens().clone().into_iter().any(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == '.'));
    passive.number.is_none() && !passive.is_owned && (has_field() || has_index(passive.tokens().clone()))
}

/// Whether names may be bound in these tokens: by a pattern, or by what a macro stands for. In those of `vec![a, b]`,
/// none is.
fn may_bind(tokens: TokenStream) -> bool {
    const PLAIN: [&str; 3] = ["vec", "write", "writeln"];
    let mut rest = tokens.into_iter();
    let is_plain = matches!(rest.next(), Some(TokenTree::Ident(name)) if PLAIN.iter().any(|plain| name == plain));
    match (rest.next(), rest.next()) {
        (Some(TokenTree::Punct(_)), Some(TokenTree::Group(group))) if is_plain => has_pattern(group.stream()),
        _ => true,
    }
}

/// Whether there are blocks, closures or macros in these tokens.
fn has_pattern(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace || has_pattern(group.stream()),
        TokenTree::Punct(punct) => ['|', '!'].contains(&punct.as_char()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}

/// `+=` for `+`.
fn updating(op: &syn::BinOp) -> TokenStream {
    let mut tokens: Vec<_> = op.to_token_stream().into_iter().collect();
    for token in &mut tokens {
        if let TokenTree::Punct(punct) = token {
            *punct = proc_macro2::Punct::new(punct.as_char(), proc_macro2::Spacing::Joint);
        }
    }
    tokens.push(proc_macro2::Punct::new('=', proc_macro2::Spacing::Alone).into());
    tokens.into_iter().collect()
}
