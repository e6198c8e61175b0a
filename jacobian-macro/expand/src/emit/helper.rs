//! Emission of the functions that partials call and that neither the standard library nor the crate libm has: the
//! catalogue has their source.

use jacobian_core::catalogue::{Intrinsic, Spelling};
use jacobian_core::code_list::{CodeList, NotationId, Precision, Statement};
use jacobian_lower::Notation;
use jacobian_lower::names::Names;
use jacobian_lower::read::scalar::Scalar;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote_spanned};

/// The functions that a derivative brings along.
#[derive(Default)]
pub(super) struct Helpers(Vec<Helper>);

struct Helper {
    intrinsic: Intrinsic,
    /// How what it calls is written.
    notation: NotationId,
    source: &'static str,
    /// The variable that holds it. As a variable, it meets no name of the user.
    name: Ident,
}

impl Helpers {
    /// Those that a list calls, and its arms.
    pub fn of(list: &CodeList, names: &mut Names) -> Self {
        let mut helpers = Helpers::default();
        for statement in list.with_inner().into_iter().flat_map(CodeList::statements) {
            if let Statement::Apply { intrinsic, notation, .. } = *statement
                && let Spelling::Helper(source) = intrinsic.row().spelling
                && helpers.find(intrinsic).is_none()
            {
                let name = names.fresh(intrinsic.row().name);
                helpers.0.push(Helper { intrinsic, notation, source, name });
            }
        }
        helpers
    }

    fn find(&self, intrinsic: Intrinsic) -> Option<&Helper> {
        self.0.iter().find(|helper| helper.intrinsic == intrinsic)
    }

    /// The variable that holds the function.
    pub fn name(&self, intrinsic: Intrinsic) -> Option<Ident> {
        self.find(intrinsic).map(|helper| helper.name.clone())
    }

    /// The statements that define the functions. They compute in double precision.
    pub fn definitions(&self, scalar: &Scalar, notations: &[Notation]) -> TokenStream {
        let definition = |helper: &Helper| {
            let libm = match &notations[usize::from(helper.notation.0)] {
                Notation::Libm(path) => path.clone(),
                _ => TokenStream::new(),
            };
            let source = helper.source.parse().expect("the source of a helper is Rust");
            let (name, source) = (&helper.name, written(source, &libm));
            let own = format_ident!("{}", helper.intrinsic.row().name, span = Span::mixed_site());
            let function = match scalar.precision() {
                Precision::F32 => quote_spanned! {Span::mixed_site()=>
                    |x: ::core::primitive::f32| #own(x as ::core::primitive::f64) as ::core::primitive::f32
                },
                _ => quote_spanned!(Span::mixed_site()=> #own),
            };
            quote_spanned!(Span::mixed_site()=> let #name = { #source #function };)
        };
        self.0.iter().map(definition).collect()
    }
}

/// A source at the place of the macro, with the user's path to the crate libm.
fn written(source: TokenStream, libm: &TokenStream) -> TokenStream {
    let token = |token: TokenTree| match token {
        TokenTree::Ident(word) if word == "libm" => libm.clone(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), written(group.stream(), libm));
            inner.set_span(Span::mixed_site());
            TokenTree::Group(inner).into()
        }
        mut token => {
            token.set_span(Span::mixed_site());
            token.into()
        }
    };
    source.into_iter().flat_map(token).collect()
}
