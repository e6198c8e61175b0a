//! `#[dual_twin(NAME)]` on a function or a module of functions of `f64`: emits it a second time, as `NAME`, over the
//! dual numbers of `num-dual`. `#[dual_twin(NAME, g = h)]` calls `h` in the twin where the function calls `g`.
//!
//! The type `f64` becomes `Dual64`; literals, `std::f64::consts::X`, `x as f64` and `f64::from(x)` become dual numbers
//! with derivative zero. All else is the text as it stands.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, Ident, Item, ItemFn, Lit, Path, Token, Type, UnOp, parse_quote};

/// Emits the item as it stands, and its twin.
#[proc_macro_attribute]
pub fn dual_twin(options: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let original = TokenStream::from(item.clone());
    let twin = twin(options.into(), item.into()).unwrap_or_else(syn::Error::into_compile_error);
    quote!(#original #twin).into()
}

fn twin(options: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let options = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(options)?;
    let mut item: Item = syn::parse2(item)?;
    let (mut lift, mut name) = (Lift { calls: Vec::new() }, None);
    for option in options {
        match option {
            Expr::Assign(assign) => lift.calls.push((path(*assign.left)?, path(*assign.right)?)),
            option => name = path(option)?.get_ident().cloned(),
        }
    }
    lift.visit_item_mut(&mut item);
    rename(&mut item, name)?;
    Ok(item.into_token_stream())
}

fn path(expression: Expr) -> syn::Result<Path> {
    match expression {
        Expr::Path(path) => Ok(path.path),
        other => Err(syn::Error::new_spanned(other, "a name is expected here")),
    }
}

fn rename(item: &mut Item, name: Option<Ident>) -> syn::Result<()> {
    let place = match item {
        Item::Fn(function) => &mut function.sig.ident,
        Item::Mod(module) => &mut module.ident,
        other => return Err(syn::Error::new_spanned(other, "a function or a module is expected here")),
    };
    *place = name.ok_or_else(|| syn::Error::new_spanned(&place, "the twin needs a name"))?;
    Ok(())
}

/// Puts dual numbers in the place of floats.
struct Lift {
    /// The functions that are called in the place of others.
    calls: Vec<(Path, Path)>,
}

impl VisitMut for Lift {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if text(ty) == "f64" {
            *ty = parse_quote!(::num_dual::Dual64);
        }
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if is_passive(expression) {
            *expression = parse_quote!(::num_dual::Dual64 { re: #expression, eps: 0.0 });
            return;
        }
        visit_mut::visit_expr_mut(self, expression);
        if let Expr::Path(path) = expression
            && let Some((_, twin)) = self.calls.iter().find(|(function, _)| text(function) == text(&*path))
        {
            path.path = twin.clone();
        }
    }

    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        visit_mut::visit_item_fn_mut(self, function);
        function.block.stmts.insert(
            0,
            parse_quote! {
                #[allow(unused_imports)]
                use crate::dual::{DualNum as _, Select as _};
            },
        );
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| !attribute.path().is_ident("jacobian"));
    }
}

/// Whether this is a float that depends on no variable.
fn is_passive(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Float(_)),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_passive(&unary.expr),
        Expr::Cast(cast) => text(&cast.ty) == "f64",
        Expr::Path(path) => {
            let names: Vec<_> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            matches!(&names[..], [.., float, consts, _] if float == "f64" && consts == "consts")
        }
        Expr::Call(call) => text(&call.func) == "f64 :: from",
        _ => false,
    }
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}
