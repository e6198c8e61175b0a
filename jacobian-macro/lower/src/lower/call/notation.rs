//! How functions of floats are called: as methods, by paths, or as those of libm.

use jacobian_list::catalogue::Intrinsic;
use jacobian_list::code_list::NotationId;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::super::super::read::scalar::float_trait;
use super::super::super::read::shape::{Reader, Reading, Shape};
use super::super::super::syntax::{self, Binding, Path};
use super::super::Lowering;
use super::super::program::Line;
use super::super::value::{Passive, Value};

/// How the user wrote a call.
#[derive(Clone)]
pub enum Notation {
    /// `x.sin()`.
    Method,
    /// `f64::sin(x)`, `<f64>::sin(x)`, `T::sin(x)`, `Float::sin(x)` or `<T as Float>::sin(x)`.
    Path {
        /// What precedes `::sin`.
        prefix: TokenStream,
        /// The type that it names, where the user means a primitive float by it.
        primitive: Option<TokenStream>,
        /// The functions that are there, where it is a trait that has not all of them.
        functions: Option<&'static [&'static str]>,
    },
    /// `libm::sin(x)`, with the names of that crate: the path before the name.
    Libm(TokenStream),
}

impl Lowering<'_> {
    /// `f64::from(i)` of a known integer whose type is known.
    pub(in super::super) fn known_float(&mut self, path: &Path, args: &[Value]) -> Option<Passive> {
        let [Value::Passive(int)] = args else { return None };
        int.number.as_ref()?.as_int().filter(|int| self.numbers.types.get(int.ty).only().is_some())?;
        let (notation, name) = self.notation_of(path)?;
        let Notation::Path { primitive: Some(ty), functions: None, .. } = &notation else { return None };
        if name != "from" {
            return None;
        }
        let ty = syntax::ty(&syn::Type::Verbatim(ty.clone()));
        self.notation_id(notation);
        Some(self.passive_cast(int, &ty, true))
    }

    /// What precedes the name in a path to a function of floats, and that name.
    pub(in super::super) fn notation_of(&self, path: &Path) -> Option<(Notation, Ident)> {
        let (path, binding) = (&path.path, path.binding);
        let mut prefix = path.path.clone();
        let last = prefix.segments.pop()?;
        prefix.segments.pop_punct();
        if !last.arguments.is_none() {
            return None;
        }
        let notation = match &path.qself {
            Some(qself) => self.qualified_notation(qself, &prefix, &last.ident)?,
            None if Reader::of(&self.scalar).scalar(&prefix).as_ref() == Some(&self.scalar) => {
                self.type_notation(prefix.to_token_stream(), prefix.to_token_stream())
            }
            None if prefix.segments.len() == 1
                && prefix.segments[0].ident == "libm"
                && binding != Binding::Item
                && self.scalar.suffix().is_some() =>
            {
                Notation::Libm(prefix.to_token_stream())
            }
            None => self.trait_notation(&prefix, prefix.to_token_stream(), &last.ident)?,
        };
        Some((notation, last.ident))
    }

    /// `<f64>::sin(x)` or `<f64 as Float>::sin(x)`.
    pub(in super::super) fn qualified_notation(
        &self,
        qself: &syn::QSelf,
        prefix: &syn::Path,
        function: &Ident,
    ) -> Option<Notation> {
        let ty = &qself.ty;
        let is_own = matches!(Reader::of(&self.scalar).read(&syntax::ty(ty)), Reading::Floats(Shape::Float(scalar)) if scalar == self.scalar);
        match qself.position {
            _ if !is_own => None,
            0 if prefix.segments.is_empty() => Some(self.type_notation(quote!(<#ty>), ty.to_token_stream())),
            position if position == prefix.segments.len() => {
                self.trait_notation(prefix, quote!(<#ty as #prefix>), function)
            }
            _ => None,
        }
    }

    /// A path before the name that names the type of the floats.
    pub(in super::super) fn type_notation(&self, prefix: TokenStream, ty: TokenStream) -> Notation {
        let primitive = self.scalar.suffix().is_some().then_some(ty);
        Notation::Path { prefix, primitive, functions: None }
    }

    /// A path before `function` that names a trait of floats. Of a trait of the user's, only that function is
    /// known to be there.
    pub(in super::super) fn trait_notation(
        &self,
        path: &syn::Path,
        prefix: TokenStream,
        function: &Ident,
    ) -> Option<Notation> {
        let segment = path.segments.last().filter(|segment| segment.arguments.is_none())?;
        let name = segment.ident.to_string();
        let called = || {
            Intrinsic::find(&function.to_string()).map_or(&[][..], |called| std::slice::from_ref(&called.row().name))
        };
        let functions = match float_trait(&name) {
            Some(functions) => functions,
            None if self.scalar.is_bound_by(&name) => Some(called()),
            None => return None,
        };
        Some(Notation::Path { prefix, primitive: None, functions })
    }

    /// The number of a notation; those of the same tokens are the same.
    pub(in super::super) fn notation_id(&mut self, notation: Notation) -> NotationId {
        let text = notation.to_string();
        let position = self.program.notations.iter().position(|known| known.to_string() == text);
        let index = position.unwrap_or_else(|| {
            if let Notation::Path { primitive: Some(ty), .. } = &notation {
                self.require_primitive(ty);
            }
            self.program.notations.push(notation);
            self.program.notations.len() - 1
        });
        NotationId(index as u16)
    }

    /// Makes the generated code fail to compile where `ty` is a type of the user and not the primitive float,
    /// whose methods alone have the derivatives of the catalogue.
    pub(in super::super) fn require_primitive(&mut self, ty: &TokenStream) {
        let float = self.scalar.ty();
        self.program.line(Line::effect(quote_spanned! {Span::mixed_site()=>
            let _: ::core::marker::PhantomData<#ty> = ::core::marker::PhantomData::<#float>;
        }));
    }
}

impl std::fmt::Display for Notation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Notation::Method => Ok(()),
            Notation::Path { prefix, functions, .. } => write!(formatter, "{prefix} {functions:?}"),
            Notation::Libm(prefix) => write!(formatter, "{prefix}"),
        }
    }
}
