//! `#[generic_twin(NAME)]` on a function of `f64`: emits it a second time, as `NAME`, over any type of the trait
//! `Number` of the crate that uses it.
//!
//! The type `f64` becomes the type parameter. Numbers and names in capitals stay `f64`: where one is an operand, the
//! twin calls `scaled` and `shifted`, which every type of dual numbers does at the cost of a scalar, and elsewhere it
//! becomes a constant. All else is the text as it stands.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, BinOp, Expr, ExprBinary, Ident, ItemConst, ItemFn, Lit, Type, UnOp, parse_quote};

/// Emits the function as it stands, and its twin.
#[proc_macro_attribute]
pub fn generic_twin(name: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let original = TokenStream::from(item.clone());
    let twin = twin(name.into(), item.into()).unwrap_or_else(syn::Error::into_compile_error);
    quote!(#original #twin).into()
}

fn twin(name: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let mut function: ItemFn = syn::parse2(item)?;
    function.sig.ident = syn::parse2::<Ident>(name)?;
    function.sig.generics = parse_quote!(<T: crate::number::Number>);
    function.attrs.push(parse_quote!(#[inline(always)]));
    Lift.visit_item_fn_mut(&mut function);
    Ok(function.into_token_stream())
}

/// Puts numbers of the type parameter in the place of floats.
struct Lift;

impl VisitMut for Lift {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if ty.to_token_stream().to_string() == "f64" {
            *ty = parse_quote!(T);
        }
    }

    fn visit_item_const_mut(&mut self, _: &mut ItemConst) {}

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if is_passive(expression) {
            *expression = parse_quote!(T::constant(#expression));
            return;
        }
        if let Some(mut mixed) = mixed(expression) {
            self.visit_expr_mut(&mut mixed.operand);
            *expression = mixed.lifted();
            return;
        }
        visit_mut::visit_expr_mut(self, expression);
        match expression {
            Expr::Binary(ExprBinary { left, op: BinOp::AddAssign(_), right, .. }) => {
                *expression = parse_quote!(#left = #left + #right);
            }
            Expr::Binary(ExprBinary { left, op: BinOp::SubAssign(_), right, .. }) => {
                *expression = parse_quote!(#left = #left - #right);
            }
            _ => {}
        }
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| !attribute.path().is_ident("jacobian") && !attribute.path().is_ident("doc"));
    }
}

/// An operation on a float that depends on no variable and another operand.
struct Mixed {
    op: BinOp,
    passive: Expr,
    operand: Expr,
    is_passive_first: bool,
}

fn mixed(expression: &Expr) -> Option<Mixed> {
    let Expr::Binary(ExprBinary { left, op, right, .. }) = expression else { return None };
    let is_passive_first = is_passive(left);
    if is_passive_first == is_passive(right) || matches!(op, BinOp::AddAssign(_) | BinOp::SubAssign(_)) {
        return None;
    }
    let (passive, operand) = if is_passive_first { (left, right) } else { (right, left) };
    Some(Mixed { op: *op, passive: (**passive).clone(), operand: (**operand).clone(), is_passive_first })
}

impl Mixed {
    fn lifted(self) -> Expr {
        let Mixed { op, passive, operand, is_passive_first } = self;
        let is_one = passive.to_token_stream().to_string() == "1.0";
        match (op, is_passive_first) {
            (BinOp::Add(_), _) => parse_quote!(T::shifted(#operand, #passive)),
            (BinOp::Sub(_), false) => parse_quote!(T::shifted(#operand, -(#passive))),
            (BinOp::Sub(_), true) => parse_quote!(T::shifted(-(#operand), #passive)),
            (BinOp::Mul(_), _) => parse_quote!(T::scaled(#operand, #passive)),
            (BinOp::Div(_), false) => parse_quote!(T::scaled(#operand, 1.0 / (#passive))),
            (BinOp::Div(_), true) if is_one => parse_quote!(T::recip(#operand)),
            (BinOp::Div(_), true) => parse_quote!(T::scaled(T::recip(#operand), #passive)),
            (op, _) => {
                let error = syn::Error::new_spanned(op, "this operator has no twin").into_compile_error();
                Expr::Verbatim(error)
            }
        }
    }
}

/// Whether this is a float that depends on no variable: a number, a name in capitals, an element of such a table, an
/// operation on these.
fn is_passive(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Float(_)),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_passive(&unary.expr),
        Expr::Paren(inner) => is_passive(&inner.expr),
        Expr::Binary(binary) => is_passive(&binary.left) && is_passive(&binary.right),
        Expr::Index(index) => is_passive(&index.expr),
        Expr::Path(path) => path.path.get_ident().is_some_and(|ident| !ident.to_string().contains(char::is_lowercase)),
        _ => false,
    }
}
