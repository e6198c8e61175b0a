//! Parameters of which only some fields are active, as `wrt(p.k)` says.
//!
//! What their type is, a macro does not see. So nothing is done with such a value but what leaves no doubt which floats
//! are read: its fields are, by `p.k` or by a pattern, and it is handed on as what it is. Methods, operators and
//! functions might read an active field where nothing shows it, and a conversion by `Deref` could make another type of
//! it, whose fields are the same floats under other names. For the same reason the generated code compiles only if
//! every field that is read is one of the type itself.

use std::rc::Rc;
use std::slice::from_ref;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Index, Member, UnOp};

use super::super::read::options::is_same_field;
use super::super::read::shape::{Opaque, Shape};
use super::super::read::signature::{Independent, Signature};
use super::super::read::ty::{is_shared_reference, unwrapped};
use super::super::refuse;
use super::super::syntax::{self, Expr, ExprKind, Pattern, PatternKind, Placed, Type, TypeKind};
use super::array::element_of;
use super::control::Flow;
use super::value::{Elements, Passive, Value};
use super::{Lowering, emitted};

/// A value of which some fields are active.
#[derive(Clone)]
pub struct Record {
    /// It, as an expression.
    passive: Passive,
    /// What its fields are written after.
    base: Passive,
    /// The number of references around it; none where it is perhaps another value that `Deref` leads to.
    references: Option<usize>,
    /// The type of the parameter.
    ty: TokenStream,
    /// What it is of the module, where that is known.
    owner: Option<Rc<Opaque>>,
    /// The fields that lead from the parameter to this value.
    path: Vec<Member>,
    /// The fields that are active, or have active fields.
    fields: Vec<(Member, Value)>,
}

