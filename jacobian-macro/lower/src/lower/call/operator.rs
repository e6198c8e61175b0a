//! Operators and conversions that the module implements for its structs.

use proc_macro2::{Ident, Span};
use quote::quote;
use syn::ext::IdentExt;
use syn::{BinOp, UnOp};

use super::super::super::module::{Method as Member, Owner, OwnerType, Passing};
use super::super::super::read::shape::{Shape, Struct};
use super::super::super::refuse;
use super::super::super::syntax::{Expr, ExprKind, Placed};
use super::super::Lowering;
use super::super::array::is_known_index;
use super::super::control::Flow;
use super::super::numbers::Number;
use super::super::program::Line;
use super::super::value::{Active, Passive, Place, Value};
use super::associated::path_at;

impl<'f> Lowering<'f> {
    /// The result of an operator, one of whose operands is a struct; none if neither is.
    pub(in super::super) fn struct_operated(
        &mut self,
        op: &BinOp,
        (left, left_place): (&Value, &Expr),
        (right, right_place): (&Value, &Expr),
        whole: &dyn Placed,
    ) -> Flow<Option<Value>> {
        let is_passive = left.is_passive() && right.is_passive();
        if left.owner().is_none() && right.owner().is_none() {
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

    /// `place op= right`, for what is passive as a whole: the place is a variable of the generated code, which is changed
    /// where it is.
    pub(in super::super) fn opaque_updated(
        &mut self,
        op: &BinOp,
        (place, target): (&Place, &Expr),
        right: &Value,
    ) -> Flow {
        let Some([_, trait_]) = traits(op) else { return self.refuse(op, refuse::STRUCT_OPERATOR) };
        let Some(right) = right.to_passive() else { return self.refuse(op, refuse::OPERATOR_ON_ACTIVE) };
        match self.home_at(place).filter(|_| place.chosen.is_empty()) {
            Some(home) => {
                let name = format!("{}_assign", trait_.trim_end_matches("Assign").to_lowercase());
                let [trait_, name] = [trait_, &name].map(|name| Ident::new(name, Span::call_site()));
                let (home, right) = (home.tokens(), right.tokens());
                let update = quote!(::core::ops::#trait_::#name(&mut #home, #right););
                self.program.line(Line::effect(update).changing());
                Ok(Value::unit())
            }
            None => self.refuse(target, refuse::CHANGED_BEHIND_MUTABLE),
        }
    }

    /// `-value` or `!value` of a struct or an enum; none if it is neither, or if it is passive and the module does not show
    /// what that is.
    pub(in super::super) fn struct_prefixed(
        &mut self,
        op: &UnOp,
        value: &Value,
        place: &Expr,
        whole: &Expr,
    ) -> Option<Flow> {
        let trait_ = match op {
            UnOp::Neg(_) => "Neg",
            UnOp::Not(_) => "Not",
            _ => return None,
        };
        value.owner()?;
        Some(match (self.implementation(trait_, value, None), value.to_passive()) {
            (Err(_), Some(_)) => return None,
            (Err(why), None) => self.refuse(whole, why),
            (Ok(member), Some(operand)) => Ok(self.passive_operator(trait_, member, &[operand])),
            (Ok(member), None) => {
                let name = Ident::new(&member.name, Span::call_site());
                self.implemented(member, std::slice::from_ref(value), &[place], &path_at(&name, whole))
            }
        })
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

    /// Whether a value may be one of this type.
    pub(super) fn fits(&self, ty: &OwnerType, value: &Value) -> bool {
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