impl Record {
    /// The parameter `name` of this type, without active fields so far.
    pub fn new(name: &dyn ToTokens, ty: &syn::Type) -> Self {
        let is_shared = is_shared_reference(ty);
        let (mut references, mut target) = (0, unwrapped(ty));
        while let syn::Type::Reference(reference) = target {
            (references, target) = (references + 1, unwrapped(&reference.elem));
        }
        let whole = Passive::simple(quote!(#name)).settled().shared(is_shared);
        Record::at(whole, Some(references), target.to_token_stream(), Vec::new())
    }

    fn at(passive: Passive, references: Option<usize>, ty: TokenStream, path: Vec<Member>) -> Self {
        Record { base: passive.clone(), passive, references, ty, owner: None, path, fields: Vec::new() }
    }

    /// Says what the field is that `path` leads to.
    pub fn insert(&mut self, path: &[Member], value: Value) {
        let Some((first, rest)) = path.split_first() else { return };
        if rest.is_empty() {
            self.fields.push((first.clone(), value));
            return;
        }
        let known = self.fields.iter_mut().find(|(member, _)| is_same_field(member, first));
        if let Some((_, Value::Record(part))) = known {
            return part.insert(rest, value);
        }
        let path = [&self.path[..], from_ref(first)].concat();
        let mut part = Record::at(self.part(first), Some(0), self.ty.clone(), path);
        part.insert(rest, value);
        self.fields.push((first.clone(), Value::Record(part.into())));
    }

    /// What it is of the module, where that is known.
    pub fn owner(&self) -> Option<&Rc<Opaque>> {
        self.owner.as_ref()
    }

    /// The number of references around it; none where it is perhaps another value.
    pub fn references(&self) -> Option<usize> {
        self.references
    }

    /// A field of it, as it is written.
    fn part(&self, member: &Member) -> Passive {
        let base = self.base.tokens();
        Passive::simple(quote!(#base.#member)).part_of(&self.base)
    }

    /// The field of this name, if it is active or has active fields.
    fn field(&self, member: &Member) -> Option<&Value> {
        self.fields.iter().find(|(own, _)| is_same_field(own, member)).map(|(_, value)| value)
    }

    /// What it refers to.
    pub fn dereferenced(&self) -> Self {
        let tokens = self.passive.operand();
        let references = self.references.and_then(|references| references.checked_sub(1));
        Record { passive: Passive::compound(quote!(*#tokens)), references, ..self.clone() }
    }

    /// A reference to it.
    pub fn shared(&self) -> Self {
        let tokens = self.passive.operand();
        let references = self.references.map(|references| references + 1);
        Record { passive: Passive::compound(quote!(&#tokens)), references, ..self.clone() }
    }

    /// Whether it is of this type, as far as that can be read.
    fn is_of(&self, ty: &Type) -> bool {
        let (mut references, mut target) = (0, ty);
        while let TypeKind::Reference(_, false, inner) = &target.kind {
            (references, target) = (references + 1, inner);
        }
        let is_same = matches!(&target.kind, TypeKind::Path(path, _) if path.to_token_stream().to_string() == self.ty.to_string());
        let is_inferred = matches!(target.kind, TypeKind::Infer) && references == 0;
        is_inferred || self.references == Some(references) && is_same && self.path.is_empty()
    }
}

impl Lowering<'_> {
    /// The parameters with active fields, `self` among them, by their names in the generated code; `inputs` are the
    /// values of what the function is differentiated by.
    pub(super) fn records(&mut self, signature: &Signature, inputs: &[Value]) -> Vec<(String, Record)> {
        let mut records: Vec<(String, Record)> = Vec::new();
        for (independent, input) in signature.active().iter().zip(inputs) {
            if independent.fields.is_empty() {
                continue;
            }
            let root = independent.root.to_string();
            if signature.is_struct(&independent.root) {
                continue;
            }
            let index = records.iter().position(|(name, _)| *name == root).unwrap_or_else(|| {
                records.push((root.clone(), Record::new(&independent.root, &independent.root_type)));
                records.len() - 1
            });
            let record = &mut records[index].1;
            record.insert(&independent.fields, input.clone());
            let (container, fields) = (record.ty.clone(), &independent.fields);
            // The coordinates of a vector are none of its own fields.
            let own = self.shape_of_record(signature, &root).map_or(fields.len(), |it| self.before_vector(&it, fields));
            self.require_field(&container, &fields[..own]);
            self.require_type(independent);
        }
        for (root, record) in &mut records {
            if let Some(shape) = self.shape_of_record(signature, root) {
                self.set_owner(record, &shape);
            }
        }
        records
    }

    /// The shape of the parameter of this name, where it is known.
    fn shape_of_record(&self, signature: &Signature, root: &str) -> Option<Shape> {
        signature.shape_of_root(root).cloned().or_else(|| {
            let mut parameters = signature.parameters.iter().filter(|_| root != "self");
            self.passive_shape_of(&syntax::ty(&parameters.find(|own| emitted(&own.name) == root)?.ty))
        })
    }

    /// How many of these fields lead to a vector, or to what they all lead to.
    fn before_vector(&self, shape: &Shape, path: &[Member]) -> usize {
        let mut shape = Some(shape.clone());
        let leads_on = |member: &&Member| match shape.as_ref().map(Shape::behind_references) {
            Some(Shape::Vector(_)) => false,
            Some(Shape::Opaque(own)) => {
                shape = own.field(member).and_then(|ty| self.passive_shape_of(&syntax::ty(ty)));
                true
            }
            _ => {
                shape = None;
                true
            }
        };
        path.iter().take_while(leads_on).count()
    }

    /// The parameters that are structs of the module with some active fields: the others are passive.
    pub(super) fn partly_active(&mut self, signature: &Signature, inputs: &[Value]) -> Vec<(String, Value)> {
        let mut found: Vec<(String, Value)> = Vec::new();
        for independent in signature.active().iter().filter(|it| !it.fields.is_empty()) {
            let (root, name) = (&independent.root, independent.root.to_string());
            let known = found.iter().any(|(other, _)| *other == name);
            let Some(shape) = signature.shape_of_root(&name).filter(|_| signature.is_struct(root) && !known) else {
                continue;
            };
            let mut fields = Vec::new();
            for (own, input) in signature.active().iter().zip(inputs).filter(|(own, _)| own.root == *root) {
                self.require_type(own);
                fields.push((&own.fields[..], input.clone()));
            }
            let whole = Passive::simple(quote!(#root)).settled().shared(is_shared_reference(&independent.root_type));
            let whole = whole.with_shape(Some(shape.clone()));
            let value = match self.with_active(&whole, shape, &fields) {
                Some(value) => value,
                None => {
                    self.errors.at(root, refuse::WRT_FIELD_PART);
                    Value::Passive(whole)
                }
            };
            found.push((name, value));
        }
        found
    }

    /// A value of this shape, in which some fields are active. Structs in it are taken apart: they need not be `Copy`.
    /// None if there is such a field where none can be.
    fn with_active(&mut self, passive: &Passive, shape: &Shape, active: &[(&[Member], Value)]) -> Option<Value> {
        Some(match (shape, active) {
            (_, [([], value)]) => value.clone(),
            (Shape::Reference(target), _) => {
                let value = self.with_active(passive, target, active)?;
                self.shared(value)
            }
            (Shape::Struct(own), _) => {
                self.require_struct(own);
                let fields = own.fields.iter().map(|field| (&field.member, &field.shape));
                let fields = self.with_active_fields(passive, fields, active)?;
                Value::Tuple(Elements::of_struct(fields, own))
            }
            (Shape::Tuple(shapes), [_, ..]) => {
                let members: Vec<_> = (0..shapes.len()).map(|index| Member::Unnamed(Index::from(index))).collect();
                Value::Tuple(self.with_active_fields(passive, members.iter().zip(shapes), active)?.into())
            }
            (Shape::Vector(_), [_, ..]) => {
                let whole = passive.clone().with_shape(Some(shape.clone()));
                let mut vector = self.vector(&Value::Passive(whole))?;
                for (path, value) in active {
                    let names: Vec<_> = path.iter().map(|member| member.to_token_stream().to_string()).collect();
                    let floats = match value {
                        Value::Vector(part) => part.elements.clone(),
                        value => vec![value.clone()],
                    };
                    let first = vector.layout.position_of(&names, floats.len())?;
                    vector.elements.splice(first..first + floats.len(), floats);
                }
                Value::Vector(vector)
            }
            (Shape::Array(element, length), []) if element.has_struct() => {
                let elements = (0..*length).map(|index| self.with_active(&element_of(passive, index), element, &[]));
                Value::Array(elements.collect::<Option<_>>()?)
            }
            (_, []) => Value::Passive(passive.clone()),
            (_, [_, ..]) => return None,
        })
    }

    /// The fields of such a value.
    fn with_active_fields<'s>(
        &mut self,
        passive: &Passive,
        fields: impl Iterator<Item = (&'s Member, &'s Shape)>,
        active: &[(&[Member], Value)],
    ) -> Option<Vec<Value>> {
        let of_field = |(index, (member, shape)): (usize, (&Member, &Shape))| {
            let is_its = |(path, _): &&(&[Member], Value)| is_same_field(&path[0], member);
            let inner: Vec<_> = active.iter().filter(is_its).map(|(path, value)| (&path[1..], value.clone())).collect();
            self.with_active(&element_of(passive, index), shape, &inner)
        };
        fields.enumerate().map(of_field).collect()
    }

    /// Makes the generated code fail to compile where a field is of another type.
    fn require_type(&mut self, independent: &Independent) {
        let (place, ty) = (independent.tokens(), independent.shape.ty());
        self.program.require(place.to_string(), quote!(let _: #ty = #place;));
    }

    /// Says what a record is, and the parts of it that are records. What is a vector is one.
    fn set_owner(&mut self, record: &mut Record, shape: &Shape) {
        let Some(own) = shape.opaque() else { return };
        record.owner = Some(own.clone());
        for (member, value) in &mut record.fields {
            let (Value::Record(part), Some(ty)) = (&mut *value, own.field(member)) else { continue };
            match self.passive_shape_of(&syntax::ty(ty)) {
                Some(shape @ Shape::Opaque(_)) => self.set_owner(part, &shape),
                Some(shape) if matches!(shape.behind_references(), Shape::Vector(_)) => {
                    let active: Vec<_> = part.fields.iter().map(|(name, it)| (from_ref(name), it.clone())).collect();
                    if let Some(vector) = self.with_active(&part.passive.clone(), &shape, &active) {
                        *value = vector;
                    }
                }
                _ => {}
            }
        }
    }

    /// Makes the generated code fail to compile where a field is none of the type itself, but of what its `Deref` leads
    /// to.
    fn require_field(&mut self, ty: &TokenStream, path: &[Member]) {
        let statement = quote!(let _ = ::core::mem::offset_of!(#ty, #(#path).*););
        self.program.require(statement.to_string(), statement);
    }

    /// A field of a record.
    pub(super) fn field_of_record(&mut self, record: &Record, member: &Member) -> Flow {
        if record.references.is_none() {
            return self.refuse(member, refuse::RECORD_BEHIND_DEREF);
        }
        Ok(match record.field(member) {
            Some(value) => value.clone(),
            None => {
                let path = [&record.path[..], from_ref(member)].concat();
                let own = record.owner.as_ref().and_then(|own| own.field(member));
                let shape = own.and_then(|ty| self.passive_shape_of(&syntax::ty(ty)));
                let field = Value::Passive(record.part(member).with_shape(shape));
                self.require_field(&record.ty, &path);
                field
            }
        })
    }

    /// Whether a type is that of the module which a record is of.
    fn is_of_owner(&self, record: &Record, ty: &Type) -> bool {
        let (mut shape, mut references) = (self.passive_shape_of(ty), 0);
        while let Some(Shape::Reference(target)) = shape {
            (shape, references) = (Some(*target), references + 1);
        }
        let is_same = |own: &Rc<Opaque>| record.owner.as_ref().is_some_and(|owner| Rc::ptr_eq(owner, own));
        record.references == Some(references) && matches!(shape, Some(Shape::Opaque(own)) if is_same(&own))
    }

    /// Binds a pattern to a record.
    pub(super) fn bind_record(&mut self, pattern: &Pattern, record: Record, ty: Option<&Type>) -> Flow<()> {
        let is_own = |ty: &Type| record.owner.is_some() && self.is_of_owner(&record, ty);
        if let Some(ty) = ty.filter(|ty| !record.is_of(ty) && !is_own(ty)) {
            return self.refuse(ty, refuse::RECORD_AS_WHOLE);
        }
        match &pattern.kind {
            PatternKind::Paren(inner) => self.bind_record(inner, record, None),
            PatternKind::Typed(inner, ty) => self.bind_record(inner, record, Some(ty)),
            PatternKind::Wild => Ok(()),
            PatternKind::Reference(false, inner) => self.bind_record(inner, record.dereferenced(), None),
            PatternKind::Variable(variable) if !variable.is_mut && variable.inner.is_none() => {
                let value = if variable.by_ref { record.shared() } else { record };
                self.declare(variable, Value::Record(value.into()), None);
                Ok(())
            }
            PatternKind::Struct(path, fields, _) => {
                let (mut others, mut own) = (Vec::new(), Vec::new());
                for (member, part) in fields {
                    match record.field(member) {
                        Some(value) => own.push((part, value.clone())),
                        None => others.push((member.clone(), part.clone())),
                    }
                }
                let others = (!others.is_empty()).then(|| PatternKind::Struct(path.clone(), others, true));
                self.bind_fields(pattern, &record, own, others)
            }
            PatternKind::TupleStruct(_, parts) | PatternKind::Tuple(parts) => {
                let (mut others, mut own) = (parts.clone(), Vec::new());
                let rest = parts.iter().position(Pattern::is_rest).unwrap_or(parts.len());
                if rest + 1 < parts.len() {
                    return self.refuse(pattern, refuse::PATTERN);
                }
                for (index, part) in parts[..rest].iter().enumerate() {
                    if let Some(value) = record.field(&Member::Unnamed(Index::from(index))) {
                        own.push((part, value.clone()));
                        others[index] = Pattern::new(PatternKind::Wild, part.place);
                    }
                }
                let others = match &pattern.kind {
                    PatternKind::TupleStruct(path, _) => PatternKind::TupleStruct(path.clone(), others),
                    _ => PatternKind::Tuple(others),
                };
                self.bind_fields(pattern, &record, own, Some(others))
            }
            PatternKind::Variable(_) => self.refuse(pattern, refuse::RECORD_AS_WHOLE),
            _ => self.refuse(pattern, refuse::PATTERN),
        }
    }

    /// Binds the parts of a pattern that are for active fields, and the pattern that is left of it.
    fn bind_fields(
        &mut self,
        pattern: &Pattern,
        record: &Record,
        fields: Vec<(&Pattern, Value)>,
        others: Option<PatternKind>,
    ) -> Flow<()> {
        let Some(references) = record.references else {
            return self.refuse(pattern, refuse::RECORD_BEHIND_DEREF);
        };
        for (part, value) in fields {
            let value = if references > 0 { self.shared(value) } else { value };
            self.bind(part, value, None)?;
        }
        match others {
            Some(kind) => self.bind_passive(&Pattern::new(kind, pattern.place), &record.passive, None),
            None => Ok(()),
        }
    }

    /// Refuses a record as a part of something else, or where it may become a value of another type.
    pub(super) fn no_record(&mut self, value: Value, place: &dyn Placed) -> Flow {
        match value {
            Value::Record(_) => self.refuse(place, refuse::RECORD_AS_WHOLE),
            value => Ok(value),
        }
    }

    /// The record that an expression is, if it is one.
    fn record(&self, expression: &Expr) -> Option<Record> {
        match &*expression.kind {
            ExprKind::Paren(inner) => self.record(inner),
            ExprKind::Unary(UnOp::Deref(_), inner) => Some(self.record(inner)?.dereferenced()),
            ExprKind::Variable(id, _) => match &self.bindings.find(self.activation.number(*id))?.value {
                Value::Record(record) => Some((**record).clone()),
                _ => None,
            },
            ExprKind::Field(base, member) => match self.record(base)?.field(member)? {
                Value::Record(record) => Some((**record).clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The record of which an expression is a passive field.
    pub(super) fn record_of_passive<'e>(&self, expression: &'e Expr) -> Option<(Record, &'e Member)> {
        let ExprKind::Field(base, member) = &*expression.kind else { return None };
        let record =
            self.record(base).filter(|record| record.references.is_some() && record.field(member).is_none())?;
        Some((record, member))
    }

    /// Whether a place lies in a record.
    pub(super) fn is_in_record(&self, place: &Expr) -> bool {
        let root = place.root().and_then(|(id, _)| self.bindings.find(self.activation.number(id)));
        matches!(root.map(|binding| &binding.value), Some(Value::Record(_)))
    }
}
